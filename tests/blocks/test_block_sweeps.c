/* SPDX-License-Identifier: MIT */
/* Sweeps and rays against all blocks on the way, one by one. Coordinates are multiples of 1/256, so times are fractions of small integers
 * and are compared exactly. */
#include "tests/blocks/worlds.h"

#include <math.h>

#ifdef TEST_THIN
enum { SWEEPS = 40000 / (TEST_THIN * TEST_THIN), CASTS = 20000 / (TEST_THIN * TEST_THIN) };
#else
enum { SWEEPS = 100000, CASTS = 50000 };
#endif
enum { UNIT = 256 };

typedef struct fraction {
    int64_t n, d; /* d > 0 */
} fraction;

static fraction over(int64_t n, int64_t d)
{
    return d < 0 ? (fraction){-n, -d} : (fraction){n, d};
}

static int compare(fraction a, fraction b)
{
    const int64_t left = a.n * b.d, right = b.n * a.d;
    return (left > right) - (left < right);
}

typedef struct whole_path {
    int64_t low[3], high[3], move[3]; /* in 1/UNIT */
} whole_path;

typedef struct answer {
    bool met, inside;
    bool at_t; /* rays: it is in the block at t itself, not only after t */
    fraction t;
    int32_t block[3];
    int axis;
    int axes; /* sweeps: number of sides that reach the block at t */
    vp_block type;
} answer;

static bool is_before(const answer *a, const answer *b)
{
    const int order = compare(a->t, b->t);
    if (!b->met || a->inside != b->inside)
        return !b->met || a->inside;
    if (order != 0 && !a->inside)
        return order < 0;
    if (a->axes != b->axes && !a->inside)
        return a->axes < b->axes;
    for (int i = 0; i < 3; i++) {
        static const int axis[3] = {1, 2, 0};
        if (a->block[axis[i]] != b->block[axis[i]])
            return a->block[axis[i]] < b->block[axis[i]];
    }
    return false;
}

/* The first time at which the interiors of a box and a block intersect. */
static bool meets(const whole_path *p, const int32_t block[3], answer *out)
{
    fraction first = {-1000000, 1}, last = {1000000, 1};
    bool now = true;
    out->axis = -1;
    out->axes = 0;
    for (int a = 0; a < 3; a++) {
        const int64_t low = (int64_t)block[a] * UNIT, high = low + UNIT, m = p->move[a];
        const bool overlaps = p->low[a] < high && p->high[a] > low;
        now = now && overlaps;
        if (m == 0 && !overlaps)
            return false;
        if (m == 0)
            continue;
        const fraction enters = m > 0 ? over(low - p->high[a], m) : over(high - p->low[a], m);
        const fraction leaves = m > 0 ? over(high - p->low[a], m) : over(low - p->high[a], m);
        const int order = compare(enters, first);
        out->axes = order > 0 ? 1 : order == 0 ? out->axes + 1 : out->axes;
        if (order > 0) {
            first = enters;
            out->axis = a;
        }
        if (compare(leaves, last) < 0)
            last = leaves;
    }
    out->inside = now;
    out->t = now ? (fraction){0, 1} : first;
    return now || (compare(first, last) < 0 && first.n >= 0 && first.n < first.d);
}

/* All blocks near the path, one by one. */
static void sweep_all(const world *w, const whole_path *p, answer *stop, answer *fluid)
{
    int32_t from[3], to[3];
    for (int a = 0; a < 3; a++) {
        const int64_t end_low = p->low[a] + p->move[a], end_high = p->high[a] + p->move[a];
        from[a] = (int32_t)floor((double)(end_low < p->low[a] ? end_low : p->low[a]) / UNIT) - 1;
        to[a] = (int32_t)floor((double)(end_high > p->high[a] ? end_high : p->high[a]) / UNIT) + 1;
    }
    *stop = *fluid = (answer){.met = false};
    for (int32_t y = from[1]; y <= to[1]; y++)
        for (int32_t z = from[2]; z <= to[2]; z++)
            for (int32_t x = from[0]; x <= to[0]; x++) {
                const vp_block type = block_at(w, x, y, z);
                answer now = {.met = true, .block = {x, y, z}, .type = type};
                if (!has(type, VP_BLOCK_COLLIDES | VP_BLOCK_FLUID) || !meets(p, now.block, &now))
                    continue;
                answer *best = has(type, VP_BLOCK_COLLIDES) ? stop : fluid;
                if (is_before(&now, best))
                    *best = now;
            }
    if (stop->met && (stop->inside ? !fluid->inside : compare(fluid->t, stop->t) > 0))
        fluid->met = false;
}

