/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_H
#define VOXPHYS_H

/** @file
 *  Everything that a game needs. Worlds: world.h. Rays, digging: terrain.h. Contacts: manifold.h. Moving shapes: casts.h. Players:
 *  character.h. All at once: surroundings.h. Water: buoyancy.h. Hull shapes: vp_collide_hull_create. Separate libraries: import.h,
 *  vp_executor_openmp.
 *
 *      vp_world_create(&(vp_world_def){.size = {128, 64, 128}}, &world, &error);
 *      vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error);
 *      vp_terrain_acquire_reader(terrain, &reader);
 *      vp_manifold_terrain(&def, &body, &reader, &scratch, manifold, VP_MANIFOLD_DIRECTIONS, &count, &error);
 *      vp_terrain_release_reader(&reader);
 *
 *  Conventions, unless a declaration says otherwise:
 *  - Errors: status.h. Functions that destroy accept NULL, or a struct that is all zero.
 *  - Zero-initialize settings (`_def`), then set members. `allocator`, `kernels` and `executor` can be NULL = vp_allocator_default(),
 *    vp_kernels_default() or the calling thread. These are copied, so they may be locals.
 *  - C++: `vp_world_def def{}; def.size = {128, 64, 128};`
 *  - Lengths are in voxels, positions in world space. Margins and maximum distances are >= 0.
 *  - A box is invalid if it has a NaN or min > max, a chunk set if it is of another world's size. Invalid shapes, poses, rays:
 *    vp_collide_shape_check, vp_collide_frame_of, vp_ray.
 *  - `out` receives the first `capacity` results (unsorted queries: any). The count is their total and can exceed it.
 *  - Types: kernel/. Documentation: share/doc/voxphys.
 *  - Without a stated cost, time is at most linear in the data that a function reads and writes. */

#include <voxphys/api.h>
#include <voxphys/automaton.h>
#include <voxphys/block_jobs.h>
#include <voxphys/block_shapes.h>
#include <voxphys/block_store.h>
#include <voxphys/blocks.h>
#include <voxphys/broadphase.h>
#include <voxphys/buoyancy.h>
#include <voxphys/casts.h>
#include <voxphys/character.h>
#include <voxphys/compound.h>
#include <voxphys/contacts.h>
#include <voxphys/cpu.h>
#include <voxphys/decompose.h>
#include <voxphys/edges.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/import.h>
#include <voxphys/kd.h>
#include <voxphys/kernel/automaton.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/broadphase.h>
#include <voxphys/kernel/decompose.h>
#include <voxphys/kernel/hull.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/kernel/spheretree.h>
#include <voxphys/kernel/surface.h>
#include <voxphys/kernel/terrain.h>
#include <voxphys/kernels.h>
#include <voxphys/manifold.h>
#include <voxphys/mass.h>
#include <voxphys/memory.h>
#include <voxphys/mesh.h>
#include <voxphys/narrowphase.h>
#include <voxphys/push_out.h>
#include <voxphys/record.h>
#include <voxphys/regions.h>
#include <voxphys/shapes.h>
#include <voxphys/spheretree.h>
#include <voxphys/status.h>
#include <voxphys/surroundings.h>
#include <voxphys/terrain.h>
#include <voxphys/version.h>
#include <voxphys/world.h>
#include <voxphys/world_file.h>

#endif
