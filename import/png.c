/* SPDX-License-Identifier: MIT */
/* PNG heightmaps: grey without alpha, 8 or 16 bits. Gamma is not applied. */
#include "import/heights.h"
#include "src/core/memory.h"

#ifdef VP_WITH_PNG

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* State of libpng's callbacks. Values that must outlive its longjmp are here, not in local variables. */
typedef struct png_source {
    vp_allocator allocator;
    const uint8_t *bytes;
    size_t size, at;
    uint8_t *pixels; /* rows of 1 or 2 bytes a sample, big-endian */
    png_bytep *rows;
    uint32_t width, height;
    int depth;
    bool starved; /* whether memory ran out, because messages of libpng are unreliable */
    jmp_buf out;
    vp_status status;
    vp_error *error;
} png_source;

static size_t row_bytes(const png_source *s)
{
    return (size_t)s->width * (size_t)s->depth / 8;
}

static void give_up(png_source *s)
{
    longjmp(s->out, 1);
}

static void on_error(png_structp png, png_const_charp message)
{
    png_source *s = png_get_error_ptr(png);
    s->status = s->starved ? vp_fail(s->error, VP_E_MEMORY, "no memory to read a PNG")
                           : vp_fail(s->error, VP_E_FORMAT, "byte %zu: libpng: %.200s", s->at, message);
    give_up(s);
}

static png_voidp allocate(png_structp png, png_alloc_size_t bytes)
{
    png_source *s = png_get_mem_ptr(png);
    void *block = malloc(bytes);
    s->starved = s->starved || block == NULL;
    return block;
}

static void release(png_structp png, png_voidp block)
{
    (void)png;
    free(block);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void read_bytes(png_structp png, png_bytep into, size_t n)
{
    png_source *s = png_get_io_ptr(png);
    if (n > s->size - s->at) {
        s->status = vp_fail(s->error, VP_E_FORMAT, "byte %zu: the file ends within the picture", s->size);
        give_up(s);
    }
    memcpy(into, s->bytes + s->at, n);
    s->at += n;
}

static void check_header(png_structp png, png_infop info, png_source *s)
{
    png_uint_32 width = 0, height = 0;
    int colour = 0;
    png_get_IHDR(png, info, &width, &height, &s->depth, &colour, NULL, NULL, NULL);
    s->width = width;
    s->height = height;
    if (colour != PNG_COLOR_TYPE_GRAY || s->depth < 8) {
        s->status = vp_fail(s->error, VP_E_FORMAT, "byte 24: a PNG of colour type %d with %d bits; heightmaps are grey (0) with 8 or 16",
                            colour, s->depth);
        give_up(s);
    }
    if (width > VP_WORLD_MAX_XZ || height > VP_WORLD_MAX_XZ) {
        s->status = vp_fail(s->error, VP_E_FORMAT, "byte 16: a picture of %u x %u samples; at most %d x %d fit into a world", s->width,
                            s->height, VP_WORLD_MAX_XZ, VP_WORLD_MAX_XZ);
        give_up(s);
    }
    /* Deflate makes at most 1032 bytes of one. Without this check a small file could cause a large allocation. */
    if (row_bytes(s) * height / 1032 > s->size) {
        s->status =
            vp_fail(s->error, VP_E_FORMAT, "byte 16: %u x %u samples can't be in a file of %zu bytes", s->width, s->height, s->size);
        give_up(s);
    }
}

static void read_picture(png_structp png, png_infop info, png_source *s)
{
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* check_header reports sizes that are too large */
    png_set_chunk_malloc_max(png, 1 << 20);
    png_set_chunk_cache_max(png, 16);
    png_set_read_fn(png, s, read_bytes);
    png_read_info(png, info);
    check_header(png, info, s);
    const size_t row = row_bytes(s);
    s->pixels = vp_allocate_zero(&s->allocator, s->height, row);
    s->rows = vp_allocate_zero(&s->allocator, s->height, sizeof *s->rows);
    if (s->pixels == NULL || s->rows == NULL) {
        s->status = vp_fail(s->error, VP_E_MEMORY, "no memory for %u x %u samples", s->width, s->height);
        give_up(s);
    }
    for (uint32_t z = 0; z < s->height; z++)
        s->rows[z] = s->pixels + z * row;
    png_read_image(png, s->rows);
    png_read_end(png, NULL);
}

static void decode(png_source *s)
{
    s->status = VP_OK;
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, s, on_error, on_warning, s, allocate, release);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL)
        s->status = vp_fail(s->error, VP_E_MEMORY, "no memory to read a PNG");
    else if (setjmp(s->out) == 0)
        read_picture(png, info, s);
    png_destroy_read_struct(&png, &info, NULL);
}

vp_status vp_import_png(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    png_source *s = vp_allocate_zero(&allocator, 1, sizeof *s);
    if (s == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to read a PNG");
    s->allocator = allocator;
    s->bytes = bytes;
    s->size = size;
    s->error = error;
    decode(s);
    vp_status status = s->status;
    if (status == VP_OK) {
        const vp_samples samples = {s->pixels, s->width, s->height, s->depth, true, false};
        status = vp_heights_world(&samples, def, s->depth == 16 ? "PNG heightmap of 16 bits" : "PNG heightmap of 8 bits", out, note, error);
    }
    vp_release(&allocator, s->pixels, s->height, row_bytes(s));
    vp_release(&allocator, s->rows, s->height, sizeof *s->rows);
    vp_release(&allocator, s, 1, sizeof *s);
    return status;
}

#else

vp_status vp_import_png(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    (void)bytes, (void)size, (void)def, (void)out, (void)note;
    return vp_fail(error, VP_E_UNSUPPORTED, "reading a PNG needs libpng, and this build has none");
}

#endif
