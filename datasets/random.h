/* SPDX-License-Identifier: MIT */
/* Random numbers for data and tests by SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", 2014). The sequence is the same everywhere. Floats are exact multiples of 2^-24. */
#ifndef VP_DATASETS_RANDOM_H
#define VP_DATASETS_RANDOM_H

#include <stdint.h>

#include <voxphys/geometry.h>

typedef struct vp_random {
    uint64_t state;
} vp_random;

static inline uint64_t vp_random_next(vp_random *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return vp_mix64(r->state);
}

/* A whole number in [0, n), n > 0. The bias is below n/2^32. */
static inline uint32_t vp_random_below(vp_random *r, uint32_t n)
{
    return (uint32_t)((vp_random_next(r) >> 32) * n >> 32);
}

/* A float in [0, 1). */
static inline float vp_random_unit(vp_random *r)
{
    return (float)(vp_random_next(r) >> 40) * 0x1p-24f;
}

/* A float in [low, high]. */
static inline float vp_random_between(vp_random *r, float low, float high)
{
    return low + (high - low) * vp_random_unit(r);
}

/* A point of the box from `low` to `high`. One draw per statement, because the order within an initialiser is the compiler's choice. */
static inline vp_vec3 vp_random_vec3(vp_random *r, vp_vec3 low, vp_vec3 high)
{
    vp_vec3 p;
    p.x = vp_random_between(r, low.x, high.x);
    p.y = vp_random_between(r, low.y, high.y);
    p.z = vp_random_between(r, low.z, high.z);
    return p;
}

/* A cell of a box that begins at the origin. */
static inline vp_ivec3 vp_random_cell(vp_random *r, vp_dims size)
{
    vp_ivec3 p;
    p.x = (int32_t)vp_random_below(r, size.x);
    p.y = (int32_t)vp_random_below(r, size.y);
    p.z = (int32_t)vp_random_below(r, size.z);
    return p;
}

/* A random rotation as a quaternion x, y, z, w, whose squared length is from `least` to `most`. */
static inline void vp_random_turn(vp_random *r, float least, float most, float out[4])
{
    float square;
    do {
        square = 0.0f;
        for (int k = 0; k < 4; k++) {
            out[k] = vp_random_between(r, -1.0f, 1.0f);
            square += out[k] * out[k];
        }
    } while (square < least || square > most);
}

/* A random rotation of any length that is not near 0. */
static inline void vp_random_rotation(vp_random *r, float out[4])
{
    vp_random_turn(r, 0.1f, 4.0f, out);
}

#endif
