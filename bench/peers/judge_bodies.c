/* SPDX-License-Identifier: MIT */
/* Pairs of shapes, and casts. Libraries' pairs are compared with our distances, which the row's case judges, and with the planes that their
 * normals make. Casts are judged by the triangles alone. Wrong answers are counted as results. */
#include "bench/peers/judge.h"

#include <stdlib.h>

#include "bench/peers/manifold.h"
#include "bench/peers/narrow.h"
#include "cases/bodies/casts.h"
#include "cases/bodies/shape_oracle.h"
#include "src/core/error.h"

enum { SECONDS = 60 };

/* ---- pairs ---- */

typedef struct right_pairs {
    vp_pairs pairs;
    vp_shape_contact *contact; /* [pairs.count], without a margin */
} right_pairs;

static void drop_pairs(void *derived)
{
    right_pairs *r = derived;
    if (r != NULL) {
        vp_pairs_destroy(&r->pairs);
        free(r->contact);
    }
    free(r);
}

static vp_status make_pairs(const vp_data *data, uint32_t pair, void **out, vp_error *error)
{
    right_pairs *r = *out = calloc(1, sizeof *r);
    vp_status status = r == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for pairs") : vp_pairs_create(pair, data->set, &r->pairs, error);
    if (status != VP_OK)
        return status;
    r->contact = calloc(r->pairs.count + 1u, sizeof *r->contact);
    if (r->contact == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for pairs");
    for (uint32_t i = 0; status == VP_OK && i < r->pairs.count; i++)
        status = vp_shapes_collide(&r->pairs.body[i][0], &r->pairs.body[i][1], INFINITY, &r->contact[i], error);
    return status;
}

static const vp_derivation pairs_derivation = {"pairs", make_pairs, drop_pairs};

static vp_status open_pairs(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    vp_status status = vp_suite_data(suite, &vp_kind_poses, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &pairs_derivation, vp_pair_of(out->peer->name), &out->right, error);
    out->items = status == VP_OK ? ((const right_pairs *)out->right)->pairs.count : 0;
    return status;
}

/* Returns whether the distance of two shapes along a normal is their distance, within twice the tolerance. If they do not overlap, only
 * one direction is correct. */
static bool is_right_normal(const posed of[2], const vp_shape_contact *right, vp_vec3 normal, double band, double size)
{
    if (separation(&of[0], &of[1], unit3(vp_real3_of(normal))) < (double)right->distance - 2.0 * band)
        return false;
    return !((double)right->distance > 1e-4 * size) || vp_real3_dot(vp_real3_of(normal), vp_real3_of(right->normal)) >= 0.99619;
}

static vp_collide_fault judge_pair(const right_pairs *r, uint32_t i, const vp_shape_contact *got, bool overlaps_alone, double *off)
{
    const vp_manifold_body *b = r->pairs.body[i];
    const posed of[2] = {pose_shape(b[0].shape, &b[0].pose, b[0].pose.position), pose_shape(b[1].shape, &b[1].pose, b[0].pose.position)};
    const double size = fmax(fmax((double)vp_collide_radius(b[0].shape), (double)vp_collide_radius(b[1].shape)),
                             fmax(fabs(of[1].at.x), fmax(fabs(of[1].at.y), fabs(of[1].at.z))));
    const double band = VP_NARROW_BAND * size, right = (double)r->contact[i].distance, margin = (double)r->pairs.margin[i];
    *off = 0.0;
    if (got->feature_a == VP_COLLIDE_NONE)
        return right < (overlaps_alone ? 0.0 : margin) - band ? VP_FAULT_MISSED : VP_FAULT_NONE;
    if (!isfinite(got->distance) || !(fabs(vp_real3_length(vp_real3_of(got->normal)) - 1.0) <= 1e-5))
        return VP_FAULT_NUMBER;
    *off = fabs((double)got->distance - right) / size;
    if (right > margin + band)
        return VP_FAULT_INVENTED;
    if (fabs(right) > band && (right > 0.0) != ((double)got->distance > 0.0))
        return VP_FAULT_SIGN;
    if (*off > VP_NARROW_BAND)
        return VP_FAULT_DEPTH;
    return is_right_normal(of, &r->contact[i], got->normal, band, size) ? VP_FAULT_NONE : VP_FAULT_NORMAL;
}

static void add_to(vp_collide_tally *t, vp_collide_fault wrong, bool near, double off)
{
    t->pairs++;
    t->near += near;
    t->fault[wrong]++;
    t->worst = off > t->worst ? off : t->worst;
}

static void look_at_pairs(const vp_contest *c, vp_verdict *out)
{
    const right_pairs *r = c->right;
    vp_collide_tally t = {0};
    vp_peer_answers got;
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got))
        return;
    for (uint32_t i = 0; i < r->pairs.count; i++) {
        double off;
        const vp_collide_fault wrong = judge_pair(r, i, &got.contact[i], got.overlaps_alone, &off);
        add_to(&t, wrong, got.contact[i].feature_a != VP_COLLIDE_NONE, off);
    }
    vp_narrow_verdict(&t, "pairs", got.overlaps_alone, out);
}

