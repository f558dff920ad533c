/* SPDX-License-Identifier: MIT */
/* voxphys simulate --record FILE: recordings of simulations. */
#include <stdlib.h>

#include "tools/simulate/simulate.h"

static bool same_shape(const vp_collide_shape *a, const vp_collide_shape *b)
{
    return a->kind == b->kind && a->radius == b->radius && a->half_height == b->half_height && a->half.x == b->half.x &&
           a->half.y == b->half.y && a->half.z == b->half.z && a->hull == b->hull;
}

/* Stores the shapes of new bodies. Consecutive bodies with equal shapes share one. */
static vp_status add_shapes(vp_sim_recording *r, const vp_sim *sim, size_t from, vp_error *error)
{
    const uint32_t bodies = vp_sim_body_count(sim);
    VP_RETURN_IF_FAILED(vp_grow_array(&r->shape, &r->shapes, bodies, sizeof *r->shape, "bodies to record", error));
    for (size_t i = from; i < bodies; i++) {
        const uint32_t number = (uint32_t)i, count = vp_sim_body_of(sim, number).shapes;
        const vp_collide_shape *first = vp_sim_shape_of(sim, number, 0);
        if (i > 0 && count == 1 && same_shape(first, vp_sim_shape_of(sim, number - 1, 0))) {
            r->shape[i] = r->shape[i - 1];
            continue;
        }
        vp_manifold_body *part = malloc(count * sizeof *part);
        if (part == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory to record a body of %u shapes", count);
        for (uint32_t k = 0; k < count; k++)
            part[k] = (vp_manifold_body){vp_sim_shape_of(sim, number, k), vp_pose_at((vp_vec3){0, 0, 0})};
        r->shape[i] = vp_bodies_record_shape(&r->to, part, count);
        free(part);
    }
    return VP_OK;
}

static vp_status add_frame(vp_sim_recording *r, const vp_sim *sim, vp_error *error)
{
    const vp_sim_stats *s = vp_sim_stats_of(sim);
    const uint32_t bodies = vp_sim_body_count(sim), contacts = vp_sim_contact_count(sim);
    uint32_t shown = 0;
    vp_status status = vp_grow_array(&r->body, &r->bodies, bodies, sizeof *r->body, "bodies to record", error);
    if (status == VP_OK)
        status = vp_grow_array(&r->contact, &r->contacts, contacts, sizeof *r->contact, "contacts to record", error);
    vp_sim_contact *all = malloc((contacts + (size_t)1) * sizeof *all);
    if (status == VP_OK && all == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory to record %u contacts", contacts);
    if (status == VP_OK)
        vp_sim_contacts(sim, all);
    for (uint32_t i = 0; i < contacts && status == VP_OK; i++) {
        const vp_sim_contact *c = &all[i];
        r->contact[i] = (vp_recorded_contact){.body = c->body,
                                              .other = c->other != VP_SIM_GROUND ? c->other : VP_BODIES_RECORD_GROUND,
                                              .point = {c->point[0], c->point[1], c->point[2]},
                                              .normal = {c->normal[0], c->normal[1], c->normal[2]},
                                              .depth = c->depth};
    }
    free(all);
    for (uint32_t i = 0; i < bodies && status == VP_OK; i++) {
        const vp_sim_body b = vp_sim_body_of(sim, i);
        if (b.lost)
            continue;
        r->body[shown++] = (vp_recorded_body){.id = i,
                                              .shape = r->shape[i],
                                              .position = {b.position[0], b.position[1], b.position[2]},
                                              .rotation = {b.rotation[0], b.rotation[1], b.rotation[2], b.rotation[3]},
                                              .state = b.awake ? VP_BODY_AWAKE : VP_BODY_ASLEEP};
    }
    if (status != VP_OK)
        return status;
    return vp_bodies_record_step(
        &r->to, &(vp_bodies_record_now){r->body, shown, r->contact, contacts, (const double[]){s->energy, s->lowest}}, error);
}

vp_status vp_sim_record_begin(vp_sim_recording *r, const char *path, const char *source, double step, const vp_sim_ground *ground,
                              const vp_sim *sim, vp_error *error)
{
    static const char *const figures[] = {"energy", "lowest"};
    vp_looks looks;
    uint64_t of[256] = {0};
    VP_RETURN_IF_FAILED(vp_record_of_command(path, "simulate", source, (vp_record_about){.seconds = step}, &r->writer, error));
    if (ground->world != NULL)
        vp_count_materials(ground->world, of);
    if (ground->is_blocks)
        vp_bodies_looks_of_blocks(&ground->held.view, &looks);
    else
        vp_looks_of(ground->note.bytes != NULL ? (const char *)ground->note.bytes : "", &looks);
    vp_bodies_record_begin(&(vp_bodies_record_def){.to = vp_record_writer_recorder(r->writer),
                                                   .normal_length = 0.5,
                                                   .figure = figures,
                                                   .figure_count = sizeof figures / sizeof figures[0],
                                                   .looks = &looks,
                                                   .has_water = of[VP_WATER] != 0},
                           &r->to);
    if (ground->is_blocks)
        VP_RETURN_IF_FAILED(vp_bodies_record_blocks(&r->to, &ground->held.view, error));
    else if (ground->world != NULL)
        VP_RETURN_IF_FAILED(vp_bodies_record_world(&r->to, ground->world, NULL, error));
    VP_RETURN_IF_FAILED(add_shapes(r, sim, 0, error));
    r->known = vp_sim_body_count(sim);
    return add_frame(r, sim, error);
}

vp_status vp_sim_record_edit(vp_sim_recording *r, const vp_sim_ground *ground, const vp_sim *sim, vp_error *error)
{
    if (r->writer == NULL)
        return VP_OK;
    VP_RETURN_IF_FAILED(vp_bodies_record_world(&r->to, ground->world, vp_sim_changed(sim), error));
    VP_RETURN_IF_FAILED(add_shapes(r, sim, r->known, error));
    r->known = vp_sim_body_count(sim);
    return VP_OK;
}

vp_status vp_sim_record_step(vp_sim_recording *r, const vp_sim *sim, vp_error *error)
{
    return r->writer != NULL ? add_frame(r, sim, error) : VP_OK;
}

vp_status vp_sim_record_end(vp_sim_recording *r, vp_error *error)
{
    vp_record_writer *writer = r->writer;
    r->writer = NULL;
    return writer != NULL ? vp_record_writer_close(writer, &r->written, NULL, error) : VP_OK;
}

void vp_sim_record_drop(vp_sim_recording *r)
{
    vp_record_writer_drop(r->writer);
    vp_bodies_record_end(&r->to);
    free(r->shape);
    free(r->body);
    free(r->contact);
}
