/* SPDX-License-Identifier: MIT */
/* OFF files, converted to PLY. assimp reads no comment after the counts and no face with more than nine corners. */
#ifndef VP_HOST_MESHES_OFF_H
#define VP_HOST_MESHES_OFF_H

#include "host/bytes.h"

/* Makes a binary PLY of the vertices and faces of an OFF. Each vertex and each face begins a line. Comments and empty
   lines may stand anywhere, and the counts may be on the line of "OFF". The number of edges is optional. Colours,
   normals and texture coordinates are skipped.
   @return VP_E_FORMAT for a file that is truncated or binary, has no faces, a face with more than VP_MAX_FACE_CORNERS
           corners, an invalid number, or another number of dimensions than three. VP_E_IO, VP_E_MEMORY. The message
           does not name the file. Free ply->at, also after a failure. */
vp_status vp_off_as_ply(const char *path, vp_bytes *ply, vp_error *error);

#endif
