/* SPDX-License-Identifier: MIT */
/* Collision detection: bounds, pairs, manifolds, water, and contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/simulate/state.h"

static const double least_margin = 0.02, most_margin = 1.0;
static const double touching = 0.01;  /* a body nearer than this wakes a sleeping one */
static const double slow = 0.05;      /* a slower body does not, if it only comes near */
static const double water_drag = 2.0; /* 1/s, for a body that is all in water */
enum { PUSH_VOXELS = 16 };

/* ---- bounds ---- */

/* How far a body's spin moves its surface outwards in a step. Round shapes stay in place when they turn about their axes. */
static double turn_of(const vp_sim *sim, const sim_body *b)
{
    const vp_collide_shape *s = &sim->shape[b->first_shape].shape;
    const axes3 axes = axes_of(b->rotation);
    const vp_real3 across = vp_real3_cross(axes.row[1], b->spin);
    if (b->shapes == 1 && s->kind == VP_COLLIDE_SPHERE)
        return 0;
    if (b->shapes == 1 && s->kind == VP_COLLIDE_CAPSULE)
        return vp_real3_length(across) * (double)s->half_height * sim->def.step;
    return vp_real3_length(b->shapes == 1 && s->kind == VP_COLLIDE_CYLINDER ? across : b->spin) * b->radius * sim->def.step;
}

/* Finds the margins of a body: during the step it may touch the ground and bodies that come within them. A cache serves one margin, and
 * motion up to VP_SIM_MOST_REUSE. So with caches the margin includes the motion, is larger, and has few values. */
static void find_margins(const vp_sim *sim, sim_body *b)
{
    const vp_real3 motion = limit_length(vp_real3_scale(b->velocity, sim->def.step), most_margin);
    const double turn = turn_of(sim, b), way = turn + vp_real3_length(motion);
    const bool has_caches = sim->def.reuse > 0;
    const double all = has_caches ? VP_SIM_MOST_REUSE + VP_SIM_MOST_REUSE * ceil(way / VP_SIM_MOST_REUSE) : least_margin + way;
    b->margin = (float)vp_double_min(all, most_margin);
    b->still_margin = has_caches ? b->margin : (float)vp_double_min(least_margin + turn, most_margin);
    b->motion = has_caches ? (vp_vec3){0, 0, 0} : vp_real3_rounded(motion);
}

static vp_status move_body(vp_sim *sim, sim_body *b, vp_error *error)
{
    vp_status status = VP_OK;
    b->pose.position = vp_real3_rounded(b->position);
    for (int i = 0; i < 4; i++)
        b->pose.rotation[i] = (float)b->rotation[i];
    find_margins(sim, b);
    for (uint32_t i = 0; i < b->shapes && status == VP_OK; i++) {
        sim_shape *s = &sim->shape[b->first_shape + i];
        const vp_sphere bound = {b->pose.position, vp_collide_radius(&s->shape) + b->margin};
        status = vp_collide_bounds(&s->shape, &b->pose, b->margin, &s->box, error);
        if (status == VP_OK)
            status = vp_spheretree_move(sim->tree, s->leaf, &bound, error);
        if (status == VP_OK)
            b->box = i == 0 ? s->box : vp_aabb_union(&b->box, &s->box);
    }
    b->low = (double)b->box.min.y + (double)b->margin;
    if (status == VP_OK && sim->contacts != NULL)
        status = vp_contacts_move(sim->contacts, b->object, &b->box, error);
    return status;
}

/* Finds which kinds of terrain a body touches. */
static void look_up_terrain(const vp_sim *sim, sim_body *b)
{
    vp_contact near[128];
    const uint32_t room = sizeof near / sizeof near[0], count = vp_contacts_of(sim->contacts, b->object, near, room);
    b->touches_solid = b->touches_water = count > room;
    for (uint32_t i = 0; i < count && i < room; i++) {
        b->touches_solid = b->touches_solid || near[i].kind == VP_CONTACT_SOLID;
        b->touches_water = b->touches_water || near[i].kind == VP_CONTACT_WATER;
    }
}

static int by_shapes(const void *a, const void *b)
{
    const sim_candidate *p = a, *q = b;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : (p->b > q->b) - (p->b < q->b);
}

