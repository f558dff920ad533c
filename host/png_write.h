/* SPDX-License-Identifier: MIT */
/* PNG files. */
#ifndef VP_HOST_PNG_WRITE_H
#define VP_HOST_PNG_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/status.h>

/* Writes a PNG of 8-bit RGB, row by row from the top. The same version of libpng writes the same bytes.
   @return VP_E_MEMORY, VP_E_IO, VP_E_UNSUPPORTED in a build without libpng */
vp_status vp_png_save(const uint8_t *rgb, uint32_t width, uint32_t height, const char *path, vp_error *error);

/* Whether this build can write PNG. */
bool vp_png_here(void);

#endif
