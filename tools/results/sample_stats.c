/* SPDX-License-Identifier: MIT */
#include "tools/results/sample_stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Compares numbers, or structs that begin with one. */
static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Free the array. NULL = out of memory. */
static double *sorted(const double *sample, size_t count)
{
    double *copy = malloc((count + 1) * sizeof *copy);
    if (copy == NULL)
        return NULL;
    if (count != 0) {
        memcpy(copy, sample, count * sizeof *copy);
        qsort(copy, count, sizeof *copy, ascending);
    }
    return copy;
}

/* The median, NaN of no samples. */
static double middle(const double *sorted_sample, size_t count)
{
    if (count == 0)
        return NAN;
    const double low = sorted_sample[(count - 1) / 2], high = sorted_sample[count / 2], sum = low + high;
    return isfinite(sum) ? sum / 2 : low / 2 + high / 2;
}

/* ---- summaries ---- */

/* The largest k such that fewer than k of n samples lie below the true median in at most 2.5 % of all cases. Then with
   95 % or more the median lies between the k-th smallest and the k-th largest sample. 0 = no such k. */
static size_t rank_of_interval(size_t count)
{
    double below = 0.0;
    for (size_t k = 0; k <= count / 2; k++) {
        const double ways = lgamma((double)count + 1) - lgamma((double)k + 1) - lgamma((double)(count - k) + 1);
        below += exp(ways - (double)count * log(2.0));
        if (below > 0.025)
            return k;
    }
    return 0;
}

bool vp_summary_of(const double *sample, size_t count, vp_summary *out)
{
    *out = (vp_summary){NAN, NAN, NAN, NAN, NAN, NAN};
    if (count == 0)
        return true;
    double *s = sorted(sample, count);
    if (s == NULL)
        return false;
    const size_t k = rank_of_interval(count);
    *out = (vp_summary){.median = middle(s, count), .min = s[0], .p95 = s[(count * 95 + 99) / 100 - 1], .low = NAN, .high = NAN};
    if (k != 0) {
        out->low = s[k - 1];
        out->high = s[count - k];
    }
    for (size_t i = 0; i < count; i++)
        s[i] = fabs(s[i] - out->median);
    qsort(s, count, sizeof *s, ascending);
    out->mad = middle(s, count);
    free(s);
    return true;
}

/* ---- modes ---- */

bool vp_modes_of(const double *sample, size_t count, vp_modes *out)
{
    enum { MIN_SAMPLES = 9, MIN_OF_GROUP = 3 };
    *out = (vp_modes){.two = false};
    if (count < MIN_SAMPLES)
        return true;
    double *s = sorted(sample, count);
    if (s == NULL)
        return false;
    const double median = middle(s, count), n = (double)count;
    double sum = 0.0, squares = 0.0, left = 0.0, left_squares = 0.0, least = INFINITY;
    for (size_t i = 0; i < count; i++) { /* relative to the median, to keep the squares precise */
        sum += s[i] - median;
        squares += (s[i] - median) * (s[i] - median);
    }
    for (size_t i = 1; i < count; i++) { /* i = first sample above the cut */
        const double x = s[i - 1] - median, below = (double)i, above = n - below;
        left += x;
        left_squares += x * x;
        const double right = sum - left, right_squares = squares - left_squares;
        const double rest = left_squares - left * left / below + right_squares - right * right / above;
        if (rest < least) {
            least = rest;
            out->low = median + left / below;
            out->high = median + right / above;
            out->count[0] = i;
            out->count[1] = count - i;
        }
    }
    const double deviation = sqrt(fmax(least, 0.0) / (n - 2.0)), apart = out->high - out->low;
    const size_t smaller = out->count[0] < out->count[1] ? out->count[0] : out->count[1];
    out->two = apart > VP_MODES_APART * deviation && apart > median / 20 && smaller >= MIN_OF_GROUP && smaller * 10 >= count;
    free(s);
    return true;
}

/* ---- time ---- */

/* Sums f(t) over the groups of t equal values in a sorted list. */
static double over_ties(const double *s, size_t count, double (*f)(double t))
{
    double sum = 0.0;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !(s[end] > s[i]);)
            end++;
        sum += f((double)(end - i));
    }
    return sum;
}

static double kendall_term(double t)
{
    return t * (t - 1) * (2 * t + 5);
}

static double rank_term(double t)
{
    return t * t * t - t;
}

static bool median_of(const double *sample, size_t count, double *out)
{
    double *s = sorted(sample, count);
    if (s == NULL)
        return false;
    *out = middle(s, count);
    free(s);
    return true;
}

