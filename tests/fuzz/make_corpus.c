/* SPDX-License-Identifier: MIT */
/* Makes the files in corpus/: valid ones of every kind, small, for the fuzzers to start from. make_corpus FOLDER */
#include <voxphys/automaton.h>
#include <voxphys/world_file.h>

#include "datasets/random.h"
#include "tests/support/writer.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

static const char *root;

static void save(const char *target, const char *name, const void *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, target);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        perror(path);
        exit(1);
    }
    snprintf(path, sizeof path, "%s/%s/%s", root, target, name);
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

static void worlds(void)
{
    static const uint32_t kinds[] = {1, 2, 4, 16, 256};
    for (int n = 0; n < 5; n++) {
        vp_world *w = NULL;
        vp_world_def def = {{24, 8, 16}, NULL};
        vp_blob blob = {0};
        vp_random r = {(uint64_t)n + 1};
        if (vp_world_create(&def, &w, NULL) != VP_OK)
            exit(1);
        vp_world_fill_box(w, (vp_ivec3){0, 0, 0}, (vp_ivec3){24, 3, 16}, (vp_voxel){2, 255}, NULL, NULL);
        vp_world_fill_sphere(w, (vp_vec3){12, 4, 8}, 5, (vp_voxel){1, 200}, NULL, NULL);
        for (int i = 0; i < 512; i++) {
            vp_voxel v = {(uint8_t)vp_random_below(&r, kinds[n]), (uint8_t)vp_random_below(&r, kinds[n])};
            vp_world_set_voxel(w, (vp_ivec3){i % 8, i / 64, i / 8 % 8}, v, NULL, NULL);
        }
        if (vp_world_encode(w, n % 2 == 0 ? "a note, \xc3\xa4" : NULL, NULL, &blob, NULL) != VP_OK)
            exit(1);
        char name[32];
        snprintf(name, sizeof name, "noise-%u", kinds[n]);
        save("world_file", name, blob.bytes, blob.size);
        vp_blob_destroy(&blob);
        vp_world_destroy(w);
    }
}

static void states(void)
{
    for (uint64_t n = 0; n < 3; n++) {
        vp_automaton *a = NULL;
        vp_blob blob = {0};
        if (vp_automaton_create(&(vp_automaton_def){.size = {9, 8, 7}, .seed = n}, &a, NULL) != VP_OK)
            exit(1);
        for (int i = 0; i < 10; i++)
            vp_automaton_plant(a, (uint8_t)(VP_BEETLE + i), (vp_ivec3){i % 9, i * 3 % 8, i * 5 % 7}, false, NULL);
        if (vp_automaton_run(a, n * 4, NULL, NULL) != VP_OK || vp_automaton_encode(a, NULL, &blob, NULL) != VP_OK)
            exit(1);
        char name[32];
        snprintf(name, sizeof name, "garden-%d", (int)n);
        save("automaton_state", name, blob.bytes, blob.size);
        vp_blob_destroy(&blob);
        vp_automaton_destroy(a);
    }
}

/* Bits of a deflate stream, from the lowest of each byte up. */
static void put_bits(writer *w, size_t *bits, uint32_t value, int count)
{
    for (int k = 0; k < count; k++, (*bits)++) {
        if (*bits % 8 == 0)
            put_u8(w, 0);
        w->bytes[w->size - 1] |= (uint8_t)((value >> k & 1) << *bits % 8);
    }
}

/* Huffman codes come with their first bit first. */
static void put_code(writer *w, size_t *bits, uint32_t code, int count)
{
    for (int k = count - 1; k >= 0; k--)
        put_bits(w, bits, code >> k & 1, 1);
}

/* A zlib stream of 16,384 zeros: a literal, and repetitions of it, in deflate's fixed codes. */
static void put_zeros(writer *w)
{
    size_t bits = 0;
    put(w, "\x78\x01", 2);
    put_bits(w, &bits, 3, 3);    /* the last block, fixed codes */
    put_code(w, &bits, 0x30, 8); /* 0 */
    for (int i = 0; i < 63; i++) {
        put_code(w, &bits, 0xc5, 8); /* 258 bytes ... */
        put_code(w, &bits, 0, 5);    /* ... from one byte back */
    }
    put_code(w, &bits, 0xc0, 8); /* 115 and ... */
    put_bits(w, &bits, 14, 4);   /* ... 14 bytes */
    put_code(w, &bits, 0, 5);
    put_code(w, &bits, 0, 7); /* end */
    put_be32(w, 0x40000001);
}

