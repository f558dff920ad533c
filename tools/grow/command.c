/* SPDX-License-Identifier: MIT */
/* `voxphys grow` plants seeds in a world, and grows them with an automaton step by step. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/terrain.h>

#include "src/core/file.h"
#include "datasets/generate/generate.h"
#include "host/bytes.h"
#include "host/system.h"
#include "host/thread_executor.h"
#include "tools/commands.h"
#include "tools/dataset/dataset.h"
#include "host/record/write.h"
#include "tools/grow/grow.h"
#include "tools/choices.h"

enum { ROOM = 96, EVERY = 32, MOST_STEPS = 1000000000, TOLD_EVERY = 16 };

typedef enum origin { OF_WORLD, OF_STATE, OF_SPEC } origin;

/* Results of a step. */
typedef struct step_reported {
    uint64_t digest;
    uint32_t living, changes, chunks;
} step_reported;

typedef struct growing {
    /* options */
    const char *source, *onto, *spec_name, *species, *record;
    const char *const *out;
    uint64_t steps, seed;
    uint32_t every, room, threads;
    bool has_seed, terrain_too, each;
    /* state */
    origin origin;
    vp_manifest *manifest;
    vp_content content;
    vp_world *world; /* of WORLD or --onto */
    vp_spec spec;
    vp_seeds seeds;
    vp_plot plot;
    vp_automaton *automaton;
    vp_terrain *terrain;
    vp_record_writer *writer; /* NULL = no recording */
    vp_automaton_recording recording;
    vp_record_written written;
    vp_chunk_set stale;
    vp_ivec3 *at; /* an edit */
    vp_voxel *voxel;
    size_t at_room, voxel_room;
    /* results */
    step_reported *reported;
    size_t reported_room;
    uint64_t first, done;
    double seconds, terrain_seconds;
    uint32_t most_living, most_chunks, edits;
    uint64_t most_living_step, chunks, changes;
    uint64_t cells[128];
} growing;

static uint32_t whole_chunks(uint32_t voxels)
{
    return (voxels + VP_CHUNK_EDGE - 1) / VP_CHUNK_EDGE * VP_CHUNK_EDGE;
}

static bool wants_world(const growing *g)
{
    bool wants = g->terrain_too;
    for (size_t i = 0; g->out[i] != NULL; i++)
        wants = wants || vp_ends(g->out[i], ".vpw");
    return wants;
}

/* ---- the world ---- */

static vp_status open_world(growing *g, const char *name, vp_error *error)
{
    const vp_status status = vp_world_open("grow", name, &g->manifest, &g->world, &g->content, &g->plot.note, error);
    return status == VP_OK ? VP_OK : vp_explain_name(g->manifest, name, ".vpw, .vpa or .json", error);
}

/* Makes a world of flat ground. */
static vp_status flat_world(vp_dims cells, uint32_t layers, vp_world **out, vp_error *error)
{
    const vp_dims size = {whole_chunks(cells.x), cells.y < VP_WORLD_MAX_Y ? whole_chunks(cells.y) : VP_WORLD_MAX_Y, whole_chunks(cells.z)};
    const int32_t x = (int32_t)cells.x, z = (int32_t)cells.z, y = (int32_t)layers;
    VP_RETURN_IF_FAILED(vp_world_create(&(vp_world_def){.size = size}, out, error));
    if (y > 0)
        VP_RETURN_IF_FAILED(vp_world_fill_box(*out, (vp_ivec3){0, 0, 0}, (vp_ivec3){x, y - 1, z}, (vp_voxel){VP_DIRT, 255}, NULL, error));
    if (y > 0)
        VP_RETURN_IF_FAILED(vp_world_fill_box(*out, (vp_ivec3){0, y - 1, 0}, (vp_ivec3){x, y, z}, (vp_voxel){VP_GRASS, 255}, NULL, error));
    return VP_OK;
}

/* The cell that vp_automaton_plant would write. */
static vp_automaton_cell seed_cell(const growing *g, vp_dims cells, const vp_seed *s)
{
    vp_automaton_window in = {.seed = g->seed, .type = s->type};
    vp_automaton_cell cell = {.type = s->type, .living = true};
    in.position = ((uint32_t)s->at.y * cells.z + (uint32_t)s->at.z) * cells.x + (uint32_t)s->at.x;
    for (uint32_t i = 0; i < g->spec.species_count; i++)
        if (g->spec.species[i].type == s->type && g->spec.species[i].plant != NULL) {
            in.parameters = g->spec.species[i].parameters;
            cell.memory = g->spec.species[i].plant(&in, s->wait);
        }
    return cell;
}

