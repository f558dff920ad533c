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
 *  Contact manager (voxel terrain article, "Bit broadphase: overlap test"): contacts between objects and chunks, kept up to date while
 *  objects move and terrain is edited, and reported as events.
 *
 *      vp_contacts_def def = {.broadphase = vp_terrain_broadphase(terrain), .margin = 0.02f};
 *      vp_contacts_create(&def, &contacts, &error);
 *      vp_contacts_add(contacts, &box, &object, &error);
 *      const vp_contact_event *event = vp_contacts_events(contacts, &count);
 *
 *  An object and a chunk have up to two contacts, with solid and with water. A contact begins when the object's box, grown by one voxel,
 *  touches a set bit of the chunk, and ends when it no longer does. It keeps its id in between. A sleeping object costs nothing until an
 *  edit in its reach. An object whose reach covers more than 64 chunks adds a look at the set to every edit.
 *
 *  Waking. An object's reach is its box grown by two voxels and the margin. An edit wakes every sleeping object with a changed voxel in
 *  reach, so also all whose contacts or triangles within the margin change. Sets keep changed layers of chunks, not voxels, so an object is
 *  also woken by changed layers in its reach on all three axes. Objects that lie on a woken one are woken by the solver's islands.
 *
 *  Order. Events come in the order of the calls, within a call by object, then VP_CONTACT_WOKE, then by chunk, solid before water. One call
 *  reports at most one event for an object, a chunk and a kind. The same calls report the same events, with all kernels.
 *
 *  Terrain edited by other threads (terrain.h). Create, add, move and terrain_changed read the broadphase, so call them while reading. Pass
 *  one vp_chunk_set as `stale` to all edits, empty before the first object is added. One thread then runs, as often as it likes:
 *
 *      vp_terrain_acquire_reader(terrain, &reader);
 *      if (vp_contacts_terrain_changed(contacts, &stale, &error) == VP_OK)
 *          vp_chunk_set_clear(&stale);            // while reading, so that no edit is lost
 *      vp_contacts_move(contacts, ...);           // and add, and remove
 *      vp_terrain_release_reader(&reader);
 *
 *  Several contact managers need a set each, or all take the same set before it is cleared. A manager takes 4 bytes a chunk in addition to
 *  objects and contacts. Threads can use different managers at once, and read one that nobody changes. */

