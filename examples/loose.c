/* SPDX-License-Identifier: MIT */
/* A beam over a pool loses its posts. The terrain's edit makes it a body, of boxes, which falls, and water carries it. */
#include <stdio.h>

#include <voxphys/voxphys.h>

/* The water that the beam displaces, some voxels below the place where it was cut off. */
static vp_status fall(vp_terrain *terrain, const vp_region_body *body, float by, vp_error *error)
{
    vp_buoyancy_volume in_water = {.volume = 0};
    vp_pose at = body->pose;
    vp_status status = VP_OK;
    at.position.y -= by;
    for (uint32_t i = 0; status == VP_OK && i < body->compound.count; i++) {
        const vp_pose pose = vp_compound_part_pose(&body->part[i], &at);
        vp_buoyancy_body part;
        vp_buoyancy_volume wet;
        status = vp_buoyancy_body_init(body->part[i].shape, &pose, &part, error);
        if (status == VP_OK)
            status = vp_buoyancy_in_terrain(&part, terrain, &wet, error);
        if (status != VP_OK)
            break;
        for (int k = 0; k < 3; k++) /* from the part's position to the body's */
            wet.centre[k] += part.position[k] - (double)(&at.position.x)[k];
        vp_buoyancy_add(&in_water, &wet);
    }
    if (status == VP_OK)
        printf("%g lower: %.3f are in water, with their centre at y = %.3f\n", (double)by, in_water.volume,
               (double)at.position.y + in_water.centre[1]);
    return status;
}

/* A region's boxes and hulls, about their centre of mass. */
static vp_status make_body(vp_terrain *terrain, const vp_region *region, vp_error *error)
{
    vp_region_body body;
    vp_status status = vp_region_body_create(&(vp_region_body_def){.density = 0.6}, region, &body, error);
    if (status != VP_OK)
        return status;
    printf("a body of mass %.3f, parts: %u\n", body.mass.mass, body.compound.count);
    for (int by = 4; status == VP_OK && by <= 6; by++)
        status = fall(terrain, &body, (float)by, error);
    vp_region_body_destroy(&body);
    return status;
}

int main(void)
{
    const vp_voxel rock = {.material = 2, .occupancy = 255}, water = {.material = 1, .occupancy = 255}, air = {.material = 0};
    /* A layer of both posts. */
    const vp_ivec3 post[6] = {{9, 10, 14}, {9, 10, 15}, {9, 10, 16}, {22, 10, 14}, {22, 10, 15}, {22, 10, 16}};
    const vp_voxel cut[6] = {air, air, air, air, air, air};
    vp_world *world = NULL;
    vp_terrain *terrain = NULL;
    vp_regions loose = {.region = NULL};
    vp_error error = {VP_E_MEMORY, "no memory"};
    int failed = vp_world_create(&(vp_world_def){.size = {32, 32, 32}}, &world, &error) != VP_OK ||
                 vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, 8, 32}, rock, NULL, &error) != VP_OK ||
                 vp_world_fill_box(world, (vp_ivec3){10, 2, 10}, (vp_ivec3){22, 8, 22}, water, NULL, &error) != VP_OK ||
                 vp_world_fill_box(world, (vp_ivec3){9, 8, 14}, (vp_ivec3){23, 14, 17}, rock, NULL, &error) != VP_OK ||
                 vp_world_fill_box(world, (vp_ivec3){10, 8, 14}, (vp_ivec3){22, 11, 17}, air, NULL, &error) != VP_OK ||
                 vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error) != VP_OK ||
                 vp_regions_edit(&(vp_regions_def){.min_voxels = 4}, terrain, post, cut, 6, NULL, &loose, &error) != VP_OK;
    for (uint32_t i = 0; !failed && i < loose.region_count; i++) {
        const vp_region *r = &loose.region[i];
        printf("%u voxels came loose, of mass %g about (%g, %g, %g)\n", r->count, r->mass.mass, r->mass.centre[0], r->mass.centre[1],
               r->mass.centre[2]);
        failed = make_body(terrain, r, &error) != VP_OK;
    }
    if (failed)
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
    vp_regions_destroy(&loose);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
    return failed;
}
