/* SPDX-License-Identifier: MIT */
/* Scenes of `voxphys render`: trees, normals and colours of surfaces, and light. All operations round alike everywhere
 * and have one order, so a picture is the same on every machine. */
#ifndef VP_TOOLS_RENDER_SCENE_H
#define VP_TOOLS_RENDER_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kd.h>

#include "host/camera.h"
#include "tools/sources/triangle_source.h"

/* Linear light: red, green, blue. */
typedef struct vp_light {
    float r, g, b;
} vp_light;

/* Shading of surfaces: flat triangles, interpolated normals, or a world's voxels as blocks. */
typedef enum vp_shading {
    VP_SHADING_USUAL = -1, /* a world smooth, a mesh flat */
    VP_SHADING_FLAT,
    VP_SHADING_SMOOTH,
    VP_SHADING_BLOCKS
} vp_shading;

enum { VP_MAX_SAMPLES = 8, VP_MAX_AMBIENT = 256 };

/* Options of a scene. */
typedef struct vp_scene_def {
    const vp_kernels *kernels;
    vp_kd_form form;
    uint32_t threads;
    bool wanted[VP_SURFACE_COUNT]; /* worlds only */
    vp_shading shading;
    bool shadows;
    uint32_t samples;         /* rays per pixel, its square root */
    uint32_t ambient;         /* directions per sample in which occlusion of the sky is tested. 0 = no occlusion */
    float sun_yaw, sun_pitch; /* degrees, as in vp_view */
} vp_scene_def;

/* A visible surface. */
typedef struct vp_scene_surface {
    vp_surface_mesh mesh;
    vp_kd *tree;     /* NULL = no such surface */
    vp_vec3 *normal; /* [vertices], NULL = flat */
} vp_scene_surface;

typedef struct vp_render_scene {
    vp_scene_def def;
    vp_scene_surface surface[VP_SURFACE_COUNT]; /* a mesh uses the first */
    vp_light colour[256];                       /* [material] */
    bool textured;                              /* whether voxels vary in brightness, by the share `contrast` */
    float contrast;
    vp_aabb box;
    float lift;  /* offset of rays that begin on a surface */
    float reach; /* maximum distance of surfaces that hide the sky */
    /* for each sample of a pixel: direction of the sun, and directions to the sky */
    vp_vec3 sun[VP_MAX_SAMPLES * VP_MAX_SAMPLES];
    vp_vec3 *sky;
    double mesh_seconds, build_seconds;
} vp_render_scene;

/* Makes a scene of a source. Drop it, also after a failure. The mesher leaves a world open at its low faces. To close them,
   the world is replaced by a copy with one more chunk of air there, up to the maximum size, and its mesh is moved back. */
vp_status vp_scene_make(const vp_scene_def *def, vp_source *source, vp_render_scene *out, vp_error *error);
void vp_scene_drop(vp_render_scene *scene);

/* Linear light of an sRGB value from 0 to 1. */
float vp_srgb_linear(double v);

/* The light along a ray of sample `sample` of a pixel.
   @param rays  in, out: incremented by the number of rays cast */
vp_light vp_scene_light(const vp_render_scene *scene, const vp_ray *ray, uint32_t sample, uint64_t *rays);

/* ---- pictures (picture.c) ---- */

/* A scene, and its columns of the picture. */
typedef struct vp_picture_panel {
    const vp_render_scene *scene;
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
