/* SPDX-License-Identifier: MIT */
/* Vertical lines through a round shape, for columns that differ: a double integral over its shadow, x in the outer loop and z in the
 * inner one. x and z are exchanged if the shape's axis is nearer to z, so that slices rarely lie along the axis.
 *
 * Gauss' rule is applied to each piece between two kinks. Along x these are borders of columns, rims of a cylinder, and places where the
 * border of the shadow crosses a border of columns. Along z they are borders of columns with other water, rims, and places where the
 * shape's surface crosses a level. A new piece begins with zero weight, so the sum is continuous as the shape moves. Lengths of lines, and
 * areas of slices of shapes that stand, begin like a square root at the end of the shadow, so nodes are spaced by that root.
 *
 * Lines are used only where a column differs from the reference, which is the water of most columns. The part in the reference has a closed
 * form. Layers of water that only the column has are added. Layers that only the reference has are subtracted. If the columns become equal,
 * the sum becomes the closed form.
 *
 * Chunks have lines in all their water, without a reference, so that their parts add up. The difference between the whole and the sum of
 * these lines is divided among the chunks in proportion to their volumes. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "src/narrowphase/buoyancy_shadow.h"

/* Maximum numbers. */
enum {
    NODES = 8,   /* of a piece */
    PARTS = 3,   /* equal parts of a piece along x */
    BORDERS = 8, /* of columns, whose crossings with the shadow's border end pieces */
    LEVELS = 64, /* places along x where levels end pieces */
    COLUMNS = 64 /* whose water is kept */
};

/* Weight of a line's length in the whole shape, added to its share. Without it, all shares are 0 if no line crosses a layer. */
static const double STEADY = 0x1p-20;

/* Smallest submerged part of a shape with a reference. Errors of lines would be large relative to a smaller part. */
static const double SMALL = 0x1p-9;

/* Nodes and weights of Gauss' rule on -1 to 1, by the number of nodes. */
typedef struct gauss {
    double node[NODES], weight[NODES];
} gauss;
#define BOTH(a)  -a, a
#define TWICE(a) a, a
static const gauss rule[NODES + 1] = {
    {{0.0}, {0.0}},
    {{0.0}, {2.0}},
    {{BOTH(0.57735026918962573)}, {TWICE(1.0)}},
    {{0.0, BOTH(0.7745966692414834)}, {0.88888888888888884, TWICE(0.55555555555555525)}},
    {{BOTH(0.33998104358485631), BOTH(0.86113631159405257)}, {TWICE(0.65214515486254609), TWICE(0.34785484513745374)}},
    {{0.0, BOTH(0.53846931010568311), BOTH(0.90617984593866396)},
     {0.56888888888888889, TWICE(0.47862867049936647), TWICE(0.236926885056189)}},
    {{BOTH(0.23861918608319693), BOTH(0.66120938646626459), BOTH(0.93246951420315205)},
     {TWICE(0.46791393457269104), TWICE(0.36076157304813861), TWICE(0.1713244923791705)}},
    {{0.0, BOTH(0.40584515137739718), BOTH(0.74153118559939446), BOTH(0.94910791234275849)},
     {0.4179591836734694, TWICE(0.38183005050511903), TWICE(0.2797053914892767), TWICE(0.12948496616886968)}},
    {{BOTH(0.18343464249564981), BOTH(0.52553240991632899), BOTH(0.79666647741362684), BOTH(0.96028985649753629)},
     {TWICE(0.36268378337836199), TWICE(0.31370664587788738), TWICE(0.22238103445337445), TWICE(0.10122853629037618)}},
};

/* Whether pieces end at the shadows of the rims. A capsule has no edge there, but if it nearly stands, its side is steep between them. */
static bool has_rims(const vp_buoyancy_body *body)
{
    const double up = body->axis[1][1];
    return body->shape->kind == VP_COLLIDE_CYLINDER || (body->shape->kind == VP_COLLIDE_CAPSULE && up * up > 0.9);
}

