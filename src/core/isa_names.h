/* SPDX-License-Identifier: MIT */
/* The names that choose instruction sets, for messages and helps. They are those of VP_ISAS in its order, and those
 * available through SIMDe. */
#ifndef VP_CORE_ISA_NAMES_H
#define VP_CORE_ISA_NAMES_H

#include <voxphys/cpu.h>

#define VP_ISA_WORD(i) #i ", "
#define VP_ISA_NAMES   VP_ISAS(VP_ISA_WORD) "avx2-simde, neon-simde, simd128-simde"

#endif
