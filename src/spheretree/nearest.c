/* SPDX-License-Identifier: MIT */
/* The nearest items to a point. Distances of items are in double, and rounded to floats before they are compared.
 *
 * Why a tree loses nothing. The distance of a lane's centre has at most 5 roundings of 2^-24, of its root and the difference 2 more, and
 * the items' distances are below 2^-24 of themselves off. All are less than 2^-20 of the distance and the radius together. */
#include <math.h>

#include "src/core/error.h"
#include "src/spheretree/leaf.h"
#include "src/spheretree/tree.h"
#include "src/spheretree/walk.h"

typedef struct near_list {
    vp_spheretree_hit *out;
    uint32_t capacity, count;
    float most; /* largest distance that is still needed */
} near_list;

static bool is_before(const vp_spheretree_hit *a, const vp_spheretree_hit *b)
{
    if (a->t != b->t)
        return a->t < b->t;
    return a->item.object != b->item.object ? a->item.object < b->item.object : a->item.triangle < b->item.triangle;
}

static void keep(near_list *list, const vp_spheretree_hit *hit)
{
    if (!(hit->t <= list->most) || (list->count == list->capacity && !is_before(hit, &list->out[list->count - 1])))
        return;
    uint32_t at = list->count < list->capacity ? list->count++ : list->count - 1;
    for (; at > 0 && is_before(hit, &list->out[at - 1]); at--)
        list->out[at] = list->out[at - 1];
    list->out[at] = *hit;
    if (list->count == list->capacity)
        list->most = list->out[list->count - 1].t;
}

/* The distance of a sphere at a point, at least in part. */
static double least_distance(vp_vec3 point, const vp_sphere *bound)
{
    const double d = sqrt(vp_scene_distance2(point, bound->centre)), r = bound->radius;
    return d - r - (d + r) * 0x1p-20;
}

/* Keeps a leaf's items. @return their number */
static uint32_t keep_leaf(const vp_spheretree_view *tree, vp_vec3 point, const vp_spheretree_query *query, const vp_spheretree_node *leaf,
                          near_list *list)
{
    const uint32_t object = vp_spheretree_object_of(leaf), triangles = vp_spheretree_triangles_of(leaf);
    if (triangles == 0) {
        const double away = sqrt(vp_scene_distance2(point, leaf->bound.centre)) - (double)leaf->bound.radius;
        vp_spheretree_hit hit = {away > 0 ? (float)away : 0, {object, VP_SPHERETREE_NONE}, 0, 0};
        if (hit.t <= list->most && vp_scene_is_touched(tree, query, object, &hit.t))
            keep(list, &hit);
        return 1;
    }
    for (uint32_t i = 0; i < triangles; i++) {
        vp_vec3 corner[3];
        vp_contact_point where = {0};
        vp_scene_corners(tree, leaf, i, corner);
        const vp_real3 p[3] = {vp_scene_from(point, corner[0]), vp_scene_from(point, corner[1]), vp_scene_from(point, corner[2])};
        vp_sphere_touches(0, p, &where);
        const vp_spheretree_hit hit = {(float)where.distance, {object, vp_scene_triangle_of(leaf, i)}, (float)where.u, (float)where.v};
        keep(list, &hit);
    }
    return triangles;
}

typedef struct near_stop {
    uint32_t node;
    float distance;
} near_stop;

static void search_wide(const vp_spheretree_view *tree, vp_vec3 point, const vp_spheretree_query *query, near_list *list)
{
    const vp_spheretree_wide *wide = tree->wide;
    const uint32_t mask = query == NULL ? UINT32_MAX : query->mask;
    near_stop stack[VP_WIDE_STACK];
    uint32_t pending = 0;
    uint64_t nodes = 0, tests = 0;
    if (wide->root != VP_SPHERETREE_NONE)
        stack[pending++] = (near_stop){wide->root, 0};
    while (pending > 0 && !vp_scene_is_stopped(query)) {
        const near_stop next = stack[--pending];
        const vp_spheretree_wide_node *n = &wide->node[next.node];
        const vp_spheretree_wide_info *info = &wide->info[next.node];
        if (next.distance > list->most || (info->mask & mask) == 0)
            continue;
        float least[VP_WIDE];
        for (int lane = 0; lane < VP_WIDE; lane++) {
            const float x = n->x[lane] - point.x, y = n->y[lane] - point.y, z = n->z[lane] - point.z, r = n->radius[lane],
                        d = sqrtf((x * x + y * y) + z * z);
            least[lane] = (d - r) - ((d + r) * 0x1p-20f + 0x1p-60f);
        }
        nodes++;
        const uint32_t first = pending;
        for (uint32_t lane = 0; lane < info->count; lane++) {
            if (!(least[lane] <= list->most))
                continue;
            if (info->level > 0) { /* the nearest one comes last */
                uint32_t k = pending++;
                for (; k > first && stack[k - 1].distance < least[lane]; k--)
                    stack[k] = stack[k - 1];
                stack[k] = (near_stop){n->child[lane], least[lane]};
                continue;
            }
            const vp_spheretree_node leaf = vp_wide_leaf_of(tree, n, lane);
            if (vp_scene_is_in_mask(query, &leaf) && !vp_scene_is_stopped(query))
                tests += keep_leaf(tree, point, query, &leaf, list);
        }
    }
    vp_scene_add_cost(query, nodes, tests);
}

static void search(const vp_spheretree_view *tree, vp_vec3 point, const vp_spheretree_query *query, near_list *list)
{
    uint64_t nodes = 0, tests = 0;
    for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE && !vp_scene_is_stopped(query);) {
        const vp_spheretree_node *node = &tree->node[at];
        nodes++;
        if (!vp_scene_is_in_mask(query, node) || least_distance(point, &node->bound) > (double)list->most) {
            at = vp_scene_past(tree, at, NULL);
        } else if (!vp_spheretree_is_leaf(node)) {
            at = vp_scene_into(tree, at, NULL);
        } else {
            tests += keep_leaf(tree, point, query, node, list);
            at = vp_scene_past(tree, at, NULL);
        }
    }
    vp_scene_add_cost(query, nodes, tests);
}

vp_status vp_spheretree_nearest(const vp_spheretree *t, vp_vec3 point, float distance, const vp_spheretree_query *query,
                                vp_spheretree_hit *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, count", t, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_status status = vp_scene_check_sphere(&(vp_sphere){point, 0}, error);
    if (status != VP_OK)
        return status;
    if (!(distance >= 0))
        return vp_fail(error, VP_E_ARGUMENT, "the distance is %g; must be >= 0", (double)distance);
    near_list list = {out, capacity, 0, distance};
    if (capacity > 0) {
        if (t->view.wide != NULL)
            search_wide(&t->view, point, query, &list);
        else
            search(&t->view, point, query, &list);
    }
    *count = list.count;
    return vp_succeed(error);
}
