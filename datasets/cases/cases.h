/* SPDX-License-Identifier: MIT */
/* What each kernel eats, how it is run, and what must be equal: the one body behind the differential tests, `voxphys
 * verify`, and the check before each benchmark. A kernel without a case does not link. */
#ifndef VP_CASES_H
#define VP_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/broadphase.h>
#include <voxphys/kd.h>
#include <voxphys/kernels.h>

#include "cases/derived.h"
#include "datasets/datasets.h"
#include "datasets/mesh_sets.h"
#include "datasets/point_sets.h"

/* ---- what is run ---- */

typedef enum vp_how { VP_HOW_NATIVE, VP_HOW_SIMDE, VP_HOW_AUTOVEC, VP_HOW_WORDS } vp_how;

/* One contender: a version of the registry, the reference auto-vectorised for the best set of this machine, or the optimized
   algorithm in plain C. */
typedef struct vp_contender {
    char name[24]; /* "scalar", "scalar-autovec", "scalar-words", "avx2", "neon-simde", ... */
    vp_isa isa;    /* the set its instructions are of; of scalar-autovec the set it was vectorised for */
    vp_how how;
    bool usable; /* false: this machine cannot run it */
} vp_contender;

enum { VP_CONTENDERS_MAX = VP_ISA_COUNT + 3 };

/* All contenders of a kernel in this build, scalar first, usable or not. @return how many */
size_t vp_contenders(vp_kernel_id kernel, vp_contender out[VP_CONTENDERS_MAX]);

/* A table that is the scalar reference but for one kernel, which is the contender's. */
vp_kernels vp_contender_table(const vp_contender *contender, vp_kernel_id kernel);

/* ---- what it is run on ---- */

/* What a kernel reads. */
typedef enum vp_food {
    VP_FOOD_WORLD,
    VP_FOOD_BOXES, /* of a world */
    VP_FOOD_POINTS,
    VP_FOOD_MESHES,
    VP_FOOD_RAYS,       /* of meshes */
    VP_FOOD_MESH_BOXES, /* of meshes */
    VP_FOOD_CHUNK_RAYS,    /* of meshes that are small: rays too, asked of no tree */
    VP_FOOD_TERRAIN_RAYS,  /* rays of a mesh that is a terrain's, asked of the terrain */
    VP_FOOD_TERRAIN_BOXES  /* and boxes */
} vp_food;

/* What kind of data a food is made from, of the first six: rays, of all that is asked by rays. */
vp_food vp_food_base(vp_food food);

/* A world, its forms that kernels read, and a set of boxes (count 0 if the name has none); or sets of points; or meshes, a set of rays or
   of boxes, and the form of the trees over them. */
typedef struct vp_workload {
    char name[64]; /* "terrain-l3", "terrain-l3/boxes-small", "chunks", "chunks/coherent", "ball", "ball/1000" */
    vp_store *store;           /* of all that is below */
    bool lent;                 /* the store is another's */
    const vp_data *of_world, *of_meshes, *of_rays, *of_mesh_boxes;
    const vp_world *world;
    const uint8_t *rows;             /* the materials in rows */
    const vp_broadphase *broadphase; /* by the scalar reference */
    uint32_t most_surfaces;    /* about so many chunks of it are looked at, evenly spread; 0: all */
    vp_box_set boxes;
    vp_point_sets points;
    vp_mesh_set meshes;
    vp_ray_set rays;
    vp_mesh_box_set mesh_boxes;
    vp_kd_form form;
    bool plain;      /* trees in the wide form take quads for the plain triangles that they are; same numbers, same answers */
    bool terrain;    /* there is one, of a world that is small, or that the one mesh is of */
    vp_ray_set terrain_rays;   /* of a small world: those that its terrain is asked */
} vp_workload;

/* Makes a kind the workload's. */
void vp_workload_set_kind(vp_workload *workload, const vp_tree_kind *kind);
/* Which kind it has. */
const vp_tree_kind *vp_workload_kind(const vp_workload *workload);
/* Whether there are such trees of a workload: packed ones where a data set's meshes are chunks', implied ones where they are
   chunks' and all of quads, and there each mesh must fit; those of "fuzz-<n>" are any triangles. Plain triangles where all are of quads; the others always. */
bool vp_workload_has_kind(const vp_workload *workload, const vp_tree_kind *kind);

