/* SPDX-License-Identifier: MIT */
/* voxphys verify, the work: goes through the data sets, and on each runs the kernels that read such data. */
#include "tools/verify/verify.h"

#include <stdio.h>
#include <string.h>

#include "tools/sources/world_source.h"

enum {
    FUZZ_WORKLOADS = 40,
    MAX_RAYS = 16384,        /* of a set, evenly spread */
    MAX_RAYS_OF_FORM = 1024, /* in a form of tree that is not the default */
    MAX_SURFACES = 2048      /* chunks of a world that are meshed, about */
};

bool vp_verify_food_of(const vp_kind *kind, vp_food *food)
{
    static const struct {
        const vp_kind *kind;
        vp_food food;
    } foods[] = {{&vp_kind_world, VP_FOOD_WORLD},   {&vp_kind_boxes, VP_FOOD_BOXES}, {&vp_kind_points, VP_FOOD_POINTS},
                 {&vp_kind_meshes, VP_FOOD_MESHES}, {&vp_kind_rays, VP_FOOD_RAYS},   {&vp_kind_mesh_boxes, VP_FOOD_MESH_BOXES}};
    for (size_t i = 0; i < sizeof foods / sizeof foods[0]; i++)
        if (foods[i].kind == kind) {
            *food = foods[i].food;
            return true;
        }
    return false;
}

const char *vp_verify_food_name(const char *kernel)
{
    static const char *const names[] = {[VP_FOOD_WORLD] = "worlds", [VP_FOOD_BOXES] = "boxes of worlds", [VP_FOOD_POINTS] = "points",
                                        [VP_FOOD_MESHES] = "meshes", [VP_FOOD_RAYS] = "rays of meshes",
                                        [VP_FOOD_MESH_BOXES] = "boxes of meshes",
                                        [VP_FOOD_CHUNK_RAYS] = "rays of meshes that are chunks'",
                                        [VP_FOOD_TERRAIN_RAYS] = "rays of meshes that are a world's",
                                        [VP_FOOD_TERRAIN_BOXES] = "boxes of meshes that are a world's"};
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        if (strcmp(kernel, vp_kernel_name((vp_kernel_id)k)) == 0)
            return names[vp_cases[k]->food];
    return "nothing";
}

static void report(vp_verify *run, vp_kernel_id kernel, const vp_contender *c, const vp_workload *workload,
                   const vp_check *check)
{
    char digest[17], who[64];
    const char *form = vp_case_of_trees(kernel) ? vp_workload_kind(workload)->name : NULL;
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)check->digest);
    const bool named = form != NULL && vp_workload_kind(workload) != vp_tree_kinds;
    snprintf(who, sizeof who, "%.24s%s%.12s", c->name, named ? "-" : "", named ? form : "");
    run->done++;
    run->disagreements += check->mismatches != 0;
    if (!run->quiet)
        printf("%-18s %-24s %-28s %8llu cases  %s  %s\n", vp_kernel_name(kernel), who, workload->name,
               (unsigned long long)check->cases, digest, check->mismatches == 0 ? "agrees" : "DISAGREES");
    if (check->mismatches != 0)
        fprintf(stderr, "voxphys verify: %s of %s differs from the reference in %llu of %llu answers on %s; the first is "
                        "number %llu\n",
                vp_kernel_name(kernel), who, (unsigned long long)check->mismatches,
                (unsigned long long)check->cases, workload->name, (unsigned long long)check->first);
    json_array_append_new(
        run->checks,
        json_pack("{s:s, s:s, s:s, s:s, s:s?, s:o, s:I, s:I, s:s}", "kernel", vp_kernel_name(kernel), "isa",
                  c->how == VP_HOW_AUTOVEC || c->how == VP_HOW_WORDS ? c->name : vp_isa_name(c->isa), "via",
                  c->how == VP_HOW_SIMDE ? "simde" : "native", "dataset", workload->name, "form", form, "hash_checked",
                  run->of_manifest ? json_boolean(run->hash_checked) : json_null(), "cases",
                  (json_int_t)check->cases, "mismatches", (json_int_t)check->mismatches, "digest", digest));
}

/* All wanted kernels that eat this of a workload. */
static vp_status verify_food(vp_verify *run, const vp_workload *workload, vp_food food, vp_error *error)
{
    vp_status status = VP_OK;
    for (unsigned k = 0; status == VP_OK && k < VP_KERNEL_COUNT; k++) {
        vp_kernel_id kernel = (vp_kernel_id)k;
        if (!vp_case_eats(kernel, food, workload) || (run->kernel != NULL && strcmp(run->kernel, vp_kernel_name(kernel)) != 0))
            continue;
        vp_contender contenders[VP_CONTENDERS_MAX];
        size_t count = vp_contenders(kernel, contenders);
        vp_records want = {0};
        status = vp_reference_records(kernel, workload, &want, error);
        for (size_t c = 0; status == VP_OK && c < count; c++) {
            vp_check check;
            if (!contenders[c].usable || !vp_verify_isa_wanted(run->isa, &contenders[c]))
                continue;
            status = vp_check_contender(kernel, &contenders[c], workload, &want, &check, error);
            if (status == VP_OK)
                report(run, kernel, &contenders[c], workload, &check);
        }
        vp_records_destroy(&want);
    }
    return status;
}

