/* SPDX-License-Identifier: MIT */
#include "tools/sources/block_source.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/import.h>

#include "datasets/block_sets.h"
#include "datasets/kinds/kind.h"
#include "datasets/manifest_data.h"
#include "host/program.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "tools/sources/materials.h"

static const char *const usual_names[] = {"nothing", "grass", "dirt", "water", "stone", "mossy_stone", "sand", "glass", "steel", "planks"};

/* ---- names ---- */

static void look_of(vp_look *look, const char *name, uint32_t colour)
{
    snprintf(look->name, sizeof look->name, "%s", name);
    look->colour[0] = (uint8_t)(colour >> 16);
    look->colour[1] = (uint8_t)(colour >> 8);
    look->colour[2] = (uint8_t)colour;
}

/* Looks from the names of the world's table, or from those of the default table. */
static void looks_of_types(vp_block_source_world *w)
{
    uint32_t count, usual_count;
    const vp_block_type *type = vp_blocks_types(w->blocks, &count), *usual = vp_block_types_default(&usual_count);
    const bool is_usual = count == usual_count && memcmp(type, usual, count * sizeof *type) == 0;
    for (uint32_t i = 0; i < count && i < 256; i++) {
        char name[24];
        snprintf(name, sizeof name, "type-%u", i);
        look_of(&w->looks.of[i], is_usual ? usual_names[i] : i == 0 ? "nothing" : name, type[i].colour);
    }
}

/* ---- worlds of voxels ---- */

