/* SPDX-License-Identifier: MIT */
/* The importers of heightmaps and MagicaVoxel files, on files that support/writer.h makes byte by byte. Expectations are typed by hand. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdbool.h>

#include "tests/support/folder.h"
#include "tests/support/writer.h"

#include <voxphys/import.h>

typedef vp_status importer(const void *, size_t, const vp_import_def *, vp_world **, vp_blob *, vp_error *);

static vp_status import_raw(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *to)
{
    vp_import_def raw = *def;
    raw.format = VP_IMPORT_RAW;
    return vp_import_heightmap(bytes, size, &raw, out, note, to);
}

/* Imports an exact-size copy, so that a sanitizer sees a read past its end. */
static vp_status import(importer *how, const void *bytes, size_t size, const vp_import_def *options, vp_world **out, vp_blob *note,
                        vp_error *error)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    assert_non_null(copy);
    if (size != 0)
        memcpy(copy, bytes, size);
    vp_status status = how(copy, size, options, out, note, error);
    free(copy);
    return status;
}

static void refused(importer *how, const writer *w, const vp_import_def *options, vp_status expected, const char *why)
{
    vp_world *world = NULL;
    vp_blob note = {0};
    assert_refused(import(how, w->bytes, w->size, options, &world, &note, &error), expected, why);
    assert_null(world);
    assert_null(note.bytes);
}

static void assert_size(const vp_world *w, uint32_t x, uint32_t y, uint32_t z)
{
    vp_dims s = vp_world_size(w);
    if (s.x != x || s.y != y || s.z != z)
        fail_msg("a world of %u x %u x %u instead of %u x %u x %u", s.x, s.y, s.z, x, y, z);
}

/* x, y, z, material and occupancy of some voxels. */
static void assert_voxels(const vp_world *w, const int (*of)[5], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const vp_voxel v = vp_world_voxel(w, (vp_ivec3){of[i][0], of[i][1], of[i][2]});
        if (v.material != of[i][3] || v.occupancy != of[i][4])
            fail_msg("voxel (%d, %d, %d) is %u/%u instead of %d/%d", of[i][0], of[i][1], of[i][2], v.material, v.occupancy, of[i][3],
                     of[i][4]);
    }
}
#define ASSERT_VOXELS(w, ...) assert_voxels(w, (const int[][5]){__VA_ARGS__}, sizeof((const int[][5]){__VA_ARGS__}) / sizeof(int[5]))

static size_t count_filled(const vp_world *w)
{
    vp_dims s = vp_world_size(w);
    const uint8_t *m = vp_world_bricks(w).material;
    size_t n = 0;
    for (size_t i = 0; i < (size_t)s.x * s.y * s.z; i++)
        n += m[i] != 0;
    return n;
}

/* ---- heightmaps ---- */

/* 3 x 2 samples: 0 1 5 / 2 256 4. With a scale of 1/2, a base of 1 and water to 4: heights 1 1.5 3.5 / 2 129 3. */
static void check_heights(const vp_world *w)
{
    static const int of[][5] = {
        {0, 0, 0, 4, 255},   {0, 1, 0, 1, 255},   {0, 3, 0, 1, 255},   {0, 4, 0, 0, 0}, /* height 1: one full voxel on top */
        {1, 0, 0, 3, 255},   {1, 1, 0, 4, 127},   {1, 2, 0, 1, 255},                    /* 1.5: soil and half a voxel */
        {2, 3, 0, 4, 127},   {2, 2, 0, 3, 255},   {2, 1, 0, 3, 255},   {2, 0, 0, 2, 255},
        {2, 4, 0, 0, 0},                                                                  /* 3.5: under two voxels of soil is rock */
        {0, 1, 1, 4, 255},                                                                /* 2 */
        {1, 128, 1, 4, 255}, {1, 127, 1, 3, 255}, {1, 125, 1, 2, 255}, {1, 129, 1, 0, 0}, /* 129 */
        {2, 2, 1, 4, 255},   {2, 3, 1, 1, 255},                                           /* 3 */
        {3, 0, 0, 0, 0},     {0, 0, 2, 0, 0}};                                            /* outside the picture: air, no water */
    assert_size(w, 8, 136, 8);
    assert_voxels(w, of, sizeof of / sizeof of[0]);
    assert_int_equal(count_filled(w), 5 * 4 + 129);
}

