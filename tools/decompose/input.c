/* SPDX-License-Identifier: MIT */
/* The mesh to decompose. */
#include "tools/decompose/decompose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/program.h"
#include "host/thread_executor.h"

/* The surface of the chunks that a box covers, and of the chunks below, which own the surface on its low faces. */
static vp_status surface_of_box(vp_input_mesh *m, const int32_t box[6], const vp_kernels *kernels, uint32_t threads, vp_error *error)
{
    const vp_dims size = vp_world_size(m->source.world);
    const int32_t most[3] = {(int32_t)size.x, (int32_t)size.y, (int32_t)size.z};
    int32_t first[3], chunks[3];
    for (int k = 0; k < 3; k++) {
        if (box[k] < 0 || box[k + 3] > most[k] || box[k] >= box[k + 3])
            return vp_fail(error, VP_E_ARGUMENT, "--box: %c from %d to %d is not in the world, 0 to %d", "xyz"[k], (int)box[k],
                           (int)box[k + 3], (int)most[k]);
        const int32_t last = (box[k + 3] < most[k] ? box[k + 3] : most[k] - 1) / VP_CHUNK_EDGE;
        first[k] = box[k] > 0 ? (box[k] - 1) / VP_CHUNK_EDGE : 0;
        chunks[k] = last - first[k] + 1;
    }
    vp_watched w;
    vp_executor executor = vp_watch(&w, vp_thread_executor(threads), "surface", VP_MESH_ROUNDS);
    const vp_mesh_def def = {.world = m->source.world,
                             .surface = VP_SURFACE_SOLID,
                             .first = {first[0], first[1], first[2]},
                             .chunks = {(uint32_t)chunks[0], (uint32_t)chunks[1], (uint32_t)chunks[2]},
                             .kernels = kernels,
                             .executor = &executor};
    const double begin = vp_seconds();
    vp_status status = vp_mesh_create(&def, &m->box_mesh, error);
    m->seconds = vp_seconds() - begin;
    vp_progress("", 1, 1);
    if (status == VP_OK && m->box_mesh.quad_count > UINT32_MAX / 2)
        status = vp_fail(error, VP_E_ARGUMENT, "%u quads are too many", m->box_mesh.quad_count);
    if (status == VP_OK)
        m->triangles = vp_triangles_of(&m->box_mesh);
    return status;
}

static bool is_in(const int32_t box[6], vp_vec3 p)
{
    return p.x >= (float)box[0] && p.y >= (float)box[1] && p.z >= (float)box[2] && p.x <= (float)box[3] && p.y <= (float)box[4] &&
           p.z <= (float)box[5];
}

/* Copies the corners of triangles in the box, and computes their bounding box. */
static vp_status take_triangles(vp_input_mesh *m, const int32_t *box, vp_error *error)
{
    const vp_triangles *t = &m->triangles;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    uint32_t count = 0;
    m->triangle = malloc(((size_t)t->triangle_count + 1) * sizeof *m->triangle);
    if (m->triangle == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", t->triangle_count);
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        uint32_t *corner = m->triangle[count];
        vp_triangle_corners(t, i, corner);
        bool in = true;
        for (int c = 0; c < 3 && box != NULL; c++)
            in = in && is_in(box, t->vertex[corner[c]]);
        count += in ? 1 : 0;
        for (int c = 0; c < 3 && in; c++) {
            const vp_vec3 p = t->vertex[corner[c]];
            const float at[3] = {p.x, p.y, p.z};
            for (int k = 0; k < 3; k++) {
                low[k] = fminf(low[k], at[k]);
                high[k] = fmaxf(high[k], at[k]);
            }
        }
    }
    if (count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "%s has no surface%s", vp_show_path(m->source.name).text, box != NULL ? " in that box" : "");
    if (count > VP_DECOMPOSE_MAX_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "%s has %u triangles; must be at most %u", vp_show_path(m->source.name).text, count,
                       VP_DECOMPOSE_MAX_TRIANGLES);
    m->triangles = (vp_triangles){t->vertex, m->triangle[0], t->vertex_count, count, false};
    for (int k = 0; k < 3; k++)
        m->extent = fmax(m->extent, (double)high[k] - (double)low[k]);
    return VP_OK;
}

/* ---- objects ---- */

/* Copies a name. An empty one becomes "mesh". Bytes that a name in a file must not have become '_'. */
static void set_name(vp_input_object *o, const char *name, size_t length)
{
    length = length < sizeof o->name ? length : sizeof o->name - 1;
    memcpy(o->name, name, length);
    o->name[length] = '\0';
    for (char *at = o->name; *at != '\0'; at++)
        if (*at <= ' ' || *at >= 0x7f || strchr("\"\\/&<>", *at) != NULL)
            *at = '_';
    if (length == 0)
        memcpy(o->name, "mesh", sizeof "mesh");
}

static int by_name(const void *a, const void *b)
{
    const vp_input_object *const *x = a, *const *y = b;
    const int order = strcmp((*x)->name, (*y)->name);
    return order != 0 ? order : *x < *y ? -1 : *x > *y;
}

