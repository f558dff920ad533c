/* SPDX-License-Identifier: MIT */
/* Contacts without ghosts: a normal that the surface has, and the distance along it (narrowphase.h). The normal
 * is chosen in double precision. The distance comes from a ray (ray.c), and the kernel finds where the moved
 * shape touches. Contacts whose normal is not the way out of the triangle are dropped. */
#include <voxphys/narrowphase.h>

#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/narrowphase/manifold_internal.h"
#include "src/narrowphase/order.h"
#include "src/narrowphase/ray.h"
#include "src/narrowphase/run.h"

/* A corner that reaches less far than the farthest by at most this part of the longest edge counts as equally far. */
#define AS_FAR 1e-3
/* Sine up to which a direction away from a corner does not count as in front of it. */
#define IN_FRONT 0.01
/* Directions that differ by at most 2^-21 are equal. */
#define SAME        0x1p-21
#define SAME_SQUARE 0x1.0000000000001p-42 /* the largest number whose root is SAME */

/* Set in the triangle_feature of an answer measured along a new normal. on_triangle.x then holds the kernel's own
 * depth, until drop_cleared computes the point from the weights. */
#define MEASURED 0x100u
/* Set as well if the new normal belongs to a triangle across an edge. */
#define BORROWED 0x200u
/* Set as well if the points are still those of the kernel's own normal. on_triangle.y and z then hold the depth along the new
 * normal, a double. */
#define UNTOUCHED 0x400u

static bool is_none(vp_vec3 a)
{
    return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f;
}

static bool is_same(vp_vec3 a, vp_vec3 b)
{
    const vp_real3 d = vp_real3_sub(vp_real3_of(a), vp_real3_of(b));
    return vp_real3_dot(d, d) <= SAME_SQUARE;
}

static bool is_active(const vp_collide_triangle *t, int edge)
{
    const int flag = t->flags >> 2 * edge & 3;
    return flag == VP_EDGE_CONVEX || flag == VP_EDGE_OPEN;
}

static vp_real3 edge_of(const vp_vec3 corner[3], int from, int to)
{
    return vp_real3_sub(vp_real3_of(corner[to]), vp_real3_of(corner[from]));
}

/* ---- the normal ---- */

/* The normals of an edge, between those of the triangles on both sides. */
typedef struct fan {
    vp_real3 outward;    /* perpendicular to the edge, in the triangle's plane */
    vp_vec3 end;         /* last normal, where the first is the triangle's */
    double cosine, sine; /* components of the last normal along the first and along `out` */
} fan;

/* @return false if there are no normals between, or no edge */
static bool fan_of(const vp_collide_triangle *t, int k, fan *f)
{
    const vp_real3 n = vp_real3_of(t->normal), across = vp_real3_cross(edge_of(t->corner, k, (k + 1) % 3), n);
    const double width = vp_real3_length(across);
    if (!(width > 0.0))
        return false;
    f->outward = vp_real3_scale(across, 1.0 / width);
    f->end = is_none(t->neighbour_normal[k]) ? vp_real3_rounded(f->outward) : t->neighbour_normal[k];
    f->cosine = is_none(t->neighbour_normal[k]) ? 0.0 : vp_real3_dot(vp_real3_of(f->end), n);
    f->sine = is_none(t->neighbour_normal[k]) ? 1.0 : vp_real3_dot(vp_real3_of(f->end), f->outward);
    if (f->sine <= 0.0 && f->cosine >= 0.0)
        return false;
    f->sine = f->sine > 0.0 ? f->sine : 0.0; /* back to back: half a circle */
    return true;
}

/* Whether a direction is in the fan, by its components along the triangle's normal and along `out`. */
static bool is_between(const fan *f, double a, double b)
{
    return b >= 0.0 && a * f->sine - b * f->cosine >= 0.0;
}

