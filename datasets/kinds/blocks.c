/* SPDX-License-Identifier: MIT */
/* Worlds of blocks: planets, noise, checkerboards, and worlds converted from voxels. */
#include "datasets/block_sets.h"

#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/kinds/kind.h"
#include "datasets/manifest_data.h"
#include "datasets/random.h"
#include "src/core/error.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct vp_planet_params {
    float chunks;
    float platforms, caves; /* 1: with them */
} vp_planet_params;

/* Uncorrelated blocks. */
typedef struct vp_block_noise_params {
    float chunks; /* along an edge */
    float filled; /* the share of blocks that are not air */
    float types;  /* number of the usual types in use, counted from the first */
} vp_block_noise_params;

typedef struct vp_block_checker_params {
    float chunks;
} vp_block_checker_params;

/* The voxels of a world, starting at (0, 0, 0). */
typedef struct vp_block_world_params {
    float chunks_x, chunks_y, chunks_z;
} vp_block_world_params;

static void destroy(vp_block_set *s)
{
    if (s->world != NULL)
        vp_blocks_release_box(s->world, &s->held);
    vp_blocks_destroy(s->world);
}

VP_KIND_DROP(destroy)

/* Creates a set without chunks. */
static vp_status begin(const vp_block_type *type, uint32_t types, vp_block_set *s, vp_error *error)
{
    s->view = &s->held.view;
    return vp_blocks_create(&(vp_blocks_def){.type = type, .type_count = types}, &s->world, error);
}

/* Fills a set and takes its view. */
static vp_status fill(vp_block_set *s, vp_ivec3 low, vp_dims size, vp_block_fill_fn *fn, const void *user, vp_error *error)
{
    VP_RETURN_IF_FAILED(fn != NULL ? vp_blocks_fill(s->world, low, size, fn, user, NULL, error) : VP_OK);
    return vp_blocks_acquire_box(s->world, low, size, &s->held, error);
}

static vp_status make_planet(const vp_making *from, void **set, vp_error *error)
{
    const vp_planet_params *p = from->params;
    const uint32_t n = (uint32_t)p->chunks;
    const vp_block_planet_def def = {(uint32_t)from->seed, n, p->platforms != 0, p->caves != 0};
    vp_block_planet planet;
    vp_block_set *s = *set;
    VP_RETURN_IF_FAILED(begin(NULL, 0, s, error));
    VP_RETURN_IF_FAILED(vp_block_planet_init(&def, &planet, error));
    return fill(s, planet.low, (vp_dims){n, n, n}, vp_block_planet_fill, &planet, error);
}

/* One random stream per chunk. */
static uint64_t chunk_seed(uint64_t seed, vp_ivec3 chunk)
{
    vp_random r = {seed ^ (uint64_t)(uint32_t)chunk.x << 32 ^ (uint64_t)(uint32_t)chunk.y << 16 ^ (uint32_t)chunk.z};
    return vp_random_next(&r);
}

typedef struct noise {
    const vp_block_noise_params *params;
    uint64_t seed;
} noise;

static void fill_noise(const void *user, vp_ivec3 chunk, vp_block *cell)
{
    const noise *n = user;
    const uint32_t share = (uint32_t)(n->params->filled * 65536.0f), types = (uint32_t)n->params->types;
    vp_random r = {chunk_seed(n->seed, chunk)};
    for (int i = 0; i < VP_BLOCK_CELLS; i++) {
        const uint32_t type = 1 + vp_random_below(&r, types), chance = vp_random_below(&r, 65536);
        cell[i] = (vp_block)(chance < share ? type : VP_BLOCK_NOTHING);
    }
}

/* Centres the chunks on the origin. An odd chunk lies on the positive side. */
static vp_ivec3 low_of(uint32_t chunks)
{
    const int32_t low = -(int32_t)(chunks / 2);
    return (vp_ivec3){low, low, low};
}

static vp_status make_noise(const vp_making *from, void **set, vp_error *error)
{
    const vp_block_noise_params *p = from->params;
    const uint32_t n = (uint32_t)p->chunks;
    const noise of = {p, from->seed};
    vp_block_set *s = *set;
    VP_RETURN_IF_FAILED(begin(NULL, 0, s, error));
    return fill(s, low_of(n), (vp_dims){n, n, n}, fill_noise, &of, error);
}

static void fill_checker(const void *user, vp_ivec3 chunk, vp_block *cell)
{
    (void)user, (void)chunk;
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        cell[i] = (i ^ i >> 5 ^ i >> 10) & 1 ? VP_BLOCK_STONE : VP_BLOCK_NOTHING;
}

