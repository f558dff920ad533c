/* SPDX-License-Identifier: MIT */
/* Internals of a contact manager, for contacts.c (objects, contacts, events) and contact_index.c (objects
   over a chunk). */
#ifndef VP_BROADPHASE_CONTACTS_INTERNAL_H
#define VP_BROADPHASE_CONTACTS_INTERNAL_H

#include <voxphys/contacts.h>

/* A contact begins in a voxel at most one beyond the box's, for a changed voxel at most one beyond that. The surface inside a box
   depends on voxels less than 1.5 from it. */
#define VP_CONTACTS_REACH 2

#define VP_NONE UINT32_MAX /* the end of a list of nodes */

/* The contacts of one object with one chunk. Ids by vp_contact_kind, 0 for none. */
typedef struct vp_pair {
    uint32_t chunk;
    uint64_t id[2];
} vp_pair;

/* The voxels or chunks x, y, z that a grown box covers, first and last on each axis, cut to the world. first[0] > last[0] = none. */
typedef struct vp_cover {
    int32_t first[3], last[3];
} vp_cover;

typedef struct vp_object {
    vp_aabb box;
    vp_cover voxels; /* where its contacts are, the box grown by one voxel */
    vp_cover reach;  /* where a changed voxel wakes it; contains `voxels` */
    vp_pair *pair;   /* by ascending chunk */
    uint32_t pair_count, pair_capacity;
    uint32_t first_node; /* of its nodes in the index */
    bool awake;
} vp_object;

/* States that an object lies over a chunk. It is in the chunk's list, in both directions, and in the object's. */
typedef struct vp_node {
    uint32_t object;
    uint32_t list; /* the chunk's number, or the chunk count for the list of wide objects */
    uint32_t previous, next;
    uint32_t next_of_object;
} vp_node;

struct vp_contacts {
    const vp_broadphase *broadphase;
    vp_dims chunks;
    float margin;
    vp_allocator allocator;
    uint64_t next_id;

    vp_object *object;
    uint64_t *used;           /* one bit an object */
    uint64_t *marked;         /* one bit an object whose contacts may change; all 0 between calls */
    uint64_t *met;            /* one bit an object with a changed voxel within its reach; all 0 between calls */
    uint32_t object_capacity; /* a multiple of 64 */
    uint32_t object_count;
    uint32_t lowest_word; /* no word of `used` below it has a 0 */

    uint32_t *head; /* the first node over each chunk, then that of the wide objects */
    vp_node *node;
    uint32_t node_capacity, node_end;    /* nodes allocated, and the end of used nodes */
    uint32_t free_node, free_node_count; /* free nodes, linked by `next` */

    vp_chunk_touch *touch; /* scratch for the broadphase's results */
    uint32_t touch_capacity;

    vp_contact_event *event;
    uint32_t event_count, event_capacity;
};

/* The cover of a box outside the world. */
static const vp_cover vp_nothing = {{1, 1, 1}, {0, 0, 0}};

/* ---- contact_memory.c ---- */

/* A new array of at least `wanted` elements that begins with the first `keep` of the old one, and its capacity. NULL
   without memory, or if `wanted` is far beyond 32 bits. The caller releases the old array. */
void *vp_contacts_grow(const vp_allocator *allocator, const void *old, size_t keep, uint64_t wanted, size_t size, uint32_t *capacity);
/* Make room for that many touches in the scratch array, more events, and pairs of an object. */
bool vp_contacts_reserve_touches(vp_contacts *c, uint64_t wanted);
bool vp_contacts_reserve_events(vp_contacts *c, uint64_t more);
bool vp_contacts_reserve_pairs(vp_contacts *c, vp_object *o, uint32_t wanted);
/* Makes room for one more object, in the four arrays that have one element or one bit for each. */
bool vp_contacts_reserve_object(vp_contacts *c);

/* ---- contact_changes.c ---- */

/* The voxels floor(min - margin) - voxels .. floor(max + margin) + voxels on each axis, cut to the world. With a margin
   of 0 and 1 voxel they equal those of the overlap kernels. */
vp_cover vp_contacts_cover(vp_dims chunks, const vp_aabb *box, float margin, int voxels);
/* Appends the chunks that a box touches to the first `from` touches in the scratch array. @return false
   without memory */
bool vp_contacts_find(vp_contacts *c, const vp_aabb *box, uint32_t from, uint32_t *count);

/* The change from an object's contacts to new touches. */
typedef struct vp_change {
    uint64_t events;
    uint32_t pairs; /* number of chunks of the old and the new pairs together */
} vp_change;

vp_change vp_contacts_compare(const vp_object *o, const vp_chunk_touch *touch, uint32_t count);
/* Replaces an object's touches and appends the events. The event array has room for them, and the object's pair array
   for the old and the new pairs together. */
void vp_contacts_change(vp_contacts *c, uint32_t object, const vp_chunk_touch *touch, uint32_t count);
/* Wakes an object and appends the event. The event array has room for it. */
void vp_contacts_wake(vp_contacts *c, uint32_t object);

/* ---- contact_index.c ---- */

/* Makes room so that an object can be moved from one cover to another without allocating. */
bool vp_contact_index_reserve(vp_contacts *c, const vp_cover *from, const vp_cover *to);
/* Enters an object under its reach, and removes it. */
void vp_contact_index_enter(vp_contacts *c, uint32_t object);
void vp_contact_index_leave(vp_contacts *c, uint32_t object);
/* Whether two covers of voxels lie over the same chunks. */
bool vp_contact_index_same(const vp_cover *a, const vp_cover *b);
/* Sets the bits in `marked` of objects whose `voxels` lie over chunks of the set. Sets the bits in `met` of those with
   a changed voxel in reach. */
void vp_contact_index_mark(vp_contacts *c, const vp_chunk_set *stale);

#endif
