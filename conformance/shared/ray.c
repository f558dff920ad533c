/* SPDX-License-Identifier: MIT */
/* Judges rays. Rounding can decide which triangle a ray meets and whether it meets one. So the makers of the corpus also ask about nearby
 * rays (conformance/corpus/make/rays.py, grids.py), and this file asks a trusted program about them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/real3.h"
#include "conformance/shared/shared.h"

/* ---- boxes and rays ---- */

static void move_box(void *part, vp_vec3 by)
{
    vp_aabb *box = part;
    box->min = vp_vec3_add(box->min, by);
    box->max = vp_vec3_add(box->max, by);
}

static const vp_member
    box_members[] = {{.name = "min", .is = &vp_is_place, .what = "the bits of a lower face", .at = offsetof(vp_aabb, min)},
                     {.name = "max", .is = &vp_is_place, .what = "the bits of an upper face", .at = offsetof(vp_aabb, max)},
                     {.name = NULL}},
    ray_members[] = {{.name = "origin", .is = &vp_is_place, .what = "the bits of the origin", .at = offsetof(vp_ray, origin)},
                     {.name = "direction", .is = &vp_is_place, .what = "the bits of the direction", .at = offsetof(vp_ray, direction)},
                     {.name = "t_max", .is = &vp_is_bits, .what = "the bits of t_max", .at = offsetof(vp_ray, t_max)},
                     {.name = NULL}};
const vp_part vp_part_box = {.size = sizeof(vp_aabb), .members = box_members, .number = vp_part_number, .move = move_box};
const vp_part vp_part_ray = {.size = sizeof(vp_ray), .members = ray_members, .number = vp_part_number};

bool vp_box_is_sound(const vp_aabb *box)
{
    return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

bool vp_ray_is_sound(const vp_ray *ray)
{
    const vp_vec3 d = ray->direction;
    return vp_place_is_finite(ray->origin) && vp_place_is_finite(d) && (d.x != 0.0f || d.y != 0.0f || d.z != 0.0f) && ray->t_max >= 0.0f;
}

/* ---- rays ---- */

vp_status vp_ray_cast(const vp_triangles *triangles, const vp_ray *ray, const vp_kernels *kernels, vp_hit *out, vp_error *error)
{
    vp_kd *tree = NULL;
    vp_status status = vp_mesh_tree(triangles, kernels, &tree, error);
    if (status == VP_OK)
        status = vp_kd_raycast(tree, ray, out, error);
    vp_kd_destroy(tree);
    return status;
}

/* The hit item is the first member of an alternative: {"cell": [X, Y, Z]}, {"triangle": NUMBER} or {"hit": true}. */
static int places_of(const vp_family *family)
{
    const vp_value *is = family->expected[0].is;
    return is == &vp_is_cell ? 3 : is == &vp_is_whole ? 1 : 0;
}

static json_t *met_json(const vp_family *family, const int32_t place[3])
{
    const int places = places_of(family);
    return places == 3   ? json_pack("[i, i, i]", (int)place[0], (int)place[1], (int)place[2])
           : places == 1 ? json_integer(place[0])
                         : json_true();
}

bool vp_ray_read(const vp_question *q, vp_words *words, vp_answer *out)
{
    const int places = places_of(q->family);
    int64_t number;
    out->kind = VP_ANSWER_NONE;
    if (vp_word_said(words, "none"))
        return true;
    out->kind = VP_ANSWER_HIT;
    if (!vp_word_said(words, "hit"))
        return false;
    for (int k = 0; k < places; k++) {
        if (!vp_word_whole(words, INT32_MIN, INT32_MAX, &number))
            return false;
        out->place[k] = (int32_t)number;
    }
    return vp_word_float(words, &out->t);
}

static bool is_range(json_t *value)
{
    return vp_value_bits(json_array_get(value, 0)) <= vp_value_bits(json_array_get(value, 1));
}

const vp_value vp_is_range = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 2, .also = is_range};

