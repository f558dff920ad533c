/* SPDX-License-Identifier: MIT */
/* Packets of VP_PACKET rays against one tree, a ray a lane. Include after the header of an ISA, with VP_PACKET 8 or 16. This file tests
 * triangles, and does the work before and after a tree's nodes. Nodes are in optimized/kd/packet_wide.h and optimized/kd/packet_nodes.h.
 *
 * Idea. Similar rays meet the same nodes and the same triangles. Each is fetched once, broadcast, and tested by all
 * rays at once, a ray a lane. That needs no gather and no transposition.
 *
 * Triangles are tested twice, as in optimized/kd/leaf.h: in floats, whose signs are right or zero, and exactly in
 * doubles. But here the second test is deferred to the end. Candidates are listed. Where the floats are certain, the
 * ray's limit becomes the depth at which the leaf ends, so that the traversal can skip everything farther. At the end
 * each lane gets its candidate, by nine broadcasts under a mask, and all rays do their divisions together. That happens
 * mostly once a packet, where testing each triangle when it is met would take four times.
 *
 * The rays of a packet are longest along the same axis in the same direction, so corners are sheared alike, from the
 * same components. Other rays are first sorted into such packets (optimized/kd/packet_sort.h).
 *
 * Depth is the distance along that axis. A limit needs no division, because a hit lies no deeper than its triangle's
 * deepest corner. Roundings from there to the s that is compared are below 4 u of it (u = 2^-24), and a margin of 2^-20
 * of it covers them.
 *
 * Cost, in vector operations on a register of rays: a quad takes 12 differences from broadcasts and 16 more to shear
 * its corners, 15 for its edges and 15 for their signs. The exact test takes 40 for each eight doubles, 3 of them
 * divisions. On AVX-512 a packet of 16 has one register, its masks are free and broadcasts come with the loads. On AVX2
 * it has two registers, on NEON four, and masks are vectors. */
#ifndef VP_OPTIMIZED_KD_PACKET_H
#define VP_OPTIMIZED_KD_PACKET_H

#include <stddef.h>

#include "src/core/inline.h"
#include "optimized/kd/query.h"

#include "optimized/kd/beam.h"
#include "optimized/kd/packet_types.h"

#define EVERY_RAY ((1u << VP_PACKET) - 1u) /* as bits */

enum {
    MIN_RAYS = 4,           /* rays that are worth a packet */
    MAX_LISTED = 128,       /* candidates, until they are tested exactly */
    NO_TRIANGLE = INT32_MAX /* a number that every triangle's is below */
};

/* Limits beyond which a packet is split into single rays. Camera rays at terrain stay well below. A packet that is
   wider than its triangles and leaves passes these limits soon, after a fifth to a third of the cost of single rays. */
#define MAX_SPREAD 0.25f /* of slopes; rays beyond it do not start as a packet */
enum {
    MAX_STEPS = 48,   /* wide form, two nodes each */
    MAX_WAITING = 16, /* nodes */
    MAX_LEAVES = 64,
    MAX_SLAB_VISITS = 320, /* slab form, nodes */
    MAX_VISITS = 1600      /* published form */
};

/* Result of a packet. */
typedef enum outcome {
    DONE,
    UNLIKE, /* some rays are invalid, of unusual length, or not longest along the same axis and direction */
    APART   /* valid as a packet, but their slopes differ too much */
} outcome;

/* Rays by the axis along which they are longest, the first of equal ones, and by their direction there. Bits 2k are the
   rays that go up axis k, bits 2k + 1 those that go down. Invalid rays are excluded, and rays of a length beyond 2^60
   or below 2^-60, because the powers of two that are needed may not be floats. */
typedef struct kinds_of_rays {
    uint32_t of[6];
} kinds_of_rays;

/* A quad, or a triangle, and the rays that may meet it. */
typedef struct listed {
    uint32_t item;          /* see corners_of */
    uint32_t first, second; /* rays that may meet its first and its second triangle */
} listed;

/* The corners of items, one after the other, either in the caller's vertices or decoded to a separate place. The floats
   of corner j are at offset at[j] from the first vertex or the first corner. */
typedef struct decoded {
    float corner[4][4];
} decoded;

/* In the published and the slab form `item` is the number of the sorted item. In the others it is a place in the
   order of leaves. */
