/* SPDX-License-Identifier: MIT */
/* What the names of a Luanti map's nodes mean. */
#ifndef VP_IMPORT_LUANTI_NAMES_H
#define VP_IMPORT_LUANTI_NAMES_H

#include <stdint.h>

/* What becomes of a node: VP_AIR, VP_WATER, or VP_FIRST_SOLID for one that gets a solid material of its own.
 */
uint8_t vp_luanti_class(const char *name);

#endif
