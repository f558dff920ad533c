/* SPDX-License-Identifier: MIT */
/* Each allocation of a terrain fails in turn. A call then returns VP_E_MEMORY, or succeeds without that memory. It changes and loses
 * nothing, and succeeds when it is repeated with memory. The memory never exceeds the budget, as the allocator counts it. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/threads.h"
#include "tests/world/same.h"

#include <string.h>

#include <voxphys/voxphys.h>

static const vp_ivec3 origin = {0, 0, 0};
static const vp_dims whole = {0, 0, 0};

static vp_status create(vp_world *world, size_t budget, const vp_executor *executor, const vp_allocator *allocator, vp_terrain **out,
                        vp_error *error)
{
    const vp_terrain_def def = {
        .world = world, .surfaces = 3, .form = VP_KD_WIDE, .budget = budget, .executor = executor, .allocator = allocator};
    return vp_terrain_create(&def, out, error);
}

static void expect_refused(vp_status status, const vp_error *error)
{
    if (status != VP_E_MEMORY || error->status != VP_E_MEMORY || error->message[0] == '\0')
        fail_msg("expected VP_E_MEMORY: %s, \"%s\"", vp_status_name(status), error->message);
}

/* ---- creation and queries ---- */

enum { MANY = 40, HITS = 256, LIST = 6000 };

typedef struct query_answers {
    vp_terrain_hit hit[HITS];
    vp_terrain_triangle_id list[LIST];
    vp_vec3 corner[3];
    uint32_t count;
    bool any;
} query_answers;

enum { MAKE, PREPARE, NEAREST, ANY, ALL, SWEEP, GATHER, POINT, TRIANGLES, RAYS, CALLS };

/* Makes one call of a terrain. */
static vp_status call(vp_terrain *t, int what, query_answers *a, vp_error *error)
{
    static const vp_ray across = {{-3, 4.25f, 5.5f}, {30, 9, 11}, 1};
    static const vp_aabb all = {{-1, -1, -1}, {99, 99, 99}}, some = {{5, -1, 5}, {11, 99, 11}};
    static vp_terrain_triangle is[LIST];
    const vp_surface solid = VP_SURFACE_SOLID;
    vp_terrain_point point = {.hit = {.chunk = 0}};
    vp_terrain_contact contact = {.hit = {.chunk = 0}};
    vp_ray rays[MANY];
    vp_status status = VP_OK;
    memset(a, 0, sizeof *a);
    switch (what) {
    case MAKE:
        return VP_OK;
    case PREPARE:
        return vp_terrain_prepare(t, error);
    case NEAREST:
        return vp_terrain_raycast(t, solid, &across, a->hit, error);
    case ANY:
        return vp_terrain_raycast_any(t, solid, &across, &a->any, error);
    case ALL:
        return vp_terrain_raycast_all(t, solid, &across, a->hit, HITS, &a->count, error);
    case SWEEP:
        status = vp_terrain_sphere_sweep(t, solid, &across, 0.75f, &contact, error);
        a->hit[0] = contact.hit;
        memcpy(a->corner, contact.triangle.corner, sizeof a->corner);
        return status;
    case GATHER:
        status = vp_terrain_gather(t, solid, &all, a->list, LIST, &a->count, error);
        break;
    case POINT:
        status = vp_terrain_raycast_point(t, solid, &across, &point, error);
        a->hit[0] = point.hit;
        memcpy(a->corner, point.triangle.corner, sizeof a->corner);
        return status;
    case TRIANGLES:
        status = vp_terrain_gather_triangles(t, solid, &some, a->list, is, LIST, &a->count, error);
        break;
    default:
        for (uint32_t i = 0; i < MANY; i++) {
            rays[i] = across;
            rays[i].origin.z += (float)i * 0.25f;
        }
        return vp_terrain_raycast_many(t, solid, rays, MANY, a->hit, error);
    }
    assert_true(a->count <= LIST);
    terrain_sort(a->list, a->count);
    return status;
}

