/* SPDX-License-Identifier: MIT */
/* Quickhull in space on vectors of doubles. The algorithm of reference/hull/hull3.c with another layout of
 * points and faces.
 *
 * Idea. With many points nearly all time goes into comparing points with planes. One loop finds the point furthest
 * above a face, the other finds for the points of removed faces the new face that they are above. Both are sums of
 * three products. Points are floats, while planes and sums are doubles, which have 29 bits more than a coordinate. So a
 * sum has the wrong sign only where it is below some 2^-49 of the largest coordinates, or a little more for thin
 * triangles. Each plane has that bound as a number, computed with it. A point whose sum is above the bound is certainly
 * above the face, and one whose sum is below the negative bound is not. Sums in between are decided exactly, one point
 * at a time. They are very rare, and axis-aligned planes have a bound of 0, so grids of points never need it.
 *
 * Layout. x, y, z and the number of each point are four arrays, and every face owns a piece of them. So comparisons
 * read memory in order, without indices. When faces are removed, their points are compared with the new faces, which
 * gives a label a point. The new faces get pieces after everything else, as long as needed, and the points above one of
 * them are copied there, in order. The other points are discarded. When the arrays are full, the remaining pieces are
 * moved together. There is room for twice the points, so that is rare.
 *
 * A face's plane, its neighbours and its piece are in one struct. Faces that own points wait in a queue. A stack would
 * be worse: the oldest faces are the largest, and a point above one of them removes most. A neighbour is stored with
 * its number of the shared edge, so nothing is searched. The horizon is walked in order, and the planes of the new
 * faces, which all have the apex, are computed a vector at a time.
 *
 * If an apex has very many new faces (hand_over), each point is compared with only one of them, which
 * hull_sectors_body.h finds. So the tip of a cone does not cost its faces times its points.
 *
 * The decisive instruction is the widening load (vcvtps2pd): 12 bytes a point and pass, with the precision of doubles.
 * With F64N doubles in a register, comparing F64N points with a plane takes 3 multiplications, 2 additions, 2
 * subtractions, 2 maxima, a comparison and a selection. Maxima let the next one begin before the comparison is done.
 * Other ISAs need vectors of doubles. With vectors of floats only, the same works with a bound of some 2^-20, and sums
 * in between have to be computed in double. Counts of lanes are doubles too, because the mask that selects the values
 * selects them as well.
 *
 * The result is the hull, whose vertices and faces are unique, so the points may come in another order than the
 * reference's. The dimension is decided with the reference's operations, and has the same bits. */
#ifndef VP_OPTIMIZED_HULL_HULL_BODY_H
#define VP_OPTIMIZED_HULL_HULL_BODY_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "optimized/hull/hull_faces_body.h"
#include "optimized/hull/hull_lanes.h"
#include "optimized/hull/hull_sectors_body.h"

/* ---- passes over points ---- */

/* The largest of some lanes' values, the one with the lowest place among equals. */
VP_INLINE double largest(f64n value, f64n place, double *at)
{
    double v[F64N], p[F64N], most;
    f64n_store(v, value);
    f64n_store(p, place);
    most = v[0];
    *at = p[0];
    for (int i = 1; i < F64N; i++)
        if (v[i] > most || (v[i] == most && p[i] < *at)) {
            most = v[i];
            *at = p[i];
        }
    return most;
}

