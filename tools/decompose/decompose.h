/* SPDX-License-Identifier: MIT */
/* Shared by the files of `voxphys decompose`. */
#ifndef VP_TOOLS_DECOMPOSE_DECOMPOSE_H
#define VP_TOOLS_DECOMPOSE_DECOMPOSE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/decompose.h>
#include <voxphys/mass.h>

#include "conformance/judge_decompose/check.h"
#include "host/hulls/hulls.h"
#include "host/record/write.h"
#include "tools/sources/triangle_source.h"

/* An object of the mesh, or the whole mesh, and its decomposition. */
typedef struct vp_input_object {
    char name[64];           /* printable ASCII, unique */
    uint32_t first, count;   /* triangles of the mesh */
    double extent;           /* longest side of the bounding box */
    vp_vec3 *vertex;         /* with --per-object: those of its triangles, else NULL */
    uint32_t (*triangle)[3]; /* with --per-object, numbers of `vertex` */
    uint32_t vertices;
    vp_mass turned;    /* mass of its mesh as --flip turned it, 0 = without --flip, or not closed */
    bool mass_of_mesh; /* its mass is that of the mesh, not the sum of its hulls */
    vp_decomposition parts;
} vp_input_object;

/* A mesh as triangles with three different corners each. */
typedef struct vp_input_mesh {
    vp_source source;
    vp_surface_mesh surface; /* a source that is not a box */
    vp_mesh box_mesh;        /* of a box of the world */
    vp_triangles triangles;
    uint32_t (*triangle)[3]; /* corner numbers */
    vp_input_object *object; /* [objects] */
    uint32_t objects;
    double extent;  /* longest side of the bounding box */
    double seconds; /* time to make a world's surface */
} vp_input_mesh;

/* Opens the mesh that an argument names. Close it, also after a failure.
   box      NULL, or the box of a world whose triangles are used, in voxels. All corners must be in it, both ends included
   each     split a mesh file into its objects
   written  file that is to be written, or NULL. VP_E_ARGUMENT if it is also read
   @return errors of reading. VP_E_ARGUMENT for a mesh without triangles or with too many, for a box that is empty or not of a world, and
           for `each` without a mesh file */
vp_status vp_input_mesh_open(const char *name, const int32_t box[6], bool each, const char *written, const vp_kernels *kernels,
                             uint32_t threads, vp_input_mesh *out, vp_error *error);
void vp_input_mesh_close(vp_input_mesh *mesh);

/* Mass properties of an object: of its mesh if that is closed, sound and faces outwards, perhaps after --flip, otherwise the sum of its
   hulls. Sets mass_of_mesh. */
vp_mass vp_input_object_mass(const vp_input_mesh *mesh, vp_input_object *object, double density);

/* Mass properties of a mesh whose triangles were turned. 0 if it is not closed. */
vp_mass vp_turned_mesh_mass(const vp_decomposition_start *start, double density);

/* Presets of --quality. */
typedef enum vp_quality { VP_QUALITY_FAST, VP_QUALITY_DEFAULT, VP_QUALITY_FINE } vp_quality;

/* Options and results of a run. */
typedef struct vp_decompose_run {
    const char *name;       /* name of the mesh */
    const char *hulls_name; /* hulls to check, or NULL */
    const char *out;        /* output file, or NULL */
    const char *record;     /* recording, or NULL */
    bool json, check, has_box, per_object;
    int32_t box[6];
    vp_hulls_format format; /* format of `out` */
    float explode, density;
    vp_hulls_object *object; /* names and masses for `out` */
    float within;            /* --check, in the unit of the definition. 0 = the quantization */
    float max_reach;         /* --check, in the unit of the definition. 0 = no limit */
    float min_covered;       /* --check, percent. 0 = no limit */
    vp_quality quality;
    uint32_t threads;
    vp_decomposition_def def; /* without mesh, executor and observer */
    vp_kernels kernels;
    vp_input_mesh mesh;
    vp_hulls hulls;
    vp_record_written recorded; /* counts of `record` */
    double seconds, judge_seconds;
    uint64_t digest;
    double s;    /* tolerance of the check, in the mesh's unit */
    double unit; /* of the definition's lengths, in the mesh's unit */
    vp_decomposition_verdict verdict;
    bool judged, right; /* right: no hull is invalid, and no surface is lost */
    bool measured;      /* the verdict exists */
    bool within_limits; /* of reach and covered volume */
} vp_decompose_run;

/* Prints warnings on stderr about a mesh that is not the surface of a solid. */
void vp_decompose_run_warn(const vp_decompose_run *run);
/* Prints all results. @return the exit code */
int vp_decompose_print_run(const vp_decompose_run *run);

#endif
