/* SPDX-License-Identifier: MIT */
/* manifold_<body>: all contact points of bodies with a terrain, whose meshes and trees exist. A third of the bodies are deep in the
 * ground, a third touch it, and a third are apart. Judged with single triangles, without edges or chunks. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/terrain.h>

#include "cases/case.h"
#include "cases/narrowphase/manifold.h"
#include "cases/narrowphase/parts.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { BODIES = VP_MANIFOLD_CASE_BODIES, MOST = 16 * BODIES, ROOM = 512 };

static const float margin = VP_MANIFOLD_CASE_MARGIN;

typedef struct manifolds_work {
    vp_world *world;
    vp_body_parts parts;
    vp_manifold_body body[BODIES];
    vp_terrain *terrain;
    vp_manifold_scratch scratch;
    vp_manifold *manifold, *again;
    vp_manifold_result *result;
    uint32_t made;
} manifolds_work;

vp_status vp_manifold_case_terrain(vp_world *world, const vp_kernels *kernels, vp_terrain **out, vp_error *error)
{
    const vp_terrain_def def = {.world = world, .budget = VP_TERRAIN_NO_LIMIT, .kernels = kernels};
    return vp_terrain_create(&def, out, error);
}

vp_status vp_manifold_case_rewind(vp_world *world, const vp_kernels *kernels, vp_terrain **out, vp_error *error)
{
    if (*out != NULL)
        return VP_OK;
    const vp_status status = vp_manifold_case_terrain(world, kernels, out, error);
    return status == VP_OK ? vp_terrain_prepare(*out, error) : status;
}

vp_status vp_manifold_case_triangles(vp_terrain *terrain, const vp_aabb *box, vp_collide_triangle **out, uint32_t *count, vp_error *error)
{
    *out = NULL;
    vp_status status = vp_terrain_gather_triangles(terrain, VP_SURFACE_SOLID, box, NULL, NULL, 0, count, error);
    if (status != VP_OK)
        return status;
    vp_terrain_triangle_id *id = calloc(*count + 1u, sizeof *id);
    vp_terrain_triangle *found = calloc(*count + 1u, sizeof *found);
    *out = calloc(*count + 1u, sizeof **out);
    if (id == NULL || found == NULL || *out == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", *count);
    if (status == VP_OK)
        status = vp_terrain_gather_triangles(terrain, VP_SURFACE_SOLID, box, id, found, *count, count, error);
    for (uint32_t i = 0; status == VP_OK && i < *count; i++) {
        (*out)[i] = vp_collide_triangle_of(found[i].corner, i);
        (*out)[i].id = id[i];
        (*out)[i].material = found[i].material;
    }
    free(id);
    free(found);
    return status;
}

/* At any rotation above the ground or in it. Anywhere in the world if there is no ground. */
static vp_status place(const vp_world *world, const vp_collide_shape *shape, vp_terrain *terrain, vp_random *r, vp_pose *out,
                       vp_error *error)
{
    const vp_dims size = vp_world_size(world);
    vp_pose_place place = {.normal = {0.0f, 1.0f, 0.0f}, .scale = 1.0f};
    const vp_ray ray = {
        .origin = {vp_random_between(r, 0.0f, (float)size.x), (float)size.y + 1.0f, vp_random_between(r, 0.0f, (float)size.z)},
        .direction = {0.0f, -1.0f, 0.0f},
        .t_max = (float)size.y + 2.0f};
    vp_terrain_point hit;
    const vp_status status = vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &ray, &hit, error);
    if (status != VP_OK)
        return status;
    place.point = ray.origin;
    place.point.y = vp_random_between(r, 0.0f, (float)size.y);
    if (hit.hit.in_chunk.triangle != VP_NO_HIT) {
        place.point = hit.point;
        place.normal = hit.triangle.normal;
    }
    const uint32_t third = vp_random_below(r, 3);
    place.gap = third == 0   ? vp_random_between(r, -0.2f, 0.0f)
                : third == 1 ? vp_random_between(r, -0.002f, 0.002f)
                             : vp_random_between(r, 0.0f, 0.02f);
    vp_random_rotation(r, place.rotation);
    *out = vp_pose_of(shape, &place);
    return VP_OK;
}

