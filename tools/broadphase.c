/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <voxphys/broadphase.h>

#include "host/line_file.h"
#include "host/bytes.h"
#include "host/thread_executor.h"
#include "src/core/isa_names.h"
#include "datasets/hash.h"
#include "datasets/kinds/kind.h"
#include "datasets/random.h"
#include "tools/commands.h"
#include "tools/choices.h"

/* Reads JSON lines from a regular file, one box each: {"min": [x, y, z], "max": [x, y, z]}. A number is a string that
   strtof reads whole, such as "0x1.8p+3", "11.9" or "-inf", or a JSON number that binary32 holds exactly. Every box is
   valid.
   @return VP_E_FORMAT with the line's number and the fault, VP_E_IO, VP_E_MEMORY */
vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error);

static vp_status judge_box(const vp_line_place *p, const vp_aabb *box)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    for (int axis = 0; axis < 3; axis++) {
        char name = "xyz"[axis];
        if (isnan(low[axis]) || isnan(high[axis]))
            return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%s.%c is NaN", p->line, isnan(low[axis]) ? "min" : "max", name);
        if (low[axis] > high[axis])
            return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "min.%c = %.9g is above max.%c = %.9g", p->line, name, (double)low[axis], name,
                           (double)high[axis]);
    }
    return VP_OK;
}

/* The boxes read so far. */
typedef struct box_list {
    vp_aabb *box;
    size_t count, room;
} box_list;

static vp_status read_box(void *user, const vp_line_place *p, char *line, size_t length)
{
    box_list *list = user;
    vp_aabb box;
    json_t *object;
    if (list->count == UINT32_MAX / 2)
        return vp_fail(p->error, VP_E_FORMAT, "more than %zu boxes", list->count);
    VP_RETURN_IF_FAILED(vp_line_json(p, line, length, &object));
    vp_status status = VP_OK;
    if (!json_is_object(object) || json_object_size(object) != 2)
        status = vp_fail(p->error, VP_E_FORMAT, VP_PLACE "no box: {\"min\": [x, y, z], \"max\": [x, y, z]}", p->line);
    else
        status = vp_line_vec3(p, json_object_get(object, "min"), "min", &box.min);
    if (status == VP_OK)
        status = vp_line_vec3(p, json_object_get(object, "max"), "max", &box.max);
    json_decref(object);
    if (status == VP_OK)
        status = judge_box(p, &box);
    if (status == VP_OK)
        status = vp_grow_array(&list->box, &list->room, list->count + 1, sizeof *list->box, "boxes", p->error);
    if (status == VP_OK)
        list->box[list->count++] = box;
    return status;
}

vp_status vp_box_file_read(const char *path, vp_box_set *out, vp_error *error)
{
    box_list list = {0};
    vp_status status = vp_read_lines(path, "a box", read_box, &list, error);
    if (status == VP_OK && list.count == 0) {
        status = vp_fail(error, VP_E_FORMAT, "it has no box");
        vp_name_file(error, "", path);
    }
    if (status == VP_OK)
        status = vp_box_set_create((uint32_t)list.count, out, error);
    if (status == VP_OK) {
        memcpy(out->box, list.box, list.count * sizeof *list.box);
        vp_box_set_split(out);
    }
    free(list.box);
    return status;
}

/* `voxphys broadphase` builds a world's broadphase, prints its memory use, and runs many queries. It is the whole
 * pipeline as one command, for timing, and for comparing digests between machines. */

enum {
    RANDOM_BOXES = 65536,     /* boxes made with --extent, used repeatedly */
    MAX_QUERIES = 1000000000, /* all answers are kept for the digest, one byte each */
    SLICE = 1 << 20           /* queries per update of the progress bar */
};

typedef struct pipeline {
    /* options */
    const char *world_name, *boxes_name;
    float extent[2];
    uint64_t query_count, seed;
    uint32_t threads;
    bool single;
    /* state */
    vp_manifest *manifest;
    vp_world *world;
    vp_broadphase *broadphase;
    vp_box_set boxes;
    uint8_t *touch; /* one answer per query */
    /* results */
    vp_content world_content, boxes_content;
    double build_seconds, query_seconds;
    uint64_t solid, water, any;
} pipeline;

/* ---- the boxes ---- */

