/* SPDX-License-Identifier: MIT */
/* `voxphys blocks colliders` counts and times the boxes of colliding blocks, and writes them to a file. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "host/program.h"
#include "tools/blocks/blocks.h"
#include "tools/choices.h"

static const char *const beyond_words[4] = {"", "covered", "exposed", "mixed"};

typedef struct colliding {
    uint32_t threads;
    float explode;
    const char *out;
    bool as_json; /* FILE is JSON */
    vp_mesh_format format;
    vp_block_source_world world;
    vp_chunk_products *made;
    vp_made_sum sum;
    double seconds;
} colliding;

/* ---- boxes as quads ---- */

typedef struct box_look {
    const vp_block_boxes *boxes;
    vp_ivec3 chunk;
    vp_vec3 middle;
    float explode;
} box_look;

/* A colour for each number, from a wheel of hues. */
static uint32_t colour_of(uint32_t number)
{
    static const uint32_t wheel[12] = {0xd1495b, 0xedae49, 0x66a182, 0x2e86ab, 0x8d6a9f, 0xf4845f,
                                       0x7fb069, 0x3d5a80, 0xe56399, 0x9fc490, 0xc8963e, 0x56a3a6};
    return wheel[number % 12];
}

static void draw(const void *user, const vp_block_quads *quads, uint32_t quad, const uint8_t light[4], vp_drawn *out)
{
    const box_look *look = user;
    const uint32_t i = quad % look->boxes->count;
    const vp_block_box *b = &look->boxes->box[i];
    const float centre[3] = {(float)look->chunk.x * 32 + (float)b->low[0] + (float)b->size[0] * 0.5f,
                             (float)look->chunk.y * 32 + (float)b->low[1] + (float)b->size[1] * 0.5f,
                             (float)look->chunk.z * 32 + (float)b->low[2] + (float)b->size[2] * 0.5f};
    uint32_t hash = (uint32_t)(look->chunk.x * 73856093) ^ (uint32_t)(look->chunk.y * 19349663) ^ (uint32_t)(look->chunk.z * 83492791) ^
                    i * 2654435761u;
    (void)quads, (void)light;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    out->colour = colour_of(hash >> 16);
    out->clear = false;
    snprintf(out->name, sizeof out->name, "box-%u", (hash >> 16) % 12);
    out->shift = vp_vec3_scale(vp_vec3_sub((vp_vec3){centre[0], centre[1], centre[2]}, look->middle), look->explode);
}

/* Adds the six quads of each box. */
static vp_status add_boxes(vp_drawing *d, const vp_block_boxes *boxes, const box_look *look, vp_error *error)
{
    vp_block_quads quads = {.edge = VP_BLOCK_EDGE};
    vp_block_quad *quad = calloc((size_t)boxes->count * 6 + 1, sizeof *quad);
    if (quad == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u boxes", boxes->count);
    quads.quad = quad;
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
        uint32_t axis, u, v;
        vp_side_axes(side, &axis, &u, &v);
        quads.first[side + 1] = quads.first[side] + boxes->count;
        for (uint32_t i = 0; i < boxes->count; i++) {
            const vp_block_box *b = &boxes->box[i];
            uint8_t at[3] = {b->low[0], b->low[1], b->low[2]};
            if (side % 2 == 1)
                at[axis] = (uint8_t)(at[axis] + b->size[axis] - 1);
            quad[quads.first[side] + i] = (vp_block_quad){at[0], at[1], at[2], b->size[u], b->size[v], VP_BLOCK_LIGHT, 1};
        }
    }
    const vp_status status = vp_drawing_add(d, &quads, look->chunk, NULL, draw, look, error);
    free(quad);
    return status;
}

static vp_status write_mesh(colliding *c, vp_error *error)
{
    const vp_vec3 middle = vp_blocks_middle(&c->world);
    vp_drawing drawing = {.looks_used = 0};
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < c->world.chunks && status == VP_OK; i++) {
        const box_look look = {&c->made[i].boxes, c->world.chunk[i], middle, c->explode};
        if (c->made[i].boxes.count > 0)
            status = add_boxes(&drawing, &c->made[i].boxes, &look, error);
    }
    if (status == VP_OK)
        status = vp_drawing_write(&drawing, c->out, c->format, "boxes", error);
    vp_drawing_drop(&drawing);
    return status;
}

/* Writes a line per box. */
static vp_status write_json(const colliding *c, vp_error *error)
{
    vp_bytes w = {0};
    bool first = true;
    vp_bytes_print(&w, "{\"boxes\": [\n");
    for (uint32_t i = 0; i < c->world.chunks; i++) {
        const vp_ivec3 at = c->world.chunk[i];
        for (uint32_t k = 0; k < c->made[i].boxes.count; k++) {
            const vp_block_box *b = &c->made[i].boxes.box[k];
            vp_bytes_print(&w, "%s{\"low\": [%d, %d, %d], \"size\": [%u, %u, %u], \"beyond\": [", first ? "" : ",\n",
                           (int)at.x * 32 + b->low[0], (int)at.y * 32 + b->low[1], (int)at.z * 32 + b->low[2], b->size[0], b->size[1],
                           b->size[2]);
            for (uint32_t s = 0; s < VP_SIDE_COUNT; s++)
                vp_bytes_print(&w, "%s\"%s\"", s > 0 ? ", " : "", beyond_words[vp_block_box_side(b, s)]);
            vp_bytes_print(&w, "], \"t_edges\": [");
            for (uint32_t e = 0, some = 0; e < 12; e++)
                if ((b->edges >> e & 1u) != 0)
                    vp_bytes_print(&w, "%s%u", some++ > 0 ? ", " : "", e);
            vp_bytes_print(&w, "]}");
            first = false;
        }
    }
    vp_bytes_print(&w, "\n]}\n");
    return vp_bytes_save(&w, c->out, error);
}

