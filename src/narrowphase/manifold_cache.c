/* SPDX-License-Identifier: MIT */
/* Kept manifolds of a body that hardly moves (docs/CONTRACT.md: MAN-11). */
#include <voxphys/manifold.h>

#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/real3.h"
#include "src/narrowphase/run.h"
#include "src/terrain/terrain_internal.h"
#include "src/world/world_internal.h"

/* A touched triangle has its corners within two voxels of the body's box, and its neighbours' quads cross edges up to two voxels from
 * those. */
#define NEIGHBOURHOOD 4.0f

static bool is_same_shape(const vp_collide_shape *a, const vp_collide_shape *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case VP_COLLIDE_SPHERE:
        return a->radius == b->radius;
    case VP_COLLIDE_BOX:
        return a->half.x == b->half.x && a->half.y == b->half.y && a->half.z == b->half.z;
    case VP_COLLIDE_HULL:
        return a->hull == b->hull;
    default:
        return a->radius == b->radius && a->half_height == b->half_height;
    }
}

/* ---- edits ---- */

/* The chunks in which an edit can change the manifolds of a body, from its box. */
static void find_chunks(const vp_terrain *t, const vp_aabb *box, vp_manifold_cache *cache)
{
    const float min[3] = {box->min.x, box->min.y, box->min.z}, max[3] = {box->max.x, box->max.y, box->max.z};
    const int32_t first[3] = {t->first.x, t->first.y, t->first.z};
    const uint32_t count[3] = {t->chunks.x, t->chunks.y, t->chunks.z};
    for (int k = 0; k < 3; k++) {
        const float begin = (float)(first[k] * VP_CHUNK_EDGE), end = begin + (float)count[k] * VP_CHUNK_EDGE - 1.0f;
        cache->first[k] = (uint32_t)fminf(fmaxf(min[k] - NEIGHBOURHOOD, begin), end) / VP_CHUNK_EDGE;
        cache->last[k] = (uint32_t)fminf(fmaxf(max[k] + NEIGHBOURHOOD, begin), end) / VP_CHUNK_EDGE;
    }
}

static bool is_edited(const vp_terrain *t, const vp_manifold_cache *cache)
{
    if (vp_cache_edits(&t->cache) == cache->edits)
        return false;
    for (uint32_t y = cache->first[1]; y <= cache->last[1]; y++)
        for (uint32_t z = cache->first[2]; z <= cache->last[2]; z++)
            for (uint32_t x = cache->first[0]; x <= cache->last[0]; x++)
                if (vp_cache_is_edited(&t->cache, vp_chunk_number(t->world->chunks, x, y, z), cache->edits))
                    return true;
    return false;
}

/* ---- motion ---- */

/* An upper bound of how far a point of the shape moved from one frame to another. R - S of two rotations stretches no vector by more
 * than its Frobenius norm / sqrt(2). */
static double bound_motion(const vp_collide_frame *from, const vp_collide_frame *to, double radius)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const vp_real3 d = vp_real3_sub(vp_real3_of(to->row[k]), vp_real3_of(from->row[k]));
        square += vp_real3_dot(d, d);
    }
    const vp_real3 moved = vp_real3_sub(vp_real3_of(to->position), vp_real3_of(from->position));
    return vp_real3_length(moved) + radius * (sqrt(0.5 * square) + 0x1p-21);
}

static bool is_deeper(const vp_manifold_point *a, const vp_manifold_point *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->feature < b->feature;
}

static vp_manifold_point move_point(const vp_manifold_point *p, const vp_collide_frame *from, const vp_collide_frame *to)
{
    const vp_real3 at = vp_real3_of(p->on_shape), moved = vp_real3_sub(vp_real3_of(from->position), vp_real3_of(to->position));
    vp_real3 on_shape = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++)
        on_shape = vp_real3_plus(on_shape, vp_real3_of(to->row[k]), vp_real3_dot(vp_real3_of(from->row[k]), at));
    const vp_real3 on_triangle = vp_real3_add(vp_real3_of(p->on_triangle), moved);
    vp_manifold_point out = *p;
    out.on_shape = vp_real3_rounded(on_shape);
    out.on_triangle = vp_real3_rounded(on_triangle);
    out.distance = (float)vp_real3_dot(vp_real3_sub(on_shape, on_triangle), vp_real3_of(p->normal));
    return out;
}

/* @return false if no point is within the margin */
static bool move_manifold(const vp_manifold *m, const vp_collide_frame *from, const vp_collide_frame *to, float margin, vp_manifold *out)
{
    *out = (vp_manifold){.chunk = m->chunk, .normal = m->normal};
    for (uint32_t i = 0; i < m->count; i++) {
        const vp_manifold_point p = move_point(&m->point[i], from, to);
        if (!(p.distance <= margin))
            continue;
        uint32_t k = out->count++;
        for (; k > 0 && is_deeper(&p, &out->point[k - 1]); k--)
            out->point[k] = out->point[k - 1];
        out->point[k] = p;
    }
    return out->count > 0;
}

