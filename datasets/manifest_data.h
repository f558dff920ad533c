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
    VP_GENERATOR_EDITS
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

typedef struct vp_entry {
    vp_dataset dataset;
    vp_generator generator;
    union {
        vp_terrain_params terrain;
        vp_random_params random;
        vp_checker_params checker;
        vp_boxes_params boxes;
        vp_edits_params edits;
    } params;
} vp_entry;

const char *vp_manifest_folder(const vp_manifest *manifest);

/* The entry of that name and kind. @return VP_E_ARGUMENT with a message that names it if there is none */
vp_status vp_manifest_entry_of(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                               const vp_entry **out, vp_error *error);

/* The same for a set that belongs to a world: "terrain-l3/boxes-small". */
vp_status vp_manifest_entry_on(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                               const vp_entry **out, vp_error *error);

/* Compares what was made with what the manifest says of it. @return VP_E_FORMAT with both hashes if they differ */
vp_status vp_manifest_check(const vp_manifest *manifest, const char *name, uint64_t hash, vp_error *error);

/* vp_dataset_world, with somebody who is told how far it is; `progress` may be NULL. */
vp_status vp_dataset_world_watched(const vp_manifest *manifest, const char *name,
                                   const vp_generate_progress *progress, vp_world **out, vp_error *error);

/* Numbers of a world's MIXED chunks in ascending order, by the scalar broadphase; free() them.
   @return VP_E_ARGUMENT, naming the set, if the world has none */
vp_status vp_mixed_chunks(const vp_world *world, const char *name, uint32_t **chunks, uint32_t *count,
                          vp_error *error);

#endif
