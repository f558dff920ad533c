/* SPDX-License-Identifier: MIT */
/* Moving bodies obey mechanics, whatever the solver. States are the same with any number of threads and any kernels. */
#include <math.h>
#include <stdlib.h>

#include "datasets/hash.h"
#include "datasets/random.h"
#include "host/simulate/simulate.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

enum { STACK_STEPS = IS_DEEP ? 3600 : IS_THIN ? 120 : 600, ROOM_STEPS = IS_DEEP ? 1800 : IS_THIN ? 120 : 400 };
enum { FLOOR = 4, RATE = 60 };

static const double gravity = 10;

/* Digest of all states of hash_of_run, the same for every compiler and machine. */
static const uint64_t STATES = UINT64_C(0x9f1a38474ec7ee24);

/* ---- worlds ---- */

static vp_world *make_world(uint32_t x, uint32_t y, uint32_t z)
{
    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = {x, y, z}}, &world, &error));
    return world;
}

static void fill(vp_world *world, vp_ivec3 low, vp_ivec3 high, uint8_t material)
{
    assert_ok(vp_world_fill_box(world, low, high, (vp_voxel){material, material == VP_AIR ? 0 : 255}, NULL, &error));
}

typedef struct simulate_scene {
    vp_world *world;
    vp_terrain *terrain;
    vp_sim *sim;
} simulate_scene;

/* @param changes of the definition, or NULL. Gravity is 10 and a step takes 1/60 s */
static simulate_scene begin(vp_world *world, const vp_sim_def *changes)
{
    simulate_scene s = {.world = world};
    assert_ok(
        vp_terrain_create(&(vp_terrain_def){.world = world, .kernels = changes != NULL ? changes->kernels : NULL}, &s.terrain, &error));
    vp_sim_def def = {.gravity = gravity, .step = 1.0 / RATE, .water = 1, .friction = 0.6, .substeps = 4};
    if (changes != NULL) {
        def.restless = changes->restless;
        def.reuse = changes->reuse;
        def.kernels = changes->kernels;
        def.executor = changes->executor;
    }
    def.terrain = s.terrain;
    assert_ok(vp_sim_create(&def, &s.sim, &error));
    return s;
}

static void end(simulate_scene *s)
{
    vp_sim_destroy(s->sim);
    vp_terrain_destroy(s->terrain);
    vp_world_destroy(s->world);
}

static simulate_scene begin_floor(uint32_t x, uint32_t z, const vp_sim_def *changes)
{
    vp_world *world = make_world(x, 32, z);
    fill(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){(int32_t)x, FLOOR, (int32_t)z}, VP_FIRST_SOLID);
    return begin(world, changes);
}

static vp_sim_body_def body_at(vp_collide_shape shape, double x, double y, double z)
{
    return (vp_sim_body_def){.shape = shape, .position = {x, y, z}, .rotation = {0, 0, 0, 1}, .density = 1, .friction = 0.6};
}

static vp_sim_body_def box_at(float side, double x, double y, double z)
{
    return body_at(vp_collide_box((vp_vec3){side / 2, side / 2, side / 2}), x, y, z);
}

static uint32_t add(simulate_scene *s, const vp_sim_body_def *def)
{
    uint32_t number = UINT32_MAX;
    assert_ok(vp_sim_add(s->sim, def, &number, &error));
    return number;
}

static bool cuts;       /* whether steps are cut into as many pieces as possible */
static uint32_t pieces; /* of all these steps */

static void step(simulate_scene *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool ended = false;
        for (; cuts && !ended; pieces++) {
            assert_ok(vp_sim_advance(s->sim, 0, &ended, &error));
            assert_true(ended != vp_sim_is_in_step(s->sim));
        }
        if (!cuts)
            assert_ok(vp_sim_step(s->sim, &error));
    }
}

/* ---- rest ---- */

static void expect_stack(double reuse)
{
    simulate_scene s = begin_floor(32, 32, &(vp_sim_def){.restless = true, .reuse = reuse});
    for (int i = 0; i < 10; i++) {
        const vp_sim_body_def def = box_at(1, 16.3, FLOOR + 0.5 + i, 16.3);
        add(&s, &def);
    }
    step(&s, STACK_STEPS);
    for (uint32_t i = 0; i < 10; i++) {
        const vp_sim_body b = vp_sim_body_of(s.sim, i);
        const double below = FLOOR + 0.5 + i - b.position[1]; /* each contact overlaps by a part of the slop */
        if (fabs(b.position[0] - 16.3) + fabs(b.position[2] - 16.3) > 0.05 || below < 0 || below > 0.01 * (i + 1))
            fail_msg("crate %u is at (%g, %g, %g)", i, b.position[0], b.position[1], b.position[2]);
    }
    end(&s);
}

