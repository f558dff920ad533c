/* SPDX-License-Identifier: MIT */
/* What the report knows: each machine's result files, read and judged. What a file does not tell stays
 * unknown (NULL or NaN) and never becomes 0. */
#ifndef VP_TOOLS_REPORT_DATA_H
#define VP_TOOLS_REPORT_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "datasets/datasets.h"

/* Who was measured, by its name. */
typedef enum vp_who {
    VP_WHO_SCALAR,
    VP_WHO_AUTOVEC,
    VP_WHO_ISA,   /* an instruction set, natively */
    VP_WHO_SIMDE, /* another architecture's, through SIMDe */
    VP_WHO_PEER,
    VP_WHO_LIMIT,
    VP_WHO_OTHER
} vp_who;

/* What is told of a benchmark besides its time. */
typedef enum vp_counter {
    VP_BITS_PER_VOXEL,
    VP_BITS_PER_VOXEL_TOTAL,
    VP_BYTES_PER_TRIANGLE,
    VP_MESH_BYTES_PER_TRIANGLE,
    VP_TRIANGLES_PER_MESH,
    VP_NODES_PER_RAY,
    VP_TRIANGLES_PER_RAY,
    VP_DIFFER,        /* answers with another bit than the reference's, of a variant that is not exact */
    VP_LOST,          /* hits where there are none, or the other way round */
    VP_HITS,          /* of a peer: rays that hit something */
    VP_HITS_LOST,     /* hits that it does not find */
    VP_HITS_GAINED,   /* and that there are none */
    VP_HITS_MOVED,    /* elsewhere on the ray */
    VP_HITS_NEIGHBOUR, /* of another triangle at the same place */
    VP_HITS_AT_ORIGIN, /* rays that begin on a triangle */
    VP_CHUNKS_BUILT,   /* of a terrain: meshes and trees that were made */
    VP_MOST_BYTES,     /* of meshes and trees, at most at a time */
    VP_PEAK_BYTES,     /* of everything but the voxels */
    VP_HITS_PER_RUN,   /* uses of chunks that were there, by all rays of the set */
    VP_MISSES_PER_RUN, /* and of those that were not */
    VP_EVICTIONS_PER_RUN,
    VP_BUILT_PER_EDIT,
    VP_EDIT_NS, /* an edit, and of it */
    VP_VOXELS_NS,
    VP_TOP_NS,
    VP_MESH_NS, /* the ray behind it: meshes, trees, and the rest */
    VP_TREE_NS,
    VP_RAY_NS,
    VP_HULL_FAULTS, /* of a library's hull; 0: none */
    VP_HULL_VERTICES,
    VP_HULL_FACES,
    VP_HULL_CORNERS,          /* vertices that are corners of faces */
    VP_COMPARISONS_PER_POINT, /* with planes */
    VP_LOOKS_PER_POINT,       /* by passes over points */
    VP_MOVES_PER_POINT,       /* to other faces */
    VP_TRIANGLES_MADE,
    VP_POLYGONS_REFUSED, /* by a library, of the three shadows of a set */
    VP_POLYGONS_MISSING, /* corners of the reference's that a library's have not */
    VP_POLYGONS_EXTRA,   /* and the other way round */
    VP_POLYGONS_TURNED,  /* that go around in another order */
    VP_COUNTERS
} vp_counter;

/* All repetitions of one benchmark. */
typedef struct vp_measured {
    char *name;               /* owns the three names below */
    const char *kernel, *who; /* "dilate_world", "avx2" */
    const char *data;         /* "terrain-l3", "terrain-l3/boxes-small", "luanti/threads-2"; "" */
    const char *label,
        *error; /* of the benchmark program; label "" if it has none, error NULL unless it was refused */
    vp_who kind;
    int rank[3];             /* order of kernel, data and who among those that are known */
    double *ns;              /* per item, ascending */
    size_t count;            /* 0 where it was refused */
    double counter[VP_COUNTERS]; /* NaN where it has none */
} vp_measured;

typedef struct vp_bench {
    json_t *json; /* NULL: the file is not there */
    vp_measured *row;
    size_t count; /* by kernel, data and who */
} vp_bench;

/* One folder of results. */
typedef struct vp_result {
    char *name;
    char *link;                          /* the folder as seen from where the report is written */
    json_t *machine, *verify, *pipeline; /* NULL: the file is not there */
    vp_bench bench, clang;
    vp_bench limits; /* builds and the memory's limits, measured once more side by side */
    json_t *hulls;   /* which hulls are right; NULL: the file is not there */
    json_t *results; /* results.json, which says whether it is official; NULL: the file is not there */
    json_t *conformance; /* which questions of the corpus are answered right; NULL: the file is not there */
    char *notes; /* NULL: none */
} vp_result;

typedef struct vp_results {
    vp_manifest *manifest;
    json_t *instructions, *models; /* of no machine; NULL: the file is not there */
    vp_result *result;
    size_t count; /* by name */
} vp_results;

/* Reads one folder; what is not there stays NULL. VP_E_FORMAT with the file's name if one is damaged; also then `out` is to be
   destroyed. It must be all zero before. */
vp_status vp_result_read(const char *folder, const vp_manifest *manifest, vp_result *out, vp_error *error);
void vp_result_destroy(vp_result *result);

/* Whether a file of results, or the folder of a machine among others, is there. A folder of results may be anybody's, and a link
   in it would show what lies elsewhere: VP_E_FORMAT. The folder that the user names, and those above it, may be links. */
vp_status vp_result_found(const char *path, bool *there, vp_error *error);
/* A JSON object from such a file; NULL if the file is not there. With `of_benchmarks` also one with NaN and Infinity in it, as Google
   Benchmark writes them; they are read as texts. */
vp_status vp_json_file(const char *path, bool of_benchmarks, json_t **out, vp_error *error);

/* Reads all folders below `folder` that hold a result file. VP_E_FORMAT with the file's name if one is
   damaged, VP_E_ARGUMENT if there is none. */
vp_status vp_results_read(const char *folder, const char *link_prefix, vp_results *out, vp_error *error);
void vp_results_destroy(vp_results *results);

/* What shares of the memory's limits are told from: `limits`, or where it was not measured `bench`. */
const vp_bench *vp_limits_of(const vp_result *r);

/* Reads the benchmarks of a file's JSON, which stays the caller's. `path` is for messages. */
vp_status vp_bench_read(json_t *json, const char *path, const vp_manifest *manifest, vp_bench *out,
                        vp_error *error);
void vp_bench_destroy(vp_bench *bench);

vp_who vp_who_of(const char *who);
/* The first benchmark of that kernel, who and data that has figures; NULL if there is none. */
const vp_measured *vp_bench_find(const vp_bench *bench, const char *kernel, const char *who,
                                 const char *data);

/* Median of the repetitions, and the median of their distances from it; NaN for NULL. */
double vp_measured_ns(const vp_measured *m);
double vp_measured_spread(const vp_measured *m);

/* A member at a path "cpu.model" as text or number; NULL or NaN if it is absent, null, or of another type. */
const char *vp_json_text(const json_t *json, const char *path);
double vp_json_figure(const json_t *json, const char *path);
json_t *vp_json_at(const json_t *json, const char *path);

/* The chunks of a data set's world; NaN if the manifest does not know it. */
double vp_data_chunks(const vp_manifest *manifest, const char *data);

#endif
