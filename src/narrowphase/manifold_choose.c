/* SPDX-License-Identifier: MIT */
/* Which contacts are kept, and their names. Of those that are as good as the best, but for a little, the first is taken: so a motion that
 * changes numbers by a little changes nothing. */
#include "src/narrowphase/manifold_data.h"

#include <math.h>

#include "src/narrowphase/local.h"

/* What is chosen from, and what is chosen. */
typedef struct choice {
    const vp_manifold_work *work;
    uint32_t chunk;
    bool all;
    uint32_t count, chosen[VP_MANIFOLD_POINTS];
} choice;

static bool is_eligible(const choice *c, uint32_t i)
{
    bool eligible = c->all || c->work->triangle[c->work->contact[i].triangle].id.chunk == c->chunk;
    for (uint32_t k = 0; k < c->count; k++)
        eligible = eligible && c->chosen[k] != i;
    return eligible;
}

/* Whether no contact that is chosen has this direction. */
static bool is_new_direction(const choice *c, vp_vec3 normal)
{
    bool is_new = true;
    for (uint32_t k = 0; k < c->count; k++)
        is_new = is_new && !vp_is_one_direction(normal, c->work->contact[c->chosen[k]].normal);
    return is_new;
}

/* Whether a contact is of a place on the shape that doesn't wander as it moves: a corner, on a triangle's face. */
static bool is_firm(const vp_contact *a)
{
    const uint64_t kind = a->shape >> 62, number = a->shape & ~(UINT64_C(3) << 62);
    return a->part == VP_TRIANGLE_FACE && (kind == 2 || (kind == 3 && number >= VP_RIM_PLACES && number < VP_RIM_SIDES));
}

/* Passes over all contacts: 0 finds the one that lies furthest out; 1 takes the first firm one that lies nearly as far; 2 any. */
enum { PASSES = 3 };

static bool is_taken(const choice *c, int pass, const vp_contact *a, float out, float furthest)
{
    const float less = c->work->radius * (pass == 1 ? VP_MANIFOLD_FIRM_PLACE : VP_MANIFOLD_SAME_PLACE);
    return pass > 0 && (pass == 2 || is_firm(a)) && out >= furthest - less;
}

/* ---- a direction ---- */

/* How far out a contact lies, seen along its normal. */
static float out_of_middle(const vp_contact *a)
{
    return vp_length(vp_square_to(a->on_shape, a->normal));
}

/* The deepest of a new direction; of those that are as deep, the one that lies furthest out. */
static bool choose_direction(choice *c)
{
    const vp_contact *contact = c->work->contact, *deepest = NULL;
    const float depth = c->work->radius * VP_MANIFOLD_SAME_DEPTH;
    for (uint32_t i = 0; i < c->work->contacts; i++)
        if (is_eligible(c, i) && is_new_direction(c, contact[i].normal) && (deepest == NULL || contact[i].distance < deepest->distance))
            deepest = &contact[i];
    if (deepest == NULL)
        return false;
    float furthest = 0.0f;
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 0; i < c->work->contacts; i++) {
            const vp_contact *a = &contact[i];
            if (!is_eligible(c, i) || !is_new_direction(c, a->normal) || !vp_is_one_direction(a->normal, deepest->normal) ||
                a->distance > deepest->distance + depth)
                continue;
            const float out = out_of_middle(a);
            if (pass == 0)
                furthest = out > furthest ? out : furthest;
            else if (is_taken(c, pass, a, out, furthest)) {
                c->chosen[c->count++] = i;
                return true;
            }
        }
    return false;
}

/* ---- area ---- */

static float distance_to_segment(vp_vec3 p, vp_vec3 a, vp_vec3 b)
{
    const vp_vec3 way = vp_vec3_sub(b, a), from = vp_vec3_sub(p, a);
    const float square = vp_vec3_dot(way, way), at = vp_vec3_dot(from, way);
    if (!(square > 0.0f))
        return vp_length(from);
    const float part = vp_min(vp_max(at / square, 0.0f), 1.0f);
    return vp_length(vp_vec3_sub(from, vp_vec3_scale(way, part)));
}

/* How far p is from what the places enclose, seen along n. */
static float out_of_places(vp_vec3 p, const vp_vec3 *place, uint32_t count, vp_vec3 n)
{
    if (count < 2)
        return count == 0 ? 0.0f : vp_length(vp_vec3_sub(p, place[0]));
    float least = distance_to_segment(p, place[0], place[1]);
    if (count == 2)
        return least;
    bool left = false, right = false;
    for (int k = 0; k < 3; k++) {
        const vp_vec3 a = place[k], b = place[(k + 1) % 3];
        const float side = vp_vec3_dot(vp_vec3_cross(vp_vec3_sub(b, a), vp_vec3_sub(p, a)), n), far = distance_to_segment(p, a, b);
        left = left || side > 0.0f;
        right = right || side < 0.0f;
        least = far < least ? far : least;
    }
    return left != right ? 0.0f : least;
}

