/* SPDX-License-Identifier: MIT */
#include "host/png_write.h"

#include "src/core/error.h"

#ifdef VP_WITH_PNG

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "host/bytes.h"

bool vp_png_here(void)
{
    return true;
}

/* State that outlives the longjmp of on_error. */
typedef struct png_writer {
    const uint8_t *rgb;
    uint32_t width, height;
    vp_bytes *out;
    vp_error *error;
    vp_status status;
    jmp_buf leave;
} png_writer;

static _Noreturn void on_error(png_structp png, png_const_charp message)
{
    png_writer *w = png_get_error_ptr(png);
    w->status = vp_fail(w->error, VP_E_MEMORY, "no memory for a PNG: %.100s", message);
    longjmp(w->leave, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static png_voidp allocate(png_structp png, png_alloc_size_t bytes)
{
    (void)png;
    return malloc(bytes);
}

static void release(png_structp png, png_voidp block)
{
    (void)png;
    free(block);
}

static void put(png_structp png, png_bytep bytes, size_t size)
{
    png_writer *w = png_get_io_ptr(png);
    vp_bytes_add(w->out, bytes, size);
    if (w->out->failed)
        png_error(png, "no memory");
}

static void flush(png_structp png)
{
    (void)png;
}

static void write_picture(png_structp png, png_infop info, png_writer *w)
{
    png_set_write_fn(png, w, put, flush);
    png_set_IHDR(png, info, w->width, w->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 9);
    png_write_info(png, info);
    for (uint32_t y = 0; y < w->height; y++)
        png_write_row(png, w->rgb + (size_t)y * w->width * 3);
    png_write_end(png, info);
}

static void encode(png_writer *w)
{
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, w, on_error, on_warning, w, allocate, release);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL)
        w->status = vp_fail(w->error, VP_E_MEMORY, "no memory for a PNG");
    else if (setjmp(w->leave) == 0)
        write_picture(png, info, w);
    png_destroy_write_struct(&png, &info);
}

vp_status vp_png_save(const uint8_t *rgb, uint32_t width, uint32_t height, const char *path, vp_error *error)
{
    vp_bytes bytes = {0};
    png_writer w = {.rgb = rgb, .width = width, .height = height, .out = &bytes, .error = error, .status = VP_OK};
    encode(&w);
    if (w.status == VP_OK)
        return vp_bytes_save(&bytes, path, error);
    free(bytes.at);
    return w.status;
}

#else

bool vp_png_here(void)
{
    return false;
}

vp_status vp_png_save(const uint8_t *rgb, uint32_t width, uint32_t height, const char *path, vp_error *error)
{
    (void)rgb, (void)width, (void)height, (void)path;
    return vp_fail(error, VP_E_UNSUPPORTED, "writing a PNG needs libpng, and this build has none");
}

#endif
