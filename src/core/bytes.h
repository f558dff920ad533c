/* SPDX-License-Identifier: MIT */
/* Numbers in files, byte by byte, so they are the same on machines of either byte order. */
#ifndef VP_CORE_BYTES_H
#define VP_CORE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t vp_get_le16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t vp_get_be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | (uint32_t)p[1];
}

static inline uint32_t vp_get_le32(const uint8_t *p)
{
    return vp_get_le16(p) | vp_get_le16(p + 2) << 16;
}

static inline uint32_t vp_get_be32(const uint8_t *p)
{
    return vp_get_be16(p) << 16 | vp_get_be16(p + 2);
}

static inline uint64_t vp_get_le64(const uint8_t *p)
{
    return vp_get_le32(p) | (uint64_t)vp_get_le32(p + 4) << 32;
}

static inline void vp_put_le32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static inline void vp_put_le64(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* Numbers of 16, 32 or 64 bits. Floats and doubles are stored by their bits. @return the end of the written bytes */
static inline uint8_t *vp_put_halves(uint8_t *at, const void *halves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, (const uint8_t *)halves + 2 * i, sizeof half);
        *at++ = (uint8_t)half;
        *at++ = (uint8_t)(half >> 8);
    }
    return at;
}

static inline uint8_t *vp_put_words(uint8_t *at, const void *words, size_t count)
{
    for (size_t i = 0; i < count; i++, at += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)words + 4 * i, sizeof word);
        vp_put_le32(at, word);
    }
    return at;
}

static inline uint8_t *vp_put_longs(uint8_t *at, const void *longs, size_t count)
{
    for (size_t i = 0; i < count; i++, at += 8) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)longs + 8 * i, sizeof word);
        vp_put_le64(at, word);
    }
    return at;
}

#endif