bool vp_is_within(float value, const json_t *range)
{
    return value >= vp_value_bits(json_array_get(range, 0)) && value <= vp_value_bits(json_array_get(range, 1));
}

vp_status vp_ray_judge(const vp_judging *j, bool *right)
{
    const vp_family *family = j->q->family;
    const json_t *range = json_object_get(j->alternative, "t");
    json_t *met = met_json(family, j->answer->place);
    *right = j->answer->kind == VP_ANSWER_HIT && vp_is_within(j->answer->t, range) &&
             json_equal(met, json_object_get(j->alternative, family->expected[0].name));
    json_decref(met);
    return met != NULL ? VP_OK : vp_fail(j->error, VP_E_MEMORY, "no memory for an answer");
}

/* The question's mesh, NULL = cells. */
static const vp_query_mesh *mesh_of(const vp_question *q)
{
    return q->family->part[0] == &vp_part_placed_grid ? NULL : q->part[0];
}

json_t *vp_ray_unsound(const vp_question *q)
{
    const bool sound = vp_ray_is_sound(q->part[1]) && (mesh_of(q) == NULL || vp_mesh_is_finite(mesh_of(q)));
    return sound ? NULL : json_pack("[{s:b}, {s:b}]", "none", 1, "refused", 1);
}

/* ---- alike ---- */

/* Items that the ray and nearby rays met, with their range of t. */
typedef struct sayings {
    struct met {
        int32_t place[3];
        float low, high;
    } * met;
    size_t count, room;
    bool none;
} sayings;

