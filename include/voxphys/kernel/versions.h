/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_VERSIONS_H
#define VOXPHYS_KERNEL_VERSIONS_H

#include <voxphys/cpu.h>

/** @file versions.h
 *  What the rows of kernel/<component>.h are made with.
 *
 *  A row is K(name, file, versions, "group", "unit", "One sentence."): vp_<name>_fn is the kernel's signature, vp_<name>_scalar in
 *  reference/<component>/ defines what it computes, and vp_<name>_<isa> are its versions, one for each instruction set of the set
 *  `versions` below, in optimized/<component>/<file>_<isa>.c or optimized/<component>/<file>/<file>_<isa>.c. Rows that share a file
 *  have the same versions. A row of NONE has the reference alone, and `file` is the reference's. `unit` is what is counted: "rays".
 *
 *  A row is O(name, "group", "unit", "One sentence.") if it is a whole operation, of several kernels.
 *
 *  cmake/registry.cmake reads rows and sets too, and stops at what it can't read: a set is one line. */

/** @name Sets of versions
 *  The preferred last: of those that a machine runs, it is chosen. V(k, isa) is an entry.
 *  @{ */
#define VP_ON_NONE(V, k)
#define VP_ON_ALL(V, k) V(k, avx2) V(k, avx512) V(k, neon) V(k, simd128)
/** @} */

/** A version's prototype. */
#define VP_PROTO(k, isa) vp_##k##_fn vp_##k##_##isa;

/** A row's prototypes: for the files that define and list versions, and for nobody else. Programs call versions through tables
 *  (kernels.h), and a shared library exports none. */
#ifdef VP_KERNEL_PROTOTYPES
#define VP_PROTOS(k, file, versions, ...) VP_PROTO(k, scalar) VP_ON_##versions(VP_PROTO, k)
#else
#define VP_PROTOS(k, file, versions, ...)
#endif

#endif
