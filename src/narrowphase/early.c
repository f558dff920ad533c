/* SPDX-License-Identifier: MIT */
/* Early bounds of the depths of a large box's answers on a terrain.
 *
 * Most answers of a large body are cleared by a shallower one. To show it, a lower bound of the depth is enough, along every normal that
 * the answer can get. These are the triangle's, those across its sides, and those between two of them. If two corners are inside the box,
 * all triangles at the three sides overlap it. So they are listed, and the terrain's edges need not be connected.
 *
 * The way of a corner out of the box along n is at most as long as that of the triangle. The box is convex. So the way along a normal
 * between n and m is at least the shorter of both, times the cosine of half their angle. */
#include "src/narrowphase/early.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "src/narrowphase/connect.h"
#include "src/narrowphase/local.h"
#include "src/narrowphase/manifold_internal.h"
#include "src/narrowphase/ray.h"

#define NO_PAIR UINT32_MAX
#define CROWDED (UINT32_MAX - 1)

/* Depth, as a part of the radius, from which on a corner counts as inside. Roundings shorten its way by less than the other part. */
#define INSIDE     0x1p-10f
#define ALL_BUT    (1.0f - 0x1p-8f)
#define MIN_COSINE -0.5f
/* A way along the largest component of a normal has smaller roundings than the slack of is_cleared (correct.c) up to this depth, as a part
 * of the radius. */
#define MAX_DEPTH 3.5f
/* A little more than the square of the sine up to which nothing is in front of a corner (connect.c). */
#define MIN_SQUARE 1.1e-4f

/* Limit of the triangles around a corner, and slots of the table for each triangle. */
enum { MOST_AROUND = 24, SLOTS = 4 };

/* ---- pairs of sides ---- */

static bool joins(const vp_vec3 corner[3], uint32_t k, vp_vec3 p, vp_vec3 q)
{
    return vp_is_same_place(corner[k], p) && vp_is_same_place(corner[(k + 1) % 3], q);
}

static void drop_pair(uint32_t *pair, uint32_t side)
{
    if (pair[side] < CROWDED)
        pair[pair[side]] = CROWDED;
    pair[side] = CROWDED;
}

/* Notes that two sides have the same ends. Only two that run in opposite directions, without a third, are a pair. */
static void add_pair(uint32_t *pair, uint32_t side, uint32_t other, bool is_opposite)
{
    if (is_opposite && pair[other] == NO_PAIR) {
        pair[side] = other;
        pair[other] = side;
    } else {
        drop_pair(pair, other);
        pair[side] = CROWDED;
    }
}

/* Finds the pairs of all sides (3*triangle + edge).
 * @param slot  [SLOTS * count], receives a hash and 1 + the first side of an edge, 0 = empty */
static void pair_sides(const vp_collide_triangle *triangle, uint32_t count, uint64_t *slot, uint32_t *pair)
{
    memset(slot, 0, (size_t)SLOTS * count * sizeof *slot);
    for (uint32_t i = 0; i < count; i++) {
        const vp_vec3 *c = triangle[i].corner;
        const uint32_t hash[3] = {vp_hash_place(c[0]), vp_hash_place(c[1]), vp_hash_place(c[2])};
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t side = 3 * i + k, next = (k + 1) % 3, both = hash[k] + hash[next];
            const uint64_t entry = (uint64_t)both << 32 | (1 + side);
            pair[side] = NO_PAIR;
            for (uint32_t at = vp_slot_of(both, SLOTS * count);; at = at + 1 < SLOTS * count ? at + 1 : 0) {
                const uint32_t other = (uint32_t)slot[at] - 1;
                if (slot[at] == 0) {
                    slot[at] = entry;
                    break;
                }
                if ((slot[at] ^ entry) >> 32 != 0)
                    continue;
                const bool is_opposite = joins(triangle[other / 3].corner, other % 3, c[next], c[k]);
                if (is_opposite || joins(triangle[other / 3].corner, other % 3, c[k], c[next])) {
                    add_pair(pair, side, other, is_opposite);
                    break;
                }
            }
        }
    }
}

/* ---- bounds ---- */

void vp_begin_early(vp_early_bounds *early, const vp_collide_job *job, uint8_t *marks, uint32_t *words)
{
    static_assert(2 * SLOTS + 3 + (sizeof *early->normal + sizeof *early->answer) / sizeof *words == VP_EARLY_WORDS, "words");
    *early = (vp_early_bounds){.job = job, .radius = vp_collide_radius(job->shape), .marks = marks};
    if (job->shape->kind != VP_COLLIDE_BOX)
        return;
    uint64_t *const slot = (uint64_t *)(void *)words;
    uint32_t *const pair = words + (size_t)2 * SLOTS * job->count;
    vp_vec3 *const normal = (vp_vec3 *)(void *)(pair + (size_t)3 * job->count);
    pair_sides(job->triangle, job->count, slot, pair);
    for (uint32_t i = 0; i < job->count; i++) {
        normal[i] = vp_to_shape(&job->frame, job->triangle[i].normal);
        for (uint32_t side = 3 * i; side < 3 * i + 3 && vp_is_none(normal[i]); side++)
            drop_pair(pair, side);
    }
    early->pair = pair;
    early->normal = normal;
    early->answer = (vp_early_answer *)(void *)(normal + job->count);
    memset(early->answer, 0, job->count * sizeof *early->answer);
}

/* The largest components of a triangle's normal and of those across its sides. */
typedef struct normals {
    vp_vec3 forth, back; /* along the axes, and against them, not negative */
    float cosine;        /* the smallest between the triangle's and another */
} normals;

