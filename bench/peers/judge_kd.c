/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>

#include "cases/edit_plan.h"
#include "cases/derived.h"
#include "src/core/error.h"

/* ---- the reference's answers ---- */

/* Rays and the answers of the reference (the scalar kernels on wide trees). */
typedef struct ray_answers {
    vp_ray_set rays;
    vp_peer_hit *hit;
    vp_peer_hit *beyond; /* for hits at the origin: the next hit after it, or none */
} ray_answers;
/* All rays of a set, or the first PROBES (asked after a build), or the same number spread over the set by vp_cold_rays. */
enum { RAYS_ALL, RAYS_PROBES, RAYS_COLD };

typedef struct box_answers {
    size_t *list_end; /* end of each box's part of `list` */
    uint32_t *list;
    uint32_t *mark;     /* scratch, one per triangle of the largest mesh */
    uint32_t triangles; /* number of triangles of the largest mesh */
} box_answers;

/* Hits at most this far from a ray's origin count as at the origin. */
#define AT_ORIGIN 1e-6
/* Hits at most this far apart are equal. Beyond a distance of 1 the tolerance is relative. */
#define SAME_HIT 1e-4
/* This many answers may differ in total, plus MAX_DIFFERENT per 1000 hits, not counting rays that begin on a triangle. Libraries differ
 * in at most 1.6 of 1000, among the rays after a build. A tree that lacks one triangle of each chunk differs in more than 4. */
#define SOME_DIFFERENT 4
#define MAX_DIFFERENT  2

/* Rays by the kind of difference. Each ray is counted once. */
typedef struct ray_differences {
    uint64_t rays, hits; /* number of rays, and of rays that hit in the reference */
    uint64_t lost;       /* hits of the reference that the library misses */
    uint64_t gained;     /* hits of the library that the reference misses */
    uint64_t moved;      /* hits at another place, or on an invalid triangle */
    uint64_t neighbour;  /* hits of another triangle at the same place */
    uint64_t at_origin;  /* begin on a triangle that the library skips. Its next hit is correct */
} ray_differences;

enum { PROBES = 8192 /* rays that are cast after a build */ };

static double length_of(vp_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

static bool at_origin(const vp_peer_hit *hit, const vp_ray *ray)
{
    return hit->triangle >= 0 && hit->t * length_of(ray->direction) <= AT_ORIGIN;
}

/* Finds the first hit that is not at the origin. A surface mesh never has more than HITS hits at one place. */
static vp_peer_hit beyond_origin(const vp_kernels *scalar, const vp_kd *tree, const vp_ray *ray)
{
    enum { HITS = 64 };
    vp_hit all[HITS];
    uint32_t count = scalar->kd_ray_all(vp_kd_view_of(tree), ray, all, HITS);
    for (uint32_t i = 0; count != VP_RAY_ALL_INVALID && i < count && i < HITS; i++) {
        vp_peer_hit hit = {all[i].t, all[i].triangle};
        if (!at_origin(&hit, ray))
            return hit;
    }
    return (vp_peer_hit){ray->t_max, VP_NO_HIT};
}

static vp_status no_memory(const vp_data *data, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for the reference's answers on %s", data->name);
}

static void drop_rays(void *derived)
{
    ray_answers *a = derived;
    if (a == NULL)
        return;
    vp_ray_set_destroy(&a->rays);
    free(a->hit);
    free(a->beyond);
    free(a);
}

static vp_status answer_rays(const vp_data *data, uint32_t which, void **out, vp_error *error)
{
    const vp_ray_set *all = data->set;
    const uint32_t probes = all->count < PROBES ? all->count : PROBES;
    const uint32_t count = which == RAYS_COLD ? vp_cold_rays(all->count) : which == RAYS_PROBES ? probes : all->count;
    vp_kernels scalar;
    vp_kd *const *tree;
    ray_answers *a = calloc(1, sizeof *a);
    *out = a;
    if (a == NULL)
        return no_memory(data, error);
    a->hit = malloc((count + 1u) * sizeof *a->hit);
    a->beyond = malloc((count + 1u) * sizeof *a->beyond);
    a->rays = (vp_ray_set){count, malloc((count + 1u) * sizeof *a->rays.ray), malloc((count + 1u) * sizeof *a->rays.mesh)};
    if (a->hit == NULL || a->beyond == NULL || a->rays.ray == NULL || a->rays.mesh == NULL)
        return no_memory(data, error);
    const vp_status status = vp_derive_trees(data->owner, 0, &tree, error);
    if (status != VP_OK)
        return status;
    vp_kernels_best(&scalar, 0);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = which == RAYS_COLD ? vp_cold_ray(i) : i;
        const vp_ray ray = a->rays.ray[i] = all->ray[from];
        const vp_kd *of = tree[a->rays.mesh[i] = all->mesh[from]];
        const vp_hit hit = scalar.kd_ray(vp_kd_view_of(of), &ray);
        a->hit[i] = a->beyond[i] = (vp_peer_hit){hit.t, hit.triangle};
        if (at_origin(&a->hit[i], &ray))
            a->beyond[i] = beyond_origin(&scalar, of, &ray);
    }
    return VP_OK;
}