/* The part of a span between two places. */
static vp_span both_of(vp_span a, double low, double high)
{
    return (vp_span){a.low > low ? a.low : low, a.high < high ? a.high : high};
}

/* The part of a span in columns [first, end), of a body at `at`. */
static vp_span cut(vp_span span, int64_t first, int64_t end, double at)
{
    return both_of(span, (double)first - at, (double)end - at);
}

/* The first of some places greater than `after`, up to `limit`. */
static double find_next(const double *place, uint32_t count, double after, double limit)
{
    for (uint32_t i = 0; i < count; i++)
        limit = place[i] > after && place[i] < limit ? place[i] : limit;
    return limit;
}

/* ---- nodes ---- */

/* Places of nodes in a piece: c[0] + c[1]*node + c[2]*node^2 + c[3]*node^3. */
typedef struct piece_map {
    double c[4];
} piece_map;

/* Maps nodes to a piece. The integrand begins like a square root at the distance `before` below the piece's low end, and ends like one at
 * `after` above its high end. HUGE_VAL = it does not. Places are quadratic in the node at the nearer root, or cubic between two. */
static inline piece_map map_of(vp_span piece, double before, double after)
{
    const double middle = 0.5 * (piece.low + piece.high), reach = 0.5 * (piece.high - piece.low);
    const double near = before < after ? before : after, side = before < after ? 1.0 : -1.0;
    if (before <= 0.0 && after <= 0.0)
        return (piece_map){{middle, 1.5 * reach, 0.0, -0.5 * reach}};
    if (!(near < HUGE_VAL) || !(reach > 0.0))
        return (piece_map){{middle, reach, 0.0, 0.0}};
    const double far = positive(near), from = sqrt(far), by = 0.5 * (sqrt(far + 2.0 * reach) - from), mean = from + by;
    return (piece_map){{middle + side * (mean * mean - far - reach), 2.0 * by * mean, side * by * by, 0.0}};
}

static inline double place_of(const piece_map *map, double node)
{
    return map->c[0] + node * (map->c[1] + node * (map->c[2] + node * map->c[3]));
}

/* Derivative of the place. */
static inline double slope_of(const piece_map *map, double node)
{
    return map->c[1] + node * (2.0 * map->c[2] + node * (3.0 * map->c[3]));
}

/* Number of nodes of a piece along z. */
static uint32_t nodes_of(double length, double by_radius)
{
    const double nodes = 2.0 + 3.5 * (length * by_radius);
    return nodes < NODES ? (uint32_t)nodes : NODES;
}

/* Number of equal parts of a piece along x, and the nodes of each. A tilted disc can be narrower along x than its radius. */
static uint32_t parts_of(const vp_buoyancy_body *body, double length, uint32_t *nodes)
{
    const double least = body->shape->kind == VP_COLLIDE_SPHERE ? 2.4 : 2.5, more = body->shape->kind == VP_COLLIDE_SPHERE ? 3.0 : 3.5;
    const double r = (double)body->shape->radius;
    double all = least + more * (length / (body->high[0] < r ? body->high[0] : r));
    uint32_t parts = 1;
    while (parts < PARTS && all > (double)(parts * NODES))
        parts++;
    all /= (double)parts;
    *nodes = all < NODES ? (uint32_t)all : NODES;
    return parts;
}

/* ---- layers ---- */

/* A layer of water that only a column has (sign 1), or only the reference (sign -1). */
typedef struct layer {
    vp_span span;
    double sign;
} layer;

/* A kept column. Columns with more levels are read again. */
typedef struct column {
    uint32_t count, layers;
    double level[2];
    layer layer[2]; /* where it differs from the reference */
} column;

