/* SPDX-License-Identifier: MIT */
/* Bit planes of a grid of count rules, which count_rule steps instead of bytes. */
#ifndef VP_AUTOMATON_COUNT_PLANES_H
#define VP_AUTOMATON_COUNT_PLANES_H

#include <stddef.h>
#include <stdint.h>

/* Cell (x, y, z) of a plane is bit x % 64 of word (y*size.z + z)*pitch + x / 64. Unused bits are 0. */
typedef struct vp_count_planes {
    size_t pitch;            /* words of a row, one more than needed if the kernels add rows as one number (count_rule in count_body.h) */
    const uint64_t *cell;    /* plane after plane: empty cells, species 1, 2... Walls are in none */
    uint64_t *out;           /* like `cell`. Before the step it differs from `cell` in touched cells only */
    const uint64_t *touched; /* a plane: cells that changed in the last step or since */
    uint64_t *changed;       /* a plane: cells that change in this step */
} vp_count_planes;

#endif
