/* SPDX-License-Identifier: MIT */
/* Bodies of loose regions. Every corner of a voxel is in a part, parts do not overlap, and mass, volume, centre and inertia agree with the
 * voxels'. docs/CONTRACT.md: CPD-7 */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "datasets/random.h"
#include "tests/support/memory.h"

enum { SIDE = 40, WALK = 60 };

typedef struct lump {
    vp_world *world;
    vp_regions regions;
} lump;

/* The region of all voxels of a world whose lowest layer is air. */
static lump label_lump(vp_world *world)
{
    lump l = {.world = world};
    assert_ok(vp_regions_label(&(vp_regions_def){0}, world, &l.regions, &error));
    assert_int_equal(l.regions.region_count, 1);
    return l;
}

static vp_world *open_world(void)
{
    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = {SIDE, SIDE, SIDE}}, &world, &error));
    return world;
}

static void fill(vp_world *world, vp_ivec3 low, vp_ivec3 high)
{
    assert_ok(vp_world_fill_box(world, low, high, (vp_voxel){5, 255}, NULL, &error));
}

static lump make_boxes(const vp_ivec3 (*box)[2], int count)
{
    vp_world *world = open_world();
    for (int i = 0; i < count; i++)
        fill(world, box[i][0], box[i][1]);
    return label_lump(world);
}

static lump make_ball(float radius)
{
    vp_world *world = open_world();
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){20, 20, 20}, radius, (vp_voxel){5, 255}, NULL, &error));
    return label_lump(world);
}

static lump make_walk(vp_random *random, int steps)
{
    vp_world *world = open_world();
    int32_t at[3] = {20, 20, 20};
    for (int k = 0; k < steps; k++) {
        const uint8_t occupancy = (uint8_t)vp_random_below(random, 256);
        const int32_t axis = (int32_t)vp_random_below(random, 3), next = at[axis] + (vp_random_below(random, 2) == 0 ? 1 : -1);
        assert_ok(vp_world_set_voxel(world, (vp_ivec3){at[0], at[1], at[2]}, (vp_voxel){5, occupancy}, NULL, &error));
        at[axis] = next < 1 ? 1 : next > SIDE - 2 ? SIDE - 2 : next;
    }
    return label_lump(world);
}

static void free_lump(lump *l)
{
    vp_regions_destroy(&l->regions);
    vp_world_destroy(l->world);
}

static vp_region_body make_body(const vp_region_body_def *def, const lump *l)
{
    vp_region_body body;
    assert_ok(vp_region_body_create(def, &l->regions.region[0], &body, &error));
    return body;
}

static vp_mass mass_in_world(const vp_region_body *body)
{
    vp_mass m;
    assert_ok(vp_mass_at_pose(&body->mass, &body->pose, &m, &error));
    return m;
}

static double volume_of(const vp_region_body *body)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < body->compound.count; i++) {
        vp_mass m;
        assert_ok(vp_mass_of_shape(body->compound.part[i].shape, 1.0, &m, &error));
        sum += m.mass;
    }
    return sum;
}

/* The distance of a place from the nearest part, negative inside. */
static double distance_to(const vp_region_body *body, vp_vec3 at)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < body->compound.count; i++) {
        const vp_pose pose = vp_compound_part_pose(&body->compound.part[i], &body->pose);
        vp_shape_point near;
        assert_ok(vp_shape_closest_point(body->compound.part[i].shape, &pose, at, &near, &error));
        least = fmin(least, (double)near.distance);
    }
    return least;
}

static bool has_shape(const vp_region *r, uint32_t i)
{
    bool any = true;
    for (uint32_t k = 0; k < r->count; k++)
        any = any && r->voxel[k].occupancy < 128;
    return any || r->voxel[i].occupancy >= 128;
}

