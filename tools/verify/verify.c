/* SPDX-License-Identifier: MIT */
/* The checks of `voxphys verify`. Walks through the data sets and runs the cases that take each. Sets that no wanted
 * kernel takes are not opened. */
#include "tools/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/info.h"
#include "tools/sources/world_source.h"

enum {
    FUZZ_SETS = 40,
    CLOSELY_EACH = 20,      /* one in this many fuzz sets is checked closely */
    MAX_RAYS = 16384,       /* rays of a set, evenly spread */
    MAX_RAYS_OF_FORM = 1024 /* the same for another tree form than the default */
};

bool vp_verify_isa_wanted(const char *wanted, const vp_contender *c)
{
    return wanted == NULL || (strcmp(wanted, VP_VERIFY_NATIVE) == 0 && c->how != VP_HOW_SIMDE) || strcmp(wanted, c->name) == 0 ||
           ((c->how == VP_HOW_NATIVE || c->how == VP_HOW_SIMDE) && strcmp(wanted, vp_isa_name(c->isa)) == 0);
}

bool vp_verify_kernel_wanted(const vp_verify *run, vp_row_id kernel)
{
    return run->kernel == NULL || strcmp(run->kernel, vp_rows[kernel].name) == 0;
}

bool vp_verify_kind_wanted(const vp_verify *run, const vp_kind *kind)
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
    vp_status status = vp_data_part(*data, MAX_RAYS, data, error);
    if (status == VP_OK && variant != 0)
        status = vp_data_part(*data, MAX_RAYS_OF_FORM, data, error);
    return status;
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
    vp_status status = VP_OK;
    uint32_t variants = 1;
    for (uint32_t v = 0; status == VP_OK && v < variants; v++) {
        const vp_data *data = all;
        status = thin(run, v, &data, error);
        for (unsigned k = 0; status == VP_OK && k < VP_ROW_COUNT; k++) {
            const vp_case *c = vp_cases[k];
            if (c->kind != data->kind || !vp_verify_kernel_wanted(run, (vp_row_id)k))
                continue;
            variants = vp_case_variants(c) > variants ? vp_case_variants(c) : variants;
            if (v < vp_case_variants(c) && vp_case_takes(c, data, v) &&
                (k < VP_KERNEL_COUNT || !run->of_manifest || (run->kernel != NULL && run->dataset != NULL) || is_chosen(c, data, v)))
                status = verify_kernel(run, (vp_row_id)k, data, c->sampled && !run->thorough ? VP_SAMPLED : v, error);
        }
    }
    return status;
}

static vp_status verify_named(vp_verify *run, vp_store *store, const vp_kind *kind, const char *name, vp_error *error)
{
    if (run->is_counting) {
        run->set_count++;
        return VP_OK;
    }
    vp_progress(name, run->sets_begun++, run->set_count);
    const vp_data *data;
    const vp_status status = vp_store_open(store, kind, name, &data, error);
    if (status == VP_OK && run->of_manifest)
        vp_hash_checked("verify", run->manifest, name);
    return status == VP_OK ? verify_data(run, data, error) : status;
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
    vp_status status = VP_OK;
    for (size_t d = 0; status == VP_OK && d < vp_manifest_count(run->manifest); d++) {
        const vp_dataset *set = vp_manifest_entry(run->manifest, d);
        if (set->kind->owner == NULL && dataset_wanted(run->dataset, set->name, NULL) && (!set->on_demand || run->dataset != NULL))
            status = verify_set(run, store, set, error);
    }
    if (status == VP_OK && run->dataset != NULL && strncmp(run->dataset, "fuzz-", 5) == 0)
        status = verify_fuzz(run, store, run->dataset, true, error);
    for (unsigned i = 0; status == VP_OK && run->dataset == NULL && i < FUZZ_SETS; i++) {
        char name[32];
        snprintf(name, sizeof name, "fuzz-%u", i);
        status = verify_fuzz(run, store, name, i % CLOSELY_EACH == 0, error);
    }
    return status;
}

vp_status vp_verify_all(vp_verify *run, vp_error *error)
{
    vp_store *store;
    vp_status status = vp_store_create(run->manifest, run->seed, &store, error);
    if (status != VP_OK)
        return status;
    run->is_counting = true;
    status = verify_sets(run, store, error);
    run->is_counting = false;
    if (status == VP_OK)
        status = verify_sets(run, store, error);
    vp_progress("", 1, 1);
    vp_store_destroy(store);
    return status;
}
