/* SPDX-License-Identifier: MIT */
/* Contacts of the touched triangles: the corrected answers, and more where the shape lies along a triangle.
 *
 * The part of the shape is a box's or a hull's face, a cylinder's cap or a line of its side, or a capsule's segment. Seen
 * along the contact's normal, it is clipped by the sides of the triangle (M. Cyrus and J. Beck, "Generalized two- and
 * three-dimensional clipping", 1978). The result is a convex polygon or a segment. Its corners become contacts, each with
 * the depth at its place. If there are more than eight, those farthest in eight directions are kept. */
#include "src/narrowphase/manifold_internal.h"

#include <assert.h>
#include <math.h>

#include "src/narrowphase/local.h"
#include "src/narrowphase/ray.h"

/* Smallest cosine at which sides are cut. Below it the places would be inaccurate. */
static const float least_cosine = 0x1p-4f;

enum { WHOLE = -1 };

/* A part of the shape that faces the triangle. */
typedef struct facing {
    const vp_manifold_work *work;
    uint32_t count;  /* number of corners: 2 = a segment, 0 = none */
    uint32_t number; /* face of a hull, axis of a box, cap of a cylinder */
    uint32_t side;   /* box: whether the axis' bit of the face's corners is set */
    vp_vec3 outward; /* unit vector from the axis to a segment, in the shape's frame */
    vp_vec3 normal;  /* normal of a polygon, in the world, with its corners counterclockwise about it */
    uint64_t face;   /* name of the part */
} facing;

/* The triangle, seen along the contact's normal. */
typedef struct view {
    const vp_collide_triangle *triangle;
    vp_vec3 along;      /* the contact's normal */
    vp_vec3 corner[3];  /* relative to the shape's position */
    vp_vec3 outward[3]; /* unit vectors perpendicular to the normal and to each side, pointing out of the triangle */
    vp_vec3 normal;     /* the triangle's normal */
    float cosine;       /* cosine between both normals */
    float slack;        /* rounding error of a place */
} view;

typedef struct cut_point {
    float distance;
    vp_vec3 on_shape;
    uint64_t shape; /* VP_NAME_... */
    uint32_t part;  /* vp_triangle_feature */
} cut_point;

/* The points farthest in eight directions. Touching points and points that are apart are kept separately. */
typedef struct extremes {
    float reach[VP_CUT_POINTS];
    uint32_t number[VP_CUT_POINTS]; /* equal numbers are the same point, 0 = none */
    cut_point best[VP_CUT_POINTS];
} extremes;

typedef struct cut {
    vp_manifold_work *work;
    const view *view;
    uint32_t triangle_number;
    float min_distance; /* smallest distance of a point */
    float margin;       /* largest one */
    vp_vec3 direction[VP_CUT_POINTS];
    extremes apart[2]; /* [distance > 0] */
    uint32_t points;
} cut;

/* ---- the shape ---- */

static facing facing_of_box(const vp_manifold_work *w, vp_vec3 m)
{
    const float along[3] = {m.x, m.y, m.z};
    uint32_t axis = 0;
    for (uint32_t a = 1; a < 3; a++)
        axis = fabsf(along[a]) > fabsf(along[axis]) ? a : axis;
    const uint32_t positive = along[axis] < 0.0f ? 1 : 0; /* the face looks against the normal */
    return (facing){.work = w,
                    .count = 4,
                    .number = axis,
                    .side = positive,
                    .normal = vp_vec3_scale(w->frame.row[axis], positive != 0 ? 1.0f : -1.0f),
                    .face = VP_NAME_FACE(2 * axis + positive)};
}

static facing facing_of_hull(const vp_manifold_work *w, vp_vec3 m)
{
    const vp_collide_hull *h = w->body->shape->hull;
    float min = INFINITY;
    uint32_t face = 0;
    for (uint32_t f = 0; f < h->face_count; f++) {
        const float c = vp_vec3_dot(h->plane[f].normal, m);
        face = c < min ? f : face;
        min = c < min ? c : min;
    }
    return (facing){.work = w,
                    .count = h->first_corner[face + 1] - h->first_corner[face],
                    .number = face,
                    .normal = vp_to_world(&w->frame, h->plane[face].normal),
                    .face = VP_NAME_FACE(face)};
}

