/* SPDX-License-Identifier: MIT */
/* A region of a Luanti (Minetest) map: map.sqlite holds compressed blocks of 16^3 nodes under a key made of their
   coordinates. Two passes over the blocks: the first finds which nodes there are, so that materials can be numbered in
   the order of the names, the same whatever the order of the blocks; the second writes them. */
#include "datasets/import/luanti.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "datasets/import/import.h"
#include "datasets/import/text.h"

#ifdef VP_WITH_SQLITE
#include <sqlite3.h>

enum {
    LOWEST = -32768, /* the coordinates that a map's keys can say */
    HIGHEST = 32767,
    KINDS_MAX = 65536, /* distinct node names in a region */
    BLOB_LIMIT = 16 << 20,
    LAST_MATERIAL = 255,
    /* Against maps that are made to take for ever. A block's bytes, stored and unpacked, are 10 to 30 thousand where it
       has little metadata; what they have beyond BLOCK_SHARE each is added up and bounded. */
    BLOCK_SHARE = 64 << 10,
    EXCESS_LIMIT = 256 << 20,
    STEP = 1000 /* sqlite's virtual instructions between two looks at the count */
};

/* A node name of the region. */
typedef struct kind {
    char name[VP_LUANTI_NAME_BYTES];
    uint64_t count;
    uint8_t material;
} kind;

typedef struct reader {
    sqlite3 *database;
    sqlite3_stmt *get; /* the block at some coordinates */
    bool three_keys;   /* columns x, y, z instead of pos */
    vp_ivec3 low;      /* the region, in nodes */
    vp_dims size;
    kind *kinds; /* ascending by name */
    size_t kind_count, kind_capacity;
    uint64_t blocks, blocks_stored;
    uint64_t excess;       /* bytes beyond BLOCK_SHARE a block, of this pass */
    uint64_t file_bytes;
    uint64_t steps, steps_max; /* of sqlite: what was done, and what a sound map needs at most */
    vp_luanti_block block; /* the current one */
    uint32_t *kind_of;     /* of each name of the current block */
    vp_world *world;       /* NULL in the first pass */
    vp_error *error;
} reader;

static int64_t block_of(int64_t node)
{
    return node >= 0 ? node / VP_LUANTI_EDGE : (node - VP_LUANTI_EDGE + 1) / VP_LUANTI_EDGE;
}

/* Called every STEP instructions; other than 0: sqlite stops. */
static int count_steps(void *user)
{
    reader *r = user;
    r->steps += STEP;
    return r->steps > r->steps_max;
}

static vp_status sqlite_failed(const reader *r, const char *what)
{
    int code = sqlite3_errcode(r->database);
    if (code == SQLITE_INTERRUPT)
        return vp_fail(r->error, VP_E_FORMAT,
                       "reading takes more steps than a map of %llu bytes needs: the table blocks has no index for its "
                       "key, or is damaged", (unsigned long long)r->file_bytes);
    vp_status status = code == SQLITE_NOMEM                              ? VP_E_MEMORY
                       : code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? VP_E_FORMAT
                       : code == SQLITE_TOOBIG                           ? VP_E_FORMAT
                                                                         : VP_E_IO;
    return vp_fail(r->error, status, "cannot %s: sqlite: %s", what, sqlite3_errmsg(r->database));
}

/* ---- the database ---- */

/* Runs a query for one number; `found` tells whether there was a row whose columns are all integers. */
static vp_status query_numbers(const reader *r, const char *sql, int columns, int64_t *number, bool *found)
{
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(r->database, sql, -1, &query, NULL) != SQLITE_OK)
        return sqlite_failed(r, "read the map");
    int result = sqlite3_step(query);
    *found = result == SQLITE_ROW;
    for (int i = 0; *found && i < columns; i++) {
        *found = sqlite3_column_type(query, i) == SQLITE_INTEGER;
        number[i] = sqlite3_column_int64(query, i);
    }
    vp_status status = result == SQLITE_ROW || result == SQLITE_DONE ? VP_OK : sqlite_failed(r, "read the map");
    sqlite3_finalize(query);
    return status;
}

