/* SPDX-License-Identifier: MIT */
/* Folders of region files: listing, and saving of worlds. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <voxphys/import.h>

#include "tools/sources/block_source.h"
#include "datasets/block_sets.h"
#include "datasets/kinds/kind.h"
#include "host/program.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "tools/sources/materials.h"

#ifdef VP_WITH_ZLIB
#include <zlib.h>
#endif

#include "host/bytes.h"

/* ---- the codec ---- */

#ifdef VP_WITH_ZLIB
static size_t zlib_encode(void *user, const uint8_t *raw, size_t bytes, uint8_t *out, size_t room)
{
    uLongf size = (uLongf)room;
    (void)user;
    return compress2(out, &size, raw, (uLong)bytes, 6) == Z_OK ? (size_t)size : 0;
}

static bool zlib_decode(void *user, const uint8_t *coded, size_t bytes, uint8_t *raw, size_t raw_bytes)
{
    uLongf size = (uLongf)raw_bytes;
    uLong read = (uLong)bytes;
    (void)user;
    return uncompress2(raw, &size, coded, &read) == Z_OK && size == raw_bytes && read == bytes;
}
#endif

bool vp_block_codec_named(const char *name, vp_block_codec *out)
{
    *out = (vp_block_codec){.name = "raw"};
    if (strcmp(name, "raw") == 0)
        return true;
#ifdef VP_WITH_ZLIB
    *out = (vp_block_codec){.name = "zlib", .encode = zlib_encode, .decode = zlib_decode};
    return strcmp(name, "zlib") == 0;
#else
    return false;
#endif
}

/* ---- listing ---- */

bool vp_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

int vp_by_place(const void *a, const void *b)
{
    const vp_ivec3 *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* Reads a store's file name such as "-1.0.2.vpb". @return false for other names */
static bool read_name(const char *name, vp_ivec3 *out)
{
    char again[64];
    int x, y, z;
    if (strlen(name) >= sizeof again || sscanf(name, "%d.%d.%d.vpb", &x, &y, &z) != 3)
        return false;
    snprintf(again, sizeof again, "%d.%d.%d.vpb", x, y, z);
    *out = (vp_ivec3){x, y, z};
    return strcmp(again, name) == 0;
}

static vp_status look_at(const char *path, const char *name, vp_block_folder *f, vp_error *error)
{
    uint8_t head[32];
    size_t got = 0;
    uint64_t bytes = 0;
    char file[4400];
    snprintf(file, sizeof file, "%s/%s", path, name);
    vp_status status = vp_file_size(file, &bytes, error);
    if (status == VP_OK && f->codec[0] == '\0') {
        status = vp_file_read_start(file, head, sizeof head, &got, error);
        if (status == VP_OK && got < sizeof head)
            return vp_fail(error, VP_E_FORMAT, "%s: %zu bytes are too few for a region file", vp_show_path(file).text, got);
        memcpy(f->codec, head + 24, VP_CODEC_NAME_BYTES);
    }
    f->bytes += bytes;
    return status;
}

vp_status vp_block_folder_look(const char *path, vp_block_folder *out, vp_error *error)
{
    size_t room = 0;
    vp_status status = VP_OK;
    *out = (vp_block_folder){0};
    if (strlen(path) > 4000)
        return vp_fail(error, VP_E_ARGUMENT, "%s: the folder's name has %zu bytes; must be at most 4000", vp_show_path(path).text,
                       strlen(path));
    DIR *folder = opendir(path);
    if (folder == NULL)
        return vp_fail(error, VP_E_IO, "%s: %s", vp_show_path(path).text, strerror(errno));
    for (struct dirent *e = readdir(folder); e != NULL && status == VP_OK; e = readdir(folder)) {
        vp_ivec3 region;
        if (!read_name(e->d_name, &region))
            continue;
        status = vp_grow_array(&out->region, &room, (size_t)out->regions + 1, sizeof region, "regions", error);
        const int32_t most = VP_BLOCKS_REACH / 8;
        if (region.x < -most || region.x >= most || region.y < -most || region.y >= most || region.z < -most || region.z >= most)
            status = vp_fail(error, VP_E_FORMAT, "%s: %s is a region beyond %d on an axis", vp_show_path(path).text, e->d_name, most);
        if (status == VP_OK)
            status = look_at(path, e->d_name, out, error);
        if (status == VP_OK)
            out->region[out->regions++] = region;
    }
    closedir(folder);
    if (out->regions > 0)
        qsort(out->region, out->regions, sizeof *out->region, vp_by_place);
    return status;
}

void vp_block_folder_drop(vp_block_folder *folder)
{
    free(folder->region);
    *folder = (vp_block_folder){0};
}

/* Opens the store of a listed folder. @param codec  NULL = that of its files @return VP_E_FORMAT, VP_E_ARGUMENT for an unknown one */
static vp_status block_folder_open(const char *path, const vp_block_folder *folder, const char *codec, vp_block_store **out,
                                   vp_error *error)
{
    vp_block_codec c;
    const char *name = codec != NULL ? codec : folder->codec[0] != '\0' ? folder->codec : "raw";
    if (!vp_block_codec_named(name, &c)) {
        char shown[64];
        vp_escape(name, shown, sizeof shown);
        return vp_fail(error, codec != NULL ? VP_E_ARGUMENT : VP_E_FORMAT, "%s: codec '%s': this program has raw%s",
                       vp_show_path(path).text, shown,
#ifdef VP_WITH_ZLIB
                       " and zlib"
#else
                       ""
#endif
        );
    }
    return vp_block_store_create(&(vp_block_store_def){.folder = path, .codec = &c}, out, error);
}

static vp_status block_folder_each(const vp_block_folder *folder, vp_block_store *store, vp_block *cell, vp_block_found_fn *found,
                                   void *user, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t r = 0; r < folder->regions && status == VP_OK; r++) {
        const vp_ivec3 at = folder->region[r];
        vp_progress("regions", r, folder->regions);
        for (int32_t i = 0; i < VP_REGION_CHUNKS && status == VP_OK; i++) {
            const vp_ivec3 chunk = {at.x * 8 + i % 8, at.y * 8 + i / 64, at.z * 8 + i / 8 % 8};
            bool is = false;
            status = vp_block_store_load(store, chunk, cell, &is, error);
            if (status == VP_E_ARGUMENT) { /* the file belongs to another region */
                char name[64];
                snprintf(name, sizeof name, "%d.%d.%d.vpb", (int)at.x, (int)at.y, (int)at.z);
                vp_name_file(error, "", name);
            }
            if (status == VP_OK && is)
                status = found(user, chunk, cell, error);
        }
    }
    vp_progress("", 1, 1);
    return status;
}

