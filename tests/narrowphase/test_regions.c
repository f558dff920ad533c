/* SPDX-License-Identifier: MIT */
/* Loose regions of random edits, by searches and by labelling, against a flood fill from the anchors. Also masses, and the bytes that
   a terrain keeps. */
#include "tests/support/check.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include <voxphys/voxphys.h>

#include "datasets/random.h"

enum { EDITS = IS_THIN ? 10000 / (8 * THIN_BY) : 5000, TERRAIN_EDITS = IS_THIN ? 20 : 150 };
enum { EDITS_OF_A_WORLD = 100, MOST = 4096 };

/* ---- worlds and edits ---- */

static vp_dims some_size(vp_random *r)
{
    return (vp_dims){8 + 8 * vp_random_below(r, 3), 8 + 8 * vp_random_below(r, 2), 8 + 8 * vp_random_below(r, 3)};
}

/* Walls, floors and pillars with holes, or noise. Much of it is thin. */
static vp_voxel some_voxel(vp_random *r, uint32_t filled)
{
    const uint32_t what = vp_random_below(r, 100);
    return what < filled       ? (vp_voxel){(uint8_t)(2 + vp_random_below(r, 254)), (uint8_t)vp_random_below(r, 256)}
           : what < filled + 5 ? (vp_voxel){VP_WATER, 200}
                               : (vp_voxel){VP_AIR, 0};
}

static vp_world *some_world(vp_random *r, vp_dims size)
{
    vp_world *world = NULL;
    const uint32_t kind = vp_random_below(r, 4), filled = 30 + vp_random_below(r, 60);
    assert_ok(vp_world_create(&(vp_world_def){.size = size}, &world, &error));
    for (int32_t y = 0; y < (int32_t)size.y; y++)
        for (int32_t z = 0; z < (int32_t)size.z; z++)
            for (int32_t x = 0; x < (int32_t)size.x; x++) {
                const bool full = kind == 0 || (kind == 1 && (x % 5 == 0 || y % 5 == 0)) ||
                                  (kind == 2 && (x % 4 == 0) + (y % 4 == 0) + (z % 4 == 0) >= 2) || (kind == 3 && y < 6);
                if (full)
                    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, some_voxel(r, kind == 0 ? filled : 95), NULL, &error));
            }
    return world;
}

/* A sphere, a box or scattered voxels, mostly dug, or replaced by water or solid. @return the number of voxels */
static size_t some_edit(vp_random *r, vp_dims size, vp_ivec3 *at, vp_voxel *voxel)
{
    const int32_t n[3] = {(int32_t)size.x, (int32_t)size.y, (int32_t)size.z};
    const uint32_t kind = vp_random_below(r, 4), what = vp_random_below(r, 8);
    const int32_t reach = (int32_t)vp_random_below(r, 5);
    int32_t c[3];
    size_t count = 0;
    for (int a = 0; a < 3; a++)
        c[a] = (int32_t)vp_random_below(r, (uint32_t)n[a]);
    for (int32_t y = c[1] - reach; y <= c[1] + reach; y++)
        for (int32_t z = c[2] - reach; z <= c[2] + reach; z++)
            for (int32_t x = c[0] - reach; x <= c[0] + reach; x++) {
                const int32_t dx = x - c[0], dy = y - c[1], dz = z - c[2];
                const bool there = kind == 0   ? dx * dx + dy * dy + dz * dz <= reach * reach
                                   : kind == 1 ? dy == 0
                                   : kind == 2 ? dx == 0
                                               : vp_random_below(r, 3) == 0;
                if (!there || x < 0 || y < 0 || z < 0 || x >= n[0] || y >= n[1] || z >= n[2])
                    continue;
                at[count] = (vp_ivec3){x, y, z};
                voxel[count++] = what == 0 ? some_voxel(r, 60) : what == 1 ? (vp_voxel){VP_WATER, 255} : (vp_voxel){VP_AIR, 0};
            }
    if (count != 0 && vp_random_below(r, 8) == 0) { /* the last voxel at a place counts */
        at[count] = at[0];
        voxel[count++] = (vp_voxel){9, 9};
    }
    return count;
}