typedef struct summing {
    void (*chords)(const vp_buoyancy_body *body, vp_lines *lines);
    bool is_turned;               /* x and z are exchanged in all members below, except in `world` */
    vp_buoyancy_body body, lying; /* with y and z exchanged, for horizontal lines */
    vp_submerged_range under, range;
    const vp_waters *world;
    double reference[2]; /* levels of the reference */
    uint32_t references;
    double steady; /* STEADY if parts of chunks are summed */
    vp_moments sum;
    swept_ellipse shadow;
    double rise; /* bound of the height of rims above their centres. 0 = no pieces end at rims */
    slices slices;
    column column[COLUMNS]; /* the first columns, row by row */
    vp_lines lines;         /* not yet summed */
} summing;

/* The number of a column that is kept, or -1. */
static int64_t find_number(const summing *s, int64_t x, int64_t z)
{
    const int64_t number = (x - s->under.low[0]) * (s->under.high[2] - s->under.low[2]) + (z - s->under.low[2]);
    return number < COLUMNS && s->column[number].count <= 2 ? number : -1;
}

static uint32_t read_column(const summing *s, int64_t x, int64_t z, double level[VP_SUBMERGED_LEVELS])
{
    return s->is_turned ? vp_waters_column(s->world, z, x, level) : vp_waters_column(s->world, x, z, level);
}

static bool is_reference(const summing *s, const double *level, uint32_t count)
{
    bool same = count == s->references;
    for (uint32_t i = 0; i < count && same; i++)
        same = level[i] == s->reference[i];
    return same;
}

/* Finds the layers where a column and the reference differ, within the body's height. */
static uint32_t compare_levels(const summing *s, const double *level, uint32_t count, layer *out)
{
    const double *reference = s->reference, bottom = s->body.low[1], top = s->body.high[1];
    uint32_t layers = 0;
    double from = bottom;
    if (is_reference(s, level, count))
        return 0;
    for (uint32_t i = 0, k = 0; i < count || k < s->references;) {
        const bool own = k == s->references || (i < count && level[i] <= reference[k]);
        const double at = own ? level[i] : reference[k];
        if ((i + k) % 2 == 1 && at > bottom && from < top && from < at) /* only one of the two has water below this level */
            out[layers++] = (layer){both_of((vp_span){from, at}, bottom, top), i % 2 == 1 ? 1.0 : -1.0};
        from = at;
        i += own;
        k += !own;
    }
    return layers;
}

/* The layers of a column. @param own  memory for the layers of a column that is not kept */
static const layer *layers_of(const summing *s, int64_t x, int64_t z, layer own[VP_SUBMERGED_LEVELS], uint32_t *layers)
{
    const int64_t number = find_number(s, x, z);
    if (number >= 0) {
        *layers = s->column[number].layers;
        return s->column[number].layer;
    }
    double level[VP_SUBMERGED_LEVELS];
    const uint32_t count = read_column(s, x, z, level);
    *layers = compare_levels(s, level, count, own);
    return own;
}

/* ---- sums ---- */

/* Adds the parts of lines in their layers to the sum, and removes the lines. */
static void sum_lines(summing *s)
{
    vp_lines *lines = &s->lines;
    double part[VP_LINES], middle[VP_LINES], steadied[VP_LINES];
    const double *weight = lines->weight, *bottom = lines->bottom, *top = lines->top, steady = s->steady;
    const uint32_t count = lines->count;
    vp_moments m = s->sum;
    s->chords(&s->body, lines);
    for (uint32_t i = 0; i < count; i++) {
        const double low = bottom[i] > lines->low[i] ? bottom[i] : lines->low[i], high = top[i] < lines->high[i] ? top[i] : lines->high[i];
        part[i] = weight[i] * positive(high - low);
        middle[i] = 0.5 * (low + high);
    }
    for (uint32_t i = 0; i < count && steady > 0.0; i++)
        steadied[i] = part[i] + steady * (weight[i] * (lines->high[i] - lines->low[i]) * (top[i] - bottom[i]));
    const double *share = steady > 0.0 ? steadied : part;
    for (uint32_t i = 0; i < count; i++) {
        m.volume += share[i];
        m.moment[0] += part[i] * lines->x[i];
        m.moment[1] += part[i] * middle[i];
        m.moment[2] += part[i] * lines->z[i];
    }
    s->sum = m;
    lines->count = 0;
}

