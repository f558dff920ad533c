/* SPDX-License-Identifier: MIT */
/* Leptonica's dilation of 1-bit images (morph.c), combined to a dilation in 3D, for solid and water separately. The
 * Y-slices of the world are images. The union of a slice and its two neighbours is dilated by a 3 x 3 brick
 * (pixDilateBrick). The code processes 32 pixels per word, like a user's program without SIMD.
 *
 * Small slices share one image, stacked with an empty row between them, because a call costs as much as a small slice.
 * Large slices are separate images, because then a slice stays in the cache. Both were measured. One image is up to
 * twice as fast for slices of 64 x 64, and slower for slices of 256 x 256. */
#include "bench/peers/peer.h"

#include <stdlib.h>

#include <leptonica/allheaders.h>

enum { SOLID = 0, WATER = 1, CLASSES = 2 };

/* The maximum size of an image of all slices. */
enum { ONE_IMAGE_BYTES = 256 * 1024 };

typedef struct leptonica_work {
    vp_dims size;       /* in voxels */
    uint32_t per_image; /* slices per image: all, or 1 */
    uint32_t images;
    PIX **world[CLASSES]; /* includes a slice of air below the first and above the last one */
    PIX **dilated[CLASSES];
    PIX *united;
    vp_dims chunks;
    vp_chunk_masks *masks; /* for the caller of answers */
} leptonica_work;

/* ---- images ---- */

static l_int32 rows_of(const leptonica_work *w, uint32_t slices)
{
    return (l_int32)(slices * (w->size.z + 1));
}

static void destroy_images(PIX **image, size_t count)
{
    for (size_t i = 0; image != NULL && i < count; i++)
        pixDestroy(&image[i]);
    free((void *)image);
}

static PIX **create_images(const leptonica_work *w, size_t count, uint32_t slices)
{
    PIX **image = calloc(count, sizeof *image);
    for (size_t i = 0; image != NULL && i < count; i++) {
        image[i] = pixCreate((l_int32)w->size.x, rows_of(w, slices), 1);
        if (image[i] == NULL) {
            destroy_images(image, count);
            return NULL;
        }
    }
    return image;
}

/* A single image has room for the two slices of air. With many images, two extra images hold the air. */
static size_t world_images(const leptonica_work *w)
{
    return w->images == 1 ? 1 : w->images + (size_t)2;
}

static void drop(void *work)
{
    leptonica_work *w = work;
    if (w == NULL)
        return;
    for (int c = 0; c < CLASSES; c++) {
        destroy_images(w->world[c], world_images(w));
        destroy_images(w->dilated[c], w->images);
    }
    pixDestroy(&w->united);
    free(w->masks);
    free(w);
}

