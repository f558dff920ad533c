/* SPDX-License-Identifier: MIT */
/* Edits and rows of worlds against voxel-by-voxel models, and exactly which chunks an edit makes stale. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"
#include "tests/world/same.h"

#include <math.h>
#include <stdio.h>

/* ---- edits against a model ---- */

static int32_t extreme(vp_random *r, uint32_t size)
{
    uint32_t choice = vp_random_below(r, 16);
    return choice == 0 ? INT32_MIN : choice == 1 ? INT32_MAX : (int32_t)vp_random_below(r, size + 12) - 6;
}

static void random_range(vp_random *r, uint32_t size, int32_t *low, int32_t *high)
{
    const int32_t a = extreme(r, size), b = extreme(r, size);
    *low = a < b ? a : b;
    *high = a < b ? b : a;
}

enum { BOX, SPHERE, ROWS, EDITS };

/* One edit, and which voxels it writes, as documented in world.h. */
typedef struct world_edit {
    uint32_t kind;
    vp_voxel voxel;
    vp_ivec3 low, high; /* for a box */
    vp_vec3 centre;     /* for a sphere */
    float radius;
    vp_dims size; /* for rows, from low on */
    bool with_occupancy;
    uint8_t material[12 * 12 * 12], occupancy[12 * 12 * 12];
} world_edit;

static void random_edit(vp_random *r, vp_dims size, world_edit *e)
{
    e->kind = vp_random_below(r, EDITS);
    random_range(r, size.x, &e->low.x, &e->high.x);
    random_range(r, size.y, &e->low.y, &e->high.y);
    random_range(r, size.z, &e->low.z, &e->high.z);
    e->centre = (vp_vec3){vp_random_between(r, -5, 20), vp_random_between(r, -5, 30), vp_random_between(r, -5, 12)};
    e->radius = vp_random_between(r, 0, 9);
    if (vp_random_below(r, 8) == 0)
        e->centre = (vp_vec3){4.5f, 8.5f, 2.5f}, e->radius = (float)vp_random_below(r, 5); /* exact distances */
    if (e->kind == ROWS)
        e->low = (vp_ivec3){(int32_t)vp_random_below(r, size.x + 10) - 8, (int32_t)vp_random_below(r, size.y + 10) - 8,
                            (int32_t)vp_random_below(r, size.z + 10) - 8};
    e->size = (vp_dims){vp_random_below(r, 13), vp_random_below(r, 13), vp_random_below(r, 13)};
    e->with_occupancy = vp_random_below(r, 2) == 0;
    for (size_t i = 0; i < sizeof e->material; i++) {
        const vp_voxel v = test_random_voxel(r);
        e->material[i] = v.material;
        e->occupancy[i] = v.occupancy;
    }
}

static vp_status make_edit(const world_edit *e, vp_world *world, vp_chunk_set *stale, vp_error *error)
{
    if (e->kind == BOX)
        return vp_world_fill_box(world, e->low, e->high, e->voxel, stale, error);
    if (e->kind == SPHERE)
        return vp_world_fill_sphere(world, e->centre, e->radius, e->voxel, stale, error);
    return vp_world_write_rows(world, e->low, e->size, e->material, e->with_occupancy ? e->occupancy : NULL, stale, error);
}

static vp_voxel written(const world_edit *e, int32_t x, int32_t y, int32_t z, vp_voxel before)
{
    const float dx = (float)x + 0.5f - e->centre.x, dy = (float)y + 0.5f - e->centre.y, dz = (float)z + 0.5f - e->centre.z;
    const float xx = dx * dx, yy = dy * dy, zz = dz * dz, xy = xx + yy, distance2 = xy + zz;
    if (e->kind == BOX)
        return e->low.x <= x && x < e->high.x && e->low.y <= y && y < e->high.y && e->low.z <= z && z < e->high.z ? e->voxel : before;
    if (e->kind == SPHERE)
        return distance2 <= e->radius * e->radius ? e->voxel : before;
    const int64_t u = (int64_t)x - e->low.x, v = (int64_t)y - e->low.y, w = (int64_t)z - e->low.z;
    if (u < 0 || u >= e->size.x || v < 0 || v >= e->size.y || w < 0 || w >= e->size.z)
        return before;
    const size_t i = ((size_t)v * e->size.z + (size_t)w) * e->size.x + (size_t)u;
    return (vp_voxel){e->material[i], e->with_occupancy ? e->occupancy[i] : e->material[i] == 0 ? 0 : 255};
}