/* A line of the side if the axis is nearly perpendicular to the normal. Otherwise a cylinder's cap, and no part of
 * a capsule. */
static facing facing_of_round(const vp_manifold_work *w, vp_vec3 m, bool caps)
{
    const float across = sqrtf(m.x * m.x + m.z * m.z);
    if (fabsf(m.y) <= across)
        return (facing){.work = w, .count = 2, .outward = {-m.x / across, 0.0f, -m.z / across}, .face = VP_NAME_FACE(caps ? 2 : 0)};
    if (!caps)
        return (facing){.count = 0};
    const uint32_t cap = m.y < 0.0f ? 1 : 0;
    return (facing){.work = w,
                    .count = VP_RIM,
                    .number = cap,
                    .normal = vp_vec3_scale(w->frame.row[1], cap != 0 ? 1.0f : -1.0f),
                    .face = VP_NAME_FACE(cap)};
}

static facing facing_of(const vp_manifold_work *w, vp_vec3 along)
{
    const vp_vec3 m = vp_to_shape(&w->frame, along);
    switch (w->body->shape->kind) {
    case VP_COLLIDE_BOX:
        return facing_of_box(w, m);
    case VP_COLLIDE_HULL:
        return facing_of_hull(w, m);
    case VP_COLLIDE_CAPSULE:
        return facing_of_round(w, m, false);
    case VP_COLLIDE_CYLINDER:
        return facing_of_round(w, m, true);
    default:
        return (facing){.count = 0};
    }
}

/* The corner of a box, or vertex of a hull, that is corner i of the face. */
static uint32_t number_of_corner(const facing *f, uint32_t i)
{
    static const uint32_t around[4] = {0, 1, 3, 2};
    const vp_collide_shape *shape = f->work->body->shape;
    if (shape->kind == VP_COLLIDE_HULL)
        return shape->hull->corner[shape->hull->first_corner[f->number] + i];
    const uint32_t k = around[f->side != 0 ? i : 3 - i]; /* counterclockwise about the outward normal */
    return f->side << f->number | (k & 1) << (f->number + 1) % 3 | (k >> 1) << (f->number + 2) % 3;
}

/* Corner i, relative to the position, along the world's axes, and its name. */
static vp_vec3 corner_of(const facing *f, uint32_t i, uint64_t *name)
{
    static const float rim[VP_RIM][2] = {{1.0f, 0.0f},  {0.70710678f, 0.70710678f},   {0.0f, 1.0f},  {-0.70710678f, 0.70710678f},
                                         {-1.0f, 0.0f}, {-0.70710678f, -0.70710678f}, {0.0f, -1.0f}, {0.70710678f, -0.70710678f}};
    const vp_collide_shape *s = f->work->body->shape;
    const bool listed = s->kind == VP_COLLIDE_BOX || s->kind == VP_COLLIDE_HULL;
    const uint32_t n = listed ? number_of_corner(f, i) : i;
    const float end = n == 0 ? -s->half_height : s->half_height, r = s->radius;
    vp_vec3 p;
    *name = VP_NAME_CORNER(n);
    switch (s->kind) {
    case VP_COLLIDE_HULL:
        p = s->hull->vertex[n];
        break;
    case VP_COLLIDE_BOX:
        p = (vp_vec3){(n & 1) != 0 ? s->half.x : -s->half.x, (n & 2) != 0 ? s->half.y : -s->half.y, (n & 4) != 0 ? s->half.z : -s->half.z};
        break;
    case VP_COLLIDE_CAPSULE:
        p = (vp_vec3){r * f->outward.x, end, r * f->outward.z};
        break;
    default:
        if (f->count == 2) {
            p = (vp_vec3){r * f->outward.x, end, r * f->outward.z};
            *name = VP_NAME_RIM(VP_RIM_PLACES + n);
            break;
        }
        /* y turns z to x, so the order is reversed */
        const float *at = rim[f->number != 0 ? VP_RIM - 1 - i : i];
        p = (vp_vec3){r * at[0], f->number != 0 ? s->half_height : -s->half_height, r * at[1]};
        *name = VP_NAME_RIM(VP_RIM_CAPS + VP_RIM * f->number + (f->number != 0 ? VP_RIM - 1 - i : i));
    }
    return vp_to_world(&f->work->frame, p);
}

