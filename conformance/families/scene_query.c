/* SPDX-License-Identifier: MIT */
/* scene-query: which of some spheres and triangles touch a sphere, a box, a triangle or a ray, and which touch each other. Spheres are
 * numbered first, then triangles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

enum { BY_SPHERE, BY_BOX, BY_TRIANGLE, BY_RAY, BY_PAIRS };
enum { MAX_NUMBERS = 9 };

static const char *const query_name[] = {"sphere", "box", "triangle", "ray", "pairs", NULL};
static const size_t query_numbers[] = {4, 6, MAX_NUMBERS, 7, 0};

typedef struct asked_spheres {
    vp_sphere *sphere;
    uint32_t spheres;
} asked_spheres;

typedef struct asked_query {
    int by;
    union {
        float number[MAX_NUMBERS];
        vp_sphere sphere;
        vp_aabb box;
        vp_vec3 corner[3];
        vp_ray ray;
    } is;
} asked_query;

_Static_assert(sizeof(vp_sphere) == 4 * sizeof(float) && sizeof(vp_vec3) == 3 * sizeof(float), "they are numbers alone");

static const vp_value sphere_value = {.type = JSON_ARRAY, .part = &vp_is_bits, .count = 4},
                      spheres_value = {.type = JSON_ARRAY, .part = &sphere_value},
                      query_value = {.type = JSON_ARRAY, .part = &vp_is_words, .choice = &(const vp_choice){query_name, query_numbers}};
static const vp_member sphere_members[] = {{VP_LISTED(asked_spheres, sphere, "the bits of a centre or a radius", "spheres", spheres),
                                            .name = "spheres", .is = &spheres_value, .most = VP_QUESTION_MAX_POINTS, .letters = 36},
                                           {.name = NULL}},
                       query_members[] = {{VP_AT(asked_query, by, "the bits of a query's number"), .name = "query", .is = &query_value},
                                          {.name = NULL}};
static const vp_part part_spheres = {.size = sizeof(asked_spheres),
                                     .members = sphere_members,
                                     .unit = "objects",
                                     .count = vp_part_count,
                                     .leave_out = vp_part_leave_out,
                                     .number = vp_part_number},
                     part_query = {.size = sizeof(asked_query), .members = query_members, .number = vp_part_number};

/* ---- validity ---- */

static bool is_sphere(const vp_sphere *s)
{
    return vp_place_is_finite(s->centre) && isfinite(s->radius) && s->radius >= 0.0f;
}

static bool is_triangle(const vp_vec3 corner[3])
{
    return vp_place_is_finite(corner[0]) && vp_place_is_finite(corner[1]) && vp_place_is_finite(corner[2]);
}

static bool is_sound(const vp_question *question)
{
    const asked_spheres *spheres = question->part[0];
    const asked_query *q = question->part[2];
    for (uint32_t i = 0; i < spheres->spheres; i++)
        if (!is_sphere(&spheres->sphere[i]))
            return false;
    return vp_mesh_is_finite(question->part[1]) && (q->by == BY_SPHERE     ? is_sphere(&q->is.sphere)
                                                    : q->by == BY_BOX      ? vp_box_is_sound(&q->is.box)
                                                    : q->by == BY_TRIANGLE ? is_triangle(q->is.corner)
                                                    : q->by == BY_RAY      ? vp_ray_is_sound(&q->is.ray)
                                                                           : true);
}

static int query_by(const vp_question *question)
{
    return ((const asked_query *)question->part[2])->by;
}

static json_t *unsound(const vp_question *q)
{
    const int by = query_by(q);
    if (is_sound(q))
        return NULL;
    return by == BY_RAY ? json_pack("[{s:b}, {s:b}]", "none", 1, "refused", 1)
                        : json_pack("[{s:[]}, {s:b}]", by == BY_PAIRS ? "pairs" : "touched", "refused", 1);
}

static uint32_t objects_of(const vp_question *q)
{
    return ((const asked_spheres *)q->part[0])->spheres + ((const vp_query_mesh *)q->part[1])->triangles;
}

