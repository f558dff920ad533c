/* SPDX-License-Identifier: MIT */
/* Two shapes at their poses, in double precision, and the directions that may separate them.
 *
 * A shape is a core with a radius around it. The core is a point, a segment, a polytope or a cylinder. For a unit
 * direction u from b to a, S(u) is the least reach of a's core along u minus the greatest reach of b's core. The signed
 * distance of the cores is the greatest S(u). Every direction gives a lower bound. So a wrong candidate cannot increase
 * the distance, and only a missing one can reduce it. */
#ifndef VP_BODIES_SHAPE_PAIR_H
#define VP_BODIES_SHAPE_PAIR_H

#include <math.h>

#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/shapes.h>

#include "src/narrowphase/manifold_internal.h"
#include "src/core/inline.h"
#include "src/core/real3.h"

/* Pairs whose S is above -size * this may be apart, because S is rounded and a hull's normals are binary32. */
#define VP_PAIR_BAND 0x1p-20
/* A cylinder's direction is proven if its S is at most size * this below an upper bound. */
#define VP_PAIR_ROUGH 0x1p-21
/* A difference of two places shorter than size * this is noise and gives no direction. */
#define VP_PAIR_NOTHING 0x1p-46

/* A shape's core at its pose. Places are relative to the position of shape a, along the world's axes. */
typedef struct vp_core {
    const vp_collide_shape *shape;
    vp_real3 axis[3];                                         /* the shape's axes */
    vp_real3 position;                                        /* the shape's position */
    double radius;                                            /* radius around the core */
    uint32_t vertex_count, edge_count, face_count, arc_count; /* 0 for a cylinder */
} vp_core;

/* Directions for which a polytope reaches farthest along a whole edge: between two unit vectors, at most 90 degrees apart. */
typedef struct vp_core_arc {
    vp_real3 from, to; /* in the shape's frame */
    uint32_t edge;
} vp_core_arc;

typedef struct vp_shape_pair {
    vp_core a, b;
    double margin; /* margin plus both radii, as a distance of the cores */
    double size;   /* largest radius or coordinate difference, to which roundings are relative */
    double s;      /* greatest S so far */
    vp_real3 u;    /* its direction */
    /* where the cores touch once a is moved by -s u */
    vp_real3 on_a; /* on the core of a, not moved */
    uint32_t feature_a, feature_b;
} vp_shape_pair;

/* ---- cores (shape_core.c) ---- */

void vp_core_of(const vp_collide_shape *shape, const vp_pose *pose, vp_vec3 origin, vp_core *out);
vp_real3 vp_core_local_normal(const vp_core *c, uint32_t face);
vp_core_arc vp_core_local_arc(const vp_core *c, uint32_t i);
/* The greatest reach of the core along m, which may have any length. */
double vp_core_reach(const vp_core *c, vp_real3 m);

/* ---- a polytope seen along a direction (shape_core.c) ---- */

/* Numbers that are kept. Heights of later vertices are computed each time. */
enum { VP_CORE_KEPT = 64 };

/* Vertices, edges or faces of a core. */
typedef struct vp_core_parts {
    uint32_t count;
    bool all; /* the part's index is its number */
    uint32_t number[VP_CORE_KEPT];
} vp_core_parts;

/* A vertex has a height: how much less far it reaches along the direction than the farthest vertex. */
typedef struct vp_core_view {
    const vp_core *core;
    vp_real3 local; /* the direction in the core's frame */
    double reach;   /* the greatest one along it, without the position */
    double height[VP_CORE_KEPT];
    vp_core_parts vertices, edges, faces; /* to search */
} vp_core_view;

void vp_core_see(const vp_core *core, const vp_real3 *along, vp_core_view *out);
double vp_core_height(const vp_core_view *view, uint32_t vertex);
/* Searches everything. */
void vp_core_take_all(vp_core_view *view);
/* Searches parts whose corners all are that high at most. @return false if there are too many */
bool vp_core_take_low(vp_core_view *view, double high);

static inline uint32_t vp_part_number(const vp_core_parts *parts, uint32_t i)
{
    return parts->all ? i : parts->number[i];
}

/* ---- parts of a polytope ---- */

