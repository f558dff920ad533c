/* SPDX-License-Identifier: MIT */
/* Objects and groups of an OBJ. assimp cuts names at a blank, and gives faces of a name that comes again to another object. */
#ifndef VP_HOST_MESHES_OBJ_PARTS_H
#define VP_HOST_MESHES_OBJ_PARTS_H

#include "host/bytes.h"

enum { VP_PART_NAME = 48 }; /* bytes of a name, ended by a zero byte */

/* Reads an OBJ and numbers its parts: each `o` line becomes "o 0", "o 1", ... In a file without them, `g` lines are replaced. A `g`
   line that repeats the previous name begins no part. Otherwise `g` lines are left out.
   names  out: VP_PART_NAME bytes for each part. Free both texts
   @return VP_E_IO, VP_E_MEMORY */
vp_status vp_obj_number_parts(const char *path, vp_bytes *out, vp_bytes *names, vp_error *error);

#endif
