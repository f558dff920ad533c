/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNELS_H
#define VOXPHYS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/broadphase_data.h>
#include <voxphys/cpu.h>
#include <voxphys/edges_data.h>
#include <voxphys/geometry.h>
#include <voxphys/hull_data.h>
#include <voxphys/kd_data.h>
#include <voxphys/mesh_data.h>
#include <voxphys/status.h>
#include <voxphys/terrain_data.h>
#include <voxphys/world.h>

/** @file kernels.h
 *  Every kernel, described once: its signature, its scalar reference, and the instruction sets that it is also written
 *  for. Dispatch, listing, verification, benchmarks and the report are all made from the list VP_KERNELS.
 *
 *  A signature is a function *type*. It types the table's field and, inside the library, declares and checks every version.
 *  Programs call versions through a table: vp_kernels_named("scalar", ...) gives the references. Kernels do not allocate, do
 *  not fail, and trust their pointers: their checked faces are in the other headers. */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- signatures ---- */

/** Masks and tag of one chunk of a world of bricks, as after an edit. `out` is always written: zeros for EMPTY, all
 *  ones in one class for FULL. @return the vp_chunk_class */
typedef uint32_t vp_dilate_chunk_fn(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out);

/** The same from the 10^3 materials around the chunk, in rows (x fastest, then z, then y). @return the vp_chunk_class */
typedef uint32_t vp_dilate_chunk_rows_fn(const uint8_t *material, vp_chunk_masks *out);

/** Slots and masks of all chunks in some layers of a world of bricks. The masks of chunk c are
 *  pool[slot[c] - first]; in what order the pool is filled is each version's own affair, but it is filled without
 *  gaps. @return how many entries of the pool were filled: the number of MIXED chunks */
typedef uint32_t vp_dilate_world_fn(const vp_dilate_job *build);

/** The same from rows: x fastest, then z, then y, 8*chunks.x by 8*chunks.z by 8*chunks.y voxels. */
typedef uint32_t vp_dilate_world_rows_fn(const vp_dilate_job *build);

/** What a box, grown by one voxel on every side, touches: with voxel i covering [i, i+1), the voxels from
 *  floor(min) - 1 to floor(max) + 1 on each axis, computed without rounding. O(chunks under the grown box that
 *  lie in the world); versions may stop where both answers are yes. @return VP_TOUCH_ bits */
typedef uint32_t vp_overlap_box_fn(const vp_broadphase_view *bits, const vp_aabb *box);

/** The same for many boxes: touch[i] is the answer for box i. */
typedef void vp_overlap_boxes_fn(const vp_broadphase_view *bits, const vp_boxes *boxes, uint8_t *touch);

/** The chunks that the grown box touches, in ascending order of their numbers; at most `capacity` are written.
 *  An invalid box touches none. @return how many there are, which may be more than `capacity` */
typedef uint32_t vp_overlap_chunks_fn(const vp_broadphase_view *bits, const vp_aabb *box, vp_chunk_touch *out,
                                      uint32_t capacity);

/** The surface of one class in one chunk of a world: see mesh_data.h.
 *  @param surface  a vp_surface
 *  @param out      its arrays are given; at most their most elements and the slack are written, and the counts */
typedef void vp_mesh_chunk_fn(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface,
                              vp_chunk_mesh *out);

/** How the triangles of a chunk's mesh meet at their edges, across the chunk's borders as well: see edges_data.h.
 *  @param mesh   what mesh_chunk made of this chunk and surface, in arrays with the slack of vp_chunk_mesh, which may be read
 *  @param flags  out: one a triangle, 2*quad_count, and room for VP_EDGE_FLAGS_SLACK more */
typedef void vp_edge_flags_fn(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface,
                              const vp_chunk_mesh *mesh, uint8_t *flags);

/** The nearest triangle that a ray meets, as vp_kd_ray_fn, by trying every one. O(n). */
typedef vp_hit vp_brute_ray_fn(const vp_triangle_soa *soup, const vp_ray *ray);

/** A tree over triangles, in one of its forms: see kd_data.h. O(n log n), but for triangles that are laid out so that the
 *  reference's selection (Hoare's FIND) does its worst, O(n^2). The published and the slab form are the same nodes
 *  by every version. */
typedef vp_kd_build_result vp_kd_build_fn(const vp_kd_build_job *build);