static double quotient(fraction f)
{
    return (double)f.n / (double)f.d;
}

static uint32_t side_of(int64_t move, int axis)
{
    return 2 * (uint32_t)axis + (move < 0);
}

static int64_t any_coordinate(vp_random *r, const world *w, int axis)
{
    const int32_t span = extent(w, axis) + 8;
    const int64_t block = lowest(w, axis) - 4 + (int64_t)vp_random_below(r, (uint32_t)span);
    return vp_random_below(r, 3) == 0 ? block * UNIT : block * UNIT + vp_random_below(r, UNIT);
}

static int64_t any_move(vp_random *r)
{
    static const uint32_t sizes[6] = {1, UNIT / 4, UNIT, 3 * UNIT, 8 * UNIT, 60 * UNIT};
    const uint32_t most = sizes[vp_random_below(r, 16) == 0 ? 5 : vp_random_below(r, 5)];
    if (vp_random_below(r, 5) == 0)
        return 0;
    return vp_random_below(r, 4) == 0 ? (int64_t)(vp_random_below(r, 9)) * UNIT / 2 - 2 * UNIT
                                      : (int64_t)vp_random_below(r, 2 * most + 1) - most;
}

static whole_path any_path(vp_random *r, const world *w)
{
    whole_path p;
    for (int a = 0; a < 3; a++) {
        p.low[a] = any_coordinate(r, w, a);
        p.high[a] = p.low[a] + (vp_random_below(r, 3) == 0 ? UNIT : 1 + vp_random_below(r, 2 * UNIT));
        p.move[a] = any_move(r);
    }
    return p;
}

static vp_vec3 floats(const int64_t v[3])
{
    return (vp_vec3){(float)v[0] / UNIT, (float)v[1] / UNIT, (float)v[2] / UNIT};
}

static void expect(const answer *want, const int64_t move[3], const vp_block_hit *hit)
{
    assert_int_equal(hit->end, !want->met ? VP_BLOCK_PASSES : want->inside ? VP_BLOCK_INSIDE : VP_BLOCK_MEETS);
    if (!want->met) {
        assert_true(hit->t == 1 && hit->type == 0 && hit->side == VP_SIDE_COUNT);
        assert_true(hit->block.x == 0 && hit->block.y == 0 && hit->block.z == 0);
        return;
    }
    const double t = want->inside ? 0 : quotient(want->t);
    assert_memory_equal(&hit->t, &t, sizeof t);
    assert_true(hit->block.x == want->block[0] && hit->block.y == want->block[1] && hit->block.z == want->block[2]);
    assert_int_equal(hit->type, want->type);
    assert_int_equal(hit->side, want->inside ? VP_SIDE_COUNT : side_of(move[want->axis], want->axis));
}

static const vp_ivec3 lows[3] = {{0, 0, 0}, {-1, -1, -1}, {-3, 700, 2}};

static void sweeps_against_all_blocks(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-6, BSH-7, BSH-8 */
    vp_random r = {17};
    uint32_t ends[3] = {0, 0, 0}, fluids = 0, at_once = 0;
    for (int k = 0; k < WORLD_KINDS; k++) {
        world w;
        world_begin(&w, &r, (world_kind)k, lows[k % 3], (vp_dims){1 + (uint32_t)k % 2, 1, 2});
        for (int i = 0; i < SWEEPS / WORLD_KINDS; i++) {
            whole_path p = any_path(&r, &w);
            if (i % 8 == 0) /* several sides reach planes at once */
                for (int a = 0; a < 3; a++) {
                    p.low[a] = p.low[a] / UNIT * UNIT;
                    p.high[a] = p.low[a] + (i % 3 + 1) * UNIT;
                    p.move[a] = ((int64_t)vp_random_below(&r, 3) - 1) * UNIT * (i % 5 + 1);
                }
            const vp_block_path path = {{floats(p.low), floats(p.high)}, floats(p.move)};
            vp_block_hit hit;
            answer stop, fluid;
            assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
            sweep_all(&w, &p, &stop, &fluid);
            expect(&stop, p.move, &hit);
            assert_int_equal(hit.fluid, fluid.met ? fluid.type : 0);
            assert_true(hit.fluid_t == (fluid.met ? quotient(fluid.t) : 1));
            ends[hit.end]++;
            fluids += hit.fluid != 0;
            at_once += hit.end == VP_BLOCK_MEETS && hit.t == 0;
        }
        world_end(&w);
    }
    for (int i = 0; i < 3; i++)
        assert_true(ends[i] > SWEEPS / 20);
    assert_true(fluids > SWEEPS / 50 && at_once > SWEEPS / 200);
}