VP_INLINE void corners_of(layout l, const vp_kd_view *tree, uint32_t item, decoded *to, size_t at[4])
{
    if (l == WIDE) {
        const uint32_t *v =
            tree->form == VP_KD_WIDE ? tree->item[item].vertex : tree->triangles.index + (size_t)item * (tree->triangles.quads ? 4 : 3);
        const uint32_t last = tree->form == VP_KD_WIDE || tree->triangles.quads ? 3 : 2;
        for (uint32_t j = 0; j < 4; j++)
            at[j] = (size_t)v[j < 3 ? j : last] * 3;
        return;
    }
    uint64_t word[4];
    words_of(l, tree, item, &word[0], &word[1], &word[2], &word[3]);
    store_on_grid(to->corner, word, grid_of_tree(l, tree));
    for (size_t j = 0; j < 4; j++)
        at[j] = 4 * j;
}

/* The number of a candidate in the caller's mesh. */
VP_INLINE uint32_t listed_id(layout l, const vp_kd_view *tree, uint32_t item)
{
    return l == WIDE && tree->form != VP_KD_WIDE ? item : id_of(l, tree, item);
}

/* Hides a pointer's origin from the compiler, which would compute the sum again for every vertex. */
static inline const float *as_it_is(const float *p)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(p));
#endif
    return p;
}

typedef struct ray_packet {
    f32p origin[3];
    f32p slope[2]; /* shears of vp_ray_frame, direction[x]/direction[z] and direction[y]/direction[z] */
    f32p along;    /* direction[z], scaled */
    f32p limit;    /* depth up to which a ray looks */
    f32p s_max, t_max, unscale;
    f32p s, t, u, v; /* of the nearest hit */
    i32p triangle;   /* its number, or NO_TRIANGLE */
    beam_ends ends;
    float most;    /* maximum of all limits */
    uint32_t sure; /* rays that certainly have a hit */
    uint32_t count;
    uint32_t leaves; /* leaves tested, in the forms whose nodes have eight boxes */
    listed list[MAX_LISTED];
} ray_packet;

/* ---- before the first node ---- */

/* @param low, high minima and maxima of origins (0 to 2), directions (4 to 6), and t_max (7) */
static inline void find_ends(const vp_kd_view *tree, const float low[8], const float high[8], uint32_t z, ray_packet *p)
{
    beam_ends *e = &p->ends;
    const float *box_low = &tree->box.min.x, *box_high = &tree->box.max.x;
    float most = 0x1p-80f;
    for (int k = 0; k < 3; k++) {
        most = vp_max(vp_max(fabsf(low[k]), fabsf(high[k])), most);
        most = vp_max(vp_max(fabsf(box_low[k]), fabsf(box_high[k])), most);
    }
    e->z = z;
    e->x = z == 2 ? 0 : z + 1;
    e->y = z == 0 ? 2 : z - 1;
    e->backwards = high[4 + z] < 0.0f;
    e->pad = most * BEAM_PAD;
    for (int k = 0; k < 3; k++) {
        e->low[k] = low[k] - e->pad;
        e->high[k] = high[k] + e->pad;
    }
    p->most = high[7] * vp_max(fabsf(low[4 + z]), fabsf(high[4 + z])) * (1.0f + 0x1p-20f);
    e->slope_low[z] = e->slope_high[z] = e->backwards ? -1.0f : 1.0f;
    for (int k = 0; k < 2; k++) {
        const float from = f32p_reduce_min(p->slope[k]), to = f32p_reduce_max(p->slope[k]);
        const uint32_t axis = k == 0 ? e->x : e->y;
        e->slope_low[axis] = e->backwards ? -to : from;
        e->slope_high[axis] = e->backwards ? -from : to;
    }
}

static inline void find_kinds(const uint32_t along[3], uint32_t fine, const f32p direction[3], kinds_of_rays *out)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t down = m32p_movemask(f32p_cmp_lt(direction[k], f32p_set1(0.0f)));
        out->of[2 * k] = fine & along[k] & ~down;
        out->of[2 * k + 1] = fine & along[k] & down;
    }
}

_Static_assert(offsetof(vp_ray, direction) == 12 && sizeof(vp_ray) == 28, "vp_ray is seven floats");
_Static_assert(offsetof(vp_hit, v) == 12 && sizeof(vp_hit) == 16, "vp_hit is four words");

