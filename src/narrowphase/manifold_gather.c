/* SPDX-License-Identifier: MIT */
/* Gathers the triangles of one body: those that it touches, and those of blocks and meshes that share a corner with one of them.
 *
 * A terrain delivers the triangles in the body's box. Neighbours of its triangles are found by their cells when they are
 * needed (vp_quad_reader). Other sources deliver the triangles in the body's box, grown by the size of a triangle so that
 * it contains the neighbours too. If they fit into one page, this is the only walk through the source. Otherwise the pages
 * are walked once for the touched triangles and once for their neighbours. So the number of triangles is unlimited.
 *
 * The triangles that are kept must fit into the scratch. If too many touch, the deepest are kept, by the kernel's
 * distance and then by corners. So the result does not depend on the order of the triangles. */
#include "src/narrowphase/manifold_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <voxphys/block_shapes.h>

#include "src/core/error.h"
#include "src/narrowphase/order.h"
#include "src/narrowphase/run.h"
#include "src/terrain/terrain_internal.h"

/* ---- scratch ---- */

/* Places one array of the scratch. @return the offset of the next */
static size_t place_array(unsigned char *memory, size_t at, size_t bytes, void **out)
{
    *out = memory != NULL ? memory + at : NULL;
    return at + (bytes + 15) / 16 * 16;
}

/* @param memory  NULL: only computes the size */
static size_t place_arrays(void *memory, uint32_t capacity, vp_manifold_work *w)
{
    const size_t n = capacity;
    void *piece[7];
    size_t at = place_array(memory, 0, n * sizeof *w->triangle, &piece[0]);
    at = place_array(memory, at, n * sizeof *w->answer, &piece[1]);
    at = place_array(memory, at, n * sizeof *w->raw, &piece[2]);
    at = place_array(memory, at, n * sizeof *w->marks, &piece[3]);
    at = place_array(memory, at, n * sizeof *w->order, &piece[4]);
    at = place_array(memory, at, VP_COLLIDE_CONNECT_WORDS(n) * sizeof *w->words, &piece[5]);
    w->triangle = piece[0];
    w->answer = piece[1];
    w->raw = piece[2];
    w->marks = piece[3];
    w->order = piece[4];
    w->words = piece[5];
    at = place_array(memory, at, n * VP_CONTACTS_A_TRIANGLE * sizeof *w->contact, &piece[6]);
    w->contact = piece[6]; /* also the page, until there are contacts */
    w->capacity = capacity;
    return at;
}
static_assert(sizeof(vp_collide_triangle) + sizeof(vp_collide_result) <= VP_CONTACTS_A_TRIANGLE * sizeof(vp_manifold_contact),
              "a page fits into the contacts' memory");

size_t vp_manifold_scratch_bytes(uint32_t capacity)
{
    vp_manifold_work w;
    return capacity >= VP_MANIFOLD_MIN_TRIANGLES && capacity <= VP_MANIFOLD_MAX_TRIANGLES ? place_arrays(NULL, capacity, &w) : 0;
}

vp_status vp_manifold_lay_out(vp_manifold_scratch *scratch, vp_manifold_work *out, vp_error *error)
{
    scratch->needed = VP_MANIFOLD_MIN_TRIANGLES;
    if (scratch->memory == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_scratch.memory is NULL");
    if ((uintptr_t)scratch->memory % _Alignof(max_align_t) != 0)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_scratch.memory is %p; must be aligned to %d bytes", scratch->memory,
                       (int)_Alignof(max_align_t));
    if (scratch->capacity < VP_MANIFOLD_MIN_TRIANGLES || scratch->capacity > VP_MANIFOLD_MAX_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_scratch.capacity is %u; must be %u to %u", scratch->capacity,
                       VP_MANIFOLD_MIN_TRIANGLES, VP_MANIFOLD_MAX_TRIANGLES);
    place_arrays(scratch->memory, scratch->capacity, out);
    return VP_OK;
}

