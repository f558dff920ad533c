/* SPDX-License-Identifier: MIT */
/* The ground of recorded bodies: worlds of voxels, worlds of blocks. */
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/mesh.h>

#include "host/record/bodies.h"

static void show_piece(vp_bodies_recording *r, uint32_t layer, uint32_t id, const vp_record_shape *piece)
{
    vp_record_shape shape = *piece;
    shape.form = VP_RECORD_MESH;
    shape.scale = VP_BODIES_RECORD_STEPS;
    r->to->item(r->to->user, layer, &(vp_record_item){.id = id, .shape = r->to->shape(r->to->user, &shape)});
}

void vp_bodies_record_ground(vp_bodies_recording *r, uint32_t id, const vp_record_shape *piece)
{
    show_piece(r, r->ground, id, piece);
}

/* @param all  no piece was shown before, so pieces without a surface are skipped */
static vp_status show_chunk(vp_bodies_recording *r, const vp_world *world, uint32_t number, vp_surface surface, bool all, vp_error *error)
{
    const vp_dims chunks = vp_world_chunks(world);
    const vp_ivec3 at = {(int32_t)(number % chunks.x), (int32_t)(number / (chunks.x * chunks.z)), (int32_t)(number / chunks.x % chunks.z)};
    vp_mesh mesh;
    VP_RETURN_IF_FAILED(vp_mesh_create(&(vp_mesh_def){.world = world, .surface = surface, .first = at, .chunks = {1, 1, 1}}, &mesh, error));
    vp_bytes triangle = {0}, material = {0};
    for (uint32_t t = 0; t < 2 * mesh.quad_count; t++) {
        uint32_t corner[3];
        vp_mesh_triangle(&mesh, t, corner);
        vp_bytes_add(&triangle, corner, sizeof corner);
        vp_bytes_add(&material, &mesh.material[t / 2], 1);
    }
    if (triangle.failed || material.failed)
        r->no_memory = true;
    else if (mesh.quad_count > 0 || !all)
        show_piece(r, surface == VP_SURFACE_WATER ? r->water : r->ground, number,
                   &(vp_record_shape){.corner = mesh.vertex != NULL ? &mesh.vertex->x : NULL,
                                      .corner_count = mesh.vertex_count,
                                      .triangle = (const uint32_t *)(const void *)triangle.at,
                                      .triangle_count = 2 * mesh.quad_count,
                                      .material = material.at});
    free(triangle.at);
    free(material.at);
    vp_mesh_destroy(&mesh);
    return VP_OK;
}

vp_status vp_bodies_record_world(vp_bodies_recording *r, const vp_world *world, const vp_chunk_set *changed, vp_error *error)
{
    const vp_dims chunks = vp_world_chunks(world);
    for (uint32_t c = 0; c < chunks.x * chunks.y * chunks.z; c++) {
        if (changed != NULL && !vp_chunk_set_has(changed, c))
            continue;
        VP_RETURN_IF_FAILED(show_chunk(r, world, c, VP_SURFACE_SOLID, changed == NULL, error));
        if (r->has_water)
            VP_RETURN_IF_FAILED(show_chunk(r, world, c, VP_SURFACE_WATER, changed == NULL, error));
    }
    return VP_OK;
}

/* Shows the sides of blocks in a box. */
static vp_status show_blocks(vp_bodies_recording *r, const vp_block_view *view, const vp_aabb *box, uint32_t id, vp_error *error)
{
    uint32_t count;
    vp_collide_triangle *found = NULL;
    vp_bytes corner = {0}, triangle = {0}, material = {0};
    vp_status status = vp_collide_blocks(view, box, NULL, 0, &count, error);
    if (status == VP_OK && count > 0) {
        found = malloc(count * sizeof *found);
        status = found != NULL ? vp_collide_blocks(view, box, found, count, &count, error)
                               : vp_fail(error, VP_E_MEMORY, "no memory for %u triangles of blocks", count);
    }
    for (uint32_t i = 0; i < count && status == VP_OK; i++) {
        vp_bytes_add(&corner, found[i].corner, sizeof found[i].corner);
        vp_bytes_add(&triangle, (uint32_t[3]){3 * i, 3 * i + 1, 3 * i + 2}, sizeof(uint32_t[3]));
        vp_bytes_add(&material, &found[i].material, 1);
    }
    if (corner.failed || triangle.failed || material.failed)
        r->no_memory = true;
    else if (status == VP_OK && count > 0)
        show_piece(r, r->ground, id,
                   &(vp_record_shape){.corner = (const float *)(const void *)corner.at,
                                      .corner_count = 3 * count,
                                      .triangle = (const uint32_t *)(const void *)triangle.at,
                                      .triangle_count = count,
                                      .material = material.at});
    free(found);
    free(corner.at);
    free(triangle.at);
    free(material.at);
    return status;
}

vp_status vp_bodies_record_blocks(vp_bodies_recording *r, const vp_block_view *view, vp_error *error)
{
    const float edge = VP_BLOCK_EDGE, within = 0.25f; /* keeps blocks next to the chunk out of its box */
    for (uint32_t c = 0; c < view->size.x * view->size.y * view->size.z; c++) {
        const vp_vec3 low = {(float)(view->low.x + (int32_t)(c % view->size.x)) * edge + within,
                             (float)(view->low.y + (int32_t)(c / (view->size.x * view->size.z))) * edge + within,
                             (float)(view->low.z + (int32_t)(c / view->size.x % view->size.z)) * edge + within};
        const vp_vec3 size = {edge - 2 * within, edge - 2 * within, edge - 2 * within};
        VP_RETURN_IF_FAILED(show_blocks(r, view, &(vp_aabb){low, vp_vec3_add(low, size)}, c, error));
    }
    return VP_OK;
}

void vp_bodies_looks_of_blocks(const vp_block_view *view, vp_looks *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t t = 0; t < VP_RECORD_NAMES; t++) {
        const uint32_t colour = t < view->type_count ? view->type[t].colour : 0x010101;
        vp_look *look = &out->of[t];
        snprintf(look->name, sizeof look->name, "block:%u", t);
        look->colour[0] = (uint8_t)(colour >> 16);
        look->colour[1] = (uint8_t)(colour >> 8);
        look->colour[2] = (uint8_t)colour;
    }
}
