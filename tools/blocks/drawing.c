/* SPDX-License-Identifier: MIT */
/* A mesh of quads of several chunks, for a file. */
#include <stdlib.h>

#include "host/program.h"
#include "tools/blocks/blocks.h"

enum { MOST = 1 << 26 /* quads, because vertices have 32-bit numbers */ };

static vp_status make_room(vp_drawing *d, uint32_t more, vp_error *error)
{
    if (more > MOST - d->mesh.quad_count)
        return vp_fail(error, VP_E_ARGUMENT, "a file of more than %d quads", MOST);
    const size_t count = (size_t)d->mesh.quad_count + more;
    VP_RETURN_IF_FAILED(vp_grow_array(&d->mesh.vertex, &d->vertex_room, count * 4, sizeof *d->mesh.vertex, "vertices", error));
    VP_RETURN_IF_FAILED(vp_grow_array(&d->mesh.quad, &d->quad_room, count, sizeof *d->mesh.quad, "quads", error));
    return vp_grow_array(&d->mesh.material, &d->material_room, count, 1, "quads", error);
}

/* Finds or adds the look with a name. */
static vp_status find_look(vp_drawing *d, const vp_drawn *drawn, uint8_t *out, vp_error *error)
{
    uint32_t i = 0;
    while (i < d->looks_used && strcmp(d->looks.of[i].name, drawn->name) != 0)
        i++;
    if (i == 256)
        return vp_fail(error, VP_E_ARGUMENT, "a file has 256 materials, and \"%.40s\" is one more", drawn->name);
    if (i == d->looks_used) {
        vp_look *look = &d->looks.of[d->looks_used++];
        strcpy(look->name, drawn->name);
        look->colour[0] = (uint8_t)(drawn->colour >> 16);
        look->colour[1] = (uint8_t)(drawn->colour >> 8);
        look->colour[2] = (uint8_t)drawn->colour;
        look->clear = drawn->clear;
    }
    *out = (uint8_t)i;
    return VP_OK;
}

vp_status vp_drawing_add(vp_drawing *d, const vp_block_quads *quads, vp_ivec3 chunk, const vp_block_rounding *rounding, vp_draw_fn *draw,
                         const void *user, vp_error *error)
{
    vp_block_mesh mesh;
    const uint32_t count = quads->first[VP_SIDE_COUNT];
    VP_RETURN_IF_FAILED(make_room(d, count, error));
    VP_RETURN_IF_FAILED(vp_block_mesh_create(&(vp_block_mesh_def){.quads = quads, .chunk = chunk, .rounding = rounding}, &mesh, error));
    vp_status status = VP_OK;
    for (uint32_t q = 0; q < count && status == VP_OK; q++) {
        vp_drawn drawn;
        const uint32_t to = d->mesh.quad_count;
        draw(user, quads, q, mesh.light + (size_t)q * 4, &drawn);
        status = find_look(d, &drawn, &d->mesh.material[to], error);
        for (uint32_t k = 0; k < 4; k++) {
            d->mesh.vertex[(size_t)to * 4 + k] = vp_vec3_add(mesh.vertex[(size_t)q * 4 + k], drawn.shift);
            d->mesh.quad[to][k] = to * 4 + k;
        }
        d->mesh.quad_count++;
        d->mesh.vertex_count += 4;
    }
    vp_block_mesh_destroy(&mesh);
    return status;
}

vp_status vp_drawing_write(const vp_drawing *d, const char *path, vp_mesh_format format, const char *what, vp_error *error)
{
    if (d->mesh.quad_count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "no %s: %s is not written", what, vp_show_path(path).text);
    const vp_named_mesh named = {what, &d->mesh};
    const vp_status status = vp_mesh_file_write(path, format, &named, 1, &d->looks, error);
    vp_progress("", 1, 1);
    return status;
}

void vp_drawing_drop(vp_drawing *d)
{
    free(d->mesh.vertex);
    free(d->mesh.quad);
    free(d->mesh.material);
}
