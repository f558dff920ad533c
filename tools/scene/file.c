/* SPDX-License-Identifier: MIT */
/* Scene files in JSON. docs/FORMATS.md lists the members. */
#include <jansson.h>
#include <stdlib.h>

#include "datasets/kinds/kind.h"
#include "datasets/scene_sets.h"
#include "host/bytes.h"
#include "host/line_file.h"
#include "host/mesh_load.h"
#include "host/mesh_wire.h"
#include "host/program.h"
#include "tools/dataset/dataset.h"
#include "tools/scene/scene.h"
#include "tools/sources/json_file.h"

enum { MAX_OBJECTS = 1 << 20, MAX_VERTICES = 1 << 26, MAX_BYTES = 1 << 30 };

/* ---- growing ---- */

static vp_status no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for a scene");
}

static vp_status add_object(vp_scene *s, const vp_spheretree_object *object, uint32_t mesh, vp_error *error)
{
    const size_t count = (size_t)s->count + 1;
    VP_RETURN_IF_FAILED(vp_grow_array(&s->object, &s->object_room, count, sizeof *s->object, "objects", error));
    VP_RETURN_IF_FAILED(vp_grow_array(&s->mesh, &s->mesh_room, count, sizeof *s->mesh, "objects", error));
    s->object[s->count] = *object;
    s->mesh[s->count++] = mesh;
    s->spheres += mesh == VP_SPHERETREE_NONE;
    return VP_OK;
}

/* Takes over the arrays, also after a failure. */
static vp_status add_mesh(vp_scene *s, vp_spheretree_object *object, const vp_triangles *triangles, vp_error *error)
{
    vp_status status = vp_spheretree_mesh_bound(triangles, &object->sphere, error);
    if (status == VP_OK)
        status = vp_grow_array(&s->of_mesh, &s->of_mesh_room, (size_t)s->meshes + 1, sizeof *s->of_mesh, "meshes", error);
    if (status == VP_OK)
        status = add_object(s, object, s->meshes, error);
    if (status != VP_OK) {
        free((void *)(uintptr_t)triangles->vertex);
        free((void *)(uintptr_t)triangles->index);
        return status;
    }
    s->of_mesh[s->meshes++] = *triangles;
    s->triangles += triangles->triangle_count;
    return VP_OK;
}

void vp_scene_destroy(vp_scene *s)
{
    for (uint32_t m = 0; m < s->meshes; m++) {
        free((void *)(uintptr_t)s->of_mesh[m].vertex);
        free((void *)(uintptr_t)s->of_mesh[m].index);
    }
    free(s->object);
    free(s->mesh);
    free(s->of_mesh);
    *s = (vp_scene){0};
}

/* ---- reading ---- */

/* The place of a value, for messages: "object 3: vertex 7". */
typedef struct value_place {
    uint32_t object;
    const char *file;    /* path of the scene, which file names are relative to */
    const char *written; /* NULL, or a file that must not be among them */
    vp_error *error;
} value_place;
#define OBJECT "object %u: "

/* Reports an invalid value: "object 3: radius is -1, not WHAT". */
static vp_status wrong(const value_place *p, const char *name, const json_t *value, const char *what)
{
    char *shown = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (value == NULL)
        vp_fail(p->error, VP_E_FORMAT, OBJECT "\"%s\" is missing", p->object, name);
    else
        vp_fail(p->error, VP_E_FORMAT, OBJECT "%s is %.40s, not %s", p->object, name, shown != NULL ? shown : "something else", what);
    free(shown);
    return VP_E_FORMAT;
}

/* Reads a number, rounded to binary32, or a text as strtof reads it. @return false if it is not finite or out of range */
static bool read_float(const json_t *value, float low, float high, float *out)
{
    if (json_is_string(value) ? !vp_text_float(json_string_value(value), out) : !json_is_number(value))
        return false;
    if (json_is_number(value))
        *out = (float)json_number_value(value);
    return *out >= low && *out <= high;
}

static vp_status read_point(const value_place *p, const char *name, const json_t *value, float most, vp_vec3 *out)
{
    char what[96];
    float *const to[3] = {&out->x, &out->y, &out->z};
    bool good = json_array_size(value) == 3;
    for (size_t k = 0; good && k < 3; k++)
        good = read_float(json_array_get(value, k), -most, most, to[k]);
    snprintf(what, sizeof what, "three numbers from %s to %s", vp_show_limit(-(double)most).text, vp_show_limit((double)most).text);
    return good ? VP_OK : wrong(p, name, value, what);
}

static vp_status read_whole(const value_place *p, const json_t *object, const char *name, json_int_t most, uint64_t *out)
{
    const json_t *value = json_object_get(object, name);
    char what[64];
    if (value == NULL)
        return VP_OK;
    *out = (uint64_t)json_integer_value(value);
    snprintf(what, sizeof what, "a whole number from 0 to %" JSON_INTEGER_FORMAT, most);
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= most ? VP_OK
                                                                                                         : wrong(p, name, value, what);
}

