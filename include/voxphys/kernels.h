/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNELS_H
#define VOXPHYS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/cpu.h>
#include <voxphys/kernel/automaton.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/broadphase.h>
#include <voxphys/kernel/decompose.h>
#include <voxphys/kernel/hull.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/kernel/spheretree.h>
#include <voxphys/kernel/surface.h>
#include <voxphys/kernel/terrain.h>
#include <voxphys/status.h>

/** @file kernels.h
 *  The registry. A component's header in voxphys/kernel has its kernels: data layouts, signatures, and a row each. Dispatch,
 *  listing, verification, benchmarks, the report and the build are made from the rows. A component is entered here, once:
 *  VP_COMPONENTS, and its header above.
 *
 *  A signature is a function *type*. It types the table's field and, inside the library, declares and checks every version.
 *  Programs call versions through a table: vp_kernels_named("scalar", ...) gives the references. Kernels do not allocate, do
 *  not fail, and trust their pointers: their checked faces are in the other headers. */

#ifdef __cplusplus
extern "C" {
#endif

/** Components that have kernels, each behind those that it uses: C(name, NAME, X). */
#define VP_COMPONENTS(C, X)                                                                                                                \
    C(broadphase, BROADPHASE, X)                                                                                                           \
    C(surface, SURFACE, X)                                                                                                                 \
    C(kd, KD, X)                                                                                                                           \
    C(terrain, TERRAIN, X)                                                                                                                 \
    C(hull, HULL, X)                                                                                                                       \
    C(spheretree, SPHERETREE, X)                                                                                                           \
    C(automaton, AUTOMATON, X)                                                                                                             \
    C(blocks, BLOCKS, X)                                                                                                                   \
    C(decompose, DECOMPOSE, X)                                                                                                             \
    C(narrowphase, NARROWPHASE, X)

#define VP_KERNELS_OF(c, C, K)    VP_##C##_KERNELS(K)    /**< A component's kernels. */
#define VP_OPERATIONS_OF(c, C, O) VP_##C##_OPERATIONS(O) /**< A component's operations. */

/** Every kernel: K(name, file, versions, group, unit, sentence). See versions.h. */
#define VP_KERNELS(K) VP_COMPONENTS(VP_KERNELS_OF, K)
/** Every whole operation: O(name, group, unit, sentence). */
#define VP_OPERATIONS(O) VP_COMPONENTS(VP_OPERATIONS_OF, O)

#define VP_KERNEL_ID(k, ...)    VP_KERNEL_##k,    /**< A row as an enumerator. */
#define VP_OPERATION_ID(o, ...) VP_OPERATION_##o, /**< The same of an operation. */
#define VP_FIELD(k, ...)        vp_##k##_fn *k;   /**< A row as a member of a table. */

/** A row: kernels, then operations. */
typedef enum vp_row_id {
    VP_KERNELS(VP_KERNEL_ID) VP_KERNEL_COUNT,
    VP_KERNEL_LAST = VP_KERNEL_COUNT - 1,
    VP_OPERATIONS(VP_OPERATION_ID) VP_ROW_COUNT
} vp_row_id;

/** A kernel: a row below VP_KERNEL_COUNT. */
typedef vp_row_id vp_kernel_id;

/** What a row says. */
typedef struct vp_row {
    const char *name;     /**< "kd_ray". */
    const char *file;     /**< Of its versions, without folder and instruction set; NULL of an operation. */
    const char *group;    /**< Under which reports list it. */
    const char *unit;     /**< What is counted of it, in the plural: "rays". */
    const char *sentence; /**< What it does. */
} vp_row;

/** All rows, by vp_row_id: VP_ROW_COUNT. */
extern VP_API const vp_row vp_rows[];

/** The component that a row is of, e.g. "kd"; "unknown" for any other number. */
VP_API const char *vp_row_component(vp_row_id row);

/** One version of every kernel; call it as t->dilate_chunk(...). A value: two threads may use two tables, and there is
 *  no global one. */
typedef struct vp_kernels {
    VP_KERNELS(VP_FIELD)
} vp_kernels;

/** A version that is in this build. */
typedef struct vp_version {
    vp_kernel_id kernel; /**< What it computes. */
    vp_isa isa;          /**< What it is written for. */
    vp_via via;          /**< How it comes to run here. */
} vp_version;

/** All versions in this build, kernel by kernel, the scalar one of each first, the preferred one last. */
extern VP_API const vp_version vp_versions[];
/** How many there are. */
extern VP_API const size_t vp_version_count;

/** The name of a kernel, e.g. "dilate_world"; "unknown" for any other number. */
VP_API const char *vp_kernel_name(vp_kernel_id kernel);

/** Puts one version into a table. @return false, and the table as it was, if this build does not have it */
VP_API bool vp_kernels_use(vp_kernels *table, vp_kernel_id kernel, vp_isa isa);

/** Fills a table with the best version of each kernel among some instruction sets.
 *  @param isas  bits 1 << vp_isa; scalar is always allowed. They must be usable here. */
VP_API void vp_kernels_best(vp_kernels *table, uint32_t isas);

/** Fills a table by name: "best" (the best native one a kernel), "scalar", or an instruction set ("avx2", "avx512",
 *  "neon", "simd128"): that set, and for kernels that lack it the preferred one among those below it. A set that is here through
 *  SIMDe is called "avx2-simde", "neon-simde" or "simd128-simde" and falls back to scalar.
 *  @return VP_E_ARGUMENT for an unknown name, VP_E_UNSUPPORTED for a set that this machine or this build lacks. */
VP_API vp_status vp_kernels_named(const char *name, vp_kernels *table, vp_error *error);

/** Fills a table as the environment variable VOXPHYS_ISA says, in the names above; "best" if it is unset or empty. */
VP_API vp_status vp_kernels_default(vp_kernels *table, vp_error *error);

/** Which instruction set a table's version of a kernel is; VP_ISA_COUNT if it is none of this build's. */
VP_API vp_isa vp_kernels_isa(const vp_kernels *table, vp_kernel_id kernel);

#ifdef __cplusplus
}
#endif

#endif
