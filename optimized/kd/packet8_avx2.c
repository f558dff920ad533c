/* SPDX-License-Identifier: MIT */
/* Packets of 8 rays on AVX2. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/avx2.h"

#define VP_PACKET 8
#include "optimized/kd/packet_sort.h"

void vp_kd_ray8_avx2(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    cast_rays(tree, ray, count, hit, vp_kd_ray_avx2);
}