/* Adds lines of a piece of a slice. */
static void add_piece(summing *s, uint32_t k, vp_span piece, uint32_t nodes, bool is_flat, const layer *wet)
{
    vp_lines *lines = &s->lines;
    const gauss *g = &rule[nodes];
    if (lines->count + nodes > VP_LINES)
        sum_lines(s);
    const slices *all = &s->slices;
    const double even = is_flat ? HUGE_VAL : 0.0;
    const piece_map map = map_of(piece, piece.low - all->z[0][k] + (all->corner[0][k] + even),
                                 all->z[1][k] - piece.high + (all->corner[1][k] + even));
    const double weight = wet->sign * all->weight[k];
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t at = lines->count + i;
        lines->x[at] = all->x[k];
        lines->z[at] = place_of(&map, g->node[i]);
        lines->weight[at] = (slope_of(&map, g->node[i]) * g->weight[i]) * weight;
        lines->bottom[at] = wet->span.low;
        lines->top[at] = wet->span.high;
    }
    lines->count += nodes;
}

/* Neighbouring columns of a row. */
typedef struct column_run {
    int64_t x, first, end;
    vp_span height; /* of their layers */
} column_run;

/* Finds each slice's span of z at a level, low[] to high[]. It is empty beyond the body. */
static void cut_slices(const summing *s, double level, vp_lines *out)
{
    const bool is_in = level > s->body.low[1] && level < s->body.high[1];
    const uint32_t count = s->slices.count;
    out->count = is_in ? count : 0;
    for (uint32_t k = 0; k < out->count; k++) {
        out->x[k] = s->slices.x[k];
        out->z[k] = level;
    }
    if (is_in)
        s->chords(&s->lying, out);
    for (uint32_t k = out->count; k < count; k++)
        out->low[k] = out->high[k] = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        const bool hit = out->low[k] < out->high[k];
        out->low[k] = hit ? out->low[k] : HUGE_VAL;
        out->high[k] = hit ? out->high[k] : -HUGE_VAL;
    }
}

/* Inserts a place into a list in ascending order. */
static inline uint32_t insert_end(double *end, uint32_t ends, double at)
{
    uint32_t i = ends;
    for (; i > 0 && end[i - 1] > at; i--)
        end[i] = end[i - 1];
    end[i] = at;
    return ends + 1;
}

