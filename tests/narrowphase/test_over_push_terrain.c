/* SPDX-License-Identifier: MIT */
/* Bodies on a terrain with walls and steps, 0 to 0.2 deep. No contact is deeper than 1.1 times the way up, and none is lost. Large bodies
 * far inside have contacts up to 1.25 times as deep as the way out. */
#include "cases/narrowphase/shapes.h"
#include "tests/narrowphase/manifold_scene.h"
#include "tests/narrowphase/moved.h"

static const uint32_t places = 20 / THIN_BY;

#define ROUNDING 1e-3f /* tolerance of depths, because the way up is found by bisection */

/* The depth of the deepest triangle, by the kernels alone. */
static float raw_depth(const manifold_world *s, const vp_manifold_body *b)
{
    return fmaxf(0.0f, -least_distance_of(s, b, 0.0f));
}

/* Moves the body to where it just touches the ground from above. @return false if that is under an overhang */
static bool put_on_ground(const manifold_world *s, vp_manifold_body *b)
{
    float low = 4.0f, high = 40.0f;
    vp_vec3 normal;
    for (int k = 0; k < 24; k++) {
        b->pose.position.y = (low + high) / 2.0f;
        *(raw_depth(s, b) > 0.0f ? &low : &high) = b->pose.position.y;
    }
    b->pose.position.y = high;
    return high > surface_at(s, b->pose.position.x, b->pose.position.z, &normal);
}

/* The shortest way out in some directions, at most the way upwards. */
static float way_out(const manifold_world *s, const vp_manifold_body *b, float upwards, vp_random *r)
{
    float least = upwards;
    for (int k = 0; k < 40; k++) {
        const vp_vec3 w = random_unit(r);
        float in = 0.0f;
        for (float t = least; least - in > 0.01f; t = (in + least) / 2.0f) {
            vp_manifold_body moved = *b;
            moved.pose.position = vp_vec3_add(b->pose.position, vp_vec3_scale(w, w.y < 0.0f ? -t : t));
            if (raw_depth(s, &moved) <= 1e-6f)
                least = t;
            else if (t == least)
                break;
            else
                in = t;
        }
    }
    return least;
}

static void judge(const manifold_world *s, const vp_manifold_body *b, float deep)
{
    const float slack = vp_collide_radius(b->shape) / 256.0f + ROUNDING;
    float deepest = 0.0f, corrected = 0.0f;
    vp_manifold m[MANIFOLDS];
    static vp_collide_triangle list[SCENE_TRIANGLES];
    static vp_collide_result raw[SCENE_TRIANGLES], answer[SCENE_TRIANGLES];
    static uint32_t words[VP_COLLIDE_CONNECT_WORDS(SCENE_TRIANGLES)];
    const uint32_t count = scene_triangles(s, b, margin + vp_collide_gather_margin(b->shape), list);
    assert_ok(vp_collide_connect(list, count, words, &error));
    assert_ok(vp_collide_triangles(NULL, b->shape, &b->pose, margin, list, count, raw, &error));
    memcpy(answer, raw, count * sizeof *raw);
    assert_ok(vp_collide_correct(NULL, b->shape, &b->pose, margin, list, count, answer, &error));
    const uint32_t made = ask(s, b, true, m);
    for (uint32_t i = 0; i < count; i++) {
        deepest = fmaxf(deepest, -raw[i].distance);
        corrected = fmaxf(corrected, -answer[i].distance);
    }
    const float kept = made > 0 ? -m[0].point[0].distance : 0.0f, most = fmaxf(corrected, kept);
    if (most > deep + ROUNDING || deepest > corrected + ROUNDING || deepest > kept + slack)
        fail_msg("kind %d of radius %g: deepest %g, corrected %g, kept %g, way out %g", (int)b->shape->kind,
                 (double)vp_collide_radius(b->shape), (double)deepest, (double)corrected, (double)kept, (double)deep);
}

/* At any place on the ground, a quarter of them upright. */
static vp_manifold_body place_body(const manifold_world *s, const vp_collide_shape *shape, vp_random *r)
{
    vp_manifold_body body = {shape, vp_pose_at((vp_vec3){0.0f, 0.0f, 0.0f})};
    do {
        body.pose.position.x = vp_random_between(r, 12.0f, 28.0f);
        body.pose.position.z = vp_random_between(r, 12.0f, 28.0f);
        const bool upright = vp_random_below(r, 4) == 0;
        for (int a = 0; a < 4; a++)
            body.pose.rotation[a] = (upright ? 0.0f : random_sign(r)) + (a == 3 ? 1.5f : 0.0f);
    } while (!put_on_ground(s, &body));
    return body;
}

/* docs/CONTRACT.md: COR-2, COR-3, MAN-2. @param deep  up to 2 instead of up to 0.2 */
static void judge_bodies(const manifold_world *s, float size, uint64_t seed, bool deep, uint32_t count)
{
    for (int b = 0; b < VP_BODIES; b++) {
        vp_body_shape own;
        vp_random r = {seed + (uint64_t)b};
        assert_ok(vp_body_shape_create((vp_body_kind)b, size, NULL, &own, &error));
        for (uint32_t i = 0; i < count; i++) {
            vp_manifold_body body = place_body(s, &own.shape, &r);
            const float by = deep ? 2.0f * vp_random_unit(&r) : 0.2f * vp_random_unit(&r) * vp_random_unit(&r);
            body.pose.position.y -= by;
            judge(s, &body, deep ? 1.25f * way_out(s, &body, by, &r) : 1.1f * by);
        }
        vp_body_shape_destroy(&own);
    }
}

TEST(bodies_in_hills)
{
    static const float sizes[] = {1.0f, 3.0f, 6.0f};
    manifold_world s;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (uint64_t k = 0; k < 3; k++)
        judge_bodies(&s, sizes[k], k * VP_BODIES, false, places);
    judge_bodies(&s, 6.0f, 0, true, (places + 9) / 10);
    close_scene(&s);
}

int main(void)
{
    return test_run_all(begin, end);
}
