/* SPDX-License-Identifier: MIT */
/* voxphys verify: every version of every kernel against the scalar reference, on data sets. */
#include "tools/command.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/version.h>

#include "datasets/cases/cases.h"

enum { FUZZ_WORKLOADS = 40 };

typedef struct verify_run {
    const char *kernel, *isa, *dataset; /* NULL: all */
    uint64_t seed;
    vp_manifest *manifest;
    json_t *checks;
    uint64_t done, disagreements;
    bool of_manifest, hash_checked; /* the workload: is its content what the manifest says? */
    bool quiet;
} verify_run;

/* "neon" and "neon-simde" both ask for the NEON kernels, however they are here. */
static bool isa_wanted(const char *wanted, const vp_contender *c)
{
    return wanted == NULL || strcmp(wanted, c->name) == 0 ||
           ((c->how == VP_HOW_NATIVE || c->how == VP_HOW_SIMDE) && strcmp(wanted, vp_isa_name(c->isa)) == 0);
}

static void report(verify_run *run, vp_kernel_id kernel, const vp_contender *c, const vp_workload *workload,
                   const vp_check *check)
{
    char digest[17];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)check->digest);
    run->done++;
    run->disagreements += check->mismatches != 0;
    if (!run->quiet)
        printf("%-18s %-14s %-26s %8llu cases  %s  %s\n", vp_kernel_name(kernel), c->name, workload->name,
               (unsigned long long)check->cases, digest, check->mismatches == 0 ? "agrees" : "DISAGREES");
    if (check->mismatches != 0)
        fprintf(stderr, "voxphys verify: %s of %s differs from the reference in %llu of %llu answers on %s; the first is "
                        "number %llu\n",
                vp_kernel_name(kernel), c->name, (unsigned long long)check->mismatches,
                (unsigned long long)check->cases, workload->name, (unsigned long long)check->first);
    json_array_append_new(
        run->checks,
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:s}", "kernel", vp_kernel_name(kernel), "isa",
                  c->how == VP_HOW_AUTOVEC || c->how == VP_HOW_WORDS ? c->name : vp_isa_name(c->isa), "via",
                  c->how == VP_HOW_SIMDE ? "simde" : "native", "dataset", workload->name, "hash_checked",
                  run->of_manifest ? json_boolean(run->hash_checked) : json_null(), "cases",
                  (json_int_t)check->cases, "mismatches", (json_int_t)check->mismatches, "digest", digest));
}

/* All wanted kernels that eat this workload: those with boxes or those without. */
static vp_status verify_workload(verify_run *run, const vp_workload *workload, bool boxes, vp_error *error)
{
    vp_status status = VP_OK;
    for (unsigned k = 0; status == VP_OK && k < VP_KERNEL_COUNT; k++) {
        vp_kernel_id kernel = (vp_kernel_id)k;
        if (vp_cases[k]->food != (boxes ? VP_FOOD_BOXES : VP_FOOD_WORLD))
            continue;
        if (run->kernel != NULL && strcmp(run->kernel, vp_kernel_name(kernel)) != 0)
            continue;
        vp_contender contenders[VP_CONTENDERS_MAX];
        size_t count = vp_contenders(kernel, contenders);
        vp_records want = {0};
        status = vp_reference_records(kernel, workload, &want, error);
        for (size_t c = 0; status == VP_OK && c < count; c++) {
            vp_check check;
            if (!contenders[c].usable || !isa_wanted(run->isa, &contenders[c]))
                continue;
            status = vp_check_contender(kernel, &contenders[c], workload, &want, &check, error);
            if (status == VP_OK)
                report(run, kernel, &contenders[c], workload, &check);
        }
        vp_records_destroy(&want);
    }
    return status;
}

/* "terrain-l3" asks for everything on that world, "terrain-l3/boxes-small" for one box set. */
static bool dataset_wanted(const char *wanted, const char *world, const char *boxes)
{
    if (wanted == NULL || strcmp(wanted, world) == 0)
        return true;
    size_t length = strlen(world);
    if (strncmp(wanted, world, length) != 0 || wanted[length] != '/')
        return false;
    return boxes == NULL || strcmp(wanted + length + 1, boxes) == 0;
}

