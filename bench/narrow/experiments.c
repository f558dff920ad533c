/* SPDX-License-Identifier: MIT */
/* voxphys-narrow-experiments measures the narrowphase part by part, ours and libraries'. Prints JSON, which bench/narrow-experiments
 * stores.
 *
 *   voxphys-narrow-experiments PART                one part, with times and other libraries
 *   voxphys-narrow-experiments PART --counts WHAT  one line of the part's list, without times: ours only, the same on every machine */
#include <stdio.h>
#include <string.h>

#include "bench/experiment.h"
#include "bench/narrow/parts.h"
#include "host/json_memory.h"
#include "host/program.h"

static const struct {
    const char *name;
    vp_narrow_part *run;
} parts[] = {{"hard", vp_narrow_hard}, {"ghosts", vp_narrow_ghosts}, {"bits", vp_narrow_bits}};

int main(int argc, char **argv)
{
    const bool counts = argc == 4 && strcmp(argv[2], "--counts") == 0;
    vp_json_memory("voxphys-narrow-experiments");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && (argc == 2 || counts); i++)
        if (strcmp(argv[1], parts[i].name) == 0) {
            json_t *out = json_object();
            parts[i].run(&(vp_narrow_how){.times = !counts, .only = counts ? argv[3] : NULL}, out);
            return vp_print_json(out);
        }
    fputs("usage: voxphys-narrow-experiments PART [--counts WHAT]; parts:", stderr);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        fprintf(stderr, " %s", parts[i].name);
    fputs("\n", stderr);
    return VP_EXIT_USAGE;
}
