/* SPDX-License-Identifier: MIT */
/* World files: a header, then sections of chunk codes (world/code.c), each with its checksum. docs/FORMATS.md
   describes the format byte by byte. Reading checks everything before it allocates the world. So a size in a header
   cannot make it allocate memory that the file does not account for. The header of a file on the disk is checked
   before the rest is allocated. */
#include <voxphys/world_file.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "src/world/code.h"
#include "src/world/world_internal.h"

#include <string.h>

enum {
    VERSION = 1,
    HEADER_BYTES = 36,  /* magic 8, version, size x y z, bytes of the file (8), CRC-32 */
    SECTION_BYTES = 12, /* tag, length, CRC-32, then the payload */
    NOTE_LIMIT = 1 << 20
};

/* Like PNG's: a byte that is not ASCII and both kinds of line ends, which transfers as text would change. */
static const uint8_t magic[8] = {0x89, 'V', 'P', 'W', '\r', '\n', 0x1a, '\n'};

/* The largest file that is read from the disk. A larger one is rejected, even if valid. The writer's file of the
   largest world has at most 2.2e9 bytes (two sections of raw chunks). Only another writer's valid file can be larger.
   With chunks as runs of one byte each it would have 4.3e9, with optional sections any size. */
#define FILE_LIMIT (UINT64_C(4) << 30)

void vp_blob_destroy(vp_blob *blob)
{
    if (blob == NULL)
        return;
    vp_release(&blob->allocator, blob->bytes, blob->capacity, 1);
    *blob = (vp_blob){0};
}

/* ---- text ---- */

/* The number of bytes of text that are well-formed UTF-8 (Unicode, table 3-7) without zero bytes. */
static size_t count_utf8_prefix(const uint8_t *s, size_t size)
{
    size_t at = 0;
    while (at < size) {
        uint8_t c = s[at], low = 0x80, high = 0xbf; /* bounds of the second byte */
        size_t more = c >= 1 && c <= 0x7f ? 0 : c >= 0xc2 && c <= 0xdf ? 1 : c >= 0xe0 && c <= 0xef ? 2 : 3;
        if (c == 0 || (c >= 0x80 && c < 0xc2) || c > 0xf4 || size - at <= more)
            return at;
        if (c == 0xe0)
            low = 0xa0; /* lower ones fit in two bytes */
        else if (c == 0xed)
            high = 0x9f; /* higher ones are surrogates */
        else if (c == 0xf0)
            low = 0x90; /* lower ones fit in three */
        else if (c == 0xf4)
            high = 0x8f; /* higher ones are above U+10FFFF */
        if (more > 0 && (s[at + 1] < low || s[at + 1] > high))
            return at;
        for (size_t i = 2; i <= more; i++)
            if (s[at + i] < 0x80 || s[at + i] > 0xbf)
                return at;
        at += more + 1;
    }
    return at;
}

/* ---- writing ---- */

/* Completes a section whose payload already follows its head. @return its end */
static size_t finish_section(uint8_t *file, size_t head, const char *tag, size_t length)
{
    memcpy(file + head, tag, 4);
    vp_put_le32(file + head + 4, (uint32_t)length);
    uint32_t crc = vp_crc32(0, file + head, 8);
    vp_put_le32(file + head + 8, vp_crc32(crc, file + head + SECTION_BYTES, length));
    return head + SECTION_BYTES + length;
}

vp_status vp_world_encode(const vp_world *world, const char *note, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world, out);
    size_t note_bytes = note != NULL ? strlen(note) : 0;
    if (note_bytes >= NOTE_LIMIT)
        return vp_fail(error, VP_E_ARGUMENT, "a note of %zu bytes; it must be shorter than %d", note_bytes, NOTE_LIMIT);
    if (note_bytes != 0) {
        size_t good = count_utf8_prefix((const uint8_t *)note, note_bytes);
        if (good != note_bytes)
            return vp_fail(error, VP_E_ARGUMENT, "byte %zu of the note, 0x%02x, is not UTF-8", good, (unsigned)(uint8_t)note[good]);
    }

    vp_code_bricks materials = {world->material, NULL, vp_chunk_count(world->chunks)};
    vp_code_bricks occupancy = {world->occupancy, world->material, vp_chunk_count(world->chunks)};
    size_t material_bytes = vp_code_write(&materials, NULL), occupancy_bytes = vp_code_write(&occupancy, NULL);
    vp_blob file = {.allocator = vp_allocator_or_default(allocator)};
    file.size = HEADER_BYTES + 2 * SECTION_BYTES + material_bytes + occupancy_bytes;
    file.size += note_bytes != 0 ? SECTION_BYTES + note_bytes : 0;
    file.capacity = file.size;
    file.bytes = vp_allocate(&file.allocator, file.capacity, 1);
    if (file.bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a world file of %zu bytes", file.size);

    memcpy(file.bytes, magic, sizeof magic);
    vp_put_le32(file.bytes + 8, VERSION);
    vp_put_le32(file.bytes + 12, world->size.x);
    vp_put_le32(file.bytes + 16, world->size.y);
    vp_put_le32(file.bytes + 20, world->size.z);
    vp_put_le64(file.bytes + 24, file.size);
    vp_put_le32(file.bytes + 32, vp_crc32(0, file.bytes, 32));
    size_t at = HEADER_BYTES;
    vp_code_write(&materials, file.bytes + at + SECTION_BYTES);
    at = finish_section(file.bytes, at, "MATL", material_bytes);
    vp_code_write(&occupancy, file.bytes + at + SECTION_BYTES);
    at = finish_section(file.bytes, at, "OCCU", occupancy_bytes);
    if (note_bytes != 0) {
        memcpy(file.bytes + at + SECTION_BYTES, note, note_bytes);
        finish_section(file.bytes, at, "note", note_bytes);
    }
    *out = file;
    return vp_succeed(error);
}

