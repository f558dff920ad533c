/* SPDX-License-Identifier: MIT */
/* Manifolds on blocks in the example's solver. Dropped bodies come to rest with any margin, and stacks of aligned crates stand.
 * examples/solver.c and test_simulate.c do the same on terrain. */
#include "examples/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/random.h"
#include "tests/support/check.h"

enum { DROPPED = IS_DEEP ? 40 : IS_THIN ? 3 : 12, STACK_FRAMES = IS_DEEP ? 10000 : 1000 };
enum { FRAMES = 900, WATCHED = 3, SECOND = 60, ROOM = 1024, SIDE = 64, HIGH = 32 };

static vp_manifold_scratch scratch = {NULL, ROOM, 0};

/* Updates each awake body's pair with the blocks. */
static void touch_ground(const vp_block_view *blocks, const solver_body *body, int count, float margin, solver_pair *list)
{
    for (int i = 0; i < count; i++) {
        const vp_manifold_def def = {.margin = margin};
        vp_manifold m[VP_MANIFOLD_DIRECTIONS];
        uint32_t made;
        if (solver_sleeps(&body[i]))
            continue;
        assert_ok(vp_manifold_blocks(&def, &body[i].at, blocks, &scratch, m, VP_MANIFOLD_DIRECTIONS, &made, &error));
        solver_renew_pair(body, i, SOLVER_GROUND, m, made, &list[i]);
    }
}

/* ---- blocks ---- */

static double hill(double x, double z)
{
    return 12.0 + 3.0 * sin(0.21 * x + 0.1 * z) + 2.0 * sin(0.33 * z - 0.07 * x) + 0.8 * sin(0.9 * x) * sin(0.8 * z);
}

static const vp_block_view *make_blocks(void)
{
    static uint8_t cells[4][VP_BLOCK_CELLS];
    static vp_block_cells chunks[4];
    static const vp_block_type types[] = {{0, 0}, {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, 0}};
    static const vp_block_view view = {.chunk = chunks, .low = {0, 0, 0}, .size = {2, 1, 2}, .type = types, .type_count = 2};
    for (int z = 0; z < SIDE; z++)
        for (int x = 0; x < SIDE; x++)
            for (int y = 0; y < HIGH; y++)
                cells[z / 32 * 2 + x / 32][(y * 32 + z % 32) * 32 + x % 32] = y < (int)hill(x, z);
    for (int c = 0; c < 4; c++)
        chunks[c] = (vp_block_cells){.cell = cells[c], .width = 1};
    return &view;
}

/* ---- dropped bodies ---- */

typedef struct verdict {
    uint32_t still, restless, rolling;
} verdict;

/* Counts how often a body turns back per second, in the last seconds. */
typedef struct watch {
    vp_vec3 velocity, spin; /* in the previous frame */
    uint32_t turns[WATCHED];
} watch;

static float length_of(vp_vec3 a)
{
    return sqrtf(vp_vec3_dot(a, a));
}

static void watch_body(watch *w, const solver_body *b, int second)
{
    w->turns[second] += vp_vec3_dot(b->velocity, w->velocity) < 0.0f || vp_vec3_dot(b->spin, w->spin) < 0.0f;
    w->velocity = b->velocity;
    w->spin = b->spin;
}

/* Sleeping bodies are still. Barrels may roll on, or to and fro in a hollow, and turn back at most twice a second. A body that stops may
   turn back more often, but only in one second. A restless body does so in all of them. */
static void judge_body(const watch *w, const solver_body *b, verdict *out)
{
    bool restless = !solver_sleeps(b);
    for (int k = 0; k < WATCHED; k++)
        restless = restless && w->turns[k] > 2;
    if (solver_sleeps(b))
        out->still++;
    else if (restless)
        out->restless++;
    else
        out->rolling++;
}

/* Above the ground, with any rotation. */
static solver_body drop_body(vp_random *r, const vp_collide_shape *shape)
{
    vp_pose pose = {.position = {vp_random_between(r, 12.0f, SIDE - 12.0f), 0.0f, vp_random_between(r, 12.0f, SIDE - 12.0f)}};
    const float level = floorf((float)hill(floor((double)pose.position.x), floor((double)pose.position.z)));
    vp_random_rotation(r, pose.rotation);
    pose.position.y = level + vp_collide_radius(shape) + vp_random_between(r, 0.2f, 2.0f);
    solver_body body;
    assert_ok(solver_create_body(shape, pose, &body, &error));
    return body;
}

