/* SPDX-License-Identifier: MIT */
/* The vocabulary of the ray kernels on WebAssembly's 128 bits. Eight floats are two v128. i32x4.bitmask turns a
 * comparison's lanes into bits. It reads only the sign, so integers need no comparison. The minimum is
 * f32x4.pmin, b < a ? b : a, which is x86's minimum with its operands swapped. f32x4.min differs, because it
 * returns NaN and orders zeros. */
#ifndef VP_OPTIMIZED_KD_LANES_SIMD128_H
#define VP_OPTIMIZED_KD_LANES_SIMD128_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/kd.h>

#include "src/kd/ray_triangle.h"
#include "optimized/simd/simd128.h"

typedef f32x8 f8; /* lanes 0 to 3, 4 to 7 */

static inline f8 f8_load(const float *p)
{
    return (f8){wasm_v128_load(p), wasm_v128_load(p + 4)};
}

static inline void f8_store(float *p, f8 a)
{
    wasm_v128_store(p, a.low);
    wasm_v128_store(p + 4, a.high);
}

static inline f8 f8_set(float a)
{
    return (f8){wasm_f32x4_splat(a), wasm_f32x4_splat(a)};
}

static inline f8 f8_sub(f8 a, f8 b)
{
    return (f8){wasm_f32x4_sub(a.low, b.low), wasm_f32x4_sub(a.high, b.high)};
}

static inline f8 f8_mul(f8 a, f8 b)
{
    return (f8){wasm_f32x4_mul(a.low, b.low), wasm_f32x4_mul(a.high, b.high)};
}

/* Minimum (maximum) of two. Returns `of` if they are equal or one is NaN. */
static inline f8 f8_earlier(f8 candidate, f8 of)
{
    return (f8){wasm_f32x4_pmin(of.low, candidate.low), wasm_f32x4_pmin(of.high, candidate.high)};
}

static inline f8 f8_later(f8 candidate, f8 of)
{
    return (f8){wasm_f32x4_pmax(of.low, candidate.low), wasm_f32x4_pmax(of.high, candidate.high)};
}

/* Bit i is the top bit of lane i. */
static inline uint32_t lanes_bits(v128_t low, v128_t high)
{
    return (uint32_t)wasm_i32x4_bitmask(low) | (uint32_t)wasm_i32x4_bitmask(high) << 4;
}

/* Bit i is set if a[i] <= b[i]. */
static inline uint32_t f8_le(f8 a, f8 b)
{
    return lanes_bits(wasm_f32x4_le(a.low, b.low), wasm_f32x4_le(a.high, b.high));
}

static inline v128_t lanes_mixed(v128_t a, v128_t b, v128_t c)
{
    const v128_t zero = wasm_f32x4_splat(0.0f);
    const v128_t below = wasm_v128_or(wasm_v128_or(wasm_f32x4_lt(a, zero), wasm_f32x4_lt(b, zero)), wasm_f32x4_lt(c, zero));
    const v128_t above = wasm_v128_or(wasm_v128_or(wasm_f32x4_gt(a, zero), wasm_f32x4_gt(b, zero)), wasm_f32x4_gt(c, zero));
    return wasm_v128_and(below, above);
}

/* Bit i is set if one of a[i], b[i] and c[i] is below zero and one above. */
static inline uint32_t f8_mixed(f8 a, f8 b, f8 c)
{
    return lanes_bits(lanes_mixed(a.low, b.low, c.low), lanes_mixed(a.high, b.high, c.high));
}

/* The halves of eight, swapped. */
static inline f8 f8_swap(f8 a)
{
    return (f8){a.high, a.low};
}

/* Numbers of 16 bits as floats, lanes 0 to 3 and 4 to 7. Extended to 32 bits they are never negative, so a
 * signed conversion works. */
static inline v128_t floats_of_low(v128_t n16)
{
    return wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(n16));
}

static inline v128_t floats_of_high(v128_t n16)
{
    return wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(n16));
}

/* Eight bytes as floats. */
static inline f8 f8_from_bytes(const uint8_t *p)
{
    const v128_t n = wasm_u16x8_load8x8(p);
    return (f8){floats_of_low(n), floats_of_high(n)};
}

/* ---- eight integers ---- */

typedef struct n8 {
    uint32_t lane[8];
} n8;

static inline n8 n8_load(const uint32_t *p)
{
    n8 n;
    memcpy(n.lane, p, sizeof n.lane);
    return n;
}

