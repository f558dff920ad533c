/* SPDX-License-Identifier: MIT */
/* grid-walk: the first solid cell that a ray comes to. */
#include <math.h>
#include <stdlib.h>

#include "conformance/shared/shared.h"

/* The faces of solid cells towards air, a quad each, and of which cell each is. */
typedef struct cubes {
    vp_vec3 *vertex;
    uint32_t (*quad)[4];
    vp_ivec3 *cell;
    uint32_t quads;
} cubes;

static bool is_solid(const vp_query_grid *q, int64_t x, int64_t y, int64_t z)
{
    const size_t cell = vp_grid_number(q, x, y, z);
    return cell != SIZE_MAX && q->cells[cell] == '#';
}

static bool has_face(const vp_query_grid *q, size_t cell, int face)
{
    const vp_ivec3 at = vp_grid_place(q, cell);
    int beyond[3] = {at.x, at.y, at.z};
    beyond[face / 2] += face % 2 != 0 ? 1 : -1;
    return q->cells[cell] == '#' && !is_solid(q, beyond[0], beyond[1], beyond[2]);
}

static void add_face(const vp_query_grid *q, size_t cell, int face, cubes *c)
{
    const vp_ivec3 place = vp_grid_place(q, cell), at = {place.x + q->first.x, place.y + q->first.y, place.z + q->first.z};
    const int axis = face / 2;
    for (uint32_t corner = 0; corner < 4; corner++) {
        float v[3] = {(float)at.x, (float)at.y, (float)at.z};
        v[axis] += face % 2 != 0 ? 1.0f : 0.0f;
        v[(axis + 1) % 3] += corner == 1 || corner == 2 ? 1.0f : 0.0f;
        v[(axis + 2) % 3] += corner >= 2 ? 1.0f : 0.0f;
        c->vertex[c->quads * 4 + corner] = (vp_vec3){v[0], v[1], v[2]};
        c->quad[c->quads][corner] = c->quads * 4 + corner;
    }
    c->cell[c->quads++] = at;
}

static void write_cell(vp_ivec3 cell, float t, FILE *to)
{
    fprintf(to, "hit %d %d %d %s", cell.x, cell.y, cell.z, vp_bits_of(t).text);
}

/* Cells are cubes, and cubes are triangles: the nearest of these by vp_kd_raycast. A ray that begins in a solid cell is there at once. */
static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_grid *q = question->part[0];
    const vp_ray *ray = question->part[1];
    const float origin[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const int first[3] = {q->first.x, q->first.y, q->first.z};
    cubes c = {.quads = 0};
    const size_t faces = 6 * vp_grid_cells(q);
    size_t quads = 0;
    for (size_t i = 0; i < faces; i++)
        quads += has_face(q, i / 6, (int)(i % 6)) ? 1 : 0;
    c.vertex = malloc((quads + 1) * 4 * sizeof *c.vertex);
    c.quad = malloc((quads + 1) * sizeof *c.quad);
    c.cell = malloc((quads + 1) * sizeof *c.cell);
    vp_hit hit = {.triangle = VP_NO_HIT};
    vp_status status = VP_OK;
    if (c.vertex == NULL || c.quad == NULL || c.cell == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %zu faces", quads);
    } else {
        for (size_t i = 0; i < faces; i++)
            if (has_face(q, i / 6, (int)(i % 6)))
                add_face(q, i / 6, (int)(i % 6), &c);
        const vp_triangles triangles = {
            .vertex = c.vertex, .index = &c.quad[0][0], .vertex_count = c.quads * 4, .triangle_count = c.quads * 2, .quads = true};
        status = vp_ray_cast(&triangles, ray, kernels, &hit, error);
    }
    if (status == VP_OK) {
        int64_t at[3] = {-1, -1, -1};
        for (int k = 0; k < 3; k++)
            if (fabsf(origin[k]) < 1e9f)
                at[k] = (int64_t)floorf(origin[k]) - first[k];
        if (is_solid(q, at[0], at[1], at[2]))
            write_cell((vp_ivec3){(int32_t)at[0] + first[0], (int32_t)at[1] + first[1], (int32_t)at[2] + first[2]}, 0.0f, to);
        else if (hit.triangle == VP_NO_HIT)
            fputs("none", to);
        else
            write_cell(c.cell[hit.triangle / 2], hit.t, to);
    }
    free(c.vertex);
    free(c.quad);
    free(c.cell);
    return status;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    const vp_query_grid *grid = q->part[0];
    const json_int_t low[3] = {grid->first.x, grid->first.y, grid->first.z}, size[3] = {grid->extents.x, grid->extents.y, grid->extents.z};
    for (size_t k = 0; k < 3; k++) {
        const json_int_t at = json_integer_value(json_array_get(json_object_get(alternative, "cell"), k));
        if (at < low[k] || at >= low[k] + size[k])
            return vp_expected_wrong(alternative, "cell", error);
    }
    return VP_OK;
}

static const vp_member expected[] = {{.name = "cell", .is = &vp_is_cell}, {.name = "t", .is = &vp_is_range}, {.name = NULL}};

const vp_family vp_family_grid_walk = {VP_FAMILY_OF_RAYS("grid-walk"), .part = {&vp_part_placed_grid, &vp_part_ray}, .sound = sound};
