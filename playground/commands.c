/* SPDX-License-Identifier: MIT */
/* Commands that change the state, and the hash of the state. */
#include "playground/playground.h"

#include <math.h>
#include <stdlib.h>

#include "datasets/hash.h"
#include "host/bytes.h"
#include "src/core/error.h"

enum { WORDS = 10, WATER_LEVEL = 13, EDGE = 2 };

pg_state pg;

/* ---- the world ---- */

static float lattice(int x, int z, int cell)
{
    const uint64_t place = (uint64_t)(uint32_t)x << 32 | (uint64_t)(uint32_t)z;
    return (float)(vp_mix64(vp_mix64(pg.seed + (uint64_t)cell) ^ place) >> 40) * 0x1p-24f;
}

/* Noise from 0 to 1 that changes over `cell` voxels. */
static float noise(int x, int z, int cell)
{
    const int i = x / cell, k = z / cell;
    float u = (float)(x % cell) / (float)cell, v = (float)(z % cell) / (float)cell;
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    const float low = lattice(i, k, cell) * (1 - u) + lattice(i + 1, k, cell) * u;
    const float high = lattice(i, k + 1, cell) * (1 - u) + lattice(i + 1, k + 1, cell) * u;
    return low * (1 - v) + high * v;
}

/* Height of the ground, hills around a pond. */
static float height_at(int x, int z)
{
    const float dx = (float)(x - 34) / 24, dz = (float)(z - 56) / 20, d = dx * dx + dz * dz;
    const float hills = 12 + 14 * noise(x, z, 28) * noise(x, z, 40) + 5 * noise(x, z, 11);
    return d < 1 ? hills - (hills - 6) * (1 - d) * (2 - (1 - d)) : hills;
}

static vp_status fill_column(int x, int z, vp_error *error)
{
    uint8_t material[PG_HEIGHT], occupancy[PG_HEIGHT];
    const float height = height_at(x, z);
    for (int y = 0; y < PG_HEIGHT; y++) {
        const float left = height - (float)y;
        material[y] = left <= 0 ? (y < WATER_LEVEL ? VP_WATER : VP_AIR) : left > 5 ? PG_ROCK : left > 1.5f ? PG_SOIL : PG_GRASS;
        if (left > 0 && left <= 2 && height < WATER_LEVEL + 1.2f)
            material[y] = PG_SAND;
        occupancy[y] = left > 0 && left < 1 ? (uint8_t)(left * 255) : material[y] != VP_AIR ? 255 : 0;
    }
    return vp_world_write_rows(pg.world, (vp_ivec3){x, 0, z}, (vp_dims){1, PG_HEIGHT, 1}, material, occupancy, NULL, error);
}

/* Fills a box of rock. */
static vp_status build(int x, int y, int z, int width, int height, int depth, vp_error *error)
{
    return vp_world_fill_box(pg.world, (vp_ivec3){x, y, z}, (vp_ivec3){x + width, y + height, z + depth}, (vp_voxel){PG_ROCK, 255}, NULL,
                             error);
}

/* A bridge over the pond, and a sphere on a post. */
static vp_status build_overhangs(vp_error *error)
{
    const int top = 22, post = (int)height_at(67, 40);
    VP_RETURN_IF_FAILED(build(10, 4, 54, 3, top - 4, 5, error));
    VP_RETURN_IF_FAILED(build(56, 4, 54, 3, top - 4, 5, error));
    VP_RETURN_IF_FAILED(build(10, top, 54, 49, 3, 5, error));
    VP_RETURN_IF_FAILED(build(66, post - 2, 39, 3, 9, 3, error));
    return vp_world_fill_sphere(pg.world, (vp_vec3){67.5f, (float)post + 11, 40.5f}, 6.3f, (vp_voxel){PG_ROCK, 255}, NULL, error);
}

static void destroy(void)
{
    vp_sim_destroy(pg.sim);
    vp_automaton_destroy(pg.forest);
    vp_terrain_destroy(pg.terrain);
    vp_world_destroy(pg.world);
    vp_decomposition_destroy(&pg.parts);
    free(pg.point);
    free(pg.triangle);
    free(pg.hit);
    pg = (pg_state){0};
}