static vp_status verify_world(verify_run *run, const vp_dataset *world, vp_error *error)
{
    vp_workload workload;
    vp_status status = vp_workload_open(run->manifest, world->name, run->seed, &workload, error);
    if (status != VP_OK)
        return status;
    bool named = run->dataset != NULL && strchr(run->dataset, '/') != NULL; /* a set of boxes */
    bool world_checked = vp_hash_checked("verify", run->manifest, world->name);
    run->of_manifest = true;
    run->hash_checked = world_checked;
    if (!named)
        status = verify_workload(run, &workload, false, error);
    for (size_t d = 0; status == VP_OK && d < vp_manifest_count(run->manifest); d++) {
        const vp_dataset *boxes = vp_manifest_entry(run->manifest, d);
        char name[128];
        uint64_t hash;
        snprintf(name, sizeof name, "%s/%s", world->name, boxes->name);
        if (boxes->kind != VP_DATASET_BOXES || !dataset_wanted(run->dataset, world->name, boxes->name) ||
            !(named || vp_manifest_hash(run->manifest, name, &hash)))
            continue;
        status = vp_workload_set_boxes(run->manifest, boxes->name, &workload, error);
        if (status == VP_OK)
            run->hash_checked = vp_hash_checked("verify", run->manifest, name) && world_checked;
        if (status == VP_OK)
            status = verify_workload(run, &workload, true, error);
    }
    vp_workload_close(&workload);
    return status;
}

static vp_status verify_fuzz(verify_run *run, const char *name, vp_error *error)
{
    vp_workload workload;
    vp_status status = vp_workload_open(run->manifest, name, run->seed, &workload, error);
    if (status != VP_OK)
        return status;
    run->of_manifest = false;
    status = verify_workload(run, &workload, false, error);
    if (status == VP_OK)
        status = verify_workload(run, &workload, true, error);
    vp_workload_close(&workload);
    return status;
}

static vp_status verify_all(verify_run *run, vp_error *error)
{
    vp_status status = VP_OK;
    size_t count = vp_manifest_count(run->manifest);
    for (size_t d = 0; status == VP_OK && d < count; d++) {
        const vp_dataset *world = vp_manifest_entry(run->manifest, d);
        if (world->kind != VP_DATASET_WORLD || !dataset_wanted(run->dataset, world->name, NULL) ||
            (world->on_demand && run->dataset == NULL))
            continue;
        vp_progress(world->name, d, count);
        status = verify_world(run, world, error);
    }
    if (status == VP_OK && run->dataset != NULL && strncmp(run->dataset, "fuzz-", 5) == 0)
        status = verify_fuzz(run, run->dataset, error);
    for (unsigned i = 0; status == VP_OK && run->dataset == NULL && i < FUZZ_WORKLOADS; i++) {
        char name[32];
        snprintf(name, sizeof name, "fuzz-%u", i);
        vp_progress(name, i, FUZZ_WORKLOADS);
        status = verify_fuzz(run, name, error);
    }
    vp_progress("", 1, 1);
    return status;
}

/* The versions that are not run natively here. */
static json_t *list_not_run(void)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
        for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
            vp_isa isa = (vp_isa)i;
            const char *reason = "this machine lacks it";
            if (vp_isa_via(isa) == VP_VIA_NATIVE && vp_isa_usable(isa))
                continue;
            if (vp_isa_via(isa) != VP_VIA_NATIVE)
                reason = vp_isa_via(isa) == VP_VIA_SIMDE ? "native code is for another architecture; run through SIMDe"
                                                         : "not in this build";
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "kernel", vp_kernel_name((vp_kernel_id)k),
                                                  "isa", vp_isa_name(isa), "via", "native", "reason", reason));
        }
    }
    return list;
}

/* Adds a name to a list "a, b", if it is not there yet and there is room. */
static void add_name(char *list, size_t bytes, const char *name)
{
    size_t length = strlen(name), used = strlen(list);
    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return;
    snprintf(list + used, bytes - used, "%s%s", used != 0 ? ", " : "", name);
}

