/* SPDX-License-Identifier: MIT */
#include "cases/bodies/casts.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cases/case.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"
#include "src/narrowphase/gjk.h"

enum { STEPS = 64 };

/* Corners of a triangle relative to the shape after a part of its way. */
static void corners_at(const vp_cast_def *def, const vp_vec3 corner[3], double t, vp_vec3 out[3])
{
    const vp_real3 at = vp_real3_plus(vp_real3_of(def->pose.position), vp_real3_of(def->translation), t);
    for (int k = 0; k < 3; k++)
        out[k] = vp_real3_rounded(vp_real3_sub(vp_real3_of(corner[k]), at));
}

static void truth_at(const vp_oracle_shape *oracle, const vp_cast_def *def, const vp_vec3 corner[3], double t, vp_oracle_truth *out)
{
    vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    vp_vec3 c[3];
    memcpy(pose.rotation, def->pose.rotation, sizeof pose.rotation);
    corners_at(def, corner, t, c);
    vp_oracle_truth_of(oracle, &pose, c, out);
}

/* Finds the first part of the way, from `from` on, at which the distance is at most `level`. @return INFINITY if there is none
 * up to `most` */
static double first_at(const vp_oracle_shape *oracle, const vp_cast_def *def, const vp_vec3 corner[3], double level, double from,
                       double most)
{
    double t = from;
    for (int i = 0; i < STEPS; i++) {
        vp_oracle_truth truth;
        truth_at(oracle, def, corner, t, &truth);
        const double above = truth.distance - level;
        const vp_real3 n = {truth.normal[0], truth.normal[1], truth.normal[2]};
        const double slope = vp_real3_dot(n, vp_real3_of(def->translation));
        if (above <= 1e-9 * truth.size)
            return t;
        if (!(slope < 0.0))
            return INFINITY;
        t -= above / slope;
        if (t > most)
            return INFINITY;
    }
    return t;
}

/* Like first_at. Tests the bounding ball first, because that is cheap. */
static double first_of(const vp_cast_question *q, const vp_vec3 corner[3], double level, double most)
{
    double origin[1][3] = {{0.0, 0.0, 0.0}};
    const vp_oracle_shape ball = {.vertex = origin, .vertices = 1, .radius = q->oracle->reach, .reach = q->oracle->reach};
    const double from = first_at(&ball, q->def, corner, level, 0.0, most);
    return from <= most ? first_at(q->oracle, q->def, corner, level, from, most) : INFINITY;
}

/* The box of a part of the way, enlarged by the shape and the slack. */
static vp_aabb box_of(const vp_cast_question *q, double from, double to)
{
    const vp_cast_def *d = q->def;
    const float reach = (float)(1.01 * (q->oracle->reach + q->slack));
    const vp_vec3 a = vp_vec3_add(d->pose.position, vp_vec3_scale(d->translation, (float)from)), by = {reach, reach, reach};
    const vp_vec3 b = vp_vec3_add(d->pose.position, vp_vec3_scale(d->translation, (float)to));
    return (vp_aabb){vp_vec3_sub(vp_vec3_min(a, b), by), vp_vec3_add(vp_vec3_max(a, b), by)};
}

static bool is_in(const vp_aabb *box, const vp_vec3 c[3])
{
    const vp_aabb around = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
    return vp_aabb_overlaps(box, &around);
}

/* Copies the triangles that the box of a cast's way meets. @param out  room for all @return their number */
static uint32_t cast_near(const vp_cast_question *q, vp_collide_triangle *out)
{
    const vp_aabb box = box_of(q, 0.0, 1.0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->count; i++)
        if (is_in(&box, q->triangle[i].corner))
            out[count++] = q->triangle[i];
    return count;
}

