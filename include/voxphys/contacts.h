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
 *  Contact management (voxel terrain article, "Bit broadphase: overlap test"): which objects touch which chunks, kept
 *  up to date as objects move and terrain is edited, told as begin and end events.
 *
 *  An object and a chunk have at most two contacts: one with the chunk's solid, one with its water. A contact begins
 *  when the object's box, grown by one voxel, comes to touch a set bit of the chunk, and ends when it no longer does;
 *  in between it keeps its id, however the object moves. An object that is asleep costs nothing until a chunk in its
 *  reach is edited. An object whose reach covers more than 64 chunks, asleep or not, costs every edit a look at the set.
 *
 *  **Waking.** An object's reach is its box grown by two voxels and vp_contacts_def.margin. An edit wakes every sleeping object
 *  that has a changed voxel in reach: one with another material or occupancy. So it wakes all objects whose contacts it changes, and
 *  all that have a changed triangle within the margin of their box. A set keeps the changed layers of each chunk, not voxels, so
 *  an object is also woken if a chunk has changed layers in its reach on all three axes. An edit wakes no objects that
 *  merely lie on a woken one: the solver's islands do.
 *
 *  Events come in the order of the calls. Within a call they are in ascending order of objects (only an edit concerns
 *  several), then VP_CONTACT_WOKE, then by chunks, then solid before water. One call gives at most one event for an object, a
 *  chunk and a kind. Begun contacts get their ids in this order. The same calls give the same events, whatever the kernels.
 *
 *  **A terrain that others edit** (terrain.h). The broadphase is vp_terrain_broadphase. Create, add, move and terrain_changed read it, and
 *  are called between vp_terrain_begin_reading and vp_terrain_end_reading, so that no edit comes in between; the other functions
 *  need not be. All edits, of whatever thread, get the same vp_chunk_set as `stale`, which begins empty before the first object is
 *  added. One thread then does, as often as it likes:
 *
 *      vp_terrain_begin_reading(terrain, &reader);
 *      if (vp_contacts_terrain_changed(contacts, &stale, &error) == VP_OK)
 *          vp_chunk_set_clear(&stale);            // while still reading: no edit is lost in between
 *      vp_contacts_move(contacts, ...);           // and add, and remove: any number
 *      vp_terrain_end_reading(&reader);
 *
 *  From terrain_changed until end_reading the contacts are those of the terrain as it is read. Several contact managers have a
 *  set each, or all take the same one before it is cleared.
 *
 *  Besides the objects and their contacts, a contact manager takes 4 bytes a chunk. Distinct contact managers can be
 *  used by several threads at once; one can be read by several, if none changes it. */

