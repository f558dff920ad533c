/* SPDX-License-Identifier: MIT */
/* Gathers the triangles of one body: those that it touches, and those that share a corner with one of them, which
 * determine the edge flags.
 *
 * A source delivers triangles in pages, so their number is unlimited. The triangles that are kept must fit into the
 * scratch. If too many touch, the deepest are kept, by the kernel's distance and then by corners. So the result does
 * not depend on the order of the triangles. */
#include "src/narrowphase/manifold_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "src/core/error.h"

/* ---- order ---- */

/* Compares corner by corner, x first, then ids. */
static bool has_lower_corners(const vp_collide_triangle *a, const vp_collide_triangle *b)
{
    for (int k = 0; k < 3; k++) {
        const vp_vec3 p = a->corner[k], q = b->corner[k];
        if (p.x != q.x)
            return p.x < q.x;
        if (p.y != q.y)
            return p.y < q.y;
        if (p.z != q.z)
            return p.z < q.z;
    }
    return a->id.chunk != b->id.chunk ? a->id.chunk < b->id.chunk : a->id.triangle < b->id.triangle;
}

typedef struct triangle_answer {
    vp_collide_triangle triangle;
    vp_collide_result answer;
} triangle_answer;

typedef bool is_less(const vp_collide_triangle *t, const vp_collide_result *a, const vp_collide_triangle *u, const vp_collide_result *b);

static bool is_before(const vp_collide_triangle *t, const vp_collide_result *a, const vp_collide_triangle *u, const vp_collide_result *b)
{
    (void)a, (void)b;
    return has_lower_corners(t, u);
}

static bool is_deeper(const vp_collide_triangle *t, const vp_collide_result *a, const vp_collide_triangle *u, const vp_collide_result *b)
{
    return a->distance != b->distance ? a->distance < b->distance : has_lower_corners(t, u);
}

/* Restores a heap whose entry i has changed. The greatest entry comes first. Heap and i start at `first`. */
static void sift_down(vp_manifold_work *w, is_less *less, uint32_t first, uint32_t i, uint32_t count)
{
    vp_collide_triangle *t = w->triangle + first;
    vp_collide_result *a = w->answer + first;
    const triangle_answer moved = {t[i], a[i]};
    for (uint32_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && less(&t[child], &a[child], &t[child + 1], &a[child + 1]);
        if (!less(&moved.triangle, &moved.answer, &t[child], &a[child]))
            break;
        t[i] = t[child];
        a[i] = a[child];
        i = child;
    }
    t[i] = moved.triangle;
    a[i] = moved.answer;
}

static void make_heap(vp_manifold_work *w, is_less *less, uint32_t first, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(w, less, first, i, count);
}

/* Sorts triangles first to first + count - 1, with their answers. */
static void sort_triangles(vp_manifold_work *w, is_less *less, uint32_t first, uint32_t count)
{
    vp_collide_triangle *t = w->triangle + first;
    vp_collide_result *a = w->answer + first;
    make_heap(w, less, first, count);
    for (uint32_t end = count; end-- > 1;) {
        const triangle_answer last = {t[end], a[end]};
        t[end] = t[0];
        a[end] = a[0];
        t[0] = last.triangle;
        a[0] = last.answer;
        sift_down(w, less, first, 0, end);
    }
}

/* ---- pages ---- */

/* Whether a triangle meets the box and belongs to this cell. The cells partition the box, and the lowest place of the
 * triangle in the box is in exactly one of them. */
static bool is_of_cell(const vp_vec3 corner[3], const vp_aabb *box, const vp_aabb *cell)
{
    const vp_aabb bounds = vp_triangle_bounds(corner);
    const vp_vec3 p = vp_vec3_max(bounds.min, box->min);
    return vp_aabb_overlaps(&bounds, box) && p.x >= cell->min.x && p.y >= cell->min.y && p.z >= cell->min.z &&
           (p.x < cell->max.x || cell->max.x == box->max.x) && (p.y < cell->max.y || cell->max.y == box->max.y) &&
           (p.z < cell->max.z || cell->max.z == box->max.z);
}

/* Halves a cell across its longest side.  @return false if it is too small */
static bool halve_cell(const vp_aabb *cell, vp_aabb half[2])
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

