/* SPDX-License-Identifier: MIT */
/* Bytes as a shape, a pose, a margin and triangles over few corners: from whole numbers and their neighbours to any bits. What is not
 * allowed is refused by all; of what is, answers hold what the contract says of them, measured in binary64, and the order of the triangles
 * changes none. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tape.h"

#include <math.h>

#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>

enum { MAX_POINTS = 24, MAX_CORNERS = 9, MAX_TRIANGLES = 16 };

/* By this part of the size may points and distances of a kernel be off; those of a manifold are also cut, at an angle. Where a round shape
 * was moved until it touches, its place is told by the root of a rounding. */
static const double off = 2e-5, off_cut = 2e-4, off_round = 4e-3;

/* ---- what is made of bytes ---- */

static uint8_t wild; /* 0: small numbers alone; 1: finite ones of all magnitudes too; 2: any bits */

static float number(tape *t)
{
    const uint8_t how = next(t);
    const float x = (float)(int8_t)next(t) * 0.0625f;
    float f;
    switch (how % 8) {
    case 4:
        return nextafterf(x, how < 128 ? INFINITY : -INFINITY);
    case 5:
        return x + (float)(int8_t)next(t) * 0x1p-20f;
    case 6:
        return wild > 0 ? ldexpf(x, (int)(next(t) % 72) - 36) : 0.0f;
    case 7:
        f = raw(t);
        return wild > 1 ? f : x / 3.0f;
    default:
        return x;
    }
}

static vp_vec3 point(tape *t)
{
    vp_vec3 p;
    p.x = number(t);
    p.y = number(t);
    p.z = number(t);
    return p;
}

static float positive(tape *t)
{
    const float x = number(t);
    return wild > 1 ? x : fabsf(x);
}

/* A polygon may lack the tip of a needle (hull.h: faces that are one). Such hulls are not asked for more than that nothing breaks. */
static bool has_all_corners(const vp_collide_hull *h)
{
    uint32_t some = 0;
    for (uint32_t i = 0; i < h->first_corner[h->face_count]; i++)
        some |= 1u << h->corner[i];
    return some == (1u << h->vertex_count) - 1;
}

static vp_collide_shape shape_of(tape *t, vp_collide_owned_hull *solid)
{
    const uint8_t kind = next(t);
    vp_collide_shape shape = {.kind = (vp_collide_kind)(kind % VP_COLLIDE_KINDS)};
    vp_vec3 corner[MAX_POINTS];
    if (wild > 1 && kind >= 250)
        shape.kind = (vp_collide_kind)(kind - 250);
    if (shape.kind != VP_COLLIDE_HULL) {
        shape.radius = positive(t);
        shape.half_height = positive(t);
        shape.half = (vp_vec3){shape.radius, shape.half_height, positive(t)};
        return shape;
    }
    const uint32_t count = next(t) % (MAX_POINTS + 1);
    for (uint32_t i = 0; i < count; i++)
        corner[i] = point(t);
    const vp_collide_hull_def def = {.point = corner, .count = count, .origin = point(t)};
    vp_error error;
    if (vp_collide_hull_create(&def, solid, &error) == VP_OK) {
        shape.hull = &solid->hull;
        FUZZ_CHECK(vp_collide_shape_check(&shape, &error) == VP_OK);
    }
    return shape;
}

static bool is_within_reach(vp_vec3 p)
{
    return fabsf(p.x) <= VP_COLLIDE_REACH && fabsf(p.y) <= VP_COLLIDE_REACH && fabsf(p.z) <= VP_COLLIDE_REACH;
}

/* @return how many; `right`: whether all corners are within reach */
static uint32_t triangles_of(tape *t, vp_collide_triangle *triangle, bool *right)
{
    vp_vec3 corner[MAX_CORNERS];
    const uint32_t count = 1 + next(t) % MAX_TRIANGLES;
    for (int i = 0; i < MAX_CORNERS; i++)
        corner[i] = point(t);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t a = next(t), b = next(t);
        const vp_vec3 of[3] = {corner[a % MAX_CORNERS], corner[a / MAX_CORNERS % MAX_CORNERS], corner[b % MAX_CORNERS]};
        for (int k = 0; k < 3; k++)
            *right = *right && is_within_reach(of[k]);
        triangle[i] = vp_collide_triangle_of(of, i);
        triangle[i].id.chunk = b / 86u;
    }
    return count;
}

