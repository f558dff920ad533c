/* SPDX-License-Identifier: MIT */
/* Each request for memory is refused in turn. The call must then say VP_E_MEMORY, leave its objects as they were, lose
 * nothing, and do its work when it is called again with memory. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

/* ---- making things ---- */

/* Makes one object and destroys it again. @return what making it said */
typedef vp_status make_fn(const void *from, const vp_allocator *allocator, vp_error *error);

static vp_status make_world(const void *from, const vp_allocator *allocator, vp_error *error)
{
    (void)from;
    vp_world *world = NULL;
    vp_world_def def = {{24, 16, 32}, allocator};
    vp_status status = vp_world_create(&def, &world, error);
    assert_true((status == VP_OK) == (world != NULL));
    vp_world_destroy(world);
    return status;
}

static vp_status make_set(const void *from, const vp_allocator *allocator, vp_error *error)
{
    (void)from;
    vp_chunk_set set = {{0, 0, 0}, NULL, {0}};
    vp_status status = vp_chunk_set_create((vp_dims){9, 9, 9}, allocator, &set, error);
    assert_true((status == VP_OK) == (set.word != NULL));
    vp_chunk_set_destroy(&set);
    return status;
}

static vp_status make_broadphase(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_broadphase *b = NULL;
    vp_executor executor = vp_executor_serial();
    executor.thread_count = 3; /* several pieces */
    vp_broadphase_def def = {from, NULL, &executor, allocator};
    vp_status status = vp_broadphase_create(&def, &b, error);
    assert_true((status == VP_OK) == (b != NULL));
    vp_broadphase_destroy(b);
    return status;
}

static vp_status make_contacts(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_contacts *c = NULL;
    vp_contacts_def def = {from, allocator};
    vp_status status = vp_contacts_create(&def, &c, error);
    assert_true((status == VP_OK) == (c != NULL));
    vp_contacts_destroy(c);
    return status;
}

static vp_status encode_and_decode(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_blob file = {NULL, 0, 0, {0}}, note = {NULL, 0, 0, {0}};
    vp_world *world = NULL;
    vp_status status = vp_world_encode(from, "a note", allocator, &file, error);
    assert_true((status == VP_OK) == (file.bytes != NULL));
    if (status == VP_OK) {
        status = vp_world_decode(file.bytes, file.size, allocator, &world, &note, error);
        assert_true((status == VP_OK) == (world != NULL));
        assert_true((status == VP_OK) == (note.bytes != NULL));
    }
    vp_world_destroy(world);
    vp_blob_destroy(&note);
    vp_blob_destroy(&file);
    return status;
}

static vp_status make_mesh(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_mesh mesh = {0};
    vp_mesh_def def = {.world = from, .allocator = allocator};
    vp_status status = vp_mesh_create(&def, &mesh, error);
    assert_true((status == VP_OK) == (mesh.quad != NULL));
    vp_mesh_destroy(&mesh);
    return status;
}

/* From a def of a hull. */
static vp_status make_hull(const void *from, const vp_allocator *allocator, vp_error *error)
{
    static const vp_hull none;
    vp_hull hull = {0};
    vp_hull_def def = *(const vp_hull_def *)from;
    def.allocator = allocator;
    vp_status status = vp_hull_create(&def, &hull, error);
    if (status == VP_OK)
        assert_non_null(hull.block);
    else
        assert_memory_equal(&hull, &none, sizeof hull);
    vp_hull_destroy(&hull);
    return status;
}

static vp_status enclose_hull(const void *from, const vp_allocator *allocator, vp_error *error)
{
    static const vp_hull_enclosure none;
    vp_hull hull;
    vp_hull_enclosure enclosure = {0};
    vp_hull_def def = *(const vp_hull_def *)from;
    vp_status status = vp_hull_create(&def, &hull, error);
    if (status != VP_OK)
        return status;
    def.allocator = allocator;
    status = vp_hull_enclose(&def, &hull, &enclosure, error);
    if (status != VP_OK)
        assert_memory_equal(&enclosure, &none, sizeof enclosure);
    vp_hull_enclosure_destroy(&enclosure);
    vp_hull_destroy(&hull);
    return status;
}

static vp_status validate_hull(const void *from, const vp_allocator *allocator, vp_error *error)
{
    vp_hull_report verdict = {0};
    vp_hull_validate_def subject = *(const vp_hull_validate_def *)from;
    subject.allocator = allocator;
    vp_status status = vp_hull_validate(&subject, &verdict, error);
    if (status == VP_OK)
        assert_int_equal(verdict.faults, 0);
    return status;
}

