/* SPDX-License-Identifier: MIT */
/* Saving a terrain. The file has the voxels after the edits. Edits do not wait for the disk. test_world_file.c and test_world_disk.c check
 * the file's content and replacement, test_terrain_threads.c saves during edits. */
#define _XOPEN_SOURCE 700
#include "tests/support/folder.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include <voxphys/voxphys.h>

#include "src/terrain/terrain_internal.h"
#include "tests/support/memory.h"
#include "tests/support/terrain_oracle.h"
#include "tests/world/same.h"

typedef struct saved_terrain {
    test_memory memory;
    vp_allocator allocator;
    vp_world *world;
    vp_terrain *terrain;
    const char *path;
} saved_terrain;

static saved_terrain s;

static int begin(void **state)
{
    (void)state;
    vp_random r = {61};
    if (make_folder() != 0)
        return -1;
    test_memory_begin(&s.memory);
    s.allocator = test_memory_allocator(&s.memory);
    s.world = test_random_world(&r, (vp_dims){4, 3, 3}, NULL);
    s.path = in_folder("terrain.vpw");
    const vp_terrain_def def = {.world = s.world, .surfaces = 3, .budget = 50000, .allocator = &s.allocator};
    assert_ok(vp_terrain_create(&def, &s.terrain, &error));
    return 0;
}

static int end(void **state)
{
    (void)state;
    vp_terrain_destroy(s.terrain);
    vp_world_destroy(s.world);
    test_memory_end(&s.memory);
    return drop_folder();
}

/* The file has the current voxels, or the old ones. The gate is open, because otherwise the next edit would wait for ever. */
static void expect_file(const vp_world *world, const char *note)
{
    vp_blob blob;
    if (world != NULL) {
        assert_ok(vp_world_encode(world, note, NULL, &blob, &error));
        assert_file_is(s.path, blob.bytes, blob.size);
        vp_blob_destroy(&blob);
    } else {
        assert_file_is(s.path, "old", 3);
    }
    assert_int_equal(atomic_load(&s.terrain->gate.state), 0);
}

TEST(saved_as_it_is_then)
{
    vp_random r = {62};
    vp_world *twin = copy_of(s.world);
    for (int round = 0; round < 6; round++) {
        const char *note = round % 3 == 0 ? NULL : round % 3 == 1 ? "" : "six rounds of edits: \xc3\xa4";
        for (int i = 0; i < 25; i++)
            terrain_random_edit(&r, s.terrain, vp_world_size(s.world), twin);
        assert_ok(vp_terrain_prepare(s.terrain, &error)); /* makes trees, which the file does not contain */
        assert_ok(vp_terrain_save(s.terrain, note, s.path, &error));
        expect_file(twin, note);
    }
    vp_world_destroy(twin);
}

static volatile sig_atomic_t looks, inside;

/* Runs while the file is being written. */
static void look_at_the_gate(int signal)
{
    (void)signal;
    looks++;
    inside = atomic_load(&s.terrain->gate.state) != 0;
}

/* The gate is open while a file is written, so that an edit could run. The write ends with a full disk. */
TEST(edits_do_not_wait_for_the_disk)
{
    struct rlimit limit, small;
    vp_error why;
    write_file(s.path, "old", 3);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 50;
    void (*old)(int) = signal(SIGXFSZ, look_at_the_gate);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const vp_status status = vp_terrain_save(s.terrain, NULL, s.path, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, old);
    assert_int_equal(status, VP_E_IO);
    assert_non_null(strstr(why.message, s.path));
    assert_true(looks > 0);
    assert_int_equal(inside, 0);
    expect_file(NULL, NULL);
    assert_ok(vp_terrain_save(s.terrain, NULL, s.path, &error));
}

int main(void)
{
    return test_run_all(begin, end);
}
