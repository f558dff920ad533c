/* SPDX-License-Identifier: MIT */
/* What many commands are asked for in the same words: --threads N and --isa NAME. */
#ifndef VP_TOOLS_CHOICES_H
#define VP_TOOLS_CHOICES_H

#include <voxphys/kernels.h>

/* 1 to 256 threads, 1 where `text` is NULL. @return false if it is none, or more than this build has; that is told */
bool vp_choose_threads(const char *command, const char *text, uint32_t *out);
/* The kernels that `isa` names; the default ones where it is NULL. @return VP_EXIT_DONE, or the exit code of what is told */
int vp_choose_kernels(const char *command, const char *isa, vp_kernels *out);

#endif
