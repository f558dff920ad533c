/* SPDX-License-Identifier: MIT */
/* The cache of a terrain against a model with plain arrays: evicted trees, bytes held, and counters. The allocator checks that memory
 * never exceeds the budget. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"

#include <voxphys/voxphys.h>

static const vp_ivec3 origin = {0, 0, 0};
static const vp_dims whole = {0, 0, 0};

static vp_terrain *make(vp_world *world, size_t budget, const vp_allocator *allocator)
{
    vp_terrain *t = NULL;
    const vp_terrain_def def = {.world = world, .surfaces = 3, .form = VP_KD_WIDE, .budget = budget, .allocator = allocator};
    assert_ok(vp_terrain_create(&def, &t, &error));
    return t;
}

/* Uses one chunk once. */
static void use(vp_terrain *t, uint32_t chunk, uint32_t surface)
{
    vp_terrain_reader reader;
    vp_terrain_triangle is;
    vp_error error;
    vp_terrain_acquire_reader(t, &reader);
    const vp_status status = vp_terrain_reader_triangle(&reader, (vp_surface)surface, (vp_terrain_triangle_id){chunk, 0}, &is, &error);
    vp_terrain_release_reader(&reader);
    assert_true(status == VP_OK || status == VP_E_ARGUMENT); /* a chunk without triangles */
}

/* ---- the model ---- */

enum { CHUNKS = 36, SLOTS = 2 * CHUNKS };

typedef struct cache_model {
    size_t size[SLOTS]; /* bytes of each chunk's tree, in the order in which equal ones are evicted. 0 = no triangles */
    uint32_t triangles[SLOTS];
    bool made[SLOTS];
    uint64_t used[SLOTS], clock;
    vp_terrain_stats stats;
} cache_model;

/* Measures each chunk's tree in a terrain without a limit. */
static void learn_sizes(cache_model *m, vp_world *world)
{
    vp_terrain *t = make(world, VP_TERRAIN_NO_LIMIT, NULL);
    for (uint32_t s = 0; s < SLOTS; s++) {
        const vp_terrain_stats before = vp_terrain_stats_of(t);
        use(t, s / 2, s % 2);
        const vp_terrain_stats after = vp_terrain_stats_of(t);
        m->size[s] = after.bytes - before.bytes;
        m->triangles[s] = (uint32_t)(after.triangles - before.triangles);
        assert_int_equal(after.built - before.built, 1);
        assert_true((m->size[s] == 0) == (m->triangles[s] == 0));
    }
    vp_terrain_destroy(t);
}

static void model_drop(cache_model *m, uint32_t s)
{
    m->made[s] = false;
    m->stats.bytes -= m->size[s];
    m->stats.triangles -= m->triangles[s];
    m->stats.kept -= m->size[s] != 0;
    m->stats.empty -= m->size[s] == 0;
}

static void model_evict(cache_model *m)
{
    uint32_t least = SLOTS;
    for (uint32_t s = 0; s < SLOTS; s++)
        if (m->made[s] && m->size[s] != 0 && (least == SLOTS || m->used[s] < m->used[least]))
            least = s;
    assert_true(least != SLOTS);
    model_drop(m, least);
    m->stats.evictions++;
}

static void model_use(cache_model *m, uint32_t s)
{
    if (m->made[s]) {
        m->stats.hits += m->stats.budget != VP_TERRAIN_NO_LIMIT;
        m->used[s] = m->stats.budget != VP_TERRAIN_NO_LIMIT ? m->clock : m->used[s];
        return;
    }
    m->stats.misses++;
    m->stats.built++;
    m->clock++;
    if (m->size[s] > m->stats.budget) {
        m->stats.transient++;
        return;
    }
    while (m->stats.bytes > m->stats.budget - m->size[s])
        model_evict(m);
    m->made[s] = true;
    m->used[s] = m->clock;
    m->stats.bytes += m->size[s];
    m->stats.triangles += m->triangles[s];
    m->stats.kept += m->size[s] != 0;
    m->stats.empty += m->size[s] == 0;
    if (m->stats.bytes > m->stats.peak_bytes)
        m->stats.peak_bytes = m->stats.bytes;
}

static void model_set_budget(cache_model *m, size_t budget)
{
    m->stats.budget = budget == VP_TERRAIN_NO_CACHE ? 0 : budget;
    while (m->stats.bytes > m->stats.budget)
        model_evict(m);
}

static void expect_stats(vp_terrain *t, const cache_model *m)
{
    const vp_terrain_stats got = vp_terrain_stats_of(t);
    vp_terrain_stats want = m->stats;
    want.scratch_bytes = got.scratch_bytes;
    want.fixed_bytes = got.fixed_bytes;
    want.build_ns = got.build_ns;
    assert_memory_equal(&got, &want, sizeof got);
    assert_true(got.built == 0 || got.build_ns > 0);
}