/* The extent of a shape at the origin against a direction. */
static double reach_against(const vp_cast_def *def, vp_real3 n)
{
    vp_collide_frame f;
    if (vp_collide_frame_of(&def->pose, &f, NULL) != VP_OK)
        return INFINITY;
    const vp_real3 d = {-vp_real3_dot(vp_real3_of(f.row[0]), n), -vp_real3_dot(vp_real3_of(f.row[1]), n),
                        -vp_real3_dot(vp_real3_of(f.row[2]), n)};
    return vp_real3_dot(d, vp_gjk_core(def->shape, d)) + vp_gjk_radius(def->shape);
}

/* Whether the normal is against the way, and that of a plane between the shape and a triangle that it touches. */
static bool is_right_normal(const vp_cast_question *q, const vp_cast_hit *hit)
{
    const vp_real3 n = vp_real3_of(hit->normal), way = vp_real3_of(q->def->translation);
    const vp_aabb box = box_of(q, (double)hit->t, (double)hit->t);
    const double reach = reach_against(q->def, n);
    if (!(vp_real3_dot(n, way) <= q->slack * vp_real3_length(way)))
        return false;
    for (uint32_t i = 0; i < q->count; i++) {
        vp_vec3 c[3];
        if (!is_in(&box, q->triangle[i].corner))
            continue;
        corners_at(q->def, q->triangle[i].corner, (double)hit->t, c);
        const double most =
            fmax(fmax(vp_real3_dot(vp_real3_of(c[0]), n), vp_real3_dot(vp_real3_of(c[1]), n)), vp_real3_dot(vp_real3_of(c[2]), n));
        if (-reach - most >= -2.0 * q->slack) {
            vp_oracle_truth truth;
            truth_at(q->oracle, q->def, q->triangle[i].corner, (double)hit->t, &truth);
            if (truth.distance <= q->slack)
                return true;
        }
    }
    return false;
}

static bool has_numbers(const vp_cast_hit *hit)
{
    const vp_real3 n = vp_real3_of(hit->normal);
    return !hit->found || (hit->t >= 0.0f && hit->t <= 1.0f && fabs(vp_real3_length(n) - 1.0) <= 1e-5);
}

/* Distances at the start and at the hit, and the first parts of the way at which the shape touches a triangle and is through one. Each is
 * the minimum over all triangles. */
typedef struct way_found {
    double at_start, at_end, touch, through;
} way_found;

static way_found look_along(const vp_cast_question *q, double until)
{
    const vp_aabb box = box_of(q, 0.0, until);
    way_found found = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (uint32_t i = 0; i < q->count; i++) {
        const vp_vec3 *c = q->triangle[i].corner;
        const double first = is_in(&box, c) ? first_of(q, c, q->slack, until) : INFINITY;
        vp_oracle_truth truth;
        if (first > until)
            continue;
        found.touch = fmin(found.touch, first);
        if (first == 0.0) {
            truth_at(q->oracle, q->def, c, 0.0, &truth);
            found.at_start = fmin(found.at_start, truth.distance);
        }
        truth_at(q->oracle, q->def, c, until, &truth);
        found.at_end = fmin(found.at_end, truth.distance);
        found.through = fmin(found.through, first_at(q->oracle, q->def, c, -q->slack, first, until));
    }
    return found;
}

vp_collide_fault vp_cast_judge(const vp_cast_question *q, const vp_cast_hit *hit, double *off)
{
    const double length = vp_real3_length(vp_real3_of(q->def->translation)), until = hit->found ? (double)hit->t : 1.0;
    *off = 0.0;
    if (!has_numbers(hit))
        return VP_FAULT_NUMBER;
    const way_found found = look_along(q, until);
    if (found.at_start < -q->slack)
        return !hit->found ? VP_FAULT_MISSED : until * length > q->slack ? VP_FAULT_DEPTH : VP_FAULT_NONE;
    if (!hit->found)
        return found.through <= 1.0 ? VP_FAULT_MISSED : VP_FAULT_NONE;
    if (!(found.at_end <= q->slack)) {
        const double touch = found.touch <= until ? found.touch : look_along(q, 1.0).touch;
        *off = touch <= 1.0 ? fabs(touch - until) * length : 0.0;
        return touch <= 1.0 ? VP_FAULT_DEPTH : VP_FAULT_INVENTED;
    }
    *off = fabs(found.at_end);
    if (found.through < until - 1e-6)
        return VP_FAULT_DEPTH;
    return is_right_normal(q, hit) ? VP_FAULT_NONE : VP_FAULT_NORMAL;
}

