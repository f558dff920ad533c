/* SPDX-License-Identifier: MIT */
/* Connects triangles by their corners: normals, neighbours' normals and edge flags. Finds normals of the surface from these.
 *
 * Sides of triangles are put into buckets by a hash of their two ends. Each bucket is split into edges, so that the
 * cost is linear if the hash spreads. Most edges have two sides, which belong together if they run in opposite
 * directions.
 *
 * The sides of an edge with more are sorted by the angle of their triangles around the edge, counterclockwise seen from
 * the upper end. A side that runs forth, from the lower end to the upper, has the solid before it in this order. A side
 * that runs back has the solid after it. So a side that runs back and the next one that runs forth enclose solid and
 * belong together, around the circle. If triangles cross there, pairs nest like brackets, and the inner ones are found
 * first.
 *
 * The result does not depend on the order of the triangles. Sides that compare as equal have the same corners. */
#include "src/narrowphase/connect.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/exact.h"
#include "src/core/inline.h"
#include "src/core/real3.h"
#include "src/narrowphase/manifold_internal.h"
#include "src/narrowphase/run.h"

/* A side, with number 3*triangle + edge. */
typedef struct triangle_side {
    vp_vec3 low, high, third;
    bool is_reversed; /* runs from high to low */
    uint32_t edge;
} triangle_side;

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_points(vp_vec3 a, vp_vec3 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return (a.z > b.z) - (a.z < b.z);
}

static triangle_side side_of(const vp_collide_triangle *triangle, uint32_t number)
{
    const vp_vec3 *c = triangle[number / 3].corner;
    const uint32_t k = number % 3;
    const triangle_side s = {c[k], c[(k + 1) % 3], c[(k + 2) % 3], false, k};
    if (compare_points(s.low, s.high) <= 0)
        return s;
    return (triangle_side){s.high, s.low, s.third, true, k};
}

/* Angle of a side's triangle around its edge, as a number from 0 to 4 that grows with the angle. The direction of 0
 * depends on the edge only. */
static double turn_of(const triangle_side *s)
{
    const double e[3] = {(double)s->high.x - (double)s->low.x, (double)s->high.y - (double)s->low.y, (double)s->high.z - (double)s->low.z};
    const double f[3] = {(double)s->third.x - (double)s->low.x, (double)s->third.y - (double)s->low.y,
                         (double)s->third.z - (double)s->low.z};
    int a = fabs(e[1]) < fabs(e[0]) ? 1 : 0;
    if (fabs(e[2]) < fabs(e[a]))
        a = 2;
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    /* u = (unit vector of axis a) x e; v = e x u, which is longer than u by e's length. This does not change the order. */
    double u[3], v[3];
    u[a] = 0.0;
    u[b] = -e[c];
    u[c] = e[b];
    v[a] = e[b] * u[c] - e[c] * u[b];
    v[b] = e[c] * u[a] - e[a] * u[c];
    v[c] = e[a] * u[b] - e[b] * u[a];
    const double x = (f[0] * u[0] + f[1] * u[1]) + f[2] * u[2], y = (f[0] * v[0] + f[1] * v[1]) + f[2] * v[2], all = fabs(x) + fabs(y);
    if (!(all > 0.0))
        return 0.0;
    return y >= 0.0 ? 1.0 - x / all : 3.0 + x / all;
}

/* Compares the ends only. */
static int compare_edges(const triangle_side *a, const triangle_side *b)
{
    const int order = compare_points(a->low, b->low);
    return order != 0 ? order : compare_points(a->high, b->high);
}

/* Compares sides of the same edge. If two are at the same angle, the one that runs back comes first, because there is
 * no solid between them and they belong together. */
static int compare_around(const triangle_side *a, const triangle_side *b)
{
    int order = compare_numbers(turn_of(a), turn_of(b));
    if (order == 0)
        order = (int)b->is_reversed - (int)a->is_reversed;
    return order != 0 ? order : compare_points(a->third, b->third);
}