/* Refuses the first, the second, ... request until the function succeeds; needs at least `least` requests. */
static void each_request(const char *name, make_fn *make, const void *from, uint64_t least)
{
    for (int only_one = 0; only_one < 2; only_one++)
        for (uint64_t n = 1;; n++) {
            test_memory memory;
            test_memory_begin(&memory);
            memory.only_one = only_one == 1;
            vp_allocator allocator = test_memory_allocator(&memory);
            test_memory_fail_at(&memory, n);
            vp_error error = {VP_OK, ""};
            vp_status status = make(from, &allocator, &error);
            bool refused = memory.requests >= n;
            test_memory_end(&memory);
            if (!refused) {
                if (status != VP_OK)
                    fail_msg("%s: %s with memory: %s", name, vp_status_name(status), error.message);
                if (n <= least)
                    fail_msg("%s asked %llu times only", name, (unsigned long long)n - 1);
                break;
            }
            if (status != VP_E_MEMORY || error.status != VP_E_MEMORY || error.message[0] == '\0')
                fail_msg("%s, request %llu refused: %s, \"%s\"", name, (unsigned long long)n, vp_status_name(status), error.message);
        }
}

static void making(void **state)
{
    (void)state;
    vp_random r = {1};
    vp_world *world = test_random_world(&r, (vp_dims){3, 4, 3}, NULL);
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {.world = world};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    each_request("world", make_world, NULL, 3);
    each_request("chunk set", make_set, NULL, 1);
    each_request("broadphase", make_broadphase, world, 4);
    each_request("contacts", make_contacts, b, 2);
    each_request("mesh", make_mesh, world, 6);
    each_request("world file", encode_and_decode, world, 4);
    vp_broadphase_destroy(b);
    vp_world_destroy(world);
}

/* ---- hulls ---- */

typedef struct hull_set {
    const char *name;
    vp_vec3 point[64];
    vp_hull_def def;
    uint32_t dimension;
    uint64_t requests; /* at least */
} hull_set;

/* Sets of every dimension; the last one is found to be flat only when its hull in space is there: it is no thicker than the tolerance,
   but leans on the plane through its three far points. */
static void make_hull_sets(hull_set set[5])
{
    static const vp_vec3 leaning[] = {{0, 0, 0}, {4, 0, 0}, {2, 2, 0.125f}, {2, -1.875f, 0.125f}, {2, 1, 0}, {2, -1, 0}};
    for (uint32_t n = 0; n < 5; n++) {
        vp_random r = {n + 1};
        for (int i = 0; i < 64; i++) {
            const float x = (float)vp_random_below(&r, 9), y = (float)vp_random_below(&r, 9), z = (float)vp_random_below(&r, 9);
            set[n].point[i] = n == 0 ? (vp_vec3){x, y, z} : n == 1 ? (vp_vec3){x, y, x} : n == 2 ? (vp_vec3){x, x, 1} : (vp_vec3){1, 2, 3};
        }
        set[n].def = (vp_hull_def){.point = set[n].point, .count = 64};
    }
    memcpy(set[4].point, leaning, sizeof leaning);
    set[4].def.count = sizeof leaning / sizeof leaning[0];
    set[4].def.tolerance = 0.125f;
    static const char *const name[] = {"solid", "flat", "line", "point", "leaning"};
    static const uint32_t dimension[] = {3, 2, 1, 0, 2}, requests[] = {2, 2, 2, 2, 2};
    for (int n = 0; n < 5; n++) {
        set[n].name = name[n];
        set[n].dimension = dimension[n];
        set[n].requests = requests[n];
    }
}

