/* SPDX-License-Identifier: MIT */
/* Long random histories of moving objects and edited terrain. After each step the contacts, the set built from the events, and
 * the woken objects equal those computed from the voxels. Each call first runs with one allocation failing. It returns
 * VP_E_MEMORY and changes nothing. docs/CONTRACT.md: WAK-1, WAK-2, WAK-4 */
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"
#include "tests/support/scene.h"

#include <stdlib.h>

enum { THIN = IS_THIN ? 3 : 1 }; /* in the sanitizer builds, one in so many steps */

enum { OBJECTS = 24, CHUNKS_MAX = 128 };
typedef enum action { ADD, REMOVE, SLEEP, MOVE, EDIT, ACTIONS } action;

typedef struct contacts_model {
    bool present[OBJECTS], awake[OBJECTS];
    vp_aabb box[OBJECTS];
    uint64_t id[OBJECTS][CHUNKS_MAX][2]; /* contacts, built from the events alone */
    uint64_t last_id, hash;
    uint32_t seen; /* events played so far */
    uint32_t count, chunk_count;
    uint32_t changed[CHUNKS_MAX]; /* layers changed by this step's edits */
    float margin;
    const char *table;
    uint64_t seed;
    uint32_t step;
} contacts_model;

static uint32_t failures[ACTIONS], updates; /* of all histories, for calls without memory, broadphase updates of EDIT without it */
static uint32_t wakings;

#define FAIL_STEP(m, ...)                                                                                                                  \
    do {                                                                                                                                   \
        print_error(__VA_ARGS__);                                                                                                          \
        fail_msg(" (%s, seed %llu, step %u)", (m)->table, (unsigned long long)(m)->seed, (m)->step);                                       \
    } while (0)

static void hash_in(contacts_model *m, uint64_t value)
{
    m->hash = (m->hash ^ value) * UINT64_C(0x100000001b3);
}

static bool is_met(const contacts_model *m, const oracle *world, uint32_t o)
{
    return m->present[o] && oracle_meets(world, &m->box[o], m->margin, m->changed);
}

/* Plays the events since the last call. Checks their order and ids, and that only present contacts end and only new ones begin.
   Checks that exactly the sleeping objects with changed voxels in reach woke. `edit` = the events belong to an edit, otherwise to one
   call about `object`. */
static void replay(contacts_model *m, vp_contacts *contacts, const oracle *world, bool edit, uint32_t object)
{
    uint32_t count;
    const vp_contact_event *event = vp_contacts_events(contacts, &count);
    bool woken[OBJECTS] = {false};
    uint64_t previous = 0;
    for (uint32_t i = m->seen; i < count; i++) {
        const vp_contact *c = &event[i].contact;
        if (c->object >= OBJECTS || c->chunk >= m->chunk_count || (unsigned)c->kind > 1 || (!edit && c->object != object))
            FAIL_STEP(m, "event %u: object %u, chunk %u", i, c->object, c->chunk);
        const bool woke = event[i].change == VP_CONTACT_WOKE;
        uint64_t place = ((uint64_t)c->object << 32) + (woke ? 1 : c->chunk * 2 + (uint32_t)c->kind + 2);
        if (place <= previous)
            FAIL_STEP(m, "event %u is out of order", i);
        previous = place;
        uint64_t *id = &m->id[c->object][c->chunk][c->kind];
        if (woke) {
            if (!edit || m->awake[c->object] || c->id != 0 || c->chunk != 0 || c->kind != 0)
                FAIL_STEP(m, "event %u wakes object %u", i, c->object);
            woken[c->object] = true;
        } else if (event[i].change == VP_CONTACT_BEGIN) {
            if (*id != 0 || c->id != m->last_id + 1)
                FAIL_STEP(m, "event %u begins %llu", i, (unsigned long long)c->id);
            *id = m->last_id = c->id;
        } else {
            if (*id == 0 || c->id != *id)
                FAIL_STEP(m, "event %u ends %llu", i, (unsigned long long)c->id);
            *id = 0;
        }
        if (edit && !m->awake[c->object] && !woken[c->object])
            FAIL_STEP(m, "event %u: a contact of object %u has changed, which sleeps on", i, c->object);
        hash_in(m, place);
        hash_in(m, c->id * 4 + (unsigned)event[i].change);
    }
    for (uint32_t o = 0; edit && o < OBJECTS; o++) {
        if (woken[o] != (!m->awake[o] && is_met(m, world, o)))
            FAIL_STEP(m, "object %u %s", o, woken[o] ? "was woken" : "sleeps on");
        wakings += woken[o];
        m->awake[o] = m->awake[o] || woken[o];
    }
    m->seen = count;
}

