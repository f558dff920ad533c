/* SPDX-License-Identifier: MIT */
/* Reads a region of a Luanti (Minetest) map. map.sqlite holds compressed blocks of 16^3 nodes, with keys made of their
   coordinates. The first pass over the blocks collects the names of nodes, so that materials are numbered in the order
   of names. The second pass writes. */
#include "import/luanti_block.h"
#include "import/luanti_map.h"
#include "import/luanti_names.h"

#include "import/def.h"
#include "import/grow.h"
#include "import/text.h"
#include "src/core/file.h"

#ifdef VP_WITH_SQLITE

enum {
    LOWEST = VP_LUANTI_LOWEST * VP_LUANTI_EDGE, /* the range of nodes in a map's keys */
    HIGHEST = VP_LUANTI_HIGHEST * VP_LUANTI_EDGE + VP_LUANTI_EDGE - 1,
    KINDS_MAX = 65536, /* distinct node names in a region */
    LAST_MATERIAL = 255,
    /* Bounds the work of maps made to run forever. A block's bytes, stored and unpacked, are 10 to 30 thousand if it
       has little metadata. Bytes beyond BLOCK_SHARE per block are summed up and bounded. */
    BLOCK_SHARE = 64 << 10,
    EXCESS_LIMIT = 256 << 20,
    NOTE_BYTES = 1000000 /* names beyond it are left out, because the note of a world file is below 1 MiB */
};

/* A node name in the region. */
typedef struct node_kind {
    char name[VP_LUANTI_NAME_BYTES];
    uint64_t count; /* nodes in the region */
    uint64_t left;  /* nodes that the second pass has not met yet */
    uint8_t material;
} node_kind;

typedef struct luanti_reader {
    vp_allocator allocator;
    vp_luanti_map map;
    vp_ivec3 low; /* the region, in nodes */
    vp_dims size;
    node_kind *kinds;
    uint32_t *by_name; /* kinds in ascending order of names. Numbers are moved on insertion, because they are smaller */
    size_t kind_count, kind_room, name_room;
    uint64_t blocks, blocks_stored;
    uint64_t excess;                   /* bytes beyond BLOCK_SHARE per block, in this pass */
    vp_luanti_block block;             /* the current one */
    uint32_t count[VP_LUANTI_NODES];   /* nodes in the region, for each name of the current block */
    uint8_t material[VP_LUANTI_NODES]; /* material of each name that has nodes */
    vp_world *world;                   /* NULL in the first pass */
    vp_error *error;
} luanti_reader;

static int64_t block_of(int64_t node)
{
    return node >= 0 ? node / VP_LUANTI_EDGE : (node - VP_LUANTI_EDGE + 1) / VP_LUANTI_EDGE;
}

/* ---- the region ---- */

static vp_status choose_region(luanti_reader *r, const vp_import_def *def)
{
    r->low = def->luanti_low;
    r->size = def->luanti_size;
    if (r->size.x == 0 && r->size.y == 0 && r->size.z == 0) {
        int64_t b[6] = {0};
        bool found = false;
        VP_RETURN_IF_FAILED(vp_luanti_map_bounds(&r->map, b, &found));
        if (!found)
            return vp_fail(r->error, VP_E_FORMAT, "the map has no blocks");
        r->low = (vp_ivec3){(int32_t)b[0] * 16, (int32_t)b[1] * 16, (int32_t)b[2] * 16};
        r->size = (vp_dims){(uint32_t)(b[3] - b[0] + 1) * 16, (uint32_t)(b[4] - b[1] + 1) * 16, (uint32_t)(b[5] - b[2] + 1) * 16};
    }
    const int32_t low[3] = {r->low.x, r->low.y, r->low.z};
    const uint32_t size[3] = {r->size.x, r->size.y, r->size.z};
    for (int i = 0; i < 3; i++) {
        uint32_t limit = i == 1 ? VP_WORLD_MAX_Y : VP_WORLD_MAX_XZ;
        if (size[i] == 0 || size[i] > limit)
            return vp_fail(r->error, VP_E_ARGUMENT, "a region of %u nodes along %c, from %d; 1 to %u can be: name a smaller region",
                           size[i], "xyz"[i], low[i], limit);
        if (low[i] < LOWEST || (int64_t)low[i] + size[i] - 1 > HIGHEST)
            return vp_fail(r->error, VP_E_ARGUMENT, "a region from %d of %u nodes along %c; a map goes from %d to %d", low[i], size[i],
                           "xyz"[i], LOWEST, HIGHEST);
    }
    return VP_OK;
}