static int compare_sides(const vp_collide_triangle *triangle, uint32_t i, uint32_t j)
{
    const triangle_side a = side_of(triangle, i), b = side_of(triangle, j);
    const int order = compare_around(&a, &b);
    return order != 0 ? order : (int)a.edge - (int)b.edge;
}

/* Restores a heap whose entry i has changed. The last side comes first. */
static void sift_side_down(const vp_collide_triangle *triangle, uint32_t *heap, uint64_t i, uint64_t count)
{
    const uint32_t moved = heap[i];
    for (uint64_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && compare_sides(triangle, heap[child], heap[child + 1]) < 0;
        if (compare_sides(triangle, moved, heap[child]) >= 0)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

/* Sorts the sides of one edge around it. */
static void sort_around(const vp_collide_triangle *triangle, uint32_t *sides, uint64_t count)
{
    for (uint64_t i = count / 2; i-- > 0;)
        sift_side_down(triangle, sides, i, count);
    for (uint64_t end = count; end-- > 1;) {
        const uint32_t last = sides[0];
        sides[0] = sides[end];
        sides[end] = last;
        sift_side_down(triangle, sides, 0, end);
    }
}

/* Divides three numbers and `more` by the power of 2 in the largest of the three. They must not all be 0. */
static void scale_down(double v[3], double *more)
{
    double max = fabs(v[0]);
    uint64_t bits;
    for (int k = 1; k < 3; k++)
        max = fabs(v[k]) > max ? fabs(v[k]) : max;
    memcpy(&bits, &max, sizeof bits);
    bits &= UINT64_C(0x7ff0000000000000);
    memcpy(&max, &bits, sizeof max);
    const double scale = 1.0 / max; /* exact, like the products */
    for (int k = 0; k < 3; k++)
        v[k] *= scale;
    *more *= scale;
}

/* Classifies the edge between triangles p, q, `third` and q, p, `other`, with the operations of kernel/surface.h. The
 * numbers are first scaled to about 1 by powers of 2, so that nothing overflows or underflows. The scaling is exact
 * where a surface's numbers are. */
static vp_edge fold_edge(vp_vec3 p, vp_vec3 q, vp_vec3 third, vp_vec3 other)
{
    double n[3], m[3], e[3] = {(double)q.x - (double)p.x, (double)q.y - (double)p.y, (double)q.z - (double)p.z};
    const vp_det whole = vp_det3(p, q, third, other);
    double det = whole.value, shrunk = 1.0;
    vp_normal3(p, q, third, n);
    vp_normal3(p, other, q, m);
    if ((n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0) || (m[0] == 0.0 && m[1] == 0.0 && m[2] == 0.0))
        return VP_EDGE_CONVEX;
    scale_down(n, &det);
    scale_down(m, &det);
    scale_down(e, &shrunk);
    const float dot = ((float)n[0] * (float)m[0] + (float)n[1] * (float)m[1]) + (float)n[2] * (float)m[2];
    const float d = (float)(det / shrunk), ee = (float)((e[0] * e[0] + e[1] * e[1]) + e[2] * e[2]);
    const float sine = d * d * ee, cosine = dot * dot * VP_EDGE_FLAT_TAN2;
    if (dot > 0.0f && sine <= cosine)
        return VP_EDGE_FLAT;
    const bool is_sure = fabs(whole.value) > whole.bound || whole.bound == 0.0;
    return (is_sure ? whole.value > 0.0 : vp_orient3d_exact(p, q, third, other) > 0) ? VP_EDGE_CONCAVE : VP_EDGE_CONVEX;
}

static void set_edge(vp_collide_triangle *triangle, uint32_t number, vp_edge is, vp_vec3 beside)
{
    vp_collide_triangle *t = &triangle[number / 3];
    const uint32_t k = number % 3;
    t->flags = (uint8_t)((t->flags & ~(3u << 2 * k)) | (unsigned)is << 2 * k);
    t->neighbour_normal[k] = beside;
}

static vp_vec3 find_normal(const vp_collide_triangle *triangle, uint32_t connected, uint32_t side_number)
{
    const uint32_t i = side_number / 3;
    return i < connected ? triangle[i].normal : vp_collide_triangle_of(triangle[i].corner, i).normal;
}

/* Joins sides [begin, end) of triangles with the same corners: `back` run back, `forth` run forth. */
static void join_sides(vp_collide_triangle *triangle, uint32_t connected, const uint32_t *sides, const uint64_t back[2],
                       const uint64_t forth[2])
{
    const triangle_side a = side_of(triangle, sides[forth[0]]), b = side_of(triangle, sides[back[0]]);
    const vp_edge is = fold_edge(a.low, a.high, a.third, b.third);
    const vp_vec3 normal_back = find_normal(triangle, connected, sides[back[0]]),
                  normal_forth = find_normal(triangle, connected, sides[forth[0]]);
    for (uint64_t i = forth[0]; i < forth[1]; i++)
        set_edge(triangle, sides[i], is, normal_back);
    for (uint64_t i = back[0]; i < back[1]; i++)
        set_edge(triangle, sides[i], is, normal_forth);
}

/* End of the sides from `begin` on with the same edge, or with the same three corners. */
static uint64_t find_end_of_same(const vp_collide_triangle *triangle, const uint32_t *sorted, uint64_t begin, uint64_t end, bool corners)
{
    const triangle_side first = side_of(triangle, sorted[begin]);
    uint64_t i = begin + 1;
    for (; i < end; i++) {
        const triangle_side s = side_of(triangle, sorted[i]);
        if (compare_edges(&first, &s) != 0 ||
            (corners && (s.is_reversed != first.is_reversed || compare_points(first.third, s.third) != 0)))
            break;
    }
    return i;
}

/* Pairs all sides of one edge like brackets on a circle. A second round finds pairs across the start. */
static void join_edge(vp_collide_triangle *triangle, uint32_t connected, const uint32_t *sorted, uint64_t begin, uint64_t end,
                      uint32_t *open)
{
    size_t depth = 0;
    for (int round = 0; round < 2; round++)
        for (uint64_t i = begin, next; i < end && (round == 0 || depth > 0); i = next) {
            next = find_end_of_same(triangle, sorted, i, end, true);
            if (side_of(triangle, sorted[i]).is_reversed) {
                if (round == 0)
                    open[depth++] = (uint32_t)i;
            } else if (depth > 0 && vp_edge_of(triangle[sorted[i] / 3].flags, sorted[i] % 3) == VP_EDGE_OPEN) {
                const uint64_t from = open[--depth], back[2] = {from, find_end_of_same(triangle, sorted, from, end, true)},
                               forth[2] = {i, next};
                join_sides(triangle, connected, sorted, back, forth);
            }
        }
}

/* ---- buckets ---- */

/* End of a bucket without a connected triangle. */
#define NO_SIDES UINT32_MAX

/* Buckets of a triangle's three sides, of 3 * count. */
static void find_buckets(const vp_collide_triangle *t, uint32_t count, uint32_t bucket[3])
{
    uint32_t hash[3];
    for (uint32_t k = 0; k < 3; k++)
        hash[k] = vp_hash_place(t->corner[k]);
    for (uint32_t k = 0; k < 3; k++)
        bucket[k] = vp_slot_of(hash[k] + hash[(k + 1) % 3], 3 * count);
}

static bool has_equal_corners(const vp_collide_triangle *t)
{
    return vp_is_same_place(t->corner[0], t->corner[1]) || vp_is_same_place(t->corner[1], t->corner[2]) ||
           vp_is_same_place(t->corner[2], t->corner[0]);
}

/* Counts the sides of each bucket, except those of buckets without a connected triangle. */
static void count_sides(const vp_collide_triangle *triangle, uint32_t count, uint32_t connected, uint32_t *counts)
{
    memset(counts, 0, (size_t)3 * count * sizeof *counts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bucket[3];
        if (has_equal_corners(&triangle[i]))
            continue;
        find_buckets(&triangle[i], count, bucket);
        for (uint32_t k = 0; k < 3; k++)
            counts[bucket[k]] += i < connected || counts[bucket[k]] > 0;
    }
}

/* Places the sides of the counted buckets, bucket by bucket.
 * @param ends  counts of the buckets, receives where each ends, or NO_SIDES */
static void place_sides(const vp_collide_triangle *triangle, uint32_t count, uint32_t *sides, uint32_t *ends)
{
    uint32_t placed = 0;
    for (uint32_t b = 0; b < 3 * count; b++) {
        const uint32_t begin = ends[b] > 0 ? placed : NO_SIDES;
        placed += ends[b];
        ends[b] = begin;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bucket[3];
        if (has_equal_corners(&triangle[i]))
            continue;
        find_buckets(&triangle[i], count, bucket);
        for (uint32_t k = 0; k < 3; k++)
            if (ends[bucket[k]] != NO_SIDES)
                sides[ends[bucket[k]]++] = 3 * i + k;
    }
}

/* Whether a side joins two places, in either direction. */
static bool has_ends(const vp_collide_triangle *triangle, uint32_t number, vp_vec3 p, vp_vec3 q)
{
    const vp_vec3 *c = triangle[number / 3].corner, a = c[number % 3], b = c[(number + 1) % 3];
    return (vp_is_same_place(a, p) && vp_is_same_place(b, q)) || (vp_is_same_place(a, q) && vp_is_same_place(b, p));
}

/* Joins both sides of an edge that has no others, if they run in opposite directions. */
static void join_pair(vp_collide_triangle *triangle, uint32_t connected, const uint32_t sides[2])
{
    const bool is_reversed = side_of(triangle, sides[0]).is_reversed;
    const uint64_t back = is_reversed ? 0 : 1, forth = 1 - back;
    if (side_of(triangle, sides[1]).is_reversed != is_reversed && (sides[0] / 3 < connected || sides[1] / 3 < connected))
        join_sides(triangle, connected, sides, (uint64_t[2]){back, back + 1}, (uint64_t[2]){forth, forth + 1});
}

/* Splits the sides [begin, end) of a bucket by edge. Joins those of edges with two sides, and moves those of edges with
 * more to the begin of the list.
 * @param crowded  number of sides moved so far */
static void split_bucket(vp_collide_triangle *triangle, uint32_t connected, uint32_t *sides, uint32_t begin, uint32_t end,
                         uint32_t *crowded)
{
    while (begin < end) {
        const uint32_t first = begin++;
        const vp_vec3 *c = triangle[sides[first] / 3].corner, p = c[sides[first] % 3], q = c[(sides[first] + 1) % 3];
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t number = sides[i];
            if (has_ends(triangle, number, p, q)) {
                sides[i] = sides[begin];
                sides[begin++] = number;
            }
        }
        if (begin - first == 2)
            join_pair(triangle, connected, sides + first);
        for (uint32_t i = first; i < begin && begin - first > 2; i++)
            sides[(*crowded)++] = sides[i];
    }
}

static void reset_edges(vp_collide_triangle *triangle, uint32_t count, uint32_t connected)
{
    for (uint32_t i = 0; i < count; i++) {
        vp_collide_triangle *t = &triangle[i];
        t->flags = VP_EDGE_OPEN | VP_EDGE_OPEN << 2 | VP_EDGE_OPEN << 4;
        if (i < connected) {
            t->normal = vp_collide_triangle_of(t->corner, i).normal;
            memset(t->neighbour_normal, 0, sizeof t->neighbour_normal);
        }
    }
}

/* ---- one edge ---- */

/* Number of triangles up to which there is no table, and its slots a triangle. */
enum { FEW_TRIANGLES = 32, SLOTS = 4 };
static_assert(SLOTS <= VP_COLLIDE_CONNECT_WORDS(1), "the table fits");

static uint32_t slot_of_id(const vp_terrain_edges *edges, vp_terrain_triangle_id id)
{
    return vp_slot_of(id.chunk * UINT32_C(0x85ebca6b) ^ id.triangle, edges->slots);
}

/* The number of a listed triangle, or UINT32_MAX. */
static uint32_t find_listed(const vp_terrain_edges *edges, vp_terrain_triangle_id id)
{
    if (edges->slot == NULL) {
        uint32_t i = 0;
        while (i < edges->count && !(edges->triangle[i].id.triangle == id.triangle && edges->triangle[i].id.chunk == id.chunk))
            i++;
        return i < edges->count ? i : UINT32_MAX;
    }
    for (uint32_t i = slot_of_id(edges, id);; i = i + 1 < edges->slots ? i + 1 : 0) {
        const uint32_t number = edges->slot[i] - 1;
        if (number == UINT32_MAX || (edges->triangle[number].id.chunk == id.chunk && edges->triangle[number].id.triangle == id.triangle))
            return number;
    }
}

/* Joins edge k to edge i of another triangle, and that edge to this one. @param listed  its number, UINT32_MAX = none */
VP_INLINE void join_edges(const vp_terrain_edges *edges, vp_collide_triangle *t, uint32_t k, const vp_vec3 other[3], uint32_t i,
                          uint32_t listed)
{
    const vp_vec3 p = t->corner[k], q = t->corner[(k + 1) % 3], third = t->corner[(k + 2) % 3], across = other[(i + 2) % 3];
    const vp_edge is = compare_points(p, q) <= 0 ? fold_edge(p, q, third, across) : fold_edge(q, p, across, third);
    set_edge(t, k, is, listed != UINT32_MAX ? edges->triangle[listed].normal : vp_collide_triangle_of(other, 0).normal);
    if (listed != UINT32_MAX) {
        set_edge(&edges->triangle[listed], i, is, t->normal);
        edges->marks[listed] = (uint8_t)(edges->marks[listed] | (unsigned)VP_MANIFOLD_CONNECTED << i);
    }
}

/* Joins an edge to the only other triangle with it, if they run in opposite directions. */
static void join_neighbour(const vp_terrain_edges *edges, vp_collide_triangle *t, uint32_t k, const vp_quad_triangle *neighbour)
{
    const vp_vec3 *const other = neighbour->corner, p = t->corner[k], q = t->corner[(k + 1) % 3];
    for (uint32_t i = 0; i < 3; i++)
        if (vp_is_same_place(other[i], q) && vp_is_same_place(other[(i + 1) % 3], p))
            join_edges(edges, t, k, other, i, find_listed(edges, neighbour->id));
}

/* ---- the whole ---- */

/* Connects the first triangles of a list. The other triangles serve as their neighbours, and keep no result.
 * @param scratch  [VP_COLLIDE_CONNECT_WORDS(count)] */
static void connect_first(vp_collide_triangle *triangle, uint32_t count, uint32_t connected, uint32_t *scratch)
{
    uint32_t *const sides = scratch, *const ends = scratch + (size_t)3 * count;
    uint32_t begin = 0, crowded = 0;
    reset_edges(triangle, count, connected);
    count_sides(triangle, count, connected, ends);
    place_sides(triangle, count, sides, ends);
    for (uint32_t b = 0; b < 3 * count; b++)
        if (ends[b] != NO_SIDES) {
            split_bucket(triangle, connected, sides, begin, ends[b], &crowded);
            begin = ends[b];
        }
    for (uint64_t first = 0, next; first < crowded; first = next) {
        next = find_end_of_same(triangle, sides, first, crowded, false);
        sort_around(triangle, sides + first, next - first);
        join_edge(triangle, connected, sides, first, next, ends);
    }
}

enum { EDGE_TRIANGLES = 4 /* maximum number of a terrain's triangles with one edge */ };

static void connect_edge(const vp_terrain_edges *edges, uint32_t number, uint32_t k)
{
    vp_collide_triangle *const t = &edges->triangle[number];
    vp_quad_triangle other[EDGE_TRIANGLES - 1];
    if ((edges->marks[number] & VP_MANIFOLD_PAIRED) != 0) {
        const uint32_t side = edges->pair[3 * number + k];
        join_edges(edges, t, k, edges->triangle[side / 3].corner, side % 3, side / 3);
        return;
    }
    const uint32_t count = vp_quads_across(edges->quads, t->corner, t->id, k, other);
    if (count == 1)
        join_neighbour(edges, t, k, &other[0]);
    if (count <= 1)
        return;
    vp_collide_triangle list[EDGE_TRIANGLES] = {*t};
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(EDGE_TRIANGLES)];
    for (uint32_t i = 0; i < count; i++)
        list[1 + i] = vp_collide_triangle_of(other[i].corner, i);
    connect_first(list, 1 + count, 1, words);
    set_edge(t, k, vp_edge_of(list[0].flags, k), list[0].neighbour_normal[k]);
}

