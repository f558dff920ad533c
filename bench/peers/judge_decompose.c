/* SPDX-License-Identifier: MIT */
#include "bench/peers/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/decompose_work.h"
#include "conformance/judge_decompose/check.h"
#include "datasets/solid_sets.h"
#include "src/core/error.h"
#include "src/core/real3.h"

enum { SECONDS = 60 };

/* Lengths relative to the longest side of a mesh. NEAR is the distance within which a hull covers the surface. SPACING is the distance
 * between the rays that measure the error, half of our default. */
#define NEAR    1e-4
#define SPACING 5e-3

/* Findings of the judge of decompositions and of the rays, for one or several solids. */
typedef struct decomposition_found {
    uint64_t hulls, flat, invalid, vertices, triangles, owned, lost, predictions;
    double ray_error;    /* longest distance along a normal from the surface to a hull's back face, relative to the longest side */
    vp_between reach;    /* the same with bounds, relative to the longest side */
    double area, volume; /* of the solids. NAN if one of them is open */
    double covered[2];   /* lower bounds of area and volume */
    double overlap;      /* volume */
    char reason[160];    /* reason for the first invalid hull */
} decomposition_found;

/* ---- rays ---- */

/* Rays from a surface along its normals, from one triangle after the other. */
typedef struct surface_rays {
    vp_real3 *point;
    vp_surface_block *block;
    vp_surface_box *box; /* of each block; large hulls need no tree */
    uint32_t count, room;
} surface_rays;

/* Spreads samples over a triangle. They are the centres of the smaller triangles into which it is cut, with edges of at most `spacing`.
 * Without room it only counts. */
static void spread(surface_rays *r, const vp_triangles *mesh, uint32_t triangle, double spacing)
{
    const uint32_t *corner = mesh->index + 3 * (size_t)triangle, lane = triangle % VP_SURFACE_LANES;
    const vp_real3 a = vp_real3_of(mesh->vertex[corner[0]]), b = vp_real3_of(mesh->vertex[corner[1]]),
                   c = vp_real3_of(mesh->vertex[corner[2]]);
    const vp_real3 ab = vp_real3_sub(b, a), ac = vp_real3_sub(c, a), n = vp_real3_cross(ab, ac);
    const double longest = fmax(fmax(vp_real3_length(ab), vp_real3_length(ac)), vp_real3_length(vp_real3_sub(c, b)));
    const double twice = vp_real3_length(n), parts = ceil(longest / spacing);
    if (r->room != 0) {
        vp_surface_block *block = &r->block[triangle / VP_SURFACE_LANES];
        const double unit[3] = {n.x / twice, n.y / twice, n.z / twice};
        for (uint32_t k = lane; k <= VP_SURFACE_LANES; k++)
            block->first[k] = r->count;
        for (int k = 0; k < 3 && twice > 0.0; k++)
            block->normal[k][lane] = unit[k];
        for (int k = 0; k < 3; k++) {
            const vp_real3 p = k == 0 ? a : k == 1 ? b : c;
            block->corner[k][0][lane] = p.x;
            block->corner[k][1][lane] = p.y;
            block->corner[k][2][lane] = p.z;
        }
        block->offset[lane] = twice > 0.0 ? (unit[0] * a.x + unit[1] * a.y) + unit[2] * a.z : 0.0;
    }
    for (double i = 0; twice > 0.0 && i < parts; i++)
        for (double k = 0; k < parts - i; k++)
            for (int down = 0; down < (i + k < parts - 1 ? 2 : 1); down++) {
                const double u = (i + (1.0 + down) / 3.0) / parts, v = (k + (1.0 + down) / 3.0) / parts;
                if (r->room != 0)
                    r->point[r->count] = vp_real3_plus(a, vp_real3_plus(vp_real3_scale(ab, u), ac, v), 1.0);
                r->count++;
            }
    for (uint32_t k = lane + 1; k <= VP_SURFACE_LANES && r->room != 0; k++)
        r->block[triangle / VP_SURFACE_LANES].first[k] = r->count;
}

static void drop_rays(surface_rays *r)
{
    free(r->point);
    free(r->block);
    free(r->box);
}

