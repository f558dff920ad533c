/* SPDX-License-Identifier: MIT */
/* Terrain, made from a density whose zero is the ground. Caves are cut out of it, water lies below a level, and
 * materials depend on depth.
 *
 * The density is height(x, z) - y plus 3D noise where the land is craggy, so that cliffs lean out and arches stand
 * free. Its value near zero also determines a voxel's occupancy, which makes the surface smooth. Tunnels are where two
 * 3D noises are both near zero, and caverns where a third is large. 3D noise is computed on a lattice of every fourth
 * voxel and interpolated between, for one layer of chunks along z at a time. This needs 64 times fewer evaluations, and
 * the wavelengths are many times the lattice's step. */
#include "datasets/generate/generate.h"

#include "src/core/error.h"
#include "datasets/generate/noise.h"

#include <stdlib.h>

enum {
    STEP = 4,                          /* voxels between lattice points */
    PLANES = VP_CHUNK_EDGE / STEP + 1, /* lattice planes of a layer of chunks */
    NODES = VP_CHUNK_EDGE / STEP + 1,  /* lattice points along a chunk */
    SLICE = VP_CHUNK_EDGE * VP_CHUNK_EDGE
};

/* The fields of the lattice. */
enum { CRAG, TUNNEL_A, TUNNEL_B, CAVERN, FIELDS };

typedef struct landscape {
    const vp_terrain_params *p;
    vp_dims size;
    uint32_t top; /* no ground at or above this y */
    vp_noise hills, ridges, mountainous, craggy, crag, tunnel_a, tunnel_b, cavern;
    uint32_t detail_seed;
    uint32_t nodes_x, nodes_y;     /* number of lattice points along x, and along y up to the top */
    float *plane[PLANES];          /* each: nodes_y rows of nodes_x points of FIELDS floats */
    float *height, *crags;         /* one layer of chunks: VP_CHUNK_EDGE rows of size.x */
    uint8_t *material, *occupancy; /* one column of chunks, in rows: 8 x 8 x size.y */
} landscape;

static float clamped(float v, float low, float high)
{
    return v < low ? low : v > high ? high : v;
}

