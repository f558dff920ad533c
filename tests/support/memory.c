/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "tests/support/memory.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static void remember(test_memory *m, void *address, size_t bytes)
{
    if (m->block_count == m->block_capacity) {
        m->block_capacity = m->block_capacity * 2 + 64;
        m->block = realloc(m->block, m->block_capacity * sizeof *m->block);
        if (m->block == NULL)
            abort();
    }
    m->block[m->block_count++] = (test_block){address, bytes};
    m->live_bytes += bytes;
    if (m->live_bytes > m->peak_bytes)
        m->peak_bytes = m->live_bytes;
}

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    test_memory *m = user;
    void *address = NULL;
    pthread_mutex_lock(&m->lock);
    m->requests++;
    if (bytes == 0 || alignment == 0 || alignment > 128 || (alignment & (alignment - 1)) != 0)
        m->mistakes++;
    else if (m->fail_at == 0 || m->requests < m->fail_at || (m->only_one && m->requests > m->fail_at)) {
        if (posix_memalign(&address, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes) != 0)
            abort();
        memset(address, 0xa5, bytes);
        remember(m, address, bytes);
    }
    pthread_mutex_unlock(&m->lock);
    return address;
}

static void release(void *user, void *address, size_t bytes)
{
    test_memory *m = user;
    pthread_mutex_lock(&m->lock);
    size_t i = m->block_count;
    while (i > 0 && m->block[i - 1].address != address)
        i--;
    if (i == 0 || m->block[i - 1].bytes != bytes) {
        m->mistakes++;
    } else {
        m->live_bytes -= bytes;
        m->block[i - 1] = m->block[--m->block_count];
        free(address);
    }
    pthread_mutex_unlock(&m->lock);
}

void test_memory_begin(test_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    pthread_mutex_init(&memory->lock, NULL);
}

void test_memory_end(test_memory *memory)
{
    size_t live = memory->block_count;
    uint64_t mistakes = memory->mistakes;
    for (size_t i = 0; i < live; i++)
        free(memory->block[i].address);
    free(memory->block);
    pthread_mutex_destroy(&memory->lock);
    if (live != 0)
        fail_msg("%zu blocks were never given back", live);
    if (mistakes != 0)
        fail_msg("%llu wrong requests or releases", (unsigned long long)mistakes);
}

vp_allocator test_memory_allocator(test_memory *memory)
{
    return (vp_allocator){memory, allocate, release};
}

void test_memory_fail_at(test_memory *memory, uint64_t n)
{
    memory->requests = 0;
    memory->fail_at = n;
}
