/* SPDX-License-Identifier: MIT */
/* What a decomposition works on. */
#ifndef VP_DECOMPOSE_INTERNAL_H
#define VP_DECOMPOSE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/decompose.h>

#include "src/hull/arena.h"

/* The mesh as the graph is made of it: its vertices joined, its triangles in the order of their vertices. */
typedef struct vp_decompose_mesh {
    vp_vec3 *vertex;
    uint32_t *input_point; /* of each vertex, the first input point in that place */
    uint32_t (*triangle)[3];
    uint32_t *input_triangle; /* the first input triangle that it is */
    uint32_t *node_of;        /* of each input triangle, where it goes */
    double (*normal)[3];      /* of length 1; of degenerate ones 0 */
    double *area;             /* likewise */
    uint32_t (*edge)[2];      /* of the graph: triangles, the lower first; ascending */
    uint32_t edges;
    vp_decomposition_input input;
} vp_decompose_mesh;

/* A node: a hull that is there, or that was. */
typedef struct vp_decompose_node {
    uint32_t *vertex; /* what the hull is of, ascending; NULL once it has merged */
    uint32_t vertices;
    uint32_t *edge; /* some of them are removed */
    uint32_t edges;
    uint32_t parent; /* what it has become; VP_DECOMPOSE_NONE while it lives */
    uint32_t first;  /* the lowest triangle that it is of */
    double area;     /* of one side */
    vp_aabb box;
    double error;
    uint64_t step;
    vp_decomposition_by by;
} vp_decompose_node;

/* An edge of the graph. */
typedef struct vp_decompose_link {
    uint32_t node[2]; /* the lower first */
    uint32_t place;   /* in the queue; VP_DECOMPOSE_NONE */
    bool removed;
    bool refused; /* by a ray, for good */
    vp_decomposition_by by;
    uint32_t sample; /* of BY_RAY */
    uint32_t dimension;
    double error, diagonal;
    double order[2]; /* both, rounded to the quantization and counted by it */
} vp_decompose_link;

/* What a recorder has been told of. */
typedef struct vp_decompose_recording {
    const vp_recorder *to;                                                /* NULL: there is none */
    uint32_t hulls, surface, both, ray, decisions, queue, figures, input; /* layers */
    double scale, error_scale;                                            /* steps a unit */
    bool has_both;                                                        /* the last frame shows what the two would have become */
} vp_decompose_recording;

/* A decomposition that is being made. */
typedef struct vp_decomposing {
    const vp_decomposition_def *def;
    vp_kernels kernels;
    vp_allocator allocator;
    vp_arena memory; /* of what stays until the end */
    vp_decomposition_lengths lengths;
    float tolerance; /* the quantization, for hulls */
    vp_decompose_mesh mesh;
    vp_surface_samples samples;
    uint32_t *sample_triangle; /* of each sample */
    uint32_t sample_count;
    vp_decompose_node *node;
    uint32_t nodes, living;
    vp_decompose_link *link;
    uint32_t *queue; /* a heap of links */
    uint32_t queued;
    uint32_t *seen; /* of each node: a link to it */
    uint32_t *due;  /* links whose errors are to be found */
    vp_status *found;
    uint64_t done; /* of progress */
    vp_decompose_recording recording;
    vp_decomposition_counts counts;
} vp_decomposing;

/* The hull of two nodes together. */
typedef struct vp_decompose_union {
    uint32_t *vertex; /* of both, ascending */
    vp_vec3 *point;   /* where they are: the block that both arrays are in */
    uint32_t vertices, room;
    vp_hull hull;
} vp_decompose_union;

/* ---- mesh.c, edges.c ---- */

/* The longest side of the box of points that triangles have, which are checked. */
double vp_decompose_extent(const vp_decomposition_def *def);
/* Joins vertices, sorts triangles. */
vp_status vp_decompose_read(vp_decomposing *d, vp_error *error);
/* Finds which triangles share edges, which is told of edges, and where degenerate triangles go. `unique` triangles are there, those whose
   vertices are joined too; goes_to: out: of each, which of those that stay. @return VP_E_LIMIT for too many */
vp_status vp_decompose_connect(vp_decomposing *d, vp_error *error);

/* ---- samples.c ---- */

vp_status vp_decompose_sample(vp_decomposing *d, vp_error *error);

/* ---- predict.c ---- */

/* Makes the hull of nodes a and b; b may be VP_DECOMPOSE_NONE. @return VP_E_MEMORY, and nothing is to be dropped */
vp_status vp_decompose_unite(const vp_decomposing *d, uint32_t a, uint32_t b, vp_decompose_union *out, vp_error *error);
void vp_decompose_drop_union(const vp_decomposing *d, vp_decompose_union *u);
/* The box around two nodes. */
vp_aabb vp_decompose_box(const vp_decomposing *d, const uint32_t node[2]);
/* Finds the errors of d->due[0] to due[count - 1], in parallel. */
vp_status vp_decompose_judge(vp_decomposing *d, uint32_t count, vp_error *error);

/* ---- queue.c ---- */

/* Whether the first link comes before the second, and by what. */
bool vp_decompose_before(const vp_decomposing *d, uint32_t a, uint32_t b, vp_decomposition_tie *by);
void vp_decompose_push(vp_decomposing *d, uint32_t link);
/* Takes a link out; one that isn't in the queue is left alone. */
void vp_decompose_take_out(vp_decomposing *d, uint32_t link);
/* The first links of the queue, in order. @return how many: VP_DECOMPOSE_FRONT at most */
uint32_t vp_decompose_front(const vp_decomposing *d, uint32_t front[VP_DECOMPOSE_FRONT]);

/* ---- graph.c ---- */

/* A node a triangle, a link an edge. */
vp_status vp_decompose_begin(vp_decomposing *d, vp_error *error);
/* Collapses and drops until nothing is left to do. */
vp_status vp_decompose_run(vp_decomposing *d, vp_error *error);
/* Frees what nodes hold. */
void vp_decompose_drop_nodes(vp_decomposing *d);

/* ---- record.c ---- */

/* Tells the recorder of the beginning, and of a step. Without a recorder: VP_OK. */
vp_status vp_decompose_record_start(vp_decomposing *d, const vp_decomposition_start *start, vp_error *error);
vp_status vp_decompose_record_step(vp_decomposing *d, const vp_decomposition_step *step, vp_error *error);

/* ---- step.c ---- */

/* Tells who watches of a step, and the recorder. `merged` is the hull of both; NULL: it is still to be made. */
vp_status vp_decompose_print(vp_decomposing *d, uint32_t link, const vp_decompose_union *merged, vp_error *error);

#endif
