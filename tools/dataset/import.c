/* SPDX-License-Identifier: MIT */
/* `voxphys dataset import` converts files of other programs to worlds. */
#include "tools/dataset/dataset.h"

#include "host/program.h"

#include <voxphys/import.h>
#include <voxphys/world_file.h>

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Heights are doubles, because a decimal step of a heightmap may not be a binary32 number. */
static int read_double(const char *command, const vp_argument *a, const char *text)
{
    char *end = NULL;
    const double value = text != NULL ? strtod(text, &end) : 0;
    if (text != NULL && (end == text || *end != '\0' || !isfinite(value)))
        return vp_command_usage(command, "%s '%s' is not a finite number", a->name, text);
    if (text != NULL)
        *(double *)a->to = value;
    return VP_EXIT_DONE;
}

/* Reads several integers of at least a->low. */
static int read_counts(const char *command, const vp_argument *a, const char *text, size_t count)
{
    int32_t *const out = a->to;
    if (text == NULL)
        return VP_EXIT_DONE;
    if (!vp_parse_i32_list(command, a->name, a->metavar, text, out, count))
        return VP_EXIT_USAGE;
    for (size_t i = 0; i < count; i++)
        if (out[i] < (int32_t)a->low || out[i] > (int32_t)a->high)
            return vp_command_usage(command, "%s '%s': %d is not from %d to %d", a->name, text, out[i], (int)a->low, (int)a->high);
    return VP_EXIT_DONE;
}

static int read_two(const char *command, const vp_argument *a, const char *text)
{
    return read_counts(command, a, text, 2);
}

static int read_three(const char *command, const vp_argument *a, const char *text)
{
    return read_counts(command, a, text, 3);
}

#define COUNTS(read, to, low, high) (read), VP_TYPED(int32_t, to), (low), (high), 0, 0, NULL

enum { HEIGHTMAP = 1 << VP_IMPORT_PNG | 1 << VP_IMPORT_RAW };

static const char *const format_names[] = {"auto", "vpw", "luanti", "vox", "png", "raw"};

/* Finds a format by its name. `format` is unchanged for other names. */
static bool find_format_named(const char *name, vp_import_format *format)
{
    for (size_t i = 0; i < sizeof format_names / sizeof format_names[0]; i++)
        if (strcmp(name, format_names[i]) == 0) {
            *format = (vp_import_format)i;
            return true;
        }
    return false;
}

