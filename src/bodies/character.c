/* SPDX-License-Identifier: MIT */
/* Moves a character: collide and slide, with clipping against all planes that were hit (the player movement of Quake,
 * id Software, 1996; K. Fauerby, "Improved Collision detection and Response", 2003). Floors, steps and ground states
 * are rules on top of it:
 *
 *   floor  A contact whose normal is within the slope limit, or an edge whose upper face is. It stops a fall. A motion
 *          along it keeps its horizontal direction and its length, so that a character standing on a slope does not
 *          slide.
 *   steep  A plane above the limit. An upright plane is added in front of it, so that a push towards it cannot climb.
 *   wall   Any other plane.
 *
 * The character keeps a gap, the skin, to everything it touches, so that roundings do not move it into the solid. */
#include "src/bodies/character_world.h"

#include "src/bodies/cast.h"
#include "src/core/error.h"
#include "src/narrowphase/run.h"

enum { SLIDES = 8, STEPS = 4, PLANES = 2 * SLIDES };

/* Planes whose normal has a smaller up component are walls even with a slope limit of 90 degrees. Edges with a smaller
 * one are no floor. */
#define LEAST_FLOOR 0.02
#define LEAST_EDGE  0.1
/* Least way over the rim of a step, in skins. */
#define LEAST_STEP 8.0

typedef struct contact_plane {
    vp_real3 normal;
    vp_real3 position; /* position of the character when it was hit */
    bool is_floor;
} contact_plane;

typedef struct planes {
    contact_plane item[PLANES];
    uint32_t count;
} planes;

/* ---- directions ---- */

static double height_of(const vp_walk *w, vp_real3 v)
{
    return vp_real3_dot(v, w->up);
}

static vp_real3 horizontal_of(const vp_walk *w, vp_real3 v)
{
    return vp_real3_plus(v, w->up, -height_of(w, v));
}

/* Unit vector, or 0 if v is vertical. */
static vp_real3 horizontal_unit_of(const vp_walk *w, vp_real3 v)
{
    const vp_real3 h = horizontal_of(w, v);
    const double length = vp_real3_length(h);
    return length > 1e-6 ? vp_real3_scale(h, 1.0 / length) : (vp_real3){0.0, 0.0, 0.0};
}

/* Removes a downward component. */
static vp_real3 not_falling(const vp_walk *w, vp_real3 v)
{
    return height_of(w, v) < 0.0 ? horizontal_of(w, v) : v;
}

static vp_real3 slide_on(const vp_walk *w, const contact_plane *p, vp_real3 v)
{
    if (!p->is_floor)
        return vp_real3_plus(v, p->normal, -vp_real3_dot(v, p->normal));
    const vp_real3 h = horizontal_of(w, v), along = vp_real3_plus(h, w->up, -vp_real3_dot(h, p->normal) / height_of(w, p->normal));
    const double max = vp_real3_length(not_falling(w, v)), length = vp_real3_length(along);
    return length > max ? vp_real3_scale(along, max / length) : along;
}

static bool is_allowed(const planes *list, vp_real3 v, double max)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (vp_real3_dot(v, list->item[i].normal) < -1e-6 * max)
            return false;
    return true;
}

/* The motion allowed by the planes: unchanged, along one plane, along the line between two, or none. */
static vp_real3 clip_motion(const vp_walk *w, const planes *list, vp_real3 v)
{
    const double max = vp_real3_length(v);
    if (is_allowed(list, v, 0.0))
        return v;
    for (uint32_t i = list->count; i-- > 0;) {
        const vp_real3 s = slide_on(w, &list->item[i], v);
        if (vp_real3_dot(v, list->item[i].normal) < 0.0 && is_allowed(list, s, max))
            return s;
    }
    for (uint32_t i = list->count; i-- > 0;)
        for (uint32_t j = i; j-- > 0;) {
            const contact_plane *a = &list->item[i], *b = &list->item[j];
            const vp_real3 line = vp_real3_cross(a->normal, b->normal), from = a->is_floor || b->is_floor ? not_falling(w, v) : v;
            const double square = vp_real3_dot(line, line);
            const vp_real3 s = square > 1e-8 ? vp_real3_scale(line, vp_real3_dot(from, line) / square) : line;
            if (square > 1e-8 && is_allowed(list, s, max))
                return s;
        }
    return (vp_real3){0.0, 0.0, 0.0};
}

