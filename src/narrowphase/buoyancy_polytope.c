/* SPDX-License-Identifier: MIT */
/* Buoyancy of boxes and convex hulls, exact.
 *
 * One level: the part below is made of pyramids from a point of the level to the faces, clipped by the level. The level's own face has no
 * volume then, and is not needed.
 *
 * In columns: the volume below a level h is the integral of n_y*min(y - h, 0) over the surface, because of the divergence theorem: the
 * derivative of min(y - h, 0) along y is 1 below the level and 0 above. Moments have the integrands x*min(y - h, 0), min(y - h, 0)^2/2
 * and z*min(y - h, 0). A face seen from above is a polygon. So the part in a column needs only polygons clipped by the column's four
 * sides, and by the level. */
#include <math.h>
#include <stddef.h>

#include "src/narrowphase/buoyancy_shape.h"

/* A polygon of up to PIECE corners has up to MOST after five cuts. TILE columns and DEEP layers of water are read at once. */
enum { PIECE = 8, MOST = 16, TILE = 8, DEEP = 32, TILE_LEVELS = 34, CACHED = 128 };

typedef struct corner_point {
    double v[3];
} corner_point;

typedef struct cut_polygon {
    corner_point at[MOST];
    uint32_t count;
} cut_polygon;

/* ---- polygons ---- */

/* Not as a structure, because wide loads of numbers that were just written one by one stall on store forwarding. */
static inline void copy_corner(const corner_point *from, corner_point *to)
{
    to->v[0] = from->v[0];
    to->v[1] = from->v[1];
    to->v[2] = from->v[2];
}

/* Splits a polygon by the plane where coordinate `axis` is `border`. The parts are other polygons than p. */
static inline void split(const cut_polygon *p, int axis, double border, cut_polygon *low, cut_polygon *high)
{
    uint32_t lows = 0, highs = 0;
    const corner_point *a = &p->at[p->count - 1];
    double before = a->v[axis] - border;
    for (uint32_t i = 0; i < p->count; i++) {
        const corner_point *b = &p->at[i];
        const double after = b->v[axis] - border;
        if ((before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0)) {
            const double t = before / (before - after);
            double *const left = low->at[lows++].v, *const right = high->at[highs++].v;
            for (int k = 0; k < 3; k++)
                left[k] = right[k] = a->v[k] + t * (b->v[k] - a->v[k]);
            left[axis] = right[axis] = border;
        }
        if (after <= 0.0)
            copy_corner(b, &low->at[lows++]);
        if (after >= 0.0)
            copy_corner(b, &high->at[highs++]);
        a = b;
        before = after;
    }
    low->count = lows;
    high->count = highs;
}

