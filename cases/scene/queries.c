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

/* The cases of rays through a scene, see cases/scene/queries.c. */

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
JUDGE(judge_any, w->count[i] != (count > 0), "ray %u: the answer is %u, but %u items are hit", i, w->count[i], count)
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

/* The case of the pairs of a scene, see cases/scene/queries.c. */

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
                    status = vp_fail(error, VP_E_FORMAT, "objects %u and %u touch each other, but are not reported", a, want.b.object);
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
