/* SPDX-License-Identifier: MIT */
/* The plan of edit_to_ray: edits of a world, each followed by one ray to the place. Places are dug at random on the surface, and refilled
 * some edits later. So the number of open places is constant, and a round over all edits ends in the state in which it began. The first
 * round begins with the original world, which a refilled sphere does not restore. Answers are those of the second and later rounds.
 *
 * The expected hits are found without a terrain. After each edit all chunks near the ray are meshed by the scalar kernel, and all their
 * triangles are tested. The plan also has the mesh to give to another library, which is that of the chunk that the ray meets. */
#ifndef VP_CASES_EDIT_PLAN_H
#define VP_CASES_EDIT_PLAN_H

#include <voxphys/terrain.h>

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

typedef enum vp_dig_kind {
    VP_DIG_VOXEL,  /* one voxel is dug, then restored */
    VP_DIG_BRUSH8, /* a sphere of radius 4 is dug, then filled */
    VP_DIG_CHUNK,  /* a chunk's 512 voxels move down by one, then up */
    VP_DIG_KINDS
} vp_dig_kind;

extern const char *const vp_edit_names[VP_DIG_KINDS];

typedef struct vp_edit_step {
    vp_ivec3 at;                         /* the voxel, the lowest voxel of a chunk, or the centre of a sphere */
    vp_voxel voxel;                      /* its new value */
    const uint8_t *material, *occupancy; /* a chunk's 512 values each, in rows */
    vp_ray ray;
} vp_edit_step;

typedef struct vp_edit_plan {
    vp_dig_kind kind;
    uint32_t count;
    vp_edit_step *step;
    vp_terrain_hit *want;
    vp_mesh_set meshes; /* for each step the mesh that its ray meets */
    uint32_t *mesh;     /* the mesh of each ray: 0, 1, 2, ... */
    vp_ray *ray;        /* of all steps */
    uint8_t *rows;      /* of all chunks */
} vp_edit_plan;

/* Whether a world has ground, and space around a place. */
bool vp_can_be_edited(const vp_world *world);
/* Makes some thousands of edits, fewer for a small world. The plan is deterministic and does not change the world. The set owns it. */
vp_status vp_derive_edits(const vp_data *world, vp_dig_kind kind, const vp_edit_plan **out, vp_error *error);

/* Makes a world with the same voxels. */
vp_status vp_world_copy(const vp_world *from, vp_world **out, vp_error *error);

/* Applies the edit of a step, without its ray. */
vp_status vp_edit_world(const vp_edit_plan *plan, const vp_edit_step *step, vp_world *world, vp_chunk_set *stale, vp_error *error);
vp_status vp_edit_terrain(const vp_edit_plan *plan, const vp_edit_step *step, vp_terrain *terrain, vp_error *error);

#endif
