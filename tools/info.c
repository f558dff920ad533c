/* SPDX-License-Identifier: MIT */
/* `voxphys info` prints properties of this build and this machine. */
#include "tools/info.h"

#include <stdio.h>
#include <stdlib.h>

#include <voxphys/version.h>

#include "datasets/autovec.h"
#include "host/system.h"
#include "host/program.h"
#include "src/core/preference.h"
#include "tools/commands.h"

static const char *via_name(vp_via via)
{
    return via == VP_VIA_NATIVE ? "native" : via == VP_VIA_SIMDE ? "simde" : "absent";
}

static json_t *isas_json(void)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
        vp_isa isa = (vp_isa)i;
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:b}", "name", vp_isa_name(isa), "via", via_name(vp_isa_via(isa)), "usable", vp_isa_usable(isa)));
    }
    return list;
}

int vp_row_names_width(unsigned count)
{
    size_t width = 0;
    for (unsigned r = 0; r < count; r++)
        width = strlen(vp_rows[r].name) > width ? strlen(vp_rows[r].name) : width;
    return (int)width;
}

json_t *vp_row_json(vp_row_id row)
{
    const vp_row *r = &vp_rows[row];
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", r->name, "component", vp_row_component(row), "group", r->group, "unit", r->unit,
                     "sentence", r->sentence);
}

static json_t *operations_json(void)
{
    json_t *list = json_array();
    for (unsigned o = VP_KERNEL_COUNT; o < VP_ROW_COUNT; o++)
        json_array_append_new(list, vp_row_json((vp_row_id)o));
    return list;
}

enum { REASON_BYTES = 200 };

/* Writes why vp_kernels_default chose a version, "default order" unless measured or requested. */
static void format_reason(char *reason, const vp_kernels *resolved, vp_kernel_id kernel)
{
    const char *requested = getenv("VOXPHYS_ISA");
    const vp_preference *p = vp_find_preference(vp_uarch_now(), kernel);
    if (requested != NULL && requested[0] != '\0' && strcmp(requested, "best") != 0)
        snprintf(reason, REASON_BYTES, "VOXPHYS_ISA=%.40s", requested);
    else if (p != NULL && vp_kernels_isa(resolved, kernel) == p->isa)
        snprintf(reason, REASON_BYTES, "measured on %s: %s, %s %.1f %% faster than %s", vp_uarch_name(p->uarch), p->results,
                 vp_isa_name(p->isa), 100.0 * (p->ratio - 1.0), vp_isa_name(p->instead_of));
    else
        snprintf(reason, REASON_BYTES, "default order");
}

static json_t *preferences_json(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < vp_preference_count; i++) {
        const vp_preference *p = &vp_preferences[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:f, s:s}", "microarchitecture", vp_uarch_name(p->uarch), "kernel",
                                              vp_kernel_name(p->kernel), "isa", vp_isa_name(p->isa), "instead_of",
                                              vp_isa_name(p->instead_of), "ratio", p->ratio, "results", p->results));
    }
    return list;
}

static json_t *kernels_json(const vp_kernels *resolved)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
        json_t *versions = json_array();
        for (size_t v = 0; v < vp_version_count; v++)
            if (vp_versions[v].kernel == (vp_kernel_id)k)
                json_array_append_new(versions,
                                      json_pack("{s:s, s:s}", "isa", vp_isa_name(vp_versions[v].isa), "via", via_name(vp_versions[v].via)));
        json_t *row = vp_row_json((vp_row_id)k);
        json_object_set_new(row, "resolved", json_string(vp_isa_shown(vp_kernels_isa(resolved, (vp_kernel_id)k))));
        char reason[REASON_BYTES];
        format_reason(reason, resolved, (vp_kernel_id)k);
        json_object_set_new(row, "reason", json_string(reason));
        json_object_set_new(row, "versions", versions);
        json_array_append_new(list, row);
    }
    return list;
}

static void print_text(const char *cpu, const vp_kernels *resolved)
{
    printf("voxphys %s\nCPU: %s\n\nInstruction sets:\n", vp_version_string(), cpu);
    for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
        vp_isa isa = (vp_isa)i;
        bool simde = vp_isa_via(isa) == VP_VIA_SIMDE;
        printf("  %-8s %-7s %s%s\n", vp_isa_name(isa), via_name(vp_isa_via(isa)),
               simde                            ? "usable here as "
               : vp_isa_usable(isa)             ? "usable here"
               : vp_isa_via(isa) == VP_VIA_NONE ? "not in this build"
                                                : "this machine lacks it",
               simde ? vp_isa_shown(isa) : "");
    }
    if (vp_autovec_isa() != VP_ISA_COUNT)
        printf("  the reference is also here auto-vectorised for %s, as a baseline\n", vp_isa_name(vp_autovec_isa()));
    const int width = vp_row_names_width(VP_KERNEL_COUNT);
    printf("\nKernels, their versions, and the one that is used (default order: the last that this machine supports, never plain):\n");
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
        printf("  %-*s", width, vp_kernel_name((vp_kernel_id)k));
        for (size_t v = 0; v < vp_version_count; v++)
            if (vp_versions[v].kernel == (vp_kernel_id)k)
                printf(" %s", vp_isa_shown(vp_versions[v].isa));
        char reason[REASON_BYTES];
        format_reason(reason, resolved, (vp_kernel_id)k);
        printf(" -> %s (%s)\n", vp_isa_shown(vp_kernels_isa(resolved, (vp_kernel_id)k)), reason);
    }
}

int vp_command_info(int argc, char **argv)
{
    bool json;
    const vp_argument arguments[] = {{"--json", NULL, "print JSON", VP_FLAG(&json)}};
    vp_command_line line = VP_COMMAND_LINE(
        "info", "[OPTION...]", 0, 0, arguments,
        "Print the version, the CPU, the instruction sets of this build, and which version of each kernel is in use and why.\n"
        "The environment variable VOXPHYS_ISA selects another version.\n\n"
        "Example: voxphys info");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    vp_error error;
    vp_kernels resolved;
    if (vp_kernels_default(&resolved, &error) != VP_OK)
        return vp_command_fail("info", &error);
    char cpu[VP_CPU_NAME_BYTES];
    vp_cpu_name(cpu);
    if (!json) {
        print_text(cpu, &resolved);
        return VP_EXIT_DONE;
    }
    const vp_float_mode mode = vp_float_mode_now();
    json_t *floats = json_pack("{s:s, s:I, s:b, s:b, s:b}", "register", mode.name, "bits", (json_int_t)mode.bits, "nearest", mode.nearest,
                               "flushes_results", mode.flushes_results, "flushes_operands", mode.flushes_operands);
    json_t *autovec = vp_autovec_isa() != VP_ISA_COUNT ? json_string(vp_isa_name(vp_autovec_isa())) : json_null();
    return vp_print_json(json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "version", vp_version_string(), "cpu",
                                   vp_json_name(cpu), "microarchitecture", vp_uarch_name(vp_uarch_now()), "compiler", vp_compiler_name(),
                                   "float_mode", floats, "isas", isas_json(), "scalar_autovec", autovec, "kernels", kernels_json(&resolved),
                                   "preferences", preferences_json(), "operations", operations_json()));
}
