/* SPDX-License-Identifier: MIT */
/* The objects that a sphere, a box or a triangle touches: article "Scene Collision Detection", "Detection".
 *
 * "Take any geometry your basic collision test functions support and test recursively. If the current object collides
 * with the sphere of the tree search in both children if possible. Otherwise we have a collision with a leaf [...] Now
 * the collision test between sphere and object must be performed e.g. on triangle level." The recursion is a walk by
 * parent links, see src/spheretree/walk.h. */
#include <voxphys/kernel/spheretree.h>

#include "src/spheretree/touch.h"
#include "src/spheretree/walk.h"

/* A query with a sphere, a box or a triangle. */
typedef struct touch_query {
    bool (*is_near)(const struct touch_query *by, const vp_sphere *bound);
    bool (*is_touching)(const struct touch_query *by, const vp_sphere *sphere);
    bool (*is_touching_triangle)(const struct touch_query *by, const vp_vec3 corner[3]);
    const vp_sphere *sphere;
    const vp_vec3 *corner;
    vp_aabb box; /* the triangle's box, too */
} touch_query;

static uint32_t list_touched(const vp_spheretree_view *tree, const touch_query *by, const vp_spheretree_query *query,
                             vp_spheretree_item *out, uint32_t capacity)
{
    uint32_t count = 0, at = tree->root;
    uint64_t nodes = 0, tests = 0;
    while (at != VP_SPHERETREE_NONE) {
        const vp_spheretree_node *node = &tree->node[at];
        nodes++;
        if (!vp_scene_is_in_mask(query, node) || !by->is_near(by, &node->bound)) {
            at = vp_scene_past(tree, at, NULL);
            continue;
        }
        if (!vp_spheretree_is_leaf(node)) {
            at = vp_scene_into(tree, at, NULL);
            continue;
        }
        const uint32_t object = vp_spheretree_object_of(node), triangles = vp_spheretree_triangles_of(node);
        for (uint32_t i = 0; i < (triangles > 0 ? triangles : 1); i++) {
            vp_spheretree_item item = {object, VP_SPHERETREE_NONE};
            vp_vec3 corner[3];
            float t = 0;
            bool touched;
            tests++;
            if (triangles == 0) {
                touched = by->is_touching(by, &node->bound) && vp_scene_is_touched(tree, query, object, &t);
            } else {
                vp_scene_corners(tree, node, i, corner);
                item.triangle = vp_scene_triangle_of(node, i);
                touched = by->is_touching_triangle(by, corner);
            }
            if (touched && count < capacity)
                out[count] = item;
            count += touched;
        }
        at = vp_scene_past(tree, at, NULL);
    }
    vp_scene_add_cost(query, nodes, tests);
    return count;
}

/* ---- a sphere ---- */

static bool is_sphere_near(const touch_query *by, const vp_sphere *bound)
{
    return vp_sphere_nears(by->sphere, bound);
}

static bool is_sphere_touching(const touch_query *by, const vp_sphere *sphere)
{
    return vp_sphere_touches_sphere(by->sphere, sphere);
}

static bool is_sphere_touching_triangle(const touch_query *by, const vp_vec3 corner[3])
{
    return vp_triangle_touches_sphere(corner, by->sphere);
}

uint32_t vp_scene_sphere_scalar(const vp_spheretree_view *tree, const vp_sphere *sphere, const vp_spheretree_query *query,
                                vp_spheretree_item *out, uint32_t capacity)
{
    const touch_query by = {is_sphere_near, is_sphere_touching, is_sphere_touching_triangle, .sphere = sphere};
    return list_touched(tree, &by, query, out, capacity);
}

/* ---- a box ---- */

static bool is_box_near(const touch_query *by, const vp_sphere *bound)
{
    return vp_box_nears(&by->box, bound);
}

static bool is_box_touching(const touch_query *by, const vp_sphere *sphere)
{
    return vp_box_touches_sphere(&by->box, sphere);
}

static bool is_box_touching_triangle(const touch_query *by, const vp_vec3 corner[3])
{
    return vp_triangle_touches_box(corner, &by->box);
}

uint32_t vp_scene_box_scalar(const vp_spheretree_view *tree, const vp_aabb *box, const vp_spheretree_query *query, vp_spheretree_item *out,
                             uint32_t capacity)
{
    const touch_query by = {is_box_near, is_box_touching, is_box_touching_triangle, .box = *box};
    return list_touched(tree, &by, query, out, capacity);
}

/* ---- a triangle ---- */

static bool is_triangle_near(const touch_query *by, const vp_sphere *bound)
{
    return vp_triangle_nears(&by->box, bound);
}

static bool is_triangle_touching(const touch_query *by, const vp_sphere *sphere)
{
    return vp_triangle_touches_sphere(by->corner, sphere);
}

static bool is_triangle_touching_triangle(const touch_query *by, const vp_vec3 corner[3])
{
    return vp_triangles_touch(by->corner, corner);
}

uint32_t vp_scene_triangle_scalar(const vp_spheretree_view *tree, const vp_vec3 *corner, const vp_spheretree_query *query,
                                  vp_spheretree_item *out, uint32_t capacity)
{
    const touch_query by = {is_triangle_near, is_triangle_touching, is_triangle_touching_triangle, .corner = corner,
                            .box = vp_triangle_box(corner)};
    return list_touched(tree, &by, query, out, capacity);
}
