/* SPDX-License-Identifier: MIT */
/* Overlap tests on AArch64's NEON. */
#include "optimized/simd/neon.h"

#include "optimized/broadphase/overlap_body.h"

uint32_t vp_overlap_box_neon(const vp_broadphase_view *bits, const vp_aabb *box)
{
    return overlap_box(bits, box);
}

uint32_t vp_overlap_chunks_neon(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    return overlap_chunks(bits, box, out, capacity);
}

void vp_overlap_boxes_neon(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    overlap_boxes(bits, boxes, touch);
}