/* Finds each pair among those of the last step. */
static vp_status find_kept(vp_sim *sim, vp_error *error)
{
    sim_kept *const before = sim->kept_before;
    const size_t room = sim->kept_room_before;
    uint32_t k = 0;
    sim->kept_before = sim->kept, sim->kept_room_before = sim->kept_room, sim->kept_count_before = sim->kept_count;
    sim->kept = before, sim->kept_room = room, sim->kept_count = sim->pair_count;
    for (uint32_t i = 0; i < sim->pair_count; i++) {
        sim_candidate *c = &sim->pair[i];
        while (k < sim->kept_count_before &&
               (sim->kept_before[k].a < c->a || (sim->kept_before[k].a == c->a && sim->kept_before[k].b < c->b)))
            k++;
        const bool known = k < sim->kept_count_before && sim->kept_before[k].a == c->a && sim->kept_before[k].b == c->b;
        c->before = known ? k : UINT32_MAX;
    }
    return vp_grow_array(&sim->kept, &sim->kept_room, sim->kept_count, sizeof *sim->kept, "elements", error);
}

static vp_status find_pairs(vp_sim *sim, vp_error *error)
{
    uint32_t count;
    vp_status status = VP_OK;
    do { /* repeated with more room */
        status = vp_spheretree_pairs(sim->tree, NULL, sim->found, (uint32_t)sim->found_room, &count, error);
        if (status == VP_OK && count > sim->found_room)
            status = vp_grow_array(&sim->found, &sim->found_room, count, sizeof *sim->found, "elements", error);
        else
            break;
    } while (status == VP_OK);
    if (status == VP_OK)
        status = vp_grow_array(&sim->pair, &sim->pair_room, count, sizeof *sim->pair, "elements", error);
    sim->pair_count = 0;
    for (uint32_t i = 0; i < count && status == VP_OK; i++) {
        const uint32_t x = sim->shape_of_leaf[sim->found[i].a.object], y = sim->shape_of_leaf[sim->found[i].b.object];
        const sim_shape *s = &sim->shape[x], *t = &sim->shape[y];
        if (s->body == t->body || (sim->body[s->body].asleep != 0 && sim->body[t->body].asleep != 0) || !vp_aabb_overlaps(&s->box, &t->box))
            continue;
        sim->pair[sim->pair_count++] = (sim_candidate){.a = x < y ? x : y, .b = x < y ? y : x};
    }
    if (sim->pair_count > 1)
        qsort(sim->pair, sim->pair_count, sizeof *sim->pair, by_shapes);
    sim->stats.pairs = sim->pair_count;
    if (status == VP_OK)
        status =
            vp_grow_array(&sim->pair_manifold, &sim->pair_manifold_room, sim->pair_count, sizeof *sim->pair_manifold, "elements", error);
    return status == VP_OK && sim->def.reuse > 0 ? find_kept(sim, error) : status;
}

vp_status vp_sim_find_bounds(vp_sim *sim, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < sim->bodies && status == VP_OK; i++) {
        sim_body *b = &sim->body[i];
        b->was_asleep = b->asleep != 0;
        b->truncated = b->pushed_out = false;
        if (b->was_asleep)
            continue;
        status = move_body(sim, b, error);
        if (status == VP_OK && sim->contacts != NULL)
            look_up_terrain(sim, b);
    }
    if (sim->contacts != NULL)
        vp_contacts_clear_events(sim->contacts);
    return status == VP_OK ? find_pairs(sim, error) : status;
}

/* ---- pairs of bodies ---- */

/* A small motion: a translation, and a rotation vector about the body's position. */
typedef struct motion {
    vp_real3 by, turn;
} motion;

static motion motion_of(const vp_pose *from, const vp_pose *to)
{
    const float *p = from->rotation, *q = to->rotation;
    const vp_real3 u = {(double)p[0], (double)p[1], (double)p[2]}, v = {(double)q[0], (double)q[1], (double)q[2]};
    const double a = (double)p[3], b = (double)q[3], sign = a * b + vp_real3_dot(u, v) < 0 ? -2 : 2;
    const vp_real3 turn = vp_real3_sub(vp_real3_sub(vp_real3_scale(v, a), vp_real3_scale(u, b)), vp_real3_cross(v, u));
    return (motion){vp_real3_sub(vp_real3_of(to->position), vp_real3_of(from->position)), vp_real3_scale(turn, sign)};
}

/* Largest motion of a shape's points, to first order. */
static double way_of(const motion *m, const vp_collide_shape *shape)
{
    return vp_real3_length(m->by) + vp_real3_length(m->turn) * (double)vp_collide_radius(shape);
}