/* cast_<shape>: a shape moves along ways near the ground of a world and stops at its first hit. The terrain's meshes and trees exist
 * before. Judged with all triangles one by one, in binary64. */

/* Overlap that CAS-2 allows, as a part of the largest coordinate plus the radius. */
#define SLACK (6.0 * 0x1p-21)

/* A cast's answer without padding. */
typedef struct cast_answer {
    uint32_t hit, started_inside, material;
    float t, depth;
    vp_vec3 point, normal;
    vp_terrain_triangle_id at;
} cast_answer;

typedef struct casts_work {
    vp_world *world;
    vp_body_shape shape;
    vp_cast_def def[VP_CASTS];
    vp_terrain *terrain;
    cast_answer *answer;
} casts_work;

static cast_answer answer_of(const vp_cast_hit *h)
{
    return (cast_answer){h->found, h->started_inside, h->material, h->t, h->depth, h->point, h->normal, h->at};
}

/* ---- questions ---- */

static vp_vec3 any_way(vp_random *r, float low, float high, float length)
{
    return (vp_vec3){vp_random_between(r, -length, length), vp_random_between(r, low, high), vp_random_between(r, -length, length)};
}

vp_status vp_cast_case_defs(const vp_data *data, const vp_collide_shape *shape, vp_terrain *terrain, vp_cast_def *out, vp_error *error)
{
    vp_manifold_body body[VP_MANIFOLD_CASE_BODIES];
    vp_random r = {~vp_hash64(data->name, strlen(data->name))};
    const vp_status status = vp_manifold_case_bodies(data, shape, terrain, body, error);
    for (uint32_t i = 0; status == VP_OK && i < VP_CASTS; i++) {
        vp_cast_def *d = &out[i];
        *d = (vp_cast_def){.shape = shape, .pose = body[i / 2].pose};
        vp_vec3 from = any_way(&r, 1.0f, 6.0f, 4.0f);
        d->translation = vp_vec3_scale(from, i % 4 == 0 ? -1.0f : -2.0f);
        if (i % 4 == 2) {
            from = (vp_vec3){0.0f, vp_random_between(&r, 0.1f, 1.0f), 0.0f};
            d->translation = any_way(&r, -0.5f, 0.5f, 6.0f);
        } else if (i % 4 == 3) {
            from = any_way(&r, 8.0f, 24.0f, 1.0f);
            d->translation = (vp_vec3){0.0f, -1.5f * from.y, 0.0f};
        }
        d->pose.position = vp_vec3_add(d->pose.position, from);
    }
    return status;
}

/* ---- the case ---- */

static vp_status make(vp_body_kind body, const vp_data *data, vp_arena *arena, void **out, vp_error *error)
{
    casts_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(casts_work));
    const vp_kernels scalar = vp_scalar_kernels();
    vp_terrain *terrain = NULL;
    w->world = (vp_world *)(uintptr_t)data->set;
    w->answer = vp_arena_output(arena, VP_CASTS, sizeof *w->answer, alignof(cast_answer), 0);
    vp_status status = vp_body_shape_create(body, 1.0f, NULL, &w->shape, error);
    if (status == VP_OK)
        status = vp_manifold_case_terrain(w->world, &scalar, &terrain, error);
    if (status == VP_OK)
        status = vp_cast_case_defs(data, &w->shape.shape, terrain, w->def, error);
    vp_terrain_destroy(terrain);
    return status;
}

