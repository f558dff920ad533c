/* SPDX-License-Identifier: MIT */
/* The subcommands of `voxphys`. */
#ifndef VP_TOOLS_COMMANDS_H
#define VP_TOOLS_COMMANDS_H

/* argv[0] is the subcommand's name. */
int vp_command_adapter(int argc, char **argv);
int vp_command_check(int argc, char **argv);
int vp_command_info(int argc, char **argv);
int vp_command_verify(int argc, char **argv);
int vp_command_dataset(int argc, char **argv);
int vp_command_blocks(int argc, char **argv);
int vp_command_broadphase(int argc, char **argv);
int vp_command_collide(int argc, char **argv);
int vp_command_decompose(int argc, char **argv);
int vp_command_grow(int argc, char **argv);
int vp_command_hull(int argc, char **argv);
int vp_command_mesh(int argc, char **argv);
int vp_command_raycast(int argc, char **argv);
int vp_command_render(int argc, char **argv);
int vp_command_reduce(int argc, char **argv);
int vp_command_results(int argc, char **argv);
int vp_command_scene(int argc, char **argv);
int vp_command_report(int argc, char **argv);
int vp_command_view(int argc, char **argv);
int vp_command_world(int argc, char **argv);

#endif
