/* SPDX-License-Identifier: MIT */
/* Vertical lines through a round shape, for columns that differ: a double integral over its shadow, x in the outer loop and z in the
 * inner one. Gauss' rule is applied to each piece between two borders of columns, or between ends of the shadows of the two rims. A
 * piece that appears has zero weight at first. So the sum is continuous as the shape moves and turns.
 *
 * Lines decide how the part below a level is shared by the columns. The part itself has a closed form, so a column gets
 *   closed*own/all
 * with `own` the lines of the column and `all` the lines of all columns, both below the level. The shares of all columns add up to 1.
 * So columns of one level together have the closed form, and levels that become equal change nothing. A range of chunks gets its share
 * of the lines. */
#include <math.h>
#include <stddef.h>

#include "src/narrowphase/buoyancy_shape.h"

/* Levels that are summed at once, and slices of a row of columns: four ends of rims, and both ends of the row, are five pieces. */
enum { LEVELS = 16, NODES = 8, PARTS = 3, SLICES = 5 * PARTS * NODES };

/* Part of a share that is the column's share of the whole shape: without it, a level that no line reaches would divide by 0. */
static const double STEADY = 0x1p-20;

/* Nodes and weights of Gauss' rule on -1 to 1, for 2, 4, 6 and 8 nodes. */
typedef struct gauss {
    double node[NODES], weight[NODES];
} gauss;
#define BOTH(a)  -a, a
#define TWICE(a) a, a
static const gauss rule[NODES / 2] = {
    {{BOTH(0.5773502691896257645)}, {TWICE(1.0)}},
    {{BOTH(0.3399810435848562648), BOTH(0.8611363115940525752)}, {TWICE(0.6521451548625461426), TWICE(0.3478548451374538574)}},
    {{BOTH(0.2386191860831969086), BOTH(0.6612093864662645137), BOTH(0.9324695142031520278)},
     {TWICE(0.4679139345726910473), TWICE(0.3607615730481386076), TWICE(0.1713244923791703450)}},
    {{BOTH(0.1834346424956498049), BOTH(0.5255324099163289858), BOTH(0.7966664774136267396), BOTH(0.9602898564975362317)},
     {TWICE(0.3626837833783619830), TWICE(0.3137066458778872873), TWICE(0.2223810344533744706), TWICE(0.1012285362903762592)}},
};

/* Number of nodes of a piece. Short pieces of a shape are nearly straight, except between the ends of the rim of a cylinder that lies:
 * there the chords grow from 0 to its whole height. */
static uint32_t nodes_of(const vp_buoyancy_body *body, double length)
{
    const double r = (double)body->shape->radius, up = body->axis[1][1];
    if (body->shape->kind == VP_COLLIDE_CYLINDER && up * up < 0.5)
        return length <= 0.25 * r ? 4 : length <= 0.6 * r ? 6 : 8;
    return length <= 0.25 * r ? 2 : length <= 0.6 * r ? 4 : length <= 1.2 * r ? 6 : 8;
}

/* Number of equal parts of a piece along x, and the nodes of each. Areas of slices have more kinks than chords, where a level leaves a
 * column. Those of a cylinder that stands also begin like a root at both rims. */
static uint32_t parts_of(const vp_buoyancy_body *body, double length, uint32_t *nodes)
{
    const double r = (double)body->shape->radius, up = body->axis[1][1];
    const bool capsule = body->shape->kind == VP_COLLIDE_CAPSULE, cylinder = body->shape->kind == VP_COLLIDE_CYLINDER;
    uint32_t parts = 1;
    while ((capsule || (cylinder && up * up > 0.9)) && parts < PARTS && length > (double)parts * (capsule ? 2.2 : 1.4) * r)
        parts++;
    *nodes = nodes_of(body, length / (double)parts * (capsule ? 2.0 : cylinder ? 1.4 : 1.0));
    return parts;
}

/* Whether pieces end at the shadows of the rims. A capsule has no edge there, but if it nearly stands, its side is steep in between. */
static bool has_rims(const vp_buoyancy_body *body)
{
    const double up = body->axis[1][1];
    return body->shape->kind == VP_COLLIDE_CYLINDER || (body->shape->kind == VP_COLLIDE_CAPSULE && up * up > 0.9);
}

/* ---- the shadow ---- */