/* Adds the lines of all slices in a layer of a run of columns. */
static void add_layer(summing *s, const column_run *run, const layer *all)
{
    const slices *x = &s->slices;
    const double by_radius = 1.0 / (double)s->body.shape->radius;
    const bool has_edges = s->body.shape->kind == VP_COLLIDE_CYLINDER;
    const layer wet = {cut(all->span, s->range.low[1], s->range.high[1], s->body.position[1]), all->sign};
    const vp_span columns = {(double)run->first - s->body.position[2], (double)run->end - s->body.position[2]};
    vp_lines bottom, top;
    if (!(wet.span.low < wet.span.high))
        return;
    cut_slices(s, all->span.low, &bottom);
    cut_slices(s, all->span.high, &top);
    for (uint32_t k = 0; k < x->count; k++) {
        vp_span piece = both_of(columns, x->z[0][k], x->z[1][k]);
        if (!(piece.low < piece.high))
            continue;
        const double place[4] = {bottom.low[k], bottom.high[k], top.low[k], top.high[k]};
        const double left = place[0] < place[2] ? place[0] : place[2], right = place[1] > place[3] ? place[1] : place[3];
        const vp_span in = both_of((vp_span){place[0], place[1]}, place[2], place[3]);
        double end[9];
        uint32_t ends = 0;
        for (uint32_t i = 0; i < 4; i++)
            if (place[i] > piece.low && place[i] < piece.high)
                ends = insert_end(end, ends, place[i]);
        for (uint32_t i = 0; i < x->rims; i++)
            if (x->rim[i][k] > piece.low && x->rim[i][k] < piece.high && (!has_edges || is_in_layer(x->rim_height[i][k], all->span)))
                ends = insert_end(end, ends, x->rim[i][k]);
        end[ends++] = piece.high;
        for (uint32_t i = 0; i < ends; i++, piece.low = piece.high) {
            piece.high = end[i];
            const double middle = 0.5 * (piece.low + piece.high);
            const double side = middle < left ? x->height[0][k] : x->height[1][k];
            if (!(piece.low < piece.high) || ((middle < left || middle > right) && (side < all->span.low || side > all->span.high)))
                continue; /* the shape does not reach the layer */
            uint32_t nodes = 1;
            bool is_flat = true;
            if (!(middle > in.low && middle < in.high)) {
                is_flat = has_edges && ((middle > place[0] && middle < place[1]) || (middle > x->rim[0][k] && middle < x->rim[1][k])) &&
                          ((middle > place[2] && middle < place[3]) || (middle > x->rim[2][k] && middle < x->rim[3][k]));
                nodes = is_flat ? 2 : nodes_of(piece.high - piece.low, by_radius);
            }
            add_piece(s, k, piece, nodes, is_flat, &wet);
        }
    }
}

/* The same. For parts of chunks, the layer is split at borders of chunks. Otherwise lengths of clipped lines would have kinks inside
 * pieces. The lines of all parts together are those of the whole. */
static void add_layer_by_chunk(summing *s, const column_run *run, const layer *all)
{
    const double position = s->body.position[1];
    layer part = *all;
    for (; part.span.low < all->span.high; part.span.low = part.span.high) {
        const double border = (floor((part.span.low + position) / VP_CHUNK_EDGE) + 1.0) * VP_CHUNK_EDGE - position;
        part.span.high = s->steady > 0.0 && border > part.span.low && border < all->span.high ? border : all->span.high;
        add_layer(s, run, &part);
    }
}

static bool has_same_layers(const layer *a, uint32_t count, const layer *b, uint32_t layers)
{
    bool same = count == layers;
    for (uint32_t i = 0; same && i < count; i++)
        same = a[i].span.low == b[i].span.low && a[i].span.high == b[i].span.high && a[i].sign == b[i].sign;
    return same;
}

/* Adds all lines of the slices of a row of columns, and removes the slices. Runs of columns with the same layers end at borders of
 * chunks. */
static void add_slices(summing *s, const column_run *row)
{
    layer own[2][VP_SUBMERGED_LEVELS];
    column_run run = *row;
    uint32_t layers;
    find_slice_ends(&s->slices, &s->shadow, s->rise, row->height);
    const layer *layer_of_run = layers_of(s, row->x, run.first, own[0], &layers);
    for (int64_t z = run.first + 1; z <= row->end; z++) {
        const bool last = z == row->end;
        uint32_t count = 0;
        layer *memory = layer_of_run == own[0] ? own[1] : own[0];
        const layer *next = last ? NULL : layers_of(s, row->x, z, memory, &count);
        if (!last && z % VP_CHUNK_EDGE != 0 && has_same_layers(layer_of_run, layers, next, count))
            continue;
        run.end = z;
        for (uint32_t i = 0; i < layers; i++)
            add_layer_by_chunk(s, &run, &layer_of_run[i]);
        run.first = z;
        layers = count;
        layer_of_run = next;
    }
    s->slices.count = 0;
}

/* Whether pieces end where the border of the shadow crosses borders of columns. */
static bool has_few_columns(const summing *s)
{
    return s->under.high[2] - s->under.low[2] <= BORDERS + 1;
}

