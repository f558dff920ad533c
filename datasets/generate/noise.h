/* SPDX-License-Identifier: MIT */
/* Gradient noise that is the same everywhere. It uses integers and single IEEE operations in a fixed order, without
 * libm. */
#ifndef VP_GENERATE_NOISE_H
#define VP_GENERATE_NOISE_H

#include <stdint.h>

#include "datasets/random.h"

enum { VP_NOISE_OCTAVES = 6 };

/* Several octaves of noise. Each has its own hash seed, and its lattice is shifted by a different fraction of a cell.
 * Gradient noise is zero at lattice points, so octaves on one lattice would all vanish at the same places. */
typedef struct vp_noise {
    uint32_t octaves; /* at most VP_NOISE_OCTAVES */
    float frequency;  /* frequency of the first octave, 1/wavelength, in 1/voxels; it doubles per octave */
    uint32_t seed[VP_NOISE_OCTAVES];
    float shift[VP_NOISE_OCTAVES]; /* in cells */
} vp_noise;

/* Draws the seeds of a noise. */
vp_noise vp_noise_make(vp_random *random, uint32_t octaves, float wavelength);

/* The sum of the octaves at a point in voxels, each with half the weight of the previous one. About [-1, 1]. */
float vp_noise_sum_2d(const vp_noise *noise, float x, float y);
float vp_noise_sum_3d(const vp_noise *noise, float x, float y, float z);

/* Ridges: the sum of (1 - |octave|)^2. The previous octave weights each octave, so that details are on the crests. The
 * range is about [0, 1]. */
float vp_noise_ridges_2d(const vp_noise *noise, float x, float y);

/* 32 well mixed bits of three coordinates. */
uint32_t vp_noise_hash(uint32_t seed, uint32_t x, uint32_t y, uint32_t z);

/* 0 up to `low`, 1 from `high` on, smooth in between. */
float vp_smooth_step(float low, float high, float v);

#endif