static const uint16_t heights[6] = {0, 1, 5, 2, 256, 4};

static vp_import_def height_options(void)
{
    vp_import_def o = vp_import_defaults();
    o.heights.height_scale = 0.5;
    o.heights.height_base = 1;
    o.heights.water_level = 4;
    o.heights.soil_depth = 2;
    o.heights.raw_width = 3;
    o.heights.raw_height = 2;
    return o;
}

TEST(test_raw)
{
    for (int big = 0; big < 2; big++) {
        vp_import_def o = height_options();
        o.heights.raw_big_endian = big != 0;
        writer w = {NULL, 0, 0};
        for (int i = 0; i < 6; i++)
            put_number(&w, heights[i], 2, big);
        vp_world *world = NULL;
        vp_blob note = {0};
        assert_ok(import(import_raw, w.bytes, w.size, &o, &world, &note, &error));
        check_heights(world);
        assert_non_null(strstr((const char *)note.bytes, "3 x 2 samples"));
        vp_blob_destroy(&note);
        vp_world_destroy(world);
        put_u8(&w, 0);
        refused(import_raw, &w, &o, VP_E_FORMAT, "byte 13: the file ends here; 3 x 2 samples of 16 bits are 12 bytes");
        writer_drop(&w);
    }
}

TEST(test_raw_signed)
{
    vp_import_def o = vp_import_defaults();
    o.heights.raw_width = 2;
    o.heights.raw_height = 1;
    o.heights.raw_signed = true;
    o.heights.height_base = 10;
    writer w = {NULL, 0, 0};
    put_le16(&w, 0xfffd); /* -3: height 7 */
    put_le16(&w, 0x8000); /* -32768: clamped to 0 */
    vp_world *world = NULL;
    assert_ok(import(import_raw, w.bytes, w.size, &o, &world, NULL, &error));
    assert_size(world, 8, 8, 8);
    ASSERT_VOXELS(world, {0, 6, 0, 4, 255}, {0, 7, 0, 0, 0});
    assert_int_equal(count_filled(world), 7);
    vp_world_destroy(world);
    o.heights.raw_signed = false;
    refused(import_raw, &w, &o, VP_E_ARGUMENT, "the highest sample, 65533");
    writer_drop(&w);
}

TEST(test_height_options)
{
    static const struct {
        double scale, base;
        uint32_t water, width;
        uint8_t rock;
        const char *why;
    } of[] = {{0, 1, 4, 3, 2, "height scale of 0"},
              {(double)NAN, 1, 4, 3, 2, "height scale of "},
              {0.5, (double)INFINITY, 4, 3, 2, "base of inf"},
              {0.5, 1, 257, 3, 2, "water level of 257"},
              {0.5, 1, 4, 3, 1, "material 1 "},
              {0.5, 1, 4, 0, 2, "0 x 2 samples"},
              {0.5, 1, 4, 2049, 2, "2049 x 2 samples"}};
    writer w = {NULL, 0, 0};
    put(&w, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        vp_import_def o = height_options();
        o.heights.height_scale = of[i].scale;
        o.heights.height_base = of[i].base;
        o.heights.water_level = of[i].water;
        o.heights.raw_width = of[i].width;
        o.heights.rock_material = of[i].rock;
        refused(import_raw, &w, &o, VP_E_ARGUMENT, of[i].why);
    }
    writer_drop(&w);
}

