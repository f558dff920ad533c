/* SPDX-License-Identifier: MIT */
/* `voxphys raycast` builds a tree over a world's surface or any mesh, and casts rays at it.
 * The digest equals that of `voxphys verify` for the same answers: XXH3-64 of a record per ray, little-endian. Closest
 * hits and sweeps have t, triangle, u and v. --any has 1 or 0 (u32). --all has the XXH3-64 of the records of all hits,
 * and their number (u32). */
#include "tools/raycast/raycast.h"

#include <stdlib.h>

#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "host/line_file.h"
#include "host/thread_executor.h"
#include "tools/commands.h"

enum {
    BLOCK = 4096, /* rays per task */
    HITS_AT_FIRST = 64,
    SHOWN = 10 /* rays whose answers are printed without --hits. All of --ray are printed */
};

#define NO_MEMORY (UINT32_MAX - 1) /* in place of a number of hits */

/* ---- casting ---- */

typedef struct raycast_work {
    vp_raycast *r;
    bool hash; /* with --all: compute the hashes instead of counting */
    bool *no_memory;
} raycast_work;

/* Finds all hits of a ray, with memory that grows. @return their number, VP_RAY_ALL_INVALID, or NO_MEMORY */
static uint32_t all_hits(const vp_raycast *r, const vp_ray *ray, vp_hit **hits, uint32_t *capacity)
{
    for (;;) {
        uint32_t count = r->kernels.kd_ray_all(vp_kd_view_of(r->tree), ray, *hits, *capacity);
        if (count <= *capacity || count == VP_RAY_ALL_INVALID)
            return count;
        vp_hit *more = realloc(*hits, (size_t)count * sizeof *more);
        if (more == NULL)
            return NO_MEMORY;
        *hits = more;
        *capacity = count;
    }
}

static uint64_t hash_hits(const vp_hit *hits, uint32_t count)
{
    vp_hasher h;
    vp_hash_begin(&h);
    vp_hash_words(&h, hits, (size_t)count * 4);
    vp_hash_u32(&h, count);
    return vp_hash_end(&h);
}

static void cast_all(const raycast_work *w, uint32_t from, uint32_t to)
{
    vp_raycast *r = w->r;
    uint32_t capacity = HITS_AT_FIRST;
    vp_hit *hits = malloc(capacity * sizeof *hits);
    bool failed = hits == NULL;
    for (uint32_t i = from; !failed && i < to; i++) {
        r->found[i] = all_hits(r, &r->rays.ray[i], &hits, &capacity);
        failed = r->found[i] == NO_MEMORY;
        if (!failed && w->hash && r->found[i] != VP_RAY_ALL_INVALID)
            r->hash[i] = hash_hits(hits, r->found[i]);
    }
    free(hits);
    w->no_memory[from / BLOCK] = failed;
}

static vp_kernel_id kernel_of(const vp_raycast *r)
{
    static const vp_kernel_id kernels[] = {[VP_CAST_CLOSEST] = VP_KERNEL_kd_ray,
                                           [VP_CAST_ANY] = VP_KERNEL_kd_ray_any,
                                           [VP_CAST_ALL] = VP_KERNEL_kd_ray_all,
                                           [VP_CAST_SWEEP] = VP_KERNEL_kd_sphere_sweep};
    return kernels[r->cast];
}

static void cast_block(void *argument, uint32_t block)
{
    const raycast_work *w = argument;
    vp_raycast *r = w->r;
    const vp_kd_view *tree = vp_kd_view_of(r->tree);
    const uint32_t from = block * BLOCK, to = r->rays.count - from < BLOCK ? r->rays.count : from + BLOCK;
    switch (r->cast) {
    case VP_CAST_CLOSEST:
        for (uint32_t i = from; i < to; i++)
            r->hit[i] = r->kernels.kd_ray(tree, &r->rays.ray[i]);
        return;
    case VP_CAST_SWEEP:
        for (uint32_t i = from; i < to; i++)
            r->hit[i] = r->kernels.kd_sphere_sweep(tree, &r->rays.ray[i], r->radius);
        return;
    case VP_CAST_ANY:
        for (uint32_t i = from; i < to; i++)
            r->found[i] = (uint32_t)r->kernels.kd_ray_any(tree, &r->rays.ray[i]);
        return;
    case VP_CAST_ALL:
        cast_all(w, from, to);
        return;
    }
}

