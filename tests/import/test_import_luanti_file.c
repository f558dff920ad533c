/* SPDX-License-Identifier: MIT */
/* The Luanti importer and the file of the map. It opens only the named file. Also companion files, changes by other programs during the
 * import, and maps whose rows contradict each other or have very many names. */
#define _XOPEN_SOURCE 700
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"

#include <voxphys/import.h>

#if defined(VP_WITH_SQLITE) && defined(VP_WITH_ZLIB)
#include <voxphys/world_file.h>

#include "tests/import/luanti_maps.h"

static const char path[] = "test_import_luanti_file.tmp.sqlite";
static const char journal[] = "test_import_luanti_file.tmp.sqlite-journal";
static const char copy[] = "test_import_luanti_file.tmp.copy";
static const char copied_journal[] = "test_import_luanti_file.tmp.copy-journal";

/* A block of one kind of node, and `more` bytes that are not read. */
static writer block_of(const char *name, size_t more)
{
    static const uint16_t zeros[4096];
    writer w = {NULL, 0, 0};
    put_block(&w, 28, &(block_name){0, name}, 1, zeros);
    for (size_t i = 0; i < more; i++)
        put_u8(&w, 0);
    return w;
}

static void store(sqlite3 *db, const char *sql, const char *name, size_t more)
{
    writer w = block_of(name, more);
    assert_int_equal(run_with(db, sql, &w), SQLITE_DONE);
    writer_drop(&w);
}

/* A map of the one block (0, 0, 0). */
static void make_map(const char *file, const char *name)
{
    sqlite3 *db = new_map(file, "CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)");
    store(db, "INSERT INTO blocks VALUES (0, ?1)", name, 0);
    sqlite3_close(db);
}

/* ---- which file ---- */

TEST(test_name)
{
    static const char uri[] = "file:test_import_luanti_file.tmp.sqlite", memory[] = ":memory:";
    make_map(path, "default:stone");
    make_map("./file:test_import_luanti_file.tmp.sqlite", "default:dirt");
    make_map("./:memory:", "default:sand");
    accepted(path, NULL, "2 4096 default:stone\n");
    accepted(uri, NULL, "2 4096 default:dirt\n");
    accepted(memory, NULL, "2 4096 default:sand\n");
    remove(path);
    remove(memory);
    accepted(uri, NULL, "2 4096 default:dirt\n");
    remove(uri);
    refused(uri, NULL, VP_E_IO, "cannot open");
    refused(memory, NULL, VP_E_IO, "cannot open");
}

TEST(test_companions)
{
    static const char *const suffixes[] = {"-journal", "-wal", "-shm"};
    make_map(path, "default:stone");
    for (size_t i = 0; i < 3; i++) {
        char name[80], why[80];
        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        snprintf(why, sizeof why, "its %s file, which sqlite would open, is not a regular file", suffixes[i]);
        assert_int_equal(mkfifo(name, 0600), 0);
        refused(path, NULL, VP_E_IO, why);
        assert_int_equal(remove(name), 0);
        assert_int_equal(symlink(copy, name), 0); /* another file that sqlite would write to */
        refused(path, NULL, VP_E_IO, why);
        assert_int_equal(remove(name), 0);
        FILE *f = fopen(name, "wb");
        assert_non_null(f);
        fclose(f);
        accepted(path, NULL, "default:stone");
        remove(name);
    }
    remove(path);
}

/* ---- changes by other programs ---- */

/* Memory for the world is allocated between the two passes over the map. The event changes the map once at that time. */
typedef struct event {
    vp_allocator own;
    void (*happens)(struct event *event);
    sqlite3 *db;
    size_t voxels; /* bytes of the allocation for the world's materials */
    int result, count;
    bool every; /* every occurrence of the old name is replaced, otherwise the first */
} event;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    event *e = user;
    if (bytes == e->voxels && e->count++ == 0)
        e->happens(e);
    return e->own.allocate(e->own.user, bytes, alignment);
}

