/* SPDX-License-Identifier: MIT */
/* submerged_<shape>: the submerged part of bodies that float in a world or hang over its ground. Each body is prepared first. Judged by
 * many vertical lines, without tags and closed forms. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include <voxphys/buoyancy.h>

#include "cases/case.h"
#include "cases/narrowphase/buoyancy.h"
#include "cases/narrowphase/shapes.h"
#include "cases/derived.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { BODIES = 6, SCALES = 3, LINES = 10000, TRIES = 64, SEARCHES = 256 };

/* Which water a body floats in: at any surface, where all columns under it are the same, or where they differ. At any surface bodies have
 * three sizes, or one. */
typedef enum waters { ANY, ONE_LEVEL, LEVELS, BY_1, BY_4, BY_16 } waters;

typedef struct buoyancy_work {
    const vp_world *world;
    const vp_broadphase *broadphase;
    vp_body_shape shape[SCALES]; /* half, normal and double size, or all of one size */
    vp_pose pose[BODIES];
    vp_buoyancy_volume *answer;
} buoyancy_work;

/* The water level of a column. @return false if it has no water */
static bool surface_of(const vp_world *world, int32_t x, int32_t z, float *level)
{
    bool above = false;
    for (int32_t y = (int32_t)vp_world_size(world).y - 1; y >= 0; y--) {
        const vp_voxel voxel = vp_world_voxel(world, (vp_ivec3){x, y, z});
        if (voxel.material == VP_WATER && !above) {
            *level = (float)y + (float)(voxel.occupancy + 1) / 256.0f;
            return true;
        }
        above = voxel.material == VP_WATER;
    }
    return false;
}

/* At a water surface, if there is any. Otherwise anywhere in the world. */
static vp_pose place(const vp_world *world, vp_random *r, float reach)
{
    const vp_dims size = vp_world_size(world);
    vp_pose pose = vp_pose_at((vp_vec3){0.0f, vp_random_between(r, 0.0f, (float)size.y), 0.0f});
    bool found = false;
    for (int t = 0; t < TRIES && !found; t++) {
        float level;
        pose.position.x = vp_random_between(r, 0.0f, (float)size.x);
        pose.position.z = vp_random_between(r, 0.0f, (float)size.z);
        found = surface_of(world, (int32_t)pose.position.x, (int32_t)pose.position.z, &level);
        if (found)
            pose.position.y = level + vp_random_between(r, -reach, reach);
    }
    vp_random_rotation(r, pose.rotation);
    return pose;
}

/* Whether all columns under a sphere around a body have the same water. */
static bool has_one_level(const vp_world *world, const vp_pose *pose, float reach)
{
    const vp_vec3 p = pose->position;
    const vp_ivec3 low = {(int32_t)floorf(p.x - reach), (int32_t)floorf(p.y - reach), (int32_t)floorf(p.z - reach)};
    for (int32_t y = low.y; (float)y <= p.y + reach; y++) {
        const vp_voxel first = vp_world_voxel(world, (vp_ivec3){low.x, y, low.z});
        for (int32_t z = low.z; (float)z <= p.z + reach; z++)
            for (int32_t x = low.x; (float)x <= p.x + reach; x++) {
                const vp_voxel voxel = vp_world_voxel(world, (vp_ivec3){x, y, z});
                const bool wet = voxel.material == VP_WATER;
                if (wet != (first.material == VP_WATER) || (wet && voxel.occupancy != first.occupancy))
                    return false;
            }
    }
    return true;
}

