/* SPDX-License-Identifier: MIT */
/* Overlap tests on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/broadphase/overlap_body.h"

uint32_t vp_overlap_box_avx512(const vp_broadphase_view *bits, const vp_aabb *box)
{
    return overlap_box(bits, box);
}

uint32_t vp_overlap_chunks_avx512(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    return overlap_chunks(bits, box, out, capacity);
}

void vp_overlap_boxes_avx512(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    overlap_boxes(bits, boxes, touch);
}
