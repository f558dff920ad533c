/* SPDX-License-Identifier: MIT */
/* Scene files. */
#include <stdlib.h>

#include "tools/simulate/simulate.h"
#include "tools/sources/json_file.h"

enum { FILE_BYTES = 16 << 20 };
static const double reach = 16384;     /* largest coordinate */
static const double most_length = 128; /* largest extent, so that a body's reach is below VP_BUOYANCY_MAX_REACH */

/* ---- fills and edits ---- */

static vp_status read_corner(const vp_json_place *p, const json_t *object, const char *name, vp_ivec3 *out)
{
    const json_t *list = json_object_get(object, name);
    int64_t v[3] = {0};
    VP_RETURN_IF_FAILED(json_array_size(list) == 3 ? VP_OK
                                                   : vp_json_wrong(p, "\"%s\" is %s, not a list of 3 whole numbers", name,
                                                                   list != NULL ? vp_json_show(list).text : "missing"));
    for (size_t i = 0; i < 3; i++)
        VP_RETURN_IF_FAILED(vp_json_whole(p, name, json_array_get(list, i), -(int64_t)reach, (int64_t)reach, &v[i]));
    *out = (vp_ivec3){(int32_t)v[0], (int32_t)v[1], (int32_t)v[2]};
    return VP_OK;
}

static vp_status read_box(const vp_json_place *p, const json_t *object, vp_sim_edit *out)
{
    VP_RETURN_IF_FAILED(read_corner(p, object, "low", &out->low));
    VP_RETURN_IF_FAILED(read_corner(p, object, "high", &out->high));
    if (out->low.x > out->high.x || out->low.y > out->high.y || out->low.z > out->high.z)
        return vp_json_wrong(p, "\"low\" is %s, above \"high\"", vp_json_show(json_object_get(object, "low")).text);
    return VP_OK;
}

static vp_status read_sphere(const vp_json_place *p, const json_t *object, vp_sim_edit *out)
{
    double c[3], radius;
    const json_t *value = json_object_get(object, "radius");
    VP_RETURN_IF_FAILED(value != NULL ? vp_json_number(p, "radius", value, 0, 1024, &radius) : vp_json_wrong(p, "\"radius\" is missing"));
    VP_RETURN_IF_FAILED(vp_json_numbers_member(p, object, "centre", 3, -reach, reach, c));
    out->centre = (vp_vec3){(float)c[0], (float)c[1], (float)c[2]};
    out->radius = (float)radius;
    return VP_OK;
}

/* Reads a box or a sphere of one material. @param step  out: step of an edit. NULL for a fill */
static vp_status read_fill(const vp_json_place *p, json_t *object, vp_sim_edit *out, uint32_t *step)
{
    static const char *const members[] = {"low", "high", "centre", "radius", "material", "occupancy", "step", NULL};
    int64_t material = VP_AIR, occupancy = 255, at = 1;
    if (!json_is_object(object))
        return vp_json_wrong(p, "%s is not an object", vp_json_show(object).text);
    const bool is_box = json_object_get(object, "low") != NULL, is_sphere = json_object_get(object, "centre") != NULL;
    vp_status status = vp_json_members(p, object, members);
    if (status == VP_OK && is_box == is_sphere)
        status = vp_json_wrong(p, "it has %s of \"low\" and \"centre\"", is_box ? "both" : "neither");
    if (status == VP_OK && json_object_get(object, is_box ? "radius" : "high") != NULL)
        status = vp_json_wrong(p, "\"%s\" is for a %s", is_box ? "radius" : "high", is_box ? "sphere" : "box");
    if (status == VP_OK && (step == NULL) != (json_object_get(object, "step") == NULL))
        status = vp_json_wrong(p, step == NULL ? "\"step\" is unknown" : "\"step\" is missing");
    if (status == VP_OK)
        status = vp_json_whole_member(p, object, "material", 0, 255, &material);
    if (status == VP_OK)
        status = vp_json_whole_member(p, object, "occupancy", 0, 255, &occupancy);
    if (status == VP_OK)
        status = vp_json_whole_member(p, object, "step", 1, VP_SIM_STEPS, &at);
    if (status == VP_OK)
        status = is_box ? read_box(p, object, out) : read_sphere(p, object, out);
    out->is_box = is_box;
    out->voxel = (vp_voxel){(uint8_t)material, material == VP_AIR ? 0 : (uint8_t)occupancy};
    if (step != NULL)
        *step = (uint32_t)at;
    return status;
}

/* ---- the ground ---- */

