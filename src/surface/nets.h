/* SPDX-License-Identifier: MIT */
/* The value of a voxel and the vertex of a cell, for the mesher, the edge flags and the inside test.
 *
 * Corners of a cell are numbered dx + 2*dz + 4*dy. An edge from corner value f0 (at the lower coordinate) to f1 crosses
 * 128 at t = (f0 - 128)/(f0 - f1) of its length, one division of two integers. On each axis the mean is
 *   sum  = ((t0 + t1) + (t2 + t3)) + (number of the other two axes' edges at coordinate 1 that have a crossing)
 *   mean = sum / (number of the 12 edges that have a crossing)
 *
 * with the t of the four edges along the axis, by ascending corner, 0 for one without a crossing. Then q =
 * floor(256*mean), at most 255. */
#ifndef VP_SURFACE_NETS_H
#define VP_SURFACE_NETS_H

#include <stdbool.h>

#include <voxphys/kernel/surface.h>
#include <voxphys/world.h>

/* ---- values ---- */

/* A voxel's value less 128. Above 0 is inside. */
static inline int16_t vp_nets_value(uint8_t material, uint8_t occupancy, uint32_t surface)
{
    bool is_of_class = surface == VP_SURFACE_WATER ? material == VP_WATER : material >= VP_FIRST_SOLID;
    return (int16_t)(is_of_class ? occupancy + 1 - 128 : -128);
}

/* The beginning of the row of 8 voxels at voxel coordinates (y, z), in the bricks of column cx. Returns false
   outside the world. */
static inline bool vp_nets_find_row(vp_dims n, int64_t cx, int64_t y, int64_t z, size_t *at)
{
    if (cx < 0 || y < 0 || z < 0 || cx >= n.x || y >= (int64_t)n.y * 8 || z >= (int64_t)n.z * 8)
        return false;
    size_t brick = ((size_t)(y / 8) * n.z + (size_t)(z / 8)) * n.x + (size_t)cx;
    *at = brick * VP_CHUNK_VOXELS + (size_t)(y % 8 * 64 + z % 8 * 8);
    return true;
}

/* ---- vertices ---- */

/* Where the surface crosses the edge from corner value f0 to f1. 0 if it does not. */
static inline float vp_nets_crossing(int f0, int f1, int *crossings)
{
    if ((f0 > 0) == (f1 > 0))
        return 0.0f;
    ++*crossings;
    return (float)f0 / (float)(f0 - f1);
}

/* The integer number of 1/256 of a cell that contains the mean. */
static inline int vp_nets_whole(const float t[4], int others_at_1, int crossings)
{
    float sum = ((t[0] + t[1]) + (t[2] + t[3])) + (float)others_at_1;
    float mean = sum / (float)crossings;
    int q = (int)(256.0f * mean);
    return q < 255 ? q : 255;
}

/* q on each axis x, y, z, from the values of a cell's corners. Some must be inside and some not. */
static inline void vp_nets_place(const int c[8], int q[3])
{
    float along_x[4], along_y[4], along_z[4];
    int at_x1 = 0, at_y1 = 0, at_z1 = 0, crossings = 0; /* of the edges along the other two axes, and of all */
    for (int i = 0; i < 4; i++) {
        int low_x = 2 * i;                 /* 0 2 4 6, where i is dz + 2*dy */
        int low_z = (i & 1) + (i & 2) * 2; /* 0 1 4 5, where i is dx + 2*dy */
        int low_y = i;                     /* 0 1 2 3, where i is dx + 2*dz */
        int before = crossings;
        along_x[i] = vp_nets_crossing(c[low_x], c[low_x + 1], &crossings);
        at_z1 += (crossings - before) * (i & 1);
        at_y1 += (crossings - before) * (i >> 1);
        before = crossings;
        along_z[i] = vp_nets_crossing(c[low_z], c[low_z + 2], &crossings);
        at_x1 += (crossings - before) * (i & 1);
        at_y1 += (crossings - before) * (i >> 1);
        before = crossings;
        along_y[i] = vp_nets_crossing(c[low_y], c[low_y + 4], &crossings);
        at_x1 += (crossings - before) * (i & 1);
        at_z1 += (crossings - before) * (i >> 1);
    }
    q[0] = vp_nets_whole(along_x, at_x1, crossings);
    q[1] = vp_nets_whole(along_y, at_y1, crossings);
    q[2] = vp_nets_whole(along_z, at_z1, crossings);
}

#endif
