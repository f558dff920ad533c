/* SPDX-License-Identifier: MIT */
/* Step records, read unchanged and from a short form, whose checksums and sizes are corrected. It has one byte each for the numbers of
 * shapes and frames, two each for the sizes of the header and the shapes, then the header, shapes and frames. An accepted file is cut to
 * its first frames and read again. */
#include "tests/fuzz/fuzz.h"

#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "host/record/read.h"

enum { PARTS = 6 };

static void check(const uint8_t *file, size_t size, bool again)
{
    vp_record *r;
    vp_error error;
    vp_status status = vp_record_open(file, size, &r, &error);
    FUZZ_CHECK(status == VP_OK || status == VP_E_FORMAT || status == VP_E_MEMORY);
    FUZZ_CHECK(status == VP_OK || (error.status == status && error.message[0] != '\0'));
    if (status != VP_OK)
        return;
    const vp_record_info info = vp_record_info_of(r);
    status = vp_record_check(r, &error);
    FUZZ_CHECK(status == VP_OK || status == VP_E_FORMAT || status == VP_E_MEMORY);
    if (status == VP_OK && info.frames > 0 && again) {
        vp_bytes part = {0};
        const uint32_t last = info.about.first + (info.frames < 4 ? info.frames - 1 : 3);
        status = vp_record_cut(r, info.about.first, last, NULL, &part, &error);
        FUZZ_CHECK(status == VP_OK || status == VP_E_ARGUMENT || status == VP_E_MEMORY); /* rotations may be invalid */
        if (status == VP_OK)
            check(part.at, part.size, false);
        free(part.at);
    }
    vp_record_close(r);
}

static void add_block(vp_bytes *to, uint32_t kind, uint32_t count, const uint8_t *raw, size_t size)
{
    uint8_t head[VP_RECORD_HEAD_BYTES] = {0};
    vp_put_le32(head, kind);
    vp_put_le32(head + 8, count);
    vp_put_le32(head + 12, (uint32_t)size);
    vp_put_le32(head + 16, (uint32_t)size);
    vp_put_le32(head + 20, vp_crc32(vp_crc32(0, head, 20), raw, size));
    vp_bytes_add(to, head, sizeof head);
    vp_bytes_add(to, raw, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    vp_bytes file = {0};
    check(bytes, size, true);
    if (size < PARTS)
        return 0;
    const size_t left = size - PARTS, wanted = vp_get_le16(bytes + 2), header = wanted < left ? wanted : left;
    const size_t shapes_wanted = vp_get_le16(bytes + 4), shapes = shapes_wanted < left - header ? shapes_wanted : left - header;
    vp_bytes_add(&file, VP_RECORD_MAGIC, VP_RECORD_MAGIC_BYTES);
    add_block(&file, 'H', 1, bytes + PARTS, header);
    if (shapes > 0)
        add_block(&file, 'S', bytes[0], bytes + PARTS + header, shapes);
    if (left > header + shapes)
        add_block(&file, 'F', bytes[1], bytes + PARTS + header + shapes, left - header - shapes);
    if (!file.failed)
        check(file.at, file.size, true);
    free(file.at);
    return 0;
}
