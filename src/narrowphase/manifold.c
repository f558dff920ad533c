/* SPDX-License-Identifier: MIT */
/* Manifolds of one body, from triangles to points. */
#include "src/narrowphase/manifold_internal.h"

#include <assert.h>
#include <math.h>

#include "src/core/error.h"
#include "src/narrowphase/order.h"
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
    void *piece[8];
    size_t at = place_array(memory, 0, n * sizeof *w->triangle, &piece[0]);
    at = place_array(memory, at, n * sizeof *w->answer, &piece[1]);
    at = place_array(memory, at, n * sizeof *w->raw, &piece[2]);
    at = place_array(memory, at, n * sizeof *w->marks, &piece[3]);
    at = place_array(memory, at, n * sizeof *w->order, &piece[4]);
    at = place_array(memory, at, VP_COLLIDE_CONNECT_WORDS(n) * sizeof *w->words, &piece[5]);
    at = place_array(memory, at, n * sizeof *w->terrain_id, &piece[6]);
    w->triangle = piece[0];
    w->answer = piece[1];
    w->raw = piece[2];
    w->marks = piece[3];
    w->order = piece[4];
    w->words = piece[5];
    w->terrain_id = piece[6];
    at = place_array(memory, at, n * VP_CONTACTS_A_TRIANGLE * sizeof *w->contact, &piece[7]);
    w->contact = piece[7]; /* also the page, until there are contacts */
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
    const vp_status status = vp_manifold_lay_out(scratch, out, error);
    if (status != VP_OK)
        return status;
    if ((unsigned)def->surface >= VP_SURFACE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.surface is %d; must be 0 (solid) or 1 (water)", (int)def->surface);
    if (def->kernels != NULL)
        return VP_OK;
    out->kernels = default_kernels;
    return vp_kernels_default(default_kernels, error);
}

/* ---- contacts ---- */

uint64_t vp_manifold_name_of_feature(const vp_collide_shape *shape, uint32_t feature)
{
    const uint32_t number = feature & ~(VP_SHAPE_EDGE | VP_SHAPE_CORNER);
    if ((feature & VP_SHAPE_CORNER) != 0)
        return VP_NAME_CORNER(number);
    if ((feature & VP_SHAPE_EDGE) == 0)
        return VP_NAME_FACE(number);
    if (shape->kind == VP_COLLIDE_HULL) {
        const uint32_t *v = shape->hull->edge[number].vertex;
        return VP_NAME_EDGE(v[0], v[1]);
    }
    if (shape->kind == VP_COLLIDE_CYLINDER)
        return VP_NAME_RIM(number);
    const uint32_t axis = number / 4, from = (number & 1) << (axis + 1) % 3 | (number >> 1 & 1) << (axis + 2) % 3;
    return VP_NAME_EDGE(from, from | 1u << axis);
}

/* The deepest first. Equal depths keep the order of the list. */
static void sort_by_depth(vp_manifold_work *w)
{
    uint64_t *key = (uint64_t *)(void *)w->words;
    for (uint32_t i = 0; i < w->touched; i++)
        key[i] = vp_order_key(w->answer[i].distance, i);
    vp_order_keys(key, key + w->touched, w->touched);
    for (uint32_t i = 0; i < w->touched; i++)
        w->order[i] = vp_order_index(key[i]);
}
static_assert(2 * sizeof(uint64_t) <= VP_COLLIDE_CONNECT_WORDS(1) * sizeof(uint32_t), "the keys and their spare fit");

static bool share_corner(const vp_collide_triangle *a, const vp_collide_triangle *b)
{
    return vp_has_corner(a, b->corner[0]) || vp_has_corner(a, b->corner[1]) || vp_has_corner(a, b->corner[2]);
}

/* Whether a corrected answer has the same normal as a deeper answer of a triangle with a common corner. */
static bool is_covered(const vp_manifold_work *w, uint32_t i, const uint32_t *deeper, uint32_t count)
{
    const vp_vec3 n = w->answer[i].normal;
    bool covered = false;
    if (vp_is_same_place(n, w->raw[i]))
        return false;
    for (uint32_t k = 0; k < count && !covered; k++)
        covered = vp_is_one_direction(n, w->answer[deeper[k]].normal) && share_corner(&w->triangle[i], &w->triangle[deeper[k]]);
    return covered;
}

static void find_contacts(vp_manifold_work *w)
{
    uint32_t kept = 0;
    sort_by_depth(w);
    for (uint32_t i = 0; i < w->touched; i++) {
        const uint32_t t = w->order[i];
        if (w->answer[t].triangle_feature != VP_COLLIDE_NONE && !is_covered(w, t, w->order, kept))
            w->order[kept++] = t;
    }
    for (uint32_t i = 0; i < kept; i++)
        w->marks[w->order[i]] |= VP_MANIFOLD_KEPT;
    for (uint32_t t = 0; t < w->touched; t++) {
        const vp_collide_result *a = &w->answer[t];
        if (a->triangle_feature == VP_COLLIDE_NONE || !(a->distance <= w->def->margin))
            continue;
        if ((w->marks[t] & VP_MANIFOLD_KEPT) != 0)
            w->contact[w->contacts++] = (vp_manifold_contact){.distance = a->distance,
                                                              .normal = a->normal,
                                                              .on_shape = a->on_shape,
                                                              .on_triangle = a->on_triangle,
                                                              .triangle = t,
                                                              .part = (uint16_t)a->triangle_feature,
                                                              .shape = vp_manifold_name_of_feature(w->body->shape, a->shape_feature)};
        vp_manifold_cut(w, t);
    }
    vp_manifold_cut_cleared(w, kept);
}