static vp_status gather_cell(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, const vp_aabb *cell,
                             vp_manifold_fill *fill, vp_manifold_receive *receive, vp_error *error)
{
    uint32_t count;
    vp_aabb half[2];
    vp_status status = fill(source, work, cell, &count, error);
    if (status == VP_OK && count > work->capacity) {
        if (!halve_cell(cell, half))
            return vp_fail(error, VP_E_LIMIT, "%u triangles meet in one place, and the scratch has room for %u", count, work->capacity);
        for (int i = 0; i < 2 && status == VP_OK; i++)
            status = gather_cell(source, work, box, &half[i], fill, receive, error);
        return status;
    }
    work->page_count = 0;
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        if (is_of_cell(work->page[i].corner, box, cell))
            work->page[work->page_count++] = work->page[i];
    return status == VP_OK ? receive(work, error) : status;
}

vp_status vp_manifold_gather_cells(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_manifold_fill *fill,
                                   vp_manifold_receive *receive, vp_error *error)
{
    return gather_cell(source, work, box, box, fill, receive, error);
}

/* ---- touched triangles ---- */

/* Keeps the touched triangles of a page. A full list is a heap with the shallowest triangle first. */
static vp_status keep_touched(vp_manifold_work *w, vp_error *error)
{
    const vp_manifold_body *body = w->body;
    const vp_status status =
        vp_collide_triangles(w->kernels, body->shape, &body->pose, w->def->margin, w->page, w->page_count, w->page_answer, error);
    for (uint32_t i = 0; status == VP_OK && i < w->page_count; i++) {
        const vp_collide_triangle *t = &w->page[i];
        const vp_collide_result *a = &w->page_answer[i];
        const vp_aabb bounds = vp_triangle_bounds(t->corner);
        if (a->triangle_feature == VP_COLLIDE_NONE)
            continue;
        w->touched_bounds = w->touched_in_all == 0 ? bounds : vp_aabb_union(&w->touched_bounds, &bounds);
        w->touched_in_all++;
        if (w->touched < w->capacity) {
            w->triangle[w->touched] = *t;
            w->answer[w->touched++] = *a;
            if (w->touched == w->capacity)
                make_heap(w, is_deeper, 0, w->capacity);
        } else if (is_deeper(t, a, &w->triangle[0], &w->answer[0])) {
            w->triangle[0] = *t;
            w->answer[0] = *a;
            sift_down(w, is_deeper, 0, 0, w->capacity);
        }
    }
    return status;
}

/* Keeps the deepest three quarters. */
static void drop_shallow(vp_manifold_work *w)
{
    sort_triangles(w, is_deeper, 0, w->touched);
    w->touched = w->touched * 3 / 4;
    sort_triangles(w, is_before, 0, w->touched);
}

/* ---- neighbours ---- */

/* Two hash tables in `words`: places of corners, then touched triangles. An entry is 0, or 1 + 3 * triangle + corner. */
enum { PLACE_SLOTS = 4, TRIANGLE_SLOTS = 2 };
static_assert((PLACE_SLOTS + TRIANGLE_SLOTS) * sizeof(uint32_t) <= VP_COLLIDE_CONNECT_WORDS(1) * sizeof(uint32_t), "both fit");

static uint32_t mix_number(uint32_t hash, float number)
{
    uint32_t bits;
    number += 0.0f; /* -0 and 0 are the same place */
    memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * UINT32_C(0x9e3779b1);
    return hash ^ hash >> 15;
}

static uint32_t mix_place(uint32_t hash, vp_vec3 p)
{
    return mix_number(mix_number(mix_number(hash, p.x), p.y), p.z);
}

/* The slot of a corner's place, or the empty slot where it belongs. */
static uint32_t *find_place(const vp_manifold_work *w, vp_vec3 p)
{
    const uint32_t slots = PLACE_SLOTS * w->touched;
    uint32_t i = (uint32_t)((uint64_t)mix_place(0, p) * slots >> 32);
    for (;; i = i + 1 < slots ? i + 1 : 0) {
        const uint32_t at = w->words[i];
        if (at == 0 || vp_is_same_place(w->triangle[(at - 1) / 3].corner[(at - 1) % 3], p))
            return &w->words[i];
    }
}

