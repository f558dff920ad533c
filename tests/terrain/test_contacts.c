/* SPDX-License-Identifier: MIT */
/* Contact management: scenes with expectations typed by hand, refusals, and what calls cost. */
#include <voxphys/kernels.h>
#include "tests/support/check.h"
#include "tests/support/samples.h"
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

/* An expected event. */
typedef struct expected {
    vp_contact_change change;
    uint64_t id;
    uint32_t object, chunk;
    vp_contact_kind kind;
    bool woke;
} expected;

/* The events since the last call must be these, in this order. */
static void expect_events_at(scene *s, const expected *list, uint32_t count, int line)
{
    uint32_t got_count;
    const vp_contact_event *got = vp_contacts_events(s->contacts, &got_count);
    if (got_count != count)
        fail_msg("line %d: %u events, expected %u", line, got_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const vp_contact_event *g = &got[i];
        const expected *e = &list[i];
        if (g->change != e->change || g->contact.id != e->id || g->contact.object != e->object || g->contact.chunk != e->chunk ||
            g->contact.kind != e->kind || g->woke != e->woke)
            fail_msg("line %d, event %u: %s id %llu object %u chunk %u %s woke %d", line, i,
                     g->change == VP_CONTACT_BEGIN ? "begin" : "end", (unsigned long long)g->contact.id, g->contact.object,
                     g->contact.chunk, g->contact.kind == VP_CONTACT_SOLID ? "solid" : "water", g->woke);
    }
    vp_contacts_clear_events(s->contacts);
}

#define BEGIN(id, object, chunk, kind)                                                                                                     \
    {                                                                                                                                      \
        VP_CONTACT_BEGIN, id, object, chunk, VP_CONTACT_##kind, false                                                                      \
    }
#define END(id, object, chunk, kind)                                                                                                       \
    {                                                                                                                                      \
        VP_CONTACT_END, id, object, chunk, VP_CONTACT_##kind, false                                                                        \
    }
#define WOKE_BEGIN(id, object, chunk, kind)                                                                                                \
    {                                                                                                                                      \
        VP_CONTACT_BEGIN, id, object, chunk, VP_CONTACT_##kind, true                                                                       \
    }
#define WOKE_END(id, object, chunk, kind)                                                                                                  \
    {                                                                                                                                      \
        VP_CONTACT_END, id, object, chunk, VP_CONTACT_##kind, true                                                                         \
    }
#define expect_events(s, ...)                                                                                                              \
    expect_events_at(s, (const expected[]){__VA_ARGS__}, sizeof((const expected[]){__VA_ARGS__}) / sizeof(expected), __LINE__)
#define expect_no_events(s) expect_events_at(s, NULL, 0, __LINE__)

/* ---- scenes ---- */

/* World of 4 x 2 x 4 chunks; chunk (cx, cy, cz) is number (4 cy + cz) 4 + cx. The voxel (12, 4, 12) lies in chunk
   (1, 0, 1), number 5; the bits around it are at 11..13 x 3..5 x 11..13. */
static void one_voxel(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){4, 2, 4}, NULL);
    put(s, 12, 4, 12, 2);
    scene_edited(s);

    uint32_t a = add(s, box(8.5f, 4.25f, 12.25f, 9.5f, 4.75f, 12.75f)); /* x: voxels 7..10 */
    assert_int_equal(a, 0);
    expect_no_events(s);
    move(s, a, box(9, 4.25f, 12.25f, 9.99f, 4.75f, 12.75f)); /* 8..10 */
    expect_no_events(s);
    move(s, a, box(9, 4.25f, 12.25f, 10, 4.75f, 12.75f)); /* 8..11: the box is closed */
    expect_events(s, BEGIN(1, 0, 5, SOLID));
    move(s, a, box(12, 4.25f, 12.25f, 13, 4.75f, 12.75f));     /* in it */
    move(s, a, box(14.99f, 4.25f, 12.25f, 16, 4.75f, 12.75f)); /* 13..17: over the chunk's border, still on the bits */
    expect_no_events(s);
    vp_contact contact[2];
    assert_int_equal(vp_contacts_of(s->contacts, a, contact, 2), 1);
    assert_int_equal(contact[0].id, 1);
    assert_int_equal(contact[0].object, 0);
    assert_int_equal(contact[0].chunk, 5);
    assert_int_equal(contact[0].kind, VP_CONTACT_SOLID);
    move(s, a, box(15, 4.25f, 12.25f, 16, 4.75f, 12.75f)); /* 14..17 */
    expect_events(s, END(1, 0, 5, SOLID));
    assert_int_equal(vp_contacts_of(s->contacts, a, contact, 2), 0);
    move(s, a, box(12, 4, 12, 12, 4, 12)); /* a point; it is another contact now */
    expect_events(s, BEGIN(2, 0, 5, SOLID));
    assert_ok(vp_contacts_remove(s->contacts, a, &error));
    expect_events(s, END(2, 0, 5, SOLID));
    assert_int_equal(vp_contacts_object_count(s->contacts), 0);
    scene_end(s);
}

