/* SPDX-License-Identifier: MIT */
/* Random walks of characters over hills, and over flat ground across chunks. The distance kernels check their final
 * places. docs/CONTRACT.md: CHR-1, CHR-2, CHR-3, CHR-8
 *
 *   test_character_terrain [MOVES] */
#include "tests/narrowphase/manifold_scene.h"

#ifdef TEST_DEEP
static uint32_t moves = 100000;
#elif defined TEST_THIN
static uint32_t moves = 10000 / TEST_THIN / 4;
#else
static uint32_t moves = 10000;
#endif

static const float skin = 0x1p-10f;

/* Gentle hills with a few blocks. */
static double meadow(double x, double z)
{
    const bool block = sin(1.3 * x + 0.4) * sin(1.1 * z) > 0.8;
    return 9.0 + 1.2 * sin(0.3 * x + 0.1 * z) + sin(0.35 * z - 0.1 * x) + (block ? 1.0 : 0.0);
}

typedef struct figures {
    uint32_t moves, ground, steep, air, stepped, pushed, inside, overlaps, far, casts, most_casts, rising;
    double asked, gone;
} figures;

/* Whether the shape overlaps by more than a tolerance of casts. The tested shape is smaller by that. */
static bool overlaps(const scene *s, const vp_collide_shape *shape, vp_vec3 position)
{
    const float far = vp_max(vp_max(fabsf(position.x), fabsf(position.y)), fabsf(position.z));
    const float tolerance = (far + vp_collide_radius(shape)) * 0x1p-21f;
    vp_collide_shape smaller = *shape;
    smaller.radius -= tolerance;
    smaller.half = vp_vec3_sub(shape->half, (vp_vec3){tolerance, tolerance, tolerance});
    const vp_cast_def def = {.shape = &smaller, .pose = vp_pose_at(position)};
    bool any;
    assert_ok(vp_overlap_terrain(&s->reader, VP_SURFACE_SOLID, &def, &any, &error));
    return any;
}

static float length_of(vp_vec3 v)
{
    return sqrtf(vp_vec3_dot(v, v));
}

static vp_character any_character(vp_random *r, vp_collide_shape *shape)
{
    const bool is_box = vp_random_below(r, 2) == 0;
    *shape = is_box ? vp_collide_box(
                          (vp_vec3){vp_random_between(r, 0.2f, 0.8f), vp_random_between(r, 0.4f, 1.5f), vp_random_between(r, 0.2f, 0.8f)})
                    : vp_collide_capsule(vp_random_between(r, 0.2f, 0.8f), vp_random_between(r, 0.0f, 1.0f));
    return (vp_character){.shape = shape,
                          .up = VP_SIDE_Y_HIGH,
                          .step = vp_random_below(r, 4) == 0 ? 0.0f : vp_random_between(r, 0.1f, 1.2f),
                          .stick = vp_random_below(r, 4) == 0 ? 0.0f : vp_random_between(r, 0.1f, 1.0f),
                          .slope = vp_random_between(r, 35, 70)};
}

/* One character walks, jumps and falls for a while. */
static void wander(const scene *s, vp_random *r, uint32_t count, figures *f)
{
    vp_collide_shape shape;
    vp_character c = any_character(r, &shape);
    vp_character_world world = {.reader = &s->reader};
    vp_vec3 p = {vp_random_between(r, 8, 40), 24, vp_random_between(r, 8, 40)};
    float heading = vp_random_between(r, 0, 6.28f), fall = 0, speed = vp_random_between(r, 0.02f, 0.5f);
    for (uint32_t i = 0; i < count; i++) {
        if (p.x < 6 || p.x > 42 || p.z < 6 || p.z > 42)
            heading = atan2f(24 - p.z, 24 - p.x);
        heading += vp_random_between(r, -0.2f, 0.2f);
        fall -= 0.01f;
        assert_true(p.y > 2); /* it did not fall out of the world */
        const vp_vec3 m = {speed * cosf(heading), fall, speed * sinf(heading)};
        vp_character_result out, again;
        assert_ok(vp_character_move(&world, &c, p, m, &out, &error));
        if (i % 16 == 0) {
            assert_ok(vp_character_move(&world, &c, p, m, &again, &error));
            assert_memory_equal(&out.position, &again.position, sizeof out.position);
        }
        const float gone = length_of(vp_vec3_sub(out.position, p));
        f->moves++;
        f->ground += out.ground == VP_CHARACTER_ON_GROUND, f->steep += out.ground == VP_CHARACTER_ON_STEEP;
        f->air += out.ground == VP_CHARACTER_IN_AIR;
        f->stepped += out.stepped, f->pushed += out.pushed, f->inside += out.inside;
        f->overlaps += overlaps(s, &shape, out.position);
        f->far += !out.pushed && gone > length_of(m) + c.step + c.stick + 16 * skin;
        f->casts += out.casts, f->most_casts = out.casts > f->most_casts ? out.casts : f->most_casts;
        f->rising += out.ground == VP_CHARACTER_ON_GROUND && (double)out.floor.normal.y < cos((double)c.slope * 3.14159265 / 180) - 2e-5;
        f->asked += (double)speed, f->gone += (double)gone;
        p = out.position;
        fall = out.velocity.y;
        if (out.ground == VP_CHARACTER_ON_GROUND && vp_random_below(r, 200) == 0)
            fall = 0.2f;
    }
}