void vp_begin_edges(vp_terrain_edges *edges, uint32_t count, uint32_t *words)
{
    vp_collide_triangle *const triangle = edges->triangle;
    edges->count = count;
    reset_edges(triangle, count, count);
    if (count <= FEW_TRIANGLES)
        return;
    edges->slot = words;
    edges->slots = SLOTS * count;
    memset(words, 0, edges->slots * sizeof *words);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = slot_of_id(edges, triangle[i].id);
        while (words[at] != 0)
            at = at + 1 < edges->slots ? at + 1 : 0;
        words[at] = 1 + i;
    }
}

void vp_connect_edges(const vp_terrain_edges *edges, uint32_t number, unsigned which)
{
    for (uint32_t k = 0; k < 3; k++) {
        const unsigned mark = (unsigned)VP_MANIFOLD_CONNECTED << k;
        if ((which >> k & 1) == 0 || (edges->marks[number] & mark) != 0)
            continue;
        connect_edge(edges, number, k);
        edges->marks[number] = (uint8_t)(edges->marks[number] | mark);
    }
}

void vp_connect_nearest_edge(const vp_terrain_edges *edges, uint32_t number, const vp_collide_result *answer)
{
    const uint32_t on_edge = answer->triangle_feature - VP_TRIANGLE_EDGE;
    if (edges != NULL && on_edge < 3 && answer->distance > 0.0f)
        vp_connect_edges(edges, number, 1u << on_edge);
}