/* Makes a type of each material with the same number. Water becomes a fluid. Materials named glass become transparent. */
static vp_status of_voxels(vp_block_source_world *w, const vp_world *world, const char *note, vp_error *error)
{
    vp_block_type type[256] = {{0, 0}};
    vp_looks_of(note, &w->looks);
    for (uint32_t i = 1; i < 256; i++) {
        const uint8_t *c = w->looks.of[i].colour;
        type[i].flags = i == VP_WATER ? VP_BLOCK_FLUID
                                      : VP_BLOCK_COLLIDES | (strstr(w->looks.of[i].name, "glass") != NULL ? 0u : (uint32_t)VP_BLOCK_OPAQUE);
        type[i].colour = (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
    }
    const vp_status status = vp_blocks_create(&(vp_blocks_def){.type = type, .type_count = 256}, &w->blocks, error);
    return status == VP_OK ? vp_blocks_put_world(w->blocks, world, vp_world_size(world), (vp_ivec3){0, 0, 0}, error) : status;
}

/* @param imported  by an importer, from another program's file */
static vp_status open_voxels(const char *command, bool imported, vp_block_source_world *w, vp_error *error)
{
    vp_world *world = NULL;
    vp_blob note = {0};
    vp_status status = imported ? vp_import_file(w->name, NULL, &world, &note, error)
                                : vp_world_open(command, w->name, &w->manifest, &world, &w->content, &note, error);
    if (status == VP_OK)
        status = of_voxels(w, world, (const char *)note.bytes, error);
    vp_blob_destroy(&note);
    vp_world_destroy(world);
    return status;
}

/* ---- folders ---- */

static vp_status read_type(const json_t *o, size_t i, const char *path, vp_block_type *type, vp_look *look, vp_error *error)
{
    static const char *const words[3] = {"collides", "opaque", "fluid"};
    const char *colour = json_string_value(json_object_get(o, "colour")), *name = json_string_value(json_object_get(o, "name"));
    const json_t *is = json_object_get(o, "is");
    char *end = NULL;
    if (colour == NULL || strlen(colour) != 7 || colour[0] != '#' || strspn(colour + 1, "0123456789abcdefABCDEF") != 6)
        return vp_fail(error, VP_E_FORMAT, "%s: type %zu: \"colour\" must be \"#rrggbb\"", vp_show_path(path).text, i);
    type->colour = (uint32_t)strtoul(colour + 1, &end, 16);
    for (size_t k = 0; k < json_array_size(is); k++) {
        const char *word = json_string_value(json_array_get(is, k));
        uint32_t b = 0;
        while (b < 3 && (word == NULL || strcmp(word, words[b]) != 0))
            b++;
        if (b == 3)
            return vp_fail(error, VP_E_FORMAT, "%s: type %zu: \"is\" has \"%.20s\": must be one of collides, opaque, fluid",
                           vp_show_path(path).text, i, word != NULL ? word : "?");
        type->flags |= 1u << b;
    }
    if (look != NULL && name != NULL && name[0] != '\0' &&
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.-") == strlen(name))
        look_of(look, name, type->colour);
    return VP_OK;
}

static vp_status read_table(vp_block_source_world *w, const json_t *root, const char *path, vp_error *error)
{
    const json_t *list = json_object_get(root, "types");
    const size_t count = json_array_size(list);
    vp_looks named = {0};
    if (count == 0 || count > VP_BLOCK_TYPES_MAX)
        return vp_fail(error, VP_E_FORMAT, "%s: \"types\" must be a list of 1 to %d", vp_show_path(path).text, VP_BLOCK_TYPES_MAX);
    vp_block_type *type = calloc(count, sizeof *type);
    vp_status status = type != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %zu types", count);
    for (size_t i = 0; i < count && status == VP_OK; i++)
        status = read_type(json_array_get(list, i), i, path, &type[i], i < 256 ? &named.of[i] : NULL, error);
    if (status == VP_OK)
        status = vp_blocks_create(&(vp_blocks_def){.type = type, .type_count = (uint32_t)count}, &w->blocks, error);
    free(type);
    if (status != VP_OK)
        return status;
    looks_of_types(w);
    for (size_t i = 0; i < count && i < 256; i++)
        if (named.of[i].name[0] != '\0')
            w->looks.of[i] = named.of[i];
    return VP_OK;
}

/* Reads the table of a folder, or uses the default one without types.json. */
static vp_status read_types(vp_block_source_world *w, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    char path[4400];
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_error_t why;
    snprintf(path, sizeof path, "%s/types.json", w->name);
    if (vp_file_is_missing(path)) {
        const vp_status status = vp_blocks_create(&(vp_blocks_def){.type = NULL}, &w->blocks, error);
        if (status == VP_OK)
            looks_of_types(w);
        return status;
    }
    vp_status status = vp_file_read(path, 1 << 24, &allocator, &bytes, &size, error);
    if (status != VP_OK)
        return status;
    json_t *root = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &why);
    status = root != NULL ? read_table(w, root, path, error)
                          : vp_fail(error, VP_E_FORMAT, "%s: line %d: %.80s", vp_show_path(path).text, why.line, why.text);
    json_decref(root);
    vp_release(&allocator, bytes, size, 1);
    return status;
}

static vp_status put(void *user, vp_ivec3 chunk, vp_block *cell, vp_error *error)
{
    return vp_blocks_set_chunk(user, chunk, &(vp_block_cells){cell, 2, 0}, error);
}

static vp_status open_folder(vp_block_source_world *w, vp_error *error)
{
    vp_block_folder folder;
    vp_block_store *store = NULL;
    vp_block *cell = malloc(VP_BLOCK_CELLS * sizeof *cell);
    vp_status status = vp_block_folder_look(w->name, &folder, error);
    if (status == VP_OK && cell == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for a chunk");
    if (status == VP_OK && folder.regions == 0)
        status = vp_fail(error, VP_E_ARGUMENT, "%s is a folder without region files, as 0.0.0.vpb", vp_show_path(w->name).text);
    if (status == VP_OK)
        status = read_types(w, error);
    if (status == VP_OK)
        status = vp_block_folder_open(w->name, &folder, NULL, &store, error);
    if (status == VP_OK) {
        status = vp_block_folder_each(&folder, store, cell, put, w->blocks, error);
        if (status == VP_E_FORMAT)
            vp_name_file(error, "", w->name);
    }
    free(cell);
    vp_block_store_destroy(store);
    vp_block_folder_drop(&folder);
    return status;
}

/* ---- data sets ---- */

static vp_status open_set(const char *command, vp_block_source_world *w, vp_error *error)
{
    const vp_data *data;
    vp_status status = vp_store_create(w->manifest, 0, &w->store, error);
    if (status == VP_OK)
        status = vp_store_open(w->store, &vp_kind_blocks, w->name, &data, error);
    if (status != VP_OK)
        return status;
    vp_block_set *set = vp_store_take(w->store, data);
    w->blocks = set->world;
    vp_blocks_release_box(set->world, &set->held);
    free(set);
    looks_of_types(w);
    w->content = vp_content_of(command, w->manifest, w->name);
    return VP_OK;
}

static vp_status open_any(const char *command, vp_block_source_world *w, vp_error *error)
{
    if (vp_is_folder(w->name))
        return open_folder(w, error);
    if (vp_ends(w->name, ".vox") || vp_ends(w->name, ".sqlite"))
        return open_voxels(command, true, w, error);
    if (vp_is_file_name(w->name, ".vpw"))
        return open_voxels(command, false, w, error);
    const vp_status status = vp_manifest_open(NULL, &w->manifest, error);
    if (status != VP_OK)
        return status;
    const vp_dataset *d = vp_manifest_find(w->manifest, w->name);
    if (d != NULL && d->kind == &vp_kind_blocks)
        return open_set(command, w, error);
    if (d != NULL && d->kind != &vp_kind_world)
        return vp_fail(error, VP_E_ARGUMENT, "data set \"%.60s\" is neither blocks nor a world of voxels", w->name);
    return open_voxels(command, false, w, error);
}

/* ---- opening ---- */

vp_status vp_block_source_list(vp_block_source_world *w, vp_error *error)
{
    free(w->chunk);
    w->chunks = vp_blocks_list_chunks(w->blocks, NULL, 0);
    w->chunk = calloc((size_t)w->chunks + 1, sizeof *w->chunk);
    if (w->chunk == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a list of %u chunks", w->chunks);
    vp_blocks_list_chunks(w->blocks, w->chunk, w->chunks);
    return VP_OK;
}

vp_status vp_block_source_open(const char *command, const char *name, vp_block_source_world *out, vp_error *error)
{
    *out = (vp_block_source_world){.name = name, .content = VP_CONTENT_OF_FILE};
    const vp_status status = open_any(command, out, error);
    if (status != VP_OK)
        return vp_explain_name(out->manifest, name, ".vpw, .vox or .sqlite", error);
    return vp_block_source_list(out, error);
}

vp_status vp_block_source_planet(const vp_block_planet_def *def, const vp_executor *executor, vp_block_source_world *out, vp_error *error)
{
    vp_block_planet planet;
    *out = (vp_block_source_world){.name = "planet", .content = VP_CONTENT_OF_FILE};
    vp_status status = vp_block_planet_init(def, &planet, error);
    if (status == VP_OK)
        status = vp_blocks_create(&(vp_blocks_def){.type = NULL}, &out->blocks, error);
    if (status == VP_OK)
        status = vp_blocks_fill(out->blocks, planet.low, (vp_dims){def->chunks, def->chunks, def->chunks}, vp_block_planet_fill, &planet,
                                executor, error);
    if (status != VP_OK)
        return status;
    looks_of_types(out);
    return vp_block_source_list(out, error);
}

vp_status vp_block_source_hold(const vp_block_source_world *w, vp_block_held *out, vp_error *error)
{
    if (w->chunks == 0)
        return vp_fail(error, VP_E_ARGUMENT, "%s has no chunks", vp_show_path(w->name).text);
    int64_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (uint32_t i = 0; i < w->chunks; i++) {
        const int32_t at[3] = {w->chunk[i].x, w->chunk[i].y, w->chunk[i].z};
        for (int a = 0; a < 3; a++) {
            low[a] = at[a] < low[a] ? at[a] : low[a];
            high[a] = at[a] > high[a] ? at[a] : high[a];
        }
    }
    const vp_dims size = {(uint32_t)(high[0] - low[0] + 1), (uint32_t)(high[1] - low[1] + 1), (uint32_t)(high[2] - low[2] + 1)};
    return vp_blocks_acquire_box(w->blocks, (vp_ivec3){(int32_t)low[0], (int32_t)low[1], (int32_t)low[2]}, size, out, error);
}

void vp_block_source_close(vp_block_source_world *w)
{
    free(w->chunk);
    vp_blocks_destroy(w->blocks);
    vp_store_destroy(w->store);
    vp_manifest_close(w->manifest);
    *w = (vp_block_source_world){.name = NULL};
}
