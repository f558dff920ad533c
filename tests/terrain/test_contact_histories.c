/* SPDX-License-Identifier: MIT */
/* Long random histories of moving objects and edited terrain. After each step the contacts, and the set that the events
 * alone lead to, must be what the voxels say from scratch. */
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"
#include "tests/support/scene.h"

#include <stdlib.h>

#ifdef TEST_THIN /* one in so many steps */
enum { THIN = 3 };
#else
enum { THIN = 1 };
#endif

enum { OBJECTS = 24, CHUNKS_MAX = 128 };

typedef struct model {
    bool present[OBJECTS], awake[OBJECTS];
    vp_aabb box[OBJECTS];
    uint64_t id[OBJECTS][CHUNKS_MAX][2]; /* contacts, made from the events alone */
    uint64_t last_id, hash;
    uint32_t chunk_count;
    const char *table;
    uint64_t seed;
    uint32_t step;
} model;

#define fail_step(m, ...)                                                                                                                  \
    do {                                                                                                                                   \
        print_error(__VA_ARGS__);                                                                                                          \
        fail_msg(" (%s, seed %llu, step %u)", (m)->table, (unsigned long long)(m)->seed, (m)->step);                                       \
    } while (0)

static void hash_in(model *m, uint64_t value)
{
    m->hash = (m->hash ^ value) * UINT64_C(0x100000001b3);
}

/* Plays the events since the last call: order, ids, and that only what is there ends, and only what is not begins.
   `edit`: they are of one edit, otherwise of one call about `object`. */
static void replay(model *m, vp_contacts *contacts, bool edit, uint32_t object)
{
    uint32_t count;
    const vp_contact_event *event = vp_contacts_events(contacts, &count);
    bool woken[OBJECTS] = {false};
    uint64_t previous = 0;
    for (uint32_t i = 0; i < count; i++) {
        const vp_contact *c = &event[i].contact;
        if (c->object >= OBJECTS || c->chunk >= m->chunk_count || (unsigned)c->kind > 1 || (!edit && c->object != object))
            fail_step(m, "event %u: object %u, chunk %u", i, c->object, c->chunk);
        uint64_t place = ((uint64_t)c->object << 32) + c->chunk * 2 + (uint32_t)c->kind + 1;
        if (place <= previous)
            fail_step(m, "event %u is out of order", i);
        previous = place;
        uint64_t *id = &m->id[c->object][c->chunk][c->kind];
        if (event[i].change == VP_CONTACT_BEGIN) {
            if (*id != 0 || c->id != m->last_id + 1)
                fail_step(m, "event %u begins %llu", i, (unsigned long long)c->id);
            *id = m->last_id = c->id;
        } else {
            if (*id == 0 || c->id != *id)
                fail_step(m, "event %u ends %llu", i, (unsigned long long)c->id);
            *id = 0;
        }
        woken[c->object] = true;
        if (event[i].woke != (edit && !m->awake[c->object]))
            fail_step(m, "event %u: woke is wrong", i);
        hash_in(m, place);
        hash_in(m, c->id * 4 + (unsigned)event[i].change * 2 + event[i].woke);
    }
    for (uint32_t o = 0; edit && o < OBJECTS; o++)
        m->awake[o] = m->awake[o] || woken[o];
    vp_contacts_clear_events(contacts);
}

/* The contacts of an object, by the events and by vp_contacts_of, must be what the voxels say. */
static void compare_object(model *m, const scene *s, const oracle *world, uint32_t o)
{
    uint8_t touch[CHUNKS_MAX] = {0};
    if (m->present[o])
        oracle_overlap(world, &m->box[o], touch);
    static vp_contact contact[CHUNKS_MAX * 2];
    uint32_t count = vp_contacts_of(s->contacts, o, contact, CHUNKS_MAX * 2), k = 0;
    for (uint32_t c = 0; c < m->chunk_count; c++)
        for (int kind = 0; kind < 2; kind++) {
            bool wanted = (touch[c] >> kind & 1) != 0;
            if ((m->id[o][c][kind] != 0) != wanted)
                fail_step(m, "object %u, chunk %u, kind %d: the events %s a contact", o, c, kind, wanted ? "lack" : "have");
            if (!wanted)
                continue;
            if (k >= count || contact[k].id != m->id[o][c][kind] || contact[k].object != o || contact[k].chunk != c ||
                (int)contact[k].kind != kind)
                fail_step(m, "object %u, chunk %u, kind %d: vp_contacts_of differs", o, c, kind);
            k++;
        }
    if (k != count)
        fail_step(m, "object %u has %u contacts, expected %u", o, count, k);
    if (vp_contacts_awake(s->contacts, o) != (m->present[o] && m->awake[o]))
        fail_step(m, "object %u: awake is wrong", o);
}

