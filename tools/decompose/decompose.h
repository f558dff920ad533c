/* SPDX-License-Identifier: MIT */
/* What the files of `voxphys decompose` share. */
#ifndef VP_TOOLS_DECOMPOSE_DECOMPOSE_H
#define VP_TOOLS_DECOMPOSE_DECOMPOSE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/decompose.h>

#include "conformance/judge_decompose/check.h"
#include "host/hulls/hulls.h"
#include "host/record/write.h"
#include "tools/sources/triangle_source.h"

/* A mesh as triangles that have three corners each. */
typedef struct vp_input_mesh {
    vp_source source;
    vp_surface_mesh surface; /* of a source that is no box */
    vp_mesh made;            /* of a box */
    vp_triangles triangles;
    uint32_t (*triangle)[3]; /* their corners */
    double extent;           /* the longest side of their box */
    double seconds;          /* that a world's surface took */
} vp_input_mesh;

/* Opens what an argument names.
   box      NULL, or of a world: triangles with all corners in it, both ends included, in voxels
   written  a file that is to be written, or NULL: VP_E_ARGUMENT if it is one of those that are read
   @return what the reading says; VP_E_ARGUMENT for a mesh without triangles, or with too many, and a box that is empty or of no world.
           Close it, also after a failure. */
vp_status vp_input_mesh_open(const char *name, const int32_t box[6], const char *written, const vp_kernels *kernels, uint32_t threads,
                             vp_input_mesh *out, vp_error *error);
void vp_input_mesh_close(vp_input_mesh *mesh);

/* A run: what is asked for, and what was found. */
typedef struct vp_decompose_run {
    const char *name;       /* of the mesh */
    const char *hulls_name; /* of hulls to be judged, or NULL */
    const char *out;        /* a file to be written, or NULL */
    const char *record;     /* a file for the steps, or NULL */
    bool json, check, has_box;
    int32_t box[6];
    vp_hulls_format format; /* of `out` */
    float explode;
    float within; /* of --check, in the def's unit; 0: the quantization */
    uint32_t threads;
    vp_decomposition_def def; /* but for the mesh, the executor and who watches */
    vp_kernels kernels;
    vp_input_mesh mesh;
    vp_decomposition made;
    vp_hulls hulls;
    vp_record_written recorded; /* of `record` */
    double seconds, judge_seconds;
    uint64_t digest;
    double s; /* that was judged by, in the mesh's unit */
    vp_decomposition_verdict verdict;
    bool judged, right; /* right: no hull is invalid, and no surface lost */
} vp_decompose_run;

/* Judges the run's hulls by its mesh. VP_E_ARGUMENT for hulls that hold triangles which there are not; VP_E_MEMORY. */
vp_status vp_decompose_run_judge(vp_decompose_run *run, vp_error *error);

/* What the input is, where that is not what a solid's surface should be: lines on stderr. */
void vp_decompose_run_warn(const vp_decompose_run *run);
/* All that was found. @return the exit code */
int vp_decompose_print_run(const vp_decompose_run *run);

#endif
