/* SPDX-License-Identifier: MIT */
/* REJECTS(call) makes a call once for each of its P(name), which is NULL then. The call must reject it by its name. Nothing is read through
 * the other pointers then, so all point to one block. */
#ifndef VP_TESTS_SUPPORT_REJECT_NULL_H
#define VP_TESTS_SUPPORT_REJECT_NULL_H

#include <string.h>

#include "tests/support/check.h"

static uint64_t block[256]; // vp_world_neighbourhood writes 1,000 bytes, vp_manifold_cache has 1,240
static uint32_t passed, null_at;
static const char *null_name;

/* The argument `name` of a call: NULL for one, a block for the others. */
static void *pass(const char *name)
{
    if (passed++ != null_at)
        return block;
    null_name = name;
    return NULL;
}
#define P(name) pass(#name)

static void check_message(const char *call, vp_status status, const vp_error *error)
{
    const size_t length = strlen(null_name);
    if (status != VP_E_ARGUMENT || strncmp(error->message, null_name, length) != 0 || strncmp(error->message + length, " is NULL", 8) != 0)
        fail_msg("%s with %s NULL: %s, \"%s\"", call, null_name, vp_status_name(status), error->message);
}

#define REJECTS(call)                                                                                                                      \
    do {                                                                                                                                   \
        null_at = 0;                                                                                                                       \
        do {                                                                                                                               \
            vp_error error = {VP_OK, ""};                                                                                                  \
            passed = 0;                                                                                                                    \
            const vp_status status = call;                                                                                                 \
            check_message(#call, status, &error);                                                                                          \
        } while (++null_at < passed);                                                                                                      \
    } while (0)

#endif