/* ---- flood fill from the anchors, over plain arrays ---- */

enum { VOXELS = 24 * 16 * 24 };

typedef struct flood {
    vp_dims size;
    uint32_t voxels;
    uint8_t material[VOXELS], occupancy[VOXELS]; /* rows, (y*size.z + z)*size.x + x */
    uint32_t part[VOXELS]; /* 0 = air, water or attached, otherwise 1 + the number of a loose part, in the order of their lowest voxels */
    uint32_t todo[VOXELS];
    uint32_t parts;
    uint32_t count[VOXELS]; /* voxels of each part */
} flood;

/* Gives a number to all reachable solid voxels without one. @return their count */
static uint32_t flood_from(flood *f, uint32_t first, uint32_t number)
{
    uint32_t todo = 0, reached = 0;
    if (f->material[first] < 2 || f->part[first] != 0)
        return 0;
    f->part[first] = number;
    f->todo[todo++] = first;
    while (todo != 0) {
        const uint32_t i = f->todo[--todo];
        const int32_t x = (int32_t)(i % f->size.x), z = (int32_t)(i / f->size.x % f->size.z), y = (int32_t)(i / f->size.x / f->size.z);
        reached++;
        for (int side = 0; side < 6; side++) {
            const int32_t d = side % 2 == 0 ? 1 : -1, a = x + (side / 2 == 0 ? d : 0), b = y + (side / 2 == 1 ? d : 0),
                          c = z + (side / 2 == 2 ? d : 0);
            if (a < 0 || b < 0 || c < 0 || a >= (int32_t)f->size.x || b >= (int32_t)f->size.y || c >= (int32_t)f->size.z)
                continue;
            const uint32_t k = ((uint32_t)b * f->size.z + (uint32_t)c) * f->size.x + (uint32_t)a;
            if (f->material[k] >= 2 && f->part[k] == 0) {
                f->part[k] = number;
                f->todo[todo++] = k;
            }
        }
    }
    return reached;
}

/* Marks a part as attached, because it is too large to be loose. */
static void flood_attach(flood *f, uint32_t number)
{
    for (uint32_t i = 0; i < f->voxels; i++)
        f->part[i] = f->part[i] == number ? UINT32_MAX : f->part[i];
}

static bool flood_is_anchor(const flood *f, const vp_regions_def *def, uint32_t i)
{
    const uint32_t x = i % f->size.x, z = i / f->size.x % f->size.z, y = i / f->size.x / f->size.z, bits = def->anchors;
    const bool border = x == 0 || x == f->size.x - 1 || y == 0 || y == f->size.y - 1 || z == 0 || z == f->size.z - 1;
    return ((bits == 0 || (bits & VP_ANCHOR_BOTTOM) != 0) && y == 0) || ((bits & VP_ANCHOR_BORDER) != 0 && border) ||
           ((bits & VP_ANCHOR_MASK) != 0 && (def->mask[i / 64] >> i % 64 & 1) != 0);
}

static void flood_run(flood *f, const vp_regions_def *def, const vp_world *world)
{
    f->size = vp_world_size(world);
    f->voxels = f->size.x * f->size.y * f->size.z;
    assert_true(f->voxels <= VOXELS);
    assert_ok(vp_world_read_rows(world, (vp_ivec3){0, 0, 0}, f->size, f->material, f->occupancy, &error));
    memset(f->part, 0, sizeof f->part);
    for (uint32_t i = 0; i < f->voxels; i++)
        if (flood_is_anchor(f, def, i))
            flood_from(f, i, UINT32_MAX);
    f->parts = 0;
    for (uint32_t i = 0; i < f->voxels; i++) {
        const uint32_t reached = flood_from(f, i, f->parts + 1);
        if (reached != 0 && def->attached_from != 0 && reached >= def->attached_from)
            flood_attach(f, f->parts + 1);
        else if (reached != 0)
            f->count[f->parts++] = reached;
    }
    for (uint32_t i = 0; i < f->voxels; i++)
        if (f->part[i] == UINT32_MAX)
            f->part[i] = 0;
}

/* ---- checks ---- */