#ifdef __cplusplus
extern "C" {
#endif

/** Contact manager. */
typedef struct vp_contacts vp_contacts;

/** Kind of a contact. */
typedef enum vp_contact_kind { VP_CONTACT_SOLID = 0, VP_CONTACT_WATER = 1 } vp_contact_kind;

/** Contact of an object with a chunk. */
typedef struct vp_contact {
    uint64_t id;          /**< Id, unique in its vp_contacts, never 0. */
    uint32_t object;      /**< Object number. */
    uint32_t chunk;       /**< Chunk number. */
    vp_contact_kind kind; /**< Solid or water. */
} vp_contact;

/** Kind of an event. */
typedef enum vp_contact_change {
    VP_CONTACT_BEGIN = 0, /**< The contact began. */
    VP_CONTACT_END = 1,   /**< The contact ended. */
    VP_CONTACT_WOKE = 2   /**< An edit woke the object, whether or not its contacts change. */
} vp_contact_change;

/** Event. */
typedef struct vp_contact_event {
    vp_contact_change change; /**< Kind of the event. */
    vp_contact contact;       /**< Contact. For VP_CONTACT_WOKE all fields but `object` are 0. */
} vp_contact_event;

/** Settings for vp_contacts_create. */
typedef struct vp_contacts_def {
    const vp_broadphase *broadphase; /**< Broadphase. Must outlive the manager. Report its changes to vp_contacts_terrain_changed. */
    float margin;                    /**< Maximum margin of the caller's manifolds, voxels. Finite, >= 0. Widens the reach. */
    const vp_allocator *allocator;   /**< NULL = malloc and free. */
} vp_contacts_def;

/** Creates a contact manager without objects. Cost: O(chunks).
 *  @return VP_E_ARGUMENT without a broadphase or if the margin is negative or not finite. VP_E_MEMORY */
VP_API vp_status vp_contacts_create(const vp_contacts_def *def, vp_contacts **out, vp_error *error);
/** Destroys a contact manager with its objects. NULL is a no-op. */
VP_API void vp_contacts_destroy(vp_contacts *contacts);

/** Adds an awake object and begins its contacts. Cost: O(chunks under the box).
 *  @param box     can lie outside the world and have infinite sides
 *  @param object  the lowest free object number
 *  @return VP_E_ARGUMENT for a box with a NaN or min > max. VP_E_MEMORY. Nothing is changed then */
VP_API vp_status vp_contacts_add(vp_contacts *contacts, const vp_aabb *box, uint32_t *object, vp_error *error);

/** Moves an object to a new box, wakes it without VP_CONTACT_WOKE, and ends and begins contacts. Cost: O(chunks under both boxes), and a
 *  comparison if the grown box covers the same voxels.
 *  @return VP_E_ARGUMENT for an unknown object or an invalid box. VP_E_MEMORY. Nothing is changed then */
VP_API vp_status vp_contacts_move(vp_contacts *contacts, uint32_t object, const vp_aabb *box, vp_error *error);

/** Removes an object, ends its contacts and frees its number. Cost: O(contacts).
 *  @return VP_E_ARGUMENT for an unknown object. VP_E_MEMORY. Nothing is changed then */
VP_API vp_status vp_contacts_remove(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Puts an object to sleep. Its contacts stay until it moves or the terrain in its reach is edited. Cost: O(1).
 *  @return VP_E_ARGUMENT for an unknown object */
VP_API vp_status vp_contacts_sleep(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Returns whether an object is awake, false for an unknown one. Cost: O(1). */
VP_API bool vp_contacts_awake(const vp_contacts *contacts, uint32_t object);

/** Ends and begins contacts after edits, and wakes the sleeping objects with a changed voxel in reach. Call it with the edits' set after
 *  vp_broadphase_update or edits of a terrain, before anything moves.
 *  Cost: O(chunks in the set + chunks of the world / 64 + objects / 64 + chunks under the boxes of these objects).
 *  @return VP_E_ARGUMENT for a set of another size or without memory. VP_E_MEMORY. Nothing is changed then */
VP_API vp_status vp_contacts_terrain_changed(vp_contacts *contacts, const vp_chunk_set *stale, vp_error *error);

/** Lists all objects with a changed voxel of a set in reach, whose manifolds can have changed, in ascending order. Wakes no object and
 *  allocates nothing. Counts as a change for threads, because it uses the manager's scratch memory.
 *  Cost: O(chunks in the set + chunks of the world / 64 + objects / 64 + objects over these chunks).
 *  @param set    set of an edit or of the caller. A chunk with `changed` 0 lists every object whose reach covers voxels of it
 *  @param out    the first `capacity` objects. Can be NULL if capacity is 0
 *  @param count  number of objects, can exceed capacity
 *  @return VP_E_ARGUMENT for a set of another size or without memory, or for a missing `out` */
VP_API vp_status vp_contacts_objects_over(vp_contacts *contacts, const vp_chunk_set *set, uint32_t *out, uint32_t capacity, uint32_t *count,
                                          vp_error *error);

/** Returns the events since the last clear, oldest first. Valid until the contacts change. Cost: O(1). @param count  number of events */
VP_API const vp_contact_event *vp_contacts_events(const vp_contacts *contacts, uint32_t *count);
/** Clears the events. */
VP_API void vp_contacts_clear_events(vp_contacts *contacts);

/** Lists the contacts of an object by ascending chunk, solid before water. Cost: O(contacts).
 *  @param out  the first `capacity` contacts. Can be NULL if capacity is 0
 *  @return the number of contacts, 0 for an unknown object */
VP_API uint32_t vp_contacts_of(const vp_contacts *contacts, uint32_t object, vp_contact *out, uint32_t capacity);

/** Returns the number of objects. */
VP_API uint32_t vp_contacts_object_count(const vp_contacts *contacts);

#ifdef __cplusplus
}
#endif

#endif
