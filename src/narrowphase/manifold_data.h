/* SPDX-License-Identifier: MIT */
/* How manifolds are made (narrowphase.h): triangles are gathered and collided, answers are corrected, faces are cut, points are chosen.
 *
 * Triangles are put in the order of their corners, not of their numbers. Whatever is chosen first among equals is then the same wherever
 * borders of chunks are, in whatever order triangles came. */
#ifndef VP_NARROWPHASE_MANIFOLD_DATA_H
#define VP_NARROWPHASE_MANIFOLD_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/narrowphase.h>

/* The cosine of 5 degrees: directions that differ by no more are one. */
#define VP_MANIFOLD_ONE_DIRECTION 0.99619470f
/* Depths that differ by no more than this part of the shape's radius are as good as equal. */
#define VP_MANIFOLD_SAME_DEPTH 0x1p-8f
/* Distances of places that differ by no more than this part of the shape's radius are as good as equal. */
#define VP_MANIFOLD_SAME_PLACE 0x1p-8f
/* A corner of the shape that lies less far out than another contact by no more than this part of the radius is taken instead. */
#define VP_MANIFOLD_FIRM_PLACE 0x1p-6f
/* What is no further than this part of the shape's radius from what is enclosed adds nothing. */
#define VP_MANIFOLD_NO_AREA 0x1p-5f

/* Of one triangle: its answer, and what is cut. */
enum { VP_CUT_POINTS = 8, VP_CONTACTS_A_TRIANGLE = VP_CUT_POINTS + 1 };

/* Names of a shape's parts. An edge of a polytope is named by its ends, so whoever finds it has its name. */
#define VP_NAME_FACE(number)   ((uint64_t)(number))
#define VP_NAME_EDGE(a, b)     (UINT64_C(1) << 62 | (uint64_t)((a) < (b) ? (a) : (b)) << 31 | (uint64_t)((a) < (b) ? (b) : (a)))
#define VP_NAME_CORNER(number) (UINT64_C(2) << 62 | (uint64_t)(number))
#define VP_NAME_RIM(number)    (UINT64_C(3) << 62 | (uint64_t)(number))
/* Of a cylinder: its two rims; places on them: the ends of a line of its side, eight around each cap; and what is between these eight. */
enum { VP_RIM_PLACES = 2, VP_RIM_CAPS = 4, VP_RIM = 8, VP_RIM_SIDES = VP_RIM_CAPS + 2 * VP_RIM };

/* What may become a point of a manifold. */
typedef struct vp_contact {
    float distance;
    vp_vec3 normal, on_shape, on_triangle; /* as in a vp_manifold_point */
    uint32_t triangle;                     /* its place in the list */
    uint32_t part;                         /* vp_triangle_feature */
    uint64_t shape;                        /* VP_NAME_... */
} vp_contact;

/* One body's manifolds in the making. */
typedef struct vp_manifold_work {
    const vp_manifold_def *def;
    const vp_kernels *kernels;
    const vp_manifold_body *body;
    vp_collide_frame frame;
    float radius; /* of the shape */
    /* in the scratch */
    uint32_t capacity;
    vp_collide_triangle *triangle;
    vp_collide_answer *answer;
    vp_vec3 *raw; /* normals before they were corrected */
    uint32_t *order;
    vp_contact *contact;
    vp_terrain_triangle_id *id; /* these three of terrains alone */
    vp_terrain_triangle *found;
    uint32_t *words;
    /* the list: first those that are touched, then those beside them */
    uint32_t count, touched, contacts;
    uint32_t wanted; /* how long it would be if there were room */
} vp_manifold_work;

/* Where triangles come from. */
typedef struct vp_manifold_source {
    /* Calls vp_manifold_take for each triangle whose box meets `box`. */
    vp_status (*gather)(const struct vp_manifold_source *source, vp_manifold_work *work, const vp_aabb *box, vp_error *error);
    bool connected; /* triangles have normals beside them and flags */
} vp_manifold_source;

/* Lays the scratch out. */
vp_status vp_manifold_begin(const vp_manifold_def *def, const vp_manifold_scratch *scratch, vp_kernels *usual, vp_manifold_work *out,
                            vp_error *error);
/* Adds a triangle to the list: while none is touched, any; then those that have a corner in common with one that is, but for itself. */
void vp_manifold_take(vp_manifold_work *work, const vp_collide_triangle *triangle);
/* The manifolds of one body. @return VP_E_LIMIT: needed is in the scratch */
vp_status vp_manifold_make(vp_manifold_work *work, const vp_manifold_body *body, const vp_manifold_source *source,
                           vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *made, vp_error *error);

/* Cuts the part of the shape that lies along triangle `t` of the list by its sides, and adds the contacts to the work's. */
void vp_manifold_cut(vp_manifold_work *work, uint32_t t);
/* Chooses at most four of the contacts. @param chunk  of these alone; VP_COLLIDE_NO_CHUNK with `all`: of all */
void vp_manifold_choose(const vp_manifold_work *work, uint32_t chunk, bool all, vp_manifold *out);

static inline bool vp_is_same_place(vp_vec3 a, vp_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool vp_is_one_direction(vp_vec3 a, vp_vec3 b)
{
    return vp_vec3_dot(a, b) >= VP_MANIFOLD_ONE_DIRECTION;
}

#endif
