/* SPDX-License-Identifier: MIT */
/* Edits under sleeping objects so wide that the index does not enter them chunk by chunk: they wake if a contact of theirs
 * changes, and only then. Expected from where the only solid voxels are, and from recomputation after random edits. */
#include <voxphys/kernels.h>
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"
#include "tests/support/scene.h"

#include <stdlib.h>

/* Worlds of 11 x 3 x 10 chunks: 330, six words of a set of chunks. */
enum { CX = 11, CY = 3, CZ = 10, CHUNKS = CX * CY * CZ };

static void put(scene *s, int x, int y, int z, uint8_t material)
{
    vp_voxel voxel = {material, (uint8_t)(material != 0 ? 255 : 0)};
    assert_ok(vp_world_set_voxel(s->world, (vp_ivec3){x, y, z}, voxel, &s->stale, &error));
}

static uint32_t add_asleep(scene *s, const vp_aabb *box)
{
    uint32_t object = UINT32_MAX;
    assert_ok(vp_contacts_add(s->contacts, box, &object, &error));
    assert_ok(vp_contacts_sleep(s->contacts, object, &error));
    assert_false(vp_contacts_awake(s->contacts, object));
    return object;
}

/* The only event since the last call is of this object and chunk, and woke it; with `change` -1 there is none. */
static void expect_woken(scene *s, uint32_t object, int change, uint32_t chunk)
{
    uint32_t count;
    const vp_contact_event *event = vp_contacts_events(s->contacts, &count);
    if (count != (change < 0 ? 0u : 1u))
        fail_msg("an edit in chunk %u: %u events, expected %d", chunk, count, change < 0 ? 0 : 1);
    if (change >= 0 && (event->change != (vp_contact_change)change || event->contact.object != object || event->contact.chunk != chunk ||
                        event->contact.kind != VP_CONTACT_SOLID || !event->woke))
        fail_msg("an edit in chunk %u: event %d of object %u, chunk %u, kind %d, woke %d", chunk, (int)event->change, event->contact.object,
                 event->contact.chunk, (int)event->contact.kind, event->woke);
    if (vp_contacts_awake(s->contacts, object) != (change >= 0))
        fail_msg("an edit in chunk %u: the object is %s", chunk, change >= 0 ? "asleep" : "awake");
    vp_contacts_clear_events(s->contacts);
}

static uint32_t kernel_calls;

static uint32_t counting_overlap_chunks(const vp_broadphase_view *bits, const vp_aabb *b, vp_chunk_touch *out, uint32_t capacity)
{
    kernel_calls++;
    return vp_overlap_chunks_scalar(bits, b, out, capacity);
}

/* One solid voxel in the middle of every chunk: each is what one chunk alone has. It is taken away and put back, chunk by
   chunk, under an object over chunks 1..9 x 0..1 x 3..6, 72 of the 330, which is looked at for those and no others. */
static void each_chunk_in_turn(void **state)
{
    (void)state;
    vp_kernels kernels;
    assert_ok(vp_kernels_named("scalar", &kernels, &error));
    kernels.overlap_chunks = counting_overlap_chunks;
    scene *s = scene_begin(NULL, (vp_dims){CX, CY, CZ}, &kernels);
    for (int c = 0; c < CHUNKS; c++)
        put(s, c % CX * 8 + 4, c / CX / CZ * 8 + 4, c / CX % CZ * 8 + 4, 2);
    scene_edited(s);
    vp_aabb box = {{9, 1, 25}, {78, 12, 54}}; /* voxels 8..79 x 0..13 x 24..55 */
    uint32_t object = add_asleep(s, &box);
    assert_int_equal(vp_contacts_of(s->contacts, object, NULL, 0), 72);
    vp_contacts_clear_events(s->contacts);
    for (int c = 0; c < CHUNKS; c++) {
        int cx = c % CX, cy = c / CX / CZ, cz = c / CX % CZ;
        bool under = cx >= 1 && cx <= 9 && cy <= 1 && cz >= 3 && cz <= 6;
        for (int there = 0; there < 2; there++) { /* taken away, put back */
            put(s, cx * 8 + 4, cy * 8 + 4, cz * 8 + 4, (uint8_t)(there * 7));
            kernel_calls = 0;
            scene_edited(s);
            assert_int_equal(kernel_calls, under ? 1 : 0);
            expect_woken(s, object, !under ? -1 : there == 0 ? VP_CONTACT_END : VP_CONTACT_BEGIN, (uint32_t)c);
            assert_ok(vp_contacts_sleep(s->contacts, object, &error));
        }
        if (under) { /* more of what is there changes no contact: the object sleeps on */
            for (uint8_t there = 0; there < 2; there++) {
                put(s, cx * 8 + 3, cy * 8 + 4, cz * 8 + 4, (uint8_t)(2 - 2 * there));
                scene_edited(s);
                expect_woken(s, object, -1, (uint32_t)c);
            }
        }
    }
    scene_end(s);
}

/* ---- the widest object that is entered chunk by chunk ---- */

enum { EDGE = 5 }; /* chunks of a cube of a world, each with one solid voxel in its middle */

static void put_in_middle(scene *s, const int chunk[3], uint8_t material)
{
    put(s, chunk[0] * 8 + 4, chunk[1] * 8 + 4, chunk[2] * 8 + 4, material);
}

/* Objects over 64 chunks, which are just not wide, and over more and fewer, come after so many over one chunk that the
   index has room for a few nodes and not for 64: a node behind its end is for the address sanitizer to find. */
