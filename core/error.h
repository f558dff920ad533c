/* SPDX-License-Identifier: MIT */
/* How a function fails: it fills the caller's vp_error, if there is one, and returns the status. */
#ifndef VP_CORE_ERROR_H
#define VP_CORE_ERROR_H

#include <voxphys/status.h>

#if defined(__GNUC__)
#define VP_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define VP_PRINTF(format_index, first_index)
#endif

/* Returns `status`, with a message that names the offending value. */
vp_status vp_fail(vp_error *error, vp_status status, const char *format, ...) VP_PRINTF(3, 4);

/* Returns VP_OK. */
vp_status vp_succeed(vp_error *error);

#endif
