/* SPDX-License-Identifier: MIT */
/* Kernels that are wrong on purpose, in place of the contender "scalar-autovec", for refusal.sh: dilate_world has one bit
 * wrong; overlap_batch is right at first and wrong while it is timed; dilate_world_rows is right. */
#include "datasets/cases/cases.h"

vp_kernels __real_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel);
vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel);

static uint32_t wrong_bit(const vp_build *build)
{
    uint32_t filled = vp_dilate_world_scalar(build);
    build->pool[filled / 2].water[7] ^= UINT64_C(1) << 63;
    return filled;
}

static void wrong_later(const vp_bits *bits, const vp_boxes *boxes, uint8_t *touch)
{
    static unsigned calls; /* the check and the warm-up are the first two */
    vp_overlap_batch_scalar(bits, boxes, touch);
    if (++calls > 2)
        touch[boxes->count - 1] ^= VP_TOUCH_WATER;
}

vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel)
{
    vp_kernels table = __real_vp_contender_table(contender, kernel);
    if (contender->how == VP_HOW_AUTOVEC && kernel == VP_KERNEL_dilate_world)
        table.dilate_world = wrong_bit;
    if (contender->how == VP_HOW_AUTOVEC && kernel == VP_KERNEL_overlap_batch)
        table.overlap_batch = wrong_later;
    return table;
}