/* Splits all points into arrays, and finds the first of those that are furthest from a line, like the reference. */
static double split_and_leave_line(const hull_builder *b, vp_vec3 from, const double along[3], uint32_t *furthest)
{
    const f64n ox = f64n_set1((double)from.x), oy = f64n_set1((double)from.y), oz = f64n_set1((double)from.z);
    const f64n ax = f64n_set1(along[0]), ay = f64n_set1(along[1]), az = f64n_set1(along[2]);
    f64n most = f64n_set1(0.0), at = f64n_set1((double)*furthest), place = f64n_iota();
    const uint32_t count = b->to->count;
    for (uint32_t i = 0; i < count; i += F64N) {
        if (i % F32N == 0) {
            split_points(b->to->point, i, count, b->p.x + i, b->p.y + i, b->p.z + i); /* a copy of the last point is no further */
            i32n_store(b->p.id + i, i32n_add(i32n_iota(), i32n_set1((int32_t)i)));
        }
        const f64n x = f64n_sub(f64n_load_f32(b->p.x + i), ox), y = f64n_sub(f64n_load_f32(b->p.y + i), oy),
                   z = f64n_sub(f64n_load_f32(b->p.z + i), oz);
        const f64n cx = f64n_sub(f64n_mul(ay, z), f64n_mul(az, y)), cy = f64n_sub(f64n_mul(az, x), f64n_mul(ax, z)),
                   cz = f64n_sub(f64n_mul(ax, y), f64n_mul(ay, x));
        const f64n square = f64n_add(f64n_add(f64n_mul(cx, cx), f64n_mul(cy, cy)), f64n_mul(cz, cz));
        const m64n further = f64n_cmp_gt(square, most);
        most = f64n_select(further, square, most);
        at = f64n_select(further, place, at);
        place = f64n_add(place, f64n_set1((double)F64N));
    }
    double which;
    const double value = largest(most, at, &which);
    *furthest = (uint32_t)which;
    return value;
}

/* The largest distances of points above and below a plane through one of them, and the first points that have them,
 * like the reference. */
static void leave_plane(const hull_builder *b, vp_vec3 from, const double n[3], double *most, double *least, uint32_t *highest,
                        uint32_t *lowest)
{
    const f64n ox = f64n_set1((double)from.x), oy = f64n_set1((double)from.y), oz = f64n_set1((double)from.z);
    const f64n nx = f64n_set1(n[0]), ny = f64n_set1(n[1]), nz = f64n_set1(n[2]);
    f64n up = f64n_set1(0.0), down = f64n_set1(0.0), up_at = f64n_set1((double)*highest), down_at = f64n_set1((double)*lowest);
    f64n place = f64n_iota();
    for (uint32_t i = 0; i < b->to->count; i += F64N) {
        const f64n x = f64n_sub(f64n_load_f32(b->p.x + i), ox), y = f64n_sub(f64n_load_f32(b->p.y + i), oy),
                   z = f64n_sub(f64n_load_f32(b->p.z + i), oz);
        const f64n h = f64n_add(f64n_add(f64n_mul(nx, x), f64n_mul(ny, y)), f64n_mul(nz, z));
        const m64n above = f64n_cmp_gt(h, up), below = f64n_cmp_gt(down, h);
        up = f64n_select(above, h, up);
        up_at = f64n_select(above, place, up_at);
        down = f64n_select(below, h, down);
        down_at = f64n_select(below, place, down_at);
        place = f64n_add(place, f64n_set1((double)F64N));
    }
    double which;
    *most = largest(up, up_at, &which);
    *highest = (uint32_t)which;
    *least = -largest(f64n_sub(f64n_set1(0.0), down), down_at, &which);
    *lowest = (uint32_t)which;
}

VP_INLINE f64n along_plane(const hull_plane *plane, f64n x, f64n y, f64n z)
{
    return f64n_add(f64n_add(f64n_mul(f64n_set1(plane->n[0]), x), f64n_mul(f64n_set1(plane->n[1]), y)),
                    f64n_mul(f64n_set1(plane->n[2]), z));
}

/* The place of the first of a face's points that are furthest above it. */
static size_t furthest_of(hull_builder *b, const hull_face *f)
{
    if (f->count == 1)
        return f->begin;
    b->cost.looked += f->count;
    const float *px = b->p.x + f->begin, *py = b->p.y + f->begin, *pz = b->p.z + f->begin;
    f64n most = f64n_set1(-INFINITY), at = f64n_set1(0.0), place = f64n_iota();
    for (size_t i = 0; i < f->count; i += F64N) {
        const f64n h = along_plane(&f->plane, f64n_load_f32(px + i), f64n_load_f32(py + i), f64n_load_f32(pz + i));
        m64n further = f64n_cmp_gt(h, most);
        if (f->count - i < F64N)
            further = m64n_and(further, first_lanes(f->count - i));
        most = f64n_select(further, h, most);
        at = f64n_select(further, place, at);
        place = f64n_add(place, f64n_set1((double)F64N));
    }
    double which;
    largest(most, at, &which);
    return f->begin + (size_t)which;
}

/* Takes the first of the points that are furthest above a face. In the middle of the piece a point inside the hull
   replaces it, so that the others stay in order. Otherwise the new faces, on whose planes the taken point lies, would
   need an exact decision about it. */
