/* SPDX-License-Identifier: MIT */
/* Builds a world's broadphase as a program does, including memory and threads. By default the memory was used before, as when worlds come
 * and go. With "fresh" it is new, as on a first load, when the first access to each page must map and clear it. A virtual machine's host
 * may also have to provide the page. That is not measured, because the machine used the page a moment before. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#endif
#include <stdalign.h>
#include <stdlib.h>

#if !defined(_WIN32) && !defined(__wasi__)
#define PAGES 1
#include <sys/mman.h>
#endif

#include <voxphys/broadphase.h>

#include "cases/case.h"
#include "cases/derived.h"

enum { WARM, FRESH };
static const char *const variants[] = {"warm", "fresh", NULL};

typedef struct broadphase_work {
    const vp_data *data;
    const vp_allocator *allocator;
    vp_broadphase *built;
} broadphase_work;

#ifdef PAGES
/* New memory, which is unmapped at once. */
static void *map_pages(void *user, size_t size, size_t alignment)
{
    (void)user, (void)alignment; /* pages have a larger alignment */
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void unmap_pages(void *user, void *block, size_t size)
{
    munmap(block, size);
}

static const vp_allocator fresh = {.allocate = map_pages, .release = unmap_pages};
#endif

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    broadphase_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(broadphase_work));
    *w = (broadphase_work){data, vp_arena_allocator(arena), NULL};
#ifdef PAGES
    w->allocator = variant == FRESH ? &fresh : w->allocator;
#endif
    return VP_OK;
}

static vp_status rewind_build(const vp_setting *how, void *argument, vp_error *error)
{
    broadphase_work *w = argument;
    vp_broadphase_destroy(w->built);
    w->built = NULL;
    return VP_OK;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    broadphase_work *w = argument;
    const vp_dims n = vp_world_chunks(w->data->set);
    const vp_broadphase_def def = {.world = w->data->set, .kernels = how->kernels, .executor = how->executor, .allocator = w->allocator};
    *items = (uint64_t)n.x * n.y * n.z;
    return vp_broadphase_create(&def, &w->built, error);
}

static void record(const void *argument, vp_records *out)
{
    const broadphase_work *w = argument;
    const vp_dims n = vp_world_chunks(w->data->set);
    for (size_t c = 0; c < (size_t)n.x * n.y * n.z; c++) {
        const vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        vp_record_chunk(vp_broadphase_chunk_class(w->built, chunk), vp_broadphase_masks(w->built, chunk), out);
    }
}

static void count(const void *argument, vp_counters *out)
{
    vp_count_broadphase(((const broadphase_work *)argument)->built, out);
}

static void drop(void *argument)
{
    vp_broadphase_destroy(((broadphase_work *)argument)->built);
}

#define WORLD(name)                                                                                                                        \
    VP_ON(name, 1 << WARM, VP_TIMED | VP_ENDS | VP_THREADS), VP_AS(name, 1 << FRESH, VP_TIMED | VP_ENDS | VP_THREAD, "", "fresh")
static const vp_measured worlds[] = {
    WORLD("terrain-l3"), WORLD("terrain-dram"), WORLD("luanti"), VP_ON("terrain-l3", 1 << WARM, VP_VERIFIED), {.data = NULL}};

const vp_case vp_case_build_world = {.kind = &vp_kind_world,
                                     .variant = variants,
                                     .make = make,
                                     .rewind = rewind_build,
                                     .run = run,
                                     .records = record,
                                     .counters = count,
                                     .drop = drop,
                                     .same = true,
                                     .measured = worlds};