static void release(void *user, void *block, size_t bytes)
{
    event *e = user;
    e->own.release(e->own.user, block, bytes);
}

static void update(event *e)
{
    writer w = block_of("default:cobble", 0);
    e->result = run_with(e->db, "UPDATE blocks SET data = ?1 WHERE pos = 0", &w);
    writer_drop(&w);
}

TEST(test_update)
{
    for (int wal = 0; wal < 2; wal++) {
        make_map(path, "default:stone");
        event e = {.own = vp_allocator_default(), .happens = update, .db = open_map(path), .voxels = 4096};
        run(e.db, wal ? "PRAGMA journal_mode = wal" : "PRAGMA journal_mode = delete");
        vp_allocator allocator = {&e, allocate, release};
        vp_import_def o = vp_import_defaults();
        o.allocator = &allocator;
        accepted(path, &o, "\n2 4096 default:stone\n");
        assert_true(e.count > 0);
        assert_int_equal(e.result, wal ? SQLITE_DONE : SQLITE_BUSY);
        e.count = 1; /* no further event */
        accepted(path, &o, wal ? "\n2 4096 default:cobble\n" : "\n2 4096 default:stone\n");
        sqlite3_close(e.db);
    }
    remove(path);
}

/* Overwrites the file without sqlite, which caches at most two megabytes. */
static void overwrite(event *e)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f), changes = 0;
    char *bytes = malloc(size);
    assert_non_null(bytes);
    rewind(f);
    assert_int_equal(fread(bytes, 1, size, f), size);
    for (size_t i = 0; i + 13 <= size && (e->every || changes == 0); i++)
        if (memcmp(bytes + i, "default:stone", 13) == 0) {
            memcpy(bytes + i, "default:slate", 13);
            changes++;
        }
    rewind(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
    free(bytes);
    e->result = (int)changes;
}

TEST(test_overwritten)
{
    for (int every = 0; every < 2; every++) {
        make_map(path, "default:stone");
        sqlite3 *db = open_map(path);
        writer w = block_of("default:stone", 40000);
        assert_int_equal(run_with(db,
                                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99) "
                                  "INSERT INTO blocks SELECT i, ?1 FROM n",
                                  &w),
                         SQLITE_DONE);
        if (!every) /* the new name is known, but has too many nodes */
            store(db, "INSERT INTO blocks VALUES (100, ?1)", "default:slate", 0);
        sqlite3_close(db);
        event e = {.own = vp_allocator_default(), .happens = overwrite, .voxels = every ? 409600 : 413696, .every = every != 0};
        vp_allocator allocator = {&e, allocate, release};
        vp_import_def o = vp_import_defaults();
        o.allocator = &allocator;
        refused(path, &o, VP_E_FORMAT,
                "test_import_luanti_file.tmp.sqlite: the map changed while it was read: the nodes named "
                "default:slate are not as many as before");
        assert_int_equal(e.result, every ? 100 : 1);
        writer_drop(&w);
    }
    remove(path);
}

static void copy_file(const char *from, const char *to)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, in)) != 0;)
        assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(in);
    fclose(out);
}

/* The files of a program that ended in the middle of a write: the map half written, and the journal that undoes it. */
TEST(test_unfinished)
{
    make_map(path, "default:stone");
    sqlite3 *db = open_map(path);
    for (int i = 1; i < 50; i++)
        store(db, "INSERT INTO blocks SELECT max(pos) + 1, ?1 FROM blocks", "default:stone", 0);
    run(db, "PRAGMA cache_size = 10; BEGIN; UPDATE blocks SET data = zeroblob(length(data))");
    copy_file(path, copy);
    copy_file(journal, copied_journal);
    run(db, "ROLLBACK");
    sqlite3_close(db);
    refused(copy, NULL, VP_E_IO,
            "a write to it was not finished, and its -journal file is to undo it; make a copy with "
            "sqlite3 and .backup");
    db = open_map(copy); /* sqlite3 does the same for .backup */
    run(db, "SELECT count(*) FROM blocks");
    sqlite3_close(db);
    accepted(copy, NULL, "2 204800 default:stone\n");
    remove(path);
    remove(copy);
}

