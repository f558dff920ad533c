/* SPDX-License-Identifier: MIT */
/* `voxphys world edit --loose` finds parts that the edits cut off, as bodies. Changes are found by comparing stale chunks with
 * the world before the edits. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/compound.h>

#include "tools/world/world.h"

/* Finds changed voxels of a chunk. @return their number */
static size_t changed_in(const vp_world *was, const vp_world *is, uint32_t chunk, vp_ivec3 *at, vp_voxel *before)
{
    const vp_dims n = vp_world_chunks(is);
    const int32_t low[3] = {8 * (int32_t)(chunk % n.x), 8 * (int32_t)(chunk / n.x / n.z), 8 * (int32_t)(chunk / n.x % n.z)};
    size_t count = 0;
    for (int32_t i = 0; i < VP_CHUNK_VOXELS; i++) {
        const vp_ivec3 v = {low[0] + i % 8, low[1] + i / 64, low[2] + i / 8 % 8};
        const vp_voxel old = vp_world_voxel(was, v), now = vp_world_voxel(is, v);
        if (old.material == now.material && old.occupancy == now.occupancy)
            continue;
        at[count] = v;
        before[count++] = old;
    }
    return count;
}

vp_status vp_loose_take(const vp_world *was, vp_world *world, vp_chunk_set *stale, uint32_t least, vp_loose *out, vp_error *error)
{
    const size_t room = (size_t)vp_chunk_set_count(stale) * VP_CHUNK_VOXELS;
    const vp_regions_def def = {.min_voxels = least, .loose_before = true};
    vp_ivec3 *at = malloc((room + 1) * sizeof *at);
    vp_voxel *before = malloc((room + 1) * sizeof *before);
    size_t count = 0;
    vp_status status =
        at == NULL || before == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for the %zu voxels around the edits", room) : VP_OK;
    for (uint32_t c = vp_chunk_set_next(stale, 0); status == VP_OK && c != UINT32_MAX; c = vp_chunk_set_next(stale, c + 1))
        count += changed_in(was, world, c, at + count, before + count);
    if (status == VP_OK)
        status = vp_regions_find(&def, world, at, before, count, &out->regions, error);
    if (status == VP_OK)
        status = vp_regions_remove(&out->regions, world, stale, error);
    free(at);
    free(before);
    out->parts = status == VP_OK ? calloc((size_t)out->regions.region_count + 1, sizeof *out->parts) : NULL;
    if (status == VP_OK && out->parts == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for the bodies of %u regions", out->regions.region_count);
    for (uint32_t i = 0; status == VP_OK && i < out->regions.region_count; i++) {
        vp_region_body body;
        status = vp_region_body_create(&(vp_region_body_def){0}, &out->regions.region[i], &body, error);
        if (status != VP_OK)
            break;
        for (uint32_t k = 0; k < body.compound.count; k++)
            out->parts[i][body.part[k].shape->kind == VP_COLLIDE_HULL]++;
        vp_region_body_destroy(&body);
    }
    return status;
}

void vp_loose_drop(vp_loose *loose)
{
    vp_regions_destroy(&loose->regions);
    free(loose->parts);
    *loose = (vp_loose){0};
}

json_t *vp_loose_json(const vp_loose *loose)
{
    const vp_regions *r = &loose->regions;
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->region_count; i++) {
        const vp_region *g = &r->region[i];
        json_array_append_new(list, json_pack("{s:I, s:[iii], s:[iii], s:f, s:[fff], s:[ffffff], s:I, s:I}", "voxels", (json_int_t)g->count,
                                              "low", g->low.x, g->low.y, g->low.z, "high", g->high.x, g->high.y, g->high.z, "mass",
                                              g->mass.mass, "centre", g->mass.centre[0], g->mass.centre[1], g->mass.centre[2], "inertia",
                                              g->mass.inertia[0], g->mass.inertia[1], g->mass.inertia[2], g->mass.inertia[3],
                                              g->mass.inertia[4], g->mass.inertia[5], "boxes", (json_int_t)loose->parts[i][0], "hulls",
                                              (json_int_t)loose->parts[i][1]));
    }
    return json_pack("{s:o, s:I, s:{s:I, s:I}}", "regions", list, "voxels", (json_int_t)r->voxel_count, "vanished", "regions",
                     (json_int_t)r->small_count, "voxels", (json_int_t)r->vanished);
}

void vp_loose_print(const vp_loose *loose)
{
    enum { SHOWN = 20 };
    const vp_regions *r = &loose->regions;
    printf("loose    %u region%s taken out", r->region_count, vp_plural(r->region_count));
    if (r->region_count != 0)
        printf(", %u voxel%s together", r->voxel_count, vp_plural(r->voxel_count));
    if (r->small_count != 0)
        printf("; %u small one%s of %u voxel%s vanished", r->small_count, vp_plural(r->small_count), r->vanished, vp_plural(r->vanished));
    printf("\n");
    for (uint32_t i = 0; i < r->region_count && i < SHOWN; i++) {
        const vp_region *g = &r->region[i];
        printf("         %u voxel%s from (%d, %d, %d) to (%d, %d, %d): mass %.10g, centre (%.6g, %.6g, %.6g), ", g->count,
               vp_plural(g->count), g->low.x, g->low.y, g->low.z, g->high.x, g->high.y, g->high.z, g->mass.mass, g->mass.centre[0],
               g->mass.centre[1], g->mass.centre[2]);
        printf("body of %u box%s and %u hull%s\n", loose->parts[i][0], loose->parts[i][0] == 1 ? "" : "es", loose->parts[i][1],
               vp_plural(loose->parts[i][1]));
    }
    if (r->region_count > SHOWN)
        printf("         and %u more, which --json prints\n", r->region_count - SHOWN);
}
