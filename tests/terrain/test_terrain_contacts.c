/* SPDX-License-Identifier: MIT */
/* Boxes and contacts against a terrain that is edited: by the voxels alone, and from several threads as contacts.h says. */
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

static const vp_dims chunks = {4, 2, 3};

/* ---- boxes ---- */

enum { BOXES = 300 };

/* Boxes, one by one and as arrays. */
typedef struct box_list {
    vp_aabb box[BOXES];
    float side[6][BOXES];
    vp_boxes arrays;
} box_list;

static void put_box(box_list *l, uint32_t i, vp_aabb box)
{
    const float side[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    l->box[i] = box;
    for (int k = 0; k < 6; k++)
        l->side[k][i] = side[k];
    l->arrays = (vp_boxes){l->side[0], l->side[1], l->side[2], l->side[3], l->side[4], l->side[5], BOXES};
}

static void change_terrain(vp_random *r, vp_terrain *t, vp_chunk_set *stale, vp_status *status)
{
    enum { LIST = 20 };
    vp_ivec3 at[LIST];
    vp_voxel voxel[LIST];
    vp_error error;
    for (int i = 0; i < LIST; i++) {
        at[i].x = (int32_t)vp_random_below(r, chunks.x * 8);
        at[i].y = (int32_t)vp_random_below(r, chunks.y * 8);
        at[i].z = (int32_t)vp_random_below(r, chunks.z * 8);
        voxel[i] = test_random_voxel(r);
    }
    const vp_ivec3 high = {at[0].x + 7, at[0].y + 5, at[0].z + 6};
    const vp_vec3 centre = {(float)at[0].x, (float)at[0].y, (float)at[0].z};
    switch (vp_random_below(r, 4)) {
    case 0:
        *status = vp_terrain_set_voxel(t, at[0], voxel[0], stale, &error);
        break;
    case 1:
        *status = vp_terrain_fill_box(t, at[0], high, voxel[0], stale, &error);
        break;
    case 2:
        *status = vp_terrain_fill_sphere(t, centre, 4.5f, voxel[0], stale, &error);
        break;
    default:
        *status = vp_terrain_set_voxels(t, at, voxel, LIST, stale, &error);
        break;
    }
}

static void boxes_by_brute_force(void **state)
{
    (void)state;
    static box_list l;
    vp_random r = {91};
    vp_world *world = test_random_world(&r, chunks, NULL);
    /* what rays see is less than what boxes see */
    const vp_terrain_def def = {.world = world, .surfaces = VP_TERRAIN_SOLID, .first = {1, 0, 1}, .chunks = {1, 1, 1}};
    vp_terrain *t = NULL;
    assert_ok(vp_terrain_create(&def, &t, &error));
    for (int round = 0; round < 20; round++) {
        vp_status status;
        change_terrain(&r, t, NULL, &status);
        assert_int_equal(status, VP_OK);
        oracle o = oracle_make(world, true);
        const bool hostile = round % 2 == 1;
        uint32_t first_bad = BOXES;
        for (uint32_t i = 0; i < BOXES; i++)
            put_box(&l, i, hostile ? test_hostile_box(&r, o.size) : test_random_box(&r, o.size));
        uint8_t touch[BOXES];
        vp_error why = {VP_OK, ""};
        const vp_status many = vp_terrain_overlap_many(t, &l.arrays, touch, &why);
        for (uint32_t i = 0; i < BOXES; i++) {
            const uint32_t want = oracle_overlap(&o, &l.box[i], NULL);
            uint32_t got = 99;
            assert_int_equal(touch[i], want);
            if (want == VP_TOUCH_INVALID) {
                first_bad = i < first_bad ? i : first_bad;
                assert_refused(vp_terrain_overlap(t, &l.box[i], &got, &error), VP_E_ARGUMENT, "box: ");
                continue;
            }
            assert_ok(vp_terrain_overlap(t, &l.box[i], &got, &error));
            assert_int_equal(got, want);
        }
        assert_int_equal(hostile, first_bad < BOXES);
        assert_int_equal(many, hostile ? VP_E_ARGUMENT : VP_OK);
        if (hostile) {
            unsigned named = BOXES;
            assert_int_equal(sscanf(why.message, "box %u: ", &named), 1);
            assert_int_equal(named, first_bad);
        }
        oracle_free(&o);
    }
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

/* ---- boxes while others edit ---- */

enum { STATES = 3, EDITORS = 2, ASKERS = 2 };

typedef struct versions {
    vp_terrain *terrain;
    box_list boxes;
    uint8_t of[STATES][BOXES]; /* what each world answers */
    atomic_uint started, wrong, seen[STATES], editing;
} versions;

static const vp_ivec3 low = {2, 2, 2}, high = {30, 14, 22};

static vp_voxel content(uint32_t n)
{
    static const vp_voxel all[STATES] = {{VP_AIR, 0}, {5, 255}, {VP_WATER, 255}};
    return all[n];
}

static void *change_all(void *user)
{
    versions *v = user;
    vp_random r = {7 + atomic_fetch_add(&v->started, 1)};
    for (int i = 0; i < 400; i++) {
        vp_error error;
        if (vp_terrain_fill_box(v->terrain, low, high, content(vp_random_below(&r, STATES)), NULL, &error) != VP_OK)
            atomic_fetch_add(&v->wrong, 1);
    }
    atomic_fetch_sub(&v->editing, 1);
    return NULL;
}

static void *ask_all(void *user)
{
    versions *v = user;
    uint32_t at = atomic_fetch_add(&v->started, 1);
    while (atomic_load(&v->editing) != 0) {
        uint8_t touch[BOXES];
        uint32_t one = 99, k = 0;
        vp_error error;
        at = (at + 1) % BOXES;
        bool right = vp_terrain_overlap_many(v->terrain, &v->boxes.arrays, touch, &error) == VP_OK &&
                     vp_terrain_overlap(v->terrain, &v->boxes.box[at], &one, &error) == VP_OK;
        while (k < STATES && memcmp(touch, v->of[k], BOXES) != 0)
            k++;
        right = right && k < STATES && (one == v->of[0][at] || one == v->of[1][at] || one == v->of[2][at]);
        atomic_fetch_add(right ? &v->seen[k] : &v->wrong, 1);
    }
    return NULL;
}

static void boxes_see_one_version(void **state)
{
    (void)state;
    static versions v;
    vp_random r = {92};
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){32, 1, 24}, (vp_voxel){2, 255}, NULL, &error));
    for (uint32_t i = 0; i < BOXES; i++) {
        const vp_vec3 at = {vp_random_between(&r, 4, 28), vp_random_between(&r, 4, 12), vp_random_between(&r, 4, 20)};
        put_box(&v.boxes, i, (vp_aabb){at, {at.x + 0.5f, at.y + 0.5f, at.z + 0.5f}});
    }
    for (uint32_t k = 0; k < STATES; k++) {
        assert_ok(vp_world_fill_box(world, low, high, content(k), NULL, &error));
        oracle o = oracle_make(world, true);
        for (uint32_t i = 0; i < BOXES; i++)
            v.of[k][i] = (uint8_t)oracle_overlap(&o, &v.boxes.box[i], NULL);
        oracle_free(&o);
    }
    const vp_terrain_def def = {.world = world};
    assert_ok(vp_terrain_create(&def, &v.terrain, &error));
    atomic_store(&v.editing, EDITORS);
    pthread_t thread[EDITORS + ASKERS];
    for (int i = 0; i < EDITORS + ASKERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, i < EDITORS ? change_all : ask_all, &v), 0);
    for (int i = 0; i < EDITORS + ASKERS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&v.wrong), 0);
    vp_terrain_destroy(v.terrain);
    vp_world_destroy(world);
}

