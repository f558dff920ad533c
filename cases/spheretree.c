/* SPDX-License-Identifier: MIT */
/* The cases of what is asked of a scene. A variant is a way to search it: a tree, or a baseline; answers are the same. They are judged by
 * trying every object and triangle. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cases/scene_work.h"
#include "src/core/error.h"

enum { HITS = 32 /* of a list of hits */ };

typedef struct work {
    const vp_scene_set *scene;
    vp_scene_way way;
    const vp_scene_questions *asked;
    vp_scene_tree tree; /* of the arena's inputs */
    vp_spheretree_stats stats;
    const vp_sweep *sweep;
    uint32_t *count; /* of each question; of scene_ray_any whether */
    vp_scene_item *item;
    vp_scene_hit *hit;
    vp_scene_pair *pair;
    size_t stride;
    uint32_t capacity;
} work;

/* ---- what is searched ---- */

typedef struct searched {
    vp_spheretree *tree;
    vp_sweep *sweep;
    vp_scene_questions asked;
} searched;

static void drop_searched(void *argument)
{
    searched *s = argument;
    if (s != NULL) {
        vp_spheretree_destroy(s->tree);
        vp_sweep_destroy(s->sweep);
    }
    free(s);
}

static vp_status make_searched(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_scene_set *scene = from->set;
    vp_kernels scalar;
    searched *s = *out = vp_must(calloc(1, sizeof *s), sizeof *s);
    vp_scene_ask(scene, &s->asked);
    if (variant >= VP_WAY_BRUTE) {
        s->sweep = vp_sweep_create(scene->sphere, scene->count, variant == VP_WAY_BRUTE ? 0 : variant == VP_WAY_SWEEP1 ? 1 : 3);
        return s->sweep != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "%s: no memory for intervals", from->name);
    }
    const vp_status status = vp_kernels_named("scalar", &scalar, error);
    return status == VP_OK ? vp_scene_fill(scene, (vp_scene_way)variant, &scalar, NULL, &s->tree, error) : status;
}

static const vp_derivation derivation = {"sphere tree", make_searched, drop_searched};

static const void *input(vp_arena *arena, const void *from, size_t count, size_t size, size_t alignment)
{
    return count > 0 ? vp_arena_input(arena, from, count, size, alignment, 0) : NULL;
}

static vp_status begin(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const void *made;
    const vp_status status = vp_data_derive(data, &derivation, variant, &made, error);
    if (status != VP_OK)
        return status;
    const searched *s = made;
    work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(work));
    w->scene = data->set;
    w->way = (vp_scene_way)variant;
    w->asked = vp_arena_input(arena, &s->asked, 1, sizeof s->asked, alignof(vp_scene_questions), 0);
    w->sweep = s->sweep;
    if (s->tree == NULL)
        return VP_OK;
    const vp_scene_tree *tree = vp_spheretree_view_of(s->tree);
    w->stats = vp_spheretree_stats_of(s->tree);
    w->tree = *tree;
    w->tree.node = (vp_scene_node *)(uintptr_t)input(arena, tree->node, w->stats.nodes, sizeof *tree->node, alignof(vp_scene_node));
    w->tree.object = input(arena, tree->object, w->stats.objects, sizeof *tree->object, alignof(vp_scene_object));
    if (w->scene->mesh.triangle_count > 0) {
        const vp_triangles *t = &w->scene->mesh;
        vp_scene_mesh *mesh = vp_arena_keep(arena, 1, sizeof *mesh, alignof(vp_scene_mesh));
        *mesh = tree->mesh[0];
        mesh->triangles.vertex = input(arena, t->vertex, t->vertex_count, sizeof *t->vertex, alignof(vp_vec3));
        mesh->triangles.index = input(arena, t->index, (size_t)t->triangle_count * 3, sizeof *t->index, alignof(uint32_t));
        w->tree.mesh = mesh;
    }
    return VP_OK;
}

static bool takes(const vp_data *data, uint32_t variant)
{
    return vp_scene_way_takes(data->set, (vp_scene_way)variant);
}

