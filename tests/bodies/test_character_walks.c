/* SPDX-License-Identifier: MIT */
/* Characters among blocks, and on terrains of hills and of flat ground. A shape that is smaller by a tolerance must not overlap.
 * docs/CONTRACT.md: CHR-1, CHR-2, CHR-3, CHR-5, CHR-6, CHR-7, CHR-8 */
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/block_scene.h"
#include "tests/narrowphase/manifold_scene.h"

static const uint32_t moves = IS_DEEP ? 100000 : IS_THIN ? 10000 / THIN_BY / 4 : 10000;

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

/* Whether the shape overlaps the ground by more than a tolerance of casts. The tested shape is smaller by that. */
static bool overlaps(const vp_character_world *world, const vp_collide_shape *shape, vp_vec3 position)
{
    const float far = vp_max(vp_max(fabsf(position.x), fabsf(position.y)), fabsf(position.z));
    const float tolerance = (far + vp_collide_radius(shape)) * 0x1p-21f;
    vp_collide_shape smaller = *shape;
    smaller.radius -= tolerance;
    smaller.half = vp_vec3_sub(shape->half, (vp_vec3){tolerance, tolerance, tolerance});
    const vp_cast_def def = {.shape = &smaller, .pose = vp_pose_at(position)};
    bool any;
    assert_ok(world->reader != NULL ? vp_overlap_terrain(world->reader, VP_SURFACE_SOLID, &def, &any, &error)
                                    : vp_overlap_blocks(world->blocks, &def, &any, &error));
    return any;
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
        f->overlaps += overlaps(world, &shape, out.position);
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

TEST(walks_on_blocks)
{
    static const char *const name[3] = {"capsules on blocks", "boxes on blocks by casts", "boxes on blocks"};
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

TEST(walks_on_terrain)
{
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

/* ---- single moves ---- */

/* A box that does not stick moves like vp_block_move, bit for bit. */
TEST(same_as_mover)
{
    const uint32_t tries = moves > 5000 ? moves : 5000; /* few begin inside a block */
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