/* Plants all seeds at once. Planting them one by one would cost O(live cells) each. */
static vp_status plant_seeds(growing *g, vp_dims cells, vp_error *error)
{
    const size_t count = g->seeds.count;
    vp_ivec3 *at = malloc((count + 1) * sizeof *at);
    vp_automaton_cell *cell = calloc(count + 1, sizeof *cell);
    vp_status status = at != NULL && cell != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %zu seeds", count);
    for (size_t i = 0; i < count && status == VP_OK; i++) {
        const vp_seed *s = &g->seeds.seed[i];
        at[i] = s->at;
        if (s->at.y >= (int32_t)cells.y)
            status = vp_fail(error, VP_E_ARGUMENT, "a seed at (%d, %d, %d) is above the %u layers of cells", (int)s->at.x, (int)s->at.y,
                             (int)s->at.z, cells.y);
        else
            cell[i] = seed_cell(g, cells, s);
    }
    if (status == VP_OK)
        status = vp_automaton_set_cells(g->automaton, at, cell, count, error);
    free(at);
    free(cell);
    return status;
}

/* Every voxel of a world, water too, is ground. It stays unchanged, and nothing grows into it. */
static vp_status put_ground(growing *g, vp_dims cells, const vp_world *world, vp_error *error)
{
    vp_automaton_ground ground = {{VP_CELL_EMPTY}};
    for (int m = VP_AIR + 1; m < 256; m++)
        ground.type[m] = VP_AUTOMATON_GROUND;
    const vp_automaton_def def = {.size = cells, .seed = g->seed, .species = g->spec.species, .species_count = g->spec.species_count};
    VP_RETURN_IF_FAILED(vp_automaton_create(&def, &g->automaton, error));
    VP_RETURN_IF_FAILED(vp_automaton_read_world(g->automaton, world, (vp_ivec3){0, 0, 0}, &ground, error));
    return plant_seeds(g, cells, error);
}

/* Makes the seeds: plantings of the file, then those of --species. */
static vp_status sow(growing *g, const vp_world *world, vp_dims columns, vp_error *error)
{
    const char *species = g->species != NULL ? g->species : g->origin == OF_WORLD ? "redwood,oak" : NULL;
    const size_t count = g->origin == OF_SPEC ? g->spec.planting_count : 0;
    vp_planting *all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu plantings", count);
    if (count > 0)
        memcpy(all, g->spec.planting, count * sizeof *all);
    all[count] = (vp_planting){.every = g->every, .wait = true};
    vp_status status = species != NULL ? vp_species_list(&g->spec, species, &all[count], error) : VP_OK;
    if (status == VP_OK)
        status = vp_seeds_make(world, columns, all, count + (species != NULL), g->seed, &g->seeds, error);
    free(all);
    if (status == VP_OK && g->seeds.count == 0)
        status = vp_fail(error, VP_E_ARGUMENT, "%s: nothing is planted (columns chosen: %u without ground, %u under water)",
                         vp_show_path(g->source).text, g->seeds.bare, g->seeds.flooded);
    return status;
}

/* Makes cells as high as the world, with room above the highest seed up to the maximum height of a world. */
static vp_status begin_in_world(growing *g, vp_error *error)
{
    VP_RETURN_IF_FAILED(open_world(g, g->source, error));
    vp_dims size = vp_world_size(g->world);
    VP_RETURN_IF_FAILED(sow(g, g->world, size, error));
    const uint32_t high = whole_chunks((uint32_t)g->seeds.highest + g->room), most = high < VP_WORLD_MAX_Y ? high : VP_WORLD_MAX_Y;
    size.y = size.y > most ? size.y : most;
    VP_RETURN_IF_FAILED(put_ground(g, size, g->world, error));
    if (wants_world(g))
        VP_RETURN_IF_FAILED(vp_world_enlarge(g->world, size, (vp_ivec3){0, 0, 0}, &g->plot.world, error));
    return VP_OK;
}

