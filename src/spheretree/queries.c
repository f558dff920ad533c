/* SPDX-License-Identifier: MIT */
/* Queries of the sphere tree as an object, and its quality. */
#include <inttypes.h>
#include <math.h>

#include "src/core/error.h"
#include "src/kd/answers.h"
#include "src/kd/ray_triangle.h"
#include "src/spheretree/tree.h"

static vp_status check_place(const char *name, vp_vec3 at, vp_error *error)
{
    const float c[3] = {at.x, at.y, at.z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(c[k]) <= VP_SPHERETREE_MAX))
            return vp_fail(error, VP_E_ARGUMENT, "%s has %c = %g; the absolute value must be at most 2^60", name, "xyz"[k], (double)c[k]);
    return VP_OK;
}

vp_status vp_scene_check_sphere(const vp_sphere *sphere, vp_error *error)
{
    if (!(sphere->radius >= 0 && sphere->radius <= VP_SPHERETREE_MAX))
        return vp_fail(error, VP_E_ARGUMENT, "the sphere's radius is %g; must be 0 to 2^60", (double)sphere->radius);
    return check_place("the sphere's centre", sphere->centre, error);
}

vp_status vp_spheretree_sphere(const vp_spheretree *t, const vp_sphere *sphere, const vp_spheretree_query *query, vp_spheretree_item *out,
                               uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, sphere, count", t, sphere, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_status status = vp_scene_check_sphere(sphere, error);
    if (status != VP_OK)
        return status;
    *count = t->kernels.scene_sphere(&t->view, sphere, query, out, capacity);
    return vp_succeed(error);
}

vp_status vp_spheretree_box(const vp_spheretree *t, const vp_aabb *box, const vp_spheretree_query *query, vp_spheretree_item *out,
                            uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, box, count", t, box, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    if (!vp_aabb_valid(box))
        return vp_refuse_box(box, error);
    *count = t->kernels.scene_box(&t->view, box, query, out, capacity);
    return vp_succeed(error);
}

vp_status vp_spheretree_triangle(const vp_spheretree *t, const vp_vec3 corner[3], const vp_spheretree_query *query, vp_spheretree_item *out,
                                 uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, corner, count", t, corner, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    static const char *const name[3] = {"the triangle's corner 0", "the triangle's corner 1", "the triangle's corner 2"};
    vp_status status = VP_OK;
    for (int k = 0; status == VP_OK && k < 3; k++)
        status = check_place(name[k], corner[k], error);
    if (status != VP_OK)
        return status;
    *count = t->kernels.scene_triangle(&t->view, corner, query, out, capacity);
    return vp_succeed(error);
}

static vp_status check_ray(const vp_ray *ray, vp_error *error)
{
    vp_ray_frame frame;
    return vp_ray_frame_of(ray, &frame) ? VP_OK : vp_refuse_ray("the ray", ray, error);
}

vp_status vp_spheretree_ray(const vp_spheretree *t, const vp_ray *ray, const vp_spheretree_query *query, vp_spheretree_hit *out,
                            vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, ray, out", t, ray, out);
    const vp_status status = check_ray(ray, error);
    if (status != VP_OK)
        return status;
    *out = t->kernels.scene_ray(&t->view, ray, query);
    return vp_succeed(error);
}

vp_status vp_spheretree_ray_any(const vp_spheretree *t, const vp_ray *ray, const vp_spheretree_query *query, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, ray, out", t, ray, out);
    const vp_status status = check_ray(ray, error);
    if (status != VP_OK)
        return status;
    *out = t->kernels.scene_ray_any(&t->view, ray, query);
    return vp_succeed(error);
}

vp_status vp_spheretree_ray_all(const vp_spheretree *t, const vp_ray *ray, const vp_spheretree_query *query, vp_spheretree_hit *out,
                                uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, ray, count", t, ray, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_status status = check_ray(ray, error);
    if (status != VP_OK)
        return status;
    *count = t->kernels.scene_ray_all(&t->view, ray, query, out, capacity);
    return vp_succeed(error);
}

vp_status vp_spheretree_pairs(const vp_spheretree *t, const vp_spheretree_query *query, vp_spheretree_pair *out, uint32_t capacity,
                              uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, count", t, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    *count = t->kernels.scene_pairs(&t->view, query, out, capacity);
    if (*count == UINT32_MAX)
        return vp_fail(error, VP_E_LIMIT, "%" PRIu32 " pairs or more touch each other; must be at most %" PRIu32, UINT32_MAX,
                       UINT32_MAX - 1);
    return vp_succeed(error);
}

