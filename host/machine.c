/* SPDX-License-Identifier: MIT */
#include "host/machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

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