/* Computes mass, centre and inertia about the world's origin, in long double. */
static void expect_mass(const vp_region *r)
{
    long double m = 0, first[3] = {0}, second[3][3] = {{0}};
    for (uint32_t i = 0; i < r->count; i++) {
        const long double w = (r->voxel[i].occupancy + 1.0L) / 256, p[3] = {r->at[i].x + 0.5L, r->at[i].y + 0.5L, r->at[i].z + 0.5L};
        m += w;
        for (int a = 0; a < 3; a++) {
            first[a] += w * p[a];
            for (int b = 0; b < 3; b++)
                second[a][b] += w * (p[a] * p[b] + (a == b ? 1 / 12.0L : 0));
        }
    }
    assert_true(r->mass.mass == (double)m);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const long double bb = second[b][b] - first[b] * first[b] / m, cc = second[c][c] - first[c] * first[c] / m,
                          ab = second[a][b] - first[a] * first[b] / m;
        assert_true(fabsl(r->mass.centre[a] - first[a] / m) <= 1e-12L * (1 + first[a] / m));
        assert_true(fabsl(r->mass.inertia[a] - (bb + cc)) <= 1e-9L * (bb + cc));
        assert_true(fabsl(r->mass.inertia[3 + a] + ab) <= 1e-9L * (bb + cc + m));
    }
}

/* docs/CONTRACT.md: REG-1, REG-2, REG-4 */
static void expect_right(const flood *f, const vp_regions_def *def, const vp_regions *got)
{
    uint32_t next = 0, small = 0, vanished = 0, place = 0;
    for (uint32_t p = 0; p < f->parts; p++) {
        if (f->count[p] < def->min_voxels) {
            small++;
            vanished += def->small == VP_REGIONS_VANISH ? f->count[p] : 0;
            continue;
        }
        assert_true(next < got->region_count);
        const vp_region *r = &got->region[next++];
        assert_int_equal(r->count, f->count[p]);
        assert_ptr_equal(r->at, got->at + place);
        place += r->count;
        uint32_t k = 0;
        vp_ivec3 low = r->at[0], high = low;
        for (uint32_t i = 0; i < f->voxels; i++) { /* so that they are ascending, each once */
            if (f->part[i] != p + 1)
                continue;
            const vp_ivec3 at = {(int32_t)(i % f->size.x), (int32_t)(i / f->size.x / f->size.z), (int32_t)(i / f->size.x % f->size.z)};
            assert_memory_equal(&r->at[k], &at, sizeof at);
            assert_int_equal(r->voxel[k].material, f->material[i]);
            assert_int_equal(r->voxel[k].occupancy, f->occupancy[i]);
            low = (vp_ivec3){at.x < low.x ? at.x : low.x, at.y < low.y ? at.y : low.y, at.z < low.z ? at.z : low.z};
            high = (vp_ivec3){at.x > high.x ? at.x : high.x, at.y > high.y ? at.y : high.y, at.z > high.z ? at.z : high.z};
            k++;
        }
        high = (vp_ivec3){high.x + 1, high.y + 1, high.z + 1};
        assert_memory_equal(&r->low, &low, sizeof low);
        assert_memory_equal(&r->high, &high, sizeof high);
        expect_mass(r);
    }
    assert_int_equal(got->region_count, next);
    assert_int_equal(got->small_count, small);
    assert_int_equal(got->voxel_count, place);
    assert_int_equal(got->vanished, vanished);
}

static void expect_same(const vp_regions *a, const vp_regions *b)
{
    assert_int_equal(a->region_count, b->region_count);
    assert_int_equal(a->small_count, b->small_count);
    assert_int_equal(a->voxel_count, b->voxel_count);
    assert_int_equal(a->vanished, b->vanished);
    const size_t all = (size_t)a->voxel_count + a->vanished;
    if (all != 0) {
        assert_memory_equal(a->at, b->at, all * sizeof *a->at);
        assert_memory_equal(a->voxel, b->voxel, all * sizeof *a->voxel);
    }
    for (uint32_t i = 0; i < a->region_count; i++) {
        assert_int_equal(a->region[i].count, b->region[i].count);
        assert_memory_equal(&a->region[i].mass, &b->region[i].mass, sizeof(vp_mass));
    }
}

