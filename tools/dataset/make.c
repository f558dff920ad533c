/* SPDX-License-Identifier: MIT */
/* `voxphys dataset make` writes a data set to a file, for other programs and other machines. */
#include "tools/dataset/dataset.h"

#include "src/core/file.h"
#include "datasets/text.h"
#include "datasets/manifest_data.h"
#include "datasets/point_sets.h"
#include "datasets/solid_sets.h"
#include "host/mesh_wire.h"
#include "host/point_file.h"
#include "host/program.h"

#include <voxphys/world_file.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- files ---- */

static vp_status put_text(const char *path, const char *text, size_t size, vp_error *error)
{
    if (strcmp(path, "-") != 0)
        return vp_file_replace(path, (const uint8_t *)text, size, error);
    fwrite(text, 1, size, stdout); /* `main` reports write errors */
    return VP_OK;
}

static vp_status save_lines(const vp_data *data, uint64_t seed, const char *path, vp_error *error)
{
    vp_text lines = vp_text_begin(NULL);
    vp_blob text = {0};
    (void)seed;
    data->kind->lines(data->set, &lines);
    vp_status status = vp_text_finish(&lines, &text, error);
    if (status == VP_OK)
        status = put_text(path, (const char *)text.bytes, text.size, error);
    vp_blob_destroy(&text);
    return status;
}

static vp_status save_world(const vp_data *data, uint64_t seed, const char *path, vp_error *error)
{
    const vp_dataset *d = vp_manifest_find(vp_store_manifest(data->store), data->name);
    vp_text text = vp_text_begin(NULL);
    vp_blob note = {0};
    if (d == NULL)
        vp_text_add(&text, "%s: small and random, for voxphys verify\nseed: %" PRIu64 "\n", data->name, seed);
    else
        vp_text_add(&text, "%s: %s\ngenerator: %s\nparameters: %s\nseed: %" PRIu64 "\nlicence: %s\n", d->name, d->description, d->generator,
                    d->params, d->seed, d->licence);
    vp_status status = vp_text_finish(&text, &note, error);
    if (status == VP_OK)
        status = vp_world_save(data->set, (const char *)note.bytes, path, error);
    vp_blob_destroy(&note);
    return status;
}

/* Writes a set of points. */
static vp_status save_points(const vp_data *data, uint64_t seed, const char *path, vp_error *error)
{
    const vp_point_sets *sets = data->set;
    vp_bytes text = {0};
    (void)seed;
    if (strchr(data->name, '/') == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "a .points file holds one set, and \"%.60s\" is many; one is named with its count: %.60s/1000",
                       data->name, data->name);
    vp_points_text(sets->point, sets->first[1], 3, data->name, &text);
    const vp_status status = text.failed ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text)
                                         : put_text(path, (const char *)text.at, text.size, error);
    free(text.at);
    return status;
}

/* Writes an object per solid. Numbers have nine digits, so floats survive a round trip. */
static vp_status save_solids(const vp_data *data, uint64_t seed, const char *path, vp_error *error)
{
    const vp_solid_set *solids = data->set;
    vp_text text = vp_text_begin(NULL);
    vp_blob obj = {0};
    uint32_t first = 1; /* OBJ numbers corners of all objects consecutively, from 1 */
    (void)seed;
    vp_text_add(&text, "# %s\n", data->name);
    for (uint32_t i = 0; i < solids->count; i++) {
        const vp_triangles *mesh = &solids->solid[i].mesh;
        vp_text_add(&text, "o solid-%u\n", i);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            vp_text_add(&text, "v %.9g %.9g %.9g\n", (double)mesh->vertex[v].x, (double)mesh->vertex[v].y, (double)mesh->vertex[v].z);
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *at = mesh->index + (size_t)t * 3;
            vp_text_add(&text, "f %u %u %u\n", first + at[0], first + at[1], first + at[2]);
        }
        first += mesh->vertex_count;
    }
    vp_status status = vp_text_finish(&text, &obj, error);
    if (status == VP_OK)
        status = put_text(path, (const char *)obj.bytes, obj.size, error);
    vp_blob_destroy(&obj);
    return status;
}

/* Writers of kinds. A kind without JSON lines always uses its writer. Others use it if the file's name ends so. */
static const struct kind_writer {
    const vp_kind *kind;
    const char *ending;
    vp_status (*save)(const vp_data *data, uint64_t seed, const char *path, vp_error *error);
} writers[] = {{&vp_kind_world, ".vpw", save_world}, {&vp_kind_points, ".points", save_points}, {&vp_kind_solids, ".obj", save_solids}};

static vp_status save(const vp_data *data, uint64_t seed, const char *path, vp_error *error)
{
    for (size_t w = 0; w < sizeof writers / sizeof writers[0]; w++)
        if (writers[w].kind == data->kind && (data->kind->lines == NULL || vp_name_ends(path, writers[w].ending)))
            return writers[w].save(data, seed, path, error);
    return save_lines(data, seed, path, error);
}

/* ---- fuzz sets ---- */

/* The kind of a fuzz set such as "fuzz-12" or "fuzz-12/boxes", which `voxphys verify` makes without a manifest. NULL
   for other names. `set` is its name in a store. */
static const vp_kind *fuzz_kind(const char *name, char set[VP_DATA_NAME_BYTES])
{
    uint64_t number;
    const size_t length = strcspn(name, "/");
    if (length >= VP_DATA_NAME_BYTES)
        return NULL;
    snprintf(set, VP_DATA_NAME_BYTES, "%.*s", (int)length, name);
    if (!vp_is_fuzz(set, &number))
        return NULL;
    const vp_kind *kind = name[length] == '\0' ? &vp_kind_world : vp_kind_named(name + length + 1);
    return kind != NULL && kind->fuzz != NULL ? kind : NULL;
}