/* vp_contacts_of returns the contacts of the events. */
static void expect_as_told(const contacts_model *m, const scene *s, uint32_t o)
{
    static vp_contact contact[CHUNKS_MAX * 2];
    uint32_t count = vp_contacts_of(s->contacts, o, contact, CHUNKS_MAX * 2), k = 0;
    for (uint32_t c = 0; c < m->chunk_count; c++)
        for (int kind = 0; kind < 2; kind++)
            if (m->id[o][c][kind] != 0) {
                if (k >= count || contact[k].id != m->id[o][c][kind] || contact[k].object != o || contact[k].chunk != c ||
                    (int)contact[k].kind != kind)
                    FAIL_STEP(m, "object %u, chunk %u, kind %d: vp_contacts_of differs", o, c, kind);
                k++;
            }
    if (k != count)
        FAIL_STEP(m, "object %u has %u contacts, expected %u", o, count, k);
    if (vp_contacts_awake(s->contacts, o) != (m->present[o] && m->awake[o]))
        FAIL_STEP(m, "object %u: awake is wrong", o);
}

/* The contacts of the events equal those of the voxels. */
static void expect_true(const contacts_model *m, const oracle *world, uint32_t o)
{
    uint8_t touch[CHUNKS_MAX] = {0};
    if (m->present[o])
        oracle_overlap(world, &m->box[o], touch);
    for (uint32_t c = 0; c < m->chunk_count; c++)
        for (int kind = 0; kind < 2; kind++)
            if ((m->id[o][c][kind] != 0) != (touch[c] >> kind & 1))
                FAIL_STEP(m, "object %u, chunk %u, kind %d: the events %s a contact", o, c, kind, touch[c] >> kind & 1 ? "lack" : "have");
}

static void expect_bits(const contacts_model *m, const vp_broadphase *b, const oracle *world)
{
    for (uint32_t c = 0; c < m->chunk_count; c++) {
        const vp_ivec3 at = oracle_chunk_at(world, c);
        const vp_chunk_masks masks = oracle_masks(world, at);
        if (vp_broadphase_chunk_class(b, at) != oracle_tag(world, at) || memcmp(vp_broadphase_masks(b, at), &masks, sizeof masks) != 0)
            FAIL_STEP(m, "the broadphase has changed in chunk %u without memory", c);
    }
}

static vp_status act(const contacts_model *m, scene *s, action what, uint32_t o, const vp_aabb *box, vp_error *error)
{
    uint32_t got = UINT32_MAX;
    vp_status status = VP_OK;
    switch (what) {
    case ADD:
        status = vp_contacts_add(s->contacts, box, &got, error);
        if (got != (status == VP_OK ? o : UINT32_MAX))
            FAIL_STEP(m, "added as %u, expected %u", got, o);
        return status;
    case REMOVE:
        return vp_contacts_remove(s->contacts, o, error);
    case SLEEP:
        return vp_contacts_sleep(s->contacts, o, error);
    case MOVE:
        return vp_contacts_move(s->contacts, o, box, error);
    default:
        return vp_contacts_terrain_changed(s->contacts, &s->stale, error);
    }
}

/* Repeats a call, with its first allocation failing, then later ones, until it succeeds. A failed call may keep memory and then allocate
   less, so each number is tried several times. */
static void insist(contacts_model *m, scene *s, action what, uint32_t o, const vp_aabb *box, const oracle *world)
{
    enum { TRIES = 3 };
    bool updated = what != EDIT;
    for (uint64_t tries = 0;; tries++) {
        vp_error error = {VP_OK, ""};
        uint32_t events;
        test_memory_fail_at(&s->memory, 1 + tries / TRIES);
        s->memory.only_one = tries % 2 == 0;
        vp_status status = VP_OK;
        if (!updated) {
            status = vp_broadphase_update(s->broadphase, s->world, &s->stale, &error);
            updated = status == VP_OK;
            if (!updated) {
                updates++;
                expect_bits(m, s->broadphase, world);
            }
        }
        if (updated && (status = act(m, s, what, o, box, &error)) == VP_OK)
            break;
        if (status != VP_E_MEMORY || error.status != VP_E_MEMORY || s->memory.requests < s->memory.fail_at || tries > 200)
            FAIL_STEP(m, "try %u of action %d: %s, %s", (unsigned)tries, (int)what, vp_status_name(status), error.message);
        failures[what]++;
        vp_contacts_events(s->contacts, &events);
        if (events != m->seen || vp_contacts_object_count(s->contacts) != m->count)
            FAIL_STEP(m, "without memory there are %u events and %u objects", events, vp_contacts_object_count(s->contacts));
        for (uint32_t i = 0; i < OBJECTS; i++)
            expect_as_told(m, s, i);
    }
    test_memory_fail_at(&s->memory, 0);
}