/* Finds the places along x where pieces end in every row. */
static uint32_t find_ends(const summing *s, double end[4 + 2 * BORDERS])
{
    const vp_buoyancy_body *body = &s->body;
    const double *n = body->axis[1];
    const swept_ellipse turned = shadow_of(body, n[2], n[1], n[0]);
    uint32_t count = 0;
    for (int i = -1; i <= 1 && s->rise > 0.0; i += 2) {
        end[count++] = i * half_height_of(body) * n[0] - s->shadow.e.width;
        end[count++] = i * half_height_of(body) * n[0] + s->shadow.e.width;
    }
    for (int64_t z = s->under.low[2] + 1; z < s->under.high[2] && has_few_columns(s); z++)
        for (int k = 0; k < 2; k++)
            end[count++] = find_border(&turned, (double)z - body->position[2], k);
    return count;
}

/* Finds the places along x where levels of a row leave the shape. */
static uint32_t find_level_ends(const summing *s, int64_t x, const swept_ellipse *upright, double end[LEVELS])
{
    const vp_buoyancy_body *body = &s->body;
    uint32_t count = 0;
    for (int64_t z = s->under.low[2]; z < s->under.high[2]; z++) {
        layer own[VP_SUBMERGED_LEVELS];
        uint32_t layers;
        const layer *wet = layers_of(s, x, z, own, &layers);
        for (uint32_t i = 0; i < 2 * layers && count + 2 <= LEVELS; i++) {
            const double level = i % 2 == 0 ? wet[i / 2].span.low : wet[i / 2].span.high;
            for (int k = 0; k < 2 && level > body->low[1] && level < body->high[1]; k++)
                end[count++] = find_border(upright, level, k);
        }
    }
    return count;
}

/* Finds the columns of a row that need lines, from the first to the last one. */
static column_run find_row(const summing *s, int64_t x)
{
    column_run row = {x, 0, 0, {HUGE_VAL, -HUGE_VAL}};
    for (int64_t z = s->range.low[2]; z < s->range.high[2]; z++) {
        layer own[VP_SUBMERGED_LEVELS];
        uint32_t layers;
        const layer *wet = layers_of(s, x, z, own, &layers);
        if (layers == 0)
            continue;
        if (row.end == row.first)
            row.first = z;
        row.end = z + 1;
        row.height.low = wet[0].span.low < row.height.low ? wet[0].span.low : row.height.low;
        row.height.high = wet[layers - 1].span.high > row.height.high ? wet[layers - 1].span.high : row.height.high;
    }
    return row;
}

/* Whether the shadow reaches a row's columns at x. */
static bool is_over(const summing *s, const column_run *row, double x)
{
    const double at = s->body.position[2];
    return (row->first == s->under.low[2] || find_border(&s->shadow, x, 1) > (double)row->first - at) &&
           (row->end == s->under.high[2] || find_border(&s->shadow, x, 0) < (double)row->end - at);
}

