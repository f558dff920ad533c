/* SPDX-License-Identifier: MIT */
#include "cases/narrowphase/push_out.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/narrowphase.h>
#include <voxphys/push_out.h>

#include "cases/case.h"
#include "cases/narrowphase/oracle.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/error.h"
#include "src/core/real3.h"

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
    vp_real3 nearest;
    vp_oracle_on_triangle(c, &(vp_real3){0.0, 0.0, 0.0}, &nearest);
    return vp_real3_dot(nearest, nearest);
}

/* The distance to the nearest triangle that crosses none of the closed sides, or `most` if none is nearer. */
static double closed_surface_distance(const vp_closed_surface *o, vp_vec3 point, uint32_t closed, double most)
{
    const double at[3] = {(double)point.x, (double)point.y, (double)point.z};
    double best = most * most;
    for (uint32_t t = 0; t < o->triangle_count; t++)
        best = fmin(best, distance_to(o, t, at, closed, most));
    return sqrt(best);
}

/* Whether a voxel is in front of a triangle within a distance that crosses none of the closed sides. */
static bool closed_surface_is_in_front(const vp_closed_surface *o, vp_vec3 point, uint32_t closed, double distance, vp_ivec3 voxel)
{
    const double at[3] = {(double)point.x, (double)point.y, (double)point.z}, most = distance + 1e-9;
    bool found = false;
    for (uint32_t t = 0; t < o->triangle_count && !found; t++)
        found = o->outer[t][0] == voxel.x && o->outer[t][1] == voxel.y && o->outer[t][2] == voxel.z &&
                distance_to(o, t, at, closed, most) <= most * most;
    return found;
}

/* push_out: pushes places in a world's solid voxels out of its surface. Judged by every triangle of the world's closed mesh. */

enum { CENTRES = 64, VOXELS = 12, TRIES = 16, CLOSED = 1 << VP_SIDE_Y_LOW };

typedef struct push_out_work {
    const vp_world *world;
    vp_vec3 centre[CENTRES];
    vp_push_out *answer;
} push_out_work;

static bool is_solid(const vp_world *world, int32_t x, int32_t y, int32_t z)
{
    return vp_world_voxel(world, (vp_ivec3){x, y, z}).material >= VP_FIRST_SOLID;
}

/* Usually in a solid voxel, which is the highest one of a column, a little below it, or any. Every eighth place is anywhere, and every
 * fifth on a border of voxels. */
static vp_vec3 some_place(vp_random *r, const vp_world *world, int number)
{
    const vp_dims size = vp_world_size(world);
    int32_t x = 0, y = 0, z = 0;
    bool found = false;
    for (int t = 0; t < TRIES && !found; t++) {
        x = (int32_t)vp_random_below(r, size.x);
        z = (int32_t)vp_random_below(r, size.z);
        y = (int32_t)(vp_random_below(r, 4) == 0 ? vp_random_below(r, size.y) : size.y - 1);
        while (y > 0 && !is_solid(world, x, y, z) && number % 8 != 0)
            y--;
        const int32_t below = y - (int32_t)vp_random_below(r, VOXELS + 2);
        if (below >= 0 && is_solid(world, x, below, z))
            y = below;
        found = is_solid(world, x, y, z) || number % 8 == 0;
    }
    const float in[3] = {number % 5 == 0 ? 0.0f : vp_random_unit(r), vp_random_unit(r), vp_random_unit(r)};
    return (vp_vec3){(float)x + in[0], (float)y + in[1], (float)z + in[2]};
}

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    push_out_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(push_out_work));
    vp_random r = {vp_hash64(data->name, strlen(data->name))};
    w->world = data->set;
    for (int i = 0; i < CENTRES; i++)
        w->centre[i] = some_place(&r, w->world, i);
    w->answer = vp_arena_output(arena, CENTRES, sizeof *w->answer, alignof(vp_push_out), 0);
    return VP_OK;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    push_out_work *w = argument;
    vp_status status = VP_OK;
    for (int i = 0; i < CENTRES && status == VP_OK; i++)
        status = vp_push_out_of_world(w->world, w->centre[i], VOXELS, CLOSED, &w->answer[i], error);
    *items = CENTRES;
    return status;
}

static void record(const void *argument, vp_records *out)
{
    const push_out_work *w = argument;
    for (int i = 0; i < CENTRES; i++) {
        vp_records_put_words(out, &w->answer[i], sizeof w->answer[i] / 4);
        vp_records_end(out);
    }
}

/* ---- the judge ---- */

static double length_of(vp_vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt(x * x + y * y + z * z);
}

/* Whether a coordinate of `direction` is that of `by`, divided and rounded once. A tiny one must not become 0. */
static bool is_along(float direction, float by, double length)
{
    const float right = (float)((double)by / length);
    return memcmp(&direction, &right, sizeof right) == 0 && (direction == 0.0f) == (by == 0.0f);
}

static bool has_direction(const vp_push_out *a)
{
    const double length = length_of(a->by);
    return is_along(a->direction.x, a->by.x, length) && is_along(a->direction.y, a->by.y, length) &&
           is_along(a->direction.z, a->by.z, length);
}

