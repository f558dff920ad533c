/* SPDX-License-Identifier: MIT */
/* grid-walk: the first solid cell that a ray comes to. */
#include <math.h>
#include <stdlib.h>

#include "conformance/shapes/shapes.h"

/* The faces of solid cells towards air, a quad each, and of which cell each is. */
typedef struct cubes {
    vp_vec3 *vertex;
    uint32_t (*quad)[4];
    vp_ivec3 *cell;
    uint32_t quads;
} cubes;

static bool is_solid(const vp_asked_grid *q, int64_t x, int64_t y, int64_t z)
{
    const size_t cell = vp_grid_number(q, x, y, z);
    return cell != SIZE_MAX && q->cells[cell] == '#';
}

/* @param axis, side  of the cell's face
   @param c           NULL: only counted */
static void add_face(const vp_asked_grid *q, const int64_t at[3], int axis, int side, cubes *c)
{
    int64_t beyond[3] = {at[0], at[1], at[2]};
    beyond[axis] += side != 0 ? 1 : -1;
    if (is_solid(q, beyond[0], beyond[1], beyond[2]))
        return;
    if (c->quad != NULL) {
        const int first[3] = {q->first.x, q->first.y, q->first.z};
        for (uint32_t corner = 0; corner < 4; corner++) {
            float v[3];
            for (int k = 0; k < 3; k++)
                v[k] = (float)(at[k] + first[k]);
            v[axis] += side != 0 ? 1.0f : 0.0f;
            v[(axis + 1) % 3] += corner == 1 || corner == 2 ? 1.0f : 0.0f;
            v[(axis + 2) % 3] += corner >= 2 ? 1.0f : 0.0f;
            c->vertex[c->quads * 4 + corner] = (vp_vec3){v[0], v[1], v[2]};
            c->quad[c->quads][corner] = c->quads * 4 + corner;
        }
        c->cell[c->quads] = (vp_ivec3){(int32_t)at[0] + q->first.x, (int32_t)at[1] + q->first.y, (int32_t)at[2] + q->first.z};
    }
    c->quads++;
}

static void add_faces(const vp_asked_grid *q, cubes *c)
{
    c->quads = 0;
    for (int64_t y = 0; y < q->extents.y; y++)
        for (int64_t z = 0; z < q->extents.z; z++)
            for (int64_t x = 0; x < q->extents.x; x++)
                for (int face = 0; is_solid(q, x, y, z) && face < 6; face++)
                    add_face(q, (const int64_t[3]){x, y, z}, face / 2, face % 2, c);
}

static void write_cell(vp_ivec3 cell, float t, FILE *to)
{
    fprintf(to, "hit %d %d %d %s", cell.x, cell.y, cell.z, vp_bits_of(t).text);
}

/* Cells are cubes, and cubes are triangles: the nearest of these by vp_kd_raycast. A ray that begins in a
 * solid cell is there at once. */
static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_asked_grid *q = question->part[0];
    const vp_ray *ray = question->part[1];
    const float origin[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const int first[3] = {q->first.x, q->first.y, q->first.z};
    cubes c = {.quads = 0};
    add_faces(q, &c);
    const uint32_t quads = c.quads;
    c.vertex = malloc(((size_t)quads + 1) * 4 * sizeof *c.vertex);
    c.quad = malloc(((size_t)quads + 1) * sizeof *c.quad);
    c.cell = malloc(((size_t)quads + 1) * sizeof *c.cell);
    vp_hit hit = {.triangle = VP_NO_HIT};
    vp_status status = VP_OK;
    if (c.vertex == NULL || c.quad == NULL || c.cell == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u faces", quads);
    } else {
        add_faces(q, &c);
        const vp_triangles triangles = {
            .vertex = c.vertex, .index = &c.quad[0][0], .vertex_count = quads * 4, .triangle_count = quads * 2, .quads = true};
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
    const vp_asked_grid *grid = q->part[0];
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
