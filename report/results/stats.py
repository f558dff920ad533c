# SPDX-License-Identifier: MIT
# Statistics of benchmark samples. Summarises them, tests for two modes and for drift, and measures the difference of two sets. Samples are
# positive and finite times. Values that need samples are NaN without them. Sums are in a fixed order, because Python's own sum of floats differs
# from version to version.
import bisect
import collections
import functools
import math
import typing

NAN = math.nan


def median_of(ordered: list) -> float:
    """Returns the median of sorted numbers."""
    if not ordered:
        return NAN
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return (low + high) / 2 if math.isfinite(low + high) else low / 2 + high / 2


# ---- one set ----

class Summary(typing.NamedTuple):
    median: float = NAN
    mad: float = NAN  # median absolute deviation, not scaled
    least: float = NAN
    p95: float = NAN  # the smallest sample that 95 % do not exceed
    low: float = NAN  # confidence interval of the median, 95 % or more. NaN for fewer than six samples
    high: float = NAN


@functools.lru_cache(maxsize=None)
def rank_of_interval(count: int) -> int:
    """Returns the largest k such that fewer than k samples lie below the true median in at most 2.5 % of all cases. Then with 95 % or more
    the median lies between the k-th smallest and the k-th largest sample. 0 = no such k."""
    below = 0
    for k in range(count // 2 + 1):
        below += math.comb(count, k)
        if below * 40 > 1 << count:
            return k
    return 0


def summarise(samples: list) -> Summary:
    if not samples:
        return Summary()
    ordered = sorted(samples)
    count, median, rank = len(ordered), median_of(ordered), rank_of_interval(len(ordered))
    mad = median_of(sorted(abs(x - median) for x in ordered))
    low, high = (ordered[rank - 1], ordered[count - rank]) if rank else (NAN, NAN)
    return Summary(median, mad, ordered[0], ordered[(count * 95 + 99) // 100 - 1], low, high)


MODES_APART = 8.0  # standard deviations of a group
MIN_SAMPLES = 9  # of tests for modes and drift


def find_modes(samples: list) -> tuple[float, float] | None:
    """Returns the means of two groups of samples, for example from cores of two kinds, or None for one group. Splits the samples so that
    the sum of squared distances from the groups' means is smallest. The means of two modes differ by MODES_APART deviations and by 5 % of
    the median, and each group has three samples and 10 % of all."""
    count = len(samples)
    if count < MIN_SAMPLES:
        return None
    ordered = sorted(samples)
    median = median_of(ordered)  # distances from it keep the squares precise
    total = squares = left = left_squares = low = high = 0.0
    smaller, least = 0, math.inf
    for x in ordered:
        total += x - median
        squares += (x - median) * (x - median)
    for below in range(1, count):
        x, above = ordered[below - 1] - median, count - below
        left += x
        left_squares += x * x
        right, right_squares = total - left, squares - left_squares
        rest = left_squares - left * left / below + right_squares - right * right / above
        if rest < least:
            least, low, high, smaller = rest, median + left / below, median + right / above, min(below, above)
    deviation, apart = math.sqrt(max(least, 0.0) / (count - 2)), high - low
    is_two = apart > MODES_APART * deviation and apart > median / 20 and smaller >= 3 and smaller * 10 >= count
    return (low, high) if is_two else None


def measure_drift(samples: list) -> float:
    """Returns the ratio of the medians of the last and first third. It is 1 if it differs by less than 5 %, or is not significant at 1 % by
    the Mann-Kendall test."""
    count = len(samples)
    if count < MIN_SAMPLES:
        return 1.0
    ordered, balance = [], 0
    for x in samples:  # earlier samples that are smaller, minus those that are larger
        below, up_to = bisect.bisect_left(ordered, x), bisect.bisect_right(ordered, x)
        balance += below - (len(ordered) - up_to)
        ordered.insert(up_to, x)
    variance = (count * (count - 1) * (2 * count + 5) - sum(t * (t - 1) * (2 * t + 5) for t in collections.Counter(samples).values())) / 18
    z = max(abs(balance) - 1, 0) / math.sqrt(variance) if variance > 0 else 0.0
    ratio = median_of(sorted(samples[count - count // 3:])) / median_of(sorted(samples[:count // 3]))
    return ratio if math.erfc(z / math.sqrt(2)) < 0.01 and abs(ratio - 1) >= 0.05 else 1.0


class Rounds(typing.NamedTuple):
    count: int = 0
    least: float = NAN  # smallest and largest median of a round
    most: float = NAN


def split_rounds(samples: list, rounds: list) -> Rounds:
    """rounds[i] is the round of samples[i]."""
    by_round = {}
    for sample, number in zip(samples, rounds):
        by_round.setdefault(number, []).append(sample)
    medians = [median_of(sorted(of_round)) for of_round in by_round.values()]
    return Rounds(len(medians), min(medians), max(medians)) if medians else Rounds()


# ---- two sets ----

class Difference(typing.NamedTuple):
    ratio: float  # b's median over a's
    delta: float  # Cliff's delta, -1 to 1: how much more often a sample of b is above one of a than below
    p: float  # two-sided Mann-Whitney U test: probability of ranks this uneven if both sets have one distribution
    exact: bool  # whether p is counted, or comes from the normal distribution, corrected for ties and continuity


EXACT_SIDE, EXACT_OTHER, EXACT_PAIRS = 8, 1000, 4096


@functools.lru_cache(maxsize=64)
def count_orders(few: int, many: int) -> list[int]:
    """Counts, for each number of pairs u, the orders of few + many samples in which the few win u pairs. These are the coefficients of the
    Gaussian binomial: the product of (1 - x^(many + i)) / (1 - x^i) for i = 1 to few (Mann and Whitney 1947)."""
    pairs = few * many
    ways = [1] + [0] * pairs
    for i in range(1, few + 1):
        for u in range(pairs, many + i - 1, -1):
            ways[u] -= ways[u - many - i]
        for u in range(i, pairs + 1):
            ways[u] += ways[u - i]
    return ways


def compare(a: list, b: list) -> Difference:
    """Both methods for p, and the choice between them, are SciPy's."""
    few, many, pairs, count = min(len(a), len(b)), max(len(a), len(b)), len(a) * len(b), len(a) + len(b)
    if few == 0:
        return Difference(NAN, NAN, 1.0, False)
    ordered = sorted(a)
    wins = sum(bisect.bisect_left(ordered, x) + bisect.bisect_right(ordered, x) for x in b) / 2  # equal samples count one half
    larger, ties = max(wins, pairs - wins), sum(t ** 3 - t for t in collections.Counter(a + b).values())
    exact = ties == 0 and few <= EXACT_SIDE and many <= EXACT_OTHER
    if exact:
        orders = count_orders(few, many)
        tail = sum(orders[math.ceil(larger):]) / sum(orders)
    else:
        variance = pairs / 12 * (count + 1 - ties / (count * (count - 1)))
        tail = math.erfc((larger - pairs / 2 - 0.5) / math.sqrt(2 * variance)) / 2 if variance > 0 else 0.5
    return Difference(median_of(sorted(b)) / median_of(ordered), 2 * wins / pairs - 1, min(2 * tail, 1.0), exact)


@functools.lru_cache(maxsize=None)
def rank_of_ratios(few: int, many: int) -> int:
    """Returns the largest k such that fewer than k pairs go to one side in at most 2.5 % of all orders. Exact up to EXACT_PAIRS pairs,
    otherwise by the normal distribution. 0 = no such k."""
    if few * many > EXACT_PAIRS:
        pairs = few * many
        return max(0, int(pairs / 2 + 0.5 - 1.959963984540054 * math.sqrt(pairs / 12 * (few + many + 1))))
    orders, below = count_orders(few, many), 0
    whole = sum(orders)
    for k, ways in enumerate(orders):
        below += ways
        if below * 40 > whole:
            return k
    return 0


def interval_of_ratio(a: list, b: list) -> tuple[float, float]:
    """Returns the confidence interval, 95 % or more, of the ratio of b to a, if the samples of b are those of a times a constant. It belongs
    to the U test: the k-th smallest and largest ratio of a sample of b to one of a (Hodges and Lehmann 1963). NaN for too few samples."""
    rank = rank_of_ratios(min(len(a), len(b)), max(len(a), len(b))) if a and b else 0
    if rank == 0:
        return NAN, NAN
    ratios = sorted(y / x for x in a for y in b)
    return ratios[rank - 1], ratios[-rank]


# ---- many tests ----

def correct_p(p: list) -> list:
    """Returns q values (Benjamini and Hochberg). Among tests with q <= 0.05, at most 5 % are expected to be chance."""
    q, least = list(p), 1.0
    for rank, place in sorted(enumerate(sorted(range(len(p)), key=p.__getitem__), 1), reverse=True):
        least = min(least, p[place] * len(p) / rank)
        q[place] = least
    return q
