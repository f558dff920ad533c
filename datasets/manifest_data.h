/* SPDX-License-Identifier: MIT */
/* The inside of a manifest, for manifest.c, which reads it, and for the files that make the sets. */
#ifndef VP_MANIFEST_DATA_H
#define VP_MANIFEST_DATA_H

#include "datasets/datasets.h"
#include "datasets/generate/generate.h"

typedef enum vp_generator {
    VP_GENERATOR_TERRAIN,
    VP_GENERATOR_RANDOM,
    VP_GENERATOR_CHECKER,
    VP_GENERATOR_FILE,
    VP_GENERATOR_BOXES,
    VP_GENERATOR_EDITS,
    VP_GENERATOR_CHUNK_MESHES,
    VP_GENERATOR_DEGENERATE,
    VP_GENERATOR_MESH,
    VP_GENERATOR_CAMERA,
    VP_GENERATOR_SCATTERED,
    VP_GENERATOR_COLD,
    VP_GENERATOR_GRAZING,
    VP_GENERATOR_MESH_BOXES,
    VP_GENERATOR_POINTS /* named as its vp_family */
} vp_generator;

/* Boxes around random points of MIXED chunks. Extents are whole multiples of 1/128 voxel. */
typedef struct vp_boxes_params {
    float least, most; /* extent along an axis, voxels */
} vp_boxes_params;

/* Edits around random points of MIXED chunks. */
typedef struct vp_edits_params {
    float box;    /* longest edge, voxels */
    float radius; /* largest radius of a sphere, voxels */
} vp_edits_params;

/* Meshes of a world's surface. */
typedef struct vp_meshes_params {
    float surface;                      /* a vp_surface */
    float share;                        /* of triangles that are made degenerate */
    float first_x, first_y, first_z;    /* a box of chunks ... */
    float chunks_x, chunks_y, chunks_z; /* ... and its extents; all 0: the whole world */
} vp_meshes_params;

/* Views of a mesh or of chunks, one after the other. */
typedef struct vp_camera_params {
    float eye, aim; /* of a mesh: how far above its box the camera and what it looks at are, by the box's extent along x */
    float spread;   /* from the middle of the view to its edge, by the distance */
    float distance; /* of chunks: from the camera to the middle of the box, voxels */
    float width;    /* from the middle of the view to its edge there, voxels */
    float length;   /* of the rays */
} vp_camera_params;

/* Rays of random directions; as many of each octave of lengths. */
typedef struct vp_scattered_params {
    float near;        /* of a mesh: how far at most rays start from a vertex on each axis, voxels */
    float margin;      /* of chunks: they start in the mesh's box grown by this */
    float least, most; /* length; most is least times a power of two */
} vp_scattered_params;

/* Rays along surfaces. */
typedef struct vp_grazing_params {
    float far; /* how far outside some of them start, and how long some are */
} vp_grazing_params;

/* Cubes near a surface. Extents are whole multiples of 1/256 voxel. */
typedef struct vp_mesh_boxes_params {
    float edge; /* voxels */
    float near; /* how far at most the middle is from a vertex on each axis, voxels */
} vp_mesh_boxes_params;

typedef struct vp_entry {
    vp_dataset dataset;
    vp_generator generator;
    union {
        vp_terrain_params terrain;
        vp_random_params random;
        vp_checker_params checker;
        vp_boxes_params boxes;
        vp_edits_params edits;
        vp_meshes_params meshes;
        vp_camera_params camera;
        vp_scattered_params scattered;
        vp_grazing_params grazing;
        vp_mesh_boxes_params mesh_boxes;
    } params;
} vp_entry;

const char *vp_manifest_folder(const vp_manifest *manifest);

/* The entry of that name and kind. @return VP_E_ARGUMENT with a message that names it if there is none */
vp_status vp_manifest_entry_of(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                               const vp_entry **out, vp_error *error);

/* The same for a set that belongs to a world or to meshes: "terrain-l3/boxes-small", "chunks/coherent". */
vp_status vp_manifest_entry_on(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                               const vp_entry **out, vp_error *error);

/* Compares what was made with what the manifest says of it. @return VP_E_FORMAT with both hashes if they differ */
vp_status vp_manifest_check(const vp_manifest *manifest, const char *name, uint64_t hash, vp_error *error);

/* vp_dataset_world, with somebody who is told how far it is; `progress` may be NULL. */
vp_status vp_dataset_world_watched(const vp_manifest *manifest, const char *name,
                                   const vp_generate_progress *progress, vp_world **out, vp_error *error);

/* vp_dataset_meshes, likewise; what takes time is the world. */
struct vp_mesh_set;
vp_status vp_dataset_meshes_watched(const vp_manifest *manifest, const char *name,
                                    const vp_generate_progress *progress, struct vp_mesh_set *out, vp_error *error);

/* Numbers of a world's MIXED chunks in ascending order, by the scalar broadphase; free() them.
   @return VP_E_ARGUMENT, naming the set, if the world has none */
vp_status vp_mixed_chunks(const vp_world *world, const char *name, uint32_t **chunks, uint32_t *count,
                          vp_error *error);

#endif