/* ---- contacts while others edit ---- */

enum { OBJECTS = 30, ROUNDS = 150, CHANGES = 300 };

typedef struct shared {
    vp_terrain *terrain;
    vp_chunk_set stale; /* of all edits since the contacts were last told */
    atomic_uint started, wrong;
    atomic_bool stop;
} shared;

static void *edit_often(void *user)
{
    shared *s = user;
    vp_random r = {40 + atomic_fetch_add(&s->started, 1)};
    while (!atomic_load(&s->stop)) {
        vp_status status;
        change_terrain(&r, s->terrain, &s->stale, &status);
        if (status != VP_OK)
            atomic_fetch_add(&s->wrong, 1);
    }
    return NULL;
}

static vp_aabb small_box(vp_random *r)
{
    const vp_vec3 at = {vp_random_between(r, -3, 34), vp_random_between(r, -3, 18), vp_random_between(r, -3, 26)};
    const float edge = vp_random_between(r, 0, 6);
    return (vp_aabb){at, {at.x + edge, at.y + edge, at.z + edge}};
}

/* Exactly the contacts that the voxels say. */
static void expect_contacts(const vp_contacts *contacts, const oracle *o, uint32_t object, const vp_aabb *box)
{
    enum { MAX = 24 };
    uint8_t touch[MAX];
    vp_contact got[2 * MAX];
    assert_true(oracle_chunk_count(o) <= MAX);
    oracle_overlap(o, box, touch);
    const uint32_t count = vp_contacts_of(contacts, object, got, 2 * MAX);
    uint32_t k = 0;
    for (uint32_t c = 0; c < oracle_chunk_count(o); c++)
        for (int kind = VP_CONTACT_SOLID; kind <= VP_CONTACT_WATER; kind++) {
            if ((touch[c] & (kind == VP_CONTACT_SOLID ? VP_TOUCH_SOLID : VP_TOUCH_WATER)) == 0)
                continue;
            assert_true(k < count);
            assert_int_equal(got[k].chunk, c);
            assert_int_equal(got[k++].kind, kind);
        }
    assert_int_equal(k, count);
}

