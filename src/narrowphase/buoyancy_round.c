/* SPDX-License-Identifier: MIT */
/* Buoyancy of spheres, capsules and cylinders: parts below a level in closed form, and chords of vertical lines.
 *
 * n is the axis of the shape. With a = n_y and s = sqrt(1 - a^2), a place is t*n + u*e + w*f, where e is the unit vector across n that
 * points up most steeply, and f is level. Its height is a*t + s*u. */
#include <math.h>

#include "src/narrowphase/buoyancy_shape.h"

static const double pi = 3.14159265358979323846;

static double clamp(double value, double low, double high)
{
    const double up = value > low ? value : low; /* no branches, unlike one expression */
    return up < high ? up : high;
}

static double root_of(double square)
{
    return sqrt(square > 0.0 ? square : 0.0);
}

/* The angle of (x, y), 0 to pi, for y >= 0. 0 at the origin. The rational function is that of Cephes, S. L. Moshier. Its error is
 * below 3e-16 of the angle, and its bits are the same everywhere, unlike those of atan2. */
static double angle_of(double y, double x)
{
    const double across = x < 0.0 ? -x : x;
    const double low = y < across ? y : across, high = y < across ? across : y;
    if (!(y > 0.0))
        return x < 0.0 ? pi : 0.0;
    const bool far = low > 0.41421356237309503 * high; /* tan(pi/8) */
    const double t = far ? (low - high) / (low + high) : low / high, z = t * t;
    const double square = z * z; /* sums in pairs, because one after the other would wait longer */
    const double over = ((-8.750608600031904122785e-1 * square + (-1.615753718733365076637e1 * z - 7.500855792314704667340e1)) * square +
                         (-1.228866684490136173410e2 * z - 6.485021904942025371773e1));
    const double under = ((z + 2.485846490142306297962e1) * square + (1.650270098316988542046e2 * z + 4.328810604912902668951e2)) * square +
                         (4.853903996359136964868e2 * z + 1.945506571482613964425e2);
    double angle = (t * z) * (over / under) + t;
    angle = far ? angle + 0.25 * pi : angle;
    angle = y < across ? angle : 0.5 * pi - angle;
    return x < 0.0 ? pi - angle : angle;
}

/* ---- a disc ---- */

/* Integrals of 1, u and u^2 over the part of a disc of radius r where its coordinate is at most u, and of r^2 - |q|^2. */
typedef struct disc_part {
    double i0, i1, i2, dome;
} disc_part;

static disc_part part_of_disc(double r, double u)
{
    const double square = r * r;
    if (u <= -r)
        return (disc_part){0.0, 0.0, 0.0, 0.0};
    if (u >= r)
        return (disc_part){pi * square, 0.0, 0.25 * pi * square * square, 0.5 * pi * square * square};
    const double rest = (r - u) * (r + u), root = sqrt(rest), cube = rest * root;
    const double area = u * root + square * angle_of(root, -u);
    return (disc_part){area, -2.0 / 3.0 * cube, 0.25 * square * area - 0.5 * u * cube, 1.0 / 3.0 * u * cube + 0.5 * square * area};
}

/* ---- parts ---- */

/* An axis that points up, and a part with its moments along t and u. */
typedef struct tilted {
    double a, s;       /* cosine and sine of the tilt */
    double by_a, by_s; /* their inverses. by_s is 0 for s = 0. Divisions are slow, so few are left */
    double volume, t, u;
} tilted;

static tilted tilted_of(const vp_buoyancy_body *body)
{
    const double *n = body->axis[1], side = n[0] * n[0] + n[2] * n[2], off = 1.0 - (side + n[1] * n[1]);
    const double by = 1.0 + off * (0.5 + off * 0.375); /* 1 over the length, because it is 1 within 2^-20 */
    const double a = fabs(n[1]) * by, s = sqrt(side) * by;
    return (tilted){a, s, 1.0 / a, s > 0.0 ? 1.0 / s : 0.0, 0.0, 0.0, 0.0};
}

