/* SPDX-License-Identifier: MIT */
/* The cases of convex decomposition. Welds are judged by comparing all points with all kept points, and concavities by casting every
 * sample's ray. Decompositions are judged by properties. Every triangle is in one hull with its corners within the reported
 * distance, every hull is valid, no error exceeds the limit, and shells stay separate. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/decompose.h>

#include "cases/case.h"
#include "cases/decompose_work.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "datasets/solid_sets.h"
#include "src/core/error.h"

/* ---- weld ---- */

typedef struct weld_work {
    uint32_t solids;
    vp_weld_job *job;
    uint32_t **joins;
    uint32_t *kept;
} weld_work;

static int compare_points(const void *a, const void *b)
{
    const vp_vec3 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y != q->y ? (p->y < q->y ? -1 : 1) : p->z < q->z ? -1 : p->z > q->z;
}

static double longest_side(const vp_vec3 *point, uint32_t count)
{
    vp_vec3 low = point[0], high = point[0];
    for (uint32_t i = 1; i < count; i++) {
        low = vp_vec3_min(low, point[i]);
        high = vp_vec3_max(high, point[i]);
    }
    return fmax(fmax((double)high.x - (double)low.x, (double)high.y - (double)low.y), (double)high.z - (double)low.z);
}

/* Distances at which few points join, and at which most do. */
static vp_status make_weld(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_solid_set *set = data->set;
    weld_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(weld_work));
    w->solids = set->count;
    w->job = vp_arena_keep(arena, set->count, sizeof *w->job, alignof(vp_weld_job));
    w->joins = vp_arena_keep(arena, set->count, sizeof *w->joins, alignof(uint32_t *));
    w->kept = vp_arena_output(arena, set->count, sizeof *w->kept, alignof(uint32_t), 0);
    for (uint32_t i = 0; i < set->count; i++) {
        const vp_triangles *mesh = &set->solid[i].mesh;
        const uint32_t count = mesh->vertex_count;
        vp_vec3 *point = vp_arena_keep(arena, count, sizeof *point, alignof(vp_vec3));
        for (uint32_t k = 0; k < count; k++)
            point[k] = (vp_vec3){mesh->vertex[k].x + 0.0f, mesh->vertex[k].y + 0.0f, mesh->vertex[k].z + 0.0f};
        qsort(point, count, sizeof *point, compare_points);
        const double side = count != 0 ? longest_side(point, count) : 0.0;
        w->joins[i] = vp_arena_output(arena, count, sizeof *w->joins[i], alignof(uint32_t), 0);
        w->job[i] = (vp_weld_job){.point = vp_arena_input(arena, point, count, sizeof *point, alignof(vp_vec3), 0),
                                  .count = count,
                                  .distance = (side > 0.0 ? side : 1.0) * (variant == 0 ? 1e-4 : 0.07),
                                  .scratch = vp_arena_scratch(arena, vp_weld_scratch_bytes(count), 1, 8),
                                  .joins = w->joins[i]};
    }
    return VP_OK;
}

static vp_status run_weld(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    weld_work *w = argument;
    *items = 0;
    for (uint32_t i = 0; i < w->solids; i++) {
        w->kept[i] = how->kernels->weld(&w->job[i]);
        *items += w->job[i].count;
    }
    return VP_OK;
}

static void record_weld(const void *argument, vp_records *out)
{
    const weld_work *w = argument;
    for (uint32_t i = 0; i < w->solids; i++) {
        vp_records_put_words(out, w->joins[i], w->job[i].count);
        vp_record_u32(w->kept[i], out);
    }
}

static double apart(vp_vec3 p, vp_vec3 q)
{
    const double x = (double)p.x - (double)q.x, y = (double)p.y - (double)q.y, z = (double)p.z - (double)q.z;
    return x * x + y * y + z * z;
}

static vp_status judge_weld(const void *argument, uint32_t step, vp_error *error)
{
    const weld_work *w = argument;
    for (uint32_t i = 0; i < w->solids; i++) {
        const vp_weld_job *job = &w->job[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < job->count; k++) {
            uint32_t right = 0; /* only kept points matter, because their joined points are already checked */
            while (right < k && (w->joins[i][right] != right || apart(job->point[k], job->point[right]) > job->distance * job->distance))
                right++;
            kept += right == k;
            if (w->joins[i][k] != right)
                return vp_fail(error, VP_E_FORMAT, "solid %u: point %u joins %u, not %u", i, k, w->joins[i][k], right);
        }
        if (w->kept[i] != kept)
            return vp_fail(error, VP_E_FORMAT, "solid %u: %u points are kept, not %u", i, w->kept[i], kept);
    }
    return VP_OK;
}

