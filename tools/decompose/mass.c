/* SPDX-License-Identifier: MIT */
/* Mass properties of an object for robots. */
#include "tools/decompose/decompose.h"

#include <stdlib.h>

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

/* An edge of a triangle, from the lower to the higher vertex (1) or back (-1). */
typedef struct edge_way {
    uint32_t low, high;
    int way;
} edge_way;

static int compare_edges(const void *left, const void *right)
{
    const edge_way *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high < b->high ? -1 : a->high > b->high;
}

/* Whether each edge is used as often in both directions. False without memory. */
static bool is_balanced(const uint32_t (*triangle)[3], uint32_t count)
{
    const size_t edges = 3 * (size_t)count;
    edge_way *edge = malloc((edges + 1) * sizeof *edge);
    bool balanced = edge != NULL;
    for (size_t i = 0; i < edges && balanced; i++) {
        const uint32_t a = triangle[i / 3][i % 3], b = triangle[i / 3][(i + 1) % 3];
        edge[i] = a < b ? (edge_way){a, b, 1} : (edge_way){b, a, -1};
    }
    if (balanced)
        qsort(edge, edges, sizeof *edge, compare_edges);
    for (size_t i = 0, from = 0; i < edges && balanced; from = i) {
        int sum = 0;
        for (; i < edges && compare_edges(&edge[i], &edge[from]) == 0; i++)
            sum += edge[i].way;
        balanced = sum == 0;
    }
    free(edge);
    return balanced;
}

vp_mass vp_turned_mesh_mass(const vp_decomposition_start *start, double density)
{
    return is_balanced(start->triangle, start->input->triangles)
               ? mass_of_mesh(start->vertex, start->triangle, start->input->triangles, density)
               : (vp_mass){0.0, {0.0}, {0.0}};
}

vp_mass vp_input_object_mass(const vp_input_mesh *mesh, vp_input_object *object, double density)
{
    const uint32_t(*triangle)[3] = (const uint32_t(*)[3])(mesh->triangle + object->first);
    vp_mass mass = object->turned;
    if (is_closed(&object->parts.input))
        mass = mass_of_mesh(mesh->triangles.vertex, triangle, object->count, density);
    object->mass_of_mesh = mass.mass > 0.0;
    for (uint32_t h = 0; !object->mass_of_mesh && h < object->parts.hull_count; h++) {
        const vp_mass two[2] = {mass, vp_mass_of_hull(&object->parts.hull[h].hull, density)};
        mass = vp_mass_sum(two, 2);
    }
    return mass;
}