/* ---- what must hold ---- */

typedef struct real3 {
    double x, y, z;
} real3;

static real3 wide(vp_vec3 a)
{
    return (real3){(double)a.x, (double)a.y, (double)a.z};
}

static real3 less(real3 a, real3 b, double times)
{
    return (real3){a.x - b.x * times, a.y - b.y * times, a.z - b.z * times};
}

static double dot(real3 a, real3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(real3 a)
{
    return sqrt(dot(a, a));
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static bool is_finite(vp_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static real3 into_shape(const vp_collide_frame *f, real3 p)
{
    return (real3){dot(wide(f->row[0]), p), dot(wide(f->row[1]), p), dot(wide(f->row[2]), p)};
}

/* What the shape reaches along m, of its frame. */
static double reach_of(const vp_collide_shape *s, real3 m)
{
    const double r = (double)s->radius, h = (double)s->half_height;
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return r * length(m);
    case VP_COLLIDE_CAPSULE:
        return r * length(m) + h * fabs(m.y);
    case VP_COLLIDE_BOX:
        return (double)s->half.x * fabs(m.x) + (double)s->half.y * fabs(m.y) + (double)s->half.z * fabs(m.z);
    case VP_COLLIDE_CYLINDER:
        return r * sqrt(m.x * m.x + m.z * m.z) + h * fabs(m.y);
    default:
        for (uint32_t i = 0; i < s->hull->vertex_count; i++)
            most = greater(most, dot(m, wide(s->hull->vertex[i])));
        return most;
    }
}

/* How far a point is outside of the shape, at least. */
static double outside(const vp_collide_shape *s, real3 p)
{
    const double r = (double)s->radius, h = (double)s->half_height, above = greater(fabs(p.y) - h, 0.0);
    double most = -INFINITY;
    switch (s->kind) {
    case VP_COLLIDE_SPHERE:
        return length(p) - r;
    case VP_COLLIDE_CAPSULE:
        return length((real3){p.x, above, p.z}) - r;
    case VP_COLLIDE_BOX:
        return greater(greater(fabs(p.x) - (double)s->half.x, fabs(p.y) - (double)s->half.y), fabs(p.z) - (double)s->half.z);
    case VP_COLLIDE_CYLINDER:
        return greater(above, sqrt(p.x * p.x + p.z * p.z) - r);
    default:
        for (uint32_t i = 0; i < s->hull->face_count; i++)
            most = greater(most, dot(p, wide(s->hull->plane[i].normal)) - (double)s->hull->plane[i].offset);
        return most;
    }
}

typedef struct scene {
    vp_collide_shape shape;
    vp_pose pose;
    vp_collide_frame frame;
    float margin;
    uint32_t count;
    vp_collide_triangle triangle[MAX_TRIANGLES];
    double size; /* of all */
    bool whole;  /* the shape has all its corners */
} scene;

static bool is_round(const scene *s)
{
    return s->shape.kind != VP_COLLIDE_BOX && s->shape.kind != VP_COLLIDE_HULL;
}

static double size_of(const scene *s, const vp_collide_triangle *t)
{
    double size = (double)vp_collide_radius(&s->shape);
    for (int k = 0; k < 3; k++) {
        const real3 c = less(wide(t->corner[k]), wide(s->frame.position), 1.0);
        size = greater(size, greater(greater(fabs(c.x), fabs(c.y)), fabs(c.z)));
    }
    return size;
}

/* How far the shape and a triangle are apart along u. */
static double apart(const scene *s, const vp_collide_triangle *t, vp_vec3 u)
{
    const real3 m = into_shape(&s->frame, (real3){-(double)u.x, -(double)u.y, -(double)u.z});
    double most = -INFINITY;
    for (int k = 0; k < 3; k++)
        most = greater(most, dot(wide(u), less(wide(t->corner[k]), wide(s->frame.position), 1.0)));
    return -reach_of(&s->shape, m) - most;
}

static void check_points(const scene *s, vp_vec3 normal, double distance, vp_vec3 on_shape, vp_vec3 on_triangle, double tolerance)
{
    const real3 way = less(wide(on_shape), wide(on_triangle), 1.0);
    FUZZ_CHECK(isfinite(distance) && is_finite(on_shape) && is_finite(on_triangle));
    FUZZ_CHECK(!s->whole || length(less(way, wide(normal), distance)) <= tolerance);
    FUZZ_CHECK(!s->whole || outside(&s->shape, into_shape(&s->frame, wide(on_shape))) <= tolerance);
}

/* @param steps  of GJK: they may not have come to where the points are */
static void check_answer(const scene *s, const vp_collide_triangle *t, const vp_collide_answer *a, bool steps, double tolerance)
{
    const double size = size_of(s, t), distance = (double)a->distance;
    uint32_t some = 0;
    real3 on = {0.0, 0.0, 0.0};
    FUZZ_CHECK(is_finite(a->normal) && fabs(length(wide(a->normal)) - 1.0) < 2e-6);
    if (a->triangle_feature == VP_COLLIDE_NONE) {
        FUZZ_CHECK(a->shape_feature == VP_COLLIDE_NONE && (a->distance > s->margin || a->distance == INFINITY));
        return;
    }
    if (!steps)
        check_points(s, a->normal, distance, a->on_shape, a->on_triangle, size * tolerance);
    for (int k = 0; k < 3; k++) {
        FUZZ_CHECK(a->weight[k] >= 0.0f && a->weight[k] <= 1.0f);
        some |= (uint32_t)(a->weight[k] > 0.0f) << k;
        on = less(on, less(wide(t->corner[k]), wide(s->frame.position), 1.0), -(double)a->weight[k]);
    }
    static const uint32_t feature[8] = {99, 4, 5, 1, 6, 3, 2, 0}; /* by the corners that have a weight */
    FUZZ_CHECK(fabs((double)a->weight[0] + (double)a->weight[1] + (double)a->weight[2] - 1.0) < 2e-6);
    FUZZ_CHECK(a->triangle_feature == feature[some]);
    FUZZ_CHECK(length(less(on, wide(a->on_triangle), 1.0)) <= size * off);
}

/* What any kernel tells: along its normal the two are as far apart as it says, and along no other that is known are they further. */
static void check_kernel(const scene *s, const vp_collide_answer *answer, const vp_collide_answer *other, bool steps)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const vp_collide_triangle *t = &s->triangle[i];
        const double size = size_of(s, t), along = apart(s, t, answer[i].normal);
        check_answer(s, t, &answer[i], steps, off);
        if (answer[i].triangle_feature == VP_COLLIDE_NONE) {
            FUZZ_CHECK(along >= (double)answer[i].distance - size * off);
        } else {
            FUZZ_CHECK(fabs(along - (double)answer[i].distance) <= size * off);
            FUZZ_CHECK(steps || !s->whole || apart(s, t, other[i].normal) <= (double)answer[i].distance + size * off);
        }
    }
}