static const char *const weld_variants[] = {"few", "most", NULL};
static const char *const weld_notes[] = {", of which few join", ", of which most join"};
static const vp_measured weld_measured[] = {VP_ON("solid-torus", 3, VP_TIMED), {.data = NULL}};

const vp_case vp_case_weld = {.kind = &vp_kind_solids,
                              .variant = weld_variants,
                              .questions = true,
                              .make = make_weld,
                              .run = run_weld,
                              .records = record_weld,
                              .judge = judge_weld,
                              .notes = weld_notes,
                              .measured = weld_measured};

/* ---- concavity ---- */

enum { HULLS = 24, BLOCKS = 16, PER_TRIANGLE = 7, SAMPLES = BLOCKS * VP_SURFACE_LANES * PER_TRIANGLE, PLANE_POINTS = 24 };

/* Hulls of some triangles of the solid with the most triangles, and samples of any of its triangles. */
typedef struct cast_work {
    vp_surface_samples samples;
    uint32_t sample_count, hulls;
    double normal[SAMPLES][3], offset[SAMPLES]; /* of each sample's triangle */
    vp_concavity_job job[HULLS];
    double *error;
    uint32_t *sample;
} cast_work;

static vp_vec3 corner(const vp_triangles *mesh, uint32_t triangle, int k)
{
    return mesh->vertex[mesh->index[(size_t)triangle * 3 + (size_t)k]];
}

static void ends(vp_vec3 p, vp_vec3 q, double out[3])
{
    out[0] = (double)q.x - (double)p.x;
    out[1] = (double)q.y - (double)p.y;
    out[2] = (double)q.z - (double)p.z;
}

/* Draws some points on a triangle into a lane of a block. */
static void draw_lane(cast_work *w, const vp_triangles *mesh, uint32_t triangle, vp_random *random, double (*point)[3],
                      vp_surface_block *block, int lane)
{
    double u[3], v[3];
    ends(corner(mesh, triangle, 0), corner(mesh, triangle, 1), u);
    ends(corner(mesh, triangle, 0), corner(mesh, triangle, 2), v);
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const vp_vec3 base = corner(mesh, triangle, 0);
    const double at[3] = {(double)base.x, (double)base.y, (double)base.z};
    if (!(length > 0.0))
        return;
    for (int k = 0; k < 3; k++)
        block->normal[k][lane] = n[k] / length;
    const double along[3] = {block->normal[0][lane], block->normal[1][lane], block->normal[2][lane]};
    for (int c = 0; c < 3; c++) {
        const vp_vec3 p = corner(mesh, triangle, c);
        block->corner[c][0][lane] = (double)p.x;
        block->corner[c][1][lane] = (double)p.y;
        block->corner[c][2][lane] = (double)p.z;
    }
    block->offset[lane] = (along[0] * at[0] + along[1] * at[1]) + along[2] * at[2];
    for (uint32_t i = 0; i < PER_TRIANGLE; i++, w->sample_count++) {
        double a = vp_random_unit(random), b = vp_random_unit(random);
        if (a + b > 1.0) {
            a = 1.0 - a;
            b = 1.0 - b;
        }
        for (int k = 0; k < 3; k++)
            point[w->sample_count][k] = at[k] + (a * u[k] + b * v[k]);
        memcpy(w->normal[w->sample_count], along, sizeof along);
        w->offset[w->sample_count] = block->offset[lane];
    }
}

static void put_in_box(vp_surface_box *box, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], p[k]);
        box->high[k] = fmax(box->high[k], p[k]);
    }
}