vp_status vp_collide_connect(vp_collide_triangle *triangle, uint32_t count, uint32_t *scratch, vp_error *error)
{
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    VP_RETURN_IF_ARRAY_NULL(error, scratch, count);
    if (count > UINT32_MAX / 3)
        return vp_fail(error, VP_E_ARGUMENT, "%u triangles; they must be at most %u", count, UINT32_MAX / 3);
    const vp_status status = vp_collide_check_corners(triangle, count, error);
    if (status != VP_OK)
        return status;
    if (count != 0)
        connect_first(triangle, count, count, scratch);
    return vp_succeed(error);
}

/* ---- normals of the surface at a face, an edge or a corner, in double precision ---- */

/* Sine up to which a direction away from a corner does not count as in front of it. */
#define IN_FRONT 0.01

static bool is_active(const vp_collide_triangle *t, int edge)
{
    const int flag = t->flags >> 2 * edge & 3;
    return flag == VP_EDGE_CONVEX || flag == VP_EDGE_OPEN;
}

/* The normals of an edge, between those of the triangles on both sides. */
typedef struct fan {
    vp_real3 outward;    /* perpendicular to the edge, in the triangle's plane */
    vp_vec3 end;         /* last normal, where the first is the triangle's */
    double cosine, sine; /* components of the last normal along the first and along `out` */
} fan;