static vp_regions_def some_def(vp_random *r, vp_dims size, uint64_t *mask)
{
    vp_regions_def def = {.anchors = vp_random_below(r, 8)};
    for (uint32_t i = 0; i < (size.x * size.y * size.z + 63) / 64; i++)
        mask[i] = vp_random_next(r) & vp_random_next(r) & vp_random_next(r) & vp_random_next(r) & vp_random_next(r);
    def.mask = mask;
    if (vp_random_below(r, 3) == 0) {
        def.min_voxels = vp_random_below(r, 6);
        def.small = vp_random_below(r, 2) == 0 ? VP_REGIONS_STAY : VP_REGIONS_VANISH;
    }
    if (vp_random_below(r, 4) == 0)
        def.attached_from = 1 + vp_random_below(r, 40);
    return def;
}

static uint64_t weigh(const vp_world *world, uint32_t *solid)
{
    const vp_dims s = vp_world_size(world);
    uint64_t sum = 0;
    *solid = 0;
    for (int32_t y = 0; y < (int32_t)s.y; y++)
        for (int32_t z = 0; z < (int32_t)s.z; z++)
            for (int32_t x = 0; x < (int32_t)s.x; x++) {
                const vp_voxel v = vp_world_voxel(world, (vp_ivec3){x, y, z});
                if (v.material >= VP_FIRST_SOLID) {
                    sum += v.occupancy + 1u;
                    ++*solid;
                }
            }
    return sum;
}

/* docs/CONTRACT.md: REG-1, REG-2, REG-3 */
TEST(random_edits)
{
    static vp_ivec3 at[MOST];
    static vp_voxel voxel[MOST], before[MOST];
    static uint64_t mask[VOXELS / 64];
    static flood f;
    vp_random r = {38};
    uint32_t loose = 0, several = 0, stayed = 0;
    for (int begun = 0; begun < EDITS;) {
        const vp_dims size = some_size(&r);
        vp_world *world = some_world(&r, size);
        const vp_regions_def def = some_def(&r, size, mask);
        vp_regions first, found, labelled;
        flood_run(&f, &def, world);
        assert_ok(vp_regions_label(&def, world, &first, &error)); /* loose from the start */
        expect_right(&f, &def, &first);
        assert_ok(vp_regions_remove(&first, world, NULL, &error));
        vp_regions_destroy(&first);
        for (int k = 0; k < EDITS_OF_A_WORLD && begun < EDITS; k++, begun++) {
            const size_t count = some_edit(&r, size, at, voxel);
            uint32_t solid, left;
            for (size_t i = 0; i < count; i++)
                before[i] = vp_world_voxel(world, at[i]);
            assert_ok(vp_world_set_voxels(world, at, voxel, count, NULL, &error));
            const uint64_t weight = weigh(world, &solid);
            flood_run(&f, &def, world);
            assert_ok(vp_regions_label(&def, world, &labelled, &error));
            expect_right(&f, &def, &labelled);
            assert_ok(vp_regions_find(&def, world, at, before, count, &found, &error));
            if (def.small == VP_REGIONS_VANISH || def.min_voxels < 2) { /* otherwise some were loose before, elsewhere */
                expect_same(&found, &labelled);
                vp_regions unknown;
                assert_ok(vp_regions_find(&def, world, at, NULL, count, &unknown, &error));
                expect_same(&found, &unknown);
                assert_true(found.visited <= unknown.visited);
                vp_regions_destroy(&unknown);
            } else {
                assert_int_equal(found.region_count, labelled.region_count);
                assert_int_equal(found.voxel_count, labelled.voxel_count);
                assert_true(found.small_count <= labelled.small_count);
                stayed += labelled.small_count;
            }
            assert_ok(vp_regions_remove(&found, world, NULL, &error));
            double mass = 0;
            for (uint32_t i = 0; i < found.region_count; i++)
                mass += found.region[i].mass.mass;
            for (uint32_t i = found.voxel_count; i < found.voxel_count + found.vanished; i++)
                mass += (found.voxel[i].occupancy + 1.0) / 256;
            const double kept = (double)weigh(world, &left) / 256;
            assert_int_equal(left + found.voxel_count + found.vanished, solid);
            assert_true(mass + kept == (double)weight / 256);
            loose += found.region_count != 0;
            several += found.region_count > 1;
            vp_regions_destroy(&found);
            vp_regions_destroy(&labelled);
        }
        vp_world_destroy(world);
    }
    assert_true(loose > EDITS / 50);
    if (!IS_THIN) /* in a short run some kinds are rare */
        assert_true(several > EDITS / 500 && stayed > 0);
}