/* A normal of an edge: u made perpendicular to the edge if it is in the fan, otherwise the nearer of the fan's two ends. */
static vp_vec3 find_edge_normal(const vp_collide_triangle *t, int k, vp_vec3 u)
{
    fan f;
    if (!fan_of(t, k, &f))
        return t->normal;
    const vp_real3 n = vp_real3_of(t->normal);
    const double a = vp_real3_dot(vp_real3_of(u), n), b = vp_real3_dot(vp_real3_of(u), f.outward), square = a * a + b * b;
    if (!(square > SAME * SAME))
        return t->normal;
    if (is_between(&f, a, b)) {
        const vp_vec3 w = vp_real3_rounded(vp_real3_scale(vp_real3_plus(vp_real3_scale(n, a), f.outward, b), 1.0 / sqrt(square)));
        return is_same(w, u) ? u : w;
    }
    return a >= a * f.cosine + b * f.sine ? t->normal : f.end;
}

/* All listed triangles. If there are many, corners are put into buckets by a hash of their place. */
typedef struct surroundings {
    const vp_collide_triangle *triangle;
    uint32_t count;
    bool has_buckets;
    uint32_t
        *first; /* [3 * count], 1 + first corner of each bucket, 0 = empty. A corner's number is 3*triangle + corner. NULL = no memory */
    uint32_t *next;                /* [3 * count], 1 + next corner of the same bucket */
    const vp_terrain_edges *edges; /* of a terrain, whose triangles are not listed. NULL = other triangles */
} surroundings;

/* Number of triangles up to which all are searched, which is faster than buckets. */
enum { FEW_TRIANGLES = 48 };

static void fill_buckets(surroundings *s)
{
    s->has_buckets = true;
    memset(s->first, 0, (size_t)3 * s->count * sizeof *s->first);
    for (uint32_t i = 0; i < 3 * s->count; i++) {
        uint32_t *first = &s->first[vp_slot_of(vp_hash_place(s->triangle[i / 3].corner[i % 3]), 3 * s->count)];
        s->next[i] = *first;
        *first = 1 + i;
    }
}

/* Whether a triangle extends in front of a corner, by more than a sine. False if corner k is not at this place. */
static bool is_in_front(const vp_vec3 of[3], uint32_t k, vp_vec3 corner, vp_vec3 u, double sine)
{
    if (!vp_is_same_place(of[k], corner))
        return false;
    const vp_real3 a = edge_of(of, (int)k, (int)((k + 1) % 3)), b = edge_of(of, (int)k, (int)((k + 2) % 3));
    return vp_real3_dot(vp_real3_of(u), a) > sine * vp_real3_length(a) || vp_real3_dot(vp_real3_of(u), b) > sine * vp_real3_length(b);
}

static bool is_foremost_of_terrain(vp_quad_reader *quads, vp_vec3 corner, vp_vec3 u, double sine)
{
    vp_quad_triangle t[2];
    uint32_t edge = 0, count;
    bool found = false;
    while (!found && (count = vp_quads_next_around(quads, corner, &edge, t)) > 0)
        for (uint32_t i = 0; i < 3 * count && !found; i++)
            found = is_in_front(t[i / 3].corner, i % 3, corner, u, sine);
    return !found;
}

/* Whether no triangle with this corner extends in front of it by more than a sine. */
static bool is_foremost(surroundings *s, vp_vec3 corner, vp_vec3 u, double sine)
{
    bool found = false;
    if (s->edges != NULL)
        return is_foremost_of_terrain(s->edges->quads, corner, u, sine);
    if (s->count <= FEW_TRIANGLES || s->first == NULL) {
        for (uint32_t i = 0; i < 3 * s->count && !found; i++)
            found = is_in_front(s->triangle[i / 3].corner, i % 3, corner, u, sine);
        return !found;
    }
    if (!s->has_buckets)
        fill_buckets(s);
    for (uint32_t i = s->first[vp_slot_of(vp_hash_place(corner), 3 * s->count)]; i != 0 && !found; i = s->next[i - 1])
        found = is_in_front(s->triangle[(i - 1) / 3].corner, (i - 1) % 3, corner, u, sine);
    return !found;
}

