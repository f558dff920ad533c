/* SPDX-License-Identifier: MIT */
/* The checks of `voxphys verify`. Walks through the data sets and runs the cases that take each. Sets that no wanted
 * kernel takes are not opened. */
#include <stdio.h>

#include <voxphys/version.h>

#include "tools/info.h"
#include "tools/sources/world_source.h"
#include "tools/commands.h"
#include <jansson.h>
#include "cases/case.h"
#include "datasets/datasets.h"
#include "host/program.h"

/* Value of --isa for all versions that don't need SIMDe. */
#define VP_VERIFY_NATIVE "native"

/* Options and results of a verification. */
typedef struct vp_verify {
    const char *kernel, *isa, *dataset; /* NULL = all */
    uint64_t seed;
    bool thorough; /* check every chunk's surface, every ray and box of meshes, not samples */
    bool quiet;    /* the output is JSON */
    vp_manifest *manifest;
    json_t *checks;
    uint64_t done, disagreements;
    bool of_manifest;               /* whether the current set is of the manifest */
    bool closely;                   /* whether the current set is checked closely */
    bool is_counting;               /* only count the wanted sets */
    uint64_t sets_begun, set_count; /* for the progress bar */
} vp_verify;

enum {
    FUZZ_SETS = 40,
    CLOSELY_EACH = 20,      /* one in this many fuzz sets is checked closely */
    MAX_RAYS = 16384,       /* rays of a set, evenly spread */
    MAX_RAYS_OF_FORM = 1024 /* the same for another tree form than the default */
};

/* "neon" and "neon-simde" both select the NEON kernels, native or through SIMDe. */
static bool vp_verify_isa_wanted(const char *wanted, const vp_contender *c)
{
    return wanted == NULL || (strcmp(wanted, VP_VERIFY_NATIVE) == 0 && c->how != VP_HOW_SIMDE) || strcmp(wanted, c->name) == 0 ||
           ((c->how == VP_HOW_NATIVE || c->how == VP_HOW_SIMDE) && strcmp(wanted, vp_isa_name(c->isa)) == 0);
}

static bool vp_verify_kernel_wanted(const vp_verify *run, vp_row_id kernel)
{
    return run->kernel == NULL || strcmp(run->kernel, vp_rows[kernel].name) == 0;
}

/* Whether a wanted kernel takes sets of a kind. */
static bool vp_verify_kind_wanted(const vp_verify *run, const vp_kind *kind)
{
    for (unsigned k = 0; k < VP_ROW_COUNT; k++)
        if (vp_cases[k]->kind == kind && vp_verify_kernel_wanted(run, (vp_row_id)k))
            return true;
    return false;
}

static void report(vp_verify *run, vp_row_id kernel, const vp_contender *c, const vp_data *data, uint32_t variant, const vp_check *check)
{
    const char *form = vp_case_variant(vp_cases[kernel], variant);
    char digest[17], who[64];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)check->digest);
    const bool named = form != NULL && variant != 0;
    snprintf(who, sizeof who, "%.24s%s%.12s", c->name, named ? "-" : "", named ? form : "");
    run->done++;
    run->disagreements += check->mismatches != 0;
    if (!run->quiet)
        vp_print_row("%-*s %-24s %-28s %8llu %-5s  %s  %s%s%s\n", vp_row_names_width(VP_ROW_COUNT), vp_rows[kernel].name, who, data->name,
                     (unsigned long long)check->cases, check->cases == 1 ? "case" : "cases", digest,
                     vp_colour_code(check->mismatches == 0 ? VP_COLOUR_GREEN : VP_COLOUR_RED),
                     check->mismatches == 0 ? "agrees" : "DISAGREES", vp_colour_code(VP_COLOUR_NONE));
    if (check->mismatches != 0) {
        vp_progress_hide();
        fprintf(stderr, "voxphys verify: on %s, %s of %s %s\n", data->name, vp_rows[kernel].name, who, check->why.message);
    }
    json_array_append_new(run->checks, json_pack("{s:s, s:s, s:s, s:s, s:s?, s:o, s:I, s:I, s:s}", "kernel", vp_rows[kernel].name, "isa",
                                                 c->how == VP_HOW_AUTOVEC ? c->name : vp_isa_name(c->isa), "via",
                                                 c->how == VP_HOW_SIMDE ? "simde" : "native", "dataset", data->name, "form", form,
                                                 "hash_checked", run->of_manifest ? json_boolean(data->checked) : json_null(), "cases",
                                                 (json_int_t)check->cases, "mismatches", (json_int_t)check->mismatches, "digest", digest));
}

