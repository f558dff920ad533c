/* SPDX-License-Identifier: MIT */
/* Region files, the format VPB of docs/FORMATS.md: a head with a table of 512 chunks, then their data, in their
 * order and without gaps. So the same content always makes the same file, and truncated, moved or duplicated
 * data is detected. */
#include <voxphys/block_store.h>

#include "src/blocks/blocks_internal.h"
#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "src/core/error.h"
#include "src/core/memory.h"

#include <string.h>

enum {
    VERSION = 1,
    CODEC_AT = 24,
    SIZE_AT = 32,
    CRC_AT = 40, /* of all other bytes of the head */
    TABLE_AT = 44,
    ENTRY_BYTES = 16, /* offset, number of bytes, their CRC-32, form (2), type (2) */
    HEAD_BYTES = TABLE_AT + VP_REGION_CHUNKS * ENTRY_BYTES
};

/* Kinds of a chunk in the table. */
enum { ABSENT = 0, UNIFORM = 1, NARROW = 2, WIDE = 3, CODED = 16 /* added to the last two */ };

typedef struct region_entry {
    uint32_t offset, bytes, crc;
    uint16_t form, uniform_block;
} region_entry;

static const uint8_t magic[8] = {0x89, 'V', 'P', 'B', '\r', '\n', 0x1a, '\n'};
static const vp_block_codec raw = {.name = "raw"};

static uint32_t raw_bytes(const region_entry *e)
{
    return (uint32_t)VP_BLOCK_CELLS * ((e->form & 15) == WIDE ? 2 : 1);
}

static region_entry entry_at(const uint8_t *file, uint32_t i)
{
    const uint8_t *p = file + TABLE_AT + (size_t)i * ENTRY_BYTES;
    return (region_entry){vp_get_le32(p), vp_get_le32(p + 4), vp_get_le32(p + 8), (uint16_t)vp_get_le16(p + 12),
                          (uint16_t)vp_get_le16(p + 14)};
}

static void put_entry(uint8_t *file, uint32_t i, const region_entry *e)
{
    uint8_t *p = file + TABLE_AT + (size_t)i * ENTRY_BYTES;
    vp_put_le32(p, e->offset);
    vp_put_le32(p + 4, e->bytes);
    vp_put_le32(p + 8, e->crc);
    vp_put_le32(p + 12, e->form | (uint32_t)e->uniform_block << 16);
}

static uint32_t crc_of_head(const uint8_t *file)
{
    return vp_crc32(vp_crc32(0, file, CRC_AT), file + TABLE_AT, HEAD_BYTES - TABLE_AT);
}

static vp_ivec3 region_of(vp_ivec3 c)
{
    return (vp_ivec3){(c.x - (c.x & 7)) / 8, (c.y - (c.y & 7)) / 8, (c.z - (c.z & 7)) / 8};
}

static uint32_t place_of(vp_ivec3 c)
{
    return (uint32_t)((c.y & 7) * 8 + (c.z & 7)) * 8 + (uint32_t)(c.x & 7);
}

static vp_status check_codec(const vp_block_codec *codec, vp_error *error)
{
    size_t length = 0;
    while (length < VP_CODEC_NAME_BYTES &&
           ((codec->name[length] >= 'a' && codec->name[length] <= 'z') || (codec->name[length] >= 'A' && codec->name[length] <= 'Z') ||
            (codec->name[length] >= '0' && codec->name[length] <= '9')))
        length++;
    bool sound = length > 0 && length < VP_CODEC_NAME_BYTES;
    for (size_t i = length; i < VP_CODEC_NAME_BYTES; i++)
        sound &= codec->name[i] == '\0';
    if (!sound)
        return vp_fail(error, VP_E_ARGUMENT, "a codec's name \"%.8s\" must be 1 to %d letters or digits, then zeros", codec->name,
                       VP_CODEC_NAME_BYTES - 1);
    return VP_OK;
}

/* ---- reading ---- */

