/* SPDX-License-Identifier: MIT */
/* Saving a terrain: the file holds the voxels as they are after the edits, those of one moment while others edit; who is refused
 * leaves the old file, and the terrain as it was; edits wait for no disk. What is in a file, and how it takes its place, is
 * test_world_file.c's and test_world_disk.c's. */
#define _XOPEN_SOURCE 700
#include "tests/support/folder.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include <voxphys/voxphys.h>

#include "src/terrain/terrain_internal.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"

static const vp_dims chunks = {4, 3, 3}, whole = {0, 0, 0};
static const vp_ivec3 origin = {0, 0, 0};

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

static vp_terrain *make(vp_world *world, const vp_allocator *allocator)
{
    vp_terrain *t = NULL;
    const vp_terrain_def def = {.world = world, .surfaces = 3, .form = VP_KD_PACKED, .budget = 50000, .allocator = allocator};
    assert_ok(vp_terrain_create(&def, &t, &error));
    return t;
}

/* Else the next edit would wait for ever. */
static void expect_nobody_inside(vp_terrain *t)
{
    assert_int_equal(atomic_load(&t->gate.state), 0);
}

static vp_blob encoded(const vp_world *world, const char *note)
{
    vp_blob blob;
    assert_ok(vp_world_encode(world, note, NULL, &blob, &error));
    return blob;
}

static void expect_same_voxels(const vp_world *got, const vp_world *want)
{
    const vp_dims a = vp_world_size(got), b = vp_world_size(want);
    assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
    for (int32_t y = 0; y < (int32_t)a.y; y++)
        for (int32_t z = 0; z < (int32_t)a.z; z++)
            for (int32_t x = 0; x < (int32_t)a.x; x++) {
                const vp_voxel v = vp_world_voxel(got, (vp_ivec3){x, y, z}), w = vp_world_voxel(want, (vp_ivec3){x, y, z});
                assert_true(v.material == w.material && v.occupancy == w.occupancy);
            }
}

/* ---- what is saved ---- */

/* Edits, a save, more edits: what is loaded is the world between them, and a terrain of it answers as brute force says. */
static void saved_as_it_is_then(void **state)
{
    (void)state;
    vp_random r = {61};
    vp_world *world = test_random_world(&r, chunks, NULL), *twin = NULL;
    vp_blob blob = encoded(world, NULL);
    assert_ok(vp_world_decode(blob.bytes, blob.size, NULL, &twin, NULL, &error));
    vp_blob_destroy(&blob);
    vp_terrain *t = make(world, NULL);
    const char *path = in_folder("edited.vpw");
    for (int round = 0; round < 6; round++) {
        const char *note = round % 3 == 0 ? NULL : round % 3 == 1 ? "" : "six rounds of edits: \xc3\xa4";
        for (int i = 0; i < 25; i++)
            terrain_random_edit(&r, t, vp_world_size(world), twin);
        terrain_oracle o[2];
        for (int s = 0; s < 2; s++)
            terrain_oracle_make(twin, (vp_surface)s, origin, whole, &o[s]);
        for (int i = 0; i < 10; i++) /* trees are there, and are none of the file's affair */
            terrain_expect(t, (vp_surface)(i % 2), &o[i % 2], &r);
        assert_ok(vp_terrain_save(t, note, path, &error));
        expect_nobody_inside(t);
        blob = encoded(twin, note);
        assert_file_is(path, blob.bytes, blob.size);
        vp_blob_destroy(&blob);
        terrain_random_edit(&r, t, vp_world_size(world), NULL); /* of the terrain alone: later than the file */

        vp_world *loaded = NULL;
        vp_blob text;
        assert_ok(vp_world_load(path, NULL, &loaded, &text, &error));
        assert_string_equal((const char *)text.bytes, note != NULL ? note : "");
        expect_same_voxels(loaded, twin);
        vp_terrain *again = make(loaded, NULL);
        for (int i = 0; i < 60; i++)
            terrain_expect(again, (vp_surface)(i % 2), &o[i % 2], &r);
        vp_terrain_destroy(again);
        vp_world_destroy(loaded);
        vp_blob_destroy(&text);
        for (int s = 0; s < 2; s++)
            terrain_oracle_free(&o[s]);

        const vp_dims size = vp_world_size(world); /* alike again */
        uint8_t *material = malloc((size_t)size.x * size.y * size.z * 2), *occupancy = material + (size_t)size.x * size.y * size.z;
        assert_non_null(material);
        assert_ok(vp_world_read_rows(twin, origin, size, material, occupancy, &error));
        assert_ok(vp_terrain_write_rows(t, origin, size, material, occupancy, NULL, &error));
        free(material);
    }
    vp_terrain_destroy(t);
    vp_world_destroy(twin);
    vp_world_destroy(world);
}

/* ---- what is refused ---- */

