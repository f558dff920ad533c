/* SPDX-License-Identifier: MIT */
/* Rays through the loose kD tree: voxel terrain article, "Loose kD tree: queries".
 *
 * A ray is a segment of parameters, from near to far. A branch cuts it in two. The left child's part ends, or begins,
 * where the ray crosses the branch's first plane, the right child's where it crosses the second. Planes may overlap,
 * and so may the parts. The child that the ray reaches first is visited first. The other one waits on a stack with its
 * part, and is dropped if a hit before that part has been found by then. A slab node cuts at both planes around its
 * only child. Leaves test their triangles. In the wide form a node's eight boxes take the place of planes.
 *
 * Faces are moved outwards by a little, so that rounding loses no hit. vp_ray_pad explains why that is enough. A sphere
 * that moves along a ray is a ray among boxes that are larger by its radius. */
#include <voxphys/kernel/kd.h>

#include <math.h>

#include "src/kd/corners.h"
#include "src/kd/ray_boxes.h"
#include "src/kd/sphere_triangle.h"

/* A ray, ready for the faces of one tree. */
typedef struct traveller {
    vp_box_ray box;
    float radius; /* of a sphere; negative for a ray */
} traveller;

/* How a query handles the hits of a traversal, in any order. */
typedef struct hit_query {
    /* @return the largest s that the query still needs; negative to end */
    float (*take)(struct hit_query *query, const vp_meeting *meeting, uint32_t triangle, float s_most);
    vp_hit *hit;      /* closest: the best hit; all: the list, in ascending order */
    vp_meeting *best; /* closest: the best hit's */
    uint32_t count, capacity;
} hit_query;

static void test_at(const traveller *r, const float a[3], const float b[3], const float c[3], uint32_t triangle, hit_query *q,
                    float *s_most)
{
    vp_meeting meeting;
    if (r->radius < 0.0f ? vp_ray_meets(&r->box.frame, a, b, c, &meeting) : vp_sphere_meets(&r->box.frame, r->radius, a, b, c, &meeting))
        *s_most = q->take(q, &meeting, triangle, *s_most);
}

static void test_triangle(const vp_kd_view *tree, const traveller *r, uint32_t triangle, hit_query *q, float *s_most)
{
    uint32_t corner[3];
    vp_triangle_corners(&tree->triangles, triangle, corner);
    const vp_vec3 *vertex = tree->triangles.vertex;
    const vp_vec3 *a = &vertex[corner[0]], *b = &vertex[corner[1]], *c = &vertex[corner[2]];
    const float at[3][3] = {{a->x, a->y, a->z}, {b->x, b->y, b->z}, {c->x, c->y, c->z}};
    test_at(r, at[0], at[1], at[2], triangle, q, s_most);
}

/* ---- published and slab form ---- */

typedef struct waiting {
    uint32_t node;
    vp_ray_part part;
} waiting;

static void visit_nodes(const vp_kd_view *tree, const traveller *r, vp_ray_part whole, hit_query *q)
{
    waiting stack[VP_KD_STACK];
    int waits = 0;
    float s_most = whole.far;
    stack[waits++] = (waiting){0, whole};
    while (waits > 0) {
        waiting at = stack[--waits];
        while (at.part.near <= vp_min(s_most, at.part.far)) {
            const vp_kd_node *node = &tree->node[at.node];
            int axis = (int)vp_kd_axis(node);
            if (axis == 3) {
                for (uint32_t i = 0; i < vp_kd_child(node); i++)
                    test_triangle(tree, r, node->u.triangle[i], q, &s_most);
                break;
            }
            uint32_t child = vp_kd_child(node);
            if (vp_kd_is_slab(node)) {
                at = (waiting){child, vp_part_between(&r->box, axis, node->u.plane[0], node->u.plane[1], at.part)};
                continue;
            }
            float left_face = vp_to_high(&r->box, axis, node->u.plane[0]), right_face = vp_to_low(&r->box, axis, node->u.plane[1]);
            waiting left = {child, at.part}, right = {child + 1, at.part};
            if (r->box.backwards[axis]) {
                left.part.near = vp_max(left_face, at.part.near);
                right.part.far = vp_min(right_face, at.part.far);
            } else {
                left.part.far = vp_min(left_face, at.part.far);
                right.part.near = vp_max(right_face, at.part.near);
            }
            stack[waits++] = r->box.backwards[axis] ? left : right;
            at = r->box.backwards[axis] ? right : left;
        }
    }
}

/* ---- wide form ---- */

enum { WIDE_STACK = VP_KD_STACK * VP_KD_WIDTH };

typedef struct waiting_wide {
    uint32_t child; /* as in vp_kd_wide */
    float near;
} waiting_wide;

