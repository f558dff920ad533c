/* SPDX-License-Identifier: MIT */
/* Compressed blocks of step records. */
#include "host/record/format.h"

#include <stdlib.h>
#include <string.h>

#ifdef VP_WITH_ZLIB
#include <zlib.h>

enum { LEVEL = 6, RAW_DEFLATE = -15, MEMORY = 8 };

bool vp_record_zlib_here(void)
{
    return true;
}

/* Deflates into `to`. @return the number of bytes, or 0 if it is not less than `size` */
static size_t deflated(const uint8_t *raw, size_t size, uint8_t *to)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)raw, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)(size - 1)};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, RAW_DEFLATE, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    const bool whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
    const size_t bytes = z.total_out;
    deflateEnd(&z);
    return whole ? bytes : 0;
}

static vp_status inflated(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)stored, .avail_in = (uInt)stored_size, .next_out = raw, .avail_out = (uInt)size};
    if (inflateInit2(&z, RAW_DEFLATE) != Z_OK)
        return vp_fail(error, VP_E_MEMORY, "no memory to inflate %zu bytes", stored_size);
    const int code = inflate(&z, Z_FINISH);
    const bool whole = code == Z_STREAM_END && z.total_out == size && z.avail_in == 0;
    inflateEnd(&z);
    if (code == Z_MEM_ERROR)
        return vp_fail(error, VP_E_MEMORY, "no memory to inflate %zu bytes", stored_size);
    return whole ? VP_OK : vp_fail(error, VP_E_FORMAT, "a block of %zu bytes does not inflate to %zu", stored_size, size);
}

#else

bool vp_record_zlib_here(void)
{
    return false;
}

static size_t deflated(const uint8_t *raw, size_t size, uint8_t *to)
{
    (void)raw, (void)size, (void)to;
    return 0;
}

static vp_status inflated(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error)
{
    (void)stored, (void)stored_size, (void)raw, (void)size;
    return vp_fail(error, VP_E_UNSUPPORTED, "the recording is compressed: reading it needs zlib, and this build has none");
}

#endif

bool vp_record_pack(const uint8_t *raw, size_t size, vp_bytes *out)
{
    uint8_t *room = size > 1 ? malloc(size) : NULL;
    if (size > 1 && room == NULL)
        return false;
    const size_t less = size > 1 ? deflated(raw, size, room) : 0;
    vp_bytes_add(out, less > 0 ? room : raw, less > 0 ? less : size);
    free(room);
    return !out->failed;
}

vp_status vp_record_unpack(const uint8_t *stored, size_t stored_size, uint8_t *raw, size_t size, vp_error *error)
{
    if (stored_size != size)
        return inflated(stored, stored_size, raw, size, error);
    if (size > 0)
        memcpy(raw, stored, size);
    return VP_OK;
}
