/* SPDX-License-Identifier: MIT */
/* World files. Expectations are bytes typed by hand, files put together here (with a checksum of our own, bit by bit),
   and the properties: what is written is read again, what is damaged is refused. */
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/folder.h"

#include <voxphys/world_file.h>

#include "src/core/crc32.h"
#include "datasets/random.h"

/* ---- an allocator that counts, and fails when told to ---- */

typedef struct counter {
    long live, calls, fail_at; /* fail_at: number of the call that fails, from 1; 0: none */
    size_t largest;
} counter;

static void *counted_allocate(void *user, size_t bytes, size_t alignment)
{
    counter *c = user;
    c->calls++;
    c->largest = bytes > c->largest ? bytes : c->largest;
    if (c->calls == c->fail_at)
        return NULL;
    c->live++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void counted_release(void *user, void *block, size_t bytes)
{
    (void)bytes;
    ((counter *)user)->live--;
    free(block);
}

static vp_allocator counted(counter *c)
{
    return (vp_allocator){c, counted_allocate, counted_release};
}

/* ---- files put together here ---- */

typedef struct file {
    uint8_t bytes[8192];
    size_t size;
} file;

static uint32_t slow_crc(const uint8_t *bytes, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return crc ^ 0xffffffff;
}

static void put32(uint8_t *p, size_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

/* Writes the header again: the size of the file and the checksum. */
static void seal(file *f)
{
    put32(f->bytes + 24, f->size);
    put32(f->bytes + 28, 0);
    put32(f->bytes + 32, slow_crc(f->bytes, 32));
}

static void begin(file *f, uint32_t x, uint32_t y, uint32_t z)
{
    static const uint8_t start[12] = {0x89, 0x56, 0x50, 0x57, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0};
    memcpy(f->bytes, start, 12);
    put32(f->bytes + 12, x);
    put32(f->bytes + 16, y);
    put32(f->bytes + 20, z);
    f->size = 36;
    seal(f);
}

static void add(file *f, const char *tag, const void *payload, size_t size)
{
    uint8_t *head = f->bytes + f->size, checked[8192];
    memcpy(head, tag, 4);
    put32(head + 4, size);
    memcpy(head + 12, payload, size);
    memcpy(checked, head, 8);
    memcpy(checked + 8, payload, size);
    put32(head + 8, slow_crc(checked, size + 8));
    f->size += 12 + size;
    seal(f);
}

/* Decodes an exact-size copy, so that a sanitizer sees a read beyond it. */
static vp_status decode(const uint8_t *bytes, size_t size, vp_world **world, vp_blob *note, vp_error *error)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    vp_status status = vp_world_decode(copy, size, NULL, world, note, error);
    free(copy);
    return status;
}

static void refused(const file *f, const char *why)
{
    counter c = {0};
    vp_allocator allocator = counted(&c);
    vp_world *world = NULL;
    vp_blob note = {0};
    vp_error error;
    vp_status status = vp_world_decode(f->bytes, f->size, &allocator, &world, &note, &error);
    if (status != VP_E_FORMAT || strstr(error.message, why) == NULL)
        fail_msg("expected a refusal with '%s', got %s: %s", why, vp_status_name(status), error.message);
    assert_int_equal(error.status, VP_E_FORMAT);
    assert_null(world);
    assert_null(note.bytes);
    assert_int_equal(c.calls, 0); /* a file that is refused has cost no memory */
}

/* Two chunks: one of rock, one with a layer of water at the bottom; occupancy that follows; a note. Typed by hand, the
   checksums by another program. */
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
    0x04, 0x01,                                                             /* 2 chunks that follow */
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

static bool same_world(const vp_world *a, const vp_world *b)
{
    vp_dims s = vp_world_size(a), t = vp_world_size(b);
    if (s.x != t.x || s.y != t.y || s.z != t.z)
        return false;
    size_t n = (size_t)s.x * s.y * s.z;
    return memcmp(vp_world_bricks(a).material, vp_world_bricks(b).material, n) == 0 &&
           memcmp(vp_world_occupancy(a), vp_world_occupancy(b), n) == 0;
}

/* ---- tests ---- */

static void test_crc(void **state)
{
    (void)state;
    assert_int_equal(vp_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(vp_crc32(vp_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
    assert_int_equal(vp_crc32(0, "", 0), 0);
    for (unsigned v = 0; v < 256; v++) {
        uint8_t bytes[2] = {(uint8_t)v, 0x5a};
        assert_int_equal(vp_crc32(0, bytes, 2), slow_crc(bytes, 2));
    }
}

static void test_literal(void **state)
{
    (void)state; /* docs/CONTRACT.md: FIL-1 */
    vp_world *made = literal_world(), *read = NULL;
    vp_blob blob = {0}, note = {0};
    vp_error error;
    assert_int_equal(vp_world_encode(made, "hi", NULL, &blob, &error), VP_OK);
    assert_int_equal(blob.size, LITERAL_BYTES);
    assert_memory_equal(blob.bytes, literal, LITERAL_BYTES);
    assert_int_equal(decode(literal, LITERAL_BYTES, &read, &note, &error), VP_OK);
    assert_true(same_world(made, read));
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

/* Every code, as FORMATS.md describes it, also where the writer would have chosen another. */
static void test_codes(void **state)
{
    (void)state;
    uint8_t m[2048], o[2048];
    size_t n = 0;
    m[n++] = 0, m[n++] = 1, m[n++] = 9; /* chunks 0 and 1: material 9 */
    m[n++] = 1;                         /* chunk 2: 256 of 3, 255 of 0, 1 of 7 */
    m[n++] = 255, m[n++] = 3, m[n++] = 254, m[n++] = 0, m[n++] = 0, m[n++] = 7;
    m[n++] = 2; /* chunk 3: raw */
    for (unsigned i = 0; i < 512; i++)
        m[n++] = (uint8_t)(i * 7);
    m[n++] = 3, m[n++] = 2, m[n++] = 4, m[n++] = 200; /* chunk 4: two values, one bit: 4 200 4 200 ... */
    memset(m + n, 0xaa, 64), n += 64;
    m[n++] = 3, m[n++] = 3, m[n++] = 0, m[n++] = 1, m[n++] = 2; /* chunk 5: three values, two bits: 2 1 0 0 */
    memset(m + n, 0x06, 128), n += 128;
    m[n++] = 3, m[n++] = 5; /* chunk 6: five values, four bits: 14 then 10 */
    for (uint8_t v = 10; v < 15; v++)
        m[n++] = v;
    memset(m + n, 0x04, 256), n += 256;
    m[n++] = 0, m[n++] = 0, m[n++] = 0; /* chunk 7: air */
    size_t k = 0;
    o[k++] = 4, o[k++] = 6;             /* chunks 0 to 6 follow */
    o[k++] = 0, o[k++] = 0, o[k++] = 5; /* chunk 7: 5 */
    file f;
    begin(&f, 16, 16, 16);
    add(&f, "MATL", m, n);
    add(&f, "abcd", "whatever", 8); /* optional and unknown: passed over */
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

static void test_bad_payloads(void **state)
{
    (void)state;
    /* In a world of two chunks; the payload begins at byte 48. */
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
        {"\4\1", 2, "byte 48: unknown code 4 for chunk 0"}, /* only of occupancy */
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
        file f;
        begin(&f, 16, 8, 8);
        add(&f, "MATL", bad[i].bytes, bad[i].size);
        add(&f, "OCCU", "\4\1", 2);
        refused(&f, bad[i].why);
    }
    uint8_t packed[140] = {3, 3, 5, 5, 6};
    file f;
    begin(&f, 8, 8, 8);
    add(&f, "MATL", packed, 133);
    refused(&f, "byte 51: value 5 after 5 in a packed chunk does not ascend");
    packed[3] = 6, packed[4] = 7, packed[10] = 0xc0;
    begin(&f, 8, 8, 8);
    add(&f, "MATL", packed, 133);
    refused(&f, "byte 58: index 3 in a packed chunk of 3 values");
}

static void test_bad_files(void **state)
{
    (void)state;
    static const char *const no_note[] = {
        "\xff",     "\x80", "a\xc0\x80",   "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xe2\x82", "\xc3", "\xe2\x28\xa1"};
    file f;
    begin(&f, 8, 8, 8);
    refused(&f, "byte 36: the file ends without a MATL section");
    add(&f, "MATL", "\0\0\2", 3);
    refused(&f, "byte 51: the file ends without an OCCU section");
    file whole = f;
    add(&whole, "OCCU", "\4\0", 2);
    for (size_t i = 0; i < sizeof no_note / sizeof no_note[0]; i++) {
        f = whole;
        add(&f, "note", no_note[i], strlen(no_note[i]));
        refused(&f, "in the note is not UTF-8");
    }
    f = whole;
    add(&f, "note", "a\0b", 3);
    refused(&f, "byte 78: 0x00 in the note is not UTF-8");
    f = whole;
    add(&f, "note", "a", 1);
    add(&f, "note", "a", 1);
    refused(&f, "byte 78: a second note section");
    f = whole;
    add(&f, "MATL", "\0\0\2", 3);
    refused(&f, "byte 65: a second MATL section");
    f = whole;
    add(&f, "OCCU", "\4\0", 2);
    refused(&f, "byte 65: a second OCCU section");
    f = whole;
    add(&f, "Edge", "", 0);
    refused(&f, "byte 65: section Edge is required and unknown");
    f = whole;
    add(&f, "ab d", "", 0);
    refused(&f, "byte 67: 0x20 in a section's tag is not a letter");
    f = whole;
    f.bytes[f.size++] = 0;
    refused(&f, "byte 65: the file goes on to byte 66");
    seal(&f);
    refused(&f, "byte 65: 1 bytes left where a section's head has 12");
    f = whole;
    f.bytes[8] = 2;
    seal(&f);
    refused(&f, "byte 8: version 2 is unknown");
    f = whole;
    f.bytes[11] = 0x80;
    seal(&f);
    refused(&f, "version 2147483649 is unknown");
    f = whole;
    f.bytes[0] = 0x88;
    refused(&f, "not a VPW world file");
    f = whole;
    put32(f.bytes + 40, 0xffffffff);
    refused(&f, "byte 40: section MATL has 4294967295 bytes where only 17 are left");
    begin(&f, 8, 8, 8);
    add(&f, "OCCU", "\4\0", 2);
    refused(&f, "byte 36: the OCCU section comes before MATL");
    static const uint32_t sizes[][3] = {{0, 8, 8},    {8, 0, 8},   {8, 8, 0},    {12, 8, 8},        {8, 9, 8},
                                        {2056, 8, 8}, {8, 264, 8}, {8, 8, 2056}, {0x80000000, 8, 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        begin(&f, sizes[i][0], sizes[i][1], sizes[i][2]);
        add(&f, "MATL", "\0\0\2", 3);
        add(&f, "OCCU", "\4\0", 2);
        refused(&f, "byte 12: no world has");
    }
    begin(&f, 2048, 256, 2048); /* says 2 GiB, holds nothing of it */
    add(&f, "MATL", "\0\377\2", 3);
    add(&f, "OCCU", "\4\377", 2);
    refused(&f, "byte 51: the section ends within the code of chunk 256");
}

static void test_damage(void **state)
{
    (void)state;
    vp_error error;
    for (size_t size = 0; size < LITERAL_BYTES; size++) {
        vp_world *w = NULL;
        assert_int_equal(decode(literal, size, &w, NULL, &error), VP_E_FORMAT);
        char where[32];
        snprintf(where, sizeof where, "byte %zu: the file ", size);
        assert_memory_equal(error.message, where, strlen(where));
        assert_null(w);
    }
    uint8_t copy[LITERAL_BYTES];
    memcpy(copy, literal, LITERAL_BYTES);
    for (size_t bit = 0; bit < LITERAL_BYTES * 8; bit++) {
        vp_world *w = NULL;
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (decode(copy, LITERAL_BYTES, &w, NULL, &error) != VP_E_FORMAT)
            fail_msg("bit %zu of byte %zu was flipped unnoticed", bit % 8, bit / 8);
        assert_memory_equal(error.message, "byte ", 5);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

/* A world in which every code is the shortest somewhere. */
static vp_world *random_world(vp_random *r)
{
    vp_world *w = NULL;
    vp_world_def def = {{8 + 8 * vp_random_below(r, 12), 8 + 8 * vp_random_below(r, 3), 8 + 8 * vp_random_below(r, 12)}, NULL};
    assert_int_equal(vp_world_create(&def, &w, NULL), VP_OK);
    vp_dims s = def.size;
    for (uint32_t n = vp_random_below(r, 20); n > 0; n--) {
        vp_vec3 centre = {vp_random_between(r, 0, (float)s.x), vp_random_between(r, 0, (float)s.y), vp_random_between(r, 0, (float)s.z)};
        vp_voxel v = {(uint8_t)vp_random_below(r, 5), (uint8_t)(vp_random_below(r, 2) != 0 ? 255 : vp_random_next(r))};
        vp_world_fill_sphere(w, centre, vp_random_between(r, 0, 14), v, NULL, NULL);
    }
    for (uint32_t n = vp_random_below(r, 4); n > 0; n--) { /* chunks of noise of 2, 4, 16 or 256 values */
        uint32_t kinds = 1u << (1u << vp_random_below(r, 4));
        uint32_t x = vp_random_below(r, s.x), y = vp_random_below(r, s.y), z = vp_random_below(r, s.z);
        for (uint32_t i = 0; i < 512; i++)
            vp_world_set_voxel(w, (vp_ivec3){(int)(x / 8 * 8 + i % 8), (int)(y / 8 * 8 + i / 64), (int)(z / 8 * 8 + i / 8 % 8)},
                               (vp_voxel){(uint8_t)vp_random_below(r, kinds), (uint8_t)vp_random_below(r, kinds)}, NULL, NULL);
    }
    return w;
}

static void test_round_trips(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        vp_random r = {seed};
        vp_world *w = random_world(&r), *again = NULL;
        vp_blob a = {0}, b = {0}, note = {0};
        vp_error error;
        const char *text = seed % 3 == 0 ? NULL : seed % 3 == 1 ? "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xed\x9f\xbf" : "";
        assert_int_equal(vp_world_encode(w, text, NULL, &a, &error), VP_OK);
        if (decode(a.bytes, a.size, &again, &note, &error) != VP_OK)
            fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
        if (!same_world(w, again))
            fail_msg("seed %llu: another world came back", (unsigned long long)seed);
        assert_string_equal((const char *)note.bytes, text != NULL ? text : "");
        assert_int_equal(vp_world_encode(again, text, NULL, &b, &error), VP_OK);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.bytes, b.bytes, a.size);
        vp_dims c = vp_world_chunks(w);
        assert_true(a.size <= 72 + strlen((const char *)note.bytes) + (size_t)c.x * c.y * c.z * 2 * 513);
        vp_blob_destroy(&a);
        vp_blob_destroy(&b);
        vp_blob_destroy(&note);
        vp_world_destroy(w);
        vp_world_destroy(again);
    }
}

static void test_notes(void **state)
{
    (void)state;
    vp_world *w = literal_world(), *again = NULL;
    vp_blob blob = {0}, note = {0};
    vp_error error;
    char *text = malloc(1 << 20 | 1);
    assert_non_null(text);
    memset(text, 'n', 1 << 20);
    text[1 << 20] = '\0';
    assert_int_equal(vp_world_encode(w, text, NULL, &blob, &error), VP_E_ARGUMENT);
    assert_non_null(strstr(error.message, "1048576"));
    assert_null(blob.bytes);
    text[(1 << 20) - 1] = '\0';
    assert_int_equal(vp_world_encode(w, text, NULL, &blob, &error), VP_OK);
    assert_int_equal(decode(blob.bytes, blob.size, &again, &note, &error), VP_OK);
    assert_int_equal(note.size, (1 << 20) - 1);
    assert_string_equal((const char *)note.bytes, text);
    free(text);
    vp_blob_destroy(&blob);
    vp_blob_destroy(&note);
    vp_blob_destroy(&note); /* twice does no harm */
    vp_world_destroy(again);
    assert_int_equal(vp_world_encode(w, "ok\xff", NULL, &blob, &error), VP_E_ARGUMENT);
    assert_string_equal(error.message, "byte 2 of the note, 0xff, is not UTF-8");
    vp_world_destroy(w);
}

static void test_no_memory(void **state)
{
    (void)state;
    vp_world *w = literal_world();
    int failures = 0;
    for (long n = 1;; n++) {
        counter c = {.fail_at = n};
        vp_allocator allocator = counted(&c);
        vp_world *read = NULL;
        vp_blob blob = {0}, note = {0};
        vp_error error;
        vp_status first = vp_world_encode(w, "hi", &allocator, &blob, &error);
        vp_status second = vp_world_decode(literal, LITERAL_BYTES, &allocator, &read, &note, &error);
        if (first == VP_OK)
            assert_memory_equal(blob.bytes, literal, LITERAL_BYTES);
        else
            assert_null(blob.bytes);
        if (second != VP_OK)
            assert_true(read == NULL && note.bytes == NULL && error.status == VP_E_MEMORY);
        vp_blob_destroy(&blob);
        vp_blob_destroy(&note);
        vp_world_destroy(read);
        assert_int_equal(c.live, 0);
        if (c.calls < n) {
            assert_true(first == VP_OK && second == VP_OK);
            break;
        }
        assert_true((first == VP_E_MEMORY) != (second == VP_E_MEMORY));
        failures++;
    }
    assert_int_equal(failures, 5); /* file; world, its two arrays, note */
    vp_world_destroy(w);
}

/* ---- on disk ---- */

static int begin_group(void **state)
{
    (void)state;
    return make_folder();
}

static int end_group(void **state)
{
    (void)state;
    return drop_folder();
}

static void test_save(void **state)
{
    (void)state;
    vp_error error;
    vp_world *w = literal_world(), *again = NULL;
    const char *path = in_folder("a.vpw");
    assert_int_equal(vp_world_save(w, "hi", path, &error), VP_OK);
    assert_file_is(path, literal, LITERAL_BYTES);
    assert_int_equal(entries(), 1);
    assert_int_equal(vp_world_load(path, NULL, &again, NULL, &error), VP_OK);
    assert_true(same_world(w, again));
    vp_world_destroy(again);
    write_file(path, "old", 3); /* over an old file, whose permissions stay */
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(vp_world_save(w, "hi", path, &error), VP_OK);
    assert_file_is(path, literal, LITERAL_BYTES);
    struct stat about = {0};
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    char link[128]; /* through a link */
    snprintf(link, sizeof link, "%s/link.vpw", folder);
    assert_int_equal(symlink("a.vpw", link), 0);
    write_file(path, "old", 3);
    assert_int_equal(vp_world_save(w, "hi", link, &error), VP_OK);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_file_is(in_folder("a.vpw"), literal, LITERAL_BYTES);
    assert_int_equal(entries(), 2);
    vp_world_destroy(w);
}

static void test_save_fails(void **state)
{
    (void)state;
    vp_error error;
    vp_world *w = literal_world();
    const char *path = in_folder("kept.vpw");
    write_file(path, "old", 3);
    int before = entries();
    /* The disk is full: no file may grow beyond 50 bytes. */
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, SIG_IGN);
    small = limit;
    small.rlim_cur = 50;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    vp_status status = vp_world_save(w, "hi", path, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(status, VP_E_IO);
    assert_non_null(strstr(error.message, "while writing byte 50"));
    assert_file_is(path, "old", 3);
    assert_int_equal(entries(), before);

    assert_int_equal(vp_world_save(w, NULL, in_folder("no/such.vpw"), &error), VP_E_IO);
    assert_non_null(strstr(error.message, "no/such.vpw"));
    assert_int_equal(vp_world_save(w, NULL, folder, &error), VP_E_IO);
    assert_non_null(strstr(error.message, "not a regular file"));
    assert_int_equal(vp_world_save(w, NULL, "/dev/null", &error), VP_E_IO);
    assert_int_equal(vp_world_save(w, NULL, "", &error), VP_E_IO);
    assert_int_equal(vp_world_save(w, "\xff", in_folder("kept.vpw"), &error), VP_E_ARGUMENT);
    assert_file_is(in_folder("kept.vpw"), "old", 3);
    assert_int_equal(entries(), before);
    vp_world_destroy(w);
}

static void test_load_fails(void **state)
{
    (void)state;
    vp_error error;
    vp_world *w = NULL;
    assert_int_equal(vp_world_load(in_folder("none.vpw"), NULL, &w, NULL, &error), VP_E_IO);
    assert_non_null(strstr(error.message, "none.vpw"));
    assert_int_equal(vp_world_load(folder, NULL, &w, NULL, &error), VP_E_IO);
    assert_int_equal(vp_world_load("/dev/zero", NULL, &w, NULL, &error), VP_E_IO);
    write_file(in_folder("empty.vpw"), "", 0);
    assert_int_equal(vp_world_load(in_folder("empty.vpw"), NULL, &w, NULL, &error), VP_E_FORMAT);
    assert_string_equal(error.message, "byte 0: the file is empty");
    write_file(in_folder("good.vpw"), literal, LITERAL_BYTES);
    for (long n = 1; n <= 5; n++) { /* bytes of the file; world, its two arrays, note */
        counter c = {.fail_at = n};
        vp_allocator allocator = counted(&c);
        vp_blob note = {0};
        assert_int_equal(vp_world_load(in_folder("good.vpw"), &allocator, &w, &note, &error), VP_E_MEMORY);
        assert_int_equal(c.live, 0);
    }
    assert_null(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc),          cmocka_unit_test(test_literal),    cmocka_unit_test(test_codes),
        cmocka_unit_test(test_bad_payloads), cmocka_unit_test(test_bad_files),  cmocka_unit_test(test_damage),
        cmocka_unit_test(test_round_trips),  cmocka_unit_test(test_notes),      cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_save),         cmocka_unit_test(test_save_fails), cmocka_unit_test(test_load_fails),
    };
    return cmocka_run_group_tests_name("world_file", tests, begin_group, end_group);
}
