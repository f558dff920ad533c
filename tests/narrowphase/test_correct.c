/* SPDX-License-Identifier: MIT */
/* Corrected answers have normals of the surface and depths along these, and lose no contact.
 *
 *   test_correct [POSES]   poses per shape, 300 by default. More for a long run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/narrowphase/oracle.h"
#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/narrowphase/moved.h"
#include "tests/support/check.h"

#ifdef TEST_THIN
static uint32_t poses = 300 / TEST_THIN + 20;
#else
static uint32_t poses = 300;
#endif

#define OFF    1e-6 /* part of the size */
#define MARGIN 0.02f

static bool is_equal(vp_vec3 a, vp_vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void random_rotation(vp_random *r, float q[4])
{
    const vp_vec3 a = random_unit(r);
    q[0] = a.x, q[1] = a.y, q[2] = a.z;
    q[3] = vp_random_between(r, -1.0f, 1.0f);
}

/* ---- surfaces ---- */

enum { CELLS = 8, LINE = CELLS + 1, MESH = CELLS * CELLS * 2 };

typedef struct surface {
    vp_collide_triangle triangle[MESH];
    vp_vec3 up, across, along; /* axes of the ground. The surface rises or falls along `across`, the groove runs along `along` */
    vp_vec3 shift;
} surface;

static vp_vec3 turned(const surface *s, float across, float up, float along)
{
    const vp_vec3 a = vp_vec3_add(vp_vec3_scale(s->across, across), vp_vec3_scale(s->up, up));
    return vp_vec3_add(vp_vec3_add(a, vp_vec3_scale(s->along, along)), s->shift);
}

/* Sets flags and neighbours' normals, by trying all pairs. */
static void join(vp_collide_triangle *t, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            for (uint32_t j = 0; j < count; j++)
                for (int l = 0; l < 3; l++) {
                    if (!is_equal(t[i].corner[k], t[j].corner[(l + 1) % 3]) || !is_equal(t[i].corner[(k + 1) % 3], t[j].corner[l]))
                        continue;
                    const vp_vec3 third = vp_vec3_sub(t[j].corner[(l + 2) % 3], t[i].corner[k]);
                    const int flag = dot_of(t[i].normal, t[j].normal) >= 0.996195 ? VP_EDGE_FLAT
                                     : dot_of(t[i].normal, third) > 0.0           ? VP_EDGE_CONCAVE
                                                                                  : VP_EDGE_CONVEX;
                    t[i].flags = (uint8_t)((t[i].flags & ~(3 << 2 * k)) | flag << 2 * k);
                    t[i].beside[k] = t[j].normal;
                }
}

/* Two slopes that meet in a line, with bumps, turned and moved. */
static void make_surface(float slope, float bump, vp_random *random, surface *out)
{
    const float cell = 0.7f;
    vp_pose pose = vp_pose_at((vp_vec3){vp_random_between(random, -9.0f, 9.0f), vp_random_between(random, -9.0f, 9.0f), 3.0f});
    vp_collide_frame f;
    vp_vec3 point[LINE][LINE];
    random_rotation(random, pose.rotation);
    assert_ok(vp_collide_frame_of(&pose, &f, &error));
    out->across = f.row[0], out->up = f.row[1], out->along = f.row[2], out->shift = f.position;
    for (int i = 0; i < LINE; i++)
        for (int j = 0; j < LINE; j++) {
            const float x = (float)(i - CELLS / 2) * cell, z = (float)(j - CELLS / 2) * cell;
            point[i][j] = turned(out, x, slope * fabsf(x) + vp_random_between(random, -bump, bump), z);
        }
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            const vp_vec3 a = point[i][j], b = point[i][j + 1], c = point[i + 1][j + 1], d = point[i + 1][j];
            const vp_vec3 one[3] = {a, b, c}, two[3] = {a, c, d};
            const uint32_t at = (uint32_t)(i * CELLS + j) * 2;
            out->triangle[at] = vp_collide_triangle_of(one, at);
            out->triangle[at + 1] = vp_collide_triangle_of(two, at + 1);
        }
    join(out->triangle, MESH);
}

/* A shape near a surface. */
typedef struct contact {
    vp_body_shape body;
    vp_pose pose;
    uint32_t count;
    vp_collide_triangle triangle[MESH];
    vp_collide_answer raw[MESH], answer[MESH];
    float overlap; /* with flat ground */
} contact;

