/* SPDX-License-Identifier: MIT */
/* A character's obstacles: casts through all of them, recovery from an overlap, and boxes among blocks, which move
 * by vp_block_move. */
#include "src/bodies/character_world.h"

#include <voxphys/block_shapes.h>

#include "src/bodies/cast.h"
#include "src/core/error.h"

enum { PUSHES = 16, PUSH_VOXELS = 8 };

/* ---- casts ---- */

static void keep_first(vp_walk_contact *c, const vp_cast_hit *hit, vp_character_obstacle obstacle, uint32_t body)
{
    if (!hit->found || (c->inside && !hit->started_inside))
        return;
    const bool better = hit->started_inside && c->inside ? (double)hit->depth > c->depth : (double)hit->t < c->t;
    if (c->hit && !better && hit->started_inside == c->inside)
        return;
    *c = (vp_walk_contact){
        .hit = true,
        .inside = hit->started_inside,
        .t = (double)hit->t,
        .depth = (double)hit->depth,
        .normal = vp_real3_of(hit->normal),
        .what = {.point = hit->point, .normal = hit->normal, .obstacle = obstacle, .body = body, .at = hit->at, .material = hit->material}};
}

/* Whether the bounding balls of a body and of the moving shape stay apart. */
static bool is_far(const vp_cast_def *def, const vp_manifold_body *body)
{
    const vp_real3 way = vp_real3_of(def->translation);
    const vp_real3 to = vp_real3_sub(vp_real3_of(body->pose.position), vp_real3_of(def->pose.position));
    const double square = vp_real3_dot(way, way), along = square > 0.0 ? vp_real3_dot(to, way) / square : 0.0;
    const vp_real3 rest = vp_real3_plus(to, way, -(along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along));
    const double reach = (double)vp_collide_radius(def->shape) + (double)vp_collide_radius(body->shape);
    return vp_real3_length(rest) > reach * 1.0001 + vp_real3_length(to) * 0x1p-20;
}

vp_status vp_walk_cast(vp_walk *w, const vp_collide_shape *shape, vp_vec3 from, vp_real3 way, vp_walk_contact *out)
{
    const vp_character_world *world = w->world;
    vp_cast_def def = w->cast;
    vp_cast_hit hit;
    def.shape = shape;
    def.pose.position = from;
    def.translation = vp_real3_rounded(way);
    *out = (vp_walk_contact){.t = 1.0};
    w->casts++;
    if (world->reader != NULL) {
        VP_RETURN_IF_FAILED(vp_cast_terrain(world->reader, world->surface, &def, &hit, w->error));
        keep_first(out, &hit, VP_CHARACTER_TERRAIN, 0);
    }
    if (world->blocks != NULL) {
        VP_RETURN_IF_FAILED(vp_cast_blocks(world->blocks, &def, &hit, w->error));
        keep_first(out, &hit, VP_CHARACTER_BLOCK, 0);
    }
    for (uint32_t i = 0; i < world->body_count; i++) {
        if (is_far(&def, &world->body[i]))
            continue;
        VP_RETURN_IF_FAILED(vp_cast_shape(&def, &world->body[i], &hit, w->error));
        keep_first(out, &hit, VP_CHARACTER_BODY, i);
    }
    return VP_OK;
}

/* ---- recovery from an overlap ---- */

/* Closest point of the terrain or the blocks to the centre. */
static vp_status find_closest(const vp_walk *w, vp_character_obstacle obstacle, vp_closest *out)
{
    const float max = (float)PUSH_VOXELS;
    return obstacle == VP_CHARACTER_TERRAIN ? vp_closest_terrain(w->world->reader, w->world->surface, vp_walk_at(w), max, out, w->error)
                                            : vp_closest_blocks(w->world->blocks, vp_walk_at(w), max, out, w->error);
}

/* Moves a centre that is in the solid to the front of the closest triangle, for a shape that touches no triangle. */
static vp_status push_centre(vp_walk *w, vp_character_obstacle obstacle, bool *found)
{
    vp_closest closest;
    const vp_status status = find_closest(w, obstacle, &closest);
    *found = status == VP_OK && closest.found;
    if (*found)
        w->cast.pose.position = vp_walk_moved(closest.point, vp_real3_of(closest.normal), w->skin);
    return status;
}

/* Moves out of the deepest triangle. For a deep overlap the shortest way may lead to the triangle's back. Then the
 * shape moves along the line from the surface's closest point to the centre. */
static vp_status push_shape(vp_walk *w, const vp_walk_contact *c)
{
    vp_real3 way = c->normal;
    vp_closest closest;
    if (c->what.obstacle != VP_CHARACTER_BODY && c->depth > 0.25 * w->narrow) {
        VP_RETURN_IF_FAILED(find_closest(w, c->what.obstacle, &closest));
        vp_real3 out = vp_real3_sub(vp_real3_of(vp_walk_at(w)), vp_real3_of(closest.point));
        if (closest.found && vp_real3_dot(out, vp_real3_of(closest.normal)) < 0.0)
            out = vp_real3_scale(out, -1.0); /* the centre is at the triangle's back */
        const double length = vp_real3_length(out);
        if (closest.found && vp_real3_dot(out, way) <= 0.0 && length > 0.0)
            way = vp_real3_scale(out, 1.0 / length);
    }
    w->cast.pose.position = vp_walk_moved(vp_walk_at(w), way, c->depth + w->skin);
    return VP_OK;
}