/* The name of the side between two corners. */
static uint64_t name_between(const facing *f, uint32_t i, uint32_t j, uint64_t a)
{
    const vp_collide_kind kind = f->work->body->shape->kind;
    if (f->count == 2)
        return f->face;
    return kind == VP_COLLIDE_CYLINDER ? a + 2 * VP_RIM : VP_NAME_EDGE(number_of_corner(f, i), number_of_corner(f, j));
}

/* ---- points ---- */

/* Adds a contact within the margin if it is the farthest in some direction. A triangle that is apart gets no touching
 * point, so that touching points do not depend on the margin. */
static void add_point(cut *c, float distance, vp_vec3 on_shape, uint32_t part, uint64_t shape)
{
    const bool is_apart = distance > 0.0f;
    if (!(distance <= c->margin) || !(distance >= c->min_distance) || (!is_apart && c->work->answer[c->triangle_number].distance > 0.0f))
        return;
    const cut_point point = {distance, on_shape, shape, part};
    extremes *e = &c->apart[is_apart];
    c->points++;
    for (int d = 0; d < VP_CUT_POINTS; d++) {
        const float reach = vp_vec3_dot(c->direction[d], on_shape);
        if (e->number[d] == 0 || reach > e->reach[d]) {
            e->reach[d] = reach;
            e->number[d] = c->points;
            e->best[d] = point;
        }
    }
}

/* Adds a point of the shape, with its distance from the triangle. */
static void add_on_triangle(cut *c, vp_vec3 on_shape, uint32_t part, uint64_t shape)
{
    const view *v = c->view;
    add_point(c, vp_vec3_dot(vp_vec3_sub(on_shape, v->corner[0]), v->normal) / v->cosine, on_shape, part, shape);
}

/* A corner of the shape's part, and how far it is beyond each side of the triangle. */
typedef struct part_corner {
    vp_vec3 at;
    uint64_t name;
    float beyond[3];
} part_corner;

static void find_part_corner(const facing *f, uint32_t i, const view *v, part_corner *out)
{
    out->at = corner_of(f, i, &out->name);
    for (int k = 0; k < 3; k++)
        out->beyond[k] = vp_vec3_dot(v->outward[k], vp_vec3_sub(out->at, v->corner[k])) - v->slack;
}

/* Adds the places where a segment enters and leaves the triangle, without its ends. */
static void cut_segment(cut *c, const part_corner *from_corner, const part_corner *to_corner, uint64_t name)
{
    const vp_vec3 a = from_corner->at, b = to_corner->at;
    float from = 0.0f, to = 1.0f;
    int in = WHOLE, out = WHOLE;
    for (int k = 0; k < 3; k++) {
        const float p = from_corner->beyond[k], q = to_corner->beyond[k];
        if (p > 0.0f && q > 0.0f)
            return;
        const float at = p / (p - q);
        if (p > 0.0f && at > from) {
            from = at;
            in = k;
        } else if (q > 0.0f && at < to) {
            to = at;
            out = k;
        }
    }
    if (!(from < to))
        return;
    const vp_vec3 way = vp_vec3_sub(b, a);
    if (in != WHOLE)
        add_on_triangle(c, vp_vec3_add(a, vp_vec3_scale(way, from)), VP_TRIANGLE_EDGE + (uint32_t)in, name);
    if (out != WHOLE)
        add_on_triangle(c, vp_vec3_add(a, vp_vec3_scale(way, to)), VP_TRIANGLE_EDGE + (uint32_t)out, name);
}

