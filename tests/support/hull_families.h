/* SPDX-License-Identifier: MIT */
/* Point sets of every kind that hulls must handle. */
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
    long double longest; /* longest side of its box */
    float tolerance;     /* 0 = the hull's default */
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
    SOLIDS, /* families before this have a volume */
    DISC = SOLIDS,
    TILTED,
    TURNED,
    THIN_ONES, /* families before this have an area */
    LINE = THIN_ONES,
    POINT,
    FAMILIES
};

/* Makes a set of a family, with about `size` points. */
void point_set_make(point_set *s, vp_random *r, uint32_t of, uint32_t size);

/* To make a set by hand, clear `count` first. */
void point_set_add(point_set *s, double x, double y, double z);
void point_set_change(point_set *s, double x, double y, double z, double by); /* scales and moves */
void point_set_turn(point_set *s);
void point_set_end(point_set *s, const char *name);

/* A point of the unit ball, or of its sphere. */
void point_in_ball(vp_random *r, double p[3], bool on_sphere);

#endif
