/* SPDX-License-Identifier: MIT */
/* voxphys render: a shaded picture of a world or of a mesh, by casting rays at it. */
#include "host/program.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "host/camera.h"
#include "host/png_write.h"
#include "tools/render/picture.h"
#include "tools/commands.h"
#include "tools/choices.h"

enum { MAX_EDGE = 16384, MAX_PIXELS = 1 << 26, MAX_PANELS = 8 };

/* A source beside others, in its part of the picture. */
typedef struct panel {
    vp_source source;
    vp_scene scene;
    uint32_t width; /* columns */
    vp_camera camera;
} panel;

typedef struct rendering {
    /* asked for */
    const char *out;
    uint32_t width, height;
    vp_view view;
    vp_scene_def def;
    /* made */
    vp_kernels kernels;
    panel panel[MAX_PANELS];
    uint32_t panels;
    uint8_t *rgb;
    /* found */
    double seconds;
    uint64_t ray_count, digest;
} rendering;

/* ---- a picture ---- */

static vp_status take_picture(rendering *r, vp_error *error)
{
    vp_picture picture = {.width = r->width, .height = r->height, .samples = r->def.samples, .threads = r->def.threads};
    vp_picture_panel panels[MAX_PANELS];
    for (uint32_t i = 0; i < r->panels; i++)
        panels[i] = (vp_picture_panel){&r->panel[i].scene, r->panel[i].camera, r->panel[i].width};
    double begin = vp_seconds();
    const vp_status status = vp_picture_take(&picture, panels, error);
    r->seconds = vp_seconds() - begin;
    r->def.threads = picture.threads; /* those that can be had */
    r->rgb = picture.rgb;
    r->ray_count = picture.rays;
    if (status == VP_OK)
        r->digest = vp_hash64(r->rgb, (size_t)r->width * r->height * 3);
    return status;
}

/* Reads a source and makes its scene, whose box is added to that of all. */
static vp_status make_panel(rendering *r, uint32_t number, const char *name, bool of_world, vp_aabb *box, vp_error *error)
{
    panel *p = &r->panel[number];
    p->width = (uint32_t)((uint64_t)r->width * (number + 1) / r->panels) - (uint32_t)((uint64_t)r->width * number / r->panels);
    vp_status status = vp_source_open("render", name, r->out, &p->source, error);
    if (status == VP_OK && of_world && p->source.kind != VP_SOURCE_WORLD)
        status = vp_fail(error, VP_E_ARGUMENT, "--surface is for worlds; %s is a mesh", vp_show_path(name).text);
    if (status == VP_OK)
        status = vp_scene_make(&r->def, &p->source, &p->scene, error);
    if (status == VP_OK)
        *box = number == 0 ? p->scene.box : vp_aabb_union(box, &p->scene.box);
    return status;
}

/* All are seen from one place, so that they can be compared.
   @param of_world  an option that only a world has was given */
static vp_status run(rendering *r, char **name, bool of_world, vp_error *error)
{
    vp_bytes png = {0};
    vp_aabb box = {{0, 0, 0}, {0, 0, 0}};
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < r->panels; i++)
        status = make_panel(r, i, name[i], of_world, &box, error);
    for (uint32_t i = 0; status == VP_OK && i < r->panels; i++) {
        r->view.aspect = (float)r->panel[i].width / (float)r->height;
        status = vp_camera_make(&r->view, &box, &r->panel[i].camera, error);
    }
    if (status == VP_OK)
        status = take_picture(r, error);
    if (status == VP_OK)
        status = vp_png_make(r->rgb, r->width, r->height, &png, error);
    if (status == VP_OK)
        status = vp_file_replace(r->out, png.at, png.size, error);
    free(png.at);
    return status;
}

/* ---- telling ---- */

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

static json_t *vec3_json(vp_vec3 v)
{
    return json_pack("[f, f, f]", (double)v.x, (double)v.y, (double)v.z);
}