/* ---- contacts ---- */

static bool is_floor(const vp_walk *w, vp_real3 normal)
{
    return height_of(w, normal) >= w->cosine;
}

/* Whether a contact is a floor, or an edge whose upper face is one. A small ball dropped next to the edge finds
 * that face.
 * @param floor  receives the floor's normal */
static vp_status find_face(vp_walk *w, const vp_walk_contact *c, bool *carries, vp_real3 *floor)
{
    *carries = is_floor(w, c->normal);
    *floor = c->normal;
    if (*carries || height_of(w, c->normal) < LEAST_EDGE)
        return VP_OK;
    const vp_collide_shape ball = vp_collide_sphere((float)(5.0 * w->skin));
    const vp_real3 inwards = horizontal_unit_of(w, c->normal), above = vp_real3_plus(vp_real3_of(c->what.point), w->up, 100.0 * w->skin);
    vp_walk_contact below;
    VP_RETURN_IF_FAILED(vp_walk_cast(w, &ball, vp_walk_moved(vp_real3_rounded(above), inwards, -20.0 * w->skin),
                                     vp_real3_scale(w->up, -150.0 * w->skin), &below));
    if (below.hit && !below.inside && is_floor(w, below.normal)) {
        *carries = true;
        *floor = below.normal;
    }
    return VP_OK;
}

/* Moves along a way, up to a skin before the first contact. The cast is more than twice as long as the way, so that a
 * slow approach does not use up the gap. A gap below half a skin is widened to a skin again.
 * @param part  receives the part of the way that was gone */
static vp_status advance_body(vp_walk *w, vp_real3 way, vp_walk_contact *c, double *part)
{
    const double length = vp_real3_length(way), ahead = 2.0 * length + 4.0 * w->skin;
    vp_status status = vp_walk_cast(w, w->character->shape, vp_walk_at(w), vp_real3_scale(way, ahead / length), c);
    *part = 0.0;
    if (status != VP_OK || (c->hit && c->inside))
        return status;
    const double closing = -vp_real3_dot(c->normal, way) / length, gap = c->t * ahead * closing;
    const double gone = c->hit ? c->t * ahead - w->skin / closing : length;
    *part = gone < 0.0 ? 0.0 : gone < length ? gone / length : 1.0;
    w->cast.pose.position = vp_walk_moved(vp_walk_at(w), way, *part);
    c->hit = c->hit && gone < length;
    if (c->hit && gap < 0.5 * w->skin) {
        const vp_real3 back = vp_real3_scale(c->normal, w->skin - gap);
        vp_walk_contact behind;
        status = vp_walk_cast(w, w->character->shape, vp_walk_at(w), back, &behind);
        if (status == VP_OK && !behind.inside)
            w->cast.pose.position = vp_walk_moved(vp_walk_at(w), back, behind.hit ? 0.5 * behind.t : 1.0);
    }
    return status;
}

/* Finds the ground within two skins, measured along its normal. The probe slides past steep contacts, because a floor
 * may lie next to them.
 * @param inside  receives whether the character overlaps */
static vp_status find_ground(vp_walk *w, vp_character_ground *ground, vp_character_hit *floor, bool *inside)
{
    vp_real3 way = vp_real3_scale(w->up, -2.0 * w->skin / LEAST_EDGE);
    const double start = height_of(w, vp_real3_of(vp_walk_at(w)));
    vp_vec3 from = vp_walk_at(w);
    *ground = VP_CHARACTER_IN_AIR;
    *floor = (vp_character_hit){.material = 0};
    *inside = false;
    for (int i = 0; i < 3; i++) {
        vp_walk_contact c;
        bool carries;
        vp_real3 face;
        vp_status status = vp_walk_cast(w, w->character->shape, from, way, &c);
        if (status == VP_OK && c.hit && !c.inside)
            status = find_face(w, &c, &carries, &face);
        *inside = *inside || (i == 0 && c.inside);
        if (status != VP_OK || !c.hit || c.inside)
            return status;
        from = vp_walk_moved(from, way, c.t);
        if ((start - height_of(w, vp_real3_of(from))) * height_of(w, c.normal) > 2.0 * w->skin)
            return VP_OK;
        if (carries || *ground == VP_CHARACTER_IN_AIR) {
            *floor = c.what;
            floor->normal = vp_real3_rounded(face);
            *ground = carries ? VP_CHARACTER_ON_GROUND : VP_CHARACTER_ON_STEEP;
        }
        if (carries)
            return VP_OK;
        way = vp_real3_scale(vp_real3_plus(way, c.normal, -vp_real3_dot(way, c.normal)), 1.0 - c.t);
        if (!(vp_real3_length(way) > 0.01 * w->skin))
            return VP_OK;
    }
    return VP_OK;
}

