/* SPDX-License-Identifier: MIT */
/* voxphys-bench, a Google Benchmark program over the kernel registry. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/version.h>

#include "bench/hulls/hull_sets.h"
#include "bench/suite.h"
#include "datasets/autovec.h"
#include "host/system.h"

static void print_help(void)
{
    puts("Usage: voxphys-bench [OPTION...]\n\n"
         "Measures every kernel on every data set, each version after its answers were compared with the reference's.\n"
         "Names are KERNEL/WHO/DATASET[/PARAMETER], e.g. dilate_world/scalar/terrain-l3; WHO is scalar, scalar-autovec (the\n"
         "same source, vectorised by the compiler), plain (the optimized algorithm in plain C), an instruction\n"
         "set, peer-NAME (another library) or limit (the memory). noise/first and noise/second are the same thing, twice.\n"
         "items_per_second counts what the label says: chunks, boxes, rays, triangles, edits.\n"
         "Exit codes: 0 done, 1 a benchmark was refused (its answers differ, or its data cannot be had), 2 bad usage or\n"
         "no benchmark of that name.\n\n"
         "  --hulls[=MAX]     measures nothing: makes hulls of all sets of up to MAX points (10000: of all), by voxphys and by\n"
         "                    every other library, each in a process of its own, and prints as JSON which of them are right\n"
         "  --rows=FILE       measures only those that FILE names, one a line\n"
         "  --answers=FILE    keeps digests of answers that agreed with the reference's in FILE. A kernel whose answers are\n"
         "                    there already is not compared again, unless the digest of a measured run differs\n\n"
         "Other options are Google Benchmark's:");
    vp_bench_print_options();
}

static bool asks_for(int argc, char **argv, const char *option)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], option) == 0)
            return true;
    return false;
}

/* Handles "--hulls" and "--hulls=100". @return an exit code, or -1 without that option */
static int survey_hulls(int argc, char **argv)
{
    enum { MAX = 10000, SECONDS = 10 };
    static const char option[] = "--hulls";
    vp_error error;
    unsigned long most = MAX;
    if (argc < 2 || strncmp(argv[1], option, strlen(option)) != 0)
        return -1;
    const char *value = argv[1] + strlen(option);
    char *end = NULL;
    if (value[0] == '=')
        most = value[1] >= '0' && value[1] <= '9' ? strtoul(value + 1, &end, 10) : 0;
    if (argc > 2 || (value[0] != '\0' && value[0] != '=') || (end != NULL && *end != '\0') || most == 0 || most > MAX) {
        fprintf(stderr, "voxphys-bench: \"%.80s\": --hulls stands alone, or with how many points at most, 1 to %d\n",
                argv[argc > 2 ? 2 : 1], MAX);
        return 2;
    }
    if (vp_hull_survey((uint32_t)most, SECONDS, &error) == VP_OK)
        return 0;
    fprintf(stderr, "voxphys-bench: %s\n", error.message);
    return 1;
}

/* Removes "--OPTION=VALUE" from the arguments. @return the last VALUE, or NULL without that option */
static const char *take_value(int *argc, char **argv, const char *option)
{
    const char *value = NULL;
    int kept = 0;
    for (int i = 0; i < *argc; i++)
        if (strncmp(argv[i], option, strlen(option)) != 0)
            argv[kept++] = argv[i];
        else
            value = argv[i] + strlen(option);
    *argc = kept;
    return value;
}

static int cannot_open(const char *option, const char *file)
{
    fprintf(stderr, "voxphys-bench: %s%s: cannot be opened\n", option, file);
    return 2;
}

/* Google Benchmark's own context describes the build of its library, not ours. */
static void add_context(void)
{
    char text[256] = "";
    vp_bench_context("voxphys_version", vp_version_string());
    vp_bench_context("voxphys_build_type", VP_BENCH_BUILD_TYPE);
    vp_bench_context("voxphys_compiler", vp_compiler_name());
    vp_bench_context("voxphys_flags", VP_BENCH_FLAGS);
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        if (vp_isa_usable((vp_isa)i))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%s", text[0] != '\0' ? " " : "", vp_isa_name((vp_isa)i),
                     vp_isa_via((vp_isa)i) == VP_VIA_SIMDE ? "-simde" : "");
    vp_bench_context("voxphys_isas", text);
    if (vp_autovec_isa() != VP_ISA_COUNT)
        vp_bench_context("voxphys_autovec", vp_isa_name(vp_autovec_isa()));
    char cpu[VP_CPU_NAME_BYTES];
    vp_cpu_name(cpu);
    vp_bench_context("cpu_model", cpu);
    const char *commit = getenv("VOXPHYS_COMMIT");
    if (commit != NULL && commit[0] != '\0')
        vp_bench_context("voxphys_commit", commit);
}

int main(int argc, char **argv)
{
    vp_json_memory("voxphys-bench");
    vp_bench_begin();
    if (asks_for(argc, argv, "--help") || asks_for(argc, argv, "-h")) {
        print_help();
        return 0;
    }
    if (asks_for(argc, argv, "--version")) {
        printf("voxphys-bench %s\n", vp_version_string());
        return 0;
    }
    vp_error error;
    if (vp_float_mode_check(&error) != VP_OK) {
        fprintf(stderr, "voxphys-bench: %s\n", error.message);
        return 1;
    }
    const int surveyed = survey_hulls(argc, argv);
    if (surveyed >= 0)
        return surveyed;
    const char *const rows = take_value(&argc, argv, "--rows="), *const answers = take_value(&argc, argv, "--answers=");
    if (rows != NULL && !vp_bench_choose(rows))
        return cannot_open("--rows=", rows);
    vp_suite *suite = vp_suite_create();
    if (suite == NULL) {
        fputs("voxphys-bench: no memory\n", stderr);
        return 1;
    }
    if (answers != NULL && !vp_suite_open_answers(suite, answers)) {
        vp_suite_destroy(suite);
        return cannot_open("--answers=", answers);
    }
    add_context();
    vp_suite_add_rows(suite);
    vp_suite_add_hulls(suite);
#ifdef VP_BENCH_FUSED
    vp_suite_add_fused(suite);
#endif
    vp_suite_add_simulations(suite);
    vp_suite_add_peers(suite);
    vp_suite_add_streams(suite);
    int64_t chosen = vp_bench_run(argc, argv);
    uint64_t refusals = vp_suite_refusals(suite);
    vp_suite_destroy(suite);
    if (chosen < 0)
        return 2;
    if (chosen == 0) {
        fputs("voxphys-bench: no benchmark matches; --benchmark_list_tests lists their names\n", stderr);
        return 2;
    }
    if (refusals != 0)
        fputs("voxphys-bench: benchmarks were refused; see their errors above\n", stderr);
    return refusals != 0 ? 1 : 0;
}
