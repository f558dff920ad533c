/* SPDX-License-Identifier: MIT */
/* Manifolds of bodies and a terrain. */
#include "src/narrowphase/manifold_data.h"

#include "src/core/error.h"

typedef struct terrain_source {
    vp_manifold_source source;
    const vp_terrain_reader *reader;
} terrain_source;

static vp_status gather_terrain(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_error *error)
{
    const terrain_source *terrain = (const terrain_source *)(const void *)source;
    uint32_t count;
    const vp_status status =
        vp_terrain_reader_gather_triangles(terrain->reader, work->def->surface, box, work->id, work->found, work->capacity, &count, error);
    if (status != VP_OK)
        return status;
    if (count > work->capacity) {
        work->wanted = count;
        return VP_OK;
    }
    for (uint32_t i = 0; i < count; i++) {
        const vp_terrain_triangle *f = &work->found[i];
        const vp_collide_triangle triangle = {
            .corner = {f->corner[0], f->corner[1], f->corner[2]}, .normal = f->normal, .id = work->id[i], .material = f->material};
        vp_manifold_take(work, &triangle);
    }
    return VP_OK;
}

vp_status vp_manifold_terrain(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                              vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    const terrain_source terrain = {{gather_terrain, false}, reader};
    vp_manifold_work work;
    vp_kernels usual;
    scratch->needed = 0;
    vp_status status = vp_manifold_begin(def, scratch, &usual, &work, error);
    if (status == VP_OK)
        status = vp_manifold_make(&work, body, &terrain.source, scratch, out, capacity, made, error);
    return status == VP_OK ? vp_succeed(error) : status;
}

vp_status vp_manifold_terrain_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                   const vp_terrain_reader *reader, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                   uint32_t *first, vp_error *error)
{
    const terrain_source terrain = {{gather_terrain, false}, reader};
    vp_manifold_work work;
    vp_kernels usual;
    scratch->needed = 0;
    vp_status status = vp_manifold_begin(def, scratch, &usual, &work, error);
    if (status != VP_OK)
        return status;
    first[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        vp_error why;
        uint32_t made;
        const uint32_t at = first[i] < capacity ? first[i] : capacity;
        status = vp_manifold_make(&work, &body[i], &terrain.source, scratch, out == NULL ? NULL : out + at, capacity - at, &made, &why);
        if (status != VP_OK)
            return vp_fail(error, status, "body %u: %s", i, why.message);
        first[i + 1] = first[i] + made;
    }
    return vp_succeed(error);
}
