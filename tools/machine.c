/* SPDX-License-Identifier: MIT */
#include "tools/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

void vp_cpu_name(char out[VP_CPU_NAME_BYTES])
{
    struct utsname system;
    snprintf(out, VP_CPU_NAME_BYTES, "%s", uname(&system) == 0 ? system.machine : "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL || colon[1] == '\0')
            continue;
        snprintf(out, VP_CPU_NAME_BYTES, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    fclose(file);
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
