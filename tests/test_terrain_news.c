/* SPDX-License-Identifier: MIT */
/* What a terrain's cache tells of the trees that it makes, for the top level to learn: each chunk once until it is edited, and
 * none is forgotten, however many are made at a time. Boxes are compared with the corners of the chunks' own meshes. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "core/memory.h"
#include "reference/terrain_cache.h"
#include "reference/world_data.h"

enum { CHUNKS = 6 * 4 * 6 };

static const size_t plenty = (size_t)1 << 30;

/* A cache and who asks it. */
typedef struct sample {
    vp_world *world;
    vp_tree_cache *cache;
    vp_tree_user user;
} sample;

static void begin(sample *s, size_t budget)
{
    vp_random r = {77};
    const vp_allocator allocator = vp_allocator_or_default(NULL);
    s->world = test_random_world(&r, (vp_dims){6, 4, 6}, NULL);
    /* empty ones too */
    assert_ok(vp_world_fill_box(s->world, (vp_ivec3){0, 8, 0}, (vp_ivec3){48, 16, 48}, (vp_voxel){0, 0}, NULL, &error));
    s->cache = calloc(1, sizeof *s->cache);
    assert_non_null(s->cache);
    assert_ok(vp_kernels_default(&s->cache->kernels, &error));
    s->cache->voxels = vp_world_voxels(s->world);
    s->cache->form = VP_KD_WIDE;
    s->cache->chunks = CHUNKS;
    s->cache->surface[0] = VP_SURFACE_SOLID;
    assert_true(vp_cache_begin(s->cache, 1, budget, &allocator));
    vp_cache_enter(s->cache, 0, &s->user);
}

static void end(sample *s)
{
    vp_cache_leave(&s->user);
    vp_cache_end(s->cache);
    free(s->cache);
    vp_world_destroy(s->world);
}

/* Of one use each, of chunks [first, end). */
static void make(sample *s, uint32_t first, uint32_t end)
{
    for (uint32_t c = first; c < end; c++)
        assert_non_null(vp_cache_make(&s->user, c));
    vp_cache_leave(&s->user);
    vp_cache_enter(s->cache, 0, &s->user);
}

/* What is told of a chunk must be what its mesh has. */
static void expect_true(const sample *s, const vp_made *made)
{
    vp_chunk_mesh_room room;
    vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
    const uint32_t c = made->entry;
    assert_true(c < CHUNKS);
    assert_ok(vp_mesh_chunk(s->world, NULL, (vp_ivec3){(int32_t)(c % 6), (int32_t)(c / 36), (int32_t)(c / 6 % 6)},
              VP_SURFACE_SOLID, &mesh,
                            &error));
    assert_int_equal(made->empty, mesh.quad_count == 0);
    if (made->empty)
        return;
    vp_aabb box = {mesh.vertex[0], mesh.vertex[0]};
    for (uint32_t v = 1; v < mesh.vertex_count; v++) {
        box.min = vp_vec3_min(box.min, mesh.vertex[v]);
        box.max = vp_vec3_max(box.max, mesh.vertex[v]);
    }
    assert_memory_equal(&made->box, &box, sizeof box);
}

/* Takes all that is told. @return how many chunks, each of which is counted */
static uint32_t take(sample *s, uint32_t told[CHUNKS], bool *lost)
{
    vp_made made[VP_MADE_MOST];
    uint32_t count = vp_cache_news(s->cache, made, lost);
    for (uint32_t i = 0; i < count; i++) {
        expect_true(s, &made[i]);
        told[made[i].entry]++;
    }
    for (uint32_t from = 0; *lost && vp_cache_untold(s->cache, from, made); from = made->entry + 1, count++) {
        assert_true(made->entry >= from);
        expect_true(s, made);
        told[made->entry]++;
    }
    return count;
}

static void each_is_told_once(void **state)
{
    (void)state;
    static const struct {
        uint32_t made;
        size_t budget;
    } cases[] = {{10, VP_TERRAIN_NO_LIMIT}, {VP_MADE_MOST, plenty}, {CHUNKS, VP_TERRAIN_NO_LIMIT}, {CHUNKS, plenty}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample s;
        uint32_t told[CHUNKS] = {0}, empty = 0;
        bool lost;
        begin(&s, cases[i].budget);
        make(&s, 0, cases[i].made);
        assert_int_equal(take(&s, told, &lost), cases[i].made);
        assert_int_equal(lost, cases[i].made > VP_MADE_MOST);
        for (uint32_t c = 0; c < CHUNKS; c++)
            assert_int_equal(told[c], c < cases[i].made);
        empty = vp_cache_stats(s.cache).empty;
        assert_true(cases[i].made < CHUNKS || (empty > 0 && empty < CHUNKS));
        make(&s, 0, cases[i].made); /* they are there */
        assert_int_equal(take(&s, told, &lost), 0);
        assert_false(lost);
        end(&s);
    }
}

static void what_is_dropped_for_the_budget_is_not_told_again(void **state)
{
    (void)state;
    sample s;
    uint32_t told[CHUNKS] = {0};
    bool lost;
    begin(&s, plenty);
    make(&s, 0, 40);
    assert_int_equal(take(&s, told, &lost), 40);
    vp_cache_set_budget(s.cache, 0);
    vp_cache_set_budget(s.cache, plenty);
    const uint64_t built = vp_cache_stats(s.cache).built;
    make(&s, 0, 40);
    assert_true(vp_cache_stats(s.cache).built > built);
    assert_int_equal(take(&s, told, &lost), 0);
    end(&s);
}

static void what_is_edited_is_told_again(void **state)
{
    (void)state;
    sample s;
    uint32_t told[CHUNKS] = {0};
    bool lost;
    begin(&s, plenty);
    make(&s, 0, 40);
    assert_int_equal(take(&s, told, &lost), 40);
    vp_cache_set_budget(s.cache, 0); /* that it is not there any more changes nothing */
    vp_cache_set_budget(s.cache, plenty);
    vp_cache_drop(s.cache, 7);
    make(&s, 0, 40);
    assert_int_equal(take(&s, told, &lost), 1);
    assert_int_equal(told[7], 2);
    vp_cache_drop(s.cache, 9);
    vp_cache_drop(s.cache, 11);
    make(&s, 9, 12);
    vp_cache_drop(s.cache, 9); /* what was to be told of it is no longer true */
    assert_int_equal(take(&s, told, &lost), 1);
    assert_int_equal(told[11], 2);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_told_once),
                                       cmocka_unit_test(what_is_dropped_for_the_budget_is_not_told_again),
                                       cmocka_unit_test(what_is_edited_is_told_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
