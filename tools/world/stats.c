/* SPDX-License-Identifier: MIT */
/* `voxphys world stats` prints the speed of a terrain within a memory budget, statistics of its cache, and the program's
 * memory.
 * The queries are defined, so that figures can be compared. Rays go from random points at the top of the world to
 * random points anywhere in it, by SplitMix64 from --seed, in batches of 16384. N --edits cut the rays into N + 1 parts
 * of equal size within one ray, with one edit between consecutive parts. An edit turns a voxel at a random place into
 * air or solid, alternately. So all edits precede the last ray, and a part may end within a batch. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef __wasi__
#include <sys/resource.h>
#endif

#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "tools/world/world.h"
#include "host/thread_executor.h"

enum { BATCH = 16384 };

typedef struct stats_run {
    vp_named_world of;
    vp_terrain_choice choice;
    vp_terrain *terrain;
    uint64_t rays, edits, seed;
    vp_ray *ray;
    vp_terrain_hit *hit;
    double ray_seconds, edit_seconds, edit_most;
    uint64_t edited, hits, digest;
} stats_run;

static vp_ray random_ray(vp_random *r, vp_dims size)
{
    vp_ray ray = {.t_max = INFINITY};
    ray.origin.x = vp_random_between(r, 0, (float)size.x);
    ray.origin.y = (float)size.y;
    ray.origin.z = vp_random_between(r, 0, (float)size.z);
    const vp_vec3 to = vp_random_vec3(r, (vp_vec3){0, 0, 0}, (vp_vec3){(float)size.x, (float)size.y * 0.75f, (float)size.z});
    ray.direction = vp_vec3_sub(to, ray.origin);
    return ray;
}

static vp_status edit_one(stats_run *r, vp_random *random, vp_error *error)
{
    const vp_ivec3 at = vp_random_cell(random, vp_world_size(r->of.world));
    const vp_voxel voxel = {r->edited % 2 == 0 ? VP_AIR : VP_FIRST_SOLID, r->edited % 2 == 0 ? 0 : 255};
    const double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_terrain_set_voxel(r->terrain, at, voxel, NULL, error));
    const double took = vp_seconds() - begin;
    r->edit_seconds += took;
    r->edit_most = took > r->edit_most ? took : r->edit_most;
    r->edited++;
    return VP_OK;
}

/* Adds a batch's answers to the digest: XXH3-64 of the digest so far and of t, triangle, u, v and chunk of each ray. */
static void take_answers(stats_run *r, uint32_t count)
{
    vp_hasher h;
    vp_hash_begin(&h);
    vp_hash_longs(&h, &r->digest, 1);
    vp_hash_words(&h, r->hit, (size_t)count * 5);
    r->digest = vp_hash_end(&h);
    for (uint32_t i = 0; i < count; i++)
        r->hits += r->hit[i].in_chunk.triangle >= 0;
}

/* The ray that the next edit precedes. For edit k of n, from 1, it is floor(rays * k / (n + 1)), computed without the
   product, which could overflow. */
typedef struct ray_turn {
    uint64_t ray, rest;
} ray_turn;

static void next_turn(ray_turn *t, uint64_t rays, uint64_t edits)
{
    t->ray += rays / (edits + 1);
    t->rest += rays % (edits + 1);
    if (t->rest > edits) {
        t->rest -= edits + 1;
        t->ray++;
    }
}

/* Casts the rays of a batch from number `first` on, and applies the edits that are due. */
static vp_status cast_batch(stats_run *r, uint64_t first, uint32_t count, ray_turn *next, vp_random *random, vp_error *error)
{
    for (uint32_t done = 0; done < count;) {
        for (; r->edited < r->edits && next->ray == first + done; next_turn(next, r->rays, r->edits))
            VP_RETURN_IF_FAILED(edit_one(r, random, error));
        uint32_t part = count - done;
        if (r->edited < r->edits && next->ray - first < count)
            part = (uint32_t)(next->ray - first) - done;
        const double begin = vp_seconds();
        VP_RETURN_IF_FAILED(vp_terrain_raycast_many(r->terrain, r->choice.surface, r->ray + done, part, r->hit + done, error));
        r->ray_seconds += vp_seconds() - begin;
        done += part;
    }
    return VP_OK;
}

