/* SPDX-License-Identifier: MIT */
/* An allocator that counts, that can refuse the n-th request, and that finds blocks which are never given back, given
   back twice, or given back with another size. Blocks are exactly as large as asked for and filled with 0xa5. */
#ifndef VP_TESTS_SUPPORT_MEMORY_H
#define VP_TESTS_SUPPORT_MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/memory.h>

typedef struct test_block {
    void *address;
    size_t bytes;
} test_block;

typedef struct test_memory {
    pthread_mutex_t lock;
    test_block *block; /* the live ones */
    size_t block_count, block_capacity;
    uint64_t live_bytes, peak_bytes;
    uint64_t requests; /* since the last test_memory_fail_at, refused ones included */
    uint64_t fail_at;  /* this request is refused; 0: none */
    bool only_one;     /* the requests after it are granted again; otherwise they are refused too */
    uint64_t mistakes; /* releases of a block that is not live, or with another size; odd requests */
} test_memory;

/* Makes a source of memory. Destroy it with test_memory_end. */
void test_memory_begin(test_memory *memory);
/* Nothing may be live, and no mistake may have been made: fails the test otherwise. */
void test_memory_end(test_memory *memory);
vp_allocator test_memory_allocator(test_memory *memory);
/* From now on the n-th request (n >= 1) is refused, and all after it unless only_one is set; 0: none is. */
void test_memory_fail_at(test_memory *memory, uint64_t n);

#endif
