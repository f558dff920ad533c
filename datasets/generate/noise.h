/* SPDX-License-Identifier: MIT */
/* Gradient noise that is the same everywhere: integers, and single IEEE operations in a fixed order, without libm. */
#ifndef VP_GENERATE_NOISE_H
#define VP_GENERATE_NOISE_H

#include <stdint.h>

#include "datasets/random.h"

enum { VP_NOISE_OCTAVES = 6 };

/* Several octaves of noise: each has its own hash seed, and its lattice is moved by its own fraction of a cell, for
   gradient noise is zero at lattice points and octaves on one lattice would all vanish in the same places. */
typedef struct vp_noise {
    uint32_t octaves; /* at most VP_NOISE_OCTAVES */
    float frequency;  /* of the first octave: 1/wavelength, in 1/voxels; each next one has twice that */
    uint32_t seed[VP_NOISE_OCTAVES];
    float shift[VP_NOISE_OCTAVES]; /* in cells */
} vp_noise;

/* Draws the seeds of a noise. */
vp_noise vp_noise_make(vp_random *random, uint32_t octaves, float wavelength);

/* One octave at a point whose coordinates, in cells, are in [0, 2^23). About [-1, 1], mean 0. */
float vp_noise_2d(uint32_t seed, float x, float y);
float vp_noise_3d(uint32_t seed, float x, float y, float z);

/* The octaves' sum at a point in voxels, each with half the weight of the one before. About [-1, 1]. */
float vp_noise_sum_2d(const vp_noise *noise, float x, float y);
float vp_noise_sum_3d(const vp_noise *noise, float x, float y, float z);

/* Ridges: the sum of (1 - |octave|)^2, each octave weighted by the one before, so that detail sits on the crests.
   About [0, 1]. */
float vp_noise_ridges_2d(const vp_noise *noise, float x, float y);

/* 32 well mixed bits of three coordinates. */
uint32_t vp_noise_hash(uint32_t seed, uint32_t x, uint32_t y, uint32_t z);

/* 0 up to `low`, 1 from `high` on, smooth between. */
float vp_smooth_step(float low, float high, float v);

#endif
