/* SPDX-License-Identifier: MIT */
#include "host/json_memory.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static const char *program_name = "voxphys";

/* Exiting here loses nothing, because files are made in memory and no JSON is read or made while one is written. */
void *vp_json_allocate(size_t bytes)
{
    void *block = malloc(bytes != 0 ? bytes : 1);
    if (block == NULL) {
        fprintf(stderr, "%s: no memory\n", program_name);
        exit(1);
    }
    return block;
}

void vp_json_memory(const char *program)
{
    program_name = program;
    json_set_alloc_funcs(vp_json_allocate, free);
}
