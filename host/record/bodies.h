/* SPDX-License-Identifier: MIT */
/* Records moving bodies: shapes, a pose and a state a step, contact points and contact normals, the ground (docs/FORMATS.md, "Bodies").
 *
 *     vp_bodies_recording r;
 *     vp_bodies_record_begin(&(vp_bodies_record_def){.to = vp_record_writer_recorder(writer), .normal_length = 0.5}, &r);
 *     status = vp_bodies_record_world(&r, world, NULL, &error);
 *     const uint32_t crate = vp_bodies_record_shape(&r, &(vp_manifold_body){&box, vp_pose_at((vp_vec3){0})}, 1);
 *     while (status == VP_OK && simulate(bodies, contacts))
 *         status = vp_bodies_record_step(&r, &(vp_bodies_record_now){bodies, body_count, contacts, contact_count}, &error);
 *     vp_bodies_record_end(&r);
 *
 * Failures are kept: vp_bodies_record_step returns the first one (include/voxphys/record.h). */
#ifndef VP_HOST_RECORD_BODIES_H
#define VP_HOST_RECORD_BODIES_H

#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/record.h>

#include "host/bytes.h"
#include "host/looks.h"

/* No body: the other side of a contact with the ground. */
#define VP_BODIES_RECORD_GROUND UINT32_MAX

enum { VP_BODIES_RECORD_STEPS = 4096 }; /* of positions, a unit */

typedef enum vp_body_state {
    VP_BODY_AWAKE,
    VP_BODY_ASLEEP,
    VP_BODY_FIXED, /* moved by no contact */
    VP_BODY_STATES
} vp_body_state;

typedef struct vp_bodies_record_def {
    const vp_recorder *to;
    double normal_length;      /* length of the lines that show contact normals, > 0 */
    const char *const *figure; /* names of figures that are plotted, [figure_count]; "awake", "contacts", "deepest" come first */
    uint32_t figure_count;     /* <= VP_RECORD_COLUMNS - 3 */
    const vp_looks *looks;     /* of the ground's materials. NULL = one, "ground" */
    bool has_water;            /* whether there is a layer for the water of a world */
} vp_bodies_record_def;

typedef struct vp_recorded_body {
    uint32_t id;        /* < VP_RECORD_IDS; the same body in each step */
    uint32_t shape;     /* of vp_bodies_record_shape */
    double position[3]; /* origin of the shape's frame, world space */
    double rotation[4]; /* quaternion x, y, z, w of any length; 0 = not turned */
    vp_body_state state;
} vp_recorded_body;

typedef struct vp_recorded_contact {
    uint32_t body, other; /* ids; `other` may be VP_BODIES_RECORD_GROUND */
    double point[3];      /* world space */
    double normal[3];     /* unit vector from `other` to `body` */
    double depth;         /* penetration depth; negative = gap */
} vp_recorded_contact;

/* A step. */
typedef struct vp_bodies_record_now {
    const vp_recorded_body *body; /* [body_count]; a body that is missing vanishes */
    uint32_t body_count;
    const vp_recorded_contact *contact; /* [contact_count] */
    uint32_t contact_count;
    const double *figure; /* [figure_count] of the definition; NULL without figures */
} vp_bodies_record_now;

typedef struct vp_bodies_recording {
    const vp_recorder *to;
    double normal_length;
    uint32_t figure_count;
    bool has_water;
    uint32_t ground, water, bodies, contacts, normals, figures; /* layers */
    vp_bytes there;                                             /* of each id whether the last step had it */
    vp_bytes points, lines;                                     /* rows of contacts and normals */
    bool no_memory;                                             /* for a shape */
} vp_bodies_recording;

/* Names the layers. */
void vp_bodies_record_begin(const vp_bodies_record_def *def, vp_bodies_recording *out);

/* Stores a body's shape, which any number of bodies may have. @param part  convex parts in the body's frame, [count]
   @return its number */
uint32_t vp_bodies_record_shape(vp_bodies_recording *r, const vp_manifold_body *part, uint32_t count);

/* Shows a piece of the ground from the next step on, in place of the piece with this id, if any. Edits replace pieces.
   @param piece  corners in world space; `form` and `scale` are not used; without triangles the piece vanishes */
void vp_bodies_record_ground(vp_bodies_recording *r, uint32_t id, const vp_record_shape *piece);

/* Shows the surface of a world, a piece each chunk, with the chunk's number as id. After an edit, call it with the chunks that changed.
   @param changed  NULL = all @return VP_E_MEMORY */
vp_status vp_bodies_record_world(vp_bodies_recording *r, const vp_world *world, const vp_chunk_set *changed, vp_error *error);

/* Shows the sides of the blocks that collide, a piece each chunk. @return errors of vp_collide_blocks, VP_E_MEMORY */
vp_status vp_bodies_record_blocks(vp_bodies_recording *r, const vp_block_view *view, vp_error *error);

/* Looks of blocks: the low byte of a type is the material. */
void vp_bodies_looks_of_blocks(const vp_block_view *view, vp_looks *out);

/* Ends a step: a frame of the recording. Call it once before the first step too, so that frame 0 shows the start.
   @return VP_E_ARGUMENT that names a value that can't be recorded, VP_E_MEMORY, VP_E_IO */
vp_status vp_bodies_record_step(vp_bodies_recording *r, const vp_bodies_record_now *now, vp_error *error);

/* Frees what the recording holds; the recorder stays the caller's. */
void vp_bodies_record_end(vp_bodies_recording *r);

#endif
