/* SPDX-License-Identifier: MIT */
/* Jobs that run next to the tick: article "Les bases d'un voxel engine", "Diviser pour mieux régner" and "Mettre à jour
 * les chunks voisins".
 *
 * The tick has its own copy of the world, a known snapshot of each chunk. It acquires a newer snapshot of each chunk
 * that was noted, and the difference between the two decides which chunks see the change. These chunks get a job each,
 * and become one group, because all of them must be handed over together. Groups that have a chunk in common are
 * merged. Jobs read only the known world. So the meshes of a group, together with those shown around it, belong to one
 * state of the world. If the state differed elsewhere in a visible way, the chunk that sees it would belong to the
 * group.
 *
 * Everything except the tasks runs on the tick's thread. Tasks read their job, write their results, and count down.
 * Notes are pushed to a list without a lock, and the tick takes the whole list. */
#define _POSIX_C_SOURCE 200809L
#include <voxphys/block_jobs.h>

#include <stdatomic.h>
#include <string.h>

#include "src/blocks/blocks_internal.h"
#include "src/blocks/rounding.h"
#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"

enum { TASK_MESH = 0, TASK_BOXES = 1, FIRST_PLACES = 64 };

typedef struct block_job {
    struct block_job *next; /* list of cancelled jobs */
    vp_block_jobs *jobs;
    vp_block_around around;               /* from the known world when it began */
    vp_status status[VP_BLOCK_JOB_TASKS]; /* results of tasks */
    vp_error error[VP_BLOCK_JOB_TASKS];   /* their messages */
    vp_block_job_result result;           /* their output */
    uint32_t sent;                        /* tasks that were submitted, or need not be */
    atomic_uint tasks_left;               /* tasks that haven't returned */
    atomic_bool cancelled;                /* tasks that have not begun are skipped */
} block_job;

/* A chunk. Pending ones have changed, or see one that has, and have not been handed over yet. */
typedef struct watched_chunk {
    vp_ivec3 chunk;
    vp_block_snapshot known;
    uint32_t seen; /* bits of the chunks that see its change in this tick */
    bool must_compare;
    bool active;  /* is in the list of noted or pending chunks */
    bool pending; /* has a group */
    bool needs_job;
    bool done;                  /* its job is finished */
    block_job *job;             /* the newest; NULL = none */
    struct watched_chunk *next; /* next active entry */
    /* Groups, a tree with a root that has the counts, and a circular list of members. */
    struct watched_chunk *up, *next_in_group;
    uint32_t size, unfinished;
    uint64_t since; /* the tick when its first member became pending */
} watched_chunk;

typedef struct note {
    struct note *next;
    uint32_t count;
    vp_ivec3 chunk[];
} note;

struct vp_block_jobs {
    vp_allocator allocator;
    vp_blocks *blocks;
    vp_kernels kernels;
    vp_executor executor;
    vp_block_rounding rounding;
    bool merged, occlusion, rounded;
    vp_block_apply_fn *apply;
    void *user;
    watched_chunk **place; /* hash table, a power of 2 of places, at most three quarters used */
    uint32_t places, entries;
    watched_chunk *active;
    block_job *cancelled;
    uint64_t tick, submitted;
    _Atomic(note *) notes;
    atomic_int all_noted; /* a bool; RISC-V has no exchange of a byte */
    pthread_mutex_t lock; /* lock of returning tasks and of destruction, over the following fields */
    pthread_cond_t some_returned;
    uint64_t returned;
};

/* A tick's result, its first failure. */
typedef struct tick_outcome {
    vp_block_tick_result done;
    vp_status status;
    vp_error *error;
} tick_outcome;

static void keep_failure(tick_outcome *o, vp_status status, const char *message)
{
    if (o->status == VP_OK)
        o->status = vp_fail(o->error, status, "%s", message);
}

/* ---- entries ---- */

static watched_chunk *find_entry(const vp_block_jobs *s, vp_ivec3 chunk)
{
    for (uint32_t at = vp_block_hash(chunk); s->places != 0; at++) {
        watched_chunk *e = s->place[at & (s->places - 1)];
        if (e == NULL || vp_block_index_order(e->chunk, chunk) == 0)
            return e;
    }
    return NULL;
}