static void drop(void *argument)
{
    casts_work *w = argument;
    vp_terrain_destroy(w->terrain);
    vp_body_shape_destroy(&w->shape);
}

static vp_status rewind_terrain(const vp_setting *how, void *argument, vp_error *error)
{
    casts_work *w = argument;
    return vp_manifold_case_rewind(w->world, how->kernels, &w->terrain, error);
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    casts_work *w = argument;
    vp_terrain_reader reader;
    vp_status status = VP_OK;
    vp_terrain_acquire_reader(w->terrain, &reader);
    for (uint32_t i = 0; i < VP_CASTS && status == VP_OK; i++) {
        vp_cast_hit h;
        status = vp_cast_terrain(&reader, VP_SURFACE_SOLID, &w->def[i], &h, error);
        if (status == VP_OK)
            w->answer[i] = answer_of(&h);
    }
    vp_terrain_release_reader(&reader);
    *items = VP_CASTS;
    return status;
}

VP_RECORD_EACH(record, casts_work, VP_CASTS, vp_record_words(&w->answer[i], sizeof w->answer[i] / 4, out))

/* ---- the judge ---- */

static bool is_wholly_inside(const cast_answer *a)
{
    return a->hit != 0 && a->started_inside != 0 && a->at.triangle == VP_CAST_NO_TRIANGLE;
}

