/* SPDX-License-Identifier: MIT */
/* The time to build trees offline from sets that are the worst for some search. The case scene_build judges the trees. */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <voxphys/spheretree.h>

#include "datasets/random.h"

typedef enum family {
    CONCENTRIC_UP,
    CONCENTRIC_DOWN,
    CONCENTRIC_RANDOM,
    TANGENT_UP, /* one in the other, with a common point */
    TANGENT_DOWN,
    NESTED,
    EQUAL,
    EQUAL_AND_ONE, /* the first is elsewhere */
    POINTS,        /* without extent, some equal */
    TIES,          /* integers, so many pairs are equal */
    LINE,
    DOUBLING, /* on a line, each gap twice the last one */
    GRID,
    RANDOM,
    CLUSTERS,
    FAR,  /* rounded coarsely */
    STAR, /* large ones in one place, small ones around */
    RING, /* of one size, as far from a few as from one another */
    LARGE_AND_SMALL,
    FAMILIES
} family;

static vp_sphere sphere_of(vp_random *r, family f, uint32_t i, uint32_t count)
{
    const float up = (float)i, down = (float)(count - i), angle = vp_random_between(r, 0, 6.2831855f);
    const vp_vec3 any = {vp_random_between(r, 0, 100), vp_random_between(r, 0, 100), vp_random_between(r, 0, 100)};
    switch (f) {
    case CONCENTRIC_UP:
        return (vp_sphere){{5, 5, 5}, 1 + 0.001f * up};
    case CONCENTRIC_DOWN:
        return (vp_sphere){{5, 5, 5}, 1 + 0.001f * down};
    case CONCENTRIC_RANDOM:
        return (vp_sphere){{5, 5, 5}, floorf(any.x) / 8};
    case TANGENT_UP:
        return (vp_sphere){{1 + 0.001f * up, 0, 0}, 1 + 0.001f * up};
    case TANGENT_DOWN:
        return (vp_sphere){{1 + 0.001f * down, 0, 0}, 1 + 0.001f * down};
    case NESTED:
        return (vp_sphere){{cosf(angle) * powf(1.01f, up) / 2, sinf(angle) * powf(1.01f, up) / 2, 0}, powf(1.01f, up)};
    case EQUAL:
        return (vp_sphere){{1, 2, 3}, 4};
    case EQUAL_AND_ONE:
        return (vp_sphere){{i == 0 ? 50.0f : 1, 2, 3}, 4};
    case POINTS:
        return (vp_sphere){{floorf(any.x / 30), floorf(any.y / 30), 0}, 0};
    case TIES:
        return (vp_sphere){{floorf(any.x / 15), floorf(any.y / 15), floorf(any.z / 50)}, (float)(i % 3)};
    case LINE:
        return (vp_sphere){{up, 0, 0}, 0.5f};
    case DOUBLING:
        return (vp_sphere){{ldexpf(1, (int)(i % 60)), 0, 0}, 0.1f};
    case GRID:
        return (vp_sphere){{(float)(i % 4), (float)(i / 4 % 4), (float)(i / 16)}, 0.25f};
    case CLUSTERS:
        return (vp_sphere){{(float)(i % 5) * 50 + any.x / 100, (float)(i % 3) * 80 + any.y / 100, 0}, any.z / 300};
    case FAR:
        return (vp_sphere){{1e6f + any.x, -1e6f + any.y, 3e7f}, any.z / 10};
    case STAR:
        return i % 2 == 0 ? (vp_sphere){{5 + any.x / 1e4f, 5 + any.y / 1e4f, 5}, 50 + 0.001f * up}
                          : (vp_sphere){{5 + 50 * cosf(angle), 5 + 50 * sinf(angle), 5}, 1};
    case RING:
        return i % 8 != 0 ? (vp_sphere){{0.001f * cosf(angle), 0.001f * sinf(angle), 0}, 10}
                          : (vp_sphere){{0, 0, 0.02f + 0.001f * up}, 10 - 0.001f * up};
    case LARGE_AND_SMALL:
        return (vp_sphere){any, i % 2 == 0 ? 20 + any.x / 100 : 0.01f};
    default:
        return (vp_sphere){any, any.x / 30};
    }
}

static void begin_leaves(vp_spheretree_node *node, vp_random *r, family f, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        node[i] = (vp_spheretree_node){sphere_of(r, f, i, count), 12345, {VP_SPHERETREE_LEAF | i, VP_SPHERETREE_NONE}, 1u << i % 32};
}

static double seconds_of(family f, uint32_t count)
{
    vp_kernels kernels;
    assert_ok(vp_kernels_default(&kernels, &error));
    vp_spheretree_node *node = malloc(2 * (size_t)count * sizeof *node);
    uint32_t *scratch = malloc(4 * (size_t)count * sizeof *scratch);
    vp_random r = {2};
    assert_true(node != NULL && scratch != NULL);
    begin_leaves(node, &r, f, count);
    const clock_t begin = clock();
    kernels.scene_build(node, count, scratch);
    const clock_t end = clock();
    free(node);
    free(scratch);
    return (double)(end - begin) / CLOCKS_PER_SEC;
}

/* No set takes much longer than a random one. A cubic search takes 19 to 50 times as long on two of them. */
static void no_set_takes_long(void **state)
{
    (void)state;
    const uint32_t count = 1000;
    const double random = fmax(seconds_of(RANDOM, count), seconds_of(RANDOM, count));
    for (int f = 0; f < FAMILIES; f++) {
        const double seconds = seconds_of((family)f, count);
        if (seconds > 10 * random + 0.05)
            fail_msg("family %d takes %g s, a random set %g s", f, seconds, random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_set_takes_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
