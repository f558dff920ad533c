/* SPDX-License-Identifier: MIT */
/* The memory of a case. All blocks have their exact size. They are on the heap, or they end or begin at a page that must not be touched, as
 * near as the element's alignment allows.
 *
 * input:    Read by kernels. On the heap it is the data itself, at a page a read-only copy.
 * keep:     The case's own state, which lives from step to step. Zeroed once.
 * scratch:  Poisoned before each step. Its contents after a step mean nothing.
 * output:   Poisoned before each step. Each bit that the reference writes must count in the records.
 * lists:    `lists` outputs, each followed by bytes that must not be written.
 *
 * None of these functions returns NULL. Without memory the program ends with a message. Only requests of objects to vp_arena_allocator can
 * be refused. `slack` is the number of elements past the end that the contract lets kernels read (input) or write (output). */
#ifndef VP_CASES_ARENA_H
#define VP_CASES_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/memory.h>
#include <voxphys/status.h>

typedef struct vp_arena vp_arena;

/* `from` must outlive the arena and have the slack too. */
const void *vp_arena_input(vp_arena *arena, const void *from, size_t count, size_t size, size_t alignment, size_t slack);
void *vp_arena_keep(vp_arena *arena, size_t count, size_t size, size_t alignment);
void *vp_arena_scratch(vp_arena *arena, size_t count, size_t size, size_t alignment);
void *vp_arena_output(vp_arena *arena, size_t count, size_t size, size_t alignment, size_t slack);
/* @param compared  false = the contract leaves open which elements a full list has
 * @param stride    elements from one list to the next, 0 = default (returned) */
void *vp_arena_lists(vp_arena *arena, size_t lists, size_t capacity, size_t size, size_t alignment, bool compared, size_t *stride);
/* The allocator for objects. Its blocks are guarded like all others. */
const vp_allocator *vp_arena_allocator(vp_arena *arena);
/* Whether inputs are copies. Then arrays that an input points to must be copied too. */
bool vp_arena_copies(const vp_arena *arena);

/* Returns the program's own memory. If it is NULL, ends the program with a message. */
void *vp_must(void *memory, size_t bytes);

/* ---- the harness's side ---- */

typedef enum vp_arena_place { VP_PLACE_HEAP, VP_PLACE_END, VP_PLACE_BEGIN, VP_PLACE_COUNT } vp_arena_place;

typedef struct vp_arena_plan {
    vp_arena_place place;
    uint8_t poison;  /* fills the requests of objects, and slack */
    uint32_t refuse; /* number of the object request to refuse, 0 = none */
} vp_arena_plan;

vp_arena *vp_arena_create(const vp_arena_plan *plan);
/* @return VP_E_FORMAT if bytes outside a block were written, or objects are left */
vp_status vp_arena_destroy(vp_arena *arena, vp_error *error);
/* Fills scratch and outputs with a value that no answer has. */
void vp_arena_poison(vp_arena *arena, uint8_t with);
/* @return VP_E_FORMAT if an input or bytes outside a block were written */
vp_status vp_arena_inspect(const vp_arena *arena, vp_error *error);
/* The number of requests by objects, and whether one was refused. */
uint32_t vp_arena_requests(const vp_arena *arena);
bool vp_arena_refused(const vp_arena *arena);
/* Whether an address is in one of the arena's forbidden pages. */
bool vp_arena_forbids(const vp_arena *arena, const void *address);

/* An output with parts of `used` bytes, `stride` apart. */
typedef struct vp_arena_bytes {
    uint8_t *data;
    size_t bytes, used, stride;
} vp_arena_bytes;
/* The i-th output of all. @return false past the end */
bool vp_arena_output_at(const vp_arena *arena, size_t i, vp_arena_bytes *out);

#endif
