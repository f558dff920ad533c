/* SPDX-License-Identifier: MIT */
/* push_out: places in a world's solid voxels are pushed out of them. Judged by looking at every voxel within the limit, in an order of its
 * own. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include <voxphys/narrowphase.h>

#include "cases/case.h"
#include "cases/derived.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { CENTRES = 64, VOXELS = 12, TRIES = 16, CLOSED = 1 << VP_SIDE_Y_LOW };

typedef struct work {
    const vp_world *world;
    const vp_broadphase *broadphase;
    vp_vec3 centre[CENTRES];
    vp_push_out *answer;
} work;

static bool is_solid(const vp_world *world, int32_t x, int32_t y, int32_t z)
{
    return vp_world_voxel(world, (vp_ivec3){x, y, z}).material >= VP_FIRST_SOLID;
}

/* In a solid voxel, if one is met: of a column the highest one or one a little below it, or any. Every eighth is anywhere, and every fifth
 * on a border of voxels. */
static vp_vec3 some_place(vp_random *r, const vp_world *world, int number)
{
    const vp_dims size = vp_world_size(world);
    int32_t x = 0, y = 0, z = 0;
    bool found = false;
    for (int t = 0; t < TRIES && !found; t++) {
        x = (int32_t)vp_random_below(r, size.x);
        z = (int32_t)vp_random_below(r, size.z);
        y = (int32_t)(vp_random_below(r, 4) == 0 ? vp_random_below(r, size.y) : size.y - 1);
        while (y > 0 && !is_solid(world, x, y, z) && number % 8 != 0)
            y--;
        const int32_t below = y - (int32_t)vp_random_below(r, VOXELS + 2);
        if (below >= 0 && is_solid(world, x, below, z))
            y = below;
        found = is_solid(world, x, y, z) || number % 8 == 0;
    }
    const float in[3] = {number % 5 == 0 ? 0.0f : vp_random_unit(r), vp_random_unit(r), vp_random_unit(r)};
    return (vp_vec3){(float)x + in[0], (float)y + in[1], (float)z + in[2]};
}

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(work));
    vp_random r = {vp_hash64(data->name, strlen(data->name))};
    (void)variant;
    w->world = data->set;
    for (int i = 0; i < CENTRES; i++)
        w->centre[i] = some_place(&r, w->world, i);
    w->answer = vp_arena_output(arena, CENTRES, sizeof *w->answer, alignof(vp_push_out), 0);
    return vp_derive_broadphase(data, &w->broadphase, error);
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    work *w = argument;
    vp_status status = VP_OK;
    (void)how, (void)step;
    for (int i = 0; i < CENTRES && status == VP_OK; i++)
        status = vp_push_out_of_world(w->world, w->broadphase, w->centre[i], VOXELS, CLOSED, &w->answer[i], error);
    *items = CENTRES;
    return status;
}

static void record(const void *argument, vp_records *out)
{
    const work *w = argument;
    for (int i = 0; i < CENTRES; i++) {
        vp_records_put_words(out, &w->answer[i], offsetof(vp_push_out, distance) / 4);
        vp_records_put_longs(out, &w->answer[i].distance, 1);
        vp_records_end(out);
    }
}

/* ---- the judge ---- */

static double away(double at, int32_t voxel)
{
    return fmax(0.0, fmax((double)voxel - at, at - (double)(voxel + 1)));
}

/* The least distance of a voxel that isn't solid, or the limit. */
static double nearest(const vp_world *world, const double at[3], const int32_t from[3])
{
    const int32_t n = VOXELS;
    double best = (double)n;
    for (int32_t x = from[0] - n; x <= from[0] + n; x++)
        for (int32_t z = from[2] - n; z <= from[2] + n; z++)
            for (int32_t y = from[1] - n < 0 ? 0 : from[1] - n; y <= from[1] + n; y++) {
                const double d[3] = {away(at[0], x), away(at[1], y), away(at[2], z)};
                if (d[0] < best && d[1] < best && d[2] < best && !is_solid(world, x, y, z))
                    best = fmin(best, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
            }
    return best;
}

static vp_status judge_one(const work *w, int i, vp_error *error)
{
    const vp_push_out *a = &w->answer[i];
    const double at[3] = {(double)w->centre[i].x, (double)w->centre[i].y, (double)w->centre[i].z};
    const int32_t from[3] = {(int32_t)floor(at[0]), (int32_t)floor(at[1]), (int32_t)floor(at[2])};
    const double far = nearest(w->world, at, from), by[3] = {(double)a->by.x, (double)a->by.y, (double)a->by.z};
    const bool solid = is_solid(w->world, from[0], from[1], from[2]), out = solid && far < VOXELS - 1e-9;
    const double length = sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
    vp_push_out again;
    const vp_status status = vp_push_out_of_world(w->world, NULL, w->centre[i], VOXELS, CLOSED, &again, error);
    if (status != VP_OK)
        return status;
    if (memcmp(&again, a, sizeof again) != 0)
        return vp_fail(error, VP_E_FORMAT, "centre %d: without tags it has another answer", i);
    if ((a->end == VP_PUSH_FREE) != !solid || (out && a->end != VP_PUSH_OUT))
        return vp_fail(error, VP_E_FORMAT, "centre %d: it ends with %d, and there is air %.6f away", i, (int)a->end, far);
    if (a->end != VP_PUSH_OUT)
        return VP_OK;
    if (is_solid(w->world, a->voxel.x, a->voxel.y, a->voxel.z) || a->voxel.y < 0)
        return vp_fail(error, VP_E_FORMAT, "centre %d: it is pushed into a solid voxel, or out of the world below", i);
    if (!(fabs(a->distance - far) <= 1e-9) || !(fabs(length - far) <= 1e-5))
        return vp_fail(error, VP_E_FORMAT, "centre %d: it is pushed by %.9f, %.9f are said, and air is %.9f away", i, length, a->distance,
                       far);
    return VP_OK;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    vp_status status = VP_OK;
    (void)step;
    for (int i = 0; i < CENTRES && status == VP_OK; i++)
        status = judge_one(argument, i, error);
    return status;
}

/* What part of the centres is pushed out. */
static void count(const void *argument, vp_counters *out)
{
    const work *w = argument;
    int pushed = 0;
    for (int i = 0; i < CENTRES; i++)
        pushed += w->answer[i].end == VP_PUSH_OUT;
    vp_count(out, "pushed", (double)pushed / CENTRES);
}

static const vp_measured measured[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_VERIFIED), VP_ON("luanti", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_push_out = {
    .kind = &vp_kind_world, .make = make, .run = run, .records = record, .judge = judge, .counters = count, .measured = measured};