vp_status vp_manifold_begin(const vp_manifold_def *def, vp_manifold_scratch *scratch, vp_kernels *default_kernels, vp_manifold_work *out,
                            vp_error *error)
{
    const vp_vec3 motion = def->motion;
    *out = (vp_manifold_work){.def = def, .kernels = def->kernels, .reach = def->margin + sqrtf(vp_vec3_dot(motion, motion))};
    VP_RETURN_IF_FAILED(vp_manifold_lay_out(scratch, out, error));
    if (!(vp_vec3_dot(motion, motion) < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.motion is (%g, %g, %g); must be shorter than 2^64", (double)motion.x,
                       (double)motion.y, (double)motion.z);
    if ((unsigned)def->surface >= VP_SURFACE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.surface is %d; must be 0 (solid) or 1 (water)", (int)def->surface);
    if (def->kernels != NULL)
        return VP_OK;
    out->kernels = default_kernels;
    return vp_kernels_default(default_kernels, error);
}

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

/* Restores a heap whose entry i has changed. The greatest entry comes first. */
static void sift_down(vp_manifold_work *w, is_less *less, uint32_t i, uint32_t count)
{
    vp_collide_triangle *t = w->triangle;
    vp_collide_result *a = w->answer;
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

static void make_heap(vp_manifold_work *w, is_less *less, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(w, less, i, count);
}

/* Length of the runs that are sorted by insertion. */
enum { SORTED_RUN = 8 };

static bool is_less_numbered(const vp_manifold_work *w, is_less *less, uint32_t i, uint32_t k)
{
    return less(&w->triangle[i], &w->answer[i], &w->triangle[k], &w->answer[k]);
}

/* Sorts the numbers [first, end) by insertion. */
static void insert_numbers(const vp_manifold_work *w, is_less *less, uint32_t first, uint32_t end)
{
    for (uint32_t i = first + 1; i < end; i++) {
        const uint32_t moved = w->order[i];
        uint32_t k = i;
        for (; k > first && is_less_numbered(w, less, moved, w->order[k - 1]); k--)
            w->order[k] = w->order[k - 1];
        w->order[k] = moved;
    }
}

static void merge_numbers(const vp_manifold_work *w, is_less *less, uint32_t first, uint32_t middle, uint32_t end, uint32_t *out)
{
    const uint32_t *order = w->order;
    for (uint32_t i = first, k = middle; i < middle || k < end;)
        *out++ = k == end || (i < middle && is_less_numbered(w, less, order[i], order[k])) ? order[i++] : order[k++];
}

/* Moves the touched triangles, with their answers, to the places of their numbers in `order`. */
static void apply_order(vp_manifold_work *w)
{
    for (uint32_t i = 0; i < w->touched; i++) {
        if (w->order[i] == i)
            continue;
        const triangle_answer first = {w->triangle[i], w->answer[i]};
        uint32_t to = i;
        for (uint32_t from = w->order[to]; from != i; from = w->order[to]) {
            w->triangle[to] = w->triangle[from];
            w->answer[to] = w->answer[from];
            w->order[to] = to;
            to = from;
        }
        w->triangle[to] = first.triangle;
        w->answer[to] = first.answer;
        w->order[to] = to;
    }
}

/* Sorts the numbers [begin, end) by merging runs. @param spare  [end] */
static void sort_numbers(vp_manifold_work *w, is_less *less, uint32_t begin, uint32_t end, uint32_t *spare)
{
    for (uint32_t first = begin; first < end; first += SORTED_RUN)
        insert_numbers(w, less, first, end - first < SORTED_RUN ? end : first + SORTED_RUN);
    for (uint32_t run = SORTED_RUN; run < end - begin; run *= 2) {
        for (uint32_t first = begin; first < end; first += 2 * run) {
            const uint32_t middle = end - first < run ? end : first + run, last = end - middle < run ? end : middle + run;
            merge_numbers(w, less, first, middle, last, spare + first);
        }
        memcpy(w->order + begin, spare + begin, (end - begin) * sizeof *spare);
    }
}

/* Sorts the touched triangles, with their answers. Their first numbers are sorted as keys, and then those with equal ones. */
static void sort_touched(vp_manifold_work *w, is_less *less)
{
    uint64_t *const key = (uint64_t *)(void *)w->words;
    uint32_t *const spare = w->words + (size_t)4 * w->touched;
    for (uint32_t i = 0; i < w->touched && w->touched <= SORTED_RUN; i++)
        w->order[i] = i;
    if (w->touched <= SORTED_RUN) {
        insert_numbers(w, less, 0, w->touched);
        apply_order(w);
        return;
    }
    for (uint32_t i = 0; i < w->touched; i++)
        key[i] = vp_order_key(less == is_deeper ? w->answer[i].distance : w->triangle[i].corner[0].x, i);
    vp_order_keys(key, key + w->touched, w->touched);
    for (uint32_t i = 0; i < w->touched; i++)
        w->order[i] = vp_order_index(key[i]);
    for (uint32_t first = 0, end; first < w->touched; first = end) {
        for (end = first + 1; end < w->touched && key[end] >> 32 == key[first] >> 32;)
            end++;
        if (end - first > 1)
            sort_numbers(w, less, first, end, spare);
    }
    apply_order(w);
}
static_assert(VP_COLLIDE_CONNECT_WORDS(1) >= 5, "keys, their spare and the numbers' fit");

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

/* Receives page[0..page_count). */
typedef void receive_page(vp_manifold_work *work);

typedef struct page_gathering {
    const vp_manifold_source *source;
    vp_manifold_work *work;
    const vp_aabb *box;
    receive_page *receive;
} page_gathering;

/* Fills the page with triangles near a cell, up to the capacity. `count` receives their number, which can exceed it. */
static vp_status fill_page(const page_gathering *g, const vp_aabb *cell, uint32_t *count, vp_error *error)
{
    vp_manifold_work *w = g->work;
    if (g->source->kind == VP_MANIFOLD_BLOCKS)
        return vp_collide_blocks(g->source->view, cell, w->page, w->capacity, count, error);
    return vp_terrain_gather_page(g->source->reader, w->def->surface, cell, &w->body_ball, w->page, w->capacity, count, error);
}

/* A cell with more triangles than a page holds is halved. */
static vp_status gather_cell(const page_gathering *g, const vp_aabb *cell, vp_error *error)
{
    vp_manifold_work *w = g->work;
    uint32_t count;
    vp_aabb half[2];
    VP_RETURN_IF_FAILED(fill_page(g, cell, &count, error));
    if (count > w->capacity) {
        if (!halve_cell(cell, half))
            return vp_fail(error, VP_E_LIMIT, "%u triangles meet in one place, and vp_manifold_scratch.capacity leaves room for %u", count,
                           w->capacity);
        for (int i = 0; i < 2; i++)
            VP_RETURN_IF_FAILED(gather_cell(g, &half[i], error));
        return VP_OK;
    }
    w->page_count = cell == g->box ? count : 0;
    for (uint32_t i = 0; i < count && cell != g->box; i++)
        if (is_of_cell(w->page[i].corner, g->box, cell))
            w->page[w->page_count++] = w->page[i];
    g->receive(w);
    return VP_OK;
}

static bool is_in_box(const vp_collide_triangle *t, const vp_aabb *box)
{
    const vp_aabb bounds = vp_triangle_bounds(t->corner);
    return vp_aabb_overlaps(&bounds, box);
}

static void gather_mesh(const page_gathering *g)
{
    vp_manifold_work *w = g->work;
    w->page_count = 0;
    for (uint32_t i = 0; i < g->source->triangle_count; i++) {
        if (!is_in_box(&g->source->triangle[i], g->box))
            continue;
        if (w->page_count == w->capacity) {
            g->receive(w);
            w->page_count = 0;
        }
        w->page[w->page_count++] = g->source->triangle[i];
    }
    g->receive(w);
}

/* Delivers each triangle whose bounds meet the box once, and maybe others, in pages in any order. */
static vp_status gather_pages(const vp_manifold_source *source, vp_manifold_work *w, const vp_aabb *box, receive_page *receive,
                              vp_error *error)
{
    const page_gathering g = {source, w, box, receive};
    w->pages = 0;
    if (source->kind != VP_MANIFOLD_MESH)
        return gather_cell(&g, box, error);
    gather_mesh(&g);
    return VP_OK;
}

/* ---- sources ---- */

vp_manifold_source vp_manifold_source_terrain(const vp_terrain_reader *reader)
{
    return (vp_manifold_source){.kind = VP_MANIFOLD_TERRAIN, .reader = reader};
}

vp_manifold_source vp_manifold_source_blocks(const vp_block_view *view)
{
    return (vp_manifold_source){.kind = VP_MANIFOLD_BLOCKS, .view = view};
}

vp_manifold_source vp_manifold_source_mesh(const vp_collide_triangle *triangle, uint32_t count)
{
    return (vp_manifold_source){.kind = VP_MANIFOLD_MESH, .triangle = triangle, .triangle_count = count};
}

static float find_reach(const vp_collide_triangle *triangle, uint32_t count)
{
    float reach = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        const vp_aabb bounds = vp_triangle_bounds(triangle[i].corner);
        const vp_vec3 size = vp_vec3_sub(bounds.max, bounds.min);
        reach = vp_max(vp_max(reach, size.x), vp_max(size.y, size.z));
    }
    return reach;
}

vp_status vp_manifold_check_source(vp_manifold_source *source, const vp_manifold_def *def, vp_error *error)
{
    if (source->kind == VP_MANIFOLD_TERRAIN)
        return vp_terrain_check_surface(source->reader->terrain, def->surface, error);
    if (source->kind == VP_MANIFOLD_BLOCKS)
        return vp_block_view_check(source->view, error);
    VP_RETURN_IF_FAILED(vp_collide_check_corners(source->triangle, source->triangle_count, error));
    VP_RETURN_IF_FAILED(vp_collide_check_normals(source->triangle, source->triangle_count, error));
    source->reach = find_reach(source->triangle, source->triangle_count);
    return VP_OK;
}

static vp_status count_triangles(const vp_manifold_source *source, const vp_manifold_work *w, const vp_aabb *box, uint32_t *count,
                                 vp_error *error)
{
    const vp_sphere everything = {w->frame.position, INFINITY};
    if (source->kind == VP_MANIFOLD_TERRAIN)
        return vp_terrain_gather_page(source->reader, w->def->surface, box, &everything, NULL, 0, count, error);
    if (source->kind == VP_MANIFOLD_BLOCKS)
        return vp_collide_blocks(source->view, box, NULL, 0, count, error);
    *count = 0;
    for (uint32_t i = 0; i < source->triangle_count; i++)
        *count += is_in_box(&source->triangle[i], box);
    return VP_OK;
}

/* ---- touched triangles ---- */

static void swap_triangles(vp_collide_triangle *a, vp_collide_triangle *b)
{
    const vp_collide_triangle t = *a;
    *a = *b;
    *b = t;
}

/* Moves the triangles of the page that meet the body's box to its begin. @return their number */
static uint32_t find_near(vp_manifold_work *w)
{
    uint32_t near = 0;
    for (uint32_t i = 0; i < w->page_count; i++)
        if (is_in_box(&w->page[i], &w->body_box))
            swap_triangles(&w->page[i], &w->page[near++]);
    return near;
}

/* Vertices from which on a hull's kernel takes so long that the ball's is worth its time. */
enum { MANY_VERTICES = 32 };

/* Moves those of the first triangles of the page that touch the ball about the body to its begin. @return their number */
static uint32_t find_in_ball(vp_manifold_work *w, uint32_t count)
{
    const vp_collide_shape ball = vp_collide_sphere(w->body_ball.radius);
    const vp_collide_job job = {.shape = &ball, .frame = w->frame, .triangle = w->page, .count = count, .result = w->page_answer};
    uint32_t near = 0;
    w->kernels->collide_sphere(&job);
    for (uint32_t i = 0; i < count; i++)
        if (w->page_answer[i].triangle_feature != VP_COLLIDE_NONE)
            swap_triangles(&w->page[i], &w->page[near++]);
    return near;
}

/* Keeps the touched triangles of a page. A full list is a heap with the shallowest triangle first. */
static void keep_touched(vp_manifold_work *w)
{
    vp_collide_job job = {.shape = w->body->shape,
                          .frame = w->frame,
                          .margin = w->reach,
                          .triangle = w->page,
                          .count = w->is_page_near ? w->page_count : find_near(w),
                          .result = w->page_answer};
    if (job.shape->kind == VP_COLLIDE_HULL && job.shape->hull->vertex_count > MANY_VERTICES)
        job.count = find_in_ball(w, job.count);
    w->pages++;
    vp_collide_run(w->kernels, &job);
    for (uint32_t i = 0; i < job.count; i++) {
        const vp_collide_triangle *t = &w->page[i];
        const vp_collide_result *a = &w->page_answer[i];
        const vp_aabb bounds = vp_triangle_bounds(t->corner);
        if (a->triangle_feature == VP_COLLIDE_NONE || a->distance > vp_manifold_margin(w->def, a->normal))
            continue;
        w->touched_bounds = w->touched_in_all == 0 ? bounds : vp_aabb_union(&w->touched_bounds, &bounds);
        w->touched_in_all++;
        if (w->touched < w->capacity) {
            w->triangle[w->touched] = *t;
            w->answer[w->touched++] = *a;
            if (w->touched == w->capacity)
                make_heap(w, is_deeper, w->capacity);
        } else if (is_deeper(t, a, &w->triangle[0], &w->answer[0])) {
            w->triangle[0] = *t;
            w->answer[0] = *a;
            sift_down(w, is_deeper, 0, w->capacity);
        }
    }
}

/* Keeps the deepest three quarters. */
static void drop_shallow(vp_manifold_work *w)
{
    sort_touched(w, is_deeper);
    w->touched = w->touched * 3 / 4;
    sort_touched(w, is_before);
}

/* ---- neighbours ---- */

/* Two hash tables in `words`: places of corners, then touched triangles. An entry is 0, or 1 + 3 * triangle + corner. */
enum { PLACE_SLOTS = 4, TRIANGLE_SLOTS = 2 };
static_assert((PLACE_SLOTS + TRIANGLE_SLOTS) * sizeof(uint32_t) <= VP_COLLIDE_CONNECT_WORDS(1) * sizeof(uint32_t), "both fit");

/* The slot of a corner's place, or the empty slot where it belongs. */
static uint32_t *find_place(const vp_manifold_work *w, vp_vec3 p)
{
    const uint32_t slots = PLACE_SLOTS * w->touched;
    uint32_t i = vp_slot_of(vp_hash_place(p), slots);
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
    uint32_t i =
        vp_slot_of(vp_hash_place(t->corner[0]) + vp_hash_place(t->corner[1]) + vp_hash_place(t->corner[2]) + t->id.triangle, slots);
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

static const vp_collide_result not_touched = {
    .distance = INFINITY, .normal = {0.0f, 1.0f, 0.0f}, .triangle_feature = VP_COLLIDE_NONE, .shape_feature = VP_COLLIDE_NONE};

/* Keeps the triangles of a page that share a corner with a touched one and are not touched. */
static void keep_neighbours(vp_manifold_work *w)
{
    for (uint32_t i = 0; i < w->page_count; i++) {
        const vp_collide_triangle *t = &w->page[i];
        if (!is_in_box(t, &w->kept_bounds) ||
            (*find_place(w, t->corner[0]) == 0 && *find_place(w, t->corner[1]) == 0 && *find_place(w, t->corner[2]) == 0) ||
            *find_triangle(w, t) != 0)
            continue;
        if (w->count < w->capacity) {
            w->triangle[w->count] = *t;
            w->answer[w->count++] = not_touched;
        }
        w->needed_count++;
    }
}

/* Finds the neighbours in the page if it has all triangles, otherwise in the source. */
static vp_status gather_neighbours(vp_manifold_work *w, const vp_manifold_source *source, vp_error *error)
{
    w->count = w->needed_count = w->touched;
    if (source->kind == VP_MANIFOLD_TERRAIN)
        return VP_OK;
    w->kept_bounds = vp_triangle_bounds(w->triangle[0].corner);
    for (uint32_t i = 1; i < w->touched; i++) {
        const vp_aabb bounds = vp_triangle_bounds(w->triangle[i].corner);
        w->kept_bounds = vp_aabb_union(&w->kept_bounds, &bounds);
    }
    hash_touched(w);
    if (!w->is_one_page)
        return gather_pages(source, w, &w->kept_bounds, keep_neighbours, error);
    keep_neighbours(w);
    return VP_OK;
}

/* ---- the whole ---- */

/* The ball about the body that has all triangles of a terrain within the margin. Its slack is far above the kernels' roundings. */
static vp_sphere find_ball(const vp_manifold_work *w)
{
    const vp_vec3 p = w->frame.position;
    const float reach = vp_collide_radius(w->body->shape) + w->reach, size = vp_max(vp_max(fabsf(p.x), fabsf(p.y)), fabsf(p.z));
    return (vp_sphere){p, reach + (reach + size + 2.0f) * 0x1p-18f};
}

/* Grows an axis of the body's box so that it contains the corners of all triangles that meet it. */
static void grow_axis(const vp_manifold_source *source, float *min, float *max)
{
    const float low = *min, high = *max, limit = nextafterf(VP_COLLIDE_BLOCK_REACH, 0.0f);
    if (source->kind == VP_MANIFOLD_MESH) { /* and by more than the rounding error */
        *min = low - (source->reach + (fabsf(low) + source->reach) * 0x1p-20f);
        *max = high + (source->reach + (fabsf(high) + source->reach) * 0x1p-20f);
    } else if (low > -VP_COLLIDE_BLOCK_REACH && high < VP_COLLIDE_BLOCK_REACH) {
        *min = vp_max(ceilf(low) - 1.0f, -limit);
        *max = vp_min(floorf(high) + 1.0f, limit);
    }
}

static vp_aabb find_box(const vp_manifold_work *w, const vp_manifold_source *source)
{
    vp_aabb box = w->body_box;
    if (source->kind == VP_MANIFOLD_TERRAIN) /* finds the neighbours by their cells */
        return box;
    grow_axis(source, &box.min.x, &box.max.x);
    grow_axis(source, &box.min.y, &box.max.y);
    grow_axis(source, &box.min.z, &box.max.z);
    return box;
}

/* Grows a body's bounds so that they contain all contacts that count with a motion. Along a normal n these are up to -motion * n farther
 * away. Points at that distance along -n are on the sphere around motion/2 through 0. */
static vp_aabb grow_by_motion(const vp_aabb *box, vp_vec3 motion)
{
    const float length = sqrtf(vp_vec3_dot(motion, motion));
    const vp_vec3 radius = {0.5f * length, 0.5f * length, 0.5f * length}, centre = vp_vec3_scale(motion, 0.5f);
    return (vp_aabb){vp_vec3_add(box->min, vp_vec3_sub(centre, radius)), vp_vec3_add(box->max, vp_vec3_add(centre, radius))};
}

vp_status vp_manifold_gather(vp_manifold_work *w, const vp_manifold_source *source, uint32_t *needed, vp_error *error)
{
    w->count = w->touched = w->touched_in_all = w->needed_count = 0;
    *needed = 0;
    VP_RETURN_IF_NULL_NAMED(error, "vp_manifold_body.shape", w->body->shape);
    VP_RETURN_IF_FAILED(vp_collide_frame_and_bounds(w->body->shape, &w->body->pose, w->def->margin, &w->frame, &w->body_box, error));
    w->body_box = grow_by_motion(&w->body_box, w->def->motion);
    w->body_ball = find_ball(w);
    w->is_page_near = source->kind == VP_MANIFOLD_TERRAIN;
    const vp_aabb box = find_box(w, source);
    VP_RETURN_IF_FAILED(gather_pages(source, w, &box, keep_touched, error));
    if (w->touched == 0)
        return VP_OK;
    w->is_one_page = w->pages == 1 && source->kind != VP_MANIFOLD_TERRAIN;
    sort_touched(w, is_before);
    vp_status status = gather_neighbours(w, source, error);
    while (status == VP_OK && w->needed_count > w->capacity && w->touched > 1) {
        drop_shallow(w);
        status = gather_neighbours(w, source, error);
    }
    if (w->needed_count > w->capacity)
        w->count = w->touched = 0;
    *needed = w->count;
    if (status == VP_OK && w->touched != w->touched_in_all)
        status = count_triangles(source, w, &w->touched_bounds, needed, error);
    return status;
}