static vp_status make_checker(const vp_making *from, void **set, vp_error *error)
{
    const vp_block_checker_params *p = from->params;
    const uint32_t n = (uint32_t)p->chunks;
    vp_block_set *s = *set;
    VP_RETURN_IF_FAILED(begin(NULL, 0, s, error));
    return fill(s, low_of(n), (vp_dims){n, n, n}, fill_checker, NULL, error);
}

/* ---- worlds of voxels ---- */

/* The 256 types air, water and solids. */
static const vp_block_type *block_types_of_world(void)
{
    enum { SOLID = VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE };
#define S1(c)                                                                                                                              \
    {                                                                                                                                      \
        SOLID, c                                                                                                                           \
    }
#define S4(c)  S1(c), S1(c + 0x101010), S1(c + 0x202020), S1(c + 0x303030)
#define S16(c) S4(c), S4(c + 0x080010), S4(c + 0x101000), S4(c + 0x001808)
    static const vp_block_type types[256] = {[VP_AIR] = {0, 0}, [VP_WATER] = {VP_BLOCK_FLUID, 0x3f76e4},
                                             S1(0x7d7d7d),      S1(0x7a5636),
                                             S1(0x5d9b3f),      S1(0xd9cf9b),
                                             S1(0x8a8580),      S1(0xf4f7fa),
                                             S1(0x3b3b3b),      S1(0xb08d72),
                                             S1(0x4d4d55),      S1(0xa8824e),
                                             S1(0x9aa4ad),      S1(0xc8e6f0),
                                             S1(0x68785f),      S1(0xb0503c),
                                             S16(0x604020),     S16(0x206040),
                                             S16(0x402060),     S16(0x606020),
                                             S16(0x206060),     S16(0x602060),
                                             S16(0x404040),     S16(0x703030),
                                             S16(0x307030),     S16(0x303070),
                                             S16(0x707040),     S16(0x407070),
                                             S16(0x704070),     S16(0x804020),
                                             S16(0x208040)};
    return types;
}

typedef struct voxels {
    const vp_world *world;
    vp_dims size;
    vp_ivec3 to;
} voxels;

static void fill_voxels(const void *user, vp_ivec3 chunk, vp_block *cell)
{
    const voxels *v = user;
    const int32_t low[3] = {chunk.x * 32 - v->to.x, chunk.y * 32 - v->to.y, chunk.z * 32 - v->to.z};
    for (int32_t i = 0; i < VP_BLOCK_CELLS; i++) {
        const vp_ivec3 at = {low[0] + i % 32, low[1] + i / 1024, low[2] + i / 32 % 32};
        const bool inside = (uint32_t)at.x < v->size.x && (uint32_t)at.y < v->size.y && (uint32_t)at.z < v->size.z;
        cell[i] = inside ? vp_world_voxel(v->world, at).material : VP_BLOCK_NOTHING;
    }
}

void vp_view_mark_colliding(const vp_block_view *view, uint8_t *cell)
{
    const vp_dims size = {view->size.x * VP_BLOCK_EDGE, view->size.y * VP_BLOCK_EDGE, view->size.z * VP_BLOCK_EDGE};
    for (size_t i = 0; i < (size_t)size.x * size.y * size.z; i++) {
        const uint32_t x = (uint32_t)(i % size.x), z = (uint32_t)(i / size.x % size.z), y = (uint32_t)(i / size.x / size.z);
        const vp_block_cells *c = &view->chunk[(y / VP_BLOCK_EDGE * view->size.z + z / VP_BLOCK_EDGE) * view->size.x + x / VP_BLOCK_EDGE];
        const vp_block block = vp_block_at(c, x % VP_BLOCK_EDGE, y % VP_BLOCK_EDGE, z % VP_BLOCK_EDGE);
        cell[i] = (vp_block_flags_of(view->type, view->type_count, block) & VP_BLOCK_COLLIDES) != 0;
    }
}

vp_status vp_blocks_put_world(vp_blocks *blocks, const vp_world *world, vp_dims size, vp_ivec3 to, vp_error *error)
{
    const voxels v = {world, size, to};
    const vp_dims chunks = {(size.x + 31) / 32, (size.y + 31) / 32, (size.z + 31) / 32};
    if (to.x % 32 != 0 || to.y % 32 != 0 || to.z % 32 != 0)
        return vp_fail(error, VP_E_ARGUMENT, "a world of voxels at block (%d, %d, %d), which is not a chunk's first", (int)to.x, (int)to.y,
                       (int)to.z);
    return vp_blocks_fill(blocks, (vp_ivec3){to.x / 32, to.y / 32, to.z / 32}, chunks, fill_voxels, &v, NULL, error);
}

