/* SPDX-License-Identifier: MIT */
/* Names and colours of a world's materials. */
#ifndef VP_TOOLS_SOURCES_MATERIALS_H
#define VP_TOOLS_SOURCES_MATERIALS_H

#include "host/looks.h"

/* The looks of a world's materials. An imported world has names in its note, as lines such as "13 3956635
   default:stone" after "material, nodes, name:". A name gives a colour. Without such a note they are those of generated
   terrain. `note` may be NULL. */
void vp_looks_of(const char *note, vp_looks *out);

#endif