/* The lowest chunk of a contact that is above `last`. @param first  ignore `last` */
static bool find_next_chunk(const vp_manifold_work *w, bool first, uint32_t last, uint32_t *out)
{
    bool some = false;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const uint32_t chunk = w->triangle[w->contact[i].triangle].id.chunk;
        if ((first || chunk > last) && (!some || chunk < *out)) {
            *out = chunk;
            some = true;
        }
    }
    return some;
}

/* Corrects the answers of all gathered triangles. */
static void correct_contacts(vp_manifold_work *w, bool is_connected)
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
    if (!is_connected)
        vp_connect_first(w->triangle, w->count, w->touched, w->words);
    vp_correct_answers(w->kernels, &job, w->touched, w->words);
}

static uint32_t choose_manifolds(vp_manifold_work *w, vp_manifold *out, uint32_t capacity)
{
    uint32_t made = 0, chunk = VP_COLLIDE_NO_CHUNK;
    for (bool first = true; w->contacts > 0 && (w->def->by_chunk ? find_next_chunk(w, first, chunk, &chunk) : first); first = false) {
        vp_manifold chosen[VP_MANIFOLD_DIRECTIONS];
        const uint32_t count = vp_manifold_choose(w, chunk, !w->def->by_chunk, chosen);
        for (uint32_t i = 0; i < count; i++, made++)
            if (made < capacity)
                out[made] = chosen[i];
    }
    return made;
}

/* ---- parts of a body ---- */

void vp_manifold_begin_body(vp_manifold_work *work, uint32_t share)
{
    work->count = work->contacts = work->needed_by_parts = 0;
    work->share = share;
    work->lost = false;
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
    w.terrain_id += n;
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
    vp_manifold_work w = rest_of(work, part);
    uint32_t needed;
    work->part_needed = 0;
    if (w.capacity < VP_MANIFOLD_MIN_TRIANGLES) {
        work->lost = true;
        return VP_OK;
    }
    const vp_status status = vp_manifold_gather(&w, source, &needed, error);
    if (status != VP_OK)
        return status;
    work->lost = work->lost || w.touched != w.touched_in_all;
    if (w.touched > 0)
        correct_contacts(&w, source->kind != VP_MANIFOLD_TERRAIN);
    w.radius = vp_collide_radius(part->shape);
    find_contacts(&w);
    append_contacts(work, &w, number, offset);
    const uint32_t room = work->needed_by_parts + (needed > VP_MANIFOLD_MIN_TRIANGLES ? needed : VP_MANIFOLD_MIN_TRIANGLES);
    work->needed = room > work->needed ? room : work->needed;
    work->needed_by_parts += needed;
    work->part_needed = needed;
    return VP_OK;
}

vp_status vp_manifold_end_body(vp_manifold_work *work, float radius, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                               uint32_t *made, vp_error *error)
{
    work->radius = radius;
    *made = choose_manifolds(work, out, capacity);
    scratch->needed = work->needed > scratch->needed ? work->needed : scratch->needed;
    return work->lost
               ? vp_fail(error, VP_E_LIMIT, "the scratch has room for %u triangles, and the body needs up to %u: the deepest are kept",
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
    const vp_status status = vp_manifold_add_part(work, body, 0, (vp_vec3){0.0f, 0.0f, 0.0f}, source, error);
    return status != VP_OK ? status : vp_manifold_end_body(work, vp_collide_radius(body->shape), scratch, out, capacity, made, error);
}

static vp_status make_manifolds(const vp_manifold_def *def, const vp_manifold_body *body, const vp_manifold_source *source,
                                vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    vp_manifold_work work;
    vp_kernels default_kernels;
    *made = 0;
    vp_status status = vp_manifold_begin(def, scratch, &default_kernels, &work, error);
    if (status == VP_OK)
        status = make_body(&work, body, source, scratch, out, capacity, made, error);
    return status == VP_OK ? vp_succeed(error) : status;
}

static vp_status make_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count, vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, vp_manifold_result *result, uint32_t *made,
                           vp_error *error)
{
    vp_manifold_work work;
    vp_kernels default_kernels;
    *made = 0;
    vp_status status = vp_manifold_begin(def, scratch, &default_kernels, &work, error);
    if (status == VP_OK && !(def->margin >= 0.0f && def->margin < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.margin is %g; must be finite and >= 0", (double)def->margin);
    if (status == VP_OK)
        status = vp_manifold_check_source(source, def, error);
    if (status != VP_OK)
        return status;
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
    const vp_status status = vp_manifold_check_source(&source, def, error);
    return status != VP_OK ? status : make_manifolds(def, body, &source, scratch, out, capacity, manifold_count, error);
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
