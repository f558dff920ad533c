/* SPDX-License-Identifier: MIT */
/* The tests at leaves, for all forms and versions. */
#include "src/spheretree/leaf.h"

#include "src/spheretree/walk.h"

/* ---- a sphere ---- */

static bool is_sphere_near(const vp_touch_query *by, const vp_sphere *bound)
{
    return vp_sphere_nears(by->sphere, bound);
}

static bool is_sphere_touching(const vp_touch_query *by, const vp_sphere *sphere)
{
    return vp_sphere_touches_sphere(by->sphere, sphere);
}

static bool is_sphere_touching_triangle(const vp_touch_query *by, const vp_vec3 corner[3])
{
    return vp_triangle_touches_sphere(corner, by->sphere);
}

vp_touch_query vp_touch_by_sphere(const vp_sphere *sphere)
{
    return (vp_touch_query){is_sphere_near, is_sphere_touching, is_sphere_touching_triangle, .sphere = sphere};
}

/* ---- a box ---- */

static bool is_box_near(const vp_touch_query *by, const vp_sphere *bound)
{
    return vp_box_nears(&by->box, bound);
}

static bool is_box_touching(const vp_touch_query *by, const vp_sphere *sphere)
{
    return vp_box_touches_sphere(&by->box, sphere);
}

static bool is_box_touching_triangle(const vp_touch_query *by, const vp_vec3 corner[3])
{
    return vp_triangle_touches_box(corner, &by->box);
}

vp_touch_query vp_touch_by_box(const vp_aabb *box)
{
    return (vp_touch_query){is_box_near, is_box_touching, is_box_touching_triangle, .box = *box};
}

/* ---- a triangle ---- */

static bool is_triangle_near(const vp_touch_query *by, const vp_sphere *bound)
{
    return vp_triangle_nears(&by->box, bound);
}

static bool is_triangle_touching(const vp_touch_query *by, const vp_sphere *sphere)
{
    return vp_triangle_touches_sphere(by->corner, sphere);
}

static bool is_triangle_touching_triangle(const vp_touch_query *by, const vp_vec3 corner[3])
{
    return vp_triangles_touch(by->corner, corner);
}

vp_touch_query vp_touch_by_triangle(const vp_vec3 *corner)
{
    return (vp_touch_query){is_triangle_near, is_triangle_touching, is_triangle_touching_triangle, .corner = corner,
                            .box = vp_triangle_box(corner)};
}

/* ---- leaves ---- */

uint32_t vp_touch_leaf(const vp_spheretree_view *tree, const vp_touch_query *by, const vp_spheretree_query *query,
                       const vp_spheretree_node *leaf, vp_touch_list *list)
{
    const uint32_t object = vp_spheretree_object_of(leaf), triangles = vp_spheretree_triangles_of(leaf),
                   items = triangles > 0 ? triangles : 1;
    for (uint32_t i = 0; i < items; i++) {
        vp_spheretree_item item = {object, VP_SPHERETREE_NONE};
        vp_vec3 corner[3];
        float t = 0;
        bool touched;
        if (triangles == 0) {
            touched = by->is_touching(by, &leaf->bound) && vp_scene_is_touched(tree, query, object, &t);
        } else {
            vp_scene_corners(tree, leaf, i, corner);
            item.triangle = vp_scene_triangle_of(leaf, i);
            touched = by->is_touching_triangle(by, corner);
        }
        if (touched)
            vp_touch_add(list, item);
    }
    return items;
}

/* Item i of a leaf. */
static vp_spheretree_item item_of(const vp_spheretree_view *tree, const vp_spheretree_node *leaf, uint32_t triangles, uint32_t i,
                                  vp_vec3 corner[3])
{
    if (triangles > 0)
        vp_scene_corners(tree, leaf, i, corner);
    return (vp_spheretree_item){vp_spheretree_object_of(leaf), triangles > 0 ? vp_scene_triangle_of(leaf, i) : VP_SPHERETREE_NONE};
}

uint32_t vp_pair_leaves(const vp_spheretree_view *tree, const vp_spheretree_node *a, const vp_spheretree_node *b, vp_pair_list *list)
{
    const uint32_t of_a = vp_spheretree_triangles_of(a), of_b = vp_spheretree_triangles_of(b), items_a = of_a > 0 ? of_a : 1,
                   items_b = of_b > 0 ? of_b : 1;
    for (uint32_t i = 0; i < items_a; i++)
        for (uint32_t k = 0; k < items_b; k++) {
            vp_vec3 p[3], q[3];
            const vp_spheretree_pair pair = {item_of(tree, a, of_a, i, p), item_of(tree, b, of_b, k, q)};
            if (of_a > 0 ? (of_b > 0 ? vp_triangles_touch(p, q) : vp_triangle_touches_sphere(p, &b->bound))
                         : (of_b > 0 ? vp_triangle_touches_sphere(q, &a->bound) : vp_sphere_touches_sphere(&a->bound, &b->bound)))
                vp_pair_add(list, pair);
        }
    return items_a * items_b;
}

