/* SPDX-License-Identifier: MIT */
/* voxphys dataset make: a data set as a file, to be read by other programs and by other machines. */
#include "tools/dataset/dataset.h"

#include "src/core/file.h"
#include "datasets/cases/cases.h"
#include "datasets/import/text.h"
#include "datasets/manifest_data.h"
#include "host/program.h"

#include <voxphys/world_file.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- boxes and edits, as JSON lines ---- */

static void add_vec3(vp_text *to, const char *name, vp_vec3 v)
{
    vp_text_add(to, "\"%s\": [\"%a\", \"%a\", \"%a\"]", name, (double)v.x, (double)v.y, (double)v.z);
}

static void add_ivec3(vp_text *to, const char *name, vp_ivec3 v)
{
    vp_text_add(to, "\"%s\": [%d, %d, %d]", name, v.x, v.y, v.z);
}

static void add_boxes(vp_text *to, const vp_box_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        vp_text_add(to, "{");
        add_vec3(to, "min", set->box[i].min);
        vp_text_add(to, ", ");
        add_vec3(to, "max", set->box[i].max);
        vp_text_add(to, "}\n");
    }
}

static void add_edits(vp_text *to, const vp_edit_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_edit *e = &set->edit[i];
        static const char *const shapes[] = {"voxel", "box", "sphere"};
        vp_text_add(to, "{\"shape\": \"%s\", ", shapes[e->shape]);
        if (e->shape == VP_EDIT_VOXEL) {
            add_ivec3(to, "at", e->low);
        } else if (e->shape == VP_EDIT_BOX) {
            add_ivec3(to, "low", e->low);
            vp_text_add(to, ", ");
            add_ivec3(to, "high", e->high);
        } else {
            add_vec3(to, "centre", e->centre);
            vp_text_add(to, ", \"radius\": \"%a\"", (double)e->radius);
        }
        vp_text_add(to, ", \"material\": %d, \"occupancy\": %d}\n", e->voxel.material, e->voxel.occupancy);
    }
}

vp_status vp_dataset_put_text(const char *path, const char *text, size_t size, vp_error *error)
{
    if (strcmp(path, "-") != 0)
        return vp_file_replace(path, (const uint8_t *)text, size, error);
    fwrite(text, 1, size, stdout); /* `main` tells if it did not arrive */
    return VP_OK;
}

static vp_status put_lines(const char *path, const vp_box_set *boxes, const vp_edit_set *edits, vp_error *error)
{
    vp_text lines = {0};
    add_boxes(&lines, boxes);
    add_edits(&lines, edits);
    size_t size = lines.size;
    char *text = NULL;
    vp_status status = vp_text_finish(&lines, &text, error);
    if (status == VP_OK)
        status = vp_dataset_put_text(path, text, size, error);
    free(text);
    return status;
}

/* A box set or an edit sequence. */
static vp_status make_lines(const vp_manifest *manifest, const char *name, vp_dataset_kind kind, const char *path,
                            uint64_t *hash, vp_error *error)
{
    char world_name[80];
    const char *slash = strchr(name, '/');
    const vp_entry *entry;
    vp_status status = vp_manifest_entry_on(manifest, name, kind, &entry, error);
    if (status != VP_OK)
        return status;
    snprintf(world_name, sizeof world_name, "%.*s", (int)(slash - name), name);

    vp_world *world = NULL;
    vp_box_set boxes = {0};
    vp_edit_set edits = {0};
    status = vp_dataset_make_world(manifest, world_name, &world, error);
    if (status == VP_OK && kind == VP_DATASET_BOXES)
        status = vp_dataset_boxes(manifest, name, world, &boxes, error);
    else if (status == VP_OK)
        status = vp_dataset_edits(manifest, name, world, &edits, error);
    if (status == VP_OK) {
        *hash = kind == VP_DATASET_BOXES ? vp_box_set_hash(&boxes) : vp_edit_set_hash(&edits);
        status = put_lines(path, &boxes, &edits, error);
    }
    vp_box_set_destroy(&boxes);
    vp_edit_set_destroy(&edits);
    vp_world_destroy(world);
    return status;
}

