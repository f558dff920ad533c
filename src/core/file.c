/* SPDX-License-Identifier: MIT */
/* The only file of the library that needs more than C's files. It uses POSIX for fsync and for rename over a file, and
 * Linux' O_TMPFILE if available. An O_TMPFILE has no name until it is complete, so it disappears if the program is
 * killed. On Windows the same names are functions of src/core/file_windows.c. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "src/core/file.h"

#include "src/core/error.h"
#include "src/core/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include "src/core/file_windows.h"
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* ---- functions that WASI lacks, and Windows has under other names ---- */

#if defined(__wasi__)

/* Only one program sees the files, so any number distinguishes it. */
static long read_process_number(void)
{
    return 0;
}

/* WASI has no permissions. */
static int set_permissions(int file, const char *like, mode_t mode)
{
    (void)file, (void)like, (void)mode;
    return 0;
}

/* Copies a path. Links are rejected, because they would have to be followed. */
static char *resolve_path(const char *path)
{
    struct stat about = {0};
    if (lstat(path, &about) == 0 && !S_ISLNK(about.st_mode))
        return strdup(path);
    errno = ELOOP;
    return NULL;
}

#elif !defined(_WIN32) /* Windows has all of this in src/core/file_windows.c */

static long read_process_number(void)
{
    return (long)getpid();
}

static int set_permissions(int file, const char *like, mode_t mode)
{
    (void)like;
    return fchmod(file, mode);
}

static char *resolve_path(const char *path)
{
    return realpath(path, NULL);
}

#endif

#ifndef _WIN32
static const char *find_last_slash(const char *path)
{
    return strrchr(path, '/');
}
#endif

/* ---- reading ---- */

static vp_status read_all(int file, const char *path, uint8_t *bytes, size_t size, vp_error *error)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = read(file, bytes + at, size - at < 1 << 30 ? size - at : 1 << 30);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return vp_fail(error, VP_E_IO, "%s: %s while reading byte %zu", vp_show_path(path).text, strerror(errno), at);
        if (got == 0)
            return vp_fail(error, VP_E_IO, "%s: ended at byte %zu although its size was %zu", vp_show_path(path).text, at, size);
        at += (size_t)got;
    }
    return VP_OK;
}

/* Opens a regular file. @return -1 on failure */
static int open_regular(const char *path, uint64_t *size, vp_error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* does not wait for the other end of a pipe */
    struct stat about = {0};                                  /* the memory sanitizer does not know that fstat fills it */
    if (file < 0) {
        vp_fail(error, VP_E_IO, "cannot open %s: %s", vp_show_path(path).text, strerror(errno));
    } else if (fstat(file, &about) != 0) {
        vp_fail(error, VP_E_IO, "cannot examine %s: %s", vp_show_path(path).text, strerror(errno));
    } else if (!S_ISREG(about.st_mode)) {
        vp_fail(error, VP_E_IO, "%s is not a regular file", vp_show_path(path).text);
    } else {
        *size = (uint64_t)about.st_size;
        return file;
    }
    if (file >= 0)
        close(file);
    return -1;
}