static vp_span range_along(const cut_polygon *p, int axis)
{
    double low = p->at[0].v[axis], high = low;
    for (uint32_t i = 1; i < p->count; i++) {
        const double at = p->at[i].v[axis];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return (vp_span){low, high};
}

/* Adds `by` times the integrals over a triangle that is nowhere above the level. Moments are times 24, the volume is times 6. The
 * moment along y is about the level. */
static void add_triangle(const corner_point *a, const corner_point *b, const corner_point *c, double level, double by, vp_moments *sum)
{
    const double area = by * ((b->v[2] - a->v[2]) * (c->v[0] - a->v[0]) - (c->v[2] - a->v[2]) * (b->v[0] - a->v[0]));
    const double d[3] = {a->v[1] - level, b->v[1] - level, c->v[1] - level};
    const double depth = (d[0] + d[1]) + d[2];
    const double x = (a->v[0] + b->v[0]) + c->v[0], z = (a->v[2] + b->v[2]) + c->v[2];
    sum->volume += area * depth;
    sum->moment[0] += area * (x * depth + ((a->v[0] * d[0] + b->v[0] * d[1]) + c->v[0] * d[2]));
    sum->moment[1] += area * 0.5 * (depth * depth + ((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]));
    sum->moment[2] += area * (z * depth + ((a->v[2] * d[0] + b->v[2] * d[1]) + c->v[2] * d[2]));
}

/* Where an edge crosses a level. Both faces of an edge find the same point. */
static corner_point find_crossing(const corner_point *over, const corner_point *under, double level)
{
    const double height = over->v[1] - level, t = height / (over->v[1] - under->v[1]);
    return (corner_point){{over->v[0] + t * (under->v[0] - over->v[0]), level, over->v[2] + t * (under->v[2] - over->v[2])}};
}

/* A polygon is convex, so the part below a level is a fan of the corners below, between two crossings. */
static void add_below(const cut_polygon *p, double level, double by, vp_moments *sum)
{
    uint32_t under = 0;
    for (uint32_t i = 0; i < p->count; i++)
        under += p->at[i].v[1] < level;
    if (under == p->count)
        for (uint32_t i = 1; i + 1 < p->count; i++)
            add_triangle(&p->at[0], &p->at[i], &p->at[i + 1], level, by, sum);
    if (under == 0 || under == p->count)
        return;
    for (uint32_t i = 0; i < p->count; i++) {
        const corner_point *over = &p->at[i], *last = &p->at[i + 1 < p->count ? i + 1 : 0];
        if (!(over->v[1] >= level && last->v[1] < level))
            continue;
        const corner_point first = find_crossing(over, last, level);
        for (uint32_t k = i + 2;; k++) {
            const corner_point *next = &p->at[k < p->count ? k : k - p->count];
            if (next->v[1] >= level) {
                const corner_point end = find_crossing(next, last, level);
                add_triangle(&first, last, &end, level, by, sum);
                break;
            }
            add_triangle(&first, last, next, level, by, sum);
            last = next;
        }
    }
}

/* Adds the sums of add_below to a part. */
static void finish(const vp_moments *sum, double level, vp_moments *out)
{
    const vp_moments part = {sum->volume / 6.0,
                             {sum->moment[0] / 24.0, sum->moment[1] / 24.0 + level * (sum->volume / 6.0), sum->moment[2] / 24.0}};
    vp_moments_add(out, 1.0, &part);
}

/* ---- shapes ---- */

/* The faces of a shape. Heights are relative to a level. */
typedef struct faces {
    const vp_buoyancy_body *body;
    double level;
    const uint32_t *first, *corner;
    uint32_t count;
    bool cached;
    corner_point vertex[CACHED];
} faces;

static corner_point turn(const vp_buoyancy_body *body, double x, double y, double z, double level)
{
    corner_point out;
    for (int i = 0; i < 3; i++)
        out.v[i] = (body->axis[0][i] * x + body->axis[1][i] * y) + body->axis[2][i] * z;
    out.v[1] -= level;
    return out;
}

static corner_point hull_vertex(const vp_buoyancy_body *body, uint32_t number, double level)
{
    const vp_vec3 *v = &body->shape->hull->vertex[number];
    return turn(body, (double)v->x, (double)v->y, (double)v->z, level);
}

static void start(faces *f, const vp_buoyancy_body *body, double level)
{
    static const uint32_t first[] = {0, 4, 8, 12, 16, 20, 24};
    static const uint32_t corner[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const vp_collide_shape *shape = body->shape;
    f->body = body;
    f->level = level;
    if (shape->kind == VP_COLLIDE_HULL) {
        f->first = shape->hull->first_corner;
        f->corner = shape->hull->corner;
        f->count = shape->hull->face_count;
        f->cached = shape->hull->vertex_count <= CACHED;
        for (uint32_t v = 0; f->cached && v < shape->hull->vertex_count; v++)
            f->vertex[v] = hull_vertex(body, v, level);
        return;
    }
    const double x = (double)shape->half.x, y = (double)shape->half.y, z = (double)shape->half.z;
    f->first = first;
    f->corner = corner;
    f->count = 6;
    f->cached = true;
    for (uint32_t v = 0; v < 8; v++) /* bit i of the number is set: positive on axis i */
        f->vertex[v] = turn(body, v & 1 ? x : -x, v & 2 ? y : -y, v & 4 ? z : -z, level);
}

static inline corner_point vertex_at(const faces *f, uint32_t number)
{
    return f->cached ? f->vertex[number] : hull_vertex(f->body, number, f->level);
}

/* Volumes grow with the axes' determinant, because the axes are rounded. */
static double determinant_of(const vp_buoyancy_body *body)
{
    const double *x = body->axis[0], *y = body->axis[1], *z = body->axis[2];
    return (x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2])) + x[2] * (y[0] * z[1] - y[1] * z[0]);
}

