#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Statistics of samples, and XXH3. Oracles: small numbers calculated by hand, all orders of two small sets, SciPy, the hashes of xxHash's own
library, and the error rates on random samples of known distributions."""
import itertools
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../report/results"))
sys.dont_write_bytecode = True
import stats
import xxh3

try:
    import scipy.stats
except ImportError:
    scipy = None
    print("no SciPy here: p values and ranks are not compared with its")
NAN = math.nan
checks = failures = 0


def is_near(got, want):
    if isinstance(want, (tuple, list)):
        return len(got) == len(want) and all(map(is_near, got, want))
    return got == want or math.isnan(got) and math.isnan(want) or math.isclose(got, want, rel_tol=1e-12)


def check(what, got, want):
    global checks, failures
    checks += 1
    if not is_near(got, want):
        failures += 1
        print(f"FAIL: {what} is {got}, expected {want}", file=sys.stderr)


# ---- by hand ----
TIED_P = math.erfc(7 / math.sqrt(2 * 16 / 12 * (9 - 6 / 56)))  # U = 15.5 of 16, variance 16 / 12 * (9 - 6 / 56)
ALIKE = [1e9 / 3] * 30
for function, arguments, expected in (
        (stats.summarise, ([],), (NAN,) * 6), (stats.summarise, ([7],), (7, 0, 7, 7, NAN, NAN)),
        (stats.summarise, ([5, 1, 4, 2, 30],), (4, 2, 1, 30, NAN, NAN)),  # mad: of 1 3 0 2 26
        (stats.summarise, ([6, 5, 4, 3, 2, 1],), (3.5, 1.5, 1, 6, 1, 6)),
        (stats.median_of, ([1.5e308, 1.7e308],), 1.6e308),
        (stats.compare, ([], []), (NAN, NAN, 1, False)), (stats.compare, ([1, 2], []), (NAN, NAN, 1, False)),
        (stats.compare, ([], [1, 2]), (NAN, NAN, 1, False)),
        (stats.compare, ([1, 2, 3, 4], [4, 5, 6, 7]), (5.5 / 2.5, 15 / 16, TIED_P, False)),  # ties are not exact
        (stats.compare, ([1] * 4, [1] * 4), (1, 0, 1, False)),
        (stats.interval_of_ratio, ([], [1]), (NAN, NAN)), (stats.interval_of_ratio, ([1, 2, 3], [1, 2, 3]), (NAN, NAN)),
        (stats.interval_of_ratio, ([1e-300] * 4, [1e300] * 4), (math.inf, math.inf)),
        (stats.interval_of_ratio, ([1e300] * 4, [1e-300] * 4), (0, 0)),
        (stats.correct_p, ([0.01, 0.5, 0.02, 0.04, 0.9],), [0.05, 0.5 * 5 / 4, 0.05, 0.04 * 5 / 3, 0.9]), (stats.correct_p, ([],), []),
        (stats.split_rounds, ([5, 1, 8, 3, 7, 100, 2], [2, 1, 3, 2, 3, 3, 1]), (3, 1.5, 8)),  # 1 2; 3 5; 7 8 100
        (stats.split_rounds, ([5, 1, 8], [4, 4, 4]), (1, 5, 5)), (stats.split_rounds, ([], []), (0, NAN, NAN)),
        (stats.measure_drift, ([],), 1), (stats.measure_drift, (ALIKE,), 1), (stats.measure_drift, ([1, 1, 1, 1, 2, 2, 2, 2],), 1),
        # the largest U that is significant at 5 % is 17 for 9 and 9, 99 for 18 and 18, 127 for 20 and 20
        *((stats.rank_of_ratios, pair, rank) for *pair, rank in ((3, 3, 0), (4, 4, 1), (3, 6, 2), (6, 6, 6), (9, 9, 18), (18, 18, 100), (20, 20, 128)))):
    check(f"{function.__name__}{arguments}", function(*arguments), expected)
for samples in ([], [1, 1, 1, 1, 2, 2, 2, 2], ALIKE):
    check(f"modes of {samples}", stats.find_modes(samples) is None, True)
check("two modes", stats.find_modes(ALIKE[:20] + [5e8] * 10), (1e9 / 3, 5e8))
long = stats.compare([100 + i for i in range(20)], [100.5 + i for i in range(20)])  # 210 of 400 pairs
check("a long set", (long.delta, long.exact, 0.5 < long.p < 1), (2 * 210 / 400 - 1, False, True))

# ---- ranks, exactly ----
for n in range(1, 61):
    s = stats.summarise(list(range(n, 0, -1)))
    below = list(itertools.accumulate(math.comb(n, k) for k in range(n // 2 + 1)))  # below[k]: of 2^n cases, those with up to k
    rank = sum(count * 40 <= 1 << n for count in below)
    check(f"p95 of {n}", s.p95, -(-95 * n // 100))
    check(f"interval of {n}", (s.low, s.high), (rank, n + 1 - rank) if rank else (NAN, NAN))

# ---- all orders of two small sets ----
noise = random.Random(21)
for a, b in itertools.product(range(1, 7), range(1, 8)):
    places = list(itertools.combinations(range(a + b), b))
    wins = [sum(place - i for i, place in enumerate(order)) for order in places]  # samples of a below each of b
    counts = [wins.count(u) for u in range(a * b + 1)]
    check(f"orders of {a} and {b}", stats.count_orders(min(a, b), max(a, b)), counts)
    for order, won in list(zip(places, wins))[::3]:
        of_a, of_b = ([10 + i for i in range(a + b) if (i in order) == is_b] for is_b in (False, True))
        d = stats.compare(of_a, of_b)
        check(f"p of {of_a} and {of_b}", (d.p, d.delta, d.exact), (min(1, 2 * sum(counts[max(won, a * b - won):]) / len(places)), 2 * won / (a * b) - 1, True))
    rank = sum(count * 40 <= len(places) for count in itertools.accumulate(counts))
    of_a, of_b = ([1 + noise.randrange(50) for _ in range(n)] for n in (a, b))  # some are equal
    ratios = sorted(y / x for x in of_a for y in of_b)
    check(f"interval of {of_a} and {of_b}", stats.interval_of_ratio(of_a, of_b), (ratios[rank - 1], ratios[-rank]) if rank else (NAN, NAN))
# ---- random samples ----
KINDS = {"normal": lambda: noise.gauss(0, 1), "uniform": lambda: noise.uniform(-1, 1), "with a long tail": lambda: noise.expovariate(1)}


def check_share(what, missed, rounds, least, most):
    check(f"{what}: {missed} of {rounds} wrong, within {least} and {most}", least <= missed <= most, True)


for kind, draw in KINDS.items():
    for n in (6, 9, 18, 70):  # for 70 and 70 the rank comes from the normal distribution
        rounds = 400 if n == 70 else 2000
        missed = 0
        for _ in range(rounds):
            low, high = stats.interval_of_ratio([100 * math.exp(0.1 * draw()) for _ in range(n)], [130 * math.exp(0.1 * draw()) for _ in range(n)])
            missed += not low <= 1.3 <= high
        # 5 %, or the next lower value that ranks allow, with its scatter
        check_share(f"the ratio, {kind}, {n}", missed, rounds, 0.02 * rounds, 0.05 * rounds + 3 * math.sqrt(0.05 * rounds))
    for n in (9, 18, 30, 60):
        modes = [stats.find_modes([(130 if i % 3 == 0 else 100) * (1 + 0.01 * draw()) for i in range(n)]) for _ in range(1000)]
        check_share(f"two modes, {kind}, {n}", sum(m is None or not (95 < m[0] < 105 and 123 < m[1] < 137) for m in modes), 1000, 0, 20)
        modes = [stats.find_modes([100 * (1 + 0.1 * draw()) for _ in range(n)]) for _ in range(1000)]
        check_share(f"one mode, {kind}, {n}", sum(m is not None for m in modes), 1000, 0, 20)
# ---- XXH3 ----
data = bytes(i * 7 + (i >> 8) * 13 + (i * i >> 3) & 255 for i in range(4985))
for size, expected in {
        0: 0x2d06800538d394c2, 1: 0xc44bdff4074eecdb, 3: 0xc3489259e968ad9e, 4: 0x2789fdaeec4f4822, 8: 0x09327ecff00ded3e, 9: 0x578b4dba80942ec8,
        16: 0x5ccb443ca43b9720, 17: 0x2dff9519b10bf325, 32: 0x065e11d5c60dbdff, 33: 0x55fe1c3545c4c3bb, 65: 0x1c9d060d829ef74b,
        97: 0x8fa3c6df020d6e5f, 128: 0x6925881da1b6beaa, 129: 0xe811428c2aa31dcc, 144: 0xe3cd2c516b2d90dc, 240: 0x84e0cebb555e4ed3,
        241: 0x593ba5454b4831fa, 1024: 0x123d637088830c14, 1025: 0xdec60395ed59d627, 1089: 0x5bab0cbe45a6a326, 4985: 0x5dc04e4d89296cb1}.items():
    check(f"XXH3 of {size} bytes", int(xxh3.hash_text(data[:size]), 16), expected)

print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)
