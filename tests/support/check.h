/* SPDX-License-Identifier: MIT */
/* cmocka with the headers it needs, tests that register themselves, and checks of statuses and messages. */
#ifndef VP_TESTS_SUPPORT_CHECK_H
#define VP_TESTS_SUPPORT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <voxphys/status.h>

/* Whether this build repeats the tests of another one or is slow, and by which factor it reduces random inputs. */
#ifdef TEST_THIN
enum { IS_THIN = 1, THIN_BY = TEST_THIN };
#else
enum { IS_THIN = 0, THIN_BY = 1 };
#endif

/* Whether the tests run at full length, before a release. */
#ifdef TEST_DEEP
enum { IS_DEEP = 1 };
#else
enum { IS_DEEP = 0 };
#endif

/* TEST(name) { ... } defines a test. It runs in the order of the file's lines. A file has its own main only if its tests share a setup. */
#define TEST(name)                                                                                                                         \
    static void name(void **test_state);                                                                                                   \
    __attribute__((constructor)) static void register_##name(void)                                                                         \
    {                                                                                                                                      \
        test_register(#name, __LINE__, name);                                                                                              \
    }                                                                                                                                      \
    static void name(void **test_state __attribute__((unused)))

void test_register(const char *name, int line, CMUnitTestFunction function);

/* Runs the registered tests between a setup and a teardown of them all, which may be NULL. @return the number of failures */
int test_run_all(CMFixtureFunction setup, CMFixtureFunction teardown);

/* The same with a setup and a teardown of each test. */
int test_run_each(CMFixtureFunction setup, CMFixtureFunction teardown);

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