static float blend(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* ---- the fields ---- */

/* Rolling hills everywhere, ridges where the land is mountainous. */
static float height_at(const landscape *t, float x, float z)
{
    float hills = vp_noise_sum_2d(&t->hills, x, z);
    float mountainous = vp_smooth_step(-0.15f, 0.45f, vp_noise_sum_2d(&t->mountainous, x, z));
    float ridges = vp_noise_ridges_2d(&t->ridges, x, z);
    float relief = 0.55f * hills + mountainous * (1.6f * ridges - 0.45f);
    return t->p->base + t->p->relief * clamped(relief, -1.0f, 1.0f);
}

static void fill_heights(landscape *t, uint32_t z0)
{
    for (uint32_t z = 0; z < VP_CHUNK_EDGE; z++)
        for (uint32_t x = 0; x < t->size.x; x++) {
            float fx = (float)x + 0.5f, fz = (float)(z0 + z) + 0.5f;
            t->height[z * t->size.x + x] = height_at(t, fx, fz);
            t->crags[z * t->size.x + x] = vp_smooth_step(0.0f, 0.35f, vp_noise_sum_2d(&t->craggy, fx, fz));
        }
}

static void fill_plane(const landscape *t, float *plane, uint32_t z)
{
    for (uint32_t j = 0; j < t->nodes_y; j++)
        for (uint32_t i = 0; i < t->nodes_x; i++, plane += FIELDS) {
            float x = (float)(i * STEP), y = (float)(j * STEP), fz = (float)z;
            plane[CRAG] = vp_noise_sum_3d(&t->crag, x, y, fz);
            plane[TUNNEL_A] = vp_noise_sum_3d(&t->tunnel_a, x, y, fz);
            plane[TUNNEL_B] = vp_noise_sum_3d(&t->tunnel_b, x, y, fz);
            plane[CAVERN] = vp_noise_sum_3d(&t->cavern, x, y, fz);
        }
}

/* Roughly estimates the distance to the nearest cave in voxels, negative inside. The noises change by about 1.5 per
 * cell. Near a tunnel's wall, (a^2 + b^2 - r^2)/2r is the distance to it. */
static float cave_distance(const vp_terrain_params *p, const float *field)
{
    float cell = p->cave_wavelength / 1.5f, r = p->cave_radius / cell;
    float a = field[TUNNEL_A], b = field[TUNNEL_B];
    float tunnel = ((a * a + b * b) - r * r) / (2.0f * r) * cell;
    float cavern = (p->cavern_level - field[CAVERN]) * (p->cavern_wavelength / 1.5f);
    return vp_min(tunnel, cavern);
}

/* ---- materials ---- */

static uint8_t rock(const landscape *t, uint32_t x, uint32_t y, uint32_t z)
{
    /* Ore lies in veins. A few percent of the 4^3 cells have one, and half of such a cell is ore. */
    uint32_t vein = vp_noise_hash(t->detail_seed, x / 4, y / 4, z / 4);
    if ((vein & 0x3f) < 2 && (vp_noise_hash(t->detail_seed + 1, x, y, z) & 1) != 0)
        return (vein & 0x40) != 0 ? VP_COAL_ORE : VP_IRON_ORE;
    return y < t->size.y / 8 ? VP_DEEP_STONE : VP_STONE;
}

/* The material of ground that lies `depth` solid voxels below open air or water. */
static uint8_t ground(const landscape *t, uint32_t depth, float crags, uint32_t x, uint32_t y, uint32_t z)
{
    if (depth >= 4)
        return rock(t, x, y, z);
    uint32_t jitter = vp_noise_hash(t->detail_seed + 2, x / 2, 0, z / 2) & 3;
    float level = (float)(y + depth) - 1.5f + (float)jitter * 0.5f;
    if (level < t->p->water_level - 8.0f)
        return VP_GRAVEL;
    if (level < t->p->water_level + 1.0f)
        return VP_SAND;
    if (crags > 0.75f)
        return rock(t, x, y, z);
    if (level > t->p->snow_level)
        return depth < 2 ? VP_SNOW : VP_STONE;
    return depth == 0 ? VP_GRASS : VP_DIRT;
}

/* ---- voxels ---- */

typedef struct column_place {
    uint32_t x, y, z; /* position in the world */
    float height, crags;
    const float *field;
} column_place;

static vp_voxel water_or_air(float level, uint32_t y)
{
    float fill = level - (float)y;
    if (fill < 1.0f / 256.0f)
        return (vp_voxel){VP_AIR, 0};
    return (vp_voxel){VP_WATER, (uint8_t)(fill >= 1.0f ? 255 : (int)(fill * 256.0f) - 1)};
}

/* The state above a voxel while a column is made from the top down. */
typedef struct above {
    uint32_t depth; /* voxels of ground since the open, caves included */
    bool wet;       /* the open was water */
} above;

/* Returns one voxel of a column, which is made from the top down. */
static vp_voxel voxel_at(const landscape *t, const column_place *at, above *over)
{
    const vp_terrain_params *p = t->p;
    float density = at->height - ((float)at->y + 0.5f) + p->overhang * at->crags * at->field[CRAG];
    if (density + 0.5f < 1.0f / 256.0f) {
        vp_voxel open = water_or_air(p->water_level, at->y);
        over->depth = 0;
        over->wet = open.material == VP_WATER;
        return open;
    }
    uint32_t depth = over->depth++;
    float cave = cave_distance(p, at->field);
    if (over->wet) /* the beds of lakes stay solid */
        cave = vp_max(cave, 3.5f - (float)depth);
    if (at->height < p->water_level + 3.0f) /* and their shores, except in caves in cliffs */
        cave = vp_max(cave, 5.0f - density);
    else if (density < 6.0f) /* caves are narrower near openings */
        cave += 0.125f * (6.0f - density);
    density = vp_min(density, cave);
    float fill = density + 0.5f;
    if (fill < 1.0f / 256.0f)
        return water_or_air(p->cave_water_level, at->y);
    return (vp_voxel){ground(t, depth, at->crags, at->x, at->y, at->z), (uint8_t)(fill >= 1.0f ? 255 : (int)(fill * 256.0f) - 1)};
}

/* Computes the lattice's values at (.., y, z) for the lattice points along a chunk. */
static void interpolate_nodes(const landscape *t, uint32_t i0, uint32_t y, uint32_t z, float node[NODES][FIELDS])
{
    uint32_t j = y / STEP, k = z / STEP;
    float ty = ((float)(y % STEP) + 0.5f) / STEP, tz = ((float)(z % STEP) + 0.5f) / STEP;
    size_t row = (size_t)t->nodes_x * FIELDS, at = j * row + (size_t)i0 * FIELDS;
    const float *near = t->plane[k] + at, *far = t->plane[k + 1] + at;
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t f = 0; f < FIELDS; f++, near++, far++)
            node[i][f] = blend(blend(near[0], near[row], ty), blend(far[0], far[row], ty), tz);
}

/* Makes one column of chunks from the top down. */
static void make_column(landscape *t, uint32_t x0, uint32_t z0)
{
    above state[SLICE] = {{0, false}};
    for (uint32_t y = t->size.y; y-- > 0;)
        for (uint32_t z = 0; z < VP_CHUNK_EDGE; z++) {
            size_t out = ((size_t)y * VP_CHUNK_EDGE + z) * VP_CHUNK_EDGE;
            float node[NODES][FIELDS];
            if (y < t->top)
                interpolate_nodes(t, x0 / STEP, y, z, node);
            for (uint32_t x = 0; x < VP_CHUNK_EDGE; x++, out++) {
                vp_voxel voxel;
                if (y < t->top) {
                    float field[FIELDS], tx = ((float)(x % STEP) + 0.5f) / STEP;
                    for (uint32_t f = 0; f < FIELDS; f++)
                        field[f] = blend(node[x / STEP][f], node[x / STEP + 1][f], tx);
                    size_t column = (size_t)z * t->size.x + x0 + x;
                    column_place at = {x0 + x, y, z0 + z, t->height[column], t->crags[column], field};
                    voxel = voxel_at(t, &at, &state[z * VP_CHUNK_EDGE + x]);
                } else {
                    voxel = water_or_air(t->p->water_level, y);
                }
                t->material[out] = voxel.material;
                t->occupancy[out] = voxel.occupancy;
            }
        }
}

