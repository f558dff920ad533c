/* SPDX-License-Identifier: MIT */
/* Contacts of a box that lies across a trench in a small terrain. Prints the contact points with their normals, and pushes out a buried
 * ball. */
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { TRIANGLES = 1024 };

static int run(vp_terrain *terrain, const vp_manifold_body *body, vp_error *error)
{
    vp_manifold_scratch scratch = {malloc(vp_manifold_scratch_bytes(TRIANGLES)), TRIANGLES, 0};
    vp_manifold manifold[VP_MANIFOLD_DIRECTIONS];
    vp_terrain_reader reader;
    uint32_t count = 0;

    /* One reader holds one version of the terrain. Any number of bodies may be collided with it. Each thread needs its own scratch. */
    vp_terrain_acquire_reader(terrain, &reader);
    int failed = scratch.memory == NULL || vp_manifold_terrain(&(vp_manifold_def){.margin = 0.0f}, body, &reader, &scratch, manifold,
                                                               VP_MANIFOLD_DIRECTIONS, &count, error) != VP_OK;
    vp_terrain_release_reader(&reader);
    free(scratch.memory);
    for (uint32_t m = 0; !failed && m < count; m++)
        for (uint32_t i = 0; i < manifold[m].count; i++) {
            const vp_manifold_point *p = &manifold[m].point[i];
            const vp_vec3 at = vp_vec3_add(body->pose.position, p->on_triangle);
            printf("chunk %u: %.3f deep at (%.3f, %.3f, %.3f), out along (%g, %g, %g), on material %u\n", p->at.chunk, -(double)p->distance,
                   (double)at.x, (double)at.y, (double)at.z, (double)p->normal.x + 0.0, (double)p->normal.y + 0.0,
                   (double)p->normal.z + 0.0, p->material);
        }
    return failed;
}

/* A body wholly inside has no contacts, so a buried centre is moved out first. Outside the surface this does nothing. */
static int push_out(vp_terrain *terrain, const char *name, vp_vec3 centre, vp_error *error)
{
    vp_push_out push;
    const int failed = vp_push_out_of_terrain(terrain, centre, 8, 1u << VP_SIDE_Y_LOW, &push, error) != VP_OK;
    if (!failed && push.end == VP_PUSH_OUT_FREE)
        printf("the %s's centre is in front of the surface\n", name);
    if (!failed && push.end == VP_PUSH_OUT_FOUND)
        printf("the %s's centre is %.3f behind the surface, and moves by (%.3f, %.3f, %.3f)\n", name, (double)push.distance,
               (double)push.by.x, (double)push.by.y, (double)push.by.z);
    return failed;
}

int main(void)
{
    const vp_voxel rock = {.material = 2, .occupancy = 255}, air = {.material = 0, .occupancy = 0};
    const vp_collide_shape box = vp_collide_box((vp_vec3){4.0f, 0.5f, 1.0f});
    const vp_manifold_body body = {&box, vp_pose_at((vp_vec3){16.0f, 8.375f, 12.0f})};
    vp_world *world = NULL;
    vp_terrain *terrain = NULL;
    vp_error error = {VP_E_MEMORY, "no memory"};
    const int failed = vp_world_create(&(vp_world_def){.size = {32, 32, 32}}, &world, &error) != VP_OK ||
                       vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error) != VP_OK ||
                       vp_terrain_fill_box(terrain, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, 8, 32}, rock, NULL, &error) != VP_OK ||
                       vp_terrain_fill_box(terrain, (vp_ivec3){14, 4, 0}, (vp_ivec3){18, 8, 32}, air, NULL, &error) != VP_OK ||
                       run(terrain, &body, &error) != 0 || push_out(terrain, "box", body.pose.position, &error) != 0 ||
                       push_out(terrain, "ball", (vp_vec3){8.0f, 6.5f, 12.0f}, &error) != 0;
    if (failed)
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
    return failed;
}
