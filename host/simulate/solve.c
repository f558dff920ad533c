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

vp_status vp_sim_make_islands(vp_sim *sim, vp_error *error)
{
    vp_status status = vp_grow_array(&sim->island, &sim->island_room, sim->bodies, sizeof *sim->island, "elements", error);
    if (status == VP_OK)
        status = vp_grow_array(&sim->island_body, &sim->island_body_room, sim->bodies, sizeof *sim->island_body, "elements", error);
    if (status == VP_OK)
        status = vp_grow_array(&sim->island_contact, &sim->island_contact_room, (size_t)sim->now.count + 1, sizeof *sim->island_contact,
                               "elements", error);
    if (status == VP_OK)
        status = vp_grow_array(&sim->joint, &sim->joint_room, (size_t)sim->now.points + 1, sizeof *sim->joint, "elements", error);
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

/* How two bodies move. The ground's velocity is 0. */
typedef struct velocities {
    vp_real3 velocity, spin;
} velocities;

VP_INLINE velocities velocities_of(const sim_body *b)
{
    return (velocities){b->velocity, b->spin};
}

VP_INLINE void set_velocities(sim_body *b, const velocities *m)
{
    b->velocity = m->velocity;
    b->spin = m->spin;
}

VP_INLINE void push_roll(vp_sim *sim, const sim_contact *c, vp_real3 impulse)
{
    sim_body *a = &sim->body[c->body[0]], *b = c->body[1] != VP_SIM_GROUND ? &sim->body[c->body[1]] : NULL;
    a->spin = vp_real3_add(a->spin, sym3_times(&a->inverse_inertia_world, impulse));
    if (b != NULL)
        b->spin = vp_real3_sub(b->spin, sym3_times(&b->inverse_inertia_world, impulse));
}

/* A motion of body k at the point, along the row. */
VP_INLINE double component_along(const sim_row *r, int k, vp_real3 move, vp_real3 turn)
{
    return vp_real3_dot(r->along, move) + vp_real3_dot(r->arm[k], turn);
}

/* Speed of a at the point along the row, relative to b. */
VP_INLINE double speed_along(const sim_row *r, bool is_pair, const velocities m[2])
{
    const double of_a = component_along(r, 0, m[0].velocity, m[0].spin);
    return is_pair ? of_a - component_along(r, 1, m[1].velocity, m[1].spin) : of_a;
}

VP_INLINE void push(const sim_row *r, bool is_pair, const double inverse_mass[2], double impulse, velocities m[2])
{
    m[0].velocity = vp_real3_plus(m[0].velocity, r->along, impulse * inverse_mass[0]);
    m[0].spin = vp_real3_plus(m[0].spin, r->turn[0], impulse);
    if (!is_pair)
        return;
    m[1].velocity = vp_real3_plus(m[1].velocity, r->along, -impulse * inverse_mass[1]);
    m[1].spin = vp_real3_plus(m[1].spin, r->turn[1], -impulse);
}

static void prepare_row(sim_row *r, vp_real3 along, const sim_body *a, const sim_body *b, const vp_real3 arm[2])
{
    r->along = along;
    r->arm[0] = vp_real3_cross(arm[0], along);
    r->turn[0] = sym3_times(&a->inverse_inertia_world, r->arm[0]);
    double inverse = a->inverse_mass + vp_real3_dot(r->arm[0], r->turn[0]);
    if (b != &ground) {
        r->arm[1] = vp_real3_cross(arm[1], along);
        r->turn[1] = sym3_times(&b->inverse_inertia_world, r->arm[1]);
        inverse += b->inverse_mass + vp_real3_dot(r->arm[1], r->turn[1]);
    }
    r->mass = 1 / inverse;
}

static void prepare_contact(vp_sim *sim, const sim_contact *c)
{
    const sim_body *a = &sim->body[c->body[0]], *b = other_of(sim, c);
    const velocities m[2] = {velocities_of(a), velocities_of(b)};
    for (uint32_t i = 0; i < c->count; i++) {
        sim_point *p = &sim->now.point[c->first + i];
        sim_joint *j = &sim->joint[c->first + i];
        const vp_real3 across = perpendicular_to(p->normal);
        prepare_row(&j->row[0], p->normal, a, b, p->arm);
        prepare_row(&j->row[1], across, a, b, p->arm);
        prepare_row(&j->row[2], vp_real3_cross(p->normal, across), a, b, p->arm);
        for (int k = 0; k < 2; k++)
            j->friction[k] = vp_real3_dot(p->friction, j->row[1 + k].along);
        j->gap = p->separation;
        p->speed = speed_along(&j->row[0], b != &ground, m);
        p->most = 0;
    }
}

/* Keeps the friction for the next step. */
static void keep_friction(vp_sim *sim, const sim_contact *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const sim_joint *j = &sim->joint[c->first + i];
        sim->now.point[c->first + i].friction =
            vp_real3_plus(vp_real3_scale(j->row[1].along, j->friction[0]), j->row[2].along, j->friction[1]);
    }
}