/* Whether a side of the triangle is convex or open. */
static bool is_outer_side(const cut *c, uint32_t k)
{
    const vp_manifold_work *w = c->work;
    if (w->quads != NULL)
        vp_connect_edges(&(vp_terrain_edges){.quads = w->quads, .triangle = w->triangle, .marks = w->marks}, c->triangle_number, 1u << k);
    const vp_edge side = vp_edge_of(c->view->triangle->flags, k);
    return side == VP_EDGE_CONVEX || side == VP_EDGE_OPEN;
}

/* Adds the places where convex and open sides of the triangle cross the rim of a cap. Without these a ledge that
 * passes between the rim and its polygon would have one point, and a cylinder leaning on it would rock. The first
 * place is the counterclockwise start of the shorter arc between both. So a place has the same name for both
 * triangles at the side. */
static void cut_rim(cut *c, const facing *f)
{
    const view *v = c->view;
    const vp_collide_frame *frame = &f->work->frame;
    const vp_collide_shape *s = f->work->body->shape;
    const float r = s->radius, y = f->number != 0 ? s->half_height : -s->half_height;
    const vp_vec3 along = vp_to_shape(frame, v->along);
    vp_vec3 p[3]; /* the triangle's corners projected to the cap's plane, in the shape's frame */
    if (!(fabsf(along.y) > least_cosine))
        return;
    for (int k = 0; k < 3; k++) {
        p[k] = vp_to_shape(frame, v->corner[k]);
        p[k] = vp_vec3_add(p[k], vp_vec3_scale(along, (y - p[k].y) / along.y));
    }
    for (int k = 0; k < 3; k++) {
        const vp_vec3 a = p[k], way = vp_vec3_sub(p[(k + 1) % 3], a);
        const float square = way.x * way.x + way.z * way.z, middle = -(a.x * way.x + a.z * way.z) / square;
        const float x = a.x + middle * way.x, z = a.z + middle * way.z, half = sqrtf((r * r - (x * x + z * z)) / square);
        for (int end = 0; end < 2; end++) {
            const float at = middle + (end == 0 ? -half : half), at_x = a.x + at * way.x, at_z = a.z + at * way.z;
            if (!(at > 0.0f && at < 1.0f) || !is_outer_side(c, (uint32_t)k)) /* NaN: the side does not cross the rim */
                continue;
            const uint32_t second = (end == 0) == (x * way.z - z * way.x < 0.0f) ? 1 : 0;
            const float scale = r / sqrtf(at_x * at_x + at_z * at_z);
            add_on_triangle(c, vp_to_world(frame, (vp_vec3){scale * at_x, y, scale * at_z}), VP_TRIANGLE_EDGE + (uint32_t)k,
                            VP_NAME_RIM(VP_RIM_CROSSINGS + 2 * f->number + second));
        }
    }
}

/* Adds the triangle's corners that project into a polygon. */
static void add_corners(cut *c, const facing *f, const bool behind[3])
{
    const view *v = c->view;
    uint64_t name;
    const vp_vec3 on_face = corner_of(f, 0, &name);
    const float cosine = vp_vec3_dot(f->normal, v->along);
    for (uint32_t k = 0; k < 3; k++) {
        if (!behind[k] || !(cosine < -least_cosine))
            continue;
        const float distance = vp_vec3_dot(vp_vec3_sub(on_face, v->corner[k]), f->normal) / cosine;
        add_point(c, distance, vp_vec3_add(v->corner[k], vp_vec3_scale(v->along, distance)), VP_TRIANGLE_CORNER + k, f->face);
    }
}

/* ---- a triangle ---- */

