/* SPDX-License-Identifier: MIT */
/* Definitions of imports, and limits on the size of their worlds. */
#ifndef VP_IMPORT_DEF_H
#define VP_IMPORT_DEF_H

#include <voxphys/import.h>

/* Returns a definition, or the default one for NULL. */
vp_import_def vp_import_def_or_default(const vp_import_def *def);

/* Creates a world of air with room for `size` voxels.
   returns VP_E_LIMIT beyond def->max_voxels, and what vp_world_create returns */
vp_status vp_import_create_world(const vp_import_def *def, vp_dims size, vp_world **out, vp_error *error);

/* Checks the extents of such a world against def->max_voxels. VP_E_LIMIT */
vp_status vp_import_check_size(const vp_import_def *def, vp_dims size, vp_error *error);

#endif
