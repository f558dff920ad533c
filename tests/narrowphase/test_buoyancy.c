/* SPDX-License-Identifier: MIT */
/* Submerged parts of shapes, against many vertical lines at other places than the library's, and against thin slices. Two properties
 * hold for any shape. The volume has no jumps, and parts add up. */
#include "cases/narrowphase/buoyancy.h"
#include "cases/narrowphase/shapes.h"
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { POSES = 12, SINKINGS = 6 };
#else
enum { POSES = 60, SINKINGS = 36 };
#endif
enum { LINES = 60000, LINES_OF_PART = 5000 };

#define PI 3.14159265358979323846

/* ---- shapes ---- */

static vp_body_shape bodies[2];

static int make_hulls(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_ok(vp_body_shape_create(k == 0 ? VP_BODY_HULL16 : VP_BODY_HULL64, 2.0f, NULL, &bodies[k], &error));
    return 0;
}

static int free_hulls(void **state)
{
    (void)state;
    vp_body_shape_destroy(&bodies[0]);
    vp_body_shape_destroy(&bodies[1]);
    return 0;
}

/* Hulls have one size. */
static vp_collide_shape shape_of(int kind, float size)
{
    const vp_collide_shape all[] = {vp_collide_sphere(size),
                                    vp_collide_capsule(0.6f * size, size),
                                    vp_collide_box((vp_vec3){0.8f * size, 0.6f * size, size}),
                                    vp_collide_cylinder(0.8f * size, 0.7f * size),
                                    bodies[0].shape,
                                    bodies[1].shape};
    return all[kind];
}

/* Any rotation, one for which a root or a quotient is 0, or one near those, so that sides are steep. */
static vp_pose random_pose(vp_random *r, float low, float high)
{
    static const float right[][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 1, 1, 1}, {0, 0.3826834f, 0, 0.9238795f}};
    vp_pose pose = {{vp_random_between(r, low, high), vp_random_between(r, low, high), vp_random_between(r, low, high)}, {0, 0, 0, 0}};
    if (vp_random_below(r, 2) == 0) {
        const float by = vp_random_below(r, 2) == 0 ? 0.0f : vp_random_between(r, 0.0f, 0.1f);
        memcpy(pose.rotation, right[vp_random_below(r, 6)], sizeof pose.rotation);
        for (int i = 0; i < 4; i++)
            pose.rotation[i] += vp_random_between(r, -by, by);
    } else {
        do {
            for (int i = 0; i < 4; i++)
                pose.rotation[i] = vp_random_between(r, -1.0f, 1.0f);
        } while (fabsf(pose.rotation[0]) + fabsf(pose.rotation[3]) < 0.1f);
    }
    return pose;
}

/* ---- many lines ---- */

static double reach_of(const vp_buoyancy_body *body)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, body->high[k] - body->low[k]);
    return most;
}

/* A world of 4^3 chunks, with a lake of one level, or with levels, caves and falls. */
static vp_world *lake(int32_t level, uint8_t occupancy)
{
    vp_world *world = test_world(4, 4, 4, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, level, 32}, (vp_voxel){VP_WATER, 255}, NULL, &error));
    assert_ok(
        vp_world_fill_box(world, (vp_ivec3){0, level, 0}, (vp_ivec3){32, level + 1, 32}, (vp_voxel){VP_WATER, occupancy}, NULL, &error));
    return world;
}

static vp_world *wild(vp_random *r)
{
    vp_world *world = test_random_world(r, (vp_dims){4, 4, 4}, NULL);
    for (int32_t x = 0; x < 32; x++)
        for (int32_t z = 0; z < 32; z++) {
            const int32_t low = (int32_t)vp_random_below(r, 24), high = low + (int32_t)vp_random_below(r, 8);
            const vp_voxel water = {VP_WATER, (uint8_t)vp_random_below(r, 256)};
            assert_ok(vp_world_fill_box(world, (vp_ivec3){x, low, z}, (vp_ivec3){x + 1, high, z + 1}, water, NULL, &error));
        }
    return world;
}

static vp_broadphase *bits_of(const vp_world *world)
{
    vp_broadphase *broadphase = NULL;
    assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &broadphase, &error));
    return broadphase;
}

