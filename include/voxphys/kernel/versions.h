/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_VERSIONS_H
#define VOXPHYS_KERNEL_VERSIONS_H

/** @file
 *  Macros of the kernel rows in kernel/COMPONENT.h.
 *
 *  A kernel row is K(NAME, FILE, VERSIONS, "group", "unit", "Sentence."). vp_NAME_fn is its signature. vp_NAME_scalar in
 *  reference/COMPONENT/ defines its results. Versions vp_NAME_ISA are in FILE_ISA.c in optimized/COMPONENT/ or its folder FILE/. VERSIONS
 *  is a set below. NONE = reference only. Rows with the same FILE have the same set. O(NAME, "group", "unit", "Sentence.") is a whole
 *  operation.
 *
 *  cmake/registry.cmake reads rows and sets too. Write each set on one line. */

/** No version. */
#define VP_ON_NONE(V, k)
/** Incomplete ports, whose files may be missing. */
#define VP_ON_BEGUN(V, k)
/** All versions. */
#define VP_ON_ALL(V, k) V(k, plain) V(k, avx2) V(k, avx512) V(k, neon) V(k, simd128) VP_ON_BEGUN(V, k)

#define VP_ISA_IN(ISA, i) ISA(i) /**< Enumerates. */
/** All sets. By default the last supported one, never plain. */
#define VP_ISAS(ISA) ISA(scalar) VP_ON_ALL(VP_ISA_IN, ISA)

/** Declares one version. */
#define VP_PROTO(k, isa) vp_##k##_fn vp_##k##_##isa;

/** Prototypes of a row, for the library's own files. Programs call versions through tables (kernels.h). */
#ifdef VP_KERNEL_PROTOTYPES
#define VP_PROTOS(k, file, versions, ...) VP_PROTO(k, scalar) VP_ON_##versions(VP_PROTO, k)
#else
#define VP_PROTOS(k, file, versions, ...)
#endif

#endif