static int print_as_json(const rendering *r)
{
    static const char *const forms[VP_KD_FORM_COUNT] = {"published", "slab", "wide", "packed", "implied"};
    const vp_camera *camera = &r->panel[0].camera;
    json_t *sources = json_array();
    double meshes, trees;
    char hex[17];
    sum_seconds(r, &meshes, &trees);
    for (uint32_t i = 0; i < r->panels; i++)
        json_array_append_new(sources, vp_json_name(r->panel[i].source.name));
    snprintf(hex, sizeof hex, "%016" PRIx64, r->digest);
    json_t *rays = json_pack("{s:I, s:s, s:s, s:i, s:f, s:o}", "count", (json_int_t)r->ray_count, "kernel", isa_of(r, VP_KERNEL_kd_ray),
                             "kernel_any", isa_of(r, VP_KERNEL_kd_ray_any), "threads", (int)r->def.threads, "seconds", r->seconds,
                             "rays_per_second", r->seconds > 0 ? json_real((double)r->ray_count / r->seconds) : json_null());
    return vp_print_json(json_pack("{s:o, s:o, s:o, s:[i, i], s:{s:I, s:f}, s:{s:s, s:f}, s:{s:o, s:o}, s:o, s:s}", "source",
                                   vp_json_name(r->panel[0].source.name), "sources", sources, "file", vp_json_name(r->out), "size",
                                   (int)r->width, (int)r->height, "mesh", "triangles", (json_int_t)triangle_count(r), "seconds", meshes,
                                   "trees", "form", forms[r->def.form], "seconds", trees, "camera", "eye", vec3_json(camera->eye),
                                   "forward", vec3_json(camera->forward), "rays", rays, "digest", hex));
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
    printf("\npicture  %u x %u pixels, digest %016" PRIx64 "\nwritten  %s\n", r->width, r->height, r->digest, r->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

typedef struct texts {
    const char *out, *size, *eye, *target, *yaw, *pitch, *distance, *fov, *samples, *ambient, *sun, *shadows, *shading, *surface, *form,
        *isa, *threads, *json;
} texts;

/* One of some words; `text` NULL leaves *out as it is. */
static bool parse_word(const char *option, const char *text, const char *const *words, int count, int *out)
{
    for (int i = 0; text != NULL && i < count; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return true;
        }
    if (text == NULL)
        return true;
    char list[80] = "";
    for (int i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i != 0 ? ", " : "", words[i]);
    return VP_REFUSE("render", "%s '%s' is none of %s", option, text, list);
}

static bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    char *end = NULL;
    if (text == NULL)
        return true;
    unsigned long w = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    unsigned long h = w != 0 && *end == 'x' && end[1] >= '0' && end[1] <= '9' ? strtoul(end + 1, &end, 10) : 0;
    if (h == 0 || *end != '\0')
        return VP_REFUSE("render", "--size '%s' is not a width and a height, as in 960x540", text);
    if (w > MAX_EDGE || h > MAX_EDGE || w * h > MAX_PIXELS)
        return VP_REFUSE("render", "--size '%s': at most %d pixels on a side and %d in all", text, MAX_EDGE, MAX_PIXELS);
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

static bool parse_point(const char *option, const char *text, bool *has, vp_vec3 *out)
{
    float v[3];
    *has = text != NULL;
    if (text == NULL)
        return true;
    if (!vp_parse_float_list("render", option, "X,Y,Z", text, v, 3))
        return false;
    *out = (vp_vec3){v[0], v[1], v[2]};
    return true;
}

static bool parse_between(const char *option, const char *text, float low, float high, float *out)
{
    if (text == NULL)
        return true;
    if (!vp_parse_float("render", option, text, out))
        return false;
    if (*out >= low && *out <= high)
        return true;
    return VP_REFUSE("render", "%s '%s' is not from %g to %g", option, text, (double)low, (double)high);
}

/* 0 in a view means that all is to be seen, which one gets without the option. */
static bool parse_distance(const char *text, float *out)
{
    if (text == NULL)
        return true;
    if (!vp_parse_float("render", "--distance", text, out))
        return false;
    if (*out > 0 && *out <= VP_KD_MAX)
        return true;
    return VP_REFUSE("render", "--distance '%s' is not above 0 and at most %g", text, (double)VP_KD_MAX);
}

static bool parse_count(const char *option, const char *text, uint32_t low, uint32_t high, uint32_t *out)
{
    uint64_t value = *out;
    bool right = text == NULL || vp_parse_u64("render", option, text, low, high, &value);
    *out = (uint32_t)value;
    return right;
}

static bool parse_sun(const char *text, vp_scene_def *def)
{
    float v[2];
    if (text == NULL)
        return true;
    if (!vp_parse_float_list("render", "--sun", "YAW,PITCH", text, v, 2))
        return false;
    if (fabsf(v[0]) > 3600 || fabsf(v[1]) > 90)
        return VP_REFUSE("render", "--sun '%s': yaw is not from -3600 to 3600, or pitch not from -90 to 90", text);
    def->sun_yaw = v[0];
    def->sun_pitch = v[1];
    return true;
}

static bool parse_all(const texts *t, rendering *r)
{
    static const char *const switches[] = {"off", "on"}, *const shadings[] = {"flat", "smooth", "blocks"};
    static const char *const surfaces[] = {"solid", "water", "both"}, *const forms[] = {"published", "slab", "wide", "packed", "implied"};
    int shadows = 1, shading = VP_SHADING_USUAL, surface = 2, form = VP_KD_WIDE;
    if (!parse_size(t->size, &r->width, &r->height) || !parse_point("--eye", t->eye, &r->view.has_eye, &r->view.eye) ||
        !parse_point("--target", t->target, &r->view.has_target, &r->view.target) ||
        !parse_between("--yaw", t->yaw, -3600, 3600, &r->view.yaw) || !parse_between("--pitch", t->pitch, -90, 90, &r->view.pitch) ||
        !parse_distance(t->distance, &r->view.distance) || !parse_between("--fov", t->fov, 1, 170, &r->view.fov) ||
        !parse_count("--samples", t->samples, 1, VP_MAX_SAMPLES, &r->def.samples) ||
        !parse_count("--ambient", t->ambient, 0, VP_MAX_AMBIENT, &r->def.ambient) || !parse_sun(t->sun, &r->def) ||
        !parse_word("--shadows", t->shadows, switches, 2, &shadows) || !parse_word("--shading", t->shading, shadings, 3, &shading) ||
        !parse_word("--surface", t->surface, surfaces, 3, &surface) || !parse_word("--form", t->form, forms, VP_KD_FORM_COUNT, &form) ||
        !vp_choose_threads("render", t->threads, &r->def.threads))
        return false;
    r->def.shadows = shadows != 0;
    r->def.shading = (vp_shading)shading;
    r->def.wanted[VP_SURFACE_SOLID] = surface != 1;
    r->def.wanted[VP_SURFACE_WATER] = surface != 0;
    r->def.form = (vp_kd_form)form;
    r->out = t->out;
    return true;
}

/* What can be seen to be wrong before anything is read. @return the exit code */
static int refuse(const texts *t, const rendering *r)
{
    size_t length = t->out != NULL ? strlen(t->out) : 0;
    if (t->out == NULL)
        return vp_command_usage("render", "where to: -o FILE.png");
    if (length < 5 || strcmp(t->out + length - 4, ".png") != 0)
        return vp_command_usage("render", "-o '%s' does not end with .png", t->out);
    if (t->eye != NULL && (t->yaw != NULL || t->pitch != NULL || t->distance != NULL))
        return vp_command_usage("render", "--eye says where the camera is; --yaw, --pitch and --distance are for without it");
    if (r->width < r->panels)
        return vp_command_usage("render", "--size '%s': %u pixels are too few for %u side by side", t->size, r->width, r->panels);
    if (!vp_png_here())
        return vp_command_usage("render", "writing a PNG needs libpng, and this build has none");
    return VP_EXIT_DONE;
}

int vp_command_render(int argc, char **argv)
{
    texts t;
    const vp_option options[] = {
        {"-o", "FILE", "the picture: FILE ends with .png", &t.out},
        {"--size", "WxH", "pixels, at most 16384 a side and 67108864 in all (960x540)", &t.size},
        {"--eye", "X,Y,Z", "camera position", &t.eye},
        {"--target", "X,Y,Z", "point it looks at (the centre of the scene)", &t.target},
        {"--yaw", "DEG", "without --eye: direction to the camera, 0 is +z, 90 is +x, -3600 to 3600 (35)", &t.yaw},
        {"--pitch", "DEG", "without --eye: elevation, -90 to 90 (30); at 90 it looks straight down", &t.pitch},
        {"--distance", "D", "without --eye: distance, above 0 (fits the scene)", &t.distance},
        {"--fov", "DEG", "vertical field of view in degrees, 1 to 170 (35)", &t.fov},
        {"--samples", "N", "N x N rays a pixel, 1 to 8 (2)", &t.samples},
        {"--ambient", "N", "ambient occlusion rays per sample, 0 to 256 (12); 0: no occlusion", &t.ambient},
        {"--sun", "YAW,PITCH", "position of the sun, in degrees as --yaw and --pitch (-30,38)", &t.sun},
        {"--shadows", "on|off", "sun shadows (on)", &t.shadows},
        {"--shading", "HOW", "smooth or flat (a world smooth, a mesh flat); of a world also blocks: voxels as cubes", &t.shading},
        {"--surface", "WHICH", "for a world: solid, water or both (both)", &t.surface},
        {"--form", "FORM", "tree layout: wide, slab, published, packed or implied (wide)", &t.form},
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " ($VOXPHYS_ISA, else best)", &t.isa},
        {"--threads", "N", "threads (1)", &t.threads},
        {"--json", NULL, "print JSON", &t.json},
    };
    const vp_usage usage = {"render",
                            "WORLD|MESH... -o FILE.png [OPTION...]",
                            "Renders a world (a data set's name, or a .vpw file), a data set that is one mesh or solid, or a mesh file\n"
                            "(.obj, .ply, .stl, .off, .gltf, .glb) by ray casting: a sun with shadows, a sky, transparent water.\n"
                            "Up to eight are shown side by side, each in an equal part of the picture, as seen from one place.\n"
                            "The default camera sees all of it from above. The picture is the same on every machine.",
                            options,
                            sizeof options / sizeof options[0],
                            1,
                            MAX_PANELS};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    vp_error error = {VP_E_MEMORY, "no memory"};
    rendering *r = calloc(1, sizeof *r);
    if (r == NULL)
        return vp_command_fail("render", &error);
    r->width = 960;
    r->panels = (uint32_t)count;
    r->height = 540;
    r->view = vp_view_default();
    r->def = (vp_scene_def){
        .kernels = &r->kernels, .threads = 1, .samples = 2, .ambient = 12, .sun_yaw = -30, .sun_pitch = 38, .shading = VP_SHADING_USUAL};
    code = parse_all(&t, r) ? refuse(&t, r) : VP_EXIT_USAGE;
    if (code == VP_EXIT_DONE)
        code = vp_choose_kernels("render", t.isa, &r->kernels);
    if (code != VP_EXIT_DONE) {
        free(r);
        return code;
    }
    if (run(r, argv + 1, t.surface != NULL, &error) != VP_OK)
        code = vp_command_fail("render", &error);
    else
        code = t.json != NULL ? print_as_json(r) : print_as_text(r);
    free(r->rgb);
    for (uint32_t i = 0; i < r->panels; i++) {
        vp_scene_drop(&r->panel[i].scene);
        vp_source_close(&r->panel[i].source);
    }
    free(r);
    return code;
}