/* ---- answering ---- */

/* Inserts all items with their numbers. Triangles form one object, or one each if pairs are asked for. */
static vp_status make_tree(const vp_question *question, const vp_kernels *kernels, vp_spheretree **out, vp_error *error)
{
    const asked_spheres *q = question->part[0];
    const vp_query_mesh *mesh = question->part[1];
    const vp_spheretree_def def = {.kernels = kernels};
    const uint32_t at_once = query_by(question) == BY_PAIRS ? 1 : mesh->triangles;
    uint32_t id;
    vp_status status = vp_spheretree_create(&def, out, error);
    for (uint32_t i = 0; status == VP_OK && i < q->spheres; i++)
        status = vp_spheretree_insert(*out, &(vp_spheretree_object){.sphere = q->sphere[i], .data = i, .mask = 1}, &id, error);
    for (uint32_t t = 0; status == VP_OK && t < mesh->triangles; t += at_once) {
        vp_triangles some = vp_mesh_triangles(mesh);
        some.index += (size_t)t * 3;
        some.triangle_count = at_once;
        status = vp_spheretree_insert_mesh(*out, &some, q->spheres + t, 1, &id, error);
    }
    return status;
}

static uint32_t number_of(const vp_spheretree *tree, vp_spheretree_item item)
{
    vp_spheretree_object object = {.data = 0};
    vp_spheretree_find(tree, item.object, &object);
    return (uint32_t)object.data + (item.triangle == VP_SPHERETREE_NONE ? 0 : item.triangle);
}

static vp_status ask_tree(const vp_spheretree *tree, const asked_query *q, vp_spheretree_item *out, uint32_t room, uint32_t *count,
                          vp_error *error)
{
    return q->by == BY_SPHERE ? vp_spheretree_sphere(tree, &q->is.sphere, NULL, out, room, count, error)
           : q->by == BY_BOX  ? vp_spheretree_box(tree, &q->is.box, NULL, out, room, count, error)
                              : vp_spheretree_triangle(tree, q->is.corner, NULL, out, room, count, error);
}

static void write_keys(uint64_t *key, uint32_t count, bool pairs, FILE *to)
{
    vp_set_sort(key, count);
    fprintf(to, "%s %u", pairs ? "pairs" : "set", count);
    for (uint32_t i = 0; i < count; i++) {
        if (pairs)
            fprintf(to, " %u", (uint32_t)(key[i] >> 32));
        fprintf(to, " %u", (uint32_t)key[i]);
    }
}

static vp_status answer_list(const vp_spheretree *tree, const asked_query *q, FILE *to, vp_error *error)
{
    const bool pairs = q->by == BY_PAIRS;
    const size_t each = pairs ? 2 : 1;
    uint32_t count = 0, again = 0;
    vp_status status = pairs ? vp_spheretree_pairs(tree, NULL, NULL, 0, &count, error) : ask_tree(tree, q, NULL, 0, &count, error);
    if (status != VP_OK)
        return status;
    void *found = malloc(((size_t)count + 1) * each * sizeof(vp_spheretree_item));
    uint64_t *key = malloc(((size_t)count + 1) * sizeof *key);
    if (found == NULL || key == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u that touch", count);
    else
        status = pairs ? vp_spheretree_pairs(tree, NULL, found, count, &again, error) : ask_tree(tree, q, found, count, &again, error);
    const vp_spheretree_item *item = found;
    for (size_t i = 0; status == VP_OK && i < count; i++)
        key[i] = pairs ? vp_set_key((const uint32_t[2]){number_of(tree, item[2 * i]), number_of(tree, item[2 * i + 1])}, 2)
                       : number_of(tree, item[i]);
    if (status == VP_OK)
        write_keys(key, count, pairs, to);
    free(found);
    free(key);
    return status;
}

static vp_status answer_ray(const vp_spheretree *tree, const vp_ray *ray, FILE *to, vp_error *error)
{
    vp_spheretree_hit hit;
    const vp_status status = vp_spheretree_ray(tree, ray, NULL, &hit, error);
    if (status == VP_OK && hit.item.object == VP_SPHERETREE_NONE)
        fputs("none", to);
    else if (status == VP_OK)
        fprintf(to, "hit %u %s", number_of(tree, hit.item), vp_bits_of(hit.t).text);
    return status;
}

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const asked_query *q = question->part[2];
    vp_spheretree *tree = NULL;
    vp_status status = make_tree(question, kernels, &tree, error);
    if (status == VP_OK)
        status = q->by == BY_RAY ? answer_ray(tree, &q->is.ray, to, error) : answer_list(tree, q, to, error);
    vp_spheretree_destroy(tree);
    return status;
}

