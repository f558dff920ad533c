/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_STATUS_H
#define VOXPHYS_STATUS_H

#include <voxphys/api.h>

/** @file status.h
 *  How a function says that it could not do what was asked.
 *
 *  Functions that can fail return a ::vp_status and take a ::vp_error as their last parameter. The error may be
 *  NULL; where it is not, it receives a sentence that names the offending value. A function that fails leaves its
 *  outputs and its objects as they were, unless its own description says otherwise.
 *
 *  Pointers must point to what they are declared as: only those whose description says so may be NULL. That is a rule
 *  for the program's text, not for its data, and it is not checked but where a description says so. */

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. */
typedef enum vp_status {
    VP_OK = 0,            /**< Done. */
    VP_E_ARGUMENT = 1,    /**< A parameter is outside what the function allows. */
    VP_E_MEMORY = 2,      /**< The allocator returned NULL. */
    VP_E_FORMAT = 3,      /**< Data that was read is damaged, truncated, hostile, or of another kind. */
    VP_E_IO = 4,          /**< The operating system could not read or write. */
    VP_E_UNSUPPORTED = 5, /**< This build or this machine lacks what was asked for. */
    VP_E_LIMIT = 6        /**< It would take more than the caller allowed: of work, not of memory. */
} vp_status;

/** Bytes of a message, the terminating zero included. A longer message is cut and ends with "...". */
#define VP_ERROR_MESSAGE_BYTES 256

/** The status of the last call that was given this object, with a sentence about it. */
typedef struct vp_error {
    vp_status status;                     /**< What the call returned. */
    char message[VP_ERROR_MESSAGE_BYTES]; /**< Without a full stop or a newline; "?" stands for every control character.
                                               "" after success is not promised. */
} vp_error;

/** The name of a status, e.g. "VP_E_ARGUMENT"; "unknown status" for any other number. */
VP_API const char *vp_status_name(vp_status status);

#ifdef __cplusplus
}
#endif

#endif
