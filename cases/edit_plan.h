/* SPDX-License-Identifier: MIT */
/* What edit_to_ray does: edits of a world, each followed by one ray that comes to the place. At random places
 * on the surface something is dug away, and some edits later put back; so as many places are open at any
 * time, and a round over all of them ends as it began. The first round begins with the world as it is, which
 * later ones do not find again where a sphere is filled; answers are those of the second round and of all
 * later ones.
 *
 * What must be answered is found here without a terrain: after each edit all chunks near the ray are meshed
 * by the scalar kernel, and all their triangles are tried. Beside it is the mesh that a library is given,
 * that of the chunk that the ray meets. */
#ifndef VP_CASES_EDIT_PLAN_H
#define VP_CASES_EDIT_PLAN_H

#include <voxphys/terrain.h>

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

typedef enum vp_dig_kind {
    VP_DIG_VOXEL,  /* one voxel becomes air, and what it was */
    VP_DIG_BRUSH8, /* a sphere of radius 4 becomes air, and solid */
    VP_DIG_CHUNK,  /* a chunk's 512 voxels sink by one, and rise */
    VP_DIG_KINDS
} vp_dig_kind;

extern const char *const vp_edit_names[VP_DIG_KINDS];

typedef struct vp_edit_step {
    vp_ivec3 at;                         /* the voxel; of a chunk its lowest one; of a sphere the one in its middle */
    vp_voxel voxel;                      /* what it becomes */
    const uint8_t *material, *occupancy; /* of a chunk: 512 each, in rows */
    vp_ray ray;
} vp_edit_step;

typedef struct vp_edit_plan {
    vp_dig_kind kind;
    uint32_t count;
    vp_edit_step *step;
    vp_terrain_hit *want;
    vp_mesh_set meshes; /* of each step, the mesh that its ray meets */
    uint32_t *mesh;     /* 0, 1, 2, ...: of each ray its mesh */
    vp_ray *ray;        /* of all steps */
    uint8_t *rows;      /* of all chunks */
} vp_edit_plan;

/* Whether a world has ground, and room around a place. */
bool vp_can_be_edited(const vp_world *world);
/* Some thousands of edits, of a small world fewer; always the same for a world, which is left as it was. The
 * set keeps them. */
vp_status vp_derive_edits(const vp_data *world, vp_dig_kind kind, const vp_edit_plan **out, vp_error *error);

/* A world with the same voxels. */
vp_status vp_world_copy(const vp_world *from, vp_world **out, vp_error *error);

/* The edit of a step, without its ray. */
vp_status vp_edit_world(const vp_edit_plan *plan, const vp_edit_step *step, vp_world *world, vp_chunk_set *stale, vp_error *error);
vp_status vp_edit_terrain(const vp_edit_plan *plan, const vp_edit_step *step, vp_terrain *terrain, vp_error *error);

#endif
