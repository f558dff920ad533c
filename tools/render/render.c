/* SPDX-License-Identifier: MIT */
/* `voxphys render` makes a shaded picture of a world or a mesh by ray casting. */
#include "host/program.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "host/png_write.h"
#include "tools/render/scene.h"
#include "tools/commands.h"
#include "tools/choices.h"

enum { MAX_EDGE = 16384, MAX_PIXELS = 1 << 26, MAX_PANELS = 8 };

/* One of the sources that are shown side by side. */
typedef struct panel {
    vp_source source;
    vp_render_scene scene;
    uint32_t width; /* columns */
    vp_camera camera;
} panel;

typedef struct rendering {
    /* options */
    const char *out;
    uint32_t size[2]; /* width and height */
    vp_view view;
    vp_scene_def def;
    /* state */
    vp_kernels kernels;
    panel panel[MAX_PANELS];
    uint32_t panels;
    uint8_t *rgb;
    /* results */
    double seconds;
    uint64_t ray_count, digest;
} rendering;

/* ---- a picture ---- */

static vp_status take_picture(rendering *r, vp_error *error)
{
    vp_picture picture = {.width = r->size[0], .height = r->size[1], .samples = r->def.samples, .threads = r->def.threads};
    vp_picture_panel panels[MAX_PANELS];
    for (uint32_t i = 0; i < r->panels; i++)
        panels[i] = (vp_picture_panel){&r->panel[i].scene, r->panel[i].camera, r->panel[i].width};
    double begin = vp_seconds();
    const vp_status status = vp_picture_take(&picture, panels, error);
    r->seconds = vp_seconds() - begin;
    r->def.threads = picture.threads; /* the picture's count may be smaller */
    r->rgb = picture.rgb;
    r->ray_count = picture.rays;
    if (status == VP_OK)
        r->digest = vp_hash64(r->rgb, (size_t)r->size[0] * r->size[1] * 3);
    return status;
}

/* Reads a source and makes its scene. Adds the scene's box to `box`. */
static vp_status make_panel(rendering *r, uint32_t number, const char *name, bool of_world, vp_aabb *box, vp_error *error)
{
    panel *p = &r->panel[number];
    p->width = (uint32_t)((uint64_t)r->size[0] * (number + 1) / r->panels) - (uint32_t)((uint64_t)r->size[0] * number / r->panels);
    VP_RETURN_IF_FAILED(vp_source_open("render", name, r->out, &p->source, error));
    if (of_world && p->source.kind != VP_SOURCE_WORLD)
        return vp_fail(error, VP_E_ARGUMENT, "--surface is for worlds; %s is a mesh", vp_show_path(name).text);
    VP_RETURN_IF_FAILED(vp_scene_make(&r->def, &p->source, &p->scene, error));
    *box = number == 0 ? p->scene.box : vp_aabb_union(box, &p->scene.box);
    return VP_OK;
}

/* All sources are seen from one place, so that they can be compared.
   @param of_world  whether an option for worlds was given */
static vp_status run(rendering *r, char **name, bool of_world, vp_error *error)
{
    vp_aabb box = {{0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < r->panels; i++)
        VP_RETURN_IF_FAILED(make_panel(r, i, name[i], of_world, &box, error));
    for (uint32_t i = 0; i < r->panels; i++) {
        r->view.aspect = (float)r->panel[i].width / (float)r->size[1];
        VP_RETURN_IF_FAILED(vp_camera_make(&r->view, &box, &r->panel[i].camera, error));
    }
    VP_RETURN_IF_FAILED(take_picture(r, error));
    return vp_png_save(r->rgb, r->size[0], r->size[1], r->out, error);
}

/* ---- output ---- */

static const char *isa_of(const rendering *r, vp_kernel_id kernel)
{
    return vp_isa_shown(vp_kernels_isa(&r->kernels, kernel));
}

static uint64_t triangle_count(const rendering *r)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < r->panels; i++)
        for (int s = 0; s < VP_SURFACE_COUNT; s++)
            count += r->panel[i].scene.surface[s].mesh.triangles.triangle_count;
    return count;
}

static void sum_seconds(const rendering *r, double *meshes, double *trees)
{
    *meshes = *trees = 0;
    for (uint32_t i = 0; i < r->panels; i++) {
        *meshes += r->panel[i].scene.mesh_seconds;
        *trees += r->panel[i].scene.build_seconds;
    }
}