static bool is_wanted(const vp_verify *run, const vp_contender *contender)
{
    return contender->usable && vp_verify_isa_wanted(run->isa, contender);
}

/* Verifies all wanted versions of a kernel. The judge of the reference reports under the scalar version. */
static vp_status verify_kernel(vp_verify *run, vp_row_id kernel, const vp_data *data, uint32_t variant, vp_error *error)
{
    const vp_case *c = vp_cases[kernel];
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(kernel, contenders);
    size_t first = 0;
    while (first < count && !is_wanted(run, &contenders[first]))
        first++;
    if (first == count)
        return VP_OK;
    vp_kernels table;
    vp_records want = {0};
    vp_check reference;
    vp_kernels_best(&table, 0);
    vp_status status = vp_case_reference(c, &table, data, variant, false, &want, &reference, error);
    for (size_t i = first; status == VP_OK && i < count; i++) {
        vp_check check;
        if (!is_wanted(run, &contenders[i]))
            continue;
        table = vp_contender_table(&contenders[i], kernel);
        status = vp_case_check(c, &(vp_setting){&table, NULL}, data, variant, &want, run->closely, &check, error);
        if (status == VP_OK && i == 0 && check.mismatches == 0)
            check = reference;
        if (status == VP_OK)
            report(run, kernel, &contenders[i], data, variant, &check);
    }
    vp_records_destroy(&want);
    return status;
}

/* Takes a part of a set that belongs to meshes, and an even smaller part for variants other than the default. */
static vp_status thin(const vp_verify *run, uint32_t variant, const vp_data **data, vp_error *error)
{
    if (run->thorough || (*data)->kind->owner != &vp_kind_meshes)
        return VP_OK;
    VP_RETURN_IF_FAILED(vp_data_part(*data, MAX_RAYS, data, error));
    if (variant != 0)
        VP_RETURN_IF_FAILED(vp_data_part(*data, MAX_RAYS_OF_FORM, data, error));
    return VP_OK;
}

/* Whether an operation is verified on a set of the manifest. By default it runs on some of the sets that it takes. All
   are possible if both names are given. */
static bool is_chosen(const vp_case *c, const vp_data *data, uint32_t variant)
{
    const vp_measured *m = c->measured;
    while (m->data != NULL && ((m->what & VP_VERIFIED) == 0 || (m->variants >> variant & 1u) == 0 || strcmp(m->data, data->name) != 0))
        m++;
    return m->data != NULL;
}

/* Verifies all wanted rows that take a set, variant by variant. */
static vp_status verify_data(vp_verify *run, const vp_data *all, vp_error *error)
{
    uint32_t variants = 1;
    for (uint32_t v = 0; v < variants; v++) {
        const vp_data *data = all;
        VP_RETURN_IF_FAILED(thin(run, v, &data, error));
        for (unsigned k = 0; k < VP_ROW_COUNT; k++) {
            const vp_case *c = vp_cases[k];
            if (c->kind != data->kind || !vp_verify_kernel_wanted(run, (vp_row_id)k))
                continue;
            variants = vp_case_variants(c) > variants ? vp_case_variants(c) : variants;
            if (v < vp_case_variants(c) && vp_case_takes(c, data, v) &&
                (k < VP_KERNEL_COUNT || !run->of_manifest || (run->kernel != NULL && run->dataset != NULL) || is_chosen(c, data, v)))
                VP_RETURN_IF_FAILED(verify_kernel(run, (vp_row_id)k, data, c->sampled && !run->thorough ? VP_SAMPLED : v, error));
        }
    }
    return VP_OK;
}

