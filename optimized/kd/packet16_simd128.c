/* SPDX-License-Identifier: MIT */
/* Packets of 16 rays on WebAssembly's 128 bits. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/simd128.h"

#define VP_PACKET 16
#include "optimized/kd/packet_sort.h"

void vp_kd_ray16_simd128(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    cast_rays(tree, ray, count, hit, vp_kd_ray_simd128);
}
