/* SPDX-License-Identifier: MIT */
/* MagicaVoxel scenes with groups in groups, turns after turns, and several models: every voxel's place worked out by hand,
 * in the comments. No turn commutes with the one around it, so a wrong order is a wrong place. */
#include "tests/support/check.h"
#include "tests/support/writer.h"

#include <stdio.h>

#include "datasets/import/import.h"

/* A filled voxel of a world. */
typedef struct filled {
    int x, y, z, material;
} filled;

/* Imports the chunks as a file; the world must have this size and these voxels, and no others. */
static void expect_world(const writer *chunks, vp_dims size, const filled *list, size_t count)
{
    writer file = {NULL, 0, 0};
    put_vox(&file, chunks);
    vp_world *world = NULL;
    char *note = NULL;
    assert_ok(vp_import_vox(file.bytes, file.size, NULL, &world, &note, &error));
    vp_dims got = vp_world_size(world);
    if (got.x != size.x || got.y != size.y || got.z != size.z)
        fail_msg("a world of %u x %u x %u, expected %u x %u x %u", got.x, got.y, got.z, size.x, size.y, size.z);
    size_t found = 0;
    for (uint32_t i = 0; i < size.x * size.y * size.z; i++) {
        vp_ivec3 at = {(int)(i % size.x), (int)(i / size.x / size.z), (int)(i / size.x % size.z)};
        int material = vp_world_voxel(world, at).material, expected = 0;
        for (size_t k = 0; k < count; k++)
            if (list[k].x == at.x && list[k].y == at.y && list[k].z == at.z)
                expected = list[k].material;
        if (material != expected)
            fail_msg("voxel (%d, %d, %d) is %d, expected %d", at.x, at.y, at.z, material, expected);
        found += material != 0 ? 1 : 0;
    }
    assert_int_equal(found, count);
    free(note);
    vp_world_destroy(world);
    writer_drop(&file);
}

/* Turns, as the byte _r: rows of a matrix with one entry each; bits 0-1 and 2-3 its column in rows 0 and 1, bits 4 to 6
   whether it is -1. */
#define ABOUT_X    "40" /* (x, -z, y): 0 | 2<<2 | 1<<5 */
#define ABOUT_Y    "70" /* (z, y, -x): 2 | 1<<2 | 1<<6 */
#define ABOUT_Z    "17" /* (-y, x, z): 1 | 0<<2 | 1<<4 */
#define HALF_Z     "52" /* (-x, -y, z): 0 | 1<<2 | 1<<4 | 1<<5 */
#define ROUND      "9"  /* (y, z, x): 1 | 2<<2, a third of a turn about (1, 1, 1) */
#define MIRRORED_X "20" /* (-x, y, z): 0 | 1<<2 | 1<<4 */

/* Model 0, 4 x 2 x 2: A (0, 0, 0), B (3, 0, 0), C (0, 1, 1), colours 1 to 3. Models turn about half their size, here
   (2, 1, 1): the centres of the voxels are A (-1.5, -0.5, -0.5), B (1.5, -0.5, -0.5), C (-1.5, 0.5, 0.5).
   Model 1, 1 x 1 x 3, about (0, 0, 1): D (0.5, 0.5, -0.5), E (0.5, 0.5, 1.5), colours 4 and 5. */
static void put_models(writer *chunks)
{
    static const uint8_t first[3][4] = {{0, 0, 0, 1}, {3, 0, 0, 2}, {0, 1, 1, 3}};
    static const uint8_t second[2][4] = {{0, 0, 0, 4}, {0, 0, 2, 5}};
    put_vox_model(chunks, 4, 2, 2, first, 3);
    put_vox_model(chunks, 1, 1, 3, second, 2);
}