/* ---- saving ---- */

static vp_status make_folder(const char *path, vp_error *error)
{
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && vp_is_folder(path)))
        return VP_OK;
    return vp_fail(error, VP_E_IO, "%s: %s", vp_show_path(path).text,
                   errno == EEXIST ? "a file of that name exists, and no folder" : strerror(errno));
}

static vp_status write_types(const vp_block_source_world *world, const char *path, vp_error *error)
{
    static const char *const words[3] = {"collides", "opaque", "fluid"};
    vp_bytes w = {0};
    char file[4400];
    uint32_t count;
    const vp_block_type *type = vp_blocks_types(world->blocks, &count);
    vp_bytes_print(&w, "{\"types\": [\n");
    for (uint32_t i = 0; i < count; i++) {
        const vp_block_name name = vp_block_type_name(world, (vp_block)i);
        vp_bytes_print(&w, "{\"name\": \"%s\", \"colour\": \"#%06x\", \"is\": [", name.text, type[i].colour);
        for (uint32_t b = 0, some = 0; b < 3; b++)
            if ((type[i].flags >> b & 1u) != 0)
                vp_bytes_print(&w, "%s\"%s\"", some++ > 0 ? ", " : "", words[b]);
        vp_bytes_print(&w, i + 1 < count ? "]},\n" : "]}\n");
    }
    vp_bytes_print(&w, "]}\n");
    snprintf(file, sizeof file, "%s/types.json", path);
    return vp_bytes_save(&w, file, error);
}

/* Saves the chunks of a list, in which chunks of a region are consecutive, region by region. */
static vp_status save_list(vp_block_source_world *world, vp_block_store *store, const vp_ivec3 *chunk, uint32_t count, vp_error *error)
{
    vp_block_saved saved[VP_REGION_CHUNKS];
    vp_block_snapshot *taken = calloc(VP_REGION_CHUNKS, sizeof *taken);
    vp_status status = taken != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a region");
    for (uint32_t i = 0, n; i < count && status == VP_OK; i += n) {
        const vp_ivec3 region = vp_block_region_of(chunk[i]);
        for (n = 0; i + n < count; n++) {
            const vp_ivec3 other = vp_block_region_of(chunk[i + n]);
            if (vp_by_place(&region, &other) != 0)
                break;
            vp_blocks_acquire(world->blocks, chunk[i + n], &taken[n]);
            saved[n] = (vp_block_saved){chunk[i + n], taken[n].cells};
        }
        vp_progress("chunks", i, count);
        status = vp_block_store_save(store, saved, n, error);
        for (uint32_t k = 0; k < n; k++)
            vp_blocks_release(world->blocks, &taken[k]);
    }
    vp_progress("", 1, 1);
    free(taken);
    return status;
}