/* Lane i of out[k] is component k of ray i: origin, direction, t_max. A ray's first four floats and its last four are two rows, which share
   the x of the direction, so no byte past it is read. @param low, high minima and maxima of origins (0 to 2), directions (4 to 6) and
   t_max (7), if no ray contains NaN */
static inline void load_rays(const vp_ray *ray, f32p out[7], float low[8], float high[8])
{
    for (int half = 0; half < 2; half++) {
        const float *from = (const float *)(const void *)ray + 3 * half;
        f32p row[4];
        for (int i = 0; i < 4; i++)
            row[i] = f32p_load_rows(from + 7 * i, 28);
        const f32p least = f32p_min_fast(f32p_min_fast(row[0], row[1]), f32p_min_fast(row[2], row[3]));
        const f32p most = f32p_max_fast(f32p_max_fast(row[0], row[1]), f32p_max_fast(row[2], row[3]));
        f32x4_store(low + 4 * half, f32p_fold_min(least));
        f32x4_store(high + 4 * half, f32p_fold_max(most));
        f32p_transpose4(row, out + 3 * half);
    }
}

/* The steps of vp_ray_frame_of for all rays. @param kinds  set if the rays are UNLIKE */
static inline outcome prepare(const vp_kd_view *tree, const vp_ray *ray, ray_packet *p, kinds_of_rays *kinds)
{
    float low[8], high[8];
    f32p c[7], length[3], direction[3];
    load_rays(ray, c, low, high);
    m32p good = f32p_cmp_le(f32p_set1(0.0f), c[6]);
    for (int k = 0; k < 3; k++) {
        p->origin[k] = c[k];
        length[k] = f32p_abs(c[3 + k]);
        good = m32p_and(good, f32p_cmp_le(f32p_abs(c[k]), f32p_set1(VP_KD_MAX)));
        good = m32p_and(good, f32p_cmp_le(length[k], f32p_set1(0x1p60f)));
    }
    const f32p longest = f32p_max(f32p_max(length[0], length[1]), length[2]);
    const uint32_t fine = m32p_movemask(m32p_and(good, f32p_cmp_le(f32p_set1(0x1p-60f), longest)));
    const uint32_t along_x = m32p_movemask(f32p_cmp_eq(length[0], longest)), along_y = m32p_movemask(f32p_cmp_eq(length[1], longest));
    const f32p power = i32p_as_f32(i32p_and(f32p_as_i32(longest), i32p_set1(0x7f800000)));
    p->unscale = f32p_div(f32p_set1(1.0f), power);
    p->t = p->t_max = c[6];
    p->s = p->s_max = f32p_mul(c[6], power);
    for (int k = 0; k < 3; k++)
        direction[k] = f32p_mul(c[3 + k], p->unscale);
    const uint32_t along[3] = {along_x, along_y & ~along_x, EVERY_RAY & ~(along_x | along_y)};
    const uint32_t z = along[0] == EVERY_RAY ? 0 : along[1] == EVERY_RAY ? 1 : 2;
    if ((fine & along[z]) != EVERY_RAY || (low[4 + z] < 0.0f) != (high[4 + z] < 0.0f)) {
        find_kinds(along, fine, direction, kinds);
        return UNLIKE;
    }
    p->along = direction[z];
    p->slope[0] = f32p_div(direction[z == 2 ? 0 : z + 1], direction[z]);
    p->slope[1] = f32p_div(direction[z == 0 ? 2 : z - 1], direction[z]);
    p->limit = f32p_mul(p->s_max, f32p_abs(direction[z]));
    p->u = p->v = f32p_set1(0.0f);
    p->triangle = i32p_set1(NO_TRIANGLE);
    p->sure = p->count = p->leaves = 0;
    find_ends(tree, low, high, z, p);
    const beam_ends *e = &p->ends;
    const float spread_x = e->slope_high[e->x] - e->slope_low[e->x];
    const float spread_y = e->slope_high[e->y] - e->slope_low[e->y];
    return spread_x <= MAX_SPREAD && spread_y <= MAX_SPREAD ? DONE : APART;
}

/* ---- triangles in floats ---- */

