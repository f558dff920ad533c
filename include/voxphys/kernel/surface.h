/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_SURFACE_H
#define VOXPHYS_KERNEL_SURFACE_H

#include <assert.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/world.h>

/** @file
 *  Types and kernels of chunk meshes, surfaces by naive Surface Nets. Details: docs/kernels/mesher.md, docs/kernels/edges.md,
 *  docs/CONTRACT.md, MSH and EDG. */

#ifdef __cplusplus
extern "C" {
#endif

/** Surface. */
typedef enum vp_surface { VP_SURFACE_SOLID = 0, VP_SURFACE_WATER = 1 } vp_surface;

enum { VP_SURFACE_COUNT = 2 };

/** Sizes of a chunk mesh. */
enum {
    VP_CHUNK_MESH_VERTICES = 728,
    VP_CHUNK_MESH_QUADS = 1536,
    VP_CHUNK_MESH_SLACK = 16 /**< Elements past the end that kernels may write. */
};

/** Mesh of one chunk and surface. Arrays have the maximum size and VP_CHUNK_MESH_SLACK. */
typedef struct vp_chunk_mesh {
    vp_vec3 *vertex;     /**< World space. */
    uint16_t (*quad)[4]; /**< Counterclockwise from outside. Triangles are corners (0, 1, 2) and (0, 2, 3). */
    uint8_t *material;
    uint32_t vertex_count;
    uint32_t quad_count;
} vp_chunk_mesh;

/** Memory of a chunk mesh. */
typedef struct vp_chunk_mesh_room {
    vp_vec3 vertex[VP_CHUNK_MESH_VERTICES + VP_CHUNK_MESH_SLACK];
    uint16_t quad[VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK][4];
    uint8_t material[VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK];
} vp_chunk_mesh_room;

/** Returns an empty mesh in `room`. */
static inline vp_chunk_mesh vp_chunk_mesh_in(vp_chunk_mesh_room *room)
{
    vp_chunk_mesh mesh = {room->vertex, room->quad, room->material, 0, 0};
    return mesh;
}

/** Angle of two triangles at an edge. */
typedef enum vp_edge {
    VP_EDGE_FLAT = 0, /**< Up to 5 degrees. */
    VP_EDGE_CONCAVE = 1,
    VP_EDGE_CONVEX = 2, /**< Ridge, or a triangle without area. */
    VP_EDGE_OPEN = 3    /**< No other triangle in the mesh. In chunks only at a low face of the world. */
} vp_edge;

/** Squared tangent of 5 degrees, in binary32. */
#define VP_EDGE_FLAT_TAN2 0.0076542664f

/** Bytes past the flags that kernels may write. */
enum { VP_EDGE_FLAGS_SLACK = 2 * VP_CHUNK_MESH_SLACK };

/** Returns the flag of a triangle's edge from corner `edge` to (edge + 1) % 3. */
static inline vp_edge vp_edge_of(uint8_t flags, uint32_t edge)
{
    return VP_CAST(vp_edge, flags >> 2 * edge & 3);
}

static_assert(sizeof(vp_chunk_mesh_room) == 22896, "size");

/** Builds a vp_surface of one chunk. The caller sets out's arrays. */
typedef void vp_mesh_chunk_fn(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out);

/** Computes the edge flags of a mesh of mesh_chunk, across the chunk's borders too. Reads voxels -2 to 9, and the mesh's slack.
 *  @param flags  [2 * quad_count + VP_EDGE_FLAGS_SLACK] */
typedef void vp_edge_flags_fn(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, const vp_chunk_mesh *mesh,
                              uint8_t *flags);

/* clang-format off */
/** Kernels. */
#define VP_SURFACE_KERNELS(K)                                                                              \
    K(mesh_chunk, mesher, ALL, "Surface", "chunks",                                                        \
      "Builds the surface in one chunk from its voxels, by naive Surface Nets.")                           \
    K(edge_flags, edges, ALL, "Surface", "chunks",                                                         \
      "Computes how the triangles of a chunk's surface meet at their edges, across its borders too.")
/** Operations. */
#define VP_SURFACE_OPERATIONS(O)
/* clang-format on */

VP_SURFACE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
