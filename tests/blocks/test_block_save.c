/* SPDX-License-Identifier: MIT */
/* Block worlds on disk. A save that fails at any file leaves the old file or the new one. Torn, cut and flipped bytes are found, and saving
 * over them loses nothing. Chunks that residency evicts come back. Each failed
 * allocation is reported, and nothing is changed, lost or leaked. */
#include "tests/support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/block_store.h>

#include "datasets/random.h"
#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "src/core/error.h"
#include "tests/support/memory.h"

enum { HEAD = 44 + 512 * 16 };

/* ---- files in memory, with failing writes ---- */

typedef struct memory_files {
    struct {
        char name[48];
        uint8_t *bytes;
        size_t size;
    } file[16];
    int count, replaced;
    int fail_at;    /* number of the replacement that fails, from 1. 0 = none */
    size_t written; /* bytes of the new file that a failed replacement leaves. SIZE_MAX = the old file stays */
} memory_files;

static vp_status read_file(void *user, const char *name, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    const memory_files *f = user;
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->file[i].name, name) == 0) {
            uint8_t *bytes = allocator->allocate(allocator->user, f->file[i].size + 1, 64);
            if (bytes == NULL)
                return vp_fail(error, VP_E_MEMORY, "no memory for a file");
            memcpy(bytes, f->file[i].bytes, f->file[i].size);
            *out = (vp_blob){bytes, f->file[i].size, f->file[i].size + 1, *allocator};
        }
    return VP_OK;
}

static vp_status replace_file(void *user, const char *name, const uint8_t *bytes, size_t size, vp_error *error)
{
    memory_files *f = user;
    const bool fails = ++f->replaced == f->fail_at;
    int i = 0;
    while (i < f->count && strcmp(f->file[i].name, name) != 0)
        i++;
    if (!fails || f->written != SIZE_MAX) {
        assert_in_range(i, 0, 15);
        if (i == f->count)
            f->count++;
        snprintf(f->file[i].name, sizeof f->file[i].name, "%s", name);
        free(f->file[i].bytes);
        f->file[i].size = fails ? f->written : size;
        f->file[i].bytes = malloc(f->file[i].size + 1);
        memcpy(f->file[i].bytes, bytes, f->file[i].size);
    }
    if (!fails)
        return VP_OK;
    return vp_fail(error, VP_E_IO, "the disk is full");
}

static void drop_files(memory_files *f)
{
    for (int i = 0; i < f->count; i++)
        free(f->file[i].bytes);
    *f = (memory_files){0};
}

static vp_block_store *open_memory(memory_files *f)
{
    vp_block_store *s = NULL;
    const vp_block_files files = {f, read_file, replace_file};
    assert_ok(vp_block_store_create(&(vp_block_store_def){.files = &files}, &s, &error));
    return s;
}

/* ---- worlds ---- */

static vp_block_type types[300];

static vp_blocks *make(void)
{
    vp_blocks *b = NULL;
    assert_ok(vp_blocks_create(&(vp_blocks_def){.type = types, .type_count = 300}, &b, &error));
    return b;
}

/* Edits four regions around the origin. */
static void edit(vp_blocks *b, uint64_t seed, int count)
{
    vp_random r = {seed};
    for (int i = 0; i < count; i++) {
        const int x = (int)vp_random_below(&r, 128) - 64, y = (int)vp_random_below(&r, 32), z = (int)vp_random_below(&r, 128) - 64;
        const uint32_t type = vp_random_below(&r, 300);
        const vp_block_edit e = {
            .shape = VP_BLOCK_BOX, .block = (vp_block)type, .low = {x, y, z}, .high = {x + 40, y + (int)vp_random_below(&r, 40), z + 3}};
        assert_ok(vp_blocks_edit(b, &e, 1, NULL, &error));
    }
}

static uint64_t load(vp_block_store *s, vp_status *status, vp_error *error)
{
    static vp_block cell[VP_BLOCK_CELLS];
    vp_blocks *b = make();
    *status = VP_OK;
    for (int i = 0; *status == VP_OK && i < 10 * 10 * 10; i++) {
        const vp_ivec3 at = {i % 10 - 5, i / 100 - 5, i / 10 % 10 - 5};
        bool found = false;
        *status = vp_block_store_load(s, at, cell, &found, error);
        if (*status == VP_OK && found)
            *status = vp_blocks_set_chunk(b, at, &(vp_block_cells){cell, 2, 0}, error);
    }
    const uint64_t digest = vp_blocks_digest(b);
    vp_blocks_destroy(b);
    return digest;
}