/* What the table blocks must be: stored, every column of it, under a key of one of two forms. */
static vp_status check_table(reader *r)
{
    int64_t tables = 0, key = 0, keys = 0, computed = 0;
    bool found = false;
    vp_status status = query_numbers(
        r, "SELECT count(*) FROM sqlite_master WHERE name='blocks' AND type='table' AND sql NOT LIKE '%virtual%'", 1,
        &tables, &found);
    if (status == VP_OK && tables != 1)
        return vp_fail(r->error, VP_E_FORMAT, "the file has no table named blocks: not the map of a Luanti world");
    if (status == VP_OK)
        status = query_numbers(r, "SELECT count(*) FROM pragma_table_xinfo('blocks') WHERE hidden<>0", 1, &computed,
                               &found);
    if (status == VP_OK && computed != 0)
        return vp_fail(r->error, VP_E_FORMAT, "the table blocks has computed columns; a map has stored ones");
    if (status == VP_OK)
        status = query_numbers(r, "SELECT count(*) FROM pragma_table_info('blocks') WHERE name='pos'", 1, &key, &found);
    if (status == VP_OK)
        status = query_numbers(r, "SELECT count(*) FROM pragma_table_info('blocks') WHERE name IN ('x','y','z')", 1,
                               &keys, &found);
    if (status == VP_OK && key != 1 && keys != 3)
        return vp_fail(r->error, VP_E_FORMAT, "the table blocks has neither a column pos nor x, y and z");
    r->three_keys = key != 1;
    return status;
}

static vp_status open_map(reader *r, const char *path)
{
    int result = sqlite3_open_v2(path, &r->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_PRIVATECACHE, NULL);
    if (r->database == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory to open the map");
    if (result != SQLITE_OK)
        return vp_fail(r->error, VP_E_IO, "cannot open the map: %s", sqlite3_errmsg(r->database));
    /* The file may be made to do harm: no functions of its schema, no huge values, no search without end. Listing the
       keys takes less than ten steps a row, and a row has at least ten bytes. */
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_limit(r->database, SQLITE_LIMIT_LENGTH, BLOB_LIMIT);
    sqlite3_limit(r->database, SQLITE_LIMIT_VDBE_OP, 10000);
    r->steps_max = 1000000 + r->file_bytes;
    sqlite3_progress_handler(r->database, STEP, count_steps, r);

    vp_status status = check_table(r);
    if (status == VP_OK &&
        sqlite3_prepare_v2(r->database,
                           r->three_keys ? "SELECT data FROM blocks WHERE x=?1 AND y=?2 AND z=?3"
                                         : "SELECT data FROM blocks WHERE pos=?1",
                           -1, &r->get, NULL) != SQLITE_OK)
        status = sqlite_failed(r, "read the map");
    return status;
}

/* ---- the region ---- */

/* The signed 12-bit number at the low end of a key; the key is left without it. */
static int32_t low_part(int64_t *key)
{
    int32_t part = (int32_t)((uint64_t)*key & 0xfff);
    if (part >= 2048)
        part -= 4096;
    *key = (*key - part) / 4096;
    return part;
}

/* The coordinates of the block of a row: columns x, y, z or pos. */
static vp_status row_place(const reader *r, sqlite3_stmt *row, int64_t at[3])
{
    int64_t key = sqlite3_column_int64(row, 0);
    for (int i = 0; i < (r->three_keys ? 3 : 1); i++)
        if (sqlite3_column_type(row, i) != SQLITE_INTEGER)
            return vp_fail(r->error, VP_E_FORMAT, "a value of the column %s of the table blocks is not an integer",
                           sqlite3_column_name(row, i));
    for (int i = 0; i < 3; i++) {
        at[i] = r->three_keys ? sqlite3_column_int64(row, i) : low_part(&key);
        if (at[i] < LOWEST / VP_LUANTI_EDGE || at[i] > HIGHEST / VP_LUANTI_EDGE)
            return vp_fail(r->error, VP_E_FORMAT, "block coordinate %lld in the map; %d to %d can be", (long long)at[i],
                           LOWEST / VP_LUANTI_EDGE, HIGHEST / VP_LUANTI_EDGE);
    }
    if (!r->three_keys && key != 0)
        return vp_fail(r->error, VP_E_FORMAT, "key %lld in the table blocks is not that of a block",
                       (long long)sqlite3_column_int64(row, 0));
    return VP_OK;
}

/* The bounds, in blocks, of everything that is stored: low x y z, high x y z. */
static vp_status find_bounds(const reader *r, int64_t bounds[6], bool *found)
{
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(r->database, r->three_keys ? "SELECT x,y,z FROM blocks" : "SELECT pos FROM blocks", -1, &rows,
                           NULL) != SQLITE_OK)
        return sqlite_failed(r, "read the map");
    vp_status status = VP_OK;
    int result = SQLITE_ROW;
    *found = false;
    while (status == VP_OK && (result = sqlite3_step(rows)) == SQLITE_ROW) {
        int64_t at[3] = {0};
        status = row_place(r, rows, at);
        for (int i = 0; i < 3; i++) {
            bounds[i] = !*found || at[i] < bounds[i] ? at[i] : bounds[i];
            bounds[3 + i] = !*found || at[i] > bounds[3 + i] ? at[i] : bounds[3 + i];
        }
        *found = true;
    }
    if (status == VP_OK && result != SQLITE_DONE)
        status = sqlite_failed(r, "read the map");
    sqlite3_finalize(rows);
    return status;
}

