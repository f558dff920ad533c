/* SPDX-License-Identifier: MIT */
#include "datasets/import/formats.h"

#include <string.h>

vp_import_options vp_import_defaults(void)
{
    return (vp_import_options){
        .format = VP_IMPORT_AUTO,
        .heights = {.height_scale = 1, .soil_depth = 3, .top_material = 4, .soil_material = 3, .rock_material = 2},
    };
}

bool vp_import_format_named(const char *name, vp_import_format *format)
{
    static const char *const names[] = {"auto", "vpw", "luanti", "vox", "png", "raw"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (vp_import_format)i;
            return true;
        }
    return false;
}
