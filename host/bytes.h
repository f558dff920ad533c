/* SPDX-License-Identifier: MIT */
/* Bytes that grow: a file that is made in memory. */
#ifndef VP_HOST_BYTES_H
#define VP_HOST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/error.h"

typedef struct vp_bytes {
    uint8_t *at;
    size_t size, capacity;
    bool failed; /* memory ran out; nothing more is added */
} vp_bytes;

void vp_bytes_add(vp_bytes *to, const void *bytes, size_t size);
/* Words of 32 bits, little-endian: whole numbers, or floats. */
void vp_bytes_words(vp_bytes *to, const void *words, size_t count);
void vp_bytes_print(vp_bytes *to, const char *format, ...) VP_PRINTF(2, 3);
/* Behind what is there: other bytes as base64, four letters for each three. */
void vp_bytes_base64(const vp_bytes *from, vp_bytes *out);

/* Puts them into a file, and frees them whatever comes of it. VP_E_MEMORY if they have failed, VP_E_IO */
vp_status vp_bytes_save(vp_bytes *bytes, const char *path, vp_error *error);

#endif