static void sum_rows(summing *s)
{
    const vp_buoyancy_body *body = &s->body;
    const double *n = body->axis[1];
    const bool is_round = body->shape->kind == VP_COLLIDE_SPHERE, is_cylinder = body->shape->kind == VP_COLLIDE_CYLINDER;
    s->shadow = shadow_of(body, n[0], n[1], n[2]);
    s->rise = !has_rims(body) ? 0.0 : HUGE_VAL;
    if (is_cylinder)
        s->rise = 1.001 * positive(body->high[1] - half_height_of(body) * fabs(n[1])) + 0.001 * (double)body->shape->radius;
    const bool has_steep_ends = !is_round && n[0] * n[0] < 0.01,
               has_level_ends =
                   is_cylinder ? n[2] * n[2] < 0.02 || half_height_of(body) < 0.1 * (double)body->shape->radius : s->rise > 0.0;
    double end[4 + 2 * BORDERS + LEVELS];
    const uint32_t fixed = find_ends(s, end);
    swept_ellipse upright;
    if (has_level_ends)
        upright = shadow_of(body, n[1], n[2], n[0]);
    for (int64_t x = s->range.low[0]; x < s->range.high[0]; x++) {
        const column_run row = find_row(s, x);
        if (row.first == row.end)
            continue;
        const uint32_t ends = fixed + (has_level_ends ? find_level_ends(s, x, &upright, &end[fixed]) : 0);
        vp_span piece = cut((vp_span){body->low[0], body->high[0]}, x, x + 1, body->position[0]);
        for (const double high = piece.high; piece.low < high; piece.low = piece.high) {
            uint32_t nodes;
            piece.high = find_next(end, ends, piece.low, high);
            if (has_few_columns(s) && !is_over(s, &row, 0.5 * (piece.low + piece.high)))
                continue;
            const uint32_t parts = parts_of(body, piece.high - piece.low, &nodes);
            const double length = (piece.high - piece.low) / (double)parts;
            if (s->slices.count + parts * nodes > VP_SLICES)
                add_slices(s, &row);
            for (uint32_t part = 0; part < parts; part++) {
                const double low = piece.low + (double)part * length;
                const piece_map map = map_of((vp_span){low, low + length}, has_steep_ends ? low - body->low[0] : HUGE_VAL,
                                             has_steep_ends ? body->high[0] - (low + length) : HUGE_VAL);
                for (uint32_t i = 0; i < nodes; i++) {
                    const double node = rule[nodes].node[i], weight = slope_of(&map, node) * rule[nodes].weight[i];
                    s->slices.x[s->slices.count] = place_of(&map, node);
                    s->slices.weight[s->slices.count++] = weight;
                }
            }
        }
        if (s->slices.count > 0)
            add_slices(s, &row);
    }
}

/* Estimates the lines that a column needs, from the part of its area under the body, and its layers' number and height. */
static double cost_of(const vp_buoyancy_body *body, double area, const layer *wet, uint32_t layers)
{
    const double height = body->high[1] - body->low[1];
    double cost = 0.0;
    for (uint32_t i = 0; i < layers; i++)
        cost += area * (0.2 * height + (wet[i].span.high - wet[i].span.low));
    return cost;
}

/* Width under the body of a column at a place along an axis. */
static inline double width_of(const summing *s, int axis, int64_t at)
{
    const vp_span span = cut((vp_span){s->body.low[axis], s->body.high[axis]}, at, at + 1, s->body.position[axis]);
    return span.high - span.low;
}

/* Compares all columns with the reference. @return the cost of the lines that they need */
static double compare_columns(summing *s)
{
    double cost = 0.0;
    for (int64_t x = s->under.low[0]; x < s->under.high[0]; x++)
        for (int64_t z = s->under.low[2]; z < s->under.high[2]; z++) {
            layer own[VP_SUBMERGED_LEVELS];
            const int64_t number = find_number(s, x, z);
            uint32_t layers;
            if (number >= 0) {
                column *kept = &s->column[number];
                kept->layers = compare_levels(s, kept->level, kept->count, kept->layer);
            }
            const layer *wet = layers_of(s, x, z, own, &layers);
            if (layers > 0)
                cost += cost_of(&s->body, width_of(s, 0, x) * width_of(s, 2, z), wet, layers);
        }
    return cost;
}

static void keep_column(column *c, const double *level, uint32_t count)
{
    c->count = count;
    for (uint32_t i = 0; i < count && i < 2; i++)
        c->level[i] = level[i];
}

