/* SPDX-License-Identifier: MIT */
/* Every kernel version that this machine runs, on buffers of exactly the documented sizes between forbidden pages: no
 * byte beyond them may be read or written, and the answers are those of the oracle. */
#include "tests/support/check.h"
#include "tests/support/guard.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

static test_guard guard_copy(const void *data, size_t bytes, test_side side)
{
    test_guard g = test_guard_make(bytes, side);
    memcpy(g.data, data, bytes);
    return g;
}

/* Builds a whole world into buffers of exactly the documented sizes between forbidden pages, from bricks or rows, and
   compares every chunk; then queries them there. */
static void build_in_guards(const test_table *table, const vp_world *world, const oracle *o, bool rows, test_side side,
                            vp_random *r)
{
    vp_dims n = o->chunks;
    size_t chunks = oracle_chunk_count(o), voxels = chunks * 512;
    int32_t stride_z = (int32_t)n.x + 2, stride_y = stride_z * ((int32_t)n.z + 2);
    size_t front = (size_t)(stride_y + stride_z + 1);
    size_t slots = (size_t)stride_y * (n.y + 2) + (size_t)(stride_y + stride_z + 2);
    size_t scratch_bytes = (vp_dilate_world_scratch_bytes(n) + 63) / 64 * 64;

    uint8_t *row_bytes = malloc(voxels);
    assert_non_null(row_bytes);
    assert_ok(vp_world_read_rows(world, (vp_ivec3){0, 0, 0}, o->size, row_bytes, NULL, &error));
    test_guard material = guard_copy(rows ? row_bytes : vp_world_bricks(world).material, voxels, side);
    test_guard slot = test_guard_make(slots * 4, side), pool = test_guard_make(chunks * 128, side);
    test_guard scratch = test_guard_make(scratch_bytes, side);
    memset(scratch.data, 0xa5, scratch_bytes);
    memset(slot.data, 0, slots * 4);

    uint32_t *slot0 = (uint32_t *)slot.data + front;
    uint32_t split = vp_random_below(r, n.y + 1), filled = 0;
    for (int half = 0; half < 2; half++) { /* in two pieces, one of them perhaps empty */
        vp_dilate_job piece = {.material = material.data, .chunks = n, .y_begin = half == 0 ? 0 : split,
                          .y_end = half == 0 ? split : n.y, .slot = slot0, .slot_stride_z = stride_z,
                          .slot_stride_y = stride_y, .pool = (vp_chunk_masks *)pool.data + filled, .first = 3 + filled,
                          .scratch = scratch.data};
        if (piece.y_begin < piece.y_end)
            filled += rows ? table->kernels.dilate_world_rows(&piece) : table->kernels.dilate_world(&piece);
    }
    uint32_t mixed = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        vp_ivec3 at = oracle_chunk_at(o, c);
        vp_chunk_class tag = oracle_tag(o, at);
        vp_chunk_masks masks = oracle_masks(o, at);
        uint32_t got = slot0[at.y * stride_y + at.z * stride_z + at.x];
        if (tag == VP_CHUNK_MIXED ? got < 3 || got >= 3 + filled : got != (uint32_t)tag)
            fail_msg("%s, %s, %u x %u x %u chunks cut at %u: slot of chunk %u is %u, its tag %d", table->name,
                     rows ? "rows" : "bricks", n.x, n.y, n.z, split, c, got, (int)tag);
        if (tag == VP_CHUNK_MIXED && memcmp((vp_chunk_masks *)pool.data + (got - 3), &masks, sizeof masks) != 0)
            fail_msg("%s, %s, %u x %u x %u chunks cut at %u: masks of chunk %u", table->name, rows ? "rows" : "bricks",
                     n.x, n.y, n.z, split, c);
        mixed += tag == VP_CHUNK_MIXED;

        test_guard out = test_guard_make(sizeof masks, side);
        if (rows) {
            uint8_t ten[1000];
            assert_ok(vp_world_neighbourhood(world, at, ten, &error));
            test_guard in = guard_copy(ten, sizeof ten, side);
            assert_int_equal(table->kernels.dilate_chunk_rows(in.data, out.data), tag);
            assert_memory_equal(in.data, ten, sizeof ten);
            test_guard_free(&in);
        } else {
            vp_bricks bricks = {material.data, n};
            uint32_t x = (uint32_t)at.x, y = (uint32_t)at.y, z = (uint32_t)at.z;
            assert_int_equal(table->kernels.dilate_chunk(&bricks, x, y, z, out.data), tag);
        }
        assert_memory_equal(out.data, &masks, sizeof masks);
        test_guard_free(&out);
    }
    assert_int_equal(filled, mixed);
    for (size_t i = 0; i < slots; i++) { /* the border stays EMPTY */
        int64_t at = (int64_t)i;
        int64_t x = at % stride_z - 1, z = at / stride_z % (stride_y / stride_z) - 1, y = at / stride_y - 1;
        if (x < 0 || z < 0 || y < 0 || x >= (int64_t)n.x || z >= (int64_t)n.z || y >= (int64_t)n.y)
            assert_int_equal(((uint32_t *)slot.data)[i], 0);
    }
    assert_memory_equal(material.data, rows ? row_bytes : vp_world_bricks(world).material, voxels);

    test_guard all = test_guard_make((chunks + 3) * 128, side); /* with the three shared entries in front */
    memset(all.data, 0, 3 * 128);
    memset(((vp_chunk_masks *)all.data)[1].solid, 0xff, 64);
    memset(((vp_chunk_masks *)all.data)[2].water, 0xff, 64);
    memcpy((vp_chunk_masks *)all.data + 3, pool.data, chunks * 128);
    vp_broadphase_view bits = {slot0, all.data, n, stride_z, stride_y};
    for (uint32_t count = 1; count < 20; count++) {
        test_guard array[6], touch = test_guard_make(count, side);
        uint8_t expected[20];
        for (int a = 0; a < 6; a++)
            array[a] = test_guard_make(count * sizeof(float), side);
        for (uint32_t i = 0; i < count; i++) {
            vp_aabb box = test_hostile_box(r, o->size);
            const float value[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
            for (int a = 0; a < 6; a++)
                ((float *)array[a].data)[i] = value[a];
            uint8_t chunk[256];
            expected[i] = (uint8_t)oracle_overlap(o, &box, chunk);
            assert_int_equal(table->kernels.overlap_box(&bits, &box), expected[i]);
            uint32_t touched = table->kernels.overlap_chunks(&bits, &box, NULL, 0);
            test_guard list = test_guard_make(touched * sizeof(vp_chunk_touch), side);
            assert_int_equal(table->kernels.overlap_chunks(&bits, &box, list.data, touched), touched);
            test_guard_free(&list);
        }
        vp_boxes boxes = {array[0].data, array[1].data, array[2].data, array[3].data,
                          array[4].data, array[5].data, count};
        table->kernels.overlap_boxes(&bits, &boxes, touch.data);
        assert_memory_equal(touch.data, expected, count);
        for (int a = 0; a < 6; a++)
            test_guard_free(&array[a]);
        test_guard_free(&touch);
    }
    test_guard_free(&all);
    test_guard_free(&material);
    test_guard_free(&slot);
    test_guard_free(&pool);
    test_guard_free(&scratch);
    free(row_bytes);
}

