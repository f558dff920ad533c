/* SPDX-License-Identifier: MIT */
/* Boxes of a chunk, article "Les bases d'un voxel engine", "Les collisions", and components of a grid. */
#include <voxphys/block_shapes.h>

#include <string.h>

#include "src/blocks/tables.h"
#include "src/core/error.h"
#include "src/core/memory.h"

vp_status vp_block_boxes_create(const vp_block_window *window, const vp_kernels *kernels, const vp_allocator *allocator,
                                vp_block_boxes *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, window, out);
    vp_block_boxes made = {.allocator = vp_allocator_or_default(allocator)};
    const vp_allocator *from = &made.allocator;
    vp_kernels table;
    VP_RETURN_IF_FAILED(vp_block_window_check(window, error));
    VP_RETURN_IF_FAILED(vp_block_table(kernels, &table, error));
    const size_t max = (size_t)window->edge * window->edge * window->edge;
    vp_boxes_job job = {.window = *window};
    job.scratch = vp_allocate(from, max, sizeof *job.scratch);
    job.box = vp_allocate(from, max, sizeof *job.box);
    vp_status status = VP_OK;
    if (job.scratch == NULL || job.box == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %zu boxes", max);
    } else {
        made.count = table.greedy_boxes(&job);
        made.box = vp_allocate(from, made.count, sizeof *made.box);
        if (made.box != NULL)
            memcpy(made.box, job.box, made.count * sizeof *made.box);
        else if (made.count != 0)
            status = vp_fail(error, VP_E_MEMORY, "no memory for %u boxes", made.count);
    }
    vp_release(from, job.scratch, max, sizeof *job.scratch);
    vp_release(from, job.box, max, sizeof *job.box);
    if (status == VP_OK)
        *out = made;
    return status;
}

void vp_block_boxes_destroy(vp_block_boxes *boxes)
{
    if (boxes == NULL)
        return;
    vp_release(&boxes->allocator, boxes->box, boxes->count, sizeof *boxes->box);
    *boxes = (vp_block_boxes){.box = NULL};
}

vp_status vp_block_components_find(const vp_block_components_def *def, uint32_t *label, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, label, count);
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    const vp_dims s = def->size;
    vp_kernels kernels;
    if (def->cell == NULL && def->bits == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_components_def: cell and bits are NULL, size is %u x %u x %u", s.x, s.y, s.z);
    const uint64_t layer = (uint64_t)s.x * s.z;
    if (s.y != 0 && layer > VP_COMPONENTS_MAX_CELLS / s.y)
        return vp_fail(error, VP_E_ARGUMENT, "a grid of %u x %u x %u cells; must be at most %d", s.x, s.y, s.z, VP_COMPONENTS_MAX_CELLS);
    const size_t cells = (size_t)layer * s.y;
    VP_RETURN_IF_FAILED(vp_block_table(def->kernels, &kernels, error));
    vp_components_job job = {.size = s, .cell = def->cell, .bits = def->bits, .label = label};
    job.scratch = vp_allocate(&allocator, cells, sizeof *job.scratch);
    if (job.scratch == NULL && cells != 0)
        return vp_fail(error, VP_E_MEMORY, "no memory for a grid of %u x %u x %u cells", s.x, s.y, s.z);
    *count = kernels.components(&job);
    vp_release(&allocator, job.scratch, cells, sizeof *job.scratch);
    return VP_OK;
}