static vp_status check_entry(const region_entry *e, uint32_t i, uint64_t *next, vp_error *error)
{
    const unsigned at = TABLE_AT + i * ENTRY_BYTES;
    const bool stored = e->form >= NARROW;
    const uint32_t form = e->form & 15u;
    if (e->form > (CODED | WIDE) || (e->form >= CODED && form < NARROW) || form > WIDE)
        return vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u has the unknown form %u", at + 12, i, e->form);
    if (!stored && (e->offset != 0 || e->bytes != 0 || e->crc != 0))
        return vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u has no bytes, but its entry has %u at byte %u", at, i, e->bytes, e->offset);
    if (e->form != UNIFORM && e->uniform_block != 0)
        return vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u is of type %u, and not of one type", at + 14, i, e->uniform_block);
    if (!stored)
        return VP_OK;
    if (e->offset != *next)
        return vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u is at byte %u, and must be at %llu", at, i, e->offset,
                       (unsigned long long)*next);
    if (e->form < CODED ? e->bytes != raw_bytes(e) : e->bytes == 0 || e->bytes >= raw_bytes(e))
        return vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u, of form %u, has %u bytes", at + 4, i, e->form, e->bytes);
    *next += e->bytes;
    return VP_OK;
}

/* Checks the head, and that no bytes are missing. */
static vp_status check_head(const uint8_t *file, size_t size, vp_ivec3 *region, vp_error *error)
{
    if (size < sizeof magic || memcmp(file, magic, sizeof magic) != 0)
        return vp_fail(error, VP_E_FORMAT, "byte 0: not a region of chunks: it does not begin with 89 56 50 42 0d 0a 1a 0a");
    if (size < HEAD_BYTES)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: the file ends within its head of %d bytes", size, HEAD_BYTES);
    if (vp_get_le32(file + 8) != VERSION)
        return vp_fail(error, VP_E_FORMAT, "byte 8: version %u is unknown; this library reads version %d", vp_get_le32(file + 8), VERSION);
    const uint32_t crc = vp_get_le32(file + CRC_AT), is = crc_of_head(file);
    if (crc != is)
        return vp_fail(error, VP_E_FORMAT, "byte %d: the head's CRC-32 says %08x and is %08x", CRC_AT, crc, is);
    if (vp_get_le64(file + SIZE_AT) != size)
        return vp_fail(error, VP_E_FORMAT, "byte %d: the file says that it has %llu bytes, and has %zu", SIZE_AT,
                       (unsigned long long)vp_get_le64(file + SIZE_AT), size);
    const int64_t max = VP_BLOCKS_REACH / VP_REGION_EDGE;
    int32_t at[3];
    for (int a = 0; a < 3; a++) {
        const uint32_t v = vp_get_le32(file + 12 + 4 * a);
        const int64_t index = v < 0x80000000u ? (int64_t)v : (int64_t)v - ((int64_t)1 << 32);
        if (index < -max || index >= max)
            return vp_fail(error, VP_E_FORMAT, "byte %d: region %lld along %c is beyond %lld", 12 + 4 * a, (long long)index, "xyz"[a],
                           (long long)max);
        at[a] = (int32_t)index;
    }
    uint64_t next = HEAD_BYTES;
    for (uint32_t i = 0; i < VP_REGION_CHUNKS; i++) {
        const region_entry e = entry_at(file, i);
        VP_RETURN_IF_FAILED(check_entry(&e, i, &next, error));
    }
    if (next != size)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: the chunks end at byte %llu", size, (unsigned long long)next);
    *region = (vp_ivec3){at[0], at[1], at[2]};
    return VP_OK;
}

static vp_status check_file(const uint8_t *file, size_t size, vp_ivec3 region, const vp_block_codec *codec, vp_status other,
                            vp_error *error)
{
    vp_ivec3 is = {0, 0, 0};
    VP_RETURN_IF_FAILED(check_codec(codec, error));
    VP_RETURN_IF_FAILED(check_head(file, size, &is, error));
    if (memcmp(file + CODEC_AT, codec->name, VP_CODEC_NAME_BYTES) != 0) {
        char name[VP_CODEC_NAME_BYTES + 1] = "";
        memcpy(name, file + CODEC_AT, VP_CODEC_NAME_BYTES);
        return vp_fail(error, VP_E_FORMAT, "byte %d: chunks are coded by \"%s\", and this codec is \"%s\"", CODEC_AT, name, codec->name);
    }
    if (vp_block_index_order(is, region) != 0)
        return vp_fail(error, other, "a file of region (%d, %d, %d), where (%d, %d, %d) should be", (int)is.x, (int)is.y, (int)is.z,
                       (int)region.x, (int)region.y, (int)region.z);
    return VP_OK;
}

static vp_status check_content(const uint8_t *file, const region_entry *e, uint32_t i, vp_error *error)
{
    const uint32_t is = e->form >= NARROW ? vp_crc32(0, file + e->offset, e->bytes) : 0;
    if (is != e->crc)
        return vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u's CRC-32 says %08x and is %08x", e->offset, i, e->crc, is);
    return VP_OK;
}