static void refusals(void **state)
{
    (void)state;
    vp_random r = {62};
    vp_world *world = test_random_world(&r, chunks, NULL);
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_terrain *t = make(world, &allocator);
    const char *path = in_folder("refused.vpw");
    write_file(path, "old", 3);
    char nowhere[160], below[160], *long_note = malloc((1u << 20) + 1);
    assert_non_null(long_note);
    memset(long_note, 'n', 1u << 20);
    long_note[1u << 20] = '\0';
    snprintf(nowhere, sizeof nowhere, "%s/none/world.vpw", folder);
    snprintf(below, sizeof below, "%s/world.vpw", path); /* below a file */
    const struct {
        const char *note, *path;
        vp_status status;
        const char *names;
    } refused[] = {{"\xff", path, VP_E_ARGUMENT, "UTF-8"},
                   {"half: \xc3", path, VP_E_ARGUMENT, "UTF-8"},
                   {long_note, path, VP_E_ARGUMENT, "1048576"},
                   {"", "", VP_E_IO, "empty path"},
                   {NULL, folder, VP_E_IO, folder},
                   {NULL, nowhere, VP_E_IO, nowhere},
                   {NULL, below, VP_E_IO, below}};
    const uint64_t live = memory.live_bytes;
    const int before = entries();
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_refused(vp_terrain_save(t, refused[i].note, refused[i].path, &error), refused[i].status, refused[i].names);
        assert_int_equal(memory.live_bytes, live);
        expect_nobody_inside(t);
        assert_file_is(path, "old", 3);
        assert_int_equal(entries(), before);
        assert_int_equal(vp_terrain_save(t, refused[i].note, refused[i].path, NULL), refused[i].status); /* nobody asks why */
    }
    assert_ok(vp_terrain_set_voxel(t, origin, (vp_voxel){7, 7}, NULL, &error));
    long_note[(1u << 20) - 1] = '\0'; /* the longest that there may be */
    assert_ok(vp_terrain_save(t, long_note, path, &error));
    vp_blob blob = encoded(world, long_note);
    assert_file_is(path, blob.bytes, blob.size);
    vp_blob_destroy(&blob);
    free(long_note);
    vp_terrain_destroy(t);
    test_memory_end(&memory);
    vp_world_destroy(world);
}

/* Each request for memory is refused in turn: the old file stays, and the terrain can be saved when there is memory. */
static void without_memory(void **state)
{
    (void)state;
    vp_random r = {63};
    vp_world *world = test_random_world(&r, chunks, NULL);
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_terrain *t = make(world, &allocator);
    vp_blob blob = encoded(world, "kept");
    const char *path = in_folder("memory.vpw");
    const uint64_t live = memory.live_bytes;
    uint64_t n = 0;
    for (int only_one = 0; only_one < 2; only_one++) {
        bool refused = true;
        memory.only_one = only_one == 1;
        write_file(path, "old", 3);
        for (n = 1; refused; n++) {
            vp_error why = {VP_OK, ""};
            test_memory_fail_at(&memory, n);
            const vp_status status = vp_terrain_save(t, "kept", path, &why);
            refused = memory.requests >= n;
            assert_int_equal(status, refused ? VP_E_MEMORY : VP_OK);
            assert_int_equal(why.status, status);
            assert_true(!refused || why.message[0] != '\0');
            assert_int_equal(memory.live_bytes, live);
            expect_nobody_inside(t);
            if (refused)
                assert_file_is(path, "old", 3);
        }
        assert_file_is(path, blob.bytes, blob.size);
    }
    assert_true(n > 2);
    vp_blob_destroy(&blob);
    vp_terrain_destroy(t);
    test_memory_end(&memory);
    vp_world_destroy(world);
}

/* ---- by several at once ---- */

enum { FIRST = 4, PATHS = 150 };

typedef struct race {
    vp_world *world;
    pthread_barrier_t line;
    atomic_uint wrong;
} race;

static void *racer(void *user)
{
    race *r = user;
    for (int i = 0; i < PATHS; i++) {
        char path[128];
        vp_error error = {VP_OK, ""};
        snprintf(path, sizeof path, "%s/new-%d.vpw", folder, i);
        pthread_barrier_wait(&r->line);
        if (vp_world_save(r->world, "first", path, &error) != VP_OK) {
            print_error("%s\n", error.message);
            atomic_fetch_add(&r->wrong, 1);
        }
    }
    return NULL;
}

/* Of a path that is not there yet each may find that it is, between one question and the next. */
static void saved_by_several_at_once(void **state)
{
    (void)state;
    race r = {.world = test_world(1, 1, 1, NULL)};
    pthread_t first[FIRST];
    assert_int_equal(pthread_barrier_init(&r.line, NULL, FIRST), 0);
    for (int i = 0; i < FIRST; i++)
        assert_int_equal(pthread_create(&first[i], NULL, racer, &r), 0);
    for (int i = 0; i < FIRST; i++)
        pthread_join(first[i], NULL);
    pthread_barrier_destroy(&r.line);
    vp_world_destroy(r.world);
    assert_int_equal(atomic_load(&r.wrong), 0);
}

/* ---- while others edit ---- */

enum { STATES = 4, SAVES = 25, SAVERS = 2, EDITORS = 2 };

