/* SPDX-License-Identifier: MIT */
/* Questions to a scene: parsing, random batches, answers and timing. */
#include <math.h>
#include <stdlib.h>

#include "datasets/hash.h"
#include "datasets/random.h"
#include "host/line_file.h"
#include "host/program.h"
#include "tools/scene/scene.h"

const char *const vp_question_words[VP_QUESTION_KINDS] = {"sphere", "box", "triangle", "ray", "ray-any", "ray-all", "pairs"};

/* Number of values of each kind. t_max of rays is optional. */
static const size_t least[VP_QUESTION_KINDS] = {4, 6, 9, 6, 6, 6, 0}, most[VP_QUESTION_KINDS] = {4, 6, 9, 7, 7, 7, 0};

enum { SHOWN_PAIRS = 1 << 22 }; /* more pairs are counted but not sorted */
#define LONG_ENOUGH 0.02        /* measured time of a batch, seconds */
#define LONG        0.5

/* ---- given questions ---- */

static vp_scene_question question_of(vp_question_kind kind, const float *n, size_t count)
{
    const vp_vec3 a = {n[0], n[1], n[2]}, b = {n[3], n[4], n[5]}, c = {n[6], n[7], n[8]};
    vp_scene_question q;
    switch (kind) {
    case VP_QUESTION_SPHERE:
        q.sphere = (vp_sphere){a, n[3]};
        break;
    case VP_QUESTION_BOX:
        q.box = (vp_aabb){a, b};
        break;
    case VP_QUESTION_TRIANGLE:
        q.triangle[0] = a;
        q.triangle[1] = b;
        q.triangle[2] = c;
        break;
    default:
        q.ray = (vp_ray){a, b, count == 7 ? n[6] : INFINITY};
    }
    return q;
}

bool vp_question_parse(const char *text, vp_questions *out)
{
    char copy[VP_LINE_BYTES], *rest;
    float number[9] = {0};
    size_t count = 0;
    int kind = 0;
    snprintf(copy, sizeof copy, "%s", text);
    const char *word = strtok_r(copy, " \t,", &rest);
    while (kind < VP_QUESTION_KINDS && (word == NULL || strcmp(word, vp_question_words[kind]) != 0))
        kind++;
    if (kind == VP_QUESTION_KINDS || strlen(text) >= sizeof copy)
        return VP_REFUSE("scene", "--query '%.60s': must begin with one of sphere, box, triangle, ray, ray-any, ray-all, pairs", text);
    *out = (vp_questions){.kind = (vp_question_kind)kind, .count = 1};
    if (vp_text_has_empty_word(text))
        return VP_REFUSE("scene", "--query '%.60s' has a comma without a word before or after it", text);
    for (word = strtok_r(NULL, " \t,", &rest); word != NULL; word = strtok_r(NULL, " \t,", &rest)) {
        float value;
        if (!vp_text_float(word, &value))
            return VP_REFUSE("scene", "--query '%.60s': '%.40s' is not a finite number that 32 bits hold", text, word);
        if (count < 9)
            number[count] = value;
        count++;
    }
    out->batch = count == 0 && kind != VP_QUESTION_PAIRS;
    if (!out->batch && (count < least[kind] || count > most[kind]))
        return VP_REFUSE("scene", "--query '%.60s' has %zu number%s; %s takes %zu%s", text, count, vp_plural(count),
                         vp_question_words[kind], least[kind], most[kind] > least[kind] ? " or 7" : "");
    if (out->batch || kind == VP_QUESTION_PAIRS)
        return true;
    out->question = malloc(sizeof *out->question);
    if (out->question == NULL)
        fputs("voxphys scene: no memory for a question\n", stderr);
    else
        *out->question = question_of(out->kind, number, count);
    return out->question != NULL;
}

/* ---- a batch ---- */