/* A PNG of 16 bits per sample that ends before its samples. */
static void put_png_head(writer *w, uint32_t width, uint32_t height)
{
    writer head = {NULL, 0, 0};
    put_be32(&head, width);
    put_be32(&head, height);
    put(&head, "\x10\0\0\0\0", 5);
    put(w, "\x89PNG\r\n\x1a\n", 8);
    put_png_chunk(w, "IHDR", head.bytes, head.size);
    put_png_chunk(w, "IDAT", NULL, 0);
    writer_drop(&head);
}

TEST(test_png)
{
#ifndef VP_WITH_PNG
    skip();
#endif
    vp_import_def o = height_options();
    writer w = {NULL, 0, 0}, samples = {NULL, 0, 0};
    for (int i = 0; i < 6; i++)
        put_be16(&samples, heights[i]);
    put_png(&w, 3, 2, 16, 0, samples.bytes);
    vp_world *world = NULL;
    vp_blob note = {0};
    assert_ok(import(vp_import_heightmap, w.bytes, w.size, &o, &world, &note, &error));
    check_heights(world);
    assert_non_null(strstr((const char *)note.bytes, "16 bits"));
    vp_blob_destroy(&note);
    vp_world_destroy(world);
    writer_drop(&w);

    put_png(&w, 2, 1, 8, 0, (const uint8_t *)"\x07\x01"); /* 8 bits: 7 and 1 voxels and no water */
    assert_ok(import(vp_import_heightmap, w.bytes, w.size, NULL, &world, NULL, &error));
    assert_size(world, 8, 8, 8);
    assert_int_equal(count_filled(world), 8);
    ASSERT_VOXELS(world, {0, 6, 0, 4, 255}, {0, 2, 0, 2, 255}, {1, 0, 0, 4, 255});
    vp_world_destroy(world);
    writer_drop(&w);

    put_png(&w, 2, 1, 8, 2, (const uint8_t *)"abcdef");
    refused(vp_import_heightmap, &w, NULL, VP_E_FORMAT, "colour type 2 with 8 bits");
    writer_drop(&w);
    put_png(&w, 0, 1, 8, 0, samples.bytes);
    refused(vp_import_heightmap, &w, NULL, VP_E_FORMAT, "libpng");
    writer_drop(&w);
    static const uint8_t flat[2048]; /* as large as allowed, then one sample more along x, along z, and much more */
    put_png(&w, 2048, 1, 8, 0, flat);
    assert_ok(import(vp_import_heightmap, w.bytes, w.size, NULL, &world, NULL, &error));
    assert_size(world, 2048, 8, 8);
    vp_world_destroy(world);
    writer_drop(&w);
    static const uint32_t too_large[4][2] = {{2056, 1}, {1, 2049}, {1000001, 1}, {0x7fffffff, 0x7fffffff}};
    for (int i = 0; i < 4; i++) {
        char why[100];
        uint32_t x = too_large[i][0], z = too_large[i][1];
        put_png_head(&w, x, z);
        snprintf(why, sizeof why, "byte 16: a picture of %u x %u samples; at most 2048 x 2048 fit", x, z);
        refused(vp_import_heightmap, &w, NULL, VP_E_FORMAT, why);
        writer_drop(&w);
    }
    put_png_head(&w, 2048, 2048);
    refused(vp_import_heightmap, &w, NULL, VP_E_FORMAT, "2048 x 2048 samples can't be in a file of 45 bytes");
    writer_drop(&samples);
    writer_drop(&w);
}

/* ---- MagicaVoxel ---- */

/* A filled voxel of a world. */
typedef struct filled {
    int x, y, z, material;
} filled;

