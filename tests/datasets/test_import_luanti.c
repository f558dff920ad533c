/* SPDX-License-Identifier: MIT */
/* The Luanti importer: map blocks made byte by byte (support/writer.h), a map made of them, and expectations by hand. */
#include <stdbool.h>
#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/writer.h"

#include "datasets/import/import.h"
#include "datasets/import/luanti_block.h"
#include "datasets/import/luanti_names.h"

#ifdef VP_WITH_SQLITE
#include <sqlite3.h>
#endif

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
    uint8_t *copy = malloc(w->size != 0 ? w->size : 1); /* exact, for the sanitizer */
    assert_non_null(copy);
    if (w->size != 0)
        memcpy(copy, w->bytes, w->size);
    vp_status status = vp_luanti_block_decode(copy, w->size, block, error);
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

static void test_blocks(void **state)
{
    (void)state;
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

        /* Cut anywhere, also within what is behind the names of old versions; then with one wrong byte. */
        size_t whole = w.size, needed = version < 29 ? whole - 3 : whole; /* the timers are not read */
        for (size_t size = 0; size < needed; size += size < 64 || size + 200 > needed ? 1 : 61) {
            w.size = size;
            vp_error error;
            if (decode(&w, &block, &error) != VP_E_FORMAT)
                fail_msg("the first %zu of %zu bytes of version %d were accepted", size, whole, version);
        }
        w.size = whole;
        for (size_t at = 0; at < whole; at += at < 64 || at + 200 > whole ? 1 : 61)
            for (int bit = 0; bit < 8; bit++) {
                vp_error error;
                w.bytes[at] ^= (uint8_t)(1u << bit);
                if (decode(&w, &block, &error) == VP_OK) {
                    for (int i = 0; i < 4096; i++)
                        assert_true(block.node[i] < block.name_count);
                    vp_luanti_block_destroy(&block);
                }
                w.bytes[at] ^= (uint8_t)(1u << bit);
            }
        writer_drop(&w);
    }
}

static void refused(int version, const block_name *name, uint32_t count, const uint16_t *node, const char *why)
{
    static vp_luanti_block block;
    if (!version_is_built(version))
        return;
    writer w = {NULL, 0, 0};
    put_block(&w, version, name, count, node);
    assert_refused(decode(&w, &block, &error), VP_E_FORMAT, why);
    writer_drop(&w);
}