static void place_entry(watched_chunk **place, uint32_t places, watched_chunk *e)
{
    uint32_t at = vp_block_hash(e->chunk) & (places - 1);
    while (place[at] != NULL)
        at = (at + 1) & (places - 1);
    place[at] = e;
}

static bool grow_table(vp_block_jobs *s)
{
    if (s->entries < s->places / 4 * 3)
        return true;
    const uint32_t places = s->places == 0 ? FIRST_PLACES : s->places * 2;
    watched_chunk **place = vp_allocate_zero(&s->allocator, places, sizeof(watched_chunk *));
    if (place == NULL)
        return false;
    for (uint32_t i = 0; i < s->places; i++)
        if (s->place[i] != NULL)
            place_entry(place, places, s->place[i]);
    vp_release(&s->allocator, s->place, s->places, sizeof(watched_chunk *));
    s->place = place;
    s->places = places;
    return true;
}

static void activate_entry(vp_block_jobs *s, watched_chunk *e)
{
    if (e->active)
        return;
    e->active = true;
    e->next = s->active;
    s->active = e;
}

static bool is_empty(const vp_block_snapshot *s)
{
    return s->cells.cell == NULL && s->cells.all == 0;
}

/* The entry of a chunk's neighbour k of 27, or its own. NULL = it never existed. */
static watched_chunk *find_neighbour(const vp_block_jobs *s, vp_ivec3 c, uint32_t k)
{
    const vp_ivec3 at = {c.x + (int32_t)(k % 3) - 1, c.y + (int32_t)(k / 9) - 1, c.z + (int32_t)(k / 3 % 3) - 1};
    return find_entry(s, at);
}

/* ---- groups ---- */

static watched_chunk *root_of(watched_chunk *e)
{
    while (e->up != e) {
        e->up = e->up->up;
        e = e->up;
    }
    return e;
}

static void unite_groups(watched_chunk *a, watched_chunk *b)
{
    a = root_of(a), b = root_of(b);
    if (a == b)
        return;
    if (a->size < b->size) {
        watched_chunk *swap = a;
        a = b, b = swap;
    }
    b->up = a;
    a->size += b->size;
    a->unfinished += b->unfinished;
    a->since = a->since < b->since ? a->since : b->since;
    watched_chunk *next = a->next_in_group; /* two circles become one */
    a->next_in_group = b->next_in_group;
    b->next_in_group = next;
}

/* Makes an entry pending, without a valid job. */
static void request_job(vp_block_jobs *s, watched_chunk *e)
{
    if (!e->pending) {
        e->pending = true;
        e->up = e->next_in_group = e;
        e->size = e->unfinished = 1;
        e->since = s->tick;
        activate_entry(s, e);
    } else if (e->done) {
        root_of(e)->unfinished++;
    }
    e->done = false;
    e->needs_job = true;
}

/* ---- tasks, on any thread ---- */

static bool is_cancelled(block_job *j)
{
    return atomic_load_explicit(&j->cancelled, memory_order_relaxed);
}

static vp_status make_mesh(block_job *j, const vp_block *cell, vp_error *error)
{
    const vp_block_jobs *s = j->jobs;
    const vp_block_quads_def quads = {.window = {cell, VP_BLOCK_EDGE, j->around.type, j->around.type_count},
                                      .merged = s->merged,
                                      .occlusion = s->occlusion,
                                      .kernels = &s->kernels,
                                      .allocator = &s->allocator};
    const vp_block_mesh_def mesh = {
        .quads = &j->result.quads, .chunk = j->result.chunk, .rounding = s->rounded ? &s->rounding : NULL, .allocator = &s->allocator};
    const vp_status status = vp_block_quads_create(&quads, &j->result.quads, error);
    return status != VP_OK || is_cancelled(j) ? status : vp_block_mesh_create(&mesh, &j->result.mesh, error);
}

static vp_status make_boxes(block_job *j, const vp_block *cell, vp_error *error)
{
    const vp_block_window window = {cell, VP_BLOCK_EDGE, j->around.type, j->around.type_count};
    return vp_block_boxes_create(&window, &j->jobs->kernels, &j->jobs->allocator, &j->result.boxes, error);
}