/* docs/CONTRACT.md: BUO-1, BUO-2, BUO-6. For any water. */
TEST(test_against_lines)
{
    vp_random r = {1};
    double worst[VP_BODIES][2] = {{0.0, 0.0}};
    for (int t = 0; t < POSES; t++) {
        const int kind = t % VP_BODIES;
        vp_world *world = t / VP_BODIES % 4 != 0 ? wild(&r) : lake(12 + (int32_t)vp_random_below(&r, 4), (uint8_t)vp_random_below(&r, 256));
        vp_broadphase *broadphase = bits_of(world);
        const vp_collide_shape shape = shape_of(kind, vp_random_between(&r, 0.2f, t % 7 == 6 ? 12.0f : 3.0f));
        vp_pose pose = random_pose(&r, 10.0f, 20.0f);
        pose.position.y = vp_random_between(&r, 13.0f, 16.0f);
        vp_buoyancy_body body;
        vp_buoyancy_volume part, without;
        vp_mass mass;
        double centre[3];
        assert_ok(vp_buoyancy_body_init(&shape, &pose, &body, &error));
        assert_ok(vp_buoyancy_in_world(&body, world, broadphase, &part, &error));
        assert_ok(vp_buoyancy_in_world(&body, world, NULL, &without, &error));
        assert_true(fabs(part.volume - without.volume) <= 1e-12 * body.whole.volume);
        assert_ok(vp_mass_of_shape(&shape, 1.0, &mass, &error));
        assert_true(fabs(body.whole.volume - mass.mass) <= 1e-6 * mass.mass);
        const double share = vp_buoyancy_by_lines(&shape, &pose, world, NULL, LINES, centre), got = part.volume / body.whole.volume;
        worst[kind][0] = fmax(worst[kind][0], fabs(got - share));
        for (int k = 0; k < 3; k++)
            worst[kind][1] = fmax(worst[kind][1], fabs(got * part.centre[k] - share * centre[k]) / reach_of(&body));
        vp_broadphase_destroy(broadphase);
        vp_world_destroy(world);
    }
    for (int k = 0; k < VP_BODIES; k++) {
        print_message("shape %d: volume within %.5f, moment within %.5f\n", k, worst[k][0], worst[k][1]);
        assert_true(worst[k][0] <= 0.001 && worst[k][1] <= 0.001);
    }
}

static vp_buoyancy_volume submerged(const vp_collide_shape *shape, const vp_pose *pose, const vp_world *world, vp_buoyancy_body *body)
{
    vp_buoyancy_volume part;
    assert_ok(vp_buoyancy_body_init(shape, pose, body, &error));
    assert_ok(vp_buoyancy_in_world(body, world, NULL, &part, &error));
    return part;
}

/* The area of the shape's projection on the ground, half the sum of all face areas times their normals' vertical parts (Cauchy). */
static double shadow_area(const vp_buoyancy_body *body)
{
    const vp_collide_shape *s = body->shape;
    const double r = (double)s->radius, h = (double)s->half_height, x = (double)s->half.x, y = (double)s->half.y, z = (double)s->half.z;
    const double up[3] = {body->axis[0][1], body->axis[1][1], body->axis[2][1]}, level = sqrt(fmax(0.0, 1.0 - up[1] * up[1]));
    double area = 0.0;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return PI * r * r;
    case VP_COLLIDE_CAPSULE:
        return PI * r * r + 4.0 * r * h * level;
    case VP_COLLIDE_CYLINDER:
        return PI * r * r * fabs(up[1]) + 4.0 * r * h * level;
    case VP_COLLIDE_BOX:
        return 4.0 * (y * z * fabs(up[0]) + x * z * fabs(up[1]) + x * y * fabs(up[2]));
    default:
        for (uint32_t f = 0; f < s->hull->face_count; f++) {
            const uint32_t *c = &s->hull->corner[s->hull->first_corner[f]], count = s->hull->first_corner[f + 1] - s->hull->first_corner[f];
            double twice = 0.0;
            for (uint32_t i = 2; i < count; i++) {
                const vp_vec3 a = s->hull->vertex[c[0]];
                const vp_vec3 n = vp_vec3_cross(vp_vec3_sub(s->hull->vertex[c[i - 1]], a), vp_vec3_sub(s->hull->vertex[c[i]], a));
                twice += up[0] * (double)n.x + up[1] * (double)n.y + up[2] * (double)n.z;
            }
            area += 0.25 * fabs(twice);
        }
        return area;
    }
}

/* ---- slices ---- */

