/* SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#endif
#include "cases/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32) || defined(__wasi__)
#define PAGES 0 /* copies on the heap, between guard bytes */
#else
#define PAGES 1
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "src/core/error.h"

void *vp_must(void *memory, size_t bytes)
{
    if (memory == NULL && bytes != 0) {
        fprintf(stderr, "voxphys: no memory for %zu bytes to run a kernel\n", bytes);
        exit(1);
    }
    return memory;
}

enum { GAP = 0x5c, GAP_BYTES = 64 };

typedef enum role { INPUT, KEEP, SCRATCH, OUTPUT, OBJECT } role;

typedef struct block {
    role role;
    uint8_t *data, *mapping;
    size_t bytes, slack, mapped; /* data bytes without slack, all mapped bytes including forbidden pages */
    size_t low, high;            /* guard bytes before the data, and after the slack */
    size_t used, stride;
    const void *from;
    struct block *next;
} block;

struct vp_arena {
    vp_arena_plan plan;
    block *first;
    uint32_t requests;
    size_t objects; /* blocks of objects that were not freed */
    bool refused;
    vp_allocator allocator;
};

static bool at_pages(const vp_arena *arena)
{
    return PAGES && arena->plan.place != VP_PLACE_HEAP;
}

/* Adds at least GAP_BYTES on each side. */
static void get_on_heap(block *b, size_t room)
{
    const vp_allocator heap = vp_allocator_default();
    b->mapped = GAP_BYTES + room + GAP_BYTES;
    b->mapping = vp_must(heap.allocate(heap.user, b->mapped, GAP_BYTES), b->mapped);
    b->low = GAP_BYTES;
    b->high = b->mapped - b->low - b->bytes - b->slack;
    b->data = b->mapping + b->low;
}

/* As near to the forbidden page as the alignment allows. */
static void get_at_page(block *b, size_t room, bool end)
{
#if PAGES
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (room + page - 1) / page * page;
    b->mapped = inner + 2 * page;
    b->mapping = mmap(NULL, b->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b->mapping == MAP_FAILED || (inner != 0 && mprotect(b->mapping + page, inner, PROT_READ | PROT_WRITE) != 0))
        vp_must(NULL, b->mapped);
    b->low = end ? inner - room : 0;
    b->high = inner - b->low - b->bytes - b->slack;
    b->data = b->mapping + page + b->low;
#else
    get_on_heap(b, room);
#endif
}

static block *get(vp_arena *arena, role as, size_t count, size_t size, size_t alignment, size_t slack)
{
    block *b = vp_must(calloc(1, sizeof *b), sizeof *b);
    const size_t room = ((count + slack) * size + alignment - 1) / alignment * alignment;
    b->role = as;
    b->bytes = b->used = b->stride = count * size;
    b->slack = slack * size;
    if (at_pages(arena))
        get_at_page(b, room, arena->plan.place == VP_PLACE_END);
    else
        get_on_heap(b, room);
    memset(b->data - b->low, GAP, b->low);
    memset(b->data + b->bytes, arena->plan.poison, b->slack);
    memset(b->data + b->bytes + b->slack, GAP, b->high);
    b->next = arena->first;
    arena->first = b;
    return b;
}

static void put(const vp_arena *arena, block *b)
{
    const vp_allocator heap = vp_allocator_default();
#if PAGES
    if (at_pages(arena))
        munmap(b->mapping, b->mapped);
    else
#endif
        heap.release(heap.user, b->mapping, b->mapped);
    free(b);
}

static bool is_gap(const uint8_t *at, size_t bytes)
{
    return bytes == 0 || (at[0] == GAP && memcmp(at, at + 1, bytes - 1) == 0);
}

static bool is_whole(const block *b)
{
    return is_gap(b->data - b->low, b->low) && is_gap(b->data + b->bytes + b->slack, b->high);
}

bool vp_arena_copies(const vp_arena *arena)
{
    return arena->plan.place != VP_PLACE_HEAP;
}

const void *vp_arena_input(vp_arena *arena, const void *from, size_t count, size_t size, size_t alignment, size_t slack)
{
    if (!vp_arena_copies(arena))
        return from;
    block *b = get(arena, INPUT, count, size, alignment, slack);
    b->from = from;
    if (b->bytes != 0)
        memcpy(b->data, from, b->bytes);
    return b->data;
}

void *vp_arena_keep(vp_arena *arena, size_t count, size_t size, size_t alignment)
{
    return memset(get(arena, KEEP, count, size, alignment, 0)->data, 0, count * size);
}

void *vp_arena_scratch(vp_arena *arena, size_t count, size_t size, size_t alignment)
{
    return get(arena, SCRATCH, count, size, alignment, 0)->data;
}

void *vp_arena_output(vp_arena *arena, size_t count, size_t size, size_t alignment, size_t slack)
{
    return get(arena, OUTPUT, count, size, alignment, slack)->data;
}

