/* SPDX-License-Identifier: MIT */
/* Gaps between the hulls, inside the solid. Hulls of triangles hold the surface alone.
 *
 * Rays along x through the solid have intervals inside it. The parts of them in no hull are the gaps. First, two hulls with a gap between
 * them get an edge, and merge if their error is allowed. Then each hull that the middle of a gap extends without too large an error holds
 * it too. Last, hulls that are still flat get a point behind them. No hull is added. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

enum { FEWEST_RAYS = 256, MOST_RAYS = 2048, MOST_PAIRED = 4096, NEAREST = 16 };

static const double ALLOWED_GAP = 0.002, LEAST_GAIN = 0.00005; /* parts of the solid */

typedef vp_decompose_gap gap; /* a part of a ray that is inside the solid and in no hull */

typedef struct gaps {
    gap *gap;
    uint32_t count, room;
    double length; /* of the rays within the solid */
    double left;
    double least; /* shorter ones are none */
} gaps;

static vp_status report_no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to fill the gaps between hulls");
}

static bool add_gap(const vp_decomposing *d, gaps *g, gap added)
{
    if (added.high - added.low <= g->least)
        return true;
    if (g->count == g->room) {
        const uint32_t room = g->room != 0 ? 2 * g->room : MOST_RAYS;
        gap *larger = vp_allocate(&d->allocator, room, sizeof *larger);
        if (larger == NULL)
            return false;
        if (g->count != 0)
            memcpy(larger, g->gap, g->count * sizeof *larger);
        vp_release(&d->allocator, g->gap, g->room, sizeof *g->gap);
        g->gap = larger;
        g->room = room;
    }
    g->gap[g->count++] = added;
    g->left += added.high - added.low;
    return true;
}

/* Lists the parts of rays that are inside the solid. */
static bool list_solid(vp_decomposing *d, gaps *g)
{
    const vp_surface_box *all = &d->solid.box[0];
    const uint32_t wanted = d->solid.triangles / 2;
    const uint32_t rays = wanted < FEWEST_RAYS ? FEWEST_RAYS : wanted > MOST_RAYS ? MOST_RAYS : wanted;
    vp_decompose_crossing *crossing = vp_allocate(&d->allocator, d->solid.triangles, sizeof *crossing);
    bool done = crossing != NULL;
    for (uint32_t i = 0; i < rays && done; i++) { /* evenly spread (the R2 sequence) */
        const double u = 0.5 + i * 0.7548776662466927, v = 0.5 + i * 0.5698402909980532;
        const double y = all->low[1] + (u - floor(u)) * (all->high[1] - all->low[1]);
        const double z = all->low[2] + (v - floor(v)) * (all->high[2] - all->low[2]);
        const uint32_t count = vp_decompose_cross(d, y, z, crossing);
        int32_t winds = 0;
        for (uint32_t k = 0; k + 1 < count && done; k++) {
            winds -= crossing[k].winds;
            if (winds > 0)
                done = add_gap(d, g, (gap){y, z, crossing[k].x, crossing[k + 1].x});
        }
    }
    vp_release(&d->allocator, crossing, d->solid.triangles, sizeof *crossing);
    d->inside = done ? vp_arena_take(&d->memory, (g->count + 1) * sizeof *d->inside) : NULL;
    if (d->inside == NULL)
        return false;
    for (; d->insides < g->count; d->insides++)
        d->inside[d->insides] = g->gap[d->insides];
    return true;
}

/* Begins with all parts of rays that are inside the solid. */
static bool begin_gaps(vp_decomposing *d, gaps *g)
{
    bool done = true;
    g->least = 4 * d->lengths.quantization;
    if (d->inside == NULL)
        done = list_solid(d, g);
    for (uint32_t i = 0; i < d->insides && done && g->count < d->insides; i++)
        done = add_gap(d, g, d->inside[i]);
    g->length = g->left;
    return done;
}

