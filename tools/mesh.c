/* SPDX-License-Identifier: MIT */
/* `voxphys mesh` counts and times the surface of a world, and writes it to a file. */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include <voxphys/mesh.h>

#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "tools/dataset/dataset.h"
#include "host/mesh_file.h"
#include "host/thread_executor.h"
#include "tools/commands.h"
#include "tools/choices.h"

typedef struct mesh_run {
    /* options */
    const char *out;
    bool wanted[VP_SURFACE_COUNT];
    vp_mesh_format format;
    uint32_t threads;
    /* state */
    vp_named_world of;
    vp_mesh mesh[VP_SURFACE_COUNT];
    /* results */
    double seconds[VP_SURFACE_COUNT];
    uint64_t digest[VP_SURFACE_COUNT];
} mesh_run;

/* ---- making ---- */

/* XXH3-64 of a mesh (vertices, quads, materials), little-endian. */
static uint64_t digest_of(const vp_mesh *mesh)
{
    vp_hasher h;
    vp_hash_begin(&h);
    vp_hash_words(&h, mesh->vertex, (size_t)mesh->vertex_count * 3);
    vp_hash_words(&h, mesh->quad, (size_t)mesh->quad_count * 4);
    vp_hash_bytes(&h, mesh->material, mesh->quad_count);
    return vp_hash_end(&h);
}

static vp_status make(mesh_run *r, const vp_kernels *kernels, vp_error *error)
{
    vp_executor inner = vp_thread_executor(r->threads);
    r->threads = inner.thread_count; /* the executor's count may be smaller */
    vp_status status = VP_OK;
    for (uint32_t s = 0; status == VP_OK && s < VP_SURFACE_COUNT; s++) {
        if (!r->wanted[s])
            continue;
        vp_watched w;
        vp_executor executor = vp_watch(&w, inner, vp_surface_names[s], VP_MESH_ROUNDS);
        vp_mesh_def def = {.world = r->of.world, .surface = (vp_surface)s, .kernels = kernels, .executor = &executor};
        double begin = vp_seconds();
        status = vp_mesh_create(&def, &r->mesh[s], error);
        r->seconds[s] = vp_seconds() - begin;
        vp_progress("", 1, 1);
        if (status == VP_OK)
            r->digest[s] = digest_of(&r->mesh[s]);
    }
    return status;
}

/* Writes the chosen surfaces that have quads. */
static vp_status write_file(const mesh_run *r, vp_error *error)
{
    vp_named_mesh named[VP_SURFACE_COUNT];
    size_t count = 0;
    for (int s = 0; s < VP_SURFACE_COUNT; s++)
        if (r->mesh[s].quad_count != 0)
            named[count++] = (vp_named_mesh){vp_surface_names[s], &r->mesh[s]};
    if (count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "%s has no such surface: nothing is written to %s", vp_show_path(r->of.name).text,
                       vp_show_path(r->out).text);
    vp_status status = vp_mesh_file_write(r->out, r->format, named, count, &r->of.looks, error);
    vp_progress("", 1, 1);
    return status;
}

/* ---- output ---- */

static void count_materials(const vp_mesh *mesh, uint32_t quads[256])
{
    memset(quads, 0, 256 * sizeof *quads);
    for (uint32_t q = 0; q < mesh->quad_count; q++)
        quads[mesh->material[q]]++;
}

static json_t *surface_json(const mesh_run *r, int s)
{
    uint32_t quads[256];
    const vp_mesh *mesh = &r->mesh[s];
    json_t *materials = json_array();
    count_materials(mesh, quads);
    for (int m = 0; m < 256; m++)
        if (quads[m] != 0)
            json_array_append_new(
                materials, json_pack("{s:i, s:s, s:I}", "material", m, "name", r->of.looks.of[m].name, "quads", (json_int_t)quads[m]));
    return json_pack("{s:s, s:I, s:I, s:I, s:f, s:o, s:o}", "surface", vp_surface_names[s], "vertices", (json_int_t)mesh->vertex_count,
                     "quads", (json_int_t)mesh->quad_count, "triangles", (json_int_t)mesh->quad_count * 2, "seconds", r->seconds[s],
                     "materials", materials, "digest", vp_json_hex(r->digest[s]));
}

static int print_as_json(const mesh_run *r, const vp_kernels *kernels)
{
    vp_dims size = vp_world_size(r->of.world);
    json_t *surfaces = json_array();
    for (int s = 0; s < VP_SURFACE_COUNT; s++)
        if (r->wanted[s])
            json_array_append_new(surfaces, surface_json(r, s));
    return vp_print_json(json_pack("{s:o, s:o, s:[i,i,i], s:s, s:i, s:o, s:o}", "world", vp_json_name(r->of.name), "hash_checked",
                                   vp_json_checked(r->of.content), "size", (int)size.x, (int)size.y, (int)size.z, "kernel",
                                   vp_isa_shown(vp_kernels_isa(kernels, VP_KERNEL_mesh_chunk)), "threads", (int)r->threads, "surfaces",
                                   surfaces, "file", vp_json_path(r->out)));
}

