/* SPDX-License-Identifier: MIT */
/* A case's memory, of exact sizes: on the heap, or ending or beginning at a page that can't be touched, at
 * the element's alignment.
 *
 * input:   what kernels read. On the heap it is the data itself; at a page a copy, which nothing may write
 * keep:    the case's own, and what lives from step to step; zeroed, then left alone
 * scratch: poisoned before each step; what is left in it means nothing
 * output:  poisoned before each step; each bit that the reference writes is an answer that records must have
 * lists:   `lists` outputs, each followed by bytes that nothing may write
 *
 * None of these returns NULL: without memory the program ends with a message. What can be refused is what
 * objects ask of vp_arena_allocator. `slack`: elements behind the last that the contract lets kernels read,
 * of an input, or write. */
#ifndef VP_CASES_ARENA_H
#define VP_CASES_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/memory.h>
#include <voxphys/status.h>

typedef struct vp_arena vp_arena;

/* `from` outlives the arena, and has the slack too. */
const void *vp_arena_input(vp_arena *arena, const void *from, size_t count, size_t size, size_t alignment, size_t slack);
void *vp_arena_keep(vp_arena *arena, size_t count, size_t size, size_t alignment);
void *vp_arena_scratch(vp_arena *arena, size_t count, size_t size, size_t alignment);
void *vp_arena_output(vp_arena *arena, size_t count, size_t size, size_t alignment, size_t slack);
/* @param compared  false: the contract leaves open which elements are in a list that is full
   @param stride    elements from one list to the next; 0: what is usual */
void *vp_arena_lists(vp_arena *arena, size_t lists, size_t capacity, size_t size, size_t alignment, bool compared, size_t *stride);
/* Of objects: their blocks are guarded like everything else. */
const vp_allocator *vp_arena_allocator(vp_arena *arena);
/* Whether inputs are copies: what lies behind pointers of an input must be copied too. */
bool vp_arena_copies(const vp_arena *arena);

/* A program's own memory: NULL ends it, with a message. */
void *vp_must(void *memory, size_t bytes);

/* ---- the harness's side ---- */

typedef enum vp_place { VP_PLACE_HEAP, VP_PLACE_END, VP_PLACE_BEGIN, VP_PLACE_COUNT } vp_place;

typedef struct vp_arena_plan {
    vp_place place;
    uint8_t poison;  /* of what objects ask for, and of slack */
    uint32_t refuse; /* which request of objects gets NULL; 0: none */
} vp_arena_plan;

vp_arena *vp_arena_create(const vp_arena_plan *plan);
/* @return VP_E_FORMAT if anything was written beside its block, or objects are left */
vp_status vp_arena_destroy(vp_arena *arena, vp_error *error);
/* Fills scratch and outputs with what no answer is. */
void vp_arena_poison(vp_arena *arena, uint8_t with);
/* @return VP_E_FORMAT if an input was written, or anything beside its block */
vp_status vp_arena_inspect(const vp_arena *arena, vp_error *error);
/* How many requests objects have made, and whether one was refused. */
uint32_t vp_arena_requests(const vp_arena *arena);
bool vp_arena_refused(const vp_arena *arena);
/* Whether an address is in one of its forbidden pages. */
bool vp_arena_forbids(const vp_arena *arena, const void *address);

/* An output: parts of `used` bytes, `stride` apart. */
typedef struct vp_arena_bytes {
    uint8_t *data;
    size_t bytes, used, stride;
} vp_arena_bytes;
/* The i-th of all; false: there are no more. */
bool vp_arena_output_at(const vp_arena *arena, size_t i, vp_arena_bytes *out);

#endif
