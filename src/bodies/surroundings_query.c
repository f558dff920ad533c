/* SPDX-License-Identifier: MIT */
/* Casts, overlap and closest points over a terrain, blocks and bodies together. */
#include "src/bodies/surroundings.h"

#include <math.h>

#include <voxphys/shapes.h>

#include "src/bodies/cast.h"
#include "src/core/error.h"

/* ---- casts ---- */

typedef struct surroundings_cast {
    const vp_surroundings *surroundings;
    const vp_compound_body *body;
    const vp_kernels *kernels;
    vp_vec3 translation;
    vp_surroundings_hit best;
} surroundings_cast;

static vp_cast_def def_of(const surroundings_cast *c, uint32_t part)
{
    const vp_manifold_body body = vp_compound_part_body(c->body, part);
    return (vp_cast_def){body.shape, body.pose, c->translation, c->kernels};
}

static void keep_hit(surroundings_cast *c, vp_surroundings_part on, uint32_t part, const vp_cast_hit *hit)
{
    const vp_cast_hit *best = &c->best.cast;
    const bool is_deeper = hit->started_inside && (!best->started_inside || hit->depth > best->depth);
    if (hit->found && (!best->found || hit->t < best->t || (hit->t == best->t && is_deeper)))
        c->best = (vp_surroundings_hit){on, part, *hit};
}

static vp_status cast_at_world(surroundings_cast *c, vp_error *error)
{
    vp_cast_hit hit;
    for (uint32_t i = 0; i < c->body->compound->count && c->surroundings->terrain != NULL; i++) {
        const vp_cast_def def = def_of(c, i);
        VP_RETURN_IF_FAILED(vp_cast_terrain(c->surroundings->terrain, c->surroundings->surface, &def, &hit, error));
        keep_hit(c, (vp_surroundings_part){VP_SURROUNDINGS_TERRAIN, 0}, i, &hit);
    }
    for (uint32_t i = 0; i < c->body->compound->count && c->surroundings->blocks != NULL; i++) {
        const vp_cast_def def = def_of(c, i);
        VP_RETURN_IF_FAILED(vp_cast_blocks(c->surroundings->blocks, &def, &hit, error));
        keep_hit(c, (vp_surroundings_part){VP_SURROUNDINGS_BLOCKS, 0}, i, &hit);
    }
    return VP_OK;
}

static vp_status cast_at_body(surroundings_cast *c, uint32_t index, vp_error *error)
{
    const vp_compound_body other = vp_surroundings_body_of(c->surroundings, index);
    vp_error why;
    for (uint32_t i = 0; i < c->body->compound->count; i++) {
        const vp_cast_def def = def_of(c, i);
        for (uint32_t k = 0; k < other.compound->count; k++) {
            const vp_manifold_body part = vp_compound_part_body(&other, k);
            vp_cast_hit hit;
            const vp_status status = vp_cast_shape(&def, &part, &hit, &why);
            if (status != VP_OK)
                return vp_surroundings_fail(index, status, &why, error);
            hit.material = c->surroundings->body[index].material;
            hit.at.triangle = k;
            keep_hit(c, (vp_surroundings_part){VP_SURROUNDINGS_BODY, index}, i, &hit);
        }
    }
    return VP_OK;
}

/* The box of a body along its way, wider by more than roundings. */
static vp_status find_swept_bounds(const vp_compound_body *body, vp_vec3 translation, vp_aabb *out, vp_error *error)
{
    vp_aabb start;
    VP_RETURN_IF_FAILED(vp_compound_bounds(body, 0.0f, &start, error));
    const vp_aabb end = {vp_vec3_add(start.min, translation), vp_vec3_add(start.max, translation)};
    const vp_aabb all = vp_aabb_union(&start, &end);
    const vp_vec3 far = vp_vec3_max(all.max, vp_vec3_scale(all.min, -1.0f));
    const float more = fmaxf(fmaxf(fabsf(far.x), fabsf(far.y)), fabsf(far.z)) * 0x1p-18f;
    *out = (vp_aabb){vp_vec3_sub(all.min, (vp_vec3){more, more, more}), vp_vec3_add(all.max, (vp_vec3){more, more, more})};
    return VP_OK;
}

