/* SPDX-License-Identifier: MIT */
/* The cubic planet of the article "Les bases d'un voxel engine" ("Un peu de contexte"), after the public source of its
 * program. It is a cube with a shaft and platforms. Landscapes, each a Perlin noise of two axes, carve its six sides. A
 * block is a function of its position only, so chunks are filled in any order and by any thread.
 *
 * Noise: K. Perlin, "Improving noise", 2002, with permutations drawn by the Mersenne Twister (Matsumoto and Nishimura,
 * 1998). */
#include <voxphys/blocks.h>

#include "src/core/error.h"

#include <math.h>
#include <string.h>

enum {
    EMPTY_ABOVE = 30, /* blocks from the cube to its highest landscape's zero */
    GRASS_DEPTH = 6,
    DIRT_DEPTH = 18,
    SHAFT = 2,    /* |x| and |z| in the shaft */
    PLATFORM = 7, /* distance from its middle to its edge */
    PLATFORMS = 4,
    HEADROOM = 10, /* layers of a platform that are emptied, its floor included */
    CHUNKS_MIN = 3,
    CHUNKS_MAX = 65
};

/* A side, with its upward axis and direction. */
typedef struct planet_side {
    int axis, sign;
} planet_side;

/* In the order of vp_block_planet.noise. */
static const planet_side sides[6] = {{2, 1}, {1, -1}, {2, -1}, {0, -1}, {0, 1}, {1, 1}};
/* The order of a block's sides has no effect, because they only remove blocks. */

/* ---- permutations ---- */

enum { WORDS = 624, SHIFT = 397 };
typedef struct twister {
    uint32_t word[WORDS];
    int next;
} twister;

static void seed_twister(twister *t, uint32_t seed)
{
    t->word[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++)
        t->word[i] = 1812433253u * (t->word[i - 1] ^ t->word[i - 1] >> 30) + i;
    t->next = WORDS;
}