/* ---- reading ---- */

/* The contents of a file, found without an allocation. */
typedef struct world_contents {
    vp_dims size;
    vp_code_payload material, occupancy;
    const uint8_t *note;
    size_t note_bytes;
} world_contents;

/* `size` is that of the file. Only the header has to be in memory. */
static vp_status check_header(const uint8_t *bytes, uint64_t size, vp_dims *dims, vp_error *error)
{
    size_t have = size < sizeof magic ? (size_t)size : sizeof magic;
    if (have == 0)
        return vp_fail(error, VP_E_FORMAT, "byte 0: the file is empty");
    if (memcmp(bytes, magic, have) != 0)
        return vp_fail(error, VP_E_FORMAT, "byte 0: not a VPW world file: it does not begin with 89 56 50 57 0d 0a 1a 0a");
    if (size < HEADER_BYTES)
        return vp_fail(error, VP_E_FORMAT, "byte %u: the file ends within its header of %d bytes", (unsigned)size, HEADER_BYTES);
    uint32_t version = vp_get_le32(bytes + 8);
    if (version != VERSION)
        return vp_fail(error, VP_E_FORMAT, "byte 8: version %u is unknown; this library reads version %d", version, VERSION);
    uint32_t crc = vp_get_le32(bytes + 32), is = vp_crc32(0, bytes, 32);
    if (crc != is)
        return vp_fail(error, VP_E_FORMAT, "byte 32: the header's CRC-32 says %08x and is %08x", crc, is);
    vp_dims s = {vp_get_le32(bytes + 12), vp_get_le32(bytes + 16), vp_get_le32(bytes + 20)};
    if (!vp_world_size_allowed(s))
        return vp_fail(error, VP_E_FORMAT, "byte 12: no world has %u x %u x %u voxels", s.x, s.y, s.z);
    uint64_t total = vp_get_le64(bytes + 24);
    if (total > size)
        return vp_fail(error, VP_E_FORMAT, "byte %llu: the file ends here; its header says %llu bytes", (unsigned long long)size,
                       (unsigned long long)total);
    if (total < size)
        return vp_fail(error, VP_E_FORMAT, "byte %llu: the file goes on to byte %llu, after the end that its header says",
                       (unsigned long long)total, (unsigned long long)size);
    *dims = s;
    return VP_OK;
}

/* Reads a section of bricks. Each may occur once, materials before occupancy. */
static vp_status read_bricks(vp_code_payload *into, const vp_code_payload *payload, vp_error *error)
{
    if (into->bytes != NULL)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: a second %s section", payload->base - SECTION_BYTES,
                       payload->occupancy ? "OCCU" : "MATL");
    *into = *payload;
    return vp_code_read(payload, NULL, NULL, error);
}

static vp_status read_note(world_contents *found, const vp_code_payload *payload, vp_error *error)
{
    if (found->note != NULL)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: a second note section", payload->base - SECTION_BYTES);
    if (payload->size >= NOTE_LIMIT)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: a note of %zu bytes; it must be shorter than %d", payload->base - SECTION_BYTES + 4,
                       payload->size, NOTE_LIMIT);
    size_t good = count_utf8_prefix(payload->bytes, payload->size);
    if (good != payload->size)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: 0x%02x in the note is not UTF-8", payload->base + good, payload->bytes[good]);
    found->note = payload->bytes;
    found->note_bytes = payload->size;
    return VP_OK;
}

