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

/** @file
 *  Kernel tables and the kernel registry. For ports and comparisons. Games leave the tables NULL.
 *
 *      vp_kernels table;
 *      if (vp_kernels_named("avx2", &table, &error) != VP_OK)
 *          return error.status;
 *      table.kd_build = my_kd_build; // a vp_kd_build_fn
 *      def.kernels = &table;
 *
 *  Kernels do not allocate, cannot fail and trust their pointers. Those with a `capacity` write the first results and return the total.
 *  Component headers have the checked functions. New kernels: docs/ARCHITECTURE.md, docs/PORTING.md. */

#ifdef __cplusplus
extern "C" {
#endif

/** Components, each after those that it uses. */
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

#define VP_KERNELS_OF(c, C, K)    VP_##C##_KERNELS(K)    /**< Kernels of a component. */
#define VP_OPERATIONS_OF(c, C, O) VP_##C##_OPERATIONS(O) /**< Operations of a component. */

/** All kernels, as in kernel/versions.h. */
#define VP_KERNELS(K) VP_COMPONENTS(VP_KERNELS_OF, K)
/** All operations, likewise. */
#define VP_OPERATIONS(O) VP_COMPONENTS(VP_OPERATIONS_OF, O)

#define VP_KERNEL_ID(k, ...)    VP_KERNEL_##k,    /**< Enumerator of a kernel. */
#define VP_OPERATION_ID(o, ...) VP_OPERATION_##o, /**< Enumerator of an operation. */
#define VP_FIELD(k, ...)        vp_##k##_fn *k;   /**< Table member of a kernel. */

/** Kernels, then operations. */
typedef enum vp_row_id {
    VP_KERNELS(VP_KERNEL_ID) VP_KERNEL_COUNT,
    VP_KERNEL_LAST = VP_KERNEL_COUNT - 1,
    VP_OPERATIONS(VP_OPERATION_ID) VP_ROW_COUNT
} vp_row_id;

/** Kernel, a row below VP_KERNEL_COUNT. */
typedef vp_row_id vp_kernel_id;

/** Kernel or operation. */
typedef struct vp_row {
    const char *name;     /**< Such as "kd_ray". */
    const char *file;     /**< Base name of its files. NULL = operation. */
    const char *group;    /**< Heading in reports. */
    const char *unit;     /**< Plural, such as "rays". */
    const char *sentence; /**< Summary. */
} vp_row;

/** By vp_row_id. [VP_ROW_COUNT] */
extern VP_API const vp_row vp_rows[];

/** Returns a row's component, such as "kd". */
VP_API const char *vp_row_component(vp_row_id row);

/** One version of each kernel. There is no global table. */
typedef struct vp_kernels {
    VP_KERNELS(VP_FIELD)
} vp_kernels;

/** Version of a kernel in this build. */
typedef struct vp_version {
    vp_kernel_id kernel;
    vp_isa isa;
    vp_via via;
} vp_version;

/** By kernel, then by vp_isa. [vp_version_count] */
extern VP_API const vp_version vp_versions[];
/** Number of versions. */
extern VP_API const size_t vp_version_count;

/** Returns a kernel's name. */
VP_API const char *vp_kernel_name(vp_kernel_id kernel);

/** Puts one version into a table. @return false if this build lacks it */
VP_API bool vp_kernels_use(vp_kernels *table, vp_kernel_id kernel, vp_isa isa);

/** Fills a table with this CPU's preferred versions among sets, bits 1 << vp_isa, and scalar. */
VP_API void vp_kernels_best(vp_kernels *table, uint32_t isas);

/** Fills a table by name.
 *  @param name  "best" (native sets of this machine), a set's name, or a SIMDe set such as "neon-simde". Kernels that lack a set use the
 *               preferred native set below it. With SIMDe they use scalar
 *  @return VP_E_ARGUMENT if the name is unknown
 *          VP_E_UNSUPPORTED if this machine or build lacks the set */
VP_API vp_status vp_kernels_named(const char *name, vp_kernels *table, vp_error *error);

/** Fills a table by environment variable VOXPHYS_ISA, or "best". Errors of vp_kernels_named. */
VP_API vp_status vp_kernels_default(vp_kernels *table, vp_error *error);

/** Returns a kernel's set. VP_ISA_COUNT = not a version of this build. */
VP_API vp_isa vp_kernels_isa(const vp_kernels *table, vp_kernel_id kernel);

#ifdef __cplusplus
}
#endif

#endif
