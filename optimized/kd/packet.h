/* SPDX-License-Identifier: MIT */
/* Packets of VP_PACKET rays against one tree, in registers of VP_UNIT. Included once for each, after packet_<isa>.h.
 * This file tests triangles, and does the work before and after a tree's nodes. Nodes are in
 * optimized/kd/packet_wide.h and optimized/kd/packet_nodes.h.
 *
 * Idea. Similar rays meet the same nodes and the same triangles. Each is fetched once, broadcast, and tested by all
 * rays at once, a ray a lane. That needs no gather and no transposition.
 *
 * Triangles are tested twice, as in optimized/kd/wide.h: in floats, whose signs are right or zero, and exactly in
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
#include "optimized/kd/exact.h"
#include "optimized/kd/packet_common.h"

#include "optimized/kd/packet_names.h"

typedef struct packet {
    LANES origin[3][UNITS];
    LANES slope[2][UNITS]; /* shears of vp_ray_frame, direction[x]/direction[z] and direction[y]/direction[z] */
    LANES along[UNITS];    /* direction[z], scaled */
    LANES limit[UNITS];    /* depth up to which a ray looks */
    LANES s_max[UNITS], t_max[UNITS], unscale[UNITS];
    LANES s[UNITS], t[UNITS], u[UNITS], v[UNITS]; /* of the nearest hit */
    LANES triangle[UNITS];                        /* its number, an integer, or NO_TRIANGLE */
    beam_ends ends;
    float most;    /* maximum of all limits */
    uint32_t sure; /* rays that certainly have a hit */
    uint32_t count;
    uint32_t leaves; /* leaves tested, in the forms whose nodes have eight boxes */
    listed list[MAX_LISTED];
} packet;

/* ---- before the first node ---- */

