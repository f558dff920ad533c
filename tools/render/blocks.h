/* SPDX-License-Identifier: MIT */
/* A world's voxels as blocks. Parts thinner than two voxels, such as leaves, keep their shape. */
#ifndef VP_TOOLS_RENDER_BLOCKS_H
#define VP_TOOLS_RENDER_BLOCKS_H

#include "tools/sources/triangle_source.h"

/* Makes the faces of voxels of a surface that do not border on the same surface. Water has faces next to air only.
   Outside the world is air. */
vp_status vp_block_faces(const vp_world *world, vp_surface surface, vp_surface_mesh *out, vp_error *error);

#endif