/* world SEED */
static vp_status run_world(const char *name, const double *number, vp_error *error)
{
    (void)name;
    destroy();
    pg.seed = (uint64_t)number[0];
    vp_status status = vp_world_create(&(vp_world_def){.size = {PG_WIDTH, PG_HEIGHT, PG_WIDTH}}, &pg.world, error);
    for (int x = EDGE; x < PG_WIDTH - EDGE && status == VP_OK; x++)
        for (int z = EDGE; z < PG_WIDTH - EDGE && status == VP_OK; z++)
            status = fill_column(x, z, error);
    if (status == VP_OK)
        status = build_overhangs(error);
    if (status == VP_OK)
        status = vp_terrain_create(&(vp_terrain_def){.world = pg.world}, &pg.terrain, error);
    const vp_sim_def def = {
        .terrain = pg.terrain, .gravity = 10, .step = 1.0 / 64, .water = 1, .friction = 0.6, .substeps = 4, .reuse = 0.02};
    memset(pg.stale, 1, sizeof pg.stale);
    return status == VP_OK ? vp_sim_create(&def, &pg.sim, error) : status;
}

/* ---- edits ---- */

/* Type of the forest's cell for a material. */
static uint8_t type_of(uint8_t material)
{
    const bool grown = material >= PG_GROWN && material < PG_GROWN + VP_AUTOMATON_BUILTIN_TYPES - VP_AUTOMATON_BEETLE;
    return (uint8_t)(grown ? material - PG_GROWN + VP_AUTOMATON_BEETLE : material >= VP_FIRST_SOLID ? VP_AUTOMATON_GROUND : 0);
}

/* Sets the cells of the forest whose voxels an edit changed. */
static vp_status update_forest(vp_error *error)
{
    const vp_dims size = {PG_WIDTH, PG_HEIGHT, PG_WIDTH};
    const size_t cells = (size_t)PG_WIDTH * PG_HEIGHT * PG_WIDTH;
    uint8_t *type = malloc(2 * cells), *material = type != NULL ? type + cells : NULL;
    vp_ivec3 *at = NULL;
    vp_automaton_cell *cell = NULL;
    size_t count = 0, at_room = 0, cell_room = 0;
    vp_status status = type != NULL ? vp_automaton_read(pg.forest, (vp_ivec3){0, 0, 0}, size, type, error)
                                    : vp_fail(error, VP_E_MEMORY, "no memory for the forest");
    if (status == VP_OK)
        status = vp_world_read_rows(pg.world, (vp_ivec3){0, 0, 0}, size, material, NULL, error);
    for (size_t i = 0; i < cells && status == VP_OK; i++) {
        if (type_of(material[i]) == (type[i] & VP_CELL_TYPE_MAX))
            continue;
        status = vp_grow_array(&at, &at_room, count + 1, sizeof *at, "cells", error);
        if (status == VP_OK)
            status = vp_grow_array(&cell, &cell_room, count + 1, sizeof *cell, "cells", error);
        if (status != VP_OK)
            break;
        at[count] = (vp_ivec3){(int32_t)(i % PG_WIDTH), (int32_t)(i / PG_WIDTH / PG_WIDTH), (int32_t)(i / PG_WIDTH % PG_WIDTH)};
        cell[count++] = (vp_automaton_cell){.type = type_of(material[i])};
    }
    if (status == VP_OK && count > 0)
        status = vp_automaton_set_cells(pg.forest, at, cell, count, error);
    free(cell);
    free(at);
    free(type);
    return status;
}

static vp_status edit_terrain(const vp_sim_edit *edit, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_sim_edit_terrain(pg.sim, edit, &pg.edited, error));
    const vp_chunk_set *changed = vp_sim_changed(pg.sim);
    for (uint32_t c = vp_chunk_set_next(changed, 0); c != UINT32_MAX; c = vp_chunk_set_next(changed, c + 1)) {
        const uint32_t x = c % changed->chunks.x, z = c / changed->chunks.x % changed->chunks.z;
        pg.stale[z * VP_CHUNK_EDGE / PG_TILE * PG_TILES + x * VP_CHUNK_EDGE / PG_TILE] = true;
    }
    return VP_OK;
}

