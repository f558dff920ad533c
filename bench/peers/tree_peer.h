/* SPDX-License-Identifier: MIT */
/* A library with a tree over triangles, as a contender of the loose kD tree. It gets the same triangles, one tree a mesh, and is
 * asked the same rays and boxes, in the form that suits it best and that is made before the time is taken. Rays by such a
 * library are not exact: its answers are compared with the reference's, and how many differ stands beside each figure. */
#ifndef VP_BENCH_TREE_PEER_H
#define VP_BENCH_TREE_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/mesh_sets.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- triangles ---- */

/* A mesh as libraries take it: plain triangles, though they come from quads. */
typedef struct vp_tree_mesh {
    const float *vertex;   /* three a vertex; behind the last one 16 bytes may be read, which may be the next mesh's */
    const uint32_t *index; /* three a triangle */
    uint32_t vertex_count, triangle_count;
    bool quads; /* triangles 2i and 2i + 1 are corners (0, 1, 2) and (0, 2, 3) of quad i */
    vp_aabb box;
} vp_tree_mesh;

/* They outlive all that is made over them. */
typedef struct vp_tree_meshes {
    uint32_t count;
    vp_tree_mesh *mesh;
    float *vertex; /* of all meshes */
    uint32_t *index;
} vp_tree_meshes;

/* ---- questions ---- */

typedef enum vp_tree_question {
    VP_TREE_RAY,        /* the nearest triangle */
    VP_TREE_RAY_ANY,    /* whether there is one */
    VP_TREE_RAY8,       /* the nearest ones, of eight rays a call */
    VP_TREE_RAY16,      /* of sixteen */
    VP_TREE_BOX,        /* exactly the triangles whose own boxes overlap a box */
    VP_TREE_BOX_LEAVES, /* what the tree finds for a box without looking at triangles: these and maybe more */
    VP_TREE_QUESTION_COUNT
} vp_tree_question;

/* What a ray meets. Barycentrics are not compared: not every library tells them. */
typedef struct vp_tree_hit {
    float t;          /* parameter along the ray; of VP_TREE_RAY_ANY of no matter */
    int32_t triangle; /* VP_NO_HIT: none; of VP_TREE_RAY_ANY any number that is not negative: there is one */
} vp_tree_hit;

/* What is asked, and where the answers go. It outlives the question made of it. */
typedef struct vp_tree_asked {
    vp_tree_question question;
    bool coherent; /* rays that follow each other are alike */
    const vp_ray_set *rays;
    const vp_mesh_box_set *boxes;
    vp_tree_hit *hit;   /* of each ray */
    uint32_t *list;     /* of each box `capacity` triangles, in no order */
    uint32_t *found;    /* how many of each box; may be more than `capacity` */
    uint32_t capacity;
} vp_tree_asked;

/* ---- a peer ---- */

/* None of the functions throws, and all memory that a run needs is there before it. */
typedef struct vp_tree_peer {
    const char *name;   /* "embree-low" */
    const char *note;   /* version, settings, and whom the comparison favours */
    uint32_t questions; /* bits 1 << vp_tree_question: what it can be asked; 0: of edits alone */

    void *(*make)(const vp_tree_meshes *meshes); /* all but the trees; NULL without memory */
    bool (*build)(void *trees);                  /* one tree a mesh, afresh; timed. False without memory */
    void (*clear)(void *trees);                  /* frees what was built; not timed */
    uint64_t (*bytes)(const void *trees);        /* of what was built, without the triangles */
    uint32_t (*wrong)(const void *trees);        /* meshes whose tree is not over all their triangles */
    void (*drop)(void *trees);                   /* accepts NULL */

    void *(*ask)(void *trees, const vp_tree_asked *asked); /* a question in the peer's form; NULL without memory */
    void (*run)(void *question);                           /* asks it; timed */
    /* Brings the last run's answers to where they go, if they are not there. What the question keeps of them is nonsense then,
       so that they do not pass for those of a later run. */
    void (*take)(void *question);
    void (*forget)(void *question); /* accepts NULL */

    /* What an edit costs: the tree over one mesh, made, asked for the nearest triangle that a ray meets, and freed or given the
       next mesh; timed. It needs no build before. False without memory. */
    bool (*once)(void *trees, uint32_t mesh, const vp_ray *ray, vp_tree_hit *hit);
} vp_tree_peer;

extern const vp_tree_peer vp_peer_embree_low, vp_peer_embree_medium, vp_peer_embree_high;
extern const vp_tree_peer vp_peer_embree_low_quads, vp_peer_embree_medium_quads, vp_peer_embree_medium_quads_compact;
extern const vp_tree_peer vp_peer_embree_low_quads_dynamic, vp_peer_embree_medium_quads_dynamic;
extern const vp_tree_peer vp_peer_embree_robust; /* for conformance; not timed */
extern const vp_tree_peer vp_peer_bullet, vp_peer_bullet_quantized;

#ifdef __cplusplus
}
#endif

#endif
