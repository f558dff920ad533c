/* SPDX-License-Identifier: MIT */
/* `voxphys world info` prints the content of a world, and the memory of its terrain for each form of tree. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "src/core/isa_names.h"
#include "tools/world/world.h"
#include "host/thread_executor.h"

typedef struct info {
    vp_named_world of;
    vp_executor executor;
    vp_kernels kernels;
    vp_broadphase_memory broadphase;
    uint64_t voxels[3]; /* air, water, solid */
    vp_terrain_stats form[VP_SURFACE_COUNT][VP_KD_FORM_COUNT];
} info;

static uint64_t voxel_count(const info *i)
{
    const vp_dims s = vp_world_size(i->of.world);
    return (uint64_t)s.x * s.y * s.z;
}

static uint32_t chunk_count(const info *i)
{
    return (uint32_t)(voxel_count(i) / VP_CHUNK_VOXELS);
}

/* Measures all meshes and trees of one surface in one form. */
static vp_status measure(info *i, vp_surface surface, vp_kd_form form, vp_error *error)
{
    const vp_terrain_choice choice = {surface, form, VP_TERRAIN_NO_LIMIT, i->kernels, 1};
    vp_terrain *t = NULL;
    vp_status status = vp_terrain_of(&i->of, &choice, &i->executor, &t, error);
    if (status == VP_OK)
        status = vp_terrain_prepare(t, error);
    if (status == VP_OK) {
        i->form[surface][form] = vp_terrain_stats_of(t);
        i->broadphase = vp_broadphase_memory_use(vp_terrain_broadphase(t));
    }
    vp_terrain_destroy(t);
    return status;
}

static vp_status measure_all(info *i, vp_error *error)
{
    vp_status status = VP_OK;
    uint64_t of[256];
    vp_count_materials(i->of.world, of);
    i->voxels[0] = of[VP_AIR];
    i->voxels[1] = of[VP_WATER];
    i->voxels[2] = voxel_count(i) - of[VP_AIR] - of[VP_WATER];
    for (int s = 0; status == VP_OK && s < VP_SURFACE_COUNT; s++)
        for (int f = 0; status == VP_OK && f < VP_KD_FORM_COUNT; f++) {
            vp_progress(vp_form_names[f], (uint64_t)(s * VP_KD_FORM_COUNT + f), VP_SURFACE_COUNT * VP_KD_FORM_COUNT);
            status = measure(i, (vp_surface)s, (vp_kd_form)f, error);
        }
    vp_progress("", 1, 1);
    return status;
}

static double a_triangle(const vp_terrain_stats *s)
{
    return s->triangles != 0 ? (double)s->bytes / (double)s->triangles : 0;
}

static json_t *surface_json(const info *i, vp_surface surface)
{
    const vp_terrain_stats *first = &i->form[surface][0];
    json_t *forms = json_array();
    for (int f = 0; f < VP_KD_FORM_COUNT; f++) {
        const vp_terrain_stats *s = &i->form[surface][f];
        json_array_append_new(forms, json_pack("{s:s, s:I, s:o, s:f}", "form", vp_form_names[f], "bytes", (json_int_t)s->bytes,
                                               "bytes_per_triangle", s->triangles != 0 ? json_real(a_triangle(s)) : json_null(),
                                               "build_seconds", (double)s->build_ns * 1e-9));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "surface", vp_surface_names[surface], "chunks", (json_int_t)first->kept, "triangles",
                     (json_int_t)first->triangles, "fixed_bytes", (json_int_t)first->fixed_bytes, "forms", forms);
}

