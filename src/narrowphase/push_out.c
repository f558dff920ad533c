/* SPDX-License-Identifier: MIT */
/* A centre that is in solid voxels, pushed out to the nearest voxel that is not (voxel terrain article, "Narrowphase"): chunk by chunk
 * around it, in rings, until none can be nearer. */
#include <voxphys/narrowphase.h>

#include <math.h>

#include "src/core/error.h"

typedef struct search {
    vp_bricks bricks;
    const vp_broadphase *broadphase; /* or NULL */
    double centre[3];
    int32_t low[3], high[3]; /* what is looked at; without the latter */
    int32_t size[3];         /* of the world, in voxels */
    double best;             /* the square of the distance; what is further is no better */
    bool found;
    int32_t voxel[3];
} search;

/* How far a coordinate is from [low, high]; 0 within. */
static double outside(double c, int32_t low, int32_t high)
{
    return c < (double)low ? (double)low - c : c > (double)high ? c - (double)high : 0.0;
}

/* In the order of distances' sums: y, then z, then x; and that is their order everywhere. */
static double square_of(const double d[3])
{
    return (d[1] * d[1] + d[2] * d[2]) + d[0] * d[0];
}

static bool is_within(const int32_t at[3], const int32_t size[3])
{
    bool within = true;
    for (int a = 0; a < 3; a++)
        within = within && at[a] >= 0 && at[a] < size[a];
    return within;
}

static bool is_solid(const search *s, const int32_t at[3])
{
    if (!is_within(at, s->size))
        return false;
    const uint32_t x = (uint32_t)at[0], y = (uint32_t)at[1], z = (uint32_t)at[2];
    const vp_dims n = s->bricks.chunks;
    const size_t brick = ((size_t)(y / 8) * n.z + z / 8) * n.x + x / 8;
    return s->bricks.material[brick * VP_CHUNK_VOXELS + y % 8 * 64 + z % 8 * 8 + x % 8] >= VP_FIRST_SOLID;
}

/* Of equally near ones the highest y, then the lowest z, then the lowest x. */
static bool is_before(const int32_t a[3], const int32_t b[3])
{
    if (a[1] != b[1])
        return a[1] > b[1];
    return a[2] != b[2] ? a[2] < b[2] : a[0] < b[0];
}

static void look_at_chunk(search *s, const int32_t chunk[3])
{
    const vp_ivec3 tagged = {chunk[0], chunk[1], chunk[2]};
    int32_t low[3], high[3], at[3];
    double d[3];
    for (int a = 0; a < 3; a++) {
        low[a] = chunk[a] * VP_CHUNK_EDGE > s->low[a] ? chunk[a] * VP_CHUNK_EDGE : s->low[a];
        high[a] = (chunk[a] + 1) * VP_CHUNK_EDGE < s->high[a] ? (chunk[a] + 1) * VP_CHUNK_EDGE : s->high[a];
        if (low[a] >= high[a])
            return;
        d[a] = outside(s->centre[a], low[a], high[a]);
    }
    if (square_of(d) > s->best)
        return;
    if (s->broadphase != NULL && vp_broadphase_chunk_class(s->broadphase, tagged) == VP_CHUNK_FULL_SOLID)
        return;
    for (at[1] = low[1]; at[1] < high[1]; at[1]++) {
        d[1] = outside(s->centre[1], at[1], at[1] + 1);
        if (d[1] * d[1] > s->best)
            continue;
        for (at[2] = low[2]; at[2] < high[2]; at[2]++) {
            d[2] = outside(s->centre[2], at[2], at[2] + 1);
            if (d[1] * d[1] + d[2] * d[2] > s->best)
                continue;
            for (at[0] = low[0]; at[0] < high[0]; at[0]++) {
                d[0] = outside(s->centre[0], at[0], at[0] + 1);
                const double square = square_of(d);
                if (square > s->best || (s->found && square == s->best && !is_before(at, s->voxel)) || is_solid(s, at))
                    continue;
                s->best = square;
                s->found = true;
                for (int a = 0; a < 3; a++)
                    s->voxel[a] = at[a];
            }
        }
    }
}

/* A ring is the chunks that are so many from the centre's on some axis. */
static void look_around(search *s, const int32_t middle[3], uint32_t voxels)
{
    const int32_t rings = (int32_t)(voxels + VP_CHUNK_EDGE - 1) / VP_CHUNK_EDGE;
    for (int32_t r = 0; r <= rings; r++) {
        const double nearest = r < 2 ? 0.0 : (double)((r - 1) * VP_CHUNK_EDGE);
        if (nearest * nearest > s->best)
            return;
        for (int32_t y = -r; y <= r; y++)
            for (int32_t z = -r; z <= r; z++) {
                const bool all = y == -r || y == r || z == -r || z == r;
                for (int32_t x = -r; x <= r; x += all || r == 0 ? 1 : 2 * r) {
                    const int32_t chunk[3] = {middle[0] + x, middle[1] + y, middle[2] + z};
                    look_at_chunk(s, chunk);
                }
            }
    }
}

