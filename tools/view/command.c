/* SPDX-License-Identifier: MIT */
/* `voxphys view` prints a file of step records, or makes a page of it. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/file.h"
#include "host/bytes.h"
#include "host/system.h"
#include "host/program.h"
#include "host/record/read.h"
#include "tools/commands.h"
#include "tools/dataset/dataset.h"

enum { MEGABYTE = 1000000, MUCH = 20, MOST = 300 };
#define HOLE "@RECORDING@"

typedef struct viewing {
    const char *path, *out;
    uint8_t *bytes;
    size_t size;
    vp_record *record;
    vp_record_info info;
    bool keep[VP_RECORD_LAYERS];
    uint32_t low, high;
    bool part; /* a part of it is selected */
    vp_bytes page;
} viewing;

/* ---- selection ---- */

/* "A..B", both in the recording. @return the exit code */
static int choose_frames(viewing *v, const char *text)
{
    const uint32_t first = v->info.about.first, last = first + v->info.frames - 1;
    char *dots = NULL, *end = NULL;
    const unsigned long long low = strtoull(text, &dots, 10);
    const bool sound = dots != text && strncmp(dots, "..", 2) == 0 && dots[2] >= '0' && dots[2] <= '9' && text[0] >= '0' && text[0] <= '9';
    const unsigned long long high = sound ? strtoull(dots + 2, &end, 10) : 0;
    if (!sound || *end != '\0' || low > high)
        return vp_command_usage("view", "option '--frames': '%s' is not A..B, a first and a last frame", vp_show_path(text).text);
    if (low < first || high > last)
        return vp_command_usage("view", "option '--frames': %s has frames %u to %u, not %llu to %llu", vp_show_path(v->path).text, first,
                                last, low, high);
    v->low = (uint32_t)low;
    v->high = (uint32_t)high;
    v->part = v->part || v->low != first || v->high != last;
    return VP_EXIT_DONE;
}

static int choose_layers(viewing *v, const char *text)
{
    memset(v->keep, 0, sizeof v->keep);
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        bool found = false;
        for (uint32_t i = 0; i < v->info.layer_count && !found; i++) {
            found = strlen(v->info.layers[i].name) == length && strncmp(v->info.layers[i].name, at, length) == 0;
            v->keep[i] = v->keep[i] || found;
        }
        if (!found) {
            char name[VP_RECORD_NAME_BYTES], shown[2 * VP_RECORD_NAME_BYTES];
            snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1, at);
            vp_escape(name, shown, sizeof shown);
            return vp_command_usage("view", "option '--layers': %s has no layer \"%s\"", vp_show_path(v->path).text, shown);
        }
        at += length;
        if (*at == '\0')
            break;
    }
    for (uint32_t i = 0; i < v->info.layer_count; i++)
        v->part = v->part || !v->keep[i];
    return VP_EXIT_DONE;
}

static vp_status load(viewing *v, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    vp_status status = vp_file_read(v->path, UINT32_MAX, &allocator, &v->bytes, &v->size, error);
    if (status == VP_OK)
        status = vp_record_open(v->bytes, v->size, &v->record, error);
    if (status == VP_OK)
        status = vp_record_check(v->record, error);
    if (status == VP_OK && vp_record_info_of(v->record).frames == 0)
        status = vp_fail(error, VP_E_FORMAT, "the recording has no whole frame");
    if (status == VP_E_FORMAT || status == VP_E_UNSUPPORTED)
        vp_name_file(error, "", v->path);
    if (status != VP_OK)
        return status;
    v->info = vp_record_info_of(v->record);
    v->low = v->info.about.first;
    v->high = v->low + v->info.frames - 1;
    memset(v->keep, 1, sizeof v->keep);
    if (v->info.cut)
        fprintf(stderr, "voxphys view: %s was not ended, as by a crash: its %u whole frame%s are there\n", vp_show_path(v->path).text,
                v->info.frames, vp_plural(v->info.frames));
    return VP_OK;
}

/* ---- the page ---- */

