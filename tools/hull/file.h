/* SPDX-License-Identifier: MIT */
/* Hulls as files that other programs read. Vertices are points of the set, with their bits. */
#ifndef VP_TOOLS_HULL_FILE_H
#define VP_TOOLS_HULL_FILE_H

#include <stdbool.h>

#include <voxphys/hull.h>

typedef enum vp_hull_format { VP_HULL_OBJ, VP_HULL_PLY, VP_HULL_GLTF, VP_HULL_POINTS, VP_HULL_FORMATS } vp_hull_format;

/* By the end of a file's name. False if it is none of .obj, .ply, .gltf, .points. */
bool vp_hull_format_of(const char *path, vp_hull_format *out);

/* Writes a hull of any dimension: OBJ and PLY its faces as polygons, glTF its triangles; of a segment a line, of a point a point; .points
   the vertices alone. VP_E_MEMORY, VP_E_IO. */
vp_status vp_hull_file_write(const char *path, vp_hull_format format, const vp_vec3 *point, const vp_hull *hull, vp_error *error);

#endif