static void test_bad_blocks(void **state)
{
    (void)state;
    static uint16_t node[4096]; /* all 0 */
    static char longest[300];
    memset(longest, 'a', 256);
    static const block_name other[] = {{1, "air"}}, same[] = {{0, "air"}, {0, "b"}}, space[] = {{0, "a b"}}, empty[] = {{0, ""}};
    const block_name too_long[] = {{0, longest}};
    for (int version = 28; version <= 29; version++) {
        refused(version, other, 1, node, "node 0 has id 0, which the block gives no name");
        refused(version, same, 2, node, "node id 0 has two names, air and b");
        refused(version, space, 1, node, "0x20 in a node name");
        refused(version, empty, 1, node, "a node name of 0 bytes");
        refused(version, too_long, 1, node, "a node name of 256 bytes");
        refused(version, other, 0, node, "0 node names");
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

static void test_names(void **state)
{
    (void)state;
    static const char *const air[] = {"air",
                                      "ignore",
                                      "flowers:waterlily_waving",
                                      "default:grass_3",
                                      "default:junglegrass",
                                      "default:torch_wall",
                                      "default:aspen_sapling",
                                      "farming:wheat_8"};
    static const char *const water[] = {"default:water_source", "default:river_water_flowing", "default:lava_source",
                                        "mcl_core:water_source"};
    static const char *const solid[] = {"default:stone",       "default:dirt_with_grass", "default:snow", "airship:hull",
                                        "bucket:bucket_water", "default:sand_with_kelp",  "farming:soil", "x",
                                        "default:ice"};
    for (size_t i = 0; i < sizeof air / sizeof air[0]; i++)
        assert_int_equal(vp_luanti_class(air[i]), VP_AIR);
    for (size_t i = 0; i < sizeof water / sizeof water[0]; i++)
        assert_int_equal(vp_luanti_class(water[i]), VP_WATER);
    for (size_t i = 0; i < sizeof solid / sizeof solid[0]; i++)
        assert_int_equal(vp_luanti_class(solid[i]), VP_FIRST_SOLID);
}

#if defined(VP_WITH_SQLITE) && defined(VP_WITH_ZLIB) && defined(VP_WITH_ZSTD)

static const char path[] = "test_import_luanti.tmp.sqlite";

static void run(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
}

static void store(sqlite3 *db, bool three_keys, int x, int y, int z, const writer *w)
{
    char sql[128];
    if (three_keys)
        snprintf(sql, sizeof sql, "INSERT INTO blocks VALUES (%d, %d, %d, ?)", x, y, z);
    else
        snprintf(sql, sizeof sql, "INSERT INTO blocks VALUES (%ld, ?)", z * 16777216L + y * 4096L + x);
    sqlite3_stmt *insert = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &insert, NULL), SQLITE_OK);
    sqlite3_bind_blob(insert, 1, w->bytes, (int)w->size, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_finalize(insert);
}

/* A map with two blocks: the one above in the corner (0, 0, 0), in version 29, and one of dirt at (-1, -2, -3), 28. */
static void make_map(bool three_keys)
{
    uint16_t node[4096];
    static const uint16_t all_dirt[4096];
    static const block_name dirt[] = {{0, "default:dirt"}, {1, "not:used"}};
    writer a = {NULL, 0, 0}, b = {NULL, 0, 0};
    fill(node);
    put_block(&a, 29, names, 4, node);
    put_block(&b, 28, dirt, 2, all_dirt);
    remove(path);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run(db, three_keys ? "CREATE TABLE blocks (x INT, y INT, z INT, data BLOB, PRIMARY KEY (x, z, y))"
                       : "CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)");
    store(db, three_keys, 0, 0, 0, &a);
    store(db, three_keys, -1, -2, -3, &b);
    sqlite3_close(db);
    writer_drop(&a);
    writer_drop(&b);
}

static void change_map(const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run(db, sql);
    sqlite3_close(db);
}

static int material(const vp_world *w, int x, int y, int z)
{
    return vp_world_voxel(w, (vp_ivec3){x, y, z}).material;
}

static void test_map(void **state)
{
    (void)state;
    for (int three_keys = 0; three_keys < 2; three_keys++) {
        make_map(three_keys != 0);
        vp_world *world = NULL;
        char *note = NULL;
        assert_ok(vp_import_file(path, NULL, &world, &note, &error));
        assert_string_equal(note, "Luanti map, nodes from (-16, -32, -48), 32 x 48 x 64; 2 of 24 map blocks are stored\n"
                                  "material, nodes, name:\n0 3838 air\n2 4096 default:dirt\n3 256 default:stone\n"
                                  "1 1 default:water_source\n0 1 flowers:waterlily\n");
        vp_dims s = vp_world_size(world);
        assert_true(s.x == 32 && s.y == 48 && s.z == 64);
        assert_int_equal(material(world, 0, 0, 0), 2);
        assert_int_equal(material(world, 15, 15, 15), 2);
        assert_int_equal(material(world, 16, 15, 15), 0);
        assert_int_equal(material(world, 16, 32, 48), 3);
        assert_int_equal(material(world, 31, 32, 63), 3);
        assert_int_equal(material(world, 17, 34, 51), 1);
        assert_int_equal(material(world, 17, 35, 51), 0);
        assert_int_equal(vp_world_voxel(world, (vp_ivec3){17, 34, 51}).occupancy, 255);
        free(note);
        vp_world_destroy(world);

        vp_import_options o = vp_import_defaults(); /* a part: other numbers, for dirt is not in it */
        o.region_low = (vp_ivec3){1, -1, 3};
        o.region_size = (vp_dims){3, 5, 13};
        assert_ok(vp_import_file(path, &o, &world, &note, &error));
        s = vp_world_size(world);
        assert_true(s.x == 8 && s.y == 8 && s.z == 16);
        assert_string_equal(note, "Luanti map, nodes from (1, -1, 3), 3 x 5 x 13; 1 of 2 map blocks are stored\n"
                                  "material, nodes, name:\n0 115 air\n2 39 default:stone\n1 1 default:water_source\n"
                                  "0 1 flowers:waterlily\n");
        assert_int_equal(material(world, 0, 1, 0), 2);
        assert_int_equal(material(world, 2, 1, 12), 2);
        assert_int_equal(material(world, 0, 0, 0), 0);
        assert_int_equal(material(world, 0, 3, 0), 1);
        assert_int_equal(material(world, 3, 1, 0), 0); /* beyond the region: air, though the map has rock */
        assert_int_equal(material(world, 0, 1, 13), 0);
        free(note);
        vp_world_destroy(world);
    }
    remove(path);
}

static void map_refused(const vp_import_options *o, vp_status status, const char *why)
{
    vp_world *world = NULL;
    char *note = NULL;
    assert_refused(vp_import_luanti(path, o, &world, &note, &error), status, why);
    assert_refused(vp_import_luanti(path, o, &world, &note, &error), status, path);
    assert_null(world);
    assert_null(note);
}

static void test_bad_maps(void **state)
{
    (void)state;
    vp_import_options o = vp_import_defaults();
    make_map(false);
    o.region_size = (vp_dims){16, 0, 16};
    map_refused(&o, VP_E_ARGUMENT, "a region of 0 nodes along y");
    o.region_size = (vp_dims){16, 257, 16};
    map_refused(&o, VP_E_ARGUMENT, "a region of 257 nodes along y");
    o.region_size = (vp_dims){16, 16, 2049};
    map_refused(&o, VP_E_ARGUMENT, "a region of 2049 nodes along z");
    o.region_size = (vp_dims){16, 16, 16};
    o.region_low = (vp_ivec3){32753, 0, 0};
    map_refused(&o, VP_E_ARGUMENT, "a region from 32753 of 16 nodes along x");
    o.region_low = (vp_ivec3){0, INT32_MIN, 0};
    map_refused(&o, VP_E_ARGUMENT, "a region from -2147483648 of 16 nodes along y");
    o.region_low = (vp_ivec3){160, 0, 0};
    map_refused(&o, VP_E_FORMAT, "no block of the region from (160, 0, 0)");

    change_map("UPDATE blocks SET data = substr(data, 1, 100) WHERE pos = 0");
    map_refused(NULL, VP_E_FORMAT, "map block (0, 0, 0): byte ");
    change_map("UPDATE blocks SET data = 5 WHERE pos = 0");
    map_refused(NULL, VP_E_FORMAT, "the data of map block (0, 0, 0) is not a blob");
    change_map("UPDATE blocks SET data = x'' WHERE pos = 0");
    map_refused(NULL, VP_E_FORMAT, "map block (0, 0, 0): byte 0: the block is empty");
    change_map("UPDATE blocks SET pos = 1099511627776 WHERE pos = 0");
    map_refused(NULL, VP_E_FORMAT, "key 1099511627776");
    change_map("UPDATE blocks SET pos = 9223372036854775807 WHERE pos = 1099511627776");
    map_refused(NULL, VP_E_FORMAT, "key 9223372036854775807");
    change_map("UPDATE blocks SET pos = -9223372036854775807 WHERE pos > 0");
    map_refused(NULL, VP_E_FORMAT, "key -9223372036854775807");
    change_map("UPDATE blocks SET pos = 68719476736 WHERE pos < -9000000000000000000");
    map_refused(NULL, VP_E_FORMAT, "key 68719476736");
    change_map("UPDATE blocks SET pos = 34359738368 WHERE pos > 0");
    map_refused(NULL, VP_E_FORMAT, "key 34359738368");
    change_map("UPDATE blocks SET pos = 'x' WHERE pos = 34359738368");
    map_refused(NULL, VP_E_FORMAT, "a value of the column pos of the table blocks is not an integer");
    change_map("UPDATE blocks SET pos = 2047 WHERE pos = 'x'");
    map_refused(NULL, VP_E_ARGUMENT, "a region of 32784 nodes along x, from -16");
    change_map("DELETE FROM blocks");
    map_refused(NULL, VP_E_FORMAT, "the map has no blocks");
    change_map("DROP TABLE blocks; CREATE VIEW blocks AS WITH RECURSIVE n(pos) AS (SELECT 1 UNION ALL SELECT pos FROM n) "
               "SELECT pos, x'' AS data FROM n"); /* would go on for ever */
    map_refused(NULL, VP_E_FORMAT, "has no table named blocks");
    make_map(true);
    change_map("UPDATE blocks SET y = 2048 WHERE y = 0");
    map_refused(NULL, VP_E_FORMAT, "block coordinate 2048 in the map; -2048 to 2047 can be");
    change_map("UPDATE blocks SET y = -9223372036854775808 WHERE y = 2048");
    map_refused(NULL, VP_E_FORMAT, "block coordinate -9223372036854775808 in the map");
    change_map("UPDATE blocks SET y = 1.5 WHERE y < -2048");
    map_refused(NULL, VP_E_FORMAT, "a value of the column y of the table blocks is not an integer");
    change_map("DROP TABLE blocks; CREATE VIEW blocks AS SELECT 1 AS pos");
    change_map("DROP VIEW blocks; CREATE TABLE blocks (a INT, data BLOB)");
    map_refused(NULL, VP_E_FORMAT, "neither a column pos nor x, y and z");
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("SQLite format 3", f);
    for (int i = 0; i < 2000; i++)
        fputc(i % 251, f);
    fclose(f);
    map_refused(NULL, VP_E_FORMAT, "sqlite");
    remove(path);
    map_refused(NULL, VP_E_IO, path);
}

/* More solid names than there are materials: the rest share the last. */
static void test_many_names(void **state)
{
    (void)state;
    static char text[300][16];
    static block_name name[300];
    static uint16_t node[4096];
    for (uint32_t i = 0; i < 300; i++) {
        snprintf(text[i], sizeof text[i], "many:%03u", i);
        name[i] = (block_name){1000 - i, text[i]};
    }
    for (uint32_t i = 0; i < 4096; i++)
        node[i] = (uint16_t)(1000 - i % 300);
    writer w = {NULL, 0, 0};
    put_block(&w, 29, name, 300, node);
    remove(path);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run(db, "CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)");
    store(db, false, 0, 0, 0, &w);
    sqlite3_close(db);
    vp_world *world = NULL;
    char *note = NULL;
    assert_ok(vp_import_file(path, NULL, &world, &note, &error));
    for (int i = 0; i < 4096; i++)
        assert_int_equal(material(world, i % 16, i / 16 % 16, i / 256), i % 300 < 253 ? i % 300 + 2 : 255);
    assert_non_null(strstr(note, "\n254 13 many:252\n255 13 many:253\n255 13 many:254\n"));
    free(note);
    vp_world_destroy(world);
    writer_drop(&w);
    remove(path);
}

#else

static void test_map(void **state)
{
    (void)state;
    vp_world *world = NULL;
    vp_import_options o = vp_import_defaults();
    o.format = VP_IMPORT_LUANTI;
    assert_int_equal(vp_import_file("none", &o, &world, NULL, NULL) == VP_OK, false);
}

static void test_bad_maps(void **state)
{
    (void)state;
    skip();
}

static void test_many_names(void **state)
{
    (void)state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks), cmocka_unit_test(test_bad_blocks), cmocka_unit_test(test_names),
        cmocka_unit_test(test_map),    cmocka_unit_test(test_bad_maps),   cmocka_unit_test(test_many_names),
    };
    return cmocka_run_group_tests_name("import_luanti", tests, NULL, NULL);
}
