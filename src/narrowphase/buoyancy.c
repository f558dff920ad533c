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
    static const vp_submerged_shape *const shape[VP_COLLIDE_KINDS] = {[VP_COLLIDE_SPHERE] = &vp_submerged_sphere,
                                                                      [VP_COLLIDE_CAPSULE] = &vp_submerged_capsule,
                                                                      [VP_COLLIDE_BOX] = &vp_submerged_box,
                                                                      [VP_COLLIDE_CYLINDER] = &vp_submerged_cylinder,
                                                                      [VP_COLLIDE_HULL] = &vp_submerged_hull};
    return shape[body->shape->kind];
}

/* ---- a body ---- */

/* Fills `out` in place, because copying a structure that was just written field by field stalls on store forwarding. */
static void prepare(const vp_collide_shape *shape, const vp_collide_frame *frame, vp_buoyancy_body *out)
{
    const float position[3] = {frame->position.x, frame->position.y, frame->position.z};
    out->shape = shape;
    for (int i = 0; i < 3; i++) {
        const vp_vec3 row = frame->row[i];
        out->axis[i][0] = (double)row.x;
        out->axis[i][1] = (double)row.y;
        out->axis[i][2] = (double)row.z;
        out->position[i] = (double)position[i];
        out->low[i] = out->high[i] = out->whole.centre[i] = 0.0;
    }
    out->whole.volume = 0.0;
    shape_of(out)->measure(out);
}

static vp_status check_reach(const vp_buoyancy_body *body, vp_error *error)
{
    for (int i = 0; i < 3; i++)
        if (!(body->low[i] >= -VP_BUOYANCY_MAX_REACH && body->high[i] <= VP_BUOYANCY_MAX_REACH))
            return vp_fail(error, VP_E_ARGUMENT, "the shape reaches from %g to %g along %c; must be within %g of its origin", body->low[i],
                           body->high[i], "xyz"[i], VP_BUOYANCY_MAX_REACH);
    return VP_OK;
}

/* A bound of the distance from a shape's origin to its points, without roots. Lengths of other kinds are not checked, and can only increase
 * it. */
static double reach_of(const vp_collide_shape *s)
{
    if (s->kind == VP_COLLIDE_HULL)
        return (double)s->hull->radius;
    return fabs((double)s->radius) + fabs((double)s->half_height) +
           (fabs((double)s->half.x) + fabs((double)s->half.y) + fabs((double)s->half.z));
}

vp_status vp_buoyancy_body_init(const vp_collide_shape *shape, const vp_pose *pose, vp_buoyancy_body *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, pose, out);
    vp_collide_frame frame;
    vp_buoyancy_body large;
    vp_status status = vp_collide_shape_check(shape, error);
    if (status == VP_OK)
        status = vp_collide_frame_of(pose, &frame, error);
    if (status == VP_OK && !(reach_of(shape) < 0.99 * VP_BUOYANCY_MAX_REACH)) {
        prepare(shape, &frame, &large);
        status = check_reach(&large, error);
    }
    if (status == VP_OK)
        prepare(shape, &frame, out);
    return status;
}

/* ---- sums ---- */

static const vp_buoyancy_volume empty_volume = {0.0, {0.0, 0.0, 0.0}};

void vp_buoyancy_add(vp_buoyancy_volume *sum, const vp_buoyancy_volume *part)
{
    const double volume = sum->volume + part->volume;
    for (int i = 0; i < 3 && volume > 0.0; i++)
        sum->centre[i] = (sum->centre[i] * sum->volume + part->centre[i] * part->volume) / volume;
    sum->volume = volume;
}

/* ---- queries ---- */

static vp_status check_chunks(const vp_broadphase_view *bits, const vp_voxels *voxels, vp_error *error)
{
    const vp_dims of = bits->chunks, want = voxels->chunks;
    if (of.x != want.x || of.y != want.y || of.z != want.z)
        return vp_fail(error, VP_E_ARGUMENT, "the broadphase is of %u x %u x %u chunks, the world of %u x %u x %u", of.x, of.y, of.z,
                       want.x, want.y, want.z);
    return vp_succeed(error);
}