static int check_arguments(const verify_run *run)
{
    bool known_kernel = run->kernel == NULL, known_isa = run->isa == NULL, usable = run->isa == NULL;
    char kernels[512] = "", isas[256] = "";
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
        vp_contender contenders[VP_CONTENDERS_MAX];
        size_t count = vp_contenders((vp_kernel_id)k, contenders);
        const char *name = vp_kernel_name((vp_kernel_id)k);
        known_kernel = known_kernel || strcmp(run->kernel, name) == 0;
        bool chosen = run->kernel == NULL || strcmp(run->kernel, name) == 0;
        add_name(kernels, sizeof kernels, name);
        for (size_t c = 0; c < count; c++) {
            bool wanted = run->isa != NULL && isa_wanted(run->isa, &contenders[c]);
            known_isa = known_isa || wanted;
            usable = usable || (wanted && chosen && contenders[c].usable);
            add_name(isas, sizeof isas, contenders[c].name);
        }
    }
    for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
        known_isa = known_isa || strcmp(run->isa, vp_isa_name((vp_isa)i)) == 0;
        add_name(isas, sizeof isas, vp_isa_name((vp_isa)i));
    }
    if (!known_kernel)
        return vp_command_usage("verify", "kernel '%s' is unknown; there are %s", run->kernel, kernels);
    if (!known_isa)
        return vp_command_usage("verify", "instruction set '%s' is unknown or not in this build; there are %s", run->isa, isas);
    if (!usable)
        return vp_command_usage("verify", "instruction set '%s': this machine or this build does not have it",
                                run->isa);
    return VP_EXIT_DONE;
}

/* Whether a kernel that was asked for eats boxes, or eats none. */
static bool kernel_wanted(const verify_run *run, bool boxes)
{
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        if (vp_cases[k]->food == (boxes ? VP_FOOD_BOXES : VP_FOOD_WORLD) &&
            (run->kernel == NULL || strcmp(run->kernel, vp_kernel_name((vp_kernel_id)k)) == 0))
            return true;
    return false;
}

/* Whether a world of the manifest has a set of boxes. */
static bool has_boxes(const vp_manifest *manifest, const char *world)
{
    for (size_t d = 0; d < vp_manifest_count(manifest); d++) {
        char name[160];
        uint64_t hash;
        const vp_dataset *set = vp_manifest_entry(manifest, d);
        snprintf(name, sizeof name, "%s/%s", world, set->name);
        if (set->kind == VP_DATASET_BOXES && vp_manifest_hash(manifest, name, &hash))
            return true;
    }
    return false;
}

/* Whether there is something to check on a set that the manifest has: "WORLD" or, of the set `d`, "WORLD/SET". */
static int check_food(const verify_run *run, const vp_dataset *d, bool boxes)
{
    if (boxes && d->kind != VP_DATASET_BOXES)
        return vp_command_usage("verify",
                                "data set '%s' is of kind edits, which no kernel reads; they read worlds and boxes",
                                run->dataset);
    if (boxes && !kernel_wanted(run, true))
        return vp_command_usage("verify", "kernel '%s' reads no boxes: nothing is checked on '%s'; name the world alone",
                                run->kernel, run->dataset);
    if (!boxes && !kernel_wanted(run, false) && !has_boxes(run->manifest, run->dataset))
        return vp_command_usage("verify", "kernel '%s' reads boxes, and the manifest has none on '%s'", run->kernel,
                                run->dataset);
    return VP_EXIT_DONE;
}

/* "WORLD/SET": the manifest has the world, and the set is none. */
static bool is_on_world(const vp_manifest *manifest, const char *name, const vp_dataset *set)
{
    char world[64];
    size_t length = strcspn(name, "/");
    if (length >= sizeof world || vp_dataset_stands_alone(set->kind) || vp_dataset_owner(set->kind) != VP_DATASET_WORLD)
        return false;
    snprintf(world, sizeof world, "%.*s", (int)length, name);
    const vp_dataset *d = vp_manifest_find(manifest, world);
    return d != NULL && d->kind == VP_DATASET_WORLD;
}