static vp_status begin_in_spec(growing *g, vp_error *error)
{
    VP_RETURN_IF_FAILED(flat_world(g->spec.size, g->spec.ground, &g->plot.world, error));
    VP_RETURN_IF_FAILED(sow(g, g->plot.world, g->spec.size, error));
    return put_ground(g, g->spec.size, g->plot.world, error);
}

/* Checks that a state was grown in this world. Each solid voxel must be ground, or written by this command. */
static vp_status check_grown_in(const growing *g, vp_error *error)
{
    const vp_dims size = vp_automaton_size(g->automaton);
    for (int32_t y = 0; y < (int32_t)size.y; y++)
        for (int32_t z = 0; z < (int32_t)size.z; z++)
            for (int32_t x = 0; x < (int32_t)size.x; x++) {
                const uint8_t material = vp_world_voxel(g->plot.world, (vp_ivec3){x, y, z}).material;
                const bool ground = vp_automaton_cell_at(g->automaton, (vp_ivec3){x, y, z}).type == VP_AUTOMATON_GROUND;
                bool grown = material == VP_AIR;
                for (uint32_t i = 0; i < g->spec.species_count && !grown; i++)
                    grown = g->plot.laying.material[g->spec.species[i].type] == material;
                if (ground == grown)
                    return vp_fail(error, VP_E_ARGUMENT,
                                   "the state was not grown in %s: (%d, %d, %d) is %sground, and has material %u there",
                                   vp_show_path(g->onto).text, (int)x, (int)y, (int)z, ground ? "" : "no ", material);
            }
    return VP_OK;
}

/* Makes the world of a state. */
static vp_status plot_of_state(growing *g, vp_error *error)
{
    const vp_dims cells = vp_automaton_size(g->automaton), whole = {whole_chunks(cells.x), whole_chunks(cells.y), whole_chunks(cells.z)};
    if (g->onto == NULL)
        return flat_world(cells, 0, &g->plot.world, error);
    VP_RETURN_IF_FAILED(open_world(g, g->onto, error));
    vp_dims size = vp_world_size(g->world);
    if (size.x != whole.x || size.z != whole.z || size.y > whole.y)
        return vp_fail(error, VP_E_ARGUMENT, "the state has %u x %u x %u cells, and was not grown in %s of %u x %u x %u voxels", cells.x,
                       cells.y, cells.z, vp_show_path(g->onto).text, size.x, size.y, size.z);
    size.y = whole.y;
    return vp_world_enlarge(g->world, size, (vp_ivec3){0, 0, 0}, &g->plot.world, error);
}

static vp_status begin_in_state(growing *g, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    const vp_automaton_def def = {.species = g->spec.species, .species_count = g->spec.species_count};
    uint8_t *bytes = NULL;
    size_t size = 0;
    vp_status status = vp_file_read(g->source, UINT32_MAX, &allocator, &bytes, &size, error);
    if (status == VP_OK)
        status = vp_automaton_decode(bytes, size, &def, &g->automaton, error);
    if (status == VP_E_FORMAT)
        vp_name_file(error, "", g->source);
    if (bytes != NULL)
        allocator.release(allocator.user, bytes, size);
    return status == VP_OK && wants_world(g) ? plot_of_state(g, error) : status;
}

/* Refuses an output that is also read. With -o a state alone may be replaced by the next one. */
static vp_status check_file(const growing *g, const char *option, const char *path, bool replaces, vp_error *error)
{
    const char *const named = g->origin == OF_WORLD ? g->source : g->onto;
    const char *const read[] = {replaces ? NULL : g->source, g->onto, g->spec_name};
    if (g->manifest != NULL && named != NULL && vp_dataset_check_out(g->manifest, named, path, error) != VP_OK)
        return error->status;
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        if (read[i] != NULL && vp_same_file(read[i], path))
            return vp_fail(error, VP_E_ARGUMENT, "%s %s is a file that is read", option, vp_show_path(path).text);
    return vp_can_write(path, error);
}