/* Writes the recording, or a part of it, as base64 into the page's placeholder. */
static vp_status fill(viewing *v, const uint8_t *page, size_t page_size, const char *hole, vp_error *error)
{
    vp_bytes recording = {.at = v->bytes, .size = (size_t)v->info.bytes};
    vp_bytes part = {0};
    const size_t before = (size_t)(hole - (const char *)page), after = before + strlen(HOLE);
    if (v->part) {
        VP_RETURN_IF_FAILED(vp_record_cut(v->record, v->low, v->high, v->keep, &part, error));
        recording = part;
    }
    const uint64_t bytes = page_size + (uint64_t)recording.size * 4 / 3;
    vp_status status = VP_OK;
    if (bytes > (uint64_t)MOST * MEGABYTE)
        status = vp_fail(error, VP_E_ARGUMENT,
                         "the page would have %" PRIu64 " MB; browsers open at most %d MB: choose a part by --frames or --layers",
                         bytes / MEGABYTE, MOST);
    if (status == VP_OK && bytes > (uint64_t)MUCH * MEGABYTE)
        fprintf(stderr, "voxphys view: the page has %" PRIu64 " MB, and takes long to open: --frames and --layers show a part\n",
                bytes / MEGABYTE);
    if (status == VP_OK) {
        vp_bytes_add(&v->page, page, before);
        vp_bytes_base64(&recording, &v->page);
        vp_bytes_add(&v->page, page + after, page_size - after);
    }
    free(part.at);
    if (status == VP_OK && v->page.failed)
        status = vp_fail(error, VP_E_MEMORY, "no memory for a page of %" PRIu64 " bytes", bytes);
    return status;
}

static vp_status write_page(viewing *v, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    static const char *const places[] = {VP_PAGE_BUILT, VP_PAGE_INSTALLED};
    char path[VP_PATH_BYTES];
    uint8_t *page = NULL;
    size_t size = 0;
    if (!vp_find_beside(VP_PAGE_FROM_PROGRAM, places, 2, path)) /* the empty page, which the build makes */
        return vp_fail(error, VP_E_UNSUPPORTED,
                       "this build has no page. Run 'cmake/packages page' (it installs esbuild, npm and node on Debian), then "
                       "'cmake --preset release && cmake --build --preset release'");
    vp_status status = vp_file_read(path, (uint64_t)MOST * MEGABYTE, &allocator, &page, &size, error);
    if (status != VP_OK)
        return status;
    char *text = malloc(size + 1);
    if (text == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for a page");
    } else {
        if (size > 0)
            memcpy(text, page, size);
        text[size] = '\0';
        const char *hole = strstr(text, HOLE);
        status = hole != NULL ? fill(v, (const uint8_t *)text, size, hole, error)
                              : vp_fail(error, VP_E_FORMAT, "%s is not a page for a recording", vp_show_path(path).text);
    }
    free(text);
    if (page != NULL)
        allocator.release(allocator.user, page, size);
    return status == VP_OK ? vp_file_replace(v->out, v->page.at, v->page.size, error) : status;
}

/* ---- output ---- */

static const char *kind_of(const vp_record_layer *l)
{
    static const char *const kinds[] = {"items", "array", "texts", "scalars", "voxels"};
    static const char *const draws[] = {"table", "points", "lines", "arrows", "boxes", "spheres", "triangles"};
    return l->kind == VP_RECORD_ARRAY ? draws[l->draw] : kinds[l->kind];
}