/* "/data/terrain-l3.vpw" -> "terrain-l3" */
static int stem_of(const char *path, const char **stem)
{
    const char *slash = strrchr(path, '/');
    *stem = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(*stem, '.');
    return (int)(dot != NULL ? dot - *stem : (ptrdiff_t)strlen(*stem));
}

/* Removes the world's name from a set's: "terrain-l3/boxes-small" becomes "boxes-small" if WORLD is "terrain-l3".
   @return the set's name, or the whole text if another folder or world precedes it */
static const char *without_world(const char *text, const char *world, int length)
{
    bool in_front = strncmp(text, world, (size_t)length) == 0 && text[length] == '/';
    return in_front && !vp_is_file_name(text + length + 1, ".jsonl") ? text + length + 1 : text;
}

/* An unreadable file may have been meant as the set of another world. The message says so. */
static vp_status open_box_file(pipeline *p, vp_error *error)
{
    vp_error ignored;
    uint64_t hash;
    vp_status status = vp_box_file_read(p->boxes_name, &p->boxes, error);
    if (status == VP_E_IO && (p->manifest != NULL || vp_manifest_open(NULL, &p->manifest, &ignored) == VP_OK) &&
        vp_manifest_hash(p->manifest, p->boxes_name, &hash))
        return vp_fail(error, VP_E_ARGUMENT, "--boxes %.80s is a set of another world, and no file; this world's is --boxes %.60s",
                       p->boxes_name, strchr(p->boxes_name, '/') + 1);
    return status;
}

/* Opens a set of the manifest, made for this world. */
static vp_status take_boxes(pipeline *p, const char *name, vp_error *error)
{
    char world[VP_DATA_NAME_BYTES];
    vp_store *store = NULL;
    const vp_data *data;
    vp_status status = vp_store_create(p->manifest, 0, &store, error);
    snprintf(world, sizeof world, "%.*s", (int)strcspn(name, "/"), name);
    if (status == VP_OK)
        status = vp_store_lend(store, &vp_kind_world, world, p->world, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_boxes, name, &data, error);
    if (status == VP_OK) {
        vp_box_set *boxes = vp_store_take(store, data);
        p->boxes = *boxes;
        free(boxes);
    }
    vp_store_destroy(store);
    return status;
}

/* Opens a file of boxes, or a set of the manifest. The file of a world counts as the manifest's world of the same name.
   The set's hash reveals if it is not. */
static vp_status open_boxes(pipeline *p, vp_error *error)
{
    char name[160];
    const char *stem = p->world_name;
    int length = vp_is_file_name(p->world_name, ".vpw") ? stem_of(p->world_name, &stem) : (int)strlen(stem);
    const char *set = without_world(p->boxes_name, stem, length);
    if (vp_is_file_name(set, ".jsonl"))
        return open_box_file(p, error);
    VP_RETURN_IF_FAILED(p->manifest != NULL ? VP_OK : vp_manifest_open(NULL, &p->manifest, error));
    if ((size_t)snprintf(name, sizeof name, "%.*s/%s", length, stem, set) >= sizeof name)
        return vp_fail(error, VP_E_ARGUMENT, "data set name \"%.40s...\" is too long", name);
    vp_error reason;
    vp_status status = take_boxes(p, name, &reason);
    if (status != VP_OK)
        return vp_fail(error, status, "--boxes %.60s: %.180s", p->boxes_name, reason.message);
    if (p->boxes.count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "--boxes %.60s: the set is empty", p->boxes_name);
    p->boxes_content = vp_content_of("broadphase", p->manifest, name);
    return VP_OK;
}

static void random_side(vp_random *r, const float extent[2], uint32_t size, float *min, float *max)
{
    float middle = vp_random_between(r, 0.0f, (float)size);
    float half = vp_random_between(r, extent[0], extent[1]) * 0.5f;
    *min = middle - half;
    *max = middle + half;
}

