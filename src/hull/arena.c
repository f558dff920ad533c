/* SPDX-License-Identifier: MIT */
/* See hull/arena.h. */
#include "src/hull/arena.h"

#include "src/core/memory.h"

/* Header of a piece from the allocator. */
typedef struct vp_arena_piece {
    struct vp_arena_piece *before;
    size_t bytes; /* including this header */
} arena_piece;

void *vp_arena_take(vp_hull_arena *a, size_t bytes)
{
    const size_t rounded = vp_arena_rounded(bytes), header = vp_arena_rounded(sizeof(arena_piece));
    if (rounded <= a->bytes_left) {
        void *taken = a->next;
        a->next += rounded;
        a->bytes_left -= rounded;
        return taken;
    }
    arena_piece *p = vp_allocate(a->allocator, header + rounded, 1);
    if (p == NULL)
        return NULL;
    *p = (arena_piece){a->last, header + rounded};
    a->last = p;
    return (char *)p + header;
}

void vp_arena_give_back(vp_hull_arena *a, void *taken, size_t bytes)
{
    const size_t rounded = vp_arena_rounded(bytes);
    if ((char *)taken + rounded == a->next) {
        a->next = taken;
        a->bytes_left += rounded;
    }
}

void vp_arena_release(vp_hull_arena *a)
{
    while (a->last != NULL) {
        arena_piece *p = a->last;
        a->last = p->before;
        vp_release(a->allocator, p, p->bytes, 1);
    }
}
