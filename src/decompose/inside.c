/* SPDX-License-Identifier: MIT */
/* Winding numbers of the mesh's closed shells. They find surface inside other parts, and shells that are turned inside out.
 *
 * The winding number of a point is the sum of the crossings of a ray along x: 1 for each triangle that the ray leaves
 * through, -1 for each that it enters through. Whether the ray crosses a triangle depends on signs that both triangles of
 * an edge share. So a ray through an edge or a vertex counts right. Open shells have no inside, and do not count. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/memory.h"
#include "src/core/real3.h"
#include "src/decompose/decompose_internal.h"

static const vp_vec3 *corner_of(const vp_decompose_mesh *m, uint32_t triangle, int k)
{
    return &m->vertex[m->triangle[triangle][k]];
}

/* ---- the tree ---- */

static void add_triangle(const vp_decompose_mesh *m, uint32_t triangle, vp_surface_box *box)
{
    for (int k = 0; k < 3; k++) {
        double at[3];
        vp_decompose_set_point(at, corner_of(m, triangle, k));
        for (int axis = 0; axis < 3; axis++) {
            box->low[axis] = vp_double_min(box->low[axis], at[axis]);
            box->high[axis] = vp_double_max(box->high[axis], at[axis]);
        }
    }
}

/* Makes the boxes of some leaves, each with the boxes of both halves after it. */
static void build_boxes(const vp_decompose_mesh *m, const vp_decompose_solid *tree, uint32_t from, uint32_t to, uint32_t at)
{
    const uint32_t middle = from + (to - from) / 2, right = at + 2 * (middle - from);
    vp_surface_box *box = tree->box;
    box[at] = (vp_surface_box){.low = {INFINITY, INFINITY, INFINITY},
                               .high = {-INFINITY, -INFINITY, -INFINITY},
                               .next = at + 2 * (to - from) - 1,
                               .block = to - from == 1 ? from : VP_DECOMPOSE_NONE};
    if (to - from == 1) {
        for (uint32_t i = from * VP_DECOMPOSE_PER_LEAF; i < tree->triangles && i < to * VP_DECOMPOSE_PER_LEAF; i++)
            add_triangle(m, tree->triangle[i], &box[at]);
        return;
    }
    build_boxes(m, tree, from, middle, at + 1);
    build_boxes(m, tree, middle, to, right);
    for (int k = 0; k < 3; k++) {
        box[at].low[k] = vp_double_min(box[at + 1].low[k], box[right].low[k]);
        box[at].high[k] = vp_double_max(box[at + 1].high[k], box[right].high[k]);
    }
}