static void contacts_follow_edits(void **state)
{
    (void)state;
    static shared s;
    vp_random r = {93};
    vp_world *world = test_random_world(&r, chunks, NULL);
    const vp_terrain_def def = {.world = world};
    assert_ok(vp_terrain_create(&def, &s.terrain, &error));
    assert_ok(vp_chunk_set_create(chunks, NULL, &s.stale, &error));
    pthread_t thread[EDITORS];
    for (int i = 0; i < EDITORS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, edit_often, &s), 0);

    vp_contacts *contacts = NULL;
    vp_aabb box[OBJECTS];
    uint32_t changed = 0;
    vp_terrain_reader reader;
    vp_terrain_begin_reading(s.terrain, &reader);
    const vp_world *read = vp_terrain_reader_world(&reader);
    const vp_contacts_def contacts_def = {.broadphase = vp_terrain_broadphase(s.terrain)};
    assert_ok(vp_contacts_create(&contacts_def, &contacts, &error));
    for (uint32_t i = 0; i < OBJECTS; i++) {
        uint32_t object;
        box[i] = small_box(&r);
        assert_ok(vp_contacts_add(contacts, &box[i], &object, &error));
        assert_int_equal(object, i);
    }
    vp_terrain_end_reading(&reader);
    for (uint32_t round = 0; round < ROUNDS || changed < CHANGES; round++) { /* else nothing would be shown */
        vp_terrain_begin_reading(s.terrain, &reader);
        read = vp_terrain_reader_world(&reader);
        uint32_t events;
        vp_contacts_clear_events(contacts);
        assert_ok(vp_contacts_terrain_changed(contacts, &s.stale, &error));
        vp_chunk_set_clear(&s.stale);
        vp_contacts_events(contacts, &events);
        changed += events;
        for (uint32_t i = vp_random_below(&r, 8); i < OBJECTS; i += 8) {
            box[i] = small_box(&r);
            assert_ok(vp_contacts_move(contacts, i, &box[i], &error));
        }
        oracle o = oracle_make(read, true);
        vp_terrain_end_reading(&reader);
        for (uint32_t i = 0; i < OBJECTS; i++)
            expect_contacts(contacts, &o, i, &box[i]);
        oracle_free(&o);
    }
    atomic_store(&s.stop, true);
    for (int i = 0; i < EDITORS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    vp_contacts_destroy(contacts);
    vp_chunk_set_destroy(&s.stale);
    vp_terrain_destroy(s.terrain);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_by_brute_force), cmocka_unit_test(boxes_see_one_version),
                                       cmocka_unit_test(contacts_follow_edits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