void *vp_arena_lists(vp_arena *arena, size_t lists, size_t capacity, size_t size, size_t alignment, bool compared, size_t *stride)
{
    if (*stride == 0)
        *stride = capacity + (GAP_BYTES + size - 1) / size;
    block *b = get(arena, compared ? OUTPUT : SCRATCH, lists == 0 ? 0 : (lists - 1) * *stride + capacity, size, alignment, 0);
    b->used = capacity * size;
    b->stride = *stride * size;
    return b->data;
}

/* ---- objects ---- */

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    vp_arena *arena = user;
    if (++arena->requests == arena->plan.refuse) {
        arena->refused = true;
        return NULL;
    }
    arena->objects++;
    if (!vp_arena_copies(arena) && arena->plan.refuse == 0) {
        const vp_allocator heap = vp_allocator_default();
        return vp_must(heap.allocate(heap.user, bytes, alignment), bytes);
    }
    return memset(get(arena, OBJECT, bytes, 1, alignment, 0)->data, arena->plan.poison, bytes);
}

static void release(void *user, void *data, size_t bytes)
{
    vp_arena *arena = user;
    arena->objects--;
    if (!vp_arena_copies(arena) && arena->plan.refuse == 0) {
        const vp_allocator heap = vp_allocator_default();
        heap.release(heap.user, data, bytes);
        return;
    }
    block **at = &arena->first;
    while (*at != NULL && ((*at)->data != data || (*at)->role != OBJECT))
        at = &(*at)->next;
    block *b = *at;
    if (b == NULL || b->bytes != bytes || !is_whole(b)) {
        fputs("voxphys: an object gives back memory that it wrote past the ends of, that is of another size, "
              "or that isn't its own\n",
              stderr);
        abort();
    }
    *at = b->next;
    put(arena, b);
}

const vp_allocator *vp_arena_allocator(vp_arena *arena)
{
    return &arena->allocator;
}

/* ---- the harness's side ---- */

vp_arena *vp_arena_create(const vp_arena_plan *plan)
{
    vp_arena *arena = vp_must(calloc(1, sizeof *arena), sizeof *arena);
    arena->plan = *plan;
    arena->allocator = (vp_allocator){arena, allocate, release};
    return arena;
}

vp_status vp_arena_destroy(vp_arena *arena, vp_error *error)
{
    vp_status status = vp_arena_inspect(arena, error);
    if (status == VP_OK && arena->objects != 0)
        status = vp_fail(error, VP_E_FORMAT, "%zu blocks of objects are not given back", arena->objects);
    for (block *b = arena->first, *next; b != NULL; b = next) {
        next = b->next;
        put(arena, b);
    }
    free(arena);
    return status;
}

void vp_arena_poison(vp_arena *arena, uint8_t with)
{
    for (block *b = arena->first; b != NULL; b = b->next) {
        if (b->role != SCRATCH && b->role != OUTPUT)
            continue;
        memset(b->data, with, b->bytes + b->slack);
        for (size_t i = b->used; b->used != b->stride && i < b->bytes; i += b->stride)
            memset(b->data + i, GAP, b->stride - b->used < b->bytes - i ? b->stride - b->used : b->bytes - i);
    }
}

vp_status vp_arena_inspect(const vp_arena *arena, vp_error *error)
{
    for (const block *b = arena->first; b != NULL; b = b->next) {
        if (!is_whole(b))
            return vp_fail(error, VP_E_FORMAT, "bytes beside a block of %zu were written", b->bytes);
        if (b->role == INPUT && b->bytes != 0 && memcmp(b->data, b->from, b->bytes) != 0)
            return vp_fail(error, VP_E_FORMAT, "an input of %zu bytes was written", b->bytes);
        if (b->role != SCRATCH && b->role != OUTPUT)
            continue;
        for (size_t i = 0; b->used != b->stride && i + b->stride < b->bytes; i += b->stride)
            if (!is_gap(b->data + i + b->used, b->stride - b->used))
                return vp_fail(error, VP_E_FORMAT, "list %zu was written past its capacity", i / b->stride);
    }
    return VP_OK;
}

uint32_t vp_arena_requests(const vp_arena *arena)
{
    return arena->requests;
}

bool vp_arena_refused(const vp_arena *arena)
{
    return arena->refused;
}

bool vp_arena_forbids(const vp_arena *arena, const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    for (const block *b = arena->first; at_pages(arena) && b != NULL; b = b->next)
        if (at - (uintptr_t)b->mapping < b->mapped)
            return true;
    return false;
}

bool vp_arena_output_at(const vp_arena *arena, size_t i, vp_arena_bytes *out)
{
    for (const block *b = arena->first; b != NULL; b = b->next)
        if (b->role == OUTPUT && i-- == 0) {
            *out = (vp_arena_bytes){b->data, b->bytes, b->used, b->stride};
            return true;
        }
    return false;
}
