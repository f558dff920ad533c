/* SPDX-License-Identifier: MIT */
/* voxphys blocks save, voxphys blocks load: copying worlds into folders, and reading folders. */
#include <inttypes.h>
#include <jansson.h>

#include "host/program.h"
#include "tools/blocks/blocks.h"

static int tell(vp_block_source_world *world, const char *folder, double seconds, bool saved, bool json, const char *command)
{
    vp_block_folder f;
    vp_error error;
    if (vp_block_folder_look(folder, &f, &error) != VP_OK)
        return vp_command_fail(command, &error);
    const uint32_t n = world->chunks > 0 ? world->chunks : 1, regions = f.regions;
    const uint64_t bytes = f.bytes;
    char codec[64];
    vp_escape(f.codec, codec, sizeof codec);
    vp_block_folder_drop(&f);
    if (json)
        return vp_print_json(json_pack("{s:o, s:o, s:I, s:I, s:f, s:s, s:f}", "world", vp_blocks_world_json(world), "folder",
                                       vp_json_name(folder), "regions", (json_int_t)regions, "file_bytes", (json_int_t)bytes,
                                       "bytes_per_chunk", (double)bytes / n, "codec", codec, "seconds", seconds));
    vp_blocks_print_world(world);
    printf("regions    %u in %s, %s: %" PRIu64 " bytes, %.1f a chunk; %s in %.3f ms\n", regions, folder, codec, bytes, (double)bytes / n,
           saved ? "saved" : "loaded", seconds * 1e3);
    return VP_EXIT_DONE;
}

int vp_blocks_save_command(int argc, char **argv)
{
    static const char command[] = "blocks save";
    const char *codec;
    bool json;
    const vp_argument arguments[] = {
        {"--codec", "NAME", "compression: raw or zlib (default: that of the folder, else raw)", VP_TEXT(&codec)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        command, "WORLD FOLDER [OPTION...]", 2, 2, arguments,
        "Write a world's chunks as region files, and its table of types as types.json.\n"
        "A region file has 8 x 8 x 8 chunks. The folder is created if it doesn't exist. Existing files are replaced one by\n"
        "one, each atomically.\n" VP_BLOCK_SOURCE_HELP "\n\nExample: voxphys blocks save planet saved-planet");
    vp_error error;
    vp_block_source_world world;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (!vp_blocks_codec(command, codec))
        return VP_EXIT_USAGE;
    vp_status status = vp_block_source_open(command, argv[1], &world, &error);
    const double begin = vp_seconds();
    if (status == VP_OK)
        status = vp_block_folder_save(&world, argv[2], codec, &error);
    const double seconds = vp_seconds() - begin;
    int code = status == VP_OK ? tell(&world, argv[2], seconds, true, json, command) : vp_command_fail(command, &error);
    vp_block_source_close(&world);
    return code;
}

int vp_blocks_load_command(int argc, char **argv)
{
    static const char command[] = "blocks load";
    bool json;
    const vp_argument arguments[] = {{"--json", NULL, "print JSON", VP_FLAG(&json)}};
    vp_command_line line = VP_COMMAND_LINE(command, "FOLDER [OPTION...]", 1, 1, arguments,
                                           "Read all region files of a folder, and check every chunk.\n"
                                           "Equal worlds have equal digests, whatever the compression.\n\n"
                                           "Example: voxphys blocks load saved-planet");
    vp_error error;
    vp_block_source_world world;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (!vp_is_folder(argv[1]))
        return vp_command_usage(command, "%s is not a folder", vp_show_path(argv[1]).text);
    const double begin = vp_seconds();
    const vp_status status = vp_block_source_open(command, argv[1], &world, &error);
    const double seconds = vp_seconds() - begin;
    int code = status == VP_OK ? tell(&world, argv[1], seconds, false, json, command) : vp_command_fail(command, &error);
    vp_block_source_close(&world);
    return code;
}
