# SPDX-License-Identifier: MIT
# Compares two results.json files. Finds rows that differ by more than chance, rows that are alike, and undecided rows. It uses only samples
# and their rounds, and recomputes all values derived from them.
import math

import stats
from files import ABSENT, Fault, cut, escape, figure_at, member, replace_invalid, text_at
from form import Form
from judge import Judge, open_results
from rows import Data, real_or_none

APART_SHOWN = 20
VERDICTS = ("faster", "slower", "alike", "undecided", "other work", "no samples")


def shorten(text: str) -> str:
    """Returns a text of a file for a terminal."""
    return cut(escape(text), 999)


class Side:
    """One of the two files. Without data sets its names are not updated, and it is not judged."""

    def __init__(self, letter: str, given: str, data: Data):
        self.letter, self.given, self.problems, self.unjudged = letter, given, None, data.unopened
        path, self.results = open_results(given, data)
        form = Form(self.results, data)
        if form.problems:
            raise Fault(f"{path}: {cut(shorten(form.problems[0]), 300)}")
        self.rows = {}
        for row in self.results["rows"]:
            key = row["file"], row["name"]
            if key in self.rows:
                raise Fault(f"{letter}: row {cut(shorten(key[1]), 120)} of {key[0]}: it is there twice")
            self.rows[key] = row
        score = figure_at(self.results, "noise.score")
        self.noise = score if 0 <= score <= 10 else math.nan
        if data.folder:
            try:
                self.problems = Judge(self.results, path, False, False, data, [], []).problems
            except Fault as e:  # rows can be compared without data sets too
                self.unjudged = str(e)

    def text(self, path: str) -> str | None:
        return text_at(self.results, path)

    def to_json(self) -> dict:
        def of(path):
            value = member(self.results, path)
            return None if value is ABSENT else value
        return {"file": replace_invalid(self.given), "machine": of("machine.name"), "commit": of("machine.voxphys.commit"),
                "stands": None if self.problems is None else not self.problems, "problems": self.problems or [], "says_official": of("official"),
                "unofficial_because": of("unofficial_because"), "noise": real_or_none(self.noise)}

    def show(self) -> None:
        machine, commit = self.text("machine.name"), self.text("machine.voxphys.commit")
        print(f"{self.letter}: {shorten(self.given)}, machine {'unknown' if machine is None else shorten(machine)}, "
              f"commit {'unknown' if commit is None else cut(shorten(commit), 40)}")
        if self.problems is None:
            print(f"{self.letter} could not be judged: {escape(self.unjudged)}")
        if self.problems:
            more = "; and more, which 'voxphys results verify' prints" if len(self.problems) > 1 else ""
            print(f"{self.letter} does not stand: {shorten(self.problems[0])}{more}")
        if not self.results["official"]:
            reasons = "; ".join(map(shorten, self.results["unofficial_because"]))
            print(f"{self.letter} says of itself that it is not official" + (f": {reasons}" if reasons else ""))
        if math.isnan(self.noise):
            print(f"{self.letter} does not say how much the same thing measured twice differs by (noise.score, 0 to 10)")


def find_other_work(a: dict, b: dict) -> tuple[str | None, bool]:
    """Returns why two rows have different work, so that their times can't be compared, and whether only one row identifies its data or
    answers."""
    unsure = False
    for key, what in (("item", "other items"), ("dataset_hash", "other data"), ("output_hash", "other answers")):
        if a[key] is not None and b[key] is not None and a[key] != b[key]:
            return what, unsure
        unsure = unsure or (a[key] is None) != (b[key] is None)
    return None, unsure


def log_of(ratio: float) -> float:
    return math.log(ratio) if ratio != 0 else -math.inf


def change_of(ratio: float) -> float:
    return abs(log_of(ratio))


