/* SPDX-License-Identifier: MIT */
/* The chunks that an object's box touches, and the changes of its contacts: voxel terrain article, "Bit
 * broadphase: overlap test".
 *
 * The overlap kernel lists the chunks that a box touches. An object keeps its list with an id for each contact. Merging
 * the old list with the new one, both in ascending order of chunks, yields the changes. */
#include "src/broadphase/contacts_internal.h"

#include <math.h>
#include <string.h>

static const uint32_t touch_bit[2] = {[VP_CONTACT_SOLID] = VP_TOUCH_SOLID, [VP_CONTACT_WATER] = VP_TOUCH_WATER};

/* ---- covered and touched chunks ---- */

vp_cover vp_contacts_cover(vp_dims chunks, const vp_aabb *box, float margin, int voxels)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    const uint32_t extent[3] = {chunks.x, chunks.y, chunks.z};
    vp_cover c;
    for (int axis = 0; axis < 3; axis++) {
        double end = (double)extent[axis] * (double)VP_CHUNK_EDGE - 1;
        double first = floor((double)low[axis] - margin) - voxels, last = floor((double)high[axis] + margin) + voxels;
        if (last < 0 || first > end)
            return vp_nothing;
        c.first[axis] = first < 0 ? 0 : (int32_t)first;
        c.last[axis] = last > end ? (int32_t)end : (int32_t)last;
    }
    return c;
}

bool vp_contacts_find(vp_contacts *c, const vp_aabb *box, uint32_t from, uint32_t *count)
{
    vp_broadphase_view bits = vp_broadphase_bits(c->broadphase);
    const vp_kernels *kernels = vp_broadphase_kernels(c->broadphase);
    if (!vp_contacts_reserve_touches(c, (uint64_t)from + 1))
        return false;
    *count = kernels->overlap_chunks(&bits, box, c->touch + from, c->touch_capacity - from);
    if (*count <= c->touch_capacity - from)
        return true;
    if (!vp_contacts_reserve_touches(c, (uint64_t)from + *count))
        return false;
    *count = kernels->overlap_chunks(&bits, box, c->touch + from, c->touch_capacity - from);
    return true;
}

/* ---- old against new ---- */

static uint32_t touch_of(const vp_pair *pair)
{
    return (pair->id[VP_CONTACT_SOLID] != 0 ? VP_TOUCH_SOLID : 0u) | (pair->id[VP_CONTACT_WATER] != 0 ? VP_TOUCH_WATER : 0u);
}

static uint32_t count_bits(uint32_t touch)
{
    return (touch & 1) + (touch >> 1 & 1);
}

vp_change vp_contacts_compare(const vp_object *o, const vp_chunk_touch *touch, uint32_t count)
{
    vp_change change = {0, 0};
    uint32_t p = 0, t = 0;
    while (p < o->pair_count || t < count) {
        bool has_old = p < o->pair_count && (t == count || o->pair[p].chunk <= touch[t].chunk);
        bool has_new = t < count && (p == o->pair_count || touch[t].chunk <= o->pair[p].chunk);
        uint32_t before = has_old ? touch_of(&o->pair[p]) : 0, after = has_new ? touch[t].touch : 0;
        change.events += count_bits(before ^ after);
        change.pairs++;
        p += has_old;
        t += has_new;
    }
    return change;
}

static void append_event(vp_contacts *c, vp_contact_change change, vp_contact contact)
{
    c->event[c->event_count++] = (vp_contact_event){change, contact};
}

void vp_contacts_wake(vp_contacts *c, uint32_t object)
{
    c->object[object].awake = true;
    append_event(c, VP_CONTACT_WOKE, (vp_contact){.object = object});
}

/* Ends and begins the contacts of one pair, as its new touch requires. */
static void change_pair(vp_contacts *c, uint32_t object, vp_pair *pair, uint32_t touch)
{
    for (int kind = VP_CONTACT_SOLID; kind <= VP_CONTACT_WATER; kind++) {
        bool now = (touch & touch_bit[kind]) != 0;
        if (now == (pair->id[kind] != 0))
            continue;
        uint64_t id = now ? c->next_id++ : pair->id[kind];
        append_event(c, now ? VP_CONTACT_BEGIN : VP_CONTACT_END,
                     (vp_contact){.id = id, .object = object, .chunk = pair->chunk, .kind = (vp_contact_kind)kind});
        pair->id[kind] = now ? id : 0;
    }
}

void vp_contacts_change(vp_contacts *c, uint32_t object, const vp_chunk_touch *touch, uint32_t count)
{
    vp_object *o = &c->object[object];
    /* The old pairs go to the end of the array, and the merged ones are written from its beginning. The written and the
       unread pairs are parts of both lists together, so the writes never reach the unread pairs. */
    uint32_t end = o->pair_capacity, p = end - o->pair_count, t = 0, kept = 0;
    if (o->pair_count != 0)
        memmove(o->pair + p, o->pair, o->pair_count * sizeof *o->pair);
    while (p < end || t < count) {
        bool has_old = p < end && (t == count || o->pair[p].chunk <= touch[t].chunk);
        bool has_new = t < count && (p == end || touch[t].chunk <= o->pair[p].chunk);
        vp_pair pair = has_old ? o->pair[p] : (vp_pair){touch[t].chunk, {0, 0}};
        uint32_t after = has_new ? touch[t].touch : 0;
        p += has_old;
        t += has_new;
        change_pair(c, object, &pair, after);
        if (after != 0)
            o->pair[kept++] = pair;
    }
    o->pair_count = kept;
}
