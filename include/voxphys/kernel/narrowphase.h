/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_NARROWPHASE_H
#define VOXPHYS_KERNEL_NARROWPHASE_H

#include <assert.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/kernel/terrain.h>

/** @file
 *  Convex shapes against triangles. Details: docs/kernels/narrowphase.md, docs/CONTRACT.md, NAR. */

#ifdef __cplusplus
extern "C" {
#endif

/** Pose. Make it with vp_pose_at. A zeroed pose is invalid. */
typedef struct vp_pose {
    vp_vec3 position;  /**< World space. */
    float rotation[4]; /**< Quaternion x, y, z, w, of any length except 0. */
} vp_pose;

/** Kind of a shape. */
typedef enum vp_collide_kind {
    VP_COLLIDE_SPHERE,
    VP_COLLIDE_CAPSULE,
    VP_COLLIDE_BOX,
    VP_COLLIDE_CYLINDER,
    VP_COLLIDE_HULL,
    VP_COLLIDE_KINDS
} vp_collide_kind;

/** Hull's edge. */
typedef struct vp_collide_edge {
    uint32_t vertex[2];
} vp_collide_edge;

/** Directions, below half a circle, in which a whole edge is farthest (docs/kernels/narrowphase.md, "The idea"). */
typedef struct vp_collide_arc {
    vp_vec3 from; /**< Unit, perpendicular to the edge. */
    vp_vec3 to;   /**< Likewise. */
    uint32_t edge;
    float lowest;  /**< Smaller height of the edge's first vertex along `from` and `to`. */
    float stretch; /**< 2 / (1 + from . to). */
} vp_collide_arc;

/** Plane of a face. */
typedef struct vp_collide_plane {
    vp_vec3 normal; /**< Outward, unit. */
    float offset;   /**< Hull's maximum along the normal. */
} vp_collide_plane;

/** Convex hull that kernels read, within `radius` of the origin. */
typedef struct vp_collide_hull {
    const vp_vec3 *vertex; /**< Shape's frame. [vertex_count] */
    const vp_collide_plane *plane;
    const uint32_t *first_corner; /**< Start of each face. [face_count + 1] */
    const uint32_t *corner;       /**< Vertices, counterclockwise from outside. */
    const vp_collide_edge *edge;
    const vp_collide_arc *arc; /**< By edge. [arc_count] */
    uint32_t vertex_count;     /**< >= 3. */
    uint32_t face_count;       /**< >= 2. A polygon has two, back to back. */
    uint32_t edge_count;       /**< >= 3. */
    uint32_t arc_count;
    float radius;
    double volume; /**< 0 if flat. */
    double centre[3];
} vp_collide_hull;

/** Convex shape in its own frame. Only its kind's members are read. */
typedef struct vp_collide_shape {
    vp_collide_kind kind;
    float radius;      /**< Sphere, capsule, cylinder. */
    float half_height; /**< Cylinder, or capsule's segment, along y. */
    vp_vec3 half;      /**< Box. */
    const vp_collide_hull *hull;
} vp_collide_shape;

/** Triangle of a terrain or mesh. Kernels read only the corners. */
typedef struct vp_collide_triangle {
    vp_vec3 corner[3];           /**< Counterclockwise from outside, world space. */
    vp_vec3 normal;              /**< Outward unit normal. 0 = no area. */
    vp_vec3 neighbour_normal[3]; /**< Neighbour's normal at edge k, from corner k to (k + 1) % 3. 0 = none, or no area. */
    vp_terrain_triangle_id id;   /**< Chunk VP_COLLIDE_NO_CHUNK in meshes. */
    uint8_t flags;               /**< 2 bits per edge (vp_edge_of). */
    uint8_t material;            /**< Voxel inside. */
    uint16_t unused;
} vp_collide_triangle;

/** Chunk of a triangle outside a terrain. */
#define VP_COLLIDE_NO_CHUNK UINT32_MAX

/** Part of a triangle. */
typedef enum vp_triangle_feature {
    VP_TRIANGLE_FACE = 0,
    VP_TRIANGLE_EDGE = 1,  /**< 1 + k = edge k. */
    VP_TRIANGLE_CORNER = 4 /**< 4 + k = corner k. */
} vp_triangle_feature;

/** Part of a shape, a kind plus a number.
 *  - Sphere: face 0. Capsule: face 0 (side), corners 0 and 1 (ends at -y and y). Hull: its faces, edges and vertices.
 *  - Box: face 2*axis, + 1 if positive. Edge 4*axis, + 1 if the next axis is positive, + 2 if the one after.
 *    Corner: + 1, 2, 4 for positive x, y, z.
 *  - Cylinder: faces 0 and 1 (caps at -y and y), face 2 (side), edges 0 and 1 (rims). */
#define VP_SHAPE_FACE   0x00000000u
#define VP_SHAPE_EDGE   0x40000000u /**< As VP_SHAPE_FACE. */
#define VP_SHAPE_CORNER 0x80000000u /**< As VP_SHAPE_FACE. */

/** Feature of a pair beyond the margin. */
#define VP_COLLIDE_NONE UINT32_MAX

/** Contact of a shape and a triangle. Points are relative to the shape's position, along world axes, 0 beyond the margin. */
typedef struct vp_collide_result {
    float distance; /**< Negative = overlap. A lower bound beyond the margin. */
    vp_vec3 normal; /**< Unit, from the triangle to the shape. */
    vp_vec3 on_shape;
    vp_vec3 on_triangle;       /**< on_shape - distance * normal. */
    float weight[3];           /**< Corner weights, >= 0, sum 1. */
    uint32_t triangle_feature; /**< vp_triangle_feature, or VP_COLLIDE_NONE. */
    uint32_t shape_feature;    /**< Likewise, of VP_SHAPE_. */
} vp_collide_result;

/** Frame by vp_collide_frame_of. */
typedef struct vp_collide_frame {
    vp_vec3 position; /**< Shape's origin. */
    vp_vec3 row[3];   /**< Shape's axes in the world. */
} vp_collide_frame;

/** Job of the collide kernels. */
typedef struct vp_collide_job {
    const vp_collide_shape *shape;
    vp_collide_frame frame;
    float margin;                        /**< >= 0. INFINITY = every pair. */
    const vp_collide_triangle *triangle; /**< Finite. [count] */
    uint32_t count;
    vp_collide_result *result; /**< [count] */
} vp_collide_job;

static_assert(sizeof(vp_collide_result) == 60 && sizeof(vp_collide_triangle) == 96, "size");

/** Collides a sphere. */
typedef void vp_collide_sphere_fn(const vp_collide_job *job);
/** Collides a capsule. */
typedef void vp_collide_capsule_fn(const vp_collide_job *job);
/** Collides a box. */
typedef void vp_collide_box_fn(const vp_collide_job *job);
/** Collides a cylinder. */
typedef void vp_collide_cylinder_fn(const vp_collide_job *job);
/** Collides a hull. Cost per triangle: O(vertices + edges), at most O(vertices * edges). */
typedef void vp_collide_hull_fn(const vp_collide_job *job);
/** Collides any shape by GJK and EPA, for comparison. Slower. Cost per triangle: O(1), or O(vertices) for a hull. */
typedef void vp_collide_gjk_fn(const vp_collide_job *job);

/* clang-format off */
/** Kernels. */
#define VP_NARROWPHASE_KERNELS(K)                                                                 \
    K(collide_sphere, collide, ALL, "Narrowphase", "pairs",                                       \
      "Finds how far a sphere and triangles are apart or overlap, and where.")                    \
    K(collide_capsule, collide, ALL, "Narrowphase", "pairs",                                     \
      "Finds how far a capsule and triangles are apart or overlap, and where.")                   \
    K(collide_box, collide, ALL, "Narrowphase", "pairs",                                             \
      "Finds how far a box and triangles are apart or overlap, and where.")                       \
    K(collide_cylinder, collide, ALL, "Narrowphase", "pairs",                                   \
      "Finds how far a cylinder and triangles are apart or overlap, and where.")                  \
    K(collide_hull, collide, ALL, "Narrowphase", "pairs",                                           \
      "Finds how far a convex hull and triangles are apart or overlap, and where.")               \
    K(collide_gjk, gjk, NONE, "Narrowphase", "pairs",                                             \
      "Finds how far any shape and triangles are apart or overlap, and where, by GJK and EPA.")
/** Operations. */
#define VP_NARROWPHASE_OPERATIONS(O)                                                                                 \
    O(regions, "Narrowphase", "edits", "Finds what an edit cuts off, and takes it out of the world.")                \
    O(push_out, "Narrowphase", "centres", "Pushes centres out of solid voxels.")                                     \
    O(manifold_sphere, "Narrowphase", "bodies", "Finds where a sphere touches a terrain.")                           \
    O(manifold_capsule, "Narrowphase", "bodies", "Finds where a capsule touches a terrain.")                         \
    O(manifold_box, "Narrowphase", "bodies", "Finds where a box touches a terrain.")                                 \
    O(manifold_cylinder, "Narrowphase", "bodies", "Finds where a cylinder touches a terrain.")                       \
    O(manifold_hull16, "Narrowphase", "bodies", "Finds where a hull of 16 vertices touches a terrain.")              \
    O(manifold_hull64, "Narrowphase", "bodies", "Finds where a hull of 64 vertices touches a terrain.")              \
    O(manifold_table, "Narrowphase", "bodies", "Finds where a table of 5 boxes touches a terrain.")                  \
    O(manifold_anchor, "Narrowphase", "bodies", "Finds where 15 hulls touch a terrain.")                             \
    O(submerged_sphere, "Buoyancy", "bodies", "Finds how much of a sphere is in water, and its centre.")             \
    O(submerged_capsule, "Buoyancy", "bodies", "Finds how much of a capsule is in water, and its centre.")           \
    O(submerged_box, "Buoyancy", "bodies", "Finds how much of a box is in water, and its centre.")                   \
    O(submerged_cylinder, "Buoyancy", "bodies", "Finds how much of a cylinder is in water, and its centre.")         \
    O(submerged_hull16, "Buoyancy", "bodies", "Finds how much of a hull of 16 vertices is in water, and its centre.")\
    O(submerged_hull64, "Buoyancy", "bodies", "Finds how much of a hull of 64 vertices is in water, and its centre.")\
    O(region_body, "Bodies", "regions", "Makes the bodies of loose regions.")                                        \
    O(collide_shapes, "Bodies", "pairs", "Finds distance, normal and points of two shapes.")                          \
    O(cast_sphere, "Bodies", "casts", "Finds what a moving sphere hits first on a terrain.")                          \
    O(cast_capsule, "Bodies", "casts", "Finds what a moving capsule hits first on a terrain.")                        \
    O(cast_box, "Bodies", "casts", "Finds what a moving box hits first on a terrain.")                                \
    O(cast_cylinder, "Bodies", "casts", "Finds what a moving cylinder hits first on a terrain.")                      \
    O(cast_hull, "Bodies", "casts", "Finds what a moving hull of 16 vertices hits first on a terrain.")
/* clang-format on */

VP_NARROWPHASE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