static float nearest_of(contact *c, const surface *s)
{
    float least = INFINITY;
    assert_ok(vp_collide_triangles(NULL, &c->body.shape, &c->pose, INFINITY, s->triangle, MESH, c->raw, &error));
    for (uint32_t i = 0; i < MESH; i++)
        least = c->raw[i].distance < least ? c->raw[i].distance : least;
    return least;
}

static void correct(contact *c)
{
    assert_ok(vp_collide_triangles(NULL, &c->body.shape, &c->pose, MARGIN, c->triangle, c->count, c->raw, &error));
    memcpy(c->answer, c->raw, c->count * sizeof *c->raw);
    assert_ok(vp_collide_correct(NULL, &c->body.shape, &c->pose, MARGIN, c->triangle, c->count, c->answer, &error));
}

/* Places the shape above, moves it down until it overlaps, and gathers the triangles nearby. */
static void place_on(contact *c, const surface *s, float slope, float overlap, vp_random *random)
{
    const float x = vp_random_between(random, -0.6f, 0.6f), z = vp_random_between(random, -0.6f, 0.6f), high = 3.0f;
    vp_aabb box;
    random_rotation(random, c->pose.rotation);
    c->pose.position = turned(s, x, high, z);
    const float down = nearest_of(c, s) * sqrtf(1.0f + slope * slope) + overlap;
    c->pose.position = turned(s, x, high - down, z);
    c->overlap = overlap;
    assert_ok(vp_collide_bounds(&c->body.shape, &c->pose, MARGIN, &box, &error));
    c->count = 0;
    for (uint32_t i = 0; i < MESH; i++) {
        const vp_vec3 *p = s->triangle[i].corner;
        const float low[3] = {fminf(fminf(p[0].x, p[1].x), p[2].x), fminf(fminf(p[0].y, p[1].y), p[2].y),
                              fminf(fminf(p[0].z, p[1].z), p[2].z)};
        const float up[3] = {fmaxf(fmaxf(p[0].x, p[1].x), p[2].x), fmaxf(fmaxf(p[0].y, p[1].y), p[2].y),
                             fmaxf(fmaxf(p[0].z, p[1].z), p[2].z)};
        if (low[0] <= box.max.x && low[1] <= box.max.y && low[2] <= box.max.z && up[0] >= box.min.x && up[1] >= box.min.y &&
            up[2] >= box.min.z)
            c->triangle[c->count++] = s->triangle[i];
    }
    correct(c);
}

static bool is_kept(const vp_collide_answer *a)
{
    return a->triangle_feature != VP_COLLIDE_NONE;
}

/* Whether another contact moves the shape out of a triangle by `gap`. It must be at most `most` deep, and as deep as
   the kernel's answer. */
static bool is_cleared(const contact *c, const vp_oracle_shape *oracle, uint32_t number, float most, double gap)
{
    bool cleared = false;
    for (uint32_t j = 0; j < c->count && !cleared; j++) {
        const vp_collide_answer *a = &c->answer[j];
        double size;
        cleared = j != number && is_kept(a) && -a->distance <= most && a->distance <= c->raw[number].distance + 1e-5f &&
                  distance_at(oracle, &c->pose, c->triangle[number].corner, a->normal, -(double)a->distance, &size) >= gap;
    }
    return cleared;
}

/* An overlap keeps a contact of at least its depth, or another contact clears it. A contact that another one clears is dropped. */
static void judge_overlap(const contact *c, const vp_oracle_shape *oracle, uint32_t number)
{
    const vp_collide_answer *raw = &c->raw[number], *a = &c->answer[number];
    if (is_kept(raw) && raw->distance < -1e-3f)
        assert_true(is_kept(a) ? a->distance <= raw->distance : is_cleared(c, oracle, number, INFINITY, -1e-4));
    if (is_kept(a) && a->distance < raw->distance - 1e-3f && raw->distance <= 0.0f)
        assert_false(is_cleared(c, oracle, number, -a->distance - 1e-3f, 1e-4));
}

