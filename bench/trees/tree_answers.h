/* SPDX-License-Identifier: MIT */
/* What the reference answers to a set of rays or boxes, and how a library's answers differ from it.
 *
 * For boxes there is one right answer. Libraries' rays are not exact: some pass between triangles that share an edge, some
 * meet another triangle than ours because both are equally near, and where a ray begins on a triangle, that is a hit for us and
 * none for them. Such differences are counted, each kind apart, so that they can be shown beside the figures; where they are
 * too many, something else is wrong. */
#ifndef VP_BENCH_TREE_ANSWERS_H
#define VP_BENCH_TREE_ANSWERS_H

#include "bench/peers/tree_peer.h"
#include "bench/suite.h"

/* Of rays: for each. Of boxes: the list of each. */
typedef struct vp_tree_answers {
    vp_tree_hit *hit;
    vp_tree_hit *beyond; /* where the hit is at the origin: what is behind it, or none */
    size_t *list_end;    /* of each box, in `list` */
    uint32_t *list;
    uint32_t *mark;      /* scratch, one a triangle of the largest mesh */
    uint32_t triangles;  /* of the largest mesh */
} vp_tree_answers;

/* By the scalar kernels, on trees of the wide form. */
vp_status vp_tree_answer_rays(const vp_suite_set *workload, vp_tree_answers *out, vp_error *error);
vp_status vp_tree_answer_boxes(const vp_suite_set *workload, vp_tree_answers *out, vp_error *error);
void vp_tree_answers_destroy(vp_tree_answers *answers);

/* Hits at most so far from a ray's origin are at the origin. */
#define VP_TREE_AT_ORIGIN 1e-6
/* Hits that are at most so far apart are the same; beyond a distance of 1, so much of the distance. */
#define VP_TREE_SAME_HIT 1e-4
/* So many answers may differ, and of 1000 hits so many more, not counting rays that begin on a triangle. What libraries show is at
   most 1.6 of 1000 (of the rays that are asked after a build); a tree that lacks one triangle of each chunk is beyond 4. */
#define VP_TREE_SOME_DIFFERENT 4
#define VP_TREE_MAX_DIFFERENT 2

/* Rays by how their answer differs; each is counted once. */
typedef struct vp_tree_differences {
    uint64_t rays, hits; /* all, and those that meet something by the reference */
    uint64_t lost;       /* meet something, but not by the library */
    uint64_t gained;     /* the other way round */
    uint64_t moved;      /* meet something elsewhere, or what is no triangle */
    uint64_t neighbour;  /* meet another triangle at the same place */
    uint64_t at_origin;  /* begin on a triangle; the library leaves it out and answers rightly for what is behind it */
} vp_tree_differences;

/* Compares the first asked->rays->count rays. `meshes` are those that the answers are for. */
vp_tree_differences vp_tree_compare_rays(const vp_tree_answers *answers, const vp_mesh_set *meshes,
                                         const vp_tree_asked *asked);
bool vp_tree_acceptable(const vp_tree_differences *differences);
/* "hits=equal", or "hits differ: 12 of 262144 lost, 3 gained" */
void vp_tree_differences_text(const vp_tree_differences *differences, char *text, size_t bytes);

/* How many boxes have another list than the reference's; of VP_TREE_BOX_LEAVES, one that lacks a triangle of it. A list that does
   not fit, or that has a triangle twice, is another one. */
uint64_t vp_tree_compare_boxes(const vp_tree_answers *answers, const vp_mesh_set *meshes, const vp_tree_asked *asked);

#endif
