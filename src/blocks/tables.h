/* SPDX-License-Identifier: MIT */
/* Checks that functions of blocks begin with. */
#ifndef VP_BLOCKS_TABLES_H
#define VP_BLOCKS_TABLES_H

#include <voxphys/kernels.h>

#include "src/core/error.h"

/* The caller's kernels, or the default ones for NULL. */
static inline vp_status vp_block_table(const vp_kernels *kernels, vp_kernels *out, vp_error *error)
{
    if (kernels == NULL)
        return vp_kernels_default(out, error);
    *out = *kernels;
    return VP_OK;
}

static inline vp_status vp_block_window_check(const vp_block_window *window, vp_error *error)
{
    if (window->edge == 0 || window->edge > VP_BLOCK_EDGE)
        return vp_fail(error, VP_E_ARGUMENT, "a window of edge %u: it is 1 to %d", window->edge, VP_BLOCK_EDGE);
    return VP_OK;
}

#endif