/** The nearest triangle that a ray meets, and of equally near ones that with the lowest number. Near is compared along the
 *  direction scaled to a longest component from 1 to 2, where parameters have all their bits. */
typedef vp_hit vp_kd_ray_fn(const vp_kd_view *tree, const vp_ray *ray);

/** The same for up to eight rays: hit[i] is what kd_ray says of ray i, whatever the other rays are. Rays that are alike, as a
 *  camera's are, cost much less together than one by one; rays that are not, about as much. */
typedef void vp_kd_ray8_fn(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit);

/** The same for up to sixteen rays. */
typedef void vp_kd_ray16_fn(const vp_kd_view *tree, const vp_ray *ray, uint32_t count, vp_hit *hit);

/** Whether a ray meets a triangle. @return 1, 0, or VP_RAY_INVALID */
typedef int32_t vp_kd_ray_any_fn(const vp_kd_view *tree, const vp_ray *ray);

/** The triangles that a ray meets, by ascending t, then by ascending number; at most `capacity` are written.
 *  O(k) more for each of k that is not in order as it is found. @return how many there are, which may be more than `capacity`;
 *  VP_RAY_ALL_INVALID */
typedef uint32_t vp_kd_ray_all_fn(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity);

/** The first triangle that a sphere of this radius touches as its centre moves along a ray, and of those it touches
 *  first together the one with the lowest number; u and v are of the point that is touched. t is 0 where it touches from the
 *  start. The radius is not negative, not NaN, and at most VP_KD_MAX; otherwise it is as with an invalid ray. */
typedef vp_hit vp_kd_sphere_sweep_fn(const vp_kd_view *tree, const vp_ray *ray, float radius);

/** The triangles whose own boxes overlap a closed box, in no order; at most `capacity` are written. An invalid box
 *  overlaps none. What is in `out` behind them, up to `capacity`, is of no matter afterwards. @return how many there are, which
 *  may be more than `capacity` */
typedef uint32_t vp_kd_gather_fn(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity);

/** The same of all triangles in the leaves that a box reaches: what they are depends on the form. */
typedef uint32_t vp_kd_gather_leaves_fn(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity);

/** The nearest triangle of a terrain that a ray meets; of equally near ones that of the chunk with the lowest number, and there
 *  that with the lowest number: what kd_ray says of one mesh of all chunks (vp_mesh_create) in t, u and v. Trees are asked for as
 *  vp_terrain_view says. */
typedef vp_terrain_hit vp_terrain_ray_fn(const vp_terrain_view *terrain, const vp_ray *ray);

/** The same for up to sixteen rays: hit[i] is what terrain_ray says of ray i, whatever the other rays are. */
typedef void vp_terrain_ray16_fn(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit);

/** Whether a ray meets terrain. @return 1, 0, or VP_RAY_INVALID */
typedef int32_t vp_terrain_ray_any_fn(const vp_terrain_view *terrain, const vp_ray *ray);

/** The triangles of a terrain that a ray meets, by ascending t, then by chunk, then by triangle; at most `capacity` are
 *  written. @return how many there are, which may be more than `capacity`; VP_RAY_ALL_INVALID */
typedef uint32_t vp_terrain_ray_all_fn(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity);

/** The first triangle of a terrain that a sphere touches as its centre moves along a ray: kd_sphere_sweep of one mesh of all chunks,
 *  equal ones told apart as in terrain_ray. */
typedef vp_terrain_hit vp_terrain_sphere_sweep_fn(const vp_terrain_view *terrain, const vp_ray *ray, float radius);

/** The triangles of a terrain whose own boxes overlap a closed box, in no order; at most `capacity` are written. An invalid
 *  box overlaps none. Trees are asked for only of chunks that have set bits in the box, grown by one voxel.
 *  What is in `out` behind them, up to `capacity`, is of no matter afterwards.
 *  @return how many there are, which may be more than `capacity`; UINT32_MAX: or more */
typedef uint32_t vp_terrain_gather_fn(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity);

/** What one look at points tells: see hull_data.h. `out` is written as vp_hull_bounds says. O(n).
 *  @param count  1 to VP_HULL_MAX_POINTS */
typedef void vp_hull_bounds_fn(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out);

/** Points without some that lie inside of their hull: see hull_data.h. O(n + m log m) for a sample of m points.
 *  @return how many are left; 0: all, and nothing was written */
