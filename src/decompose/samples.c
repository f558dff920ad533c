/* SPDX-License-Identifier: MIT */
/* Samples of a mesh's surface, by triangle, in a tree of boxes (convex decomposition article, "Calcul de l'erreur de concavité":
 * "Échantillonnez uniformément des points sur chaque triangle et lancez-les sur une grille dans l'espace").
 *
 * A triangle has rows along its longest edge, and samples along each row, in the middles of equal parts that are no
 * longer than the spacing. It has at least one, and all are inside it. Degenerate triangles have none. Without threads the samples of a
 * triangle are placed when a hull needs them, because most hulls need none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

enum { FEW = 32 }; /* samples of a triangle that are placed at once */

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

/* Counts the samples of a triangle. Above the maximum = too many. */
static double count_samples(const vp_decomposing *d, const sample_rows *r)
{
    double count = r->rows > VP_DECOMPOSE_MAX_SAMPLES ? r->rows : 0.0;
    for (double row = 0; row < r->rows && count <= VP_DECOMPOSE_MAX_SAMPLES; row++)
        count += count_row_samples(d, r, row);
    return count;
}

/* Finds at most the lowest part of each corner in the barycentric coordinates of a triangle's samples. A row at a height `up` has
   at most length / spacing * (1 - up) + 1 samples, and 1 - up is at least 0.5 / rows. */
static void find_shares(const vp_decomposing *d, const sample_rows *r, double share[3])
{
    const double in_row = 2 * r->rows + (d->def->rows != 0 ? 0.0 : r->length / d->lengths.spacing);
    share[r->corner] = share[(r->corner + 1) % 3] = 0.5 / in_row;
    share[(r->corner + 2) % 3] = 0.5 / r->rows;
}

/* Places the first samples of a triangle. */
static void place_samples(const vp_decomposing *d, const sample_rows *r, uint32_t most, double (*point)[3])
{
    for (double row = 0; row < r->rows && most != 0; row++) {
        const double up = (row + 0.5) / r->rows, count = count_row_samples(d, r, row);
        for (double column = 0; column < count && most != 0; column++, point++, most--) {
            const double aside = (column + 0.5) / count * (1 - up);
            for (int k = 0; k < 3; k++)
                (*point)[k] = r->base[k] + (aside * r->along[k] + up * r->apex[k]);
        }
    }
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
    double corner[3][3];
    vp_decompose_set_corners(&d->mesh, triangle, corner);
    return (corner[0][axis] + corner[1][axis]) + corner[2][axis];
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

/* ---- triangles ---- */

/* Removes the samples of a triangle that have the solid in front of them, because another part covers them. @return the number that stay */
static uint32_t keep_free_samples(const vp_decomposing *d, uint32_t triangle, const vp_decompose_cuts *cuts, double (*point)[3],
                                  uint32_t count)
{
    enum { CELLS = 16 };
    uint64_t cell[CELLS], sides;
    bool is_free[CELLS + 1]; /* of each cell, and of a sample in none of them */
    uint32_t cells = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_known = vp_decompose_find_sides(d, triangle, cuts, point[i], &sides);
        uint32_t c = 0;
        while (c < cells && (!is_known || cell[c] != sides))
            c++;
        if (c == cells) {
            is_free[c] = vp_decompose_wind_before(d, triangle, point[i]) <= 0;
            if (is_known && cells < CELLS)
                cell[cells++] = sides;
        }
        if (is_free[c])
            memmove(point[kept++], point[i], sizeof *point);
    }
    return kept;
}

/* Samples a triangle, or leaves room for its samples until a hull needs them. @return their number */
static uint32_t sample_triangle(const vp_decomposing *d, uint32_t triangle, uint32_t count, double (*point)[3], bool *is_placed)
{
    const sample_rows r = rows_of(d, triangle);
    vp_decompose_cuts cuts;
    *is_placed = count <= FEW;
    place_samples(d, &r, *is_placed ? count : 1, point);
    if (count == 1)
        return vp_decompose_wind_before(d, triangle, point[0]) <= 0 ? 1 : 0;
    double share[3];
    find_shares(d, &r, share);
    vp_decompose_find_cuts(d, triangle, share, &cuts);
    if (cuts.planes == 0)
        return vp_decompose_wind_before(d, triangle, point[0]) <= 0 ? count : 0;
    if (!*is_placed)
        place_samples(d, &r, count, point);
    *is_placed = true;
    return keep_free_samples(d, triangle, &cuts, point, count);
}