static vp_vec3 vector_of(const double *number)
{
    return (vp_vec3){(float)number[0], (float)number[1], (float)number[2]};
}

static vp_status fill_sphere(const double *number, vp_voxel voxel, vp_error *error)
{
    const vp_sim_edit edit = {.radius = (float)number[0], .centre = vector_of(&number[1]), .voxel = voxel};
    VP_RETURN_IF_FAILED(edit_terrain(&edit, error));
    return pg.forest != NULL ? update_forest(error) : VP_OK;
}

/* dig RADIUS X Y Z */
static vp_status run_dig(const char *name, const double *number, vp_error *error)
{
    (void)name;
    return fill_sphere(number, (vp_voxel){VP_AIR, 0}, error);
}

/* fill MATERIAL RADIUS X Y Z */
static vp_status run_fill(const char *name, const double *number, vp_error *error)
{
    (void)name;
    return fill_sphere(&number[1], (vp_voxel){(uint8_t)number[0], 255}, error);
}

/* ---- bodies ---- */

/* throw SHAPE SIZE DENSITY X Y Z VX VY VZ */
static vp_status run_throw(const char *name, const double *number, vp_error *error)
{
    const float size = (float)number[1];
    vp_sim_body_def def = {.position = {number[3], number[4], number[5]},
                           .rotation = {0, 0, 0, 1},
                           .velocity = {number[6], number[7], number[8]},
                           .density = number[2],
                           .friction = 0.6,
                           .rolling = 0.1};
    uint32_t body;
    if (strcmp(name, "sphere") == 0)
        def.shape = vp_collide_sphere(size);
    else if (strcmp(name, "capsule") == 0)
        def.shape = vp_collide_capsule(0.6f * size, 0.8f * size);
    else if (strcmp(name, "box") == 0)
        def.shape = vp_collide_box((vp_vec3){size, size, size});
    else if (strcmp(name, "cylinder") == 0)
        def.shape = vp_collide_cylinder(size, 0.8f * size);
    else
        return vp_fail(error, VP_E_ARGUMENT, "shape %.60s: must be sphere, capsule, box or cylinder", name);
    return vp_sim_add(pg.sim, &def, &body, error);
}

/* Ends the step that pg_advance began, if any. */
static vp_status end_step(vp_error *error)
{
    return pg.sim != NULL && vp_sim_is_in_step(pg.sim) ? vp_sim_step(pg.sim, error) : VP_OK;
}

vp_status pg_advance(double seconds, bool *ended, vp_error *error)
{
    const vp_status status = vp_sim_advance(pg.sim, seconds, ended, error);
    if (status == VP_E_MEMORY)
        destroy();
    return status;
}

/* step COUNT */
static vp_status run_step(const char *name, const double *number, vp_error *error)
{
    (void)name;
    for (int i = 0; i < (int)number[0]; i++)
        VP_RETURN_IF_FAILED(vp_sim_step(pg.sim, error));
    return VP_OK;
}

/* ---- the forest ---- */

static vp_status create_forest(vp_error *error)
{
    const vp_automaton_def def = {.size = {PG_WIDTH, PG_HEIGHT, PG_WIDTH}, .seed = pg.seed};
    vp_automaton_ground ground;
    for (int m = 0; m < 256; m++)
        ground.type[m] = type_of((uint8_t)m);
    VP_RETURN_IF_FAILED(vp_automaton_create(&def, &pg.forest, error));
    return vp_automaton_read_world(pg.forest, pg.world, (vp_ivec3){0, 0, 0}, &ground, error);
}

/* plant SPECIES X Y Z, or above if ground is there */
static vp_status run_plant(const char *name, const double *number, vp_error *error)
{
    uint32_t count;
    const vp_automaton_species *all = vp_automaton_species_builtin(&count), *species = vp_automaton_species_named(all, count, name);
    vp_ivec3 seed = {(int32_t)number[1], (int32_t)number[2], (int32_t)number[3]};
    if (species == NULL || species->rule == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "species %.60s: must be oak, pine, cherry, redwood, beetle, ant or firefly", name);
    VP_RETURN_IF_FAILED(pg.forest == NULL ? create_forest(error) : VP_OK);
    while (seed.y < PG_HEIGHT - 1 && vp_terrain_voxel(pg.terrain, seed).material >= VP_FIRST_SOLID)
        seed.y++;
    return vp_automaton_plant(pg.forest, species->type, seed, false, error);
}

