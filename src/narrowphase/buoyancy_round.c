/* SPDX-License-Identifier: MIT */
/* Buoyancy of spheres and capsules. A capsule is the union of all balls with a centre on its segment, so its reach is
 * the largest reach of these balls. The reach is concave along the segment. So the best place on the whole line,
 * clamped to the segment, is the best on the segment. A sphere is a capsule whose segment is a point. */
#include <math.h>

#include "src/narrowphase/buoyancy_shape.h"

static double half_height_of(const vp_collide_shape *shape)
{
    return shape->kind == VP_COLLIDE_CAPSULE ? (double)shape->half_height : 0.0;
}

static double clamp_absolute(double value, double max)
{
    return value < -max ? -max : value > max ? max : value;
}

/* The farthest z at x, along z (side 1) or against it (side -1). With a = (ax, az) the axis' shadow and s the place on
 * it, z is side*s*az + height*sqrt(1 - ((x - s*ax)/width)^2) + side*tilt*(x - s*ax). Its slope is 0 where the ellipse
 * is parallel to the axis. */
static double find_furthest(double ax, double az, const vp_ellipse *e, double half_height, double x, double side)
{
    const double rise = side * (az - e->tilt * ax); /* slope in s without the root */
    double s;
    if (ax == 0.0) {
        s = rise < 0.0 ? -half_height : half_height;
    } else {
        /* d/ds: rise + height*ax*u/(width*sqrt(1 - u^2)) = 0, where u = (x - s*ax)/width */
        const double across = e->height * ax, along = rise * e->width;
        const double length = sqrt(across * across + along * along);
        const double u = length > 0.0 ? (ax < 0.0 ? along : -along) / length : 0.0;
        s = clamp_absolute((x - u * e->width) / ax, half_height);
    }
    const double d = x - s * ax;
    const double u = e->width > 0.0 ? d / e->width : 0.0;
    const double root = 1.0 - u * u;
    return side * (s * az + e->tilt * d) + e->height * sqrt(root > 0.0 ? root : 0.0);
}

vp_span vp_submerged_swept(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double x)
{
    const double ax = body->axis[1][0], az = body->axis[1][2];
    const vp_span span = {-find_furthest(ax, az, ellipse, half_height, x, -1.0), find_furthest(ax, az, ellipse, half_height, x, 1.0)};
    return span;
}

double vp_submerged_swept_next_x(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double after)
{
    double next = HUGE_VAL;
    for (int end = -1; end < 2; end += 2)
        for (int side = -1; side < 2; side += 2) {
            const double x = end * half_height * body->axis[1][0] + side * ellipse->width;
            next = x > after && x < next ? x : next;
        }
    return next;
}

double vp_submerged_swept_next_z(const vp_buoyancy_body *body, const vp_ellipse *ellipse, double half_height, double x, double after)
{
    double next = HUGE_VAL;
    for (int end = -1; end < 2; end += 2) {
        const double d = x - end * half_height * body->axis[1][0];
        if (!(d > -ellipse->width && d < ellipse->width))
            continue;
        const double u = d / ellipse->width, root = sqrt(1.0 - u * u);
        for (int side = -1; side < 2; side += 2) {
            const double z = (end * half_height * body->axis[1][2] + ellipse->tilt * d) + side * ellipse->height * root;
            next = z > after && z < next ? z : next;
        }
    }
    return next;
}

static double find_next_x(const vp_buoyancy_body *body, double after)
{
    const double r = (double)body->shape->radius;
    const vp_ellipse circle = {r, r, 0.0};
    return vp_submerged_swept_next_x(body, &circle, half_height_of(body->shape), after);
}

static double find_next_z(const vp_buoyancy_body *body, double x, double after)
{
    const double r = (double)body->shape->radius;
    const vp_ellipse circle = {r, r, 0.0};
    return vp_submerged_swept_next_z(body, &circle, half_height_of(body->shape), x, after);
}

static vp_span shadow_of(const vp_buoyancy_body *body, double x)
{
    const double r = (double)body->shape->radius;
    const vp_ellipse circle = {r, r, 0.0};
    return vp_submerged_swept(body, &circle, half_height_of(body->shape), x);
}

/* With n the axis, p its shadow, q = (x, z) and s the place, the height is s*ny + sqrt(r^2 - |q - s*p|^2). Its slope is
 * 0 where s*k - m = ny*sqrt(k*(r^2 - |q|^2) + m^2), with k = |p|^2 and m = q.p. */
static vp_span chord_of(const vp_buoyancy_body *body, double x, double z)
{
    const double *n = body->axis[1], r = (double)body->shape->radius, h = half_height_of(body->shape);
    const double k = n[0] * n[0] + n[2] * n[2], m = x * n[0] + z * n[2];
    const double rest = r * r - (x * x + z * z);
    const double root = k * rest + m * m;
    const vp_span none = {0.0, 0.0};
    double reach[2];
    for (int side = 0; side < 2; side++) {
        const double up = side == 0 ? -n[1] : n[1];
        double s = up < 0.0 ? -h : h;
        if (k > 0.0)
            s = clamp_absolute((m + up * sqrt(root > 0.0 ? root : 0.0)) / k, h);
        const double square = rest + s * (2.0 * m - s * k);
        if (!(square > 0.0))
            return none;
        reach[side] = s * up + sqrt(square);
    }
    const vp_span span = {-reach[0], reach[1]};
    return span;
}

/* Bounds, nodes and volume. The volume is a ball and a cylinder: 4/3 pi r^3 + 2 pi r^2 h. */
static void measure(vp_buoyancy_body *body)
{
    const double pi = 3.14159265358979323846;
    const double r = (double)body->shape->radius, h = half_height_of(body->shape);
    for (int i = 0; i < 3; i++) {
        const double a = body->axis[1][i];
        body->high[i] = h * (a < 0.0 ? -a : a) + r;
        body->low[i] = -body->high[i];
    }
    body->whole.volume = pi * r * r * (4.0 / 3.0 * r + 2.0 * h);
    body->nodes = vp_submerged_nodes(r, 8);
}

const vp_submerged_shape vp_submerged_round = {shadow_of, chord_of, find_next_x, find_next_z, measure};