static bool make_view(const vp_manifold_work *w, uint32_t t, view *v)
{
    const vp_vec3 along = w->answer[t].normal;
    *v = (view){.triangle = &w->triangle[t], .along = along, .normal = w->triangle[t].normal};
    v->cosine = vp_vec3_dot(v->normal, along);
    if (!(fabsf(v->cosine) > least_cosine))
        return false;
    float size = w->radius;
    for (int k = 0; k < 3; k++) {
        v->corner[k] = vp_vec3_sub(v->triangle->corner[k], w->frame.position);
        size = vp_max(size, vp_greatest_coordinate(v->corner[k]));
    }
    v->slack = size * VP_LOCAL_ROUNDING;
    for (int k = 0; k < 3; k++) {
        const vp_vec3 side = vp_vec3_sub(v->triangle->corner[(k + 1) % 3], v->triangle->corner[k]);
        v->outward[k] = vp_vec3_scale(vp_vec3_cross(side, along), v->cosine < 0.0f ? -1.0f : 1.0f);
        if (!vp_make_unit(&v->outward[k], w->radius * VP_LOCAL_NOTHING))
            return false;
    }
    return true;
}

/* Eight directions perpendicular to the normal. */
static void fill_directions(vp_vec3 n, vp_vec3 direction[VP_CUT_POINTS])
{
    const float x = fabsf(n.x), y = fabsf(n.y), z = fabsf(n.z);
    const vp_vec3 min = x <= y && x <= z ? (vp_vec3){1.0f, 0.0f, 0.0f} : y <= z ? (vp_vec3){0.0f, 1.0f, 0.0f} : (vp_vec3){0.0f, 0.0f, 1.0f};
    vp_vec3 a = vp_vec3_cross(min, n);
    vp_make_unit(&a, 0.0f);
    const vp_vec3 b = vp_vec3_cross(n, a);
    const vp_vec3 half[4] = {a, vp_vec3_scale(vp_vec3_add(a, b), 0.70710678f), b, vp_vec3_scale(vp_vec3_sub(b, a), 0.70710678f)};
    for (int k = 0; k < 4; k++) {
        direction[k] = half[k];
        direction[k + 4] = vp_vec3_scale(half[k], -1.0f);
    }
}

/* Adds the points to the work's contacts, at most eight in total, except the triangle's own answer. */
static void add_extremes(const cut *c, const extremes *e, uint32_t first)
{
    vp_manifold_work *w = c->work;
    const vp_vec3 n = c->view->along;
    const vp_manifold_contact *own = first > 0 && w->contact[first - 1].triangle == c->triangle_number ? &w->contact[first - 1] : NULL;
    if (e->number[0] == 0) /* a point is the farthest in all directions until there is another */
        return;
    for (int d = 0; d < VP_CUT_POINTS && w->contacts < first + VP_CUT_POINTS; d++) {
        bool again = (own != NULL && own->part == e->best[d].part && own->shape == e->best[d].shape);
        for (int k = 0; k < d; k++)
            again = again || e->number[k] == e->number[d];
        const cut_point *p = &e->best[d];
        if (!again)
            w->contact[w->contacts++] = (vp_manifold_contact){.distance = p->distance,
                                                              .normal = n,
                                                              .on_shape = p->on_shape,
                                                              .on_triangle = vp_vec3_sub(p->on_shape, vp_vec3_scale(n, p->distance)),
                                                              .triangle = c->triangle_number,
                                                              .part = (uint16_t)p->part,
                                                              .shape = p->shape};
    }
}

