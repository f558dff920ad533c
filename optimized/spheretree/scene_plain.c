/* SPDX-License-Identifier: MIT */
/* Queries of the wide sphere tree in plain C. */
#include "optimized/simd/plain.h"

#include "optimized/spheretree/scene_body.h"
