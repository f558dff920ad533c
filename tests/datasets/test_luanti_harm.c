/* SPDX-License-Identifier: MIT */
/* Luanti maps that are made to take for ever: blocks that unpack to far more than they are, tables that have no index
   or compute what they hold, trees of pages that are gone through again and again, and a pipe instead of a file. Each is
   refused soon, and the sound map that is most like it is read. A test that hangs is ended by the alarm. */
#define _XOPEN_SOURCE 700
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/writer.h"

#include "datasets/import/import.h"
#include "datasets/import/luanti_block.h"

static const char path[] = "test_luanti_harm.tmp.sqlite";

static void test_pipe(void **state)
{
    (void)state;
    vp_world *world = NULL;
    vp_import_options o = vp_import_defaults();
    o.format = VP_IMPORT_LUANTI;
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(60);
#ifdef VP_WITH_SQLITE
    assert_refused(vp_import_luanti(path, NULL, &world, NULL, &error), VP_E_IO, "test_luanti_harm.tmp.sqlite is not a regular file");
    assert_refused(vp_import_file(path, &o, &world, NULL, &error), VP_E_IO, "not a regular file");
#endif
    assert_refused(vp_import_file(path, NULL, &world, NULL, &error), VP_E_IO, "not a regular file");
    alarm(0);
    assert_null(world);
    remove(path);
}

#ifdef VP_WITH_ZLIB

/* ---- blocks that unpack to much ---- */

static void put_bits(writer *w, uint32_t code, int bits, int *free_bits)
{
    for (int i = bits - 1; i >= 0; i--) { /* the bits of a Huffman code come highest first, into bytes lowest first */
        if (*free_bits == 0) {
            put_u8(w, 0);
            *free_bits = 8;
        }
        w->bytes[w->size - 1] |= (uint8_t)((code >> i & 1) << (8 - *free_bits));
        --*free_bits;
    }
}

/* A zlib stream of 1 + 258*n zero bytes, in 1.6*n bytes: a zero, and n times 258 bytes at a distance of 1. */
static void put_zeros(writer *w, uint32_t n)
{
    int free_bits = 0;
    uint32_t bytes = 1 + 258 * n;
    put(w, "\x78\x01", 2);
    put_bits(w, 1, 1, &free_bits); /* the last block, */
    put_bits(w, 2, 2, &free_bits); /* of fixed codes: the number 1, lowest bit first */
    put_bits(w, 0x30, 8, &free_bits);
    for (uint32_t i = 0; i < n; i++) {
        put_bits(w, 0xc5, 8, &free_bits); /* 285: 258 bytes */
        put_bits(w, 0, 5, &free_bits);    /* from one byte back */
    }
    put_bits(w, 0, 7, &free_bits); /* the end */
    put_be32(w, bytes % 65521 << 16 | 1);
}

static const uint16_t all_rock[4096];
static const block_name rock[] = {{0, "default:stone"}};

/* A block of version 28 of rock, whose metadata are zeros. */
static void put_heavy_block(writer *w, uint32_t n)
{
    writer nodes = {NULL, 0, 0};
    put_u8(w, 28);
    put_u8(w, 0);
    put_be16(w, 0xffff);
    put_u8(w, 2);
    put_u8(w, 2);
    put_block_nodes(&nodes, all_rock);
    put_zlib(w, nodes.bytes, nodes.size);
    put_zeros(w, n);
    put_u8(w, 0);
    put_be16(w, 0);
    put_be32(w, 0);
    put_block_names(w, rock, 1);
    writer_drop(&nodes);
}

enum { MAX = (8 << 20) / 258 - 16 }; /* hardly less than 8 MiB */

static void test_metadata(void **state)
{
    (void)state;
    static vp_luanti_block block;
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, MAX);
    assert_ok(vp_luanti_block_decode(w.bytes, w.size, &block, &error));
    assert_int_equal(block.unpacked, 16384 + 1 + 258 * MAX);
    assert_string_equal(block.name[block.node[77]].name, "default:stone");
    vp_luanti_block_destroy(&block);
    writer_drop(&w);
    put_heavy_block(&w, MAX + 32);
    assert_refused(vp_luanti_block_decode(w.bytes, w.size, &block, &error), VP_E_FORMAT, "the metadata unpack to more than 8388608 bytes");
    writer_drop(&w);
}

#endif

#if defined(VP_WITH_SQLITE) && defined(VP_WITH_ZLIB)
#include <sqlite3.h>

/* ---- maps ---- */