bool vp_drift_of(const double *sample, size_t count, double *out)
{
    enum { MIN_SAMPLES = 9 };
    double first, last, balance = 0.0;
    *out = 1.0;
    if (count < MIN_SAMPLES)
        return true;
    double *s = sorted(sample, count);
    if (s == NULL || !median_of(sample, count / 3, &first) || !median_of(sample + count - count / 3, count / 3, &last)) {
        free(s);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            balance += (sample[k] > sample[i]) - (sample[k] < sample[i]);
    const double variance = (kendall_term((double)count) - over_ties(s, count, kendall_term)) / 18.0;
    const double z = variance > 0 ? fmax(fabs(balance) - 1.0, 0.0) / sqrt(variance) : 0.0;
    free(s);
    if (erfc(z / sqrt(2.0)) < 0.01 && fabs(last / first - 1.0) >= 0.05)
        *out = last / first;
    return true;
}

/* ---- two sets ---- */

typedef struct ranked {
    double value;
    bool of_b;
} ranked;

/* Both sets in one sorted list. `value` receives the sorted values. */
static ranked *rank_all(const double *a, size_t a_count, const double *b, size_t b_count, double *value)
{
    ranked *list = malloc((a_count + b_count + 1) * sizeof *list);
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < a_count; i++)
        list[i] = (ranked){a[i], false};
    for (size_t i = 0; i < b_count; i++)
        list[a_count + i] = (ranked){b[i], true};
    qsort(list, a_count + b_count, sizeof *list, ascending);
    for (size_t i = 0; i < a_count + b_count; i++)
        value[i] = list[i].value;
    return list;
}

/* Number of pairs in which b's sample is larger. Equal ones count one half. */
static double wins_of_b(const ranked *list, size_t count)
{
    double wins = 0.0, a_below = 0.0;
    for (size_t i = 0, end; i < count; i = end) {
        double a_here = 0.0, b_here = 0.0;
        for (end = i; end < count && !(list[end].value > list[i].value); end++)
            *(list[end].of_b ? &b_here : &a_here) += 1;
        wins += b_here * (a_below + a_here / 2);
        a_below += a_here;
    }
    return wins;
}

/* Counts, for each number of pairs u, the orders of `few` and `many` samples in which the few win u pairs. Computed step by step:
   ways[k][u] counts the orders of the first samples, k of them from the few, with u pairs. Free `*block`. NULL = out of memory. */
static const double *count_orders(size_t few, size_t many, double **block)
{
    const size_t pairs = few * many, row = pairs + 1;
    double *ways = calloc((few + 1) * row, sizeof *ways);
    *block = ways;
    if (ways == NULL)
        return NULL;
    ways[0] = 1.0;
    for (size_t i = 0; i < few + many; i++) /* if the next sample is one of the few, it wins over all of the many before it */
        for (size_t k = few < i + 1 ? few : i + 1; k-- > 0;) {
            const size_t others = i - k;
            for (size_t u = 0; others <= many && u + others <= pairs; u++)
                ways[(k + 1) * row + u + others] += ways[k * row + u];
        }
    return ways + few * row;
}

/* The probability that at least this many pairs go to one side. @return false if out of memory */
static bool tail_of_orders(size_t few, size_t many, double wins, double *out)
{
    double *block, all = 0.0, above = 0.0;
    const double *orders = count_orders(few, many, &block);
    for (size_t u = 0; orders != NULL && u <= few * many; u++) {
        all += orders[u];
        above += (double)u >= wins ? orders[u] : 0.0;
    }
    free(block);
    *out = above / all;
    return orders != NULL;
}

bool vp_difference_of(const double *a, size_t a_count, const double *b, size_t b_count, vp_difference *out)
{
    const size_t count = a_count + b_count, few = a_count < b_count ? a_count : b_count, many = count - few;
    const double n = (double)count, pairs = (double)a_count * (double)b_count;
    double tail = 0.5;
    *out = (vp_difference){.delta = NAN, .p = 1.0};
    if (!median_of(a, a_count, &out->median_a) || !median_of(b, b_count, &out->median_b))
        return false;
    out->ratio = out->median_b / out->median_a;
    if (few == 0)
        return true;
    double *value = malloc(count * sizeof *value);
    ranked *list = value != NULL ? rank_all(a, a_count, b, b_count, value) : NULL;
    bool good = list != NULL;
    if (good) {
        const double wins = wins_of_b(list, count), larger = fmax(wins, pairs - wins), ties = over_ties(value, count, rank_term);
        out->delta = 2 * wins / pairs - 1;
        out->exact = !(ties > 0) && few <= VP_EXACT_SIDE && many <= VP_EXACT_OTHER;
        if (out->exact) {
            good = tail_of_orders(few, many, larger, &tail);
        } else {
            const double variance = pairs / 12 * (n + 1 - ties / (n * (n - 1)));
            tail = variance > 0 ? erfc((larger - pairs / 2 - 0.5) / sqrt(2 * variance)) / 2 : 0.5;
        }
        out->p = fmin(2 * tail, 1.0);
    }
    free(list);
    free(value);
    return good;
}

/* ---- ratio of two sets ---- */

/* The largest k such that fewer than k pairs go to one side in at most 2.5 % of all orders. Exact up to VP_EXACT_PAIRS
   pairs, otherwise by the normal distribution. 0 = no such k. @return false if out of memory */
