/* SPDX-License-Identifier: MIT */
/* `voxphys blocks mesh` counts and times the faces or quads of chunks, and writes them to a file. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "host/program.h"
#include "tools/blocks/blocks.h"
#include "tools/choices.h"

static const char *const side_names[VP_SIDE_COUNT] = {"-x", "+x", "-y", "+y", "-z", "+z"};

typedef struct meshing {
    vp_making_of what;
    uint32_t threads;
    bool part;
    int32_t box[6]; /* in chunks, first three <= chunk < last three */
    vp_block_rounding rounding;
    float explode;
    const char *out;
    vp_mesh_format format;
    vp_block_source_world world;
    vp_ivec3 *chunk; /* the chunks to mesh */
    uint32_t chunks;
    vp_chunk_products *made;
    vp_made_sum sum;
    vp_drawing drawing;
    double seconds;
} meshing;

static bool within(const meshing *m, vp_ivec3 c)
{
    const int32_t at[3] = {c.x, c.y, c.z};
    for (int a = 0; a < 3; a++)
        if (m->part && (at[a] < m->box[a] || at[a] >= m->box[3 + a]))
            return false;
    return true;
}

static vp_status choose(meshing *m, vp_error *error)
{
    m->chunk = calloc((size_t)m->world.chunks + 1, sizeof *m->chunk);
    if (m->chunk == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a list of chunks");
    for (uint32_t i = 0; i < m->world.chunks; i++)
        if (within(m, m->world.chunk[i]))
            m->chunk[m->chunks++] = m->world.chunk[i];
    if (m->chunks == 0 && m->part)
        return vp_fail(error, VP_E_ARGUMENT, "--part: none of the %u chunks of %s is in (%d, %d, %d) to (%d, %d, %d), exclusive",
                       m->world.chunks, vp_show_path(m->world.name).text, m->box[0], m->box[1], m->box[2], m->box[3], m->box[4], m->box[5]);
    return VP_OK;
}

/* ---- a file ---- */

typedef struct chunk_look {
    const meshing *of;
    vp_vec3 shift;
} chunk_look;

/* A type's colour. With occlusion it is darkened by the light of its corners. */
static void draw(const void *user, const vp_block_quads *quads, uint32_t quad, const uint8_t light[4], vp_drawn *out)
{
    const chunk_look *look = user;
    const vp_block type = quads->quad[quad].type;
    uint32_t count;
    const vp_block_type *types = vp_blocks_types(look->of->world.blocks, &count);
    const uint32_t colour = type < count ? types[type].colour : 0, sum = (uint32_t)(light[0] + light[1] + light[2] + light[3]);
    const vp_block_name name = vp_block_type_name(&look->of->world, type);
    out->shift = look->shift;
    out->clear = (vp_block_flags_of(types, count, type) & VP_BLOCK_FLUID) != 0;
    out->colour = 0;
    for (uint32_t byte = 0; byte < 24; byte += 8)
        out->colour |= (colour >> byte & 255u) * (sum + 6) / 18 << byte;
    if (sum == 12)
        snprintf(out->name, sizeof out->name, "%.39s", name.text);
    else
        snprintf(out->name, sizeof out->name, "%.30s-%u", name.text, sum);
}

static vp_status write_file(meshing *m, vp_error *error)
{
    const vp_vec3 middle = vp_blocks_middle(&m->world);
    vp_status status = VP_OK;
    if (m->rounding.radius > 0)
        m->rounding.centre = middle;
    for (uint32_t i = 0; i < m->chunks && status == VP_OK; i++) {
        const vp_ivec3 c = m->chunk[i];
        const vp_vec3 centre = {(float)c.x * 32 + 16, (float)c.y * 32 + 16, (float)c.z * 32 + 16};
        const chunk_look look = {m, vp_vec3_scale(vp_vec3_sub(centre, middle), m->explode)};
        status = vp_drawing_add(&m->drawing, &m->made[i].quads, c, m->rounding.radius > 0 ? &m->rounding : NULL, draw, &look, error);
        if (i % 64 == 0)
            vp_progress("vertices", i, m->chunks);
    }
    vp_progress("", 1, 1);
    return status == VP_OK ? vp_drawing_write(&m->drawing, m->out, m->format, m->what.merged ? "quads" : "faces", error) : status;
}

static vp_status run(meshing *m, const char *name, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_block_source_open("blocks mesh", name, &m->world, error));
    if (m->out != NULL)
        VP_RETURN_IF_FAILED(vp_blocks_check_out(&m->world, m->out, error));
    VP_RETURN_IF_FAILED(choose(m, error));
    const double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_make_chunks(m->world.blocks, m->chunk, m->chunks, &m->what, m->threads, "chunks", &m->made, error));
    m->seconds = vp_seconds() - begin;
    m->sum = vp_made_sum_of(m->made, m->chunk, m->chunks);
    return m->out != NULL ? write_file(m, error) : VP_OK;
}

/* ---- output ---- */

