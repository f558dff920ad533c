/* SPDX-License-Identifier: MIT */
/* Characters among bodies that form slopes, steps, corners and tunnels. The expected places follow from plane geometry.
 * docs/CONTRACT.md: CHR-1, CHR-2, CHR-3, CHR-4, CHR-5, CHR-6, CHR-8 */
#include <math.h>

#include <voxphys/voxphys.h>

#include "datasets/random.h"
#include "tests/support/check.h"

enum { TRIES = IS_DEEP ? 200 : IS_THIN ? 4 : 16 };

enum { BODIES = 16, SHAPES = 2 };

/* Gap that characters keep near the origin (CHR-1). */
static const float skin = 0x1p-10f;

static vp_collide_shape body_shape[BODIES];
static vp_manifold_body body[BODIES];
static uint32_t body_count;
static vp_character_world world;

static const double pi = 3.14159265358979323846;

static void clear(void)
{
    body_count = 0;
    world = (vp_character_world){.body = body};
}

static vp_manifold_body *add_box(vp_vec3 centre, vp_vec3 half)
{
    assert_true(body_count < BODIES);
    body_shape[body_count] = vp_collide_box(half);
    body[body_count] = (vp_manifold_body){&body_shape[body_count], vp_pose_at(centre)};
    world.body_count = body_count + 1;
    return &body[body_count++];
}

static void add_floor(void)
{
    add_box((vp_vec3){0, -1, 0}, (vp_vec3){50, 1, 50});
}

/* A plane through the origin that rises by an angle towards +x, the top of a thick box. */
static void add_ramp(double degrees)
{
    const double a = degrees * pi / 180;
    vp_manifold_body *b = add_box((vp_vec3){(float)(2 * sin(a)), (float)(-2 * cos(a)), 0}, (vp_vec3){40, 2, 40});
    b->pose.rotation[2] = (float)sin(a / 2), b->pose.rotation[3] = (float)cos(a / 2);
}

/* A wall through a place, whose outer side faces an angle about y. */
static void add_wall(vp_vec3 at, double degrees)
{
    const double a = degrees * pi / 180;
    vp_manifold_body *b = add_box((vp_vec3){(float)((double)at.x - cos(a)), at.y, (float)((double)at.z + sin(a))}, (vp_vec3){1, 10, 30});
    b->pose.rotation[1] = (float)sin(a / 2), b->pose.rotation[3] = (float)cos(a / 2);
}

static vp_character walker(const vp_collide_shape *shape)
{
    return (vp_character){.shape = shape, .up = VP_SIDE_Y_HIGH, .step = 0.5f, .stick = 0.5f, .slope = 50};
}

static vp_collide_shape shape_of(int kind)
{
    return kind == 0 ? vp_collide_capsule(0.4f, 0.5f) : vp_collide_box((vp_vec3){0.3f, 0.9f, 0.35f});
}

static float foot_of(const vp_collide_shape *s)
{
    return s->kind == VP_COLLIDE_BOX ? s->half.y : s->radius + s->half_height;
}

static float length_of(vp_vec3 v)
{
    return sqrtf(vp_vec3_dot(v, v));
}

static bool overlaps(const vp_collide_shape *shape, vp_vec3 position)
{
    const vp_manifold_body moving = {shape, vp_pose_at(position)};
    bool any = false;
    for (uint32_t i = 0; i < body_count && !any; i++)
        assert_ok(vp_shapes_overlap(&moving, &body[i], &any, &error));
    return any;
}

/* Moves a character, and checks the rules of every move. */
static vp_character_result go(const vp_character *c, vp_vec3 position, vp_vec3 motion)
{
    static uint32_t calls;
    vp_character_result out, again;
    assert_ok(vp_character_move(&world, c, position, motion, &out, &error));
    if (calls++ % 16 == 0) {
        assert_ok(vp_character_move(&world, c, position, motion, &again, &error));
        assert_memory_equal(&out.position, &again.position, sizeof out.position);
    }
    assert_true(out.casts <= VP_CHARACTER_CASTS && out.hit_count <= VP_CHARACTER_HITS);
    assert_true(out.remaining >= 0.0f && out.remaining <= 1.0f);
    if (!out.pushed && !out.inside) {
        const float gone = length_of(vp_vec3_sub(out.position, position));
        if (gone > length_of(motion) + c->step + c->stick + 16 * skin)
            fail_msg("asked %g, gone %g", (double)length_of(motion), (double)gone);
    }
    if (!out.inside && overlaps(c->shape, out.position))
        fail_msg("inside at %g %g %g", (double)out.position.x, (double)out.position.y, (double)out.position.z);
    return out;
}

/* ---- slopes ---- */

