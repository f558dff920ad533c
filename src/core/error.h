/* SPDX-License-Identifier: MIT */
/* How a function fails: it fills the caller's vp_error, if any, and returns the status. */
#ifndef VP_CORE_ERROR_H
#define VP_CORE_ERROR_H

#include <stddef.h>

#include <voxphys/status.h>

#if defined(__GNUC__) || defined(__clang__) /* clang-cl defines only the second */
#define VP_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define VP_PRINTF(format_index, first_index)
#endif

/* Returns `status`, with a message that names the offending value. */
vp_status vp_fail(vp_error *error, vp_status status, const char *format, ...) VP_PRINTF(3, 4);

/* Pointers that a public function needs. The message names the first that is NULL, as the function's declaration does. */
#define VP_RETURN_IF_NULL(error, ...) VP_RETURN_IF_NULL_NAMED(error, #__VA_ARGS__, __VA_ARGS__)
#define VP_RETURN_IF_NULL_NAMED(error, names, ...)                                                                                         \
    do {                                                                                                                                   \
        const void *const pointers_[] = {__VA_ARGS__};                                                                                     \
        for (unsigned pointer_ = 0; pointer_ < sizeof pointers_ / sizeof *pointers_; pointer_++)                                           \
            if (pointers_[pointer_] == NULL)                                                                                               \
                return vp_reject_null(error, names, pointer_);                                                                             \
    } while (0)

/* An array can be NULL if it has no elements. */
#define VP_RETURN_IF_ARRAY_NULL(error, array, count)                                                                                       \
    do {                                                                                                                                   \
        if ((array) == NULL && (count) != 0)                                                                                               \
            return vp_fail(error, VP_E_ARGUMENT, "%s is NULL, %s is %llu", #array, #count, (unsigned long long)(count));                   \
    } while (0)

/* Returns the status of a call that failed. For functions that have nothing to clean up. */
#define VP_RETURN_IF_FAILED(call)                                                                                                          \
    do {                                                                                                                                   \
        const vp_status status_ = (call);                                                                                                  \
        if (status_ != VP_OK)                                                                                                              \
            return status_;                                                                                                                \
    } while (0)

/* Returns VP_E_ARGUMENT for pointer `index` of names that are separated by ", ". */
vp_status vp_reject_null(vp_error *error, const char *names, unsigned index);

/* Returns VP_OK. */
static inline vp_status vp_succeed(vp_error *error)
{
    if (error != NULL) {
        error->status = VP_OK;
        error->message[0] = '\0';
    }
    return VP_OK;
}

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
