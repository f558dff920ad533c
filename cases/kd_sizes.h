/* SPDX-License-Identifier: MIT */
#ifndef VP_CASES_KD_SIZES_H
#define VP_CASES_KD_SIZES_H

/* From which size of a mesh on does a tree pay? */
#define OF_SIZE(number)                                                                                                                    \
    {.data = "chunks/coherent", .variants = 1, .what = VP_TIMED, .triangles = (number)},                                                   \
    {                                                                                                                                      \
        .data = "chunks/cold", .variants = 1, .what = VP_TIMED, .triangles = (number)                                                      \
    }
#define OF_SIZES OF_SIZE(16), OF_SIZE(32), OF_SIZE(64), OF_SIZE(128), OF_SIZE(256)

#endif
