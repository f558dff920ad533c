/* SPDX-License-Identifier: MIT */
/* The data sets of datasets/manifest.json and access to them.
 *
 * A world has the name of the manifest ("terrain-l3"). The name of a box set or an edit sequence includes its world
 * ("terrain-l3/boxes-small"). Generated data is made on demand from integers and exact binary32 operations, so it is the same on every
 * machine. Every set is checked against the XXH3-64 of its decoded content. */
#ifndef VP_DATASETS_H
#define VP_DATASETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/kernels.h>
#include <voxphys/status.h>
#include <voxphys/world.h>

/* mesh_sets.h has meshes, rays and their boxes. point_sets.h has points. kinds/kind.h describes how to open a set. */
struct vp_kind;

/* One entry of the manifest. Strings live as long as the manifest. */
typedef struct vp_dataset {
    const char *name;
    const struct vp_kind *kind;
    const char *description;
    const char *generator; /* "terrain", "random", "boxes", ..., or "file" */
    const char *source;    /* file sets: path below the data folder; otherwise "" */
    const char *world;     /* mesh sets: the source world; otherwise "" */
    const char *licence;
    uint64_t seed;
    vp_dims size;       /* worlds: size in voxels */
    uint32_t count;     /* number of boxes, edits, meshes or rays */
    bool on_demand;     /* true: too large for the daily run, made only if requested by name */
    const char *params; /* the generator's parameters in the manifest, compact JSON */
} vp_dataset;

typedef struct vp_manifest vp_manifest;

/* Reads manifest.json from `folder`. NULL: from $VOXPHYS_DATA, otherwise from the first existing folder of these: the folder installed
 * with the program, the source folder, the build's configured install folder. */
vp_status vp_manifest_open(const char *folder, vp_manifest **out, vp_error *error);
void vp_manifest_close(vp_manifest *manifest);
size_t vp_manifest_count(const vp_manifest *manifest);
const vp_dataset *vp_manifest_entry(const vp_manifest *manifest, size_t index);
/* Returns NULL if no entry has that name. */
const vp_dataset *vp_manifest_find(const vp_manifest *manifest, const char *name);
/* Returns the entry of a set's full name, or NULL. The entry of "terrain-l3/boxes-small" is boxes-small, that of "ball/1000" is ball. */
const vp_dataset *vp_manifest_set_of(const vp_manifest *manifest, const char *name);

/* Returns the manifest's hash of a set ("terrain-l3", "terrain-l3/boxes-small", "ball/1000"). Returns false without one. */
bool vp_manifest_hash(const vp_manifest *manifest, const char *name, uint64_t *hash);

/* Counts the voxels of each material. */
void vp_count_materials(const vp_world *world, uint64_t count[256]);

/* Boxes, as an array and as six arrays. */
typedef struct vp_box_set {
    uint32_t count;
    vp_aabb *box;
    float *component[6]; /* min_x min_y min_z max_x max_y max_z */
} vp_box_set;

/* One edit of a sequence. */
typedef struct vp_edit {
    enum { VP_EDIT_VOXEL, VP_EDIT_BOX, VP_EDIT_SPHERE } shape;
    vp_ivec3 low, high; /* box: low <= v < high; voxel: low */
    vp_vec3 centre;     /* sphere */
    float radius;
    vp_voxel voxel;
} vp_edit;

typedef struct vp_edit_set {
    uint32_t count;
    vp_edit *edit;
} vp_edit_set;

vp_status vp_edit_apply(const vp_edit *edit, vp_world *world, vp_chunk_set *stale, vp_error *error);

/* Creates a box set with room for `count` boxes. Fill box[], then call vp_box_set_split to fill the six arrays. */
vp_status vp_box_set_create(uint32_t count, vp_box_set *out, vp_error *error);
void vp_box_set_split(vp_box_set *set);
vp_boxes vp_box_set_boxes(const vp_box_set *set);
void vp_box_set_destroy(vp_box_set *set);
void vp_edit_set_destroy(vp_edit_set *set);

#endif