static void box_block(const surface_rays *r, uint32_t block)
{
    vp_surface_box *box = &r->box[block];
    *box = (vp_surface_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, block + 1, block};
    for (uint32_t i = r->block[block].first[0]; i < r->block[block].first[VP_SURFACE_LANES]; i++) {
        const double p[3] = {r->point[i].x, r->point[i].y, r->point[i].z};
        for (int k = 0; k < 3; k++) {
            box->low[k] = fmin(box->low[k], p[k]);
            box->high[k] = fmax(box->high[k], p[k]);
        }
    }
}

static bool make_rays(surface_rays *r, const vp_triangles *mesh, double spacing, uint32_t blocks)
{
    *r = (surface_rays){0};
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        spread(r, mesh, t, spacing);
    r->room = r->count + 1;
    r->count = 0;
    r->point = malloc(r->room * sizeof *r->point);
    r->block = calloc((size_t)blocks + 1, sizeof *r->block);
    r->box = malloc(((size_t)blocks + 1) * sizeof *r->box);
    const bool good = r->point != NULL && r->block != NULL && r->box != NULL;
    for (uint32_t t = 0; good && t < mesh->triangle_count; t++)
        spread(r, mesh, t, spacing);
    for (uint32_t b = 0; good && b < blocks; b++)
        box_block(r, b);
    return good;
}

/* Finds the longest ray of one hull with the reference's kernel. */
static vp_status cast(const vp_surface_samples *samples, const vp_judged_hull *h, double near, double *longest, vp_error *error)
{
    vp_kernels scalar;
    vp_hull hull = {0};
    vp_status status = vp_kernels_named("scalar", &scalar, error);
    const vp_hull_def def = {.point = h->point, .count = h->points, .tolerance = (float)near, .kernels = &scalar};
    if (status == VP_OK)
        status = vp_hull_create(&def, &hull, error);
    if (status == VP_OK && hull.dimension == 3) {
        vp_hull_bounds b;
        vp_hull_bounds_scalar(h->point, h->points, &b);
        const vp_concavity_job job = {.samples = samples,
                                      .point = h->point,
                                      .points = h->points,
                                      .plane = hull.plane,
                                      .planes = hull.face_count,
                                      .low = {(double)b.min.x, (double)b.min.y, (double)b.min.z},
                                      .high = {(double)b.max.x, (double)b.max.y, (double)b.max.z},
                                      .quantum = near,
                                      .allowed = INFINITY};
        *longest = fmax(*longest, scalar.concavity(&job).error);
    }
    vp_hull_destroy(&hull);
    return status;
}

static vp_status cast_all(const vp_triangles *mesh, const vp_judged_hull *hull, uint32_t hulls, double side, double *longest,
                          vp_error *error)
{
    surface_rays r;
    vp_status status = VP_OK;
    if (!(side > 0.0))
        return VP_OK;
    const uint32_t blocks = (mesh->triangle_count + VP_SURFACE_LANES - 1) / VP_SURFACE_LANES;
    if (!make_rays(&r, mesh, SPACING * side, blocks))
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u rays", r.room);
    const vp_surface_samples samples = {.point = (const double(*)[3])(void *)r.point, .block = r.block, .box = r.box, .boxes = blocks};
    for (uint32_t h = 0; h < hulls && status == VP_OK; h++)
        status = cast(&samples, &hull[h], NEAR * side, longest, error);
    drop_rays(&r);
    return status;
}

/* ---- a decomposition ---- */

static vp_judged_hull *hulls_of(const vp_peer_answers *got)
{
    vp_judged_hull *hull = calloc((size_t)got->hulls + 1, sizeof *hull);
    for (uint32_t h = 0; hull != NULL && h < got->hulls; h++) {
        const uint32_t *first = got->first[h], *end = got->first[h + 1];
        hull[h] = (vp_judged_hull){.point = got->place + first[0],
                                   .points = end[0] - first[0],
                                   .triangle = end[1] > first[1] ? got->triangle + first[1] : NULL,
                                   .triangles = end[1] - first[1]};
    }
    return hull;
}

