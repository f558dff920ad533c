/* SPDX-License-Identifier: MIT */
/* A scene with a terrain's triangles and three balls in one sphere tree. A ball moves, a ray is cast, and the overlapping pairs are
 * printed. */
#include <stdio.h>

#include <voxphys/voxphys.h>

enum { BALLS = 3 };

static int run(vp_mesh *ground, vp_spheretree **scene, vp_error *error)
{
    const vp_voxel rock = {.material = 2, .occupancy = 255};
    const vp_ray down = {.origin = {20.5f, 30.0f, 20.25f}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = 100.0f};
    vp_world *world = NULL;
    vp_spheretree_hit hit;
    vp_spheretree_pair pair[16];
    uint32_t terrain, ball[BALLS], count, on_ground = 0;

    if (vp_world_create(&(vp_world_def){.size = {64, 32, 64}}, &world, error) != VP_OK)
        return 1;
    const int failed = vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){64, 8, 64}, rock, NULL, error) != VP_OK ||
                       vp_mesh_create(&(vp_mesh_def){.world = world}, ground, error) != VP_OK;
    vp_world_destroy(world);
    if (failed)
        return 1;
    /* The tree refers to the mesh's arrays, which must stay valid. */
    const vp_triangles triangles = {ground->vertex, ground->quad[0], ground->vertex_count, 2 * ground->quad_count, true};
    if (vp_spheretree_create(&(vp_spheretree_def){.rule = VP_SPHERETREE_LEAST}, scene, error) != VP_OK ||
        vp_spheretree_insert_mesh(*scene, &triangles, 0, 1, &terrain, error) != VP_OK)
        return 1;
    for (uint32_t i = 0; i < BALLS; i++) {
        const vp_spheretree_object object = {{{10.5f + 10.0f * (float)i, 12.0f, 20.25f}, 1.5f}, .data = 100 + i, .mask = 1};
        if (vp_spheretree_insert(*scene, &object, &ball[i], error) != VP_OK)
            return 1;
    }

    /* Moves the first ball next to the second. Queries allocate no memory, and any number of threads may query at once. */
    if (vp_spheretree_move(*scene, ball[0], &(vp_sphere){{18.0f, 10.5f, 20.25f}, 1.5f}, error) != VP_OK ||
        vp_spheretree_ray(*scene, &down, NULL, &hit, error) != VP_OK)
        return 1;
    printf("the ray meets object %u after %g\n", hit.item.object, (double)hit.t);
    if (vp_spheretree_remove(*scene, ball[1], error) != VP_OK || vp_spheretree_ray(*scene, &down, NULL, &hit, error) != VP_OK)
        return 1;
    printf("without that ball it meets the %s after %.3f\n", hit.item.object == terrain ? "terrain" : "other balls", (double)hit.t);
    if (vp_spheretree_move(*scene, ball[2], &(vp_sphere){{20.5f, 9.25f, 20.25f}, 1.5f}, error) != VP_OK ||
        vp_spheretree_pairs(*scene, NULL, pair, 16, &count, error) != VP_OK)
        return 1;
    for (uint32_t i = 0; i < count && i < 16; i++)
        if (pair[i].a.object != terrain)
            printf("balls %u and %u touch\n", pair[i].a.object, pair[i].b.object);
        else
            on_ground++;
    printf("%u triangles of the terrain are touched\n", on_ground);
    const vp_spheretree_stats stats = vp_spheretree_stats_of(*scene);
    printf("%u objects in %u leaves\n", stats.objects, stats.leaves);
    return 0;
}

int main(void)
{
    vp_mesh ground = {0};
    vp_spheretree *scene = NULL;
    vp_error error;
    const int exit_code = run(&ground, &scene, &error);
    if (exit_code != 0)
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
    vp_spheretree_destroy(scene);
    vp_mesh_destroy(&ground);
    return exit_code;
}