static uint32_t take_furthest(hull_builder *b, hull_face *f)
{
    const size_t at = furthest_of(b, f);
    const bool is_first = at == f->begin, is_last = at + 1 == f->begin + f->count;
    if (is_first || is_last) {
        f->begin += is_first ? 1 : 0;
        f->count--;
    } else if (b->has_inside) {
        b->p.x[at] = b->inside.x;
        b->p.y[at] = b->inside.y;
        b->p.z[at] = b->inside.z;
    }
    return b->p.id[at];
}

/* Labels VECTORS of points with the plane that they are furthest above. Several at a time, because a selection waits
   for the one before. @return lanes whose sums may not be certain */
VP_INLINE m64n compare_some(const float *px, const float *py, const float *pz, const hull_planes *plane, uint32_t planes, uint32_t *label,
                            const int vectors)
{
    f64n x[2], y[2], z[2], most[2], best[2], may[2];
    m64n any = m64n_zero();
    for (int k = 0; k < vectors; k++) {
        x[k] = f64n_load_f32(px + k * F64N);
        y[k] = f64n_load_f32(py + k * F64N);
        z[k] = f64n_load_f32(pz + k * F64N);
        most[k] = f64n_set1(0.0);
        best[k] = f64n_set1(-1.0);
        may[k] = f64n_set1(0.0);
    }
    for (uint32_t j = 0; j < planes; j++) {
        const f64n nx = f64n_set1(plane->n[0][j]), ny = f64n_set1(plane->n[1][j]), nz = f64n_set1(plane->n[2][j]);
        const f64n lo = f64n_set1(plane->lo[j]), hi = f64n_set1(plane->hi[j]), place = f64n_set1((double)j);
        for (int k = 0; k < vectors; k++) {
            const f64n h = f64n_add(f64n_add(f64n_mul(nx, x[k]), f64n_mul(ny, y[k])), f64n_mul(nz, z[k]));
            const f64n above = f64n_sub(h, lo);
            const m64n further = f64n_cmp_gt(above, most[k]);
            most[k] = f64n_max_fast(most[k], above);
            best[k] = f64n_select(further, place, best[k]);
            may[k] = f64n_max_fast(may[k], f64n_sub(h, hi));
        }
    }
    for (int k = 0; k < vectors; k++) {
        const m64n is_unsure = f64n_cmp_gt(may[k], f64n_set1(0.0)), sure = f64n_cmp_gt(most[k], f64n_set1(0.0));
        const f64n unsure = f64n_select(is_unsure, f64n_set1(-2.0), f64n_set1(-1.0));
        any = m64n_or(any, m64n_andnot(is_unsure, sure));
        f64n_store_i32(label + k * F64N, f64n_select(sure, best[k], unsure));
    }
    return any;
}

/* The same for any number of points. @return whether some sums may not be certain */
static bool compare(const float *px, const float *py, const float *pz, size_t count, const hull_planes *plane, uint32_t planes,
                    uint32_t *label)
{
    m64n any = m64n_zero();
    size_t i = 0;
    for (; i + F64N < count; i += 2 * F64N)
        any = m64n_or(any, compare_some(px + i, py + i, pz + i, plane, planes, label + i, 2));
    if (i < count)
        any = m64n_or(any, compare_some(px + i, py + i, pz + i, plane, planes, label + i, 1));
    return m64n_any(any);
}

/* ---- pieces of the arrays of points ---- */

/* Moves all pieces to the beginning, in the order in which they lie. */
static void move_together(hull_builder *b)
{
    uint32_t count = 0;
    for (uint32_t f = b->first; f != VP_HULL_NONE; f = b->face[f].after)
        b->order[count++] = f;
    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            const uint32_t f = b->order[i], begin = b->face[f].begin;
            uint32_t k = i;
            for (; k >= gap && b->face[b->order[k - gap]].begin > begin; k -= gap)
                b->order[k] = b->order[k - gap];
            b->order[k] = f;
        }
    b->used = 0;
    for (uint32_t i = 0; i < count; i++) {
        hull_face *f = &b->face[b->order[i]];
        if (f->begin != b->used) {
            memmove(b->p.x + b->used, b->p.x + f->begin, f->count * sizeof(float));
            memmove(b->p.y + b->used, b->p.y + f->begin, f->count * sizeof(float));
            memmove(b->p.z + b->used, b->p.z + f->begin, f->count * sizeof(float));
            memmove(b->p.id + b->used, b->p.id + f->begin, f->count * sizeof(uint32_t));
            f->begin = (uint32_t)b->used;
        }
        b->used += f->count;
    }
}

