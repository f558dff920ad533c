# SPDX-License-Identifier: MIT
"""Vectors of three numbers of any type, and turns in a plane."""


def add(a, b, t=1):
    return (a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2])


def less(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def normal(a, b, c):
    return cross(less(b, a), less(c, a))


def turn(a, b, c):
    """Returns a positive number if a, b, c turn to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def around(places):
    """Returns the corners of the hull of three or more places in a plane, in ascending order, without corners on a line through their neighbours. Andrew's monotone chains."""
    def chain(places):
        out = []
        for p in places:
            while len(out) > 1 and turn(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return chain(places) + chain(places[::-1])