/* ---- the world ---- */

static vp_status make_all(landscape *t, vp_world *world, const vp_generate_progress *progress, vp_error *error)
{
    vp_dims column = {VP_CHUNK_EDGE, t->size.y, VP_CHUNK_EDGE};
    fill_plane(t, t->plane[PLANES - 1], 0);
    for (uint32_t z0 = 0; z0 < t->size.z; z0 += VP_CHUNK_EDGE) {
        float *carried = t->plane[0]; /* the last plane of one layer is the first of the next */
        t->plane[0] = t->plane[PLANES - 1];
        t->plane[PLANES - 1] = carried;
        for (uint32_t k = 1; k < PLANES; k++)
            fill_plane(t, t->plane[k], z0 + k * STEP);
        fill_heights(t, z0);
        for (uint32_t x0 = 0; x0 < t->size.x; x0 += VP_CHUNK_EDGE) {
            make_column(t, x0, z0);
            vp_ivec3 low = {(int32_t)x0, 0, (int32_t)z0};
            VP_RETURN_IF_FAILED(vp_world_write_rows(world, low, column, t->material, t->occupancy, NULL, error));
        }
        if (progress != NULL)
            progress->report(progress->user, z0 + VP_CHUNK_EDGE, t->size.z);
    }
    return vp_succeed(error);
}

static void draw_noises(landscape *t, uint64_t seed)
{
    const vp_terrain_params *p = t->p;
    vp_random random = {seed};
    t->hills = vp_noise_make(&random, 5, p->wavelength);
    t->ridges = vp_noise_make(&random, 4, p->wavelength * 0.75f);
    t->mountainous = vp_noise_make(&random, 2, p->wavelength * 1.5f);
    t->craggy = vp_noise_make(&random, 2, p->wavelength * 0.6f);
    t->crag = vp_noise_make(&random, 2, p->overhang_wavelength);
    t->tunnel_a = vp_noise_make(&random, 1, p->cave_wavelength);
    t->tunnel_b = vp_noise_make(&random, 1, p->cave_wavelength * 0.9f);
    t->cavern = vp_noise_make(&random, 2, p->cavern_wavelength);
    t->detail_seed = (uint32_t)(vp_random_next(&random) >> 32);
}

/* Returns the level above which the density is negative for all values of the noises. */
static uint32_t top_of(const vp_terrain_params *p, uint32_t size_y)
{
    float top = p->base + p->relief + 2.0f * p->overhang + 2.0f;
    return top >= (float)size_y ? size_y : (uint32_t)top;
}

static bool allocate(landscape *t)
{
    size_t plane_floats = (size_t)t->nodes_x * t->nodes_y * FIELDS;
    size_t layer = (size_t)t->size.x * VP_CHUNK_EDGE, column = (size_t)t->size.y * SLICE;
    bool done = true;
    for (uint32_t k = 0; k < PLANES; k++) {
        t->plane[k] = malloc(plane_floats * sizeof(float));
        done = done && t->plane[k] != NULL;
    }
    t->height = malloc(layer * sizeof(float));
    t->crags = malloc(layer * sizeof(float));
    t->material = malloc(column);
    t->occupancy = malloc(column);
    return done && t->height != NULL && t->crags != NULL && t->material != NULL && t->occupancy != NULL;
}

static void release(landscape *t)
{
    for (uint32_t k = 0; k < PLANES; k++)
        free(t->plane[k]);
    free(t->height);
    free(t->crags);
    free(t->material);
    free(t->occupancy);
}

vp_status vp_generate_terrain(const vp_terrain_params *params, uint64_t seed, vp_dims size, const vp_generate_progress *progress,
                              vp_world **out, vp_error *error)
{
    vp_world *world = NULL;
    VP_RETURN_IF_FAILED(vp_world_create(&(vp_world_def){.size = size}, &world, error));
    landscape t = {.p = params, .size = size, .top = top_of(params, size.y)};
    t.nodes_x = size.x / STEP + 1;
    t.nodes_y = (t.top + STEP - 1) / STEP + 1;
    draw_noises(&t, seed);
    vp_status status =
        allocate(&t) ? make_all(&t, world, progress, error)
                     : vp_fail(error, VP_E_MEMORY, "no memory for the noise of a terrain of %u x %u x %u voxels", size.x, size.y, size.z);
    release(&t);
    if (status == VP_OK)
        *out = world;
    else
        vp_world_destroy(world);
    return status;
}