/* 0: half about z, + (10, 20, 30)
     1: group
       2: about x, + (-3, 4, 1)
         3: group
           4: about z, + (5, 0, 2): model 0
           8: + (0, -2, 0): model 1
       6: about y, + (7, -4, 0): model 1
   A: 4 -> (0.5, -1.5, -0.5) + (5, 0, 2) = (5.5, -1.5, 1.5); 2 -> (5.5, -1.5, -1.5) + (-3, 4, 1) = (2.5, 2.5, -0.5);
      0 -> (-2.5, -2.5, -0.5) + (10, 20, 30) = (7.5, 17.5, 29.5)
   B: 4 -> (0.5, 1.5, -0.5) + (5, 0, 2) = (5.5, 1.5, 1.5); 2 -> (5.5, -1.5, 1.5) + (-3, 4, 1) = (2.5, 2.5, 2.5);
      0 -> (7.5, 17.5, 32.5)
   C: 4 -> (-0.5, -1.5, 0.5) + (5, 0, 2) = (4.5, -1.5, 2.5); 2 -> (4.5, -2.5, -1.5) + (-3, 4, 1) = (1.5, 1.5, -0.5);
      0 -> (8.5, 18.5, 29.5)
   D by 8: (0.5, -1.5, -0.5); 2 -> (0.5, 0.5, -1.5) + (-3, 4, 1) = (-2.5, 4.5, -0.5); 0 -> (12.5, 15.5, 29.5)
   E by 8: (0.5, -1.5, 1.5); 2 -> (0.5, -1.5, -1.5) + (-3, 4, 1) = (-2.5, 2.5, -0.5); 0 -> (12.5, 17.5, 29.5)
   D by 6: (-0.5, 0.5, -0.5) + (7, -4, 0) = (6.5, -3.5, -0.5); 0 -> (3.5, 23.5, 29.5)
   E by 6: (1.5, 0.5, -0.5) + (7, -4, 0) = (8.5, -3.5, -0.5); 0 -> (1.5, 23.5, 29.5)
   The lowest corner is (1, 15, 29), the highest y 23; voxel (x, y, z) comes to (x - 1, z - 29, 23 - y). */
static void groups_in_groups(void **state)
{
    (void)state;
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
    expect_world(&c, (vp_dims){16, 8, 16}, expected, 7);
    writer_drop(&c);
}

/* Transforms straight behind each other, the outer one a third of a turn, the inner one a mirror, and a group that is
   hidden with all that is in it.
   0: (y, z, x) + (0, 0, 100)
     1: (-x, y, z) + (2, 0, 0)
       2: group
         3: model 0
         4: + (1, 1, 1), hidden: 5: group: 3 once more
   A: 1 -> (1.5, -0.5, -0.5) + (2, 0, 0) = (3.5, -0.5, -0.5); 0 -> (-0.5, -0.5, 3.5) + (0, 0, 100) = (-0.5, -0.5, 103.5)
   B: 1 -> (-1.5, -0.5, -0.5) + (2, 0, 0) = (0.5, -0.5, -0.5); 0 -> (-0.5, -0.5, 100.5)
   C: 1 -> (1.5, 0.5, 0.5) + (2, 0, 0) = (3.5, 0.5, 0.5); 0 -> (0.5, 0.5, 103.5)
   The lowest corner is (-1, -1, 100), the highest y 0; voxel (x, y, z) comes to (x + 1, z - 100, -y). */
static void transforms_in_a_row(void **state)
{
    (void)state;
    static const uint32_t both[2] = {3, 4}, again[1] = {3};
    writer c = {NULL, 0, 0};
    put_models(&c);
    put_vox_group(&c, 5, again, 1); /* nodes come in any order */
    put_vox_transform(&c, 4, 5, "1 1 1", NULL, 1);
    put_vox_shape(&c, 3, 0);
    put_vox_group(&c, 2, both, 2);
    put_vox_transform(&c, 1, 2, "2 0 0", MIRRORED_X, 0);
    put_vox_transform(&c, 0, 1, "0 0 100", ROUND, 0);
    static const filled expected[] = {{0, 3, 1, 2}, {0, 0, 1, 3}, {1, 3, 0, 4}};
    expect_world(&c, (vp_dims){8, 8, 8}, expected, 3);
    writer_drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_in_groups),
        cmocka_unit_test(transforms_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
