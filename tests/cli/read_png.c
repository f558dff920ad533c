/* SPDX-License-Identifier: MIT */
/* read_png FILE [X,Y]... prints a picture as libpng reads it, for render.sh. The first line has width, height, the number of
 * colours, and the number of nearly black pixels. Then each given pixel has a line with red, green and blue. "all" instead of pixels
 * prints all bytes. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    return memcmp(a, b, 3);
}

static void print_picture(const png_image *image, const unsigned char *pixels, unsigned char *sorted)
{
    size_t count = (size_t)image->width * image->height, colours = 0, black = 0;
    memcpy(sorted, pixels, count * 3);
    qsort(sorted, count, 3, by_value);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *p = sorted + 3 * i;
        colours += i == 0 || memcmp(p, p - 3, 3) != 0;
        black += p[0] < 8 && p[1] < 8 && p[2] < 8;
    }
    printf("%u %u %zu %zu\n", image->width, image->height, colours, black);
}

int main(int argc, char **argv)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (argc < 2 || !png_image_begin_read_from_file(&image, argv[1])) {
        fprintf(stderr, "read_png: %s\n", argc < 2 ? "no file" : image.message);
        return 1;
    }
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image)), *sorted = malloc(PNG_IMAGE_SIZE(image));
    if (pixels == NULL || sorted == NULL || !png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        fprintf(stderr, "read_png: %s\n", image.message);
        return 1;
    }
    if (argc == 3 && strcmp(argv[2], "all") == 0)
        return fwrite(pixels, PNG_IMAGE_SIZE(image), 1, stdout) == 1 ? 0 : 1;
    print_picture(&image, pixels, sorted);
    for (int i = 2; i < argc; i++) {
        unsigned x, y;
        if (sscanf(argv[i], "%u,%u", &x, &y) != 2 || x >= image.width || y >= image.height) {
            fprintf(stderr, "read_png: %s is no pixel\n", argv[i]);
            return 1;
        }
        const unsigned char *p = pixels + ((size_t)y * image.width + x) * 3;
        printf("%d %d %d\n", p[0], p[1], p[2]);
    }
    free(pixels);
    free(sorted);
    return 0;
}
