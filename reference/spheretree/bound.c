/* SPDX-License-Identifier: MIT */
/* Bounds of wide nodes: a sphere and a box around the middle of the box of the children's spheres or boxes. */
#include <math.h>

#include "src/spheretree/wide.h"

void vp_scene_bound_scalar(const vp_spheretree_wide_node *node, const vp_spheretree_wide_box *box, uint32_t count, vp_sphere *out,
                           vp_vec3 *half)
{
    for (uint32_t i = 0; i < count; i++) {
        const vp_spheretree_wide_node *n = &node[i];
        const float *const centre[3] = {n->x, n->y, n->z};
        const float *const size[3] = {box != NULL ? box[i].x : n->radius, box != NULL ? box[i].y : n->radius,
                                      box != NULL ? box[i].z : n->radius};
        float middle[3], side[3], reach = -INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            float low = -INFINITY, high = -INFINITY; /* low is negated */
            for (int k = 0; k < VP_WIDE; k++) {
                low = size[axis][k] - centre[axis][k] > low ? size[axis][k] - centre[axis][k] : low;
                high = size[axis][k] + centre[axis][k] > high ? size[axis][k] + centre[axis][k] : high;
            }
            middle[axis] = (high - low) * 0.5f + 0.0f; /* no -0 */
            side[axis] = -INFINITY;
            for (int k = 0; k < VP_WIDE; k++) {
                const float far = fabsf(centre[axis][k] - middle[axis]) + size[axis][k];
                side[axis] = far > side[axis] ? far : side[axis];
            }
            side[axis] = side[axis] * VP_WIDE_PAD + VP_WIDE_LEAST;
        }
        for (int k = 0; k < VP_WIDE; k++) {
            const float x = n->x[k] - middle[0], y = n->y[k] - middle[1], z = n->z[k] - middle[2],
                        far = sqrtf((x * x + y * y) + z * z) + n->radius[k];
            reach = far > reach ? far : reach;
        }
        out[i] = (vp_sphere){{middle[0], middle[1], middle[2]}, reach * VP_WIDE_PAD + VP_WIDE_LEAST};
        half[i] = (vp_vec3){side[0], side[1], side[2]};
    }
}
