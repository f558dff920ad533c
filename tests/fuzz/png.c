/* SPDX-License-Identifier: MIT */
/* PNG heightmaps: as they are, and with the checksums of all chunks put right. */
#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "tests/fuzz/import.h"

static void put_be32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    vp_import_options options = vp_import_defaults();
    options.heights.height_scale = 0.125;
    options.heights.water_level = 3;
    fuzz_import(vp_import_png, bytes, size, options);
    if (size < 8)
        return 0;
    uint8_t *copy = malloc(size);
    if (copy == NULL)
        return 0;
    memcpy(copy, bytes, size);
    memcpy(copy, "\x89PNG\r\n\x1a\n", 8);
    for (size_t at = 8; size - at >= 12;) {
        uint32_t length = vp_get_be32(copy + at);
        if (length > size - at - 12)
            break;
        put_be32(copy + at + 8 + length, vp_crc32(0, copy + at + 4, (size_t)length + 4));
        at += 12 + (size_t)length;
    }
    fuzz_import(vp_import_png, copy, size, options);
    free(copy);
    return 0;
}
