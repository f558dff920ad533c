/* SPDX-License-Identifier: MIT */
/* Luanti maps made to take forever: blocks that unpack to far more than their size, tables without an index or with computed columns, trees
 * whose pages are visited repeatedly, and a pipe instead of a file. Each is refused quickly, and the most similar valid map is read. An
 * alarm ends a test that hangs. */
#define _XOPEN_SOURCE 700
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/writer.h"

#include <voxphys/import.h>
#include "import/luanti_block.h"

static const char path[] = "test_luanti_harm.tmp.sqlite";

TEST(test_pipe)
{
    vp_world *world = NULL;
    vp_import_def o = vp_import_defaults();
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

/* ---- blocks that unpack to too much ---- */

static void put_bits(writer *w, uint32_t code, int bits, int *free_bits)
{
    for (int i = bits - 1; i >= 0; i--) { /* the bits of a Huffman code are stored highest first, in bytes filled from the lowest bit */
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

enum { MAX = (8 << 20) / 258 - 16 }; /* slightly less than 8 MiB */

TEST(test_metadata)
{
    static vp_luanti_block block;
    const vp_allocator allocator = vp_allocator_default();
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, MAX);
    assert_ok(vp_luanti_block_decode(w.bytes, w.size, &allocator, &block, &error));
    assert_int_equal(block.unpacked, 16384 + 1 + 258 * MAX);
    assert_string_equal(block.name[block.node[77]].name, "default:stone");
    vp_luanti_block_destroy(&block);
    writer_drop(&w);
    put_heavy_block(&w, MAX + 32);
    assert_refused(vp_luanti_block_decode(w.bytes, w.size, &allocator, &block, &error), VP_E_FORMAT,
                   "the metadata unpack to more than 8388608 bytes");
    writer_drop(&w);
}

#endif

#if defined(VP_WITH_SQLITE) && defined(VP_WITH_ZLIB)
#include "tests/import/luanti_maps.h"

/* ---- maps ---- */

#define POS     "CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)"
#define BARE    "CREATE TABLE blocks (pos INT, data BLOB)"
#define AT_ZERO "INSERT INTO blocks VALUES (0, ?1)"

static vp_import_def region(int x, uint32_t size_x, uint32_t size_y, uint32_t size_z)
{
    vp_import_def o = vp_import_defaults();
    o.luanti_low = (vp_ivec3){x, 0, 0};
    o.luanti_size = (vp_dims){size_x, size_y, size_z};
    return o;
}

static void put_rows(sqlite3 *db, const char *sql, int first, int last, const writer *blob)
{
    char all[300];
    snprintf(all, sizeof all, "WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) %s", first, last, sql);
    assert_int_equal(run_with(db, all, blob), SQLITE_DONE);
}

/* No single block is too large, but their sum is. Both passes over the map read them, and each may unpack 256 MiB. */
TEST(test_sum)
{
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, MAX);
    sqlite3 *db = new_map(path, POS);
    put_rows(db, "INSERT INTO blocks SELECT i, ?1 FROM n", 0, 17, &w);
    accepted(path, NULL, "default:stone");
    put_rows(db, "INSERT INTO blocks SELECT i, ?1 FROM n", 18, 40, &w);
    refused(path, NULL, VP_E_FORMAT,
            "map block (31, 0, 0): beyond 65536 bytes each, the blocks up to here have 268938208; " /* 32 * 8404319 */
            "at most 268435456 are read");
    sqlite3_close(db);
    writer_drop(&w);
    remove(path);
}

/* One block at 0 0 0, and 20,000 rows elsewhere. */
TEST(test_index)
{
#define FAR   "INSERT INTO blocks SELECT 1000 * 4096 + i, x'00' FROM n"
#define FAR3  "INSERT INTO blocks SELECT 0, i % 1000 + 20, i / 1000, x'00' FROM n"
#define ZERO3 "INSERT INTO blocks VALUES (0, 0, 0, ?1)"
    static const struct {
        const char *table, *block, *others;
        bool indexed;
    } maps[] = {
        {POS, AT_ZERO, FAR, true},
        {"CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB)", AT_ZERO, FAR, true},
        {BARE, AT_ZERO, FAR, false},
        {"CREATE TABLE blocks (x INT, y INT, z INT, data BLOB, PRIMARY KEY (x, z, y))", ZERO3, FAR3, true},
        {"CREATE TABLE blocks (x INT, y INT, z INT, data BLOB)", ZERO3, FAR3, false},
        {"CREATE TABLE blocks (x INT, y INT, z INT, data BLOB); CREATE INDEX not_enough ON blocks (x)", ZERO3, FAR3, false},
    };
    vp_import_def o = region(0, 16, 256, 2048);
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, 1);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        sqlite3 *db = new_map(path, maps[i].table);
        assert_int_equal(run_with(db, maps[i].block, &w), SQLITE_DONE);
        put_rows(db, maps[i].others, 0, 20000, &w);
        sqlite3_close(db);
        if (maps[i].indexed)
            accepted(path, &o, "default:stone");
        else
            refused(path, &o, VP_E_FORMAT, "reading takes more steps than a map of ");
    }
    /* A small map needs no index. The largest region of it is not too much either. */
    sqlite3 *db = new_map(path, BARE);
    assert_int_equal(run_with(db, AT_ZERO, &w), SQLITE_DONE);
    sqlite3_close(db);
    o = region(0, 64, 64, 64);
    accepted(path, &o, "default:stone");
    o = region(1024, 2048, 256, 2048);
    refused(path, &o, VP_E_FORMAT, "no block of the region from (1024, 0, 0), 2048 x 256 x 2048, is stored");
    writer_drop(&w);
    remove(path);
}