/* Backwards: as different an order as any. */
static void turn_around(const vp_collide_triangle *from, uint32_t count, vp_collide_triangle *to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[count - 1 - i];
}

/* The distance of the shape, moved out as a contact wants it, from a triangle. */
static double moved_out(const scene *s, const vp_collide_triangle *t, const vp_collide_answer *contact)
{
    vp_pose pose = s->pose;
    vp_collide_answer moved;
    pose.position = vp_vec3_add(pose.position, vp_vec3_scale(contact->normal, -contact->distance));
    FUZZ_CHECK(vp_collide_triangles(NULL, &s->shape, &pose, 0.0f, t, 1, &moved, NULL) == VP_OK);
    return (double)moved.distance;
}

/* Whether some contact, at least as deep as the kernel's, takes the shape out of a triangle. */
static bool is_taken_out(const scene *s, const vp_collide_triangle *t, double distance, double slack, const vp_collide_answer *answer)
{
    bool is_out = false;
    for (uint32_t i = 0; i < s->count && !is_out; i++)
        is_out = answer[i].triangle_feature != VP_COLLIDE_NONE && (double)answer[i].distance <= distance + slack &&
                 moved_out(s, t, &answer[i]) >= -slack;
    return is_out;
}

static void check_corrected(const scene *s, const vp_collide_answer *raw, vp_collide_answer *answer)
{
    vp_collide_triangle back[MAX_TRIANGLES];
    vp_collide_answer behind[MAX_TRIANGLES];
    turn_around(s->triangle, s->count, back);
    for (uint32_t i = 0; i < s->count; i++) {
        answer[i] = raw[i];
        behind[i] = raw[s->count - 1 - i];
    }
    FUZZ_CHECK(vp_collide_correct(NULL, &s->shape, &s->pose, s->margin, s->triangle, s->count, answer, NULL) == VP_OK);
    FUZZ_CHECK(vp_collide_correct(NULL, &s->shape, &s->pose, s->margin, back, s->count, behind, NULL) == VP_OK);
    for (uint32_t i = 0; i < s->count; i++) {
        FUZZ_CHECK(memcmp(&answer[i], &behind[s->count - 1 - i], sizeof *answer) == 0);
        check_answer(s, &s->triangle[i], &answer[i], false, is_round(s) ? off_round : off);
        const double slack = size_of(s, &s->triangle[i]) * (is_round(s) ? off_round : off_cut);
        if ((double)raw[i].distance < -slack)
            FUZZ_CHECK(answer[i].triangle_feature != VP_COLLIDE_NONE
                           ? answer[i].distance <= raw[i].distance
                           : is_taken_out(s, &s->triangle[i], (double)raw[i].distance, slack, answer));
    }
}

