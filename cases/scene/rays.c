/* SPDX-License-Identifier: MIT */
/* The cases of rays through a scene, see cases/scene/queries.c. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "cases/scene/search.h"
#include "src/core/error.h"

enum { HITS = 32 /* of a list of hits */ };

/* ---- answers of a baseline ---- */

typedef struct hit_candidate {
    const vp_scene_search *w;
    uint32_t question, count;
    vp_spheretree_hit *hit;
    float s; /* of the nearest */
} hit_candidate;

/* The box of a ray's projections on the axes. A diagonal ray without end leaves an eighth of space. */
static void box_of_ray(const vp_ray *ray, double low[3], double high[3])
{
    const double o[3] = {(double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z};
    const double d[3] = {(double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z};
    for (int k = 0; k < 3; k++) {
        const double end = d[k] == 0 ? o[k] : o[k] + d[k] * (double)ray->t_max;
        const double slack = 1e-3 * (fabs(o[0]) + fabs(o[1]) + fabs(o[2]) + 1);
        low[k] = fmin(o[k], end) - slack;
        high[k] = fmax(o[k], end) + slack;
    }
}

static bool take_closest(void *user, uint32_t object)
{
    hit_candidate *c = user;
    vp_spheretree_hit hit;
    float s;
    if (vp_scene_item_met(c->w->scene, c->w->asked, c->question, object, &s, &hit) &&
        (c->count == 0 || vp_scene_hit_is_before(s, hit.item, c->s, c->hit->item))) {
        c->count = 1;
        c->s = s;
        *c->hit = hit;
    }
    return true;
}

static bool take_first(void *user, uint32_t object)
{
    hit_candidate *c = user;
    vp_spheretree_hit hit;
    float s;
    c->count += vp_scene_item_met(c->w->scene, c->w->asked, c->question, object, &s, &hit);
    return c->count == 0;
}

/* Inserts a hit by ascending t, then item. The list keeps at most HITS. @return the number of all hits */
static uint32_t insert(vp_spheretree_hit hit[HITS], uint32_t count, const vp_spheretree_hit *found)
{
    uint32_t at = count < HITS ? count : HITS;
    for (; at > 0 && vp_scene_hit_is_before(found->t, found->item, hit[at - 1].t, hit[at - 1].item); at--)
        if (at < HITS)
            hit[at] = hit[at - 1];
    if (at < HITS)
        hit[at] = *found;
    return count + 1;
}

static bool take_all(void *user, uint32_t object)
{
    hit_candidate *c = user;
    vp_spheretree_hit hit;
    float s;
    if (!vp_scene_item_met(c->w->scene, c->w->asked, c->question, object, &s, &hit))
        return true;
    c->count = insert(c->hit, c->count, &hit);
    return true;
}

/* ---- rays ---- */

VP_MAKE_OUTPUT(make_rays, vp_scene_search_begin, vp_scene_search, hit, vp_spheretree_hit, VP_SCENE_QUERIES)

VP_MAKE_OUTPUT(make_any, vp_scene_search_begin, vp_scene_search, count, uint32_t, VP_SCENE_QUERIES)

static vp_status make_all(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = make_any(data, variant, arena, out, error);
    vp_scene_search *w = *out;
    if (status != VP_OK)
        return status;
    w->capacity = HITS;
    w->hit = vp_arena_lists(arena, w->asked->count, HITS, sizeof *w->hit, alignof(vp_spheretree_hit), true, &w->stride);
    return VP_OK;
}

typedef enum asked_of_rays { CLOSEST, ANY, ALL_HITS } asked_of_rays;

static uint64_t meet_all(const vp_setting *how, const vp_scene_search *w, asked_of_rays what, vp_spheretree_cost *cost)
{
    uint64_t tests = 0;
    for (uint32_t i = 0; i < w->asked->count; i++) {
        const vp_ray *ray = &w->asked->ray[i];
        vp_spheretree_query query = w->asked->query[i];
        query.cost = cost;
        if (w->sweep != NULL) {
            hit_candidate c = {.w = w,
                               .question = i,
                               .hit = what == CLOSEST    ? &w->hit[i]
                                      : what == ALL_HITS ? w->hit + i * w->stride
                                                         : NULL};
            double low[3], high[3];
            box_of_ray(ray, low, high);
            if (what == CLOSEST)
                w->hit[i] = (vp_spheretree_hit){ray->t_max, {VP_SPHERETREE_NONE, VP_SPHERETREE_NONE}, 0, 0};
            tests += vp_sweep_box(w->sweep, low, high, what == CLOSEST ? take_closest : what == ANY ? take_first : take_all, &c);
            if (what != CLOSEST)
                w->count[i] = c.count;
        } else if (what == CLOSEST) {
            w->hit[i] = how->kernels->scene_ray(&w->tree, ray, &query);
        } else if (what == ANY) {
            w->count[i] = how->kernels->scene_ray_any(&w->tree, ray, &query);
        } else {
            w->count[i] = how->kernels->scene_ray_all(&w->tree, ray, &query, w->hit + i * w->stride, HITS);
        }
    }
    return tests;
}

static void put_hit(const vp_spheretree_hit *hit, vp_records *out)
{
    const vp_hit floats = {hit->t, (int32_t)hit->item.object, hit->u, hit->v};
    vp_records_put_words(out, &floats, 4);
    vp_records_put_words(out, &hit->item.triangle, 1);
}

static void record_rays(const void *argument, vp_records *out)
{
    const vp_scene_search *w = argument;
    for (uint32_t i = 0; i < w->asked->count; i++) {
        put_hit(&w->hit[i], out);
        vp_records_end(out);
    }
}

VP_RECORD_EACH(record_any, vp_scene_search, w->asked->count, vp_record_u32(w->count[i], out))

static void record_all(const void *argument, vp_records *out)
{
    const vp_scene_search *w = argument;
    for (uint32_t i = 0; i < w->asked->count; i++) {
        for (uint32_t k = 0; k < w->count[i] && k < HITS; k++)
            put_hit(&w->hit[i * w->stride + k], out);
        vp_record_u32(w->count[i], out);
    }
}

/* The hits of a question by ascending t, then item, at most HITS. @return the number of all */
static uint32_t right_hits(const vp_scene_search *w, uint32_t question, vp_spheretree_hit hit[HITS], vp_spheretree_hit *closest)
{
    uint32_t count = 0;
    float best = INFINITY;
    *closest = (vp_spheretree_hit){w->asked->ray[question].t_max, {VP_SPHERETREE_NONE, VP_SPHERETREE_NONE}, 0, 0};
    for (uint32_t k = 0; k < vp_scene_items(w->scene); k++) {
        vp_spheretree_hit found;
        float s;
        if (!vp_scene_item_met(w->scene, w->asked, question, k, &s, &found))
            continue;
        if (count == 0 || s < best) { /* the first of equal ones, because items are in order */
            best = s;
            *closest = found;
        }
        count = insert(hit, count, &found);
    }
    return count;
}

/* Defines a judge that finds the right hits of each ray, and fails with a message if `wrong`. */
#define JUDGE(name, wrong, ...)                                                                                                            \
    static vp_status name(const void *argument, uint32_t step, vp_error *error)                                                            \
    {                                                                                                                                      \
        const vp_scene_search *w = argument;                                                                                               \
        for (uint32_t i = 0; i < w->asked->count; i++) {                                                                                   \
            vp_spheretree_hit hits[HITS], closest;                                                                                         \
            const uint32_t count = right_hits(w, i, hits, &closest);                                                                       \
            if (wrong)                                                                                                                     \
                return vp_fail(error, VP_E_FORMAT, __VA_ARGS__);                                                                           \
        }                                                                                                                                  \
        return VP_OK;                                                                                                                      \
    }
JUDGE(judge_rays, memcmp(&closest, &w->hit[i], sizeof closest) != 0, "ray %u, of %u hits, meets object %u at %g, not object %u at %g", i,
      count, closest.item.object, (double)closest.t, w->hit[i].item.object, (double)w->hit[i].t)
JUDGE(judge_any, w->count[i] != (count > 0), "ray %u: %u is told, and %u hits are right", i, w->count[i], count)
JUDGE(judge_all, count != w->count[i] || memcmp(hits, w->hit + i * w->stride, (count < HITS ? count : HITS) * sizeof *hits) != 0,
      "ray %u meets %u in another order, or not %u", i, count, w->count[i])

#define RAYS(name, what)                                                                                                                   \
    static vp_status run_##name(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                    \
    {                                                                                                                                      \
        meet_all(how, argument, what, NULL);                                                                                               \
        *items = ((const vp_scene_search *)argument)->asked->count;                                                                        \
        return VP_OK;                                                                                                                      \
    }                                                                                                                                      \
    static void look_##name(const void *argument, vp_counters *out)                                                                        \
    {                                                                                                                                      \
        const vp_kernels scalar = vp_scalar_kernels();                                                                                     \
        const vp_setting how = {&scalar, NULL};                                                                                            \
        vp_spheretree_cost cost = {0, 0};                                                                                                  \
        cost.tests += meet_all(&how, argument, what, &cost);                                                                               \
        vp_scene_search_count(argument, &cost, ((const vp_scene_search *)argument)->asked->count, out);                                    \
    }
RAYS(rays, CLOSEST)
RAYS(any, ANY)
RAYS(all, ALL_HITS)

const vp_case vp_case_scene_ray = VP_SCENE_CASE(vp_scene_search_takes, make_rays, run_rays, record_rays, judge_rays, look_rays);
const vp_case vp_case_scene_ray_any = VP_SCENE_CASE(vp_scene_search_takes, make_any, run_any, record_any, judge_any, look_any);
const vp_case vp_case_scene_ray_all = VP_SCENE_CASE(vp_scene_search_takes, make_all, run_all, record_all, judge_all, look_all);
