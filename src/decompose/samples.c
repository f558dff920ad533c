/* SPDX-License-Identifier: MIT */
/* Samples of a mesh's surface, by triangle, in a tree of boxes (convex decomposition article, "Calcul de l'erreur de concavité":
 * "Échantillonnez uniformément des points sur chaque triangle et lancez-les sur une grille dans l'espace").
 *
 * A triangle has rows along its longest edge, and samples along each row, in the middles of equal parts that are no
 * longer than the spacing. It has at least one, and all are inside it. Degenerate triangles have none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

/* The layout of a triangle's samples. */
typedef struct sample_rows {
    double base[3], along[3], apex[3]; /* a corner of the longest edge, the vector to its other end, and the vector to the third corner */
    double length;                     /* of the edge */
    double rows;
    int corner; /* number of the base */
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
    sample_rows r = {.base = {(double)base.x, (double)base.y, (double)base.z}, .length = sqrt(square[longest]), .corner = longest};
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
        max = vp_double_max(its, max);
    }
    return count;
}

/* Places the samples of a triangle. @return the number after the last */
static uint32_t place_samples(const vp_decomposing *d, uint32_t triangle, double (*point)[3], uint32_t *sample_triangle, uint32_t i)
{
    const sample_rows r = rows_of(d, triangle);
    for (double row = 0; row < r.rows; row++) {
        const double up = (row + 0.5) / r.rows, count = count_row_samples(d, &r, row);
        for (double column = 0; column < count; column++, i++) {
            const double aside = (column + 0.5) / count * (1 - up);
            for (int k = 0; k < 3; k++)
                point[i][k] = r.base[k] + (aside * r.along[k] + up * r.apex[k]);
            sample_triangle[i] = triangle;
        }
    }
    return i;
}

/* ---- the order of triangles ---- */

static int compare_places(const void *a, const void *b)
{
    const vp_decompose_place *p = a, *q = b;
    if (p->morton != q->morton)
        return p->morton < q->morton ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

/* Spreads ten bits, two zeros after each. */
static uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

static double add_corners(const vp_decomposing *d, uint32_t triangle, int axis)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (double)(&d->mesh.vertex[d->mesh.triangle[triangle][k]].x)[axis];
    return sum;
}

/* Lists all triangles, or those that have samples, near ones together. @return their number */
static uint32_t list_triangles(const vp_decomposing *d, bool all, vp_decompose_place *out)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, size = 0.0;
    uint32_t count = 0;
    for (uint32_t t = 0; t < d->mesh.input.triangles; t++)
        for (int k = 0; k < 3 && (all || has_normal(d, t)); k++)
            low[k] = vp_double_min(low[k], add_corners(d, t, k));
    for (uint32_t t = 0; t < d->mesh.input.triangles; t++)
        for (int k = 0; k < 3 && (all || has_normal(d, t)); k++)
            size = vp_double_max(size, add_corners(d, t, k) - low[k]);
    for (uint32_t t = 0; t < d->mesh.input.triangles; t++) {
        if (!all && !has_normal(d, t))
            continue;
        out[count] = (vp_decompose_place){0, t};
        for (int k = 0; k < 3 && size > 0.0; k++)
            out[count].morton |= spread_bits((uint32_t)((add_corners(d, t, k) - low[k]) / size * 1023.0)) << k;
        count++;
    }
    qsort(out, count, sizeof *out, compare_places);
    return count;
}

/* ---- blocks and boxes ---- */

/* The lowest part of each corner in the barycentric coordinates of a triangle's samples. */
static void find_shares(const vp_decomposing *d, uint32_t triangle, double share[3])
{
    const sample_rows r = rows_of(d, triangle);
    double least = 1.0;
    for (double row = 0; row < r.rows; row++)
        least = vp_double_min(least, 0.5 / count_row_samples(d, &r, row) * (1 - (row + 0.5) / r.rows));
    share[r.corner] = share[(r.corner + 1) % 3] = least;
    share[(r.corner + 2) % 3] = 0.5 / r.rows;
}

/* Removes the samples of a triangle that have the solid in front of them, because another part covers them. @return the number after
   the last */
static uint32_t keep_free_samples(const vp_decomposing *d, uint32_t triangle, double (*point)[3], uint32_t begin, uint32_t end)
{
    uint32_t kept = begin;
    double share[3];
    find_shares(d, triangle, share);
    if (end - begin > 1 && !vp_decompose_is_crossed(d, triangle, share))
        return vp_decompose_wind_before(d, triangle, point[begin]) <= 0 ? end : begin;
    for (uint32_t i = begin; i < end; i++)
        if (vp_decompose_wind_before(d, triangle, point[i]) <= 0)
            memmove(point[kept++], point[i], sizeof *point);
    return kept;
}

