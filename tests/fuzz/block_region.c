/* SPDX-License-Identifier: MIT */
/* Region files of block worlds, read unchanged and from a short form, because a file's head alone is longer than a fuzzer's inputs. The
 * short form has 44 bytes of the head, the number of table entries, the entries with their places, and their contents. Sizes, checksums and
 * places that are 0 are corrected. An accepted file is unchanged if it is written without edits. */
#include "tests/fuzz/fuzz.h"

#include <voxphys/block_store.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"

enum { TABLE_AT = 44, HEAD = TABLE_AT + 512 * 16, ENTRIES = 16, SHORT_ENTRY = 18 /* place, then 16 bytes */ };

/* Runs: a count and a byte. */
static bool decode(void *user, const uint8_t *coded, size_t bytes, uint8_t *raw, size_t raw_bytes)
{
    size_t size = 0;
    (void)user;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        const size_t n = (size_t)coded[i] << 8;
        if (n > raw_bytes - size)
            return false;
        memset(raw + size, coded[i + 1], n);
        size += n;
    }
    return size == raw_bytes;
}

static void check(const uint8_t *file, size_t size)
{
    static vp_block cell[VP_BLOCK_CELLS];
    const vp_block_codec runs = {.name = "runs", .decode = decode};
    const vp_allocator allocator = fuzz_allocator();
    int32_t at[3] = {0, 0, 0};
    for (int a = 0; a < 3 && size >= TABLE_AT; a++) {
        const uint32_t v = vp_get_le32(file + 12 + 4 * a);
        at[a] = v < 0x400000 ? (int32_t)v : v >= UINT32_MAX - 0x3fffff ? -(int32_t)(UINT32_MAX - v) - 1 : 0;
    }
    for (int coded = 0; coded < 2; coded++) {
        const vp_block_codec *codec = coded == 1 ? &runs : NULL;
        vp_error error;
        vp_blob again = {0};
        bool sound = true;
        for (int i = 0; i < 512 && sound; i++) {
            bool found = false;
            const vp_ivec3 chunk = {at[0] * 8 + i % 8, at[1] * 8 + i / 64, at[2] * 8 + i / 8 % 8};
            const vp_status status = vp_block_region_read(file, size, chunk, codec, &allocator, cell, &found, &error);
            FUZZ_CHECK(status == VP_OK || status == VP_E_FORMAT || status == VP_E_ARGUMENT);
            FUZZ_CHECK(status == VP_OK || (error.status == status && error.message[0] != '\0'));
            sound &= status == VP_OK;
        }
        const vp_ivec3 region = {at[0], at[1], at[2]};
        const vp_status status = vp_block_region_write(file, size, region, NULL, 0, codec, &allocator, &again, &error);
        FUZZ_CHECK(status == VP_OK || status == VP_E_FORMAT || status == VP_E_MEMORY);
        FUZZ_CHECK(!sound || status == VP_OK);
        FUZZ_CHECK(status != VP_OK || (again.size == size && memcmp(again.bytes, file, size) == 0));
        vp_blob_destroy(&again);
    }
}

/* @return bytes of the file, 0 = too short */
static size_t expand(const uint8_t *bytes, size_t size, uint8_t *file)
{
    if (size < TABLE_AT + 1)
        return 0;
    const size_t entries = bytes[TABLE_AT] % ENTRIES, from = TABLE_AT + 1 + entries * SHORT_ENTRY;
    if (size < from)
        return 0;
    memset(file, 0, HEAD);
    memcpy(file, bytes, TABLE_AT);
    memcpy(file, "\x89VPB\r\n\x1a\n\1\0\0\0", 12);
    memcpy(file + HEAD, bytes + from, size - from);
    const size_t whole = HEAD + size - from;
    uint32_t next = HEAD;
    for (size_t i = 0; i < entries; i++) {
        const uint8_t *e = bytes + TABLE_AT + 1 + i * SHORT_ENTRY;
        uint8_t *to = file + TABLE_AT + vp_get_le16(e) % 512 * 16;
        memcpy(to, e + 2, 16);
        const uint32_t length = vp_get_le32(to + 4);
        if (length == 0 || vp_get_le32(to) != 0)
            continue;
        vp_put_le32(to, next);
        if (vp_get_le32(to + 8) == 0 && next <= whole && length <= whole - next)
            vp_put_le32(to + 8, vp_crc32(0, file + next, length));
        next += length;
    }
    if (vp_get_le64(file + 32) == 0)
        vp_put_le64(file + 32, whole);
    vp_put_le32(file + 40, vp_crc32(vp_crc32(0, file, 40), file + TABLE_AT, HEAD - TABLE_AT));
    return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t *file = malloc(HEAD + size);
    if (file == NULL)
        return 0;
    check(bytes, size);
    const size_t whole = expand(bytes, size, file);
    if (whole != 0)
        check(file, whole);
    free(file);
    return 0;
}