/* Constants of a packet's tests, copied so that they stay in registers. */
typedef struct tester {
    f32p origin_x, origin_y, origin_z, slope_x, slope_y;
    const float *x, *y, *z; /* of vertex 0, or of the first decoded corner, along the packet's axes */
    uint32_t second;        /* EVERY_RAY, or 0 where there are no quads */
} tester;

VP_INLINE tester tester_of(layout l, const vp_kd_view *tree, const ray_packet *p, decoded *place)
{
    const beam_ends *e = &p->ends;
    const float *vertex = l == WIDE ? (const float *)(const void *)tree->triangles.vertex : place->corner[0];
    tester t;
    t.x = as_it_is(vertex + e->x);
    t.y = as_it_is(vertex + e->y);
    t.z = as_it_is(vertex + e->z);
    t.second = tree->triangles.quads ? EVERY_RAY : 0;
    t.origin_x = p->origin[e->x];
    t.origin_y = p->origin[e->y];
    t.origin_z = p->origin[e->z];
    t.slope_x = p->slope[0];
    t.slope_y = p->slope[1];
    return t;
}

/* A corner from the rays' origins. The opposite of vp_ray_meets, which flips the signs of x and y and of no product. */
VP_INLINE void shear_corner(const tester *t, size_t at, f32p *x, f32p *y)
{
    const f32p z = f32p_sub(t->origin_z, f32p_set1(t->z[at]));
    *x = f32p_sub(f32p_sub(t->origin_x, f32p_set1(t->x[at])), f32p_mul(t->slope_x, z));
    *y = f32p_sub(f32p_sub(t->origin_y, f32p_set1(t->y[at])), f32p_mul(t->slope_y, z));
}

/* Tests a quad of four corners, or a triangle whose third is given twice, for the rays whose bits are in `here`. @param at see corners_of
   @param sure adds the rays that meet it for certain, anywhere along them, also those that are not `here` @param list always written, but
   counts only if any ray may meet the item @return 1 if any may, otherwise 0 */
VP_INLINE uint32_t test_item(const tester *t, const size_t at[4], uint32_t item, uint32_t here, m32p *sure, listed *list)
{
    const f32p zero = f32p_set1(0.0f);
    f32p x[4], y[4];
    shear_corner(t, at[0], &x[0], &y[0]);
    shear_corner(t, at[1], &x[1], &y[1]);
    shear_corner(t, at[2], &x[2], &y[2]);
#define EDGE(i, j) f32p_sub(f32p_mul(x[i], y[j]), f32p_mul(y[i], x[j]))
    const f32p ab = EDGE(0, 1), bc = EDGE(1, 2), ca = EDGE(2, 0), ac = f32p_sub(zero, ca);
    shear_corner(t, at[3], &x[3], &y[3]);
    const f32p cd = EDGE(2, 3), da = EDGE(3, 0);
#undef EDGE
    /* minimum * maximum: below 0 if signs are mixed, above if they are equal and none is 0. The fast forms do, because an edge is at most
       2^85 and never NaN, and because both zeros compare alike. On NEON the others take two instructions. */
    const f32p abc = f32p_mul(f32p_min_fast(f32p_min_fast(ab, bc), ca), f32p_max_fast(f32p_max_fast(ab, bc), ca));
    const f32p acd = f32p_mul(f32p_min_fast(f32p_min_fast(cd, da), ac), f32p_max_fast(f32p_max_fast(cd, da), ac));
    const uint32_t first = m32p_movemask(f32p_cmp_le(zero, abc)) & here;
    const uint32_t second = m32p_movemask(f32p_cmp_le(zero, acd)) & here & t->second;
    *sure = m32p_or(*sure, f32p_cmp_lt(zero, f32p_max_fast(abc, acd)));
    *list = (listed){item, first, second};
    return (first | second) != 0;
}

/* Limits rays that certainly meet something to this depth. */
static inline void shorten(m32p sure, float depth, ray_packet *p)
{
    p->limit = f32p_select(sure, f32p_min(f32p_set1(depth), p->limit), p->limit);
    p->sure |= m32p_movemask(sure);
}

static inline void find_most(ray_packet *p)
{
    p->most = f32p_reduce_max(p->limit);
}

/* ---- triangles exactly ---- */

/* Where rays' lines cross triangles, and the weights of the second and third corner. */
typedef struct crossing8 {
    f32x8 s, u, v;
    m32x8 met;
} crossing8;

