/* SPDX-License-Identifier: MIT */
/* What all benchmarks of one run share: their data, loaded once and only when a benchmark asks for it, and the count of
 * those that were refused. */
#ifndef VP_BENCH_SUITE_H
#define VP_BENCH_SUITE_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/executor.h>

#include "bench/bench_c.h"
#include "datasets/cases/cases.h"

enum { VP_SUITE_NAME_BYTES = 128, VP_SUITE_MESH_SETS = 4 };

/* Meshes whose trees are built: by the kernels alone, and as a program makes them. */
extern const char *const vp_suite_mesh_sets[VP_SUITE_MESH_SETS];

typedef struct vp_suite vp_suite;

/* NULL if there is no memory. */
vp_suite *vp_suite_create(void);
/* Frees the suite, its data and its entries; accepts NULL. */
void vp_suite_destroy(vp_suite *suite);

/* Zeroed memory that lives as long as the suite: the context of one benchmark. Without memory the program ends.
   @param drop  called on it at the end; NULL: nothing to do */
void *vp_suite_entry(vp_suite *suite, size_t bytes, void (*drop)(void *entry));

/* A world with its derived forms, or meshes, and if `boxes` is not NULL one of its sets of boxes or rays. What `out` points to
   belongs to the suite. */
vp_status vp_suite_workload(vp_suite *suite, const char *world, const char *boxes, vp_workload *out, vp_error *error);

/* Gives a benchmark an error for its result. */
void vp_suite_refuse(vp_suite *suite, vp_bench_state *state, const vp_error *error);
/* How many times that happened. */
uint64_t vp_suite_refusals(const vp_suite *suite);

/* The reference's answers to a kernel of whole terrains, which are the same for every form of its trees: asked once, for all contenders.
   They are the suite's. */
vp_status vp_suite_reference(vp_suite *suite, vp_kernel_id kernel, const vp_workload *workload, const vp_records **out,
                             vp_error *error);

/* Seconds by the clock on the wall, from some moment on. */
double vp_suite_seconds(void);
/* So many threads; where there is no OpenMP, one. */
vp_executor vp_suite_executor(uint32_t threads);
/* As many threads as work is measured on: 1, 2, 4, ... up to this. */
uint32_t vp_suite_most_threads(void);

/* "chunks digest=0123456789abcdef"; behind the unit there may be more: "rays, one a call". */
void vp_suite_label(vp_bench_state *state, const char *text, uint64_t digest);

/* Counters of what a world's broadphase stores: bits_per_voxel (masks alone) and bits_per_voxel_total (all memory). */
void vp_suite_memory(vp_bench_state *state, const vp_broadphase *broadphase);

/* Each registers its benchmarks. */
void vp_suite_add_kernels(vp_suite *suite); /* kernel/contender/dataset[/boxes] */
void vp_suite_add_streams(vp_suite *suite); /* stream_<what>/limit/dataset, nop/floor */
void vp_suite_add_builds(vp_suite *suite);  /* build_world/isa/dataset/threads-n */
void vp_suite_add_peers(vp_suite *suite);   /* dilate_world/peer-name/dataset */
void vp_suite_add_hulls(vp_suite *suite);   /* hull3/contender/family/count */
void vp_suite_add_hull_peers(vp_suite *suite); /* hull3/peer-name/family/count */
void vp_suite_add_hull2_peers(vp_suite *suite); /* hull2/peer-name/family/count */
void vp_suite_add_creates(vp_suite *suite); /* kd_build/isa-create/meshes */
void vp_suite_add_fused(vp_suite *suite);   /* kd_ray/avx2-fma/meshes/rays */
void vp_suite_add_terrain(vp_suite *suite); /* terrain_ray/isa-object/meshes/rays and others, terrain_prepare/isa/meshes/threads-n */
void vp_suite_add_edits(vp_suite *suite);   /* edit_to_ray/isa/edit, edit_to_ray/peer-name/edit */

#endif
