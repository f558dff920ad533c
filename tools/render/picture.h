/* SPDX-License-Identifier: MIT */
/* A picture of scenes, side by side. Casts rays and maps their light to colours. */
#ifndef VP_TOOLS_RENDER_PICTURE_H
#define VP_TOOLS_RENDER_PICTURE_H

#include "host/camera.h"
#include "tools/render/scene.h"

/* A scene, and its columns of the picture. */
typedef struct vp_picture_panel {
    const vp_scene *scene;
    vp_camera camera;
    uint32_t width; /* columns. All panels together fill the picture */
} vp_picture_panel;

typedef struct vp_picture {
    uint32_t width, height, samples; /* samples: rays per pixel, its square root */
    uint32_t threads;                /* out: number of threads available */
    uint8_t *rgb;                    /* out: free it, also after a failure */
    uint64_t rays;                   /* out: number of rays cast */
} vp_picture;

/* Takes the picture, with a progress bar. @return VP_E_MEMORY */
vp_status vp_picture_take(vp_picture *picture, const vp_picture_panel *panel, vp_error *error);

#endif
