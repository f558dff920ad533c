/* SPDX-License-Identifier: MIT */
/* Memory between two pages that nobody may touch: reading or writing one byte too far, or one too early, ends the
   program at once, in every build and in hand-written SIMD code too. */
#ifndef VP_TESTS_SUPPORT_GUARD_H
#define VP_TESTS_SUPPORT_GUARD_H

#include <stddef.h>

typedef enum test_side {
    TEST_FLUSH_BEGIN, /* the first byte lies just behind a forbidden page */
    TEST_FLUSH_END    /* the last byte lies just before one */
} test_side;

typedef struct test_guard {
    void *data; /* `bytes` bytes; page-aligned or, flush with the end, as aligned as `bytes` allows */
    void *mapping;
    size_t mapping_bytes;
} test_guard;

test_guard test_guard_make(size_t bytes, test_side side);
void test_guard_free(test_guard *guard);

#endif