static void add(decomposition_found *to, const vp_decomposition_verdict *v, const vp_peer_answers *got)
{
    for (uint32_t h = 0; h < v->hulls && to->reason[0] == '\0'; h++)
        if (!v->hull[h].valid)
            snprintf(to->reason, sizeof to->reason, "%s", v->hull[h].reason);
    to->hulls += v->hulls;
    to->flat += v->flat;
    to->invalid += v->invalid;
    to->vertices += v->vertices;
    to->owned += v->owned;
    to->lost += v->lost;
    to->predictions += got->predictions;
    if (v->extent > 0.0) {
        to->reach.low = fmax(to->reach.low, v->reach.low / v->extent);
        to->reach.high = fmax(to->reach.high, v->reach.high / v->extent);
    }
    to->area += v->area;
    to->covered[0] += v->area * v->covered_surface.low;
    to->volume += v->volume;
    to->covered[1] += v->covered.low;
    to->overlap += v->overlap.high;
}

/* Adds the findings. @return VP_E_MEMORY, or VP_E_ARGUMENT for an invalid decomposition */
static vp_status look_at_decomposition(const vp_triangles *mesh, const vp_peer_answers *got, decomposition_found *found, vp_error *error)
{
    double longest = 0.0;
    const double side = fmax(vp_hull_extent(mesh->vertex, mesh->vertex_count), 0.0); /* 0 without points */
    vp_judged_hull *hull = hulls_of(got);
    vp_decomposition_verdict verdict = {0};
    vp_status status = hull != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory to look at %u hulls", got->hulls);
    if (status == VP_OK) {
        const vp_decomposition_question asked = {.mesh = *mesh, .owner = got->owner, .hull = hull, .hulls = got->hulls, .s = NEAR * side};
        status = vp_decomposition_judge(&asked, &verdict, error);
    }
    if (status == VP_OK)
        status = cast_all(mesh, hull, got->hulls, side, &longest, error);
    if (status == VP_OK) {
        add(found, &verdict, got);
        found->triangles += mesh->triangle_count;
        found->ray_error = side > 0.0 ? fmax(found->ray_error, longest / side) : found->ray_error;
    }
    vp_decomposition_drop(&verdict);
    free(hull);
    return status;
}

/* Adds them as counters. Lengths are in thousandths of the longest side. */
static void count_found(const decomposition_found *f, vp_counters *out)
{
    vp_count(out, "hulls", (double)f->hulls);
    vp_count(out, "flat_hulls", (double)f->flat);
    vp_count(out, "invalid_hulls", (double)f->invalid);
    vp_count(out, "vertices", (double)f->vertices);
    vp_count(out, "ray_error", 1000.0 * f->ray_error);
    vp_count(out, "reach_low", 1000.0 * f->reach.low);
    vp_count(out, "reach_high", 1000.0 * f->reach.high);
    vp_count(out, "covered_surface", f->area > 0.0 ? f->covered[0] / f->area : 1.0);
    if (f->volume > 0.0) {
        vp_count(out, "covered_volume", f->covered[1] / f->volume);
        vp_count(out, "overlap", f->overlap / f->volume);
    }
    if (f->owned != 0)
        vp_count(out, "lost_triangles", (double)f->lost);
    if (f->predictions != 0)
        vp_count(out, "predictions_per_triangle", (double)f->predictions / (double)f->triangles);
}

/* ---- the judge ---- */

static vp_status open_solids(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    const vp_status status = vp_suite_data(suite, &vp_kind_solids, set, NULL, &out->data, error);
    if (status != VP_OK)
        return status;
    const vp_solid_set *solids = out->data->set;
    out->steps = solids->count;
    for (uint32_t i = 0; i < solids->count; i++)
        out->items += solids->solid[i].mesh.triangle_count;
    return VP_OK;
}

static void look_at_decompositions(const vp_contest *c, vp_verdict *out)
{
    const vp_solid_set *solids = c->data->set;
    decomposition_found found = {0};
    vp_counters counters = {.count = 0};
    vp_status status = c->refused != 0 ? VP_E_UNSUPPORTED : VP_OK;
    snprintf(out->text, sizeof out->text, "this solid");
    for (uint32_t i = 0; i < solids->count && status == VP_OK; i++) {
        vp_peer_answers got;
        status =
            vp_peer_answers_of(c->peer, c->work, i, &got) ? look_at_decomposition(&solids->solid[i].mesh, &got, &found, NULL) : VP_E_MEMORY;
        if (status == VP_OK && got.hulls == 0)
            status = VP_E_UNSUPPORTED;
    }
    if (status != VP_OK) {
        out->outcome = status == VP_E_MEMORY ? VP_PEER_NO_MEMORY : VP_PEER_REFUSES;
        return;
    }
    count_found(&found, &counters);
    for (uint32_t i = 0; i < counters.count; i++)
        vp_verdict_count(out, counters.counter[i].name, counters.counter[i].value);
    out->outcome = found.invalid != 0 || found.lost != 0 ? VP_PEER_FAULTY : VP_PEER_RIGHT;
    snprintf(out->text, sizeof out->text, "triangles hulls=%llu invalid=%llu lost=%llu reach=%.3g surface=%.4g%%%s%.100s",
             (unsigned long long)found.hulls, (unsigned long long)found.invalid, (unsigned long long)found.lost, 1000.0 * found.reach.high,
             found.area > 0.0 ? 100.0 * found.covered[0] / found.area : 100.0, found.invalid != 0 ? ": " : "", found.reason);
}