/* Imports the chunks as a file. The world must have this size and exactly these voxels, and the note contains the text. */
static void expect_world(writer *chunks, const vp_import_def *o, vp_dims size, const filled *list, size_t count, const char *text)
{
    writer file = {NULL, 0, 0};
    put_vox(&file, chunks);
    vp_world *world = NULL;
    vp_blob note = {0};
    assert_ok(import(vp_import_vox, file.bytes, file.size, o, &world, &note, &error));
    assert_size(world, size.x, size.y, size.z);
    for (size_t i = 0; i < count; i++)
        ASSERT_VOXELS(world, {list[i].x, list[i].y, list[i].z, list[i].material, 255});
    assert_int_equal(count_filled(world), count);
    if (strstr((const char *)note.bytes, text) == NULL)
        fail_msg("the note is without \"%s\": %s", text, (const char *)note.bytes);
    vp_blob_destroy(&note);
    vp_world_destroy(world);
    writer_drop(&file);
    writer_drop(chunks);
}

/* Three voxels: one at the origin, one along each of x and z. Colours 1, 2 and 255. */
static const uint8_t corner[3][4] = {{0, 0, 0, 1}, {2, 0, 0, 2}, {0, 0, 3, 255}};

/* Empty space at the edge of a model is removed. z up becomes y up. */
TEST(test_vox_model)
{
    static const filled expected[] = {{0, 0, 0, 2}, {2, 0, 0, 1}, {0, 3, 0, 255}};
    vp_import_def o = vp_import_defaults();
    writer chunks = {NULL, 0, 0};
    o.vox_water_colour = 2;
    put_vox_model(&chunks, 3, 9, 4, corner, 3);
    expect_world(&chunks, &o, (vp_dims){8, 8, 8}, expected, 3,
                 "MagicaVoxel scene, 1 models, 1 placed\nmaterial, voxels, colour:\n2 1 1\n1 1 2\n255 1 255\n");
}

/* Without a scene, models are placed side by side. After one free voxel, the second model begins at the next multiple of 8. x stays x while
 * y is reversed. */
TEST(test_vox_side_by_side)
{
    static const uint8_t ends[2][4] = {{0, 0, 0, 1}, {7, 1, 0, 2}};
    static const filled expected[] = {{0, 0, 1, 2}, {7, 0, 0, 3}, {16, 0, 1, 2}, {23, 0, 0, 3}};
    writer chunks = {NULL, 0, 0}, palette = {NULL, 0, 0};
    put_vox_model(&chunks, 8, 2, 1, ends, 2);
    put_vox_model(&chunks, 8, 2, 1, ends, 2);
    for (uint32_t i = 0; i < 256; i++)
        put_le32(&palette, 0xff000000u | i << 16 | 0x0201);
    put_vox_chunk(&chunks, "RGBA", &palette);
    expect_world(&chunks, NULL, (vp_dims){24, 8, 8}, expected, 4, "2 2 1 #010200\n3 2 2 #010201\n");
    writer_drop(&palette);
}

/* Two shapes of the same model (2 x 1 x 1: colours 1 and 2 along x) in a group. One is moved, the other rotated by a quarter about z and
 * moved: rows (0 -1 0), (1 0 0), (0 0 1) are 1 | 0<<2 | 1<<4 = 17. */
static void put_scene(writer *chunks, const char *move, const char *turn, int hidden)
{
    static const uint8_t pair[2][4] = {{0, 0, 0, 1}, {1, 0, 0, 2}};
    static const uint32_t children[2] = {2, 4};
    put_vox_model(chunks, 2, 1, 1, pair, 2);
    put_vox_transform(chunks, 0, 1, NULL, NULL, 0);
    put_vox_group(chunks, 1, children, 2);
    put_vox_transform(chunks, 2, 3, "10 0 0", NULL, 0);
    put_vox_shape(chunks, 3, 0);
    put_vox_transform(chunks, 4, 5, move, turn, hidden);
    put_vox_shape(chunks, 5, 0);
}

/* ---- scenes: no rotation commutes with its parent's, so a wrong order gives a wrong place ---- */

