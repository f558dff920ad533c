/* SPDX-License-Identifier: MIT */
/* A C interface of Google Benchmark. bench_c.cpp is the only C++ file that our own benchmarks need. */
#ifndef VP_BENCH_C_H
#define VP_BENCH_C_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call this first in main. Afterwards the program ends with a message and exit code 1 if Google Benchmark or a C++ peer
 * throws for lack of memory. */
void vp_bench_begin(void);

/* One run of one benchmark. */
typedef struct vp_bench_state vp_bench_state;
typedef void vp_bench_fn(vp_bench_state *state, void *context);

/* Limits the benchmarks to those that a file names, one a line. Call it before they are registered. @return false if it cannot be read */
bool vp_bench_choose(const char *path);

/* `context` must live until vp_bench_run has returned. */
void vp_bench_register(const char *name, vp_bench_fn *function, void *context);

/* while (vp_bench_next(state)) { timed code } */
bool vp_bench_next(vp_bench_state *state);
/* Stops the clock for a part of the loop's body. This costs about a microsecond itself. */
void vp_bench_pause(vp_bench_state *state);
void vp_bench_resume(vp_bench_state *state);

/* After the loop. */
uint64_t vp_bench_iterations(const vp_bench_state *state);
void vp_bench_items(vp_bench_state *state, uint64_t total); /* sets items_per_second, by CPU time */
void vp_bench_counter(vp_bench_state *state, const char *name, double value);
void vp_bench_label(vp_bench_state *state, const char *text);

/* Reports an error instead of a figure. Call it instead of the loop. */
void vp_bench_skip(vp_bench_state *state, const char *reason);

/* Adds a line to the results' context. */
void vp_bench_context(const char *key, const char *value);

/* Prints Google Benchmark's own options, of the form --benchmark_NAME=VALUE. */
void vp_bench_print_options(void);

/* Reads Google Benchmark's options and runs or lists the chosen benchmarks.
 * @return the number of chosen benchmarks, or -1 after a message about an unknown option */
int64_t vp_bench_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
