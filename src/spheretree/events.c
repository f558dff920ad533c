/* SPDX-License-Identifier: MIT */
#include "src/spheretree/events.h"

#include <inttypes.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/spheretree/tree.h"
#include "src/spheretree/walk.h"

enum { CHANGED = 1, REMOVED = 2 };
enum { NONE_YET = 0, TOUCHES = 1, REFUSED = 2, HAS_CONTACT = 3 };
#define NO_CONTACT VP_SPHERETREE_NONE

/* ---- memory ---- */

/* `array` points to a pointer to elements of that size. @return false without memory */
static bool grow(const vp_allocator *allocator, void *array, uint32_t room, uint32_t wanted, size_t size)
{
    void *larger = vp_allocate_zero(allocator, wanted, size), *old;
    if (larger == NULL)
        return false;
    memcpy(&old, array, sizeof old);
    if (room > 0)
        memcpy(larger, old, room * size);
    vp_release(allocator, old, room, size);
    memcpy(array, &larger, sizeof larger);
    return true;
}

bool vp_scene_events_reserve(vp_spheretree *t, uint32_t objects)
{
    vp_scene_events *e = &t->events;
    if (!e->on || objects <= e->object_room)
        return true;
    if (!grow(&t->allocator, &e->object, e->object_room, objects, sizeof *e->object))
        return false;
    for (uint32_t i = e->object_room; i < objects; i++)
        e->object[i].first = NO_CONTACT;
    e->object_room = objects;
    return true;
}

void vp_scene_events_release(vp_spheretree *t)
{
    vp_scene_events *e = &t->events;
    vp_release(&t->allocator, e->object, e->object_room, sizeof *e->object);
    vp_release(&t->allocator, e->contact, e->contact_room, sizeof *e->contact);
    vp_release(&t->allocator, e->event, e->event_room, sizeof *e->event);
    vp_release(&t->allocator, e->item, e->item_room, sizeof *e->item);
}

/* Makes room for that many more contacts and events. */
static bool reserve_changes(vp_spheretree *t, uint64_t begins, uint64_t ends)
{
    vp_scene_events *e = &t->events;
    const uint64_t contacts = e->contact_used + begins, events = e->event_count + begins + ends;
    if (contacts > e->contact_room + (uint64_t)e->contact_spare) {
        const uint64_t wanted = contacts + contacts / 2;
        if (wanted >= UINT32_MAX || !grow(&t->allocator, &e->contact, e->contact_room, (uint32_t)wanted, sizeof *e->contact))
            return false;
        e->contact_room = (uint32_t)wanted;
    }
    if (events > e->event_room) {
        const uint64_t wanted = events + events / 2;
        if (wanted >= UINT32_MAX || !grow(&t->allocator, &e->event, e->event_room, (uint32_t)wanted, sizeof *e->event))
            return false;
        e->event_room = (uint32_t)wanted;
    }
    return true;
}

/* ---- changes ---- */

void vp_scene_note_move(vp_spheretree *t, uint32_t id)
{
    vp_scene_events *e = &t->events;
    if (!e->on || (e->object[id].state & CHANGED) != 0)
        return;
    e->object[id].state |= CHANGED;
    e->object[e->changed_count++].changed = id;
}

void vp_scene_note_new(vp_spheretree *t, uint32_t id, uint32_t with)
{
    vp_scene_events *e = &t->events;
    if (!e->on)
        return;
    e->object[id].with = with != 0 ? with : t->object[id].mask;
    e->custom += e->object[id].with != t->object[id].mask;
    vp_scene_note_move(t, id);
}

void vp_scene_note_removal(vp_spheretree *t, uint32_t id)
{
    vp_scene_events *e = &t->events;
    if (!e->on)
        return;
    e->custom -= e->object[id].with != t->object[id].mask;
    vp_scene_note_move(t, id);
    e->object[id].state |= REMOVED;
}

/* ---- contacts ---- */

static int side_of(const vp_scene_contact *c, uint32_t id)
{
    return c->object[1] == id;
}

static void add_event(vp_scene_events *e, const vp_scene_contact *c, bool begins)
{
    e->event[e->event_count++] = (vp_spheretree_event){c->object[0], c->object[1], begins};
}

static void begin_contact(vp_scene_events *e, uint32_t a, uint32_t b)
{
    uint32_t at = e->contact_free;
    if (at == NO_CONTACT) {
        at = e->contact_used++;
    } else {
        e->contact_free = e->contact[at].next[0];
        e->contact_spare--;
    }
    vp_scene_contact *c = &e->contact[at];
    *c = (vp_scene_contact){{a < b ? a : b, a < b ? b : a}, {0, 0}, {NO_CONTACT, NO_CONTACT}};
    for (int side = 0; side < 2; side++) {
        const uint32_t id = c->object[side], next = e->object[id].first;
        c->next[side] = next;
        if (next != NO_CONTACT)
            e->contact[next].previous[side_of(&e->contact[next], id)] = at;
        e->object[id].first = at;
    }
    add_event(e, c, true);
}

