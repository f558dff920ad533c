/* SPDX-License-Identifier: MIT */
/* Finds the parts that an edit cuts off. Breadth-first searches start all around the edit, and the search that has seen
 * the fewest voxels goes on. Searches that meet are joined. A search that reaches an anchor, or has seen as many voxels
 * as count as attached, is attached (HANGS) and stops. A search that runs out of voxels (RAN_DRY) is a loose region.
 *
 * The last search may stop early under three conditions: all regions were attached before the edit, it made no voxel
 * solid, and it removed no anchor. Then each region that the edit touched still has its anchor in one of its parts, and
 * a search runs in each part. If all others ran dry without an anchor, the last one must have it. */
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/narrowphase/regions_internal.h"

#define NONE UINT32_MAX

enum { TURN = 8 /* voxels that a search visits before the next search's turn */ };

typedef enum state { GOES_ON, HANGS, RAN_DRY } state;

/* A list of nodes. */
typedef struct chain {
    uint32_t first, last;
} chain;

typedef struct region_search {
    uint32_t parent; /* the search that it was joined to, or itself */
    uint32_t seen;   /* number of voxels seen */
    chain done;      /* voxels whose neighbours have been visited */
    chain queue;     /* the others, in the order in which they were seen */
    state state;
} region_search;

typedef struct chain_node {
    uint32_t voxel, next;
} chain_node;

/* The turn of a search. Each search that goes on has one. Others in the heap are outdated. */
typedef struct search_turn {
    uint32_t seen, search;
} search_turn;

/* Voxels in a page, which records the search that has seen each voxel of a chunk. */
enum { PAGE = VP_CHUNK_VOXELS };

typedef struct searching {
    const vp_regions_plan *plan;
    const vp_world *world;
    region_search *search;
    chain_node *node;
    search_turn *heap;
    uint32_t *owner;      /* PAGE each: 0, or a search's number + 1 */
    uint32_t *page_chunk; /* chunk of each page */
    uint32_t *table;      /* hash table of pages by chunk, with open addressing, NONE = empty, size a power of two */
    size_t search_room, node_room, heap_room, owner_room, page_room, cells;
    uint32_t searches, nodes, turns, pages;
    uint32_t going; /* number of searches that go on */
    bool any_hangs;
    bool last_may_stop;
} searching;

/* ---- memory ---- */

/* Ensures room for `more` further elements. */
static bool reserve_room(const vp_allocator *allocator, void **block, size_t *room, size_t count, size_t more, size_t size)
{
    if (count + more <= *room)
        return true;
    size_t larger = *room < 32 ? 32 : 2 * *room;
    larger = larger < count + more ? count + more : larger;
    void *fresh = vp_allocate(allocator, larger, size);
    if (fresh == NULL)
        return false;
    if (count != 0)
        memcpy(fresh, *block, count * size);
    vp_release(allocator, *block, *room, size);
    *block = fresh;
    *room = larger;
    return true;
}

#define GROW(s, block, room, count, more)                                                                                                  \
    reserve_room(&(s)->plan->allocator, (void **)&(s)->block, &(s)->room, (count), (more), sizeof *(s)->block)

static void end_searching(searching *s)
{
    const vp_allocator *a = &s->plan->allocator;
    vp_release(a, s->search, s->search_room, sizeof *s->search);
    vp_release(a, s->node, s->node_room, sizeof *s->node);
    vp_release(a, s->heap, s->heap_room, sizeof *s->heap);
    vp_release(a, s->owner, s->owner_room, sizeof *s->owner);
    vp_release(a, s->page_chunk, s->page_room, sizeof *s->page_chunk);
    vp_release(a, s->table, s->cells, sizeof *s->table);
}

static vp_status report_no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to search for loose regions");
}

/* ---- the search that has seen a voxel ---- */

static size_t cell_of(const searching *s, uint32_t chunk)
{
    size_t cell = (size_t)(chunk * UINT32_C(2654435769)) & (s->cells - 1);
    while (s->table[cell] != NONE && s->page_chunk[s->table[cell]] != chunk)
        cell = (cell + 1) & (s->cells - 1);
    return cell;
}

/* The table is at most half full. */
static bool grow_table(searching *s)
{
    if (2 * ((size_t)s->pages + 1) <= s->cells)
        return true;
    const size_t cells = s->cells == 0 ? 64 : 2 * s->cells;
    uint32_t *table = vp_allocate(&s->plan->allocator, cells, sizeof *table);
    if (table == NULL)
        return false;
    vp_release(&s->plan->allocator, s->table, s->cells, sizeof *s->table);
    s->table = table;
    s->cells = cells;
    for (size_t i = 0; i < cells; i++)
        table[i] = NONE;
    for (uint32_t p = 0; p < s->pages; p++)
        table[cell_of(s, s->page_chunk[p])] = p;
    return true;
}

