/* SPDX-License-Identifier: MIT */
/* World files, read unchanged and again with all checksums and the size corrected, because a fuzzer does not guess a CRC. An accepted file
 * must be the same after writing and reading. */
#include "tests/fuzz/fuzz.h"

#include <voxphys/world_file.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"

static void check(const uint8_t *bytes, size_t size)
{
    vp_allocator allocator = fuzz_allocator();
    vp_world *world = NULL, *again = NULL;
    vp_blob note = {0}, note_again = {0}, first = {0}, second = {0};
    vp_error error;
    vp_status status = vp_world_decode(bytes, size, &allocator, &world, &note, &error);
    if (status != VP_OK) {
        FUZZ_CHECK(status == VP_E_FORMAT || status == VP_E_MEMORY);
        FUZZ_CHECK(error.status == status && error.message[0] != '\0');
        FUZZ_CHECK(world == NULL && note.bytes == NULL);
        return;
    }
    FUZZ_CHECK(vp_world_encode(world, (const char *)note.bytes, NULL, &first, &error) == VP_OK);
    FUZZ_CHECK(vp_world_decode(first.bytes, first.size, NULL, &again, &note_again, &error) == VP_OK);
    FUZZ_CHECK(fuzz_same_world(world, again));
    FUZZ_CHECK(note.size == note_again.size && memcmp(note.bytes, note_again.bytes, note.size + 1) == 0);
    FUZZ_CHECK(vp_world_encode(again, (const char *)note_again.bytes, NULL, &second, &error) == VP_OK);
    FUZZ_CHECK(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
    vp_world_destroy(world);
    vp_world_destroy(again);
    vp_blob_destroy(&note);
    vp_blob_destroy(&note_again);
    vp_blob_destroy(&first);
    vp_blob_destroy(&second);
}

/* Corrects the magic, the version, the size and all checksums. */
static void repair(uint8_t *file, size_t size)
{
    memcpy(file, "\x89VPW\r\n\x1a\n\1\0\0\0", 12);
    vp_put_le64(file + 24, size);
    vp_put_le32(file + 32, vp_crc32(0, file, 32));
    for (size_t at = 36; size - at >= 12;) {
        uint32_t length = vp_get_le32(file + at + 4);
        if (length > size - at - 12)
            break;
        vp_put_le32(file + at + 8, vp_crc32(vp_crc32(0, file + at, 8), file + at + 12, length));
        at += 12 + (size_t)length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_also_repaired(bytes, size, 36, repair, check);
    return 0;
}