static vp_status do_task(block_job *j, uint32_t task, vp_error *error)
{
    vp_block *cell = vp_allocate(&j->jobs->allocator, VP_BLOCK_WINDOW_CELLS, sizeof *cell);
    if (cell == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a chunk and its neighbours");
    vp_block_around_window(&j->around, cell);
    const vp_status status = task == TASK_MESH ? make_mesh(j, cell, error) : make_boxes(j, cell, error);
    vp_release(&j->jobs->allocator, cell, VP_BLOCK_WINDOW_CELLS, sizeof *cell);
    return status;
}

static void run_task(void *argument, uint32_t task)
{
    block_job *j = argument;
    vp_block_jobs *s = j->jobs;
    if (!is_cancelled(j))
        j->status[task] = do_task(j, task, &j->error[task]);
    atomic_fetch_sub_explicit(&j->tasks_left, 1, memory_order_release); /* from here on the tick may free the job */
    pthread_mutex_lock(&s->lock);
    s->returned++;
    pthread_cond_signal(&s->some_returned); /* before the unlock, because the jobs may be freed after it */
    pthread_mutex_unlock(&s->lock);
}

/* ---- jobs ---- */

static void free_job(vp_block_jobs *s, block_job *j)
{
    vp_block_mesh_destroy(&j->result.mesh);
    vp_block_quads_destroy(&j->result.quads);
    vp_block_boxes_destroy(&j->result.boxes);
    vp_blocks_release_around(s->blocks, &j->around);
    vp_release(&s->allocator, j, 1, sizeof *j);
}

static bool is_all_returned(block_job *j)
{
    return atomic_load_explicit(&j->tasks_left, memory_order_acquire) == VP_BLOCK_JOB_TASKS - j->sent;
}

static void cancel_job(vp_block_jobs *s, watched_chunk *e)
{
    if (e->job == NULL)
        return;
    atomic_store_explicit(&e->job->cancelled, true, memory_order_relaxed);
    e->job->next = s->cancelled;
    s->cancelled = e->job;
    e->job = NULL;
}

static void free_cancelled(vp_block_jobs *s)
{
    for (block_job **at = &s->cancelled; *at != NULL;) {
        block_job *j = *at;
        if (!is_all_returned(j)) {
            at = &j->next;
            continue;
        }
        *at = j->next;
        free_job(s, j);
    }
}

/* Makes a job for a chunk's known state. Returns NULL without memory. */
static block_job *make_job(vp_block_jobs *s, const watched_chunk *e)
{
    block_job *j = vp_allocate_zero(&s->allocator, 1, sizeof *j);
    if (j == NULL)
        return NULL;
    j->jobs = s;
    j->around.chunk = j->result.chunk = e->chunk;
    j->around.type = vp_blocks_types(s->blocks, &j->around.type_count);
    j->result.version = e->known.version;
    atomic_init(&j->tasks_left, VP_BLOCK_JOB_TASKS);
    atomic_init(&j->cancelled, false);
    if (is_empty(&e->known)) {
        atomic_init(&j->tasks_left, 0);
        j->sent = VP_BLOCK_JOB_TASKS;
        return j;
    }
    for (uint32_t k = 0; k < 27; k++) {
        const watched_chunk *n = find_neighbour(s, e->chunk, k);
        if (n == NULL)
            continue;
        vp_block_take_again(&n->known);
        j->around.of[k] = n->known;
        j->around.cells[k] = n->known.cells;
    }
    return j;
}

static void begin_jobs(vp_block_jobs *s, tick_outcome *o)
{
    for (watched_chunk *e = s->active; e != NULL; e = e->next) {
        if (!e->needs_job)
            continue;
        o->done.replaced += e->job != NULL;
        cancel_job(s, e);
        e->job = make_job(s, e);
        if (e->job == NULL) {
            keep_failure(o, VP_E_MEMORY, "no memory for a job");
            continue;
        }
        e->needs_job = false;
        o->done.begun++;
    }
}

static void send_tasks(vp_block_jobs *s)
{
    for (watched_chunk *e = s->active; e != NULL; e = e->next)
        for (block_job *j = e->job; j != NULL && j->sent < VP_BLOCK_JOB_TASKS; j->sent++) {
            s->submitted++;
            if (!vp_executor_submit(&s->executor, run_task, j, j->sent)) {
                s->submitted--;
                return;
            }
        }
}

/* ---- notes ---- */

void vp_block_jobs_mark_all_changed(vp_block_jobs *s)
{
    atomic_store_explicit(&s->all_noted, true, memory_order_release);
}

vp_status vp_block_jobs_mark_changed(vp_block_jobs *s, const vp_block_changes *changes, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "jobs, changes", s, changes);
    if (changes->count == 0)
        return vp_succeed(error);
    note *n = vp_allocate(&s->allocator, 1, sizeof *n + changes->count * sizeof(vp_ivec3));
    if (n == NULL) {
        vp_block_jobs_mark_all_changed(s);
        return vp_fail(error, VP_E_MEMORY, "no memory to note %u chunks: all are looked at", changes->count);
    }
    n->count = changes->count;
    for (uint32_t i = 0; i < n->count; i++)
        n->chunk[i] = changes->change[i].chunk;
    n->next = atomic_load_explicit(&s->notes, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&s->notes, &n->next, n, memory_order_release, memory_order_relaxed)) {
    }
    return vp_succeed(error);
}