/* How far a contact is from what those of its direction enclose that are chosen. */
static float out_of_chosen(const choice *c, const vp_contact *a)
{
    vp_vec3 place[VP_MANIFOLD_POINTS];
    uint32_t count = 0;
    for (uint32_t k = 0; k < c->count; k++) {
        const vp_contact *b = &c->work->contact[c->chosen[k]];
        if (vp_is_one_direction(a->normal, b->normal))
            place[count++] = vp_square_to(b->on_shape, a->normal);
    }
    return out_of_places(vp_square_to(a->on_shape, a->normal), place, count, a->normal);
}

/* The one that lies furthest from what is enclosed, unless that is nothing. */
static bool choose_area(choice *c)
{
    const float nothing = c->work->radius * VP_MANIFOLD_NO_AREA;
    float furthest = nothing;
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 0; i < c->work->contacts; i++) {
            if (!is_eligible(c, i))
                continue;
            const float out = out_of_chosen(c, &c->work->contact[i]);
            if (pass == 0)
                furthest = out > furthest ? out : furthest;
            else if (out > nothing && is_taken(c, pass, &c->work->contact[i], out, furthest)) {
                c->chosen[c->count++] = i;
                return true;
            }
        }
    return false;
}

/* ---- names ---- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    uint64_t z = (hash ^ word) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool is_lower(vp_terrain_triangle_id a, uint32_t part_a, vp_terrain_triangle_id b, uint32_t part_b)
{
    if (a.chunk != b.chunk)
        return a.chunk < b.chunk;
    return a.triangle != b.triangle ? a.triangle < b.triangle : part_a < part_b;
}

static bool is_on(const vp_collide_triangle *t, uint32_t part, vp_vec3 a, vp_vec3 b)
{
    if (part >= VP_TRIANGLE_CORNER)
        return vp_is_same_place(t->corner[part - VP_TRIANGLE_CORNER], a);
    const uint32_t k = part - VP_TRIANGLE_EDGE;
    const vp_vec3 p = t->corner[k], q = t->corner[(k + 1) % 3];
    return (vp_is_same_place(p, a) && vp_is_same_place(q, b)) || (vp_is_same_place(p, b) && vp_is_same_place(q, a));
}

/* @param own  named by its own triangle, not by the lowest */
static uint64_t name_of(const vp_manifold_work *w, const vp_contact *a, bool own)
{
    const vp_collide_triangle *t = &w->triangle[a->triangle];
    vp_terrain_triangle_id id = t->id;
    uint32_t part = a->part;
    if (part != VP_TRIANGLE_FACE && !own) {
        const uint32_t first = part >= VP_TRIANGLE_CORNER ? VP_TRIANGLE_CORNER : VP_TRIANGLE_EDGE, k = part - first;
        const vp_vec3 p = t->corner[k], q = t->corner[(k + 1) % 3];
        for (uint32_t i = 0; i < w->count; i++)
            for (uint32_t e = first; e < first + 3; e++)
                if (is_on(&w->triangle[i], e, p, q) && is_lower(w->triangle[i].id, e, id, part)) {
                    id = w->triangle[i].id;
                    part = e;
                }
    }
    const uint64_t where = mix(mix(0, (uint64_t)w->def->surface << 8 | part), (uint64_t)id.chunk << 32 | id.triangle);
    return mix(where, a->shape);
}

/* ---- a manifold ---- */

static bool comes_before(const vp_manifold_point *a, const vp_manifold_point *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->feature < b->feature;
}

/* Two walls that meet at an edge both tell of it, and each must have a name: that of its own triangle then. */
static uint64_t only_name(const choice *c, uint32_t k)
{
    const vp_manifold_work *w = c->work;
    const uint64_t name = name_of(w, &w->contact[c->chosen[k]], false);
    bool again = false;
    for (uint32_t i = 0; i < c->count; i++)
        again = again || (i != k && name_of(w, &w->contact[c->chosen[i]], false) == name);
    return again ? name_of(w, &w->contact[c->chosen[k]], true) : name;
}

void vp_manifold_choose(const vp_manifold_work *work, uint32_t chunk, bool all, vp_manifold *out)
{
    choice c = {.work = work, .chunk = chunk, .all = all};
    while (c.count < VP_MANIFOLD_POINTS && choose_direction(&c))
        ;
    while (c.count < VP_MANIFOLD_POINTS && choose_area(&c))
        ;
    *out = (vp_manifold){.chunk = chunk, .count = c.count};
    for (uint32_t k = 0; k < c.count; k++) {
        const vp_contact *a = &work->contact[c.chosen[k]];
        const vp_collide_triangle *t = &work->triangle[a->triangle];
        const vp_manifold_point point = {.distance = a->distance,
                                         .normal = a->normal,
                                         .on_shape = a->on_shape,
                                         .on_triangle = a->on_triangle,
                                         .at = t->id,
                                         .feature = only_name(&c, k),
                                         .material = t->material};
        uint32_t i = k;
        for (; i > 0 && comes_before(&point, &out->point[i - 1]); i--)
            out->point[i] = out->point[i - 1];
        out->point[i] = point;
    }
}
