/* SPDX-License-Identifier: MIT */
/* Hulls as files of common formats. Vertices are points of the set, bit for bit. */
#ifndef VP_TOOLS_HULL_FILE_H
#define VP_TOOLS_HULL_FILE_H

#include <stdbool.h>

#include <voxphys/hull.h>

typedef enum vp_hull_format { VP_HULL_OBJ, VP_HULL_PLY, VP_HULL_GLTF, VP_HULL_POINTS, VP_HULL_FORMATS } vp_hull_format;

/* Finds the format by the end of a file's name. False if it is none of .obj, .ply, .gltf, .points. */
bool vp_hull_format_of(const char *path, vp_hull_format *out);

/* Writes a hull of any dimension. OBJ and PLY have its faces as polygons, glTF its triangles. A segment becomes a line,
   a point a point. A .points has the vertices alone. @return VP_E_MEMORY, VP_E_IO */
vp_status vp_hull_file_write(const char *path, vp_hull_format format, const vp_vec3 *point, const vp_hull *hull, vp_error *error);

#endif
