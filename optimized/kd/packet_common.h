/* SPDX-License-Identifier: MIT */
/* Shared by packets of 8 and of 16 rays. */
#ifndef VP_OPTIMIZED_KD_PACKET_COMMON_H
#define VP_OPTIMIZED_KD_PACKET_COMMON_H

#include "src/core/inline.h"
#include "optimized/kd/query.h"

#include "optimized/kd/beam.h"

enum {
    MIN_RAYS = 4,           /* rays that are worth a packet */
    MAX_LISTED = 128,       /* candidates, until they are tested exactly */
    NO_TRIANGLE = INT32_MAX /* a number that every triangle's is below */
};

/* Limits beyond which a packet is split into single rays. Camera rays at terrain stay well below. A packet that is
   wider than its triangles and leaves passes these limits soon, after a fifth to a third of the cost of single rays. */
#define MAX_SPREAD 0.25f /* of slopes; rays beyond it do not start as a packet */
enum {
    MAX_STEPS = 48,   /* wide form, two nodes each */
    MAX_WAITING = 16, /* nodes */
    MAX_LEAVES = 64,
    MAX_SLAB_VISITS = 320, /* slab form, nodes */
    MAX_VISITS = 1600      /* published form */
};

/* Result of a packet. */
typedef enum outcome {
    DONE,
    UNLIKE, /* some rays are invalid, of unusual length, or not longest along the same axis and direction */
    APART   /* valid as a packet, but their slopes differ too much */
} outcome;

/* Rays by the axis along which they are longest, the first of equal ones, and by their direction there. Bits 2k are the
   rays that go up axis k, bits 2k + 1 those that go down. Invalid rays are excluded, and rays of a length beyond 2^60
   or below 2^-60, because the powers of two that are needed may not be floats. */
typedef struct kinds_of_rays {
    uint32_t of[6];
} kinds_of_rays;

/* A quad, or a triangle, and the rays that may meet it. */
typedef struct listed {
    uint32_t item;          /* see corners_of */
    uint32_t first, second; /* rays that may meet its first and its second triangle */
} listed;

/* The corners of items, one after the other, either in the caller's vertices or decoded to a separate place. The floats
   of corner j are at offset at[j] from the first vertex or the first corner. */
typedef struct decoded {
    float corner[4][4];
} decoded;

/* In the published and the slab form `item` is the number of the sorted item. In the others it is a place in the
   order of leaves. */
VP_INLINE void corners_of(layout l, const vp_kd_view *tree, uint32_t item, decoded *to, size_t at[4])
{
    if (l == WIDE) {
        const uint32_t *v =
            tree->form == VP_KD_WIDE ? tree->item[item].vertex : tree->triangles.index + (size_t)item * (tree->triangles.quads ? 4 : 3);
        const uint32_t last = tree->form == VP_KD_WIDE || tree->triangles.quads ? 3 : 2;
        for (uint32_t j = 0; j < 4; j++)
            at[j] = (size_t)v[j < 3 ? j : last] * 3;
        return;
    }
    uint64_t word[4];
    words_of(l, tree, item, &word[0], &word[1], &word[2], &word[3]);
    store_on_grid(to->corner, word, grid_of_tree(l, tree));
    for (size_t j = 0; j < 4; j++)
        at[j] = 4 * j;
}

/* The number of a candidate in the caller's mesh. */
VP_INLINE uint32_t listed_id(layout l, const vp_kd_view *tree, uint32_t item)
{
    return l == WIDE && tree->form != VP_KD_WIDE ? item : id_of(l, tree, item);
}

/* Hides a pointer's origin from the compiler, which would compute the sum again for every vertex. */
static inline const float *as_it_is(const float *p)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(p));
#endif
    return p;
}

#endif