/* The record of the search that has seen a voxel, valid until the next call. NULL without memory. */
static uint32_t *owner_of(searching *s, vp_ivec3 at)
{
    const size_t offset = vp_voxel_offset(s->world->chunks, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z);
    const uint32_t chunk = (uint32_t)(offset / PAGE);
    if (!grow_table(s))
        return NULL;
    const size_t cell = cell_of(s, chunk);
    if (s->table[cell] == NONE) {
        if (!GROW(s, owner, owner_room, (size_t)s->pages * PAGE, PAGE) || !GROW(s, page_chunk, page_room, s->pages, 1))
            return NULL;
        memset(s->owner + (size_t)s->pages * PAGE, 0, PAGE * sizeof *s->owner);
        s->page_chunk[s->pages] = chunk;
        s->table[cell] = s->pages++;
    }
    return s->owner + (size_t)s->table[cell] * PAGE + offset % PAGE;
}

/* ---- turns: a heap with the fewest voxels seen first, equal ones by number ---- */

static bool is_before(search_turn a, search_turn b)
{
    return a.seen != b.seen ? a.seen < b.seen : a.search < b.search;
}

/* There is always room, because a search has at most one turn. */
static void push_turn(searching *s, uint32_t number)
{
    const search_turn t = {s->search[number].seen, number};
    uint32_t i = s->turns++;
    for (; i > 0 && is_before(t, s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = t;
}

static search_turn pop_turn(searching *s)
{
    const search_turn first = s->heap[0], t = s->heap[--s->turns];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < s->turns && is_before(s->heap[child + 1], s->heap[child]))
            child++;
        if (child >= s->turns || !is_before(s->heap[child], t))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = t;
    return first;
}

/* ---- searches ---- */

static uint32_t root_of(searching *s, uint32_t number)
{
    while (s->search[number].parent != number)
        number = s->search[number].parent = s->search[s->search[number].parent].parent;
    return number;
}

static void link_node(searching *s, chain *list, uint32_t number)
{
    s->node[number].next = NONE;
    if (list->first == NONE)
        list->first = number;
    else
        s->node[list->last].next = number;
    list->last = number;
}

static void append_chain(searching *s, chain *list, chain other)
{
    if (other.first == NONE)
        return;
    if (list->first == NONE)
        list->first = other.first;
    else
        s->node[list->last].next = other.first;
    list->last = other.last;
}

static void hang_search(searching *s, uint32_t number)
{
    s->going -= s->search[number].state == GOES_ON;
    s->search[number].state = HANGS;
    s->any_hangs = true;
}

/* Joins two searches that met into the one that has seen more, or started first. Neither has run dry, because that one
 * would have seen where they meet. */
static void join_searches(searching *s, uint32_t a, uint32_t b)
{
    const bool swap = s->search[b].seen > s->search[a].seen || (s->search[b].seen == s->search[a].seen && b < a);
    const uint32_t number = swap ? b : a, other = swap ? a : b;
    region_search *to = &s->search[number], *from = &s->search[other];
    if (from->state == HANGS)
        hang_search(s, number);
    s->going -= from->state == GOES_ON;
    from->parent = number;
    to->seen += from->seen;
    append_chain(s, &to->done, from->done);
    append_chain(s, &to->queue, from->queue);
    if (to->seen >= s->plan->attached_from)
        hang_search(s, number);
}

/* Adds a solid voxel that no search has seen to a search. */
static vp_status add_seen_voxel(searching *s, uint32_t number, vp_ivec3 at, vp_error *error)
{
    if (s->nodes == s->plan->max_visited)
        return vp_fail(error, VP_E_LIMIT, "searches for loose regions have seen %u voxels, which is max_visited", s->nodes);
    if (!GROW(s, node, node_room, s->nodes, 1))
        return report_no_memory(error);
    s->node[s->nodes].voxel = vp_voxel_number(s->world->size, at);
    link_node(s, &s->search[number].queue, s->nodes++);
    s->search[number].seen++;
    if (s->search[number].seen >= s->plan->attached_from || vp_voxel_anchors(s->plan, s->world->size, at))
        hang_search(s, number);
    return VP_OK;
}

/* Starts a search at a voxel if it is in the world, solid and not seen. */
static vp_status begin_at(searching *s, vp_ivec3 at, vp_error *error)
{
    if (!vp_voxel_inside(s->world->size, at) || !vp_voxel_is_solid(s->world, at))
        return VP_OK;
    uint32_t *owner = owner_of(s, at);
    if (owner == NULL || !GROW(s, search, search_room, s->searches, 1))
        return report_no_memory(error);
    if (*owner != 0)
        return VP_OK;
    const uint32_t number = s->searches++;
    *owner = number + 1;
    s->search[number] = (region_search){.parent = number, .done = {NONE, NONE}, .queue = {NONE, NONE}, .state = GOES_ON};
    s->going++;
    return add_seen_voxel(s, number, at, error);
}

static const vp_ivec3 side_step[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}};

static vp_ivec3 step_across(vp_ivec3 at, int side)
{
    return (vp_ivec3){at.x + side_step[side].x, at.y + side_step[side].y, at.z + side_step[side].z};
}

