/* SPDX-License-Identifier: MIT */
/* Quickhull in the plane on vectors of doubles. The algorithm of reference/hull/hull2.c in the layout of hull_body.h.
 *
 * A point is beyond a line if a sum of two products in doubles is above the line's bound. It is not beyond if the sum
 * is at most the negative bound. Sums in between are decided exactly. x, y and the number of a point are arrays, and
 * each edge owns a piece of them. Points of replaced edges are labelled with one of the two new edges, if they are
 * beyond one, and moved after all others. A line along an axis has a bound of 0.
 *
 * Cost: 2 multiplications, 1 addition and 2 comparisons for F64N points and a line. Each point is compared with two
 * lines a step. */
#include "optimized/hull/hull_body.h"

typedef struct flat_line {
    double n[2];
    double lo, hi; /* p is beyond if n.p is above lo; not beyond if it is at most hi */
} flat_line;

typedef struct flat_edge {
    flat_line line;
    uint32_t corner, before, after;
    uint32_t begin, count; /* its piece of the points */
    uint32_t below;        /* in the stack of edges that may own points */
    uint32_t waiting;
} flat_edge;

typedef struct flat_builder {
    const vp_hull2_job *to;
    double reach[2], side[2];
    float *x, *y;
    uint32_t *id, *label, *order;
    hull_piece *piece;
    flat_edge *edge;
    size_t used; /* elements in use of the arrays of points, which have room for twice as many */
    uint32_t edges, top;
    uint64_t work;
} flat_builder;

/* ---- lines ---- */

VP_INLINE float flat_coordinate(vp_vec3 p, uint32_t axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static vp_vec2 flat_point(const flat_builder *b, uint32_t i)
{
    const vp_vec3 p = b->to->point[i];
    return (vp_vec2){flat_coordinate(p, b->to->axis[0]), flat_coordinate(p, b->to->axis[1])};
}

/* Makes the line of an edge to the next corner. Its right side is beyond it. The bound of a sum's error has two
   terms: the rounding of the direction, 2^-53 of it times the distance from the corner, and that of the sum, some
   2^-51 of its terms. */
static void make_line(const flat_builder *b, flat_edge *e)
{
    const vp_vec2 from = flat_point(b, e->corner), to = flat_point(b, b->edge[e->after].corner);
    const double ux = (double)to.x - (double)from.x, uy = (double)to.y - (double)from.y;
    const double at[2] = {(double)from.x, (double)from.y};
    e->line = (flat_line){{uy, -ux}, 0.0, 0.0};
    for (int k = 0; k < 2; k++)
        if (e->line.n[1 - k] == 0.0) { /* along an axis */
            e->line.n[k] = e->line.n[k] > 0.0 ? 1.0 : -1.0;
            e->line.lo = e->line.hi = e->line.n[k] * at[k];
            return;
        }
    const double d = e->line.n[0] * at[0] + e->line.n[1] * at[1];
    const double bound = (fabs(uy) * (b->side[0] + b->reach[0]) + fabs(ux) * (b->side[1] + b->reach[1])) * 0x1p-50;
    e->line.lo = d + bound;
    e->line.hi = d - bound;
}

/* Whether a point is beyond an edge. */
static bool beyond_edge(flat_builder *b, const flat_edge *e, uint32_t point)
{
    const vp_vec2 p = flat_point(b, point);
    const double h = e->line.n[0] * (double)p.x + e->line.n[1] * (double)p.y;
    b->work++;
    if (h > e->line.lo)
        return true;
    if (h <= e->line.hi)
        return false;
    return vp_orient2d(flat_point(b, b->edge[e->after].corner), flat_point(b, e->corner), p) > 0;
}

/* ---- passes over points ---- */

VP_INLINE f64n along_line(const flat_line *line, f64n x, f64n y)
{
    return f64n_add(f64n_mul(f64n_set1(line->n[0]), x), f64n_mul(f64n_set1(line->n[1]), y));
}

/* Splits points into arrays, and finds the first of the lowest and the first of the highest, by x, then by y. */
static void split_flat(flat_builder *b, uint32_t *lowest, uint32_t *highest)
{
    const uint32_t count = b->to->count, u = b->to->axis[0], v = b->to->axis[1];
    f64n low_x = f64n_set1(INFINITY), low_y = low_x, high_x = f64n_set1(-INFINITY), high_y = high_x;
    f64n low_at = f64n_set1(0.0), high_at = low_at, place = f64n_iota();
    for (uint32_t i = 0; i < count; i += F64N) {
        if (i % F32N == 0) {
            float part[3][F32N];
            split_points(b->to->point, i, count, part[0], part[1], part[2]); /* a copy of the last point is no lower and no higher */
            memcpy(b->x + i, part[u], sizeof part[u]);
            memcpy(b->y + i, part[v], sizeof part[v]);
            i32n_store(b->id + i, i32n_add(i32n_iota(), i32n_set1((int32_t)i)));
        }
        const f64n x = f64n_load_f32(b->x + i), y = f64n_load_f32(b->y + i);
        const m64n lower = m64n_or(f64n_cmp_gt(low_x, x), m64n_andnot(f64n_cmp_gt(low_y, y), f64n_cmp_gt(x, low_x)));
        const m64n higher = m64n_or(f64n_cmp_gt(x, high_x), m64n_andnot(f64n_cmp_gt(y, high_y), f64n_cmp_gt(high_x, x)));
        low_x = f64n_select(lower, x, low_x);
        low_y = f64n_select(lower, y, low_y);
        low_at = f64n_select(lower, place, low_at);
        high_x = f64n_select(higher, x, high_x);
        high_y = f64n_select(higher, y, high_y);
        high_at = f64n_select(higher, place, high_at);
        place = f64n_add(place, f64n_set1((double)F64N));
    }
    double at[2][F64N], xs[2][F64N], ys[2][F64N];
    f64n_store(at[0], low_at);
    f64n_store(xs[0], low_x);
    f64n_store(ys[0], low_y);
    f64n_store(at[1], high_at);
    f64n_store(xs[1], high_x);
    f64n_store(ys[1], high_y);
    int best[2] = {0, 0};
    for (int k = 1; k < F64N; k++)
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? 1.0 : -1.0, dx = (xs[side][k] - xs[side][best[side]]) * sign,
                         dy = (ys[side][k] - ys[side][best[side]]) * sign;
            if (dx < 0.0 || (dx == 0.0 && (dy < 0.0 || (dy == 0.0 && at[side][k] < at[side][best[side]]))))
                best[side] = k;
        }
    *lowest = (uint32_t)at[0][best[0]];
    *highest = (uint32_t)at[1][best[1]];
}

