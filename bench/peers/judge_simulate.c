/* SPDX-License-Identifier: MIT */
/* Simulations. Bodies inside the ground, positions with NaN and gained energy are counted as results. Voxphys and libraries are judged
 * alike. The states of voxphys must also be the reference's, bit for bit. */
#include "bench/peers/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/simulate/scene.h"
#include "src/core/error.h"

/* @param set  a world and the number of bodies: "terrain-l2/1000", "luanti/1000-resting", "luanti/1000-reuse" */
static vp_status open_scene(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    const char *slash = strchr(set, '/');
    char world[64];
    snprintf(world, sizeof world, "%.*s", (int)(slash - set), set);
    vp_status status = vp_suite_data(suite, &vp_kind_world, world, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &vp_body_scene_derivation,
                                (uint32_t)strtoul(slash + 1, NULL, 10) | (strstr(set, "-re") != NULL ? VP_SCENE_RESTS : 0u) |
                                    (strstr(set, "-reuse") != NULL ? VP_SCENE_REUSES : 0u),
                                &out->right, error);
    if (status != VP_OK)
        return status;
    out->own = *out->data;
    out->own.set = out->right;
    out->data = &out->own;
    out->items = VP_SCENE_TIMED;
    return VP_OK;
}

static void look(const vp_contest *c, vp_verdict *out)
{
    vp_peer_answers got;
    vp_scene_tally t;
    vp_error error;
    uint64_t digest = 0;
    char ending[32] = "";
    if (c->peer->exact && vp_body_scene_digest(c->data, &digest, &error) != VP_OK)
        return;
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got) || vp_scene_judge(c->right, got.simulated, &t, &error) != VP_OK)
        return;
    if (c->peer->exact && got.simulated->digest != digest) {
        out->outcome = VP_PEER_WRONG;
        snprintf(out->text, sizeof out->text, "the states of %s by %s are not the reference's", c->name, c->peer->name);
        return;
    }
    if (c->peer->exact)
        snprintf(ending, sizeof ending, " digest=%016" PRIx64, digest);
    const uint32_t wrong = t.no_number + t.below_ground + t.gained_energy;
    vp_verdict_count(out, "no_number", t.no_number);
    vp_verdict_count(out, "below_ground", t.below_ground);
    vp_verdict_count(out, "gained_energy", t.gained_energy);
    vp_verdict_count(out, "left", t.left);
    vp_verdict_count(out, "resting", t.resting);
    vp_verdict_count(out, "contacts", got.simulated->contacts);
    out->outcome = wrong == 0 ? VP_PEER_RIGHT : VP_PEER_FAULTY;
    snprintf(out->text, sizeof out->text, "steps wrong=%u of %u bodies%s%s", t.no_number + t.below_ground,
             ((const vp_body_scene *)c->right)->bodies, t.gained_energy != 0 ? ", energy gained" : "", ending);
}

static const vp_contested measured[] = {
    {.row = VP_SIMULATE_ROW,
     .set = {"terrain-l2/100", "terrain-l2/1000", "terrain-l3/10000", "luanti/1000-resting", "luanti/1000-reuse"},
     .as = "simulate_step"}};
const vp_judge vp_judge_simulations = {VP_CONTESTED(measured), .again = "states", .version = true, .open = open_scene, .look = look};

const vp_judge *const vp_judges_simulate[] = {&vp_judge_simulations, NULL};
