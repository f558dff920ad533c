/* SPDX-License-Identifier: MIT */
#include "tests/support/check.h"

#include <stdlib.h>

enum { TESTS_MOST = 64 };

static struct CMUnitTest tests[TESTS_MOST];
static int lines[TESTS_MOST];
static size_t count;

/* Inserts by line, because compilers may call constructors in any order. */
void test_register(const char *name, int line, CMUnitTestFunction function)
{
    size_t at = count++;
    if (count > TESTS_MOST)
        abort();
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = (struct CMUnitTest){.name = name, .test_func = function};
    lines[at] = line;
}

int test_run_all(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    if (count == 0)
        abort(); /* without a test nothing could fail */
    return _cmocka_run_group_tests("tests", tests, count, setup, teardown);
}

int test_run_each(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    for (size_t i = 0; i < count; i++) {
        tests[i].setup_func = setup;
        tests[i].teardown_func = teardown;
    }
    return test_run_all(NULL, NULL);
}
