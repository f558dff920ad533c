/* SPDX-License-Identifier: MIT */
/* Implements src/core/file_windows.h with the system's own calls. The functions of its C library with POSIX' names do
 * not suffice. They take no UTF-8, do not share open files as POSIX does, and support neither access lists nor a rename
 * over a file. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>

/* The system's names for these are _O_RDONLY and its like. */
#undef O_RDONLY
#undef O_WRONLY
#undef O_CREAT
#undef O_EXCL
#include "src/core/file_windows.h"

enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* Sets errno from the system's last error. @return -1 */
static int set_errno(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_DIRECTORY:
        errno = EINVAL;
        break;
    case ERROR_FILENAME_EXCED_RANGE:
        errno = ENAMETOOLONG;
        break;
    case ERROR_CANT_RESOLVE_FILENAME:
        errno = ELOOP;
        break;
    case ERROR_TOO_MANY_OPEN_FILES:
        errno = EMFILE;
        break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        errno = ENOMEM;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_WRITE_PROTECT:
        errno = EROFS;
        break;
    case ERROR_NOT_SAME_DEVICE:
        errno = EXDEV;
        break;
    default:
        errno = EIO;
    }
    return -1;
}

/* @return a path in the system's encoding, to be freed; NULL, and errno, if it is not UTF-8 */
static wchar_t *make_wide(const char *path)
{
    const int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *name = units > 0 ? malloc((size_t)units * sizeof *name) : NULL;
    if (units <= 0)
        errno = EILSEQ;
    else if (name == NULL)
        errno = ENOMEM;
    else
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, name, units);
    return name;
}

/* The inverse. The system also has names that are not UTF-16. */
static char *make_narrow(const wchar_t *name)
{
    const int bytes = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, name, -1, NULL, 0, NULL, NULL);
    char *path = bytes > 0 ? malloc((size_t)bytes) : NULL;
    if (bytes <= 0)
        errno = EILSEQ;
    else if (path == NULL)
        errno = ENOMEM;
    else
        WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, name, -1, path, bytes, NULL, NULL);
    return path;
}

