/* SPDX-License-Identifier: MIT */
/* In imports each allocation fails in turn, nothing leaks, and max_voxels limits the world. Only the beginning is read of truncated or
 * oversized files. */
#define _XOPEN_SOURCE 700
#include <stdbool.h>

#include <voxphys/import.h>

#include "tests/support/folder.h"
#include "tests/support/memory.h"
#include "tests/support/writer.h"

static const char path[] = "test_import_memory.tmp";

/* Imports a file until no allocation fails. Failures leave the outputs unchanged and free all memory. */
static void refuse_each(vp_import_def def)
{
    uint64_t refused = 0;
    for (bool done = false; !done; refused++) {
        test_memory memory;
        test_memory_begin(&memory);
        test_memory_fail_at(&memory, refused + 1);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_world *world = NULL;
        vp_blob note = {0};
        vp_error error = {VP_OK, ""};
        def.allocator = &allocator;
        const vp_status status = vp_import_file(path, &def, &world, &note, &error);
        done = memory.requests <= refused;
        if (done != (status == VP_OK) || error.status != status)
            fail_msg("request %llu: %s: %s", (unsigned long long)refused + 1, vp_status_name(status), error.message);
        if (!done) {
            assert_int_equal(status, VP_E_MEMORY);
            assert_non_null(strstr(error.message, path));
            assert_null(world);
            assert_null(note.bytes);
            assert_int_equal(memory.live_bytes, 0);
        } else {
            assert_int_equal(note.bytes[note.size], 0);
            assert_true(note.size == strlen((const char *)note.bytes));
        }
        vp_world_destroy(world);
        vp_blob_destroy(&note);
        test_memory_end(&memory);
    }
    assert_true(refused > 4); /* the world's three, and the note */
}

/* A world of exactly `voxels` is imported. With one voxel less it is refused before its memory is allocated. */
static void bound_world(vp_import_def def, uint64_t voxels)
{
    char why[80];
    for (uint64_t less = 0; less < 2; less++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_world *world = NULL;
        def.allocator = &allocator;
        def.max_voxels = voxels - less;
        if (less == 0) {
            assert_ok(vp_import_file(path, &def, &world, NULL, &error));
            const vp_dims size = vp_world_size(world);
            assert_true((uint64_t)size.x * size.y * size.z == voxels);
            assert_true(memory.peak_bytes >= 2 * voxels);
        } else {
            snprintf(why, sizeof why, "has %llu voxels; max_voxels is %llu", (unsigned long long)voxels, (unsigned long long)voxels - 1);
            assert_refused(vp_import_file(path, &def, &world, NULL, &error), VP_E_LIMIT, why);
            assert_refused(vp_import_file(path, &def, &world, NULL, &error), VP_E_LIMIT, path);
            assert_null(world);
            assert_true(memory.peak_bytes < voxels);
        }
        vp_world_destroy(world);
        test_memory_end(&memory);
    }
}

static void check_file(vp_import_def def, uint64_t voxels)
{
    refuse_each(def);
    bound_world(def, voxels);
}

/* Two distant voxels make a short file, and a world of 4 Mi voxels. Also more models than the initial capacity. */
TEST(test_vox)
{
    static const uint8_t one[1][4] = {{0, 0, 0, 1}};
    static uint32_t child[150];
    writer chunks = {NULL, 0, 0}, w = {NULL, 0, 0};
    for (uint32_t i = 0; i < 75; i++)
        put_vox_model(&chunks, 1, 1, 1, one, 1);
    for (uint32_t i = 0; i < 150; i++) {
        child[i] = 1 + 2 * i;
        put_vox_transform(&chunks, child[i], child[i] + 1, i == 0 ? "2047 255 7" : "0 0 0", NULL, 0);
        put_vox_shape(&chunks, child[i] + 1, i % 75);
    }
    put_vox_group(&chunks, 0, child, 150);
    put_vox(&w, &chunks);
    write_file(path, w.bytes, w.size);
    check_file(vp_import_defaults(), 2048 * 8 * 256);
    writer_drop(&chunks);
    writer_drop(&w);
    remove(path);
}

