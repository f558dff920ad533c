/* SPDX-License-Identifier: MIT */
/* Declarations shared by casts, overlap tests and closest points. */
#ifndef VP_BODIES_CAST_H
#define VP_BODIES_CAST_H

#include <voxphys/casts.h>

#include "src/narrowphase/ray.h"
#include "src/core/real3.h"

static inline vp_real3 vp_cast_to_world(const vp_collide_frame *f, vp_real3 p)
{
    const vp_real3 xy = vp_real3_plus(vp_real3_scale(vp_real3_of(f->row[0]), p.x), vp_real3_of(f->row[1]), p.y);
    return vp_real3_plus(xy, vp_real3_of(f->row[2]), p.z);
}

/* A result without a hit. */
static inline vp_cast_hit vp_cast_miss(void)
{
    return (vp_cast_hit){.at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE}};
}

static inline bool vp_cast_is_before(vp_terrain_triangle_id a, vp_terrain_triangle_id b)
{
    return a.chunk != b.chunk ? a.chunk < b.chunk : a.triangle < b.triangle;
}

/* Closest point of a triangle to p. */
vp_real3 vp_cast_closest_on_triangle(vp_real3 p, const vp_real3 corner[3]);

/* Checks that coordinates are finite and within VP_COLLIDE_REACH. @param name  name for the message, such as "point" */
vp_status vp_cast_check_point(const char *name, vp_vec3 point, vp_error *error);

/* ---- a cast and its triangles ---- */

/* A cast and the best hit so far. */
typedef struct vp_shape_cast {
    const vp_collide_shape *shape;
    const vp_kernels *kernels;
    vp_collide_frame frame;
    vp_real3 along;   /* direction, length 1, shape's frame */
    double length;    /* length of the way */
    double radius;    /* vp_collide_radius of the shape */
    double reach;     /* greatest reach of the shape along the way */
    double tolerance; /* a way that presses the shape in by at most this is no hit. Depths up to 4 * this only touch */
    double graze;     /* a way that passes a triangle less deeply misses it */
    vp_aabb start;    /* box of the shape at the start */
    bool hit, inside;
    double distance; /* way to the hit, or minus the depth if the shape touches or overlaps at the start */
    vp_real3 normal; /* shape's frame, any length */
    vp_collide_triangle triangle;
} vp_shape_cast;

/* Checks a def and starts a cast. @param default_kernels  receives default kernels if the def has none. It must live as long as *out. */
vp_status vp_cast_begin(const vp_cast_def *def, vp_kernels *default_kernels, vp_shape_cast *out, vp_error *error);
/* Tests triangles, and keeps the best hit. */
void vp_cast_add_triangles(vp_shape_cast *cast, const vp_collide_triangle *triangle, uint32_t count);
/* Converts a way to a part of the translation, rounded towards 0 so that the shape does not overlap there. */
float vp_cast_part(const vp_shape_cast *cast, double at);
/* The hit in the form of the public functions. */
vp_cast_hit vp_cast_end(const vp_shape_cast *cast);

/* ---- sources of triangles ---- */

/* A terrain or blocks. */
typedef struct vp_cast_space {
    const vp_terrain_reader *reader; /* NULL: blocks */
    vp_surface surface;
    const vp_block_view *view;
} vp_cast_space;

/* Visitor of triangles. */
typedef struct vp_cast_visitor {
    void *user;
    bool (*is_wanted)(void *user, const vp_aabb *box);                              /* false: skip the box */
    bool (*visit)(void *user, const vp_collide_triangle *triangle, uint32_t count); /* false: stop the visit */
    vp_vec3 from;                                                                   /* boxes nearer to it are visited first */
} vp_cast_visitor;

/* Checks the reader and the surface, or the view. */
vp_status vp_cast_space_check(const vp_cast_space *space, vp_error *error);
/* The terrain's own kernels. Not for blocks. */
const vp_kernels *vp_cast_space_kernels(const vp_cast_space *space);
/* A box that contains all triangles. Blocks too far away for vp_collide_blocks are left out. */
vp_aabb vp_cast_space_bounds(const vp_cast_space *space);
/* Whether a point is inside the solid. */
vp_status vp_cast_space_inside(const vp_cast_space *space, vp_vec3 point, bool *out, vp_error *error);
/* Fills in normal and material of a visited triangle. */
vp_status vp_cast_space_describe(const vp_cast_space *space, vp_collide_triangle *triangle, vp_error *error);
/* Visits the triangles that meet a box within the bounds. Some are visited twice. Those of a terrain have no normals and materials. */
vp_status vp_cast_space_visit(const vp_cast_space *space, const vp_aabb *box, const vp_cast_visitor *visitor, vp_error *error);

#endif
