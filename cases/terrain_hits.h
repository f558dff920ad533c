/* SPDX-License-Identifier: MIT */
#ifndef VP_CASES_TERRAIN_HITS_H
#define VP_CASES_TERRAIN_HITS_H

#include "cases/case.h"

enum { VP_TERRAIN_HIT_BYTES = VP_HIT_BYTES + 4 };

static inline void vp_put_terrain_hit(uint8_t *at, const vp_terrain_hit *hit)
{
    vp_put_hit(at, &hit->hit);
    vp_put_u32(at + VP_HIT_BYTES, hit->chunk);
}

/* A record each. */
static inline void vp_record_terrain_hit(const vp_terrain_hit *hit, vp_records *out)
{
    uint8_t bytes[VP_TERRAIN_HIT_BYTES];
    vp_put_terrain_hit(bytes, hit);
    vp_records_put(out, bytes, sizeof bytes);
    vp_records_end(out);
}

/* What is asked of a terrain, or of a library, that must make its trees first: of each 1024 rays the first
 * 64, which are a tile where rays come in tiles. All rays would hide what making costs; the first ones of a
 * set may look at the sky. */
static inline uint32_t vp_cold_ray(uint32_t i)
{
    return i / 64 * 1024 + i % 64;
}
static inline uint32_t vp_cold_rays(uint32_t all)
{
    return all / 1024 * 64;
}

#endif