/* Opens an existing file or folder, through links. */
static HANDLE open_there(const char *path, DWORD access)
{
    wchar_t *name = make_wide(path);
    if (name == NULL)
        return INVALID_HANDLE_VALUE;
    const HANDLE handle = CreateFileW(name, access, SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        set_errno();
    free(name);
    return handle;
}

static HANDLE open_new(const char *path, DWORD access)
{
    wchar_t *name = make_wide(path);
    if (name == NULL)
        return INVALID_HANDLE_VALUE;
    const HANDLE handle = CreateFileW(name, access, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        set_errno();
    free(name);
    return handle;
}

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* ---- open files ---- */

int open(const char *path, int flags, ...)
{
    const bool make = (flags & O_CREAT) != 0;
    DWORD access = make ? GENERIC_WRITE : GENERIC_READ;
    if ((flags & O_DIRECTORY) != 0) {
        errno = ENOSYS;
        return -1;
    }
    if (make) {
        va_list rest;
        va_start(rest, flags);
        if (va_arg(rest, mode_t) == 0600) /* its permissions will be set later */
            access |= WRITE_DAC;
        va_end(rest);
    }
    const HANDLE handle = make ? open_new(path, access) : open_there(path, access);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    const int file = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT | (make ? _O_WRONLY : _O_RDONLY));
    if (file < 0) {
        CloseHandle(handle);
        if (make)
            unlink(path);
        errno = EMFILE;
    }
    return file;
}

int close(int file)
{
    return _close(file);
}

ptrdiff_t read(int file, void *to, size_t size)
{
    return _read(file, to, (unsigned)size);
}

ptrdiff_t write(int file, const void *from, size_t size)
{
    return _write(file, from, (unsigned)size);
}

int64_t lseek(int file, int64_t at, int from)
{
    return _lseeki64(file, at, from);
}

int fsync(int file)
{
    return FlushFileBuffers(handle_of(file)) ? 0 : set_errno();
}

/* ---- existing files ---- */

static int examine_handle(HANDLE handle, struct stat *about)
{
    BY_HANDLE_FILE_INFORMATION found;
    *about = (struct stat){0};
    if (GetFileType(handle) != FILE_TYPE_DISK) /* a pipe, or a device like NUL */
        return 0;
    if (!GetFileInformationByHandle(handle, &found))
        return set_errno();
    about->st_mode = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
    about->st_size = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
    return 0;
}

int stat(const char *path, struct stat *about)
{
    const HANDLE handle = open_there(path, FILE_READ_ATTRIBUTES);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    const int answer = examine_handle(handle, about);
    CloseHandle(handle);
    return answer;
}

int fstat(int file, struct stat *about)
{
    return examine_handle(handle_of(file), about);
}

static DWORD attributes_of(const char *path)
{
    wchar_t *name = make_wide(path);
    const DWORD attributes = name != NULL ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    if (name != NULL && attributes == INVALID_FILE_ATTRIBUTES)
        set_errno();
    free(name);
    return attributes;
}

int lstat(const char *path, struct stat *about)
{
    *about = (struct stat){0};
    return attributes_of(path) != INVALID_FILE_ATTRIBUTES ? 0 : -1;
}

int faccessat(int folder, const char *path, int what, int how)
{
    (void)folder, (void)what, (void)how;
    const HANDLE handle = open_there(path, GENERIC_WRITE);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    CloseHandle(handle);
    return 0;
}

/* ---- names ---- */

int unlink(const char *path)
{
    wchar_t *name = make_wide(path);
    const int answer = name == NULL ? -1 : DeleteFileW(name) ? 0 : set_errno();
    free(name);
    return answer;
}

/* An open file cannot be replaced. Another program that saves or reads it, or a virus scanner, has it open only for a
 * moment, so this tries for a second. */
int rename(const char *from, const char *to)
{
    enum { TRIES = 100, PAUSE = 10 }; /* milliseconds */
    wchar_t *old = make_wide(from), *new = old != NULL ? make_wide(to) : NULL;
    int answer = -1;
    for (int i = 0; new != NULL &&answer != 0 && i < TRIES; i++) {
        if (i != 0)
            Sleep(PAUSE);
        answer = MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : set_errno();
        if (answer != 0 && errno != EACCES)
            break;
    }
    free(new);
    free(old);
    return answer;
}

long process_number(void)
{
    return (long)GetCurrentProcessId();
}

/* Copies the access list. Owner and group are those of any new file. */
int set_permissions(int file, const char *like, mode_t mode)
{
    (void)mode;
    DWORD bytes = 0;
    wchar_t *name = make_wide(like);
    if (name == NULL)
        return -1;
    GetFileSecurityW(name, DACL_SECURITY_INFORMATION, NULL, 0, &bytes);
    void *list = bytes != 0 ? malloc(bytes) : NULL;
    int answer = 0;
    if (bytes != 0 && list == NULL) {
        errno = ENOMEM;
        answer = -1;
    } else if (bytes == 0 || !GetFileSecurityW(name, DACL_SECURITY_INFORMATION, list, bytes, &bytes) ||
               !SetKernelObjectSecurity(handle_of(file), DACL_SECURITY_INFORMATION, list)) {
        answer = set_errno();
    }
    free(list);
    free(name);
    return answer;
}

/* The path itself, or the target of a link. */
char *resolved(const char *path)
{
    const DWORD attributes = attributes_of(path);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return NULL;
    if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) {
        char *same = malloc(strlen(path) + 1);
        if (same == NULL)
            errno = ENOMEM;
        return same != NULL ? strcpy(same, path) : NULL;
    }
    const HANDLE handle = open_there(path, FILE_READ_ATTRIBUTES);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    const DWORD units = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
    wchar_t *name = units != 0 ? malloc(units * sizeof *name) : NULL;
    const DWORD got = name != NULL ? GetFinalPathNameByHandleW(handle, name, units, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS) : 0;
    char *answer = NULL;
    if (units != 0 && name == NULL)
        errno = ENOMEM;
    else if (got == 0)
        set_errno();
    else if (got >= units)
        errno = EIO; /* it has been renamed in the meantime */
    else
        answer = make_narrow(name);
    free(name);
    CloseHandle(handle);
    return answer;
}

/* The end of a path's folder, the last slash of either kind, or a drive's colon. */
const char *last_slash(const char *path)
{
    const char *last = path[0] != '\0' && path[1] == ':' ? path + 1 : NULL;
    for (const char *c = path; *c != '\0'; c++)
        if (*c == '/' || *c == '\\')
            last = c;
    return last;
}