/* Parts are apart, within their limits, and contain each corner of the voxels. The mass is the region's. */
static void expect_body(const vp_region_body *body, const lump *l, uint32_t max_parts, uint32_t max_vertices)
{
    const vp_region *r = &l->regions.region[0];
    const vp_mass mass = mass_in_world(body);
    assert_true(fabs(body->mass.mass - r->mass.mass) <= 1e-12 * r->mass.mass);
    assert_true(fabs(body->mass.centre[0]) + fabs(body->mass.centre[1]) + fabs(body->mass.centre[2]) < 1e-5);
    for (int a = 0; a < 3; a++) /* both centres are among the voxels */
        assert_true(mass.centre[a] > (double)(&r->low.x)[a] && mass.centre[a] < (double)(&r->high.x)[a]);
    assert_in_range(body->compound.count, 1, max_parts);
    for (uint32_t i = 0; i < body->compound.count; i++) {
        const vp_compound_part *p = &body->compound.part[i];
        assert_true(p->shape->kind == VP_COLLIDE_BOX || p->shape->hull->vertex_count <= max_vertices);
        for (uint32_t k = 0; k < i; k++) {
            vp_shape_contact c;
            const vp_manifold_body a = {p->shape, p->pose}, b = {body->part[k].shape, body->part[k].pose};
            assert_ok(vp_shapes_collide(&a, &b, 0.0f, &c, &error));
            assert_true(c.distance > -1e-4f);
        }
    }
    for (uint32_t i = 0; i < r->count && max_vertices > 1000; i++)
        for (int k = 0; has_shape(r, i) && k < 8; k++) {
            const vp_ivec3 v = r->at[i];
            const vp_vec3 corner = {(float)(v.x + (k & 1)), (float)(v.y + (k >> 1 & 1)), (float)(v.z + (k >> 2))};
            assert_true(distance_to(body, corner) < 1e-4);
        }
}

/* Regions of a few boxes become these boxes, so that all figures are the voxels'. */
TEST(test_boxes)
{
    static const vp_ivec3 cube[][2] = {{{9, 9, 9}, {11, 11, 11}}}, one[][2] = {{{9, 9, 9}, {10, 10, 10}}},
                          bent[][2] = {{{5, 5, 5}, {9, 6, 6}}, {{5, 6, 5}, {6, 9, 6}}},
                          arch[][2] = {{{9, 8, 14}, {10, 11, 17}}, {{22, 8, 14}, {23, 11, 17}}, {{9, 11, 14}, {23, 14, 17}}},
                          cross[][2] = {{{9, 12, 12}, {18, 14, 14}}, {{12, 9, 12}, {14, 18, 14}}, {{12, 12, 9}, {14, 14, 18}}};
    static const struct {
        const vp_ivec3 (*box)[2];
        int count;
        uint32_t parts;
    } shape[] = {{cube, 1, 1}, {one, 1, 1}, {bent, 2, 2}, {arch, 3, 3}, {cross, 3, 7}};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        lump l = make_boxes(shape[i].box, shape[i].count);
        vp_region_body body = make_body(&(vp_region_body_def){0}, &l);
        const vp_mass got = mass_in_world(&body), right = l.regions.region[0].mass;
        expect_body(&body, &l, shape[i].parts, UINT32_MAX);
        assert_true(fabs(volume_of(&body) - right.mass) < 1e-9);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(got.centre[k] - right.centre[k]) < 1e-5);
        for (int k = 0; k < 6; k++)
            assert_true(fabs(got.inertia[k] - right.inertia[k]) < 1e-5 * right.inertia[0]);
        vp_region_body_destroy(&body);
        vp_region_body_destroy(&body); /* all zero bytes */
        free_lump(&l);
    }
}

/* Any region, many and few parts. */
TEST(test_lumps)
{
    vp_random random = {77};
    for (int i = 0; i < WALK; i++) {
        lump l = i < 8 ? make_ball(2.0f + (float)i) : make_walk(&random, 1 + 4 * i);
        const vp_region *r = &l.regions.region[0];
        const vp_region_body_def def[3] = {
            {.max_parts = 4096, .max_vertices = 4096}, {.max_parts = 4, .density = 2.5}, {.max_vertices = 8}};
        for (int k = 0; k < 3; k++) {
            vp_region_body body = make_body(&def[k], &l);
            const double density = def[k].density != 0.0 ? def[k].density : 1.0;
            uint32_t count = 0;
            for (uint32_t v = 0; v < r->count; v++)
                count += has_shape(r, v);
            body.mass.mass /= density;
            expect_body(&body, &l, def[k].max_parts != 0 ? def[k].max_parts : 16, def[k].max_vertices != 0 ? def[k].max_vertices : 32);
            if (k == 0) {
                assert_true(volume_of(&body) >= count - 1e-6 * count && volume_of(&body) <= 1.125001 * count);
                for (int a = 0; a < 3 && i < 8; a++) /* a ball's, of 12 % more volume at most */
                    if (!(fabs(body.mass.inertia[a] / r->mass.inertia[a] - 1.0) < 0.15))
                        fail_msg("%d: inertia %g, %g for voxels", i, body.mass.inertia[a], r->mass.inertia[a]);
            }
            vp_region_body_destroy(&body);
        }
        free_lump(&l);
    }
}

