/* SPDX-License-Identifier: MIT */
/* An allocator that counts requests and can refuse the n-th one. It detects leaks, double frees, and frees with a wrong
   size. Blocks have exactly the requested size and are filled with 0xa5. */
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
    test_block *block; /* live blocks */
    size_t block_count, block_capacity;
    uint64_t live_bytes, peak_bytes;
    uint64_t requests; /* requests since the last test_memory_fail_at, including refused ones */
    uint64_t fail_at;  /* number of the refused request, 0 = none */
    bool only_one;     /* requests after it succeed, otherwise they fail too */
    uint64_t mistakes; /* frees of blocks that are not live or have another size, and invalid requests */
} test_memory;

/* Starts the allocator. End it with test_memory_end. */
void test_memory_begin(test_memory *memory);
/* Fails the test if a block is live or a mistake was made. */
void test_memory_end(test_memory *memory);
vp_allocator test_memory_allocator(test_memory *memory);
/* Refuses the n-th request from now on (n >= 1), and all later ones unless only_one is set. 0 = none. */
void test_memory_fail_at(test_memory *memory, uint64_t n);

#endif
