/* SPDX-License-Identifier: MIT */
/* The table of all kinds of data. */
#include "datasets/kinds/kind.h"

#define ENTRY(name, type) &vp_kind_##name,
const vp_kind *const vp_kinds[] = {VP_KINDS(ENTRY) NULL};