/* ---- answers ---- */

static bool read(const vp_question *q, vp_words *words, vp_answer *out)
{
    const int by = query_by(q);
    return by == BY_RAY
               ? vp_ray_read(q, words, out)
               : vp_word_said(words, by == BY_PAIRS ? "pairs" : "set") && vp_answer_list(words, by == BY_PAIRS ? 2 : 1, objects_of(q), out);
}

static vp_status judge(const vp_judging *j, bool *right)
{
    const int by = query_by(j->q);
    return by == BY_RAY     ? vp_ray_judge(j, right)
           : by == BY_PAIRS ? vp_set_judge(j, 2, "pairs", "may_pair", right)
                            : vp_set_judge(j, 1, "touched", "may_touch", right);
}

/* ---- expected answers ---- */

/* Checks objects with t for a ray, pairs for pairs, and numbers otherwise. */
static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    static const char *const all[6] = {"object", "t", "touched", "may_touch", "pairs", "may_pair"};
    const int by = query_by(q);
    const size_t first = by == BY_RAY ? 0 : by == BY_PAIRS ? 4 : 2;
    const int64_t objects = objects_of(q);
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && i < 6; i++) {
        const bool there = json_object_get(alternative, all[i]) != NULL, may = i == 3 || i == 5, its = i >= first && i < first + 2;
        if (there ? !its : its && !may)
            status = vp_expected_wrong(alternative, all[i], error);
        else if (there && (i == 2 || i == 3))
            status = vp_expected_below(alternative, all[i], (uint32_t)objects, false, error);
    }
    if (status == VP_OK && by == BY_RAY && json_integer_value(json_object_get(alternative, "object")) >= objects)
        return vp_expected_wrong(alternative, "object", error);
    for (size_t m = 4; status == VP_OK && m < 6; m++) {
        const json_t *list = json_object_get(alternative, all[m]);
        for (size_t i = 0; i < json_array_size(list); i++)
            if (json_integer_value(json_array_get(json_array_get(list, i), 1)) >= objects)
                return vp_expected_wrong(alternative, all[m], error);
    }
    return status;
}

/* The lower number comes first. */
static bool is_pair(json_t *value)
{
    return json_integer_value(json_array_get(value, 0)) < json_integer_value(json_array_get(value, 1));
}

static const vp_value pair = {.type = JSON_ARRAY, .part = &vp_is_whole, .count = 2, .also = is_pair},
                      pairs_value = {.type = JSON_ARRAY, .part = &pair, .also = vp_value_unique};
static const vp_member expected[] = {{.name = "object", .is = &vp_is_whole, .otherwise = ""},
                                     {.name = "t", .is = &vp_is_range, .otherwise = ""},
                                     {.name = "touched", .is = &vp_is_numbers, .otherwise = ""},
                                     {.name = "may_touch", .is = &vp_is_numbers, .otherwise = ""},
                                     {.name = "pairs", .is = &pairs_value, .otherwise = ""},
                                     {.name = "may_pair", .is = &pairs_value, .otherwise = ""},
                                     {.name = NULL}};

/* ---- judging by another program's answers ---- */

/* Answers to 27 nearby queries: how often each object was hit, the lowest and highest t of a ray, and whether nothing was hit. */
typedef struct object_sayings {
    struct said {
        uint32_t times;
        float low, high;
    } * of;
    bool none, nonsense;
} object_sayings;

