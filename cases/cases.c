/* SPDX-License-Identifier: MIT */
/* The table of all cases. */
#include "cases/case.h"

#define CASE_ENTRY(k, ...)           [VP_KERNEL_##k] = &vp_case_##k,
#define OPERATION_CASE_ENTRY(o, ...) [VP_OPERATION_##o] = &vp_case_##o,
const vp_case *const vp_cases[VP_ROW_COUNT] = {VP_KERNELS(CASE_ENTRY) VP_OPERATIONS(OPERATION_CASE_ENTRY)};
