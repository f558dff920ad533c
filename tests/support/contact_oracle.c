/* SPDX-License-Identifier: MIT */
#include "tests/support/contact_oracle.h"

#include <math.h>

#include "tests/support/check.h"

typedef struct vec {
    long double x, y, z;
} vec;

static vec vec_of(vp_vec3 v)
{
    return (vec){v.x, v.y, v.z};
}

static vec mix(vec a, vec b, long double times)
{
    return (vec){a.x + b.x * times, a.y + b.y * times, a.z + b.z * times};
}

static long double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double most_of(vec v)
{
    return fmaxl(fmaxl(fabsl(v.x), fabsl(v.y)), fabsl(v.z));
}

/* The nearest point of a triangle to p. */
static vec contact_nearest(const vec p, const vp_vec3 corner[3])
{
    const vec c[3] = {vec_of(corner[0]), vec_of(corner[1]), vec_of(corner[2])};
    const vec n = cross(mix(c[1], c[0], -1), mix(c[2], c[0], -1));
    vec nearest = c[0];
    long double least = INFINITY;
    bool inside = dot(n, n) > 0;
    for (int i = 0; i < 3; i++) {
        const vec e = mix(c[(i + 1) % 3], c[i], -1), to = mix(p, c[i], -1);
        const long double ee = dot(e, e), along = ee > 0 ? fminl(fmaxl(dot(e, to) / ee, 0), 1) : 0;
        const vec at = mix(c[i], e, along), off = mix(p, at, -1);
        inside = inside && dot(cross(e, to), n) >= 0;
        if (dot(off, off) < least) {
            least = dot(off, off);
            nearest = at;
        }
    }
    return inside ? mix(p, n, -dot(mix(p, c[0], -1), n) / dot(n, n)) : nearest;
}

long double contact_distance(vp_vec3 from, const vp_vec3 corner[3])
{
    const vec to = mix(contact_nearest(vec_of(from), corner), vec_of(from), -1);
    return sqrtl(dot(to, to));
}

/* Updates the largest used share of a bound. */
static void within(double *used, const char *what, long double off, long double most)
{
    const double share = (double)(off / most);
    if (!(share <= 1))
        fail_msg("%s is off by %Lg; must be at most %Lg", what, off, most);
    *used = share > *used ? share : *used;
}

double contact_expect(const vp_vec3 corner[3], const vp_ray *ray, float radius, float t, const vp_sphere_contact *contact)
{
    const vec origin = vec_of(ray->origin), d = vec_of(ray->direction), end = mix(origin, d, t);
    const vec centre = vec_of(contact->centre), point = vec_of(contact->point), normal = vec_of(contact->normal);
    double used = 0;
    long double most = fmaxl(fmaxl(most_of(origin), most_of(centre)), radius), far = most_of(mix(centre, origin, -1));
    for (int i = 0; i < 3; i++) {
        most = fmaxl(most, most_of(vec_of(corner[i])));
        far = fmaxl(far, most_of(mix(vec_of(corner[i]), origin, -1)));
    }
    const long double off = most * 0x1p-23L, square_off = far * far * 0x1p-46L + 0x1p-140L;
    within(&used, "the centre", most_of(mix(centre, end, -1)), off + fabsl(t) * most_of(d) * 0x1p-23L);

    /* Projecting two points onto a triangle never increases their distance. */
    const vec nearest = contact_nearest(centre, corner);
    const vec ab = mix(vec_of(corner[1]), vec_of(corner[0]), -1), ac = mix(vec_of(corner[2]), vec_of(corner[0]), -1), n = cross(ab, ac);
    const vec bc = mix(ac, ab, -1);
    const long double area = sqrtl(dot(n, n)), longest = fmaxl(fmaxl(dot(ab, ab), dot(ac, ac)), dot(bc, bc));
    const bool thin = area < longest / 1000;
    if (!thin)
        within(&used, "the point", most_of(mix(point, nearest, -1)), off * 2);

    const vec to = mix(centre, nearest, -1);
    const long double distance = sqrtl(dot(to, to)), slack = off * 2;
    const long double square_slack = square_off + slack * (2 * radius + slack);
    if (t > 0)
        within(&used, "the distance", fabsl(distance * distance - (long double)radius * radius), square_slack);
    else
        assert_true(distance * distance <= (long double)radius * radius + square_slack);

    within(&used, "the normal's length", fabsl(sqrtl(dot(normal, normal)) - 1), 0x1p-22L);
    if (distance > 4 * slack && !thin) {
        within(&used, "the normal", most_of(mix(normal, to, -1 / distance)), 2 * slack / distance + 0x1p-22L);
    } else if (radius == 0 && area > 0 && distance == 0) { /* the triangle's normal, or that of a point next to it within the rounding */
        const long double along = dot(normal, n) / area;
        if (fabsl(along) > 0.999L)
            assert_true(dot(normal, d) <= 0x1p-22L * sqrtl(dot(d, d)));
    }
    return used;
}