/* ---- rays ---- */

/* Whether and when a ray is in a block, from `first` to `last`, each inclusive or not. A block covers x to below x + 1. */
static bool is_in(const whole_path *p, const int32_t block[3], answer *out)
{
    fraction first = {-1000000, 1}, last = {1000000, 1};
    bool with_first = true, with_last = true, now = true;
    out->axis = -1;
    for (int a = 0; a < 3; a++) {
        const int64_t low = (int64_t)block[a] * UNIT, high = low + UNIT, from = p->low[a], m = p->move[a];
        const bool in = from >= low && from < high;
        now = now && in;
        if (m == 0 && !in)
            return false;
        if (m == 0)
            continue;
        const fraction enters = over((m > 0 ? low : high) - from, m), leaves = over((m > 0 ? high : low) - from, m);
        int order = compare(enters, first);
        if (order > 0)
            out->axis = a;
        with_first = order > 0 ? m > 0 : order == 0 ? with_first && m > 0 : with_first;
        first = order > 0 ? enters : first;
        order = compare(leaves, last);
        with_last = order < 0 ? m < 0 : order == 0 ? with_last && m < 0 : with_last;
        last = order < 0 ? leaves : last;
    }
    out->inside = now;
    out->t = now ? (fraction){0, 1} : first;
    out->at_t = with_first;
    const int order = compare(first, last);
    const bool is = order < 0 || (order == 0 && with_first && with_last);
    return now || (is && first.n >= 0 && (first.n < first.d || (first.n == first.d && with_first)));
}

static void rays_against_all_blocks(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-9 */
    static const uint32_t stops[4] = {VP_BLOCK_COLLIDES, 0, VP_BLOCK_FLUID | VP_BLOCK_COLLIDES, VP_BLOCK_OPAQUE};
    vp_random r = {19};
    uint32_t ends[3] = {0, 0, 0}, ties = 0;
    for (int k = 0; k < WORLD_KINDS; k++) {
        world w;
        world_begin(&w, &r, (world_kind)k, lows[k % 3], (vp_dims){1, 1 + (uint32_t)k % 2, 1});
        for (int i = 0; i < CASTS / WORLD_KINDS; i++) {
            whole_path p = any_path(&r, &w);
            if (vp_random_below(&r, 4) == 0) /* through corners and along planes */
                for (int a = 0; a < 3; a++) {
                    p.low[a] = p.low[a] / UNIT * UNIT;
                    p.move[a] = ((int64_t)vp_random_below(&r, 3) - 1) * UNIT * (i % 16 + 1);
                }
            const uint32_t stop = stops[i % 4];
            const vp_block_line line = {floats(p.low), floats(p.move), stop};
            vp_block_hit hit;
            assert_ok(vp_block_ray(&w.view, NULL, &line, &hit, &error));
            answer best = {.met = false};
            int32_t from[3], to[3], at[3];
            for (int a = 0; a < 3; a++) {
                const int64_t end = p.low[a] + p.move[a];
                from[a] = (int32_t)floor((double)(end < p.low[a] ? end : p.low[a]) / UNIT) - 1;
                to[a] = (int32_t)floor((double)(end > p.low[a] ? end : p.low[a]) / UNIT) + 1;
            }
            for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
                for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
                    for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
                        const vp_block type = block_at(&w, at[0], at[1], at[2]);
                        answer now = {.met = true, .block = {at[0], at[1], at[2]}, .type = type};
                        if (type == 0 || (stop != 0 && !has(type, stop)) || !is_in(&p, at, &now))
                            continue;
                        const int order = best.met ? compare(now.t, best.t) : -1;
                        ties += best.met && !now.inside && !best.inside && order == 0;
                        if (!best.met || now.inside || (!best.inside && (order < 0 || (order == 0 && now.at_t))))
                            best = now;
                    }
            expect(&best, p.move, &hit);
            assert_true(hit.fluid == 0 && hit.fluid_t == 1);
            ends[hit.end]++;
        }
        world_end(&w);
    }
    for (int i = 0; i < 3; i++)
        assert_true(ends[i] > CASTS / 20);
    assert_true(ties > 0);
}

