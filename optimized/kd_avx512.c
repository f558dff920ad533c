/* SPDX-License-Identifier: MIT */
/* Queries of the loose kD tree on AVX512. The ideas are in kd_wide.h and kd_nodes.h. */
#include "optimized/lanes_avx2.h"

#define VP_KD_ISA avx512
#include "optimized/kd_versions.h"
