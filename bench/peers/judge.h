/* SPDX-License-Identifier: MIT */
/* The questions to peers, row by row, and the comparison of their answers with the reference's.
 *
 * Boxes, masks and polygons have exactly one correct answer. Rays of libraries are not exact. Some pass between triangles that share an
 * edge. Some hit another triangle at the same distance. A ray that begins on a triangle hits it in our library and misses it in others.
 * Each kind of difference is counted separately and printed with the figures. If a kind is too frequent, the answer counts as wrong. The
 * share of wrong hulls of a library is a result. */
#ifndef VP_BENCH_JUDGE_H
#define VP_BENCH_JUDGE_H

#include <voxphys/hull.h>

#include "bench/peers/peer.h"
#include "bench/suite.h"
#include "conformance/judge_decompose/check.h"

/* ---- a peer on a row's data ---- */

typedef enum vp_outcome {
    VP_PEER_NO_MEMORY, /* initial value */
    VP_PEER_RIGHT,     /* or with acceptable differences */
    VP_PEER_FAULTY,    /* a result that may be measured */
    VP_PEER_WRONG,     /* an error without a figure; the text is the message */
    VP_PEER_REFUSES,   /* the library reports a refusal, or makes no output */
    VP_PEER_CRASHES,
    VP_PEER_LATE /* it exceeded its time limit */
} vp_outcome;

/* The text is a part of the label ("rays hits=equal"), or names the refused data ("these points"). */
typedef struct vp_verdict {
    vp_outcome outcome;
    int signal; /* number of a crash's signal */
    uint32_t counters;
    struct {
        const char *name;
        double value;
    } counter[12];
    char text[256];
    double seconds; /* processor time of its one run in a separate process */
} vp_verdict;

typedef struct vp_contest vp_contest;

/* The rows and sets on which peers are measured, as for our kernels. */
typedef struct vp_contested {
    vp_row_id row;
    const char *const set[11]; /* empty for hulls: see hull_sets.h */
    const char *as, *without;  /* name of another row; peers whose names contain this are left out */
    vp_row_id last;            /* last of several rows; 0: only `row` */
} vp_contested;

/* The judge of some rows' peers. A file judge_<name>.c lists its judges in vp_judges_<name>, which ends with NULL. */
typedef struct vp_judge {
    const vp_contested *measured;
    size_t rows;       /* length of `measured` */
    bool apart;        /* run first in a separate process, because libraries crash or do not terminate */
    unsigned seconds;  /* limit in that process; 0: the default */
    const char *again; /* property that is checked again after the measurement: "polygons" */
    bool version;      /* printed in labels */
    /* Sets data, right, items and all other members that are not 0 (steps: not 1). `set`: "chunks/cold", "ball/16", "brush8". */
    vp_status (*open)(vp_suite *suite, const char *set, vp_contest *out, vp_error *error);
    void (*look)(const vp_contest *contest, vp_verdict *out);
    void (*count)(const void *work, vp_counters *out); /* extra counters of our kernels; NULL: those of the row's case only */
} vp_judge;

/* Returns the i-th judge, or NULL after the last one. */
const vp_judge *vp_judge_at(size_t i);
/* Returns a row's judge, or NULL if there is none. */
const vp_judge *vp_judge_of(vp_row_id row);
bool vp_contested_is_of(const vp_contested *m, vp_row_id row);
#define VP_CONTESTED(list) .measured = (list), .rows = sizeof(list) / sizeof(list)[0]

struct vp_contest {
    const vp_judge *judge;
    const vp_peer *peer;
    const vp_data *data;
    const void *right; /* the reference's answers in the judge's form */
    uint64_t items;    /* total over all steps */
    uint32_t steps;
    char name[VP_DATA_NAME_BYTES]; /* name of the data, for messages */
    char hash[24];                 /* end of the label, for data outside the manifest */
    void *work;
    double seconds;   /* processor time of the first run in a separate process */
    uint32_t refused; /* bit k: the last run refused step k */
    vp_data own;      /* data that no store owns, for `data` */
    vp_suite_set set; /* the content of `own` */
    vp_ray_set rays;
};

void vp_contest_make(vp_contest *contest); /* leaves work NULL on out of memory */
/* Runs all steps. @return whether none was refused */
bool vp_contest_run(vp_contest *contest);
void vp_contest_drop(vp_contest *contest);
/* Makes the work, runs it and judges it in a separate process. `seconds` limits its processor time, and with a margin its elapsed time.
 * @return VP_E_IO if no process could be started */
vp_status vp_contest_try(const vp_contest *contest, unsigned seconds, vp_verdict *out, vp_error *error);

static inline void vp_verdict_count(vp_verdict *verdict, const char *name, double value)
{
    verdict->counter[verdict->counters].name = name;
    verdict->counter[verdict->counters++].value = value;
}

double vp_verdict_counter(const vp_verdict *verdict, const char *name); /* -1: no such counter */

extern const vp_judge vp_judge_hulls, vp_judge_polygons, vp_judge_decompositions, vp_judge_pairs, vp_judge_simulations;

/* ---- rays and boxes (judge_kd.c) ---- */

/* Rays and the answers of the reference (the scalar kernels on wide trees). */
typedef struct vp_ray_answers {
    vp_ray_set rays;
    vp_peer_hit *hit;
    vp_peer_hit *beyond; /* for hits at the origin: the next hit after it, or none */
} vp_ray_answers;
/* All rays of a set, or the first PROBES (asked after a build), or the same number spread over the set by vp_cold_rays. */
enum { VP_RAYS_ALL, VP_RAYS_PROBES, VP_RAYS_COLD };
extern const vp_derivation vp_ray_answers_derivation;