/* Rotations, as the byte _r: rows of a matrix with one entry each. Bits 0-1 and 2-3 are the columns in rows 0 and 1, and bits 4 to 6 the
 * signs, 1 = -1. */
#define ABOUT_X "40" /* (x, -z, y): 0 | 2<<2 | 1<<5 */
#define ABOUT_Y "70" /* (z, y, -x): 2 | 1<<2 | 1<<6 */
#define ABOUT_Z "17" /* (-y, x, z): 1 | 0<<2 | 1<<4 */
#define HALF_Z  "52" /* (-x, -y, z): 0 | 1<<2 | 1<<4 | 1<<5 */

/* Model 0, 4 x 2 x 2: A (0, 0, 0), B (3, 0, 0), C (0, 1, 1), colours 1 to 3. Models rotate about half their size, here (2, 1, 1), so the
 * centres of the voxels are A (-1.5, -0.5, -0.5), B (1.5, -0.5, -0.5), C (-1.5, 0.5, 0.5). Model 1, 1 x 1 x 3, about (0, 0, 1): D (0.5,
 * 0.5, -0.5), E (0.5, 0.5, 1.5), colours 4 and 5. */
static void put_models(writer *chunks)
{
    static const uint8_t first[3][4] = {{0, 0, 0, 1}, {3, 0, 0, 2}, {0, 1, 1, 3}};
    static const uint8_t second[2][4] = {{0, 0, 0, 4}, {0, 0, 2, 5}};
    put_vox_model(chunks, 4, 2, 2, first, 3);
    put_vox_model(chunks, 1, 1, 3, second, 2);
}

/* 0 = half about z, + (10, 20, 30)
     1 = group
       2 = about x, + (-3, 4, 1)
         3 = group
           4 = about z, + (5, 0, 2) = model 0
           8 = + (0, -2, 0) = model 1
       6 = about y, + (7, -4, 0) = model 1
   A = 4 -> (0.5, -1.5, -0.5) + (5, 0, 2) = (5.5, -1.5, 1.5), then 2 -> (5.5, -1.5, -1.5) + (-3, 4, 1) = (2.5, 2.5, -0.5);
      0 -> (-2.5, -2.5, -0.5) + (10, 20, 30) = (7.5, 17.5, 29.5)
   B = 4 -> (0.5, 1.5, -0.5) + (5, 0, 2) = (5.5, 1.5, 1.5), then 2 -> (5.5, -1.5, 1.5) + (-3, 4, 1) = (2.5, 2.5, 2.5);
      0 -> (7.5, 17.5, 32.5)
   C = 4 -> (-0.5, -1.5, 0.5) + (5, 0, 2) = (4.5, -1.5, 2.5), then 2 -> (4.5, -2.5, -1.5) + (-3, 4, 1) = (1.5, 1.5, -0.5);
      0 -> (8.5, 18.5, 29.5)
   D by 8 = (0.5, -1.5, -0.5), then 2 -> (0.5, 0.5, -1.5) + (-3, 4, 1) = (-2.5, 4.5, -0.5), then 0 -> (12.5, 15.5, 29.5)
   E by 8 = (0.5, -1.5, 1.5), then 2 -> (0.5, -1.5, -1.5) + (-3, 4, 1) = (-2.5, 2.5, -0.5), then 0 -> (12.5, 17.5, 29.5)
   D by 6 = (-0.5, 0.5, -0.5) + (7, -4, 0) = (6.5, -3.5, -0.5), then 0 -> (3.5, 23.5, 29.5)
   E by 6 = (1.5, 0.5, -0.5) + (7, -4, 0) = (8.5, -3.5, -0.5), then 0 -> (1.5, 23.5, 29.5)
   The lowest corner is (1, 15, 29), the highest y 23. Voxel (x, y, z) comes to (x - 1, z - 29, 23 - y). */