static void test_items(const vp_kd_view *tree, const traveller *r, uint32_t leaf, hit_query *q, float *s_most)
{
    const uint32_t *id = tree->item_id + vp_kd_first_item(leaf);
    for (uint32_t i = 0; i < vp_kd_items_in(leaf); i++)
        if (tree->triangles.quads) {
            test_triangle(tree, r, 2 * id[i], q, s_most);
            test_triangle(tree, r, 2 * id[i] + 1, q, s_most);
        } else {
            test_triangle(tree, r, id[i], q, s_most);
        }
}

static void visit_wide(const vp_kd_view *tree, const traveller *r, vp_ray_part whole, hit_query *q)
{
    waiting_wide stack[WIDE_STACK];
    int waits = 0;
    float s_most = whole.far;
    stack[waits++] = (waiting_wide){0, whole.near};
    while (waits > 0) {
        waiting_wide at = stack[--waits];
        if (!(at.near <= s_most))
            continue;
        if (vp_kd_is_leaf(at.child)) {
            test_items(tree, r, at.child, q, &s_most);
            continue;
        }
        const vp_kd_wide *node = &tree->wide[at.child];
        int first = waits;
        for (int i = 0; i < VP_KD_WIDTH; i++) {
            const float low[3] = {node->low[0][i], node->low[1][i], node->low[2][i]};
            const float high[3] = {node->high[0][i], node->high[1][i], node->high[2][i]};
            vp_ray_part p = vp_part_inside(&r->box, low, high, (vp_ray_part){whole.near, s_most});
            if (!(low[0] <= high[0] && p.near <= p.far))
                continue;
            int to = waits++; /* the nearest child last, so that it is visited first */
            for (; to > first && stack[to - 1].near < p.near; to--)
                stack[to] = stack[to - 1];
            stack[to] = (waiting_wide){node->child[i], p.near};
        }
    }
}

/* ---- packed and implied form ---- */

static void test_packed_triangle(const vp_kd_view *tree, const traveller *r, uint32_t item, uint32_t second, hit_query *q, float *s_most)
{
    const uint32_t id = vp_kd_packed_id(tree, item);
    float at[3][3];
    for (uint32_t c = 0; c < 3; c++)
        vp_kd_packed_corner(tree, item, c == 0 ? 0 : c + second, at[c]);
    test_at(r, at[0], at[1], at[2], tree->triangles.quads ? 2 * id + second : id, q, s_most);
}

static void test_packed_items(const vp_kd_view *tree, const traveller *r, uint32_t leaf, hit_query *q, float *s_most)
{
    const uint32_t first = vp_kd_packed_first_item(leaf);
    for (uint32_t i = first; leaf != VP_KD_NO_CHILD && i < first + vp_kd_packed_items_in(leaf); i++) {
        test_packed_triangle(tree, r, i, 0, q, s_most);
        if (tree->triangles.quads)
            test_packed_triangle(tree, r, i, 1, q, s_most);
    }
}

/* Faces become floats again, as multiples of the step from the box's lowest corner. That adds one rounding of at most u
   M. The wide form's faces are exact bounds, while faces in bytes may be off by the rounding of their conversion, at
   most 2 u M. vp_ray_pad has 8 u M to spare. */
static void visit_lines(const vp_kd_view *tree, const traveller *r, vp_ray_part whole, hit_query *q)
{
    waiting_wide stack[WIDE_STACK];
    const vp_kd_faces faces = vp_kd_faces_of(&tree->box);
    int waits = 0;
    float s_most = whole.far;
    stack[waits++] = (waiting_wide){0, whole.near};
    while (waits > 0) {
        waiting_wide at = stack[--waits];
        if (!(at.near <= s_most))
            continue;
        if (vp_kd_packed_is_leaf(at.child)) {
            test_packed_items(tree, r, at.child, q, &s_most);
            continue;
        }
        const vp_kd_packed_node *node = &tree->line[at.child];
        int first = waits;
        for (int i = 0; i < VP_KD_WIDTH && node->child[i] != VP_KD_NO_CHILD; i++) {
            float low[3], high[3];
            for (int k = 0; k < 3; k++) {
                low[k] = faces.origin[k] + (float)node->low[k][i] * faces.step[k];
                high[k] = faces.origin[k] + (float)node->high[k][i] * faces.step[k];
            }
            vp_ray_part p = vp_part_inside(&r->box, low, high, (vp_ray_part){whole.near, s_most});
            if (!(p.near <= p.far))
                continue;
            int to = waits++;
            for (; to > first && stack[to - 1].near < p.near; to--)
                stack[to] = stack[to - 1];
            stack[to] = (waiting_wide){node->child[i], p.near};
        }
    }
}

/* ---- queries ---- */

#define RAY VP_RADIUS_OF_RAY