static void end_contact(vp_scene_events *e, uint32_t at)
{
    vp_scene_contact *c = &e->contact[at];
    for (int side = 0; side < 2; side++) {
        const uint32_t id = c->object[side], next = c->next[side], previous = c->previous[side];
        if (next != NO_CONTACT)
            e->contact[next].previous[side_of(&e->contact[next], id)] = previous;
        if (previous != NO_CONTACT)
            e->contact[previous].next[side_of(&e->contact[previous], id)] = next;
        else
            e->object[id].first = next;
    }
    add_event(e, c, false);
    c->next[0] = e->contact_free;
    e->contact_free = at;
    e->contact_spare++;
}

static uint32_t next_contact(const vp_scene_events *e, uint32_t at, uint32_t id)
{
    return e->contact[at].next[side_of(&e->contact[at], id)];
}

static uint32_t other_of(const vp_scene_contact *c, uint32_t id)
{
    return c->object[!side_of(c, id)];
}

static uint32_t count_contacts(const vp_scene_events *e, uint32_t id)
{
    uint32_t count = 0;
    for (uint32_t at = e->object[id].first; at != NO_CONTACT; at = next_contact(e, at, id))
        count++;
    return count;
}

static bool is_there(const vp_spheretree *t, uint32_t id)
{
    return id < t->object_used && t->object[id].leaf != VP_SPHERETREE_NONE;
}

static bool is_paired(const vp_spheretree *t, uint32_t a, uint32_t b)
{
    return a != b && (t->object[a].mask & t->events.object[b].with) != 0 && (t->object[b].mask & t->events.object[a].with) != 0;
}

/* ---- one object ---- */

typedef struct event_filter {
    vp_spheretree_filter_fn *accept;
    void *user;
} event_filter;

/* Appends what a sphere or a triangle touches to the list of items. @return false without memory */
static bool find_items(vp_spheretree *t, uint32_t id, const vp_sphere *sphere, const vp_vec3 *corner, uint32_t *used)
{
    vp_scene_events *e = &t->events;
    const vp_spheretree_query query = {.mask = e->object[id].with};
    for (;;) {
        const uint32_t room = e->item_room - *used;
        vp_spheretree_item *out = e->item == NULL ? NULL : e->item + *used;
        const uint32_t count = sphere != NULL ? t->kernels.scene_sphere(&t->view, sphere, &query, out, room)
                                              : t->kernels.scene_triangle(&t->view, corner, &query, out, room);
        if (count <= room) {
            *used += count;
            return true;
        }
        const uint64_t wanted = ((uint64_t)*used + count) * 3 / 2;
        if (wanted >= UINT32_MAX || !grow(&t->allocator, &e->item, e->item_room, (uint32_t)wanted, sizeof *e->item))
            return false;
        e->item_room = (uint32_t)wanted;
    }
}

static bool find_touched(vp_spheretree *t, uint32_t id, uint32_t *used)
{
    const uint32_t leaf = t->object[id].leaf;
    *used = 0;
    if ((leaf & VP_SPHERETREE_MESH) == 0) {
        const vp_sphere sphere = t->view.wide != NULL ? vp_wide_sphere(t->view.wide, leaf) : t->view.node[leaf].bound;
        return find_items(t, id, &sphere, NULL, used);
    }
    const vp_triangles *triangles = &t->mesh[leaf & ~VP_SPHERETREE_MESH].triangles;
    for (uint32_t i = 0; i < triangles->triangle_count; i++) {
        uint32_t vertex[3];
        vp_triangle_corners(triangles, i, vertex);
        const vp_vec3 corner[3] = {triangles->vertex[vertex[0]], triangles->vertex[vertex[1]], triangles->vertex[vertex[2]]};
        if (!find_items(t, id, NULL, corner, used))
            return false;
    }
    return true;
}

/* Begins the contacts of an object with others that are not marked, and ends those with objects that are not found. There is room.
 * `first_alone`: only contacts whose object[0] it is. */
static void compare_contacts(vp_spheretree *t, uint32_t id, const uint32_t *other, size_t stride, uint32_t count,
                             const event_filter *filter, bool first_alone)
{
    vp_scene_events *e = &t->events;
    for (uint32_t at = e->object[id].first; at != NO_CONTACT; at = next_contact(e, at, id))
        e->object[other_of(&e->contact[at], id)].mark = HAS_CONTACT;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t with = other[i * stride];
        if (e->object[with].mark == HAS_CONTACT)
            e->object[with].mark = TOUCHES;
        if (e->object[with].mark != NONE_YET || !is_paired(t, id, with))
            continue;
        if (first_alone && ((e->object[id].state | e->object[with].state) & CHANGED) == 0)
            continue; /* the filter refused this pair before, and is asked again only after a change */
        const uint32_t a = id < with ? id : with, b = id < with ? with : id;
        const bool accepted = filter->accept == NULL || filter->accept(filter->user, a, b);
        e->object[with].mark = accepted ? TOUCHES : REFUSED;
        if (accepted)
            begin_contact(e, a, b);
    }
    for (uint32_t i = 0; i < count; i++)
        if (e->object[other[i * stride]].mark == REFUSED)
            e->object[other[i * stride]].mark = NONE_YET;
    for (uint32_t at = e->object[id].first, next; at != NO_CONTACT; at = next) {
        const uint32_t with = other_of(&e->contact[at], id);
        next = next_contact(e, at, id);
        if (e->object[with].mark == HAS_CONTACT && !(first_alone && with < id))
            end_contact(e, at);
        e->object[with].mark = NONE_YET;
    }
}

