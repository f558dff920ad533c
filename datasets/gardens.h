/* SPDX-License-Identifier: MIT */
/* The data sets of automata: a state to begin with, of the built-in species, and for how many steps. */
#ifndef VP_GARDENS_H
#define VP_GARDENS_H

#include <voxphys/automaton.h>

typedef struct vp_garden {
    vp_dims size;
    uint64_t seed;
    uint32_t steps;
    uint8_t *cell;                    /* in rows: type, and VP_CELL_LIVING */
    uint32_t living;                  /* of them */
    vp_automaton_cell_memory *memory; /* of each, in the order of cells */
} vp_garden;

#endif
