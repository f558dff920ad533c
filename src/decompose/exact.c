/* SPDX-License-Identifier: MIT */
/* The error of a hull over all points of the surface, not only samples.
 *
 * Each triangle is cut into convex parts where another part of the solid begins or ends in front of it. Parts with the solid in front of
 * them have no rays. For a point of another part, given by two coordinates, the conditions on a ray ("Rays of samples") are linear in
 * these, in its length, and in the distance along it at which the hull is deeper than the quantization. So the longest ray of a part is a
 * linear program of four variables. First the part is clipped by conditions on points alone, which mostly leave nothing. */
#include <math.h>
#include <string.h>

#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

/* ---- parts of triangles ---- */

/* Sets the interval of a polygon's crossing with a plane, along a line in it. @param above  heights of the corners */
static void find_chord(const double (*corner)[3], const double *above, uint32_t corners, const double along[3], double out[2])
{
    out[0] = INFINITY;
    out[1] = -INFINITY;
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t k = i + 1 < corners ? i + 1 : 0;
        if ((above[i] < 0.0) == (above[k] < 0.0))
            continue;
        const double part = above[i] / (above[i] - above[k]), from = vp_dot(along, corner[i]), to = vp_dot(along, corner[k]);
        const double at = from + (to - from) * part;
        out[0] = vp_double_min(out[0], at);
        out[1] = vp_double_max(out[1], at);
    }
}

/* Whether all heights are on one side of 0, up to a slack. */
static bool is_on_one_side(const double *above, uint32_t count, double slack)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        low = vp_double_min(low, above[i]);
        high = vp_double_max(high, above[i]);
    }
    return low >= -slack || high <= slack;
}

/* Whether a triangle crosses a polygon of another one, moved out by the quantization. `plane` becomes the crossing one's, moved back.
   @param above [corners], scratch */
static bool crosses(const vp_decomposing *d, uint32_t triangle, const double (*corner)[3], uint32_t corners, uint32_t crossing,
                    double *above, double plane[4])
{
    const double *n = d->mesh.normal[triangle], offset = vp_dot(n, corner[0]) + d->lengths.quantization;
    double of[3][3], height[3], along[3], chord[2], its[2];
    vp_decompose_set_corners(&d->mesh, crossing, of);
    for (int k = 0; k < 3; k++)
        height[k] = vp_dot(n, of[k]) - offset;
    if (is_on_one_side(height, 3, d->slack) || vp_decompose_set_plane(of[0], of[1], of[2], plane) == 0.0)
        return false;
    plane[3] -= d->lengths.quantization * vp_dot(plane, n);
    for (uint32_t i = 0; i < corners; i++)
        above[i] = vp_dot(plane, corner[i]) - plane[3];
    if (is_on_one_side(above, corners, d->slack))
        return false;
    vp_cross(n, plane, along);
    const double size = sqrt(vp_dot(along, along));
    find_chord(corner, above, corners, along, chord);
    find_chord((const double(*)[3])of, height, 3, along, its);
    return vp_double_min(chord[1], its[1]) - vp_double_max(chord[0], its[0]) > d->slack * size;
}

/* A part that waits to be cut. */
typedef struct waiting_part {
    struct waiting_part *next;
    uint32_t corners, room;
    vp_decompose_walk walk; /* where the search for its next cut begins. No triangle before that crosses it */
    double corner[][3];     /* [room], and then room for the height of each */
} waiting_part;

enum { PER_CORNER = 4 * sizeof(double) };

static waiting_part *add_waiting(const vp_allocator *allocator, uint32_t room, waiting_part *next)
{
    waiting_part *p = vp_allocate(allocator, 1, sizeof *p + (size_t)room * PER_CORNER);
    if (p != NULL)
        *p = (waiting_part){.next = next, .room = room};
    return p;
}

static void drop_waiting(const vp_allocator *allocator, waiting_part *p)
{
    vp_release(allocator, p, 1, sizeof *p + (size_t)p->room * PER_CORNER);
}