static vp_status choose_region(reader *r, const vp_import_options *options)
{
    r->low = options->region_low;
    r->size = options->region_size;
    if (r->size.x == 0 && r->size.y == 0 && r->size.z == 0) {
        int64_t b[6] = {0};
        bool found = false;
        vp_status status = find_bounds(r, b, &found);
        if (status != VP_OK)
            return status;
        if (!found)
            return vp_fail(r->error, VP_E_FORMAT, "the map has no blocks");
        r->low = (vp_ivec3){(int32_t)b[0] * 16, (int32_t)b[1] * 16, (int32_t)b[2] * 16};
        r->size = (vp_dims){(uint32_t)(b[3] - b[0] + 1) * 16, (uint32_t)(b[4] - b[1] + 1) * 16,
                            (uint32_t)(b[5] - b[2] + 1) * 16};
    }
    const int32_t low[3] = {r->low.x, r->low.y, r->low.z};
    const uint32_t size[3] = {r->size.x, r->size.y, r->size.z};
    for (int i = 0; i < 3; i++) {
        uint32_t limit = i == 1 ? VP_WORLD_MAX_Y : VP_WORLD_MAX_XZ;
        if (size[i] == 0 || size[i] > limit)
            return vp_fail(r->error, VP_E_ARGUMENT,
                           "a region of %u nodes along %c, from %d; 1 to %u can be: name a smaller region", size[i],
                           "xyz"[i], low[i], limit);
        if (low[i] < LOWEST || (int64_t)low[i] + size[i] - 1 > HIGHEST)
            return vp_fail(r->error, VP_E_ARGUMENT, "a region from %d of %u nodes along %c; a map goes from %d to %d",
                           low[i], size[i], "xyz"[i], LOWEST, HIGHEST);
    }
    return VP_OK;
}

/* ---- kinds of nodes ---- */

