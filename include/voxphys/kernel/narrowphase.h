/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_NARROWPHASE_H
#define VOXPHYS_KERNEL_NARROWPHASE_H

#include <assert.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/kernel/terrain.h>

/** @file kernel/narrowphase.h
 *  Kernels that collide one convex shape with triangles (voxel terrain article, "Narrowphase"): layouts, signatures, rows. The checked
 *  functions, and what is made of the answers, are in narrowphase.h.
 *
 *  **The answer.** A triangle is a sheet: it has no inside, and both sides are alike. For a direction u of length 1, away from the
 *  triangle, let S(u) be how far the shape, seen along u, begins behind where the triangle ends. The signed distance is the greatest S(u)
 *  of all u: apart it is the distance of the two, overlapping it is minus the least way on which one can be moved out of the other. The
 *  normal is that u. Any u gives a lower bound, so a kernel tries candidates, among which the right one is: it can't invent a distance.
 *
 *  **The frame.** The shape's position is subtracted from the corners first, then they are turned into the shape's frame, so an answer is
 *  as good far from the origin as near it. Points are told relative to the position, along the world's axes, for the same reason.
 *
 *  **The size** by which errors are measured is the larger of the shape's radius about its origin and the largest coordinate of a corner
 *  from there. No number is compared with a constant length; what is "nothing" is a part of the shape's radius.
 *
 *  **No area.** A triangle whose corners are on a line or in one place is that segment or point. */

