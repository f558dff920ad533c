/* SPDX-License-Identifier: MIT */
/* PNG heightmaps: unchanged, and with the checksums of all chunks corrected. */
#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "tests/fuzz/import.h"

static void put_be32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void check(const uint8_t *bytes, size_t size)
{
    vp_import_def options = vp_import_defaults();
    options.heights.height_scale = 0.125;
    options.heights.water_level = 3;
    fuzz_import(vp_import_heightmap, bytes, size, options);
}

static void repair(uint8_t *file, size_t size)
{
    memcpy(file, "\x89PNG\r\n\x1a\n", 8);
    for (size_t at = 8; size - at >= 12;) {
        const uint32_t length = vp_get_be32(file + at);
        if (length > size - at - 12)
            break;
        put_be32(file + at + 8 + length, vp_crc32(0, file + at + 4, (size_t)length + 4));
        at += 12 + (size_t)length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_also_repaired(bytes, size, 8, repair, check);
    return 0;
}
