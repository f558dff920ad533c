/* SPDX-License-Identifier: MIT */
/* Contact management: refusals, the cost of calls, and edits under sleeping objects too wide for the index to store chunk by chunk.
 * test_contact_histories.c checks the contacts against the voxels, test_waking.c the wakings. */
#include <voxphys/kernels.h>
#include "tests/support/check.h"
#include "tests/support/scene.h"

#include <math.h>

static void put(scene *s, int x, int y, int z, uint8_t material)
{
    assert_ok(vp_world_set_voxel(s->world, (vp_ivec3){x, y, z}, (vp_voxel){material, 255}, &s->stale, &error));
}

static vp_aabb box(float x0, float y0, float z0, float x1, float y1, float z1)
{
    return (vp_aabb){{x0, y0, z0}, {x1, y1, z1}};
}

static uint32_t add(scene *s, vp_aabb b)
{
    uint32_t object = UINT32_MAX;
    assert_ok(vp_contacts_add(s->contacts, &b, &object, &error));
    return object;
}

static void move(scene *s, uint32_t object, vp_aabb b)
{
    assert_ok(vp_contacts_move(s->contacts, object, &b, &error));
}

static void expect_no_events(scene *s)
{
    uint32_t count;
    (void)vp_contacts_events(s->contacts, &count);
    assert_int_equal(count, 0);
}

/* An object gets the lowest free number, also past one word of the table of numbers, and no id is used twice. */
static void numbers(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){1, 1, 1}, NULL, 0);
    put(s, 4, 4, 4, 2);
    scene_edited(s);
    vp_aabb on = box(4, 4, 4, 5, 5, 5);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(add(s, on), i);
    assert_int_equal(vp_contacts_object_count(s->contacts), 200);
    static const uint32_t gone[4] = {150, 3, 64, 63}, in_order[5] = {3, 63, 64, 150, 200};
    for (int i = 0; i < 4; i++)
        assert_ok(vp_contacts_remove(s->contacts, gone[i], &error));
    for (uint32_t i = 0; i < 5; i++) {
        vp_contact contact;
        assert_int_equal(add(s, on), in_order[i]);
        assert_int_equal(vp_contacts_of(s->contacts, in_order[i], &contact, 1), 1);
        assert_int_equal(contact.id, 201 + i);
    }
    scene_end(s);
}

