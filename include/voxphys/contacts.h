/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_CONTACTS_H
#define VOXPHYS_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/broadphase.h>
#include <voxphys/geometry.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/world.h>

/** @file
 *  Contact manager: finds overlaps of objects with chunks (chunk contacts), reports them as events, and wakes bodies after edits. Contact
 *  points: manifold.h.
 *
 *      vp_contacts_def def = {.broadphase = vp_terrain_broadphase(terrain), .margin = 0.02f};
 *      vp_contacts_create(&def, &contacts, &error);
 *      vp_contacts_add(contacts, &box, &object, &error);
 *      event = vp_contacts_events(contacts, &count);
 *
 *  A chunk contact lasts while an object's box, grown by one voxel, touches a set bit of the chunk. A sleeping object costs nothing until
 *  an edit in its reach, which is box + margin + 2 voxels (docs/CONTRACT.md, WAK-1). Events come in the order of calls, then by object,
 *  VP_CONTACT_WOKE first, then by chunk, solid before water. Threads can use different managers at once. On a shared terrain hold a reader
 *  during create, add, move and terrain_changed (docs/kernels/terrain.md). VP_E_ARGUMENT is also for an unknown object or an uncreated
 *  set. */

#ifdef __cplusplus
extern "C" {
#endif

/** Contact manager. */
typedef struct vp_contacts vp_contacts;

/** Surface of a contact. */
typedef enum vp_contact_kind { VP_CONTACT_SOLID = 0, VP_CONTACT_WATER = 1 } vp_contact_kind;

/** Chunk contact. */
typedef struct vp_contact {
    uint64_t id; /**< Unique, never 0. */
    uint32_t object;
    uint32_t chunk;
    vp_contact_kind kind;
} vp_contact;

/** Event's kind. Edits cause VP_CONTACT_WOKE. */
typedef enum vp_contact_change { VP_CONTACT_BEGIN = 0, VP_CONTACT_END = 1, VP_CONTACT_WOKE = 2 } vp_contact_change;

/** Change of a contact. */
typedef struct vp_contact_event {
    vp_contact_change change;
    vp_contact contact; /**< For VP_CONTACT_WOKE only `object`. */
} vp_contact_event;

/** Manager settings. */
typedef struct vp_contacts_def {
    const vp_broadphase *broadphase; /**< Must outlive the manager. */
    float margin;                    /**< Largest margin of the manifolds that you compute, >= 0. */
    const vp_allocator *allocator;
} vp_contacts_def;

/** Creates a contact manager. Takes 4 bytes a chunk.
 *  @return VP_E_ARGUMENT for a missing broadphase or an invalid margin */
VP_API vp_status vp_contacts_create(const vp_contacts_def *def, vp_contacts **out, vp_error *error);
/** Destroys a contact manager. */
VP_API void vp_contacts_destroy(vp_contacts *contacts);

/** Adds an awake object with the lowest free number. The box can be outside the world or infinite. Cost: O(chunks under the box). */
VP_API vp_status vp_contacts_add(vp_contacts *contacts, const vp_aabb *box, uint32_t *object, vp_error *error);

/** Moves and wakes an object, without VP_CONTACT_WOKE. Cost: O(chunks under both boxes). */
VP_API vp_status vp_contacts_move(vp_contacts *contacts, uint32_t object, const vp_aabb *box, vp_error *error);

/** Removes an object and frees its number. */
VP_API vp_status vp_contacts_remove(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Puts an object to sleep until it moves or an edit wakes it. */
VP_API vp_status vp_contacts_sleep(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Returns whether an object exists and is awake. */
VP_API bool vp_contacts_awake(const vp_contacts *contacts, uint32_t object);

/** Updates contacts after edits, and wakes sleeping objects with a changed voxel in their reach. Call it before anything moves. */
VP_API vp_status vp_contacts_terrain_changed(vp_contacts *contacts, const vp_chunk_set *stale, vp_error *error);

/** Lists all objects with a changed voxel in their reach, ascending. Wakes none. */
VP_API vp_status vp_contacts_objects_over(vp_contacts *contacts, const vp_chunk_set *set, uint32_t *out, uint32_t capacity, uint32_t *count,
                                          vp_error *error);

/** Returns the events since the last clear, oldest first. Valid until the contacts change. */
VP_API const vp_contact_event *vp_contacts_events(const vp_contacts *contacts, uint32_t *count);
/** Clears the events. */
VP_API void vp_contacts_clear_events(vp_contacts *contacts);

/** Lists an object's contacts by chunk, solid before water. Returns the total, 0 for an unknown object. */
VP_API uint32_t vp_contacts_of(const vp_contacts *contacts, uint32_t object, vp_contact *out, uint32_t capacity);

/** Counts the objects. */
VP_API uint32_t vp_contacts_object_count(const vp_contacts *contacts);

#ifdef __cplusplus
}
#endif

#endif
