/* SPDX-License-Identifier: MIT */
/* region_body: bodies of lumps of a world's ground. A lump is the solid voxels nearest to a place, without the world around them.
 * unit.region_body judges answers. */
#include <stdalign.h>
#include <string.h>

#include <voxphys/compound.h>

#include "cases/case.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { LUMPS = 4, TRIES = 16, REACH = 24, PARTS = 16 };

static const char *const variant_names[] = {"261", "692", "5000", NULL};
static const uint32_t voxels[] = {261, 692, 5000};

typedef struct lump_answer {
    vp_mass mass;
    vp_pose pose;
    uint32_t parts, corners, voxels; /* corners of all hulls */
} lump_answer;

typedef struct lumps_work {
    vp_region lump[LUMPS];
    lump_answer *answer;
} lumps_work;

/* ---- the lumps ---- */

/* Writes the solid voxels in a ball, by y, z, x. @return their number, of which the first `room` are written */
static uint32_t cut_ball(const vp_world *world, vp_ivec3 centre, int32_t square, vp_ivec3 *at, vp_voxel *voxel, uint32_t room)
{
    uint32_t n = 0;
    for (int32_t y = -REACH; y <= REACH; y++)
        for (int32_t z = -REACH; z <= REACH; z++)
            for (int32_t x = -REACH; x <= REACH; x++) {
                const vp_ivec3 p = {centre.x + x, centre.y + y, centre.z + z};
                if (x * x + y * y + z * z > square)
                    continue;
                const vp_voxel v = vp_world_voxel(world, p);
                if (v.material < VP_FIRST_SOLID)
                    continue;
                if (n < room) {
                    at[n] = p;
                    voxel[n] = v;
                }
                n++;
            }
    return n;
}

/* The highest solid voxel of a column, or any place if some columns have none. */
static vp_ivec3 find_ground(const vp_world *world, vp_random *r)
{
    const vp_dims size = vp_world_size(world);
    vp_ivec3 p = {0, 0, 0};
    for (int t = 0; t < TRIES; t++) {
        p = (vp_ivec3){(int32_t)vp_random_below(r, size.x), (int32_t)size.y - 1, (int32_t)vp_random_below(r, size.z)};
        while (p.y > 0 && vp_world_voxel(world, p).material < VP_FIRST_SOLID)
            p.y--;
        if (vp_world_voxel(world, p).material >= VP_FIRST_SOLID)
            break;
    }
    return p;
}

/* The largest ball of at most `most` voxels. Without any, a voxel that the world does not have. */
static void make_lump(const vp_world *world, vp_random *r, uint32_t most, vp_arena *arena, vp_region *out)
{
    vp_ivec3 *at = vp_arena_keep(arena, most, sizeof *at, alignof(vp_ivec3)), centre = find_ground(world, r);
    vp_voxel *voxel = vp_arena_keep(arena, most, sizeof *voxel, alignof(vp_voxel));
    int32_t low = 0, high = REACH * REACH; /* squares of radii: one that suits, and one more than the last that may */
    while (low < high) {
        const int32_t middle = (low + high + 1) / 2;
        if (cut_ball(world, centre, middle, at, voxel, most) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    out->count = cut_ball(world, centre, low, at, voxel, most);
    if (out->count == 0) {
        at[0] = centre;
        voxel[0] = (vp_voxel){VP_FIRST_SOLID, 255};
        out->count = 1;
    }
    out->at = at;
    out->voxel = voxel;
}

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    lumps_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(lumps_work));
    vp_random r = {vp_hash64(data->name, strlen(data->name))};
    for (int i = 0; i < LUMPS; i++) {
        w->lump[i] = (vp_region){.count = 0};
        make_lump(data->set, &r, voxels[variant], arena, &w->lump[i]);
    }
    w->answer = vp_arena_output(arena, LUMPS, sizeof *w->answer, alignof(lump_answer), 0);
    return VP_OK;
}

static vp_status ask(const vp_region *lump, const vp_kernels *kernels, lump_answer *out, vp_error *error)
{
    vp_region_body body;
    const vp_status status = vp_region_body_create(&(vp_region_body_def){.max_parts = PARTS, .kernels = kernels}, lump, &body, error);
    if (status != VP_OK)
        return status;
    *out = (lump_answer){.mass = body.mass, .pose = body.pose, .parts = body.compound.count, .voxels = lump->count};
    for (uint32_t k = 0; k < out->parts; k++)
        out->corners += body.shape[k].kind == VP_COLLIDE_HULL ? body.shape[k].hull->vertex_count : 0;
    vp_region_body_destroy(&body);
    return VP_OK;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    lumps_work *w = argument;
    vp_status status = VP_OK;
    for (int i = 0; i < LUMPS && status == VP_OK; i++)
        status = ask(&w->lump[i], how->kernels, &w->answer[i], error);
    *items = LUMPS;
    return status;
}

static void record(const void *argument, vp_records *out)
{
    const lumps_work *w = argument;
    for (int i = 0; i < LUMPS; i++) {
        double moments[6];
        vp_moments_of(&w->answer[i].mass, moments);
        vp_records_put_longs(out, &w->answer[i].mass.mass, 1);
        vp_records_put_longs(out, w->answer[i].mass.centre, 3);
        vp_records_put_longs(out, moments, 6);
        vp_records_put_words(out, &w->answer[i].pose, 7);
        vp_records_put_words(out, &w->answer[i].parts, 3);
        vp_records_end(out);
    }
}

static void count(const void *argument, vp_counters *out)
{
    const lumps_work *w = argument;
    double parts = 0.0, all = 0.0;
    for (int i = 0; i < LUMPS; i++) {
        parts += w->answer[i].parts;
        all += w->lump[i].count;
    }
    vp_count(out, "parts_per_region", parts / LUMPS);
    vp_count(out, "voxels_per_region", all / LUMPS);
}

static const vp_measured measured[] = {VP_ON("terrain-l2", 7, VP_TIMED | VP_VERIFIED | VP_ENDS), {.data = NULL}};

const vp_case vp_case_region_body = {.kind = &vp_kind_world,
                                     .variant = variant_names,
                                     .questions = true,
                                     .make = make,
                                     .run = run,
                                     .records = record,
                                     .counters = count,
                                     .measured = measured};
