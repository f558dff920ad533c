/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys collide`. shape.c reads shapes, ground.c opens the ground, bodies.c computes
 * contacts, print.c prints them, picture.c draws them. */
#ifndef VP_TOOLS_COLLIDE_COLLIDE_H
#define VP_TOOLS_COLLIDE_COLLIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/manifold.h>
#include <voxphys/push_out.h>
#include <voxphys/narrowphase.h>

#include "tools/sources/block_source.h"
#include "tools/sources/triangle_source.h"

/* ---- shapes and poses (shape.c) ---- */

typedef struct vp_query_shape {
    const char *text; /* "box:1,2,3" */
    vp_collide_shape shape;
    vp_collide_owned_hull solid; /* if it is a hull */
    const char *file;            /* file name of a hull */
} vp_query_shape;

/* "sphere", "capsule" and so on. */
extern const char *const vp_shape_words[VP_COLLIDE_KINDS];

/* Reads --shape, except the points of a hull's file. @return false after a message */
bool vp_shape_parse(const char *text, vp_query_shape *out);
/* Makes the hull of the file's points. @return errors of reading, VP_E_ARGUMENT if the points have no hull */
vp_status vp_shape_load(vp_query_shape *shape, const char *written, const vp_kernels *kernels, vp_error *error);
void vp_shape_drop(vp_query_shape *shape);
/* "X,Y,Z" or "X,Y,Z,QX,QY,QZ,QW". @return false after a message */
bool vp_pose_parse(const char *text, vp_pose *out);

/* ---- the ground (ground.c) ---- */

typedef enum vp_ground_kind { VP_GROUND_WORLD, VP_GROUND_MESH, VP_GROUND_BLOCKS } vp_ground_kind;

typedef struct vp_ground {
    vp_ground_kind kind;
    const char *name;
    vp_kernels kernels;
    bool masks;       /* blocks: skip sides that other blocks cover */
    vp_source source; /* a world, whose terrain is used, or a mesh */
    vp_terrain *terrain;
    vp_terrain_reader reader;
    vp_surface_mesh mesh;
    vp_kd *tree;              /* tree of the mesh */
    vp_collide_triangle *all; /* connected triangles of the mesh */
    vp_block_source_world blocks;
    vp_block_held held; /* all blocks */
} vp_ground;

/* A growing array of triangles. */
typedef struct vp_near {
    vp_collide_triangle *triangle; /* ascending by chunk and number */
    uint32_t count, room;
    void *scratch; /* used by the function that fills it */
    size_t scratch_bytes;
} vp_near;
void vp_near_drop(vp_near *near);

/* Opens the ground that an argument names. Close it, also after a failure.
   blocks   treat a world's voxels as blocks
   written  file that is to be written, or NULL. VP_E_ARGUMENT if it is also read */
vp_status vp_ground_open(const char *name, bool blocks, bool masks, const char *written, vp_ground *out, vp_error *error);
void vp_ground_close(vp_ground *ground);
vp_content vp_ground_content(const vp_ground *ground);
const vp_looks *vp_ground_looks(const vp_ground *ground);

/* Gathers the triangles whose boxes meet a box, connected to their neighbours. @return VP_E_MEMORY, errors of gathering */
vp_status vp_ground_near(const vp_ground *ground, const vp_aabb *box, vp_near *out, vp_error *error);
/* Blocks only: whether a body's point is inside a block after a step of 1/64 block along its normal. Such contacts push inwards. */
bool vp_ground_pushes_inwards(const vp_ground *ground, vp_vec3 position, const vp_manifold_point *point);
/* All of the ground as a mesh, for random places. `corner` has three corners per triangle, freed by the caller. */
vp_status vp_ground_corners(const vp_ground *ground, vp_vec3 **corner, uint32_t *triangles, vp_error *error);

/* ---- bodies (bodies.c) ---- */

/* Contact of the body with a triangle, raw and corrected. */
typedef struct vp_reported_contact {
    vp_collide_triangle triangle;
    vp_collide_result raw, corrected;
} vp_reported_contact;

/* A body and its results. */
typedef struct vp_collided {
    vp_pose pose;
    uint32_t near; /* triangles whose boxes meet the body's box */
    vp_manifold *manifold;
    uint32_t count, room;
    bool truncated;                /* the body meets too many triangles, and its manifolds are of the deepest ones */
    vp_reported_contact *reported; /* --triangles: contacts within the margin */
    uint32_t reported_count;
    vp_push_out push; /* worlds only */
} vp_collided;

typedef struct vp_colliding {
    const char *out; /* file of the picture, or NULL */
    float yaw, pitch;
    bool look_around; /* neither yaw nor pitch is given */
    bool json, triangles, whole;
    vp_query_shape shape;
    vp_manifold_def def;
    vp_ground ground;
    uint32_t bodies; /* number of given bodies */
    vp_collided body[64];
    uint32_t random; /* number of random bodies, 0 = none */
    uint64_t seed;
    /* memory for one body */
    vp_near near;
    vp_manifold_scratch scratch;
    /* sums over all bodies */
    uint64_t near_sum, touching, manifolds, points, by_points[VP_MANIFOLD_POINTS + 1], inwards, truncated;
    double deepest, seconds;
    uint64_t digest;
} vp_colliding;

vp_status vp_collide_bodies(vp_colliding *run, vp_error *error);
void vp_collided_drop(vp_collided *body);

/* ---- printing (print.c), and a picture (picture.c) ---- */

/* @return the exit code */
int vp_collide_print_json(const vp_colliding *run);
int vp_collide_print_text(const vp_colliding *run);
/* Draws the first body with the ground around it, its contact points and normals. */
vp_status vp_collide_picture(vp_colliding *run, vp_error *error);

#endif