/* Answers without memory, and the answers after that, equal the answers with memory. */
TEST(making_and_asking)
{
    static const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, 25000, VP_TERRAIN_NO_CACHE};
    static query_answers right, got;
    vp_random r = {52};
    const vp_executor two = test_threads(2);
    vp_world *world = test_random_world(&r, (vp_dims){3, 2, 3}, NULL);
    vp_terrain *whole_one = NULL;
    assert_ok(create(world, VP_TERRAIN_NO_LIMIT, NULL, NULL, &whole_one, &error));
    uint32_t failures = 0, survivals = 0;
    for (int what = 0; what < CALLS; what++)
        for (int way = 0; way < 6; way++) {
            assert_ok(call(whole_one, what, &right, &error));
            bool refused = true;
            for (uint64_t n = 1; refused; n++) {
                test_memory memory;
                test_memory_begin(&memory);
                memory.only_one = way % 2 == 1;
                const vp_allocator allocator = test_memory_allocator(&memory);
                vp_terrain *t = NULL;
                vp_error why = {VP_OK, ""};
                test_memory_fail_at(&memory, what == MAKE ? n : 0);
                vp_status status = create(world, budgets[way / 2], what == PREPARE ? &two : NULL, &allocator, &t, &why);
                if (what != MAKE) {
                    assert_int_equal(status, VP_OK);
                    test_memory_fail_at(&memory, n);
                    status = call(t, what, &got, &why);
                }
                refused = memory.requests >= n;
                assert_true(status == VP_OK || refused);
                failures += status != VP_OK;
                survivals += status == VP_OK && refused;
                if (status != VP_OK)
                    expect_refused(status, &why);
                else
                    assert_true(t != NULL && (what == MAKE || memcmp(&got, &right, sizeof got) == 0));
                assert_true(what != MAKE || !refused || t == NULL);
                assert_true(what != PREPARE || way > 0 || (status != VP_OK) == refused);
                test_memory_fail_at(&memory, 0);
                if (t != NULL) {
                    assert_ok(call(t, what, &got, &error));
                    assert_memory_equal(&got, &right, sizeof got);
                    const vp_terrain_stats stats = vp_terrain_stats_of(t);
                    assert_true(stats.bytes <= stats.budget);
                }
                vp_terrain_destroy(t);
                test_memory_end(&memory);
                assert_true(what != MAKE || refused || n > 8); /* object, broadphase, set, entries, two top levels */
            }
        }
    assert_true(failures >= 2 * CALLS && survivals >= CALLS);
    vp_terrain_destroy(whole_one);
    vp_world_destroy(world);
}

/* ---- editing ---- */

/* One random edit of the terrain, or of the world `twin` if `t` is NULL. */
static vp_status change(vp_terrain *t, vp_world *twin, uint64_t seed, vp_chunk_set *stale, vp_error *error)
{
    enum { COUNT = 6 * 7 * 8 };
    vp_random r = {seed};
    const vp_voxel voxel = test_random_voxel(&r);
    const vp_vec3 centre = {vp_random_between(&r, 0, 40), vp_random_between(&r, 0, 40), vp_random_between(&r, 0, 40)};
    const vp_ivec3 low = {(int32_t)centre.x - 4, (int32_t)centre.y - 4, (int32_t)centre.z - 4};
    const vp_ivec3 high = {low.x + 9, low.y + 3, low.z + 12}, end = {40, 40, 40};
    const vp_dims box = {6, 7, 8};
    uint8_t material[COUNT];
    vp_ivec3 at[COUNT];
    vp_voxel list[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        material[i] = (uint8_t)vp_random_below(&r, 4);
        at[i] = (vp_ivec3){(int32_t)vp_random_below(&r, 40), (int32_t)vp_random_below(&r, 40), (int32_t)vp_random_below(&r, 40)};
        list[i] = (vp_voxel){material[i], 200};
    }
    switch (seed % 16 == 0 ? 4 : seed % 4) {
    case 0:
        return t != NULL ? vp_terrain_fill_sphere(t, centre, 6, voxel, stale, error)
                         : vp_world_fill_sphere(twin, centre, 6, voxel, stale, error);
    case 1:
        return t != NULL ? vp_terrain_fill_box(t, low, high, voxel, stale, error) : vp_world_fill_box(twin, low, high, voxel, stale, error);
    case 2:
        return t != NULL ? vp_terrain_write_rows(t, low, box, material, NULL, stale, error)
                         : vp_world_write_rows(twin, low, box, material, NULL, stale, error);
    case 3:
        return t != NULL ? vp_terrain_set_voxels(t, at, list, 40, stale, error) : vp_world_set_voxels(twin, at, list, 40, stale, error);
    default: /* all air, which frees all masks */
        return t != NULL ? vp_terrain_fill_box(t, origin, end, (vp_voxel){0, 0}, stale, error)
                         : vp_world_fill_box(twin, origin, end, (vp_voxel){0, 0}, stale, error);
    }
}

