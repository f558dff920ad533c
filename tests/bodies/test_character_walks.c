/* SPDX-License-Identifier: MIT */
/* Characters among blocks, and on terrains of hills and of flat ground. The final places on blocks are compared with every cube, for which
 * the distance of an upright capsule or box is a sum of squares. On terrains a shape that is smaller by a tolerance must not overlap.
 * docs/CONTRACT.md: CHR-1, CHR-2, CHR-3, CHR-5, CHR-6, CHR-7, CHR-8 */
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/block_scene.h"
#include "tests/narrowphase/manifold_scene.h"

#ifdef TEST_DEEP
static const uint32_t moves = 100000;
#elif defined TEST_THIN
static const uint32_t moves = 10000 / TEST_THIN / 4;
#else
static const uint32_t moves = 10000;
#endif

enum { REACH = 12, BLOCK_WORLDS = 4 };

static const float skin = 0x1p-10f;

/* A body far away. In its presence boxes move by casts. */
static const vp_collide_shape pebble = {.kind = VP_COLLIDE_SPHERE, .radius = 1.0f};
static const vp_manifold_body far_away = {&pebble, {{0.0f, 5000.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}}};
static const vp_character_world only_blocks = {.blocks = &view}, with_body = {.blocks = &view, .body = &far_away, .body_count = 1};

/* ---- grounds ---- */

/* 0 = a floor with a wall around it, 1 = stairs up and down, 2 = pillars, tunnels and roofs, 3 = single blocks. */
static void fill(int kind)
{
    vp_random r = {(uint64_t)kind};
    clear_blocks();
    for (int y = -REACH; y < REACH; y++)
        for (int z = -REACH; z < REACH; z++)
            for (int x = -REACH; x < REACH; x++) {
                const bool wall = abs(2 * x + 1) > 2 * REACH - 3 || abs(2 * z + 1) > 2 * REACH - 3;
                const bool inner[BLOCK_WORLDS] = {false, y < 4 - abs(x),
                                                  (y < 3 && (x + 30) % 4 == 0 && (z + 30) % 3 == 0) || (y == 2 && z > 2),
                                                  y < 6 && vp_random_below(&r, 10) == 0};
                *cell_at(x, y, z) = y < 0 || wall || inner[kind] ? 1 + (uint8_t)vp_random_below(&r, 2) : 0;
            }
}

/* Gentle hills with a few blocks. */
static double meadow(double x, double z)
{
    const bool block = sin(1.3 * x + 0.4) * sin(1.1 * z) > 0.8;
    return 9.0 + 1.2 * sin(0.3 * x + 0.1 * z) + sin(0.35 * z - 0.1 * x) + (block ? 1.0 : 0.0);
}

/* A shape's depth in the blocks. For a capsule it is the radius minus the distance of its core. For a box, with sides in binary32, it is
   the shortest way out of a cube. */
static double depth_of(const vp_collide_shape *s, vp_vec3 at)
{
    const bool is_box = s->kind == VP_COLLIDE_BOX;
    const vp_vec3 half = is_box ? s->half : (vp_vec3){0.0f, s->half_height, 0.0f};
    const vp_vec3 least_corner = vp_vec3_sub(at, half), most_corner = vp_vec3_add(at, half);
    const double low[3] = {(double)least_corner.x, (double)least_corner.y, (double)least_corner.z};
    const double high[3] = {(double)most_corner.x, (double)most_corner.y, (double)most_corner.z};
    double deepest = -INFINITY;
    for (int y = -REACH; y < REACH; y++)
        for (int z = -REACH; z < REACH; z++)
            for (int x = -REACH; x < REACH; x++) {
                const int cube[3] = {x, y, z};
                double square = 0.0, least = INFINITY;
                if (fabs(x - low[0]) > 4 || fabs(z - low[2]) > 4 || !is_solid(x, y, z))
                    continue;
                for (int k = 0; k < 3; k++) {
                    const double gap = fmax(cube[k] - high[k], low[k] - (cube[k] + 1));
                    square += gap > 0 ? gap * gap : 0.0;
                    least = fmin(least, -gap);
                }
                deepest = fmax(deepest, is_box ? least : (double)s->radius - sqrt(square));
            }
    return deepest;
}

