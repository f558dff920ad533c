/* SPDX-License-Identifier: MIT */
/* What materials are called and what colour they have, for files and pictures. */
#ifndef VP_TOOLS_MATERIALS_H
#define VP_TOOLS_MATERIALS_H

#include <stdint.h>

typedef struct vp_look {
    char name[48];     /* letters, digits and "_:.-" only */
    uint8_t colour[3]; /* sRGB */
} vp_look;

/* By material number. */
typedef struct vp_looks {
    vp_look of[256];
} vp_looks;

/* The looks of a world's materials. A world that was imported says in its note how they are called ("13 3956635
   default:stone" in lines behind "material, nodes, name:"), and a name tells a colour; without such a note they are
   those of generated terrain. `note` may be NULL. */
void vp_looks_of(const char *note, vp_looks *out);

#endif