static vp_status cast_blocks(raycast_work *w, vp_executor inner, vp_error *error)
{
    const uint32_t blocks = (w->r->rays.count + BLOCK - 1) / BLOCK;
    vp_watched watched;
    vp_executor executor = vp_watch(&watched, inner, "rays", 1);
    executor.parallel_for(executor.user, blocks, cast_block, w);
    vp_progress("", 1, 1);
    for (uint32_t b = 0; b < blocks; b++)
        if (w->no_memory[b])
            return vp_fail(error, VP_E_MEMORY, "no memory for all hits of a ray");
    return VP_OK;
}

/* Reports an invalid ray with the library's message and the ray's name here. */
static vp_status refuse_ray(const vp_raycast *r, uint32_t i, vp_error *error)
{
    vp_hit hit;
    vp_error reason = {VP_E_ARGUMENT, ""};
    if (vp_kd_raycast(r->tree, &r->rays.ray[i], &hit, &reason) == VP_OK)
        return VP_OK;
    if (r->rays.line != NULL) {
        vp_fail(error, VP_E_FORMAT, VP_PLACE "%s", r->rays.line[i], reason.message);
        vp_name_file(error, "", r->rays_name);
        return VP_E_FORMAT;
    }
    return vp_fail(error, VP_E_ARGUMENT, "ray %u: %s", i, reason.message);
}

static vp_status cast(vp_raycast *r, vp_error *error)
{
    const uint32_t count = r->rays.count;
    const size_t blocks = (size_t)count / BLOCK + 1;
    for (uint32_t i = 0; i < count; i++) {
        vp_ray ray = r->rays.ray[i];
        ray.t_max = ray.t_max > 0 ? 0 : ray.t_max; /* checks the ray without casting it far */
        if (r->kernels.kd_ray_any(vp_kd_view_of(r->tree), &ray) == VP_RAY_INVALID)
            VP_RETURN_IF_FAILED(refuse_ray(r, i, error));
    }
    r->hit = malloc(((size_t)count + 1) * sizeof *r->hit);
    r->found = malloc(((size_t)count + 1) * sizeof *r->found);
    r->hash = malloc(((size_t)count + 1) * sizeof *r->hash);
    raycast_work w = {r, false, calloc(blocks, sizeof(bool))};
    if (r->hit == NULL || r->found == NULL || r->hash == NULL || w.no_memory == NULL) {
        free(w.no_memory);
        return vp_fail(error, VP_E_MEMORY, "no memory for the answers to %u rays", count);
    }
    vp_executor executor = vp_thread_executor(r->threads);
    r->kernel = kernel_of(r);
    r->threads = executor.thread_count; /* the executor's count may be smaller */
    double begin = vp_seconds();
    vp_status status = cast_blocks(&w, executor, error);
    r->cast_seconds = vp_seconds() - begin;
    w.hash = true;
    if (status == VP_OK && r->cast == VP_CAST_ALL)
        status = cast_blocks(&w, executor, error); /* again, not timed */
    free(w.no_memory);
    return status;
}

/* Counts hits, and computes the digest of all records. */
static void sum_up(vp_raycast *r)
{
    vp_hasher h;
    vp_hash_begin(&h);
    for (uint32_t i = 0; i < r->rays.count; i++) {
        if (r->cast == VP_CAST_ANY) {
            vp_hash_u32(&h, r->found[i]);
        } else if (r->cast == VP_CAST_ALL) {
            vp_hash_longs(&h, &r->hash[i], 1);
        } else {
            r->found[i] = r->hit[i].triangle >= 0 ? 1 : 0;
            vp_hash_words(&h, &r->hit[i], 4);
        }
        r->hit_rays += r->found[i] != 0 ? 1 : 0;
        r->hits += r->found[i];
    }
    r->digest = vp_hash_end(&h);
}

/* ---- the command ---- */

/* @param of_world  whether an option for worlds was given */
static vp_status run(vp_raycast *r, const char *name, bool of_world, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_source_open("raycast", name, NULL, &r->source, error));
    if (of_world && r->source.kind != VP_SOURCE_WORLD)
        return vp_fail(error, VP_E_ARGUMENT, "--surface is for worlds; %s is a mesh", vp_show_path(name).text);
    VP_RETURN_IF_FAILED(vp_source_surface(&r->source, r->surface, &r->kernels, r->threads, &r->mesh, error));
    if (r->mesh.triangles.triangle_count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "%s has no %s surface", vp_show_path(name).text, vp_surface_names[r->surface]);
    const vp_kd_def def = {.triangles = r->mesh.triangles, .material = r->mesh.material, .form = r->form, .kernels = &r->kernels};
    double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_kd_create(&def, &r->tree, error));
    r->build_seconds = vp_seconds() - begin;
    VP_RETURN_IF_FAILED(vp_raycast_open_rays(r, error));
    VP_RETURN_IF_FAILED(cast(r, error));
    sum_up(r);
    return VP_OK;
}

