/* SPDX-License-Identifier: MIT */
/* A separate folder for a test group, and whole files in it. */
#ifndef VP_TESTS_SUPPORT_FOLDER_H
#define VP_TESTS_SUPPORT_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static char folder[64];

/* Returns 0 on success. Needs _XOPEN_SOURCE 700. */
static inline int make_folder(void)
{
    strcpy(folder, "/tmp/voxphys-test-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static inline int drop_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* The same as the setup and the teardown of a test group. */
static inline int begin_in_folder(void **state)
{
    (void)state;
    return make_folder();
}

static inline int end_in_folder(void **state)
{
    (void)state;
    return drop_folder();
}

/* The number of files and folders in it. */
static inline int entries(void)
{
    DIR *d = opendir(folder);
    int n = 0;
    assert_non_null(d);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n - 2;
}

/* A path in the folder, valid until the next call. */
static inline const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static inline void assert_file_is(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    uint8_t *got = malloc(size + 2);
    assert_non_null(got);
    assert_int_equal(fread(got, 1, size + 1, f), size);
    assert_memory_equal(got, bytes, size);
    free(got);
    fclose(f);
}

#endif