/* ---- worlds ---- */

static vp_status make_file(const vp_manifest *manifest, const vp_dataset *d, const char *path, uint64_t *hash,
                           vp_error *error)
{
    vp_world *world = NULL;
    vp_text text = {0};
    char *note = NULL;
    vp_text_add(&text, "%s: %s\ngenerator: %s\nparameters: %s\nseed: %" PRIu64 "\nlicence: %s\n", d->name,
                d->description, d->generator, d->params, d->seed, d->licence);
    vp_status status = vp_text_finish(&text, &note, error);
    if (status == VP_OK)
        status = vp_dataset_make_world(manifest, d->name, &world, error);
    if (status == VP_OK)
        status = vp_world_save(world, note, path, error);
    if (status == VP_OK)
        *hash = vp_world_hash(world);
    vp_world_destroy(world);
    free(note);
    return status;
}

/* ---- what verify makes by itself ---- */

/* "fuzz-12" or "fuzz-12/boxes": what `voxphys verify` makes without the manifest. */
static bool is_fuzz(const char *name)
{
    if (strncmp(name, "fuzz-", 5) != 0)
        return false;
    size_t digits = strspn(name + 5, "0123456789");
    return digits != 0 && (name[5 + digits] == '\0' || strcmp(name + 5 + digits, "/boxes") == 0);
}

static vp_status make_fuzz(const vp_manifest *manifest, const char *name, uint64_t seed, const char *path,
                           uint64_t *hash, vp_error *error)
{
    char world[80], note[160];
    const char *slash = strchr(name, '/');
    snprintf(world, sizeof world, "%.*s", (int)strcspn(name, "/"), name);
    vp_workload workload;
    vp_status status = vp_workload_open(manifest, world, seed, &workload, error);
    if (status != VP_OK)
        return status;
    snprintf(note, sizeof note, "%s: small and random, for voxphys verify\nseed: %" PRIu64 "\n", world, seed);
    *hash = slash != NULL ? vp_box_set_hash(&workload.boxes) : vp_world_hash(workload.world);
    status = slash != NULL ? put_lines(path, &workload.boxes, &(vp_edit_set){0}, error)
                           : vp_world_save(workload.world, note, path, error);
    vp_workload_close(&workload);
    return status;
}

/* ---- the command ---- */