vp_status vp_manifold_case_bodies(const vp_data *data, const vp_collide_shape *shape, vp_terrain *terrain, vp_manifold_body *out,
                                  vp_error *error)
{
    vp_random r = {vp_hash64(data->name, strlen(data->name))};
    vp_status status = VP_OK;
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        out[i].shape = shape;
        status = place(data->set, shape, terrain, &r, &out[i].pose, error);
    }
    return status;
}

vp_manifold_case_view vp_manifold_case_answers(const void *argument)
{
    const manifolds_work *w = argument;
    return (vp_manifold_case_view){w->body, w->manifold, w->result, w->terrain};
}

static vp_status make(vp_body_kind body, const vp_data *data, vp_arena *arena, void **out, vp_error *error)
{
    manifolds_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(manifolds_work));
    const vp_kernels scalar = vp_scalar_kernels();
    vp_terrain *terrain = NULL;
    w->world = (vp_world *)(uintptr_t)data->set;
    w->scratch = (vp_manifold_scratch){vp_arena_scratch(arena, vp_manifold_scratch_bytes(ROOM), 1, alignof(max_align_t)), ROOM, 0};
    w->manifold = vp_arena_output(arena, MOST, sizeof *w->manifold, alignof(vp_manifold), 0);
    w->again = vp_arena_keep(arena, MOST, sizeof *w->again, alignof(vp_manifold));
    w->result = vp_arena_output(arena, BODIES, sizeof *w->result, alignof(vp_manifold_result), 0);
    vp_status status = vp_body_parts_create(body, &w->parts, error);
    if (status == VP_OK)
        status = vp_manifold_case_terrain(w->world, &scalar, &terrain, error);
    if (status == VP_OK)
        status = vp_manifold_case_bodies(data, &w->parts.whole.shape, terrain, w->body, error);
    vp_terrain_destroy(terrain);
    return status;
}

static void drop(void *argument)
{
    manifolds_work *w = argument;
    vp_terrain_destroy(w->terrain);
    vp_body_parts_destroy(&w->parts);
}

static vp_status rewind_terrain(const vp_setting *how, void *argument, vp_error *error)
{
    manifolds_work *w = argument;
    return vp_manifold_case_rewind(w->world, how->kernels, &w->terrain, error);
}

/* The same as vp_manifold_terrain_many for compounds, up to the first error. */
static vp_status touch_compounds(const vp_manifold_def *def, manifolds_work *w, const vp_terrain_reader *reader, vp_error *error)
{
    vp_status status = VP_OK;
    w->made = 0;
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        const vp_compound_body body = {&w->parts.compound, w->body[i].pose};
        const uint32_t at = w->made < MOST ? w->made : MOST;
        uint32_t made;
        status = vp_manifold_compound_terrain(def, &body, reader, &w->scratch, w->manifold + at, MOST - at, &made, error);
        w->result[i] = (vp_manifold_result){.status = status, .first = w->made, .count = made};
        w->made += made;
    }
    return status;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    manifolds_work *w = argument;
    const vp_manifold_def def = {.kernels = how->kernels, .margin = margin, .by_chunk = true};
    vp_terrain_reader reader;
    vp_terrain_acquire_reader(w->terrain, &reader);
    const vp_status status = w->parts.compound.count > 1 ? touch_compounds(&def, w, &reader, error)
                                                         : vp_manifold_terrain_many(&def, w->body, BODIES, &reader, &w->scratch,
                                                                                    w->manifold, MOST, w->result, &w->made, error);
    vp_terrain_release_reader(&reader);
    *items = BODIES;
    return status;
}

