/* SPDX-License-Identifier: MIT */
/* A target's bytes, read as a sequence of choices. */
#ifndef TEST_FUZZ_TAPE_H
#define TEST_FUZZ_TAPE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes that are read one after the other. */
typedef struct tape {
    const uint8_t *bytes;
    size_t left;
} tape;

/* The next byte, or 0 after the end. */
static inline uint8_t next(tape *t)
{
    if (t->left == 0)
        return 0;
    t->left--;
    return *t->bytes++;
}

/* Any bits. */
static inline float raw(tape *t)
{
    uint32_t bits = 0;
    float f;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | next(t);
    memcpy(&f, &bits, sizeof f);
    return f;
}

#endif
