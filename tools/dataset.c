/* SPDX-License-Identifier: MIT */
/* voxphys dataset: what data sets there are, what is in them, and how to get one as a file. Importing is in
   dataset_import.c. */
#include "tools/dataset.h"

#include "core/file.h"
#include "datasets/cases/cases.h"
#include "datasets/manifest_data.h"
#include "tools/command.h"

#include <voxphys/broadphase.h>
#include <voxphys/world_file.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_name(vp_dataset_kind kind)
{
    return kind == VP_DATASET_WORLD ? "world" : kind == VP_DATASET_BOXES ? "boxes" : "edits";
}

static json_t *hash_json(uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

/* ---- list ---- */

static void size_text(const vp_dataset *d, char text[40])
{
    if (d->kind == VP_DATASET_WORLD)
        snprintf(text, 40, "%u x %u x %u", d->size.x, d->size.y, d->size.z);
    else
        snprintf(text, 40, "%u", d->count);
}

/* What the manifest says of a set; hashes of sets that belong to worlds are left to the caller. */
static json_t *entry_json(const vp_manifest *manifest, const vp_dataset *d)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:s}", "name", d->name, "kind", kind_name(d->kind),
                          "description", d->description, "generator", d->generator, "params",
                          json_loads(d->params, 0, NULL), "seed", (json_int_t)d->seed, "licence", d->licence);
    uint64_t hash;
    if (d->source[0] != '\0')
        json_object_set_new(o, "source", json_string(d->source));
    if (d->kind == VP_DATASET_WORLD)
        json_object_set_new(o, "size", json_pack("[i, i, i]", (int)d->size.x, (int)d->size.y, (int)d->size.z));
    else
        json_object_set_new(o, "count", json_integer((json_int_t)d->count));
    json_object_set_new(o, "on_demand", json_boolean(d->on_demand));
    if (vp_manifest_hash(manifest, d->name, &hash))
        json_object_set_new(o, "hash", hash_json(hash));
    return o;
}

static int list(int argc, char **argv)
{
    const char *json = NULL;
    const vp_option options[] = {{"--json", NULL, "print JSON", &json}};
    const vp_usage usage = {"dataset list", "[OPTION...]",
                            "Lists the data sets. Box sets and edit sequences belong to a world:\n"
                            "\"terrain-l3/boxes-small\" names the set boxes-small on the world terrain-l3.",
                            options, 1, 0, 0};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    vp_manifest *manifest;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK)
        return vp_command_fail("dataset list", &error);
    json_t *sets = json_array();
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        char size[40];
        size_text(d, size);
        if (json != NULL)
            json_array_append_new(sets, entry_json(manifest, d));
        else
            printf("%-14s %-6s %18s  %s%s\n", d->name, kind_name(d->kind), size, d->description,
                   d->on_demand ? " (on demand)" : "");
    }
    vp_manifest_close(manifest);
    if (json != NULL)
        return vp_print_json(json_pack("{s:o}", "sets", sets));
    json_decref(sets);
    return VP_EXIT_DONE;
}

/* ---- info ---- */

static void show_progress(void *user, uint32_t done, uint32_t total)
{
    vp_progress(user, done, total);
}

/* "WORLD/SET" where SET is a world. @return the exit code */
static int refuse_world_on_world(const char *command, const char *name)
{
    return vp_command_usage(command,
                            "'%s': a world stands alone; behind the slash there is a set of boxes or edits, as in "
                            "terrain-l2/boxes-small. 'voxphys dataset list' shows them",
                            name);
}

static vp_status make_world(const vp_manifest *manifest, const char *name, vp_world **out, vp_error *error)
{
    char copy[80];
    snprintf(copy, sizeof copy, "%s", name);
    const vp_generate_progress progress = {copy, show_progress};
    return vp_dataset_world_watched(manifest, name, &progress, out, error);
}

