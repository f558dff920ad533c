/* SPDX-License-Identifier: MIT */
/* Building a world's broadphase as a program would: memory, threads and all. The time is the clock on the
 * wall's, for the threads share the work. The scalar table and the best one, each on 1, 2, 4, ... threads, in
 * memory that the program has used before, as when worlds come and go; and on one thread in memory that the
 * program has just been given ("fresh"), as on a first load, when every page that is touched must first be
 * mapped and cleared. A virtual machine's host may have to find the page as well; not here, where the machine
 * has used it a moment ago. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "bench/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/core/error.h"

static const char *const worlds[] = {"terrain-l3", "terrain-dram", "luanti"};

typedef struct build_entry {
    vp_suite *suite;
    const char *world;
    vp_kernels kernels;
    uint32_t threads;
    bool fresh;
    bool checked;
    vp_error verdict;
    uint64_t digest;
} build_entry;

/* Memory that no program had before, and that goes back at once. */
static void *map_pages(void *user, size_t size, size_t alignment)
{
    (void)user;
    (void)alignment; /* a page's is more */
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void unmap_pages(void *user, void *block, size_t size)
{
    (void)user;
    munmap(block, size);
}

static uint64_t digest_of(const vp_broadphase *broadphase)
{
    const vp_dims n = vp_broadphase_bits(broadphase).chunks;
    const size_t count = (size_t)n.x * n.y * n.z;
    vp_records records = {0};
    for (size_t c = 0; c < count; c++) {
        const vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        vp_record_chunk(vp_broadphase_chunk_class(broadphase, chunk), vp_broadphase_masks(broadphase, chunk),
                        &records);
    }
    const uint64_t digest = vp_records_digest(&records);
    vp_records_destroy(&records);
    return digest;
}

/* Compares a build with the serial one by the reference. */
static bool check(build_entry *e, const vp_suite_set *workload, const vp_broadphase *built)
{
    if (e->checked)
        return e->verdict.status == VP_OK;
    e->checked = true;
    e->digest = digest_of(built);
    if (e->digest == digest_of(workload->broadphase))
        vp_succeed(&e->verdict);
    else
        vp_fail(&e->verdict, VP_E_ARGUMENT,
                "the build of %s on %u threads differs from the serial reference's", workload->name,
                e->threads);
    return e->verdict.status == VP_OK;
}

/* Whether a timed build is the checked one's equal. */
static vp_status still_agrees(const build_entry *e, const vp_broadphase *built, vp_error *error)
{
    if (digest_of(built) == e->digest)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "a build of %s on %u threads was another while it was timed",
                   e->world, e->threads);
}

/* The loop. Comparing the first build and freeing what was built are not timed.
   @return the seconds that the builds took; below 0 after a failure */
static double time_builds(vp_bench_state *state, const build_entry *e, const vp_broadphase_def *def,
                          vp_error *error)
{
    double seconds = 0;
    bool first = true;
    vp_status status = VP_OK;
    while (vp_bench_next(state)) {
        vp_broadphase *built;
        double begin = vp_suite_seconds();
        status = vp_broadphase_create(def, &built, error);
        seconds += vp_suite_seconds() - begin;
        if (status != VP_OK)
            break;
        vp_bench_pause(state);
        if (first)
            status = still_agrees(e, built, error);
        first = false;
        vp_broadphase_destroy(built);
        vp_bench_resume(state);
        if (status != VP_OK)
            break;
    }
    return status == VP_OK ? seconds : -1;
}

static void run_build(vp_bench_state *state, void *context)
{
    build_entry *e = context;
    vp_suite_set workload;
    vp_error error;
    if (vp_suite_open(e->suite, e->world, NULL, &workload, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    vp_executor executor = vp_suite_executor(e->threads);
    const vp_allocator fresh = {.allocate = map_pages, .release = unmap_pages};
    vp_broadphase_def def = {.world = workload.world,
                             .kernels = &e->kernels,
                             .executor = &executor,
                             .allocator = e->fresh ? &fresh : NULL};
    vp_broadphase *built;
    if (vp_broadphase_create(&def, &built, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    bool agrees = check(e, &workload, built);
    vp_broadphase_destroy(built);
    if (!agrees) {
        vp_suite_refuse(e->suite, state, &e->verdict);
        return;
    }
    double seconds = time_builds(state, e, &def, &error);
    if (seconds < 0) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    vp_dims n = vp_world_chunks(workload.world);
    double chunks = (double)n.x * n.y * n.z * (double)vp_bench_iterations(state);
    vp_bench_counter(state, "items_per_second", chunks / seconds);
    vp_suite_label(state, "chunks", e->digest);
    vp_suite_memory(state, workload.broadphase);
}

static void add(vp_suite *suite, const vp_kernels *kernels, const char *world, uint32_t threads, bool fresh)
{
    build_entry *e = vp_suite_entry(suite, sizeof *e, NULL);
    *e = (build_entry){
        .suite = suite, .world = world, .kernels = *kernels, .threads = threads, .fresh = fresh};
    char name[VP_SUITE_NAME_BYTES];
    snprintf(name, sizeof name, "build_world/%s/%s/threads-%u%s",
             vp_isa_name(vp_kernels_isa(kernels, VP_KERNEL_dilate_world)), world, threads,
             fresh ? "-fresh" : "");
    vp_bench_register(name, run_build, e);
}

void vp_suite_add_builds(vp_suite *suite)
{
    vp_kernels tables[2];
    uint32_t table_count = 1;
    const uint32_t most_threads = vp_suite_most_threads();
    vp_kernels_best(&tables[0], 0);
    if (vp_kernels_named("best", &tables[1], NULL) == VP_OK &&
        vp_kernels_isa(&tables[1], VP_KERNEL_dilate_world) != VP_ISA_scalar)
        table_count = 2;
    for (uint32_t t = 0; t < table_count; t++)
        for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; w++) {
            for (uint32_t threads = 1; threads <= most_threads; threads *= 2)
                add(suite, &tables[t], worlds[w], threads, false);
            add(suite, &tables[t], worlds[w], 1, true);
        }
}
