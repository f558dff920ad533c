/* SPDX-License-Identifier: MIT */
/* The chunk codes of world files. Terrain consists mostly of chunks of one material, chunks with few long runs, and
   chunks with a tangle of few materials. Each kind has its code. The writer prefers DERIVED, then UNIFORM, then the
   shortest of the others, the lowest code among equals, so that the same bricks give the same bytes. Occupancy mostly
   follows from the materials, and then costs two bytes for 256 chunks. */
#include "src/world/code.h"

#include "src/core/error.h"

#include <stdbool.h>
#include <string.h>

enum {
    UNIFORM = 0, /* n v is n + 1 chunks of v */
    RUNS = 1,    /* (n v)... is n + 1 bytes of v, and so on to 512 */
    RAW = 2,     /* 512 bytes */
    PACKED = 3,  /* k, k values ascending, 512 indices of 1, 2 or 4 bits, the lowest bits first */
    DERIVED = 4, /* n is n + 1 chunks, 255 where the material is not air */
    BRICK = 512,
    REPEAT = 256, /* the maximum of one count byte */
    PALETTE = 16
};

/* ---- writing ---- */

static bool is_brick_of(const uint8_t *brick, uint8_t value)
{
    return brick[0] == value && memcmp(brick, brick + 1, BRICK - 1) == 0;
}

static bool is_brick_derived(const uint8_t *brick, const uint8_t *material)
{
    for (int i = 0; i < BRICK; i++)
        if (brick[i] != (material[i] != 0 ? 255 : 0))
            return false;
    return true;
}

static size_t put_byte(uint8_t *out, size_t at, unsigned byte)
{
    if (out != NULL)
        out[at] = (uint8_t)byte;
    return at + 1;
}

/* @return the end */
static size_t write_runs(const uint8_t *brick, uint8_t *out, size_t at)
{
    at = put_byte(out, at, RUNS);
    for (int i = 0; i < BRICK;) {
        int n = 1;
        while (n < REPEAT && i + n < BRICK && brick[i + n] == brick[i])
            n++;
        at = put_byte(out, at, (unsigned)n - 1);
        at = put_byte(out, at, brick[i]);
        i += n;
    }
    return at;
}

static size_t write_raw(const uint8_t *brick, uint8_t *out, size_t at)
{
    at = put_byte(out, at, RAW);
    if (out != NULL)
        memcpy(out + at, brick, BRICK);
    return at + BRICK;
}

static unsigned index_bits_of(unsigned values)
{
    return values <= 2 ? 1 : values <= 4 ? 2 : 4;
}

/* The values of a brick in ascending order, and each value's index. @return their number, or PALETTE + 1 if they
   do not fit */
static unsigned find_palette(const uint8_t *brick, uint8_t value[PALETTE], uint8_t index[256])
{
    bool used[256] = {false};
    for (int i = 0; i < BRICK; i++)
        used[brick[i]] = true;
    unsigned count = 0;
    for (unsigned v = 0; v < 256; v++) {
        if (!used[v])
            continue;
        if (count == PALETTE)
            return PALETTE + 1;
        index[v] = (uint8_t)count;
        value[count++] = (uint8_t)v;
    }
    return count;
}

static size_t packed_bytes_of(unsigned values)
{
    return 2 + values + BRICK * index_bits_of(values) / 8;
}

static size_t write_packed(const uint8_t *brick, unsigned values, const uint8_t *value, const uint8_t *index, uint8_t *out, size_t at)
{
    at = put_byte(out, at, PACKED);
    at = put_byte(out, at, values);
    for (unsigned i = 0; i < values; i++)
        at = put_byte(out, at, value[i]);
    unsigned bits = index_bits_of(values);
    for (unsigned i = 0; i < BRICK; i += 8 / bits) {
        unsigned byte = 0;
        for (unsigned k = 0; k < 8 / bits; k++)
            byte |= (unsigned)index[brick[i + k]] << k * bits;
        at = put_byte(out, at, byte);
    }
    return at;
}

/* Writes one chunk that is neither uniform nor derived. */
static size_t write_mixed(const uint8_t *brick, uint8_t *out, size_t at)
{
    uint8_t value[PALETTE], index[256] = {0};
    unsigned values = find_palette(brick, value, index);
    size_t runs = write_runs(brick, NULL, 0), raw = 1 + BRICK;
    size_t packed = values <= PALETTE ? packed_bytes_of(values) : SIZE_MAX;
    if (runs <= raw && runs <= packed)
        return write_runs(brick, out, at);
    return raw <= packed ? write_raw(brick, out, at) : write_packed(brick, values, value, index, out, at);
}

size_t vp_code_write(const vp_code_bricks *in, uint8_t *out)
{
    size_t at = 0;
    for (size_t c = 0; c < in->chunks;) {
        const uint8_t *brick = in->bricks + c * BRICK;
        size_t n = 0, max = in->chunks - c < REPEAT ? in->chunks - c : REPEAT;
        if (in->material != NULL)
            while (n < max && is_brick_derived(brick + n * BRICK, in->material + (c + n) * BRICK))
                n++;
        if (n != 0) {
            at = put_byte(out, at, DERIVED);
            at = put_byte(out, at, (unsigned)n - 1);
            c += n;
            continue;
        }
        while (n < max && is_brick_of(brick + n * BRICK, brick[0]))
            n++;
        if (n != 0) {
            at = put_byte(out, at, UNIFORM);
            at = put_byte(out, at, (unsigned)n - 1);
            at = put_byte(out, at, brick[0]);
            c += n;
            continue;
        }
        at = write_mixed(brick, out, at);
        c++;
    }
    return at;
}