static void refusals(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){2, 2, 2}, NULL, 0);
    put(s, 4, 4, 4, 2);
    scene_edited(s);
    uint32_t object = 77;
    vp_aabb nan_y = box(0, NAN, 0, 1, 1, 1), inverted = box(0, 0, 3.5f, 1, 1, 2.25f), good = box(3, 3, 3, 5, 5, 5);
    assert_refused(vp_contacts_add(s->contacts, &nan_y, &object, &error), VP_E_ARGUMENT, "min.y is NaN");
    assert_refused(vp_contacts_add(s->contacts, &inverted, &object, &error), VP_E_ARGUMENT, "3.5");
    assert_int_equal(object, 77);
    assert_int_equal(vp_contacts_object_count(s->contacts), 0);
    assert_refused(vp_contacts_move(s->contacts, 0, &good, &error), VP_E_ARGUMENT, "object 0");

    object = add(s, good);
    vp_contacts_clear_events(s->contacts);
    assert_ok(vp_contacts_sleep(s->contacts, object, &error));
    assert_refused(vp_contacts_move(s->contacts, object, &nan_y, &error), VP_E_ARGUMENT, "min.y is NaN");
    assert_refused(vp_contacts_move(s->contacts, object, &inverted, &error), VP_E_ARGUMENT, "2.25");
    assert_refused(vp_contacts_move(s->contacts, 1, &good, &error), VP_E_ARGUMENT, "object 1");
    assert_refused(vp_contacts_move(s->contacts, UINT32_MAX, &good, &error), VP_E_ARGUMENT, "object 4294967295");
    assert_refused(vp_contacts_remove(s->contacts, 64, &error), VP_E_ARGUMENT, "object 64");
    assert_refused(vp_contacts_sleep(s->contacts, 63, &error), VP_E_ARGUMENT, "object 63");
    assert_false(vp_contacts_awake(s->contacts, object)); /* a refused move does not wake */
    assert_false(vp_contacts_awake(s->contacts, 9));
    assert_int_equal(vp_contacts_of(s->contacts, 9, NULL, 0), 0);
    assert_int_equal(vp_contacts_of(s->contacts, object, NULL, 0), 1);
    expect_no_events(s);
    assert_int_equal(vp_contacts_move(s->contacts, 5, &good, NULL), VP_E_ARGUMENT); /* without an error object */

    vp_chunk_set other;
    assert_ok(vp_chunk_set_create((vp_dims){2, 3, 2}, NULL, &other, &error));
    assert_refused(vp_contacts_terrain_changed(s->contacts, &other, &error), VP_E_ARGUMENT, "2 x 3 x 2");
    uint32_t over[2] = {7, 7}, count = 99;
    assert_refused(vp_contacts_objects_over(s->contacts, &other, over, 2, &count, &error), VP_E_ARGUMENT, "2 x 3 x 2");
    vp_chunk_set_destroy(&other);
    other = (vp_chunk_set){.chunks = {2, 2, 2}};
    assert_refused(vp_contacts_terrain_changed(s->contacts, &other, &error), VP_E_ARGUMENT, "vp_chunk_set.word is NULL");
    assert_refused(vp_contacts_objects_over(s->contacts, &other, over, 2, &count, &error), VP_E_ARGUMENT, "vp_chunk_set.word is NULL");
    assert_refused(vp_contacts_objects_over(s->contacts, &s->stale, NULL, 2, &count, &error), VP_E_ARGUMENT, "out is NULL, capacity is 2");
    assert_true(over[0] == 7 && count == 99);

    vp_contacts *none = NULL;
    vp_contacts_def def = {.broadphase = NULL};
    assert_refused(vp_contacts_create(&def, &none, &error), VP_E_ARGUMENT, "broadphase");
    static const float margin[] = {-1, -0x1p-149f, INFINITY, NAN};
    static const char *const name[] = {"-1", "-1.4", "inf", "nan"};
    for (int i = 0; i < 4; i++) {
        def = (vp_contacts_def){.broadphase = s->broadphase, .margin = margin[i]};
        assert_refused(vp_contacts_create(&def, &none, &error), VP_E_ARGUMENT, name[i]);
    }
    assert_null(none);
    vp_contacts_destroy(NULL);
    scene_end(s);
}

/* ---- the cost of calls, by a kernel that counts its calls ---- */

static uint32_t kernel_calls;

static uint32_t counting_overlap_chunks(const vp_broadphase_view *bits, const vp_aabb *b, vp_chunk_touch *out, uint32_t capacity)
{
    kernel_calls++;
    return vp_overlap_chunks_scalar(bits, b, out, capacity);
}

static void expect_calls(uint32_t expected_calls)
{
    assert_int_equal(kernel_calls, expected_calls);
    kernel_calls = 0;
}

