/* SPDX-License-Identifier: MIT */
/* What a terrain keeps, against a model that does the same with plain arrays: which trees go, how many bytes are held, what is
 * counted. And that no more memory is asked for than the budget allows, which the allocator sees. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/threads.h"

#include <math.h>
#include <stdlib.h>

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

/* One use of one chunk. */
static void use(vp_terrain *t, uint32_t chunk, uint32_t surface)
{
    vp_vec3 corner[3];
    vp_error error;
    const vp_world_triangle first = {chunk, 0};
    const vp_status status = vp_terrain_corners(t, (vp_surface)surface, first, corner, &error);
    assert_true(status == VP_OK || status == VP_E_ARGUMENT); /* of a chunk without triangles */
}

/* ---- the model ---- */

enum { CHUNKS = 36, SLOTS = 2 * CHUNKS };

typedef struct model {
    size_t size[SLOTS];        /* bytes of each chunk's tree; 0: it has no triangles */
    uint32_t triangles[SLOTS];
    bool made[SLOTS];
    uint64_t used[SLOTS], clock;
    vp_terrain_stats stats;
} model;

static uint32_t slot_of(uint32_t chunk, uint32_t surface)
{
    return chunk * 2 + surface; /* in the order in which equals go */
}

/* What each chunk's tree takes, from a terrain that keeps all. */
static void learn_sizes(model *m, vp_world *world)
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

static void model_drop(model *m, uint32_t s)
{
    m->made[s] = false;
    m->stats.bytes -= m->size[s];
    m->stats.triangles -= m->triangles[s];
    m->stats.kept -= m->size[s] != 0;
    m->stats.empty -= m->size[s] == 0;
}

static void model_evict(model *m)
{
    uint32_t least = SLOTS;
    for (uint32_t s = 0; s < SLOTS; s++)
        if (m->made[s] && m->size[s] != 0 && (least == SLOTS || m->used[s] < m->used[least]))
            least = s;
    assert_true(least != SLOTS);
    model_drop(m, least);
    m->stats.evictions++;
}

static void model_use(model *m, uint32_t s)
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
    if (m->stats.bytes > m->stats.most_bytes)
        m->stats.most_bytes = m->stats.bytes;
}

static void model_set_budget(model *m, size_t budget)
{
    m->stats.budget = budget;
    while (m->stats.bytes > budget)
        model_evict(m);
}

static void expect_stats(const vp_terrain *terrain, const vp_terrain_stats *got, const vp_terrain_stats *want)
{
    (void)terrain;
    assert_int_equal(got->budget, want->budget);
    assert_int_equal(got->bytes, want->bytes);
    assert_int_equal(got->most_bytes, want->most_bytes);
    assert_int_equal(got->kept, want->kept);
    assert_int_equal(got->empty, want->empty);
    assert_int_equal(got->triangles, want->triangles);
    assert_int_equal(got->hits, want->hits);
    assert_int_equal(got->misses, want->misses);
    assert_int_equal(got->built, want->built);
    assert_int_equal(got->evictions, want->evictions);
    assert_int_equal(got->invalidations, want->invalidations);
    assert_int_equal(got->transient, want->transient);
    assert_true(got->built == 0 || got->build_ns > 0);
}

/* An edit, its stale chunks taken out of the model, and the new sizes. */
static void edit(vp_random *r, model *m, vp_terrain *t, vp_world *world)
{
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, &error));
    const vp_vec3 centre = {vp_random_between(r, 0, 24), vp_random_between(r, 0, 16), vp_random_between(r, 0, 24)};
    assert_ok(vp_terrain_fill_sphere(t, centre, vp_random_between(r, 0.6f, 4), test_random_voxel(r), &stale, &error));
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
    (void)state;
    static model m;
    vp_random r = {31};
    vp_world *world = test_random_world(&r, (vp_dims){3, 4, 3}, NULL);
    learn_sizes(&m, world);
    size_t all = 0, largest = 0;
    for (uint32_t s = 0; s < SLOTS; s++) {
        all += m.size[s];
        largest = m.size[s] > largest ? m.size[s] : largest;
    }
    const size_t budgets[] = {all / 2, all / 4, largest, VP_TERRAIN_NO_LIMIT, largest - 1, all / 3, 1, 0, all / 6};
    enum { COUNT = sizeof budgets / sizeof budgets[0] };
    m.stats.budget = budgets[0];
    vp_terrain *t = make(world, budgets[0], NULL);
    for (uint32_t step = 0; step < 9000; step++) {
        const uint32_t centre = step / 50 % SLOTS, near = (centre + vp_random_below(&r, 12)) % SLOTS;
        const uint32_t s = vp_random_below(&r, 3) == 0 ? vp_random_below(&r, SLOTS) : near;
        use(t, s / 2, s % 2);
        model_use(&m, slot_of(s / 2, s % 2));
        if (step % 333 == 332)
            edit(&r, &m, t, world);
        if (step % 400 == 399) {
            model_set_budget(&m, budgets[(step + 1) / 400 % COUNT]);
            vp_terrain_set_budget(t, budgets[(step + 1) / 400 % COUNT]);
        }
        const vp_terrain_stats got = vp_terrain_stats_of(t);
        expect_stats(t, &got, &m.stats);
    }
    assert_true(m.stats.evictions > 500 && m.stats.transient > 100 && m.stats.invalidations > 20 && m.stats.hits > 500);
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

