/* SPDX-License-Identifier: MIT */
/* Material that is at most half full has no surface. Each part of the library treats it as documented. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { SIDE = 24, GROUND = 8, TRIANGLES = 256 };

static const vp_vec3 buried = {12.5f, 4.5f, 12.5f};

typedef struct half_full_ground {
    vp_world *world;
    vp_terrain *terrain;
    vp_terrain_reader reader;
} half_full_ground;

/* Voxels of one material and occupancy below y = 8. */
static void lay(half_full_ground *g, vp_voxel voxel)
{
    *g = (half_full_ground){.world = test_world(SIDE / 8, SIDE / 8, SIDE / 8, NULL)};
    assert_ok(vp_world_fill_box(g->world, (vp_ivec3){0, 0, 0}, (vp_ivec3){SIDE, GROUND, SIDE}, voxel, NULL, &error));
    const vp_terrain_def def = {.world = g->world, .surfaces = VP_TERRAIN_SOLID | VP_TERRAIN_WATER};
    assert_ok(vp_terrain_create(&def, &g->terrain, &error));
    vp_terrain_acquire_reader(g->terrain, &g->reader);
}

static void lift(half_full_ground *g)
{
    vp_terrain_release_reader(&g->reader);
    vp_terrain_destroy(g->terrain);
    vp_world_destroy(g->world);
}

/* Inside queries, push-out, rays and manifolds use the surface. */
static void check_surface(const half_full_ground *g, bool has_surface)
{
    bool inside;
    vp_push_out push;
    vp_terrain_hit hit;
    assert_ok(vp_terrain_reader_inside(&g->reader, VP_SURFACE_SOLID, buried, &inside, &error));
    assert_int_equal(inside, has_surface);
    assert_ok(vp_push_out_of_world(g->world, buried, 8, 0, &push, &error));
    assert_int_equal(push.end, has_surface ? VP_PUSH_OUT_FOUND : VP_PUSH_OUT_FREE);
    const vp_ray down = {.origin = {12.5f, 20.0f, 12.5f}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = 40.0f};
    assert_ok(vp_terrain_reader_raycast(&g->reader, VP_SURFACE_SOLID, &down, &hit, &error));
    assert_int_equal(hit.in_chunk.triangle != VP_NO_HIT, has_surface);

    const vp_collide_shape ball = vp_collide_sphere(1.0f);
    const vp_manifold_body body = {&ball, vp_pose_at((vp_vec3){12.5f, 8.0f, 12.5f})};
    const vp_manifold_def def = {.margin = 0.0f};
    vp_manifold_scratch scratch = {malloc(vp_manifold_scratch_bytes(TRIANGLES)), TRIANGLES, 0};
    vp_manifold manifold;
    uint32_t made;
    assert_non_null(scratch.memory);
    assert_ok(vp_manifold_terrain(&def, &body, &g->reader, &scratch, &manifold, 1, &made, &error));
    assert_int_equal(made, has_surface);
    free(scratch.memory);
}

/* Broadphase and contacts use material. Their contact is not yet a collision. */
static void check_broadphase(const half_full_ground *g)
{
    const vp_aabb box = {{12.0f, 8.5f, 12.0f}, {13.0f, 9.5f, 13.0f}};
    uint32_t touch, object;
    vp_contacts *contacts = NULL;
    vp_contact contact[4];
    assert_ok(vp_broadphase_overlap(vp_terrain_reader_broadphase(&g->reader), &box, &touch, &error));
    assert_int_equal(touch, VP_TOUCH_SOLID);
    const vp_contacts_def def = {.broadphase = vp_terrain_reader_broadphase(&g->reader)};
    assert_ok(vp_contacts_create(&def, &contacts, &error));
    assert_ok(vp_contacts_add(contacts, &box, &object, &error));
    assert_true(vp_contacts_of(contacts, object, contact, 4) >= 1);
    vp_contacts_destroy(contacts);
}

/* Regions use material too, so a falling region keeps its mass. Its shape has no surface. */
static void check_region(vp_voxel voxel, bool has_surface)
{
    vp_world *world = test_world(2, 2, 2, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){4, 4, 4}, (vp_ivec3){6, 6, 6}, voxel, NULL, &error));
    vp_regions regions;
    vp_region_shape shape;
    assert_ok(vp_regions_label(&(vp_regions_def){.anchors = 0}, world, &regions, &error));
    assert_int_equal(regions.region_count, 1);
    assert_true(regions.region[0].mass.mass == 8 * (voxel.occupancy + 1) / 256.0);
    assert_ok(vp_region_shape_create(&(vp_region_shape_def){.parts = false}, &regions.region[0], &shape, &error));
    assert_int_equal(shape.mesh.quad_count != 0, has_surface);
    vp_region_shape_destroy(&shape);
    vp_regions_destroy(&regions);
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: INS-5 */
TEST(test_solid)
{
    for (uint8_t occupancy = 126; occupancy < 130; occupancy++) {
        half_full_ground g;
        lay(&g, (vp_voxel){VP_FIRST_SOLID, occupancy});
        check_surface(&g, occupancy > 127);
        check_broadphase(&g);
        lift(&g);
        check_region((vp_voxel){VP_FIRST_SOLID, occupancy}, occupancy > 127);
    }
}

/* docs/CONTRACT.md: INS-5. Buoyancy uses the occupancy of water, with or without a surface. */
TEST(test_water)
{
    for (int occupancy = 63; occupancy < 256; occupancy += 64) {
        half_full_ground g;
        bool inside;
        vp_buoyancy_body body;
        vp_buoyancy_volume part;
        const vp_collide_shape box = vp_collide_box((vp_vec3){1.0f, 1.0f, 1.0f});
        const vp_pose pose = vp_pose_at((vp_vec3){12.0f, 8.0f, 12.0f});
        lay(&g, (vp_voxel){VP_WATER, (uint8_t)occupancy});
        assert_ok(vp_terrain_reader_inside(&g.reader, VP_SURFACE_WATER, buried, &inside, &error));
        assert_int_equal(inside, occupancy > 127);
        assert_ok(vp_buoyancy_body_init(&box, &pose, &body, &error));
        assert_ok(vp_buoyancy_in_world(&body, g.world, NULL, &part, &error));
        const double volume = 4.0 * (occupancy + 1) / 256.0; /* the top voxel contains the box up to y = 8 */
        assert_true(part.volume > volume - 1e-9 && part.volume < volume + 1e-9);
        lift(&g);
    }
}
