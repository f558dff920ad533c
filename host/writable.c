/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */
#include "host/writable.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
