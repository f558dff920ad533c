/* SPDX-License-Identifier: MIT */
/* Statistics of samples. Oracles: small numbers calculated by hand, all orders of two small sets, exact binomials in integers, and the
 * error rates on random samples of known distributions. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/random.h"
#include "tests/support/check.h"
#include "tools/results/sample_stats.h"

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (1 + fabs(b));
}
#define NEAR(a, b) assert_true(is_near(a, b))

/* ---- summaries ---- */

static void summaries_of_few(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        double sample[6], median, mad, min, p95;
    } of[] = {{1, {7}, 7, 0, 7, 7}, {5, {5, 1, 4, 2, 30}, 4, 2 /* of 1 3 0 2 26 */, 1, 30}, {6, {6, 5, 4, 3, 2, 1}, 3.5, 1.5, 1, 6}};
    for (size_t i = 0; i < 3; i++) {
        vp_summary s;
        assert_true(vp_summary_of(of[i].sample, of[i].count, &s));
        NEAR(s.median, of[i].median);
        NEAR(s.mad, of[i].mad);
        NEAR(s.min, of[i].min);
        NEAR(s.p95, of[i].p95);
    }
}

/* Number of the 2^n outcomes of n tosses with fewer than k heads, as an integer, exact up to n = 60. */
static uint64_t below(int n, int k)
{
    uint64_t row[64] = {1}, sum = 0;
    for (int i = 1; i <= n; i++)
        for (int j = i; j > 0; j--)
            row[j] += row[j - 1];
    for (int j = 0; j < k; j++)
        sum += row[j];
    return sum;
}

static void ranks_of_a_summary(void **state)
{
    (void)state;
    double sample[60];
    vp_summary s;
    for (int n = 1; n <= 60; n++) {
        for (int i = 0; i < n; i++)
            sample[i] = n - i;
        assert_true(vp_summary_of(sample, (size_t)n, &s));
        int rank = 1, k = 0; /* the largest that leaves at most 1/40 on a side */
        while (rank * 100 < 95 * n)
            rank++;
        NEAR(s.p95, rank);
        while (k + 1 <= n / 2 && below(n, k + 1) <= (UINT64_C(1) << n) / 40)
            k++;
        if (k == 0) {
            assert_true(isnan(s.low) && isnan(s.high) && n < 6);
        } else {
            NEAR(s.low, k);
            NEAR(s.high, n + 1 - k);
        }
    }
}

/* ---- two sets ---- */

static int bits_of(unsigned x)
{
    int count = 0;
    for (; x != 0; x &= x - 1)
        count++;
    return count;
}

enum { PAIRS = 64 };

/* Number of orders of a and b samples in which b wins u pairs, in of[u]. @return number of all orders */
static int count_orders(int a, int b, int of[PAIRS])
{
    int all = 0;
    memset(of, 0, PAIRS * sizeof *of);
    for (unsigned order = 0; order < 1u << (a + b); order++) {
        int a_seen = 0, u = 0;
        if (bits_of(order) != b)
            continue;
        for (int i = 0; i < a + b; i++)
            if ((order >> i & 1) != 0)
                u += a_seen;
            else
                a_seen++;
        all++;
        of[u]++;
    }
    return all;
}

/* The two-sided p, which is the share of all orders in which the larger side wins at least as many pairs, in both directions. */
static double p_by_going_through(int a, int b, int wins)
{
    const int pairs = a * b, larger = wins > pairs - wins ? wins : pairs - wins;
    int of[PAIRS], extreme = 0;
    const int all = count_orders(a, b, of);
    for (int u = larger; u <= pairs; u++)
        extreme += of[u];
    return fmin(1, 2.0 * extreme / all);
}

static void exact_p_is_that_of_all_orders(void **state)
{
    (void)state;
    for (int a = 1; a <= 6; a++)
        for (int b = 1; b <= 7; b++)
            for (unsigned order = 0; order < 1u << (a + b); order += 1 + order % 3) { /* a part of all */
                double of_a[8], of_b[8];
                int in_a = 0, in_b = 0, wins = 0;
                vp_difference d;
                if (bits_of(order) != b)
                    continue;
                for (int i = 0; i < a + b; i++)
                    if ((order >> i & 1) != 0) {
                        of_b[in_b++] = 10 + i;
                        wins += in_a;
                    } else {
                        of_a[in_a++] = 10 + i;
                    }
                assert_true(vp_difference_of(of_a, (size_t)a, of_b, (size_t)b, &d));
                assert_true(d.exact);
                NEAR(d.p, p_by_going_through(a, b, wins));
                NEAR(d.delta, 2.0 * wins / (a * b) - 1);
            }
}

