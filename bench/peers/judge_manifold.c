/* SPDX-License-Identifier: MIT */
/* Bodies on a terrain. Counts bodies that overlap the terrain without a contact point, and contact points whose normal does not occur on
 * the surface at their triangle (ghosts). Both are judged from the triangles' corners only, in binary64. */
#include "bench/peers/judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/peers/manifold.h"
#include "cases/narrowphase/manifold.h"
#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/parts.h"
#include "src/core/error.h"
#include "src/core/real3.h"

enum { SECONDS = 60, BODIES = VP_MANIFOLD_CASE_BODIES };
#define OVERLAPS 0.001        /* a deeper overlap must have a contact point */
#define SLACK    0.0348994967 /* the sine of 2 degrees, the tolerance of a normal */

/* ---- normals ---- */

static vp_real3 way(vp_vec3 from, vp_vec3 to)
{
    return vp_real3_sub(vp_real3_of(to), vp_real3_of(from));
}

static bool are_equal(vp_vec3 a, vp_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Returns whether w points to the negative side of n, within a tolerance relative to its length. */
static bool is_behind(vp_real3 w, vp_real3 n)
{
    return vp_real3_dot(w, n) <= SLACK * vp_real3_length(w);
}

/* Returns whether all triangles with this corner lie on the negative side of the normal. */
static bool is_of_corner(const vp_collide_triangle *list, uint32_t count, vp_vec3 corner, vp_real3 n)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 1; j < 3 && are_equal(list[i].corner[k], corner); j++)
                if (!is_behind(way(corner, list[i].corner[(k + j) % 3]), n))
                    return false;
    return true;
}