/* Whether --dataset names something that can be checked: a world, a world's boxes, or fuzz-<n>. */
static int check_dataset(const verify_run *run)
{
    if (run->dataset == NULL)
        return VP_EXIT_DONE;
    if (strncmp(run->dataset, "fuzz-", 5) == 0 && strspn(run->dataset + 5, "0123456789") == strlen(run->dataset + 5) &&
        run->dataset[5] != '\0')
        return VP_EXIT_DONE;
    const char *slash = strchr(run->dataset, '/');
    const vp_dataset *d = vp_manifest_find(run->manifest, slash != NULL ? slash + 1 : run->dataset);
    if (d != NULL && (slash != NULL ? is_on_world(run->manifest, run->dataset, d) : d->kind == VP_DATASET_WORLD))
        return check_food(run, d, slash != NULL);
    return vp_command_usage("verify",
                            "data set '%s' is unknown; worlds and WORLD/BOXES are listed by 'voxphys dataset list', and "
                            "fuzz-0, fuzz-1, ... are small random ones",
                            run->dataset);
}

/* "; 7 versions not run natively (neon; see --json)": of the sets that run through SIMDe, or of those that do not run. */
static void print_not_run(bool simde, const char *how)
{
    char names[128] = "";
    unsigned sets = 0;
    for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
        vp_isa isa = (vp_isa)i;
        if ((vp_isa_via(isa) == VP_VIA_NATIVE && vp_isa_usable(isa)) || (vp_isa_via(isa) == VP_VIA_SIMDE) != simde)
            continue;
        add_name(names, sizeof names, vp_isa_name(isa));
        sets++;
    }
    if (sets != 0)
        printf("; %u versions not run %s (%s; see --json)", sets * VP_KERNEL_COUNT, how, names);
}

static int finish(verify_run *run, bool json)
{
    json_t *not_run = list_not_run();
    int code = run->disagreements == 0 && run->done != 0 ? VP_EXIT_DONE : VP_EXIT_FAILED;
    if (run->done == 0)
        fprintf(stderr, "voxphys verify: nothing was checked\n");
    if (json) {
        int printed = vp_print_json(json_pack("{s:s, s:I, s:O, s:o}", "version", vp_version_string(), "seed",
                                              (json_int_t)run->seed, "checks", run->checks, "not_run", not_run));
        return printed != VP_EXIT_DONE ? printed : code;
    }
    printf("%llu checks, %llu disagree", (unsigned long long)run->done, (unsigned long long)run->disagreements);
    print_not_run(true, "natively");
    print_not_run(false, "on this machine");
    putchar('\n');
    json_decref(not_run);
    return code;
}

int vp_command_verify(int argc, char **argv)
{
    verify_run run = {0};
    const char *json = NULL, *seed = NULL;
    const vp_option options[] = {
        {"--kernel", "K", "only this kernel (see voxphys info)", &run.kernel},
        {"--isa", "I", "only this instruction set or contender, e.g. avx2, neon-simde, scalar-autovec, scalar-words", &run.isa},
        {"--dataset", "D", "only this world, WORLD/BOXES, or fuzz-<n>", &run.dataset},
        {"--seed", "N", "seed of the fuzz-<n> workloads (1)", &seed},
        {"--json", NULL, "print JSON", &json},
    };
    const vp_usage usage = {"verify", "[OPTION...]",
                            "Runs the kernels on data sets, every version against the scalar reference, and compares all\n"
                            "answers bit for bit. Exit code 0 only if everything agrees. Versions that are not run natively\n"
                            "here are told: some run through SIMDe, others not at all.",
                            options, sizeof options / sizeof options[0], 0, 0};
    int count, code;
    run.seed = 1;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (seed != NULL && !vp_parse_u64("verify", "--seed", seed, 0, INT64_MAX, &run.seed))
        return VP_EXIT_USAGE;
    run.quiet = json != NULL;
    code = check_arguments(&run);
    if (code != VP_EXIT_DONE)
        return code;
    vp_error error;
    if (vp_manifest_open(NULL, &run.manifest, &error) != VP_OK)
        return vp_command_fail("verify", &error);
    code = check_dataset(&run);
    if (code == VP_EXIT_DONE) {
        run.checks = json_array();
        code = verify_all(&run, &error) != VP_OK ? vp_command_fail("verify", &error) : finish(&run, json != NULL);
        json_decref(run.checks);
    }
    vp_manifest_close(run.manifest);
    return code;
}
