/* SPDX-License-Identifier: MIT */
/* Manifolds of one body, from triangles to points: the steps, and the public functions. */
#include "src/narrowphase/manifold_internal.h"

#include <assert.h>
#include <math.h>

#include "src/core/error.h"
#include "src/narrowphase/local.h"
#include "src/narrowphase/run.h"

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
    *out = (vp_manifold_work){.def = def, .kernels = def->kernels};
    VP_RETURN_IF_FAILED(vp_manifold_lay_out(scratch, out, error));
    if ((unsigned)def->surface >= VP_SURFACE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.surface is %d; must be 0 (solid) or 1 (water)", (int)def->surface);
    if (def->kernels != NULL)
        return VP_OK;
    out->kernels = default_kernels;
    return vp_kernels_default(default_kernels, error);
}

/* ---- choosing ---- */

static uint32_t choose_manifolds(vp_manifold_work *w, vp_manifold *out, uint32_t capacity)
{
    uint32_t made = 0;
    if (w->def->by_chunk)
        vp_manifold_sort_by_chunk(w);
    for (uint32_t first = 0, end; first < w->contacts; first = end) {
        vp_manifold chosen[VP_MANIFOLD_DIRECTIONS];
        const bool fits = capacity >= VP_MANIFOLD_DIRECTIONS && made <= capacity - VP_MANIFOLD_DIRECTIONS;
        const uint32_t chunk = w->def->by_chunk ? w->triangle[w->contact[first].triangle].id.chunk : VP_COLLIDE_NO_CHUNK;
        vp_manifold_work part = *w;
        end = w->def->by_chunk ? first : w->contacts;
        while (end < w->contacts && w->triangle[w->contact[end].triangle].id.chunk == chunk)
            end++;
        part.contact += first;
        part.contacts = end - first;
        const uint32_t count = vp_manifold_choose(&part, chunk, fits ? out + made : chosen);
        for (uint32_t i = 0; i < count; i++, made++)
            if (!fits && made < capacity)
                out[made] = chosen[i];
    }
    return made;
}

/* ---- parts of a body ---- */

/* Corrects the answers of all gathered triangles. */
static void correct_contacts(vp_manifold_work *w)
{
    const vp_collide_job job = {.shape = w->body->shape,
                                .frame = w->frame,
                                .margin = w->def->margin,
                                .triangle = w->triangle,
                                .count = w->count,
                                .result = w->answer};
    for (uint32_t i = 0; i < w->touched; i++) {
        w->raw[i] = w->answer[i].normal;
        w->marks[i] = w->answer[i].distance <= 0.0f ? VP_MANIFOLD_OVERLAPPED : 0;
    }
    vp_terrain_edges edges = {.quads = w->quads, .triangle = w->triangle, .marks = w->marks};
    if (w->quads != NULL)
        vp_begin_edges(&edges, w->touched, w->words);
    vp_correct_answers(w->kernels, &job, w->touched, w->words, w->quads != NULL ? &edges : NULL);
}

void vp_manifold_begin_body(vp_manifold_work *work, uint32_t share)
{
    work->count = work->contacts = work->needed_by_parts = 0;
    work->quads = NULL;
    work->share = share;
    work->lost = work->is_lazy = false;
}

/* @return NULL for sources that are no terrain */
static vp_quad_reader *begin_quads(const vp_manifold_work *work, vp_quad_reader *quads)
{
    if (work->source->kind != VP_MANIFOLD_TERRAIN)
        return NULL;
    vp_quads_begin(work->source->reader, work->def->surface, quads);
    return quads;
}

/* The scratch that the triangles of earlier parts leave. Contacts of earlier parts are stored before it. */
static vp_manifold_work rest_of(const vp_manifold_work *work, const vp_manifold_body *part)
{
    const uint32_t n = work->count, room = work->capacity - n;
    vp_manifold_work w = *work;
    w.body = part;
    w.capacity = room < work->share ? room : work->share;
    w.count = w.contacts = 0;
    w.triangle += n;
    w.answer += n;
    w.raw += n;
    w.marks += n;
    w.order += n;
    w.words += VP_COLLIDE_CONNECT_WORDS(n);
    w.contact += (size_t)n * VP_CONTACTS_A_TRIANGLE;
    w.page = (void *)w.contact;
    w.page_answer = (void *)(w.page + w.capacity);
    return w;
}

/* Appends the contacts of a part to those of earlier parts. */
static void append_contacts(vp_manifold_work *work, const vp_manifold_work *part, uint16_t number, vp_vec3 offset)
{
    const bool is_shifted = offset.x != 0.0f || offset.y != 0.0f || offset.z != 0.0f;
    for (uint32_t i = 0; i < part->contacts; i++) {
        vp_manifold_contact c = part->contact[i];
        c.triangle += work->count;
        c.body_part = number;
        if (is_shifted) {
            c.on_shape = vp_vec3_add(c.on_shape, offset);
            c.on_triangle = vp_vec3_add(c.on_triangle, offset);
        }
        work->contact[work->contacts++] = c;
    }
    work->count += part->count;
}

