/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static vp_status open(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    const vp_broadphase *broadphase;
    vp_status status = vp_suite_data(suite, &vp_kind_world, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_derive_broadphase(out->data, &broadphase, error);
    if (status != VP_OK)
        return status;
    const vp_dims n = vp_world_chunks(out->data->set);
    out->right = broadphase;
    out->items = (uint64_t)n.x * n.y * n.z;
    return VP_OK;
}

static void look(const vp_contest *c, vp_verdict *out)
{
    const vp_dims n = vp_world_chunks(c->data->set);
    uint64_t different = 0;
    vp_peer_answers got;
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got))
        return;
    for (uint32_t i = 0; i < c->items; i++) {
        const vp_ivec3 at = {(int32_t)(i % n.x), (int32_t)(i / n.x / n.z), (int32_t)(i / n.x % n.z)};
        different += memcmp(&got.masks[i], vp_broadphase_masks(c->right, at), sizeof got.masks[i]) != 0;
    }
    if (different != 0) {
        out->outcome = VP_PEER_WRONG;
        snprintf(out->text, sizeof out->text, "the masks of %" PRIu64 " chunks of %s by %s differ from the reference's", different, c->name,
                 c->peer->name);
        return;
    }
    out->outcome = VP_PEER_RIGHT;
    snprintf(out->text, sizeof out->text, "chunks masks=equal");
}

static const vp_contested measured[] = {
    {.row = VP_KERNEL_dilate_world, .set = {"terrain-l2", "terrain-l3", "all-mixed", "luanti", "sparse", "random-50"}}};
static const vp_judge vp_judge_masks = {VP_CONTESTED(measured), .again = "masks", .open = open, .look = look};

const vp_judge *const vp_judges_masks[] = {&vp_judge_masks, NULL};