static vp_status make_lists(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, variant, arena, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    w->capacity = vp_scene_items(w->scene) + 1;
    w->count = vp_arena_output(arena, VP_SCENE_ASKED, sizeof *w->count, alignof(uint32_t), 0);
    w->item = vp_arena_lists(arena, VP_SCENE_ASKED, w->capacity, sizeof *w->item, alignof(vp_scene_item), true, &w->stride);
    return VP_OK;
}

/* ---- by a baseline ---- */

typedef struct candidate {
    const work *w;
    vp_scene_shape shape;
    uint32_t question, count;
    uint64_t tests;
    vp_scene_item *item;
    vp_scene_hit *hit;
    float s;
} candidate;

static bool take_item(void *user, uint32_t object)
{
    candidate *c = user;
    c->tests++;
    if (vp_scene_item_touched(c->w->scene, c->w->asked, c->shape, c->question, object))
        c->item[c->count++] = (vp_scene_item){object, VP_SCENE_NONE};
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

static void box_of(const vp_scene_questions *asked, vp_scene_shape shape, uint32_t i, double low[3], double high[3])
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

/* The part of space that a ray's projections on the axes leave: a diagonal ray that has no end leaves an eighth of all. */
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
    candidate *c = user;
    vp_scene_hit hit;
    float s;
    c->tests++;
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
    candidate *c = user;
    vp_scene_hit hit;
    float s;
    c->tests++;
    c->count += vp_scene_item_met(c->w->scene, c->w->asked, c->question, object, &s, &hit);
    return c->count == 0;
}

static bool take_all(void *user, uint32_t object)
{
    candidate *c = user;
    vp_scene_hit hit;
    float s;
    c->tests++;
    if (!vp_scene_item_met(c->w->scene, c->w->asked, c->question, object, &s, &hit))
        return true;
    uint32_t at = c->count < HITS ? c->count : HITS;
    c->count++;
    for (; at > 0 && vp_scene_hit_is_before(hit.t, hit.item, c->hit[at - 1].t, c->hit[at - 1].item); at--)
        if (at < HITS)
            c->hit[at] = c->hit[at - 1];
    if (at < HITS)
        c->hit[at] = hit;
    return true;
}

/* ---- spheres, boxes, triangles ---- */

static uint64_t list_all(const vp_setting *how, const work *w, vp_scene_shape shape, vp_scene_cost *cost)
{
    uint64_t tests = 0;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        vp_scene_item *out = w->item + i * w->stride;
        if (w->sweep != NULL) {
            candidate c = {.w = w, .shape = shape, .question = i, .item = out};
            double low[3], high[3];
            box_of(w->asked, shape, i, low, high);
            tests += vp_sweep_box(w->sweep, low, high, take_item, &c);
            w->count[i] = c.count;
            continue;
        }
        vp_scene_query query = w->asked->query[i];
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
        (void)step, (void)error;                                                                                                           \
        list_all(how, argument, shape, NULL);                                                                                              \
        *items = VP_SCENE_ASKED;                                                                                                           \
        return VP_OK;                                                                                                                      \
    }                                                                                                                                      \
    static vp_status judge_##name(const void *argument, uint32_t step, vp_error *error)                                                    \
    {                                                                                                                                      \
        (void)step;                                                                                                                        \
        return judge_lists(argument, shape, error);                                                                                        \
    }                                                                                                                                      \
    static void look_##name(const void *argument, vp_counters *out)                                                                        \
    {                                                                                                                                      \
        look_at_lists(argument, shape, out);                                                                                               \
    }

static int by_item(const void *a, const void *b)
{
    const vp_scene_item *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

/* The items of a list, in order; to be freed. */
static vp_scene_item *in_order(const vp_scene_item *item, uint32_t count)
{
    const size_t bytes = ((size_t)count + 1) * sizeof *item;
    vp_scene_item *copy = vp_must(malloc(bytes), bytes);
    memcpy(copy, item, count * sizeof *item);
    qsort(copy, count, sizeof *copy, by_item);
    return copy;
}

static void record_lists(const void *argument, vp_records *out)
{
    const work *w = argument;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        const uint32_t count = w->count[i] < w->capacity ? w->count[i] : w->capacity;
        vp_scene_item *item = in_order(w->item + i * w->stride, count);
        uint8_t bytes[8];
        for (uint32_t k = 0; k < count; k++) {
            vp_put_u32(bytes, item[k].object);
            vp_put_u32(bytes + 4, item[k].triangle);
            vp_records_put(out, bytes, sizeof bytes);
        }
        free(item);
        vp_record_u32(w->count[i], out);
    }
}

