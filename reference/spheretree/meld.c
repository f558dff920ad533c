/* SPDX-License-Identifier: MIT */
#include <voxphys/kernel/spheretree.h>

#include "src/spheretree/meld.h"

void vp_scene_meld_scalar(const vp_sphere *a, const vp_sphere *b, uint32_t count, vp_sphere *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = vp_scene_melded(&a[i], &b[i]);
}