/* Words from the distance to the triangle's number, then the rest. */
static void put_point(const vp_manifold_point *p, vp_records *out)
{
    vp_records_put_words(out, p, offsetof(vp_manifold_point, feature) / 4);
    vp_records_put_longs(out, &p->feature, 1);
    vp_records_put(out, &p->material, 1);
    vp_records_put(out, p->unused, sizeof p->unused);
    const uint8_t part[2] = {(uint8_t)(p->part & 0xff), (uint8_t)(p->part >> 8)};
    vp_records_put(out, part, sizeof part);
}

static void record(const void *argument, vp_records *out)
{
    const manifolds_work *w = argument;
    const uint32_t made = w->made < MOST ? w->made : MOST;
    for (int i = 0; i < BODIES; i++) {
        vp_records_put_words(out, &w->result[i], sizeof w->result[i] / 4);
        vp_records_end(out);
    }
    vp_record_u32(w->made, out);
    for (uint32_t k = 0; k < made; k++) {
        vp_records_put_words(out, &w->manifold[k].chunk, 1);
        vp_records_put_words(out, &w->manifold[k].count, 1);
        vp_records_put_words(out, &w->manifold[k].normal, 3);
        vp_records_put_words(out, &w->manifold[k].unused, 1);
        for (uint32_t p = 0; p < VP_MANIFOLD_POINTS; p++)
            put_point(&w->manifold[k].point[p], out);
        vp_records_end(out);
    }
}

/* ---- the judge ---- */

/* Single queries as compounds (CPD-1), and the scalar kernels, must give the same manifolds, bit by bit. */
static vp_status ask_again(const manifolds_work *w, const vp_terrain_reader *reader, vp_error *error)
{
    const vp_kernels scalar = vp_scalar_kernels();
    uint32_t at = 0;
    vp_manifold_scratch scratch = w->scratch;
    vp_status status = VP_OK;
    const vp_manifold_def def = {.kernels = &scalar, .margin = margin, .by_chunk = true};
    for (int i = 0; i < BODIES && status == VP_OK; i++) {
        const vp_compound_body body = {&w->parts.compound, w->body[i].pose};
        uint32_t made;
        if (w->result[i].status != VP_OK)
            return vp_fail(error, VP_E_FORMAT, "body %d has the status %d", i, (int)w->result[i].status);
        status = vp_manifold_compound_terrain(&def, &body, reader, &scratch, w->again, MOST - at, &made, error);
        if (status == VP_OK && (made > MOST - at || w->result[i].first != at || w->result[i].count != made ||
                                memcmp(w->again, w->manifold + at, made * sizeof *w->again) != 0))
            status = vp_fail(error, VP_E_FORMAT, "body %d: asked again, it has other manifolds", i);
        at += made;
    }
    if (status == VP_OK && at != w->made)
        status = vp_fail(error, VP_E_FORMAT, "there are %u manifolds, and not %u", at, w->made);
    return status;
}

/* Lowers *out to the least distance over all triangles near a part, each on its own. */
static vp_status find_deepest(const vp_manifold_body *part, const vp_terrain_reader *reader, float *out, vp_error *error)
{
    vp_terrain_triangle_id id[ROOM];
    vp_terrain_triangle found[ROOM];
    const vp_kernels scalar = vp_scalar_kernels();
    vp_aabb box;
    uint32_t count = 0;
    vp_status status = vp_collide_bounds(part->shape, &part->pose, margin, &box, error);
    if (status == VP_OK)
        status = vp_terrain_reader_gather_triangles(reader, VP_SURFACE_SOLID, &box, id, found, ROOM, &count, error);
    if (status == VP_OK && count > ROOM)
        status = vp_fail(error, VP_E_LIMIT, "there are %u triangles about a part", count);
    for (uint32_t t = 0; t < count && status == VP_OK; t++) {
        const vp_collide_triangle one = vp_collide_triangle_of(found[t].corner, t);
        vp_collide_result answer;
        status = vp_collide_triangles(&scalar, part->shape, &part->pose, margin, &one, 1, &answer, error);
        if (status == VP_OK && answer.triangle_feature != VP_COLLIDE_NONE && answer.distance < *out)
            *out = answer.distance;
    }
    return status;
}