static uint64_t load_well(vp_block_store *s)
{
    vp_error error = {VP_OK, ""};
    vp_status status;
    const uint64_t digest = load(s, &status, &error);
    assert_int_equal(status, VP_OK);
    return digest;
}

/* docs/CONTRACT.md: BLK-9
 * Each replacement fails, and leaves the old file or a part of the new one. */
TEST(test_torn)
{
    vp_blocks *b = make();
    memory_files f = {0};
    vp_block_store *s = open_memory(&f);
    const vp_block_source source = vp_block_store_source(s, NULL, NULL);
    edit(b, 1, 4);
    assert_ok(vp_blocks_save(b, &source, NULL, &error));
    const uint64_t old = vp_blocks_digest(b);
    const int files = f.count;
    assert_in_range(files, 2, 8);
    edit(b, 2, 4);
    const uint64_t digest = vp_blocks_digest(b);
    for (int at = 1; at <= files; at++) { /* the old file stays, so each file is the old one or the new one */
        f.replaced = 0;
        f.fail_at = at;
        f.written = SIZE_MAX;
        vp_error error = {VP_OK, ""};
        const vp_status status = vp_blocks_save(b, &source, NULL, &error);
        if (status == VP_OK)
            break; /* fewer files changed */
        assert_int_equal(status, VP_E_IO);
        assert_true(vp_blocks_digest(b) == digest);
        if (at == 1)
            assert_true(load_well(s) == old);
        (void)load_well(s);
    }
    f.fail_at = 0;
    uint32_t saved;
    assert_ok(vp_blocks_save(b, &source, &saved, &error));
    assert_true(load_well(s) == digest);
    /* A partial file is found, whatever its length. It is not replaced, because it may be the only copy. */
    const size_t whole = f.file[0].size;
    uint8_t *copy = malloc(whole), *torn = malloc(whole);
    memcpy(copy, f.file[0].bytes, whole);
    for (size_t size = 0; size < whole; size += size < HEAD + 40 ? 1 : 997) {
        vp_error error = {VP_OK, ""};
        vp_status status;
        memory_files g = f;
        memcpy(torn, copy, size);
        g.file[0].bytes = torn;
        g.file[0].size = size;
        vp_block_store *t = open_memory(&g);
        (void)load(t, &status, &error);
        assert_int_equal(status, VP_E_FORMAT);
        assert_non_null(strstr(error.message, "byte "));
        assert_non_null(strstr(error.message, ".vpb"));
        if (size % 64 == 0) {
            int x, y, z;
            assert_int_equal(sscanf(g.file[0].name, "%d.%d.%d", &x, &y, &z), 3);
            const vp_block_saved one = {{8 * x, 8 * y, 8 * z}, {NULL, 0, 1}};
            assert_int_equal(vp_block_store_save(t, &one, 1, &error), VP_E_FORMAT);
            assert_int_equal(g.replaced, f.replaced);
        }
        vp_block_store_destroy(t);
    }
    free(copy);
    free(torn);
    vp_block_store_destroy(s);
    drop_files(&f);
    vp_blocks_destroy(b);
}

/* ---- hostile bytes ---- */

/* Corrects size and checksum of the head, as an attacker would. */
static void repair(uint8_t *file, size_t size)
{
    vp_put_le64(file + 32, size);
    vp_put_le32(file + 40, vp_crc32(vp_crc32(0, file, 40), file + 44, HEAD - 44));
}