/* Finds the hits of a ray up to s_most. @return false for an invalid ray */
static bool trace_ray_to(const vp_kd_view *tree, const vp_ray *ray, float radius, float s_most, hit_query *q)
{
    traveller r;
    r.radius = radius;
    if (!vp_box_ray_of(ray, &tree->box, radius, &r.box))
        return false;
    const float low[3] = {tree->box.min.x, tree->box.min.y, tree->box.min.z};
    const float high[3] = {tree->box.max.x, tree->box.max.y, tree->box.max.z};
    vp_ray_part whole = {0.0f, vp_min(s_most, r.box.frame.s_max)};
    vp_ray_part in = vp_part_inside(&r.box, low, high, whole);
    if (!(low[0] <= high[0] && in.near <= in.far))
        return true;
    if (tree->form == VP_KD_WIDE)
        visit_wide(tree, &r, whole, q);
    else if (tree->form == VP_KD_PACKED || tree->form == VP_KD_IMPLIED)
        visit_lines(tree, &r, whole, q);
    else
        visit_nodes(tree, &r, in, q);
    return true;
}

/* @return false for an invalid ray */
static bool trace_ray(const vp_kd_view *tree, const vp_ray *ray, float radius, hit_query *q)
{
    return trace_ray_to(tree, ray, radius, INFINITY, q);
}

static bool is_before(float s, uint32_t triangle, float other_s, int32_t other)
{
    return s < other_s || (s == other_s && triangle < (uint32_t)other);
}

static vp_hit hit_of(const vp_meeting *m, uint32_t triangle)
{
    return (vp_hit){m->t, (int32_t)triangle, m->u, m->v};
}

static bool is_nearer(const vp_meeting *m, uint32_t triangle, const vp_meeting *best, int32_t other)
{
    if (m->s == best->s && m->distance != best->distance)
        return m->distance < best->distance;
    return is_before(m->s, triangle, best->s, other);
}

static float keep_closest(hit_query *q, const vp_meeting *m, uint32_t triangle, float s_most)
{
    if (q->hit->triangle >= 0 && !is_nearer(m, triangle, q->best, q->hit->triangle))
        return s_most;
    *q->hit = hit_of(m, triangle);
    *q->best = *m;
    return m->s;
}

vp_hit vp_kd_ray_scalar(const vp_kd_view *tree, const vp_ray *ray)
{
    vp_hit hit = {ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    vp_meeting best;
    hit_query q = {.take = keep_closest, .hit = &hit, .best = &best};
    if (!trace_ray(tree, ray, RAY, &q))
        hit.triangle = VP_RAY_INVALID;
    return hit;
}

vp_hit vp_kd_nearest(const vp_kd_view *tree, const vp_ray *ray, float radius, float s_most, vp_meeting *meeting)
{
    const vp_hit none = {ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    vp_hit hit = none;
    hit_query q = {.take = keep_closest, .hit = &hit, .best = meeting};
    return trace_ray_to(tree, ray, radius, s_most, &q) && hit.triangle >= 0 && meeting->s <= s_most ? hit : none;
}

static float keep_any(hit_query *q, const vp_meeting *m, uint32_t triangle, float s_most)
{
    (void)m, (void)triangle, (void)s_most;
    q->count = 1;
    return -1.0f;
}

int32_t vp_kd_ray_any_scalar(const vp_kd_view *tree, const vp_ray *ray)
{
    hit_query q = {.take = keep_any};
    return trace_ray(tree, ray, RAY, &q) ? (int32_t)q.count : VP_RAY_INVALID;
}

/* Keeps the list sorted by t, then by triangle. Hits beyond its capacity are only counted. */
static float keep_all(hit_query *q, const vp_meeting *m, uint32_t triangle, float s_most)
{
    uint32_t at = q->count < q->capacity ? q->count : q->capacity;
    q->count++;
    while (at > 0 && is_before(m->t, triangle, q->hit[at - 1].t, q->hit[at - 1].triangle)) {
        if (at < q->capacity)
            q->hit[at] = q->hit[at - 1];
        at--;
    }
    if (at < q->capacity)
        q->hit[at] = hit_of(m, triangle);
    return s_most;
}

typedef struct each {
    hit_query query;
    vp_take_hit_fn *take;
    void *user;
} each;

static float report_each(hit_query *q, const vp_meeting *m, uint32_t triangle, float s_most)
{
    const each *e = (const each *)q;
    const vp_hit hit = hit_of(m, triangle);
    e->take(e->user, &hit);
    return s_most;
}

void vp_kd_each_hit(const vp_kd_view *tree, const vp_ray *ray, vp_take_hit_fn *take, void *user)
{
    each e = {{.take = report_each}, take, user};
    trace_ray(tree, ray, RAY, &e.query);
}

uint32_t vp_kd_ray_all_scalar(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    hit_query q = {.take = keep_all, .hit = out, .capacity = capacity};
    return trace_ray(tree, ray, RAY, &q) ? q.count : VP_RAY_ALL_INVALID;
}

vp_hit vp_kd_sphere_sweep_scalar(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    vp_hit hit = {ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    vp_meeting best;
    hit_query q = {.take = keep_closest, .hit = &hit, .best = &best};
    if (!(radius >= 0.0f && radius <= VP_KD_MAX) || !trace_ray(tree, ray, radius, &q))
        hit.triangle = VP_RAY_INVALID;
    return hit;
}
