/* SPDX-License-Identifier: MIT */
/* voxphys-count runs every version of every kernel once, on a small data set, between two marks. A native run only prints the names.
 * Under a program that counts instructions (bench/instructions) it yields the number of instructions of each version. These counts are
 * the same on a busy machine, and are available for architectures without a machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/version.h>

#include "bench/count/marks.h"
#include "cases/case.h"
#include "datasets/datasets.h"
#include "datasets/mesh_sets.h"
#include "host/system.h"

/* The number of rays or boxes. An emulator is a hundred times slower than a machine. */
enum { QUESTIONS = 4096, NAME_BYTES = 160 };

/* The first item of a set. */
typedef struct few {
    vp_data data;
    union {
        vp_ray_set rays;
        vp_mesh_box_set mesh_boxes;
        vp_box_set boxes;
        uint32_t count; /* the first of each array */
    } set;
} few;

static void keep_first(const vp_data *all, uint32_t most, few *out)
{
    const size_t bytes = all->kind == &vp_kind_rays         ? sizeof out->set.rays
                         : all->kind == &vp_kind_mesh_boxes ? sizeof out->set.mesh_boxes
                         : all->kind == &vp_kind_boxes      ? sizeof out->set.boxes
                                                            : 0;
    out->data = *all;
    if (bytes == 0)
        return;
    memcpy(&out->set, all->set, bytes);
    out->set.count = out->set.count < most ? out->set.count : most;
    out->data.set = &out->set;
}

/* Runs it once to warm up, then once between the marks. */
static vp_status count_one(vp_row_id row, const vp_contender *contender, const vp_data *data, uint32_t variant, const char *name,
                           vp_error *error)
{
    const vp_case *c = vp_cases[row];
    const vp_kernels table = vp_contender_table(contender, row);
    const vp_arena_plan plan = {VP_PLACE_HEAP, 0xa5, 0};
    vp_records answers = {0};
    vp_session s;
    uint64_t items = 0;
    vp_error unused;
    vp_status status = vp_session_open(c, &(vp_setting){&table, NULL}, data, variant, &plan, &s, error);
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
        printf("%s %" PRIu64 " %s %016" PRIx64 "\n", name, items, vp_rows[row].unit, vp_records_digest(&answers));
    }
    vp_records_destroy(&answers);
    vp_session_close(&s, &unused);
    return status;
}

/* Selects names that start with `beginning` and contain no string of `without`. */
typedef struct names {
    const char *beginning;
    char *const *without; /* ends with NULL */
} names;

static bool is_wanted(const names *only, const char *name)
{
    bool wanted = strncmp(name, only->beginning, strlen(only->beginning)) == 0;
    for (char *const *without = only->without; *without != NULL; without++)
        wanted = wanted && strstr(name, *without) == NULL;
    return wanted;
}

static vp_status count_row(vp_row_id row, const vp_data *data, uint32_t variant, const names *only, vp_error *error)
{
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(row, contenders);
    const char *way = vp_case_way(vp_cases[row], variant), *question = vp_case_question(vp_cases[row], variant);
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < count; i++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%.30s/%.24s%s%.12s/%.50s%s%.12s", vp_rows[row].name, contenders[i].name, way[0] != '\0' ? "-" : "",
                 way, data->name, question[0] != '\0' ? "/" : "", question);
        if (contenders[i].usable && is_wanted(only, name))
            status = count_one(row, &contenders[i], data, variant, name, error);
    }
    return status;
}

/* Counts all variants of a row on a set. */
static vp_status count_on(vp_store *store, vp_row_id row, const vp_measured *m, const names *only, vp_error *error)
{
    const vp_data *all;
    few data;
    vp_status status = vp_store_open(store, vp_cases[row]->kind, m->data, &all, error);
    if (status != VP_OK)
        return status;
    keep_first(all, QUESTIONS, &data);
    for (uint32_t v = 0; status == VP_OK && v < vp_case_variants(vp_cases[row]); v++)
        if ((m->variants >> v & 1u) != 0)
            status = count_row(row, &data.data, v, only, error);
    return status;
}

/* The rows of the registry that are counted. */
static vp_status count_all(vp_store *store, const names *only, vp_error *error)
{
    vp_status status = VP_OK;
    for (unsigned row = 0; row < VP_ROW_COUNT; row++)
        for (const vp_measured *m = vp_cases[row]->measured; status == VP_OK && m != NULL && m->data != NULL; m++)
            if ((m->what & VP_COUNTED) != 0)
                status = count_on(store, (vp_row_id)row, m, only, error);
    return status;
}

int main(int argc, char **argv)
{
    const names only = {argc > 1 ? argv[1] : "", argv + (argc > 2 ? 2 : argc)};
    vp_manifest *manifest = NULL;
    vp_store *store = NULL;
    vp_error error;
    vp_json_memory("voxphys-count");
    if (argc > 1 && argv[1][0] == '-') {
        const bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
        fputs("usage: voxphys-count [BEGINNING [WITHOUT...]]\n"
              "Runs every version of every kernel once over a little data, or those whose names begin so and have none of\n"
              "the others in them, between marks that programs which count instructions know (bench/instructions). Prints names, how many "
              "items, of what, and the answers' digest.\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    vp_status status = vp_float_mode_check(&error);
    if (status == VP_OK)
        status = vp_manifest_open(NULL, &manifest, &error);
    if (status == VP_OK)
        status = vp_store_create(manifest, 0, &store, &error);
    if (status == VP_OK)
        status = count_all(store, &only, &error);
    vp_store_destroy(store);
    if (manifest != NULL)
        vp_manifest_close(manifest);
    if (status == VP_OK && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "voxphys-count: %s\n", status != VP_OK ? error.message : "the output could not be written");
    return 1;
}
