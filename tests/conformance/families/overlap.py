# SPDX-License-Identifier: MIT
"""Overlap: a word."""
from alterations import put

WRONG = {"word": 60}
ALIKE = ["nan-min-x"]


def other(way, asked, said):
    return [{"none": "solid", "solid": "both", "water": "solid", "both": "water", "invalid": "none"}[said[0]]]


def unsound(alter):
    alter("the id of dilation", put("id", "dilation/x"))
    alter("a lowest cell that nothing asks for", put("input", "first", [0, 0, 0]))
    alter("a touch that there is not", put("expected", {"touch": "maybe"}), lambda v: v["promise"] == "exact")