bool vp_decompose_build_tree(vp_decomposing *d, const vp_decompose_place *order, uint32_t count, bool all, vp_decompose_solid *out)
{
    const vp_decompose_mesh *m = &d->mesh;
    out->triangle = vp_arena_take(&d->memory, m->input.triangles * sizeof *out->triangle);
    if (out->triangle == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (all || (m->closed[m->shell[order[i].triangle]] && m->copies[order[i].triangle] != 0))
            out->triangle[out->triangles++] = order[i].triangle;
    const uint32_t leaves = (out->triangles + VP_DECOMPOSE_PER_LEAF - 1) / VP_DECOMPOSE_PER_LEAF;
    if (leaves == 0)
        return true;
    out->box = vp_arena_take(&d->memory, 2 * (size_t)leaves * sizeof *out->box);
    if (out->box == NULL)
        return false;
    out->boxes = 2 * leaves - 1;
    build_boxes(m, out, 0, leaves, 0);
    return true;
}

uint32_t vp_decompose_next_triangle(const vp_decomposing *d, vp_decompose_walk *walk)
{
    while (walk->at == walk->end) {
        if (walk->box >= d->solid.boxes)
            return VP_DECOMPOSE_NONE;
        const vp_surface_box *box = &d->solid.box[walk->box];
        if (walk->low[0] > box->high[0] || walk->high[0] < box->low[0] || walk->low[1] > box->high[1] || walk->high[1] < box->low[1] ||
            walk->low[2] > box->high[2] || walk->high[2] < box->low[2]) {
            walk->box = box->next;
            continue;
        }
        walk->box++;
        if (box->block != VP_DECOMPOSE_NONE) {
            const uint32_t end = (box->block + 1) * VP_DECOMPOSE_PER_LEAF;
            walk->at = box->block * VP_DECOMPOSE_PER_LEAF;
            walk->end = end < d->solid.triangles ? end : d->solid.triangles;
        }
    }
    return d->solid.triangle[walk->at++];
}

static void set_corners(const vp_decompose_mesh *m, uint32_t triangle, const vp_vec3 *out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = corner_of(m, triangle, k);
}

/* ---- winding numbers ---- */

/* How often a triangle, seen along x, winds around a point. */
static inline int32_t wind_seen(const vp_vec3 *const v[3], const double p[3])
{
    const bool is_below[3] = {(double)v[0]->y <= p[1], (double)v[1]->y <= p[1], (double)v[2]->y <= p[1]};
    int32_t winds = 0;
    if (is_below[0] == is_below[1] && is_below[1] == is_below[2])
        return 0;
    for (int k = 0; k < 3; k++) {
        const int next = k < 2 ? k + 1 : 0;
        if (is_below[k] == is_below[next])
            continue;
        const vp_vec3 *low = v[is_below[k] ? k : next], *high = v[is_below[k] ? next : k];
        const double side =
            ((double)high->y - (double)low->y) * (p[2] - (double)low->z) - ((double)high->z - (double)low->z) * (p[1] - (double)low->y);
        if (side < 0.0)
            winds += is_below[k] ? -1 : 1;
    }
    return winds;
}

/* The x at which a line along x crosses a triangle. */
static double cross_at(const vp_vec3 *const v[3], const double p[3])
{
    double u[3], w[3];
    vp_from_to(*v[0], *v[1], u);
    vp_from_to(*v[0], *v[2], w);
    const double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    const double x = (double)v[0]->x - (n[1] * (p[1] - (double)v[0]->y) + n[2] * (p[2] - (double)v[0]->z)) / n[0];
    const double low = vp_double_min(vp_double_min((double)v[0]->x, (double)v[1]->x), (double)v[2]->x);
    const double high = vp_double_max(vp_double_max((double)v[0]->x, (double)v[1]->x), (double)v[2]->x);
    return vp_double_max(low, vp_double_min(x, high)); /* also for a triangle that is seen edge on */
}

int32_t vp_decompose_wind(const vp_decomposing *d, const double p[3])
{
    /* a whole line crosses closed shells as often in one direction as in the other, so the shorter side is enough */
    const bool low = d->solid.boxes != 0 && p[0] - d->solid.box[0].low[0] < d->solid.box[0].high[0] - p[0];
    vp_decompose_walk walk = {.low = {low ? -INFINITY : p[0], p[1], p[2]}, .high = {low ? p[0] : INFINITY, p[1], p[2]}};
    const vp_vec3 *v[3];
    int32_t winds = 0;
    for (uint32_t t; (t = vp_decompose_next_triangle(d, &walk)) != VP_DECOMPOSE_NONE;) {
        set_corners(&d->mesh, t, v);
        const int32_t seen = wind_seen(v, p);
        if (seen != 0 && (cross_at(v, p) > p[0]) != low)
            winds += (low ? -seen : seen) * (int32_t)d->mesh.copies[t];
    }
    return winds;
}

/* The sign of u . (v x w), 0 if it is uncertain. */
static int sign_of_volume(const double u[3], const double v[3], const double w[3])
{
    const double bound =
        (fabs(u[0]) + fabs(u[1]) + fabs(u[2])) * (fabs(v[0]) + fabs(v[1]) + fabs(v[2])) * (fabs(w[0]) + fabs(w[1]) + fabs(w[2])) * 0x1p-46;
    const double volume = (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2])) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    return volume > bound ? 1 : volume < -bound ? -1 : 0;
}

/* How often a path through a triangle enters the solid, once, -1 or 0 times. @return false if it is uncertain */
static bool enter_through(const vp_vec3 *const v[3], const double from[3], const double to[3], int32_t *enters)
{
    double corner[3][3], ahead[3][3];
    for (int k = 0; k < 3; k++) {
        double at[3];
        vp_decompose_set_point(at, v[k]);
        for (int axis = 0; axis < 3; axis++) {
            corner[k][axis] = at[axis] - from[axis];
            ahead[k][axis] = at[axis] - to[axis];
        }
    }
    const double along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const int before = sign_of_volume(corner[0], corner[1], corner[2]), after = sign_of_volume(ahead[0], ahead[1], ahead[2]);
    *enters = 0;
    if (before == after && before != 0)
        return true;
    int positive = 0, negative = 0;
    for (int k = 0; k < 3; k++) {
        const int side = sign_of_volume(along, corner[k], corner[(k + 1) % 3]);
        positive += side > 0;
        negative += side < 0;
    }
    if (positive != 0 && negative != 0)
        return true;
    *enters = -before;
    return before != 0 && after != 0 && positive + negative == 3;
}

