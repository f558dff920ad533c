/* SPDX-License-Identifier: MIT */
/* Casts against terrain and blocks. The way is cut into pieces, and each piece gathers the triangles in the box that
 * the shape sweeps there. The walk stops at the first hit. */
#include "src/bodies/cast.h"

#include "src/core/error.h"
#include "src/narrowphase/run.h"

/* Length of a piece: the shape's largest side, at least this, measured on the axis on which the way is longest. */
#define PIECE 4.0

typedef struct terrain_walk {
    vp_shape_cast cast;
    vp_kernels kernels;
    vp_aabb bounds;   /* bounds of all triangles, plus a voxel */
    double motion[3]; /* from start to end */
} terrain_walk;

static void corners_of(const vp_aabb *box, double low[3], double high[3])
{
    low[0] = (double)box->min.x, low[1] = (double)box->min.y, low[2] = (double)box->min.z;
    high[0] = (double)box->max.x, high[1] = (double)box->max.y, high[2] = (double)box->max.z;
}

/* The part of the way on which the shape's box meets the bounds. @return false: none */
static bool clip_to_bounds(const terrain_walk *w, double *from, double *to)
{
    double low[3], high[3], least[3], most[3];
    corners_of(&w->cast.start, low, high);
    corners_of(&w->bounds, least, most);
    *from = 0.0;
    *to = 1.0;
    for (int k = 0; k < 3; k++) {
        const double d = w->motion[k], before = least[k] - high[k], after = most[k] - low[k];
        if (d == 0.0) {
            if (before > 0.0 || after < 0.0)
                return false;
            continue;
        }
        const double enter = (d > 0.0 ? before : after) / d, leave = (d > 0.0 ? after : before) / d;
        *from = enter > *from ? enter : *from;
        *to = leave < *to ? leave : *to;
    }
    return *from <= *to;
}

/* The box that the shape sweeps between two parts of the way, clipped to the bounds, widened by more than roundings. */
static vp_aabb find_swept_box(const terrain_walk *w, double from, double to)
{
    double low[3], high[3];
    float min[3], max[3];
    corners_of(&w->cast.start, low, high);
    for (int k = 0; k < 3; k++) {
        const double a = w->motion[k] * from, b = w->motion[k] * to;
        low[k] += a < b ? a : b;
        high[k] += a < b ? b : a;
        const double most = fabs(low[k]) > fabs(high[k]) ? fabs(low[k]) : fabs(high[k]);
        min[k] = (float)(low[k] - most * 0x1p-22);
        max[k] = (float)(high[k] + most * 0x1p-22);
    }
    return (vp_aabb){vp_vec3_max((vp_vec3){min[0], min[1], min[2]}, w->bounds.min),
                     vp_vec3_min((vp_vec3){max[0], max[1], max[2]}, w->bounds.max)};
}

static uint32_t pieces_of(const terrain_walk *w, double part)
{
    double low[3], high[3], size = PIECE, longest = 0.0;
    corners_of(&w->cast.start, low, high);
    for (int k = 0; k < 3; k++) {
        size = high[k] - low[k] > size ? high[k] - low[k] : size;
        longest = fabs(w->motion[k]) > longest ? fabs(w->motion[k]) : longest;
    }
    const double pieces = longest * part / size;
    return pieces > 1.0 ? (uint32_t)ceil(pieces) : 1;
}

static bool is_any_wanted(void *user, const vp_aabb *box)
{
    (void)user, (void)box;
    return true;
}

static bool add_triangles(void *user, const vp_collide_triangle *triangle, uint32_t count)
{
    vp_cast_add_triangles(user, triangle, count);
    return true;
}

/* A point inside the shape. */
static vp_vec3 middle_of(const vp_shape_cast *c)
{
    vp_real3 middle = {0.0, 0.0, 0.0};
    const vp_collide_hull *h = c->shape->kind == VP_COLLIDE_HULL ? c->shape->hull : NULL;
    for (uint32_t i = 0; h != NULL && i < h->vertex_count; i++)
        middle = vp_real3_plus(middle, vp_real3_of(h->vertex[i]), 1.0 / h->vertex_count);
    return vp_real3_rounded(vp_real3_plus(vp_real3_of(c->frame.position), vp_cast_to_world(&c->frame, middle), 1.0));
}

/* Rejects a way that leaves the range of block coordinates. */
static vp_status check_way(const terrain_walk *w, vp_error *error)
{
    double low[3], high[3];
    corners_of(&w->cast.start, low, high);
    for (int k = 0; k < 3; k++) {
        const double end = w->motion[k] < 0.0 ? low[k] + w->motion[k] : low[k], far = w->motion[k] > 0.0 ? high[k] + w->motion[k] : high[k];
        if (!(end > -(double)VP_COLLIDE_BLOCK_REACH && far < (double)VP_COLLIDE_BLOCK_REACH))
            return vp_fail(error, VP_E_ARGUMENT, "the shape moves from %.9g to %.9g along %c; must stay between -2^24 and 2^24", end, far,
                           "xyz"[k]);
    }
    return VP_OK;
}