/* ---- kinds of nodes ---- */

/* The index of a name in by_name, or the index where it belongs. */
static size_t find_kind(const luanti_reader *r, const char *name, bool *there)
{
    size_t low = 0, high = r->kind_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(r->kinds[r->by_name[middle]].name, name);
        if (order == 0) {
            *there = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there = false;
    return low;
}

static vp_status count_kind(luanti_reader *r, const char *name, uint64_t count)
{
    bool there;
    size_t at = find_kind(r, name, &there);
    if (!there) {
        if (r->kind_count == KINDS_MAX)
            return vp_fail(r->error, VP_E_FORMAT, "more than %d node names in the region", KINDS_MAX);
        node_kind *kinds = vp_import_grow(&r->allocator, r->kinds, r->kind_count + 1, &r->kind_room, sizeof *kinds);
        r->kinds = kinds != NULL ? kinds : r->kinds;
        uint32_t *by_name = vp_import_grow(&r->allocator, r->by_name, r->kind_count + 1, &r->name_room, sizeof *by_name);
        r->by_name = by_name != NULL ? by_name : r->by_name;
        if (kinds == NULL || by_name == NULL)
            return vp_fail(r->error, VP_E_MEMORY, "no memory for %zu node names", r->kind_count + 1);
        memmove(r->by_name + at + 1, r->by_name + at, (r->kind_count - at) * sizeof *r->by_name);
        r->by_name[at] = (uint32_t)r->kind_count;
        r->kinds[r->kind_count] = (node_kind){.count = 0};
        memcpy(r->kinds[r->kind_count++].name, name, strlen(name) + 1);
    }
    r->kinds[r->by_name[at]].count += count;
    return VP_OK;
}

static void number_kinds(luanti_reader *r)
{
    unsigned next = VP_FIRST_SOLID;
    for (size_t i = 0; i < r->kind_count; i++) {
        node_kind *k = &r->kinds[r->by_name[i]];
        k->left = k->count;
        k->material = vp_luanti_class(k->name);
        if (k->material == VP_FIRST_SOLID) {
            k->material = (uint8_t)next;
            next += next < LAST_MATERIAL ? 1 : 0;
        }
    }
}

/* ---- blocks ---- */

/* Part of a block in the region, on one axis. Its nodes are begin <= i < end. */
typedef struct node_range {
    int begin, end;
} node_range;

static node_range part_of(int64_t block, int32_t low, uint32_t size)
{
    int64_t first = (int64_t)low - block * VP_LUANTI_EDGE, end = first + size;
    return (node_range){first > 0 ? (int)first : 0, end < VP_LUANTI_EDGE ? (int)end : VP_LUANTI_EDGE};
}

static void count_nodes(luanti_reader *r, node_range x, node_range y, node_range z)
{
    memset(r->count, 0, sizeof r->count);
    for (int k = z.begin; k < z.end; k++)
        for (int j = y.begin; j < y.end; j++)
            for (int i = x.begin; i < x.end; i++)
                r->count[r->block.node[(k * 16 + j) * 16 + i]]++;
}

static vp_status count_block(luanti_reader *r)
{
    for (uint32_t n = 0; n < r->block.name_count; n++)
        if (r->count[n] != 0)
            VP_RETURN_IF_FAILED(count_kind(r, r->block.name[n].name, r->count[n]));
    return VP_OK;
}

/* Reports a changed file. The transaction excludes writes through sqlite, but not other ones. */
static vp_status changed(const luanti_reader *r, const char *name)
{
    return vp_fail(r->error, VP_E_FORMAT,
                   "the map changed while it was read: the nodes named %.60s are not as many as "
                   "before",
                   name);
}

static vp_status write_block(luanti_reader *r, vp_ivec3 block, node_range x, node_range y, node_range z)
{
    for (uint32_t n = 0; n < r->block.name_count; n++) {
        if (r->count[n] == 0)
            continue;
        bool there;
        size_t at = find_kind(r, r->block.name[n].name, &there);
        node_kind *k = there ? &r->kinds[r->by_name[at]] : NULL;
        if (k == NULL || k->left < r->count[n])
            return changed(r, r->block.name[n].name);
        k->left -= r->count[n];
        r->material[n] = k->material;
    }
    uint8_t rows[VP_LUANTI_NODES];
    size_t at = 0;
    for (int j = y.begin; j < y.end; j++)
        for (int k = z.begin; k < z.end; k++)
            for (int i = x.begin; i < x.end; i++)
                rows[at++] = r->material[r->block.node[(k * 16 + j) * 16 + i]];
    vp_ivec3 low = {block.x * 16 + x.begin - r->low.x, block.y * 16 + y.begin - r->low.y, block.z * 16 + z.begin - r->low.z};
    vp_dims size = {(uint32_t)(x.end - x.begin), (uint32_t)(y.end - y.begin), (uint32_t)(z.end - z.begin)};
    return vp_world_write_rows(r->world, low, size, rows, NULL, NULL, r->error);
}

/* Reads a block if it is stored, and counts or writes its nodes. */
static vp_status visit_block(luanti_reader *r, vp_ivec3 b)
{
    const void *bytes = NULL;
    size_t size = 0;
    bool stored = false;
    VP_RETURN_IF_FAILED(vp_luanti_map_block(&r->map, b, &stored, &bytes, &size));
    if (!stored)
        return VP_OK;
    vp_error cause;
    vp_status status = vp_luanti_block_decode(bytes, size, &r->allocator, &r->block, &cause);
    if (status != VP_OK)
        return vp_fail(r->error, status, "map block (%d, %d, %d): %.200s", b.x, b.y, b.z, cause.message);
    size += r->block.unpacked;
    r->excess += size > BLOCK_SHARE ? size - BLOCK_SHARE : 0;
    if (r->excess > EXCESS_LIMIT) {
        vp_luanti_block_destroy(&r->block);
        return vp_fail(r->error, VP_E_FORMAT,
                       "map block (%d, %d, %d): beyond %d bytes each, the blocks up to here have %llu; at most %d are "
                       "read",
                       b.x, b.y, b.z, BLOCK_SHARE, (unsigned long long)r->excess, EXCESS_LIMIT);
    }
    node_range x = part_of(b.x, r->low.x, r->size.x);
    node_range y = part_of(b.y, r->low.y, r->size.y);
    node_range z = part_of(b.z, r->low.z, r->size.z);
    count_nodes(r, x, y, z);
    status = r->world == NULL ? count_block(r) : write_block(r, b, x, y, z);
    vp_luanti_block_destroy(&r->block);
    r->blocks_stored++;
    return status == VP_OK ? vp_luanti_map_block_end(&r->map, b) : status;
}

static vp_status visit_region(luanti_reader *r)
{
    int64_t low[3] = {block_of(r->low.x), block_of(r->low.y), block_of(r->low.z)};
    int64_t high[3] = {block_of((int64_t)r->low.x + r->size.x - 1), block_of((int64_t)r->low.y + r->size.y - 1),
                       block_of((int64_t)r->low.z + r->size.z - 1)};
    r->blocks = r->blocks_stored = r->excess = 0;
    for (int64_t z = low[2]; z <= high[2]; z++)
        for (int64_t y = low[1]; y <= high[1]; y++)
            for (int64_t x = low[0]; x <= high[0]; x++) {
                r->blocks++;
                VP_RETURN_IF_FAILED(visit_block(r, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z}));
            }
    return VP_OK;
}