static void count_covered(vp_decomposing *d, uint32_t t)
{
    const uint32_t input = d->mesh.input_triangle[t];
    if (d->mesh.input.covered++ == 0 || input < d->mesh.input.first_covered)
        d->mesh.input.first_covered = input;
}

/* Adds a triangle to the last block. @param kept  samples after those of the blocks */
static void add_slot(vp_decomposing *d, uint32_t t, uint32_t kept)
{
    vp_decompose_surface *s = &d->surface;
    vp_surface_block *block = &s->block[s->slots / VP_SURFACE_LANES];
    const uint32_t lane = s->slots % VP_SURFACE_LANES;
    const double *n = d->mesh.normal[t];
    double corner[3][3];
    if (lane == 0)
        memset(block, 0, sizeof *block);
    for (int k = 0; k < 3; k++)
        block->normal[k][lane] = n[k];
    vp_decompose_set_corners(&d->mesh, t, corner);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            block->corner[c][k][lane] = corner[c][k];
    block->offset[lane] = (n[0] * corner[0][0] + n[1] * corner[0][1]) + n[2] * corner[0][2];
    block->first[lane] = d->sample_count;
    s->triangle[s->slots++] = t;
    d->sample_count += kept;
    for (uint32_t i = lane + 1; i <= VP_SURFACE_LANES; i++)
        block->first[i] = d->sample_count;
}

/* Adds a triangle and its samples, if it has any. @param count of samples, with those that have the solid in front */
static void add_triangle(vp_decomposing *d, uint32_t t, uint32_t count)
{
    vp_decompose_surface *s = &d->surface;
    const uint32_t kept = sample_triangle(d, t, count, s->point + d->sample_count, &s->is_placed[s->slots]);
    if (kept != count)
        count_covered(d, t);
    if (kept != 0)
        add_slot(d, t, kept);
}

/* ---- parts of triangles, instead of samples ---- */

static vp_status count_part(vp_decomposing *d, uint32_t t, const double (*corner)[3], uint32_t corners)
{
    (void)t;
    (void)corner;
    d->surface.slots++;
    d->sample_count += corners;
    d->most_corners = corners > d->most_corners ? corners : d->most_corners;
    return d->sample_count <= VP_DECOMPOSE_MAX_SAMPLES ? VP_OK : VP_E_LIMIT;
}

static vp_status add_part(vp_decomposing *d, uint32_t t, const double (*corner)[3], uint32_t corners)
{
    memcpy(d->surface.point + d->sample_count, corner, corners * sizeof *corner);
    d->surface.is_placed[d->surface.slots] = true;
    add_slot(d, t, corners);
    return VP_OK;
}

/* Counts the parts of triangles that have no solid in front of them, and their corners. @param cover  of each triangle */
static vp_status count_parts_of(vp_decomposing *d, uint8_t *cover)
{
    vp_decompose_surface *s = &d->surface;
    double corner[3][3], largest = 0.0;
    for (uint32_t t = 0; t < d->mesh.input.triangles; t++) {
        vp_decompose_set_corners(&d->mesh, t, corner);
        for (int k = 0; k < 9; k++)
            largest = vp_double_max(largest, fabs(corner[k / 3][k % 3]));
    }
    d->slack = largest * 0x1p-44;
    for (uint32_t t = 0; t < d->mesh.input.triangles; t++) {
        const uint32_t slots = s->slots, corners = d->sample_count;
        cover[t] = VP_DECOMPOSE_WHOLE;
        if (!has_normal(d, t))
            continue;
        if (d->solid.boxes != 0)
            VP_RETURN_IF_FAILED(vp_decompose_cut_free(d, t, count_part, &cover[t]));
        if (cover[t] == VP_DECOMPOSE_COVERED)
            count_covered(d, t);
        if (cover[t] != VP_DECOMPOSE_WHOLE)
            continue;
        s->slots = slots;
        d->sample_count = corners;
        VP_RETURN_IF_FAILED(count_part(d, t, (const double(*)[3])corner, 3));
    }
    return VP_OK;
}

static vp_status add_parts_of(vp_decomposing *d, uint32_t t, uint8_t cover)
{
    double corner[3][3];
    if (cover != VP_DECOMPOSE_WHOLE)
        return vp_decompose_cut_free(d, t, add_part, &cover);
    vp_decompose_set_corners(&d->mesh, t, corner);
    return add_part(d, t, (const double(*)[3])corner, 3);
}

/* ---- blocks and boxes ---- */

static void add_to_box(vp_surface_box *box, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = vp_double_min(box->low[k], low[k]);
        box->high[k] = vp_double_max(box->high[k], high[k]);
    }
}