/* Moves a manifold's points with the shapes, whose normals stay. */
static void move_points(const sim_kept *kept, const motion m[2], vp_manifold *out)
{
    const vp_real3 between = vp_real3_sub(vp_real3_of(kept->pose[0].position), vp_real3_of(kept->pose[1].position));
    *out = kept->manifold;
    for (uint32_t i = 0; i < out->count; i++) {
        vp_manifold_point *p = &out->point[i];
        const vp_real3 x = vp_real3_of(p->on_shape), y = vp_real3_of(p->on_triangle);
        const vp_real3 of_x = vp_real3_cross(m[0].turn, x); /* about the first body's position */
        const vp_real3 of_y = vp_real3_add(vp_real3_sub(m[1].by, m[0].by), vp_real3_cross(m[1].turn, vp_real3_add(y, between)));
        p->on_shape = vp_real3_rounded(vp_real3_add(x, of_x));
        p->on_triangle = vp_real3_rounded(vp_real3_add(y, of_y));
        p->distance = (float)((double)p->distance + vp_real3_dot(vp_real3_of(p->normal), vp_real3_sub(of_x, of_y)));
    }
}

static vp_status collide_pair(vp_sim *sim, sim_task *task, uint32_t i, vp_error *error)
{
    sim_candidate *c = &sim->pair[i];
    const sim_shape *s = &sim->shape[c->a], *t = &sim->shape[c->b];
    const sim_body *a = &sim->body[s->body], *b = &sim->body[t->body];
    const vp_manifold_body x = {&s->shape, a->pose}, y = {&t->shape, b->pose};
    const float approach = (float)(vp_real3_length(vp_real3_sub(a->velocity, b->velocity)) * sim->def.step);
    const float both = a->still_margin + b->still_margin;
    const float margin = vp_min(sim->def.reuse > 0 ? both : both - (float)least_margin + approach, (float)most_margin);
    vp_manifold *out = &sim->pair_manifold[i];
    vp_status status = VP_OK;
    (void)task;
    if (sim->def.reuse > 0 && c->before != UINT32_MAX) {
        const sim_kept *kept = &sim->kept_before[c->before];
        const motion m[2] = {motion_of(&kept->pose[0], &a->pose), motion_of(&kept->pose[1], &b->pose)};
        if (kept->margin >= margin && way_of(&m[0], &s->shape) + way_of(&m[1], &t->shape) <= sim->def.reuse) {
            sim->kept[i] = *kept;
            move_points(kept, m, out);
            c->made = out->count > 0;
            return VP_OK;
        }
    }
    status = vp_manifold_shapes(&x, &y, margin, out, error);
    c->made = status == VP_OK && out->count > 0;
    if (sim->def.reuse > 0 && status == VP_OK)
        sim->kept[i] = (sim_kept){c->a, c->b, margin, {a->pose, b->pose}, *out};
    return status;
}

/* A body that touches a sleeping one, or comes near fast, wakes it. */
static void wake_touched(vp_sim *sim)
{
    for (uint32_t i = 0; i < sim->pair_count; i++) {
        const uint32_t x = sim->shape[sim->pair[i].a].body, y = sim->shape[sim->pair[i].b].body;
        const sim_body *a = &sim->body[x], *b = &sim->body[y], *moves = a->asleep == 0 ? a : b;
        if (sim->pair[i].made == 0 || (a->asleep == 0) == (b->asleep == 0))
            continue;
        const bool fast = vp_real3_length(moves->velocity) + vp_real3_length(moves->spin) * moves->radius > slow;
        if (fast || (double)sim->pair_manifold[i].point[0].distance < touching)
            vp_sim_wake(sim, a->asleep != 0 ? x : y);
    }
}

vp_status vp_sim_touch_pairs(vp_sim *sim, vp_error *error)
{
    const vp_status status = vp_sim_for(sim, sim->pair_count, collide_pair, error);
    if (status == VP_OK && sim->at == 0)
        wake_touched(sim);
    return status;
}

/* ---- the ground ---- */