/* Returns whether n is perpendicular to the edge and both adjacent triangles lie on the negative side. */
static bool is_of_edge(const vp_collide_triangle *list, uint32_t count, vp_vec3 a, vp_vec3 b, vp_real3 n)
{
    const vp_real3 e = way(a, b);
    const double square = vp_real3_dot(e, e);
    if (!(fabs(vp_real3_dot(e, n)) <= SLACK * sqrt(square)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const vp_vec3 *c = list[i].corner, p = c[k], q = c[(k + 1) % 3];
            if (!(are_equal(p, a) && are_equal(q, b)) && !(are_equal(p, b) && are_equal(q, a)))
                continue;
            const vp_real3 w = way(a, c[(k + 2) % 3]);
            const double along = vp_real3_dot(w, e) / square;
            if (!is_behind(vp_real3_plus(w, e, -along), n))
                return false;
        }
    return true;
}

static bool is_ghost(const vp_collide_triangle *list, uint32_t count, const vp_vec3 c[3], vp_vec3 normal)
{
    const vp_real3 n = vp_real3_of(normal), up = vp_real3_cross(way(c[0], c[1]), way(c[0], c[2])), off = vp_real3_cross(up, n);
    if (!(vp_real3_dot(up, n) > 0.0))
        return true;
    if (vp_real3_dot(off, off) <= SLACK * SLACK * vp_real3_dot(up, up))
        return false;
    for (int k = 0; k < 3; k++)
        if (is_of_corner(list, count, c[k], n) || is_of_edge(list, count, c[k], c[(k + 1) % 3], n))
            return false;
    return true;
}

/* ---- questions ---- */

typedef struct manifold_question {
    vp_touch_samples asked;
    vp_body_parts parts;
    vp_manifold_body body[BODIES];
    vp_collide_triangle *triangle;
    bool overlaps[BODIES];
} manifold_question;

/* Returns a box around a body that also includes the neighbours of the triangles it may touch. */
static vp_status box_of(const vp_manifold_body *b, vp_aabb *out, vp_error *error)
{
    const vp_status status = vp_collide_bounds(b->shape, &b->pose, VP_MANIFOLD_CASE_MARGIN, out, error);
    const vp_vec3 by = {2.0f, 2.0f, 2.0f};
    out->min = vp_vec3_sub(out->min, by);
    out->max = vp_vec3_add(out->max, by);
    return status;
}

static void drop_question(void *derived)
{
    manifold_question *q = derived;
    if (q != NULL) {
        vp_body_parts_destroy(&q->parts);
        free(q->triangle);
    }
    free(q);
}

/* Finds the bodies with a part that overlaps a triangle. */
static vp_status find_overlaps(manifold_question *q, uint32_t number, vp_terrain *terrain, vp_error *error)
{
    vp_oracle_shape oracle;
    vp_status status = vp_oracle_shape_create(q->parts.part[number].shape, &oracle, error);
    for (int i = 0; status == VP_OK && i < BODIES; i++) {
        const vp_manifold_body part = vp_body_part_at(&q->parts, number, &q->body[i].pose);
        vp_collide_triangle *near = NULL;
        uint32_t count = 0;
        vp_aabb box;
        status = vp_collide_bounds(part.shape, &part.pose, 0.0f, &box, error);
        if (status == VP_OK)
            status = vp_manifold_case_triangles(terrain, &box, &near, &count, error);
        for (uint32_t t = 0; status == VP_OK && t < count; t++) {
            vp_oracle_truth truth;
            vp_oracle_truth_of(&oracle, &part.pose, near[t].corner, &truth);
            q->overlaps[i] = q->overlaps[i] || truth.distance < -OVERLAPS;
        }
        free(near);
    }
    vp_oracle_shape_destroy(&oracle);
    return status;
}

static vp_status make_question(const vp_data *data, uint32_t body, void **out, vp_error *error)
{
    manifold_question *q = *out = calloc(1, sizeof *q);
    vp_kernels scalar;
    vp_terrain *terrain = NULL;
    vp_status status = q == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for bodies") : vp_kernels_named("scalar", &scalar, error);
    if (status == VP_OK)
        status = vp_body_parts_create((vp_body_kind)body, &q->parts, error);
    const vp_terrain_def def = {.world = (vp_world *)(uintptr_t)data->set, .budget = VP_TERRAIN_NO_LIMIT, .kernels = &scalar};
    if (status == VP_OK)
        status = vp_terrain_create(&def, &terrain, error);
    if (status == VP_OK)
        status = vp_manifold_case_bodies(data, &q->parts.whole.shape, terrain, q->body, error);
    for (uint32_t i = 0; i < q->parts.compound.count && status == VP_OK; i++)
        status = find_overlaps(q, i, terrain, error);
    if (status == VP_OK) {
        const vp_dims size = vp_world_size(data->set);
        const vp_aabb all = {{-1.0f, -1.0f, -1.0f}, {(float)size.x + 1.0f, (float)size.y + 1.0f, (float)size.z + 1.0f}};
        q->asked = (vp_touch_samples){.body = q->body, .compound = &q->parts.compound, .bodies = BODIES, .margin = VP_MANIFOLD_CASE_MARGIN};
        status = vp_manifold_case_triangles(terrain, &all, &q->triangle, &q->asked.triangles, error);
        q->asked.triangle = q->triangle;
    }
    vp_terrain_destroy(terrain);
    return status;
}

static const vp_derivation derivation = {"touch", make_question, drop_question};

static vp_status open_bodies(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    vp_status status = vp_suite_data(suite, &vp_kind_world, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &derivation, (uint32_t)(out->peer->row - VP_OPERATION_manifold_sphere), &out->right, error);
    if (status != VP_OK)
        return status;
    out->own = *out->data;
    out->own.set = &((const manifold_question *)out->right)->asked;
    out->data = &out->own;
    out->items = BODIES;
    return VP_OK;
}

/* ---- errors ---- */

static void look(const vp_contest *c, vp_verdict *out)
{
    const manifold_question *q = c->right;
    vp_collide_triangle *list = malloc((q->asked.triangles + 1u) * sizeof *list);
    vp_peer_answers got;
    uint32_t missed = 0, ghosts = 0;
    if (list == NULL || !vp_peer_answers_of(c->peer, c->work, 0, &got)) {
        free(list);
        return;
    }
    for (uint32_t i = 0, t = 0; i < BODIES; i++) {
        vp_aabb box;
        uint32_t count = 0;
        const uint32_t first = t;
        bool ghost = false;
        if (box_of(&q->body[i], &box, NULL) != VP_OK)
            continue;
        for (uint32_t k = 0; k < q->asked.triangles; k++) {
            const vp_vec3 *p = q->triangle[k].corner;
            const vp_aabb around = {vp_vec3_min(vp_vec3_min(p[0], p[1]), p[2]), vp_vec3_max(vp_vec3_max(p[0], p[1]), p[2])};
            if (vp_aabb_overlaps(&box, &around))
                list[count++] = q->triangle[k];
        }
        for (; t < got.touches && got.touch[t].body == i; t++)
            ghost = ghost || got.touch[t].triangle >= q->asked.triangles ||
                    is_ghost(list, count, q->triangle[got.touch[t].triangle].corner, got.touch[t].normal);
        missed += t == first && q->overlaps[i];
        ghosts += ghost;
    }
    free(list);
    vp_verdict_count(out, "points_per_body", (double)got.touches / BODIES);
    vp_verdict_count(out, "missed", missed);
    vp_verdict_count(out, "ghosts", ghosts);
    out->outcome = missed + ghosts == 0 ? VP_PEER_RIGHT : VP_PEER_FAULTY;
    snprintf(out->text, sizeof out->text, "bodies with ghosts=%u of %d", ghosts, BODIES);
}

/* Counters of our kernels. */
static void count_ours(const void *work, vp_counters *out)
{
    const vp_manifold_case_view view = vp_manifold_case_answers(work);
    uint32_t ghosts = 0;
    for (uint32_t i = 0; i < BODIES; i++) {
        vp_collide_triangle *list = NULL;
        vp_aabb box;
        uint32_t count = 0;
        bool ghost = false;
        if (box_of(&view.body[i], &box, NULL) != VP_OK || vp_manifold_case_triangles(view.terrain, &box, &list, &count, NULL) != VP_OK) {
            free(list);
            return;
        }
        for (uint32_t k = view.result[i].first; k < view.result[i].first + view.result[i].count; k++)
            for (uint32_t p = 0; p < view.manifold[k].count; p++) {
                const vp_manifold_point *point = &view.manifold[k].point[p];
                uint32_t t = 0;
                while (t < count && (list[t].id.chunk != point->at.chunk || list[t].id.triangle != point->at.triangle))
                    t++;
                ghost = ghost || t == count || is_ghost(list, count, list[t].corner, point->normal);
            }
        ghosts += ghost;
        free(list);
    }
    vp_count(out, "ghosts", ghosts);
}

static const vp_contested measured[] = {{.row = VP_OPERATION_manifold_sphere, .last = VP_OPERATION_manifold_anchor, .set = {"terrain-l2"}}};
static const vp_judge vp_judge_manifolds = {VP_CONTESTED(measured), .apart = true, .seconds = SECONDS, .version = true,
                                            .open = open_bodies,    .look = look,  .count = count_ours};

const vp_judge *const vp_judges_manifold[] = {&vp_judge_manifolds, NULL};