vp_status vp_surroundings_cast(const vp_surroundings *s, const vp_kernels *kernels, const vp_compound_body *body, uint32_t self,
                               vp_vec3 translation, vp_surroundings_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, s, body, out);
    surroundings_cast c = {s, body, kernels, translation, {.cast = vp_cast_miss()}};
    vp_kernels default_kernels;
    vp_aabb box;
    vp_status status = find_swept_bounds(body, translation, &box, error);
    if (status == VP_OK && !(isfinite(translation.x) && isfinite(translation.y) && isfinite(translation.z)))
        return vp_fail(error, VP_E_ARGUMENT, "translation is (%g, %g, %g); must be finite", (double)translation.x, (double)translation.y,
                       (double)translation.z);
    if (status == VP_OK && kernels == NULL) {
        status = vp_kernels_default(&default_kernels, error);
        c.kernels = &default_kernels;
    }
    if (status == VP_OK)
        status = cast_at_world(&c, error);
    for (uint32_t i = 0; i < s->body_count && status == VP_OK; i++)
        if (i != self && vp_aabb_overlaps(&box, &s->body[i].bounds))
            status = cast_at_body(&c, i, error);
    if (status != VP_OK)
        return status;
    *out = c.best;
    return vp_succeed(error);
}

/* ---- overlap ---- */

static vp_status test_overlap_with_body(const vp_compound_body *body, const vp_compound_body *other, bool *out, vp_error *error)
{
    vp_status status = VP_OK;
    *out = false;
    for (uint32_t i = 0; i < body->compound->count; i++) {
        const vp_manifold_body a = vp_compound_part_body(body, i);
        for (uint32_t k = 0; k < other->compound->count && status == VP_OK && !*out; k++) {
            const vp_manifold_body b = vp_compound_part_body(other, k);
            status = vp_shapes_overlap(&a, &b, out, error);
        }
    }
    return status;
}

/* Whether any part overlaps the terrain or the blocks. */
static vp_status test_overlap_with_world(const surroundings_cast *c, bool blocks, bool *out, vp_error *error)
{
    *out = false;
    for (uint32_t i = 0; i < c->body->compound->count && !*out; i++) {
        const vp_cast_def def = def_of(c, i);
        VP_RETURN_IF_FAILED(blocks ? vp_overlap_blocks(c->surroundings->blocks, &def, out, error)
                                   : vp_overlap_terrain(c->surroundings->terrain, c->surroundings->surface, &def, out, error));
    }
    return VP_OK;
}

static void list_thing(vp_surroundings_part on, vp_surroundings_part *out, uint32_t capacity, uint32_t *count)
{
    if (*count < capacity)
        out[*count] = on;
    ++*count;
}

vp_status vp_surroundings_overlap(const vp_surroundings *s, const vp_kernels *kernels, const vp_compound_body *body, uint32_t self,
                                  vp_surroundings_part *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, s, body, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    surroundings_cast c = {.surroundings = s, .body = body, .kernels = kernels};
    vp_kernels default_kernels;
    vp_aabb box;
    uint32_t listed = 0;
    bool overlaps;
    vp_status status = vp_compound_bounds(body, 0.0f, &box, error);
    if (status == VP_OK && kernels == NULL) {
        status = vp_kernels_default(&default_kernels, error);
        c.kernels = &default_kernels;
    }
    if (status == VP_OK && s->terrain != NULL) {
        status = test_overlap_with_world(&c, false, &overlaps, error);
        if (status == VP_OK && overlaps)
            list_thing((vp_surroundings_part){VP_SURROUNDINGS_TERRAIN, 0}, out, capacity, &listed);
    }
    if (status == VP_OK && s->blocks != NULL) {
        status = test_overlap_with_world(&c, true, &overlaps, error);
        if (status == VP_OK && overlaps)
            list_thing((vp_surroundings_part){VP_SURROUNDINGS_BLOCKS, 0}, out, capacity, &listed);
    }
    for (uint32_t i = 0; i < s->body_count && status == VP_OK; i++) {
        const vp_compound_body other = vp_surroundings_body_of(s, i);
        vp_error why;
        if (i == self || !vp_aabb_overlaps(&box, &s->body[i].bounds))
            continue;
        status = test_overlap_with_body(body, &other, &overlaps, &why);
        if (status != VP_OK)
            return vp_surroundings_fail(i, status, &why, error);
        if (overlaps)
            list_thing((vp_surroundings_part){VP_SURROUNDINGS_BODY, i}, out, capacity, &listed);
    }
    if (status != VP_OK)
        return status;
    *count = listed;
    return vp_succeed(error);
}