static uint32_t move_manifolds(const vp_manifold_cache *cache, const vp_collide_frame *from, const vp_collide_frame *to,
                               vp_manifold moved[VP_MANIFOLD_DIRECTIONS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < cache->count; i++) {
        vp_manifold m;
        if (!move_manifold(&cache->manifold[i], from, to, cache->margin, &m))
            continue;
        uint32_t k = count++;
        for (; k > 0 && is_deeper(&m.point[0], &moved[k - 1].point[0]) && m.chunk == moved[k - 1].chunk; k--)
            moved[k] = moved[k - 1];
        moved[k] = m;
    }
    return count;
}

/* ---- the whole ---- */

static void copy_manifolds(const vp_manifold *m, uint32_t count, vp_manifold *out, uint32_t capacity)
{
    if (capacity > 0) /* out may be NULL */
        memcpy(out, m, (count < capacity ? count : capacity) * sizeof *m);
}

/* Answers from the cache. @return false if it cannot */
static bool reuse_manifolds(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain *terrain, float tolerance,
                            const vp_manifold_cache *cache, vp_manifold *out, uint32_t capacity, uint32_t *count)
{
    vp_collide_frame from, to;
    vp_manifold moved[VP_MANIFOLD_DIRECTIONS];
    if (terrain == NULL || cache->terrain != terrain || cache->margin != def->margin || cache->surface != def->surface ||
        cache->by_chunk != def->by_chunk || !is_same_shape(&cache->shape, body->shape) || is_edited(terrain, cache))
        return false;
    if (memcmp(&cache->pose, &body->pose, sizeof body->pose) == 0) {
        copy_manifolds(cache->manifold, cache->count, out, capacity);
        *count = cache->count;
        return true;
    }
    if (vp_collide_frame_of(&cache->pose, &from, NULL) != VP_OK || vp_collide_frame_of(&body->pose, &to, NULL) != VP_OK ||
        !(bound_motion(&from, &to, (double)vp_collide_radius(body->shape)) <= (double)tolerance))
        return false;
    *count = move_manifolds(cache, &from, &to, moved);
    copy_manifolds(moved, *count, out, capacity);
    return true;
}

/* Makes the manifolds and keeps them, if the cache has room for all. */
static vp_status renew_manifolds(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                                 vp_manifold_cache *cache, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                 uint32_t *count, vp_error *error)
{
    vp_collide_frame frame;
    vp_aabb box;
    const bool has_room = capacity >= VP_MANIFOLD_DIRECTIONS;
    vp_manifold *const made = has_room ? out : cache->manifold;
    cache->terrain = NULL;
    vp_status status = vp_manifold_terrain(def, body, reader, scratch, made, has_room ? capacity : VP_MANIFOLD_DIRECTIONS, count, error);
    if (status != VP_OK && status != VP_E_LIMIT)
        return status;
    const uint32_t kept = *count < VP_MANIFOLD_DIRECTIONS ? *count : VP_MANIFOLD_DIRECTIONS;
    if (has_room)
        memcpy(cache->manifold, out, kept * sizeof *out);
    else
        copy_manifolds(cache->manifold, kept, out, capacity);
    if (status != VP_OK || kept != *count ||
        vp_collide_frame_and_bounds(body->shape, &body->pose, def->margin, &frame, &box, NULL) != VP_OK)
        return status;
    cache->count = kept;
    cache->shape = *body->shape;
    cache->pose = body->pose;
    cache->margin = def->margin;
    cache->surface = def->surface;
    cache->by_chunk = def->by_chunk;
    cache->edits = vp_cache_edits(&reader->terrain->cache);
    find_chunks(reader->terrain, &box, cache);
    cache->terrain = reader->terrain;
    return VP_OK;
}

vp_status vp_manifold_terrain_cached(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                                     float tolerance, vp_manifold_cache *cache, vp_manifold_scratch *scratch, vp_manifold *out,
                                     uint32_t capacity, uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, def, body, reader, cache, scratch);
    cache->is_reused = false;
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    VP_RETURN_IF_NULL_NAMED(error, "vp_manifold_body.shape", body->shape);
    if (def->motion.x != 0.0f || def->motion.y != 0.0f || def->motion.z != 0.0f)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.motion must be 0 with a cache");
    if (def->margin >= 0.0f && !(tolerance >= 0.0f && tolerance <= def->margin)) /* the exact call refuses other margins */
        return vp_fail(error, VP_E_ARGUMENT, "tolerance is %g; must be 0 to vp_manifold_def.margin, %g", (double)tolerance,
                       (double)def->margin);
    if (!reuse_manifolds(def, body, reader->terrain, tolerance, cache, out, capacity, manifold_count))
        return renew_manifolds(def, body, reader, cache, scratch, out, capacity, manifold_count, error);
    cache->is_reused = true;
    scratch->needed = VP_MANIFOLD_MIN_TRIANGLES;
    return vp_succeed(error);
}
