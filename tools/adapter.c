/* SPDX-License-Identifier: MIT */
/* `voxphys adapter` answers the questions of the conformance corpus with the library's kernels, for `voxphys check` and
 * as an example of an adapter. A family's file in conformance/families/ makes its answers. */
#include <stdio.h>

#include <voxphys/voxphys.h>

#include "src/core/isa_names.h"
#include "conformance/serve.h"
#include "host/program.h"
#include "tools/commands.h"

static bool can(const void *user, const vp_family *family)
{
    (void)user;
    return family->answer != NULL;
}

static vp_status answer(const void *kernels, const vp_question *q, FILE *to, vp_error *error)
{
    return q->family->answer(q, kernels, to, error);
}

int vp_command_adapter(int argc, char **argv)
{
    const char *isa;
    const vp_argument arguments[] = {{"--isa", "NAME", "kernels: " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_TEXT(&isa)}};
    vp_command_line line =
        VP_COMMAND_LINE("adapter", "[OPTION...]", 0, 0, arguments,
                        "Read conformance questions from standard input, one per line, and write the answers to standard output.\n"
                        "Serves 'voxphys check', and as a reference for an adapter of your own.\n"
                        "docs/CONFORMANCE.md describes the protocol.\n\n"
                        "Example: voxphys check --adapter 'voxphys adapter' --family hull3");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    vp_error error;
    vp_kernels kernels;
    if (isa == NULL ? vp_kernels_default(&kernels, &error) != VP_OK : vp_kernels_named(isa, &kernels, &error) != VP_OK)
        return vp_command_fail("adapter", &error);
    const char *shown = isa != NULL && strcmp(isa, "best") != 0 ? isa : vp_isa_shown(vp_kernels_isa(&kernels, VP_KERNEL_kd_ray));
    char name[64];
    snprintf(name, sizeof name, "voxphys-%s", shown);
    const vp_server server = {name, vp_version_string(), &kernels, can, answer};
    return vp_serve(&server) ? VP_EXIT_DONE : VP_EXIT_FAILED;
}
