/* SPDX-License-Identifier: MIT */
/* MagicaVoxel files, unchanged and again with the size in the head corrected. */
#include "src/core/bytes.h"
#include "tests/fuzz/import.h"

static void check(const uint8_t *bytes, size_t size)
{
    vp_import_def options = vp_import_defaults();
    options.vox_water_colour = 2;
    fuzz_import(vp_import_vox, bytes, size, options);
}

static void repair(uint8_t *file, size_t size)
{
    memcpy(file, "VOX \x96\0\0\0MAIN\0\0\0\0", 16);
    vp_put_le32(file + 16, (uint32_t)size - 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_also_repaired(bytes, size, 20, repair, check);
    return 0;
}