typedef struct vp_box_answers {
    size_t *list_end; /* end of each box's part of `list` */
    uint32_t *list;
    uint32_t *mark;     /* scratch, one per triangle of the largest mesh */
    uint32_t triangles; /* number of triangles of the largest mesh */
} vp_box_answers;
extern const vp_derivation vp_box_answers_derivation;

/* Hits at most this far from a ray's origin count as at the origin. */
#define VP_TREE_AT_ORIGIN 1e-6
/* Hits at most this far apart are equal. Beyond a distance of 1 the tolerance is relative. */
#define VP_TREE_SAME_HIT 1e-4
/* This many answers may differ in total, plus MAX_DIFFERENT per 1000 hits, not counting rays that begin on a triangle. Libraries differ
 * in at most 1.6 of 1000, among the rays after a build. A tree that lacks one triangle of each chunk differs in more than 4. */
#define VP_TREE_SOME_DIFFERENT 4
#define VP_TREE_MAX_DIFFERENT  2

/* Rays by the kind of difference. Each ray is counted once. */
typedef struct vp_ray_differences {
    uint64_t rays, hits; /* number of rays, and of rays that hit in the reference */
    uint64_t lost;       /* hits of the reference that the library misses */
    uint64_t gained;     /* hits of the library that the reference misses */
    uint64_t moved;      /* hits at another place, or on an invalid triangle */
    uint64_t neighbour;  /* hits of another triangle at the same place */
    uint64_t at_origin;  /* begin on a triangle that the library skips; its next hit is correct */
} vp_ray_differences;

/* @param any  compare only whether there is a hit */
vp_ray_differences vp_compare_rays(const vp_ray_answers *right, const vp_mesh_set *meshes, const vp_peer_hit *got, bool any);
bool vp_rays_acceptable(const vp_ray_differences *differences);
/* Writes "hits=equal" or "hits differ: 12 of 262144 lost, 3 gained". */
void vp_ray_differences_text(const vp_ray_differences *differences, char *text, size_t bytes);

/* Counts the boxes whose list differs from the reference's. With `leaves`, only a missing triangle counts. A list that does not fit or
 * that repeats a triangle also counts. */
uint64_t vp_compare_boxes(const vp_box_answers *right, const vp_data *boxes, const vp_peer_answers *got, bool leaves);

/* ---- hulls (judge_hulls.c) ---- */

/* ALLOWED is the largest distance of a point outside a hull and the largest depth of a valley, relative to the points' extent. SLIVER is
 * the largest height of a triangle, relative to its length, whose plane is not checked. */
#define VP_HULL_ALLOWED 1e-6
#define VP_HULL_SLIVER  1e-5

/* Findings about a library's hull. `places` without triangles are a valid hull if all points are at one place or on one segment. */
typedef struct vp_hull_found {
    uint32_t faults;   /* vp_hull_fault bits */
    uint32_t vertices; /* number of vertices with triangles */
    double outside;    /* largest distance of a point outside, relative to the extent; 0: none */
} vp_hull_found;

/* Checks a library's hull.
 * @param flat our hull of points in a plane, on a line or in one place. Otherwise NULL. Triangles of a two-sided polygon may overlap if
 * each edge is used equally often in both directions. Their planes are not checked. A vertex is outside if it is far from all edges
 * @return VP_E_UNSUPPORTED if the library made no output, or VP_E_MEMORY */
vp_status vp_hull_look(const vp_vec3 *point, uint32_t count, const vp_hull *flat, const vp_peer_answers *mesh, vp_hull_found *out,
                       vp_error *error);

/* Returns the places of one of our hulls, from malloc, or NULL without memory. With its triangles they have the form of a library's
 * answer. */
vp_vec3 *vp_hull_places(const vp_hull *hull, const vp_vec3 *point);

/* Returns the longest side of the points' box. */
double vp_hull_extent(const vp_vec3 *point, uint32_t count);

/* ---- decompositions (judge_decompose.c) ---- */

/* Lengths relative to the longest side of a mesh. NEAR is the distance within which a hull covers the surface. SPACING is the distance
 * between the rays that measure the error, half of our default. */
#define VP_DECOMPOSITION_NEAR    1e-4
#define VP_DECOMPOSITION_SPACING 5e-3

/* Findings of the judge of decompositions and of the rays, for one or several solids. */
typedef struct vp_decomposition_found {
    uint64_t hulls, flat, invalid, vertices, triangles, owned, lost, predictions;
    double ray_error;    /* longest distance along a normal from the surface to a hull's back face, relative to the longest side */
    vp_between reach;    /* the same with bounds, relative to the longest side */
    double area, volume; /* of the solids; NAN if one of them is open */
    double covered[2];   /* lower bounds of area and volume */
    double overlap;      /* volume */
    char reason[160];    /* reason for the first invalid hull */
} vp_decomposition_found;

/* Adds the findings. @return VP_E_MEMORY, or VP_E_ARGUMENT for an invalid decomposition */
vp_status vp_decomposition_look(const vp_triangles *mesh, const vp_peer_answers *hulls, vp_decomposition_found *found, vp_error *error);
/* Adds them as counters. Lengths are in thousandths of the longest side. */
void vp_decomposition_count(const vp_decomposition_found *found, vp_counters *out);

/* ---- polygons (judge_polygons.c) ---- */

/* Hulls of a point set's three shadows along x, y and z, by the reference. Corners are in the plane's coordinates, counterclockwise. */
typedef struct vp_shadows {
    struct {
        double (*corner)[2];
        uint32_t corners;
    } of[3];
} vp_shadows;
extern const vp_derivation vp_shadows_derivation; /* derived from a set of points */

#endif
