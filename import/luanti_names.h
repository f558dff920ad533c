/* SPDX-License-Identifier: MIT */
/* Classes of a Luanti map's nodes. */
#ifndef VP_IMPORT_LUANTI_NAMES_H
#define VP_IMPORT_LUANTI_NAMES_H

#include <stdint.h>

/* Returns VP_AIR, VP_WATER, or VP_FIRST_SOLID for a node that gets a solid material of its own. */
uint8_t vp_luanti_class(const char *name);

#endif