static bool is_same(const vp_collide_triangle *a, const vp_collide_triangle *b)
{
    return a->id.chunk == b->id.chunk && a->id.triangle == b->id.triangle && vp_is_same_place(a->corner[0], b->corner[0]) &&
           vp_is_same_place(a->corner[1], b->corner[1]) && vp_is_same_place(a->corner[2], b->corner[2]);
}

/* The slot of a touched triangle, or the empty slot where it belongs. */
static uint32_t *find_triangle(const vp_manifold_work *w, const vp_collide_triangle *t)
{
    uint32_t *const table = w->words + (size_t)PLACE_SLOTS * w->touched, slots = TRIANGLE_SLOTS * w->touched;
    const uint32_t hash = mix_place(mix_place(mix_place(t->id.triangle, t->corner[0]), t->corner[1]), t->corner[2]);
    uint32_t i = (uint32_t)((uint64_t)hash * slots >> 32);
    for (;; i = i + 1 < slots ? i + 1 : 0)
        if (table[i] == 0 || is_same(&w->triangle[(table[i] - 1) / 3], t))
            return &table[i];
}

static void hash_touched(vp_manifold_work *w)
{
    memset(w->words, 0, (size_t)(PLACE_SLOTS + TRIANGLE_SLOTS) * w->touched * sizeof *w->words);
    for (uint32_t i = 0; i < w->touched; i++) {
        *find_triangle(w, &w->triangle[i]) = 1 + 3 * i;
        for (uint32_t k = 0; k < 3; k++)
            *find_place(w, w->triangle[i].corner[k]) = 1 + 3 * i + k;
    }
}

/* Keeps the triangles of a page that share a corner with a touched one and are not touched. */
static vp_status keep_neighbours(vp_manifold_work *w, vp_error *error)
{
    (void)error;
    for (uint32_t i = 0; i < w->page_count; i++) {
        const vp_collide_triangle *t = &w->page[i];
        if (*find_triangle(w, t) != 0 ||
            (*find_place(w, t->corner[0]) == 0 && *find_place(w, t->corner[1]) == 0 && *find_place(w, t->corner[2]) == 0))
            continue;
        if (w->count < w->capacity) {
            w->triangle[w->count] = *t;
            w->answer[w->count++] = (vp_collide_result){
                .distance = INFINITY, .normal = {0.0f, 1.0f, 0.0f}, .triangle_feature = VP_COLLIDE_NONE, .shape_feature = VP_COLLIDE_NONE};
        }
        w->needed_count++;
    }
    return VP_OK;
}

static vp_status gather_neighbours(vp_manifold_work *w, const vp_manifold_source *source, vp_error *error)
{
    vp_aabb box = vp_triangle_bounds(w->triangle[0].corner);
    for (uint32_t i = 1; i < w->touched; i++) {
        const vp_aabb bounds = vp_triangle_bounds(w->triangle[i].corner);
        box = vp_aabb_union(&box, &bounds);
    }
    w->count = w->needed_count = w->touched;
    hash_touched(w);
    return source->gather(source, w, &box, keep_neighbours, error);
}

/* ---- the whole ---- */

vp_status vp_manifold_gather(vp_manifold_work *w, const vp_manifold_source *source, vp_error *error)
{
    vp_aabb box;
    const vp_manifold_body *body = w->body;
    w->count = w->touched = w->touched_in_all = w->needed_count = 0;
    vp_status status = vp_collide_bounds(body->shape, &body->pose, w->def->margin, &box, error);
    if (status == VP_OK)
        status = vp_collide_frame_of(&body->pose, &w->frame, error);
    if (status == VP_OK)
        status = source->gather(source, w, &box, keep_touched, error);
    if (status != VP_OK || w->touched == 0)
        return status;
    sort_triangles(w, is_before, 0, w->touched);
    status = gather_neighbours(w, source, error);
    while (status == VP_OK && w->needed_count > w->capacity && w->touched > 1) {
        drop_shallow(w);
        status = gather_neighbours(w, source, error);
    }
    if (w->needed_count > w->capacity)
        w->count = w->touched = 0;
    sort_triangles(w, is_before, w->touched, w->count - w->touched);
    return status;
}