static vp_status check_out(const growing *g, vp_error *error)
{
    VP_RETURN_IF_FAILED(g->record != NULL ? check_file(g, "--record", g->record, false, error) : VP_OK);
    for (size_t i = 0; g->out[i] != NULL; i++) {
        VP_RETURN_IF_FAILED(check_file(g, "-o", g->out[i], g->origin == OF_STATE && vp_ends(g->out[i], ".vpa"), error));
        if (g->record != NULL && vp_same_file(g->record, g->out[i]))
            return vp_fail(error, VP_E_ARGUMENT, "-o %s and --record are one file", vp_show_path(g->out[i]).text);
        for (size_t k = 0; k < i; k++)
            if (strcmp(g->out[k], g->out[i]) == 0 || vp_same_file(g->out[k], g->out[i]))
                return vp_fail(error, VP_E_ARGUMENT, "-o %s is given twice", vp_show_path(g->out[i]).text);
    }
    return VP_OK;
}

static vp_status begin(growing *g, vp_error *error)
{
    const char *spec = g->origin == OF_SPEC ? g->source : g->spec_name;
    vp_spec_builtin(&g->spec);
    if (spec != NULL)
        VP_RETURN_IF_FAILED(vp_spec_read(spec, &g->spec, error));
    if (!g->has_seed)
        g->seed = g->origin == OF_SPEC ? g->spec.seed : 1;
    if (g->origin == OF_WORLD)
        VP_RETURN_IF_FAILED(begin_in_world(g, error));
    else
        VP_RETURN_IF_FAILED(g->origin == OF_SPEC ? begin_in_spec(g, error) : begin_in_state(g, error));
    VP_RETURN_IF_FAILED(check_out(g, error));
    if (!wants_world(g))
        return VP_OK;
    const vp_dims size = vp_automaton_size(g->automaton);
    if (size.y > VP_WORLD_MAX_Y)
        return vp_fail(error, VP_E_ARGUMENT, "%u layers of cells are not laid into a world, which has %d at most: -o FILE.vpa", size.y,
                       VP_WORLD_MAX_Y);
    vp_status status = vp_plot_materials(&g->plot, &g->spec, error);
    if (status == VP_OK && g->onto != NULL)
        status = check_grown_in(g, error);
    if (g->origin == OF_STATE && g->onto == NULL)
        g->plot.laying.material[VP_AUTOMATON_GROUND] = VP_DIRT;
    return status;
}

/* ---- growing ---- */

static vp_status begin_terrain(growing *g, const vp_executor *executor, vp_error *error)
{
    const vp_terrain_def def = {.world = g->plot.world, .executor = executor};
    VP_RETURN_IF_FAILED(vp_automaton_write_world(g->automaton, &g->plot.laying, g->plot.world, NULL, error));
    VP_RETURN_IF_FAILED(vp_terrain_create(&def, &g->terrain, error));
    return vp_chunk_set_create(vp_world_chunks(g->plot.world), NULL, &g->stale, error);
}

/* Writes the current step's changes as one edit of the terrain. */
static vp_status edit_terrain(growing *g, step_reported *reported, vp_error *error)
{
    size_t count;
    VP_RETURN_IF_FAILED(vp_grow_array(&g->at, &g->at_room, reported->changes, sizeof *g->at, "edits", error));
    VP_RETURN_IF_FAILED(vp_grow_array(&g->voxel, &g->voxel_room, reported->changes, sizeof *g->voxel, "edits", error));
    VP_RETURN_IF_FAILED(vp_automaton_list_edits(g->automaton, &g->plot.laying, g->at, g->voxel, &count, error));
    if (count == 0)
        return VP_OK;
    vp_chunk_set_clear(&g->stale);
    const double begin = vp_seconds();
    vp_status status = vp_terrain_set_voxels(g->terrain, g->at, g->voxel, count, &g->stale, error);
    g->terrain_seconds += vp_seconds() - begin;
    reported->chunks = vp_chunk_set_count(&g->stale);
    g->edits++;
    return status;
}

static vp_status keep(growing *g, const step_reported *reported, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_grow_array(&g->reported, &g->reported_room, (size_t)g->done + 1, sizeof *reported, "steps", error));
    g->reported[g->done] = *reported;
    return VP_OK;
}