/* Whether a point is in the plane of its triangle, and the points are at the stated distance. */
static bool is_on_triangle(const vp_terrain_triangle *t, const vp_pose *pose, const vp_manifold_point *p)
{
    const vp_vec3 from = vp_vec3_add(vp_vec3_sub(pose->position, t->corner[0]), p->on_triangle);
    const vp_vec3 way = vp_vec3_sub(vp_vec3_sub(p->on_shape, p->on_triangle), vp_vec3_scale(p->normal, p->distance));
    return fabsf(vp_vec3_dot(from, t->normal)) < 1e-4f && vp_vec3_dot(way, way) < 1e-9f &&
           fabsf(vp_vec3_dot(p->normal, p->normal) - 1.0f) < 1e-5f && p->distance <= margin;
}

static vp_status judge_body(const manifolds_work *w, const vp_terrain_reader *reader, int i, vp_error *error)
{
    float deepest = INFINITY, least = INFINITY;
    vp_status status = VP_OK;
    for (uint32_t k = 0; k < w->parts.compound.count && status == VP_OK; k++) {
        const vp_manifold_body part = vp_body_part_at(&w->parts, k, &w->body[i].pose);
        status = find_deepest(&part, reader, &deepest, error);
    }
    for (uint32_t k = 0; k < w->result[i].count && status == VP_OK; k++) {
        const vp_manifold *m = &w->manifold[w->result[i].first + k];
        if (m->count == 0 || m->count > VP_MANIFOLD_POINTS)
            status = vp_fail(error, VP_E_FORMAT, "body %d: a manifold has %u points", i, m->count);
        for (uint32_t p = 0; p < m->count && status == VP_OK; p++) {
            vp_terrain_triangle t;
            status = vp_terrain_reader_triangle(reader, VP_SURFACE_SOLID, m->point[p].at, &t, error);
            if (status == VP_OK && (m->point[p].at.chunk != m->chunk || !is_on_triangle(&t, &w->body[i].pose, &m->point[p])))
                status = vp_fail(error, VP_E_FORMAT, "body %d, chunk %u: point %u isn't where it says", i, m->chunk, p);
            least = m->point[p].distance < least ? m->point[p].distance : least;
        }
    }
    const float slack = vp_compound_radius(&w->parts.compound) / 256.0f + 1e-5f;
    if (status == VP_OK && deepest < -slack && !(least <= deepest + slack))
        status = vp_fail(error, VP_E_FORMAT, "body %d overlaps by %g, and is said to by %g", i, (double)-deepest, (double)-least);
    return status;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const manifolds_work *w = argument;
    vp_terrain_reader reader;
    vp_terrain_acquire_reader(w->terrain, &reader);
    vp_status status = ask_again(w, &reader, error);
    for (int i = 0; i < BODIES && status == VP_OK; i++)
        status = judge_body(w, &reader, i, error);
    vp_terrain_release_reader(&reader);
    return status;
}

static void count(const void *argument, vp_counters *out)
{
    const manifolds_work *w = argument;
    uint32_t points = 0;
    for (uint32_t k = 0; k < w->made; k++)
        points += w->manifold[k].count;
    vp_count(out, "manifolds_per_body", (double)w->made / BODIES);
    vp_count(out, "points_per_body", (double)points / BODIES);
}

static const vp_measured measured[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_VERIFIED), {.data = NULL}};

#define MEMBERS                                                                                                                            \
    .kind = &vp_kind_world, .rewind = rewind_terrain, .run = run, .records = record, .judge = judge, .counters = count, .drop = drop,      \
    .measured = measured
VP_CASES_OF_BODIES(manifold, MEMBERS);
VP_CASE_OF_BODY(manifold, table, VP_BODY_TABLE, MEMBERS);
VP_CASE_OF_BODY(manifold, anchor, VP_BODY_ANCHOR, MEMBERS);
