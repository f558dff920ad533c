/* SPDX-License-Identifier: MIT */
/* Manifolds of bodies and a terrain. */
#include "src/narrowphase/manifold_data.h"

#include <math.h>

#include "src/core/error.h"

typedef struct terrain_source {
    vp_manifold_source source;
    const vp_terrain_reader *reader;
} terrain_source;

/* Whether a triangle that meets the box is handed over with the cell: cells part the box, and its lowest place there is in one of them. */
static bool is_of_cell(const vp_vec3 corner[3], const vp_aabb *box, const vp_aabb *cell)
{
    const vp_vec3 p = vp_vec3_max(vp_triangle_bounds(corner).min, box->min);
    return p.x >= cell->min.x && p.y >= cell->min.y && p.z >= cell->min.z && (p.x < cell->max.x || cell->max.x == box->max.x) &&
           (p.y < cell->max.y || cell->max.y == box->max.y) && (p.z < cell->max.z || cell->max.z == box->max.z);
}

/* Halves a cell across its longest side.  @return false: it is too small */
static bool halve(const vp_aabb *cell, vp_aabb half[2])
{
    const vp_vec3 size = vp_vec3_sub(cell->max, cell->min);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    half[0] = half[1] = *cell;
    float *const max = axis == 0 ? &half[0].max.x : axis == 1 ? &half[0].max.y : &half[0].max.z;
    float *const min = axis == 0 ? &half[1].min.x : axis == 1 ? &half[1].min.y : &half[1].min.z;
    const float middle = 0.5f * *min + 0.5f * *max;
    const bool is_between = *min < middle && middle < *max;
    *min = *max = middle;
    return is_between;
}

/* A cell with more triangles than a page holds is parted. */
static vp_status gather_cell(const terrain_source *terrain, vp_manifold_work *work, const vp_aabb *box, const vp_aabb *cell,
                             vp_manifold_receive *receive, vp_error *error)
{
    uint32_t count;
    vp_aabb half[2];
    vp_status status = vp_terrain_reader_gather_triangles(terrain->reader, work->def->surface, cell, work->terrain_id,
                                                          work->terrain_triangle, work->capacity, &count, error);
    if (status == VP_OK && count > work->capacity) {
        if (!halve(cell, half))
            return vp_fail(error, VP_E_LIMIT, "%u triangles meet in one place, and the scratch has room for %u", count, work->capacity);
        for (int i = 0; i < 2 && status == VP_OK; i++)
            status = gather_cell(terrain, work, box, &half[i], receive, error);
        return status;
    }
    work->page_count = 0;
    for (uint32_t i = 0; status == VP_OK && i < count; i++) {
        const vp_terrain_triangle *t = &work->terrain_triangle[i];
        if (is_of_cell(t->corner, box, cell))
            work->page[work->page_count++] = (vp_collide_triangle){.corner = {t->corner[0], t->corner[1], t->corner[2]},
                                                                   .normal = t->normal,
                                                                   .id = work->terrain_id[i],
                                                                   .material = t->material};
    }
    return status == VP_OK ? receive(work, error) : status;
}

static vp_status gather_terrain(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_manifold_receive *receive,
                                vp_error *error)
{
    return gather_cell((const terrain_source *)(const void *)source, work, box, box, receive, error);
}

static vp_status count_terrain(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, uint32_t *count,
                               vp_error *error)
{
    const terrain_source *terrain = (const terrain_source *)(const void *)source;
    return vp_terrain_reader_gather(terrain->reader, work->def->surface, box, NULL, 0, count, error);
}

vp_status vp_manifold_terrain(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                              vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    const terrain_source terrain = {{gather_terrain, count_terrain, false}, reader};
    vp_manifold_work work;
    vp_kernels usual;
    *made = 0;
    vp_status status = vp_manifold_begin(def, scratch, &usual, &work, error);
    if (status == VP_OK)
        status = vp_manifold_make(&work, body, &terrain.source, scratch, out, capacity, made, error);
    return status == VP_OK ? vp_succeed(error) : status;
}

/* Checks what all bodies of a call share: the margin, and by an empty question the reader. */
static vp_status check_call(const vp_manifold_def *def, const vp_terrain_reader *reader, vp_error *error)
{
    static const vp_aabb nowhere = {{-2.0f, -2.0f, -2.0f}, {-1.0f, -1.0f, -1.0f}};
    uint32_t count;
    if (!(def->margin >= 0.0f && def->margin < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "the margin is %g; it must be finite and not negative", (double)def->margin);
    return vp_terrain_reader_gather(reader, def->surface, &nowhere, NULL, 0, &count, error);
}

vp_status vp_manifold_terrain_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                   const vp_terrain_reader *reader, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                   vp_manifold_result *result, uint32_t *made, vp_error *error)
{
    const terrain_source terrain = {{gather_terrain, count_terrain, false}, reader};
    vp_manifold_work work;
    vp_kernels usual;
    *made = 0;
    vp_status status = vp_manifold_begin(def, scratch, &usual, &work, error);
    if (status == VP_OK)
        status = check_call(def, reader, error);
    if (status != VP_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        vp_error ignored;
        const uint32_t at = *made < capacity ? *made : capacity;
        result[i].first = *made;
        result[i].status = vp_manifold_make(&work, &body[i], &terrain.source, scratch, out == NULL ? NULL : out + at, capacity - at,
                                            &result[i].count, &ignored);
        *made += result[i].count;
    }
    return vp_succeed(error);
}
