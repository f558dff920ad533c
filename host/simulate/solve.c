/* SPDX-License-Identifier: MIT */
/* Islands, impulses, and sleep. Each island is solved on its own, in the order of its bodies and contacts. */
#include "host/simulate/state.h"

#include "src/core/inline.h"

static const double slop = 0.005;                   /* permitted penetration, voxels */
static const double most_push = 4.0;                /* speed at which bodies are pushed apart, voxels/s */
static const double stiffness = 30.0;               /* contacts between bodies, hertz. Twice as stiff on the ground */
static const double damping = 10.0;                 /* damping ratio */
static const double bounce_speed = 1.0;             /* slower bodies do not bounce, voxels/s */
static const double most_turn = 0.7853981633974483; /* per small step, radians */
static const double slow = 0.05, quiet_time = 0.5;
static const double pi = 3.141592653589793;

/* ---- islands ---- */

static uint32_t find_root(sim_body *body, uint32_t i)
{
    while (body[i].parent != i) {
        body[i].parent = body[body[i].parent].parent;
        i = body[i].parent;
    }
    return i;
}

/* The root of an island is its lowest body, so islands come in the order of their lowest bodies. */
static void unite(sim_body *body, uint32_t a, uint32_t b)
{
    const uint32_t x = find_root(body, a), y = find_root(body, b);
    body[x < y ? y : x].parent = x < y ? x : y;
}

static bool is_solved(const vp_sim *sim, const sim_contact *c)
{
    return sim->body[c->body[0]].asleep == 0;
}

static void number_islands(vp_sim *sim)
{
    sim_body *body = sim->body;
    for (uint32_t i = 0; i < sim->bodies; i++)
        body[i].parent = i;
    for (uint32_t i = 0; i < sim->now.count; i++) {
        const sim_contact *c = &sim->now.contact[i];
        if (is_solved(sim, c) && c->body[1] != VP_SIM_GROUND)
            unite(body, c->body[0], c->body[1]);
    }
    sim->islands = 0;
    for (uint32_t i = 0; i < sim->bodies; i++)
        if (body[i].asleep == 0) {
            const uint32_t root = find_root(body, i);
            if (root == i) {
                body[i].island = sim->islands;
                sim->island[sim->islands++] = (sim_island){0};
            }
            body[i].island = body[root].island;
            sim->island[body[i].island].bodies++;
        }
    for (uint32_t i = 0; i < sim->now.count; i++)
        if (is_solved(sim, &sim->now.contact[i]))
            sim->island[body[sim->now.contact[i].body[0]].island].contacts++;
}

static vp_status make_islands(vp_sim *sim, vp_error *error)
{
    vp_status status = vp_grow_array(&sim->island, &sim->island_room, sim->bodies, sizeof *sim->island, "elements", error);
    if (status == VP_OK)
        status = vp_grow_array(&sim->island_body, &sim->island_body_room, sim->bodies, sizeof *sim->island_body, "elements", error);
    if (status == VP_OK)
        status = vp_grow_array(&sim->island_contact, &sim->island_contact_room, (size_t)sim->now.count + 1, sizeof *sim->island_contact,
                               "elements", error);
    if (status != VP_OK)
        return status;
    number_islands(sim);
    uint32_t bodies = 0, contacts = 0;
    for (uint32_t i = 0; i < sim->islands; i++) {
        sim_island *s = &sim->island[i];
        s->first_body = bodies;
        s->first_contact = contacts;
        bodies += s->bodies;
        contacts += s->contacts;
        s->bodies = s->contacts = 0;
    }
    for (uint32_t i = 0; i < sim->bodies; i++)
        if (sim->body[i].asleep == 0) {
            sim_island *s = &sim->island[sim->body[i].island];
            sim->island_body[s->first_body + s->bodies++] = i;
        }
    for (uint32_t i = 0; i < sim->now.count; i++)
        if (is_solved(sim, &sim->now.contact[i])) {
            sim_island *s = &sim->island[sim->body[sim->now.contact[i].body[0]].island];
            sim->island_contact[s->first_contact + s->contacts++] = i;
        }
    return VP_OK;
}

/* ---- one contact ---- */

typedef struct softness {
    double bias, mass, impulse;
} softness;

/* A damped spring over a small step, solved implicitly. */
static softness softness_of(double hertz, double h)
{
    const double omega = 2 * pi * vp_double_min(hertz, 0.25 / h), a1 = 2 * damping + h * omega, a2 = h * omega * a1, a3 = 1 / (1 + a2);
    return (softness){omega / a1, a2 * a3, a3};
}