#ifdef __cplusplus
extern "C" {
#endif

/** Objects and what they touch. */
typedef struct vp_contacts vp_contacts;

/** What an object touches. */
typedef enum vp_contact_kind { VP_CONTACT_SOLID = 0, VP_CONTACT_WATER = 1 } vp_contact_kind;

/** One object touching one chunk. */
typedef struct vp_contact {
    uint64_t id;          /**< Never used for another contact of the same vp_contacts; never 0. */
    uint32_t object;      /**< The object's number. */
    uint32_t chunk;       /**< The chunk's number in its world. */
    vp_contact_kind kind; /**< What of the chunk it touches. */
} vp_contact;

/** Kind of an event. */
typedef enum vp_contact_change {
    VP_CONTACT_BEGIN = 0, /**< The contact began. */
    VP_CONTACT_END = 1,   /**< The contact ended. */
    VP_CONTACT_WOKE = 2   /**< An edit woke the object, whether or not its contacts change. */
} vp_contact_change;

/** An event. */
typedef struct vp_contact_event {
    vp_contact_change change; /**< Kind of the event. */
    vp_contact contact;       /**< The contact. VP_CONTACT_WOKE: the object; all other fields are 0. */
} vp_contact_event;

/** What a contact manager works on. */
typedef struct vp_contacts_def {
    const vp_broadphase *broadphase; /**< Kept: the object must live as long as the contacts are used. It may change in between, as
                                          vp_contacts_terrain_changed is told. */
    float margin;                    /**< Largest margin of the caller's manifolds, voxels; finite, >= 0. It widens the reach of waking. */
    const vp_allocator *allocator;   /**< NULL: C's own. */
} vp_contacts_def;

/** Makes a contact manager without objects. O(chunks).
 *  @return VP_E_ARGUMENT without a broadphase or for a negative or infinite margin, VP_E_MEMORY. */
VP_API vp_status vp_contacts_create(const vp_contacts_def *def, vp_contacts **out, vp_error *error);
/** Frees it with its objects; NULL is left alone. */
VP_API void vp_contacts_destroy(vp_contacts *contacts);

/** Adds an object, awake, and begins its contacts. O(chunks under the box). The box may lie outside the world or reach
 *  into infinity.
 *  @param object  receives its number: the lowest that is free
 *  @return VP_E_ARGUMENT for an invalid box (NaN, min > max), VP_E_MEMORY; then nothing is changed. */
VP_API vp_status vp_contacts_add(vp_contacts *contacts, const vp_aabb *box, uint32_t *object, vp_error *error);

/** Moves an object to a new box, wakes it, and ends and begins contacts. There is no VP_CONTACT_WOKE. O(chunks under the old and
 *  the new box); a move that leaves the grown box over the same voxels costs a comparison.
 *  @return VP_E_ARGUMENT for an unknown object or an invalid box, VP_E_MEMORY; then nothing is changed. */
VP_API vp_status vp_contacts_move(vp_contacts *contacts, uint32_t object, const vp_aabb *box, vp_error *error);

/** Takes an object out and ends its contacts. Its number becomes free. O(contacts).
 *  @return VP_E_ARGUMENT for an unknown object, VP_E_MEMORY; then nothing is changed. */
VP_API vp_status vp_contacts_remove(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Puts an object to sleep: its contacts stay as they are until it moves or the terrain in its reach is edited. O(1).
 *  @return VP_E_ARGUMENT for an unknown object. */
VP_API vp_status vp_contacts_sleep(vp_contacts *contacts, uint32_t object, vp_error *error);

/** Whether an object is awake; false for an unknown one. O(1). */
VP_API bool vp_contacts_awake(const vp_contacts *contacts, uint32_t object);

/** Ends and begins contacts after edits, and wakes the sleeping objects with a changed voxel in reach. Call it with the edits' set
 *  after vp_broadphase_update or edits of a terrain, before anything moves.
 *  O(chunks in the set + size of the set / 64 + objects / 64 + chunks under the boxes of these objects).
 *  @return VP_E_ARGUMENT for a set of another size or without memory, VP_E_MEMORY; then nothing is changed. */
VP_API vp_status vp_contacts_terrain_changed(vp_contacts *contacts, const vp_chunk_set *stale, vp_error *error);

/** Lists the objects, asleep or awake, with a changed voxel of a set in reach, in ascending order: those of which manifolds may
 *  have changed. Nothing is allocated and no object is woken, but the call uses the manager's scratch memory, so it counts as a change
 *  for threads. O(chunks in the set + size of the set / 64 + objects / 64 + objects over these chunks).
 *  @param set    an edit's, or the caller's: a chunk with `changed` 0 lists every object whose reach covers voxels of it
 *  @param out    the first `capacity` objects; may be NULL if that is 0
 *  @param count  number of objects, which may be more than `capacity`
 *  @return VP_E_ARGUMENT for a set of another size or without memory, or for no `out`. */
VP_API vp_status vp_contacts_objects_over(vp_contacts *contacts, const vp_chunk_set *set, uint32_t *out, uint32_t capacity, uint32_t *count,
                                          vp_error *error);

/** The events since the last clear, oldest first; valid until the next call that changes the contacts. O(1).
 *  @param count  receives how many there are */
VP_API const vp_contact_event *vp_contacts_events(const vp_contacts *contacts, uint32_t *count);
/** Forgets the events. */
VP_API void vp_contacts_clear_events(vp_contacts *contacts);

/** An object's contacts, by ascending chunk, solid before water; at most `capacity` are written. `out` may be NULL if
 *  that is 0. O(contacts).
 *  @return how many there are; 0 for an unknown object */
VP_API uint32_t vp_contacts_of(const vp_contacts *contacts, uint32_t object, vp_contact *out, uint32_t capacity);

/** How many objects there are. */
VP_API uint32_t vp_contacts_object_count(const vp_contacts *contacts);

#ifdef __cplusplus
}
#endif

#endif