static void finish(const vp_buoyancy_body *body, const tilted *part, vp_moments *out)
{
    const double *n = body->axis[1];
    const double up = copysign(1.0, n[1]), side = -part->a * part->by_s; /* e is (side*n_x, s, side*n_z) */
    out->volume = part->volume;
    out->moment[0] = up * n[0] * (part->t + side * part->u);
    out->moment[1] = part->a * part->t + part->s * part->u;
    out->moment[2] = up * n[2] * (part->t + side * part->u);
}

/* Adds the part of a cylinder of half height h below the level k. A line along t at u reaches up to (k - s*u)/a: all of it is below
 * if u <= (k - a*h)/s, and none if u >= (k + a*h)/s. `lower` and `upper` receive these parts of the disc. */
static void add_cylinder(tilted *sum, double r, double h, double k, disc_part *lower, disc_part *upper)
{
    const double a = sum->a, s = sum->s, ah = a * h;
    *lower = part_of_disc(r, s > 0.0 ? clamp((k - ah) * sum->by_s, -r, r) : k > ah ? r : -r);
    *upper = part_of_disc(r, s > 0.0 ? clamp((k + ah) * sum->by_s, -r, r) : k < -ah ? -r : r);
    if (ah * 1024.0 < s * r) { /* nearly level: discs across the axis, because the closed form divides by a^2 */
        static const double node[] = {0.3399810435848562648, 0.8611363115940525752},
                            weight[] = {0.6521451548625461426, 0.3478548451374538574};
        for (int i = 0; i < 4; i++) {
            const double t = i % 2 == 0 ? h * node[i / 2] : -h * node[i / 2], w = h * weight[i / 2];
            const disc_part disc = part_of_disc(r, (k - a * t) * sum->by_s);
            sum->volume += w * disc.i0;
            sum->t += w * disc.i0 * t;
            sum->u += w * disc.i1;
        }
        return;
    }
    const double d0 = upper->i0 - lower->i0, d1 = upper->i1 - lower->i1, d2 = upper->i2 - lower->i2;
    sum->volume += 2.0 * h * lower->i0 + ((k + ah) * d0 - s * d1) * sum->by_a;
    sum->t += 0.5 * (((k - ah) * (k + ah) * d0 - 2.0 * k * s * d1) + s * s * d2) * (sum->by_a * sum->by_a);
    sum->u += 2.0 * h * lower->i1 + ((k + ah) * d1 - s * d2) * sum->by_a;
}

/* Adds the part of a half ball below the level `height + k`. Its centre is at t, and it is the half away from the origin. Its surface
 * on the sphere has the area r^2*(2*k/r*phi + 2*theta), by the theorem of Gauss and Bonnet: 2*phi is the angle of the level circle's
 * arc, and theta the angle between this arc and the rim of the half ball. The volume follows from the divergence of the place, and the
 * moments from that of |p|^2/2. `flat` is the part of the half ball's disc below the level. */
static void add_half_ball(tilted *sum, double r, double by_r, double t, double k, const disc_part *flat)
{
    const double side = copysign(1.0, t), a = side * sum->a, s = sum->s, cube = r * r * r;
    double volume, along, across;
    if (k <= -r)
        return;
    if (k >= r) {
        volume = 2.0 / 3.0 * pi * cube;
        along = 0.25 * pi * cube * r;
        across = 0.0;
    } else {
        const double c = k * by_r, q = root_of((s - c) * (s + c)), circle = (1.0 - c) * (1.0 + c);
        const double theta = angle_of(q, a), phi = angle_of(q, -(c * a)), slope = c * a * sum->by_s, reach = q * sum->by_s;
        const double level = slope * reach + circle * phi; /* the area of the level face, and its integral of r^2 - |p|^2 */
        const double dome = 1.0 / 3.0 * slope * reach * (reach * reach) + 0.5 * circle * level;
        volume = 1.0 / 3.0 * cube * (2.0 * (c * phi + theta) + c * level);
        along = 0.5 * (flat->dome - a * dome * cube * r);
        across = -0.5 * s * dome * cube * r;
    }
    sum->volume += volume;
    sum->t += volume * t + side * along;
    sum->u += across;
}