/* Bit i is the top bit of lane i. */
static inline uint32_t n8_top_bits(n8 a)
{
    return lanes_bits(wasm_v128_load(a.lane), wasm_v128_load(a.lane + 4));
}

/* Numbers of the first (lanes 0 to 3) and second triangles of four items. */
static inline n8 n8_triangles(const uint32_t *id, bool quads)
{
    n8 n;
    for (int i = 0; i < 4; i++) {
        n.lane[i] = quads ? 2 * id[i] : id[i];
        n.lane[i + 4] = quads ? 2 * id[i] + 1 : id[i];
    }
    return n;
}

static inline n8 n8_from_16(const uint16_t *p)
{
    n8 n;
    wasm_v128_store(n.lane, wasm_u32x4_load16x4(p));
    wasm_v128_store(n.lane + 4, wasm_u32x4_load16x4(p + 4));
    return n;
}

/* Bit i is the top bit of number i. */
static inline uint32_t n8_top_bits_16(const uint16_t *p)
{
    return (uint32_t)wasm_i16x8_bitmask(wasm_v128_load(p));
}

/* n8_triangles for ids of 16 bits, and for the ids of edges, which are quads. */
static inline n8 n8_triangles_16(const uint16_t *id, bool quads)
{
    const uint32_t wide[4] = {id[0], id[1], id[2], id[3]};
    return n8_triangles(wide, quads);
}

static inline n8 n8_triangles_of_edges(const vp_kd_implied_item *edge)
{
    const uint32_t wide[4] = {edge[0].id, edge[1].id, edge[2].id, edge[3].id};
    return n8_triangles(wide, true);
}

/* ---- boxes in bytes ---- */

/* A byte an axis, in every lane. */
typedef struct b24 {
    v128_t axis[3];
} b24;

static inline b24 b24_of(const uint32_t byte[3])
{
    return (b24){{wasm_i8x16_splat((int8_t)byte[0]), wasm_i8x16_splat((int8_t)byte[1]), wasm_i8x16_splat((int8_t)byte[2])}};
}

/* Bit i is set if child i of a node overlaps on all axes. */
static inline uint32_t b24_overlap(const vp_kd_packed_node *node, b24 low, b24 high)
{
    v128_t in = wasm_i8x16_splat(-1);
    for (int k = 0; k < 3; k++) {
        const v128_t begins = wasm_u8x16_le(wasm_v128_load64_zero(node->low[k]), high.axis[k]);
        in = wasm_v128_and(in, wasm_v128_and(begins, wasm_u8x16_ge(wasm_v128_load64_zero(node->high[k]), low.axis[k])));
    }
    return (uint32_t)wasm_i8x16_bitmask(in) & 0xff;
}

/* Stores the lanes whose bits are set, moved together. Writes up to eight. No branch: each lane is stored, and the
   place moves on if it was wanted. */
static inline void n8_compress(uint32_t *to, n8 lanes, uint32_t bits)
{
    for (uint32_t i = 0, n = 0; i < 8; i++) {
        to[n] = lanes.lane[i];
        n += bits >> i & 1u;
    }
}

/* Numbers that compare like eight floats and all differ. No float may be negative. The last three bits are
   the lane's number. */
static inline n8 n8_numbered(f8 a)
{
    const v128_t kept = wasm_i32x4_splat(~7);
    n8 n;
    wasm_v128_store(n.lane, wasm_v128_or(wasm_v128_and(a.low, kept), wasm_i32x4_make(0, 1, 2, 3)));
    wasm_v128_store(n.lane + 4, wasm_v128_or(wasm_v128_and(a.high, kept), wasm_i32x4_make(4, 5, 6, 7)));
    return n;
}

/* Bit i is set if numbered[i] is more than the number of `a` in lane `lane`. */
static inline uint32_t n8_more(n8 numbered, float a, uint32_t lane)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    const v128_t than = wasm_i32x4_splat((int32_t)((bits & ~7u) | lane)); /* none of these floats is negative */
    return lanes_bits(wasm_i32x4_gt(wasm_v128_load(numbered.lane), than), wasm_i32x4_gt(wasm_v128_load(numbered.lane + 4), than));
}

/* ---- corners of triangles ---- */

/* Points of eight, by axis. */
typedef struct p8 {
    f8 axis[3];
} p8;

