/* SPDX-License-Identifier: MIT */
/* The cases of objects that touch a sphere, a box or a triangle. A variant is a way to search the scene, a tree or a baseline, with the
 * same answers. Judged by testing every object and triangle. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cases/scene/search.h"
#include "src/core/error.h"

static vp_status make_lists(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = vp_scene_search_begin(data, variant, arena, out, error);
    vp_scene_search *w = *out;
    if (status != VP_OK)
        return status;
    const uint32_t items = vp_scene_items(w->scene);
    w->capacity = items < 10000 ? items + 1 : 1000; /* long lists would be on pages of their own, which costs a fifth of the time */
    w->count = vp_arena_output(arena, w->asked->count, sizeof *w->count, alignof(uint32_t), 0);
    w->item = vp_arena_lists(arena, w->asked->count, w->capacity, sizeof *w->item, alignof(vp_spheretree_item), true, &w->stride);
    return VP_OK;
}

/* ---- answers of a baseline ---- */

typedef struct touch_candidate {
    const vp_scene_search *w;
    vp_asked_shape shape;
    uint32_t question, count;
    vp_spheretree_item *item;
} touch_candidate;

static bool take_item(void *user, uint32_t object)
{
    touch_candidate *c = user;
    if (vp_scene_item_touched(c->w->scene, c->w->asked, c->shape, c->question, object))
        c->item[c->count++] = (vp_spheretree_item){object, VP_SPHERETREE_NONE};
    return true;
}

static void grow_box(double low[3], double high[3], const vp_vec3 at, double by)
{
    const double c[3] = {(double)at.x, (double)at.y, (double)at.z};
    for (int k = 0; k < 3; k++) {
        const double slack = by + (fabs(c[k]) + by) * 0x1p-40;
        low[k] = fmin(low[k], c[k] - slack);
        high[k] = fmax(high[k], c[k] + slack);
    }
}

static void box_of(const vp_scene_questions *asked, vp_asked_shape shape, uint32_t i, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    if (shape == VP_ASK_SPHERE) {
        grow_box(low, high, asked->sphere[i].centre, (double)asked->sphere[i].radius);
    } else if (shape == VP_ASK_BOX) {
        const vp_aabb *b = &asked->box[i];
        const double min[3] = {(double)b->min.x, (double)b->min.y, (double)b->min.z},
                     max[3] = {(double)b->max.x, (double)b->max.y, (double)b->max.z};
        memcpy(low, min, sizeof min);
        memcpy(high, max, sizeof max);
    } else {
        double most = 0;
        for (int c = 0; c < 3; c++) {
            const vp_vec3 p = asked->triangle[i][c];
            most = fmax(most, fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z))));
        }
        for (int c = 0; c < 3; c++)
            grow_box(low, high, asked->triangle[i][c], most * 0x1p-40);
    }
}

static uint64_t list_all(const vp_setting *how, const vp_scene_search *w, vp_asked_shape shape, vp_spheretree_cost *cost)
{
    uint64_t tests = 0;
    for (uint32_t i = 0; i < w->asked->count; i++) {
        vp_spheretree_item *out = w->item + i * w->stride;
        if (w->sweep != NULL) {
            touch_candidate c = {.w = w, .shape = shape, .question = i, .item = out};
            double low[3], high[3];
            box_of(w->asked, shape, i, low, high);
            tests += vp_sweep_box(w->sweep, low, high, take_item, &c);
            w->count[i] = c.count;
            continue;
        }
        vp_spheretree_query query = w->asked->query[i];
        query.cost = cost;
        if (shape == VP_ASK_SPHERE)
            w->count[i] = how->kernels->scene_sphere(&w->tree, &w->asked->sphere[i], &query, out, w->capacity);
        else if (shape == VP_ASK_BOX)
            w->count[i] = how->kernels->scene_box(&w->tree, &w->asked->box[i], &query, out, w->capacity);
        else
            w->count[i] = how->kernels->scene_triangle(&w->tree, w->asked->triangle[i], &query, out, w->capacity);
    }
    return tests;
}

#define LIST(name, shape)                                                                                                                  \
    static vp_status run_##name(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                    \
    {                                                                                                                                      \
        list_all(how, argument, shape, NULL);                                                                                              \
        *items = ((const vp_scene_search *)argument)->asked->count;                                                                        \
        return VP_OK;                                                                                                                      \
    }                                                                                                                                      \
    static vp_status judge_##name(const void *argument, uint32_t step, vp_error *error)                                                    \
    {                                                                                                                                      \
        return judge_lists(argument, shape, error);                                                                                        \
    }                                                                                                                                      \
    static void look_##name(const void *argument, vp_counters *out)                                                                        \
    {                                                                                                                                      \
        look_at_lists(argument, shape, out);                                                                                               \
    }

/* The items of a list in order. The caller frees them. */
static vp_spheretree_item *in_order(const vp_spheretree_item *item, uint32_t count)
{
    const size_t bytes = ((size_t)count + 1) * sizeof *item;
    vp_spheretree_item *copy = vp_must(malloc(bytes), bytes);
    memcpy(copy, item, count * sizeof *item);
    qsort(copy, count, sizeof *copy, vp_scene_by_item);
    return copy;
}

static void record_lists(const void *argument, vp_records *out)
{
    const vp_scene_search *w = argument;
    for (uint32_t i = 0; i < w->asked->count; i++) {
        const uint32_t count = w->count[i] < w->capacity ? w->count[i] : w->capacity;
        vp_spheretree_item *item = in_order(w->item + i * w->stride, count);
        vp_records_put_words(out, item, 2 * (size_t)count);
        free(item);
        vp_record_u32(w->count[i], out);
    }
}

static vp_status judge_lists(const vp_scene_search *w, vp_asked_shape shape, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < w->asked->count; i++) {
        const uint32_t found = w->count[i] < w->capacity ? w->count[i] : w->capacity;
        vp_spheretree_item *item = in_order(w->item + i * w->stride, found);
        status = vp_scene_judge_items(w->scene, w->asked, shape, i, item, found, w->count[i], error);
        free(item);
    }
    return status;
}

static void look_at_lists(const vp_scene_search *w, vp_asked_shape shape, vp_counters *out)
{
    const vp_kernels scalar = vp_scalar_kernels();
    const vp_setting how = {&scalar, NULL};
    vp_spheretree_cost cost = {0, 0};
    cost.tests += list_all(&how, w, shape, &cost);
    vp_scene_search_count(w, &cost, w->asked->count, out);
}

LIST(sphere, VP_ASK_SPHERE)
LIST(box, VP_ASK_BOX)
LIST(triangle, VP_ASK_TRIANGLE)

const vp_case vp_case_scene_sphere = VP_SCENE_CASE(vp_scene_search_takes, make_lists, run_sphere, record_lists, judge_sphere, look_sphere);
const vp_case vp_case_scene_box = VP_SCENE_CASE(vp_scene_search_takes, make_lists, run_box, record_lists, judge_box, look_box);
const vp_case vp_case_scene_triangle =
    VP_SCENE_CASE(vp_scene_search_takes, make_lists, run_triangle, record_lists, judge_triangle, look_triangle);
