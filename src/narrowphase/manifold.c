/* SPDX-License-Identifier: MIT */
/* Manifolds of one body, from triangles to points. */
#include "src/narrowphase/manifold_data.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/narrowphase/run.h"

/* ---- scratch ---- */

/* A piece of the scratch. @return where the next one begins */
static size_t lay(unsigned char *memory, size_t at, size_t bytes, void **out)
{
    *out = memory != NULL ? memory + at : NULL;
    return at + (bytes + 15) / 16 * 16;
}

/* @param memory  NULL: it is measured alone */
static size_t lay_out(void *memory, uint32_t capacity, vp_manifold_work *w)
{
    const size_t n = capacity;
    void *piece[9];
    size_t at = lay(memory, 0, n * sizeof *w->triangle, &piece[0]);
    at = lay(memory, at, n * sizeof *w->answer, &piece[1]);
    at = lay(memory, at, n * sizeof *w->raw, &piece[2]);
    at = lay(memory, at, n * sizeof *w->kept, &piece[3]);
    at = lay(memory, at, n * sizeof *w->order, &piece[4]);
    at = lay(memory, at, VP_COLLIDE_CONNECT_WORDS(n) * sizeof *w->words, &piece[5]);
    at = lay(memory, at, n * sizeof *w->terrain_id, &piece[6]);
    at = lay(memory, at, n * sizeof *w->terrain_triangle, &piece[7]);
    w->triangle = piece[0];
    w->answer = piece[1];
    w->raw = piece[2];
    w->kept = piece[3];
    w->order = piece[4];
    w->words = piece[5];
    w->terrain_id = piece[6];
    w->terrain_triangle = piece[7];
    /* two uses of one memory, one after the other */
    const size_t shared = at, page = lay(memory, shared, n * sizeof *w->page, &piece[0]);
    lay(memory, page, n * sizeof *w->page_answer, &piece[1]);
    at = lay(memory, shared, n * VP_CONTACTS_A_TRIANGLE * sizeof *w->contact, &piece[8]);
    w->page = piece[0];
    w->page_answer = piece[1];
    w->contact = piece[8];
    w->capacity = capacity;
    return at;
}
static_assert(sizeof(vp_collide_triangle) + sizeof(vp_collide_answer) + 32 <= VP_CONTACTS_A_TRIANGLE * sizeof(vp_manifold_contact),
              "a page fits into the contacts' memory");

size_t vp_manifold_scratch_bytes(uint32_t capacity)
{
    vp_manifold_work w;
    return capacity >= VP_MANIFOLD_LEAST_TRIANGLES && capacity <= VP_MANIFOLD_MOST_TRIANGLES ? lay_out(NULL, capacity, &w) : 0;
}

vp_status vp_manifold_begin(const vp_manifold_def *def, vp_manifold_scratch *scratch, vp_kernels *usual, vp_manifold_work *out,
                            vp_error *error)
{
    scratch->needed = VP_MANIFOLD_LEAST_TRIANGLES;
    if (scratch->memory == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the scratch has no memory");
    if (scratch->capacity < VP_MANIFOLD_LEAST_TRIANGLES || scratch->capacity > VP_MANIFOLD_MOST_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "the scratch has room for %u triangles: must be %u to %u", scratch->capacity,
                       VP_MANIFOLD_LEAST_TRIANGLES, VP_MANIFOLD_MOST_TRIANGLES);
    if ((unsigned)def->surface >= VP_SURFACE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "surface %d does not exist", (int)def->surface);
    *out = (vp_manifold_work){.def = def, .kernels = def->kernels};
    if (def->kernels == NULL) {
        const vp_status status = vp_kernels_default(usual, error);
        if (status != VP_OK)
            return status;
        out->kernels = usual;
    }
    lay_out(scratch->memory, scratch->capacity, out);
    return VP_OK;
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

/* The deepest first; of equally deep ones that of the list. */
static void sort_by_depth(vp_manifold_work *w)
{
    for (uint32_t i = 0; i < w->touched; i++) {
        uint32_t k = i;
        for (; k > 0 && w->answer[w->order[k - 1]].distance > w->answer[i].distance; k--)
            w->order[k] = w->order[k - 1];
        w->order[k] = i;
    }
}

static bool share_corner(const vp_collide_triangle *a, const vp_collide_triangle *b)
{
    return vp_has_corner(a, b->corner[0]) || vp_has_corner(a, b->corner[1]) || vp_has_corner(a, b->corner[2]);
}

/* Whether a deeper answer of a triangle with a common corner has the normal of a corrected answer. */
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
    memset(w->kept, 0, w->touched * sizeof *w->kept);
    for (uint32_t i = 0; i < kept; i++)
        w->kept[w->order[i]] = true;
    for (uint32_t t = 0; t < w->touched; t++) {
        const vp_collide_answer *a = &w->answer[t];
        if (a->triangle_feature == VP_COLLIDE_NONE || !(a->distance <= w->def->margin))
            continue;
        if (w->kept[t])
            w->contact[w->contacts++] = (vp_manifold_contact){.distance = a->distance,
                                                              .normal = a->normal,
                                                              .on_shape = a->on_shape,
                                                              .on_triangle = a->on_triangle,
                                                              .triangle = t,
                                                              .part = a->triangle_feature,
                                                              .shape = vp_manifold_name_of_feature(w->body->shape, a->shape_feature)};
        vp_manifold_cut(w, t);
    }
}

/* The lowest chunk of a contact that is above `last`. @param first  whether there is no last */
static bool next_chunk(const vp_manifold_work *w, bool first, uint32_t last, uint32_t *out)
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

/* Corrects the answers of all triangles that were gathered. */
static vp_status correct(vp_manifold_work *w, bool connected, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < w->touched; i++)
        w->raw[i] = w->answer[i].normal;
    if (!connected)
        status = vp_collide_connect(w->triangle, w->count, w->words, error);
    if (status == VP_OK)
        status = vp_collide_correct(w->kernels, w->body->shape, &w->body->pose, w->def->margin, w->triangle, w->count, w->answer, error);
    return status;
}