/* ---- the import ---- */

static void describe(const luanti_reader *r, vp_text *note)
{
    vp_text_add(note, "Luanti map, nodes from (%d, %d, %d), %u x %u x %u; %llu of %llu map blocks are stored\n", r->low.x, r->low.y,
                r->low.z, r->size.x, r->size.y, r->size.z, (unsigned long long)r->blocks_stored, (unsigned long long)r->blocks);
    vp_text_add(note, "material, nodes, name:\n");
    for (size_t i = 0; i < r->kind_count; i++) {
        const node_kind *k = &r->kinds[r->by_name[i]];
        if (note->size > NOTE_BYTES) {
            vp_text_add(note, "... and %zu more names\n", r->kind_count - i);
            break;
        }
        vp_text_add(note, "%u %llu %s\n", k->material, (unsigned long long)k->count, k->name);
    }
}

static vp_status read_map(luanti_reader *r, const char *path, uint64_t file_bytes, const vp_import_def *def)
{
    VP_RETURN_IF_FAILED(vp_luanti_map_open(&r->map, path, file_bytes, &r->allocator, r->error));
    VP_RETURN_IF_FAILED(choose_region(r, def));
    VP_RETURN_IF_FAILED(vp_import_check_size(def, r->size, r->error));
    VP_RETURN_IF_FAILED(visit_region(r));
    if (r->blocks_stored == 0)
        return vp_fail(r->error, VP_E_FORMAT, "no block of the region from (%d, %d, %d), %u x %u x %u, is stored", r->low.x, r->low.y,
                       r->low.z, r->size.x, r->size.y, r->size.z);
    number_kinds(r);
    VP_RETURN_IF_FAILED(vp_import_create_world(def, r->size, &r->world, r->error));
    VP_RETURN_IF_FAILED(visit_region(r));
    for (size_t i = 0; i < r->kind_count; i++)
        if (r->kinds[i].left != 0)
            return changed(r, r->kinds[i].name);
    return VP_OK;
}

