/* SPDX-License-Identifier: MIT */
/* The distance between a cylinder along y and a triangle, in binary64. It evaluates S for every direction that a patch of their Minkowski
 * sum may have.
 *
 * An edge and a rim: R(a) is the point of the rim at angle a, and T(a) its tangent. f is the direction of the edge, and p its point
 * nearest to the origin. Seen along f, the vector from R to p is perpendicular to the rim where (R - p).(T - (T.f) f) = 0. In the
 * tangent of a/2 this is a polynomial of degree four. All its roots are found, between those of its derivative. No case is merged or
 * skipped as impossible. */
#include "cases/narrowphase/oracle_cylinder.h"

#include <math.h>

enum { DEGREE = 4 };

typedef struct best {
    double r, h;
    double (*corner)[3];
    double s, *u;
} best;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The separation along a unit vector u. */
static double apart_along(double r, double h, double corner[3][3], const double u[3])
{
    const double reach = fmax(fmax(dot(u, corner[0]), dot(u, corner[1])), dot(u, corner[2]));
    return -(h * fabs(u[1]) + r * sqrt(u[0] * u[0] + u[2] * u[2])) - reach;
}

/* A direction and its opposite, of any length except 0. */
static void try_both(best *b, const double way[3])
{
    const double length = sqrt(dot(way, way));
    if (!(length > 1e-13 * (b->r + b->h)))
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double u[3] = {sign * way[0] / length, sign * way[1] / length, sign * way[2] / length};
        const double s = apart_along(b->r, b->h, b->corner, u);
        if (s > b->s) {
            b->s = s;
            b->u[0] = u[0], b->u[1] = u[1], b->u[2] = u[2];
        }
    }
}

static double value_of(const double *coefficient, int degree, double x)
{
    double y = 0.0;
    for (int i = degree; i >= 0; i--)
        y = y * x + coefficient[i];
    return y;
}

/* The root between two places, by the secant method with bisection as fallback. */
static double root_between(const double *coefficient, int degree, double low, double high)
{
    double at_low = value_of(coefficient, degree, low), at_high = value_of(coefficient, degree, high);
    for (int i = 0; i < 120 && high - low > 1e-15; i++) {
        const double secant = low + (high - low) * (at_low / (at_low - at_high));
        const double x = i % 3 == 2 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
        const double y = value_of(coefficient, degree, x);
        if (y == 0.0)
            return x;
        if ((y < 0.0) == (at_low < 0.0))
            low = x, at_low = y;
        else
            high = x, at_high = y;
    }
    return 0.5 * (low + high);
}

/* The search goes a little beyond half of the rim, so that no root is lost where the halves meet. */
static const double end = 1.001;

/* All roots between the ends, ascending. */
static int roots_of(const double *coefficient, int degree, double root[DEGREE])
{
    double derivative[DEGREE], turn[DEGREE + 1];
    int count = 0, turns = 0;
    if (degree <= 0)
        return 0;
    for (int i = 0; i < degree; i++)
        derivative[i] = (i + 1) * coefficient[i + 1];
    turns = roots_of(derivative, degree - 1, turn);
    turn[turns] = end;
    double low = -end, at_low = value_of(coefficient, degree, low);
    for (int i = 0; i <= turns; i++) {
        const double high = turn[i], at_high = value_of(coefficient, degree, high);
        if (at_low == 0.0 || (at_low < 0.0) != (at_high < 0.0))
            if (count < degree)
                root[count++] = at_low == 0.0 ? low : root_between(coefficient, degree, low, high);
        low = high, at_low = at_high;
    }
    return count;
}

/* An edge from `corner` along f, and the rim at height h. */
static void try_rim(best *b, const double f[3], const double corner[3], double h)
{
    const double along = dot(corner, f), r = b->r;
    const double p[3] = {corner[0] - along * f[0], corner[1] - along * f[1], corner[2] - along * f[2]};
    for (int half = -1; half <= 1; half += 2) { /* of the rim: a from -90 to 90 degrees, and opposite */
        const double cosine = -half * (p[2] + h * f[1] * f[2]), sine = half * (p[0] + h * f[1] * f[0]);
        const double twice = -r * f[0] * f[2], product = r * (f[0] * f[0] - f[2] * f[2]);
        const double coefficient[DEGREE + 1] = {cosine + twice, 2.0 * (sine + product), -6.0 * twice, 2.0 * (sine - product),
                                                twice - cosine};
        double root[DEGREE];
        const int count = roots_of(coefficient, DEGREE, root);
        for (int i = 0; i < count; i++) {
            const double x = root[i], c = half * (1.0 - x * x) / (1.0 + x * x), s = half * 2.0 * x / (1.0 + x * x);
            const double tangent[3] = {-s, 0.0, c}, on[3] = {r * c, h, r * s};
            const double far = dot(on, f);
            const double straight[3] = {on[0] - p[0] - far * f[0], on[1] - p[1] - far * f[1], on[2] - p[2] - far * f[2]};
            double across[3];
            cross(f, tangent, across);
            for (int k = 0; k < 3; k++)
                across[k] *= r + b->h;
            try_both(b, across);
            try_both(b, straight);
        }
    }
}

static void try_corner(best *b, const double c[3])
{
    const double from_axis = sqrt(c[0] * c[0] + c[2] * c[2]), held = from_axis > b->r ? b->r / from_axis : 1.0;
    const double radial[3] = {c[0], 0.0, c[2]};
    const double nearest[3] = {held * c[0] - c[0], fmax(fmin(c[1], b->h), -b->h) - c[1], held * c[2] - c[2]};
    try_both(b, radial);
    try_both(b, nearest);
}

double vp_oracle_cylinder(double r, double h, double corner[3][3], double u[3])
{
    const double axis[3] = {0.0, r + h, 0.0}, side[3] = {r + h, 0.0, 0.0};
    best b = {r, h, corner, -INFINITY, u};
    double f[3][3], length[3], n[3];
    try_both(&b, axis);
    try_both(&b, side); /* for a corner on the axis */
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            f[k][i] = corner[(k + 1) % 3][i] - corner[k][i];
        length[k] = sqrt(dot(f[k], f[k]));
        for (int i = 0; i < 3; i++)
            f[k][i] /= length[k] > 0.0 ? length[k] : 1.0;
        try_corner(&b, corner[k]);
    }
    for (int k = 0; k < 3; k++) {
        double across[3] = {-f[k][2] * (r + h), 0.0, f[k][0] * (r + h)};
        if (length[k] == 0.0)
            continue;
        try_both(&b, across);
        try_rim(&b, f[k], corner[k], h);
        try_rim(&b, f[k], corner[k], -h);
        cross(f[k], f[(k + 1) % 3], n);
        if (dot(n, n) > 1e-24)
            for (int i = 0; i < 3; i++)
                across[i] = n[i] * ((r + h) / sqrt(dot(n, n)));
        try_both(&b, across);
    }
    return b.s;
}
