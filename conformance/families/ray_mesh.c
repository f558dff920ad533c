/* SPDX-License-Identifier: MIT */
/* ray-mesh: the first triangle that a ray meets. */
#include "conformance/shapes/shapes.h"

static vp_status answer(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_triangles triangles = vp_mesh_triangles(q->part[0]);
    vp_hit hit;
    const vp_status status = vp_ray_cast(&triangles, q->part[1], kernels, &hit, error);
    if (status == VP_OK && hit.triangle == VP_NO_HIT)
        fputs("none", to);
    else if (status == VP_OK)
        fprintf(to, "hit %d %s", hit.triangle, vp_bits_of(hit.t).text);
    return status;
}

static bool read(const vp_question *q, vp_words *words, vp_answer *out)
{
    (void)q;
    return vp_ray_read(words, 1, out);
}

static vp_status judge(const vp_question *q, const json_t *alternative, const vp_answer *answer, bool *right, char reason[VP_REASON_BYTES], vp_error *error)
{
    (void)q, (void)reason, (void)error;
    *right = vp_ray_within(alternative, answer) && json_integer_value(json_object_get(alternative, "triangle")) == answer->place[0];
    return VP_OK;
}

static json_t *unsound(const vp_question *q)
{
    return vp_ray_unsound(q->part[1], q->part[0]);
}

static json_t *met(const int32_t place[3], json_t *t)
{
    return json_pack("{s:i, s:o}", "triangle", (int)place[0], "t", t);
}

static vp_status like(const vp_likening *l, const vp_answer *right)
{
    return vp_ray_like(l, &(vp_ray_likening){.mesh = l->q->part[0], .met = met}, right);
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    const vp_asked_mesh *mesh = q->part[0];
    return json_integer_value(json_object_get(alternative, "triangle")) < (json_int_t)mesh->triangles ? VP_OK
                                                                                                      : vp_expected_wrong(alternative, "triangle", error);
}

static const vp_member expected[] = {{"triangle", &vp_is_whole, NULL, false}, {"t", &vp_is_range, NULL, false}, {.name = NULL}};

const vp_family vp_family_ray_mesh = {
    .name = "ray-mesh",
    .part = {&vp_part_mesh, &vp_part_ray},
    .promises = 1u << VP_PROMISE_EXACT | 1u << VP_PROMISE_TIE | 1u << VP_PROMISE_BOUND,
    .none = true,
    .refuses = true,
    .expected = expected,
    .sound = sound,
    .answer = answer,
    .read = read,
    .judge = judge,
    .unsound = unsound,
    .like = like,
};