static bool is_place(vp_vec3 p, vp_vec3 q)
{
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

/* Finds the face of a point whose sums are not certain, the first one that it is exactly above. Faces with a corner in
   the same place are skipped without a computation, because many points may be in one place. */
static uint32_t decide(hull_builder *b, size_t at, const uint32_t *face, uint32_t faces)
{
    const uint32_t point = b->p.id[at];
    const vp_vec3 *all = b->to->point, p = all[point]; /* the arrays may contain another point */
    const double where[3] = {(double)p.x, (double)p.y, (double)p.z};
    for (uint32_t j = 0; j < faces; j++) {
        const hull_face *f = &b->face[face[j]];
        if (is_place(p, all[f->vertex[0]]) || is_place(p, all[f->vertex[1]]) || is_place(p, all[f->vertex[2]]))
            continue;
        b->work++;
        if (side_of(b, f, point, where) > 0)
            return j;
    }
    return LABEL_INSIDE;
}

/* Compares the points of pieces with the new faces. */
static void label_by_comparing(hull_builder *b, uint32_t pieces, const uint32_t *face, uint32_t faces)
{
    uint32_t *label = b->label;
    for (uint32_t i = 0; i < pieces; i++) {
        const uint32_t begin = b->piece[i].begin, count = b->piece[i].count;
        b->work += (uint64_t)count * faces;
        b->cost.looked += count;
        if (compare(b->p.x + begin, b->p.y + begin, b->p.z + begin, count, &b->cone, faces, label))
            for (uint32_t k = find_label(label, 0, count, LABEL_UNSURE); k < count; k = find_label(label, k + 1, count, LABEL_UNSURE))
                label[k] = decide(b, begin + k, face, faces);
        label += count;
    }
}

/* The same for all pieces, with the many faces of an apex. */
static void label_in_sectors(hull_builder *b, uint32_t pieces, const uint32_t *face, uint32_t faces)
{
    hull_sectors s;
    uint32_t *label = b->label;
    find_sectors(b, face, faces, &s);
    for (uint32_t i = 0; i < pieces; i++) {
        b->cost.looked += b->piece[i].count;
        for (size_t at = b->piece[i].begin, end = at + b->piece[i].count; at < end; at++, label++) {
            *label = label_by_sector(b, &s, at, LABEL_INSIDE, LABEL_UNSURE);
            if (*label == LABEL_UNSURE)
                *label = decide(b, at, face, faces);
        }
    }
}

/* Vectors at the end of the used part read a little more. The values are not used, but are cleared so that
 * results are deterministic. */
static void clear_behind(const hull_builder *b, size_t end)
{
    memset(b->p.x + end, 0, 2 * F64N * sizeof(float));
    memset(b->p.y + end, 0, 2 * F64N * sizeof(float));
    memset(b->p.z + end, 0, 2 * F64N * sizeof(float));
    memset(b->p.id + end, 0, 2 * F64N * sizeof(uint32_t));
}

enum { FEW = 12 }; /* faces up to which labels are read once for each face */

/* Copies the points of a piece to the faces of their labels, if all are in one vector. @return whether it did */
static bool copy_at_once(hull_builder *b, const uint32_t *face, uint32_t faces)
{
#ifdef VP_HULL_DEAL
    const hull_piece piece = b->piece[0];
    uint32_t end[FEW], before = 0;
    if (piece.count > VP_HULL_DEAL)
        return false;
    const uint32_t all = deal_points(b->p.x, b->p.y, b->p.z, b->p.id, piece.begin, b->used, b->label, piece.count, faces, end);
    for (uint32_t j = 0; j < faces; j++) {
        hull_face *f = &b->face[face[j]];
        f->begin = (uint32_t)b->used + before;
        f->count = end[j] - before;
        before = end[j];
        if (f->count > 0)
            enter_list(b, face[j]);
    }
    b->used += all;
    return true;
#else
    (void)b, (void)face, (void)faces;
    return false;
#endif
}

/* Copies the points of pieces to the faces of their labels, face by face. */
static void copy_by_face(hull_builder *b, uint32_t pieces, const uint32_t *face, uint32_t faces)
{
    for (uint32_t j = 0; j < faces; j++) {
        hull_face *f = &b->face[face[j]];
        const uint32_t *label = b->label;
        size_t to = b->used;
        for (uint32_t i = 0; i < pieces; i++) {
            const size_t from = b->piece[i].begin;
            to += copy_labelled(b->p.x + from, b->p.y + from, b->p.z + from, b->p.id + from, label, b->piece[i].count, j, b->p.x + to,
                                b->p.y + to, b->p.z + to, b->p.id + to);
            label += b->piece[i].count;
        }
        f->begin = (uint32_t)b->used;
        f->count = (uint32_t)(to - b->used);
        b->used = to;
        if (f->count > 0)
            enter_list(b, face[j]);
    }
}

/* The same, point by point, for many faces. */
static void copy_by_point(hull_builder *b, uint32_t pieces, const uint32_t *face, uint32_t faces)
{
    const uint32_t *label = b->label;
    for (uint32_t i = 0; i < pieces; i++)
        for (uint32_t k = 0; k < b->piece[i].count; k++, label++)
            if (*label != LABEL_INSIDE)
                b->face[face[*label]].count++;
    for (uint32_t j = 0; j < faces; j++) {
        hull_face *f = &b->face[face[j]];
        f->begin = (uint32_t)b->used;
        b->used += f->count;
        if (f->count > 0)
            enter_list(b, face[j]);
        f->count = 0; /* until they are copied */
    }
    label = b->label;
    for (uint32_t i = 0; i < pieces; i++)
        for (size_t from = b->piece[i].begin, end = from + b->piece[i].count; from < end; from++, label++) {
            if (*label == LABEL_INSIDE)
                continue;
            hull_face *f = &b->face[face[*label]];
            const size_t to = f->begin + f->count++;
            b->p.x[to] = b->p.x[from];
            b->p.y[to] = b->p.y[from];
            b->p.z[to] = b->p.z[from];
            b->p.id[to] = b->p.id[from];
        }
}

/* ---- the four steps of the reference ---- */

/* Removes visible faces. Their points become pieces, and their places are free. Provides room for as many points after
   all others. @return the number of pieces */
static uint32_t take_away(hull_builder *b, uint32_t visible)
{
    size_t points = 0;
    uint32_t pieces = 0;
    for (uint32_t f = visible; f != VP_HULL_NONE; f = b->face[f].link)
        points += b->face[f].count;
    if (b->used + points > b->room)
        move_together(b);
    const uint32_t first = visible; /* the apex's face, which is listed even if it owns no other point */
    while (visible != VP_HULL_NONE) {
        const uint32_t f = visible;
        hull_face *gone = &b->face[f];
        visible = gone->link;
        if (f == first || gone->count > 0)
            leave_list(b, f);
        if (gone->count > 0)
            b->piece[pieces++] = (hull_piece){gone->begin, gone->count};
        gone->state = FACE_FREE;
        gone->link = b->free;
        b->free = f;
    }
    return pieces;
}

/* Moves few points in several pieces into one piece after the room for points, so that vectors are full. @return the
 * number of pieces */
static uint32_t put_together(hull_builder *b, uint32_t pieces)
{
    uint32_t points = 0;
    for (uint32_t i = 0; i < pieces; i++)
        points += b->piece[i].count;
    if (pieces < 2 || points > TOGETHER)
        return pieces;
    const size_t begin = b->room + SLACK;
    size_t to = begin;
    for (uint32_t i = 0; i < pieces; i++) {
        const size_t from = b->piece[i].begin;
        for (size_t k = 0; k < b->piece[i].count; k += F32N) {
            f32n_store(b->p.x + to + k, f32n_load(b->p.x + from + k));
            f32n_store(b->p.y + to + k, f32n_load(b->p.y + from + k));
            f32n_store(b->p.z + to + k, f32n_load(b->p.z + from + k));
            i32n_store(b->p.id + to + k, i32n_load(b->p.id + from + k));
        }
        to += b->piece[i].count;
    }
    clear_behind(b, to);
    b->piece[0] = (hull_piece){(uint32_t)begin, points};
    return 1;
}

/* Step 4. Moves the points of pieces to new faces. */
static void hand_over(hull_builder *b, uint32_t pieces, const uint32_t *face, uint32_t faces)
{
    enum { MANY = 16 * F64N + 32 }; /* about as many comparisons of one point as finding its sector costs */
    const size_t used = b->used;
    pieces = put_together(b, pieces);
    if (faces > MANY && b->has_inside)
        label_in_sectors(b, pieces, face, faces);
    else
        label_by_comparing(b, pieces, face, faces);
    if (faces > FEW)
        copy_by_point(b, pieces, face, faces);
    else if (pieces != 1 || !copy_at_once(b, face, faces))
        copy_by_face(b, pieces, face, faces);
    b->cost.moved += b->used - used;
    clear_behind(b, b->used);
}

/* ---- the beginning, as the reference's find_simplex ---- */

static uint32_t find_simplex(hull_builder *b, uint32_t corner[4], double *thickness)
{
    const vp_hull3_job *to = b->to;
    const vp_vec3 *p = to->point;
    double along[3], normal[3], away[3], most, least;
    from_to3(to->bounds->min, to->bounds->max, along);
    const int axis = along[0] >= along[1] && along[0] >= along[2] ? 0 : along[1] >= along[2] ? 1 : 2;
    corner[0] = corner[2] = corner[3] = to->bounds->lowest[axis];
    corner[1] = to->bounds->highest[axis];
    if (along[axis] <= to->flat)
        return 0;
    from_to3(p[corner[0]], p[corner[1]], along);
    if (split_and_leave_line(b, p[corner[0]], along, &corner[2]) <= to->flat * to->flat * dot3(along, along))
        return 1;
    from_to3(p[corner[0]], p[corner[2]], away);
    cross3(along, away, normal);
    uint32_t highest = corner[0], lowest = corner[0];
    leave_plane(b, p[corner[0]], normal, &most, &least, &highest, &lowest);
    *thickness = (most - least) / sqrt(dot3(normal, normal));
    if (*thickness <= to->flat)
        return 2;
    corner[3] = most >= -least ? highest : lowest;
    for (uint32_t i = 0; vp_orient3d(p[corner[0]], p[corner[1]], p[corner[2]], p[corner[3]]) == 0; i++) {
        if (i == to->count)
            return 2;
        corner[3] = i;
    }
    return 3;
}

/* @return the number of new faces, 4 */
static uint32_t make_simplex(hull_builder *b, const uint32_t corner[4])
{
    const vp_vec3 *p = b->to->point;
    const uint32_t down = vp_orient3d(p[corner[0]], p[corner[1]], p[corner[2]], p[corner[3]]) < 0;
    const uint32_t v0 = corner[0], v1 = corner[down ? 1 : 2], v2 = corner[down ? 2 : 1], top = corner[3];
    const uint32_t base = new_face(b, v0, v1, v2);
    make_plane(b, &b->face[base]);
    add_to_horizon(b, 0, 8 * base + 2 * 2, v0); /* the horizon runs around it, in the opposite direction */
    add_to_horizon(b, 1, 8 * base + 2 * 1, v2);
    add_to_horizon(b, 2, 8 * base + 2 * 0, v1);
    make_cone(b, 3, top);
    set_plane(&b->cone, 3, &b->face[base].plane);
    b->order[3] = base;
    return 4;
}

/* Sets `inside` to the middle of the simplex, if the rounded point is inside, and stores it in place of each corner. */
static void put_inside(hull_builder *b, const uint32_t corner[4], const uint32_t face[4])
{
    const vp_vec3 *p = b->to->point;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        sum[0] += (double)p[corner[i]].x;
        sum[1] += (double)p[corner[i]].y;
        sum[2] += (double)p[corner[i]].z;
    }
    b->inside = (vp_vec3){(float)(sum[0] / 4.0), (float)(sum[1] / 4.0), (float)(sum[2] / 4.0)};
    b->has_inside = true;
    for (int i = 0; i < 4; i++) {
        const uint32_t *v = b->face[face[i]].vertex;
        b->has_inside = b->has_inside && vp_orient3d(p[v[0]], p[v[1]], p[v[2]], b->inside) < 0;
    }
    for (int i = 0; i < 4 && b->has_inside; i++) {
        b->p.x[corner[i]] = b->inside.x;
        b->p.y[corner[i]] = b->inside.y;
        b->p.z[corner[i]] = b->inside.z;
    }
}