/* The part of a disc of radius r, in a plane whose unit normal is at the angle `tilt` from y, below the level `depth` above its centre:
 * its area, and its integral of the coordinate along the steepest direction. */
static double segment(double r, double tilt, double depth, double *moment)
{
    const double c = sin(tilt) > 1e-12 ? fmax(-r, fmin(r, depth / sin(tilt))) : depth > 0.0 ? r : -r;
    const double rest = sqrt(fmax(0.0, r * r - c * c));
    *moment = -2.0 / 3.0 * rest * rest * rest;
    return c * rest + r * r * (asin(fmax(-1.0, fmin(1.0, c / r))) + 0.5 * PI);
}

/* Radius of a round shape at a place on its axis. */
static double radius_at(const vp_collide_shape *s, double t)
{
    const double r = (double)s->radius, h = s->kind == VP_COLLIDE_SPHERE ? 0.0 : (double)s->half_height;
    const double beyond = s->kind == VP_COLLIDE_CYLINDER ? 0.0 : fmax(0.0, fabs(t) - h);
    return sqrt(fmax(0.0, r * r - beyond * beyond));
}

/* The part of a round shape below a level above its position, from thin discs across its axis, and its height. */
static double by_slices(const vp_buoyancy_body *body, double level, double *height)
{
    enum { SLICES = 40000 };
    const vp_collide_shape *s = body->shape;
    const double round = s->kind == VP_COLLIDE_CYLINDER ? 0.0 : (double)s->radius;
    const double end = (s->kind == VP_COLLIDE_SPHERE ? 0.0 : (double)s->half_height) + round, up = body->axis[1][1];
    const double tilt = atan2(hypot(body->axis[1][0], body->axis[1][2]), up);
    double volume = 0.0, moment = 0.0;
    for (int i = 0; i < SLICES; i++) {
        const double t = end * ((i + 0.5) / SLICES * 2.0 - 1.0);
        double steep;
        const double area = segment(radius_at(s, t), tilt, level - t * cos(tilt), &steep);
        volume += area;
        moment += area * t * cos(tilt) + steep * sin(tilt);
    }
    *height = volume > 0.0 ? moment / volume : 0.0;
    return volume * 2.0 * end / SLICES;
}

/* docs/CONTRACT.md: BUO-2. One level is exact, also for axes that are nearly upright or nearly level. */
TEST(test_one_level_is_exact)
{
    static const float lean[] = {0.0f, 1e-6f, 1e-4f, 9e-4f, 1.1e-3f, 0.05f, 0.4f, 0.7f, 0.7071068f};
    vp_random r = {7};
    double worst = 0.0;
    for (int t = 0; t < 4 * POSES; t++) {
        const uint8_t occupancy = (uint8_t)vp_random_below(&r, 256);
        vp_world *world = lake(15, occupancy);
        const vp_collide_shape shape = shape_of((int[]){0, 1, 3}[t % 3], vp_random_between(&r, 0.3f, 3.0f));
        vp_pose pose = random_pose(&r, 12.0f, 18.0f);
        vp_buoyancy_body body;
        double height;
        if (t % 2 == 0) { /* by an angle of up to a right one */
            const float by = lean[vp_random_below(&r, 9)];
            memcpy(pose.rotation, (float[4]){by, 0.0f, 0.0f, sqrtf(1.0f - by * by)}, sizeof pose.rotation);
        }
        const vp_buoyancy_volume part = submerged(&shape, &pose, world, &body);
        const double level = 15.0 + (occupancy + 1) / 256.0 - body.position[1], want = by_slices(&body, level, &height);
        worst = fmax(worst, fabs(part.volume - want) / body.whole.volume);
        /* A level that is parallel to the slices is right to a slice. */
        const double off = hypot(body.axis[1][0], body.axis[1][2]) < 1e-5 ? 2e-5 : 1e-6;
        assert_true(fabs(part.volume - want) <= off * body.whole.volume);
        assert_true(fabs(part.centre[1] - height) * part.volume <= off * body.whole.volume * reach_of(&body));
        vp_world_destroy(world);
    }
    print_message("within %.2g of the shape's volume\n", worst);
}

/* docs/CONTRACT.md: BUO-2. Lines through a cap end on its plane, and others on the side. A shore has one level for x < 16, and another one
 * elsewhere. */