/* Refuses an option of another format, because the file would not be read as requested. */
static int check_formats(const vp_command_line *line, const char *file, vp_import_format format)
{
    static const struct {
        const char *option;
        unsigned formats; /* one bit per format */
    } of[] = {{"--min", 1 << VP_IMPORT_LUANTI},
              {"--size", 1 << VP_IMPORT_LUANTI},
              {"--water-colour", 1 << VP_IMPORT_VOX},
              {"--height-scale", HEIGHTMAP},
              {"--height-base", HEIGHTMAP},
              {"--water-level", HEIGHTMAP},
              {"--soil-depth", HEIGHTMAP},
              {"--materials", HEIGHTMAP},
              {"--raw-size", 1 << VP_IMPORT_RAW},
              {"--raw-big-endian", 1 << VP_IMPORT_RAW},
              {"--raw-signed", 1 << VP_IMPORT_RAW}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        for (size_t k = 0; k < line->count; k++)
            if (strcmp(line->argument[k].name, of[i].option) == 0 && line->given[k] != NULL && (of[i].formats & 1u << format) == 0)
                return vp_command_usage("dataset import", "option '%s' is for %.*s; the format of '%s' is %s", of[i].option,
                                        (int)strcspn(line->argument[k].help, ":"), line->argument[k].help, file, format_names[format]);
    return VP_EXIT_DONE;
}

/* Takes the named format, otherwise finds the file's. */
static int choose_format(const char *named, const char *file, vp_import_format *format)
{
    vp_error error;
    if (named != NULL && !find_format_named(named, format))
        return vp_command_usage("dataset import", "--format '%s': must be one of auto, vpw, luanti, vox, png, raw", named);
    if (*format != VP_IMPORT_AUTO || vp_import_find_format(file, format, &error) == VP_OK)
        return VP_EXIT_DONE;
    if (error.status == VP_E_FORMAT)
        return vp_command_usage("dataset import", "%s: --format raw --raw-size X,Z", error.message);
    return vp_command_fail("dataset import", &error);
}

/* Names the option after the message of an importer, which names fields, when a size or height is refused. */
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
    const char *out;
    bool json;
    int32_t low[3] = {0}, size[3] = {0}, materials[3] = {0}, samples[2] = {0};
    vp_import_def import = vp_import_defaults();
    vp_import_heights *h = &import.heights;
    const vp_argument arguments[] = {
        VP_GROUP("Input"),
        {"--format", "FORMAT", "auto, vpw, luanti, vox, png or raw (default auto: by content)", VP_UNREAD},
        {"--min", "X,Y,Z", "Luanti: the lowest node of --size (default 0,0,0)", VP_I32S(low, 3)},
        {"--size", "X,Y,Z", "Luanti: number of nodes to read along each axis (default: all that are stored)",
         COUNTS(read_three, size, 1, VP_WORLD_MAX_XZ)},
        {"--water-colour", "N", "MagicaVoxel: palette index of water, 1 to 255 (default: none)", VP_U32(&import.vox_water_colour, 1, 255)},
        VP_GROUP("Heightmaps"),
        {"--height-scale", "F", "heightmap: voxels per step (default 1)", VP_BY(read_double, &h->height_scale)},
        {"--height-base", "F", "heightmap: voxels added to every height (default 0)", VP_BY(read_double, &h->height_base)},
        {"--water-level", "N", "heightmap: open voxels below this are water (default 0: none)", VP_U32(&h->water_level, 0, VP_WORLD_MAX_Y)},
        {"--soil-depth", "N", "heightmap: voxels of soil under the top one (default 3)", VP_U32(&h->soil_depth, 0, VP_WORLD_MAX_Y)},
        {"--materials", "T,S,R", "heightmap: material of top, soil and rock (default 4,3,2)",
         COUNTS(read_three, materials, VP_FIRST_SOLID, 255)},
        {"--raw-size", "X,Z", "raw heightmap: samples along x and z, up to 2048; required", COUNTS(read_two, samples, 1, VP_WORLD_MAX_XZ)},
        {"--raw-big-endian", NULL, "raw heightmap: high byte first (default: low byte first)", VP_FLAG(&h->raw_big_endian)},
        {"--raw-signed", NULL, "raw heightmap: two's complement (default: unsigned)", VP_FLAG(&h->raw_signed)},
        VP_GROUP("Output"),
        {"-o", "OUT", "required: the world file to write", VP_TEXT(&out)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("dataset import", "FILE -o OUT [OPTION...]", 1, 1, arguments,
                        "Convert a world of another program to a world file.\n"
                        "Reads Luanti's (Minetest's) map.sqlite, MagicaVoxel's .vox, a heightmap as PNG or as raw 16-bit\n"
                        "samples, or a .vpw file.\n\n"
                        "Example: voxphys dataset import terrain.vpw -o copy.vpw");
    if (!vp_command_parse(&line, argc, argv))
        return line.code;
    int code = check_out(argv[1], vp_given(&line, "-o"));
    if (code == VP_EXIT_DONE)
        code = choose_format(vp_given(&line, "--format"), argv[1], &import.format);
    if (code == VP_EXIT_DONE)
        code = check_formats(&line, argv[1], import.format);
    if (code != VP_EXIT_DONE)
        return code;
    if (!vp_command_read(&line))
        return line.code;
    if (import.format == VP_IMPORT_RAW && samples[0] == 0)
        return vp_command_usage("dataset import", "a raw heightmap needs --raw-size X,Z: its samples along x and z");
    if (vp_given(&line, "--min") != NULL && size[0] == 0)
        return vp_command_usage("dataset import", "--min needs --size");
    import.luanti_low = (vp_ivec3){low[0], low[1], low[2]};
    if (size[0] != 0)
        import.luanti_size = (vp_dims){(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]};
    if (materials[0] != 0) {
        h->top_material = (uint8_t)materials[0];
        h->soil_material = (uint8_t)materials[1];
        h->rock_material = (uint8_t)materials[2];
    }
    h->raw_width = (uint32_t)samples[0];
    h->raw_height = (uint32_t)samples[1];
    vp_error error;
    vp_world *world = NULL;
    vp_blob note = {0};
    if (vp_import_file(argv[1], &import, &world, &note, &error) != VP_OK)
        return refuse_import(import.format, &error);
    vp_status status = vp_world_save(world, (const char *)note.bytes, out, &error);
    vp_blob_destroy(&note);
    if (status != VP_OK) {
        vp_world_destroy(world);
        return vp_command_fail("dataset import", &error);
    }
    vp_dims s = vp_world_size(world);
    uint64_t hash = vp_set_hash(&vp_kind_world, world);
    vp_world_destroy(world);
    if (json)
        return vp_print_json(json_pack("{s:o, s:[i, i, i], s:o}", "file", vp_json_name(out), "size", (int)s.x, (int)s.y, (int)s.z, "hash",
                                       vp_json_hex(hash)));
    printf("%s: %u x %u x %u voxels, XXH3-64 %016" PRIx64 "\n", out, s.x, s.y, s.z, hash);
    return VP_EXIT_DONE;
}