/* Reads the rays of --ray. @return the exit code */
static int take_rays(vp_raycast *r, const char *const *text)
{
    uint32_t count = 0;
    while (text[count] != NULL)
        count++;
    if (count == 0)
        return VP_EXIT_DONE;
    r->own_rays = true;
    r->rays = (vp_ray_list){.count = count, .ray = malloc(count * sizeof(vp_ray))};
    if (r->rays.ray == NULL)
        return vp_command_fail("raycast", &(vp_error){VP_E_MEMORY, "no memory for rays"});
    for (uint32_t i = 0; i < count; i++)
        if (!vp_raycast_parse_ray(text[i], &r->rays.ray[i]))
            return VP_EXIT_USAGE;
    return VP_EXIT_DONE;
}

static void drop(vp_raycast *r)
{
    free(r->hit);
    free(r->found);
    free(r->hash);
    free(r->all);
    vp_ray_list_destroy(&r->rays);
    vp_kd_destroy(r->tree);
    vp_surface_mesh_destroy(&r->mesh);
    vp_source_close(&r->source);
}

int vp_command_raycast(int argc, char **argv)
{
    static vp_raycast run_of = {.form = VP_KD_WIDE, .shown = SHOWN};
    vp_raycast *const r = &run_of;
    const char *ray[VP_OPTION_MANY + 1];
    bool any, all, json;
    const vp_argument arguments[] = {
        VP_GROUP("Rays"),
        {"--ray", "RAY...", "cast OX,OY,OZ,DX,DY,DZ[,TMAX]: origin, direction, end (default: none); up to 64 times", VP_MANY(ray)},
        {"--rays", "FILE|SET", "cast the rays of a file, one per line, or of the manifest, e.g. world-230k/coherent",
         VP_TEXT(&r->rays_name)},
        {"--any", NULL, "report only whether a ray hits anything", VP_FLAG(&any)},
        {"--all", NULL, "report every triangle that a ray hits", VP_FLAG(&all)},
        {"--radius", "R", "sweep a sphere of radius R along each ray, 0 to 2^40", VP_WITHIN(&r->radius, 0, VP_KD_MAX)},
        VP_GROUP("Mesh and tree"),
        {"--surface", "WHICH", "for a world: solid or water (default solid)", VP_ASK_SURFACE(&r->surface)},
        {"--form", "FORM", "tree layout: wide, slab, published, packed or implied (default wide)", VP_ASK_FORM(&r->form)},
        VP_GROUP("Execution and output"),
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&r->kernels)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&r->threads)},
        {"--hits", "N", "print the answers of the first N rays, from 0 (default 10; with --ray, all)", VP_U32(&r->shown, 0, UINT32_MAX)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        "raycast", "WORLD|MESH [OPTION...]", 1, 1, arguments,
        "Build one loose kD tree over a whole surface, cast rays at it, and print the hits. 'voxphys world raycast' casts rays\n"
        "at a terrain, which builds the trees of the chunks that rays meet, within a memory budget.\n"
        "WORLD is a data set's name or a .vpw file. MESH is a data set of one mesh, or a mesh file (.obj, .ply, .stl,\n"
        ".off, .gltf, .glb). Without --ray and --rays, casts the 512 x 512 rays of a camera that sees the whole mesh.\n"
        "The digest of the answers is the same on every machine.\n\n"
        "Example: voxphys raycast terrain-l2 --ray 20,60,20,0,-1,0");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    const bool swept = vp_given(&line, "--radius") != NULL, of_world = vp_given(&line, "--surface") != NULL;
    if (any + all + swept > 1)
        return vp_command_usage("raycast", "--any, --all and --radius exclude each other");
    if (r->rays_name != NULL && ray[0] != NULL)
        return vp_command_usage("raycast", "--ray and --rays exclude each other");
    if (ray[0] != NULL && vp_given(&line, "--hits") == NULL)
        r->shown = VP_OPTION_MANY;
    r->cast = any ? VP_CAST_ANY : all ? VP_CAST_ALL : swept ? VP_CAST_SWEEP : VP_CAST_CLOSEST;
    int code = take_rays(r, ray);
    if (code == VP_EXIT_DONE && run(r, argv[1], of_world, &error) != VP_OK)
        code = vp_command_fail("raycast", &error);
    else if (code == VP_EXIT_DONE)
        code = json ? vp_raycast_print_json(r) : vp_raycast_print_text(r);
    drop(r);
    return code;
}