/* docs/CONTRACT.md: BLK-9 */
TEST(test_hostile)
{
    static vp_block cell[VP_BLOCK_CELLS], back[VP_BLOCK_CELLS];
    vp_blob file, other;
    bool found;
    vp_random r = {1};
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        cell[i] = (vp_block)vp_random_below(&r, 256);
    const vp_ivec3 region = {-1, 0, 2}, first = {-8, 0, 16};
    const vp_block_saved chunk[3] = {{first, {cell, 2, 0}}, {{-7, 0, 16}, {NULL, 0, 40000}}, {{-1, 7, 23}, {cell, 2, 0}}};
    assert_ok(vp_block_region_write(NULL, 0, region, chunk, 3, NULL, NULL, &file, &error));
    assert_int_equal(file.size, HEAD + 2 * VP_BLOCK_CELLS); /* types below 256 */
    assert_ok(vp_block_region_write(file.bytes, file.size, region, chunk, 1, NULL, NULL, &other, &error));
    assert_int_equal(other.size, file.size);
    assert_memory_equal(other.bytes, file.bytes, file.size);
    vp_blob_destroy(&other);
    assert_ok(vp_block_region_read(file.bytes, file.size, first, NULL, NULL, back, &found, &error));
    assert_true(found);
    assert_memory_equal(back, cell, sizeof cell);
    assert_ok(vp_block_region_read(file.bytes, file.size, (vp_ivec3){-7, 0, 16}, NULL, NULL, back, &found, &error));
    assert_true(found && back[0] == 40000 && back[VP_BLOCK_CELLS - 1] == 40000);
    assert_ok(vp_block_region_read(file.bytes, file.size, (vp_ivec3){-6, 0, 16}, NULL, NULL, back, &found, &error));
    assert_false(found);
    assert_refused(vp_block_region_read(file.bytes, file.size, (vp_ivec3){0, 0, 16}, NULL, NULL, back, &found, &error), VP_E_ARGUMENT,
                   "(0, 0, 2)");
    assert_refused(vp_block_region_write(NULL, 0, (vp_ivec3){0, 0, 0}, chunk, 1, NULL, NULL, &other, &error), VP_E_ARGUMENT, "(-8, 0, 16)");
    assert_refused(vp_block_region_write(NULL, 0, (vp_ivec3){0, 4194304, 0}, NULL, 0, NULL, NULL, &other, &error), VP_E_ARGUMENT,
                   "4194304 along y");
    const vp_block_saved odd_width = {first, {cell, 3, 0}};
    assert_refused(vp_block_region_write(NULL, 0, region, &odd_width, 1, NULL, NULL, &other, &error), VP_E_ARGUMENT,
                   "chunk (-8, 0, 16) has width 3");
    vp_block_codec odd = {.name = "a b"};
    assert_refused(vp_block_region_write(NULL, 0, region, chunk, 1, &odd, NULL, &other, &error), VP_E_ARGUMENT, "a b");
    odd = (vp_block_codec){.name = "zip"};
    assert_refused(vp_block_region_read(file.bytes, file.size, first, &odd, NULL, back, &found, &error), VP_E_FORMAT, "\"raw\"");
    /* flips each byte of the head and some of the content */
    for (size_t i = 0; i < file.size; i += i < 60 || (i >= HEAD && i < HEAD + 4) ? 1 : 1009) {
        vp_error error = {VP_OK, ""};
        vp_status status = VP_OK;
        file.bytes[i] ^= 4;
        for (int k = 0; status == VP_OK && k < 3; k++)
            status = vp_block_region_read(file.bytes, file.size, chunk[k].chunk, NULL, NULL, back, &found, &error);
        assert_int_equal(status, VP_E_FORMAT);
        assert_non_null(strstr(error.message, "byte "));
        assert_int_equal(vp_block_region_write(file.bytes, file.size, region, NULL, 0, NULL, NULL, &other, &error), VP_E_FORMAT);
        file.bytes[i] ^= 4;
    }
    /* with a correct checksum */
    static const struct {
        size_t at;
        uint8_t to;
        const char *value;
    } bad[] = {{8, 9, "version 9"},    {15, 0x7f, "2147483647"},    {23, 0x80, "-2147483646"},         {44, 1, "chunk 0"},
               {44 + 4, 1, "32769"},   {44 + 12, 4, "form 4"},      {44 + 12, 17, "form 17"},          {44 + 12, 19, "form 19"},
               {44 + 14, 1, "type 1"}, {44 + 16, 9, "at byte 9"},   {44 + 3, 0x7f, "must be at 8236"}, {44 + 12, 1, "chunk 0"},
               {44 + 12, 3, "32768"},  {44 + 32 + 14, 1, "chunk 2"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const uint8_t was = file.bytes[bad[i].at];
        file.bytes[bad[i].at] = bad[i].to;
        repair(file.bytes, file.size);
        if (i == 7) /* then 32768 bytes count as encoded, by a codec that decodes nothing */
            assert_refused(vp_block_region_read(file.bytes, file.size, first, NULL, NULL, back, &found, &error), VP_E_FORMAT, "decodes");
        else
            assert_refused(vp_block_region_read(file.bytes, file.size, first, NULL, NULL, back, &found, &error), VP_E_FORMAT, bad[i].value);
        file.bytes[bad[i].at] = was;
    }
    vp_blob_destroy(&file);
}

/* ---- a codec ---- */

/* ---- residency ---- */

static void fill(const void *user, vp_ivec3 chunk, vp_block *cell)
{
    (void)user;
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        cell[i] = (vp_block)((i * 7 + chunk.x * 31 + chunk.z * 17 + chunk.y) & 63);
}

/* docs/CONTRACT.md: BLK-10
 * A player walks far away and back and digs on the way, with a budget of some chunks. The chunks stay within it, the wanted ones are
 * there, and every dug block is found again. */
TEST(test_walk)
{
    vp_blocks *b = make();
    memory_files f = {0};
    vp_block_store *s = open_memory(&f);
    const vp_block_source source = vp_block_store_source(s, fill, NULL);
    vp_block_changes changes = {0};
    const uint64_t chunk_bytes = VP_BLOCK_CELLS + VP_RESIDENT_CHUNK_BYTES, budget = 12 * chunk_bytes;
    uint32_t saved = 0, forgotten = 0;
    for (int step = 0; step < 40; step++) {
        const int at = step < 20 ? step : 39 - step;
        const vp_vec3 point = {(float)at * 32 - 300.5f, -0.5f, 16};
        const int32_t chunk = (int32_t)floor((at * 32 - 300.5) / 32);
        vp_block_residency_result stay = {0};
        assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){&point, 1, 1, 0, budget}, &source, &stay, &changes, &error));
        assert_int_equal(changes.count, stay.loaded + stay.generated + stay.forgotten);
        assert_int_equal(stay.missing, 0);
        assert_true(stay.bytes <= budget && stay.bytes == vp_blocks_memory_use(b).chunks * chunk_bytes);
        for (int k = 0; k < 7; k++) { /* the chunk and its six neighbours */
            static const int to[7][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
            vp_block_snapshot of;
            vp_blocks_acquire(b, (vp_ivec3){chunk + to[k][0], -1 + to[k][1], to[k][2]}, &of);
            assert_true(of.version > 0);
            vp_blocks_release(b, &of);
        }
        const vp_ivec3 dug = {at * 32 - 301, -1, 16};
        if (step >= 20)
            assert_int_equal(vp_blocks_get(b, dug), 200 + at);
        else
            assert_ok(vp_blocks_set(b, dug, (vp_block)(200 + at), NULL, &error));
        saved += stay.saved;
        forgotten += stay.forgotten;
    }
    assert_true(forgotten > 50 && saved >= 10 && saved <= 20);
    vp_block_changes_destroy(&changes);
    vp_block_store_destroy(s);
    drop_files(&f);
    vp_blocks_destroy(b);
}