static vp_vec3 find_corner_normal(const vp_collide_triangle *t, int k, vp_vec3 u, surroundings *around)
{
    const int edge[2] = {k, (k + 2) % 3};
    const bool active[2] = {is_active(t, edge[0]), is_active(t, edge[1])};
    const bool ends = (active[0] && is_none(t->neighbour_normal[edge[0]])) || (active[1] && is_none(t->neighbour_normal[edge[1]]));
    if (!active[0] && !active[1])
        return t->normal;
    if (!(ends && vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)) < 0.0) && is_foremost(around, t->corner[k], u, IN_FRONT))
        return u;
    vp_vec3 best = t->normal;
    double nearest = -INFINITY;
    for (int i = 0; i < 2; i++) {
        const vp_vec3 w = active[i] ? find_edge_normal(t, edge[i], u) : t->normal;
        const double near = active[i] ? vp_real3_dot(vp_real3_of(w), vp_real3_of(u)) : -INFINITY;
        best = near > nearest ? w : best;
        nearest = near > nearest ? near : nearest;
    }
    return best;
}

/* The part of a triangle that reaches farthest along a direction. */
typedef struct furthest {
    int edge, corner; /* edge or corner, both -1 = the face */
} furthest;

static furthest find_furthest(const vp_collide_triangle *t, vp_vec3 u)
{
    double reach[3], max = -INFINITY, square = 0.0;
    for (int k = 0; k < 3; k++) {
        const vp_real3 edge = edge_of(t->corner, k, (k + 1) % 3);
        const double length = vp_real3_dot(edge, edge);
        reach[k] = vp_real3_dot(vp_real3_of(u), edge_of(t->corner, 0, k));
        max = reach[k] > max ? reach[k] : max;
        square = length > square ? length : square;
    }
    const double min = max - AS_FAR * sqrt(square);
    furthest found = {-1, -1};
    for (int k = 0; k < 3; k++) {
        const bool here = reach[k] >= min, next = reach[(k + 1) % 3] >= min, last = reach[(k + 2) % 3] >= min;
        if (here && next && !last)
            found.edge = k;
        if (here && !next && !last)
            found.corner = k;
    }
    return found;
}

static vp_vec3 correct_normal(const vp_collide_triangle *t, furthest p, vp_vec3 u, surroundings *around)
{
    if (p.corner >= 0)
        return find_corner_normal(t, p.corner, u, around);
    return p.edge >= 0 && is_active(t, p.edge) ? find_edge_normal(t, p.edge, u) : t->normal;
}

/* Bits of the edges that determine the normal of a part. */
static unsigned edges_of(furthest p)
{
    if (p.corner >= 0)
        return 1u << p.corner | 1u << (p.corner + 2) % 3;
    return p.edge >= 0 ? 1u << p.edge : 0;
}

/* Whether an edge belongs to a part: to itself, to a corner of it, or to the face. */
static bool has_edge(furthest p, int k)
{
    if (p.corner >= 0)
        return k == p.corner || k == (p.corner + 2) % 3;
    return p.edge < 0 || k == p.edge;
}

/* The normals of the triangle and of the triangles across the convex edges of its part. @return their number */
static int list_side_normals(const vp_collide_triangle *t, furthest p, vp_vec3 out[4])
{
    int count = 0;
    out[count++] = t->normal;
    for (int k = 0; k < 3; k++)
        if (has_edge(p, k) && is_active(t, k) && !is_none(t->neighbour_normal[k]))
            out[count++] = t->neighbour_normal[k];
    return count;
}

/* ---- the distance ---- */

/* Batch of answers whose normals have changed, and number of answers that cleared others last. */
enum { BATCH = 16, RECENT = 8 };

typedef struct moved {
    uint32_t number;  /* number of the triangle */
    float depth;      /* the kernel's own depth */
    vp_vec3 normal;   /* new normal */
    double distance;  /* distance that the shape was moved along it */
    double size;      /* size, as in kernel/narrowphase.h */
    bool is_borrowed; /* the normal belongs to a triangle across an edge */
} moved;

