/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys collide` share: what is collided is in shape.c, with what in ground.c, doing it in bodies.c, telling in
 * print.c, the picture in picture.c. */
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
    vp_collide_owned_hull solid; /* of a hull */
    const char *file;            /* the same */
} vp_query_shape;

/* "sphere", "capsule", and so on. */
extern const char *const vp_shape_words[VP_COLLIDE_KINDS];

/* What --shape says, and all but the hull of a file. What was wrong is told, and false returned. */
bool vp_shape_parse(const char *text, vp_query_shape *out);
/* The hull of the file's points.  @return what reading says, and VP_E_ARGUMENT for points that are no shape */
vp_status vp_shape_load(vp_query_shape *shape, const char *written, const vp_kernels *kernels, vp_error *error);
void vp_shape_drop(vp_query_shape *shape);
/* "X,Y,Z" or "X,Y,Z,QX,QY,QZ,QW"; what was wrong is told. */
bool vp_pose_parse(const char *text, vp_pose *out);

/* ---- the ground (ground.c) ---- */

typedef enum vp_ground_kind { VP_GROUND_WORLD, VP_GROUND_MESH, VP_GROUND_BLOCKS } vp_ground_kind;

typedef struct vp_ground {
    vp_ground_kind kind;
    const char *name;
    vp_kernels kernels;
    bool masks;       /* of blocks: sides that others cover are left out */
    vp_source source; /* of a world, whose terrain is read, or of a mesh */
    vp_terrain *terrain;
    vp_terrain_reader reader;
    vp_surface_mesh mesh;
    vp_kd *tree;              /* over it, */
    vp_collide_triangle *all; /* connected */
    vp_block_source_world blocks;
    vp_block_held held; /* all of them */
} vp_ground;

/* Triangles that grow. */
typedef struct vp_near {
    vp_collide_triangle *triangle; /* by ascending chunk and number */
    uint32_t count, room;
    void *scratch; /* of whoever fills it */
    size_t scratch_bytes;
} vp_near;
void vp_near_drop(vp_near *near);

/* Opens what an argument names. Close it, also after a failure.
   blocks   a world's voxels are blocks
   written  a file that is to be written, or NULL: VP_E_ARGUMENT if it is one of those that are read */
vp_status vp_ground_open(const char *name, bool blocks, bool masks, const char *written, vp_ground *out, vp_error *error);
void vp_ground_close(vp_ground *ground);
vp_content vp_ground_content(const vp_ground *ground);
const vp_looks *vp_ground_looks(const vp_ground *ground);

/* Triangles whose boxes meet a box, connected with those around them. VP_E_MEMORY and what gathering says */
vp_status vp_ground_near(const vp_ground *ground, const vp_aabb *box, vp_near *out, vp_error *error);
/* Of blocks: whether a 64th of a block along its normal a body's point is inside one, where nothing should push to. */
bool vp_ground_pushes_inwards(const vp_ground *ground, vp_vec3 position, const vp_manifold_point *point);
/* All of it as a mesh, for places on it: `corner` is the caller's, three a triangle. */
vp_status vp_ground_corners(const vp_ground *ground, vp_vec3 **corner, uint32_t *triangles, vp_error *error);

/* ---- bodies (bodies.c) ---- */

/* How the body and one triangle lie to each other: as the kernel says, and corrected. */
typedef struct vp_reported_contact {
    vp_collide_triangle triangle;
    vp_collide_answer raw, corrected;
} vp_reported_contact;

/* A body, and all that is found. */
typedef struct vp_collided {
    vp_pose pose;
    uint32_t near; /* triangles whose boxes meet its own */
    vp_manifold *manifold;
    uint32_t count, room;
    bool truncated;                /* it touches too many triangles; manifolds are of the deepest */
    vp_reported_contact *reported; /* of --triangles: those within the margin */
    uint32_t reported_count;
    vp_push_out push; /* of a world */
} vp_collided;

typedef struct vp_colliding {
    const char *out; /* the picture, or NULL */
    float yaw, pitch;
    bool look_around; /* neither is given */
    bool json, triangles;
    vp_query_shape shape;
    vp_manifold_def def;
    vp_ground ground;
    uint32_t bodies; /* given */
    vp_collided body[64];
    uint32_t random; /* of a batch; 0: none */
    uint64_t seed;
    /* memory of one body at a time */
    vp_near near;
    vp_manifold_scratch scratch;
    /* found by all */
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
/* Of the first body: the ground around it, points and normals. */
vp_status vp_collide_picture(vp_colliding *run, vp_error *error);

#endif