static uint32_t draw_number(twister *t)
{
    if (t->next == WORDS) {
        for (int i = 0; i < WORDS; i++) {
            const uint32_t y = (t->word[i] & 0x80000000u) | (t->word[(i + 1) % WORDS] & 0x7fffffffu);
            t->word[i] = t->word[(i + SHIFT) % WORDS] ^ y >> 1 ^ ((y & 1u) != 0 ? 0x9908b0dfu : 0u);
        }
        t->next = 0;
    }
    uint32_t y = t->word[t->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

static void fill_permutation(uint32_t seed, uint8_t p[256])
{
    twister t;
    seed_twister(&t, seed);
    for (int i = 0; i < 256; i++)
        p[i] = (uint8_t)i;
    for (uint32_t i = 1; i < 256; i++) {
        const uint32_t j = draw_number(&t) % (i + 1);
        const uint8_t other = p[i];
        p[i] = p[j];
        p[j] = other;
    }
}

/* ---- noise ---- */

static double fade(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

static double gradient(uint8_t hash, double x, double y, double z)
{
    const uint32_t h = hash & 15u;
    const double u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return ((h & 1u) != 0 ? -u : u) + ((h & 2u) != 0 ? -v : v);
}

static double noise(const uint8_t p[256], double x, double y, double z)
{
    const double fx = floor(x), fy = floor(y), fz = floor(z);
    const int ix = (int)fx & 255, iy = (int)fy & 255, iz = (int)fz & 255;
    uint8_t of[8]; /* hashes of the corners: bit 0 x, bit 1 y, bit 2 z */
    for (int k = 0; k < 8; k++) {
        const int a = (p[(ix + (k & 1)) & 255] + iy) & 255;
        const int b = (p[(a + (k >> 1 & 1)) & 255] + iz) & 255;
        of[k] = p[(b + (k >> 2)) & 255];
    }
    x -= fx;
    y -= fy;
    z -= fz;
    double at[8];
    for (int k = 0; k < 8; k++)
        at[k] = gradient(of[k], x - (k & 1), y - (k >> 1 & 1), z - (k >> 2));
    const double u = fade(x), v = fade(y), w = fade(z);
    return mix(mix(mix(at[0], at[1], u), mix(at[2], at[3], u), v), mix(mix(at[4], at[5], u), mix(at[6], at[7], u), v), w);
}

/* ---- the planet ---- */

/* The distance from the middle to the cube's side, without the empty blocks above it. */
static int32_t half_of(const vp_block_planet *p)
{
    return (int32_t)((p->def.chunks + 1) / 2 * VP_BLOCK_EDGE);
}

/* Thickness of the layer that a landscape removes, counted from half_of. Four octaves, each half as high. */
static int32_t landscape_depth(const vp_block_planet *p, int s, int32_t u, int32_t v)
{
    const double scale = (double)0.02f;
    const int32_t half = half_of(p);
    double x = u * scale, y = v * scale, sum = 0, height = 1;
    for (int octave = 0; octave < 4; octave++) {
        sum += noise(p->noise[s], x, y, 0.34567) * height;
        x *= 2;
        y *= 2;
        height *= 0.5;
    }
    const double share = (sum / (1 + 0.5 + 0.25 + 0.125)) * 0.5 + 0.5;
    double t = share * 1.5 * (half / 2 - EMPTY_ABOVE) + EMPTY_ABOVE;
    t = t > half / 2 ? half / 2 : t;
    const int32_t whole = (int32_t)t; /* t is above 0 */
    return t - whole >= 0.5 ? whole + 1 : whole;
}

/* The other two axes, the lower first. */
static void find_other_axes(int axis, int *u, int *v)
{
    *u = axis == 0 ? 1 : 0;
    *v = axis == 2 ? 1 : 2;
}

/* The lowest block, up the axis, that a landscape removes. */
static int32_t find_sky(const vp_block_planet *p, int s, int32_t u, int32_t v)
{
    return half_of(p) + 2 - landscape_depth(p, s, u, v);
}

/* 32 mixed bits of a position. */
static uint32_t position_hash(const vp_block_planet *p, const int32_t at[3])
{
    uint64_t h = p->def.seed * UINT64_C(0x9e3779b97f4a7c15);
    for (int a = 0; a < 3; a++) {
        h ^= (uint32_t)at[a];
        h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    }
    return (uint32_t)(h >> 32);
}

/* Where two noises are near 0 at once, the result is tubes that wind through the cube. */
static bool is_cave(const vp_block_planet *p, const int32_t at[3])
{
    const double scale = 0.03125, x = at[0] * scale, y = at[1] * scale, z = at[2] * scale;
    const double a = noise(p->noise[0], x, y, z);
    if (a * a >= 0.01)
        return false;
    const double b = noise(p->noise[1], x, y, z);
    return a * a + b * b < 0.01;
}

/* The cube with its layers, its shaft and its caves, before carving. */
static vp_block block_in_cube(const vp_block_planet *p, const int32_t at[3])
{
    int32_t m = 0;
    for (int a = 0; a < 3; a++) {
        const int32_t d = at[a] < 0 ? -at[a] : at[a];
        m = d > m ? d : m;
    }
    const int32_t depth = half_of(p) - EMPTY_ABOVE - m;
    if (depth < 0 || (at[0] >= -SHAFT && at[0] <= SHAFT && at[2] >= -SHAFT && at[2] <= SHAFT))
        return VP_BLOCK_NOTHING;
    if (p->def.caves && is_cave(p, at))
        return VP_BLOCK_NOTHING;
    if (depth <= GRASS_DEPTH)
        return VP_BLOCK_GRASS;
    if (depth <= DIRT_DEPTH)
        return VP_BLOCK_DIRT;
    return position_hash(p, at) % 10 != 0 ? VP_BLOCK_STONE : VP_BLOCK_MOSSY_STONE;
}

/* ---- platforms ---- */

/* A floor of 15 x 15 with free space above it. Feet at its corners go down until all four stand on a block, with a
 * frame around every third layer. */
typedef struct platform {
    planet_side up;
    int32_t centre[3]; /* of the floor, on the planet of 5 chunks */
} platform;

static const platform platforms[PLATFORMS] = {
    {{0, 1}, {65, -18, -39}}, {{2, 1}, {-34, 2, 53}}, {{2, -1}, {22, -35, -59}}, {{1, -1}, {23, -62, 26}}};

/* A block's layer relative to a platform, upwards, and its position on that layer. */
typedef struct platform_place {
    int32_t up, u, v;
} platform_place;

static platform_place place_on(const vp_block_planet *p, const platform *f, const int32_t at[3])
{
    int u, v;
    find_other_axes(f->up.axis, &u, &v);
    const int32_t higher = half_of(p) - 96; /* difference to the height on 5 chunks */
    const int32_t up = (at[f->up.axis] - f->centre[f->up.axis]) * f->up.sign - higher;
    return (platform_place){up, at[u] - f->centre[u], at[v] - f->centre[v]};
}

static bool is_edge(int32_t d)
{
    return d == -PLATFORM || d == PLATFORM;
}

/* The block after a platform of that many layers was built over `block`. */
static vp_block add_platform(platform_place at, uint32_t layers, vp_block block)
{
    if (at.u < -PLATFORM || at.u > PLATFORM || at.v < -PLATFORM || at.v > PLATFORM || at.up >= HEADROOM || at.up < -(int32_t)layers)
        return block;
    if (at.up >= 0)
        return at.up == 0 ? VP_BLOCK_PLANKS : VP_BLOCK_NOTHING;
    if (at.up % 3 == 0)
        return is_edge(at.u) || is_edge(at.v) ? VP_BLOCK_STEEL : block;
    return is_edge(at.u) && is_edge(at.v) && block == VP_BLOCK_NOTHING ? VP_BLOCK_STEEL : block;
}

/* A block of the planet, with the first `count` platforms. */
static vp_block block_of(const vp_block_planet *p, uint32_t count, const int32_t at[3])
{
    vp_block block = block_in_cube(p, at);
    for (int s = 0; s < 6 && block != VP_BLOCK_NOTHING; s++) {
        int u, v;
        find_other_axes(sides[s].axis, &u, &v);
        const int32_t up = at[sides[s].axis] * sides[s].sign;
        if (up >= half_of(p) / 2 && up >= find_sky(p, s, at[u], at[v]))
            block = VP_BLOCK_NOTHING;
    }
    for (uint32_t f = 0; f < count; f++)
        block = add_platform(place_on(p, &platforms[f], at), p->layers[f], block);
    return block;
}

/* Whether a block is in the planet's world. */
static bool is_inside(const vp_block_planet *p, const int32_t at[3])
{
    const int32_t half = (int32_t)p->def.chunks * VP_BLOCK_EDGE / 2;
    for (int a = 0; a < 3; a++)
        if (at[a] < -half || at[a] >= half)
            return false;
    return true;
}

/* The number of layers below a platform, on the planet with the platforms before it. */
static uint32_t count_layers(const vp_block_planet *p, uint32_t f)
{
    const platform *of = &platforms[f];
    const int32_t higher = half_of(p) - 96;
    int u, v;
    find_other_axes(of->up.axis, &u, &v);
    for (uint32_t down = 1;; down++) {
        bool stands = true;
        for (int k = 0; k < 4; k++) {
            int32_t at[3];
            at[of->up.axis] = of->centre[of->up.axis] + (higher - (int32_t)down) * of->up.sign;
            at[u] = of->centre[u] + ((k & 1) != 0 ? PLATFORM : -PLATFORM);
            at[v] = of->centre[v] + (k >> 1 != 0 ? PLATFORM : -PLATFORM);
            stands &= !is_inside(p, at) || (down % 3 != 0 && block_of(p, f, at) != VP_BLOCK_NOTHING);
        }
        if (stands)
            return down - 1;
    }
}

/* ---- the public functions ---- */

vp_status vp_block_planet_init(const vp_block_planet_def *def, vp_block_planet *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    if (def->chunks < CHUNKS_MIN || def->chunks > CHUNKS_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_planet_def.chunks is %u; must be %d to %d", def->chunks, CHUNKS_MIN, CHUNKS_MAX);
    vp_block_planet p = {.def = *def};
    const int32_t low = -(int32_t)(def->chunks / 2), middle = low * VP_BLOCK_EDGE + (int32_t)def->chunks * VP_BLOCK_EDGE / 2;
    p.low = (vp_ivec3){low, low, low};
    p.centre = (vp_ivec3){middle, middle, middle};
    for (uint32_t s = 0; s < 6; s++)
        fill_permutation(def->seed + s, p.noise[s]);
    for (uint32_t f = 0; def->platforms && f < PLATFORMS; f++)
        p.layers[f] = count_layers(&p, f);
    *out = p;
    return vp_succeed(error);
}

/* Fills the box of the chunk without landscapes. */
static void fill_cube(const vp_block_planet *p, const int32_t low[3], vp_block *cell)
{
    for (int32_t y = 0; y < VP_BLOCK_EDGE; y++)
        for (int32_t z = 0; z < VP_BLOCK_EDGE; z++)
            for (int32_t x = 0; x < VP_BLOCK_EDGE; x++)
                *cell++ = block_in_cube(p, (int32_t[3]){low[0] + x, low[1] + y, low[2] + z});
}

static void carve_landscape(const vp_block_planet *p, int s, const int32_t low[3], vp_block *cell)
{
    static const int32_t stride[3] = {1, VP_BLOCK_EDGE * VP_BLOCK_EDGE, VP_BLOCK_EDGE};
    const int axis = sides[s].axis, way = sides[s].sign;
    const int32_t highest = way > 0 ? low[axis] + VP_BLOCK_EDGE - 1 : -low[axis];
    int ua, va;
    find_other_axes(axis, &ua, &va);
    if (highest < half_of(p) / 2) /* below all landscapes */
        return;
    for (int32_t v = 0; v < VP_BLOCK_EDGE; v++)
        for (int32_t u = 0; u < VP_BLOCK_EDGE; u++) {
            const int32_t from = find_sky(p, s, low[ua] + u, low[va] + v);
            for (int32_t up = highest; up >= from && up > highest - VP_BLOCK_EDGE; up--)
                cell[u * stride[ua] + v * stride[va] + (up * way - low[axis]) * stride[axis]] = VP_BLOCK_NOTHING;
        }
}

static void build_platform(const vp_block_planet *p, uint32_t f, const int32_t low[3], vp_block *cell)
{
    for (int32_t y = 0; y < VP_BLOCK_EDGE; y++)
        for (int32_t z = 0; z < VP_BLOCK_EDGE; z++)
            for (int32_t x = 0; x < VP_BLOCK_EDGE; x++, cell++)
                *cell = add_platform(place_on(p, &platforms[f], (int32_t[3]){low[0] + x, low[1] + y, low[2] + z}), p->layers[f], *cell);
}

void vp_block_planet_fill(const void *planet, vp_ivec3 chunk, vp_block *cell)
{
    const vp_block_planet *p = planet;
    const int32_t chunks = (int32_t)p->def.chunks;
    const bool inside = chunk.x >= p->low.x && chunk.x < p->low.x + chunks && chunk.y >= p->low.y && chunk.y < p->low.y + chunks &&
                        chunk.z >= p->low.z && chunk.z < p->low.z + chunks;
    if (!inside) {
        memset(cell, 0, VP_BLOCK_CELLS * sizeof *cell);
        return;
    }
    const int32_t low[3] = {chunk.x * VP_BLOCK_EDGE - p->centre.x, chunk.y * VP_BLOCK_EDGE - p->centre.y,
                            chunk.z * VP_BLOCK_EDGE - p->centre.z};
    fill_cube(p, low, cell);
    for (int s = 0; s < 6; s++)
        carve_landscape(p, s, low, cell);
    for (uint32_t f = 0; p->def.platforms && f < PLATFORMS; f++)
        build_platform(p, f, low, cell);
}

/* ---- types ---- */

const vp_block_type *vp_block_types_default(uint32_t *count)
{
    enum { SOLID = VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE };
    static const vp_block_type types[] = {[VP_BLOCK_NOTHING] = {0, 0},          [VP_BLOCK_GRASS] = {SOLID, 0x5d9b3f},
                                          [VP_BLOCK_DIRT] = {SOLID, 0x7a5636},  [VP_BLOCK_WATER] = {VP_BLOCK_FLUID, 0x3f76e4},
                                          [VP_BLOCK_STONE] = {SOLID, 0x7d7d7d}, [VP_BLOCK_MOSSY_STONE] = {SOLID, 0x68785f},
                                          [VP_BLOCK_SAND] = {SOLID, 0xd9cf9b},  [VP_BLOCK_GLASS] = {VP_BLOCK_COLLIDES, 0xc8e6f0},
                                          [VP_BLOCK_STEEL] = {SOLID, 0x9aa4ad}, [VP_BLOCK_PLANKS] = {SOLID, 0xa8824e}};
    *count = sizeof types / sizeof types[0];
    return types;
}
