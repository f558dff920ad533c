/* SPDX-License-Identifier: MIT */
/* Contacts without ghosts: a normal that the surface has, and the distance along it (narrowphase.h). The normal
 * is chosen in double precision. The distance comes from a ray (ray.c), and the kernel finds where the moved
 * shape touches. Contacts whose normal is not the way out of the triangle are dropped. */
#include <voxphys/narrowphase.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/inline.h"
#include "src/narrowphase/connect.h"
#include "src/narrowphase/early.h"
#include "src/narrowphase/manifold_internal.h"
#include "src/narrowphase/order.h"
#include "src/narrowphase/ray.h"
#include "src/narrowphase/run.h"

/* Set in the triangle_feature of an answer measured along a new normal. on_triangle.x then holds the kernel's own
 * depth, until drop_cleared computes the point from the weights. */
#define MEASURED 0x100u
/* Set as well if the new normal belongs to a triangle across an edge. */
#define BORROWED 0x200u
/* Set as well if the points are still those of the kernel's own normal. on_triangle.y and z then hold the depth along the new
 * normal, a double. */
#define UNTOUCHED 0x400u
/* Set as well if it was not measured. Minus its distance is then less than the depth along any normal that it can get, and on_shape is
 * the nearest of these. */
#define BOUNDED 0x800u
/* Set after that, if no answer clears it that is less deep than the bound, which on_shape.x then holds. */
#define RETESTED 0x1000u
/* Set with BOUNDED if the normal is still the kernel's (early.c). */
#define EARLY 0x4000u
/* Set in an answer of a sphere that is apart, and was not measured along its new normal. All else is the kernel's. */
#define PENDING 0x2000u

/* ---- the distance ---- */

/* Batch of answers whose normals have changed. */
#define NOBODY UINT32_MAX

enum { BATCH = 16, MANY = 128, PREFETCHED = 8 };

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
    vp_collide_job job; /* of the answers */
    vp_triangles_around around;
    vp_real_frame frame;
    vp_manifold_work *work; /* of a manifold, which wants the points of few answers, so they are found at the end. NULL = all */
    bool has_bounds;        /* and depths only of those that no answer shallower than a bound clears */
    vp_early_bounds early;
    uint32_t count;
    moved moved[BATCH];
    vp_collide_triangle triangle[BATCH]; /* triangles moved instead of the shape */
    vp_collide_result touch[BATCH];
} correction_batch;

/* Drops the contact of a shape that is apart, if along the new normal it misses the triangle or is beyond the margin.
 * An answer with a normal of the surface stays unchanged, because no other triangle reports its contact. */
