/* SPDX-License-Identifier: MIT */
/* The parts of voxphys-narrow-experiments. Each has its own file and a line in experiments.c. */
#ifndef VP_BENCH_NARROW_PARTS_H
#define VP_BENCH_NARROW_PARTS_H

#include <jansson.h>
#include <stdbool.h>

/* The options of a part. */
typedef struct vp_narrow_how {
    bool times;       /* measure times and other libraries, which differ between machines */
    const char *only; /* a line of the part's own list; NULL: all */
} vp_narrow_how;

/* Adds a part's lists to `out`, under the part's names. */
typedef void vp_narrow_part(const vp_narrow_how *how, json_t *out);

vp_narrow_part vp_narrow_bits, vp_narrow_ghosts, vp_narrow_hard;

#endif