static void cut_triangle(vp_manifold_work *work, uint32_t t)
{
    view v;
    const facing f = facing_of(work, work->answer[t].normal);
    if (f.count < 2 || !make_view(work, t, &v))
        return;
    const float distance = work->answer[t].distance;
    cut c;
    c.work = work;
    c.view = &v;
    c.triangle_number = t;
    c.min_distance = distance - vp_manifold_slack(work->radius, distance);
    c.margin = vp_manifold_margin(work->def, v.along);
    c.points = 0;
    for (int d = 0; d < VP_CUT_POINTS; d++)
        c.apart[0].number[d] = c.apart[1].number[d] = 0;
    fill_directions(v.along, c.direction);
    bool behind[3] = {f.count > 2, f.count > 2, f.count > 2};
    part_corner p[2];
    find_part_corner(&f, 0, &v, &p[0]);
    for (uint32_t i = 0; i < f.count; i++, p[0] = p[1]) {
        const uint32_t j = (i + 1) % f.count;
        find_part_corner(&f, j, &v, &p[1]);
        if (p[0].beyond[0] <= 0.0f && p[0].beyond[1] <= 0.0f && p[0].beyond[2] <= 0.0f)
            add_on_triangle(&c, p[0].at, VP_TRIANGLE_FACE, p[0].name);
        if (f.count > 2 || i == 0)
            cut_segment(&c, &p[0], &p[1], name_between(&f, i, j, p[0].name));
        const vp_vec3 inward = vp_vec3_cross(vp_vec3_sub(p[1].at, p[0].at), v.along);
        for (int k = 0; k < 3; k++)
            behind[k] = behind[k] && vp_vec3_dot(inward, vp_vec3_sub(v.corner[k], p[0].at)) > 0.0f;
    }
    add_corners(&c, &f, behind);
    if (f.count > 2 && work->body->shape->kind == VP_COLLIDE_CYLINDER)
        cut_rim(&c, &f);
    const uint32_t first = work->contacts;
    add_extremes(&c, &c.apart[0], first);
    add_extremes(&c, &c.apart[1], first);
}

/* ---- cleared triangles ---- */

/* The correction drops the answer of a triangle that a shallower answer clears (correct.c). The shape can still rest on
 * that triangle. So the triangle is cut along the normal of the answer that clears it. That answer moves the shape out
 * of the triangle, so no such contact is deeper than the answer. */

/* The way out of a triangle along the normal of answer `by`. Negative if that answer does not clear the triangle.
 * @param corner  in the shape's frame */
static double find_way_out(const vp_manifold_work *w, const vp_real_frame *frame, const vp_real3 corner[3], double slack, uint32_t by)
{
    const vp_real3 along = vp_ray_turned_by(frame, vp_real3_of(w->answer[by].normal));
    const double max = slack - (double)w->answer[by].distance, surely_beyond = max + slack * 0x1p-10;
    if (vp_ray_overlaps(w->body->shape, corner, along, surely_beyond))
        return -1.0;
    const double way = vp_ray_depth(w->body->shape, corner, along);
    return way <= max ? way : -1.0;
}

/* Cells of directions: the unit cube's axes are divided by 8. Blocks of normals: at most 64, one bit each. */
enum { CELLS = 8, BLOCKS = 64, NORMALS_A_BLOCK = 16 };
/* Farther apart than any two directions within 5 degrees, along an axis. */
static const float one_direction_apart = 0.0875f;

/* Normals of the kept answers, one array for each coordinate. If there are many, each cell has the blocks with a normal that
 * may be within 5 degrees of a direction in the cell. */
typedef struct kept_normals {
    vp_real_frame frame; /* of the shape */
    uint32_t count, in_block;
    bool has_cells;
    float *x, *y, *z;
    uint32_t *number; /* their triangles */
    uint64_t blocks[CELLS * CELLS * CELLS];
} kept_normals;

static uint32_t find_cell(float along)
{
    const int32_t cell = (int32_t)((along + 1.0f) * (0.5f * CELLS));
    return cell < 0 ? 0 : cell < CELLS ? (uint32_t)cell : CELLS - 1;
}

static void mark_cells(kept_normals *kept, uint32_t number)
{
    const vp_vec3 by = {one_direction_apart, one_direction_apart, one_direction_apart},
                  n = {kept->x[number], kept->y[number], kept->z[number]};
    const vp_vec3 min = vp_vec3_sub(n, by), max = vp_vec3_add(n, by);
    for (uint32_t x = find_cell(min.x); x <= find_cell(max.x); x++)
        for (uint32_t y = find_cell(min.y); y <= find_cell(max.y); y++)
            for (uint32_t z = find_cell(min.z); z <= find_cell(max.z); z++)
                kept->blocks[(x * CELLS + y) * CELLS + z] |= UINT64_C(1) << number / kept->in_block;
}

