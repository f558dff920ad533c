/* SPDX-License-Identifier: MIT */
/* What a terrain's cache tells of the trees that it makes, for the top level to learn: each chunk once until it is edited, and
 * none is forgotten, however many are made at a time. Boxes are compared with the corners of the chunks' own meshes. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "src/core/memory.h"
#include "src/terrain/cache.h"
#include "src/world/data.h"

enum { CHUNKS = 6 * 4 * 6, ENTRIES = 2 * CHUNKS };

#define PLENTY ((size_t)1 << 30)

/* A cache of both surfaces and who asks it. */
typedef struct sample {
    vp_world *world;
    vp_tree_cache *cache;
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
    s->cache->surface[1] = VP_SURFACE_WATER;
    assert_true(vp_cache_begin(s->cache, 2, budget, &allocator));
}

static void end(sample *s)
{
    vp_cache_end(s->cache);
    free(s->cache);
    vp_world_destroy(s->world);
}

static vp_ivec3 chunk_at(uint32_t chunk)
{
    return (vp_ivec3){(int32_t)(chunk % 6), (int32_t)(chunk / 36), (int32_t)(chunk / 6 % 6)};
}

/* One use each, of entries [first, end). */
static void make(sample *s, uint32_t first, uint32_t end)
{
    for (uint32_t e = first; e < end; e++) {
        vp_tree_user user;
        vp_cache_enter(s->cache, e / CHUNKS, &user);
        assert_non_null(vp_cache_make(&user, e % CHUNKS));
        vp_cache_leave(&user);
    }
}

/* The lowest entry from one on whose chunk has triangles of its surface. */
static uint32_t with_triangles(const sample *s, uint32_t from)
{
    vp_chunk_mesh_room room;
    vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
    do {
        assert_true(from < ENTRIES);
        assert_ok(vp_mesh_chunk(s->world, NULL, chunk_at(from % CHUNKS), s->cache->surface[from / CHUNKS], &mesh, &error));
    } while (mesh.quad_count == 0 && ++from);
    return from;
}

/* What is told of a chunk must be what its mesh has. */
static void expect_true(const sample *s, const vp_made *made)
{
    vp_chunk_mesh_room room;
    vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
    assert_true(made->entry < ENTRIES);
    assert_ok(vp_mesh_chunk(s->world, NULL, chunk_at(made->entry % CHUNKS), s->cache->surface[made->entry / CHUNKS], &mesh, &error));
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
static uint32_t take(sample *s, uint32_t told[ENTRIES], bool *lost)
{
    vp_made made[VP_MADE_MAX];
    uint32_t from, end, count = vp_cache_news(s->cache, made, &from, &end);
    *lost = from != end;
    for (uint32_t i = 0; i < count; i++) {
        expect_true(s, &made[i]);
        told[made[i].entry]++;
    }
    for (uint32_t at = from; vp_cache_untold(s->cache, at, end, made); at = made->entry + 1, count++) {
        assert_true(made->entry >= at && made->entry < end);
        expect_true(s, made);
        told[made->entry]++;
    }
    assert_false(vp_cache_untold(s->cache, 0, ENTRIES, made)); /* it has all been told now */
    return count;
}

static bool has_news(const sample *s)
{
    return atomic_load(&s->cache->has_news);
}

static void each_is_told_once(void **state)
{
    (void)state;
    static const struct {
        uint32_t made;
        size_t budget;
    } cases[] = {
        {10, VP_TERRAIN_NO_LIMIT}, {VP_MADE_MAX, PLENTY}, {VP_MADE_MAX + 1, PLENTY}, {ENTRIES, VP_TERRAIN_NO_LIMIT}, {ENTRIES, PLENTY}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample s;
        uint32_t told[ENTRIES] = {0}, empty = 0;
        bool lost;
        begin(&s, cases[i].budget);
        assert_false(has_news(&s));
        make(&s, 0, cases[i].made);
        assert_int_equal(has_news(&s), cases[i].made >= VP_MADE_MAX);
        assert_int_equal(take(&s, told, &lost), cases[i].made);
        assert_int_equal(lost, cases[i].made > VP_MADE_MAX);
        assert_false(has_news(&s));
        for (uint32_t e = 0; e < ENTRIES; e++)
            assert_int_equal(told[e], e < cases[i].made);
        empty = vp_cache_stats(s.cache).empty;
        assert_true(cases[i].made < ENTRIES || (empty > 0 && empty < ENTRIES));
        make(&s, 0, cases[i].made); /* they are there */
        assert_int_equal(take(&s, told, &lost), 0);
        assert_false(lost);
        end(&s);
    }
}

/* Drops all trees. */
static void evict_all(sample *s)
{
    vp_cache_set_budget(s->cache, 0);
    assert_int_equal(vp_cache_stats(s->cache).kept, 0);
    vp_cache_set_budget(s->cache, PLENTY);
}

static void what_is_dropped_for_the_budget_is_not_told_again(void **state)
{
    (void)state;
    sample s;
    uint32_t told[ENTRIES] = {0};
    bool lost;
    begin(&s, PLENTY);
    make(&s, 0, 40);
    assert_int_equal(take(&s, told, &lost), 40);
    evict_all(&s);
    const uint64_t built = vp_cache_stats(s.cache).built;
    make(&s, 0, 40);
    assert_true(vp_cache_stats(s.cache).built > built);
    assert_int_equal(take(&s, told, &lost), 0);
    end(&s);
}

/* Of both surfaces; whether its tree is still there does not matter, nor whether it was told. */
static void what_is_edited_is_told_again(void **state)
{
    (void)state;
    for (uint32_t surface = 0; surface < 2; surface++) {
        sample s;
        uint32_t told[ENTRIES] = {0};
        bool lost;
        begin(&s, PLENTY);
        const uint32_t first = surface * CHUNKS, a = with_triangles(&s, first), b = with_triangles(&s, a + 1),
                       c = with_triangles(&s, b + 1);
        const uint32_t most = c + 1;
        make(&s, first, most);
        assert_int_equal(take(&s, told, &lost), most - first);
        evict_all(&s);
        assert_true(atomic_load(&s.cache->entry[a]) == NULL);
        vp_cache_drop(s.cache, a % CHUNKS);
        make(&s, first, most);
        assert_int_equal(take(&s, told, &lost), 1);
        assert_int_equal(told[a], 2);

        vp_cache_drop(s.cache, b % CHUNKS);
        vp_cache_drop(s.cache, c % CHUNKS);
        make(&s, first, most);
        vp_cache_drop(s.cache, b % CHUNKS); /* what was to be told of it is no longer true */
        assert_int_equal(take(&s, told, &lost), 1);
        assert_int_equal(told[c], 2);

        make(&s, first, most);
        evict_all(&s);
        vp_cache_drop(s.cache, b % CHUNKS); /* nor if it is not there */
        assert_int_equal(take(&s, told, &lost), 0);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_told_once),
                                       cmocka_unit_test(what_is_dropped_for_the_budget_is_not_told_again),
                                       cmocka_unit_test(what_is_edited_is_told_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
