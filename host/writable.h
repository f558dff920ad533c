/* SPDX-License-Identifier: MIT */
/* For commands that write a file after long work. */
#ifndef VP_HOST_WRITABLE_H
#define VP_HOST_WRITABLE_H

#include "src/core/error.h"

/* Whether vp_file_replace could put a file there, as far as can be told without doing so. VP_E_IO, VP_E_MEMORY */
vp_status vp_can_write(const char *path, vp_error *error);

#endif