vp_status vp_import_luanti(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    VP_RETURN_IF_NULL(error, path, out);
    const vp_import_def chosen = vp_import_def_or_default(def);
    const vp_allocator allocator = vp_allocator_or_default(chosen.allocator);
    uint64_t file_bytes;
    VP_RETURN_IF_FAILED(vp_file_size(path, &file_bytes, error)); /* sqlite would block at a pipe */
    luanti_reader *r = vp_allocate_zero(&allocator, 1, sizeof *r);
    vp_status status = VP_OK;
    if (r == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory to read a map");
    } else {
        vp_text text = vp_text_begin(&allocator);
        r->allocator = allocator;
        r->error = error;
        status = read_map(r, path, file_bytes, &chosen);
        if (status == VP_OK) {
            describe(r, &text);
            status = vp_text_finish(&text, note, error);
        }
        vp_luanti_map_close(&r->map);
        vp_release(&allocator, r->kinds, r->kind_room, sizeof *r->kinds);
        vp_release(&allocator, r->by_name, r->name_room, sizeof *r->by_name);
        if (status == VP_OK)
            *out = r->world;
        else
            vp_world_destroy(r->world);
    }
    vp_release(&allocator, r, 1, sizeof *r);
    if (status == VP_OK)
        return vp_succeed(error);
    vp_name_file(error, "", path);
    return status;
}

#else

vp_status vp_import_luanti(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    VP_RETURN_IF_NULL(error, path, out);
    (void)def, (void)out, (void)note;
    return vp_fail(error, VP_E_UNSUPPORTED, "%s: reading a Luanti map needs sqlite3, and this build has none", vp_show_path(path).text);
}

#endif