static void draw(leptonica_work *w, const vp_world *world)
{
    vp_dims n = vp_world_chunks(world);
    const uint8_t *material = vp_world_bricks(world).material;
    for (uint32_t cy = 0; cy < n.y; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            for (uint32_t cx = 0; cx < n.x; cx++)
                for (uint32_t i = 0; i < VP_CHUNK_VOXELS; i++, material++) {
                    if (*material == VP_AIR)
                        continue;
                    uint32_t slice = cy * 8 + i / 64 + 1;
                    PIX **images = w->world[*material == VP_WATER ? WATER : SOLID];
                    PIX *image = w->images == 1 ? images[0] : images[slice];
                    pixSetPixel(image, (l_int32)(cx * 8 + i % 8), (w->images == 1 ? rows_of(w, slice) : 0) + (l_int32)(cz * 8 + i / 8 % 8),
                                1);
                }
}

static void *make(const vp_peer *peer, const vp_data *data)
{
    const vp_world *world = data->set;
    leptonica_work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->size = vp_world_size(world);
    uint64_t bytes = (uint64_t)w->size.x / 8 * (w->size.z + 1) * w->size.y;
    w->per_image = bytes <= ONE_IMAGE_BYTES ? w->size.y : 1;
    w->images = w->size.y / w->per_image;
    w->united = pixCreate((l_int32)w->size.x, rows_of(w, w->per_image), 1);
    w->chunks = vp_world_chunks(world);
    w->masks = malloc((size_t)w->chunks.x * w->chunks.y * w->chunks.z * sizeof *w->masks);
    bool made = w->united != NULL && w->masks != NULL;
    for (int c = 0; c < CLASSES; c++) {
        w->world[c] = create_images(w, world_images(w), w->images == 1 ? w->per_image + 2 : 1);
        w->dilated[c] = create_images(w, w->images, w->per_image);
        made = made && w->world[c] != NULL && w->dilated[c] != NULL;
    }
    if (!made) {
        drop(w);
        return NULL;
    }
    draw(w, world);
    return w;
}

/* A run overwrites the previous result. All bits are set before the run, so that a stale result cannot pass as correct. */
static bool rewind_images(void *work)
{
    leptonica_work *w = work;
    for (int c = 0; c < CLASSES; c++)
        for (uint32_t i = 0; i < w->images; i++)
            pixSetAll(w->dilated[c][i]);
    return true;
}

/* ---- the run ---- */

/* Unites three copies of the image of all slices, shifted by zero, one and two slices. */
static void unite_one_image(leptonica_work *w, PIX *world)
{
    l_int32 width = (l_int32)w->size.x, rows = rows_of(w, w->per_image);
    pixRasterop(w->united, 0, 0, width, rows, PIX_SRC, world, 0, 0);
    pixRasterop(w->united, 0, 0, width, rows, PIX_SRC | PIX_DST, world, 0, rows_of(w, 1));
    pixRasterop(w->united, 0, 0, width, rows, PIX_SRC | PIX_DST, world, 0, rows_of(w, 2));
}

static bool run(void *work, uint32_t step)
{
    leptonica_work *w = work;
    for (int c = 0; c < CLASSES; c++)
        for (uint32_t i = 0; i < w->images; i++) {
            if (w->images == 1) {
                unite_one_image(w, w->world[c][0]);
            } else {
                pixOr(w->united, w->world[c][i], w->world[c][i + 1]);
                pixOr(w->united, w->united, w->world[c][i + 2]);
            }
            pixDilateBrick(w->dilated[c][i], w->united, 3, 3);
        }
    return true;
}

/* ---- the answers ---- */

static uint64_t word_of(const leptonica_work *w, int class, uint32_t y, uint32_t cx, uint32_t cz)
{
    PIX *image = w->dilated[class][y / w->per_image];
    l_int32 first = rows_of(w, y % w->per_image);
    uint64_t word = 0;
    for (uint32_t i = 0; i < 64; i++) {
        l_uint32 bit = 0;
        pixGetPixel(image, (l_int32)(cx * 8 + i % 8), first + (l_int32)(cz * 8 + i / 8), &bit);
        word |= (uint64_t)bit << i;
    }
    return word;
}

static bool answers(void *work, uint32_t step, vp_peer_answers *out)
{
    leptonica_work *w = work;
    const vp_dims n = w->chunks;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++) {
        const uint32_t cx = c % n.x, cy = c / n.x / n.z, cz = c / n.x % n.z;
        for (uint32_t y = 0; y < 8; y++) {
            w->masks[c].solid[y] = word_of(w, SOLID, cy * 8 + y, cx, cz);
            w->masks[c].water[y] = word_of(w, WATER, cy * 8 + y, cx, cz);
        }
    }
    out->masks = w->masks;
    return true;
}

#define VERSION VP_DIGITS(LIBLEPT_MAJOR_VERSION) "." VP_DIGITS(LIBLEPT_MINOR_VERSION) "." VP_DIGITS(LIBLEPT_PATCH_VERSION)

extern const vp_peer vp_peers_broadphase_leptonica[];
const vp_peer vp_peers_broadphase_leptonica[] = {{"leptonica", VERSION,
                                                  "Leptonica " VERSION
                                                  " union of three slices and pixDilateBrick 3 x 3, small slices in one image, 1 "
                                                  "thread. For it: it starts from bits, "
                                                  "reads no bytes, makes no tags, and leaves slices, not chunks",
                                                  VP_KERNEL_dilate_world, false, true, make, rewind_images, run, answers, drop},
                                                 VP_PEERS_END};
