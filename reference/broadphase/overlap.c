/* SPDX-License-Identifier: MIT */
/* The bit broadphase's overlap test: voxel terrain article, "Bit broadphase: overlap test".
 *
 * The object's box is expanded by one voxel, because an object can touch geometry that overflows into the neighbouring
 * voxel, and projected to chunks. In each chunk under it, the box covers a range of voxels on every axis. The voxels of
 * its XZ extent are one 64-bit mask, the intersection of a strip along z and a strip along x from two lookup tables.
 * The mask is tested against each Y-slice that the box covers.
 *
 * Voxel i covers [i, i+1) and boxes are closed, so the expanded box covers the voxels floor(min) - 1 .. floor(max) + 1.
 * The floor is taken first and the 1 is added to the integer, so nothing is rounded. */
#include <voxphys/kernel/broadphase.h>

/* STRIP_X[a][b] has bits z*8 + x with a <= x <= b, STRIP_Z[a][b] those with a <= z <= b. Entries with a >
 * b are unused. */
#define FROM_TO(a, b) ((0xffu << (a)) & 0xffu & (0xffu >> (7 - (b))))
#define X_STRIP(a, b) (UINT64_C(0x0101010101010101) * FROM_TO(a, b))
#define Z_STRIP(a, b) ((UINT64_MAX << 8 * (a)) & (UINT64_MAX >> 8 * (7 - (b))))
#define ROW(S, a)                                                                                                                          \
    {                                                                                                                                      \
        S(a, 0), S(a, 1), S(a, 2), S(a, 3), S(a, 4), S(a, 5), S(a, 6), S(a, 7)                                                             \
    }
#define TABLE(S)                                                                                                                           \
    {                                                                                                                                      \
        ROW(S, 0), ROW(S, 1), ROW(S, 2), ROW(S, 3), ROW(S, 4), ROW(S, 5), ROW(S, 6), ROW(S, 7)                                             \
    }
static const uint64_t masks_x[8][8] = TABLE(X_STRIP);
static const uint64_t masks_z[8][8] = TABLE(Z_STRIP);

/* The voxels first..last of one axis, cut to the world. */
typedef struct axis_range {
    int32_t first, last;
} axis_range;

/* floor(v), clamped to [-2, size + 1], because further voxels on either side have no effect. v is not NaN. */
static int32_t floor_voxel(float v, int32_t size)
{
    if (v < -2.0f)
        return -2;
    if (v > (float)(size + 1))
        return size + 1;
    int32_t toward_zero = (int32_t)v;
    return (float)toward_zero > v ? toward_zero - 1 : toward_zero;
}

static axis_range expand_range(float min, float max, uint32_t chunks)
{
    int32_t size = (int32_t)(chunks * VP_CHUNK_EDGE);
    axis_range r = {floor_voxel(min, size) - 1, floor_voxel(max, size) + 1};
    if (r.first < 0)
        r.first = 0;
    if (r.last > size - 1)
        r.last = size - 1;
    return r; /* first > last means outside the world */
}

/* The part of a range that lies in chunk number c of its axis, relative to the chunk. */
static axis_range clip_to_chunk(axis_range r, int32_t c)
{
    axis_range part = {r.first - c * 8, r.last - c * 8};
    if (part.first < 0)
        part.first = 0;
    if (part.last > 7)
        part.last = 7;
    return part;
}

/* The kinds that the box's part in one chunk touches. */
static uint32_t test_chunk(const vp_chunk_masks *chunk, axis_range x, axis_range y, axis_range z)
{
    uint64_t mask = masks_x[x.first][x.last] & masks_z[z.first][z.last];
    uint32_t touch = 0;
    for (int32_t slice = y.first; slice <= y.last; slice++) {
        if (chunk->solid[slice] & mask)
            touch |= VP_TOUCH_SOLID;
        if (chunk->water[slice] & mask)
            touch |= VP_TOUCH_WATER;
    }
    return touch;
}

/* The kinds that the box touches in chunk (cx, cy, cz). The slot's number decides EMPTY and FULL chunks. */
static uint32_t touch_chunk(const vp_broadphase_view *bits, int32_t cx, int32_t cy, int32_t cz, axis_range x, axis_range y, axis_range z)
{
    uint32_t slot = bits->slot[(int64_t)cy * bits->slot_stride_y + cz * bits->slot_stride_z + cx];
    switch (slot) {
    case VP_CHUNK_EMPTY:
        return 0;
    case VP_CHUNK_FULL_SOLID:
        return VP_TOUCH_SOLID;
    case VP_CHUNK_FULL_WATER:
        return VP_TOUCH_WATER;
    default:
        return test_chunk(&bits->pool[slot], clip_to_chunk(x, cx), clip_to_chunk(y, cy), clip_to_chunk(z, cz));
    }
}

uint32_t vp_overlap_box_scalar(const vp_broadphase_view *bits, const vp_aabb *box)
{
    if (!vp_aabb_valid(box))
        return VP_TOUCH_INVALID;
    axis_range x = expand_range(box->min.x, box->max.x, bits->chunks.x);
    axis_range y = expand_range(box->min.y, box->max.y, bits->chunks.y);
    axis_range z = expand_range(box->min.z, box->max.z, bits->chunks.z);
    if (x.first > x.last || y.first > y.last || z.first > z.last)
        return 0;
    uint32_t touch = 0;
    for (int32_t cy = y.first / 8; cy <= y.last / 8; cy++)
        for (int32_t cz = z.first / 8; cz <= z.last / 8; cz++)
            for (int32_t cx = x.first / 8; cx <= x.last / 8; cx++) {
                touch |= touch_chunk(bits, cx, cy, cz, x, y, z);
                if (touch == (VP_TOUCH_SOLID | VP_TOUCH_WATER))
                    return touch;
            }
    return touch;
}

void vp_overlap_boxes_scalar(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch)
{
    for (uint32_t i = 0; i < boxes->count; i++) {
        vp_aabb box = {{boxes->min_x[i], boxes->min_y[i], boxes->min_z[i]}, {boxes->max_x[i], boxes->max_y[i], boxes->max_z[i]}};
        touch[i] = (uint8_t)vp_overlap_box_scalar(bits, &box);
    }
}

uint32_t vp_overlap_chunks_scalar(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    if (!vp_aabb_valid(box))
        return 0;
    axis_range x = expand_range(box->min.x, box->max.x, bits->chunks.x);
    axis_range y = expand_range(box->min.y, box->max.y, bits->chunks.y);
    axis_range z = expand_range(box->min.z, box->max.z, bits->chunks.z);
    if (x.first > x.last || y.first > y.last || z.first > z.last)
        return 0;
    uint32_t count = 0;
    for (int32_t cy = y.first / 8; cy <= y.last / 8; cy++)
        for (int32_t cz = z.first / 8; cz <= z.last / 8; cz++)
            for (int32_t cx = x.first / 8; cx <= x.last / 8; cx++) {
                uint32_t touch = touch_chunk(bits, cx, cy, cz, x, y, z);
                if (touch == 0)
                    continue;
                if (count < capacity) {
                    out[count].chunk = ((uint32_t)cy * bits->chunks.z + (uint32_t)cz) * bits->chunks.x + (uint32_t)cx;
                    out[count].touch = touch;
                }
                count++;
            }
    return count;
}
