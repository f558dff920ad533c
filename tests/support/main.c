/* SPDX-License-Identifier: MIT */
/* The main function of tests without a common setup. */
#include "tests/support/check.h"

int main(void)
{
    return test_run_all(NULL, NULL);
}