/* Applies the impulses of the step before. */
VP_INLINE void warm_points(vp_sim *sim, const sim_contact *c, bool is_pair)
{
    sim_body *a = &sim->body[c->body[0]], *b = is_pair ? &sim->body[c->body[1]] : NULL;
    const double inverse_mass[2] = {a->inverse_mass, is_pair ? b->inverse_mass : 0};
    velocities m[2] = {velocities_of(a), is_pair ? velocities_of(b) : (velocities){.velocity = {0, 0, 0}}};
    for (uint32_t i = 0; i < c->count; i++) {
        const sim_joint *j = &sim->joint[c->first + i];
        const double impulse = sim->now.point[c->first + i].impulse;
        if (impulse == 0 && j->friction[0] == 0 && j->friction[1] == 0)
            continue;
        push(&j->row[0], is_pair, inverse_mass, impulse, m);
        push(&j->row[1], is_pair, inverse_mass, j->friction[0], m);
        push(&j->row[2], is_pair, inverse_mass, j->friction[1], m);
    }
    set_velocities(a, &m[0]);
    if (is_pair)
        set_velocities(b, &m[1]);
}

static void warm_start(vp_sim *sim, const sim_contact *c)
{
    if (c->body[1] != VP_SIM_GROUND)
        warm_points(sim, c, true);
    else
        warm_points(sim, c, false);
    push_roll(sim, c, c->roll);
}

/* Renews the gaps after the bodies have moved. */
static void renew_gaps(vp_sim *sim, const sim_contact *c)
{
    const sim_body *a = &sim->body[c->body[0]], *b = other_of(sim, c);
    for (uint32_t i = 0; i < c->count; i++) {
        sim_joint *j = &sim->joint[c->first + i];
        const double way = component_along(&j->row[0], 0, a->moved, a->turned);
        j->gap = sim->now.point[c->first + i].separation + (b == &ground ? way : way - component_along(&j->row[0], 1, b->moved, b->turned));
    }
}

VP_INLINE void solve_normal(sim_point *p, const sim_joint *j, bool is_pair, const double inverse_mass[2], double h, const softness *soft,
                            velocities m[2])
{
    const double s = j->gap, speed = speed_along(&j->row[0], is_pair, m);
    double bias = 0, mass = 1, impulse = 0;
    if (s > 0) {
        bias = s / h;
    } else if (soft != NULL) {
        bias = vp_double_max(soft->bias * vp_double_min(s + slop, 0), -most_push);
        mass = soft->mass;
        impulse = soft->impulse;
    }
    const double old = p->impulse;
    p->impulse = vp_double_max(old - j->row[0].mass * mass * (speed + bias) - impulse * old, 0);
    p->most = vp_double_max(p->most, p->impulse);
    if (p->impulse != old) /* many points are apart, and have no impulses */
        push(&j->row[0], is_pair, inverse_mass, p->impulse - old, m);
}

