/* SPDX-License-Identifier: MIT */
/* CRC-32 as in ISO 3309, zlib and PNG: polynomial 0x04c11db7 reflected, started from and finished with all ones. */
#ifndef VP_CORE_CRC32_H
#define VP_CORE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of some bytes that follow bytes whose checksum is `crc`; begin with 0. */
uint32_t vp_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