/* ---- one level ---- */

/* Adds the pyramid from the base to a triangle. Its volume is times 6, moments are times 24. */
static inline void add_pyramid(const corner_point *a, const corner_point *b, const corner_point *c, vp_moments *sum)
{
    const double *p = a->v, *q = b->v, *r = c->v;
    const double volume = (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2])) + p[2] * (q[0] * r[1] - q[1] * r[0]);
    sum->volume += volume;
    for (int i = 0; i < 3; i++)
        sum->moment[i] += volume * ((p[i] + q[i]) + r[i]);
}

/* Adds the part of a face below the base's level. A face is convex, so this is a fan of the corners below, between two crossings. */
static void add_face(const faces *f, uint32_t face, vp_moments *sum)
{
    const uint32_t *corner = &f->corner[f->first[face]], count = f->first[face + 1] - f->first[face];
    uint32_t under = 0;
    for (uint32_t i = 0; i < count; i++)
        under += vertex_at(f, corner[i]).v[1] < 0.0;
    if (under == 0)
        return;
    if (under == count) {
        const corner_point first = vertex_at(f, corner[0]);
        corner_point last = vertex_at(f, corner[1]);
        for (uint32_t i = 2; i < count; i++) {
            const corner_point next = vertex_at(f, corner[i]);
            add_pyramid(&first, &last, &next, sum);
            last = next;
        }
        return;
    }
    corner_point before = vertex_at(f, corner[count - 1]);
    for (uint32_t i = 0; i < count; i++) {
        corner_point last = vertex_at(f, corner[i]);
        const bool enters = before.v[1] >= 0.0 && last.v[1] < 0.0;
        const corner_point over = before;
        before = last;
        if (!enters)
            continue;
        const corner_point first = find_crossing(&over, &last, 0.0);
        for (uint32_t k = i + 1;; k++) {
            corner_point next = vertex_at(f, corner[k < count ? k : k - count]);
            const bool leaves = next.v[1] >= 0.0;
            if (leaves)
                next = find_crossing(&next, &last, 0.0);
            add_pyramid(&first, &last, &next, sum);
            last = next;
            if (leaves)
                break;
        }
    }
}

/* The part of the unit cube where m.x < level, with 0 <= m[0] <= m[1] <= m[2], for a level up to half of the sum. Moments are about the
 * origin. From case to case, the part is a tetrahedron, a prism, a prism without the tetrahedron beyond x[1] = 1, or a slab. The last two
 * may lack a tetrahedron beyond x[2] = 1. No case subtracts numbers that are nearly equal, or divides by a small one. */
