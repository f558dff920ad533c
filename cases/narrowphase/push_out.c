/* SPDX-License-Identifier: MIT */
/* push_out: places in a world's solid voxels are pushed out of its surface. Judged by every triangle of the world's closed mesh. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include <voxphys/narrowphase.h>

#include "cases/case.h"
#include "cases/narrowphase/closed_surface.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { CENTRES = 64, VOXELS = 12, TRIES = 16, CLOSED = 1 << VP_SIDE_Y_LOW };

typedef struct work {
    const vp_world *world;
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
    (void)error;
    return VP_OK;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    work *w = argument;
    vp_status status = VP_OK;
    (void)how, (void)step;
    for (int i = 0; i < CENTRES && status == VP_OK; i++)
        status = vp_push_out_of_world(w->world, w->centre[i], VOXELS, CLOSED, &w->answer[i], error);
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

static double length_of(vp_vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt(x * x + y * y + z * z);
}

static vp_status judge_one(const work *w, const vp_closed_surface *surface, int i, vp_error *error)
{
    const vp_push_out *a = &w->answer[i];
    bool on;
    const bool inside = vp_closed_surface_winding(surface, w->centre[i], &on) > 0 && !on;
    const double far = inside ? vp_closed_surface_distance(surface, w->centre[i], CLOSED, VOXELS) : 0.0;
    const vp_push_end end = !inside ? VP_PUSH_FREE : far < VOXELS ? VP_PUSH_OUT : VP_PUSH_DEEP;
    if (a->end != end && !(inside && fabs(far - VOXELS) < 1e-9))
        return vp_fail(error, VP_E_FORMAT, "centre %d: it ends with %d instead of %d; the surface is %.6f away", i, (int)a->end, (int)end,
                       far);
    if (a->end != VP_PUSH_OUT)
        return VP_OK;
    const vp_vec3 moved = vp_vec3_add(w->centre[i], a->by);
    if (vp_closed_surface_winding(surface, moved, &on) > 0 || on || moved.y < 0.0f)
        return vp_fail(error, VP_E_FORMAT, "centre %d: it is pushed to a place that is not free", i);
    if (!(fabs(a->distance - far) <= 1e-9) || !(length_of(a->by) >= far) || !(fabs(length_of(a->direction) - 1.0) <= 1e-6))
        return vp_fail(error, VP_E_FORMAT, "centre %d: it is pushed by %.9f, and the surface is %.9f away, not %.9f", i, length_of(a->by),
                       far, a->distance);
    return VP_OK;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const work *w = argument;
    vp_closed_surface surface;
    vp_status status = vp_closed_surface_make(w->world, VP_SURFACE_SOLID, &surface, error);
    (void)step;
    for (int i = 0; i < CENTRES && status == VP_OK; i++)
        status = judge_one(w, &surface, i, error);
    vp_closed_surface_free(&surface);
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