/* With exact contacts, and with reused ones. */
TEST(test_stack)
{
    expect_stack(0);
    expect_stack(0.01);
}

TEST(test_sleep)
{
    simulate_scene s = begin_floor(16, 16, NULL);
    const vp_sim_body_def def = box_at(1, 8.2, FLOOR + 0.6, 8.1);
    add(&s, &def);
    assert_true(vp_sim_body_of(s.sim, 0).awake);
    step(&s, 2 * RATE);
    const vp_sim_body b = vp_sim_body_of(s.sim, 0);
    assert_false(b.awake);
    assert_true(fabs(b.position[1] - (FLOOR + 0.5)) < 0.01);
    /* It wakes if a body falls on it or the ground near it is dug, but not if ground far away is dug. */
    vp_sim_edited edited;
    vp_sim_edit dig = {.centre = {1, FLOOR, 1}, .radius = 1};
    assert_ok(vp_sim_edit_terrain(s.sim, &dig, &edited, &error));
    assert_int_equal(edited.woken, 0);
    dig.centre = (vp_vec3){8, FLOOR, 9};
    assert_ok(vp_sim_edit_terrain(s.sim, &dig, &edited, &error));
    assert_int_equal(edited.woken, 1);
    step(&s, 3 * RATE);
    assert_false(vp_sim_body_of(s.sim, 0).awake);
    const vp_sim_body_def ball = body_at(vp_collide_sphere(0.5f), 8.2, FLOOR + 3, 8.1);
    add(&s, &ball);
    bool woke = false;
    for (int i = 0; i < 2 * RATE && !woke; i++) {
        step(&s, 1);
        woke = vp_sim_body_of(s.sim, 0).awake;
    }
    assert_true(woke);
    end(&s);
}

/* ---- motion with a known solution ---- */

TEST(test_rolling)
{
    simulate_scene s = begin_floor(128, 16, NULL);
    vp_sim_body_def def = body_at(vp_collide_sphere(0.5f), 10, FLOOR + 0.5, 8.37);
    def.velocity[0] = 10;
    def.spin[2] = -20;
    add(&s, &def);
    double y = 0;
    for (int i = 0; i < 605; i++) {
        step(&s, 1);
        const vp_sim_body b = vp_sim_body_of(s.sim, 0);
        if (fabs(b.position[2] - 8.37) > 1e-3)
            fail_msg("at x %g the sphere is %g off its line", b.position[0], b.position[2] - 8.37);
        assert_true(i < 60 || fabs(b.position[1] - y) < 1e-3); /* no bump */
        y = b.position[1];
    }
    const vp_sim_body b = vp_sim_body_of(s.sim, 0);
    assert_true(b.position[0] > 110 && fabs(b.velocity[0] - 10) < 0.1);
    end(&s);
}

/* A box that slides stops after v^2/(2 mu g). */
TEST(test_friction)
{
    simulate_scene s = begin_floor(64, 16, NULL);
    vp_sim_body_def def = body_at(vp_collide_box((vp_vec3){1, 0.25f, 1}), 8, FLOOR + 0.245, 8);
    def.velocity[0] = 8;
    def.friction = 0.15; /* the geometric mean with the ground's 0.6 is 0.3 */
    add(&s, &def);
    step(&s, 4 * RATE);
    const double way = vp_sim_body_of(s.sim, 0).position[0] - 8, expected = 64 / (2 * 0.3 * gravity);
    if (fabs(way - expected) > 0.03 * expected)
        fail_msg("the box slides %g voxels, not %g", way, expected);
    end(&s);
}

