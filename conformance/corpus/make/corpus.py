# SPDX-License-Identifier: MIT
"""What all families of the corpus share: numbers as bits, vectors, and how a file is written.

Numbers of binary32 are written as their bits, eight hexadecimal digits: "3f800000" is 1, "80000000" is -0. Oracles compute with
Fractions of them, which are exact; nothing here calls voxphys, or rounds.
"""
import json
import math
import struct
from fractions import Fraction

VERSION = "1.7.0"
INF, NAN = math.inf, math.nan


def bits(value):
    """The bits of a number that binary32 has; anything else is the author's mistake."""
    if isinstance(value, str):
        return value  # already bits, for values that no literal expresses
    word = struct.pack(">f", value)
    back = struct.unpack(">f", word)[0]
    if not (math.isnan(value) and math.isnan(back)) and back != value:
        raise ValueError(f"{value!r} is no number of binary32")
    return word.hex()


def number(word):
    return struct.unpack(">f", bytes.fromhex(word))[0]


def nearest(value):
    """The binary32 nearest to a number."""
    return struct.unpack(">f", struct.pack(">f", float(value)))[0]


def exact(word):
    """As a Fraction; None for what is not finite."""
    value = number(word)
    return Fraction(value) if math.isfinite(value) else None


def below(value):
    """The largest binary32 that is not above a Fraction."""
    guess = nearest(value)
    while Fraction(guess) > value:
        guess = step(guess, -1)
    return guess


def above(value):
    guess = nearest(value)
    while Fraction(guess) < value:
        guess = step(guess, 1)
    return guess


def step(value, ulps):
    """So many numbers of binary32 further up."""
    word = struct.unpack(">i", struct.pack(">f", value))[0]
    place = word if word >= 0 else -(word & 0x7FFFFFFF)
    place += ulps
    word = place if place >= 0 else (-place) | 0x80000000
    return struct.unpack(">f", struct.pack(">I", word))[0]


class Random:
    """SplitMix64: the same numbers by every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return z ^ (z >> 31)

    def below(self, count):
        return self.next() % count

    def between(self, low, high):
        """A binary32 on a grid of 2^-24 of the range."""
        return nearest(low + (high - low) * (self.next() >> 40) / (1 << 24))


def is_finite(words):
    """Whether bits, in lists in lists, are all of finite numbers."""
    return all(is_finite(w) for w in words) if isinstance(words, list) else math.isfinite(number(words))


FAMILIES = {}


def family(*head, **what):
    """Of a function that adds a family's vectors, and returns one that adds a question: its name, about, input, flags and cites. What they are made of, all that
    there is to say of a family is said here."""
    def of(make):
        made = Family(*head, **what, make=make)
        FAMILIES[made.name] = made
        return make
    return of


class Family:
    """`input` has its members, and `answers` those of each kind of answer: see members.py."""

    def __init__(self, name, title, question, answer, flags, *, promises, input, answers, make):
        self.name, self.title, self.question, self.answer, self.flags = name, title, question, answer, flags
        self.promises, self.input, self.answers, self.make = promises, input, answers, make
        self.vectors, self.names, self.asked = [], set(), {}

    def add(self, name, about, promise, data, expected, flags=(), cites=(), reason=None):
        if name in self.names:
            raise ValueError(f"the name {self.name}/{name} is there twice")
        for flag in flags:
            if flag not in self.flags:
                raise ValueError(f"the flag {flag} of {self.name}/{name} is not explained in the family's head")
        question = json.dumps(data, sort_keys=True)
        if question in self.asked:
            raise ValueError(f"{self.name}/{name} asks what {self.name}/{self.asked[question]} asks")
        self.asked[question] = name
        self.names.add(name)
        vector = {"id": f"{self.name}/{name}", "about": about, "promise": promise}
        if reason is not None:
            vector["reason"] = reason
        if flags:
            vector["flags"] = list(flags)
        if cites:
            vector["cites"] = list(cites)
        vector["input"], vector["expected"] = data, expected
        self.vectors.append(vector)

    def write(self, folder):
        used = {flag for v in self.vectors for flag in v.get("flags", ())}
        unused = set(self.flags) - used
        if unused:
            raise ValueError(f"{self.name}: nothing has the flags {sorted(unused)}")
        head = {"schema": 1, "version": VERSION, "family": self.name, "title": self.title, "question": self.question,
                "answer": self.answer, "flags": self.flags}
        text = json.dumps(head, indent=1, ensure_ascii=False)[:-2] + ',\n "vectors": [\n'
        text += ",\n".join("  " + json.dumps(v, ensure_ascii=False) for v in self.vectors) + "\n ]\n}\n"
        with open(f"{folder}/{self.name}.json", "w", encoding="utf-8") as file:
            file.write(text)
