/* SPDX-License-Identifier: MIT */
/* Every allocation of a block world, its edits, files and residency fails in turn. The failure is reported, nothing is changed, lost or
 * leaked, and the next call succeeds. */
#include "tests/support/check.h"
#include "tests/support/memory.h"

#include <stdlib.h>

#include <voxphys/block_store.h>

/* ---- a file in memory from plain malloc ---- */

typedef struct one_file {
    uint8_t *bytes;
    size_t size;
} one_file;

static vp_status read_one(void *user, const char *name, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    const one_file *f = user;
    if (f->bytes == NULL || strcmp(name, "0.0.0.vpb") != 0)
        return VP_OK;
    out->bytes = allocator->allocate(allocator->user, f->size, 64);
    if (out->bytes == NULL) {
        if (error != NULL)
            *error = (vp_error){VP_E_MEMORY, "no memory for a file"};
        return VP_E_MEMORY;
    }
    memcpy(out->bytes, f->bytes, f->size);
    out->size = out->capacity = f->size;
    out->allocator = *allocator;
    return VP_OK;
}

static vp_status replace_one(void *user, const char *name, const uint8_t *bytes, size_t size, vp_error *error)
{
    one_file *f = user;
    (void)error;
    assert_string_equal(name, "0.0.0.vpb");
    free(f->bytes);
    f->bytes = malloc(size);
    memcpy(f->bytes, bytes, size);
    f->size = size;
    return VP_OK;
}

static void fill(const void *user, vp_ivec3 chunk, vp_block *cell)
{
    (void)user;
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        cell[i] = (vp_block)((i + chunk.x) % 7);
}

/* Calls every function once. @return VP_OK, or the first failure, after which it only frees */
static vp_status all_of_it(vp_blocks_form form, const vp_allocator *allocator, vp_error *error)
{
    vp_blocks *b = NULL;
    vp_block_store *store = NULL;
    one_file file = {0};
    const vp_block_files files = {&file, read_one, replace_one};
    vp_block_changes changes = {0};
    vp_block_held held = {0};
    vp_block_residency_result stay = {0};
    vp_status status = vp_blocks_create(&(vp_blocks_def){.form = form, .allocator = allocator}, &b, error);
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
        if (status != VP_OK && stay.forgotten == 0 && stay.made == 0)
            assert_true(vp_blocks_digest(b) == edited || vp_blocks_digest(b) == digest);
    }
    vp_block_store_destroy(store);
    vp_block_changes_destroy(&changes);
    vp_blocks_destroy(b);
    free(file.bytes);
    return status;
}

/* docs/CONTRACT.md: BLK-5 */
static void test_refusals(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