/* The same corner of four items, by axis. */
static inline void four_vertices(const vp_vec3 *v, const vp_kd_item *items, int corner, v128_t out[3])
{
    const vp_vec3 *a = v + items[0].vertex[corner], *b = v + items[1].vertex[corner];
    const vp_vec3 *c = v + items[2].vertex[corner], *d = v + items[3].vertex[corner];
    out[0] = wasm_f32x4_make(a->x, b->x, c->x, d->x);
    out[1] = wasm_f32x4_make(a->y, b->y, c->y, d->y);
    out[2] = wasm_f32x4_make(a->z, b->z, c->z, d->z);
}

/* Corners i and j of four items, as lanes 0 to 3 and 4 to 7. */
static inline p8 two_corners(const vp_vec3 *v, const vp_kd_item *items, int i, int j)
{
    v128_t low[3], high[3];
    four_vertices(v, items, i, low);
    four_vertices(v, items, j, high);
    p8 out;
    for (int k = 0; k < 3; k++)
        out.axis[k] = (f8){low[k], high[k]};
    return out;
}

/* A ray's origin and its axes in the order in which corners are wanted. */
typedef struct ray_eye {
    float origin[3];
    int axis[3];
} ray_eye;

static inline ray_eye ray_eye_of(const vp_ray_frame *f)
{
    return (ray_eye){{f->origin[f->x], f->origin[f->y], f->origin[f->z]}, {f->x, f->y, f->z}};
}

/* Points relative to a ray's origin. Axis 2 is its longest, 0 and 1 the next. */
static inline p8 p8_seen(p8 at, ray_eye eye)
{
    p8 out;
    for (int k = 0; k < 3; k++)
        out.axis[k] = f8_sub(at.axis[eye.axis[k]], f8_set(eye.origin[k]));
    return out;
}

/* Corners i and j of four items, as lanes 0..3 and 4..7, from a ray's origin. */
static inline p8 corners_seen(const vp_vec3 *v, const vp_kd_item *items, int i, int j, ray_eye eye)
{
    return p8_seen(two_corners(v, items, i, j), eye);
}

/* ---- corners on a lattice ---- */

/* Origin and step of integer corners. */
typedef struct grid {
    float origin[3], pitch;
} grid;

static inline grid grid_of(const vp_vec3 *origin, float pitch)
{
    return (grid){{origin->x, origin->y, origin->z}, pitch};
}

static inline v128_t f4_on_grid(v128_t n, float origin, float pitch)
{
    return wasm_f32x4_add(wasm_f32x4_mul(n, wasm_f32x4_splat(pitch)), wasm_f32x4_splat(origin));
}

/* Four points of three numbers of 16 bits each, by axis. */
static inline void four_on_grid(const uint64_t word[4], grid g, v128_t out[3])
{
    const v128_t a = wasm_v128_load(word), b = wasm_v128_load(word + 2);
    const v128_t xy = wasm_i16x8_shuffle(a, b, 0, 4, 8, 12, 1, 5, 9, 13), z = wasm_i16x8_shuffle(a, b, 2, 6, 10, 14, 2, 6, 10, 14);
    out[0] = f4_on_grid(floats_of_low(xy), g.origin[0], g.pitch);
    out[1] = f4_on_grid(floats_of_high(xy), g.origin[1], g.pitch);
    out[2] = f4_on_grid(floats_of_low(z), g.origin[2], g.pitch);
}

static inline p8 two_on_grid(const uint64_t low[4], const uint64_t high[4], grid g)
{
    v128_t l[3], h[3];
    four_on_grid(low, g, l);
    four_on_grid(high, g, h);
    p8 out;
    for (int k = 0; k < 3; k++)
        out.axis[k] = (f8){l[k], h[k]};
    return out;
}

static inline p8 two_seen_on_grid(const uint64_t low[4], const uint64_t high[4], grid g, ray_eye eye)
{
    return p8_seen(two_on_grid(low, high, g), eye);
}

/* Points as four floats each. */
static inline void store_on_grid(float to[4][4], const uint64_t word[4], grid g)
{
    const v128_t origin = wasm_f32x4_make(g.origin[0], g.origin[1], g.origin[2], 0.0f), pitch = wasm_f32x4_splat(g.pitch);
    for (int i = 0; i < 4; i++) {
        const v128_t n = wasm_f32x4_convert_i32x4(wasm_u32x4_load16x4(&word[i]));
        wasm_v128_store(to[i], wasm_f32x4_add(wasm_f32x4_mul(n, pitch), origin));
    }
}

#endif