static const block_name names[] = {{0, "default:stone"}, {7, "air"}, {9, "default:water_source"}};

static void put_old_block(writer *w, int version)
{
    put_u8(w, (uint32_t)version);
    put_u8(w, 0);
    if (version >= 27)
        put_be16(w, 0xffff);
    put(w, "\2\2", 2);
    put_zeros(w);
    put_zlib(w, (const uint8_t *)"\0", 1);     /* no metadata */
    put(w, "\0\0\1\7ABCDEFGHIJKL\0\3xyz", 21); /* one object */
    put_be32(w, 0xffffffff);
    put_block_names(w, names, 3);
    put(w, "\x0a\0\0", 3);
}

/* What a block of version 29 begins with when it is unpacked. */
static void put_head(writer *w)
{
    put(w, "\0\xff\xff\xff\xff\xff\xff", 7);
    put_block_names(w, names, 3);
    put(w, "\2\2", 2);
}

static void blocks(void)
{
    writer w = {NULL, 0, 0}, head = {NULL, 0, 0};
    put_head(&head);
    save("luanti_block", "unpacked-head", head.bytes, head.size);
    put_old_block(&w, 25);
    save("luanti_block", "whole-25", w.bytes, w.size);
    w.size = 0;
    put_old_block(&w, 28);
    save("luanti_block", "whole-28", w.bytes, w.size);
    w.size = 0;
    put_u8(&w, 29); /* zstd says "16,384 times this byte" in four bytes */
    put_le32(&w, 0xfd2fb528);
    put(&w, "\0\x58", 2);                           /* no size; a window of 2 MiB */
    put_number(&w, (uint32_t)head.size << 3, 3, 0); /* raw, not the last block */
    put(&w, head.bytes, head.size);
    put_number(&w, 16384u << 3 | 1u << 1 | 1u, 3, 0); /* one byte repeated, the last block */
    put_u8(&w, 0);
    save("luanti_block", "whole-29", w.bytes, w.size);
    writer_drop(&head);
    writer_drop(&w);
}

static void models(void)
{
    static const uint8_t corner[3][4] = {{0, 0, 0, 1}, {2, 0, 0, 2}, {0, 1, 3, 255}};
    static const uint32_t children[2] = {2, 4};
    writer chunks = {NULL, 0, 0}, w = {NULL, 0, 0};
    put_vox_model(&chunks, 3, 2, 4, corner, 3);
    put_vox_model(&chunks, 3, 2, 4, corner, 2);
    put_vox(&w, &chunks);
    save("vox", "two-models", w.bytes, w.size);
    w.size = 0;
    put_vox_transform(&chunks, 0, 1, NULL, NULL, 0);
    put_vox_group(&chunks, 1, children, 2);
    put_vox_transform(&chunks, 2, 3, "10 0 0", "20", 0);
    put_vox_shape(&chunks, 3, 0);
    put_vox_transform(&chunks, 4, 5, "-3 4 5", "17", 1);
    put_vox_shape(&chunks, 5, 1);
    put_vox(&w, &chunks);
    save("vox", "scene", w.bytes, w.size);
    writer_drop(&w);
    writer_drop(&chunks);
}

/* Parts of a recording, as record.c reads them: a layer, a shape, a frame. */
static void recording(const char *name, const char *layer, const char *frame, size_t size)
{
    static const char shape[] = "\x0a\1\0\0\0\0\0\0\xf0\x3f\2\x13\4\0\0\0\0\0\0\xf0\x3f\1\1\0\0\0\0\1\1\1\0"; /* a sphere, a mesh */
    char header[512];
    writer w = {NULL, 0, 0};
    const int length = snprintf(header, sizeof header,
                                "{\"format\":\"voxphys-record\",\"version\":1,\"type\":\"\",\"title\":\"\",\"layers\":[%s]}", layer);
    put(&w, "\2\1", 2);
    put_u8(&w, (uint32_t)length & 255);
    put_u8(&w, (uint32_t)length >> 8);
    put_u8(&w, sizeof shape - 1);
    put_u8(&w, 0);
    put(&w, header, (size_t)length);
    put(&w, shape, sizeof shape - 1);
    put(&w, frame, size);
    save("record", name, w.bytes, w.size);
    writer_drop(&w);
}

