/* SPDX-License-Identifier: MIT */
/* Points in memory of their own. */
#ifndef VP_HOST_POINTS_H
#define VP_HOST_POINTS_H

#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

#include "host/bytes.h"

/* Points. All zero are none. */
typedef struct vp_points {
    vp_vec3 *point;
    uint32_t count, room;
    uint32_t columns; /* numbers a line of a .points: 3, or 2, where z is 0; otherwise 3 */
} vp_points;

/* Puts one more point behind the others. */
vp_status vp_points_add(vp_points *points, vp_vec3 p, vp_error *error);
void vp_points_destroy(vp_points *points);

/* The text of a .points: lines of `heading`, each of which becomes a comment, and a line a point with exact
   hexadecimal numbers, two or three. heading may be "". */
void vp_points_text(const vp_vec3 *point, uint32_t count, uint32_t columns, const char *heading, vp_bytes *out);

#endif
