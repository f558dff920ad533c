/* SPDX-License-Identifier: MIT */
/* The ground of a scene. */
#include <math.h>

#include "tools/simulate/simulate.h"

static const char command[] = "simulate";

static vp_status fill_world(const vp_sim_scene *scene, vp_world **out, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_world_create(&(vp_world_def){.size = scene->size}, out, error));
    for (size_t i = 0; i < scene->fill_count; i++) {
        const vp_sim_edit *f = &scene->fill[i];
        VP_RETURN_IF_FAILED(f->is_box ? vp_world_fill_box(*out, f->low, f->high, f->voxel, NULL, error)
                                      : vp_world_fill_sphere(*out, f->centre, f->radius, f->voxel, NULL, error));
    }
    return VP_OK;
}

static vp_status fill_blocks(const vp_sim_scene *scene, vp_blocks **out, vp_block_held *held, vp_error *error)
{
    const uint32_t edge = VP_BLOCK_EDGE;
    const vp_dims chunks = {(scene->size.x + edge - 1) / edge, (scene->size.y + edge - 1) / edge, (scene->size.z + edge - 1) / edge};
    VP_RETURN_IF_FAILED(vp_blocks_create(&(vp_blocks_def){0}, out, error));
    for (size_t i = 0; i < scene->fill_count; i++) {
        const vp_sim_edit *f = &scene->fill[i];
        const vp_block_edit edit = {.shape = f->is_box ? VP_BLOCK_BOX : VP_BLOCK_SPHERE,
                                    .block = f->voxel.material,
                                    .low = f->low,
                                    .high = f->high,
                                    .centre = f->centre,
                                    .radius = f->radius};
        VP_RETURN_IF_FAILED(vp_blocks_edit(*out, &edit, 1, NULL, error));
    }
    return vp_blocks_acquire_box(*out, (vp_ivec3){0, 0, 0}, chunks, held, error);
}

vp_status vp_sim_ground_open(const vp_sim_scene *scene, const vp_executor *executor, vp_sim_ground *out, vp_error *error)
{
    out->content = VP_CONTENT_OF_FILE;
    out->is_blocks = scene->blocks != NULL || scene->as_blocks;
    if (scene->blocks != NULL) {
        VP_RETURN_IF_FAILED(vp_block_source_open(command, scene->blocks, &out->source, error));
        out->content = out->source.content;
        return vp_block_source_hold(&out->source, &out->held, error);
    }
    if (scene->as_blocks)
        return fill_blocks(scene, &out->blocks, &out->held, error);
    vp_status status = VP_OK;
    if (scene->world != NULL) {
        status = vp_world_open(command, scene->world, &out->manifest, &out->world, &out->content, &out->note, error);
        if (status != VP_OK)
            return vp_explain_name(out->manifest, scene->world, ".vpw", error);
    } else if (scene->size.x > 0) {
        status = fill_world(scene, &out->world, error);
    }
    if (status != VP_OK || out->world == NULL)
        return status;
    return vp_terrain_create(&(vp_terrain_def){.world = out->world, .budget = VP_TERRAIN_NO_LIMIT, .executor = executor}, &out->terrain,
                             error);
}

void vp_sim_ground_close(vp_sim_ground *g)
{
    vp_terrain_destroy(g->terrain);
    vp_world_destroy(g->world);
    vp_blob_destroy(&g->note);
    vp_blocks *const blocks = g->blocks != NULL ? g->blocks : g->source.blocks;
    if (blocks != NULL)
        vp_blocks_release_box(blocks, &g->held);
    vp_blocks_destroy(g->blocks);
    vp_block_source_close(&g->source);
    vp_manifest_close(g->manifest);
}

/* Whether a voxel or a block stops bodies. */
static bool is_solid(const vp_sim_ground *g, vp_ivec3 at)
{
    if (g->world != NULL)
        return vp_world_voxel(g->world, at).material >= VP_FIRST_SOLID;
    const vp_block block = vp_blocks_get(g->blocks != NULL ? g->blocks : g->source.blocks, at);
    return (vp_block_flags_of(g->held.view.type, g->held.view.type_count, block) & VP_BLOCK_COLLIDES) != 0;
}

vp_status vp_sim_ground_top(const vp_sim_ground *g, double x, double z, double *y, vp_error *error)
{
    const int32_t low = g->is_blocks ? g->held.view.low.y * VP_BLOCK_EDGE : 0;
    const int32_t layers = g->is_blocks       ? (int32_t)g->held.view.size.y * VP_BLOCK_EDGE
                           : g->world != NULL ? (int32_t)vp_world_size(g->world).y
                                              : 0;
    for (int32_t i = low + layers - 1; i >= low; i--)
        if (is_solid(g, (vp_ivec3){(int32_t)floor(x), i, (int32_t)floor(z)})) {
            *y = i + 1;
            return VP_OK;
        }
    return vp_fail(error, VP_E_ARGUMENT, "\"above_ground\": no ground at x %g, z %g", x, z);
}
