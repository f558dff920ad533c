/* SPDX-License-Identifier: MIT */
/* Random shapes: a ball with bumps, blocks cut into cells, and boxes added and cut. */
#include "datasets/generate/shape.h"

#include <math.h>

#include "datasets/generate/noise.h"

/* ---- a ball with bumps ---- */

/* Maps a cube's surface, -1 to 1, to a ball whose radius of 300 to 500 comes from the noise `of`. */
static void on_bumps(const double from[3], double to[3], const void *of)
{
    const double length = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    const double x = from[0] / length, y = from[1] / length, z = from[2] / length;
    const float height = vp_noise_sum_3d(of, (float)(500.0 + 400.0 * x), (float)(500.0 + 400.0 * y), (float)(500.0 + 400.0 * z));
    const double radius = 400.0 + 100.0 * (double)height;
    to[0] = radius * x;
    to[1] = radius * y;
    to[2] = radius * z;
}

static void blob(vp_model *model, double grain, vp_random *random)
{
    static const vp_model_box cube = {{-1, -1, -1}, {1, 1, 1}, false};
    const vp_noise noise = vp_noise_make(random, 4, 320.0f);
    vp_model_boxes(model, &cube, 1, &(vp_model_lattice){.grain = {grain / 500.0, grain / 500.0, grain / 500.0}});
    vp_model_move(model, 0, on_bumps, &noise);
}

/* ---- cells ---- */

/* A convex polyhedron. Faces are counterclockwise from outside. */
enum { CELL_POINTS = 160, CELL_FACES = 40 };
typedef struct cell_polyhedron {
    double point[CELL_POINTS][3];
    uint32_t points, faces, corners[CELL_FACES], face[CELL_FACES][CELL_POINTS];
} cell_polyhedron;

static void start_cell(cell_polyhedron *c, const double size[3])
{
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    c->points = 8;
    c->faces = 6;
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            c->point[i][axis] = (i >> axis & 1) != 0 ? size[axis] : 0.0;
    for (uint32_t f = 0; f < 6; f++) {
        c->corners[f] = 4;
        for (uint32_t k = 0; k < 4; k++)
            c->face[f][k] = faces[f][k];
    }
}

/* The points at which edges cross a plane. Each has the edge's two ends, the new point, and its successor along the
 * cut's face. */
typedef struct crossings {
    uint32_t count, low[CELL_POINTS], high[CELL_POINTS], point[CELL_POINTS], next[CELL_POINTS];
} crossings;

static uint32_t cross_edge(cell_polyhedron *c, crossings *x, const double *above, uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->low[i] == low && x->high[i] == high)
            return i;
    const double share = above[low] / (above[low] - above[high]);
    for (uint32_t axis = 0; axis < 3; axis++)
        c->point[c->points][axis] = c->point[low][axis] + share * (c->point[high][axis] - c->point[low][axis]);
    x->low[x->count] = low;
    x->high[x->count] = high;
    x->point[x->count] = c->points++;
    return x->count++;
}

/* Cuts one face. @return how many corners are left */
static uint32_t cut_face(cell_polyhedron *c, crossings *x, const double *above, uint32_t f, uint32_t *kept)
{
    uint32_t count = 0, out = 0, in = 0;
    bool crossed = false;
    for (uint32_t k = 0; k < c->corners[f]; k++) {
        const uint32_t here = c->face[f][k], after = c->face[f][(k + 1) % c->corners[f]];
        if (above[here] <= 0.0)
            kept[count++] = here;
        if ((above[here] <= 0.0) == (above[after] <= 0.0))
            continue;
        const uint32_t i = cross_edge(c, x, above, here, after);
        kept[count++] = x->point[i];
        *(above[here] <= 0.0 ? &out : &in) = i;
        crossed = true;
    }
    if (crossed)
        x->next[in] = out; /* in the opposite direction to this face */
    return count;
}