TEST(test_world_file)
{
    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = {64, 32, 16}}, &world, &error));
    assert_ok(vp_world_save(world, "note", path, &error));
    vp_world_destroy(world);
    check_file(vp_import_defaults(), 64 * 32 * 16);
    /* A damaged header is reported as such. */
    vp_import_def def = vp_import_defaults();
    def.max_voxels = 1;
    write_file(path, "\x89VPW\r\n\x1a\n\1\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 24);
    assert_refused(vp_import_file(path, &def, &world, NULL, &error), VP_E_FORMAT, path);
    remove(path);
}

/* A file larger than the limit for whole files allocates nothing. The test file is sparse. */
TEST(test_oversized)
{
    static const vp_import_format formats[] = {VP_IMPORT_AUTO, VP_IMPORT_VOX, VP_IMPORT_PNG, VP_IMPORT_RAW};
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("VOX ", f);
    assert_int_equal(fseek(f, VP_IMPORT_FILE_BYTES, SEEK_SET), 0);
    fputc(0, f);
    assert_int_equal(fclose(f), 0);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_world *world = NULL;
        vp_import_def def = vp_import_defaults();
        def.format = formats[i];
        def.allocator = &allocator;
        assert_refused(vp_import_file(path, &def, &world, NULL, &error), VP_E_FORMAT, "has 268435457 bytes; at most 268435456 are read");
        assert_refused(vp_import_file(path, &def, &world, NULL, &error), VP_E_FORMAT, path);
        assert_int_equal(memory.requests, 0);
        test_memory_end(&memory);
    }
    remove(path);
}

TEST(test_other_formats)
{
    static const vp_import_format formats[] = {VP_IMPORT_VPW, VP_IMPORT_LUANTI, VP_IMPORT_VOX};
    vp_world *world = NULL;
    vp_import_def def = vp_import_defaults();
    for (size_t i = 0; i < 3; i++) {
        char why[40];
        def.format = formats[i];
        snprintf(why, sizeof why, "format %d is not that of a heightmap", (int)formats[i]);
        assert_refused(vp_import_heightmap("", 0, &def, &world, NULL, &error), VP_E_ARGUMENT, why);
    }
    assert_null(world);
}

#ifdef VP_WITH_SQLITE
#include "tests/import/luanti_maps.h"

enum { BLOCKS = 12, NAMES = 40 };

/* A map of BLOCKS blocks along x, in both forms that this build unpacks. Each has NAMES names. */
static void make_map(void)
{
    static uint16_t node[4096];
    static char text[NAMES][16];
    block_name name[NAMES];
    sqlite3 *db = new_map(path, "PRAGMA synchronous = off; CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)");
    for (int i = 0; i < 4096; i++)
        node[i] = (uint16_t)(i % NAMES);
    for (int b = 0; b < BLOCKS; b++) {
        writer w = {NULL, 0, 0};
        for (uint32_t n = 0; n < NAMES; n++) {
            snprintf(text[n], sizeof text[n], "m:%d_%u", b % 3, n);
            name[n] = (block_name){n, text[n]};
        }
#ifdef VP_WITH_ZSTD
        put_block(&w, b % 2 == 0 ? 28 : 29, name, NAMES, node);
#else
        put_block(&w, 28, name, NAMES, node);
#endif
        assert_int_equal(run_with(db, "INSERT INTO blocks SELECT count(*), ?1 FROM blocks", &w), SQLITE_DONE);
        writer_drop(&w);
    }
    sqlite3_close(db);
}
#endif

#if defined(VP_WITH_SQLITE) && defined(VP_WITH_ZLIB)

TEST(test_map)
{
    make_map();
    check_file(vp_import_defaults(), BLOCKS * 4096);
    remove(path);
}

#else

TEST(test_no_map)
{
    vp_world *world = NULL;
#ifdef VP_WITH_SQLITE
    make_map();
    const char *const why = "needs zlib, and this build has none";
#else
    write_file(path, "SQLite format 3", 16);
    const char *const why = "reading a Luanti map needs sqlite3, and this build has none";
#endif
    assert_refused(vp_import_file(path, NULL, &world, NULL, &error), VP_E_UNSUPPORTED, why);
    assert_refused(vp_import_luanti(path, NULL, &world, NULL, &error), VP_E_UNSUPPORTED, path);
    assert_null(world);
    remove(path);
}

#endif