/* For any surface, no deep contact is lost or less deep. Points are where the distance says, and moved by it the two just touch. */
static void judge_answers(const contact *c, const vp_oracle_shape *oracle)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const vp_collide_answer *raw = &c->raw[i], *a = &c->answer[i];
        const vp_vec3 *corner = c->triangle[i].corner;
        double size = 3.0, on[3], from[3], gap = 0.0;
        judge_overlap(c, oracle, i);
        if (!is_kept(a))
            continue;
        assert_true(a->distance <= MARGIN);
        for (int k = 0; k < 3; k++)
            assert_true(a->weight[k] >= 0.0f);
        wide(a->on_shape, on);
        wide(a->on_triangle, from);
        const float *n = &a->normal.x, *position = &c->pose.position.x;
        for (int k = 0; k < 3; k++) {
            double at = -(double)position[k];
            for (int j = 0; j < 3; j++)
                at += (double)a->weight[j] * (double)(&corner[j].x)[k];
            assert_true(fabs(at - from[k]) <= 1e-6 * size * 4.0);
            gap = fmax(gap, fabs(on[k] - from[k] - (double)a->distance * (double)n[k]));
        }
        assert_true(gap <= 1e-5 * size);
        if (raw->distance < -1e-4f) {
            const double off = distance_at(oracle, &c->pose, corner, a->normal, -(double)a->distance, &size);
            assert_true(fabs(off) <= OFF * size * 2.0); /* the kernel's error and the ray's */
        }
    }
}

/* If the nearest triangle faces the shape, its contact exists, maybe on another triangle. */
static void judge_apart(const contact *c)
{
    float before = INFINITY, after = INFINITY;
    bool in_front = false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->raw[i].distance < before) {
            before = c->raw[i].distance;
            in_front = dot_of(c->raw[i].normal, c->triangle[i].normal) > 0.0;
        }
        if (c->answer[i].triangle_feature != VP_COLLIDE_NONE)
            after = c->answer[i].distance < after ? c->answer[i].distance : after;
    }
    if (in_front && before > 0.0f && before < MARGIN * 0.98f)
        assert_true(after <= before * 1.01f + 1e-5f);
}

typedef void judge_fn(const contact *c, const surface *s, float slope);

static void slide(vp_body body, float slope, float bump, float least, float deepest, judge_fn *judge)
{
    static contact c;
    static surface s;
    vp_oracle_shape oracle;
    vp_random random = {(uint64_t)body + 100};
    assert_ok(vp_body_shape_create(body, 1.0f, NULL, &c.body, &error));
    assert_ok(vp_oracle_shape_create(&c.body.shape, &oracle, &error));
    for (uint32_t i = 0; i < poses / 15; i++) {
        if (i % 8 == 0)
            make_surface(slope, bump, &random, &s);
        place_on(&c, &s, slope, vp_random_between(&random, least, deepest), &random);
        judge_answers(&c, &oracle);
        if (deepest <= 0.0f)
            judge_apart(&c);
        judge(&c, &s, slope);
    }
    vp_oracle_shape_destroy(&oracle);
    vp_body_shape_destroy(&c.body);
}

static void on_flat(const contact *c, const surface *s, float slope)
{
    float deepest = INFINITY;
    (void)s;
    (void)slope;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->answer[i].triangle_feature != VP_COLLIDE_NONE) {
            assert_true(is_equal(c->answer[i].normal, c->triangle[i].normal));
            deepest = c->answer[i].distance < deepest ? c->answer[i].distance : deepest;
        }
    /* The size of the place is 10. A deep shape's lowest point may be fully below the triangle above it. */
    assert_true(deepest >= -c->overlap - 1e-6f * 10.0f);
    assert_true(deepest <= -c->overlap + 1e-6f * 10.0f || (c->overlap > 0.1f && deepest < c->overlap * -0.75f));
}

static void on_bumps(const contact *c, const surface *s, float slope)
{
    uint32_t touching = 0;
    (void)s;
    (void)slope;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->answer[i].triangle_feature != VP_COLLIDE_NONE) {
            assert_true(is_equal(c->answer[i].normal, c->triangle[i].normal));
            touching++;
        }
    assert_true(touching > 0);
}

/* An overlapped wall keeps a contact with its own normal. */
static void in_groove(const contact *c, const surface *s, float slope)
{
    for (int side = 0; side < 2; side++) {
        float before = 0.0f, after = 0.0f;
        for (uint32_t i = 0; i < c->count; i++) {
            const bool here = (dot_of(c->triangle[i].normal, s->across) > 0.0) == (side == 0);
            if (!here || c->answer[i].triangle_feature == VP_COLLIDE_NONE)
                continue;
            assert_true(is_equal(c->answer[i].normal, c->triangle[i].normal));
            after = c->answer[i].distance < after ? c->answer[i].distance : after;
            before = c->raw[i].distance < before ? c->raw[i].distance : before;
        }
        assert_true(after <= before);
    }
    (void)slope;
}