static verdict drop_bodies(const vp_block_view *blocks, float margin)
{
    static solver_body body[DROPPED];
    static solver_pair list[DROPPED];
    static watch watched[DROPPED];
    const vp_body_kind kind[3] = {VP_BODY_BOX, VP_BODY_CYLINDER, VP_BODY_HULL16};
    vp_body_shape shape[3];
    verdict all = {0};
    vp_random r = {2};
    for (int k = 0; k < 3; k++)
        assert_ok(vp_body_shape_create(kind[k], 1.0f, NULL, &shape[k], &error));
    memset(list, 0, sizeof list);
    memset(watched, 0, sizeof watched);
    for (int i = 0; i < DROPPED; i++)
        body[i] = drop_body(&r, &shape[i % 3].shape);
    for (int frame = 0; frame < FRAMES; frame++) {
        touch_ground(blocks, body, DROPPED, margin, list);
        assert_ok(solver_solve(body, DROPPED, list, DROPPED, &error));
        for (int i = 0; i < DROPPED && frame >= FRAMES - WATCHED * SECOND; i++)
            watch_body(&watched[i], &body[i], (frame - FRAMES + WATCHED * SECOND) / SECOND);
    }
    for (int i = 0; i < DROPPED; i++) {
        judge_body(&watched[i], &body[i], &all);
        for (uint32_t k = 0; k < list[i].count; k++)
            assert_true(list[i].point[k].distance > -0.05f);
    }
    for (int k = 0; k < 3; k++)
        vp_body_shape_destroy(&shape[k]);
    return all;
}

/* With every margin. */
TEST(dropped)
{
    static const float margin[] = {0.0f, 0.02f, 0.1f};
    for (int k = 0; k < 3; k++) {
        const verdict v = drop_bodies(make_blocks(), margin[k]);
        printf("margin %g: %u still, %u restless, %u rolling\n", (double)margin[k], v.still, v.restless, v.rolling);
        assert_true(v.restless == 0);
        assert_true(v.still >= DROPPED / 2);
    }
}

/* A barrel leans in a corner, with its cap on a block's edge that passes near the rim. With a point at only one end of that part of the
   edge it would rock for ever. */
TEST(lean)
{
    static const float margin[] = {0.0f, 0.02f, 0.1f};
    const vp_collide_shape barrel = vp_collide_cylinder(0.40625f, 0.40625f);
    const vp_pose pose = {{24.501892f, 12.079602f, 19.557472f}, {-0.1805988f, -0.7831988f, -0.2624937f, -0.5339297f}};
    const vp_block_view *blocks = make_blocks();
    for (int k = 0; k < 3; k++) {
        solver_body body;
        static solver_pair pair;
        assert_ok(solver_create_body(&barrel, pose, &body, &error));
        body.velocity = (vp_vec3){0.0193f, -0.00916f, -0.00175f};
        body.spin = (vp_vec3){-0.01995f, -0.00034f, -0.22673f};
        pair.count = 0;
        for (int frame = 0; frame < 300; frame++) {
            touch_ground(blocks, &body, 1, margin[k], &pair);
            assert_ok(solver_solve(&body, 1, &pair, 1, &error));
        }
        assert_true(solver_sleeps(&body));
    }
}

/* ---- stacks ---- */

enum { STACKED = 6 };

/* Crates on top of each other, with all sides aligned, the lowest on the ground. Pair i is of crate i and the body below it. */
TEST(stack)
{
    static const float margin[] = {0.0f, 0.02f, 0.1f};
    const vp_collide_shape crate = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
    const vp_block_view *blocks = make_blocks();
    for (int k = 0; k < 3; k++) {
        solver_body body[STACKED];
        static solver_pair list[STACKED];
        float off = 0.0f, fastest = 0.0f;
        const vp_vec3 foot = {30.5f, floorf((float)hill(30.0, 30.0)), 30.5f};
        memset(list, 0, sizeof list);
        for (int i = 0; i < STACKED; i++) {
            const vp_pose pose = vp_pose_at((vp_vec3){foot.x, foot.y + 0.5f + (float)i, foot.z});
            assert_ok(solver_create_body(&crate, pose, &body[i], &error));
        }
        for (int frame = 0; frame < STACK_FRAMES; frame++) {
            body[0].calm = 0; /* keeps it awake */
            touch_ground(blocks, body, 1, margin[k], list);
            for (int i = 1; i < STACKED; i++)
                assert_ok(solver_touch_bodies(body, i, i - 1, margin[k], &list[i], &error));
            assert_ok(solver_solve(body, STACKED, list, STACKED, &error));
        }
        for (int i = 0; i < STACKED; i++) {
            const vp_vec3 p = vp_vec3_sub(body[i].at.pose.position, (vp_vec3){foot.x, foot.y + 0.5f + (float)i, foot.z});
            off = fmaxf(off, length_of(p));
            fastest = fmaxf(fastest, length_of(body[i].velocity));
        }
        printf("stack, margin %g: %g off, fastest %g\n", (double)margin[k], (double)off, (double)fastest);
        assert_true(off < 0.06f && fastest < 0.001f);
    }
}

static int begin(void **state)
{
    (void)state;
    scratch.memory = malloc(vp_manifold_scratch_bytes(ROOM));
    return scratch.memory == NULL;
}

static int end(void **state)
{
    (void)state;
    free(scratch.memory);
    return 0;
}

int main(void)
{
    return test_run_all(begin, end);
}
