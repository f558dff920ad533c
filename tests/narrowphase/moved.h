/* SPDX-License-Identifier: MIT */
/* Directions, and the distance of a moved shape from a triangle, for tests of corrected answers. */
#ifndef VP_TESTS_NARROWPHASE_MOVED_H
#define VP_TESTS_NARROWPHASE_MOVED_H

#include <math.h>
#include <string.h>

#include "cases/narrowphase/oracle.h"
#include "datasets/random.h"

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void wide(vp_vec3 a, double out[3])
{
    out[0] = (double)a.x, out[1] = (double)a.y, out[2] = (double)a.z;
}

static inline double dot_of(vp_vec3 a, vp_vec3 b)
{
    double x[3], y[3];
    wide(a, x);
    wide(b, y);
    return dot3(x, y);
}

static inline vp_vec3 random_unit(vp_random *r)
{
    for (;;) {
        const vp_vec3 a = {vp_random_between(r, -1.0f, 1.0f), vp_random_between(r, -1.0f, 1.0f), vp_random_between(r, -1.0f, 1.0f)};
        const float square = vp_vec3_dot(a, a);
        if (square > 0.01f && square <= 1.0f)
            return vp_vec3_scale(a, 1.0f / sqrtf(square));
    }
}

/* The signed distance of a shape, moved by t w, from a triangle. @param size out: the scale of errors */
static inline double distance_at(const vp_oracle_shape *oracle, const vp_pose *pose, const vp_vec3 corner[3], vp_vec3 w, double t,
                                 double *size)
{
    vp_pose at = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    vp_vec3 c[3];
    vp_oracle_truth truth;
    memcpy(at.rotation, pose->rotation, sizeof at.rotation);
    for (int k = 0; k < 3; k++)
        c[k] = (vp_vec3){(float)((double)corner[k].x - (double)pose->position.x - t * (double)w.x),
                         (float)((double)corner[k].y - (double)pose->position.y - t * (double)w.y),
                         (float)((double)corner[k].z - (double)pose->position.z - t * (double)w.z)};
    vp_oracle_truth_of(oracle, &at, c, &truth);
    *size = truth.size;
    return truth.distance;
}

#endif