static vp_status read_name(const vp_json_place *p, const json_t *object, const char *name, char **out)
{
    const json_t *value = json_object_get(object, name);
    if (value == NULL)
        return VP_OK;
    if (!json_is_string(value))
        return vp_json_wrong(p, "\"%s\" is %s, not a name", name, vp_json_show(value).text);
    const size_t bytes = json_string_length(value) + 1;
    *out = malloc(bytes);
    if (*out == NULL)
        return vp_fail(p->error, VP_E_MEMORY, "no memory for a name");
    memcpy(*out, json_string_value(value), bytes);
    return VP_OK;
}

static vp_status read_size(const vp_json_place *p, const json_t *object, vp_dims *out)
{
    const json_t *size = json_object_get(object, "size");
    static const int64_t most[] = {VP_WORLD_MAX_XZ, VP_WORLD_MAX_Y, VP_WORLD_MAX_XZ};
    int64_t v[3] = {0};
    VP_RETURN_IF_FAILED(json_array_size(size) == 3 ? VP_OK
                                                   : vp_json_wrong(p, "\"size\" is %s, not a list of 3 numbers",
                                                                   size != NULL ? vp_json_show(size).text : "missing"));
    for (size_t i = 0; i < 3; i++) {
        VP_RETURN_IF_FAILED(vp_json_whole(p, "size", json_array_get(size, i), VP_CHUNK_EDGE, most[i], &v[i]));
        if (v[i] % VP_CHUNK_EDGE != 0)
            return vp_json_wrong(p, "\"size\" is %s: not a multiple of %d", vp_json_show(size).text, VP_CHUNK_EDGE);
    }
    *out = (vp_dims){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    return VP_OK;
}

/* @param object  NULL = no ground */
static vp_status read_ground(const vp_json_place *p, json_t *object, vp_sim_scene *out)
{
    static const char *const members[] = {"world", "blocks", "size", "fill", "as_blocks", "friction", "restitution", NULL};
    const json_t *fill = NULL;
    size_t count = 0;
    if (object == NULL)
        return VP_OK;
    if (!json_is_object(object))
        return vp_json_wrong(p, "\"ground\" is %s, not an object", vp_json_show(object).text);
    const int grounds = (json_object_get(object, "world") != NULL) + (json_object_get(object, "blocks") != NULL) +
                        (json_object_get(object, "size") != NULL);
    vp_status status = vp_json_members(p, object, members);
    if (status == VP_OK && grounds != 1)
        status = vp_json_wrong(p, "\"ground\" has %s of \"world\", \"blocks\" and \"size\"", grounds == 0 ? "none" : "several");
    if (status == VP_OK)
        status = read_name(p, object, "world", &out->world);
    if (status == VP_OK)
        status = read_name(p, object, "blocks", &out->blocks);
    if (status == VP_OK && json_object_get(object, "size") != NULL)
        status = read_size(p, object, &out->size);
    if (status == VP_OK)
        status = vp_json_list(p, object, "fill", VP_SIM_FILLS, &fill, &count);
    if (status == VP_OK)
        status = vp_json_flag_member(p, object, "as_blocks", &out->as_blocks);
    if (status == VP_OK && out->size.x == 0 && (count > 0 || out->as_blocks))
        status = vp_json_wrong(p, "\"%s\" is for a ground with a \"size\"", count > 0 ? "fill" : "as_blocks");
    if (status == VP_OK)
        status = vp_json_number_member(p, object, "friction", 0, 100, &out->def.friction);
    if (status == VP_OK)
        status = vp_json_number_member(p, object, "restitution", 0, 1, &out->def.restitution);
    out->fill = calloc(count + 1, sizeof *out->fill);
    if (status == VP_OK && out->fill == NULL)
        return vp_fail(p->error, VP_E_MEMORY, "no memory for %zu fills", count);
    for (size_t i = 0; i < count && status == VP_OK; i++) {
        status = read_fill(&(vp_json_place){"fill", i + 1, p->error}, json_array_get(fill, i), &out->fill[i], NULL);
        out->fill_count += status == VP_OK;
    }
    return status;
}

/* ---- bodies ---- */

static vp_status read_length(const vp_json_place *p, const json_t *object, const char *name, float *out)
{
    const json_t *value = json_object_get(object, name);
    double length;
    if (value == NULL)
        return vp_json_wrong(p, "\"%s\" is missing", name);
    VP_RETURN_IF_FAILED(vp_json_number(p, name, value, 1.0 / 64, most_length, &length));
    *out = (float)length;
    return VP_OK;
}

/* Reads a shape. Full sides and heights are halved. */
static vp_status read_shape(const vp_json_place *p, const json_t *object, vp_collide_shape *out)
{
    static const char *const words[] = {
        [VP_COLLIDE_SPHERE] = "sphere", [VP_COLLIDE_CAPSULE] = "capsule", [VP_COLLIDE_BOX] = "box", [VP_COLLIDE_CYLINDER] = "cylinder"};
    const json_t *value = json_object_get(object, "shape");
    const char *const word = json_string_value(value);
    double side[3];
    size_t kind = 0;
    while (kind < VP_COLLIDE_HULL && (word == NULL || strcmp(words[kind], word) != 0))
        kind++;
    if (kind == VP_COLLIDE_HULL)
        return vp_json_wrong(p, "\"shape\" is %s, not sphere, capsule, box or cylinder",
                             value != NULL ? vp_json_show(value).text : "missing");
    *out = (vp_collide_shape){.kind = (vp_collide_kind)kind};
    const char *const needless = kind == VP_COLLIDE_BOX ? "radius" : "size";
    if (json_object_get(object, needless) != NULL)
        return vp_json_wrong(p, "\"%s\" is not for a %s", needless, word);
    if (kind == VP_COLLIDE_BOX) {
        if (json_object_get(object, "size") == NULL)
            return vp_json_wrong(p, "\"size\" is missing");
        VP_RETURN_IF_FAILED(vp_json_numbers_member(p, object, "size", 3, 1.0 / 64, most_length, side));
        out->half = (vp_vec3){(float)(side[0] / 2), (float)(side[1] / 2), (float)(side[2] / 2)};
        return VP_OK;
    }
    VP_RETURN_IF_FAILED(read_length(p, object, "radius", &out->radius));
    if (kind != VP_COLLIDE_SPHERE)
        VP_RETURN_IF_FAILED(read_length(p, object, "height", &out->half_height));
    out->half_height /= 2;
    return VP_OK;
}

static vp_status read_group(const vp_json_place *p, json_t *object, vp_sim_group *out)
{
    static const char *const members[] = {"shape",   "size",     "radius",      "height",  "at",     "rotation", "velocity",     "spin",
                                          "density", "friction", "restitution", "rolling", "repeat", "apart",    "above_ground", NULL};
    double repeat[3] = {1, 1, 1};
    *out = (vp_sim_group){.body = {.rotation = {0, 0, 0, 1}, .density = 1, .friction = 0.6, .rolling = 0.02}};
    if (!json_is_object(object))
        return vp_json_wrong(p, "%s is not an object", vp_json_show(object).text);
    vp_sim_body_def *b = &out->body;
    vp_status status = vp_json_members(p, object, members);
    if (status == VP_OK)
        status = read_shape(p, object, &b->shape);
    if (status == VP_OK && json_object_get(object, "at") == NULL)
        status = vp_json_wrong(p, "\"at\" is missing");
    const struct {
        const char *name;
        size_t count;
        double low, high, *to;
    } lists[] = {{"at", 3, -reach, reach, b->position}, {"rotation", 4, -1e3, 1e3, b->rotation}, {"velocity", 3, -1e3, 1e3, b->velocity},
                 {"spin", 3, -1e3, 1e3, b->spin},       {"repeat", 3, 1, 4096, repeat},          {"apart", 3, -reach, reach, out->apart}},
      numbers[] = {{"density", 1, 1e-3, 1e6, &b->density},
                   {"friction", 1, 0, 100, &b->friction},
                   {"restitution", 1, 0, 1, &b->restitution},
                   {"rolling", 1, 0, 100, &b->rolling}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == VP_OK; i++)
        status = vp_json_numbers_member(p, object, lists[i].name, lists[i].count, lists[i].low, lists[i].high, lists[i].to);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == VP_OK; i++)
        status = vp_json_number_member(p, object, numbers[i].name, numbers[i].low, numbers[i].high, numbers[i].to);
    if (status == VP_OK)
        status = vp_json_flag_member(p, object, "above_ground", &out->above_ground);
    const double *const q = b->rotation;
    if (status == VP_OK && q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-6)
        status = vp_json_wrong(p, "\"rotation\" is %s: its length is 0", vp_json_show(json_object_get(object, "rotation")).text);
    for (int i = 0; i < 3 && status == VP_OK; i++) {
        out->repeat[i] = (uint32_t)repeat[i];
        if ((double)out->repeat[i] != repeat[i])
            status = vp_json_wrong(p, "\"repeat\" is %s, not 3 whole numbers", vp_json_show(json_object_get(object, "repeat")).text);
    }
    return status;
}