/* Counts what a world is made of. */
static vp_status contents(const vp_world *world, json_t **out, vp_error *error)
{
    vp_broadphase *broadphase;
    vp_status status = vp_broadphase_create(&(vp_broadphase_def){.world = world}, &broadphase, error);
    if (status != VP_OK)
        return status;
    vp_broadphase_memory memory = vp_broadphase_memory_use(broadphase);
    vp_broadphase_destroy(broadphase);
    vp_dims s = vp_world_size(world);
    size_t voxels = (size_t)s.x * s.y * s.z, of[256] = {0};
    const uint8_t *material = vp_world_bricks(world).material;
    for (size_t i = 0; i < voxels; i++)
        of[material[i]]++;
    json_t *materials = json_object();
    for (int m = 0; m < 256; m++)
        if (of[m] != 0) {
            char key[8];
            snprintf(key, sizeof key, "%d", m);
            json_object_set_new(materials, key, json_integer((json_int_t)of[m]));
        }
    *out = json_pack("{s:I, s:I, s:I, s:o, s:i, s:i, s:i, s:i, s:I}", "air", (json_int_t)of[VP_AIR], "water",
                     (json_int_t)of[VP_WATER], "solid", (json_int_t)(voxels - of[VP_AIR] - of[VP_WATER]), "materials",
                     materials, "chunks_empty", (int)memory.chunks[VP_TAG_EMPTY], "chunks_full_solid",
                     (int)memory.chunks[VP_TAG_FULL_SOLID], "chunks_full_water",
                     (int)memory.chunks[VP_TAG_FULL_WATER], "chunks_mixed", (int)memory.chunks[VP_TAG_MIXED],
                     "broadphase_mask_bytes", (json_int_t)memory.mask_bytes);
    return VP_OK;
}

static json_t *world_hashes(const vp_manifest *manifest, const vp_dataset *d)
{
    json_t *hashes = json_object();
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *world = vp_manifest_entry(manifest, i);
        char name[160];
        uint64_t hash;
        snprintf(name, sizeof name, "%s/%s", world->name, d->name);
        if (vp_manifest_hash(manifest, name, &hash))
            json_object_set_new(hashes, world->name, hash_json(hash));
    }
    return hashes;
}

/* Members of an object, one a line. */
static void print_members(json_t *object, const char *indent)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const json_t *value = json_object_iter_value(at);
        char *text = json_is_string(value)
                         ? NULL
                         : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9) |
                                                 (json_is_object(value) ? JSON_INDENT(2) : JSON_COMPACT));
        printf("%s%s: %s\n", indent, json_object_iter_key(at), text != NULL ? text : json_string_value(value));
        free(text);
    }
}

static int info(int argc, char **argv)
{
    const char *json = NULL, *count_option = NULL;
    const vp_option options[] = {
        {"--count", NULL, "also make the world and count voxels and chunks by kind", &count_option},
        {"--json", NULL, "print JSON", &json},
    };
    const vp_usage usage = {"dataset info", "NAME [OPTION...]",
                            "Shows what the manifest says of a data set.\n"
                            "The hash is the XXH3-64 of the decoded content.",
                            options, 2, 1, 1};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    vp_manifest *manifest;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK)
        return vp_command_fail("dataset info", &error);
    const char *slash = strchr(argv[1], '/');
    const vp_dataset *d = vp_manifest_find(manifest, slash != NULL ? slash + 1 : argv[1]);
    const vp_entry *entry;
    if (d == NULL || (slash != NULL && vp_manifest_entry_on(manifest, argv[1], d->kind, &entry, &error) != VP_OK)) {
        if (d == NULL)
            fprintf(stderr, "voxphys dataset info: the manifest has no data set \"%s\"\n", argv[1]);
        else
            vp_command_fail("dataset info", &error);
        vp_manifest_close(manifest);
        return VP_EXIT_USAGE;
    }
    code = VP_EXIT_DONE;
    if (slash != NULL && d->kind == VP_DATASET_WORLD)
        code = refuse_world_on_world("dataset info", argv[1]);
    else if (count_option != NULL && d->kind != VP_DATASET_WORLD)
        code = vp_command_usage("dataset info", "option '--count' is for worlds; '%s' is of kind %s", argv[1],
                                kind_name(d->kind));
    if (code != VP_EXIT_DONE) {
        vp_manifest_close(manifest);
        return code;
    }
    json_t *o = entry_json(manifest, d);
    if (d->kind != VP_DATASET_WORLD)
        json_object_set_new(o, "hashes", world_hashes(manifest, d));
    vp_status status = VP_OK;
    if (count_option != NULL) {
        vp_world *world = NULL;
        json_t *counted = NULL;
        status = make_world(manifest, d->name, &world, &error);
        if (status == VP_OK)
            status = contents(world, &counted, &error);
        json_object_set_new(o, "contents", counted);
        vp_world_destroy(world);
    }
    vp_manifest_close(manifest);
    if (status != VP_OK) {
        json_decref(o);
        return vp_dataset_fail("dataset info", &error);
    }
    if (json != NULL)
        return vp_print_json(o);
    print_members(o, "");
    json_decref(o);
    return VP_EXIT_DONE;
}

