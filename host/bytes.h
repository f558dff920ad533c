/* SPDX-License-Identifier: MIT */
/* Growing arrays, and a growing buffer of bytes for files that are made in memory. */
#ifndef VP_HOST_BYTES_H
#define VP_HOST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/error.h"

/* Makes room for `count` elements and for later ones. The array may move, and keeps its content.
   array  address of the pointer to the array, NULL at first
   room   in, out: number of elements that it has room for
   size   of an element, in bytes
   what   the elements' name, for the message: "no memory for 64 rays"
   @return VP_E_MEMORY. The array is unchanged then */
vp_status vp_grow_array(void *array, size_t *room, size_t count, size_t size, const char *what, vp_error *error);

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
