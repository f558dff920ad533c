# SPDX-License-Identifier: MIT
"""Code that all families share: numbers as bits, and writing of files.

A binary32 is written as its bits, eight hexadecimal digits: "3f800000" is 1, "80000000" is -0. Oracles compute with exact Fractions. Nothing here calls voxphys.
"""
import json
import math
import struct
from fractions import Fraction

VERSION = "1.7.0"
INF, NAN = math.inf, math.nan


def bits(value):
    """Returns the bits of a binary32. Any other number is an error."""
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
    """Returns the binary32 nearest to a number."""
    return struct.unpack(">f", struct.pack(">f", float(value)))[0]


def exact(word):
    """Returns a Fraction, or None for a number that is not finite."""
    value = number(word)
    return Fraction(value) if math.isfinite(value) else None


def below(value):
    """Returns the largest binary32 that is not above a Fraction."""
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
    """Returns the binary32 that is `ulps` steps higher."""
    word = struct.unpack(">i", struct.pack(">f", value))[0]
    place = word if word >= 0 else -(word & 0x7FFFFFFF)
    place += ulps
    word = place if place >= 0 else (-place) | 0x80000000
    return struct.unpack(">f", struct.pack(">I", word))[0]


def is_finite(words):
    """Whether all bits in nested lists are finite numbers."""
    return all(is_finite(w) for w in words) if isinstance(words, list) else math.isfinite(number(words))


FAMILIES = {}


def family(*head, **what):
    """Registers a family and its oracle, a function of an input and its flags that returns the promise, the expected answer and optionally the reason of a bound."""
    def register(oracle):
        made = Family(*head, **what, oracle=oracle)
        FAMILIES[made.name] = made
        return oracle
    return register


class Family:
    """`input` lists its members, and `answers` the members of each kind of answer, as in members.py."""

    def __init__(self, name, title, question, answer, flags, *, promises, input, answers, oracle):
        self.name, self.title, self.question, self.answer, self.flags = name, title, question, answer, flags
        self.promises, self.input, self.answers, self.oracle = promises, input, answers, oracle
        self.vectors, self.names, self.asked = [], set(), {}

    def add(self, name, about, data, flags, cites):
        """Adds a vector. The oracle answers it."""
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
        promise, expected, *reason = self.oracle(data, flags)
        vector = {"id": f"{self.name}/{name}", "about": about, "promise": promise}
        if reason and reason[0] is not None:
            vector["reason"] = reason[0]
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