/* Finds the part of a body that is in water, and applies buoyancy and drag. */
static vp_status float_body(vp_sim *sim, sim_body *b, vp_error *error)
{
    vp_buoyancy_volume sum = {0};
    double whole = 0;
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < b->shapes && status == VP_OK; i++) {
        vp_buoyancy_body body;
        vp_buoyancy_volume part;
        status = vp_buoyancy_body_init(&sim->shape[b->first_shape + i].shape, &b->pose, &body, error);
        if (status == VP_OK)
            status = vp_buoyancy_in_world(&body, vp_terrain_reader_world(&sim->reader), vp_terrain_reader_broadphase(&sim->reader), &part,
                                          error);
        if (status != VP_OK)
            return status;
        vp_buoyancy_add(&sum, &part);
        whole += body.whole.volume;
    }
    b->submerged = sum.volume;
    b->force = (vp_real3){0, sum.volume * sim->def.water * sim->def.gravity, 0};
    b->torque = vp_real3_cross((vp_real3){sum.centre[0], sum.centre[1], sum.centre[2]}, b->force);
    b->drag = whole > 0 ? water_drag * sum.volume / whole : 0;
    return VP_OK;
}

/* Pushes out a body whose centre is behind the surface. */
static vp_status push_out(vp_sim *sim, sim_body *b, vp_error *error)
{
    vp_push_out out;
    if (vp_real3_length(vp_real3_sub(vp_real3_of(b->pose.position), vp_real3_of(b->clear_at))) < b->clear)
        return VP_OK; /* it has not passed the surface since it was in front */
    const vp_status status =
        vp_push_out_of_world(vp_terrain_reader_world(&sim->reader), b->pose.position, PUSH_VOXELS, 1u << VP_SIDE_Y_LOW, &out, error);
    if (status != VP_OK)
        return status;
    b->clear = 0;
    b->is_in_front = out.end == VP_PUSH_OUT_FREE;
    if (out.end != VP_PUSH_OUT_FOUND)
        return VP_OK;
    const vp_real3 way = vp_real3_of(out.direction);
    const double speed = vp_real3_dot(b->velocity, way);
    b->position = vp_real3_add(vp_real3_of(b->pose.position), vp_real3_of(out.by));
    b->pose.position = vp_vec3_add(b->pose.position, out.by);
    b->velocity = speed < 0 ? vp_real3_plus(b->velocity, way, -speed) : b->velocity;
    b->pushed_out = true;
    return VP_OK;
}

static vp_status meet_terrain(vp_sim *sim, sim_task *task, uint32_t i, vp_error *error)
{
    sim_body *b = &sim->body[i];
    (void)task;
    if (b->asleep != 0)
        return VP_OK;
    b->force = b->torque = (vp_real3){0, 0, 0};
    b->drag = b->submerged = 0;
    b->clear = b->touches_solid ? b->clear : 0;
    const vp_status status = b->touches_solid ? push_out(sim, b, error) : VP_OK;
    return status == VP_OK && b->touches_water ? float_body(sim, b, error) : status;
}

static vp_status collide_ground(vp_sim *sim, sim_task *task, uint32_t i, vp_error *error)
{
    sim_candidate *c = &sim->ground[i];
    sim_body *b = &sim->body[sim->shape[c->a].body];
    const vp_manifold_def def = {.kernels = &sim->kernels, .margin = b->still_margin, .motion = b->motion};
    const vp_manifold_body body = {&sim->shape[c->a].shape, b->pose};
    vp_manifold *out = &sim->ground_manifold[(size_t)i * VP_SIM_MANIFOLDS];
    if (sim->def.terrain == NULL)
        c->status = vp_manifold_blocks(&def, &body, sim->def.blocks, &task->scratch, out, VP_SIM_MANIFOLDS, &c->made, error);
    else if (sim->caches == 0)
        c->status = vp_manifold_terrain(&def, &body, &sim->reader, &task->scratch, out, VP_SIM_MANIFOLDS, &c->made, error);
    else
        c->status = vp_manifold_terrain_cached(&def, &body, &sim->reader, (float)sim->def.reuse, &sim->cache[c->a], &task->scratch, out,
                                               VP_SIM_MANIFOLDS, &c->made, error);
    c->made = c->made < VP_SIM_MANIFOLDS ? c->made : VP_SIM_MANIFOLDS;
    return c->status == VP_E_LIMIT ? VP_OK : c->status;
}

/* Finds how far the surface is from the centre of a body that is in front of it. A triangle at which the body is d deep is at least its
 * inner radius less d from the centre. The deepest point may be less deep than the deepest triangle, by a part of the radius. Terrain has
 * no triangles at its world's low sides, where the surface is within half a voxel of the side. */