/* Reads the columns, and chooses the water of most of the area as the reference, or none. */
static void choose_reference(summing *s)
{
    double votes = 0.0, dry = 0.0;
    uint32_t number = 0;
    for (int64_t x = s->under.low[0]; x < s->under.high[0]; x++) {
        const double width = width_of(s, 0, x);
        for (int64_t z = s->under.low[2]; z < s->under.high[2]; z++, number++) {
            double level[VP_SUBMERGED_LEVELS];
            const double area = width * width_of(s, 2, z);
            const uint32_t count = read_column(s, x, z, level);
            votes += is_reference(s, level, count) ? area : -area;
            if (votes < 0.0 && count <= 2) { /* majority vote of Boyer and Moore, by area */
                votes = -votes;
                s->references = count;
                memcpy(s->reference, level, count * sizeof *level);
            }
            if (number < COLUMNS)
                keep_column(&s->column[number], level, count);
            for (uint32_t i = 0; i < count; i += 2) {
                const layer wet = {both_of((vp_span){level[i], level[i + 1]}, s->body.low[1], s->body.high[1]), 1.0};
                dry += cost_of(&s->body, area, &wet, 1);
            }
        }
    }
    if (compare_columns(s) > dry) {
        s->references = 0;
        (void)compare_columns(s);
    }
}

static void exchange(double v[3], int a, int b)
{
    const double t = v[a];
    v[a] = v[b];
    v[b] = t;
}

static vp_submerged_range turn(const vp_submerged_range *r, bool is_turned)
{
    if (!is_turned)
        return *r;
    return (vp_submerged_range){{r->low[2], r->low[1], r->low[0]}, {r->high[2], r->high[1], r->high[0]}};
}

/* Sums lines in the layers where the columns of a range differ from the reference. */
static vp_moments sum_range(summing *s, const vp_submerged_range *range, double steady)
{
    s->range = turn(range, s->is_turned);
    s->steady = steady;
    s->sum = (vp_moments){0.0, {0.0, 0.0, 0.0}};
    s->slices.count = s->lines.count = 0;
    sum_rows(s);
    sum_lines(s);
    if (s->is_turned)
        exchange(s->sum.moment, 0, 2);
    return s->sum;
}

void vp_submerged_lines(const vp_submerged_shape *shape, void (*chords)(const vp_buoyancy_body *body, vp_lines *lines),
                        const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *range, const vp_submerged_range *under,
                        vp_moments *out)
{
    const double *n = body->axis[1];
    summing s;
    vp_moments part;
    s.chords = chords;
    s.is_turned = body->shape->kind != VP_COLLIDE_SPHERE && n[2] * n[2] > n[0] * n[0];
    s.body = *body;
    for (double *v[] = {s.body.position, s.body.axis[1], s.body.low, s.body.high}, **p = v; p < &v[4] && s.is_turned; p++)
        exchange(*p, 0, 2);
    s.lying.shape = body->shape;
    s.lying.axis[1][0] = s.body.axis[1][0];
    s.lying.axis[1][1] = s.body.axis[1][2];
    s.lying.axis[1][2] = s.body.axis[1][1];
    s.under = turn(under, s.is_turned);
    s.world = world;
    s.references = 0;
    choose_reference(&s);
    *out = sum_range(&s, under, 0.0);
    for (uint32_t i = 0; i < s.references; i++) {
        vp_submerged_below(shape, body, s.reference[i], &part);
        vp_moments_add(out, i % 2 == 0 ? -1.0 : 1.0, &part);
    }
    if (s.references > 0 && !(out->volume > SMALL * body->whole.volume)) {
        s.references = 0;
        (void)compare_columns(&s);
        *out = sum_range(&s, under, 0.0);
    }
    if (range == world)
        return;
    s.references = 0;
    (void)compare_columns(&s);
    const vp_moments all = sum_range(&s, &world->range, STEADY), own = sum_range(&s, &range->range, STEADY);
    const double by = all.volume > 0.0 ? own.volume / all.volume : 0.0;
    vp_moments_add(out, -1.0, &all);
    part = *out;
    *out = own;
    vp_moments_add(out, by, &part);
}