static vp_status check_count(const vp_json_place *p, const vp_sim_scene *scene)
{
    double bodies = 0;
    for (size_t i = 0; i < scene->group_count; i++)
        bodies += (double)scene->group[i].repeat[0] * scene->group[i].repeat[1] * scene->group[i].repeat[2];
    return bodies > VP_SIM_BODIES ? vp_json_wrong(p, "%.0f bodies; must be at most %d", bodies, VP_SIM_BODIES) : VP_OK;
}

/* ---- the file ---- */

static vp_status read_lists(const vp_json_place *p, const json_t *root, vp_sim_scene *out)
{
    const json_t *bodies, *edits;
    size_t body_count, edit_count = 0;
    VP_RETURN_IF_FAILED(vp_json_list(p, root, "bodies", VP_SIM_BODIES, &bodies, &body_count));
    VP_RETURN_IF_FAILED(vp_json_list(p, root, "edits", VP_SIM_EDITS, &edits, &edit_count));
    out->group = calloc(body_count + 1, sizeof *out->group);
    out->edit = calloc(edit_count + 1, sizeof *out->edit);
    if (out->group == NULL || out->edit == NULL)
        return vp_fail(p->error, VP_E_MEMORY, "no memory for %zu bodies", body_count);
    vp_status status = VP_OK;
    for (size_t i = 0; i < body_count && status == VP_OK; i++) {
        status = read_group(&(vp_json_place){"body", i + 1, p->error}, json_array_get(bodies, i), &out->group[i]);
        out->group_count += status == VP_OK;
    }
    if (status == VP_OK)
        status = check_count(p, out);
    for (size_t i = 0; i < edit_count && status == VP_OK; i++) {
        vp_sim_scene_edit *e = &out->edit[i];
        status = read_fill(&(vp_json_place){"edit", i + 1, p->error}, json_array_get(edits, i), &e->edit, &e->step);
        out->edit_count += status == VP_OK;
    }
    if (status == VP_OK && edit_count > 0 && out->world == NULL && (out->size.x == 0 || out->as_blocks))
        status = vp_json_wrong(p, "\"edits\" are for a terrain, and the ground is %s",
                               out->blocks != NULL || out->as_blocks ? "blocks" : "missing");
    return status;
}

