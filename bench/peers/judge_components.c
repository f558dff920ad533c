/* SPDX-License-Identifier: MIT */
/* Components of the blocks that collide. A library may number them in any order, but cells with one label must have one label of the
 * reference's, and the other way round. */
#include "bench/peers/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/block_sets.h"
#include "src/core/error.h"

typedef struct grid_question {
    vp_components_job job; /* includes the reference's labels */
    size_t cells;
    uint8_t *cell;
    uint32_t count;
} grid_question;

static void drop_grid(void *derived)
{
    grid_question *q = derived;
    if (q != NULL) {
        free(q->cell);
        free(q->job.label);
        free(q->job.scratch);
    }
    free(q);
}

static vp_status make_grid(const vp_data *data, uint32_t variant, void **out, vp_error *error)
{
    (void)variant;
    const vp_block_view *v = ((const vp_block_set *)data->set)->view;
    grid_question *q = *out = calloc(1, sizeof *q);
    if (q == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a grid");
    q->job.size = (vp_dims){v->size.x * VP_BLOCK_EDGE, v->size.y * VP_BLOCK_EDGE, v->size.z * VP_BLOCK_EDGE};
    q->cells = (size_t)q->job.size.x * q->job.size.y * q->job.size.z;
    q->job.cell = q->cell = malloc(q->cells);
    q->job.label = malloc(q->cells * sizeof *q->job.label);
    q->job.scratch = malloc(q->cells * sizeof *q->job.scratch);
    if (q->cell == NULL || q->job.label == NULL || q->job.scratch == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a grid of %zu cells", q->cells);
    vp_view_mark_colliding(v, q->cell);
    q->count = vp_scalar_kernels().components(&q->job);
    return VP_OK;
}

static const vp_derivation derivation = {"grid", make_grid, drop_grid};

static vp_status open_grid(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    vp_status status = vp_suite_data(suite, &vp_kind_blocks, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &derivation, 0, &out->right, error);
    if (status != VP_OK)
        return status;
    const grid_question *q = out->right;
    out->own = *out->data;
    out->own.set = &q->job;
    out->data = &out->own;
    out->items = q->cells;
    return VP_OK;
}

static void look(const vp_contest *c, vp_verdict *out)
{
    const grid_question *q = c->right;
    uint64_t different = 0;
    vp_peer_answers got;
    uint32_t *label_of = malloc((q->count + 1u) * sizeof *label_of); /* the library's label of each of the reference's */
    uint32_t *right_of = malloc((q->count + 1u) * sizeof *right_of); /* the other way round, from label 1 on */
    if (label_of != NULL && right_of != NULL && vp_peer_answers_of(c->peer, c->work, 0, &got)) {
        for (uint32_t i = 0; i < q->count; i++)
            label_of[i] = 0, right_of[i] = VP_NO_COMPONENT;
        for (size_t i = 0; i < q->cells; i++) {
            const uint32_t right = q->job.label[i], label = got.label[i];
            if (right == VP_NO_COMPONENT || label == 0 || label > q->count) {
                different += label != 0 || right != VP_NO_COMPONENT;
                continue;
            }
            if (label_of[right] == 0 && right_of[label - 1] == VP_NO_COMPONENT)
                label_of[right] = label, right_of[label - 1] = right;
            different += label_of[right] != label || right_of[label - 1] != right;
        }
        vp_verdict_count(out, "components", q->count);
        out->outcome = different == 0 && got.labels == q->count ? VP_PEER_RIGHT : VP_PEER_WRONG;
        if (out->outcome == VP_PEER_RIGHT)
            snprintf(out->text, sizeof out->text, "cells components=equal");
        else
            snprintf(out->text, sizeof out->text,
                     "%s finds %" PRIu32 " components in %s, which has %" PRIu32 "; labels of %" PRIu64 " cells differ", c->peer->name,
                     got.labels, c->name, q->count, different);
    }
    free(label_of);
    free(right_of);
}

static const vp_contested measured[] = {{.row = VP_KERNEL_components, .set = {"planet", "planet-caves", "blocks-random", "blocks-luanti"}}};
static const vp_judge vp_judge_components = {VP_CONTESTED(measured), .again = "labels", .open = open_grid, .look = look};

const vp_judge *const vp_judges_components[] = {&vp_judge_components, NULL};