static vp_status ask_one(const vp_likening *l, const asked_query *query, object_sayings *s)
{
    asked_query other = *query;
    vp_question q = *l->q; /* its pointers are only read */
    vp_answer a = {.kind = VP_ANSWER_OTHER};
    char *words = NULL;
    vp_error why;
    q.part[2] = &other;
    const vp_status status = l->ask(l->user, &q, &words, l->error);
    const bool said = status == VP_OK && words != NULL && vp_answer_read(&q, words, &a, &why) == VP_OK;
    s->nonsense = s->nonsense || !said;
    s->none = s->none || (said && a.kind == VP_ANSWER_NONE);
    for (uint32_t i = 0; said && i < a.count; i++)
        s->of[a.number[i]].times++;
    if (said && a.kind == VP_ANSWER_HIT && a.place[0] >= 0 && (uint32_t)a.place[0] < objects_of(&q)) {
        struct said *said_of = &s->of[a.place[0]];
        said_of->low = fminf(said_of->low, a.t);
        said_of->high = fmaxf(said_of->high, a.t);
    }
    vp_answer_drop(&a);
    free(words);
    return status;
}

/* Asks a query at 27 places, including its own. */
static vp_status ask_around(const vp_likening *l, const asked_query *query, double beside, object_sayings *s)
{
    vp_status status = VP_OK;
    const size_t places = query->by == BY_SPHERE || query->by == BY_RAY ? 1 : query->by == BY_BOX ? 2 : 3;
    s->none = s->nonsense = false;
    for (uint32_t i = 0; i < objects_of(l->q); i++)
        s->of[i] = (struct said){0, INFINITY, -INFINITY};
    for (int move = 0; status == VP_OK && move < 27; move++) {
        const double by[3] = {beside * (move % 3 - 1), beside * (move / 3 % 3 - 1), beside * (move / 9 - 1)};
        asked_query moved = *query;
        for (size_t i = 0; i < places * 3; i++)
            moved.is.number[i] = (float)((double)query->is.number[i] + by[i % 3]);
        status = ask_one(l, &moved, s);
    }
    return status;
}

static double size_of(const vp_question *question)
{
    const asked_spheres *q = question->part[0];
    const vp_query_mesh *mesh = question->part[1];
    const asked_query *query = question->part[2];
    double size = 0.0;
    for (size_t i = 0; i < (size_t)q->spheres * 4; i++)
        size = fmax(size, fabs((double)((const float *)q->sphere)[i]));
    for (size_t i = 0; i < (size_t)mesh->points * 3; i++)
        size = fmax(size, fabs((double)((const float *)mesh->point)[i]));
    const size_t numbers = query->by == BY_RAY ? 3 : query_numbers[query->by];
    for (size_t i = 0; i < numbers; i++)
        if (isfinite(query->is.number[i])) /* faces of a box may be infinite */
            size = fmax(size, fabs((double)query->is.number[i]));
    return size;
}

/* @param certain  list the objects that were always touched, otherwise those that were sometimes touched */
static json_t *touched_json(const object_sayings *s, uint32_t from, uint32_t to, const uint32_t *with, bool certain)
{
    json_t *list = json_array();
    for (uint32_t i = from; i < to; i++)
        if (s->of[i].times > 0 && (s->of[i].times == 27) == certain)
            json_array_append_new(list, with != NULL ? json_pack("[i, i]", (int)*with, (int)i) : json_integer(i));
    return list;
}

