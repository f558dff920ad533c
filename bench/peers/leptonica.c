/* SPDX-License-Identifier: MIT */
/* Leptonica's dilation of 1-bit images (morph.c), put together to a dilation in 3D: each Y-slice of the world is an image,
 * one for solid and one for water; a result slice is the slice and its two neighbours united (pixOr), dilated by a brick
 * of 3 x 3 (pixDilateBrick). Word-parallel, 32 pixels at a time: what one gets from a library without writing SIMD. */
#include "bench/peers/peer.h"

#include <stdlib.h>

#include <leptonica/allheaders.h>

enum { SOLID = 0, WATER = 1, CLASSES = 2 };

typedef struct leptonica_work {
    vp_dims size; /* in voxels */
    PIX **slice[CLASSES];   /* [y + 1], with a slice of air under the world and over it */
    PIX **dilated[CLASSES]; /* [y] */
    PIX *united;
} leptonica_work;

static void destroy_images(PIX **image, size_t count)
{
    for (size_t i = 0; image != NULL && i < count; i++)
        pixDestroy(&image[i]);
    free((void *)image);
}

static PIX **create_images(vp_dims size, size_t count)
{
    PIX **image = calloc(count, sizeof *image);
    for (size_t i = 0; image != NULL && i < count; i++) {
        image[i] = pixCreate((l_int32)size.x, (l_int32)size.z, 1);
        if (image[i] == NULL) {
            destroy_images(image, count);
            return NULL;
        }
    }
    return image;
}

static void drop(void *work)
{
    leptonica_work *w = work;
    if (w == NULL)
        return;
    for (int c = 0; c < CLASSES; c++) {
        destroy_images(w->slice[c], w->size.y + (size_t)2);
        destroy_images(w->dilated[c], w->size.y);
    }
    pixDestroy(&w->united);
    free(w);
}

static void draw(leptonica_work *w, const vp_world *world)
{
    vp_dims n = vp_world_chunks(world);
    const uint8_t *material = vp_world_bricks(world).material;
    for (uint32_t cy = 0; cy < n.y; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            for (uint32_t cx = 0; cx < n.x; cx++)
                for (uint32_t i = 0; i < VP_CHUNK_VOXELS; i++, material++)
                    if (*material != VP_AIR)
                        pixSetPixel(w->slice[*material == VP_WATER ? WATER : SOLID][cy * 8 + i / 64 + 1],
                                    (l_int32)(cx * 8 + i % 8), (l_int32)(cz * 8 + i / 8 % 8), 1);
}

static void *make(const vp_world *world)
{
    leptonica_work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->size = vp_world_size(world);
    w->united = pixCreate((l_int32)w->size.x, (l_int32)w->size.z, 1);
    bool made = w->united != NULL;
    for (int c = 0; c < CLASSES; c++) {
        w->slice[c] = create_images(w->size, w->size.y + (size_t)2);
        w->dilated[c] = create_images(w->size, w->size.y);
        made = made && w->slice[c] != NULL && w->dilated[c] != NULL;
    }
    if (!made) {
        drop(w);
        return NULL;
    }
    draw(w, world);
    return w;
}

static bool prepare(void *work)
{
    (void)work; /* a run overwrites what the last one made */
    return true;
}

static void run(void *work)
{
    leptonica_work *w = work;
    for (int c = 0; c < CLASSES; c++)
        for (uint32_t y = 0; y < w->size.y; y++) {
            PIX **slice = w->slice[c] + y;
            pixOr(w->united, slice[0], slice[1]);
            pixOr(w->united, w->united, slice[2]);
            pixDilateBrick(w->dilated[c][y], w->united, 3, 3);
        }
}

static uint64_t word_of(PIX *image, uint32_t cx, uint32_t cz)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < 64; i++) {
        l_uint32 bit = 0;
        pixGetPixel(image, (l_int32)(cx * 8 + i % 8), (l_int32)(cz * 8 + i / 8), &bit);
        word |= (uint64_t)bit << i;
    }
    return word;
}

static uint64_t differences(const void *work, const vp_broadphase *broadphase)
{
    const leptonica_work *w = work;
    vp_dims n = vp_broadphase_bits(broadphase).chunks;
    uint64_t different = 0;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++) {
        uint32_t cx = c % n.x, cy = c / n.x / n.z, cz = c / n.x % n.z;
        const vp_masks *ours = vp_broadphase_masks(broadphase, (vp_ivec3){(int32_t)cx, (int32_t)cy, (int32_t)cz});
        bool same = true;
        for (uint32_t y = 0; y < 8; y++)
            same = same && word_of(w->dilated[SOLID][cy * 8 + y], cx, cz) == ours->solid[y] &&
                   word_of(w->dilated[WATER][cy * 8 + y], cx, cz) == ours->water[y];
        different += !same;
    }
    return different;
}

#define TEXT(number) #number
#define NUMBER(number) TEXT(number)

const vp_dilation_peer vp_peer_leptonica = {
    "leptonica",
    "Leptonica " NUMBER(LIBLEPT_MAJOR_VERSION) "." NUMBER(LIBLEPT_MINOR_VERSION) "." NUMBER(LIBLEPT_PATCH_VERSION)
    " pixOr of three slices and pixDilateBrick 3 x 3 for each slice, 1 thread. For it: it starts from bits, reads no "
    "bytes, makes no tags, and leaves whole slices, not chunks",
    make, prepare, run, differences, drop};