/* Reads an open file from its beginning. */
static vp_status read_whole(int file, const char *path, uint64_t length, const vp_allocator *allocator, uint8_t **bytes, size_t *size,
                            vp_error *error)
{
    uint8_t *block = NULL;
    if (length != 0) {
        block = length <= SIZE_MAX ? vp_allocate(allocator, (size_t)length, 1) : NULL;
        if (block == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for the %llu bytes of %s", (unsigned long long)length, vp_show_path(path).text);
    }
    vp_status status = read_all(file, path, block, (size_t)length, error);
    if (status != VP_OK) {
        vp_release(allocator, block, (size_t)length, 1);
        return status;
    }
    *bytes = block;
    *size = (size_t)length;
    return vp_succeed(error);
}

vp_status vp_file_read(const char *path, uint64_t limit, const vp_allocator *allocator, uint8_t **bytes, size_t *size, vp_error *error)
{
    uint64_t length = 0;
    int file = open_regular(path, &length, error);
    if (file < 0)
        return VP_E_IO;
    vp_status status = length > limit ? vp_fail(error, VP_E_FORMAT, "%s has %llu bytes; at most %llu are read", vp_show_path(path).text,
                                                (unsigned long long)length, (unsigned long long)limit)
                                      : read_whole(file, path, length, allocator, bytes, size, error);
    close(file);
    return status;
}

vp_status vp_file_read_checked(const char *path, size_t start_bytes, vp_file_check *check, const vp_allocator *allocator, uint8_t **bytes,
                               size_t *size, vp_error *error)
{
    uint8_t start[VP_FILE_START_BYTES];
    uint64_t length = 0;
    int file = open_regular(path, &length, error);
    if (file < 0)
        return VP_E_IO;
    if (start_bytes > length)
        start_bytes = (size_t)length;
    vp_status status = read_all(file, path, start, start_bytes, error);
    if (status == VP_OK)
        status = check(start, start_bytes, length, error);
    if (status == VP_OK && (lseek)(file, 0, SEEK_SET) != 0) /* the function, because WASI has a macro too */
        status = vp_fail(error, VP_E_IO, "cannot read %s again: %s", vp_show_path(path).text, strerror(errno));
    if (status == VP_OK)
        status = read_whole(file, path, length, allocator, bytes, size, error);
    close(file);
    return status;
}

vp_status vp_file_read_start(const char *path, uint8_t *bytes, size_t capacity, size_t *size, vp_error *error)
{
    uint64_t length = 0;
    int file = open_regular(path, &length, error);
    if (file < 0)
        return VP_E_IO;
    size_t start = length < capacity ? (size_t)length : capacity;
    vp_status status = read_all(file, path, bytes, start, error);
    close(file);
    if (status != VP_OK)
        return status;
    *size = start;
    return vp_succeed(error);
}

vp_status vp_file_size(const char *path, uint64_t *size, vp_error *error)
{
    int file = open_regular(path, size, error);
    if (file < 0)
        return VP_E_IO;
    close(file);
    return vp_succeed(error);
}

bool vp_file_is_missing(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 && errno == ENOENT;
}

/* ---- replacing ---- */

static vp_status write_all(int file, const char *path, const uint8_t *bytes, size_t size, vp_error *error)
{
    for (size_t at = 0; at < size;) {
        ssize_t put = write(file, bytes + at, size - at < 1 << 30 ? size - at : 1 << 30);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return vp_fail(error, VP_E_IO, "%s: %s while writing byte %zu", vp_show_path(path).text, strerror(errno), at);
        at += (size_t)put;
    }
    return VP_OK;
}

/* Begins a name with the folder of `path`. @return the end of the folder */
static char *begin_name(const char *path, char *name)
{
    const char *slash = find_last_slash(path);
    const size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    memcpy(name, path, folder);
    return name + folder;
}

/* Opens a new file in the folder of `path`, under an unused name. The name is not derived from that of `path`, which
   may already have the maximum length.
   name  receives it; NAME_BYTES more than path
   mode  permissions, which the umask narrows */
enum { NAME_BYTES = 40, ATTEMPTS = 100 };

static int open_beside(const char *path, char *name, mode_t mode)
{
    char *own = begin_name(path, name);
    int file = -1;
    for (int i = 0; i < ATTEMPTS && file < 0; i++) {
        snprintf(own, NAME_BYTES, ".voxphys-%ld-%d", read_process_number(), i);
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

/* Makes the new name survive a power cut. Does nothing on a file system that cannot synchronise folders. */
static void synchronise_folder(char *path)
{
    const char *slash = find_last_slash(path);
    if (slash != NULL)
        path[slash == path ? 1 : slash - path] = '\0';
    int folder = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
}

/* A file that is being written, before it is renamed. */
typedef struct fresh {
    const vp_new_file *from;
    char *target; /* the target of links, if it exists */
    char *name;   /* room for the temporary name */
    bool exists, named;
    mode_t mode; /* of the existing file */
    int file;    /* open, or -1 */
} fresh;

static const char *final_of(const fresh *f)
{
    return f->target != NULL ? f->target : f->from->path;
}

/* Opens a file without a name in the folder of `path`. @return -1 if the system or the file system does
 * not support it */
static int open_nameless(fresh *f, mode_t mode)
{
#ifdef O_TMPFILE
    strcpy(begin_name(final_of(f), f->name), ".");
    return open(f->name, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
#else
    (void)f, (void)mode;
    return -1;
#endif
}

/* Gives an unnamed file a temporary name next to `path`. @return false if that fails */
static bool name_beside(fresh *f)
{
#ifdef O_TMPFILE
    char link[40];
    char *own = begin_name(final_of(f), f->name);
    snprintf(link, sizeof link, "/proc/self/fd/%d", f->file);
    for (int i = 0; i < ATTEMPTS && !f->named; i++) {
        snprintf(own, NAME_BYTES, ".voxphys-%ld-%d", read_process_number(), i);
        f->named = linkat(AT_FDCWD, link, AT_FDCWD, f->name, AT_SYMLINK_FOLLOW) == 0;
        if (!f->named && errno != EEXIST)
            break;
    }
#endif
    return f->named;
}

/* Messages name the requested file, not the temporary one. If an old file's permissions are copied later, nobody else
   may read the temporary file until then. @param nameless whether to use a file without a name if available */
static vp_status write_fresh(fresh *f, bool nameless, vp_error *error)
{
    vp_path_text shown = vp_show_path(final_of(f));
    const mode_t mode = f->exists ? 0600 : 0666;
    f->file = nameless ? open_nameless(f, mode) : -1;
    f->named = f->file < 0;
    if (f->named)
        f->file = open_beside(final_of(f), f->name, mode);
    if (f->file < 0) {
        f->named = false;
        return vp_fail(error, VP_E_IO, "cannot create a file for %s: %s", shown.text, strerror(errno));
    }
    VP_RETURN_IF_FAILED(write_all(f->file, final_of(f), f->from->bytes, f->from->size, error));
    if (f->exists && set_permissions(f->file, f->target, f->mode & 07777) != 0)
        return vp_fail(error, VP_E_IO, "cannot set the permissions of %s: %s", shown.text, strerror(errno));
    if (fsync(f->file) != 0)
        return vp_fail(error, VP_E_IO, "cannot synchronise %s: %s", shown.text, strerror(errno));
    return VP_OK;
}

/* Closes a file, and removes its temporary name, if any. */
static void drop_fresh(fresh *f)
{
    if (f->file >= 0)
        close(f->file);
    if (f->named)
        unlink(f->name);
    f->file = -1;
    f->named = false;
}

static vp_status rename_fresh(fresh *f, vp_error *error)
{
    vp_path_text shown = vp_show_path(final_of(f));
    if (!f->named && !name_beside(f)) {
        /* /proc may be missing, so try again, with a name from the beginning */
        drop_fresh(f);
        VP_RETURN_IF_FAILED(write_fresh(f, false, error));
    }
    int closed = close(f->file);
    f->file = -1;
    if (closed != 0)
        return vp_fail(error, VP_E_IO, "cannot close %s: %s", shown.text, strerror(errno));
    if (rename(f->name, final_of(f)) != 0)
        return vp_fail(error, VP_E_IO, "cannot put the new file in the place of %s: %s", shown.text, strerror(errno));
    f->named = false;
    synchronise_folder(f->name);
    return VP_OK;
}

/* Checks that the path has no file, or one that can be replaced. Other programs may create or delete it between two
 * system calls, which are then repeated. */
static vp_status examine_path(const char *path, bool *exists, mode_t *mode, vp_error *error)
{
    enum { TIMES = 20 };
    if (path[0] == '\0')
        return vp_fail(error, VP_E_IO, "cannot write to an empty path");
    for (int i = 0; i < TIMES; i++) {
        struct stat about = {0}; /* as above */
        *exists = stat(path, &about) == 0;
        *mode = about.st_mode;
        if (*exists && !S_ISREG(about.st_mode))
            return vp_fail(error, VP_E_IO, "%s exists and is not a regular file", vp_show_path(path).text);
        if (*exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0) /* because renaming does not check it */
            return VP_OK;
        if (errno != ENOENT)
            return vp_fail(error, VP_E_IO, "cannot write %s: %s", vp_show_path(path).text, strerror(errno));
        if (!*exists && lstat(path, &about) != 0)
            return VP_OK;
    }
    if (*exists)
        return vp_fail(error, VP_E_IO, "cannot write %s: another program creates and removes it", vp_show_path(path).text);
    /* renaming would replace the link itself */
    return vp_fail(error, VP_E_IO, "%s is a symbolic link to a file that does not exist", vp_show_path(path).text);
}

static vp_status prepare_file(fresh *f, vp_error *error)
{
    const char *path = f->from->path;
    VP_RETURN_IF_FAILED(examine_path(path, &f->exists, &f->mode, error));
    f->target = f->exists ? resolve_path(path) : NULL; /* follows a link to its target */
    if (f->exists && f->target == NULL)
        return vp_fail(error, errno == ENOMEM ? VP_E_MEMORY : VP_E_IO, "cannot resolve %s: %s", vp_show_path(path).text, strerror(errno));
    f->name = malloc(strlen(final_of(f)) + NAME_BYTES);
    return f->name == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for a file name") : write_fresh(f, true, error);
}

vp_status vp_file_replace_all(const vp_new_file *files, size_t count, vp_error *error)
{
    fresh f[VP_NEW_FILES];
    vp_status status = VP_OK;
    for (size_t i = 0; i < count; i++)
        f[i] = (fresh){.from = &files[i], .file = -1};
    for (size_t i = 0; status == VP_OK && i < count; i++)
        status = prepare_file(&f[i], error);
    for (size_t i = 0; status == VP_OK && i < count; i++)
        status = rename_fresh(&f[i], error);
    for (size_t i = 0; i < count; i++) {
        drop_fresh(&f[i]);
        free(f[i].name);
        free(f[i].target);
    }
    return status == VP_OK ? vp_succeed(error) : status;
}

vp_status vp_file_replace(const char *path, const uint8_t *bytes, size_t size, vp_error *error)
{
    return vp_file_replace_all(&(vp_new_file){path, bytes, size}, 1, error);
}