static const sim_body ground; /* at rest, with zero inverse mass */

VP_INLINE const sim_body *other_of(const vp_sim *sim, const sim_contact *c)
{
    return c->body[1] != VP_SIM_GROUND ? &sim->body[c->body[1]] : &ground;
}

VP_INLINE void push_body(sim_body *b, vp_real3 arm, vp_real3 impulse, double sign)
{
    b->velocity = vp_real3_plus(b->velocity, impulse, sign * b->inverse_mass);
    b->spin = vp_real3_plus(b->spin, sym3_times(&b->inverse_inertia_world, vp_real3_cross(arm, impulse)), sign);
}

VP_INLINE void push(vp_sim *sim, const sim_contact *c, const sim_point *p, vp_real3 impulse)
{
    push_body(&sim->body[c->body[0]], p->arm[0], impulse, 1);
    if (c->body[1] != VP_SIM_GROUND)
        push_body(&sim->body[c->body[1]], p->arm[1], impulse, -1);
}

VP_INLINE void push_roll(vp_sim *sim, const sim_contact *c, vp_real3 impulse)
{
    sim_body *a = &sim->body[c->body[0]], *b = c->body[1] != VP_SIM_GROUND ? &sim->body[c->body[1]] : NULL;
    a->spin = vp_real3_add(a->spin, sym3_times(&a->inverse_inertia_world, impulse));
    if (b != NULL)
        b->spin = vp_real3_sub(b->spin, sym3_times(&b->inverse_inertia_world, impulse));
}

/* Velocity of a at the point, relative to b. The ground's is 0. */
VP_INLINE vp_real3 velocity_at(const sim_body *a, const sim_body *b, const sim_point *p)
{
    const vp_real3 of_a = vp_real3_add(a->velocity, vp_real3_cross(a->spin, p->arm[0]));
    return b == &ground ? of_a : vp_real3_sub(of_a, vp_real3_add(b->velocity, vp_real3_cross(b->spin, p->arm[1])));
}

/* Likewise, the way since the start of the step. */
VP_INLINE vp_real3 way_at(const sim_body *a, const sim_body *b, const sim_point *p)
{
    const vp_real3 of_a = vp_real3_add(a->moved, vp_real3_cross(a->turned, p->arm[0]));
    return b == &ground ? of_a : vp_real3_sub(of_a, vp_real3_add(b->moved, vp_real3_cross(b->turned, p->arm[1])));
}

VP_INLINE double mass_along(const sim_body *a, const sim_body *b, const sim_point *p, vp_real3 d)
{
    const vp_real3 x = vp_real3_cross(p->arm[0], d), y = vp_real3_cross(p->arm[1], d);
    const double k = (a->inverse_mass + b->inverse_mass) + (vp_real3_dot(x, sym3_times(&a->inverse_inertia_world, x)) +
                                                            vp_real3_dot(y, sym3_times(&b->inverse_inertia_world, y)));
    return 1 / k;
}

static void prepare_contact(vp_sim *sim, const sim_contact *c)
{
    const sim_body *a = &sim->body[c->body[0]], *b = other_of(sim, c);
    for (uint32_t i = 0; i < c->count; i++) {
        sim_point *p = &sim->now.point[c->first + i];
        p->mass[0] = mass_along(a, b, p, p->normal);
        p->mass[1] = mass_along(a, b, p, p->across[0]);
        p->mass[2] = mass_along(a, b, p, p->across[1]);
        p->speed = vp_real3_dot(velocity_at(a, b, p), p->normal);
        p->most = 0;
        p->friction = vp_real3_add(vp_real3_scale(p->across[0], vp_real3_dot(p->friction, p->across[0])),
                                   vp_real3_scale(p->across[1], vp_real3_dot(p->friction, p->across[1])));
    }
}

static void warm_start(vp_sim *sim, const sim_contact *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const sim_point *p = &sim->now.point[c->first + i];
        push(sim, c, p, vp_real3_plus(p->friction, p->normal, p->impulse));
    }
    push_roll(sim, c, c->roll);
}