typedef struct correction_batch {
    const vp_kernels *kernels;
    vp_collide_job job; /* the caller's job */
    surroundings around;
    bool is_long; /* most answers of a long list are dropped, so points are found at the end */
    uint32_t count;
    moved moved[BATCH];
    vp_collide_triangle triangle[BATCH]; /* triangles moved instead of the shape */
    vp_collide_result touch[BATCH];
} correction_batch;

/* Whether u is a normal of the surface at the triangle's nearest point. Then no other triangle is nearer. */
static bool is_of_surface(correction_batch *w, uint32_t number)
{
    const vp_collide_job *job = &w->job;
    const vp_collide_triangle *t = &job->triangle[number];
    const vp_vec3 u = job->result[number].normal;
    const uint32_t part = job->result[number].triangle_feature;
    fan f;
    if (part >= VP_TRIANGLE_EDGE && part < VP_TRIANGLE_EDGE + 3)
        return vp_edge_of(t->flags, part - VP_TRIANGLE_EDGE) != VP_EDGE_CONCAVE && fan_of(t, (int)(part - VP_TRIANGLE_EDGE), &f) &&
               is_between(&f, vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)), vp_real3_dot(vp_real3_of(u), f.outward));
    return part >= VP_TRIANGLE_CORNER && part < VP_TRIANGLE_CORNER + 3 && vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)) > 0.0 &&
           is_foremost(&w->around, t->corner[part - VP_TRIANGLE_CORNER], u, 0.0);
}

/* Drops the contact of a shape that is apart, if along the new normal it misses the triangle or is beyond the margin.
 * An answer with a normal of the surface stays unchanged, because no other triangle reports its contact. */
static void drop_contact(correction_batch *w, uint32_t number, vp_vec3 normal, float distance)
{
    if (!is_of_surface(w, number))
        w->job.result[number] = (vp_collide_result){
            .distance = distance, .normal = normal, .triangle_feature = VP_COLLIDE_NONE, .shape_feature = VP_COLLIDE_NONE};
}

/* Replaces an answer by one measured along a new normal. @param touch  has the points */
static void set_measured(vp_collide_result *answer, const moved *m, const vp_collide_result *touch)
{
    const vp_collide_result old = *touch;
    *answer = old;
    answer->distance = (float)-m->distance;
    answer->normal = m->normal;
    answer->on_triangle.x = m->depth;
    answer->triangle_feature |= MEASURED | (m->is_borrowed ? BORROWED : 0);
}

static void finish_contact(correction_batch *w, const moved *m, const vp_collide_result *touch)
{
    vp_collide_result *answer = &w->job.result[m->number];
    if ((double)touch->distance <= m->size * VP_TOUCHING)
        set_measured(answer, m, touch);
    else if (m->depth < 0.0f)
        drop_contact(w, m->number, m->normal, INFINITY);
    else { /* grazes the triangle perpendicular to the way, so they touch at the answer's points */
        answer->distance = -m->depth;
        answer->normal = m->normal;
    }
}

static void flush_moved(correction_batch *w)
{
    if (w->count == 0)
        return;
    vp_collide_job job = {.shape = w->job.shape, .margin = INFINITY, .triangle = w->triangle, .count = w->count, .result = w->touch};
    for (int k = 0; k < 3; k++)
        job.frame.row[k] = w->job.frame.row[k];
    vp_collide_run(w->kernels, &job);
    for (uint32_t i = 0; i < w->count; i++)
        finish_contact(w, &w->moved[i], &w->touch[i]);
    w->count = 0;
}

/* Moves the triangle instead of the shape, and finds the points of the next batch. @param relative  the triangle's corners */
static void add_moved(correction_batch *w, const moved *m, const vp_real3 relative[3])
{
    for (int k = 0; k < 3; k++)
        w->triangle[w->count].corner[k] = vp_real3_rounded(vp_real3_plus(relative[k], vp_real3_of(m->normal), -m->distance));
    w->moved[w->count++] = *m;
    if (w->count == BATCH)
        flush_moved(w);
}