static const vp_derivation ray_answers_derivation = {"answers to rays", answer_rays, drop_rays};

static void drop_boxes(void *derived)
{
    box_answers *a = derived;
    if (a == NULL)
        return;
    free(a->list_end);
    free(a->list);
    free(a->mark);
    free(a);
}

/* Makes room for one more list. */
static uint32_t *reserve_list(box_answers *answers, size_t used, size_t *room, uint32_t most)
{
    if (*room - used >= most)
        return answers->list + used;
    size_t wanted = *room * 2 + most;
    uint32_t *list = realloc(answers->list, wanted * sizeof *list);
    if (list == NULL)
        return NULL;
    answers->list = list;
    *room = wanted;
    return list + used;
}

static vp_status answer_boxes(const vp_data *data, uint32_t variant, void **out, vp_error *error)
{
    const vp_mesh_box_set *boxes = data->set;
    const vp_mesh_set *set = data->owner->set;
    size_t used = 0, room = 0;
    vp_kernels scalar;
    vp_kd *const *tree;
    box_answers *a = calloc(1, sizeof *a);
    *out = a;
    if (a == NULL)
        return no_memory(data, error);
    for (uint32_t m = 0; m < set->count; m++)
        a->triangles = set->mesh[m].triangle_count > a->triangles ? set->mesh[m].triangle_count : a->triangles;
    a->list_end = malloc((boxes->count + 1u) * sizeof *a->list_end);
    a->mark = malloc((a->triangles + 1u) * sizeof *a->mark);
    if (a->list_end == NULL || a->mark == NULL)
        return no_memory(data, error);
    const vp_status status = vp_derive_trees(data->owner, 0, &tree, error);
    if (status != VP_OK)
        return status;
    vp_kernels_best(&scalar, 0);
    for (uint32_t i = 0; i < boxes->count; i++) {
        const vp_kd_view *of = vp_kd_view_of(tree[boxes->mesh[i]]);
        uint32_t *list = reserve_list(a, used, &room, of->triangles.triangle_count);
        if (list == NULL)
            return no_memory(data, error);
        used += scalar.kd_gather(of, &boxes->box[i], list, of->triangles.triangle_count);
        a->list_end[i] = used;
    }
    return VP_OK;
}

static const vp_derivation box_answers_derivation = {"answers to boxes", answer_boxes, drop_boxes};

/* ---- rays ---- */

/* Returns whether two answers are equal except for the triangle's number. */
static bool same_place(const vp_peer_hit *want, const vp_peer_hit *got, bool any, double length)
{
    if (want->triangle == VP_NO_HIT || got->triangle == VP_NO_HIT || any)
        return (want->triangle == VP_NO_HIT) == (got->triangle == VP_NO_HIT);
    double distance = want->t * length;
    return fabs((double)got->t - want->t) * length <= SAME_HIT * (distance > 1 ? distance : 1); /* false of a NaN */
}

/* @param any  compare only whether there is a hit */
static ray_differences compare_rays(const ray_answers *right, const vp_mesh_set *meshes, const vp_peer_hit *hit, bool any)
{
    ray_differences d = {.rays = right->rays.count};
    for (uint32_t i = 0; i < right->rays.count; i++) {
        const vp_ray *ray = &right->rays.ray[i];
        const vp_peer_hit *want = &right->hit[i], *got = &hit[i];
        const double length = length_of(ray->direction);
        const int64_t triangles = meshes->mesh[right->rays.mesh[i]].triangle_count;
        d.hits += want->triangle != VP_NO_HIT;
        if (got->triangle < VP_NO_HIT || got->triangle >= triangles)
            d.moved++;
        else if (same_place(want, got, any, length))
            d.neighbour += !any && want->triangle != got->triangle;
        else if (at_origin(want, ray) && same_place(&right->beyond[i], got, any, length))
            d.at_origin++;
        else if (got->triangle == VP_NO_HIT)
            d.lost++;
        else if (want->triangle == VP_NO_HIT)
            d.gained++;
        else
            d.moved++;
    }
    return d;
}