static vp_status step(growing *g, const vp_executor *executor, vp_error *error)
{
    step_reported reported = {0};
    double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_automaton_step(g->automaton, executor, error));
    g->seconds += vp_seconds() - begin;
    vp_automaton_changes(g->automaton, &reported.changes);
    if (g->terrain_too)
        VP_RETURN_IF_FAILED(edit_terrain(g, &reported, error));
    begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_automaton_apply(g->automaton, error));
    g->seconds += vp_seconds() - begin;
    if (g->writer != NULL)
        VP_RETURN_IF_FAILED(vp_automaton_record_step(g->automaton, &g->recording, error));
    reported.living = vp_automaton_living_count(g->automaton);
    reported.digest = vp_automaton_digest(g->automaton);
    if (reported.living > g->most_living) {
        g->most_living = reported.living;
        g->most_living_step = vp_automaton_stats_of(g->automaton).step;
    }
    g->changes += reported.changes;
    g->chunks += reported.chunks;
    g->most_chunks = reported.chunks > g->most_chunks ? reported.chunks : g->most_chunks;
    return g->each ? keep(g, &reported, error) : VP_OK;
}

static vp_status begin_recording(growing *g, vp_error *error)
{
    const vp_record_about about = {.first = (uint32_t)vp_automaton_stats_of(g->automaton).step};
    VP_RETURN_IF_FAILED(vp_record_of_command(g->record, "grow", g->source, about, &g->writer, error));
    return vp_automaton_record_begin(g->automaton, vp_record_writer_recorder(g->writer), &g->recording, error);
}

static vp_status grow(growing *g, vp_error *error)
{
    vp_executor executor = vp_thread_executor(g->threads);
    g->threads = executor.thread_count; /* the executor's count may be smaller */
    vp_status status = g->terrain_too ? begin_terrain(g, &executor, error) : VP_OK;
    if (status == VP_OK && g->record != NULL)
        status = begin_recording(g, error);
    g->most_living = vp_automaton_living_count(g->automaton);
    g->first = g->most_living_step = vp_automaton_stats_of(g->automaton).step;
    while (status == VP_OK && g->done < g->steps && vp_automaton_living_count(g->automaton) > 0) {
        status = step(g, &executor, error);
        g->done++;
        if (g->done % TOLD_EVERY == 0)
            vp_progress("steps", g->done, g->steps + 1);
    }
    vp_progress("", 1, 1);
    if (status != VP_OK || g->writer == NULL)
        return status;
    vp_record_writer *writer = g->writer;
    g->writer = NULL;
    return vp_record_writer_close(writer, &g->written, NULL, error);
}

/* Counts the cells of each type. */
static vp_status count_cells(growing *g, vp_error *error)
{
    const vp_dims size = vp_automaton_size(g->automaton), layer = {size.x, 1, size.z};
    const size_t bytes = (size_t)size.x * size.z;
    uint8_t *row = malloc(bytes);
    vp_status status = row != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a layer of cells");
    for (int32_t y = 0; y < (int32_t)size.y && status == VP_OK; y++) {
        status = vp_automaton_read(g->automaton, (vp_ivec3){0, y, 0}, layer, row, error);
        for (size_t i = 0; i < bytes && status == VP_OK; i++)
            g->cells[row[i] & 127]++;
    }
    free(row);
    return status;
}

/* ---- writing ---- */

static vp_status write_world(growing *g, const char *path, vp_error *error)
{
    char *note = NULL;
    vp_status status = VP_OK;
    if (!g->terrain_too)
        status = vp_automaton_write_world(g->automaton, &g->plot.laying, g->plot.world, NULL, error);
    if (status == VP_OK)
        status = vp_plot_note(&g->plot, &g->spec, g->onto != NULL ? g->onto : g->source, &note, error);
    if (status == VP_OK)
        status = vp_world_save(g->plot.world, note, path, error);
    free(note);
    return status;
}

static vp_status write_state(const growing *g, const char *path, vp_error *error)
{
    vp_blob blob = {0};
    vp_status status = vp_automaton_encode(g->automaton, NULL, &blob, error);
    if (status == VP_OK)
        status = vp_file_replace(path, blob.bytes, blob.size, error);
    vp_blob_destroy(&blob);
    return status;
}

static vp_status write_all(growing *g, vp_error *error)
{
    for (size_t i = 0; g->out[i] != NULL; i++)
        VP_RETURN_IF_FAILED(vp_ends(g->out[i], ".vpw") ? write_world(g, g->out[i], error) : write_state(g, g->out[i], error));
    return VP_OK;
}

/* ---- output ---- */

static uint64_t cells_of(const growing *g, bool leaves)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < g->spec.species_count; i++) {
        const vp_automaton_species *s = &g->spec.species[i];
        if (leaves ? s->rule == vp_automaton_rule_leaf : s->rule == vp_automaton_rule_redwood || s->rule == vp_automaton_rule_oak)
            sum += g->cells[s->type];
    }
    return sum;
}

