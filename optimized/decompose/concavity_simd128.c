/* SPDX-License-Identifier: MIT */
/* The concavity of a hull on WebAssembly SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/decompose/concavity_body.h"