static vp_status make(vp_body_kind body, waters in, const vp_data *data, vp_arena *arena, void **out, vp_error *error)
{
    buoyancy_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(buoyancy_work));
    vp_random r = {vp_hash64(data->name, strlen(data->name))};
    vp_status status = vp_derive_broadphase(data, &w->broadphase, error);
    w->world = data->set;
    for (int s = 0; s < SCALES && status == VP_OK; s++)
        status = vp_body_shape_create(body, in >= BY_1 ? (float)(1 << 2 * (in - BY_1)) : 0.5f * (float)(1 << s), NULL, &w->shape[s], error);
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        const float reach = vp_collide_radius(&w->shape[i % SCALES].shape);
        w->pose[i] = place(w->world, &r, reach);
        for (int t = 0; t < SEARCHES && (in == ONE_LEVEL || in == LEVELS) && has_one_level(w->world, &w->pose[i], reach) != (in == ONE_LEVEL); t++)
            w->pose[i] = place(w->world, &r, reach);
    }
    w->answer = vp_arena_output(arena, BODIES, sizeof *w->answer, alignof(vp_buoyancy_volume), 0);
    return status;
}

static void drop(void *argument)
{
    buoyancy_work *w = argument;
    for (int s = 0; s < SCALES; s++)
        vp_body_shape_destroy(&w->shape[s]);
}

static vp_status ask(const buoyancy_work *w, int i, vp_buoyancy_body *body, vp_buoyancy_volume *out, vp_error *error)
{
    const vp_status status = vp_buoyancy_body_init(&w->shape[i % SCALES].shape, &w->pose[i], body, error);
    return status == VP_OK ? vp_buoyancy_in_world(body, w->world, w->broadphase, out, error) : status;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    buoyancy_work *w = argument;
    vp_status status = VP_OK;
    (void)how, (void)step;
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        vp_buoyancy_body body;
        status = ask(w, i, &body, &w->answer[i], error);
    }
    *items = BODIES;
    return status;
}

static void record(const void *argument, vp_records *out)
{
    const buoyancy_work *w = argument;
    for (int i = 0; i < BODIES; i++) {
        vp_records_put_longs(out, &w->answer[i].volume, 1);
        vp_records_put_longs(out, w->answer[i].centre, 3);
        vp_records_end(out);
    }
}

/* ---- the judge ---- */

typedef struct span {
    double low, high; /* empty if low >= high */
} span;

/* Where |p + d t| <= r, for the axes that `used` keeps. */
static span cut_ball(const double p[3], const double d[3], const double used[3], double r)
{
    double a = 0.0, b = 0.0, c = -r * r;
    for (int k = 0; k < 3; k++) {
        a += used[k] * d[k] * d[k];
        b += used[k] * p[k] * d[k];
        c += used[k] * p[k] * p[k];
    }
    if (a < 1e-20)
        return c <= 0.0 ? (span){-INFINITY, INFINITY} : (span){1.0, 0.0};
    const double root = b * b - a * c;
    return root > 0.0 ? (span){(-b - sqrt(root)) / a, (-b + sqrt(root)) / a} : (span){1.0, 0.0};
}

/* Cuts a line where p + d t > limit. */
static void cut_side(span *s, double p, double d, double limit)
{
    if (d > 0.0)
        s->high = fmin(s->high, (limit - p) / d);
    else if (d < 0.0)
        s->low = fmax(s->low, (limit - p) / d);
    else if (p > limit)
        *s = (span){1.0, 0.0};
}

/* The part of the line p + d t in a shape. */
static span cut_shape(const vp_collide_shape *s, const double p[3], const double d[3])
{
    static const double all[3] = {1.0, 1.0, 1.0}, across[3] = {1.0, 0.0, 1.0};
    const double r = (double)s->radius, h = (double)s->half_height, half[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    span cut = {-INFINITY, INFINITY};
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return cut_ball(p, d, all, r);
    case VP_COLLIDE_CYLINDER:
    case VP_COLLIDE_CAPSULE:
        cut = cut_ball(p, d, across, r);
        cut_side(&cut, p[1], d[1], h);
        cut_side(&cut, -p[1], -d[1], h);
        for (int end = -1; end <= 1 && s->kind == VP_COLLIDE_CAPSULE; end += 2) {
            const span ball = cut_ball((const double[3]){p[0], p[1] + end * h, p[2]}, d, all, r);
            if (ball.low < ball.high)
                cut = cut.low < cut.high ? (span){fmin(cut.low, ball.low), fmax(cut.high, ball.high)} : ball;
        }
        return cut;
    case VP_COLLIDE_BOX:
        for (int k = 0; k < 3; k++) {
            cut_side(&cut, p[k], d[k], half[k]);
            cut_side(&cut, -p[k], -d[k], half[k]);
        }
        return cut;
    default:
        for (uint32_t f = 0; f < s->hull->face_count; f++) {
            const double n[3] = {(double)s->hull->plane[f].normal.x, (double)s->hull->plane[f].normal.y,
                                 (double)s->hull->plane[f].normal.z};
            cut_side(&cut, n[0] * p[0] + n[1] * p[1] + n[2] * p[2], n[0] * d[0] + n[1] * d[1] + n[2] * d[2],
                     (double)s->hull->plane[f].offset);
        }
        return cut;
    }
}

