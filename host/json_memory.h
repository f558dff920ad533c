/* SPDX-License-Identifier: MIT */
/* The memory that a program's JSON library uses. */
#ifndef VP_HOST_JSON_MEMORY_H
#define VP_HOST_JSON_MEMORY_H

#include <stddef.h>

/* Ends the program with a message and exit code 1 when jansson runs out of memory. Otherwise jansson 2.14 drops
   characters, rejects valid files or reads through a null pointer. Call it first in main. */
/* @param program  name for the message, kept */
void vp_json_memory(const char *program);

/* Allocates memory for a piece of JSON, for free(). Ends the program if there is none. */
void *vp_json_allocate(size_t bytes);

#endif