static int print_as_json(const rendering *r)
{
    const vp_camera *camera = &r->panel[0].camera;
    json_t *sources = json_array();
    double meshes, trees;
    sum_seconds(r, &meshes, &trees);
    for (uint32_t i = 0; i < r->panels; i++)
        json_array_append_new(sources, vp_json_name(r->panel[i].source.name));
    json_t *rays = json_pack("{s:I, s:s, s:s, s:i, s:f, s:o}", "count", (json_int_t)r->ray_count, "kernel", isa_of(r, VP_KERNEL_kd_ray),
                             "kernel_any", isa_of(r, VP_KERNEL_kd_ray_any), "threads", (int)r->def.threads, "seconds", r->seconds,
                             "rays_per_second", vp_json_rate((double)r->ray_count, r->seconds));
    return vp_print_json(json_pack(
        "{s:o, s:o, s:o, s:[i, i], s:{s:I, s:f}, s:{s:s, s:f}, s:{s:o, s:o}, s:o, s:o}", "source", vp_json_name(r->panel[0].source.name),
        "sources", sources, "file", vp_json_name(r->out), "size", (int)r->size[0], (int)r->size[1], "mesh", "triangles",
        (json_int_t)triangle_count(r), "seconds", meshes, "trees", "form", vp_form_names[r->def.form], "seconds", trees, "camera", "eye",
        vp_json_vec3(camera->eye), "forward", vp_json_vec3(camera->forward), "rays", rays, "digest", vp_json_hex(r->digest)));
}

