/* SPDX-License-Identifier: MIT */
/* State shared by all benchmarks of a run. It holds their data, which is loaded once and on demand, and the number of failed benchmarks. */
#ifndef VP_BENCH_SUITE_H
#define VP_BENCH_SUITE_H

#include <stdbool.h>
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
#define VP_LONG_RUN 0.02 /* seconds, from which on a run needs no untimed run before it */

typedef struct vp_suite vp_suite;

/* Returns NULL on out of memory. */
vp_suite *vp_suite_create(void);
/* Destroys the suite with its data and entries. NULL is a no-op. */
void vp_suite_destroy(vp_suite *suite);

/* Returns zeroed memory that lives as long as the suite, for the context of one benchmark. Without memory the program ends.
 * @param drop called on it at the end. NULL: nothing to do */
void *vp_suite_entry(vp_suite *suite, size_t bytes, void (*drop)(void *entry));

/* Returns a set owned by the suite. Names are "terrain-l3" and "boxes-small", or "ball" and "1000". */
vp_status vp_suite_data(vp_suite *suite, const vp_kind *kind, const char *name, const char *of, const vp_data **out, vp_error *error);

/* Data for benchmarks of whole operations: a set and the sets that it depends on, all owned by the suite. Missing members are zero. */
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

/* Sets an error as a benchmark's result. */
void vp_suite_refuse(vp_suite *suite, vp_bench_state *state, const vp_error *error);
/* Returns the number of such errors. */
uint64_t vp_suite_refusals(const vp_suite *suite);

/* Returns the reference's answers, computed once for all contenders and, if they agree, for all variants. The suite owns them. */
vp_status vp_suite_reference(vp_suite *suite, vp_row_id row, const vp_data *data, uint32_t variant, const vp_records **out,
                             vp_error *error);

/* Right answers to a question, and the approximate time of a run that gives them. */
typedef struct vp_agreed {
    uint64_t all, last; /* digests of all steps, which labels print, and of the last step */
    double seconds;
} vp_agreed;

/* Reads the answers that earlier processes kept in a file, if it exists. Answers kept later are appended. @return false without it */
bool vp_suite_open_answers(vp_suite *suite, const char *path);
bool vp_suite_find_answers(const vp_suite *suite, const char *question, vp_agreed *out);
void vp_suite_keep_answers(vp_suite *suite, const char *question, const vp_agreed *answers);

/* Returns an executor with that many threads, or one thread without OpenMP. */
vp_executor vp_suite_executor(uint32_t threads);
/* The largest number of threads to measure. Measured are 1, 2, 4, ... up to this. */
uint32_t vp_suite_most_threads(void);

/* Sets a label like "chunks digest=0123456789abcdef". Text after the unit is allowed ("rays, one a call"). */
void vp_suite_label(vp_bench_state *state, const char *text, uint64_t digest);

/* Each function registers its benchmarks. */
void vp_suite_add_rows(vp_suite *suite);        /* row/contender/dataset[/parameter] */
void vp_suite_add_streams(vp_suite *suite);     /* stream_<what>/limit/dataset, nop/floor */
void vp_suite_add_peers(vp_suite *suite);       /* row/peer-name/dataset */
void vp_suite_add_hulls(vp_suite *suite);       /* hull3/contender/family/count */
void vp_suite_add_fused(vp_suite *suite);       /* kd_ray/avx2-fma/meshes/rays */
void vp_suite_add_simulations(vp_suite *suite); /* simulate_step/contender/world/bodies */

#endif
