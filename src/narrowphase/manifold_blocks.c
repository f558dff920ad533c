/* SPDX-License-Identifier: MIT */
/* Manifolds of bodies and blocks. */
#include "src/narrowphase/manifold_internal.h"

#include <voxphys/block_shapes.h>

#include "src/core/error.h"

static vp_status check_blocks(const vp_manifold_source *source, const vp_manifold_def *def, vp_error *error)
{
    (void)def;
    return vp_block_view_check(source->view, error);
}

/* Blocks that touch the cell also have triangles that do not. These are skipped later. */
static vp_status fill_blocks(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *cell, uint32_t *count,
                             vp_error *error)
{
    return vp_collide_blocks(source->view, cell, work->page, work->capacity, count, error);
}

static vp_status gather_blocks(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_manifold_receive *receive,
                               vp_error *error)
{
    return vp_manifold_gather_cells(source, work, box, fill_blocks, receive, error);
}

static vp_status count_blocks(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, uint32_t *count,
                              vp_error *error)
{
    (void)work;
    return vp_collide_blocks(source->view, box, NULL, 0, count, error);
}

vp_manifold_source vp_manifold_source_blocks(const vp_block_view *view)
{
    return (vp_manifold_source){check_blocks, gather_blocks, count_blocks, .connected = true, .view = view};
}

vp_status vp_manifold_blocks(const vp_manifold_def *def, const vp_manifold_body *body, const vp_block_view *view,
                             vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, view, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_manifold_source source = vp_manifold_source_blocks(view);
    return vp_manifold_make(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_blocks_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count, const vp_block_view *view,
                                  vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, vp_manifold_result *result,
                                  uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, view, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, body, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    VP_RETURN_IF_ARRAY_NULL(error, result, count);
    const vp_manifold_source source = vp_manifold_source_blocks(view);
    return vp_manifold_make_many(def, body, count, &source, scratch, out, capacity, result, manifold_count, error);
}
