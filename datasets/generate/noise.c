/* SPDX-License-Identifier: MIT */
/* Gradient noise on a hashed lattice, after Perlin ("Improving noise", 2002). Each lattice point has a direction, and
 * directions are blended with the quintic 6t^5 - 15t^4 + 10t^3. They come from a hash instead of a permutation table,
 * so the noise does not repeat. */
#include "datasets/generate/noise.h"

vp_noise vp_noise_make(vp_random *random, uint32_t octaves, float wavelength)
{
    vp_noise noise = {.octaves = octaves, .frequency = 1.0f / wavelength};
    for (uint32_t i = 0; i < VP_NOISE_OCTAVES; i++) {
        noise.seed[i] = (uint32_t)(vp_random_next(random) >> 32);
        noise.shift[i] = vp_random_unit(random);
    }
    return noise;
}

uint32_t vp_noise_hash(uint32_t seed, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t h = seed + x * 0x9e3779b1u + y * 0x85ebca77u + z * 0xc2b2ae3du;
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static float blend(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* The dot product of the direction at a lattice point and the vector from there. There are eight directions of about
 * equal length. */
static float slope_2d(uint32_t seed, uint32_t ix, uint32_t iy, float x, float y)
{
    static const float direction[8][2] = {{1.25f, 0.5f},   {0.5f, 1.25f},   {-0.5f, 1.25f}, {-1.25f, 0.5f},
                                          {-1.25f, -0.5f}, {-0.5f, -1.25f}, {0.5f, -1.25f}, {1.25f, -0.5f}};
    const float *d = direction[vp_noise_hash(seed, ix, iy, 0) >> 29];
    return d[0] * x + d[1] * y;
}

/* One octave at a point whose coordinates, in cells, are in [0, 2^23). About [-1, 1], mean 0. */
static float noise_2d(uint32_t seed, float x, float y)
{
    uint32_t ix = (uint32_t)x, iy = (uint32_t)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    float wx = fade(fx);
    float low = blend(slope_2d(seed, ix, iy, fx, fy), slope_2d(seed, ix + 1, iy, fx - 1.0f, fy), wx);
    float high = blend(slope_2d(seed, ix, iy + 1, fx, fy - 1.0f), slope_2d(seed, ix + 1, iy + 1, fx - 1.0f, fy - 1.0f), wx);
    return blend(low, high, fade(fy));
}

/* The same in space. The directions point to the centres of a cube's twelve edges, four of them twice. */
static float slope_3d(uint32_t seed, uint32_t ix, uint32_t iy, uint32_t iz, float x, float y, float z)
{
    static const float direction[16][3] = {{1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {1, 0, 1}, {-1, 0, 1}, {1, 0, -1}, {-1, 0, -1},
                                           {0, 1, 1}, {0, -1, 1}, {0, 1, -1}, {0, -1, -1}, {1, 1, 0}, {-1, 1, 0}, {0, -1, 1}, {0, -1, -1}};
    const float *d = direction[vp_noise_hash(seed, ix, iy, iz) >> 28];
    return d[0] * x + d[1] * y + d[2] * z;
}

static float noise_3d(uint32_t seed, float x, float y, float z)
{
    uint32_t ix = (uint32_t)x, iy = (uint32_t)y, iz = (uint32_t)z;
    float fx = x - (float)ix, fy = y - (float)iy, fz = z - (float)iz;
    float wx = fade(fx), wy = fade(fy);
    float face[2];
    for (uint32_t k = 0; k < 2; k++) {
        float rz = fz - (float)k;
        float low = blend(slope_3d(seed, ix, iy, iz + k, fx, fy, rz), slope_3d(seed, ix + 1, iy, iz + k, fx - 1.0f, fy, rz), wx);
        float high = blend(slope_3d(seed, ix, iy + 1, iz + k, fx, fy - 1.0f, rz),
                           slope_3d(seed, ix + 1, iy + 1, iz + k, fx - 1.0f, fy - 1.0f, rz), wx);
        face[k] = blend(low, high, wy);
    }
    return blend(face[0], face[1], fade(fz));
}

float vp_noise_sum_2d(const vp_noise *noise, float x, float y)
{
    float sum = 0.0f, weight = 1.0f, frequency = noise->frequency;
    for (uint32_t i = 0; i < noise->octaves; i++) {
        float s = noise->shift[i];
        sum += weight * noise_2d(noise->seed[i], x * frequency + s, y * frequency + s);
        weight *= 0.5f;
        frequency *= 2.0f;
    }
    return sum;
}

float vp_noise_sum_3d(const vp_noise *noise, float x, float y, float z)
{
    float sum = 0.0f, weight = 1.0f, frequency = noise->frequency;
    for (uint32_t i = 0; i < noise->octaves; i++) {
        float s = noise->shift[i];
        sum += weight * noise_3d(noise->seed[i], x * frequency + s, y * frequency + s, z * frequency + s);
        weight *= 0.5f;
        frequency *= 2.0f;
    }
    return sum;
}

float vp_noise_ridges_2d(const vp_noise *noise, float x, float y)
{
    float sum = 0.0f, weight = 0.5f, frequency = noise->frequency;
    for (uint32_t i = 0; i < noise->octaves; i++) {
        float s = noise->shift[i];
        float n = noise_2d(noise->seed[i], x * frequency + s, y * frequency + s);
        float crest = 1.0f - (n < 0.0f ? -n : n);
        crest *= crest;
        sum += weight * crest;
        weight *= 0.5f * crest;
        frequency *= 2.0f;
    }
    return sum;
}

float vp_smooth_step(float low, float high, float v)
{
    float t = (v - low) / (high - low);
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}