/* The first box of three holds two blocks, and the next ones have one each. */
static void draw_samples(cast_work *w, const vp_triangles *mesh, vp_random *random, vp_arena *arena)
{
    enum { BOXES = BLOCKS / 2 * 3 };
    double(*point)[3] = vp_arena_keep(arena, SAMPLES, sizeof *point, alignof(double));
    vp_surface_block *block = vp_arena_keep(arena, BLOCKS, sizeof *block, alignof(vp_surface_block));
    vp_surface_box *box = vp_arena_keep(arena, BOXES, sizeof *box, alignof(vp_surface_box));
    for (int b = 0; b < BLOCKS; b++) {
        vp_surface_box *leaf = &box[b / 2 * 3 + 1 + b % 2];
        *leaf = (vp_surface_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, (uint32_t)b};
        const uint32_t from = w->sample_count, near = mesh->triangle_count != 0 ? vp_random_below(random, mesh->triangle_count) : 0;
        for (int lane = 0; lane < VP_SURFACE_LANES; lane++) {
            block[b].first[lane] = w->sample_count;
            if (mesh->triangle_count != 0 && vp_random_below(random, 9) != 0)
                draw_lane(w, mesh, (near + vp_random_below(random, 16)) % mesh->triangle_count, random, point, &block[b], lane);
        }
        block[b].first[VP_SURFACE_LANES] = w->sample_count;
        for (uint32_t i = from; i < w->sample_count; i++)
            put_in_box(leaf, point[i]);
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        box[i].next = i % 3 == 0 ? i + 3 : i + 1;
        if (i % 3 != 0)
            continue;
        box[i] = box[i + 1];
        box[i].next = i + 3;
        box[i].block = VP_DECOMPOSE_NONE;
        put_in_box(&box[i], box[i + 2].low);
        put_in_box(&box[i], box[i + 2].high);
    }
    w->samples = (vp_surface_samples){
        .point = (const double(*)[3])(uintptr_t)vp_arena_input(arena, point, w->sample_count, sizeof *point, alignof(double), 0),
        .block = vp_arena_input(arena, block, BLOCKS, sizeof *block, alignof(vp_surface_block), 0),
        .box = vp_arena_input(arena, box, BOXES, sizeof *box, alignof(vp_surface_box), 0),
        .boxes = BOXES};
}

/* Draws a hull of some corners. @return false if it is flat */
static bool draw_hull(const vp_triangles *mesh, double side, vp_random *random, vp_arena *arena, vp_concavity_job *out)
{
    vp_vec3 point[PLANE_POINTS];
    vp_hull hull;
    const vp_kernels scalar = vp_scalar_kernels();
    const uint32_t count = 4 + vp_random_below(random, PLANE_POINTS - 3);
    for (uint32_t i = 0; i < count; i++)
        point[i] = mesh->vertex[vp_random_below(random, mesh->vertex_count)];
    const vp_hull_def def = {.point = point, .count = count, .tolerance = (float)(side * 1e-4), .kernels = &scalar};
    if (vp_hull_create(&def, &hull, NULL) != VP_OK)
        return false;
    const bool solid = hull.dimension == 3;
    if (solid) {
        double(*plane)[4] = vp_arena_keep(arena, hull.face_count, sizeof *plane, alignof(double));
        memcpy(plane, hull.plane, hull.face_count * sizeof *plane);
        out->plane = (const double(*)[4])(uintptr_t)vp_arena_input(arena, plane, hull.face_count, sizeof *plane, alignof(double), 0);
        out->planes = hull.face_count;
        vp_vec3 *kept = vp_arena_keep(arena, count, sizeof *kept, alignof(vp_vec3));
        memcpy(kept, point, count * sizeof *kept);
        out->point = vp_arena_input(arena, kept, count, sizeof *kept, alignof(vp_vec3), 0);
        out->points = count;
        vp_aabb box = {point[0], point[0]};
        for (uint32_t i = 1; i < count; i++)
            box = (vp_aabb){vp_vec3_min(box.min, point[i]), vp_vec3_max(box.max, point[i])};
        const double end[2][3] = {{(double)box.min.x, (double)box.min.y, (double)box.min.z},
                                  {(double)box.max.x, (double)box.max.y, (double)box.max.z}};
        memcpy(out->low, end[0], sizeof out->low);
        memcpy(out->high, end[1], sizeof out->high);
    }
    vp_hull_destroy(&hull);
    return solid;
}

