/* SPDX-License-Identifier: MIT */
/* `voxphys dataset` lists and describes data sets. make.c makes them, import.c imports files. */
#include "tools/dataset/dataset.h"

#include "datasets/manifest_data.h"
#include "host/program.h"
#include "tools/commands.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- list ---- */

static void size_text(const vp_dataset *d, char text[40])
{
    if (d->size.x != 0) /* for worlds */
        snprintf(text, 40, "%u x %u x %u", d->size.x, d->size.y, d->size.z);
    else
        snprintf(text, 40, "%u", d->count);
}

/* A set as JSON, from the manifest. The caller adds the hashes of sets that belong to worlds. */
static json_t *entry_json(const vp_manifest *manifest, const vp_dataset *d)
{
    uint64_t hash;
    const bool hashed = vp_manifest_hash(manifest, d->name, &hash), is_world = d->size.x != 0;
    json_t *size = is_world ? json_pack("[i, i, i]", (int)d->size.x, (int)d->size.y, (int)d->size.z) : json_integer((json_int_t)d->count);
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:s, s:s*, s:s*, s:o, s:b, s:o*}", "name", d->name, "kind", d->kind->name,
                     "description", d->description, "generator", d->generator, "params", json_loads(d->params, 0, NULL), "seed",
                     (json_int_t)d->seed, "licence", d->licence, "source", d->source[0] != '\0' ? d->source : NULL, "world",
                     d->world[0] != '\0' ? d->world : NULL, is_world ? "size" : "count", size, "on_demand", (int)d->on_demand, "hash",
                     hashed ? vp_json_hex(hash) : NULL);
}

static int list(int argc, char **argv)
{
    bool json;
    const vp_argument arguments[] = {{"--json", NULL, "print JSON", VP_FLAG(&json)}};
    vp_command_line line =
        VP_COMMAND_LINE("dataset list", "[OPTION...]", 0, 0, arguments,
                        "List the data sets.\n"
                        "Box sets and edit sequences belong to a world: \"terrain-l3/boxes-small\" is the set boxes-small on the world\n"
                        "terrain-l3. Rays and mesh boxes belong to meshes:\n"
                        "\"chunks/coherent\". Point sets exist in several counts, up to the one listed, at three scales and\n"
                        "in two places: \"ball/1000\" is one. Solids exist in places too: \"solid-gear/small\", large, far, small-far\n"
                        "and large-far.\n\n"
                        "Example: voxphys dataset list");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    vp_manifest *manifest;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK)
        return vp_command_fail("dataset list", &error);
    json_t *sets = json_array();
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        char size[40];
        size_text(d, size);
        if (json)
            json_array_append_new(sets, entry_json(manifest, d));
        else
            printf("%-17s %-10s %18s  %s%s\n", d->name, d->kind->name, size, d->description, d->on_demand ? " (on demand)" : "");
    }
    vp_manifest_close(manifest);
    if (json)
        return vp_print_json(json_pack("{s:o}", "sets", sets));
    json_decref(sets);
    return VP_EXIT_DONE;
}

/* ---- info ---- */

static json_t *owner_hashes(const vp_manifest *manifest, const vp_dataset *d)
{
    json_t *hashes = json_object();
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *owner = vp_manifest_entry(manifest, i);
        char name[160];
        uint64_t hash;
        snprintf(name, sizeof name, "%s/%s", owner->name, d->name);
        if (vp_manifest_hash(manifest, name, &hash))
            json_object_set_new(hashes, owner->name, vp_json_hex(hash));
    }
    return hashes;
}

/* Prints members of an object, one a line. */
static void print_members(json_t *object, const char *indent)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const json_t *value = json_object_iter_value(at);
        char *text =
            json_is_string(value)
                ? NULL
                : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9) | (json_is_object(value) ? JSON_INDENT(2) : JSON_COMPACT));
        printf("%s%s: %s\n", indent, json_object_iter_key(at), text != NULL ? text : json_string_value(value));
        free(text);
    }
}