/* ---- all of it ---- */

static void *piece_of(char **at, size_t bytes)
{
    void *piece = *at;
    *at += (bytes + 63) / 64 * 64;
    return piece;
}

static void set_up(hull_builder *b, const vp_hull3_job *to)
{
    const size_t n = to->count, room = 2 * n + SLACK + TOGETHER + SLACK;
    const float low[3] = {to->bounds->min.x, to->bounds->min.y, to->bounds->min.z};
    const float high[3] = {to->bounds->max.x, to->bounds->max.y, to->bounds->max.z};
    char *at = to->scratch;
    memset(b, 0, sizeof *b);
    b->to = to;
    b->room = 2 * n;
    for (int k = 0; k < 3; k++) {
        b->side[k] = (double)high[k] - (double)low[k];
        b->reach[k] = fmax(fabs((double)low[k]), fabs((double)high[k]));
    }
    b->face = piece_of(&at, vp_hull3_max_triangles(to->count) * sizeof(hull_face));
    b->p.x = piece_of(&at, room * sizeof(float));
    b->p.y = piece_of(&at, room * sizeof(float));
    b->p.z = piece_of(&at, room * sizeof(float));
    b->p.id = piece_of(&at, room * sizeof(uint32_t));
    for (int k = 0; k < 3; k++)
        b->cone.n[k] = piece_of(&at, (n + F64N) * sizeof(double));
    b->cone.lo = piece_of(&at, (n + F64N) * sizeof(double));
    b->cone.hi = piece_of(&at, (n + F64N) * sizeof(double));
    b->special = piece_of(&at, (n + F64N) * sizeof(double));
    for (int k = 0; k < 3; k++)
        b->ring[k] = piece_of(&at, (n + 2 * F64N) * sizeof(float));
    b->label = piece_of(&at, (n + SLACK) * sizeof(uint32_t));
    b->vertex = b->label;
    b->horizon = piece_of(&at, n * sizeof(uint32_t));
    b->order = piece_of(&at, (n + 1) * sizeof(uint32_t));
    b->piece = piece_of(&at, n * sizeof(hull_piece));
    b->free = b->first = b->last = VP_HULL_NONE;
}

