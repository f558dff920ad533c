/* SPDX-License-Identifier: MIT */
/* The bytes of world files. Expectations are bytes typed by hand, files assembled here with a separate bitwise checksum, and two
 * properties. A written file is read back unchanged, and a damaged file is refused (docs/CONTRACT.md: FIL-1). */
#include <stdlib.h>

#include <voxphys/world_file.h>

#include "src/core/bytes.h"

#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/writer.h"
#include "tests/world/same.h"

/* ---- files assembled here ---- */

typedef struct file_bytes {
    uint8_t bytes[8192];
    size_t size;
} file_bytes;

/* Writes the header again, with the size of the file and the checksum. */
static void seal(file_bytes *f)
{
    vp_put_le32(f->bytes + 24, (uint32_t)f->size);
    vp_put_le32(f->bytes + 28, 0);
    vp_put_le32(f->bytes + 32, bitwise_crc(f->bytes, 32));
}

static void begin(file_bytes *f, uint32_t x, uint32_t y, uint32_t z)
{
    static const uint8_t start[12] = {0x89, 0x56, 0x50, 0x57, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0};
    memcpy(f->bytes, start, 12);
    vp_put_le32(f->bytes + 12, x);
    vp_put_le32(f->bytes + 16, y);
    vp_put_le32(f->bytes + 20, z);
    f->size = 36;
    seal(f);
}

static void add(file_bytes *f, const char *tag, const void *payload, size_t size)
{
    uint8_t *head = f->bytes + f->size, checked[8192];
    memcpy(head, tag, 4);
    vp_put_le32(head + 4, (uint32_t)size);
    memcpy(head + 12, payload, size);
    memcpy(checked, head, 8);
    memcpy(checked + 8, payload, size);
    vp_put_le32(head + 8, bitwise_crc(checked, size + 8));
    f->size += 12 + size;
    seal(f);
}

/* Decodes an exact-size copy, so that a sanitizer sees a read past its end. */
static vp_status decode(const uint8_t *bytes, size_t size, vp_world **world, vp_blob *note, vp_error *error)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    vp_status status = vp_world_decode(copy, size, NULL, world, note, error);
    free(copy);
    return status;
}

static void refused(const file_bytes *f, const char *why)
{
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_world *world = NULL;
    vp_blob note = {0};
    assert_refused(vp_world_decode(f->bytes, f->size, &allocator, &world, &note, &error), VP_E_FORMAT, why);
    assert_true(world == NULL && note.bytes == NULL);
    assert_int_equal(memory.requests, 0); /* a refused file has allocated no memory */
    test_memory_end(&memory);
}

/* Two chunks, one of rock, one with a layer of water at the bottom, with derived occupancy and a note. Typed by hand. Another program
 * computed the checksums. */
static const uint8_t literal[] = {
    0x89, 0x56, 0x50, 0x57, 0x0d, 0x0a, 0x1a, 0x0a,                         /* magic */
    0x01, 0x00, 0x00, 0x00,                                                 /* version 1 */
    0x10, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, /* 16 x 8 x 8 */
    0x56, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* 86 bytes */
    0x31, 0xf0, 0xb5, 0x88,                                                 /* CRC-32 */
    0x4d, 0x41, 0x54, 0x4c, 0x0a, 0x00, 0x00, 0x00, 0x17, 0x76, 0xca, 0x24, /* MATL, 10 bytes, CRC-32 */
    0x00, 0x00, 0x02,                                                       /* 1 chunk of 2 */
    0x01, 0x3f, 0x01, 0xff, 0x00, 0xbf, 0x00,                               /* 64 of 1, 256 and 192 of 0 */
    0x4f, 0x43, 0x43, 0x55, 0x02, 0x00, 0x00, 0x00, 0x1e, 0x5c, 0x78, 0xe3, /* OCCU, 2 bytes, CRC-32 */
    0x04, 0x01,                                                             /* 2 derived chunks */
    0x6e, 0x6f, 0x74, 0x65, 0x02, 0x00, 0x00, 0x00, 0xb0, 0x77, 0x68, 0x8a, /* note, 2 bytes, CRC-32 */
    0x68, 0x69,                                                             /* hi */
};
enum { LITERAL_BYTES = sizeof literal };

static vp_world *literal_world(void)
{
    vp_world *w = NULL;
    vp_world_def def = {{16, 8, 8}, NULL};
    assert_int_equal(vp_world_create(&def, &w, NULL), VP_OK);
    vp_world_fill_box(w, (vp_ivec3){0, 0, 0}, (vp_ivec3){8, 8, 8}, (vp_voxel){2, 255}, NULL, NULL);
    vp_world_fill_box(w, (vp_ivec3){8, 0, 0}, (vp_ivec3){16, 1, 8}, (vp_voxel){1, 255}, NULL, NULL);
    return w;
}

/* ---- tests ---- */