/* Counters of our kernels, with the tolerance of the row's case. */
static void count_pairs(const void *work, vp_counters *out)
{
    const vp_collide_tally t = vp_pairs_case_tally(work);
    vp_narrow_counters(&t, out);
}

/* ---- casts ---- */

/* Distance in voxels within which a shape touches. Bullet stops at 0.001. */
#define TOUCHES 0.002

typedef struct right_casts {
    vp_cast_samples asked;
    vp_body_shape shape;
    vp_oracle_shape oracle;
    vp_cast_def def[VP_CASTS];
    vp_collide_triangle *triangle;
} right_casts;

static void drop_casts(void *derived)
{
    right_casts *r = derived;
    if (r != NULL) {
        vp_body_shape_destroy(&r->shape);
        vp_oracle_shape_destroy(&r->oracle);
        free(r->triangle);
    }
    free(r);
}

static vp_status make_casts(const vp_data *data, uint32_t body, void **out, vp_error *error)
{
    right_casts *r = *out = calloc(1, sizeof *r);
    const vp_kernels scalar = vp_scalar_kernels();
    const vp_aabb everywhere = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    vp_terrain *terrain = NULL;
    if (r == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for casts");
    vp_status status = vp_body_shape_create((vp_body_kind)body, 1.0f, NULL, &r->shape, error);
    if (status == VP_OK)
        status = vp_oracle_shape_create(&r->shape.shape, &r->oracle, error);
    if (status == VP_OK)
        status = vp_manifold_case_terrain((vp_world *)(uintptr_t)data->set, &scalar, &terrain, error);
    if (status == VP_OK)
        status = vp_cast_case_defs(data, &r->shape.shape, terrain, r->def, error);
    if (status == VP_OK)
        status = vp_manifold_case_triangles(terrain, &everywhere, &r->triangle, &r->asked.triangles, error);
    vp_terrain_destroy(terrain);
    r->asked.triangle = r->triangle;
    r->asked.def = r->def;
    r->asked.casts = VP_CASTS;
    return status;
}

static const vp_derivation casts_derivation = {"casts", make_casts, drop_casts};

static vp_status open_casts(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    vp_status status = vp_suite_data(suite, &vp_kind_world, set, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &casts_derivation, (uint32_t)(out->peer->row - VP_OPERATION_cast_sphere), &out->right, error);
    if (status != VP_OK)
        return status;
    out->own = *out->data;
    out->own.set = &((const right_casts *)out->right)->asked;
    out->data = &out->own;
    out->items = VP_CASTS;
    return VP_OK;
}

static void look_at_casts(const vp_contest *c, vp_verdict *out)
{
    const right_casts *r = c->right;
    vp_collide_tally t = {0};
    vp_peer_answers got;
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got))
        return;
    for (uint32_t i = 0; i < VP_CASTS; i++) {
        const vp_cast_question q = {&r->oracle, &r->def[i], r->triangle, r->asked.triangles, TOUCHES};
        double off;
        const vp_collide_fault wrong = vp_cast_judge(&q, &got.cast[i], &off);
        add_to(&t, wrong, got.cast[i].found, off);
    }
    vp_narrow_verdict(&t, "casts", false, out);
}

static void count_casts(const void *work, vp_counters *out)
{
    const vp_collide_tally t = vp_cast_case_tally(work);
    vp_narrow_counters(&t, out);
}

static const vp_contested pairs[] = {{.row = VP_OPERATION_collide_shapes, .set = {"poses-terrain"}},
                                     {.row = VP_OPERATION_collide_shapes, .set = {"poses-hard"}, .without = "ccd"}};
static const vp_contested casts[] = {{.row = VP_OPERATION_cast_sphere, .last = VP_OPERATION_cast_hull, .set = {"terrain-l2"}}};
static const vp_judge vp_judge_shapes = {VP_CONTESTED(pairs), .apart = true,         .seconds = SECONDS,  .version = true,
                                         .open = open_pairs,  .look = look_at_pairs, .count = count_pairs};
static const vp_judge vp_judge_casts = {VP_CONTESTED(casts), .apart = true,         .seconds = SECONDS,  .version = true,
                                        .open = open_casts,  .look = look_at_casts, .count = count_casts};

const vp_judge *const vp_judges_bodies[] = {&vp_judge_shapes, &vp_judge_casts, NULL};