static json_t *steps_json(const growing *g)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < g->done; i++) {
        const step_reported *s = &g->reported[i];
        json_t *one = json_pack("{s:I, s:I, s:I, s:o}", "step", (json_int_t)(g->first + i + 1), "living", (json_int_t)s->living, "changes",
                                (json_int_t)s->changes, "digest", vp_json_hex(s->digest));
        if (g->terrain_too)
            json_object_set_new(one, "chunks", json_integer(s->chunks));
        json_array_append_new(list, one);
    }
    return list;
}

static int print_as_json(const growing *g)
{
    static const char *const kinds[] = {"world", "state", "spec"};
    const vp_automaton_stats s = vp_automaton_stats_of(g->automaton);
    const vp_dims size = vp_automaton_size(g->automaton);
    json_t *cells = json_object(), *files = json_array();
    for (uint32_t i = 0; i < g->spec.species_count; i++)
        if (g->cells[g->spec.species[i].type] != 0)
            json_object_set_new(cells, g->spec.species[i].name, json_integer((json_int_t)g->cells[g->spec.species[i].type]));
    for (size_t i = 0; g->out[i] != NULL; i++)
        json_array_append_new(files, vp_json_name(g->out[i]));
    if (g->record != NULL)
        json_array_append_new(files, vp_json_name(g->record));
    json_t *planted = g->origin == OF_STATE ? json_null()
                                            : json_pack("{s:I, s:i, s:i, s:I}", "seeds", (json_int_t)g->seeds.count, "bare",
                                                        (int)g->seeds.bare, "flooded", (int)g->seeds.flooded, "seed", (json_int_t)g->seed);
    json_t *terrain = g->terrain_too ? json_pack("{s:I, s:I, s:I, s:f}", "edits", (json_int_t)g->edits, "chunks", (json_int_t)g->chunks,
                                                 "most_chunks", (json_int_t)g->most_chunks, "seconds", g->terrain_seconds)
                                     : json_null();
    json_t *result = json_pack(
        "{s:o, s:s, s:o, s:[I, I, I], s:o, s:I, s:I, s:I, s:{s:I, s:I, s:I}, s:I, s:o, s:I, s:I, s:{s:I, s:I, s:I, s:I, s:I, s:I}, s:i, "
        "s:f, s:o, s:o, s:o}",
        "source", vp_json_name(g->source), "kind", kinds[g->origin], "hash_checked",
        g->origin == OF_WORLD && g->content != VP_CONTENT_OF_FILE ? json_boolean(g->content == VP_CONTENT_CHECKED) : json_null(), //
        "size", (json_int_t)size.x, (json_int_t)size.y, (json_int_t)size.z, "planted", planted, "steps", (json_int_t)g->done, "step",
        (json_int_t)s.step, "changes", (json_int_t)g->changes, "living", "now", (json_int_t)s.living, "most", (json_int_t)g->most_living,
        "most_step", (json_int_t)g->most_living_step, "ground", (json_int_t)g->cells[VP_AUTOMATON_GROUND], "cells", cells, "wood",
        (json_int_t)cells_of(g, false), "leaves", (json_int_t)cells_of(g, true), "rules", "calls", (json_int_t)s.calls, "acts",
        (json_int_t)s.acts, "outputs", (json_int_t)s.outputs, "lost", (json_int_t)s.lost, "unmet", (json_int_t)s.unmet, "bytes",
        (json_int_t)s.bytes, "threads", (int)g->threads, "seconds", g->seconds, "terrain", terrain, "digest",
        vp_json_hex(vp_automaton_digest(g->automaton)), "files", files);
    if (g->each && result != NULL)
        json_object_set_new(result, "each", steps_json(g));
    return vp_print_json(result);
}