static vp_status judge_lists(const work *w, vp_scene_shape shape, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < VP_SCENE_ASKED; i++) {
        const uint32_t found = w->count[i] < w->capacity ? w->count[i] : w->capacity;
        vp_scene_item *item = in_order(w->item + i * w->stride, found);
        uint32_t n = 0;
        for (uint32_t k = 0; status == VP_OK && k < vp_scene_items(w->scene); k++)
            if (vp_scene_item_touched(w->scene, w->asked, shape, i, k)) {
                const vp_scene_item want = vp_scene_item_number(w->scene, k);
                if (n >= found || by_item(&item[n++], &want) != 0)
                    status = vp_fail(error, VP_E_FORMAT, "question %u touches object %u, triangle %u, which isn't told", i, want.object,
                                     want.triangle);
            }
        free(item);
        if (status == VP_OK && n != w->count[i])
            status = vp_fail(error, VP_E_FORMAT, "question %u touches %u, not %u", i, n, w->count[i]);
    }
    return status;
}

static void count_cost(const work *w, const vp_scene_cost *cost, double by, vp_counters *out)
{
    if (w->sweep == NULL)
        vp_count(out, "nodes", (double)cost->nodes / by);
    vp_count(out, "tests", (double)cost->tests / by);
    if (w->sweep == NULL) {
        vp_count(out, "depth", (double)w->stats.depth);
        vp_count(out, "bytes_per_object",
                 (double)(w->stats.nodes * sizeof *w->tree.node + w->stats.objects * sizeof *w->tree.object) / (double)w->stats.leaves);
        vp_count(out, "excess", w->stats.excess);
    }
}

static vp_setting scalar_setting(vp_kernels *scalar)
{
    vp_kernels_named("scalar", scalar, NULL);
    return (vp_setting){scalar, NULL};
}

static void look_at_lists(const work *w, vp_scene_shape shape, vp_counters *out)
{
    vp_kernels scalar;
    const vp_setting how = scalar_setting(&scalar);
    vp_scene_cost cost = {0, 0};
    cost.tests += list_all(&how, w, shape, &cost);
    count_cost(w, &cost, VP_SCENE_ASKED, out);
}

LIST(sphere, VP_ASK_SPHERE)
LIST(box, VP_ASK_BOX)
LIST(triangle, VP_ASK_TRIANGLE)

/* ---- rays ---- */

static vp_status make_rays(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, variant, arena, out, error);
    work *w = *out;
    if (status == VP_OK)
        w->hit = vp_arena_output(arena, VP_SCENE_ASKED, sizeof *w->hit, alignof(vp_scene_hit), 0);
    return status;
}

static vp_status make_any(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, variant, arena, out, error);
    work *w = *out;
    if (status == VP_OK)
        w->count = vp_arena_output(arena, VP_SCENE_ASKED, sizeof *w->count, alignof(uint32_t), 0);
    return status;
}

