/* SPDX-License-Identifier: MIT */
/* The paths of the cases block_sweep and block_ray. */
#ifndef VP_CASES_BLOCK_PATHS_H
#define VP_CASES_BLOCK_PATHS_H

#include <voxphys/kernel/blocks.h>

#include "datasets/kinds/kind.h"

enum { VP_BLOCK_PATHS = 4096 };

/* Draws a variant's paths and rays. @param data  blocks @param path, line  [VP_BLOCK_PATHS] @return their number */
uint32_t vp_block_paths_draw(const vp_data *data, uint32_t variant, vp_block_path *path, vp_block_line *line);

#endif
