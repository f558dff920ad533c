/* SPDX-License-Identifier: MIT */
/* Reads an OFF. assimp reads no comment after the counts and no face of more than nine corners, so that it is given a PLY instead. */
#ifndef VP_HOST_MESHES_OFF_H
#define VP_HOST_MESHES_OFF_H

#include "host/bytes.h"

/* Makes a binary PLY of the vertices and faces of an OFF. Each vertex and each face begins a line; comments and empty lines may stand
   anywhere, and the counts on the line of "OFF". The number of edges may be missing. Colours, normals and texture coordinates are
   left out.
   @return VP_E_FORMAT for one that is cut, has no faces, a face of more than VP_MAX_FACE_CORNERS corners, coordinates that are not
           finite or other wrong numbers, is binary, or has another number of dimensions than three; VP_E_IO, VP_E_MEMORY. The message does
   not name the file. Free ply->at, also after a failure. */
vp_status vp_off_as_ply(const char *path, vp_bytes *ply, vp_error *error);

#endif