/* The same in every form of tree that there is of the meshes, the default one first. The answers of all forms are compared with
   each other's by what is published of them: their digests. */
static vp_status verify_trees(vp_verify *run, vp_workload *workload, vp_food food, vp_error *error)
{
    vp_status status = VP_OK;
    for (int k = 0; status == VP_OK && k < VP_TREE_KINDS; k++) {
        if (!workload->terrain && !vp_workload_has_kind(workload, &vp_tree_kinds[k]))
            continue; /* of a terrain's chunks there are all kinds */
        vp_workload_set_kind(workload, &vp_tree_kinds[k]);
        if (!run->thorough)
            vp_workload_thin(workload, k == 0 ? MAX_RAYS : MAX_RAYS_OF_FORM);
        status = verify_food(run, workload, food, error);
    }
    vp_workload_set_kind(workload, &vp_tree_kinds[0]);
    return status;
}

/* "terrain-l3" asks for everything on that world, "terrain-l3/boxes-small" for one box set. */
static bool dataset_wanted(const char *wanted, const char *owner, const char *set)
{
    if (wanted == NULL || strcmp(wanted, owner) == 0)
        return true;
    size_t length = strlen(owner);
    if (strncmp(wanted, owner, length) != 0 || wanted[length] != '/')
        return false;
    return set == NULL || strcmp(wanted + length + 1, set) == 0;
}

/* A world or meshes, and all that belongs to it. */
static vp_status verify_set(vp_verify *run, const vp_dataset *owner, vp_error *error)
{
    vp_workload workload;
    const bool points = owner->kind == &vp_kind_points; /* "ball/1000" is a workload of its own */
    const char *name = points && run->dataset != NULL ? run->dataset : owner->name;
    vp_status status = vp_workload_open(run->manifest, name, run->seed, &workload, error);
    if (status != VP_OK)
        return status;
    workload.most_surfaces = run->thorough ? 0 : MAX_SURFACES;
    const bool trees = owner->kind == &vp_kind_meshes;
    const bool named = run->dataset != NULL && strchr(run->dataset, '/') != NULL; /* what belongs to it, alone */
    const bool owner_checked = vp_hash_checked("verify", run->manifest, name);
    run->of_manifest = true;
    run->hash_checked = owner_checked;
    if (points)
        status = verify_food(run, &workload, VP_FOOD_POINTS, error);
    else if (!named)
        status = trees ? verify_trees(run, &workload, VP_FOOD_MESHES, error) : verify_food(run, &workload, VP_FOOD_WORLD, error);
    for (size_t d = 0; status == VP_OK && d < vp_manifest_count(run->manifest); d++) {
        const vp_dataset *set = vp_manifest_entry(run->manifest, d);
        char with[128];
        uint64_t hash;
        vp_food food;
        snprintf(with, sizeof with, "%s/%s", owner->name, set->name);
        if (set->kind->owner != owner->kind ||
            !vp_verify_food_of(set->kind, &food) || !dataset_wanted(run->dataset, owner->name, set->name) ||
            !(named || vp_manifest_hash(run->manifest, with, &hash)))
            continue;
        vp_progress(with, d, vp_manifest_count(run->manifest));
        status = vp_workload_set_boxes(run->manifest, set->name, &workload, error);
        if (status == VP_OK)
            run->hash_checked = vp_hash_checked("verify", run->manifest, with) && owner_checked;
        if (status == VP_OK)
            status = trees ? verify_trees(run, &workload, food, error) : verify_food(run, &workload, food, error);
    }
    vp_workload_close(&workload);
    return status;
}

static vp_status verify_fuzz(vp_verify *run, const char *name, vp_error *error)
{
    vp_workload workload;
    vp_status status = vp_workload_open(run->manifest, name, run->seed, &workload, error);
    if (status != VP_OK)
        return status;
    run->of_manifest = false;
    status = verify_food(run, &workload, VP_FOOD_WORLD, error);
    if (status == VP_OK)
        status = verify_food(run, &workload, VP_FOOD_BOXES, error);
    if (status == VP_OK)
        status = verify_food(run, &workload, VP_FOOD_POINTS, error);
    for (vp_food food = VP_FOOD_MESHES; status == VP_OK && food <= VP_FOOD_MESH_BOXES; food++)
        status = verify_trees(run, &workload, food, error);
    vp_workload_close(&workload);
    return status;
}

vp_status vp_verify_all(vp_verify *run, vp_error *error)
{
    vp_status status = VP_OK;
    size_t count = vp_manifest_count(run->manifest);
    for (size_t d = 0; status == VP_OK && d < count; d++) {
        const vp_dataset *set = vp_manifest_entry(run->manifest, d);
        if (set->kind->owner != NULL || !dataset_wanted(run->dataset, set->name, NULL) ||
            (set->on_demand && run->dataset == NULL))
            continue;
        vp_progress(set->name, d, count);
        status = verify_set(run, set, error);
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