static vp_status add_saying(sayings *s, const vp_answer *a, vp_error *error)
{
    size_t i = 0;
    while (i < s->count && memcmp(s->met[i].place, a->place, sizeof a->place) != 0)
        i++;
    if (i == s->room) {
        struct met *more = realloc(s->met, (s->room * 2 + 8) * sizeof *more);
        if (more == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for what a ray meets");
        s->met = more;
        s->room = s->room * 2 + 8;
    }
    if (i == s->count) {
        s->met[i].low = s->met[i].high = a->t;
        memcpy(s->met[i].place, a->place, sizeof a->place);
        s->count++;
    }
    s->met[i].low = fminf(s->met[i].low, a->t);
    s->met[i].high = fmaxf(s->met[i].high, a->t);
    return VP_OK;
}

/* @param none  whether nothing was met, false if there was no answer */
static vp_status ask_beside(const vp_likening *l, sayings *s, vp_ray ray, bool *none)
{
    vp_question q = *l->q;                   /* its pointers are only read */
    vp_answer a = {.kind = VP_ANSWER_OTHER}; /* owns no memory for a ray */
    char *words = NULL;
    vp_error why;
    q.part[1] = &ray;
    vp_status status = l->ask(l->user, &q, &words, l->error);
    const bool said = status == VP_OK && words != NULL && vp_answer_read(&q, words, &a, &why) == VP_OK;
    *none = said && a.kind == VP_ANSWER_NONE;
    if (said && a.kind == VP_ANSWER_HIT)
        status = add_saying(s, &a, l->error);
    free(words);
    return status;
}

static double longest_of(vp_vec3 d)
{
    return fmax(fabs((double)d.x), fmax(fabs((double)d.y), fabs((double)d.z)));
}

static vp_vec3 moved(vp_vec3 from, double x, double y, double z)
{
    return (vp_vec3){(float)((double)from.x + x), (float)((double)from.y + y), (float)((double)from.z + z)};
}

/* One of 27 nearby origins, including the original. */
static vp_vec3 origin_beside(vp_vec3 origin, int move, double beside)
{
    return moved(origin, beside * (move % 3 - 1), beside * (move / 3 % 3 - 1), beside * (move / 9 - 1));
}

/* Asks about rays whose start and end differ from this one by as much as rounding may move them. */
static vp_status ask_around(const vp_likening *l, bool cells, double beside, sayings *s)
{
    const vp_ray ray = *(const vp_ray *)l->q->part[1];
    const double along = beside / longest_of(ray.direction);
    vp_status status = VP_OK;
    for (int move = 0; status == VP_OK && move < 27; move++)
        for (int end = -1; status == VP_OK && end <= 1; end++) {
            vp_ray other = ray;
            bool none;
            if (isinf(ray.t_max) && end != 0)
                continue;
            other.origin = origin_beside(ray.origin, move, beside);
            if (end != 0)
                other.t_max = (float)fmax((double)ray.t_max + end * along, 0.0);
            status = ask_beside(l, s, other, &none);
            if (status != VP_OK || !none)
                continue;
            if (!cells) { /* or it begins just past a triangle */
                other.origin = moved(other.origin, -along * (double)ray.direction.x, -along * (double)ray.direction.y,
                                     -along * (double)ray.direction.z);
                other.t_max = (float)(2.0 * along);
                status = ask_beside(l, s, other, &none);
            }
            s->none = s->none || none;
        }
    return status;
}

/* Triangles that share a corner are met together, and a program reports one of them. Checks whether the reported triangle alone is met, by
 * the ray or a nearby one, as early as anything else that may be reported. */
static vp_status ask_alone(const vp_likening *l, const vp_query_mesh *mesh, double beside, double slack, sayings *s)
{
    vp_query_mesh one = *mesh; /* its pointers are only read */
    const vp_question alone = {.family = l->q->family, .part = {&one, l->q->part[1]}};
    vp_likening of_it = *l;
    vp_answer reported;
    vp_error why;
    double last = -1.0;
    vp_status status = vp_answer_read(l->q, l->words, &reported, &why); /* owns no memory for a ray */
    if (status != VP_OK || reported.kind != VP_ANSWER_HIT || reported.place[0] < 0 || (uint32_t)reported.place[0] >= mesh->triangles)
        return VP_OK;
    of_it.q = &alone;
    one.triangle = mesh->triangle + reported.place[0];
    one.triangles = 1;
    for (size_t i = 0; i < s->count; i++)
        last = fmax(last, (double)s->met[i].high + slack);
    for (int move = 0; status == VP_OK && move < 27; move++) {
        sayings met = {.met = NULL};
        vp_ray ray = *(const vp_ray *)l->q->part[1];
        bool none;
        ray.origin = origin_beside(ray.origin, move, beside);
        status = ask_beside(&of_it, &met, ray, &none);
        if (status == VP_OK && met.count > 0 && (double)met.met[0].low <= last) {
            reported.t = met.met[0].low;
            status = add_saying(s, &reported, l->error);
        }
        free(met.met);
    }
    return status;
}

json_t *vp_bits_json(double value, float towards)
{
    float out = (float)value;
    if (towards > 0.0f ? (double)out < value : (double)out > value)
        out = nextafterf(out, towards);
    return json_string(vp_bits_of(out).text);
}

static json_t *sayings_json(const sayings *s, const vp_family *family, double slack)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->count; i++) {
        const struct met *m = &s->met[i];
        json_t *t = json_pack("[o, o]", vp_bits_json(fmax((double)m->low - slack, 0.0), -INFINITY),
                              vp_bits_json((double)m->high + slack, INFINITY));
        json_array_append_new(list, json_pack("{s:o, s:o}", family->expected[0].name, met_json(family, m->place), "t", t));
    }
    if (s->none)
        json_array_append_new(list, json_pack("{s:b}", "none", 1));
    return list;
}

