/* SPDX-License-Identifier: MIT */
/* What cases derive from sets: by the scalar reference, made when first asked for, and kept as long as the
 * set is open. None of this is for two threads at once. */
#ifndef VP_CASES_DERIVED_H
#define VP_CASES_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/broadphase.h>
#include <voxphys/kd.h>
#include <voxphys/kernels.h>

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

/* ---- of a world ---- */

/* The materials in rows. */
vp_status vp_derive_rows(const vp_data *world, const uint8_t **out, vp_error *error);
vp_status vp_derive_broadphase(const vp_data *world, const vp_broadphase **out, vp_error *error);

/* A chunk with a surface, and how large its meshes of solid and of water are. */
typedef struct vp_surface_chunk {
    vp_ivec3 at;
    uint32_t vertex_count[VP_SURFACE_COUNT], quad_count[VP_SURFACE_COUNT];
} vp_surface_chunk;

/* Those of a world, in the order of memory, and their meshes, one behind the other; VP_CHUNK_MESH_SLACK
 * behind the last. */
typedef struct vp_surface_set {
    vp_surface_chunk *chunk;
    uint32_t count;
    vp_vec3 *vertex;
    uint16_t (*quad)[4];
    size_t vertices, quads, chunks_room, vertices_room, quads_room; /* rooms: allocated */
} vp_surface_set;

/* Of about `most` chunks that may have a surface, evenly spread; 0: of all. */
vp_status vp_derive_surfaces(const vp_data *world, uint32_t most, const vp_surface_set **out, vp_error *error);

/* ---- of meshes ---- */

/* How trees are made over meshes: a form, or the wide one over plain triangles. */
typedef struct vp_tree_kind {
    vp_kd_form form;
    bool plain; /* the triangles of quads one by one, of the same numbers: same answers */
} vp_tree_kind;
enum { VP_TREE_KINDS = VP_KD_FORM_COUNT + 1 };
/* The wide form first. A kind's number is its variant. */
extern const vp_tree_kind vp_tree_kinds[VP_TREE_KINDS];
extern const char *const vp_tree_names[VP_TREE_KINDS + 1]; /* "wide", "packed", "triangles"; NULL at the end */

/* Whether there are such trees: packed ones where meshes are chunks', implied ones where they are chunks' and
   all of quads; plain triangles where all are of quads; the others always. Meshes of "fuzz-<n>" are any
   triangles. */
bool vp_has_trees(const vp_mesh_set *meshes, uint32_t kind);
/* Trees of one kind, made one by one. */
typedef struct vp_trees {
    const vp_tree_kind *kind;
    uint32_t count;
    vp_kd **tree;
    uint32_t *plain, *next; /* where the kind wants it: triangles one by one, and where the next mesh's go */
} vp_trees;
/* @param triangles  of all meshes. What is begun is to be dropped, failed or not */
vp_status vp_trees_begin(vp_trees *trees, uint32_t kind, uint32_t meshes, uint64_t triangles, vp_error *error);
vp_status vp_trees_add(vp_trees *trees, const vp_triangles *mesh, vp_error *error);
void vp_trees_drop(vp_trees *trees);
/* The tree of each mesh. */
vp_status vp_derive_trees(const vp_data *meshes, uint32_t kind, vp_kd *const **out, vp_error *error);

/* Whether there is a terrain: of one mesh the world that it is the surface of, of "fuzz-<n>" the world of
 * that name. */
bool vp_has_terrain(const vp_mesh_set *meshes);
/* The terrain of such meshes, or the solid one of a whole world, with the trees of all its chunks: there are
 * all kinds. */
vp_status vp_derive_terrain(const vp_data *of, uint32_t kind, vp_terrain_view *out, vp_error *error);
/* Bytes a triangle of its trees and of their meshes; triangles of its meshes. */
vp_status vp_terrain_bytes(const vp_data *of, uint32_t kind, double *bytes, uint64_t *triangles, vp_error *error);

/* What a terrain is asked where its meshes are asked rays, or boxes: the same; of "fuzz-<n>" rays of their
 * own, and the world's boxes. */
vp_status vp_terrain_rays(const vp_data *rays, const vp_ray_set **out, vp_error *error);
vp_status vp_terrain_boxes(const vp_data *mesh_boxes, const vp_aabb **box, uint32_t *count, vp_error *error);

#endif