static vp_status grow(vp_error *error)
{
    const vp_automaton_material_map map = vp_automaton_material_map_builtin(PG_GROWN);
    uint32_t changes = 0;
    size_t count = 0;
    VP_RETURN_IF_FAILED(vp_automaton_step(pg.forest, NULL, error));
    vp_automaton_changes(pg.forest, &changes);
    vp_ivec3 *at = malloc((changes + (size_t)1) * sizeof *at);
    vp_voxel *voxel = malloc((changes + (size_t)1) * sizeof *voxel);
    vp_status status = at != NULL && voxel != NULL ? vp_automaton_list_edits(pg.forest, &map, at, voxel, &count, error)
                                                   : vp_fail(error, VP_E_MEMORY, "no memory for %u changes", changes);
    if (status == VP_OK && count > 0)
        status = edit_terrain(&(vp_sim_edit){.at = at, .each = voxel, .count = count}, error);
    if (status == VP_OK)
        status = vp_automaton_apply(pg.forest, error);
    free(at);
    free(voxel);
    return status;
}

/* grow COUNT */
static vp_status run_grow(const char *name, const double *number, vp_error *error)
{
    (void)name;
    for (int i = 0; pg.forest != NULL && i < (int)number[0]; i++)
        VP_RETURN_IF_FAILED(grow(error));
    return VP_OK;
}

/* ---- rays ---- */

/* ray X Y Z DX DY DZ */
static vp_status run_ray(const char *name, const double *number, vp_error *error)
{
    (void)name;
    const vp_ray ray = {vector_of(number), vector_of(&number[3]), INFINITY};
    return vp_terrain_raycast_point(pg.terrain, VP_SURFACE_SOLID, &ray, &pg.ray, error);
}

