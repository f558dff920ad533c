/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */
#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The path of an existing file, with links resolved. */
static char *place_of(const char *path)
{
#ifdef __wasi__ /* has no realpath */
    return strdup(path);
#else
    return realpath(path, NULL);
#endif
}

vp_status vp_can_write(const char *path, vp_error *error)
{
    struct stat about = {0};
    if (path[0] == '\0')
        return vp_fail(error, VP_E_IO, "the name of the file to write is empty");
    const bool is_there = stat(path, &about) == 0;
    if (is_there && S_ISDIR(about.st_mode))
        return vp_fail(error, VP_E_IO, "cannot write %s: %s", vp_show_path(path).text, strerror(EISDIR));
    if (is_there && !S_ISREG(about.st_mode))
        return VP_OK; /* writing reports errors */
    char *target = is_there ? place_of(path) : strdup(path);
    if (target == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
    char *const slash = strrchr(target, '/');
    const char *folder = slash == NULL ? "." : slash == target ? "/" : target;
    if (slash != NULL && slash != target)
        *slash = '\0';
    const int failed = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(target);
    return failed == 0 ? VP_OK : vp_fail(error, VP_E_IO, "cannot create a file for %s: %s", vp_show_path(path).text, strerror(failed));
}

static const char *program_name = "voxphys";

/* Exiting here loses nothing, because files are made in memory and no JSON is read or made while one is written. */
void *vp_json_allocate(size_t bytes)
{
    void *block = malloc(bytes != 0 ? bytes : 1);
    if (block == NULL) {
        fprintf(stderr, "%s: no memory\n", program_name);
        exit(1);
    }
    return block;
}

void vp_json_memory(const char *program)
{
    program_name = program;
    json_set_alloc_funcs(vp_json_allocate, free);
}

enum { START_BYTES = 8192 };

/* Reads the start of a file, after a newline. fopen would allocate memory, and a failure to do so would change the name. */
static void read_start(const char *path, char text[START_BYTES])
{
    size_t size = 1;
    ssize_t got = 1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    text[0] = '\n';
    while (file != -1 && size < START_BYTES - 1 && (got = read(file, text + size, START_BYTES - 1 - size)) > 0)
        size += (size_t)got;
    text[size] = '\0';
    if (file != -1)
        close(file);
}

void vp_cpu_name(char out[VP_CPU_NAME_BYTES])
{
    struct utsname system;
    char text[START_BYTES];
    snprintf(out, VP_CPU_NAME_BYTES, "%s", uname(&system) == 0 ? system.machine : "unknown");
    read_start("/proc/cpuinfo", text); /* the first processor's lines are enough */
    const char *line = strstr(text, "\nmodel name");
    const char *colon = line != NULL ? strchr(line, ':') : NULL;
    if (colon != NULL && colon[1] == ' ')
        snprintf(out, VP_CPU_NAME_BYTES, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *vp_compiler_name(void)
{
#if defined(__clang__)
    return "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__);
#else
    return "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__) "." TEXT(__GNUC_PATCHLEVEL__);
#endif
}

bool vp_find_beside(const char *from_program, const char *const *places, size_t count, char out[VP_PATH_BYTES])
{
#ifndef __wasi__
    char self[VP_PATH_BYTES];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *const slash = strrchr(self, '/');
    if (slash != NULL) {
        *slash = '\0';
        if (snprintf(out, VP_PATH_BYTES, "%s/%s", self, from_program) < VP_PATH_BYTES && access(out, R_OK) == 0)
            return true;
    }
#else
    (void)from_program;
#endif
    for (size_t i = 0; i < count; i++)
        if (snprintf(out, VP_PATH_BYTES, "%s", places[i]) < VP_PATH_BYTES && access(out, R_OK) == 0)
            return true;
    return false;
}