static vp_status make_all(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = make_any(data, variant, arena, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    w->capacity = HITS;
    w->hit = vp_arena_lists(arena, VP_SCENE_ASKED, HITS, sizeof *w->hit, alignof(vp_scene_hit), true, &w->stride);
    return VP_OK;
}

typedef enum asked_of_rays { CLOSEST, ANY, ALL_HITS } asked_of_rays;

static uint64_t meet_all(const vp_setting *how, const work *w, asked_of_rays what, vp_scene_cost *cost)
{
    uint64_t tests = 0;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        const vp_ray *ray = &w->asked->ray[i];
        vp_scene_query query = w->asked->query[i];
        query.cost = cost;
        if (w->sweep != NULL) {
            candidate c = {.w = w, .question = i, .hit = what == CLOSEST ? &w->hit[i] : what == ALL_HITS ? w->hit + i * w->stride : NULL};
            double low[3], high[3];
            box_of_ray(ray, low, high);
            if (what == CLOSEST)
                w->hit[i] = (vp_scene_hit){ray->t_max, {VP_SCENE_NONE, VP_SCENE_NONE}, 0, 0};
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

static void put_hit(const vp_scene_hit *hit, vp_records *out)
{
    uint8_t bytes[20];
    const vp_hit floats = {hit->t, (int32_t)hit->item.object, hit->u, hit->v};
    vp_put_hit(bytes, &floats);
    vp_put_u32(bytes + 16, hit->item.triangle);
    vp_records_put(out, bytes, sizeof bytes);
}

static void record_rays(const void *argument, vp_records *out)
{
    const work *w = argument;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        put_hit(&w->hit[i], out);
        vp_records_end(out);
    }
}

static void record_any(const void *argument, vp_records *out)
{
    const work *w = argument;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++)
        vp_record_u32(w->count[i], out);
}

static void record_all(const void *argument, vp_records *out)
{
    const work *w = argument;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        for (uint32_t k = 0; k < w->count[i] && k < HITS; k++)
            put_hit(&w->hit[i * w->stride + k], out);
        vp_record_u32(w->count[i], out);
    }
}

/* The hits of a question, by ascending t, then item: at most HITS. @return how many there are */
static uint32_t right_hits(const work *w, uint32_t question, vp_scene_hit hit[HITS], vp_scene_hit *closest)
{
    uint32_t count = 0;
    float best = INFINITY;
    *closest = (vp_scene_hit){w->asked->ray[question].t_max, {VP_SCENE_NONE, VP_SCENE_NONE}, 0, 0};
    for (uint32_t k = 0; k < vp_scene_items(w->scene); k++) {
        vp_scene_hit found;
        float s;
        if (!vp_scene_item_met(w->scene, w->asked, question, k, &s, &found))
            continue;
        if (count == 0 || s < best) { /* the first of equal ones: items are in order */
            best = s;
            *closest = found;
        }
        uint32_t at = 0;
        while (at < count && at < HITS && hit[at].t <= found.t)
            at++;
        if (at < HITS) {
            const uint32_t behind = (count < HITS ? count : HITS - 1) - at;
            memmove(&hit[at + 1], &hit[at], behind * sizeof *hit);
            hit[at] = found;
        }
        count++;
    }
    return count;
}

static vp_status judge_rays(const void *argument, uint32_t step, vp_error *error)
{
    const work *w = argument;
    (void)step;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        vp_scene_hit hits[HITS], closest;
        right_hits(w, i, hits, &closest);
        if (memcmp(&closest, &w->hit[i], sizeof closest) != 0)
            return vp_fail(error, VP_E_FORMAT, "ray %u meets object %u at %g, not object %u at %g", i, closest.item.object,
                           (double)closest.t, w->hit[i].item.object, (double)w->hit[i].t);
    }
    return VP_OK;
}

static vp_status judge_any(const void *argument, uint32_t step, vp_error *error)
{
    const work *w = argument;
    (void)step;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        vp_scene_hit hits[HITS], closest;
        const uint32_t met = right_hits(w, i, hits, &closest) > 0;
        if (w->count[i] != met)
            return vp_fail(error, VP_E_FORMAT, "ray %u: %u is told, and %u is right", i, w->count[i], met);
    }
    return VP_OK;
}

static vp_status judge_all(const void *argument, uint32_t step, vp_error *error)
{
    const work *w = argument;
    (void)step;
    for (uint32_t i = 0; i < VP_SCENE_ASKED; i++) {
        vp_scene_hit hits[HITS], closest;
        const uint32_t count = right_hits(w, i, hits, &closest);
        if (count != w->count[i] || memcmp(hits, w->hit + i * w->stride, (count < HITS ? count : HITS) * sizeof *hits) != 0)
            return vp_fail(error, VP_E_FORMAT, "ray %u meets %u in another order, or not %u", i, count, w->count[i]);
    }
    return VP_OK;
}