/* All voxels under the body, in the world or not. */
static void find_range(const vp_buoyancy_body *body, vp_submerged_range *out)
{
    for (int i = 0; i < 3; i++) {
        out->low[i] = vp_floor_of(body->position[i] + body->low[i]);
        out->high[i] = vp_ceiling_of(body->position[i] + body->high[i]);
        if (out->low[i] == out->high[i]) { /* flat, on a border of voxels */
            out->low[i]--;
            out->high[i]++;
        }
    }
}

/* The water of the world under a body. */
static void find_waters(const vp_buoyancy_body *body, const vp_voxels *voxels, const vp_broadphase_view *bits,
                        const vp_submerged_range *under, vp_waters *out)
{
    const int64_t chunks[3] = {voxels->chunks.x, voxels->chunks.y, voxels->chunks.z};
    out->voxels = voxels;
    out->bits = bits;
    out->top = (uint32_t)chunks[1] * VP_CHUNK_EDGE;
    out->height = body->position[1];
    for (int i = 0; i < 3; i++) {
        const int64_t size = chunks[i] * VP_CHUNK_EDGE;
        out->range.low[i] = under->low[i] > 0 ? under->low[i] : 0;
        out->range.high[i] = under->high[i] < size ? under->high[i] : size;
    }
}

/* Whether the part in a range has a closed form. Lines of round shapes are inexact, so a chunk whose columns are equal has them too if
 * those of the whole water differ. Otherwise parts of chunks would not add up. */
static bool has_closed_form(const vp_buoyancy_body *body, const vp_waters *all, const vp_waters *range, const vp_submerged_range *under,
                            double level[VP_SUBMERGED_LEVELS], uint32_t *count)
{
    double whole[VP_SUBMERGED_LEVELS];
    uint32_t levels;
    if (!vp_waters_are_one(range, under, level, count))
        return false;
    return range == all || *count == 0 || body->shape->kind == VP_COLLIDE_BOX || body->shape->kind == VP_COLLIDE_HULL ||
           vp_waters_are_one(all, under, whole, &levels);
}

/* Finds the part in a range of all water. */
static void find_part(const vp_buoyancy_body *body, const vp_waters *all, const vp_waters *range, const vp_submerged_range *under,
                      vp_buoyancy_volume *out)
{
    double level[VP_SUBMERGED_LEVELS];
    uint32_t count;
    vp_moments sum = {0.0, {0.0, 0.0, 0.0}}, part;
    *out = empty_volume;
    if (!has_closed_form(body, all, range, under, level, &count)) {
        shape_of(body)->in_columns(body, all, range, under, &sum);
    } else if (count == 2 && level[0] <= body->low[1] && level[1] >= body->high[1]) {
        *out = body->whole;
        return;
    } else {
        for (uint32_t i = 0; i < count; i++) {
            if (!(level[i] > body->low[1]))
                continue;
            vp_submerged_below(shape_of(body), body, level[i], &part);
            vp_moments_add(&sum, i % 2 == 0 ? -1.0 : 1.0, &part);
        }
    }
    if (!(sum.volume > 0.0))
        return;
    out->volume = sum.volume;
    for (int i = 0; i < 3; i++)
        out->centre[i] = sum.moment[i] / sum.volume;
}

static bool has_water(const vp_broadphase_view *bits, int64_t x, int64_t y, int64_t z, vp_chunk_class *tag)
{
    const uint32_t slot = bits->slot[y * bits->slot_stride_y + z * bits->slot_stride_z + x];
    const uint64_t *water = bits->pool[slot].water;
    *tag = slot < VP_CHUNK_MIXED ? (vp_chunk_class)slot : VP_CHUNK_MIXED;
    return (((water[0] | water[1]) | (water[2] | water[3])) | ((water[4] | water[5]) | (water[6] | water[7]))) != 0;
}