static void drop_contact(correction_batch *w, uint32_t number, vp_vec3 normal, float distance)
{
    const vp_collide_result *answer = &w->job.result[number];
    if (!vp_is_of_surface(&w->job.triangle[number], answer->triangle_feature, answer->normal, &w->around))
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

/* Connects the edges that vp_list_side_normals reads, and lists the normals. */
static int list_side_normals(const correction_batch *w, uint32_t number, vp_triangle_part p, vp_vec3 out[4])
{
    if (w->around.edges != NULL && p.edge < 0 && p.corner < 0) /* edges of other parts are connected already */
        vp_connect_edges(w->around.edges, number, 7);
    return vp_list_side_normals(&w->job.triangle[number], p, out);
}

/* Uses a side's normal if the way out along it is shorter. The nearest normal may lead a long way. */
static void try_side_normals(moved *m, const correction_batch *w, vp_triangle_part p, const vp_real3 corner[3])
{
    vp_vec3 side[4];
    const double slack = 2.0 * VP_TOUCHING * m->size, min = -(double)w->job.result[m->number].distance;
    const int count = m->distance > min + slack ? list_side_normals(w, m->number, p, side) : 0;
    for (int i = 0; i < count && m->distance > min + slack; i++) {
        const vp_real3 along = vp_ray_turned_by(&w->frame, vp_real3_of(side[i]));
        if (vp_is_same_normal(side[i], m->normal) || vp_ray_overlaps(w->job.shape, corner, along, m->distance - 0.5 * slack))
            continue;
        const double t = vp_ray_depth(w->job.shape, corner, along);
        if (t < m->distance - slack) {
            m->distance = t;
            m->normal = side[i];
            m->is_borrowed = i > 0;
        }
    }
}

static bool is_contact(const vp_collide_result *answer)
{
    return answer->triangle_feature != VP_COLLIDE_NONE;
}

static bool is_measured(const vp_collide_result *answer)
{
    return is_contact(answer) && (answer->triangle_feature & MEASURED) != 0;
}

static double depth_of(const vp_collide_result *answer)
{
    return -(double)answer->distance;
}

/* Finds a bound of the depth of an answer that overlaps, along any normal that it can get.
 * @return whether it is above the kernel's depth */
static bool find_bound(const correction_batch *w, const moved *m, vp_triangle_part p, const vp_real3 corner[3])
{
    vp_vec3 normal[5];
    int count = list_side_normals(w, m->number, p, normal);
    normal[count++] = m->normal;
    double bound = INFINITY;
    for (int k = 0; k < count; k++) {
        const double t = vp_ray_inside(w->job.shape, corner, vp_ray_turned_by(&w->frame, vp_real3_of(normal[k])));
        bound = t < bound ? t : bound;
    }
    bound -= 2.0 * VP_TOUCHING * m->size;
    if (!(bound > (double)m->depth))
        return false;
    vp_collide_result *answer = &w->job.result[m->number];
    answer->distance = (float)-bound;
    answer->on_triangle.x = m->depth;
    answer->on_shape = m->normal;
    answer->triangle_feature |= MEASURED | BOUNDED;
    return true;
}

/* Whether the kernel need not say yet that a sphere that is apart touches the triangle along the new normal. It must be so far apart that
 * it clears no other, and have no normal of the surface. */
static bool can_wait(correction_batch *w, const moved *m)
{
    const vp_collide_result *answer = &w->job.result[m->number];
    return w->work != NULL && w->around.edges != NULL && w->job.shape->kind == VP_COLLIDE_SPHERE &&
           -m->distance > 4.0 * VP_TOUCHING * (m->size + 4.0) &&
           !vp_is_of_surface(&w->job.triangle[m->number], answer->triangle_feature, answer->normal, &w->around);
}

static void measure_moved(correction_batch *w, uint32_t number, vp_triangle_part p, vp_vec3 normal)
{
    vp_collide_result *answer = &w->job.result[number];
    const bool apart = answer->distance > 0.0f;
    vp_connect_nearest_edge(w->around.edges, number, answer);
    moved m = {.number = number, .depth = -answer->distance, .normal = normal};
    vp_real3 relative[3], corner[3];
    m.size = vp_ray_corners(&w->frame, &w->job.triangle[number], relative, corner);
    const bool is_deep = w->work != NULL && (double)m.depth > 4.0 * VP_TOUCHING * m.size;
    if (w->has_bounds && is_deep && find_bound(w, &m, p, corner))
        return;
    m.distance = vp_ray_depth(w->job.shape, corner, vp_ray_turned_by(&w->frame, vp_real3_of(normal)));
    const bool misses = m.distance > 0.0 || -m.distance > 4.0 * m.size; /* past the triangle, or farther than its farthest corner */
    if (apart && (misses || -m.distance > (double)w->job.margin)) {
        drop_contact(w, number, normal, misses ? INFINITY : (float)-m.distance);
        return;
    }
    if (!apart)
        try_side_normals(&m, w, p, corner);
    if (!apart && m.distance < -(double)answer->distance)
        m.distance = -(double)answer->distance; /* roundings */
    if (!is_deep && !can_wait(w, &m)) {
        add_moved(w, &m, relative);
        return;
    }
    /* Points can wait (find_points). If the shape overlaps, the way begins inside the sum of both, so they touch where it ends. */
    set_measured(answer, &m, answer);
    answer->triangle_feature |= UNTOUCHED;
    memcpy(&answer->on_triangle.y, &m.distance, sizeof m.distance);
}

static void add_untouched(correction_batch *w, uint32_t number)
{
    vp_collide_result *answer = &w->job.result[number];
    vp_real3 relative[3], corner[3];
    moved m = {.number = number, .depth = answer->on_triangle.x, .normal = answer->normal};
    memcpy(&m.distance, &answer->on_triangle.y, sizeof m.distance);
    m.size = vp_ray_corners(&w->frame, &w->job.triangle[number], relative, corner);
    answer->triangle_feature &= ~UNTOUCHED;
    add_moved(w, &m, relative);
}

static bool is_untouched(const vp_collide_result *answer)
{
    return answer->triangle_feature != VP_COLLIDE_NONE && (answer->triangle_feature & UNTOUCHED) != 0;
}

/* Result for an answer: no contact, a contact, or open, because its distance has changed. */
typedef enum settled { SETTLED_NONE, SETTLED_CONTACT, SETTLED_AGAIN } settled;

/* Whether an answer may wait for the cover test (settle_answer). It must be so far apart that it clears no other. */
static bool can_be_pending(const correction_batch *w, const vp_collide_result *answer)
{
    const vp_collide_shape *shape = w->job.shape;
    return w->work != NULL && w->around.edges != NULL && shape->kind == VP_COLLIDE_SPHERE &&
           answer->distance > (shape->radius + w->job.margin + 4.0f) * 0x1p-15f;
}

/* Measures an answer as far as it matters. @param is_covered  whether a deeper contact covers it */
static settled settle_answer(correction_batch *w, uint32_t number, bool is_covered)
{
    vp_collide_result *answer = &w->job.result[number];
    if ((answer->triangle_feature & PENDING) != 0) {
        const vp_vec3 normal = answer->normal;
        answer->triangle_feature &= ~PENDING;
        answer->normal = w->work->raw[number];
        const vp_triangle_part p = vp_find_furthest(&w->job.triangle[number], answer->normal);
        if (is_covered && !vp_is_of_surface(&w->job.triangle[number], answer->triangle_feature, answer->normal, &w->around)) {
            answer->triangle_feature = VP_COLLIDE_NONE;
            return SETTLED_NONE;
        }
        measure_moved(w, number, p, normal);
        flush_moved(w);
        return is_contact(answer) ? SETTLED_AGAIN : SETTLED_NONE;
    }
    if (!is_covered && is_untouched(answer) && answer->distance > 0.0f) {
        add_untouched(w, number);
        flush_moved(w);
    }
    return !is_covered && is_contact(answer) ? SETTLED_CONTACT : SETTLED_NONE;
}

/* Fills the keys of triangles that have a contact, the deepest first. Equal depths keep the order of the list. Those that were not measured
 * come first, because a new normal's distance is at most by roundings less than the kernel's. @return their number */
static uint32_t sort_by_depth(const vp_manifold_work *w, uint64_t *key)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->touched; i++) {
        const vp_collide_result *a = &w->answer[i];
        const bool is_pending = (a->triangle_feature & PENDING) != 0;
        if (a->triangle_feature != VP_COLLIDE_NONE)
            key[count++] = vp_order_key(is_pending ? a->distance - (w->body->shape->radius + w->reach + 4.0f) * 0x1p-18f : a->distance, i);
    }
    vp_order_keys(key, key + count, count);
    return count;
}
static_assert(2 * sizeof(uint64_t) <= VP_COLLIDE_CONNECT_WORDS(1) * sizeof(uint32_t), "the keys and their spare fit");