/* Finds or creates the entry of a chunk. Returns NULL without memory. */
static watched_chunk *entry_of(vp_block_jobs *s, vp_ivec3 c)
{
    watched_chunk *e = find_entry(s, c);
    if (e != NULL || !grow_table(s))
        return e;
    e = vp_allocate_zero(&s->allocator, 1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->chunk = c;
    place_entry(s->place, s->places, e);
    s->entries++;
    return e;
}

static void process_note(vp_block_jobs *s, vp_ivec3 c, tick_outcome *o)
{
    const int32_t reach = VP_BLOCK_JOBS_REACH;
    if (c.x < -reach || c.x >= reach || c.y < -reach || c.y >= reach || c.z < -reach || c.z >= reach) {
        vp_error far;
        vp_fail(&far, VP_E_ARGUMENT, "chunk (%d, %d, %d): jobs make those from %d to %d", (int)c.x, (int)c.y, (int)c.z, -reach, reach - 1);
        keep_failure(o, VP_E_ARGUMENT, far.message);
        return;
    }
    watched_chunk *e = entry_of(s, c);
    if (e == NULL) {
        vp_block_jobs_mark_all_changed(s);
        keep_failure(o, VP_E_MEMORY, "no memory for one more chunk");
        return;
    }
    e->must_compare = true;
    activate_entry(s, e);
}

static void process_all_chunks(vp_block_jobs *s, tick_outcome *o)
{
    const uint32_t room = vp_blocks_list_chunks(s->blocks, NULL, 0);
    vp_ivec3 *chunk = vp_allocate(&s->allocator, room, sizeof *chunk);
    const uint32_t count = vp_blocks_list_chunks(s->blocks, chunk, chunk != NULL ? room : 0);
    if (count > (chunk != NULL ? room : 0)) { /* or the world has more by now */
        if (chunk == NULL)
            keep_failure(o, VP_E_MEMORY, "no memory for a list of all chunks");
        vp_block_jobs_mark_all_changed(s);
    } else {
        for (uint32_t i = 0; i < s->places; i++)
            if (s->place[i] != NULL) {
                s->place[i]->must_compare = true;
                activate_entry(s, s->place[i]);
            }
        for (uint32_t i = 0; i < count; i++)
            process_note(s, chunk[i], o);
    }
    vp_release(&s->allocator, chunk, room, sizeof *chunk);
}

static void process_notes(vp_block_jobs *s, tick_outcome *o)
{
    note *n = atomic_exchange_explicit(&s->notes, NULL, memory_order_acquire);
    if (atomic_exchange_explicit(&s->all_noted, false, memory_order_acquire))
        process_all_chunks(s, o);
    while (n != NULL) {
        note *next = n->next;
        for (uint32_t i = 0; i < n->count; i++)
            process_note(s, n->chunk[i], o);
        vp_release(&s->allocator, n, 1, sizeof *n + n->count * sizeof(vp_ivec3));
        n = next;
    }
}

/* ---- changes ---- */

/* The chunks that see a difference between blocks of a chunk, as bits of vp_block_change.seen. 0 = no difference. */
static uint32_t find_difference(const vp_block_cells *a, const vp_block_cells *b)
{
    uint32_t seen = 0;
    if (a->cell == NULL && b->cell == NULL)
        return a->all == b->all ? 0 : VP_BLOCK_STALE_ALL;
    for (uint32_t row = 0; row < VP_BLOCK_EDGE * VP_BLOCK_EDGE; row++) {
        const size_t bytes = (size_t)VP_BLOCK_EDGE * a->width;
        if (a->cell != NULL && b->cell != NULL && a->width == b->width &&
            memcmp((const uint8_t *)a->cell + row * bytes, (const uint8_t *)b->cell + row * bytes, bytes) == 0)
            continue;
        for (uint32_t x = 0; x < VP_BLOCK_EDGE && seen != VP_BLOCK_STALE_ALL; x++)
            if (vp_block_at(a, x, row / 32, row % 32) != vp_block_at(b, x, row / 32, row % 32))
                seen |= vp_block_seen_from(x, row / 32, row % 32);
    }
    return seen;
}

/* Whether a change must wait, because a chunk that sees it has been pending for too long. */
static bool must_wait(const vp_block_jobs *s, const watched_chunk *e, uint32_t seen)
{
    for (uint32_t k = 0; k < 27; k++) {
        watched_chunk *n = (seen >> k & 1u) != 0 ? find_neighbour(s, e->chunk, k) : NULL;
        if (n != NULL && n->pending && s->tick - root_of(n)->since >= VP_BLOCK_JOBS_PATIENCE)
            return true;
    }
    return false;
}

/* Brings the known world up to date. */
static void update_known(vp_block_jobs *s)
{
    for (watched_chunk *e = s->active; e != NULL; e = e->next) {
        if (!e->must_compare)
            continue;
        vp_block_snapshot now;
        vp_blocks_acquire(s->blocks, e->chunk, &now);
        const uint32_t seen = now.version == e->known.version ? 0 : find_difference(&e->known.cells, &now.cells);
        if (seen != 0 && must_wait(s, e, seen)) {
            vp_blocks_release(s->blocks, &now);
            continue;
        }
        vp_blocks_release(s->blocks, &e->known);
        e->known = now;
        e->must_compare = false;
        e->seen = seen & (s->occlusion ? VP_BLOCK_STALE_ALL : VP_BLOCK_STALE_FACES);
    }
}

/* Gives a job to each chunk that sees a change, and makes them one group. */
static void link_changes(vp_block_jobs *s)
{
    for (watched_chunk *e = s->active; e != NULL; e = e->next) { /* new entries are put before its first */
        if (e->seen == 0)
            continue;
        request_job(s, e);
        for (uint32_t k = 0; k < 27; k++) {
            watched_chunk *n = (e->seen >> k & 1u) != 0 ? find_neighbour(s, e->chunk, k) : NULL;
            if (n == NULL || (is_empty(&n->known) && !n->pending))
                continue;
            if (!is_empty(&n->known))
                request_job(s, n);
            unite_groups(e, n);
        }
        e->seen = 0;
    }
}

/* ---- handing over ---- */

static void apply_group(vp_block_jobs *s, watched_chunk *root, tick_outcome *o)
{
    watched_chunk *e = root;
    do {
        watched_chunk *next = e->next_in_group;
        block_job *j = e->job;
        e->job = NULL;
        e->pending = e->done = false;
        e->up = e->next_in_group = NULL;
        s->apply(s->user, &j->result);
        free_job(s, j);
        o->done.applied++;
        e = next;
    } while (e != root);
}

static void report_groups(vp_block_jobs *s, tick_outcome *o)
{
    for (watched_chunk *e = s->active; e != NULL; e = e->next) {
        block_job *j = e->job;
        if (!e->pending || e->done || e->needs_job || j->sent < VP_BLOCK_JOB_TASKS || !is_all_returned(j))
            continue;
        const uint32_t failed = j->status[TASK_MESH] == VP_OK ? TASK_BOXES : TASK_MESH;
        if (j->status[failed] != VP_OK) {
            keep_failure(o, j->status[failed], j->error[failed].message);
            e->needs_job = true;
            e->job = NULL;
            free_job(s, j);
            continue;
        }
        watched_chunk *root = root_of(e);
        e->done = true;
        if (--root->unfinished == 0)
            apply_group(s, root, o);
    }
}

/* Removes entries that wait for nothing from the list, and counts the others. */
static uint32_t remove_idle(vp_block_jobs *s)
{
    uint32_t count = 0;
    for (watched_chunk **at = &s->active; *at != NULL;) {
        watched_chunk *e = *at;
        if (e->pending || e->must_compare) {
            count++;
            at = &e->next;
            continue;
        }
        e->active = false;
        *at = e->next;
    }
    return count;
}

vp_status vp_block_jobs_tick(vp_block_jobs *s, vp_block_tick_result *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "jobs", s);
    tick_outcome o = {.error = error};
    s->tick++;
    report_groups(s, &o); /* finished jobs are not replaced */
    process_notes(s, &o);
    update_known(s);
    link_changes(s);
    begin_jobs(s, &o);
    send_tasks(s);
    vp_executor_poll(&s->executor);
    report_groups(s, &o);
    free_cancelled(s);
    o.done.pending = remove_idle(s);
    if (out != NULL)
        *out = o.done;
    return o.status == VP_OK ? vp_succeed(error) : o.status;
}