static vp_status read_root(json_t *root, vp_sim_scene *out, vp_error *error)
{
    static const char *const members[] = {"description", "steps", "rate",   "substeps", "gravity", "water",
                                          "sleep",       "reuse", "ground", "bodies",   "edits",   NULL};
    const vp_json_place p = {"", 0, error};
    int64_t steps = out->steps, substeps = out->def.substeps;
    double rate = 60;
    bool sleeps = true;
    if (!json_is_object(root))
        return vp_json_wrong(&p, "%s is not an object", vp_json_show(root).text);
    const json_t *description = json_object_get(root, "description");
    VP_RETURN_IF_FAILED(vp_json_members(&p, root, members));
    if (description != NULL && !json_is_string(description))
        return vp_json_wrong(&p, "\"description\" is %s, not a text", vp_json_show(description).text);
    VP_RETURN_IF_FAILED(vp_json_whole_member(&p, root, "steps", 1, VP_SIM_STEPS, &steps));
    VP_RETURN_IF_FAILED(vp_json_number_member(&p, root, "rate", 8, 1024, &rate));
    VP_RETURN_IF_FAILED(vp_json_whole_member(&p, root, "substeps", 1, VP_SIM_SUBSTEPS, &substeps));
    VP_RETURN_IF_FAILED(vp_json_number_member(&p, root, "gravity", 0, 1000, &out->def.gravity));
    VP_RETURN_IF_FAILED(vp_json_number_member(&p, root, "water", 0, 1000, &out->def.water));
    VP_RETURN_IF_FAILED(vp_json_flag_member(&p, root, "sleep", &sleeps));
    VP_RETURN_IF_FAILED(vp_json_number_member(&p, root, "reuse", 0, VP_SIM_MOST_REUSE, &out->def.reuse));
    VP_RETURN_IF_FAILED(read_ground(&p, json_object_get(root, "ground"), out));
    out->steps = (uint32_t)steps;
    out->def.substeps = (uint32_t)substeps;
    out->def.step = 1 / rate;
    out->def.restless = !sleeps;
    return read_lists(&p, root, out);
}

vp_status vp_sim_scene_read(const char *path, vp_sim_scene *out, vp_error *error)
{
    json_t *root;
    *out = (vp_sim_scene){.def = {.gravity = 10, .water = 1, .friction = 0.6, .substeps = 4}, .steps = 600};
    VP_RETURN_IF_FAILED(vp_json_load(path, FILE_BYTES, &root, error));
    vp_status status = read_root(root, out, error);
    json_decref(root);
    if (status == VP_E_FORMAT)
        vp_name_file(error, "", path);
    return status;
}

void vp_sim_scene_drop(vp_sim_scene *scene)
{
    free(scene->world);
    free(scene->blocks);
    free(scene->fill);
    free(scene->group);
    free(scene->edit);
}
