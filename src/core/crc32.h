/* SPDX-License-Identifier: MIT */
/* CRC-32 as in ISO 3309, zlib and PNG. Polynomial 0x04c11db7 reflected, with all ones as initial value
   and final XOR. */
#ifndef VP_CORE_CRC32_H
#define VP_CORE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of bytes that follow bytes whose checksum is `crc`. Begin with 0. */
uint32_t vp_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
