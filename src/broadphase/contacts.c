/* SPDX-License-Identifier: MIT */
/* Contact management: voxel terrain article, "Bit broadphase: overlap test". This file holds the objects and the
 * calls. contact_changes.c finds touched chunks and changes of contacts, contact_index.c the objects over a
 * chunk. contact_memory.c allocates. */
#include "src/broadphase/contacts_internal.h"

#include "src/core/error.h"
#include "src/core/memory.h"

#include <string.h>

/* ---- objects ---- */

static bool is_known(const vp_contacts *c, uint32_t object)
{
    return object < c->object_capacity && (c->used[object / 64] >> object % 64 & 1) != 0;
}

static vp_status refuse_object(uint32_t object, vp_error *error)
{
    return vp_fail(error, VP_E_ARGUMENT, "object %u does not exist", object);
}

static vp_status refuse_memory(const char *what, uint32_t object, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to %s object %u", what, object);
}

/* The broadphase reports the fault of an invalid box. */
static vp_status check_box(const vp_contacts *c, const vp_aabb *box, vp_error *error)
{
    uint32_t touch;
    return vp_aabb_valid(box) ? VP_OK : vp_broadphase_overlap(c->broadphase, box, &touch, error);
}

/* Finds the touches of a box and allocates all memory for the object's new contacts. */
static bool prepare_object(vp_contacts *c, vp_object *o, const vp_aabb *box, const vp_cover *reach, uint32_t *touches)
{
    if (!vp_contacts_find(c, box, 0, touches))
        return false;
    vp_change change = vp_contacts_compare(o, c->touch, *touches);
    return vp_contacts_reserve_pairs(c, o, change.pairs) && vp_contacts_reserve_events(c, change.events) &&
           vp_contact_index_reserve(c, &o->reach, reach);
}

