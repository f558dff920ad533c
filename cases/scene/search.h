/* SPDX-License-Identifier: MIT */
/* The work of cases that search a scene: the scene, the way of searching, and the outputs. */
#ifndef VP_CASES_SCENE_SEARCH_H
#define VP_CASES_SCENE_SEARCH_H

#include "cases/scene/work.h"

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