static vp_status read_arrays(const value_place *p, const json_t *vertices, const json_t *triangles, vp_vec3 *vertex, uint32_t *index)
{
    char name[48];
    for (size_t v = 0; v < json_array_size(vertices); v++) {
        snprintf(name, sizeof name, "vertex %zu", v);
        VP_RETURN_IF_FAILED(read_point(p, name, json_array_get(vertices, v), VP_KD_MAX, &vertex[v]));
    }
    for (size_t t = 0; t < json_array_size(triangles); t++) {
        const json_t *corners = json_array_get(triangles, t);
        bool good = json_array_size(corners) == 3;
        for (size_t k = 0; good && k < 3; k++) {
            const json_t *corner = json_array_get(corners, k);
            const json_int_t number = json_integer_value(corner);
            good = json_is_integer(corner) && number >= 0 && (size_t)number < json_array_size(vertices);
            index[t * 3 + k] = (uint32_t)number;
        }
        snprintf(name, sizeof name, "triangle %zu", t);
        if (!good)
            return wrong(p, name, corners, "three numbers of vertices");
    }
    return VP_OK;
}

static vp_status read_inline(const value_place *p, const json_t *object, vp_scene *s, vp_spheretree_object *as)
{
    const json_t *vertices = json_object_get(object, "vertices"), *triangles = json_object_get(object, "triangles");
    const size_t vertex_count = json_array_size(vertices), triangle_count = json_array_size(triangles);
    if (vertex_count == 0)
        return wrong(p, "vertices", vertices, "a list of points");
    if (triangle_count == 0)
        return wrong(p, "triangles", triangles, "a list of triangles");
    if (vertex_count > MAX_VERTICES || triangle_count > VP_KD_MAX_TRIANGLES)
        return vp_fail(p->error, VP_E_FORMAT, OBJECT "%zu vertices and %zu triangles: must be at most %d and %d", p->object, vertex_count,
                       triangle_count, MAX_VERTICES, VP_KD_MAX_TRIANGLES);
    vp_vec3 *vertex = malloc(vertex_count * sizeof *vertex);
    uint32_t *index = malloc(triangle_count * 3 * sizeof *index);
    const vp_triangles mesh = {vertex, index, (uint32_t)vertex_count, (uint32_t)triangle_count, false};
    vp_status status = vertex == NULL || index == NULL ? no_memory(p->error) : read_arrays(p, vertices, triangles, vertex, index);
    if (status == VP_OK)
        return add_mesh(s, as, &mesh, p->error);
    free(vertex);
    free(index);
    return status;
}

/* Reads a mesh file. Its name is relative to the scene's folder. */
static vp_status read_mesh_file(const value_place *p, const json_t *value, vp_scene *s, vp_spheretree_object *as)
{
    const char *name = json_string_value(value), *slash = strrchr(p->file, '/');
    const size_t folder = slash != NULL && name != NULL && name[0] != '/' ? (size_t)(slash - p->file) + 1 : 0;
    if (name == NULL || name[0] == '\0' || !vp_is_mesh_file(name))
        return wrong(p, "mesh", value, "the name of an .obj, .ply, .stl, .off, .gltf or .glb");
    char *path = malloc(folder + strlen(name) + 1);
    vp_looks *looks = calloc(1, sizeof *looks);
    vp_loaded_mesh mesh = {0};
    vp_status status = path == NULL || looks == NULL ? no_memory(p->error) : VP_OK;
    if (status == VP_OK) {
        memcpy(path, p->file, folder);
        strcpy(path + folder, name);
        status = vp_mesh_load(path, p->written, &mesh, looks, p->error);
    }
    if (status == VP_OK) {
        mesh.vertex = NULL; /* the scene owns the arrays now */
        mesh.index = NULL;
        status = add_mesh(s, as, &mesh.triangles, p->error);
    }
    vp_loaded_mesh_destroy(&mesh);
    free(looks);
    free(path);
    return status;
}