/* ---- contents ---- */

TEST(test_twice)
{
    for (int way = 0; way < 4; way++) {
        const bool order = way % 2 == 1, three_keys = way / 2 == 1;
        const char *insert = three_keys ? "INSERT INTO blocks VALUES (0, 0, 0, ?1)" : "INSERT INTO blocks VALUES (0, ?1)";
        sqlite3 *db =
            new_map(path, three_keys ? "CREATE TABLE blocks (x INT, y INT, z INT, data BLOB)" : "CREATE TABLE blocks (pos INT, data BLOB)");
        store(db, insert, order ? "default:dirt" : "default:stone", 0);
        accepted(path, NULL, order ? "2 4096 default:dirt\n" : "2 4096 default:stone\n");
        store(db, insert, order ? "default:stone" : "default:dirt", 0);
        refused(path, NULL, VP_E_FORMAT, "map block (0, 0, 0) is stored more than once");
        sqlite3_close(db);
    }
    remove(path);
}

/* Every node has a name of its own, the second of two first. The note must stay small enough for a world file. */
TEST(test_names)
{
    enum { BLOCKS = 16, NAMES = BLOCKS * 4096 };
    static char text[4096][16];
    static block_name name[4096];
    static uint16_t node[4096];
    sqlite3 *db = new_map(path, "CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB); BEGIN");
    for (int b = 0; b < BLOCKS; b++) {
        writer w = {NULL, 0, 0};
        for (int i = 0; i < 4096; i++) {
            snprintf(text[i], sizeof text[i], "many:%05d", (b * 4096 + i) ^ 1);
            name[i] = (block_name){(uint32_t)i, text[i]};
            node[i] = (uint16_t)i;
        }
        put_block(&w, 28, name, 4096, node);
        assert_int_equal(run_with(db, "INSERT INTO blocks SELECT count(*), ?1 FROM blocks", &w), SQLITE_DONE);
        writer_drop(&w);
    }
    run(db, "COMMIT");
    vp_blob note = {0};
    vp_world *world = import_map(path, NULL, &note);
    const char *at = strstr((const char *)note.bytes, "name:\n");
    assert_non_null(at);
    at += 6;
    int reported = 0;
    for (; at[0] != '.'; reported++) {
        char line[40];
        int length = snprintf(line, sizeof line, "%d 1 many:%05d\n", reported < 253 ? reported + 2 : 255, reported);
        if (reported == NAMES || strncmp(at, line, (size_t)length) != 0)
            fail_msg("line %d of the names is %.40s", reported, at);
        at += length;
    }
    char end[60];
    snprintf(end, sizeof end, "... and %d more names\n", NAMES - reported);
    assert_string_equal(at, end);
    assert_true(reported > 30000);
    for (int i = 0; i < NAMES; i += 37) {
        int number = i ^ 1, b = i / 4096, n = i % 4096;
        assert_int_equal(material(world, b * 16 + n % 16, n / 16 % 16, n / 256), number < 253 ? number + 2 : 255);
    }
    vp_blob file = {0};
    assert_ok(vp_world_encode(world, (const char *)note.bytes, NULL, &file, &error));
    vp_blob_destroy(&file);
    vp_blob_destroy(&note);
    vp_world_destroy(world);
    store(db, "INSERT INTO blocks VALUES (16, ?1)", "one:more", 0);
    sqlite3_close(db);
    refused(path, NULL, VP_E_FORMAT, "more than 65536 node names in the region");
    remove(path);
}

#else

TEST(test_nothing) /* this build cannot make or open a map */
{
    skip();
}

#endif