static void what_has_ties_or_is_long_is_not_exact(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3, 4}, b[] = {4, 5, 6, 7}, c[] = {1, 1, 1, 1};
    double many[20], more[20];
    vp_difference d;
    assert_true(vp_difference_of(a, 4, b, 4, &d));
    assert_false(d.exact);
    /* U = 15.5 of 16, variance 16 / 12 * (9 - 6 / 56): z = 7 / sqrt(11.857142857142858) */
    NEAR(d.p, erfc(7 / sqrt(2 * 16.0 / 12 * (9 - 6.0 / 56))));
    NEAR(d.ratio, 5.5 / 2.5);
    assert_true(vp_difference_of(c, 4, c, 4, &d));
    NEAR(d.p, 1);
    NEAR(d.delta, 0);
    for (int i = 0; i < 20; i++) {
        many[i] = 100 + i;
        more[i] = 100.5 + i;
    }
    assert_true(vp_difference_of(many, 20, more, 20, &d));
    assert_false(d.exact);
    assert_true(d.p > 0.5 && d.p < 1); /* 210 of 400 pairs */
    NEAR(d.delta, 2 * 210.0 / 400 - 1);
}

/* ---- ratio ---- */

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The largest k such that b wins fewer than k pairs in at most a fortieth of all orders. */
static int rank_by_going_through(int a, int b)
{
    int of[PAIRS], k = 0, below = 0;
    const int all = count_orders(a, b, of);
    while ((below + of[k]) * 40 <= all)
        below += of[k++];
    return k;
}

static void intervals_of_ratios_are_those_of_all_orders(void **state)
{
    (void)state;
    vp_random random = {21};
    for (int a = 1; a <= 7; a++)
        for (int b = 1; b <= 7; b++) {
            double of_a[8], of_b[8], all[64];
            const int k = rank_by_going_through(a, b);
            vp_ratio_rank rank = {0};
            vp_ratio r;
            for (int i = 0; i < a; i++)
                of_a[i] = 1 + vp_random_below(&random, 50); /* some are equal */
            for (int i = 0; i < b; i++)
                of_b[i] = 1 + vp_random_below(&random, 50);
            for (int i = 0; i < a * b; i++)
                all[i] = of_b[i / a] / of_a[i % a];
            qsort(all, (size_t)(a * b), sizeof all[0], ascending);
            assert_true(vp_ratio_of(of_a, (size_t)a, of_b, (size_t)b, &rank, &r));
            assert_int_equal(rank.rank, k);
            assert_true((k == 0) == (isnan(r.low) && isnan(r.high)));
            if (k != 0) {
                NEAR(r.low, all[k - 1]);
                NEAR(r.high, all[a * b - k]);
            }
        }
    assert_int_equal(rank_by_going_through(3, 3), 0);
    assert_int_equal(rank_by_going_through(4, 4), 1);
}

/* From the table of the U test, the largest U that is significant at 5 % is 17 for 9 and 9, 99 for 18 and 18, 127 for 20 and 20. The rank
 * is cached and recomputed for other counts. */
static void ranks_of_ratios(void **state)
{
    (void)state;
    static const size_t of[][3] = {{4, 4, 1}, {6, 6, 6}, {3, 3, 0}, {3, 6, 2}, {6, 3, 2}, {9, 9, 18}, {18, 18, 100}, {20, 20, 128}};
    double sample[20];
    vp_ratio_rank rank = {0};
    for (int i = 0; i < 20; i++)
        sample[i] = i + 1;
    for (size_t i = 0; i < 8; i++) {
        vp_ratio r;
        assert_true(vp_ratio_of(sample, of[i][0], sample, of[i][1], &rank, &r));
        assert_int_equal(rank.rank, of[i][2]);
        assert_true(rank.rank != 0 || (isnan(r.low) && isnan(r.high)));
    }
}

static void the_ends_of_doubles(void **state)
{
    (void)state;
    const double small[] = {1e-300, 1e-300, 1e-300, 1e-300}, large[] = {1e300, 1e300, 1e300, 1e300}, sum[] = {1.5e308, 1.7e308};
    vp_ratio_rank rank = {0};
    vp_ratio r;
    vp_summary s;
    assert_true(vp_ratio_of(small, 4, large, 4, &rank, &r));
    assert_true(isinf(r.low) && isinf(r.high));
    assert_true(vp_ratio_of(large, 4, small, 4, &rank, &r));
    assert_true(!(r.low > 0) && !(r.high > 0));
    assert_true(vp_summary_of(sum, 2, &s));
    assert_true(s.median >= 1.5e308 && s.median <= 1.7e308);
}

