/* SPDX-License-Identifier: MIT */
#ifndef VP_CASES_KD_SIZES_H
#define VP_CASES_KD_SIZES_H

/* Shows from which mesh size on a tree pays. */
#define OF_SIZE(number)                                                                                                                    \
    {.data = "chunks/coherent", .variants = 1, .what = VP_TIMED, .triangles = (number)},                                                   \
    {                                                                                                                                      \
        .data = "chunks/cold", .variants = 1, .what = VP_TIMED, .triangles = (number)                                                      \
    }
#define OF_SIZES OF_SIZE(16), OF_SIZE(32), OF_SIZE(64), OF_SIZE(128), OF_SIZE(256)

#endif
