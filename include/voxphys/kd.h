/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KD_H
#define VOXPHYS_KD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file kd.h
 *  The loose kD tree (voxel terrain article, "Loose kD tree: construction" and "queries"): triangles sorted in space, to
 *  find those that a ray meets or a box may touch. For a chunk's mesh, a whole world's, or any other.
 *
 *  **Answers.** What a ray meets is a property of the ray and of each triangle alone, computed in a stated way
 *  (src/kd/ray_triangle.h, src/kd/sphere_triangle.h). No tree, no form and no instruction set changes an answer or loses a hit: all
 *  give the bits that testing every triangle gives. Both sides are met, and edges as seen from the ray: of two triangles that
 *  share an edge, and lie on either side of it as seen from the ray, a ray through it meets one at least, so on a surface without
 *  holes none slips through an edge or a corner. That is not what exact arithmetic says of one triangle alone: a ray through an
 *  edge that is no other triangle's, or from a point on the surface, is met or not as the rounding of its corners' shadows has
 *  it; so is a ray that sees a triangle from its edge, or one whose corners are on a line. A triangle with two corners in one
 *  place is not met, nor one so far away that t is no float. Of spheres the same holds for all sizes, but contacts are those of
 *  exact arithmetic, up to rounding, only where triangles, radius and distance are within some millions of each other.
 *
 *  A tree is not changed by queries: any number of threads may ask at once. */

