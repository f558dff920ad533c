/* SPDX-License-Identifier: MIT */
/* Submerged part of a shape (buoyancy.h): checks, use of chunk classes, and conversion of line lengths to volumes. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <voxphys/narrowphase.h>

#include "src/core/error.h"
#include "src/narrowphase/buoyancy_shape.h"

static const vp_submerged_shape *shape_of(const vp_buoyancy_body *body)
{
    switch (body->shape->kind) {
    case VP_COLLIDE_BOX:
    case VP_COLLIDE_HULL:
        return &vp_submerged_polytope;
    case VP_COLLIDE_CYLINDER:
        return &vp_submerged_cylinder;
    default:
        return &vp_submerged_round;
    }
}

/* ---- a body ---- */

vp_status vp_buoyancy_body_init(const vp_collide_shape *shape, const vp_pose *pose, vp_buoyancy_body *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, pose, out);
    vp_buoyancy_body body = {.shape = shape};
    vp_collide_frame frame;
    vp_status status = vp_collide_shape_check(shape, error);
    if (status == VP_OK)
        status = vp_collide_frame_of(pose, &frame, error);
    if (status != VP_OK)
        return status;
    const float position[3] = {frame.position.x, frame.position.y, frame.position.z};
    for (int i = 0; i < 3; i++) {
        const vp_vec3 row = frame.row[i];
        const double axis[3] = {(double)row.x, (double)row.y, (double)row.z};
        memcpy(body.axis[i], axis, sizeof axis);
        body.position[i] = (double)position[i];
    }
    shape_of(&body)->measure(&body);
    for (int i = 0; i < 3; i++)
        if (!(body.low[i] >= -VP_BUOYANCY_MAX_REACH && body.high[i] <= VP_BUOYANCY_MAX_REACH))
            return vp_fail(error, VP_E_ARGUMENT, "the shape reaches from %g to %g along %c; must be within %g of its origin", body.low[i],
                           body.high[i], "xyz"[i], VP_BUOYANCY_MAX_REACH);
    *out = body;
    return vp_succeed(error);
}

/* ---- sums ---- */

static vp_buoyancy_volume part_of(const vp_line_sum *sum)
{
    vp_buoyancy_volume part = {sum->length, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 3 && sum->length > 0.0; i++)
        part.centre[i] = sum->moment[i] / sum->length;
    return part;
}

/* Converts a sum of lines to a part of the shape. Scale and offset are those that map the sum of all lines to the
 * whole shape. */
static vp_buoyancy_volume scale_sum(const vp_buoyancy_body *body, const vp_line_sum *wet)
{
    vp_buoyancy_volume part = part_of(wet);
    if (!(part.volume > 0.0 && body->lines.volume > 0.0))
        return (vp_buoyancy_volume){0.0, {0.0, 0.0, 0.0}};
    part.volume = part.volume / body->lines.volume * body->whole.volume;
    for (int i = 0; i < 3; i++)
        part.centre[i] += body->whole.centre[i] - body->lines.centre[i];
    return part;
}

void vp_buoyancy_add(vp_buoyancy_volume *sum, const vp_buoyancy_volume *part)
{
    const double volume = sum->volume + part->volume;
    for (int i = 0; i < 3 && volume > 0.0; i++)
        sum->centre[i] = (sum->centre[i] * sum->volume + part->centre[i] * part->volume) / volume;
    sum->volume = volume;
}

/* ---- queries ---- */

static vp_status check_size(const vp_world *world, const vp_broadphase *broadphase, vp_error *error)
{
    if (broadphase == NULL)
        return VP_OK;
    const vp_dims of = vp_broadphase_bits(broadphase).chunks, want = vp_world_chunks(world);
    if (of.x != want.x || of.y != want.y || of.z != want.z)
        return vp_fail(error, VP_E_ARGUMENT, "the broadphase is of %u x %u x %u chunks, the world of %u x %u x %u", of.x, of.y, of.z,
                       want.x, want.y, want.z);
    return VP_OK;
}

/* Whether a box of the world overlaps the body's box. */
static bool is_overlapping(const vp_buoyancy_body *body, const double low[3], const double high[3])
{
    bool yes = body->whole.volume > 0.0;
    for (int i = 0; i < 3; i++)
        yes = yes && low[i] - body->position[i] < body->high[i] && high[i] - body->position[i] > body->low[i];
    return yes;
}

/* All voxels under the body, which must be near the world. */
static vp_submerged_range range_of(const vp_buoyancy_body *body)
{
    vp_submerged_range range;
    for (int i = 0; i < 3; i++) {
        range.low[i] = (int64_t)floor(body->position[i] + body->low[i]);
        range.high[i] = (int64_t)floor(body->position[i] + body->high[i]) + 1;
    }
    return range;
}

static bool has_water(const vp_broadphase *broadphase, vp_ivec3 chunk, vp_chunk_class *tag)
{
    *tag = vp_broadphase_chunk_class(broadphase, chunk);
    uint64_t bits = 0;
    const vp_chunk_masks *masks = vp_broadphase_masks(broadphase, chunk);
    for (int y = 0; y < VP_CHUNK_EDGE; y++)
        bits |= masks->water[y];
    return bits != 0;
}

