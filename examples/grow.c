/* SPDX-License-Identifier: MIT */
/* An oak grows in a terrain. Each step of the automaton is one edit, and a ray finds the trunk once it exists. */
#include <stdbool.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

enum { ROCK = 2, GROWN = 16 /* material of the first species */, EDGE = 64, CELLS = EDGE * EDGE * EDGE };

static vp_ivec3 at[CELLS]; /* cells of an edit; no step changes more */
static vp_voxel voxel[CELLS];

static int run(vp_world **world, vp_terrain **terrain, vp_automaton **oak, vp_error *error)
{
    const vp_dims size = {EDGE, EDGE, EDGE};
    const vp_ivec3 origin = {0, 0, 0}, seed = {32, 8, 32};
    const vp_automaton_material_map laying = vp_automaton_material_map_builtin(GROWN);
    const vp_automaton_ground ground = {.type = {[ROCK] = VP_AUTOMATON_GROUND}};
    const vp_ray eye = {.origin = {0.0f, 14.5f, 32.5f}, .direction = {1.0f, 0.0f, 0.0f}, .t_max = 64.0f};
    vp_terrain_point seen;
    bool found = false;
    size_t edits;

    if (vp_world_create(&(vp_world_def){.size = size}, world, error) != VP_OK ||
        vp_world_fill_box(*world, origin, (vp_ivec3){EDGE, 8, EDGE}, (vp_voxel){ROCK, 255}, NULL, error) != VP_OK ||
        vp_automaton_create(&(vp_automaton_def){.size = size, .seed = 7}, oak, error) != VP_OK ||
        vp_automaton_read_world(*oak, *world, origin, &ground, error) != VP_OK ||
        vp_automaton_plant(*oak, VP_AUTOMATON_OAK, seed, false, error) != VP_OK ||
        vp_automaton_write_world(*oak, &laying, *world, NULL, error) != VP_OK ||
        vp_terrain_create(&(vp_terrain_def){.world = *world}, terrain, error) != VP_OK)
        return 1;
    while (vp_automaton_living_count(*oak) > 0) {
        /* Until a step is applied, other threads may read the automaton's previous state. */
        if (vp_automaton_step(*oak, NULL, error) != VP_OK)
            return 1;
        if (vp_automaton_list_edits(*oak, &laying, at, voxel, &edits, error) != VP_OK ||
            vp_terrain_set_voxels(*terrain, at, voxel, edits, NULL, error) != VP_OK || vp_automaton_apply(*oak, error) != VP_OK ||
            vp_terrain_raycast_point(*terrain, VP_SURFACE_SOLID, &eye, &seen, error) != VP_OK)
            return 1;
        const unsigned step = (unsigned)vp_automaton_stats_of(*oak).step;
        if (seen.triangle.material == GROWN + VP_AUTOMATON_OAK - VP_AUTOMATON_BEETLE && !found) {
            printf("step %3u: the eye sees the trunk, at x = %.2f\n", step, (double)seen.point.x);
            found = true;
        }
        if (step % 50 == 0)
            printf("step %3u: %u cells live\n", step, vp_automaton_living_count(*oak));
    }
    return 0;
}

int main(void)
{
    vp_world *world = NULL;
    vp_terrain *terrain = NULL;
    vp_automaton *oak = NULL;
    vp_error error;
    const int exit_code = run(&world, &terrain, &oak, &error);
    if (exit_code != 0)
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
    vp_automaton_destroy(oak);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
    return exit_code;
}