static vp_status verify_named(vp_verify *run, vp_store *store, const vp_kind *kind, const char *name, vp_error *error)
{
    if (run->is_counting) {
        run->set_count++;
        return VP_OK;
    }
    vp_progress(name, run->sets_begun++, run->set_count);
    const vp_data *data;
    VP_RETURN_IF_FAILED(vp_store_open(store, kind, name, &data, error));
    if (run->of_manifest)
        vp_hash_checked("verify", run->manifest, name);
    return verify_data(run, data, error);
}

/* Whether `wanted` matches. "terrain-l3" means everything on that world, "terrain-l3/boxes-small" one set of boxes. */
static bool dataset_wanted(const char *wanted, const char *owner, const char *set)
{
    if (wanted == NULL || strcmp(wanted, owner) == 0)
        return true;
    size_t length = strlen(owner);
    if (strncmp(wanted, owner, length) != 0 || wanted[length] != '/')
        return false;
    return set == NULL || strcmp(wanted + length + 1, set) == 0;
}

/* Verifies a set that stands alone, and all sets that belong to it. */
static vp_status verify_set(vp_verify *run, vp_store *store, const vp_dataset *owner, vp_error *error)
{
    const bool counted = owner->kind->count_of != NULL;                                       /* "ball/1000" stands alone */
    const bool named = run->dataset != NULL && strchr(run->dataset, '/') != NULL && !counted; /* only the set that belongs to it */
    vp_status status = VP_OK;
    run->of_manifest = true;
    run->closely = false;
    bool reported = !named && vp_verify_kind_wanted(run, owner->kind); /* whether a missing hash of the owner has been reported */
    if (reported)
        status = verify_named(run, store, owner->kind, counted && run->dataset != NULL ? run->dataset : owner->name, error);
    for (size_t d = 0; status == VP_OK && d < vp_manifest_count(run->manifest); d++) {
        const vp_dataset *set = vp_manifest_entry(run->manifest, d);
        char with[VP_DATA_NAME_BYTES];
        uint64_t hash;
        snprintf(with, sizeof with, "%s/%s", owner->name, set->name);
        if (set->kind->owner != owner->kind || !vp_verify_kind_wanted(run, set->kind) ||
            !dataset_wanted(run->dataset, owner->name, set->name) || !(named || vp_manifest_hash(run->manifest, with, &hash)))
            continue;
        if (!reported && !run->is_counting)
            vp_hash_checked("verify", run->manifest, owner->name);
        reported = true;
        status = verify_named(run, store, set->kind, with, error);
    }
    vp_store_empty(store);
    return status;
}

/* Verifies a fuzz set of every kind. */
static vp_status verify_fuzz(vp_verify *run, vp_store *store, const char *name, bool closely, vp_error *error)
{
    vp_status status = VP_OK;
    run->of_manifest = false;
    run->closely = closely;
    for (const vp_kind *const *kind = vp_kinds; status == VP_OK && *kind != NULL; kind++)
        if ((*kind)->fuzz != NULL && vp_verify_kind_wanted(run, *kind))
            status = verify_named(run, store, *kind, name, error);
    vp_store_empty(store);
    return status;
}