/* Where a name is among the kinds, or where it belongs. */
static size_t find_kind(const reader *r, const char *name, bool *there)
{
    size_t low = 0, high = r->kind_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(r->kinds[middle].name, name);
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

static vp_status count_kind(reader *r, const char *name, uint64_t count)
{
    bool there;
    size_t at = find_kind(r, name, &there);
    if (!there) {
        if (r->kind_count == KINDS_MAX)
            return vp_fail(r->error, VP_E_FORMAT, "more than %d node names in the region", KINDS_MAX);
        if (r->kind_count == r->kind_capacity) {
            size_t capacity = r->kind_capacity * 2 + 64;
            kind *larger = realloc(r->kinds, capacity * sizeof *larger);
            if (larger == NULL)
                return vp_fail(r->error, VP_E_MEMORY, "no memory for %zu node names", capacity);
            r->kinds = larger;
            r->kind_capacity = capacity;
        }
        memmove(r->kinds + at + 1, r->kinds + at, (r->kind_count - at) * sizeof *r->kinds);
        r->kind_count++;
        r->kinds[at] = (kind){.count = 0};
        memcpy(r->kinds[at].name, name, strlen(name) + 1);
    }
    r->kinds[at].count += count;
    return VP_OK;
}

static void number_kinds(reader *r)
{
    unsigned next = VP_FIRST_SOLID;
    for (size_t i = 0; i < r->kind_count; i++) {
        uint8_t class = vp_luanti_class(r->kinds[i].name);
        r->kinds[i].material = class;
        if (class == VP_FIRST_SOLID) {
            r->kinds[i].material = (uint8_t)next;
            next += next < LAST_MATERIAL ? 1 : 0;
        }
    }
}

/* ---- blocks ---- */

/* What of a block lies in the region, on one axis: nodes begin <= i < end of the block. */
typedef struct part {
    int begin, end;
} part;

static part part_of(int64_t block, int32_t low, uint32_t size)
{
    int64_t first = (int64_t)low - block * VP_LUANTI_EDGE, end = first + size;
    return (part){first > 0 ? (int)first : 0, end < VP_LUANTI_EDGE ? (int)end : VP_LUANTI_EDGE};
}

static vp_status count_block(reader *r, part x, part y, part z)
{
    uint32_t *count = r->kind_of; /* in this pass: how often each name of the block occurs */
    memset(count, 0, VP_LUANTI_NODES * sizeof *count);
    for (int k = z.begin; k < z.end; k++)
        for (int j = y.begin; j < y.end; j++)
            for (int i = x.begin; i < x.end; i++)
                count[r->block.node[(k * 16 + j) * 16 + i]]++;
    vp_status status = VP_OK;
    for (uint32_t n = 0; status == VP_OK && n < r->block.name_count; n++)
        if (count[n] != 0)
            status = count_kind(r, r->block.name[n].name, count[n]);
    return status;
}

static vp_status write_block(reader *r, vp_ivec3 block, part x, part y, part z)
{
    for (uint32_t n = 0; n < r->block.name_count; n++) {
        bool there;
        size_t at = find_kind(r, r->block.name[n].name, &there);
        r->kind_of[n] = there ? r->kinds[at].material : VP_AIR; /* not there: a name that no node of the region has */
    }
    uint8_t rows[VP_LUANTI_NODES];
    size_t at = 0;
    for (int j = y.begin; j < y.end; j++)
        for (int k = z.begin; k < z.end; k++)
            for (int i = x.begin; i < x.end; i++)
                rows[at++] = (uint8_t)r->kind_of[r->block.node[(k * 16 + j) * 16 + i]];
    vp_ivec3 low = {block.x * 16 + x.begin - r->low.x, block.y * 16 + y.begin - r->low.y,
                    block.z * 16 + z.begin - r->low.z};
    vp_dims size = {(uint32_t)(x.end - x.begin), (uint32_t)(y.end - y.begin), (uint32_t)(z.end - z.begin)};
    return vp_world_write_rows(r->world, low, size, rows, NULL, NULL, r->error);
}

/* By the index of the key, which takes less than this many of sqlite's steps. */
enum { STEPS_OF_GET = 50 };

/* Reads a block if it is stored, and counts or writes its nodes. */
static vp_status visit_block(reader *r, vp_ivec3 b)
{
    sqlite3_reset(r->get);
    if (r->three_keys) {
        sqlite3_bind_int(r->get, 1, b.x);
        sqlite3_bind_int(r->get, 2, b.y);
        sqlite3_bind_int(r->get, 3, b.z);
    } else {
        sqlite3_bind_int64(r->get, 1, (int64_t)b.z * 4096 * 4096 + (int64_t)b.y * 4096 + b.x);
    }
    r->steps_max += STEPS_OF_GET;
    int result = sqlite3_step(r->get);
    if (result == SQLITE_DONE)
        return VP_OK;
    if (result != SQLITE_ROW)
        return sqlite_failed(r, "read a map block");
    if (sqlite3_column_type(r->get, 0) != SQLITE_BLOB)
        return vp_fail(r->error, VP_E_FORMAT, "the data of map block (%d, %d, %d) is not a blob", b.x, b.y, b.z);
    const void *bytes = sqlite3_column_blob(r->get, 0);
    size_t size = (size_t)sqlite3_column_bytes(r->get, 0);
    vp_error cause;
    vp_status status = vp_luanti_block_decode(bytes, size, &r->block, &cause);
    if (status != VP_OK)
        return vp_fail(r->error, status, "map block (%d, %d, %d): %.200s", b.x, b.y, b.z, cause.message);
    size += r->block.unpacked;
    r->excess += size > BLOCK_SHARE ? size - BLOCK_SHARE : 0;
    if (r->excess > EXCESS_LIMIT) {
        vp_luanti_block_destroy(&r->block);
        return vp_fail(r->error, VP_E_FORMAT,
                       "map block (%d, %d, %d): beyond %d bytes each, the blocks up to here have %llu; at most %d are read",
                       b.x, b.y, b.z, BLOCK_SHARE, (unsigned long long)r->excess, EXCESS_LIMIT);
    }
    part x = part_of(b.x, r->low.x, r->size.x);
    part y = part_of(b.y, r->low.y, r->size.y);
    part z = part_of(b.z, r->low.z, r->size.z);
    status = r->world == NULL ? count_block(r, x, y, z) : write_block(r, b, x, y, z);
    vp_luanti_block_destroy(&r->block);
    r->blocks_stored++;
    return status;
}

static vp_status visit_region(reader *r)
{
    int64_t low[3] = {block_of(r->low.x), block_of(r->low.y), block_of(r->low.z)};
    int64_t high[3] = {block_of((int64_t)r->low.x + r->size.x - 1), block_of((int64_t)r->low.y + r->size.y - 1),
                       block_of((int64_t)r->low.z + r->size.z - 1)};
    vp_status status = VP_OK;
    r->blocks = r->blocks_stored = r->excess = 0;
    for (int64_t z = low[2]; status == VP_OK && z <= high[2]; z++)
        for (int64_t y = low[1]; status == VP_OK && y <= high[1]; y++)
            for (int64_t x = low[0]; status == VP_OK && x <= high[0]; x++) {
                r->blocks++;
                status = visit_block(r, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z});
            }
    return status;
}