/* fan COUNT X Y Z DX DY DZ */
static vp_status run_fan(const char *name, const double *number, vp_error *error)
{
    (void)name;
    const int side = (int)number[0];
    const vp_vec3 from = vector_of(&number[1]), along = vector_of(&number[4]);
    const vp_vec3 x = fabsf(along.y) > 0.9f ? (vp_vec3){1, 0, 0} : (vp_vec3){along.z, 0, -along.x}, y = vp_vec3_cross(along, x);
    const uint32_t count = (uint32_t)(side * side);
    vp_ray *ray = malloc(count * sizeof *ray);
    vp_terrain_hit *hit = malloc(count * sizeof *hit);
    free(pg.hit);
    pg.hits = 0;
    pg.hit = malloc(count * sizeof *pg.hit);
    vp_status status = VP_OK;
    if (ray == NULL || hit == NULL || pg.hit == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %u rays", count);
    for (int i = 0; i < side * side && status == VP_OK; i++) {
        const float u = 1.6f * (float)(i % side) / (float)(side - 1) - 0.8f, v = 1.6f * (float)(i / side) / (float)(side - 1) - 0.8f;
        ray[i] = (vp_ray){from, vp_vec3_add(along, vp_vec3_add(vp_vec3_scale(x, u), vp_vec3_scale(y, v))), INFINITY};
    }
    if (status == VP_OK)
        status = vp_terrain_raycast_many(pg.terrain, VP_SURFACE_SOLID, ray, count, hit, error);
    for (uint32_t i = 0; i < count && status == VP_OK; i++)
        if (hit[i].in_chunk.triangle >= 0)
            pg.hit[pg.hits++] = vp_vec3_add(from, vp_vec3_scale(ray[i].direction, hit[i].in_chunk.t));
    free(ray);
    free(hit);
    return status;
}

/* ---- a mesh ---- */

/* mesh */
static vp_status run_mesh(const char *name, const double *number, vp_error *error)
{
    (void)name, (void)number, (void)error;
    pg.points = pg.triangles = 0;
    return VP_OK;
}

/* v X Y Z, as in OBJ files */
static vp_status run_v(const char *name, const double *number, vp_error *error)
{
    (void)name;
    VP_RETURN_IF_FAILED(vp_grow_array(&pg.point, &pg.point_room, pg.points + 1, sizeof *pg.point, "points", error));
    pg.point[pg.points++] = vector_of(number);
    return VP_OK;
}

/* f A B C, from 1 */
static vp_status run_f(const char *name, const double *number, vp_error *error)
{
    (void)name;
    const vp_status status = vp_grow_array(&pg.triangle, &pg.triangle_room, pg.triangles + 1, sizeof *pg.triangle, "triangles", error);
    for (int k = 0; k < 3 && status == VP_OK; k++)
        pg.triangle[pg.triangles][k] = (uint32_t)number[k] - 1;
    pg.triangles += status == VP_OK;
    return status;
}

/* decompose CONCAVITY HULLS */
static vp_status run_decompose(const char *name, const double *number, vp_error *error)
{
    (void)name;
    const vp_decomposition_def def = {.point = pg.point,
                                      .point_count = (uint32_t)pg.points,
                                      .triangle = (const uint32_t(*)[3])pg.triangle,
                                      .triangle_count = (uint32_t)pg.triangles,
                                      .concavity = (float)number[0],
                                      .max_hulls = (uint32_t)number[1],
                                      .max_vertices = 32,
                                      .flip = true,
                                      .merge_shells = true};
    vp_decomposition_destroy(&pg.parts);
    pg.parts = (vp_decomposition){0};
    return vp_decomposition_create(&def, &pg.parts, error);
}

/* drop X Y Z */
static vp_status run_drop(const char *name, const double *number, vp_error *error)
{
    (void)name;
    uint32_t solids = 0;
    vp_mass *each = calloc(pg.parts.hull_count + (size_t)1, sizeof *each);
    if (each == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u hulls", pg.parts.hull_count);
    for (uint32_t i = 0; i < pg.parts.hull_count; i++)
        each[i] = vp_mass_of_hull(&pg.parts.hull[i].hull, 0.6);
    const vp_mass mass = vp_mass_sum(each, pg.parts.hull_count);
    free(each);
    const vp_sim_body_def def = {.position = {number[0] + mass.centre[0], number[1] + mass.centre[1], number[2] + mass.centre[2]},
                                 .rotation = {0, 0, 0, 1},
                                 .density = 0.6,
                                 .friction = 0.6};
    const vp_vec3 origin = {(float)mass.centre[0], (float)mass.centre[1], (float)mass.centre[2]};
    VP_RETURN_IF_FAILED(vp_sim_add_hulls(pg.sim, &def, &mass, pg.parts.hull, pg.parts.hull_count, origin, &solids, error));
    return solids == 0 ? vp_fail(error, VP_E_ARGUMENT, "no hull is solid; run decompose first") : VP_OK;
}

/* ---- texts ---- */

/* A command with the word after it, and all words after it as numbers. */
typedef vp_status command_fn(const char *name, const double *number, vp_error *error);

typedef struct command {
    const char *name;
    const char *form; /* a letter of read_number for each word after the name, '-' = text */
    command_fn *run;
} command;

static vp_status read_number(char letter, const char *word, double *out, vp_error *error)
{
    static const struct {
        char letter;
        bool is_whole;
        const char *name;
        double low, high;
    } all[] = {{'n', true, "seed", 0, 1e15},         {'r', false, "radius", 0, 16},       {'m', true, "material", VP_WATER, PG_SAND},
               {'s', false, "size", 0.01, 16},       {'q', false, "density", 1e-3, 1e3},  {'p', false, "position", -1e6, 1e6},
               {'v', false, "velocity", -1e3, 1e3},  {'c', true, "count", 1, PG_STEPS},   {'w', true, "rays along a side", 2, PG_RAYS},
               {'d', false, "direction", -1e3, 1e3}, {'x', false, "coordinate", -64, 64}, {'i', true, "vertex", 1, 1e6},
               {'k', false, "concavity", 0, 1e3},    {'h', true, "hulls", 1, 1e3}};
    size_t i = 0;
    char *end;
    while (all[i].letter != letter)
        i++;
    *out = strtod(word, &end);
    if (*end == '\0' && *out >= all[i].low && *out <= all[i].high && (!all[i].is_whole || *out == floor(*out)))
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "%s %.60s: must be a %snumber from %g to %g", all[i].name, word, all[i].is_whole ? "whole " : "",
                   all[i].low, all[i].high);
}

static vp_status run_command(const command *c, char **word, vp_error *error)
{
    double number[WORDS];
    vp_status status = VP_OK;
    for (int k = 0; c->form[k] != '\0' && status == VP_OK; k++)
        if (c->form[k] != '-')
            status = read_number(c->form[k], word[k], &number[k], error);
    if (status == VP_OK && pg.sim == NULL && c->run != run_world)
        status = vp_fail(error, VP_E_ARGUMENT, "%s: the first command must be world", c->name);
    if (status == VP_OK && c->run != run_ray && c->run != run_fan) /* the page casts rays during a step */
        status = end_step(error);
    if (status == VP_OK)
        status = c->run(word[0], number, error);
    if (status == VP_E_MEMORY) /* the simulation may be incomplete */
        destroy();
    return status;
}

static vp_status run_line(char *line, vp_error *error)
{
    static const command all[] = {{"world", "n", run_world},   {"dig", "rppp", run_dig},
                                  {"fill", "mrppp", run_fill}, {"throw", "-sqpppvvv", run_throw},
                                  {"step", "c", run_step},     {"plant", "-ppp", run_plant},
                                  {"grow", "c", run_grow},     {"ray", "pppddd", run_ray},
                                  {"fan", "wpppddd", run_fan}, {"mesh", "", run_mesh},
                                  {"v", "xxx", run_v},         {"f", "iii", run_f},
                                  {"drop", "ppp", run_drop},   {"decompose", "kh", run_decompose}};
    char *word[WORDS + 1] = {NULL};
    size_t words = 0;
    for (char *at = strtok(line, " \t\r"); at != NULL; at = strtok(NULL, " \t\r"), words++)
        if (words <= WORDS)
            word[words] = at;
    if (words == 0 || word[0][0] == '#')
        return VP_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(word[0], all[i].name) != 0)
            continue;
        if (words != strlen(all[i].form) + 1)
            return vp_fail(error, VP_E_ARGUMENT, "%s: %zu words follow; must be %zu", word[0], words - 1, strlen(all[i].form));
        return run_command(&all[i], &word[1], error);
    }
    return vp_fail(error, VP_E_ARGUMENT, "command %.60s is unknown", word[0]);
}