/* Verifies or counts all wanted sets. */
static vp_status verify_sets(vp_verify *run, vp_store *store, vp_error *error)
{
    for (size_t d = 0; d < vp_manifest_count(run->manifest); d++) {
        const vp_dataset *set = vp_manifest_entry(run->manifest, d);
        if (set->kind->owner == NULL && dataset_wanted(run->dataset, set->name, NULL) && (!set->on_demand || run->dataset != NULL))
            VP_RETURN_IF_FAILED(verify_set(run, store, set, error));
    }
    if (run->dataset != NULL && strncmp(run->dataset, "fuzz-", 5) == 0)
        VP_RETURN_IF_FAILED(verify_fuzz(run, store, run->dataset, true, error));
    for (unsigned i = 0; run->dataset == NULL && i < FUZZ_SETS; i++) {
        char name[32];
        snprintf(name, sizeof name, "fuzz-%u", i);
        VP_RETURN_IF_FAILED(verify_fuzz(run, store, name, i % CLOSELY_EACH == 0, error));
    }
    return VP_OK;
}

/* Runs all wanted checks on all wanted data sets and adds to the results. */
static vp_status vp_verify_all(vp_verify *run, vp_error *error)
{
    vp_store *store;
    VP_RETURN_IF_FAILED(vp_store_create(run->manifest, run->seed, &store, error));
    run->is_counting = true;
    vp_status status = verify_sets(run, store, error);
    run->is_counting = false;
    if (status == VP_OK)
        status = verify_sets(run, store, error);
    vp_progress("", 1, 1);
    vp_store_destroy(store);
    return status;
}

/* `voxphys verify` compares every version of every kernel with the scalar reference, on data sets. This file reads
 * options and prints results. verify.c runs the checks. */

/* The instruction sets that the registry lists for each kernel, as bits. The build may lack some of them. */
#define SET_BIT(k, isa)                     | 1u << VP_ISA_##isa
#define KERNEL_SETS(k, file, versions, ...) [VP_KERNEL_##k] = 1u << VP_ISA_scalar VP_ON_##versions(SET_BIT, k),
static const unsigned kernel_sets[VP_KERNEL_COUNT] = {VP_KERNELS(KERNEL_SETS)};

/* Whether --isa names an instruction set, as itself or through SIMDe. */
static bool is_set_named(const vp_verify *run, vp_isa isa)
{
    return strcmp(run->isa, vp_isa_name(isa)) == 0 || strcmp(run->isa, vp_isa_shown(isa)) == 0;
}

/* Whether a version exists and is wanted, but does not run natively here. */
static bool is_not_run(const vp_verify *run, vp_kernel_id kernel, vp_isa isa)
{
    if (!vp_verify_kernel_wanted(run, kernel) || (kernel_sets[kernel] >> isa & 1u) == 0)
        return false;
    if (vp_isa_via(isa) == VP_VIA_NATIVE && vp_isa_usable(isa))
        return false;
    return run->isa == NULL || strcmp(run->isa, VP_VERIFY_NATIVE) == 0 || is_set_named(run, isa);
}

/* Lists the wanted versions of kernels that do not run natively here. */
static json_t *list_not_run(const vp_verify *run)
{
    json_t *list = json_array();
    const bool simde = run->isa == NULL || strcmp(run->isa, VP_VERIFY_NATIVE) != 0;
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
        for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
            vp_isa isa = (vp_isa)i;
            const char *reason = "this machine lacks it";
            if (!is_not_run(run, (vp_kernel_id)k, isa))
                continue;
            if (vp_isa_via(isa) != VP_VIA_NATIVE)
                reason = vp_isa_via(isa) != VP_VIA_SIMDE ? "not in this build"
                         : simde                         ? "native code is for another architecture; run through SIMDe"
                                                         : "native code is for another architecture";
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "kernel", vp_kernel_name((vp_kernel_id)k), "isa",
                                                  vp_isa_name(isa), "via", "native", "reason", reason));
        }
    }
    return list;
}

/* Names, each once. */
typedef struct name_list {
    const char *name[VP_ROW_COUNT + VP_ISA_COUNT + VP_CONTENDERS_MAX];
    size_t count;
} name_list;

static void add_name(name_list *list, const char *name)
{
    size_t i = 0;
    while (i < list->count && strcmp(list->name[i], name) != 0)
        i++;
    if (i == list->count && i < sizeof list->name / sizeof list->name[0])
        list->name[list->count++] = name;
}

