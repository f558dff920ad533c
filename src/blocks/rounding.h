/* SPDX-License-Identifier: MIT */
/* Whether a world of this size can be rounded. */
#ifndef VP_BLOCKS_ROUNDING_H
#define VP_BLOCKS_ROUNDING_H

#include <voxphys/block_shapes.h>

vp_status vp_block_rounding_check(const vp_block_rounding *rounding, vp_error *error);

#endif