static int print_as_text(const mesh_run *r, const vp_kernels *kernels)
{
    vp_dims size = vp_world_size(r->of.world);
    printf("world    %s: %u x %u x %u voxels\n", r->of.name, size.x, size.y, size.z);
    printf("kernel   mesh_chunk %s, %u thread%s\n", vp_isa_shown(vp_kernels_isa(kernels, VP_KERNEL_mesh_chunk)), r->threads,
           r->threads == 1 ? "" : "s");
    for (int s = 0; s < VP_SURFACE_COUNT; s++) {
        uint32_t quads[256];
        if (!r->wanted[s])
            continue;
        printf("%-8s %u vertices, %u quad%s, %" PRIu64 " triangles; %.3f ms; digest %016" PRIx64 "\n", vp_surface_names[s],
               r->mesh[s].vertex_count, r->mesh[s].quad_count, vp_plural(r->mesh[s].quad_count), (uint64_t)r->mesh[s].quad_count * 2,
               r->seconds[s] * 1e3, r->digest[s]);
        count_materials(&r->mesh[s], quads);
        for (int m = 0; m < 256; m++)
            if (quads[m] != 0)
                printf("         %10u  %3d %s\n", quads[m], m, r->of.looks.of[m].name);
    }
    if (r->out != NULL)
        printf("written  %s\n", r->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

static vp_status check_out(const mesh_run *r, vp_error *error)
{
    if (r->out == NULL)
        return VP_OK;
    VP_RETURN_IF_FAILED(vp_check_out(r->of.manifest, r->of.name, r->out, error));
    if (r->format != VP_MESH_OBJ)
        return VP_OK;
    const vp_file_name materials = vp_mesh_materials_file(r->out);
    VP_RETURN_IF_FAILED(vp_check_out(r->of.manifest, r->of.name, materials.text, error));
    if (vp_same_file(r->out, materials.text))
        return vp_fail(error, VP_E_ARGUMENT, "'%s', for the materials, and FILE are one file", vp_show_path(materials.text).text);
    return VP_OK;
}

static vp_status run(mesh_run *r, const char *name, const vp_kernels *kernels, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_named_world_open("mesh", name, &r->of, error));
    VP_RETURN_IF_FAILED(check_out(r, error));
    VP_RETURN_IF_FAILED(make(r, kernels, error));
    return r->out != NULL ? write_file(r, error) : VP_OK;
}

static int read_surfaces(const char *command, const vp_argument *a, const char *text)
{
    bool *const wanted = a->to, both = text == NULL || strcmp(text, "both") == 0;
    bool any = both;
    for (int s = 0; s < VP_SURFACE_COUNT; s++) {
        wanted[s] = both || strcmp(text, vp_surface_names[s]) == 0;
        any = any || wanted[s];
    }
    return any ? VP_EXIT_DONE : vp_command_usage(command, "--surface '%s': must be one of solid, water, both", text);
}

int vp_command_mesh(int argc, char **argv)
{
    static mesh_run r;
    vp_kernels kernels;
    bool json;
    const vp_argument arguments[] = {
        {"-o", "FILE", "write the mesh: FILE ends with .obj (with materials in a .mtl file), .ply or .gltf", VP_TEXT(&r.out)},
        {"--surface", "WHICH", "solid, water or both (default both)", VP_BY(read_surfaces, r.wanted)},
        {"--isa", "NAME", "kernel: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&kernels)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&r.threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("mesh", "WORLD [OPTION...]", 1, 1, arguments,
                        "Extract a world's surface by naive Surface Nets, print its size, and write it to a file.\n"
                        "WORLD is a data set's name or a .vpw file. Solid and water have separate meshes. The unit is a voxel, y is\n"
                        "up, and quads are counterclockwise seen from outside. The digest is the same on every machine.\n\n"
                        "Example: voxphys mesh terrain-l2 -o terrain.obj");
    int code;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (r.out != NULL && !vp_mesh_format_of(r.out, &r.format))
        return vp_command_usage("mesh", "-o '%s': must end with one of .obj, .ply, .gltf", r.out);
    vp_error error;
    if (run(&r, argv[1], &kernels, &error) != VP_OK)
        code = vp_command_fail("mesh", &error);
    else
        code = json ? print_as_json(&r, &kernels) : print_as_text(&r, &kernels);
    for (int s = 0; s < VP_SURFACE_COUNT; s++)
        vp_mesh_destroy(&r.mesh[s]);
    vp_named_world_close(&r.of);
    return code;
}
