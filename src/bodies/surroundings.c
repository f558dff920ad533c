/* SPDX-License-Identifier: MIT */
/* Surroundings of terrain, blocks and bodies: placing bodies, and manifolds on everything. */
#include "src/bodies/surroundings.h"

#include <math.h>
#include <stdatomic.h>

#include "src/core/error.h"
#include "src/core/executor.h"

vp_status vp_surroundings_place(const vp_compound_body *body, uint8_t material, vp_surroundings_body *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, body, out);
    vp_aabb bounds;
    vp_status status = vp_compound_check(body->compound, error);
    if (status == VP_OK) /* shapes closer than this count as touching (vp_cast_shape) */
        status = vp_compound_bounds(body, vp_compound_radius(body->compound) * 0x1p-18f, &bounds, error);
    if (status != VP_OK)
        return status;
    *out = (vp_surroundings_body){body->compound, body->pose, bounds, material, false};
    return vp_succeed(error);
}

/* ---- manifolds ---- */

typedef struct surroundings_gather {
    const vp_surroundings *surroundings;
    vp_manifold_def def;
    const vp_compound_body *body;
    vp_manifold_scratch *scratch;
    vp_surroundings_manifold *out;
    uint32_t capacity, written, needed;
    bool limited;
} surroundings_gather;

/* Adds manifolds with one obstacle. */
static vp_status add_manifolds(surroundings_gather *g, vp_surroundings_part on, vp_status status, const vp_manifold *m, uint32_t made)
{
    g->needed = g->scratch->needed > g->needed ? g->scratch->needed : g->needed;
    g->limited = g->limited || status == VP_E_LIMIT;
    if (status != VP_OK && status != VP_E_LIMIT)
        return status;
    for (uint32_t i = 0; i < made; i++, g->written++) {
        if (g->written >= g->capacity)
            continue;
        vp_surroundings_manifold *to = &g->out[g->written];
        *to = (vp_surroundings_manifold){on, m[i]};
        for (uint32_t k = 0; on.kind == VP_SURROUNDINGS_BODY && k < to->manifold.count; k++)
            to->manifold.point[k].material = g->surroundings->body[on.body].material;
    }
    return VP_OK;
}

static vp_status collide_world(surroundings_gather *g, vp_error *error)
{
    vp_manifold m[VP_MANIFOLD_DIRECTIONS];
    uint32_t made = 0;
    vp_status status = VP_OK;
    if (g->surroundings->terrain != NULL) {
        status =
            vp_manifold_compound_terrain(&g->def, g->body, g->surroundings->terrain, g->scratch, m, VP_MANIFOLD_DIRECTIONS, &made, error);
        status = add_manifolds(g, (vp_surroundings_part){VP_SURROUNDINGS_TERRAIN, 0}, status, m, made);
    }
    if (status == VP_OK && g->surroundings->blocks != NULL) {
        status =
            vp_manifold_compound_blocks(&g->def, g->body, g->surroundings->blocks, g->scratch, m, VP_MANIFOLD_DIRECTIONS, &made, error);
        status = add_manifolds(g, (vp_surroundings_part){VP_SURROUNDINGS_BLOCKS, 0}, status, m, made);
    }
    return status;
}

static vp_status collide_body(surroundings_gather *g, uint32_t i, vp_error *error)
{
    const vp_compound_body other = vp_surroundings_body_of(g->surroundings, i);
    vp_manifold m[VP_MANIFOLD_DIRECTIONS];
    vp_error why;
    uint32_t made = 0;
    vp_status status = vp_manifold_compounds(g->body, &other, g->def.margin, g->scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &why);
    status = add_manifolds(g, (vp_surroundings_part){VP_SURROUNDINGS_BODY, i}, status, m, made);
    return status == VP_OK ? VP_OK : vp_surroundings_fail(i, status, &why, error);
}

/* @param pairs_once  skips awake bodies before `self`, which report the pair themselves */
static vp_status collide_all(surroundings_gather *g, uint32_t self, bool pairs_once, vp_error *error)
{
    vp_aabb box;
    g->written = 0;
    g->limited = false;
    g->needed = VP_MANIFOLD_MIN_TRIANGLES;
    g->scratch->needed = VP_MANIFOLD_MIN_TRIANGLES;
    vp_status status = vp_compound_bounds(g->body, g->def.margin, &box, error);
    if (status == VP_OK)
        status = collide_world(g, error);
    for (uint32_t i = 0; i < g->surroundings->body_count && status == VP_OK; i++)
        if (i != self && (!pairs_once || i > self || g->surroundings->body[i].at_rest) &&
            vp_aabb_overlaps(&box, &g->surroundings->body[i].bounds))
            status = collide_body(g, i, error);
    if (status != VP_OK)
        g->written = 0;
    g->scratch->needed = g->needed;
    if (status == VP_OK && g->limited)
        return vp_fail(error, VP_E_LIMIT, "vp_manifold_scratch.capacity is %u; the body needs up to %u: the deepest contacts are kept",
                       g->scratch->capacity, g->needed);
    return status;
}

