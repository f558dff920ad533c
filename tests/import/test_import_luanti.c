/* SPDX-License-Identifier: MIT */
/* The Luanti importer: map blocks made byte by byte (support/writer.h), a map made of them, and expectations typed by hand. */
#include <stdbool.h>
#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/writer.h"

#include <voxphys/import.h>
#include "import/luanti_block.h"
#include "import/luanti_names.h"

/* Air, one water node at (1, 2, 3), rock in the layer y = 0, and a lily on the water. */
static const block_name names[] = {{0, "default:stone"}, {7, "air"}, {0x1234, "default:water_source"}, {9, "flowers:waterlily"}};

static void fill(uint16_t node[4096])
{
    for (int i = 0; i < 4096; i++)
        node[i] = i / 16 % 16 == 0 ? 0 : 7;
    node[3 * 256 + 2 * 16 + 1] = 0x1234;
    node[3 * 256 + 3 * 16 + 1] = 9;
}

static vp_status decode(const writer *w, vp_luanti_block *block, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *copy = malloc(w->size != 0 ? w->size : 1); /* exact, for the sanitizer */
    assert_non_null(copy);
    if (w->size != 0)
        memcpy(copy, w->bytes, w->size);
    vp_status status = vp_luanti_block_decode(copy, w->size, &allocator, block, error);
    free(copy);
    return status;
}

static bool version_is_built(int version)
{
#ifndef VP_WITH_ZSTD
    if (version == 29)
        return false;
#endif
#ifndef VP_WITH_ZLIB
    if (version < 29)
        return false;
#endif
    return version > 0;
}

TEST(test_blocks)
{
    uint16_t node[4096];
    fill(node);
    for (int version = 25; version <= 29; version++) {
        if (!version_is_built(version))
            continue;
        writer w = {NULL, 0, 0};
        put_block(&w, version, names, 4, node);
        static vp_luanti_block block;
        assert_ok(decode(&w, &block, &error));
        assert_int_equal(block.name_count, 4);
        for (int i = 0; i < 4096; i++) {
            const char *expected = i == 3 * 256 + 33   ? "default:water_source"
                                   : i == 3 * 256 + 49 ? "flowers:waterlily"
                                   : i / 16 % 16 == 0  ? "default:stone"
                                                       : "air";
            assert_string_equal(block.name[block.node[i]].name, expected);
        }
        vp_luanti_block_destroy(&block);
        writer_drop(&w);
    }
}

static void block_refused(int version, const block_name *name, uint32_t count, const uint16_t *node, const char *why)
{
    static vp_luanti_block block;
    if (!version_is_built(version))
        return;
    writer w = {NULL, 0, 0};
    put_block(&w, version, name, count, node);
    assert_refused(decode(&w, &block, &error), VP_E_FORMAT, why);
    writer_drop(&w);
}

TEST(test_bad_blocks)
{
    static uint16_t node[4096]; /* all 0 */
    static char longest[300];
    memset(longest, 'a', 256);
    static const block_name other[] = {{1, "air"}}, same[] = {{0, "air"}, {0, "b"}}, space[] = {{0, "a b"}}, empty[] = {{0, ""}};
    const block_name too_long[] = {{0, longest}};
    for (int version = 28; version <= 29; version++) {
        block_refused(version, other, 1, node, "node 0 has id 0, which the block gives no name");
        block_refused(version, same, 2, node, "node id 0 has two names, air and b");
        block_refused(version, space, 1, node, "0x20 in a node name");
        block_refused(version, empty, 1, node, "a node name of 0 bytes");
        block_refused(version, too_long, 1, node, "a node name of 256 bytes");
        block_refused(version, other, 0, node, "0 node names");
    }
    static vp_luanti_block block;
    writer w = {NULL, 0, 0};
    assert_refused(decode(&w, &block, &error), VP_E_FORMAT, "the block is empty");
    for (uint32_t version = 0; version < 256; version++) {
        char why[64];
        snprintf(why, sizeof why, "a map block of version %u", version);
        w.size = 0;
        put_u8(&w, version);
        if (version < 25 || version > 29)
            assert_refused(decode(&w, &block, &error), VP_E_FORMAT, why);
    }
    writer_drop(&w);
}

TEST(test_names)
{
    static const struct {
        int class;
        const char *name[9];
    } of[] = {{VP_AIR,
               {"air", "ignore", "flowers:waterlily_waving", "default:grass_3", "default:junglegrass", "default:torch_wall",
                "default:aspen_sapling", "farming:wheat_8"}},
              {VP_WATER, {"default:water_source", "default:river_water_flowing", "default:lava_source", "mcl_core:water_source"}},
              {VP_FIRST_SOLID,
               {"default:stone", "default:dirt_with_grass", "default:snow", "airship:hull", "bucket:bucket_water", "default:sand_with_kelp",
                "farming:soil", "x", "default:ice"}}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 9 && of[i].name[k] != NULL; k++)
            assert_int_equal(vp_luanti_class(of[i].name[k]), of[i].class);
}