/* The part of a gap that a hull holds. @return false if there is none */
static bool clip_gap(const vp_hull *hull, const vp_aabb *box, double s, const gap *from, double *low, double *high)
{
    if (from->y < (double)box->min.y || from->y > (double)box->max.y || from->z < (double)box->min.z || from->z > (double)box->max.z)
        return false;
    *low = vp_double_max(from->low, (double)box->min.x - s);
    *high = vp_double_min(from->high, (double)box->max.x + s);
    for (uint32_t f = 0; f < hull->face_count && *low < *high; f++) {
        const double *n = hull->plane[f], room = (n[3] + s) - (n[1] * from->y + n[2] * from->z);
        if (n[0] > 0.0)
            *high = vp_double_min(*high, room / n[0]);
        else if (n[0] < 0.0)
            *low = vp_double_max(*low, room / n[0]);
        else if (room < 0.0)
            return false;
    }
    return *low < *high;
}

/* The length of the gaps that a hull holds. */
static double measure_gain(const gaps *g, const vp_hull *hull, const vp_aabb *box, double s)
{
    double gain = 0.0, low, high;
    for (uint32_t i = 0; i < g->count; i++)
        if (clip_gap(hull, box, s, &g->gap[i], &low, &high))
            gain += high - low;
    return gain;
}

/* Removes the parts of gaps that a hull holds. */
static bool close_gaps(const vp_decomposing *d, gaps *g, const vp_hull *hull, const vp_aabb *box)
{
    const uint32_t count = g->count;
    uint32_t kept = 0;
    double low, high;
    if (hull->dimension < 3)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        gap *at = &g->gap[i];
        if (at->high > at->low && clip_gap(hull, box, d->lengths.quantization, at, &low, &high)) {
            const gap rest = {at->y, at->z, high, at->high};
            g->left -= at->high - at->low;
            at->high = low;
            if (at->high - at->low > g->least)
                g->left += at->high - at->low;
            else
                at->high = at->low;
            if (!add_gap(d, g, rest))
                return false;
        }
    }
    for (uint32_t i = 0; i < g->count; i++)
        if (g->gap[i].high > g->gap[i].low)
            g->gap[kept++] = g->gap[i];
    g->count = kept;
    return true;
}

static vp_aabb box_of(const vp_vec3 *point, uint32_t count)
{
    vp_aabb box = {point[0], point[0]};
    for (uint32_t i = 1; i < count; i++) {
        box.min = vp_vec3_min(box.min, point[i]);
        box.max = vp_vec3_max(box.max, point[i]);
    }
    return box;
}

/* Lists the gaps between all hulls, and the hulls, in the order of nodes. */
static vp_status find_gaps(vp_decomposing *d, gaps *g, vp_decompose_union *hull, uint32_t *node, vp_error *error)
{
    uint32_t hulls = 0;
    if (!begin_gaps(d, g))
        return report_no_memory(error);
    for (uint32_t i = 0; i < d->nodes; i++) {
        if (d->node[i].parent != VP_DECOMPOSE_NONE)
            continue;
        const vp_status status = vp_decompose_unite(d, i, VP_DECOMPOSE_NONE, &hull[hulls], error);
        if (status != VP_OK)
            return status;
        node[hulls] = i;
        hull[hulls].reach = d->node[i].tested.reach;
        if (!close_gaps(d, g, &hull[hulls++].hull, &d->node[i].box))
            return report_no_memory(error);
    }
    return VP_OK;
}

/* ---- pairs of hulls ---- */

static bool is_in_box(const vp_aabb *box, const double p[3], double s)
{
    return p[0] >= (double)box->min.x - s && p[0] <= (double)box->max.x + s && p[1] >= (double)box->min.y - s &&
           p[1] <= (double)box->max.y + s && p[2] >= (double)box->min.z - s && p[2] <= (double)box->max.z + s;
}

static bool is_in_hulls(const vp_decomposing *d, const vp_decompose_union *hull, const uint32_t *node, uint32_t hulls, const double p[3])
{
    const double s = d->lengths.quantization;
    for (uint32_t h = 0; h < hulls; h++) {
        uint32_t f = 0;
        if (!is_in_box(&d->node[node[h]].box, p, s))
            continue;
        while (f < hull[h].hull.face_count && hull[h].hull.plane[f][0] * p[0] + hull[h].hull.plane[f][1] * p[1] +
                                                      hull[h].hull.plane[f][2] * p[2] - hull[h].hull.plane[f][3] <=
                                                  s)
            f++;
        if (f == hull[h].hull.face_count && f != 0)
            return true;
    }
    return false;
}