static int print_as_json(const viewing *v)
{
    json_t *layers = json_array();
    for (uint32_t i = 0; i < v->info.layer_count; i++) {
        json_t *columns = json_array();
        for (uint32_t k = 0; k < v->info.layers[i].column_count; k++)
            json_array_append_new(columns, json_string(v->info.layers[i].columns[k].name));
        json_array_append_new(layers, json_pack("{s:s, s:s, s:o, s:b}", "name", v->info.layers[i].name, "kind", kind_of(&v->info.layers[i]),
                                                "columns", columns, "shown", (int)v->keep[i]));
    }
    return vp_print_json(json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:[I, I], s:o, s:I}", "file", vp_json_name(v->path),
                                   "type", v->info.about.type, "title", v->info.about.title, "bytes", (json_int_t)v->info.bytes, "blocks",
                                   (json_int_t)v->info.blocks, "shapes", (json_int_t)v->info.shapes, "first",
                                   (json_int_t)v->info.about.first, "frames", (json_int_t)v->info.frames, "cut", (int)v->info.cut, "layers",
                                   layers, "shown", (json_int_t)v->low, (json_int_t)v->high, "page", vp_json_path(v->out), "page_bytes",
                                   (json_int_t)v->page.size));
}

static int print_as_text(const viewing *v)
{
    char title[2 * VP_RECORD_TEXT_BYTES], name[2 * VP_RECORD_NAME_BYTES];
    vp_escape(v->info.about.title, title, sizeof title);
    printf("recording %s: %s\n", vp_show_path(v->path).text, title);
    printf("frames    %u to %u; %u shape%s; %" PRIu64 " bytes, %.1f a frame%s\n", v->info.about.first,
           v->info.about.first + v->info.frames - 1, v->info.shapes, vp_plural(v->info.shapes), v->info.bytes,
           (double)v->info.bytes / v->info.frames, v->info.cut ? "; not ended" : "");
    for (uint32_t i = 0; i < v->info.layer_count; i++) {
        vp_escape(v->info.layers[i].name, name, sizeof name);
        printf("layer     %-20s %s%s\n", name, kind_of(&v->info.layers[i]), v->keep[i] ? "" : ", left out");
    }
    if (v->out != NULL)
        printf("written   %s: frames %u to %u, %zu bytes\n", vp_show_path(v->out).text, v->low, v->high, v->page.size);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

static void drop(viewing *v)
{
    const vp_allocator allocator = vp_allocator_default();
    vp_record_close(v->record);
    if (v->bytes != NULL)
        allocator.release(allocator.user, v->bytes, v->size);
    free(v->page.at);
}

int vp_command_view(int argc, char **argv)
{
    const char *frames, *layers;
    bool json;
    viewing v = {0};
    const vp_argument arguments[] = {
        {"-o", "PAGE.html", "write the page: one file, which needs no server and no network", VP_TEXT(&v.out)},
        {"--frames", "A..B", "only frames A to B", VP_TEXT(&frames)},
        {"--layers", "NAMES", "only these layers, e.g. hulls,figures", VP_TEXT(&layers)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("view", "FILE.vpr [OPTION...]", 1, 1, arguments,
                        "Check a file of step records, list its frames and layers, and make a page that shows it frame by frame.\n"
                        "'--record FILE' of other commands writes such files. A file that a crash cut off is shown up to its last\n"
                        "complete frame.\n\n"
                        "Example: voxphys view trees.vpr -o trees.html");
    vp_error error = {VP_OK, ""};
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    v.path = argv[1];
    vp_status status = v.out != NULL ? vp_can_write(v.out, &error) : VP_OK;
    if (status == VP_OK && v.out != NULL && vp_same_file(v.path, v.out))
        status = vp_fail(&error, VP_E_ARGUMENT, "-o %s is the file that is read", vp_show_path(v.out).text);
    if (status == VP_OK)
        status = load(&v, &error);
    int code = VP_EXIT_DONE;
    if (status == VP_OK && frames != NULL)
        code = choose_frames(&v, frames);
    if (status == VP_OK && code == VP_EXIT_DONE && layers != NULL)
        code = choose_layers(&v, layers);
    if (status == VP_OK && code == VP_EXIT_DONE && v.out != NULL)
        status = write_page(&v, &error);
    if (status != VP_OK)
        code = vp_command_fail("view", &error);
    else if (code == VP_EXIT_DONE)
        code = json ? print_as_json(&v) : print_as_text(&v);
    drop(&v);
    return code;
}