vp_status vp_walk_recover(vp_walk *w, bool *free)
{
    const vp_vec3 start = vp_walk_at(w);
    vp_status status = VP_OK;
    bool found = true;
    *free = false;
    for (int i = 0; i < PUSHES && status == VP_OK && found; i++) {
        vp_walk_contact c;
        status = vp_walk_cast(w, w->character->shape, vp_walk_at(w), (vp_real3){0.0, 0.0, 0.0}, &c);
        *free = status == VP_OK && !c.inside;
        if (status != VP_OK || *free)
            return status;
        status = c.depth > 0.0 ? push_shape(w, &c) : push_centre(w, c.what.obstacle, &found);
    }
    w->cast.pose.position = start;
    return status;
}

/* ---- a box among blocks ---- */

static void add_sides(const vp_walk *w, const vp_block_move_result *moved, vp_vec3 half, vp_character_result *out)
{
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
        if ((moved->sides >> side & 1u) == 0)
            continue;
        float normal[3] = {0.0f, 0.0f, 0.0f};
        normal[side / 2] = side % 2 == 1 ? 1.0f : -1.0f;
        const vp_vec3 n = {normal[0], normal[1], normal[2]}, p = moved->centre;
        const vp_block_path path = {{vp_vec3_sub(p, half), vp_vec3_add(p, half)}, vp_vec3_scale(n, -0x1p-6f)};
        vp_block_hit block = {.end = VP_BLOCK_PASSES};
        if (vp_block_sweep(w->world->blocks, w->character->kernels, &path, &block, NULL) != VP_OK || block.end != VP_BLOCK_MEETS)
            block.type = 0;
        out->hit[out->hit_count++] = (vp_character_hit){.point = {p.x - n.x * half.x, p.y - n.y * half.y, p.z - n.z * half.z},
                                                        .normal = n,
                                                        .obstacle = VP_CHARACTER_BLOCK,
                                                        .at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE},
                                                        .material = (uint8_t)block.type};
    }
}

/* The part of the way that was not gone, on the axis with the most progress. */
static float find_part_left(vp_vec3 from, vp_vec3 motion, const vp_block_move_result *moved)
{
    const vp_real3 gone_all = vp_real3_sub(vp_real3_of(moved->centre), vp_real3_of(from));
    const double gone_on[3] = {gone_all.x, gone_all.y, gone_all.z}, way_on[3] = {(double)motion.x, (double)motion.y, (double)motion.z};
    double max = 0.0;
    bool moves = false;
    for (uint32_t a = 0; a < 3; a++) {
        const double way = way_on[a], gone = gone_on[a];
        moves = moves || way != 0.0;
        if (way != 0.0 && gone / way > max)
            max = gone / way;
    }
    return moves && max < 1.0 - 1e-6 ? (float)(1.0 - max) : 0.0f; /* plus roundings */
}

vp_status vp_walk_blocks(const vp_walk *w, vp_vec3 motion, vp_character_result *out)
{
    const vp_character *c = w->character;
    vp_block_mover mover = {.half = c->shape->half, .up = c->up, .step = c->step, .kernels = c->kernels};
    const vp_vec3 up = vp_real3_rounded(w->up), from = vp_walk_at(w);
    vp_block_move_result moved, start, down;
    VP_RETURN_IF_FAILED(vp_block_move(w->world->blocks, &mover, from, motion, &moved, w->error));
    const bool falls = moved.ground == 0 && !moved.inside && vp_vec3_dot(motion, up) <= 0.0f;
    *out = (vp_character_result){.inside = moved.inside, .stepped = moved.stepped};
    if (falls && c->stick > 0.0f) {
        mover.step = 0.0f;
        VP_RETURN_IF_FAILED(vp_block_move(w->world->blocks, &mover, from, (vp_vec3){0.0f, 0.0f, 0.0f}, &start, w->error));
        if (start.ground != 0) {
            VP_RETURN_IF_FAILED(vp_block_move(w->world->blocks, &mover, moved.centre, vp_vec3_scale(up, -c->stick), &down, w->error));
            if (down.ground != 0) {
                moved.centre = down.centre;
                moved.ground = down.ground;
            }
        }
    }
    add_sides(w, &moved, mover.half, out);
    out->position = moved.centre;
    out->remaining = moved.inside ? 1.0f : find_part_left(from, motion, &moved);
    float velocity[3] = {motion.x, motion.y, motion.z};
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
        const bool against = (moved.sides >> side & 1u) != 0 || (side == c->up && moved.ground != 0) || moved.inside;
        float *v = &velocity[side / 2];
        if (against && (side % 2 == 1 ? *v < 0.0f : *v > 0.0f))
            *v = 0.0f;
    }
    out->velocity = (vp_vec3){velocity[0], velocity[1], velocity[2]};
    if (moved.ground != 0) {
        out->ground = VP_CHARACTER_ON_GROUND;
        out->floor = (vp_character_hit){.point = vp_walk_moved(moved.centre, w->up, -w->foot),
                                        .normal = up,
                                        .obstacle = VP_CHARACTER_BLOCK,
                                        .at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE},
                                        .material = (uint8_t)moved.ground};
    }
    return VP_OK;
}
