/* SPDX-License-Identifier: MIT */
/* A world's voxels as blocks: what is thinner than two voxels, as leaves are, keeps its shape. */
#ifndef VP_TOOLS_RENDER_BLOCKS_H
#define VP_TOOLS_RENDER_BLOCKS_H

#include "tools/sources/triangle_source.h"

/* The faces of a world's voxels that border on none of the same surface; those of water on air alone. What is around the world is
   air. */
vp_status vp_block_faces(const vp_world *world, vp_surface surface, vp_surface_mesh *out, vp_error *error);

#endif
