/* SPDX-License-Identifier: MIT */
/* What all benchmarks of one run share: their data, loaded once and only when a benchmark asks for it, and
 * the count of those that were refused. */
#ifndef VP_BENCH_SUITE_H
#define VP_BENCH_SUITE_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/executor.h>

#include "bench/bench_c.h"
#include "cases/case.h"
#include "cases/derived.h"
#include "datasets/datasets.h"
#include "datasets/mesh_sets.h"
#include "datasets/point_sets.h"

enum { VP_SUITE_NAME_BYTES = 128 };

typedef struct vp_suite vp_suite;

/* NULL if there is no memory. */
vp_suite *vp_suite_create(void);
/* Frees the suite, its data and its entries; accepts NULL. */
void vp_suite_destroy(vp_suite *suite);

/* Zeroed memory that lives as long as the suite: the context of one benchmark. Without memory the program ends.
   @param drop called on it at the end; NULL: nothing to do */
void *vp_suite_entry(vp_suite *suite, size_t bytes, void (*drop)(void *entry));

/* A set of the suite's: "terrain-l3" and "boxes-small", "ball" and "1000". */
vp_status vp_suite_data(vp_suite *suite, const vp_kind *kind, const char *name, const char *of, const vp_data **out, vp_error *error);

/* What benchmarks of whole operations work on: a set and what it belongs to, all of it the suite's. What is not there is zero. */
typedef struct vp_suite_set {
    char name[VP_SUITE_NAME_BYTES];
    const vp_data *of_meshes;
    const vp_world *world;
    const vp_broadphase *broadphase; /* by the scalar reference */
    vp_point_sets points;
    vp_mesh_set meshes;
    vp_ray_set rays;
    vp_mesh_box_set mesh_boxes;
} vp_suite_set;
vp_status vp_suite_open(vp_suite *suite, const char *name, const char *of, vp_suite_set *out, vp_error *error);

/* Gives a benchmark an error for its result. */
void vp_suite_refuse(vp_suite *suite, vp_bench_state *state, const vp_error *error);
/* How many times that happened. */
uint64_t vp_suite_refusals(const vp_suite *suite);

/* The reference's answers, asked once for all contenders, and where variants have the same for all of them. They are the suite's. */
vp_status vp_suite_reference(vp_suite *suite, vp_row_id row, const vp_data *data, uint32_t variant, const vp_records **out,
                             vp_error *error);

/* So many threads; where there is no OpenMP, one. */
vp_executor vp_suite_executor(uint32_t threads);
/* As many threads as work is measured on: 1, 2, 4, ... up to this. */
uint32_t vp_suite_most_threads(void);

/* "chunks digest=0123456789abcdef"; behind the unit there may be more: "rays, one a call". */
void vp_suite_label(vp_bench_state *state, const char *text, uint64_t digest);

/* Each registers its benchmarks. */
void vp_suite_add_rows(vp_suite *suite);        /* row/contender/dataset[/parameter] */
void vp_suite_add_streams(vp_suite *suite);     /* stream_<what>/limit/dataset, nop/floor */
void vp_suite_add_peers(vp_suite *suite);       /* row/peer-name/dataset */
void vp_suite_add_hulls(vp_suite *suite);       /* hull3/contender/family/count */
void vp_suite_add_fused(vp_suite *suite);       /* kd_ray/avx2-fma/meshes/rays */
void vp_suite_add_simulations(vp_suite *suite); /* simulate_step/contender/world/bodies */

#endif
