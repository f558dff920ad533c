/* SPDX-License-Identifier: MIT */
/* The vocabulary of the ray kernels on NEON. Eight floats are two q registers. NEON has no movemask. The lanes of a
 * comparison are narrowed to bytes, one AND leaves each its own bit, and the bits are added across. */
#ifndef VP_OPTIMIZED_KD_LANES_NEON_H
#define VP_OPTIMIZED_KD_LANES_NEON_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/kd.h>

#include "src/kd/ray_triangle.h"
#include "optimized/simd/neon.h"

typedef f32x8 f8; /* lanes 0 to 3, 4 to 7 */

static inline f8 f8_load(const float *p)
{
    return (f8){vld1q_f32(p), vld1q_f32(p + 4)};
}

static inline void f8_store(float *p, f8 a)
{
    vst1q_f32(p, a.low);
    vst1q_f32(p + 4, a.high);
}

static inline f8 f8_set(float a)
{
    return (f8){vdupq_n_f32(a), vdupq_n_f32(a)};
}

static inline f8 f8_sub(f8 a, f8 b)
{
    return (f8){vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high)};
}

static inline f8 f8_mul(f8 a, f8 b)
{
    return (f8){vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)};
}

/* Minimum (maximum) of two. Returns `of` if they are equal or one is NaN, while NEON's own minimum returns NaN. */
static inline f8 f8_earlier(f8 candidate, f8 of)
{
    return (f8){vbslq_f32(vcltq_f32(candidate.low, of.low), candidate.low, of.low),
                vbslq_f32(vcltq_f32(candidate.high, of.high), candidate.high, of.high)};
}

static inline f8 f8_later(f8 candidate, f8 of)
{
    return (f8){vbslq_f32(vcgtq_f32(candidate.low, of.low), candidate.low, of.low),
                vbslq_f32(vcgtq_f32(candidate.high, of.high), candidate.high, of.high)};
}

/* Bit i is lane i of a comparison. */
static inline uint32_t lanes_bits(uint32x4_t low, uint32x4_t high)
{
    static const uint8_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint8x8_t bytes = vmovn_u16(vcombine_u16(vmovn_u32(low), vmovn_u32(high)));
    return vaddv_u8(vand_u8(bytes, vld1_u8(bit)));
}

/* Bit i is set if a[i] <= b[i]. */
static inline uint32_t f8_le(f8 a, f8 b)
{
    return lanes_bits(vcleq_f32(a.low, b.low), vcleq_f32(a.high, b.high));
}