/* Visits the neighbours of the next voxel of a search that goes on. */
static vp_status advance_search(searching *s, uint32_t number, vp_error *error)
{
    region_search *mine = &s->search[number];
    const uint32_t first = mine->queue.first;
    const vp_ivec3 at = vp_voxel_place(s->world->size, s->node[first].voxel);
    mine->queue.first = s->node[first].next;
    link_node(s, &mine->done, first);
    for (int side = 0; side < 6; side++) {
        const vp_ivec3 next = step_across(at, side);
        if (!vp_voxel_inside(s->world->size, next) || !vp_voxel_is_solid(s->world, next))
            continue;
        uint32_t *owner = owner_of(s, next);
        if (owner == NULL)
            return report_no_memory(error);
        const uint32_t root = root_of(s, number);
        if (*owner == 0) {
            *owner = root + 1;
            VP_RETURN_IF_FAILED(add_seen_voxel(s, root, next, error));
        } else if (root_of(s, *owner - 1) != root) {
            join_searches(s, root, root_of(s, *owner - 1));
        }
    }
    return VP_OK;
}

static bool is_decided(const searching *s)
{
    return s->going == 0 || (s->going == 1 && s->last_may_stop && !s->any_hangs);
}

/* Runs one search's turn. */
static vp_status advance_next(searching *s, vp_error *error)
{
    const search_turn t = pop_turn(s);
    const region_search *mine = &s->search[t.search];
    if (mine->parent != t.search || mine->state != GOES_ON)
        return VP_OK;
    if (mine->seen == t.seen)
        for (int i = 0; i < TURN && mine->parent == t.search && mine->state == GOES_ON && mine->queue.first != NONE && !is_decided(s); i++)
            VP_RETURN_IF_FAILED(advance_search(s, t.search, error));
    if (mine->parent != t.search || mine->state != GOES_ON)
        return VP_OK;
    if (mine->queue.first != NONE) {
        push_turn(s, t.search);
        return VP_OK;
    }
    s->search[t.search].state = RAN_DRY;
    s->going--;
    return VP_OK;
}

/* ---- the whole ---- */

static bool may_last_stop(const searching *s, const vp_ivec3 *at, const vp_voxel *was, size_t count)
{
    const vp_regions_plan *plan = s->plan;
    if (was == NULL || plan->loose_before || plan->attached_from != UINT32_MAX || (plan->small_stay && plan->least > 1))
        return false;
    for (size_t i = 0; i < count; i++) {
        const bool solid = vp_voxel_is_solid(s->world, at[i]), was_solid = was[i].material >= VP_FIRST_SOLID;
        if ((solid && !was_solid) || (was_solid && !solid && vp_voxel_anchors(plan, s->world->size, at[i])))
            return false;
    }
    return true;
}

static int compare_voxels(const void *a, const void *b)
{
    const vp_loose_voxel *p = a, *q = b;
    return p->voxel < q->voxel ? -1 : p->voxel > q->voxel;
}

/* Makes regions of the searches that ran dry. */
static vp_status write_regions(const searching *s, vp_regions *out, vp_error *error)
{
    const vp_allocator *a = &s->plan->allocator;
    uint32_t count = 0, n = 0;
    for (uint32_t i = 0; i < s->searches; i++)
        if (s->search[i].parent == i && s->search[i].state == RAN_DRY)
            count += s->search[i].seen;
    if (count > s->plan->max_voxels)
        return vp_regions_too_many_voxels(s->plan, error);
    vp_loose_voxel *loose = vp_allocate(a, count, sizeof *loose);
    if (count != 0 && loose == NULL)
        return report_no_memory(error);
    for (uint32_t i = 0; i < s->searches; i++)
        if (s->search[i].parent == i && s->search[i].state == RAN_DRY)
            for (uint32_t k = s->search[i].done.first; k != NONE; k = s->node[k].next)
                loose[n++] = (vp_loose_voxel){s->node[k].voxel, i};
    if (n != 0)
        qsort(loose, n, sizeof *loose, compare_voxels);
    const vp_status status = vp_regions_gather(s->plan, s->world, loose, n, s->searches, out, error);
    vp_release(a, loose, count, sizeof *loose);
    if (status == VP_OK) {
        out->searches = s->searches;
        out->visited = s->nodes;
    }
    return status;
}

vp_status vp_regions_search(const vp_regions_plan *plan, const vp_world *world, const vp_ivec3 *at, const vp_voxel *before_it, size_t count,
                            vp_regions *out, vp_error *error)
{
    searching s = {.plan = plan, .world = world};
    vp_status status = VP_OK;
    s.last_may_stop = may_last_stop(&s, at, before_it, count);
    for (size_t i = 0; status == VP_OK && i < count; i++) {
        status = begin_at(&s, at[i], error);
        for (int side = 0; status == VP_OK && side < 6; side++)
            status = begin_at(&s, step_across(at[i], side), error);
    }
    if (status == VP_OK && !GROW(&s, heap, heap_room, 0, s.searches))
        status = report_no_memory(error);
    for (uint32_t i = 0; status == VP_OK && i < s.searches; i++)
        if (s.search[i].state == GOES_ON)
            push_turn(&s, i);
    while (status == VP_OK && !is_decided(&s))
        status = advance_next(&s, error);
    if (status == VP_OK)
        status = write_regions(&s, out, error);
    end_searching(&s);
    return status;
}
