/* SPDX-License-Identifier: MIT */
/* An early check for commands that write a file after long work. */
#ifndef VP_HOST_WRITABLE_H
#define VP_HOST_WRITABLE_H

#include "src/core/error.h"

/* Whether vp_file_replace could write this file, as far as that is known without trying. @return VP_E_IO, VP_E_MEMORY */
vp_status vp_can_write(const char *path, vp_error *error);

#endif