/* Less than the cosines of 10 and 15 degrees, also for normals whose length is 0.9995. Directions that differ by more are not two, or
 * three, times 5 degrees apart. */
static const float two_directions = 0.983f, three_directions = 0.964f;

/* Whether a direction is nearer than a cosine to a wanted one. */
static bool may_fit(vp_vec3 n, const vp_vec3 direction[], uint32_t count, unsigned wanted, float cosine)
{
    bool fits = count == 0;
    for (uint32_t d = 0; d < count; d++)
        fits = fits || ((wanted >> d & 1) != 0 && vp_vec3_dot(n, direction[d]) > cosine);
    return fits;
}

/* Lists the normals that may be within 5 degrees of a triangle's that may_fit. */
static void list_kept_normals(const vp_manifold_work *w, const vp_vec3 direction[], uint32_t directions, unsigned wanted, kept_normals *out)
{
    out->frame = vp_real_frame_of(w->body->shape, &w->frame);
    out->count = 0;
    out->in_block = w->kept <= BLOCKS * NORMALS_A_BLOCK ? NORMALS_A_BLOCK : (w->kept + BLOCKS - 1) / BLOCKS;
    out->has_cells = w->kept > 2 * NORMALS_A_BLOCK;
    out->x = (float *)(void *)w->words;
    out->y = out->x + w->kept;
    out->z = out->y + w->kept;
    out->number = w->words + (size_t)3 * w->kept;
    if (out->has_cells)
        memset(out->blocks, 0, sizeof out->blocks);
    for (uint32_t i = 0; i < w->kept; i++) {
        const vp_vec3 n = w->answer[w->order[i]].normal;
        if (!may_fit(n, direction, directions, wanted, three_directions))
            continue;
        out->x[out->count] = n.x;
        out->y[out->count] = n.y;
        out->z[out->count] = n.z;
        out->number[out->count] = w->order[i];
        if (out->has_cells)
            mark_cells(out, out->count);
        out->count++;
    }
}

/* Blocks that may have a normal within 5 degrees of n. */
static uint64_t find_blocks(const kept_normals *kept, vp_vec3 n)
{
    return kept->has_cells ? kept->blocks[(find_cell(n.x) * CELLS + find_cell(n.y)) * CELLS + find_cell(n.z)] : UINT64_MAX;
}

/* Whether one of the normals [first, end) is nearer to n than a cosine. It tests all, so that compilers use vectors. */
static bool has_nearer(const kept_normals *kept, uint32_t first, uint32_t end, vp_vec3 n, float cosine)
{
    uint32_t found = 0;
    for (uint32_t i = first; i < end; i++)
        found |= (kept->x[i] * n.x + kept->y[i] * n.y) + kept->z[i] * n.z > cosine;
    return found != 0;
}

/* Finds the kept answer that clears triangle t and whose normal is nearest to the triangle's own.
 * @return false if no such normal has the triangle's direction */
static bool find_clearing(const vp_manifold_work *w, uint32_t t, const kept_normals *kept, vp_collide_result *out)
{
    const vp_vec3 n = w->triangle[t].normal;
    float nearest = VP_MANIFOLD_ONE_DIRECTION;
    double slack = -1.0;
    vp_real3 relative[3], corner[3];
    uint64_t blocks = find_blocks(kept, n);
    for (uint32_t first = 0, end; first < kept->count && blocks != 0; first = end, blocks >>= 1) {
        end = kept->count - first < kept->in_block ? kept->count : first + kept->in_block;
        if ((blocks & 1) == 0 || !has_nearer(kept, first, end, n, nearest))
            continue;
        if (slack < 0.0)
            slack = VP_TOUCHING * vp_ray_corners(&kept->frame, &w->triangle[t], relative, corner);
        for (uint32_t i = first; i < end; i++) {
            const float cosine = (kept->x[i] * n.x + kept->y[i] * n.y) + kept->z[i] * n.z;
            const double way = cosine > nearest ? find_way_out(w, &kept->frame, corner, slack, kept->number[i]) : -1.0;
            if (way < 0.0)
                continue;
            nearest = cosine;
            *out = (vp_collide_result){.distance = (float)-way, .normal = w->answer[kept->number[i]].normal};
        }
    }
    return nearest > VP_MANIFOLD_ONE_DIRECTION;
}