#define RAYS(name, what)                                                                                                                   \
    static vp_status run_##name(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                    \
    {                                                                                                                                      \
        (void)step, (void)error;                                                                                                           \
        meet_all(how, argument, what, NULL);                                                                                               \
        *items = VP_SCENE_ASKED;                                                                                                           \
        return VP_OK;                                                                                                                      \
    }                                                                                                                                      \
    static void look_##name(const void *argument, vp_counters *out)                                                                        \
    {                                                                                                                                      \
        vp_kernels scalar;                                                                                                                 \
        const vp_setting how = scalar_setting(&scalar);                                                                                    \
        vp_scene_cost cost = {0, 0};                                                                                                       \
        cost.tests += meet_all(&how, argument, what, &cost);                                                                               \
        count_cost(argument, &cost, VP_SCENE_ASKED, out);                                                                                  \
    }
RAYS(rays, CLOSEST)
RAYS(any, ANY)
RAYS(all, ALL_HITS)

/* ---- pairs ---- */

static vp_status make_pairs(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, variant, arena, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    const uint32_t items = vp_scene_items(w->scene);
    w->capacity = items <= 512 ? items * items / 2 + 1 : 64 * items;
    w->count = vp_arena_output(arena, 1, sizeof *w->count, alignof(uint32_t), 0);
    w->pair = vp_arena_lists(arena, 1, w->capacity, sizeof *w->pair, alignof(vp_scene_pair), true, &w->stride);
    return VP_OK;
}

/* All pairs fit into the list. */
static bool takes_pairs(const vp_data *data, uint32_t variant)
{
    const vp_scene_set *scene = data->set;
    const bool crowded = strncmp(data->name, "concentric", 10) == 0 || strncmp(data->name, "one-place", 9) == 0;
    return takes(data, variant) && (!crowded || scene->count <= 512);
}

typedef struct paired {
    const work *w;
    uint32_t count;
} paired;

static void take_pair(void *user, uint32_t a, uint32_t b)
{
    paired *p = user;
    if (!vp_scene_items_touch(p->w->scene, a, b))
        return;
    if (p->count < p->w->capacity)
        p->w->pair[p->count] = (vp_scene_pair){{a, VP_SCENE_NONE}, {b, VP_SCENE_NONE}};
    p->count++;
}

static uint64_t pair_all(const vp_setting *how, const work *w, vp_scene_cost *cost)
{
    const vp_scene_query query = {.mask = UINT32_MAX, .cost = cost};
    if (w->sweep == NULL) {
        *w->count = how->kernels->scene_pairs(&w->tree, &query, w->pair, w->capacity);
        return 0;
    }
    paired p = {w, 0};
    const uint64_t looked = vp_sweep_pairs(w->sweep, take_pair, &p);
    *w->count = p.count;
    return looked;
}

static vp_status run_pairs(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    const work *w = argument;
    (void)step, (void)error;
    pair_all(how, w, NULL);
    *items = vp_scene_items(w->scene);
    return VP_OK;
}

static int by_pair(const void *a, const void *b)
{
    const vp_scene_pair *x = a, *y = b;
    const int first = by_item(&x->a, &y->a);
    return first != 0 ? first : by_item(&x->b, &y->b);
}

static vp_scene_pair *pairs_in_order(const work *w, uint32_t *count)
{
    *count = *w->count < w->capacity ? *w->count : w->capacity;
    const size_t bytes = ((size_t)*count + 1) * sizeof(vp_scene_pair);
    vp_scene_pair *copy = vp_must(malloc(bytes), bytes);
    memcpy(copy, w->pair, *count * sizeof *copy);
    qsort(copy, *count, sizeof *copy, by_pair);
    return copy;
}

static void record_pairs(const void *argument, vp_records *out)
{
    const work *w = argument;
    uint32_t count;
    vp_scene_pair *pair = pairs_in_order(w, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[16];
        vp_put_u32(bytes, pair[i].a.object);
        vp_put_u32(bytes + 4, pair[i].a.triangle);
        vp_put_u32(bytes + 8, pair[i].b.object);
        vp_put_u32(bytes + 12, pair[i].b.triangle);
        vp_records_put(out, bytes, sizeof bytes);
    }
    free(pair);
    vp_record_u32(*w->count, out);
}