TEST(groups_in_groups)
{
    static const uint32_t outer[2] = {2, 6}, inner[2] = {4, 8};
    writer c = {NULL, 0, 0};
    put_models(&c);
    put_vox_transform(&c, 0, 1, "10 20 30", HALF_Z, 0);
    put_vox_group(&c, 1, outer, 2);
    put_vox_transform(&c, 2, 3, "-3 4 1", ABOUT_X, 0);
    put_vox_group(&c, 3, inner, 2);
    put_vox_transform(&c, 4, 5, "5 0 2", ABOUT_Z, 0);
    put_vox_shape(&c, 5, 0);
    put_vox_transform(&c, 6, 7, "7 -4 0", ABOUT_Y, 0);
    put_vox_shape(&c, 7, 1);
    put_vox_transform(&c, 8, 9, "0 -2 0", NULL, 0);
    put_vox_shape(&c, 9, 1);
    static const filled expected[] = {{6, 0, 6, 2}, {6, 3, 6, 3}, {7, 0, 5, 4}, {11, 0, 8, 5}, {11, 0, 6, 6}, {2, 0, 0, 5}, {0, 0, 0, 6}};
    expect_world(&c, NULL, (vp_dims){16, 8, 16}, expected, 7, "");
}

TEST(hidden_nodes_are_left_out)
{
    static const filled expected[] = {{0, 0, 0, 2}, {1, 0, 0, 3}};
    writer c = {NULL, 0, 0};
    put_scene(&c, "0 0 0", NULL, 1);
    expect_world(&c, NULL, (vp_dims){8, 8, 8}, expected, 2, "1 hidden nodes left out");
}

/* Builds a scene from its chunks and expects a refusal. */
static void vox_refused(writer *chunks, vp_status status, const char *why)
{
    writer w = {NULL, 0, 0};
    put_vox(&w, chunks);
    refused(vp_import_vox, &w, NULL, status, why);
    writer_drop(&w);
    writer_drop(chunks);
}

static void vox_model_refused(uint32_t x, const uint8_t voxel[4], const char *why)
{
    writer c = {NULL, 0, 0};
    const uint8_t of[1][4] = {{voxel[0], voxel[1], voxel[2], voxel[3]}};
    put_vox_model(&c, x, 1, 1, of, 1);
    vox_refused(&c, VP_E_FORMAT, why);
}