/* `bits` can be NULL. */
static void find_in_chunk(const vp_buoyancy_body *body, const vp_voxels *voxels, const vp_broadphase_view *bits, vp_ivec3 chunk,
                          vp_buoyancy_volume *out)
{
    const int64_t number[3] = {chunk.x, chunk.y, chunk.z}, count[3] = {voxels->chunks.x, voxels->chunks.y, voxels->chunks.z};
    vp_submerged_range range, under;
    bool is_inside = body->whole.volume > 0.0, all = true;
    *out = empty_volume;
    for (int i = 0; i < 3; i++) {
        range.low[i] = number[i] * VP_CHUNK_EDGE;
        range.high[i] = range.low[i] + VP_CHUNK_EDGE;
        const double low = (double)range.low[i] - body->position[i], high = (double)range.high[i] - body->position[i];
        is_inside = is_inside && number[i] >= 0 && number[i] < count[i] && low < body->high[i] && high > body->low[i];
        all = all && low <= body->low[i] && high >= body->high[i];
    }
    vp_chunk_class tag = VP_CHUNK_MIXED;
    if (!is_inside || (bits != NULL && !has_water(bits, chunk.x, chunk.y, chunk.z, &tag)))
        return;
    if (all && tag == VP_CHUNK_FULL_WATER) {
        *out = body->whole;
        return;
    }
    vp_waters waters;
    find_range(body, &under);
    find_waters(body, voxels, bits, &under, &waters);
    vp_waters part = waters;
    for (int i = 0; i < 3; i++) {
        part.range.low[i] = range.low[i] > under.low[i] ? range.low[i] : under.low[i];
        part.range.high[i] = range.high[i] < under.high[i] ? range.high[i] : under.high[i];
    }
    find_part(body, &waters, &part, &under, out);
}

vp_status vp_buoyancy_in_chunk(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_ivec3 chunk,
                               vp_buoyancy_volume *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, body, world, out);
    const vp_voxels voxels = vp_world_voxels(world);
    if (broadphase == NULL) {
        find_in_chunk(body, &voxels, NULL, chunk, out);
        return vp_succeed(error);
    }
    const vp_broadphase_view bits = vp_broadphase_bits(broadphase); /* not copied, because that stalls on store forwarding */
    const vp_status status = check_chunks(&bits, &voxels, error);
    if (status == VP_OK)
        find_in_chunk(body, &voxels, &bits, chunk, out);
    return status;
}

/* Whether chunk classes suffice: all chunks under the body are full of water, or none has water. */
static bool is_decided_by_tags(const vp_waters *w, const vp_submerged_range *under, bool *full)
{
    const vp_submerged_range *r = &w->range;
    uint32_t first[3], last[3];
    bool any = false, all = true;
    for (int i = 0; i < 3; i++) {
        first[i] = (uint32_t)r->low[i] / VP_CHUNK_EDGE;
        last[i] = (uint32_t)(r->high[i] - 1) / VP_CHUNK_EDGE;
    }
    for (uint32_t y = first[1]; y <= last[1]; y++)
        for (uint32_t z = first[2]; z <= last[2]; z++)
            for (uint32_t x = first[0]; x <= last[0]; x++) {
                vp_chunk_class tag;
                any = has_water(w->bits, x, y, z, &tag) || any;
                all = all && tag == VP_CHUNK_FULL_WATER;
                if (any && !all)
                    return false;
            }
    for (int i = 0; i < 3; i++)
        all = all && r->low[i] == under->low[i] && r->high[i] == under->high[i];
    *full = all;
    return all || !any;
}

/* `bits` can be NULL. */
static void find_in_world(const vp_buoyancy_body *body, const vp_voxels *voxels, const vp_broadphase_view *bits, vp_buoyancy_volume *out)
{
    vp_submerged_range under;
    vp_waters waters;
    bool is_inside = body->whole.volume > 0.0, full;
    find_range(body, &under);
    find_waters(body, voxels, bits, &under, &waters);
    for (int i = 0; i < 3; i++)
        is_inside = is_inside && waters.range.low[i] < waters.range.high[i];
    if (!is_inside)
        *out = empty_volume;
    else if (bits == NULL || !is_decided_by_tags(&waters, &under, &full))
        find_part(body, &waters, &waters, &under, out);
    else
        *out = full ? body->whole : empty_volume;
}

vp_status vp_buoyancy_in_world(vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_buoyancy_volume *out,
                               vp_error *error)
{
    VP_RETURN_IF_NULL(error, body, world, out);
    const vp_voxels voxels = vp_world_voxels(world);
    if (broadphase == NULL) {
        find_in_world(body, &voxels, NULL, out);
        return vp_succeed(error);
    }
    const vp_broadphase_view bits = vp_broadphase_bits(broadphase);
    const vp_status status = check_chunks(&bits, &voxels, error);
    if (status == VP_OK)
        find_in_world(body, &voxels, &bits, out);
    return status;
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
