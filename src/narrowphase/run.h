/* SPDX-License-Identifier: MIT */
/* Declarations shared by the checked functions that run kernels. */
#ifndef VP_NARROWPHASE_RUN_H
#define VP_NARROWPHASE_RUN_H

#include <voxphys/narrowphase.h>

struct vp_terrain_edges;
struct vp_manifold_work;

/* Checks shape, pose and margin for vp_collide_triangles. @param frame  receives the frame of the pose. NULL = is not needed */
vp_status vp_collide_check(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_collide_frame *frame, vp_error *error);

vp_status vp_collide_check_corners(const vp_collide_triangle *triangle, uint32_t count, vp_error *error);
/* Checks the normals of triangles and of their neighbours: length 1, or 0. */
vp_status vp_collide_check_normals(const vp_collide_triangle *triangle, uint32_t count, vp_error *error);

/* vp_collide_bounds, which also computes the frame. */
vp_status vp_collide_frame_and_bounds(const vp_collide_shape *shape, const vp_pose *pose, float margin, vp_collide_frame *frame,
                                      vp_aabb *out, vp_error *error);

/* Runs the kernel of the shape's kind. */
void vp_collide_run(const vp_kernels *kernels, const vp_collide_job *job);

/* vp_collide_correct without checks, of the answers in job->result.
 * @param answered  only the first triangles can have a contact
 * @param edges     of a terrain, NULL = the triangles are connected, and all are in job->triangle
 * @param work      of a manifold: answers get points only if they become contacts, which are found. The contacts' memory is overwritten.
 *                  NULL = all, and the cost is quadratic
 */
void vp_correct_answers(const vp_kernels *kernels, const vp_collide_job *job, uint32_t answered, struct vp_terrain_edges *edges,
                        struct vp_manifold_work *work);

#endif