static int print_json(meshing *m)
{
    json_t *sides = json_object();
    for (int s = 0; s < VP_SIDE_COUNT; s++)
        json_object_set_new(sides, side_names[s], json_integer((json_int_t)m->sum.quads[s]));
    return vp_print_json(json_pack("{s:o, s:I, s:I, s:s, s:i, s:b, s:b, s:i, s:I, s:I, s:I, s:o, s:o, s:f, s:o}", "world",
                                   vp_blocks_world_json(&m->world), "chunks", (json_int_t)m->chunks, "empty", (json_int_t)m->sum.empty,
                                   "form", m->what.merged ? "quads" : "faces", "edge", (int)m->what.edge, "occlusion",
                                   (int)m->what.occlusion, "alone", (int)m->what.alone, "threads", (int)m->threads, "quads",
                                   (json_int_t)m->sum.quads[VP_SIDE_COUNT], "triangles", (json_int_t)m->sum.quads[VP_SIDE_COUNT] * 2,
                                   "most_quads", (json_int_t)m->sum.most_quads, "sides", sides, "digest", vp_json_hex(m->sum.digest),
                                   "seconds", m->seconds, "file", vp_json_path(m->out)));
}

static int print_text(meshing *m)
{
    const uint32_t n = m->chunks > 0 ? m->chunks : 1;
    vp_blocks_print_world(&m->world);
    printf("%-10s %" PRIu64 " of %u chunk%s%s, %" PRIu64 " triangles; %.1f a chunk, %" PRIu64 " at most; %" PRIu64 " chunks have none\n",
           m->what.merged ? "quads" : "faces", m->sum.quads[VP_SIDE_COUNT], m->chunks, vp_plural(m->chunks),
           m->what.alone ? " that ignore each other" : "", m->sum.quads[VP_SIDE_COUNT] * 2, (double)m->sum.quads[VP_SIDE_COUNT] / n,
           m->sum.most_quads, m->sum.empty);
    printf("sides     ");
    for (int s = 0; s < VP_SIDE_COUNT; s++)
        printf(" %s %" PRIu64 "%s", side_names[s], m->sum.quads[s], s < VP_SIDE_COUNT - 1 ? "," : "\n");
    printf("made       at edge %u%s in %.3f ms on %u thread%s, %.3f ms a chunk; digest %016" PRIx64 "\n", m->what.edge,
           m->what.occlusion ? " with occlusion" : "", m->seconds * 1e3, m->threads, vp_plural(m->threads), m->sum.seconds * 1e3 / n,
           m->sum.digest);
    if (m->out != NULL)
        printf("written    %s\n", m->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

int vp_blocks_mesh(int argc, char **argv)
{
    static const char command[] = "blocks mesh";
    static const char *const forms[] = {"faces", "quads"};
    static meshing run_of;
    meshing *const m = &run_of;
    uint32_t lod = 0;
    bool json;
    m->what.quads = true;
    const vp_argument arguments[] = {
        VP_GROUP("Chunks and faces"),
        {"--form", "FORM", "faces: one a side of a block; quads: faces merged into rectangles (default faces)",
         VP_EITHER(&m->what.merged, forms)},
        {"--lod", "N", "level of detail, 0 to 2 (default 0): how many times blocks are merged 2 x 2 x 2", VP_U32(&lod, 0, 2)},
        {"--occlusion", NULL, "with ambient occlusion at corners, which reads the 26 neighbour chunks; darkens colours of FILE",
         VP_FLAG(&m->what.occlusion)},
        {"--alone", NULL, "mesh each chunk without its neighbours, so that faces between chunks stay", VP_FLAG(&m->what.alone)},
        {"--part", "X,Y,Z,X,Y,Z", "only chunks from the first index to the second, exclusive", VP_I32S(m->box, 6)},
        VP_GROUP("Output"),
        {"--deform", "R", "in FILE: round the corners of cubes around the world's middle, by radius R, above 0",
         VP_FLOAT(&m->rounding.radius)},
        {"--explode", "F", "in FILE: move each chunk away from the middle by F times its distance, 0 to 100 (default 0)",
         VP_FLOAT(&m->explode)},
        {"-o", "FILE", "write the mesh: FILE ends with .obj (with materials in a .mtl file), .ply or .gltf", VP_TEXT(&m->out)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&m->threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE(command, "WORLD [OPTION...]", 1, 1, arguments,
                        "Extract the visible faces of blocks, chunk by chunk, and count those of each side.\n" VP_BLOCK_SOURCE_HELP
                        "\n\nExample: voxphys blocks mesh planet --form quads -o planet.obj");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    const char *const deform = vp_given(&line, "--deform"), *const explode = vp_given(&line, "--explode");
    m->what.edge = 32u >> lod;
    m->part = vp_given(&line, "--part") != NULL;
    if (deform != NULL && !(m->rounding.radius > 0 && m->rounding.radius <= 1e6f))
        return vp_command_usage(command, "--deform '%s': the radius must be above 0 and at most 1e6", deform);
    if (!(m->explode >= 0 && m->explode <= 100))
        return vp_command_usage(command, "--explode '%s' is not from 0 to 100", explode);
    if (m->out != NULL && !vp_mesh_format_of(m->out, &m->format))
        return vp_command_usage(command, "-o '%s': must end with one of .obj, .ply, .gltf", m->out);
    if (m->out == NULL && (deform != NULL || explode != NULL))
        return vp_command_usage(command, "%s is for -o FILE", deform != NULL ? "--deform" : "--explode");
    int code = run(m, argv[1], &error) != VP_OK ? vp_command_fail(command, &error) : json ? print_json(m) : print_text(m);
    vp_drawing_drop(&m->drawing);
    vp_made_drop(m->made, m->chunks);
    free(m->chunk);
    vp_block_source_close(&m->world);
    return code;
}
