/* SPDX-License-Identifier: MIT */
/* Arrays of points, and files of them: .points, and all vertices of OBJ and PLY, also those that no face uses. Numbers become binary32 as
 * strtof rounds them and must be finite then. Messages name the file, the line or vertex, and the value. */
#ifndef VP_HOST_POINT_FILE_H
#define VP_HOST_POINT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

#include "host/bytes.h"

/* Points. All zero bytes = none. */
typedef struct vp_points {
    vp_vec3 *point;
    uint32_t count;
    size_t room;
    uint32_t columns; /* numbers per line of a .points: 2 (z is 0) or 3. Otherwise 3 */
} vp_points;

void vp_points_destroy(vp_points *points);

/* The text of a .points. Each line of `heading` becomes a comment, and each point a line of two or three exact
   hexadecimal numbers. heading may be "". */
void vp_points_text(const vp_vec3 *point, uint32_t count, uint32_t columns, const char *heading, vp_bytes *out);

/* Whether vp_point_file_read reads a file of this name: .points, .obj or .ply, in any case. */
bool vp_is_point_file(const char *name);

/* Reads a regular file. The end of its name gives the format.
   @return VP_E_FORMAT also for a file without points or with more than VP_HULL_MAX_POINTS. VP_E_IO, VP_E_MEMORY */
vp_status vp_point_file_read(const char *path, vp_points *out, vp_error *error);

#endif