static void sphere_below(const vp_buoyancy_body *body, double level, vp_moments *out)
{
    const double r = (double)body->shape->radius, up = r + level, rest = (r - level) * up;
    *out = (vp_moments){pi / 3.0 * up * up * (2.0 * r - level), {0.0, -0.25 * pi * rest * rest, 0.0}};
}

static void cylinder_below(const vp_buoyancy_body *body, double level, vp_moments *out)
{
    tilted sum = tilted_of(body);
    disc_part lower, upper;
    add_cylinder(&sum, (double)body->shape->radius, (double)body->shape->half_height, level, &lower, &upper);
    finish(body, &sum, out);
}

static void capsule_below(const vp_buoyancy_body *body, double level, vp_moments *out)
{
    const double r = (double)body->shape->radius, h = (double)body->shape->half_height;
    tilted sum = tilted_of(body);
    disc_part lower, upper;
    add_cylinder(&sum, r, h, level, &lower, &upper);
    add_half_ball(&sum, r, 1.0 / r, h, level - sum.a * h, &lower);
    add_half_ball(&sum, r, 1.0 / r, -h, level + sum.a * h, &upper);
    finish(body, &sum, out);
}

/* ---- chords ---- */

static void chords_of_sphere(const vp_buoyancy_body *body, vp_lines *lines)
{
    const double r = (double)body->shape->radius;
    for (uint32_t i = 0; i < lines->count; i++) {
        const double x = lines->x[i], z = lines->z[i], reach = root_of((r * r - x * x) - z * z);
        lines->low[i] = -reach;
        lines->high[i] = reach;
    }
}

/* With p the axis' shadow, q = (x, z) and t the place on it, the height is t*ny + sqrt(r^2 - |q - t*p|^2). Its slope is 0 where
 * t*k - m = ny*sqrt(k*(r^2 - |q|^2) + m^2), with k = |p|^2 and m = q.p. */
static void chords_of_capsule(const vp_buoyancy_body *body, vp_lines *lines)
{
    const double *n = body->axis[1], r = (double)body->shape->radius, h = (double)body->shape->half_height;
    const double k = n[0] * n[0] + n[2] * n[2], nx = n[0], ny = n[1], nz = n[2];
    /* An upright axis: the ends are the best places. */
    const double inverse = k > 0.0 ? 1.0 / k : 0.0, end = k > 0.0 ? 0.0 : ny < 0.0 ? -h : h;
    for (uint32_t i = 0; i < lines->count; i++) {
        const double x = lines->x[i], z = lines->z[i], rest = r * r - (x * x + z * z), m = x * nx + z * nz;
        const double rise = ny * root_of(k * rest + m * m);
        const double up = clamp((m + rise) * inverse + end, -h, h), down = clamp((m - rise) * inverse - end, -h, h);
        const double square = rest + up * (2.0 * m - up * k), under = rest + down * (2.0 * m - down * k);
        const double low = down * ny - root_of(under), high = up * ny + root_of(square);
        const bool hit = (square > 0.0) & (under > 0.0);
        lines->low[i] = hit ? low : 0.0;
        lines->high[i] = hit ? high : 0.0;
    }
}

/* With n the axis, k = nx^2 + nz^2 and m = (x, z).(nx, nz), the side is
 *   k*y^2 - 2*ny*m*y - (r^2 + m^2 - x^2 - z^2) = 0,
 * and the caps are m + ny*y = -h, h. The discriminant is k*r^2 - (x*nz - z*nx)^2. Computed from squares of x and z, it would lose the
 * radius of a thin rod, because n is rounded. */
