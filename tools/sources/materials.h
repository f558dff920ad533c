/* SPDX-License-Identifier: MIT */
/* What the materials of a world look like. */
#ifndef VP_TOOLS_SOURCES_MATERIALS_H
#define VP_TOOLS_SOURCES_MATERIALS_H

#include "host/looks.h"

/* The looks of a world's materials. A world that was imported says in its note how they are called ("13 3956635
   default:stone" in lines behind "material, nodes, name:"), and a name tells a colour; without such a note they are
   those of generated terrain. `note` may be NULL. */
void vp_looks_of(const char *note, vp_looks *out);

#endif