static vp_status like_ray(const vp_likening *l, object_sayings *s, double beside)
{
    const asked_query *q = l->q->part[2];
    const vp_vec3 d = q->is.ray.direction;
    const double slack = beside / fmax(fabs((double)d.x), fmax(fabs((double)d.y), fabs((double)d.z)));
    bool begins = false, same;
    vp_status status = ask_around(l, q, beside, s);
    json_t *list = json_array();
    for (uint32_t i = 0; status == VP_OK && i < objects_of(l->q); i++)
        if (s->of[i].low <= s->of[i].high) {
            json_array_append_new(list, json_pack("{s:i, s:[o, o]}", "object", (int)i, "t",
                                                  vp_bits_json(fmax((double)s->of[i].low - slack, 0.0), -INFINITY),
                                                  vp_bits_json((double)s->of[i].high + slack, INFINITY)));
            begins = begins || (double)s->of[i].low <= slack;
        }
    if (s->none)
        json_array_append_new(list, json_pack("{s:b}", "none", 1));
    if (status != VP_OK) {
        json_decref(list);
        return status;
    }
    status = vp_like_expected(l, l->words, list, &same);
    if (status != VP_OK || same)
        return status;
    return begins || isfinite(q->is.ray.t_max)
               ? vp_like_undecided(l, "the ray begins at an object, or ends, and which it meets may be a matter of roundings")
               : status;
}

/* For pairs, the trusted program is asked about each object as a query. */
static vp_status like_pairs(const vp_likening *l, object_sayings *s, double beside)
{
    const asked_spheres *spheres = l->q->part[0];
    const vp_query_mesh *mesh = l->q->part[1];
    const uint32_t objects = objects_of(l->q);
    json_t *must = json_array(), *may = json_array();
    bool same;
    vp_status status = VP_OK;
    s->nonsense = false;
    for (uint32_t i = 0; status == VP_OK && !s->nonsense && i < objects; i++) {
        asked_query q = {.by = BY_SPHERE};
        if (i < spheres->spheres)
            q.is.sphere = spheres->sphere[i];
        else
            q.by = BY_TRIANGLE;
        for (int k = 0; q.by == BY_TRIANGLE && k < 3; k++)
            q.is.corner[k] = mesh->point[mesh->triangle[i - spheres->spheres][k]];
        status = ask_around(l, &q, beside, s);
        if (status != VP_OK)
            break;
        json_t *certain = touched_json(s, i + 1, objects, &i, true), *perhaps = touched_json(s, i + 1, objects, &i, false);
        json_array_extend(must, certain);
        json_array_extend(may, perhaps);
        json_decref(certain);
        json_decref(perhaps);
    }
    json_t *wanted = json_pack("{s:o, s:o}", "pairs", must, "may_pair", may);
    if (status == VP_OK && !s->nonsense)
        return vp_like_expected(l, l->words, wanted, &same);
    json_decref(wanted);
    return status;
}

static vp_status like(const vp_likening *l, const vp_answer *right)
{
    const int by = query_by(l->q);
    const uint32_t objects = objects_of(l->q);
    const double beside = size_of(l->q) * 0x1p-21;
    object_sayings s = {.of = calloc((size_t)objects + 1, sizeof *s.of)};
    bool same;
    vp_status status = VP_OK;
    if (s.of == NULL) {
        status = vp_fail(l->error, VP_E_MEMORY, "no memory for %u objects", objects);
    } else if (by == BY_RAY) {
        status = like_ray(l, &s, beside);
    } else if (by == BY_PAIRS) {
        status = like_pairs(l, &s, beside);
    } else {
        status = ask_around(l, l->q->part[2], beside, &s);
        if (status == VP_OK && !s.nonsense)
            status = vp_like_expected(l, l->words,
                                      json_pack("{s:o, s:o}", "touched", touched_json(&s, 0, objects, NULL, true), "may_touch",
                                                touched_json(&s, 0, objects, NULL, false)),
                                      &same);
    }
    if (status == VP_OK && s.nonsense)
        status = vp_like_undecided(l, "the other program does not answer queries next to this one");
    free(s.of);
    return status;
}

const vp_family vp_family_scene_query = {VP_FAMILY_ANSWERED("scene-query", VP_SET | VP_TIE | VP_BOUND | VP_NONE | VP_REFUSED),
                                         .read = read,
                                         .judge = judge,
                                         .part = {&part_spheres, &vp_part_mesh, &part_query},
                                         .sound = sound,
                                         .unsound = unsound,
                                         .like = like};