static vp_status run(colliding *c, const char *name, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_block_source_open("blocks colliders", name, &c->world, error));
    if (c->out != NULL)
        VP_RETURN_IF_FAILED(vp_blocks_check_out(&c->world, c->out, error));
    const double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_make_chunks(c->world.blocks, c->world.chunk, c->world.chunks, &(vp_making_of){.boxes = true, .edge = 32},
                                       c->threads, "chunks", &c->made, error));
    c->seconds = vp_seconds() - begin;
    c->sum = vp_made_sum_of(c->made, c->world.chunk, c->world.chunks);
    if (c->out == NULL)
        return VP_OK;
    return c->as_json ? write_json(c, error) : write_mesh(c, error);
}

/* ---- output ---- */

static int print_json(colliding *c)
{
    const vp_made_sum *s = &c->sum;
    return vp_print_json(json_pack("{s:o, s:I, s:I, s:I, s:{s:I, s:I, s:I}, s:I, s:i, s:o, s:f, s:o}", "world",
                                   vp_blocks_world_json(&c->world), "boxes", (json_int_t)s->boxes, "most_boxes", (json_int_t)s->most_boxes,
                                   "empty", (json_int_t)s->empty, "sides", "covered", (json_int_t)s->beyond[VP_BOX_COVERED], "exposed",
                                   (json_int_t)s->beyond[VP_BOX_EXPOSED], "mixed", (json_int_t)s->beyond[VP_BOX_MIXED], "t_edges",
                                   (json_int_t)s->edges, "threads", (int)c->threads, "digest", vp_json_hex(s->digest), "seconds",
                                   c->seconds, "file", vp_json_path(c->out)));
}

static int print_text(colliding *c)
{
    const vp_made_sum *s = &c->sum;
    const uint32_t n = c->world.chunks > 0 ? c->world.chunks : 1;
    vp_blocks_print_world(&c->world);
    printf("boxes      %" PRIu64 ", %.1f a chunk, %" PRIu64 " at most; %" PRIu64 " chunk%s %s none\n", s->boxes, (double)s->boxes / n,
           s->most_boxes, s->empty, vp_plural(s->empty), s->empty == 1 ? "has" : "have");
    printf("sides      %" PRIu64 " covered, %" PRIu64 " exposed, %" PRIu64 " mixed; %" PRIu64 " T-edges of %" PRIu64 "\n",
           s->beyond[VP_BOX_COVERED], s->beyond[VP_BOX_EXPOSED], s->beyond[VP_BOX_MIXED], s->edges, s->boxes * 12);
    printf("made       in %.3f ms on %u thread%s, %.3f ms a chunk; digest %016" PRIx64 "\n", c->seconds * 1e3, c->threads,
           vp_plural(c->threads), s->seconds * 1e3 / n, s->digest);
    if (c->out != NULL)
        printf("written    %s\n", c->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

int vp_blocks_colliders(int argc, char **argv)
{
    static const char command[] = "blocks colliders";
    static colliding run_of;
    colliding *const c = &run_of;
    bool json;
    const vp_argument arguments[] = {
        {"--explode", "F", "in a mesh: move each box away from the middle by F times its distance, 0 to 100 (default 0)",
         VP_FLOAT(&c->explode)},
        {"-o", "FILE", "write the boxes as .json, or as a mesh of coloured boxes: .obj, .ply, .gltf", VP_TEXT(&c->out)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&c->threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE(command, "WORLD [OPTION...]", 1, 1, arguments,
                        "Merge colliding blocks into boxes, chunk by chunk, and count the boxes.\n"
                        "Merges along x, then z, then y. Prints how many sides are covered, exposed or mixed, and how many edges lie\n"
                        "inside a side of another box.\n" VP_BLOCK_SOURCE_HELP "\n\nExample: voxphys blocks colliders planet -o boxes.obj");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    const char *const explode = vp_given(&line, "--explode");
    c->as_json = c->out != NULL && vp_ends(c->out, ".json");
    if (!(c->explode >= 0 && c->explode <= 100))
        return vp_command_usage(command, "--explode '%s' is not from 0 to 100", explode);
    if (c->out != NULL && !c->as_json && !vp_mesh_format_of(c->out, &c->format))
        return vp_command_usage(command, "-o '%s': must end with one of .json, .obj, .ply, .gltf", c->out);
    if (explode != NULL && (c->out == NULL || c->as_json))
        return vp_command_usage(command, "--explode is for a mesh: -o FILE that ends with .obj, .ply or .gltf");
    int code = run(c, argv[1], &error) != VP_OK ? vp_command_fail(command, &error) : json ? print_json(c) : print_text(c);
    vp_made_drop(c->made, c->world.chunks);
    vp_block_source_close(&c->world);
    return code;
}