static sqlite3 *new_map(const char *table)
{
    sqlite3 *db = NULL;
    remove(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, table, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", table, message);
    return db;
}

static void run(sqlite3 *db, const char *sql, const writer *blob)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    if (blob != NULL)
        sqlite3_bind_blob(statement, 1, blob->bytes, (int)blob->size, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_finalize(statement);
}

static vp_import_options region(int x, uint32_t size_x, uint32_t size_y, uint32_t size_z)
{
    vp_import_options o = vp_import_defaults();
    o.region_low = (vp_ivec3){x, 0, 0};
    o.region_size = (vp_dims){size_x, size_y, size_z};
    return o;
}

static void refused(const vp_import_options *o, const char *why)
{
    vp_world *world = NULL;
    char whole[200];
    snprintf(whole, sizeof whole, "%s: %s", path, why);
    alarm(60);
    assert_refused(vp_import_luanti(path, o, &world, NULL, &error), VP_E_FORMAT, whole);
    alarm(0);
    assert_null(world);
}

static void accepted(const vp_import_options *o)
{
    vp_world *world = NULL;
    alarm(60);
    assert_ok(vp_import_luanti(path, o, &world, NULL, &error));
    alarm(0);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){0, 0, 0}).material, 2);
    vp_world_destroy(world);
}

/* No block is too heavy, all together are. Both passes over the map read them, and each may have 256 MiB. */
static void test_sum(void **state)
{
    (void)state;
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, MAX);
    sqlite3 *db = new_map("CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)");
    run(db,
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 17) "
        "INSERT INTO blocks SELECT i, ?1 FROM n",
        &w);
    accepted(NULL);
    run(db,
        "WITH RECURSIVE n(i) AS (SELECT 18 UNION ALL SELECT i + 1 FROM n WHERE i < 40) "
        "INSERT INTO blocks SELECT i, ?1 FROM n",
        &w);
    refused(NULL, "map block (31, 0, 0): beyond 65536 bytes each, the blocks up to here have 268938208; " /* 32 * 8404319 */
                  "at most 268435456 are read");
    sqlite3_close(db);
    writer_drop(&w);
    remove(path);
}

/* One block at 0 0 0, and 20,000 rows elsewhere. */
static void test_index(void **state)
{
    (void)state;
    static const struct {
        const char *table, *block, *others;
        bool indexed;
    } maps[] = {
        {"CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)", "INSERT INTO blocks VALUES (0, ?1)",
         "INSERT INTO blocks SELECT 1000 * 4096 + i, x'00' FROM n", true},
        {"CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB)", "INSERT INTO blocks VALUES (0, ?1)",
         "INSERT INTO blocks SELECT 1000 * 4096 + i, x'00' FROM n", true},
        {"CREATE TABLE blocks (pos INT, data BLOB)", "INSERT INTO blocks VALUES (0, ?1)",
         "INSERT INTO blocks SELECT 1000 * 4096 + i, x'00' FROM n", false},
        {"CREATE TABLE blocks (x INT, y INT, z INT, data BLOB, PRIMARY KEY (x, z, y))", "INSERT INTO blocks VALUES (0, 0, 0, ?1)",
         "INSERT INTO blocks SELECT 0, i % 1000 + 20, i / 1000, x'00' FROM n", true},
        {"CREATE TABLE blocks (x INT, y INT, z INT, data BLOB)", "INSERT INTO blocks VALUES (0, 0, 0, ?1)",
         "INSERT INTO blocks SELECT 0, i % 1000 + 20, i / 1000, x'00' FROM n", false},
        {"CREATE TABLE blocks (x INT, y INT, z INT, data BLOB); CREATE INDEX not_enough ON blocks (x)",
         "INSERT INTO blocks VALUES (0, 0, 0, ?1)", "INSERT INTO blocks SELECT 0, i % 1000 + 20, i / 1000, x'00' FROM n", false},
    };
    vp_import_options o = region(0, 16, 256, 2048);
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, 1);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        char sql[300];
        sqlite3 *db = new_map(maps[i].table);
        run(db, maps[i].block, &w);
        snprintf(sql, sizeof sql, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) %s", maps[i].others);
        run(db, sql, NULL);
        sqlite3_close(db);
        if (maps[i].indexed)
            accepted(&o);
        else
            refused(&o, "reading takes more steps than a map of ");
    }
    /* A small map needs none, and the largest region of one is not too much. */
    sqlite3 *db = new_map("CREATE TABLE blocks (pos INT, data BLOB)");
    run(db, "INSERT INTO blocks VALUES (0, ?1)", &w);
    sqlite3_close(db);
    o = region(0, 64, 64, 64);
    accepted(&o);
    o = region(1024, 2048, 256, 2048);
    refused(&o, "no block of the region from (1024, 0, 0), 2048 x 256 x 2048, is stored");
    writer_drop(&w);
    remove(path);
}

static void test_computed(void **state)
{
    (void)state;
    if (sqlite3_libversion_number() < 3031000) /* knows no computed columns */
        return;
    sqlite3_close(new_map("CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB AS (zeroblob(100)));"
                          "INSERT INTO blocks VALUES (0)"));
    refused(NULL, "the table blocks has computed columns");
    sqlite3_close(new_map("CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB AS (zeroblob(100)) STORED);"
                          "INSERT INTO blocks VALUES (0)"));
    refused(NULL, "the table blocks has computed columns");
    sqlite3_close(new_map("CREATE TABLE blocks (x INT, y INT, z INT AS (x), data BLOB, PRIMARY KEY (x, y));"
                          "INSERT INTO blocks VALUES (0, 0, x'00')"));
    refused(NULL, "the table blocks has computed columns");
    remove(path);
}

