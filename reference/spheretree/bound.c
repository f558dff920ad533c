/* SPDX-License-Identifier: MIT */
/* Bounds of wide nodes: a sphere around the middle of the box of the children. */
#include <math.h>

#include "src/spheretree/wide.h"

void vp_scene_bound_scalar(const vp_spheretree_wide_node *node, uint32_t count, vp_sphere *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const vp_spheretree_wide_node *n = &node[i];
        const float *const centre[3] = {n->x, n->y, n->z};
        float middle[3], reach = -INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            float low = -INFINITY, high = -INFINITY; /* low is negated */
            for (int k = 0; k < VP_WIDE; k++) {
                low = n->radius[k] - centre[axis][k] > low ? n->radius[k] - centre[axis][k] : low;
                high = n->radius[k] + centre[axis][k] > high ? n->radius[k] + centre[axis][k] : high;
            }
            middle[axis] = (high - low) * 0.5f + 0.0f; /* no -0 */
        }
        for (int k = 0; k < VP_WIDE; k++) {
            const float x = n->x[k] - middle[0], y = n->y[k] - middle[1], z = n->z[k] - middle[2],
                        far = sqrtf((x * x + y * y) + z * z) + n->radius[k];
            reach = far > reach ? far : reach;
        }
        out[i] = (vp_sphere){{middle[0], middle[1], middle[2]}, reach * VP_WIDE_PAD + VP_WIDE_LEAST};
    }
}
