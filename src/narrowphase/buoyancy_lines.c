/* SPDX-License-Identifier: MIT */
/* Vertical lines through a shape: a double integral over its shadow, x in the outer loop and z in the inner one.
 * Gauss' rule is applied to each piece between two borders of columns, or between places where another part of the
 * shape's surface starts. A piece that appears has zero weight at first. So the sum is continuous as the shape moves
 * and turns. */
#include <math.h>
#include <stddef.h>

#include "src/narrowphase/buoyancy_shape.h"

/* Nodes and weights of Gauss' rule on -1 to 1, positive half, for 1, 2, 4 and 8 nodes. */
typedef struct gauss {
    double node[4], weight[4];
} gauss;
static const gauss rule[4] = {
    {{0.0}, {2.0}},
    {{0.5773502691896257645}, {1.0}},
    {{0.3399810435848562648, 0.8611363115940525752}, {0.6521451548625461426, 0.3478548451374538574}},
    {{0.1834346424956498049, 0.5255324099163289858, 0.7966664774136267396, 0.9602898564975362317},
     {0.3626837833783619830, 0.3137066458778872873, 0.2223810344533744706, 0.1012285362903762592}},
};

/* Node `number` of the rule on a span, in ascending order. */
static double node_of(uint32_t nodes, uint32_t number, vp_span span, double *weight)
{
    const gauss *g = &rule[nodes < 4 ? nodes - 1 : nodes / 4 + 1];
    const uint32_t half = nodes / 2;
    const uint32_t at = number < half ? half - 1 - number : number - half;
    const double middle = 0.5 * (span.low + span.high), reach = 0.5 * (span.high - span.low);
    *weight = reach * g->weight[at];
    return number < half ? middle - reach * g->node[at] : middle + reach * g->node[at];
}

/* Intersection of two spans. */
static vp_span intersect_spans(vp_span a, double low, double high)
{
    const vp_span span = {a.low > low ? a.low : low, a.high < high ? a.high : high};
    return span;
}

typedef struct line_sum {
    double length, moment;
} line_sum;

static void add_span(line_sum *sum, vp_span span)
{
    if (!(span.low < span.high))
        return;
    sum->length += span.high - span.low;
    sum->moment += 0.5 * (span.high - span.low) * (span.high + span.low);
}

static bool is_water(const vp_world *world, int64_t x, int64_t y, int64_t z, vp_voxel *out)
{
    *out = vp_world_voxel(world, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z});
    return out->material == VP_WATER;
}

/* The part of a chord in the water of its column, in layers [low, high) of the world. */
static line_sum sum_water(const vp_buoyancy_body *body, const vp_world *world, const vp_broadphase *broadphase, int64_t x, int64_t z,
                          int64_t low, int64_t high, vp_span chord)
{
    const double height = body->position[1];
    line_sum sum = {0.0, 0.0};
    for (int64_t y = low; y < high;) {
        const int64_t next = (y / VP_CHUNK_EDGE + 1) * VP_CHUNK_EDGE, end = next < high ? next : high;
        const vp_ivec3 chunk = {(int32_t)(x / VP_CHUNK_EDGE), (int32_t)(y / VP_CHUNK_EDGE), (int32_t)(z / VP_CHUNK_EDGE)};
        const vp_chunk_class tag = broadphase != NULL ? vp_broadphase_chunk_class(broadphase, chunk) : VP_CHUNK_MIXED;
        if (tag == VP_CHUNK_FULL_WATER)
            add_span(&sum, intersect_spans(chord, (double)y - height, (double)end - height));
        for (; tag == VP_CHUNK_MIXED && y < end; y++) {
            vp_voxel voxel, above;
            if (!is_water(world, x, y, z, &voxel))
                continue;
            const double filled = is_water(world, x, y + 1, z, &above) ? 1.0 : (voxel.occupancy + 1) / 256.0;
            add_span(&sum, intersect_spans(chord, (double)y - height, ((double)y + filled) - height));
        }
        y = end;
    }
    return sum;
}