/* Appends its number to each name that an object before has, until all differ. */
static vp_status make_names_unique(vp_input_mesh *m, vp_error *error)
{
    vp_input_object **sorted = malloc(((size_t)m->objects + 1) * sizeof *sorted);
    if (sorted == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u objects", m->objects);
    for (uint32_t i = 0; i < m->objects; i++)
        sorted[i] = &m->object[i];
    for (bool changed = true; changed;) {
        changed = false;
        qsort(sorted, m->objects, sizeof *sorted, by_name);
        for (uint32_t i = m->objects; i-- > 1;)
            if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0) {
                const size_t length = strlen(sorted[i]->name), most = sizeof sorted[i]->name - 12;
                sprintf(sorted[i]->name + (length < most ? length : most), "-%u", (unsigned)(sorted[i] - m->object));
                changed = true;
            }
    }
    free(sorted);
    return VP_OK;
}

/* Copies an object's triangles and their vertices, because a decomposition looks at all points. */
static vp_status copy_object(const vp_input_mesh *m, vp_input_object *o, uint32_t *number, vp_error *error)
{
    o->vertex = malloc((size_t)o->count * 3 * sizeof *o->vertex);
    o->triangle = malloc((size_t)o->count * sizeof *o->triangle);
    if (o->vertex == NULL || o->triangle == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", o->count);
    for (uint32_t t = 0; t < o->count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t v = m->triangle[o->first + t][k];
            if (number[v] >= o->vertices || memcmp(&o->vertex[number[v]], &m->triangles.vertex[v], sizeof *o->vertex) != 0) {
                number[v] = o->vertices;
                o->vertex[o->vertices++] = m->triangles.vertex[v];
            }
            o->triangle[t][k] = number[v];
        }
    vp_vec3 low = o->vertex[0], high = low;
    for (uint32_t v = 1; v < o->vertices; v++) {
        low = vp_vec3_min(low, o->vertex[v]);
        high = vp_vec3_max(high, o->vertex[v]);
    }
    o->extent = fmax((double)high.x - (double)low.x, fmax((double)high.y - (double)low.y, (double)high.z - (double)low.z));
    return VP_OK;
}

static vp_status split(vp_input_mesh *m, vp_error *error)
{
    const vp_loaded_mesh *file = &m->source.file;
    uint32_t *number = calloc((size_t)m->triangles.vertex_count + 1, sizeof *number);
    vp_status status = number != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u vertices", m->triangles.vertex_count);
    for (uint32_t t = 0; t < m->triangles.triangle_count; t++) {
        if (t == 0 || file->part[t] != file->part[t - 1]) {
            vp_input_object *o = &m->object[m->objects++];
            set_name(o, file->part_name[m->objects - 1], strlen(file->part_name[m->objects - 1]));
            o->first = t;
        }
        m->object[m->objects - 1].count++;
    }
    for (uint32_t i = 0; i < m->objects && status == VP_OK; i++)
        status = copy_object(m, &m->object[i], number, error);
    free(number);
    return status == VP_OK ? make_names_unique(m, error) : status;
}

static vp_status make_objects(vp_input_mesh *m, bool each, vp_error *error)
{
    const char *name = vp_name_in_folder(m->source.name), *end = strrchr(name, '.');
    m->object = calloc(each ? (size_t)m->source.file.parts + 1 : 1, sizeof *m->object);
    if (m->object == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for objects");
    if (each)
        return split(m, error);
    m->objects = 1;
    name = m->source.kind == VP_SOURCE_SOLID ? m->source.name : name;
    set_name(&m->object[0], name, end != NULL && end > name ? (size_t)(end - name) : strlen(name));
    m->object[0].count = m->triangles.triangle_count;
    m->object[0].extent = m->extent;
    return VP_OK;
}

vp_status vp_input_mesh_open(const char *name, const int32_t box[6], bool each, const char *written, const vp_kernels *kernels,
                             uint32_t threads, vp_input_mesh *out, vp_error *error)
{
    *out = (vp_input_mesh){.extent = 0.0};
    VP_RETURN_IF_FAILED(vp_source_open("decompose", name, written, &out->source, error));
    if (box != NULL && out->source.kind != VP_SOURCE_WORLD)
        return vp_fail(error, VP_E_ARGUMENT, "--box is for worlds; %s is a mesh", vp_show_path(name).text);
    if (each && out->source.kind != VP_SOURCE_FILE)
        return vp_fail(error, VP_E_ARGUMENT, "--per-object is for mesh files; %s is a data set or a world", vp_show_path(name).text);
    if (box != NULL)
        VP_RETURN_IF_FAILED(surface_of_box(out, box, kernels, threads, error));
    if (box == NULL) {
        VP_RETURN_IF_FAILED(vp_source_surface(&out->source, VP_SURFACE_SOLID, kernels, threads, &out->surface, error));
        out->triangles = out->surface.triangles;
        out->seconds = out->surface.seconds;
    }
    VP_RETURN_IF_FAILED(take_triangles(out, box, error));
    return make_objects(out, each, error);
}

void vp_input_mesh_close(vp_input_mesh *mesh)
{
    vp_surface_mesh_destroy(&mesh->surface);
    vp_mesh_destroy(&mesh->box_mesh);
    vp_source_close(&mesh->source);
    for (uint32_t i = 0; i < mesh->objects; i++) {
        vp_decomposition_destroy(&mesh->object[i].parts);
        free(mesh->object[i].vertex);
        free(mesh->object[i].triangle);
    }
    free(mesh->object);
    free(mesh->triangle);
    mesh->triangle = NULL;
    mesh->object = NULL;
}