/* ---- single cases ---- */

static void put_box(vp_world *world, vp_ivec3 low, vp_ivec3 high)
{
    assert_ok(vp_world_fill_box(world, low, high, (vp_voxel){7, 127}, NULL, &error));
}

/* A hole in solid ground is searched only nearby, by six searches that meet past its edges. */
TEST(near_by)
{
    vp_world *world = NULL;
    vp_regions r;
    const vp_voxel rock = {7, 127}, air = {0, 0};
    const vp_ivec3 at = {32, 30, 32};
    assert_ok(vp_world_create(&(vp_world_def){.size = {64, 64, 64}}, &world, &error));
    put_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){64, 60, 64});
    assert_ok(vp_world_set_voxel(world, at, air, NULL, &error));
    assert_ok(vp_regions_find(&(vp_regions_def){0}, world, &at, &rock, 1, &r, &error));
    assert_int_equal(r.searches, 6);
    assert_true(r.visited <= 8 * 6);
    vp_regions_destroy(&r);
    vp_world_destroy(world);
}

/* ---- terrain ---- */

/* An edit of voxels, or a sphere or a box that is dug, inside and outside the world, of a terrain and of a world. */
static vp_status edit_both(vp_random *r, int kind, vp_terrain *t, vp_world *beside, vp_chunk_set *stale, vp_regions *found,
                           vp_chunk_set *want_stale)
{
    static vp_ivec3 at[MOST];
    static vp_voxel voxel[MOST];
    const vp_regions_def def = {0};
    const vp_voxel air = {0, 0};
    const vp_dims size = vp_world_size(beside);
    const vp_vec3 centre = {vp_random_between(r, -3, 27), vp_random_between(r, -3, 19), vp_random_between(r, -3, 27)};
    const float radius = vp_random_between(r, 0, 6);
    const vp_ivec3 low = {(int32_t)centre.x, (int32_t)centre.y, (int32_t)centre.z};
    const vp_ivec3 high = {low.x + (int32_t)radius, low.y + 2, low.z + (int32_t)vp_random_below(r, 30)};
    if (kind == 0) {
        assert_ok(vp_world_fill_sphere(beside, centre, radius, air, want_stale, &error));
        return vp_regions_fill_sphere(&def, t, centre, radius, air, stale, found, NULL);
    }
    if (kind == 1) {
        assert_ok(vp_world_fill_box(beside, low, high, air, want_stale, &error));
        return vp_regions_fill_box(&def, t, low, high, air, stale, found, NULL);
    }
    const size_t count = some_edit(r, size, at, voxel);
    assert_ok(vp_world_set_voxels(beside, at, voxel, count, want_stale, &error));
    return vp_regions_edit(&def, t, at, voxel, count, stale, found, NULL);
}

