/* SPDX-License-Identifier: MIT */
/* Decodes one Luanti map block. Version 29 is one zstd stream that holds the names and then the nodes. In versions 25 to 28 the nodes are
   a zlib stream of their own. The names come near the end, after another zlib stream (metadata) and the static objects. Neither kind of
   stream states its unpacked size, so both are unpacked up to a bound. */
#include "import/luanti_block.h"

#include <stdbool.h>
#include <string.h>

#include "src/core/bytes.h"
#include "src/core/error.h"
#include "src/core/memory.h"

#ifdef VP_WITH_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#ifdef VP_WITH_ZSTD
#include <zstd.h>
#endif

enum {
    IDS = 65536,
    NODE_BYTES = VP_LUANTI_NODES * 4, /* a 16-bit id and two bytes of parameters each */
    PREFIX_LIMIT = 2 << 20,           /* names and nodes are at the beginning of an unpacked block of version 29 */
    METADATA_LIMIT = 8 << 20          /* a block of chests only, each with 32 different items, has about half of that */
};

/* Bytes and the reading position. */
typedef struct luanti_cursor {
    const uint8_t *bytes;
    size_t size, at;
    const char *where; /* "the block", "the unpacked block" */
    const vp_allocator *allocator;
    vp_error *error;
} luanti_cursor;

static vp_status need(const luanti_cursor *c, size_t n, const char *what)
{
    if (c->size - c->at >= n)
        return VP_OK;
    return vp_fail(c->error, VP_E_FORMAT, "byte %zu: %s ends within its %s", c->size, c->where, what);
}

/* ---- names ---- */

static vp_status take_name(luanti_cursor *c, vp_luanti_name *into)
{
    VP_RETURN_IF_FAILED(need(c, 4, "names"));
    into->id = (uint16_t)vp_get_be16(c->bytes + c->at);
    size_t length = vp_get_be16(c->bytes + c->at + 2);
    if (length == 0 || length >= VP_LUANTI_NAME_BYTES)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: a node name of %zu bytes; 1 to %d are read", c->at + 2, length,
                       VP_LUANTI_NAME_BYTES - 1);
    c->at += 4;
    VP_RETURN_IF_FAILED(need(c, length, "names"));
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = c->bytes[c->at + i];
        if (byte < 0x21 || byte > 0x7e)
            return vp_fail(c->error, VP_E_FORMAT, "byte %zu: 0x%02x in a node name", c->at + i, byte);
    }
    memcpy(into->name, c->bytes + c->at, length);
    into->name[length] = '\0';
    c->at += length;
    return VP_OK;
}

static vp_status take_names(luanti_cursor *c, vp_luanti_block *block)
{
    VP_RETURN_IF_FAILED(need(c, 3, "names"));
    if (c->bytes[c->at] != 0)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: version %u of the names is unknown", c->at, c->bytes[c->at]);
    uint32_t count = vp_get_be16(c->bytes + c->at + 1);
    c->at += 3;
    if (count == 0 || count > VP_LUANTI_NODES)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: %u node names in a block of %d nodes", c->at - 2, count, VP_LUANTI_NODES);
    VP_RETURN_IF_FAILED(need(c, (size_t)count * 5, "names")); /* no name is shorter, so memory is not allocated in vain */
    block->name = vp_allocate(c->allocator, count, sizeof *block->name);
    if (block->name == NULL)
        return vp_fail(c->error, VP_E_MEMORY, "no memory for %u node names", count);
    block->name_count = count;
    for (uint32_t i = 0; i < count; i++)
        VP_RETURN_IF_FAILED(take_name(c, &block->name[i]));
    return VP_OK;
}

/* Turns the ids into indices into the names. */
static vp_status resolve(vp_luanti_block *block, const uint8_t *ids, const vp_allocator *allocator, vp_error *error)
{
    uint16_t *index = vp_allocate_zero(allocator, IDS, sizeof *index); /* index + 1, 0 = no such name */
    if (index == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a table of node names");
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < block->name_count; i++) {
        if (index[block->name[i].id] != 0)
            status = vp_fail(error, VP_E_FORMAT, "node id %u has two names, %.60s and %.60s", block->name[i].id,
                             block->name[index[block->name[i].id] - 1].name, block->name[i].name);
        index[block->name[i].id] = (uint16_t)(i + 1);
    }
    for (size_t n = 0; status == VP_OK && n < VP_LUANTI_NODES; n++) {
        uint32_t id = vp_get_be16(ids + 2 * n);
        if (index[id] == 0)
            status = vp_fail(error, VP_E_FORMAT, "node %zu has id %u, which the block gives no name", n, id);
        block->node[n] = (uint16_t)(index[id] - 1);
    }
    vp_release(allocator, index, IDS, sizeof *index);
    return status;
}

