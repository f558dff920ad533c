/* SPDX-License-Identifier: MIT */
/* The database of a Luanti map. The table blocks has each block's bytes and a key, either pos or x, y and z. A hostile
   file can make sqlite run forever, so its steps and pages are counted and bounded by the needs of a valid map. All
   reads are in one transaction, so writes of other programs are not seen. */
#define _XOPEN_SOURCE 700 /* realpath, lstat */
#include "import/luanti_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/core/error.h"
#include "src/core/memory.h"

#ifdef VP_WITH_SQLITE
#include <sqlite3.h>

enum {
    BLOB_LIMIT = 16 << 20,
    WAIT_MILLISECONDS = 5000, /* waiting time for another program that is writing */
    STEP = 50,                /* virtual instructions of sqlite between two checks */
    STEPS_OF_BLOCK = 50,      /* more than a block takes with the index of its key */
    STEPS_AT_ALL = 1000000,
    /* Pages are bounded too, because one instruction can walk through a value of megabytes, page by page. */
    PAGE_BYTES = 500,    /* less than the smallest page, 512. Counted twice, because some files have pages about pages */
    PAGES_OF_BLOCK = 64, /* pages of an index and a table, at most 20 levels each */
    PAGES_AT_ALL = 1000000
};

/* ---- counting ---- */

/* Adds the pages that sqlite requested from its cache since the last call. */
static void count_pages(vp_luanti_map *m)
{
    static const int which[] = {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS};
    for (int i = 0; i < 2; i++) {
        int pages = 0, unused = 0;
        if (sqlite3_db_status(m->database, which[i], &pages, &unused, 1) == SQLITE_OK)
            m->pages += (unsigned)pages;
    }
}

/* Called every STEP instructions. Stops sqlite if it returns non-zero. */
static int count_steps(void *user)
{
    vp_luanti_map *m = user;
    m->steps += STEP;
    count_pages(m);
    return m->steps > m->steps_max || m->pages > m->pages_max;
}

/* Steps to the next row of a query. A long row takes few instructions and many pages. */
static int next_row(vp_luanti_map *m, sqlite3_stmt *query)
{
    int result = sqlite3_step(query);
    count_pages(m);
    return m->pages > m->pages_max ? SQLITE_INTERRUPT : result;
}

static vp_status sqlite_failed(const vp_luanti_map *m, const char *what)
{
    int code = sqlite3_errcode(m->database);
    if (m->steps > m->steps_max || m->pages > m->pages_max)
        return vp_fail(m->error, VP_E_FORMAT,
                       "reading takes more %s than a map of %llu bytes needs: the table blocks has no index for its "
                       "key, or is damaged",
                       m->steps > m->steps_max ? "steps" : "pages", (unsigned long long)m->file_bytes);
    if (code == SQLITE_BUSY)
        return vp_fail(m->error, VP_E_IO, "cannot %s: another program is writing it, for more than %d seconds", what,
                       WAIT_MILLISECONDS / 1000);
    if (sqlite3_extended_errcode(m->database) == SQLITE_READONLY_ROLLBACK)
        return vp_fail(m->error, VP_E_IO,
                       "cannot %s: a write to it was not finished, and its -journal file is to undo it; make a copy "
                       "with sqlite3 and .backup",
                       what);
    if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)
        return vp_fail(m->error, VP_E_IO,
                       "cannot %s: sqlite cannot create -wal and -shm files next to it; copy it, with its -wal file if "
                       "any, to a writable folder",
                       what);
    vp_status status = code == SQLITE_NOMEM                              ? VP_E_MEMORY
                       : code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? VP_E_FORMAT
                       : code == SQLITE_TOOBIG                           ? VP_E_FORMAT
                                                                         : VP_E_IO;
    return vp_fail(m->error, status, "cannot %s: sqlite: %s", what, sqlite3_errmsg(m->database));
}

/* ---- opening ---- */

/* Runs a query for one row of numbers. `found` receives whether a row exists whose columns are all integers. */
static vp_status query_numbers(vp_luanti_map *m, const char *sql, int columns, int64_t *number, bool *found)
{
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(m->database, sql, -1, &query, NULL) != SQLITE_OK)
        return sqlite_failed(m, "read the map");
    int result = next_row(m, query);
    *found = result == SQLITE_ROW;
    for (int i = 0; *found && i < columns; i++) {
        *found = sqlite3_column_type(query, i) == SQLITE_INTEGER;
        number[i] = sqlite3_column_int64(query, i);
    }
    vp_status status = result == SQLITE_ROW || result == SQLITE_DONE ? VP_OK : sqlite_failed(m, "read the map");
    sqlite3_finalize(query);
    return status;
}