static void hulls(void **state)
{
    (void)state;
    static hull_set set[5];
    make_hull_sets(set);
    for (int n = 0; n < 5; n++)
        each_request(set[n].name, make_hull, &set[n].def, set[n].requests);

    enum { MANY = 40000 }; /* so many that some are left out at first */
    static vp_vec3 many[MANY];
    vp_random r = {6};
    for (int i = 0; i < MANY; i++)
        many[i] = (vp_vec3){vp_random_unit(&r), vp_random_unit(&r), vp_random_unit(&r)};
    const vp_hull_def of_many = {.point = many, .count = MANY};
    each_request("many points", make_hull, &of_many, 4);
    vp_hull_def def = set[0].def; /* the same with few vertices, and with planes around all points */
    def.max_vertices = 6;
    def.contain = true;
    each_request("few vertices", make_hull, &def, 2);
    each_request("around few vertices", enclose_hull, &def, 10);
    vp_hull_def flat = set[1].def;
    flat.contain = true;
    each_request("around a polygon", enclose_hull, &flat, 10);
    def = set[4].def;
    def.max_error = 0.5f;
    each_request("few corners", make_hull, &def, 3);

    vp_hull solid;
    uint32_t triangle[128][3];
    assert_ok(vp_hull_create(&set[0].def, &solid, &error));
    assert_true(solid.triangle_count <= 128);
    for (uint32_t t = 0; t < solid.triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            triangle[t][k] = solid.vertex[solid.triangle[t][k]];
    const vp_hull_validate_def subject = {set[0].point, 64, (const uint32_t(*)[3])triangle, solid.triangle_count, 1e-9, 0.0, NULL};
    each_request("validate", validate_hull, &subject, 2);
    vp_hull_destroy(&solid);
}

/* Fewer comparisons than a hull takes are refused, as many are enough, by every kernel; nothing is lost. */
static void hulls_of_little_work(void **state)
{
    (void)state;
    static hull_set set[5];
    static test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    make_hull_sets(set);
    for (size_t t = 0; t < tables; t++)
        for (int n = 0; n < 5; n++) {
            vp_hull whole, hull = {0};
            vp_hull_def def = set[n].def;
            def.kernels = &table[t].kernels;
            assert_ok(vp_hull_create(&def, &whole, &error));
            assert_int_equal(whole.dimension, set[n].dimension);
            assert_true(whole.work > 0 || whole.dimension < 2);
            test_memory memory;
            test_memory_begin(&memory);
            const vp_allocator allocator = test_memory_allocator(&memory);
            def.allocator = &allocator;
            for (def.most_work = 1; def.most_work <= whole.work + 2; def.most_work++) {
                vp_error error = {VP_OK, ""};
                char most[32];
                const vp_status status = vp_hull_create(&def, &hull, &error);
                if (status != (def.most_work < whole.work ? VP_E_LIMIT : VP_OK))
                    fail_msg("%s, %s: of %llu comparisons %llu are allowed: %s", table[t].name, set[n].name, (unsigned long long)whole.work,
                             (unsigned long long)def.most_work, vp_status_name(status));
                if (status == VP_OK) {
                    assert_int_equal(hull.work, whole.work);
                    assert_int_equal(hull.face_count, whole.face_count);
                    assert_memory_equal(&hull.area, &whole.area, sizeof hull.area);
                    vp_hull_destroy(&hull);
                } else {
                    snprintf(most, sizeof most, "%llu comparisons", (unsigned long long)def.most_work);
                    assert_non_null(strstr(error.message, most));
                    assert_null(hull.block);
                }
                assert_int_equal(memory.live_bytes, 0);
            }
            test_memory_end(&memory);
            vp_hull_destroy(&whole);
        }
}

/* ---- changing things ---- */

/* A call is tried with its first request refused, then with later ones. A call may keep the memory that it got before
   it was refused, and then asks for less when it is called again: hence several tries for each number. */
enum { TRIES = 3 };

static bool next_try(uint64_t *tries, test_memory *memory)
{
    uint64_t n = 1 + *tries / TRIES;
    ++*tries;
    test_memory_fail_at(memory, n);
    memory->only_one = *tries % 2 == 0;
    if (n > 50)
        fail_msg("fails however much memory there is");
    return true;
}

static void expect_refused(vp_status status, const test_memory *memory, const vp_error *error)
{
    if (status != VP_E_MEMORY || error->status != VP_E_MEMORY || memory->requests < memory->fail_at)
        fail_msg("expected VP_E_MEMORY: %s, \"%s\"", vp_status_name(status), error->message);
}

static void expect_bits(const vp_broadphase *b, const oracle *o)
{
    for (uint32_t c = 0; c < oracle_chunk_count(o); c++) {
        vp_ivec3 at = oracle_chunk_at(o, c);
        vp_chunk_masks masks = oracle_masks(o, at);
        assert_int_equal(vp_broadphase_chunk_class(b, at), oracle_tag(o, at));
        assert_memory_equal(vp_broadphase_masks(b, at), &masks, sizeof masks);
    }
}

static void updating(void **state)
{
    (void)state;
    vp_random r = {2};
    vp_dims chunks = {3, 3, 3};
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, NULL);
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator allocator = test_memory_allocator(&memory);
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {.world = world, .allocator = &allocator};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create(chunks, NULL, &stale, &error));
    uint32_t failures = 0;
    for (uint32_t step = 0; step < 60; step++) {
        oracle before = oracle_make(world, true);
        if (step == 30) { /* gives all masks back */
            vp_ivec3 low = {0, 0, 0}, high = {24, 24, 24};
            assert_ok(vp_world_fill_box(world, low, high, (vp_voxel){0, 0}, &stale, &error));
        } else {
            vp_ivec3 at = {(int32_t)vp_random_below(&r, 24), (int32_t)vp_random_below(&r, 24), (int32_t)vp_random_below(&r, 24)};
            assert_ok(vp_world_set_voxel(world, at, (vp_voxel){2, 255}, &stale, &error));
        }
        uint64_t tries = 0;
        while (next_try(&tries, &memory)) {
            vp_error error = {VP_OK, ""};
            vp_status status = vp_broadphase_update(b, world, &stale, &error);
            if (status == VP_OK)
                break;
            failures++;
            expect_refused(status, &memory, &error);
            expect_bits(b, &before);
        }
        oracle after = oracle_make(world, true);
        expect_bits(b, &after);
        vp_chunk_set_clear(&stale);
        oracle_free(&before);
        oracle_free(&after);
    }
    assert_true(failures >= 2);
    vp_broadphase_destroy(b);
    vp_chunk_set_destroy(&stale);
    vp_world_destroy(world);
    test_memory_end(&memory);
}