static void recordings(void)
{
#define RECORDING(name, layer, frame) recording(name, layer, frame, sizeof frame - 1)
    RECORDING("items", "{\"name\":\"a\",\"kind\":\"items\",\"scale\":1,\"columns\":[{\"name\":\"x\"}]}",
              "\x1a\1\x18\0\1\7\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\xf0\x3f\0\0");
    RECORDING("points", "{\"name\":\"a\",\"kind\":\"array\",\"draw\":\"points\",\"scale\":1}", "\x06\1\4\1\2\4\6");
    RECORDING("texts", "{\"name\":\"a\",\"kind\":\"texts\",\"placed\":true,\"scale\":8}", "\x08\1\6\1\2\4\6\1x");
    RECORDING("scalars", "{\"name\":\"a\",\"kind\":\"scalars\",\"columns\":[{\"name\":\"x\"}]}", "\x0a\1\x08\0\0\0\0\0\0\xf0\x3f");
    RECORDING("voxels", "{\"name\":\"a\",\"kind\":\"voxels\",\"low\":[0,0,0],\"size\":[4,1,1]}", "\x05\1\3\1\3\1");
}

static void pictures(void)
{
    writer w = {NULL, 0, 0};
    put_png(&w, 4, 2, 8, 0, (const uint8_t *)"\0\1\2\3\4\5\6\7");
    save("png", "grey-8", w.bytes, w.size);
    w.size = 0;
    put_png(&w, 2, 2, 16, 0, (const uint8_t *)"\0\1\1\0\0\7\0\x40");
    save("png", "grey-16", w.bytes, w.size);
    w.size = 0;
    put_png(&w, 1, 1, 8, 2, (const uint8_t *)"abc");
    save("png", "colour", w.bytes, w.size);
    w.size = 0;
    put(&w, "\3\2\0\2\0\1\2\0\0\x80\x3f\0\0", 13); /* 3 x 2, water to 2, scale 1 */
    put(&w, "\0\0\1\0\2\0\5\0\4\0\x10\0", 12);
    save("raw", "little", w.bytes, w.size);
    w.bytes[2] = 3;
    save("raw", "big-signed", w.bytes, w.size);
    writer_drop(&w);
}

static void edits(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        uint8_t bytes[96];
        vp_random r = {seed};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)vp_random_next(&r);
        char name[32];
        snprintf(name, sizeof name, "random-%d", (int)seed);
        save("edits", name, bytes, sizeof bytes);
    }
}

/* Triangles over few corners, and questions: more bytes than either needs. The third has quads, the fourth wrong indices. */
static void trees(void)
{
    static const uint8_t flags[] = {0, 2, 1, 14};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        uint8_t bytes[700];
        vp_random r = {seed};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)vp_random_next(&r);
        bytes[0] = flags[seed - 1];
        for (size_t i = 0; i < 40; i++) /* finite corners for the most part: see point() in trees.c */
            bytes[3 + 4 * i] = (uint8_t)(bytes[3 + 4 * i] | 1);
        char name[32];
        snprintf(name, sizeof name, "random-%d", (int)seed);
        save("trees", name, bytes, sizeof bytes);
    }
}

/* Solid and water to begin with, then anything. */
static void terrain(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        uint8_t bytes[180];
        vp_random r = {seed};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)vp_random_next(&r);
        static const uint8_t begin[] = {0, 9, 255, 0, 0, 0, 31, 11, 31, 0, 5, 255, 12, 12, 9, 28, 15, 30};
        memcpy(bytes + 1, begin, sizeof begin);
        char name[32];
        snprintf(name, sizeof name, "random-%d", (int)seed);
        save("terrain", name, bytes, sizeof bytes);
    }
}

/* Points of every kind, with several options; more bytes than are needed of most. See points_of in hull.c. */
static void hulls(void)
{
    for (uint8_t mode = 0; mode < 8; mode++) {
        uint8_t bytes[250];
        vp_random r = {mode + UINT64_C(1)};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)vp_random_next(&r);
        const uint8_t begin[] = {(uint8_t)(mode % 2), (uint8_t)(mode == 6 ? 20 : 0), mode, 1, (uint8_t)(10 + 7 * mode)};
        memcpy(bytes, begin, sizeof begin);
        if (mode == 7) { /* a lattice of its own step, and a tolerance */
            static const uint8_t other[] = {4, 0, 10, 1, 128, 50};
            memcpy(bytes, other, sizeof other);
        }
        if (mode == 1 || mode == 5) { /* few vertices, and planes around all points */
            static const uint8_t few[] = {8 | 32, 0, 6, 5, 1, 50};
            memcpy(bytes, few, sizeof few);
        }
        if (mode == 2) { /* some points outside */
            static const uint8_t some[] = {16, 0, 17, 2, 1, 50};
            memcpy(bytes, some, sizeof some);
        }
        for (size_t i = 5; mode == 0 && i < sizeof bytes; i += 4) /* finite */
            bytes[i] = (uint8_t)(0x3c | (bytes[i] & 0x83));
        char name[32];
        snprintf(name, sizeof name, "kind-%d", (int)mode);
        save("hull", name, bytes, sizeof bytes);
    }
}

