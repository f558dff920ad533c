/* SPDX-License-Identifier: MIT */
/* Finds points that cannot be vertices, before a hull is made.
 *
 * S. G. Akl and G. T. Toussaint, "A fast convex hull algorithm", 1978, discard the points inside the quadrilateral of
 * four extreme points. Here the inner body is the hull of a sample of the points, which contains almost as many points
 * as the whole hull. A lookup decides whether a point is inside. Seen from a point in the middle, the body is
 *   the set of d for which g(d) < 1, where g(d) = the largest over its faces of (normal . d) / (distance of the face from the middle)
 *
 * and g is convex, and g(t d) = t g(d) for t > 0. So it is enough to know g on the surface of a cube, cut into cells.
 * Each cell has a linear function that is at least g at the four corners, so it is nowhere below g between them. A
 * point is inside if its cell's function is below 1 by more than all rounding errors.
 *
 * No point is dropped unless the body is fat: a ball about the middle of 1/64 of the box's sides is inside. Then the
 * set has three dimensions with any of its points, and rounding errors are small. Flat and thin sets are small work, or
 * are left to quickhull. */
#include <voxphys/kernel/hull.h>

#include <math.h>
#include <stdbool.h>

#include "src/core/exact.h"

enum { SAMPLE_FIRST = 128, MAX_CELLS = 16, SIDES = 6 };

/* The coordinate frame of the points: the origin is in the middle of the body, and powers of two scale their box to a
 * length of 1 to 2 along each axis. */
typedef struct filter_transform {
    float middle[3], scale[3];
} filter_transform;

typedef struct filter_cell {
    float a, b, c; /* a*u + b*v + c is not below g */
} filter_cell;

