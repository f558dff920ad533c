/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys raycast`. command.c casts, rays.c opens rays, print.c prints. */
#ifndef VP_TOOLS_RAYCAST_RAYCAST_H
#define VP_TOOLS_RAYCAST_RAYCAST_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kd.h>

#include "host/ray_file.h"
#include "tools/choices.h"
#include "tools/sources/triangle_source.h"

typedef struct vp_raycast {
    /* options */
    vp_ray_query cast;
    float radius; /* sweeps only */
    vp_surface surface;
    vp_kd_form form;
    vp_kernels kernels;
    const char *rays_name; /* a file or a set. NULL = given by --ray, or from a camera */
    bool own_rays;         /* given by --ray */
    uint32_t threads;
    uint32_t shown; /* rays whose answers are printed */
    /* state */
    vp_source source;
    vp_surface_mesh mesh;
    vp_kd *tree;
    vp_ray_list rays;
    vp_content rays_content;
    vp_hit *hit;     /* for each ray its hit. Only t is set except for closest and sweep */
    uint32_t *found; /* for each ray the number of hits, or whether one exists */
    uint64_t *hash;  /* for each ray the hash of all its hits */
    vp_hit *all;     /* all hits of the ray being printed */
    /* results */
    vp_kernel_id kernel; /* kernel that was used */
    double build_seconds, cast_seconds;
    uint64_t hit_rays, hits; /* rays that hit, and hits of all rays */
    uint64_t digest;
} vp_raycast;

/* Reads "1,2,3,0,-1,0" or "1,2,3,0,-1,0,50". Does not check whether it is a valid ray. @return false after a message */
bool vp_raycast_parse_ray(const char *text, vp_ray *out);

/* Opens the rays of a file or a set, or makes those of a camera that looks at the tree, unless they are given. */
vp_status vp_raycast_open_rays(vp_raycast *r, vp_error *error);

/* A hit to print. Rays have the point and the triangle's normal, swept spheres their contact. */
typedef struct vp_reported_hit {
    vp_hit hit;
    int64_t chunk; /* -1 = no terrain */
    vp_vec3 point, normal;
    vp_sphere_contact contact; /* spheres only */
    uint8_t material;
} vp_reported_hit;

/* Answers of `voxphys raycast` and `voxphys world raycast`. */
typedef struct vp_answers {
    uint32_t count, shown;
    const uint32_t *found; /* as in vp_raycast */
    vp_ray_query cast;
    const vp_looks *looks;
    /* Gets a hit of a ray. Hits are requested in order. */
    vp_status (*hit)(void *user, uint32_t ray, uint32_t number, vp_reported_hit *out, vp_error *error);
    void *user;
} vp_answers;

/* @return NULL after a failure */
struct json_t *vp_answers_json(const vp_answers *answers, vp_error *error);
vp_status vp_answers_print(const vp_answers *answers, vp_error *error);

/* Print all results. @return the exit code */
int vp_raycast_print_json(vp_raycast *r);
int vp_raycast_print_text(vp_raycast *r);

#endif