/* Uses a side's normal if the way out along it is shorter. The nearest normal may lead a long way. */
static void try_side_normals(moved *m, const correction_batch *w, furthest p, const vp_real3 corner[3])
{
    vp_vec3 side[4];
    const int count = list_side_normals(&w->job.triangle[m->number], p, side);
    const double slack = 2.0 * VP_TOUCHING * m->size, min = -(double)w->job.result[m->number].distance;
    for (int i = 0; i < count && m->distance > min + slack; i++) {
        const vp_real3 along = vp_ray_turned(&w->job.frame, vp_real3_of(side[i]));
        if (is_same(side[i], m->normal) || vp_ray_overlaps(w->job.shape, corner, along, m->distance - 0.5 * slack))
            continue;
        const double t = vp_ray_depth(w->job.shape, corner, along);
        if (t < m->distance - slack) {
            m->distance = t;
            m->normal = side[i];
            m->is_borrowed = i > 0;
        }
    }
}

static void measure_moved(correction_batch *w, uint32_t number, furthest p, vp_vec3 normal)
{
    vp_collide_result *answer = &w->job.result[number];
    const uint32_t on_edge = answer->triangle_feature - VP_TRIANGLE_EDGE;
    if (w->around.edges != NULL)
        vp_connect_edges(w->around.edges, number, p.edge < 0 && p.corner < 0 ? 7 : on_edge < 3 ? 1u << on_edge : 0);
    const bool apart = answer->distance > 0.0f;
    moved m = {.number = number, .depth = -answer->distance, .normal = normal};
    vp_real3 relative[3], corner[3];
    m.size = vp_ray_corners(&w->job, number, relative, corner);
    m.distance = vp_ray_depth(w->job.shape, corner, vp_ray_turned(&w->job.frame, vp_real3_of(normal)));
    const bool misses = m.distance > 0.0 || -m.distance > 4.0 * m.size; /* past the triangle, or farther than its farthest corner */
    if (apart && (misses || -m.distance > (double)w->job.margin)) {
        drop_contact(w, number, normal, misses ? INFINITY : (float)-m.distance);
        return;
    }
    if (!apart)
        try_side_normals(&m, w, p, corner);
    if (!apart && m.distance < -(double)answer->distance)
        m.distance = -(double)answer->distance; /* roundings */
    if (!w->is_long || !((double)m.depth > 4.0 * VP_TOUCHING * m.size)) {
        add_moved(w, &m, relative);
        return;
    }
    /* the way begins inside the sum of both, so they touch where it ends, and the points can wait (find_points) */
    set_measured(answer, &m, answer);
    answer->triangle_feature |= UNTOUCHED;
    memcpy(&answer->on_triangle.y, &m.distance, sizeof m.distance);
}

/* Finds the points of the measured answers that no other clears. */
static void find_points(correction_batch *w, uint32_t answered)
{
    for (uint32_t i = 0; i < answered && w->is_long; i++) {
        vp_collide_result *answer = &w->job.result[i];
        if (answer->triangle_feature == VP_COLLIDE_NONE || (answer->triangle_feature & UNTOUCHED) == 0)
            continue;
        vp_real3 relative[3], corner[3];
        moved m = {.number = i, .depth = answer->on_triangle.x, .normal = answer->normal};
        memcpy(&m.distance, &answer->on_triangle.y, sizeof m.distance);
        m.size = vp_ray_corners(&w->job, i, relative, corner);
        answer->triangle_feature &= ~UNTOUCHED;
        add_moved(w, &m, relative);
    }
    flush_moved(w);
}

/* ---- answers that others clear ---- */

/* A corrected depth is measured along a normal of the surface. Near a convex edge that normal may belong to another side
 * of the solid than the one the shape came through. The depth is then as long as the shape is wide. Such an answer is
 * kept only if no shallower answer moves the shape out of its triangle.
 *
 * No contact is lost. The shallower answer moves the shape out of the triangle. So it is at least as deep as the
 * kernel's depth, which is the shortest way out. An answer that causes a drop is never dropped itself, because answers
 * are tested from the shallowest to the deepest. */