/* ---- worlds too large to be built here: bits made by hand ---- */

enum { FEW = 200, LARGE_X = 256, LARGE_Y = 2, LARGE_Z = 129, BATCH = 100 };

typedef struct few_chunks {
    vp_ivec3 at[FEW];
    vp_chunk_masks masks[FEW];
} few_chunks;

/* Whether voxel v of an axis is under the box, by the definition. */
static bool covered(float min, float max, int32_t v)
{
    return floor((double)min) - 1 <= v && v <= floor((double)max) + 1;
}

static uint32_t touch_voxel_by_voxel(const few_chunks *few, const vp_aabb *box)
{
    uint32_t touch = 0;
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z))
        return VP_TOUCH_INVALID;
    for (int c = 0; c < FEW; c++)
        for (int32_t i = 0; few->at[c].x >= 0 && i < 512; i++) {
            vp_ivec3 v = {few->at[c].x * 8 + i % 8, few->at[c].y * 8 + i / 64, few->at[c].z * 8 + i / 8 % 8};
            if (!covered(box->min.x, box->max.x, v.x) || !covered(box->min.y, box->max.y, v.y) ||
                !covered(box->min.z, box->max.z, v.z))
                continue;
            touch |= few->masks[c].solid[i / 64] >> i % 64 & 1 ? VP_TOUCH_SOLID : 0u;
            touch |= few->masks[c].water[i / 64] >> i % 64 & 1 ? VP_TOUCH_WATER : 0u;
        }
    return touch;
}

/* A box near one of the few chunks, mostly; now and then one of all sorts. */
static vp_aabb box_near(vp_random *r, const few_chunks *few)
{
    if (vp_random_below(r, 8) == 0)
        return test_hostile_box(r, (vp_dims){LARGE_X * 8, LARGE_Y * 8, LARGE_Z * 8});
    vp_ivec3 at = few->at[vp_random_below(r, FEW)];
    vp_vec3 low = {(float)at.x * 8 + vp_random_between(r, -4, 11), (float)at.y * 8 + vp_random_between(r, -4, 11),
                   (float)at.z * 8 + vp_random_between(r, -4, 11)};
    float most = vp_random_below(r, 4) == 0 ? 20.0f : 6.0f;
    return (vp_aabb){low, {low.x + vp_random_between(r, 0, most), low.y + vp_random_between(r, 0, most),
                           low.z + vp_random_between(r, 0, most)}};
}

