/* SPDX-License-Identifier: MIT */
/* Internals of an automaton. The grid of cells has a border of one cell, so that every window is inside. Numbers in
 * that larger grid are called places, and are in the same order as the numbers of cells. */
#ifndef VP_AUTOMATON_INTERNAL_H
#define VP_AUTOMATON_INTERNAL_H

#include <stdatomic.h>

#include <voxphys/automaton.h>

/* Living voxels, by ascending place. */
typedef struct vp_living {
    uint32_t *place;
    vp_automaton_cell_memory *memory;
    uint32_t count, place_room, memory_room;
} vp_living;

/* An output of a rule. */
typedef struct vp_output {
    uint32_t place;
    uint32_t source; /* number of the writer in `living` */
    vp_automaton_cell_memory memory;
    uint8_t byte; /* as in `grid` */
    uint8_t strength;
    int8_t link; /* distance to another output that it needs. 0 = none */
} vp_output;

enum {
    VP_RULES_AT_ONCE = 1024, /* living voxels that are called before their outputs are packed */
    VP_RULES_A_TASK = 64,
    VP_CELLS_A_TASK = 16384,
    VP_OUTPUTS_A_TASK = 4096
};

typedef enum vp_phase { VP_AT_REST, VP_UNDER_WAY, VP_COMPUTED, VP_SPOILT } vp_phase;

struct vp_automaton {
    vp_allocator allocator;
    vp_dims size;
    uint32_t row, layer; /* places from one z, and from one y, to the next */
    uint32_t offset[27]; /* from a place to those of its window, modulo 2^32 */
    uint32_t places;
    uint64_t seed, step;
    vp_automaton_form form;
    vp_automaton_species *species; /* in the caller's order */
    uint32_t species_count, rules;
    const vp_automaton_species *of_type[128]; /* NULL = no such species */

    uint8_t *grid;           /* for each place, its type and VP_CELL_LIVING */
    _Atomic uint32_t *claim; /* for each place, first_claim + the number of its best output. Lower = no output of this step */
    uint32_t first_claim, end_claim;
    _Atomic uint64_t *marked[2]; /* a bit for each place with an effective output, and one for each such word. 0 between steps */
    size_t words[2];
    vp_living living;
    uint64_t dead_sum; /* dead cells' part of the digest */

    vp_phase phase;
    uint32_t next_living, next_place; /* next to be called */
    vp_output *output;
    uint32_t outputs, output_room;
    uint64_t *key[2]; /* place << 32 | number of a living voxel. In a step, places with effective outputs */
    uint32_t key_room[2];
    _Atomic uint8_t *acted; /* for each living voxel, whether an output took effect */
    uint32_t acted_room;
    vp_living living_after; /* living voxels after the step */
    vp_automaton_change *change;
    uint32_t changes, change_room;
    vp_automaton_stats stats;
};

static inline uint32_t vp_place(const vp_automaton *a, uint32_t x, uint32_t y, uint32_t z)
{
    return (y + 1) * a->layer + (z + 1) * a->row + x + 1;
}

static inline vp_ivec3 vp_place_at(const vp_automaton *a, uint32_t place)
{
    const uint32_t in_layer = place % a->layer;
    return (vp_ivec3){(int32_t)(in_layer % a->row) - 1, (int32_t)(place / a->layer) - 1, (int32_t)(in_layer / a->row) - 1};
}

/* The number of the cell at a place inside the grid. */
static inline uint32_t vp_cell_number(const vp_automaton *a, uint32_t place)
{
    const vp_ivec3 at = vp_place_at(a, place);
    return ((uint32_t)at.y * a->size.z + (uint32_t)at.z) * a->size.x + (uint32_t)at.x;
}

static inline bool vp_cell_inside(const vp_automaton *a, vp_ivec3 at)
{
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && (uint32_t)at.x < a->size.x && (uint32_t)at.y < a->size.y && (uint32_t)at.z < a->size.z;
}

/* The number of the first living voxel at or after a place. Those before `from` are before the place. Cost: O(log of the distance). */
static inline uint32_t vp_seek_living(const vp_living *l, uint32_t from, uint32_t place)
{
    uint32_t step = 1;
    for (; from + step <= l->count && l->place[from + step - 1] < place; step *= 2)
        from += step;
    uint32_t end = from + step - 1 < l->count ? from + step - 1 : l->count;
    while (from < end) {
        const uint32_t mid = from + (end - from) / 2, is_before = l->place[mid] < place;
        from = is_before ? mid + 1 : from;
        end = is_before ? end : mid;
    }
    return from;
}

static inline uint8_t vp_cell_byte(const vp_automaton_cell *cell)
{
    return (uint8_t)(cell->type | (cell->living ? VP_CELL_LIVING : 0));
}

/* VP_E_ARGUMENT for an unsupported species. */
vp_status vp_check_species(const vp_automaton_species *species, uint32_t count, vp_error *error);

/* VP_E_ARGUMENT for a box that is not inside of a grid. */
vp_status vp_check_cell_box(vp_dims grid, vp_ivec3 low, vp_dims size, vp_error *error);

/* The fault of a cell to be written. NULL = valid. */
const char *vp_cell_fault(const vp_automaton *a, const vp_automaton_cell *cell);

/* The cell's part of the digest. */
uint64_t vp_cell_digest(const vp_automaton *a, uint32_t place, uint8_t byte, vp_automaton_cell_memory memory);

/* Makes room for that many elements, and at least doubles the room. The contents are kept. @return
 * false without memory */
bool vp_reserve(const vp_allocator *allocator, void **block, uint32_t *room, uint32_t count, size_t size);
bool vp_reserve_living(const vp_allocator *allocator, vp_living *living, uint32_t count);
/* Makes room in both arrays of keys. */
bool vp_reserve_keys(vp_automaton *a, uint32_t count);

/* Sorts keys by their upper halves. The sort is stable. @return the array with the sorted keys, 0 or 1; the input is
 * in array 0 */
uint32_t vp_sort_keys(uint64_t *const key[2], uint32_t count, uint32_t highest);

/* VP_E_ARGUMENT during a step. */
vp_status vp_check_rest(const vp_automaton *a, const char *what, vp_error *error);

#endif
