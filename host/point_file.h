/* SPDX-License-Identifier: MIT */
/* Files of points: .points, and the vertices of OBJ and PLY, read as they are, whether a face has them or not. Numbers become
 * binary32 as strtof rounds them; what is not finite then is refused. Messages name the file, the line or vertex, and the value. */
#ifndef VP_HOST_POINT_FILE_H
#define VP_HOST_POINT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

#include "host/mesh_file.h"

/* Points. All zero are none. */
typedef struct vp_points {
    vp_vec3 *point;
    uint32_t count, room;
    uint32_t columns; /* numbers a line of a .points: 3, or 2, where z is 0; otherwise 3 */
} vp_points;

/* Whether a name ends as a file that vp_point_file_read reads, in small or capital letters: .points, .obj, .ply. */
bool vp_is_point_file(const char *name);

/* Reads a regular file; what it holds is told by the end of its name.
   @return VP_E_FORMAT also for a file without points or with more than VP_HULL_MAX_POINTS; VP_E_IO; VP_E_MEMORY */
vp_status vp_point_file_read(const char *path, vp_points *out, vp_error *error);

/* One format each: the message does not name the file. */
vp_status vp_points_read_text(const char *path, vp_points *out, vp_error *error);
vp_status vp_points_read_obj(const char *path, vp_points *out, vp_error *error);
vp_status vp_points_read_ply(const char *path, vp_points *out, vp_error *error);

/* Puts one more point behind the others. */
vp_status vp_points_add(vp_points *points, vp_vec3 p, vp_error *error);
void vp_points_destroy(vp_points *points);

/* The text of a .points: lines of `heading`, each of which becomes a comment, and a line a point with exact hexadecimal
   numbers, two or three. heading may be "". */
void vp_points_text(const vp_vec3 *point, uint32_t count, uint32_t columns, const char *heading, vp_bytes *out);

#endif
