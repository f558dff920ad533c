/* SPDX-License-Identifier: MIT */
/* Manifolds of bodies and a terrain. */
#include "src/narrowphase/manifold_internal.h"

#include "src/core/error.h"

/* Checks reader and surface by gathering an empty box. */
static vp_status check_terrain(const vp_manifold_source *source, const vp_manifold_def *def, vp_error *error)
{
    static const vp_aabb nowhere = {{-2.0f, -2.0f, -2.0f}, {-1.0f, -1.0f, -1.0f}};
    uint32_t count;
    return vp_terrain_reader_gather(source->reader, def->surface, &nowhere, NULL, 0, &count, error);
}

static vp_status fill_terrain(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *cell, uint32_t *count,
                              vp_error *error)
{
    const vp_status status = vp_terrain_reader_gather_triangles(source->reader, work->def->surface, cell, work->terrain_id,
                                                                work->terrain_triangle, work->capacity, count, error);
    for (uint32_t i = 0; status == VP_OK && i < *count && i < work->capacity; i++) {
        const vp_terrain_triangle *t = &work->terrain_triangle[i];
        work->page[i] = (vp_collide_triangle){
            .corner = {t->corner[0], t->corner[1], t->corner[2]}, .normal = t->normal, .id = work->terrain_id[i], .material = t->material};
    }
    return status;
}

static vp_status gather_terrain(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_manifold_receive *receive,
                                vp_error *error)
{
    return vp_manifold_gather_cells(source, work, box, fill_terrain, receive, error);
}

static vp_status count_terrain(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, uint32_t *count,
                               vp_error *error)
{
    return vp_terrain_reader_gather(source->reader, work->def->surface, box, NULL, 0, count, error);
}

vp_manifold_source vp_manifold_source_terrain(const vp_terrain_reader *reader)
{
    return (vp_manifold_source){check_terrain, gather_terrain, count_terrain, .reader = reader};
}

vp_status vp_manifold_terrain(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                              vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, reader, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_manifold_source source = vp_manifold_source_terrain(reader);
    return vp_manifold_make(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_terrain_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                   const vp_terrain_reader *reader, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                   vp_manifold_result *result, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, reader, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, body, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    VP_RETURN_IF_ARRAY_NULL(error, result, count);
    const vp_manifold_source source = vp_manifold_source_terrain(reader);
    return vp_manifold_make_many(def, body, count, &source, scratch, out, capacity, result, manifold_count, error);
}