/* Edits, removes the stale chunks from the model, and measures again. */
static void edit(vp_random *r, cache_model *m, vp_terrain *t, vp_world *world)
{
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, &error));
    const vp_vec3 centre = {vp_random_between(r, 0, 24), vp_random_between(r, 0, 16), vp_random_between(r, 0, 24)};
    assert_ok(vp_terrain_fill_sphere(t, centre, vp_random_between(r, 0.6f, 7), test_random_voxel(r), &stale, &error));
    for (uint32_t s = 0; s < SLOTS; s++)
        if (m->made[s] && vp_chunk_set_has(&stale, s / 2)) {
            m->stats.invalidations += m->size[s] != 0;
            model_drop(m, s);
        }
    learn_sizes(m, world);
    vp_chunk_set_destroy(&stale);
}

static void against_a_model(void **state)
{
    enum { STEPS = 3600, EVERY = 160 }; /* steps of one budget */
    (void)state;
    static cache_model m;
    vp_random r = {31};
    vp_world *world = test_random_world(&r, (vp_dims){3, 4, 3}, NULL);
    learn_sizes(&m, world);
    size_t all = 0, largest = 0;
    for (uint32_t s = 0; s < SLOTS; s++) {
        all += m.size[s];
        largest = m.size[s] > largest ? m.size[s] : largest;
    }
    const size_t budgets[] = {all / 2, all / 4, largest, VP_TERRAIN_NO_LIMIT, largest - 1, all / 3, 2, VP_TERRAIN_NO_CACHE, all / 6};
    enum { COUNT = sizeof budgets / sizeof budgets[0] };
    m.stats.budget = budgets[0];
    vp_terrain *t = make(world, budgets[0], NULL);
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t centre = step / 50 % SLOTS, near = (centre + vp_random_below(&r, 12)) % SLOTS;
        const uint32_t s = vp_random_below(&r, 3) == 0 ? vp_random_below(&r, SLOTS) : near;
        use(t, s / 2, s % 2);
        model_use(&m, s);
        if (step % 133 == 132)
            edit(&r, &m, t, world);
        if (step % EVERY == EVERY - 1) {
            model_set_budget(&m, budgets[(step + 1) / EVERY % COUNT]);
            assert_ok(vp_terrain_set_budget(t, budgets[(step + 1) / EVERY % COUNT], &error));
        }
        expect_stats(t, &m);
    }
    assert_true(m.stats.evictions > 200 && m.stats.transient > 50 && m.stats.invalidations > 10 && m.stats.hits > 200);
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

/* ---- bytes seen by the allocator ---- */

/* Bytes of a broadphase. The rest of the allocated bytes is fixed_bytes and scratch_bytes. */
static uint64_t broadphase_bytes(vp_world *world)
{
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_broadphase *b = NULL;
    const vp_broadphase_def def = {.world = world, .allocator = &allocator};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    const uint64_t bytes = memory.live_bytes;
    vp_broadphase_destroy(b);
    test_memory_end(&memory);
    return bytes;
}

/* A query never holds more bytes than the budget, and the stats count all of them. */
static void never_over_budget(void **state)
{
    (void)state;
    vp_random r = {32};
    vp_world *world = test_random_world(&r, (vp_dims){4, 3, 4}, NULL);
    const uint64_t broadphase = broadphase_bytes(world);
    terrain_oracle o;
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
    static const size_t budgets[] = {VP_TERRAIN_NO_CACHE, 2, 5000, 12000, 40000, 150000};
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_terrain *t = make(world, budgets[b], &allocator);
        vp_terrain_stats stats = vp_terrain_stats_of(t);
        assert_int_equal(memory.live_bytes, broadphase + stats.fixed_bytes);
        use(t, 0, 0); /* allocates the scratch, which stays */
        stats = vp_terrain_stats_of(t);
        assert_int_equal(memory.live_bytes, broadphase + stats.fixed_bytes + stats.scratch_bytes + stats.bytes);
        const uint64_t base = memory.live_bytes - stats.bytes;
        memory.peak_bytes = memory.live_bytes;
        for (int i = 0; i < 150; i++)
            terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
        stats = vp_terrain_stats_of(t);
        assert_int_equal(memory.live_bytes, base + stats.bytes);
        assert_true(memory.peak_bytes <= base + budgets[b]);
        assert_int_equal(memory.peak_bytes, base + stats.peak_bytes);
        assert_true(budgets[b] < 40000 || stats.peak_bytes > budgets[b] / 2);
        assert_true(stats.bytes <= stats.peak_bytes && stats.peak_bytes <= budgets[b]);
        assert_true(budgets[b] > 2 || (stats.kept == 0 && stats.transient == stats.built - stats.empty));
        vp_terrain_destroy(t);
        test_memory_end(&memory);
    }
    terrain_oracle_free(&o);
    vp_world_destroy(world);
}

/* ---- many rays within a budget ---- */

#ifdef TEST_THIN /* rays into each column */
enum { EACH = 8 };
#else
enum { EACH = 24 };
#endif
enum { FIELD = 8, FALLING = FIELD * FIELD * EACH };

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_a_model),
        cmocka_unit_test(never_over_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