/* Finds a triangle of a closed shell that crosses the place in front of a part. */
static uint32_t find_crossing(const vp_decomposing *d, uint32_t triangle, waiting_part *p, double plane[4])
{
    const double *n = d->mesh.normal[triangle], s = d->lengths.quantization;
    vp_decompose_walk *walk = &p->walk;
    uint32_t t;
    for (int k = 0; k < 3; k++) {
        walk->low[k] = INFINITY;
        walk->high[k] = -INFINITY;
        for (uint32_t i = 0; i < p->corners; i++) {
            walk->low[k] = vp_double_min(walk->low[k], p->corner[i][k] + s * n[k]);
            walk->high[k] = vp_double_max(walk->high[k], p->corner[i][k] + s * n[k]);
        }
    }
    do
        t = vp_decompose_next_triangle(d, walk);
    while (t != VP_DECOMPOSE_NONE && !crosses(d, triangle, (const double(*)[3])p->corner, p->corners, t, p->corner[p->room], plane));
    return t;
}

/* Whether a part is a strip, as in the corner of a notch of less than 90 degrees, where the opposite wall is less than the quantization in
   front. */
static bool is_strip(const vp_decomposing *d, const double *normal, const waiting_part *p)
{
    double around = 0.0, twice = 0.0, turned[3];
    for (uint32_t i = 0; i < p->corners; i++) {
        const double *o = p->corner[0], *a = p->corner[i], *b = p->corner[i + 1 < p->corners ? i + 1 : 0];
        const double u[3] = {a[0] - o[0], a[1] - o[1], a[2] - o[2]}, v[3] = {b[0] - o[0], b[1] - o[1], b[2] - o[2]};
        vp_cross(u, v, turned);
        twice += vp_dot(normal, turned);
        around += vp_decompose_apart(a, b);
    }
    return twice < 4 * d->lengths.quantization * around;
}