static uint64_t different(const ray_differences *d)
{
    return d->lost + d->gained + d->moved + d->neighbour;
}

static bool are_acceptable(const ray_differences *d)
{
    return different(d) * 1000 <= d->hits * MAX_DIFFERENT + 1000 * SOME_DIFFERENT;
}

/* Writes "hits=equal" or "hits differ: 12 of 262144 lost, 3 gained". */
static void differences_text(const ray_differences *d, char *text, size_t bytes)
{
    const struct {
        uint64_t count;
        const char *what;
    } part[] = {{d->lost, "lost"},
                {d->gained, "gained"},
                {d->moved, "moved"},
                {d->neighbour, "of a neighbour"},
                {d->at_origin, "at their origin left out"}};
    char of[32];
    snprintf(text, bytes, "hits%s", different(d) + d->at_origin == 0 ? "=equal" : " differ:");
    snprintf(of, sizeof of, " of %" PRIu64, d->rays);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        if (part[i].count != 0) {
            const size_t used = strlen(text);
            snprintf(text + used, bytes - used, "%s %" PRIu64 "%s %s", text[used - 1] == ':' ? "" : ",", part[i].count, of, part[i].what);
            of[0] = '\0';
        }
}

/* ---- boxes ---- */

/* Returns whether a list has all triangles of another one, none of them twice, and no others unless `more`. Mark 1 is a wanted triangle,
 * mark 2 a found one. */
static bool same_list(const uint32_t *want, size_t wanted, const uint32_t *got, size_t found, bool more, uint32_t triangles, uint32_t *mark)
{
    size_t met = 0;
    bool good = found == wanted || (more && found > wanted);
    for (size_t i = 0; i < wanted; i++)
        mark[want[i]] = 1;
    for (size_t i = 0; good && i < found; i++) {
        good = got[i] < triangles && mark[got[i]] != 2 && (more || mark[got[i]] == 1);
        if (good) {
            met += mark[got[i]] == 1;
            mark[got[i]] = 2;
        }
    }
    for (size_t i = 0; i < found; i++)
        if (got[i] < triangles)
            mark[got[i]] = 0;
    for (size_t i = 0; i < wanted; i++)
        mark[want[i]] = 0;
    return good && met == wanted;
}

/* Counts the boxes whose list differs from the reference's. With `leaves`, only a missing triangle counts. A list that does not fit or
 * that repeats a triangle also counts. */
static uint64_t compare_boxes(const box_answers *right, const vp_data *data, const vp_peer_answers *got, bool leaves)
{
    const vp_mesh_box_set *boxes = data->set;
    const vp_mesh_set *meshes = data->owner->set;
    uint64_t differ = 0;
    memset(right->mark, 0, right->triangles * sizeof *right->mark);
    for (uint32_t i = 0; i < boxes->count; i++) {
        size_t begin = i == 0 ? 0 : right->list_end[i - 1];
        bool fits = got->found[i] <= got->capacity;
        differ += !fits || !same_list(right->list + begin, right->list_end[i] - begin, got->list + (size_t)i * got->capacity, got->found[i],
                                      leaves, meshes->mesh[boxes->mesh[i]].triangle_count, right->mark);
    }
    return differ;
}

/* ---- the judges ---- */

/* The results of edits. The mesh hit by each ray is kept as a set of meshes and a set of rays. */
typedef struct edits {
    const vp_edit_plan *plan; /* the world's */
    vp_data meshes, rays;
    ray_answers right;
} edits;

static void drop_edits(void *derived)
{
    edits *e = derived;
    if (e != NULL)
        free(e->right.hit);
    free(e);
}

