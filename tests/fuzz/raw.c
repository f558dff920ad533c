/* SPDX-License-Identifier: MIT */
/* Raw heightmaps. The first bytes choose the options, including invalid ones. */
#include "src/core/bytes.h"
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { OPTIONS = 13 };
    if (size < OPTIONS)
        return 0;
    vp_import_def options = vp_import_defaults();
    options.format = VP_IMPORT_RAW;
    vp_import_heights *h = &options.heights;
    h->raw_width = bytes[0];
    h->raw_height = bytes[1];
    h->raw_big_endian = (bytes[2] & 1) != 0;
    h->raw_signed = (bytes[2] & 2) != 0;
    h->water_level = vp_get_le16(bytes + 3);
    h->soil_depth = bytes[5] < 128 ? bytes[5] : UINT32_MAX;
    h->rock_material = bytes[6];
    float scale, base; /* any bits, also NaN */
    uint32_t scale_bits = vp_get_le32(bytes + 7), base_bits = vp_get_le16(bytes + 11) << 16;
    memcpy(&scale, &scale_bits, 4);
    memcpy(&base, &base_bits, 4);
    h->height_scale = (double)scale;
    h->height_base = (double)base;
    fuzz_import(vp_import_heightmap, bytes + OPTIONS, size - OPTIONS, options);
    return 0;
}