static void find_clearance(const vp_sim *sim, sim_body *b, const sim_candidate *c, const vp_manifold *m)
{
    if (sim->caches > 0 && sim->cache[c->a].is_reused)
        return; /* kept points are inexact, and the last clearance stays valid */
    const double depth = c->made > 0 ? vp_double_max(-(double)m->point[0].distance, 0) : 0;
    const bool is_known = b->is_in_front && c->status == VP_OK;
    const vp_vec3 p = b->pose.position;
    const double from_side = (double)vp_min(vp_min(p.x, p.y), p.z) - 0.5;
    b->clear = is_known ? vp_double_max(vp_double_min(b->inner - depth - b->radius / 64, from_side), 0) : 0;
    b->clear_at = b->pose.position;
}

/* Gives each new shape an empty cache. */
static vp_status add_caches(vp_sim *sim, vp_error *error)
{
    const vp_status status = vp_grow_array(&sim->cache, &sim->cache_room, sim->shapes, sizeof *sim->cache, "elements", error);
    for (; status == VP_OK && sim->caches < sim->shapes; sim->caches++)
        sim->cache[sim->caches] = (vp_manifold_cache){.count = 0};
    return status;
}

vp_status vp_sim_begin_ground(vp_sim *sim, vp_error *error)
{
    vp_status status = vp_grow_array(&sim->ground, &sim->ground_room, sim->shapes, sizeof *sim->ground, "elements", error);
    if (status == VP_OK && sim->def.reuse > 0)
        status = add_caches(sim, error);
    sim->ground_count = 0;
    for (uint32_t i = 0; i < sim->shapes && status == VP_OK; i++) {
        const sim_body *b = &sim->body[sim->shape[i].body];
        if (b->asleep == 0 && (sim->def.blocks != NULL || b->touches_solid))
            sim->ground[sim->ground_count++] = (sim_candidate){.a = i, .b = VP_SIM_GROUND};
    }
    return status == VP_OK ? vp_grow_array(&sim->ground_manifold, &sim->ground_manifold_room, (size_t)sim->ground_count * VP_SIM_MANIFOLDS,
                                           sizeof *sim->ground_manifold, "elements", error)
                           : status;
}

vp_status vp_sim_meet_terrain(vp_sim *sim, vp_error *error)
{
    return sim->def.terrain != NULL ? vp_sim_for(sim, sim->bodies, meet_terrain, error) : VP_OK;
}

static void end_ground(vp_sim *sim)
{
    for (uint32_t i = 0; i < sim->ground_count; i++) {
        sim_body *b = &sim->body[sim->shape[sim->ground[i].a].body];
        b->truncated = b->truncated || sim->ground[i].status == VP_E_LIMIT;
        find_clearance(sim, b, &sim->ground[i], &sim->ground_manifold[(size_t)i * VP_SIM_MANIFOLDS]);
    }
    sim->stats.ground = sim->ground_count;
    for (uint32_t i = 0; i < sim->bodies; i++) {
        sim->stats.truncated += sim->body[i].truncated;
        sim->stats.pushed_out += sim->body[i].pushed_out;
    }
}

/* ---- contacts ---- */

/* Adds points of a manifold, with the impulses of the step before. */
static void add_points(sim_contacts *to, const vp_manifold *m, vp_real3 from, const sim_contact *old, const sim_point *old_point)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const vp_manifold_point *p = &m->point[i];
        sim_point *out = &to->point[to->points++];
        *out = (sim_point){.feature = p->feature, .normal = vp_real3_of(p->normal), .separation = (double)p->distance};
        out->arm[0] = vp_real3_of(p->on_shape);
        out->arm[1] = vp_real3_add(vp_real3_of(p->on_triangle), from);
        for (uint32_t k = 0; old != NULL && k < old->count; k++)
            if (old_point[old->first + k].feature == p->feature) {
                out->impulse = old_point[old->first + k].impulse;
                out->friction = old_point[old->first + k].friction;
                break;
            }
    }
}

