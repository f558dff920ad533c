/* SPDX-License-Identifier: MIT */
/* Shows the cost of bit-exactness. This is kd_ray of AVX2 with multiplications and additions fused wherever the
 * compiler can, and in the test of a node, where twelve operations become six. A fused operation rounds once instead of
 * twice, so results differ from those of instruction sets and compilers that do not fuse. Hence this kernel is neither
 * in the registry nor in the library. The benchmark times it next to the exact one. */
#include "optimized/kd/fused.h"

#include <voxphys/cpu.h>

#define VP_KD_FUSED
#include "optimized/simd/avx2.h"

/* a - b * c, rounded once. The vocabulary has no such operation, because no kernel of the library fuses. */
static inline f32x8 f32x8_fnmadd(f32x8 a, f32x8 b, f32x8 c)
{
    return _mm256_fnmadd_ps(b, c, a);
}

#include "optimized/kd/query.h"

bool vp_kd_fused_usable(void)
{
    return vp_isa_usable(VP_ISA_avx2) && __builtin_cpu_supports("fma");
}

vp_hit vp_kd_ray_avx2_fma(const vp_kd_view *tree, const vp_ray *ray)
{
    return closest(tree, ray);
}
