/* SPDX-License-Identifier: MIT */
/* Where the JSON library of a program takes its memory from. */
#ifndef VP_HOST_JSON_MEMORY_H
#define VP_HOST_JSON_MEMORY_H

#include <stddef.h>

/* Lets jansson never see that memory is out: version 2.14 then drops characters, takes sound files for wrong ones, or
   reads through a null pointer. The program ends instead, with a message and exit code 1. Call it first in main. */
/* @param program  its name, for the message; kept */
void vp_json_memory(const char *program);

/* Allocates memory for a piece of JSON, to be freed by free(). Ends the program if there is none. */
void *vp_json_allocate(size_t bytes);

#endif
