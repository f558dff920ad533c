/* SPDX-License-Identifier: MIT */
/* manifold: where a convex shape touches a mesh. Right engines choose different contacts. So each contact is checked by definition
 * (shared/contact.c), and only some contacts are required. */
#include <stdlib.h>

#include "conformance/shared/shared.h"

enum { MOST_TOLD = 1024 };

/* ---- answering ---- */

static vp_status collide(const vp_question *question, const vp_collide_shape *shape, const vp_kernels *kernels,
                         vp_manifold out[VP_MANIFOLD_DIRECTIONS], uint32_t *made, vp_error *error)
{
    const vp_query_mesh *mesh = question->part[0];
    const vp_query_body *q = question->part[2];
    const vp_manifold_def def = {.kernels = kernels, .margin = q->margin};
    const vp_manifold_body body = {.shape = shape, .pose = q->pose};
    const size_t room = (size_t)mesh->triangles + VP_MANIFOLD_MIN_TRIANGLES;
    vp_manifold_scratch scratch = {.capacity = (uint32_t)(room < VP_MANIFOLD_MAX_TRIANGLES ? room : VP_MANIFOLD_MAX_TRIANGLES)};
    vp_collide_triangle *triangle = vp_mesh_collided(mesh, VP_MANIFOLD_MIN_TRIANGLES);
    uint32_t *words = calloc(VP_COLLIDE_CONNECT_WORDS(room), sizeof *words);
    scratch.memory = malloc(vp_manifold_scratch_bytes(scratch.capacity));
    vp_status status = VP_OK;
    *made = 0;
    if (triangle == NULL || words == NULL || scratch.memory == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", mesh->triangles);
    if (status == VP_OK)
        status = vp_collide_connect(triangle, mesh->triangles, words, error);
    if (status == VP_OK)
        status = vp_manifold_mesh(&def, &body, triangle, mesh->triangles, &scratch, out, VP_MANIFOLD_DIRECTIONS, made, error);
    free(triangle);
    free(words);
    free(scratch.memory);
    return status;
}

static void print_point(const vp_manifold_point *p, FILE *to)
{
    const float number[] = {p->distance, p->normal.x, p->normal.y, p->normal.z, p->on_triangle.x, p->on_triangle.y, p->on_triangle.z};
    vp_words_floats(to, number, sizeof number / sizeof number[0]);
}

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_collide_owned_hull solid;
    vp_collide_shape shape;
    vp_manifold manifold[VP_MANIFOLD_DIRECTIONS];
    uint32_t made = 0, points = 0;
    vp_status status = vp_body_shape(question->part[2], question->part[1], kernels, &solid, &shape, error);
    if (status == VP_OK)
        status = collide(question, &shape, kernels, manifold, &made, error);
    for (uint32_t m = 0; m < made; m++)
        points += manifold[m].count;
    if (status == VP_OK)
        fprintf(to, "manifold %u", points);
    for (uint32_t m = 0; status == VP_OK && m < made; m++)
        for (uint32_t i = 0; i < manifold[m].count; i++)
            print_point(&manifold[m].point[i], to);
    vp_collide_hull_destroy(&solid);
    return status;
}

/* Whether the question is valid. */
static json_t *unsound(const vp_question *question)
{
    const bool sound = vp_body_is_sound(&vp_part_body_margin, question->part[2], question->part[1]);
    return sound && vp_mesh_is_finite(question->part[0]) ? NULL : json_pack("{s:b}", "refused", 1);
}

/* ---- answers ---- */

static const vp_form forms[] = {{"manifold", .is = VP_FORM_PLACES, .each = 2, .limit = MOST_TOLD}, {.word = NULL}};

static vp_status judge(const vp_judging *j, bool *right)
{
    const vp_question *q = j->q;
    vp_check_contacts(q->part[0], q->part[1], q->part[2], j->answer, json_object_get(j->alternative, "contacts"), j->reason);
    *right = j->reason[0] == '\0';
    return VP_OK;
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    return vp_hulls_sound(q, 1, 0, error);
}

/* Contacts of the trusted program may be missing. But if one is well within the margin, the answer must not be empty. */
static vp_status like(const vp_likening *l, const vp_answer *right)
{
    const vp_query_body *body = l->q->part[2];
    bool same = false, some = false;
    vp_answer answer;
    vp_error why;
    if (!vp_hulls_are_small(l->q, 1, 0))
        return vp_like_undecided(l, "the hull has too many points");
    const vp_status status = vp_like_expected(l, l->words, json_pack("{s:s, s:[]}", "checker", "contacts", "contacts"), &same);
    for (uint32_t i = 0; i < right->count; i++)
        some = some || right->vertex[3 * (size_t)i].x < 0.5f * body->margin;
    if (status != VP_OK || !same || !some || vp_answer_read(l->q, l->words, &answer, &why) != VP_OK)
        return status;
    if (answer.count == 0) {
        *l->out = VP_LIKE_WRONG;
        vp_reason_say(l->reason, "a contact is missing");
    }
    vp_answer_drop(&answer);
    return VP_OK;
}

/* ---- in the corpus ---- */

static bool is_contact(json_t *value)
{
    static const vp_value some = {.type = JSON_ARRAY, .part = &vp_is_place};
    static const vp_member members[] = {{.name = "normal", .is = &vp_is_place},
                                        {.name = "distance", .is = &vp_is_range},
                                        {.name = "encloses", .is = &some, .otherwise = ""},
                                        {.name = NULL}};
    vp_error ignored;
    return vp_members_check(value, (const vp_member *const[]){members, NULL}, "", &ignored) == VP_OK;
}

static const vp_value contact_value = {.type = JSON_OBJECT, .also = is_contact},
                      contacts_value = {.type = JSON_ARRAY, .part = &contact_value};
static const vp_member expected[] = {{.name = "checker", .is = &vp_is_words}, {.name = "contacts", .is = &contacts_value}, {.name = NULL}};

const vp_family vp_family_manifold = {VP_FAMILY("manifold", VP_PROPERTY | VP_EXACT | VP_REFUSED),
                                      .checker = "contacts",
                                      .part = {&vp_part_mesh, &vp_part_points, &vp_part_body_margin},
                                      .sound = sound,
                                      .unsound = unsound,
                                      .like = like};