#ifdef __cplusplus
extern "C" {
#endif

/** A tree over triangles. */
typedef struct vp_kd vp_kd;

/** What a tree is made from. */
typedef struct vp_kd_def {
    vp_triangles triangles;        /**< Its arrays are kept, not copied, and must not change; of the packed and the implied
                                        form they are copied. */
    const uint8_t *material;       /**< Of each triangle, or of each quad; kept. NULL: 0 for all. */
    vp_kd_form form;               /**< VP_KD_WIDE for speed, VP_KD_SLAB for little memory, VP_KD_PUBLISHED to compare;
                                        VP_KD_IMPLIED for chunks' meshes, VP_KD_PACKED for other small meshes: least memory. */
    const vp_kernels *kernels;     /**< Copied; NULL: as vp_kernels_default says. */
    const vp_allocator *allocator; /**< NULL: C's own. */
    void *scratch;                 /**< What a tree is made in, used again for the next by who makes many: 64-byte aligned, not
                                        kept, contents of no matter. NULL: allocated, and given back. */
    size_t scratch_bytes;          /**< Of it, at least vp_kd_create_scratch_bytes. */
} vp_kd_def;

/** Bytes of scratch that vp_kd_create needs. O(1).
 *  @param items  vp_kd_item_count of the triangles */
VP_API size_t vp_kd_create_scratch_bytes(vp_kd_form form, uint32_t items);

/** Makes a tree. O(n log n), see vp_kd_build_fn; degenerate and equal triangles are welcome.
 *  While it runs it needs vp_kd_create_scratch_bytes more than it keeps.
 *
 *  The packed and the implied form keep the mesh themselves, and only what they can keep without loss: their answers are those
 *  of the other forms, bit for bit. Packed: at most VP_KD_PACKED_MAX_ITEMS quads, or triangles, of at most VP_KD_PACKED_MAX_VERTICES
 *  vertices on a lattice: each coordinate of a vertex in use is the lowest one of them all plus a multiple of a power of two,
 *  of which 65535 cover the mesh; no -0. vp_kd_quantize puts any vertices on one. Implied: quads of a surface net as
 *  kernel/surface.h has it, of at most VP_KD_CELLS cells an axis, each vertex in a cell of its own, each quad around an edge, from
 *  the lowest cell on: what vp_mesh_chunk makes, always.
 *  @return VP_E_ARGUMENT for a form that there is not, scratch that is too small or not aligned, too many triangles, an odd number of
 * triangles of quads, an index that is not below vertex_count, a vertex in use that is not finite or beyond VP_KD_MAX; VP_E_MEMORY;
 *          VP_E_UNSUPPORTED (VOXPHYS_ISA names what this machine lacks); VP_E_ARGUMENT for a VOXPHYS_ISA that there is not. VP_E_ARGUMENT
 * for a mesh that is not of the form's kind: the message names the vertex and its coordinate, or the quad. */
VP_API vp_status vp_kd_create(const vp_kd_def *def, vp_kd **out, vp_error *error);
/** Frees a tree; NULL is left alone. */
VP_API void vp_kd_destroy(vp_kd *tree);

/** A tree as kernels read it, valid until it is destroyed. */
VP_API const vp_kd_view *vp_kd_view_of(const vp_kd *tree);

/** What a tree takes. */
typedef struct vp_kd_memory {
    uint32_t nodes;    /**< Nodes of its form. */
    size_t node_bytes; /**< Of them: 12 a node, of the wide form 224, of the packed and the implied form 64. */
    size_t item_bytes; /**< Of items: of the wide form 20 a quad or triangle, packed 10, implied 4, without the slack. */
    size_t mesh_bytes; /**< Of the vertices that a packed or implied tree keeps, and of the words that say where they are. */
    size_t bytes;      /**< All of it, in full: its one block of memory. Of the packed and the implied form that is the mesh too;
                            of the others without their triangles, which are the caller's. */
} vp_kd_memory;

/** Counts what a tree takes. O(1). */
VP_API vp_kd_memory vp_kd_memory_of(const vp_kd *tree);

/** The nearest triangle that a ray meets; of equally near ones that with the lowest number.
 *  @param out  triangle VP_NO_HIT and t = t_max if there is none
 *  @return VP_E_ARGUMENT for a ray that is not as vp_ray says: the message names the component. */
VP_API vp_status vp_kd_raycast(const vp_kd *tree, const vp_ray *ray, vp_hit *out, vp_error *error);
/** The same for many rays. Rays that lie near each other in the array and are alike, as a camera's are in tiles, cost much less
 *  than one by one.
 *  @param out  one a ray. Of those that are not as vp_ray says, triangle is VP_RAY_INVALID, t the ray's t_max, u and v 0
 *  @return VP_E_ARGUMENT if there are such rays: the message names the first of them and its component; all the others have
 *          their answers. */
VP_API vp_status vp_kd_raycast_many(const vp_kd *tree, const vp_ray *ray, size_t count, vp_hit *out, vp_error *error);
/** Whether a ray meets any triangle at all: cheaper than which. */
VP_API vp_status vp_kd_raycast_any(const vp_kd *tree, const vp_ray *ray, bool *out, vp_error *error);
/** All triangles that a ray meets, by ascending t, then by number. O(k^2) at worst for k of them, where all are at one t.
 *  @param out    the first `capacity` of them
 *  @param count  how many there are, which may be more than `capacity` */
VP_API vp_status vp_kd_raycast_all(const vp_kd *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Sweeps a sphere along a ray and returns the first triangle that it touches. A sphere that starts in contact gets the triangle
 *  nearest to its centre, with t = 0. See vp_kd_sphere_contact for point, normal and depth.
 *  @return VP_E_ARGUMENT as vp_kd_raycast, and for a radius that is negative, NaN or above VP_KD_MAX. */
VP_API vp_status vp_kd_sphere_sweep(const vp_kd *tree, const vp_ray *ray, float radius, vp_hit *out, vp_error *error);

/** The triangles whose own boxes overlap a closed box, in no order.
 *  @param out    the first `capacity` that are found; behind them, up to `capacity`, is nonsense
 *  @param count  how many there are, which may be more than `capacity`
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max on an axis. */
VP_API vp_status vp_kd_gather(const vp_kd *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** What is at a ray's hit. */
typedef struct vp_surface_point {
    vp_vec3 point;    /**< origin + t*direction. */
    vp_vec3 normal;   /**< Of length 1, on the side that is counterclockwise; 0 of a triangle whose area is 0 in double. */
    uint8_t material; /**< Of the triangle. */
} vp_surface_point;

/** The corners of a triangle of a tree of any form, bit for bit those it was made from; `triangle` must be a triangle's
 *  number. O(1); of the packed and the implied form O(n), for they keep no index of their items. */
VP_API void vp_kd_corners(const vp_kd_view *tree, uint32_t triangle, vp_vec3 corner[3]);

/** Moves vertices to the lattice of a power of two, which the packed form wants: each coordinate to the nearest multiple of
 *  the pitch, halves upwards, so by pitch/2 at most.
 *
 *  What that does to answers: a tree over the moved vertices loses no hit with the moved mesh, as no tree does. Compared with
 *  the mesh that was given, every triangle lies within sqrt(3)/2 pitches of where it was. So a ray that meets the given
 *  mesh may pass the moved one only where it passes within that distance of an open edge or of a silhouette, or goes along the
 *  surface; a closed surface stays closed, for vertices that were one stay one. A hit moves along the ray by at most that
 *  distance divided by the cosine between ray and normal. Triangles smaller than the pitch may become lines or points, which
 *  are not met.
 *  @param pitch     a power of two from 2^-100 to 2^40; 0: the finest that the packed form can have
 *  @param out       `count` vertices; may be `vertex`
 *  @param largest   by how much a coordinate was moved at most; may be NULL
 *  @param used      the pitch; may be NULL
 *  @return VP_E_ARGUMENT for another pitch, for one of which more than 65535 are needed, for a vertex that is not finite or
 *          beyond VP_KD_MAX: the message names it; `out` is as it was. */
VP_API vp_status vp_kd_quantize(const vp_vec3 *vertex, uint32_t count, float pitch, vp_vec3 *out, float *largest, float *used,
                                vp_error *error);

/** Computes what is at a ray's hit of this tree; hit->triangle must be a triangle's number. O(1), but for vp_kd_corners. For a
 *  sphere's hit the normal and the material hold, and the point is the sphere's centre: see vp_kd_sphere_contact. */
VP_API vp_surface_point vp_kd_surface(const vp_kd *tree, const vp_ray *ray, const vp_hit *hit);

/** How a swept sphere touches the triangle of its hit (docs/CONTRACT.md, SWP-5 to SWP-7). All is computed in binary64 and rounded
 *  at the end. */
typedef struct vp_sphere_contact {
    vp_vec3 centre;      /**< The sphere's centre at contact; if it touches from the start, the ray's origin. */
    vp_vec3 point;       /**< The point of the triangle that is nearest to the centre. */
    vp_vec3 normal;      /**< Of length 1, from the point to the centre. Where the two coincide, the triangle's normal on the side
                              that the sphere comes from; of a triangle without area, against the direction. */
    float depth;         /**< Penetration depth at the start: radius - distance; 0 = the sphere does not start inside. */
    bool started_inside; /**< The distance of the triangle from the sphere's start, rounded to binary32, is less than the radius.
                              If false and t is 0, the sphere just touches. */
} vp_sphere_contact;

/** Computes how a sphere touches the triangle of its hit. Without a hit all fields are 0. O(1) besides vp_kd_corners.
 *  @param hit  from vp_kd_sphere_sweep with this tree, ray and radius */
VP_API vp_sphere_contact vp_kd_sphere_contact(const vp_kd *tree, const vp_ray *ray, float radius, const vp_hit *hit);

#ifdef __cplusplus
}
#endif

#endif