static vp_status make_edits(const vp_data *world, uint32_t kind, void **out, vp_error *error)
{
    edits *e = calloc(1, sizeof *e);
    *out = e;
    if (e == NULL)
        return no_memory(world, error);
    const vp_status status = vp_derive_edits(world, (vp_dig_kind)kind, &e->plan, error);
    if (status != VP_OK)
        return status;
    e->right.rays = (vp_ray_set){e->plan->count, e->plan->ray, e->plan->mesh};
    e->right.hit = e->right.beyond = malloc(e->plan->count * sizeof *e->right.hit);
    if (e->right.hit == NULL)
        return no_memory(world, error);
    for (uint32_t i = 0; i < e->plan->count; i++)
        e->right.hit[i] = (vp_peer_hit){e->plan->want[i].in_chunk.t, e->plan->want[i].in_chunk.triangle};
    e->meshes = (vp_data){.kind = &vp_kind_meshes, .name = "edited chunks", .set = &e->plan->meshes};
    e->rays = (vp_data){.kind = &vp_kind_rays, .name = "edited chunks", .set = &e->right.rays, .owner = &e->meshes};
    return VP_OK;
}

static const vp_derivation edits_derivation = {"edits for libraries", make_edits, drop_edits};

static vp_status open_edits(vp_suite *suite, const char *edit, vp_contest *out, vp_error *error)
{
    const vp_data *world;
    const void *made = NULL;
    uint32_t kind = 0;
    while (strcmp(vp_edit_names[kind], edit) != 0)
        kind++;
    vp_status status = vp_suite_data(suite, &vp_kind_world, "terrain-230k", NULL, &world, error);
    if (status == VP_OK)
        status = vp_data_derive(world, &edits_derivation, kind, &made, error);
    if (status != VP_OK)
        return status;
    const edits *e = made;
    out->data = &e->rays;
    out->right = &e->right;
    out->steps = e->plan->count;
    out->items = e->plan->count;
    snprintf(out->name, sizeof out->name, "behind edits (%s)", edit);
    return VP_OK;
}

static vp_status open_rays(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    const vp_row_id row = out->peer->row;
    const uint32_t which = row == VP_KERNEL_kd_build ? RAYS_PROBES : row == VP_KERNEL_terrain_ray ? RAYS_COLD : RAYS_ALL;
    const void *answers;
    if (row == VP_OPERATION_edit_to_ray)
        return open_edits(suite, set, out, error);
    vp_status status = vp_suite_data(suite, &vp_kind_rays, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &ray_answers_derivation, which, &answers, error);
    if (status != VP_OK)
        return status;
    const ray_answers *right = answers;
    out->own = *out->data;
    out->own.set = &right->rays;
    out->data = &out->own;
    out->right = right;
    out->items = row == VP_KERNEL_kd_build ? ((const vp_mesh_set *)out->data->owner->set)->triangle_count : right->rays.count;
    return VP_OK;
}

static void look_at_rays(const vp_contest *c, vp_verdict *out)
{
    const vp_row_id row = c->peer->row;
    const vp_mesh_set *meshes = c->data->owner->set;
    vp_peer_answers got;
    char text[160];
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got))
        return;
    out->outcome = VP_PEER_WRONG;
    if (got.wrong != 0) {
        snprintf(out->text, sizeof out->text, "the trees of %s over %u meshes of %.*s are not over all triangles", c->peer->name, got.wrong,
                 (int)strcspn(c->name, "/"), c->name);
        return;
    }
    const ray_differences d = compare_rays(c->right, meshes, got.hit, row == VP_KERNEL_kd_ray_any);
    differences_text(&d, text, sizeof text);
    if (!are_acceptable(&d)) {
        snprintf(out->text, sizeof out->text, "too many rays %s%.50s differ by %.30s from the reference's: %.110s",
                 row == VP_OPERATION_edit_to_ray ? "" : "of ", c->name, c->peer->name, text);
        return;
    }
    out->outcome = VP_PEER_RIGHT;
    snprintf(out->text, sizeof out->text, "%s %s%s",
             row == VP_KERNEL_kd_build         ? "triangles"
             : row == VP_OPERATION_edit_to_ray ? "edits"
                                               : "rays",
             text,
             row == VP_KERNEL_terrain_ray      ? " (in it: the tree over the whole mesh, which is given)"
             : row == VP_OPERATION_edit_to_ray ? " (in it: the tree over the one chunk's mesh, which is given, and the ray)"
                                               : "");
    if (row == VP_KERNEL_kd_build) {
        vp_verdict_count(out, "bytes_per_triangle", (double)got.bytes / (double)c->items);
        vp_verdict_count(out, "mesh_bytes_per_triangle", (double)got.given / (double)c->items);
    }
    if (row == VP_OPERATION_edit_to_ray)
        vp_verdict_count(out, "triangles_per_mesh", (double)meshes->triangle_count / meshes->count);
    vp_verdict_count(out, "hits", (double)d.hits);
    vp_verdict_count(out, "hits_lost", (double)d.lost);
    vp_verdict_count(out, "hits_gained", (double)d.gained);
    vp_verdict_count(out, "hits_moved", (double)d.moved);
    vp_verdict_count(out, "hits_neighbour", (double)d.neighbour);
    vp_verdict_count(out, "hits_at_origin", (double)d.at_origin);
}