VP_INLINE void solve_normal(vp_sim *sim, const sim_contact *c, sim_point *p, double h, const softness *soft)
{
    const sim_body *a = &sim->body[c->body[0]], *b = other_of(sim, c);
    const double s = p->separation + vp_real3_dot(way_at(a, b, p), p->normal), speed = vp_real3_dot(velocity_at(a, b, p), p->normal);
    double bias = 0, mass = 1, impulse = 0;
    if (s > 0) {
        bias = s / h;
    } else if (soft != NULL) {
        bias = vp_double_max(soft->bias * vp_double_min(s + slop, 0), -most_push);
        mass = soft->mass;
        impulse = soft->impulse;
    }
    const double old = p->impulse;
    p->impulse = vp_double_max(old - p->mass[0] * mass * (speed + bias) - impulse * old, 0);
    p->most = vp_double_max(p->most, p->impulse);
    push(sim, c, p, vp_real3_scale(p->normal, p->impulse - old));
}

VP_INLINE void solve_friction(vp_sim *sim, const sim_contact *c, sim_point *p)
{
    const sim_body *a = &sim->body[c->body[0]], *b = other_of(sim, c);
    const vp_real3 velocity = velocity_at(a, b, p), old = p->friction;
    vp_real3 next = vp_real3_plus(old, p->across[0], -p->mass[1] * vp_real3_dot(velocity, p->across[0]));
    next = vp_real3_plus(next, p->across[1], -p->mass[2] * vp_real3_dot(velocity, p->across[1]));
    p->friction = limit_length(next, c->friction * p->impulse);
    push(sim, c, p, vp_real3_sub(p->friction, old));
}

static double trace(const sym3 *s)
{
    return (s->m[0] + s->m[1]) + s->m[2];
}

/* Rolling resistance. The ground's reaction acts at most `rolling` voxels away from the middle of a rolling body. */
static void solve_rolling(vp_sim *sim, sim_contact *c)
{
    const sim_body *a = &sim->body[c->body[0]], *b = other_of(sim, c);
    double normal = 0;
    if (c->rolling <= 0)
        return;
    for (uint32_t i = 0; i < c->count; i++)
        normal += sim->now.point[c->first + i].impulse;
    const double mass = 1 / (trace(&a->inverse_inertia_world) + trace(&b->inverse_inertia_world));
    const vp_real3 old = c->roll;
    c->roll = limit_length(vp_real3_plus(old, vp_real3_sub(a->spin, b->spin), -mass), c->rolling * normal);
    push_roll(sim, c, vp_real3_sub(c->roll, old));
}

static void solve_contact(vp_sim *sim, sim_contact *c, double h, const softness *soft)
{
    for (uint32_t i = 0; i < c->count; i++)
        solve_normal(sim, c, &sim->now.point[c->first + i], h, soft);
    for (uint32_t i = 0; i < c->count; i++)
        solve_friction(sim, c, &sim->now.point[c->first + i]);
    solve_rolling(sim, c);
}

/* Restitution, after all small steps. */
static void bounce(vp_sim *sim, const sim_contact *c)
{
    const sim_body *a = &sim->body[c->body[0]], *b = other_of(sim, c);
    for (uint32_t i = 0; i < c->count && c->restitution > 0; i++) {
        sim_point *p = &sim->now.point[c->first + i];
        if (p->speed > -bounce_speed || p->most <= 0)
            continue;
        const double old = p->impulse, speed = vp_real3_dot(velocity_at(a, b, p), p->normal);
        p->impulse = vp_double_max(old - p->mass[0] * (speed + c->restitution * p->speed), 0);
        push(sim, c, p, vp_real3_scale(p->normal, p->impulse - old));
    }
}

/* ---- one body ---- */

/* Torque-free rotation by one implicit step (E. Catto, "Numerical Methods", GDC 2015). It never adds energy. */
static void precess(sim_body *b, double h)
{
    const axes3 axes = axes_of(b->rotation);
    const vp_real3 w = to_body(&axes, b->spin), l = sym3_times(&b->inertia, w), f = vp_real3_scale(vp_real3_cross(w, l), h);
    const double *m = b->inertia.m;
    const vp_real3 column[3] = {{m[0], m[3], m[5]}, {m[3], m[1], m[4]}, {m[5], m[4], m[2]}};
    const vp_real3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vp_real3 j[3];
    for (int i = 0; i < 3; i++)
        j[i] = vp_real3_plus(column[i], vp_real3_sub(vp_real3_cross(w, column[i]), vp_real3_cross(l, unit[i])), h);
    const vp_real3 bc = vp_real3_cross(j[1], j[2]);
    const double d = vp_real3_dot(j[0], bc);
    if (d <= 0)
        return;
    const vp_real3 by = {vp_real3_dot(f, bc) / d, vp_real3_dot(j[0], vp_real3_cross(f, j[2])) / d,
                         vp_real3_dot(j[0], vp_real3_cross(j[1], f)) / d};
    b->spin = to_world(&axes, vp_real3_sub(w, by));
}

