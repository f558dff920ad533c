/* SPDX-License-Identifier: MIT */
/* Databases of Luanti maps. The bytes are a file. Imports the whole map, and the blocks around the origin. */
#include "tests/fuzz/import.h"

static const char path[] = "fuzz_luanti_map.tmp";

static vp_status import_map(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    FILE *f = fopen(path, "wb");
    FUZZ_CHECK(f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
    const vp_status status = vp_import_luanti(path, def, out, note, error);
    FUZZ_CHECK(status == VP_OK || strstr(error->message, path) != NULL);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    vp_import_def def = vp_import_defaults();
    def.max_voxels = 1 << 18;
    fuzz_import(import_map, bytes, size, def);
    def.luanti_low = (vp_ivec3){-20, -4, -20};
    def.luanti_size = (vp_dims){40, 20, 40};
    fuzz_import(import_map, bytes, size, def);
    remove(path);
    return 0;
}
