/* SPDX-License-Identifier: MIT */
/* Queries of the sphere tree as an object, and its quality. */
#include <inttypes.h>
#include <math.h>

#include "src/core/error.h"
#include "src/kd/answers.h"
#include "src/kd/ray_triangle.h"
#include "src/spheretree/shape.h"
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

/* ---- shapes ---- */

/* The caller's options, with a shape. */
static vp_spheretree_query with_shape(const vp_spheretree_query *query, const vp_scene_shape *shape)
{
    vp_spheretree_query out = query != NULL ? *query : (vp_spheretree_query){.mask = UINT32_MAX};
    out.shape = shape;
    return out;
}

vp_status vp_spheretree_touch(const vp_spheretree *t, const vp_spheretree_shape *shape, const vp_spheretree_query *query,
                              vp_spheretree_item *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, shape, count", t, shape, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_scene_shape made;
    const vp_status status = vp_scene_shape_make(shape, &made, error);
    if (status != VP_OK)
        return status;
    const vp_aabb box = vp_scene_shape_box(&made);
    const vp_spheretree_query options = with_shape(query, &made);
    *count = t->kernels.scene_box(&t->view, &box, &options, out, capacity);
    return vp_succeed(error);
}

vp_status vp_spheretree_frustum(const vp_spheretree *t, const vp_spheretree_plane *plane, uint32_t planes, const vp_spheretree_query *query,
                                vp_spheretree_item *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, count", t, count);
    VP_RETURN_IF_ARRAY_NULL(error, plane, planes);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_scene_shape made;
    const vp_status status = vp_scene_shape_make_frustum(plane, planes, &made, error);
    if (status != VP_OK)
        return status;
    const vp_aabb box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const vp_spheretree_query options = with_shape(query, &made);
    *count = t->kernels.scene_box(&t->view, &box, &options, out, capacity);
    return vp_succeed(error);
}

vp_status vp_spheretree_sweep(const vp_spheretree *t, const vp_spheretree_shape *shape, vp_vec3 direction, float t_max,
                              const vp_spheretree_query *query, vp_spheretree_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, shape, out", t, shape, out);
    vp_scene_shape made;
    const vp_ray ray = {shape->centre, direction, t_max};
    vp_status status = vp_scene_shape_make(shape, &made, error);
    if (status == VP_OK)
        status = check_ray(&ray, error);
    if (status != VP_OK)
        return status;
    const vp_spheretree_query options = with_shape(query, &made);
    *out = t->kernels.scene_ray(&t->view, &ray, &options);
    return vp_succeed(error);
}

bool vp_spheretree_bounds(const vp_spheretree *t, vp_aabb *out)
{
    const vp_spheretree_wide *wide = t->view.wide;
    const bool empty = wide != NULL ? wide->root == VP_SPHERETREE_NONE : t->view.root == VP_SPHERETREE_NONE;
    const uint32_t lanes = empty ? 0 : wide != NULL ? wide->info[wide->root].count : 1;
    *out = (vp_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const vp_sphere s = wide != NULL ? vp_wide_sphere(wide, wide->root * VP_WIDE + lane) : t->view.node[t->view.root].bound;
        const float r = s.radius * (1 + 0x1p-22f) + fmaxf(fmaxf(fabsf(s.centre.x), fabsf(s.centre.y)), fabsf(s.centre.z)) * 0x1p-22f;
        const vp_vec3 size = {r, r, r};
        out->min = vp_vec3_min(out->min, vp_vec3_sub(s.centre, size));
        out->max = vp_vec3_max(out->max, vp_vec3_add(s.centre, size));
    }
    return !empty;
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
    const vp_scene_events *e = &t->events;
    size_t bytes = sizeof *t + (size_t)t->object_room * sizeof *t->object + (size_t)t->mesh_room * sizeof *t->mesh;
    bytes += (size_t)e->object_room * sizeof *e->object + (size_t)e->contact_room * sizeof *e->contact +
             (size_t)e->event_room * sizeof *e->event + (size_t)e->item_room * sizeof *e->item;
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
              (size_t)t->wide.box_room * sizeof *wide->box + (size_t)t->wide.leaf_room * sizeof *wide->leaf;
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