/* Adds a part that needs no more cuts, unless the solid is in front of it. */
static vp_status add_if_free(vp_decomposing *d, uint32_t triangle, const waiting_part *p, vp_decompose_add_free *add, uint8_t *cover)
{
    double middle[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < p->corners; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += p->corner[i][k] / p->corners;
    if (vp_decompose_wind_before(d, triangle, middle) <= 0)
        return add(d, triangle, (const double(*)[3])p->corner, p->corners);
    if (*cover != VP_DECOMPOSE_COVERED)
        *cover = is_strip(d, d->mesh.normal[triangle], p) ? VP_DECOMPOSE_STRIPS : VP_DECOMPOSE_COVERED;
    return VP_OK;
}

vp_status vp_decompose_cut_free(vp_decomposing *d, uint32_t triangle, vp_decompose_add_free *add, uint8_t *cover)
{
    const vp_decomposition_watch *watch = d->def->watch;
    waiting_part *waiting = add_waiting(&d->allocator, 3, NULL);
    vp_status status = waiting != NULL ? VP_OK : VP_E_MEMORY;
    *cover = VP_DECOMPOSE_WHOLE;
    if (status == VP_OK) {
        vp_decompose_set_corners(&d->mesh, triangle, waiting->corner);
        waiting->corners = 3;
    }
    while (waiting != NULL) {
        waiting_part *const p = waiting;
        double plane[4];
        const bool is_cut = status == VP_OK && find_crossing(d, triangle, p, plane) != VP_DECOMPOSE_NONE;
        waiting = p->next;
        if (is_cut && watch != NULL && watch->progress != NULL && !watch->progress(watch->user, 0, d->mesh.edges))
            status = VP_E_LIMIT;
        if (status == VP_OK && !is_cut)
            status = add_if_free(d, triangle, p, add, cover);
        for (int side = 0; side < 2 && is_cut && status == VP_OK; side++) {
            waiting_part *half = add_waiting(&d->allocator, p->corners + 2, waiting);
            if (half == NULL) {
                status = VP_E_MEMORY;
                break;
            }
            half->corners = vp_decompose_clip_polygon((const double(*)[3])p->corner, p->corners, plane, plane[3], half->corner, half->room);
            half->walk = p->walk;
            waiting = half;
            for (int k = 0; k < 4; k++)
                plane[k] = -plane[k];
        }
        drop_waiting(&d->allocator, p);
    }
    return status;
}

/* ---- linear programs ---- */

enum { DIMENSIONS = 4, RAY_END = 3, RAY_DEPTH = 2 }; /* two coordinates, the distance of a deep point, and the length */

/* The points x with along . x <= limit. */
typedef struct half_space {
    double along[DIMENSIONS], limit;
} half_space;

/* Removes a variable, which is at the border of a half-space. */
static void project(const half_space *border, int pivot, int dimensions, const half_space *from, half_space *to)
{
    const double by = from->along[pivot] / border->along[pivot];
    for (int k = 0, out = 0; k < dimensions; k++)
        if (k != pivot)
            to->along[out++] = from->along[k] - by * border->along[k];
    to->limit = from->limit - by * border->limit;
}

/* Finds the interval of one variable that half-spaces leave. */
static bool solve_line(const half_space *half, uint32_t count, double low, double high, double slack, double up, double *x)
{
    for (uint32_t i = 0; i < count; i++) {
        const double along = half[i].along[0], limit = half[i].limit;
        if (fabs(along) * (high - low) > slack) {
            const double at = limit / along;
            low = along < 0.0 ? vp_double_max(low, at) : low;
            high = along > 0.0 ? vp_double_min(high, at) : high;
        } else if (along * (along > 0.0 ? low : high) > limit + slack) {
            return false;
        }
        if (low > high) {
            if (low - high > slack)
                return false;
            low = high = (low + high) / 2;
        }
    }
    *x = up > 0.0 ? high : low;
    return true;
}

/* Finds the point of a box in all half-spaces that is farthest along a vector (Seidel 1991: if a half-space does not contain the best point
   of those before it, the best point is on its border). @param rest  scratch, two half-spaces more than `count` for each further variable
   @return false if there is none */
static bool solve(int dimensions, const half_space *half, uint32_t count, const double *up, const double *low, const double *high,
                  double slack, half_space *rest, double *x)
{
    if (dimensions == 1)
        return solve_line(half, count, low[0], high[0], slack, up[0], x);
    for (int k = 0; k < dimensions; k++)
        x[k] = up[k] > 0.0 ? high[k] : low[k];
    for (uint32_t i = 0; i < count; i++) {
        const half_space *border = &half[i];
        double at = -border->limit;
        int pivot = 0;
        for (int k = 0; k < dimensions; k++) {
            at += border->along[k] * x[k];
            pivot = fabs(border->along[k]) * (high[k] - low[k]) > fabs(border->along[pivot]) * (high[pivot] - low[pivot]) ? k : pivot;
        }
        if (at <= slack)
            continue;
        if (fabs(border->along[pivot]) * (high[pivot] - low[pivot]) <= slack)
            return false; /* no point of the box is on its border */
        half_space bound = {.along = {0}}, lifted = {.along = {0}};
        double least[DIMENSIONS], most[DIMENSIONS], left[DIMENSIONS], y[DIMENSIONS];
        bound.along[pivot] = 1.0;
        bound.limit = high[pivot];
        project(border, pivot, dimensions, &bound, &rest[0]);
        bound.along[pivot] = -1.0;
        bound.limit = -low[pivot];
        project(border, pivot, dimensions, &bound, &rest[1]);
        for (uint32_t k = 0; k < i; k++)
            project(border, pivot, dimensions, &half[k], &rest[2 + k]);
        memcpy(lifted.along, up, (size_t)dimensions * sizeof *up);
        project(border, pivot, dimensions, &lifted, &bound);
        memcpy(left, bound.along, sizeof left);
        for (int k = 0, out = 0; k < dimensions; k++)
            if (k != pivot) {
                least[out] = low[k];
                most[out++] = high[k];
            }
        if (!solve(dimensions - 1, rest, i + 2, left, least, most, slack, rest + count + 2, y))
            return false;
        double sum = border->limit;
        for (int k = 0, in = 0; k < dimensions; k++)
            if (k != pivot) {
                x[k] = y[in++];
                sum -= border->along[k] * x[k];
            }
        x[pivot] = sum / border->along[pivot];
    }
    return true;
}

/* ---- the longest ray ---- */

typedef struct ray_search {
    const vp_decomposing *d;
    const vp_hull *hull;
    double low[3], high[3]; /* its box, larger by the quantization */
    double (*turn[2])[3];   /* polygons. [room] */
    uint32_t room;
    uint32_t first;   /* plane to clip by first */
    half_space *half; /* [half_room]. NULL = not needed yet */
    uint32_t half_room;
    vp_decompose_ray longest;
} ray_search;

/* Sets how high above a plane of the hull a point may be whose ray is longer than all before. */
static double limit_of(const ray_search *s, const double plane[4], const double normal[3], double reach)
{
    const double rise = vp_dot(plane, normal), q = s->d->lengths.quantization;
    return plane[3] + (rise > 0.0 ? -vp_double_max(rise * s->longest.error, q) : vp_double_min(-rise * q, -rise * reach - q));
}

/* Whether all corners of a part are above the limit of a plane. */
static bool is_above(const ray_search *s, uint32_t plane, const double normal[3], const double (*corner)[3], uint32_t corners, double reach)
{
    const double limit = limit_of(s, s->hull->plane[plane], normal, reach);
    uint32_t above = 0;
    while (above < corners && vp_dot(s->hull->plane[plane], corner[above]) > limit)
        above++;
    return above == corners;
}

/* Whether all corners of a part are above some limit. The plane that decides becomes the first, because it often does so for the next part.
 */
static bool is_beyond(ray_search *s, const double normal[3], const double (*corner)[3], uint32_t corners, double reach)
{
    for (uint32_t i = 0; i < s->hull->face_count; i++)
        if (is_above(s, i, normal, corner, corners, reach)) {
            s->first = i;
            return true;
        }
    return false;
}

/* Clips a part to the points that can have a ray longer than all before. @return the number of corners left, in turn[0] */
static uint32_t clip_part(ray_search *s, const double normal[3], uint32_t from, uint32_t corners, double reach)
{
    if (is_beyond(s, normal, s->d->samples.point + from, corners, reach))
        return 0;
    memcpy(s->turn[0], s->d->samples.point + from, corners * sizeof *s->turn[0]);
    for (uint32_t f = 0; f < s->hull->face_count && corners != 0; f++) {
        const double *plane = s->hull->plane[f], limit = limit_of(s, plane, normal, reach);
        const double(*corner)[3] = (const double(*)[3])s->turn[0];
        uint32_t below = 0;
        while (below < corners && vp_dot(plane, corner[below]) <= limit)
            below++;
        if (below == corners)
            continue;
        double(*clipped)[3] = s->turn[1];
        corners = vp_decompose_clip_polygon(corner, corners, plane, limit, clipped, s->room);
        s->turn[1] = s->turn[0];
        s->turn[0] = clipped;
    }
    return corners;
}

/* The coordinates of a part, which leave out the axis along which its normal is longest. */
typedef struct part_frame {
    const double *origin, *normal;
    int axis[3];
    double turn[2]; /* how the third coordinate falls with the other two */
} part_frame;

static part_frame set_frame(const double *origin, const double *normal)
{
    part_frame f = {.origin = origin, .normal = normal};
    for (int k = 1; k < 3; k++)
        f.axis[2] = fabs(normal[k]) > fabs(normal[f.axis[2]]) ? k : f.axis[2];
    for (int k = 0; k < 2; k++) {
        f.axis[k] = (f.axis[2] + 1 + k) % 3;
        f.turn[k] = normal[f.axis[k]] / normal[f.axis[2]];
    }
    return f;
}

/* Adds the half-spaces of a part's sides. */
static uint32_t add_sides(const part_frame *f, const double (*corner)[3], uint32_t corners, half_space *out)
{
    const double turn = f->normal[f->axis[2]] > 0.0 ? 1.0 : -1.0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < corners; i++) {
        const double *a = corner[i], *b = corner[i + 1 < corners ? i + 1 : 0];
        const double side[2] = {turn * (b[f->axis[1]] - a[f->axis[1]]), turn * (a[f->axis[0]] - b[f->axis[0]])};
        const double size = vp_double_max(fabs(side[0]), fabs(side[1]));
        if (size == 0.0)
            continue;
        half_space *h = &out[count++];
        *h = (half_space){.along = {side[0] / size, side[1] / size}};
        h->limit = h->along[0] * (a[f->axis[0]] - f->origin[f->axis[0]]) + h->along[1] * (a[f->axis[1]] - f->origin[f->axis[1]]);
    }
    return count;
}