static bool is_contact(const vp_collide_result *answer)
{
    return answer->triangle_feature != VP_COLLIDE_NONE;
}

static bool is_measured(const vp_collide_result *answer)
{
    return is_contact(answer) && (answer->triangle_feature & MEASURED) != 0;
}

/* Whether it overlapped according to the kernel, and was measured since. */
static bool can_be_dropped(const vp_collide_result *answer)
{
    return is_measured(answer) && answer->on_triangle.x >= 0.0f;
}

static double depth_of(const vp_collide_result *answer)
{
    return -(double)answer->distance;
}

/* Whether the shape, moved by t w, is out of the triangle. Corners and centre are tested first, because they reject
 * most cases. */
static bool is_out(const vp_collide_shape *shape, const vp_real3 corner[3], vp_real3 w, double t)
{
    return !vp_ray_overlaps(shape, corner, w, t) && vp_ray_depth_within(shape, corner, w, t) <= t;
}

/* The contacts in order of depth. Those before the one that is tested are the ones that were not dropped. */
typedef struct depth_order {
    uint64_t *key;                         /* vp_order_key of depth and number, NULL = not sorted */
    uint32_t kept;                         /* number of contacts that were tested and kept, the first keys */
    uint32_t next, count;                  /* keys [next, count) were not tested yet */
    uint32_t recent[RECENT], recent_count; /* that cleared others, the last first: likely to clear the next */
    vp_real3 row[3];                       /* of the frame */
} depth_order;

/* A measured answer that others may clear. */
typedef struct clear_test {
    const vp_collide_job *job;
    const vp_real3 *row; /* of the frame */
    vp_real3 corner[3];
    double slack, min, max; /* depths of answers that can clear it */
    bool is_borrowed;
} clear_test;

static bool is_cleared_by(const clear_test *test, uint32_t number)
{
    const vp_collide_result *other = &test->job->result[number];
    const double depth = depth_of(other);
    const bool is_shallow = depth < test->max || (test->is_borrowed && depth < test->max + 3.0 * test->slack && !is_measured(other));
    return depth >= test->min && is_shallow && is_contact(other) &&
           is_out(test->job->shape, test->corner, vp_ray_turned_by(test->row, vp_real3_of(other->normal)), depth + test->slack);
}

/* Puts an answer before the other recent ones. @param at  its place so far, recent_count = none */
static bool remember_recent(depth_order *order, uint32_t at, uint32_t number)
{
    order->recent_count += at == order->recent_count && at < RECENT;
    memmove(order->recent + 1, order->recent, (at < RECENT ? at : RECENT - 1) * sizeof number);
    order->recent[0] = number;
    return true;
}

