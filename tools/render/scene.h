/* SPDX-License-Identifier: MIT */
/* What `voxphys render` takes pictures of: trees, the normals and the colours of their surfaces, and the light. Only
 * operations that are rounded alike everywhere are used, in one order, so that a picture is the same on every machine. */
#ifndef VP_TOOLS_RENDER_SCENE_H
#define VP_TOOLS_RENDER_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kd.h>

#include "tools/sources/triangle_source.h"

/* Light, linear, in red, green and blue. */
typedef struct vp_light {
    float r, g, b;
} vp_light;

/* How surfaces are shown: triangles that are flat, or over which normals change; a world's voxels as blocks. */
typedef enum vp_shading {
    VP_SHADING_USUAL = -1, /* a world smooth, a mesh flat */
    VP_SHADING_FLAT,
    VP_SHADING_SMOOTH,
    VP_SHADING_BLOCKS
} vp_shading;

enum { VP_MAX_SAMPLES = 8, VP_MAX_AMBIENT = 256 };

/* What is asked for. */
typedef struct vp_scene_def {
    const vp_kernels *kernels;
    vp_kd_form form;
    uint32_t threads;
    bool wanted[VP_SURFACE_COUNT]; /* of a world */
    vp_shading shading;
    bool shadows;
    uint32_t samples;         /* squared: rays of a pixel */
    uint32_t ambient;         /* directions of a sample in which is looked for the sky; 0: it is everywhere */
    float sun_yaw, sun_pitch; /* degrees, as of a camera */
} vp_scene_def;

/* A surface to be seen. */
typedef struct vp_scene_surface {
    vp_surface_mesh mesh;
    vp_kd *tree;     /* NULL: there is no such surface */
    vp_vec3 *normal; /* of each vertex; NULL: flat */
} vp_scene_surface;

typedef struct vp_scene {
    vp_scene_def def;
    vp_scene_surface surface[VP_SURFACE_COUNT]; /* of a mesh the first one */
    vp_light colour[256];                       /* of materials */
    bool textured;                              /* darker and brighter from voxel to voxel, by this share: */
    float contrast;
    vp_aabb box;
    float lift;  /* from a surface, for a ray that begins on it */
    float reach; /* how far away a surface hides the sky */
    /* of each sample of a pixel: the sun's direction, and those of the sky */
    vp_vec3 sun[VP_MAX_SAMPLES * VP_MAX_SAMPLES];
    vp_vec3 *sky;
    double mesh_seconds, build_seconds;
} vp_scene;

/* Makes a scene of a source. A world is closed at its low faces too, which the mesher leaves open: it is replaced by one with a
   chunk of air more there, and its mesh put back to where it was; as far as worlds can be so large. Drop it, also after a
   failure. */
vp_status vp_scene_make(const vp_scene_def *def, vp_source *source, vp_scene *out, vp_error *error);
void vp_scene_drop(vp_scene *scene);

/* Linear light of an sRGB value from 0 to 1. */
float vp_srgb_linear(double v);

/* The light that comes along a ray, of sample number `sample` of a pixel.
   @param rays  is raised by the rays that were cast */
vp_light vp_scene_light(const vp_scene *scene, const vp_ray *ray, uint32_t sample, uint64_t *rays);

#endif