/* Whether the shape overlaps a terrain by more than a tolerance of casts. The tested shape is smaller by that. */
static bool overlaps(const vp_terrain_reader *reader, const vp_collide_shape *shape, vp_vec3 position)
{
    const float far = vp_max(vp_max(fabsf(position.x), fabsf(position.y)), fabsf(position.z));
    const float tolerance = (far + vp_collide_radius(shape)) * 0x1p-21f;
    vp_collide_shape smaller = *shape;
    smaller.radius -= tolerance;
    smaller.half = vp_vec3_sub(shape->half, (vp_vec3){tolerance, tolerance, tolerance});
    const vp_cast_def def = {.shape = &smaller, .pose = vp_pose_at(position)};
    bool any;
    assert_ok(vp_overlap_terrain(reader, VP_SURFACE_SOLID, &def, &any, &error));
    return any;
}

static bool is_overlapping(const vp_character_world *world, const vp_collide_shape *shape, vp_vec3 position)
{
    if (world->reader != NULL)
        return overlaps(world->reader, shape, position);
    const double depth = depth_of(shape, position);
    return world == &only_blocks && shape->kind == VP_COLLIDE_BOX ? depth > 0.0 : depth >= 0.0;
}

/* ---- walks ---- */

static float length_of(vp_vec3 v)
{
    return sqrtf(vp_vec3_dot(v, v));
}

static vp_collide_shape any_shape(vp_random *r, bool is_box)
{
    return is_box ? vp_collide_box(
                        (vp_vec3){vp_random_between(r, 0.2f, 0.7f), vp_random_between(r, 0.4f, 1.4f), vp_random_between(r, 0.2f, 0.7f)})
                  : vp_collide_capsule(vp_random_between(r, 0.2f, 0.7f), vp_random_between(r, 0.0f, 0.9f));
}

static vp_character any_character(vp_random *r, const vp_collide_shape *shape, float least_step)
{
    return (vp_character){.shape = shape,
                          .up = VP_SIDE_Y_HIGH,
                          .step = vp_random_below(r, 4) == 0 ? 0.0f : vp_random_between(r, least_step, 1.3f),
                          .stick = vp_random_below(r, 4) == 0 ? 0.0f : vp_random_between(r, 0.1f, 1.3f),
                          .slope = vp_random_between(r, 20, 70)};
}

typedef struct walk_figures {
    uint32_t moves, ground, steep, air, stepped, pushed, overlaps, far, rising, casts;
    double asked, gone;
} walk_figures;

/* A character walks, jumps and falls for a while around a place. */
static void wander(vp_random *r, const vp_character_world *world, bool is_box, vp_vec3 p, float reach, walk_figures *f)
{
    const vp_collide_shape shape = any_shape(r, is_box);
    vp_character c = any_character(r, &shape, world->reader != NULL ? 0.1f : 0.9f);
    c.slope = world->reader != NULL ? vp_random_between(r, 35, 70) : c.slope;
    const vp_vec3 middle = p;
    float heading = vp_random_between(r, 0, 6.28f), fall = 0, speed = vp_random_between(r, 0.02f, 0.6f);
    for (uint32_t i = 0; i < 250; i++) {
        if (fabsf(p.x - middle.x) > reach || fabsf(p.z - middle.z) > reach)
            heading = atan2f(middle.z - p.z, middle.x - p.x);
        else if (vp_random_below(r, 30) == 0)
            heading = vp_random_between(r, 0, 6.28f);
        heading += vp_random_between(r, -0.3f, 0.3f);
        fall -= 0.01f;
        const vp_vec3 m = {speed * cosf(heading), fall, speed * sinf(heading)};
        vp_character_result out, again;
        assert_ok(vp_character_move(world, &c, p, m, &out, &error));
        if (i % 16 == 0) {
            assert_ok(vp_character_move(world, &c, p, m, &again, &error));
            assert_memory_equal(&out.position, &again.position, sizeof out.position);
        }
        const float gone = length_of(vp_vec3_sub(out.position, p));
        f->moves++;
        f->ground += out.ground == VP_CHARACTER_ON_GROUND, f->steep += out.ground == VP_CHARACTER_ON_STEEP;
        f->air += out.ground == VP_CHARACTER_IN_AIR;
        f->stepped += out.stepped, f->pushed += out.pushed || out.inside;
        f->overlaps += is_overlapping(world, &shape, out.position);
        f->far += gone > length_of(m) + c.step + c.stick + 16 * skin;
        f->casts = out.casts > f->casts ? out.casts : f->casts;
        f->rising += out.ground == VP_CHARACTER_ON_GROUND && (double)out.floor.normal.y < cos((double)c.slope * 3.14159265 / 180) - 2e-5;
        f->asked += (double)speed, f->gone += (double)gone;
        assert_true(out.ground != VP_CHARACTER_ON_GROUND || out.floor.material > 0);
        p = out.position;
        fall = out.velocity.y;
        assert_true(p.y > -1); /* it did not fall out of the world */
        if (out.ground == VP_CHARACTER_ON_GROUND && vp_random_below(r, 100) == 0)
            fall = 0.17f;
    }
}

