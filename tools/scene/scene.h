/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys scene`. */
#ifndef VP_TOOLS_SCENE_SCENE_H
#define VP_TOOLS_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/spheretree.h>

#include "tools/sources/world_source.h"

/* ---- a scene (file.c) ---- */

typedef struct vp_scene {
    vp_content content;
    uint32_t count, spheres, meshes, triangles; /* number of objects, of those that are spheres and meshes, and triangles of meshes */
    size_t object_room, mesh_room, of_mesh_room;
    vp_spheretree_object *object; /* a mesh's sphere is its bounding sphere */
    uint32_t *mesh;               /* for each object its mesh, or VP_SPHERETREE_NONE */
    vp_triangles *of_mesh;        /* [meshes], the scene owns their arrays */
} vp_scene;

/* Reads a scene file, or makes a data set of kind scenes. Destroy it, also after a failure.
   count    objects of the data set. 0 = as in its name
   written  file that is to be written, or NULL. VP_E_ARGUMENT if it is also read
   @return VP_E_FORMAT with the file's name, the object's number and the invalid value */
vp_status vp_scene_open(const char *name, uint32_t count, const char *written, vp_scene *out, vp_error *error);
void vp_scene_destroy(vp_scene *scene);

/* Writes a scene file with exact numbers and inline meshes. */
vp_status vp_scene_write(const vp_scene *scene, const char *path, vp_error *error);

/* ---- questions (ask.c) ---- */

typedef enum vp_question_kind {
    VP_QUESTION_SPHERE,
    VP_QUESTION_BOX,
    VP_QUESTION_TRIANGLE,
    VP_QUESTION_RAY,
    VP_QUESTION_RAY_ANY,
    VP_QUESTION_RAY_ALL,
    VP_QUESTION_PAIRS,
    VP_QUESTION_KINDS
} vp_question_kind;
extern const char *const vp_question_words[VP_QUESTION_KINDS];

typedef union vp_scene_question {
    vp_sphere sphere;
    vp_aabb box;
    vp_vec3 triangle[3];
    vp_ray ray;
} vp_scene_question;

/* Results of a question, sorted by object and triangle, or along the ray. For ray-any `count` is 0 or 1 and the lists are unused. */
typedef struct vp_scene_answer {
    uint64_t count;
    uint32_t room;
    vp_spheretree_item *item; /* spheres, boxes and triangles */
    vp_spheretree_hit *hit;   /* rays */
    vp_spheretree_pair *pair;
} vp_scene_answer;
void vp_answer_destroy(vp_scene_answer *answer);

/* Questions of one kind, either a given one or a batch, and their totals. */
typedef struct vp_questions {
    vp_question_kind kind;
    bool batch;
    uint32_t count;
    vp_scene_question *question;
    uint64_t found; /* total results */
    vp_spheretree_cost cost;
    double seconds; /* one run of all */
    uint64_t digest;
    vp_scene_answer answer; /* answer of the first one */
} vp_questions;

/* A tree. In a scene of two levels, its leaves refer to one tree per mesh. */
typedef struct vp_scene_trees {
    vp_spheretree *top;
    vp_spheretree **of_mesh; /* NULL = one level */
    const vp_scene *scene;
    uint32_t mask;
    double seconds; /* time of the build */
} vp_scene_trees;

/* Reads "sphere 1 2 3 0.5", with blanks or commas. "sphere" alone is a batch. @return false after a message */
bool vp_question_parse(const char *text, vp_questions *out);
/* Makes `count` random questions near the scene's objects, of similar size. They are the same each time. @return VP_E_MEMORY */
vp_status vp_questions_make(const vp_scene *scene, uint32_t count, vp_questions *out, vp_error *error);
/* Asks the questions. Collects answers and costs, and times them in a separate run. */
vp_status vp_questions_ask(const vp_scene_trees *trees, vp_questions *q, vp_error *error);

#endif
