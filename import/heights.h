/* SPDX-License-Identifier: MIT */
/* Worlds from samples of heightmaps, for all formats. */
#ifndef VP_IMPORT_HEIGHTS_H
#define VP_IMPORT_HEIGHTS_H

#include "import/text.h"

#include <voxphys/import.h>

/* A picture of heights. Sample (x, z) is at z*width + x, so z is the row of the picture. */
typedef struct vp_samples {
    const uint8_t *bytes;
    uint32_t width, height; /* 1 to VP_WORLD_MAX_XZ, checked by the readers of formats */
    int bits;               /* bits of a sample, 8 or 16. The next two fields are for 16 bits */
    bool big_endian, is_signed;
} vp_samples;

/* VP_E_ARGUMENT for options that allow no terrain. */
vp_status vp_heights_check(const vp_import_heights *options, vp_error *error);

/* Makes the world. `source` begins the note: "PNG heightmap of 16 bits". */
vp_status vp_heights_world(const vp_samples *samples, const vp_import_def *def, const char *source, vp_world **out, vp_blob *note,
                           vp_error *error);

/* vp_import_heightmap for one format. vp_heights_check has accepted def->heights. */
vp_status vp_import_png(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);
vp_status vp_import_raw(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

#endif