static vp_status make_cast(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_solid_set *set = data->set;
    const vp_triangles *mesh = &set->solid[0].mesh;
    for (uint32_t i = 1; i < set->count; i++)
        mesh = set->solid[i].mesh.triangle_count > mesh->triangle_count ? &set->solid[i].mesh : mesh;
    cast_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(cast_work));
    vp_random random = {mesh->triangle_count};
    draw_samples(w, mesh, &random, arena);
    const double side = longest_side(mesh->vertex, mesh->vertex_count);
    for (int i = 0; i < HULLS; i++) {
        vp_concavity_job *job = &w->job[w->hulls];
        job->samples = &w->samples;
        job->quantum = side * 1e-4;
        job->allowed = variant == 0 ? side * 1e-2 : INFINITY;
        w->hulls += side > 0.0 && draw_hull(mesh, side, &random, arena, job);
    }
    w->error = vp_arena_output(arena, w->hulls, sizeof *w->error, alignof(double), 0);
    w->sample = vp_arena_output(arena, w->hulls, sizeof *w->sample, alignof(uint32_t), 0);
    return VP_OK;
}

static vp_status run_cast(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    cast_work *w = argument;
    for (uint32_t i = 0; i < w->hulls; i++) {
        const vp_concavity_result r = how->kernels->concavity(&w->job[i]);
        w->error[i] = r.error;
        w->sample[i] = r.sample;
    }
    *items = w->hulls;
    return VP_OK;
}

static void record_cast(const void *argument, vp_records *out)
{
    const cast_work *w = argument;
    for (uint32_t i = 0; i < w->hulls; i++) {
        vp_records_put_longs(out, &w->error[i], 1);
        vp_record_u32(w->sample[i], out);
    }
}

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* The length of a ray by the definition in docs/kernels/decompose.md, or 0. */
static double cast(const vp_concavity_job *job, const double x[3], const double along[3], double offset)
{
    const double q = job->quantum;
    double reach = -INFINITY, t0 = 0.0, t1 = INFINITY, deep0 = 0.0, deep1 = INFINITY;
    for (uint32_t i = 0; i < job->planes; i++) {
        const double a = dot(job->plane[i], x) - job->plane[i][3], b = dot(job->plane[i], along);
        if (b == 0.0 && a + q > 0.0)
            return 0.0;
        t0 = b < 0.0 ? fmax(t0, a / -b) : t0;
        deep0 = b < 0.0 ? fmax(deep0, (a + q) / -b) : deep0;
        t1 = b > 0.0 ? fmin(t1, -a / b) : t1;
        deep1 = b > 0.0 ? fmin(deep1, -(a + q) / b) : deep1;
    }
    for (uint32_t i = 0; i < job->points; i++) {
        const double p[3] = {(double)job->point[i].x, (double)job->point[i].y, (double)job->point[i].z};
        reach = fmax(reach, dot(along, p) - offset);
    }
    return reach > q && t0 <= q && deep0 < deep1 && t1 < INFINITY ? fmin(t1, reach) : 0.0;
}

static vp_status judge_cast(const void *argument, uint32_t step, vp_error *error)
{
    const cast_work *w = argument;
    for (uint32_t i = 0; i < w->hulls; i++) {
        const vp_concavity_job *job = &w->job[i];
        double longest = 0.0;
        uint32_t sample = VP_DECOMPOSE_NONE;
        for (uint32_t k = 0; k < w->sample_count && longest <= job->allowed; k++) {
            const double *x = w->samples.point[k];
            bool in = true;
            for (int c = 0; c < 3; c++)
                in &= x[c] >= job->low[c] - job->quantum && x[c] <= job->high[c] + job->quantum;
            const double length = in ? cast(job, x, w->normal[k], w->offset[k]) : 0.0;
            if (length > longest) {
                longest = length;
                sample = k;
            }
        }
        if (memcmp(&w->error[i], &longest, sizeof longest) != 0 || w->sample[i] != sample) /* -0 is a different answer */
            return vp_fail(error, VP_E_FORMAT, "hull %u: %.17g by sample %u, not %.17g by %u", i, w->error[i], w->sample[i], longest,
                           sample);
    }
    return VP_OK;
}

static const char *const cast_variants[] = {"allowed", "longest", NULL};
static const char *const cast_notes[] = {", to the first ray that is too long", ", to the longest ray"};
static const vp_measured cast_measured[] = {VP_ON("solid-torus", 3, VP_TIMED), VP_ON("solid-gear", 3, VP_TIMED), {.data = NULL}};

const vp_case vp_case_concavity = {.kind = &vp_kind_solids,
                                   .variant = cast_variants,
                                   .questions = true,
                                   .make = make_cast,
                                   .run = run_cast,
                                   .records = record_cast,
                                   .judge = judge_cast,
                                   .notes = cast_notes,
                                   .measured = cast_measured};

