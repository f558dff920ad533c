/* SPDX-License-Identifier: MIT */
/* The subcommands of `voxphys`. */
#ifndef VP_TOOLS_COMMANDS_H
#define VP_TOOLS_COMMANDS_H

/* Commands as in the help: G(group), then C(name, description) of its commands. */
#define VP_COMMANDS(G, C)                                                                                                                  \
    G("Data")                                                                                                                              \
    C(dataset, "list, make and import data sets")                                                                                          \
    C(world, "inspect, edit and ray-cast a terrain, tree by chunk, within a memory budget")                                                \
    C(mesh, "extract a world's surface mesh and write it")                                                                                 \
    G("Queries")                                                                                                                           \
    C(broadphase, "build a world's bit broadphase, report its memory, run overlap queries")                                                \
    C(raycast, "cast rays or sweep a sphere at a mesh or a whole world, by one tree")                                                      \
    C(scene, "build a sphere tree over a scene, query and measure it")                                                                     \
    C(collide, "collide a shape with a terrain, a mesh or blocks, and print the contacts")                                                 \
    C(hull, "build, validate and write the convex hull of a point set")                                                                    \
    C(decompose, "decompose a mesh into convex hulls, or judge given hulls")                                                               \
    G("Simulation")                                                                                                                        \
    C(blocks, "make block worlds, mesh, collide, sweep, edit and save them")                                                               \
    C(grow, "grow trees on a world by a voxel automaton, step by step")                                                                    \
    C(simulate, "move rigid bodies on terrain, on blocks and in water, step by step")                                                      \
    G("Pictures")                                                                                                                          \
    C(render, "render a world or a mesh to a PNG")                                                                                         \
    C(view, "make a page that shows step records frame by frame")                                                                          \
    G("Correctness")                                                                                                                       \
    C(verify, "check every version of every kernel against the reference")                                                                 \
    C(check, "run the conformance corpus against any program")                                                                             \
    C(adapter, "answer the conformance corpus over standard input and output")                                                             \
    C(reduce, "shrink a corpus question that a program answers wrong")                                                                     \
    G("Measurement")                                                                                                                       \
    C(info, "print version, CPU, instruction sets and kernels")                                                                            \
    C(results, "bundle, verify and compare measured results")                                                                              \
    C(report, "make the report pages from measured results")

/* argv[0] is the subcommand's name. */
#define VP_COMMAND(name, about) int vp_command_##name(int argc, char **argv);
#define VP_NO_COMMAND(group)
VP_COMMANDS(VP_NO_COMMAND, VP_COMMAND)
#undef VP_COMMAND
#undef VP_NO_COMMAND

#endif
