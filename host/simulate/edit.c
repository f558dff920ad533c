/* SPDX-License-Identifier: MIT */
/* Edits of the terrain. Loose regions become bodies, and sleeping bodies near an edit wake. */
#include <stdlib.h>

#include "host/program.h"
#include "host/simulate/state.h"

enum { ATTACHED = 1 << 16 }; /* pieces of at least this many voxels never become loose */

vp_status vp_sim_add_hulls(vp_sim *sim, const vp_sim_body_def *def, const vp_mass *mass, const vp_decomposition_hull *part, uint32_t parts,
                           vp_vec3 origin, uint32_t *solids, vp_error *error)
{
    vp_collide_owned_hull *solid = calloc((size_t)parts + 1, sizeof *solid);
    vp_collide_shape *shape = calloc((size_t)parts + 1, sizeof *shape);
    uint32_t count = 0, number;
    vp_status status = solid != NULL && shape != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a body of %u parts", parts);
    for (uint32_t i = 0; i < parts && status == VP_OK; i++) {
        const vp_collide_hull_def hull = {
            .point = part[i].point, .count = part[i].point_count, .hull = &part[i].hull, .origin = origin, .kernels = &sim->kernels};
        if (part[i].hull.dimension < 3)
            continue;
        status = vp_collide_hull_create(&hull, &solid[count], error);
        if (status == VP_OK) {
            shape[count] = vp_collide_hull_shape(&solid[count].hull);
            count++;
        }
    }
    if (status == VP_OK && count > 0)
        status = vp_sim_add_shapes(sim, def, mass, shape, solid, count, &number, error);
    for (uint32_t i = 0; solid != NULL && i < parts; i++) /* solids that the simulation does not own */
        vp_collide_hull_destroy(&solid[i]);
    free(solid);
    free(shape);
    *solids = count;
    return status;
}

/* Adds the boxes and hulls of a loose region's body as hulls. */
static vp_status add_parts(vp_sim *sim, const vp_region_body *body, vp_error *error)
{
    const vp_vec3 centre = body->pose.position;
    const vp_sim_body_def def = {.position = {(double)centre.x, (double)centre.y, (double)centre.z},
                                 .rotation = {0, 0, 0, 1},
                                 .density = 1,
                                 .friction = sim->def.friction,
                                 .restitution = sim->def.restitution};
    const uint32_t parts = body->compound.count;
    vp_collide_owned_hull *solid = calloc(parts, sizeof *solid);
    vp_collide_shape *shape = calloc(parts, sizeof *shape);
    uint32_t number;
    vp_status status = solid != NULL && shape != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a body of %u parts", parts);
    for (uint32_t i = 0; i < parts && status == VP_OK; i++) {
        const vp_vec3 at = body->part[i].pose.position, h = body->shape[i].half;
        const vp_vec3 corner[8] = {{-h.x, -h.y, -h.z}, {h.x, -h.y, -h.z}, {-h.x, h.y, -h.z}, {h.x, h.y, -h.z},
                                   {-h.x, -h.y, h.z},  {h.x, -h.y, h.z},  {-h.x, h.y, h.z},  {h.x, h.y, h.z}};
        const vp_collide_hull *convex = body->shape[i].hull;
        const bool is_box = body->shape[i].kind == VP_COLLIDE_BOX;
        const vp_collide_hull_def hull = {.point = is_box ? corner : convex->vertex,
                                          .count = is_box ? 8 : convex->vertex_count,
                                          .origin = {-at.x, -at.y, -at.z},
                                          .kernels = &sim->kernels};
        status = vp_collide_hull_create(&hull, &solid[i], error);
        shape[i] = vp_collide_hull_shape(&solid[i].hull);
    }
    if (status == VP_OK)
        status = vp_sim_add_shapes(sim, &def, &body->mass, shape, solid, parts, &number, error);
    for (uint32_t i = 0; solid != NULL && i < parts; i++) /* solids that the simulation does not own */
        vp_collide_hull_destroy(&solid[i]);
    free(solid);
    free(shape);
    return status;
}

/* Regions without a voxel more than half full crumble. */
static bool is_solid(const vp_region *region)
{
    for (uint32_t i = 0; i < region->count; i++)
        if (region->voxel[i].occupancy > 127)
            return true;
    return false;
}

static vp_status add_region(vp_sim *sim, const vp_region *region, vp_sim_edited *out, vp_error *error)
{
    if (!is_solid(region)) {
        out->crumbled += region->count;
        return VP_OK;
    }
    vp_region_body body;
    VP_RETURN_IF_FAILED(vp_region_body_create(&(vp_region_body_def){.kernels = &sim->kernels}, region, &body, error));
    vp_status status = add_parts(sim, &body, error);
    vp_region_body_destroy(&body);
    out->regions++;
    out->voxels += region->count;
    return status;
}

static vp_status wake_near(vp_sim *sim, vp_sim_edited *out, vp_error *error)
{
    const uint32_t woken = sim->stats.woken;
    uint32_t count;
    vp_terrain_acquire_reader(sim->def.terrain, &sim->reader);
    const vp_status status = vp_contacts_terrain_changed(sim->contacts, &sim->stale, error);
    vp_terrain_release_reader(&sim->reader);
    if (status != VP_OK)
        return status;
    out->chunks = vp_chunk_set_count(&sim->stale);
    const vp_contact_event *event = vp_contacts_events(sim->contacts, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t b = 0; event[i].change == VP_CONTACT_WOKE && b < sim->bodies; b++)
            if (!sim->body[b].lost && sim->body[b].object == event[i].contact.object)
                vp_sim_wake(sim, b);
    out->woken = sim->stats.woken - woken;
    return VP_OK;
}

vp_status vp_sim_edit_terrain(vp_sim *sim, const vp_sim_edit *edit, vp_sim_edited *out, vp_error *error)
{
    const double begin = vp_seconds();
    const vp_regions_def def = {.loose_before = true, .attached_from = ATTACHED, .kernels = &sim->kernels};
    vp_regions regions = {0};
    *out = (vp_sim_edited){0};
    if (sim->def.terrain == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the ground is no terrain that can be edited");
    vp_chunk_set_clear(&sim->stale);
    for (uint32_t i = 0; i < sim->bodies; i++)
        sim->body[i].clear = 0;
    vp_status status =
        edit->count > 0 ? vp_terrain_set_voxels(sim->def.terrain, edit->at, edit->each, edit->count, &sim->stale, error)
        : edit->is_box
            ? vp_regions_fill_box(&def, sim->def.terrain, edit->low, edit->high, edit->voxel, &sim->stale, &regions, error)
            : vp_regions_fill_sphere(&def, sim->def.terrain, edit->centre, edit->radius, edit->voxel, &sim->stale, &regions, error);
    if (status == VP_OK)
        status = wake_near(sim, out, error);
    for (uint32_t i = 0; i < regions.region_count && status == VP_OK; i++)
        status = add_region(sim, &regions.region[i], out, error);
    vp_regions_destroy(&regions);
    sim->edit_seconds += vp_seconds() - begin;
    return status;
}
