/* SPDX-License-Identifier: MIT */
#ifndef VP_OPTIMIZED_KD_FUSED_H
#define VP_OPTIMIZED_KD_FUSED_H

#include <voxphys/kernel/kd.h>

/* Whether this machine has AVX2 and FMA. */
bool vp_kd_fused_usable(void);
vp_kd_ray_fn vp_kd_ray_avx2_fma;

#endif
