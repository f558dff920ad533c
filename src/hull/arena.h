/* SPDX-License-Identifier: MIT */
/* Memory that is taken piece by piece while a hull is built, and released all at once. */
#ifndef VP_HULL_ARENA_H
#define VP_HULL_ARENA_H

#include <stddef.h>

#include <voxphys/memory.h>

struct vp_arena_piece;

/* Pieces come from the block at `at` until it is used up, then from the allocator. The caller sets the allocator and,
 * if it has one, the block. */
typedef struct vp_hull_arena {
    const vp_allocator *allocator;
    char *next; /* 64-byte aligned */
    size_t bytes_left;
    struct vp_arena_piece *last;
} vp_hull_arena;

/* Bytes that a piece takes from the block. */
static inline size_t vp_arena_rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Takes a piece, 64-byte aligned. @return NULL without memory */
void *vp_arena_take(vp_hull_arena *arena, size_t bytes);

/* Returns the last piece to the block. A piece from the allocator stays until the arena is released. */
void vp_arena_give_back(vp_hull_arena *arena, void *piece, size_t bytes);

/* Frees all pieces from the allocator. */
void vp_arena_release(vp_hull_arena *arena);

#endif