/* Every normal is between the two slopes' normals. A shape that is not fully below the surface has a contact. */
static void on_ridge(const contact *c, const surface *s, float slope)
{
    const double upright = 1.0 / sqrt(1.0 + (double)slope * (double)slope), aslant = fabs((double)slope) * upright;
    uint32_t touching = 0, near = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        near += c->raw[i].triangle_feature != VP_COLLIDE_NONE &&
                (c->raw[i].distance < 0.0f || dot_of(c->raw[i].normal, c->triangle[i].normal) > 0.0);
        if (c->answer[i].triangle_feature != VP_COLLIDE_NONE) {
            const vp_vec3 w = c->answer[i].normal;
            assert_true(fabs(dot_of(w, s->along)) <= 0.035);
            assert_true(dot_of(w, s->up) >= upright - 1e-5 && fabs(dot_of(w, s->across)) <= aslant + 1e-5);
            touching++;
        }
    }
    assert_true(touching > 0 || near == 0);
}

static void each_body(float slope, float bump, float least, float deepest, judge_fn *judge)
{
    for (int body = 0; body < VP_BODIES; body++)
        slide((vp_body)body, slope, bump, least, deepest, judge);
}

/* docs/CONTRACT.md: COR-1, COR-2, COR-3 */
static void flat_ground(void **state)
{
    (void)state;
    each_body(0.0f, 0.0f, 0.0f, 0.02f, on_flat);
    each_body(0.0f, 0.0f, 0.0f, 0.6f, on_flat);
}

static void bumps(void **state)
{
    (void)state;
    each_body(0.0f, 0.01f, 0.0f, 0.3f, on_bumps);
}

static void grooves(void **state)
{
    (void)state;
    each_body(1.0f, 0.0f, 0.0f, 0.3f, in_groove);
    each_body(0.25f, 0.0f, 0.0f, 0.3f, in_groove);
}

static void ridges(void **state)
{
    (void)state;
    each_body(-1.0f, 0.0f, 0.0f, 0.3f, on_ridge);
    each_body(-0.25f, 0.0f, 0.0f, 0.3f, on_ridge);
}

static void on_any(const contact *c, const surface *s, float slope)
{
    (void)c;
    (void)s;
    (void)slope;
}

/* A corner between two nearly flat triangles misses both along either normal. */
static void apart(void **state)
{
    static const float slope[5] = {0.0f, 0.2f, -0.2f, -1.0f, -0.02f}, bump[5] = {0.02f, 0.0f, 0.0f, 0.1f, 0.0f};
    (void)state;
    for (int i = 0; i < 5; i++)
        each_body(slope[i], bump[i], -0.018f, 0.0f, on_any);
}

/* ---- ridges and tips ---- */

/* Sets the direction between n and m that is nearest to u. @return its part along u */
static double best_between(vp_vec3 n, vp_vec3 m, vp_vec3 u, vp_vec3 *nearest)
{
    double best = -1.0;
    for (int i = 0; i <= 400; i++) {
        double a[3], b[3], c[3];
        wide(n, a);
        wide(m, b);
        wide(u, c);
        for (int k = 0; k < 3; k++)
            a[k] += (b[k] - a[k]) * i / 400.0;
        const double length = sqrt(dot3(a, a)), along = dot3(a, c) / length;
        if (along <= best)
            continue;
        best = along;
        *nearest = (vp_vec3){(float)(a[0] / length), (float)(a[1] / length), (float)(a[2] / length)};
    }
    return best;
}

/* Whether an answer has the wanted normal, or a side's normal because the way along the wanted one is longer. */
static bool is_nearest_or_shorter(const vp_oracle_shape *oracle, const vp_pose *pose, const vp_collide_triangle *t,
                                  const vp_collide_answer *a, vp_vec3 u, double wanted, vp_vec3 nearest)
{
    double size;
    if (fabs(dot_of(a->normal, u) - wanted) <= 1e-5)
        return true;
    const bool is_side = is_equal(a->normal, t->normal) || is_equal(a->normal, t->beside[0]) || is_equal(a->normal, t->beside[2]);
    return is_side && distance_at(oracle, pose, t->corner, nearest, -(double)a->distance, &size) < 0.0;
}