static vp_status cannot_save(void *user, const vp_block_saved *chunk, size_t count, vp_error *error)
{
    (void)user, (void)chunk, (void)count;
    return vp_fail(error, VP_E_IO, "the disk is full");
}

/* Digs far away, so that the chunk is larger than when the budget was computed. */
static vp_status dig_and_load(void *user, vp_ivec3 chunk, vp_block *cell, bool *found, vp_error *error)
{
    (void)chunk, (void)cell;
    *found = false;
    return vp_blocks_get(user, (vp_ivec3){-100, 1, 1}) == 1 ? vp_blocks_set(user, (vp_ivec3){-100, 1, 1}, 2, NULL, error) : VP_OK;
}

static vp_status save_nowhere(void *user, const vp_block_saved *chunk, size_t count, vp_error *error)
{
    (void)user, (void)chunk, (void)count, (void)error;
    return VP_OK;
}

TEST(test_edited_meanwhile)
{
    vp_blocks *b = make();
    vp_block_change old[1] = {{{1, 2, 3}, 4}};
    vp_block_changes changes = {.change = old, .count = 1};
    const vp_block_source source = {.user = b, .load = dig_and_load, .save = save_nowhere};
    const vp_vec3 here = {0, 0, 0}, nowhere = {NAN, 0, 0};
    vp_block_residency_result stay = {.generated = 99};
    assert_refused(vp_blocks_update_residency(b, &(vp_block_residency){&nowhere, 1, 1, 0, 0}, &source, &stay, &changes, &error),
                   VP_E_ARGUMENT, "nan");
    assert_true(stay.generated == 0 && changes.count == 0);
    assert_ok(vp_blocks_set_chunk(b, (vp_ivec3){-4, 0, 0}, &(vp_block_cells){NULL, 0, 1}, &error));
    assert_ok(
        vp_blocks_update_residency(b, &(vp_block_residency){&here, 1, 1, 0, 7 * VP_RESIDENT_CHUNK_BYTES}, &source, &stay, NULL, &error));
    assert_true(stay.generated == 7 && stay.saved == 1 && stay.forgotten == 1 && stay.missing == 0);
    assert_true(stay.bytes == 7 * VP_RESIDENT_CHUNK_BYTES);
    vp_blocks_destroy(b);
}

