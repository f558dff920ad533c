/* SPDX-License-Identifier: MIT */
/* voxphys-count: every version of every kernel once, over a little data, between two marks. Natively it only
 * names what it runs; under a program that counts instructions (bench/instructions) it tells how many each
 * takes, where no clock can be trusted: the same on a busy machine, and for an architecture that there is no
 * machine of. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/version.h>

#include "bench/count/marks.h"
#include "src/core/error.h"
#include "cases/case.h"
#include "cases/derived.h"
#include "datasets/datasets.h"
#include "datasets/mesh_sets.h"
#include "host/json_memory.h"

/* So many rays or boxes: an emulator takes a hundred times as long as a machine. */
enum { QUESTIONS = 4096, NAME_BYTES = 128 };

/* On what kernels that take a kind of data are counted; the first is enough to tell kernels from each other,
   the second to tell where they differ. */
static const struct {
    const vp_kind *kind;
    const char *data;
    bool forms;     /* trees in all forms */
    const char *of; /* kernels whose names begin so; NULL: all */
} counted[] = {
    {&vp_kind_world, "terrain-l2", false, NULL},
    {&vp_kind_world, "random-50", false, NULL},
    {&vp_kind_boxes, "terrain-l2/boxes-small", false, NULL},
    {&vp_kind_points, "ball/1000", false, NULL},
    {&vp_kind_points, "sphere/1000", false, NULL},
    {&vp_kind_meshes, "chunks", true, NULL},
    {&vp_kind_rays, "chunks/coherent", true, "kd_"},
    {&vp_kind_rays, "world-230k/incoherent", false, "kd_"},
    {&vp_kind_mesh_boxes, "chunks/box-1.5", true, "kd_"},
};

/* A set's first. */
typedef struct few {
    vp_data data;
    union {
        vp_ray_set rays;
        vp_mesh_box_set mesh_boxes;
        vp_box_set boxes;
    } set;
} few;

static void keep_first(const vp_data *all, uint32_t most, few *out)
{
    out->data = *all;
    if (all->kind == &vp_kind_rays) {
        out->set.rays = *(const vp_ray_set *)all->set;
        out->set.rays.count = out->set.rays.count < most ? out->set.rays.count : most;
    } else if (all->kind == &vp_kind_mesh_boxes) {
        out->set.mesh_boxes = *(const vp_mesh_box_set *)all->set;
        out->set.mesh_boxes.count = out->set.mesh_boxes.count < most ? out->set.mesh_boxes.count : most;
    } else if (all->kind == &vp_kind_boxes) {
        out->set.boxes = *(const vp_box_set *)all->set;
        out->set.boxes.count = out->set.boxes.count < most ? out->set.boxes.count : most;
    } else {
        return;
    }
    out->data.set = &out->set;
}

/* Runs it once for what the first run alone does, then between the marks. */
static vp_status count_one(vp_kernel_id kernel, const vp_contender *contender, const vp_data *data,
                           uint32_t variant, const char *name, vp_error *error)
{
    const vp_case *c = vp_cases[kernel];
    const vp_kernels table = vp_contender_table(contender, kernel);
    const vp_arena_plan plan = {VP_PLACE_HEAP, 0xa5, 0};
    vp_records answers = {0};
    vp_session s;
    uint64_t items = 0;
    vp_error unused;
    vp_status status = vp_session_open(c, &table, data, variant, &plan, &s, error);
    if (status == VP_OK)
        status = vp_session_rewind(&s, error);
    if (status == VP_OK)
        status = c->run(&s.how, s.work, 0, &items, error);
    if (status == VP_OK) {
        vp_count_begin();
        status = c->run(&s.how, s.work, 0, &items, error);
        vp_count_end(name);
    }
    if (status == VP_OK) {
        c->records(s.work, &answers);
        printf("%s %" PRIu64 " %s %016" PRIx64 "\n", name, items, vp_rows[kernel].unit, vp_records_digest(&answers));
    }
    vp_records_destroy(&answers);
    vp_session_close(&s, &unused);
    return status;
}

static vp_status count_kernel(vp_kernel_id kernel, const vp_data *data, uint32_t variant, const char *only,
                              vp_error *error)
{
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(kernel, contenders);
    const char *form = variant != 0 ? vp_case_variant(vp_cases[kernel], variant) : NULL;
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < count; i++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%.30s/%.24s%s%.12s/%.50s", vp_kernel_name(kernel), contenders[i].name,
                 form == NULL ? "" : "-", form == NULL ? "" : form, data->name);
        if (contenders[i].usable && (only == NULL || strncmp(name, only, strlen(only)) == 0))
            status = count_one(kernel, &contenders[i], data, variant, name, error);
    }
    return status;
}

static vp_status count_on(vp_store *store, size_t which, const char *only, vp_error *error)
{
    const char *of = counted[which].of;
    const vp_data *all;
    few data;
    vp_status status = vp_store_open(store, counted[which].kind, counted[which].data, &all, error);
    if (status != VP_OK)
        return status;
    keep_first(all, QUESTIONS, &data);
    for (uint32_t v = 0; status == VP_OK && v < (counted[which].forms ? VP_TREE_KINDS : 1); v++)
        for (unsigned k = 0; status == VP_OK && k < VP_KERNEL_COUNT; k++) {
            const vp_case *c = vp_cases[k];
            const bool every_form =
                k == VP_KERNEL_kd_ray || k == VP_KERNEL_kd_gather || k == VP_KERNEL_kd_build;
            if ((v == 0 || every_form) && v < vp_case_variants(c) && vp_case_takes(c, &data.data, v) &&
                (of == NULL || strncmp(vp_kernel_name((vp_kernel_id)k), of, strlen(of)) == 0))
                status = count_kernel((vp_kernel_id)k, &data.data, v, only, error);
        }
    return status;
}

int main(int argc, char **argv)
{
    const char *only = argc == 2 && argv[1][0] != '-' ? argv[1] : NULL;
    vp_manifest *manifest = NULL;
    vp_store *store = NULL;
    vp_error error;
    vp_json_memory("voxphys-count");
    if (argc > 2 || (argc == 2 && only == NULL)) {
        const bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
        fputs("usage: voxphys-count [BEGINNING]\n"
              "Runs every version of every kernel once over a little data, or those whose names begin so, "
              "between marks that programs\n"
              "which count instructions know (bench/instructions). Prints names, how many items, of what, "
              "and the answers' digest.\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    vp_status status = vp_float_mode_check(&error);
    if (status == VP_OK)
        status = vp_manifest_open(NULL, &manifest, &error);
    if (status == VP_OK)
        status = vp_store_create(manifest, 0, &store, &error);
    for (size_t i = 0; status == VP_OK && i < sizeof counted / sizeof counted[0]; i++)
        status = count_on(store, i, only, &error);
    vp_store_destroy(store);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    if (status == VP_OK && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "voxphys-count: %s\n",
            status != VP_OK ? error.message : "the output could not be written");
    return 1;
}
