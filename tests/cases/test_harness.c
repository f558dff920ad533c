/* SPDX-License-Identifier: MIT */
/* Deliberate faults in versions of a kernel are detected. */
#include "tests/support/check.h"

#include <stdalign.h>
#include <string.h>

#include "cases/case.h"

static vp_store *store;
static const vp_data *boxes;
static vp_kernels scalar;

/* A store for each test, because one of the versions writes to its data. */
static int open_store(void **state)
{
    (void)state;
    scalar = vp_scalar_kernels();
    assert_int_equal(vp_store_create(NULL, 1, &store, NULL), VP_OK);
    assert_int_equal(vp_store_open(store, &vp_kind_boxes, "fuzz-1", &boxes, NULL), VP_OK);
    return 0;
}

static int close_store(void **state)
{
    (void)state;
    vp_store_destroy(store);
    return 0;
}

static vp_check check_version(const vp_case *c, const vp_kernels *version)
{
    vp_records want = {0};
    vp_check check;
    assert_int_equal(vp_case_reference(c, &scalar, boxes, 0, true, &want, &check, NULL), VP_OK);
    if (check.mismatches != 0)
        fail_msg("the reference %s", check.why.message);
    assert_int_equal(vp_case_check(c, &(vp_setting){version, NULL}, boxes, 0, &want, true, &check, NULL), VP_OK);
    vp_records_destroy(&want);
    return check;
}

static void expect_noticed(const vp_check *check, const char *why)
{
    if (check->mismatches == 0)
        fail_msg("\"%s\" is not noticed", why);
    if (strstr(check->why.message, why) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", check->why.message, why);
}

/* ---- versions of overlap_boxes ---- */

static volatile float seen;
static unsigned runs;

/* A correct version that then adds a fault. */
#define VERSION(name, then)                                                                                                                \
    static void name(const vp_broadphase_view *bits, const vp_boxes *b, uint8_t *touch)                                                    \
    {                                                                                                                                      \
        scalar.overlap_boxes(bits, b, touch);                                                                                              \
        then;                                                                                                                              \
    }
VERSION(reads_behind, seen = b->max_z[b->count])
VERSION(reads_before, seen = *(b->min_y - 1))
VERSION(writes_behind, touch[b->count] = 0)
VERSION(writes_before, touch[-1] = 0)
VERSION(answers_wrong, touch[b->count / 2] ^= 1)
/* Correct every time except the second. */
VERSION(remembers, touch[0] ^= runs++ == 2)

static void reads_behind_masks(const vp_broadphase_view *bits, const vp_boxes *b, uint8_t *touch)
{
    uint32_t most = 2;
    scalar.overlap_boxes(bits, b, touch);
    for (uint32_t y = 0; y < bits->chunks.y; y++)
        for (uint32_t z = 0; z < bits->chunks.z; z++)
            for (uint32_t x = 0; x < bits->chunks.x; x++) {
                const uint32_t slot = bits->slot[y * (uint32_t)bits->slot_stride_y + z * (uint32_t)bits->slot_stride_z + x];
                most = slot > most ? slot : most;
            }
    seen = (float)bits->pool[most + 1].solid[0];
}

static void writes_far_behind(const vp_broadphase_view *bits, const vp_boxes *b, uint8_t *touch)
{
    scalar.overlap_boxes(bits, b, touch);
    volatile uint8_t *far = touch + b->count + 100;
    *far = *far;
}

static void writes_input(const vp_broadphase_view *bits, const vp_boxes *b, uint8_t *touch)
{
    scalar.overlap_boxes(bits, b, touch);
    union {
        const float *in;
        float *out;
    } box = {b->min_x};
    box.out[0] = box.out[0] == 1.0f ? 2.0f : 1.0f;
}

static void leaves_one_out(const vp_broadphase_view *bits, const vp_boxes *b, uint8_t *touch)
{
    const uint8_t last = touch[b->count - 1];
    scalar.overlap_boxes(bits, b, touch);
    touch[b->count - 1] = last;
}

static void broken_versions_are_noticed(void **state)
{
    static const struct {
        vp_overlap_boxes_fn *version;
        const char *why;
    } of[] = {
        {answers_wrong, "differs from the reference in 1 of"},
        {leaves_one_out, "differs from the reference in 1 of"},
        {remembers, "differs from the reference in 1 of"},
        {writes_behind, "bytes beside a block"},
        {writes_before, "bytes beside a block"},
#if !defined(_WIN32) && !defined(__wasi__)
        {reads_behind, "ends at a forbidden page"},
        {reads_before, "begins at a forbidden page"},
        {reads_behind_masks, "ends at a forbidden page"},
        {writes_far_behind, "ends at a forbidden page"},
#endif
        {writes_input, "an input of"}
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        vp_kernels version = scalar;
        version.overlap_boxes = of[i].version;
        const vp_check check = check_version(&vp_case_overlap_boxes, &version);
        expect_noticed(&check, of[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(broken_versions_are_noticed, open_store, close_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