TEST(test_rims)
{
    vp_random r = {9};
    double worst = 0.0;
    for (int t = 0; t < 2 * POSES; t++) {
        vp_world *world = lake(13 + (int32_t)vp_random_below(&r, 6), (uint8_t)vp_random_below(&r, 256));
        const int32_t bottom = 11 + (int32_t)vp_random_below(&r, 6);
        const vp_collide_shape shape = vp_collide_cylinder(vp_random_between(&r, 0.5f, 4.0f), vp_random_between(&r, 0.5f, 4.0f));
        const vp_pose pose = random_pose(&r, 13.0f, 19.0f);
        vp_buoyancy_body body;
        double centre[3];
        assert_ok(vp_world_fill_box(world, (vp_ivec3){0, bottom, 0}, (vp_ivec3){16, 32, 32}, (vp_voxel){VP_AIR, 0}, NULL, &error));
        const vp_buoyancy_volume part = submerged(&shape, &pose, world, &body);
        const double share = vp_buoyancy_by_lines(&shape, &pose, world, NULL, LINES / 2, centre);
        worst = fmax(worst, fabs(part.volume / body.whole.volume - share));
        vp_world_destroy(world);
    }
    print_message("within %.5f of the volume\n", worst);
    assert_true(worst <= 0.001);
}

/* docs/CONTRACT.md: BUO-2. A capsule without a length is a sphere. */
TEST(test_shortest_capsule)
{
    vp_world *world = lake(15, 127);
    const vp_collide_shape ball = vp_collide_sphere(2.0f), capsule = vp_collide_capsule(2.0f, 0.0f);
    for (int i = 0; i < 24; i++) {
        const vp_pose pose = {{16.3f, 14.0f + 0.125f * (float)i, 15.8f}, {0.0f, 0.0f, i % 4 == 0 ? 0.0f : 0.3f * (float)(i % 4), 1.0f}};
        vp_buoyancy_body a, b;
        const vp_buoyancy_volume want = submerged(&ball, &pose, world, &a), got = submerged(&capsule, &pose, world, &b);
        assert_true(fabs(got.volume - want.volume) <= 1e-12 * a.whole.volume);
        assert_true(fabs(got.centre[1] - want.centre[1]) * want.volume <= 1e-12 * a.whole.volume);
    }
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: BUO-2. Water of x < 16 holds the part of a thin rod's axis there. */
TEST(test_thin_rods)
{
    vp_world *world = test_world(4, 4, 4, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 32, 32}, (vp_voxel){VP_WATER, 255}, NULL, &error));
    for (int i = 2; i < 8; i++) {
        const vp_collide_shape rod = vp_collide_cylinder(powf(10.0f, (float)-i), 2.0f);
        const vp_pose pose = {{15.7f, 16.2f, 15.9f}, {0.1f, 0.2f, 0.6f, 0.7f}};
        vp_buoyancy_body body;
        const vp_buoyancy_volume part = submerged(&rod, &pose, world, &body);
        const double want = 0.5 + 0.25 * (16.0 - body.position[0]) / fabs(body.axis[1][0]);
        assert_true(fabs(part.volume / body.whole.volume - want) <= 1e-4);
    }
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: BUO-3. A step of 1/256 in the level of some columns adds no more than this step. */
TEST(test_levels_meet)
{
    vp_random r = {8};
    double round = 0.0, flat = 0.0;
    for (int t = 0; t < 2 * POSES; t++) {
        vp_world *one = lake(15, 100), *two = lake(15, 100);
        const vp_collide_shape shape = shape_of(t % VP_BODIES, vp_random_between(&r, 0.3f, 3.0f));
        const vp_pose pose = random_pose(&r, 14.0f, 17.0f);
        vp_buoyancy_body body;
        assert_ok(vp_world_fill_box(two, (vp_ivec3){0, 15, 0}, (vp_ivec3){16, 16, 32}, (vp_voxel){VP_WATER, 101}, NULL, &error));
        const vp_buoyancy_volume a = submerged(&shape, &pose, one, &body), b = submerged(&shape, &pose, two, &body);
        const double most = shadow_area(&body) / 256.0; /* of one step of the level */
        double *worst = shape.kind == VP_COLLIDE_BOX || shape.kind == VP_COLLIDE_HULL ? &flat : &round;
        *worst = fmax(*worst, fmax(a.volume - b.volume, b.volume - a.volume - most) / body.whole.volume);
        vp_world_destroy(one);
        vp_world_destroy(two);
    }
    print_message("boxes and hulls within %.2g, round shapes within %.2g of the volume\n", flat, round);
    assert_true(flat <= 1e-9 && round <= 1e-4);
}

