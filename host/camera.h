/* SPDX-License-Identifier: MIT */
/* A camera: from where a picture is taken. All of it is additions, multiplications, divisions and square roots, which are
 * rounded alike everywhere, so a picture's rays are the same bits on every machine. */
#ifndef VP_HOST_CAMERA_H
#define VP_HOST_CAMERA_H

#include <stdbool.h>

#include <voxphys/kd_data.h>
#include <voxphys/status.h>

/* What is asked for. */
typedef struct vp_view {
    bool has_eye, has_target;
    vp_vec3 eye, target;
    float yaw, pitch; /* degrees; without an eye: from which side of the target, 0 is +z, 90 is +x, and how high above */
    float distance;   /* without an eye: from the target; 0: so that the box fits */
    float fov;        /* degrees from the lower to the upper edge */
    float aspect;     /* width / height */
} vp_view;

/* A view of something: from above, askew. */
vp_view vp_view_default(void);

typedef struct vp_camera {
    vp_vec3 eye, forward; /* forward is of length 1 */
    vp_vec3 right, up;    /* from the middle of the view, one unit ahead, to its edges */
} vp_camera;

/* Sets a camera up. Without a target it looks at the middle of the box.
   @return VP_E_ARGUMENT for an eye at its target, and for what is too far away to be told apart */
vp_status vp_camera_make(const vp_view *view, const vp_aabb *box, vp_camera *out, vp_error *error);

/* The ray through a point of the view: (-1, -1) is its lower left corner, (1, 1) its upper right one. Its direction is of
   length 1, up to rounding. */
vp_ray vp_camera_ray(const vp_camera *camera, float across, float up);

/* A vector's direction; (0, 0, 0) as it is. */
vp_vec3 vp_unit(vp_vec3 v);

/* The direction of an angle around the y axis and one above the horizon, in degrees. */
vp_vec3 vp_direction_of(float yaw, float pitch);

#endif