/* ---- the whole ---- */

static void describe(const reader *r, vp_text *note)
{
    vp_text_add(note, "Luanti map, nodes from (%d, %d, %d), %u x %u x %u; %llu of %llu map blocks are stored\n",
                r->low.x, r->low.y, r->low.z, r->size.x, r->size.y, r->size.z, (unsigned long long)r->blocks_stored,
                (unsigned long long)r->blocks);
    vp_text_add(note, "material, nodes, name:\n");
    for (size_t i = 0; i < r->kind_count; i++)
        vp_text_add(note, "%u %llu %s\n", r->kinds[i].material, (unsigned long long)r->kinds[i].count,
                    r->kinds[i].name);
}

static vp_status read_map(reader *r, const char *path, const vp_import_options *options)
{
    vp_status status = open_map(r, path);
    if (status == VP_OK)
        status = choose_region(r, options);
    if (status == VP_OK)
        status = visit_region(r);
    if (status == VP_OK && r->blocks_stored == 0)
        status = vp_fail(r->error, VP_E_FORMAT, "no block of the region from (%d, %d, %d), %u x %u x %u, is stored",
                         r->low.x, r->low.y, r->low.z, r->size.x, r->size.y, r->size.z);
    if (status != VP_OK)
        return status;
    number_kinds(r);
    vp_world_def def = {{(r->size.x + 7) / 8 * 8, (r->size.y + 7) / 8 * 8, (r->size.z + 7) / 8 * 8}, options->allocator};
    status = vp_world_create(&def, &r->world, r->error);
    return status == VP_OK ? visit_region(r) : status;
}

vp_status vp_import_luanti(const char *path, const vp_import_options *options, vp_world **out, char **note,
                           vp_error *error)
{
    vp_import_options defaults = vp_import_defaults();
    uint64_t file_bytes;
    vp_status status = vp_file_size(path, &file_bytes, error); /* sqlite would wait at a pipe */
    if (status != VP_OK)
        return status;
    reader *r = calloc(1, sizeof *r);
    uint32_t *kind_of = malloc(VP_LUANTI_NODES * sizeof *kind_of);
    if (r == NULL || kind_of == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory to read a map");
    } else {
        vp_text text = {0};
        r->error = error;
        r->kind_of = kind_of;
        r->file_bytes = file_bytes;
        status = read_map(r, path, options != NULL ? options : &defaults);
        if (status == VP_OK) {
            describe(r, &text);
            status = vp_text_finish(&text, note, error);
        }
        sqlite3_finalize(r->get);
        sqlite3_close(r->database);
        free(r->kinds);
        if (status == VP_OK)
            *out = r->world;
        else
            vp_world_destroy(r->world);
    }
    free(kind_of);
    free(r);
    if (status == VP_OK)
        return vp_succeed(error);
    vp_name_file(error, "", path);
    return status;
}

#else

vp_status vp_import_luanti(const char *path, const vp_import_options *options, vp_world **out, char **note,
                           vp_error *error)
{
    (void)options, (void)out, (void)note;
    return vp_fail(error, VP_E_UNSUPPORTED, "%s: reading a Luanti map needs sqlite3, and this build has none",
                   vp_show_path(path).text);
}

#endif