static bool rank_of_ratios(size_t a_count, size_t b_count, size_t *out)
{
    const size_t few = a_count < b_count ? a_count : b_count, many = a_count + b_count - few;
    const double pairs = (double)few * (double)many;
    *out = 0;
    if (few == 0)
        return true;
    if (pairs > VP_EXACT_PAIRS) {
        const double k = pairs / 2 + 0.5 - 1.959963984540054 * sqrt(pairs / 12 * (double)(few + many + 1));
        *out = k >= 1 ? (size_t)k : 0;
        return true;
    }
    double *block, all = 0.0, below = 0.0;
    const double *orders = count_orders(few, many, &block);
    for (size_t u = 0; orders != NULL && u <= few * many; u++)
        all += orders[u];
    for (size_t u = 0; orders != NULL && u <= few * many; u++) {
        below += orders[u];
        if (below > all * 0.025)
            break;
        *out = u + 1;
    }
    free(block);
    return orders != NULL;
}

/* Number of ratios of b's samples to a's that are at most x. Both sets are sorted. */
static size_t ratios_up_to(const double *a, size_t a_count, const double *b, size_t b_count, double x)
{
    size_t count = 0, below = 0;
    for (size_t i = 0; i < a_count; i++) { /* ratios fall as a grows, so those counted stay at most x */
        while (below < b_count && b[below] / a[i] <= x)
            below++;
        count += below;
    }
    return count;
}

/* The k-th smallest ratio. Positive doubles have the order of their bits, so bisection of the bits avoids listing the ratios. */
static double ratio_of_rank(const double *a, size_t a_count, const double *b, size_t b_count, size_t k)
{
    double x = INFINITY;
    uint64_t low = 0, high, bits;
    memcpy(&high, &x, sizeof high);
    while (low < high) {
        bits = low + (high - low) / 2;
        memcpy(&x, &bits, sizeof x);
        if (ratios_up_to(a, a_count, b, b_count, x) >= k)
            high = bits;
        else
            low = bits + 1;
    }
    memcpy(&x, &high, sizeof x);
    return x;
}

bool vp_ratio_of(const double *a, size_t a_count, const double *b, size_t b_count, vp_ratio_rank *known, vp_ratio *out)
{
    *out = (vp_ratio){NAN, NAN};
    if (a_count == 0 || b_count == 0)
        return true;
    if (known->a_count != a_count || known->b_count != b_count) {
        if (!rank_of_ratios(a_count, b_count, &known->rank))
            return false;
        known->a_count = a_count;
        known->b_count = b_count;
    }
    if (known->rank == 0)
        return true;
    double *of_a = sorted(a, a_count), *of_b = sorted(b, b_count);
    const bool good = of_a != NULL && of_b != NULL;
    if (good) {
        out->low = ratio_of_rank(of_a, a_count, of_b, b_count, known->rank);
        out->high = ratio_of_rank(of_a, a_count, of_b, b_count, a_count * b_count + 1 - known->rank);
    }
    free(of_a);
    free(of_b);
    return good;
}

/* ---- rounds ---- */

typedef struct of_round {
    int64_t round;
    double value;
} of_round;

static int by_round(const void *left, const void *right)
{
    const of_round *a = left, *b = right;
    return a->round != b->round ? (a->round > b->round) - (a->round < b->round) : (a->value > b->value) - (a->value < b->value);
}

bool vp_rounds_of(const double *sample, const int64_t *round, size_t count, vp_rounds *out)
{
    *out = (vp_rounds){0, NAN, NAN};
    of_round *list = malloc((count + 1) * sizeof *list);
    double *value = malloc((count + 1) * sizeof *value);
    const bool good = list != NULL && value != NULL;
    if (good) {
        for (size_t i = 0; i < count; i++)
            list[i] = (of_round){round[i], sample[i]};
        qsort(list, count, sizeof *list, by_round);
        for (size_t i = 0; i < count; i++)
            value[i] = list[i].value;
        for (size_t i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && list[end].round == list[i].round;)
                end++;
            const double median = middle(value + i, end - i);
            out->least = fmin(out->least, median); /* fmin ignores NaN */
            out->most = fmax(out->most, median);
            out->count++;
        }
    }
    free(list);
    free(value);
    return good;
}

/* ---- many tests ---- */

typedef struct numbered {
    double p;
    size_t place;
} numbered;

bool vp_false_discovery(double *p, size_t count)
{
    numbered *list = malloc((count + 1) * sizeof *list);
    double least = 1.0;
    if (list == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        list[i] = (numbered){p[i], i};
    qsort(list, count, sizeof *list, ascending);
    for (size_t i = count; i-- > 0;) { /* from the largest */
        least = fmin(least, list[i].p * (double)count / (double)(i + 1));
        p[list[i].place] = least;
    }
    free(list);
    return true;
}