/* ---- steps ---- */

/* Moves on over a riser, lifted, or along a wall that is met at once.
 * @param part  receives the part of the way that was gone */
static vp_status move_over(vp_walk *w, vp_real3 on, vp_real3 inwards, double *part)
{
    vp_walk_contact c;
    double gone = 0.0;
    VP_RETURN_IF_FAILED(advance_body(w, on, &c, part));
    if (!c.hit || c.inside || *part * vp_real3_dot(on, inwards) > 2.0 * w->skin)
        return VP_OK;
    const vp_real3 out = horizontal_unit_of(w, c.normal),
                   along = vp_real3_scale(vp_real3_plus(on, out, -vp_real3_dot(on, out)), 1.0 - *part);
    vp_status status = VP_OK;
    if (vp_real3_length(along) > w->skin)
        status = advance_body(w, along, &c, &gone);
    *part += (1.0 - *part) * gone;
    return status;
}

/* Distance from the centre to the side in a horizontal unit direction. */
static double reach_along(const vp_walk *w, vp_real3 d)
{
    const vp_collide_shape *s = w->character->shape;
    if (s->kind == VP_COLLIDE_CAPSULE)
        return (double)s->radius;
    return fabs(d.x) * (double)s->half.x + fabs(d.y) * (double)s->half.y + fabs(d.z) * (double)s->half.z;
}

/* Moves down to a floor that is at most at `highest`. If a capsule's round end is over a higher edge, or the shape's
 * side is at one, it first moves sideways away from it.
 * @param aside  maximum sideways movement */
static vp_status move_down(vp_walk *w, double way, double highest, double aside, bool *found)
{
    const double lowest = height_of(w, vp_real3_of(vp_walk_at(w))) - way;
    *found = false;
    for (int i = 0; i < 3; i++) {
        vp_walk_contact c;
        vp_real3 face;
        double gone;
        bool carries;
        vp_status status = advance_body(w, vp_real3_scale(w->up, lowest - height_of(w, vp_real3_of(vp_walk_at(w)))), &c, &gone);
        if (status != VP_OK || !c.hit || c.inside)
            return status;
        status = find_face(w, &c, &carries, &face);
        *found = status == VP_OK && carries && height_of(w, vp_real3_of(c.what.point)) <= highest;
        const vp_real3 at = vp_real3_of(vp_walk_at(w)), out = horizontal_unit_of(w, c.normal);
        const double side_distance = reach_along(w, out) + w->skin - vp_real3_dot(vp_real3_sub(at, vp_real3_of(c.what.point)), out);
        const double back = aside < side_distance ? aside : side_distance;
        if (status != VP_OK || *found || !(back > 0.1 * w->skin) || !(vp_real3_length(out) > 0.0))
            return status;
        aside -= back;
        status = advance_body(w, vp_real3_scale(out, back), &c, &gone);
        if (status != VP_OK)
            return status;
    }
    return VP_OK;
}

/* Moves up, on and down. @param part  receives the part of the way that was gone
 * @param climbed  receives whether this is a step. If not, the position is undefined. */
