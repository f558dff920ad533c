/* SPDX-License-Identifier: MIT */
/* Whether a ray crosses set bits of a chunk, with the same result as vp_crosses_bits of src/terrain/walk.h.
 * Included after a header of optimized/simd.
 *
 * Idea. A voxel is the intersection of three slabs, one of eight on each axis. A ray is inside it from the maximum of
 * three entries to the minimum of three exits, so no entry may come after any exit. So voxels need not be tested one by
 * one. For each two axes the kernel computes which of 8 x 8 slabs go together. A voxel's three pairs and its bit are
 * then combined as bits, 64 voxels a word.
 *
 * Instruction: compares eight lanes with one number, and returns their signs as bits (movemask).
 *
 * Cost: 24 slabs in 3 vectors, 16 comparisons for a chunk, and 4 for each layer of voxels with bits that are
 * not yet excluded. */
#ifndef VP_OPTIMIZED_TERRAIN_BITS_H
#define VP_OPTIMIZED_TERRAIN_BITS_H

#include "src/core/inline.h"
#include "src/terrain/walk.h"

/* The parameters at which a ray enters and leaves an axis' eight slabs, as lanes and in memory. */
typedef struct ray_slabs {
    f32x8 enter, leave;
    float enter_at[VP_CHUNK_EDGE], leave_at[VP_CHUNK_EDGE];
    uint32_t met; /* those whose exit is not before the entry */
} ray_slabs;

VP_INLINE void cut_axis(const vp_box_ray *r, int axis, int32_t chunk, float s_most, ray_slabs *out)
{
    float face[VP_CHUNK_EDGE + 1];
    for (int i = 0; i <= VP_CHUNK_EDGE; i++)
        face[i] = (float)(chunk * VP_CHUNK_EDGE + i);
    face[0] -= 0.5f; /* like vp_chunk_faces */
    face[VP_CHUNK_EDGE] += 0.5f;
    const f32x8 inverse = f32x8_set1(r->inverse[axis]);
    const f32x8 to_low = f32x8_mul(f32x8_sub(f32x8_load(face), f32x8_set1(r->from_low[axis])), inverse);
    const f32x8 to_high = f32x8_mul(f32x8_sub(f32x8_load(face + 1), f32x8_set1(r->from_high[axis])), inverse);
    out->enter = f32x8_max(r->backwards[axis] ? to_high : to_low, f32x8_set1(0.0f));
    out->leave = f32x8_min(r->backwards[axis] ? to_low : to_high, f32x8_set1(s_most));
    out->met = m32x8_movemask(f32x8_cmp_le(out->enter, out->leave));
    f32x8_store(out->enter_at, out->enter);
    f32x8_store(out->leave_at, out->leave);
}

/* Bits of an axis' slabs that go together with slab i of another. */
VP_INLINE uint32_t slabs_with(const ray_slabs *of, const ray_slabs *other, uint32_t i)
{
    return m32x8_movemask(f32x8_cmp_le(of->enter, f32x8_set1(other->leave_at[i]))) &
           m32x8_movemask(f32x8_cmp_le(f32x8_set1(other->enter_at[i]), of->leave));
}

static __attribute__((noinline)) bool crosses_bits(const vp_box_ray *r, const uint64_t bits[8], vp_ivec3 at, float s_most)
{
    ray_slabs x, y, z;
    cut_axis(r, 0, at.x, s_most, &x);
    cut_axis(r, 1, at.y, s_most, &y);
    cut_axis(r, 2, at.z, s_most, &z);
    uint64_t xz = 0; /* like the layers' bits, x + 8 z */
    for (uint32_t rest = z.met; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        xz |= (uint64_t)(x.met & slabs_with(&x, &z, i)) << (8 * i);
    }
    for (uint32_t rest = y.met; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        if ((bits[i] & xz) == 0)
            continue;
        const uint64_t crossed = bits[i] & xz & slabs_with(&x, &y, i) * UINT64_C(0x0101010101010101);
        const uint32_t rows = slabs_with(&z, &y, i);
        for (uint64_t left = crossed; left != 0;) {
            const uint32_t row = (uint32_t)__builtin_ctzll(left) / 8;
            if ((rows >> row & 1u) != 0)
                return true;
            left &= ~(UINT64_C(0xff) << (8 * row));
        }
    }
    return false;
}

#endif
