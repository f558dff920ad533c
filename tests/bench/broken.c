/* SPDX-License-Identifier: MIT */
/* Kernels that are wrong on purpose, in place of the contender "scalar-autovec", for refusal.sh: dilate_world has one bit wrong;
 * overlap_boxes is right at first and wrong while it is timed; all others are right. With BROKEN_IDLE in the environment, dilate_chunk and
 * dilate_world work until they are timed, and then leave what they wrote; and kd_gather and kd_build then write the beginning of what they
 * should, and the rest elsewhere.
 *
 * With BROKEN_BUILD=n, builds of a whole broadphase on an executor are right n times, and then one bit is wrong.
 *
 * With BROKEN_CREATE=n, trees of native builds are right n times, and then one face of a box is wrong; with BROKEN_IDLE beside it, they are
 * then built elsewhere. */
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
    static unsigned calls; /* the check and the warm-up are the first two */
    vp_overlap_boxes_scalar(bits, boxes, touch);
    if (++calls > 2)
        touch[boxes->count - 1] ^= VP_TOUCH_WATER;
}

/* Kernels that are right on the first run over the data set after a table of them was made, the untimed one,
   and then say that they did it again. */
static size_t idle_calls;

static bool first_run(size_t calls_of_a_run)
{
    return idle_calls++ < calls_of_a_run;
}

static uint32_t idle_dilate_chunk(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    vp_chunk_masks masks; /* the tag alone, as a version would have it that finds it and forgets to store */
    bool right = first_run((size_t)world->chunks.x * world->chunks.y * world->chunks.z);
    return vp_dilate_chunk_scalar(world, cx, cy, cz, right ? out : &masks);
}

static uint32_t idle_dilate_world(const vp_dilate_job *build)
{
    static uint32_t filled;
    if (first_run(1))
        filled = vp_dilate_world_scalar(build);
    return filled;
}

static uint32_t idle_kd_gather(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    uint32_t elsewhere[1024];
    if (first_run(65536) || capacity > 1024)
        return vp_kd_gather_scalar(tree, box, out, capacity);
    const uint32_t found = vp_kd_gather_scalar(tree, box, elsewhere, capacity);
    *out = *elsewhere;
    return found;
}

static vp_kd_build_result idle_kd_build(const vp_kd_build_job *build)
{
    enum { MAX = 4096 };
    static vp_kd_item item[MAX];
    if (first_run(1525) || vp_kd_item_count(&build->triangles) > MAX)
        return vp_kd_build_scalar(build);
    vp_kd_build_job other = *build;
    other.item = item;
    return vp_kd_build_scalar(&other);
}

/* Of trees as programs make them. */
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
    other.wide = aligned_alloc(64, (vp_kd_most_nodes(VP_KD_WIDE, items) * sizeof *other.wide + 63) / 64 * 64);
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
    idle_calls = 0;
    if (contender->how == VP_HOW_NATIVE && kernel == VP_OPERATION_kd_create && getenv("BROKEN_CREATE") != NULL)
        table.kd_build = idle != NULL ? idle_kd_create : wrong_kd_build;
    if (contender->how != VP_HOW_AUTOVEC)
        return table;
    if (idle != NULL && kernel == VP_KERNEL_dilate_chunk)
        table.dilate_chunk = idle_dilate_chunk;
    if (idle != NULL && kernel == VP_KERNEL_kd_gather)
        table.kd_gather = idle_kd_gather;
    if (idle != NULL && kernel == VP_KERNEL_kd_build)
        table.kd_build = idle_kd_build;
    if (kernel == VP_KERNEL_dilate_world)
        table.dilate_world = idle != NULL ? idle_dilate_world : wrong_bit;
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
