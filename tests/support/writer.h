/* SPDX-License-Identifier: MIT */
/* Files of other programs, written byte by byte for the tests of importers. It uses no library that the importers use.
   Compressed streams consist of stored blocks, and checksums are computed bit by bit. */
#ifndef TEST_WRITER_H
#define TEST_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    uint8_t *bytes;
    size_t size, capacity;
} writer;

static inline void put(writer *w, const void *bytes, size_t size)
{
    if (w->capacity - w->size < size) {
        w->capacity = (w->size + size) * 2;
        w->bytes = realloc(w->bytes, w->capacity);
        if (w->bytes == NULL)
            abort();
    }
    if (size != 0)
        memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static inline void put_number(writer *w, uint32_t v, int bytes, int big_endian)
{
    for (int i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(v >> 8 * (big_endian ? bytes - 1 - i : i));
        put(w, &byte, 1);
    }
}

static inline void put_u8(writer *w, uint32_t v)
{
    put_number(w, v, 1, 0);
}

static inline void put_be16(writer *w, uint32_t v)
{
    put_number(w, v, 2, 1);
}

static inline void put_be32(writer *w, uint32_t v)
{
    put_number(w, v, 4, 1);
}

static inline void put_le16(writer *w, uint32_t v)
{
    put_number(w, v, 2, 0);
}

static inline void put_le32(writer *w, uint32_t v)
{
    put_number(w, v, 4, 0);
}

static inline void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static inline void writer_drop(writer *w)
{
    free(w->bytes);
    *w = (writer){NULL, 0, 0};
}

static inline uint32_t bitwise_crc(const uint8_t *bytes, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return crc ^ 0xffffffff;
}

/* A zlib stream (RFC 1950) of one stored block, with size < 65536. */
static inline void put_zlib(writer *w, const uint8_t *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    put(w, "\x78\x01\x01", 3);
    put_le16(w, (uint32_t)size);
    put_le16(w, (uint32_t)size ^ 0xffff);
    put(w, bytes, size);
    put_be32(w, b << 16 | a);
}

/* A zstd frame (RFC 8878) of one raw block, with size < 128 KiB. */
static inline void put_zstd(writer *w, const uint8_t *bytes, size_t size)
{
    put_le32(w, 0xfd2fb528);
    put_u8(w, 0xa0); /* one segment, a size of four bytes, no checksum */
    put_le32(w, (uint32_t)size);
    put_number(w, (uint32_t)size << 3 | 1, 3, 0);
    put(w, bytes, size);
}

/* A chunk of a PNG. */
static inline void put_png_chunk(writer *w, const char *tag, const uint8_t *bytes, size_t size)
{
    put_be32(w, (uint32_t)size);
    size_t start = w->size;
    put(w, tag, 4);
    put(w, bytes, size);
    put_be32(w, bitwise_crc(w->bytes + start, size + 4));
}

/* A PNG of grey samples, or of another colour type. `samples` are rows without filter bytes. */
static inline void put_png(writer *w, uint32_t width, uint32_t height, int depth, int colour, const uint8_t *samples)
{
    size_t row = (size_t)width * (size_t)depth / 8 * (colour == 2 ? 3 : 1);
    writer head = {NULL, 0, 0}, rows = {NULL, 0, 0}, data = {NULL, 0, 0};
    put_be32(&head, width);
    put_be32(&head, height);
    put_u8(&head, (uint32_t)depth);
    put_u8(&head, (uint32_t)colour);
    put(&head, "\0\0\0", 3);
    for (uint32_t z = 0; z < height; z++) {
        put_u8(&rows, 0);
        put(&rows, samples + z * row, row);
    }
    put_zlib(&data, rows.bytes, rows.size);
    put(w, "\x89PNG\r\n\x1a\n", 8);
    put_png_chunk(w, "IHDR", head.bytes, head.size);
    put_png_chunk(w, "IDAT", data.bytes, data.size);
    put_png_chunk(w, "IEND", NULL, 0);
    writer_drop(&head);
    writer_drop(&rows);
    writer_drop(&data);
}

/* A chunk of a MagicaVoxel file. */
static inline void put_vox_chunk(writer *w, const char *tag, const writer *content)
{
    put(w, tag, 4);
    put_le32(w, (uint32_t)content->size);
    put_le32(w, 0);
    put(w, content->bytes, content->size);
}

/* The chunks SIZE and XYZI of a model. */
static inline void put_vox_model(writer *w, uint32_t x, uint32_t y, uint32_t z, const uint8_t (*voxel)[4], uint32_t count)
{
    writer size = {NULL, 0, 0}, voxels = {NULL, 0, 0};
    put_le32(&size, x);
    put_le32(&size, y);
    put_le32(&size, z);
    put_le32(&voxels, count);
    put(&voxels, voxel, (size_t)count * 4);
    put_vox_chunk(w, "SIZE", &size);
    put_vox_chunk(w, "XYZI", &voxels);
    writer_drop(&size);
    writer_drop(&voxels);
}

static inline void put_vox_string(writer *w, const char *text)
{
    put_le32(w, (uint32_t)strlen(text));
    put_text(w, text);
}

/* A transform. `move` and `turn` may be NULL. */
static inline void put_vox_transform(writer *w, uint32_t id, uint32_t child, const char *move, const char *turn, int hidden)
{
    writer c = {NULL, 0, 0};
    put_le32(&c, id);
    put_le32(&c, hidden ? 1 : 0);
    if (hidden) {
        put_vox_string(&c, "_hidden");
        put_vox_string(&c, "1");
    }
    put_le32(&c, child);
    put_le32(&c, 0xffffffff);
    put_le32(&c, 0);
    put_le32(&c, 1);
    put_le32(&c, (move != NULL ? 1u : 0u) + (turn != NULL ? 1u : 0u));
    if (move != NULL) {
        put_vox_string(&c, "_t");
        put_vox_string(&c, move);
    }
    if (turn != NULL) {
        put_vox_string(&c, "_r");
        put_vox_string(&c, turn);
    }
    put_vox_chunk(w, "nTRN", &c);
    writer_drop(&c);
}

static inline void put_vox_group(writer *w, uint32_t id, const uint32_t *child, uint32_t count)
{
    writer c = {NULL, 0, 0};
    put_le32(&c, id);
    put_le32(&c, 0);
    put_le32(&c, count);
    for (uint32_t i = 0; i < count; i++)
        put_le32(&c, child[i]);
    put_vox_chunk(w, "nGRP", &c);
    writer_drop(&c);
}

static inline void put_vox_shape(writer *w, uint32_t id, uint32_t model)
{
    writer c = {NULL, 0, 0};
    put_le32(&c, id);
    put_le32(&c, 0);
    put_le32(&c, 1);
    put_le32(&c, model);
    put_le32(&c, 0);
    put_vox_chunk(w, "nSHP", &c);
    writer_drop(&c);
}

/* A whole file with its chunks. */
static inline void put_vox(writer *w, const writer *chunks)
{
    put_text(w, "VOX ");
    put_le32(w, 150);
    put_text(w, "MAIN");
    put_le32(w, 0);
    put_le32(w, (uint32_t)chunks->size);
    put(w, chunks->bytes, chunks->size);
}

/* The names of a Luanti map block's node ids. */
typedef struct block_name {
    uint32_t id;
    const char *name;
} block_name;

static inline void put_block_names(writer *w, const block_name *name, uint32_t count)
{
    put_u8(w, 0);
    put_be16(w, count);
    for (uint32_t i = 0; i < count; i++) {
        put_be16(w, name[i].id);
        put_be16(w, (uint32_t)strlen(name[i].name));
        put_text(w, name[i].name);
    }
}

static inline void put_block_nodes(writer *w, const uint16_t node[4096])
{
    for (int i = 0; i < 4096; i++)
        put_be16(w, node[i]);
    for (int i = 0; i < 8192; i++)
        put_u8(w, 0x0f);
}

/* A map block of a version from 25 to 29. Node (x, y, z) is at (z*16 + y)*16 + x. */
static inline void put_block(writer *w, int version, const block_name *name, uint32_t names, const uint16_t node[4096])
{
    writer in = {NULL, 0, 0};
    put_u8(w, (uint32_t)version);
    if (version >= 29) {
        put_u8(&in, 0);
        put_be16(&in, 0xffff);
        put_be32(&in, 0xffffffff);
        put_block_names(&in, name, names);
        put_u8(&in, 2);
        put_u8(&in, 2);
        put_block_nodes(&in, node);
        put(&in, "\0\0\0\0\x0a\0\0", 7); /* no metadata, no objects, no timers */
        put_zstd(w, in.bytes, in.size);
    } else {
        put_u8(w, 0);
        if (version >= 27)
            put_be16(w, 0xffff);
        put_u8(w, 2);
        put_u8(w, 2);
        put_block_nodes(&in, node);
        put_zlib(w, in.bytes, in.size);
        put_zlib(w, (const uint8_t *)"\0", 1); /* no metadata */
        put_u8(w, 0);
        put_be16(w, 1); /* one object */
        put_u8(w, 7);
        put(w, "123456789012", 12);
        put_be16(w, 3);
        put_text(w, "abc");
        put_be32(w, 0xffffffff);
        put_block_names(w, name, names);
        put(w, "\x0a\0\0", 3);
    }
    writer_drop(&in);
}

#endif