static vp_status read_object(const value_place *p, const json_t *object, vp_scene *s)
{
    static const char *const known[] = {"centre", "radius", "vertices", "triangles", "mesh", "mask", "data"};
    const char *name;
    const json_t *value;
    uint64_t mask = UINT32_MAX;
    vp_spheretree_object as = {.data = 0};
    if (!json_is_object(object))
        return wrong(p, "it", object, "an object with \"centre\" and \"radius\", \"vertices\" and \"triangles\", or \"mesh\"");
    json_object_foreach ((json_t *)(uintptr_t)object, name, value) {
        size_t k = 0;
        while (k < sizeof known / sizeof known[0] && strcmp(name, known[k]) != 0)
            k++;
        if (k == sizeof known / sizeof known[0]) {
            char shown[96];
            vp_escape(name, shown, sizeof shown);
            return vp_fail(p->error, VP_E_FORMAT, OBJECT "\"%.60s\" is not a member of an object", p->object, shown);
        }
    }
    const bool sphere = json_object_get(object, "centre") != NULL || json_object_get(object, "radius") != NULL,
               arrays = json_object_get(object, "vertices") != NULL || json_object_get(object, "triangles") != NULL;
    const json_t *file = json_object_get(object, "mesh"), *radius = json_object_get(object, "radius");
    if (sphere + arrays + (file != NULL) != 1)
        return vp_fail(p->error, VP_E_FORMAT, OBJECT "it has %s of \"centre\" and \"radius\", \"vertices\" and \"triangles\", \"mesh\"",
                       p->object, sphere + arrays + (file != NULL) == 0 ? "none" : "more than one");
    VP_RETURN_IF_FAILED(read_whole(p, object, "data", INT64_MAX, &as.data));
    VP_RETURN_IF_FAILED(read_whole(p, object, "mask", UINT32_MAX, &mask));
    as.mask = (uint32_t)mask;
    if (arrays)
        return read_inline(p, object, s, &as);
    if (file != NULL)
        return read_mesh_file(p, file, s, &as);
    VP_RETURN_IF_FAILED(read_point(p, "centre", json_object_get(object, "centre"), VP_SPHERETREE_MAX, &as.sphere.centre));
    if (radius == NULL || !read_float(radius, 0, VP_SPHERETREE_MAX, &as.sphere.radius))
        return wrong(p, "radius", radius, "a number from 0 to 2^60");
    return add_object(s, &as, VP_SPHERETREE_NONE, p->error);
}

static vp_status read_all(const char *path, const char *written, const json_t *all, vp_scene *s, vp_error *error)
{
    const json_t *objects = json_object_get(all, "objects");
    const size_t count = json_array_size(objects);
    vp_status status = VP_OK;
    if (count == 0 || json_object_size(all) != 1)
        return vp_fail(error, VP_E_FORMAT, "no scene: {\"objects\": [...]}, with an object or more");
    if (count > MAX_OBJECTS)
        return vp_fail(error, VP_E_FORMAT, "%zu objects: must be at most %d", count, MAX_OBJECTS);
    for (size_t i = 0; status == VP_OK && i < count; i++) {
        vp_error why = {VP_OK, ""};
        const value_place here = {(uint32_t)i, path, written, &why};
        status = read_object(&here, json_array_get(objects, i), s);
        if (status == VP_E_MEMORY || (status != VP_OK && strncmp(why.message, "object ", 7) == 0))
            vp_fail(error, status, "%s", why.message);
        else if (status != VP_OK) /* the library's message */
            status = vp_fail(error, status == VP_E_ARGUMENT ? VP_E_FORMAT : status, OBJECT "%s", here.object, why.message);
        if (i % 4096 == 0)
            vp_progress("objects read", i, count);
    }
    vp_progress("", 1, 1);
    return status;
}

static vp_status read_file(const char *path, const char *written, vp_scene *s, vp_error *error)
{
    json_t *all;
    if (written != NULL && vp_same_file(path, written))
        return vp_fail(error, VP_E_ARGUMENT, "FILE '%s' is the file that is read", vp_show_path(written).text);
    VP_RETURN_IF_FAILED(vp_json_load(path, MAX_BYTES, &all, error));
    const vp_status status = read_all(path, written, all, s, error);
    json_decref(all);
    if (status != VP_OK && status != VP_E_MEMORY)
        vp_name_file(error, "", path);
    return status;
}

/* ---- data sets ---- */

static vp_status take_set(const vp_scene_set *set, vp_scene *s, vp_error *error)
{
    for (uint32_t i = 0; i < set->count; i++)
        VP_RETURN_IF_FAILED(
            add_object(s, &(vp_spheretree_object){.sphere = set->sphere[i], .mask = set->mask[i]}, VP_SPHERETREE_NONE, error));
    if (set->mesh.triangle_count == 0)
        return VP_OK;
    const size_t vertices = set->mesh.vertex_count * sizeof(vp_vec3), indices = set->mesh.triangle_count * 3 * sizeof(uint32_t);
    vp_triangles mesh = set->mesh;
    vp_vec3 *vertex = malloc(vertices);
    uint32_t *index = malloc(indices);
    if (vertex == NULL || index == NULL) {
        free(vertex);
        free(index);
        return no_memory(error);
    }
    memcpy(vertex, set->mesh.vertex, vertices);
    memcpy(index, set->mesh.index, indices);
    mesh.vertex = vertex;
    mesh.index = index;
    return add_mesh(s, &(vp_spheretree_object){.mask = set->mask[set->count]}, &mesh, error);
}