static vp_status make_boxes(pipeline *p, vp_error *error)
{
    uint32_t count = p->query_count < RANDOM_BOXES ? (uint32_t)p->query_count : RANDOM_BOXES;
    VP_RETURN_IF_FAILED(vp_box_set_create(count, &p->boxes, error));
    vp_dims size = vp_world_size(p->world);
    vp_random r = {p->seed};
    for (uint32_t i = 0; i < count; i++) {
        vp_aabb *box = &p->boxes.box[i];
        random_side(&r, p->extent, size.x, &box->min.x, &box->max.x);
        random_side(&r, p->extent, size.y, &box->min.y, &box->max.y);
        random_side(&r, p->extent, size.z, &box->min.z, &box->max.z);
    }
    vp_box_set_split(&p->boxes);
    return VP_OK;
}

/* ---- building and asking ---- */

static vp_status build(pipeline *p, const vp_kernels *kernels, vp_error *error)
{
    vp_executor executor = vp_thread_executor(p->threads);
    p->threads = executor.thread_count; /* the executor's count may be smaller */
    vp_broadphase_def def = {.world = p->world, .kernels = kernels, .executor = &executor};
    double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_broadphase_create(&def, &p->broadphase, error));
    p->build_seconds = vp_seconds() - begin;
    return VP_OK;
}

/* Runs `count` queries from the first box on, into touch[]. `count` is at most the number of boxes. */
static vp_status ask(pipeline *p, uint32_t count, uint8_t *touch, vp_error *error)
{
    if (!p->single) {
        vp_boxes boxes = vp_box_set_boxes(&p->boxes);
        boxes.count = count;
        return vp_broadphase_overlap_batch(p->broadphase, &boxes, touch, error);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t answer = 0;
        VP_RETURN_IF_FAILED(vp_broadphase_overlap(p->broadphase, &p->boxes.box[i], &answer, error));
        touch[i] = (uint8_t)answer;
    }
    return VP_OK;
}

static vp_status query(pipeline *p, vp_error *error)
{
    p->touch = p->query_count < SIZE_MAX ? malloc((size_t)p->query_count + 1) : NULL;
    if (p->touch == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the answers to %" PRIu64 " queries", p->query_count);
    memset(p->touch, 0, (size_t)p->query_count + 1); /* maps the pages before the timing */
    uint64_t reported = 0;
    double begin = vp_seconds();
    for (uint64_t done = 0; done < p->query_count;) {
        uint64_t left = p->query_count - done;
        uint32_t count = left < p->boxes.count ? (uint32_t)left : p->boxes.count;
        VP_RETURN_IF_FAILED(ask(p, count, p->touch + done, error));
        done += count;
        if (done - reported >= SLICE) {
            vp_progress("queries", done, p->query_count);
            reported = done;
        }
    }
    p->query_seconds = vp_seconds() - begin;
    if (reported != 0)
        vp_progress("queries", 1, 1);
    for (uint64_t i = 0; i < p->query_count; i++) {
        p->solid += (p->touch[i] & VP_TOUCH_SOLID) != 0;
        p->water += (p->touch[i] & VP_TOUCH_WATER) != 0;
        p->any += p->touch[i] != 0;
    }
    return VP_OK;
}

/* ---- output ---- */

static json_t *kernel_names(const vp_kernels *kernels)
{
    json_t *names = json_object();
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++)
        json_object_set_new(names, vp_kernel_name((vp_kernel_id)k), json_string(vp_isa_shown(vp_kernels_isa(kernels, (vp_kernel_id)k))));
    return names;
}