static vp_status begin_query(const vp_cast_space *space, const vp_cast_def *def, bool moves, terrain_walk *w, vp_error *error)
{
    vp_status status = vp_cast_space_check(space, error);
    vp_cast_def used = *def;
    used.kernels = status == VP_OK && space->reader != NULL ? vp_cast_space_kernels(space) : def->kernels;
    used.translation = moves ? def->translation : (vp_vec3){0.0f, 0.0f, 0.0f};
    if (status == VP_OK)
        status = vp_cast_begin(&used, &w->kernels, &w->cast, error);
    if (status != VP_OK)
        return status;
    w->motion[0] = (double)used.translation.x, w->motion[1] = (double)used.translation.y, w->motion[2] = (double)used.translation.z;
    if (space->reader == NULL)
        status = check_way(w, error);
    if (status != VP_OK)
        return status;
    const vp_vec3 one = {1.0f, 1.0f, 1.0f};
    w->bounds = vp_cast_space_bounds(space);
    w->bounds = (vp_aabb){vp_vec3_sub(w->bounds.min, one), vp_vec3_add(w->bounds.max, one)};
    return VP_OK;
}

/* ---- casts ---- */

static vp_status cast_in_space(const vp_cast_space *space, const vp_cast_def *def, vp_cast_hit *out, vp_error *error)
{
    terrain_walk w;
    double from, to;
    bool inside;
    VP_RETURN_IF_FAILED(begin_query(space, def, true, &w, error));
    vp_shape_cast *cast = &w.cast;
    const vp_cast_visitor visitor = {cast, is_any_wanted, add_triangles, cast->frame.position};
    const uint32_t pieces = clip_to_bounds(&w, &from, &to) ? pieces_of(&w, to - from) : 0;
    for (uint32_t i = 0; i < pieces; i++) {
        const double begins = from + (to - from) * i / pieces, ends = from + (to - from) * (i + 1) / pieces;
        if (cast->hit && (cast->inside || cast->distance < begins * cast->length))
            break;
        const vp_aabb box = find_swept_box(&w, begins, ends);
        if (vp_aabb_valid(&box))
            VP_RETURN_IF_FAILED(vp_cast_space_visit(space, &box, &visitor, error));
    }
    VP_RETURN_IF_FAILED(vp_cast_space_inside(space, middle_of(cast), &inside, error));
    if (cast->hit)
        VP_RETURN_IF_FAILED(vp_cast_space_describe(space, &cast->triangle, error));
    *out = vp_cast_end(cast);
    if (inside && !out->started_inside) {
        *out = vp_cast_miss();
        out->found = out->started_inside = true;
    }
    return vp_succeed(error);
}

vp_status vp_cast_terrain(const vp_terrain_reader *reader, vp_surface surface, const vp_cast_def *def, vp_cast_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader, def, out);
    const vp_cast_space space = {.reader = reader, .surface = surface};
    return cast_in_space(&space, def, out, error);
}

vp_status vp_cast_blocks(const vp_block_view *view, const vp_cast_def *def, vp_cast_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, def, out);
    const vp_cast_space space = {.view = view};
    return cast_in_space(&space, def, out, error);
}

/* ---- overlap ---- */

typedef struct overlap {
    const vp_shape_cast *cast;
    bool found;
} overlap;

static bool find_overlap(void *user, const vp_collide_triangle *triangle, uint32_t count)
{
    enum { BATCH = 32 };
    overlap *o = user;
    vp_collide_result answer[BATCH];
    for (uint32_t first = 0; first < count && !o->found; first += BATCH) {
        const vp_collide_job job = {.shape = o->cast->shape,
                                    .frame = o->cast->frame,
                                    .triangle = triangle + first,
                                    .count = count - first < BATCH ? count - first : BATCH,
                                    .result = answer};
        vp_collide_run(o->cast->kernels, &job);
        for (uint32_t i = 0; i < job.count; i++)
            o->found = o->found || answer[i].distance <= 0.0f;
    }
    return !o->found;
}

static vp_status test_overlap_in_space(const vp_cast_space *space, const vp_cast_def *def, bool *out, vp_error *error)
{
    terrain_walk w;
    overlap o = {&w.cast, false};
    double from, to;
    VP_RETURN_IF_FAILED(begin_query(space, def, false, &w, error));
    VP_RETURN_IF_FAILED(vp_cast_space_inside(space, middle_of(&w.cast), &o.found, error));
    if (!o.found && clip_to_bounds(&w, &from, &to)) {
        const vp_cast_visitor visitor = {&o, is_any_wanted, find_overlap, w.cast.frame.position};
        const vp_aabb box = find_swept_box(&w, 0.0, 0.0);
        if (vp_aabb_valid(&box))
            VP_RETURN_IF_FAILED(vp_cast_space_visit(space, &box, &visitor, error));
    }
    *out = o.found;
    return vp_succeed(error);
}

vp_status vp_overlap_mesh(const vp_collide_triangle *triangle, uint32_t count, const vp_cast_def *def, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    terrain_walk w;
    overlap o = {&w.cast, false};
    vp_cast_def still = *def;
    still.translation = (vp_vec3){0.0f, 0.0f, 0.0f};
    VP_RETURN_IF_FAILED(vp_cast_begin(&still, &w.kernels, &w.cast, error));
    VP_RETURN_IF_FAILED(vp_collide_check_corners(triangle, count, error));
    find_overlap(&o, triangle, count);
    *out = o.found;
    return vp_succeed(error);
}

vp_status vp_overlap_terrain(const vp_terrain_reader *reader, vp_surface surface, const vp_cast_def *def, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader, def, out);
    const vp_cast_space space = {.reader = reader, .surface = surface};
    return test_overlap_in_space(&space, def, out, error);
}

vp_status vp_overlap_blocks(const vp_block_view *view, const vp_cast_def *def, bool *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, view, def, out);
    const vp_cast_space space = {.view = view};
    return test_overlap_in_space(&space, def, out, error);
}
