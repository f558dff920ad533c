/* SPDX-License-Identifier: MIT */
/* Saving a terrain. Edits do not wait for the disk, and a failed save leaves the old file. test_world_file.c and test_world_disk.c check
 * the file's content and replacement, test_terrain_threads.c saves during edits. */
#define _XOPEN_SOURCE 700
#include "tests/support/folder.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include <voxphys/voxphys.h>

#include "src/terrain/terrain_internal.h"
#include "tests/support/samples.h"

static vp_terrain *terrain;
static volatile sig_atomic_t looks, inside;

/* Runs while the file is being written. */
static void look_at_the_gate(int signal)
{
    (void)signal;
    looks++;
    inside = atomic_load(&terrain->gate.state) != 0;
}

/* The gate is open while a file is written, so that an edit could run. The write ends with a full disk. */
TEST(edits_do_not_wait_for_the_disk)
{
    struct rlimit limit, small;
    vp_error why;
    vp_blob blob;
    vp_random r = {61};
    assert_int_equal(make_folder(), 0);
    vp_world *world = test_random_world(&r, (vp_dims){4, 3, 3}, NULL);
    const char *path = in_folder("terrain.vpw");
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error));
    write_file(path, "old", 3);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 50;
    void (*old)(int) = signal(SIGXFSZ, look_at_the_gate);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const vp_status status = vp_terrain_save(terrain, NULL, path, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, old);
    assert_int_equal(status, VP_E_IO);
    assert_non_null(strstr(why.message, path));
    assert_true(looks > 0);
    assert_int_equal(inside, 0);
    assert_file_is(path, "old", 3);
    assert_int_equal(atomic_load(&terrain->gate.state), 0); /* otherwise the next edit would wait for ever */
    assert_ok(vp_terrain_save(terrain, "a note", path, &error));
    assert_ok(vp_world_encode(world, "a note", NULL, &blob, &error));
    assert_file_is(path, blob.bytes, blob.size);
    vp_blob_destroy(&blob);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
    assert_int_equal(drop_folder(), 0);
}
