/* SPDX-License-Identifier: MIT */
/* Worlds from other programs' files: Luanti (Minetest) map.sqlite, MagicaVoxel .vox, heightmaps. What of each format is
 * read, and how it becomes materials, is in docs/FORMATS.md.
 *
 * A file that is damaged or made to do harm is refused with a message that says what is wrong and where. Sizes are
 * rounded up to multiples of 8 with air. All functions fill `out` and `note` only when they return VP_OK. */
#ifndef VP_DATASETS_IMPORT_H
#define VP_DATASETS_IMPORT_H

#include "datasets/import/formats.h"

/* The format that VP_IMPORT_AUTO means for a file. VP_E_FORMAT, with *format as it was, if it begins like none; VP_E_IO */
vp_status vp_import_format_of(const char *path, vp_import_format *format, vp_error *error);

/* Imports a file, which every refusal names.
   options  NULL: vp_import_defaults()
   note     if not NULL, receives text (UTF-8) about the source and what the materials are; free() it
   returns VP_E_FORMAT, VP_E_ARGUMENT (an option, or a world that would be too large), VP_E_MEMORY, VP_E_IO,
   VP_E_UNSUPPORTED (built without the library that the format needs). */
vp_status vp_import_file(const char *path, const vp_import_options *options, vp_world **out, char **note, vp_error *error);

#endif