/* Removes the part above the plane normal * p = level. A new face closes the cut. */
static void cut_cell(cell_polyhedron *c, const double normal[3], double level)
{
    double above[CELL_POINTS];
    uint32_t kept[CELL_POINTS], faces = 0;
    crossings x;
    x.count = 0;
    for (uint32_t i = 0; i < c->points; i++)
        above[i] = normal[0] * c->point[i][0] + normal[1] * c->point[i][1] + normal[2] * c->point[i][2] - level;
    for (uint32_t f = 0; f < c->faces; f++) {
        const uint32_t count = cut_face(c, &x, above, f, kept);
        for (uint32_t k = 0; k < count; k++)
            c->face[faces][k] = kept[k];
        c->corners[faces] = count;
        faces += count > 0;
    }
    if (x.count > 0) {
        for (uint32_t k = 0, i = 0; k < x.count; k++, i = x.next[i])
            c->face[faces][k] = x.point[i];
        c->corners[faces++] = x.count;
    }
    c->faces = faces;
}

static void add_cell(vp_model *model, const cell_polyhedron *c)
{
    uint32_t number[CELL_POINTS] = {0};
    for (uint32_t f = 0; f < c->faces; f++)
        for (uint32_t k = 0; k < c->corners[f]; k++) {
            const uint32_t i = c->face[f][k];
            if (number[i] == 0)
                number[i] = vp_model_point(model, c->point[i][0], c->point[i][1], c->point[i][2]) + 1;
        }
    for (uint32_t f = 0; f < c->faces; f++)
        for (uint32_t k = 2; k < c->corners[f]; k++)
            vp_model_triangle(model, number[c->face[f][0]] - 1, number[c->face[f][k - 1]] - 1, number[c->face[f][k]] - 1);
}

/* A block in twelve Voronoi cells of random places, with gaps of 4 between them. */
static void voronoi(vp_model *model, double grain, vp_random *random)
{
    enum { CELLS = 12, GAP = 4 };
    static const double size[3] = {1000, 600, 800};
    double site[CELLS][3];
    cell_polyhedron c;
    (void)grain;
    for (uint32_t i = 0; i < CELLS * 3; i++)
        site[i / 3][i % 3] = size[i % 3] * (double)vp_random_unit(random);
    for (uint32_t i = 0; i < CELLS; i++) {
        start_cell(&c, size);
        for (uint32_t j = 0; j < CELLS; j++) {
            double normal[3], length = 0.0, level = 0.0;
            for (uint32_t axis = 0; axis < 3; axis++) {
                normal[axis] = site[j][axis] - site[i][axis];
                length += normal[axis] * normal[axis];
                level += normal[axis] * ((site[i][axis] + site[j][axis]) / 2.0);
            }
            if (j != i)
                cut_cell(&c, normal, level - GAP / 2.0 * sqrt(length));
        }
        add_cell(model, &c);
    }
}

/* ---- boxes ---- */

/* A box of length 100 to 500 along each axis. A box that is cut may be thinner. */
static vp_model_box some_box(vp_random *random, bool cut)
{
    vp_model_box box = {.cut = cut};
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t length = (cut ? 4 : 10) + vp_random_below(random, 40), low = vp_random_below(random, 101 - length);
        box.low[axis] = 10.0 * low;
        box.high[axis] = 10.0 * (low + length);
    }
    return box;
}

/* Three to eight boxes, and every third is cut out. A small box always remains. */
static void csg(vp_model *model, double grain, vp_random *random)
{
    enum { MOST = 8 };
    const uint32_t count = 3 + vp_random_below(random, MOST - 2);
    vp_model_box boxes[MOST + 1];
    for (uint32_t i = 0; i < count; i++)
        boxes[i] = some_box(random, i % 3 == 2);
    boxes[count] = (vp_model_box){{450, 450, 450}, {550, 550, 550}, false};
    vp_model_boxes(model, boxes, count + 1, &(vp_model_lattice){.grain = {grain, grain, grain}, .mended = true});
}

const vp_shape vp_shapes_chance[] = {{"solid-blob", blob, 0}, {"solid-voronoi", voronoi, 12}, {"solid-csg", csg, 0}, {NULL, NULL, 0}};