static void find_middle(const vp_decompose_union *u, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (uint32_t i = 0; i < u->vertices; i++) {
        out[0] += (double)u->point[i].x;
        out[1] += (double)u->point[i].y;
        out[2] += (double)u->point[i].z;
    }
    for (int k = 0; k < 3; k++)
        out[k] /= u->vertices;
}

/* Lists pairs of hulls of one shell, or of a void and another shell, that have a gap in the middle between them. */
static uint32_t list_pairs(const vp_decomposing *d, const vp_decompose_union *hull, const uint32_t *node, uint32_t hulls,
                           uint32_t (*pair)[2], double (*middle)[3])
{
    uint32_t count = 0;
    for (uint32_t h = 0; h < hulls; h++)
        find_middle(&hull[h], middle[h]);
    for (uint32_t a = 0; a < hulls; a++)
        for (uint32_t b = a + 1; b < hulls && count < MOST_PAIRED; b++) {
            const uint32_t shell[2] = {d->mesh.shell[d->node[node[a]].first], d->mesh.shell[d->node[node[b]].first]};
            if (shell[0] != shell[1] && d->mesh.is_void[shell[0]] == d->mesh.is_void[shell[1]])
                continue;
            double p[3];
            for (int k = 0; k < 3; k++)
                p[k] = (middle[a][k] + middle[b][k]) / 2;
            if (!is_in_hulls(d, hull, node, hulls, p) && vp_decompose_wind(d, p) > 0) {
                pair[count][0] = node[a];
                pair[count++][1] = node[b];
            }
        }
    return count;
}

static void drop_hulls(const vp_decomposing *d, vp_decompose_union *hull, uint32_t hulls)
{
    for (uint32_t h = 0; h < hulls && hull != NULL; h++)
        vp_decompose_drop_union(d, &hull[h]);
    vp_release(&d->allocator, hull, hulls, sizeof *hull);
}

vp_status vp_decompose_pair_hulls(vp_decomposing *d, uint32_t (**pair)[2], uint32_t *pairs, vp_error *error)
{
    const uint32_t hulls = d->living;
    gaps g = {0};
    *pairs = 0;
    *pair = NULL;
    if (d->solid.boxes == 0)
        return VP_OK;
    vp_decompose_union *hull = vp_allocate_zero(&d->allocator, hulls, sizeof *hull);
    uint32_t *node = vp_allocate(&d->allocator, hulls, sizeof *node);
    double(*middle)[3] = vp_allocate(&d->allocator, hulls, sizeof *middle);
    vp_status status = hull != NULL && node != NULL && middle != NULL ? find_gaps(d, &g, hull, node, error) : report_no_memory(error);
    if (status == VP_OK) {
        d->full = g.left <= ALLOWED_GAP * g.length;
        for (uint32_t h = 0; h < hulls && d->full; h++)
            d->full = hull[h].hull.dimension == 3;
    }
    if (status == VP_OK && g.left > ALLOWED_GAP * g.length) {
        *pair = vp_arena_take(&d->memory, MOST_PAIRED * sizeof **pair);
        if (*pair != NULL)
            *pairs = list_pairs(d, hull, node, hulls, *pair, middle);
        else
            status = report_no_memory(error);
    }
    vp_release(&d->allocator, g.gap, g.room, sizeof *g.gap);
    vp_release(&d->allocator, middle, hulls, sizeof *middle);
    vp_release(&d->allocator, node, hulls, sizeof *node);
    drop_hulls(d, hull, hulls);
    return status;
}

static bool are_near(const vp_aabb *a, const vp_aabb *b, double distance)
{
    return (double)a->min.x <= (double)b->max.x + distance && (double)b->min.x <= (double)a->max.x + distance &&
           (double)a->min.y <= (double)b->max.y + distance && (double)b->min.y <= (double)a->max.y + distance &&
           (double)a->min.z <= (double)b->max.z + distance && (double)b->min.z <= (double)a->max.z + distance;
}