/* @return false without memory, with the object unchanged */
static bool end_removed(vp_spheretree *t, uint32_t id)
{
    vp_scene_events *e = &t->events;
    if ((e->object[id].state & REMOVED) == 0)
        return true;
    if (!reserve_changes(t, 0, count_contacts(e, id)))
        return false;
    while (e->object[id].first != NO_CONTACT)
        end_contact(e, e->object[id].first);
    e->object[id].state &= (uint8_t)~REMOVED;
    return true;
}

static bool update_object(vp_spheretree *t, uint32_t id, const event_filter *filter)
{
    vp_scene_events *e = &t->events;
    uint32_t used;
    if (!is_there(t, id))
        return true;
    if (!find_touched(t, id, &used) || !reserve_changes(t, used, count_contacts(e, id)))
        return false;
    compare_contacts(t, id, (const uint32_t *)e->item, sizeof *e->item / sizeof(uint32_t), used, filter, false);
    return true;
}

/* ---- all objects ---- */

/* The pairs of the whole tree, in lists by their lower object. @return false without memory */
static bool update_all(vp_spheretree *t, const event_filter *filter)
{
    vp_scene_events *e = &t->events;
    const uint32_t objects = t->object_used;
    uint32_t room = e->contact_used - e->contact_spare + objects / 2 + 64, count;
    vp_spheretree_pair *pair;
    for (;; room = count + count / 4) {
        pair = vp_allocate(&t->allocator, room, sizeof *pair);
        if (pair == NULL)
            return false;
        count = t->kernels.scene_pairs(&t->view, NULL, pair, room);
        if (count <= room)
            break;
        vp_release(&t->allocator, pair, room, sizeof *pair);
        if (count > UINT32_MAX / 2)
            return false;
    }
    uint32_t *end = vp_allocate_zero(&t->allocator, objects + 1, sizeof *end),
             *other = vp_allocate(&t->allocator, count + 1, sizeof *other);
    const bool all = end != NULL && other != NULL && reserve_changes(t, count, e->contact_used - e->contact_spare);
    if (all) {
        for (uint32_t i = 0; i < count; i++)
            end[pair[i].a.object]++;
        for (uint32_t id = 1; id < objects; id++)
            end[id] += end[id - 1];
        for (uint32_t i = count; i-- > 0;)
            other[--end[pair[i].a.object]] = pair[i].b.object;
        end[objects] = count;
        for (uint32_t id = 0; id < objects; id++)
            if (is_there(t, id))
                compare_contacts(t, id, other + end[id], 1, end[id + 1] - end[id], filter, true);
    }
    vp_release(&t->allocator, end, objects + 1, sizeof *end);
    vp_release(&t->allocator, other, count + 1, sizeof *other);
    vp_release(&t->allocator, pair, room, sizeof *pair);
    return all;
}

static bool update(vp_spheretree *t, const event_filter *filter)
{
    enum { MANY = 6 /* estimate: one search of the whole tree costs as much as searches for a sixth of its objects */ };
    vp_scene_events *e = &t->events;
    for (uint32_t i = 0; i < e->changed_count; i++)
        if (!end_removed(t, e->object[i].changed))
            return false;
    if (e->changed_count > t->objects / MANY + 8 && e->custom == 0) {
        if (!update_all(t, filter))
            return false;
        for (uint32_t i = 0; i < e->changed_count; i++)
            e->object[e->object[i].changed].state = 0;
        e->changed_count = 0;
    }
    for (; e->changed_count > 0; e->changed_count--) {
        const uint32_t id = e->object[e->changed_count - 1].changed;
        if (!update_object(t, id, filter))
            return false;
        e->object[id].state = 0;
    }
    return true;
}

vp_status vp_spheretree_events(vp_spheretree *t, vp_spheretree_filter_fn *accept, void *user, const vp_spheretree_event **out,
                               uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "tree, out, count", t, out, count);
    const event_filter filter = {accept, user};
    vp_scene_events *e = &t->events;
    if (!e->on)
        return vp_fail(error, VP_E_ARGUMENT, "vp_spheretree_def.events is false; must be true for events");
    if (!e->is_partial)
        e->event_count = 0;
    e->is_partial = !update(t, &filter);
    if (e->is_partial)
        return vp_fail(error, VP_E_MEMORY, "no memory for the contacts of %" PRIu32 " objects", t->objects);
    *out = e->event;
    *count = e->event_count;
    return vp_succeed(error);
}