/* Whether a ray runs through a triangle almost in its plane. Then a hit anywhere, or none, is right. */
static bool runs_within(const vp_query_mesh *q, const vp_ray *ray, uint32_t triangle, double near)
{
    const vp_real3 d = vp_real3_of(ray->direction);
    vp_real3 v[3];
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 3; c++)
        v[c] = vp_real3_sub(vp_real3_of(q->point[q->triangle[triangle][c]]), vp_real3_of(ray->origin));
    const vp_real3 n = vp_real3_cross(vp_real3_sub(v[1], v[0]), vp_real3_sub(v[2], v[0]));
    const double length = vp_real3_length(n), way = vp_real3_length(d);
    if (length == 0.0 || fabs(vp_real3_dot(n, d)) > VP_LIKE_TOLERANCE * length * way || fabs(vp_real3_dot(n, v[0])) > near * length)
        return false;
    for (int c = 0; c < 3; c++) {
        const double side = vp_real3_dot(v[c], vp_real3_cross(n, d)) / (length * way);
        low = fmin(low, side);
        high = fmax(high, side);
    }
    return low <= near && high >= -near;
}

/* The largest absolute coordinate in the question. */
static double size_of(const vp_question *q, const vp_query_mesh *mesh)
{
    const vp_ray *ray = q->part[1];
    double size = longest_of(ray->origin);
    if (mesh == NULL) {
        const vp_query_grid *grid = q->part[0];
        const double n[6] = {grid->extents.x, grid->extents.y, grid->extents.z, grid->first.x, grid->first.y, grid->first.z};
        for (int k = 0; k < 6; k++)
            size = fmax(size, fabs(n[k]));
        return size;
    }
    for (size_t i = 0; i < (size_t)mesh->triangles * 3; i++)
        size = fmax(size, longest_of(mesh->point[mesh->triangle[i / 3][i % 3]]));
    return size;
}

/* Whether an origin is strictly inside a solid cell, which rounding cannot change. */
static bool begins_inside(const vp_query_grid *q, vp_vec3 origin)
{
    const double o[3] = {(double)origin.x - q->first.x, (double)origin.y - q->first.y, (double)origin.z - q->first.z};
    for (int k = 0; k < 3; k++)
        if (!(fabs(o[k]) < 1e9) || o[k] == floor(o[k]))
            return false;
    const size_t cell = vp_grid_number(q, (int64_t)floor(o[0]), (int64_t)floor(o[1]), (int64_t)floor(o[2]));
    return cell != SIZE_MAX && q->cells[cell] == '#';
}

vp_status vp_ray_like(const vp_likening *l, const vp_answer *of_right)
{
    const vp_query_mesh *mesh = mesh_of(l->q);
    const vp_ray *ray = l->q->part[1];
    const bool cells = mesh == NULL;
    const double size = size_of(l->q, mesh), beside = size * (cells ? 0x1p-22 : 0x1p-21),
                 slack = size * (cells ? 0x1p-20 : 0x1p-21) / longest_of(ray->direction);
    sayings s = {.none = of_right->kind == VP_ANSWER_NONE};
    bool right = false, within = false, begins = false;
    vp_status status = s.none ? VP_OK : add_saying(&s, of_right, l->error);
    if (status == VP_OK)
        status = vp_like_expected(l, l->words, sayings_json(&s, l->q->family, slack), &right);
    if (status == VP_OK && !right && !(cells && begins_inside(l->q->part[0], ray->origin))) {
        status = ask_around(l, cells, beside, &s);
        if (status == VP_OK && !cells && mesh->triangles > 1)
            status = ask_alone(l, mesh, beside, slack, &s);
        if (status == VP_OK)
            status = vp_like_expected(l, l->words, sayings_json(&s, l->q->family, slack), &right);
    }
    for (size_t i = 0; !cells && i < s.count; i++)
        begins = begins || (double)s.met[i].low <= slack;
    for (uint32_t t = 0; status == VP_OK && !cells && !right && !within && t < mesh->triangles; t++)
        within = runs_within(mesh, ray, t, 4.0 * beside);
    free(s.met);
    if (status == VP_OK && !right && begins)
        return vp_like_undecided(l, "the ray begins in a triangle, which may be met at 0, or not");
    return within ? vp_like_undecided(l, "the ray runs in the plane of a triangle") : status;
}
