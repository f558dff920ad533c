/* SPDX-License-Identifier: MIT */
/* Buoyancy of boxes and convex hulls. A line is clipped by all planes. The shadow at x lies between the edges that cross x. */
#include <math.h>

#include "src/narrowphase/buoyancy_shape.h"

/* Vertex, in the shape's frame. */
static void vertex_of(const vp_collide_shape *shape, uint32_t number, double out[3])
{
    if (shape->kind == VP_COLLIDE_HULL) {
        const vp_vec3 *v = &shape->hull->vertex[number];
        out[0] = (double)v->x, out[1] = (double)v->y, out[2] = (double)v->z;
    } else { /* bit i of the number is set: positive on axis i */
        out[0] = (double)(number & 1 ? shape->half.x : -shape->half.x);
        out[1] = (double)(number & 2 ? shape->half.y : -shape->half.y);
        out[2] = (double)(number & 4 ? shape->half.z : -shape->half.z);
    }
}

/* Coordinate of a point of the shape along an axis of the world. */
static double coordinate_along(const vp_buoyancy_body *body, int axis, const double at[3])
{
    return (body->axis[0][axis] * at[0] + body->axis[1][axis] * at[1]) + body->axis[2][axis] * at[2];
}

static uint32_t vertices_of(const vp_collide_shape *shape)
{
    return shape->kind == VP_COLLIDE_HULL ? shape->hull->vertex_count : 8;
}

static uint32_t edges_of(const vp_collide_shape *shape)
{
    return shape->kind == VP_COLLIDE_HULL ? shape->hull->edge_count : 12;
}

/* The z of an edge at x. @return false if the edge does not reach x, or is at one x only */
static bool cross(const vp_buoyancy_body *body, uint32_t edge, double x, double *z)
{
    uint32_t end[2];
    double a[3], b[3];
    if (body->shape->kind == VP_COLLIDE_HULL) {
        end[0] = body->shape->hull->edge[edge].vertex[0];
        end[1] = body->shape->hull->edge[edge].vertex[1];
    } else { /* along axis edge/4, from a vertex that is low on it to the one that is high */
        const uint32_t axis = edge / 4, one = 1u << (axis + 1) % 3, other = 1u << (axis + 2) % 3;
        end[0] = (edge & 1 ? one : 0) | (edge & 2 ? other : 0);
        end[1] = end[0] | 1u << axis;
    }
    vertex_of(body->shape, end[0], a);
    vertex_of(body->shape, end[1], b);
    const double at_a = coordinate_along(body, 0, a), at_b = coordinate_along(body, 0, b);
    const double low = at_a < at_b ? at_a : at_b, high = at_a < at_b ? at_b : at_a;
    if (x < low || x > high || !(low < high))
        return false;
    const double from = coordinate_along(body, 2, at_a < at_b ? a : b), to = coordinate_along(body, 2, at_a < at_b ? b : a);
    *z = from + (to - from) * ((x - low) / (high - low));
    return true;
}

static vp_span shadow_of(const vp_buoyancy_body *body, double x)
{
    vp_span span = {HUGE_VAL, -HUGE_VAL};
    double z;
    for (uint32_t e = 0; e < edges_of(body->shape); e++)
        if (cross(body, e, x, &z)) {
            span.low = z < span.low ? z : span.low;
            span.high = z > span.high ? z : span.high;
        }
    return span;
}

static double find_next_x(const vp_buoyancy_body *body, double after)
{
    double next = HUGE_VAL;
    for (uint32_t v = 0; v < vertices_of(body->shape); v++) {
        double at[3];
        vertex_of(body->shape, v, at);
        const double x = coordinate_along(body, 0, at);
        next = x > after && x < next ? x : next;
    }
    return next;
}

static double find_next_z(const vp_buoyancy_body *body, double x, double after)
{
    double next = HUGE_VAL, z;
    for (uint32_t e = 0; e < edges_of(body->shape); e++)
        if (cross(body, e, x, &z))
            next = z > after && z < next ? z : next;
    return next;
}

/* Clips the line from `at` along `up` to the inside of a plane, both in the shape's frame. */
static void clip_span(const double normal[3], double offset, const double at[3], const double up[3], vp_span *span)
{
    const double slope = (normal[0] * up[0] + normal[1] * up[1]) + normal[2] * up[2];
    const double room = offset - ((normal[0] * at[0] + normal[1] * at[1]) + normal[2] * at[2]);
    if (slope == 0.0) {
        if (room < 0.0)
            span->high = span->low;
        return;
    }
    const double y = room / slope;
    if (slope > 0.0)
        span->high = y < span->high ? y : span->high;
    else
        span->low = y > span->low ? y : span->low;
}