static void after_small_ones(void **state)
{
    (void)state;
    static const struct {
        vp_aabb box;
        uint32_t chunks;
        int first[3], last[3];
    } big[] = {
        {{{1, 1, 1}, {30, 30, 30}}, 64, {0, 0, 0}, {3, 3, 3}},
        {{{1, 1, 1}, {38, 30, 30}}, 80, {0, 0, 0}, {4, 3, 3}},
        {{{9, 9, 9}, {38, 38, 30}}, 48, {1, 1, 1}, {4, 4, 3}},
    };
    static const uint32_t small_ones[] = {0, 1, 62, 63, 64, 127, 255};
    static const vp_aabb small = {{35, 35, 35}, {36, 36, 36}};
    static const int under_small[3] = {4, 4, 4}; /* and under none of the big ones */
    for (size_t b = 0; b < sizeof big / sizeof big[0]; b++)
        for (size_t n = 0; n < sizeof small_ones / sizeof small_ones[0]; n++) {
            scene *s = scene_begin(NULL, (vp_dims){EDGE, EDGE, EDGE}, NULL);
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
                assert_ok(vp_contacts_sleep(s->contacts, object, &error));
            }
            put_in_middle(s, under_small, 0);
            scene_edited(s);
            assert_false(vp_contacts_awake(s->contacts, object));
            for (uint32_t i = 0; i < small_ones[n]; i++)
                assert_true(vp_contacts_awake(s->contacts, i));
            scene_end(s);
        }
}

/* ---- random edits ---- */

#ifdef TEST_THIN
enum { EDITS = 30, OF_EACH = 1 };
#else
enum { EDITS = 120, OF_EACH = 5 };
#endif
enum { WIDE = 3, OBJECTS = 4 };

/* What an object touches: by chunk, bit 1 solid, bit 2 water. */
typedef struct touches {
    uint8_t of[CHUNKS];
} touches;

static void random_edits(void **state)
{
    (void)state;
    const uint64_t seed = 6006;
    vp_random r = {seed};
    vp_dims chunks = {CX, CY, CZ};
    scene *s = scene_begin(test_random_world(&r, chunks, NULL), chunks, NULL);
    static const vp_aabb box[OBJECTS] = {
        {{9, 5, 9}, {78, 6, 70}},                /* 72 chunks */
        {{-1e9f, 9, -1e9f}, {1e9f, 9.5f, 1e9f}}, /* the middle layer: 110 */
        {{0, 0, 30}, {100, 20, 41}},             /* 11 x 3 x 3 = 99 */
        {{40, 4, 40}, {42, 6, 42}},              /* not wide, for comparison */
    };
    touches before[OBJECTS], now;
    oracle o = oracle_make(s->world, true);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(add_asleep(s, &box[i]), i);
        oracle_overlap(&o, &box[i], before[i].of);
    }
    oracle_free(&o);
    vp_contacts_clear_events(s->contacts);
    uint32_t woken[OBJECTS] = {0}, slept_on[OBJECTS] = {0};
    for (uint32_t step = 0; step < EDITS; step++) {
        vp_ivec3 low = {(int32_t)vp_random_below(&r, CX * 8), (int32_t)vp_random_below(&r, CY * 8), (int32_t)vp_random_below(&r, CZ * 8)};
        vp_ivec3 high = {low.x + 1 + (int32_t)vp_random_below(&r, 12), low.y + 1 + (int32_t)vp_random_below(&r, 8),
                         low.z + 1 + (int32_t)vp_random_below(&r, 12)};
        assert_ok(vp_world_fill_box(s->world, low, high, test_random_voxel(&r), &s->stale, &error));
        scene_edited(s);
        o = oracle_make(s->world, true);
        for (uint32_t i = 0; i < OBJECTS; i++) {
            oracle_overlap(&o, &box[i], now.of);
            bool changed = memcmp(&now, &before[i], sizeof now) != 0;
            if (vp_contacts_awake(s->contacts, i) != changed)
                fail_msg("seed %llu, edit %u: object %u is %s, and what it touches has %schanged", (unsigned long long)seed, step, i,
                         changed ? "asleep" : "awake", changed ? "" : "not ");
            vp_contact contact[2 * CHUNKS];
            uint32_t count = vp_contacts_of(s->contacts, i, contact, 2 * CHUNKS), bits = 0;
            for (uint32_t c = 0; c < CHUNKS; c++)
                bits += (now.of[c] & 1u) + (now.of[c] >> 1 & 1u);
            if (count != bits)
                fail_msg("seed %llu, edit %u: object %u has %u contacts, expected %u", (unsigned long long)seed, step, i, count, bits);
            for (uint32_t c = 0; c < count; c++)
                assert_true((now.of[contact[c].chunk] & (contact[c].kind == VP_CONTACT_SOLID ? 1 : 2)) != 0);
            *(changed ? &woken[i] : &slept_on[i]) += 1;
            before[i] = now;
            assert_ok(vp_contacts_sleep(s->contacts, i, &error));
        }
        oracle_free(&o);
        uint32_t events;
        const vp_contact_event *event = vp_contacts_events(s->contacts, &events);
        for (uint32_t e = 0; e < events; e++)
            assert_true(event[e].woke);
        vp_contacts_clear_events(s->contacts);
    }
    for (uint32_t i = 0; i < WIDE; i++) /* both happened, to each of the wide ones */
        if (woken[i] < OF_EACH || slept_on[i] < OF_EACH)
            fail_msg("seed %llu: object %u was woken %u times and slept on %u times", (unsigned long long)seed, i, woken[i], slept_on[i]);
    scene_end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_chunk_in_turn),
        cmocka_unit_test(after_small_ones),
        cmocka_unit_test(random_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
