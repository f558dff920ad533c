/* SPDX-License-Identifier: MIT */
/* cmocka with the headers it needs, and checks of statuses and messages. */
#ifndef VP_TESTS_SUPPORT_CHECK_H
#define VP_TESTS_SUPPORT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <voxphys/status.h>

/* The call must succeed. Prints its message otherwise. `call` uses the variable `error`. */
#define assert_ok(call)                                                                                                                    \
    do {                                                                                                                                   \
        vp_error error = {VP_OK, ""};                                                                                                      \
        vp_status assert_ok_status = (call);                                                                                               \
        if (assert_ok_status != VP_OK)                                                                                                     \
            fail_msg("%s: %s: %s", #call, vp_status_name(assert_ok_status), error.message);                                                \
    } while (0)

/* The call must fail with this status, also in the error, and name `value` in its message. */
#define assert_refused(call, expected, value)                                                                                              \
    do {                                                                                                                                   \
        vp_error error = {VP_OK, ""};                                                                                                      \
        vp_status assert_refused_status = (call);                                                                                          \
        if (assert_refused_status != (expected) || error.status != (expected))                                                             \
            fail_msg("%s: got %s (%s), expected %s", #call, vp_status_name(assert_refused_status), error.message,                          \
                     vp_status_name(expected));                                                                                            \
        if (strstr(error.message, (value)) == NULL)                                                                                        \
            fail_msg("%s: the message \"%s\" does not name \"%s\"", #call, error.message, (value));                                        \
    } while (0)

#endif
