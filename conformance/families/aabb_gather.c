/* SPDX-License-Identifier: MIT */
/* aabb-gather: the triangles whose boxes overlap a box. */
#include <stdlib.h>

#include "conformance/shared/shared.h"

/* In ascending order, so that answers can be compared word by word. */
static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_mesh *q = question->part[0];
    const vp_triangles triangles = vp_mesh_triangles(q);
    vp_kd *tree = NULL;
    uint32_t count = 0, *found = malloc(((size_t)q->triangles + 1) * sizeof *found);
    vp_status status = found == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", q->triangles)
                                     : vp_mesh_tree(&triangles, kernels, &tree, error);
    if (status == VP_OK)
        status = vp_kd_gather(tree, question->part[1], found, q->triangles, &count, error);
    if (status == VP_OK) {
        vp_numbers_sort(found, count);
        fprintf(to, "set %u", count);
        for (uint32_t i = 0; i < count; i++)
            fprintf(to, " %u", found[i]);
    }
    vp_kd_destroy(tree);
    free(found);
    return status;
}

static const vp_form forms[] = {{"set", .is = VP_FORM_NUMBERS, .each = 1, .below = offsetof(vp_query_mesh, triangles)}, {.word = NULL}};

static vp_status judge(const vp_judging *j, bool *right)
{
    return vp_set_judge(j, 1, "triangles", NULL, right);
}

static json_t *unsound(const vp_question *q)
{
    return vp_box_is_sound(q->part[1]) ? NULL : json_pack("[{s:[]}, {s:b}]", "triangles", "refused", 1);
}

static vp_status like(const vp_likening *l, const vp_answer *right)
{
    bool same;
    if (!vp_mesh_is_finite(l->q->part[0]))
        return vp_like_undecided(l, "a vertex is not finite");
    return vp_like_expected(l, l->words, json_pack("{s:o}", "triangles", vp_numbers_json(right->number, right->count, 1)), &same);
}

static vp_status sound(const vp_question *q, const json_t *alternative, vp_error *error)
{
    const vp_query_mesh *mesh = q->part[0];
    return vp_expected_below(alternative, "triangles", mesh->triangles, false, error);
}

static const vp_member expected[] = {{.name = "triangles", .is = &vp_is_numbers}, {.name = NULL}};

const vp_family vp_family_aabb_gather = {VP_FAMILY("aabb-gather", VP_SET | VP_TIE | VP_REFUSED), .part = {&vp_part_mesh, &vp_part_box},
                                         .sound = sound, .unsound = unsound, .like = like};