static vp_status take_widths(luanti_cursor *c)
{
    VP_RETURN_IF_FAILED(need(c, 2, "widths"));
    if (c->bytes[c->at] != 2 || c->bytes[c->at + 1] != 2)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: nodes of %u and %u bytes; 2 and 2 are read", c->at, c->bytes[c->at],
                       c->bytes[c->at + 1]);
    c->at += 2;
    return VP_OK;
}

/* ---- version 29 ---- */

#ifdef VP_WITH_ZSTD
/* Unpacks at most PREFIX_LIMIT bytes. */
static vp_status unpack_zstd(const uint8_t *bytes, size_t size, uint8_t unpacked[PREFIX_LIMIT], size_t *out_size, vp_error *error)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {bytes, size, 0};
    ZSTD_outBuffer to = {unpacked, PREFIX_LIMIT, 0};
    vp_status status = stream == NULL ? vp_fail(error, VP_E_MEMORY, "no memory to unpack a map block") : VP_OK;
    if (status == VP_OK)
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 24);
    size_t left = 1; /* 0 = the stream has ended */
    while (status == VP_OK && left != 0 && to.pos < to.size) {
        size_t in_before = in.pos, out_before = to.pos;
        left = ZSTD_decompressStream(stream, &to, &in);
        if (ZSTD_isError(left))
            status = vp_fail(error, VP_E_FORMAT, "byte %zu: zstd: %s", in.pos + 1, ZSTD_getErrorName(left));
        else if (left != 0 && in.pos == in_before && to.pos == out_before)
            status = vp_fail(error, VP_E_FORMAT, "byte %zu: the block ends within its zstd stream", size + 1);
    }
    ZSTD_freeDStream(stream);
    *out_size = to.pos;
    return status;
}
#else
static vp_status unpack_zstd(const uint8_t *bytes, size_t size, uint8_t unpacked[PREFIX_LIMIT], size_t *out_size, vp_error *error)
{
    (void)bytes, (void)size, (void)unpacked, (void)out_size;
    return vp_fail(error, VP_E_UNSUPPORTED, "a map block of version 29 needs zstd, and this build has none");
}
#endif

/* Reads the unpacked bytes of a block of version 29. */
static vp_status read_29(const uint8_t *unpacked, size_t size, const vp_allocator *allocator, vp_luanti_block *block, vp_error *error)
{
    luanti_cursor c = {unpacked, size, 0, "the unpacked block", allocator, error};
    VP_RETURN_IF_FAILED(need(&c, 7, "head")); /* flags, lighting (2), time (4) */
    c.at = 7;
    VP_RETURN_IF_FAILED(take_names(&c, block));
    VP_RETURN_IF_FAILED(take_widths(&c));
    VP_RETURN_IF_FAILED(need(&c, NODE_BYTES, "nodes"));
    return resolve(block, unpacked + c.at, allocator, error);
}