static vp_buoyancy_volume empty_volume(void)
{
    return (vp_buoyancy_volume){0.0, {0.0, 0.0, 0.0}};
}

vp_status vp_buoyancy_in_chunk(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_ivec3 chunk,
                               vp_buoyancy_volume *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, body, world, out);
    const vp_status status = check_size(world, broadphase, error);
    if (status != VP_OK)
        return status;
    const vp_dims chunks = vp_world_chunks(world);
    const int64_t number[3] = {chunk.x, chunk.y, chunk.z}, count[3] = {chunks.x, chunks.y, chunks.z};
    vp_submerged_range range;
    double low[3], high[3];
    bool inside = true, all = true;
    for (int i = 0; i < 3; i++) {
        range.low[i] = number[i] * VP_CHUNK_EDGE;
        range.high[i] = range.low[i] + VP_CHUNK_EDGE;
        low[i] = (double)range.low[i];
        high[i] = (double)range.high[i];
        inside = inside && number[i] >= 0 && number[i] < count[i];
        all = all && low[i] - body->position[i] <= body->low[i] && high[i] - body->position[i] >= body->high[i];
    }
    *out = empty_volume();
    if (!inside || !is_overlapping(body, low, high))
        return vp_succeed(error);
    vp_chunk_class tag = VP_CHUNK_MIXED;
    if (broadphase != NULL && !has_water(broadphase, chunk, &tag))
        return vp_succeed(error);
    if (all && tag == VP_CHUNK_FULL_WATER) {
        *out = body->whole;
        return vp_succeed(error);
    }
    vp_line_sum lines, wet;
    if (!body->known) {
        const vp_submerged_range under = range_of(body);
        vp_submerged_lines(shape_of(body), body, NULL, NULL, &under, &lines, &wet);
        body->lines = part_of(&lines);
        body->known = 1;
    }
    vp_submerged_lines(shape_of(body), body, world, broadphase, &range, &lines, &wet);
    *out = scale_sum(body, &wet);
    return vp_succeed(error);
}

/* Whether chunk classes suffice: all chunks under the body are full of water, or none has water. */
static bool is_decided_by_tags(const vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase,
                               vp_buoyancy_volume *out)
{
    const vp_dims size = vp_world_size(world);
    const int64_t voxels[3] = {size.x, size.y, size.z};
    const vp_submerged_range range = range_of(body);
    int64_t first[3], last[3];
    bool full = true;
    for (int i = 0; i < 3; i++) {
        full = full && range.low[i] >= 0 && range.high[i] <= voxels[i];
        first[i] = range.low[i] > 0 ? range.low[i] / VP_CHUNK_EDGE : 0;
        last[i] = ((range.high[i] < voxels[i] ? range.high[i] : voxels[i]) - 1) / VP_CHUNK_EDGE;
    }
    bool none = true;
    for (int64_t y = first[1]; y <= last[1]; y++)
        for (int64_t z = first[2]; z <= last[2]; z++)
            for (int64_t x = first[0]; x <= last[0] && (full || none); x++) {
                vp_chunk_class tag;
                none = !has_water(broadphase, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z}, &tag) && none;
                full = full && tag == VP_CHUNK_FULL_WATER;
            }
    *out = full ? body->whole : empty_volume();
    return full || none;
}

vp_status vp_buoyancy_in_world(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_buoyancy_volume *out,
                               vp_error *error)
{
    VP_RETURN_IF_NULL(error, body, world, out);
    const vp_status status = check_size(world, broadphase, error);
    if (status != VP_OK)
        return status;
    const vp_dims size = vp_world_size(world);
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {(double)size.x, (double)size.y, (double)size.z};
    *out = empty_volume();
    if (!is_overlapping(body, low, high) || (broadphase != NULL && is_decided_by_tags(body, world, broadphase, out)))
        return vp_succeed(error);
    vp_submerged_range range = range_of(body);
    range.low[1] = range.low[1] > 0 ? range.low[1] : 0;
    range.high[1] = range.high[1] < (int64_t)size.y ? range.high[1] : (int64_t)size.y;
    vp_line_sum lines, wet;
    vp_submerged_lines(shape_of(body), body, world, broadphase, &range, &lines, &wet);
    body->lines = part_of(&lines);
    body->known = 1;
    *out = scale_sum(body, &wet);
    return vp_succeed(error);
}

vp_status vp_buoyancy_in_terrain(vp_buoyancy_body *body, vp_terrain *terrain, vp_buoyancy_volume *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, body, terrain, out);
    vp_terrain_reader reader;
    vp_terrain_acquire_reader(terrain, &reader);
    const vp_status status =
        vp_buoyancy_in_world(body, vp_terrain_reader_world(&reader), vp_terrain_reader_broadphase(&reader), out, error);
    vp_terrain_release_reader(&reader);
    return status;
}