/* Reading a box, also outside the world, returns the model's voxels. Nothing is written past the end. */
static void expect_rows(const vp_world *world, const oracle *model, const world_edit *where)
{
    static uint8_t material[12 * 12 * 12 + 1], occupancy[12 * 12 * 12 + 1];
    const vp_dims s = model->size, n = where->size;
    const size_t total = (size_t)n.x * n.y * n.z;
    memset(material, 0xee, sizeof material);
    memset(occupancy, 0xee, sizeof occupancy);
    assert_ok(vp_world_read_rows(world, where->low, n, material, where->with_occupancy ? occupancy : NULL, &error));
    for (size_t i = 0; i < total; i++) {
        const int32_t x = where->low.x + (int32_t)(i % n.x), z = where->low.z + (int32_t)(i / n.x % n.z),
                      y = where->low.y + (int32_t)(i / n.x / n.z);
        const bool in = x >= 0 && y >= 0 && z >= 0 && x < (int32_t)s.x && y < (int32_t)s.y && z < (int32_t)s.z;
        const vp_voxel v = in ? model->voxel[((size_t)y * s.z + (size_t)z) * s.x + (size_t)x] : (vp_voxel){0, 0};
        assert_int_equal(material[i], v.material);
        assert_int_equal(occupancy[i], where->with_occupancy ? v.occupancy : 0xee);
    }
    assert_true(material[total] == 0xee && occupancy[total] == 0xee);
}

/* Checks all voxels after each edit, and exactly the chunks that it makes stale. Sets are added to, not cleared. */
TEST(random_edits)
{
    static const vp_dims shape[] = {{2, 3, 1}, {3, 2, 3}, {1, 1, 1}, {4, 1, 1}, {1, 3, 2}};
    static world_edit e;
    for (size_t w = 0; w < sizeof shape / sizeof shape[0]; w++) {
        const uint64_t seed = 100 + w;
        vp_random r = {seed};
        vp_world *world = test_random_world(&r, shape[w], NULL);
        vp_chunk_set stale;
        assert_ok(vp_chunk_set_create(shape[w], NULL, &stale, &error));
        oracle before = oracle_make(world, false), after = oracle_make(world, false);
        bool expected[18] = {false}, now[18];
        uint32_t changed[18] = {0};
        for (uint32_t step = 0; step < 200; step++) {
            random_edit(&r, before.size, &e);
            e.voxel = step % 6 == 0 ? before.voxel[0] : test_random_voxel(&r); /* some chunks that are in the set already */
            assert_ok(make_edit(&e, world, &stale, &error));
            uint32_t i = 0;
            for (int32_t y = 0; y < (int32_t)before.size.y; y++)
                for (int32_t z = 0; z < (int32_t)before.size.z; z++)
                    for (int32_t x = 0; x < (int32_t)before.size.x; x++, i++) {
                        const vp_voxel want = after.voxel[i] = written(&e, x, y, z, before.voxel[i]);
                        const vp_voxel got = vp_world_voxel(world, (vp_ivec3){x, y, z});
                        if (got.material != want.material || got.occupancy != want.occupancy)
                            fail_msg("seed %llu, step %u, edit %u: voxel (%d, %d, %d) is %u/%u, expected %u/%u", (unsigned long long)seed,
                                     step, e.kind, x, y, z, got.material, got.occupancy, want.material, want.occupancy);
                    }
            oracle_stale(&before, &after, now);
            oracle_layers(&before, &after, changed);
            for (uint32_t c = 0; c < oracle_chunk_count(&before); c++) {
                expected[c] = expected[c] || now[c];
                if (vp_chunk_set_has(&stale, c) != expected[c])
                    fail_msg("seed %llu, step %u, edit %u: chunk %u %s", (unsigned long long)seed, step, e.kind, c,
                             expected[c] ? "is missing" : "should not be stale");
                if (stale.changed[c] != (expected[c] ? changed[c] | 1u << 24 : 0))
                    fail_msg("seed %llu, step %u, edit %u: chunk %u changed in %#x, expected %#x", (unsigned long long)seed, step, e.kind,
                             c, stale.changed[c], changed[c]);
            }
            memcpy(before.voxel, after.voxel, i * sizeof *after.voxel);
            random_edit(&r, before.size, &e);
            if (e.kind == ROWS)
                expect_rows(world, &after, &e);
            if (step % 3 == 0) {
                vp_chunk_set_clear(&stale);
                memset(expected, 0, sizeof expected);
                memset(changed, 0, sizeof changed);
            }
        }
        oracle_free(&before);
        oracle_free(&after);
        vp_chunk_set_destroy(&stale);
        vp_world_destroy(world);
    }
}