static int info(int argc, char **argv)
{
    bool json, counted;
    const vp_argument arguments[] = {
        {"--count", NULL, "generate the data set, and count its voxels, chunks by kind, triangles, rays, points", VP_FLAG(&counted)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE("dataset info", "NAME [OPTION...]", 1, 1, arguments,
                                           "Print the manifest's entry of a data set.\n"
                                           "The hash is the XXH3-64 of the decoded content.\n\n"
                                           "Example: voxphys dataset info terrain-l2 --count");
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    vp_manifest *manifest;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK)
        return vp_command_fail("dataset info", &error);
    const vp_dataset *d = vp_manifest_set_of(manifest, argv[1]);
    const bool full = strchr(argv[1], '/') != NULL;
    const vp_entry *entry;
    int code = VP_EXIT_DONE;
    if (d == NULL) {
        fprintf(stderr, "voxphys dataset info: the manifest has no data set \"%s\"\n", argv[1]);
        code = VP_EXIT_USAGE;
    } else if (full && d->kind->owner != NULL && vp_manifest_entry_on(manifest, argv[1], d->kind, &entry, &error) != VP_OK) {
        vp_command_fail("dataset info", &error);
        code = VP_EXIT_USAGE;
    } else if (full && d->kind->count_of != NULL && d->kind->count_of(strchr(argv[1], '/') + 1) == 0) {
        code = vp_command_usage("dataset info", "'%s': '%s' has no such set", argv[1], d->name);
    } else if (vp_dataset_name_allowed("dataset info", manifest, argv[1], d, &code) && counted) {
        if (d->kind->contents == NULL)
            code = vp_command_usage("dataset info", "option '--count' is for worlds, meshes, points and solids; '%s' is of kind %s",
                                    argv[1], d->kind->name);
        else if (!full && d->kind->owner != NULL)
            code = vp_command_usage("dataset info", "option '--count': '%s' does not say on which meshes: MESHES/%s", argv[1], argv[1]);
    }
    if (code != VP_EXIT_DONE) {
        vp_manifest_close(manifest);
        return code;
    }
    json_t *o = entry_json(manifest, d);
    uint64_t own;
    if (full && d->kind->count_of != NULL) /* hash of one count, not of the whole family */
        json_object_set_new(o, "hash", vp_manifest_hash(manifest, argv[1], &own) ? vp_json_hex(own) : json_null());
    if (d->kind->owner != NULL)
        json_object_set_new(o, "hashes", owner_hashes(manifest, d));
    vp_status status = VP_OK;
    if (counted) {
        vp_store *store = NULL;
        const vp_data *data;
        json_t *contents = NULL;
        status = vp_dataset_store(manifest, 0, &store, &error);
        if (status == VP_OK)
            status = vp_store_open(store, d->kind, argv[1], &data, &error);
        if (status == VP_OK)
            status = d->kind->contents(data, &contents, &error);
        json_object_set_new(o, "contents", contents);
        vp_store_destroy(store);
    }
    vp_manifest_close(manifest);
    if (status != VP_OK) {
        json_decref(o);
        return vp_dataset_fail("dataset info", &error);
    }
    if (json)
        return vp_print_json(o);
    print_members(o, "");
    json_decref(o);
    return VP_EXIT_DONE;
}

/* ---- the subcommands ---- */

static const char help[] = "Usage: voxphys dataset COMMAND [ARGUMENT...]\n\n"
                           "List, make and import data sets.\n\nCommands:\n"
                           "  list                   list the data sets\n"
                           "  info NAME              print the description of a data set\n"
                           "  make NAME [-o FILE]    generate a data set, check its hash, and write it to a file\n"
                           "  import FILE -o OUT     convert another program's file into a world file\n\n"
                           "'voxphys dataset COMMAND --help' shows a command's options. The data sets are in the folder that\n"
                           "the environment variable VOXPHYS_DATA names; without it, in the first of these that has a\n"
                           "manifest.json: the one installed together with the program, the source's, and the one that\n"
                           "the build was configured to install to.\n";

int vp_command_dataset(int argc, char **argv)
{
    static const vp_subcommand commands[] = {{"list", list}, {"info", info}, {"make", vp_dataset_make}, {"import", vp_dataset_import}};
    return vp_command_choose("dataset", help, commands, sizeof commands / sizeof commands[0], argc, argv);
}