static inline vp_real3 vp_core_local_vertex(const vp_core *c, uint32_t i)
{
    const vp_collide_shape *s = c->shape;
    const double h = (double)s->half_height;
    switch (s->kind) {
    case VP_COLLIDE_HULL:
        return vp_real3_of(s->hull->vertex[i]);
    case VP_COLLIDE_BOX: {
        const vp_real3 half = vp_real3_of(s->half);
        return (vp_real3){(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z};
    }
    case VP_COLLIDE_CAPSULE:
        return (vp_real3){0.0, i == 0 ? -h : h, 0.0};
    default:
        return (vp_real3){0.0, 0.0, 0.0};
    }
}

/* The vertices of an edge. */
VP_INLINE void vp_core_edge(const vp_core *c, uint32_t i, uint32_t vertex[2])
{
    static const uint8_t of_box[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {4, 6}, {1, 3}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    const vp_collide_kind kind = c->shape->kind;
    const uint32_t *of_hull = kind == VP_COLLIDE_HULL ? c->shape->hull->edge[i].vertex : NULL;
    vertex[0] = of_hull != NULL ? of_hull[0] : kind == VP_COLLIDE_BOX ? of_box[i][0] : 0;
    vertex[1] = of_hull != NULL ? of_hull[1] : kind == VP_COLLIDE_BOX ? of_box[i][1] : 1;
}

VP_INLINE uint32_t vp_core_corner_count(const vp_core *c, uint32_t face)
{
    const vp_collide_hull *h = c->shape->hull;
    return c->shape->kind == VP_COLLIDE_BOX ? 4 : h->first_corner[face + 1] - h->first_corner[face];
}

/* The vertex of a corner of a face, counterclockwise from outside. */
VP_INLINE uint32_t vp_core_corner(const vp_core *c, uint32_t face, uint32_t i)
{
    static const uint8_t of_box[6][4] = {{4, 6, 2, 0}, {1, 3, 7, 5}, {1, 5, 4, 0}, {2, 6, 7, 3}, {2, 3, 1, 0}, {4, 5, 7, 6}};
    const vp_collide_hull *h = c->shape->hull;
    return c->shape->kind == VP_COLLIDE_HULL ? h->corner[h->first_corner[face] + i] : of_box[face][i];
}

VP_INLINE uint32_t vp_core_vertex_feature(const vp_core *c, uint32_t i)
{
    return c->shape->kind == VP_COLLIDE_SPHERE ? VP_SHAPE_FACE : VP_SHAPE_CORNER + i;
}

VP_INLINE uint32_t vp_core_edge_feature(const vp_core *c, uint32_t i)
{
    return c->shape->kind == VP_COLLIDE_CAPSULE ? VP_SHAPE_FACE : VP_SHAPE_EDGE + i;
}

static inline bool vp_core_is_cylinder(const vp_core *c)
{
    return c->shape->kind == VP_COLLIDE_CYLINDER;
}

static inline vp_real3 vp_core_to_local(const vp_core *c, vp_real3 direction)
{
    return (vp_real3){vp_real3_dot(c->axis[0], direction), vp_real3_dot(c->axis[1], direction), vp_real3_dot(c->axis[2], direction)};
}

static inline vp_real3 vp_core_to_world(const vp_core *c, vp_real3 direction)
{
    return vp_real3_plus(vp_real3_plus(vp_real3_scale(c->axis[0], direction.x), c->axis[1], direction.y), c->axis[2], direction.z);
}

static inline vp_real3 vp_core_place(const vp_core *c, vp_real3 local)
{
    return vp_real3_plus(vp_core_to_world(c, local), c->position, 1.0);
}

static inline vp_real3 vp_core_vertex(const vp_core *c, uint32_t i)
{
    return vp_core_place(c, vp_core_local_vertex(c, i));
}

/* The greatest reach of a cylinder along m. */
static inline double vp_core_reach_of_cylinder(const vp_core *c, vp_real3 m)
{
    const vp_real3 l = vp_core_to_local(c, m);
    return vp_real3_dot(m, c->position) +
           ((double)c->shape->half_height * fabs(l.y) + (double)c->shape->radius * sqrt(l.x * l.x + l.z * l.z));
}

/* Scales a vector to length 1. @return false if it is no longer than `nothing`, and unchanged */
static inline bool vp_real3_make_unit(vp_real3 *a, double nothing)
{
    const double length = vp_real3_length(*a);
    if (!(length > nothing))
        return false;
    *a = vp_real3_scale(*a, 1.0 / length);
    return true;
}

/* ---- directions (shape_core.c) ---- */

/* S(u). @param u  unit length */
double vp_pair_separation(const vp_shape_pair *pair, vp_real3 u);
void vp_pair_try_at(vp_shape_pair *pair, const vp_real3 *u);
/* Makes u the pair's direction if its S is greater. @param u  unit length */
VP_INLINE void vp_pair_try(vp_shape_pair *pair, vp_real3 u)
{
    vp_pair_try_at(pair, &u); /* a pointer, because a copy on the stack waits for the stores of u */
}

/* Tries the normal of a face of `c`, a core of the pair. */
void vp_pair_try_face(vp_shape_pair *pair, const vp_core *c, uint32_t face);

static inline bool vp_pair_is_beyond(const vp_shape_pair *pair)
{
    return pair->s > pair->margin;
}

/* Exchanges the two shapes. */
void vp_pair_swap(vp_shape_pair *pair);

/* Tries the direction that GJK and EPA find (shape_proof.c).
 * @param rough  they may stop where the bounds differ by this
 * @return an upper bound of S of all directions */
double vp_pair_find_direction(vp_shape_pair *pair, double rough);

/* ---- pairs of cores: first the direction, then the place. Both are incomplete if S exceeds the margin ---- */

void vp_pair_polytopes_direction(vp_shape_pair *pair);
void vp_pair_polytopes_place(vp_shape_pair *pair);
/* Shape a is the cylinder. */
void vp_pair_cylinder_polytope_direction(vp_shape_pair *pair);
void vp_pair_cylinder_polytope_place(vp_shape_pair *pair);
void vp_pair_cylinders_direction(vp_shape_pair *pair);
void vp_pair_cylinders_place(vp_shape_pair *pair);

/* Computes s and u and, unless S exceeds the margin, on_a and the features. */
vp_status vp_pair_begin(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_shape_pair *out, vp_error *error);
void vp_pair_direction(vp_shape_pair *pair);
void vp_pair_place(vp_shape_pair *pair);

/* ---- contacts (shape_manifold.c) ---- */

enum { VP_PAIR_CONTACTS = VP_CUT_POINTS + 1 };

/* Candidates for the points of a manifold. */
typedef struct vp_pair_contacts {
    vp_manifold_contact contact[VP_PAIR_CONTACTS]; /* `triangle` is the index in this list */
    uint64_t name_b[VP_PAIR_CONTACTS];             /* part of shape b */
    uint32_t count;
} vp_pair_contacts;

/* Finds the contacts of a pair whose place is known. */
void vp_pair_find_contacts(const vp_shape_pair *pair, float margin, vp_pair_contacts *out);

#endif
