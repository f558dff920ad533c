/* SPDX-License-Identifier: MIT */
#include "tests/support/polytope.h"

#include "tests/support/check.h"

#include <math.h>

/* ---- points as whole numbers ---- */

/* A number as an odd whole number times a power of two. */
typedef struct dyadic {
    int64_t odd;
    int exponent;
} dyadic;

static dyadic dyadic_of(float x)
{
    dyadic d = {0, 0};
    if (x == 0.0f)
        return d;
    d.odd = (int64_t)ldexpf(frexpf(x, &d.exponent), 24); /* exact: a number of binary32 has 24 bits */
    d.exponent -= 24;
    while (d.odd % 2 == 0) {
        d.odd /= 2;
        d.exponent++;
    }
    return d;
}

static float coordinate(vp_vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

/* The coordinates on an axis in the largest unit of which all are multiples, from the lowest on. To measure each axis in a unit of its own
   and from a place of its own changes no determinant's sign. @return whether the numbers are below 2^30 */
static bool measure(polytope *p, int axis)
{
    enum { BITS = 30 };
    int unit = INT32_MAX;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < p->count; i++) {
        const dyadic d = dyadic_of(coordinate(p->point[i], axis));
        if (d.odd != 0 && d.exponent < unit)
            unit = d.exponent;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        dyadic d = dyadic_of(coordinate(p->point[i], axis));
        if (d.odd != 0 && d.exponent - unit > 37) /* 24 + 37 bits fit */
            return false;
        for (; d.odd != 0 && d.exponent > unit; d.exponent--)
            d.odd *= 2;
        p->at[i][axis] = d.odd;
        least = d.odd < least ? d.odd : least;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        p->at[i][axis] -= least; /* both are below 2^61 */
        if (p->at[i][axis] >= INT64_C(1) << BITS)
            return false;
    }
    return true;
}

/* (b - a) x (c - a) . (d - a). Differences are below 2^30 in magnitude, products of two below 2^60, what is left of two of them below
   2^61: `n`. It is split into high*2^30 + low, high up to 2^31 and low below 2^30; so the three products with differences of d are
   below 2^61 each, their sum below 2^63, and those of the low parts below 2^60, their sum below 2^62. */
static int sign_of_sum(const int64_t n[3], const int64_t a[3], const int64_t d[3])
{
    const int64_t part = INT64_C(1) << 30;
    int64_t high = 0, low = 0;
    for (int k = 0; k < 3; k++) {
        high += n[k] / part * (d[k] - a[k]);
        low += n[k] % part * (d[k] - a[k]);
    }
    high += low / part;
    low %= part; /* now smaller than any high part but 0 */
    return high != 0 ? (high > 0 ? 1 : -1) : (low > 0) - (low < 0);
}

static void normal_of(const polytope *p, uint32_t a, uint32_t b, uint32_t c, int64_t n[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (p->at[b][i] - p->at[a][i]) * (p->at[c][j] - p->at[a][j]) - (p->at[b][j] - p->at[a][j]) * (p->at[c][i] - p->at[a][i]);
    }
}

/* The sign of (b - a) x (c - a) along an axis. */
static int turn(const polytope *p, uint32_t a, uint32_t b, uint32_t c, int axis)
{
    if (p->wide)
        return exact_oracle_turn(p->numbers, p->point[a], p->point[b], p->point[c], (axis + 1) % 3, (axis + 2) % 3);
    int64_t n[3];
    normal_of(p, a, b, c, n);
    return (n[axis] > 0) - (n[axis] < 0);
}

static bool on_a_line(const polytope *p, uint32_t a, uint32_t b, uint32_t c)
{
    return turn(p, a, b, c, 0) == 0 && turn(p, a, b, c, 1) == 0 && turn(p, a, b, c, 2) == 0;
}

int polytope_side(const polytope *p, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if (p->wide)
        return exact_oracle_side(p->numbers, p->point[a], p->point[b], p->point[c], p->point[d]);
    int64_t n[3];
    normal_of(p, a, b, c, n);
    return sign_of_sum(n, p->at[a], p->at[d]);
}

/* ---- what they are ---- */

static void find_places(polytope *p)
{
    p->first = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        p->same[i] = 0;
        for (uint32_t k = 0; k < p->count; k++) /* 0 and -0 are one place */
            if (p->point[i].x == p->point[k].x && p->point[i].y == p->point[k].y && p->point[i].z == p->point[k].z)
                p->same[i] |= bit(k);
        if (p->same[i] % bit(i) == 0)
            p->first |= bit(i);
    }
}

static uint32_t rank_of(const polytope *p)
{
    uint32_t a = 1, b = 1, c = 1;
    while (a < p->count && (p->same[0] & bit(a)) != 0)
        a++;
    if (a == p->count)
        return 0;
    while (b < p->count && on_a_line(p, 0, a, b))
        b++;
    if (b == p->count)
        return 1;
    while (c < p->count && polytope_side(p, 0, a, b, c) == 0)
        c++;
    return c == p->count ? 2 : 3;
}

/* Whether a plane through three points has none on one side; then its points are a facet. */
static bool supports(const polytope *p, uint32_t a, uint32_t b, uint32_t c, uint64_t *on, int *side)
{
    int64_t n[3] = {0, 0, 0};
    if (!p->wide)
        normal_of(p, a, b, c, n);
    *side = 0;
    *on = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const int s = p->wide ? exact_oracle_side(p->numbers, p->point[a], p->point[b], p->point[c], p->point[i])
                              : sign_of_sum(n, p->at[a], p->at[i]);
        if (s == 0)
            *on |= bit(i);
        else if (*side == 0)
            *side = s;
        else if (*side != s)
            return false;
    }
    return true;
}

