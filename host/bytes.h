/* SPDX-License-Identifier: MIT */
/* A growing buffer of bytes, for files that are made in memory. */
#ifndef VP_HOST_BYTES_H
#define VP_HOST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/error.h"

typedef struct vp_bytes {
    uint8_t *at;
    size_t size, capacity;
    bool failed; /* out of memory, later bytes are dropped */
} vp_bytes;

void vp_bytes_add(vp_bytes *to, const void *bytes, size_t size);
/* Appends 32-bit words, little-endian: integers or floats. */
void vp_bytes_words(vp_bytes *to, const void *words, size_t count);
void vp_bytes_print(vp_bytes *to, const char *format, ...) VP_PRINTF(2, 3);
/* Appends the base64 form of other bytes, four letters for each three bytes. */
void vp_bytes_base64(const vp_bytes *from, vp_bytes *out);

/* Writes the bytes into a file and frees them, also after a failure. @return VP_E_MEMORY if `failed` is set, VP_E_IO */
vp_status vp_bytes_save(vp_bytes *bytes, const char *path, vp_error *error);

#endif