TEST(test_literal)
{
    vp_world *made = literal_world(), *read = NULL;
    vp_blob blob = {0}, note = {0};
    vp_error error;
    assert_int_equal(vp_world_encode(made, "hi", NULL, &blob, &error), VP_OK);
    assert_int_equal(blob.size, LITERAL_BYTES);
    assert_memory_equal(blob.bytes, literal, LITERAL_BYTES);
    assert_int_equal(decode(literal, LITERAL_BYTES, &read, &note, &error), VP_OK);
    assert_true(same_worlds(made, read));
    assert_int_equal(note.size, 2);
    assert_string_equal((const char *)note.bytes, "hi");
    assert_int_equal(vp_world_voxel(read, (vp_ivec3){7, 7, 7}).material, 2);
    assert_int_equal(vp_world_voxel(read, (vp_ivec3){8, 0, 7}).material, 1);
    assert_int_equal(vp_world_voxel(read, (vp_ivec3){8, 1, 0}).material, 0);
    assert_int_equal(vp_world_voxel(read, (vp_ivec3){8, 1, 0}).occupancy, 0);
    vp_blob_destroy(&blob);
    vp_blob_destroy(&note);
    vp_world_destroy(made);
    vp_world_destroy(read);
}

/* Every code that FORMATS.md describes, even if the writer would have chosen another. */
TEST(test_codes)
{
    uint8_t m[2048], o[2048];
    size_t n = 0;
    m[n++] = 0, m[n++] = 1, m[n++] = 9; /* chunks 0 and 1, material 9 */
    m[n++] = 1;                         /* chunk 2 is 256 of 3, 255 of 0, 1 of 7 */
    m[n++] = 255, m[n++] = 3, m[n++] = 254, m[n++] = 0, m[n++] = 0, m[n++] = 7;
    m[n++] = 2; /* chunk 3 is raw */
    for (unsigned i = 0; i < 512; i++)
        m[n++] = (uint8_t)(i * 7);
    m[n++] = 3, m[n++] = 2, m[n++] = 4, m[n++] = 200; /* chunk 4 is two values, one bit, which are 4 200 4 200 ... */
    memset(m + n, 0xaa, 64), n += 64;
    m[n++] = 3, m[n++] = 3, m[n++] = 0, m[n++] = 1, m[n++] = 2; /* chunk 5 is three values, two bits, which are 2 1 0 0 */
    memset(m + n, 0x06, 128), n += 128;
    m[n++] = 3, m[n++] = 5; /* chunk 6 is five values, four bits, which are 14 then 10 */
    for (uint8_t v = 10; v < 15; v++)
        m[n++] = v;
    memset(m + n, 0x04, 256), n += 256;
    m[n++] = 0, m[n++] = 0, m[n++] = 0; /* chunk 7 is air */
    size_t k = 0;
    o[k++] = 4, o[k++] = 6;             /* chunks 0 to 6 are derived */
    o[k++] = 0, o[k++] = 0, o[k++] = 5; /* chunk 7 is 5 */
    file_bytes f;
    begin(&f, 16, 16, 16);
    add(&f, "MATL", m, n);
    add(&f, "abcd", "whatever", 8); /* optional and unknown, so skipped */
    add(&f, "OCCU", o, k);
    vp_world *w = NULL;
    vp_blob note = {0};
    vp_error error;
    if (decode(f.bytes, f.size, &w, &note, &error) != VP_OK)
        fail_msg("%s", error.message);
    assert_int_equal(note.size, 0);
    assert_string_equal((const char *)note.bytes, "");
    const uint8_t *material = vp_world_bricks(w).material, *occupancy = vp_world_occupancy(w);
    for (unsigned i = 0; i < 512; i++) {
        assert_int_equal(material[i], 9);
        assert_int_equal(material[512 + i], 9);
        assert_int_equal(material[2 * 512 + i], i < 256 ? 3 : i < 511 ? 0 : 7);
        assert_int_equal(material[3 * 512 + i], (uint8_t)(i * 7));
        assert_int_equal(material[4 * 512 + i], i % 2 == 0 ? 4 : 200);
        assert_int_equal(material[5 * 512 + i], i % 4 == 0 ? 2 : i % 4 == 1 ? 1 : 0);
        assert_int_equal(material[6 * 512 + i], i % 2 == 0 ? 14 : 10);
        assert_int_equal(material[7 * 512 + i], 0);
        assert_int_equal(occupancy[2 * 512 + i], i < 256 || i == 511 ? 255 : 0);
        assert_int_equal(occupancy[7 * 512 + i], 5);
    }
    vp_blob_destroy(&note);
    vp_world_destroy(w);
}