/* The first kept contact that is at least this deep. */
static uint32_t find_depth(const depth_order *order, double depth)
{
    uint32_t first = 0, end = order->kept;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if ((double)vp_order_number(order->key[middle]) < depth)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Whether a shallower answer also moves the shape out of the triangle. An answer shallower than the kernel's depth
 * cannot. A shape that only touches the triangle is out already. An answer with a borrowed normal also yields to an
 * equally deep one that was not measured, mostly that of the triangle that owns the normal. Unmeasured answers are
 * never dropped. */
static bool is_cleared(const vp_collide_job *job, uint32_t number, depth_order *order)
{
    const vp_collide_result *answer = &job->result[number];
    clear_test test = {.job = job, .row = order->row, .is_borrowed = (answer->triangle_feature & BORROWED) != 0};
    vp_real3 relative[3];
    test.slack = VP_TOUCHING * vp_ray_corners(job, number, relative, test.corner);
    test.min = (double)answer->on_triangle.x - test.slack;
    test.max = depth_of(answer) - 2.0 * test.slack;
    if (test.min <= 0.0 && test.max > 0.0)
        return true;
    for (uint32_t i = 0; i < order->recent_count; i++)
        if (is_cleared_by(&test, order->recent[i]))
            return remember_recent(order, i, order->recent[i]);
    if (order->key == NULL) {
        for (uint32_t i = 0; i < job->count; i++)
            if (is_cleared_by(&test, i))
                return remember_recent(order, order->recent_count, i);
        return false;
    }
    const double end = test.max + 3.0 * test.slack;
    for (uint32_t i = find_depth(order, test.min); i < order->count; i++) {
        i = i == order->kept ? order->next : i;
        if (i == order->count || !((double)vp_order_number(order->key[i]) < end))
            break;
        if (is_cleared_by(&test, vp_order_index(order->key[i])))
            return remember_recent(order, order->recent_count, vp_order_index(order->key[i]));
    }
    return false;
}

/* The smallest depth above `done` of an answer that can be dropped. Infinity if there is none. */
static double find_next_depth(const vp_collide_job *job, double done)
{
    double next = INFINITY;
    for (uint32_t i = 0; i < job->count; i++) {
        const double depth = depth_of(&job->result[i]);
        if (depth > done && depth < next && can_be_dropped(&job->result[i]))
            next = depth;
    }
    return next;
}

static void drop_answer(vp_collide_result *answer)
{
    *answer = (vp_collide_result){
        .distance = INFINITY, .normal = answer->normal, .triangle_feature = VP_COLLIDE_NONE, .shape_feature = VP_COLLIDE_NONE};
}

/* Computes on_triangle of all measured answers, and clears their flags. */
static void fill_points(const vp_collide_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        vp_collide_result *answer = &job->result[i];
        if (!is_measured(answer))
            continue;
        const vp_real3 position = vp_real3_of(job->frame.position);
        vp_real3 on = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++)
            on = vp_real3_plus(on, vp_real3_sub(vp_real3_of(job->triangle[i].corner[k]), position), (double)answer->weight[k]);
        answer->on_triangle = vp_real3_rounded(on);
        answer->triangle_feature &= ~(MEASURED | BORROWED);
    }
}

/* @return whether it was dropped */
static bool drop_if_cleared(const vp_collide_job *job, uint32_t number, depth_order *order)
{
    const bool is_dropped = can_be_dropped(&job->result[number]) && is_cleared(job, number, order);
    if (is_dropped)
        drop_answer(&job->result[number]);
    return is_dropped;
}

static uint32_t sort_contacts(const vp_collide_job *job, uint64_t *key)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->count; i++)
        if (is_contact(&job->result[i]))
            key[count++] = vp_order_key(-job->result[i].distance, i);
    vp_order_keys(key, key + count, count);
    return count;
}

/* Drops each overlapping measured answer whose triangle the shape leaves when moved out along a shallower answer. For a
 * borrowed normal, an equally deep answer that was not measured suffices.
 * @param key  [2 * job->count], NULL = not sorted */
static void drop_cleared(const vp_collide_job *job, uint64_t *key)
{
    depth_order order = {.key = key};
    for (int k = 0; k < 3; k++)
        order.row[k] = vp_real3_of(job->frame.row[k]);
    if (key != NULL) {
        order.count = sort_contacts(job, key);
        while (order.next < order.count) {
            const uint64_t tested = key[order.next++];
            if (!drop_if_cleared(job, vp_order_index(tested), &order))
                key[order.kept++] = tested;
        }
    } else {
        for (double depth = find_next_depth(job, -INFINITY); depth < INFINITY; depth = find_next_depth(job, depth))
            for (uint32_t i = 0; i < job->count; i++)
                if (depth_of(&job->result[i]) == depth)
                    drop_if_cleared(job, i, &order);
    }
}

/* ---- the public functions ---- */