class Pair:
    """A row that both files have. `because` is the reason of the last three verdicts. Incomparable rows have no statistics."""

    def __init__(self, a: dict, b: dict):
        self.name, self.file, self.verdict, self.apart = a["name"], a["file"], "undecided", False
        (of_a, rounds_a), (of_b, rounds_b) = self.read_samples(a), self.read_samples(b)
        self.medians = [stats.median_of(sorted(of_a)), stats.median_of(sorted(of_b))]
        self.rounds = [rounds_a.count, rounds_b.count]
        # at least two rounds per side, and all medians of A on one side of all of B's
        self.rounds_apart = min(self.rounds) >= 2 and (rounds_a.most < rounds_b.least or rounds_b.most < rounds_a.least)
        self.because, self.unsure = find_other_work(a, b)
        if not of_a or not of_b:
            self.verdict, self.because = "no samples", "no samples in " + ("B" if of_a else "A" if of_b else "A and B")
        elif self.because is not None:
            self.verdict = "other work"
        self.ratio = self.delta = self.p = self.low = self.high = math.nan
        self.exact = False
        if self.is_compared():
            self.ratio, self.delta, self.p, self.exact = stats.compare(of_a, of_b)
            self.low, self.high = stats.interval_of_ratio(of_a, of_b)
        self.q = self.p

    @staticmethod
    def read_samples(row: dict) -> tuple[list, stats.Rounds]:
        samples = [] if row["error"] is not None else [float(sample) for sample in row["samples_ns"]]
        return samples, stats.split_rounds(samples, row["rounds"])

    def is_compared(self) -> bool:
        return self.verdict not in ("other work", "no samples")

    def is_apart(self) -> bool:
        """Every sample of B is on one side of all of A's, and the medians differ by the least change or more."""
        return self.verdict == "undecided" and self.apart

    def has_one_round(self) -> bool:
        return self.is_compared() and min(self.rounds) < 2

    def judge(self, alpha: float, least_change: float) -> None:
        least, is_known = math.log1p(least_change), not math.isnan(self.low)
        differs = change_of(self.ratio) >= least
        self.apart = differs and abs(self.delta) >= 1
        if min(self.rounds) < 2:
            self.because = "one round"
        elif self.q <= alpha and differs and self.rounds_apart:
            self.verdict = "faster" if self.ratio < 1 else "slower"
        elif is_known and change_of(self.low) <= least and change_of(self.high) <= least:
            self.verdict = "alike"
        elif self.apart or not is_known:
            self.because = "few samples"
        elif self.q <= alpha and differs:
            self.because = "rounds overlap"
        else:
            self.because = "wide scatter"

    def to_json(self) -> dict:
        return {"name": self.name, "file": self.file, "a_ns": real_or_none(self.medians[0]), "b_ns": real_or_none(self.medians[1]),
                "ratio": real_or_none(self.ratio),
                "ratio_95": None if math.isnan(self.low) else [real_or_none(self.low), real_or_none(self.high)],
                "delta": real_or_none(self.delta), "p": real_or_none(self.p), "q": real_or_none(self.q), "exact": self.exact,
                "rounds": self.rounds, "rounds_apart": self.rounds_apart, "apart": self.apart,
                "same_work": False if self.verdict == "other work" else None if self.unsure else True, "verdict": self.verdict,
                "because": self.because}

    def show(self) -> None:
        def column(value, width, digits):
            return f" {value:{width}.{digits}g}" if math.isfinite(value) else f" {'-':>{width}}"
        interval = "-" if math.isnan(self.low) else f"{self.low:.4g}-{self.high:.4g}"
        verdict = {"other work": "not the same work", "no samples": "unknown"}.get(self.verdict, self.verdict)
        because = f": {self.because}" if self.because is not None else ""
        elsewhere = f", in {self.file}" if self.file != "bench.json" else ""
        figures = column(self.medians[0], 12, 5) + column(self.medians[1], 12, 5) + column(self.ratio, 8, 4)
        print(f"{shorten(self.name):<64}{figures} {interval:>15}{column(self.delta, 6, 2)}{column(self.q, 9, 2)}  {verdict}{because}{elsewhere}")