#ifdef __cplusplus
extern "C" {
#endif

/** Where a shape's origin is, and how it is turned. */
typedef struct vp_pose {
    vp_vec3 position;  /**< Of the shape's origin. */
    float rotation[4]; /**< A quaternion, x, y, z, w. Its length doesn't matter: it is turned as by the quaternion divided by its length. */
} vp_pose;

/** What a shape is. */
typedef enum vp_collide_kind {
    VP_COLLIDE_SPHERE,
    VP_COLLIDE_CAPSULE,
    VP_COLLIDE_BOX,
    VP_COLLIDE_CYLINDER,
    VP_COLLIDE_HULL,
    VP_COLLIDE_KINDS
} vp_collide_kind;

/** An edge of a hull. */
typedef struct vp_collide_edge {
    uint32_t vertex[2]; /**< Its ends. */
} vp_collide_edge;

/** Directions for which a hull reaches furthest along a whole edge: an arc from a normal to another, shorter than half a circle. An edge
 *  has one, between its faces' normals; or several one behind the other, where these are far apart. */
typedef struct vp_collide_arc {
    vp_vec3 from;  /**< Of length 1, square to the edge. */
    vp_vec3 to;    /**< The same. */
    uint32_t edge; /**< Which. */
} vp_collide_arc;

/** A plane of a hull's face. */
typedef struct vp_collide_plane {
    vp_vec3 normal; /**< Of length 1, outwards. */
    float offset;   /**< What the hull reaches along it. */
} vp_collide_plane;

/** A convex polytope as kernels read it, in binary32. */
typedef struct vp_collide_hull {
    const vp_vec3 *vertex;         /**< In the shape's frame. */
    const vp_collide_plane *plane; /**< Of each face. */
    const uint32_t *first_corner;  /**< Of each face, where its polygon begins in `corner`; one more for the end. */
    const uint32_t *corner;        /**< Vertices, counterclockwise from outside. */
    const vp_collide_edge *edge;   /**< Each once. */
    const vp_collide_arc *arc;     /**< Of all edges, by ascending edge. */
    uint32_t vertex_count;         /**< At least 3. */
    uint32_t face_count;           /**< At least 2: a polygon has two, back to back. */
    uint32_t edge_count;           /**< How many edges. */
    uint32_t arc_count;            /**< How many arcs. */
    float radius;                  /**< Of the smallest ball about the frame's origin that holds all vertices, rounded up. */
} vp_collide_hull;

/** A convex shape, in a frame of its own. Other members than the kind's are not looked at. */
typedef struct vp_collide_shape {
    vp_collide_kind kind;        /**< What it is. */
    float radius;                /**< Of a sphere about the origin; of a capsule; of a cylinder. */
    float half_height;           /**< Of a cylinder: it reaches from -half_height to half_height along y. Of a capsule: its segment does so,
                                      and the capsule by a radius further. */
    vp_vec3 half;                /**< Of a box: from -half to half. */
    const vp_collide_hull *hull; /**< Of a hull. */
} vp_collide_shape;

/** A triangle of a terrain's chunk, or of any mesh. Kernels read the corners alone. */
typedef struct vp_collide_triangle {
    vp_vec3 corner[3];         /**< Counterclockwise from outside. */
    vp_vec3 normal;            /**< Of length 1, outwards; 0 if it has no area. */
    vp_vec3 beside[3];         /**< The normals of the triangles beyond its edges: edge k is from corner k to corner (k + 1) % 3. 0 where
                                    there is none, or it has no area. */
    vp_terrain_triangle_id id; /**< Its chunk and its number there; of a mesh chunk VP_COLLIDE_NO_CHUNK. */
    uint8_t flags;             /**< vp_edge, two bits an edge, as in kernel/surface.h. */
    uint8_t material;          /**< Of the voxel inside. */
    uint16_t unused;           /**< 0. */
} vp_collide_triangle;

/** The chunk of a triangle that is of no terrain. */
#define VP_COLLIDE_NO_CHUNK UINT32_MAX

/** The part of a triangle where the contact is. */
typedef enum vp_triangle_feature {
    VP_TRIANGLE_FACE = 0,  /**< Inside. */
    VP_TRIANGLE_EDGE = 1,  /**< 1 + k: on edge k, from corner k to corner (k + 1) % 3. */
    VP_TRIANGLE_CORNER = 4 /**< 4 + k: at corner k. */
} vp_triangle_feature;

/** @name Parts of a shape
 *  A face, an edge or a corner, and its number.
 *  Sphere: face 0. Capsule: face 0 is its side, corners 0 and 1 are its ends at -y and y. Box: face 2*axis, and 1 more on the
 *  positive side; edge 4*axis that it runs along, 1 more if the next axis is positive there, 2 more if the one after that is; corner: 1 if
 * x is positive, 2 if y is, 4 if z is. Cylinder: faces 0 and 1 are its caps at -y and y, face 2 its side; edges 0 and 1 are the rims. Hull:
 *  its faces, edges, vertices.
 *  @{ */
#define VP_SHAPE_FACE   0x00000000u /**< Faces. */
#define VP_SHAPE_EDGE   0x40000000u /**< Edges. */
#define VP_SHAPE_CORNER 0x80000000u /**< Corners. */
/** @} */

/** No part: the two are further apart than the margin. */
#define VP_COLLIDE_NONE UINT32_MAX

/** How a shape and a triangle lie to each other. */
typedef struct vp_collide_answer {
    float distance;            /**< Signed: negative where they overlap. If it is more than the margin, a lower bound will do. */
    vp_vec3 normal;            /**< Of length 1, from the triangle to the shape. */
    vp_vec3 on_shape;          /**< A point of the shape, and */
    vp_vec3 on_triangle;       /**< one of the triangle, so that on_shape - on_triangle is distance * normal; relative to the shape's
                                    position, along the world's axes. 0 beyond the margin. */
    float weight[3];           /**< Of the corners in on_triangle: not negative, in sum 1. 0 beyond the margin. */
    uint32_t triangle_feature; /**< vp_triangle_feature, by the weights that are 0; VP_COLLIDE_NONE beyond the margin. */
    uint32_t shape_feature;    /**< Where on the shape on_shape is; VP_COLLIDE_NONE likewise. */
} vp_collide_answer;

/** A shape's frame: a row is an axis of the shape, in the world. */
typedef struct vp_collide_frame {
    vp_vec3 position; /**< Of its origin. */
    vp_vec3 row[3];   /**< x, y and z. Made of a pose by vp_collide_frame_of. */
} vp_collide_frame;

/** One shape and some triangles. */
typedef struct vp_collide_job {
    const vp_collide_shape *shape;       /**< Of the kernel's kind. */
    vp_collide_frame frame;              /**< Where it is. */
    float margin;                        /**< What is further apart is none of its business; not negative; infinity: all is told. */
    const vp_collide_triangle *triangle; /**< Finite corners. */
    uint32_t count;                      /**< How many. */
    vp_collide_answer *answer;           /**< Out: one a triangle. */
} vp_collide_job;

static_assert(sizeof(vp_collide_answer) == 60 && sizeof(vp_collide_triangle) == 96, "as documented");

/* ---- kernels ---- */

/** A sphere and triangles: O(triangles). */
typedef void vp_collide_sphere_fn(const vp_collide_job *job);
/** A capsule and triangles: O(triangles). */
typedef void vp_collide_capsule_fn(const vp_collide_job *job);
/** A box and triangles: O(triangles). */
typedef void vp_collide_box_fn(const vp_collide_job *job);
/** A cylinder and triangles: O(triangles). */
typedef void vp_collide_cylinder_fn(const vp_collide_job *job);
/** A hull and triangles: O(triangles * what the hull holds); of pairs that are apart by no more than the margin, O(vertices * edges). */
typedef void vp_collide_hull_fn(const vp_collide_job *job);
/** Any shape and triangles by GJK and EPA, for comparison: O(triangles), of a hull O(triangles * vertices), with a constant that is large,
 *  for steps are bounded and not counted. Distances, normals and points are as good as steps allow. */
typedef void vp_collide_gjk_fn(const vp_collide_job *job);

/* clang-format off */
/** Kernel rows, see versions.h. */
#define VP_NARROWPHASE_KERNELS(K)                                                                 \
    K(collide_sphere, sphere, NONE, "Narrowphase", "pairs",                                       \
      "Finds how far a sphere and triangles are apart or overlap, and where.")                    \
    K(collide_capsule, capsule, NONE, "Narrowphase", "pairs",                                     \
      "Finds how far a capsule and triangles are apart or overlap, and where.")                   \
    K(collide_box, box, NONE, "Narrowphase", "pairs",                                             \
      "Finds how far a box and triangles are apart or overlap, and where.")                       \
    K(collide_cylinder, cylinder, NONE, "Narrowphase", "pairs",                                   \
      "Finds how far a cylinder and triangles are apart or overlap, and where.")                  \
    K(collide_hull, hull, NONE, "Narrowphase", "pairs",                                           \
      "Finds how far a convex hull and triangles are apart or overlap, and where.")               \
    K(collide_gjk, gjk, NONE, "Narrowphase", "pairs",                                             \
      "Finds how far any shape and triangles are apart or overlap, and where, by GJK and EPA.")
/** Operation rows. */
#define VP_NARROWPHASE_OPERATIONS(O)                                                                                 \
    O(regions, "Narrowphase", "edits", "Finds what an edit cuts off, and takes it out of the world.")                \
    O(push_out, "Narrowphase", "centres", "Pushes centres out of solid voxels.")                                     \
    O(manifold_sphere, "Narrowphase", "bodies", "Finds where a sphere touches a terrain.")                           \
    O(manifold_capsule, "Narrowphase", "bodies", "Finds where a capsule touches a terrain.")                         \
    O(manifold_box, "Narrowphase", "bodies", "Finds where a box touches a terrain.")                                 \
    O(manifold_cylinder, "Narrowphase", "bodies", "Finds where a cylinder touches a terrain.")                       \
    O(manifold_hull16, "Narrowphase", "bodies", "Finds where a hull of 16 vertices touches a terrain.")              \
    O(manifold_hull64, "Narrowphase", "bodies", "Finds where a hull of 64 vertices touches a terrain.")              \
    O(submerged_sphere, "Buoyancy", "bodies", "Finds how much of a sphere is in water, and its centre.")             \
    O(submerged_capsule, "Buoyancy", "bodies", "Finds how much of a capsule is in water, and its centre.")           \
    O(submerged_box, "Buoyancy", "bodies", "Finds how much of a box is in water, and its centre.")                   \
    O(submerged_cylinder, "Buoyancy", "bodies", "Finds how much of a cylinder is in water, and its centre.")         \
    O(submerged_hull16, "Buoyancy", "bodies", "Finds how much of a hull of 16 vertices is in water, and its centre.")\
    O(submerged_hull64, "Buoyancy", "bodies", "Finds how much of a hull of 64 vertices is in water, and its centre.")\
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
