/* SPDX-License-Identifier: MIT */
/* voxphys dataset import: files of other programs become worlds of one's own. */
#include "tools/dataset/dataset.h"

#include "datasets/datasets.h"
#include "datasets/import/import.h"
#include "host/program.h"

#include <voxphys/world_file.h>

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT,
    MIN,
    SIZE,
    WATER_COLOUR,
    HEIGHT_SCALE,
    HEIGHT_BASE,
    WATER_LEVEL,
    SOIL_DEPTH,
    MATERIALS,
    RAW_SIZE,
    RAW_BIG_ENDIAN,
    RAW_SIGNED,
    OUT,
    JSON,
    OPTION_COUNT
};

/* Heights are doubles: one decimal step of a heightmap is not always a binary32 number. */
static bool parse_double(const char *option, const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return VP_REFUSE("dataset import", "%s '%s' is not a finite number", option, text);
    *out = value;
    return true;
}

static bool parse_u32(const char *option, const char *text, uint64_t low, uint64_t high, uint32_t *out)
{
    uint64_t value;
    if (!vp_parse_u64("dataset import", option, text, low, high, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

/* Several whole numbers of at least `low`. */
static bool parse_counts(const char *option, const char *form, const char *text, int32_t low, int32_t high, int32_t *out, size_t count)
{
    if (!vp_parse_i32_list("dataset import", option, form, text, out, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (out[i] < low || out[i] > high)
            return VP_REFUSE("dataset import", "%s '%s': %d is not from %d to %d", option, text, out[i], low, high);
    return true;
}

static bool read_region(const char *const *value, vp_import_options *o)
{
    int32_t v[3];
    if (value[MIN] != NULL) {
        if (!vp_parse_i32_list("dataset import", "--min", "X,Y,Z", value[MIN], v, 3))
            return false;
        o->region_low = (vp_ivec3){v[0], v[1], v[2]};
    }
    if (value[SIZE] != NULL) {
        if (!parse_counts("--size", "X,Y,Z", value[SIZE], 1, VP_WORLD_MAX_XZ, v, 3))
            return false;
        o->region_size = (vp_dims){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    }
    if (value[MIN] != NULL && value[SIZE] == NULL)
        return VP_REFUSE("dataset import", "--min needs --size");
    return true;
}

static bool read_heights(const char *const *value, vp_import_heights *h)
{
    int32_t v[3];
    if (value[HEIGHT_SCALE] != NULL && !parse_double("--height-scale", value[HEIGHT_SCALE], &h->height_scale))
        return false;
    if (value[HEIGHT_BASE] != NULL && !parse_double("--height-base", value[HEIGHT_BASE], &h->height_base))
        return false;
    if (value[WATER_LEVEL] != NULL && !parse_u32("--water-level", value[WATER_LEVEL], 0, VP_WORLD_MAX_Y, &h->water_level))
        return false;
    if (value[SOIL_DEPTH] != NULL && !parse_u32("--soil-depth", value[SOIL_DEPTH], 0, VP_WORLD_MAX_Y, &h->soil_depth))
        return false;
    if (value[MATERIALS] != NULL) {
        if (!parse_counts("--materials", "T,S,R", value[MATERIALS], VP_FIRST_SOLID, 255, v, 3))
            return false;
        h->top_material = (uint8_t)v[0];
        h->soil_material = (uint8_t)v[1];
        h->rock_material = (uint8_t)v[2];
    }
    if (value[RAW_SIZE] != NULL) {
        if (!parse_counts("--raw-size", "X,Z", value[RAW_SIZE], 1, VP_WORLD_MAX_XZ, v, 2))
            return false;
        h->raw_width = (uint32_t)v[0];
        h->raw_height = (uint32_t)v[1];
    }
    h->raw_big_endian = value[RAW_BIG_ENDIAN] != NULL;
    h->raw_signed = value[RAW_SIGNED] != NULL;
    return true;
}

enum { HEIGHTMAP = 1 << VP_IMPORT_PNG | 1 << VP_IMPORT_RAW };

/* The formats that an option belongs to, a bit each; 0: all. */
static const unsigned formats_of[OPTION_COUNT] = {
    [MIN] = 1 << VP_IMPORT_LUANTI,
    [SIZE] = 1 << VP_IMPORT_LUANTI,
    [WATER_COLOUR] = 1 << VP_IMPORT_VOX,
    [HEIGHT_SCALE] = HEIGHTMAP,
    [HEIGHT_BASE] = HEIGHTMAP,
    [WATER_LEVEL] = HEIGHTMAP,
    [SOIL_DEPTH] = HEIGHTMAP,
    [MATERIALS] = HEIGHTMAP,
    [RAW_SIZE] = 1 << VP_IMPORT_RAW,
    [RAW_BIG_ENDIAN] = 1 << VP_IMPORT_RAW,
    [RAW_SIGNED] = 1 << VP_IMPORT_RAW,
};

/* An option that another format has is a mistake: the file would not be read as was asked. */
static int check_formats(const vp_option *options, const char *file, vp_import_format format)
{
    static const char *const names[] = {"auto", "vpw", "luanti", "vox", "png", "raw"};
    for (int i = 0; i < OPTION_COUNT; i++)
        if (*options[i].value != NULL && formats_of[i] != 0 && (formats_of[i] & 1u << format) == 0)
            return vp_command_usage("dataset import", "option '%s' (%s) is not for the format of '%s', %s", options[i].name,
                                    options[i].help, file, names[format]);
    return VP_EXIT_DONE;
}

static bool read_options(const char *const *value, vp_import_options *o)
{
    if (value[WATER_COLOUR] != NULL && !parse_u32("--water-colour", value[WATER_COLOUR], 1, 255, &o->vox_water_colour))
        return false;
    if (o->format == VP_IMPORT_RAW && value[RAW_SIZE] == NULL)
        return VP_REFUSE("dataset import", "a raw heightmap needs --raw-size X,Z: its samples along x and z");
    return read_region(value, o) && read_heights(value, &o->heights);
}

/* The format that was named, or else the file's own. */
static int choose_format(const char *named, const char *file, vp_import_format *format)
{
    vp_error error;
    if (named != NULL && !vp_import_format_named(named, format))
        return vp_command_usage("dataset import", "--format '%s' is none of auto, vpw, luanti, vox, png, raw", named);
    if (*format != VP_IMPORT_AUTO || vp_import_format_of(file, format, &error) == VP_OK)
        return VP_EXIT_DONE;
    if (error.status == VP_E_FORMAT)
        return vp_command_usage("dataset import", "%s: --format raw --raw-size X,Z", error.message);
    return vp_command_fail("dataset import", &error);
}

/* The importers know fields, users know options: what refuses a size or a height is named after the message. */
static int refuse_import(vp_import_format format, const vp_error *error)
{
    if (error->status == VP_E_ARGUMENT && (HEIGHTMAP & 1u << format) != 0)
        return vp_command_usage("dataset import", "%s: see --height-scale and --height-base", error->message);
    if (error->status == VP_E_ARGUMENT && format == VP_IMPORT_LUANTI)
        return vp_command_usage("dataset import", "%s: see --min and --size", error->message);
    return vp_command_fail("dataset import", error);
}

static int check_out(const char *file, const char *out)
{
    if (out == NULL)
        return vp_command_usage("dataset import", "-o OUT is missing: where to write the world");
    if (out[0] == '\0')
        return vp_command_usage("dataset import", "option '-o': the name of the file is empty");
    if (strcmp(out, "-") == 0)
        return vp_command_usage("dataset import", "a world is not written to standard output; give -o OUT");
    if (vp_same_file(file, out))
        return vp_command_usage("dataset import", "OUT '%s' is the file that is read", out);
    return VP_EXIT_DONE;
}

int vp_dataset_import(int argc, char **argv)
{
    const char *value[OPTION_COUNT] = {NULL};
    const vp_option options[OPTION_COUNT] = {
        [FORMAT] = {"--format", "FORMAT", "auto (by content), vpw, luanti, vox, png or raw", &value[FORMAT]},
        [MIN] = {"--min", "X,Y,Z", "Luanti: the lowest node of --size; default: 0,0,0", &value[MIN]},
        [SIZE] = {"--size", "X,Y,Z", "Luanti: how many nodes to read; default: all that are stored", &value[SIZE]},
        [WATER_COLOUR] = {"--water-colour", "N", "MagicaVoxel: palette index 1 to 255 that is water; default: none", &value[WATER_COLOUR]},
        [HEIGHT_SCALE] = {"--height-scale", "F", "heightmap: voxels per step; default: 1", &value[HEIGHT_SCALE]},
        [HEIGHT_BASE] = {"--height-base", "F", "heightmap: voxels added to every height; default: 0", &value[HEIGHT_BASE]},
        [WATER_LEVEL] = {"--water-level", "N", "heightmap: open voxels below this are water; default: 0 (none)", &value[WATER_LEVEL]},
        [SOIL_DEPTH] = {"--soil-depth", "N", "heightmap: voxels of soil under the top one; default: 3", &value[SOIL_DEPTH]},
        [MATERIALS] = {"--materials", "T,S,R", "heightmap: material of top, soil and rock; default: 4,3,2", &value[MATERIALS]},
        [RAW_SIZE] = {"--raw-size", "X,Z", "raw heightmap: samples along x and z; required", &value[RAW_SIZE]},
        [RAW_BIG_ENDIAN] = {"--raw-big-endian", NULL, "raw heightmap: high byte first; default: low byte first", &value[RAW_BIG_ENDIAN]},
        [RAW_SIGNED] = {"--raw-signed", NULL, "raw heightmap: two's complement; default: unsigned", &value[RAW_SIGNED]},
        [OUT] = {"-o", "OUT", "required: the world file to write", &value[OUT]},
        [JSON] = {"--json", NULL, "print what was written as JSON", &value[JSON]},
    };
    const vp_usage usage = {"dataset import",
                            "FILE -o OUT [OPTION...]",
                            "Reads a world of another program and writes it as a world file: Luanti's\n"
                            "(Minetest's) map.sqlite, MagicaVoxel's .vox, a heightmap as PNG or as raw\n"
                            "16-bit samples, or a .vpw file.",
                            options,
                            OPTION_COUNT,
                            1,
                            1};
    int count, code;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    vp_import_options import = vp_import_defaults();
    code = check_out(argv[1], value[OUT]);
    if (code == VP_EXIT_DONE)
        code = choose_format(value[FORMAT], argv[1], &import.format);
    if (code == VP_EXIT_DONE)
        code = check_formats(options, argv[1], import.format);
    if (code != VP_EXIT_DONE)
        return code;
    if (!read_options(value, &import))
        return VP_EXIT_USAGE;

    vp_error error;
    vp_world *world = NULL;
    char *note = NULL;
    if (vp_import_file(argv[1], &import, &world, &note, &error) != VP_OK)
        return refuse_import(import.format, &error);
    vp_status status = vp_world_save(world, note, value[OUT], &error);
    free(note);
    if (status != VP_OK) {
        vp_world_destroy(world);
        return vp_command_fail("dataset import", &error);
    }
    vp_dims s = vp_world_size(world);
    uint64_t hash = vp_kind_world.hash(world);
    vp_world_destroy(world);
    if (value[JSON] != NULL) {
        char text[17];
        snprintf(text, sizeof text, "%016" PRIx64, hash);
        return vp_print_json(
            json_pack("{s:o, s:[i, i, i], s:s}", "file", vp_json_name(value[OUT]), "size", (int)s.x, (int)s.y, (int)s.z, "hash", text));
    }
    printf("%s: %u x %u x %u voxels, XXH3-64 %016" PRIx64 "\n", value[OUT], s.x, s.y, s.z, hash);
    return VP_EXIT_DONE;
}
