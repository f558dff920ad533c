/* SPDX-License-Identifier: MIT */
/* The internals of a manifest, for manifest.c and for the kinds. */
#ifndef VP_MANIFEST_DATA_H
#define VP_MANIFEST_DATA_H

#include "datasets/datasets.h"
#include "datasets/generate/generate.h"
#include "datasets/kinds/kind.h"

typedef struct vp_entry {
    vp_dataset dataset;
    const vp_generator *generator;
    float params[VP_PARAMS_MAX]; /* the generator's structure */
} vp_entry;

const char *vp_manifest_folder(const vp_manifest *manifest);
/* Returns the path of a file in the data folder, for free(), or NULL without memory. */
char *vp_manifest_path(const vp_manifest *manifest, const char *name);

/* Finds the entry of that name and kind. @return VP_E_ARGUMENT with the name if there is none */
vp_status vp_manifest_entry_of(const vp_manifest *manifest, const char *name, const vp_kind *kind, const vp_entry **out, vp_error *error);

/* Like vp_manifest_entry_of for a kind with an owner: "terrain-l3/boxes-small", "chunks/coherent". */
vp_status vp_manifest_entry_on(const vp_manifest *manifest, const char *name, const vp_kind *kind, const vp_entry **out, vp_error *error);

/* Compares a set's hash with the manifest. @return VP_E_FORMAT with both hashes if they differ */
vp_status vp_manifest_check(const vp_manifest *manifest, const char *name, uint64_t hash, vp_error *error);

/* Returns the numbers of a world's MIXED chunks in ascending order, by the scalar broadphase. The caller frees them.
 * @return VP_E_ARGUMENT, with the set's name, if the world has none */
vp_status vp_mixed_chunks(const vp_world *world, const char *name, uint32_t **chunks, uint32_t *count, vp_error *error);

#endif