/* @return false if there are no normals between, or no edge */
static bool fan_of(const vp_collide_triangle *t, int k, fan *f)
{
    const vp_real3 n = vp_real3_of(t->normal), across = vp_real3_cross(vp_real_edge(t->corner, k, (k + 1) % 3), n);
    const double width = vp_real3_length(across);
    if (!(width > 0.0))
        return false;
    f->outward = vp_real3_scale(across, 1.0 / width);
    f->end = vp_is_none(t->neighbour_normal[k]) ? vp_real3_rounded(f->outward) : t->neighbour_normal[k];
    f->cosine = vp_is_none(t->neighbour_normal[k]) ? 0.0 : vp_real3_dot(vp_real3_of(f->end), n);
    f->sine = vp_is_none(t->neighbour_normal[k]) ? 1.0 : vp_real3_dot(vp_real3_of(f->end), f->outward);
    if (f->sine <= 0.0 && f->cosine >= 0.0)
        return false;
    f->sine = f->sine > 0.0 ? f->sine : 0.0; /* back to back: half a circle */
    return true;
}

/* Whether a direction is in the fan, by its components along the triangle's normal and along `out`. */
static bool is_between(const fan *f, double a, double b)
{
    return b >= 0.0 && a * f->sine - b * f->cosine >= 0.0;
}