typedef uint32_t vp_hull_filter_fn(const vp_hull_filtering *filtering);

/** How many dimensions points have, and a closed surface of triangles around them: see hull_data.h. O(n log h) as a rule, with h of n
 *  points that are vertices; O(n^2) for points that are laid out against it, which `most_work` guards against. */
typedef vp_hull3_result vp_hull3_fn(const vp_hull3_job *build);

/** The same in the plane: the corners of a polygon. */
typedef vp_hull2_result vp_hull2_fn(const vp_hull2_job *build);

/** Bytes of scratch that any version of dilate_world and dilate_world_rows needs. */
static inline size_t vp_dilate_world_scratch_bytes(vp_dims chunks)
{
    /* Per column of chunks: the last chunk, dilated along x and z (128), the slice under it (16) and flags (1); it is
       carried, for a chunk is stored once and for good when the layer above it is known. Per chunk of a row: two rows
       dilated along x (2 * 128) and flags (3). */
    return VP_CAST(size_t, chunks.x) * chunks.z * 152 + VP_CAST(size_t, chunks.x) * 264 + 256;
}

/* ---- the list ---- */

/** KERNEL(name) is a kernel with its scalar reference, VERSION(name, isa) a SIMD form of it. */
#define VP_KERNELS(KERNEL, VERSION)                                                                                  \
    KERNEL(dilate_chunk)                                                                                             \
    VERSION(dilate_chunk, avx2)                                                                                      \
    VERSION(dilate_chunk, avx512)                                                                                    \
    VERSION(dilate_chunk, neon)                                                                                      \
    VERSION(dilate_chunk, simd128)                                                                                   \
    KERNEL(dilate_chunk_rows)                                                                                        \
    VERSION(dilate_chunk_rows, avx2)                                                                                 \
    VERSION(dilate_chunk_rows, avx512)                                                                               \
    VERSION(dilate_chunk_rows, neon)                                                                                 \
    VERSION(dilate_chunk_rows, simd128)                                                                              \
    KERNEL(dilate_world)                                                                                             \
    VERSION(dilate_world, avx2)                                                                                      \
    VERSION(dilate_world, avx512)                                                                                    \
    VERSION(dilate_world, neon)                                                                                      \
    VERSION(dilate_world, simd128)                                                                                   \
    KERNEL(dilate_world_rows)                                                                                        \
    VERSION(dilate_world_rows, avx2)                                                                                 \
    VERSION(dilate_world_rows, avx512)                                                                               \
    VERSION(dilate_world_rows, neon)                                                                                 \
    VERSION(dilate_world_rows, simd128)                                                                              \
    KERNEL(overlap_box)                                                                                              \
    VERSION(overlap_box, avx2)                                                                                       \
    VERSION(overlap_box, avx512)                                                                                     \
    VERSION(overlap_box, neon)                                                                                       \
    VERSION(overlap_box, simd128)                                                                                    \
    KERNEL(overlap_boxes)                                                                                            \
    VERSION(overlap_boxes, avx2)                                                                                     \
    VERSION(overlap_boxes, avx512)                                                                                   \
    VERSION(overlap_boxes, neon)                                                                                     \
    VERSION(overlap_boxes, simd128)                                                                                  \
    KERNEL(overlap_chunks)                                                                                           \
    VERSION(overlap_chunks, avx2)                                                                                    \
    VERSION(overlap_chunks, avx512)                                                                                  \
    VERSION(overlap_chunks, neon)                                                                                    \
    VERSION(overlap_chunks, simd128)                                                                                 \
    KERNEL(mesh_chunk)                                                                                               \
    VERSION(mesh_chunk, avx2)                                                                                        \
    VERSION(mesh_chunk, avx512)                                                                                      \
    VERSION(mesh_chunk, neon)                                                                                        \
    VERSION(mesh_chunk, simd128)                                                                                     \
    KERNEL(edge_flags)                                                                                               \
    VERSION(edge_flags, avx2)                                                                                        \
    VERSION(edge_flags, avx512)                                                                                      \
    VERSION(edge_flags, neon)                                                                                        \
    VERSION(edge_flags, simd128)                                                                                     \
    KERNEL(brute_ray)                                                                                                \
    VERSION(brute_ray, avx2)                                                                                         \
    VERSION(brute_ray, avx512)                                                                                       \
    VERSION(brute_ray, neon)                                                                                         \
    VERSION(brute_ray, simd128)                                                                                      \
    KERNEL(kd_build)                                                                                                 \
    VERSION(kd_build, avx2)                                                                                          \
    VERSION(kd_build, avx512)                                                                                        \
    VERSION(kd_build, neon)                                                                                          \
    VERSION(kd_build, simd128)                                                                                       \
    KERNEL(kd_ray)                                                                                                   \
    VERSION(kd_ray, avx2)                                                                                            \
    VERSION(kd_ray, avx512)                                                                                          \
    VERSION(kd_ray, neon)                                                                                            \
    VERSION(kd_ray, simd128)                                                                                         \
    KERNEL(kd_ray8)                                                                                                  \
    VERSION(kd_ray8, avx2)                                                                                           \
    VERSION(kd_ray8, avx512)                                                                                         \
    VERSION(kd_ray8, neon)                                                                                           \
    VERSION(kd_ray8, simd128)                                                                                        \
    KERNEL(kd_ray16)                                                                                                 \
    VERSION(kd_ray16, avx2)                                                                                          \
    VERSION(kd_ray16, avx512)                                                                                        \
    VERSION(kd_ray16, neon)                                                                                          \
    VERSION(kd_ray16, simd128)                                                                                       \
    KERNEL(kd_ray_any)                                                                                               \
    VERSION(kd_ray_any, avx2)                                                                                        \
    VERSION(kd_ray_any, avx512)                                                                                      \
    VERSION(kd_ray_any, neon)                                                                                        \
    VERSION(kd_ray_any, simd128)                                                                                     \
    KERNEL(kd_ray_all)                                                                                               \
    VERSION(kd_ray_all, avx2)                                                                                        \
    VERSION(kd_ray_all, avx512)                                                                                      \
    VERSION(kd_ray_all, neon)                                                                                        \
    VERSION(kd_ray_all, simd128)                                                                                     \
    KERNEL(kd_sphere_sweep)                                                                                          \
    VERSION(kd_sphere_sweep, avx2)                                                                                   \
    VERSION(kd_sphere_sweep, avx512)                                                                                 \
    VERSION(kd_sphere_sweep, neon)                                                                                   \
    VERSION(kd_sphere_sweep, simd128)                                                                                \
    KERNEL(kd_gather)                                                                                                \
    VERSION(kd_gather, avx2)                                                                                         \
    VERSION(kd_gather, avx512)                                                                                       \
    VERSION(kd_gather, neon)                                                                                         \
    VERSION(kd_gather, simd128)                                                                                      \
    KERNEL(kd_gather_leaves)                                                                                         \
    VERSION(kd_gather_leaves, avx2)                                                                                  \
    VERSION(kd_gather_leaves, avx512)                                                                                \
    VERSION(kd_gather_leaves, neon)                                                                                  \
    VERSION(kd_gather_leaves, simd128)                                                                               \
    KERNEL(terrain_ray)                                                                                              \
    VERSION(terrain_ray, avx2)                                                                                       \
    VERSION(terrain_ray, avx512)                                                                                     \
    VERSION(terrain_ray, neon)                                                                                       \
    VERSION(terrain_ray, simd128)                                                                                    \
    KERNEL(terrain_ray16)                                                                                            \
    VERSION(terrain_ray16, avx2)                                                                                     \
    VERSION(terrain_ray16, avx512)                                                                                   \
    VERSION(terrain_ray16, neon)                                                                                     \
    VERSION(terrain_ray16, simd128)                                                                                  \
    KERNEL(terrain_ray_any)                                                                                          \
    VERSION(terrain_ray_any, avx2)                                                                                   \
    VERSION(terrain_ray_any, avx512)                                                                                 \
    VERSION(terrain_ray_any, neon)                                                                                   \
    VERSION(terrain_ray_any, simd128)                                                                                \
    KERNEL(terrain_ray_all)                                                                                          \
    VERSION(terrain_ray_all, avx2)                                                                                   \
    VERSION(terrain_ray_all, avx512)                                                                                 \
    VERSION(terrain_ray_all, neon)                                                                                   \
    VERSION(terrain_ray_all, simd128)                                                                                \
    KERNEL(terrain_sphere_sweep)                                                                                     \
    VERSION(terrain_sphere_sweep, avx2)                                                                              \
    VERSION(terrain_sphere_sweep, avx512)                                                                            \
    VERSION(terrain_sphere_sweep, neon)                                                                              \
    VERSION(terrain_sphere_sweep, simd128)                                                                           \
    KERNEL(terrain_gather)                                                                                           \
    VERSION(terrain_gather, avx2)                                                                                    \
    VERSION(terrain_gather, avx512)                                                                                  \
    VERSION(terrain_gather, neon)                                                                                    \
    VERSION(terrain_gather, simd128)                                                                                 \
    KERNEL(hull_bounds)                                                                                              \
    VERSION(hull_bounds, avx2)                                                                                       \
    VERSION(hull_bounds, avx512)                                                                                     \
    VERSION(hull_bounds, neon)                                                                                       \
    VERSION(hull_bounds, simd128)                                                                                    \
    KERNEL(hull_filter)                                                                                              \
    VERSION(hull_filter, avx2)                                                                                       \
    VERSION(hull_filter, avx512)                                                                                     \
    VERSION(hull_filter, neon)                                                                                       \
    VERSION(hull_filter, simd128)                                                                                    \
    KERNEL(hull3)                                                                                                    \
    VERSION(hull3, avx2)                                                                                             \
    VERSION(hull3, avx512)                                                                                           \
    VERSION(hull3, neon)                                                                                             \
    VERSION(hull3, simd128)                                                                                          \
    KERNEL(hull2)                                                                                                    \
    VERSION(hull2, avx2)                                                                                             \
    VERSION(hull2, avx512)                                                                                           \
    VERSION(hull2, neon)                                                                                             \
    VERSION(hull2, simd128)