static bool is_known(const polytope *p, uint64_t points)
{
    for (uint32_t f = 0; f < p->facets; f++)
        if ((points & ~p->facet[f]) == 0)
            return true;
    return false;
}

static void find_facets(polytope *p)
{
    for (uint32_t a = 0; a < p->count; a++)
        for (uint32_t b = a + 1; b < p->count; b++)
            for (uint32_t c = b + 1; c < p->count; c++) {
                uint64_t on;
                int side;
                if ((p->first & bit(a)) == 0 || (p->first & bit(b)) == 0 || (p->first & bit(c)) == 0 ||
                    is_known(p, bit(a) | bit(b) | bit(c)) || on_a_line(p, a, b, c) || !supports(p, a, b, c, &on, &side))
                    continue;
                assert_true(p->facets < POLYTOPE_MAX_FACETS);
                p->facet[p->facets] = on;
                p->through[p->facets][0] = a;
                p->through[p->facets][1] = side < 0 ? b : c;
                p->through[p->facets][2] = side < 0 ? c : b;
                p->facets++;
            }
}

/* The points that all facets of a point have in common are the smallest face that it lies in: it is a vertex if they are it alone. */
static void find_vertices(polytope *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t common = UINT64_MAX;
        for (uint32_t f = 0; f < p->facets; f++)
            if ((p->facet[f] & bit(i)) != 0)
                common &= p->facet[f];
        if ((p->first & bit(i)) != 0 && common == p->same[i])
            p->vertices |= bit(i);
    }
}

/* ---- shadows ---- */

static bool same_shadow(const polytope *p, uint32_t a, uint32_t b, int axis)
{
    return coordinate(p->point[a], (axis + 1) % 3) == coordinate(p->point[b], (axis + 1) % 3) &&
           coordinate(p->point[a], (axis + 2) % 3) == coordinate(p->point[b], (axis + 2) % 3);
}

/* Whether the shadow of c is on the line through those of a and b, but not between them. */
static bool is_beyond(const polytope *p, uint32_t a, uint32_t b, uint32_t c, int axis)
{
    for (int k = 1; k < 3; k++) {
        const float x = coordinate(p->point[a], (axis + k) % 3), y = coordinate(p->point[b], (axis + k) % 3),
                    z = coordinate(p->point[c], (axis + k) % 3);
        if ((z < x && z < y) || (z > x && z > y))
            return true;
    }
    return false;
}

/* Whether a line from a shadow to another is an edge: none on its right, none on it but between the two. */
static bool is_edge(const polytope *p, uint32_t a, uint32_t b, int axis)
{
    for (uint32_t c = 0; c < p->count; c++) {
        const int side = turn(p, a, b, c, axis);
        if (side < 0 || (side == 0 && is_beyond(p, a, b, c, axis)))
            return false;
    }
    return true;
}

uint32_t polytope_shadow(const polytope *p, int axis, uint32_t corner[POLYTOPE_MAX])
{
    uint32_t next[POLYTOPE_MAX], corners = 0, from = p->count;
    bool first[POLYTOPE_MAX];
    for (uint32_t a = 0; a < p->count; a++) {
        first[a] = true;
        for (uint32_t b = 0; b < a; b++)
            first[a] = first[a] && !same_shadow(p, a, b, axis);
    }
    for (uint32_t a = 0; a < p->count; a++) {
        next[a] = p->count;
        for (uint32_t b = 0; first[a] && b < p->count && next[a] == p->count; b++)
            if (first[b] && b != a && is_edge(p, a, b, axis))
                next[a] = b;
        if (next[a] != p->count && from == p->count)
            from = a;
    }
    if (from == p->count) { /* all in one place */
        corner[0] = 0;
        return 1;
    }
    uint32_t at = from;
    do {
        assert_true(corners < p->count && at < p->count);
        corner[corners++] = at;
        at = next[at];
    } while (at != from);
    return corners;
}

/* The ends of a line: the furthest apart on any axis on which the points differ. */
static void find_ends(polytope *p)
{
    uint32_t corner[POLYTOPE_MAX];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t corners = polytope_shadow(p, axis, corner);
        if (corners == 2) {
            p->vertices = bit(corner[0]) | bit(corner[1]);
            return;
        }
    }
}

static bool is_wide(polytope *p)
{
    const bool x = measure(p, 0), y = measure(p, 1), z = measure(p, 2);
    return !x || !y || !z;
}

bool polytope_is_wide(const vp_vec3 *point, uint32_t count)
{
    polytope p = {.point = point, .count = count};
    return is_wide(&p);
}

void polytope_make(polytope *p, const vp_vec3 *point, uint32_t count, exact_oracle *numbers)
{
    assert_true(count > 0 && count <= POLYTOPE_MAX);
    p->point = point;
    p->count = count;
    p->numbers = numbers;
    p->facets = 0;
    p->vertices = 0;
    p->wide = is_wide(p);
    find_places(p);
    p->rank = rank_of(p);
    if (p->rank == 3) {
        find_facets(p);
        find_vertices(p);
    } else if (p->rank == 2) {
        uint32_t corner[POLYTOPE_MAX], corners = 0;
        for (int axis = 0; axis < 3 && corners < 3; axis++) /* across an axis that the plane does not run along */
            corners = polytope_shadow(p, axis, corner);
        for (uint32_t i = 0; i < corners; i++)
            p->vertices |= bit(corner[i]);
    } else if (p->rank == 1) {
        find_ends(p);
    } else {
        p->vertices = 1;
    }
}