/* Adds two half-spaces for a plane of the hull. One is of the depth. */
static void add_plane(const ray_search *s, const part_frame *f, const double plane[4], half_space out[2])
{
    const double above = vp_dot(plane, f->origin) - plane[3], rise = vp_dot(plane, f->normal), q = s->d->lengths.quantization;
    const half_space h = {
        .along = {plane[f->axis[0]] - plane[f->axis[2]] * f->turn[0], plane[f->axis[1]] - plane[f->axis[2]] * f->turn[1]}};
    out[0] = out[1] = h;
    out[0].along[RAY_DEPTH] = rise;
    out[0].limit = -above - q;
    out[1].along[RAY_END] = rise > 0.0 ? rise : 0.0;
    out[1].limit = rise > 0.0 ? -above : -above - rise * q;
}

/* Finds the longest ray from a part, if it is longer than all before. @param corners  of its clipped polygon, in turn[0] */
static void solve_part(ray_search *s, const double normal[3], uint32_t from, uint32_t to, uint32_t corners, double reach)
{
    const vp_hull *hull = s->hull;
    const double(*part)[3] = s->d->samples.point + from;
    const part_frame f = set_frame(part[0], normal);
    const uint32_t planes = hull->face_count, step = 1 + planes / 7;
    double low[DIMENSIONS] = {INFINITY, INFINITY, 0.0, s->longest.error}, high[DIMENSIONS] = {-INFINITY, -INFINITY, reach, reach};
    double x[DIMENSIONS];
    for (uint32_t i = 0; i < corners; i++)
        for (int k = 0; k < 2; k++) {
            const double at = s->turn[0][i][f.axis[k]] - f.origin[f.axis[k]];
            low[k] = vp_double_min(low[k], at);
            high[k] = vp_double_max(high[k], at);
        }
    uint32_t count = add_sides(&f, part, to - from, s->half);
    for (uint32_t i = 0, p = 0, begun = 0; i < planes; i++, count += 2) { /* in an order in which neighbours are apart */
        add_plane(s, &f, hull->plane[p], &s->half[count]);
        p += step;
        if (p >= planes)
            p = ++begun;
    }
    static const double up[DIMENSIONS] = {0.0, 0.0, 0.0, 1.0};
    if (!solve(DIMENSIONS, s->half, count, up, low, high, s->d->slack, s->half + count, x) || x[RAY_END] <= s->longest.error)
        return;
    s->longest.error = x[RAY_END];
    s->longest.sample = from;
    s->longest.from[f.axis[0]] = f.origin[f.axis[0]] + x[0];
    s->longest.from[f.axis[1]] = f.origin[f.axis[1]] + x[1];
    s->longest.from[f.axis[2]] = f.origin[f.axis[2]] - (f.turn[0] * x[0] + f.turn[1] * x[1]);
}