static int print_as_json(const pipeline *p, const vp_kernels *kernels, uint64_t digest)
{
    vp_dims size = vp_world_size(p->world);
    vp_broadphase_memory use = vp_broadphase_memory_use(p->broadphase);
    double voxels = (double)size.x * size.y * size.z;
    json_t *boxes = p->boxes_name != NULL
                        ? json_pack("{s:o, s:o}", "set", vp_json_name(p->boxes_name), "hash_checked", vp_json_checked(p->boxes_content))
                        : json_pack("{s:[f,f], s:I}", "extent", (double)p->extent[0], (double)p->extent[1], "seed", (json_int_t)p->seed);
    json_t *result =
        json_pack("{s:o, s:o, s:[i,i,i], s:o, s:i, s:{s:f, s:o}, s:{s:i, s:i, s:i, s:i}, s:{s:I, s:I, s:f, s:f},"
                  " s:{s:I, s:s, s:o, s:I, s:I, s:I, s:f, s:o, s:o}}",
                  "world", vp_json_name(p->world_name), "hash_checked", vp_json_checked(p->world_content), "size", (int)size.x, (int)size.y,
                  (int)size.z, "kernels", kernel_names(kernels), "threads", (int)p->threads,                                           //
                  "build", "seconds", p->build_seconds, "chunks_per_second", vp_json_rate(voxels / VP_CHUNK_VOXELS, p->build_seconds), //
                  "tags", "empty", (int)use.chunks[VP_CHUNK_EMPTY], "full_solid", (int)use.chunks[VP_CHUNK_FULL_SOLID], "full_water",
                  (int)use.chunks[VP_CHUNK_FULL_WATER], "mixed", (int)use.chunks[VP_CHUNK_MIXED], //
                  "memory", "mask_bytes", (json_int_t)use.mask_bytes, "total_bytes", (json_int_t)use.total_bytes, "mask_bits_per_voxel",
                  (double)use.mask_bytes * 8 / voxels, "total_bits_per_voxel",
                  (double)use.total_bytes * 8 / voxels, //
                  "queries", "count", (json_int_t)p->query_count, "form", p->single ? "single" : "batch", "boxes", boxes, "touch_solid",
                  (json_int_t)p->solid, "touch_water", (json_int_t)p->water, "touch_any", (json_int_t)p->any, "seconds", p->query_seconds,
                  "queries_per_second", vp_json_rate((double)p->query_count, p->query_seconds), "digest", vp_json_hex(digest));
    return vp_print_json(result);
}