/* Adds the samples of a triangle to a box. If they are not placed, its corners. */
static void add_samples(const vp_decomposing *d, uint32_t slot, vp_surface_box *box)
{
    const vp_decompose_surface *s = &d->surface;
    const uint32_t lane = slot % VP_SURFACE_LANES, *first = s->block[slot / VP_SURFACE_LANES].first;
    for (uint32_t i = first[lane]; i < first[lane + 1] && s->is_placed[slot]; i++)
        add_to_box(box, s->point[i], s->point[i]);
    double corner[3][3];
    vp_decompose_set_corners(&d->mesh, s->triangle[slot], corner);
    for (int c = 0; c < 3 && !s->is_placed[slot]; c++) {
        double low[3], high[3];
        for (int k = 0; k < 3; k++) {
            const double x = corner[c][k], slack = fabs(x) * 0x1p-48;
            low[k] = x - slack; /* of roundings */
            high[k] = x + slack;
        }
        add_to_box(box, low, high);
    }
}

/* Makes the boxes of some blocks, each with the boxes of both halves after it. */
static void build_boxes(const vp_decomposing *d, uint32_t from, uint32_t to, uint32_t at)
{
    const uint32_t middle = from + (to - from) / 2, right = at + 2 * (middle - from);
    vp_surface_box *box = d->surface.box;
    box[at] = (vp_surface_box){.low = {INFINITY, INFINITY, INFINITY},
                               .high = {-INFINITY, -INFINITY, -INFINITY},
                               .next = at + 2 * (to - from) - 1,
                               .block = to - from == 1 ? from : VP_DECOMPOSE_NONE};
    if (to - from == 1) {
        for (uint32_t slot = from * VP_SURFACE_LANES; slot < to * VP_SURFACE_LANES && slot < d->surface.slots; slot++)
            add_samples(d, slot, &box[at]);
        return;
    }
    build_boxes(d, from, middle, at + 1);
    build_boxes(d, middle, to, right);
    add_to_box(&box[at], box[at + 1].low, box[at + 1].high);
    add_to_box(&box[at], box[right].low, box[right].high);
}

/* ---- all of it ---- */

static void place_at_need(void *user, uint32_t block, uint32_t lane)
{
    vp_decomposing *d = user;
    const uint32_t slot = block * VP_SURFACE_LANES + lane, *first = &d->surface.block[block].first[lane];
    if (d->surface.is_placed[slot])
        return;
    const sample_rows r = rows_of(d, d->surface.triangle[slot]);
    place_samples(d, &r, first[1] - first[0], d->surface.point + first[0]);
    d->surface.is_placed[slot] = true;
}

void vp_decompose_place_all(vp_decomposing *d)
{
    for (uint32_t slot = 0; slot < d->surface.slots && d->samples.place != NULL; slot++)
        place_at_need(d, slot / VP_SURFACE_LANES, slot % VP_SURFACE_LANES);
    d->samples.place = NULL;
}

uint32_t vp_decompose_sample_triangle(const vp_decomposing *d, uint32_t sample)
{
    uint32_t low = 0, high = d->surface.slots;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (d->surface.block[middle / VP_SURFACE_LANES].first[middle % VP_SURFACE_LANES] <= sample)
            low = middle;
        else
            high = middle;
    }
    return d->surface.triangle[low];
}

static vp_status report_no_memory(const vp_decomposing *d, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for %u samples of the surface", d->sample_count);
}

/* @param slots at most  @return false without memory */
static bool take_blocks(vp_decomposing *d, size_t slots)
{
    const size_t blocks = (slots + VP_SURFACE_LANES - 1) / VP_SURFACE_LANES;
    vp_decompose_surface *s = &d->surface;
    s->point = vp_arena_take(&d->memory, ((size_t)d->sample_count + 1) * sizeof *s->point);
    s->block = vp_arena_take(&d->memory, (blocks + 1) * sizeof *s->block);
    s->box = vp_arena_take(&d->memory, 2 * (blocks + 1) * sizeof *s->box);
    s->triangle = vp_arena_take(&d->memory, (slots + 1) * sizeof *s->triangle);
    s->is_placed = vp_arena_take(&d->memory, (slots + 1) * sizeof *s->is_placed);
    s->slots = d->sample_count = 0;
    return s->point != NULL && s->block != NULL && s->box != NULL && s->triangle != NULL && s->is_placed != NULL;
}