vp_status vp_dataset_check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error)
{
    char world[80];
    snprintf(world, sizeof world, "%.*s", (int)strcspn(name, "/"), name);
    const vp_dataset *d = vp_manifest_find(manifest, world);
    if (d != NULL && d->kind == VP_DATASET_MESHES)
        d = vp_manifest_find(manifest, d->world);
    const char *const files[] = {"manifest.json", d != NULL ? d->source : ""};
    vp_status status = VP_OK;
    for (int i = 0; i < 2 && status == VP_OK; i++) {
        size_t bytes = strlen(vp_manifest_folder(manifest)) + strlen(files[i]) + 2;
        char *file = malloc(bytes);
        if (file == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
        snprintf(file, bytes, "%s/%s", vp_manifest_folder(manifest), files[i]);
        if (vp_same_file(file, path))
            status = vp_fail(error, VP_E_ARGUMENT, "'%s' is a file of the data sets, which is not replaced",
                             vp_show_path(path).text);
        free(file);
    }
    return status;
}

int vp_dataset_make(int argc, char **argv)
{
    const char *json = NULL, *out = NULL, *seed_text = NULL;
    const vp_option options[] = {
        {"-o", "FILE", "where to write; default: NAME.vpw or NAME-SET.jsonl in this folder", &out},
        {"--seed", "N", "of fuzz-<n>, as for 'voxphys verify' (1)", &seed_text},
        {"--json", NULL, "print what was written as JSON", &json},
    };
    const vp_usage usage = {"dataset make", "NAME [OPTION...]",
                            "Generates a data set, checks its hash, and writes it: a world as a .vpw file; boxes and edits (WORLD/SET),\n"
                            "rays and mesh boxes (MESHES/SET), meshes, and points (FAMILY or FAMILY/COUNT) as JSON lines with exact\n"
                            "hexadecimal floats (-o - for standard output); points of FAMILY/COUNT also as a .points file. fuzz-<n> and\n"
                            "fuzz-<n>/boxes are what 'voxphys verify' generates for that name and seed; the manifest has no hash of them.",
                            options, 3, 1, 1};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (out != NULL && out[0] == '\0')
        return vp_command_usage("dataset make", "option '-o': the name of the file is empty");
    bool fuzz = is_fuzz(argv[1]);
    uint64_t seed = 1;
    if (seed_text != NULL && !fuzz)
        return vp_command_usage("dataset make", "option '--seed' is for fuzz-<n>; '%s' has its own", argv[1]);
    if (seed_text != NULL && !vp_parse_u64("dataset make", "--seed", seed_text, 0, INT64_MAX, &seed))
        return VP_EXIT_USAGE;
    vp_manifest *manifest;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK)
        return vp_command_fail("dataset make", &error);

    const char *name = argv[1], *slash = strchr(name, '/');
    const vp_dataset *d = vp_manifest_find(manifest, slash != NULL ? slash + 1 : name);
    bool is_world = slash == NULL && (fuzz || (d != NULL && d->kind == VP_DATASET_WORLD));
    const bool is_points = !fuzz && vp_dataset_points_of(manifest, name) != NULL;
    bool is_mesh = !fuzz && !is_points && d != NULL && (d->kind == VP_DATASET_MESHES || vp_dataset_owner(d->kind) == VP_DATASET_MESHES);
    char default_path[160];
    snprintf(default_path, sizeof default_path, "%.140s.%s", name, is_world ? "vpw" : "jsonl");
    for (char *c = default_path; *c != '\0'; c++)
        if (*c == '/')
            *c = '-';
    const char *path = out != NULL ? out : default_path;
    uint64_t hash = 0, expected;
    vp_status status = VP_OK;
    if (is_points) {
        status = vp_dataset_check_out(manifest, name, path, &error);
        if (status == VP_OK)
            status = vp_dataset_make_points(manifest, name, path, &hash, &error);
    } else if (d == NULL && !fuzz) {
        vp_world *none;
        status = vp_dataset_world(manifest, name, &none, &error); /* fails, with the message */
    } else if (slash != NULL && !fuzz && vp_dataset_stands_alone(d->kind)) {
        const vp_entry *entry;
        code = vp_manifest_entry_on(manifest, name, d->kind, &entry, &error) != VP_OK /* no such world */
                   ? vp_command_fail("dataset make", &error)
                   : vp_dataset_refuse_alone("dataset make", name, d->kind);
        vp_manifest_close(manifest);
        return code;
    } else if (is_world && strcmp(path, "-") == 0) {
        vp_manifest_close(manifest);
        return vp_command_usage("dataset make", "a world is not written to standard output; give -o FILE");
    } else if ((status = vp_dataset_check_out(manifest, name, path, &error)) == VP_OK) {
        status = fuzz       ? make_fuzz(manifest, name, seed, path, &hash, &error)
                 : is_world ? make_file(manifest, d, path, &hash, &error)
                 : is_mesh  ? vp_dataset_make_mesh_lines(manifest, name, d->kind, path, &hash, &error)
                            : make_lines(manifest, name, d->kind, path, &hash, &error);
    }
    bool checked = vp_manifest_hash(manifest, name, &expected);
    vp_manifest_close(manifest);
    if (status != VP_OK)
        return vp_dataset_fail("dataset make", &error);
    if (json != NULL)
        return vp_print_json(json_pack("{s:s, s:o, s:o, s:b}", "name", name, "file", vp_json_name(path), "hash",
                                       vp_dataset_hash_json(hash), "checked", checked));
    if (fflush(stdout) != 0 || ferror(stdout))
        return VP_EXIT_FAILED; /* `main` tells */
    fprintf(strcmp(path, "-") == 0 ? stderr : stdout, "%s: %s, XXH3-64 %016" PRIx64 ", %s\n", path, name, hash,
            checked ? "as in the manifest" : "for which the manifest has no hash");
    return VP_EXIT_DONE;
}