static void fill_block(vp_decomposing *d, const vp_decompose_place *from, uint32_t count, double (*point)[3], uint32_t *first,
                       vp_surface_block *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t lane = 0; lane < VP_SURFACE_LANES; lane++) {
        out->first[lane] = *first;
        if (lane >= count)
            continue;
        const uint32_t t = from[lane].triangle;
        const double *n = d->mesh.normal[t];
        const vp_vec3 corner = d->mesh.vertex[d->mesh.triangle[t][0]];
        for (int k = 0; k < 3; k++)
            out->normal[k][lane] = n[k];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                out->corner[c][k][lane] = (double)(&d->mesh.vertex[d->mesh.triangle[t][c]].x)[k];
        out->offset[lane] = (n[0] * (double)corner.x + n[1] * (double)corner.y) + n[2] * (double)corner.z;
        const uint32_t begin = *first, end = place_samples(d, t, point, d->sample_triangle, begin);
        *first = keep_free_samples(d, t, point, begin, end);
        if (*first == end)
            continue;
        const uint32_t input = d->mesh.input_triangle[t];
        if (d->mesh.input.covered++ == 0 || input < d->mesh.input.first_covered)
            d->mesh.input.first_covered = input;
    }
    out->first[VP_SURFACE_LANES] = *first;
}

static void add_to_box(vp_surface_box *box, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = vp_double_min(box->low[k], low[k]);
        box->high[k] = vp_double_max(box->high[k], high[k]);
    }
}

/* Makes the boxes of some blocks, each with the boxes of both halves after it. */
static void build_boxes(const vp_surface_block *block, const double (*point)[3], uint32_t from, uint32_t to, uint32_t at,
                        vp_surface_box *box)
{
    const uint32_t middle = from + (to - from) / 2, right = at + 2 * (middle - from);
    box[at] = (vp_surface_box){.low = {INFINITY, INFINITY, INFINITY},
                               .high = {-INFINITY, -INFINITY, -INFINITY},
                               .next = at + 2 * (to - from) - 1,
                               .block = to - from == 1 ? from : VP_DECOMPOSE_NONE};
    if (to - from == 1) {
        for (uint32_t i = block[from].first[0]; i < block[from].first[VP_SURFACE_LANES]; i++)
            add_to_box(&box[at], point[i], point[i]);
        return;
    }
    build_boxes(block, point, from, middle, at + 1, box);
    build_boxes(block, point, middle, to, right, box);
    add_to_box(&box[at], box[at + 1].low, box[at + 1].high);
    add_to_box(&box[at], box[right].low, box[right].high);
}

static vp_status report_no_memory(const vp_decomposing *d, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for %u samples of the surface", d->sample_count);
}

/* @return false without memory */
static bool fill_blocks(vp_decomposing *d, const vp_decompose_place *triangle, uint32_t triangles)
{
    const size_t room = (size_t)d->sample_count + 1, blocks = ((size_t)triangles + VP_SURFACE_LANES - 1) / VP_SURFACE_LANES;
    double(*point)[3] = vp_arena_take(&d->memory, room * sizeof *point);
    vp_surface_block *block = vp_arena_take(&d->memory, (blocks + 1) * sizeof *block);
    vp_surface_box *box = vp_arena_take(&d->memory, 2 * (blocks + 1) * sizeof *box);
    d->sample_triangle = vp_arena_take(&d->memory, room * sizeof *d->sample_triangle);
    if (point == NULL || block == NULL || box == NULL || d->sample_triangle == NULL)
        return false;
    uint32_t first = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t from = b * VP_SURFACE_LANES, left = triangles - from;
        fill_block(d, triangle + from, left < VP_SURFACE_LANES ? left : VP_SURFACE_LANES, point, &first, &block[b]);
    }
    d->sample_count = first;
    d->samples = (vp_surface_samples){.point = (const double(*)[3])point, .block = block, .box = box};
    if (blocks != 0) {
        build_boxes(block, d->samples.point, 0, (uint32_t)blocks, 0, box);
        d->samples.boxes = 2 * (uint32_t)blocks - 1;
    }
    return true;
}

vp_status vp_decompose_sample(vp_decomposing *d, vp_error *error)
{
    uint32_t most_of = 0;
    const double count = count_samples(d, &most_of);
    if (count > VP_DECOMPOSE_MAX_SAMPLES)
        return vp_fail(error, VP_E_LIMIT, "more than %u samples with a spacing of %g: triangle %u has most of them",
                       VP_DECOMPOSE_MAX_SAMPLES, d->lengths.spacing, d->mesh.input_triangle[most_of]);
    d->sample_count = (uint32_t)count;
    const uint32_t triangles = d->mesh.input.triangles;
    vp_decompose_place *order = vp_allocate(&d->allocator, triangles, sizeof *order);
    if (order == NULL)
        return report_no_memory(d, error);
    const bool done = vp_decompose_build_solid(d, order, list_triangles(d, true, order)) && vp_decompose_inspect_shells(d) &&
                      fill_blocks(d, order, list_triangles(d, false, order));
    vp_release(&d->allocator, order, triangles, sizeof *order);
    return done ? VP_OK : report_no_memory(d, error);
}