static void put_few_chunks(vp_random *r, few_chunks *few, uint32_t *slot, uint32_t stride_z, uint32_t stride_y)
{
    for (uint32_t c = 0; c < FEW; c++) { /* the second half at the ends of the world */
        vp_ivec3 at = {(int32_t)vp_random_below(r, LARGE_X), (int32_t)vp_random_below(r, LARGE_Y),
                       (int32_t)vp_random_below(r, LARGE_Z)};
        if (c >= FEW / 2)
            at = (vp_ivec3){at.x % 4 != 0 ? LARGE_X - 1 - at.x % 2 : at.x % 2, at.y,
                            at.z % 4 != 0 ? LARGE_Z - 1 - at.z % 2 : at.z % 2};
        for (uint32_t earlier = 0; earlier < c; earlier++) /* one chunk, one entry: the later one is nowhere */
            if (memcmp(&few->at[earlier], &at, sizeof at) == 0)
                at.x = -100;
        few->at[c] = at;
        for (int y = 0; y < 8; y++) {
            few->masks[c].solid[y] = vp_random_next(r) & vp_random_next(r) & vp_random_next(r);
            few->masks[c].water[y] = vp_random_next(r) & vp_random_next(r) & vp_random_next(r);
        }
        if (at.x >= 0)
            slot[(uint32_t)at.y * stride_y + (uint32_t)at.z * stride_z + (uint32_t)at.x] = 3 + c;
    }
}

/* Batches over a world of more than 32768 chunks, whose masks kernels may ask for ahead of time. */
static void large_worlds(void **state)
{
    (void)state;
    test_table tables[TEST_TABLES_MAX];
    size_t table_count = test_all_tables(tables);
    const uint32_t stride_z = LARGE_X + 2, stride_y = stride_z * (LARGE_Z + 2);
    const size_t slots = (size_t)stride_y * (LARGE_Y + 2) + stride_y + stride_z + 2;
    for (int side = 0; side < 2; side++) {
        static few_chunks few;
        vp_random r = {7000u + (unsigned)side};
        test_side end = side == 0 ? TEST_FLUSH_BEGIN : TEST_FLUSH_END;
        test_guard slot = test_guard_make(slots * 4, end), pool = test_guard_make((FEW + 3) * 128, end);
        memset(slot.data, 0, slots * 4);
        memset(pool.data, 0, (FEW + 3) * 128);
        uint32_t *slot0 = (uint32_t *)slot.data + stride_y + stride_z + 1;
        put_few_chunks(&r, &few, slot0, stride_z, stride_y);
        memcpy((vp_chunk_masks *)pool.data + 3, few.masks, sizeof few.masks);
        vp_broadphase_view bits = {slot0, pool.data, {LARGE_X, LARGE_Y, LARGE_Z}, (int32_t)stride_z, (int32_t)stride_y};
        for (uint32_t count = 0; count <= BATCH; count += count < 36 ? 1 : 16) {
            test_guard array[6], touch = test_guard_make(count + 1, end);
            uint8_t expected[BATCH + 1];
            for (int a = 0; a < 6; a++)
                array[a] = test_guard_make((count + 1) * sizeof(float), end);
            for (uint32_t i = 0; i < count; i++) {
                vp_aabb box = box_near(&r, &few);
                const float value[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
                for (int a = 0; a < 6; a++)
                    ((float *)array[a].data)[1 + i] = value[a]; /* so that their end is the page's */
                expected[i] = (uint8_t)touch_voxel_by_voxel(&few, &box);
            }
            float *from[6];
            for (int a = 0; a < 6; a++)
                from[a] = (float *)array[a].data + 1;
            vp_boxes boxes = {from[0], from[1], from[2], from[3], from[4], from[5], count};
            for (size_t t = 0; t < table_count; t++) {
                uint8_t *answer = (uint8_t *)touch.data + 1;
                memset(touch.data, 0xcc, count + 1);
                tables[t].kernels.overlap_boxes(&bits, &boxes, answer);
                assert_int_equal(answer[-1], 0xcc);
                for (uint32_t i = 0; i < count; i++)
                    if (answer[i] != expected[i])
                        fail_msg("%s: answer %u of a batch of %u is %u, expected %u", tables[t].name, i, count, answer[i],
                                 expected[i]);
            }
            for (int a = 0; a < 6; a++)
                test_guard_free(&array[a]);
            test_guard_free(&touch);
        }
        test_guard_free(&slot);
        test_guard_free(&pool);
    }
}

static void exact_buffers(void **state)
{
    (void)state; /* docs/CONTRACT.md: ALL-4 */
    test_table tables[TEST_TABLES_MAX];
    size_t table_count = test_all_tables(tables);
    for (size_t t = 0; t < table_count; t++)
        for (uint32_t i = 0; i < TEST_SHAPES; i++) {
            vp_random r = {6000 + i};
            vp_world *world = test_random_world(&r, test_shapes[i], NULL);
            oracle o = oracle_make(world, true);
            for (int way = 0; way < 4; way++)
                build_in_guards(&tables[t], world, &o, way / 2 == 1, way % 2 == 0 ? TEST_FLUSH_BEGIN : TEST_FLUSH_END,
                                &r);
            oracle_free(&o);
            vp_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_buffers), cmocka_unit_test(large_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