/* The first of the points of an edge that are furthest beyond it. */
static uint32_t furthest_beyond(const flat_builder *b, const flat_edge *e)
{
    const float *px = b->x + e->begin, *py = b->y + e->begin;
    f64n most = f64n_set1(-INFINITY), at = f64n_set1(0.0), place = f64n_iota();
    for (size_t i = 0; i < e->count; i += F64N) {
        const f64n h = along_line(&e->line, f64n_load_f32(px + i), f64n_load_f32(py + i));
        m64n further = f64n_cmp_gt(h, most);
        if (e->count - i < F64N)
            further = m64n_and(further, first_lanes(e->count - i));
        most = f64n_select(further, h, most);
        at = f64n_select(further, place, at);
        place = f64n_add(place, f64n_set1((double)F64N));
    }
    double which;
    largest(most, at, &which);
    return b->id[e->begin + (size_t)which];
}

/* Labels points with the first of two lines that they are beyond. @return whether some sums may not be certain */
static bool compare_lines(const float *px, const float *py, size_t count, const flat_line *first, const flat_line *second, uint32_t *label)
{
    m64n any = m64n_zero();
    for (size_t i = 0; i < count; i += F64N) {
        const f64n x = f64n_load_f32(px + i), y = f64n_load_f32(py + i), h = along_line(first, x, y), g = along_line(second, x, y);
        const m64n beyond = f64n_cmp_gt(h, f64n_set1(first->lo)), other = f64n_cmp_gt(g, f64n_set1(second->lo));
        const m64n may = m64n_or(f64n_cmp_gt(h, f64n_set1(first->hi)), f64n_cmp_gt(g, f64n_set1(second->hi)));
        f64n which = f64n_select(may, f64n_set1(-2.0), f64n_set1(-1.0));
        which = f64n_select(other, f64n_set1(1.0), which);
        which = f64n_select(beyond, f64n_set1(0.0), which);
        any = m64n_or(any, m64n_andnot(may, m64n_or(beyond, other)));
        f64n_store_i32(label + i, which);
    }
    return m64n_any(any);
}

