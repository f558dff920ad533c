/* SPDX-License-Identifier: MIT */
/* Loose regions by flood fill from the anchors, over plain arrays of a small world. Solid voxels that are not reached are loose. */
#ifndef VP_TESTS_NARROWPHASE_FLOOD_H
#define VP_TESTS_NARROWPHASE_FLOOD_H

#include <stdlib.h>
#include <string.h>

#include <voxphys/regions.h>

typedef struct flood {
    vp_dims size;
    uint32_t voxels;
    uint8_t *material; /* rows: (y*size.z + z)*size.x + x */
    uint8_t *occupancy;
    uint32_t *part; /* 0 = air, water or attached, otherwise 1 + the number of a loose part, in the order of their lowest voxels */
    uint32_t *todo;
    uint32_t parts;
    uint32_t *count; /* voxels of each part */
} flood;

static inline void flood_begin(flood *f, const vp_world *world)
{
    const vp_dims s = vp_world_size(world);
    *f = (flood){.size = s, .voxels = s.x * s.y * s.z};
    f->material = malloc(f->voxels);
    f->occupancy = malloc(f->voxels);
    f->part = malloc(f->voxels * sizeof *f->part);
    f->todo = malloc(f->voxels * sizeof *f->todo);
    f->count = malloc((f->voxels + 1) * sizeof *f->count);
    if (f->material == NULL || f->occupancy == NULL || f->part == NULL || f->todo == NULL || f->count == NULL)
        abort();
}

static inline void flood_end(flood *f)
{
    free(f->material);
    free(f->occupancy);
    free(f->part);
    free(f->todo);
    free(f->count);
}

/* Gives a number to all reachable solid voxels without one. @return their count */
static inline uint32_t flood_from(flood *f, uint32_t first, uint32_t number)
{
    uint32_t todo = 0, reached = 0;
    if (f->material[first] < 2 || f->part[first] != 0)
        return 0;
    f->part[first] = number;
    f->todo[todo++] = first;
    while (todo != 0) {
        const uint32_t i = f->todo[--todo];
        const int32_t x = (int32_t)(i % f->size.x), z = (int32_t)(i / f->size.x % f->size.z), y = (int32_t)(i / f->size.x / f->size.z);
        reached++;
        for (int side = 0; side < 6; side++) {
            const int32_t d = side % 2 == 0 ? 1 : -1, a = x + (side / 2 == 0 ? d : 0), b = y + (side / 2 == 1 ? d : 0),
                          c = z + (side / 2 == 2 ? d : 0);
            if (a < 0 || b < 0 || c < 0 || a >= (int32_t)f->size.x || b >= (int32_t)f->size.y || c >= (int32_t)f->size.z)
                continue;
            const uint32_t k = ((uint32_t)b * f->size.z + (uint32_t)c) * f->size.x + (uint32_t)a;
            if (f->material[k] >= 2 && f->part[k] == 0) {
                f->part[k] = number;
                f->todo[todo++] = k;
            }
        }
    }
    return reached;
}

/* Marks a part as attached, because it is too large to be loose. */
static inline void flood_attach(flood *f, uint32_t number)
{
    for (uint32_t i = 0; i < f->voxels; i++)
        f->part[i] = f->part[i] == number ? UINT32_MAX : f->part[i];
}

static inline bool flood_is_anchor(const flood *f, const vp_regions_def *def, uint32_t i)
{
    const uint32_t x = i % f->size.x, z = i / f->size.x % f->size.z, y = i / f->size.x / f->size.z, bits = def->anchors;
    const bool border = x == 0 || x == f->size.x - 1 || y == 0 || y == f->size.y - 1 || z == 0 || z == f->size.z - 1;
    return ((bits == 0 || (bits & VP_ANCHOR_BOTTOM) != 0) && y == 0) || ((bits & VP_ANCHOR_BORDER) != 0 && border) ||
           ((bits & VP_ANCHOR_MASK) != 0 && (def->mask[i / 64] >> i % 64 & 1) != 0);
}

static inline void flood_run(flood *f, const vp_regions_def *def, const vp_world *world)
{
    vp_world_read_rows(world, (vp_ivec3){0, 0, 0}, f->size, f->material, f->occupancy, NULL);
    memset(f->part, 0, f->voxels * sizeof *f->part);
    for (uint32_t i = 0; i < f->voxels; i++)
        if (flood_is_anchor(f, def, i))
            flood_from(f, i, UINT32_MAX);
    f->parts = 0;
    for (uint32_t i = 0; i < f->voxels; i++) {
        const uint32_t reached = flood_from(f, i, f->parts + 1);
        if (reached != 0 && def->attached_from != 0 && reached >= def->attached_from)
            flood_attach(f, f->parts + 1);
        else if (reached != 0)
            f->count[f->parts++] = reached;
    }
    for (uint32_t i = 0; i < f->voxels; i++)
        if (f->part[i] == UINT32_MAX)
            f->part[i] = 0;
}

#endif
