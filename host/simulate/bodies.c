/* SPDX-License-Identifier: MIT */
/* The simulation object: ground, bodies, steps. */
#include "host/simulate/simulate.h"

#include <stdlib.h>

#include "host/program.h"
#include "host/simulate/state.h"

static const double most_speed = 1000.0; /* limit for new bodies, voxels/s and radians/s */
static const double far_away = 1048576.0;

/* ---- creation ---- */

static vp_status check_number(const char *name, double value, double low, double high, vp_error *error)
{
    if (value >= low && value <= high)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "%s is %g; must be from %s to %s", name, value, vp_show_limit(low).text, vp_show_limit(high).text);
}

static vp_status check_vector(const char *name, const double v[3], double most, vp_error *error)
{
    for (int i = 0; i < 3; i++)
        VP_RETURN_IF_FAILED(check_number(name, v[i], -most, most, error));
    return VP_OK;
}

static vp_status check_def(const vp_sim_def *def, vp_error *error)
{
    if (def->terrain != NULL && def->blocks != NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the ground is a terrain or blocks, not both");
    if (def->substeps < 1 || def->substeps > VP_SIM_SUBSTEPS)
        return vp_fail(error, VP_E_ARGUMENT, "substeps is %u; must be from 1 to %d", def->substeps, VP_SIM_SUBSTEPS);
    VP_RETURN_IF_FAILED(check_number("step", def->step, 1.0 / 1024, 1.0 / 8, error));
    VP_RETURN_IF_FAILED(check_number("gravity", def->gravity, 0, 1000, error));
    VP_RETURN_IF_FAILED(check_number("water", def->water, 0, 1000, error));
    VP_RETURN_IF_FAILED(check_number("friction", def->friction, 0, 100, error));
    VP_RETURN_IF_FAILED(check_number("restitution", def->restitution, 0, 1, error));
    return check_number("reuse", def->reuse, 0, VP_SIM_MOST_REUSE, error);
}

static vp_status begin_contacts(vp_sim *sim, vp_error *error)
{
    const vp_terrain_reader *reader = &sim->reader;
    if (sim->def.terrain == NULL)
        return VP_OK;
    vp_terrain_acquire_reader(sim->def.terrain, &sim->reader);
    const vp_dims chunks = vp_world_chunks(vp_terrain_reader_world(reader));
    vp_terrain_release_reader(&sim->reader);
    VP_RETURN_IF_FAILED(
        vp_contacts_create(&(vp_contacts_def){.broadphase = vp_terrain_broadphase(sim->def.terrain)}, &sim->contacts, error));
    return vp_chunk_set_create(chunks, NULL, &sim->stale, error);
}

static vp_status begin_tasks(vp_sim *sim, vp_error *error)
{
    sim->tasks = sim->executor.thread_count < VP_SIM_TASKS ? sim->executor.thread_count : VP_SIM_TASKS;
    for (uint32_t i = 0; i < sim->tasks; i++) {
        sim_task *t = &sim->task[i];
        t->scratch = (vp_manifold_scratch){malloc(vp_manifold_scratch_bytes(VP_SIM_TRIANGLES)), VP_SIM_TRIANGLES, 0};
        if (t->scratch.memory == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for the triangles of %u tasks", sim->tasks);
    }
    return VP_OK;
}

vp_status vp_sim_create(const vp_sim_def *def, vp_sim **out, vp_error *error)
{
    VP_RETURN_IF_FAILED(check_def(def, error));
    vp_sim *sim = calloc(1, sizeof *sim);
    if (sim == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a simulation");
    sim->def = *def;
    sim->executor = def->executor != NULL ? *def->executor : vp_executor_serial();
    vp_status status = VP_OK;
    if (def->kernels != NULL)
        sim->kernels = *def->kernels;
    else
        status = vp_kernels_default(&sim->kernels, error);
    if (status == VP_OK)
        status = vp_spheretree_create(&(vp_spheretree_def){.form = VP_SPHERETREE_WIDE, .kernels = &sim->kernels}, &sim->tree, error);
    if (status == VP_OK)
        status = begin_contacts(sim, error);
    if (status == VP_OK)
        status = begin_tasks(sim, error);
    if (status == VP_OK)
        *out = sim;
    else
        vp_sim_destroy(sim);
    return status;
}

void vp_sim_destroy(vp_sim *sim)
{
    if (sim == NULL)
        return;
    for (uint32_t i = 0; i < VP_SIM_TASKS; i++)
        free(sim->task[i].scratch.memory);
    for (uint32_t i = 0; i < sim->shapes; i++)
        vp_collide_hull_destroy(&sim->shape[i].solid);
    vp_contacts_destroy(sim->contacts);
    vp_chunk_set_destroy(&sim->stale);
    vp_spheretree_destroy(sim->tree);
    free(sim->body);
    free(sim->shape);
    free(sim->shape_of_leaf);
    free(sim->now.contact);
    free(sim->now.point);
    free(sim->before.contact);
    free(sim->before.point);
    free(sim->pair);
    free(sim->ground);
    free(sim->found);
    free(sim->pair_manifold);
    free(sim->ground_manifold);
    free(sim->kept);
    free(sim->kept_before);
    free(sim->cache);
    free(sim->joint);
    free(sim->island);
    free(sim->island_body);
    free(sim->island_contact);
    free(sim);
}

/* ---- bodies ---- */

static vp_status check_body(const vp_sim_body_def *def, vp_error *error)
{
    const double *const q = def->rotation;
    VP_RETURN_IF_FAILED(check_vector("position", def->position, far_away, error));
    VP_RETURN_IF_FAILED(check_vector("velocity", def->velocity, most_speed, error));
    VP_RETURN_IF_FAILED(check_vector("spin", def->spin, most_speed, error));
    VP_RETURN_IF_FAILED(check_number("density", def->density, 1e-3, 1e6, error));
    VP_RETURN_IF_FAILED(check_number("friction", def->friction, 0, 100, error));
    VP_RETURN_IF_FAILED(check_number("restitution", def->restitution, 0, 1, error));
    VP_RETURN_IF_FAILED(check_number("rolling", def->rolling, 0, 100, error));
    return check_number("the rotation's squared length", ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3], 1e-6, 1e6, error);
}

/* Adds a body's shapes to the sphere tree and the array. After a failure some may be missing, so the caller destroys the simulation. */
static vp_status add_leaves(vp_sim *sim, const sim_body *b, uint32_t number, const vp_collide_shape *shape, vp_collide_owned_hull *solid,
                            uint32_t count, vp_error *error)
{
    vp_status status = vp_grow_array(&sim->shape, &sim->shape_room, (size_t)sim->shapes + count, sizeof *sim->shape, "elements", error);
    for (uint32_t i = 0; i < sim->shapes; i++) /* the array may have moved */
        if (sim->shape[i].shape.kind == VP_COLLIDE_HULL)
            sim->shape[i].shape.hull = &sim->shape[i].solid.hull;
    for (uint32_t i = 0; i < count && status == VP_OK; i++) {
        sim_shape *s = &sim->shape[sim->shapes];
        const vp_spheretree_object object = {{b->pose.position, vp_collide_radius(&shape[i]) + 1.0f}, sim->shapes, 1, 0};
        *s = (sim_shape){.shape = shape[i], .body = number};
        status = vp_spheretree_insert(sim->tree, &object, &s->leaf, error);
        if (status == VP_OK)
            status =
                vp_grow_array(&sim->shape_of_leaf, &sim->leaf_room, (size_t)s->leaf + 1, sizeof *sim->shape_of_leaf, "elements", error);
        if (status != VP_OK)
            return status;
        sim->shape_of_leaf[s->leaf] = sim->shapes++;
        if (solid != NULL) {
            s->solid = solid[i];
            s->shape.hull = &s->solid.hull;
            solid[i] = (vp_collide_owned_hull){0};
        }
    }
    return status;
}

/* Radius of the largest ball about the position within a shape. 0 for a hull, whose is unknown. */
static double inner_radius(const vp_collide_shape *s)
{
    switch (s->kind) {
    case VP_COLLIDE_BOX:
        return (double)vp_min(vp_min(s->half.x, s->half.y), s->half.z);
    case VP_COLLIDE_CYLINDER:
        return (double)vp_min(s->radius, s->half_height);
    case VP_COLLIDE_HULL:
        return 0;
    default:
        return (double)s->radius;
    }
}

vp_status vp_sim_add_shapes(vp_sim *sim, const vp_sim_body_def *def, const vp_mass *mass, const vp_collide_shape *shape,
                            vp_collide_owned_hull *solid, uint32_t count, uint32_t *number, vp_error *error)
{
    VP_RETURN_IF_FAILED(check_body(def, error));
    if (sim->bodies == VP_SIM_BODIES)
        return vp_fail(error, VP_E_LIMIT, "more than %d bodies", VP_SIM_BODIES);
    VP_RETURN_IF_FAILED(vp_grow_array(&sim->body, &sim->body_room, (size_t)sim->bodies + 1, sizeof *sim->body, "elements", error));
    sim_body b = {.position = {def->position[0], def->position[1], def->position[2]},
                  .velocity = {def->velocity[0], def->velocity[1], def->velocity[2]},
                  .spin = {def->spin[0], def->spin[1], def->spin[2]},
                  .mass = mass->mass,
                  .inverse_mass = 1.0 / mass->mass,
                  .friction = def->friction,
                  .restitution = def->restitution,
                  .rolling = def->rolling,
                  .first_shape = sim->shapes,
                  .shapes = count};
    memcpy(b.rotation, def->rotation, sizeof b.rotation);
    normalize(b.rotation);
    memcpy(b.inertia.m, mass->inertia, sizeof b.inertia.m);
    b.inverse_inertia = sym3_inverse(&b.inertia);
    const double *in = b.inertia.m;
    b.is_round = in[0] == in[1] && in[1] == in[2] && in[3] == 0 && in[4] == 0 && in[5] == 0;
    b.pose =
        (vp_pose){vp_real3_rounded(b.position), {(float)b.rotation[0], (float)b.rotation[1], (float)b.rotation[2], (float)b.rotation[3]}};
    for (uint32_t i = 0; i < count; i++)
        b.radius = vp_double_max(b.radius, (double)vp_collide_radius(&shape[i]));
    b.inner = count == 1 ? inner_radius(shape) : 0;
    b.low = b.position.y - b.radius;
    const vp_aabb box = {b.pose.position, b.pose.position};
    vp_status status = VP_OK;
    if (sim->contacts != NULL) {
        vp_terrain_acquire_reader(sim->def.terrain, &sim->reader);
        status = vp_contacts_add(sim->contacts, &box, &b.object, error);
        vp_terrain_release_reader(&sim->reader);
    }
    if (status == VP_OK)
        status = add_leaves(sim, &b, sim->bodies, shape, solid, count, error);
    if (status != VP_OK)
        return status;
    *number = sim->bodies;
    sim->body[sim->bodies++] = b;
    return VP_OK;
}

vp_status vp_sim_add(vp_sim *sim, const vp_sim_body_def *def, uint32_t *body, vp_error *error)
{
    vp_mass mass;
    VP_RETURN_IF_FAILED(def->shape.kind == VP_COLLIDE_HULL ? vp_fail(error, VP_E_ARGUMENT, "a hull is not a shape of a new body")
                                                           : vp_collide_shape_check(&def->shape, error));
    VP_RETURN_IF_FAILED(check_body(def, error));
    VP_RETURN_IF_FAILED(vp_mass_of_shape(&def->shape, def->density, &mass, error));
    if (mass.mass <= 0)
        return vp_fail(error, VP_E_ARGUMENT, "the shape has no volume");
    return vp_sim_add_shapes(sim, def, &mass, &def->shape, NULL, 1, body, error);
}

/* ---- steps ---- */

static vp_status lose(vp_sim *sim, sim_body *b, vp_error *error)
{
    VP_RETURN_IF_FAILED(sim->contacts != NULL ? vp_contacts_remove(sim->contacts, b->object, error) : VP_OK);
    for (uint32_t i = 0; i < b->shapes; i++)
        VP_RETURN_IF_FAILED(vp_spheretree_remove(sim->tree, sim->shape[b->first_shape + i].leaf, error));
    b->lost = true;
    b->asleep = ++sim->sleepers;
    b->velocity = b->spin = (vp_real3){0, 0, 0};
    return VP_OK;
}

static double energy_of(const vp_sim *sim, const sim_body *b)
{
    const axes3 axes = axes_of(b->rotation);
    const vp_real3 spin = to_body(&axes, b->spin);
    const double moving = vp_real3_dot(b->velocity, b->velocity) * b->mass + vp_real3_dot(spin, sym3_times(&b->inertia, spin));
    return moving / 2 + b->mass * sim->def.gravity * b->position.y;
}

static vp_status end_step(vp_sim *sim, vp_error *error)
{
    vp_sim_stats *s = &sim->stats;
    vp_status status = VP_OK;
    bool any = false;
    vp_sim_sleep(sim);
    for (uint32_t i = 0; i < sim->bodies && status == VP_OK; i++) {
        sim_body *b = &sim->body[i];
        if (!b->lost && b->position.y < VP_SIM_LOWEST)
            status = lose(sim, b, error);
        s->lost += b->lost;
        s->awake += b->asleep == 0;
        if (b->lost)
            continue;
        s->energy += energy_of(sim, b);
        s->lowest = any ? vp_double_min(s->lowest, b->low) : b->low;
        any = true;
    }
    s->bodies = sim->bodies;
    s->islands = sim->islands;
    return status;
}

vp_status vp_sim_advance(vp_sim *sim, double seconds, bool *ended, vp_error *error)
{
    static const struct {
        sim_part_fn *run;
        size_t seconds;
    } all[] = {{vp_sim_find_bounds, offsetof(vp_sim_times, broadphase)},
               {vp_sim_touch_pairs, offsetof(vp_sim_times, pairs)},
               {vp_sim_begin_ground, offsetof(vp_sim_times, ground)},
               {vp_sim_meet_terrain, offsetof(vp_sim_times, ground)},
               {vp_sim_touch_ground, offsetof(vp_sim_times, ground)},
               {vp_sim_make_islands, offsetof(vp_sim_times, solve)},
               {vp_sim_solve, offsetof(vp_sim_times, solve)},
               {end_step, offsetof(vp_sim_times, sleep)}};
    enum { PARTS = sizeof all / sizeof all[0] };
    vp_status status = VP_OK;
    double begin = vp_seconds();
    sim->until = begin + seconds;
    if (!vp_sim_is_in_step(sim)) {
        sim->stats = (vp_sim_stats){.seconds.edits = sim->edit_seconds};
        sim->edit_seconds = 0;
    }
    do {
        const uint32_t part = sim->part;
        const bool reads = sim->def.terrain != NULL && all[part].run != end_step;
        if (reads)
            vp_terrain_acquire_reader(sim->def.terrain, &sim->reader);
        status = all[part].run(sim, error);
        if (reads)
            vp_terrain_release_reader(&sim->reader);
        const double now = vp_seconds();
        *(double *)((char *)&sim->stats.seconds + all[part].seconds) += now - begin;
        begin = now;
        sim->part = sim->at == 0 ? (part + 1) % PARTS : part;
    } while (status == VP_OK && vp_sim_is_in_step(sim) && begin < sim->until);
    *ended = !vp_sim_is_in_step(sim);
    if (*ended)
        sim->last = sim->stats;
    return status;
}

vp_status vp_sim_step(vp_sim *sim, vp_error *error)
{
    bool ended;
    return vp_sim_advance(sim, INFINITY, &ended, error);
}

bool vp_sim_is_in_step(const vp_sim *sim)
{
    return sim->part != 0 || sim->at != 0;
}

/* ---- queries ---- */

uint32_t vp_sim_body_count(const vp_sim *sim)
{
    return sim->bodies;
}

vp_sim_body vp_sim_body_of(const vp_sim *sim, uint32_t number)
{
    const sim_body *b = &sim->body[number];
    vp_sim_body out = {.position = {b->position.x, b->position.y, b->position.z},
                       .velocity = {b->velocity.x, b->velocity.y, b->velocity.z},
                       .spin = {b->spin.x, b->spin.y, b->spin.z},
                       .mass = b->mass,
                       .submerged = b->submerged,
                       .low = b->low,
                       .shapes = b->shapes,
                       .awake = b->asleep == 0,
                       .lost = b->lost};
    memcpy(out.rotation, b->rotation, sizeof out.rotation);
    return out;
}

const vp_sim_stats *vp_sim_stats_of(const vp_sim *sim)
{
    return &sim->last;
}

const vp_collide_shape *vp_sim_shape_of(const vp_sim *sim, uint32_t number, uint32_t i)
{
    return &sim->shape[sim->body[number].first_shape + i].shape;
}

const vp_spheretree *vp_sim_tree(const vp_sim *sim)
{
    return sim->tree;
}

uint32_t vp_sim_contact_count(const vp_sim *sim)
{
    return sim->now.points;
}

void vp_sim_contacts(const vp_sim *sim, vp_sim_contact *out)
{
    for (uint32_t i = 0; i < sim->now.count; i++) {
        const sim_contact *c = &sim->now.contact[i];
        const vp_real3 from = vp_real3_of(sim->body[c->body[0]].pose.position);
        for (uint32_t k = 0; k < c->count; k++) {
            const sim_point *p = &sim->now.point[c->first + k];
            const vp_real3 at = vp_real3_add(from, p->arm[0]);
            *out++ = (vp_sim_contact){c->body[0], c->body[1], {at.x, at.y, at.z}, {p->normal.x, p->normal.y, p->normal.z}, -p->separation};
        }
    }
}

const vp_chunk_set *vp_sim_changed(const vp_sim *sim)
{
    return &sim->stale;
}

void vp_sim_state(const vp_sim *sim, double *out)
{
    for (uint32_t i = 0; i < sim->bodies; i++) {
        const sim_body *b = &sim->body[i];
        const double state[VP_SIM_STATE_DOUBLES] = {b->position.x,  b->position.y,  b->position.z, b->rotation[0], b->rotation[1],
                                                    b->rotation[2], b->rotation[3], b->velocity.x, b->velocity.y,  b->velocity.z,
                                                    b->spin.x,      b->spin.y,      b->spin.z,     b->asleep == 0};
        memcpy(out + (size_t)i * VP_SIM_STATE_DOUBLES, state, sizeof state);
    }
}
