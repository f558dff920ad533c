/* SPDX-License-Identifier: MIT */
/* Prepares a ray for the wide form of the loose kD tree, and prefetches a small tree. Part of optimized/kd/wide.h. */
#ifndef VP_OPTIMIZED_KD_WIDE_RAY_H
#define VP_OPTIMIZED_KD_WIDE_RAY_H

#include <voxphys/kernel/kd.h>

#include "src/core/inline.h"
#include "src/kd/corners.h"
#include "src/kd/ray_triangle.h"

/* ---- prefetch ---- */

enum { MAX_ITEMS_OF_SMALL = 512 };

static inline bool is_small(const vp_kd_view *tree)
{
    return vp_kd_item_count(&tree->triangles) <= MAX_ITEMS_OF_SMALL;
}

static inline void ask_for_line(uintptr_t address)
{
    __builtin_prefetch((const void *)address);
}

/* Prefetches four lines at a time. A prefetch past the end does no harm. */
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

/* Prefetches a small tree's nodes, items and vertices. Successive rays or boxes often belong to different chunks. Each
   goes from the root to a node, to its items, to their vertices, and waits for memory each time. Nodes take about 22
   bytes an item. */
static inline void ask_for_tree(const vp_kd_view *tree)
{
    const size_t items = vp_kd_item_count(&tree->triangles);
    if (!is_small(tree))
        return;
    if (tree->form != VP_KD_WIDE) { /* mostly one contiguous piece, with the vertices at the end, about 1.25 an item */
        const size_t before = (uintptr_t)tree->within - (uintptr_t)tree->line, most = items * 32 + 1024;
        if (before <= most)
            ask_for(tree->line, before + items * (tree->form == VP_KD_PACKED ? 8 : 4));
        return;
    }
    ask_for(tree->wide, items * 22);
    ask_for(tree->item, items * sizeof *tree->item);
    ask_for(tree->triangles.vertex, tree->triangles.vertex_count <= 2 * items ? tree->triangles.vertex_count * sizeof(vp_vec3) : 0);
}

/* ---- a ray ---- */

/* A ray, ready for the faces of one tree. For each axis it has the place, in floats, of the faces that it reaches first
   in a node, the coordinate they are measured from, and both for the faces that it reaches last. */
typedef struct ray_units {
    float against[4], from_near[4], from_far[4]; /* against is -1/direction */
} ray_units;

typedef struct wide_ray {
    vp_ray_frame frame;
    ray_units world;
    uint32_t near_face[4], far_face[4];
} wide_ray;

enum { TO_HIGH = 3 * VP_KD_WIDTH };

/* For a sphere, faces are moved by its radius too. The rounding of both is below the pad's allowance, if the pad
   includes the radius. */
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
        out->world.against[k] = -1.0f / out->frame.direction[k];
        out->world.from_near[k] = back ? high : low;
        out->world.from_far[k] = back ? low : high;
        out->near_face[k] = VP_KD_WIDTH * k + (back ? TO_HIGH : 0);
        out->far_face[k] = VP_KD_WIDTH * k + (back ? 0 : TO_HIGH);
#ifdef VP_LANES_FUSED
        out->world.from_near[k] *= out->world.against[k];
        out->world.from_far[k] *= out->world.against[k];
#endif
    }
    return true;
}

/* A ray among the faces of a packed or an implied tree. These faces are integer multiples of a step, counted from the
   lowest corner of the tree's box, so the ray is moved there and measured in steps. Scaling by a power of two rounds
   nothing. New are one rounding where the ray is moved, and one where faces were put into bytes, 2 u M each. 24 u M of
   the 32 u M of vp_ray_pad were needed, and 28 u M are now. -step/direction may be infinite where -1/direction is not,
   for directions below 2^-94 of the longest. Along that axis such a ray moves by less than u M in total. A face of a
   box that holds a hit lies on the right side of the place it is measured from, by some u M at least. So the infinite
   parameter has the right sign, and cuts nothing. */
static inline ray_units plain_units_of(const vp_kd_view *tree, const wide_ray *r)
{
    const float low[3] = {tree->box.min.x, tree->box.min.y, tree->box.min.z};
    const vp_kd_faces faces = vp_kd_faces_of(&tree->box);
    ray_units u;
    for (int k = 0; k < 3; k++) {
        u.against[k] = r->world.against[k] * faces.step[k];
        u.from_near[k] = (r->world.from_near[k] - low[k]) * faces.inverse[k];
        u.from_far[k] = (r->world.from_far[k] - low[k]) * faces.inverse[k];
    }
    return u;
}

#ifdef VP_LANES_RAY_SETUP
#include VP_LANES_RAY_SETUP
#else
#define wide_ray_of plain_wide_ray
#define units_of    plain_units_of
#endif

/* The parameters at which a ray reaches eight faces. Fused to one operation where one rounding instead of two is
   allowed, which is in no kernel of the registry. `from` is then the origin of the measurement times `against`. */
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
