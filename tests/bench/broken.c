/* SPDX-License-Identifier: MIT */
/* Kernels that are wrong on purpose, in place of the contender "scalar-autovec", for refusal.sh.
 *
 *   dilate_world    one bit is wrong
 *   overlap_boxes   right at first, wrong while it is timed
 *   all others      right
 *
 * Variables in the environment:
 * BROKEN_IDLE: dilate_world and count_rule work until they are timed, then return without writing. (cases/verify.c checks that a kernel
 * overwrites earlier answers.)
 * BROKEN_BUILD=n: n builds of a whole broadphase on an executor are right, then one bit is wrong.
 * BROKEN_CREATE=n: n trees of the native kd_create are right, then one face of a box is wrong. With BROKEN_IDLE too, later trees are
 * built into other memory. */
#include <stdlib.h>

#include <voxphys/broadphase.h>
#include "cases/case.h"

vp_kernels __real_vp_contender_table(const vp_contender *contender, vp_row_id kernel);
vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_row_id kernel);

static uint32_t wrong_bit(const vp_dilate_job *build)
{
    uint32_t filled = vp_dilate_world_scalar(build);
    if (filled != 0)
        build->pool[filled / 2].water[7] ^= UINT64_C(1) << 63;
    return filled;
}

static void wrong_later(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    static unsigned calls; /* the check and the warm-up are calls 1 and 2 */
    vp_overlap_boxes_scalar(bits, boxes, touch);
    if (++calls > 2)
        touch[boxes->count - 1] ^= VP_TOUCH_WATER;
}

/* Set when a table is made. The untimed first run over the data set builds. Later runs return the old count and do nothing. */
static bool is_first;

static uint32_t idle_dilate_world(const vp_dilate_job *build)
{
    static uint32_t filled;
    if (is_first)
        filled = vp_dilate_world_scalar(build);
    is_first = false;
    return filled;
}

/* The comparison and the untimed run are 8 steps each. */
static void idle_count_rule(const vp_count_job *job)
{
    static unsigned steps;
    if (steps++ < 16)
        vp_count_rule_scalar(job);
}

/* The build of the operation kd_create. */
static vp_kd_build_result wrong_kd_build(const vp_kd_build_job *build)
{
    static unsigned long builds;
    const vp_kd_build_result built = vp_kd_build_scalar(build);
    if (builds++ >= strtoul(getenv("BROKEN_CREATE"), NULL, 10))
        build->wide[built.node_count - 1].low[1][0] -= 1.0f;
    return built;
}

static vp_kd_build_result idle_kd_create(const vp_kd_build_job *build)
{
    static unsigned long builds;
    const uint32_t items = vp_kd_item_count(&build->triangles);
    vp_kd_build_job other = *build;
    if (builds++ < strtoul(getenv("BROKEN_CREATE"), NULL, 10))
        return vp_kd_build_scalar(build);
    other.wide = aligned_alloc(64, (vp_kd_max_nodes(VP_KD_WIDE, items) * sizeof *other.wide + 63) / 64 * 64);
    other.item = malloc(items * sizeof *other.item);
    other.item_id = malloc(items * sizeof *other.item_id);
    if (other.wide == NULL || other.item == NULL || other.item_id == NULL)
        abort();
    const vp_kd_build_result built = vp_kd_build_scalar(&other);
    free(other.wide);
    free(other.item);
    free(other.item_id);
    return built;
}

vp_kernels __wrap_vp_contender_table(const vp_contender *contender, vp_row_id kernel)
{
    vp_kernels table = __real_vp_contender_table(contender, kernel);
    const char *idle = getenv("BROKEN_IDLE");
    is_first = true;
    if (contender->how == VP_HOW_NATIVE && kernel == VP_OPERATION_kd_create && getenv("BROKEN_CREATE") != NULL)
        table.kd_build = idle != NULL ? idle_kd_create : wrong_kd_build;
    if (contender->how != VP_HOW_AUTOVEC)
        return table;
    if (kernel == VP_KERNEL_dilate_world)
        table.dilate_world = idle != NULL ? idle_dilate_world : wrong_bit;
    if (kernel == VP_KERNEL_count_rule && idle != NULL)
        table.count_rule = idle_count_rule;
    if (kernel == VP_KERNEL_overlap_boxes)
        table.overlap_boxes = wrong_later;
    return table;
}

/* ---- whole broadphases ---- */

vp_status __real_vp_broadphase_create(const vp_broadphase_def *def, vp_broadphase **out, vp_error *error);
vp_status __wrap_vp_broadphase_create(const vp_broadphase_def *def, vp_broadphase **out, vp_error *error);

vp_status __wrap_vp_broadphase_create(const vp_broadphase_def *def, vp_broadphase **out, vp_error *error)
{
    static unsigned long builds;
    const char *right = getenv("BROKEN_BUILD");
    if (right == NULL || def->executor == NULL || builds++ < strtoul(right, NULL, 10))
        return __real_vp_broadphase_create(def, out, error);
    vp_kernels kernels = *def->kernels;
    vp_broadphase_def wrong = *def;
    kernels.dilate_world = wrong_bit;
    wrong.kernels = &kernels;
    return __real_vp_broadphase_create(&wrong, out, error);
}