/* The change of a vector's length by rounding a coordinate, times that length. */
static double rounding_of(float x)
{
    const double unit = (double)nextafterf(fabsf(x), INFINITY) - fabs((double)x);
    return fabs((double)x) * unit * 0.5;
}

/* Whether `by` goes past the nearest point by one of the lengths in PSH-3, or to the middle of the voxel in front. */
static bool ends_right(const vp_push_out *a, vp_vec3 centre, double distance)
{
    const double length = length_of(a->by);
    const double off = (rounding_of(a->by.x) + rounding_of(a->by.y) + rounding_of(a->by.z)) / length + 1e-12;
    for (double on = 0x1p-10; on <= 0.25; on *= 4.0)
        if (fabs(length - (distance + on)) <= off)
            return true;
    const vp_vec3 middle = {(float)a->voxel.x + 0.5f, (float)a->voxel.y + 0.5f, (float)a->voxel.z + 0.5f};
    return a->by.x == (float)((double)middle.x - (double)centre.x) && a->by.y == (float)((double)middle.y - (double)centre.y) &&
           a->by.z == (float)((double)middle.z - (double)centre.z);
}

static bool is_past_closed_side(vp_vec3 p, vp_dims size, uint32_t closed)
{
    const float at[3] = {p.x, p.y, p.z}, extent[3] = {(float)size.x, (float)size.y, (float)size.z};
    bool past = false;
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
        past = past || ((closed >> side & 1u) != 0 && (side % 2 == 0 ? at[side / 2] < 0.0f : at[side / 2] > extent[side / 2]));
    return past;
}

/* Judges an answer by every triangle. @return VP_E_FORMAT for a wrong one */
static vp_status push_out_judge(const vp_closed_surface *surface, const vp_push_out_query *q, const vp_push_out *a, vp_error *error)
{
    bool on;
    const bool inside = vp_closed_surface_winding(surface, q->centre, &on) > 0 && !on;
    const double far = inside ? closed_surface_distance(surface, q->centre, q->closed, q->voxels) : 0.0;
    const vp_push_out_end end = !inside ? VP_PUSH_OUT_FREE : far < q->voxels ? VP_PUSH_OUT_FOUND : VP_PUSH_OUT_DEEP;
    if (a->end != end && !(inside && fabs(far - q->voxels) < 1e-9))
        return vp_fail(error, VP_E_FORMAT, "it ends with %d instead of %d; the surface is %.6f away", (int)a->end, (int)end, far);
    if (a->end != VP_PUSH_OUT_FOUND) {
        const vp_push_out none = {.end = a->end};
        return memcmp(a, &none, sizeof none) == 0 ? VP_OK : vp_fail(error, VP_E_FORMAT, "a field besides `end` is not 0");
    }
    const vp_vec3 moved = vp_vec3_add(q->centre, a->by);
    if (vp_closed_surface_winding(surface, moved, &on) > 0 || on || is_past_closed_side(moved, q->size, q->closed))
        return vp_fail(error, VP_E_FORMAT, "it is pushed to a place that is not free");
    if (!closed_surface_is_in_front(surface, q->centre, q->closed, far, a->voxel))
        return vp_fail(error, VP_E_FORMAT, "voxel %d, %d, %d is not in front of the nearest triangle", a->voxel.x, a->voxel.y, a->voxel.z);
    if (!has_direction(a))
        return vp_fail(error, VP_E_FORMAT, "the direction %g, %g, %g is not that of %g, %g, %g", (double)a->direction.x,
                       (double)a->direction.y, (double)a->direction.z, (double)a->by.x, (double)a->by.y, (double)a->by.z);
    if (a->distance != (float)far || !ends_right(a, q->centre, far))
        return vp_fail(error, VP_E_FORMAT, "it is pushed by %.9f, and the surface is %.9f away, not %.9f", length_of(a->by), far,
                       (double)a->distance);
    return VP_OK;
}

static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const push_out_work *w = argument;
    vp_closed_surface surface;
    vp_status status = vp_closed_surface_make(w->world, VP_SURFACE_SOLID, &surface, error);
    for (int i = 0; i < CENTRES && status == VP_OK; i++) {
        vp_error why;
        status = push_out_judge(&surface, &(vp_push_out_query){vp_world_size(w->world), w->centre[i], VOXELS, CLOSED}, &w->answer[i], &why);
        if (status != VP_OK)
            vp_fail(error, status, "centre %d: %s", i, why.message);
    }
    vp_closed_surface_free(&surface);
    return status;
}

/* Counts the part of the centres that is pushed out. */
static void count(const void *argument, vp_counters *out)
{
    const push_out_work *w = argument;
    int pushed = 0;
    for (int i = 0; i < CENTRES; i++)
        pushed += w->answer[i].end == VP_PUSH_OUT_FOUND;
    vp_count(out, "pushed", (double)pushed / CENTRES);
}

static const vp_measured measured[] = {VP_ON("terrain-l2", 1, VP_TIMED | VP_VERIFIED), VP_ON("luanti", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_push_out = {.kind = &vp_kind_world,
                                  .make = make,
                                  .run = run,
                                  .records = record,
                                  .judge = judge,
                                  .counters = count,
                                  .has_no_kernels = true,
                                  .measured = measured};