static int print_as_text(const pipeline *p, const vp_kernels *kernels, uint64_t digest)
{
    vp_dims size = vp_world_size(p->world);
    vp_broadphase_memory use = vp_broadphase_memory_use(p->broadphase);
    double voxels = (double)size.x * size.y * size.z, chunks = voxels / VP_CHUNK_VOXELS;
    vp_kernel_id asked = p->single ? VP_KERNEL_overlap_box : VP_KERNEL_overlap_boxes;
    printf("world    %s: %u x %u x %u voxels, %.0f chunks\n", p->world_name, size.x, size.y, size.z, chunks);
    printf("kernels  dilate_world %s, %s %s\n", vp_isa_shown(vp_kernels_isa(kernels, VP_KERNEL_dilate_world)), vp_kernel_name(asked),
           vp_isa_shown(vp_kernels_isa(kernels, asked)));
    printf("build    %.3f ms on %u thread%s, %.1f ns a chunk\n", p->build_seconds * 1e3, p->threads, p->threads == 1 ? "" : "s",
           p->build_seconds * 1e9 / chunks);
    printf("tags     %u empty, %u full of solid, %u full of water, %u mixed\n", use.chunks[VP_CHUNK_EMPTY], use.chunks[VP_CHUNK_FULL_SOLID],
           use.chunks[VP_CHUNK_FULL_WATER], use.chunks[VP_CHUNK_MIXED]);
    printf("memory   %" PRIu64 " bytes of masks, %.3f bits a voxel; %" PRIu64 " bytes in all, %.3f bits a voxel\n", use.mask_bytes,
           (double)use.mask_bytes * 8 / voxels, use.total_bytes, (double)use.total_bytes * 8 / voxels);
    if (p->query_count != 0) {
        printf("queries  %" PRIu64 " %s, ", p->query_count, p->single ? "single" : "in batches");
        if (p->boxes_name != NULL)
            printf("%s\n", p->boxes_name);
        else
            printf("random boxes of %g to %g voxels, seed %" PRIu64 "\n", (double)p->extent[0], (double)p->extent[1], p->seed);
        printf("speed    %.3f ms, %.2f ns a query\n", p->query_seconds * 1e3, p->query_seconds * 1e9 / (double)p->query_count);
    }
    printf("answers  %" PRIu64 " touch solid, %" PRIu64 " touch water, %" PRIu64 " touch something; digest %016" PRIx64 "\n", p->solid,
           p->water, p->any, digest);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

static int read_extent(const char *command, const vp_argument *a, const char *text)
{
    float *const extent = a->to;
    char low[64];
    const char *comma = text != NULL ? strchr(text, ',') : NULL;
    if (text == NULL)
        return VP_EXIT_DONE;
    if (comma == NULL || (size_t)(comma - text) >= sizeof low || comma == text || comma[1] == '\0' || strchr(comma + 1, ',') != NULL)
        return vp_command_usage(command, "--extent '%s' is not two numbers with a comma: A,B", text);
    snprintf(low, sizeof low, "%.*s", (int)(comma - text), text);
    if (!vp_parse_float(command, a->name, low, &extent[0]) || !vp_parse_float(command, a->name, comma + 1, &extent[1]))
        return VP_EXIT_USAGE;
    if (extent[0] < 0 || extent[1] < extent[0])
        return vp_command_usage(command, "--extent '%s': needs 0 <= A <= B", text);
    return VP_EXIT_DONE;
}

static vp_status run(pipeline *p, const vp_kernels *kernels, vp_error *error)
{
    vp_status status = vp_world_open("broadphase", p->world_name, &p->manifest, &p->world, &p->world_content, NULL, error);
    if (status != VP_OK)
        return vp_explain_name(p->manifest, p->world_name, ".vpw", error);
    status = p->boxes_name != NULL ? open_boxes(p, error) : make_boxes(p, error);
    if (status == VP_OK)
        status = build(p, kernels, error);
    return status != VP_OK ? status : query(p, error);
}

int vp_command_broadphase(int argc, char **argv)
{
    pipeline p = {.extent = {0.5f, 2.0f}, .query_count = 1000000, .seed = 1};
    vp_kernels kernels;
    bool batch, json;
    const vp_argument arguments[] = {
        VP_GROUP("Queries"),
        {"--boxes", "SET", "query with a box set of the manifest, e.g. boxes-small, or with a .jsonl file", VP_TEXT(&p.boxes_name)},
        {"--extent", "A,B", "query with random boxes whose sides are from A to B voxels long, 0 <= A <= B (default 0.5,2)",
         VP_BY(read_extent, p.extent)},
        {"--queries", "N", "number of queries, 0 to 1000000000 (default 1000000); boxes repeat, a query takes a byte of memory",
         VP_U64(&p.query_count, 0, MAX_QUERIES)},
        {"--batch", NULL, "query in batches (default)", VP_FLAG(&batch)},
        {"--single", NULL, "query one box at a time", VP_FLAG(&p.single)},
        {"--seed", "S", "seed of the random boxes, from 0 (default 1)", VP_U64(&p.seed, 0, INT64_MAX)},
        VP_GROUP("Execution and output"),
        {"--isa", "NAME", "kernels: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&kernels)},
        {"--threads", "N", "number of threads for the build, 1 to 256 (default 1)", VP_ASK_THREADS(&p.threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("broadphase", "WORLD [OPTION...]", 1, 1, arguments,
                        "Build a world's bit broadphase, print its memory, and run overlap queries.\n"
                        "WORLD is a data set's name or a .vpw file. The digest of all answers is the same on every machine.\n"
                        "For a .vpw file, --boxes names a set of the manifest's world with that file's name, or a file\n"
                        "written by 'voxphys dataset make WORLD/BOXES -o FILE.jsonl'.\n\n"
                        "Example: voxphys broadphase terrain-l2 --boxes boxes-small --queries 100000");
    int code;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (p.boxes_name != NULL && vp_given(&line, "--extent") != NULL)
        return vp_command_usage("broadphase", "--boxes and --extent exclude each other");
    if (batch && p.single)
        return vp_command_usage("broadphase", "--batch and --single exclude each other");
    if (p.boxes_name != NULL && vp_given(&line, "--seed") != NULL)
        return vp_command_usage("broadphase", "--seed is for random boxes; --boxes %s has its own", p.boxes_name);
    p.world_name = argv[1];
    vp_error error;
    if (run(&p, &kernels, &error) != VP_OK) {
        code = vp_command_fail("broadphase", &error);
    } else {
        uint64_t digest = vp_hash64(p.touch, (size_t)p.query_count);
        code = json ? print_as_json(&p, &kernels, digest) : print_as_text(&p, &kernels, digest);
    }
    free(p.touch);
    vp_box_set_destroy(&p.boxes);
    vp_broadphase_destroy(p.broadphase);
    vp_world_destroy(p.world);
    vp_manifest_close(p.manifest);
    return code;
}
