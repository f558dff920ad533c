/* SPDX-License-Identifier: MIT */
/* What a mesh's file must hold before assimp reads it. */
#ifndef VP_HOST_MESH_CHECK_H
#define VP_HOST_MESH_CHECK_H

#include <stdbool.h>

#include <voxphys/status.h>

/* Looks through a PLY, an OFF, an STL, a glTF or a GLB, by the end of its name; others are let be.
   by_line  each vertex and face of a PLY in text must have a line of its own, as assimp reads them
   @return VP_E_FORMAT for one that is cut, names what it does not have, or is of another format; VP_E_IO. The message does
           not name the file. */
vp_status vp_mesh_check(const char *path, bool by_line, vp_error *error);

#endif