/* Checks the table blocks. All its columns must be stored, under a key of one of two forms. */
static vp_status check_table(vp_luanti_map *m)
{
    int64_t tables = 0, key = 0, keys = 0, computed = 0;
    bool found = false;
    VP_RETURN_IF_FAILED(query_numbers(
        m, "SELECT count(*) FROM sqlite_master WHERE name='blocks' AND type='table' AND sql NOT LIKE '%virtual%'", 1, &tables, &found));
    if (tables != 1)
        return vp_fail(m->error, VP_E_FORMAT, "the file has no table named blocks: not the map of a Luanti world");
    VP_RETURN_IF_FAILED(query_numbers(m, "SELECT count(*) FROM pragma_table_xinfo('blocks') WHERE hidden<>0", 1, &computed, &found));
    if (computed != 0)
        return vp_fail(m->error, VP_E_FORMAT, "the table blocks has computed columns; a map has stored ones");
    VP_RETURN_IF_FAILED(query_numbers(m, "SELECT count(*) FROM pragma_table_info('blocks') WHERE name='pos'", 1, &key, &found));
    VP_RETURN_IF_FAILED(query_numbers(m, "SELECT count(*) FROM pragma_table_info('blocks') WHERE name IN ('x','y','z')", 1, &keys, &found));
    if (key != 1 && keys != 3)
        return vp_fail(m->error, VP_E_FORMAT, "the table blocks has neither a column pos nor x, y and z");
    m->three_keys = key != 1;
    return VP_OK;
}

/* sqlite opens these on its own, blocks at a pipe, and truncates a -shm file that nobody uses. */
static vp_status check_companions(const vp_luanti_map *m, const char *path, const vp_allocator *allocator)
{
    static const char *const suffixes[] = {"-journal", "-wal", "-shm"};
    const size_t length = strlen(path), room = length + sizeof "-journal";
    char *name = vp_allocate(allocator, room, 1);
    if (name == NULL)
        return vp_fail(m->error, VP_E_MEMORY, "no memory to open the map");
    vp_status status = VP_OK;
    memcpy(name, path, length);
    for (size_t i = 0; status == VP_OK && i < sizeof suffixes / sizeof suffixes[0]; i++) {
        struct stat about = {0};
        memcpy(name + length, suffixes[i], strlen(suffixes[i]) + 1);
        if (lstat(name, &about) == 0 && !S_ISREG(about.st_mode))
            status = vp_fail(m->error, VP_E_IO, "its %s file, which sqlite would open, is not a regular file", suffixes[i]);
    }
    vp_release(allocator, name, room, 1);
    return status;
}