static vp_span chord_of(const vp_buoyancy_body *body, double x, double z)
{
    double at[3], up[3];
    for (int i = 0; i < 3; i++) {
        at[i] = body->axis[i][0] * x + body->axis[i][2] * z;
        up[i] = body->axis[i][1];
    }
    vp_span span = {body->low[1], body->high[1]};
    if (body->shape->kind == VP_COLLIDE_HULL) {
        const vp_collide_hull *hull = body->shape->hull;
        for (uint32_t f = 0; f < hull->face_count; f++) {
            const double normal[3] = {(double)hull->plane[f].normal.x, (double)hull->plane[f].normal.y, (double)hull->plane[f].normal.z};
            clip_span(normal, (double)hull->plane[f].offset, at, up, &span);
        }
        return span;
    }
    const double half[3] = {(double)body->shape->half.x, (double)body->shape->half.y, (double)body->shape->half.z};
    for (int i = 0; i < 3; i++)
        for (int side = -1; side < 2; side += 2) {
            double normal[3] = {0.0, 0.0, 0.0};
            normal[i] = side;
            clip_span(normal, half[i], at, up, &span);
        }
    return span;
}

/* A hull's volume and centre in its frame, from the tetrahedra between vertex 0 and each triangle of its faces. */
static void measure_hull(vp_buoyancy_body *body)
{
    const vp_collide_hull *hull = body->shape->hull;
    const double tip[3] = {(double)hull->vertex[0].x, (double)hull->vertex[0].y, (double)hull->vertex[0].z};
    double six = 0.0, moment[3] = {0.0, 0.0, 0.0};
    for (uint32_t f = 0; f < hull->face_count; f++)
        for (uint32_t c = hull->first_corner[f] + 1; c + 1 < hull->first_corner[f + 1]; c++) {
            const uint32_t number[3] = {hull->corner[hull->first_corner[f]], hull->corner[c], hull->corner[c + 1]};
            double p[3][3];
            for (int i = 0; i < 3; i++) {
                const vp_vec3 *v = &hull->vertex[number[i]];
                p[i][0] = (double)v->x - tip[0];
                p[i][1] = (double)v->y - tip[1];
                p[i][2] = (double)v->z - tip[2];
            }
            const double d = (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2])) +
                             p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
            six += d;
            for (int i = 0; i < 3; i++)
                moment[i] += d * ((p[0][i] + p[1][i]) + p[2][i]);
        }
    if (!(six > 0.0))
        return;
    body->whole.volume = six / 6.0;
    const double centre[3] = {tip[0] + moment[0] / (4.0 * six), tip[1] + moment[1] / (4.0 * six), tip[2] + moment[2] / (4.0 * six)};
    for (int i = 0; i < 3; i++)
        body->whole.centre[i] = coordinate_along(body, i, centre);
}

static void measure(vp_buoyancy_body *body)
{
    const vp_collide_shape *shape = body->shape;
    for (uint32_t v = 0; v < vertices_of(shape); v++) {
        double vertex[3];
        vertex_of(shape, v, vertex);
        for (int i = 0; i < 3; i++) {
            const double at = coordinate_along(body, i, vertex);
            body->low[i] = v == 0 || at < body->low[i] ? at : body->low[i];
            body->high[i] = v == 0 || at > body->high[i] ? at : body->high[i];
        }
    }
    if (shape->kind == VP_COLLIDE_HULL) { /* more vertices make more pieces, so each needs fewer nodes */
        measure_hull(body);
        body->nodes = shape->hull->vertex_count <= 8 ? 4 : shape->hull->vertex_count <= 32 ? 2 : 1;
        return;
    }
    const double x = (double)shape->half.x, y = (double)shape->half.y, z = (double)shape->half.z;
    const double min = x < y ? x : y;
    body->whole.volume = 8.0 * x * y * z;
    body->nodes = vp_submerged_nodes(min < z ? min : z, 4);
}

const vp_submerged_shape vp_submerged_polytope = {shadow_of, chord_of, find_next_x, find_next_z, measure};
