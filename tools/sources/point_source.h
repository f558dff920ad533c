/* SPDX-License-Identifier: MIT */
/* Points for `voxphys hull`, from a file of points, the vertices of a mesh file, a data set of points
 * ("ball/1000") or of one mesh, or the solid surface of a world. */
#ifndef VP_TOOLS_SOURCES_POINT_SOURCE_H
#define VP_TOOLS_SOURCES_POINT_SOURCE_H

#include <voxphys/kernels.h>

#include "host/point_file.h"
#include "tools/sources/world_source.h"

typedef struct vp_point_source {
    const char *name;
    vp_points points;
    vp_content content;
} vp_point_source;

/* Reads the points that an argument names. `command` is for messages. Close it, also after a failure.
   written  file that is to be written, or NULL. VP_E_ARGUMENT if it is also read */
vp_status vp_point_source_open(const char *command, const char *name, const char *written, const vp_kernels *kernels, vp_point_source *out,
                               vp_error *error);
void vp_point_source_close(vp_point_source *source);

/* Help text about IN. */
#define VP_POINT_SOURCE_HELP                                                                                                               \
    "IN is a .points file (one point per line), the vertices of an .obj or .ply, the triangles of an .stl, .off,\n"                        \
    ".gltf or .glb, a data set of points ('ball/1000') or meshes, or a world, whose solid surface is taken."

#endif