/* How far the farthest point of a slice is from its disc's centre along x, if it is no end of the axis. Along z (side 1) or against it
 * (side -1). With a = (ax, az) the axis' shadow and t the place on it, z is
 *   side*t*az + height*sqrt(1 - ((x - t*ax)/width)^2) + side*tilt*(x - t*ax).
 * Its slope in t, rise + height*ax*u/(width*sqrt(1 - u^2)) with u = (x - t*ax)/width, is 0 where the ellipse is parallel to the axis. */
static double find_lead(const vp_submerged_round *e, double ax, double az, double side)
{
    const double across = e->height * ax, along = side * (az - e->tilt * ax) * e->width;
    const double length = sqrt(across * across + along * along);
    return length > 0.0 ? (ax < 0.0 ? along : -along) / length * e->width : 0.0;
}

/* The farthest z at x. It is concave along the axis, so the best place on the line, clamped to the segment, is the best one. */
static double find_furthest(const vp_submerged_round *e, double ax, double az, double half_height, double lead, double x, double side)
{
    double t;
    if (ax == 0.0) {
        t = side * az < 0.0 ? -half_height : half_height;
    } else {
        t = (x - lead) / ax;
        t = t < -half_height ? -half_height : t > half_height ? half_height : t;
    }
    const double d = x - t * ax;
    const double u = e->width > 0.0 ? d / e->width : 0.0;
    const double root = 1.0 - u * u;
    return side * (t * az + e->tilt * d) + e->height * sqrt(root > 0.0 ? root : 0.0);
}

/* A vertical plane at x: the range of z, and where the shadows of the rims end within it. */
typedef struct slice {
    double x, weight, end[4];
    vp_span shadow;
} slice;

static double half_height_of(const vp_buoyancy_body *body)
{
    return body->shape->kind == VP_COLLIDE_SPHERE ? 0.0 : (double)body->shape->half_height;
}

