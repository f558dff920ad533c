/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_STATUS_H
#define VOXPHYS_STATUS_H

#include <voxphys/api.h>

/** @file
 *  Status codes and error messages of all functions.
 *
 *      vp_error error;
 *      if (vp_terrain_create(&def, &terrain, &error) != VP_OK)
 *          fprintf(stderr, "%s\n", error.message);
 *
 *  Invalid parameters return VP_E_ARGUMENT. A NULL pointer is invalid, except the vp_error, an array of no elements and a pointer
 *  documented as optional. Functions that return no status check pointers only where documented. After an error, outputs and objects
 *  are unchanged unless documented otherwise. A function that allocates can return VP_E_MEMORY, and one that uses kernels the errors of
 *  vp_kernels_default. A function lists only errors that neither voxphys.h nor the parameter's type documents. */

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call. */
typedef enum vp_status {
    VP_OK = 0,
    VP_E_ARGUMENT = 1,
    VP_E_MEMORY = 2,
    VP_E_FORMAT = 3,      /**< Damaged, truncated, hostile or unknown data. */
    VP_E_IO = 4,          /**< Failed read or write. */
    VP_E_UNSUPPORTED = 5, /**< Not in this build or machine. */
    VP_E_LIMIT = 6        /**< Exceeded work, scratch or size. */
} vp_status;

/** Maximum message with the final zero. Longer ones are cut and end with "...". */
#define VP_ERROR_MESSAGE_BYTES 256

/** Status and message of a call. */
typedef struct vp_error {
    vp_status status;
    char message[VP_ERROR_MESSAGE_BYTES]; /**< Names the invalid value. No final period or newline. Unspecified after VP_OK. */
} vp_error;

/** Returns the name of a status, such as "VP_E_ARGUMENT", or "unknown status". */
VP_API const char *vp_status_name(vp_status status);

#ifdef __cplusplus
}
#endif

#endif