static vp_status make_set(const char *name, uint32_t count, const char *written, vp_scene *s, vp_error *error)
{
    char full[VP_DATA_NAME_BYTES];
    vp_manifest *manifest = NULL;
    vp_store *store = NULL;
    const vp_data *data;
    uint64_t number;
    VP_RETURN_IF_FAILED(vp_manifest_open(NULL, &manifest, error));
    const vp_dataset *d = vp_manifest_set_of(manifest, name);
    vp_status status = VP_OK;
    if (vp_is_fuzz(name, &number) && count == 0)
        snprintf(full, sizeof full, "%s", name);
    else if (d == NULL || d->kind != &vp_kind_scenes) {
        vp_fail(error, VP_E_ARGUMENT, "\"%.60s\" is not a scene: neither a .json file nor a data set of kind scenes%s%s%s", name,
                d != NULL ? "; it is of kind " : "", d != NULL ? d->kind->name : "",
                d == NULL ? "; 'voxphys dataset list' shows them" : "");
        status = VP_E_ARGUMENT;
    } else if (count != 0 && strchr(name, '/') != NULL)
        status = vp_fail(error, VP_E_ARGUMENT, "--count %u: \"%.60s\" says how many", count, name);
    else if ((count != 0 ? snprintf(full, sizeof full, "%s/%u", name, count) : snprintf(full, sizeof full, "%s", name)) >= (int)sizeof full)
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\" is too long a name", name);
    if (status == VP_OK && written != NULL)
        status = vp_dataset_check_out(manifest, full, written, error);
    if (status == VP_OK)
        status = vp_dataset_store(manifest, 0, &store, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_scenes, full, &data, error);
    if (status == VP_OK) {
        s->content = data->checked ? VP_CONTENT_CHECKED : VP_CONTENT_NOT_CHECKED;
        status = take_set(data->set, s, error);
    }
    vp_store_destroy(store);
    vp_manifest_close(manifest);
    return status;
}

vp_status vp_scene_open(const char *name, uint32_t count, const char *written, vp_scene *out, vp_error *error)
{
    *out = (vp_scene){.content = VP_CONTENT_OF_FILE};
    if (!vp_name_ends(name, ".json"))
        return make_set(name, count, written, out, error);
    return count == 0 ? read_file(name, written, out, error)
                      : vp_fail(error, VP_E_ARGUMENT, "--count %u is for data sets; %s is a file", count, vp_show_path(name).text);
}

/* ---- writing ---- */

static void put_point(vp_bytes *to, vp_vec3 p)
{
    vp_bytes_print(to, "[\"%a\", \"%a\", \"%a\"]", (double)p.x, (double)p.y, (double)p.z);
}

static void put_mesh(vp_bytes *to, const vp_triangles *mesh)
{
    vp_bytes_print(to, "\"vertices\": [");
    for (uint32_t v = 0; v < mesh->vertex_count && !to->failed; v++) {
        vp_bytes_print(to, v == 0 ? "" : ", ");
        put_point(to, mesh->vertex[v]);
    }
    vp_bytes_print(to, "], \"triangles\": [");
    for (uint32_t t = 0; t < mesh->triangle_count && !to->failed; t++) {
        uint32_t c[3];
        vp_triangle_corners(mesh, t, c);
        vp_bytes_print(to, "%s[%u, %u, %u]", t == 0 ? "" : ", ", c[0], c[1], c[2]);
    }
    vp_bytes_print(to, "]");
}

vp_status vp_scene_write(const vp_scene *s, const char *path, vp_error *error)
{
    vp_bytes bytes = {0};
    vp_bytes_print(&bytes, "{\"objects\": [\n");
    for (uint32_t i = 0; i < s->count && !bytes.failed; i++) {
        const vp_spheretree_object *o = &s->object[i];
        vp_bytes_print(&bytes, "{");
        if (s->mesh[i] != VP_SPHERETREE_NONE) {
            put_mesh(&bytes, &s->of_mesh[s->mesh[i]]);
        } else {
            vp_bytes_print(&bytes, "\"centre\": ");
            put_point(&bytes, o->sphere.centre);
            vp_bytes_print(&bytes, ", \"radius\": \"%a\"", (double)o->sphere.radius);
        }
        vp_bytes_print(&bytes, ", \"mask\": %u", o->mask);
        if (o->data != 0)
            vp_bytes_print(&bytes, ", \"data\": %llu", (unsigned long long)o->data);
        vp_bytes_print(&bytes, i + 1 < s->count ? "},\n" : "}\n");
    }
    vp_bytes_print(&bytes, "]}\n");
    return vp_bytes_save(&bytes, path, error);
}