/* ---- pieces ---- */

/* Moves all pieces to the beginning, in the order in which they lie. */
static void move_flat_together(flat_builder *b)
{
    uint32_t count = 0;
    for (uint32_t e = b->top; e != VP_HULL_NONE; e = b->edge[e].below)
        if (b->edge[e].count > 0)
            b->order[count++] = e;
    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            const uint32_t e = b->order[i], begin = b->edge[e].begin;
            uint32_t k = i;
            for (; k >= gap && b->edge[b->order[k - gap]].begin > begin; k -= gap)
                b->order[k] = b->order[k - gap];
            b->order[k] = e;
        }
    b->used = 0;
    for (uint32_t i = 0; i < count; i++) {
        flat_edge *e = &b->edge[b->order[i]];
        memmove(b->x + b->used, b->x + e->begin, e->count * sizeof(float));
        memmove(b->y + b->used, b->y + e->begin, e->count * sizeof(float));
        memmove(b->id + b->used, b->id + e->begin, e->count * sizeof(uint32_t));
        e->begin = (uint32_t)b->used;
        b->used += e->count;
    }
}

/* Like clear_behind. */
static void clear_flat_behind(const flat_builder *b)
{
    memset(b->x + b->used, 0, 2 * F64N * sizeof(float));
    memset(b->y + b->used, 0, 2 * F64N * sizeof(float));
    memset(b->id + b->used, 0, 2 * F64N * sizeof(uint32_t));
}

/* Moves the points of pieces to the first of two edges that they are beyond. The corner between them is beyond none. */
static void hand_over_flat(flat_builder *b, uint32_t pieces, uint32_t first, uint32_t second)
{
    const uint32_t edge[2] = {first, second};
    uint32_t *label = b->label;
    for (uint32_t i = 0; i < pieces; i++, label += b->piece[i - 1].count) {
        const size_t begin = b->piece[i].begin;
        b->work += 2 * (uint64_t)b->piece[i].count;
        if (!compare_lines(b->x + begin, b->y + begin, b->piece[i].count, &b->edge[first].line, &b->edge[second].line, label))
            continue;
        const uint32_t count = b->piece[i].count;
        for (uint32_t k = find_label(label, 0, count, LABEL_UNSURE); k < count; k = find_label(label, k + 1, count, LABEL_UNSURE)) {
            const uint32_t point = b->id[begin + k];
            label[k] = point == b->edge[second].corner           ? LABEL_INSIDE
                       : beyond_edge(b, &b->edge[first], point)  ? 0
                       : beyond_edge(b, &b->edge[second], point) ? 1
                                                                 : LABEL_INSIDE;
        }
    }
    for (uint32_t j = 0; j < 2; j++) {
        flat_edge *e = &b->edge[edge[j]];
        size_t to = b->used;
        label = b->label;
        for (uint32_t i = 0; i < pieces; i++) {
            const size_t from = b->piece[i].begin;
            to += copy_labelled(b->x + from, b->y + from, b->x + from, b->id + from, label, b->piece[i].count, j, b->x + to, b->y + to,
                                b->x + to, b->id + to);
            label += b->piece[i].count;
        }
        e->begin = (uint32_t)b->used;
        e->count = (uint32_t)(to - b->used);
        b->used = to;
        if (e->count > 0 && !e->waiting) {
            e->waiting = 1;
            e->below = b->top;
            b->top = edge[j];
        }
    }
    clear_flat_behind(b);
}

/* ---- corners ---- */

static void add_flat_corner(flat_builder *b, uint32_t e)
{
    const uint32_t corner = furthest_beyond(b, &b->edge[e]);
    uint32_t first = e, last = e, pieces = 0;
    while (beyond_edge(b, &b->edge[b->edge[first].before], corner))
        first = b->edge[first].before;
    while (beyond_edge(b, &b->edge[b->edge[last].after], corner))
        last = b->edge[last].after;
    const uint32_t from = b->edge[first].corner, before = b->edge[first].before, after = b->edge[last].after, made = b->edges++;
    for (uint32_t gone = first; gone != after; gone = b->edge[gone].after) {
        flat_edge *g = &b->edge[gone];
        if (g->count > 0)
            b->piece[pieces++] = (hull_piece){g->begin, g->count};
        g->count = 0;
        g->corner = VP_HULL_NONE;
    }
    b->edge[first].corner = from;
    b->edge[first].after = made;
    b->edge[made] = (flat_edge){.corner = corner, .before = first, .after = after};
    b->edge[before].after = first;
    b->edge[after].before = made;
    make_line(b, &b->edge[first]);
    make_line(b, &b->edge[made]);
    hand_over_flat(b, pieces, first, made);
}

