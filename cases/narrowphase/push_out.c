/* SPDX-License-Identifier: MIT */
/* push_out: pushes places in a world's solid voxels out of its surface. Judged by every triangle of the world's closed mesh. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include <voxphys/push_out.h>
#include <voxphys/narrowphase.h>

#include "cases/case.h"
#include "cases/narrowphase/closed_surface.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { CENTRES = 64, VOXELS = 12, TRIES = 16, CLOSED = 1 << VP_SIDE_Y_LOW };

typedef struct push_out_work {
    const vp_world *world;
    vp_vec3 centre[CENTRES];
    vp_push_out *answer;
} push_out_work;

static bool is_solid(const vp_world *world, int32_t x, int32_t y, int32_t z)
{
    return vp_world_voxel(world, (vp_ivec3){x, y, z}).material >= VP_FIRST_SOLID;
}

/* Usually in a solid voxel, which is the highest one of a column, a little below it, or any. Every eighth place is anywhere, and every
 * fifth on a border of voxels. */
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
    push_out_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(push_out_work));
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
    push_out_work *w = argument;
    vp_status status = VP_OK;
    (void)how, (void)step;
    for (int i = 0; i < CENTRES && status == VP_OK; i++)
        status = vp_push_out_of_world(w->world, w->centre[i], VOXELS, CLOSED, &w->answer[i], error);
    *items = CENTRES;
    return status;
}

static void record(const void *argument, vp_records *out)
{
    const push_out_work *w = argument;
    for (int i = 0; i < CENTRES; i++) {
        vp_records_put_words(out, &w->answer[i], sizeof w->answer[i] / 4);
        vp_records_end(out);
    }
}

/* ---- the judge ---- */

static double length_of(vp_vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt(x * x + y * y + z * z);
}

/* Whether a coordinate of `direction` is that of `by`, divided and rounded once. A tiny one must not become 0. */
static bool is_along(float direction, float by, double length)
{
    const float right = (float)((double)by / length);
    return memcmp(&direction, &right, sizeof right) == 0 && (direction == 0.0f) == (by == 0.0f);
}

static bool has_direction(const vp_push_out *a)
{
    const double length = length_of(a->by);
    return is_along(a->direction.x, a->by.x, length) && is_along(a->direction.y, a->by.y, length) &&
           is_along(a->direction.z, a->by.z, length);
}

/* The change of a vector's length by rounding a coordinate, times that length. */
static double rounding_of(float x)
{
    const double unit = (double)nextafterf(fabsf(x), INFINITY) - fabs((double)x);
    return fabs((double)x) * unit * 0.5;
}

/* Whether `by` goes past the nearest point by one of the lengths in PSH-3, or to the middle of the voxel in front. */
static bool ends_right(const vp_push_out *a, vp_vec3 centre, double distance)
{
    const double length = length_of(a->by);
    const double off = (rounding_of(a->by.x) + rounding_of(a->by.y) + rounding_of(a->by.z)) / length + 1e-12;
    for (double on = 0x1p-10; on <= 0.25; on *= 4.0)
        if (fabs(length - (distance + on)) <= off)
            return true;
    const vp_vec3 middle = {(float)a->voxel.x + 0.5f, (float)a->voxel.y + 0.5f, (float)a->voxel.z + 0.5f};
    return a->by.x == (float)((double)middle.x - (double)centre.x) && a->by.y == (float)((double)middle.y - (double)centre.y) &&
           a->by.z == (float)((double)middle.z - (double)centre.z);
}

static bool is_past_closed_side(vp_vec3 p, vp_dims size, uint32_t closed)
{
    const float at[3] = {p.x, p.y, p.z}, extent[3] = {(float)size.x, (float)size.y, (float)size.z};
    bool past = false;
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
        past = past || ((closed >> side & 1u) != 0 && (side % 2 == 0 ? at[side / 2] < 0.0f : at[side / 2] > extent[side / 2]));
    return past;
}

vp_status vp_push_out_judge(const vp_closed_surface *surface, const vp_push_out_query *q, const vp_push_out *a, vp_error *error)
{
    bool on;
    const bool inside = vp_closed_surface_winding(surface, q->centre, &on) > 0 && !on;
    const double far = inside ? vp_closed_surface_distance(surface, q->centre, q->closed, q->voxels) : 0.0;
    const vp_push_out_end end = !inside ? VP_PUSH_OUT_FREE : far < q->voxels ? VP_PUSH_OUT_FOUND : VP_PUSH_OUT_DEEP;
    if (a->end != end && !(inside && fabs(far - q->voxels) < 1e-9))
        return vp_fail(error, VP_E_FORMAT, "it ends with %d instead of %d; the surface is %.6f away", (int)a->end, (int)end, far);
    if (a->end != VP_PUSH_OUT_FOUND) {
        const vp_push_out none = {.end = a->end};
        return memcmp(a, &none, sizeof none) == 0 ? VP_OK : vp_fail(error, VP_E_FORMAT, "a field besides `end` is not 0");
    }
    const vp_vec3 moved = vp_vec3_add(q->centre, a->by);
    if (vp_closed_surface_winding(surface, moved, &on) > 0 || on || is_past_closed_side(moved, q->size, q->closed))
        return vp_fail(error, VP_E_FORMAT, "it is pushed to a place that is not free");
    if (!vp_closed_surface_is_in_front(surface, q->centre, q->closed, far, a->voxel))
        return vp_fail(error, VP_E_FORMAT, "voxel %d, %d, %d is not in front of the nearest triangle", a->voxel.x, a->voxel.y, a->voxel.z);
    if (!has_direction(a))
        return vp_fail(error, VP_E_FORMAT, "the direction %g, %g, %g is not that of %g, %g, %g", (double)a->direction.x,
                       (double)a->direction.y, (double)a->direction.z, (double)a->by.x, (double)a->by.y, (double)a->by.z);
    if (a->distance != (float)far || !ends_right(a, q->centre, far))
        return vp_fail(error, VP_E_FORMAT, "it is pushed by %.9f, and the surface is %.9f away, not %.9f", length_of(a->by), far,
                       (double)a->distance);
    return VP_OK;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const push_out_work *w = argument;
    vp_closed_surface surface;
    vp_status status = vp_closed_surface_make(w->world, VP_SURFACE_SOLID, &surface, error);
    (void)step;
    for (int i = 0; i < CENTRES && status == VP_OK; i++) {
        vp_error why;
        status =
            vp_push_out_judge(&surface, &(vp_push_out_query){vp_world_size(w->world), w->centre[i], VOXELS, CLOSED}, &w->answer[i], &why);
        if (status != VP_OK)
            vp_fail(error, status, "centre %d: %s", i, why.message);
    }
    vp_closed_surface_free(&surface);
    return status;
}

/* Counts the part of the centres that is pushed out. */
static void count(const void *argument, vp_counters *out)
{
    const push_out_work *w = argument;
    int pushed = 0;
    for (int i = 0; i < CENTRES; i++)
        pushed += w->answer[i].end == VP_PUSH_OUT_FOUND;
    vp_count(out, "pushed", (double)pushed / CENTRES);
}

static const vp_measured measured[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_VERIFIED), VP_ON("luanti", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_push_out = {.kind = &vp_kind_world,
                                  .make = make,
                                  .run = run,
                                  .records = record,
                                  .judge = judge,
                                  .counters = count,
                                  .has_no_kernels = true,
                                  .measured = measured};
