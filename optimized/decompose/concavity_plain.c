/* SPDX-License-Identifier: MIT */
/* The concavity of a hull in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/decompose/concavity_body.h"
