/* SPDX-License-Identifier: MIT */
/* Finds which points are inside a world's surface, and their distance from it, by all triangles of the world's mesh. The world is first
 * copied away from the low faces, so that its mesh is closed. It uses nothing of src/surface/inside.c. */
#ifndef VP_CASES_NARROWPHASE_PUSH_OUT_H
#define VP_CASES_NARROWPHASE_PUSH_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/mesh.h>
#include <voxphys/push_out.h>
#include <voxphys/status.h>

/* Coordinates of points are rounded to multiples of 1/VP_CLOSED_UNIT. */
enum { VP_CLOSED_UNIT = 1 << 24 };

typedef struct vp_closed_surface {
    uint32_t triangle_count;
    int32_t (*corner)[3][3];     /* corners of each triangle, in 1/512 of a voxel, x, y, z */
    int32_t (*outer)[3];         /* for each triangle the voxel in front of its quad's edge */
    uint8_t *closed;             /* bits 1 << side of each triangle: its quad crosses this side of the world */
    int32_t columns[2];          /* unit columns along x and z, from -1 on */
    uint32_t *first, *in_column; /* triangles whose boxes meet column c: in_column[first[c]] to in_column[first[c + 1] - 1] */
} vp_closed_surface;

/* Call vp_closed_surface_free, also after a failure. @return VP_E_MEMORY, or the error of vp_world_create or vp_mesh_create */
vp_status vp_closed_surface_make(const vp_world *world, vp_surface surface, vp_closed_surface *out, vp_error *error);
void vp_closed_surface_free(vp_closed_surface *o);

/* The exact winding number of the surface around a point, from the triangles above it. @param on  whether the point is on a triangle */
int vp_closed_surface_winding(const vp_closed_surface *o, vp_vec3 point, bool *on);

/* A query of vp_push_out_of_world, in a world of this size. */
typedef struct vp_push_out_query {
    vp_dims size;
    vp_vec3 centre;
    uint32_t voxels, closed;
} vp_push_out_query;

#endif