/* All that can be seen of a contact manager. */
enum { OBJECTS = 200, SEEN_CONTACTS = 4000, SEEN_EVENTS = 60000 };

typedef struct view {
    uint32_t objects, contacts, events;
    bool awake[OBJECTS];
    vp_contact contact[SEEN_CONTACTS];
    vp_contact_event event[SEEN_EVENTS];
} view;

static bool same_contact(const vp_contact *a, const vp_contact *b)
{
    return a->id == b->id && a->object == b->object && a->chunk == b->chunk && a->kind == b->kind;
}

static void look(const vp_contacts *c, view *v)
{
    v->objects = vp_contacts_object_count(c);
    v->contacts = 0;
    for (uint32_t o = 0; o < OBJECTS; o++) {
        v->awake[o] = vp_contacts_awake(c, o);
        v->contacts += vp_contacts_of(c, o, v->contact + v->contacts, SEEN_CONTACTS - v->contacts);
        assert_true(v->contacts <= SEEN_CONTACTS);
    }
    const vp_contact_event *event = vp_contacts_events(c, &v->events);
    assert_true(v->events <= SEEN_EVENTS);
    for (uint32_t i = 0; i < v->events; i++)
        v->event[i] = event[i];
}

static void expect_same_view(const view *a, const view *b)
{
    assert_int_equal(a->objects, b->objects);
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->events, b->events);
    for (uint32_t o = 0; o < OBJECTS; o++)
        assert_int_equal(a->awake[o], b->awake[o]);
    for (uint32_t i = 0; i < a->contacts; i++)
        assert_true(same_contact(&a->contact[i], &b->contact[i]));
    for (uint32_t i = 0; i < a->events; i++)
        assert_true(a->event[i].change == b->event[i].change && a->event[i].woke == b->event[i].woke &&
                    same_contact(&a->event[i].contact, &b->event[i].contact));
}

typedef enum action { ADD, MOVE, REMOVE, EDIT } action;

static vp_status act(vp_contacts *c, action what, uint32_t object, const vp_aabb *box, const vp_chunk_set *stale, vp_error *error)
{
    uint32_t number = UINT32_MAX;
    vp_status status = VP_OK;
    switch (what) {
    case ADD:
        status = vp_contacts_add(c, box, &number, error);
        assert_int_equal(number, status == VP_OK ? object : UINT32_MAX);
        break;
    case MOVE:
        status = vp_contacts_move(c, object, box, error);
        break;
    case REMOVE:
        status = vp_contacts_remove(c, object, error);
        break;
    case EDIT:
        status = vp_contacts_terrain_changed(c, stale, error);
        break;
    }
    return status;
}