static vp_status judge_pairs(const void *argument, uint32_t step, vp_error *error)
{
    const work *w = argument;
    uint32_t found, n = 0;
    vp_status status = VP_OK;
    (void)step;
    vp_scene_pair *pair = pairs_in_order(w, &found);
    for (uint32_t a = 0; status == VP_OK && a < w->scene->count; a++)
        for (uint32_t b = a + 1; status == VP_OK && b < vp_scene_items(w->scene); b++)
            if (vp_scene_items_touch(w->scene, a, b)) {
                const vp_scene_pair want = {vp_scene_item_number(w->scene, a), vp_scene_item_number(w->scene, b)};
                if (n >= found || by_pair(&pair[n++], &want) != 0)
                    status = vp_fail(error, VP_E_FORMAT, "objects %u and %u touch each other, which isn't told", a, want.b.object);
            }
    free(pair);
    return status != VP_OK || n == *w->count ? status : vp_fail(error, VP_E_FORMAT, "%u pairs touch each other, not %u", n, *w->count);
}

static void look_pairs(const void *argument, vp_counters *out)
{
    const work *w = argument;
    vp_kernels scalar;
    const vp_setting how = scalar_setting(&scalar);
    vp_scene_cost cost = {0, 0};
    cost.tests += pair_all(&how, w, &cost);
    count_cost(w, &cost, (double)vp_scene_items(w->scene), out);
}

/* ---- what is measured ---- */

static const char *const notes[VP_WAYS] = {", tree of the published rule",  ", tree of the rule that grows least",
                                           ", tree built offline",          ", every object",
                                           ", sweep-and-prune on one axis", ", sweep-and-prune on three axes"};

enum {
    TREES = 1 << VP_WAY_SMALLER | 1 << VP_WAY_LEAST,
    BUILT = 1 << VP_WAY_BUILT,
    BASELINES = 1 << VP_WAY_BRUTE | 1 << VP_WAY_SWEEP1 | 1 << VP_WAY_SWEEP3
};
#define OF(family, does)                                                                                                                   \
    VP_ON(family "/100", TREES | BUILT | BASELINES, does), VP_ON(family "/1000", TREES | BUILT | BASELINES, does),                         \
        VP_ON(family "/10000", TREES | BASELINES, does)
static const vp_measured measured[] = {OF("uniform", VP_TIMED),
                                       OF("hills", VP_TIMED),
                                       VP_ON("clustered/10000", TREES, VP_TIMED),
                                       VP_ON("mixed-radii/10000", TREES, VP_TIMED),
                                       VP_ON("hill-triangles/10000", TREES, VP_TIMED),
                                       VP_ON("sorted/10000", TREES, VP_TIMED),
                                       VP_ON("line/1000", TREES, VP_TIMED),
                                       VP_ON("growing/3400", TREES, VP_TIMED),
                                       {.data = NULL}};

#define WITH(taken, makes, runs, recorded, judged, looked)                                                                                 \
    {                                                                                                                                      \
        .kind = &vp_kind_scenes, .variant = vp_scene_ways, .takes = taken, .make = makes, .run = runs, .records = recorded,                \
        .judge = judged, .looks = looked, .same = true, .notes = notes, .measured = measured                                               \
    }

const vp_case vp_case_scene_sphere = WITH(takes, make_lists, run_sphere, record_lists, judge_sphere, look_sphere);
const vp_case vp_case_scene_box = WITH(takes, make_lists, run_box, record_lists, judge_box, look_box);
const vp_case vp_case_scene_triangle = WITH(takes, make_lists, run_triangle, record_lists, judge_triangle, look_triangle);
const vp_case vp_case_scene_ray = WITH(takes, make_rays, run_rays, record_rays, judge_rays, look_rays);
const vp_case vp_case_scene_ray_any = WITH(takes, make_any, run_any, record_any, judge_any, look_any);
const vp_case vp_case_scene_ray_all = WITH(takes, make_all, run_all, record_all, judge_all, look_all);
const vp_case vp_case_scene_pairs = WITH(takes_pairs, make_pairs, run_pairs, record_pairs, judge_pairs, look_pairs);