/* A table of one row whose pages are: `LEVELS` inner pages, each of which names the next one 101 times, and the leaf.
   Who walks through it meets the row 101^LEVELS times. Pages as sqlite describes them in its file format. */
static void test_pages(void **state)
{
    (void)state;
    enum { PAGE = 1024, LEVELS = 8, CELLS = 100 };
    sqlite3_close(new_map("PRAGMA page_size = 1024; CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB);"
                          "INSERT INTO blocks VALUES (0, x'00')"));
    uint8_t file[(2 + LEVELS) * PAGE] = {0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(file, 1, sizeof file, f), 2 * PAGE); /* the schema; the table's root, a leaf */
    fclose(f);
    memcpy(file + (2 + LEVELS - 1) * PAGE, file + PAGE, PAGE); /* the leaf becomes the last page */
    for (int level = 0; level < LEVELS; level++) {
        uint8_t *page = file + (1 + level) * PAGE;
        uint8_t next = (uint8_t)(level + 3); /* pages count from 1 */
        memset(page, 0, PAGE);
        page[0] = 5;     /* an inner page of a table */
        page[4] = CELLS; /* of so many cells */
        page[5] = (PAGE - CELLS * 5) >> 8;
        page[6] = (PAGE - CELLS * 5) & 255;
        page[11] = next; /* behind the last cell */
        for (int c = 0; c < CELLS; c++) {
            int at = PAGE - (c + 1) * 5; /* four bytes of a page, one of a key */
            page[12 + 2 * c] = (uint8_t)(at >> 8);
            page[12 + 2 * c + 1] = (uint8_t)at;
            page[at + 3] = next;
        }
    }
    file[31] = 2 + LEVELS; /* how many pages the file has */
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, sizeof file, f), sizeof file);
    fclose(f);
    refused(NULL, "reading takes more steps than a map of 10240 bytes needs");
    remove(path);
}

/* An inner page of 512 bytes, of 61 cells that all lead to one page. */
static void put_inner_page(uint8_t *page, uint32_t next)
{
    enum { PAGE = 512, CELLS = 60 };
    memset(page, 0, PAGE);
    page[0] = 5;
    page[4] = CELLS;
    page[5] = (PAGE - CELLS * 5) >> 8;
    page[6] = (PAGE - CELLS * 5) & 255;
    page[10] = (uint8_t)(next >> 8);
    page[11] = (uint8_t)next;
    for (int c = 0; c < CELLS; c++) {
        int at = PAGE - (c + 1) * 5;
        page[12 + 2 * c] = (uint8_t)(at >> 8);
        page[12 + 2 * c + 1] = (uint8_t)at;
        page[at + 2] = (uint8_t)(next >> 8);
        page[at + 3] = (uint8_t)next;
    }
}

/* A row whose key is behind 400,000 bytes: sqlite goes through all their pages to find it. That does no harm in a map of
   one row, and much where inner pages lead to the one leaf 61^2 times. */
static void test_chain(void **state)
{
    (void)state;
    enum { PAGE = 512, LONG = 400000 };
    vp_import_options here = region(80, 16, 16, 16), there = region(160, 16, 16, 16);
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, 1);
    while (w.size < LONG)
        put_u8(&w, 0); /* behind a block, which is not read */
    sqlite3 *db = new_map("PRAGMA page_size = 512; CREATE TABLE blocks (data BLOB, pos INT)");
    run(db, "INSERT INTO blocks VALUES (?1, 5)", &w); /* a key of 0 would have no bytes */
    sqlite3_close(db);
    accepted(NULL);
    accepted(&here);
    writer_drop(&w);
    static uint8_t file[LONG + 40 * PAGE];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    assert_true(size > LONG && size % PAGE == 0 && size + 2 * PAGE <= sizeof file);
    uint32_t pages = (uint32_t)(size / PAGE);
    memcpy(file + size, file + PAGE, PAGE); /* the leaf, once the root, goes to the end */
    put_inner_page(file + size + PAGE, pages + 1);
    put_inner_page(file + PAGE, pages + 2);
    file[30] = (uint8_t)((pages + 2) >> 8);
    file[31] = (uint8_t)(pages + 2);
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, size + 2 * PAGE, f), size + 2 * PAGE);
    fclose(f);
    refused(NULL, "reading takes more pages than a map of ");
    refused(&there, "reading takes more pages than a map of ");
    refused(&here, "map block (5, 0, 0) is stored more than once");
    remove(path);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pipe),
#ifdef VP_WITH_ZLIB
        cmocka_unit_test(test_metadata),
#endif
#if defined(VP_WITH_SQLITE) && defined(VP_WITH_ZLIB)
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_computed),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_chain),
#endif
    };
    return cmocka_run_group_tests_name("luanti_harm", tests, NULL, NULL);
}