static void tell(const search *s, const int32_t from[3], vp_push_out *out)
{
    double by[3], way[3];
    for (int a = 0; a < 3; a++) {
        const double c = s->centre[a], low = (double)s->voxel[a];
        by[a] = c < low ? low - c : c > low + 1.0 ? (low + 1.0) - c : 0.0;
    }
    out->distance = sqrt(s->best);
    for (int a = 0; a < 3; a++)
        way[a] = out->distance > 0.0 ? by[a] : (double)(s->voxel[a] - from[a]);
    const double length = sqrt(square_of(way));
    out->end = VP_PUSH_OUT;
    out->voxel = (vp_ivec3){s->voxel[0], s->voxel[1], s->voxel[2]};
    out->by = (vp_vec3){(float)by[0], (float)by[1], (float)by[2]};
    out->direction = (vp_vec3){(float)(way[0] / length), (float)(way[1] / length), (float)(way[2] / length)};
}

static vp_status check(const vp_world *world, const vp_broadphase *broadphase, const float centre[3], uint32_t voxels, uint32_t closed,
                       const vp_push_out *out, vp_error *error)
{
    if (world == NULL || out == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "%s is NULL", world == NULL ? "the world" : "the room for the answer");
    for (int a = 0; a < 3; a++)
        if (!isfinite(centre[a]))
            return vp_fail(error, VP_E_ARGUMENT, "centre.%c is %g; it must be finite", "xyz"[a], (double)centre[a]);
    if (voxels > VP_PUSH_OUT_MOST)
        return vp_fail(error, VP_E_ARGUMENT, "a centre is to be pushed %u voxels; at most %d are allowed", voxels, VP_PUSH_OUT_MOST);
    if (closed > VP_SIDES_ALL)
        return vp_fail(error, VP_E_ARGUMENT, "closed sides are 0x%x; there are only the bits 0x%x", closed, VP_SIDES_ALL);
    if (broadphase != NULL) {
        const vp_dims its = vp_broadphase_bits(broadphase).chunks, mine = vp_world_chunks(world);
        if (its.x != mine.x || its.y != mine.y || its.z != mine.z)
            return vp_fail(error, VP_E_ARGUMENT, "the broadphase has %u x %u x %u chunks, the world %u x %u x %u", its.x, its.y, its.z,
                           mine.x, mine.y, mine.z);
    }
    return VP_OK;
}

vp_status vp_push_out_of_world(const vp_world *world, const vp_broadphase *broadphase, vp_vec3 centre, uint32_t voxels, uint32_t closed,
                               vp_push_out *out, vp_error *error)
{
    const float at[3] = {centre.x, centre.y, centre.z};
    const vp_status status = check(world, broadphase, at, voxels, closed, out, error);
    if (status != VP_OK)
        return status;
    const vp_dims size = vp_world_size(world);
    search s = {.bricks = vp_world_bricks(world),
                .broadphase = broadphase,
                .size = {(int32_t)size.x, (int32_t)size.y, (int32_t)size.z},
                .best = (double)voxels * (double)voxels};
    int32_t from[3], chunk[3];
    *out = (vp_push_out){.end = VP_PUSH_FREE};
    for (int a = 0; a < 3; a++) {
        if (!(at[a] >= 0.0f && at[a] < (float)s.size[a]))
            return vp_succeed(error); /* outside the world is air */
        s.centre[a] = (double)at[a];
        from[a] = (int32_t)floorf(at[a]);
        chunk[a] = from[a] / VP_CHUNK_EDGE;
        s.low[a] = from[a] - (int32_t)voxels;
        s.high[a] = from[a] + (int32_t)voxels + 1;
        if ((closed >> 2 * a & 1u) && s.low[a] < 0)
            s.low[a] = 0;
        if ((closed >> (2 * a + 1) & 1u) && s.high[a] > s.size[a])
            s.high[a] = s.size[a];
    }
    if (!is_solid(&s, from))
        return vp_succeed(error);
    look_around(&s, chunk, voxels);
    if (s.found && s.best < (double)voxels * (double)voxels)
        tell(&s, from, out);
    else
        out->end = VP_PUSH_DEEP;
    return vp_succeed(error);
}

vp_status vp_push_out_of_terrain(vp_terrain *terrain, vp_vec3 centre, uint32_t voxels, uint32_t closed, vp_push_out *out, vp_error *error)
{
    vp_terrain_reader reader;
    if (terrain == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the terrain is NULL");
    vp_terrain_begin_reading(terrain, &reader);
    const vp_status status =
        vp_push_out_of_world(vp_terrain_reader_world(&reader), vp_terrain_reader_broadphase(&reader), centre, voxels, closed, out, error);
    vp_terrain_end_reading(&reader);
    return status;
}