/* A normal of an edge: u made perpendicular to the edge if it is in the fan, otherwise the nearer of the fan's two ends. */
static vp_vec3 find_edge_normal(const vp_collide_triangle *t, int k, vp_vec3 u)
{
    fan f;
    if (!fan_of(t, k, &f))
        return t->normal;
    const vp_real3 n = vp_real3_of(t->normal);
    const double a = vp_real3_dot(vp_real3_of(u), n), b = vp_real3_dot(vp_real3_of(u), f.outward), square = a * a + b * b;
    if (!(square > VP_SAME_NORMAL * VP_SAME_NORMAL))
        return t->normal;
    if (is_between(&f, a, b)) {
        const vp_vec3 w = vp_real3_rounded(vp_real3_scale(vp_real3_plus(vp_real3_scale(n, a), f.outward, b), 1.0 / sqrt(square)));
        return vp_is_same_normal(w, u) ? u : w;
    }
    return a >= a * f.cosine + b * f.sine ? t->normal : f.end;
}

/* Number of triangles up to which all are searched, which is faster than buckets. */
enum { FEW_AROUND = 48 };

static void fill_buckets(vp_triangles_around *s)
{
    s->has_buckets = true;
    memset(s->first, 0, (size_t)3 * s->count * sizeof *s->first);
    for (uint32_t i = 0; i < 3 * s->count; i++) {
        uint32_t *first = &s->first[vp_slot_of(vp_hash_place(s->triangle[i / 3].corner[i % 3]), 3 * s->count)];
        s->next[i] = *first;
        *first = 1 + i;
    }
}