/* Returns the corners except those on the line of their neighbours, beginning at the first of the set. */
static uint32_t list_corners(const flat_builder *b)
{
    uint32_t *ring = b->order, corners = 0, first = 0, begin = 0;
    while (b->edge[begin].corner == VP_HULL_NONE)
        begin++;
    uint32_t e = begin;
    do {
        const flat_edge *at = &b->edge[e];
        if (at->before == at->after || vp_orient2d(flat_point(b, b->edge[at->before].corner), flat_point(b, at->corner),
                                                   flat_point(b, b->edge[at->after].corner)) != 0)
            ring[corners++] = at->corner;
        e = at->after;
    } while (e != begin);
    for (uint32_t i = 1; i < corners; i++)
        if (ring[i] < ring[first])
            first = i;
    for (uint32_t i = 0; i < corners; i++)
        b->to->corner[i] = ring[first + i < corners ? first + i : first + i - corners];
    return corners;
}

static void set_up_flat(flat_builder *b, const vp_hull2_job *to)
{
    const size_t n = to->count, room = 2 * n + SLACK;
    char *at = to->scratch;
    memset(b, 0, sizeof *b);
    b->to = to;
    b->edge = piece_of(&at, (n + 2) * sizeof(flat_edge));
    b->x = piece_of(&at, room * sizeof(float));
    b->y = piece_of(&at, room * sizeof(float));
    b->id = piece_of(&at, room * sizeof(uint32_t));
    b->label = piece_of(&at, (n + SLACK) * sizeof(uint32_t));
    b->order = piece_of(&at, (n + 2) * sizeof(uint32_t));
    b->piece = piece_of(&at, (n + 2) * sizeof(hull_piece));
    b->top = VP_HULL_NONE;
}

static vp_hull2_result hull2(const vp_hull2_job *to)
{
    flat_builder b;
    uint32_t lowest = 0, highest = 0;
    set_up_flat(&b, to);
    split_flat(&b, &lowest, &highest);
    const vp_vec2 low = flat_point(&b, lowest), high = flat_point(&b, highest);
    if (low.x == high.x && low.y == high.y) {
        to->corner[0] = lowest;
        return (vp_hull2_result){1, 0};
    }
    f32n top = f32n_load(b.y), bottom = top;
    for (uint32_t i = F32N; i < to->count; i += F32N) { /* those after the last one are copies of it */
        top = f32n_max_fast(top, f32n_load(b.y + i));
        bottom = f32n_min_fast(bottom, f32n_load(b.y + i));
    }
    const float most[2] = {high.x, f32n_reduce_max(top)}, least[2] = {low.x, f32n_reduce_min(bottom)};
    for (int k = 0; k < 2; k++) {
        b.side[k] = (double)most[k] - (double)least[k];
        b.reach[k] = fmax(fabs((double)most[k]), fabs((double)least[k]));
    }
    b.edges = 2;
    b.edge[0] = (flat_edge){.corner = lowest, .before = 1, .after = 1};
    b.edge[1] = (flat_edge){.corner = highest, .before = 0, .after = 0};
    make_line(&b, &b.edge[0]);
    make_line(&b, &b.edge[1]);
    b.used = to->count;
    clear_flat_behind(&b);
    b.piece[0] = (hull_piece){0, to->count};
    hand_over_flat(&b, 1, 0, 1);
    while (b.top != VP_HULL_NONE && b.work <= to->max_work) {
        if (b.used > to->count) /* a step needs at most as much as the edges own, which is at most all */
            move_flat_together(&b);
        const uint32_t e = b.top;
        b.top = b.edge[e].below;
        b.edge[e].waiting = 0;
        if (b.edge[e].corner != VP_HULL_NONE && b.edge[e].count > 0)
            add_flat_corner(&b, e);
    }
    return (vp_hull2_result){b.work <= to->max_work ? list_corners(&b) : 0, b.work};
}