/* Whether corner k reaches farthest along u, by more than `clear`. -1 = undecided. */
static int is_ahead(const vp_collide_triangle *t, int k, vp_vec3 u, double clear)
{
    const double a = dot_of(vp_vec3_sub(t->corner[(k + 1) % 3], t->corner[k]), u),
                 b = dot_of(vp_vec3_sub(t->corner[(k + 2) % 3], t->corner[k]), u);
    return a < -clear && b < -clear ? 1 : a > clear || b > clear ? 0 : -1;
}

/* Several sides that go down from a tip. The normal is the nearest one of all its edges, or the tip's own. The order of triangles does
   not change it. */
static void tips(void **state)
{
    enum { SIDES = 5 };
    vp_random random = {123};
    uint32_t tip[2] = {0}, edge = 0, kept = 0, touched = 0;
    const vp_collide_shape shapes[2] = {vp_collide_sphere(0.5f), vp_collide_box((vp_vec3){0.4f, 0.3f, 0.5f})};
    vp_oracle_shape oracle[2];
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_ok(vp_oracle_shape_create(&shapes[i], &oracle[i], &error));
    for (uint32_t i = 0; i < poses * 4; i++) {
        static const float around[SIDES][2] = {{1.0f, 0.0f}, {0.3f, 0.9f}, {-0.8f, 0.6f}, {-0.8f, -0.6f}, {0.3f, -0.9f}};
        const vp_collide_shape s = shapes[i % 2];
        vp_collide_triangle t[SIDES], other[SIDES];
        vp_collide_answer raw[SIDES], a[SIDES], b[SIDES];
        vp_pose pose = vp_pose_at(vp_vec3_scale(random_unit(&random), 0.6f * vp_random_unit(&random)));
        const float down = vp_random_between(&random, -1.5f, -0.3f);
        random_rotation(&random, pose.rotation);
        for (uint32_t k = 0; k < SIDES; k++) {
            const float *p = around[k], *q = around[(k + 1) % SIDES];
            const vp_vec3 corner[3] = {{0.0f, 0.0f, 0.0f}, {2.0f * q[0], down, 2.0f * q[1]}, {2.0f * p[0], down, 2.0f * p[1]}};
            t[k] = vp_collide_triangle_of(corner, k);
        }
        join(t, SIDES);
        assert_ok(vp_collide_triangles(NULL, &s, &pose, 0.0f, t, SIDES, raw, &error));
        memcpy(a, raw, sizeof a);
        assert_ok(vp_collide_correct(NULL, &s, &pose, 0.0f, t, SIDES, a, &error));
        for (int k = 0; k < SIDES; k++)
            other[k] = t[(k + 1) % SIDES], b[k] = raw[(k + 1) % SIDES];
        assert_ok(vp_collide_correct(NULL, &s, &pose, 0.0f, other, SIDES, b, &error));
        for (int k = 0; k < SIDES; k++)
            assert_memory_equal(&b[k], &a[(k + 1) % SIDES], sizeof *a);
        for (int k = 0; k < SIDES; k++) {
            const vp_vec3 u = raw[k].normal;
            touched += is_kept(&raw[k]);
            kept += is_kept(&a[k]);
            if (!is_kept(&a[k]))
                continue;
            vp_vec3 near[2];
            const double first = best_between(t[k].normal, t[k].beside[0], u, &near[0]),
                         second = best_between(t[k].normal, t[k].beside[2], u, &near[1]);
            if (is_ahead(&t[k], 0, u, 0.1) == 1) {
                int all = 1;
                for (int j = 0; j < SIDES; j++) {
                    const int ahead = is_ahead(&t[j], 0, u, 0.1);
                    all = ahead == 0 || all == 0 ? 0 : ahead == -1 ? -1 : all;
                }
                if (all == 1)
                    assert_true(is_equal(a[k].normal, u));
                else if (all == 0)
                    assert_true(is_nearest_or_shorter(&oracle[i % 2], &pose, &t[k], &a[k], u, fmax(first, second), near[second > first]));
                tip[all == 1] += all >= 0;
                continue;
            }
            for (int l = 0; l < 2; l++) { /* the whole edge is ahead of the third corner */
                const vp_vec3 end = t[k].corner[1 + l], third = t[k].corner[2 - l];
                if (fabs(dot_of(end, u)) > 1e-4 || dot_of(third, u) > -0.1)
                    continue;
                assert_true(is_nearest_or_shorter(&oracle[i % 2], &pose, &t[k], &a[k], u, l == 0 ? first : second, near[l]));
                edge++;
            }
        }
    }
    assert_true(tip[0] > 5 && tip[1] > 5 && edge > 5);
    assert_true(kept > touched / 2);
    for (int i = 0; i < 2; i++)
        vp_oracle_shape_destroy(&oracle[i]);
}