static void cut_cube(const double m[3], double level, vp_moments *out)
{
    const double a = m[0], b = m[1], c = m[2];
    double v, x, y, z, beyond = 0.0, share = 0.0;
    if (level >= a + b) {
        const double by = 1.0 / c, mean = level - 0.5 * (a + b);
        v = mean * by;
        x = (0.5 * level - a * (1.0 / 3.0) - 0.25 * b) * by;
        y = (0.5 * level - 0.25 * a - b * (1.0 / 3.0)) * by;
        z = 0.5 * (mean * mean + (a * a + b * b) * (1.0 / 12.0)) * by * by;
    } else if (level >= a) {
        const double by = 1.0 / b, to = 1.0 / c, square = level * level;
        const double cube = (((square * level - 1.5 * square * a) + level * a * a) - 0.25 * a * a * a) * by * to * (1.0 / 6.0);
        v = ((square - level * a) + a * a * (1.0 / 3.0)) * 0.5 * by * to;
        x = ((0.5 * square - level * a * (2.0 / 3.0)) + 0.25 * a * a) * 0.5 * by * to;
        y = cube * by;
        z = cube * to;
        if (level > b) {
            const double rest = level - b, part = rest / a * (rest * by) * (rest * to) * (1.0 / 6.0);
            v -= part;
            x -= part * 0.25 * (rest / a);
            y -= part * (1.0 + 0.25 * rest * by);
            z -= part * 0.25 * rest * to;
        }
    } else {
        const double p = level / a, q = level / b, r = level / c;
        v = p * q * r * (1.0 / 6.0);
        x = v * 0.25 * p;
        y = v * 0.25 * q;
        z = v * 0.25 * r;
    }
    if (level > c && a > 0.0) {
        const double rest = level - c, p = rest < a ? rest / a : 1.0;
        beyond = p * (rest / b) * (rest / c) * (1.0 / 6.0);
        share = 0.25 * beyond;
        v -= beyond;
        x -= share * p;
        y -= share * (rest / b);
        z -= beyond + share * (rest / c);
    }
    *out = (vp_moments){v, {x, y, z}};
}

/* Heights are measured from the lowest corner, or depths from the highest one if more than half of the box is below the level. */
static void box_below(const vp_buoyancy_body *body, double level, vp_moments *out)
{
    const double half[3] = {(double)body->shape->half.x, (double)body->shape->half.y, (double)body->shape->half.z};
    double edge[3], slope[3], m[3]; /* an edge from the corner, and its height */
    int rank[3];
    const double side = level > 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        slope[i] = 2.0 * half[i] * fabs(body->axis[i][1]);
        edge[i] = side * copysign(half[i], body->axis[i][1]);
    }
    rank[0] = (slope[0] > slope[1]) + (slope[0] > slope[2]);
    rank[1] = (slope[1] >= slope[0]) + (slope[1] > slope[2]);
    rank[2] = 3 - rank[0] - rank[1];
    for (int i = 0; i < 3; i++)
        m[rank[i]] = slope[i];
    vp_moments part;
    cut_cube(m, side * level - body->low[1], &part);
    const double whole = body->whole.volume * determinant_of(body), volume = whole * part.volume;
    double sum[3];
    for (int i = 0; i < 3; i++)
        sum[i] = whole * edge[i] * (2.0 * part.moment[rank[i]] - part.volume);
    out->volume = side > 0.0 ? volume : whole - volume;
    for (int i = 0; i < 3; i++)
        out->moment[i] = side * ((sum[0] * body->axis[0][i] + sum[1] * body->axis[1][i]) + sum[2] * body->axis[2][i]);
}

static void hull_below(const vp_buoyancy_body *body, double level, vp_moments *out)
{
    faces f;
    vp_moments sum = {0.0, {0.0, 0.0, 0.0}};
    start(&f, body, level);
    for (uint32_t face = 0; face < f.count; face++)
        add_face(&f, face, &sum);
    out->volume = sum.volume / 6.0;
    for (int i = 0; i < 3; i++)
        out->moment[i] = sum.moment[i] / 24.0;
    out->moment[1] += level * out->volume;
}

/* ---- columns ---- */

typedef struct tile {
    int64_t x, z; /* the first column */
    uint32_t columns[2];
    double border[2][TILE + 1];   /* of x and z */
    uint8_t next[2][TILE];        /* the first row of columns after `i` that has other water */
    uint8_t first[TILE * TILE];   /* level of a column that is above the body's lowest point, by z * TILE + x */
    uint8_t count[TILE * TILE];   /* levels of a column */
    double level[TILE * TILE][TILE_LEVELS];
    double highest, highest_of[TILE]; /* level, and that of columns at x */
} tile;