static void check_walks(const char *what, const walk_figures *f, bool by_casts)
{
    print_message(
        "%s: %u moves: %u on ground, %u steep, %u in air, %u steps, gone %.2f of asked, at most %u casts; %u overlap, %u too far, "
        "%u pushed, %u on too steep ground\n",
        what, f->moves, f->ground, f->steep, f->air, f->stepped, f->gone / f->asked, f->casts, f->overlaps, f->far, f->pushed, f->rising);
    assert_true(f->overlaps == 0 && f->pushed == 0 && f->rising == 0);
    assert_true(f->far == 0);
    assert_true(f->casts <= VP_CHARACTER_CASTS && (f->casts > 0) == by_casts);
    assert_true(f->ground > f->moves / 8 && f->gone > 0.4 * f->asked); /* few walks, in slow builds, may slide more than they stand */
    assert_true(moves < 10000 || (f->ground > f->moves / 3 && f->air > f->moves / 100 && f->stepped > f->moves / 500));
}

static void walks_on_blocks(void **state)
{
    static const char *const name[3] = {"capsules on blocks", "boxes on blocks by casts", "boxes on blocks"};
    (void)state;
    vp_random r = {21};
    for (int kind = 0; kind < 3; kind++) {
        walk_figures f = {.moves = 0};
        for (uint32_t i = 0; f.moves < moves / 3 || i < BLOCK_WORLDS; i++) {
            fill((int)(i % BLOCK_WORLDS));
            wander(&r, kind == 1 ? &with_body : &only_blocks, kind > 0,
                   (vp_vec3){vp_random_between(&r, -8, 8), 8, vp_random_between(&r, -8, 8)}, 30.0f, &f);
        }
        check_walks(name[kind], &f, kind < 2);
    }
}

static void walks_on_terrain(void **state)
{
    (void)state;
    vp_random r = {11};
    manifold_world s;
    walk_figures f = {.moves = 0};
    for (int kind = 0; kind < 2; kind++) {
        open_scene(&s, kind == 0 ? meadow : hills, (vp_ivec3){3, 2, 3}, NULL);
        const vp_character_world world = {.reader = &s.reader};
        for (uint32_t begun = f.moves; f.moves - begun < moves / 2;)
            wander(&r, &world, vp_random_below(&r, 2) == 0, (vp_vec3){vp_random_between(&r, 16, 32), 24, vp_random_between(&r, 16, 32)},
                   10.0f, &f);
        close_scene(&s);
    }
    check_walks("terrain", &f, true);
    assert_true(moves < 10000 || f.steep > f.moves / 500);
}

/* ---- floors ---- */

/* On a floor nothing stops it across triangles, blocks and chunks. At rest it does not drift. */
static void walk_on_floor(vp_random *r, const vp_character_world *world, bool is_box, vp_vec3 middle, float reach)
{
    const vp_collide_shape shape = any_shape(r, is_box);
    vp_character c = any_character(r, &shape, 0.1f);
    if (world->blocks != NULL)
        c.step = c.stick = 0.5f;
    vp_character_result out = {.position = middle};
    assert_ok(vp_character_move(world, &c, middle, (vp_vec3){0, -9, 0}, &out, &error));
    for (int k = 0; k < 60; k++) {
        const vp_vec3 p = out.position;
        vp_vec3 m = {vp_random_between(r, -2, 2), k % 3 == 0 ? 0.0f : -0.1f, vp_random_between(r, -2, 2)};
        m.x = fabsf(p.x + m.x - middle.x) > reach ? -m.x : m.x, m.z = fabsf(p.z + m.z - middle.z) > reach ? -m.z : m.z;
        assert_ok(vp_character_move(world, &c, p, m, &out, &error));
        if (fabsf(out.position.x - p.x - m.x) > 1e-4f || fabsf(out.position.z - p.z - m.z) > 1e-4f)
            fail_msg("asked %g %g, gone %g %g", (double)m.x, (double)m.z, (double)(out.position.x - p.x), (double)(out.position.z - p.z));
        assert_true(out.ground == VP_CHARACTER_ON_GROUND && fabsf(out.position.y - p.y) < 2 * skin);
        assert_true(out.remaining <= (world == &only_blocks && is_box ? 1e-5f : 0.0f)); /* vp_block_move's positions are rounded */
        assert_true(world->reader == NULL || (out.floor.obstacle == VP_CHARACTER_TERRAIN && out.floor.material >= 2));
    }
}

