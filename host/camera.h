/* SPDX-License-Identifier: MIT */
/* A camera for pictures. It uses only additions, multiplications, divisions and square roots, which round alike
 * everywhere. So a picture's rays are the same bits on every machine. */
#ifndef VP_HOST_CAMERA_H
#define VP_HOST_CAMERA_H

#include <stdbool.h>

#include <voxphys/kernel/kd.h>
#include <voxphys/status.h>

/* Settings of a camera. */
typedef struct vp_view {
    bool has_eye, has_target;
    vp_vec3 eye, target;
    float yaw, pitch; /* degrees, used without an eye: direction from the target (0 = +z, 90 = +x) and elevation */
    float distance;   /* from the target, used without an eye. 0 = the box fits */
    float fov;        /* vertical, degrees */
    float aspect;     /* width / height */
} vp_view;

/* The default view: from above, at an angle. */
vp_view vp_view_default(void);

typedef struct vp_camera {
    vp_vec3 eye, forward; /* forward is of length 1 */
    vp_vec3 right, up;    /* offsets from the middle of the view to its edges, one unit ahead */
} vp_camera;

/* Sets a camera up. Without a target it looks at the middle of the box.
   @return VP_E_ARGUMENT if the eye is at its target, or if distances are too large for binary32 */
vp_status vp_camera_make(const vp_view *view, const vp_aabb *box, vp_camera *out, vp_error *error);

/* The ray through a point of the view. (-1, -1) is the lower left corner, (1, 1) the upper right one. Its direction has
   length 1, up to rounding. */
vp_ray vp_camera_ray(const vp_camera *camera, float across, float up);

/* A vector scaled to length 1. (0, 0, 0) stays (0, 0, 0). */
vp_vec3 vp_unit(vp_vec3 v);

/* The direction with an angle around the y axis and an angle above the horizon, in degrees. */
vp_vec3 vp_direction_of(float yaw, float pitch);

#endif