/* docs/CONTRACT.md: REG-3. The same edit of a world, whose changed voxels are then searched. */
TEST(terrain_edits)
{
    static uint8_t rows[2][VOXELS], rows_beside[2][VOXELS];
    static vp_ivec3 at[VOXELS];
    static vp_voxel before[VOXELS];
    vp_random r = {39};
    const vp_dims size = {24, 16, 24};
    const vp_regions_def def = {0};
    uint32_t loose[3] = {0};
    vp_chunk_set stale, want_stale;
    vp_world *world = NULL, *beside = NULL;
    vp_terrain *t = NULL;
    for (int k = 0; k < 3 * TERRAIN_EDITS; k++) {
        vp_regions found, want;
        if (k % 15 == 0) { /* a world without loose regions, twice */
            vp_random again = r;
            world = some_world(&r, size), beside = some_world(&again, size);
            for (int w = 0; w < 2; w++) {
                assert_ok(vp_regions_label(&def, w == 0 ? world : beside, &found, &error));
                assert_ok(vp_regions_remove(&found, w == 0 ? world : beside, NULL, &error));
                vp_regions_destroy(&found);
            }
            assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &t, &error));
            assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, &error));
            assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &want_stale, &error));
        }
        vp_chunk_set_clear(&stale);
        vp_chunk_set_clear(&want_stale);
        assert_ok(vp_world_read_rows(beside, (vp_ivec3){0, 0, 0}, size, rows[0], rows[1], &error));
        assert_int_equal(edit_both(&r, k % 3, t, beside, &stale, &found, &want_stale), VP_OK);
        assert_ok(vp_world_read_rows(beside, (vp_ivec3){0, 0, 0}, size, rows_beside[0], rows_beside[1], &error));
        size_t count = 0;
        for (uint32_t i = 0; i < VOXELS; i++)
            if (rows[0][i] != rows_beside[0][i] || rows[1][i] != rows_beside[1][i]) {
                at[count] = (vp_ivec3){(int32_t)(i % 24), (int32_t)(i / 576), (int32_t)(i / 24 % 24)};
                before[count++] = (vp_voxel){rows[0][i], rows[1][i]};
            }
        assert_ok(vp_regions_find(&def, beside, at, before, count, &want, &error));
        assert_ok(vp_regions_remove(&want, beside, &want_stale, &error));
        expect_same(&found, &want);
        loose[k % 3] += found.region_count;
        assert_ok(vp_world_read_rows(world, (vp_ivec3){0, 0, 0}, size, rows[0], rows[1], &error));
        assert_ok(vp_world_read_rows(beside, (vp_ivec3){0, 0, 0}, size, rows_beside[0], rows_beside[1], &error));
        assert_memory_equal(rows, rows_beside, sizeof rows);
        for (uint32_t c = 0; c < 3 * 2 * 3; c++) /* a voxel that is set and removed at once changes nothing */
            assert_true(!vp_chunk_set_has(&stale, c) || vp_chunk_set_has(&want_stale, c));
        vp_regions_destroy(&found);
        vp_regions_destroy(&want);
        if (k % 15 == 14) {
            vp_chunk_set_destroy(&stale);
            vp_chunk_set_destroy(&want_stale);
            vp_terrain_destroy(t);
            vp_world_destroy(world);
            vp_world_destroy(beside);
        }
    }
    assert_true(loose[0] + loose[1] + loose[2] > 0);
    if (TERRAIN_EDITS >= 150)
        assert_true(loose[0] > 0 && loose[1] > 0 && loose[2] > 0);
}

/* ---- readers meanwhile ---- */

enum { ROUNDS = IS_THIN ? 60 : 600, READERS = IS_THIN ? 2 : 3 };
enum { BEAM = 20, WHOLE = 2 * 6 + BEAM, FALLEN = 2 * 5 };

typedef struct regions_scene {
    vp_terrain *terrain;
    atomic_bool stop;
    atomic_uint wrong, whole, fallen;
} regions_scene;

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
    regions_scene *s = argument;
    while (!atomic_load(&s->stop)) {
        vp_terrain_reader reader = {0};
        vp_terrain_acquire_reader(s->terrain, &reader);
        const uint32_t count = solid_of(vp_terrain_reader_world(&reader));
        vp_terrain_release_reader(&reader);
        atomic_fetch_add(count == WHOLE ? &s->whole : count == FALLEN ? &s->fallen : &s->wrong, 1);
    }
    return NULL;
}

/* docs/CONTRACT.md: REG-3. A beam on two posts is cut and restored while other threads read. A reader sees the whole beam or none of it,
 * and never a cut with the loose part still in the air. */
TEST(readers)
{
    vp_world *world = NULL;
    regions_scene s = {0};
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
        assert_int_equal(r.voxel_count, BEAM);
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
