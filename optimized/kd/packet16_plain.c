/* SPDX-License-Identifier: MIT */
/* Packets of 16 rays in plain C. The idea is in optimized/kd/packet.h. */
#include "optimized/simd/plain.h"

#define VP_PACKET 16
#include "optimized/kd/packet_sort.h"

void vp_kd_ray16_plain(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit)
{
    cast_rays(tree, ray, count, hit, vp_kd_ray_plain);
}