/* Whether a triangle extends in front of a corner, by more than a sine. False if corner k is not at this place. */
static bool is_in_front(const vp_vec3 of[3], uint32_t k, vp_vec3 corner, vp_vec3 u, double sine)
{
    if (!vp_is_same_place(of[k], corner))
        return false;
    const vp_real3 a = vp_real_edge(of, (int)k, (int)((k + 1) % 3)), b = vp_real_edge(of, (int)k, (int)((k + 2) % 3));
    return vp_real3_dot(vp_real3_of(u), a) > sine * vp_real3_length(a) || vp_real3_dot(vp_real3_of(u), b) > sine * vp_real3_length(b);
}

static bool is_foremost_of_terrain(vp_quad_reader *quads, vp_vec3 corner, vp_vec3 u, double sine)
{
    vp_quad_triangle t[2];
    uint32_t edge = 0, count;
    bool found = false;
    while (!found && (count = vp_quads_next_around(quads, corner, &edge, t)) > 0)
        for (uint32_t i = 0; i < 3 * count && !found; i++)
            found = is_in_front(t[i / 3].corner, i % 3, corner, u, sine);
    return !found;
}

/* Whether no triangle with this corner extends in front of it by more than a sine. */
static bool is_foremost(vp_triangles_around *s, vp_vec3 corner, vp_vec3 u, double sine)
{
    bool found = false;
    if (s->edges != NULL)
        return is_foremost_of_terrain(s->edges->quads, corner, u, sine);
    if (s->count <= FEW_AROUND || s->first == NULL) {
        for (uint32_t i = 0; i < 3 * s->count && !found; i++)
            found = is_in_front(s->triangle[i / 3].corner, i % 3, corner, u, sine);
        return !found;
    }
    if (!s->has_buckets)
        fill_buckets(s);
    for (uint32_t i = s->first[vp_slot_of(vp_hash_place(corner), 3 * s->count)]; i != 0 && !found; i = s->next[i - 1])
        found = is_in_front(s->triangle[(i - 1) / 3].corner, (i - 1) % 3, corner, u, sine);
    return !found;
}

