/* SPDX-License-Identifier: MIT */
/* Buoyancy of exact cylinders. A line through the cylinder is clipped by its side, a quadratic equation, and by its two
 * caps. Its shadow is that of a disc moved along the axis. The shadow of a disc is an ellipse. */
#include <math.h>

#include "src/narrowphase/buoyancy_shape.h"

/* Shadow of the disc perpendicular to n: the ellipse of all (x, z) whose product with the inverse of r^2 (1 - nx^2, -nx
 * nz; -nx nz, 1 - nz^2) is at most 1. The determinant of that matrix is r^4 ny^2. */
static vp_ellipse ellipse_of(const vp_buoyancy_body *body)
{
    const double *n = body->axis[1], r = (double)body->shape->radius;
    const double wide = n[1] * n[1] + n[2] * n[2]; /* 1 - nx^2 */
    vp_ellipse ellipse = {0.0, r, 0.0};            /* a disc seen from its edge */
    if (wide > 0.0) {
        const double root = sqrt(wide), up = n[1] < 0.0 ? -n[1] : n[1];
        ellipse.width = r * root;
        ellipse.height = r * (up / root);
        ellipse.tilt = -(n[0] * n[2]) / wide;
    }
    return ellipse;
}

static vp_span shadow_of(const vp_buoyancy_body *body, double x)
{
    const vp_ellipse ellipse = ellipse_of(body);
    return vp_submerged_swept(body, &ellipse, (double)body->shape->half_height, x);
}

static double find_next_x(const vp_buoyancy_body *body, double after)
{
    const vp_ellipse ellipse = ellipse_of(body);
    return vp_submerged_swept_next_x(body, &ellipse, (double)body->shape->half_height, after);
}

static double find_next_z(const vp_buoyancy_body *body, double x, double after)
{
    const vp_ellipse ellipse = ellipse_of(body);
    return vp_submerged_swept_next_z(body, &ellipse, (double)body->shape->half_height, x, after);
}

/* With n the axis, k = nx^2 + nz^2 and m = (x, z).(nx, nz), the side is
 *   k*y^2 - 2*ny*m*y - (r^2 + m^2 - x^2 - z^2) = 0,
 * and the caps are m + ny*y = -h, h. */
static vp_span chord_of(const vp_buoyancy_body *body, double x, double z)
{
    const double *n = body->axis[1], r = (double)body->shape->radius, h = (double)body->shape->half_height;
    const double k = n[0] * n[0] + n[2] * n[2], m = x * n[0] + z * n[2];
    const double rest = (r * r - (x * x + z * z)) + m * m;
    const vp_span none = {0.0, 0.0};
    vp_span span = {-HUGE_VAL, HUGE_VAL};
    if (k > 0.0) {
        const double half = n[1] * m, square = half * half + k * rest;
        if (!(square > 0.0))
            return none;
        const double root = sqrt(square);
        span.low = (half - root) / k;
        span.high = (half + root) / k;
    } else if (!(rest > 0.0)) {
        return none;
    }
    if (n[1] == 0.0)
        return m < -h || m > h ? none : span;
    const double from = ((n[1] < 0.0 ? h : -h) - m) / n[1], to = ((n[1] < 0.0 ? -h : h) - m) / n[1];
    span.low = from > span.low ? from : span.low;
    span.high = to < span.high ? to : span.high;
    return span.low < span.high ? span : none;
}

static void measure(vp_buoyancy_body *body)
{
    const double pi = 3.14159265358979323846;
    const double r = (double)body->shape->radius, h = (double)body->shape->half_height;
    for (int i = 0; i < 3; i++) {
        const double a = body->axis[1][i], b = body->axis[1][(i + 1) % 3], c = body->axis[1][(i + 2) % 3];
        body->high[i] = h * (a < 0.0 ? -a : a) + r * sqrt(b * b + c * c);
        body->low[i] = -body->high[i];
    }
    body->whole.volume = 2.0 * pi * r * r * h;
    body->nodes = vp_submerged_nodes(r < h ? r : h, 8);
}

const vp_submerged_shape vp_submerged_cylinder = {shadow_of, chord_of, find_next_x, find_next_z, measure};