TEST(test_computed)
{
    static const char *const tables[] = {
        "CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB AS (zeroblob(100))); INSERT INTO blocks VALUES (0)",
        "CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB AS (zeroblob(100)) STORED); INSERT INTO blocks VALUES (0)",
        "CREATE TABLE blocks (x INT, y INT, z INT AS (x), data BLOB, PRIMARY KEY (x, y)); INSERT INTO blocks VALUES (0, 0, x'00')"};
    for (int i = 0; i < 3 && sqlite3_libversion_number() >= 3031000; i++) { /* older versions have no computed columns */
        sqlite3_close(new_map(path, tables[i]));
        refused(path, NULL, VP_E_FORMAT, "the table blocks has computed columns");
    }
    remove(path);
}

/* ---- trees of pages, as documented in sqlite's file format ---- */

static size_t read_pages(uint8_t *file, size_t most)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(file, 1, most, f);
    fclose(f);
    return size;
}

/* `pages` is the number of pages in the file. */
static void write_pages(uint8_t *file, size_t size, uint32_t pages)
{
    file[30] = (uint8_t)(pages >> 8);
    file[31] = (uint8_t)pages;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, size, f), size);
    fclose(f);
}

/* An inner page of a table with `cells` cells and a right-most pointer, which all lead to one page. */
static void put_inner_page(uint8_t *page, int bytes, int cells, uint32_t next)
{
    const int first = bytes - cells * 5;
    memset(page, 0, (size_t)bytes);
    page[0] = 5;
    page[4] = (uint8_t)cells;
    page[5] = (uint8_t)(first >> 8);
    page[6] = (uint8_t)first;
    page[10] = (uint8_t)(next >> 8);
    page[11] = (uint8_t)next;
    for (int c = 0; c < cells; c++) {
        const int at = bytes - (c + 1) * 5; /* four bytes of a page, one of a key */
        page[12 + 2 * c] = (uint8_t)(at >> 8);
        page[12 + 2 * c + 1] = (uint8_t)at;
        page[at + 2] = (uint8_t)(next >> 8);
        page[at + 3] = (uint8_t)next;
    }
}

/* A table of one row whose pages are `LEVELS` inner pages, each with 101 pointers to the next one, and the leaf. A full walk visits the row
 * 101^LEVELS times. */
TEST(test_pages)
{
    enum { PAGE = 1024, LEVELS = 8 };
    uint8_t file[(2 + LEVELS) * PAGE] = {0};
    sqlite3_close(new_map(path, "PRAGMA page_size = 1024; CREATE TABLE blocks (pos INTEGER PRIMARY KEY, data BLOB);"
                                "INSERT INTO blocks VALUES (0, x'00')"));
    assert_int_equal(read_pages(file, sizeof file), 2 * PAGE); /* the schema, and the table's root, a leaf */
    memcpy(file + (2 + LEVELS - 1) * PAGE, file + PAGE, PAGE); /* the leaf becomes the last page */
    for (int level = 0; level < LEVELS; level++)
        put_inner_page(file + (1 + level) * PAGE, PAGE, 100, (uint32_t)level + 3); /* pages count from 1 */
    write_pages(file, sizeof file, 2 + LEVELS);
    refused(path, NULL, VP_E_FORMAT, "reading takes more steps than a map of 10240 bytes needs");
    remove(path);
}

/* A row whose key follows 400,000 bytes, so that sqlite reads all their pages to find it. That is harmless in a map of one row, but not if
 * inner pages lead to the one leaf 61^2 times. */
TEST(test_chain)
{
    enum { PAGE = 512, CELLS = 60, LONG = 400000 };
    vp_import_def here = region(80, 16, 16, 16), there = region(160, 16, 16, 16);
    writer w = {NULL, 0, 0};
    put_heavy_block(&w, 1);
    while (w.size < LONG)
        put_u8(&w, 0); /* after a block, where it is not read */
    sqlite3 *db = new_map(path, "PRAGMA page_size = 512; CREATE TABLE blocks (data BLOB, pos INT)");
    assert_int_equal(run_with(db, "INSERT INTO blocks VALUES (?1, 5)", &w), SQLITE_DONE); /* a key of 0 would take no bytes */
    sqlite3_close(db);
    accepted(path, NULL, "default:stone");
    accepted(path, &here, "default:stone");
    writer_drop(&w);
    static uint8_t file[LONG + 40 * PAGE];
    const size_t size = read_pages(file, sizeof file);
    assert_true(size > LONG && size % PAGE == 0 && size + 2 * PAGE <= sizeof file);
    const uint32_t pages = (uint32_t)(size / PAGE);
    memcpy(file + size, file + PAGE, PAGE); /* the former root, a leaf, moves to the end */
    put_inner_page(file + size + PAGE, PAGE, CELLS, pages + 1);
    put_inner_page(file + PAGE, PAGE, CELLS, pages + 2);
    write_pages(file, size + 2 * PAGE, pages + 2);
    refused(path, NULL, VP_E_FORMAT, "reading takes more pages than a map of ");
    refused(path, &there, VP_E_FORMAT, "reading takes more pages than a map of ");
    refused(path, &here, VP_E_FORMAT, "map block (5, 0, 0) is stored more than once");
    remove(path);
}
#endif