/* The exact test of src/kd/ray_triangle.h for eight rays at once, each with its own triangle. It does the same steps in doubles in the same
   order, so it has the same bits. @param x components of the three corners, from the origin and sheared; y and z likewise @param along the
   scaled direction's component along z */
static inline crossing8 cross_triangles8(const f32x8 x[3], const f32x8 y[3], const f32x8 z[3], f32x8 along)
{
    f64x8 dx[3], dy[3];
    for (int j = 0; j < 3; j++) {
        dx[j] = f32x8_to_f64(x[j]);
        dy[j] = f32x8_to_f64(y[j]);
    }
    const f64x8 from_a = f64x8_sub(f64x8_mul(dx[2], dy[1]), f64x8_mul(dy[2], dx[1]));
    const f64x8 from_b = f64x8_sub(f64x8_mul(dx[0], dy[2]), f64x8_mul(dy[0], dx[2]));
    const f64x8 from_c = f64x8_sub(f64x8_mul(dx[1], dy[0]), f64x8_mul(dy[1], dx[0]));
    const f64x8 area = f64x8_add(f64x8_add(from_a, from_b), from_c), zero = f64x8_set1(0.0);
    const f64x8 of_a = f64x8_mul(from_a, f32x8_to_f64(z[0])), of_b = f64x8_mul(from_b, f32x8_to_f64(z[1]));
    const f64x8 depth = f64x8_add(f64x8_add(of_a, of_b), f64x8_mul(from_c, f32x8_to_f64(z[2])));
    const f64x8 least = f64x8_min_fast(f64x8_min_fast(from_a, from_b), from_c);
    const f64x8 most = f64x8_max_fast(f64x8_max_fast(from_a, from_b), from_c);
    const m64x8 one_sign = m64x8_or(f64x8_cmp_ge(least, zero), f64x8_cmp_ge(zero, most));
    crossing8 c;
    c.s = f32x8_add(f64x8_to_f32(f64x8_div(depth, f64x8_mul(area, f32x8_to_f64(along)))), f32x8_set1(0.0f)); /* + 0 removes -0 */
    c.u = f64x8_to_f32(f64x8_div(from_b, area));
    c.v = f64x8_to_f32(f64x8_div(from_c, area));
    c.met = m64x8_to_m32(m64x8_andnot(one_sign, f64x8_cmp_eq(area, zero)));
    return c;
}

/* The same for a packet. */
typedef struct crossing {
    f32p s, u, v;
    m32p met;
} crossing;

static inline crossing cross_triangles(const f32p x[3], const f32p y[3], const f32p z[3], f32p along)
{
#if VP_PACKET == 16
    const f32x8 low_x[3] = {f32x16_low(x[0]), f32x16_low(x[1]), f32x16_low(x[2])};
    const f32x8 low_y[3] = {f32x16_low(y[0]), f32x16_low(y[1]), f32x16_low(y[2])};
    const f32x8 low_z[3] = {f32x16_low(z[0]), f32x16_low(z[1]), f32x16_low(z[2])};
    const f32x8 high_x[3] = {f32x16_high(x[0]), f32x16_high(x[1]), f32x16_high(x[2])};
    const f32x8 high_y[3] = {f32x16_high(y[0]), f32x16_high(y[1]), f32x16_high(y[2])};
    const f32x8 high_z[3] = {f32x16_high(z[0]), f32x16_high(z[1]), f32x16_high(z[2])};
    const crossing8 low = cross_triangles8(low_x, low_y, low_z, f32x16_low(along));
    const crossing8 high = cross_triangles8(high_x, high_y, high_z, f32x16_high(along));
    return (crossing){f32x16_of_halves(low.s, high.s), f32x16_of_halves(low.u, high.u), f32x16_of_halves(low.v, high.v),
                      m32x16_of_halves(low.met, high.met)};
#else
    const crossing8 c = cross_triangles8(x, y, z, along);
    return (crossing){c.s, c.u, c.v, c.met};
#endif
}

/* A triangle a ray. */
typedef struct trial {
    f32p corner[3][3]; /* of three corners x, y, z */
    i32p triangle;
    uint32_t rays; /* rays that have a triangle */
} trial;

