/* SPDX-License-Identifier: MIT */
/* Characters among blocks. Their final places are compared with every cube, for which the distance of an upright capsule or box is a sum
 * of squares. docs/CONTRACT.md: CHR-1, CHR-2, CHR-3, CHR-5, CHR-6, CHR-7
 *
 *   test_character_blocks [MOVES] */
#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "datasets/random.h"
#include "tests/narrowphase/block_scene.h"
#include "tests/support/check.h"

#ifdef TEST_DEEP
static uint32_t moves = 100000;
#elif defined TEST_THIN
static uint32_t moves = 10000 / TEST_THIN / 4;
#else
static uint32_t moves = 10000;
#endif

enum { REACH = 12, WORLDS = 4 };

static const float skin = 0x1p-10f;
/* A body far away. In its presence boxes move by casts. */
static const vp_collide_shape pebble = {.kind = VP_COLLIDE_SPHERE, .radius = 1.0f};
static const vp_manifold_body far_away = {&pebble, {{0.0f, 5000.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}}};
static const vp_character_world only_blocks = {.blocks = &view}, with_body = {.blocks = &view, .body = &far_away, .body_count = 1};

/* 0 = a floor with a wall around it, 1 = stairs up and down, 2 = pillars, tunnels and roofs, 3 = single blocks. */
static void fill(int kind)
{
    vp_random r = {(uint64_t)kind};
    clear_blocks();
    for (int y = -REACH; y < REACH; y++)
        for (int z = -REACH; z < REACH; z++)
            for (int x = -REACH; x < REACH; x++) {
                const bool wall = abs(2 * x + 1) > 2 * REACH - 3 || abs(2 * z + 1) > 2 * REACH - 3;
                const bool inner[WORLDS] = {false, y < 4 - abs(x), (y < 3 && (x + 30) % 4 == 0 && (z + 30) % 3 == 0) || (y == 2 && z > 2),
                                            y < 6 && vp_random_below(&r, 10) == 0};
                *cell_at(x, y, z) = y < 0 || wall || inner[kind] ? 1 + (uint8_t)vp_random_below(&r, 2) : 0;
            }
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

static vp_collide_shape any_shape(vp_random *r, bool is_box)
{
    return is_box ? vp_collide_box(
                        (vp_vec3){vp_random_between(r, 0.2f, 0.6f), vp_random_between(r, 0.4f, 1.2f), vp_random_between(r, 0.2f, 0.6f)})
                  : vp_collide_capsule(vp_random_between(r, 0.2f, 0.6f), vp_random_between(r, 0.0f, 0.8f));
}

static float length_of(vp_vec3 v)
{
    return sqrtf(vp_vec3_dot(v, v));
}

typedef struct figures {
    uint32_t moves, ground, steep, stepped, inside, far, casts;
    double deepest, asked, gone;
} figures;

static void wander(vp_random *r, const vp_character_world *world, bool is_box, uint32_t count, figures *f)
{
    const vp_collide_shape shape = any_shape(r, is_box);
    const vp_character c = {.shape = &shape,
                            .up = VP_SIDE_Y_HIGH,
                            .step = vp_random_below(r, 3) == 0 ? 0.0f : vp_random_between(r, 0.9f, 1.3f),
                            .stick = vp_random_below(r, 3) == 0 ? 0.0f : vp_random_between(r, 0.5f, 1.3f),
                            .slope = vp_random_between(r, 20, 70)};
    vp_vec3 p = {vp_random_between(r, -8, 8), 8, vp_random_between(r, -8, 8)};
    float heading = vp_random_between(r, 0, 6.28f), fall = 0, speed = vp_random_between(r, 0.02f, 0.8f);
    for (uint32_t i = 0; i < count; i++) {
        heading += vp_random_between(r, -0.3f, 0.3f);
        fall -= 0.01f;
        const vp_vec3 m = {speed * cosf(heading), fall, speed * sinf(heading)};
        vp_character_result out;
        assert_ok(vp_character_move(world, &c, p, m, &out, &error));
        const float gone = length_of(vp_vec3_sub(out.position, p));
        f->moves++;
        f->ground += out.ground == VP_CHARACTER_ON_GROUND, f->steep += out.ground == VP_CHARACTER_ON_STEEP;
        f->stepped += out.stepped, f->inside += out.inside || out.pushed;
        f->far += gone > length_of(m) + c.step + c.stick + 16 * skin;
        f->casts = out.casts > f->casts ? out.casts : f->casts;
        f->deepest = fmax(f->deepest, depth_of(&shape, out.position));
        f->asked += (double)speed, f->gone += (double)gone;
        assert_true(out.ground != VP_CHARACTER_ON_GROUND || out.floor.material == 1 || out.floor.material == 2);
        p = out.position;
        fall = out.velocity.y;
        if (out.ground == VP_CHARACTER_ON_GROUND && vp_random_below(r, 40) == 0)
            fall = 0.15f;
        if (vp_random_below(r, 30) == 0)
            heading = vp_random_between(r, 0, 6.28f);
    }
}

static void walks(void **state)
{
    (void)state;
    vp_random r = {21};
    for (int kind = 0; kind < 3; kind++) { /* capsules, boxes by casts, boxes by vp_block_move */
        figures f = {.deepest = -INFINITY};
        for (uint32_t i = 0; f.moves < moves / 3 || i < WORLDS; i++) {
            fill((int)(i % WORLDS));
            wander(&r, kind == 1 ? &with_body : &only_blocks, kind > 0, 250, &f);
        }
        print_message("kind %d: %u moves: %u on ground, %u steep, %u steps, %u inside, %u too far, deepest %g, gone %.2f of asked, "
                      "at most %u casts\n",
                      kind, f.moves, f.ground, f.steep, f.stepped, f.inside, f.far, f.deepest, f.gone / f.asked, f.casts);
        assert_true(f.inside == 0 && f.far == 0 && f.casts <= VP_CHARACTER_CASTS && (f.casts == 0) == (kind == 2));
        assert_true(kind == 2 ? f.deepest <= 0.0 : f.deepest < 0.0);
        assert_true(f.ground > f.moves / 3 && f.stepped > f.moves / 500 && f.gone > 0.4 * f.asked);
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
            fill((int)(i / 200) % WORLDS);
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

/* On a floor nothing stops it across borders of blocks and chunks. At rest it does not drift. */
static void floors(void **state)
{
    (void)state;
    vp_random r = {23};
    fill(0);
    for (int i = 0; i < 12; i++) {
        const vp_collide_shape shape = any_shape(&r, i % 3 > 0);
        const vp_character_world *world = i % 3 == 1 ? &with_body : &only_blocks;
        const vp_character c = {.shape = &shape, .up = VP_SIDE_Y_HIGH, .step = 0.5f, .stick = 0.5f, .slope = 45};
        vp_character_result out = {.position = {0, 3, 0}};
        assert_ok(vp_character_move(world, &c, out.position, (vp_vec3){0, -4, 0}, &out, &error));
        for (int k = 0; k < 60; k++) {
            const vp_vec3 p = out.position;
            vp_vec3 m = {vp_random_between(&r, -2, 2), k % 3 == 0 ? 0.0f : -0.1f, vp_random_between(&r, -2, 2)};
            m.x = fabsf(p.x + m.x) > 8 ? -m.x : m.x, m.z = fabsf(p.z + m.z) > 8 ? -m.z : m.z;
            assert_ok(vp_character_move(world, &c, p, m, &out, &error));
            assert_true(fabsf(out.position.x - p.x - m.x) < 1e-4f && fabsf(out.position.z - p.z - m.z) < 1e-4f);
            assert_true(out.ground == VP_CHARACTER_ON_GROUND && out.remaining == 0.0f && fabsf(out.position.y - p.y) < 2 * skin);
        }
        const vp_vec3 start = out.position;
        for (uint32_t k = 0; k < moves / 10; k++) {
            assert_ok(vp_character_move(world, &c, out.position, (vp_vec3){0, k % 2 == 0 ? 0.0f : -0.01f, 0}, &out, &error));
            assert_memory_equal(&out.position, &start, sizeof start);
        }
    }
}

static void refusals(void **state)
{
    (void)state;
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.3f, 0.9f, 0.3f}), flat = vp_collide_box((vp_vec3){0.3f, 0.0f, 0.3f});
    vp_character c = {.shape = &box, .up = VP_SIDE_Y_HIGH, .slope = 45};
    const vp_vec3 p = {0, 5, 0};
    vp_character_result out = {.remaining = 7};
    vp_block_view bad = view;
    bad.type_count = 0x10001;
    const vp_character_world broken = {.blocks = &bad};
    assert_refused(vp_character_move(&broken, &c, p, p, &out, &error), VP_E_ARGUMENT, "");
    assert_refused(vp_character_move(&only_blocks, &c, p, (vp_vec3){NAN, 0, 0}, &out, &error), VP_E_ARGUMENT, "motion.x is nan");
    c.shape = &flat;
    assert_refused(vp_character_move(&only_blocks, &c, p, p, &out, &error), VP_E_ARGUMENT, "y is 0");
    assert_true(out.remaining == 7);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        moves = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks), cmocka_unit_test(same_as_mover), cmocka_unit_test(floors),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
