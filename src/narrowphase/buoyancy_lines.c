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

#include "src/narrowphase/buoyancy_shape.h"

/* Maximum numbers. */
enum {
    NODES = 8,   /* of a piece */
    PARTS = 3,   /* equal parts of a piece along x */
    SLICES = 64, /* kept at a time */
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

static double positive(double value)
{
    return value > 0.0 ? value : 0.0;
}

/* Whether pieces end at the shadows of the rims. A capsule has no edge there, but if it nearly stands, its side is steep between them. */
static bool has_rims(const vp_buoyancy_body *body)
{
    const double up = body->axis[1][1];
    return body->shape->kind == VP_COLLIDE_CYLINDER || (body->shape->kind == VP_COLLIDE_CAPSULE && up * up > 0.9);
}

static double half_height_of(const vp_buoyancy_body *body)
{
    return body->shape->kind == VP_COLLIDE_SPHERE ? 0.0 : (double)body->shape->half_height;
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
static piece_map map_of(vp_span piece, double before, double after)
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
static uint32_t nodes_of(const vp_buoyancy_body *body, double length)
{
    const double nodes = 2.0 + 3.5 * (length / (double)body->shape->radius);
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

/* ---- the shadow ---- */

/* The shadow of a disc or a ball on the ground, the ellipse |z - tilt*x| <= height*sqrt(1 - (x/width)^2). The shadow of a shape is this
 * ellipse, swept along the shape's axis. Shadows along z are needed too, so coordinates are (along, across) below. */
typedef struct ellipse {
    double width, height, tilt;
} ellipse;

/* The shadow of the disc perpendicular to n is the ellipse of all (x, z) whose product with the inverse of r^2 (1 - nx^2, -nx nz;
 * -nx nz, 1 - nz^2) is at most 1. The determinant of that matrix is r^4 ny^2. */
static ellipse ellipse_of(const vp_buoyancy_body *body, double nx, double ny, double nz)
{
    const double r = (double)body->shape->radius, wide = ny * ny + nz * nz; /* 1 - nx^2 */
    if (body->shape->kind != VP_COLLIDE_CYLINDER)
        return (ellipse){r, r, 0.0};
    if (!(wide > 0.0))
        return (ellipse){0.0, r, 0.0}; /* a disc seen from its edge */
    const double root = sqrt(wide), up = ny < 0.0 ? -ny : ny;
    return (ellipse){r * root, r * (up / root), -(nx * nz) / wide};
}

/* Shadow of a shape: the ellipse at each place t * (ax, ay, az) of the axis, with t from -h to h. */
typedef struct swept_ellipse {
    ellipse e;
    double ax, ay, az, h, lead[2];
    bool has_corners; /* of a cylinder, whose lines do not begin like a root at a rim */
} swept_ellipse;

/* Offset along x of a slice's farthest point from the centre of its disc, unless that is an end of the axis. The point is farthest along z
 * (side 1) or against it (side -1). Its z is
 *   side*t*az + height*sqrt(1 - ((x - t*ax)/width)^2) + side*tilt*(x - t*ax).
 * Its slope in t, rise + height*ax*u/(width*sqrt(1 - u^2)) with u = (x - t*ax)/width, is 0 where the ellipse is parallel to the axis. */
static double find_lead(const swept_ellipse *s, double side)
{
    const double across = s->e.height * s->ax, along = side * (s->az - s->e.tilt * s->ax) * s->e.width;
    const double length = sqrt(across * across + along * along);
    return length > 0.0 ? (s->ax < 0.0 ? along : -along) / length * s->e.width : 0.0;
}

static swept_ellipse shadow_of(const vp_buoyancy_body *body, double nx, double ny, double nz)
{
    swept_ellipse s = {
        ellipse_of(body, nx, ny, nz), nx, ny, nz, half_height_of(body), {0.0, 0.0}, body->shape->kind == VP_COLLIDE_CYLINDER};
    s.lead[0] = find_lead(&s, -1.0);
    s.lead[1] = find_lead(&s, 1.0);
    return s;
}

/* The highest or lowest z of the shadow at x. It is concave in t, so the best t of the whole line, clamped to -h to h, is the best. */
static double find_furthest(const swept_ellipse *s, double x, int high, bool *is_root, double *height)
{
    const double side = high ? 1.0 : -1.0;
    double t;
    *is_root = !s->has_corners;
    if (s->ax == 0.0) {
        t = side * s->az < 0.0 ? -s->h : s->h;
    } else {
        t = (x - s->lead[high]) / s->ax;
        *is_root = *is_root || (t > -s->h && t < s->h);
        t = t < -s->h ? -s->h : t > s->h ? s->h : t;
    }
    *height = s->has_corners ? NAN : t * s->ay;
    const double d = x - t * s->ax;
    const double u = s->e.width > 0.0 ? d / s->e.width : 0.0;
    return side * (side * (t * s->az + s->e.tilt * d) + s->e.height * sqrt(positive(1.0 - u * u)));
}

/* Vertical plane at x. It has the range of z, whether lengths begin like a root at its ends, and the ends of the rims' shadows. */
typedef struct slice {
    double x, weight, end[4];
    uint32_t ends;
    bool is_root[2];
    double height[2]; /* of the shape at both ends. NAN = unknown */
    vp_span shadow;
} slice;

static void make_slice(slice *out, const swept_ellipse *shadow, const ellipse *rim, double x, double weight)
{
    out->x = x;
    out->weight = weight;
    out->ends = 0;
    out->shadow.low = find_furthest(shadow, x, 0, &out->is_root[0], &out->height[0]);
    out->shadow.high = find_furthest(shadow, x, 1, &out->is_root[1], &out->height[1]);
    for (int i = -1; i <= 1 && rim != NULL; i += 2) {
        const double t = i * shadow->h, d = x - t * shadow->ax;
        if (d > -rim->width && d < rim->width) {
            const double u = d / rim->width, reach = rim->height * sqrt(1.0 - u * u), middle = t * shadow->az + rim->tilt * d;
            out->end[out->ends++] = middle - reach;
            out->end[out->ends++] = middle + reach;
        }
    }
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
    uint32_t references, slice_count;
    double steady; /* STEADY if parts of chunks are summed */
    vp_moments sum;
    slice slice[SLICES];
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

/* Finds the layers where a column and the reference differ, within the body's height. */
static uint32_t compare_levels(const summing *s, const double *level, uint32_t count, layer *out)
{
    const double *reference = s->reference, bottom = s->body.low[1], top = s->body.high[1];
    uint32_t layers = 0;
    double from = bottom;
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
    double part[VP_LINES], middle[VP_LINES], share[VP_LINES];
    const double *weight = lines->weight, *bottom = lines->bottom, *top = lines->top, steady = s->steady;
    const uint32_t count = lines->count;
    vp_moments m = s->sum;
    s->chords(&s->body, lines);
    for (uint32_t i = 0; i < count; i++) {
        const double low = bottom[i] > lines->low[i] ? bottom[i] : lines->low[i], high = top[i] < lines->high[i] ? top[i] : lines->high[i];
        part[i] = weight[i] * positive(high - low);
        share[i] = part[i] + steady * (weight[i] * (lines->high[i] - lines->low[i]) * (top[i] - bottom[i]));
        middle[i] = 0.5 * (low + high);
    }
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
static void add_piece(summing *s, const slice *x, vp_span piece, uint32_t nodes, const layer *wet)
{
    vp_lines *lines = &s->lines;
    const gauss *g = &rule[nodes];
    if (lines->count + nodes > VP_LINES)
        sum_lines(s);
    const piece_map map = nodes == 1 ? map_of(piece, HUGE_VAL, HUGE_VAL)
                                     : map_of(piece, x->is_root[0] ? piece.low - x->shadow.low : HUGE_VAL,
                                              x->is_root[1] ? x->shadow.high - piece.high : HUGE_VAL);
    const double weight = wet->sign * x->weight;
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t at = lines->count + i;
        lines->x[at] = x->x;
        lines->z[at] = place_of(&map, g->node[i]);
        lines->weight[at] = (slope_of(&map, g->node[i]) * g->weight[i]) * weight;
        lines->bottom[at] = wet->span.low;
        lines->top[at] = wet->span.high;
    }
    lines->count += nodes;
}

/* Neighbouring columns of a row with the same layers. */
typedef struct column_run {
    int64_t x, first, end;
} column_run;

/* Finds each slice's span of z at a level. It is empty beyond the body. */
static void cut_slices(const summing *s, double level, vp_span cut[SLICES])
{
    vp_lines cross; /* horizontal lines */
    const bool is_in = level > s->body.low[1] && level < s->body.high[1];
    cross.count = is_in ? s->slice_count : 0;
    for (uint32_t k = 0; k < cross.count; k++) {
        cross.x[k] = s->slice[k].x;
        cross.z[k] = level;
    }
    s->chords(&s->lying, &cross);
    for (uint32_t k = 0; k < s->slice_count; k++) {
        const bool hit = is_in && cross.low[k] < cross.high[k];
        cut[k] = hit ? (vp_span){cross.low[k], cross.high[k]} : (vp_span){HUGE_VAL, -HUGE_VAL};
    }
}

/* Adds the lines of all slices in a layer of a run of columns. */
static void add_layer(summing *s, const column_run *run, const layer *all)
{
    vp_span bottom[SLICES], top[SLICES];
    const layer wet = {cut(all->span, s->range.low[1], s->range.high[1], s->body.position[1]), all->sign};
    if (!(wet.span.low < wet.span.high))
        return;
    cut_slices(s, all->span.low, bottom);
    cut_slices(s, all->span.high, top);
    for (uint32_t k = 0; k < s->slice_count; k++) {
        const slice *x = &s->slice[k];
        const vp_span in = both_of(bottom[k], top[k].low, top[k].high);
        const double end[4] = {bottom[k].low, bottom[k].high, top[k].low, top[k].high};
        const double left = end[0] < end[2] ? end[0] : end[2], right = end[1] > end[3] ? end[1] : end[3];
        vp_span piece = cut(x->shadow, run->first, run->end, s->body.position[2]);
        for (const double high = piece.high; piece.low < high; piece.low = piece.high) {
            piece.high = find_next(x->end, x->ends, piece.low, find_next(end, 4, piece.low, high));
            const double middle = 0.5 * (piece.low + piece.high);
            const double side = middle < left ? x->height[0] : x->height[1];
            if ((middle < left || middle > right) && (side < all->span.low || side > all->span.high))
                continue; /* the shape does not reach the layer */
            add_piece(s, x, piece, middle > in.low && middle < in.high ? 1 : nodes_of(&s->body, piece.high - piece.low), &wet);
        }
    }
}

static bool has_same_layers(const layer *a, uint32_t count, const layer *b, uint32_t layers)
{
    bool same = count == layers;
    for (uint32_t i = 0; same && i < count; i++)
        same = a[i].span.low == b[i].span.low && a[i].span.high == b[i].span.high && a[i].sign == b[i].sign;
    return same;
}

/* Adds all lines of the slices of a row of columns, and removes the slices. Runs end at borders of chunks. */
static void add_slices(summing *s, int64_t x)
{
    const vp_submerged_range *range = &s->range;
    layer own[2][VP_SUBMERGED_LEVELS];
    column_run run = {.x = x, .first = range->low[2]};
    uint32_t layers;
    const layer *layer_of_run = layers_of(s, x, run.first, own[0], &layers);
    for (int64_t z = run.first + 1; z <= range->high[2]; z++) {
        const bool last = z == range->high[2];
        uint32_t count = 0;
        layer *memory = layer_of_run == own[0] ? own[1] : own[0];
        const layer *next = last ? NULL : layers_of(s, x, z, memory, &count);
        if (!last && z % VP_CHUNK_EDGE != 0 && has_same_layers(layer_of_run, layers, next, count))
            continue;
        run.end = z;
        for (uint32_t i = 0; i < layers; i++)
            add_layer(s, &run, &layer_of_run[i]);
        run.first = z;
        layers = count;
        layer_of_run = next;
    }
    s->slice_count = 0;
}

/* Finds the places along x where pieces end in every row. */
static uint32_t find_ends(const summing *s, const ellipse *rim, double end[4 + 2 * BORDERS])
{
    const vp_buoyancy_body *body = &s->body;
    const double *n = body->axis[1];
    const swept_ellipse turned = shadow_of(body, n[2], n[1], n[0]);
    uint32_t count = 0;
    bool is_root;
    double height;
    for (int i = -1; i <= 1 && rim != NULL; i += 2) {
        end[count++] = i * half_height_of(body) * n[0] - rim->width;
        end[count++] = i * half_height_of(body) * n[0] + rim->width;
    }
    for (int64_t z = s->under.low[2] + 1; z < s->under.high[2] && s->under.high[2] - s->under.low[2] <= BORDERS + 1; z++)
        for (int k = 0; k < 2; k++)
            end[count++] = find_furthest(&turned, (double)z - body->position[2], k, &is_root, &height);
    return count;
}

/* Finds the places along x where levels of a row leave the shape. */
static uint32_t find_level_ends(const summing *s, int64_t x, double end[LEVELS])
{
    const vp_buoyancy_body *body = &s->body;
    const double *n = body->axis[1];
    const swept_ellipse upright = shadow_of(body, n[1], n[2], n[0]);
    uint32_t count = 0;
    bool is_root;
    double height;
    for (int64_t z = s->under.low[2]; z < s->under.high[2]; z++) {
        layer own[VP_SUBMERGED_LEVELS];
        uint32_t layers;
        const layer *wet = layers_of(s, x, z, own, &layers);
        for (uint32_t i = 0; i < 2 * layers && count + 2 <= LEVELS; i++) {
            const double level = i % 2 == 0 ? wet[i / 2].span.low : wet[i / 2].span.high;
            for (int k = 0; k < 2 && level > body->low[1] && level < body->high[1]; k++)
                end[count++] = find_furthest(&upright, level, k, &is_root, &height);
        }
    }
    return count;
}

/* Whether a row of columns needs lines. */
static bool is_different(const summing *s, int64_t x)
{
    layer own[VP_SUBMERGED_LEVELS];
    uint32_t layers = 0;
    for (int64_t z = s->range.low[2]; z < s->range.high[2] && layers == 0; z++)
        (void)layers_of(s, x, z, own, &layers);
    return layers > 0;
}

static void sum_rows(summing *s)
{
    const vp_buoyancy_body *body = &s->body;
    const double *n = body->axis[1];
    const swept_ellipse shadow = shadow_of(body, n[0], n[1], n[2]);
    const bool is_round = body->shape->kind == VP_COLLIDE_SPHERE, is_cylinder = body->shape->kind == VP_COLLIDE_CYLINDER;
    const bool has_steep_ends = !is_round && n[0] * n[0] < 0.01,
               has_level_ends =
                   is_cylinder ? n[2] * n[2] < 0.02 || half_height_of(body) < 0.1 * (double)body->shape->radius : has_rims(body);
    ellipse disc = shadow.e;
    const ellipse *rim = has_rims(body) ? &disc : NULL;
    double end[4 + 2 * BORDERS + LEVELS];
    const uint32_t fixed = find_ends(s, rim, end);
    for (int64_t x = s->range.low[0]; x < s->range.high[0]; x++) {
        if (!is_different(s, x))
            continue;
        const uint32_t ends = fixed + (has_level_ends ? find_level_ends(s, x, &end[fixed]) : 0);
        vp_span piece = cut((vp_span){body->low[0], body->high[0]}, x, x + 1, body->position[0]);
        for (const double high = piece.high; piece.low < high; piece.low = piece.high) {
            uint32_t nodes;
            piece.high = find_next(end, ends, piece.low, high);
            const uint32_t parts = parts_of(body, piece.high - piece.low, &nodes);
            const double length = (piece.high - piece.low) / (double)parts;
            if (s->slice_count + parts * nodes > SLICES)
                add_slices(s, x);
            for (uint32_t part = 0; part < parts; part++) {
                const double low = piece.low + (double)part * length;
                const piece_map map = map_of((vp_span){low, low + length}, has_steep_ends ? low - body->low[0] : HUGE_VAL,
                                             has_steep_ends ? body->high[0] - (low + length) : HUGE_VAL);
                for (uint32_t i = 0; i < nodes; i++) {
                    const double node = rule[nodes].node[i], weight = slope_of(&map, node) * rule[nodes].weight[i];
                    make_slice(&s->slice[s->slice_count++], &shadow, rim, place_of(&map, node), weight);
                }
            }
        }
        if (s->slice_count > 0)
            add_slices(s, x);
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

static double area_of(const summing *s, int64_t x, int64_t z)
{
    const vp_buoyancy_body *body = &s->body;
    const vp_span wide = cut((vp_span){body->low[0], body->high[0]}, x, x + 1, body->position[0]),
                  deep = cut((vp_span){body->low[2], body->high[2]}, z, z + 1, body->position[2]);
    return (wide.high - wide.low) * (deep.high - deep.low);
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
            cost += cost_of(&s->body, area_of(s, x, z), wet, layers);
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
    for (int64_t x = s->under.low[0]; x < s->under.high[0]; x++)
        for (int64_t z = s->under.low[2]; z < s->under.high[2]; z++, number++) {
            double level[VP_SUBMERGED_LEVELS];
            const double area = area_of(s, x, z);
            const uint32_t count = read_column(s, x, z, level);
            bool same = count == s->references;
            for (uint32_t i = 0; i < count && same; i++)
                same = level[i] == s->reference[i];
            votes += same ? area : -area;
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
    s->slice_count = s->lines.count = 0;
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
    s.lying = s.body;
    exchange(s.lying.axis[1], 1, 2);
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
