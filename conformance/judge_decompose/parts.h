/* SPDX-License-Identifier: MIT */
/* The parts of a verdict, one file each. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_PARTS_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_PARTS_H

#include "conformance/judge_decompose/body.h"
#include "conformance/judge_decompose/space.h"

typedef struct vp_decomposition_job {
    const vp_decomposition_question *asked;
    vp_space space;
    vp_body *body;
    double tolerance;
    uint64_t max_work;
} vp_decomposition_job;

/* Measures how far a body reaches out of the solid. Fills reach, witness and pieces. @return VP_E_MEMORY */
vp_status vp_judge_reach(const vp_decomposition_job *j, const vp_body *body, vp_hull_judged *out, vp_error *error);

/* Measures how much of the surface is covered. Fills that part of the verdict. @return VP_E_MEMORY */
vp_status vp_judge_surface(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error);

/* Measures the volumes. @return VP_E_MEMORY */
vp_status vp_judge_volume(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error);

/* The integral of the winding number over space, negative for a mesh turned inside out. */
double vp_space_volume(const vp_space *s);

/* ---- growing lists of points ---- */

typedef struct vp_places {
    double (*at)[3];
    uint32_t count, room;
    bool no_memory; /* a point could not be added and was left out */
} vp_places;

void vp_places_add(vp_places *to, const double p[3]);

/* A list of polygons, all 0 at first. */
typedef struct vp_polygons {
    vp_places corner;
    uint32_t *first; /* first corner of each polygon [count + 1] */
    uint32_t count, room;
    bool no_memory;
} vp_polygons;

void vp_polygons_clear(vp_polygons *p);
/* Ends the polygon whose corners were added to `corner`. Fewer than three corners are removed. */
void vp_polygons_end(vp_polygons *p);
void vp_polygons_add(vp_polygons *p, const double (*corner)[3], uint32_t corners);
void vp_polygons_drop(vp_polygons *p);

static inline const double (*vp_polygon_at(const vp_polygons *p, uint32_t i))[3]
{
    return (const double(*)[3])(p->corner.at + p->first[i]);
}

static inline uint32_t vp_polygon_corners(const vp_polygons *p, uint32_t i)
{
    return p->first[i + 1] - p->first[i];
}

/* Heights of corners above a plane. Heights up to `near` count as 0. All 0 at first. */
typedef struct vp_sides {
    double *at, most, least;
    uint32_t room;
    bool no_memory;
} vp_sides;

bool vp_sides_make(vp_sides *s, uint32_t count); /* @return false without memory */
bool vp_sides_find(vp_sides *s, const double (*corner)[3], uint32_t corners, const double plane[4], double near);

/* A heap of items of `each` bytes that begin with an upper bound, a double. The item with the largest bound is the first. */
typedef struct vp_heap {
    void *at;
    size_t each;
    uint32_t count, room;
    double pruned; /* largest bound of all items that were not kept */
    bool no_memory;
} vp_heap;

/* Adds an item if its bound exceeds `enough`. */
void vp_heap_keep(vp_heap *h, const void *thing, double enough);
void vp_heap_pop(vp_heap *h, void *out);
/* The largest bound, 0 for an empty heap. */
double vp_heap_top(const vp_heap *h);

/* The point where an edge crosses a plane, with its ends on different sides. The result is the same for both orders of the ends. */
void vp_edge_cut(const double a[3], double side_a, const double b[3], double side_b, double out[3]);

/* Clips a convex polygon to the half space below a plane. The result may be empty, and keeps the order of the corners. `side` holds the
 * height of each corner above the plane. */
void vp_polygon_clip(const double (*corner)[3], const double *side, uint32_t corners, vp_places *out);

/* ---- convex solids as polygons, cut by planes ---- */

/* A cell consists of polygons, counterclockwise seen from outside. */

/* Scratch memory for cutting. Members except `near` start as 0. */
typedef struct vp_cutter {
    double near; /* corners within this distance of a plane are on it */
    vp_places polygon, cap;
    vp_sides side;
    bool no_memory;
} vp_cutter;

void vp_cutter_drop(vp_cutter *cutter);

/* Makes the cell of a body of dimension 3. @return false without memory */
bool vp_cell_of(const vp_body *b, vp_polygons *out);

double vp_cell_volume(const vp_polygons *cell);

/* Whether no point of a cell is below a plane. */
bool vp_cell_is_above(const vp_cutter *cutter, const vp_polygons *cell, const double plane[4]);

/* Cuts off the part of a cell that is above a plane. The normal may have any length. `out` is another cell, whose memory is reused.
 * @return whether anything is left */
bool vp_cell_cut(vp_cutter *cutter, const vp_polygons *cell, const double plane[4], vp_polygons *out);

#endif
