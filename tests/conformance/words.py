# SPDX-License-Identifier: MIT
"""Words of questions and answers, for the families of this folder."""
import os
import struct
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.append(os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus/make")  # definitions of the corpus' makers

from corpus import number  # noqa: E402


def word(value):
    return struct.pack(">f", value).hex()


def more(text, by):
    return word(number(text) + by)


def up(text):
    """The next number away from 0."""
    return f"{int(text, 16) + 1:08x}"


def exact(words):
    return [Fraction(number(w)) for w in words]


def rows(words, each):
    return [words[i:i + each] for i in range(0, len(words), each)]


def flat(value):
    return [w for v in value for w in flat(v)] if isinstance(value, list) else [str(value)]


def turned(triangles):
    """In another order, and each from another corner on."""
    return [x for t in triangles[::-1] for x in t[1:] + t[:1]]


def listed(name, each):
    """Rows of words as an answer that counts them."""
    return [name, str(len(each))] + [w for row in each for w in row]
