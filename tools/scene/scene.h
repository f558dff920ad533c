/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys scene` share. */
#ifndef VP_TOOLS_SCENE_SCENE_H
#define VP_TOOLS_SCENE_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/spheretree.h>

#include "tools/sources/world_source.h"

/* ---- a scene (file.c) ---- */

typedef struct vp_scene {
    vp_content content;
    uint32_t count, spheres, meshes, triangles; /* objects; of these spheres and meshes; triangles of meshes */
    uint32_t room, mesh_room;
    vp_spheretree_object *object; /* the sphere of a mesh is its bound */
    uint32_t *mesh;               /* of each object its mesh, or VP_SPHERETREE_NONE */
    vp_triangles *of_mesh;        /* whose arrays are the scene's */
} vp_scene;

/* Reads a scene file, or makes a data set of kind scenes. Destroy it, also after a failure.
   count    objects of the data set; 0: as its name says
   written  a file that is to be written, or NULL: VP_E_ARGUMENT if it is one of those that are read
   @return VP_E_FORMAT with the file's name, the object's number and the value that is wrong */
vp_status vp_scene_open(const char *name, uint32_t count, const char *written, vp_scene *out, vp_error *error);
void vp_scene_destroy(vp_scene *scene);

/* Writes it as a scene file: numbers are exact, meshes are inside. */
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

typedef union vp_question {
    vp_sphere sphere;
    vp_aabb box;
    vp_vec3 triangle[3];
    vp_ray ray;
} vp_question;

/* What one question found, in order of object and triangle, or along the ray. Of ray-any `count` is 0 or 1, and there is no more. */
typedef struct vp_answer {
    uint64_t count;
    uint32_t room;
    vp_spheretree_item *item; /* of spheres, boxes and triangles */
    vp_spheretree_hit *hit;   /* of rays */
    vp_spheretree_pair *pair;
} vp_answer;
void vp_answer_destroy(vp_answer *answer);

/* Questions of one kind: one that was given, or a batch; and what they took. */
typedef struct vp_questions {
    vp_question_kind kind;
    bool batch;
    uint32_t count;
    vp_question *question;
    uint64_t found; /* by all */
    vp_spheretree_cost cost;
    double seconds; /* for all, once */
    uint64_t digest;
    vp_answer answer; /* of the first */
} vp_questions;

/* A tree, and behind the leaves of a scene in two levels a tree a mesh. */
typedef struct vp_scene_trees {
    vp_spheretree *top;
    vp_spheretree **of_mesh; /* NULL: one level */
    const vp_scene *scene;
    uint32_t mask;
    double seconds; /* of the build */
} vp_scene_trees;

/* "sphere 1 2 3 0.5", with blanks or commas; "sphere" is a batch. On failure a message is told. */
bool vp_question_parse(const char *text, vp_questions *out);
/* So many around what is in a scene, as large as that is; the same every time. VP_E_MEMORY */
vp_status vp_questions_make(const vp_scene *scene, uint32_t count, vp_questions *out, vp_error *error);
/* Asks them: answers and counts, and once more by the clock. */
vp_status vp_questions_ask(const vp_scene_trees *trees, vp_questions *q, vp_error *error);

#endif
