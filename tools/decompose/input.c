/* SPDX-License-Identifier: MIT */
/* The mesh to decompose. */
#include "tools/decompose/decompose.h"

#include <math.h>
#include <stdlib.h>

#include "src/core/error.h"
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

vp_status vp_input_mesh_open(const char *name, const int32_t box[6], const char *written, const vp_kernels *kernels, uint32_t threads,
                             vp_input_mesh *out, vp_error *error)
{
    *out = (vp_input_mesh){.extent = 0.0};
    vp_status status = vp_source_open("decompose", name, written, &out->source, error);
    if (status == VP_OK && box != NULL && out->source.kind != VP_SOURCE_WORLD)
        status = vp_fail(error, VP_E_ARGUMENT, "--box is for worlds; %s is a mesh", vp_show_path(name).text);
    if (status == VP_OK && box != NULL)
        status = surface_of_box(out, box, kernels, threads, error);
    if (status == VP_OK && box == NULL) {
        status = vp_source_surface(&out->source, VP_SURFACE_SOLID, kernels, threads, &out->surface, error);
        out->triangles = out->surface.triangles;
        out->seconds = out->surface.seconds;
    }
    return status == VP_OK ? take_triangles(out, box, error) : status;
}

void vp_input_mesh_close(vp_input_mesh *mesh)
{
    vp_surface_mesh_destroy(&mesh->surface);
    vp_mesh_destroy(&mesh->box_mesh);
    vp_source_close(&mesh->source);
    free(mesh->triangle);
    mesh->triangle = NULL;
}