#define VP_NOTHING(...)                  /**< For the half of the list that is of no interest. */
#define VP_KERNEL_ID(k) VP_KERNEL_##k,   /**< An entry as an enumerator. */
#define VP_FIELD(k)     vp_##k##_fn *k;  /**< An entry as a member of a table. */

/** A kernel. */
typedef enum vp_kernel_id { VP_KERNELS(VP_KERNEL_ID, VP_NOTHING) VP_KERNEL_COUNT } vp_kernel_id;

/** One version of every kernel; call it as t->dilate_chunk(...). A value: two threads may use two tables, and there is
 *  no global one. */
typedef struct vp_kernels {
    VP_KERNELS(VP_FIELD, VP_NOTHING)
} vp_kernels;

/** A version that is in this build. */
typedef struct vp_version {
    vp_kernel_id kernel; /**< What it computes. */
    vp_isa isa;          /**< What it is written for. */
    vp_via via;          /**< How it comes to run here. */
} vp_version;

/** All versions in this build, kernel by kernel, the scalar one of each first. */
extern VP_API const vp_version vp_versions[];
/** How many there are. */
extern VP_API const size_t vp_version_count;

/** The name of a kernel, e.g. "dilate_world"; "unknown" for any other number. */
VP_API const char *vp_kernel_name(vp_kernel_id kernel);