static vp_status try_step(vp_walk *w, vp_real3 on, vp_real3 inwards, double *part, bool *climbed)
{
    const vp_real3 start = vp_real3_of(vp_walk_at(w));
    const double stick = (double)w->character->stick, reach = 2.0 * w->skin;
    vp_walk_contact c;
    double gone;
    *climbed = false;
    VP_RETURN_IF_FAILED(advance_body(w, vp_real3_scale(w->up, (double)w->character->step + reach), &c, &gone));
    if (!(height_of(w, vp_real3_sub(vp_real3_of(vp_walk_at(w)), start)) > w->skin))
        return VP_OK;
    vp_status status = move_over(w, on, inwards, part);
    const vp_real3 over = vp_real3_sub(vp_real3_of(vp_walk_at(w)), start);
    if (status == VP_OK)
        status =
            move_down(w, height_of(w, over) + (stick > reach ? stick : reach), height_of(w, start) - w->foot + (double)w->character->step,
                      vp_real3_dot(over, inwards) - LEAST_STEP * w->skin, climbed);
    const vp_real3 moved = vp_real3_sub(vp_real3_of(vp_walk_at(w)), start);
    *climbed = *climbed && status == VP_OK && vp_real3_dot(moved, inwards) >= reach && height_of(w, moved) > w->skin;
    return status;
}

/* Whether the way from the start of a move is longer than the used length of the motion, the step and the stick distance. Several steps in
 * a row, each of a short tread, would add up to more. */
static bool is_too_far(const vp_walk *w, vp_vec3 start, double used)
{
    const double most = used + (double)w->character->step + (double)w->character->stick + (LEAST_STEP + 2.0) * w->skin;
    return vp_real3_length(vp_real3_sub(vp_real3_of(vp_walk_at(w)), vp_real3_of(start))) > most;
}

/* Climbs a step whose riser was hit. @param rest  remaining way
 * @param part  receives the part of it that was gone, 0 = no step */
static vp_status climb_step(vp_walk *w, const vp_walk_contact *riser, vp_real3 rest, double *part)
{
    const vp_vec3 start = vp_walk_at(w);
    const vp_real3 inwards = vp_real3_scale(horizontal_unit_of(w, riser->normal), -1.0), on = horizontal_of(w, rest);
    const double length = vp_real3_length(on), min = LEAST_STEP * w->skin;
    bool climbed = false;
    vp_status status = VP_OK;
    if (vp_real3_dot(on, inwards) > 0.0 && height_of(w, riser->normal) > -LEAST_FLOOR)
        status = try_step(w, vp_real3_scale(on, length < min ? min / length : 1.0), inwards, part, &climbed);
    if (climbed) {
        *part = *part > 1e-6 ? *part : 1e-6;
        return status;
    }
    *part = 0.0;
    w->cast.pose.position = start;
    return status;
}

/* ---- the move ---- */

static void add_plane(planes *list, vp_real3 normal, vp_real3 at, bool floor)
{
    if (list->count < PLANES)
        list->item[list->count++] = (contact_plane){normal, at, floor};
}

/* Forgets planes that the character has passed, then adds the planes of a contact. */
static void add_contact(const vp_walk *w, planes *list, const vp_walk_contact *c, bool carries)
{
    const vp_real3 at = vp_real3_of(vp_walk_at(w)), side = horizontal_unit_of(w, c->normal);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (vp_real3_length(vp_real3_sub(at, list->item[i].position)) <= 0.25 * w->narrow)
            list->item[kept++] = list->item[i];
    list->count = kept;
    if (is_floor(w, c->normal)) {
        add_plane(list, c->normal, at, true);
        return;
    }
    add_plane(list, carries ? w->up : c->normal, at, carries);
    if (height_of(w, c->normal) > 0.0)
        add_plane(list, side, at, false);
}

