/* SPDX-License-Identifier: MIT */
#include "bench/trees/tree_answers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>

#include "src/core/error.h"

/* ---- the reference ---- */

static void destroy_trees(vp_kd **tree, uint32_t count)
{
    for (uint32_t m = 0; tree != NULL && m < count; m++)
        vp_kd_destroy(tree[m]);
    free(tree);
}

static vp_status no_memory(const vp_suite_set *workload, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for the reference's answers on %s", workload->name);
}

static vp_status create_trees(const vp_suite_set *workload, const vp_kernels *scalar, vp_kd ***out, vp_error *error)
{
    const vp_mesh_set *set = &workload->meshes;
    vp_kd **tree = calloc(set->count + 1u, sizeof *tree);
    *out = tree;
    if (tree == NULL)
        return no_memory(workload, error);
    for (uint32_t m = 0; m < set->count; m++) {
        vp_kd_def def = {.triangles = set->mesh[m], .form = VP_KD_WIDE, .kernels = scalar};
        vp_status status = vp_kd_create(&def, &tree[m], error);
        if (status != VP_OK)
            return status;
    }
    return VP_OK;
}

static double length_of(vp_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

static bool at_origin(const vp_tree_hit *hit, const vp_ray *ray)
{
    return hit->triangle >= 0 && hit->t * length_of(ray->direction) <= VP_TREE_AT_ORIGIN;
}

/* The first hit that is not at the origin. More than HITS there, one upon the other, are in no mesh of a surface. */
static vp_tree_hit beyond_origin(const vp_kernels *scalar, const vp_kd *tree, const vp_ray *ray)
{
    enum { HITS = 64 };
    vp_hit all[HITS];
    uint32_t count = scalar->kd_ray_all(vp_kd_view_of(tree), ray, all, HITS);
    for (uint32_t i = 0; count != VP_RAY_ALL_INVALID && i < count && i < HITS; i++) {
        vp_tree_hit hit = {all[i].t, all[i].triangle};
        if (!at_origin(&hit, ray))
            return hit;
    }
    return (vp_tree_hit){ray->t_max, VP_NO_HIT};
}

vp_status vp_tree_answer_rays(const vp_suite_set *workload, vp_tree_answers *out, vp_error *error)
{
    const vp_ray_set *rays = &workload->rays;
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    *out = (vp_tree_answers){0};
    out->hit = malloc((rays->count + 1u) * sizeof *out->hit);
    out->beyond = malloc((rays->count + 1u) * sizeof *out->beyond);
    vp_kd **tree = NULL;
    vp_status status = out->hit == NULL || out->beyond == NULL ? no_memory(workload, error)
                                                               : create_trees(workload, &scalar, &tree, error);
    for (uint32_t i = 0; status == VP_OK && i < rays->count; i++) {
        const vp_kd *of = tree[rays->mesh[i]];
        vp_hit hit = scalar.kd_ray(vp_kd_view_of(of), &rays->ray[i]);
        out->hit[i] = out->beyond[i] = (vp_tree_hit){hit.t, hit.triangle};
        if (at_origin(&out->hit[i], &rays->ray[i]))
            out->beyond[i] = beyond_origin(&scalar, of, &rays->ray[i]);
    }
    destroy_trees(tree, workload->meshes.count);
    return status;
}

/* Room for one more list. */
static uint32_t *reserve_list(vp_tree_answers *answers, size_t used, size_t *room, uint32_t most)
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

static vp_status gather(const vp_suite_set *workload, const vp_kernels *scalar, vp_kd *const *tree, vp_tree_answers *out,
                        vp_error *error)
{
    const vp_mesh_box_set *boxes = &workload->mesh_boxes;
    size_t used = 0, room = 0;
    for (uint32_t i = 0; i < boxes->count; i++) {
        const vp_kd_view *of = vp_kd_view_of(tree[boxes->mesh[i]]);
        uint32_t most = of->triangles.triangle_count;
        uint32_t *list = reserve_list(out, used, &room, most);
        if (list == NULL)
            return no_memory(workload, error);
        used += scalar->kd_gather(of, &boxes->box[i], list, most);
        out->list_end[i] = used;
    }
    return VP_OK;
}

vp_status vp_tree_answer_boxes(const vp_suite_set *workload, vp_tree_answers *out, vp_error *error)
{
    const vp_mesh_set *set = &workload->meshes;
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    *out = (vp_tree_answers){0};
    for (uint32_t m = 0; m < set->count; m++)
        out->triangles = set->mesh[m].triangle_count > out->triangles ? set->mesh[m].triangle_count : out->triangles;
    out->list_end = malloc((workload->mesh_boxes.count + 1u) * sizeof *out->list_end);
    out->mark = malloc((out->triangles + 1u) * sizeof *out->mark);
    vp_kd **tree = NULL;
    vp_status status = out->list_end == NULL || out->mark == NULL ? no_memory(workload, error)
                                                                  : create_trees(workload, &scalar, &tree, error);
    if (status == VP_OK)
        status = gather(workload, &scalar, tree, out, error);
    destroy_trees(tree, set->count);
    return status;
}

void vp_tree_answers_destroy(vp_tree_answers *answers)
{
    free(answers->hit);
    free(answers->beyond);
    free(answers->list_end);
    free(answers->list);
    free(answers->mark);
    *answers = (vp_tree_answers){0};
}

/* ---- rays ---- */

/* Whether two answers are the same but for the triangle's number. */
static bool same_place(const vp_tree_hit *want, const vp_tree_hit *got, bool any, double length)
{
    if (want->triangle == VP_NO_HIT || got->triangle == VP_NO_HIT || any)
        return (want->triangle == VP_NO_HIT) == (got->triangle == VP_NO_HIT);
    double distance = want->t * length;
    return fabs((double)got->t - want->t) * length <= VP_TREE_SAME_HIT * (distance > 1 ? distance : 1); /* false of a NaN */
}

vp_tree_differences vp_tree_compare_rays(const vp_tree_answers *answers, const vp_mesh_set *meshes,
                                         const vp_tree_asked *asked)
{
    const bool any = asked->question == VP_TREE_RAY_ANY;
    vp_tree_differences d = {.rays = asked->rays->count};
    for (uint32_t i = 0; i < asked->rays->count; i++) {
        const vp_tree_hit *want = &answers->hit[i], *got = &asked->hit[i];
        const double length = length_of(asked->rays->ray[i].direction);
        const int64_t triangles = meshes->mesh[asked->rays->mesh[i]].triangle_count;
        d.hits += want->triangle != VP_NO_HIT;
        if (got->triangle < VP_NO_HIT || got->triangle >= triangles)
            d.moved++;
        else if (same_place(want, got, any, length))
            d.neighbour += !any && want->triangle != got->triangle;
        else if (at_origin(want, &asked->rays->ray[i]) && same_place(&answers->beyond[i], got, any, length))
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

static uint64_t different(const vp_tree_differences *d)
{
    return d->lost + d->gained + d->moved + d->neighbour;
}

bool vp_tree_acceptable(const vp_tree_differences *d)
{
    return different(d) * 1000 <= d->hits * VP_TREE_MAX_DIFFERENT + 1000 * VP_TREE_SOME_DIFFERENT;
}

void vp_tree_differences_text(const vp_tree_differences *d, char *text, size_t bytes)
{
    const struct {
        uint64_t count;
        const char *what;
    } part[] = {{d->lost, "lost"},
                {d->gained, "gained"},
                {d->moved, "moved"},
                {d->neighbour, "of a neighbour"},
                {d->at_origin, "at their origin left out"}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof part / sizeof part[0] && used < bytes; i++) {
        int written = 0;
        if (part[i].count != 0 && used == 0)
            written = snprintf(text, bytes, "hits differ: %" PRIu64 " of %" PRIu64 " %s", part[i].count, d->rays, part[i].what);
        else if (part[i].count != 0)
            written = snprintf(text + used, bytes - used, ", %" PRIu64 " %s", part[i].count, part[i].what);
        used += written > 0 ? (size_t)written : 0;
    }
    if (used == 0)
        snprintf(text, bytes, "hits=equal");
}

/* ---- boxes ---- */

/* Whether a list has all triangles of another one, none twice, and nothing else unless `more`. A triangle's mark is 1 where it is
   wanted and 2 where it was found. */
static bool same_list(const uint32_t *want, size_t wanted, const uint32_t *got, size_t found, bool more, uint32_t triangles,
                      uint32_t *mark)
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

uint64_t vp_tree_compare_boxes(const vp_tree_answers *answers, const vp_mesh_set *meshes, const vp_tree_asked *asked)
{
    uint64_t differ = 0;
    memset(answers->mark, 0, answers->triangles * sizeof *answers->mark);
    for (uint32_t i = 0; i < asked->boxes->count; i++) {
        size_t begin = i == 0 ? 0 : answers->list_end[i - 1];
        bool fits = asked->found[i] <= asked->capacity;
        differ += !fits || !same_list(answers->list + begin, answers->list_end[i] - begin,
                                      asked->list + (size_t)i * asked->capacity, asked->found[i],
                                      asked->question == VP_TREE_BOX_LEAVES,
                                      meshes->mesh[asked->boxes->mesh[i]].triangle_count, answers->mark);
    }
    return differ;
}
