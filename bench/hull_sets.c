/* SPDX-License-Identifier: MIT */
#include "bench/hull_sets.h"

const vp_hull_set vp_hull_sets[] = {
    {"ball", "16"}, {"ball", "64"}, {"ball", "256"}, {"ball", "1000"}, {"ball", "10000"}, {"ball", "100000"},
    {"ball", "1000000"},
    {"sphere", "16"}, {"sphere", "64"}, {"sphere", "256"}, {"sphere", "1000"}, {"sphere", "10000"}, {"sphere", "100000"},
    {"sphere", "1000000"},
    {"cube", "16"}, {"cube", "64"}, {"cube", "256"}, {"cube", "1000"}, {"cube", "10000"}, {"cube", "100000"},
    {"cube", "1000000"},
    {"gauss", "16"}, {"gauss", "64"}, {"gauss", "256"}, {"gauss", "1000"}, {"gauss", "10000"}, {"gauss", "100000"},
    {"gauss", "1000000"},
    {"cube-grid", "1000"}, {"cube-grid", "10000"},
    {"cube-grid-turned", "16"}, {"cube-grid-turned", "64"}, {"cube-grid-turned", "256"}, {"cube-grid-turned", "1000"},
    {"cube-grid-turned", "10000"}, {"cube-grid-turned", "100000"}, {"cube-grid-turned", "1000000"},
    {"lattice", "1000"}, {"lattice", "10000"},
    {"lattice-turned", "1000"}, {"lattice-turned", "10000"},
    {"cylinder", "16"}, {"cylinder", "64"}, {"cylinder", "256"}, {"cylinder", "1000"}, {"cylinder", "10000"},
    {"cylinder", "100000"}, {"cylinder", "1000000"},
    {"cone", "1000"}, {"cone", "10000"},
    {"uv-sphere", "1000"}, {"uv-sphere", "10000"},
    {"flat-box", "1000"}, {"flat-box", "10000"},
    {"needle", "1000"}, {"needle", "10000"},
    {"duplicates", "1000"}, {"duplicates", "10000"},
    {"near-duplicates", "1000"}, {"near-duplicates", "10000"},
    {"far-ball", "1000"}, {"far-ball", "10000"},
    {"tiny-ball", "1000"}, {"tiny-ball", "10000"},
    {"huge-ball", "1000"}, {"huge-ball", "10000"},
    {"collinear", "1000"}, {"collinear", "10000"},
    {"coplanar", "1000"}, {"coplanar", "10000"},
    {"coplanar-tilted", "1000"}, {"coplanar-tilted", "10000"},
    {"one-point", "1000"}, {"one-point", "10000"},
};
const size_t vp_hull_set_count = sizeof vp_hull_sets / sizeof vp_hull_sets[0];