#if defined(VP_WITH_SQLITE) && defined(VP_WITH_ZLIB) && defined(VP_WITH_ZSTD)
#include "tests/import/luanti_maps.h"

static const char path[] = "test_import_luanti.tmp.sqlite";
#define POS "CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)"
#define XYZ "CREATE TABLE blocks (x INT, y INT, z INT, data BLOB, PRIMARY KEY (x, z, y))"

/* A map with two blocks: the upper one in the corner (0, 0, 0), in version 29, and one of dirt at (-1, -2, -3), in version 28. */
static void make_map(bool three_keys)
{
    uint16_t node[4096];
    static const uint16_t all_dirt[4096];
    static const block_name dirt[] = {{0, "default:dirt"}, {1, "not:used"}};
    writer a = {NULL, 0, 0}, b = {NULL, 0, 0};
    fill(node);
    put_block(&a, 29, names, 4, node);
    put_block(&b, 28, dirt, 2, all_dirt);
    sqlite3 *db = new_map(path, three_keys ? XYZ : POS);
    assert_int_equal(run_with(db, three_keys ? "INSERT INTO blocks VALUES (0, 0, 0, ?1)" : "INSERT INTO blocks VALUES (0, ?1)", &a),
                     SQLITE_DONE);
    assert_int_equal(
        run_with(db,
                 three_keys ? "INSERT INTO blocks VALUES (-1, -2, -3, ?1)" : "INSERT INTO blocks VALUES (-3 * 16777216 - 2 * 4096 - 1, ?1)",
                 &b),
        SQLITE_DONE);
    sqlite3_close(db);
    writer_drop(&a);
    writer_drop(&b);
}

static void expect_map(const vp_import_def *o, const char *note, vp_dims size, const int of[][4], size_t count)
{
    vp_world *world = NULL;
    vp_blob got = {0};
    assert_ok(vp_import_file(path, o, &world, &got, &error));
    assert_string_equal(got.bytes, note);
    const vp_dims s = vp_world_size(world);
    assert_true(s.x == size.x && s.y == size.y && s.z == size.z);
    for (size_t i = 0; i < count; i++)
        if (material(world, of[i][0], of[i][1], of[i][2]) != of[i][3])
            fail_msg("(%d, %d, %d) is not of material %d", of[i][0], of[i][1], of[i][2], of[i][3]);
    vp_blob_destroy(&got);
    vp_world_destroy(world);
}

TEST(test_map)
{
    static const int all[][4] = {{0, 0, 0, 2},    {15, 15, 15, 2}, {16, 15, 15, 0}, {16, 32, 48, 3},
                                 {31, 32, 63, 3}, {17, 34, 51, 1}, {17, 35, 51, 0}};
    /* a part of the map. Materials have other numbers, because dirt is not in it. Outside the part is air, although the map has rock */
    static const int part[][4] = {{0, 1, 0, 2}, {2, 1, 12, 2}, {0, 0, 0, 0}, {0, 3, 0, 1}, {3, 1, 0, 0}, {0, 1, 13, 0}};
    vp_import_def o = vp_import_defaults();
    o.luanti_low = (vp_ivec3){1, -1, 3};
    o.luanti_size = (vp_dims){3, 5, 13};
    for (int three_keys = 0; three_keys < 2; three_keys++) {
        make_map(three_keys != 0);
        expect_map(NULL,
                   "Luanti map, nodes from (-16, -32, -48), 32 x 48 x 64; 2 of 24 map blocks are stored\n"
                   "material, nodes, name:\n0 3838 air\n2 4096 default:dirt\n3 256 default:stone\n"
                   "1 1 default:water_source\n0 1 flowers:waterlily\n",
                   (vp_dims){32, 48, 64}, all, sizeof all / sizeof all[0]);
        expect_map(&o,
                   "Luanti map, nodes from (1, -1, 3), 3 x 5 x 13; 1 of 2 map blocks are stored\n"
                   "material, nodes, name:\n0 115 air\n2 39 default:stone\n1 1 default:water_source\n"
                   "0 1 flowers:waterlily\n",
                   (vp_dims){8, 8, 16}, part, sizeof part / sizeof part[0]);
    }
    remove(path);
}

