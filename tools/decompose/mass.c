/* SPDX-License-Identifier: MIT */
/* Mass properties of an object for robots. */
#include "tools/decompose/decompose.h"

/* Whether the triangles are a closed surface that faces outwards, each given once. */
static bool is_closed(const vp_decomposition_input *in)
{
    return in->open_edges == 0 && in->twisted_edges == 0 && in->duplicates == 0 && in->flipped == 0 && in->reversed == 0;
}

/* Sums over the tetrahedra between the triangles and the first vertex. With corners a, b, c relative to it, s = a + b + c and
   det = a x b . c, a tetrahedron has the volume det/6 and the integrals det/24 * sx of x and det/120 * (ax*ay + bx*by + cx*cy + sx*sy) of
   x*y (F. Tonon, "Explicit exact formulas for the 3-D tetrahedron inertia tensor", 2004). */
static vp_mass mass_of_mesh(const vp_vec3 *vertex, const uint32_t (*triangle)[3], uint32_t count, double density)
{
    const vp_vec3 origin = vertex[triangle[0][0]];
    double volume = 0.0, first[3] = {0.0}, second[6] = {0.0};
    for (uint32_t t = 0; t < count; t++) {
        double at[4][3] = {{0.0}}; /* the corners, and their sum */
        for (int c = 0; c < 3; c++) {
            const vp_vec3 p = vertex[triangle[t][c]];
            at[c][0] = (double)p.x - (double)origin.x;
            at[c][1] = (double)p.y - (double)origin.y;
            at[c][2] = (double)p.z - (double)origin.z;
            for (int k = 0; k < 3; k++)
                at[3][k] += at[c][k];
        }
        double det = 0.0;
        for (int k = 0; k < 3; k++)
            det += (at[0][(k + 1) % 3] * at[1][(k + 2) % 3] - at[0][(k + 2) % 3] * at[1][(k + 1) % 3]) * at[2][k];
        volume += det / 6.0;
        for (int k = 0; k < 3; k++) {
            first[k] += det / 24.0 * at[3][k];
            for (int i = 0; i < 4; i++) {
                second[k] += det / 120.0 * at[i][k] * at[i][k];
                second[3 + k] += det / 120.0 * at[i][k] * at[i][(k + 1) % 3];
            }
        }
    }
    if (!(volume > 0.0))
        return (vp_mass){0.0, {0.0}, {0.0}};
    vp_mass mass = {.mass = density * volume, .centre = {(double)origin.x, (double)origin.y, (double)origin.z}};
    double centre[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = first[k] / volume;
        mass.centre[k] += centre[k];
    }
    for (int k = 0; k < 3; k++) {
        second[k] -= volume * centre[k] * centre[k];
        second[3 + k] -= volume * centre[k] * centre[(k + 1) % 3];
    }
    for (int k = 0; k < 3; k++) {
        mass.inertia[k] = density * (second[(k + 1) % 3] + second[(k + 2) % 3]);
        mass.inertia[3 + k] = -density * second[3 + k];
    }
    return mass;
}

vp_mass vp_input_object_mass(const vp_input_mesh *mesh, vp_input_object *object, double density)
{
    const uint32_t(*triangle)[3] = (const uint32_t(*)[3])(mesh->triangle + object->first);
    vp_mass mass = {0.0, {0.0}, {0.0}};
    if (is_closed(&object->parts.input))
        mass = mass_of_mesh(mesh->triangles.vertex, triangle, object->count, density);
    object->mass_of_mesh = mass.mass > 0.0;
    for (uint32_t h = 0; !object->mass_of_mesh && h < object->parts.hull_count; h++) {
        const vp_mass two[2] = {mass, vp_mass_of_hull(&object->parts.hull[h].hull, density)};
        mass = vp_mass_sum(two, 2);
    }
    return mass;
}
