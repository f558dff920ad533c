/* SPDX-License-Identifier: MIT */
/* Files of points: .points, and the vertices of OBJ and PLY, read as they are, whether a face has them or not. Numbers become
 * binary32 as strtof rounds them; what is not finite then is refused. Messages name the file, the line or vertex, and the value. */
#ifndef VP_HOST_POINT_FILE_H
#define VP_HOST_POINT_FILE_H

#include <stdbool.h>

#include "host/points.h"

/* Whether a name ends as a file that vp_point_file_read reads, in small or capital letters: .points, .obj, .ply. */
bool vp_is_point_file(const char *name);

/* Reads a regular file; what it holds is told by the end of its name.
   @return VP_E_FORMAT also for a file without points or with more than VP_HULL_MAX_POINTS; VP_E_IO; VP_E_MEMORY */
vp_status vp_point_file_read(const char *path, vp_points *out, vp_error *error);

#endif