VP_INLINE void try_all(const trial *all, ray_packet *p)
{
    const beam_ends *e = &p->ends;
    f32p x[3], y[3], z[3];
    for (int j = 0; j < 3; j++) {
        z[j] = f32p_sub(all->corner[j][2], p->origin[e->z]);
        x[j] = f32p_sub(f32p_sub(all->corner[j][0], p->origin[e->x]), f32p_mul(p->slope[0], z[j]));
        y[j] = f32p_sub(f32p_sub(all->corner[j][1], p->origin[e->y]), f32p_mul(p->slope[1], z[j]));
    }
    const crossing c = cross_triangles(x, y, z, p->along);
    const f32p t = f32p_mul(c.s, p->unscale);
    m32p met = m32p_and(m32p_and(c.met, m32p_of_bits(all->rays)), f32p_cmp_le(f32p_set1(0.0f), c.s));
    met = m32p_and(m32p_and(met, f32p_cmp_le(c.s, p->s_max)), f32p_cmp_le(t, p->t_max));
    met = m32p_and(met, f32p_cmp_le(t, f32p_set1(FLT_MAX)));
    const m32p tied = m32p_and(f32p_cmp_eq(c.s, p->s), i32p_cmp_lt(all->triangle, p->triangle));
    const m32p nearer = m32p_and(met, m32p_or(f32p_cmp_lt(c.s, p->s), tied));
    p->s = f32p_select(nearer, c.s, p->s);
    p->t = f32p_select(nearer, t, p->t);
    p->u = f32p_select(nearer, c.u, p->u);
    p->v = f32p_select(nearer, c.v, p->v);
    p->triangle = i32p_select(nearer, all->triangle, p->triangle);
}

/* Assigns rays a triangle to test. */
static inline void give(const tester *t, uint32_t rays, size_t a, size_t b, size_t c, uint32_t triangle, trial *to)
{
    const size_t at[3] = {a, b, c};
    const m32p where = m32p_of_bits(rays);
    for (int j = 0; j < 3; j++) {
        to->corner[j][0] = f32p_select(where, f32p_set1(t->x[at[j]]), to->corner[j][0]);
        to->corner[j][1] = f32p_select(where, f32p_set1(t->y[at[j]]), to->corner[j][1]);
        to->corner[j][2] = f32p_select(where, f32p_set1(t->z[at[j]]), to->corner[j][2]);
    }
    to->triangle = i32p_select(where, i32p_set1((int32_t)triangle), to->triangle);
    to->rays |= rays;
}

/* Tests all candidates. Rays test a triangle each, together, until one of them has another. */
VP_INLINE void settle_all(layout l, const vp_kd_view *tree, ray_packet *p)
{
    decoded place;
    const tester t = tester_of(l, tree, p, &place);
    const bool quads = tree->triangles.quads;
    trial all;
    all.rays = 0;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            all.corner[j][k] = f32p_set1(0.0f);
    all.triangle = i32p_set1(0);
    for (uint32_t i = 0; i < p->count; i++) {
        const listed *of = &p->list[i];
        const uint32_t id = listed_id(l, tree, of->item);
        size_t at[4];
        corners_of(l, tree, of->item, &place, at);
        if ((all.rays & (of->first | of->second)) != 0) {
            try_all(&all, p);
            all.rays = 0;
        }
        give(&t, of->first, at[0], at[1], at[2], quads ? 2 * id : id, &all);
        if (!quads)
            continue;
        if ((of->first & of->second) != 0) {
            try_all(&all, p);
            all.rays = 0;
        }
        give(&t, of->second, at[0], at[2], at[3], 2 * id + 1, &all);
    }
    try_all(&all, p);
    p->count = 0;
}

static __attribute__((noinline)) void settle(const vp_kd_view *tree, ray_packet *p)
{
    if (tree->form == VP_KD_PACKED)
        settle_all(PACKED, tree, p);
    else if (tree->form == VP_KD_IMPLIED)
        settle_all(IMPLIED, tree, p);
    else
        settle_all(WIDE, tree, p);
}

static inline void write_hits(const ray_packet *p, vp_hit *hit)
{
    const m32p found = i32p_cmp_lt(p->triangle, i32p_set1(NO_TRIANGLE));
    f32p_store4(hit, p->t, i32p_as_f32(i32p_select(found, p->triangle, i32p_set1(VP_NO_HIT))), p->u, p->v);
}

#endif
