/* SPDX-License-Identifier: MIT */
/* The cache of a terrain against a model with plain arrays: evicted trees, bytes held, and counters. The allocator checks that memory
 * never exceeds the budget. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/threads.h"

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

/* The meaning of 0 and of the named budgets, in a def and in vp_terrain_set_budget. */
static void named_budgets(void **state)
{
    (void)state;
    static const size_t budgets[][2] = {
        {0, VP_TERRAIN_DEFAULT_BUDGET}, {VP_TERRAIN_NO_CACHE, 0}, {VP_TERRAIN_NO_LIMIT, VP_TERRAIN_NO_LIMIT}, {4321, 4321}};
    vp_world *world = test_world(1, 2, 1, NULL);
    for (int i = 0; i < 4; i++) {
        vp_terrain *t = make(world, budgets[i][0], NULL);
        assert_int_equal(vp_terrain_stats_of(t).budget, budgets[i][1]);
        assert_ok(vp_terrain_set_budget(t, budgets[(i + 1) % 4][0], &error));
        assert_int_equal(vp_terrain_stats_of(t).budget, budgets[(i + 1) % 4][1]);
        vp_terrain_destroy(t);
    }
    vp_world_destroy(world);
}

/* ---- many rays within a budget ---- */

#ifdef TEST_THIN /* rays into each column */
enum { EACH = 8 };
#else
enum { EACH = 24 };
#endif
enum { FIELD = 8, FALLING = FIELD * FIELD * EACH };

/* Rays into every column of a field of chunks, each inside its column, in the order of columns. */
static void falling_rays(vp_random *r, vp_ray ray[FALLING])
{
    for (uint32_t i = 0; i < FALLING; i++) {
        const uint32_t column = i / EACH;
        ray[i].origin.x = (float)(column % FIELD * 8) + vp_random_between(r, 2, 6);
        ray[i].origin.y = 12;
        ray[i].origin.z = (float)(column / FIELD * 8) + vp_random_between(r, 2, 6);
        ray[i].direction = (vp_vec3){vp_random_between(r, -0.1f, 0), -1, vp_random_between(r, -0.1f, 0)};
        ray[i].t_max = 100;
    }
}

static void shuffle(vp_random *r, vp_ray ray[FALLING])
{
    for (uint32_t i = FALLING; i > 1; i--) {
        const uint32_t k = vp_random_below(r, i);
        const vp_ray kept = ray[i - 1];
        ray[i - 1] = ray[k];
        ray[k] = kept;
    }
}

/* A field of bumps, whose surface is in the lower layer only. */
static vp_world *field(vp_random *r)
{
    vp_world *world = test_world(FIELD, 2, FIELD, NULL);
    assert_ok(vp_world_fill_box(world, origin, (vp_ivec3){FIELD * 8, 3, FIELD * 8}, (vp_voxel){2, 255}, NULL, &error));
    for (int i = 0; i < 250; i++) {
        const vp_ivec3 at = {(int32_t)vp_random_below(r, FIELD * 8), 3, (int32_t)vp_random_below(r, FIELD * 8)};
        assert_ok(vp_world_set_voxel(world, at, (vp_voxel){3, 200}, NULL, &error));
    }
    return world;
}

/* If few trees fit, many unsorted rays in one call make each tree about once. One by one, each ray makes a tree. Sorting takes 16 bytes
 * per ray, and only happens with a budget and unsorted rays. Without memory the rays stay unsorted. */
static void many_rays_are_sorted(void **state)
{
    (void)state;
    enum { COLUMNS = FIELD * FIELD };
    static vp_ray ray[FALLING];
    static vp_terrain_hit right[FALLING], got[FALLING];
    vp_random r = {35};
    vp_world *world = field(&r);
    const vp_executor two = test_threads(2);
    size_t budgets[] = {VP_TERRAIN_NO_LIMIT, VP_TERRAIN_NO_CACHE, 0, 0}; /* the last two follow from the trees' sizes */
    falling_rays(&r, ray);
    for (int sorted = 1; sorted >= 0; sorted--) {
        if (!sorted)
            shuffle(&r, ray);
        for (int b = 0; b < 4; b++) {
            test_memory memory;
            test_memory_begin(&memory);
            const vp_allocator allocator = test_memory_allocator(&memory);
            const vp_terrain_def def = {
                .world = world, .form = VP_KD_PACKED, .budget = budgets[b], .executor = b == 3 ? &two : NULL, .allocator = &allocator};
            vp_terrain *t = NULL;
            assert_ok(vp_terrain_create(&def, &t, &error));
            for (uint32_t i = 0; i < FALLING; i++)
                assert_ok(vp_terrain_raycast(t, VP_SURFACE_SOLID, &ray[i], b == 0 ? &right[i] : &got[i], &error));
            assert_true(b == 0 || memcmp(got, right, sizeof got) == 0);
            const vp_terrain_stats one_by_one = vp_terrain_stats_of(t);
            const bool sorts = b != 0 && !sorted;
            if (b == 0)
                budgets[2] = budgets[3] = one_by_one.bytes / one_by_one.kept * 6;
            assert_int_equal(b == 0 ? one_by_one.kept : COLUMNS, COLUMNS);
            assert_true(!sorts || one_by_one.built > FALLING * 9 / 10);
            for (int refused = 0; refused < (b < 2 ? 2 : 1); refused++) {
                const uint64_t before = memory.live_bytes, built = vp_terrain_stats_of(t).built;
                memory.peak_bytes = before;
                test_memory_fail_at(&memory, (uint64_t)refused);
                assert_ok(vp_terrain_raycast_many(t, VP_SURFACE_SOLID, ray, FALLING, got, &error));
                assert_memory_equal(got, right, sizeof got);
                if (b < 2) { /* otherwise it also allocates trees */
                    assert_int_equal(memory.peak_bytes - before, sorts && !refused ? 16 * FALLING : 0);
                    assert_int_equal(memory.requests, sorts);
                    assert_int_equal(memory.live_bytes, before);
                }
                if (b != 1 && !refused)
                    assert_true(vp_terrain_stats_of(t).built - built <= (b == 0 ? 0 : b == 3 ? COLUMNS * 2 : COLUMNS * 5 / 4));
            }
            vp_terrain_destroy(t);
            test_memory_end(&memory);
        }
    }
    vp_world_destroy(world);
}

/* ---- vp_terrain_prepare ---- */

/* Makes trees in ascending order until the budget is full, equally on any threads. */
static void preparing(void **state)
{
    (void)state;
    static cache_model m;
    vp_random r = {33};
    vp_world *world = test_random_world(&r, (vp_dims){3, 4, 3}, NULL);
    learn_sizes(&m, world);
    size_t all = 0;
    for (uint32_t s = 0; s < SLOTS; s++)
        all += m.size[s];
    const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, all, all - 1, all / 2, 2, VP_TERRAIN_NO_CACHE, SIZE_MAX / 2};
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
            for (int again = 0; again < 2; again++) { /* every tree is made, or no more fit */
                assert_ok(vp_terrain_prepare(t, &error));
                const vp_terrain_stats stats = vp_terrain_stats_of(t);
                assert_int_equal(stats.bytes, bytes);
                assert_int_equal(stats.kept, kept);
                assert_int_equal(stats.evictions + stats.misses, 0);
            }
            vp_terrain_destroy(t);
        }
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_a_model), cmocka_unit_test(never_over_budget),
                                       cmocka_unit_test(named_budgets), cmocka_unit_test(many_rays_are_sorted),
                                       cmocka_unit_test(preparing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
