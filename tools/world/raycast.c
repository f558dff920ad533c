/* SPDX-License-Identifier: MIT */
/* `voxphys world raycast` casts rays at the terrain of a world. `voxphys raycast` builds one tree of all triangles
 * first. This command makes meshes and trees only of chunks that rays reach. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "host/line_file.h"
#include "host/ray_file.h"
#include "host/bytes.h"
#include "host/thread_executor.h"
#include "tools/raycast/raycast.h"
#include "tools/world/world.h"

enum { SHOWN = 10 };

typedef struct world_raycast {
    vp_named_world of;
    vp_terrain_choice choice;
    vp_terrain *terrain;
    vp_ray_list rays;
    vp_ray_query what;
    float radius;
    uint32_t shown;
    vp_terrain_hit *hit; /* closest and sweep: one per ray */
    uint32_t *found;     /* hits of each ray, 0 or 1 for any */
    vp_terrain_hit *all; /* all: the hits of all rays, consecutively */
    size_t all_count, all_capacity, all_reported;
    double seconds;
} world_raycast;

/* ---- casting ---- */

/* Reports an invalid ray with the library's message and the ray's name here. */
static vp_status name_ray(const world_raycast *c, const char *file, uint32_t i, const vp_error *why, vp_error *error)
{
    if (c->rays.line == NULL)
        return vp_fail(error, why->status, "%s", why->message);
    vp_fail(error, why->status == VP_E_ARGUMENT ? VP_E_FORMAT : why->status, VP_PLACE "%s", c->rays.line[i], why->message);
    vp_name_file(error, "", file);
    return error->status;
}

static vp_status cast_all(world_raycast *c, uint32_t i, vp_error *error)
{
    for (;;) {
        const size_t room = c->all_capacity - c->all_count;
        vp_status status = vp_terrain_raycast_all(c->terrain, c->choice.surface, &c->rays.ray[i], c->all + c->all_count,
                                                  room < UINT32_MAX ? (uint32_t)room : UINT32_MAX, &c->found[i], error);
        if (status != VP_OK || c->found[i] <= room) {
            c->all_count += status == VP_OK ? c->found[i] : 0;
            return status;
        }
        status = vp_grow_array(&c->all, &c->all_capacity, c->all_count + c->found[i], sizeof *c->all, "hits", error);
        if (status != VP_OK)
            return status;
    }
}

static vp_status cast_one(world_raycast *c, uint32_t i, vp_error *error)
{
    const vp_ray *ray = &c->rays.ray[i];
    vp_status status = VP_OK;
    bool any = false;
    switch (c->what) {
    case VP_CAST_ALL:
        return cast_all(c, i, error);
    case VP_CAST_ANY:
        status = vp_terrain_raycast_any(c->terrain, c->choice.surface, ray, &any, error);
        c->found[i] = any;
        return status;
    case VP_CAST_SWEEP: {
        vp_terrain_contact contact;
        status = vp_terrain_sphere_sweep(c->terrain, c->choice.surface, ray, c->radius, &contact, error);
        c->hit[i] = status == VP_OK ? contact.hit : c->hit[i];
        break;
    }
    case VP_CAST_CLOSEST:
        break; /* all rays in one call, see below */
    }
    c->found[i] = status == VP_OK && c->hit[i].in_chunk.triangle >= 0;
    return status;
}