/** Puts one version into a table. @return false, and the table as it was, if this build does not have it */
VP_API bool vp_kernels_use(vp_kernels *table, vp_kernel_id kernel, vp_isa isa);

/** Fills a table with the best version of each kernel among some instruction sets.
 *  @param isas  bits 1 << vp_isa; scalar is always allowed. They must be usable here. */
VP_API void vp_kernels_best(vp_kernels *table, uint32_t isas);

/** Fills a table by name: "best" (the best native one a kernel), "scalar", or an instruction set ("avx2", "avx512",
 *  "neon", "simd128"): that set, and for kernels that lack it the best below it. A set that is here through SIMDe is called
 *  "avx2-simde", "neon-simde" or "simd128-simde" and falls back to scalar.
 *  @return VP_E_ARGUMENT for an unknown name, VP_E_UNSUPPORTED for a set that this machine or this build lacks. */
VP_API vp_status vp_kernels_named(const char *name, vp_kernels *table, vp_error *error);

/** Fills a table as the environment variable VOXPHYS_ISA says, in the names above; "best" if it is unset or empty. */
VP_API vp_status vp_kernels_default(vp_kernels *table, vp_error *error);

/** Which instruction set a table's version of a kernel is; VP_ISA_COUNT if it is none of this build's. */
VP_API vp_isa vp_kernels_isa(const vp_kernels *table, vp_kernel_id kernel);

#ifdef __cplusplus
}
#endif

#endif