TEST(refusals)
{
    const vp_ivec3 at = {0, 0, 0}, nine = {9, 9, 9};
    const vp_voxel rock = {2, 255};
    const vp_dims one = {1, 1, 1};
    uint8_t byte = 7;
    vp_chunk_set other;
    vp_world *world = test_world(2, 2, 2, NULL), *before = copy_of(world);
    assert_ok(vp_chunk_set_create((vp_dims){3, 3, 4}, NULL, &other, &error));
    assert_refused(vp_world_fill_box(world, (vp_ivec3){0, 5, 0}, (vp_ivec3){9, 4, 9}, rock, NULL, &error), VP_E_ARGUMENT, "(0, 5, 0)");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, NAN, 0}, 1, rock, NULL, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, INFINITY}, 1, rock, NULL, &error), VP_E_ARGUMENT, "inf");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, -1.5f, rock, NULL, &error), VP_E_ARGUMENT, "-1.5");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, NAN, rock, NULL, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, INFINITY, rock, NULL, &error), VP_E_ARGUMENT, "inf");
    assert_refused(vp_world_set_voxel(world, at, rock, &other, &error), VP_E_ARGUMENT, "3 x 3 x 4");
    assert_refused(vp_world_fill_box(world, at, nine, rock, &other, &error), VP_E_ARGUMENT, "3 x 3 x 4");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, 5, rock, &other, &error), VP_E_ARGUMENT, "3 x 3 x 4");
    assert_refused(vp_world_write_rows(world, at, one, &byte, NULL, &other, &error), VP_E_ARGUMENT, "3 x 3 x 4");
    assert_refused(vp_world_write_rows(world, at, one, NULL, &byte, NULL, &error), VP_E_ARGUMENT, "material is NULL");
    assert_refused(vp_world_read_rows(world, (vp_ivec3){0, INT32_MAX, 0}, one, &byte, NULL, &error), VP_E_ARGUMENT, "2147483647");
    assert_refused(vp_world_write_rows(world, (vp_ivec3){0, 0, 3}, (vp_dims){1, 1, UINT32_MAX}, &byte, NULL, NULL, &error), VP_E_ARGUMENT,
                   "4294967295");
    assert_true(same_worlds(world, before));
    assert_int_equal(vp_chunk_set_count(&other), 0);
    assert_int_equal(vp_chunk_set_count(&(vp_chunk_set){0}), 0);
    vp_chunk_set_destroy(&other);
    vp_world_destroy(before);
    vp_world_destroy(world);
}

/* ---- sets ---- */

TEST(chunk_sets)
{
    vp_chunk_set set = {.chunks = {0, 0, 0}};
    vp_chunk_set_destroy(&set);
    static const vp_dims bad[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {257, 1, 1}, {1, 33, 1}, {1, 1, 257}, {UINT32_MAX, 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%u x %u x %u", bad[i].x, bad[i].y, bad[i].z);
        assert_refused(vp_chunk_set_create(bad[i], NULL, &set, &error), VP_E_ARGUMENT, name);
        assert_null(set.word);
    }
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator allocator = test_memory_allocator(&memory);
    assert_ok(vp_chunk_set_create((vp_dims){5, 7, 4}, &allocator, &set, &error)); /* 140 chunks take 3 words */
    assert_int_equal(memory.live_bytes, 24 + 140 * 4);
    assert_int_equal(vp_chunk_set_count(&set), 0);
    assert_int_equal(vp_chunk_set_next(&set, 0), UINT32_MAX);
    static const uint32_t member[] = {0, 1, 63, 64, 127, 128, 139};
    for (size_t i = 0; i < sizeof member / sizeof member[0]; i++) {
        set.word[member[i] / 64] |= UINT64_C(1) << member[i] % 64;
        set.changed[member[i]] = UINT32_MAX;
    }
    assert_int_equal(vp_chunk_set_count(&set), 7);
    uint32_t from = 0;
    for (size_t i = 0; i < sizeof member / sizeof member[0]; i++) {
        for (; from <= member[i]; from++)
            assert_int_equal(vp_chunk_set_next(&set, from), member[i]);
        assert_true(vp_chunk_set_has(&set, member[i]));
    }
    assert_false(vp_chunk_set_has(&set, 2));
    assert_false(vp_chunk_set_has(&set, 138));
    static const uint32_t beyond[] = {140, 141, 191, 192, 1000000, UINT32_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        assert_int_equal(vp_chunk_set_next(&set, beyond[i]), UINT32_MAX);
        assert_false(vp_chunk_set_has(&set, beyond[i]));
    }
    vp_chunk_set_clear(&set);
    assert_int_equal(vp_chunk_set_count(&set), 0);
    for (uint32_t c = 0; c < 140; c++)
        assert_int_equal(set.changed[c], 0);
    set.word[2] = UINT64_MAX; /* the bits past the last chunk are ignored */
    assert_int_equal(vp_chunk_set_count(&set), 12);
    assert_int_equal(vp_chunk_set_next(&set, 139), 139);
    assert_int_equal(vp_chunk_set_next(&set, 140), UINT32_MAX);
    vp_chunk_set_destroy(&set);
    assert_null(set.word);
    vp_chunk_set_destroy(&set);
    test_memory_end(&memory);
}