static bool has_same_water(const tile *t, uint32_t a, uint32_t b)
{
    bool same = t->count[a] == t->count[b];
    for (uint32_t i = 0; same && i < t->count[a]; i++)
        same = t->level[a][i] == t->level[b][i];
    return same;
}

static void read_tile(tile *t, const vp_buoyancy_body *body, const vp_waters *waters, const vp_submerged_range *under)
{
    double level[VP_SUBMERGED_LEVELS];
    const int64_t first[2] = {t->x, t->z}, end[2] = {under->high[0], under->high[2]};
    for (int k = 0; k < 2; k++) {
        t->columns[k] = (uint32_t)(end[k] - first[k] < TILE ? end[k] - first[k] : TILE);
        for (uint32_t i = 0; i <= t->columns[k]; i++)
            t->border[k][i] = (double)(first[k] + i) - body->position[2 * k];
    }
    t->highest = -HUGE_VAL;
    for (uint32_t x = 0; x < t->columns[0]; x++) {
        t->highest_of[x] = -HUGE_VAL;
        for (uint32_t z = 0; z < t->columns[1]; z++) {
            const uint32_t column = z * TILE + x, count = vp_waters_column(waters, t->x + x, t->z + z, level);
            uint32_t under_body = 0;
            t->count[column] = (uint8_t)count;
            for (uint32_t i = 0; i < count; i++) {
                t->level[column][i] = level[i];
                under_body += level[i] <= body->low[1];
            }
            t->first[column] = (uint8_t)under_body;
            if (count > under_body && level[count - 1] > t->highest_of[x])
                t->highest_of[x] = level[count - 1];
        }
        t->highest = t->highest_of[x] > t->highest ? t->highest_of[x] : t->highest;
    }
    for (int k = 0; k < 2; k++) {
        const uint32_t along = k == 0 ? 1 : TILE, across = k == 0 ? TILE : 1, last = t->columns[k] - 1;
        t->next[k][last] = (uint8_t)(last + 1);
        for (uint32_t i = last; i-- > 0;) {
            bool same = true;
            for (uint32_t j = 0; same && j < t->columns[1 - k]; j++)
                same = has_same_water(t, i * along + j * across, (i + 1) * along + j * across);
            t->next[k][i] = same ? t->next[k][i + 1] : (uint8_t)(i + 1);
        }
    }
}

/* Adds a polygon that lies in one column, or in joined ones. */
static void add_column(const cut_polygon *p, const tile *t, uint32_t column, vp_moments *out)
{
    for (uint32_t i = t->first[column]; i < t->count[column]; i++) {
        const double level = t->level[column][i];
        vp_moments sum = {0.0, {0.0, 0.0, 0.0}};
        add_below(p, level, i % 2 == 0 ? -1.0 : 1.0, &sum);
        if (sum.volume != 0.0)
            finish(&sum, level, out);
    }
}

/* Cuts a polygon along x (axis 0), and its slabs along z (axis 1). No corner is lower than `lowest`. */
static void add_polygon(const cut_polygon *whole, const tile *t, int axis, uint32_t column, double lowest, vp_moments *out)
{
    const vp_span range = range_along(whole, 2 * axis);
    const double *border = t->border[axis];
    const uint32_t columns = t->columns[axis], stride = axis == 0 ? 1 : TILE;
    const cut_polygon *rest = whole;
    cut_polygon slab, more[2];
    uint32_t splits = 0;
    for (uint32_t first = 0, next; first < columns && range.high > border[first]; first = next) {
        next = t->next[axis][first];
        if (!(range.low < border[next]))
            continue;
        const cut_polygon *part = rest;
        if (range.low < border[0] && part == whole) {
            split(whole, 2 * axis, border[0], &slab, &more[0]);
            part = rest = &more[0];
            splits = 1;
        }
        if (range.high > border[next]) {
            cut_polygon *const left = &more[splits++ % 2];
            split(rest, 2 * axis, border[next], &slab, left);
            part = &slab;
            rest = left;
        }
        if (part->count >= 3 && axis == 0 && lowest < t->highest_of[first]) /* otherwise nothing is below any level */
            add_polygon(part, t, 1, column + first * stride, lowest, out);
        else if (part->count >= 3 && axis == 1)
            add_column(part, t, column + first * stride, out);
    }
}