/* Checks the objects over this step's edits, for any capacity. */
static void expect_over(const contacts_model *m, const scene *s, const oracle *world, uint32_t capacity)
{
    uint32_t over[OBJECTS + 1], count = UINT32_MAX, k = 0;
    memset(over, 0xff, sizeof over);
    assert_ok(vp_contacts_objects_over(s->contacts, &s->stale, over, capacity, &count, &error));
    for (uint32_t o = 0; o < OBJECTS; o++)
        if (is_met(m, world, o)) {
            if (over[k] != (k < capacity ? o : UINT32_MAX))
                FAIL_STEP(m, "object %u of those over an edit is %u, expected %u", k, over[k], o);
            k++;
        }
    if (count != k || over[k] != UINT32_MAX)
        FAIL_STEP(m, "%u objects over an edit, expected %u", count, k);
}

static void edit_world(contacts_model *m, scene *s, vp_random *r)
{
    memset(m->changed, 0, sizeof m->changed);
    for (uint32_t edits = 1 + vp_random_below(r, 3); edits > 0; edits--) {
        oracle before = oracle_make(s->world, false);
        test_random_edit(r, s->world, &s->stale);
        oracle after = oracle_make(s->world, false);
        oracle_layers(&before, &after, m->changed);
        oracle_free(&before);
        oracle_free(&after);
    }
}

static void random_step(contacts_model *m, scene *s, vp_random *r, oracle *world)
{
    vp_dims size = vp_world_size(s->world);
    uint32_t choice = vp_random_below(r, 100), o = vp_random_below(r, OBJECTS);
    const action what = choice >= 90 ? EDIT : !m->present[o] ? ADD : choice < 10 ? REMOVE : choice < 50 ? SLEEP : MOVE;
    vp_aabb box = m->box[o];
    if (what == EDIT) {
        edit_world(m, s, r);
    } else if (what == ADD) {
        box = test_random_box(r, size);
        for (o = 0; m->present[o];) /* the lowest free number */
            o++;
    } else if (what == MOVE) {
        float dx = vp_random_between(r, -1, 1), dy = vp_random_between(r, -1, 1);
        box.min.x += dx, box.max.x += dx, box.min.y += dy, box.max.y += dy;
        if (vp_random_below(r, 3) == 0 || !vp_aabb_valid(&box))
            box = test_random_box(r, size);
    }
    insist(m, s, what, o, &box, world);
    if (what == EDIT) {
        expect_over(m, s, world, OBJECTS);
        expect_over(m, s, world, m->step % 4);
        vp_chunk_set_clear(&s->stale);
        oracle_free(world);
        *world = oracle_make(s->world, true);
    } else {
        m->count += what == ADD ? 1u : what == REMOVE ? UINT32_MAX : 0u;
        m->present[o] = what != REMOVE;
        m->awake[o] = what == ADD || what == MOVE;
        m->box[o] = box;
    }
    replay(m, s->contacts, world, what == EDIT, o);
    for (uint32_t i = 0; i < OBJECTS; i++)
        if (what == EDIT || i == o || m->step % 10 == 0) {
            expect_as_told(m, s, i);
            expect_true(m, world, i);
        }
    if (vp_random_below(r, 100) == 0) {
        vp_contacts_clear_events(s->contacts);
        m->seen = 0;
    }
}

/* @return a hash of all events */
static uint64_t history(const test_table *table, vp_dims chunks, float margin, uint64_t seed, uint32_t steps)
{
    vp_random r = {seed};
    scene *s = scene_begin(test_random_world(&r, chunks, NULL), chunks, &table->kernels, margin);
    oracle world = oracle_make(s->world, true);
    contacts_model *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->table = table->name;
    m->seed = seed;
    m->margin = margin;
    m->chunk_count = chunks.x * chunks.y * chunks.z;
    assert_true(m->chunk_count <= CHUNKS_MAX);
    for (m->step = 0; m->step < steps; m->step++)
        random_step(m, s, &r, &world);
    assert_true(m->last_id > steps / 4); /* there was enough to do */
    uint64_t hash = m->hash;
    free(m);
    oracle_free(&world);
    scene_end(s);
    return hash;
}

TEST(random_histories)
{
    test_table table[TEST_TABLES_MAX];
    size_t tables = test_tables(table);
    history(&table[0], (vp_dims){3, 2, 3}, 0, 1, 3000 / THIN);
    uint64_t small = history(&table[0], (vp_dims){3, 2, 3}, 0.37f, 2, 400 / THIN);
    uint64_t large = history(&table[0], (vp_dims){5, 4, 6}, 0, 3, 150 / THIN); /* with wide boxes */
    for (size_t t = 1; t < tables; t++) {
        assert_true(history(&table[t], (vp_dims){3, 2, 3}, 0.37f, 2, 400 / THIN) == small);
        assert_true(history(&table[t], (vp_dims){5, 4, 6}, 0, 3, 150 / THIN) == large);
    }
    assert_true(failures[ADD] > 0 && failures[MOVE] > 0 && failures[EDIT] > updates && updates > 0);
    assert_true(failures[REMOVE] > 0 || THIN > 1);
    assert_true(wakings > 150 / THIN);
}