/* ---- decompose ---- */

/* "fuzz-<n>" uses some triangles of a solid, because every request for memory is refused once. */
enum { FUZZ_SOLIDS = 1, FUZZ_TRIANGLES = 3 };

static vp_status make_decompose(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_solid_set *set = data->set;
    const bool fuzz = strncmp(data->name, "fuzz-", 5) == 0;
    vp_decompose_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(vp_decompose_work));
    w->solids = fuzz && set->count > FUZZ_SOLIDS ? FUZZ_SOLIDS : set->count;
    w->mesh = vp_arena_keep(arena, w->solids, sizeof *w->mesh, alignof(vp_triangles));
    for (uint32_t i = 0; i < w->solids; i++) {
        vp_triangles *mesh = &w->mesh[i];
        *mesh = set->solid[fuzz ? set->count - 1 - i : i].mesh;
        mesh->triangle_count = fuzz && mesh->triangle_count > FUZZ_TRIANGLES ? FUZZ_TRIANGLES : mesh->triangle_count;
        mesh->vertex = vp_arena_input(arena, mesh->vertex, mesh->vertex_count, sizeof *mesh->vertex, alignof(vp_vec3), 0);
        mesh->index = vp_arena_input(arena, mesh->index, (size_t)mesh->triangle_count * 3, sizeof *mesh->index, alignof(uint32_t), 0);
    }
    w->answer = vp_arena_keep(arena, w->solids, sizeof *w->answer, alignof(vp_decomposition));
    w->allocator = vp_arena_allocator(arena);
    return VP_OK;
}

static void drop_decompose(void *argument)
{
    vp_decompose_work *w = argument;
    for (uint32_t i = 0; w->answer != NULL && i < w->solids; i++)
        vp_decomposition_destroy(&w->answer[i]);
}

static vp_status run_decompose(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    vp_decompose_work *w = argument;
    vp_status status = VP_OK;
    *items = 0;
    drop_decompose(w);
    for (uint32_t i = 0; i < w->solids && status == VP_OK; i++) {
        const vp_triangles *mesh = &w->mesh[i];
        const vp_decomposition_def def = {.point = mesh->vertex,
                                          .point_count = mesh->vertex_count,
                                          .triangle = (const uint32_t(*)[3])(uintptr_t)mesh->index,
                                          .triangle_count = mesh->triangle_count,
                                          .kernels = how->kernels,
                                          .executor = how->executor,
                                          .allocator = w->allocator};
        status = vp_decomposition_create(&def, &w->answer[i], error);
        *items += mesh->triangle_count;
    }
    return status;
}

static void record_decompose(const void *argument, vp_records *out)
{
    const vp_decompose_work *w = argument;
    for (uint32_t i = 0; i < w->solids; i++) {
        const vp_decomposition *a = &w->answer[i];
        for (uint32_t h = 0; h < a->hull_count; h++) {
            const vp_decomposition_hull *hull = &a->hull[h];
            uint64_t digest[3] = {0, vp_hash64(hull->point, hull->point_count * sizeof *hull->point),
                                  vp_hash64(hull->triangle, hull->triangle_count * sizeof *hull->triangle)};
            vp_hull_digest(&hull->hull, &digest[0], NULL);
            vp_records_put_longs(out, digest, 3);
            vp_records_put_longs(out, &hull->error, 1);
            vp_record_u32(hull->node, out);
        }
        vp_records_put_longs(out, (const uint64_t[]){a->counts.predictions, a->counts.collapses, a->counts.drops}, 3);
        vp_records_end(out);
    }
}

static vp_status judge_hull(uint32_t solid, uint32_t h, const vp_decomposition_hull *hull, double allowed, vp_error *error)
{
    vp_hull_report report;
    if (hull->error > allowed)
        return vp_fail(error, VP_E_FORMAT, "solid %u: hull %u has an error of %g", solid, h, hull->error);
    if (hull->hull.dimension < 3)
        return VP_OK;
    const vp_status status = vp_hull_case_validate(hull->point, hull->point_count, &hull->hull, &report, error);
    return status != VP_OK || report.faults == 0
               ? status
               : vp_fail(error, VP_E_FORMAT, "solid %u: hull %u has faults %u", solid, h, report.faults);
}