static int64_t int64_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t int64_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Arguments that are the same for all lines. */
typedef struct summing {
    const vp_submerged_shape *shape;
    const vp_buoyancy_body *body;
    const vp_world *world;
    const vp_broadphase *broadphase;
    const vp_submerged_range *range;
    vp_line_sum *all, *wet;
} summing;

static void add_line(vp_line_sum *sum, line_sum of, double weight, double x, double z)
{
    sum->length += weight * of.length;
    sum->moment[0] += weight * of.length * x;
    sum->moment[1] += weight * of.moment;
    sum->moment[2] += weight * of.length * z;
}

/* Adds a line of a column. */
static void sum_line(const summing *s, int64_t column_x, int64_t column_z, double x, double z, double weight)
{
    const vp_dims size = s->world != NULL ? vp_world_size(s->world) : (vp_dims){0, 0, 0};
    const double height = s->body->position[1];
    const vp_span chord = s->shape->chord(s->body, x, z);
    line_sum length = {0.0, 0.0};
    if (!(chord.low < chord.high))
        return;
    add_span(&length, chord);
    add_line(s->all, length, weight, x, z);
    if (column_x < 0 || column_x >= (int64_t)size.x || column_z < 0 || column_z >= (int64_t)size.z)
        return;
    const int64_t low = int64_max(s->range->low[1], (int64_t)floor(height + chord.low));
    const int64_t high = int64_min(s->range->high[1], (int64_t)floor(height + chord.high) + 1);
    add_line(s->wet, sum_water(s->body, s->world, s->broadphase, column_x, column_z, low, high, chord), weight, x, z);
}

/* Adds all lines at x, of one row of columns. */
static void sum_slice(const summing *s, int64_t column_x, double x, double weight_x)
{
    const double at = s->body->position[2];
    const vp_span shadow = s->shape->shadow(s->body, x);
    if (!(shadow.low < shadow.high))
        return;
    const int64_t first = int64_max(s->range->low[2], (int64_t)floor(at + shadow.low));
    const int64_t end = int64_min(s->range->high[2], (int64_t)floor(at + shadow.high) + 1);
    for (int64_t column_z = first; column_z < end; column_z++) {
        vp_span piece = intersect_spans(shadow, (double)column_z - at, (double)(column_z + 1) - at);
        for (const double high = piece.high; piece.low < high; piece.low = piece.high) {
            const double next = s->shape->next_z(s->body, x, piece.low);
            piece.high = next < high ? next : high;
            for (uint32_t j = 0; j < s->body->nodes; j++) {
                double weight;
                const double z = node_of(s->body->nodes, j, piece, &weight);
                sum_line(s, column_x, column_z, x, z, weight * weight_x);
            }
        }
    }
}

void vp_submerged_lines(const vp_submerged_shape *shape, const vp_buoyancy_body *body, const vp_world *world,
                        const vp_broadphase *broadphase, const vp_submerged_range *range, vp_line_sum *all, vp_line_sum *wet)
{
    const summing s = {shape, body, world, broadphase, range, all, wet};
    const double at = body->position[0];
    const vp_span whole = {body->low[0], body->high[0]};
    *all = *wet = (vp_line_sum){0.0, {0.0, 0.0, 0.0}};
    for (int64_t column = range->low[0]; column < range->high[0]; column++) {
        vp_span piece = intersect_spans(whole, (double)column - at, (double)(column + 1) - at);
        for (const double high = piece.high; piece.low < high; piece.low = piece.high) {
            const double next = shape->next_x(body, piece.low);
            piece.high = next < high ? next : high;
            for (uint32_t i = 0; i < body->nodes; i++) {
                double weight;
                const double x = node_of(body->nodes, i, piece, &weight);
                sum_slice(&s, column, x, weight);
            }
        }
    }
}