/* The mean of the shape's vertices at the start, in the world. */
static vp_vec3 middle_of(const vp_cast_def *d, const vp_oracle_shape *oracle)
{
    vp_collide_frame f;
    vp_vec3 at = d->pose.position;
    double mean[3] = {0.0, 0.0, 0.0};
    if (vp_collide_frame_of(&d->pose, &f, NULL) != VP_OK)
        return at;
    for (uint32_t i = 0; i < oracle->vertices; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += oracle->vertex[i][k] / oracle->vertices;
    for (int k = 0; k < 3; k++)
        at = vp_vec3_add(at, vp_vec3_scale(f.row[k], (float)mean[k]));
    return at;
}

/* Whether the answer equals that of a cast against all triangles at once, bit by bit. If the middle is inside, the answer must say so. Also
 * whether the shape touches the reported triangle at the hit. See CAS-5 in docs/CONTRACT.md. */
static bool is_of_all(const casts_work *w, const vp_terrain_reader *reader, const vp_cast_question *q, uint32_t i)
{
    vp_cast_hit right;
    bool inside;
    if (vp_cast_mesh(q->triangle, q->count, q->def, &right, NULL) != VP_OK ||
        vp_terrain_reader_inside(reader, VP_SURFACE_SOLID, middle_of(q->def, q->oracle), &inside, NULL) != VP_OK)
        return false;
    if (inside && !right.started_inside)
        right = (vp_cast_hit){.found = true, .started_inside = true, .at = {VP_COLLIDE_NO_CHUNK, VP_CAST_NO_TRIANGLE}};
    const cast_answer all = answer_of(&right), *a = &w->answer[i];
    if (memcmp(&all, a, sizeof all) != 0)
        return false;
    vp_pose pose = q->def->pose;
    vp_terrain_triangle t;
    vp_oracle_truth truth;
    if (a->at.triangle == VP_CAST_NO_TRIANGLE)
        return true;
    if (vp_terrain_reader_triangle(reader, VP_SURFACE_SOLID, a->at, &t, NULL) != VP_OK)
        return false;
    pose.position = vp_vec3_add(pose.position, vp_vec3_scale(q->def->translation, a->t));
    vp_oracle_truth_of(q->oracle, &pose, t.corner, &truth);
    return truth.distance <= q->slack && fabs(truth.distance + (double)a->depth) <= q->slack;
}

static double slack_of(const vp_cast_def *d)
{
    const vp_vec3 p = d->pose.position;
    return SLACK * (fmax(fmax(fabs((double)p.x), fabs((double)p.y)), fabs((double)p.z)) + (double)vp_collide_radius(d->shape));
}

static vp_status judge_casts(const casts_work *w, vp_collide_tally *tally, uint32_t *first, vp_error *error)
{
    const vp_aabb everywhere = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    const vp_kernels scalar = vp_scalar_kernels();
    vp_oracle_shape oracle = {0};
    vp_terrain_reader reader;
    vp_collide_triangle *all = NULL;
    uint32_t count = 0;
    *first = VP_CASTS;
    vp_status status = vp_manifold_case_triangles(w->terrain, &everywhere, &all, &count, error);
    if (status == VP_OK)
        status = vp_oracle_shape_create(&w->shape.shape, &oracle, error);
    vp_collide_triangle *near = malloc((count + 1u) * sizeof *near);
    if (status == VP_OK && near == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", count);
    vp_terrain_acquire_reader(w->terrain, &reader);
    for (uint32_t i = 0; i < VP_CASTS && status == VP_OK; i++) {
        const cast_answer *a = &w->answer[i];
        const vp_cast_hit hit = {.found = a->hit != 0, .t = a->t, .normal = a->normal};
        vp_cast_def def = w->def[i];
        vp_cast_question q = {&oracle, &def, all, count, slack_of(&def)};
        double off = 0.0;
        def.kernels = &scalar;
        q.count = cast_near(&q, near);
        q.triangle = near;
        vp_collide_fault fault = is_wholly_inside(a) ? VP_FAULT_NONE : vp_cast_judge(&q, &hit, &off);
        if (fault == VP_FAULT_NONE && !is_of_all(w, &reader, &q, i))
            fault = VP_FAULT_FEATURE;
        tally->pairs++;
        tally->near += hit.found;
        tally->fault[fault]++;
        tally->worst = fmax(tally->worst, off);
        *first = fault != VP_FAULT_NONE && *first == VP_CASTS ? i : *first;
    }
    vp_oracle_shape_destroy(&oracle);
    vp_terrain_release_reader(&reader);
    free(near);
    free(all);
    return status;
}

vp_collide_tally vp_cast_case_tally(const void *argument)
{
    vp_collide_tally t = {0};
    uint32_t first;
    judge_casts(argument, &t, &first, NULL);
    return t;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const casts_work *w = argument;
    vp_collide_tally t = {0};
    uint32_t first;
    const vp_status status = judge_casts(w, &t, &first, error);
    for (int f = VP_FAULT_NONE + 1; status == VP_OK && f < VP_FAULTS; f++)
        if (t.fault[f] > 0)
            return vp_fail(error, VP_E_FORMAT, "%u casts have a wrong %s; the first wrong cast is %u, with t = %.9g", (unsigned)t.fault[f],
                           vp_collide_fault_name((vp_collide_fault)f), first, (double)w->answer[first].t);
    return status;
}

static void count(const void *argument, vp_counters *out)
{
    const casts_work *w = argument;
    uint32_t hits = 0, inside = 0;
    for (uint32_t i = 0; i < VP_CASTS; i++) {
        hits += w->answer[i].hit;
        inside += w->answer[i].started_inside;
    }
    vp_count(out, "hit", (double)hits / VP_CASTS);
    vp_count(out, "started_inside", (double)inside / VP_CASTS);
}

static const vp_measured measured[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_VERIFIED), {.data = NULL}};

#define CAST(name, body)                                                                                                                   \
    VP_CASE_OF_BODY(cast, name, body, .kind = &vp_kind_world, .rewind = rewind_terrain, .run = run, .records = record, .judge = judge,     \
                    .counters = count, .drop = drop, .measured = measured)
CAST(sphere, VP_BODY_SPHERE);
CAST(capsule, VP_BODY_CAPSULE);
CAST(box, VP_BODY_BOX);
CAST(cylinder, VP_BODY_CYLINDER);
CAST(hull, VP_BODY_HULL16);