static void unpack_blocks(const region_entry *e, const uint8_t *bytes, vp_block *cell)
{
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
        cell[i] = (vp_block)((e->form & 15) == WIDE ? vp_get_le16(bytes + 2 * (size_t)i) : bytes[i]);
}

static vp_status decode_entry(const uint8_t *file, const region_entry *e, uint32_t i, const vp_block_codec *codec,
                              const vp_allocator *allocator, vp_block *cell, vp_error *error)
{
    const vp_allocator a = vp_allocator_or_default(allocator);
    if (codec->decode == NULL)
        return vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u is coded, and codec \"%s\" decodes nothing", e->offset, i, codec->name);
    uint8_t *bytes = vp_allocate(&a, raw_bytes(e), 1);
    if (bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to decode a chunk of %u bytes", raw_bytes(e));
    vp_status status = VP_OK;
    if (codec->decode(codec->user, file + e->offset, e->bytes, bytes, raw_bytes(e)))
        unpack_blocks(e, bytes, cell);
    else
        status =
            vp_fail(error, VP_E_FORMAT, "byte %u: chunk %u does not decode by \"%s\" to %u bytes", e->offset, i, codec->name, raw_bytes(e));
    vp_release(&a, bytes, raw_bytes(e), 1);
    return status;
}

vp_status vp_block_region_read(const void *bytes, size_t size, vp_ivec3 chunk, const vp_block_codec *codec, const vp_allocator *allocator,
                               vp_block *cell, bool *found, vp_error *error)
{
    VP_RETURN_IF_NULL(error, cell, found);
    VP_RETURN_IF_ARRAY_NULL(error, bytes, size);
    const uint8_t *file = bytes;
    const vp_block_codec *c = codec != NULL ? codec : &raw;
    const uint32_t i = place_of(chunk);
    VP_RETURN_IF_FAILED(check_file(file, size, region_of(chunk), c, VP_E_ARGUMENT, error));
    const region_entry e = entry_at(file, i);
    VP_RETURN_IF_FAILED(check_content(file, &e, i, error));
    vp_status status = VP_OK;
    if (e.form >= CODED)
        status = decode_entry(file, &e, i, c, allocator, cell, error);
    else if (e.form >= NARROW)
        unpack_blocks(&e, file + e.offset, cell);
    for (uint32_t k = 0; e.form == UNIFORM && k < VP_BLOCK_CELLS; k++)
        cell[k] = e.uniform_block;
    if (status != VP_OK)
        return status;
    *found = e.form != ABSENT;
    return vp_succeed(error);
}

/* ---- writing ---- */

/* The narrowest form of a chunk. */
static region_entry form_of(const vp_block_cells *cells)
{
    if (cells->cell == NULL)
        return (region_entry){.form = UNIFORM, .uniform_block = cells->all};
    const vp_block first = vp_block_at(cells, 0, 0, 0);
    uint32_t highest = 0;
    bool alike = true;
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++) {
        const vp_block block = vp_block_at(cells, i % 32, i / 1024, i / 32 % 32);
        highest = block > highest ? block : highest;
        alike &= block == first;
    }
    return alike ? (region_entry){.form = UNIFORM, .uniform_block = first} : (region_entry){.form = highest < 256 ? NARROW : WIDE};
}

static void pack_blocks(const region_entry *e, const vp_block_cells *cells, uint8_t *out)
{
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++) {
        const vp_block block = vp_block_at(cells, i % 32, i / 1024, i / 32 % 32);
        if (e->form == NARROW) {
            out[i] = (uint8_t)block;
        } else {
            out[2 * i] = (uint8_t)block;
            out[2 * i + 1] = (uint8_t)(block >> 8);
        }
    }
}

/* Appends a chunk. `spare` has room for one. */
static void put_chunk(const vp_block_cells *cells, const vp_block_codec *codec, uint8_t *spare, vp_blob *file, uint32_t i)
{
    region_entry e = form_of(cells);
    uint8_t *to = file->bytes + file->size;
    if (e.form >= NARROW) {
        e.offset = (uint32_t)file->size;
        e.bytes = raw_bytes(&e);
        pack_blocks(&e, cells, to);
        size_t coded = 0;
        if (codec->encode != NULL) {
            memcpy(spare, to, e.bytes);
            coded = codec->encode(codec->user, spare, e.bytes, to, e.bytes - 1);
        }
        if (coded != 0 && coded < e.bytes) {
            e.bytes = (uint32_t)coded;
            e.form += CODED;
        } else if (codec->encode != NULL) {
            memcpy(to, spare, e.bytes); /* the coder may have written a part */
        }
        e.crc = vp_crc32(0, to, e.bytes);
        file->size += e.bytes;
    }
    put_entry(file->bytes, i, &e);
}