int32_t vp_decompose_wind_from(const vp_decomposing *d, const double from[3], int32_t winds, const double p[3], const uint32_t *list,
                               uint32_t count)
{
    vp_decompose_walk walk = {0};
    const vp_vec3 *v[3];
    for (int k = 0; k < 3; k++) {
        walk.low[k] = vp_double_min(from[k], p[k]);
        walk.high[k] = vp_double_max(from[k], p[k]);
    }
    const vp_decompose_span box = vp_decompose_set_span(walk.low, walk.high);
    for (uint32_t i = 0;; i++) {
        const uint32_t t = list == NULL ? vp_decompose_next_triangle(d, &walk) : i < count ? list[i] : VP_DECOMPOSE_NONE;
        int32_t enters;
        if (t == VP_DECOMPOSE_NONE)
            return winds;
        const vp_decompose_face *face = &d->face[t];
        if (!vp_decompose_meets(face, &box))
            continue;
        const double before = vp_dot(face->plane, from) - face->plane[3], after = vp_dot(face->plane, p) - face->plane[3];
        if (vp_double_min(before, after) > face->slack || vp_double_max(before, after) < -face->slack)
            continue;
        set_corners(&d->mesh, t, v);
        if (!enter_through(v, from, p, &enters))
            return vp_decompose_wind(d, p);
        winds += enters * (int32_t)d->mesh.copies[t];
    }
}

static int compare_crossings(const void *a, const void *b)
{
    const vp_decompose_crossing *p = a, *q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : q->winds - p->winds;
}

static void sort_crossings(vp_decompose_crossing *list, uint32_t count)
{
    enum { FEW = 16 };
    if (count > FEW) {
        qsort(list, count, sizeof *list, compare_crossings);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const vp_decompose_crossing moved = list[i];
        uint32_t k = i;
        for (; k > 0 && compare_crossings(&moved, &list[k - 1]) < 0; k--)
            list[k] = list[k - 1];
        list[k] = moved;
    }
}

uint32_t vp_decompose_cross(const vp_decomposing *d, double y, double z, vp_decompose_crossing *out)
{
    vp_decompose_walk walk = {.low = {-INFINITY, y, z}, .high = {INFINITY, y, z}};
    const double p[3] = {0.0, y, z};
    const vp_vec3 *v[3];
    uint32_t count = 0;
    for (uint32_t t; (t = vp_decompose_next_triangle(d, &walk)) != VP_DECOMPOSE_NONE;) {
        set_corners(&d->mesh, t, v);
        const int32_t seen = wind_seen(v, p);
        if (seen != 0)
            out[count++] = (vp_decompose_crossing){cross_at(v, p), seen * (int32_t)d->mesh.copies[t]};
    }
    sort_crossings(out, count);
    return count;
}

int32_t vp_decompose_wind_before(const vp_decomposing *d, uint32_t triangle, const double at[3])
{
    const double *n = d->mesh.normal[triangle], s = d->lengths.quantization;
    return vp_decompose_wind(d, (double[3]){at[0] + s * n[0], at[1] + s * n[1], at[2] + s * n[2]});
}

/* ---- surface in front of a triangle ---- */

/* The samples' part of a triangle, moved out by the quantization, with its three side planes and its own. */
typedef struct moved_triangle {
    double corner[3][3], plane[4][4]; /* planes are a normal and an offset */
    double low[3], high[3];
    double slack; /* of comparisons */
} moved_triangle;

static double height_above(const double plane[4], const double p[3])
{
    return (plane[0] * p[0] + plane[1] * p[1]) + (plane[2] * p[2] - plane[3]);
}

/* Sets the plane through a point that contains two directions. */
static void set_plane(const double u[3], const double v[3], const double through[3], double out[4])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
    const double size = sqrt((out[0] * out[0] + out[1] * out[1]) + out[2] * out[2]);
    for (int axis = 0; axis < 3 && size > 0.0; axis++)
        out[axis] /= size;
    out[3] = (out[0] * through[0] + out[1] * through[1]) + out[2] * through[2];
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = a[axis] - b[axis];
}