static vp_status decode_29(const uint8_t *bytes, size_t size, const vp_allocator *allocator, vp_luanti_block *block, vp_error *error)
{
    uint8_t *unpacked = vp_allocate(allocator, PREFIX_LIMIT, 1);
    if (unpacked == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to unpack a map block");
    vp_status status = unpack_zstd(bytes + 1, size - 1, unpacked, &block->unpacked, error);
    if (status == VP_OK)
        status = read_29(unpacked, block->unpacked, allocator, block, error);
    vp_release(allocator, unpacked, PREFIX_LIMIT, 1);
    return status;
}

/* ---- versions 25 to 28 ---- */

#ifdef VP_WITH_ZLIB
/* Unpacks the zlib stream at the cursor and moves past it. Bytes that do not fit into `out` are discarded.
   total  receives how much there was, at most METADATA_LIMIT */
static vp_status unpack_zlib(luanti_cursor *c, uint8_t *out, size_t capacity, size_t *total, const char *what)
{
    uint8_t rest[4096];
    z_stream stream = {.next_in = c->bytes + c->at, .avail_in = (uInt)(c->size - c->at)};
    if (c->size - c->at > INT32_MAX)
        return vp_fail(c->error, VP_E_FORMAT, "a map block of %zu bytes", c->size);
    if (inflateInit(&stream) != Z_OK)
        return vp_fail(c->error, VP_E_MEMORY, "no memory to unpack a map block");
    int result = Z_OK;
    while (result == Z_OK && stream.total_out < METADATA_LIMIT) {
        bool fits = stream.total_out < capacity;
        stream.next_out = fits ? out + stream.total_out : rest;
        stream.avail_out = fits ? (uInt)(capacity - stream.total_out) : (uInt)sizeof rest;
        result = inflate(&stream, Z_NO_FLUSH);
    }
    c->at += stream.total_in;
    *total = stream.total_out;
    vp_status status = VP_OK;
    if (result == Z_MEM_ERROR)
        status = vp_fail(c->error, VP_E_MEMORY, "no memory to unpack a map block");
    else if (result == Z_OK)
        status = vp_fail(c->error, VP_E_FORMAT, "byte %zu: the %s unpack to more than %d bytes", c->at, what, METADATA_LIMIT);
    else if (result == Z_BUF_ERROR)
        status = vp_fail(c->error, VP_E_FORMAT, "byte %zu: the block ends within its %s", c->size, what);
    else if (result != Z_STREAM_END)
        status = vp_fail(c->error, VP_E_FORMAT, "byte %zu: zlib in the %s: %s", c->at, what, stream.msg != NULL ? stream.msg : "damaged");
    inflateEnd(&stream);
    return status;
}
#else
static vp_status unpack_zlib(luanti_cursor *c, uint8_t *out, size_t capacity, size_t *total, const char *what)
{
    (void)out, (void)capacity, (void)total, (void)what;
    return vp_fail(c->error, VP_E_UNSUPPORTED, "a map block of version %u needs zlib, and this build has none", c->bytes[0]);
}
#endif

static vp_status skip_objects(luanti_cursor *c)
{
    VP_RETURN_IF_FAILED(need(c, 3, "objects"));
    if (c->bytes[c->at] != 0)
        return vp_fail(c->error, VP_E_FORMAT, "byte %zu: version %u of the objects is unknown", c->at, c->bytes[c->at]);
    uint32_t count = vp_get_be16(c->bytes + c->at + 1);
    c->at += 3;
    for (uint32_t i = 0; i < count; i++) {
        VP_RETURN_IF_FAILED(need(c, 15, "objects")); /* type, place (12), size (2) */
        size_t size = vp_get_be16(c->bytes + c->at + 13);
        c->at += 15;
        VP_RETURN_IF_FAILED(need(c, size, "objects"));
        c->at += size;
    }
    return VP_OK;
}

static vp_status decode_zlib(const uint8_t *bytes, size_t size, const vp_allocator *allocator, vp_luanti_block *block, vp_error *error)
{
    luanti_cursor c = {bytes, size, 1, "the block", allocator, error};
    size_t head = bytes[0] >= 27 ? 3 : 1; /* flags, lighting */
    uint8_t *nodes = vp_allocate_zero(allocator, NODE_BYTES, 1);
    if (nodes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to unpack a map block");
    size_t total = 0;
    vp_status status = need(&c, head, "head");
    if (status == VP_OK) {
        c.at += head;
        status = take_widths(&c);
    }
    if (status == VP_OK)
        status = unpack_zlib(&c, nodes, NODE_BYTES, &total, "nodes");
    if (status == VP_OK && total != NODE_BYTES)
        status = vp_fail(error, VP_E_FORMAT, "byte %zu: the nodes unpack to %zu bytes instead of %d", c.at, total, NODE_BYTES);
    block->unpacked = total;
    if (status == VP_OK)
        status = unpack_zlib(&c, NULL, 0, &total, "metadata");
    block->unpacked += total;
    if (status == VP_OK)
        status = skip_objects(&c);
    if (status == VP_OK)
        status = need(&c, 4, "time");
    if (status == VP_OK) {
        c.at += 4;
        status = take_names(&c, block);
    }
    if (status == VP_OK)
        status = resolve(block, nodes, allocator, error);
    vp_release(allocator, nodes, NODE_BYTES, 1);
    return status;
}

/* ---- decoding ---- */

vp_status vp_luanti_block_decode(const void *bytes, size_t size, const vp_allocator *allocator, vp_luanti_block *out, vp_error *error)
{
    const uint8_t *byte = bytes;
    if (size == 0)
        return vp_fail(error, VP_E_FORMAT, "byte 0: the block is empty");
    if (byte[0] < 25 || byte[0] > 29)
        return vp_fail(error, VP_E_FORMAT, "byte 0: a map block of version %u; 25 to 29 are read", byte[0]);
    out->allocator = *allocator;
    out->name = NULL;
    out->name_count = 0;
    out->unpacked = 0;
    vp_status status = byte[0] == 29 ? decode_29(byte, size, allocator, out, error) : decode_zlib(byte, size, allocator, out, error);
    if (status != VP_OK) {
        vp_luanti_block_destroy(out);
        return status;
    }
    return vp_succeed(error);
}

void vp_luanti_block_destroy(vp_luanti_block *block)
{
    vp_release(&block->allocator, block->name, block->name_count, sizeof *block->name);
    block->name = NULL;
    block->name_count = 0;
}