/* Casts all rays. *which is the one that failed. */
static vp_status cast_rays(world_raycast *c, uint32_t *which, vp_error *error)
{
    vp_status status = VP_OK;
    const double begin = vp_seconds();
    if (c->what == VP_CAST_CLOSEST) {
        status = vp_terrain_raycast_many(c->terrain, c->choice.surface, c->rays.ray, c->rays.count, c->hit, error);
        for (*which = 0; status == VP_E_ARGUMENT && c->hit[*which].in_chunk.triangle != VP_RAY_INVALID;)
            ++*which;
        for (uint32_t i = 0; status == VP_OK && i < c->rays.count; i++)
            c->found[i] = c->hit[i].in_chunk.triangle >= 0;
        if (status == VP_E_ARGUMENT) { /* repeated alone, so that the message is about this ray */
            vp_terrain_hit hit;
            status = vp_terrain_raycast(c->terrain, c->choice.surface, &c->rays.ray[*which], &hit, error);
        }
    } else {
        for (*which = 0; status == VP_OK && *which < c->rays.count; ++*which) {
            status = cast_one(c, *which, error);
            if (*which % 4096 == 0)
                vp_progress("rays", *which, c->rays.count);
        }
        vp_progress("", 1, 1);
        *which -= status != VP_OK;
    }
    c->seconds = vp_seconds() - begin;
    return status;
}

static vp_status run(world_raycast *c, const char *name, const char *file, vp_error *error)
{
    const vp_executor executor = vp_thread_executor(c->choice.threads);
    vp_error why;
    uint32_t which = 0;
    VP_RETURN_IF_FAILED(file != NULL ? vp_ray_file_read(file, &c->rays, error) : VP_OK);
    VP_RETURN_IF_FAILED(vp_named_world_open("world raycast", name, &c->of, error));
    VP_RETURN_IF_FAILED(vp_terrain_of(&c->of, &c->choice, &executor, &c->terrain, error));
    c->hit = malloc(((size_t)c->rays.count + 1) * sizeof *c->hit);
    c->found = calloc((size_t)c->rays.count + 1, sizeof *c->found);
    if (c->hit == NULL || c->found == NULL || vp_grow_array(&c->all, &c->all_capacity, 1, sizeof *c->all, "hits", error) != VP_OK)
        return vp_fail(error, VP_E_MEMORY, "no memory for the answers to %u rays", c->rays.count);
    vp_status status = cast_rays(c, &which, &why);
    return status == VP_OK ? VP_OK : name_ray(c, file, which, &why, error);
}

/* ---- output ---- */

/* The hits of ray i. `before` is the number of hits of earlier rays, for all hits. */
static const vp_terrain_hit *hits_of(const world_raycast *c, uint32_t i, size_t before)
{
    return c->what == VP_CAST_ALL ? c->all + before : &c->hit[i];
}

/* XXH3-64 of each ray's number of hits and of t, triangle, u, v and chunk of each hit. --any has one number per ray. */
static uint64_t digest_of(const world_raycast *c)
{
    vp_hasher h;
    size_t before = 0;
    vp_hash_begin(&h);
    for (uint32_t i = 0; i < c->rays.count; i++) {
        const vp_terrain_hit *hit = hits_of(c, i, before);
        const uint32_t hits = c->what == VP_CAST_ANY ? 0 : c->found[i];
        vp_hash_u32(&h, c->found[i]);
        vp_hash_words(&h, hit, (size_t)hits * 5);
        before += hits;
    }
    return vp_hash_end(&h);
}

static vp_status hit_of(void *user, uint32_t i, uint32_t number, vp_reported_hit *out, vp_error *error)
{
    world_raycast *c = user;
    (void)number; /* all hits are consecutive */
    const vp_ray *ray = &c->rays.ray[i];
    const vp_terrain_hit *hit = hits_of(c, i, c->all_reported++);
    *out = (vp_reported_hit){.hit = hit->in_chunk, .chunk = hit->chunk};
    if (c->what == VP_CAST_SWEEP) {
        vp_terrain_contact k;
        VP_RETURN_IF_FAILED(vp_terrain_sphere_sweep(c->terrain, c->choice.surface, ray, c->radius, &k, error));
        *out = (vp_reported_hit){hit->in_chunk, hit->chunk, k.at.point, k.at.normal, k.at, k.triangle.material};
        return VP_OK;
    }
    vp_terrain_reader reader;
    vp_terrain_triangle is;
    vp_terrain_acquire_reader(c->terrain, &reader);
    vp_status status = vp_terrain_reader_triangle(&reader, c->choice.surface,
                                                  (vp_terrain_triangle_id){hit->chunk, (uint32_t)hit->in_chunk.triangle}, &is, error);
    vp_terrain_release_reader(&reader);
    if (status == VP_OK) {
        out->point = vp_vec3_add(ray->origin, vp_vec3_scale(ray->direction, hit->in_chunk.t));
        out->normal = is.normal;
        out->material = is.material;
    }
    return status;
}