static void only_what_must_be(void **state)
{
    (void)state;
    vp_kernels kernels;
    assert_ok(vp_kernels_named("scalar", &kernels, &error));
    kernels.overlap_chunks = counting_overlap_chunks;
    scene *s = scene_begin(NULL, (vp_dims){6, 4, 6}, &kernels, 0);
    kernel_calls = 0;
    uint32_t small = add(s, box(9, 9, 9, 22, 10, 10)); /* voxels 8..23 x 8..11 x 8..11, in chunks 1..2 x 1 x 1 */
    uint32_t wide = add(s, box(1, 1, 1, 46, 22, 46));  /* voxels 0..47 x 0..23 x 0..47, all chunks except the top layer */
    uint32_t outside = add(s, box(100, 0, 0, 200, 1, 1));
    expect_calls(3);
    move(s, small, box(9.5f, 9.5f, 9.5f, 22.5f, 10.5f, 10.5f)); /* the same voxels */
    move(s, outside, box(300, -5, 0, 300, 1, 1));
    expect_calls(0);

    assert_ok(vp_world_fill_box(s->world, (vp_ivec3){9, 9, 9}, (vp_ivec3){23, 11, 11}, (vp_voxel){2, 255}, &s->stale, &error));
    assert_true(vp_chunk_set_count(&s->stale) > 1);
    scene_edited(s);
    expect_calls(2); /* both objects, once each */
    vp_contacts_clear_events(s->contacts);
    put(s, 36, 12, 36, 2);
    scene_edited(s);
    expect_calls(1);     /* only the wide one */
    put(s, 4, 28, 4, 2); /* in the top layer, above the wide one */
    scene_edited(s);
    expect_calls(0);
    assert_ok(vp_contacts_sleep(s->contacts, wide, &error));
    assert_ok(vp_contacts_sleep(s->contacts, small, &error));
    put(s, 44, 28, 44, 2);
    scene_edited(s);
    expect_calls(0);
    scene_end(s);
}

/* An infinite box touches every chunk of a large world. Its memory is bounded by its contacts. */
static void endless_box(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){32, 8, 32}, NULL, 0);
    for (int y = 4; y < 64; y += 8)
        for (int z = 4; z < 256; z += 8)
            for (int x = 4; x < 256; x += 8)
                put(s, x, y, z, (x & 8) != 0 ? 1 : 2);
    scene_edited(s);
    uint64_t before = s->memory.live_bytes;
    s->memory.peak_bytes = before;
    uint32_t a = add(s, box(-INFINITY, -INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY));
    uint32_t count;
    const vp_contact_event *event = vp_contacts_events(s->contacts, &count);
    assert_int_equal(count, 8192);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(event[i].contact.chunk, i);
        assert_int_equal(event[i].contact.kind, i % 2 == 1 ? VP_CONTACT_WATER : VP_CONTACT_SOLID);
        assert_int_equal(event[i].contact.id, i + 1);
    }
    assert_true(s->memory.peak_bytes - before < 8192 * 200);
    vp_contact few[3] = {{.id = 0}};
    assert_int_equal(vp_contacts_of(s->contacts, a, few, 2), 8192); /* returns the count, and writes as many as fit */
    assert_true(few[0].id == 1 && few[1].id == 2 && few[2].id == 0);
    vp_contacts_clear_events(s->contacts);
    move(s, a, box(-INFINITY, 5e8f, 0, INFINITY, INFINITY, 1));
    (void)vp_contacts_events(s->contacts, &count);
    assert_int_equal(count, 8192);
    assert_int_equal(vp_contacts_of(s->contacts, a, NULL, 0), 0);
    scene_end(s);
}

/* ---- wide objects ---- */

static uint32_t add_asleep(scene *s, const vp_aabb *where)
{
    uint32_t object = UINT32_MAX;
    assert_ok(vp_contacts_add(s->contacts, where, &object, &error));
    assert_ok(vp_contacts_sleep(s->contacts, object, &error));
    assert_false(vp_contacts_awake(s->contacts, object));
    return object;
}

/* Checks the events of an edit in a chunk, and puts the object to sleep again. NOTHING = no event. WOKE = the edit woke the object.
   Otherwise it woke the object, and then `change` happened to its contact with the chunk. */
enum { NOTHING = -2, WOKE = -1 };

