/* SPDX-License-Identifier: MIT */
/* What the samples of a benchmark say: summaries, whether they are of two kinds, whether they move with time, and whether two
 * sets of them differ. Samples are times: positive and finite. There may be none: what is not told of none is NaN. */
#ifndef VP_TOOLS_RESULTS_SAMPLE_STATS_H
#define VP_TOOLS_RESULTS_SAMPLE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples of one benchmark; more are refused by those who read files. */
enum { VP_SAMPLES_MAX = 10000 };

typedef struct vp_summary {
    double median;
    double mad; /* the median distance from the median, not scaled */
    double min;
    double p95;       /* the least sample that 95 of 100 do not exceed */
    double low, high; /* samples between which the true median lies with 95 % or more, by their ranks; NaN below six samples, where
                         no two do */
} vp_summary;

/* O(n log n). False: no memory. */
bool vp_summary_of(const double *sample, size_t count, vp_summary *out);

/* Samples that fall in two groups, as on cores of two kinds. */
typedef struct vp_modes {
    bool two;
    double low, high; /* means of the groups */
    size_t count[2];  /* their samples */
} vp_modes;

/* Cuts the samples in two where the squares of the distances from the groups' means sum to least, and calls that two kinds if the
   means are VP_MODES_APART standard deviations of a group apart and a twentieth of the median, and each group has three samples
   and a tenth of all. Fewer than nine samples are of one kind. O(n log n). False: no memory. */
#define VP_MODES_APART 8.0
bool vp_modes_of(const double *sample, size_t count, vp_modes *out);

/* How much the samples, in the order in which they were taken, move from their first third to their last: the ratio of these
   medians. 1 where it is less than a twentieth, or no more than chance would do in one of a hundred runs by the Mann-Kendall test;
   1 below nine samples. O(n^2). False: no memory. */
bool vp_drift_of(const double *sample, size_t count, double *out);

/* Two sets of samples. */
typedef struct vp_difference {
    double median_a, median_b;
    double ratio; /* of the medians, b's over a's */
    double delta; /* Cliff's: how much more often a sample of b is above one of a than below, -1 to 1 */
    double p;     /* how probable so uneven ranks are if both are of one kind: two-sided Mann-Whitney U test; 1 if a side has none */
    bool exact;   /* p is counted out: no two samples are equal, and a side has at most VP_EXACT_SIDE; else it is by the normal
                     distribution, corrected for ties and for continuity */
} vp_difference;
enum { VP_EXACT_SIDE = 8, VP_EXACT_OTHER = 1000 };

/* Source: Mann and Whitney 1947; the choice between the two ways is SciPy's. O(n log n), exact O(n^2). False: no memory. */
bool vp_difference_of(const double *a, size_t a_count, const double *b, size_t b_count, vp_difference *out);

/* How many times as large the samples of b are, if they are those of a times some ratio. */
typedef struct vp_ratio {
    double low, high; /* between them it lies with 95 % or more; NaN where so few samples never say that much, as three a side */
} vp_ratio;

/* The interval that belongs to the U test: the k-th least and the k-th greatest of all ratios of a sample of b to one of a, which is that
   of the shift of logarithms (Hodges and Lehmann 1963). k depends on the counts alone, is counted out up to VP_EXACT_PAIRS pairs, and is
   kept in `known`, all 0 at first. O(n log n) but for the counting, which is O(n^4). False: no memory. */
enum { VP_EXACT_PAIRS = 4096 };
typedef struct vp_ratio_rank {
    size_t a_count, b_count, rank;
} vp_ratio_rank;
bool vp_ratio_of(const double *a, size_t a_count, const double *b, size_t b_count, vp_ratio_rank *known, vp_ratio *out);

/* How far the rounds go apart in which samples were taken. */
typedef struct vp_rounds {
    size_t count;
    double least, most; /* of the medians of the rounds */
} vp_rounds;

/* round[i] is the round of sample[i], in any order. O(n log n). False: no memory. */
bool vp_rounds_of(const double *sample, const int64_t *round, size_t count, vp_rounds *out);

/* Benjamini and Hochberg's correction: p values of many tests become q values. Of all tests whose q is at most 0.05, no more than one
   in twenty is expected to be chance. O(n log n). False: no memory. */
bool vp_false_discovery(double *p, size_t count);

#endif