static void contacts(void **state)
{
    (void)state;
    vp_random r = {3};
    vp_dims chunks = {3, 3, 3};
    vp_world *world = test_random_world(&r, chunks, NULL);
    vp_broadphase *b = NULL;
    vp_broadphase_def broadphase = {.world = world};
    assert_ok(vp_broadphase_create(&broadphase, &b, &error));
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator allocator = test_memory_allocator(&memory);
    vp_contacts *c = NULL;
    vp_contacts_def def = {b, &allocator};
    assert_ok(vp_contacts_create(&def, &c, &error));
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create(chunks, NULL, &stale, &error));

    static view before, after;
    static vp_aabb box[OBJECTS];
    static bool present[OBJECTS];
    uint32_t failures[4] = {0, 0, 0, 0};
    for (uint32_t step = 0; step < 500; step++) {
        uint32_t choice = vp_random_below(&r, 10), object = vp_random_below(&r, OBJECTS);
        action what = choice == 0 ? EDIT : !present[object] ? ADD : choice < 3 ? REMOVE : MOVE;
        vp_aabb to = test_random_box(&r, vp_world_size(world));
        if (what == ADD)
            for (object = 0; present[object];)
                object++;
        if (what == EDIT) {
            test_random_edit(&r, world, &stale);
            assert_ok(vp_broadphase_update(b, world, &stale, &error));
        }
        if (present[object] && vp_random_below(&r, 2) == 0)
            assert_ok(vp_contacts_sleep(c, object, &error));
        look(c, &before);
        uint64_t tries = 0;
        while (next_try(&tries, &memory)) {
            vp_error error = {VP_OK, ""};
            vp_status status = act(c, what, object, &to, &stale, &error);
            if (status == VP_OK)
                break;
            failures[what]++;
            expect_refused(status, &memory, &error);
            look(c, &after);
            expect_same_view(&before, &after);
        }
        vp_chunk_set_clear(&stale);
        if (what == ADD || what == MOVE)
            box[object] = to;
        if (what != EDIT)
            present[object] = what != REMOVE;

        oracle o = oracle_make(world, true);
        look(c, &after);
        uint32_t k = 0;
        for (uint32_t i = 0; i < OBJECTS; i++) {
            uint8_t touch[27] = {0};
            if (present[i])
                oracle_overlap(&o, &box[i], touch);
            for (uint32_t chunk = 0; chunk < 27; chunk++)
                for (uint32_t kind = 0; kind < 2; kind++)
                    if (touch[chunk] >> kind & 1) {
                        assert_true(k < after.contacts && after.contact[k].object == i);
                        assert_true(after.contact[k].chunk == chunk && (uint32_t)after.contact[k].kind == kind);
                        k++;
                    }
        }
        assert_int_equal(k, after.contacts);
        oracle_free(&o);
        if (vp_random_below(&r, 200) == 0)
            vp_contacts_clear_events(c);
    }
    assert_true(failures[ADD] > 10);
    assert_true(failures[MOVE] > 0);
    assert_true(failures[EDIT] > 0);
    vp_contacts_destroy(c);
    vp_broadphase_destroy(b);
    vp_chunk_set_destroy(&stale);
    vp_world_destroy(world);
    test_memory_end(&memory);
}

/* Removing asks for memory only if the events need it: 64 objects fill the first array of events. */
static void removing(void **state)
{
    (void)state;
    vp_world *world = test_world(1, 1, 1, NULL);
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){4, 4, 4}, (vp_voxel){2, 255}, NULL, &error));
    vp_broadphase *b = NULL;
    vp_broadphase_def broadphase = {.world = world};
    assert_ok(vp_broadphase_create(&broadphase, &b, &error));
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator allocator = test_memory_allocator(&memory);
    vp_contacts *c = NULL;
    vp_contacts_def def = {b, &allocator};
    assert_ok(vp_contacts_create(&def, &c, &error));
    vp_aabb box = {{4, 4, 4}, {5, 5, 5}};
    uint32_t number, events = 0, refused = 0;
    for (uint32_t i = 0; i < 300; i++)
        assert_ok(vp_contacts_add(c, &box, &number, &error));
    for (uint32_t i = 0; i < 300; i++) {
        test_memory_fail_at(&memory, 1);
        vp_error why;
        if (vp_contacts_remove(c, i, &why) == VP_E_MEMORY) {
            assert_int_equal(why.status, VP_E_MEMORY);
            refused++;
            (void)vp_contacts_events(c, &events);
            assert_int_equal(events, 300 + i);
            assert_int_equal(vp_contacts_of(c, i, NULL, 0), 1);
            assert_int_equal(vp_contacts_object_count(c), 300 - i);
            test_memory_fail_at(&memory, 0);
            assert_ok(vp_contacts_remove(c, i, &error));
        }
    }
    assert_true(refused > 0);
    (void)vp_contacts_events(c, &events);
    assert_int_equal(events, 600);
    vp_contacts_destroy(c);
    vp_broadphase_destroy(b);
    vp_world_destroy(world);
    test_memory_end(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(making),   cmocka_unit_test(hulls),    cmocka_unit_test(hulls_of_little_work),
                                       cmocka_unit_test(updating), cmocka_unit_test(contacts), cmocka_unit_test(removing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