/* ---- quality ---- */

/* The first leaf of a part of a tree, and the next. */
static uint32_t find_first_leaf(const vp_spheretree_view *tree, uint32_t at)
{
    while (!vp_spheretree_is_leaf(&tree->node[at]))
        at = tree->node[at].child[0];
    return at;
}

static uint32_t find_next_leaf(const vp_spheretree_view *tree, uint32_t within, uint32_t at)
{
    while (at != within && tree->node[tree->node[at].parent].child[1] == at)
        at = tree->node[at].parent;
    return at == within ? VP_SPHERETREE_NONE : find_first_leaf(tree, tree->node[tree->node[at].parent].child[1]);
}

/* The relative excess of a node's volume over that of the sphere around the middle of the leaves' box. 0 if all of them
   are one point. */
static double excess_of(const vp_spheretree_view *tree, uint32_t node)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, reach = 0;
    for (uint32_t at = find_first_leaf(tree, node); at != VP_SPHERETREE_NONE; at = find_next_leaf(tree, node, at)) {
        const vp_sphere *leaf = &tree->node[at].bound;
        const float c[3] = {leaf->centre.x, leaf->centre.y, leaf->centre.z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], (double)c[k] - (double)leaf->radius);
            high[k] = fmax(high[k], (double)c[k] + (double)leaf->radius);
        }
    }
    const double middle[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
    for (uint32_t at = find_first_leaf(tree, node); at != VP_SPHERETREE_NONE; at = find_next_leaf(tree, node, at)) {
        const vp_sphere *leaf = &tree->node[at].bound;
        const double x = (double)leaf->centre.x - middle[0], y = (double)leaf->centre.y - middle[1], z = (double)leaf->centre.z - middle[2];
        reach = fmax(reach, sqrt((x * x + y * y) + z * z) + (double)leaf->radius);
    }
    const double by = (double)tree->node[node].bound.radius / reach;
    return reach > 0 ? by * by * by - 1 : 0;
}

/* Without nodes. */
static size_t bytes_of(const vp_spheretree *t)
{
    size_t bytes = sizeof *t + (size_t)t->object_room * sizeof *t->object + (size_t)t->mesh_room * sizeof *t->mesh;
    for (uint32_t m = 0; m < t->mesh_used; m++)
        if (t->mesh[m].object != VP_SPHERETREE_NONE)
            bytes += t->mesh[m].leaf_count * sizeof *t->mesh[m].leaf;
    return bytes;
}

static vp_spheretree_stats stats_of_wide(const vp_spheretree *t)
{
    const vp_spheretree_wide *wide = &t->wide.view;
    vp_spheretree_stats s = {.objects = t->objects, .leaves = t->leaves};
    s.nodes = t->wide.node_used - t->wide.node_spare;
    s.depth = wide->root == VP_SPHERETREE_NONE ? 0 : wide->info[wide->root].level + 1u;
    s.bytes = bytes_of(t) + (size_t)t->wide.node_room * (sizeof *wide->node + sizeof *wide->info) +
              (size_t)t->wide.leaf_room * sizeof *wide->leaf;
    return s;
}

vp_spheretree_stats vp_spheretree_stats_of(const vp_spheretree *t)
{
    const vp_spheretree_view *tree = &t->view;
    if (tree->wide != NULL)
        return stats_of_wide(t);
    vp_spheretree_stats s = {.objects = t->objects, .leaves = t->leaves, .nodes = t->leaves > 0 ? 2 * t->leaves - 1 : 0};
    double excess = 0;
    uint32_t depth = 1;
    for (uint32_t at = tree->root; at != VP_SPHERETREE_NONE;) {
        if (!vp_spheretree_is_leaf(&tree->node[at])) {
            excess += excess_of(tree, at);
            depth++;
            at = tree->node[at].child[0];
            continue;
        }
        s.depth = depth > s.depth ? depth : s.depth;
        uint32_t up = tree->node[at].parent;
        for (; up != VP_SPHERETREE_NONE && tree->node[up].child[1] == at; at = up, up = tree->node[up].parent)
            depth--;
        at = up == VP_SPHERETREE_NONE ? VP_SPHERETREE_NONE : tree->node[up].child[1];
    }
    s.excess = s.leaves > 1 ? excess / (s.leaves - 1) : 0;
    s.bytes = bytes_of(t) + (size_t)t->node_room * sizeof *tree->node;
    return s;
}

const vp_spheretree_view *vp_spheretree_view_of(const vp_spheretree *t)
{
    return &t->view;
}
