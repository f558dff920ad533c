/* SPDX-License-Identifier: MIT */
/* The machine's and the compiler's names, and files of this installation. */
#ifndef VP_HOST_MACHINE_H
#define VP_HOST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

enum { VP_CPU_NAME_BYTES = 128, VP_PATH_BYTES = 4096 };

/* The CPU's name, or the architecture's if the system does not report one. */
void vp_cpu_name(char out[VP_CPU_NAME_BYTES]);

/* The compiler that built this program, for example "gcc 12.2.0". */
const char *vp_compiler_name(void);

/* Finds a file by its path relative to this program's folder, or the first of `places` that exists. @return false if none does */
bool vp_find_beside(const char *from_program, const char *const *places, size_t count, char out[VP_PATH_BYTES]);

#endif