static void by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-7, BSH-9 */
    vp_random r = {1};
    world w;
    vp_block_hit hit;
    world_begin(&w, &r, EMPTY, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    for (size_t i = 0; i < 1024; i++) /* a floor */
        w.block[i] = STONE;
    w.block[5 * 1024] = WATER; /* (0, 5, 0) */
    world_lay(&w);
    const vp_aabb body = {{10.25f, 1, 10.25f}, {10.75f, 2.5f, 10.75f}};
    vp_block_path path = {body, {3, 0, 0}}; /* slides along the floor */
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    path.move = (vp_vec3){3, -1e-30f, 0}; /* pressed to the floor, however little */
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.t == 0 && hit.side == VP_SIDE_Y_HIGH && hit.block.x == 10 && hit.block.y == 0);
    assert_false(signbit(hit.t));
    path.move = (vp_vec3){0, 5, 0}; /* leaves the floor */
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    path.box.min.y = 0.9999999f; /* is in water, even without a move */
    path.move = (vp_vec3){0, 0, 0};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_INSIDE && hit.t == 0 && hit.side == VP_SIDE_COUNT && hit.block.x == 10 && hit.block.z == 10);
    /* ends exactly at the floor, which is no hit, then a little lower, which is one */
    path = (vp_block_path){{{4, 3, 4}, {5, 4, 5}}, {0, -2, 0}};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    path.move.y = -2.0000002f;
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.t < 1);
    /* a path of any length takes no longer if it starts and ends in nothing */
    path = (vp_block_path){{{5, 0x1p40f - 0x1p20f, 5}, {6, 0x1p40f, 6}}, {0, -3e38f, 0}};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.block.y == 0 && hit.side == VP_SIDE_Y_HIGH);
    path = (vp_block_path){{{-0x1p40f, -0x1p40f, -0x1p40f}, {0x1p40f, 0x1p40f, 0x1p40f}}, {3e38f, 3e38f, 3e38f}};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_INSIDE && hit.block.x == 0 && hit.fluid == WATER && hit.fluid_t == 0);
    vp_block_line line = {{3, 1, 3}, {5, 0, 5}, VP_BLOCK_COLLIDES}; /* along the floor, whose top is below 1 */
    assert_ok(vp_block_ray(&w.view, NULL, &line, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    line.move = (vp_vec3){0, -0x1p-140f, 0};
    assert_ok(vp_block_ray(&w.view, NULL, &line, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.t == 0 && hit.side == VP_SIDE_Y_HIGH);
    line = (vp_block_line){{0.5f, 0x1p40f, 0.5f}, {0, -3e38f, 0}, 0};
    assert_ok(vp_block_ray(&w.view, NULL, &line, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.type == WATER && hit.block.y == 5);
    world_end(&w);
    const vp_block_view nothing = {NULL, {0, 0, 0}, {0, 0, 0}, types, TYPES};
    assert_ok(vp_block_sweep(&nothing, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    assert_ok(vp_block_ray(&nothing, NULL, &line, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
}

static void bad_input(void **state)
{
    (void)state;
    vp_random r = {1};
    world w;
    vp_block_hit hit = {.t = 7};
    world_begin(&w, &r, SPARSE, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    const vp_block_path good = {{{1, 1, 1}, {2, 3, 2}}, {1, 0, 0}};
    vp_block_path path = good;
    path.move.y = NAN;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "the move: y is nan");
    path = good, path.move.z = INFINITY;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "z is inf");
    path = good, path.box.min.x = NAN;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "low corner: x is nan");
    path = good, path.box.max.x = 2e12f;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "too far");
    path = good, path.box.max.y = 1;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "no extent along y: 1 to 1");
    vp_block_line line = {{NAN, 0, 0}, {1, 0, 0}, 0};
    assert_refused(vp_block_ray(&w.view, NULL, &line, &hit, &error), VP_E_ARGUMENT, "the origin: x is nan");
    line = (vp_block_line){{0, 0, 0}, {-INFINITY, 0, 0}, 0};
    assert_refused(vp_block_ray(&w.view, NULL, &line, &hit, &error), VP_E_ARGUMENT, "x is -inf");
    vp_block_view view = w.view;
    view.low.z = -VP_BLOCKS_REACH - 2;
    assert_refused(vp_block_sweep(&view, NULL, &good, &hit, &error), VP_E_ARGUMENT, "-33554434");
    view = w.view, view.size.y = UINT32_MAX;
    assert_refused(vp_block_sweep(&view, NULL, &good, &hit, &error), VP_E_ARGUMENT, "along y");
    view = w.view, view.type_count = 70000;
    assert_refused(vp_block_ray(&view, NULL, &(vp_block_line){{0, 0, 0}, {1, 0, 0}, 0}, &hit, &error), VP_E_ARGUMENT, "70000");
    assert_true(hit.t == 7);
    /* types past the end of the table have no flags */
    view = w.view, view.type_count = 1;
    assert_ok(vp_block_sweep(&view, NULL, &good, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    world_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(sweeps_against_all_blocks),
                                       cmocka_unit_test(rays_against_all_blocks), cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
