/* SPDX-License-Identifier: MIT */
/* What a verdict is put together of: a file each. */
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

/* How far a body reaches out of the solid: fills reach, witness and pieces. VP_E_MEMORY. */
vp_status vp_judge_reach(const vp_decomposition_job *j, const vp_body *body, vp_hull_judged *out, vp_error *error);

/* What of the surface is covered: fills that part of the verdict. VP_E_MEMORY. */
vp_status vp_judge_surface(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error);

/* Volumes. VP_E_MEMORY. */
vp_status vp_judge_volume(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error);

/* The integral of the winding number over space, which is below 0 of a mesh turned inwards. */
double vp_space_volume(const vp_space *s);

/* ---- points that grow in number ---- */

typedef struct vp_places {
    double (*at)[3];
    uint32_t count, room;
    bool no_memory; /* for one that was to be added; it is left out */
} vp_places;

void vp_places_add(vp_places *to, const double p[3]);

/* Polygons, one behind the other; all 0 at first. */
typedef struct vp_polygons {
    vp_places corner;
    uint32_t *first; /* of each, its first corner; one more for the end */
    uint32_t count, room;
    bool no_memory;
} vp_polygons;

void vp_polygons_clear(vp_polygons *p);
/* Ends the polygon whose corners were added to `corner`; one of fewer than three is none. */
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

/* How far corners are above a plane; what is no further than `near`, 0. All is 0 at first. */
typedef struct vp_sides {
    double *at, most, least;
    uint32_t room;
    bool no_memory;
} vp_sides;

bool vp_sides_make(vp_sides *s, uint32_t count); /* @return false without memory */
bool vp_sides_find(vp_sides *s, const double (*corner)[3], uint32_t corners, const double plane[4], double near);

/* Things of `each` bytes that begin with a double: the one where it is highest is the first. */
typedef struct vp_heap {
    void *at;
    size_t each, count, room;
    bool no_memory;
} vp_heap;

void vp_heap_push(vp_heap *h, const void *thing);
void vp_heap_pop(vp_heap *h, void *out);

/* Where an edge meets a plane that its ends are on different sides of: the same point for either order of the ends. */
void vp_edge_cut(const double a[3], double side_a, const double b[3], double side_b, double out[3]);

/* Of a convex polygon what is not above a plane: none, or with its corners in their order. `side` says how far each corner is above it. */
void vp_polygon_clip(const double (*corner)[3], const double *side, uint32_t corners, vp_places *out);

/* ---- convex solids as polygons, cut by planes ---- */

/* A cell has its faces as polygons, counterclockwise seen from outside. */

/* Memory to cut with; all but `near` is 0 at first. */
typedef struct vp_cutter {
    double near; /* corners no further than that from a plane are on it */
    vp_places polygon, cap;
    vp_sides side;
    bool no_memory;
} vp_cutter;

void vp_cutter_drop(vp_cutter *cutter);

/* The cell of a body of dimension 3. @return false without memory */
bool vp_cell_of(const vp_body *b, vp_polygons *out);

double vp_cell_volume(const vp_polygons *cell);

/* Whether all of a cell is on a plane or above it. */
bool vp_cell_is_above(const vp_cutter *cutter, const vp_polygons *cell, const double plane[4]);

/* What of a cell is below a plane, whose normal may be of any length; `out` is another cell, whose memory is used again.
   @return whether anything is */
bool vp_cell_cut(vp_cutter *cutter, const vp_polygons *cell, const double plane[4], vp_polygons *out);

#endif