/* The top of the water in a voxel, or its bottom if it is dry. */
static double top_of(const vp_world *world, vp_ivec3 at)
{
    const vp_voxel voxel = vp_world_voxel(world, at), above = vp_world_voxel(world, (vp_ivec3){at.x, at.y + 1, at.z});
    return voxel.material != VP_WATER ? at.y : above.material == VP_WATER ? at.y + 1.0 : at.y + (voxel.occupancy + 1) / 256.0;
}

double vp_buoyancy_by_lines(const vp_collide_shape *shape, const vp_pose *pose, const vp_world *world, const vp_ivec3 *chunk,
                            uint32_t lines, double centre[3])
{
    const double reach = (double)vp_collide_radius(shape);
    const double at[3] = {(double)pose->position.x, (double)pose->position.y, (double)pose->position.z};
    double inside = 0.0, wet = 0.0, sum[3] = {0.0, 0.0, 0.0};
    vp_collide_frame f;
    if (vp_collide_frame_of(pose, &f, NULL) != VP_OK)
        return 0.0;
    const double up[3] = {(double)f.row[0].y, (double)f.row[1].y, (double)f.row[2].y};
    for (uint32_t i = 0; i < lines; i++) {
        const double u = 0.5 + 0.7548776662466927 * i, v = 0.5 + 0.5698402909980532 * i;
        const double x = reach * (2.0 * (u - floor(u)) - 1.0), z = reach * (2.0 * (v - floor(v)) - 1.0);
        double own[3];
        for (int k = 0; k < 3; k++)
            own[k] = (double)f.row[k].x * x + (double)f.row[k].z * z;
        const span cut = cut_shape(shape, own, up);
        if (!(cut.low < cut.high))
            continue;
        inside += cut.high - cut.low;
        const double bottom = at[1] + cut.low, top = at[1] + cut.high;
        vp_ivec3 voxel = {(int32_t)floor(at[0] + x), (int32_t)floor(bottom), (int32_t)floor(at[2] + z)};
        if (chunk != NULL && (voxel.x >> 3 != chunk->x || voxel.z >> 3 != chunk->z))
            continue;
        for (; voxel.y < top; voxel.y++) {
            const double low = fmax(bottom, voxel.y), high = fmin(top, top_of(world, voxel)), length = high - low;
            if (length <= 0.0 || (chunk != NULL && voxel.y >> 3 != chunk->y))
                continue;
            wet += length;
            sum[0] += length * x;
            sum[1] += length * (0.5 * (low + high) - at[1]);
            sum[2] += length * z;
        }
    }
    for (int k = 0; k < 3; k++)
        centre[k] = wet > 0.0 ? sum[k] / wet : 0.0;
    return wet / inside;
}

