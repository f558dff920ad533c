/* SPDX-License-Identifier: MIT */
/* Rays through the sphere tree: article "Scene Collision Detection", "Detection". "ray-scene intersections is something
 * I would like to have" is the reason for a tree instead of sweep-and-prune. The child whose centre comes first is
 * visited first, and nodes that are entered after the nearest hit so far are skipped. */
#include <voxphys/kernel/spheretree.h>

#include "src/spheretree/ray_sphere.h"
#include "src/spheretree/walk.h"

/* How a query handles the hits of a ray, in any order. */
typedef struct ray_query {
    /* @return the largest s that the query still needs; negative to end */
    float (*keep)(struct ray_query *by, float s, const vp_spheretree_hit *hit, float s_most);
    vp_spheretree_hit *hit; /* closest: the best hit; all: the list, in order */
    float s;                /* of the best hit */
    uint32_t count, capacity;
} ray_query;

/* A leaf that is a sphere. Its object-level test decides. */
static bool is_object_met(const vp_spheretree_view *tree, const vp_ray_frame *ray, const vp_spheretree_node *leaf,
                          const vp_spheretree_query *query, vp_meeting *m)
{
    if (!vp_ray_meets_sphere(ray, &leaf->bound, m))
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

static bool is_triangle_met(const vp_spheretree_view *tree, const vp_ray_frame *ray, const vp_spheretree_node *leaf, uint32_t which,
                            vp_meeting *m)
{
    vp_vec3 p[3];
    vp_scene_corners(tree, leaf, which, p);
    const float a[3] = {p[0].x, p[0].y, p[0].z}, b[3] = {p[1].x, p[1].y, p[1].z}, c[3] = {p[2].x, p[2].y, p[2].z};
    return vp_ray_meets(ray, a, b, c, m);
}

static void visit_leaves(const vp_spheretree_view *tree, const vp_ray *of, const vp_spheretree_query *query, ray_query *by)
{
    vp_ray_frame ray;
    uint32_t at = tree->root;
    uint64_t nodes = 0, tests = 0;
    if (!vp_ray_frame_of(of, &ray))
        return;
    float s_most = ray.s_max;
    while (at != VP_SPHERETREE_NONE && s_most >= 0) {
        const vp_spheretree_node *node = &tree->node[at];
        nodes++;
        if (!vp_scene_is_in_mask(query, node) || !vp_ray_nears(&ray, &node->bound, s_most)) {
            at = vp_scene_past(tree, at, ray.direction);
            continue;
        }
        if (!vp_spheretree_is_leaf(node)) {
            at = vp_scene_into(tree, at, ray.direction);
            continue;
        }
        const uint32_t triangles = vp_spheretree_triangles_of(node);
        for (uint32_t i = 0; i < (triangles > 0 ? triangles : 1); i++) {
            vp_meeting m;
            tests++;
            if (triangles == 0 ? !is_object_met(tree, &ray, node, query, &m) : !is_triangle_met(tree, &ray, node, i, &m))
                continue;
            const vp_spheretree_hit hit = {
                m.t, {vp_spheretree_object_of(node), triangles == 0 ? VP_SPHERETREE_NONE : vp_scene_triangle_of(node, i)}, m.u, m.v};
            s_most = by->keep(by, m.s, &hit, s_most);
        }
        at = vp_scene_past(tree, at, ray.direction);
    }
    vp_scene_add_cost(query, nodes, tests);
}

static bool is_before(float at, vp_spheretree_item item, float other_at, vp_spheretree_item other)
{
    if (at != other_at)
        return at < other_at;
    return item.object != other.object ? item.object < other.object : item.triangle < other.triangle;
}

static float keep_closest(ray_query *by, float s, const vp_spheretree_hit *hit, float s_most)
{
    if (by->count > 0 && !is_before(s, hit->item, by->s, by->hit->item))
        return s_most;
    by->count = 1;
    *by->hit = *hit;
    return by->s = s;
}

vp_spheretree_hit vp_scene_ray_scalar(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    vp_spheretree_hit hit = {ray->t_max, {VP_SPHERETREE_NONE, VP_SPHERETREE_NONE}, 0, 0};
    ray_query by = {.keep = keep_closest, .hit = &hit};
    visit_leaves(tree, ray, query, &by);
    return hit;
}

static float keep_any(ray_query *by, float s, const vp_spheretree_hit *hit, float s_most)
{
    (void)s, (void)hit, (void)s_most;
    by->count = 1;
    return -1;
}

bool vp_scene_ray_any_scalar(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query)
{
    ray_query by = {.keep = keep_any};
    visit_leaves(tree, ray, query, &by);
    return by.count > 0;
}

/* Keeps the list sorted. Hits beyond its capacity are only counted. */
static float keep_all(ray_query *by, float s, const vp_spheretree_hit *hit, float s_most)
{
    uint32_t at = by->count < by->capacity ? by->count : by->capacity;
    (void)s;
    by->count++;
    for (; at > 0 && is_before(hit->t, hit->item, by->hit[at - 1].t, by->hit[at - 1].item); at--)
        if (at < by->capacity)
            by->hit[at] = by->hit[at - 1];
    if (at < by->capacity)
        by->hit[at] = *hit;
    return s_most;
}

uint32_t vp_scene_ray_all_scalar(const vp_spheretree_view *tree, const vp_ray *ray, const vp_spheretree_query *query,
                                 vp_spheretree_hit *out, uint32_t capacity)
{
    ray_query by = {.keep = keep_all, .hit = out, .capacity = capacity};
    visit_leaves(tree, ray, query, &by);
    return by.count;
}