/* ---- rays ---- */

/* A leaf that is a sphere. Its object-level test decides. */
static bool is_object_met(const vp_spheretree_view *tree, const vp_ray_frame *ray, const vp_spheretree_node *leaf,
                          const vp_spheretree_query *query, vp_meeting *m)
{
    const vp_scene_shape *shape = vp_scene_shape_of(query);
    if (shape != NULL ? !vp_shape_meets_sphere(shape, ray, &leaf->bound, m) : !vp_ray_meets_sphere(ray, &leaf->bound, m))
        return false;
    float t = m->t;
    if (!vp_scene_is_touched(tree, query, vp_spheretree_object_of(leaf), &t))
        return false;
    if (t > m->t) {
        m->t = t;
        m->s = (float)(t / ray->unscale);
    }
    return m->s <= ray->s_max && m->t <= ray->t_max && m->t <= FLT_MAX;
}

static bool is_triangle_met(const vp_spheretree_view *tree, const vp_ray_frame *ray, const vp_spheretree_node *leaf,
                            const vp_scene_shape *shape, uint32_t which, vp_meeting *m)
{
    vp_vec3 p[3];
    vp_scene_corners(tree, leaf, which, p);
    if (shape != NULL)
        return vp_shape_meets_triangle(shape, ray, p, m);
    const float a[3] = {p[0].x, p[0].y, p[0].z}, b[3] = {p[1].x, p[1].y, p[1].z}, c[3] = {p[2].x, p[2].y, p[2].z};
    return vp_ray_meets(ray, a, b, c, m);
}

uint32_t vp_ray_leaf(const vp_spheretree_view *tree, const vp_ray_frame *ray, const vp_spheretree_query *query,
                     const vp_spheretree_node *leaf, vp_scene_ray_query *by)
{
    const uint32_t triangles = vp_spheretree_triangles_of(leaf), items = triangles > 0 ? triangles : 1;
    for (uint32_t i = 0; i < items; i++) {
        vp_meeting m;
        if (triangles == 0 ? !is_object_met(tree, ray, leaf, query, &m)
                           : !is_triangle_met(tree, ray, leaf, vp_scene_shape_of(query), i, &m))
            continue;
        const vp_spheretree_hit hit = {
            m.t, {vp_spheretree_object_of(leaf), triangles == 0 ? VP_SPHERETREE_NONE : vp_scene_triangle_of(leaf, i)}, m.u, m.v};
        by->s_most = by->keep(by, m.s, &hit);
    }
    if (vp_scene_is_stopped(query))
        by->s_most = -1;
    return items;
}

static bool is_before(float at, vp_spheretree_item item, float other_at, vp_spheretree_item other)
{
    if (at != other_at)
        return at < other_at;
    return item.object != other.object ? item.object < other.object : item.triangle < other.triangle;
}

static float keep_closest(vp_scene_ray_query *by, float s, const vp_spheretree_hit *hit)
{
    if (by->count > 0 && !is_before(s, hit->item, by->s, by->hit->item))
        return by->s_most;
    by->count = 1;
    *by->hit = *hit;
    return by->s = s;
}

vp_scene_ray_query vp_ray_closest(vp_spheretree_hit *hit)
{
    return (vp_scene_ray_query){.keep = keep_closest, .hit = hit};
}

static float keep_any(vp_scene_ray_query *by, float s, const vp_spheretree_hit *hit)
{
    (void)s, (void)hit;
    by->count = 1;
    return -1;
}

vp_scene_ray_query vp_ray_any(void)
{
    return (vp_scene_ray_query){.keep = keep_any};
}

/* Keeps the list sorted. Hits beyond its capacity are only counted. */
static float keep_all(vp_scene_ray_query *by, float s, const vp_spheretree_hit *hit)
{
    uint32_t at = by->count < by->capacity ? by->count : by->capacity;
    (void)s;
    by->count++;
    for (; at > 0 && is_before(hit->t, hit->item, by->hit[at - 1].t, by->hit[at - 1].item); at--)
        if (at < by->capacity)
            by->hit[at] = by->hit[at - 1];
    if (at < by->capacity)
        by->hit[at] = *hit;
    return by->s_most;
}

vp_scene_ray_query vp_ray_all(vp_spheretree_hit *out, uint32_t capacity)
{
    return (vp_scene_ray_query){.keep = keep_all, .hit = out, .capacity = capacity};
}
