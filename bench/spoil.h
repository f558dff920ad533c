/* SPDX-License-Identifier: MIT */
#ifndef VP_BENCH_SPOIL_H
#define VP_BENCH_SPOIL_H

#include <voxphys/kernels.h>

extern const vp_kernels vp_spoiling;

#endif
