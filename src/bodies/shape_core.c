/* SPDX-License-Identifier: MIT */
/* Cores of shapes: vertices, edges, faces, arcs and reach. Spheres and capsules are polytopes with 1 and 2 vertices. */
#include "src/bodies/shape_pair.h"

#include <math.h>

/* The axes of a rotation by a quaternion of any length, which vp_collide_frame_of has checked. */
static void find_rotation_axes(const float q[4], vp_real3 axis[3])
{
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    const double s = 2.0 / (((x * x + y * y) + z * z) + w * w);
    axis[0] = (vp_real3){1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)};
    axis[1] = (vp_real3){s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)};
    axis[2] = (vp_real3){s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)};
}

void vp_core_of(const vp_collide_shape *shape, const vp_pose *pose, vp_vec3 origin, vp_core *out)
{
    static const uint32_t counts[VP_COLLIDE_KINDS][4] = {
        [VP_COLLIDE_SPHERE] = {1, 0, 0, 0}, [VP_COLLIDE_CAPSULE] = {2, 1, 0, 4}, [VP_COLLIDE_BOX] = {8, 12, 6, 12}};
    const uint32_t *count = counts[shape->kind];
    const bool is_round = shape->kind == VP_COLLIDE_SPHERE || shape->kind == VP_COLLIDE_CAPSULE;
    *out = (vp_core){.shape = shape,
                     .position = vp_real3_sub(vp_real3_of(pose->position), vp_real3_of(origin)),
                     .radius = is_round ? (double)shape->radius : 0.0,
                     .vertex_count = count[0],
                     .edge_count = count[1],
                     .face_count = count[2],
                     .arc_count = count[3]};
    find_rotation_axes(pose->rotation, out->axis);
    if (shape->kind == VP_COLLIDE_HULL) {
        out->vertex_count = shape->hull->vertex_count;
        out->edge_count = shape->hull->edge_count;
        out->face_count = shape->hull->face_count;
        out->arc_count = shape->hull->arc_count;
    }
}

static vp_real3 unit_along_axis(uint32_t axis, bool positive)
{
    const double one = positive ? 1.0 : -1.0;
    return (vp_real3){axis == 0 ? one : 0.0, axis == 1 ? one : 0.0, axis == 2 ? one : 0.0};
}

vp_real3 vp_core_local_normal(const vp_core *c, uint32_t face)
{
    if (c->shape->kind == VP_COLLIDE_BOX)
        return unit_along_axis(face / 2, (face & 1) != 0);
    vp_real3 n = vp_real3_of(c->shape->hull->plane[face].normal);
    vp_real3_make_unit(&n, 0.0);
    return n;
}

vp_core_arc vp_core_local_arc(const vp_core *c, uint32_t i)
{
    if (c->shape->kind == VP_COLLIDE_HULL) {
        const vp_collide_arc *arc = &c->shape->hull->arc[i];
        return (vp_core_arc){vp_real3_of(arc->from), vp_real3_of(arc->to), arc->edge};
    }
    const bool first = (i & 1) != 0, second = (i & 2) != 0;
    if (c->shape->kind == VP_COLLIDE_BOX)
        return (vp_core_arc){unit_along_axis((i / 4 + 1) % 3, first), unit_along_axis((i / 4 + 2) % 3, second), i};
    return (vp_core_arc){unit_along_axis(2, first), unit_along_axis(0, second),
                         0}; /* a quarter of the directions perpendicular to a segment */
}

static double reach_of_hull(const vp_collide_hull *h, vp_real3 m)
{
    double max = -INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const double at = vp_real3_dot(m, vp_real3_of(h->vertex[i]));
        max = at > max ? at : max;
    }
    return max;
}

VP_INLINE double reach_of(const vp_core *c, vp_real3 m)
{
    const vp_collide_shape *s = c->shape;
    if (s->kind == VP_COLLIDE_CYLINDER)
        return vp_core_reach_of_cylinder(c, m);
    const vp_real3 l = vp_core_to_local(c, m);
    const double at = vp_real3_dot(m, c->position);
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return at;
    case VP_COLLIDE_CAPSULE:
        return at + (double)s->half_height * fabs(l.y);
    case VP_COLLIDE_BOX:
        return at + (((double)s->half.x * fabs(l.x) + (double)s->half.y * fabs(l.y)) + (double)s->half.z * fabs(l.z));
    default:
        return at + reach_of_hull(s->hull, l);
    }
}

double vp_core_reach(const vp_core *c, vp_real3 m)
{
    return reach_of(c, m);
}

/* ---- views ---- */

/* Heights of a box's vertices, from one product for each axis. */
static void see_box(vp_core_view *out)
{
    const vp_real3 half = vp_real3_of(out->core->shape->half);
    const double x = out->local.x * half.x, y = out->local.y * half.y, z = out->local.z * half.z, reach = (fabs(x) + fabs(y)) + fabs(z);
    const double a = -x - y, b = x - y, c = -x + y, d = x + y;
    out->reach = reach;
    out->height[0] = reach - (a - z);
    out->height[1] = reach - (b - z);
    out->height[2] = reach - (c - z);
    out->height[3] = reach - (d - z);
    out->height[4] = reach - (a + z);
    out->height[5] = reach - (b + z);
    out->height[6] = reach - (c + z);
    out->height[7] = reach - (d + z);
}

