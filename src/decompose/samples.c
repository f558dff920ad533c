/* SPDX-License-Identifier: MIT */
/* Samples of a mesh's surface, in a grid (convex decomposition article, "Calcul de l'erreur de concavité":
 * "Échantillonnez uniformément des points sur chaque triangle et lancez-les sur une grille dans l'espace").
 *
 * A triangle has rows along its longest edge, and samples along each row, in the middles of equal parts that are no
 * longer than the spacing. It has at least one, and all are inside it. Degenerate triangles have none. */
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

/* The layout of a triangle's samples. */
typedef struct sample_rows {
    double base[3], along[3], apex[3]; /* a corner of the longest edge, the vector to its other end, and the vector to the third corner */
    double length;                     /* of the edge */
    double rows;
} sample_rows;

static double count_parts(double length, double spacing)
{
    const double parts = ceil(length / spacing);
    return parts < 1.0 ? 1.0 : parts;
}

static sample_rows rows_of(const vp_decomposing *d, uint32_t triangle)
{
    double side[3][3], square[3];
    const uint32_t *v = d->mesh.triangle[triangle];
    int longest = 0;
    for (int k = 0; k < 3; k++) {
        const vp_vec3 a = d->mesh.vertex[v[k]], b = d->mesh.vertex[v[(k + 1) % 3]];
        side[k][0] = (double)b.x - (double)a.x;
        side[k][1] = (double)b.y - (double)a.y;
        side[k][2] = (double)b.z - (double)a.z;
        square[k] = (side[k][0] * side[k][0] + side[k][1] * side[k][1]) + side[k][2] * side[k][2];
        longest = square[k] > square[longest] ? k : longest;
    }
    const vp_vec3 base = d->mesh.vertex[v[longest]];
    sample_rows r = {.base = {(double)base.x, (double)base.y, (double)base.z}, .length = sqrt(square[longest])};
    memcpy(r.along, side[longest], sizeof r.along);
    for (int k = 0; k < 3; k++)
        r.apex[k] = -side[(longest + 2) % 3][k];
    r.rows = d->def->rows != 0 ? (double)d->def->rows : count_parts(2 * d->mesh.area[triangle] / r.length, d->lengths.spacing);
    return r;
}

static bool has_normal(const vp_decomposing *d, uint32_t triangle)
{
    const double *n = d->mesh.normal[triangle];
    return n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0;
}

/* The number of samples in a row. */
static double count_row_samples(const vp_decomposing *d, const sample_rows *r, double row)
{
    return d->def->rows != 0 ? r->rows - row : count_parts(r->length * (1 - (row + 0.5) / r->rows), d->lengths.spacing);
}

/* The number of samples. Above the maximum = too many. */
static double count_samples(const vp_decomposing *d, uint32_t *most_of)
{
    double count = 0.0, max = 0.0;
    for (uint32_t t = 0; t < d->mesh.input.triangles && count <= VP_DECOMPOSE_MAX_SAMPLES; t++) {
        if (!has_normal(d, t))
            continue;
        const sample_rows r = rows_of(d, t);
        double its = r.rows > VP_DECOMPOSE_MAX_SAMPLES ? r.rows : 0.0;
        for (double row = 0; row < r.rows && its <= VP_DECOMPOSE_MAX_SAMPLES; row++)
            its += count_row_samples(d, &r, row);
        count += its;
        *most_of = its > max ? t : *most_of;
        max = fmax(its, max);
    }
    return count;
}

static void place_samples(const vp_decomposing *d, double (*point)[3], uint32_t *triangle)
{
    uint32_t i = 0;
    for (uint32_t t = 0; t < d->mesh.input.triangles; t++) {
        if (!has_normal(d, t))
            continue;
        const sample_rows r = rows_of(d, t);
        for (double row = 0; row < r.rows; row++) {
            const double up = (row + 0.5) / r.rows, count = count_row_samples(d, &r, row);
            for (double column = 0; column < count; column++, i++) {
                const double aside = (column + 0.5) / count * (1 - up);
                for (int k = 0; k < 3; k++)
                    point[i][k] = r.base[k] + (aside * r.along[k] + up * r.apex[k]);
                triangle[i] = t;
            }
        }
    }
}

/* ---- the grid ---- */

static double count_cells_along(double size, double cell)
{
    return floor(size / cell) + 1;
}

/* Lays a grid around the samples. Its cells are three spacings, or larger, so that it has not many more
 * cells than samples. */