TEST(editing)
{
    vp_random r = {54};
    vp_world *world = test_world(5, 5, 5, NULL), *twin = test_world(5, 5, 5, NULL);
    vp_chunk_set stale[2];
    for (int i = 0; i < 2; i++)
        assert_ok(vp_chunk_set_create((vp_dims){5, 5, 5}, NULL, &stale[i], &error));
    uint32_t failures[4] = {0};
    terrain_oracle o;
    terrain_oracle_make(twin, VP_SURFACE_SOLID, origin, whole, &o);
    for (uint64_t step = 1; step < 80; step++) {
        vp_status status = VP_E_MEMORY;
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_terrain *t = NULL; /* a new terrain has no spare room */
        assert_ok(create(world, VP_TERRAIN_NO_LIMIT, NULL, &allocator, &t, &error));
        for (uint64_t n = 1; status != VP_OK; n++) {
            vp_error why = {VP_OK, ""};
            test_memory_fail_at(&memory, n);
            status = change(t, NULL, step, &stale[0], &why);
            test_memory_fail_at(&memory, 0);
            if (status == VP_OK)
                break;
            failures[step % 4]++;
            expect_refused(status, &why);
            assert_true(same_worlds(world, twin) && vp_chunk_set_count(&stale[0]) == 0);
            expect_bits(vp_terrain_broadphase(t), world);
            for (int i = 0; i < 5; i++)
                terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
            /* the next edit finds nothing left over */
            assert_ok(vp_terrain_fill_box(t, origin, origin, (vp_voxel){2, 255}, &stale[0], &error));
            assert_int_equal(vp_chunk_set_count(&stale[0]), 0);
        }
        assert_ok(change(NULL, twin, step, &stale[1], &error));
        assert_true(same_worlds(world, twin) && same_sets(&stale[0], &stale[1]));
        expect_bits(vp_terrain_broadphase(t), world);
        terrain_oracle_free(&o);
        terrain_oracle_make(twin, VP_SURFACE_SOLID, origin, whole, &o);
        for (int i = 0; i < 5; i++)
            terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
        for (int i = 0; i < 2; i++)
            vp_chunk_set_clear(&stale[i]);
        vp_terrain_destroy(t);
        test_memory_end(&memory);
    }
    for (int i = 0; i < 4; i++)
        assert_true(failures[i] > 0);
    terrain_oracle_free(&o);
    for (int i = 0; i < 2; i++)
        vp_chunk_set_destroy(&stale[i]);
    vp_world_destroy(twin);
    vp_world_destroy(world);
}

/* ---- bytes seen by the allocator ---- */

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
TEST(never_over_budget)
{
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
        vp_terrain *t = NULL;
        assert_ok(create(world, budgets[b], NULL, &allocator, &t, &error));
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