/* With so few lines the tolerance is larger than the contract's. A second query must give the same answer, bit by bit. */
static vp_status judge_by_lines(const buoyancy_work *w, int i, const vp_buoyancy_body *body, vp_error *error)
{
    const vp_buoyancy_volume *answer = &w->answer[i];
    double centre[3];
    const double share = vp_buoyancy_by_lines(body->shape, &w->pose[i], w->world, NULL, LINES, centre),
                 got = answer->volume / body->whole.volume;
    if (!(fabs(got - share) <= 0.01))
        return vp_fail(error, VP_E_FORMAT, "body %d: %.4f of it is said to be in water, and is %.4f by lines", i, got, share);
    for (int k = 0; k < 3 && share >= 0.3; k++)
        if (!(fabs(answer->centre[k] - centre[k]) <= 0.02 * (double)vp_collide_radius(body->shape)))
            return vp_fail(error, VP_E_FORMAT, "body %d: its centre is said to be at %.4f along %c, and is at %.4f by lines", i,
                           answer->centre[k], "xyz"[k], centre[k]);
    return VP_OK;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const buoyancy_work *w = argument;
    vp_buoyancy_body body[BODIES];
    vp_status status = VP_OK;
    (void)step;
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        vp_buoyancy_volume again;
        status = ask(w, i, &body[i], &again, error);
        if (status == VP_OK && memcmp(&again, &w->answer[i], sizeof again) != 0)
            status = vp_fail(error, VP_E_FORMAT, "body %d: asked again, it has another answer", i);
    }
    for (int i = 0; i < BODIES && status == VP_OK; i++)
        status = judge_by_lines(w, i, &body[i], error);
    return status;
}

/* Counts how much of all bodies is in water. */
static void count(const void *argument, vp_counters *out)
{
    const buoyancy_work *w = argument;
    double wet = 0.0, all = 0.0;
    for (int i = 0; i < BODIES; i++) {
        vp_buoyancy_body body;
        if (vp_buoyancy_body_init(&w->shape[i % SCALES].shape, &w->pose[i], &body, NULL) != VP_OK)
            continue;
        wet += w->answer[i].volume;
        all += body.whole.volume;
    }
    vp_count(out, "submerged", all > 0.0 ? wet / all : 0.0);
}

/* Small worlds may have no place for a body in the water asked for. */
static bool takes(const vp_data *data, uint32_t variant)
{
    return variant == ANY || vp_world_size(data->set).x >= 64;
}

static const char *const water_names[] = {"", "one-level", "levels", "by-1", "by-4", "by-16", NULL};
static const vp_measured measured[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_VERIFIED),
                                       VP_ON("terrain-l2", 1 << LEVELS, VP_TIMED),
                                       VP_ON("luanti", 1 | 1 << ONE_LEVEL | 1 << LEVELS, VP_TIMED),
                                       {.data = NULL}};
static const vp_measured measured_box[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_VERIFIED),
                                           VP_ON("terrain-l2", 1 << LEVELS, VP_TIMED),
                                           VP_ON("terrain-l2", 1 << BY_1 | 1 << BY_4 | 1 << BY_16, VP_TIMED | VP_ENDS),
                                           VP_ON("luanti", 1 | 1 << ONE_LEVEL | 1 << LEVELS, VP_TIMED),
                                           {.data = NULL}};

#define SUBMERGED(name, body, rows)                                                                                                        \
    static vp_status make_##name(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)                      \
    {                                                                                                                                      \
        return make(body, (waters)variant, data, arena, out, error);                                                                       \
    }                                                                                                                                      \
    const vp_case vp_case_submerged_##name = {.kind = &vp_kind_world,                                                                      \
                                              .variant = water_names,                                                                      \
                                              .questions = true,                                                                           \
                                              .takes = takes,                                                                              \
                                              .make = make_##name,                                                                         \
                                              .run = run,                                                                                  \
                                              .records = record,                                                                           \
                                              .judge = judge,                                                                              \
                                              .counters = count,                                                                           \
                                              .drop = drop,                                                                                \
                                              .has_no_kernels = true,                                                                      \
                                              .measured = rows}

SUBMERGED(sphere, VP_BODY_SPHERE, measured);
SUBMERGED(capsule, VP_BODY_CAPSULE, measured);
SUBMERGED(box, VP_BODY_BOX, measured_box);
SUBMERGED(cylinder, VP_BODY_CYLINDER, measured);
SUBMERGED(hull16, VP_BODY_HULL16, measured);
SUBMERGED(hull64, VP_BODY_HULL64, measured);
