/* SPDX-License-Identifier: MIT */
/* The commands of `voxphys world` inform about a world and its terrain, edit, query and measure them. */
#include "tools/world/world.h"

#include "tools/commands.h"

static const char help[] = "Usage: voxphys world COMMAND [ARGUMENT...]\n\n"
                           "Inspect, edit and ray-cast a terrain.\n\nCommands:\n"
                           "  info WORLD             print size, chunk kinds, surfaces, memory of meshes and trees\n"
                           "  edit WORLD -o OUT      set voxels, fill boxes and spheres, and save the world\n"
                           "  raycast WORLD          cast rays; builds the trees of the chunks that rays meet\n"
                           "  stats WORLD            cast random rays between edits within a memory budget, and\n"
                           "                         print the rate and the cache's hits and evictions\n\n"
                           "'voxphys world COMMAND --help' shows a command's options. WORLD is a data set's name or a .vpw file.\n";

int vp_command_world(int argc, char **argv)
{
    static const vp_subcommand commands[] = {
        {"info", vp_world_info}, {"edit", vp_world_edit}, {"raycast", vp_world_raycast}, {"stats", vp_world_stats}};
    return vp_command_choose("world", help, commands, sizeof commands / sizeof commands[0], argc, argv);
}