static int print_json(const info *i)
{
    const vp_dims s = vp_world_size(i->of.world), c = vp_world_chunks(i->of.world);
    const vp_broadphase_memory *b = &i->broadphase;
    const char *note = (const char *)i->of.note.bytes;
    return vp_print_json(
        json_pack("{s:o, s:o, s:[i,i,i], s:[i,i,i], s:I, s:{s:I, s:I, s:I}, s:{s:i, s:i, s:i, s:i}, s:{s:I, s:I}, s:[o,o], s:s}", "world",
                  vp_json_name(i->of.name), "hash_checked", vp_json_checked(i->of.content), "size", (int)s.x, (int)s.y, (int)s.z, "chunks",
                  (int)c.x, (int)c.y, (int)c.z, "voxel_bytes", (json_int_t)(voxel_count(i) * 2),                                   //
                  "voxels", "air", (json_int_t)i->voxels[0], "water", (json_int_t)i->voxels[1], "solid", (json_int_t)i->voxels[2], //
                  "tags", "empty", (int)b->chunks[VP_CHUNK_EMPTY], "full_solid", (int)b->chunks[VP_CHUNK_FULL_SOLID], "full_water",
                  (int)b->chunks[VP_CHUNK_FULL_WATER], "mixed", (int)b->chunks[VP_CHUNK_MIXED],                     //
                  "broadphase", "mask_bytes", (json_int_t)b->mask_bytes, "total_bytes", (json_int_t)b->total_bytes, //
                  "surfaces", surface_json(i, VP_SURFACE_SOLID), surface_json(i, VP_SURFACE_WATER), "note", note != NULL ? note : ""));
}

static void print_surface(const info *i, vp_surface surface)
{
    const vp_terrain_stats *first = &i->form[surface][0];
    printf("%-8s %u chunk%s, %" PRIu64 " triangle%s; top level and table %s\n", vp_surface_names[surface], first->kept,
           vp_plural(first->kept), first->triangles, vp_plural(first->triangles), vp_show_bytes((double)first->fixed_bytes).text);
    for (int f = 0; f < VP_KD_FORM_COUNT && first->triangles != 0; f++) {
        const vp_terrain_stats *s = &i->form[surface][f];
        printf("         %-9s  %10s, %5.1f bytes a triangle, made in %.1f us a chunk\n", vp_form_names[f],
               vp_show_bytes((double)s->bytes).text, a_triangle(s), (double)s->build_ns * 1e-3 / (double)s->built);
    }
}

static int print_text(const info *i)
{
    const vp_dims s = vp_world_size(i->of.world), c = vp_world_chunks(i->of.world);
    const vp_broadphase_memory *b = &i->broadphase;
    printf("world    %s: %u x %u x %u voxels in %u x %u x %u chunks, %s\n", i->of.name, s.x, s.y, s.z, c.x, c.y, c.z,
           vp_show_bytes((double)voxel_count(i) * 2).text);
    printf("voxels   %" PRIu64 " air, %" PRIu64 " water, %" PRIu64 " solid\n", i->voxels[0], i->voxels[1], i->voxels[2]);
    printf("tags     of %u chunks %u empty, %u full of solid, %u full of water, %u mixed\n", chunk_count(i), b->chunks[VP_CHUNK_EMPTY],
           b->chunks[VP_CHUNK_FULL_SOLID], b->chunks[VP_CHUNK_FULL_WATER], b->chunks[VP_CHUNK_MIXED]);
    printf("bits     broadphase of %s, %.3f bits a voxel\n", vp_show_bytes((double)b->total_bytes).text,
           (double)b->total_bytes * 8 / (double)voxel_count(i));
    print_surface(i, VP_SURFACE_SOLID);
    print_surface(i, VP_SURFACE_WATER);
    return VP_EXIT_DONE;
}

int vp_world_info(int argc, char **argv)
{
    bool json;
    vp_terrain_choice choice;
    const vp_argument arguments[] = {
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&choice.kernels)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&choice.threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("world info", "WORLD [OPTION...]", 1, 1, arguments,
                        "Print a world's size, its voxels and chunks by kind, and the memory of its broadphase, meshes and trees.\n"
                        "WORLD is a data set's name or a .vpw file. Both surfaces and every tree layout are measured.\n\n"
                        "Example: voxphys world info terrain-l2");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    info i = {.kernels = choice.kernels, .executor = vp_thread_executor(choice.threads)};
    vp_status status = vp_named_world_open("world info", argv[1], &i.of, &error);
    if (status == VP_OK)
        status = measure_all(&i, &error);
    int code = status != VP_OK ? vp_command_fail("world info", &error) : json ? print_json(&i) : print_text(&i);
    vp_named_world_close(&i.of);
    return code;
}