static vp_answers answers_of(world_raycast *c)
{
    return (vp_answers){c->rays.count, c->shown, c->found, c->what, &c->of.looks, hit_of, c};
}

static int print_json(world_raycast *c, uint64_t hit_rays, uint64_t digest, const vp_terrain_stats *stats)
{
    vp_error error = {VP_E_MEMORY, "no memory for the answers"};
    const vp_answers reported = answers_of(c);
    json_t *answers = vp_answers_json(&reported, &error);
    if (answers == NULL)
        return vp_command_fail("world raycast", &error);
    json_t *rays = json_pack("{s:I, s:s, s:I, s:f, s:o}", "count", (json_int_t)c->rays.count, "cast", vp_cast_names[c->what],
                             "rays_that_hit", (json_int_t)hit_rays, "seconds", c->seconds, "radius",
                             c->what == VP_CAST_SWEEP ? json_real((double)c->radius) : json_null());
    return vp_print_json(json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o}", "world", vp_json_name(c->of.name), "surface",
                                   vp_surface_names[c->choice.surface], "form", vp_form_names[c->choice.form], "rays", rays, "cache",
                                   vp_terrain_stats_json(stats), "answers", answers, "digest", vp_json_hex(digest)));
}

static int print_text(world_raycast *c, uint64_t hit_rays, uint64_t digest, const vp_terrain_stats *stats)
{
    vp_error error;
    const vp_answers reported = answers_of(c);
    printf("world    %s, its %s surface, trees %s\n", c->of.name, vp_surface_names[c->choice.surface], vp_form_names[c->choice.form]);
    if (vp_answers_print(&reported, &error) != VP_OK)
        return vp_command_fail("world raycast", &error);
    printf("made     %" PRIu64 " chunk%s, %u with triangles are kept: %s\n", stats->built, vp_plural(stats->built), stats->kept,
           vp_show_bytes((double)stats->bytes).text);
    printf("answers  %" PRIu64 " of %u ray%s hit, %s, in %.3f ms; digest %016" PRIx64 "\n", hit_rays, c->rays.count,
           vp_plural(c->rays.count), vp_cast_names[c->what], c->seconds * 1e3, digest);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

/* Reads a number that may be infinite. */
static int read_end(const char *command, const vp_argument *a, const char *text)
{
    return text != NULL && strcmp(text, "inf") == 0 ? VP_EXIT_DONE : vp_read_float(command, a, text);
}

static void drop(world_raycast *c)
{
    vp_terrain_destroy(c->terrain);
    vp_named_world_close(&c->of);
    vp_ray_list_destroy(&c->rays);
    free(c->hit);
    free(c->found);
    free(c->all);
}

int vp_world_raycast(int argc, char **argv)
{
    world_raycast c = {.choice = {.form = VP_KD_WIDE}, .shown = SHOWN};
    const char *rays;
    bool any, all, json;
    float from[3], direction[3], end = INFINITY;
    const vp_argument arguments[] = {
        VP_GROUP("Rays"),
        {"--from", "X,Y,Z", "origin of the ray, in voxels", VP_FLOATS(from, 3)},
        {"--dir", "X,Y,Z", "direction of the ray, of any length but 0", VP_FLOATS(direction, 3)},
        {"--t-max", "T", "end of the ray, in lengths of the direction (default: none)", VP_BY(read_end, &end)},
        {"--rays", "FILE", "cast the rays of a file, one per line, instead", VP_TEXT(&rays)},
        {"--any", NULL, "report only whether a ray hits anything", VP_FLAG(&any)},
        {"--all", NULL, "report every triangle that a ray hits", VP_FLAG(&all)},
        {"--radius", "R", "sweep a sphere of radius R along each ray, in voxels, from 0", VP_FLOAT(&c.radius)},
        {"--surface", "WHICH", "solid or water (default solid)", VP_ASK_SURFACE(&c.choice.surface)},
        {"--form", "FORM", "tree layout: wide, slab, published, packed or implied (default wide)", VP_ASK_FORM(&c.choice.form)},
        VP_GROUP("Terrain"),
        {"--budget", "BYTES", "memory for meshes and trees: 4096, 16KiB, 256MiB, no-cache, no-limit (default 128MiB)",
         VP_BUDGET(&c.choice.budget)},
        VP_GROUP("Execution and output"),
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&c.choice.kernels)},
        {"--threads", "N", "number of threads for closest hits, 1 to 256 (default 1)", VP_ASK_THREADS(&c.choice.threads)},
        {"--hits", "N", "print the answers of the first N rays, from 0 (default 10)", VP_U32(&c.shown, 0, UINT32_MAX)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("world raycast", "WORLD [OPTION...]", 1, 1, arguments,
                        "Cast rays at a terrain, which builds the meshes and trees of the chunks that rays meet, within a memory budget.\n"
                        "'voxphys raycast' builds one tree over the whole surface instead, and also takes meshes.\n"
                        "WORLD is a data set's name or a .vpw file. Prints each hit's chunk, triangle, point, normal and material.\n"
                        "The digest of all answers depends only on the world and the rays. It is the same on every machine.\n\n"
                        "Example: voxphys world raycast terrain-l2 --from 20,60,20 --dir 0,-1,0");
    int code;
    vp_error error;
    uint64_t digest = 0, hit_rays = 0;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    const bool has_from = vp_given(&line, "--from") != NULL, has_direction = vp_given(&line, "--dir") != NULL,
               swept = vp_given(&line, "--radius") != NULL;
    if (any + all + swept > 1)
        return vp_command_usage("world raycast", "--any, --all and --radius exclude each other");
    if (rays != NULL && (has_from || has_direction || vp_given(&line, "--t-max") != NULL))
        return vp_command_usage("world raycast", "--rays and --from, --dir, --t-max exclude each other");
    if (rays == NULL && !(has_from && has_direction))
        return vp_command_usage("world raycast", "%s is missing; a ray is --from X,Y,Z --dir X,Y,Z [--t-max T], many are --rays FILE",
                                has_from ? "--dir" : "--from");
    c.what = any ? VP_CAST_ANY : all ? VP_CAST_ALL : swept ? VP_CAST_SWEEP : VP_CAST_CLOSEST;
    if (rays == NULL) {
        c.rays = (vp_ray_list){.count = 1, .ray = malloc(sizeof(vp_ray))};
        if (c.rays.ray == NULL)
            return vp_command_fail("world raycast", &(vp_error){VP_E_MEMORY, "no memory for a ray"});
        c.rays.ray[0] = (vp_ray){{from[0], from[1], from[2]}, {direction[0], direction[1], direction[2]}, end};
    }
    vp_status status = run(&c, argv[1], rays, &error);
    if (status == VP_OK)
        digest = digest_of(&c);
    for (uint32_t i = 0; status == VP_OK && i < c.rays.count; i++)
        hit_rays += c.found[i] != 0;
    if (status != VP_OK) {
        code = vp_command_fail("world raycast", &error);
    } else {
        const vp_terrain_stats stats = vp_terrain_stats_of(c.terrain);
        code = json ? print_json(&c, hit_rays, digest, &stats) : print_text(&c, hit_rays, digest, &stats);
    }
    drop(&c);
    return code;
}
