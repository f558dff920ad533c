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
void vp_bytes_print(vp_bytes *to, const char *format, ...) VP_PRINTF(2, 3);
/* Behind what is there: other bytes as base64, four letters for each three. */
void vp_bytes_base64(const vp_bytes *from, vp_bytes *out);

#endif