/* ---- properties of all shapes ---- */

/* docs/CONTRACT.md: BUO-3. Moves by a thousandth of a voxel, down through several layers and chunks, and sideways. */
TEST(test_no_jumps)
{
    vp_random r = {3};
    double down = 0.0, sideways = 0.0;
    for (int t = 0; t < SINKINGS; t++) {
        vp_world *world = t % 2 == 0 ? wild(&r) : lake(15, 128);
        const vp_collide_shape shape = shape_of(t % VP_BODIES, vp_random_between(&r, 0.3f, 2.0f));
        vp_pose pose = random_pose(&r, 14.0f, 17.0f);
        vp_buoyancy_body body;
        for (int axis = 0; axis < 3; axis++) {
            float *at = axis == 0 ? &pose.position.x : axis == 1 ? &pose.position.y : &pose.position.z;
            const float border = (float)(15 + vp_random_below(&r, 2)); /* 16 is also a chunk's border */
            double before = -1.0, area = 0.0;
            assert_ok(vp_buoyancy_body_init(&shape, &pose, &body, &error));
            const float edge = (float)(vp_random_below(&r, 2) ? body.low[axis] : body.high[axis]);
            for (int step = -12; step < 12; step++) {
                *at = border - edge + (float)step * 1e-3f;
                const vp_buoyancy_volume part = submerged(&shape, &pose, world, &body);
                area = axis == 1 ? shadow_area(&body)
                                 : (body.high[1] - body.low[1]) * (body.high[2 - axis] - body.low[2 - axis]); /* area of the box's side */
                const double by = before < 0.0 ? 0.0 : fabs(part.volume - before) / (area * 1e-3);
                if (axis == 1)
                    down = fmax(down, by);
                else
                    sideways = fmax(sideways, by);
                before = part.volume;
            }
        }
        vp_world_destroy(world);
    }
    print_message("at most %.3f of the shadow down, %.3f of the box's side sideways\n", down, sideways);
    assert_true(down <= 1.5);
    assert_true(sideways <= 1.5);
}

/* docs/CONTRACT.md: BUO-4. The bound is 0.2 %, and 0.2 % for the error of the lines. */
TEST(test_parts_add_up)
{
    double worst[VP_BODIES] = {0.0}, centre[3];
    vp_random r = {4};
    for (int t = 0; t < SINKINGS; t++) {
        vp_world *world = wild(&r);
        vp_broadphase *broadphase = bits_of(world);
        const vp_collide_shape shape = shape_of(t % VP_BODIES, vp_random_between(&r, 0.5f, 8.0f));
        const vp_pose pose = random_pose(&r, 0.0f, 32.0f); /* also outside the world */
        vp_buoyancy_body body, other;
        const vp_buoyancy_volume whole = submerged(&shape, &pose, world, &body);
        vp_buoyancy_volume sum = {0.0, {0.0, 0.0, 0.0}}, part;
        assert_ok(vp_buoyancy_body_init(&shape, &pose, &other, &error));
        for (int32_t c = 0; c < 6 * 6 * 6; c++) { /* empty outside the world */
            const vp_ivec3 chunk = {c % 6 - 1, c / 36 - 1, c / 6 % 6 - 1};
            assert_ok(vp_buoyancy_in_chunk(&other, world, c % 2 ? broadphase : NULL, chunk, &part, &error));
            vp_buoyancy_add(&sum, &part);
            if (part.volume > 0.0) {
                const double share = vp_buoyancy_by_lines(&shape, &pose, world, &chunk, LINES_OF_PART, centre);
                worst[t % VP_BODIES] = fmax(worst[t % VP_BODIES], fabs(part.volume / body.whole.volume - share));
            }
        }
        assert_true(fabs(sum.volume - whole.volume) <= 1e-9 * body.whole.volume);
        for (int k = 0; k < 3 && whole.volume > 1e-3 * body.whole.volume; k++)
            assert_true(fabs(sum.centre[k] - whole.centre[k]) <= 1e-9 * reach_of(&body));
        vp_broadphase_destroy(broadphase);
        vp_world_destroy(world);
    }
    for (int k = 0; k < VP_BODIES; k++) {
        print_message("shape %d: parts of chunks within %.4f of its volume\n", k, worst[k]);
        assert_true(worst[k] <= 0.004);
    }
}