static void chords_of_cylinder(const vp_buoyancy_body *body, vp_lines *lines)
{
    const double *n = body->axis[1], r = (double)body->shape->radius, h = (double)body->shape->half_height;
    const double k = n[0] * n[0] + n[2] * n[2], nx = n[0], ny = n[1], nz = n[2];
    const double inverse = k > 0.0 ? 1.0 / k : 0.0, steep = ny != 0.0 ? 1.0 / ny : 0.0, first = ny < 0.0 ? h : -h;
    const double cap = ny != 0.0 ? 0.0 : HUGE_VAL; /* a level axis has no limit by the caps */
    for (uint32_t i = 0; i < lines->count && k > 0.0; i++) {
        const double x = lines->x[i], z = lines->z[i], m = x * nx + z * nz, off = x * nz - z * nx;
        const double half = ny * m, root = root_of(k * (r * r) - off * off);
        const double left = (half - root) * inverse, right = (half + root) * inverse;
        const double from = (first - m) * steep - cap, to = (-first - m) * steep + cap;
        const double low = from > left ? from : left, high = to < right ? to : right;
        lines->low[i] = low;
        lines->high[i] = high > low ? high : low;
    }
    for (uint32_t i = 0; i < lines->count && !(fabs(ny) > 0.0 && k > 0.0); i++) { /* a level or upright axis */
        const double x = lines->x[i], z = lines->z[i], m = x * nx + z * nz;
        if (!(k > 0.0)) {
            const bool hit = x * x + z * z < r * r;
            lines->low[i] = hit ? -h * fabs(steep) : 0.0;
            lines->high[i] = hit ? h * fabs(steep) : 0.0;
        } else if (!(m >= -h && m <= h)) {
            lines->high[i] = lines->low[i];
        }
    }
}

/* ---- columns ---- */

static void sphere_in_columns(const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *range, const vp_submerged_range *under,
                              vp_moments *out)
{
    vp_submerged_lines(&vp_submerged_sphere, chords_of_sphere, body, world, range, under, out);
}

static void capsule_in_columns(const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *range,
                               const vp_submerged_range *under, vp_moments *out)
{
    vp_submerged_lines(&vp_submerged_capsule, chords_of_capsule, body, world, range, under, out);
}

static void cylinder_in_columns(const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *range,
                                const vp_submerged_range *under, vp_moments *out)
{
    vp_submerged_lines(&vp_submerged_cylinder, chords_of_cylinder, body, world, range, under, out);
}

/* ---- measures ---- */

static void measure_sphere(vp_buoyancy_body *body)
{
    const double r = (double)body->shape->radius;
    for (int i = 0; i < 3; i++) {
        body->high[i] = r;
        body->low[i] = -r;
    }
    body->whole.volume = 4.0 / 3.0 * pi * r * r * r;
}

/* A ball and a cylinder: 4/3 pi r^3 + 2 pi r^2 h. */
static void measure_capsule(vp_buoyancy_body *body)
{
    const double r = (double)body->shape->radius, h = (double)body->shape->half_height;
    for (int i = 0; i < 3; i++) {
        body->high[i] = h * fabs(body->axis[1][i]) + r;
        body->low[i] = -body->high[i];
    }
    body->whole.volume = pi * r * r * (4.0 / 3.0 * r + 2.0 * h);
}

static void measure_cylinder(vp_buoyancy_body *body)
{
    const double r = (double)body->shape->radius, h = (double)body->shape->half_height;
    for (int i = 0; i < 3; i++) {
        const double a = body->axis[1][i], b = body->axis[1][(i + 1) % 3], c = body->axis[1][(i + 2) % 3];
        body->high[i] = h * fabs(a) + r * sqrt(b * b + c * c);
        body->low[i] = -body->high[i];
    }
    body->whole.volume = 2.0 * pi * r * r * h;
}

const vp_submerged_shape vp_submerged_sphere = {measure_sphere, sphere_below, sphere_in_columns};
const vp_submerged_shape vp_submerged_capsule = {measure_capsule, capsule_below, capsule_in_columns};
const vp_submerged_shape vp_submerged_cylinder = {measure_cylinder, cylinder_below, cylinder_in_columns};
