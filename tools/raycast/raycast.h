/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys raycast` share: casting is in command.c, where rays come from in rays.c, printing in print.c. */
#ifndef VP_TOOLS_RAYCAST_RAYCAST_H
#define VP_TOOLS_RAYCAST_RAYCAST_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kd.h>

#include "host/ray_file.h"
#include "tools/choices.h"
#include "tools/sources/triangle_source.h"

typedef struct vp_raycast {
    /* asked for */
    vp_cast cast;
    float radius; /* of a sweep */
    vp_surface surface;
    vp_kd_form form;
    vp_kernels kernels;
    const char *rays_name; /* a file or a set; NULL: given one by one, or a camera's */
    bool own_rays;         /* given one by one */
    uint32_t threads;
    uint32_t shown; /* rays whose answers are told */
    /* made */
    vp_source source;
    vp_surface_mesh mesh;
    vp_kd *tree;
    vp_ray_list rays;
    vp_content rays_content;
    vp_hit *hit;     /* of each ray: closest and sweep; t only is set of the others */
    uint32_t *found; /* of each ray: how many hits, or whether there is one */
    uint64_t *hash;  /* of each ray: of all its hits */
    vp_hit *all;     /* all hits of the ray that is told */
    /* found */
    vp_kernel_id kernel; /* that answered */
    double build_seconds, cast_seconds;
    uint64_t hit_rays, hits; /* rays that hit; hits of all */
    uint64_t digest;
} vp_raycast;

/* "1,2,3,0,-1,0" or "1,2,3,0,-1,0,50"; a mistake is told. Whether it is a ray is not looked at. */
bool vp_raycast_parse_ray(const char *text, vp_ray *out);

/* Makes the rays, where they are not there yet: of a file, of a set, or of a camera that looks at the tree. */
vp_status vp_raycast_open_rays(vp_raycast *r, vp_error *error);

/* What is told of a hit: of a ray the point and the triangle's normal, of a swept sphere how it touches. */
typedef struct vp_reported_hit {
    vp_hit hit;
    int64_t chunk; /* -1: of no terrain */
    vp_vec3 point, normal;
    vp_sphere_contact contact; /* of a sphere */
    uint8_t material;
} vp_reported_hit;

/* The answers of `voxphys raycast` and of `voxphys world raycast`. */
typedef struct vp_answers {
    uint32_t count, shown;
    const uint32_t *found; /* as of vp_raycast */
    vp_cast cast;
    const vp_looks *looks;
    /* A hit of a ray; they are asked for in their order. */
    vp_status (*hit)(void *user, uint32_t ray, uint32_t number, vp_reported_hit *out, vp_error *error);
    void *user;
} vp_answers;

/* @return NULL after a failure */
struct json_t *vp_answers_json(const vp_answers *answers, vp_error *error);
vp_status vp_answers_print(const vp_answers *answers, vp_error *error);

/* Print what was found. @return the exit code */
int vp_raycast_print_json(vp_raycast *r);
int vp_raycast_print_text(vp_raycast *r);

#endif
