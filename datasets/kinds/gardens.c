/* SPDX-License-Identifier: MIT */
/* Gardens: ground, insects, seeds of trees and of leaves, and dead cells of all types. */
#include "datasets/gardens.h"

#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/kinds/kind.h"
#include "datasets/manifest_data.h"
#include "datasets/random.h"
#include "src/core/error.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct vp_garden_params {
    float width, height, depth;
    float steps;
    float relief;  /* the ground is 1 to `relief` cells high; 0: no ground */
    float insects; /* number per species */
    float trees;
    float clumps; /* number of clumps of leaves */
    float fill;   /* share of dead cells above the ground, of any species */
} vp_garden_params;

static const vp_param params[] = {VP_PARAM_WHOLE(vp_garden_params, width, 1, VP_AUTOMATON_MAX_EDGE),
                                  VP_PARAM_WHOLE(vp_garden_params, height, 1, VP_AUTOMATON_MAX_EDGE),
                                  VP_PARAM_WHOLE(vp_garden_params, depth, 1, VP_AUTOMATON_MAX_EDGE),
                                  VP_PARAM_WHOLE(vp_garden_params, steps, 1, 10000),
                                  VP_PARAM_WHOLE(vp_garden_params, relief, 0, 256),
                                  VP_PARAM_WHOLE(vp_garden_params, insects, 0, 1 << 20),
                                  VP_PARAM_WHOLE(vp_garden_params, trees, 0, 1 << 16),
                                  VP_PARAM_WHOLE(vp_garden_params, clumps, 0, 1 << 16),
                                  VP_PARAM(vp_garden_params, fill, 0, 1),
                                  {0}};

static size_t cells_of(const vp_garden *g)
{
    return (size_t)g->size.x * g->size.y * g->size.z;
}

static void destroy(vp_garden *g)
{
    free(g->cell);
    free(g->memory);
}

VP_KIND_DROP(destroy)

/* Moves an automaton's state into the garden and destroys the automaton. Does nothing without an automaton or after an
 * error. */
static vp_status take(vp_automaton *a, vp_status status, uint64_t seed, uint32_t steps, vp_garden *g, vp_error *error)
{
    const uint32_t living = status == VP_OK ? vp_automaton_living_count(a) : 0;
    if (status == VP_OK) {
        *g = (vp_garden){.size = vp_automaton_size(a), .seed = seed, .steps = steps, .living = living};
        g->cell = malloc(cells_of(g));
        g->memory = malloc(((size_t)living + 1) * sizeof *g->memory);
        status = g->cell != NULL && g->memory != NULL ? vp_automaton_read(a, (vp_ivec3){0, 0, 0}, g->size, g->cell, error)
                                                      : vp_fail(error, VP_E_MEMORY, "no memory for a garden");
    }
    for (uint32_t i = 0; status == VP_OK && i < living; i++) {
        vp_ivec3 at;
        g->memory[i] = vp_automaton_living_cell(a, i, &at).memory;
    }
    vp_automaton_destroy(a);
    return status;
}

/* ---- making ---- */

/* Adds ground and dead cells, layer by layer. */
static vp_status put_dead(vp_automaton *a, const vp_garden_params *p, vp_random *r, vp_error *error)
{
    const vp_dims s = vp_automaton_size(a);
    const uint32_t row = s.x * s.z, fill = (uint32_t)(p->fill * 65536.0f);
    uint8_t *height = malloc(row);
    vp_ivec3 *at = malloc(row * sizeof *at);
    vp_automaton_cell *cell = malloc(row * sizeof *cell);
    vp_status status = height != NULL && at != NULL && cell != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a garden");
    for (uint32_t i = 0; status == VP_OK && i < row; i++) /* terraces of 8 x 8, some of them one cell higher */
        height[i] = (uint8_t)(p->relief > 0 ? 1 + (i % s.x / 8 * 7 + i / s.x / 8 * 5 + vp_random_below(r, 2)) % (uint32_t)p->relief : 0);
    for (uint32_t y = 0; status == VP_OK && y < s.y; y++) {
        size_t count = 0;
        for (uint32_t i = 0; i < row; i++) {
            at[count] = (vp_ivec3){(int32_t)(i % s.x), (int32_t)y, (int32_t)(i / s.x)};
            cell[count] = (vp_automaton_cell){.type = y < height[i] ? VP_AUTOMATON_GROUND : VP_CELL_EMPTY};
            if (y >= height[i] && fill > 0 && vp_random_below(r, 65536) < fill)
                cell[count].type = (uint8_t)(VP_AUTOMATON_BEETLE + vp_random_below(r, VP_AUTOMATON_BUILTIN_TYPES - VP_AUTOMATON_BEETLE));
            count += cell[count].type != VP_CELL_EMPTY;
        }
        status = vp_automaton_set_cells(a, at, cell, count, error);
    }
    free(height);
    free(at);
    free(cell);
    return status;
}