/* ---- reading ---- */

/* The position of reading. Its byte is at base + at of the file. */
typedef struct code_reader {
    const uint8_t *bytes;
    size_t size, offset, base;
    vp_error *error;
} code_reader;

/* Fails if fewer than `n` bytes are left of the payload. */
static vp_status check_remaining(const code_reader *r, size_t n, size_t chunk)
{
    if (r->size - r->offset >= n)
        return VP_OK;
    return vp_fail(r->error, VP_E_FORMAT, "byte %zu: the section ends within the code of chunk %zu", r->base + r->size, chunk);
}

static vp_status read_runs(code_reader *r, size_t chunk, uint8_t *brick)
{
    for (unsigned done = 0; done < BRICK;) {
        VP_RETURN_IF_FAILED(check_remaining(r, 2, chunk));
        unsigned n = r->bytes[r->offset] + 1u;
        if (n > BRICK - done)
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: a run of %u where only %u voxels of chunk %zu are left", r->base + r->offset,
                           n, BRICK - done, chunk);
        if (brick != NULL)
            memset(brick + done, r->bytes[r->offset + 1], n);
        done += n;
        r->offset += 2;
    }
    return VP_OK;
}

static vp_status read_packed(code_reader *r, size_t chunk, uint8_t *brick)
{
    VP_RETURN_IF_FAILED(check_remaining(r, 1, chunk));
    unsigned values = r->bytes[r->offset];
    if (values < 2 || values > PALETTE)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: %u values in a packed chunk; 2 to %d can be", r->base + r->offset, values,
                       PALETTE);
    r->offset++;
    unsigned bits = index_bits_of(values);
    VP_RETURN_IF_FAILED(check_remaining(r, values + BRICK * bits / 8, chunk));
    const uint8_t *value = r->bytes + r->offset;
    for (unsigned i = 1; i < values; i++)
        if (value[i] <= value[i - 1])
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: value %u after %u in a packed chunk does not ascend", r->base + r->offset + i,
                           value[i], value[i - 1]);
    r->offset += values;
    for (unsigned i = 0; i < BRICK; i++) {
        unsigned index = (unsigned)r->bytes[r->offset + i * bits / 8] >> i * bits % 8 & ((1u << bits) - 1);
        if (index >= values)
            return vp_fail(r->error, VP_E_FORMAT, "byte %zu: index %u in a packed chunk of %u values", r->base + r->offset + i * bits / 8,
                           index, values);
        if (brick != NULL)
            brick[i] = value[index];
    }
    r->offset += BRICK * bits / 8;
    return VP_OK;
}

/* UNIFORM and DERIVED. Reads the number of chunks of the code to *n. */
static vp_status read_repeat(code_reader *r, size_t bytes, size_t chunk, size_t chunks, size_t *n)
{
    VP_RETURN_IF_FAILED(check_remaining(r, bytes, chunk));
    *n = r->bytes[r->offset] + 1u;
    if (*n > chunks - chunk)
        return vp_fail(r->error, VP_E_FORMAT, "byte %zu: %zu chunks where only %zu are left", r->base + r->offset, *n, chunks - chunk);
    return VP_OK;
}

static void derive_occupancy(const uint8_t *material, uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = material[i] != 0 ? 255 : 0;
}

vp_status vp_code_read(const vp_code_payload *payload, const uint8_t *material, uint8_t *out, vp_error *error)
{
    code_reader r = {payload->bytes, payload->size, 0, payload->base, error};
    size_t n;
    for (size_t c = 0; c < payload->chunks; c += n) {
        uint8_t *brick = out != NULL ? out + c * BRICK : NULL;
        vp_status status = check_remaining(&r, 1, c);
        if (status != VP_OK)
            return status;
        unsigned code = r.bytes[r.offset++];
        n = 1;
        switch (code) {
        case UNIFORM:
            status = read_repeat(&r, 2, c, payload->chunks, &n);
            if (status == VP_OK && brick != NULL)
                memset(brick, r.bytes[r.offset + 1], n * BRICK);
            r.offset += 2;
            break;
        case RUNS:
            status = read_runs(&r, c, brick);
            break;
        case RAW:
            status = check_remaining(&r, BRICK, c);
            if (status == VP_OK && brick != NULL)
                memcpy(brick, r.bytes + r.offset, BRICK);
            r.offset += BRICK;
            break;
        case PACKED:
            status = read_packed(&r, c, brick);
            break;
        case DERIVED:
            if (payload->occupancy) {
                status = read_repeat(&r, 1, c, payload->chunks, &n);
                if (status == VP_OK && brick != NULL)
                    derive_occupancy(material + c * BRICK, brick, n * BRICK);
                r.offset += 1;
                break;
            } /* fall through */
        default:
            return vp_fail(error, VP_E_FORMAT, "byte %zu: unknown code %u for chunk %zu", r.base + r.offset - 1, code, c);
        }
        if (status != VP_OK)
            return status;
    }
    if (r.offset != r.size)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: %zu bytes left in the section after the last chunk", r.base + r.offset,
                       r.size - r.offset);
    return VP_OK;
}
