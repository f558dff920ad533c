/* SPDX-License-Identifier: MIT */
/* A beam on two posts is cut and restored while other threads read. A reader sees the whole beam or none of it, and never a cut with the
 * loose part still in the air. */
#include "tests/support/check.h"

#include <pthread.h>
#include <stdatomic.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { ROUNDS = 60, READERS = 2 };
#else
enum { ROUNDS = 600, READERS = 3 };
#endif
enum { BEAM = 20, WHOLE = 2 * 6 + BEAM, FALLEN = 2 * 5 };

typedef struct scene {
    vp_terrain *terrain;
    atomic_bool stop;
    atomic_uint wrong, whole, fallen;
} scene;

static uint32_t solid_of(const vp_world *world)
{
    const vp_voxels v = vp_world_voxels(world);
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)v.chunks.x * v.chunks.y * v.chunks.z * VP_CHUNK_VOXELS; i++)
        count += v.material[i] >= VP_FIRST_SOLID;
    return count;
}

static void *read_on(void *argument)
{
    scene *s = argument;
    while (!atomic_load(&s->stop)) {
        vp_terrain_reader reader = {0};
        vp_terrain_acquire_reader(s->terrain, &reader);
        const uint32_t count = solid_of(vp_terrain_reader_world(&reader));
        vp_terrain_release_reader(&reader);
        atomic_fetch_add(count == WHOLE ? &s->whole : count == FALLEN ? &s->fallen : &s->wrong, 1);
    }
    return NULL;
}

/* docs/CONTRACT.md: REG-3 */
static void readers(void **state)
{
    (void)state;
    vp_world *world = NULL;
    scene s = {0};
    pthread_t thread[READERS];
    const vp_voxel rock = {7, 255}, air = {0, 0};
    vp_ivec3 at[BEAM + 2];
    vp_voxel up[BEAM + 2];
    assert_ok(vp_world_create(&(vp_world_def){.size = {24, 8, 8}}, &world, &error));
    for (int32_t y = 0; y < 6; y++) {
        assert_ok(vp_world_set_voxel(world, (vp_ivec3){1, y, 4}, rock, NULL, &error));
        assert_ok(vp_world_set_voxel(world, (vp_ivec3){1 + BEAM - 1, y, 4}, rock, NULL, &error));
    }
    for (int32_t i = 0; i < BEAM; i++) {
        at[i] = (vp_ivec3){1 + i, 6, 4};
        up[i] = rock;
        assert_ok(vp_world_set_voxel(world, at[i], rock, NULL, &error));
    }
    at[BEAM] = (vp_ivec3){1, 5, 4};
    at[BEAM + 1] = (vp_ivec3){1 + BEAM - 1, 5, 4};
    up[BEAM] = up[BEAM + 1] = rock;
    const vp_voxel cut[2] = {air, air};
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &s.terrain, &error));
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, read_on, &s), 0);
    for (int i = 0; i < ROUNDS; i++) {
        vp_regions r;
        assert_ok(vp_regions_edit(&(vp_regions_def){0}, s.terrain, at + BEAM, cut, 2, NULL, &r, &error));
        assert_int_equal(r.region_count, 1);
        assert_int_equal(r.taken, BEAM);
        vp_regions_destroy(&r);
        assert_ok(vp_regions_edit(&(vp_regions_def){0}, s.terrain, at, up, BEAM + 2, NULL, &r, &error));
        assert_int_equal(r.region_count, 0);
        vp_regions_destroy(&r);
    }
    atomic_store(&s.stop, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    vp_terrain_destroy(s.terrain);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