static int print_as_text(const growing *g)
{
    const vp_automaton_stats s = vp_automaton_stats_of(g->automaton);
    const vp_dims size = vp_automaton_size(g->automaton);
    const uint64_t done = g->done > 0 ? g->done : 1;
    for (uint64_t i = 0; g->each && i < g->done; i++) {
        const step_reported *t = &g->reported[i];
        printf("step %-4" PRIu64 " %u living, %u changed, digest %016" PRIx64, g->first + i + 1, t->living, t->changes, t->digest);
        if (g->terrain_too)
            printf(", %u chunk%s", t->chunks, vp_plural(t->chunks));
        printf("\n");
    }
    printf("cells    %s: %u x %u x %u, from step %" PRIu64 "\n", g->source, size.x, size.y, size.z, g->first);
    if (g->origin != OF_STATE) {
        printf("planted  %zu seed%s, by seed %" PRIu64, g->seeds.count, vp_plural(g->seeds.count), g->seed);
        if (g->seeds.flooded + g->seeds.bare > 0)
            printf("; passed over: %u under water, %u without ground", g->seeds.flooded, g->seeds.bare);
        printf("\n");
    }
    printf("steps    %" PRIu64 "%s; %.3f ms, %.4f ms a step on %u thread%s\n", g->done, s.living == 0 ? ", until nothing lived" : "",
           g->seconds * 1e3, g->seconds * 1e3 / (double)done, g->threads, vp_plural(g->threads));
    printf("living   %u; at most %u, at step %" PRIu64 "\n", s.living, g->most_living, g->most_living_step);
    printf("grown   ");
    for (uint32_t i = 0; i < g->spec.species_count; i++)
        if (g->spec.species[i].rule != NULL && g->cells[g->spec.species[i].type] != 0)
            printf(" %" PRIu64 " %s;", g->cells[g->spec.species[i].type], g->spec.species[i].name);
    printf(" %" PRIu64 " of wood, %" PRIu64 " of leaves\n", cells_of(g, false), cells_of(g, true));
    printf("rules    %" PRIu64 " calls, %" PRIu64 " acts; of %" PRIu64 " outputs %" PRIu64 " lost, %" PRIu64 " unmet\n", s.calls, s.acts,
           s.outputs, s.lost, s.unmet);
    if (g->terrain_too)
        printf("terrain  %u edits, %" PRIu64 " chunks rebuilt, at most %u a step; %.3f ms\n", g->edits, g->chunks, g->most_chunks,
               g->terrain_seconds * 1e3);
    printf("digest   %016" PRIx64 "\n", vp_automaton_digest(g->automaton));
    for (size_t i = 0; g->out[i] != NULL; i++)
        printf("written  %s\n", g->out[i]);
    if (g->record != NULL)
        printf("recorded %s: %u frames, %" PRIu64 " bytes\n", g->record, g->written.frames, g->written.bytes);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

/* Checks options before anything is read. @return the exit code */
static int refuse(const vp_command_line *line, const growing *g)
{
    const char *const plant = vp_given(line, "--plant"), *const room = vp_given(line, "--room");
    for (size_t i = 0; g->out[i] != NULL; i++)
        if (!vp_ends(g->out[i], ".vpw") && !vp_ends(g->out[i], ".vpa"))
            return vp_command_usage("grow", "-o '%s' ends with neither .vpw, a world, nor .vpa, a state", vp_show_path(g->out[i]).text);
    if (g->record != NULL && !vp_ends(g->record, ".vpr"))
        return vp_command_usage("grow", "--record '%s' does not end with .vpr", vp_show_path(g->record).text);
    if (g->origin == OF_STATE && (g->species != NULL || plant != NULL || g->has_seed))
        return vp_command_usage("grow", "a state has its seeds: %s is for a world or a file of species",
                                g->species != NULL ? "--species"
                                : plant != NULL    ? "--plant"
                                                   : "--seed");
    if (g->origin == OF_SPEC && plant != NULL && g->species == NULL)
        return vp_command_usage("grow", "--plant %s: --species is missing", plant);
    if (g->origin == OF_SPEC && g->spec_name != NULL)
        return vp_command_usage("grow", "--spec %s: %s is a file of species itself", vp_show_path(g->spec_name).text,
                                vp_show_path(g->source).text);
    if (g->origin != OF_WORLD && room != NULL)
        return vp_command_usage("grow", "--room %s is for a world; the height of a %s is fixed", room,
                                g->origin == OF_STATE ? "state" : "file of species");
    if (g->onto != NULL && (g->origin != OF_STATE || !wants_world(g)))
        return vp_command_usage("grow", "--onto %s is for a state, with -o FILE.vpw or --terrain", vp_show_path(g->onto).text);
    return VP_EXIT_DONE;
}

static void drop(growing *g)
{
    vp_record_writer_drop(g->writer);
    vp_terrain_destroy(g->terrain);
    vp_chunk_set_destroy(&g->stale);
    vp_automaton_destroy(g->automaton);
    vp_world_destroy(g->plot.world);
    vp_blob_destroy(&g->plot.note);
    vp_world_destroy(g->world);
    vp_manifest_close(g->manifest);
    vp_seeds_drop(&g->seeds);
    vp_spec_drop(&g->spec);
    free(g->at);
    free(g->voxel);
    free(g->reported);
}

int vp_command_grow(int argc, char **argv)
{
    static growing run_of = {.steps = 10000, .every = EVERY, .room = ROOM};
    growing *const g = &run_of;
    const char *out[VP_OPTION_MANY + 1];
    bool json;
    const vp_argument arguments[] = {
        VP_GROUP("Planting"),
        {"--species", "NAMES", "species that are planted at random, e.g. redwood,oak (default, in a world: redwood,oak)",
         VP_TEXT(&g->species)},
        {"--plant", "N", "plant one in N x N columns, on the highest solid voxel, 1 to 2048 (default 32)",
         VP_U32(&g->every, 1, VP_AUTOMATON_MAX_EDGE)},
        {"--seed", "S", "seed of all random numbers, from 0 (default: that of SPEC.json, else 1)", VP_U64(&g->seed, 0, INT64_MAX)},
        VP_GROUP("Growth"),
        {"--steps", "N", "maximum number of steps, 0 to 1000000000 (default 10000); ends early when no cell lives",
         VP_U64(&g->steps, 0, MOST_STEPS)},
        {"--room", "N", "layers of cells above the highest seed, 1 to 256 (default 96), up to a world's maximum height",
         VP_U32(&g->room, 1, VP_WORLD_MAX_Y)},
        {"--spec", "FILE", "add the species of a .json file to the built-in ones; the rest of the file is ignored", VP_TEXT(&g->spec_name)},
        {"--onto", "WORLD", "for a state: write its cells into this world, in which it grew (default: ground is soil)", VP_TEXT(&g->onto)},
        {"--terrain", NULL, "apply each step to a terrain as one edit, and print the chunks that are rebuilt", VP_FLAG(&g->terrain_too)},
        VP_GROUP("Execution and output"),
        {"--each", NULL, "print living cells, changes and digest of each step", VP_FLAG(&g->each)},
        {"-o", "FILE...", "write the world with the trees, FILE.vpw, or the state, to continue, FILE.vpa; up to 64 times", VP_MANY(out)},
        {"--record", "FILE", "record each step to FILE.vpr, for 'voxphys view'", VP_TEXT(&g->record)},
        {"--threads", "N", "number of threads, 1 to 256 (default 1)", VP_ASK_THREADS(&g->threads)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("grow", "WORLD|STATE.vpa|SPEC.json [OPTION...]", 1, 1, arguments,
                        "Grow trees on a world by a voxel automaton, step by step.\n"
                        "WORLD is a data set's name or a .vpw file. STATE.vpa continues a saved state. SPEC.json describes species and\n"
                        "ground (docs/FORMATS.md). The automaton can be higher than the world, to give trees room. The same seed\n"
                        "yields the same cells on every machine and for any number of threads.\n"
                        "Species: redwood, pine, oak, cherry; needle, leaf, blossom; beetle, ant, firefly.\n\n"
                        "Example: voxphys grow terrain-l2 --steps 200 --record trees.vpr -o trees.vpw");
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    g->source = argv[1];
    g->out = out;
    g->has_seed = vp_given(&line, "--seed") != NULL;
    g->origin = vp_ends(g->source, ".json") ? OF_SPEC : vp_ends(g->source, ".vpa") ? OF_STATE : OF_WORLD;
    int code = refuse(&line, g);
    if (code == VP_EXIT_DONE) {
        vp_status status = begin(g, &error);
        if (status == VP_OK)
            status = grow(g, &error);
        if (status == VP_OK)
            status = count_cells(g, &error);
        if (status == VP_OK)
            status = write_all(g, &error);
        if (status != VP_OK)
            code = vp_command_fail("grow", &error);
        else
            code = json ? print_as_json(g) : print_as_text(g);
    }
    drop(g);
    return code;
}