TEST(test_vox_bad)
{
    static const char *const bad_moves[] = {
        "", "1 2", "1 2 x", "1 2 3 4", "1048577 0 0", "0 -1048577 0", "- 0 0", "99999999999999999999 0 0"};
    static const char *const bad_turns[] = {"", "x", "3", "0", "5", "12", "128", "-4"};
    writer c = {NULL, 0, 0};
    for (size_t i = 0; i < 8; i++) {
        put_scene(&c, bad_moves[i], NULL, 0);
        vox_refused(&c, VP_E_FORMAT, "_t of a transform");
        put_scene(&c, "0 0 0", bad_turns[i], 0);
        vox_refused(&c, VP_E_FORMAT, "_r of a transform");
    }
    put_scene(&c, "0 0 300", NULL, 0);
    vox_refused(&c, VP_E_ARGUMENT, "x 301 x 1 voxels (Y up)");
    static const uint8_t one[1][4] = {{0, 0, 0, 1}};
    static const uint32_t twice[2] = {1, 1}, self[1] = {0};
    put_vox_model(&c, 1, 1, 1, one, 1); /* a group that contains itself */
    put_vox_group(&c, 0, self, 1);
    vox_refused(&c, VP_E_FORMAT, "node 0 leads to itself");
    put_vox_model(&c, 1, 1, 1, one, 1); /* 2^30 copies by 30 groups of two */
    for (uint32_t i = 0; i < 30; i++) {
        const uint32_t next[2] = {i + 1, i + 1};
        put_vox_group(&c, i, next, 2);
    }
    put_vox_shape(&c, 30, 0);
    vox_refused(&c, VP_E_FORMAT, "the scene has more than 1048576 nodes");
    put_vox_model(&c, 1, 1, 1, one, 1);
    put_vox_group(&c, 0, twice, 2);
    put_vox_shape(&c, 1, 1);
    vox_refused(&c, VP_E_FORMAT, "the scene names model 1 of 1");
    put_vox_model(&c, 1, 1, 1, one, 1);
    put_vox_group(&c, 0, twice, 2);
    vox_refused(&c, VP_E_FORMAT, "the scene names node 1, which is not in the file");
    put_vox_shape(&c, 0, 0);
    put_vox_shape(&c, 0, 0);
    vox_refused(&c, VP_E_FORMAT, "the scene has two nodes 0");
    vox_model_refused(1, (const uint8_t[]){0, 0, 0, 0}, "byte 63: a voxel of colour 0");
    vox_model_refused(1, (const uint8_t[]){0, 1, 0, 1}, "byte 60: voxel (0, 1, 0) outside its model of 1 x 1 x 1");
    vox_model_refused(257, one[0], "byte 32: a model of 257 x 1 x 1");
    vox_model_refused(0, one[0], "byte 32: a model of 0 x 1 x 1");
    put_vox_model(&c, 1, 1, 1, one, 0);
    vox_refused(&c, VP_E_FORMAT, "the scene has no voxels");
    writer w = {NULL, 0, 0};
    put_text(&w, "VOX ");
    put_le32(&w, 151);
    put(&w, "MAIN\0\0\0\0\0\0\0\0", 12);
    refused(vp_import_vox, &w, NULL, VP_E_FORMAT, "version 151");
    vp_import_def o = vp_import_defaults();
    o.vox_water_colour = 256;
    refused(vp_import_vox, &w, &o, VP_E_ARGUMENT, "colour 256");
    writer_drop(&w);
}

/* ---- files ---- */

TEST(test_files)
{
    const char *path = "test_import.tmp";
    writer chunks = {NULL, 0, 0}, w = {NULL, 0, 0};
    put_vox_model(&chunks, 3, 9, 4, corner, 3);
    put_vox(&w, &chunks);
    vp_world *world = NULL;
    write_file(path, w.bytes, w.size);
    assert_ok(vp_import_file(path, NULL, &world, NULL, &error)); /* recognized by its first bytes */
    assert_int_equal(count_filled(world), 3);
    vp_world_destroy(world);
    world = NULL;
    vp_import_def o = vp_import_defaults();
    o.format = VP_IMPORT_VPW;
    assert_refused(vp_import_file(path, &o, &world, NULL, &error), VP_E_FORMAT, "test_import.tmp: byte 0: not a VPW world file");
    o.format = VP_IMPORT_RAW;
    assert_refused(vp_import_file(path, &o, &world, NULL, &error), VP_E_ARGUMENT, "test_import.tmp: ");
#ifdef VP_WITH_PNG
    o.format = VP_IMPORT_PNG;
    assert_refused(vp_import_file(path, &o, &world, NULL, &error), VP_E_FORMAT, "test_import.tmp: byte ");
#endif
    o.format = (vp_import_format)99;
    assert_refused(vp_import_file(path, &o, &world, NULL, &error), VP_E_ARGUMENT, "99");
    write_file(path, w.bytes, 7);
    o.format = VP_IMPORT_VOX;
    assert_refused(vp_import_file(path, &o, &world, NULL, &error), VP_E_FORMAT, "test_import.tmp: byte 7: ");
    write_file(path, "hello", 5);
    assert_refused(vp_import_file(path, NULL, &world, NULL, &error), VP_E_FORMAT, path);
    remove(path);
    assert_refused(vp_import_file(path, NULL, &world, NULL, &error), VP_E_IO, path);
    assert_null(world);
    writer_drop(&chunks);
    writer_drop(&w);
}