/* After it has come down, without motion and under gravity it stays to the bit. @return whether it stands */
static bool rests(const vp_character_world *world, const vp_character *c, vp_vec3 from, uint32_t times)
{
    vp_character_result out = {.position = from};
    for (int k = 0; k < 300; k++)
        assert_ok(vp_character_move(world, c, out.position, (vp_vec3){0, -0.1f, 0}, &out, &error));
    const vp_vec3 start = out.position;
    const bool stands = out.ground == VP_CHARACTER_ON_GROUND;
    for (uint32_t k = 0; k < times && stands; k++) {
        assert_ok(vp_character_move(world, c, out.position, (vp_vec3){0, k % 2 == 0 ? 0.0f : -0.01f, 0}, &out, &error));
        assert_memory_equal(&out.position, &start, sizeof start);
    }
    return stands;
}

static void floors(void **state)
{
    const uint32_t walkers = moves / 250 > 4 ? moves / 250 : 4;
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.3f, 0.9f, 0.4f}), capsule = vp_collide_capsule(0.4f, 0.5f);
    (void)state;
    vp_random r = {23};
    manifold_world s;
    open_scene(&s, flat, (vp_ivec3){3, 2, 3}, NULL);
    const vp_character_world terrain = {.reader = &s.reader};
    fill(0);
    for (uint32_t i = 0; i < walkers; i++) {
        walk_on_floor(&r, &terrain, i % 2 == 0, (vp_vec3){23, 14, 23}, 14);
        if (i < 12)
            walk_on_floor(&r, i % 3 == 1 ? &with_body : &only_blocks, i % 3 > 0, (vp_vec3){0, 3, 0}, 8);
    }
    for (int i = 0; i < 3; i++) {
        const vp_character c = any_character(&r, i > 0 ? &box : &capsule, 0.1f);
        assert_true(rests(i == 1 ? &with_body : &only_blocks, &c, (vp_vec3){0, 3, 0}, moves / 10));
    }
    close_scene(&s);
}

static void rest_on_hills(void **state)
{
    (void)state;
    vp_random r = {13};
    manifold_world s;
    uint32_t rested = 0;
    open_scene(&s, hills, (vp_ivec3){3, 2, 3}, NULL);
    const vp_character_world world = {.reader = &s.reader};
    for (int i = 0; i < 10; i++) {
        const vp_collide_shape shape = any_shape(&r, i % 2 == 0);
        const vp_character c = any_character(&r, &shape, 0.1f);
        rested += rests(&world, &c, (vp_vec3){vp_random_between(&r, 8, 40), 24, vp_random_between(&r, 8, 40)}, moves / 20);
    }
    assert_true(rested > 5);
    close_scene(&s);
}

/* ---- single moves ---- */

/* A character that begins in the ground comes out, or is reported inside and stays. */
static void buried(void **state)
{
    (void)state;
    vp_random r = {14};
    manifold_world s;
    uint32_t out_of = 0, inside = 0;
    open_scene(&s, hills, (vp_ivec3){3, 2, 3}, NULL);
    for (uint32_t i = 0; i < moves / 50; i++) {
        const vp_collide_shape shape = any_shape(&r, i % 2 == 0);
        const vp_character c = any_character(&r, &shape, 0.1f);
        const vp_character_world world = {.reader = &s.reader};
        vp_vec3 normal, p = {vp_random_between(&r, 8, 40), 0, vp_random_between(&r, 8, 40)};
        p.y = surface_at(&s, p.x, p.z, &normal) + vp_random_between(&r, -3.0f, 1.0f);
        vp_character_result out;
        assert_ok(vp_character_move(&world, &c, p, (vp_vec3){0.1f, 0, 0}, &out, &error));
        inside += out.inside, out_of += out.pushed;
        if (out.inside)
            assert_memory_equal(&out.position, &p, sizeof p);
        else
            assert_false(overlaps(&s.reader, &shape, out.position));
        assert_true(out.casts <= VP_CHARACTER_CASTS && !(out.inside && out.pushed));
    }
    print_message("%u came out, %u stayed inside\n", out_of, inside);
    assert_true(out_of > 10 && inside * 4 < out_of);
    close_scene(&s);
}

