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

/* ---- a peer on a row's data ---- */

typedef enum vp_peer_outcome {
    VP_PEER_NO_MEMORY, /* initial value */
    VP_PEER_RIGHT,     /* or with acceptable differences */
    VP_PEER_FAULTY,    /* a result that may be measured */
    VP_PEER_WRONG,     /* an error without a figure. The text is the message */
    VP_PEER_REFUSES,   /* the library reports a refusal, or makes no output */
    VP_PEER_CRASHES,
    VP_PEER_LATE /* it exceeded its time limit */
} vp_peer_outcome;

/* The text is a part of the label ("rays hits=equal"), or names the refused data ("these points"). */
typedef struct vp_verdict {
    vp_peer_outcome outcome;
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
    const char *again; /* property that is checked again after the measurement, like "polygons" */
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

#endif
