/* SPDX-License-Identifier: MIT */
/* How a function fails: it fills the caller's vp_error, if any, and returns the status. */
#ifndef VP_CORE_ERROR_H
#define VP_CORE_ERROR_H

#include <voxphys/status.h>

#if defined(__GNUC__) || defined(__clang__) /* clang-cl defines only the second */
#define VP_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define VP_PRINTF(format_index, first_index)
#endif

/* Returns `status`, with a message that names the offending value. */
vp_status vp_fail(vp_error *error, vp_status status, const char *format, ...) VP_PRINTF(3, 4);

/* Returns VP_OK. */
vp_status vp_succeed(vp_error *error);

/* A path as messages show it, in full or as "..." and its end. A message is cut at VP_ERROR_MESSAGE_BYTES, and paths
   may be longer, so this leaves room for the reason after it. Usage: vp_show_path(path).text */
enum { VP_PATH_SHOWN = 140 };
typedef struct vp_path_text {
    char text[VP_PATH_SHOWN + 1];
} vp_path_text;
vp_path_text vp_show_path(const char *path);

/* Puts `before` and "PATH: " in front of a message that does not name its file. The path is shortened as above, to the
   room that the message leaves. error may be NULL. */
void vp_name_file(vp_error *error, const char *before, const char *path);

#endif