static void random_step(model *m, scene *s, vp_random *r, oracle *world)
{
    vp_dims size = vp_world_size(s->world);
    uint32_t choice = vp_random_below(r, 100), o = vp_random_below(r, OBJECTS);
    bool edit = choice >= 90;
    if (edit) {
        for (uint32_t edits = 1 + vp_random_below(r, 3); edits > 0; edits--)
            test_random_edit(r, s->world, &s->stale);
        scene_edited(s);
        oracle_free(world);
        *world = oracle_make(s->world, true);
    } else if (!m->present[o]) {
        vp_aabb b = test_random_box(r, size);
        uint32_t lowest = 0, got;
        while (m->present[lowest])
            lowest++;
        o = lowest;
        assert_ok(vp_contacts_add(s->contacts, &b, &got, &error));
        if (got != o)
            fail_step(m, "added as %u, expected %u", got, o);
        m->present[o] = m->awake[o] = true;
        m->box[o] = b;
    } else if (choice < 10) {
        assert_ok(vp_contacts_remove(s->contacts, o, &error));
        m->present[o] = m->awake[o] = false;
    } else if (choice < 25) {
        assert_ok(vp_contacts_sleep(s->contacts, o, &error));
        m->awake[o] = false;
    } else {
        vp_aabb b = m->box[o];
        float dx = vp_random_between(r, -1, 1), dy = vp_random_between(r, -1, 1);
        b.min.x += dx, b.max.x += dx, b.min.y += dy, b.max.y += dy;
        if (vp_random_below(r, 3) == 0 || !vp_aabb_valid(&b))
            b = test_random_box(r, size);
        assert_ok(vp_contacts_move(s->contacts, o, &b, &error));
        m->box[o] = b;
        m->awake[o] = true;
    }
    replay(m, s->contacts, edit, o);
    for (uint32_t i = 0; i < OBJECTS; i++)
        if (edit || i == o || m->step % 10 == 0)
            compare_object(m, s, world, i);
}

/* @return a hash of all events */
static uint64_t history(const test_table *table, vp_dims chunks, uint64_t seed, uint32_t steps)
{
    vp_random r = {seed};
    scene *s = scene_begin(test_random_world(&r, chunks, NULL), chunks, &table->kernels);
    oracle world = oracle_make(s->world, true);
    model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->table = table->name;
    m->seed = seed;
    m->chunk_count = chunks.x * chunks.y * chunks.z;
    assert_true(m->chunk_count <= CHUNKS_MAX);
    for (m->step = 0; m->step < steps; m->step++)
        random_step(m, s, &r, &world);
    assert_true(m->last_id > steps / 4); /* there was something to do */
    uint64_t hash = m->hash;
    free(m);
    oracle_free(&world);
    scene_end(s);
    return hash;
}

static void random_histories(void **state)
{
    (void)state;
    test_table table[TEST_TABLES_MAX];
    size_t tables = test_tables(table);
    history(&table[0], (vp_dims){3, 2, 3}, 1, 10000 / THIN);
    uint64_t small = history(&table[0], (vp_dims){3, 2, 3}, 2, 1500 / THIN);
    uint64_t large = history(&table[0], (vp_dims){5, 4, 6}, 3, 700 / THIN); /* with wide boxes */
    for (size_t t = 1; t < tables; t++) {
        assert_true(history(&table[t], (vp_dims){3, 2, 3}, 2, 1500 / THIN) == small);
        assert_true(history(&table[t], (vp_dims){5, 4, 6}, 3, 700 / THIN) == large);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_histories)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