/* A ball bounces to the square of its coefficient times the height. */
TEST(test_bounce)
{
    simulate_scene s = begin_floor(16, 16, &(vp_sim_def){.restless = true});
    vp_sim_body_def def = body_at(vp_collide_sphere(0.5f), 8, FLOOR + 0.5 + 4, 8);
    def.restitution = 0.7;
    add(&s, &def);
    double highest = 0;
    bool down = true;
    for (int i = 0; i < 3 * RATE; i++) {
        step(&s, 1);
        const vp_sim_body b = vp_sim_body_of(s.sim, 0);
        if (down && b.velocity[1] > 1)
            down = false;
        else if (!down && b.velocity[1] < 0)
            break;
        if (!down)
            highest = fmax(highest, b.position[1] - 0.5 - FLOOR);
    }
    if (fabs(highest - 0.49 * 4) > 0.1)
        fail_msg("the ball bounces to %g, not %g", highest, 0.49 * 4);
    end(&s);
}

/* q v q* for a unit quaternion, or q* v q if `inverse` */
static void rotate(const double q[4], bool inverse, const double v[3], double out[3])
{
    const double s = inverse ? -1 : 1, x = s * q[0], y = s * q[1], z = s * q[2], w = q[3];
    const double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
    out[0] = v[0] + w * t[0] + (y * t[2] - z * t[1]);
    out[1] = v[1] + w * t[1] + (z * t[0] - x * t[2]);
    out[2] = v[2] + w * t[2] + (x * t[1] - y * t[0]);
}

/* A tumbling box keeps its angular momentum and gains no energy. The moments of a box of mass 1 have a closed form. */
TEST(test_tumbling)
{
    vp_sim *sim;
    uint32_t number;
    assert_ok(vp_sim_create(&(vp_sim_def){.step = 1.0 / RATE, .substeps = 4}, &sim, &error));
    vp_sim_body_def def = body_at(vp_collide_box((vp_vec3){0.5f, 1, 0.25f}), 0, 0, 0);
    const double moment[3] = {(4 + 0.25) / 12, (1 + 0.25) / 12, (1 + 4.0) / 12}, spin[3] = {0.3, 0.2, 3};
    memcpy(def.spin, (const double[]){spin[0], spin[1] + 2, spin[2]}, sizeof def.spin);
    assert_ok(vp_sim_add(sim, &def, &number, &error));
    double first[3] = {0}, energy = 0;
    for (int i = 0; i <= 2 * RATE; i++) {
        const vp_sim_body b = vp_sim_body_of(sim, 0);
        double w[3], l[3], momentum[3], now = 0, off = 0, whole = 0;
        rotate(b.rotation, true, b.spin, w);
        for (int k = 0; k < 3; k++) {
            l[k] = moment[k] * w[k];
            now += l[k] * w[k];
        }
        rotate(b.rotation, false, l, momentum);
        for (int k = 0; k < 3; k++) {
            first[k] = i == 0 ? momentum[k] : first[k];
            off += (momentum[k] - first[k]) * (momentum[k] - first[k]);
            whole += first[k] * first[k];
        }
        if (off > 0.03 * 0.03 * whole || (i > 0 && now > energy * (1 + 1e-9)))
            fail_msg("step %d: the angular momentum is %g off, the energy %.12g after %.12g", i, sqrt(off / whole), now, energy);
        energy = now;
        assert_ok(vp_sim_step(sim, &error));
    }
    vp_sim_destroy(sim);
}

/* A body that starts in the ground is pushed out of it without a jump. */
TEST(test_overlap)
{
    simulate_scene s = begin_floor(16, 16, NULL);
    const vp_sim_body_def def = box_at(1, 8.2, FLOOR + 0.2, 8.1);
    add(&s, &def);
    for (int i = 0; i < RATE; i++) {
        step(&s, 1);
        assert_true(vp_sim_body_of(s.sim, 0).position[1] < FLOOR + 0.502);
    }
    assert_true(vp_sim_body_of(s.sim, 0).position[1] > FLOOR + 0.49);
    end(&s);
}

/* Small fast balls do not pass through a floor of one voxel. */
TEST(test_fast)
{
    vp_world *world = make_world(16, 32, 16);
    fill(world, (vp_ivec3){0, 8, 0}, (vp_ivec3){16, 9, 16}, VP_FIRST_SOLID);
    simulate_scene s = begin(world, NULL);
    for (int i = 0; i < 8; i++) {
        vp_sim_body_def def = body_at(vp_collide_sphere(0.1f), 4 + i, 20 + 0.13 * i, 8);
        def.velocity[1] = -55;
        add(&s, &def);
    }
    step(&s, RATE);
    for (uint32_t i = 0; i < 8; i++)
        if (fabs(vp_sim_body_of(s.sim, i).position[1] - 9.1) > 0.02)
            fail_msg("ball %u is at y %g", i, vp_sim_body_of(s.sim, i).position[1]);
    end(&s);
}

