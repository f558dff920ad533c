/* SPDX-License-Identifier: MIT */
/* The memory limit of building a broadphase, measured as the time to move the data that any build must move. It also
 * measures the overhead of the harness. */
#include "bench/suite.h"

#include <stdio.h>
#include <string.h>

#include "bench/stream_loop.h"
#include "src/core/error.h"
#include "src/core/memory.h"
#include "datasets/hash.h"

static const char *const worlds[] = {"terrain-l2", "terrain-l3", "terrain-dram", "all-mixed", "luanti"};

typedef struct stream_entry {
    vp_suite *suite;
    const char *world;
    vp_stream_fn *loop;
    bool writes;
} stream_entry;

/* ---- the best loops of this machine ---- */

typedef struct loops {
    vp_stream_fn *read, *read_write;
} loops;

static loops choose_loops(void)
{
    loops best = {vp_stream_read_scalar, vp_stream_read_write_scalar};
    uint32_t isas = vp_cpu_isas();
#define USE(isa)                                                                                                                           \
    if ((isas >> VP_ISA_##isa & 1u) != 0)                                                                                                  \
        best = (loops){vp_stream_read_##isa, vp_stream_read_write_##isa};
#ifdef VP_STREAM_avx2
    USE(avx2)
#endif
#ifdef VP_STREAM_avx512
    USE(avx512)
#endif
#ifdef VP_STREAM_neon
    USE(neon)
#endif
    (void)isas;
    return best;
}

vp_stream_fn *vp_stream_best_read(void)
{
    return choose_loops().read;
}

/* ---- data ---- */

typedef struct stream_work {
    vp_stream stream;
    uint8_t *mixed;
    uint32_t mixed_count;
} stream_work;

static void drop(stream_work *work)
{
    vp_allocator a = vp_allocator_default();
    size_t count = work->stream.chunk_count;
    vp_release(&a, work->mixed, count, 1);
    vp_release(&a, work->stream.slot, count, sizeof *work->stream.slot);
    vp_release(&a, work->stream.pool, work->mixed_count + 1u, sizeof *work->stream.pool);
}

static vp_status make(const vp_suite_set *workload, stream_work *work, vp_error *error)
{
    vp_allocator a = vp_allocator_default();
    vp_bricks bricks = vp_world_bricks(workload->world);
    vp_dims n = bricks.chunks;
    size_t count = (size_t)n.x * n.y * n.z;
    *work = (stream_work){.stream = {.bricks = bricks.material, .chunk_count = count}};
    work->mixed_count = vp_broadphase_memory_use(workload->broadphase).chunks[VP_CHUNK_MIXED];
    work->mixed = vp_allocate_zero(&a, count, 1);
    work->stream.slot = vp_allocate_zero(&a, count, sizeof *work->stream.slot);
    work->stream.pool = vp_allocate_zero(&a, work->mixed_count + 1u, sizeof *work->stream.pool);
    if (work->mixed == NULL || work->stream.slot == NULL || work->stream.pool == NULL) {
        drop(work);
        return vp_fail(error, VP_E_MEMORY, "no memory to stream %s", workload->name);
    }
    for (size_t c = 0; c < count; c++) {
        vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        work->mixed[c] = vp_broadphase_chunk_class(workload->broadphase, chunk) == VP_CHUNK_MIXED;
    }
    work->stream.mixed = work->mixed;
    return VP_OK;
}

/* Combines the bricks byte by byte. */
static uint64_t fold_plainly(const vp_stream *stream)
{
    uint8_t byte[8] = {0};
    uint64_t word;
    for (size_t i = 0; i < stream->chunk_count * VP_CHUNK_VOXELS; i++)
        byte[i % 8] ^= stream->bricks[i];
    memcpy(&word, byte, sizeof word);
    return word;
}

static bool right(const stream_work *work, bool writes, uint64_t answer, vp_error *error)
{
    uint64_t want = fold_plainly(&work->stream);
    size_t last = work->stream.chunk_count - 1;
    if (answer == want && (!writes || work->stream.slot[last] + work->mixed[last] == work->mixed_count))
        return true;
    vp_fail(error, VP_E_ARGUMENT, "the stream gave %016llx with %u masks, not %016llx with %u", (unsigned long long)answer,
            work->stream.slot[last] + work->mixed[last], (unsigned long long)want, work->mixed_count);
    return false;
}

static void run_stream(vp_bench_state *state, void *context)
{
    stream_entry *e = context;
    vp_suite_set workload;
    stream_work work;
    vp_error error;
    if (vp_suite_open(e->suite, e->world, NULL, &workload, &error) != VP_OK || make(&workload, &work, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    uint64_t answer = e->loop(&work.stream);
    if (!right(&work, e->writes, answer, &error)) {
        vp_suite_refuse(e->suite, state, &error);
    } else {
        uint64_t different = 0;
        while (vp_bench_next(state))
            different |= e->loop(&work.stream) ^ answer;
        if (different != 0) {
            vp_fail(&error, VP_E_ARGUMENT, "the stream gave another answer while it was timed");
            vp_suite_refuse(e->suite, state, &error);
        }
        vp_bench_items(state, vp_bench_iterations(state) * work.stream.chunk_count);
        vp_suite_label(state, "chunks", vp_hash64(&answer, sizeof answer));
    }
    drop(&work);
}

/* ---- the floor ---- */

static void run_nothing(vp_bench_state *state, void *context)
{
    while (vp_bench_next(state))
        ;
    vp_bench_items(state, vp_bench_iterations(state));
    vp_bench_label(state, "calls");
}

void vp_suite_add_streams(vp_suite *suite)
{
    loops best = choose_loops();
    for (int writes = 0; writes < 2; writes++)
        for (size_t w = 0; w < sizeof worlds / sizeof worlds[0]; w++) {
            stream_entry *e = vp_suite_entry(suite, sizeof *e, NULL);
            *e = (stream_entry){suite, worlds[w], writes ? best.read_write : best.read, writes != 0};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "%s/limit/%s", writes ? "stream_read_write" : "stream_read", worlds[w]);
            vp_bench_register(name, run_stream, e);
        }
    vp_bench_register("nop/floor", run_nothing, NULL);
}
