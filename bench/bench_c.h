/* SPDX-License-Identifier: MIT */
/* Google Benchmark for C: bench_c.cpp is the only C++ that our own benchmarks need. */
#ifndef VP_BENCH_C_H
#define VP_BENCH_C_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call it first in main: from then on the program ends with a message and exit code 1 where Google Benchmark or a peer
   written in C++ lacks memory and does not say so itself. */
void vp_bench_begin(void);

/* One run of one benchmark. */
typedef struct vp_bench_state vp_bench_state;
typedef void vp_bench_fn(vp_bench_state *state, void *context);

/* `context` must live until vp_bench_run has returned. */
void vp_bench_register(const char *name, vp_bench_fn *function, void *context);

/* while (vp_bench_next(state)) { what is timed } */
bool vp_bench_next(vp_bench_state *state);
/* Takes a part of the loop's body out of the time; costs about a microsecond itself. */
void vp_bench_pause(vp_bench_state *state);
void vp_bench_resume(vp_bench_state *state);

/* After the loop. */
uint64_t vp_bench_iterations(const vp_bench_state *state);
void vp_bench_items(vp_bench_state *state, uint64_t total); /* sets items_per_second, by CPU time */
void vp_bench_counter(vp_bench_state *state, const char *name, double value);
void vp_bench_label(vp_bench_state *state, const char *text);

/* Instead of the loop: an error in place of a figure. */
void vp_bench_skip(vp_bench_state *state, const char *reason);

/* Adds a line to the results' context. */
void vp_bench_context(const char *key, const char *value);

/* Prints Google Benchmark's own options, of the form --benchmark_NAME=VALUE. */
void vp_bench_print_options(void);

/* Reads Google Benchmark's options and runs (or lists) what they choose.
   @return how many benchmarks were chosen; -1 for an argument that is no option, after telling so */
int64_t vp_bench_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