/* Terrain is open at its world's low sides, so that only pushing out keeps bodies from entering there. */
TEST(test_low_sides)
{
    simulate_scene s = begin_floor(32, 32, NULL);
    for (int axis = 0; axis < 3; axis += 2) {
        vp_sim_body_def def = body_at(vp_collide_sphere(0.5f), 16, FLOOR - 2, 16);
        def.position[axis] = -0.7;
        def.velocity[axis] = 3;
        const uint32_t ball = add(&s, &def);
        step(&s, 20);
        assert_true(vp_sim_body_of(s.sim, ball).position[axis] < 0.1);
    }
    end(&s);
}

/* A body of half the water's density floats at half its depth, by Archimedes. */
TEST(test_floating)
{
    vp_world *world = make_world(24, 24, 24);
    fill(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){24, 12, 24}, VP_FIRST_SOLID);
    fill(world, (vp_ivec3){1, 2, 1}, (vp_ivec3){23, 12, 23}, VP_WATER);
    simulate_scene s = begin(world, &(vp_sim_def){.restless = true});
    vp_sim_body_def def = body_at(vp_collide_box((vp_vec3){2, 0.5f, 2}), 12.3, 13, 11.8);
    def.density = 0.5;
    add(&s, &def);
    vp_sim_body_def stone = body_at(vp_collide_sphere(0.5f), 4.5, 11, 4.5);
    stone.density = 2;
    add(&s, &stone);
    step(&s, 15 * RATE);
    const vp_sim_body b = vp_sim_body_of(s.sim, 0), sunk = vp_sim_body_of(s.sim, 1);
    if (fabs(b.position[1] - 12) > 0.01 || fabs(b.submerged - 8) > 0.16)
        fail_msg("the box floats at y %.4f, with %.4f of 16 voxels in water", b.position[1], b.submerged);
    assert_true(fabs(sunk.position[1] - 2.5) < 0.02);
    end(&s);
}

/* ---- conservation ---- */

static vp_collide_shape random_shape(vp_random *r)
{
    const float a = vp_random_between(r, 0.3f, 0.7f), b = vp_random_between(r, 0.3f, 0.7f), c = vp_random_between(r, 0.3f, 0.7f);
    switch (vp_random_below(r, 4)) {
    case 0:
        return vp_collide_sphere(a);
    case 1:
        return vp_collide_capsule(a, b);
    case 2:
        return vp_collide_cylinder(a, b);
    default:
        return vp_collide_box((vp_vec3){a, b, c});
    }
}

/* Draws in a fixed order, because C does not specify the order of arguments. */
static vp_sim_body_def random_body(vp_random *r, float low, float high, float y)
{
    const vp_collide_shape shape = random_shape(r);
    const double x = (double)vp_random_between(r, low, high), z = (double)vp_random_between(r, low, high);
    vp_sim_body_def def = body_at(shape, x, (double)y, z);
    float q[4];
    vp_random_rotation(r, q);
    for (int i = 0; i < 4; i++)
        def.rotation[i] = (double)q[i];
    def.rolling = 0.02;
    return def;
}

/* In a closed room bodies only lose energy. Pushing out of overlaps and rounding add less than a thousandth of it. */
TEST(test_energy)
{
    vp_random r = {7};
    vp_world *world = make_world(24, 32, 24);
    fill(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){24, 32, 24}, VP_FIRST_SOLID);
    fill(world, (vp_ivec3){4, FLOOR, 4}, (vp_ivec3){20, 32, 20}, VP_AIR);
    simulate_scene s = begin(world, NULL);
    for (int i = 0; i < 16; i++) {
        vp_sim_body_def def = random_body(&r, 6, 18, 6 + 0.8f * (float)i);
        def.restitution = (double)(i % 3) * 0.4;
        def.velocity[0] = (double)vp_random_between(&r, -8, 8);
        def.velocity[2] = (double)vp_random_between(&r, -8, 8);
        add(&s, &def);
    }
    double energy = 0, first = 0;
    for (int i = 0; i < ROOM_STEPS; i++) {
        step(&s, 1);
        const double now = vp_sim_stats_of(s.sim)->energy;
        if (i == 0)
            first = now;
        else if (now > energy + 1e-3 * first)
            fail_msg("step %d: the energy grows from %.9g to %.9g", i, energy, now);
        energy = now;
    }
    assert_true(energy < 0.8 * first);
    assert_int_equal(vp_sim_stats_of(s.sim)->lost, 0);
    end(&s);
}