/* ---- make ---- */

int vp_dataset_fail(const char *command, const vp_error *error)
{
    int code = vp_command_fail(command, error);
    return error->status == VP_E_FORMAT ? VP_EXIT_FAILED : code; /* data that is not what it should be */
}

static void print_vec3(FILE *to, const char *name, vp_vec3 v)
{
    fprintf(to, "\"%s\": [\"%a\", \"%a\", \"%a\"]", name, (double)v.x, (double)v.y, (double)v.z);
}

static void print_ivec3(FILE *to, const char *name, vp_ivec3 v)
{
    fprintf(to, "\"%s\": [%d, %d, %d]", name, v.x, v.y, v.z);
}

static void print_boxes(FILE *to, const vp_box_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        fputc('{', to);
        print_vec3(to, "min", set->box[i].min);
        fputs(", ", to);
        print_vec3(to, "max", set->box[i].max);
        fputs("}\n", to);
    }
}

static void print_edits(FILE *to, const vp_edit_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_edit *e = &set->edit[i];
        static const char *const shapes[] = {"voxel", "box", "sphere"};
        fprintf(to, "{\"shape\": \"%s\", ", shapes[e->shape]);
        if (e->shape == VP_EDIT_VOXEL) {
            print_ivec3(to, "at", e->low);
        } else if (e->shape == VP_EDIT_BOX) {
            print_ivec3(to, "low", e->low);
            fputs(", ", to);
            print_ivec3(to, "high", e->high);
        } else {
            print_vec3(to, "centre", e->centre);
            fprintf(to, ", \"radius\": \"%a\"", (double)e->radius);
        }
        fprintf(to, ", \"material\": %d, \"occupancy\": %d}\n", e->voxel.material, e->voxel.occupancy);
    }
}

/* Puts text into a file as a whole, or on standard output for "-". */
static vp_status put_text(const char *path, const char *text, size_t size, vp_error *error)
{
    if (strcmp(path, "-") != 0)
        return vp_file_replace(path, (const uint8_t *)text, size, error);
    fwrite(text, 1, size, stdout); /* `main` tells if it did not arrive */
    return VP_OK;
}