TEST(test_refusals)
{
    const vp_voxel voxel[2] = {{5, 255}, {5, 255}};
    const vp_ivec3 twice[2] = {{1, 1, 1}, {1, 1, 1}}, apart[2] = {{0, 0, 0}, {VP_WORLD_MAX_XZ, 0, 0}};
    static const vp_ivec3 ends[2] = {{INT32_MIN, 0, 0}, {INT32_MAX, 0, 0}},
                          last[2] = {{INT32_MAX, INT32_MIN, 0}, {INT32_MAX, INT32_MAX, 0}},
                          corner[2] = {{INT32_MAX - 1, INT32_MAX, INT32_MAX}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    const vp_region one = {.at = corner, .voxel = voxel, .count = 2};
    const struct {
        vp_region_body_def def;
        vp_region region;
        vp_status status;
        const char *value;
    } bad[] = {
        {{0}, {0}, VP_E_ARGUMENT, "count is 0"},
        {{0}, {.at = corner, .count = 2}, VP_E_ARGUMENT, "vp_region.voxel is NULL"},
        {{0}, {.voxel = voxel, .count = 2}, VP_E_ARGUMENT, "vp_region.at is NULL"},
        {{0}, {.at = twice, .voxel = voxel, .count = 2}, VP_E_ARGUMENT, "at[1] is (1, 1, 1)"},
        {{0}, {.at = apart, .voxel = voxel, .count = 2}, VP_E_LIMIT, "2049"},
        {{0}, {.at = ends, .voxel = voxel, .count = 2}, VP_E_LIMIT, "4294967296"},
        {{0}, {.at = last, .voxel = voxel, .count = 2}, VP_E_LIMIT, "4294967296"},
        {{.max_parts = VP_COMPOUND_MAX_PARTS + 1}, one, VP_E_ARGUMENT, "4097"},
        {{.max_vertices = 1}, one, VP_E_ARGUMENT, "max_vertices is 1"},
        {{.max_vertices = 7}, one, VP_E_ARGUMENT, "max_vertices is 7"},
        {{.density = -1}, one, VP_E_ARGUMENT, "density is -1"},
        {{.density = (double)NAN}, one, VP_E_ARGUMENT, "density is nan"},
        {{.density = (double)INFINITY}, one, VP_E_ARGUMENT, "density is inf"},
        {{.density = 1e-310}, one, VP_E_ARGUMENT, "density is 1e-310"},
        {{.density = 1e308}, one, VP_E_ARGUMENT, "density is 1e+308"},
    };
    vp_region_body body;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(vp_region_body_create(&bad[i].def, &bad[i].region, &body, &error), bad[i].status, bad[i].value);
    assert_ok(
        vp_region_body_create(&(vp_region_body_def){.max_parts = 1, .max_vertices = UINT32_MAX, .density = 1e-249}, &one, &body, &error));
    assert_int_equal(body.compound.count, 1);
    vp_region_body_destroy(&body);
    lump l = make_ball(3.5f);
    for (uint64_t n = 1;; n++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        test_memory_fail_at(&memory, n);
        const vp_status status = vp_region_body_create(&(vp_region_body_def){.allocator = &allocator}, &l.regions.region[0], &body, NULL);
        const bool refused = memory.requests >= n;
        assert_int_equal(status, refused ? VP_E_MEMORY : VP_OK);
        if (!refused)
            vp_region_body_destroy(&body);
        test_memory_end(&memory);
        if (!refused) {
            assert_true(n > 10);
            break;
        }
    }
    free_lump(&l);
}