static inline uint32x4_t lanes_mixed(float32x4_t a, float32x4_t b, float32x4_t c)
{
    uint32x4_t below = vorrq_u32(vorrq_u32(vcltzq_f32(a), vcltzq_f32(b)), vcltzq_f32(c));
    uint32x4_t above = vorrq_u32(vorrq_u32(vcgtzq_f32(a), vcgtzq_f32(b)), vcgtzq_f32(c));
    return vandq_u32(below, above);
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

/* Eight bytes as floats. */
static inline f8 f8_from_bytes(const uint8_t *p)
{
    const uint16x8_t n = vmovl_u8(vld1_u8(p));
    return (f8){vcvtq_f32_u32(vmovl_u16(vget_low_u16(n))), vcvtq_f32_u32(vmovl_u16(vget_high_u16(n)))};
}

/* ---- eight integers ---- */

typedef struct n8 {
    uint32_t lane[8];
} n8;

static inline n8 n8_load(const uint32_t *p)
{
    n8 n;
    for (int i = 0; i < 8; i++)
        n.lane[i] = p[i];
    return n;
}

/* Bit i is the top bit of lane i. */
static inline uint32_t n8_top_bits(n8 a)
{
    return lanes_bits(vcltzq_s32(vreinterpretq_s32_u32(vld1q_u32(a.lane))), vcltzq_s32(vreinterpretq_s32_u32(vld1q_u32(a.lane + 4))));
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
    for (int i = 0; i < 8; i++)
        n.lane[i] = p[i];
    return n;
}

/* Bit i is the top bit of number i. */
static inline uint32_t n8_top_bits_16(const uint16_t *p)
{
    static const uint8_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t below = vcltzq_s16(vreinterpretq_s16_u16(vld1q_u16(p)));
    return vaddv_u8(vand_u8(vmovn_u16(below), vld1_u8(bit)));
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

/* A byte an axis, repeated eight times. */
typedef struct b24 {
    uint8x8_t axis[3];
} b24;

static inline b24 b24_of(const uint32_t byte[3])
{
    return (b24){{vdup_n_u8((uint8_t)byte[0]), vdup_n_u8((uint8_t)byte[1]), vdup_n_u8((uint8_t)byte[2])}};
}

/* Bit i is set if child i of a node overlaps on all axes. */
static inline uint32_t b24_overlap(const vp_kd_packed_node *node, b24 low, b24 high)
{
    static const uint8_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint8x8_t in = vld1_u8(bit);
    for (int k = 0; k < 3; k++)
        in = vand_u8(in, vand_u8(vcle_u8(vld1_u8(node->low[k]), high.axis[k]), vcge_u8(vld1_u8(node->high[k]), low.axis[k])));
    return vaddv_u8(in);
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
    float of[8];
    n8 n;
    f8_store(of, a);
    memcpy(n.lane, of, sizeof n.lane);
    for (uint32_t i = 0; i < 8; i++)
        n.lane[i] = (n.lane[i] & ~7u) | i;
    return n;
}

/* Bit i is set if numbered[i] is more than the number of `a` in lane `lane`. */
static inline uint32_t n8_more(n8 numbered, float a, uint32_t lane)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    const uint32x4_t than = vdupq_n_u32((bits & ~7u) | lane);
    return lanes_bits(vcgtq_u32(vld1q_u32(numbered.lane), than), vcgtq_u32(vld1q_u32(numbered.lane + 4), than));
}

/* ---- corners of triangles ---- */

/* Points of eight, by axis. */
typedef struct p8 {
    f8 axis[3];
} p8;

/* The same corner of four items, by axis. */
static inline void four_vertices(const vp_vec3 *v, const vp_kd_item *items, int corner, float32x4_t out[3])
{
    float at[3][4];
    for (int i = 0; i < 4; i++) {
        const vp_vec3 *from = v + items[i].vertex[corner];
        at[0][i] = from->x;
        at[1][i] = from->y;
        at[2][i] = from->z;
    }
    for (int k = 0; k < 3; k++)
        out[k] = vld1q_f32(at[k]);
}

/* Corners i and j of four items, as lanes 0 to 3 and 4 to 7. */
static inline p8 two_corners(const vp_vec3 *v, const vp_kd_item *items, int i, int j)
{
    float32x4_t low[3], high[3];
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

/* Corners i and j of four items, as lanes 0..3 and 4..7, relative to a ray's origin. Axis 2 is its longest, 0 and
 * 1 the next. */
static inline p8 corners_seen(const vp_vec3 *v, const vp_kd_item *items, int i, int j, ray_eye eye)
{
    const p8 at = two_corners(v, items, i, j);
    p8 out;
    for (int k = 0; k < 3; k++)
        out.axis[k] = f8_sub(at.axis[eye.axis[k]], f8_set(eye.origin[k]));
    return out;
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

static inline float32x4_t f4_on_grid(uint16x4_t n, float origin, float pitch)
{
    return vaddq_f32(vmulq_f32(vcvtq_f32_u32(vmovl_u16(n)), vdupq_n_f32(pitch)), vdupq_n_f32(origin));
}

/* Points of three numbers of 16 bits each. */
static inline p8 two_on_grid(const uint64_t low[4], const uint64_t high[4], grid g)
{
    uint16_t of_low[16], of_high[16];
    memcpy(of_low, low, sizeof of_low);
    memcpy(of_high, high, sizeof of_high);
    const uint16x4x4_t l = vld4_u16(of_low), h = vld4_u16(of_high);
    p8 out;
    for (int k = 0; k < 3; k++)
        out.axis[k] = (f8){f4_on_grid(l.val[k], g.origin[k], g.pitch), f4_on_grid(h.val[k], g.origin[k], g.pitch)};
    return out;
}

static inline p8 two_seen_on_grid(const uint64_t low[4], const uint64_t high[4], grid g, ray_eye eye)
{
    const p8 at = two_on_grid(low, high, g);
    p8 out;
    for (int k = 0; k < 3; k++)
        out.axis[k] = f8_sub(at.axis[eye.axis[k]], f8_set(eye.origin[k]));
    return out;
}

/* Points as four floats each. */
static inline void store_on_grid(float to[4][4], const uint64_t word[4], grid g)
{
    const float32x4_t origin = {g.origin[0], g.origin[1], g.origin[2], 0.0f};
    for (int i = 0; i < 4; i++) {
        uint16_t n[4];
        memcpy(n, &word[i], sizeof n);
        vst1q_f32(to[i], vaddq_f32(vmulq_f32(vcvtq_f32_u32(vmovl_u16(vld1_u16(n))), vdupq_n_f32(g.pitch)), origin));
    }
}

#endif
