/* SPDX-License-Identifier: MIT */
/* The machine, this installation, and its memory for JSON. */
#ifndef VP_HOST_SYSTEM_H
#define VP_HOST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "src/core/error.h"

/* Whether vp_file_replace could write this file, as far as that is known without trying. An early check before long work. @return VP_E_IO,
 * VP_E_MEMORY */
vp_status vp_can_write(const char *path, vp_error *error);

/* Ends the program with a message and exit code 1 when jansson runs out of memory. Otherwise jansson 2.14 drops
   characters, rejects valid files or reads through a null pointer. Call it first in main.
   @param program  name for the message, kept */
void vp_json_memory(const char *program);

/* Allocates memory for a piece of JSON, for free(). Ends the program if there is none. */
void *vp_json_allocate(size_t bytes);

enum { VP_CPU_NAME_BYTES = 128, VP_PATH_BYTES = 4096 };

/* The CPU's name, or the architecture's if the system does not report one. */
void vp_cpu_name(char out[VP_CPU_NAME_BYTES]);

/* The compiler that built this program, for example "gcc 12.2.0". */
const char *vp_compiler_name(void);

/* Finds a file by its path relative to this program's folder, or the first of `places` that exists. @return false if none does */
bool vp_find_beside(const char *from_program, const char *const *places, size_t count, char out[VP_PATH_BYTES]);

#endif