/* How far the hull's points are in front of the plane of a triangle. */
static double find_reach(const vp_decompose_union *u, const double normal[3], double offset)
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < u->hull.vertex_count; i++) {
        double p[3];
        vp_decompose_set_point(p, &u->point[u->hull.vertex[i]]);
        most = vp_double_max(most, vp_dot(normal, p));
    }
    return most - offset;
}

/* @return false without memory */
static bool search_part(ray_search *s, const vp_decompose_union *u, const vp_surface_block *block, int lane)
{
    const double normal[3] = {block->normal[0][lane], block->normal[1][lane], block->normal[2][lane]};
    const uint32_t from = block->first[lane], count = block->first[lane + 1] - from;
    const double(*corner)[3] = s->d->samples.point + from, least = vp_double_max(s->d->lengths.quantization, s->longest.error);
    double reach = -block->offset[lane];
    for (int k = 0; k < 3; k++)
        reach += normal[k] * (normal[k] > 0.0 ? s->high[k] : s->low[k]);
    if (count == 0 || reach <= least || is_above(s, s->first, normal, corner, count, reach))
        return true;
    reach = find_reach(u, normal, block->offset[lane]);
    if (reach <= least)
        return true;
    const uint32_t corners = clip_part(s, normal, from, count, reach);
    if (corners == 0)
        return true;
    if (s->half == NULL && (s->half = vp_allocate(&s->d->allocator, s->half_room, sizeof *s->half)) == NULL)
        return false;
    solve_part(s, normal, from, from + count, corners, reach);
    return true;
}

