/* SPDX-License-Identifier: MIT */
/* Memory that is taken piece by piece while a hull is made, and released together. */
#ifndef VP_HULL_ARENA_H
#define VP_HULL_ARENA_H

#include <stddef.h>

#include <voxphys/memory.h>

struct vp_arena_piece;

/* Pieces come from what is there as long as it lasts, then from the allocator. Set what is there, if anything, and the allocator. */
typedef struct vp_arena {
    const vp_allocator *allocator;
    char *at; /* 64-byte aligned */
    size_t left;
    struct vp_arena_piece *last;
} vp_arena;

/* Bytes that a piece takes of what is there. */
static inline size_t vp_arena_rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* A piece, 64-byte aligned. @return NULL if there is no memory */
void *vp_arena_take(vp_arena *arena, size_t bytes);

/* Gives back the piece that was taken last, if it was of what was there; else it stays taken. */
void vp_arena_give_back(vp_arena *arena, void *piece, size_t bytes);

/* Frees what came from the allocator. */
void vp_arena_release(vp_arena *arena);

#endif