static float within(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

static vp_vec3 near(vp_random *r, const vp_sphere *thing, float far, float limit)
{
    const vp_vec3 by = vp_vec3_scale(vp_random_vec3(r, (vp_vec3){-far, -far, -far}, (vp_vec3){far, far, far}), thing->radius);
    const vp_vec3 p = vp_vec3_add(thing->centre, by);
    return (vp_vec3){within(p.x, limit), within(p.y, limit), within(p.z, limit)};
}

/* A sphere of the scene, or a sphere about as large as one of its triangles. */
static vp_sphere any_thing(const vp_scene *s, vp_random *r)
{
    const uint32_t i = vp_random_below(r, s->spheres + s->triangles);
    uint32_t before = 0, object = 0, c[3];
    while (s->mesh[object] == VP_SPHERETREE_NONE ? i != before : i - before >= s->of_mesh[s->mesh[object]].triangle_count)
        before += s->mesh[object] == VP_SPHERETREE_NONE ? 1 : s->of_mesh[s->mesh[object]].triangle_count, object++;
    if (s->mesh[object] == VP_SPHERETREE_NONE)
        return s->object[object].sphere;
    const vp_triangles *mesh = &s->of_mesh[s->mesh[object]];
    vp_triangle_corners(mesh, i - before, c);
    const vp_vec3 a = mesh->vertex[c[0]], low = vp_vec3_min(a, vp_vec3_min(mesh->vertex[c[1]], mesh->vertex[c[2]])),
                  high = vp_vec3_max(a, vp_vec3_max(mesh->vertex[c[1]], mesh->vertex[c[2]]));
    return (vp_sphere){a, fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z))};
}

static vp_scene_question make_question(const vp_scene *s, vp_question_kind kind, vp_random *r)
{
    const vp_sphere thing = any_thing(s, r), other = any_thing(s, r);
    vp_scene_question q;
    switch (kind) {
    case VP_QUESTION_SPHERE:
        q.sphere = (vp_sphere){near(r, &thing, 2, VP_SPHERETREE_MAX), thing.radius};
        break;
    case VP_QUESTION_BOX: {
        const vp_vec3 at = near(r, &thing, 2, VP_SPHERETREE_MAX), half = {thing.radius, thing.radius, thing.radius};
        q.box = (vp_aabb){vp_vec3_sub(at, half), vp_vec3_add(at, half)};
        break;
    }
    case VP_QUESTION_TRIANGLE:
        for (int k = 0; k < 3; k++)
            q.triangle[k] = near(r, &thing, 2, VP_SPHERETREE_MAX);
        break;
    default: {
        const vp_vec3 from = near(r, &thing, 4, VP_KD_MAX), along = vp_vec3_sub(near(r, &other, 1, VP_SPHERETREE_MAX), from);
        q.ray = (vp_ray){from, along.x == 0 && along.y == 0 && along.z == 0 ? (vp_vec3){1, 0, 0} : along, INFINITY};
    }
    }
    return q;
}