static uint32_t find_direction(vp_vec3 normal, const vp_vec3 direction[], uint32_t count)
{
    uint32_t d = 0;
    while (d < count && !vp_is_one_direction(normal, direction[d]))
        d++;
    return d;
}

void vp_manifold_cut_cleared(vp_manifold_work *w, const vp_vec3 direction[], uint32_t count, unsigned wanted)
{
    const uint32_t first = w->contacts;
    bool has_normals = false;
    kept_normals normals;
    for (uint32_t t = 0; t < w->touched; t++) {
        const vp_collide_result dropped = w->answer[t];
        if ((w->marks[t] & VP_MANIFOLD_OVERLAPPED) == 0 || dropped.triangle_feature != VP_COLLIDE_NONE ||
            !may_fit(w->triangle[t].normal, direction, count, wanted, two_directions))
            continue;
        if (!has_normals)
            list_kept_normals(w, direction, count, wanted, &normals);
        has_normals = true;
        if (!find_clearing(w, t, &normals, &w->answer[t]))
            continue;
        const uint32_t d = find_direction(w->answer[t].normal, direction, count), before = w->contacts;
        if (count == 0 || (wanted >> d & 1) != 0)
            cut_triangle(w, t);
        for (uint32_t i = before; i < w->contacts; i++)
            w->contact[i].direction = (uint8_t)d;
        w->answer[t] = dropped;
    }
    for (uint32_t i = first; i < w->contacts; i++)
        w->contact[i].is_spare = true;
}

/* ---- all contacts ---- */

uint64_t vp_manifold_name_of_feature(const vp_collide_shape *shape, uint32_t feature)
{
    const uint32_t number = feature & ~(VP_SHAPE_EDGE | VP_SHAPE_CORNER);
    if ((feature & VP_SHAPE_CORNER) != 0)
        return VP_NAME_CORNER(number);
    if ((feature & VP_SHAPE_EDGE) == 0)
        return VP_NAME_FACE(number);
    if (shape->kind == VP_COLLIDE_HULL) {
        const uint32_t *v = shape->hull->edge[number].vertex;
        return VP_NAME_EDGE(v[0], v[1]);
    }
    if (shape->kind == VP_COLLIDE_CYLINDER)
        return VP_NAME_RIM(number);
    const uint32_t axis = number / 4, from = (number & 1) << (axis + 1) % 3 | (number >> 1 & 1) << (axis + 2) % 3;
    return VP_NAME_EDGE(from, from | 1u << axis);
}

void vp_manifold_find_contacts(vp_manifold_work *w)
{
    const bool is_cut = w->body->shape->kind != VP_COLLIDE_SPHERE;
    for (uint32_t t = 0; t < w->touched; t++) {
        const vp_collide_result *a = &w->answer[t];
        if (a->triangle_feature == VP_COLLIDE_NONE || !(a->distance <= vp_manifold_margin(w->def, a->normal)))
            continue;
        if ((w->marks[t] & VP_MANIFOLD_KEPT) != 0)
            w->contact[w->contacts++] = (vp_manifold_contact){.distance = a->distance,
                                                              .normal = a->normal,
                                                              .on_shape = a->on_shape,
                                                              .on_triangle = a->on_triangle,
                                                              .triangle = t,
                                                              .part = (uint16_t)a->triangle_feature,
                                                              .shape = vp_manifold_name_of_feature(w->body->shape, a->shape_feature)};
        if (is_cut)
            cut_triangle(w, t);
    }
    w->is_lazy = w->is_lazy && is_cut;
    if (is_cut && !w->is_lazy)
        vp_manifold_cut_cleared(w, NULL, 0, 0);
}
