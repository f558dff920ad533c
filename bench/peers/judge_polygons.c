/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/core/error.h"
#include "src/core/memory.h"

/* Hulls of a point set's three shadows along x, y and z, by the reference. Corners are in the plane's coordinates, counterclockwise. */
typedef struct shadows_of_points {
    struct {
        double (*corner)[2];
        uint32_t corners;
    } of[3];
} shadows_of_points;

/* ---- the reference ---- */

static void drop_shadows(void *derived)
{
    shadows_of_points *shadows = derived;
    for (int k = 0; shadows != NULL && k < 3; k++)
        free(shadows->of[k].corner);
    free(shadows);
}

static vp_status make_shadows(const vp_data *data, uint32_t variant, void **out, vp_error *error)
{
    const vp_vec3 *point = ((const vp_point_sets *)data->set)->point;
    const uint32_t count = ((const vp_point_sets *)data->set)->first[1];
    vp_allocator a = vp_allocator_default();
    const size_t scratch_bytes = vp_hull2_scratch_bytes(count);
    void *scratch = vp_allocate(&a, scratch_bytes, 1);
    uint32_t *corner = malloc((size_t)count * sizeof *corner);
    shadows_of_points *shadows = calloc(1, sizeof *shadows);
    bool all = scratch != NULL && corner != NULL && shadows != NULL;
    *out = shadows;
    for (uint32_t k = 0; all && k < 3; k++) {
        vp_hull2_job build = {.point = point, .count = count, .max_work = UINT64_MAX, .scratch = scratch, .corner = corner};
        vp_shadow_plane(k, build.axis);
        const uint32_t corners = shadows->of[k].corners = vp_hull2_scalar(&build).corners;
        double(*to)[2] = shadows->of[k].corner = malloc((size_t)corners * sizeof *to);
        all = to != NULL;
        for (uint32_t c = 0; all && c < corners; c++) {
            const vp_vec3 at = point[corner[c]];
            const float of[3] = {at.x, at.y, at.z};
            for (int i = 0; i < 2; i++)
                to[c][i] = (double)of[build.axis[i]];
        }
    }
    vp_release(&a, scratch, scratch_bytes, 1);
    free(corner);
    return all ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for the polygons of %u points", count);
}

static const vp_derivation shadows_derivation = {"shadows", make_shadows, drop_shadows};

/* ---- comparison ---- */

/* Sums over the three shadows. */
typedef struct shadow_sums {
    uint32_t refused; /* shadows without an answer. The other members count shadows with one */
    uint32_t wanted;  /* corners of the reference's polygons */
    uint32_t corners; /* corners of its polygons */
    uint32_t missing; /* corners of the reference that it lacks */
    uint32_t extra;   /* corners that the reference lacks, or duplicates */
    uint32_t turned;  /* polygons with another order of corners than the reference's */
} shadow_sums;

/* Returns which of a polygon's first `corners` corners is at a place, or `corners` if none is. */
static uint32_t find(const double (*corner)[2], uint32_t corners, const double place[2])
{
    uint32_t i = 0;
    while (i < corners && !(corner[i][0] == place[0] && corner[i][1] == place[1]))
        i++;
    return i;
}

/* Adds the result of one polygon. The first corner and the choice among equal points do not matter. O(n^2) in the corners. */
static void compare(const double (*right)[2], uint32_t wanted, const double (*made)[2], uint32_t corners, shadow_sums *found)
{
    uint32_t first = UINT32_MAX, last = 0, descents = 0;
    found->wanted += wanted;
    found->corners += corners;
    for (uint32_t i = 0; i < wanted; i++)
        found->missing += find(made, corners, right[i]) == corners;
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t at = find(right, wanted, made[i]);
        if (at == wanted || find(made, i, made[i]) != i) {
            found->extra++;
            continue;
        }
        if (first == UINT32_MAX)
            first = at;
        else
            descents += at < last;
        last = at;
    }
    descents += first != UINT32_MAX && first < last;
    found->turned += descents > 1;
}

/* ---- the judge ---- */

static vp_status open_shadows(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    vp_status status = vp_suite_data(suite, &vp_kind_points, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &shadows_derivation, 0, &out->right, error);
    out->items = 1;
    out->steps = 3;
    return status;
}

static void look_at_polygons(const vp_contest *c, vp_verdict *out)
{
    const shadows_of_points *right = c->right;
    shadow_sums f = {0};
    for (uint32_t k = 0; k < 3; k++) {
        vp_peer_answers got;
        if ((c->refused & 1u << k) != 0)
            f.refused++;
        else if (vp_peer_answers_of(c->peer, c->work, k, &got))
            compare((const double(*)[2])right->of[k].corner, right->of[k].corners, got.corner, got.corners, &f);
        else
            return;
    }
    const struct {
        uint32_t count, of;
        const char *what;
    } part[] = {
        {f.refused, 3, "refused"}, {f.missing, f.wanted, "missing"}, {f.extra, f.corners, "extra"}, {f.turned, 3 - f.refused, "turned"}};
    const bool equal = f.refused == 0 && f.missing == 0 && f.extra == 0 && f.turned == 0;
    const bool wrong = c->peer->exact && !equal;
    int used = wrong ? snprintf(out->text, sizeof out->text, "the corners by %s of the shadows of %s differ:", c->peer->name, c->name)
                     : snprintf(out->text, sizeof out->text, "polygons corners%s", equal ? "=equal" : " differ:");
    const char *before = " ";
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        if (part[i].count != 0) {
            used += snprintf(out->text + used, sizeof out->text - (size_t)used, "%s%u of %u %s", before, part[i].count, part[i].of,
                             part[i].what);
            before = ", ";
        }
    out->outcome = equal ? VP_PEER_RIGHT : wrong ? VP_PEER_WRONG : f.refused == 3 ? VP_PEER_REFUSES : VP_PEER_FAULTY;
    if (out->outcome == VP_PEER_REFUSES)
        snprintf(out->text, sizeof out->text, "all three shadows");
    vp_verdict_count(out, "refused", (double)f.refused);
    vp_verdict_count(out, "corners", (double)f.corners);
    vp_verdict_count(out, "missing", (double)f.missing);
    vp_verdict_count(out, "extra", (double)f.extra);
    vp_verdict_count(out, "turned", (double)f.turned);
}

static const vp_contested measured[] = {{.row = VP_KERNEL_hull2}};
const vp_judge vp_judge_polygons = {VP_CONTESTED(measured), .apart = true,        .again = "polygons",
                                    .version = true,        .open = open_shadows, .look = look_at_polygons};

const vp_judge *const vp_judges_polygons[] = {&vp_judge_polygons, NULL};