/* Updates scratch->needed, and fails if triangles were left out. */
static vp_status check_room(vp_manifold_work *w, const vp_manifold_source *source, vp_manifold_scratch *scratch, vp_error *error)
{
    const bool all = w->touched == w->touched_in_all;
    uint32_t needed = w->count;
    const vp_status status = all ? VP_OK : source->count(source, w, &w->touched_bounds, &needed, error);
    if (status != VP_OK)
        return status;
    scratch->needed = needed > scratch->needed ? needed : scratch->needed;
    return all ? VP_OK
               : vp_fail(error, VP_E_LIMIT,
                         "the body touches %u triangles, and of these the %u deepest are kept: a scratch for %u has room for all",
                         w->touched_in_all, w->touched, needed);
}

static uint32_t choose(vp_manifold_work *w, vp_manifold *out, uint32_t capacity)
{
    uint32_t made = 0, chunk = VP_COLLIDE_NO_CHUNK;
    for (bool first = true; w->contacts > 0 && (w->def->whole ? first : next_chunk(w, first, chunk, &chunk)); first = false) {
        vp_manifold chosen[VP_MANIFOLD_DIRECTIONS];
        const uint32_t count = vp_manifold_choose(w, chunk, w->def->whole, chosen);
        for (uint32_t i = 0; i < count; i++, made++)
            if (made < capacity)
                out[made] = chosen[i];
    }
    return made;
}

vp_status vp_manifold_make(vp_manifold_work *work, const vp_manifold_body *body, const vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    work->body = body;
    work->contacts = 0;
    *made = 0;
    vp_status status = vp_manifold_gather(work, source, error);
    if (status == VP_OK && work->touched > 0)
        status = correct(work, source->connected, error);
    if (status != VP_OK)
        return status;
    work->radius = vp_collide_radius(body->shape);
    find_contacts(work);
    *made = choose(work, out, capacity);
    return check_room(work, source, scratch, error);
}

/* ---- a mesh ---- */

typedef struct mesh_source {
    vp_manifold_source source;
    const vp_collide_triangle *triangle;
    uint32_t count;
} mesh_source;

static bool meets(const vp_collide_triangle *t, const vp_aabb *box)
{
    const vp_aabb bounds = vp_triangle_bounds(t->corner);
    return vp_aabb_overlaps(&bounds, box);
}

static vp_status gather_mesh(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_manifold_receive *receive,
                             vp_error *error)
{
    const mesh_source *mesh = (const mesh_source *)(const void *)source;
    vp_status status = VP_OK;
    work->page_count = 0;
    for (uint32_t i = 0; status == VP_OK && i < mesh->count; i++) {
        if (!meets(&mesh->triangle[i], box))
            continue;
        work->page[work->page_count++] = mesh->triangle[i];
        if (work->page_count == work->capacity) {
            status = receive(work, error);
            work->page_count = 0;
        }
    }
    return status == VP_OK ? receive(work, error) : status;
}

static vp_status count_mesh(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, uint32_t *count, vp_error *error)
{
    const mesh_source *mesh = (const mesh_source *)(const void *)source;
    (void)work, (void)error;
    *count = 0;
    for (uint32_t i = 0; i < mesh->count; i++)
        *count += meets(&mesh->triangle[i], box);
    return VP_OK;
}

vp_status vp_manifold_mesh(const vp_manifold_def *def, const vp_manifold_body *body, const vp_collide_triangle *triangle, uint32_t count,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    const mesh_source mesh = {{gather_mesh, count_mesh, true}, triangle, count};
    vp_manifold_work work;
    vp_kernels usual;
    *made = 0;
    vp_status status = vp_manifold_begin(def, scratch, &usual, &work, error);
    if (status == VP_OK)
        status = vp_collide_check_corners(triangle, count, error);
    if (status == VP_OK)
        status = vp_collide_check_normals(triangle, count, error); /* the list that is corrected has another order */
    if (status == VP_OK)
        status = vp_manifold_make(&work, body, &mesh.source, scratch, out, capacity, made, error);
    return status == VP_OK ? vp_succeed(error) : status;
}