vp_status vp_decompose_pair_shells(vp_decomposing *d, uint32_t (**pair)[2], uint32_t *pairs, vp_error *error)
{
    *pairs = 0;
    *pair = vp_arena_take(&d->memory, MOST_PAIRED * sizeof **pair);
    if (*pair == NULL)
        return report_no_memory(error);
    for (uint32_t a = 0; a < d->nodes; a++)
        for (uint32_t b = a + 1; b < d->nodes && d->node[a].parent == VP_DECOMPOSE_NONE && *pairs < MOST_PAIRED; b++) {
            const vp_decompose_node *n = &d->node[b];
            if (n->parent != VP_DECOMPOSE_NONE || d->mesh.shell[n->first] == d->mesh.shell[d->node[a].first] ||
                !are_near(&d->node[a].box, &n->box, d->lengths.concavity))
                continue;
            (*pair)[*pairs][0] = a;
            (*pair)[(*pairs)++][1] = b;
        }
    return VP_OK;
}

/* ---- more points ---- */

static bool is_before(vp_vec3 a, vp_vec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* Makes the hull of some points and one more. Points that are no vertices of it are left out. @return VP_E_MEMORY */
static vp_status extend_hull(const vp_decomposing *d, const vp_decompose_union *from, vp_vec3 added, vp_decompose_union *out,
                             vp_error *error)
{
    *out = (vp_decompose_union){.room = from->vertices + 1};
    out->point = vp_allocate(&d->allocator, out->room, VP_DECOMPOSE_PER_VERTEX);
    if (out->point == NULL)
        return report_no_memory(error);
    uint32_t at = 0;
    while (at < from->vertices && is_before(from->point[at], added))
        at++;
    memcpy(out->point, from->point, at * sizeof *out->point);
    out->point[at] = added;
    memcpy(out->point + at + 1, from->point + at, (from->vertices - at) * sizeof *out->point);
    out->vertices = out->room;
    const vp_hull_def def = {
        .point = out->point, .count = out->vertices, .tolerance = d->tolerance, .kernels = &d->kernels, .allocator = &d->allocator};
    const vp_status status = vp_hull_create(&def, &out->hull, error);
    if (status != VP_OK)
        vp_decompose_drop_union(d, out);
    return status;
}

/* Leaves only the vertices of a hull, and makes it of them again. */
static vp_status keep_vertices(const vp_decomposing *d, vp_decompose_union *u, vp_error *error)
{
    vp_status status = VP_OK;
    while (status == VP_OK && u->hull.dimension == 3 && u->hull.vertex_count != u->vertices) {
        for (uint32_t i = 0; i < u->hull.vertex_count; i++)
            u->point[i] = u->point[u->hull.vertex[i]];
        u->vertices = u->hull.vertex_count;
        vp_hull_destroy(&u->hull);
        u->hull = (vp_hull){0};
        const vp_hull_def def = {
            .point = u->point, .count = u->vertices, .tolerance = d->tolerance, .kernels = &d->kernels, .allocator = &d->allocator};
        status = vp_hull_create(&def, &u->hull, error);
    }
    return status;
}

typedef struct gap_filling {
    vp_decomposing *d;
    gaps gaps;
    vp_decompose_union *hull;
    uint32_t *node;
    double *error; /* of each extended hull. -1 = not extended */
    bool *far;     /* an extended hull reaches too far */
    uint32_t hulls;
    double each;      /* nanoseconds of a test of an extended hull */
    bool tests_reach; /* of each extended hull, not only of the result */
} gap_filling;

/* A hull that is extended by a point. */
typedef struct extended_hull {
    const gap_filling *filling;
    uint32_t hull;
    vp_vec3 added;
    double least; /* gain */
    vp_decompose_union more;
    vp_aabb box;
    double error;
    bool good; /* the error is allowed */
    vp_status status;
} extended_hull;

/* Extends a hull, if it holds more of the gaps then. @return false if it does not, or without memory */
static bool try_to_extend(extended_hull *e)
{
    const vp_decomposing *d = e->filling->d;
    e->status = extend_hull(d, &e->filling->hull[e->hull], e->added, &e->more, NULL);
    e->good = false;
    if (e->status != VP_OK)
        return false;
    e->box = box_of(e->more.point, e->more.vertices);
    return e->more.hull.dimension == 3 && measure_gain(&e->filling->gaps, &e->more.hull, &e->box, d->lengths.quantization) >=
                                              e->least * (1 - 0x1p-20); /* gains become less while other hulls are extended */
}

/* Finds whether the error of an extended hull is allowed. */
static void test_extended(void *argument, uint32_t i)
{
    extended_hull *e = (extended_hull *)argument + i;
    const vp_decomposing *d = e->filling->d;
    const vp_decompose_union *from = &e->filling->hull[e->hull];
    vp_decompose_ray ray;
    e->status = vp_decompose_measure(d, &e->more, &e->box, &ray);
    e->error = ray.error;
    bool is_too_far = e->error > d->allowed, is_close = true;
    if (d->by_reach && e->status == VP_OK) {
        vp_decompose_tested former;
        e->status = vp_decompose_set_tested(d, from, &former) ? vp_decompose_is_close(d, &e->more, &former, 1, &is_close) : VP_E_MEMORY;
        vp_decompose_drop_tested(d, &former);
        is_too_far = !is_close;
    } else if (!is_too_far && !d->def->exact && e->status == VP_OK) {
        e->status = vp_decompose_has_longer_ray(d, &e->more.hull, &e->box, &from->hull, &is_too_far);
    }
    if (!is_too_far && e->status == VP_OK && e->filling->tests_reach)
        is_too_far = vp_decompose_reaches_too_far(d, &e->more, e->filling->node[e->hull]);
    e->good = e->status == VP_OK && !is_too_far;
}

/* Replaces a hull by the extended one, if that is good and holds enough of the gaps. */
static vp_status take_extended(gap_filling *f, extended_hull *e, bool *done, vp_error *error)
{
    vp_decomposing *d = f->d;
    if (!e->good || measure_gain(&f->gaps, &e->more.hull, &e->box, d->lengths.quantization) < e->least)
        return e->status == VP_OK ? VP_OK : report_no_memory(error);
    const vp_status status = keep_vertices(d, &e->more, error);
    if (status != VP_OK)
        return status;
    vp_decompose_drop_union(d, &f->hull[e->hull]);
    f->hull[e->hull] = e->more;
    e->more = (vp_decompose_union){0};
    f->error[e->hull] = e->error > f->error[e->hull] ? e->error : f->error[e->hull];
    *done = true;
    return close_gaps(d, &f->gaps, &f->hull[e->hull].hull, &e->box) ? VP_OK : report_no_memory(error);
}

/* Extends those of some hulls by a point whose error is allowed then, and that hold more of the gaps. Each is tested in its turn, or
   threads test all together before any is taken. Both have the same result. */
static vp_status add_point(gap_filling *f, const uint32_t *hull, uint32_t hulls, vp_vec3 added, double least, bool *any, vp_error *error)
{
    extended_hull extended[NEAREST];
    vp_status status = vp_decompose_report_progress(f->d, error);
    const bool together = hulls > 1 && vp_decompose_may_use_threads(f->d, f->each);
    uint32_t count = 0;
    *any = false;
    for (uint32_t i = 0; i < hulls && status == VP_OK; i++) {
        extended[count] = (extended_hull){.filling = f, .hull = hull[i], .added = added, .least = least};
        if (try_to_extend(&extended[count])) {
            count++;
        } else {
            status = extended[count].status == VP_OK ? VP_OK : report_no_memory(error);
            vp_decompose_drop_union(f->d, &extended[count].more);
        }
        if (count == 0 || (together && i + 1 < hulls && status == VP_OK))
            continue;
        if (together)
            vp_decompose_place_all(f->d);
        vp_decompose_for(f->d, count, test_extended, extended, &f->each);
        for (uint32_t k = 0; k < count; k++) {
            if (status == VP_OK)
                status = take_extended(f, &extended[k], any, error);
            vp_decompose_drop_union(f->d, &extended[k].more);
        }
        count = 0;
    }
    return status;
}

/* Lists the hulls nearest to a point, in their order. @return their number */
static uint32_t list_nearest(const gap_filling *f, vp_vec3 point, uint32_t out[NEAREST])
{
    double away[NEAREST];
    uint32_t count = 0;
    for (uint32_t h = 0; h < f->hulls; h++) {
        const vp_hull *hull = &f->hull[h].hull;
        double height = hull->face_count != 0 ? -INFINITY : INFINITY;
        for (uint32_t i = 0; i < hull->face_count; i++)
            height = vp_double_max(height, hull->plane[i][0] * (double)point.x + hull->plane[i][1] * (double)point.y +
                                               hull->plane[i][2] * (double)point.z - hull->plane[i][3]);
        if (count == NEAREST && height >= away[NEAREST - 1])
            continue;
        uint32_t at = count < NEAREST ? count++ : NEAREST - 1;
        for (; at > 0 && away[at - 1] > height; at--) {
            away[at] = away[at - 1];
            out[at] = out[at - 1];
        }
        away[at] = height;
        out[at] = h;
    }
    return count;
}

/* Extends hulls by the middles of gaps, the longest gap first. */
static vp_status fill_gaps(gap_filling *f, vp_error *error)
{
    const vp_decomposing *d = f->d;
    gaps *g = &f->gaps;
    for (uint32_t fill = 0; fill < 64 + 16 * f->hulls && g->count != 0 && g->left > ALLOWED_GAP * g->length && !vp_decompose_is_late(d);
         fill++) {
        uint32_t longest = 0;
        for (uint32_t i = 1; i < g->count; i++)
            longest = g->gap[i].high - g->gap[i].low > g->gap[longest].high - g->gap[longest].low ? i : longest;
        const gap at = g->gap[longest];
        const vp_vec3 middle = {(float)((at.low + at.high) / 2), (float)at.y, (float)at.z};
        uint32_t near[NEAREST];
        const uint32_t count = list_nearest(f, middle, near);
        bool any;
        const vp_status status = add_point(f, near, count, middle, LEAST_GAIN * g->length, &any, error);
        if (status != VP_OK)
            return status;
        if (any)
            continue;
        g->gap[longest] = g->gap[--g->count]; /* no hull can hold its middle; its length still counts as left */
        if (at.high - at.low > 16 * g->least) {
            const double half = (at.low + at.high) / 2;
            g->left -= at.high - at.low;
            if (!add_gap(d, g, (gap){at.y, at.z, at.low, half}) || !add_gap(d, g, (gap){at.y, at.z, half, at.high}))
                return report_no_memory(error);
        }
    }
    return VP_OK;
}

/* Gives flat hulls a point behind the middle of their first triangle, no deeper than the allowed error. A hull without the solid on either
   side, as of a sheet of two sides, gets one of four quantizations behind or in front. */
static vp_status thicken_hulls(gap_filling *f, vp_error *error)
{
    const vp_decomposing *d = f->d;
    const double thin = 4 * d->lengths.quantization;
    vp_status status = VP_OK;
    for (uint32_t h = 0; h < f->hulls && status == VP_OK && !vp_decompose_is_late(d); h++) {
        const uint32_t t = d->node[f->node[h]].first;
        const double *n = d->mesh.normal[t];
        double middle[3], p[3], corner[3][3];
        bool done = false;
        if (f->hull[h].hull.dimension != 2 || !d->mesh.closed[d->mesh.shell[t]])
            continue;
        vp_decompose_set_corners(&d->mesh, t, corner);
        for (int k = 0; k < 3; k++)
            middle[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3;
        bool is_sheet = vp_decompose_wind_before(d, t, middle) >= 0;
        for (double depth = d->lengths.concavity; depth > thin / 2 && !done && status == VP_OK; depth /= 2) {
            for (int k = 0; k < 3; k++)
                p[k] = middle[k] - depth * n[k];
            if (vp_decompose_wind(d, p) <= 0)
                continue;
            is_sheet = false;
            status = add_point(f, &h, 1, (vp_vec3){(float)p[0], (float)p[1], (float)p[2]}, 0.0, &done, error);
        }
        for (int side = -1; side <= 1 && is_sheet && !done && status == VP_OK; side += 2) {
            for (int k = 0; k < 3; k++)
                p[k] = middle[k] + side * thin * n[k];
            status = add_point(f, &h, 1, (vp_vec3){(float)p[0], (float)p[1], (float)p[2]}, 0.0, &done, error);
        }
    }
    return status;
}

static void drop_filling(gap_filling *f)
{
    const vp_allocator *allocator = &f->d->allocator;
    vp_release(allocator, f->gaps.gap, f->gaps.room, sizeof *f->gaps.gap);
    vp_release(allocator, f->far, f->hulls, sizeof *f->far);
    vp_release(allocator, f->error, f->hulls, sizeof *f->error);
    vp_release(allocator, f->node, f->hulls, sizeof *f->node);
    drop_hulls(f->d, f->hull, f->hulls);
}

static vp_status fill_hulls(gap_filling *f, vp_error *error)
{
    const vp_allocator *allocator = &f->d->allocator;
    f->hull = vp_allocate_zero(allocator, f->hulls, sizeof *f->hull);
    f->node = vp_allocate(allocator, f->hulls, sizeof *f->node);
    f->error = vp_allocate(allocator, f->hulls, sizeof *f->error);
    f->far = vp_allocate_zero(allocator, f->hulls, sizeof *f->far);
    if (f->hull == NULL || f->node == NULL || f->error == NULL || f->far == NULL)
        return report_no_memory(error);
    for (uint32_t h = 0; h < f->hulls; h++)
        f->error[h] = -1.0;
    vp_status status = find_gaps(f->d, &f->gaps, f->hull, f->node, error);
    if (status == VP_OK)
        status = fill_gaps(f, error);
    return status == VP_OK ? thicken_hulls(f, error) : status;
}

static void test_reach(void *argument, uint32_t h)
{
    gap_filling *f = argument;
    f->far[h] = f->error[h] >= 0.0 && vp_decompose_reaches_too_far(f->d, &f->hull[h], f->node[h]);
}

/* Whether an extended hull reaches too far. */
static bool has_far_hull(gap_filling *f)
{
    bool any = false;
    vp_decompose_for(f->d, f->hulls, test_reach, f, NULL);
    for (uint32_t h = 0; h < f->hulls; h++)
        any |= f->far[h];
    return any;
}

/* Gives the nodes their extended hulls. */
static vp_status keep_extended(gap_filling *f, vp_error *error)
{
    vp_decomposing *d = f->d;
    vp_status status = VP_OK;
    for (uint32_t h = 0; h < f->hulls && status == VP_OK; h++) {
        vp_decompose_node *n = &d->node[f->node[h]];
        if (f->error[h] < 0.0)
            continue;
        if (f->error[h] > n->error) {
            n->error = f->error[h];
            n->by = VP_DECOMPOSITION_BY_RAY;
        }
        n->grown = vp_arena_take(&d->memory, f->hull[h].vertices * sizeof *n->grown);
        if (n->grown == NULL)
            return report_no_memory(error);
        memcpy(n->grown, f->hull[h].point, (n->grown_count = f->hull[h].vertices) * sizeof *n->grown);
        status = vp_decompose_record_extended(d, f->node[h], &f->hull[h], error);
    }
    return status;
}

vp_status vp_decompose_fill(vp_decomposing *d, vp_error *error)
{
    gap_filling f = {.d = d, .hulls = d->living};
    if (d->solid.boxes == 0 || d->full || d->def->surface_only || vp_decompose_is_late(d))
        return VP_OK;
    d->allowed = d->by_reach ? INFINITY : d->lengths.concavity;
    vp_status status = fill_hulls(&f, error);
    if (status == VP_OK && !d->by_reach && has_far_hull(&f)) { /* rare, so only then filling begins again, and tests each point */
        if (vp_decompose_is_late(d)) {
            for (uint32_t h = 0; h < f.hulls; h++)
                f.error[h] = f.far[h] ? -1.0 : f.error[h]; /* only these stay as they were */
        } else {
            drop_filling(&f);
            f = (gap_filling){.d = d, .hulls = d->living, .tests_reach = true};
            status = fill_hulls(&f, error);
        }
    }
    if (status == VP_OK)
        status = keep_extended(&f, error);
    drop_filling(&f);
    return status;
}