static uint32_t tell(const hull_builder *b)
{
    uint32_t triangles = 0;
    for (uint32_t f = 0; f < b->faces; f++)
        if (b->face[f].state != FACE_FREE)
            b->face[f].link = triangles++;
    for (uint32_t f = 0; f < b->faces; f++) {
        const hull_face *from = &b->face[f];
        if (from->state == FACE_FREE)
            continue;
        vp_hull_triangle *t = &b->to->triangle[from->link];
        for (int i = 0; i < 3; i++) {
            t->vertex[i] = from->vertex[i];
            t->neighbour[i] = b->face[from->beside[i] / 4].link;
        }
    }
    return triangles;
}

static vp_hull3_result hull3(const vp_hull3_job *to)
{
    vp_hull3_result built = {0};
    hull_builder b;
    uint32_t corner[4], faces;
    set_up(&b, to);
    built.dimension = find_simplex(&b, corner, &built.thickness);
    for (int i = 0; i < 3; i++)
        built.corner[i] = corner[i];
    if (built.dimension < 3)
        return built;
    b.used = to->count;
    b.cost.looked = 2 * (uint64_t)to->count; /* comparisons of find_simplex */
    clear_behind(&b, b.used);
    b.piece[0] = (hull_piece){0, to->count};
    faces = make_simplex(&b, corner);
    put_inside(&b, corner, b.order);
    hand_over(&b, 1, b.order, faces);
    while (b.first != VP_HULL_NONE && b.work <= to->max_work) {
        const uint32_t f = b.first, apex = take_furthest(&b, &b.face[f]);
        faces = find_horizon(&b, f, apex);
        const uint32_t pieces = take_away(&b, f);
        make_cone(&b, faces, apex);
        if (pieces > 0)
            hand_over(&b, pieces, b.order, faces);
    }
    built.work = b.work;
    built.cost = b.cost;
    if (b.work <= to->max_work)
        built.triangles = tell(&b);
    return built;
}

#endif