static vp_status make_world(const vp_making *from, void **set, vp_error *error)
{
    const vp_block_world_params *p = from->params;
    const vp_data *world = NULL;
    vp_block_set *s = *set;
    if (from->dataset->world[0] == '\0')
        return vp_fail(error, VP_E_FORMAT, "data set \"%.60s\" is made from a world, and names none", from->name);
    VP_RETURN_IF_FAILED(begin(block_types_of_world(), 256, s, error));
    VP_RETURN_IF_FAILED(vp_store_open(from->store, vp_kind_named("world"), from->dataset->world, &world, error));
    const vp_dims chunks = {(uint32_t)p->chunks_x, (uint32_t)p->chunks_y, (uint32_t)p->chunks_z};
    VP_RETURN_IF_FAILED(
        vp_blocks_put_world(s->world, world->set, (vp_dims){chunks.x * 32, chunks.y * 32, chunks.z * 32}, (vp_ivec3){0, 0, 0}, error));
    return fill(s, (vp_ivec3){0, 0, 0}, chunks, NULL, NULL, error);
}

/* ---- small and hostile ---- */

/* Makes adjacent chunks of all forms: absent, of one type, with a block in a corner, sparse, dense, in layers, wide. */
static vp_status fuzz_chunk(vp_blocks *world, vp_ivec3 chunk, uint32_t types, vp_random *r, vp_error *error)
{
    const uint32_t form = vp_random_below(r, 8), some = vp_random_below(r, types), low = types > 256 && form != 6 ? 256 : types;
    static const uint32_t shares[8] = {0, 0, 0, 2, 30, 0, 50, 97}; /* percent */
    vp_block_cells cells = {NULL, 0, (vp_block)some};
    if (form == 0)
        return VP_OK;
    vp_block *cell = calloc(VP_BLOCK_CELLS, sizeof *cell);
    if (cell == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a chunk");
    for (uint32_t i = 0; form >= 3 && i < VP_BLOCK_CELLS; i++) {
        const uint32_t chance = vp_random_below(r, 100), type = vp_random_below(r, low);
        cell[i] = (vp_block)(form == 5 ? (i >> 10) % 3 * some / 2 : chance < shares[form] ? type : 0);
    }
    if (form == 2) { /* at the border on one to three axes */
        uint32_t at[3];
        for (int a = 0; a < 3; a++) {
            const uint32_t inside = vp_random_below(r, 32);
            at[a] = vp_random_below(r, 3) == 0 ? inside : 31 * vp_random_below(r, 2);
        }
        cell[(at[1] * 32 + at[2]) * 32 + at[0]] = (vp_block)some;
    }
    if (form != 1)
        cells = (vp_block_cells){cell, 2, 0};
    const vp_status status = vp_blocks_set_chunk(world, chunk, &cells, error);
    free(cell);
    return status;
}

static vp_status fuzz(const vp_making *from, void **set, vp_error *error)
{
    vp_random r = {from->seed ^ UINT64_C(0x626c6f636b73)};
    static const uint32_t bits[5] = {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, VP_BLOCK_COLLIDES, VP_BLOCK_OPAQUE, VP_BLOCK_FLUID, 0};
    const uint32_t types = vp_random_below(&r, 3) == 0 ? 257 + vp_random_below(&r, 400) : 2 + vp_random_below(&r, 10);
    vp_block_type *type = calloc(types, sizeof *type);
    if (type == NULL)
        return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for types", from->name);
    for (uint32_t i = 1; i < types; i++) {
        type[i].flags = bits[vp_random_below(&r, 2) == 0 ? 0 : vp_random_below(&r, 5)];
        type[i].colour = vp_random_below(&r, 0x1000000);
    }
    vp_block_set *s = *set;
    vp_status status = begin(type, types, s, error);
    free(type);
    vp_dims n;
    n.x = 1 + vp_random_below(&r, 3);
    n.y = 1 + vp_random_below(&r, 2);
    n.z = 1 + vp_random_below(&r, 2);
    vp_ivec3 low;
    low.x = (int32_t)vp_random_below(&r, 5) - 3;
    low.y = (int32_t)vp_random_below(&r, 5) - 3;
    low.z = (int32_t)vp_random_below(&r, 5) - 3;
    for (uint32_t i = 0; status == VP_OK && i < n.x * n.y * n.z; i++) {
        status = fuzz_chunk(s->world, vp_nth_cell(low, n, i), types, &r, error);
    }
    return status == VP_OK ? fill(s, low, n, NULL, NULL, error) : status;
}

/* ---- the kind ---- */

static uint64_t count(const void *set)
{
    return (uint64_t)vp_view_chunks(((const vp_block_set *)set)->view) * VP_BLOCK_CELLS;
}

/* Hashes the box of chunks, the types, and the blocks of each chunk. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_block_view *v = ((const vp_block_set *)set)->view;
    const uint32_t head[] = {(uint32_t)v->low.x, (uint32_t)v->low.y, (uint32_t)v->low.z, v->size.x, v->size.y, v->size.z, v->type_count};
    vp_hash_words(h, head, sizeof head / sizeof head[0]);
    for (uint32_t i = 0; i < v->type_count; i++) {
        vp_hash_u32(h, v->type[i].flags);
        vp_hash_u32(h, v->type[i].colour);
    }
    for (uint32_t c = 0; c < vp_view_chunks(v); c++)
        for (uint32_t y = 0; y < 32; y++) {
            uint8_t layer[1024 * 2];
            for (uint32_t i = 0; i < 1024; i++) {
                const vp_block block = vp_cells_block(&v->chunk[c], y * 1024 + i);
                layer[2 * i] = (uint8_t)block;
                layer[2 * i + 1] = (uint8_t)(block >> 8);
            }
            vp_hash_bytes(h, layer, sizeof layer);
        }
}

/* Writes a line of common properties, then a line per chunk with runs of equal blocks as [length, block]. */
static void lines(const void *set, vp_text *to)
{
    const vp_block_view *v = ((const vp_block_set *)set)->view;
    vp_text_add(to, "{\"low\": [%d, %d, %d], \"size\": [%u, %u, %u], \"types\": [", (int)v->low.x, (int)v->low.y, (int)v->low.z, v->size.x,
                v->size.y, v->size.z);
    for (uint32_t i = 0; i < v->type_count; i++)
        vp_text_add(to, "%s[%u, \"%06x\"]", i == 0 ? "" : ", ", v->type[i].flags, v->type[i].colour);
    vp_text_add(to, "]}\n");
    for (uint32_t c = 0; c < vp_view_chunks(v); c++) {
        const vp_ivec3 at = vp_view_chunk_at(v, c);
        vp_text_add(to, "{\"chunk\": [%d, %d, %d], \"runs\": [", (int)at.x, (int)at.y, (int)at.z);
        for (uint32_t i = 0, end; i < VP_BLOCK_CELLS; i = end) {
            const vp_block block = vp_cells_block(&v->chunk[c], i);
            for (end = i + 1; end < VP_BLOCK_CELLS && vp_cells_block(&v->chunk[c], end) == block;)
                end++;
            vp_text_add(to, "%s[%u, %u]", i == 0 ? "" : ", ", end - i, block);
        }
        vp_text_add(to, "]}\n");
    }
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_block_set *s = data->set;
    const vp_blocks_memory m = vp_blocks_memory_use(s->world);
    json_int_t something = 0;
    (void)error;
    for (uint32_t c = 0; c < vp_view_chunks(s->view); c++)
        for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
            something += vp_cells_block(&s->view->chunk[c], i) != VP_BLOCK_NOTHING;
    *out = json_pack("{s:i, s:i, s:i, s:i, s:I, s:I}", "chunks", (int)m.chunks, "chunks_uniform", (int)m.uniform, "chunks_wide",
                     (int)m.wide, "types", (int)s->view->type_count, "blocks", something, "cell_bytes", (json_int_t)m.cells);
    return VP_OK;
}

static const vp_param planet_params[] = {VP_PARAM_WHOLE(vp_planet_params, chunks, 3, 17),
                                         VP_PARAM_WHOLE(vp_planet_params, platforms, 0, 1),
                                         VP_PARAM_WHOLE(vp_planet_params, caves, 0, 1),
                                         {0}};
static const vp_param noise_params[] = {VP_PARAM_WHOLE(vp_block_noise_params, chunks, 1, 16),
                                        VP_PARAM(vp_block_noise_params, filled, 0, 1),
                                        VP_PARAM_WHOLE(vp_block_noise_params, types, 1, VP_BLOCK_PLANKS),
                                        {0}};
static const vp_param checker_params[] = {VP_PARAM_WHOLE(vp_block_checker_params, chunks, 1, 16), {0}};
static const vp_param world_params[] = {VP_PARAM_WHOLE(vp_block_world_params, chunks_x, 1, 64),
                                        VP_PARAM_WHOLE(vp_block_world_params, chunks_y, 1, 8),
                                        VP_PARAM_WHOLE(vp_block_world_params, chunks_z, 1, 64),
                                        {0}};
static const vp_generator generators[] = {{.name = "block-planet", .param = planet_params, .make = make_planet},
                                          {.name = "block-noise", .param = noise_params, .make = make_noise},
                                          {.name = "block-checker", .param = checker_params, .make = make_checker},
                                          {.name = "block-world", .param = world_params, .make = make_world},
                                          {0}};

const vp_kind vp_kind_blocks = {
    .name = "blocks",
    .words = "worlds of blocks",
    .bytes = sizeof(vp_block_set),
    .one = "world of blocks",
    .member = (const char *const[]){"world", "params", "on_demand", "hash", NULL},
    .world_by_choice = true,
    .generator = generators,
    .fuzz = fuzz,
    .count = count,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
