/* SPDX-License-Identifier: MIT */
/* Early bounds of the depths of a large box's answers on a terrain (correct.c). */
#ifndef VP_NARROWPHASE_EARLY_H
#define VP_NARROWPHASE_EARLY_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/narrowphase.h>

#include "src/narrowphase/manifold_internal.h"

/* An answer that overlaps, and is bounded. */
typedef struct vp_early_answer {
    float depth, bound; /* the kernel's depth, and a lower bound of the depth along any normal that it can get. Both 0 = unknown */
    float reach[6];     /* how far the triangle reaches into the box from each side, 2 * axis + (whether from the side at the axis' end) */
} vp_early_answer;

/* An answer that clears others. */
typedef struct vp_early_clearing {
    uint32_t number, side; /* the side through which it moves them farthest */
    float depth, way;      /* way: through the side, 0 = unknown */
} vp_early_clearing;

typedef struct vp_early_bounds {
    const vp_collide_job *job;
    float radius;
    const vp_vec3 *normal;   /* [job->count] of the triangles, in the shape's frame. NULL = there are no bounds */
    const uint32_t *pair;    /* [3 * job->count] */
    vp_early_answer *answer; /* [job->count] */
    uint8_t *marks;          /* VP_MANIFOLD_..., of the work */
} vp_early_bounds;

/* Words of memory for each triangle. */
enum { VP_EARLY_WORDS = 22 };

/* Prepares the bounds if the shape is a box.
 * @param words  [VP_EARLY_WORDS * job->count], aligned to 8 bytes, used as long as answers are cleared */
void vp_begin_early(vp_early_bounds *early, const vp_collide_job *job, uint8_t *marks, uint32_t *words);

/* Fills early->answer[number] if the answer overlaps, does not keep the kernel's normal, and has a bound above the kernel's depth.
 * @return whether it was filled */
bool vp_find_early(const vp_early_bounds *early, uint32_t number);

vp_early_clearing vp_begin_clearing(const vp_early_bounds *early, uint32_t number);

/* Kept contacts with the same normal. A deeper one clears all that a shallower one clears, so only one of them has to be tested. */
typedef struct vp_same_normals {
    uint32_t slots;  /* 0 = not used */
    vp_vec3 *normal; /* [slots], the last one with this hash */
    uint32_t *last;  /* [slots], its number */
    float *deeper;   /* [count], the depth of the next one with the same normal, otherwise infinity */
} vp_same_normals;

/* @param used  words of the contacts' memory that are in use */
static inline void vp_begin_same_normals(vp_same_normals *same, vp_manifold_work *work, size_t used, uint32_t count)
{
    same->slots = count;
    if (count == 0)
        return;
    static_assert((4 + VP_EARLY_WORDS + 5) * sizeof(uint32_t) <= VP_CONTACTS_A_TRIANGLE * sizeof *work->contact, "keys and bounds fit too");
    uint32_t *const words = (uint32_t *)(void *)work->contact + used;
    same->normal = (vp_vec3 *)(void *)words;
    same->last = words + (size_t)3 * count;
    same->deeper = (float *)(void *)(same->last + count);
    memset(same->normal, 0, count * sizeof *same->normal);
}

/* Adds the contact with the next number, which is not shallower than the others. */
static inline void vp_add_same_normal(vp_same_normals *same, uint32_t number, vp_vec3 normal, float depth)
{
    if (same->slots == 0)
        return;
    const uint32_t slot = vp_slot_of(vp_hash_place(normal), same->slots);
    if (vp_is_same_place(same->normal[slot], normal))
        same->deeper[same->last[slot]] = depth;
    same->normal[slot] = normal;
    same->last[slot] = number;
    same->deeper[number] = INFINITY;
}

/* Whether another contact with the same normal has a depth below max, and is not shallower. */
static inline bool vp_has_deeper(const vp_same_normals *same, uint32_t number, double max)
{
    return same->slots != 0 && (double)same->deeper[number] < max;
}

/* Contacts that cleared others, the last one first. */
enum { VP_RECENT = 8 };
typedef struct vp_recent_clearings {
    uint32_t count;
    vp_early_clearing clearing[VP_RECENT];
    const vp_early_bounds *early;
} vp_recent_clearings;

/* Puts a contact before the other ones. @param at  its place so far, count = none */
static inline void vp_remember_clearing(vp_recent_clearings *recent, uint32_t at, uint32_t number)
{
    if (at == 0 && recent->count > 0)
        return;
    const vp_early_clearing first = at < recent->count              ? recent->clearing[at]
                                    : recent->early->normal != NULL ? vp_begin_clearing(recent->early, number)
                                                                    : (vp_early_clearing){.number = number};
    recent->count += at == recent->count && at < VP_RECENT;
    memmove(recent->clearing + 1, recent->clearing, (at < VP_RECENT ? at : VP_RECENT - 1) * sizeof first);
    recent->clearing[0] = first;
}

/* Whether a recent contact surely clears a bounded answer. */
static inline bool vp_is_cleared_early(vp_recent_clearings *recent, uint32_t number)
{
    if (recent->early->normal == NULL)
        return false;
    const vp_early_answer *answer = &recent->early->answer[number];
    for (uint32_t i = 0; i < recent->count; i++) {
        const vp_early_clearing *by = &recent->clearing[i];
        if (by->depth >= answer->depth && by->depth < answer->bound && answer->reach[by->side] <= by->way) {
            vp_remember_clearing(recent, i, by->number);
            return true;
        }
    }
    return false;
}

#endif
