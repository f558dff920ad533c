/* SPDX-License-Identifier: MIT */
/* Manifolds of compounds. The contacts of all parts form one list, from which the points are chosen once. */
#include "src/bodies/compound.h"

#include <math.h>

#include "src/bodies/shape_pair.h"
#include "src/core/error.h"
#include "src/narrowphase/manifold_internal.h"

/* ---- triangles ---- */

static vp_status add_part(vp_manifold_work *work, const vp_compound_body *body, uint32_t i, const vp_manifold_source *source,
                          vp_error *error)
{
    const vp_manifold_body part = vp_compound_part_body(body, i);
    vp_error why;
    const vp_vec3 offset = vp_vec3_sub(part.pose.position, body->pose.position);
    const vp_status status = vp_manifold_add_part(work, &part, (uint16_t)i, offset, source, &why);
    return status == VP_OK ? VP_OK : vp_compound_fail(i, status, &why, error);
}

static vp_status add_parts(vp_manifold_work *work, const vp_compound_body *body, const vp_manifold_source *source, uint32_t share,
                           vp_error *error)
{
    vp_manifold_begin_body(work, share);
    for (uint32_t i = 0; i < body->compound->count; i++)
        VP_RETURN_IF_FAILED(add_part(work, body, i, source, error));
    return VP_OK;
}

/* Handles triangles that do not fit. It first gathers each part with the whole capacity, to find the number of
 * triangles needed and the parts that touch. Then each of these parts gets an equal share. */
static vp_status share_room(vp_manifold_work *work, const vp_compound_body *body, const vp_manifold_source *source, vp_error *error)
{
    vp_status status = VP_OK;
    uint32_t touching = 0;
    vp_manifold_begin_body(work, work->capacity);
    for (uint32_t i = 0; i < body->compound->count && status == VP_OK; i++) {
        work->count = work->contacts = 0;
        status = add_part(work, body, i, source, error);
        touching += work->part_needed > 0;
    }
    if (status != VP_OK)
        return status;
    const uint32_t share = work->capacity / (touching > 0 ? touching : 1);
    return add_parts(work, body, source, share > VP_MANIFOLD_MIN_TRIANGLES ? share : VP_MANIFOLD_MIN_TRIANGLES, error);
}

static vp_status make_manifold(const vp_manifold_def *def, const vp_compound_body *body, vp_manifold_source *source,
                               vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    vp_manifold_work work;
    vp_kernels default_kernels;
    *manifold_count = 0;
    VP_RETURN_IF_FAILED(vp_manifold_begin(def, scratch, &default_kernels, &work, error));
    VP_RETURN_IF_FAILED(vp_compound_check_body(body, error));
    VP_RETURN_IF_FAILED(vp_manifold_check_source(source, def, error));
    VP_RETURN_IF_FAILED(add_parts(&work, body, source, work.capacity, error));
    if (work.lost && body->compound->count > 1)
        VP_RETURN_IF_FAILED(share_room(&work, body, source, error));
    VP_RETURN_IF_FAILED(vp_manifold_end_body(&work, vp_compound_radius(body->compound), scratch, out, capacity, manifold_count, error));
    return vp_succeed(error);
}

