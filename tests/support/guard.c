/* SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#endif
#include "tests/support/guard.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

test_guard test_guard_make(size_t bytes, test_side side)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t inner = (bytes + page - 1) / page * page;
    test_guard g = {NULL, NULL, inner + 2 * page};
    g.mapping = mmap(NULL, g.mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g.mapping == MAP_FAILED)
        abort();
    uint8_t *first = (uint8_t *)g.mapping + page;
    if (inner != 0 && mprotect(first, inner, PROT_READ | PROT_WRITE) != 0)
        abort();
    g.data = side == TEST_FLUSH_BEGIN ? first : first + inner - bytes;
    return g;
}

void test_guard_free(test_guard *guard)
{
    munmap(guard->mapping, guard->mapping_bytes);
    *guard = (test_guard){NULL, NULL, 0};
}