/* The chunks of a world, and further chunks of the folder. */
typedef struct chunk_list {
    vp_ivec3 *chunk;
    uint32_t count;
    size_t room;
} chunk_list;

static vp_status add_chunk(void *user, vp_ivec3 chunk, vp_block *cell, vp_error *error)
{
    chunk_list *l = user;
    (void)cell;
    VP_RETURN_IF_FAILED(vp_grow_array(&l->chunk, &l->room, (size_t)l->count + 1, sizeof chunk, "chunks", error));
    l->chunk[l->count++] = chunk;
    return VP_OK;
}

static int by_region_of(const void *a, const void *b)
{
    const vp_ivec3 p = vp_block_region_of(*(const vp_ivec3 *)a), q = vp_block_region_of(*(const vp_ivec3 *)b);
    const int first = vp_by_place(&p, &q);
    return first != 0 ? first : vp_by_place(a, b);
}

static vp_status list_all(const vp_block_source_world *world, const vp_block_folder *folder, vp_block_store *store, chunk_list *l,
                          vp_error *error)
{
    vp_block *cell = malloc(VP_BLOCK_CELLS * sizeof *cell);
    vp_status status = cell != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a chunk");
    for (uint32_t i = 0; i < world->chunks && status == VP_OK; i++)
        status = add_chunk(l, world->chunk[i], NULL, error);
    if (status == VP_OK)
        status = block_folder_each(folder, store, cell, add_chunk, l, error);
    free(cell);
    uint32_t kept = 0;
    if (l->count > 0)
        qsort(l->chunk, l->count, sizeof *l->chunk, by_region_of);
    for (uint32_t i = 0; i < l->count; i++)
        if (kept == 0 || vp_by_place(&l->chunk[kept - 1], &l->chunk[i]) != 0)
            l->chunk[kept++] = l->chunk[i];
    l->count = kept;
    return status;
}

vp_status vp_block_folder_save(vp_block_source_world *world, const char *path, const char *codec, vp_error *error)
{
    vp_block_folder folder;
    vp_block_store *store = NULL;
    chunk_list all = {0};
    VP_RETURN_IF_FAILED(make_folder(path, error));
    vp_status status = vp_block_folder_look(path, &folder, error);
    if (status == VP_OK)
        status = block_folder_open(path, &folder, codec, &store, error);
    if (status == VP_OK)
        status = list_all(world, &folder, store, &all, error);
    if (status == VP_OK)
        status = write_types(world, path, error);
    if (status == VP_OK)
        status = save_list(world, store, all.chunk, all.count, error);
    free(all.chunk);
    vp_block_store_destroy(store);
    vp_block_folder_drop(&folder);
    return status;
}

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
    VP_RETURN_IF_FAILED(vp_blocks_create(&(vp_blocks_def){.type = type, .type_count = 256}, &w->blocks, error));
    return vp_blocks_put_world(w->blocks, world, vp_world_size(world), (vp_ivec3){0, 0, 0}, error);
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
        VP_RETURN_IF_FAILED(vp_blocks_create(&(vp_blocks_def){.type = NULL}, &w->blocks, error));
        looks_of_types(w);
        return VP_OK;
    }
    VP_RETURN_IF_FAILED(vp_file_read(path, 1 << 24, &allocator, &bytes, &size, error));
    json_t *root = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &why);
    vp_status status = root != NULL ? read_table(w, root, path, error)
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
        status = block_folder_open(w->name, &folder, NULL, &store, error);
    if (status == VP_OK) {
        status = block_folder_each(&folder, store, cell, put, w->blocks, error);
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
    VP_RETURN_IF_FAILED(vp_store_create(w->manifest, 0, &w->store, error));
    VP_RETURN_IF_FAILED(vp_store_open(w->store, &vp_kind_blocks, w->name, &data, error));
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
    VP_RETURN_IF_FAILED(vp_manifest_open(NULL, &w->manifest, error));
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
    VP_RETURN_IF_FAILED(vp_block_planet_init(def, &planet, error));
    VP_RETURN_IF_FAILED(vp_blocks_create(&(vp_blocks_def){.type = NULL}, &out->blocks, error));
    VP_RETURN_IF_FAILED(vp_blocks_fill(out->blocks, planet.low, (vp_dims){def->chunks, def->chunks, def->chunks}, vp_block_planet_fill,
                                       &planet, executor, error));
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