/* docs/CONTRACT.md: BUO-4. A border of chunks cuts tilted discs at places that are ends of no layer of water. */
TEST(test_parts_of_flat_discs)
{
    vp_random r = {10};
    double worst = 0.0, centre[3];
    for (int t = 0; t < POSES; t++) {
        vp_world *world = lake(15 + (int32_t)vp_random_below(&r, 4), (uint8_t)vp_random_below(&r, 256));
        const float radius = vp_random_between(&r, 0.4f, 6.0f);
        const vp_collide_shape shape = vp_collide_cylinder(radius, radius * vp_random_between(&r, 0.005f, 0.1f));
        const vp_pose pose = random_pose(&r, 14.0f, 18.0f);
        vp_buoyancy_body body;
        assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 13, 0}, (vp_ivec3){16, 32, 32}, (vp_voxel){VP_AIR, 0}, NULL, &error));
        assert_ok(vp_buoyancy_body_init(&shape, &pose, &body, &error));
        for (int32_t c = 0; c < 8; c++) {
            const vp_ivec3 chunk = {1 + c % 2, 1 + c / 2 % 2, 1 + c / 4};
            vp_buoyancy_volume part;
            assert_ok(vp_buoyancy_in_chunk(&body, world, NULL, chunk, &part, &error));
            const double share = vp_buoyancy_by_lines(&shape, &pose, world, &chunk, LINES, centre);
            worst = fmax(worst, fabs(part.volume / body.whole.volume - share));
        }
        vp_world_destroy(world);
    }
    print_message("parts of flat discs within %.5f of the volume\n", worst);
    assert_true(worst <= 0.004);
}

/* docs/CONTRACT.md: BUO-4. Columns of the lower chunk are equal, those of the upper one differ. */
TEST(test_parts_of_equal_columns)
{
    vp_world *world = lake(17, 99);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 17, 0}, (vp_ivec3){12, 18, 32}, (vp_voxel){VP_AIR, 0}, NULL, &error));
    for (int k = 0; k < VP_BODIES; k++) {
        const vp_collide_shape shape = shape_of(k, 1.5f);
        const vp_pose pose = {{12.3f, 16.2f, 11.9f}, {0.3f, 0.1f, 0.2f, 0.9f}};
        vp_buoyancy_body body;
        const vp_buoyancy_volume whole = submerged(&shape, &pose, world, &body);
        vp_buoyancy_volume sum = {0.0, {0.0, 0.0, 0.0}}, part;
        for (int32_t y = 1; y <= 2; y++) {
            assert_ok(vp_buoyancy_in_chunk(&body, world, NULL, (vp_ivec3){1, y, 1}, &part, &error));
            assert_true(part.volume > 0.0);
            vp_buoyancy_add(&sum, &part);
        }
        assert_true(fabs(sum.volume - whole.volume) <= 1e-9 * body.whole.volume);
    }
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: BUO-5. Water below water is full, whatever its occupancy. A chunk's class is then enough, and the result is
   the whole shape. */
