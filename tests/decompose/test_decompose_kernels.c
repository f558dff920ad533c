/* SPDX-License-Identifier: MIT */
/* weld and concavity on examples calculated by hand (docs/CONTRACT.md: DEC-1, DEC-2). Their cases test random input. */
#include "tests/decompose/meshes.h"
#include "tests/support/samples.h"

static vp_kernels scalar;

static int begin(void **state)
{
    (void)state;
    assert_ok(vp_kernels_named("scalar", &scalar, &error));
    return 0;
}

/* ---- weld ---- */

static void weld(const vp_vec3 *point, uint32_t count, double distance, const uint32_t *want)
{
    uint64_t scratch[256];
    uint32_t joins[16], kept = 0;
    assert_true(vp_weld_scratch_bytes(count) <= sizeof scratch);
    const vp_weld_job job = {.point = point, .count = count, .distance = distance, .scratch = scratch, .joins = joins};
    const uint32_t got = scalar.weld(&job);
    for (uint32_t i = 0; i < count; i++) {
        if (joins[i] != want[i])
            fail_msg("point %u joins %u, not %u", i, joins[i], want[i]);
        kept += want[i] == i;
    }
    assert_int_equal(got, kept);
}

TEST(points_join)
{
    /* a chain: the third point is near the second, which is not kept */
    const vp_vec3 chain[] = {{0, 0, 0}, {0.9f, 0, 0}, {1.8f, 0, 0}, {2.7f, 0, 0}};
    weld(chain, 4, 1.0, (const uint32_t[]){0, 0, 2, 2});
    /* distance equal to the limit */
    const vp_vec3 exact[] = {{0, 0, 0}, {0, 3, 4}, {5, 0, 0}};
    weld(exact, 3, 5.0, (const uint32_t[]){0, 0, 0});
    weld(exact, 3, 4.999999, (const uint32_t[]){0, 1, 2});
    /* joins the first of two, not the nearest. Then all join at once */
    const vp_vec3 two[] = {{0, 0, 0}, {0.5f, 1, 0}, {0.8f, 0.3f, 0}};
    weld(two, 3, 1.0, (const uint32_t[]){0, 1, 0});
    weld(two, 3, 1e6, (const uint32_t[]){0, 0, 0});
    const vp_vec3 beside[] = {{0, 0, 0}, {0, 1.5f, 0}, {0.5f, 0.75f, 0}}; /* the second is in a cell that is searched later */
    weld(beside, 3, 1.0, (const uint32_t[]){0, 1, 0});
    weld(two, 0, 1.0, NULL);
    /* far apart, with a distance that is small in comparison */
    const vp_vec3 far[] = {{-1e6f, 0, 0}, {-1e6f, 1e-6f, 0}, {1e6f, 1e6f, 1e6f}};
    weld(far, 3, 2e-6, (const uint32_t[]){0, 0, 2});
}

/* ---- concavity ---- */

/* A box of 10 x 10 x 10, or its part above y = 0 with a wall that leans by `lean` per unit of height. */
static vp_concavity_result cast(double x, double y, double z, const double along[3], double lean, double allowed)
{
    const double w = sqrt(1 + lean * lean);
    const double plane[6][4] = {{-1 / w, lean / w, 0, 0}, {1, 0, 0, 10}, {0, -1, 0, 0}, {0, 1, 0, 10}, {0, 0, -1, 0}, {0, 0, 1, 10}};
    const double point[1][3] = {{x, y, z}};
    const vp_vec3 corner[] = {{0, 0, 0}, {10, 10, 10}, {0, 10, 0}, {10, 0, 10}, {(float)(10 * lean), 10, 0}};
    const vp_surface_block block = {.normal = {{along[0]}, {along[1]}, {along[2]}},
                                    .offset = {along[0] * x + along[1] * y + along[2] * z},
                                    .corner = {{{x}, {y}, {z}}, {{x}, {y}, {z}}, {{x}, {y}, {z}}},
                                    .first = {0, 1, 1, 1, 1, 1, 1, 1, 1}};
    const vp_surface_box box = {{x, y, z}, {x, y, z}, 1, 0};
    const vp_surface_samples samples = {.point = point, .block = &block, .box = &box, .boxes = 1};
    const vp_concavity_job job = {.samples = &samples,
                                  .point = corner,
                                  .points = 5,
                                  .plane = plane,
                                  .planes = 6,
                                  .low = {lean < 0 ? 10 * lean : 0, 0, 0},
                                  .high = {10, 10, 10},
                                  .quantum = 0.01,
                                  .allowed = allowed};
    return scalar.concavity(&job);
}

static const double up[3] = {0, 1, 0}, down[3] = {0, -1, 0}, right[3] = {1, 0, 0};

TEST(rays_have_lengths)
{
    const struct {
        double at[3];
        const double *along;
        double lean, length;
    } row[] = {
        {{5, 0, 5}, up, 0, 10},          /* from the floor */
        {{5, 4, 5}, up, 0, 6},           /* from inside */
        {{5, 10, 5}, up, 0, 0},          /* on the face itself: nothing is beyond the surface */
        {{5, 9.995, 5}, up, 0, 0},       /* or almost nothing */
        {{5, 9.9, 5}, up, 0, 0.1},       /* */
        {{5, -0.005, 5}, up, 0, 10.005}, /* below, but within the quantum */
        {{5, -0.02, 5}, up, 0, 0},       /* outside */
        {{5, 4, 5}, down, 0, 4},         /* the other way */
        {{5, 0, 5}, down, 0, 0},         /* outwards */
        {{0, 5, 5}, right, 0, 10},       /* across */
        {{0, 0, 5}, up, 0, 0},           /* at the foot of a wall: it slides along */
        {{0.009, 0, 5}, up, 0, 0},       /* inside the wall by less than the quantum */
        {{0.011, 0, 5}, up, 0, 10},      /* by more */
        {{0, 0, 5}, up, 1e-5, 0},        /* a wall that leans by less than the quantum over the whole hull */
        {{0, 0, 5}, up, -1e-5, 0},       /* */
        {{0.5, 0, 5}, up, -0.01, 10},    /* inside a wall that leans outwards */
        {{-0.05, 0, 5}, up, -0.01, 0},   /* outside of it: the ray enters later */
        {{-0.009, 0, 5}, up, -1, 10},    /* it enters within the quantum */
        {{-0.015, 0, 5}, up, -1, 0},     /* later than that */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const vp_concavity_result r = cast(row[i].at[0], row[i].at[1], row[i].at[2], row[i].along, row[i].lean, 1000);
        if (fabs(r.error - row[i].length) > 1e-9)
            fail_msg("row %zu: a ray of %g, not %g", i, r.error, row[i].length);
        assert_int_equal(r.sample, row[i].length > 0 ? 0 : VP_DECOMPOSE_NONE);
    }
}

int main(void)
{
    return test_run_all(begin, NULL);
}