/* ---- bytes, as the allocator sees them ---- */

/* A queries' memory is the budget's, and no byte more, at any moment; and it is all that there is. */
static void never_over_budget(void **state)
{
    (void)state;
    vp_random r = {32};
    vp_world *world = test_random_world(&r, (vp_dims){4, 3, 4}, NULL);
    terrain_oracle o;
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
    static const size_t budgets[] = {0, 1, 5000, 12000, 40000, 150000};
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_terrain *t = make(world, budgets[b], &allocator);
        assert_true(vp_terrain_stats_of(t).fixed_bytes < memory.live_bytes);
        use(t, 0, 0); /* the scratch is there from now on */
        vp_terrain_stats stats = vp_terrain_stats_of(t);
        const uint64_t base = memory.live_bytes - stats.bytes;
        memory.peak_bytes = memory.live_bytes;
        for (int i = 0; i < 300; i++)
            terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
        stats = vp_terrain_stats_of(t);
        assert_int_equal(memory.live_bytes, base + stats.bytes);
        assert_true(memory.peak_bytes <= base + budgets[b]);
        assert_int_equal(memory.peak_bytes, base + stats.most_bytes);
        assert_true(budgets[b] < 40000 || stats.most_bytes > budgets[b] / 2);
        assert_true(stats.bytes <= stats.most_bytes && stats.most_bytes <= budgets[b]);
        assert_true(budgets[b] > 1 || (stats.kept == 0 && stats.transient == stats.built - stats.empty));
        vp_terrain_destroy(t);
        test_memory_end(&memory);
    }
    terrain_oracle_free(&o);
    vp_world_destroy(world);
}

/* ---- ahead of time ---- */

/* In ascending order until there is no room, the same on any threads; and what is learnt then changes no answer. */
static void preparing(void **state)
{
    (void)state;
    static model m;
    vp_random r = {33};
    vp_world *world = test_random_world(&r, (vp_dims){3, 4, 3}, NULL);
    terrain_oracle o[2];
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o[0]);
    terrain_oracle_make(world, VP_SURFACE_WATER, origin, whole, &o[1]);
    learn_sizes(&m, world);
    size_t all = 0;
    for (uint32_t s = 0; s < SLOTS; s++)
        all += m.size[s];
    const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, all, all - 1, all / 2, 1, 0, SIZE_MAX / 2};
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const vp_executor executor = test_threads(threads);
            vp_terrain *t = NULL;
            const vp_terrain_def def = {.world = world, .surfaces = 3, .form = VP_KD_WIDE, .budget = budgets[b], .executor = &executor};
            assert_ok(vp_terrain_create(&def, &t, &error));
            size_t bytes = 0;
            uint32_t kept = 0;
            for (uint32_t s = 0; s < SLOTS && budgets[b] - bytes >= m.size[s]; s++) {
                bytes += m.size[s];
                kept += m.size[s] != 0;
            }
            assert_ok(vp_terrain_prepare(t, &error));
            vp_terrain_stats stats = vp_terrain_stats_of(t);
            assert_int_equal(stats.bytes, bytes);
            assert_int_equal(stats.kept, kept);
            assert_int_equal(stats.evictions, 0);
            assert_int_equal(stats.misses, 0);
            assert_ok(vp_terrain_prepare(t, &error)); /* all is made, or nothing more fits */
            assert_int_equal(vp_terrain_stats_of(t).bytes, bytes);
            for (int i = 0; i < 60; i++)
                terrain_expect(t, (vp_surface)(i % 2), &o[i % 2], &r);
            if (budgets[b] >= all) {
                stats = vp_terrain_stats_of(t);
                assert_int_equal(stats.kept, kept);
                assert_true(stats.misses <= SLOTS - kept); /* some were never looked at, for they cannot have anything */
            }
            vp_terrain_destroy(t);
        }
    terrain_oracle_free(&o[0]);
    terrain_oracle_free(&o[1]);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_a_model), cmocka_unit_test(never_over_budget),
                                       cmocka_unit_test(preparing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
