/* SPDX-License-Identifier: MIT */
#include "tools/json_memory.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* Nothing is lost by ending here: files are put together in memory, and no JSON is read or made while one is written. */
static void *allocate_or_end(size_t bytes)
{
    void *block = malloc(bytes != 0 ? bytes : 1);
    if (block == NULL) {
        fputs(VP_PROGRAM ": no memory\n", stderr);
        exit(1);
    }
    return block;
}

void vp_json_memory(void)
{
    json_set_alloc_funcs(allocate_or_end, free);
}
