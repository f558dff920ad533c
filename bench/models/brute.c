/* SPDX-License-Identifier: MIT */
/* A step of the kernel brute_ray, between marks. bench/static-models reads it. */
#if defined(VP_MODEL_avx2)
#include "optimized/kd/brute_avx2.c"
#elif defined(VP_MODEL_avx512)
#include "optimized/kd/brute_avx512.c"
#else
#include "optimized/kd/brute_neon.c"
#endif

#include "src/core/model_marks.h"

#if defined(VP_MODEL_avx512)
#define ITEMS "16"
#else
#define ITEMS "8"
#endif

/* Shears vectors of triangles into the ray's frame and finds those that the ray may hit. */
void step(const brute_ray *ray, const float *const from[3][3], uint32_t count, uint32_t *out);
void step(const brute_ray *ray, const float *const from[3][3], uint32_t count, uint32_t *out)
{
    const brute_ray r = *ray;
    const float *const of[3][3] = {
        {from[0][0], from[0][1], from[0][2]}, {from[1][0], from[1][1], from[1][2]}, {from[2][0], from[2][1], from[2][2]}};
    for (uint32_t i = 0; i < count; i += F32N) {
        VP_MODEL_BEGIN("brute_ray: triangles against a ray/" ITEMS " triangles");
        const brute_corner a = brute_corner_at(&r, of[0], i), b = brute_corner_at(&r, of[1], i), c = brute_corner_at(&r, of[2], i);
        out[i] = brute_mixed_signs(brute_cross(c, b), brute_cross(a, c), brute_cross(b, a));
        VP_MODEL_END();
    }
}