VP_INLINE void solve_friction(sim_joint *j, bool is_pair, const double inverse_mass[2], double most, velocities m[2])
{
    const double old[2] = {j->friction[0], j->friction[1]};
    if (!(most > 0) && old[0] == 0 && old[1] == 0)
        return;
    double x = old[0] - j->row[1].mass * speed_along(&j->row[1], is_pair, m),
           y = old[1] - j->row[2].mass * speed_along(&j->row[2], is_pair, m);
    const double square = x * x + y * y;
    if (square > most * most) {
        const double part = most / sqrt(square);
        x *= part;
        y *= part;
    }
    j->friction[0] = x;
    j->friction[1] = y;
    push(&j->row[1], is_pair, inverse_mass, x - old[0], m);
    push(&j->row[2], is_pair, inverse_mass, y - old[1], m);
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

VP_INLINE void solve_points(vp_sim *sim, const sim_contact *c, bool is_pair, double h, const softness *soft)
{
    sim_body *a = &sim->body[c->body[0]], *b = is_pair ? &sim->body[c->body[1]] : NULL;
    sim_point *p = sim->now.point + c->first;
    sim_joint *j = sim->joint + c->first;
    const double inverse_mass[2] = {a->inverse_mass, is_pair ? b->inverse_mass : 0};
    velocities m[2] = {velocities_of(a), is_pair ? velocities_of(b) : (velocities){.velocity = {0, 0, 0}}};
    for (uint32_t i = 0; i < c->count; i++)
        solve_normal(&p[i], &j[i], is_pair, inverse_mass, h, soft, m);
    for (uint32_t i = 0; i < c->count; i++)
        solve_friction(&j[i], is_pair, inverse_mass, c->friction * p[i].impulse, m);
    set_velocities(a, &m[0]);
    if (is_pair)
        set_velocities(b, &m[1]);
}

static void solve_contact(vp_sim *sim, sim_contact *c, double h, const softness *soft)
{
    if (c->body[1] != VP_SIM_GROUND)
        solve_points(sim, c, true, h, soft);
    else
        solve_points(sim, c, false, h, soft);
    solve_rolling(sim, c);
}

/* Restitution, after all small steps. */
static void bounce(vp_sim *sim, const sim_contact *c)
{
    sim_body *a = &sim->body[c->body[0]], *b = c->body[1] != VP_SIM_GROUND ? &sim->body[c->body[1]] : NULL;
    const double inverse_mass[2] = {a->inverse_mass, b != NULL ? b->inverse_mass : 0};
    for (uint32_t i = 0; i < c->count && c->restitution > 0; i++) {
        sim_point *p = &sim->now.point[c->first + i];
        const sim_row *r = &sim->joint[c->first + i].row[0];
        velocities m[2] = {velocities_of(a), b != NULL ? velocities_of(b) : (velocities){.velocity = {0, 0, 0}}};
        if (p->speed > -bounce_speed || p->most <= 0)
            continue;
        const double old = p->impulse;
        p->impulse = vp_double_max(old - r->mass * (speed_along(r, b != NULL, m) + c->restitution * p->speed), 0);
        push(r, b != NULL, inverse_mass, p->impulse - old, m);
        set_velocities(a, &m[0]);
        if (b != NULL)
            set_velocities(b, &m[1]);
    }
}

/* ---- one body ---- */

/* Torque-free rotation by one implicit step (E. Catto, "Numerical Methods", GDC 2015). It never adds energy. */
static void precess(sim_body *b, double h)
{
    if (b->is_round)
        return;
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
    if (b->submerged > 0) {
        b->velocity = vp_real3_plus(b->velocity, b->force, h * b->inverse_mass);
        b->spin = vp_real3_plus(b->spin, sym3_times(&b->inverse_inertia_world, b->torque), h);
    }
    b->velocity.y -= h * sim->def.gravity;
    precess(b, h);
    if (b->drag > 0) {
        const double kept = 1 / (1 + h * b->drag);
        b->velocity = vp_real3_scale(b->velocity, kept);
        b->spin = vp_real3_scale(b->spin, kept);
    }
    b->velocity = limit_length(b->velocity, 1 / sim->def.step); /* at most one voxel per step, so that no body passes the ground */
    b->spin = limit_length(b->spin, most_turn / h);
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
        b->inverse_inertia_world = b->is_round ? b->inverse_inertia : sym3_to_world(&axes, &b->inverse_inertia);
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
        for (uint32_t k = 0; k < s->contacts; k++)
            renew_gaps(sim, &sim->now.contact[contact[k]]);
        for (uint32_t k = 0; k < s->contacts; k++) /* removes the speed that pushing out added */
            solve_contact(sim, &sim->now.contact[contact[k]], h, NULL);
    }
    for (uint32_t k = 0; k < s->contacts; k++) {
        bounce(sim, &sim->now.contact[contact[k]]);
        keep_friction(sim, &sim->now.contact[contact[k]]);
    }
    return VP_OK;
}

vp_status vp_sim_solve(vp_sim *sim, vp_error *error)
{
    return vp_sim_for(sim, sim->islands, solve_island, error);
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