/* @param count of each triangle, or how much of it is covered  @return VP_E_MEMORY */
static vp_status fill_blocks(vp_decomposing *d, const vp_decompose_place *order, uint32_t triangles, const uint32_t *count,
                             const uint8_t *cover)
{
    vp_decompose_surface *s = &d->surface;
    if (!take_blocks(d, cover != NULL ? s->slots : triangles))
        return VP_E_MEMORY;
    for (uint32_t i = 0; i < triangles; i++) {
        const uint32_t t = order[i].triangle;
        if (cover != NULL)
            VP_RETURN_IF_FAILED(add_parts_of(d, t, cover[t]));
        else
            add_triangle(d, t, count[t]);
    }
    d->samples = (vp_surface_samples){
        .point = (const double(*)[3])s->point, .block = s->block, .box = s->box, .place = cover == NULL ? place_at_need : NULL, .user = d};
    if (s->slots != 0) {
        const uint32_t used = (s->slots + VP_SURFACE_LANES - 1) / VP_SURFACE_LANES;
        build_boxes(d, 0, used, 0);
        d->samples.boxes = 2 * used - 1;
    }
    return VP_OK;
}

/* Whether hulls can merge or grow, so that samples are needed. */
static bool may_merge(const vp_decomposing *d)
{
    return d->mesh.edges != 0 || d->solid.boxes != 0 || d->def->merge_shells;
}

/* Counts the samples of each triangle, if there are not too many. */
static vp_status count_all(vp_decomposing *d, uint32_t *its, vp_error *error)
{
    uint32_t most_of = 0;
    double count = 0.0;
    for (uint32_t t = 0; t < d->mesh.input.triangles && count <= VP_DECOMPOSE_MAX_SAMPLES; t++) {
        if (!has_normal(d, t))
            continue;
        const sample_rows r = rows_of(d, t);
        const double of_triangle = count_samples(d, &r);
        most_of = its[most_of] < of_triangle ? t : most_of;
        its[t] = (uint32_t)vp_double_min(of_triangle, UINT32_MAX);
        count += of_triangle;
    }
    if (count > VP_DECOMPOSE_MAX_SAMPLES)
        return vp_fail(error, VP_E_LIMIT, "more than %u samples with a spacing of %g: triangle %u has most of them",
                       VP_DECOMPOSE_MAX_SAMPLES, d->lengths.spacing, d->mesh.input_triangle[most_of]);
    d->sample_count = (uint32_t)count;
    return VP_OK;
}

/* Makes all samples or parts of triangles, or leaves room for them. @param its scratch, a number for each triangle */
static vp_status sample_all(vp_decomposing *d, vp_decompose_place *order, uint32_t *its, vp_error *error)
{
    uint8_t *cover = d->def->exact ? (uint8_t *)its : NULL;
    if (!d->def->exact)
        VP_RETURN_IF_FAILED(count_all(d, its, error));
    const uint32_t all = list_triangles(d, true, order);
    vp_status status = vp_decompose_build_tree(d, order, all, false, &d->solid) &&
                               (!d->by_reach || vp_decompose_build_tree(d, order, all, true, &d->every)) &&
                               vp_decompose_inspect_shells(d) && (!d->by_reach || vp_decompose_set_faces(d))
                           ? VP_OK
                           : VP_E_MEMORY;
    if (status == VP_OK && may_merge(d)) {
        status = d->def->exact ? count_parts_of(d, cover) : VP_OK;
        if (status == VP_OK)
            status = fill_blocks(d, order, list_triangles(d, false, order), its, cover);
    }
    if (status == VP_E_LIMIT && d->sample_count <= VP_DECOMPOSE_MAX_SAMPLES)
        return vp_fail(error, VP_E_LIMIT, "cancelled while the surface was cut");
    if (status == VP_E_LIMIT)
        return vp_fail(error, VP_E_LIMIT, "parts of the surface have more than %u corners", VP_DECOMPOSE_MAX_SAMPLES);
    return status == VP_OK ? VP_OK : report_no_memory(d, error);
}

vp_status vp_decompose_sample(vp_decomposing *d, vp_error *error)
{
    const uint32_t triangles = d->mesh.input.triangles;
    vp_decompose_place *order = vp_decompose_borrow(d, triangles, sizeof *order);
    uint32_t *count = vp_decompose_borrow(d, triangles, sizeof *count);
    if (count != NULL)
        memset(count, 0, triangles * sizeof *count);
    const vp_status status = order != NULL && count != NULL ? sample_all(d, order, count, error) : report_no_memory(d, error);
    vp_decompose_give_back(d, count, triangles, sizeof *count);
    vp_decompose_give_back(d, order, triangles, sizeof *order);
    return status;
}