/* Finds the chunk to save at each place. NULL = none. */
static vp_status sort_chunks(vp_ivec3 region, const vp_block_saved *chunk, size_t count, const vp_block_saved **at, vp_error *error)
{
    const int32_t max = VP_BLOCKS_REACH / VP_REGION_EDGE, index[3] = {region.x, region.y, region.z};
    for (int a = 0; a < 3; a++)
        if (index[a] < -max || index[a] >= max)
            return vp_fail(error, VP_E_ARGUMENT, "region is %d along %c; must be %d to %d", (int)index[a], "xyz"[a], (int)-max,
                           (int)max - 1);
    for (size_t i = 0; i < count; i++) {
        const vp_ivec3 c = chunk[i].chunk;
        const vp_block_cells *cells = &chunk[i].cells;
        if (cells->cell == NULL ? cells->width != 0 : cells->width != 1 && cells->width != 2)
            return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) has width %u; must be 0 (one type), 1 or 2 bytes a block", (int)c.x,
                           (int)c.y, (int)c.z, cells->width);
        if (!vp_block_index_ok(c) || vp_block_index_order(region_of(c), region) != 0)
            return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) is not of region (%d, %d, %d)", (int)c.x, (int)c.y, (int)c.z,
                           (int)region.x, (int)region.y, (int)region.z);
        at[place_of(c)] = &chunk[i];
    }
    return VP_OK;
}

vp_status vp_block_region_write(const void *old, size_t old_size, vp_ivec3 region, const vp_block_saved *chunk, size_t count,
                                const vp_block_codec *codec, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, out);
    VP_RETURN_IF_ARRAY_NULL(error, chunk, count);
    enum { SPARE = VP_BLOCK_CELLS * 2 };
    const vp_block_saved *at[VP_REGION_CHUNKS] = {NULL};
    const vp_block_codec *c = codec != NULL ? codec : &raw;
    VP_RETURN_IF_FAILED(check_codec(c, error));
    if (old != NULL)
        VP_RETURN_IF_FAILED(check_file(old, old_size, region, c, VP_E_FORMAT, error));
    VP_RETURN_IF_FAILED(sort_chunks(region, chunk, count, at, error));
    vp_blob file = {.size = HEAD_BYTES, .allocator = vp_allocator_or_default(allocator)};
    file.capacity = HEAD_BYTES + SPARE;
    for (uint32_t i = 0; i < VP_REGION_CHUNKS; i++) {
        const region_entry e = old != NULL ? entry_at(old, i) : (region_entry){0};
        file.capacity += at[i] != NULL ? SPARE : e.bytes;
    }
    file.bytes = vp_allocate(&file.allocator, file.capacity, 1);
    if (file.bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a region of %zu bytes", file.capacity);
    uint8_t *spare = file.bytes + file.capacity - SPARE;
    memset(file.bytes, 0, HEAD_BYTES);
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < VP_REGION_CHUNKS; i++) {
        region_entry e = old != NULL && at[i] == NULL ? entry_at(old, i) : (region_entry){0};
        if (at[i] != NULL) {
            put_chunk(&at[i]->cells, c, spare, &file, i);
        } else if (e.form != ABSENT) {
            status = check_content(old, &e, i, error);
            if (status == VP_OK && e.form >= NARROW) {
                memcpy(file.bytes + file.size, (const uint8_t *)old + e.offset, e.bytes);
                e.offset = (uint32_t)file.size;
                file.size += e.bytes;
            }
            put_entry(file.bytes, i, &e);
        }
    }
    if (status != VP_OK) {
        vp_blob_destroy(&file);
        return status;
    }
    memcpy(file.bytes, magic, sizeof magic);
    vp_put_le32(file.bytes + 8, VERSION);
    vp_put_le32(file.bytes + 12, (uint32_t)region.x);
    vp_put_le32(file.bytes + 16, (uint32_t)region.y);
    vp_put_le32(file.bytes + 20, (uint32_t)region.z);
    memcpy(file.bytes + CODEC_AT, c->name, VP_CODEC_NAME_BYTES);
    vp_put_le64(file.bytes + SIZE_AT, file.size);
    vp_put_le32(file.bytes + CRC_AT, crc_of_head(file.bytes));
    *out = file;
    return vp_succeed(error);
}