vp_status vp_manifold_compound_mesh(const vp_manifold_def *def, const vp_compound_body *body, const vp_collide_triangle *triangle,
                                    uint32_t count, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                    uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_manifold_source source = vp_manifold_source_mesh(triangle, count);
    return make_manifold(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_compound_terrain(const vp_manifold_def *def, const vp_compound_body *body, const vp_terrain_reader *reader,
                                       vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count,
                                       vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, reader, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_manifold_source source = vp_manifold_source_terrain(reader);
    return make_manifold(def, body, &source, scratch, out, capacity, manifold_count, error);
}

vp_status vp_manifold_compound_blocks(const vp_manifold_def *def, const vp_compound_body *body, const vp_block_view *view,
                                      vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count,
                                      vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, view, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_manifold_source source = vp_manifold_source_blocks(view);
    return make_manifold(def, body, &source, scratch, out, capacity, manifold_count, error);
}

/* ---- other compounds ---- */

typedef struct compound_pair {
    const vp_compound_body *a, *b;
    float margin;
    vp_manifold_work *work;
    uint32_t total; /* number of contacts, including those that did not fit */
} compound_pair;

/* Whether two balls are farther apart than the margin. */
static bool are_apart(vp_vec3 a, float radius_a, vp_vec3 b, float radius_b, float margin)
{
    const vp_real3 way = vp_real3_sub(vp_real3_of(a), vp_real3_of(b));
    const double reach = ((double)radius_a + (double)radius_b + (double)margin) * (1.0 + 0x1p-20);
    return vp_real3_dot(way, way) > reach * reach;
}

/* Adds a contact. A full list keeps the deepest. */
static void keep_contact(compound_pair *m, const vp_manifold_contact *contact, vp_terrain_triangle_id id, uint32_t part_of_b)
{
    vp_manifold_work *w = m->work;
    uint32_t at = w->contacts;
    m->total++;
    if (at == w->capacity) {
        at = 0;
        for (uint32_t i = 1; i < w->contacts; i++)
            at = w->contact[i].distance > w->contact[at].distance ? i : at;
        if (!(contact->distance < w->contact[at].distance))
            return;
    } else {
        w->contacts++;
    }
    w->contact[at] = *contact;
    w->contact[at].triangle = at;
    w->triangle[at] = (vp_collide_triangle){.id = id, .unused = (uint16_t)part_of_b};
}

/* Id of a name for a part of b. For part 0 it is the name itself, as for the shape alone. */
static vp_terrain_triangle_id id_of(uint64_t name, uint32_t part_of_b)
{
    const uint64_t id = part_of_b == 0 ? name : vp_manifold_mix(name, part_of_b);
    return (vp_terrain_triangle_id){(uint32_t)(id >> 32), (uint32_t)id};
}

static vp_status collide_parts(compound_pair *m, const vp_manifold_body *a, uint32_t i, const vp_manifold_body *b, uint32_t k,
                               vp_error *error)
{
    vp_shape_pair pair;
    vp_pair_contacts found;
    VP_RETURN_IF_FAILED(vp_pair_begin(a, b, m->margin, &pair, error));
    vp_pair_direction(&pair);
    if (vp_pair_is_beyond(&pair))
        return VP_OK;
    vp_pair_place(&pair);
    vp_pair_find_contacts(&pair, m->margin, &found);
    const vp_vec3 offset = vp_vec3_sub(a->pose.position, m->a->pose.position);
    const bool is_shifted = offset.x != 0.0f || offset.y != 0.0f || offset.z != 0.0f;
    for (uint32_t n = 0; n < found.count; n++) {
        vp_manifold_contact c = found.contact[n];
        c.body_part = (uint16_t)i;
        if (is_shifted) {
            c.on_shape = vp_vec3_add(c.on_shape, offset);
            c.on_triangle = vp_vec3_add(c.on_triangle, offset);
        }
        keep_contact(m, &c, id_of(found.name_b[n], k), k);
    }
    return VP_OK;
}

static vp_status collide_part(compound_pair *m, uint32_t i, float radius_of_b, vp_error *error)
{
    const vp_manifold_body a = vp_compound_part_body(m->a, i);
    const float radius = vp_collide_radius(a.shape);
    if (are_apart(a.pose.position, radius, m->b->pose.position, radius_of_b, m->margin))
        return VP_OK;
    for (uint32_t k = 0; k < m->b->compound->count; k++) {
        const vp_manifold_body b = vp_compound_part_body(m->b, k);
        if (!are_apart(a.pose.position, radius, b.pose.position, vp_collide_radius(b.shape), m->margin))
            VP_RETURN_IF_FAILED(collide_parts(m, &a, i, &b, k, error));
    }
    return VP_OK;
}

/* Replaces the ids of pseudo triangles, which are names, by the part of b. */
static void name_parts(const vp_manifold_work *work, vp_manifold *m)
{
    for (uint32_t k = 0; k < m->count; k++) {
        vp_terrain_triangle_id *at = &m->point[k].at;
        uint32_t i = 0;
        while (work->triangle[i].id.chunk != at->chunk || work->triangle[i].id.triangle != at->triangle)
            i++;
        *at = (vp_terrain_triangle_id){VP_COLLIDE_NO_CHUNK, work->triangle[i].unused};
    }
}

vp_status vp_manifold_compounds(const vp_compound_body *a, const vp_compound_body *b, float margin, vp_manifold_scratch *scratch,
                                vp_manifold *out, uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, a, b, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    const vp_manifold_def def = {.margin = margin};
    vp_manifold chosen[VP_MANIFOLD_DIRECTIONS];
    vp_manifold_work work = {.def = &def};
    compound_pair m = {a, b, margin, &work, 0};
    VP_RETURN_IF_FAILED(vp_manifold_lay_out(scratch, &work, error));
    if (!(margin >= 0.0f && margin < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "margin is %g; must be finite and >= 0", (double)margin);
    VP_RETURN_IF_FAILED(vp_compound_check_body(a, error));
    VP_RETURN_IF_FAILED(vp_compound_check_body(b, error));
    const float radius_of_b = vp_compound_radius(b->compound);
    for (uint32_t i = 0; i < a->compound->count; i++)
        VP_RETURN_IF_FAILED(collide_part(&m, i, radius_of_b, error));
    work.radius = fminf(vp_compound_radius(a->compound), radius_of_b);
    *manifold_count = vp_manifold_choose(&work, VP_COLLIDE_NO_CHUNK, chosen);
    for (uint32_t i = 0; i < *manifold_count && i < capacity; i++) {
        name_parts(&work, &chosen[i]);
        out[i] = chosen[i];
    }
    scratch->needed = m.total > scratch->needed ? m.total : scratch->needed;
    if (m.total > work.capacity)
        return vp_fail(error, VP_E_LIMIT, "vp_manifold_scratch.capacity is %u; the bodies have %u contacts: the deepest are kept",
                       work.capacity, m.total);
    return vp_succeed(error);
}