/* ---- the command ---- */

vp_status vp_dataset_check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error)
{
    char world[80];
    snprintf(world, sizeof world, "%.*s", (int)strcspn(name, "/"), name);
    const vp_dataset *d = vp_manifest_find(manifest, world);
    if (d != NULL && d->world[0] != '\0')
        d = vp_manifest_find(manifest, d->world);
    const char *const files[] = {"manifest.json", d != NULL ? d->source : ""};
    vp_status status = VP_OK;
    for (int i = 0; i < 2 && status == VP_OK; i++) {
        char *file = vp_manifest_path(manifest, files[i]);
        if (file == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
        if (vp_same_file(file, path))
            status = vp_fail(error, VP_E_ARGUMENT, "'%s' is a file of the data sets, which is not replaced", vp_show_path(path).text);
        free(file);
    }
    return status;
}

vp_status vp_check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error)
{
    if (manifest != NULL)
        return vp_dataset_check_out(manifest, name, path, error);
    return vp_same_file(name, path) ? vp_fail(error, VP_E_ARGUMENT, "FILE '%s' is the file that is read", vp_show_path(path).text) : VP_OK;
}

int vp_dataset_make(int argc, char **argv)
{
    const char *out;
    bool json;
    uint64_t seed = 1;
    const vp_argument arguments[] = {
        {"-o", "FILE", "file to write, - for standard output (default: NAME.vpw or NAME-SET.jsonl in this folder)", VP_TEXT(&out)},
        {"--seed", "N", "seed of fuzz-<n>, as for 'voxphys verify', from 0 (default 1)", VP_U64(&seed, 0, INT64_MAX)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("dataset make", "NAME [OPTION...]", 1, 1, arguments,
                        "Generate a data set, check its hash, and write it to a file.\n"
                        "A world is written as a .vpw file. Boxes and edits (WORLD/SET), rays and mesh boxes (MESHES/SET), meshes, and\n"
                        "points (FAMILY or FAMILY/COUNT) are written as JSON lines with exact hexadecimal floats. Points of FAMILY/COUNT\n"
                        "can be a .points file, and solids an .obj file. fuzz-<n> and fuzz-<n>/boxes are the sets that 'voxphys verify'\n"
                        "generates for that name and seed. The manifest has no hash of them.\n\n"
                        "Example: voxphys dataset make terrain-l2 -o terrain.vpw");
    int code;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (out != NULL && out[0] == '\0')
        return vp_command_usage("dataset make", "option '-o': the name of the file is empty");
    if (json && out != NULL && strcmp(out, "-") == 0)
        return vp_command_usage("dataset make", "--json and -o - exclude each other: both write to standard output");
    char fuzz_name[VP_DATA_NAME_BYTES];
    const vp_kind *fuzz = fuzz_kind(argv[1], fuzz_name);
    if (vp_given(&line, "--seed") != NULL && fuzz == NULL)
        return vp_command_usage("dataset make", "option '--seed' is for fuzz-<n>; '%s' has its own", argv[1]);
    vp_manifest *manifest;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK)
        return vp_command_fail("dataset make", &error);

    const char *name = argv[1];
    const vp_dataset *d = fuzz == NULL ? vp_manifest_set_of(manifest, name) : NULL;
    const vp_kind *kind = fuzz != NULL ? fuzz : d != NULL ? d->kind : &vp_kind_world;
    char default_path[160];
    snprintf(default_path, sizeof default_path, "%.140s.%s", name, kind->lines == NULL ? "vpw" : "jsonl");
    for (char *c = default_path; *c != '\0'; c++)
        if (*c == '/')
            *c = '-';
    const char *path = out != NULL ? out : default_path;
    if (!vp_dataset_name_allowed("dataset make", manifest, name, d, &code)) {
        vp_manifest_close(manifest);
        return code;
    }
    if (kind->lines == NULL && (d != NULL || fuzz != NULL) && strcmp(path, "-") == 0) {
        vp_manifest_close(manifest);
        return vp_command_usage("dataset make", "a world is not written to standard output; give -o FILE");
    }
    uint64_t hash = 0, expected;
    vp_store *store = NULL;
    const vp_data *data;
    vp_status status = vp_dataset_check_out(manifest, name, path, &error);
    if (status == VP_OK)
        status = vp_dataset_store(manifest, seed, &store, &error);
    if (status == VP_OK)
        status = vp_store_open(store, kind, fuzz != NULL ? fuzz_name : name, &data, &error);
    if (status == VP_OK) {
        hash = vp_set_hash(kind, data->set);
        status = save(data, seed, path, &error);
    }
    vp_store_destroy(store);
    bool checked = vp_manifest_hash(manifest, name, &expected);
    vp_manifest_close(manifest);
    if (status != VP_OK)
        return vp_dataset_fail("dataset make", &error);
    if (json)
        return vp_print_json(
            json_pack("{s:s, s:o, s:o, s:b}", "name", name, "file", vp_json_name(path), "hash", vp_json_hex(hash), "checked", checked));
    if (fflush(stdout) != 0 || ferror(stdout))
        return VP_EXIT_FAILED; /* `main` reports it */
    fprintf(strcmp(path, "-") == 0 ? stderr : stdout, "%s: %s, XXH3-64 %016" PRIx64 ", %s\n", path, name, hash,
            checked ? "as in the manifest" : "for which the manifest has no hash");
    return VP_EXIT_DONE;
}