/* ---- closest point ---- */

static double distance_on_axis(float at, float low, float high)
{
    return at < low ? (double)low - (double)at : at > high ? (double)at - (double)high : 0.0;
}

static bool is_within(vp_vec3 point, const vp_aabb *box, float distance)
{
    const vp_real3 from = {distance_on_axis(point.x, box->min.x, box->max.x), distance_on_axis(point.y, box->min.y, box->max.y),
                           distance_on_axis(point.z, box->min.z, box->max.z)};
    return vp_real3_length(from) * (1.0 - 0x1p-20) <= (double)distance;
}

/* @param max  maximum distance. Among equally close points the first one counts. */
static void keep_closest(vp_surroundings_closest *best, vp_surroundings_part on, const vp_closest *found, float max)
{
    if (found->found && (best->on.kind == VP_SURROUNDINGS_NOTHING ? found->distance <= max : found->distance < best->closest.distance))
        *best = (vp_surroundings_closest){on, *found};
}

static vp_status find_closest_on_body(const vp_surroundings *s, uint32_t index, vp_vec3 point, float max, vp_surroundings_closest *best,
                                      vp_error *error)
{
    const vp_compound_body body = vp_surroundings_body_of(s, index);
    vp_error why;
    for (uint32_t k = 0; k < body.compound->count; k++) {
        const vp_manifold_body part = vp_compound_part_body(&body, k);
        vp_shape_point at;
        const vp_status status = vp_shape_closest_point(part.shape, &part.pose, point, &at, &why);
        if (status != VP_OK)
            return vp_surroundings_fail(index, status, &why, error);
        const vp_closest found = {true, s->body[index].material, at.distance, at.point, at.normal, {VP_COLLIDE_NO_CHUNK, k}};
        keep_closest(best, (vp_surroundings_part){VP_SURROUNDINGS_BODY, index}, &found, max);
    }
    return VP_OK;
}

vp_status vp_surroundings_closest_point(const vp_surroundings *s, vp_vec3 point, uint32_t self, float max_distance,
                                        vp_surroundings_closest *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, s, out);
    vp_surroundings_closest best = {.closest.at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE}};
    vp_closest found;
    float max = max_distance;
    if (!(max_distance >= 0.0f))
        return vp_fail(error, VP_E_ARGUMENT, "max_distance is %g; must be >= 0", (double)max_distance);
    vp_status status = vp_cast_check_point("point", point, error);
    if (status == VP_OK && s->terrain != NULL) {
        status = vp_closest_terrain(s->terrain, s->surface, point, max, &found, error);
        if (status == VP_OK)
            keep_closest(&best, (vp_surroundings_part){VP_SURROUNDINGS_TERRAIN, 0}, &found, max);
    }
    max = best.on.kind == VP_SURROUNDINGS_NOTHING ? max : best.closest.distance;
    if (status == VP_OK && s->blocks != NULL) {
        status = vp_closest_blocks(s->blocks, point, max, &found, error);
        if (status == VP_OK)
            keep_closest(&best, (vp_surroundings_part){VP_SURROUNDINGS_BLOCKS, 0}, &found, max);
    }
    for (uint32_t i = 0; i < s->body_count && status == VP_OK; i++) {
        max = best.on.kind == VP_SURROUNDINGS_NOTHING ? max_distance : fmaxf(best.closest.distance, 0.0f);
        if (i != self && is_within(point, &s->body[i].bounds, max))
            status = find_closest_on_body(s, i, point, max, &best, error);
    }
    if (status != VP_OK)
        return status;
    *out = best;
    return vp_succeed(error);
}