TEST(test_full_of_water)
{
    vp_random r = {5};
    vp_world *world = lake(31, 3);
    for (int32_t i = 0; i < 4000; i++) {
        const vp_ivec3 at = {(int32_t)vp_random_below(&r, 32), (int32_t)vp_random_below(&r, 31), (int32_t)vp_random_below(&r, 32)};
        assert_ok(vp_world_set_voxel(world, at, (vp_voxel){VP_WATER, (uint8_t)vp_random_below(&r, 256)}, NULL, &error));
    }
    vp_broadphase *broadphase = bits_of(world);
    vp_terrain *terrain = NULL;
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error));
    assert_int_equal(vp_broadphase_chunk_class(broadphase, (vp_ivec3){1, 1, 1}), VP_CHUNK_FULL_WATER);
    for (int t = 0; t < 3 * VP_BODIES; t++) {
        const vp_collide_shape shape = shape_of(t % VP_BODIES, 0.9f);
        const vp_pose pose = random_pose(&r, 11.0f, t < VP_BODIES ? 11.5f : 20.0f); /* in one chunk or in several */
        vp_buoyancy_body body;
        vp_buoyancy_volume part;
        const vp_buoyancy_volume lines = submerged(&shape, &pose, world, &body);
        assert_true(fabs(lines.volume - body.whole.volume) <= 1e-12 * body.whole.volume);
        assert_ok(vp_buoyancy_in_world(&body, world, broadphase, &part, &error));
        assert_true(part.volume == body.whole.volume);
        for (int k = 0; k < 3; k++) {
            assert_true(part.centre[k] == body.whole.centre[k]);
            assert_true(fabs(lines.centre[k] - body.whole.centre[k]) <= 1e-12);
        }
        assert_ok(vp_buoyancy_in_terrain(&body, terrain, &part, &error));
        assert_true(part.volume == body.whole.volume);
        if (t < VP_BODIES) {
            assert_ok(vp_buoyancy_in_chunk(&body, world, broadphase, (vp_ivec3){1, 1, 1}, &part, &error));
            assert_true(part.volume == body.whole.volume);
        }
    }
    vp_terrain_destroy(terrain);
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: BUO-5, BUO-6. Flat bodies on a border of chunks, whose height is lost by rounding. */
TEST(test_flat_on_borders)
{
    const vp_pose pose = vp_pose_at((vp_vec3){12.0f, 16.0f, 12.0f});
    for (int32_t level = 0; level <= 31; level += 31) {
        vp_world *world = level == 0 ? test_world(4, 4, 4, NULL) : lake(level, 255);
        vp_broadphase *broadphase = bits_of(world);
        for (int k = 0; k < 2; k++) {
            const vp_collide_shape shape = k == 0 ? vp_collide_box((vp_vec3){1.0f, 1e-17f, 1.0f}) : vp_collide_cylinder(1.0f, 1e-17f);
            vp_buoyancy_body body;
            vp_buoyancy_volume with;
            const vp_buoyancy_volume without = submerged(&shape, &pose, world, &body);
            const double want = level == 0 ? 0.0 : body.whole.volume;
            assert_ok(vp_buoyancy_in_world(&body, world, broadphase, &with, &error));
            assert_true(fabs(with.volume - want) <= 1e-9 * body.whole.volume);
            assert_true(fabs(without.volume - want) <= 1e-9 * body.whole.volume);
        }
        vp_broadphase_destroy(broadphase);
        vp_world_destroy(world);
    }
}

TEST(test_refuses)
{
    vp_world *world = test_world(1, 1, 1, NULL), *larger = test_world(1, 2, 1, NULL);
    vp_broadphase *broadphase = bits_of(larger);
    const vp_collide_shape ball = {.kind = VP_COLLIDE_SPHERE, .radius = 1.0f};
    const vp_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    vp_buoyancy_body body, untouched;
    vp_buoyancy_volume part;
    static const struct {
        vp_collide_shape shape;
        const char *value;
    } bad[] = {
        {{.kind = VP_COLLIDE_SPHERE, .radius = -1.0f}, "radius is -1"},
        {{.kind = VP_COLLIDE_SPHERE, .radius = 257.0f}, "257"},
        {{.kind = VP_COLLIDE_SPHERE, .radius = 257.0f, .half = {-100.0f, 0.0f, 0.0f}}, "257"}, /* not of a sphere */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(vp_buoyancy_body_init(&bad[i].shape, &pose, &body, &error), VP_E_ARGUMENT, bad[i].value);
    memset(&body, 0x5a, sizeof body);
    untouched = body;
    assert_refused(vp_buoyancy_body_init(&ball, &(vp_pose){{0, NAN, 0}, {0, 0, 0, 1}}, &body, &error), VP_E_ARGUMENT, "position.y is nan");
    assert_refused(vp_buoyancy_body_init(&ball, &(vp_pose){{0, 0, 0}, {0, 0, 0, 0}}, &body, &error), VP_E_ARGUMENT, "squared length 0");
    assert_refused(vp_buoyancy_body_init(&ball, &(vp_pose){{0, 0, 0}, {0, INFINITY, 0, 0}}, &body, &error), VP_E_ARGUMENT, "inf");
    assert_memory_equal(&body, &untouched, sizeof body);
    assert_ok(vp_buoyancy_body_init(&ball, &pose, &body, &error));
    assert_refused(vp_buoyancy_in_world(&body, world, broadphase, &part, &error), VP_E_ARGUMENT, "1 x 2 x 1 chunks");
    assert_refused(vp_buoyancy_in_chunk(&body, world, broadphase, (vp_ivec3){0, 0, 0}, &part, &error), VP_E_ARGUMENT, "1 x 2 x 1 chunks");
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(larger);
    vp_world_destroy(world);
}

int main(void)
{
    return test_run_all(make_hulls, free_hulls);
}