static bool share_corner(const vp_collide_triangle *a, const vp_collide_triangle *b)
{
    return vp_has_corner(a, b->corner[0]) || vp_has_corner(a, b->corner[1]) || vp_has_corner(a, b->corner[2]);
}

/* Whether a corrected answer has the same normal as a deeper answer of a triangle with a common corner. */
static bool is_covered(const vp_manifold_work *w, uint32_t i, const uint32_t *deeper, uint32_t count)
{
    const vp_vec3 n = w->answer[i].normal;
    bool covered = false;
    if (vp_is_same_place(n, w->raw[i]))
        return false;
    for (uint32_t k = 0; k < count && !covered; k++)
        covered = vp_is_one_direction(n, w->answer[deeper[k]].normal) && share_corner(&w->triangle[i], &w->triangle[deeper[k]]);
    return covered;
}

/* Finds the answers that become contacts, from depths and normals. */
static void find_kept(correction_batch *batch)
{
    vp_manifold_work *const w = batch->work;
    uint64_t *const key = (uint64_t *)(void *)w->words;
    const uint32_t count = sort_by_depth(w, key);
    w->kept = 0;
    for (uint32_t next = 0; next < count; next++) {
        const uint32_t t = vp_order_index(key[next]);
        const settled what = settle_answer(batch, t, is_covered(w, t, w->order, w->kept));
        if (what == SETTLED_CONTACT) {
            w->order[w->kept++] = t;
            w->marks[t] |= VP_MANIFOLD_KEPT;
        } else if (what == SETTLED_AGAIN) {
            const uint64_t again = vp_order_key(w->answer[t].distance, t);
            uint32_t i = next--;
            for (; i + 1 < count && key[i + 1] < again; i++)
                key[i] = key[i + 1];
            key[i] = again;
        }
    }
}