/* Whether the registry lists a version of a row. An operation that calls kernels has the versions of its component's kernels. */
static bool has_version(vp_row_id row, vp_isa isa)
{
    const bool has_kernels = row >= VP_KERNEL_COUNT && !vp_cases[row]->has_no_kernels;
    bool has = false;
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        if (k == row || (has_kernels && strcmp(vp_row_component((vp_row_id)k), vp_row_component(row)) == 0))
            has = has || (kernel_sets[k] >> isa & 1u) != 0;
    return has;
}

/* Refuses an instruction set that no wanted kernel can run, because the kernel, the machine or the build lacks it. */
static int refuse_isa(const vp_verify *run)
{
    unsigned row = 0;
    bool exists = run->kernel == NULL;
    while (!exists && strcmp(run->kernel, vp_rows[row].name) != 0)
        row++;
    for (unsigned i = 0; i < VP_ISA_COUNT; i++)
        exists = exists || (is_set_named(run, (vp_isa)i) && has_version((vp_row_id)row, (vp_isa)i));
    if (exists)
        return vp_command_usage("verify", "instruction set '%s': this machine or this build does not have it", run->isa);
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders((vp_row_id)row, contenders);
    char names[VP_CONTENDERS_MAX * (sizeof contenders[0].name + 2)];
    int length = 0;
    for (size_t c = 0; c < count; c++)
        length += snprintf(names + length, sizeof names - (size_t)length, "%s%s", c > 0 ? ", " : "", contenders[c].name);
    return vp_command_usage("verify", "%s has no version %s; it has %s", run->kernel, run->isa, names);
}

static int check_arguments(const vp_verify *run)
{
    bool known_kernel = run->kernel == NULL, known_isa = run->isa == NULL, usable = run->isa == NULL;
    vp_contender all[VP_ROW_COUNT][VP_CONTENDERS_MAX]; /* contenders whose names are listed */
    name_list kernels = {.count = 0}, isas = {.count = 0};
    for (unsigned k = 0; k < VP_ROW_COUNT; k++) {
        const vp_contender *contenders = all[k];
        size_t count = vp_contenders((vp_row_id)k, all[k]);
        const char *name = vp_rows[k].name;
        known_kernel = known_kernel || strcmp(run->kernel, name) == 0;
        bool chosen = vp_verify_kernel_wanted(run, (vp_row_id)k);
        add_name(&kernels, name);
        for (size_t c = 0; c < count; c++) {
            bool wanted = run->isa != NULL && vp_verify_isa_wanted(run->isa, &contenders[c]);
            known_isa = known_isa || wanted;
            usable = usable || (wanted && chosen && contenders[c].usable);
            add_name(&isas, contenders[c].name);
        }
    }
    for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
        known_isa = known_isa || strcmp(run->isa, vp_isa_name((vp_isa)i)) == 0;
        add_name(&isas, vp_isa_name((vp_isa)i));
    }
    add_name(&isas, VP_VERIFY_NATIVE);
    if (!known_kernel)
        return vp_command_none_of("verify", "--kernel", run->kernel, kernels.name, kernels.count);
    if (!known_isa)
        return vp_command_none_of("verify", "--isa", run->isa, isas.name, isas.count);
    return usable ? VP_EXIT_DONE : refuse_isa(run);
}

/* The data of a kernel in words: "boxes of worlds". */
static const char *words_of(const char *kernel)
{
    for (unsigned k = 0; k < VP_ROW_COUNT; k++)
        if (strcmp(kernel, vp_rows[k].name) == 0)
            return vp_cases[k]->reads != NULL ? vp_cases[k]->reads : vp_cases[k]->kind->words;
    return "nothing";
}

/* Whether a wanted kernel takes a set of the manifest that belongs to `owner`. */
static bool owned_wanted(const vp_verify *run, const char *owner)
{
    for (size_t d = 0; d < vp_manifest_count(run->manifest); d++) {
        char name[160];
        uint64_t hash;
        const vp_dataset *set = vp_manifest_entry(run->manifest, d);
        snprintf(name, sizeof name, "%s/%s", owner, set->name);
        if (vp_manifest_hash(run->manifest, name, &hash) && vp_verify_kind_wanted(run, set->kind))
            return true;
    }
    return false;
}

