/* SPDX-License-Identifier: MIT */
/* Mass, centre and inertia of shapes: closed forms, and for hulls sums over tetrahedra (F. Tonon, "Explicit exact
 * formulas for the 3-D tetrahedron inertia tensor", 2004). */
#include <voxphys/mass.h>

#include <math.h>

#include "src/core/error.h"
#include "src/core/real3.h"

static const double pi = 3.14159265358979323846;

/* A body that is symmetric about the planes of its frame. */
static vp_mass make_symmetric(double mass, double xx, double yy, double zz)
{
    return (vp_mass){.mass = mass, .inertia = {xx, yy, zz}};
}

static vp_mass mass_of_sphere(double r, double density)
{
    const double mass = density * (4.0 / 3.0) * pi * r * r * r, moment = 0.4 * mass * r * r;
    return make_symmetric(mass, moment, moment, moment);
}

static vp_mass mass_of_cylinder(double r, double half_height, double density)
{
    const double mass = density * 2.0 * pi * r * r * half_height, across = mass * (r * r / 4.0 + half_height * half_height / 3.0);
    return make_symmetric(mass, across, mass * r * r / 2.0, across);
}

/* A cylinder and two half balls, whose centres of mass are 3/8 r beyond the cylinder's ends. */
static vp_mass mass_of_capsule(double r, double half_height, double density)
{
    const vp_mass middle = mass_of_cylinder(r, half_height, density), ends = mass_of_sphere(r, density);
    const double shift = ends.mass * (half_height * half_height + 0.75 * half_height * r);
    const double across = middle.inertia[0] + ends.inertia[0] + shift;
    return make_symmetric(middle.mass + ends.mass, across, middle.inertia[1] + ends.inertia[1], across);
}

static vp_mass mass_of_box(vp_vec3 half, double density)
{
    const double x = (double)half.x, y = (double)half.y, z = (double)half.z, mass = density * 8.0 * x * y * z, third = mass / 3.0;
    return make_symmetric(mass, third * (y * y + z * z), third * (z * z + x * x), third * (x * x + y * y));
}

/* ---- hulls ---- */

/* Integrals over a body's volume, about its first vertex. */
typedef struct integrals {
    double volume;
    double first[3];  /* integrals of x, y, z */
    double second[6]; /* integrals of xx, yy, zz, xy, yz, zx */
} integrals;

/* Adds the tetrahedron between the origin and a triangle. */
static void add_tetrahedron(integrals *s, vp_real3 a, vp_real3 b, vp_real3 c)
{
    const double det = vp_real3_dot(vp_real3_cross(a, b), c);
    const double p[4][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {a.x + b.x + c.x, a.y + b.y + c.y, a.z + b.z + c.z}};
    s->volume += det / 6.0;
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        s->first[k] += det / 24.0 * p[3][k];
        for (int i = 0; i < 4; i++) {
            s->second[k] += det / 120.0 * p[i][k] * p[i][k];
            s->second[3 + k] += det / 120.0 * p[i][k] * p[i][next];
        }
    }
}

static vp_real3 vertex_of(const vp_collide_hull *h, uint32_t corner)
{
    return vp_real3_sub(vp_real3_of(h->vertex[h->corner[corner]]), vp_real3_of(h->vertex[0]));
}

static vp_mass mass_of_hull(const vp_collide_hull *h, double density)
{
    integrals s = {0};
    for (uint32_t f = 0; f < h->face_count; f++)
        for (uint32_t i = h->first_corner[f] + 1; i + 1 < h->first_corner[f + 1]; i++)
            add_tetrahedron(&s, vertex_of(h, h->first_corner[f]), vertex_of(h, i), vertex_of(h, i + 1));
    if (!(s.volume > 0.0))
        return (vp_mass){0};
    const vp_vec3 origin = h->vertex[0];
    const double c[3] = {s.first[0] / s.volume, s.first[1] / s.volume, s.first[2] / s.volume};
    vp_mass m = {.mass = density * s.volume, .centre = {(double)origin.x + c[0], (double)origin.y + c[1], (double)origin.z + c[2]}};
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        m.inertia[k] = density * ((s.second[a] + s.second[b]) - s.volume * (c[a] * c[a] + c[b] * c[b]));
        m.inertia[3 + k] = -density * (s.second[3 + k] - s.volume * c[k] * c[a]);
    }
    return m;
}

