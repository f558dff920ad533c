/* SPDX-License-Identifier: MIT */
/* Models, nodes and instances of a MagicaVoxel file. vox.c reads the chunks of the file, and vox_scene.c places the models. */
#ifndef VP_IMPORT_VOX_SCENE_H
#define VP_IMPORT_VOX_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/* A model of `count` voxels. Each has four bytes (x y z colour) in the file's axes, z up, and lies within `size`. */
typedef struct vp_vox_model {
    vp_dims size;
    const uint8_t *voxel;
    uint32_t count;
} vp_vox_model;

/* A rotation of the axes and a translation. p becomes sign[i]*p[axis[i]] + move[i]. */
typedef struct vp_vox_place {
    uint8_t axis[3];
    int8_t sign[3];
    int64_t move[3];
} vp_vox_place;

typedef enum vp_vox_kind { VP_VOX_TRANSFORM, VP_VOX_GROUP, VP_VOX_SHAPE } vp_vox_kind;

/* A node of the scene graph. */
typedef struct vp_vox_node {
    int32_t id;
    vp_vox_kind kind;
    bool hidden;
    vp_vox_place place;   /* place of a transform */
    const uint8_t *child; /* 32-bit little-endian ids of children (transform: 1, group) or of the model (shape: 1) */
    uint32_t children;
} vp_vox_node;

typedef struct vp_vox_file {
    vp_allocator allocator; /* allocator of this file's arrays and of the scene */
    vp_vox_model *model;
    size_t models, model_capacity;
    vp_vox_node *node;
    size_t nodes, node_capacity;
    const uint8_t *palette; /* 256 x RGBA, colour i at entry i - 1. NULL = the program's default */
} vp_vox_file;

/* A placed model. */
typedef struct vp_vox_instance {
    uint32_t model;
    vp_vox_place place;
} vp_vox_instance;

typedef struct vp_vox_scene {
    vp_vox_instance *instance;
    size_t count, capacity;
    uint64_t voxels; /* voxels of all instances */
    uint32_t hidden; /* hidden nodes that were skipped */
} vp_vox_scene;

/* Reads the content of a node's chunk, which begins at byte `base` of the file. */
vp_status vp_vox_read_node(vp_vox_kind kind, const uint8_t *bytes, size_t size, size_t base, vp_vox_node *out, vp_error *error);

/* Finds all instances by the scene graph, or side by side along x if the file has none. Sorts file->node. */
vp_status vp_vox_make_scene(vp_vox_file *file, vp_vox_scene *out, vp_error *error);
void vp_vox_drop_scene(const vp_vox_file *file, vp_vox_scene *scene);

/* Finds the place of an instance's voxel in the scene, z up. */
void vp_vox_apply(const vp_vox_instance *instance, const vp_vox_model *model, const uint8_t *voxel, int64_t at[3]);

#endif
