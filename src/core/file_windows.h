/* SPDX-License-Identifier: MIT */
/* The POSIX calls of src/core/file.c, for Windows. They return -1 or NULL and set errno like POSIX's, as far as file.c
 * uses them. Paths are UTF-8. Only for src/core/file.c, after the headers of C. */
#ifndef VP_CORE_FILE_WINDOWS_H
#define VP_CORE_FILE_WINDOWS_H

#include <stddef.h>
#include <stdint.h>

#define ssize_t ptrdiff_t
#define mode_t  unsigned

/* A new file is inaccessible to others until it is closed. Folders are not opened, because rename waits until it is
   complete, so nothing remains to be synchronised. */
enum { O_RDONLY = 0, O_CLOEXEC = 0, O_NONBLOCK = 0, O_WRONLY = 1, O_CREAT = 2, O_EXCL = 4, O_DIRECTORY = 8 };
#define open vp_windows_open
int open(const char *path, int flags, ...);

#define close vp_windows_close
#define read  vp_windows_read
#define write vp_windows_write
#define lseek vp_windows_lseek
#define fsync vp_windows_fsync
int close(int file);
ptrdiff_t read(int file, void *to, size_t size);
ptrdiff_t write(int file, const void *from, size_t size);
int64_t lseek(int file, int64_t at, int from);
int fsync(int file);

#define stat  vp_windows_stat
#define fstat vp_windows_fstat
#define lstat vp_windows_lstat
#undef S_ISREG
#define S_ISREG(mode) ((mode) == 1)
struct stat {
    int64_t st_size;
    mode_t st_mode;
};
int stat(const char *path, struct stat *about);
int fstat(int file, struct stat *about);
int lstat(const char *path, struct stat *about); /* reports only whether the path exists */

enum { AT_FDCWD, AT_EACCESS };
#undef W_OK
#define W_OK      2
#define faccessat vp_windows_faccessat
#define unlink    vp_windows_unlink
#define rename    vp_windows_rename
int faccessat(int folder, const char *path, int what, int how); /* checks write permission */
int unlink(const char *path);
int rename(const char *from, const char *to);

/* ---- the three parts of src/core/file.c that differ by system ---- */

#define process_number  vp_windows_process
#define set_permissions vp_windows_permissions
#define resolved        vp_windows_resolved
#define last_slash      vp_windows_slash
long process_number(void);
int set_permissions(int file, const char *like, mode_t mode); /* of the file `like` */
char *resolved(const char *path);
const char *last_slash(const char *path);

#endif
