/* SPDX-License-Identifier: MIT */
/* The optimized dilation in plain C (optimized/broadphase/dilation_words.c). As the contender "scalar-words" it separates the algorithm's
 * part of a speed-up from the instruction set's. */
#ifndef VP_DATASETS_WORDS_H
#define VP_DATASETS_WORDS_H

#include <voxphys/kernels.h>

/* X(kernel) for each kernel of this version. */
#define VP_WORDS_KERNELS(X) X(dilate_chunk) X(dilate_chunk_rows) X(dilate_world) X(dilate_world_rows)

#define VP_DECLARE_WORDS(k) VP_PROTO(k, words)
VP_WORDS_KERNELS(VP_DECLARE_WORDS)

#endif