/* @return false if one is missing. Triangles without one have no pairs */
static bool find_normals(const vp_early_bounds *early, uint32_t number, normals *out)
{
    const vp_vec3 own = early->normal[number];
    vp_vec3 min = own, max = own;
    out->cosine = 1.0f;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t other = early->pair[3 * number + k];
        if (other >= CROWDED)
            return false;
        const vp_vec3 n = early->normal[other / 3];
        min = vp_vec3_min(min, n);
        max = vp_vec3_max(max, n);
        out->cosine = vp_min(vp_vec3_dot(n, own), out->cosine);
    }
    const vp_vec3 zero = {0.0f, 0.0f, 0.0f};
    out->forth = vp_vec3_max(max, zero);
    out->back = vp_vec3_max(vp_vec3_scale(min, -1.0f), zero);
    return out->cosine > MIN_COSINE;
}

static vp_vec3 invert(vp_vec3 a)
{
    return (vp_vec3){1.0f / vp_max(a.x, 0x1p-60f), 1.0f / vp_max(a.y, 0x1p-60f), 1.0f / vp_max(a.z, 0x1p-60f)};
}

/* Smallest of the products of the components. */
static float find_least_product(vp_vec3 a, vp_vec3 b)
{
    return vp_min(vp_min(a.x * b.x, a.y * b.y), a.z * b.z);
}

/* The corner of a triangle that is farthest along u. */
static uint32_t find_farthest_corner(const vp_vec3 corner[3], vp_vec3 u)
{
    const float one = vp_vec3_dot(u, vp_vec3_sub(corner[1], corner[0])), two = vp_vec3_dot(u, vp_vec3_sub(corner[2], corner[0]));
    return one > 0.0f && one >= two ? 1 : two > 0.0f ? 2 : 0;
}

/* Whether one of the triangles around a corner, from side to side, extends in front of it. Then the answer does not keep its normal u. The
 * farther corner of each is tested, because the other one is the last one's. */
static bool is_behind(const vp_early_bounds *early, uint32_t number, uint32_t corner, vp_vec3 u)
{
    const vp_collide_triangle *triangle = early->job->triangle;
    const vp_vec3 p = triangle[number].corner[corner];
    uint32_t other = early->pair[3 * number + corner];
    for (int step = 0; step < MOST_AROUND && other < CROWDED && other / 3 != number; step++) {
        const uint32_t k = (other % 3 + 1) % 3, first = other - other % 3;
        const vp_vec3 way = vp_vec3_sub(triangle[first / 3].corner[(k + 1) % 3], p);
        const float along = vp_vec3_dot(u, way);
        if (along > 0.0f && along * along > MIN_SQUARE * vp_vec3_dot(way, way))
            return true;
        other = early->pair[first + k];
    }
    return false;
}

/* The reaches of a box along its sides, 2 * axis + (against the axis). */
static void list_sides(vp_vec3 forth, vp_vec3 back, float side[6])
{
    const float all[6] = {forth.x, back.x, forth.y, back.y, forth.z, back.z};
    memcpy(side, all, sizeof all);
}

bool vp_find_early(const vp_early_bounds *early, uint32_t number)
{
    normals n;
    if (!find_normals(early, number, &n))
        return false;
    const vp_collide_frame *frame = &early->job->frame;
    const vp_collide_triangle *t = &early->job->triangle[number];
    const vp_collide_result *answer = &early->job->result[number];
    const vp_vec3 half = early->job->shape->half, forth = invert(n.forth), back = invert(n.back);
    const float inside = early->radius * INSIDE;
    uint32_t count = 0;
    float size = early->radius, max = 0.0f;
    vp_vec3 highest = {0.0f, 0.0f, 0.0f}, lowest = highest;
    for (int k = 0; k < 3; k++) {
        const vp_vec3 from = vp_vec3_sub(t->corner[k], frame->position), p = vp_to_shape(frame, from), high = vp_vec3_add(half, p),
                      low = vp_vec3_sub(half, p);
        highest = k == 0 ? high : vp_vec3_max(highest, high);
        lowest = k == 0 ? low : vp_vec3_max(lowest, low);
        size = vp_max(size, vp_greatest_coordinate(from));
        if (vp_min(vp_min(vp_min(high.x, high.y), high.z), vp_min(vp_min(low.x, low.y), low.z)) > inside) {
            max = vp_max(max, vp_min(find_least_product(high, forth), find_least_product(low, back)));
            count++;
        }
    }
    if (count < 2)
        return false;
    early->marks[number] |= VP_MANIFOLD_PAIRED;
    const float least = 8.0f * (float)VP_TOUCHING * size;
    const float bound = max * (ALL_BUT * sqrtf(0.5f + 0.5f * n.cosine)) - least;
    if (!(answer->distance < -least) || !(bound > -answer->distance) ||
        !is_behind(early, number, find_farthest_corner(t->corner, answer->normal), answer->normal))
        return false;
    vp_early_answer *out = &early->answer[number];
    out->depth = -answer->distance;
    out->bound = bound;
    list_sides(highest, lowest, out->reach);
    return true;
}

vp_early_clearing vp_begin_clearing(const vp_early_bounds *early, uint32_t number)
{
    vp_early_clearing c = {.number = number, .depth = -early->job->result[number].distance};
    if (!(c.depth < MAX_DEPTH * early->radius))
        return c;
    const vp_vec3 w = vp_to_shape(&early->job->frame, early->job->result[number].normal);
    float along[6];
    list_sides(w, vp_vec3_scale(w, -1.0f), along);
    for (uint32_t side = 1; side < 6; side++)
        c.side = along[side] > along[c.side] ? side : c.side;
    c.way = c.depth * along[c.side];
    return c;
}