/* Checks and fills in the settings shared by all calls. */
static vp_status begin_gathering(const vp_surroundings *s, const vp_manifold_def *def, vp_kernels *default_kernels,
                                 surroundings_gather *out, vp_error *error)
{
    *out = (surroundings_gather){.surroundings = s, .def = *def};
    out->def.surface = s->surface;
    out->def.by_chunk = false;
    if (!(def->margin >= 0.0f && def->margin < INFINITY))
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_def.margin is %g; must be finite and >= 0", (double)def->margin);
    if (def->kernels != NULL)
        return VP_OK;
    out->def.kernels = default_kernels;
    return vp_kernels_default(default_kernels, error);
}

static vp_status check_scratch(const vp_manifold_scratch *scratch, vp_error *error)
{
    if (scratch->memory != NULL && vp_manifold_scratch_bytes(scratch->capacity) > 0)
        return VP_OK;
    if (scratch->memory == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_scratch.memory is NULL");
    return vp_fail(error, VP_E_ARGUMENT, "vp_manifold_scratch.capacity is %u; must be %u to %u", scratch->capacity,
                   VP_MANIFOLD_MIN_TRIANGLES, VP_MANIFOLD_MAX_TRIANGLES);
}

vp_status vp_surroundings_manifolds(const vp_surroundings *s, const vp_manifold_def *def, const vp_compound_body *body, uint32_t self,
                                    vp_manifold_scratch *scratch, vp_surroundings_manifold *out, uint32_t capacity,
                                    uint32_t *manifold_count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, manifold_count);
    *manifold_count = 0;
    VP_RETURN_IF_NULL(error, s, def, body, scratch);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    surroundings_gather g;
    vp_kernels default_kernels;
    VP_RETURN_IF_FAILED(begin_gathering(s, def, &default_kernels, &g, error));
    VP_RETURN_IF_FAILED(check_scratch(scratch, error));
    g.body = body;
    g.scratch = scratch;
    g.out = out;
    g.capacity = capacity;
    vp_status status = collide_all(&g, self, false, error);
    *manifold_count = g.written;
    return status == VP_OK ? vp_succeed(error) : status;
}

typedef struct manifold_batch {
    surroundings_gather settings;
    vp_manifold_scratch *scratch;
    vp_surroundings_manifold *out;
    vp_manifold_result *result;
    uint32_t room;
    atomic_uint_least32_t next; /* next body */
} manifold_batch;

/* Processes bodies until none are left. */
static void collide_bodies(void *argument, uint32_t index)
{
    manifold_batch *b = argument;
    const vp_surroundings *s = b->settings.surroundings;
    uint32_t needed = VP_MANIFOLD_MIN_TRIANGLES;
    for (uint32_t i = atomic_fetch_add(&b->next, 1); i < s->body_count; i = atomic_fetch_add(&b->next, 1)) {
        const vp_compound_body body = vp_surroundings_body_of(s, i);
        vp_error ignored;
        surroundings_gather g = b->settings;
        g.body = &body;
        g.scratch = &b->scratch[index];
        g.out = b->room > 0 ? b->out + (size_t)i * b->room : NULL;
        g.capacity = b->room;
        b->result[i] = (vp_manifold_result){.first = i * b->room, .status = VP_OK};
        if (s->body[i].at_rest)
            continue;
        b->result[i].status = collide_all(&g, i, true, &ignored);
        b->result[i].count = g.written;
        needed = g.scratch->needed > needed ? g.scratch->needed : needed;
    }
    b->scratch[index].needed = needed;
}

vp_status vp_surroundings_manifolds_many(const vp_surroundings *s, const vp_manifold_def *def, const vp_executor *executor,
                                         vp_manifold_scratch *scratch, uint32_t scratch_count, uint32_t capacity,
                                         vp_surroundings_manifold *out, vp_manifold_result *result, vp_error *error)
{
    VP_RETURN_IF_NULL(error, s, def);
    VP_RETURN_IF_ARRAY_NULL(error, scratch, scratch_count);
    if (s->body_count != 0) {
        VP_RETURN_IF_NULL(error, result);
        VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    }
    const vp_executor by = vp_executor_or_serial(executor);
    vp_kernels default_kernels;
    manifold_batch b = {.scratch = scratch, .out = out, .result = result, .room = capacity};
    VP_RETURN_IF_FAILED(begin_gathering(s, def, &default_kernels, &b.settings, error));
    if (scratch_count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "scratch_count is 0; must be at least 1, one for each task that runs at once");
    if ((uint64_t)capacity * s->body_count > UINT32_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "%u bodies with room for %u manifolds each are more than %u manifolds", s->body_count,
                       capacity, UINT32_MAX);
    for (uint32_t i = 0; i < scratch_count; i++)
        VP_RETURN_IF_FAILED(check_scratch(&scratch[i], error));
    atomic_init(&b.next, 0);
    by.parallel_for(by.user, scratch_count, collide_bodies, &b);
    return vp_succeed(error);
}
