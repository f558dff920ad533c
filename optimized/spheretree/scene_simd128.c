/* SPDX-License-Identifier: MIT */
/* Queries of the wide sphere tree on WebAssembly SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/spheretree/scene_body.h"
