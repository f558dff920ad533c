/* SPDX-License-Identifier: MIT */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *vp_status_name(vp_status status)
{
    switch (status) {
    case VP_OK: return "VP_OK";
    case VP_E_ARGUMENT: return "VP_E_ARGUMENT";
    case VP_E_MEMORY: return "VP_E_MEMORY";
    case VP_E_FORMAT: return "VP_E_FORMAT";
    case VP_E_IO: return "VP_E_IO";
    case VP_E_UNSUPPORTED: return "VP_E_UNSUPPORTED";
    }
    return "unknown status";
}

vp_status vp_fail(vp_error *error, vp_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list values;
        va_start(values, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, values);
        va_end(values);
    }
    return status;
}

vp_status vp_succeed(vp_error *error)
{
    if (error != NULL) {
        error->status = VP_OK;
        error->message[0] = '\0';
    }
    return VP_OK;
}
