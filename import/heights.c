/* SPDX-License-Identifier: MIT */
/* Worlds from heightmaps: columns of rock, soil and a top voxel, with water up to a level. Heights are rounded to 1/256
   of a voxel, the unit of occupancy, so that gentle slopes stay smooth. */
#include "import/heights.h"

#include <math.h>

#include "import/def.h"
#include "src/core/bytes.h"

enum { UNIT = 256 };

vp_status vp_heights_check(const vp_import_heights *options, vp_error *error)
{
    if (!isfinite(options->height_scale) || options->height_scale <= 0 || options->height_scale > 1e6)
        return vp_fail(error, VP_E_ARGUMENT, "a height scale of %g; it must be above 0 and at most 1e6", options->height_scale);
    if (!isfinite(options->height_base) || fabs(options->height_base) > 1e6)
        return vp_fail(error, VP_E_ARGUMENT, "a height base of %g; it must be -1e6 to 1e6", options->height_base);
    if (options->water_level > VP_WORLD_MAX_Y)
        return vp_fail(error, VP_E_ARGUMENT, "a water level of %u; a world is at most %d voxels high", options->water_level,
                       VP_WORLD_MAX_Y);
    const uint8_t material[3] = {options->top_material, options->soil_material, options->rock_material};
    for (int i = 0; i < 3; i++)
        if (material[i] < VP_FIRST_SOLID)
            return vp_fail(error, VP_E_ARGUMENT, "material %u for a layer of terrain is not solid; %d to 255 are", material[i],
                           VP_FIRST_SOLID);
    return VP_OK;
}

static int32_t sample_at(const vp_samples *s, size_t i)
{
    if (s->bits == 8)
        return s->bytes[i];
    const int32_t v = (int32_t)(s->big_endian ? vp_get_be16(s->bytes + 2 * i) : vp_get_le16(s->bytes + 2 * i));
    return s->is_signed && v >= 0x8000 ? v - 0x10000 : v;
}

/* Returns a height in 1/256 voxels, at least 0. */
static int64_t height_of(int32_t sample, const vp_import_heights *options)
{
    double height = floor((options->height_base + (double)sample * options->height_scale) * UNIT + 0.5);
    return height > 0 ? (int64_t)height : 0;
}

/* Returns the highest sample of the picture. Heights rise with samples. */
static int32_t highest(const vp_samples *samples)
{
    int32_t top = sample_at(samples, 0);
    for (size_t i = 1; i < (size_t)samples->width * samples->height; i++)
        top = sample_at(samples, i) > top ? sample_at(samples, i) : top;
    return top;
}

/* Writes one column of `voxels` voxels. */
static void fill_column(int64_t height, const vp_import_heights *options, uint8_t *material, uint8_t *occupancy, uint32_t voxels)
{
    uint32_t solid = (uint32_t)((height + UNIT - 1) / UNIT); /* the top voxel may be partly filled */
    for (uint32_t y = 0; y < voxels; y++) {
        if (y >= solid) {
            material[y] = y < options->water_level ? VP_WATER : VP_AIR;
            occupancy[y] = material[y] != VP_AIR ? 255 : 0;
            continue;
        }
        uint32_t depth = solid - 1 - y;
        material[y] = depth == 0                        ? options->top_material
                      : depth - 1 < options->soil_depth ? options->soil_material
                                                        : options->rock_material;
        occupancy[y] = depth == 0 ? (uint8_t)(height - (int64_t)y * UNIT - 1) : 255;
    }
}

vp_status vp_heights_world(const vp_samples *samples, const vp_import_def *def, const char *source, vp_world **out, vp_blob *note,
                           vp_error *error)
{
    const vp_import_heights *options = &def->heights;
    int32_t top = highest(samples);
    int64_t top_height = height_of(top, options);
    if (top_height > (int64_t)VP_WORLD_MAX_Y * UNIT)
        return vp_fail(error, VP_E_ARGUMENT,
                       "the highest sample, %d, is %g voxels high at a height scale of %g and a base of %g; at most %d "
                       "can be",
                       top, (double)top_height / UNIT, options->height_scale, options->height_base, VP_WORLD_MAX_Y);
    uint32_t high = (uint32_t)((top_height + UNIT - 1) / UNIT);
    high = options->water_level > high ? options->water_level : high;
    vp_world *world = NULL;
    vp_status status = vp_import_create_world(def, (vp_dims){samples->width, high, samples->height}, &world, error);
    const uint32_t voxels = status == VP_OK ? vp_world_size(world).y : 0;
    uint8_t material[VP_WORLD_MAX_Y], occupancy[VP_WORLD_MAX_Y];
    for (uint32_t z = 0; status == VP_OK && z < samples->height; z++)
        for (uint32_t x = 0; status == VP_OK && x < samples->width; x++) {
            fill_column(height_of(sample_at(samples, (size_t)z * samples->width + x), options), options, material, occupancy, voxels);
            status = vp_world_write_rows(world, (vp_ivec3){(int32_t)x, 0, (int32_t)z}, (vp_dims){1, voxels, 1}, material, occupancy, NULL,
                                         error);
        }
    vp_text text = vp_text_begin(def->allocator);
    if (status == VP_OK) {
        vp_text_add(&text, "%s, %u x %u samples, %g voxels a step from %g, water level %u\n", source, samples->width, samples->height,
                    options->height_scale, options->height_base, options->water_level);
        vp_text_add(&text, "material, name:\n1 water\n%u rock\n%u soil, %u deep\n%u top\n", options->rock_material, options->soil_material,
                    options->soil_depth, options->top_material);
        status = vp_text_finish(&text, note, error);
    }
    if (status != VP_OK) {
        vp_world_destroy(world);
        return status;
    }
    *out = world;
    return vp_succeed(error);
}

vp_status vp_import_raw(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    const vp_import_heights *h = &def->heights;
    if (h->raw_width == 0 || h->raw_height == 0 || h->raw_width > VP_WORLD_MAX_XZ || h->raw_height > VP_WORLD_MAX_XZ)
        return vp_fail(error, VP_E_ARGUMENT,
                       "a raw heightmap of %u x %u samples; its width and height must be given, 1 to "
                       "%d each",
                       h->raw_width, h->raw_height, VP_WORLD_MAX_XZ);
    size_t count = (size_t)h->raw_width * h->raw_height;
    if (size != count * 2)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: the file ends here; %u x %u samples of 16 bits are %zu bytes", size, h->raw_width,
                       h->raw_height, count * 2);
    const vp_samples samples = {bytes, h->raw_width, h->raw_height, 16, h->raw_big_endian, h->raw_signed};
    return vp_heights_world(&samples, def, h->raw_signed ? "Raw heightmap of signed 16 bits" : "Raw heightmap of 16 bits", out, note,
                            error);
}