/* Finds the points of the measured answers that become contacts. */
static void find_points(correction_batch *w, uint32_t answered)
{
    if (w->work == NULL)
        return;
    find_kept(w);
    for (uint32_t i = 0; i < answered; i++)
        if (is_untouched(&w->job.result[i])) {
            if ((w->work->marks[i] & VP_MANIFOLD_KEPT) != 0)
                add_untouched(w, i);
            w->job.result[i].triangle_feature &= ~UNTOUCHED;
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

/* Whether it overlapped according to the kernel, and was measured since. */
static bool can_be_dropped(const vp_collide_result *answer)
{
    return is_measured(answer) && answer->on_triangle.x >= 0.0f;
}

/* The contacts in order of depth. Those before the one that is tested are the ones that were not dropped. */
typedef struct depth_order {
    uint64_t *key;              /* vp_order_key of depth and number, NULL = not sorted */
    uint32_t kept;              /* number of contacts that were tested and kept, the first keys */
    uint32_t next, count;       /* keys [next, count) were not tested yet */
    vp_recent_clearings recent; /* likely to clear the next */
    const vp_real_frame *frame;
    vp_same_normals same;
} depth_order;

/* A measured answer that others may clear. */
typedef struct clear_test {
    const vp_collide_job *job;
    const vp_real_frame *frame;
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
           vp_ray_is_out(test->job->shape, test->corner, vp_ray_turned_by(test->frame, vp_real3_of(other->normal)), depth + test->slack);
}

/* @return an answer that clears the one of the test, or NOBODY */
static uint32_t find_clearing(const clear_test *test, const depth_order *order)
{
    if (order->key == NULL) {
        for (uint32_t i = 0; i < test->job->count; i++)
            if (is_cleared_by(test, i))
                return i;
        return NOBODY;
    }
    const double end = test->max + 3.0 * test->slack;
    for (uint32_t i = vp_find_key(order->key, order->kept, test->min); i < order->count; i++) {
        i = i == order->kept ? order->next : i;
        if (i == order->count || !((double)vp_order_number(order->key[i]) < end))
            break;
        if (i < order->kept && vp_has_deeper(&order->same, i, test->max))
            continue;
        if (is_cleared_by(test, vp_order_index(order->key[i])))
            return vp_order_index(order->key[i]);
    }
    return NOBODY;
}

/* Whether a shallower answer also moves the shape out of the triangle. An answer shallower than the kernel's depth
 * cannot. A shape that only touches the triangle is out already. An answer with a borrowed normal also yields to an
 * equally deep one that was not measured, mostly that of the triangle that owns the normal. Unmeasured answers are
 * never dropped. */
static bool is_cleared(const vp_collide_job *job, uint32_t number, depth_order *order)
{
    const vp_collide_result *answer = &job->result[number];
    vp_recent_clearings *const recent = &order->recent;
    clear_test test = {.job = job, .frame = order->frame, .is_borrowed = (answer->triangle_feature & BORROWED) != 0};
    vp_real3 relative[3];
    test.slack = VP_TOUCHING * vp_ray_corners(order->frame, &job->triangle[number], relative, test.corner);
    test.min = (double)answer->on_triangle.x - test.slack;
    test.max = depth_of(answer) - 2.0 * test.slack;
    if (test.min <= 0.0 && test.max > 0.0)
        return true;
    if ((answer->triangle_feature & RETESTED) != 0)
        test.min = vp_double_max(test.min, (double)answer->on_shape.x - 3.0 * test.slack);
    uint32_t i = 0;
    while (i < recent->count && !is_cleared_by(&test, recent->clearing[i].number))
        i++;
    const bool is_early = (answer->triangle_feature & EARLY) != 0; /* then a closer bound is cheaper than to compare with all */
    const uint32_t found = i < recent->count ? recent->clearing[i].number : is_early ? NOBODY : find_clearing(&test, order);
    if (found != NOBODY)
        vp_remember_clearing(recent, i, found);
    return found != NOBODY;
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
        answer->triangle_feature &= ~(MEASURED | BORROWED | RETESTED);
    }
}

/* @return whether it was dropped */
static bool drop_if_cleared(const vp_collide_job *job, uint32_t number, depth_order *order)
{
    const bool is_dropped =
        vp_is_cleared_early(&order->recent, number) || (can_be_dropped(&job->result[number]) && is_cleared(job, number, order));
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

/* Corrects an answer's normal, and measures it or finds a bound. */
VP_INLINE void correct_answer(correction_batch *w, uint32_t number)
{
    const vp_collide_triangle *t = &w->job.triangle[number];
    vp_collide_result *answer = &w->job.result[number];
    const vp_triangle_part p = vp_find_furthest(t, answer->normal);
    if (w->around.edges != NULL)
        vp_connect_edges(w->around.edges, number, vp_edges_of_part(p));
    const vp_vec3 normal = vp_correct_normal(t, p, answer->normal, &w->around);
    if (vp_is_same_normal(normal, answer->normal))
        answer->normal = normal;
    else if (can_be_pending(w, answer)) {
        vp_connect_nearest_edge(w->around.edges, number, answer);
        answer->normal = normal;
        answer->triangle_feature |= PENDING;
    } else
        measure_moved(w, number, p, normal);
}

/* Sets an early bound.  @return false if there is none */
static bool bound_early(const correction_batch *w, uint32_t number)
{
    vp_collide_result *answer = &w->job.result[number];
    if (w->early.normal == NULL || !vp_find_early(&w->early, number))
        return false;
    answer->on_triangle.x = -answer->distance;
    answer->distance = -w->early.answer[number].bound;
    answer->triangle_feature |= MEASURED | BOUNDED | EARLY;
    return true;
}

/* Measures an answer that has a bound, or finds a closer one if that was early. */
static void measure_bounded(correction_batch *w, uint32_t number)
{
    vp_collide_result *answer = &w->job.result[number];
    const float bound = -answer->distance;
    w->has_bounds = (answer->triangle_feature & EARLY) != 0;
    answer->distance = -answer->on_triangle.x;
    answer->triangle_feature &= ~(MEASURED | BOUNDED | EARLY);
    if (w->has_bounds) {
        w->early.answer[number].bound = 0.0f;
        correct_answer(w, number);
        return;
    }
    measure_moved(w, number, vp_find_furthest(&w->job.triangle[number], answer->normal), answer->on_shape);
    answer->on_shape.x = bound;
    answer->triangle_feature |= RETESTED;
}

/* Answers are dropped in another order than that of their memory. */
static void prefetch_answer(const vp_collide_job *job, const vp_early_bounds *early, uint32_t number)
{
    VP_PREFETCH(&job->result[number].distance);
    VP_PREFETCH(&job->result[number].shape_feature);
    if (early->normal != NULL)
        VP_PREFETCH(&early->answer[number]);
    else {
        VP_PREFETCH(&job->triangle[number].corner[0]);
        VP_PREFETCH(&job->triangle[number].corner[2].z);
    }
}

/* Drops each overlapping measured answer whose triangle the shape leaves when moved out along a shallower answer. For a
 * borrowed normal, an equally deep answer that was not measured suffices.
 * @param key  [2 * w->job.count], NULL = not sorted */
static void drop_cleared(correction_batch *w, uint64_t *key)
{
    const vp_collide_job *job = &w->job;
    depth_order order; /* whose recent contacts need no value */
    order.key = key;
    order.kept = order.next = order.count = order.recent.count = 0;
    order.recent.early = &w->early;
    order.frame = &w->frame;
    vp_begin_same_normals(&order.same, w->work, (size_t)(4 + VP_EARLY_WORDS) * job->count,
                          job->count > MANY && key != NULL ? job->count : 0);
    if (key != NULL) {
        uint64_t *const again = key + job->count; /* a heap of those that were measured since */
        uint32_t measured = 0;
        order.count = sort_contacts(job, key);
        while (order.next < order.count || measured > 0) {
            const bool is_again = measured > 0 && (order.next == order.count || again[0] < key[order.next]);
            const uint64_t tested = is_again ? vp_pop_key(again, &measured) : key[order.next++];
            const uint32_t number = vp_order_index(tested), soon = order.next + PREFETCHED;
            const vp_collide_result *answer = &job->result[number];
            if (soon < order.count)
                prefetch_answer(job, &w->early, vp_order_index(key[soon]));
            if (drop_if_cleared(job, number, &order))
                continue;
            if ((answer->triangle_feature & BOUNDED) == 0) {
                vp_add_same_normal(&order.same, order.kept, answer->normal, vp_order_number(tested));
                key[order.kept++] = tested;
            } else {
                measure_bounded(w, number);
                if (is_contact(answer))
                    vp_push_key(again, &measured, vp_order_key(-answer->distance, number));
            }
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
    if ((square > 0.999 && square < 1.001) || (may_be_none && vp_is_none(a)))
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

void vp_correct_answers(const vp_kernels *kernels, const vp_collide_job *job, uint32_t answered, vp_terrain_edges *edges,
                        vp_manifold_work *work)
{
    uint32_t *const words = work != NULL ? work->words : NULL;
    const vp_collide_triangle *triangle = job->triangle;
    correction_batch w;
    w.kernels = kernels;
    w.job = *job;
    w.job.count = answered;
    w.frame = vp_real_frame_of(job->shape, &job->frame);
    w.work = work;
    w.has_bounds = answered > MANY && words != NULL;
    w.count = 0;
    w.around = (vp_triangles_around){.triangle = triangle, .count = job->count, .first = words, .edges = edges};
    if (words != NULL)
        w.around.next = words + (size_t)3 * job->count;
    w.early = (vp_early_bounds){.job = &w.job};
    uint64_t *key = (uint64_t *)(void *)words;
    if (w.has_bounds && edges != NULL && work->touched == work->touched_in_all) {
        key = (uint64_t *)(void *)work->contact; /* the words find listed triangles, whose edges are still being connected */
        vp_begin_early(&w.early, &w.job, work->marks, (uint32_t *)(void *)(key + (size_t)2 * answered));
        edges->pair = w.early.pair;
    }
    for (uint32_t i = 0; i < answered; i++) {
        if (is_contact(&job->result[i]) && !vp_is_none(triangle[i].normal) && !bound_early(&w, i))
            correct_answer(&w, i);
    }
    flush_moved(&w);
    drop_cleared(&w, key);
    find_points(&w, answered);
    fill_points(&w.job);
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
