/* SPDX-License-Identifier: MIT */
/* The ground is lowered and raised while other threads compute manifolds. All bodies of one call touch the ground of one version. */
#include "tests/support/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { ROUNDS = 40, READERS = 2 };
#else
enum { ROUNDS = 300, READERS = 3 };
#endif
enum { SIDE = 24, LOW = 6, HIGH = 9, BODIES = 12, ROOM = 128, MOST = 4 * BODIES };

typedef struct scene {
    vp_terrain *terrain;
    vp_collide_shape box;
    vp_manifold_body body[BODIES];
    atomic_bool stop;
    atomic_uint wrong, is_low, is_high;
} scene;

static void *read_on(void *argument)
{
    scene *s = argument;
    vp_manifold_scratch scratch = {malloc(vp_manifold_scratch_bytes(ROOM)), ROOM, 0};
    vp_manifold m[MOST];
    vp_manifold_result result[BODIES];
    uint32_t made;
    const vp_manifold_def def = {.margin = 0.02f, .whole = true};
    while (!atomic_load(&s->stop)) {
        vp_terrain_reader reader;
        uint32_t touch[2] = {0, 0};
        vp_terrain_acquire_reader(s->terrain, &reader);
        const vp_status status = vp_manifold_terrain_many(&def, s->body, BODIES, &reader, &scratch, m, MOST, result, &made, NULL);
        vp_terrain_release_reader(&reader);
        for (int i = 0; i < BODIES && status == VP_OK; i++)
            touch[i % 2] += result[i].count;
        /* every other body lies on the low ground and is wholly inside the high one, the others are in the air above the low one */
        const bool is_low = touch[0] == BODIES / 2 && touch[1] == 0, is_high = touch[0] == 0 && touch[1] == BODIES / 2;
        atomic_fetch_add(is_low ? &s->is_low : is_high ? &s->is_high : &s->wrong, 1);
    }
    free(scratch.memory);
    return NULL;
}

/* docs/CONTRACT.md: MAN-6 */
static void readers(void **state)
{
    (void)state;
    vp_world *world = NULL;
    scene s = {.box = vp_collide_box((vp_vec3){0.5f, 0.25f, 0.5f})};
    pthread_t thread[READERS];
    const vp_voxel rock = {7, 255}, air = {0, 0};
    assert_ok(vp_world_create(&(vp_world_def){.size = {SIDE, 16, SIDE}}, &world, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){SIDE, LOW, SIDE}, rock, NULL, &error));
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &s.terrain, &error));
    for (int i = 0; i < BODIES; i++) {
        const float ground = (float)(i % 2 == 0 ? LOW : HIGH);
        s.body[i] = (vp_manifold_body){&s.box, vp_pose_at((vp_vec3){4.5f + 1.25f * (float)i, ground + 0.24f, 5.3f + (float)i})};
    }
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, read_on, &s), 0);
    for (int i = 0; i < ROUNDS; i++)
        assert_ok(
            vp_terrain_fill_box(s.terrain, (vp_ivec3){0, LOW, 0}, (vp_ivec3){SIDE, HIGH, SIDE}, i % 2 == 0 ? rock : air, NULL, &error));
    atomic_store(&s.stop, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    assert_true(atomic_load(&s.is_low) + atomic_load(&s.is_high) > 0);
    vp_terrain_destroy(s.terrain);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