static void walks(void **state)
{
    (void)state;
    vp_random r = {11};
    scene s;
    figures f = {.moves = 0};
    for (int kind = 0; kind < 2; kind++) {
        open_scene(&s, kind == 0 ? meadow : hills, (vp_ivec3){3, 2, 3}, NULL);
        for (uint32_t begin_at = f.moves; f.moves - begin_at < moves / 2;)
            wander(&s, &r, 250, &f);
        close_scene(&s);
    }
    print_message(
        "%u moves: %u on ground, %u steep, %u in air, %u steps, %u pushed, %u inside, %u overlap, %u too far, gone %.2f of asked, "
        "%.1f casts, at most %u\n",
        f.moves, f.ground, f.steep, f.air, f.stepped, f.pushed, f.inside, f.overlaps, f.far, f.gone / f.asked, (double)f.casts / f.moves,
        f.most_casts);
    assert_true(f.overlaps == 0 && f.inside == 0 && f.far == 0 && f.pushed == 0 && f.rising == 0 && f.most_casts <= VP_CHARACTER_CASTS);
    assert_true(f.ground > f.moves / 3 && f.steep > f.moves / 500 && f.air > f.moves / 100 && f.stepped > f.moves / 500);
    assert_true(f.gone > 0.4 * f.asked);
}

/* On flat ground nothing stops it at edges of triangles and chunks. */
static void flat_ground(void **state)
{
    (void)state;
    vp_random r = {12};
    scene s;
    open_scene(&s, flat, (vp_ivec3){3, 2, 3}, NULL);
    const uint32_t walkers = moves / 250 > 4 ? moves / 250 : 4;
    for (uint32_t i = 0; i < walkers; i++) {
        vp_collide_shape shape;
        const vp_character c = any_character(&r, &shape);
        const vp_character_world world = {.reader = &s.reader};
        vp_vec3 p = {20, 14, 20};
        vp_character_result out;
        assert_ok(vp_character_move(&world, &c, p, (vp_vec3){0, -9, 0}, &out, &error));
        p = out.position;
        for (int k = 0; k < 50; k++) {
            const float speed = vp_random_between(&r, 0.01f, 2.0f), heading = vp_random_between(&r, 0, 6.28f);
            vp_vec3 m = {speed * cosf(heading), k % 3 == 0 ? 0.0f : -0.1f, speed * sinf(heading)};
            m.x = fabsf(p.x + m.x - 23) > 14 ? -m.x : m.x, m.z = fabsf(p.z + m.z - 23) > 14 ? -m.z : m.z;
            assert_ok(vp_character_move(&world, &c, p, m, &out, &error));
            if (fabsf(out.position.x - p.x - m.x) > 1e-4f || fabsf(out.position.z - p.z - m.z) > 1e-4f)
                fail_msg("asked %g %g, gone %g %g", (double)m.x, (double)m.z, (double)(out.position.x - p.x),
                         (double)(out.position.z - p.z));
            assert_true(out.ground == VP_CHARACTER_ON_GROUND && out.remaining == 0.0f && out.floor.material >= 2 &&
                        fabsf(out.position.y - p.y) < 2 * skin && out.floor.obstacle == VP_CHARACTER_TERRAIN);
            p = out.position;
        }
    }
    close_scene(&s);
}

/* A long rest on hills under gravity. */
static void rest(void **state)
{
    (void)state;
    vp_random r = {13};
    scene s;
    uint32_t rested = 0;
    open_scene(&s, hills, (vp_ivec3){3, 2, 3}, NULL);
    for (int i = 0; i < 10; i++) {
        vp_collide_shape shape;
        const vp_character c = any_character(&r, &shape);
        const vp_character_world world = {.reader = &s.reader};
        vp_character_result out = {.position = {vp_random_between(&r, 8, 40), 24, vp_random_between(&r, 8, 40)}};
        for (int k = 0; k < 300; k++)
            assert_ok(vp_character_move(&world, &c, out.position, (vp_vec3){0, -0.1f, 0}, &out, &error));
        if (out.ground != VP_CHARACTER_ON_GROUND)
            continue;
        const vp_vec3 start = out.position;
        rested++;
        for (uint32_t k = 0; k < moves / 20; k++) {
            assert_ok(vp_character_move(&world, &c, out.position, (vp_vec3){0, k % 2 == 0 ? 0.0f : -0.01f, 0}, &out, &error));
            assert_memory_equal(&out.position, &start, sizeof start);
        }
    }
    assert_true(rested > 5);
    close_scene(&s);
}

/* A character that begins in the ground comes out, or is reported inside and stays. */
static void buried(void **state)
{
    (void)state;
    vp_random r = {14};
    scene s;
    uint32_t out_of = 0, inside = 0;
    open_scene(&s, hills, (vp_ivec3){3, 2, 3}, NULL);
    for (uint32_t i = 0; i < moves / 50; i++) {
        vp_collide_shape shape;
        const vp_character c = any_character(&r, &shape);
        const vp_character_world world = {.reader = &s.reader};
        vp_vec3 normal, p = {vp_random_between(&r, 8, 40), 0, vp_random_between(&r, 8, 40)};
        p.y = surface_at(&s, p.x, p.z, &normal) + vp_random_between(&r, -3.0f, 1.0f);
        vp_character_result out;
        assert_ok(vp_character_move(&world, &c, p, (vp_vec3){0.1f, 0, 0}, &out, &error));
        inside += out.inside, out_of += out.pushed;
        if (out.inside)
            assert_memory_equal(&out.position, &p, sizeof p);
        else
            assert_false(overlaps(&s, &shape, out.position));
        assert_true(out.casts <= VP_CHARACTER_CASTS && !(out.inside && out.pushed));
    }
    print_message("%u came out, %u stayed inside\n", out_of, inside);
    assert_true(out_of > 10 && inside * 4 < out_of);
    close_scene(&s);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        moves = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks), cmocka_unit_test(flat_ground), cmocka_unit_test(rest),
                                       cmocka_unit_test(buried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