/* Solid at (7, 7, 7), the last voxel of chunk 0: bits at 6..8 on every axis, in eight chunks. Water at (9, 7, 7): bits
   at 8..10 x 6..8 x 6..8, in the four chunks with cx = 1. */
static void chunk_borders_and_water(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){4, 2, 4}, NULL);
    put(s, 7, 7, 7, 9);
    put(s, 9, 7, 7, 1);
    scene_edited(s);
    uint32_t a = add(s, box(7.5f, 7.5f, 7.5f, 7.5f, 7.5f, 7.5f)); /* 6..8 on every axis */
    expect_events(s, BEGIN(1, 0, 0, SOLID), BEGIN(2, 0, 1, SOLID), BEGIN(3, 0, 1, WATER), BEGIN(4, 0, 4, SOLID), BEGIN(5, 0, 5, SOLID),
                  BEGIN(6, 0, 5, WATER), BEGIN(7, 0, 16, SOLID), BEGIN(8, 0, 17, SOLID), BEGIN(9, 0, 17, WATER), BEGIN(10, 0, 20, SOLID),
                  BEGIN(11, 0, 21, SOLID), BEGIN(12, 0, 21, WATER));
    vp_contact contact[3];
    assert_int_equal(vp_contacts_of(s->contacts, a, contact, 3), 12); /* says how many, writes what there is room for */
    assert_int_equal(contact[2].id, 3);
    assert_int_equal(contact[2].kind, VP_CONTACT_WATER);
    move(s, a, box(10.5f, 3.5f, 3.5f, 10.5f, 5, 5)); /* 9..11 x 2..6 x 2..6: water of chunk 1 alone */
    expect_events(s, END(1, 0, 0, SOLID), END(2, 0, 1, SOLID), END(4, 0, 4, SOLID), END(5, 0, 5, SOLID), END(6, 0, 5, WATER),
                  END(7, 0, 16, SOLID), END(8, 0, 17, SOLID), END(9, 0, 17, WATER), END(10, 0, 20, SOLID), END(11, 0, 21, SOLID),
                  END(12, 0, 21, WATER));
    move(s, a, box(9.5f, 3.5f, 3.5f, 9.5f, 5, 5)); /* 8..10: the solid's bits at 8 too; the water's id stays */
    expect_events(s, BEGIN(13, 0, 1, SOLID));
    move(s, a, box(6.5f, 3.5f, 3.5f, 6.5f, 5, 5)); /* 5..7: solid of chunk 0 */
    expect_events(s, BEGIN(14, 0, 0, SOLID), END(13, 0, 1, SOLID), END(3, 0, 1, WATER));
    scene_end(s);
}

/* Two objects rest on a floor, one asleep; the floor is dug away under them, away from them, and replaced. */
static void edits_under_resting_objects(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){4, 2, 4}, NULL);
    vp_voxel rock = {2, 255}, air = {0, 0}, water = {1, 255};
    assert_ok(vp_world_fill_box(s->world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, 4, 32}, rock, &s->stale, &error));
    scene_edited(s);
    uint32_t a = add(s, box(2, 4, 2, 4, 6, 4)), b = add(s, box(26, 4, 26, 28, 6, 28));
    expect_events(s, BEGIN(1, 0, 0, SOLID), BEGIN(2, 1, 15, SOLID));
    assert_ok(vp_contacts_sleep(s->contacts, a, &error));
    assert_false(vp_contacts_awake(s->contacts, a));
    assert_true(vp_contacts_awake(s->contacts, b));

    put(s, 3, 0, 3, 0); /* under both objects' chunk, but nothing that they touch changes */
    scene_edited(s);
    expect_no_events(s);
    assert_false(vp_contacts_awake(s->contacts, a));

    assert_ok(vp_world_fill_box(s->world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, 4, 32}, air, &s->stale, &error));
    scene_edited(s);
    expect_events(s, WOKE_END(1, 0, 0, SOLID), END(2, 1, 15, SOLID));
    assert_true(vp_contacts_awake(s->contacts, a));

    assert_ok(vp_contacts_sleep(s->contacts, b, &error));
    assert_ok(vp_world_fill_box(s->world, (vp_ivec3){24, 0, 24}, (vp_ivec3){32, 3, 32}, water, &s->stale, &error));
    put(s, 26, 3, 26, 5);
    scene_edited(s);
    expect_events(s, WOKE_BEGIN(3, 1, 15, SOLID), WOKE_BEGIN(4, 1, 15, WATER));

    assert_ok(vp_contacts_sleep(s->contacts, b, &error));
    vp_aabb there = box(26, 4, 26, 28, 6, 28);
    move(s, b, there); /* to where it is: wakes it */
    expect_no_events(s);
    assert_true(vp_contacts_awake(s->contacts, b));

    assert_ok(vp_contacts_sleep(s->contacts, b, &error));
    assert_ok(vp_contacts_remove(s->contacts, b, &error));
    expect_events(s, END(3, 1, 15, SOLID), END(4, 1, 15, WATER));
    assert_false(vp_contacts_awake(s->contacts, b));
    scene_end(s);
}