static bool is_same_cover(const vp_cover *a, const vp_cover *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static uint32_t find_lowest_free(vp_contacts *c)
{
    while (c->used[c->lowest_word] == UINT64_MAX)
        c->lowest_word++;
    uint32_t bit = 0;
    while ((c->used[c->lowest_word] >> bit & 1) != 0)
        bit++;
    return c->lowest_word * 64 + bit;
}

vp_status vp_contacts_add(vp_contacts *contacts, const vp_aabb *box, uint32_t *object, vp_error *error)
{
    VP_RETURN_IF_NULL(error, contacts, box, object);
    vp_contacts *c = contacts;
    VP_RETURN_IF_FAILED(check_box(c, box, error));
    if (!vp_contacts_reserve_object(c))
        return vp_fail(error, VP_E_MEMORY, "no memory for %u objects", c->object_count + 1);
    uint32_t n = find_lowest_free(c), touches;
    vp_object *o = &c->object[n];
    *o = (vp_object){.voxels = vp_nothing, .reach = vp_nothing, .first_node = VP_NONE, .awake = true};
    const vp_cover reach = vp_contacts_cover(c->chunks, box, c->margin, VP_CONTACTS_REACH);
    if (!prepare_object(c, o, box, &reach, &touches)) {
        vp_release(&c->allocator, o->pair, o->pair_capacity, sizeof *o->pair);
        *o = (vp_object){.voxels = vp_nothing, .reach = vp_nothing};
        return refuse_memory("add", n, error);
    }
    o->box = *box;
    o->voxels = vp_contacts_cover(c->chunks, box, 0, 1);
    o->reach = reach;
    c->used[n / 64] |= UINT64_C(1) << n % 64;
    c->object_count++;
    vp_contact_index_enter(c, n);
    vp_contacts_change(c, n, c->touch, touches);
    *object = n;
    return vp_succeed(error);
}

vp_status vp_contacts_move(vp_contacts *contacts, uint32_t object, const vp_aabb *box, vp_error *error)
{
    VP_RETURN_IF_NULL(error, contacts, box);
    vp_contacts *c = contacts;
    if (!is_known(c, object))
        return refuse_object(object, error);
    VP_RETURN_IF_FAILED(check_box(c, box, error));
    vp_object *o = &c->object[object];
    const vp_cover voxels = vp_contacts_cover(c->chunks, box, 0, 1),
                   reach = vp_contacts_cover(c->chunks, box, c->margin, VP_CONTACTS_REACH);
    uint32_t touches;
    const bool touches_same = is_same_cover(&voxels, &o->voxels), index_same = vp_contact_index_same(&o->reach, &reach);
    if (touches_same ? !index_same && !vp_contact_index_reserve(c, &o->reach, &reach) : !prepare_object(c, o, box, &reach, &touches))
        return refuse_memory("move", object, error);
    if (!index_same)
        vp_contact_index_leave(c, object);
    o->voxels = voxels;
    o->reach = reach;
    if (!index_same)
        vp_contact_index_enter(c, object);
    if (!touches_same)
        vp_contacts_change(c, object, c->touch, touches);
    o->box = *box;
    o->awake = true;
    return vp_succeed(error);
}

vp_status vp_contacts_remove(vp_contacts *contacts, uint32_t object, vp_error *error)
{
    VP_RETURN_IF_NULL(error, contacts);
    vp_contacts *c = contacts;
    if (!is_known(c, object))
        return refuse_object(object, error);
    vp_object *o = &c->object[object];
    if (!vp_contacts_reserve_events(c, vp_contacts_compare(o, NULL, 0).events))
        return refuse_memory("remove", object, error);
    vp_contacts_change(c, object, NULL, 0);
    vp_contact_index_leave(c, object);
    vp_release(&c->allocator, o->pair, o->pair_capacity, sizeof *o->pair);
    *o = (vp_object){.voxels = vp_nothing, .reach = vp_nothing};
    c->used[object / 64] &= ~(UINT64_C(1) << object % 64);
    c->object_count--;
    if (object / 64 < c->lowest_word)
        c->lowest_word = object / 64;
    return vp_succeed(error);
}

vp_status vp_contacts_sleep(vp_contacts *contacts, uint32_t object, vp_error *error)
{
    VP_RETURN_IF_NULL(error, contacts);
    if (!is_known(contacts, object))
        return refuse_object(object, error);
    contacts->object[object].awake = false;
    return vp_succeed(error);
}

bool vp_contacts_awake(const vp_contacts *contacts, uint32_t object)
{
    return is_known(contacts, object) && contacts->object[object].awake;
}

/* ---- edits ---- */

static bool is_set(const uint64_t *bits, uint32_t n)
{
    return (bits[n / 64] >> n % 64 & 1) != 0;
}

static void clear_bit(uint64_t *bits, uint32_t n)
{
    bits[n / 64] &= ~(UINT64_C(1) << n % 64);
}

/* The first object >= `from` with a bit in `marked` or `met`. VP_NONE if none has. */
static uint32_t find_next_concerned(const vp_contacts *c, uint32_t from)
{
    for (uint32_t n = from; n < c->object_capacity; n++) {
        if (n % 64 == 0 && (c->marked[n / 64] | c->met[n / 64]) == 0)
            n += 63;
        else if (is_set(c->marked, n) || is_set(c->met, n))
            return n;
    }
    return VP_NONE;
}

/* Clears the marks of objects whose contacts are unchanged, and `met` of those that are awake. Lists the new touches of
   the marked ones one after the other in the scratch array, each list after an element with its length. Allocates the
   memory for all. */
static bool prepare_concerned(vp_contacts *c)
{
    uint32_t end = 0;
    uint64_t events = 0;
    for (uint32_t n = find_next_concerned(c, 0); n != VP_NONE; n = find_next_concerned(c, n + 1)) {
        vp_object *o = &c->object[n];
        uint32_t touches;
        if (o->awake)
            clear_bit(c->met, n);
        events += is_set(c->met, n);
        if (!is_set(c->marked, n))
            continue;
        if (end == VP_NONE || !vp_contacts_find(c, &o->box, end + 1, &touches))
            return false;
        vp_change change = vp_contacts_compare(o, c->touch + end + 1, touches);
        if (change.events == 0) {
            clear_bit(c->marked, n);
            continue;
        }
        if (!vp_contacts_reserve_pairs(c, o, change.pairs))
            return false;
        events += change.events;
        c->touch[end].chunk = touches;
        end += 1 + touches;
    }
    return vp_contacts_reserve_events(c, events);
}

static vp_status check_set(const vp_contacts *c, const vp_chunk_set *set, vp_error *error)
{
    vp_dims n = c->chunks, s = set->chunks;
    if (s.x != n.x || s.y != n.y || s.z != n.z)
        return vp_fail(error, VP_E_ARGUMENT, "a set of %u x %u x %u chunks was given for contacts with %u x %u x %u", s.x, s.y, s.z, n.x,
                       n.y, n.z);
    if (set->word == NULL || set->changed == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_chunk_set.%s is NULL", set->word == NULL ? "word" : "changed");
    return VP_OK;
}

vp_status vp_contacts_terrain_changed(vp_contacts *contacts, const vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, contacts, stale);
    vp_contacts *c = contacts;
    VP_RETURN_IF_FAILED(check_set(c, stale, error));
    vp_contact_index_mark(c, stale);
    const bool prepared = prepare_concerned(c);
    const vp_chunk_touch *touch = c->touch;
    for (uint32_t n = find_next_concerned(c, 0); n != VP_NONE; n = find_next_concerned(c, n + 1)) {
        if (prepared && is_set(c->met, n))
            vp_contacts_wake(c, n);
        if (prepared && is_set(c->marked, n)) {
            vp_contacts_change(c, n, touch + 1, touch->chunk);
            touch += 1 + touch->chunk;
        }
        clear_bit(c->met, n);
        clear_bit(c->marked, n);
    }
    if (!prepared)
        return vp_fail(error, VP_E_MEMORY, "no memory for the contacts that an edit of %u chunks changes", vp_chunk_set_count(stale));
    return vp_succeed(error);
}

vp_status vp_contacts_objects_over(vp_contacts *contacts, const vp_chunk_set *set, uint32_t *out, uint32_t capacity, uint32_t *count,
                                   vp_error *error)
{
    VP_RETURN_IF_NULL(error, contacts, set, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    vp_contacts *c = contacts;
    VP_RETURN_IF_FAILED(check_set(c, set, error));
    vp_contact_index_mark(c, set);
    uint32_t found = 0;
    for (uint32_t n = find_next_concerned(c, 0); n != VP_NONE; n = find_next_concerned(c, n + 1)) {
        if (is_set(c->met, n)) {
            if (found < capacity)
                out[found] = n;
            found++;
        }
        clear_bit(c->met, n);
        clear_bit(c->marked, n);
    }
    *count = found;
    return vp_succeed(error);
}

/* ---- reading ---- */

const vp_contact_event *vp_contacts_events(const vp_contacts *contacts, uint32_t *count)
{
    *count = contacts->event_count;
    return contacts->event;
}

void vp_contacts_clear_events(vp_contacts *contacts)
{
    contacts->event_count = 0;
}

uint32_t vp_contacts_of(const vp_contacts *contacts, uint32_t object, vp_contact *out, uint32_t capacity)
{
    if (!is_known(contacts, object))
        return 0;
    const vp_object *o = &contacts->object[object];
    uint32_t count = 0;
    for (uint32_t p = 0; p < o->pair_count; p++)
        for (int kind = VP_CONTACT_SOLID; kind <= VP_CONTACT_WATER; kind++) {
            if (o->pair[p].id[kind] == 0)
                continue;
            if (count < capacity)
                out[count] =
                    (vp_contact){.id = o->pair[p].id[kind], .object = object, .chunk = o->pair[p].chunk, .kind = (vp_contact_kind)kind};
            count++;
        }
    return count;
}

uint32_t vp_contacts_object_count(const vp_contacts *contacts)
{
    return contacts->object_count;
}