/* Opens a file by its absolute path, because sqlite gives ":memory:" and "file:" other meanings. */
static vp_status open_database(vp_luanti_map *m, const char *path, const vp_allocator *allocator)
{
    char *absolute = realpath(path, NULL);
    if (absolute == NULL)
        return vp_fail(m->error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot open the map: %s", strerror(errno));
    vp_status status = check_companions(m, absolute, allocator);
    if (status == VP_OK) {
        int result = sqlite3_open_v2(absolute, &m->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_PRIVATECACHE, NULL);
        if (m->database == NULL)
            status = vp_fail(m->error, VP_E_MEMORY, "no memory to open the map");
        else if (result != SQLITE_OK)
            status = vp_fail(m->error, VP_E_IO, "cannot open the map: %s", sqlite3_errmsg(m->database));
    }
    free(absolute);
    return status;
}

vp_status vp_luanti_map_open(vp_luanti_map *m, const char *path, uint64_t file_bytes, const vp_allocator *allocator, vp_error *error)
{
    *m = (vp_luanti_map){.file_bytes = file_bytes, .error = error};
    VP_RETURN_IF_FAILED(open_database(m, path, allocator));
    /* Disables functions of a hostile file's schema, huge values and endless searches. Listing the keys takes at most
       five steps per row, which has more bytes than that, and reads each page once. */
    sqlite3_db_config(m->database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(m->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_limit(m->database, SQLITE_LIMIT_LENGTH, BLOB_LIMIT);
    sqlite3_limit(m->database, SQLITE_LIMIT_VDBE_OP, 10000);
    m->steps_max = STEPS_AT_ALL + m->file_bytes;
    m->pages_max = PAGES_AT_ALL + 2 * (m->file_bytes / PAGE_BYTES);
    sqlite3_progress_handler(m->database, STEP, count_steps, m);
    sqlite3_busy_timeout(m->database, WAIT_MILLISECONDS);

    if (sqlite3_exec(m->database, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_failed(m, "read the map");
    VP_RETURN_IF_FAILED(check_table(m));
    if (sqlite3_prepare_v2(m->database,
                           m->three_keys ? "SELECT data FROM blocks WHERE x=?1 AND y=?2 AND z=?3" : "SELECT data FROM blocks WHERE pos=?1",
                           -1, &m->get, NULL) != SQLITE_OK)
        return sqlite_failed(m, "read the map");
    return VP_OK;
}

/* ---- keys ---- */

/* Removes the signed 12-bit number at the low end of a key and returns it. */
static int32_t low_part(int64_t *key)
{
    int32_t part = (int32_t)((uint64_t)*key & 0xfff);
    if (part >= 2048)
        part -= 4096;
    *key = (*key - part) / 4096;
    return part;
}

/* Reads a block's coordinates from the columns x, y, z or pos of a row. */
static vp_status row_place(const vp_luanti_map *m, sqlite3_stmt *row, int64_t at[3])
{
    int64_t key = sqlite3_column_int64(row, 0), all = INT64_C(1) << 36; /* keys have fewer bits */
    for (int i = 0; i < (m->three_keys ? 3 : 1); i++)
        if (sqlite3_column_type(row, i) != SQLITE_INTEGER)
            return vp_fail(m->error, VP_E_FORMAT, "a value of the column %s of the table blocks is not an integer",
                           sqlite3_column_name(row, i));
    if (!m->three_keys && (key <= -all || key >= all))
        return vp_fail(m->error, VP_E_FORMAT, "key %lld in the table blocks is not that of a block", (long long)key);
    for (int i = 0; i < 3; i++) {
        at[i] = m->three_keys ? sqlite3_column_int64(row, i) : low_part(&key);
        if (at[i] < VP_LUANTI_LOWEST || at[i] > VP_LUANTI_HIGHEST)
            return vp_fail(m->error, VP_E_FORMAT, "block coordinate %lld in the map; %d to %d can be", (long long)at[i], VP_LUANTI_LOWEST,
                           VP_LUANTI_HIGHEST);
    }
    if (!m->three_keys && key != 0)
        return vp_fail(m->error, VP_E_FORMAT, "key %lld in the table blocks is not that of a block",
                       (long long)sqlite3_column_int64(row, 0));
    return VP_OK;
}

vp_status vp_luanti_map_bounds(vp_luanti_map *m, int64_t bounds[6], bool *found)
{
    sqlite3_stmt *rows = NULL;
    const char *keys = m->three_keys ? "SELECT x,y,z FROM blocks" : "SELECT pos FROM blocks";
    if (sqlite3_prepare_v2(m->database, keys, -1, &rows, NULL) != SQLITE_OK)
        return sqlite_failed(m, "read the map");
    vp_status status = VP_OK;
    int result = SQLITE_ROW;
    *found = false;
    while (status == VP_OK && (result = next_row(m, rows)) == SQLITE_ROW) {
        int64_t at[3] = {0};
        status = row_place(m, rows, at);
        for (int i = 0; i < 3; i++) {
            bounds[i] = !*found || at[i] < bounds[i] ? at[i] : bounds[i];
            bounds[3 + i] = !*found || at[i] > bounds[3 + i] ? at[i] : bounds[3 + i];
        }
        *found = true;
    }
    if (status == VP_OK && result != SQLITE_DONE)
        status = sqlite_failed(m, "read the map");
    sqlite3_finalize(rows);
    return status;
}

/* ---- blocks ---- */

vp_status vp_luanti_map_block(vp_luanti_map *m, vp_ivec3 b, bool *stored, const void **bytes, size_t *size)
{
    sqlite3_reset(m->get);
    if (m->three_keys) {
        sqlite3_bind_int(m->get, 1, b.x);
        sqlite3_bind_int(m->get, 2, b.y);
        sqlite3_bind_int(m->get, 3, b.z);
    } else {
        sqlite3_bind_int64(m->get, 1, (int64_t)b.z * 4096 * 4096 + (int64_t)b.y * 4096 + b.x);
    }
    m->steps_max += STEPS_OF_BLOCK;
    m->pages_max += PAGES_OF_BLOCK;
    int result = next_row(m, m->get);
    *stored = result == SQLITE_ROW;
    if (result == SQLITE_DONE)
        return VP_OK;
    if (result != SQLITE_ROW)
        return sqlite_failed(m, "read a map block");
    if (sqlite3_column_type(m->get, 0) != SQLITE_BLOB)
        return vp_fail(m->error, VP_E_FORMAT, "the data of map block (%d, %d, %d) is not a blob", b.x, b.y, b.z);
    *bytes = sqlite3_column_blob(m->get, 0);
    *size = (size_t)sqlite3_column_bytes(m->get, 0);
    m->pages_max += 2 * (*size / PAGE_BYTES);
    return VP_OK;
}

vp_status vp_luanti_map_block_end(vp_luanti_map *m, vp_ivec3 b)
{
    int result = next_row(m, m->get);
    if (result == SQLITE_ROW)
        return vp_fail(m->error, VP_E_FORMAT, "map block (%d, %d, %d) is stored more than once", b.x, b.y, b.z);
    return result == SQLITE_DONE ? VP_OK : sqlite_failed(m, "read a map block");
}

void vp_luanti_map_close(vp_luanti_map *m)
{
    sqlite3_finalize(m->get);
    sqlite3_close(m->database);
}

#endif