static int print_as_text(const rendering *r)
{
    const vp_camera *c = &r->panel[0].camera;
    double meshes, trees;
    sum_seconds(r, &meshes, &trees);
    for (uint32_t i = 0; i < r->panels; i++)
        printf("%-9s%s%s", i == 0 ? "scene" : "", r->panel[i].source.name, i + 1 < r->panels ? "\n" : "");
    printf(": %" PRIu64 " triangle%s; meshes %.3f ms, trees %.3f ms\n", triangle_count(r), vp_plural(triangle_count(r)), meshes * 1e3,
           trees * 1e3);
    printf("camera   at (%.9g, %.9g, %.9g), towards (%.9g, %.9g, %.9g)\n", (double)c->eye.x, (double)c->eye.y, (double)c->eye.z,
           (double)c->forward.x, (double)c->forward.y, (double)c->forward.z);
    printf("rays     %" PRIu64 ", by %s and %s on %u thread%s: %.3f ms", r->ray_count, isa_of(r, VP_KERNEL_kd_ray),
           isa_of(r, VP_KERNEL_kd_ray_any), r->def.threads, r->def.threads == 1 ? "" : "s", r->seconds * 1e3);
    if (r->seconds > 0)
        printf(", %.3f million rays a second", (double)r->ray_count / r->seconds * 1e-6);
    printf("\npicture  %u x %u pixels, digest %016" PRIx64 "\nwritten  %s\n", r->size[0], r->size[1], r->digest, r->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

static int read_size(const char *command, const vp_argument *a, const char *text)
{
    uint32_t *const size = a->to;
    char *end = NULL;
    if (text == NULL)
        return VP_EXIT_DONE;
    unsigned long w = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    unsigned long h = w != 0 && *end == 'x' && end[1] >= '0' && end[1] <= '9' ? strtoul(end + 1, &end, 10) : 0;
    if (h == 0 || *end != '\0')
        return vp_command_usage(command, "--size '%s' is not a width and a height, as in 960x540", text);
    if (w > MAX_EDGE || h > MAX_EDGE || w * h > MAX_PIXELS)
        return vp_command_usage(command, "--size '%s': at most %d pixels on a side and %d in all", text, MAX_EDGE, MAX_PIXELS);
    size[0] = (uint32_t)w;
    size[1] = (uint32_t)h;
    return VP_EXIT_DONE;
}

/* 0 in a vp_view means that everything is in view, which is the default. */
static int read_distance(const char *command, const vp_argument *a, const char *text)
{
    const int code = vp_read_float(command, a, text);
    const float distance = *(float *)a->to;
    if (code != VP_EXIT_DONE || text == NULL || (distance > 0 && distance <= VP_KD_MAX))
        return code;
    return vp_command_usage(command, "--distance '%s' is not above 0 and at most 2^40", text);
}

/* Checks options before anything is read. @return the exit code */
static int refuse(const vp_command_line *line, const rendering *r, const float sun[2])
{
    if (fabsf(sun[0]) > 3600 || fabsf(sun[1]) > 90)
        return vp_command_usage("render", "--sun '%s': yaw is not from -3600 to 3600, or pitch not from -90 to 90",
                                vp_given(line, "--sun"));
    if (r->out == NULL)
        return vp_command_usage("render", "where to: -o FILE.png");
    if (!vp_ends(r->out, ".png"))
        return vp_command_usage("render", "-o '%s' does not end with .png", r->out);
    if (r->view.has_eye && (vp_given(line, "--yaw") != NULL || vp_given(line, "--pitch") != NULL || vp_given(line, "--distance") != NULL))
        return vp_command_usage("render", "--eye says where the camera is; --yaw, --pitch and --distance are for without it");
    if (r->size[0] < r->panels)
        return vp_command_usage("render", "--size '%s': %u pixels are too few for %u side by side", vp_given(line, "--size"), r->size[0],
                                r->panels);
    if (!vp_png_here())
        return vp_command_usage("render", "writing a PNG needs libpng, and this build has none");
    return VP_EXIT_DONE;
}

int vp_command_render(int argc, char **argv)
{
    static const char *const switches[] = {"off", "on"}, *const shadings[] = {"flat", "smooth", "blocks"};
    static const char *const surfaces[] = {"solid", "water", "both"};
    static rendering run_of = {.size = {960, 540}, .def = {.samples = 2, .ambient = 12, .shading = VP_SHADING_USUAL, .form = VP_KD_WIDE}};
    rendering *const r = &run_of;
    float eye[3] = {0}, target[3] = {0}, sun[2] = {-30, 38};
    int shadows = 1, surface = 2;
    bool json;
    r->view = vp_view_default();
    const vp_argument arguments[] = {
        VP_GROUP("Output"),
        {"-o", "FILE", "required: the picture to write; FILE ends with .png", VP_TEXT(&r->out)},
        {"--size", "WxH", "width and height in pixels, at most 16384 each and 67108864 in total (default 960x540)",
         VP_BY(read_size, r->size)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
        VP_GROUP("Camera"),
        {"--eye", "X,Y,Z", "camera position (default: from --yaw, --pitch and --distance)", VP_FLOATS(eye, 3)},
        {"--target", "X,Y,Z", "point that the camera looks at (default: the centre of the scene)", VP_FLOATS(target, 3)},
        {"--yaw", "DEG", "without --eye: direction to the camera, 0 is +z, 90 is +x; degrees, -3600 to 3600 (default 35)",
         VP_WITHIN(&r->view.yaw, -3600, 3600)},
        {"--pitch", "DEG", "without --eye: elevation in degrees, -90 to 90 (default 30); 90 looks straight down",
         VP_WITHIN(&r->view.pitch, -90, 90)},
        {"--distance", "D", "without --eye: distance from the target, above 0 (default: fits the scene)",
         VP_BY(read_distance, &r->view.distance)},
        {"--fov", "DEG", "vertical field of view in degrees, 1 to 170 (default 35)", VP_WITHIN(&r->view.fov, 1, 170)},
        VP_GROUP("Scene and light"),
        {"--samples", "N", "N x N rays a pixel, 1 to 8 (default 2)", VP_U32(&r->def.samples, 1, VP_MAX_SAMPLES)},
        {"--ambient", "N", "ambient occlusion rays per sample, 0 to 256 (default 12); 0: no occlusion",
         VP_U32(&r->def.ambient, 0, VP_MAX_AMBIENT)},
        {"--sun", "YAW,PITCH", "position of the sun in degrees, like --yaw and --pitch (default -30,38)", VP_FLOATS(sun, 2)},
        {"--shadows", "on|off", "sun shadows (default on)", VP_WORD(&shadows, switches)},
        {"--shading", "HOW", "smooth or flat (default: smooth for a world, flat for a mesh); for a world also blocks: voxels as cubes",
         VP_WORD(&r->def.shading, shadings)},
        {"--surface", "WHICH", "for a world: solid, water or both (default both)", VP_WORD(&surface, surfaces)},
        VP_GROUP("Execution"),
        {"--form", "FORM", "tree layout: wide, slab, published, packed or implied (default wide)", VP_ASK_FORM(&r->def.form)},
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&r->kernels)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&r->def.threads)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("render", "WORLD|MESH... -o FILE.png [OPTION...]", 1, MAX_PANELS, arguments,
                        "Render worlds or meshes to a PNG by ray casting.\n"
                        "WORLD is a data set's name or a .vpw file. MESH is a data set of one mesh or solid, or a mesh file (.obj, .ply,\n"
                        ".stl, .off, .gltf, .glb). Has a sun with shadows, a sky and transparent water. Up to eight are shown side by\n"
                        "side, each in an equal part of the picture, from the same camera position. The default camera sees the whole\n"
                        "scene from above. The picture is the same on every machine.\n\n"
                        "Example: voxphys render terrain-l2 -o terrain.png --size 320x180");
    int code;
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    r->panels = (uint32_t)line.others;
    r->view.has_eye = vp_given(&line, "--eye") != NULL;
    r->view.has_target = vp_given(&line, "--target") != NULL;
    r->view.eye = (vp_vec3){eye[0], eye[1], eye[2]};
    r->view.target = (vp_vec3){target[0], target[1], target[2]};
    r->def.kernels = &r->kernels;
    r->def.sun_yaw = sun[0];
    r->def.sun_pitch = sun[1];
    r->def.shadows = shadows != 0;
    r->def.wanted[VP_SURFACE_SOLID] = surface != 1;
    r->def.wanted[VP_SURFACE_WATER] = surface != 0;
    if ((code = refuse(&line, r, sun)) != VP_EXIT_DONE)
        return code;
    if (run(r, argv + 1, vp_given(&line, "--surface") != NULL, &error) != VP_OK)
        code = vp_command_fail("render", &error);
    else
        code = json ? print_as_json(r) : print_as_text(r);
    free(r->rgb);
    for (uint32_t i = 0; i < r->panels; i++) {
        vp_scene_drop(&r->panel[i].scene);
        vp_source_close(&r->panel[i].source);
    }
    return code;
}
