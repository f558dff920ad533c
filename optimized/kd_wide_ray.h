/* SPDX-License-Identifier: MIT */
/* A ray made ready for the wide form of the loose kD tree, and what is asked for before it is needed. Part of kd_wide.h. */
#ifndef VP_OPTIMIZED_KD_WIDE_RAY_H
#define VP_OPTIMIZED_KD_WIDE_RAY_H

#include <voxphys/kernels.h>

#include "core/inline.h"
#include "core/ray_triangle.h"

/* ---- what is asked for before it is needed ---- */

enum { MOST_ITEMS_OF_SMALL = 512 };

static inline bool is_small(const vp_kd_view *tree)
{
    return vp_kd_item_count(&tree->triangles) <= MOST_ITEMS_OF_SMALL;
}

static inline void ask_for_line(uintptr_t address)
{
    __builtin_prefetch((const void *)address);
}

/* By four lines: to ask for what is behind the end does no harm. */
static inline void ask_for(const void *memory, size_t bytes)
{
    const uintptr_t end = (uintptr_t)memory + bytes;
    for (uintptr_t at = (uintptr_t)memory; at < end; at += 256) {
        ask_for_line(at);
        ask_for_line(at + 64);
        ask_for_line(at + 128);
        ask_for_line(at + 192);
    }
}

/* A small tree's nodes, items and vertices, asked for at once: one ray or box after another is of another chunk, and goes from the
   root to a node, to its items, to their vertices, each time waiting for memory. Nodes are about 22 bytes an item. */
static inline void ask_for_tree(const vp_kd_view *tree)
{
    const size_t items = vp_kd_item_count(&tree->triangles);
    if (!is_small(tree))
        return;
    ask_for(tree->wide, items * 22);
    ask_for(tree->item, items * sizeof *tree->item);
    ask_for(tree->triangles.vertex, tree->triangles.vertex_count <= 2 * items ? tree->triangles.vertex_count * sizeof(vp_vec3) : 0);
}

/* ---- a ray ---- */

/* A ray, ready for the faces of one tree: of each axis, where the faces that it reaches first are in a node, in floats,
   and where they are measured from; and those that it reaches last. */
typedef struct wide_ray {
    vp_ray_frame frame;
    float against[4], from_near[4], from_far[4]; /* against: -1/direction */
    uint32_t near_face[4], far_face[4];
} wide_ray;

enum { TO_HIGH = 3 * VP_KD_WIDTH };

/* For a sphere of that radius faces are moved by it too: the rounding of both is below what the pad allows for, if the
   radius counts in it. */
static inline float pad_of(const vp_kd_view *tree, const vp_ray_frame *frame, float radius)
{
    const float pad = vp_ray_pad(frame, &tree->box);
    return radius > 0.0f ? (pad + radius * 0x1p-19f) + radius : pad;
}

static inline bool plain_wide_ray(const vp_kd_view *tree, const vp_ray *ray, float radius, wide_ray *out)
{
    if (!vp_ray_frame_of(ray, &out->frame))
        return false;
    const float pad = pad_of(tree, &out->frame, radius);
    for (uint32_t k = 0; k < 3; k++) {
        const float low = out->frame.origin[k] + pad, high = out->frame.origin[k] - pad;
        const bool back = signbit(out->frame.direction[k]) != 0;
        out->against[k] = -1.0f / out->frame.direction[k];
        out->from_near[k] = back ? high : low;
        out->from_far[k] = back ? low : high;
        out->near_face[k] = VP_KD_WIDTH * k + (back ? TO_HIGH : 0);
        out->far_face[k] = VP_KD_WIDTH * k + (back ? 0 : TO_HIGH);
#ifdef VP_LANES_FUSED
        out->from_near[k] *= out->against[k];
        out->from_far[k] *= out->against[k];
#endif
    }
    return true;
}

#ifdef VP_LANES_RAY_SETUP
#include VP_LANES_RAY_SETUP
#else
#define wide_ray_of plain_wide_ray
#endif

/* The parameters at which a ray reaches eight faces. In one operation where it is allowed to round once instead of twice, which
   no kernel of the registry is: `from` is then what the place to measure from is times `against`. */
#ifdef VP_LANES_FUSED
static inline f8 reach8(f8 face, f8 from, f8 against)
{
    return f8_less_mul(from, face, against);
}
#else
static inline f8 reach8(f8 face, f8 from, f8 against)
{
    return f8_mul(f8_sub(from, face), against);
}
#endif

#endif