static vp_status slide_along_planes(vp_walk *w, vp_vec3 motion, bool stands, planes *list, vp_character_result *out)
{
    const vp_real3 requested = vp_real3_of(motion);
    const vp_vec3 start = vp_walk_at(w);
    double left = 1.0;
    uint32_t steps = 0;
    for (int i = 0; i < SLIDES && left > 1e-6; i++) {
        const vp_real3 way = vp_real3_scale(clip_motion(w, list, requested), left);
        vp_walk_contact c;
        double part;
        bool carries;
        vp_real3 face;
        if (!(vp_real3_length(way) > 1e-9 * vp_real3_length(requested)))
            break;
        vp_status status = advance_body(w, way, &c, &part);
        left *= 1.0 - part;
        if (status != VP_OK || c.inside)
            return status;
        if (!c.hit) {
            left = 0.0;
            break;
        }
        if (out->hit_count < VP_CHARACTER_HITS)
            out->hit[out->hit_count++] = c.what;
        if (stands && !is_floor(w, c.normal) && w->character->step > 0.0f && steps < STEPS) {
            const vp_vec3 below = vp_walk_at(w);
            status = climb_step(w, &c, vp_real3_scale(way, 1.0 - part), &part);
            if (status != VP_OK)
                return status;
            if (is_too_far(w, start, (1.0 - left * (1.0 - part)) * vp_real3_length(requested))) {
                w->cast.pose.position = below;
            } else if (part > 0.0) {
                left *= 1.0 - part;
                list->count = 0;
                out->stepped = true;
                steps++;
                continue;
            }
        }
        status = find_face(w, &c, &carries, &face);
        if (status != VP_OK)
            return status;
        stands = stands || carries;
        add_contact(w, list, &c, carries);
    }
    out->remaining = (float)left;
    return VP_OK;
}

/* Moves down to a floor within a distance. */
static vp_status snap_to_floor(vp_walk *w, double distance)
{
    const vp_vec3 start = vp_walk_at(w);
    bool found;
    const vp_status status = move_down(w, distance + 2.0 * w->skin, INFINITY, 0.01 * w->narrow + 2.0 * w->skin, &found);
    if (!found)
        w->cast.pose.position = start;
    return status;
}

/* The velocity after the move. Floors stop a fall and do not redirect the rest. */
static vp_vec3 find_velocity_after(const vp_walk *w, planes list, vp_vec3 motion, bool stands)
{
    for (uint32_t i = 0; i < list.count; i++)
        if (list.item[i].is_floor)
            list.item[i].normal = w->up;
    const vp_real3 v = vp_real3_of(motion);
    return vp_real3_rounded(clip_motion(w, &list, stands ? not_falling(w, v) : v));
}

static vp_status move_character(vp_walk *w, vp_vec3 motion, vp_character_result *out)
{
    planes list = {.count = 0};
    bool inside, is_free = true;
    vp_status status = find_ground(w, &out->ground, &out->floor, &inside);
    if (status == VP_OK && inside) {
        status = vp_walk_recover(w, &is_free);
        out->pushed = is_free;
        if (status == VP_OK && is_free)
            status = find_ground(w, &out->ground, &out->floor, &inside);
    }
    const bool stands = out->ground == VP_CHARACTER_ON_GROUND, moves = motion.x != 0.0f || motion.y != 0.0f || motion.z != 0.0f;
    if (status == VP_OK && is_free && moves) {
        const double start = height_of(w, vp_real3_of(vp_walk_at(w)));
        status = slide_along_planes(w, motion, stands, &list, out);
        if (status == VP_OK)
            status = find_ground(w, &out->ground, &out->floor, &inside);
        /* a motion along a rising floor leads past its upper end, and the character returns from there */
        const double risen = height_of(w, vp_real3_of(vp_walk_at(w))) - start,
                     reach = (double)w->character->stick + (risen > 0.0 ? risen : 0.0);
        if (status == VP_OK && stands && out->ground != VP_CHARACTER_ON_GROUND && height_of(w, vp_real3_of(motion)) <= 0.0 && reach > 0.0) {
            status = snap_to_floor(w, reach);
            if (status == VP_OK)
                status = find_ground(w, &out->ground, &out->floor, &inside);
        }
    }
    out->inside = !is_free;
    out->position = vp_walk_at(w);
    out->casts = w->casts;
    if (is_free)
        out->velocity = find_velocity_after(w, list, motion, out->ground == VP_CHARACTER_ON_GROUND);
    else
        out->remaining = 1.0f;
    return status;
}

/* ---- checks ---- */

static vp_status check_length(const char *name, float value, vp_error *error)
{
    if (value >= 0.0f && value <= VP_COLLIDE_MAX_LENGTH)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "vp_character.%s is %g; must be 0 to 2^20", name, (double)value);
}