vp_status vp_questions_make(const vp_scene *s, uint32_t count, vp_questions *out, vp_error *error)
{
    vp_random r = {(uint64_t)out->kind};
    out->count = count;
    out->question = malloc(count * sizeof *out->question);
    if (out->question == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u questions", count);
    for (uint32_t i = 0; i < count; i++)
        out->question[i] = make_question(s, out->kind, &r);
    return VP_OK;
}

/* ---- answers ---- */

void vp_answer_destroy(vp_scene_answer *a)
{
    free(a->item);
    free(a->hit);
    free(a->pair);
    *a = (vp_scene_answer){0};
}

static int by_item(const void *a, const void *b)
{
    const vp_spheretree_item *p = a, *q = b;
    return p->object != q->object ? (p->object < q->object ? -1 : 1) : p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

static int by_pair(const void *a, const void *b)
{
    const int first = by_item(&((const vp_spheretree_pair *)a)->a, &((const vp_spheretree_pair *)b)->a);
    return first != 0 ? first : by_item(&((const vp_spheretree_pair *)a)->b, &((const vp_spheretree_pair *)b)->b);
}

/* ---- one question ---- */

typedef struct behind {
    const vp_scene_trees *trees;
    vp_question_kind kind;
    const vp_scene_question *question;
} behind;

/* The object-level test of a scene in two levels, by the mesh's own tree. */
static bool ask_behind(void *user, uint32_t object, uint64_t data, float *t)
{
    const behind *b = user;
    const uint32_t mesh = b->trees->scene->mesh[object];
    const vp_scene_question *q = b->question;
    vp_spheretree_hit hit;
    uint32_t count = 0;
    (void)data;
    if (mesh == VP_SPHERETREE_NONE)
        return true;
    const vp_spheretree *tree = b->trees->of_mesh[mesh];
    if (b->kind == VP_QUESTION_SPHERE)
        return vp_spheretree_sphere(tree, &q->sphere, NULL, NULL, 0, &count, NULL) == VP_OK && count > 0;
    if (b->kind == VP_QUESTION_BOX)
        return vp_spheretree_box(tree, &q->box, NULL, NULL, 0, &count, NULL) == VP_OK && count > 0;
    if (b->kind == VP_QUESTION_TRIANGLE)
        return vp_spheretree_triangle(tree, q->triangle, NULL, NULL, 0, &count, NULL) == VP_OK && count > 0;
    if (vp_spheretree_ray(tree, &q->ray, NULL, &hit, NULL) != VP_OK || hit.item.object == VP_SPHERETREE_NONE)
        return false;
    *t = fmaxf(*t, hit.t); /* entering the bounding sphere may round to a larger t */
    return true;
}

/* Asks a question. `count` may exceed the capacity of the answer. */
static vp_status ask(const vp_scene_trees *trees, vp_question_kind kind, const vp_scene_question *q, vp_spheretree_cost *cost,
                     vp_scene_answer *a, vp_error *error)
{
    behind b = {trees, kind, q};
    const vp_spheretree_query query = {.mask = trees->mask, .test = trees->of_mesh != NULL ? ask_behind : NULL, .user = &b, .cost = cost};
    uint32_t count = 0;
    bool any = false;
    vp_status status = VP_OK;
    switch (kind) {
    case VP_QUESTION_SPHERE:
        status = vp_spheretree_sphere(trees->top, &q->sphere, &query, a->item, a->room, &count, error);
        break;
    case VP_QUESTION_BOX:
        status = vp_spheretree_box(trees->top, &q->box, &query, a->item, a->room, &count, error);
        break;
    case VP_QUESTION_TRIANGLE:
        status = vp_spheretree_triangle(trees->top, q->triangle, &query, a->item, a->room, &count, error);
        break;
    case VP_QUESTION_RAY:
        status = vp_spheretree_ray(trees->top, &q->ray, &query, a->hit, error);
        count = status == VP_OK && a->hit->item.object != VP_SPHERETREE_NONE;
        break;
    case VP_QUESTION_RAY_ANY:
        status = vp_spheretree_ray_any(trees->top, &q->ray, &query, &any, error);
        count = any;
        break;
    case VP_QUESTION_RAY_ALL:
        status = vp_spheretree_ray_all(trees->top, &q->ray, &query, a->hit, a->room, &count, error);
        break;
    default:
        status = vp_spheretree_pairs(trees->top, &query, a->pair, a->room, &count, error);
    }
    a->count = count;
    return status;
}

/* ---- batches ---- */

static bool make_room(vp_question_kind kind, uint32_t room, vp_scene_answer *a)
{
    void *item = a->item, *hit = a->hit, *pair = a->pair;
    if (kind <= VP_QUESTION_TRIANGLE)
        item = realloc(item, room * sizeof *a->item);
    else if (kind == VP_QUESTION_PAIRS)
        pair = realloc(pair, room * sizeof *a->pair);
    else
        hit = realloc(hit, room * sizeof *a->hit);
    if ((kind <= VP_QUESTION_TRIANGLE ? item : kind == VP_QUESTION_PAIRS ? pair : hit) == NULL)
        return false;
    a->item = item;
    a->hit = hit;
    a->pair = pair;
    a->room = room;
    return true;
}

/* Finds the sorted answer to a question. Too many pairs are only counted. Its time is added to *seconds. */
static vp_status answer(const vp_scene_trees *trees, vp_question_kind kind, const vp_scene_question *q, vp_spheretree_cost *cost,
                        vp_scene_answer *a, double *seconds, vp_error *error)
{
    const uint32_t room = kind == VP_QUESTION_PAIRS ? 1 << 16 : 64;
    const double begin = vp_seconds();
    vp_status status = a->room > 0 || make_room(kind, room, a) ? ask(trees, kind, q, cost, a, error) : VP_E_MEMORY;
    *seconds += vp_seconds() - begin;
    const bool fits = kind != VP_QUESTION_PAIRS || a->count <= SHOWN_PAIRS;
    if (status == VP_OK && a->count > a->room && fits)
        status = make_room(kind, (uint32_t)a->count, a) ? ask(trees, kind, q, NULL, a, error) : VP_E_MEMORY;
    if (status == VP_E_MEMORY)
        return vp_fail(error, status, "no memory for the results of a question");
    if (status != VP_OK || !fits || a->count == 0)
        return status;
    if (kind <= VP_QUESTION_TRIANGLE)
        qsort(a->item, (size_t)a->count, sizeof *a->item, by_item);
    if (kind == VP_QUESTION_PAIRS)
        qsort(a->pair, (size_t)a->count, sizeof *a->pair, by_pair);
    return VP_OK;
}

static void hash_answer(vp_hasher *h, vp_question_kind kind, const vp_scene_answer *a)
{
    vp_hash_u32(h, (uint32_t)a->count);
    if (kind == VP_QUESTION_RAY_ANY || a->count > a->room)
        return;
    if (kind <= VP_QUESTION_TRIANGLE)
        vp_hash_words(h, a->item, (size_t)a->count * 2);
    else if (kind == VP_QUESTION_PAIRS)
        vp_hash_words(h, a->pair, (size_t)a->count * 4);
    else
        vp_hash_words(h, a->hit, (size_t)a->count * 5);
}

/* Times the questions without counting the cost, and repeats them if the time is short. */
static vp_status time_them(const vp_scene_trees *trees, vp_questions *q, vp_scene_answer *a, vp_error *error)
{
    vp_status status = VP_OK;
    uint32_t runs = 0;
    const double begin = vp_seconds();
    do {
        for (uint32_t i = 0; status == VP_OK && i < q->count; i++)
            status = ask(trees, q->kind, q->question != NULL ? &q->question[i] : NULL, NULL, a, error);
        q->seconds = vp_seconds() - begin;
        runs++;
    } while (status == VP_OK && q->seconds < LONG_ENOUGH);
    q->seconds /= runs;
    return status;
}

vp_status vp_questions_ask(const vp_scene_trees *trees, vp_questions *q, vp_error *error)
{
    vp_hasher h;
    vp_scene_answer a = {0};
    vp_status status = VP_OK;
    vp_hash_begin(&h);
    for (uint32_t i = 0; status == VP_OK && i < q->count; i++) {
        status = answer(trees, q->kind, q->question != NULL ? &q->question[i] : NULL, &q->cost, &a, &q->seconds, error);
        if (status != VP_OK)
            break;
        hash_answer(&h, q->kind, &a);
        q->found += a.count;
        if (i == 0) {
            q->answer = a;
            a = (vp_scene_answer){0};
        }
        if (i % 256 == 0)
            vp_progress(vp_question_words[q->kind], i, q->count);
    }
    vp_progress("", 1, 1);
    q->digest = vp_hash_end(&h);
    if (status == VP_OK && q->seconds < LONG) /* long runs are not repeated */
        status = a.room > 0 || make_room(q->kind, q->answer.room, &a)
                     ? time_them(trees, q, &a, error)
                     : vp_fail(error, VP_E_MEMORY, "no memory for the results of a question");
    vp_answer_destroy(&a);
    return status;
}
