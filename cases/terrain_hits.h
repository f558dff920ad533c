/* SPDX-License-Identifier: MIT */
#ifndef VP_CASES_TERRAIN_HITS_H
#define VP_CASES_TERRAIN_HITS_H

#include "cases/case.h"

/* in a vp_terrain_hit */
enum { VP_TERRAIN_HIT_WORDS = 5 };

/* Chooses rays for a terrain or a library that must make its trees first. These are the first 64 of each 1024 rays, which are one tile if
 * rays come in tiles. All rays would hide the cost of making trees, and the first rays of a set may look at the sky. */
static inline uint32_t vp_cold_ray(uint32_t i)
{
    return i / 64 * 1024 + i % 64;
}
static inline uint32_t vp_cold_rays(uint32_t all)
{
    return all / 1024 * 64;
}

#endif
