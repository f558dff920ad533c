/* SPDX-License-Identifier: MIT */
#include "cases/narrowphase/closed_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases/narrowphase/oracle.h"
#include "src/core/error.h"

enum { AWAY = 8 /* voxels by which the copy is moved on each axis */, SCALE = VP_CLOSED_UNIT / 512 };

/* ---- the mesh ---- */

static vp_status copy_rows(const vp_world *world, vp_world *copy, vp_error *error)
{
    const vp_dims size = vp_world_size(world);
    const size_t count = (size_t)size.x * size.y * size.z;
    uint8_t *material = malloc(2 * count);
    if (material == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a copy of %zu voxels", count);
    vp_status status = vp_world_read_rows(world, (vp_ivec3){0, 0, 0}, size, material, material + count, error);
    if (status == VP_OK)
        status = vp_world_write_rows(copy, (vp_ivec3){AWAY, AWAY, AWAY}, size, material, material + count, NULL, error);
    free(material);
    return status;
}

static vp_status make_mesh(const vp_world *world, vp_surface surface, vp_mesh *out, vp_error *error)
{
    const vp_dims size = vp_world_size(world);
    vp_world *copy = NULL;
    vp_status status = vp_world_create(&(vp_world_def){.size = {size.x + AWAY, size.y + AWAY, size.z + AWAY}}, &copy, error);
    if (status == VP_OK)
        status = copy_rows(world, copy, error);
    if (status == VP_OK)
        status = vp_mesh_create(&(vp_mesh_def){.world = copy, .surface = surface}, out, error);
    vp_world_destroy(copy);
    return status;
}

/* Finds the two voxels of a quad's edge. Its four cells differ except on the edge's axis, and go around the edge counterclockwise seen from
 * outside. @param out  the outer voxel @return the sides of the world that the edge crosses */
static uint8_t find_outer(int32_t quad[4][3], vp_dims size, int32_t out[3])
{
    const int32_t extent[3] = {(int32_t)size.x, (int32_t)size.y, (int32_t)size.z};
    int32_t cell[4][3];
    uint8_t sides = 0;
    for (int i = 0; i < 4; i++)
        for (int a = 0; a < 3; a++)
            cell[i][a] = (quad[i][a] - 256 + 512) / 512 - 1;
    for (int a = 0; a < 3; a++) {
        const int u = (a + 1) % 3, v = (a + 2) % 3;
        if (cell[0][a] != cell[1][a] || cell[0][a] != cell[2][a] || cell[0][a] != cell[3][a])
            continue;
        const int32_t turn = (cell[1][u] - cell[0][u]) * (cell[2][v] - cell[1][v]) - (cell[1][v] - cell[0][v]) * (cell[2][u] - cell[1][u]);
        out[a] = cell[0][a] + (turn > 0 ? 1 : 0);
        out[u] = cell[0][u] > cell[2][u] ? cell[0][u] : cell[2][u];
        out[v] = cell[0][v] > cell[2][v] ? cell[0][v] : cell[2][v];
        sides |= (uint8_t)((cell[0][a] == -1) << 2 * a | (cell[0][a] == extent[a] - 1) << (2 * a + 1));
    }
    return sides;
}

static void take_triangles(const vp_mesh *mesh, vp_dims size, vp_closed_surface *out)
{
    for (uint32_t q = 0; q < mesh->quad_count; q++) {
        int32_t quad[4][3];
        for (int i = 0; i < 4; i++) {
            const vp_vec3 v = mesh->vertex[mesh->quad[q][i]];
            const double at[3] = {(double)v.x, (double)v.y, (double)v.z};
            for (int a = 0; a < 3; a++)
                quad[i][a] = (int32_t)((at[a] - AWAY) * 512.0);
        }
        for (uint32_t t = 0; t < 2; t++) {
            memcpy(out->corner[2 * q + t][0], quad[0], sizeof quad[0]);
            memcpy(out->corner[2 * q + t][1], quad[1 + t], sizeof quad[0]);
            memcpy(out->corner[2 * q + t][2], quad[2 + t], sizeof quad[0]);
            out->closed[2 * q + t] = find_outer(quad, size, out->outer[2 * q + t]);
        }
    }
}

static int32_t least(const int32_t corner[3][3], int axis)
{
    const int32_t two = corner[0][axis] < corner[1][axis] ? corner[0][axis] : corner[1][axis];
    return two < corner[2][axis] ? two : corner[2][axis];
}

static int32_t most_of(const int32_t corner[3][3], int axis)
{
    const int32_t two = corner[0][axis] > corner[1][axis] ? corner[0][axis] : corner[1][axis];
    return two > corner[2][axis] ? two : corner[2][axis];
}

/* Vertices are above -1, so the sum is not negative. */
static int32_t column_of(int32_t vertex)
{
    return (vertex + 512) / 512;
}

/* Counts the triangles of each column, or lists them with `fill`. */
static void list_columns(vp_closed_surface *o, uint32_t *at, bool fill)
{
    for (uint32_t t = 0; t < o->triangle_count; t++) {
        const int32_t(*c)[3] = (const int32_t(*)[3])o->corner[t];
        for (int32_t z = column_of(least(c, 2)); z <= column_of(most_of(c, 2)); z++)
            for (int32_t x = column_of(least(c, 0)); x <= column_of(most_of(c, 0)); x++) {
                uint32_t *next = &at[z * o->columns[0] + x];
                if (fill)
                    o->in_column[*next] = t;
                (*next)++;
            }
    }
}

/* @return false without memory */
static bool sort_into_columns(vp_closed_surface *o)
{
    const size_t columns = (size_t)o->columns[0] * (size_t)o->columns[1];
    uint32_t *at = calloc(columns + 1, sizeof *at);
    o->first = calloc(columns + 1, sizeof *o->first);
    if (at != NULL && o->first != NULL) {
        list_columns(o, at, false);
        for (size_t c = 0; c < columns; c++) {
            o->first[c + 1] = o->first[c] + at[c];
            at[c] = o->first[c];
        }
        o->in_column = malloc(((size_t)o->first[columns] + 1) * sizeof *o->in_column);
        if (o->in_column != NULL)
            list_columns(o, at, true);
    }
    free(at);
    return o->in_column != NULL;
}

vp_status vp_closed_surface_make(const vp_world *world, vp_surface surface, vp_closed_surface *out, vp_error *error)
{
    const vp_dims size = vp_world_size(world);
    vp_mesh mesh = {0};
    *out = (vp_closed_surface){.columns = {(int32_t)size.x + 3, (int32_t)size.z + 3}};
    const vp_status status = make_mesh(world, surface, &mesh, error);
    if (status != VP_OK)
        return status;
    out->triangle_count = 2 * mesh.quad_count;
    out->corner = malloc(((size_t)out->triangle_count + 1) * sizeof *out->corner);
    out->closed = malloc((size_t)out->triangle_count + 1);
    out->outer = malloc(((size_t)out->triangle_count + 1) * sizeof *out->outer);
    bool done = out->corner != NULL && out->closed != NULL && out->outer != NULL;
    if (done) {
        take_triangles(&mesh, size, out);
        done = sort_into_columns(out);
    }
    vp_mesh_destroy(&mesh);
    return done ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", out->triangle_count);
}

void vp_closed_surface_free(vp_closed_surface *o)
{
    free(o->corner);
    free(o->closed);
    free(o->outer);
    free(o->first);
    free(o->in_column);
}

/* ---- the winding number ---- */

static int sign_of(int64_t n)
{
    return (n > 0) - (n < 0);
}

/* The side of the line through a and b on which a point of the xz plane lies. A point on the line counts as moved a little along x, or
 * along z if the line is parallel to x. */
static int turn(const int32_t a[3], const int32_t b[3], const int64_t p[3])
{
    const int64_t dx = b[0] - a[0], dz = b[2] - a[2];
    const int64_t area = dx * (p[2] - (int64_t)a[2] * SCALE) - dz * (p[0] - (int64_t)a[0] * SCALE);
    return area != 0 ? sign_of(area) : dz != 0 ? -sign_of(dz) : sign_of(dx);
}

static bool is_on_segments(const int32_t c[3][3], const int64_t p[3], const int64_t n[3])
{
    for (int i = 0; i < 3; i++) {
        const int32_t *a = c[i], *b = c[(i + 1) % 3];
        int64_t along[3], to[3];
        for (int k = 0; k < 3; k++) {
            along[k] = b[k] - a[k];
            to[k] = p[k] - (int64_t)a[k] * SCALE;
        }
        const int64_t side[3] = {along[1] * to[2] - along[2] * to[1], along[2] * to[0] - along[0] * to[2],
                                 along[0] * to[1] - along[1] * to[0]};
        for (int k = 0; k < 3; k++)
            if (sign_of(side[k]) * sign_of(n[k]) < 0)
                return false;
    }
    return true;
}

static void normal_of(const int32_t c[3][3], int64_t n[3])
{
    int64_t u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

int vp_closed_surface_winding(const vp_closed_surface *o, vp_vec3 point, bool *on)
{
    const double at[3] = {(double)point.x, (double)point.y, (double)point.z};
    int64_t p[3];
    int winding = 0;
    *on = false;
    for (int a = 0; a < 3; a++)
        p[a] = (int64_t)floor(at[a] * VP_CLOSED_UNIT + 0.5);
    const double x = floor((double)p[0] / VP_CLOSED_UNIT) + 1.0, z = floor((double)p[2] / VP_CLOSED_UNIT) + 1.0;
    if (!(x >= 0.0 && z >= 0.0 && x < (double)o->columns[0] && z < (double)o->columns[1]))
        return 0;
    const uint32_t column = (uint32_t)((int32_t)z * o->columns[0] + (int32_t)x);
    for (uint32_t i = o->first[column]; i < o->first[column + 1]; i++) {
        const int32_t(*c)[3] = (const int32_t(*)[3])o->corner[o->in_column[i]];
        int64_t n[3], height = 0;
        normal_of(c, n);
        for (int k = 0; k < 3; k++)
            height += n[k] * ((int64_t)c[0][k] * SCALE - p[k]);
        if (height == 0 && (n[0] != 0 || n[1] != 0 || n[2] != 0))
            *on = *on || is_on_segments(c, p, n);
        const int up = sign_of(n[1]);
        if (up != 0 && sign_of(height) == up && turn(c[0], c[1], p) == -up && turn(c[1], c[2], p) == -up && turn(c[2], c[0], p) == -up)
            winding += up;
    }
    return winding;
}

/* ---- the distance ---- */

/* The squared distance to a triangle, or INFINITY if it crosses a closed side or is farther than `most`. */
static double distance_to(const vp_closed_surface *o, uint32_t t, const double at[3], uint32_t closed, double most)
{
    vp_real3 c[3];
    if ((o->closed[t] & closed) != 0)
        return INFINITY;
    for (int i = 0; i < 3; i++) {
        const int32_t *p = o->corner[t][i];
        c[i] = (vp_real3){p[0] / 512.0 - at[0], p[1] / 512.0 - at[1], p[2] / 512.0 - at[2]};
    }
    if (!(fabs(c[0].x) < most + 3.0 && fabs(c[0].y) < most + 3.0 && fabs(c[0].z) < most + 3.0))
        return INFINITY;
    const vp_real3 nearest = vp_oracle_on_triangle(c, (vp_real3){0.0, 0.0, 0.0});
    return vp_real3_dot(nearest, nearest);
}

double vp_closed_surface_distance(const vp_closed_surface *o, vp_vec3 point, uint32_t closed, double most)
{
    const double at[3] = {(double)point.x, (double)point.y, (double)point.z};
    double best = most * most;
    for (uint32_t t = 0; t < o->triangle_count; t++)
        best = fmin(best, distance_to(o, t, at, closed, most));
    return sqrt(best);
}

bool vp_closed_surface_is_in_front(const vp_closed_surface *o, vp_vec3 point, uint32_t closed, double distance, vp_ivec3 voxel)
{
    const double at[3] = {(double)point.x, (double)point.y, (double)point.z}, most = distance + 1e-9;
    bool found = false;
    for (uint32_t t = 0; t < o->triangle_count && !found; t++)
        found = o->outer[t][0] == voxel.x && o->outer[t][1] == voxel.y && o->outer[t][2] == voxel.z &&
                distance_to(o, t, at, closed, most) <= most * most;
    return found;
}