/* Climbs up to the limit, and not above it. */
TEST(slope_limit)
{
    vp_random r = {2};
    for (int i = 0; i < TRIES; i++)
        for (int above = 0; above < 2; above++) {
            const vp_collide_shape s = shape_of(i % SHAPES);
            vp_character c = walker(&s);
            c.slope = vp_random_between(&r, 10, 75);
            c.step = i % 4 < 2 ? 0.0f : 0.3f;
            const double ramp = (double)c.slope + (above ? 1.0 : -1.0);
            clear();
            add_floor();
            add_ramp(ramp);
            vp_vec3 p = {-3, foot_of(&s) + skin, 0};
            vp_character_result out = {.remaining = 0};
            float gone = 0;
            for (int k = 0; k < 80; k++) {
                out = go(&c, p, (vp_vec3){0.1f, -0.02f, 0});
                gone += length_of(vp_vec3_sub(out.position, p));
                p = out.position;
            }
            const float climbed = p.y - foot_of(&s);
            if (above ? climbed > 0.4f : (double)climbed < 2.0 * sin(ramp * pi / 180))
                fail_msg("limit %g, ramp %g, kind %d: climbed %g", (double)c.slope, ramp, i % SHAPES, (double)climbed);
            assert_true(out.ground == VP_CHARACTER_ON_GROUND);
            if (!above)
                assert_true(fabs((double)out.floor.normal.y - cos(ramp * pi / 180)) < 1e-4 && gone > 7.8f);
        }
}

/* Slides down slopes that are too steep. */
TEST(steep)
{
    for (int kind = 0; kind < SHAPES; kind++)
        for (int angle = 55; angle < 85; angle += 5) {
            clear();
            add_ramp(angle);
            const vp_collide_shape s = shape_of(kind);
            const vp_character c = walker(&s);
            vp_vec3 p = {0, 4, 0};
            vp_character_result out = {.remaining = 0};
            for (int k = 0; k < 60; k++) {
                out = go(&c, p, (vp_vec3){0.05f, -0.2f, 0});
                assert_true(k < 30 || (out.ground == VP_CHARACTER_ON_STEEP && out.position.y < p.y - 0.05f && out.position.x < p.x));
                p = out.position;
            }
            assert_true(fabs((double)out.floor.normal.y - cos(angle * pi / 180)) < 1e-4);
        }
}

TEST(sticks_to_slopes)
{
    vp_random r = {3};
    for (int i = 0; i < TRIES; i++) {
        const vp_collide_shape s = shape_of(i % SHAPES);
        const vp_character c = walker(&s);
        const double ramp = (double)vp_random_between(&r, 5, 48);
        const float speed = vp_random_between(&r, 0.02f, 0.3f);
        clear();
        add_floor();
        add_ramp(ramp);
        vp_vec3 p = {5, foot_of(&s) + (float)(5 * tan(ramp * pi / 180)) + 1, 0};
        for (int k = 0; k < 20; k++)
            p = go(&c, p, (vp_vec3){0, -0.1f, 0}).position;
        for (int k = 0; k < 800 && p.x > -3; k++) {
            const vp_character_result out = go(&c, p, (vp_vec3){-speed, k % 2 == 0 ? 0.0f : -0.004f, 0});
            assert_true(out.ground == VP_CHARACTER_ON_GROUND && out.remaining == 0.0f);
            assert_true(p.x - out.position.x > speed * 0.6f);
            p = out.position;
        }
        assert_true(p.x < -1 && p.y < foot_of(&s) + 0.5f);
    }
}

/* ---- steps ---- */

/* It climbs no step that is too high, and none under a roof that is too low. */
TEST(step_height)
{
    enum { CLIMBS, TOO_HIGH, LOW_ROOF, KINDS };
    vp_random r = {4};
    for (int i = 0; i < TRIES; i++)
        for (int how = 0; how < KINDS; how++) {
            const vp_collide_shape s = shape_of(i % SHAPES);
            vp_character c = walker(&s);
            c.step = vp_random_between(&r, 0.2f, 1.2f);
            const float high = c.step + (how == TOO_HIGH ? 0.004f : 0.0f), speed = vp_random_between(&r, 0.003f, 0.4f);
            const double angle = (double)vp_random_between(&r, -0.8f, 0.8f);
            clear();
            add_floor();
            add_box((vp_vec3){10, high / 2, 0}, (vp_vec3){9, high / 2, 20});
            if (how == LOW_ROOF)
                add_box((vp_vec3){0, 2 * foot_of(&s) + high / 2 + 1, 0}, (vp_vec3){20, 1, 20});
            vp_vec3 p = {0.4f, foot_of(&s) + skin, 0};
            bool stepped = false;
            vp_character_result out = {.remaining = 0};
            for (float way = 0; way < 2.5f; way += speed) {
                out = go(&c, p, (vp_vec3){speed * (float)cos(angle), -0.02f, speed * (float)sin(angle)});
                stepped = stepped || out.stepped;
                p = out.position;
            }
            const float climbed = p.y - foot_of(&s);
            const bool is_right = how == LOW_ROOF ? climbed < high / 2 + 3 * skin : stepped == (how == CLIMBS);
            if (!is_right || (how != LOW_ROOF && fabsf(climbed - (how == CLIMBS ? high : 0.0f)) > 3 * skin))
                fail_msg("step %g of %g, kind %d, case %d: stepped %d, climbed %g", (double)high, (double)c.step, i % SHAPES, how, stepped,
                         (double)climbed);
            assert_true(out.ground == VP_CHARACTER_ON_GROUND);
        }
}