/* Several steps in a row, on treads that are as short as the steps are high, do not lead farther than one step. */
static void short_treads(void **state)
{
    const vp_collide_shape capsule = vp_collide_capsule(0.3f, 0.6f), box = vp_collide_box((vp_vec3){0.3f, 0.9f, 0.3f});
    (void)state;
    fill(1);
    for (int i = 0; i < 40; i++) {
        const bool is_box = i % 2 == 0;
        const vp_character c = {.shape = is_box ? &box : &capsule, .up = VP_SIDE_Y_HIGH, .step = 1.01f, .slope = 45};
        const vp_vec3 p = {-3.31f, 0.9f + skin, 0.5f}, m = {0.9f + 0.1f * (float)(i / 2), 0, 0};
        vp_character_result out;
        assert_ok(vp_character_move(&with_body, &c, p, m, &out, &error));
        assert_true(out.stepped && length_of(vp_vec3_sub(out.position, p)) <= m.x + c.step + 16 * skin);
    }
}

/* A box that does not stick moves like vp_block_move, bit for bit. */
static void same_as_mover(void **state)
{
    const uint32_t tries = moves > 5000 ? moves : 5000; /* few begin inside a block */
    (void)state;
    vp_random r = {22};
    uint32_t stopped = 0, stepped = 0, inside = 0;
    for (uint32_t i = 0; i < tries; i++) {
        if (i % 200 == 0)
            fill((int)(i / 200) % BLOCK_WORLDS);
        const vp_collide_shape shape = any_shape(&r, true);
        const uint32_t up = i % 5 == 0 ? vp_random_below(&r, VP_SIDE_COUNT) : VP_SIDE_Y_HIGH;
        const vp_character c = {.shape = &shape, .up = up, .step = i % 2 == 0 ? 0.0f : vp_random_between(&r, 0, 1.2f), .slope = 45};
        const vp_block_mover mover = {.half = shape.half, .up = c.up, .step = c.step};
        vp_vec3 p = {vp_random_between(&r, -9, 9), vp_random_between(&r, 0, 6), vp_random_between(&r, -9, 9)};
        if (i % 3 != 0)
            p.y = shape.half.y;
        const vp_vec3 m = {vp_random_between(&r, -2, 2), i % 4 == 0 ? 0.0f : vp_random_between(&r, -1, 1), vp_random_between(&r, -2, 2)};
        vp_character_result out;
        vp_block_move_result right;
        assert_ok(vp_block_move(&view, &mover, p, m, &right, &error));
        assert_ok(vp_character_move(&only_blocks, &c, p, m, &out, &error));
        assert_memory_equal(&out.position, &right.centre, sizeof right.centre);
        assert_true(out.stepped == right.stepped && out.inside == right.inside);
        assert_true((out.ground == VP_CHARACTER_ON_GROUND) == (right.ground != 0) && out.floor.material == right.ground);
        uint32_t sides = 0;
        for (uint32_t k = 0; k < out.hit_count; k++) {
            const vp_vec3 n = out.hit[k].normal;
            sides |= 1u << (n.x != 0 ? n.x > 0 : n.y != 0 ? 2 + (n.y > 0) : 4 + (n.z > 0));
        }
        assert_true(sides == right.sides);
        stopped += right.sides != 0, stepped += right.stepped, inside += right.inside;
    }
    assert_true(stopped > tries / 10 && stepped > 0 && inside > 0);
}

static void refusals(void **state)
{
    (void)state;
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.3f, 0.9f, 0.3f}), none = vp_collide_box((vp_vec3){0.3f, 0.0f, 0.3f});
    vp_character c = {.shape = &box, .up = VP_SIDE_Y_HIGH, .slope = 45};
    const vp_vec3 p = {0, 5, 0};
    vp_character_result out = {.remaining = 7};
    vp_block_view bad = view;
    bad.type_count = 0x10001;
    const vp_character_world broken = {.blocks = &bad};
    assert_refused(vp_character_move(&broken, &c, p, p, &out, &error), VP_E_ARGUMENT, "");
    assert_refused(vp_character_move(&only_blocks, &c, p, (vp_vec3){NAN, 0, 0}, &out, &error), VP_E_ARGUMENT, "motion.x is nan");
    c.shape = &none;
    assert_refused(vp_character_move(&only_blocks, &c, p, p, &out, &error), VP_E_ARGUMENT, "y is 0");
    assert_true(out.remaining == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks_on_blocks), cmocka_unit_test(walks_on_terrain),
                                       cmocka_unit_test(floors),          cmocka_unit_test(rest_on_hills),
                                       cmocka_unit_test(buried),          cmocka_unit_test(same_as_mover),
                                       cmocka_unit_test(short_treads),    cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
