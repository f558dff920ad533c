/* SPDX-License-Identifier: MIT */
/* The concavity of a hull on NEON. */
#include "optimized/simd/neon.h"

#include "optimized/decompose/concavity_body.h"