/* ---- the public functions ---- */

vp_status vp_mass_of_shape(const vp_collide_shape *shape, double density, vp_mass *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, out);
    VP_RETURN_IF_FAILED(vp_collide_shape_check(shape, error));
    if (!(density > 0.0 && isfinite(density)))
        return vp_fail(error, VP_E_ARGUMENT, "density is %g; must be finite and > 0", density);
    const double r = (double)shape->radius, half_height = (double)shape->half_height;
    switch (shape->kind) {
    case VP_COLLIDE_SPHERE:
        *out = mass_of_sphere(r, density);
        break;
    case VP_COLLIDE_CAPSULE:
        *out = mass_of_capsule(r, half_height, density);
        break;
    case VP_COLLIDE_BOX:
        *out = mass_of_box(shape->half, density);
        break;
    case VP_COLLIDE_CYLINDER:
        *out = mass_of_cylinder(r, half_height, density);
        break;
    default:
        *out = mass_of_hull(shape->hull, density);
        break;
    }
    return vp_succeed(error);
}

static vp_mass scale_to_density(const vp_mass *mass, double density)
{
    vp_mass m = {.mass = density * mass->mass};
    for (int k = 0; k < 3 && m.mass > 0.0; k++) {
        m.centre[k] = mass->centre[k];
        m.inertia[k] = density * mass->inertia[k];
        m.inertia[3 + k] = density * mass->inertia[3 + k];
    }
    return m;
}

vp_mass vp_mass_of_hull(const vp_hull *hull, double density)
{
    return scale_to_density(&hull->mass, density);
}

vp_mass vp_mass_of_region(const vp_region *region, double density)
{
    return scale_to_density(&region->mass, density);
}

vp_status vp_mass_at_pose(const vp_mass *mass, const vp_pose *pose, vp_mass *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, mass, pose, out);
    vp_collide_frame f;
    VP_RETURN_IF_FAILED(vp_collide_frame_of(pose, &f, error));
    const double turn[3][3] = {{(double)f.row[0].x, (double)f.row[1].x, (double)f.row[2].x},
                               {(double)f.row[0].y, (double)f.row[1].y, (double)f.row[2].y},
                               {(double)f.row[0].z, (double)f.row[1].z, (double)f.row[2].z}};
    const double *i = mass->inertia, *c = mass->centre, position[3] = {(double)f.position.x, (double)f.position.y, (double)f.position.z};
    const double tensor[3][3] = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    double half[3][3]; /* turn * tensor */
    vp_mass m = {.mass = mass->mass};
    for (int a = 0; a < 3; a++) {
        m.centre[a] = position[a] + ((turn[a][0] * c[0] + turn[a][1] * c[1]) + turn[a][2] * c[2]);
        for (int b = 0; b < 3; b++)
            half[a][b] = (turn[a][0] * tensor[0][b] + turn[a][1] * tensor[1][b]) + turn[a][2] * tensor[2][b];
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        m.inertia[k] = (half[k][0] * turn[k][0] + half[k][1] * turn[k][1]) + half[k][2] * turn[k][2];
        m.inertia[3 + k] = (half[k][0] * turn[next][0] + half[k][1] * turn[next][1]) + half[k][2] * turn[next][2];
    }
    *out = m;
    return vp_succeed(error);
}

vp_mass vp_mass_sum(const vp_mass *mass, uint32_t count)
{
    vp_mass m = {0};
    for (uint32_t i = 0; i < count; i++)
        m.mass += mass[i].mass;
    for (uint32_t i = 0; i < count && m.mass > 0.0; i++)
        for (int k = 0; k < 3; k++)
            m.centre[k] += mass[i].mass / m.mass * mass[i].centre[k];
    for (uint32_t i = 0; i < count; i++) {
        const double d[3] = {mass[i].centre[0] - m.centre[0], mass[i].centre[1] - m.centre[1], mass[i].centre[2] - m.centre[2]};
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            m.inertia[k] += mass[i].inertia[k] + mass[i].mass * (d[a] * d[a] + d[b] * d[b]);
            m.inertia[3 + k] += mass[i].inertia[3 + k] - mass[i].mass * d[k] * d[a];
        }
    }
    return m;
}
