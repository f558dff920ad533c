/* SPDX-License-Identifier: MIT */
/* A terrain. Digs a crater, casts a ray into it, tests a box, and prints the results. */
#include <stdbool.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

int main(void)
{
    const vp_voxel rock = {.material = 2, .occupancy = 255}, air = {0};
    const vp_ray down = {.origin = {32.0f, 30.0f, 32.0f}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = 100.0f};
    const vp_aabb crate = {{36.0f, 7.0f, 32.0f}, {37.0f, 8.0f, 33.0f}};
    vp_world *world = NULL;
    vp_terrain *terrain = NULL;
    vp_terrain_point at;
    uint32_t touch;
    vp_error error;

    /* After vp_terrain_create, any number of threads may query and edit the terrain. */
    const bool done = vp_world_create(&(vp_world_def){.size = {64, 32, 64}}, &world, &error) == VP_OK &&
                      vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){64, 8, 64}, rock, NULL, &error) == VP_OK &&
                      vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error) == VP_OK &&
                      vp_terrain_fill_sphere(terrain, (vp_vec3){32.0f, 8.0f, 32.0f}, 5.0f, air, NULL, &error) == VP_OK &&
                      vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &down, &at, &error) == VP_OK &&
                      vp_terrain_overlap(terrain, &crate, &touch, &error) == VP_OK;
    if (done) {
        printf("the crater is %.1f deep, its ground is material %u\n", 8.0 - (double)at.point.y, at.triangle.material);
        printf("the crate %s the ground\n", touch & VP_TOUCH_SOLID ? "may touch" : "is clear of");
    } else
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
    return !done;
}
