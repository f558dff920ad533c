/* SPDX-License-Identifier: MIT */
/* Names of the machine that a command runs on. */
#ifndef VP_HOST_MACHINE_H
#define VP_HOST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

enum { VP_CPU_NAME_BYTES = 128, VP_PATH_BYTES = 4096 };

/* The CPU's own name, or the architecture's if the system does not tell it. */
void vp_cpu_name(char out[VP_CPU_NAME_BYTES]);

/* The compiler that built this, e.g. "gcc 12.2.0". */
const char *vp_compiler_name(void);

/* The name of a file from this program's own folder on, or of the first of `places` that is there. @return false: nowhere */
bool vp_find_beside(const char *from_program, const char *const *places, size_t count, char out[VP_PATH_BYTES]);

#endif
