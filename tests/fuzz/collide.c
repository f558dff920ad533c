/* SPDX-License-Identifier: MIT */
/* Bytes as a shape, a pose, a margin and triangles over few corners: from integers and their neighbours to any bits. All functions refuse
 * invalid input. For valid input the answers are finite and consistent, and do not depend on the order of the triangles. (Oracles judge
 * their distances in cases/ and tests/narrowphase.) */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tape.h"

#include <math.h>

#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>

enum { MAX_POINTS = 24, MAX_CORNERS = 9, MAX_TRIANGLES = 16 };

/* ---- input from bytes ---- */

static uint8_t wild; /* 0 = small numbers only, 1 = also finite ones of all magnitudes, 2 = any bits */

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

/* @return the count. `right`: whether all corners are within range */
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

/* ---- properties ---- */

typedef struct collide_scene {
    vp_collide_shape shape;
    vp_pose pose;
    vp_collide_frame frame;
    float margin;
    uint32_t count;
    vp_collide_triangle triangle[MAX_TRIANGLES];
} collide_scene;

static bool is_finite(vp_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static bool is_unit(vp_vec3 a)
{
    const double x = (double)a.x, y = (double)a.y, z = (double)a.z;
    return fabs(sqrt(x * x + y * y + z * z) - 1.0) < 2e-6;
}

static void check_answers(const collide_scene *s, const vp_collide_result *answer)
{
    static const uint32_t feature[8] = {99, 4, 5, 1, 6, 3, 2, 0}; /* whose corners have a weight */
    for (uint32_t i = 0; i < s->count; i++) {
        const vp_collide_result *a = &answer[i];
        uint32_t some = 0;
        FUZZ_CHECK(is_unit(a->normal));
        if (a->triangle_feature == VP_COLLIDE_NONE) {
            FUZZ_CHECK(a->shape_feature == VP_COLLIDE_NONE && (a->distance > s->margin || a->distance == INFINITY));
            continue;
        }
        FUZZ_CHECK(a->distance <= s->margin && is_finite(a->on_shape) && is_finite(a->on_triangle));
        for (int k = 0; k < 3; k++) {
            FUZZ_CHECK(a->weight[k] >= 0.0f && a->weight[k] <= 1.0f);
            some |= (uint32_t)(a->weight[k] > 0.0f) << k;
        }
        FUZZ_CHECK(fabs((double)a->weight[0] + (double)a->weight[1] + (double)a->weight[2] - 1.0) < 2e-6);
        FUZZ_CHECK(a->triangle_feature == feature[some]);
    }
}

/* Reverses the triangles, the most different order. */
static void turn_around(const vp_collide_triangle *from, uint32_t count, vp_collide_triangle *to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[count - 1 - i];
}

static void check_corrected(const collide_scene *s, const vp_collide_result *raw)
{
    vp_collide_triangle back[MAX_TRIANGLES];
    vp_collide_result answer[MAX_TRIANGLES], behind[MAX_TRIANGLES];
    turn_around(s->triangle, s->count, back);
    for (uint32_t i = 0; i < s->count; i++) {
        answer[i] = raw[i];
        behind[i] = raw[s->count - 1 - i];
    }
    FUZZ_CHECK(vp_collide_correct(NULL, &s->shape, &s->pose, s->margin, s->triangle, s->count, answer, NULL) == VP_OK);
    FUZZ_CHECK(vp_collide_correct(NULL, &s->shape, &s->pose, s->margin, back, s->count, behind, NULL) == VP_OK);
    check_answers(s, answer);
    for (uint32_t i = 0; i < s->count; i++)
        FUZZ_CHECK(memcmp(&answer[i], &behind[s->count - 1 - i], sizeof *answer) == 0);
}

static void check_manifolds(const collide_scene *s, const vp_manifold *m, uint32_t made)
{
    for (uint32_t i = 0; i < made; i++) {
        FUZZ_CHECK(m[i].count >= 1 && m[i].count <= VP_MANIFOLD_POINTS && is_unit(m[i].normal));
        FUZZ_CHECK(i == 0 || m[i].chunk > m[i - 1].chunk ||
                   (m[i].chunk == m[i - 1].chunk && m[i].point[0].distance >= m[i - 1].point[0].distance));
        for (uint32_t k = 0; k < m[i].count; k++) {
            const vp_manifold_point *p = &m[i].point[k];
            FUZZ_CHECK(is_unit(p->normal) && vp_vec3_dot(p->normal, m[i].normal) > 0.9961f);
            FUZZ_CHECK(is_finite(p->on_shape) && is_finite(p->on_triangle));
            FUZZ_CHECK(p->distance <= s->margin && (k == 0 || p->distance >= p[-1].distance));
            for (uint32_t h = 0; h <= i; h++)
                for (uint32_t j = 0; j < (h < i ? m[h].count : k) && m[h].chunk == m[i].chunk; j++)
                    FUZZ_CHECK(m[h].point[j].feature != p->feature);
        }
    }
}

static void manifolds(const collide_scene *s, bool whole)
{
    static union {
        unsigned char bytes[VP_MANIFOLD_MIN_TRIANGLES * 2048];
        max_align_t aligned;
    } memory;
    const vp_manifold_def def = {.margin = s->margin, .by_chunk = !whole};
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
    collide_scene s = {0};
    vp_collide_owned_hull solid = {0};
    vp_collide_result raw[MAX_TRIANGLES], gjk[MAX_TRIANGLES];
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
        check_answers(&s, raw);
        check_corrected(&s, raw);
        manifolds(&s, (how & 64) != 0);
        turn_around(s.triangle, s.count, back);
        FUZZ_CHECK(vp_collide_connect(back, s.count, words, &error) == VP_OK);
        for (uint32_t i = 0; i < s.count; i++)
            FUZZ_CHECK(memcmp(&back[i], &s.triangle[s.count - 1 - i], sizeof *back) == 0);
    }
    vp_collide_hull_destroy(&solid);
    return 0;
}
