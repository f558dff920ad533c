/* SPDX-License-Identifier: MIT */
/* Block worlds on disk. A world that is saved, removed and loaded is unchanged. A save killed at any byte leaves the old world or the new
 * one. Torn, cut and flipped bytes are found, and saving over them loses nothing. Chunks that residency evicts come back. */
#define _XOPEN_SOURCE 700
#include "tests/support/folder.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <voxphys/block_store.h>

#include "datasets/random.h"
#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "src/core/error.h"
#include "tests/support/memory.h"

enum { HEAD = 44 + 512 * 16 };

static int begin_group(void **state)
{
    (void)state;
    return make_folder();
}

static int end_group(void **state)
{
    (void)state;
    return drop_folder();
}

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

static vp_block_store *open_folder(void)
{
    vp_block_store *s = NULL;
    assert_ok(vp_block_store_create(&(vp_block_store_def){.folder = folder}, &s, &error));
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

/* docs/CONTRACT.md: BLK-8 */
static void test_round(void **state)
{
    (void)state;
    vp_blocks *b = make();
    vp_block_store *s = open_folder();
    const vp_block_source source = vp_block_store_source(s, NULL, NULL);
    uint32_t saved = 0;
    for (uint64_t round = 1; round < 5; round++) {
        edit(b, round, round == 1 ? 12 : 2);
        const uint64_t digest = vp_blocks_digest(b);
        assert_ok(vp_blocks_save(b, &source, &saved, &error));
        assert_true(saved > 0);
        assert_ok(vp_blocks_save(b, &source, &saved, &error));
        assert_int_equal(saved, 0);
        assert_true(load_well(s) == digest);
        vp_block_store *other = open_folder(); /* a store with nothing in memory */
        assert_true(load_well(other) == digest);
        vp_block_store_destroy(other);
        const vp_ivec3 gone = {0, 0, 0};
        vp_blocks_remove_chunk(b, gone);
        const vp_vec3 point = {1, 1, 1};
        vp_block_residency_result stay;
        assert_ok(vp_blocks_update_residency(b, &(vp_block_residency){&point, 1, 0, 0, UINT64_MAX}, &source, &stay, NULL, &error));
        assert_true(vp_blocks_digest(b) == digest);
    }
    vp_block_store_destroy(s);
    vp_blocks_destroy(b);
}

/* docs/CONTRACT.md: BLK-9
 * Each replacement fails, and leaves the old file or a part of the new one. */
static void test_torn(void **state)
{
    (void)state;
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

/* docs/CONTRACT.md: BLK-9
 * A saving process is killed at any time. Each region of the folder is the old one or the new one. */
static void test_killed(void **state)
{
    (void)state;
#ifdef TEST_THIN
    const int kills = 4;
#else
    const int kills = 24;
#endif
    assert_int_equal(drop_folder(), 0);
    assert_int_equal(make_folder(), 0);
    uint64_t digest[2];
    vp_blocks *b[2] = {make(), make()};
    for (int k = 0; k < 2; k++) { /* both in one region */
        for (int i = 0; i < 40; i++)
            assert_ok(vp_blocks_set(b[k], (vp_ivec3){i * 3, i, k + 1}, (vp_block)(k + 1), NULL, &error));
        digest[k] = vp_blocks_digest(b[k]);
    }
    vp_block_store *s = open_folder();
    const vp_block_source source = vp_block_store_source(s, NULL, NULL);
    assert_ok(vp_blocks_save(b[0], &source, NULL, &error));
    vp_block_store_destroy(s);
    int seen[2] = {0, 0};
    for (int i = 0; i < kills; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            for (int k = 0;; k++) {
                vp_block_store *t = NULL;
                vp_block_saved all[16];
                vp_ivec3 at[16];
                const uint32_t count = vp_blocks_list_chunks(b[k % 2], at, 16);
                vp_block_snapshot of[16];
                if (count > 16 || vp_block_store_create(&(vp_block_store_def){.folder = folder}, &t, NULL) != VP_OK)
                    _exit(1);
                for (uint32_t c = 0; c < count; c++) {
                    vp_blocks_acquire(b[k % 2], at[c], &of[c]);
                    all[c] = (vp_block_saved){at[c], of[c].cells};
                }
                if (vp_block_store_save(t, all, count, NULL) != VP_OK)
                    _exit(1);
                for (uint32_t c = 0; c < count; c++)
                    vp_blocks_release(b[k % 2], &of[c]);
                vp_block_store_destroy(t);
            }
        }
        nanosleep(&(struct timespec){.tv_nsec = 500000 + i * 1700000}, NULL);
        kill(child, SIGKILL);
        int how;
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFSIGNALED(how));
        s = open_folder();
        const uint64_t is = load_well(s);
        assert_true(is == digest[0] || is == digest[1]);
        seen[is == digest[1]]++;
        vp_block_store_destroy(s);
    }
    assert_int_equal(seen[0] + seen[1], kills);
    vp_blocks_destroy(b[0]);
    vp_blocks_destroy(b[1]);
}

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
static void test_walk(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_torn),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_walk),
    };
    return cmocka_run_group_tests(tests, begin_group, end_group);
}
