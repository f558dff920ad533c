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

/** @file contacts.h
 *  Contact manager: contacts between objects and chunks, kept up to date while objects move and terrain is edited, as events.
 *
 *      vp_contacts_def def = {.broadphase = vp_terrain_broadphase(terrain), .margin = 0.02f};
 *      vp_contacts_create(&def, &contacts, &error);
 *      vp_contacts_add(contacts, &box, &object, &error);
 *      const vp_contact_event *event = vp_contacts_events(contacts, &count);
 *
 *  A contact begins when an object's box, grown by one voxel, touches a set bit of a chunk, and ends when it no longer does. It keeps its
 *  id in between. A sleeping object costs nothing until an edit in its reach (docs/CONTRACT.md, WAK).
 *
 *  Events come in the order of calls, then by object, VP_CONTACT_WOKE first, then by chunk, solid before water. A call reports at most one
 *  event for an object, a chunk and a kind.
 *
 *  Threads can use different managers at once, and read one that nobody changes. With a terrain that other threads edit, see
 *  docs/kernels/terrain.md. */

#ifdef __cplusplus
extern "C" {
#endif

/** Contact manager. */
typedef struct vp_contacts vp_contacts;

/** Kind of a contact. */
typedef enum vp_contact_kind { VP_CONTACT_SOLID = 0, VP_CONTACT_WATER = 1 } vp_contact_kind;

/** Contact of an object with a chunk. */
typedef struct vp_contact {
    uint64_t id;          /**< Unique in its vp_contacts, never 0. */
    uint32_t object;      /**< Object number. */
    uint32_t chunk;       /**< Chunk number. */
    vp_contact_kind kind; /**< Solid or water. */
} vp_contact;

/** Kind of an event. */
typedef enum vp_contact_change {
    VP_CONTACT_BEGIN = 0,
    VP_CONTACT_END = 1,
    VP_CONTACT_WOKE = 2 /**< An edit woke the object. */
} vp_contact_change;

/** Event. */
typedef struct vp_contact_event {
    vp_contact_change change; /**< Kind of the event. */
    vp_contact contact;       /**< For VP_CONTACT_WOKE all 0 except `object`. */
} vp_contact_event;

/** Settings for vp_contacts_create. */
typedef struct vp_contacts_def {
    const vp_broadphase *broadphase; /**< Must outlive the manager. Report its changes to vp_contacts_terrain_changed. */
    float margin;                    /**< Maximum margin of the caller's manifolds, voxels, >= 0. */
    const vp_allocator *allocator;   /**< NULL = malloc and free. */
} vp_contacts_def;

/** Creates a contact manager, 4 bytes a chunk. Cost: O(chunks).
 *  @return VP_E_ARGUMENT for a missing broadphase or an invalid margin
 *          VP_E_MEMORY */
VP_API vp_status vp_contacts_create(const vp_contacts_def *def, vp_contacts **out, vp_error *error);
/** Destroys a contact manager. NULL is a no-op. */
VP_API void vp_contacts_destroy(vp_contacts *contacts);

/** Adds an awake object and begins its contacts. Cost: O(chunks under the box).
 *  @param box     can lie outside the world and have infinite sides
 *  @param object  lowest free number
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max. Nothing is changed
 *          VP_E_MEMORY. Nothing is changed */
VP_API vp_status vp_contacts_add(vp_contacts *contacts, const vp_aabb *box, uint32_t *object, vp_error *error);

/** Moves an object, wakes it without an event, and updates its contacts. Cost: O(chunks under both boxes), O(1) within the same voxels.
 *  @return VP_E_ARGUMENT for an unknown object or an invalid box. Nothing is changed
 *          VP_E_MEMORY. Nothing is changed */
VP_API vp_status vp_contacts_move(vp_contacts *contacts, uint32_t object, const vp_aabb *box, vp_error *error);

/** Removes an object, ends its contacts and frees its number. Cost: O(contacts).
 *  @return VP_E_ARGUMENT for an unknown object
 *          VP_E_MEMORY. Nothing is changed */
VP_API vp_status vp_contacts_remove(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Puts an object to sleep. Its contacts stay until it moves or the terrain in its reach is edited. Cost: O(1).
 *  @return VP_E_ARGUMENT for an unknown object */
VP_API vp_status vp_contacts_sleep(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Returns whether an object is awake, false for an unknown one. Cost: O(1). */
VP_API bool vp_contacts_awake(const vp_contacts *contacts, uint32_t object);

/** Updates contacts after edits, and wakes sleeping objects with a changed voxel in reach. Call it after vp_broadphase_update or edits of a
 *  terrain, before anything moves. Cost: O(chunks in the set + (chunks of the world + objects) / 64 + chunks under these objects).
 *  @return VP_E_ARGUMENT for a set of another size or without memory. Nothing is changed
 *          VP_E_MEMORY. Nothing is changed */
VP_API vp_status vp_contacts_terrain_changed(vp_contacts *contacts, const vp_chunk_set *stale, vp_error *error);

/** Lists all objects with a changed voxel of a set in reach, in ascending order. Wakes none. For threads it counts as a change. Cost: as
 *  vp_contacts_terrain_changed.
 *  @param out    first objects [capacity]
 *  @param count  number of objects, can exceed capacity
 *  @return VP_E_ARGUMENT for a set of another size or without memory, or a missing `out` */
VP_API vp_status vp_contacts_objects_over(vp_contacts *contacts, const vp_chunk_set *set, uint32_t *out, uint32_t capacity, uint32_t *count,
                                          vp_error *error);

/** Returns the events since the last clear, oldest first. Valid until the contacts change. Cost: O(1). */
VP_API const vp_contact_event *vp_contacts_events(const vp_contacts *contacts, uint32_t *count);
/** Clears the events. */
VP_API void vp_contacts_clear_events(vp_contacts *contacts);

/** Lists the contacts of an object by ascending chunk, solid before water. Cost: O(contacts).
 *  @param out  first contacts [capacity]
 *  @return number of contacts, 0 for an unknown object */
VP_API uint32_t vp_contacts_of(const vp_contacts *contacts, uint32_t object, vp_contact *out, uint32_t capacity);

/** Returns the number of objects. */
VP_API uint32_t vp_contacts_object_count(const vp_contacts *contacts);

#ifdef __cplusplus
}
#endif

#endif