/* docs/CONTRACT.md: COR-4. The order of the list does not change the answers. */
static void orders(void **state)
{
    static contact c, d;
    static surface s;
    vp_random random = {77};
    (void)state;
    for (int body = 0; body < VP_BODIES; body++) {
        assert_ok(vp_body_shape_create((vp_body)body, 1.0f, NULL, &c.body, &error));
        for (int i = 0; i < 20; i++) {
            make_surface(i % 2 == 0 ? -0.8f : -0.1f, 0.15f, &random, &s);
            place_on(&c, &s, 1.0f, vp_random_between(&random, 0.0f, 0.5f), &random);
            d.body = c.body;
            d.pose = c.pose;
            d.count = c.count;
            const uint32_t shift = vp_random_below(&random, c.count);
            for (uint32_t k = 0; k < c.count; k++)
                d.triangle[c.count - 1 - (k + shift) % c.count] = c.triangle[k];
            correct(&d);
            for (uint32_t k = 0; k < c.count; k++)
                assert_memory_equal(&c.answer[k], &d.answer[c.count - 1 - (k + shift) % c.count], sizeof *c.answer);
        }
        vp_body_shape_destroy(&c.body);
    }
}

/* A box's corner above a nearly flat ridge or tip. Along each triangle's normal it is farther from that triangle than the margin, but its
   distance is smaller. */
static void above_the_middle(void **state)
{
    enum { SIDES = 4 };
    static const float around[SIDES][2] = {{2.0f, 0.0f}, {0.0f, 2.0f}, {-2.0f, 0.0f}, {0.0f, -2.0f}};
    const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    vp_pose pose = vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f});
    (void)state;
    pose.rotation[0] = -(float)sqrt(0.5 - 0.5 / sqrt(3.0)) * sqrtf(0.5f); /* turns (1, 1, 1) downwards or upwards */
    pose.rotation[3] = (float)sqrt(0.5 + 0.5 / sqrt(3.0));
    pose.rotation[2] = -pose.rotation[0];
    for (int tip = 0; tip < 2; tip++) {
        vp_collide_triangle t[SIDES];
        vp_collide_answer raw[SIDES], a[SIDES];
        int kept = 0;
        for (uint32_t k = 0; k < SIDES; k++) {
            const float *p = around[k], *q = around[(k + 1) % SIDES];
            const float low = tip == 1 || q[0] != 0.0f ? -0.08f : 0.0f, last = tip == 1 || p[0] != 0.0f ? -0.08f : 0.0f;
            const vp_vec3 corner[3] = {{0.0f, 0.0f, 0.0f}, {q[0], low, q[1]}, {p[0], last, p[1]}};
            t[k] = vp_collide_triangle_of(corner, k);
        }
        join(t, SIDES);
        pose.position = (vp_vec3){0.0f, (float)(0.5 * sqrt(3.0)) + 0.0198f, tip == 1 ? 0.0f : 0.3f};
        assert_ok(vp_collide_triangles(NULL, &box, &pose, MARGIN, t, SIDES, raw, &error));
        memcpy(a, raw, sizeof a);
        assert_ok(vp_collide_correct(NULL, &box, &pose, MARGIN, t, SIDES, a, &error));
        for (int k = 0; k < SIDES; k++) {
            if (raw[k].triangle_feature == VP_COLLIDE_NONE || raw[k].distance > 0.0199f)
                continue;
            assert_true(raw[k].normal.y > 0.9999f);
            kept += a[k].triangle_feature != VP_COLLIDE_NONE && fabsf(a[k].distance - 0.0198f) <= 1e-5f;
        }
        assert_true(kept > 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(flat_ground), cmocka_unit_test(bumps), cmocka_unit_test(grooves), cmocka_unit_test(ridges),
        cmocka_unit_test(apart),       cmocka_unit_test(tips),  cmocka_unit_test(orders),  cmocka_unit_test(above_the_middle),
    };
    if (argc > 1)
        poses = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
