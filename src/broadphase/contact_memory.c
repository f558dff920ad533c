/* SPDX-License-Identifier: MIT */
/* The memory of a contact manager. Arrays grow by half. A call allocates everything before it changes anything, so it
 * succeeds or fails as a whole. */
#include "src/broadphase/contacts_internal.h"

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/world/world_internal.h"

#include <float.h>
#include <string.h>

void *vp_contacts_grow(const vp_allocator *allocator, const void *old, size_t keep, uint64_t wanted, size_t size, uint32_t *capacity)
{
    uint64_t roomy = (wanted + wanted / 2 + 63) / 64 * 64;
    if (roomy > UINT32_MAX)
        return NULL;
    void *array = vp_allocate(allocator, (size_t)roomy, size);
    if (array == NULL)
        return NULL;
    if (keep != 0)
        memcpy(array, old, keep * size);
    *capacity = (uint32_t)roomy;
    return array;
}

bool vp_contacts_reserve_touches(vp_contacts *c, uint64_t wanted)
{
    if (wanted <= c->touch_capacity)
        return true;
    uint32_t capacity;
    vp_chunk_touch *touch = vp_contacts_grow(&c->allocator, c->touch, c->touch_capacity, wanted, sizeof *touch, &capacity);
    if (touch == NULL)
        return false;
    vp_release(&c->allocator, c->touch, c->touch_capacity, sizeof *touch);
    c->touch = touch;
    c->touch_capacity = capacity;
    return true;
}

bool vp_contacts_reserve_events(vp_contacts *c, uint64_t more)
{
    uint64_t wanted = c->event_count + more;
    if (wanted <= c->event_capacity)
        return true;
    uint32_t capacity;
    vp_contact_event *event = vp_contacts_grow(&c->allocator, c->event, c->event_count, wanted, sizeof *event, &capacity);
    if (event == NULL)
        return false;
    vp_release(&c->allocator, c->event, c->event_capacity, sizeof *event);
    c->event = event;
    c->event_capacity = capacity;
    return true;
}

bool vp_contacts_reserve_pairs(vp_contacts *c, vp_object *o, uint32_t wanted)
{
    if (wanted <= o->pair_capacity)
        return true;
    uint32_t capacity = wanted + wanted / 4 + 3;
    vp_pair *pair = vp_allocate(&c->allocator, capacity, sizeof *pair);
    if (pair == NULL)
        return false;
    if (o->pair_count != 0)
        memcpy(pair, o->pair, o->pair_count * sizeof *pair);
    vp_release(&c->allocator, o->pair, o->pair_capacity, sizeof *pair);
    o->pair = pair;
    o->pair_capacity = capacity;
    return true;
}

bool vp_contacts_reserve_object(vp_contacts *c)
{
    if (c->object_count < c->object_capacity)
        return true;
    uint32_t capacity;
    vp_object *object =
        vp_contacts_grow(&c->allocator, c->object, c->object_capacity, (uint64_t)c->object_capacity + 1, sizeof *object, &capacity);
    if (object == NULL)
        return false;
    size_t words = capacity / 64, old_words = c->object_capacity / 64;
    uint64_t *used = vp_allocate_zero(&c->allocator, words, sizeof *used);
    uint64_t *marked = vp_allocate_zero(&c->allocator, words, sizeof *marked);
    uint64_t *met = vp_allocate_zero(&c->allocator, words, sizeof *met);
    if (used == NULL || marked == NULL || met == NULL) {
        vp_release(&c->allocator, object, capacity, sizeof *object);
        vp_release(&c->allocator, used, words, sizeof *used);
        vp_release(&c->allocator, marked, words, sizeof *marked);
        vp_release(&c->allocator, met, words, sizeof *met);
        return false;
    }
    if (old_words != 0)
        memcpy(used, c->used, old_words * sizeof *used);
    vp_release(&c->allocator, c->object, c->object_capacity, sizeof *object);
    vp_release(&c->allocator, c->used, old_words, sizeof *used);
    vp_release(&c->allocator, c->marked, old_words, sizeof *marked);
    vp_release(&c->allocator, c->met, old_words, sizeof *met);
    memset(object + c->object_capacity, 0, (capacity - c->object_capacity) * sizeof *object);
    c->object = object;
    c->used = used;
    c->marked = marked;
    c->met = met;
    c->object_capacity = capacity;
    return true;
}

vp_status vp_contacts_create(const vp_contacts_def *def, vp_contacts **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    if (def->broadphase == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_contacts_def.broadphase is NULL");
    if (!(def->margin >= 0 && def->margin <= FLT_MAX))
        return vp_fail(error, VP_E_ARGUMENT, "vp_contacts_def.margin is %g: must be finite and >= 0", (double)def->margin);
    vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_dims chunks = vp_broadphase_bits(def->broadphase).chunks;
    size_t lists = vp_chunk_count(chunks) + 1;
    vp_contacts *c = vp_allocate_zero(&allocator, 1, sizeof *c);
    if (c != NULL) {
        c->broadphase = def->broadphase;
        c->chunks = chunks;
        c->margin = def->margin;
        c->allocator = allocator;
        c->next_id = 1;
        c->free_node = VP_NONE;
        c->head = vp_allocate(&allocator, lists, sizeof *c->head);
    }
    if (c == NULL || c->head == NULL) {
        vp_contacts_destroy(c);
        return vp_fail(error, VP_E_MEMORY, "no memory for contacts with %u x %u x %u chunks", chunks.x, chunks.y, chunks.z);
    }
    for (size_t i = 0; i < lists; i++)
        c->head[i] = VP_NONE;
    *out = c;
    return vp_succeed(error);
}

void vp_contacts_destroy(vp_contacts *contacts)
{
    vp_contacts *c = contacts;
    if (c == NULL)
        return;
    vp_allocator allocator = c->allocator;
    for (uint32_t i = 0; i < c->object_capacity; i++)
        vp_release(&allocator, c->object[i].pair, c->object[i].pair_capacity, sizeof(vp_pair));
    vp_release(&allocator, c->object, c->object_capacity, sizeof *c->object);
    vp_release(&allocator, c->used, c->object_capacity / 64, sizeof *c->used);
    vp_release(&allocator, c->marked, c->object_capacity / 64, sizeof *c->marked);
    vp_release(&allocator, c->met, c->object_capacity / 64, sizeof *c->met);
    vp_release(&allocator, c->head, vp_chunk_count(c->chunks) + 1, sizeof *c->head);
    vp_release(&allocator, c->node, c->node_capacity, sizeof *c->node);
    vp_release(&allocator, c->touch, c->touch_capacity, sizeof *c->touch);
    vp_release(&allocator, c->event, c->event_capacity, sizeof *c->event);
    vp_release(&allocator, c, 1, sizeof *c);
}