/* Plants `count` of each type. Trees go on top of existing cells, others into any empty place. */
static vp_status plant(vp_automaton *a, const uint8_t *type, uint32_t types, uint32_t count, bool on_top, vp_random *r, vp_error *error)
{
    for (uint32_t i = 0; i < count * types; i++) {
        const vp_dims s = vp_automaton_size(a);
        vp_ivec3 at = vp_random_cell(r, s);
        if (on_top)
            VP_RETURN_IF_FAILED(vp_automaton_find_top(a, at.x, at.z, &at.y, error));
        if ((uint32_t)at.y < s.y && vp_automaton_cell_at(a, at).type == VP_CELL_EMPTY)
            VP_RETURN_IF_FAILED(vp_automaton_plant(a, type[i % types], at, i / types % 2 == 1, error));
    }
    return VP_OK;
}

static vp_status make(const vp_making *from, void **set, vp_error *error)
{
    static const uint8_t insects[] = {VP_AUTOMATON_BEETLE, VP_AUTOMATON_ANT, VP_AUTOMATON_FIREFLY},
                         trees[] = {VP_AUTOMATON_REDWOOD, VP_AUTOMATON_PINE, VP_AUTOMATON_OAK, VP_AUTOMATON_CHERRY},
                         leaves[] = {VP_AUTOMATON_NEEDLE, VP_AUTOMATON_LEAF, VP_AUTOMATON_BLOSSOM};
    const vp_garden_params *p = from->params;
    const vp_automaton_def def = {.size = {(uint32_t)p->width, (uint32_t)p->height, (uint32_t)p->depth}, .seed = from->seed};
    vp_random r = {from->seed};
    vp_automaton *a = NULL;
    vp_status status = vp_automaton_create(&def, &a, error);
    if (status == VP_OK)
        status = put_dead(a, p, &r, error);
    if (status == VP_OK)
        status = plant(a, trees, 4, (uint32_t)p->trees, true, &r, error);
    if (status == VP_OK)
        status = plant(a, leaves, 3, (uint32_t)p->clumps, false, &r, error);
    if (status == VP_OK)
        status = plant(a, insects, 3, (uint32_t)p->insects, false, &r, error);
    return take(a, status, from->seed, (uint32_t)p->steps, *set, error);
}