vp_status vp_manifold_add_part(vp_manifold_work *work, const vp_manifold_body *part, uint16_t number, vp_vec3 offset,
                               const vp_manifold_source *source, vp_error *error)
{
    vp_quad_reader quads;
    uint32_t needed;
    work->source = source;
    work->part_needed = 0;
    vp_manifold_work w = rest_of(work, part);
    if (w.capacity < VP_MANIFOLD_MIN_TRIANGLES) {
        work->lost = true;
        return VP_OK;
    }
    VP_RETURN_IF_FAILED(vp_manifold_gather(&w, source, &needed, error));
    if (w.touched > 0) {
        w.quads = begin_quads(&w, &quads);
        correct_contacts(&w);
        w.radius = vp_collide_radius(part->shape);
        vp_manifold_find_contacts(&w);
        VP_RETURN_IF_FAILED(w.quads != NULL ? vp_quads_end(w.quads, error) : VP_OK);
    }
    work->lost = work->lost || w.touched != w.touched_in_all;
    append_contacts(work, &w, number, offset);
    if (work->is_lazy) { /* the only part */
        work->body = w.body;
        work->frame = w.frame;
        work->touched = w.touched;
        work->kept = w.kept;
        work->is_lazy = w.is_lazy;
    }
    const uint32_t room = work->needed_by_parts + (needed > VP_MANIFOLD_MIN_TRIANGLES ? needed : VP_MANIFOLD_MIN_TRIANGLES);
    work->needed = room > work->needed ? room : work->needed;
    work->needed_by_parts += needed;
    work->part_needed = needed;
    return VP_OK;
}

vp_status vp_manifold_end_body(vp_manifold_work *work, float radius, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                               uint32_t *made, vp_error *error)
{
    vp_quad_reader quads;
    vp_status status = VP_OK;
    work->radius = radius;
    *made = 0;
    if (work->contacts > 0) {
        work->quads = begin_quads(work, &quads);
        *made = choose_manifolds(work, out, capacity);
        status = work->quads != NULL ? vp_quads_end(work->quads, error) : VP_OK;
    }
    if (status != VP_OK) {
        *made = 0;
        return status;
    }
    scratch->needed = work->needed > scratch->needed ? work->needed : scratch->needed;
    return work->lost
               ? vp_fail(error, VP_E_LIMIT, "vp_manifold_scratch.capacity is %u; the body needs up to %u: the deepest contacts are kept",
                         work->capacity, work->needed)
               : VP_OK;
}

/* ---- convex bodies ---- */

static vp_status make_body(vp_manifold_work *work, const vp_manifold_body *body, const vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    *made = 0;
    work->needed = 0;
    vp_manifold_begin_body(work, work->capacity);
    work->is_lazy = !work->def->by_chunk;
    VP_RETURN_IF_FAILED(vp_manifold_add_part(work, body, 0, (vp_vec3){0.0f, 0.0f, 0.0f}, source, error));
    return vp_manifold_end_body(work, vp_collide_radius(body->shape), scratch, out, capacity, made, error);
}

static vp_status make_manifolds(const vp_manifold_def *def, const vp_manifold_body *body, const vp_manifold_source *source,
                                vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    vp_manifold_work work;
    vp_kernels default_kernels;
    *made = 0;
    VP_RETURN_IF_FAILED(vp_manifold_begin(def, scratch, &default_kernels, &work, error));
    VP_RETURN_IF_FAILED(make_body(&work, body, source, scratch, out, capacity, made, error));
    return vp_succeed(error);
}

static vp_status make_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count, vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, vp_manifold_result *result, uint32_t *made,
                           vp_error *error)
{
    vp_manifold_work work;
    vp_kernels default_kernels;
    *made = 0;
    VP_RETURN_IF_FAILED(vp_manifold_begin(def, scratch, &default_kernels, &work, error));
    if (!(def->margin >= 0.0f && def->margin < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.margin is %g; must be finite and >= 0", (double)def->margin);
    VP_RETURN_IF_FAILED(vp_manifold_check_source(source, def, error));
    for (uint32_t i = 0; i < count; i++) {
        vp_error ignored;
        const uint32_t at = *made < capacity ? *made : capacity;
        result[i].first = *made;
        result[i].status =
            make_body(&work, &body[i], source, scratch, out == NULL ? NULL : out + at, capacity - at, &result[i].count, &ignored);
        *made += result[i].count;
    }
    return vp_succeed(error);
}

vp_status vp_manifold_mesh(const vp_manifold_def *def, const vp_manifold_body *body, const vp_collide_triangle *triangle, uint32_t count,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_manifold_source source = vp_manifold_source_mesh(triangle, count);
    VP_RETURN_IF_FAILED(vp_manifold_check_source(&source, def, error));
    return make_manifolds(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_terrain(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                              vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, reader, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_manifold_source source = vp_manifold_source_terrain(reader);
    return make_manifolds(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_blocks(const vp_manifold_def *def, const vp_manifold_body *body, const vp_block_view *view,
                             vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, view, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_manifold_source source = vp_manifold_source_blocks(view);
    return make_manifolds(def, body, &source, scratch, out, capacity, manifold_count, error);
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
    vp_manifold_source source = vp_manifold_source_terrain(reader);
    return make_many(def, body, count, &source, scratch, out, capacity, result, manifold_count, error);
}

vp_status vp_manifold_blocks_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count, const vp_block_view *view,
                                  vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, vp_manifold_result *result,
                                  uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, view, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, body, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    VP_RETURN_IF_ARRAY_NULL(error, result, count);
    vp_manifold_source source = vp_manifold_source_blocks(view);
    return make_many(def, body, count, &source, scratch, out, capacity, result, manifold_count, error);
}