/* docs/CONTRACT.md: BLK-10 */
TEST(test_no_room)
{
    const uint64_t chunk_bytes = VP_BLOCK_CELLS + VP_RESIDENT_CHUNK_BYTES;
    vp_blocks *b = make();
    vp_block_source source = {.fill = fill};
    const vp_vec3 here = {0, 0, 0}, there = {3200, 0, 0}, both[2] = {here, there};
    vp_block_residency_result stay = {0};
    assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){&here, 1, 1, 3, UINT64_MAX}, &source, &stay, NULL, &error));
    assert_true(stay.generated == 3 && stay.missing == 4); /* nearest first */
    vp_ivec3 list[8];
    assert_int_equal(vp_blocks_list_chunks(b, list, 8), 3);
    assert_true(list[0].y == -1 && list[1].z == -1 && list[2].z == 0 && list[2].y == 0); /* the middle, then by y, z, x */
    assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){&here, 1, 1, 0, 5 * chunk_bytes}, &source, &stay, NULL, &error));
    assert_true(stay.generated == 2 && stay.missing == 2 && stay.bytes == 5 * chunk_bytes);
    /* an edited chunk that cannot be saved stays, and the failure is reported */
    assert_ok(vp_blocks_set(b, (vp_ivec3){1, 1, 1}, 299, NULL, &error)); /* two bytes per block now */
    assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){&there, 1, 0, 0, 5 * chunk_bytes}, &source, &stay, NULL, &error));
    assert_true(stay.forgotten == 2 && stay.generated == 1 && stay.saved == 0);
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){1, 1, 1}), 299);
    assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){&there, 1, 0, 0, 0}, &source, &stay, NULL, &error));
    assert_true(stay.forgotten == 2 && stay.missing == 0);
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){1, 1, 1}), 299);
    source.save = cannot_save;
    assert_refused(vp_blocks_update_residency(b, &(vp_block_residency){&there, 1, 0, 0, 0}, &source, &stay, NULL, &error), VP_E_IO, "full");
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){1, 1, 1}), 299);
    assert_refused(vp_blocks_save(b, &source, NULL, &error), VP_E_IO, "full");
    source.save = NULL;
    assert_refused(vp_blocks_save(b, &source, NULL, &error), VP_E_ARGUMENT, "NULL");
    assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){both, 2, 1, 0, UINT64_MAX}, &source, &stay, NULL, &error));
    assert_true(stay.missing == 0);
    assert_int_equal(vp_blocks_memory_use(b).chunks, 14);
    /* the nearest of several points counts */
    const vp_vec3 beside[2] = {{0, 3200, 0}, {64, 3200, 0}};
    assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){beside, 2, 2, 2, UINT64_MAX}, &source, &stay, NULL, &error));
    vp_block_snapshot of[3];
    for (int i = 0; i < 3; i++) {
        vp_blocks_acquire(b, (vp_ivec3){i, 100, 0}, &of[i]);
        vp_blocks_release(b, &of[i]);
    }
    assert_true(stay.generated == 2 && of[0].version != 0 && of[1].version == 0 && of[2].version != 0);
    const vp_vec3 odd[3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, 2e9f}};
    const struct {
        vp_block_residency how;
        const char *text;
    } bad[] = {{{&odd[0], 1, 1, 0, 0}, "nan"}, {{&odd[1], 1, 1, 0, 0}, "inf"},   {{&odd[2], 1, 1, 0, 0}, "z is 2e+09"},
               {{&here, 1, 65, 0, 0}, "65"},   {{&here, 2000, 1, 0, 0}, "2000"}, {{&here, 1000, 64, 0, 0}, "2146689000"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_refused(vp_blocks_update_residency(b, &bad[i].how, &source, &stay, NULL, &error), VP_E_ARGUMENT, bad[i].text);
    vp_block_store *s;
    assert_refused(vp_block_store_create(&(vp_block_store_def){.folder = ""}, &s, &error), VP_E_ARGUMENT, "0 bytes");
    /* in a missing folder, no chunk counts as new */
    bool found;
    static vp_block cell[VP_BLOCK_CELLS];
    assert_ok(vp_block_store_create(&(vp_block_store_def){.folder = "no/such/folder"}, &s, &error));
    assert_refused(vp_block_store_load(s, (vp_ivec3){0, 0, 0}, cell, &found, &error), VP_E_IO, "no/such/folder");
    vp_block_store_destroy(s);
    vp_blocks_destroy(b);
}

/* ---- allocation failures ---- */

/* Calls every function once. @return VP_OK, or the first failure, after which it only frees */
static vp_status all_of_it(vp_blocks_form form, const vp_allocator *allocator, vp_error *error)
{
    vp_blocks *b = NULL;
    vp_block_store *store = NULL;
    memory_files f = {0};
    const vp_block_files files = {&f, read_file, replace_file};
    vp_block_changes changes = {0};
    vp_block_held held = {0};
    vp_block_residency_result stay = {0};
    vp_status status =
        vp_blocks_create(&(vp_blocks_def){.form = form, .type = types, .type_count = 300, .allocator = allocator}, &b, error);
    if (status == VP_OK)
        status = vp_blocks_fill(b, (vp_ivec3){0, 0, 0}, (vp_dims){2, 1, 1}, fill, NULL, NULL, error);
    if (status == VP_OK) {
        const uint64_t digest = vp_blocks_digest(b), version = vp_blocks_version(b);
        const vp_block_edit edit[2] = {{.shape = VP_BLOCK_BOX, .block = 9, .low = {20, 0, 0}, .high = {100, 2, 2}},
                                       {.shape = VP_BLOCK_SPHERE, .block = 1, .centre = {31, 31, 31}, .radius = 3}};
        status = vp_blocks_edit(b, edit, 2, &changes, error);
        if (status != VP_OK) {
            assert_int_equal(changes.count, 0);
            assert_true(vp_blocks_digest(b) == digest && vp_blocks_version(b) == version);
        }
    }
    if (status == VP_OK)
        status = vp_blocks_acquire_box(b, (vp_ivec3){-1, -1, -1}, (vp_dims){3, 3, 3}, &held, error);
    if (status == VP_OK)
        vp_blocks_release_box(b, &held); /* before any edit, because a world of VP_BLOCKS_LOCKS holds locks */
    if (status == VP_OK)
        status = vp_block_store_create(&(vp_block_store_def){.files = &files, .allocator = allocator}, &store, error);
    if (status == VP_OK) {
        const vp_block_source source = vp_block_store_source(store, fill, NULL);
        const vp_vec3 point = {40 * 32, 0, 0};
        const uint64_t digest = vp_blocks_digest(b);
        status = vp_blocks_save(b, &source, NULL, error);
        if (status == VP_OK)
            status = vp_blocks_set(b, (vp_ivec3){0, 20, 0}, 8, NULL, error);
        const uint64_t edited = vp_blocks_digest(b);
        if (status == VP_OK)
            status = vp_blocks_update_residency(b, &(vp_block_residency){&point, 1, 1, 0, 250000}, &source, &stay, NULL, error);
        if (status != VP_OK && stay.forgotten == 0 && stay.generated == 0)
            assert_true(vp_blocks_digest(b) == edited || vp_blocks_digest(b) == digest);
    }
    vp_block_store_destroy(store);
    vp_block_changes_destroy(&changes);
    vp_blocks_destroy(b);
    drop_files(&f);
    return status;
}

/* docs/CONTRACT.md: BLK-5 */
TEST(test_no_memory)
{
    for (int form = 0; form < 2; form++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        assert_ok(all_of_it((vp_blocks_form)form, &allocator, &error));
        test_memory_fail_at(&memory, 0);
        assert_ok(all_of_it((vp_blocks_form)form, &allocator, &error));
        const uint64_t requests = memory.requests;
        assert_in_range(requests, 25, 300);
        for (uint64_t n = 1; n <= requests; n++) {
            vp_error error = {VP_OK, ""};
            test_memory_fail_at(&memory, n);
            memory.only_one = n % 2 == 0;
            assert_int_equal(all_of_it((vp_blocks_form)form, &allocator, &error), VP_E_MEMORY);
            assert_int_equal(error.status, VP_E_MEMORY);
            assert_true(error.message[0] != '\0');
            assert_int_equal(memory.block_count, 0);
        }
        test_memory_fail_at(&memory, 0);
        test_memory_end(&memory);
    }
}