#define WORLDS                                                                                                                             \
    "world-230k/coherent", "world-230k/incoherent", "world-230k/mixed", "world-luanti/coherent", "world-luanti/incoherent",                \
        "world-luanti/mixed"

/* The terrain kernels answer the same questions as a tree over their world's only mesh. A library's tree over that mesh therefore
 * competes with them too and is measured again under their names. Trees of low build quality, which are slow to query, are left out. Rows
 * of the same name are measured in the same way. */
static const vp_contested measured_rays[] = {
    {.row = VP_KERNEL_kd_build, .set = {"chunks/cold", "chunks-luanti/cold", "world-230k/incoherent", "world-luanti/incoherent"}},
    {.row = VP_KERNEL_kd_ray, .set = {"chunks/coherent", "chunks/cold", "chunks-luanti/coherent", "chunks-luanti/cold", WORLDS}},
    {.row = VP_KERNEL_kd_ray_any, .set = {"chunks/coherent", "chunks/cold", "world-230k/coherent", "world-230k/incoherent"}},
    {.row = VP_KERNEL_kd_ray8, .set = {"chunks/coherent", "world-230k/coherent", "world-230k/incoherent", "world-luanti/coherent"}},
    {.row = VP_KERNEL_kd_ray16, .set = {"chunks/coherent", "world-230k/coherent", "world-230k/incoherent", "world-luanti/coherent"}},
    {.row = VP_KERNEL_kd_ray, .set = {WORLDS}, .as = "terrain_ray", .without = "-low"},
    {.row = VP_KERNEL_kd_ray16, .set = {WORLDS}, .as = "terrain_ray16", .without = "-low"},
    {.row = VP_KERNEL_terrain_ray, .set = {WORLDS}},
    {.row = VP_OPERATION_edit_to_ray, .set = {"voxel", "brush8", "chunk"}},
};
static const vp_judge vp_judge_rays = {VP_CONTESTED(measured_rays), .again = "hits", .open = open_rays, .look = look_at_rays};

static vp_status open_boxes(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    vp_status status = vp_suite_data(suite, &vp_kind_mesh_boxes, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &box_answers_derivation, 0, &out->right, error);
    if (status == VP_OK)
        out->items = ((const vp_mesh_box_set *)out->data->set)->count;
    return status;
}

static void look_at_boxes(const vp_contest *c, vp_verdict *out)
{
    const bool leaves = c->peer->row == VP_KERNEL_kd_gather_leaves;
    vp_peer_answers got;
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got))
        return;
    const uint64_t different = compare_boxes(c->right, c->data, &got, leaves);
    if (different != 0) {
        out->outcome = VP_PEER_WRONG;
        snprintf(out->text, sizeof out->text, "%s found other triangles than the reference for %" PRIu64 " of %" PRIu64 " boxes of %s",
                 c->peer->name, different, c->items, c->name);
        return;
    }
    double found = 0;
    out->outcome = VP_PEER_RIGHT;
    for (uint32_t i = 0; i < c->items; i++)
        found += got.found[i];
    vp_verdict_count(out, "triangles_per_query", found / (double)c->items);
    snprintf(out->text, sizeof out->text, "queries sets=%s", leaves ? "larger" : "equal");
}

static const vp_contested measured_boxes[] = {
    {.row = VP_KERNEL_kd_gather,
     .set = {"chunks/box-1.5", "chunks/box-6", "chunks-luanti/box-1.5", "world-230k/box-1.5", "world-230k/box-6"}},
    {.row = VP_KERNEL_kd_gather_leaves, .set = {"chunks/box-1.5", "chunks/box-6", "world-230k/box-1.5"}},
    {.row = VP_KERNEL_kd_gather, .set = {"world-230k/box-1.5", "world-230k/box-6"}, .as = "terrain_gather"},
};
static const vp_judge vp_judge_boxes = {VP_CONTESTED(measured_boxes), .again = "lists", .open = open_boxes, .look = look_at_boxes};

const vp_judge *const vp_judges_kd[] = {&vp_judge_rays, &vp_judge_boxes, NULL};
