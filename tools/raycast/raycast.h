/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys raycast` share: casting is in command.c, where rays come from in rays.c, telling in tell.c. */
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

/* What `voxphys world raycast` prints alike: what is told of a swept sphere's hit behind its point and normal. */
void vp_contact_json(const vp_sphere_contact *contact, struct json_t *hit);
void vp_contact_print(const vp_sphere_contact *contact);

/* Print what was found. @return the exit code */
int vp_raycast_print_json(const vp_raycast *r);
int vp_raycast_print_text(const vp_raycast *r);

#endif
