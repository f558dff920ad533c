/* SPDX-License-Identifier: MIT */
/* Editors and readers of one block world on several threads, in both forms. Each tick writes its number to all blocks of a slab in two
 * chunks. A reader of a chunk finds a single number in its part, and never a lower one later. */
#include "tests/support/check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <voxphys/block_store.h>

#include "datasets/random.h"
#include "src/blocks/blocks_internal.h"

enum { EDITORS = 2, READERS = 3, FREE_FROM = 8 }; /* blocks from z = 8 on get single edits */
enum { TICKS = IS_DEEP ? 10000 : 150 };

typedef struct shared {
    vp_blocks *world;
    atomic_bool done;
    atomic_uint next;
    atomic_uint faults, looks;
    uint32_t ticks;
} shared;

/* Slab s is in chunks (0, 0, 2s) and (1, 0, 2s), and each editor has one. */
static void *edit(void *argument)
{
    shared *s = argument;
    const uint32_t mine = atomic_fetch_add(&s->next, 1);
    vp_random r = {mine};
    vp_block_changes changes = {0};
    for (uint32_t t = 1; t <= s->ticks; t++) {
        const int z = (int)mine * 64;
        const vp_block_edit all[3] = {
            {.shape = VP_BLOCK_BOX, .block = (vp_block)t, .low = {0, 0, z}, .high = {64, 8, z + FREE_FROM}},
            {.shape = VP_BLOCK_ONE, .block = 1, .low = {(int32_t)vp_random_below(&r, 64), 20, z + 31}},
            {.shape = VP_BLOCK_SPHERE, .block = (vp_block)(t % 3), .centre = {40, 26, (float)z + 20}, .radius = 5}};
        if (vp_blocks_edit(s->world, all, 3, &changes, NULL) != VP_OK || changes.count < 2)
            atomic_fetch_add(&s->faults, 1);
    }
    vp_block_changes_destroy(&changes);
    return NULL;
}

/* The number in a chunk's part of a slab, or -1 if it has two numbers. */
static int number_of(const vp_block_cells *cells)
{
    const vp_block first = vp_block_at(cells, 0, 0, 0);
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t z = 0; z < FREE_FROM; z++)
            for (uint32_t x = 0; x < 32; x++)
                if (vp_block_at(cells, x, y, z) != first)
                    return -1;
    return first;
}

static void *read_world(void *argument)
{
    shared *s = argument;
    int last[EDITORS][2] = {{0}};
    uint64_t version[EDITORS][2] = {{0}};
    while (!atomic_load(&s->done))
        for (int e = 0; e < EDITORS; e++) {
            vp_block_around around;
            vp_blocks_acquire_around(s->world, (vp_ivec3){0, 0, 2 * e}, &around);
            for (int c = 0; c < 2; c++) {
                const int number = number_of(&around.cells[VP_BLOCK_SELF + c]), again = number_of(&around.cells[VP_BLOCK_SELF + c]);
                const uint64_t of = around.of[VP_BLOCK_SELF + c].version;
                const bool good = number >= last[e][c] && again == number && of >= version[e][c] && (number > 0) == (of > 0);
                atomic_fetch_add(&s->faults, good ? 0 : 1);
                last[e][c] = number;
                version[e][c] = of;
            }
            vp_blocks_release_around(s->world, &around);
            atomic_fetch_add(&s->looks, 1);
        }
    return NULL;
}

/* docs/CONTRACT.md: BLK-4 */
static void run(vp_blocks_form form, uint32_t ticks)
{
    static vp_block_type types[TICKS + 1];
    pthread_t editor[EDITORS], reader[READERS];
    shared s = {.ticks = ticks};
    assert_ok(vp_blocks_create(&(vp_blocks_def){.type = types, .type_count = TICKS + 1, .form = form}, &s.world, &error));
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&reader[i], NULL, read_world, &s), 0);
    for (int i = 0; i < EDITORS; i++)
        assert_int_equal(pthread_create(&editor[i], NULL, edit, &s), 0);
    for (int i = 0; i < EDITORS; i++)
        pthread_join(editor[i], NULL);
    while (atomic_load(&s.looks) < 10) /* on a single core the readers may not have started */
        sched_yield();
    atomic_store(&s.done, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(reader[i], NULL);
    assert_int_equal(atomic_load(&s.faults), 0);
    assert_true(vp_blocks_version(s.world) == (uint64_t)EDITORS * ticks);
    const vp_blocks_memory m = vp_blocks_memory_use(s.world); /* all old chunks are freed */
    assert_true(m.bytes < m.cells + 200000 + sizeof types);
    vp_blocks_destroy(s.world);
}

TEST(test_snapshots)
{
    run(VP_BLOCKS_SNAPSHOTS, TICKS);
}

TEST(test_locks)
{
    run(VP_BLOCKS_LOCKS, TICKS / 3);
}
