/* SPDX-License-Identifier: MIT */
/* A closed surface of polygons as half-edges, and what it is when some of its faces are one. */
#ifndef VP_HULL_OUTLINE_H
#define VP_HULL_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/hull/surface.h"

/* Half-edges of a face lie one behind the other, counterclockwise seen from outside; the last one ends where the first begins. */
typedef struct vp_outline {
    uint32_t faces;
    uint32_t edges;  /* half-edges: two an edge */
    uint32_t *first; /* of each face, its first half-edge; one more for the end */
    uint32_t *from;  /* of each half-edge, the vertex it begins at */
    uint32_t *twin;  /* the one that runs the other way */
    uint32_t *face;  /* the face that it belongs to */
} vp_outline;

/* The half-edge behind another around its face. */
static inline uint32_t vp_outline_next(const vp_outline *o, uint32_t edge)
{
    const uint32_t f = o->face[edge];
    return edge + 1 < o->first[f + 1] ? edge + 1 : o->first[f];
}

/* Whether a half-edge is between faces with different labels, which are what faces become. */
static inline bool vp_outline_is_border(const vp_outline *o, const uint32_t *label, uint32_t edge)
{
    return label[o->face[edge]] != label[o->face[o->twin[edge]]];
}

/* The border's half-edge behind another around a new face: past those that are inside it. */
static inline uint32_t vp_outline_next_on_border(const vp_outline *o, const uint32_t *label, uint32_t edge)
{
    uint32_t next = vp_outline_next(o, edge);
    while (!vp_outline_is_border(o, label, next))
        next = vp_outline_next(o, o->twin[next]);
    return next;
}

/* Words that a surface takes, and words of scratch that merging needs. */
static inline size_t vp_outline_words(size_t faces, size_t edges)
{
    return faces + 1 + 3 * edges;
}
static inline size_t vp_outline_scratch_words(size_t faces, size_t edges, size_t vertices)
{
    return 4 * faces + edges + 2 * vertices + 1;
}

/* Lays a surface's arrays into words. */
void vp_outline_lay(vp_outline *o, uint32_t faces, uint32_t edges, uint32_t *words);

/* The outline of triangles; it is laid out for them. */
void vp_outline_of_triangles(const vp_hull_surface *s, vp_outline *o);

/* Cuts each face into a fan of triangles: of a face's corners 0, i + 1 and i + 2 are its triangle i. The triangles of a face begin at
   (half-edges before it) - 2*(faces before it). Corners and neighbours of a surface with as many triangles are set. */
void vp_outline_cut(const vp_outline *o, vp_hull_surface *s);

/* The surface that is left when faces with the same label become one. Vertices where fewer than three of the new faces meet are
   corners of none. New faces begin with their lowest vertex, and come in order of that, then of the second one: what comes out
   depends on what the surface is, not on how it was given.
     label     of each face, below `labels`; each set is connected, without holes, and has three corners at least
     vertices  no vertex is as high
     face_of   out: of each label, the new face
     out       laid out for `labels` faces and for as many half-edges as `in` has; its counts are set
   O(faces + edges + vertices). */
void vp_outline_merge(const vp_outline *in, const uint32_t *label, uint32_t labels, uint32_t vertices, uint32_t *scratch, uint32_t *face_of,
                      vp_outline *out);

/* Sorts items by what `key` has for each, below `keys`, and keeps the order of equal ones. `start` has a word a key and one
   more. O(count + keys). */
void vp_sort_by_key(const uint32_t *key, uint32_t keys, const uint32_t *items, uint32_t count, uint32_t *start, uint32_t *out);

#endif