/* Checks that something is verified on a set of the manifest: "WORLD", "MESHES", or "OWNER/SET" for the set `d`. */
static int check_kind(const vp_verify *run, const vp_dataset *d)
{
    const vp_verify all = {.kernel = NULL};
    if (!vp_verify_kind_wanted(&all, d->kind))
        return vp_command_usage("verify",
                                "data set '%s' is of kind edits, which no kernel reads; they read worlds, "
                                "meshes, boxes, rays and points",
                                run->dataset);
    if (vp_verify_kind_wanted(run, d->kind) || (d->kind->owner == NULL && owned_wanted(run, d->name)))
        return VP_EXIT_DONE;
    return vp_command_usage("verify", "kernel '%s' reads nothing of data set '%s', of kind %s; it reads %s", run->kernel, run->dataset,
                            d->kind->name, words_of(run->kernel));
}

/* The set before the slash of "OWNER/SET". NULL if the manifest has none. */
static const vp_dataset *find_owner(const vp_manifest *manifest, const char *name)
{
    char owner[64];
    const size_t length = strcspn(name, "/");
    snprintf(owner, sizeof owner, "%.*s", (int)length, name);
    return length < sizeof owner ? vp_manifest_find(manifest, owner) : NULL;
}

/* Whether --dataset names something that can be checked. */
static int check_dataset(const vp_verify *run)
{
    if (run->dataset == NULL)
        return VP_EXIT_DONE;
    if (strncmp(run->dataset, "fuzz-", 5) == 0 && strspn(run->dataset + 5, "0123456789") == strlen(run->dataset + 5) &&
        run->dataset[5] != '\0')
        return VP_EXIT_DONE;
    const char *slash = strchr(run->dataset, '/');
    const vp_dataset *owner = slash != NULL ? find_owner(run->manifest, run->dataset) : NULL;
    if (owner != NULL && owner->kind->count_of != NULL) /* a count of points */
        return VP_EXIT_DONE;
    const vp_dataset *d = vp_manifest_find(run->manifest, slash != NULL ? slash + 1 : run->dataset);
    if (d != NULL && (slash != NULL ? owner != NULL && d->kind->owner == owner->kind : d->kind->owner == NULL))
        return check_kind(run, d);
    return vp_command_usage("verify",
                            "data set '%s' is unknown; worlds, meshes, points, WORLD/BOXES and MESHES/RAYS "
                            "are listed by 'voxphys dataset "
                            "list', and fuzz-0, fuzz-1, ... are small random ones",
                            run->dataset);
}

/* Prints the number of versions that do not run natively and their instruction sets, or nothing if there are none.
 * `simde` selects the sets that run through SIMDe, otherwise those that do not run. */
static void print_not_run(const vp_verify *run, bool simde, const char *how)
{
    name_list names = {.count = 0};
    unsigned versions = 0;
    for (unsigned i = 0; i < VP_ISA_COUNT; i++) {
        vp_isa isa = (vp_isa)i;
        for (unsigned k = 0; k < VP_KERNEL_COUNT && (vp_isa_via(isa) == VP_VIA_SIMDE) == simde; k++) {
            if (!is_not_run(run, (vp_kernel_id)k, isa))
                continue;
            add_name(&names, vp_isa_name(isa));
            versions++;
        }
    }
    if (versions != 0)
        printf("; %u version%s not run %s (", versions, vp_plural(versions), how);
    for (size_t i = 0; i < names.count; i++)
        printf("%s%s", i > 0 ? ", " : "", names.name[i]);
    if (versions != 0)
        fputs("; see --json)", stdout);
}