static void expect_woken(scene *s, uint32_t object, int change, uint32_t chunk)
{
    uint32_t count;
    const vp_contact_event *event = vp_contacts_events(s->contacts, &count);
    const uint32_t expected = change == NOTHING ? 0 : change == WOKE ? 1 : 2;
    if (count != expected)
        fail_msg("an edit in chunk %u: %u events, expected %u", chunk, count, expected);
    if (count >= 1) {
        assert_int_equal(event[0].change, VP_CONTACT_WOKE);
        assert_int_equal(event[0].contact.object, object);
        assert_true(event[0].contact.id == 0 && event[0].contact.chunk == 0 && event[0].contact.kind == 0);
    }
    if (count == 2 && (event[1].change != (vp_contact_change)change || event[1].contact.object != object ||
                       event[1].contact.chunk != chunk || event[1].contact.kind != VP_CONTACT_SOLID))
        fail_msg("an edit in chunk %u: event %d of object %u, chunk %u, kind %d", chunk, (int)event[1].change, event[1].contact.object,
                 event[1].contact.chunk, (int)event[1].contact.kind);
    if (vp_contacts_awake(s->contacts, object) != (count != 0))
        fail_msg("an edit in chunk %u: the object is %s", chunk, count != 0 ? "asleep" : "awake");
    vp_contacts_clear_events(s->contacts);
    assert_ok(vp_contacts_sleep(s->contacts, object, &error));
}

/* ---- the widest object that is stored chunk by chunk ---- */

enum { EDGE = 5 }; /* edge of the world in chunks. Each chunk has a solid voxel in its middle. */

static void put_in_middle(scene *s, const int chunk[3], uint8_t material)
{
    put(s, chunk[0] * 8 + 4, chunk[1] * 8 + 4, chunk[2] * 8 + 4, material);
}

/* An object over 64 chunks is just not wide. Objects over 64, 80 and 48 chunks follow many small ones, so that the index has room for a
   few nodes, but not for 64. The address sanitizer finds a node past its end. */
static void after_small_ones(void **state)
{
    (void)state;
    static const struct {
        vp_aabb box;
        uint32_t chunks;
        int first[3], last[3];
    } big[] = {
        {{{2, 2, 2}, {29, 29, 29}}, 64, {0, 0, 0}, {3, 3, 3}},
        {{{2, 2, 2}, {37, 29, 29}}, 80, {0, 0, 0}, {4, 3, 3}},
        {{{10, 10, 10}, {37, 37, 29}}, 48, {1, 1, 1}, {4, 4, 3}},
    };
    static const uint32_t small_ones[] = {0, 1, 62, 63, 64, 127, 255};
    static const vp_aabb small = {{35, 35, 35}, {36, 36, 36}};
    static const int under_small[3] = {4, 4, 4}; /* not under any of the big ones */
    for (size_t b = 0; b < sizeof big / sizeof big[0]; b++)
        for (size_t n = 0; n < sizeof small_ones / sizeof small_ones[0]; n++) {
            scene *s = scene_begin(NULL, (vp_dims){EDGE, EDGE, EDGE}, NULL, 0);
            for (int c = 0; c < EDGE * EDGE * EDGE; c++)
                put_in_middle(s, (const int[3]){c % EDGE, c / EDGE / EDGE, c / EDGE % EDGE}, 2);
            scene_edited(s);
            for (uint32_t i = 0; i < small_ones[n]; i++)
                assert_int_equal(add_asleep(s, &small), i);
            uint32_t object = add_asleep(s, &big[b].box);
            assert_int_equal(vp_contacts_of(s->contacts, object, NULL, 0), big[b].chunks);
            vp_contacts_clear_events(s->contacts);
            const int *const ends[] = {big[b].first, big[b].last};
            for (int e = 0; e < 2; e++) {
                put_in_middle(s, ends[e], 0);
                scene_edited(s);
                expect_woken(s, object, VP_CONTACT_END, (uint32_t)((ends[e][1] * EDGE + ends[e][2]) * EDGE + ends[e][0]));
            }
            put_in_middle(s, under_small, 0);
            scene_edited(s);
            assert_false(vp_contacts_awake(s->contacts, object));
            for (uint32_t i = 0; i < small_ones[n]; i++)
                assert_true(vp_contacts_awake(s->contacts, i));
            scene_end(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),     cmocka_unit_test(refusals),         cmocka_unit_test(only_what_must_be),
        cmocka_unit_test(endless_box), cmocka_unit_test(after_small_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