static vp_vec3 find_corner_normal(const vp_collide_triangle *t, int k, vp_vec3 u, vp_triangles_around *around)
{
    const int edge[2] = {k, (k + 2) % 3};
    const bool active[2] = {is_active(t, edge[0]), is_active(t, edge[1])};
    const bool ends = (active[0] && vp_is_none(t->neighbour_normal[edge[0]])) || (active[1] && vp_is_none(t->neighbour_normal[edge[1]]));
    if (!active[0] && !active[1])
        return t->normal;
    if (!(ends && vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)) < 0.0) && is_foremost(around, t->corner[k], u, IN_FRONT))
        return u;
    vp_vec3 best = t->normal;
    double nearest = -INFINITY;
    for (int i = 0; i < 2; i++) {
        const vp_vec3 w = active[i] ? find_edge_normal(t, edge[i], u) : t->normal;
        const double near = active[i] ? vp_real3_dot(vp_real3_of(w), vp_real3_of(u)) : -INFINITY;
        best = near > nearest ? w : best;
        nearest = near > nearest ? near : nearest;
    }
    return best;
}

vp_vec3 vp_correct_normal(const vp_collide_triangle *t, vp_triangle_part p, vp_vec3 u, vp_triangles_around *around)
{
    if (p.corner >= 0)
        return find_corner_normal(t, p.corner, u, around);
    return p.edge >= 0 && is_active(t, p.edge) ? find_edge_normal(t, p.edge, u) : t->normal;
}

unsigned vp_edges_of_part(vp_triangle_part p)
{
    if (p.corner >= 0)
        return 1u << p.corner | 1u << (p.corner + 2) % 3;
    return p.edge >= 0 ? 1u << p.edge : 0;
}

/* Whether an edge belongs to a part: to itself, to a corner of it, or to the face. */
static bool has_edge(vp_triangle_part p, int k)
{
    if (p.corner >= 0)
        return k == p.corner || k == (p.corner + 2) % 3;
    return p.edge < 0 || k == p.edge;
}

int vp_list_side_normals(const vp_collide_triangle *t, vp_triangle_part p, vp_vec3 out[4])
{
    int count = 0;
    out[count++] = t->normal;
    for (int k = 0; k < 3; k++)
        if (has_edge(p, k) && is_active(t, k) && !vp_is_none(t->neighbour_normal[k]))
            out[count++] = t->neighbour_normal[k];
    return count;
}

bool vp_is_of_surface(const vp_collide_triangle *t, uint32_t feature, vp_vec3 u, vp_triangles_around *around)
{
    fan f;
    if (feature >= VP_TRIANGLE_EDGE && feature < VP_TRIANGLE_EDGE + 3)
        return vp_edge_of(t->flags, feature - VP_TRIANGLE_EDGE) != VP_EDGE_CONCAVE && fan_of(t, (int)(feature - VP_TRIANGLE_EDGE), &f) &&
               is_between(&f, vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)), vp_real3_dot(vp_real3_of(u), f.outward));
    return feature >= VP_TRIANGLE_CORNER && feature < VP_TRIANGLE_CORNER + 3 &&
           vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)) > 0.0 &&
           is_foremost(around, t->corner[feature - VP_TRIANGLE_CORNER], u, 0.0);
}
