/* SPDX-License-Identifier: MIT */
/* The data sets of automata: an initial state with the built-in species, and a number of steps. */
#ifndef VP_GARDENS_H
#define VP_GARDENS_H

#include <voxphys/automaton.h>

typedef struct vp_garden {
    vp_dims size;
    uint64_t seed;
    uint32_t steps;
    uint8_t *cell;                    /* in rows: type and VP_CELL_LIVING */
    uint32_t living;                  /* number of living cells */
    vp_automaton_cell_memory *memory; /* memory of each living cell, in the order of cells */
} vp_garden;

#endif
