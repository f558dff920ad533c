/* SPDX-License-Identifier: MIT */
/* What kernels read through pointers, as the arena has it: the same on the heap, else with every array in a
 * block of its own. */
#ifndef VP_CASES_COPIES_H
#define VP_CASES_COPIES_H

#include <voxphys/kernel/broadphase.h>
#include <voxphys/kernel/kd.h>

#include "cases/arena.h"

/* For structures that kernels read and write alike, whose pointers are not const. */
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
/* Of many trees. */
const vp_kd_view *const *vp_copy_trees(vp_arena *arena, const vp_kd_view *const *from, size_t count);

/* Lists that kernels fill: on the heap one behind the other; else each of its own, with no more room than it
 * needs. */
typedef struct vp_lists {
    void *data;
    size_t stride;     /* elements */
    uint32_t capacity; /* of each */
    void **own;        /* of each, where it lies; NULL: in `data` */
    uint32_t *room;    /* of each */
} vp_lists;

/* Where the reference is to write how many elements each list gets, as it tells it. @return NULL: lists are on the heap */
uint32_t *vp_lists_found(vp_arena *arena, size_t lists);
/* @param found  of each; NULL: on the heap */
void vp_lists_make(vp_arena *arena, size_t lists, uint32_t capacity, size_t size, size_t alignment, bool compared, const uint32_t *found,
                   vp_lists *out);

/* The capacity to give a kernel. */
static inline uint32_t vp_list_room(const vp_lists *lists, size_t i)
{
    return lists->room != NULL ? lists->room[i] : lists->capacity;
}

/* How many of a list's elements there are; what is found of a ray that is none is VP_RAY_ALL_INVALID, and no element. */
static inline uint32_t vp_list_kept(const vp_lists *lists, size_t i, uint32_t found)
{
    return found == VP_RAY_ALL_INVALID ? 0 : found < vp_list_room(lists, i) ? found : vp_list_room(lists, i);
}

#define VP_LIST(type, lists, i) ((lists).own != NULL ? (type *)(lists).own[i] : (type *)(lists).data + (i) * (lists).stride)

#endif
