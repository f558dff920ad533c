/* SPDX-License-Identifier: MIT */
/* Copies structures that kernels read through pointers. On the heap the copy is the original. Otherwise every array gets its own block. */
#ifndef VP_CASES_COPIES_H
#define VP_CASES_COPIES_H

#include <voxphys/kernel/broadphase.h>
#include <voxphys/kernel/kd.h>

#include "cases/arena.h"

/* For structures that kernels both read and write, whose pointers are not const. */
static inline void *vp_unconst(const void *pointer)
{
    union {
        const void *in;
        void *out;
    } as = {pointer};
    return as.out;
}

vp_triangles vp_copy_triangles(vp_arena *arena, const vp_triangles *from);
vp_broadphase_view vp_copy_broadphase(vp_arena *arena, const vp_broadphase_view *from);
const vp_kd_view *vp_copy_tree(vp_arena *arena, const vp_kd_view *from);
/* Copies many trees. */
const vp_kd_view *const *vp_copy_trees(vp_arena *arena, const vp_kd_view *const *from, size_t count);

/* Lists that kernels fill. On the heap they follow each other. Otherwise each has its own block of exactly the needed capacity. */
typedef struct vp_lists {
    void *data;
    size_t stride;     /* elements */
    uint32_t capacity; /* of each list */
    void **own;        /* start of each list, NULL = in `data` */
    uint32_t *room;    /* capacity of each list */
} vp_lists;

/* Returns the array for the number of elements that the reference finds for each list. @return NULL if lists are on the heap */
uint32_t *vp_lists_found(vp_arena *arena, size_t lists);
/* @param found  elements of each list, NULL = on the heap */
void vp_lists_make(vp_arena *arena, size_t lists, uint32_t capacity, size_t size, size_t alignment, bool compared, const uint32_t *found,
                   vp_lists *out);

/* The capacity to pass to a kernel. */
static inline uint32_t vp_list_room(const vp_lists *lists, size_t i)
{
    return lists->room != NULL ? lists->room[i] : lists->capacity;
}

/* The number of valid elements of a list. An invalid ray has VP_RAY_ALL_INVALID as `found`, and no element. */
static inline uint32_t vp_list_kept(const vp_lists *lists, size_t i, uint32_t found)
{
    return found == VP_RAY_ALL_INVALID ? 0 : found < vp_list_room(lists, i) ? found : vp_list_room(lists, i);
}

/* Defines a `make` that calls another one and then adds a list of `element` for each of w->count questions. `reference` finds the number of
 * elements of list i. w is the work, with the members `list` and `found`. */
#define VP_MAKE_LISTS(name, begin, type, element, capacity, compared, reference)                                                           \
    static vp_status name(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)                             \
    {                                                                                                                                      \
        const vp_status status = begin(data, variant, arena, out, error);                                                                  \
        type *w = *out;                                                                                                                    \
        if (status != VP_OK)                                                                                                               \
            return status;                                                                                                                 \
        uint32_t *right = vp_lists_found(arena, w->count);                                                                                 \
        for (uint32_t i = 0; right != NULL && i < w->count; i++)                                                                           \
            right[i] = reference;                                                                                                          \
        vp_lists_make(arena, w->count, capacity, sizeof(element), alignof(element), compared, right, &w->list);                            \
        w->found = vp_arena_output(arena, w->count, sizeof *w->found, alignof(uint32_t), 0);                                               \
        return VP_OK;                                                                                                                      \
    }

#define VP_LIST(type, lists, i) ((lists).own != NULL ? (type *)(lists).own[i] : (type *)(lists).data + (i) * (lists).stride)

#endif
