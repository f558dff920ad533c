/* SPDX-License-Identifier: MIT */
/* Data that cases derive from sets with the scalar reference. It is made on first use and kept while the set is open. Not thread-safe. */
#ifndef VP_CASES_DERIVED_H
#define VP_CASES_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/broadphase.h>
#include <voxphys/kd.h>
#include <voxphys/kernels.h>

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

/* ---- worlds ---- */

/* The materials as rows. */
vp_status vp_derive_rows(const vp_data *world, const uint8_t **out, vp_error *error);
vp_status vp_derive_broadphase(const vp_data *world, const vp_broadphase **out, vp_error *error);

/* A chunk with a surface, and the sizes of its meshes for solid and water. */
typedef struct vp_surface_chunk {
    vp_ivec3 at;
    uint32_t vertex_count[VP_SURFACE_COUNT], quad_count[VP_SURFACE_COUNT];
} vp_surface_chunk;

/* The chunks of a world with a surface in memory order, and their meshes one after the other. VP_CHUNK_MESH_SLACK elements follow
 * the last one. */
typedef struct vp_surface_set {
    vp_surface_chunk *chunk;
    uint32_t count;
    vp_vec3 *vertex;
    uint16_t (*quad)[4];
    size_t vertices, quads, chunks_room, vertices_room, quads_room; /* room = allocated */
} vp_surface_set;

/* Derives about `most` chunks that may have a surface, evenly spread, 0 = all. */
vp_status vp_derive_surfaces(const vp_data *world, uint32_t most, const vp_surface_set **out, vp_error *error);

/* ---- meshes ---- */

/* How to make trees over meshes: a form, or the wide form over plain triangles. */
typedef struct vp_tree_kind {
    vp_kd_form form;
    bool plain; /* quads as single triangles with the same numbers, so with the same answers */
} vp_tree_kind;
enum { VP_TREE_KINDS = VP_KD_FORM_COUNT + 1 };
/* The wide form first. A kind's number is its variant. */
extern const vp_tree_kind vp_tree_kinds[VP_TREE_KINDS];
extern const char *const vp_tree_names[VP_TREE_KINDS + 1]; /* "wide", "packed", "triangles", ends with NULL */

/* Whether such trees can be made. Packed trees need meshes of chunks, implied trees need chunks made of quads only, and plain triangles
 * need quads only. The others always exist. Meshes of "fuzz-<n>" have arbitrary triangles. */
bool vp_has_trees(const vp_mesh_set *meshes, uint32_t kind);
/* Trees of one kind, made one by one. */
typedef struct vp_trees {
    const vp_tree_kind *kind;
    uint32_t count;
    vp_kd **tree;
    uint32_t *plain, *next; /* if the kind needs it: single triangles, and the end of those used */
} vp_trees;
/* The tree of each mesh. */
vp_status vp_derive_trees(const vp_data *meshes, uint32_t kind, vp_kd *const **out, vp_error *error);

/* Whether the meshes belong to a terrain. One mesh belongs to the world whose surface it is, "fuzz-<n>" to the world of that name. */
bool vp_has_terrain(const vp_mesh_set *meshes);
/* The terrain of such meshes, or the solid surface of a whole world, with the trees of all its chunks. All kinds exist. */
vp_status vp_derive_terrain(const vp_data *of, uint32_t kind, vp_terrain_view *out, vp_error *error);
/* Bytes for each triangle of its trees and their meshes, and the number of triangles. */
vp_status vp_terrain_bytes(const vp_data *of, uint32_t kind, double *bytes, uint64_t *triangles, vp_error *error);

/* Rays and boxes for a terrain. They are those for its meshes, but "fuzz-<n>" has its own rays and the world's boxes. */
vp_status vp_terrain_rays(const vp_data *rays, const vp_ray_set **out, vp_error *error);
vp_status vp_terrain_boxes(const vp_data *mesh_boxes, const vp_aabb **box, uint32_t *count, vp_error *error);

/* ---- costs and answers ---- */

/* Nodes and triangles that the reference examines for a ray, on average. */
typedef struct vp_kd_visits {
    double nodes;     /* including leaves */
    double triangles; /* exact tests */
} vp_kd_visits;

/* Casts all rays through the trees of their meshes. */
vp_kd_visits vp_kd_visits_of_rays(const vp_kd_view *const *tree, const vp_ray *ray, const uint32_t *mesh, uint32_t count);

/* 32-bit words of a vp_terrain_hit. */
enum { VP_TERRAIN_HIT_WORDS = 5 };

/* Chooses rays for a terrain or a library that must make its trees first. These are the first 64 of each 1024 rays, which are one tile if
 * rays come in tiles. All rays would hide the cost of making trees, and the first rays of a set may look at the sky. */
static inline uint32_t vp_cold_ray(uint32_t i)
{
    return i / 64 * 1024 + i % 64;
}
static inline uint32_t vp_cold_rays(uint32_t all)
{
    return all / 1024 * 64;
}

#endif
