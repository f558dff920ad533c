/* SPDX-License-Identifier: MIT */
/* Worlds of blocks for `voxphys blocks`, from data sets, folders of region files, worlds of voxels. */
#ifndef VP_TOOLS_SOURCES_BLOCK_SOURCE_H
#define VP_TOOLS_SOURCES_BLOCK_SOURCE_H

#include "tools/sources/block_folder.h"
#include "tools/sources/block_world.h"

/* Help text about WORLD. */
#define VP_BLOCK_SOURCE_HELP                                                                                                               \
    "WORLD is a data set of blocks ('planet'), a folder of region files, a world of voxels (a data set's name, or\n"                       \
    "a .vpw file), MagicaVoxel's .vox or Luanti's map.sqlite."

/* Opens the world that an argument names. `command` is for messages. Close it, also after a failure. */
vp_status vp_block_source_open(const char *command, const char *name, vp_block_source_world *out, vp_error *error);
/* Makes a planet. Close it, also after a failure. */
vp_status vp_block_source_planet(const vp_block_planet_def *def, const vp_executor *executor, vp_block_source_world *out, vp_error *error);
/* Lists the chunks again, after edits. */
vp_status vp_block_source_list(vp_block_source_world *world, vp_error *error);
/* All chunks as one view. @return VP_E_ARGUMENT if there are none */
vp_status vp_block_source_hold(const vp_block_source_world *world, vp_block_held *out, vp_error *error);
void vp_block_source_close(vp_block_source_world *world);

#endif
