/* SPDX-License-Identifier: MIT */
/* Names of the machine that a command runs on. */
#ifndef VP_HOST_MACHINE_H
#define VP_HOST_MACHINE_H

enum { VP_CPU_NAME_BYTES = 128 };

/* The CPU's own name, or the architecture's if the system does not tell it. */
void vp_cpu_name(char out[VP_CPU_NAME_BYTES]);

/* The compiler that built this, e.g. "gcc 12.2.0". */
const char *vp_compiler_name(void);

#endif