/* Boxes or edits, as JSON lines. */
static vp_status put_lines(const char *path, const vp_box_set *boxes, const vp_edit_set *edits, vp_error *error)
{
    char *text = NULL;
    size_t size = 0;
    vp_status status;
    FILE *memory = open_memstream(&text, &size);
    if (memory != NULL) {
        print_boxes(memory, boxes);
        print_edits(memory, edits);
    }
    if (memory == NULL || fclose(memory) != 0)
        status = vp_fail(error, VP_E_MEMORY, "no memory for the text");
    else
        status = put_text(path, text, size, error);
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
    status = make_world(manifest, world_name, &world, error);
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

static vp_status make_file(const vp_manifest *manifest, const vp_dataset *d, const char *path, uint64_t *hash,
                           vp_error *error)
{
    vp_world *world = NULL;
    char note[2048];
    snprintf(note, sizeof note, "%s: %s\ngenerator: %s\nparameters: %s\nseed: %" PRIu64 "\nlicence: %s\n", d->name,
             d->description, d->generator, d->params, d->seed, d->licence);
    vp_status status = make_world(manifest, d->name, &world, error);
    if (status == VP_OK)
        status = vp_world_save(world, note, path, error);
    if (status == VP_OK)
        *hash = vp_world_hash(world);
    vp_world_destroy(world);
    return status;
}

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

/* A path may not be what is read here: the manifest, or the file that the set or its world comes from. */
static vp_status check_out(const vp_manifest *manifest, const char *name, const char *path, vp_error *error)
{
    char world[80];
    snprintf(world, sizeof world, "%.*s", (int)strcspn(name, "/"), name);
    const vp_dataset *d = vp_manifest_find(manifest, world);
    const char *const files[] = {"manifest.json", d != NULL ? d->source : ""};
    vp_status status = VP_OK;
    for (int i = 0; i < 2 && status == VP_OK; i++) {
        size_t bytes = strlen(vp_manifest_folder(manifest)) + strlen(files[i]) + 2;
        char *file = malloc(bytes);
        if (file == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
        snprintf(file, bytes, "%s/%s", vp_manifest_folder(manifest), files[i]);
        if (vp_same_file(file, path))
            status = vp_fail(error, VP_E_ARGUMENT, "FILE '%s' is the file that is read", vp_show_path(path).text);
        free(file);
    }
    return status;
}

static int make(int argc, char **argv)
{
    const char *json = NULL, *out = NULL, *seed_text = NULL;
    const vp_option options[] = {
        {"-o", "FILE", "where to write; default: NAME.vpw or WORLD-SET.jsonl in this folder", &out},
        {"--seed", "N", "of fuzz-<n>, as for 'voxphys verify' (1)", &seed_text},
        {"--json", NULL, "print what was written as JSON", &json},
    };
    const vp_usage usage = {"dataset make", "NAME [OPTION...]",
                            "Makes a data set, checks its hash, and writes it: a world as a .vpw file;\n"
                            "boxes and edits, named WORLD/SET, as JSON lines with exact hexadecimal\n"
                            "floats (-o - for standard output). fuzz-<n> and fuzz-<n>/boxes are what\n"
                            "'voxphys verify' makes of that name and seed; the manifest has no hash of them.",
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
    char default_path[160];
    snprintf(default_path, sizeof default_path, "%.140s.%s", name, is_world ? "vpw" : "jsonl");
    for (char *c = default_path; *c != '\0'; c++)
        if (*c == '/')
            *c = '-';
    const char *path = out != NULL ? out : default_path;
    uint64_t hash = 0, expected;
    vp_status status = VP_OK;
    if (d == NULL && !fuzz) {
        vp_world *none;
        status = vp_dataset_world(manifest, name, &none, &error); /* fails, with the message */
    } else if (slash != NULL && !fuzz && d->kind == VP_DATASET_WORLD) {
        const vp_entry *entry;
        code = vp_manifest_entry_on(manifest, name, d->kind, &entry, &error) != VP_OK /* no such world */
                   ? vp_command_fail("dataset make", &error)
                   : refuse_world_on_world("dataset make", name);
        vp_manifest_close(manifest);
        return code;
    } else if (is_world && strcmp(path, "-") == 0) {
        vp_manifest_close(manifest);
        return vp_command_usage("dataset make", "a world is not written to standard output; give -o FILE");
    } else if ((status = check_out(manifest, name, path, &error)) == VP_OK) {
        status = fuzz       ? make_fuzz(manifest, name, seed, path, &hash, &error)
                 : is_world ? make_file(manifest, d, path, &hash, &error)
                            : make_lines(manifest, name, d->kind, path, &hash, &error);
    }
    bool checked = vp_manifest_hash(manifest, name, &expected);
    vp_manifest_close(manifest);
    if (status != VP_OK)
        return vp_dataset_fail("dataset make", &error);
    if (json != NULL)
        return vp_print_json(json_pack("{s:s, s:o, s:o, s:b}", "name", name, "file", vp_json_name(path), "hash",
                                       hash_json(hash), "checked", checked));
    if (fflush(stdout) != 0 || ferror(stdout))
        return VP_EXIT_FAILED; /* `main` tells */
    fprintf(strcmp(path, "-") == 0 ? stderr : stdout, "%s: %s, XXH3-64 %016" PRIx64 ", %s\n", path, name, hash,
            checked ? "as in the manifest" : "for which the manifest has no hash");
    return VP_EXIT_DONE;
}

/* ---- the subcommands ---- */

static const char help[] =
    "Usage: voxphys dataset COMMAND [ARGUMENT...]\n\n"
    "  list                   the data sets that there are\n"
    "  info NAME              what is known of one\n"
    "  make NAME [-o FILE]    make one, check its hash, and write it to a file\n"
    "  import FILE -o OUT     turn a file of another program into a world file\n\n"
    "'voxphys dataset COMMAND --help' says more about one. The data sets are in the folder that\n"
    "the environment variable VOXPHYS_DATA names; without it, in the first of these that has a\n"
    "manifest.json: the one installed together with the program, the source's, and the one that\n"
    "the build was configured to install to.\n";

int vp_command_dataset(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {{"list", list}, {"info", info}, {"make", make}, {"import", vp_dataset_import}};
    if (argc < 2) {
        fputs(help, stderr);
        return VP_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return VP_EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return vp_command_usage("dataset", "unknown command '%s'", argv[1]);
}