/* The lowest free number, also beyond one word of the table of numbers, and no id twice. */
static void numbers(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){1, 1, 1}, NULL);
    put(s, 4, 4, 4, 2);
    scene_edited(s);
    vp_aabb on = box(4, 4, 4, 5, 5, 5);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(add(s, on), i);
    assert_int_equal(vp_contacts_object_count(s->contacts), 200);
    static const uint32_t gone[4] = {150, 3, 64, 63};
    static const uint32_t in_order[4] = {3, 63, 64, 150};
    for (int i = 0; i < 4; i++)
        assert_ok(vp_contacts_remove(s->contacts, gone[i], &error));
    vp_contacts_clear_events(s->contacts);
    for (int i = 0; i < 4; i++)
        assert_int_equal(add(s, on), in_order[i]);
    assert_int_equal(add(s, on), 200);
    expect_events(s, BEGIN(201, 3, 0, SOLID), BEGIN(202, 63, 0, SOLID), BEGIN(203, 64, 0, SOLID), BEGIN(204, 150, 0, SOLID),
                  BEGIN(205, 200, 0, SOLID));
    scene_end(s);
}

static void refusals(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){2, 2, 2}, NULL);
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
    expect_events(s, BEGIN(1, 0, 0, SOLID));
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
    vp_chunk_set_destroy(&other);

    vp_contacts *none = NULL;
    vp_contacts_def def = {NULL, NULL};
    assert_refused(vp_contacts_create(&def, &none, &error), VP_E_ARGUMENT, "broadphase");
    assert_null(none);
    vp_contacts_destroy(NULL);
    scene_end(s);
}

/* ---- what calls cost: a kernel that counts how often it is called ---- */

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
    scene *s = scene_begin(NULL, (vp_dims){6, 4, 6}, &kernels);
    kernel_calls = 0;
    uint32_t small = add(s, box(9, 9, 9, 22, 10, 10)); /* voxels 8..23 x 8..11 x 8..11: chunks 1..2 x 1 x 1 */
    uint32_t wide = add(s, box(1, 1, 1, 46, 22, 46));  /* voxels 0..47 x 0..23 x 0..47: all but the uppermost chunks */
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
    expect_calls(1);     /* the wide one alone */
    put(s, 4, 28, 4, 2); /* in the uppermost chunks, above the wide one */
    scene_edited(s);
    expect_calls(0);
    assert_ok(vp_contacts_sleep(s->contacts, wide, &error));
    assert_ok(vp_contacts_sleep(s->contacts, small, &error));
    put(s, 44, 28, 44, 2);
    scene_edited(s);
    expect_calls(0);
    scene_end(s);
}

/* An endless box touches every chunk of a large world; its memory is bounded by its contacts. */
static void endless_box(void **state)
{
    (void)state;
    scene *s = scene_begin(NULL, (vp_dims){32, 8, 32}, NULL);
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
    vp_contacts_clear_events(s->contacts);
    put(s, 4, 4, 4, 1);
    scene_edited(s);
    expect_events(s, END(1, 0, 0, SOLID), BEGIN(8193, 0, 0, WATER));
    move(s, a, box(-INFINITY, 5e8f, 0, INFINITY, INFINITY, 1));
    (void)vp_contacts_events(s->contacts, &count);
    assert_int_equal(count, 8192);
    assert_int_equal(vp_contacts_of(s->contacts, a, NULL, 0), 0);
    scene_end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_voxel),
        cmocka_unit_test(chunk_borders_and_water),
        cmocka_unit_test(edits_under_resting_objects),
        cmocka_unit_test(numbers),
        cmocka_unit_test(refusals),
        cmocka_unit_test(only_what_must_be),
        cmocka_unit_test(endless_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
