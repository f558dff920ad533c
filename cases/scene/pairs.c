/* SPDX-License-Identifier: MIT */
/* The case of the pairs of a scene, see cases/scene/queries.c. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cases/scene/search.h"
#include "src/core/error.h"

static vp_status make_pairs(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = vp_scene_search_begin(data, variant, arena, out, error);
    vp_scene_search *w = *out;
    if (status != VP_OK)
        return status;
    const uint32_t items = vp_scene_items(w->scene);
    w->capacity = items <= 512 ? items * items / 2 + 1 : (items <= 10000 ? 64u : 8u) * items;
    w->count = vp_arena_output(arena, 1, sizeof *w->count, alignof(uint32_t), 0);
    w->pair = vp_arena_lists(arena, 1, w->capacity, sizeof *w->pair, alignof(vp_spheretree_pair), true, &w->stride);
    return VP_OK;
}

/* All pairs fit into the list. */
static bool takes_pairs(const vp_data *data, uint32_t variant)
{
    const vp_scene_set *scene = data->set;
    const bool crowded = strncmp(data->name, "concentric", 10) == 0 || strncmp(data->name, "one-place", 9) == 0;
    return vp_scene_search_takes(data, variant) && (!crowded || scene->count <= 512);
}

typedef struct paired {
    const vp_scene_search *w;
    uint32_t count;
} paired;

static void take_pair(void *user, uint32_t a, uint32_t b)
{
    paired *p = user;
    if (!vp_scene_items_touch(p->w->scene, a, b))
        return;
    if (p->count < p->w->capacity)
        p->w->pair[p->count] = (vp_spheretree_pair){{a, VP_SPHERETREE_NONE}, {b, VP_SPHERETREE_NONE}};
    p->count++;
}

static uint64_t pair_all(const vp_setting *how, const vp_scene_search *w, vp_spheretree_cost *cost)
{
    const vp_spheretree_query query = {.mask = UINT32_MAX, .cost = cost};
    if (w->sweep == NULL) {
        *w->count = how->kernels->scene_pairs(&w->tree, &query, w->pair, w->capacity);
        return 0;
    }
    paired p = {w, 0};
    const uint64_t looked = vp_sweep_pairs(w->sweep, take_pair, &p);
    *w->count = p.count;
    return looked;
}

VP_RUN(run_pairs, const vp_scene_search, vp_scene_items(w->scene), pair_all(how, w, NULL))

static int by_pair(const void *a, const void *b)
{
    const vp_spheretree_pair *x = a, *y = b;
    const int first = vp_scene_by_item(&x->a, &y->a);
    return first != 0 ? first : vp_scene_by_item(&x->b, &y->b);
}

static vp_spheretree_pair *pairs_in_order(const vp_scene_search *w, uint32_t *count)
{
    *count = *w->count < w->capacity ? *w->count : w->capacity;
    const size_t bytes = ((size_t)*count + 1) * sizeof(vp_spheretree_pair);
    vp_spheretree_pair *copy = vp_must(malloc(bytes), bytes);
    memcpy(copy, w->pair, *count * sizeof *copy);
    qsort(copy, *count, sizeof *copy, by_pair);
    return copy;
}

static void record_pairs(const void *argument, vp_records *out)
{
    const vp_scene_search *w = argument;
    uint32_t count;
    vp_spheretree_pair *pair = pairs_in_order(w, &count);
    vp_records_put_words(out, pair, 4 * (size_t)count);
    free(pair);
    vp_record_u32(*w->count, out);
}

enum { MANY = 20000 /* more spheres are judged by sweep-and-prune, because all pairs would take minutes */ };

static vp_status judge_many(const vp_scene_search *w, vp_error *error)
{
    const size_t bytes = ((size_t)w->capacity + 1) * sizeof *w->pair;
    vp_scene_search right = *w;
    paired p = {&right, 0};
    uint32_t found;
    vp_sweep *sweep = vp_must(vp_sweep_create(w->scene->sphere, w->scene->count, 1), w->scene->count);
    right.pair = vp_must(malloc(bytes), bytes);
    vp_sweep_pairs(sweep, take_pair, &p);
    vp_sweep_destroy(sweep);
    vp_spheretree_pair *pair = pairs_in_order(w, &found);
    qsort(right.pair, p.count < w->capacity ? p.count : w->capacity, sizeof *pair, by_pair);
    const bool equal = p.count == *w->count && memcmp(pair, right.pair, found * sizeof *pair) == 0;
    free(pair);
    free(right.pair);
    return equal ? VP_OK : vp_fail(error, VP_E_FORMAT, "%u pairs touch each other, not these %u", p.count, *w->count);
}

static vp_status judge_pairs(const void *argument, uint32_t step, vp_error *error)
{
    const vp_scene_search *w = argument;
    uint32_t found, n = 0;
    vp_status status = VP_OK;
    if (w->scene->count > MANY && w->scene->mesh.triangle_count == 0)
        return judge_many(w, error);
    vp_spheretree_pair *pair = pairs_in_order(w, &found);
    for (uint32_t a = 0; status == VP_OK && a < w->scene->count; a++)
        for (uint32_t b = a + 1; status == VP_OK && b < vp_scene_items(w->scene); b++)
            if (vp_scene_items_touch(w->scene, a, b)) {
                const vp_spheretree_pair want = {vp_scene_item_number(w->scene, a), vp_scene_item_number(w->scene, b)};
                if (n >= found || by_pair(&pair[n++], &want) != 0)
                    status = vp_fail(error, VP_E_FORMAT, "objects %u and %u touch each other, which isn't told", a, want.b.object);
            }
    free(pair);
    return status != VP_OK || n == *w->count ? status : vp_fail(error, VP_E_FORMAT, "%u pairs touch each other, not %u", n, *w->count);
}

static void look_pairs(const void *argument, vp_counters *out)
{
    const vp_scene_search *w = argument;
    const vp_kernels scalar = vp_scalar_kernels();
    const vp_setting how = {&scalar, NULL};
    vp_spheretree_cost cost = {0, 0};
    cost.tests += pair_all(&how, w, &cost);
    vp_scene_search_count(w, &cost, (double)vp_scene_items(w->scene), out);
}

const vp_case vp_case_scene_pairs = VP_SCENE_CASE(takes_pairs, make_pairs, run_pairs, record_pairs, judge_pairs, look_pairs);