/* ---- the object ---- */

vp_status vp_block_jobs_create(const vp_block_jobs_def *def, vp_block_jobs **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_kernels kernels;
    if (def->blocks == NULL || def->apply == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_jobs_def.%s is NULL", def->blocks == NULL ? "blocks" : "apply");
    if (def->blocks->form != VP_BLOCKS_SNAPSHOTS)
        return vp_fail(error, VP_E_ARGUMENT, "a world of form %d: readers of VP_BLOCKS_LOCKS wait, and jobs must not",
                       (int)def->blocks->form);
    VP_RETURN_IF_FAILED(def->rounding != NULL ? vp_block_rounding_check(def->rounding, error) : VP_OK);
    VP_RETURN_IF_FAILED(def->kernels == NULL ? vp_kernels_default(&kernels, error) : VP_OK);
    vp_block_jobs *s = vp_allocate_zero(&allocator, 1, sizeof *s);
    if (s == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for jobs");
    s->allocator = allocator;
    s->blocks = def->blocks;
    s->kernels = def->kernels == NULL ? kernels : *def->kernels;
    s->executor = vp_executor_or_serial(def->executor);
    s->merged = def->merged;
    s->occlusion = def->occlusion;
    s->rounded = def->rounding != NULL;
    if (s->rounded)
        s->rounding = *def->rounding;
    s->apply = def->apply;
    s->user = def->user;
    atomic_init(&s->notes, NULL);
    atomic_init(&s->all_noted, true);
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        vp_release(&allocator, s, 1, sizeof *s);
        return vp_fail(error, VP_E_MEMORY, "no memory for a lock");
    }
    if (pthread_cond_init(&s->some_returned, NULL) != 0) {
        pthread_mutex_destroy(&s->lock);
        vp_release(&allocator, s, 1, sizeof *s);
        return vp_fail(error, VP_E_MEMORY, "no memory for a lock");
    }
    *out = s;
    return vp_succeed(error);
}

static void wait_for_tasks(vp_block_jobs *s)
{
    for (bool all = false; !all; sched_yield()) {
        vp_executor_poll(&s->executor);
        pthread_mutex_lock(&s->lock);
        while (s->executor.poll == NULL && s->returned != s->submitted)
            pthread_cond_wait(&s->some_returned, &s->lock);
        all = s->returned == s->submitted;
        pthread_mutex_unlock(&s->lock);
    }
}

void vp_block_jobs_destroy(vp_block_jobs *s)
{
    if (s == NULL)
        return;
    for (watched_chunk *e = s->active; e != NULL; e = e->next)
        cancel_job(s, e);
    wait_for_tasks(s);
    free_cancelled(s);
    for (uint32_t i = 0; i < s->places; i++)
        if (s->place[i] != NULL) {
            vp_blocks_release(s->blocks, &s->place[i]->known);
            vp_release(&s->allocator, s->place[i], 1, sizeof(watched_chunk));
        }
    vp_release(&s->allocator, s->place, s->places, sizeof(watched_chunk *));
    for (note *n = atomic_load_explicit(&s->notes, memory_order_acquire), *next; n != NULL; n = next) {
        next = n->next;
        vp_release(&s->allocator, n, 1, sizeof *n + n->count * sizeof(vp_ivec3));
    }
    pthread_cond_destroy(&s->some_returned);
    pthread_mutex_destroy(&s->lock);
    const vp_allocator allocator = s->allocator;
    vp_release(&allocator, s, 1, sizeof *s);
}
