/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_NARROWPHASE_H
#define VOXPHYS_NARROWPHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/broadphase.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>
#include <voxphys/world.h>

/** @file narrowphase.h
 *  Convex shapes against triangles (voxel terrain article, "Narrowphase"): distances, depths, points, normals and features. What an
 *  answer is, and what sizes mean, is said in kernel/narrowphase.h.
 *
 *  **Memory.** Answers go to the caller's memory, and nothing is allocated but by vp_collide_hull_create. **Threads.** Calls share nothing;
 *  a hull is not changed by colliding it. */

#ifdef __cplusplus
extern "C" {
#endif

/** A shape's radius about its origin is not less than this, */
#define VP_COLLIDE_MIN_LENGTH (1.0f / 1048576.0f)
/** nor more than this; in voxels. */
#define VP_COLLIDE_MAX_LENGTH 1048576.0f
/** The largest magnitude of a coordinate of a corner or of a position. */
#define VP_COLLIDE_REACH 1099511627776.0f

/* ---- shapes ---- */

/** A sphere. */
VP_API vp_collide_shape vp_collide_sphere(float radius);
/** A capsule along y: a segment of twice half_height, and a radius around it. */
VP_API vp_collide_shape vp_collide_capsule(float radius, float half_height);
/** A box from -half to half. */
VP_API vp_collide_shape vp_collide_box(vp_vec3 half);
/** A cylinder along y, of twice half_height. */
VP_API vp_collide_shape vp_collide_cylinder(float radius, float half_height);
/** A hull, which must live as long as the shape. */
VP_API vp_collide_shape vp_collide_hull_shape(const vp_collide_hull *hull);

/** What a hull that can be collided is made of. All zero bytes but for `point` and `count` make the hull of the points. */
typedef struct vp_collide_hull_def {
    const vp_vec3 *point;          /**< Read during the call. */
    uint32_t count;                /**< How many. */
    const vp_hull *hull;           /**< Of these points, of dimension 3 or 2; NULL: vp_hull_create makes it. The shape is the hull of its
                                        vertices, also where planes were moved (vp_hull_def.contain); what these enclose has vertices of
                                        its own (vp_hull_enclose), which do as points. */
    vp_vec3 origin;                /**< Is subtracted from the points: the origin of the shape's frame, best near the middle. */
    const vp_kernels *kernels;     /**< NULL: as vp_kernels_default says. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_collide_hull_def;

/** A hull that can be collided, with its memory. */
typedef struct vp_collide_owned_hull {
    vp_collide_hull hull;   /**< What shapes point to. */
    vp_allocator allocator; /**< Where it comes from. */
    void *block;            /**< All arrays. */
    size_t block_bytes;     /**< Its size. */
} vp_collide_owned_hull;

/** Makes it: O(what the hull holds) beside making the hull. Where a face lacks a needle's tip (hull.h), answers are off by as much as
 *  that sticks out.
 *  @param out  VP_OK: to be freed by vp_collide_hull_destroy. Otherwise it is left as it was.
 *  @return VP_E_ARGUMENT for a hull of dimension 0 or 1, which is a point or a segment; for a hull with a vertex that is none of the
 *          points; for an origin that is not finite; for points so far from `origin` or so near it that no shape is allowed; and what
 *          vp_hull_create returns. */
VP_API vp_status vp_collide_hull_create(const vp_collide_hull_def *def, vp_collide_owned_hull *out, vp_error *error);
/** Frees it; what is all zero bytes is left alone. */
VP_API void vp_collide_hull_destroy(vp_collide_owned_hull *solid);

/** The radius of the smallest ball about the shape's origin that holds it, rounded up. O(1). */
VP_API float vp_collide_radius(const vp_collide_shape *shape);

/** Whether a shape can be collided. O(1); of a hull's arrays nothing is read.
 *  @return VP_E_ARGUMENT for a kind that there is not, a length that is negative or not finite, a radius about the origin below
 *          VP_COLLIDE_MIN_LENGTH or above VP_COLLIDE_MAX_LENGTH, a hull that is NULL or has fewer than 3 vertices, 2 faces or 3 edges. A
 * sphere or a capsule may have no radius only as far as that says; a box may be flat. */
VP_API vp_status vp_collide_shape_check(const vp_collide_shape *shape, vp_error *error);

/* ---- poses ---- */

/** A pose that turns nothing. */
static inline vp_pose vp_pose_at(vp_vec3 position)
{
    vp_pose pose = {position, {0.0f, 0.0f, 0.0f, 1.0f}};
    return pose;
}

/** The frame of a pose. With q the quaternion and s = 2/(q.q), a rotation's matrix is that of s, not of a quaternion of length 1, in
 *  binary64; each entry is then rounded to binary32 once.
 *  @return VP_E_ARGUMENT for a position that is not finite or beyond VP_COLLIDE_REACH, a quaternion that is not finite, or whose squared
 *          length is below 2^-60 or above 2^60. */
VP_API vp_status vp_collide_frame_of(const vp_pose *pose, vp_collide_frame *out, vp_error *error);

/** A box that holds the shape at its pose and all that is within the margin of it: roundings widen it, by less than 2^-20 of the shape's
 *  radius, the margin and the position's largest coordinate together. What is gathered with it misses nothing. O(1), of a hull O(vertices).
 *  @return VP_E_ARGUMENT as vp_collide_shape_check and vp_collide_frame_of say, and for a margin that is negative or not finite. */
VP_API vp_status vp_collide_bounds(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_aabb *out, vp_error *error);

/** By how much that box is grown on every side to gather, for vp_collide_connect, all triangles that matter. A shape that overlaps a
 *  triangle can be moved out along its normal, forwards or backwards, by no more than its radius; so no answer has a longer way, and
 *  on that way the shape, and the box with it, comes to the edge or the corner where the answer has its point. All triangles there
 *  meet the grown box. Of a terrain 2 is enough as well: none of its triangles is longer on an axis. O(1). */
static inline float vp_collide_gather_margin(const vp_collide_shape *shape)
{
    return vp_collide_radius(shape) * 1.001f; /* and roundings */
}

/* ---- triangles ---- */

/** A triangle of a mesh, alone: its normal is computed, its edges are open, its number is `number`. O(1). */
VP_API vp_collide_triangle vp_collide_triangle_of(const vp_vec3 corner[3], uint32_t number);

/** What vp_collide_connect needs for so many triangles: 32-bit words. */
#define VP_COLLIDE_CONNECT_WORDS(count) (VP_CAST(size_t, count) * 6)

/** Fills `normal`, `beside` and `flags` of triangles from one another: of a mesh, of a terrain gathered over several chunks, of the faces
 *  of blocks. Two triangles are beside each other if an edge of the one is an edge of the other in the opposite direction; corners are the
 *  same if they are equal as numbers. Flags are what vp_mesh_edge_flags says of such edges, to the bit; of a gathered part of a mesh they
 *  are its part's: an edge whose other triangle isn't in the list is open, and nothing is beside it.
 *
 *  Where more than two triangles share an edge, those are beside each other that have nothing but what is inside between them, so every
 *  body keeps its ridges; then those that have nothing between them but such; a triangle that is left alone is open there. Triangles
 *  with the same corners count as one. One with two equal corners is beside none, and its edges are open. The answer does not depend on
 *  the order of the list. O(count log count).
 *  @param triangle  its `corner` is read
 *  @param scratch   VP_COLLIDE_CONNECT_WORDS(count) words
 *  @return VP_E_ARGUMENT for a corner that is not finite or beyond VP_COLLIDE_REACH (the message names the first), and for more than
 *          UINT32_MAX/3 triangles. Nothing is written then. */
VP_API vp_status vp_collide_connect(vp_collide_triangle *triangle, uint32_t count, uint32_t *scratch, vp_error *error);

/** One shape against triangles. O(triangles), of a hull O(triangles * what it holds).
 *  @param kernels  NULL: as vp_kernels_default says
 *  @param answer   out: `count` of them
 *  @return VP_E_ARGUMENT as vp_collide_shape_check and vp_collide_frame_of say; for a margin that is negative or NaN; for a corner that is
 *          not finite or beyond VP_COLLIDE_REACH (the message names the first). Nothing is written then. VP_E_UNSUPPORTED and VP_E_ARGUMENT
 *          of VOXPHYS_ISA. */
VP_API vp_status vp_collide_triangles(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                                      const vp_collide_triangle *triangle, uint32_t count, vp_collide_answer *answer, vp_error *error);

/* ---- correction ---- */

/** Makes answers those of a surface: contacts with edges and corners that are none lose their own normals, and depths are measured
 *  again. A body that slides over triangles doesn't feel where one ends (no ghost contacts), however deep it is.
 *
 *  **The normal.** The part of the triangle that is meant is its corners that reach furthest along the kernel's normal, within 1/1000 of
 *  its longest edge. On a face, on an edge that is flat or concave, at a corner without another edge, the normal becomes the
 *  triangle's, bit for bit. On an edge that is convex or open it stays, square to the edge, but between the triangle's normal and that of
 *  the triangle beside it; beyond, it is the nearer of the two. Where `beside` is 0, it is between the triangle's normal and the way
 *  straight out in its plane. At a corner with such an edge it stays if each triangle of the list that has this corner reaches
 *  furthest there; otherwise it is as on its edge, of two the nearer. Where they overlap, the way along a side's normal, the triangle's
 *  or that beyond such an edge, may be shorter; then that normal counts.
 *
 *  **The distance** is minus the way t along the normal w on which the shape, moved, touches the triangle last; points and parts are where
 *  it does so. It is off by no more than 1e-6 of the size, across what is touched. Where they overlap, t is at least the depth.
 *
 *  **Shallower contacts.** An overlapping answer whose depth was measured anew becomes VP_COLLIDE_NONE if a shallower contact, when the
 *  shape is moved out along it, takes the shape out of this triangle too, or if the two only touch. So a corner that touches the side of a
 *  ledge does not become a contact as deep as the body is wide. Nothing is lost: see COR-3 in docs/CONTRACT.md.
 *
 *  **Apart,** the answer becomes VP_COLLIDE_NONE, at an infinite distance, where the way back along w misses the triangle: then a triangle
 *  beside it has the contact. So it does where it is longer than the margin. A normal that is within a degree of w is left
 *  instead, with its distance.
 *
 *  **Behind.** Triangles are the surface of solids, whose inside is behind. What overlaps one from behind goes out forwards, as far as
 *  that is: the normal of a face doesn't ask where the shape's centre is. What is wholly behind, and apart, doesn't touch it: its answer
 *  becomes none. So a body that is wholly inside has no contacts: see vp_push_out_of_terrain.
 *
 *  **No area.** The answer of a triangle whose `normal` is 0 stays as it is.
 *
 *  O(count), of a hull O(count * what it holds), and O(count) more for each answer at a corner with a convex or open edge. An answer that
 *  was measured anew is compared with all contacts that are shallower, at most O(count) more of the same. The answers depend on the
 *  triangles as a set, not on their order. Needs no memory.
 *  @param kernels   NULL: as vp_kernels_default says
 *  @param triangle  with `normal`, `beside` and `flags`: of a surface's triangles that are near the shape, all
 *  @param answer    in: of vp_collide_triangles, for the same shape, pose, margin and triangles; out: corrected
 *  @return VP_E_ARGUMENT as vp_collide_triangles says; for a normal of a triangle, or beside it, that is neither 0 nor of length 1; for an
 *          answer that isn't none with a distance that is not finite or a normal that is not of length 1. The message names the first;
 *          nothing is changed then. VP_E_UNSUPPORTED as vp_collide_triangles says. */
VP_API vp_status vp_collide_correct(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                                    const vp_collide_triangle *triangle, uint32_t count, vp_collide_answer *answer, vp_error *error);

/* ---- blocks ---- */

/** Triangles of a box at most. */
enum { VP_COLLIDE_BOX_TRIANGLES = 12 };

/** The sides of a box that nothing covers, two triangles each, with normals and flags: as terrain is collided, and nothing pushes a body
 *  towards a side that it can't reach. Diagonals are flat; so is an edge towards a covered side, where what covers it goes on in the same
 *  plane, or rises; an edge between two sides that are told is convex, with the other's normal beside it. O(1).
 *
 *  It knows what `sides` says. So it is right of a block, or of a box whose sides are covered as a whole or not at all, but where another
 *  solid touches an edge alone: that edge is convex here. Of a merged box (vp_block_box) with a VP_BOX_MIXED side no mask is right:
 *  told, it has parts that are inside other boxes, and those can push; left out, bodies fall in. vp_collide_blocks knows.
 *  @param sides   bits 1 << side, of vp_side: those that are told; others are dropped
 *  @param number  of the first triangle, counted upwards; their chunk is VP_COLLIDE_NO_CHUNK
 *  @param out     by ascending side; material 0. A box that isn't min <= max, all finite, has none
 *  @return how many */
VP_API uint32_t vp_collide_box_triangles(const vp_aabb *box, uint32_t sides, uint32_t number,
                                         vp_collide_triangle out[VP_COLLIDE_BOX_TRIANGLES]);

/** Coordinates of blocks are exact as binary32 up to here. */
#define VP_COLLIDE_BLOCK_REACH 16777216.0f

/** The surface of a world of blocks near a box: sides of blocks that collide towards blocks that don't, two triangles each, of all blocks
 *  that have a point in common with the box. Each side is of one block, so edges fit corner to corner, and each is told as the four blocks
 *  around it are: flat where the neighbour goes on; concave where one rises, also if two blocks have no more than that edge in common;
 *  convex otherwise. That holds wherever the box ends, and across chunks. O(blocks under the box).
 *  @param out       chunk by chunk, as view->chunk has them, there by ascending block, then side: id is the chunk's place in view->chunk
 *                   and (block * 6 + side) * 2, and one more; material: the low byte of the block's type
 *  @param capacity  how many triangles fit; of more those that come first are written
 *  @param count     out: how many there are
 *  @return VP_E_ARGUMENT for a box that is not min <= max, or not nearer than VP_COLLIDE_BLOCK_REACH; for more than 2^32 - 1 triangles;
 *          for NULL; what vp_block_view_check returns. Then `count` is left alone, and what `out` holds means nothing */
VP_API vp_status vp_collide_blocks(const vp_block_view *view, const vp_aabb *box, vp_collide_triangle *out, uint32_t capacity,
                                   uint32_t *count, vp_error *error);

/* ---- pushing out ---- */

/** The furthest that a centre is pushed, in voxels. */
enum { VP_PUSH_OUT_MAX_VOXELS = 64 };

/** Result of pushing a centre out. */
typedef enum vp_push_out_end {
    VP_PUSH_OUT_FREE = 0,  /**< The centre is not inside: in front of the surface, on it, or outside the world. */
    VP_PUSH_OUT_FOUND = 1, /**< The centre is inside, and the surface is near enough. */
    VP_PUSH_OUT_DEEP = 2   /**< The centre is inside, and no surface is near enough. */
} vp_push_out_end;

/** Way out of the terrain. All 0 except for VP_PUSH_OUT_FOUND. */
typedef struct vp_push_out {
    vp_push_out_end end; /**< Result. */
    vp_ivec3 voxel;      /**< Voxel in front of the nearest point of the surface. */
    vp_vec3 by; /**< Translation that suffices: centre + by, in binary32, is in front of the surface. At least 1/1024 voxel beyond the
                     nearest point; never 0. */
    vp_vec3 direction; /**< Direction of `by`, length 1. */
    float distance;    /**< Distance from the centre to the surface, voxels, rounded once. */
} vp_push_out;

/** Pushes a centre out of the terrain if it is inside, as vp_terrain_inside reports of the solid surface. Contacts cannot do that, because
 *  behind the surface they point further in. Docs: CONTRACT.md, PSH-1 to PSH-3. Allocates nothing. O((2 * voxels + 1)^3), less if near.
 *  @param voxels  maximum distance to the surface, at most VP_PUSH_OUT_MAX_VOXELS. 0 = report only whether the centre is inside
 *  @param closed  bits 1 << side of vp_side: sides of the world that nothing passes, such as the bottom, 1 << VP_SIDE_Y_LOW
 *  @return VP_E_ARGUMENT for a coordinate that is not finite, too large a distance, other bits in `closed`, or NULL */
VP_API vp_status vp_push_out_of_world(const vp_world *world, vp_vec3 centre, uint32_t voxels, uint32_t closed, vp_push_out *out,
                                      vp_error *error);
/** Like vp_push_out_of_world, for the current version of a terrain. A reader passes vp_terrain_reader_world to vp_push_out_of_world. */
VP_API vp_status vp_push_out_of_terrain(vp_terrain *terrain, vp_vec3 centre, uint32_t voxels, uint32_t closed, vp_push_out *out,
                                        vp_error *error);

/* ---- manifolds ---- */

enum {
    VP_MANIFOLD_POINTS = 4,    /**< Maximum number of points of a manifold. */
    VP_MANIFOLD_DIRECTIONS = 4 /**< Maximum number of manifolds of a body; without vp_manifold_def.whole, of a body and a chunk. */
};

/** Contact point between a body and a surface. */
typedef struct vp_manifold_point {
    float distance;            /**< Signed distance along the normal, in voxels. Negative = overlap. */
    vp_vec3 normal;            /**< Unit normal from the surface to the body, corrected (vp_collide_correct). */
    vp_vec3 on_shape;          /**< Contact point on the shape, relative to the body's position, world axes, in voxels. */
    vp_vec3 on_triangle;       /**< Contact point on the triangle, relative to the body's position, world axes, in voxels. */
    vp_terrain_triangle_id at; /**< Touched triangle. */
    uint64_t feature;          /**< Id for warm starting: a hash of surface, triangle, triangle feature and shape feature. Stays the same
                                    while the same features touch. Unique among the manifolds of a body; without vp_manifold_def.whole,
                                    of a body and a chunk. */
    uint8_t material;          /**< Material of the triangle. */
    uint8_t unused[5];         /**< Zero. */
    uint16_t part;             /**< Part of the compound (compound.h). 0 of a simple shape. */
} vp_manifold_point;

/** Contact points of a body along one direction. */
typedef struct vp_manifold {
    uint32_t chunk;                              /**< Chunk number. VP_COLLIDE_NO_CHUNK = all chunks, or triangles without a chunk. */
    uint32_t count;                              /**< Number of points, 1 to VP_MANIFOLD_POINTS. */
    vp_vec3 normal;                              /**< Direction, unit length. The normals of all points are within 5 degrees of it. */
    uint32_t unused;                             /**< Zero. */
    vp_manifold_point point[VP_MANIFOLD_POINTS]; /**< Points in order of depth, deepest first, ties by feature. The rest is zero. */
} vp_manifold;

/** Settings for manifolds. Zero-initialize for touching points of the solid surface, chunk by chunk. */
typedef struct vp_manifold_def {
    const vp_kernels *kernels; /**< Kernel table. NULL = vp_kernels_default(). */
    float margin;              /**< Maximum distance of reported points, in voxels. Finite, >= 0. Has no effect on points that touch. */
    vp_surface surface;        /**< Surface of the terrain. 0 = VP_SURFACE_SOLID. */
    bool whole;                /**< Manifolds of all touched chunks together, instead of manifolds of each chunk. */
} vp_manifold_def;

/** Body to collide. */
typedef struct vp_manifold_body {
    const vp_collide_shape *shape; /**< Shape, read during the call. */
    vp_pose pose;                  /**< Pose in world space. */
} vp_manifold_body;

/** Minimum capacity of a scratch, in triangles. */
#define VP_MANIFOLD_LEAST_TRIANGLES 128u
/** Maximum capacity of a scratch, in triangles. */
#define VP_MANIFOLD_MOST_TRIANGLES 16384u

/** Working memory for manifolds, owned by the caller. One thread can use it at a time. Its content between calls has no meaning. */
typedef struct vp_manifold_scratch {
    void *memory;      /**< Memory of vp_manifold_scratch_bytes(capacity) bytes, aligned like malloc. */
    uint32_t capacity; /**< Capacity, in triangles: those that a body touches, and those that share a corner with one of these. */
    uint32_t needed;   /**< Output. A capacity with which the same call has room for all triangles. */
} vp_manifold_scratch;

/** Returns the scratch size for `capacity` triangles, in bytes (about 760 per triangle). Cost: O(1).
 *  @return 0 if capacity is not VP_MANIFOLD_LEAST_TRIANGLES to VP_MANIFOLD_MOST_TRIANGLES */
VP_API size_t vp_manifold_scratch_bytes(uint32_t capacity);

/** Computes the manifolds of one body against a triangle mesh, one for each direction (5 degrees).
 *  Each has up to 4 points: touching ones before points that are apart, the deepest first, then those that enlarge the contact area.
 *  If there are more than 4 directions, those of the deepest points stay. Details: docs/CONTRACT.md, MAN-1 to MAN-8.
 *  @param triangle  connected triangles (vp_collide_connect), ids of any chunks [count]
 *  @param out       manifolds, deepest first; without def->whole in order of ascending chunk, there deepest first [capacity]
 *  @param made      number of manifolds, can exceed capacity. 0 = no contact
 *  @return errors of vp_collide_correct, and VP_E_ARGUMENT if the margin is infinite, or the surface or the scratch is invalid
 *          VP_E_LIMIT if the scratch is too small. `out` and `made` are valid, with the contacts of the deepest triangles (MAN-6) */
VP_API vp_status vp_manifold_mesh(const vp_manifold_def *def, const vp_manifold_body *body, const vp_collide_triangle *triangle,
                                  uint32_t count, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made,
                                  vp_error *error);

/** Computes the manifolds of one body against the terrain version of a reader, like vp_manifold_mesh. Connects triangles across chunk
 *  borders. Does not allocate, but the terrain builds the trees that are missing.
 *  @param reader  reader that is reading
 *  @return errors of vp_manifold_mesh and vp_terrain_gather_triangles */
VP_API vp_status vp_manifold_terrain(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                                     vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error);

/** Computes the manifolds of one body against the blocks that collide, like vp_manifold_mesh with the triangles of vp_collide_blocks near
 *  the body. Does not allocate. O(blocks under the body's box and triangles).
 *  @return errors of vp_manifold_mesh, vp_block_view_check; VP_E_ARGUMENT for a body that is not nearer than VP_COLLIDE_BLOCK_REACH */
VP_API vp_status vp_manifold_blocks(const vp_manifold_def *def, const vp_manifold_body *body, const vp_block_view *view,
                                    vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error);

/** Result of one body of a batch. */
typedef struct vp_manifold_result {
    uint32_t first;   /**< Index of its first manifold. */
    uint32_t count;   /**< Number of its manifolds. They follow each other. */
    vp_status status; /**< Status of the call for this body alone. VP_E_LIMIT = its deepest contacts. After other errors count is 0. */
} vp_manifold_result;

/** Computes the manifolds of many bodies against one terrain version. Each body gets the manifolds of vp_manifold_terrain.
 *  A body that fails has a status and doesn't stop the others. vp_manifold_terrain of that body returns the message.
 *  @param body    bodies [count]
 *  @param out     manifolds of all bodies, in order of the bodies [capacity]
 *  @param result  result of each body [count]
 *  @param made    number of manifolds, can exceed capacity
 *  @return VP_E_ARGUMENT if the surface, the margin, the scratch or the reader is invalid, and errors of vp_kernels_default. `result` is
 *          unchanged then */
VP_API vp_status vp_manifold_terrain_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                          const vp_terrain_reader *reader, vp_manifold_scratch *scratch, vp_manifold *out,
                                          uint32_t capacity, vp_manifold_result *result, uint32_t *made, vp_error *error);

/** Like vp_manifold_terrain_many, against blocks. @return also the errors of vp_block_view_check */
VP_API vp_status vp_manifold_blocks_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                         const vp_block_view *view, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                         vp_manifold_result *result, uint32_t *made, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
