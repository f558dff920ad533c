/* SPDX-License-Identifier: MIT */
/* Sets of points of all kinds that hulls have to cope with. */
#ifndef VP_TESTS_SUPPORT_HULL_FAMILIES_H
#define VP_TESTS_SUPPORT_HULL_FAMILIES_H

#include <stdbool.h>

#include <voxphys/geometry.h>

#include "datasets/random.h"

enum { POINT_SET_MAX = 1200 };

typedef struct point_set {
    const char *name;
    vp_vec3 point[POINT_SET_MAX];
    uint32_t count;
    long double longest; /* side of its box */
    float tolerance;     /* 0: as the hull's */
} point_set;

enum {
    SPHERE,
    BALL,
    LATTICE,
    CYLINDER,
    CONE,
    NEEDLE,
    PLATE,
    THRICE,
    FAR_AWAY,
    TINY,
    HUGE_ONE,
    THICK,
    SLIVERS,
    SOLIDS, /* the ones before have a volume */
    DISC = SOLIDS,
    TILTED,
    TURNED,
    THIN_ONES, /* and the ones before an area */
    LINE = THIN_ONES,
    POINT,
    FAMILIES
};

/* A set of a family, of about so many points. */
void point_set_make(point_set *s, vp_random *r, uint32_t of, uint32_t size);

/* By hand: empty `count` first. */
void point_set_add(point_set *s, double x, double y, double z);
void point_set_change(point_set *s, double x, double y, double z, double by); /* scales, and moves */
void point_set_turn(point_set *s);
void point_set_end(point_set *s, const char *name);

/* A point of the ball around the origin, or of its sphere. */
void point_in_ball(vp_random *r, double p[3], bool on_sphere);

#endif
