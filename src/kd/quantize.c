/* SPDX-License-Identifier: MIT */
/* Moves vertices to a lattice, for trees of the packed form. Only this function changes a mesh, and only on request. */
#include <voxphys/kd.h>

#include <math.h>

#include "src/core/error.h"

#define MAX_STEPS 65535.0

/* The nearest multiple of a power of two, the upper one for halves. In double the quotient is exact and the sum has
   room. A float so large that it has no bits below the pitch is a multiple already. */
static double round_to_multiple(float at, double pitch)
{
    return floor(at / pitch + 0.5) * pitch;
}

typedef struct range {
    float low[3], high[3];
} range;

static vp_status find_range(const vp_vec3 *vertex, uint32_t count, range *out, vp_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        const float at[3] = {vertex[i].x, vertex[i].y, vertex[i].z};
        for (int k = 0; k < 3; k++) {
            if (!(fabsf(at[k]) <= VP_KD_MAX))
                return vp_fail(error, VP_E_ARGUMENT, "vertex %u has %c = %g; the absolute value must be at most 2^40", i, "xyz"[k],
                               (double)at[k]);
            out->low[k] = i == 0 || at[k] < out->low[k] ? at[k] : out->low[k];
            out->high[k] = i == 0 || at[k] > out->high[k] ? at[k] : out->high[k];
        }
    }
    return VP_OK;
}

/* The maximum number of pitches along an axis. */
static double steps_of(const range *r, double pitch)
{
    double max = 0;
    for (int k = 0; k < 3; k++)
        max = fmax(max, (round_to_multiple(r->high[k], pitch) - round_to_multiple(r->low[k], pitch)) / pitch);
    return max;
}

vp_status vp_kd_quantize(const vp_vec3 *vertex, uint32_t count, float pitch, vp_vec3 *out, float *largest, float *used, vp_error *error)
{
    VP_RETURN_IF_ARRAY_NULL(error, vertex, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, count);
    range r = {{0}, {0}};
    int exponent;
    VP_RETURN_IF_FAILED(find_range(vertex, count, &r, error));
    if (pitch != 0.0f && !(pitch >= 0x1p-100f && pitch <= 0x1p40f && frexpf(pitch, &exponent) == 0.5f))
        return vp_fail(error, VP_E_ARGUMENT, "pitch is %g; must be 0 or a power of two, 2^-100 to 2^40", (double)pitch);
    double by = pitch != 0.0f ? (double)pitch : 0x1p-100;
    while (pitch == 0.0f && steps_of(&r, by) > MAX_STEPS)
        by *= 2;
    if (steps_of(&r, by) > MAX_STEPS)
        return vp_fail(error, VP_E_ARGUMENT, "pitch is %g, and the vertices are %.0f times that apart; must be at most 65535", by,
                       steps_of(&r, by));
    double moved = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float at[3] = {vertex[i].x, vertex[i].y, vertex[i].z};
        float to[3];
        for (int k = 0; k < 3; k++) {
            const double place = round_to_multiple(at[k], by);
            moved = fmax(moved, fabs(place - at[k]));
            to[k] = (float)place + 0.0f; /* + 0 removes -0 */
        }
        out[i] = (vp_vec3){to[0], to[1], to[2]};
    }
    if (largest != NULL)
        *largest = (float)moved;
    if (used != NULL)
        *used = (float)by;
    return vp_succeed(error);
}
