/* SPDX-License-Identifier: MIT */
/* A ray against every triangle on WebAssembly's 128 bits. */
#include "optimized/simd/simd128.h"

#include "optimized/kd/brute_body.h"
