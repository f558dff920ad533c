/* SPDX-License-Identifier: MIT */
/* voxphys-count: every version of every kernel once, over a little data, between two marks. Natively it only names what it runs; under a
 * program that counts instructions (bench/instructions) it tells how many each takes, where no clock can be trusted: the same on a busy
 * machine, and for an architecture that there is no machine of. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/version.h>

#include "bench/count/marks.h"
#include "src/core/error.h"
#include "datasets/cases/cases.h"
#include "host/json_memory.h"

/* So many rays or boxes: an emulator takes a hundred times as long as a machine. */
enum { QUESTIONS = 4096, BRUTE_QUESTIONS = 256, NAME_BYTES = 128 };

/* On what kernels of a food are counted; the first is enough to tell kernels from each other, the second to tell where they differ. */
static const struct {
    vp_food food;
    const char *data, *set;
    bool forms; /* trees in all forms */
} counted[] = {
    {VP_FOOD_WORLD, "terrain-l2", NULL, false},
    {VP_FOOD_WORLD, "random-50", NULL, false},
    {VP_FOOD_BOXES, "terrain-l2", "boxes-small", false},
    {VP_FOOD_POINTS, "ball/1000", NULL, false},
    {VP_FOOD_POINTS, "sphere/1000", NULL, false},
    {VP_FOOD_MESHES, "chunks", NULL, true},
    {VP_FOOD_RAYS, "chunks", "coherent", true},
    {VP_FOOD_RAYS, "world-230k", "incoherent", false},
    {VP_FOOD_MESH_BOXES, "chunks", "box-1.5", true},
    {VP_FOOD_CHUNK_RAYS, "chunks", "coherent", false},
    {VP_FOOD_TERRAIN_RAYS, "world-230k", "incoherent", false},
    {VP_FOOD_TERRAIN_BOXES, "world-230k", "box-1.5", false},
};

static void keep_first(vp_workload *w, uint32_t most)
{
    if (w->rays.count > most)
        w->rays.count = most;
    if (w->mesh_boxes.count > most)
        w->mesh_boxes.count = most;
    if (w->boxes.count > most)
        w->boxes.count = most;
}

/* Runs it once for what the first run alone does, then between the marks. */
static vp_status count_one(vp_kernel_id kernel, const vp_contender *contender, const vp_workload *w, const char *name, vp_error *error)
{
    const vp_case *c = vp_cases[kernel];
    const vp_kernels table = vp_contender_table(contender, kernel);
    vp_records answers = {0};
    void *work = NULL;
    vp_status status = c->make(w, &work, error);
    if (status == VP_OK) {
        c->run(&table, work);
        vp_count_begin();
        const uint64_t items = c->run(&table, work);
        vp_count_end(name);
        status = c->records(work, &answers, error);
        if (status == VP_OK)
            printf("%s %" PRIu64 " %s %016" PRIx64 "\n", name, items, c->unit, vp_records_digest(&answers));
    }
    vp_records_destroy(&answers);
    c->drop(work);
    return status;
}

static vp_status count_kernel(vp_kernel_id kernel, const vp_workload *w, const char *only, vp_error *error)
{
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(kernel, contenders);
    const char *form = vp_case_of_trees(kernel) ? vp_workload_kind(w)->name : "wide";
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < count; i++) {
        char name[NAME_BYTES];
        const bool wide = strcmp(form, "wide") == 0;
        snprintf(name, sizeof name, "%.30s/%.24s%s%.12s/%.50s", vp_kernel_name(kernel), contenders[i].name, wide ? "" : "-", wide ? "" : form, w->name);
        if (contenders[i].usable && (only == NULL || strncmp(name, only, strlen(only)) == 0))
            status = count_one(kernel, &contenders[i], w, name, error);
    }
    return status;
}

static vp_status count_on(const vp_manifest *manifest, size_t which, const char *only, vp_error *error)
{
    vp_workload w = {.world = NULL};
    vp_status status = vp_workload_open(manifest, counted[which].data, 0, &w, error);
    if (status == VP_OK && counted[which].set != NULL)
        status = vp_workload_set_boxes(manifest, counted[which].set, &w, error);
    keep_first(&w, counted[which].food == VP_FOOD_CHUNK_RAYS ? BRUTE_QUESTIONS : QUESTIONS);
    for (size_t f = 0; status == VP_OK && f < (counted[which].forms ? VP_TREE_KINDS : 1); f++) {
        vp_workload_set_kind(&w, &vp_tree_kinds[f]);
        if (!vp_workload_has_kind(&w, &vp_tree_kinds[f]))
            continue;
        for (unsigned k = 0; status == VP_OK && k < VP_KERNEL_COUNT; k++) {
            const bool every_form = k == VP_KERNEL_kd_ray || k == VP_KERNEL_kd_gather || (k == VP_KERNEL_kd_build && vp_tree_kinds[f].form <= VP_KD_WIDE);
            if (vp_cases[k]->food == counted[which].food && (f == 0 || every_form) && vp_case_eats((vp_kernel_id)k, counted[which].food, &w))
                status = count_kernel((vp_kernel_id)k, &w, only, error);
        }
    }
    vp_workload_close(&w);
    return status;
}

int main(int argc, char **argv)
{
    const char *only = argc == 2 && argv[1][0] != '-' ? argv[1] : NULL;
    vp_manifest *manifest = NULL;
    vp_error error;
    vp_json_memory("voxphys-count");
    if (argc > 2 || (argc == 2 && only == NULL)) {
        const bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
        fputs("usage: voxphys-count [BEGINNING]\n"
              "Runs every version of every kernel once over a little data, or those whose names begin so, between marks that programs\n"
              "which count instructions know (bench/instructions). Prints names, how many items, of what, and the answers' digest.\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    vp_status status = vp_float_mode_check(&error);
    if (status == VP_OK)
        status = vp_manifest_open(NULL, &manifest, &error);
    for (size_t i = 0; status == VP_OK && i < sizeof counted / sizeof counted[0]; i++)
        status = count_on(manifest, i, only, &error);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    if (status == VP_OK && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "voxphys-count: %s\n", status != VP_OK ? error.message : "the output could not be written");
    return 1;
}
