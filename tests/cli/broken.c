/* SPDX-License-Identifier: MIT */
/* `voxphys verify` with one version of one kernel broken on purpose, for disagreement.sh:
 *
 *   verify_broken KERNEL CONTENDER verify [OPTION...]
 *
 * The contender's first answer that can be wrong by one bit is; all others are its own right ones. */
#include <stdio.h>
#include <string.h>

#include "cases/case.h"
#include "host/program.h"
#include "tools/commands.h"

vp_kernels __real_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel);
vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel);

static const char *broken_kernel, *broken_contender;
static vp_kernels right; /* the contender's own kernel */
static unsigned flips;   /* bits that were flipped */

static uint32_t wrong_dilate_world(const vp_dilate_job *build)
{
    uint32_t filled = right.dilate_world(build);
    if (filled != 0 && flips++ == 0)
        build->pool[filled - 1].solid[3] ^= UINT64_C(1) << 31;
    return filled;
}

static void wrong_overlap_boxes(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    right.overlap_boxes(bits, boxes, touch);
    if (boxes->count != 0 && flips++ == 0)
        touch[boxes->count - 1] ^= VP_TOUCH_SOLID;
}

static uint32_t wrong_overlap_chunks(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    uint32_t found = right.overlap_chunks(bits, box, out, capacity);
    if (found != 0 && capacity != 0 && flips++ == 0)
        out[0].chunk ^= 1;
    return found;
}

vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_kernel_id kernel)
{
    vp_kernels table = __real_vp_contender_table(contender, kernel);
    if (strcmp(contender->name, broken_contender) != 0 || strcmp(vp_kernel_name(kernel), broken_kernel) != 0)
        return table;
    right = table;
    if (kernel == VP_KERNEL_dilate_world)
        table.dilate_world = wrong_dilate_world;
    else if (kernel == VP_KERNEL_overlap_boxes)
        table.overlap_boxes = wrong_overlap_boxes;
    else if (kernel == VP_KERNEL_overlap_chunks)
        table.overlap_chunks = wrong_overlap_chunks;
    return table;
}

int main(int argc, char **argv)
{
    if (argc < 4 || strcmp(argv[3], "verify") != 0) {
        fputs("Usage: verify_broken KERNEL CONTENDER verify [OPTION...]\n", stderr);
        return VP_EXIT_USAGE;
    }
    broken_kernel = argv[1];
    broken_contender = argv[2];
    return vp_command_verify(argc - 3, argv + 3);
}