/* Adds a face, in pieces if it has more corners than a polygon. */
static void add_face_in_tile(const faces *f, uint32_t face, const tile *t, vp_moments *out)
{
    const uint32_t *corner = &f->corner[f->first[face]], count = f->first[face + 1] - f->first[face];
    double lowest = HUGE_VAL;
    cut_polygon piece;
    for (uint32_t i = 0; i < count; i++) {
        const double y = vertex_at(f, corner[i]).v[1];
        lowest = y < lowest ? y : lowest;
    }
    if (!(lowest < t->highest))
        return;
    for (uint32_t from = 1; from + 1 < count; from += PIECE - 2) {
        piece.count = count - from < PIECE - 1 ? count - from + 1 : PIECE;
        for (uint32_t i = 0; i < piece.count; i++) {
            const corner_point vertex = vertex_at(f, corner[i == 0 ? 0 : from + i - 1]);
            copy_corner(&vertex, &piece.at[i]);
        }
        add_polygon(&piece, t, 0, 0, lowest, out);
    }
}

static void in_columns(const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *waters, const vp_submerged_range *under,
                       vp_moments *out)
{
    (void)world;
    faces f;
    tile t;
    vp_waters deep = *waters;
    start(&f, body, 0.0);
    for (int64_t y = waters->range.low[1]; y < waters->range.high[1]; y += DEEP) {
        deep.range.low[1] = y;
        deep.range.high[1] = y + DEEP < waters->range.high[1] ? y + DEEP : waters->range.high[1];
        for (t.z = under->low[2]; t.z < under->high[2]; t.z += TILE)
            for (t.x = under->low[0]; t.x < under->high[0]; t.x += TILE) {
                read_tile(&t, body, &deep, under);
                for (uint32_t face = 0; face < f.count && t.highest > -HUGE_VAL; face++)
                    add_face_in_tile(&f, face, &t, out);
            }
    }
}

/* ---- measures ---- */

static void measure_hull(vp_buoyancy_body *body)
{
    const vp_collide_hull *h = body->shape->hull;
    vp_span span[3] = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    for (uint32_t v = 0; v < h->vertex_count; v++) {
        const corner_point vertex = hull_vertex(body, v, 0.0);
        for (int i = 0; i < 3; i++) {
            span[i].low = vertex.v[i] < span[i].low ? vertex.v[i] : span[i].low;
            span[i].high = vertex.v[i] > span[i].high ? vertex.v[i] : span[i].high;
        }
    }
    for (int i = 0; i < 3; i++) {
        body->low[i] = span[i].low;
        body->high[i] = span[i].high;
    }
    if (!(h->volume > 0.0))
        return;
    body->whole.volume = h->volume * determinant_of(body);
    const corner_point centre = turn(body, h->centre[0], h->centre[1], h->centre[2], 0.0);
    for (int i = 0; i < 3; i++)
        body->whole.centre[i] = centre.v[i];
}

static void measure_box(vp_buoyancy_body *body)
{
    const vp_collide_shape *shape = body->shape;
    const double half[3] = {(double)shape->half.x, (double)shape->half.y, (double)shape->half.z};
    for (int i = 0; i < 3; i++) {
        double reach[3];
        for (int k = 0; k < 3; k++)
            reach[k] = fabs(body->axis[k][i]) * half[k];
        body->high[i] = (reach[0] + reach[1]) + reach[2];
        body->low[i] = -body->high[i];
    }
    body->whole.volume = 8.0 * half[0] * half[1] * half[2];
}

const vp_submerged_shape vp_submerged_box = {measure_box, box_below, in_columns};
const vp_submerged_shape vp_submerged_hull = {measure_hull, hull_below, in_columns};