static void false_discoveries_by_hand(void **state)
{
    (void)state;
    double p[] = {0.01, 0.5, 0.02, 0.04, 0.9}, none[1] = {0.3};
    assert_true(vp_false_discovery(p, 5));
    NEAR(p[0], 0.05); /* 0.01 * 5 / 1 */
    NEAR(p[2], 0.05); /* 0.02 * 5 / 2 */
    NEAR(p[3], 0.04 * 5 / 3);
    NEAR(p[1], 0.5 * 5 / 4);
    NEAR(p[4], 0.9);
    assert_true(vp_false_discovery(none, 0));
    NEAR(none[0], 0.3);
}

/* ---- distributions of samples ---- */

static double uniform(vp_random *random)
{
    return (vp_random_below(random, 1000000) + 0.5) / 1e6;
}

static double normal(vp_random *random)
{
    return sqrt(-2 * log(uniform(random))) * cos(6.283185307179586 * uniform(random));
}

/* Noise of a machine, relative to the time: 0 = normal, 1 = uniform, 2 = with a long tail. */
static double noise(vp_random *random, int kind)
{
    return kind == 0 ? normal(random) : kind == 1 ? uniform(random) * 2 - 1 : -log(uniform(random));
}

static void intervals_hold_the_ratio(void **state)
{
    (void)state;
    vp_random random = {22};
    static const size_t counts[] = {6, 9, 18, 70}; /* for 70 and 70 the rank comes from the normal distribution */
    for (int kind = 0; kind < 3; kind++)
        for (size_t c = 0; c < 4; c++) {
            int missed = 0;
            vp_ratio_rank rank = {0};
            for (int round = 0; round < 2000; round++) {
                double a[70], b[70];
                vp_ratio r;
                for (size_t i = 0; i < counts[c]; i++) {
                    a[i] = 100 * exp(0.1 * noise(&random, kind));
                    b[i] = 130 * exp(0.1 * noise(&random, kind));
                }
                assert_true(vp_ratio_of(a, counts[c], b, counts[c], &rank, &r));
                assert_true(r.low < r.high);
                missed += !(r.low <= 1.3 && r.high >= 1.3);
            }
            if (missed < 40 || missed > 125) /* 5 %, or the next lower value that ranks allow, plus or minus its scatter */
                fail_msg("noise %d, %zu samples: %d of 2000 intervals do not hold the ratio", kind, counts[c], missed);
        }
}

static void rounds_by_hand(void **state)
{
    (void)state;
    const double sample[] = {5, 1, 8, 3, 7, 100, 2};
    const int64_t round[] = {2, 1, 3, 2, 3, 3, 1}, one[] = {4, 4, 4, 4, 4, 4, 4}, ends[] = {INT64_MAX, INT64_MIN, 0, 0, 0, 0, 0};
    vp_rounds r;
    assert_true(vp_rounds_of(sample, round, 7, &r)); /* 1 2; 3 5; 7 8 100 */
    assert_int_equal(r.count, 3);
    NEAR(r.least, 1.5);
    NEAR(r.most, 8);
    assert_true(vp_rounds_of(sample, one, 7, &r));
    assert_int_equal(r.count, 1);
    NEAR(r.least, 5);
    NEAR(r.most, 5);
    assert_true(vp_rounds_of(sample, ends, 7, &r));
    assert_int_equal(r.count, 3);
    NEAR(r.least, 1);
    NEAR(r.most, 7);
}

static void no_samples_say_nothing(void **state)
{
    (void)state;
    const double sample[] = {1, 2, 3, 4};
    vp_summary s;
    vp_difference d;
    vp_ratio r;
    vp_rounds rounds;
    vp_ratio_rank rank = {0};
    assert_true(vp_summary_of(NULL, 0, &s));
    assert_true(isnan(s.median) && isnan(s.mad) && isnan(s.min) && isnan(s.p95) && isnan(s.low) && isnan(s.high));
    for (size_t a = 0; a <= 4; a += 4)
        for (size_t b = 0; b + a <= 4; b += 4) {
            assert_true(vp_difference_of(a != 0 ? sample : NULL, a, b != 0 ? sample : NULL, b, &d));
            assert_true((a == 0) == isnan(d.median_a) && (b == 0) == isnan(d.median_b));
            assert_true(isnan(d.ratio) && isnan(d.delta) && !d.exact);
            NEAR(d.p, 1);
            assert_true(vp_ratio_of(a != 0 ? sample : NULL, a, b != 0 ? sample : NULL, b, &rank, &r));
            assert_true(isnan(r.low) && isnan(r.high));
        }
    assert_true(vp_rounds_of(NULL, NULL, 0, &rounds));
    assert_true(rounds.count == 0 && isnan(rounds.least) && isnan(rounds.most));
}