void vp_core_see(const vp_core *core, const vp_real3 *along, vp_core_view *out)
{
    out->core = core;
    out->local = vp_core_to_local(core, *along);
    if (core->shape->kind == VP_COLLIDE_BOX) {
        see_box(out);
        return;
    }
    out->reach = -INFINITY;
    for (uint32_t i = 0; i < core->vertex_count; i++) {
        const double at = vp_real3_dot(out->local, vp_core_local_vertex(core, i));
        out->reach = vp_double_max(at, out->reach);
        if (i < VP_CORE_KEPT)
            out->height[i] = at;
    }
    for (uint32_t i = 0; i < core->vertex_count && i < VP_CORE_KEPT; i++)
        out->height[i] = out->reach - out->height[i];
}

double vp_core_height(const vp_core_view *view, uint32_t vertex)
{
    return vertex < VP_CORE_KEPT ? view->height[vertex]
                                 : view->reach - vp_real3_dot(view->local, vp_core_local_vertex(view->core, vertex));
}

void vp_core_take_all(vp_core_view *view)
{
    view->vertices.count = view->core->vertex_count;
    view->edges.count = view->core->edge_count;
    view->faces.count = view->core->face_count;
    view->vertices.all = view->edges.all = view->faces.all = true;
}

static void take(vp_core_parts *parts, uint32_t number)
{
    if (parts->count < VP_CORE_KEPT)
        parts->number[parts->count] = number;
    parts->count++;
}

static bool is_low_edge(const vp_core_view *view, uint32_t edge, double high)
{
    uint32_t v[2];
    vp_core_edge(view->core, edge, v);
    return vp_core_height(view, v[0]) <= high && vp_core_height(view, v[1]) <= high;
}

static bool is_low_face(const vp_core_view *view, uint32_t face, double high)
{
    const uint32_t count = vp_core_corner_count(view->core, face);
    uint32_t i = 0;
    while (i < count && vp_core_height(view, vp_core_corner(view->core, face, i)) <= high)
        i++;
    return i == count;
}

/* Takes the parts of a box whose vertices are all in a set. @param corner  [count]. Set of a part's vertices */
static void take_corners(vp_core_parts *parts, const uint8_t *corner, uint32_t count, uint32_t set)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++)
        if ((corner[i] & ~set) == 0)
            parts->number[taken++] = i;
    parts->count = taken;
}

static void take_low_of_box(vp_core_view *view, double high)
{
    static const uint8_t vertex[8] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80};
    static const uint8_t edge[12] = {0x03, 0x0c, 0x30, 0xc0, 0x05, 0x50, 0x0a, 0xa0, 0x11, 0x22, 0x44, 0x88};
    static const uint8_t face[6] = {0x55, 0xaa, 0x33, 0xcc, 0x0f, 0xf0};
    uint32_t set = 0;
    for (uint32_t i = 0; i < 8; i++)
        set |= (uint32_t)(view->height[i] <= high) << i;
    take_corners(&view->vertices, vertex, 8, set);
    if (view->vertices.count >= 2)
        take_corners(&view->edges, edge, 12, set);
    if (view->vertices.count >= 3)
        take_corners(&view->faces, face, 6, set);
}

bool vp_core_take_low(vp_core_view *view, double high)
{
    const vp_core *c = view->core;
    vp_core_parts *vertices = &view->vertices, *edges = &view->edges, *faces = &view->faces;
    vertices->count = edges->count = faces->count = 0;
    vertices->all = edges->all = faces->all = false;
    if (c->shape->kind == VP_COLLIDE_BOX) {
        take_low_of_box(view, high);
        return true;
    }
    for (uint32_t i = 0; i < c->vertex_count; i++)
        if (vp_core_height(view, i) <= high)
            take(vertices, i);
    for (uint32_t i = 0; i < c->edge_count && vertices->count >= 2; i++)
        if (is_low_edge(view, i, high))
            take(edges, i);
    for (uint32_t i = 0; i < c->face_count && vertices->count >= 3; i++)
        if (is_low_face(view, i, high))
            take(faces, i);
    return vertices->count <= VP_CORE_KEPT && edges->count <= VP_CORE_KEPT && faces->count <= VP_CORE_KEPT;
}

/* ---- directions ---- */

VP_INLINE double separation_along(const vp_shape_pair *pair, vp_real3 u)
{
    return -reach_of(&pair->a, vp_real3_scale(u, -1.0)) - reach_of(&pair->b, u);
}

double vp_pair_separation(const vp_shape_pair *pair, vp_real3 u)
{
    return separation_along(pair, u);
}

void vp_pair_try_at(vp_shape_pair *pair, const vp_real3 *along)
{
    const vp_real3 u = {along->x, along->y, along->z};
    const double s = separation_along(pair, u);
    if (s > pair->s) {
        pair->s = s;
        pair->u = u;
    }
}

void vp_pair_try_face(vp_shape_pair *pair, const vp_core *c, uint32_t face)
{
    const vp_real3 n = vp_core_to_world(c, vp_core_local_normal(c, face)), corner = vp_core_vertex(c, vp_core_corner(c, face, 0));
    const vp_core *other = c == &pair->a ? &pair->b : &pair->a;
    const double bound =
        -vp_core_reach(other, vp_real3_scale(n, -1.0)) - vp_real3_dot(n, corner); /* the core reaches at least its corner */
    if (bound > pair->s)
        vp_pair_try(pair, c == &pair->a ? vp_real3_scale(n, -1.0) : n);
}

void vp_pair_swap(vp_shape_pair *pair)
{
    const vp_core a = pair->a;
    const uint32_t feature = pair->feature_a;
    pair->on_a = vp_real3_plus(pair->on_a, pair->u, -pair->s);
    pair->u = vp_real3_scale(pair->u, -1.0);
    pair->a = pair->b;
    pair->b = a;
    pair->feature_a = pair->feature_b;
    pair->feature_b = feature;
}
