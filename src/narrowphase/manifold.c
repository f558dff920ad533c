/* SPDX-License-Identifier: MIT */
/* Manifolds of one body, from triangles to points. */
#include "src/narrowphase/manifold_data.h"

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
    void *piece[8];
    size_t at = lay(memory, 0, n * sizeof *w->triangle, &piece[0]);
    at = lay(memory, at, n * sizeof *w->answer, &piece[1]);
    at = lay(memory, at, n * sizeof *w->raw, &piece[2]);
    at = lay(memory, at, n * sizeof *w->order, &piece[3]);
    at = lay(memory, at, n * VP_CONTACTS_A_TRIANGLE * sizeof *w->contact, &piece[4]);
    at = lay(memory, at, n * sizeof *w->id, &piece[5]);
    at = lay(memory, at, n * sizeof *w->found, &piece[6]);
    at = lay(memory, at, VP_COLLIDE_CONNECT_WORDS(n) * sizeof *w->words, &piece[7]);
    w->triangle = piece[0];
    w->answer = piece[1];
    w->raw = piece[2];
    w->order = piece[3];
    w->contact = piece[4];
    w->id = piece[5];
    w->found = piece[6];
    w->words = piece[7];
    w->capacity = capacity;
    return at;
}

size_t vp_manifold_scratch_bytes(uint32_t capacity)
{
    vp_manifold_work w;
    return capacity > 0 && capacity <= VP_MANIFOLD_MOST_TRIANGLES ? lay_out(NULL, capacity, &w) : 0;
}

vp_status vp_manifold_begin(const vp_manifold_def *def, const vp_manifold_scratch *scratch, vp_kernels *usual, vp_manifold_work *out,
                            vp_error *error)
{
    if (scratch->memory == NULL || scratch->capacity == 0 || scratch->capacity > VP_MANIFOLD_MOST_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "the scratch has room for %u triangles%s; it must be 1 to %u", scratch->capacity,
                       scratch->memory == NULL ? " and no memory" : "", VP_MANIFOLD_MOST_TRIANGLES);
    if ((unsigned)def->surface >= VP_SURFACE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "there is no surface %d", (int)def->surface);
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

/* ---- the list ---- */

static bool has_corner(const vp_collide_triangle *t, vp_vec3 p)
{
    return vp_is_same_place(t->corner[0], p) || vp_is_same_place(t->corner[1], p) || vp_is_same_place(t->corner[2], p);
}

static bool share_corner(const vp_collide_triangle *a, const vp_collide_triangle *b)
{
    return has_corner(a, b->corner[0]) || has_corner(a, b->corner[1]) || has_corner(a, b->corner[2]);
}

static bool is_same(const vp_collide_triangle *a, const vp_collide_triangle *b)
{
    return a->id.chunk == b->id.chunk && a->id.triangle == b->id.triangle && vp_is_same_place(a->corner[0], b->corner[0]) &&
           vp_is_same_place(a->corner[1], b->corner[1]) && vp_is_same_place(a->corner[2], b->corner[2]);
}

void vp_manifold_take(vp_manifold_work *work, const vp_collide_triangle *triangle)
{
    bool take = work->touched == 0;
    for (uint32_t i = 0; i < work->touched; i++) {
        if (is_same(&work->triangle[i], triangle))
            return;
        take = take || share_corner(&work->triangle[i], triangle);
    }
    if (!take)
        return;
    if (work->count < work->capacity)
        work->triangle[work->count++] = *triangle;
    work->wanted++;
}

/* Before: by corners, from the lowest on, x first; then by ids. */
static bool is_before(const vp_collide_triangle *a, const vp_collide_triangle *b)
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

static void sift(vp_collide_triangle *t, uint32_t i, uint32_t count)
{
    const vp_collide_triangle moved = t[i];
    for (uint32_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && is_before(&t[child], &t[child + 1]);
        if (!is_before(&moved, &t[child]))
            break;
        t[i] = t[child];
        i = child;
    }
    t[i] = moved;
}

static void sort(vp_collide_triangle *t, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift(t, i, count);
    for (uint32_t end = count; end-- > 1;) {
        const vp_collide_triangle last = t[end];
        t[end] = t[0];
        t[0] = last;
        sift(t, 0, end);
    }
}

static vp_status gather(vp_manifold_work *w, const vp_manifold_source *source, const vp_aabb *box, vp_manifold_scratch *scratch,
                        vp_error *error)
{
    const uint32_t before = w->count;
    w->wanted = before;
    const vp_status status = source->gather(source, w, box, error);
    scratch->needed = w->wanted > scratch->needed ? w->wanted : scratch->needed;
    if (status == VP_OK && w->wanted > w->capacity)
        return vp_fail(error, VP_E_LIMIT, "there are %u triangles about the body, and the scratch has room for %u", w->wanted, w->capacity);
    if (status == VP_OK)
        sort(w->triangle + before, w->count - before);
    return status;
}

/* Triangles about the body, of which those stay that are within the margin; then those beside them, which have no answers.
   @return VP_OK and none touched: there is no contact */
static vp_status collide(vp_manifold_work *w, const vp_manifold_source *source, vp_manifold_scratch *scratch, vp_error *error)
{
    vp_aabb box;
    const vp_manifold_body *body = w->body;
    vp_status status = vp_collide_bounds(body->shape, &body->pose, w->def->margin, &box, error);
    if (status == VP_OK)
        status = vp_collide_frame_of(&body->pose, &w->frame, error);
    if (status == VP_OK)
        status = gather(w, source, &box, scratch, error);
    if (status == VP_OK)
        status = vp_collide_triangles(w->kernels, body->shape, &body->pose, w->def->margin, w->triangle, w->count, w->answer, error);
    if (status != VP_OK)
        return status;
    uint32_t touched = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->answer[i].triangle_feature != VP_COLLIDE_NONE) {
            const vp_vec3 *c = w->triangle[i].corner;
            const vp_aabb own = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
            box = touched == 0 ? own : vp_aabb_union(&box, &own);
            w->triangle[touched] = w->triangle[i];
            w->answer[touched] = w->answer[i];
            w->raw[touched++] = w->answer[i].normal;
        }
    w->touched = w->count = touched;
    if (touched == 0)
        return VP_OK;
    status = gather(w, source, &box, scratch, error);
    if (status != VP_OK)
        return status;
    for (uint32_t i = touched; i < w->count; i++)
        w->answer[i] = (vp_collide_answer){
            .distance = INFINITY, .normal = {0.0f, 1.0f, 0.0f}, .triangle_feature = VP_COLLIDE_NONE, .shape_feature = VP_COLLIDE_NONE};
    if (!source->connected)
        status = vp_collide_connect(w->triangle, w->count, w->words, error);
    if (status == VP_OK)
        status = vp_collide_correct(w->kernels, body->shape, &body->pose, w->def->margin, w->triangle, w->count, w->answer, error);
    return status;
}

