/* SPDX-License-Identifier: MIT */
/* The vertices of PLY files. */
#ifndef VP_HOST_POINT_PLY_H
#define VP_HOST_POINT_PLY_H

#include "host/points.h"

/* Reads the vertices of a PLY. The message does not name the file. */
vp_status vp_points_read_ply(const char *path, vp_points *out, vp_error *error);

#endif