static vp_status check_unit(vp_vec3 a, bool may_be_none, const char *array, uint32_t number, const char *member, vp_error *error)
{
    const double square = vp_real3_dot(vp_real3_of(a), vp_real3_of(a));
    if ((square > 0.999 && square < 1.001) || (may_be_none && is_none(a)))
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "%s %u: %s is (%g, %g, %g); must be %sof length 1", array, number, member, (double)a.x,
                   (double)a.y, (double)a.z, may_be_none ? "0 or " : "");
}

vp_status vp_collide_check_normals(const vp_collide_triangle *triangle, uint32_t count, vp_error *error)
{
    static const char *const member[3] = {"neighbour_normal[0]", "neighbour_normal[1]", "neighbour_normal[2]"};
    for (uint32_t i = 0; i < count; i++) {
        VP_RETURN_IF_FAILED(check_unit(triangle[i].normal, true, "triangle", i, "normal", error));
        for (int k = 0; k < 3; k++)
            VP_RETURN_IF_FAILED(check_unit(triangle[i].neighbour_normal[k], true, "triangle", i, member[k], error));
    }
    return VP_OK;
}

static vp_status check_results(const vp_collide_result *result, uint32_t count, vp_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (result[i].triangle_feature == VP_COLLIDE_NONE)
            continue;
        VP_RETURN_IF_FAILED(check_unit(result[i].normal, false, "result", i, "normal", error));
        if (!isfinite(result[i].distance))
            return vp_fail(error, VP_E_ARGUMENT, "result %u: distance is %g; must be finite", i, (double)result[i].distance);
    }
    return VP_OK;
}

void vp_correct_answers(const vp_kernels *kernels, const vp_collide_job *job, uint32_t answered, uint32_t *words,
                        const vp_terrain_edges *edges)
{
    const vp_collide_triangle *triangle = job->triangle;
    vp_collide_job answers = *job;
    correction_batch w;
    w.kernels = kernels;
    w.job = *job;
    w.is_long = answered > 2 * BATCH;
    w.count = 0;
    w.around = (surroundings){.triangle = triangle, .count = job->count, .first = words, .edges = edges};
    if (words != NULL)
        w.around.next = words + (size_t)3 * job->count;
    for (uint32_t i = 0; i < answered; i++) {
        vp_collide_result *answer = &job->result[i];
        if (answer->triangle_feature == VP_COLLIDE_NONE || is_none(triangle[i].normal))
            continue;
        const furthest p = find_furthest(&triangle[i], answer->normal);
        if (edges != NULL)
            vp_connect_edges(edges, i, edges_of(p));
        const vp_vec3 normal = correct_normal(&triangle[i], p, answer->normal, &w.around);
        if (is_same(normal, answer->normal))
            answer->normal = normal;
        else
            measure_moved(&w, i, p, normal);
    }
    flush_moved(&w);
    answers.count = answered;
    drop_cleared(&answers, (uint64_t *)(void *)words);
    find_points(&w, answered);
    fill_points(&answers);
}

vp_status vp_collide_correct(const vp_kernels *kernels, const vp_collide_shape *shape, const vp_pose *pose, float margin,
                             const vp_collide_triangle *triangle, uint32_t count, vp_collide_result *result, vp_error *error)
{
    VP_RETURN_IF_NULL(error, shape, pose);
    VP_RETURN_IF_ARRAY_NULL(error, triangle, count);
    VP_RETURN_IF_ARRAY_NULL(error, result, count);
    vp_kernels default_kernels;
    vp_collide_job job = {.shape = shape, .margin = margin, .triangle = triangle, .count = count, .result = result};
    vp_status status = vp_collide_check(shape, pose, margin, &job.frame, error);
    if (status == VP_OK)
        status = vp_collide_check_corners(triangle, count, error);
    if (status == VP_OK)
        status = vp_collide_check_normals(triangle, count, error);
    if (status == VP_OK)
        status = check_results(result, count, error);
    if (status == VP_OK && kernels == NULL) {
        status = vp_kernels_default(&default_kernels, error);
        kernels = &default_kernels;
    }
    if (status != VP_OK)
        return status;
    vp_correct_answers(kernels, &job, count, NULL, NULL);
    return vp_succeed(error);
}