/* ---- walls, corners, ceilings, tunnels ---- */

/* Into an acute corner, where it comes to rest. */
TEST(corners)
{
    vp_random r = {6};
    for (int i = 0; i < TRIES; i++) {
        const vp_collide_shape s = shape_of(i % SHAPES);
        const vp_character c = walker(&s);
        const double opening = (double)vp_random_between(&r, 15, 100);
        clear();
        add_floor();
        add_wall((vp_vec3){0, 0, 0}, -opening / 2 + 90); /* the corner opens towards +x */
        add_wall((vp_vec3){0, 0, 0}, opening / 2 - 90);
        vp_vec3 p = {5, foot_of(&s) + skin, 0};
        assert_false(overlaps(&s, p));
        const float side = vp_random_between(&r, -0.05f, 0.05f) * (float)tan(opening * pi / 360);
        float moved = 0;
        for (int k = 0; k < 150; k++) {
            const vp_character_result out = go(&c, p, (vp_vec3){-0.2f, -0.01f, 2 * side});
            moved += k < 100 ? 0 : length_of(vp_vec3_sub(out.position, p));
            p = out.position;
        }
        if (moved > 4 * skin)
            fail_msg("opening %g: moves %g at rest", opening, (double)moved);
    }
}

/* ---- overlaps, directions, refusals ---- */

TEST(pushed_out)
{
    vp_random r = {7};
    clear();
    add_floor();
    add_wall((vp_vec3){0, 0, 0}, 0);
    for (int i = 0; i < TRIES; i++) {
        const vp_collide_shape s = shape_of(i % SHAPES);
        const vp_character c = walker(&s);
        const vp_vec3 p = {vp_random_between(&r, 0.05f, 0.25f), foot_of(&s) - vp_random_between(&r, 0.01f, 0.3f), 0};
        const vp_character_result out = go(&c, p, (vp_vec3){0, 0, 0.5f});
        assert_true(out.pushed && !out.inside && out.position.z > 0.499f && length_of(vp_vec3_sub(out.position, p)) < 1.0f);
    }
    /* between two walls that are too close */
    add_box((vp_vec3){1.3f, 0, 0}, (vp_vec3){1, 10, 10});
    const vp_collide_shape s = shape_of(0);
    const vp_character c = walker(&s);
    const vp_vec3 p = {0.15f, 2, 0};
    const vp_character_result out = go(&c, p, (vp_vec3){0, 0, 0.5f});
    assert_true(out.inside && !out.pushed && out.remaining == 1.0f && out.velocity.z == 0.0f);
    assert_memory_equal(&out.position, &p, sizeof p);
}

TEST(refusals)
{
    const vp_collide_shape capsule = shape_of(0), ball = vp_collide_sphere(1), none = vp_collide_capsule(-1, 1);
    const vp_character c = walker(&capsule);
    const vp_vec3 p = {0, 5, 0}, still = {0, 0, 0};
    vp_character bad;
    vp_character_result out = {.remaining = 7};
    clear();
#define REFUSED(member, value, words)                                                                                                      \
    do {                                                                                                                                   \
        bad = c;                                                                                                                           \
        bad.member = value;                                                                                                                \
        assert_refused(vp_character_move(&world, &bad, p, still, &out, &error), VP_E_ARGUMENT, words);                                     \
    } while (0)
    REFUSED(shape, NULL, "NULL");
    REFUSED(shape, &ball, "capsule or a box");
    REFUSED(shape, &none, "-1");
    REFUSED(up, 6, "vp_character.up is 6");
    REFUSED(step, -0.5f, "step is -0.5");
    REFUSED(step, NAN, "step is nan");
    REFUSED(stick, -2, "stick is -2");
    REFUSED(stick, INFINITY, "stick is inf");
    REFUSED(slope, 91, "slope is 91");
    REFUSED(slope, -1, "slope is -1");
    REFUSED(slope, NAN, "slope is nan");
    assert_refused(vp_character_move(&world, &c, (vp_vec3){0, NAN, 0}, still, &out, &error), VP_E_ARGUMENT, "position.y is nan");
    assert_refused(vp_character_move(&world, &c, p, (vp_vec3){INFINITY, 0, 0}, &out, &error), VP_E_ARGUMENT, "motion.x is inf");
    world.body = NULL, world.body_count = 3;
    assert_refused(vp_character_move(&world, &c, p, still, &out, &error), VP_E_ARGUMENT,
                   "vp_character_world.body is NULL, body_count is 3");
    clear();
    add_floor();
    body[0].pose.rotation[0] = NAN;
    assert_refused(vp_character_move(&world, &c, p, still, &out, &error), VP_E_ARGUMENT, "nan");
    assert_true(out.remaining == 7);
    clear(); /* an empty world stops nothing */
    assert_ok(vp_character_move(&world, &c, p, (vp_vec3){1, 2, 3}, &out, &error));
    assert_true(out.position.x == 1 && out.position.y == 7 && out.position.z == 3 && out.remaining == 0 && out.velocity.z == 3);
}
