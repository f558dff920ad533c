/* SPDX-License-Identifier: MIT */
/* A picture of scenes, side by side: the light along rays, made into colours. */
#ifndef VP_TOOLS_RENDER_PICTURE_H
#define VP_TOOLS_RENDER_PICTURE_H

#include "host/camera.h"
#include "tools/render/scene.h"

/* A scene in its part of the picture. */
typedef struct vp_picture_panel {
    const vp_scene *scene;
    vp_camera camera;
    uint32_t width; /* columns; those of all panels together are the picture's */
} vp_picture_panel;

typedef struct vp_picture {
    uint32_t width, height, samples; /* samples squared: rays of a pixel */
    uint32_t threads;                /* out: those that could be had */
    uint8_t *rgb;                    /* out: free it, also after a failure */
    uint64_t rays;                   /* out: how many were cast */
} vp_picture;

/* Takes it, with a progress bar. VP_E_MEMORY */
vp_status vp_picture_take(vp_picture *picture, const vp_picture_panel *panel, vp_error *error);

#endif