static vp_status check_world(const vp_character_world *world, vp_error *error)
{
    if (world->body == NULL && world->body_count > 0)
        return vp_fail(error, VP_E_ARGUMENT, "vp_character_world.body is NULL, body_count is %u", world->body_count);
    for (uint32_t i = 0; i < world->body_count; i++) {
        vp_collide_frame frame;
        VP_RETURN_IF_NULL_NAMED(error, "vp_character_world.body[].shape", world->body[i].shape);
        VP_RETURN_IF_FAILED(vp_collide_check(world->body[i].shape, &world->body[i].pose, 0.0f, &frame, error));
    }
    return VP_OK;
}

static vp_status check_arguments(const vp_character_world *world, const vp_character *c, vp_vec3 position, vp_vec3 motion, vp_error *error)
{
    static const char *const kind[VP_COLLIDE_KINDS] = {
        [VP_COLLIDE_SPHERE] = "sphere", [VP_COLLIDE_CYLINDER] = "cylinder", [VP_COLLIDE_HULL] = "hull"};
    VP_RETURN_IF_NULL_NAMED(error, "vp_character.shape", c->shape);
    VP_RETURN_IF_FAILED(vp_collide_shape_check(c->shape, error));
    if (c->shape->kind != VP_COLLIDE_CAPSULE && c->shape->kind != VP_COLLIDE_BOX)
        return vp_fail(error, VP_E_ARGUMENT, "vp_character.shape is a %s; must be a capsule or a box", kind[c->shape->kind]);
    if (c->up >= VP_SIDE_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_character.up is %u; must be a vp_side, 0 to %d", c->up, VP_SIDE_COUNT - 1);
    VP_RETURN_IF_FAILED(check_length("step", c->step, error));
    VP_RETURN_IF_FAILED(check_length("stick", c->stick, error));
    if (!(c->slope >= 0.0f && c->slope <= 90.0f))
        return vp_fail(error, VP_E_ARGUMENT, "vp_character.slope is %g; must be 0 to 90 degrees", (double)c->slope);
    VP_RETURN_IF_FAILED(vp_cast_check_point("position", position, error));
    VP_RETURN_IF_FAILED(vp_cast_check_point("motion", motion, error));
    return check_world(world, error);
}

vp_status vp_character_move(const vp_character_world *world, const vp_character *character, vp_vec3 position, vp_vec3 motion,
                            vp_character_result *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world, character, out);
    VP_RETURN_IF_FAILED(check_arguments(world, character, position, motion, error));
    vp_kernels default_kernels;
    const vp_collide_shape *s = character->shape;
    vp_walk w = {.world = world, .character = character, .cast = {.shape = s, .pose = vp_pose_at(position)}, .error = error};
    const uint32_t axis = character->up / 2;
    const double sign = character->up % 2 == 1 ? 1.0 : -1.0, half[3] = {(double)s->half.x, (double)s->half.y, (double)s->half.z};
    const double far = (double)vp_max(vp_max(fabsf(position.x), fabsf(position.y)), fabsf(position.z));
    const bool is_box = s->kind == VP_COLLIDE_BOX;
    w.up = (vp_real3){axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
    w.foot = is_box ? half[axis] : (double)s->radius + (double)s->half_height;
    w.narrow = is_box ? fmin(fmin(half[0], half[1]), half[2]) : (double)s->radius;
    w.skin = fmax(0x1p-10, (far + (double)vp_collide_radius(s)) * 0x1p-18);
    w.cosine = fmax((double)(float)cos((double)character->slope * (3.14159265358979323846 / 180.0)) - 1e-5, LEAST_FLOOR);
    if (!is_box && axis != 1) /* the capsule's y becomes x or z */
        w.cast.pose.rotation[axis == 0 ? 2 : 0] = 1.0f;
    vp_character_result moved = {.position = position};
    vp_status status = VP_OK;
    if (is_box && world->blocks != NULL && world->reader == NULL && world->body_count == 0) {
        status = vp_walk_blocks(&w, motion, &moved);
    } else {
        w.cast.kernels = character->kernels;
        if (w.cast.kernels == NULL) {
            status = vp_kernels_default(&default_kernels, error);
            w.cast.kernels = &default_kernels;
        }
        if (status == VP_OK)
            status = move_character(&w, motion, &moved);
    }
    if (status != VP_OK)
        return status;
    *out = moved;
    return vp_succeed(error);
}
