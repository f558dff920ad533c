/* SPDX-License-Identifier: MIT */
/* MagicaVoxel files; the size in their head is put right for a second attempt. */
#include "src/core/bytes.h"
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    vp_import_options options = vp_import_defaults();
    options.vox_water_colour = 2;
    fuzz_import(vp_import_vox, bytes, size, options);
    if (size >= 20) {
        uint8_t *copy = malloc(size);
        if (copy == NULL)
            return 0;
        memcpy(copy, bytes, size);
        memcpy(copy, "VOX \x96\0\0\0MAIN\0\0\0\0", 16);
        vp_put_le32(copy + 16, (uint32_t)size - 20);
        fuzz_import(vp_import_vox, copy, size, options);
        free(copy);
    }
    return 0;
}