class Comparison:
    def __init__(self, a: Side, b: Side, alpha: float, least: float | None, begin: str):
        self.a, self.b, self.alpha = a, b, alpha
        self.least = least if least is not None else max([0.01] + [side.noise for side in (a, b) if not math.isnan(side.noise)])
        chosen_a, chosen_b = ([key for key in side.rows if key[1].startswith(begin)] for side in (a, b))
        if begin and not chosen_a and not chosen_b:
            raise Fault(f'no row of A or B has a name that begins with "{cut(begin, 60)}"')
        self.pairs = [Pair(a.rows[key], b.rows[key]) for key in chosen_a if key in b.rows]
        self.only_a = sum(key not in b.rows for key in chosen_a)
        self.only_b = sum(key not in a.rows for key in chosen_b)
        self.compared = [pair for pair in self.pairs if pair.is_compared()]
        for pair, q in zip(self.compared, stats.correct_p([pair.p for pair in self.compared])):
            pair.q = q
            pair.judge(alpha, self.least)

    def count(self, verdict: str) -> int:
        return sum(pair.verdict == verdict for pair in self.pairs)

    def are_two_machines(self) -> bool | None:
        a, b = self.a.text("machine.name"), self.b.text("machine.name")
        return None if a is None or b is None else a != b

    def mean_ratio(self) -> float:
        """Returns the geometric mean of B's times over A's, for all compared rows."""
        total = 0.0
        for pair in self.compared:
            total += log_of(pair.ratio)
        mean = total / len(self.compared) if self.compared else math.nan
        return math.inf if mean > 709 else math.exp(mean)

    def to_json(self) -> dict:
        return {"a": self.a.to_json(), "b": self.b.to_json(), "two_machines": self.are_two_machines(), "alpha": self.alpha,
                "least_change": self.least, "tests": len(self.compared), "geometric_mean": real_or_none(self.mean_ratio()),
                "undecided": self.count("undecided"), "undecided_apart": sum(pair.is_apart() for pair in self.pairs),
                "only_in_a": self.only_a, "only_in_b": self.only_b, "without_samples": self.count("no samples"),
                "rows": [pair.to_json() for pair in self.pairs]}

    def show_rows(self, with_all: bool) -> None:
        rows = [pair for pair in self.pairs if with_all or pair.verdict in ("faster", "slower", "other work")]
        if rows or with_all:
            print(f"{'row':<64} {'A, ns':>12} {'B, ns':>12} {'B/A':>8} {'95 %':>15} {'delta':>6} {'q':>9}  B is")
        for pair in sorted(rows, key=lambda pair: (math.isnan(pair.ratio), 0 if math.isnan(pair.ratio) else pair.ratio, pair.name)):
            pair.show()

    def show_apart(self) -> None:
        """Reports rows whose samples are apart but too few for a test."""
        rows = sorted(filter(Pair.is_apart, self.pairs), key=lambda pair: (-change_of(pair.ratio), pair.name))
        if not rows:
            return
        print("Undecided, though every sample of B is slower, or every one faster, than every sample of A: these are too few to be sure among "
              f"{len(self.compared)} rows,\n"
              "or of one round. More rounds in both runs help, or --rows with rows that were chosen before looking.")
        for pair in rows[:APART_SHOWN]:
            print(f"  {shorten(pair.name):<62} {pair.ratio:8.4g} times as long, every sample {'faster' if pair.ratio < 1 else 'slower'}"
                  + ("; one round" if pair.because == "one round" else ""))
        if len(rows) > APART_SHOWN:
            print(f"  and {len(rows) - APART_SHOWN} more (--all, --json)")

    def show(self, with_all: bool) -> None:
        self.a.show()
        self.b.show()
        if self.are_two_machines():
            print("A and B are of two machines: ratios say as much of them as of the programs")
        self.show_rows(with_all)
        self.show_apart()
        faster, slower, alike, undecided, other_work, no_samples = map(self.count, VERDICTS)
        print(f"{len(self.pairs)} rows of both: {faster} faster in B, {slower} slower, {alike} alike, {undecided} undecided "
              f"({sum(pair.is_apart() for pair in self.pairs)} of them wholly apart), {other_work} not the same work, {no_samples} without "
              f"samples; {self.only_a} only in A, {self.only_b} only in B")
        one_round = sum(pair.has_one_round() for pair in self.pairs)
        if one_round:
            print(f"{one_round} rows have samples of one round in A or B: drift of the machine cannot be distinguished from a change there, so they "
                  "are undecided.")
        unsure = sum(pair.unsure for pair in self.compared)
        if unsure:
            print(f"{unsure} rows say in one file alone what items, data or answers they are of: that the work is the same is not known of them.")
        if self.compared:
            print(f"B takes {self.mean_ratio():.4g} times as long as A, as the geometric mean of {len(self.compared)} rows. A row is called faster "
                  f"or slower where q is at most {self.alpha:.3g}, the medians\n"
                  f"differ by {self.least * 100:.2g} % or more, and those of all rounds lie apart; alike where 95 % of the ratio lie within that. q "
                  "measures the scatter within\n"
                  "and between these rounds only. Repeat the runs to see how the machine differs an hour later.")
