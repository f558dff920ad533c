/* SPDX-License-Identifier: MIT */
#include "src/core/crc32.h"

/* Effect of one byte on the register. The table is linear over XOR, so its 256 entries follow from the eight of single
   bits, and the compiler can lay it down as constants. */
#define BIT(i, k, v) ((i) >> (k)&1 ? UINT32_C(v) : 0u)
#define ENTRY(i)                                                                                                                           \
    (BIT(i, 0, 0x77073096) ^ BIT(i, 1, 0xee0e612c) ^ BIT(i, 2, 0x076dc419) ^ BIT(i, 3, 0x0edb8832) ^ BIT(i, 4, 0x1db71064) ^               \
     BIT(i, 5, 0x3b6e20c8) ^ BIT(i, 6, 0x76dc4190) ^ BIT(i, 7, 0xedb88320))
#define ENTRIES4(i)  ENTRY(i), ENTRY((i) + 1), ENTRY((i) + 2), ENTRY((i) + 3)
#define ENTRIES16(i) ENTRIES4(i), ENTRIES4((i) + 4), ENTRIES4((i) + 8), ENTRIES4((i) + 12)
#define ENTRIES64(i) ENTRIES16(i), ENTRIES16((i) + 16), ENTRIES16((i) + 32), ENTRIES16((i) + 48)

static const uint32_t table[256] = {ENTRIES64(0), ENTRIES64(64), ENTRIES64(128), ENTRIES64(192)};

uint32_t vp_crc32(uint32_t crc, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    crc = ~crc;
    for (size_t i = 0; i < size; i++)
        crc = table[(crc ^ byte[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}
