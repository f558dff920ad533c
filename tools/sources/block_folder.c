/* SPDX-License-Identifier: MIT */
/* Folders of region files: listing, and saving of worlds. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef VP_WITH_ZLIB
#include <zlib.h>
#endif

#include "host/program.h"
#include "host/bytes.h"
#include "src/core/file.h"
#include "tools/sources/block_folder.h"

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

vp_status vp_block_folder_open(const char *path, const vp_block_folder *folder, const char *codec, vp_block_store **out, vp_error *error)
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

vp_status vp_block_folder_each(const vp_block_folder *folder, vp_block_store *store, vp_block *cell, vp_block_found_fn *found, void *user,
                               vp_error *error)
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
    const vp_status status = vp_grow_array(&l->chunk, &l->room, (size_t)l->count + 1, sizeof chunk, "chunks", error);
    if (status == VP_OK)
        l->chunk[l->count++] = chunk;
    return status;
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
        status = vp_block_folder_each(folder, store, cell, add_chunk, l, error);
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
    vp_status status = make_folder(path, error);
    if (status != VP_OK)
        return status;
    status = vp_block_folder_look(path, &folder, error);
    if (status == VP_OK)
        status = vp_block_folder_open(path, &folder, codec, &store, error);
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
