/* SPDX-License-Identifier: MIT */
/* A closed surface of polygons as half-edges, and joining its faces. */
#ifndef VP_HULL_OUTLINE_H
#define VP_HULL_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/hull/surface.h"

/* Half-edges of a face follow each other, counterclockwise from outside. The last one ends where the first starts. */
typedef struct vp_outline {
    uint32_t faces;
    uint32_t edges;  /* number of half-edges, two per edge */
    uint32_t *first; /* first half-edge of each face, and one entry for the end */
    uint32_t *from;  /* start vertex of each half-edge */
    uint32_t *twin;  /* the half-edge in the other direction */
    uint32_t *face;  /* face of each half-edge */
} vp_outline;

/* The next half-edge around the face. */
static inline uint32_t vp_outline_next(const vp_outline *o, uint32_t edge)
{
    const uint32_t f = o->face[edge];
    return edge + 1 < o->first[f + 1] ? edge + 1 : o->first[f];
}

/* Whether a half-edge is between faces with different labels, that is, between different new faces. */
static inline bool vp_outline_is_border(const vp_outline *o, const uint32_t *label, uint32_t edge)
{
    return label[o->face[edge]] != label[o->face[o->twin[edge]]];
}

/* The next half-edge on the border of a new face, past the half-edges inside it. */
static inline uint32_t vp_outline_next_on_border(const vp_outline *o, const uint32_t *label, uint32_t edge)
{
    const uint32_t own = label[o->face[edge]];
    uint32_t next = vp_outline_next(o, edge);
    while (label[o->face[o->twin[next]]] == own)
        next = vp_outline_next(o, o->twin[next]);
    return next;
}

/* Words that a surface takes, and words of scratch for vp_outline_merge, with `meet`. */
static inline size_t vp_outline_words(size_t faces, size_t edges)
{
    return faces + 1 + 3 * edges;
}
static inline size_t vp_outline_scratch_words(size_t faces, size_t edges, size_t vertices)
{
    return 4 * faces + edges + 2 * vertices + 1;
}

/* Places a surface's arrays in `words`. */
void vp_outline_lay(vp_outline *o, uint32_t faces, uint32_t edges, uint32_t *words);

/* Writes the outline of triangles into an outline laid out for them. */
void vp_outline_of_triangles(const vp_hull_surface *s, vp_outline *o);

/* Cuts each face into a fan. Triangle i has the face's corners 0, i + 1 and i + 2. The triangles of a face start at
 * (half-edges before it) - 2 * (faces before it). Sets corners and neighbours of a surface with that many triangles. */
void vp_outline_cut(const vp_outline *o, vp_hull_surface *s);

/* Counts the new faces that meet at each vertex. A vertex within a new face has 0. */
void vp_outline_count_meeting(const vp_outline *o, const uint32_t *label, uint32_t vertices, uint32_t *meet);

/* Joins faces with the same label. A vertex where fewer than three new faces meet is no corner. A new face starts with
 * its lowest vertex, and new faces are sorted by that vertex, then by the second one. So the result depends only on the
 * surface, not on the order of the input. O(faces + edges + vertices).
 * @param label  of each face, below `labels`. Faces with the same label must be connected, without holes, with at least
 *               three corners.
 *               Each face must start with its lowest vertex.
 * @param vertices  upper bound of the vertex numbers
 * @param meet  of each vertex, the number of new faces that meet there, or any number below 3 if they are fewer
 * @param face_of  receives the new face of each label
 * @param out  laid out for `labels` faces and the half-edges of `in`. Its counts are set. */
void vp_outline_merge(const vp_outline *in, const uint32_t *label, uint32_t labels, uint32_t vertices, const uint32_t *meet,
                      uint32_t *scratch, uint32_t *face_of, vp_outline *out);

/* Renumbers vertices by rank among those at which half-edges start, and copies these from another surface. */
void vp_outline_keep_vertices(const vp_outline *o, const vp_hull_surface *from, uint32_t *rank, vp_hull_surface *to);

/* Numbers a polygon's corners as vertices, in the order of their points. `spare` has a word a corner. */
void vp_sort_corners(const uint32_t *corner, uint32_t corners, uint32_t *spare, uint32_t *ring, uint32_t *vertex);

/* Sorts items by their keys, which are below `keys`. The sort is stable. `start` has keys + 1 words. O(count + keys). */
void vp_sort_by_key(const uint32_t *key, uint32_t keys, const uint32_t *items, uint32_t count, uint32_t *start, uint32_t *out);

enum { VP_SORT_FEW = 64 };

/* The same for up to VP_SORT_FEW items, whose keys are `key[i]`. The keys differ and are below 2^31. O(count^2), without branches. */
void vp_sort_few(const uint32_t *key, const uint32_t *items, uint32_t count, uint32_t *out);

#endif