/* A slab of known mass falls as one piece when its pillar is dug away, and loses no voxel. */
TEST(test_loose_region)
{
    simulate_scene s = begin_floor(32, 32, NULL);
    vp_sim_edited edited;
    vp_sim_edit e = {.is_box = true, .low = {14, FLOOR, 14}, .high = {17, FLOOR + 2, 17}, .voxel = {3, 255}};
    const vp_sim_edit dig = {.is_box = true, .low = {13, FLOOR, 13}, .high = {18, FLOOR + 2, 18}};
    assert_ok(vp_sim_edit_terrain(s.sim, &e, &edited, &error));
    e = (vp_sim_edit){.is_box = true, .low = {12, FLOOR + 2, 12}, .high = {19, FLOOR + 5, 19}, .voxel = {3, 255}};
    assert_ok(vp_sim_edit_terrain(s.sim, &e, &edited, &error));
    assert_int_equal(edited.regions, 0);
    assert_ok(vp_sim_edit_terrain(s.sim, &dig, &edited, &error));
    assert_int_equal(edited.regions, 1);
    assert_int_equal(edited.voxels, 7 * 7 * 3);
    assert_int_equal(vp_sim_body_count(s.sim), 1);
    const vp_sim_body before = vp_sim_body_of(s.sim, 0);
    assert_true(before.mass == 147 && fabs(before.position[0] - 15.5) < 1e-9 && fabs(before.position[1] - (FLOOR + 3.5)) < 1e-9);
    step(&s, 3 * RATE);
    const vp_sim_body b = vp_sim_body_of(s.sim, 0);
    if (fabs(b.position[1] - (FLOOR + 1.5)) > 0.02 || b.awake)
        fail_msg("the slab is at y %g and %s", b.position[1], b.awake ? "awake" : "asleep");
    end(&s);
}

/* One edit cuts three columns. Two tops become bodies, and the third crumbles, because its voxels are less than half full. */
TEST(test_three_regions)
{
    static const struct {
        int32_t x;
        uint8_t occupancy;
    } column[] = {{4, 255}, {7, 100}, {10, 255}};
    simulate_scene s = begin_floor(16, 16, NULL);
    vp_sim_edited edited;
    for (int i = 0; i < 3; i++) {
        const int32_t x = column[i].x;
        const vp_sim_edit e = {.is_box = true, .low = {x, FLOOR, 4}, .high = {x + 1, FLOOR + 6, 5}, .voxel = {3, column[i].occupancy}};
        assert_ok(vp_sim_edit_terrain(s.sim, &e, &edited, &error));
    }
    const vp_sim_edit dig = {.is_box = true, .low = {0, FLOOR + 2, 0}, .high = {16, FLOOR + 3, 16}};
    assert_ok(vp_sim_edit_terrain(s.sim, &dig, &edited, &error));
    assert_int_equal(edited.regions, 2);
    assert_int_equal(edited.voxels, 2 * 3);
    assert_int_equal(edited.crumbled, 3);
    assert_int_equal(vp_sim_body_count(s.sim), 2);
    end(&s);
}

/* ---- equal states ---- */

static uint64_t hash_of_run(const vp_executor *executor, const vp_kernels *kernels, double reuse)
{
    vp_random r = {11};
    vp_hasher hasher;
    vp_world *world = make_world(32, 32, 32);
    fill(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, 6, 32}, VP_FIRST_SOLID);
    fill(world, (vp_ivec3){18, 3, 4}, (vp_ivec3){28, 6, 28}, VP_WATER);
    fill(world, (vp_ivec3){6, 6, 6}, (vp_ivec3){9, 14, 9}, 3);
    simulate_scene s = begin(world, &(vp_sim_def){.executor = executor, .kernels = kernels, .reuse = reuse});
    for (int i = 0; i < 20; i++) {
        vp_sim_body_def def = random_body(&r, 5, 27, 8 + 0.4f * (float)i);
        def.density = 0.5 + 0.1 * i;
        add(&s, &def);
    }
    vp_hash_begin(&hasher);
    for (int i = 0; i < 150; i++) {
        double numbers[32 * VP_SIM_STATE_DOUBLES];
        if (i == 60) {
            vp_sim_edited edited;
            assert_ok(vp_sim_edit_terrain(s.sim, &(vp_sim_edit){.centre = {7.5f, 7, 7.5f}, .radius = 2.5f}, &edited, &error));
            assert_int_equal(edited.regions, 1);
        }
        step(&s, 1);
        vp_sim_state(s.sim, numbers);
        vp_hash_longs(&hasher, numbers, (size_t)vp_sim_body_count(s.sim) * VP_SIM_STATE_DOUBLES);
    }
    end(&s);
    return vp_hash_end(&hasher);
}