static void add_contact(vp_sim *sim, const sim_candidate *c, const vp_manifold *m, const sim_contact *old)
{
    const uint32_t x = sim->shape[c->a].body, y = c->b != VP_SIM_GROUND ? sim->shape[c->b].body : VP_SIM_GROUND;
    const sim_body *a = &sim->body[x], *b = y != VP_SIM_GROUND ? &sim->body[y] : NULL;
    if (c->made == 0 || a->asleep != 0 || (b != NULL && b->asleep != 0))
        return;
    sim_contact *out = &sim->now.contact[sim->now.count++];
    *out = (sim_contact){.a = c->a, .b = c->b, .body = {x, y}, .first = sim->now.points};
    out->friction = sqrt(a->friction * (b != NULL ? b->friction : sim->def.friction));
    out->restitution = vp_double_max(a->restitution, b != NULL ? b->restitution : sim->def.restitution);
    out->rolling = b != NULL ? vp_double_max(a->rolling, b->rolling) : a->rolling;
    if (old != NULL)
        out->roll = old->roll;
    const vp_real3 from = b != NULL ? vp_real3_sub(vp_real3_of(a->pose.position), vp_real3_of(b->pose.position)) : (vp_real3){0, 0, 0};
    for (uint32_t i = 0; i < c->made; i++)
        add_points(&sim->now, &m[i], from, old, sim->before.point);
    out->count = sim->now.points - out->first;
}

/* Keeps a contact of bodies that sleep, or slept until now. */
static void keep_contact(vp_sim *sim, const sim_contact *old)
{
    const sim_body *a = &sim->body[old->body[0]], *b = old->body[1] != VP_SIM_GROUND ? &sim->body[old->body[1]] : a;
    if (!a->was_asleep || !b->was_asleep || a->lost || b->lost)
        return;
    sim_contact *out = &sim->now.contact[sim->now.count++];
    *out = *old;
    out->first = sim->now.points;
    memcpy(&sim->now.point[out->first], &sim->before.point[old->first], old->count * sizeof(sim_point));
    sim->now.points += old->count;
}

static int contact_order(const sim_candidate *c, const sim_contact *old)
{
    return c->a != old->a ? (c->a < old->a ? -1 : 1) : (c->b > old->b) - (c->b < old->b);
}

/* Merges candidates and old contacts, in the order of their shapes. */
static void merge_contacts(vp_sim *sim)
{
    uint32_t pair = 0, ground = 0, old = 0;
    while (pair < sim->pair_count || ground < sim->ground_count || old < sim->before.count) {
        const sim_candidate *p = pair < sim->pair_count ? &sim->pair[pair] : NULL,
                            *g = ground < sim->ground_count ? &sim->ground[ground] : NULL;
        const sim_candidate *c = p != NULL && (g == NULL || by_shapes(p, g) < 0) ? p : g;
        const sim_contact *o = old < sim->before.count ? &sim->before.contact[old] : NULL;
        const int order = c == NULL ? 1 : o == NULL ? -1 : contact_order(c, o);
        if (order > 0)
            keep_contact(sim, o);
        else
            add_contact(sim, c, c == p ? &sim->pair_manifold[pair] : &sim->ground_manifold[(size_t)ground * VP_SIM_MANIFOLDS],
                        order == 0 ? o : NULL);
        old += order >= 0;
        pair += order <= 0 && c == p;
        ground += order <= 0 && c == g;
    }
}

static vp_status make_contacts(vp_sim *sim, vp_error *error)
{
    const sim_contacts before = sim->before;
    sim->before = sim->now;
    sim->now = before;
    sim->now.count = sim->now.points = 0;
    const size_t contacts = (size_t)sim->pair_count + sim->ground_count + sim->before.count;
    const size_t points =
        (size_t)VP_MANIFOLD_POINTS * (sim->pair_count + (size_t)sim->ground_count * VP_SIM_MANIFOLDS) + sim->before.points;
    vp_status status = vp_grow_array(&sim->now.contact, &sim->now.room, contacts, sizeof *sim->now.contact, "elements", error);
    if (status == VP_OK)
        status = vp_grow_array(&sim->now.point, &sim->now.point_room, points, sizeof *sim->now.point, "elements", error);
    if (status != VP_OK)
        return status;
    merge_contacts(sim);
    sim->stats.contacts = sim->now.points;
    for (uint32_t i = 0; i < sim->now.points; i++) {
        sim->stats.touching += sim->now.point[i].separation <= 0;
        sim->stats.deepest = vp_double_max(sim->stats.deepest, -sim->now.point[i].separation);
    }
    return VP_OK;
}

vp_status vp_sim_touch_ground(vp_sim *sim, vp_error *error)
{
    const vp_status status = vp_sim_for(sim, sim->ground_count, collide_ground, error);
    if (status != VP_OK || sim->at != 0)
        return status;
    end_ground(sim);
    return make_contacts(sim, error);
}