/* @return false without memory */
static bool search_block(ray_search *s, const vp_decompose_union *u, const vp_surface_block *block)
{
    for (int lane = 0; lane < VP_SURFACE_LANES && s->longest.error <= s->d->allowed; lane++)
        if (!search_part(s, u, block, lane))
            return false;
    return true;
}

vp_status vp_decompose_measure_exactly(const vp_decomposing *d, const vp_decompose_union *u, const vp_aabb *box, vp_decompose_ray *out)
{
    enum { FEW = 64 };
    const vp_surface_samples *all = &d->samples;
    const uint32_t room = d->most_corners + u->hull.face_count, lines = d->most_corners + 2 * u->hull.face_count;
    double few[2 * FEW][3];
    double(*corner)[3] = room <= FEW ? few : vp_allocate(&d->allocator, 2 * (size_t)room, sizeof *corner);
    ray_search s = {
        .d = d, .hull = &u->hull, .room = room, .half_room = 4 * lines + 12, .longest = {.error = 0.0, .sample = VP_DECOMPOSE_NONE}};
    bool done = true;
    *out = s.longest;
    if (corner == NULL)
        return VP_E_MEMORY;
    s.turn[0] = corner;
    s.turn[1] = corner + room;
    vp_decompose_set_point(s.low, &box->min);
    vp_decompose_set_point(s.high, &box->max);
    for (int k = 0; k < 3; k++) {
        s.low[k] -= d->lengths.quantization;
        s.high[k] += d->lengths.quantization;
    }
    for (uint32_t i = 0; i < all->boxes && done && s.longest.error <= d->allowed;) {
        const vp_surface_box *at = &all->box[i];
        bool is_apart = false;
        for (int k = 0; k < 3; k++)
            is_apart |= at->high[k] < s.low[k] || at->low[k] > s.high[k];
        if (!is_apart && at->block != VP_DECOMPOSE_NONE)
            done = search_block(&s, u, &all->block[at->block]);
        i = is_apart ? at->next : i + 1;
    }
    vp_release(&d->allocator, s.half, s.half_room, sizeof *s.half);
    if (corner != few)
        vp_release(&d->allocator, corner, 2 * (size_t)room, sizeof *corner);
    *out = s.longest;
    return done ? VP_OK : VP_E_MEMORY;
}