/* Whether a point is outside of the hull's faces by at most `by`. For flat hulls only the plane counts. */
static bool holds(const vp_hull *hull, vp_vec3 p, double by)
{
    const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
    for (uint32_t f = 0; f < hull->face_count; f++)
        if (dot(hull->plane[f], at) - hull->plane[f][3] > by)
            return false;
    return true;
}

static vp_status judge_triangles(uint32_t i, const vp_triangles *mesh, const vp_decomposition *a, uint8_t *seen, vp_error *error)
{
    for (uint32_t h = 0; h < a->hull_count; h++)
        for (uint32_t k = 0; k < a->hull[h].triangle_count; k++) {
            const uint32_t t = a->hull[h].triangle[k];
            if (t >= mesh->triangle_count || seen[t]++ != 0)
                return vp_fail(error, VP_E_FORMAT, "solid %u: triangle %u is in hull %u, and in another or none", i, t, h);
            for (int c = 0; c < 3; c++)
                if (!holds(&a->hull[h].hull, corner(mesh, t, c), 3 * a->lengths.quantization))
                    return vp_fail(error, VP_E_FORMAT, "solid %u: corner %d of triangle %u is outside of hull %u", i, c, t, h);
        }
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        if (seen[t] == 0)
            return vp_fail(error, VP_E_FORMAT, "solid %u: triangle %u is in no hull", i, t);
    return VP_OK;
}

static vp_status judge_decompose(const void *argument, uint32_t step, vp_error *error)
{
    const vp_decompose_work *w = argument;
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < w->solids && status == VP_OK; i++) {
        const vp_decomposition *a = &w->answer[i];
        const vp_triangles *mesh = &w->mesh[i];
        uint8_t *seen = vp_must(calloc(mesh->triangle_count, 1), mesh->triangle_count);
        if (a->hull_count < a->input.shells)
            status = vp_fail(error, VP_E_FORMAT, "solid %u: %u hulls of %u shells", i, a->hull_count, a->input.shells);
        for (uint32_t h = 0; h < a->hull_count && status == VP_OK; h++)
            status = judge_hull(i, h, &a->hull[h], a->lengths.concavity, error);
        if (status == VP_OK)
            status = judge_triangles(i, mesh, a, seen, error);
        free(seen);
    }
    return status;
}

static void count_decompose(const void *argument, vp_counters *out)
{
    const vp_decompose_work *w = argument;
    double hulls = 0.0, flat = 0.0, vertices = 0.0, predictions = 0.0, triangles = 0.0;
    for (uint32_t i = 0; i < w->solids; i++) {
        const vp_decomposition *a = &w->answer[i];
        hulls += a->hull_count;
        predictions += (double)a->counts.predictions;
        triangles += a->input.triangles;
        for (uint32_t h = 0; h < a->hull_count; h++) {
            flat += a->hull[h].hull.dimension < 3;
            vertices += a->hull[h].hull.vertex_count;
        }
    }
    vp_count(out, "hulls", hulls);
    vp_count(out, "flat_hulls", flat);
    vp_count(out, "vertices", vertices);
    vp_count(out, "predictions_per_triangle", predictions / triangles);
}

static const vp_measured measured[] = {VP_ON("solid-l", 1, VP_TIMED | VP_ENDS | VP_VERIFIED),
                                       VP_ON("solid-frame", 1, VP_TIMED | VP_ENDS | VP_VERIFIED),
                                       VP_ON("solid-open-box", 1, VP_TIMED | VP_ENDS),
                                       VP_ON("solid-gear", 1, VP_TIMED | VP_ENDS),
                                       VP_ON("solid-rotor", 1, VP_TIMED | VP_ENDS),
                                       VP_ON("solid-torus", 1, VP_TIMED | VP_ENDS),
                                       VP_ON("solid-torus-576", 1, VP_TIMED | VP_ENDS),
                                       VP_ON("solid-torus-2304", 1, VP_TIMED | VP_ENDS),
                                       VP_ON("solid-torus-9216", 1, VP_TIMED | VP_ENDS),
                                       {.data = NULL}};

const vp_case vp_case_decompose = {.kind = &vp_kind_solids,
                                   .make = make_decompose,
                                   .run = run_decompose,
                                   .records = record_decompose,
                                   .judge = judge_decompose,
                                   .counters = count_decompose,
                                   .drop = drop_decompose,
                                   .measured = measured};
