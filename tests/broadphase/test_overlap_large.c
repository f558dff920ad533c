/* SPDX-License-Identifier: MIT */
/* Batches of boxes over worlds of more than 32768 chunks, whose masks kernels may ask for ahead of time: bits
 * made by hand, in buffers of exactly the documented sizes between forbidden pages. */
#include "tests/support/check.h"
#include "tests/support/guard.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

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
            if (!covered(box->min.x, box->max.x, v.x) || !covered(box->min.y, box->max.y, v.y) || !covered(box->min.z, box->max.z, v.z))
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
    return (vp_aabb){low,
                     {low.x + vp_random_between(r, 0, most), low.y + vp_random_between(r, 0, most), low.z + vp_random_between(r, 0, most)}};
}

static void put_few_chunks(vp_random *r, few_chunks *few, uint32_t *slot, uint32_t stride_z, uint32_t stride_y)
{
    for (uint32_t c = 0; c < FEW; c++) { /* the second half at the ends of the world */
        vp_ivec3 at = {(int32_t)vp_random_below(r, LARGE_X), (int32_t)vp_random_below(r, LARGE_Y), (int32_t)vp_random_below(r, LARGE_Z)};
        if (c >= FEW / 2)
            at = (vp_ivec3){at.x % 4 != 0 ? LARGE_X - 1 - at.x % 2 : at.x % 2, at.y, at.z % 4 != 0 ? LARGE_Z - 1 - at.z % 2 : at.z % 2};
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
                        fail_msg("%s: answer %u of a batch of %u is %u, expected %u", tables[t].name, i, count, answer[i], expected[i]);
            }
            for (int a = 0; a < 6; a++)
                test_guard_free(&array[a]);
            test_guard_free(&touch);
        }
        test_guard_free(&slot);
        test_guard_free(&pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