/* Reports that every option is valid but nothing was checked. The kernel, or the kernels with this version, do not take this data. */
static int refuse_nothing(const vp_verify *run)
{
    if (run->kernel != NULL && run->dataset != NULL)
        return vp_command_usage("verify", "kernel '%s' reads nothing of data set '%s'; it reads %s", run->kernel, run->dataset,
                                words_of(run->kernel));
    if (run->isa != NULL && run->dataset != NULL)
        return vp_command_usage("verify", "no kernel that has a version '%s' reads anything of data set '%s'", run->isa, run->dataset);
    fprintf(stderr, "voxphys verify: nothing was checked\n");
    return VP_EXIT_FAILED;
}

static int finish(vp_verify *run)
{
    if (run->done == 0)
        return refuse_nothing(run);
    json_t *not_run = list_not_run(run);
    int code = run->disagreements == 0 ? VP_EXIT_DONE : VP_EXIT_FAILED;
    if (run->quiet) {
        int printed = vp_print_json(json_pack("{s:s, s:I, s:O, s:o}", "version", vp_version_string(), "seed", (json_int_t)run->seed,
                                              "checks", run->checks, "not_run", not_run));
        return printed != VP_EXIT_DONE ? printed : code;
    }
    printf("%llu check%s, %llu disagree", (unsigned long long)run->done, vp_plural(run->done), (unsigned long long)run->disagreements);
    print_not_run(run, true, "natively");
    print_not_run(run, false, "on this machine");
    putchar('\n');
    json_decref(not_run);
    return code;
}

int vp_command_verify(int argc, char **argv)
{
    vp_verify run = {.seed = 1};
    const vp_argument arguments[] = {
        {"--kernel", "K", "only this kernel (see voxphys info)", VP_TEXT(&run.kernel)},
        {"--isa", "I",
         "only this instruction set or version, e.g. avx2, plain, neon-simde, scalar-autovec;\n"
         "                         native: every one that needs no SIMDe",
         VP_TEXT(&run.isa)},
        {"--dataset", "D", "only this world, these meshes or points, WORLD/BOXES, MESHES/RAYS, POINTS/COUNT, or fuzz-<n>",
         VP_TEXT(&run.dataset)},
        {"--seed", "N", "seed of the fuzz-<n> workloads, from 0 (default 1)", VP_U64(&run.seed, 0, INT64_MAX)},
        {"--thorough", NULL, "check every chunk, ray and box instead of samples", VP_FLAG(&run.thorough)},
        {"--json", NULL, "print JSON", VP_FLAG(&run.quiet)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("verify", "[OPTION...]", 0, 0, arguments,
                        "Run every version of every kernel on the data sets, and compare the answers with the scalar reference.\n"
                        "Answers are compared bit for bit. Exit code 0 if all agree, 1 if not, 2 if the kernel reads nothing of the\n"
                        "data set. Versions that ran through SIMDe, or didn't run on this machine, are listed.\n\n"
                        "Example: voxphys verify --kernel kd_ray --dataset fuzz-1");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (run.dataset != NULL && vp_given(&line, "--seed") != NULL && strncmp(run.dataset, "fuzz-", 5) != 0)
        return vp_command_usage("verify", "option '--seed' is for fuzz-<n>; '%s' has its own", run.dataset);
    int code = check_arguments(&run);
    if (code != VP_EXIT_DONE)
        return code;
    vp_error error;
    if (vp_float_mode_check(&error) != VP_OK || vp_manifest_open(NULL, &run.manifest, &error) != VP_OK)
        return vp_command_fail("verify", &error);
    code = check_dataset(&run);
    if (code == VP_EXIT_DONE) {
        run.checks = json_array();
        setvbuf(stdout, NULL, _IOLBF, 0); /* keeps the order with stderr, and keeps lines if a kernel crashes */
        code = vp_verify_all(&run, &error) != VP_OK ? vp_command_fail("verify", &error) : finish(&run);
        json_decref(run.checks);
    }
    vp_manifest_close(run.manifest);
    return code;
}