/* Loads a data set by name, or makes all of "fuzz-<n>" (n >= 0): a small world of odd shape, small meshes of odd triangles, and
   hostile boxes and rays (NaN, infinite, inverted, huge, outside), others for each n and seed. */
vp_status vp_workload_open(const vp_manifest *manifest, const char *name, uint64_t seed, vp_workload *out,
                           vp_error *error);
/* The same from a store, which keeps all that it has. */
vp_status vp_workload_in(vp_store *store, const char *name, vp_workload *out, vp_error *error);
/* Gives a workload another set of boxes or rays ("boxes-small", "coherent") without making its world or its meshes again, and
   renames it. */
vp_status vp_workload_set_boxes(const vp_manifest *manifest, const char *boxes, vp_workload *workload, vp_error *error);
/* The chunks of a workload's world that have a surface, and their meshes, by the scalar reference. They are the workload's. Not for
   two threads at once. */
vp_status vp_workload_surfaces(const vp_workload *workload, const vp_surface_set **out, vp_error *error);
/* The tree of each mesh in the workload's form, by the scalar reference. They are the workload's. Not for two threads at once. */
vp_status vp_workload_trees(const vp_workload *workload, vp_kd *const **out, vp_error *error);
/* The terrain with all its trees of the workload's kind, by the scalar reference. It is the workload's. Not for two threads at once. */
vp_status vp_workload_terrain(const vp_workload *workload, vp_terrain_view *out, vp_error *error);
/* Bytes a triangle of its trees and of their meshes, once it is made; 0 without memory. */
double vp_workload_terrain_bytes(const vp_workload *workload);
/* Triangles of its meshes. */
uint64_t vp_workload_terrain_triangles(const vp_workload *workload);

/* Keeps at most so many of the rays and of the meshes' boxes, evenly spread. */
void vp_workload_thin(vp_workload *workload, uint32_t most);
void vp_workload_close(vp_workload *workload);

/* ---- how ---- */

/* Results as records of one size, little-endian, canonical: equal answers are equal bytes. */
typedef struct vp_records {
    uint8_t *bytes;
    size_t record_bytes;
    size_t count;
} vp_records;

typedef struct vp_case {
    const char *unit; /* of items: "chunks", "queries" */
    vp_food food;
    /* Makes outputs and scratch. The workload must outlive the work. */
    vp_status (*make)(const vp_workload *workload, void **work, vp_error *error);
    /* Runs the table's kernel over the workload once. @return items done */
    uint64_t (*run)(const vp_kernels *table, void *work);
    /* The answers of the last run. Freed with vp_records_destroy. */
    vp_status (*records)(const void *work, vp_records *out, vp_error *error);
    void (*drop)(void *work); /* accepts NULL */
} vp_case;

/* Whether a kernel reads that food of a workload. */
bool vp_case_eats(vp_kernel_id kernel, vp_food food, const vp_workload *workload);
/* Whether a kernel reads or makes trees, so that their form may matter. */
bool vp_case_of_trees(vp_kernel_id kernel);

#define VP_CASE_EXTERN(k, ...) extern const vp_case vp_case_##k;
VP_KERNELS(VP_CASE_EXTERN)
extern const vp_case *const vp_cases[VP_KERNEL_COUNT];

/* Bytes of all trees that the last run of kd_build has made: nodes and items. */
uint64_t vp_case_kd_tree_bytes(const void *work);

struct vp_hull;
/* XXH3-64 of all that must be equal of a hull: what is hashed of each set for `voxphys verify`. VP_E_MEMORY. */
vp_status vp_hull_digest(const struct vp_hull *hull, uint64_t *out, vp_error *error);

void vp_records_destroy(vp_records *records);
/* XXH3-64 of the records. */
uint64_t vp_records_digest(const vp_records *records);

/* The outcome of running one contender against the reference. */
typedef struct vp_check {
    uint64_t cases;      /* answers compared */
    uint64_t mismatches; /* answers that differ from the reference's */
    uint64_t digest;     /* of the contender's answers */
    uint64_t first;      /* number of the first answer that differs */
} vp_check;

/* The reference's answers, to be compared with several contenders'. */
vp_status vp_reference_records(vp_kernel_id kernel, const vp_workload *workload, vp_records *out, vp_error *error);

/* Runs a contender and compares all its answers with the reference's, `want`; NULL: the reference is run too. */
vp_status vp_check_contender(vp_kernel_id kernel, const vp_contender *contender, const vp_workload *workload,
                             const vp_records *want, vp_check *out, vp_error *error);

#endif