typedef struct scene {
    vp_terrain *terrain;
    atomic_bool stop;
    atomic_uint wrong, started, seen, edits;
} scene;

static const vp_ivec3 low = {1, 1, 1}, high = {31, 23, 23};

static void *editor(void *user)
{
    static const vp_voxel content[STATES] = {{VP_AIR, 0}, {5, 255}, {2, 140}, {VP_WATER, 77}};
    scene *s = user;
    vp_random r = {100 + atomic_fetch_add(&s->started, 1)};
    while (!atomic_load(&s->stop)) {
        vp_error error;
        if (vp_terrain_fill_box(s->terrain, low, high, content[vp_random_below(&r, STATES)], NULL, &error) != VP_OK)
            atomic_fetch_add(&s->wrong, 1);
        atomic_fetch_add(&s->edits, 1);
    }
    return NULL;
}

/* Whether all voxels of the box are one; notes which one. */
static bool is_of_one_moment(scene *s, const vp_world *world)
{
    const vp_voxel first = vp_world_voxel(world, low);
    for (int32_t y = low.y; y < high.y; y++)
        for (int32_t z = low.z; z < high.z; z++)
            for (int32_t x = low.x; x < high.x; x++) {
                const vp_voxel v = vp_world_voxel(world, (vp_ivec3){x, y, z});
                if (v.material != first.material || v.occupancy != first.occupancy)
                    return false;
            }
    atomic_fetch_or(&s->seen, 1u << first.material);
    return true;
}

/* Saves to a path of its own, and to one that all have. */
static void *saver(void *user)
{
    scene *s = user;
    char path[2][128];
    snprintf(path[0], sizeof path[0], "%s/own-%u.vpw", folder, atomic_fetch_add(&s->started, 1));
    snprintf(path[1], sizeof path[1], "%s/shared.vpw", folder);
    for (int i = 0; i < SAVES * 2; i++) {
        vp_error error;
        vp_world *loaded = NULL;
        bool right = vp_terrain_save(s->terrain, "while others edit", path[i % 2], &error) == VP_OK &&
                     vp_world_load(path[i % 2], NULL, &loaded, NULL, &error) == VP_OK && is_of_one_moment(s, loaded);
        vp_world_destroy(loaded);
        if (!right)
            atomic_fetch_add(&s->wrong, 1);
    }
    return NULL;
}

static void saved_while_others_edit(void **state)
{
    (void)state;
    static scene s;
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, NULL);
    s.terrain = make(world, NULL);
    pthread_t edit[EDITORS], save[SAVERS];
    for (int i = 0; i < EDITORS; i++)
        assert_int_equal(pthread_create(&edit[i], NULL, editor, &s), 0);
    while (atomic_load(&s.edits) == 0)
        ;
    for (int i = 0; i < SAVERS; i++)
        assert_int_equal(pthread_create(&save[i], NULL, saver, &s), 0);
    for (int i = 0; i < SAVERS; i++)
        pthread_join(save[i], NULL);
    atomic_store(&s.stop, true);
    for (int i = 0; i < EDITORS; i++)
        pthread_join(edit[i], NULL);
    const unsigned seen = atomic_load(&s.seen);
    assert_int_equal(atomic_load(&s.wrong), 0);
    assert_true((seen & (seen - 1)) != 0); /* there was something to tell apart */
    expect_nobody_inside(s.terrain);
    vp_terrain_destroy(s.terrain);
    vp_world_destroy(world);
}

/* ---- the disk ---- */

static vp_terrain *saved;
static volatile sig_atomic_t looks, inside;

/* Called in the middle of writing. */
static void look_at_the_gate(int signal)
{
    (void)signal;
    looks++;
    inside = atomic_load(&saved->gate.state) != 0;
}

/* While a file is written nobody is inside, so that an edit could come in: the disk says in the middle of it that it is full. */
static void edits_do_not_wait_for_the_disk(void **state)
{
    (void)state;
    vp_random r = {64};
    vp_world *world = test_random_world(&r, chunks, NULL);
    saved = make(world, NULL);
    struct rlimit limit, small;
    const char *path = in_folder("disk.vpw");
    vp_error why;
    write_file(path, "old", 3);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 50;
    void (*old)(int) = signal(SIGXFSZ, look_at_the_gate);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const vp_status status = vp_terrain_save(saved, NULL, path, &why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, old);
    assert_int_equal(status, VP_E_IO);
    assert_non_null(strstr(why.message, path));
    assert_true(looks > 0);
    assert_int_equal(inside, 0);
    expect_nobody_inside(saved);
    assert_file_is(path, "old", 3);
    assert_ok(vp_terrain_save(saved, NULL, path, &error));
    vp_terrain_destroy(saved);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saved_as_it_is_then),     cmocka_unit_test(refusals),
                                       cmocka_unit_test(without_memory),          cmocka_unit_test(saved_by_several_at_once),
                                       cmocka_unit_test(saved_while_others_edit), cmocka_unit_test(edits_do_not_wait_for_the_disk)};
    return cmocka_run_group_tests_name("terrain_save", tests, begin_group, end_group);
}