static void build_grid(vp_decomposing *d, const double (*point)[3])
{
    vp_surface_samples *s = &d->samples;
    double size[3] = {0};
    for (int k = 0; k < 3; k++) {
        double low = d->sample_count != 0 ? point[0][k] : 0.0, high = low;
        for (uint32_t i = 1; i < d->sample_count; i++) {
            low = point[i][k] < low ? point[i][k] : low;
            high = point[i][k] > high ? point[i][k] : high;
        }
        s->low[k] = low;
        size[k] = high - low;
    }
    s->cell = 3 * d->lengths.spacing;
    while (count_cells_along(size[0], s->cell) * count_cells_along(size[1], s->cell) * count_cells_along(size[2], s->cell) >
           2.0 * d->sample_count + 64)
        s->cell *= 2;
    s->cells = (vp_dims){(uint32_t)count_cells_along(size[0], s->cell), (uint32_t)count_cells_along(size[1], s->cell),
                         (uint32_t)count_cells_along(size[2], s->cell)};
}

static uint32_t find_cell_along(double at, double low, double cell, uint32_t cells)
{
    const double c = floor((at - low) / cell);
    return c >= (double)cells ? cells - 1 : (uint32_t)c;
}

static uint32_t cell_of(const vp_surface_samples *s, const double point[3])
{
    const uint32_t x = find_cell_along(point[0], s->low[0], s->cell, s->cells.x),
                   y = find_cell_along(point[1], s->low[1], s->cell, s->cells.y),
                   z = find_cell_along(point[2], s->low[2], s->cell, s->cells.z);
    return (z * s->cells.y + y) * s->cells.x + x;
}

/* Sorts samples by cell. Samples in a cell keep their order. `first` is zero, and has one more element for the end. */
static void fill_grid(const vp_decomposing *d, const double (*from)[3], const uint32_t *from_triangle, uint32_t *first, double (*point)[3],
                      double (*normal)[3], uint32_t *triangle)
{
    const vp_surface_samples *s = &d->samples;
    const size_t cells = (size_t)s->cells.x * s->cells.y * s->cells.z;
    for (uint32_t i = 0; i < d->sample_count; i++)
        first[cell_of(s, from[i])]++;
    uint32_t before = 0;
    for (size_t c = 0; c <= cells; c++) {
        const uint32_t its = first[c];
        first[c] = before;
        before += its;
    }
    for (uint32_t i = 0; i < d->sample_count; i++) {
        const uint32_t at = first[cell_of(s, from[i])]++;
        memcpy(point[at], from[i], sizeof point[at]);
        memcpy(normal[at], d->mesh.normal[from_triangle[i]], sizeof normal[at]);
        triangle[at] = from_triangle[i];
    }
    for (size_t c = cells; c > 0; c--) /* each was advanced to the start of the next cell */
        first[c] = first[c - 1];
    first[0] = 0;
}

vp_status vp_decompose_sample(vp_decomposing *d, vp_error *error)
{
    uint32_t most_of = 0;
    const double count = count_samples(d, &most_of);
    if (count > VP_DECOMPOSE_MAX_SAMPLES)
        return vp_fail(error, VP_E_LIMIT, "more than %u samples with a spacing of %g: triangle %u has most of them",
                       VP_DECOMPOSE_MAX_SAMPLES, d->lengths.spacing, d->mesh.input_triangle[most_of]);
    d->sample_count = (uint32_t)count;
    const size_t room = (size_t)d->sample_count + 1;
    double(*from)[3] = vp_allocate(&d->allocator, room, sizeof *from);
    uint32_t *from_triangle = vp_allocate(&d->allocator, room, sizeof *from_triangle);
    bool done = false;
    if (from != NULL && from_triangle != NULL) {
        place_samples(d, from, from_triangle);
        build_grid(d, (const double(*)[3])from);
        const size_t cells = (size_t)d->samples.cells.x * d->samples.cells.y * d->samples.cells.z + 1;
        uint32_t *first = vp_arena_take(&d->memory, cells * sizeof *first);
        double(*point)[3] = vp_arena_take(&d->memory, room * sizeof *point);
        double(*normal)[3] = vp_arena_take(&d->memory, room * sizeof *normal);
        d->sample_triangle = vp_arena_take(&d->memory, room * sizeof *d->sample_triangle);
        done = first != NULL && point != NULL && normal != NULL && d->sample_triangle != NULL;
        if (done) {
            memset(first, 0, cells * sizeof *first);
            fill_grid(d, (const double(*)[3])from, from_triangle, first, point, normal, d->sample_triangle);
            d->samples.first = first;
            d->samples.point = (const double(*)[3])point;
            d->samples.normal = (const double(*)[3])normal;
        }
    }
    vp_release(&d->allocator, from_triangle, room, sizeof *from_triangle);
    vp_release(&d->allocator, from, room, sizeof *from);
    return done ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u samples of the surface", d->sample_count);
}
