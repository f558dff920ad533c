# SPDX-License-Identifier: MIT
"""Overlap: a word."""
from alterations import put

WRONG = {"word": 60}
ALIKE = ["nan-min-x"]


def other(way, asked, said):
    return [{"none": "solid", "solid": "both", "water": "solid", "both": "water", "invalid": "none"}[said[0]]]


def unsound(alter):
    alter("a touch that there is not", put("expected", {"touch": "maybe"}), lambda v: v["promise"] == "exact")
