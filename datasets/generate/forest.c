/* SPDX-License-Identifier: MIT */
/* Forests: ground, and trees that an automaton has fully grown. They have thin branches and loose leaves, which terrain lacks. */
#include "datasets/generate/generate.h"

#include <voxphys/automaton.h>

#include "datasets/generate/noise.h"

enum { MARGIN = 20 /* distance from a tree to the border, so that crowns are not cut */, STEPS_MOST = 4000, STEPS_AT_ONCE = 20 };

static vp_status lay_ground(const vp_forest_params *p, vp_random *random, vp_world *world, vp_error *error)
{
    const vp_dims size = vp_world_size(world);
    const vp_noise hills = vp_noise_make(random, 3, p->wavelength);
    vp_status status = VP_OK;
    for (uint32_t z = 0; z < size.z; z++)
        for (uint32_t x = 0; x < size.x && status == VP_OK; x++) {
            const float hill = vp_noise_sum_2d(&hills, (float)x, (float)z) * 0.5f + 0.5f;
            const float height = p->base + p->relief * (hill < 0.0f ? 0.0f : hill > 1.0f ? 1.0f : hill);
            const int32_t top = height < (float)size.y ? (int32_t)height : (int32_t)size.y, at[3] = {0, top - 3, top - 1};
            static const uint8_t of[3] = {VP_STONE, VP_DIRT, VP_GRASS};
            for (int i = 0; i < 3 && status == VP_OK; i++) {
                const vp_ivec3 low = {(int32_t)x, at[i] > 0 ? at[i] : 0, (int32_t)z},
                               high = {(int32_t)x + 1, i < 2 ? at[i + 1] : top, low.z + 1};
                if (high.y > low.y)
                    status = vp_world_fill_box(world, low, high, (vp_voxel){of[i], 255}, NULL, error);
            }
        }
    return status;
}

static uint8_t draw_tree(const vp_forest_params *p, vp_random *random)
{
    const float draw = vp_random_unit(random), half = vp_random_unit(random);
    if (draw < p->redwoods)
        return VP_AUTOMATON_REDWOOD;
    if (draw < p->redwoods + p->oaks)
        return VP_AUTOMATON_OAK;
    return half < 0.5f ? VP_AUTOMATON_PINE : VP_AUTOMATON_CHERRY;
}

/* Plants a seed in each square, near its middle. */
static vp_status plant(const vp_forest_params *p, vp_random *random, vp_automaton *a, vp_error *error)
{
    const vp_dims size = vp_automaton_size(a);
    const uint32_t spacing = (uint32_t)p->spacing;
    vp_status status = VP_OK;
    for (uint32_t cz = 0; cz < size.z / spacing; cz++)
        for (uint32_t cx = 0; cx < size.x / spacing && status == VP_OK; cx++) {
            const uint32_t x = cx * spacing + spacing / 4 + vp_random_below(random, spacing / 2 + 1);
            const uint32_t z = cz * spacing + spacing / 4 + vp_random_below(random, spacing / 2 + 1);
            const uint8_t type = draw_tree(p, random);
            vp_ivec3 at = {(int32_t)x, 0, (int32_t)z};
            if (x < MARGIN || z < MARGIN || x + MARGIN >= size.x || z + MARGIN >= size.z)
                continue;
            status = vp_automaton_find_top(a, at.x, at.z, &at.y, error);
            if (status == VP_OK && (uint32_t)at.y < size.y)
                status = vp_automaton_plant(a, type, at, true, error);
        }
    return status;
}

/* Grows until no cell lives. */
static vp_status grow(vp_automaton *a, const vp_generate_progress *progress, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t step = 0; status == VP_OK && vp_automaton_living_count(a) > 0 && step < STEPS_MOST; step += STEPS_AT_ONCE) {
        status = vp_automaton_run(a, STEPS_AT_ONCE, NULL, error);
        if (progress != NULL)
            progress->report(progress->user, step, STEPS_MOST);
    }
    return status;
}

vp_status vp_generate_forest(const vp_forest_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                             vp_world **out, vp_error *error)
{
    vp_automaton_ground ground = {{VP_CELL_EMPTY}};
    vp_automaton_material_map laying = vp_automaton_material_map_builtin(VP_GROWN);
    vp_random random = {seed};
    vp_world *world = NULL;
    vp_automaton *a = NULL;
    for (int m = VP_WATER; m < 256; m++)
        ground.type[m] = VP_AUTOMATON_GROUND;
    laying.material[VP_CELL_EMPTY] = VP_AUTOMATON_MAP_NOTHING;
    vp_status status = vp_world_create(&(vp_world_def){.size = size}, &world, error);
    if (status == VP_OK)
        status = lay_ground(params, &random, world, error);
    if (status == VP_OK)
        status = vp_automaton_create(&(vp_automaton_def){.size = size, .seed = seed}, &a, error);
    if (status == VP_OK)
        status = vp_automaton_read_world(a, world, (vp_ivec3){0, 0, 0}, &ground, error);
    if (status == VP_OK)
        status = plant(params, &random, a, error);
    if (status == VP_OK)
        status = grow(a, progress, error);
    if (status == VP_OK)
        status = vp_automaton_write_world(a, &laying, world, NULL, error);
    vp_automaton_destroy(a);
    if (status != VP_OK)
        vp_world_destroy(world);
    else
        *out = world;
    return status;
}
