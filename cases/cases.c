/* SPDX-License-Identifier: MIT */
/* The table of all cases. */
#include "cases/case.h"

#define CASE_ENTRY(k, ...) [VP_KERNEL_##k] = &vp_case_##k,
const vp_case *const vp_cases[VP_KERNEL_COUNT] = {VP_KERNELS(CASE_ENTRY)};