/* ---- contacts ---- */

/* The name of the shape's part in an answer. */
static uint64_t name_of(const vp_collide_shape *shape, uint32_t feature)
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

/* Whether an answer that was corrected says no more than a deeper one, of a triangle beside. */
static bool is_told(const vp_manifold_work *w, uint32_t i, const uint32_t *deeper, uint32_t count)
{
    const vp_vec3 n = w->answer[i].normal;
    bool told = false;
    if (vp_is_same_place(n, w->raw[i]))
        return false;
    for (uint32_t k = 0; k < count && !told; k++)
        told = vp_is_one_direction(n, w->answer[deeper[k]].normal) && share_corner(&w->triangle[i], &w->triangle[deeper[k]]);
    return told;
}

static void find_contacts(vp_manifold_work *w)
{
    uint32_t kept = 0;
    sort_by_depth(w);
    for (uint32_t i = 0; i < w->touched; i++) {
        const uint32_t t = w->order[i];
        if (w->answer[t].triangle_feature != VP_COLLIDE_NONE && !is_told(w, t, w->order, kept))
            w->order[kept++] = t;
    }
    for (uint32_t i = 0; i < kept; i++)
        w->raw[w->order[i]].x = INFINITY; /* its answer counts */
    for (uint32_t t = 0; t < w->touched; t++) {
        const vp_collide_answer *a = &w->answer[t];
        if (a->triangle_feature == VP_COLLIDE_NONE || !(a->distance <= w->def->margin))
            continue;
        if (w->raw[t].x == INFINITY)
            w->contact[w->contacts++] = (vp_contact){.distance = a->distance,
                                                     .normal = a->normal,
                                                     .on_shape = a->on_shape,
                                                     .on_triangle = a->on_triangle,
                                                     .triangle = t,
                                                     .part = a->triangle_feature,
                                                     .shape = name_of(w->body->shape, a->shape_feature)};
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

vp_status vp_manifold_make(vp_manifold_work *work, const vp_manifold_body *body, const vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    work->body = body;
    work->count = work->touched = work->contacts = 0;
    *made = 0;
    const vp_status status = collide(work, source, scratch, error);
    if (status != VP_OK || work->touched == 0)
        return status;
    work->radius = vp_collide_radius(body->shape);
    find_contacts(work);
    uint32_t chunk = VP_COLLIDE_NO_CHUNK;
    for (bool first = true; work->contacts > 0 && (work->def->whole ? first : next_chunk(work, first, chunk, &chunk)); first = false) {
        if (*made < capacity)
            vp_manifold_choose(work, chunk, work->def->whole, &out[*made]);
        ++*made;
    }
    return VP_OK;
}

/* ---- a mesh ---- */

typedef struct mesh_source {
    vp_manifold_source source;
    const vp_collide_triangle *triangle;
    uint32_t count;
} mesh_source;

static vp_status gather_mesh(const vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_error *error)
{
    const mesh_source *mesh = (const mesh_source *)(const void *)source;
    (void)error;
    for (uint32_t i = 0; i < mesh->count; i++) {
        const vp_vec3 *c = mesh->triangle[i].corner;
        const vp_aabb own = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
        if (vp_aabb_overlaps(&own, box))
            vp_manifold_take(work, &mesh->triangle[i]);
    }
    return VP_OK;
}

vp_status vp_manifold_mesh(const vp_manifold_def *def, const vp_manifold_body *body, const vp_collide_triangle *triangle, uint32_t count,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error)
{
    const mesh_source mesh = {{gather_mesh, true}, triangle, count};
    vp_manifold_work work;
    vp_kernels usual;
    scratch->needed = 0;
    vp_status status = vp_manifold_begin(def, scratch, &usual, &work, error);
    if (status == VP_OK)
        status = vp_collide_check_corners(triangle, count, error);
    if (status == VP_OK)
        status = vp_collide_check_normals(triangle, count, error); /* the list that is corrected has another order */
    if (status == VP_OK)
        status = vp_manifold_make(&work, body, &mesh.source, scratch, out, capacity, made, error);
    return status == VP_OK ? vp_succeed(error) : status;
}