static void set_side_planes(const double corner[3][3], const double normal[3], double out[4][4])
{
    double side[3];
    for (int k = 0; k < 3; k++) {
        subtract(corner[(k + 1) % 3], corner[k], side);
        set_plane(side, normal, corner[k], out[k]);
    }
}

/* @param share the lowest part of each corner in barycentric coordinates of samples */
static moved_triangle move_triangle(const vp_decomposing *d, uint32_t triangle, const double share[3])
{
    const double *n = d->mesh.normal[triangle];
    double whole[3][3], least[3];
    moved_triangle m = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < 3; k++) {
        least[k] = vp_double_max(share[k] - 0x1p-20, 0.0);
        vp_decompose_set_point(whole[k], corner_of(&d->mesh, triangle, k));
    }
    const double rest = 1 - ((least[0] + least[1]) + least[2]);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            m.corner[k][axis] = ((least[0] * whole[0][axis] + least[1] * whole[1][axis]) + least[2] * whole[2][axis]) +
                                (rest * whole[k][axis] + d->lengths.quantization * n[axis]);
            m.low[axis] = vp_double_min(m.low[axis], m.corner[k][axis]);
            m.high[axis] = vp_double_max(m.high[axis], m.corner[k][axis]);
            m.slack = vp_double_max(m.slack, fabs(m.corner[k][axis]) * 0x1p-40);
        }
    set_side_planes((const double(*)[3])m.corner, n, m.plane);
    memcpy(m.plane[3], n, 3 * sizeof *n);
    m.plane[3][3] = (n[0] * m.corner[0][0] + n[1] * m.corner[0][1]) + n[2] * m.corner[0][2];
    return m;
}

/* Whether points are all above a plane, or all below it. */
static bool is_beyond(const double plane[4], const double point[3][3], double slack, bool both)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const double height = height_above(plane, point[k]);
        low = vp_double_min(low, height);
        high = vp_double_max(high, height);
    }
    return low > slack || (both && high < -slack);
}

/* Whether a triangle may cross a moved one: none of their planes separates them. `plane` becomes the triangle's. */
static bool may_cross(const moved_triangle *m, const vp_vec3 *const v[3], double plane[4])
{
    double point[3][3], u[3], w[3];
    for (int k = 0; k < 3; k++)
        vp_decompose_set_point(point[k], v[k]);
    for (int i = 3; i >= 0; i--)
        if (is_beyond(m->plane[i], (const double(*)[3])point, m->slack, i == 3))
            return false;
    subtract(point[1], point[0], u);
    subtract(point[2], point[0], w);
    set_plane(u, w, point[0], plane);
    return !is_beyond(plane, m->corner, m->slack, true);
}

enum { MOST_PLANES = sizeof((vp_decompose_cuts *)NULL)->plane / sizeof((vp_decompose_cuts *)NULL)->plane[0] };

void vp_decompose_find_cuts(const vp_decomposing *d, uint32_t triangle, const double share[3], vp_decompose_cuts *out)
{
    const moved_triangle m = move_triangle(d, triangle, share);
    vp_decompose_walk walk = {.low = {m.low[0], m.low[1], m.low[2]}, .high = {m.high[0], m.high[1], m.high[2]}};
    const vp_vec3 *v[3];
    double rest[4];
    out->planes = 0;
    out->slack = m.slack;
    for (uint32_t t; out->planes <= MOST_PLANES && (t = vp_decompose_next_triangle(d, &walk)) != VP_DECOMPOSE_NONE;) {
        if (vp_decompose_is_apart(&d->mesh, t, &walk))
            continue;
        set_corners(&d->mesh, t, v);
        out->planes += may_cross(&m, v, out->planes < MOST_PLANES ? out->plane[out->planes] : rest);
    }
}

bool vp_decompose_find_sides(const vp_decomposing *d, uint32_t triangle, const vp_decompose_cuts *cuts, const double at[3], uint64_t *sides)
{
    const double *n = d->mesh.normal[triangle], s = d->lengths.quantization;
    const double p[3] = {at[0] + s * n[0], at[1] + s * n[1], at[2] + s * n[2]};
    *sides = 0;
    for (uint32_t i = 0; i < cuts->planes && cuts->planes <= MOST_PLANES; i++) {
        const double height = height_above(cuts->plane[i], p);
        if (fabs(height) <= cuts->slack)
            return false;
        *sides |= (uint64_t)(height > 0.0) << i;
    }
    return cuts->planes <= MOST_PLANES;
}

