/* SPDX-License-Identifier: MIT */
/* Volume, area, centroid and inertia of a hull. They are sums over the tetrahedra between its triangles and one vertex,
 * in double precision and in the triangles' order. With a, b, c the corners relative to that vertex, s = a + b + c and
 * det = a x b . c, a tetrahedron has
 *   the volume              det/6
 *   the integral of x       det/24 * sx
 *   the integral of x*y     det/120 * (ax*ay + bx*by + cx*cy + sx*sy)
 * (F. Tonon, "Explicit exact formulas for the 3-D tetrahedron inertia tensor", 2004). The products of a single corner
 * are summed per vertex, weighted with the det of all its triangles. */
#include "src/hull/mass.h"

#include <math.h>
#include <string.h>

typedef struct mass_sums { /* volume times 6, area times 2, integrals times 24 and 120 until the end */
    double volume, area;
    double first[3];  /* integrals of x, y, z */
    double second[6]; /* integrals of xx, yy, zz, xy, yz, zx */
} mass_sums;

/* A vertex relative to the first one, and the sum of det of its triangles. */
typedef struct mass_point {
    double position[3], det;
} mass_point;

size_t vp_hull_measure_bytes(uint32_t vertices)
{
    return vertices * sizeof(mass_point);
}

static void add_product(mass_sums *s, double weight, const double at[3])
{
    for (int k = 0; k < 3; k++) {
        const double part = weight * at[k];
        s->second[k] += part * at[k];
        s->second[3 + k] += part * at[k < 2 ? k + 1 : 0];
    }
}

static void add_triangles(mass_sums *s, const vp_hull_surface *surface, mass_point *point)
{
    for (uint32_t t = 0; t < surface->triangles; t++) {
        mass_point *a = &point[surface->corner[t][0]], *b = &point[surface->corner[t][1]], *c = &point[surface->corner[t][2]];
        const double *normal = surface->normal[t]; /* and twice the area */
        const double det = (normal[0] * a->position[0] + normal[1] * a->position[1]) + normal[2] * a->position[2];
        const double sum[3] = {a->position[0] + b->position[0] + c->position[0], a->position[1] + b->position[1] + c->position[1],
                               a->position[2] + b->position[2] + c->position[2]};
        s->volume += det;
        s->area += normal[3];
        for (int k = 0; k < 3; k++)
            s->first[k] += det * sum[k];
        add_product(s, det, sum);
        a->det += det;
        b->det += det;
        c->det += det;
    }
    for (uint32_t v = 0; v < surface->vertices; v++)
        add_product(s, point[v].det, point[v].position);
}

/* Centroid of flat triangles, weighted by area. */
static void find_middle(const vp_hull_surface *surface, const mass_point *point, double area, double middle[3])
{
    for (uint32_t t = 0; t < surface->triangles; t++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                middle[k] += surface->normal[t][3] * point[surface->corner[t][i]].position[k];
    for (int k = 0; k < 3; k++)
        middle[k] /= 3.0 * area;
}

void vp_hull_measure(vp_hull *h, const vp_hull_surface *surface, void *scratch)
{
    const vp_vec3 *place = surface->place;
    const double origin[3] = {(double)place[0].x, (double)place[0].y, (double)place[0].z};
    mass_point *point = scratch;
    double middle[3] = {0.0, 0.0, 0.0};
    mass_sums s = {0};
    for (uint32_t v = 0; v < surface->vertices; v++)
        point[v] = (mass_point){{(double)place[v].x - origin[0], (double)place[v].y - origin[1], (double)place[v].z - origin[2]}, 0.0};
    add_triangles(&s, surface, point);

    s.volume /= 6.0;
    for (int k = 0; k < 3; k++)
        s.first[k] /= 24.0;
    for (int k = 0; k < 6; k++)
        s.second[k] /= 120.0;
    const double xx = s.second[0], yy = s.second[1], zz = s.second[2];
    h->mass = (vp_mass){0};
    h->area = s.area / 2.0;
    h->volume = h->dimension == 3 ? s.volume : 0.0;
    if (h->dimension == 3) {
        const double v = s.volume;
        for (int k = 0; k < 3; k++)
            middle[k] = s.first[k] / v;
        const double x = middle[0], y = middle[1], z = middle[2];
        h->mass.inertia[0] = (yy + zz) - v * (y * y + z * z);
        h->mass.inertia[1] = (zz + xx) - v * (z * z + x * x);
        h->mass.inertia[2] = (xx + yy) - v * (x * x + y * y);
        h->mass.inertia[3] = v * (x * y) - s.second[3];
        h->mass.inertia[4] = v * (y * z) - s.second[4];
        h->mass.inertia[5] = v * (z * x) - s.second[5];
    } else if (h->dimension == 2) {
        find_middle(surface, point, s.area, middle);
    } else if (h->dimension == 1) {
        for (int k = 0; k < 3; k++)
            middle[k] = point[1].position[k] / 2.0;
    }
    h->mass.mass = h->volume;
    for (int k = 0; k < 3; k++) {
        h->centroid[k] = origin[k] + middle[k];
        h->mass.centre[k] = h->dimension == 3 ? h->centroid[k] : 0.0;
    }
}