static void place_of(const filter_transform *f, vp_vec3 p, float d[3])
{
    const float x[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        d[k] = (x[k] - f->middle[k]) * f->scale[k];
}

/* Samples the points at a regular stride, and makes the hull of the sample. @return the number of triangles; 0 if it
 * failed, nearly half of the points are vertices, or it takes too much work */
static uint32_t sample_hull(const vp_hull_filtering *to, uint32_t count, vp_vec3 *sample, vp_hull_triangle *triangle, void *scratch)
{
    vp_hull_bounds bounds;
    for (uint32_t i = 0; i < count; i++)
        sample[i] = to->point[(uint64_t)i * to->count / count];
    vp_hull_bounds_scalar(sample, count, &bounds);
    const vp_hull3_job build = {.point = sample,
                                .count = count,
                                .bounds = &bounds,
                                .flat = to->flat,
                                .max_work = to->max_work != 0 ? to->max_work : UINT64_MAX,
                                .scratch = scratch,
                                .triangle = triangle};
    const vp_hull3_result built = vp_hull3_scalar(&build);
    return built.dimension == 3 && built.triangles < count / 8 * 7 ? built.triangles : 0;
}

/* Scales the box, and puts the middle at the centre of the vertices of the sample's hull. @return false if the box
 * is too thin */
static bool find_frame(const vp_hull_bounds *bounds, const vp_vec3 *sample, const vp_hull_triangle *triangle, uint32_t triangles,
                       filter_transform *f)
{
    const float low[3] = {bounds->min.x, bounds->min.y, bounds->min.z}, high[3] = {bounds->max.x, bounds->max.y, bounds->max.z};
    double sum[3] = {0.0, 0.0, 0.0};
    int min = INT32_MAX, max = INT32_MIN;
    for (int k = 0; k < 3; k++) {
        const float side = high[k] - low[k];
        int exponent;
        if (!(side >= 0x1p-100f && side <= 0x1p+100f))
            return false;
        frexpf(side, &exponent);
        f->scale[k] = ldexpf(1.0f, 1 - exponent);
        min = exponent < min ? exponent : min;
        max = exponent > max ? exponent : max;
    }
    for (uint32_t t = 0; t < triangles; t++)
        for (int i = 0; i < 3; i++) {
            const vp_vec3 p = sample[triangle[t].vertex[i]];
            sum[0] += (double)p.x;
            sum[1] += (double)p.y;
            sum[2] += (double)p.z;
        }
    for (int k = 0; k < 3; k++)
        f->middle[k] = (float)(sum[k] / (3.0 * triangles));
    return max - min <= 10;
}

/* Each face's normal divided by its distance from the middle. @return the minimum distance */
static double find_faces(const filter_transform *f, const vp_vec3 *sample, const vp_hull_triangle *triangle, uint32_t triangles,
                         float (*face)[3])
{
    double min = INFINITY;
    for (uint32_t t = 0; t < triangles; t++) {
        float a[3], b[3], c[3];
        double n[3];
        place_of(f, sample[triangle[t].vertex[0]], a);
        place_of(f, sample[triangle[t].vertex[1]], b);
        place_of(f, sample[triangle[t].vertex[2]], c);
        vp_normal3((vp_vec3){a[0], a[1], a[2]}, (vp_vec3){b[0], b[1], b[2]}, (vp_vec3){c[0], c[1], c[2]}, n);
        const double length = sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
        const double off = (n[0] * (double)a[0] + n[1] * (double)a[1]) + n[2] * (double)a[2]; /* times the normal's length */
        if (!(off > 0.0))
            return 0.0;
        min = off / length < min ? off / length : min;
        for (int k = 0; k < 3; k++)
            face[t][k] = (float)(n[k] / off);
    }
    return min;
}

/* g at u and v of a side. On side 2*axis d[axis] is 1, on the next side it is -1. u and v are the two
 * axes that follow. */
static float height_of_node(float (*face)[3], uint32_t faces, int side, float u, float v)
{
    const int axis = side / 2;
    const float w = side % 2 == 0 ? 1.0f : -1.0f;
    float max = -INFINITY;
    for (uint32_t f = 0; f < faces; f++) {
        const float g = (face[f][axis] * w + face[f][(axis + 1) % 3] * u) + face[f][(axis + 2) % 3] * v;
        max = g > max ? g : max;
    }
    return max;
}

/* `along` is the number of cells of a side along each of its axes. */
static void find_cells(float (*face)[3], uint32_t faces, int along, float *node, filter_cell *cells)
{
    const float size = 2.0f / (float)along;
    const int nodes = along + 1;
    for (int side = 0; side < SIDES; side++) {
        for (int j = 0; j < nodes; j++)
            for (int i = 0; i < nodes; i++)
                node[j * nodes + i] = height_of_node(face, faces, side, (float)i * size - 1.0f, (float)j * size - 1.0f);
        for (int j = 0; j < along; j++)
            for (int i = 0; i < along; i++) {
                const float *g = &node[j * nodes + i], u = (float)i * size - 1.0f, v = (float)j * size - 1.0f;
                const float at[4] = {g[0], g[1], g[nodes], g[nodes + 1]};
                filter_cell *c = &cells[(side * along + j) * along + i];
                c->a = ((at[1] - at[0]) + (at[3] - at[2])) / (2.0f * size);
                c->b = ((at[2] - at[0]) + (at[3] - at[1])) / (2.0f * size);
                c->c = -INFINITY;
                for (int k = 0; k < 4; k++) {
                    const float over = at[k] - (c->a * (u + (float)(k % 2) * size) + c->b * (v + (float)(k / 2) * size));
                    c->c = over > c->c ? over : c->c;
                }
            }
    }
}

/* Whether a point is certainly inside. */
static bool is_inside(const filter_cell *cells, int along, const float d[3])
{
    const float size[3] = {fabsf(d[0]), fabsf(d[1]), fabsf(d[2])};
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const float w = size[axis] > 0x1p-60f ? size[axis] : 0x1p-60f, u = d[(axis + 1) % 3], v = d[(axis + 2) % 3];
    const float half = (float)along / 2.0f;
    const int i = (int)((u / w + 1.0f) * half), j = (int)((v / w + 1.0f) * half);
    const int side = 2 * axis + (d[axis] < 0.0f ? 1 : 0);
    const filter_cell *c = &cells[(side * along + (j < along ? j : along - 1)) * along + (i < along ? i : along - 1)];
    /* No term is above 64, and 11 bits are left for rounding errors, of coefficients and of points assigned to
     * a neighbouring cell. */
    return (c->a * u + c->b * v) + c->c * w < 1.0f - 0x1p-11f;
}

static void *piece_of(char **at, size_t bytes)
{
    void *piece = *at;
    *at += (bytes + 63) / 64 * 64;
    return piece;
}

uint32_t vp_hull_filter_scalar(const vp_hull_filtering *to)
{
    const double fat = 1.0 / 64.0, times_flat = 64.0;
    const uint32_t count = vp_hull_filter_sample(to->count);
    char *at = to->scratch;
    vp_vec3 *sample = piece_of(&at, count * sizeof *sample);
    vp_hull_triangle *triangle = piece_of(&at, vp_hull3_max_triangles(count) * sizeof *triangle);
    float(*face)[3] = piece_of(&at, vp_hull3_max_triangles(count) * sizeof *face);
    float *node = piece_of(&at, (MAX_CELLS + 1) * (MAX_CELLS + 1) * sizeof *node);
    filter_cell *cells = piece_of(&at, SIDES * MAX_CELLS * MAX_CELLS * sizeof *cells);
    const int along = to->count < 65536 ? MAX_CELLS / 2 : MAX_CELLS;
    filter_transform f;
    if (to->count < VP_HULL_FILTER_MIN || (count > SAMPLE_FIRST && sample_hull(to, SAMPLE_FIRST, sample, triangle, at) == 0))
        return 0;
    const uint32_t faces = sample_hull(to, count, sample, triangle, at);
    if (faces == 0 || !find_frame(to->bounds, sample, triangle, faces, &f))
        return 0;
    const double min = find_faces(&f, sample, triangle, faces, face);
    for (int k = 0; k < 3; k++)
        if (!(min >= fat) || !(min / (double)f.scale[k] >= times_flat * to->flat))
            return 0;
    find_cells(face, faces, along, node, cells);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < to->count; i++) {
        float d[3];
        place_of(&f, to->point[i], d);
        if (is_inside(cells, along, d))
            continue;
        to->kept[kept] = to->point[i];
        to->from[kept++] = i;
    }
    return kept;
}