/* @param low, high minima and maxima of origins (0 to 2), directions (4 to 6), and t_max (7) */
static inline void find_ends(const vp_kd_view *tree, const float low[8], const float high[8], uint32_t z, packet *p)
{
    beam_ends *e = &p->ends;
    const float *box_low = &tree->box.min.x, *box_high = &tree->box.max.x;
    float most = 0x1p-80f;
    for (int k = 0; k < 3; k++) {
        most = later(later(fabsf(low[k]), fabsf(high[k])), most);
        most = later(later(fabsf(box_low[k]), fabsf(box_high[k])), most);
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
    p->most = high[7] * later(fabsf(low[4 + z]), fabsf(high[4 + z])) * (1.0f + 0x1p-20f);
    e->slope_low[z] = e->slope_high[z] = e->backwards ? -1.0f : 1.0f;
    for (int k = 0; k < 2; k++) {
        LANES least = p->slope[k][0], greatest = p->slope[k][0];
        for (int h = 1; h < UNITS; h++) {
            least = F(earlier)(p->slope[k][h], least);
            greatest = F(later)(p->slope[k][h], greatest);
        }
        const float from = F(least)(least), to = F(most)(greatest);
        const uint32_t axis = k == 0 ? e->x : e->y;
        e->slope_low[axis] = e->backwards ? -to : from;
        e->slope_high[axis] = e->backwards ? -from : to;
    }
}

static inline void find_kinds(const uint32_t along[3], uint32_t fine, LANES direction[3][UNITS], kinds_of_rays *out)
{
    for (int k = 0; k < 3; k++) {
        uint32_t down = 0;
        for (int h = 0; h < UNITS; h++)
            down |= M(bits)(M(lt)(EVERY, direction[k][h], F(set)(0.0f))) << (h * VP_UNIT);
        out->of[2 * k] = fine & along[k] & ~down;
        out->of[2 * k + 1] = fine & along[k] & down;
    }
}

/* The steps of vp_ray_frame_of for all rays. @param kinds  set if the rays are UNLIKE */
static inline outcome prepare(const vp_kd_view *tree, const vp_ray *ray, packet *p, kinds_of_rays *kinds)
{
    float low[8], high[8];
    LANES direction[3][UNITS];
    uint32_t fine = 0, along_x = 0, along_y = 0;
    for (int h = 0; h < UNITS; h++) {
        LANES c[7], length[3];
        float unit_low[8], unit_high[8];
        F(rays)(ray + h * VP_UNIT, c, unit_low, unit_high);
        for (int k = 0; k < 8; k++) {
            low[k] = h == 0 ? unit_low[k] : earlier(unit_low[k], low[k]);
            high[k] = h == 0 ? unit_high[k] : later(unit_high[k], high[k]);
        }
        MASK good = M(le)(EVERY, F(set)(0.0f), c[6]);
        for (int k = 0; k < 3; k++) {
            p->origin[k][h] = c[k];
            length[k] = F(abs)(c[3 + k]);
            good = M(le)(good, F(abs)(c[k]), F(set)(VP_KD_MAX));
            good = M(le)(good, length[k], F(set)(0x1p60f));
        }
        const LANES longest = F(later)(F(later)(length[0], length[1]), length[2]);
        good = M(le)(good, F(set)(0x1p-60f), longest);
        fine |= M(bits)(good) << (h * VP_UNIT);
        along_x |= M(bits)(M(eq)(EVERY, length[0], longest)) << (h * VP_UNIT);
        along_y |= M(bits)(M(eq)(EVERY, length[1], longest)) << (h * VP_UNIT);
        const LANES power = F(power)(longest);
        p->unscale[h] = F(div)(F(set)(1.0f), power);
        p->t[h] = p->t_max[h] = c[6];
        p->s[h] = p->s_max[h] = F(mul)(c[6], power);
        for (int k = 0; k < 3; k++)
            direction[k][h] = F(mul)(c[3 + k], p->unscale[h]);
    }
    const uint32_t along[3] = {along_x, along_y & ~along_x, ALL & ~(along_x | along_y)};
    const uint32_t z = along[0] == ALL ? 0 : along[1] == ALL ? 1 : 2;
    if ((fine & along[z]) != ALL || (low[4 + z] < 0.0f) != (high[4 + z] < 0.0f)) {
        find_kinds(along, fine, direction, kinds);
        return UNLIKE;
    }
    for (int h = 0; h < UNITS; h++) {
        p->along[h] = direction[z][h];
        p->slope[0][h] = F(div)(direction[z == 2 ? 0 : z + 1][h], direction[z][h]);
        p->slope[1][h] = F(div)(direction[z == 0 ? 2 : z - 1][h], direction[z][h]);
        p->limit[h] = F(mul)(p->s_max[h], F(abs)(direction[z][h]));
        p->u[h] = p->v[h] = F(set)(0.0f);
        p->triangle[h] = F(of_bits)(NO_TRIANGLE);
    }
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
    LANES origin_x[UNITS], origin_y[UNITS], origin_z[UNITS], slope_x[UNITS], slope_y[UNITS];
    const float *x, *y, *z; /* of vertex 0, or of the first decoded corner, along the packet's axes */
    uint32_t second;        /* ALL, or 0 where there are no quads */
} tester;

VP_INLINE tester tester_of(layout l, const vp_kd_view *tree, const packet *p, decoded *place)
{
    const beam_ends *e = &p->ends;
    const float *vertex = l == WIDE ? (const float *)(const void *)tree->triangles.vertex : place->corner[0];
    tester t;
    t.x = as_it_is(vertex + e->x);
    t.y = as_it_is(vertex + e->y);
    t.z = as_it_is(vertex + e->z);
    t.second = tree->triangles.quads ? ALL : 0;
    for (int h = 0; h < UNITS; h++) {
        t.origin_x[h] = p->origin[e->x][h];
        t.origin_y[h] = p->origin[e->y][h];
        t.origin_z[h] = p->origin[e->z][h];
        t.slope_x[h] = p->slope[0][h];
        t.slope_y[h] = p->slope[1][h];
    }
    return t;
}

/* Tests a quad of four corners, or a triangle whose third is given twice, for the rays `here`. @param at see corners_of
   @param sure adds the rays that meet it for certain, anywhere along them @param list always written, but counts only
   if any ray may meet the item @return 1 if any may, otherwise 0 */
VP_INLINE uint32_t test_item(const tester *t, const size_t at[4], uint32_t item, const MASK here[UNITS], MASK sure[UNITS], listed *list)
{
    const LANES zero = F(set)(0.0f);
    uint32_t first = 0, second = 0;
    for (int h = 0; h < UNITS; h++) {
        /* opposite to vp_ray_meets, which flips the signs of x and y and of no product */
        LANES x[4], y[4];
        for (int j = 0; j < 4; j++) {
            const LANES z = F(sub)(t->origin_z[h], F(set)(t->z[at[j]]));
            x[j] = F(sub)(F(sub)(t->origin_x[h], F(set)(t->x[at[j]])), F(mul)(t->slope_x[h], z));
            y[j] = F(sub)(F(sub)(t->origin_y[h], F(set)(t->y[at[j]])), F(mul)(t->slope_y[h], z));
        }
#define EDGE(i, j) F(sub)(F(mul)(x[i], y[j]), F(mul)(y[i], x[j]))
        const LANES ab = EDGE(0, 1), bc = EDGE(1, 2), ca = EDGE(2, 0), cd = EDGE(2, 3), da = EDGE(3, 0);
        const LANES ac = F(sub)(zero, ca);
#undef EDGE
        /* minimum * maximum: below 0 if signs are mixed, above if they are equal and none is 0 */
        const LANES abc = F(mul)(F(earlier)(F(earlier)(ab, bc), ca), F(later)(F(later)(ab, bc), ca));
        const LANES acd = F(mul)(F(earlier)(F(earlier)(cd, da), ac), F(later)(F(later)(cd, da), ac));
        first |= M(bits)(M(le)(here[h], zero, abc)) << (h * VP_UNIT);
        second |= M(bits)(M(le)(here[h], zero, acd)) << (h * VP_UNIT);
        sure[h] = M(or)(sure[h], M(lt)(here[h], zero, F(later)(abc, acd)));
    }
    second &= t->second;
    *list = (listed){item, first, second};
    return (first | second) != 0;
}

/* Limits rays that certainly meet something to this depth. */
static inline void shorten(const MASK sure[UNITS], float depth, packet *p)
{
    for (int h = 0; h < UNITS; h++) {
        p->limit[h] = F(pick)(sure[h], F(earlier)(F(set)(depth), p->limit[h]), p->limit[h]);
        p->sure |= M(bits)(sure[h]) << (h * VP_UNIT);
    }
}

static inline void find_most(packet *p)
{
    LANES most = p->limit[0];
    for (int h = 1; h < UNITS; h++)
        most = F(later)(p->limit[h], most);
    p->most = F(most)(most);
}

/* ---- triangles exactly ---- */

/* A triangle a ray. */
typedef struct trial {
    LANES corner[3][3][UNITS]; /* of three corners x, y, z */
    LANES triangle[UNITS];
    uint32_t rays; /* rays that have a triangle */
} trial;

static inline void try_all(const trial *all, packet *p)
{
    const beam_ends *e = &p->ends;
    for (int h = 0; h < UNITS; h++) {
        LANES x[3], y[3], z[3];
        for (int j = 0; j < 3; j++) {
            z[j] = F(sub)(all->corner[j][2][h], p->origin[e->z][h]);
            x[j] = F(sub)(F(sub)(all->corner[j][0][h], p->origin[e->x][h]), F(mul)(p->slope[0][h], z[j]));
            y[j] = F(sub)(F(sub)(all->corner[j][1][h], p->origin[e->y][h]), F(mul)(p->slope[1][h], z[j]));
        }
#if VP_UNIT == 16
        crossing_8 half[2];
        for (int i = 0; i < 2; i++) {
            const f8 half_x[3] = {f16_half(x[0], i), f16_half(x[1], i), f16_half(x[2], i)};
            const f8 half_y[3] = {f16_half(y[0], i), f16_half(y[1], i), f16_half(y[2], i)};
            const f8 half_z[3] = {f16_half(z[0], i), f16_half(z[1], i), f16_half(z[2], i)};
            half[i] = crossing_of_8(half_x, half_y, half_z, f16_half(p->along[h], i));
        }
        const LANES s = f16_join(half[0].s, half[1].s);
        const LANES u = f16_join(half[0].u, half[1].u), v = f16_join(half[0].v, half[1].v);
        const MASK crossed = m16_join(half[0].met, half[1].met);
#else
        const crossing_8 c = crossing_of_8(x, y, z, p->along[h]);
        const LANES s = c.s, u = c.u, v = c.v;
        const MASK crossed = c.met;
#endif
        const LANES t = F(mul)(s, p->unscale[h]);
        MASK met = M(le)(M(and)(crossed, M(of)(all->rays >> (h * VP_UNIT))), F(set)(0.0f), s);
        met = M(le)(M(le)(M(le)(met, s, p->s_max[h]), t, p->t_max[h]), t, F(set)(FLT_MAX));
        const MASK tied = M(before)(M(eq)(met, s, p->s[h]), all->triangle[h], p->triangle[h]);
        const MASK nearer = M(or)(M(lt)(met, s, p->s[h]), tied);
        p->s[h] = F(pick)(nearer, s, p->s[h]);
        p->t[h] = F(pick)(nearer, t, p->t[h]);
        p->u[h] = F(pick)(nearer, u, p->u[h]);
        p->v[h] = F(pick)(nearer, v, p->v[h]);
        p->triangle[h] = F(pick)(nearer, all->triangle[h], p->triangle[h]);
    }
}

/* Assigns rays a triangle to test. */
static inline void give(const tester *t, uint32_t rays, size_t a, size_t b, size_t c, uint32_t triangle, trial *to)
{
    const size_t at[3] = {a, b, c};
    for (int h = 0; h < UNITS; h++) {
        const MASK where = M(of)(rays >> (h * VP_UNIT));
        for (int j = 0; j < 3; j++) {
            to->corner[j][0][h] = F(pick)(where, F(set)(t->x[at[j]]), to->corner[j][0][h]);
            to->corner[j][1][h] = F(pick)(where, F(set)(t->y[at[j]]), to->corner[j][1][h]);
            to->corner[j][2][h] = F(pick)(where, F(set)(t->z[at[j]]), to->corner[j][2][h]);
        }
        to->triangle[h] = F(pick)(where, F(of_bits)(triangle), to->triangle[h]);
    }
    to->rays |= rays;
}

/* Tests all candidates. Rays test a triangle each, together, until one of them has another. */
VP_INLINE void settle_all(layout l, const vp_kd_view *tree, packet *p)
{
    decoded place;
    const tester t = tester_of(l, tree, p, &place);
    const bool quads = tree->triangles.quads;
    trial all;
    all.rays = 0;
    for (int h = 0; h < UNITS; h++) {
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                all.corner[j][k][h] = F(set)(0.0f);
        all.triangle[h] = F(set)(0.0f);
    }
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

static __attribute__((noinline)) void settle(const vp_kd_view *tree, packet *p)
{
    if (tree->form == VP_KD_PACKED)
        settle_all(PACKED, tree, p);
    else if (tree->form == VP_KD_IMPLIED)
        settle_all(IMPLIED, tree, p);
    else
        settle_all(WIDE, tree, p);
}

static inline void write_hits(const packet *p, vp_hit *hit)
{
    for (int h = 0; h < UNITS; h++) {
        const MASK found = M(before)(EVERY, p->triangle[h], F(of_bits)(NO_TRIANGLE));
        const LANES triangle = F(pick)(found, p->triangle[h], F(of_bits)((uint32_t)VP_NO_HIT));
        F(hits)(p->t[h], triangle, p->u[h], p->v[h], hit + h * VP_UNIT);
    }
}

#include "optimized/kd/packet_wide.h"

#include "optimized/kd/packet_nodes.h"

#include "optimized/kd/packet_sort.h"

#ifdef VP_PACKET_MORE
#include VP_PACKET_MORE
#endif

#include "optimized/kd/packet_names.h"