static void accelerate(const vp_sim *sim, sim_body *b, double h)
{
    const double kept = 1 / (1 + h * b->drag);
    b->velocity = vp_real3_plus(b->velocity, b->force, h * b->inverse_mass);
    b->velocity.y -= h * sim->def.gravity;
    b->spin = vp_real3_plus(b->spin, sym3_times(&b->inverse_inertia_world, b->torque), h);
    precess(b, h);
    b->velocity = limit_length(vp_real3_scale(b->velocity, kept),
                               1 / sim->def.step); /* at most one voxel per step, so that no body passes the ground */
    b->spin = limit_length(vp_real3_scale(b->spin, kept), most_turn / h);
}

static void move(sim_body *b, double h)
{
    b->moved = vp_real3_plus(b->moved, b->velocity, h);
    b->turned = vp_real3_plus(b->turned, b->spin, h);
    b->position = vp_real3_plus(b->position, b->velocity, h);
    turn(b->rotation, vp_real3_scale(b->spin, h));
}

/* ---- one island ---- */

static vp_status solve_island(vp_sim *sim, sim_task *task, uint32_t i, vp_error *error)
{
    const sim_island *s = &sim->island[i];
    const uint32_t *body = sim->island_body + s->first_body, *contact = sim->island_contact + s->first_contact;
    const double h = sim->def.step / sim->def.substeps;
    const softness between = softness_of(stiffness, h), on_ground = softness_of(2 * stiffness, h);
    (void)task;
    (void)error;
    for (uint32_t k = 0; k < s->bodies; k++) {
        sim_body *b = &sim->body[body[k]];
        const axes3 axes = axes_of(b->rotation);
        b->inverse_inertia_world = sym3_to_world(&axes, &b->inverse_inertia);
        b->moved = b->turned = (vp_real3){0, 0, 0};
    }
    for (uint32_t k = 0; k < s->contacts; k++)
        prepare_contact(sim, &sim->now.contact[contact[k]]);
    for (uint32_t step = 0; step < sim->def.substeps; step++) {
        for (uint32_t k = 0; k < s->bodies; k++)
            accelerate(sim, &sim->body[body[k]], h);
        for (uint32_t k = 0; k < s->contacts; k++)
            warm_start(sim, &sim->now.contact[contact[k]]);
        for (uint32_t k = 0; k < s->contacts; k++) {
            sim_contact *c = &sim->now.contact[contact[k]];
            solve_contact(sim, c, h, c->body[1] != VP_SIM_GROUND ? &between : &on_ground);
        }
        for (uint32_t k = 0; k < s->bodies; k++)
            move(&sim->body[body[k]], h);
        for (uint32_t k = 0; k < s->contacts; k++) /* removes the speed that pushing out added */
            solve_contact(sim, &sim->now.contact[contact[k]], h, NULL);
    }
    for (uint32_t k = 0; k < s->contacts; k++)
        bounce(sim, &sim->now.contact[contact[k]]);
    return VP_OK;
}

vp_status vp_sim_solve(vp_sim *sim, vp_error *error)
{
    const vp_status status = make_islands(sim, error);
    return status == VP_OK ? vp_sim_for(sim, sim->islands, solve_island, error) : status;
}

/* ---- sleep ---- */

void vp_sim_sleep(vp_sim *sim)
{
    for (uint32_t i = 0; i < sim->islands; i++) {
        const sim_island *s = &sim->island[i];
        double least = quiet_time;
        for (uint32_t k = 0; k < s->bodies; k++) {
            sim_body *b = &sim->body[sim->island_body[s->first_body + k]];
            const bool is_slow = vp_real3_length(b->velocity) < slow && vp_real3_length(b->spin) * b->radius < slow;
            b->quiet = is_slow ? b->quiet + sim->def.step : 0;
            least = vp_double_min(least, b->quiet);
        }
        if (least < quiet_time || sim->def.restless)
            continue;
        sim->sleepers++;
        for (uint32_t k = 0; k < s->bodies; k++) {
            sim_body *b = &sim->body[sim->island_body[s->first_body + k]];
            b->asleep = sim->sleepers;
            b->velocity = b->spin = (vp_real3){0, 0, 0};
            if (sim->contacts != NULL) /* cannot fail, because the object exists */
                vp_contacts_sleep(sim->contacts, b->object, NULL);
        }
        sim->stats.slept += s->bodies;
    }
}
