/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_VERSIONS_H
#define VOXPHYS_KERNEL_VERSIONS_H

#include <voxphys/cpu.h>

/** @file kernel/versions.h
 *  Macros of the kernel rows in kernel/<component>.h. For people who port kernels.
 *
 *  A kernel row is K(name, file, versions, "group", "unit", "Sentence."). vp_<name>_fn is its signature. vp_<name>_scalar in
 *  reference/<component>/ defines its results. Versions vp_<name>_<isa> are in <file>_<isa>.c in optimized/<component>/ or in its folder
 *  <file>/. `versions` is a set below. NONE = reference only. Rows with the same file have the same set. O(name, "group", "unit",
 *  "Sentence.") is a whole operation.
 *
 *  cmake/registry.cmake reads rows and sets too. Write each set on one line. */

/** @name Sets of versions
 *  The last supported one is preferred.
 *  @{ */
#define VP_ON_NONE(V, k)
#define VP_ON_ALL(V, k) V(k, avx2) V(k, avx512) V(k, neon) V(k, simd128)
/** @} */

/** Prototype. */
#define VP_PROTO(k, isa) vp_##k##_fn vp_##k##_##isa;

/** Prototypes of a row, for the library's own files. Programs call versions through tables (kernels.h). */
#ifdef VP_KERNEL_PROTOTYPES
#define VP_PROTOS(k, file, versions, ...) VP_PROTO(k, scalar) VP_ON_##versions(VP_PROTO, k)
#else
#define VP_PROTOS(k, file, versions, ...)
#endif

#endif