/* In the short form that block_region.c reads: by a codec, some chunks of one type, some of bytes, one of words. */
static void regions(void)
{
    static const char *const codecs[2] = {"raw", "runs"};
    for (uint32_t n = 0; n < 4; n++) {
        writer w = {0};
        char codec[8] = "";
        memcpy(codec, codecs[n != 0], strlen(codecs[n != 0]));
        put(&w, "\x89VPB\r\n\x1a\n\1\0\0\0", 12);
        put_le32(&w, n);
        put_le32(&w, 0 - n);
        put_le32(&w, 3);
        put(&w, codec, 8);
        put(&w, "\0\0\0\0\0\0\0\0\0\0\0\0", 12); /* size and checksum */
        put_u8(&w, 1 + n);
        for (uint32_t i = 0; i <= n; i++) { /* at place 3i: of one type; then coded bytes, and in the end words */
            const uint32_t pairs = i == 0 ? 0 : i == 3 ? 2 : 1;
            put_le16(&w, 3 * i);
            put_le32(&w, 0);
            put_le32(&w, 2 * pairs);
            put_le32(&w, 0);
            put_le16(&w, i == 0 ? 1 : 16 + 1 + pairs);
            put_le16(&w, i == 0 ? 300 : 0);
        }
        for (uint32_t i = 1; i <= n; i++)
            put(&w, "\x80\7\x80\1", i == 3 ? 4 : 2);
        char name[16];
        snprintf(name, sizeof name, "short-%u", n);
        save("block_region", name, w.bytes, w.size);
        writer_drop(&w);
    }
}

/* Files of hulls, and soups of triangles. */
static void decompositions(void)
{
    static const char
        obj[] = "# two\nmtllib a.mtl\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1//1 4//1 \\\n3\nf -4 -3 -1\nf 2/1 3 4\n"
                "g b\no b\nv -1 0 0\nusemtl c\nf 1 2 3 5\nl 1 2\n",
        points[] = "#\ng a\nv 1e3 -2.5 0x1p-3 1\nv 0 0 0\nv 0 0 -0\ng b\nv 1 2 3\n",
        json[] = "{\"hulls\": [{\"points\": [[0, 0, 0], [1, 0, 0], [0, 1e3, 0], [0, 0, 0.5], [0, 0, 0]], \"triangles\": [[0, 2, 1], "
                 "[4, 3, 2], [0, 1, 3], [1, 2, 3]], \"of\": [0, 7]}, {\"points\": [[1, 2, 3]]}]}";
    save("decompose", "objects", obj, sizeof obj - 1);
    save("decompose", "points", points, sizeof points - 1);
    save("decompose", "json", json, sizeof json - 1);
    static const uint8_t options[] = {0, 1, 2, 7, 8, 16, 32, 64, 128};
    for (size_t n = 0; n < sizeof options; n++) {
        uint8_t bytes[90];
        vp_random r = {n + UINT64_C(1)};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)vp_random_below(&r, 16);
        bytes[0] = options[n];
        bytes[2] = (uint8_t)(5 + n);
        bytes[3] = (uint8_t)(4 + 2 * n);
        char name[32];
        snprintf(name, sizeof name, "soup-%u", (unsigned)options[n]);
        save("decompose", name, bytes, sizeof bytes);
    }
}

/* Every shape, of small numbers and of others; see number() and shape_of() in collide.c. */
static void collisions(void)
{
    for (uint8_t seed = 1; seed <= 6; seed++) {
        uint8_t bytes[300];
        vp_random r = {seed};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)vp_random_next(&r);
        const uint8_t begin[] = {(uint8_t)(seed == 6 ? 1 : seed % 2 * 64), (uint8_t)(seed - 1), 12};
        memcpy(bytes, begin, sizeof begin);
        char name[32];
        snprintf(name, sizeof name, "random-%d", (int)seed);
        save("collide", name, bytes, sizeof bytes);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_corpus FOLDER\n");
        return 2;
    }
    root = argv[1];
    worlds();
    states();
    blocks();
    models();
    pictures();
    recordings();
    edits();
    trees();
    hulls();
    terrain();
    regions();
    decompositions();
    collisions();
    return 0;
}
