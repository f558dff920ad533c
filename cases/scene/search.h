/* SPDX-License-Identifier: MIT */
/* Shared by the cases of the sphere tree: ways to search a scene, and questions. */
#ifndef VP_CASES_SCENE_SEARCH_H
#define VP_CASES_SCENE_SEARCH_H

#include <voxphys/spheretree.h>

#include "cases/case.h"
#include "datasets/scene_sets.h"

/* A variant is a tree made in one of four ways, or a baseline that the article discusses. */
typedef enum vp_scene_way {
    VP_WAY_SMALLER, /* inserted one by one by the published rule, the default */
    VP_WAY_LEAST,   /* by the alternative rule */
    VP_WAY_BUILT,   /* offline */
    VP_WAY_WIDE,    /* of the wide form */
    VP_WAY_BRUTE,   /* tests every object's sphere */
    VP_WAY_SWEEP1,  /* sweep-and-prune on one axis */
    VP_WAY_SWEEP3,  /* on three axes */
    VP_WAYS
} vp_scene_way;
extern const char *const vp_scene_ways[VP_WAYS + 1];

/* Makes a tree of all objects of a scene. Spheres have the ids 0 to count - 1, the mesh has count. */
vp_status vp_scene_fill(const vp_scene_set *scene, vp_scene_way way, const vp_kernels *kernels, const vp_allocator *allocator,
                        vp_spheretree **out, vp_error *error);

/* ---- questions ---- */

/* Scenes of 1,000 objects or more have as many, so that no branch predictor learns them all. Others have 64. */
enum { VP_SCENE_QUERIES = 512 };

typedef struct vp_scene_questions {
    uint32_t count;
    vp_sphere sphere[VP_SCENE_QUERIES];
    vp_aabb box[VP_SCENE_QUERIES];
    vp_vec3 triangle[VP_SCENE_QUERIES][3];
    vp_ray ray[VP_SCENE_QUERIES];
    vp_spheretree_query
        query[VP_SCENE_QUERIES]; /* some have masks if the scene's masks differ, and the last half has an object-level test */
} vp_scene_questions;

/* Makes questions around objects and of their size. */
void vp_scene_ask(const vp_scene_set *scene, vp_scene_questions *out);

/* The object-level test of the questions. It rejects objects 0, 3, 6, ..., and rays meet objects 1, 4, 7, ... later by 0.5. */
vp_spheretree_test_fn vp_scene_object_test;
uint64_t vp_scene_data_of(uint32_t object);

/* ---- primitive tests only ---- */

typedef enum vp_asked_shape { VP_ASK_SPHERE, VP_ASK_BOX, VP_ASK_TRIANGLE } vp_asked_shape;

/* Whether question i touches an item of a scene, and for rays where. Applies masks and object-level tests. */
bool vp_scene_item_touched(const vp_scene_set *scene, const vp_scene_questions *asked, vp_asked_shape shape, uint32_t i, uint32_t item);
bool vp_scene_item_met(const vp_scene_set *scene, const vp_scene_questions *asked, uint32_t i, uint32_t item, float *s,
                       vp_spheretree_hit *hit);
/* Whether two items of different objects touch. */
bool vp_scene_items_touch(const vp_scene_set *scene, uint32_t a, uint32_t b);
/* Spheres first, then triangles. */
uint32_t vp_scene_items(const vp_scene_set *scene);
vp_spheretree_item vp_scene_item_number(const vp_scene_set *scene, uint32_t item);

bool vp_scene_hit_is_before(float at, vp_spheretree_item item, float other_at, vp_spheretree_item other);

/* ---- the baselines ---- */

typedef struct vp_sweep vp_sweep;
/* Sorts spheres along one axis or three. NULL without memory. */
vp_sweep *vp_sweep_create(const vp_sphere *sphere, uint32_t count, uint32_t axes);
void vp_sweep_destroy(vp_sweep *sweep);
/* Reports the objects whose intervals overlap a box's on all axes, one by one in no order. @return the number of objects examined */
typedef bool vp_sweep_take_fn(void *user, uint32_t object); /* false = stop */
uint64_t vp_sweep_box(const vp_sweep *sweep, const double low[3], const double high[3], vp_sweep_take_fn *take, void *user);
/* Reports all pairs whose intervals overlap. */
typedef void vp_sweep_pair_fn(void *user, uint32_t a, uint32_t b);
uint64_t vp_sweep_pairs(const vp_sweep *sweep, vp_sweep_pair_fn *take, void *user);

/* The work of cases that search a scene: the scene, the way of searching, and the outputs. */

typedef struct vp_scene_search {
    const vp_scene_set *scene;
    vp_scene_way way;
    const vp_scene_questions *asked;
    vp_spheretree_view tree; /* from the arena's inputs */
    vp_spheretree_stats stats;
    const vp_sweep *sweep; /* NULL = a tree */
    uint32_t *count;       /* results of each question, for scene_ray_any whether there is one */
    vp_spheretree_item *item;
    vp_spheretree_hit *hit;
    vp_spheretree_pair *pair;
    size_t stride;
    uint32_t capacity;
} vp_scene_search;

bool vp_scene_search_takes(const vp_data *data, uint32_t variant);
/* Prepares everything except the outputs. */
vp_status vp_scene_search_begin(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error);
/* Counts the average cost of `by` questions or objects. A baseline only has tests. */
void vp_scene_search_count(const vp_scene_search *search, const vp_spheretree_cost *cost, double by, vp_counters *out);
int vp_scene_by_item(const void *a, const void *b); /* for qsort */
/* Judges the sorted items that question i found by testing every object and triangle. @param count  number of items that were reported, of
 * which `kept` are in the list */
vp_status vp_scene_judge_items(const vp_scene_set *scene, const vp_scene_questions *asked, vp_asked_shape shape, uint32_t i,
                               const vp_spheretree_item *item, uint32_t kept, uint32_t count, vp_error *error);

extern const char *const vp_scene_search_notes[VP_WAYS];
extern const vp_measured vp_scene_searches[]; /* the scenes on which all of them are measured */

#define VP_SCENE_CASE(taken, makes, runs, recorded, judged, looked)                                                                        \
    {                                                                                                                                      \
        .kind = &vp_kind_scenes, .variant = vp_scene_ways, .takes = taken, .make = makes, .run = runs, .records = recorded,                \
        .judge = judged, .looks = looked, .same = 1 + VP_WAY_WIDE, .notes = vp_scene_search_notes, .measured = vp_scene_searches           \
    }

#endif