/* Our hulls in the form of a library's answer. */
typedef struct our_hulls {
    vp_peer_answers reported; /* points to the arrays below */
    vp_vec3 *place;
    uint32_t (*triangle)[3], (*first)[2], *owner;
} our_hulls;

/* @return false on out of memory. Call drop_ours in any case */
static bool make_ours(const vp_decomposition *from, uint32_t triangles, our_hulls *out)
{
    size_t places = 0, made = 0;
    for (uint32_t h = 0; h < from->hull_count; h++) {
        places += from->hull[h].hull.vertex_count;
        made += from->hull[h].hull.triangle_count;
    }
    *out = (our_hulls){.place = malloc((places + 1) * sizeof *out->place),
                       .triangle = malloc((made + 1) * sizeof *out->triangle),
                       .first = malloc(((size_t)from->hull_count + 1) * sizeof *out->first),
                       .owner = malloc(((size_t)triangles + 1) * sizeof *out->owner)};
    if (out->place == NULL || out->triangle == NULL || out->first == NULL || out->owner == NULL)
        return false;
    uint32_t place = 0, triangle = 0;
    for (uint32_t t = 0; t < triangles; t++)
        out->owner[t] = UINT32_MAX;
    for (uint32_t h = 0; h < from->hull_count; h++) {
        const vp_decomposition_hull *its = &from->hull[h];
        out->first[h][0] = place;
        out->first[h][1] = triangle;
        for (uint32_t v = 0; v < its->hull.vertex_count; v++)
            out->place[place++] = its->point[its->hull.vertex[v]];
        for (uint32_t t = 0; t < its->hull.triangle_count; t++)
            memcpy(out->triangle[triangle++], its->hull.triangle[t], sizeof *out->triangle);
        for (uint32_t t = 0; t < its->triangle_count; t++)
            out->owner[its->triangle[t]] = h;
    }
    out->first[from->hull_count][0] = place;
    out->first[from->hull_count][1] = triangle;
    out->reported = (vp_peer_answers){.place = out->place,
                                      .triangle = (const uint32_t(*)[3])out->triangle,
                                      .places = place,
                                      .triangles = triangle,
                                      .first = (const uint32_t(*)[2])out->first,
                                      .hulls = from->hull_count,
                                      .owner = out->owner,
                                      .predictions = from->counts.predictions};
    return true;
}

static void drop_ours(our_hulls *hulls)
{
    free(hulls->place);
    free(hulls->triangle);
    free(hulls->first);
    free(hulls->owner);
}

static void count_ours(const void *work, vp_counters *out)
{
    const vp_decompose_work *w = work;
    decomposition_found found = {0};
    bool good = true;
    for (uint32_t i = 0; i < w->solids && good; i++) {
        our_hulls ours;
        good = make_ours(&w->answer[i], w->mesh[i].triangle_count, &ours);
        if (good)
            good = look_at_decomposition(&w->mesh[i], &ours.reported, &found, NULL) == VP_OK;
        drop_ours(&ours);
    }
    if (good)
        count_found(&found, out);
}

static const vp_contested measured[] = {
    {.row = VP_OPERATION_decompose, .set = {"solid-l", "solid-frame", "solid-open-box", "solid-gear", "solid-rotor", "solid-torus"}}};
const vp_judge vp_judge_decompositions = {VP_CONTESTED(measured), .apart = true,       .seconds = SECONDS,
                                          .version = true,        .open = open_solids, .look = look_at_decompositions,
                                          .count = count_ours};

const vp_judge *const vp_judges_decompose[] = {&vp_judge_decompositions, NULL};