TEST(test_bad_payloads)
{
    /* In a world of two chunks, the payload begins at byte 48. */
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } bad[] = {
        {"", 0, "byte 48: the section ends within the code of chunk 0"},
        {"\0\1", 2, "byte 50: the section ends within the code of chunk 0"},
        {"\0\0\2", 3, "byte 51: the section ends within the code of chunk 1"},
        {"\0\2\2", 3, "byte 49: 3 chunks where only 2 are left"},
        {"\0\1\2\0", 4, "byte 51: 1 bytes left in the section after the last chunk"},
        {"\5", 1, "byte 48: unknown code 5 for chunk 0"},
        {"\4\1", 2, "byte 48: unknown code 4 for chunk 0"}, /* occupancy only */
        {"\1\377\1\377\2\0\0", 7, "byte 55: the section ends within the code of chunk 1"},
        {"\1\377\1\376\2\1\0", 7, "byte 53: a run of 2 where only 1 voxels of chunk 0 are left"},
        {"\1\377\1", 3, "byte 51: the section ends within the code of chunk 0"},
        {"\2\1\1\1", 4, "byte 52: the section ends within the code of chunk 0"},
        {"\3", 1, "byte 49: the section ends within the code of chunk 0"},
        {"\3\1\0", 3, "byte 49: 1 values in a packed chunk"},
        {"\3\21\0", 3, "byte 49: 17 values in a packed chunk"},
        {"\3\2\0\1", 4, "byte 52: the section ends within the code of chunk 0"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        file_bytes f;
        begin(&f, 16, 8, 8);
        add(&f, "MATL", bad[i].bytes, bad[i].size);
        add(&f, "OCCU", "\4\1", 2);
        refused(&f, bad[i].why);
    }
    uint8_t packed[140] = {3, 3, 5, 5, 6};
    file_bytes f;
    begin(&f, 8, 8, 8);
    add(&f, "MATL", packed, 133);
    refused(&f, "byte 51: value 5 after 5 in a packed chunk does not ascend");
    packed[3] = 6, packed[4] = 7, packed[10] = 0xc0;
    begin(&f, 8, 8, 8);
    add(&f, "MATL", packed, 133);
    refused(&f, "byte 58: index 3 in a packed chunk of 3 values");
}

/* A section after others. */
typedef struct section {
    const char *tag, *payload;
    size_t size;
} section;

/* Worlds in which each code is the shortest for some chunk. The last chunk is noise of 2, 4, 16 or 256 values. */
TEST(test_round_trips)
{
    for (uint64_t seed = 1; seed <= 32; seed++) {
        vp_random r = {seed};
        const uint32_t kinds = 1u << (1u << seed % 4), bits = kinds <= 2 ? 1 : kinds <= 4 ? 2 : kinds <= 16 ? 4 : 8;
        const size_t noise = bits == 8 ? 513 : 2 + kinds + 64 * bits; /* that chunk's shortest code */
        vp_dims c = {1 + vp_random_below(&r, 6), 1 + vp_random_below(&r, 3), 1 + vp_random_below(&r, 6)};
        if (seed <= 8)
            c = (vp_dims){1, 1, 1};
        const char *text = seed % 3 == 0 ? NULL : seed % 3 == 1 ? "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xed\x9f\xbf" : "";
        vp_world *w = test_random_world(&r, c, NULL), *again = NULL;
        for (uint32_t i = 0; i < 512; i++)
            assert_ok(
                vp_world_set_voxel(w, (vp_ivec3){(int)(c.x * 8 - 1 - i % 8), (int)(c.y * 8 - 1 - i / 64), (int)(c.z * 8 - 1 - i / 8 % 8)},
                                   (vp_voxel){(uint8_t)vp_random_below(&r, kinds), (uint8_t)vp_random_below(&r, kinds)}, NULL, &error));
        vp_blob a = {0}, b = {0}, note = {0};
        assert_ok(vp_world_encode(w, text, NULL, &a, &error));
        assert_ok(decode(a.bytes, a.size, &again, &note, &error));
        assert_true(same_worlds(w, again));
        assert_string_equal((const char *)note.bytes, text != NULL ? text : "");
        assert_ok(vp_world_encode(again, text, NULL, &b, &error));
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.bytes, b.bytes, a.size);
        assert_true(a.size <= 72 + note.size + ((size_t)c.x * c.y * c.z - 1) * 2 * 513 + 2 * noise);
        vp_blob_destroy(&a);
        vp_blob_destroy(&b);
        vp_blob_destroy(&note);
        vp_world_destroy(w);
        vp_world_destroy(again);
    }
}

TEST(test_notes)
{
    enum { MOST = (1 << 20) - 1 };
    vp_world *w = literal_world(), *again = NULL;
    vp_blob blob = {0}, note = {0};
    char *text = malloc(MOST + 2);
    assert_non_null(text);
    memset(text, 'n', MOST + 1);
    text[MOST + 1] = '\0';
    assert_refused(vp_world_encode(w, text, NULL, &blob, &error), VP_E_ARGUMENT, "1048576");
    assert_refused(vp_world_encode(w, "ok\xff", NULL, &blob, &error), VP_E_ARGUMENT, "byte 2 of the note, 0xff, is not UTF-8");
    assert_null(blob.bytes);
    text[MOST] = '\0';
    assert_ok(vp_world_encode(w, text, NULL, &blob, &error));
    assert_ok(decode(blob.bytes, blob.size, &again, &note, &error));
    assert_int_equal(note.size, MOST);
    assert_string_equal((const char *)note.bytes, text);
    free(text);
    vp_blob_destroy(&blob);
    vp_blob_destroy(&note);
    vp_blob_destroy(&note); /* twice is harmless */
    vp_world_destroy(again);
    vp_world_destroy(w);
}
