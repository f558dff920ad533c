/* SPDX-License-Identifier: MIT */
#include "tools/choices.h"

#include "host/program.h"

bool vp_choose_threads(const char *command, const char *text, uint32_t *out)
{
    uint64_t threads = 1;
    if (text != NULL && !vp_parse_u64(command, "--threads", text, 1, 256, &threads))
        return false;
#ifndef VP_TOOLS_OPENMP
    if (threads > 1)
        return VP_REFUSE(command, "--threads %s: this build has no OpenMP", text);
#endif
    *out = (uint32_t)threads;
    return true;
}

int vp_choose_kernels(const char *command, const char *isa, vp_kernels *out)
{
    vp_error error;
    if (isa != NULL && vp_kernels_named(isa, out, &error) != VP_OK)
        return vp_command_usage(command, "--isa: %s", error.message);
    return isa == NULL && vp_kernels_default(out, &error) != VP_OK ? vp_command_fail(command, &error) : VP_EXIT_DONE;
}
