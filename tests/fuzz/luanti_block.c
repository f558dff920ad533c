/* SPDX-License-Identifier: MIT */
/* Luanti map blocks: the bytes unchanged, and as the unpacked contents of a block of version 29. */
#include "tests/fuzz/fuzz.h"

#include "import/luanti_block.h"
#include "import/luanti_names.h"
#include "tests/support/writer.h"

static void check(const uint8_t *bytes, size_t size)
{
    static vp_luanti_block block;
    vp_error error;
    const vp_allocator allocator = vp_allocator_default();
    vp_status status = vp_luanti_block_decode(bytes, size, &allocator, &block, &error);
    if (status != VP_OK) {
        FUZZ_CHECK(error.status == status && error.message[0] != '\0');
        FUZZ_CHECK(block.name == NULL);
        return;
    }
    FUZZ_CHECK(block.name_count > 0);
    for (int i = 0; i < VP_LUANTI_NODES; i++)
        FUZZ_CHECK(block.node[i] < block.name_count);
    for (uint32_t i = 0; i < block.name_count; i++) {
        FUZZ_CHECK(memchr(block.name[i].name, '\0', VP_LUANTI_NAME_BYTES) != NULL);
        FUZZ_CHECK(vp_luanti_class(block.name[i].name) <= VP_FIRST_SOLID);
    }
    vp_luanti_block_destroy(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check(bytes, size);
    if (size < 100000) {
        writer packed = {NULL, 0, 0};
        put_u8(&packed, 29);
        put_zstd(&packed, bytes, size);
        check(packed.bytes, packed.size);
        writer_drop(&packed);
    }
    return 0;
}
