/* SPDX-License-Identifier: MIT */
/* Statistics of benchmark samples: summaries, tests for two modes, for drift, and for the difference of two sets.
 * Samples are times, positive and finite. Values that need samples are NaN if there are none. */
#ifndef VP_TOOLS_RESULTS_SAMPLE_STATS_H
#define VP_TOOLS_RESULTS_SAMPLE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum samples of a benchmark. Readers of files refuse more. */
enum { VP_SAMPLES_MAX = 10000 };

typedef struct vp_summary {
    double median;
    double mad; /* median absolute deviation, not scaled */
    double min;
    double p95;       /* 95th percentile: the smallest sample that 95 % do not exceed */
    double low, high; /* confidence interval of the median, 95 % or more, by ranks. NaN for fewer than six samples */
} vp_summary;

/* O(n log n). @return false if out of memory */
bool vp_summary_of(const double *sample, size_t count, vp_summary *out);

/* Samples in two groups, for example from cores of two kinds. */
typedef struct vp_modes {
    bool two;
    double low, high; /* means of the groups */
    size_t count[2];  /* their numbers of samples */
} vp_modes;

/* Splits the samples in two so that the sum of squared distances from the groups' means is smallest. There are two modes
   if the means differ by VP_MODES_APART standard deviations of a group and by 5 % of the median, and each group has
   three samples and 10 % of all. Fewer than nine samples have one mode. O(n log n). @return false if out of memory */
#define VP_MODES_APART 8.0
bool vp_modes_of(const double *sample, size_t count, vp_modes *out);

/* The drift of samples over time: the ratio of the medians of their last and first third. 1 if it is below 5 %, or not
   significant at 1 % by the Mann-Kendall test, or if there are fewer than nine samples. O(n^2). @return false if out of memory */
bool vp_drift_of(const double *sample, size_t count, double *out);

/* The difference of two sets of samples. */
typedef struct vp_difference {
    double median_a, median_b;
    double ratio; /* b's median over a's */
    double delta; /* Cliff's delta, -1 to 1: how much more often a sample of b is above one of a than below */
    double p; /* two-sided Mann-Whitney U test: probability of ranks this uneven if both sets have one distribution. 1 if a side is empty */
    bool exact; /* p is exact if no two samples are equal and a side has at most VP_EXACT_SIDE. Otherwise it uses the normal distribution,
                   corrected for ties and continuity */
} vp_difference;
enum { VP_EXACT_SIDE = 8, VP_EXACT_OTHER = 1000 };

/* Mann and Whitney 1947. SciPy chooses between both methods in the same way. O(n log n), exact O(n^2). @return false if out of memory */
bool vp_difference_of(const double *a, size_t a_count, const double *b, size_t b_count, vp_difference *out);

/* The ratio of b to a, if the samples of b are those of a times a constant. */
typedef struct vp_ratio {
    double low, high; /* confidence interval, 95 % or more. NaN if there are too few samples, such as three per side */
} vp_ratio;

/* The interval that belongs to the U test: the k-th smallest and k-th largest ratio of a sample of b to one of a, which is the
   shift of logarithms (Hodges and Lehmann 1963). k depends on the counts alone. It is exact up to VP_EXACT_PAIRS pairs, and
   cached in `known`, which begins as all zero bytes. O(n log n), plus O(n^4) for an exact k. @return false if out of memory */
enum { VP_EXACT_PAIRS = 4096 };
typedef struct vp_ratio_rank {
    size_t a_count, b_count, rank;
} vp_ratio_rank;
bool vp_ratio_of(const double *a, size_t a_count, const double *b, size_t b_count, vp_ratio_rank *known, vp_ratio *out);

/* Differences between the rounds of samples. */
typedef struct vp_rounds {
    size_t count;
    double least, most; /* smallest and largest median of a round */
} vp_rounds;

/* round[i] is the round of sample[i], in any order. O(n log n). @return false if out of memory */
bool vp_rounds_of(const double *sample, const int64_t *round, size_t count, vp_rounds *out);

/* The correction of Benjamini and Hochberg: p values of many tests become q values. Among tests with q <= 0.05, at most
   5 % are expected to be chance. O(n log n). @return false if out of memory */
bool vp_false_discovery(double *p, size_t count);

#endif