TEST(test_bad_regions)
{
    static const struct {
        vp_ivec3 low;
        vp_dims size;
        const char *why;
    } of[] = {{{0, 0, 0}, {16, 0, 16}, "a region of 0 nodes along y"},
              {{0, 0, 0}, {16, 257, 16}, "a region of 257 nodes along y"},
              {{0, 0, 0}, {16, 16, 2049}, "a region of 2049 nodes along z"},
              {{32753, 0, 0}, {16, 16, 16}, "a region from 32753 of 16 nodes along x"},
              {{0, INT32_MIN, 0}, {16, 16, 16}, "a region from -2147483648 of 16 nodes along y"},
              {{160, 0, 0}, {16, 16, 16}, "no block of the region from (160, 0, 0)"}};
    make_map(false);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        vp_import_def o = vp_import_defaults();
        o.luanti_low = of[i].low;
        o.luanti_size = of[i].size;
        refused(path, &o, of[i].low.x == 160 ? VP_E_FORMAT : VP_E_ARGUMENT, of[i].why);
    }
    remove(path);
}

/* Successive changes to a map, and the error of each. */
static const struct {
    const char *sql, *why;
} bad_keys[] =
    {
        {"UPDATE blocks SET data = substr(data, 1, 100) WHERE pos = 0", "map block (0, 0, 0): byte "},
        {"UPDATE blocks SET data = 5 WHERE pos = 0", "the data of map block (0, 0, 0) is not a blob"},
        {"UPDATE blocks SET data = x'' WHERE pos = 0", "map block (0, 0, 0): byte 0: the block is empty"},
        {"UPDATE blocks SET pos = 1099511627776 WHERE pos = 0", "key 1099511627776"},
        {"UPDATE blocks SET pos = 9223372036854775807 WHERE pos = 1099511627776", "key 9223372036854775807"},
        {"UPDATE blocks SET pos = -9223372036854775807 WHERE pos > 0", "key -9223372036854775807"},
        {"UPDATE blocks SET pos = 68719476736 WHERE pos < -9000000000000000000", "key 68719476736"},
        {"UPDATE blocks SET pos = 34359738368 WHERE pos > 0", "key 34359738368"},
        {"UPDATE blocks SET pos = 'x' WHERE pos = 34359738368", "a value of the column pos of the table blocks is not an integer"},
        {"UPDATE blocks SET pos = 2047 WHERE pos = 'x'", "a region of 32784 nodes along x, from -16"},
        {"DELETE FROM blocks", "the map has no blocks"},
        {"DROP TABLE blocks; CREATE VIEW blocks AS WITH RECURSIVE n(pos) AS (SELECT 1 UNION ALL SELECT pos FROM n) "
         "SELECT pos, x'' AS data FROM n", /* would never end */
         "has no table named blocks"},
},
  bad_coordinates[] = {
      {"UPDATE blocks SET y = 2048 WHERE y = 0", "block coordinate 2048 in the map; -2048 to 2047 can be"},
      {"UPDATE blocks SET y = -9223372036854775808 WHERE y = 2048", "block coordinate -9223372036854775808 in the map"},
      {"UPDATE blocks SET y = 1.5 WHERE y < -2048", "a value of the column y of the table blocks is not an integer"},
      {"DROP TABLE blocks; CREATE TABLE blocks (a INT, data BLOB)", "neither a column pos nor x, y and z"},
};

static void change_map(const char *sql, const char *why)
{
    sqlite3 *db = open_map(path);
    run(db, sql);
    sqlite3_close(db);
    refused(path, NULL, strstr(why, "a region") != NULL ? VP_E_ARGUMENT : VP_E_FORMAT, why);
}

TEST(test_bad_maps)
{
    make_map(false);
    for (size_t i = 0; i < sizeof bad_keys / sizeof bad_keys[0]; i++)
        change_map(bad_keys[i].sql, bad_keys[i].why);
    make_map(true);
    for (size_t i = 0; i < sizeof bad_coordinates / sizeof bad_coordinates[0]; i++)
        change_map(bad_coordinates[i].sql, bad_coordinates[i].why);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("SQLite format 3", f);
    for (int i = 0; i < 2000; i++)
        fputc(i % 251, f);
    fclose(f);
    refused(path, NULL, VP_E_FORMAT, "sqlite");
    remove(path);
    refused(path, NULL, VP_E_IO, path);
}

#else

TEST(test_no_map)
{
    vp_world *world = NULL;
    vp_import_def o = vp_import_defaults();
    o.format = VP_IMPORT_LUANTI;
    assert_true(vp_import_file("none", &o, &world, NULL, NULL) != VP_OK);
}

#endif