TEST(test_equal_states)
{
    const uint64_t hash = hash_of_run(NULL, NULL, 0);
    if (hash != STATES)
        fail_msg("the states have the digest %016llx", (unsigned long long)hash);
    vp_kernels scalar;
    assert_ok(vp_kernels_named("scalar", &scalar, &error));
    assert_true(hash_of_run(NULL, &scalar, 0) == hash);
    const uint64_t reused = hash_of_run(NULL, &scalar, 0.01);
    assert_true(reused != hash);
    static const uint32_t threads[] = {2, TEST_THREADS_MAX};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        const vp_executor executor = test_threads(threads[i]);
        assert_true(hash_of_run(&executor, NULL, 0) == hash);
        assert_true(hash_of_run(&executor, NULL, 0.01) == reused);
    }
    cuts = true;
    assert_true(hash_of_run(NULL, NULL, 0) == hash && hash_of_run(NULL, NULL, 0.01) == reused);
    cuts = false;
    assert_true(pieces > 2 * 150 * 9); /* 20 bodies are two pieces of at least one part */
}

/* ---- refusals ---- */

TEST(test_refusals)
{
    vp_sim *sim = NULL;
    uint32_t number = 7;
    const vp_sim_def good = {.gravity = 10, .step = 1.0 / 60, .substeps = 4};
    vp_sim_def def = good;
    def.substeps = 0;
    assert_refused(vp_sim_create(&def, &sim, &error), VP_E_ARGUMENT, "substeps is 0");
    def = good;
    def.step = NAN;
    assert_refused(vp_sim_create(&def, &sim, &error), VP_E_ARGUMENT, "step is nan");
    def = good;
    def.gravity = -1;
    assert_refused(vp_sim_create(&def, &sim, &error), VP_E_ARGUMENT, "gravity is -1");
    assert_null(sim);
    assert_ok(vp_sim_create(&good, &sim, &error));
    vp_sim_body_def body = box_at(1, 0, 0, 0);
    body.density = 0;
    assert_refused(vp_sim_add(sim, &body, &number, &error), VP_E_ARGUMENT, "density is 0");
    body = box_at(1, 0, INFINITY, 0);
    assert_refused(vp_sim_add(sim, &body, &number, &error), VP_E_ARGUMENT, "position is inf");
    body = box_at(1, 0, 0, 0);
    body.rotation[3] = 0;
    assert_refused(vp_sim_add(sim, &body, &number, &error), VP_E_ARGUMENT, "rotation");
    body = body_at(vp_collide_box((vp_vec3){1, 0, 1}), 0, 0, 0);
    assert_refused(vp_sim_add(sim, &body, &number, &error), VP_E_ARGUMENT, "no volume");
    body = body_at(vp_collide_sphere(-1), 0, 0, 0);
    assert_refused(vp_sim_add(sim, &body, &number, &error), VP_E_ARGUMENT, "-1");
    vp_sim_edited edited;
    assert_refused(vp_sim_edit_terrain(sim, &(vp_sim_edit){.radius = 1}, &edited, &error), VP_E_ARGUMENT, "no terrain");
    assert_int_equal(number, 7);
    assert_int_equal(vp_sim_body_count(sim), 0);
    /* A body that falls forever is lost, and the others are not. */
    body = box_at(1, 0, VP_SIM_LOWEST + 0.1, 0);
    assert_ok(vp_sim_add(sim, &body, &number, &error));
    body = box_at(1, 0, 1000, 0);
    assert_ok(vp_sim_add(sim, &body, &number, &error));
    for (int i = 0; i < 60; i++)
        assert_ok(vp_sim_step(sim, &error));
    assert_true(vp_sim_body_of(sim, 0).lost && !vp_sim_body_of(sim, 1).lost);
    assert_int_equal(vp_sim_stats_of(sim)->lost, 1);
    vp_sim_destroy(sim);
    vp_sim_destroy(NULL);
}