/* A small, crowded garden with arbitrary memories, which seeds never have. */
static vp_status fuzz(const vp_making *from, void **set, vp_error *error)
{
    vp_random r = {from->seed ^ UINT64_C(0x67617264)};
    vp_dims s;
    s.x = 1 + vp_random_below(&r, 14);
    s.y = 1 + vp_random_below(&r, 14);
    s.z = 1 + vp_random_below(&r, 14);
    const vp_automaton_def def = {.size = s, .seed = vp_random_next(&r)};
    const uint32_t filled = 1 + vp_random_below(&r, 40), steps = 3 + vp_random_below(&r, 6); /* percent */
    vp_automaton *a = NULL;
    vp_status status = vp_automaton_create(&def, &a, error);
    for (uint32_t i = 0; status == VP_OK && i < s.x * s.y * s.z; i++) {
        const vp_ivec3 at = {(int32_t)(i % s.x), (int32_t)(i / s.x / s.z), (int32_t)(i / s.x % s.z)};
        vp_automaton_cell cell = {.type = VP_CELL_EMPTY};
        if (vp_random_below(&r, 100) >= filled)
            continue;
        cell.type = (uint8_t)(VP_AUTOMATON_GROUND + vp_random_below(&r, VP_AUTOMATON_BUILTIN_TYPES - VP_AUTOMATON_GROUND));
        cell.living = cell.type != VP_AUTOMATON_GROUND && vp_random_below(&r, 4) > 0;
        if (cell.living) {
            const uint64_t any = vp_random_next(&r);
            const uint16_t generation = (uint16_t)(any >> 16 & 1023), odd = (uint16_t)(any >> 16);
            cell.memory.tick = vp_random_below(&r, 4) == 0 ? UINT16_MAX : (uint16_t)vp_random_below(&r, 16);
            cell.memory.generation = vp_random_below(&r, 8) == 0 ? odd : generation;
            cell.memory.resource = (uint32_t)(any >> 32);
            if (vp_random_below(&r, 2) == 0) /* a target that is near */
                cell.memory.resource &= UINT32_C(0xc0000000) | 7 | 7 << 10 | 7 << 20;
        }
        status = vp_automaton_set_cells(a, &at, &cell, 1, error);
    }
    return take(a, status, def.seed, steps, *set, error);
}

/* ---- the kind ---- */

static uint64_t count(const void *set)
{
    return cells_of(set);
}

static void hash(const void *set, vp_hasher *h)
{
    const vp_garden *g = set;
    const uint32_t head[] = {g->size.x, g->size.y, g->size.z, (uint32_t)g->seed, (uint32_t)(g->seed >> 32), g->steps, g->living};
    vp_hash_words(h, head, sizeof head / sizeof head[0]);
    vp_hash_bytes(h, g->cell, cells_of(g));
    for (uint32_t i = 0; i < g->living; i++) {
        vp_hash_u32(h, (uint32_t)g->memory[i].tick << 16 | g->memory[i].generation);
        vp_hash_u32(h, g->memory[i].resource);
    }
}

/* Writes a line of common properties, then runs of equal cells, then the memories of living cells. */
static void lines(const void *set, vp_text *to)
{
    const vp_garden *g = set;
    vp_text_add(to, "{\"size\": [%u, %u, %u], \"seed\": \"%llu\", \"steps\": %u}\n", g->size.x, g->size.y, g->size.z,
                (unsigned long long)g->seed, g->steps);
    uint32_t living = 0;
    for (size_t i = 0, end; i < cells_of(g); i = end) {
        const bool lives = g->cell[i] >= VP_CELL_LIVING;
        for (end = i + 1; end < cells_of(g) && g->cell[end] == g->cell[i] && !lives;)
            end++;
        vp_text_add(to, "{\"cells\": %zu, \"type\": %d", end - i, g->cell[i] & 127);
        if (lives) {
            const vp_automaton_cell_memory *m = &g->memory[living++];
            vp_text_add(to, ", \"tick\": %u, \"generation\": %u, \"resource\": %u", m->tick, m->generation, m->resource);
        }
        vp_text_add(to, "}\n");
    }
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_garden *g = data->set;
    size_t empty = 0;
    (void)error;
    for (size_t i = 0; i < cells_of(g); i++)
        empty += g->cell[i] == VP_CELL_EMPTY;
    *out = json_pack("{s:I, s:I, s:I, s:i}", "cells", (json_int_t)cells_of(g), "empty", (json_int_t)empty, "living", (json_int_t)g->living,
                     "steps", (int)g->steps);
    return VP_OK;
}

static const vp_generator generators[] = {{.name = "garden", .param = params, .make = make}, {0}};

const vp_kind vp_kind_gardens = {
    .name = "gardens",
    .words = "gardens",
    .bytes = sizeof(vp_garden),
    .one = "garden",
    .member = (const char *const[]){"params", "on_demand", "hash", NULL},
    .generator = generators,
    .fuzz = fuzz,
    .count = count,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