static vp_status measure(stats_run *r, vp_error *error)
{
    const vp_dims size = vp_world_size(r->of.world);
    vp_random rays = {r->seed}, edits = {r->seed + 1};
    ray_turn next = {0};
    vp_status status = VP_OK;
    next_turn(&next, r->rays, r->edits);
    for (uint64_t done = 0; status == VP_OK && done < r->rays;) {
        const uint32_t count = r->rays - done < BATCH ? (uint32_t)(r->rays - done) : BATCH;
        for (uint32_t i = 0; i < count; i++)
            r->ray[i] = random_ray(&rays, size);
        status = cast_batch(r, done, count, &next, &edits, error);
        if (status != VP_OK)
            break;
        take_answers(r, count);
        done += count;
        vp_progress("rays", done, r->rays);
    }
    vp_progress("", 1, 1);
    return status;
}

static vp_status open_and_measure(stats_run *r, const char *name, vp_error *error)
{
    const vp_executor executor = vp_thread_executor(r->choice.threads);
    r->choice.threads = executor.thread_count; /* the executor's count may be smaller */
    VP_RETURN_IF_FAILED(vp_named_world_open("world stats", name, &r->of, error));
    VP_RETURN_IF_FAILED(vp_terrain_of(&r->of, &r->choice, &executor, &r->terrain, error));
    r->ray = malloc(BATCH * sizeof *r->ray);
    r->hit = malloc(BATCH * sizeof *r->hit);
    if (r->ray == NULL || r->hit == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %d rays", BATCH);
    return measure(r, error);
}

/* Peak memory of the program in bytes. getrusage may report that of the parent process, so it is used only on systems
   without another source. */
static uint64_t peak_bytes(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[128];
    unsigned long long kibibytes = 0;
    while (kibibytes == 0 && file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %llu kB", &kibibytes) != 1)
            kibibytes = 0;
    if (file != NULL)
        fclose(file);
    if (kibibytes != 0)
        return kibibytes * 1024;
#ifdef __wasi__
    return 0; /* unknown */
#else
    struct rusage use = {0};
    getrusage(RUSAGE_SELF, &use);
    return (uint64_t)use.ru_maxrss * 1024;
#endif
}

static int print_json(const stats_run *r, const vp_terrain_stats *stats)
{
    const vp_broadphase_memory bits = vp_broadphase_memory_use(vp_terrain_broadphase(r->terrain));
    const vp_dims s = vp_world_size(r->of.world);
    return vp_print_json(
        json_pack("{s:o, s:[i,i,i], s:s, s:s, s:i, s:{s:I, s:I, s:I, s:f, s:o}, s:{s:I, s:f, s:f}, s:o, s:{s:I, s:I, s:I}, s:o}", "world",
                  vp_json_name(r->of.name), "size", (int)s.x, (int)s.y, (int)s.z, "surface", vp_surface_names[r->choice.surface], "form",
                  vp_form_names[r->choice.form], "threads", (int)r->choice.threads, //
                  "rays", "count", (json_int_t)r->rays, "seed", (json_int_t)r->seed, "rays_that_hit", (json_int_t)r->hits, "seconds",
                  r->ray_seconds, "rays_per_second", vp_json_rate((double)r->rays, r->ray_seconds),                     //
                  "edits", "count", (json_int_t)r->edited, "seconds", r->edit_seconds, "slowest_seconds", r->edit_most, //
                  "cache", vp_terrain_stats_json(stats),                                                                //
                  "memory", "peak_bytes", (json_int_t)peak_bytes(), "voxel_bytes", (json_int_t)((uint64_t)s.x * s.y * s.z * 2),
                  "broadphase_bytes", (json_int_t)bits.total_bytes, "digest", vp_json_hex(r->digest)));
}

static int print_text(const stats_run *r, const vp_terrain_stats *s)
{
    printf("world    %s, its %s surface, trees %s\n", r->of.name, vp_surface_names[r->choice.surface], vp_form_names[r->choice.form]);
    printf("rays     %" PRIu64 ", seed %" PRIu64 ", on %u thread%s: %.3f s", r->rays, r->seed, r->choice.threads,
           r->choice.threads == 1 ? "" : "s", r->ray_seconds);
    if (r->ray_seconds > 0)
        printf(", %.3f million rays a second", (double)r->rays / r->ray_seconds * 1e-6);
    puts("");
    if (r->edited != 0)
        printf("edits    %" PRIu64 ", %.2f us each, the slowest %.2f us\n", r->edited, r->edit_seconds * 1e6 / (double)r->edited,
               r->edit_most * 1e6);
    printf("cache    budget %s; holds %s, at most %s, in %u tree%s\n",
           s->budget == VP_TERRAIN_NO_LIMIT ? "without limit" : vp_show_bytes((double)s->budget).text, vp_show_bytes((double)s->bytes).text,
           vp_show_bytes((double)s->peak_bytes).text, s->kept, vp_plural(s->kept));
    printf("         ");
    if (s->budget != VP_TERRAIN_NO_LIMIT)
        printf("%" PRIu64 " hits, ", s->hits);
    printf("%" PRIu64 " misses, %" PRIu64 " evictions, %" PRIu64 " dropped by edits, %" PRIu64 " not kept\n", s->misses, s->evictions,
           s->invalidations, s->transient);
    printf("built    %" PRIu64 " chunk%s in %.3f s", s->built, vp_plural(s->built), (double)s->build_ns * 1e-9);
    if (s->built != 0)
        printf(", %.2f us each", (double)s->build_ns * 1e-3 / (double)s->built);
    printf("; made in %s\n", vp_show_bytes((double)s->scratch_bytes).text);
    printf("memory   tables and top level %s; the program at its peak %s\n", vp_show_bytes((double)s->fixed_bytes).text,
           vp_show_bytes((double)peak_bytes()).text);
    printf("answers  %" PRIu64 " ray%s hit; digest %016" PRIx64 "\n", r->hits, vp_plural(r->hits), r->digest);
    return VP_EXIT_DONE;
}

int vp_world_stats(int argc, char **argv)
{
    stats_run r = {.choice = {.form = VP_KD_WIDE}, .rays = 1000000, .seed = 1};
    bool json;
    const vp_argument arguments[] = {
        VP_GROUP("Load"),
        {"--rays", "N", "number of rays, from 1 (default 1000000)", VP_U64(&r.rays, 1, UINT64_C(1) << 40)},
        {"--edits", "N", "number of voxel edits, evenly spaced between the rays, from 0 (default 0)",
         VP_U64(&r.edits, 0, UINT64_C(1) << 40)},
        {"--seed", "S", "seed of rays and edits, from 0 (default 1)", VP_U64(&r.seed, 0, INT64_MAX)},
        VP_GROUP("Terrain"),
        {"--budget", "BYTES", "memory for meshes and trees: 4096, 16KiB, 256MiB, no-cache, no-limit (default 128MiB)",
         VP_BUDGET(&r.choice.budget)},
        {"--surface", "WHICH", "solid or water (default solid)", VP_ASK_SURFACE(&r.choice.surface)},
        {"--form", "FORM", "tree layout: wide, slab, published, packed or implied (default wide)", VP_ASK_FORM(&r.choice.form)},
        VP_GROUP("Execution and output"),
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&r.choice.threads)},
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&r.choice.kernels)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("world stats", "WORLD [OPTION...]", 1, 1, arguments,
                        "Cast random rays at a world's terrain between edits, and measure rate, cache and memory.\n"
                        "WORLD is a data set's name or a .vpw file. It is not changed. Each ray goes from the top to a random point.\n"
                        "N edits split the rays into N + 1 parts of equal size (to within one ray). Each edit sets a voxel at a random\n"
                        "position, in turn to air and to solid. All edits precede the last ray, even if there are more edits than rays.\n"
                        "The digest of all answers depends only on the world, the rays and the edits.\n\n"
                        "Example: voxphys world stats terrain-l2 --rays 10000 --edits 100 --budget 1MiB");
    int code;
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    vp_status status = open_and_measure(&r, argv[1], &error);
    if (status != VP_OK) {
        code = vp_command_fail("world stats", &error);
    } else {
        const vp_terrain_stats stats = vp_terrain_stats_of(r.terrain);
        code = json ? print_json(&r, &stats) : print_text(&r, &stats);
    }
    vp_terrain_destroy(r.terrain);
    vp_named_world_close(&r.of);
    free(r.ray);
    free(r.hit);
    return code;
}
