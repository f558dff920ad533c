/* SPDX-License-Identifier: MIT */
/* `voxphys blocks` has the commands on worlds of blocks. */
#include "tools/blocks/blocks.h"

#include "host/program.h"
#include "tools/commands.h"

static const char help[] = "Usage: voxphys blocks COMMAND [ARGUMENT...]\n\n"
                           "Make block worlds, mesh, collide, sweep, edit and save them.\n\nCommands:\n"
                           "  planet                 generate a planet, count its triangles and boxes, save it\n"
                           "  mesh WORLD             extract faces or quads of the chunks, and write a mesh file\n"
                           "  colliders WORLD        merge colliding blocks into boxes, and write them\n"
                           "  sweep WORLD            move boxes through the blocks, and print the first block hit and when\n"
                           "  edit WORLD             edit blocks in one tick, and print which chunks are rebuilt\n"
                           "  save WORLD FOLDER      write region files\n"
                           "  load FOLDER            read region files and check them\n\n"
                           "'voxphys blocks COMMAND --help' shows a command's options.\n" VP_BLOCK_SOURCE_HELP "\n";

int vp_command_blocks(int argc, char **argv)
{
    static const vp_subcommand commands[] = {{"planet", vp_blocks_planet},       {"mesh", vp_blocks_mesh},
                                             {"colliders", vp_blocks_colliders}, {"sweep", vp_blocks_sweep_command},
                                             {"edit", vp_blocks_edit_command},   {"save", vp_blocks_save_command},
                                             {"load", vp_blocks_load_command}};
    return vp_command_choose("blocks", help, commands, sizeof commands / sizeof commands[0], argc, argv);
}