static slice slice_of(const vp_submerged_round *e, const vp_buoyancy_body *body, const double lead[2], double x, double weight)
{
    const double ax = body->axis[1][0], az = body->axis[1][2], h = half_height_of(body);
    slice s = {.x = x, .weight = weight, .end = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    if (body->shape->kind == VP_COLLIDE_SPHERE) {
        const double u = x / e->width, square = 1.0 - u * u, reach = e->height * sqrt(square > 0.0 ? square : 0.0);
        s.shadow = (vp_span){-reach, reach};
        return s;
    }
    s.shadow = (vp_span){-find_furthest(e, ax, az, h, lead[0], x, -1.0), find_furthest(e, ax, az, h, lead[1], x, 1.0)};
    for (int i = 0; i < 4 && has_rims(body); i += 2) {
        const double t = i == 0 ? -h : h, d = x - t * ax;
        if (d > -e->width && d < e->width) {
            const double u = d / e->width, reach = e->height * sqrt(1.0 - u * u), middle = t * az + e->tilt * d;
            s.end[i] = middle - reach;
            s.end[i + 1] = middle + reach;
        }
    }
    return s;
}

/* The first of four places greater than `after`, up to `limit`. */
static double find_next(const double place[4], double after, double limit)
{
    for (int i = 0; i < 4; i++)
        limit = place[i] > after && place[i] < limit ? place[i] : limit;
    return limit;
}

/* The part of a span in column `number`, of a body at `at`. */
static vp_span cut(vp_span span, int64_t number, double at)
{
    const double low = (double)number - at, high = (double)(number + 1) - at;
    return (vp_span){span.low > low ? span.low : low, span.high < high ? span.high : high};
}

/* ---- sums ---- */

/* The water of all columns, or of a range, and sums of its lines. */
typedef struct line_region {
    const vp_waters *waters;
    vp_moments lines, part;
    /* Lines below a level, and whole lengths, of the columns that have the level. A bottom counts minus. */
    vp_moments own[LEVELS];
    double share[LEVELS];
} line_region;

typedef struct summing {
    const vp_submerged_round *round;
    const vp_buoyancy_body *body;
    const vp_submerged_range *under;
    uint32_t regions, count; /* levels, ascending */
    double level[LEVELS];
    vp_moments all[LEVELS]; /* lines of all columns below a level */
    double length;          /* whole lengths of all columns */
    line_region region[2];
} summing;

/* Adds lines to the sums of a column, and forgets them. */
static void sum_lines(const summing *s, vp_lines *lines, vp_moments sum[LEVELS], double *length)
{
    double part[VP_LINES], middle[VP_LINES];
    const uint32_t count = lines->count;
    s->round->chords(s->body, lines);
    for (uint32_t i = 0; i < count; i++)
        *length += lines->weight[i] * (lines->high[i] - lines->low[i]);
    for (uint32_t k = 0; k < s->count; k++) {
        const double level = s->level[k];
        vp_moments m = sum[k];
        for (uint32_t i = 0; i < count; i++) {
            const double low = lines->low[i], high = lines->high[i], top = level < high ? level : high, reach = top - low;
            part[i] = lines->weight[i] * (reach > 0.0 ? reach : 0.0);
            middle[i] = 0.5 * (top + low);
        }
        for (uint32_t i = 0; i < count; i++) {
            m.volume += part[i];
            m.moment[0] += part[i] * lines->x[i];
            m.moment[1] += part[i] * middle[i];
            m.moment[2] += part[i] * lines->z[i];
        }
        sum[k] = m;
    }
    lines->count = 0;
}

/* Sums the lines of a column. @return their whole length */
static double sum_column(const summing *s, const slice *slices, uint32_t slice_count, int64_t z_number, vp_moments sum[LEVELS])
{
    const double along = s->body->shape->kind == VP_COLLIDE_CYLINDER ? 0.5 : 1.0; /* chords between rims are nearly straight */
    double length = 0.0;
    vp_lines lines;
    lines.count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        sum[i] = (vp_moments){0.0, {0.0, 0.0, 0.0}};
    for (const slice *x = slices; x < &slices[slice_count]; x++) {
        vp_span piece = cut(x->shadow, z_number, s->body->position[2]);
        for (const double high = piece.high; piece.low < high; piece.low = piece.high) {
            piece.high = find_next(x->end, piece.low, high);
            const uint32_t nodes = nodes_of(s->body, (piece.high - piece.low) * along);
            const gauss *g = &rule[nodes / 2 - 1];
            const double middle = 0.5 * (piece.low + piece.high), reach = 0.5 * (piece.high - piece.low);
            if (lines.count + nodes > VP_LINES)
                sum_lines(s, &lines, sum, &length);
            for (uint32_t j = 0; j < nodes; j++) {
                const uint32_t at = lines.count + j;
                lines.x[at] = x->x;
                lines.z[at] = middle + reach * g->node[j];
                lines.weight[at] = (reach * g->weight[j]) * x->weight;
            }
            lines.count += nodes;
        }
    }
    sum_lines(s, &lines, sum, &length);
    return length;
}

static void add_column(summing *s, int64_t x_number, int64_t z_number, double length, const vp_moments sum[LEVELS])
{
    s->length += length;
    for (uint32_t k = 0; k < s->count; k++)
        vp_moments_add(&s->all[k], 1.0, &sum[k]);
    for (line_region *r = s->region; r < &s->region[s->regions]; r++) {
        double level[VP_SUBMERGED_LEVELS];
        const uint32_t count = vp_waters_column(r->waters, x_number, z_number, level);
        for (uint32_t k = 0, i = 0; k < s->count; k++) {
            while (i < count && level[i] < s->level[k])
                i++;
            if (i < count && level[i] == s->level[k]) {
                const double by = i % 2 == 0 ? -1.0 : 1.0;
                vp_moments_add(&r->own[k], by, &sum[k]);
                r->share[k] += by * length;
            }
        }
    }
}

static void sum_columns(summing *s)
{
    const double ax = s->body->axis[1][0], h = half_height_of(s->body), wide = s->round->width;
    const double rim[4] = {-h * ax - wide, -h * ax + wide, h * ax - wide, h * ax + wide},
                 none[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const double *end = has_rims(s->body) ? rim : none, az = s->body->axis[1][2];
    const double lead[2] = {find_lead(s->round, ax, az, -1.0), find_lead(s->round, ax, az, 1.0)};
    for (int64_t x = s->under->low[0]; x < s->under->high[0]; x++) {
        slice slices[SLICES];
        uint32_t count = 0;
        vp_span piece = cut((vp_span){s->body->low[0], s->body->high[0]}, x, s->body->position[0]);
        for (const double high = piece.high; piece.low < high; piece.low = piece.high) {
            uint32_t nodes;
            piece.high = find_next(end, piece.low, high);
            const uint32_t parts = parts_of(s->body, piece.high - piece.low, &nodes);
            const gauss *g = &rule[nodes / 2 - 1];
            const double reach = 0.5 * (piece.high - piece.low) / (double)parts;
            for (uint32_t part = 0; part < parts; part++) {
                const double middle = piece.low + (double)(2 * part + 1) * reach;
                for (uint32_t i = 0; i < nodes; i++)
                    slices[count++] = slice_of(s->round, s->body, lead, middle + reach * g->node[i], reach * g->weight[i]);
            }
        }
        for (int64_t z = s->under->low[2]; z < s->under->high[2]; z++) {
            vp_moments sum[LEVELS];
            const double length = sum_column(s, slices, count, z, sum);
            if (length > 0.0)
                add_column(s, x, z, length, sum);
        }
    }
}

static void insert_level(summing *s, double level)
{
    uint32_t at = s->count;
    while (at > 0 && s->level[at - 1] > level)
        at--;
    if (at == LEVELS || (at > 0 && s->level[at - 1] == level))
        return;
    s->count += s->count < LEVELS;
    for (uint32_t k = s->count - 1; k > at; k--)
        s->level[k] = s->level[k - 1];
    s->level[at] = level;
}

/* Finds the lowest levels of all columns above a height, and clears their sums. */
static void find_levels(summing *s, double above)
{
    s->count = 0;
    for (uint32_t r = 0; r < s->regions; r++)
        for (int64_t z = s->under->low[2]; z < s->under->high[2]; z++)
            for (int64_t x = s->under->low[0]; x < s->under->high[0]; x++) {
                double level[VP_SUBMERGED_LEVELS];
                const uint32_t count = vp_waters_column(s->region[r].waters, x, z, level);
                for (uint32_t i = 0; i < count; i++)
                    if (level[i] > above)
                        insert_level(s, level[i]);
            }
    s->length = 0.0;
    for (uint32_t k = 0; k < s->count; k++) {
        s->all[k] = (vp_moments){0.0, {0.0, 0.0, 0.0}};
        for (uint32_t r = 0; r < s->regions; r++) {
            s->region[r].own[k] = s->all[k];
            s->region[r].share[k] = 0.0;
        }
    }
}

void vp_submerged_lines(const vp_submerged_round *round, const vp_buoyancy_body *body, const vp_waters *world, const vp_waters *range,
                        const vp_submerged_range *under, vp_moments *out)
{
    summing s;
    bool same = true;
    for (int i = 0; i < 3; i++)
        same = same && range->range.low[i] == world->range.low[i] && range->range.high[i] == world->range.high[i];
    s.round = round;
    s.body = body;
    s.under = under;
    s.regions = same ? 1 : 2;
    s.region[0].waters = world;
    s.region[1].waters = range;
    for (int i = 0; i < 2; i++)
        s.region[i].lines = s.region[i].part = (vp_moments){0.0, {0.0, 0.0, 0.0}};
    for (find_levels(&s, body->low[1]); s.count > 0; find_levels(&s, s.level[LEVELS - 1])) {
        sum_columns(&s);
        for (uint32_t k = 0; k < s.count && s.length > 0.0; k++) {
            const double all = s.all[k].volume, steady = all + STEADY * s.length;
            vp_moments closed;
            vp_submerged_below(round->shape, body, s.level[k], &closed);
            for (line_region *r = s.region; r < &s.region[s.regions]; r++) {
                vp_moments_add(&r->part, all / steady, &r->own[k]);
                vp_moments_add(&r->part, (r->own[k].volume + STEADY * r->share[k]) / steady, &closed);
                vp_moments_add(&r->part, -(r->own[k].volume / steady), &s.all[k]);
                vp_moments_add(&r->lines, 1.0, &r->own[k]);
            }
        }
        if (s.count < LEVELS)
            break;
    }
    const line_region *whole = &s.region[0], *part = &s.region[s.regions - 1];
    *out = part->part;
    if (same || !(whole->lines.volume > 0.0))
        return;
    /* A range gets its share of the lines, moved as the whole part is from its lines. So the parts of all ranges add up. */
    const bool some = whole->part.volume > 0.0 && part->lines.volume > 0.0;
    const double scale = some ? whole->part.volume / whole->lines.volume : 0.0;
    const double share = some ? part->lines.volume / whole->lines.volume : 0.0;
    out->volume = scale * part->lines.volume;
    for (int i = 0; i < 3; i++)
        out->moment[i] = scale * part->lines.moment[i] + share * (whole->part.moment[i] - scale * whole->lines.moment[i]);
}