int pg_run_text(char *text, vp_error *error)
{
    int number = 1;
    for (char *line = text; line != NULL; number++) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        if (run_line(line, error) != VP_OK)
            return number;
        line = end != NULL ? end + 1 : NULL;
    }
    return 0;
}

vp_status pg_hash_state(uint64_t *out, vp_error *error)
{
    vp_hasher hasher;
    VP_RETURN_IF_FAILED(end_step(error));
    vp_hash_begin(&hasher);
    if (pg.sim != NULL) {
        const size_t bodies = vp_sim_body_count(pg.sim), voxels = (size_t)PG_WIDTH * PG_HEIGHT * PG_WIDTH;
        double *state = malloc((bodies + 1) * VP_SIM_STATE_DOUBLES * sizeof *state);
        if (state == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for the states of %zu bodies", bodies);
        vp_sim_state(pg.sim, state);
        vp_hash_longs(&hasher, state, bodies * VP_SIM_STATE_DOUBLES);
        free(state);
        vp_hash_bytes(&hasher, vp_world_voxels(pg.world).material, voxels);
        vp_hash_bytes(&hasher, vp_world_occupancy(pg.world), voxels);
        const uint64_t forest = pg.forest != NULL ? vp_automaton_digest(pg.forest) : 0;
        vp_hash_longs(&hasher, &forest, 1);
    }
    *out = vp_hash_end(&hasher);
    return VP_OK;
}