static void check_manifolds(const scene *s, const vp_manifold *m, uint32_t made)
{
    for (uint32_t i = 0; i < made; i++) {
        FUZZ_CHECK(m[i].count >= 1 && m[i].count <= VP_MANIFOLD_POINTS && fabs(length(wide(m[i].normal)) - 1.0) < 2e-6);
        FUZZ_CHECK(i == 0 || m[i].chunk > m[i - 1].chunk ||
                   (m[i].chunk == m[i - 1].chunk && m[i].point[0].distance >= m[i - 1].point[0].distance));
        for (uint32_t k = 0; k < m[i].count; k++) {
            const vp_manifold_point *p = &m[i].point[k];
            FUZZ_CHECK(is_finite(p->normal) && fabs(length(wide(p->normal)) - 1.0) < 2e-6);
            FUZZ_CHECK(p->distance <= s->margin && (k == 0 || p->distance >= p[-1].distance));
            check_points(s, p->normal, (double)p->distance, p->on_shape, p->on_triangle, s->size * (is_round(s) ? off_round : off_cut));
            FUZZ_CHECK(dot(wide(p->normal), wide(m[i].normal)) > 0.9961);
            for (uint32_t h = 0; h <= i; h++)
                for (uint32_t j = 0; j < (h < i ? m[h].count : k) && m[h].chunk == m[i].chunk; j++)
                    FUZZ_CHECK(m[h].point[j].feature != p->feature);
        }
    }
}