/* ---- shells ---- */

/* A shell's box and its largest triangle that has a normal. */
typedef struct shell_extent {
    vp_surface_box box;
    uint32_t first;   /* the lowest input triangle */
    uint32_t largest; /* VP_DECOMPOSE_NONE = no such triangle */
} shell_extent;

static void measure_shells(const vp_decompose_mesh *m, shell_extent *out)
{
    for (uint32_t s = 0; s < m->input.shells; s++)
        out[s] = (shell_extent){.box = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}},
                                .first = VP_DECOMPOSE_NONE,
                                .largest = VP_DECOMPOSE_NONE};
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        shell_extent *shell = &out[m->shell[t]];
        const double *n = m->normal[t];
        add_triangle(m, t, &shell->box);
        shell->first = m->input_triangle[t] < shell->first ? m->input_triangle[t] : shell->first;
        if ((n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0) && (shell->largest == VP_DECOMPOSE_NONE || m->area[t] > m->area[shell->largest]))
            shell->largest = t;
    }
}

/* Whether the space in front of a closed shell has a negative winding number. A void has 0 there. */
static bool is_reversed(const vp_decomposing *d, const shell_extent *shell)
{
    const vp_decompose_mesh *m = &d->mesh;
    if (shell->largest == VP_DECOMPOSE_NONE || !m->closed[m->shell[shell->largest]])
        return false;
    double middle[3] = {0.0, 0.0, 0.0}, corner[3][3];
    vp_decompose_set_corners(m, shell->largest, corner);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            middle[axis] += corner[k][axis] / 3;
    return vp_decompose_wind_before(d, shell->largest, middle) < 0;
}

/* Finds the closed shells that are turned inwards, by the sign of their volume. */
static void find_voids(vp_decompose_mesh *m, const shell_extent *shell, double *volume)
{
    for (uint32_t s = 0; s < m->input.shells; s++)
        volume[s] = 0.0;
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        const double *from = shell[m->shell[t]].box.low;
        double v[3][3];
        vp_decompose_set_corners(m, t, v);
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                v[k][axis] -= from[axis];
        volume[m->shell[t]] +=
            m->copies[t] * ((v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2])) +
                            v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]));
    }
    for (uint32_t s = 0; s < m->input.shells; s++)
        m->is_void[s] = m->closed[s] && volume[s] < 0.0;
}

bool vp_decompose_inspect_shells(vp_decomposing *d)
{
    vp_decompose_mesh *m = &d->mesh;
    const uint32_t shells = m->input.shells;
    const double extent = vp_decompose_extent(d->def);
    shell_extent *shell = vp_decompose_borrow(d, shells, sizeof *shell);
    bool *turns = vp_decompose_borrow(d, shells, sizeof *turns);
    double *volume = vp_decompose_borrow(d, shells, sizeof *volume);
    m->is_void = vp_arena_take(&d->memory, shells * sizeof *m->is_void);
    const bool done = shell != NULL && turns != NULL && volume != NULL && m->is_void != NULL;
    if (done)
        measure_shells(m, shell);
    for (uint32_t s = 0; s < shells && done; s++) {
        const vp_surface_box *box = &shell[s].box;
        const double side =
            vp_double_max(vp_double_max(box->high[0] - box->low[0], box->high[1] - box->low[1]), box->high[2] - box->low[2]);
        turns[s] = is_reversed(d, &shell[s]);
        if (turns[s] && m->input.reversed++ == 0)
            m->input.first_reversed = shell[s].first;
        if (side * 1000.0 < extent && m->input.tiny++ == 0)
            m->input.first_tiny = shell[s].first;
    }
    for (uint32_t t = 0; t < m->input.triangles && done && d->def->flip; t++)
        if (turns[m->shell[t]])
            vp_decompose_flip_triangle(m, t);
    if (done)
        find_voids(m, shell, volume);
    vp_decompose_give_back(d, volume, shells, sizeof *volume);
    vp_decompose_give_back(d, turns, shells, sizeof *turns);
    vp_decompose_give_back(d, shell, shells, sizeof *shell);
    return done;
}