static void two_kinds_are_told_from_one(void **state)
{
    (void)state;
    vp_random random = {5};
    static const size_t counts[] = {9, 18, 30, 60};
    for (int kind = 0; kind < 3; kind++)
        for (size_t c = 0; c < 4; c++) {
            int wrong = 0, missed = 0;
            for (int round = 0; round < 1000; round++) {
                double one[60], two[60];
                vp_modes m;
                for (size_t i = 0; i < counts[c]; i++) {
                    one[i] = 100 * (1 + 0.1 * noise(&random, kind));
                    two[i] = (i % 3 == 0 ? 130 : 100) * (1 + 0.01 * noise(&random, kind));
                }
                assert_true(vp_modes_of(one, counts[c], &m));
                wrong += m.two;
                assert_true(vp_modes_of(two, counts[c], &m));
                missed += !m.two;
                if (m.two) {
                    assert_int_equal(m.count[1], counts[c] / 3);
                    assert_true(m.low > 95 && m.low < 105 && m.high > 123 && m.high < 137);
                }
            }
            if (wrong > 20 || missed > 20)
                fail_msg("noise %d, %zu samples: %d of 1000 wrongly of two kinds, %d of 1000 missed", kind, counts[c], wrong, missed);
        }
}

static void drift_is_told_from_noise(void **state)
{
    (void)state;
    vp_random random = {6};
    for (int kind = 0; kind < 3; kind++) {
        int wrong = 0, missed = 0;
        for (int round = 0; round < 1000; round++) {
            double still[18], moving[18], drift;
            for (int i = 0; i < 18; i++) {
                still[i] = 100 * (1 + 0.1 * noise(&random, kind));
                moving[i] = (100 + 2 * i) * (1 + 0.02 * noise(&random, kind));
            }
            assert_true(vp_drift_of(still, 18, &drift));
            wrong += drift > 1 || drift < 1;
            assert_true(vp_drift_of(moving, 18, &drift));
            missed += !(drift > 1.1 && drift < 1.4);
        }
        if (wrong > 20 || missed > 20)
            fail_msg("noise %d: %d of 1000 drift wrongly, %d of 1000 missed", kind, wrong, missed);
    }
}

/* No samples, few, or equal ones are of one kind, without drift. */
static void samples_that_say_nothing(void **state)
{
    (void)state;
    double sample[30] = {1, 1, 1, 1, 2, 2, 2, 2};
    vp_modes m;
    for (size_t count = 0; count <= 30; count += count == 0 ? 8 : 22) {
        double drift = 0;
        for (int i = 0; count == 30 && i < 30; i++)
            sample[i] = 1e9 / 3;
        assert_true(vp_modes_of(sample, count, &m) && !m.two);
        assert_true(vp_drift_of(sample, count, &drift));
        NEAR(drift, 1);
    }
    for (int i = 20; i < 30; i++)
        sample[i] = 5e8;
    assert_true(vp_modes_of(sample, 30, &m) && m.two && m.count[0] == 20 && m.count[1] == 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(summaries_of_few),
                                       cmocka_unit_test(ranks_of_a_summary),
                                       cmocka_unit_test(exact_p_is_that_of_all_orders),
                                       cmocka_unit_test(what_has_ties_or_is_long_is_not_exact),
                                       cmocka_unit_test(intervals_of_ratios_are_those_of_all_orders),
                                       cmocka_unit_test(ranks_of_ratios),
                                       cmocka_unit_test(the_ends_of_doubles),
                                       cmocka_unit_test(false_discoveries_by_hand),
                                       cmocka_unit_test(intervals_hold_the_ratio),
                                       cmocka_unit_test(rounds_by_hand),
                                       cmocka_unit_test(no_samples_say_nothing),
                                       cmocka_unit_test(two_kinds_are_told_from_one),
                                       cmocka_unit_test(drift_is_told_from_noise),
                                       cmocka_unit_test(samples_that_say_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
