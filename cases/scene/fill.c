/* SPDX-License-Identifier: MIT */
/* The case that makes a wide tree of all objects of a scene, at once or one by one. Judged by queries, whose results are those of testing
 * every item. */
#include <stdalign.h>
#include <stdlib.h>

#include "cases/scene/search.h"
#include "src/core/error.h"

typedef struct fill_work {
    const vp_scene_set *scene;
    bool one_by_one;
    const vp_allocator *allocator;
    vp_spheretree *tree;
    vp_spheretree_object *object;
    uint32_t *id;
    vp_scene_questions asked;
} fill_work;

static vp_status make_fill(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    fill_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(fill_work));
    w->scene = data->set;
    w->one_by_one = variant == 1;
    w->allocator = vp_arena_allocator(arena);
    w->tree = NULL;
    w->object = vp_arena_keep(arena, w->scene->count + 1u, sizeof *w->object, alignof(vp_spheretree_object));
    w->id = vp_arena_keep(arena, w->scene->count + 1u, sizeof *w->id, alignof(uint32_t));
    for (uint32_t i = 0; i < w->scene->count; i++)
        w->object[i] = (vp_spheretree_object){w->scene->sphere[i], vp_scene_data_of(i), w->scene->mask[i], 0};
    vp_scene_ask(w->scene, &w->asked);
    return VP_OK;
}

static void drop_fill(void *argument)
{
    fill_work *w = argument;
    vp_spheretree_destroy(w->tree);
    w->tree = NULL;
}

static vp_status rewind_fill(const vp_setting *how, void *argument, vp_error *error)
{
    drop_fill(argument);
    return VP_OK;
}

static vp_status run_fill(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    fill_work *w = argument;
    const vp_spheretree_def def = {.form = VP_SPHERETREE_WIDE, .kernels = how->kernels, .allocator = w->allocator};
    vp_status status = vp_spheretree_create(&def, &w->tree, error);
    if (status == VP_OK && !w->one_by_one)
        status = vp_spheretree_build(w->tree, w->object, w->scene->count, error);
    for (uint32_t i = 0; w->one_by_one && status == VP_OK && i < w->scene->count; i++)
        status = vp_spheretree_insert(w->tree, &w->object[i], &w->id[i], error);
    if (status == VP_OK && w->scene->mesh.triangle_count > 0)
        status = vp_spheretree_insert_mesh(w->tree, &w->scene->mesh, vp_scene_data_of(w->scene->count), w->scene->mask[w->scene->count],
                                           &w->id[w->scene->count], error);
    *items = w->scene->count;
    return status;
}

/* The items that question i finds, in order. The caller frees them. */
static vp_spheretree_item *found_by(const fill_work *w, uint32_t i, uint32_t *count)
{
    const uint32_t capacity = vp_scene_items(w->scene);
    vp_spheretree_item *item = vp_must(malloc(((size_t)capacity + 1) * sizeof *item), capacity);
    *count = 0;
    vp_spheretree_sphere(w->tree, &w->asked.sphere[i], &w->asked.query[i], item, capacity, count, NULL);
    qsort(item, *count, sizeof *item, vp_scene_by_item);
    return item;
}

static void record_fill(const void *argument, vp_records *out)
{
    const fill_work *w = argument;
    for (uint32_t i = 0; i < w->asked.count; i++) {
        uint32_t count;
        vp_spheretree_item *item = found_by(w, i, &count);
        vp_records_put_words(out, item, 2 * (size_t)count);
        vp_records_end(out);
        free(item);
    }
}

static vp_status judge_fill(const void *argument, uint32_t step, vp_error *error)
{
    const fill_work *w = argument;
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < w->asked.count; i++) {
        uint32_t count;
        vp_spheretree_item *item = found_by(w, i, &count);
        status = vp_scene_judge_items(w->scene, &w->asked, VP_ASK_SPHERE, i, item, count, count, error);
        free(item);
    }
    return status;
}

static void count_fill(const void *argument, vp_counters *out)
{
    const fill_work *w = argument;
    const vp_spheretree_stats s = vp_spheretree_stats_of(w->tree);
    vp_count(out, "depth", (double)s.depth);
    vp_count(out, "bytes_per_object", (double)s.bytes / (double)s.objects);
}

static const char *const ways[] = {"built", "one-by-one", NULL};
static const char *const notes[] = {", at once", ", one by one"};
static const vp_measured fills[] = {VP_ON("uniform/1000", 3, VP_TIMED | VP_ENDS), VP_ON("uniform/10000", 3, VP_TIMED | VP_ENDS),
                                    VP_ON("hills/10000", 3, VP_TIMED | VP_ENDS),  VP_ON("uniform/100000", 3, VP_TIMED | VP_ENDS),
                                    VP_ON("hill-triangles", 3, VP_VERIFIED),      {.data = NULL}};

const vp_case vp_case_scene_fill = {.kind = &vp_kind_scenes,
                                    .variant = ways,
                                    .make = make_fill,
                                    .rewind = rewind_fill,
                                    .run = run_fill,
                                    .records = record_fill,
                                    .judge = judge_fill,
                                    .counters = count_fill,
                                    .drop = drop_fill,
                                    .notes = notes,
                                    .copes = true,
                                    .measured = fills};
