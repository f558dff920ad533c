/* SPDX-License-Identifier: MIT */
/* Makes an allocation fail, loaded with LD_PRELOAD before the C library. Child processes are not affected.
   VOXPHYS_TEST_FAIL_AT=n: the n-th allocation fails, counted from 1.
   VOXPHYS_TEST_FAIL_FROM=n: the n-th allocation and all later ones fail.
   VOXPHYS_TEST_COUNT=FILE: the number of allocations is written to FILE at the end.
   The functions replaced here call glibc's functions that begin with __libc_. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_long requests;

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : -1;
}

static bool refused(void)
{
    long n = atomic_fetch_add(&requests, 1) + 1, from = number_of("VOXPHYS_TEST_FAIL_FROM");
    if (n != number_of("VOXPHYS_TEST_FAIL_AT") && (from < 0 || n < from))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return refused() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return refused() ? NULL : __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return refused() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *got = refused() ? NULL : __libc_memalign(alignment, bytes);
    if (got == NULL)
        return ENOMEM;
    *block = got;
    return 0;
}

__attribute__((constructor)) static void unset_preload(void)
{
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("VOXPHYS_TEST_COUNT");
    char text[32];
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (file == -1)
        return;
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&requests));
    if (write(file, text, (size_t)length) != length)
        abort();
    close(file);
}
