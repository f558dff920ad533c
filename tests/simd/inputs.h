/* SPDX-License-Identifier: MIT */
/* Inputs of the vocabulary's operations. */
#ifndef VP_TESTS_SIMD_INPUTS_H
#define VP_TESTS_SIMD_INPUTS_H

#include <stddef.h>
#include <stdint.h>

/* Operations are called for the inputs from each start on. */
enum { STARTS = 1500, INPUTS = STARTS + 200, ANSWER_BYTES = 48 << 20 };

typedef struct inputs {
    float f[INPUTS];     /* any bits, also NaN and infinities */
    float whole[INPUTS]; /* within the range of int32_t */
    double real[INPUTS]; /* any */
    int32_t i[INPUTS], place[INPUTS];
    uint32_t bits[INPUTS];
    uint64_t word[INPUTS]; /* many of few bits, or none */
    uint8_t byte[INPUTS];  /* many small ones */
    uint16_t half[INPUTS];
} inputs;

/* Writes all answers. @return their number of bytes */
size_t answers_plain(const inputs *in, uint8_t *out);
size_t answers_avx2(const inputs *in, uint8_t *out);
size_t answers_avx512(const inputs *in, uint8_t *out);
size_t answers_neon(const inputs *in, uint8_t *out);
size_t answers_simd128(const inputs *in, uint8_t *out);

#endif