static bool is_letter(uint8_t c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static vp_status check_section(const uint8_t *bytes, size_t size, size_t *at, world_contents *found, vp_error *error)
{
    const uint8_t *head = bytes + *at;
    if (size - *at < SECTION_BYTES)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: %zu bytes left where a section's head has %d", *at, size - *at, SECTION_BYTES);
    for (size_t i = 0; i < 4; i++)
        if (!is_letter(head[i]))
            return vp_fail(error, VP_E_FORMAT, "byte %zu: 0x%02x in a section's tag is not a letter", *at + i, head[i]);
    uint32_t length = vp_get_le32(head + 4);
    if (length > size - *at - SECTION_BYTES)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: section %.4s has %u bytes where only %zu are left", *at + 4, (const char *)head,
                       length, size - *at - SECTION_BYTES);
    uint32_t crc = vp_get_le32(head + 8), is = vp_crc32(vp_crc32(0, head, 8), head + SECTION_BYTES, length);
    if (crc != is)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: the CRC-32 of section %.4s says %08x and is %08x", *at + 8, (const char *)head, crc,
                       is);

    vp_dims s = found->size;
    vp_code_payload payload = {.bytes = head + SECTION_BYTES,
                               .size = length,
                               .base = *at + SECTION_BYTES,
                               .chunks = vp_chunk_count((vp_dims){s.x / 8, s.y / 8, s.z / 8})};
    *at += SECTION_BYTES + (size_t)length;
    if (memcmp(head, "MATL", 4) == 0)
        return read_bricks(&found->material, &payload, error);
    if (memcmp(head, "OCCU", 4) == 0) {
        payload.occupancy = true;
        if (found->material.bytes == NULL)
            return vp_fail(error, VP_E_FORMAT, "byte %zu: the OCCU section comes before MATL", payload.base - SECTION_BYTES);
        return read_bricks(&found->occupancy, &payload, error);
    }
    if (memcmp(head, "note", 4) == 0)
        return read_note(found, &payload, error);
    if (head[0] >= 'a')
        return VP_OK; /* optional */
    return vp_fail(error, VP_E_FORMAT, "byte %zu: section %.4s is required and unknown", payload.base - SECTION_BYTES, (const char *)head);
}

static vp_status check_file(const uint8_t *bytes, size_t size, world_contents *found, vp_error *error)
{
    VP_RETURN_IF_FAILED(check_header(bytes, size, &found->size, error));
    for (size_t at = HEADER_BYTES; at < size;)
        VP_RETURN_IF_FAILED(check_section(bytes, size, &at, found, error));
    if (found->occupancy.bytes == NULL)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: the file ends without %s section", size,
                       found->material.bytes == NULL ? "a MATL" : "an OCCU");
    return VP_OK;
}

vp_status vp_world_decode(const void *bytes, size_t size, const vp_allocator *allocator, vp_world **out, vp_blob *note, vp_error *error)
{
    VP_RETURN_IF_NULL(error, out);
    VP_RETURN_IF_ARRAY_NULL(error, bytes, size);
    world_contents found = {0};
    VP_RETURN_IF_FAILED(check_file(bytes, size, &found, error));

    vp_blob text = {.allocator = vp_allocator_or_default(allocator)};
    vp_world *world = NULL;
    vp_world_def def = {found.size, allocator};
    vp_status status = vp_world_create(&def, &world, error);
    if (status == VP_OK && note != NULL) {
        text.size = found.note_bytes;
        text.capacity = found.note_bytes + 1;
        text.bytes = vp_allocate_zero(&text.allocator, text.capacity, 1);
        if (text.bytes == NULL)
            status = vp_fail(error, VP_E_MEMORY, "no memory for a note of %zu bytes", found.note_bytes);
        else if (found.note_bytes != 0)
            memcpy(text.bytes, found.note, found.note_bytes);
    }
    if (status == VP_OK)
        status = vp_code_read(&found.material, NULL, world->material, error);
    if (status == VP_OK)
        status = vp_code_read(&found.occupancy, world->material, world->occupancy, error);
    if (status != VP_OK) {
        vp_world_destroy(world);
        return status;
    }
    *out = world;
    if (note != NULL)
        *note = text;
    return vp_succeed(error);
}

/* ---- files ---- */

vp_status vp_world_save(const vp_world *world, const char *note, const char *path, vp_error *error)
{
    VP_RETURN_IF_NULL(error, world, path);
    vp_blob file;
    VP_RETURN_IF_FAILED(vp_world_encode(world, note, NULL, &file, error));
    vp_status status = vp_file_replace(path, file.bytes, file.size, error);
    vp_blob_destroy(&file);
    return status;
}

static vp_status check_start(const uint8_t *start, size_t start_size, uint64_t file_size, vp_error *error)
{
    vp_dims size;
    (void)start_size; /* the whole header, or the whole of a shorter file */
    VP_RETURN_IF_FAILED(check_header(start, file_size, &size, error));
    if (file_size > FILE_LIMIT)
        return vp_fail(error, VP_E_FORMAT, "byte 24: the file has %llu bytes; at most %llu are read", (unsigned long long)file_size,
                       (unsigned long long)FILE_LIMIT);
    return VP_OK;
}

vp_status vp_world_load(const char *path, const vp_allocator *allocator, vp_world **out, vp_blob *note, vp_error *error)
{
    VP_RETURN_IF_NULL(error, path, out);
    vp_allocator from = vp_allocator_or_default(allocator);
    uint8_t *bytes = NULL;
    size_t size = 0;
    VP_RETURN_IF_FAILED(vp_file_read_checked(path, HEADER_BYTES, check_start, &from, &bytes, &size, error));
    vp_status status = vp_world_decode(bytes, size, allocator, out, note, error);
    vp_release(&from, bytes, size, 1);
    return status;
}
