/* SPDX-License-Identifier: MIT */
/* Trees over the spheres of a scene. Results of queries are compared with those of testing every sphere, also after insertions and motions.
 * Pairs are compared with the reference's, which `voxphys verify` judges by all pairs or sweep-and-prune. Results that a library loses or
 * invents are counted. */
#include "bench/peers/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/scene.h"
#include "src/core/error.h"
#include "src/spheretree/touch.h"

/* Correct results of each question, by ascending number. A pair of a < b is a << 32 | b. */
typedef struct scene_answers {
    uint64_t *list;
    uint32_t end[VP_SCENE_QUERIES];
    float t[VP_SCENE_QUERIES]; /* rays */
    uint32_t questions, room;
} scene_answers;

static void drop_answers(void *derived)
{
    scene_answers *a = derived;
    if (a != NULL)
        free(a->list);
    free(a);
}

static vp_status add_answer(scene_answers *a, uint32_t *used, uint64_t answer, vp_error *error)
{
    if (*used == a->room) {
        const uint32_t room = 2 * a->room + 1024;
        uint64_t *list = realloc(a->list, room * sizeof *list);
        if (list == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for the results of a scene");
        a->list = list;
        a->room = room;
    }
    a->list[(*used)++] = answer;
    return VP_OK;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static vp_status find_pairs(const vp_scene_set *scene, scene_answers *a, uint32_t *used, vp_error *error)
{
    const vp_kernels scalar = vp_scalar_kernels();
    const uint32_t capacity = 8 * scene->count;
    vp_spheretree_pair *pair = malloc(((size_t)capacity + 1) * sizeof *pair);
    vp_spheretree *tree = NULL;
    uint32_t count = 0;
    vp_status status = pair == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for pairs") : VP_OK;
    if (status == VP_OK)
        status = vp_scene_fill(scene, VP_WAY_WIDE, &scalar, NULL, &tree, error);
    if (status == VP_OK)
        status = vp_spheretree_pairs(tree, NULL, pair, capacity, &count, error);
    if (status == VP_OK && count > capacity)
        status = vp_fail(error, VP_E_LIMIT, "the scene has %" PRIu32 " pairs; the judge has room for %" PRIu32, count, capacity);
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        status = add_answer(a, used, (uint64_t)pair[i].a.object << 32 | pair[i].b.object, error);
    if (*used > 0)
        qsort(a->list, *used, sizeof *a->list, by_number);
    vp_spheretree_destroy(tree);
    free(pair);
    return status;
}

/* The spheres of a script after its last step. NULL without memory. */
static vp_sphere *spheres_after(const vp_motion_set *set, uint32_t *count)
{
    vp_sphere *now = malloc(((size_t)set->scene.count + 1) * sizeof *now);
    *count = set->scene.count;
    if (now == NULL)
        return NULL;
    memcpy(now, set->scene.sphere, set->scene.count * sizeof *now);
    for (uint32_t m = 0; m < set->first[set->steps]; m++)
        now[set->motion[m].object] = set->motion[m].sphere; /* measured scripts only move */
    return now;
}

static vp_status find_touched(const vp_data *data, vp_row_id row, scene_answers *a, uint32_t *used, vp_error *error)
{
    const bool moves = row == VP_OPERATION_scene_move;
    const vp_scene_set *scene = vp_peer_scene(data, row);
    vp_scene_questions *asked = malloc(sizeof *asked);
    uint32_t count = scene->count;
    vp_sphere *now = moves ? spheres_after(data->set, &count) : NULL;
    vp_status status =
        asked == NULL || (moves && now == NULL) ? vp_fail(error, VP_E_MEMORY, "no memory for the results of a scene") : VP_OK;
    if (status == VP_OK)
        vp_scene_ask(scene, asked);
    a->questions = status == VP_OK ? asked->count : 0;
    for (uint32_t i = 0; status == VP_OK && i < asked->count; i++) {
        uint32_t best = VP_SPHERETREE_NONE;
        float best_s = INFINITY;
        for (uint32_t k = 0; status == VP_OK && k < count; k++) {
            vp_spheretree_hit hit;
            float s;
            if (row == VP_KERNEL_scene_ray) {
                if (vp_scene_item_met(scene, asked, i, k, &s, &hit) && s < best_s) {
                    best = k;
                    best_s = s;
                    a->t[i] = hit.t;
                }
            } else if (moves ? vp_sphere_touches_sphere(&asked->sphere[i], &now[k])
                             : vp_scene_item_touched(scene, asked, row == VP_KERNEL_scene_box ? VP_ASK_BOX : VP_ASK_SPHERE, i, k)) {
                status = add_answer(a, used, k, error);
            }
        }
        if (status == VP_OK && best != VP_SPHERETREE_NONE)
            status = add_answer(a, used, best, error);
        a->end[i] = *used;
    }
    free(asked);
    free(now);
    return status;
}

static vp_status make_answers(const vp_data *data, uint32_t row, void **out, vp_error *error)
{
    scene_answers *a = *out = calloc(1, sizeof *a);
    uint32_t used = 0;
    if (a == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the results of a scene");
    if (row != VP_KERNEL_scene_pairs)
        return find_touched(data, (vp_row_id)row, a, &used, error);
    const vp_status status = find_pairs(data->set, a, &used, error);
    a->end[0] = used;
    return status;
}

static const vp_derivation answers_derivation = {"results of peers", make_answers, drop_answers};

static vp_status open_scene(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    const vp_row_id row = out->peer->row;
    const bool moves = row == VP_OPERATION_scene_move;
    vp_status status = vp_suite_data(suite, moves ? &vp_kind_motions : &vp_kind_scenes, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &answers_derivation, (uint32_t)row, &out->right, error);
    if (status != VP_OK)
        return status;
    const vp_motion_set *motions = moves ? out->data->set : NULL;
    out->steps = moves ? motions->steps : 1;
    out->items = moves                                                            ? motions->first[motions->steps]
                 : row == VP_KERNEL_scene_pairs || row == VP_OPERATION_scene_fill ? vp_peer_scene(out->data, row)->count
                                                                                  : ((const scene_answers *)out->right)->questions;
    return VP_OK;
}

/* Compares two ascending lists. */
static void compare(const uint64_t *right, uint32_t wanted, const uint64_t *got, uint32_t count, uint64_t *lost, uint64_t *invented)
{
    uint32_t i = 0, k = 0;
    while (i < wanted || k < count) {
        const bool both = i < wanted && k < count && right[i] == got[k];
        if (both || k == count || (i < wanted && right[i] < got[k])) {
            *lost += !both;
            i++;
            k += both;
        } else {
            (*invented)++;
            k++;
        }
    }
}

static void look(const vp_contest *c, vp_verdict *out)
{
    const scene_answers *a = c->right;
    const bool pairs = c->peer->row == VP_KERNEL_scene_pairs, rays = c->peer->row == VP_KERNEL_scene_ray;
    uint64_t lost = 0, invented = 0, all = 0;
    vp_peer_answers got;
    if (!vp_peer_answers_of(c->peer, c->work, c->steps - 1, &got))
        return;
    for (uint32_t i = 0, begin = 0, at = 0; i < (pairs ? 1 : a->questions); begin = a->end[i++]) {
        const uint32_t count = rays ? got.hit[i].triangle != VP_NO_HIT : got.found[i];
        uint64_t *list = malloc(((size_t)count + 1) * sizeof *list);
        if (list == NULL)
            return;
        for (uint32_t k = 0; k < count; k++, at++)
            list[k] = rays ? (uint64_t)got.hit[i].triangle : pairs ? (uint64_t)got.list[2 * k] << 32 | got.list[2 * k + 1] : got.list[at];
        qsort(list, count, sizeof *list, by_number);
        compare(a->list + begin, a->end[i] - begin, list, count, &lost, &invented);
        if (rays && count > 0 && fabsf(got.hit[i].t - a->t[i]) > 1e-5f * (1 + a->t[i]))
            invented++;
        all += a->end[i] - begin;
        free(list);
    }
    vp_verdict_count(out, "lost", (double)lost);
    vp_verdict_count(out, "invented", (double)invented);
    out->outcome = lost + invented == 0 ? VP_PEER_RIGHT : VP_PEER_FAULTY;
    snprintf(out->text, sizeof out->text, "%s results=%" PRIu64 " lost=%" PRIu64 " invented=%" PRIu64, vp_rows[c->peer->row].unit, all,
             lost, invented);
}

/* Insertion into a bt32BitAxisSweep3 is linear, so it is measured on small scenes alone. */
#define LARGE    "uniform/10000", "hills/10000", "uniform/100000"
#define MOVED(n) "moves-1/" n, "moves-10/" n, "moves-100/" n
static const vp_contested measured[] = {{.row = VP_KERNEL_scene_sphere, .set = {"uniform/1000", LARGE}, .last = VP_KERNEL_scene_pairs},
                                        {.row = VP_OPERATION_scene_fill, .set = {"uniform/1000"}},
                                        {.row = VP_OPERATION_scene_fill, .set = {LARGE}, .without = "sweep"},
                                        {.row = VP_OPERATION_scene_move, .set = {MOVED("1000")}},
                                        {.row = VP_OPERATION_scene_move, .set = {MOVED("10000"), MOVED("100000")}, .without = "sweep"}};
static const vp_judge vp_judge_scenes = {VP_CONTESTED(measured), .again = "results", .version = true, .open = open_scene, .look = look};

const vp_judge *const vp_judges_scene[] = {&vp_judge_scenes, NULL};