static void manifolds(const scene *s, bool whole)
{
    static union {
        unsigned char bytes[VP_MANIFOLD_MIN_TRIANGLES * 2048];
        max_align_t aligned;
    } memory;
    const vp_manifold_def def = {.margin = s->margin, .whole = whole};
    const vp_manifold_body body = {&s->shape, s->pose};
    vp_manifold_scratch scratch = {memory.bytes, VP_MANIFOLD_MIN_TRIANGLES, 0};
    vp_manifold m[MAX_TRIANGLES], again[MAX_TRIANGLES];
    vp_collide_triangle back[MAX_TRIANGLES];
    uint32_t made, as_many;
    FUZZ_CHECK(vp_manifold_scratch_bytes(VP_MANIFOLD_MIN_TRIANGLES) <= sizeof memory.bytes);
    if (!isfinite(s->margin)) {
        FUZZ_CHECK(vp_manifold_mesh(&def, &body, s->triangle, s->count, &scratch, m, MAX_TRIANGLES, &made, NULL) == VP_E_ARGUMENT);
        return;
    }
    FUZZ_CHECK(vp_manifold_mesh(&def, &body, s->triangle, s->count, &scratch, m, MAX_TRIANGLES, &made, NULL) == VP_OK);
    FUZZ_CHECK(made <= (whole ? 1 : 3) * VP_MANIFOLD_DIRECTIONS && scratch.needed == VP_MANIFOLD_MIN_TRIANGLES);
    check_manifolds(s, m, made);
    turn_around(s->triangle, s->count, back);
    FUZZ_CHECK(vp_manifold_mesh(&def, &body, back, s->count, &scratch, again, MAX_TRIANGLES, &as_many, NULL) == VP_OK);
    FUZZ_CHECK(as_many == made && memcmp(m, again, made * sizeof *m) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    tape t = {bytes, size};
    const uint8_t how = next(&t);
    vp_kernels scalar;
    scene s = {0};
    vp_collide_owned_hull solid = {0};
    vp_collide_answer raw[MAX_TRIANGLES], gjk[MAX_TRIANGLES], answer[MAX_TRIANGLES];
    vp_collide_triangle back[MAX_TRIANGLES];
    uint32_t words[VP_COLLIDE_CONNECT_WORDS(MAX_TRIANGLES)];
    vp_error error;
    bool right = true;
    FUZZ_CHECK(vp_kernels_named("scalar", &scalar, NULL) == VP_OK);
    wild = how % 4;
    s.shape = shape_of(&t, &solid);
    s.pose.position = point(&t);
    for (int k = 0; k < 4; k++)
        s.pose.rotation[k] = number(&t);
    s.margin = (how & 32) != 0 ? INFINITY : positive(&t);
    s.count = triangles_of(&t, s.triangle, &right);
    FUZZ_CHECK(vp_collide_connect(s.triangle, s.count, words, &error) == (right ? VP_OK : VP_E_ARGUMENT));
    right = vp_collide_shape_check(&s.shape, &error) == VP_OK && vp_collide_frame_of(&s.pose, &s.frame, &error) == VP_OK && right &&
            s.margin >= 0.0f;
    FUZZ_CHECK(vp_collide_triangles(NULL, &s.shape, &s.pose, s.margin, s.triangle, s.count, raw, &error) ==
               (right ? VP_OK : VP_E_ARGUMENT));
    if (right) {
        const vp_collide_job job = {&s.shape, s.frame, s.margin, s.triangle, s.count, gjk};
        scalar.collide_gjk(&job);
        for (uint32_t i = 0; i < s.count; i++)
            s.size = greater(s.size, size_of(&s, &s.triangle[i]));
        s.whole = s.shape.kind != VP_COLLIDE_HULL || has_all_corners(s.shape.hull);
        check_kernel(&s, raw, gjk, false);
        check_kernel(&s, gjk, raw, true);
        check_corrected(&s, raw, answer);
        manifolds(&s, (how & 64) != 0);
        turn_around(s.triangle, s.count, back);
        FUZZ_CHECK(vp_collide_connect(back, s.count, words, &error) == VP_OK);
        for (uint32_t i = 0; i < s.count; i++)
            FUZZ_CHECK(memcmp(&back[i], &s.triangle[s.count - 1 - i], sizeof *back) == 0);
    }
    vp_collide_hull_destroy(&solid);
    return 0;
}
