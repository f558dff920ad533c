/* SPDX-License-Identifier: MIT */
#ifndef VP_CASES_TERRAIN_HITS_H
#define VP_CASES_TERRAIN_HITS_H

#include "cases/case.h"

/* Of a vp_terrain_hit. */
enum { VP_TERRAIN_HIT_WORDS = 5 };

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
