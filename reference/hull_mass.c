/* SPDX-License-Identifier: MIT */
/* Volume, area, centroid and inertia of a hull: sums over the tetrahedra between its triangles and one vertex, in double and in the
 * triangles' order. With a, b, c the corners from that vertex and det = a x b . c, a tetrahedron has
 *   the volume              det/6
 *   the integral of x       det/24 * (ax + bx + cx)
 *   the integral of x*y     det/120 * (sum over corners of x*y + (ax + bx + cx)*(ay + by + cy))
 * (F. Tonon, "Explicit exact formulas for the 3-D tetrahedron inertia tensor", 2004). */
#include "reference/hull_mass.h"

#include <math.h>
#include <string.h>

typedef struct sums { /* volume 6 times, integrals 24 and 120 times until the end */
    double volume, area;
    double first[3];  /* integrals of x, y, z */
    double second[6]; /* of xx, yy, zz, xy, yz, zx */
    double middle[3]; /* of triangles' areas times three times their middles */
} sums;

/* Of a triangle with these corners, its normal and twice its area. */
static void add_triangle(sums *s, const double a[3], const double b[3], const double c[3], const double normal[4])
{
    const double det = (normal[0] * a[0] + normal[1] * a[1]) + normal[2] * a[2], area = normal[3] / 2.0;
    double sum[3];
    for (int k = 0; k < 3; k++)
        sum[k] = a[k] + b[k] + c[k];
    s->volume += det;
    s->area += area;
    for (int k = 0; k < 3; k++) {
        const int j = k < 2 ? k + 1 : 0;
        s->first[k] += det * sum[k];
        s->middle[k] += area * sum[k];
        s->second[k] += det * (a[k] * a[k] + b[k] * b[k] + c[k] * c[k] + sum[k] * sum[k]);
        s->second[3 + k] += det * (a[k] * a[j] + b[k] * b[j] + c[k] * c[j] + sum[k] * sum[j]);
    }
}

void vp_hull_measure(vp_hull *h, const vp_hull_surface *surface)
{
    const vp_vec3 *place = surface->place;
    const double origin[3] = {(double)place[0].x, (double)place[0].y, (double)place[0].z};
    double corner[3][3], middle[3] = {0.0, 0.0, 0.0};
    sums s;
    memset(&s, 0, sizeof s);
    for (uint32_t t = 0; t < surface->triangles; t++) {
        for (int i = 0; i < 3; i++) {
            const vp_vec3 p = place[surface->corner[t][i]];
            corner[i][0] = (double)p.x - origin[0];
            corner[i][1] = (double)p.y - origin[1];
            corner[i][2] = (double)p.z - origin[2];
        }
        add_triangle(&s, corner[0], corner[1], corner[2], surface->normal[t]);
    }

    s.volume /= 6.0;
    for (int k = 0; k < 3; k++)
        s.first[k] /= 24.0;
    for (int k = 0; k < 6; k++)
        s.second[k] /= 120.0;
    const double xx = s.second[0], yy = s.second[1], zz = s.second[2];
    memset(h->inertia, 0, sizeof h->inertia);
    h->area = s.area;
    h->volume = h->dimension == 3 ? s.volume : 0.0;
    if (h->dimension == 3) {
        const double v = s.volume;
        for (int k = 0; k < 3; k++)
            middle[k] = s.first[k] / v;
        const double x = middle[0], y = middle[1], z = middle[2];
        h->inertia[0] = (yy + zz) - v * (y * y + z * z);
        h->inertia[1] = (zz + xx) - v * (z * z + x * x);
        h->inertia[2] = (xx + yy) - v * (x * x + y * y);
        h->inertia[3] = s.second[3] - v * (x * y);
        h->inertia[4] = s.second[4] - v * (y * z);
        h->inertia[5] = s.second[5] - v * (z * x);
    } else if (h->dimension == 2) {
        for (int k = 0; k < 3; k++)
            middle[k] = s.middle[k] / (3.0 * s.area);
    } else if (h->dimension == 1) {
        middle[0] = ((double)place[1].x - origin[0]) / 2.0;
        middle[1] = ((double)place[1].y - origin[1]) / 2.0;
        middle[2] = ((double)place[1].z - origin[2]) / 2.0;
    }
    for (int k = 0; k < 3; k++)
        h->centroid[k] = origin[k] + middle[k];
}
