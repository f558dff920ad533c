/* SPDX-License-Identifier: MIT */
/* Files of points: .points, and all vertices of OBJ and PLY, also those that no face uses. Numbers become binary32 as
 * strtof rounds them and must be finite then. Messages name the file, the line or vertex, and the value. */
#ifndef VP_HOST_POINT_FILE_H
#define VP_HOST_POINT_FILE_H

#include <stdbool.h>

#include "host/points.h"

/* Whether vp_point_file_read reads a file of this name: .points, .obj or .ply, in any case. */
bool vp_is_point_file(const char *name);

/* Reads a regular file. The end of its name gives the format.
   @return VP_E_FORMAT also for a file without points or with more than VP_HULL_MAX_POINTS. VP_E_IO, VP_E_MEMORY */
vp_status vp_point_file_read(const char *path, vp_points *out, vp_error *error);

#endif
