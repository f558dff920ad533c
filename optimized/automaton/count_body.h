/* SPDX-License-Identifier: MIT */
/* Count rules on bit planes: a word has a bit for each of 64 cells of a row. The grid is computed in tiles, species after species. For each
 * layer of a tile the neighbours are added up along x, z and y by full adders. Include after the header of an ISA.
 *
 * Layout. The words of a row, then the rows of a layer, with a row more at both ends of z. A tile's three layers stay in the cache.
 *
 * Instructions. A byte compare and its mask make a plane of cells (AVX-512 into a mask register, AVX2 by vpmovmskb, NEON and WebAssembly
 * see m8x64_movemask). The majority of a full adder is u64n_bitselect: vpternlogq, NEON's bsl, v128.bitselect, and three operations on
 * AVX2. A set of counts is an XOR of comparisons with the counts at which membership changes, so common rules need two or three.
 * Changed cells are flipped by a XOR under a mask of bytes.
 *
 * Kept planes (vp_count_job.planes). Words are copied instead of made. Layers and rows of a tile without a touched cell in or around them
 * are skipped: their cells stay, and `out` has them already, because `out` and `cell` differ in touched cells only. */
#ifndef VP_OPTIMIZED_AUTOMATON_COUNT_BODY_H
#define VP_OPTIMIZED_AUTOMATON_COUNT_BODY_H

#include <voxphys/kernel/automaton.h>

#include <string.h>

#include "optimized/simd/native.h"
#include "src/automaton/count_planes.h"

enum {
    TILE_WORDS = 256, /* of a layer, with a row more at both ends of z */
    TILE_LAYERS = 12,
    TILE_ROW = 16, /* words of a row, if a grid's rows are longer than TILE_ROW_MAX */
    TILE_ROW_MAX = 20,
    LAYER_WORDS = TILE_WORDS + 2 * F64N
};

/* Cells that are computed together. A row of it has `row` words: perhaps one of the row before, `words` of its own, perhaps one after. */
typedef struct count_tile {
    uint32_t word, words, lead, row;
    uint32_t z, rows;
    uint32_t y, layers;
} count_tile;

/* A layer of a tile and a species. Words after the last one may be written. */
typedef struct count_layer {
    uint64_t plane[F64N + LAYER_WORDS]; /* from F64N on. The words before are 0 */
    uint64_t sum[4][LAYER_WORDS];       /* numbers of cells among 3 along x and 3 along z, from 0 to 9 */
    bool is_empty;
} count_layer;

typedef struct count_planes {
    count_layer layer[3];
    uint64_t pair[2][LAYER_WORDS]; /* numbers of cells among 3 along x */
    uint64_t changed[LAYER_WORDS];
    uint64_t unborn[TILE_LAYERS][LAYER_WORDS]; /* empty cells in which no lower species was born */
} count_planes;

/* A set of numbers from 0 to 27, by the numbers from which on membership changes. */
typedef struct count_ranges {
    uint64_t zero; /* all bits, if 0 is in the set */
    uint32_t changes;
    uint8_t at[28];
} count_ranges;

/* The ranges of a set whose bit n is member n. Numbers above 27 do not occur. */
static count_ranges find_ranges(uint32_t set)
{
    count_ranges r = {.zero = (set & 1u) != 0 ? UINT64_MAX : 0};
    for (uint32_t n = 1; n <= 27; n++)
        if (((set >> n ^ set >> (n - 1)) & 1u) != 0)
            r.at[r.changes++] = (uint8_t)n;
    return r;
}

static uint32_t min_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Words of a kept plane. */
static size_t plane_words(const vp_count_job *job)
{
    return (size_t)job->size.y * job->size.z * job->planes->pitch;
}

/* Whether a tile's rows follow each other in kept planes as in the tile. */
static bool is_contiguous(const vp_count_job *job, const count_tile *t)
{
    return t->lead == 0 && t->row == job->planes->pitch;
}

static const uint8_t *row_at(const uint8_t *cell, vp_dims size, uint32_t y, uint32_t z)
{
    return cell + ((size_t)y * size.z + z) * size.x;
}

/* The bits of the cells of a word that equal `value`. Reads no cell of another row. */
VP_INLINE uint64_t find_equal(const uint8_t *row, uint32_t x, uint32_t size_x, u8x64 value)
{
    const uint32_t rest = size_x - x;
    if (rest >= 64)
        return m8x64_movemask(u8x64_cmp_eq(u8x64_load(row + x), value));
    if (size_x >= 64)
        return m8x64_movemask(u8x64_cmp_eq(u8x64_load(row + size_x - 64), value)) >> (64 - rest);
    uint8_t some[64] = {0};
    memcpy(some, row, rest);
    return m8x64_movemask(u8x64_cmp_eq(u8x64_load(some), value)) & (UINT64_MAX >> (64 - rest));
}

/* Changes the cells of the set bits from empty to a species or back. */
VP_INLINE void flip_cells(uint8_t *row, uint32_t x, uint32_t size_x, uint64_t bits, u8x64 value)
{
    const uint32_t rest = size_x - x;
    uint8_t some[64], *at = some;
    if (rest >= 64) {
        at = row + x;
    } else if (size_x >= 64) {
        at = row + size_x - 64;
        bits <<= 64 - rest;
    } else {
        memset(some, 0, sizeof some);
        memcpy(some, row, rest);
    }
    u8x64_store(at, u8x64_xor(u8x64_load(at), u8x64_maskz(m8x64_of_bits(bits), value)));
    if (at == some)
        memcpy(row, some, rest);
}

/* Copies a tile's rows of a kept plane, with neighbouring cells. @return whether any cell is set */
static bool copy_plane(const vp_count_job *job, const count_tile *t, uint32_t y, const uint64_t *plane, uint64_t *to)
{
    const size_t pitch = job->planes->pitch;
    const uint32_t words = (job->size.x + 63) / 64, count = (t->rows + 2) * t->row;
    const uint32_t first = t->z > 0 ? 0 : 1, end = y < job->size.y ? min_of(t->rows + 2, job->size.z - t->z + 1) : first;
    const uint32_t lead = t->word > 0 ? 0 : t->lead, after = min_of(t->row, words - t->word + t->lead);
    const size_t row = (size_t)y * job->size.z + t->z + first - 1;
    if (is_contiguous(job, t)) {
        memset(to, 0, first * t->row * sizeof *to);
        memcpy(to + first * t->row, plane + (end > first ? row * pitch : 0), (end - first) * pitch * sizeof *to);
        memset(to + end * t->row, 0, (count + F64N - end * t->row) * sizeof *to);
    } else {
        memset(to, 0, (count + F64N) * sizeof *to);
        for (uint32_t k = first; k < end; k++)
            memcpy(to + k * t->row + lead, plane + (row + k - first) * pitch + t->word + lead - t->lead, (after - lead) * sizeof *to);
    }
    u64n any = u64n_set1(0);
    for (uint32_t i = 0; i < count; i += F64N)
        any = u64n_or(any, u64n_load(to + i));
    return u64n_any(any);
}

/* The plane of the cells that equal `value`, with neighbouring cells of a tile. @return whether there are any */
static bool load_plane(const vp_count_job *job, const count_tile *t, uint32_t y, uint8_t value, uint64_t *to)
{
    const u8x64 equal = u8x64_set1(value);
    const uint32_t words = (job->size.x + 63) / 64;
    uint64_t any = 0;
    if (job->planes != NULL)
        return copy_plane(job, t, y, job->planes->cell + value * plane_words(job), to);
    for (uint32_t k = 0; k < t->rows + 2; k++, to += t->row) {
        const uint32_t z = t->z + k - 1; /* wraps around below 0 */
        if (y >= job->size.y || z >= job->size.z) {
            memset(to, 0, t->row * sizeof *to);
            continue;
        }
        const uint8_t *row = row_at(job->cell, job->size, y, z);
        for (uint32_t i = 0; i < t->row; i++) {
            const uint32_t word = t->word + i - t->lead;
            to[i] = word < words ? find_equal(row, word * 64, job->size.x, equal) : 0;
            any |= to[i];
        }
    }
    memset(to, 0, F64N * sizeof *to);
    return any != 0;
}

typedef struct bits2 {
    u64n low, high;
} bits2;

VP_INLINE bits2 add3(u64n a, u64n b, u64n c)
{
    const u64n x = u64n_xor(a, b);
    return (bits2){u64n_xor(x, c), u64n_bitselect(x, c, b)};
}

/* Numbers of cells among the 3 along x, then among 3 such sums along z. */
static void add_layer(const count_tile *t, count_layer *layer, uint64_t pair[2][LAYER_WORDS])
{
    const uint32_t end = (t->rows + 2) * t->row;
    for (uint32_t i = 0; i < end; i += F64N) {
        const uint64_t *at = layer->plane + F64N + i;
        if (t->row == 1) { /* a word has no neighbour */
            const u64n row = u64n_load(at);
            const bits2 s = add3(u64n_shl(row, 1), row, u64n_shr(row, 1));
            u64n_store(pair[0] + i, s.low);
            u64n_store(pair[1] + i, s.high);
            continue;
        }
        const u64n left = u64n_load(at - 1), mid = u64n_load(at), right = u64n_load(at + 1);
        const bits2 s = add3(u64n_or(u64n_shl(mid, 1), u64n_shr(left, 63)), mid, u64n_or(u64n_shr(mid, 1), u64n_shl(right, 63)));
        u64n_store(pair[0] + i, s.low);
        u64n_store(pair[1] + i, s.high);
    }
    for (uint32_t i = t->row; i < end - t->row; i += F64N) {
        const uint64_t *a = pair[0] + i, *b = pair[1] + i;
        const bits2 ones = add3(u64n_load(a - t->row), u64n_load(a), u64n_load(a + t->row));
        const bits2 twos = add3(u64n_load(b - t->row), u64n_load(b), u64n_load(b + t->row));
        const u64n carry = u64n_and(twos.low, ones.high);
        u64n_store(layer->sum[0] + i, ones.low);
        u64n_store(layer->sum[1] + i, u64n_xor(twos.low, ones.high));
        u64n_store(layer->sum[2] + i, u64n_xor(twos.high, carry));
        u64n_store(layer->sum[3] + i, u64n_and(twos.high, carry));
    }
}

/* Bits of the numbers that are at least n, from 1 to 31. */
VP_INLINE u64n is_at_least(const u64n number[5], uint32_t n)
{
    u64n bits = u64n_set1(UINT64_MAX);
    bits = (n & 1u) != 0 ? number[0] : bits;
    bits = (n & 2u) != 0 ? u64n_and(number[1], bits) : u64n_or(number[1], bits);
    bits = (n & 4u) != 0 ? u64n_and(number[2], bits) : u64n_or(number[2], bits);
    bits = (n & 8u) != 0 ? u64n_and(number[3], bits) : u64n_or(number[3], bits);
    return (n & 16u) != 0 ? u64n_and(number[4], bits) : u64n_or(number[4], bits);
}

VP_INLINE u64n is_in(const count_ranges *set, const u64n number[5])
{
    u64n bits = u64n_set1(set->zero);
    for (uint32_t i = 0; i < set->changes; i++)
        bits = u64n_xor(bits, is_at_least(number, set->at[i]));
    return bits;
}

/* Finds the cells of a layer that die or are born. `number` counts the cell itself too.
 * @return whether there are any */
static bool find_changes(const count_tile *t, const count_layer *below, const count_layer *mid, const count_layer *above,
                         const count_ranges *die, const count_ranges *born, uint64_t *unborn, uint64_t *changed)
{
    u64n any = u64n_set1(0);
    for (uint32_t i = t->row; i < (t->rows + 1) * t->row; i += F64N) {
        bits2 s[4];
        for (int k = 0; k < 4; k++)
            s[k] = add3(u64n_load(below->sum[k] + i), u64n_load(mid->sum[k] + i), u64n_load(above->sum[k] + i));
        const u64n two = u64n_and(s[1].low, s[0].high);
        const bits2 four = add3(s[2].low, s[1].high, two), eight = add3(s[3].low, s[2].high, four.high);
        const u64n number[5] = {s[0].low, u64n_xor(s[1].low, s[0].high), four.low, eight.low, u64n_or(s[3].high, eight.high)};
        const u64n empty = u64n_load(unborn + i), newborn = u64n_and(empty, is_in(born, number));
        const u64n change = u64n_or(newborn, u64n_and(u64n_load(mid->plane + F64N + i), is_in(die, number)));
        u64n_store(unborn + i, u64n_xor(empty, newborn));
        u64n_store(changed + i, change);
        any = u64n_or(any, change);
    }
    return u64n_any(any);
}

static void write_changes(const vp_count_job *job, const count_tile *t, uint32_t y, const uint64_t *changed, uint8_t species)
{
    const u8x64 value = u8x64_set1(species);
    for (uint32_t k = 0; k < t->rows; k++) {
        uint8_t *row = job->out + ((size_t)y * job->size.z + t->z + k) * job->size.x;
        const uint64_t *bits = changed + (k + 1) * t->row + t->lead;
        for (uint32_t i = 0; i < t->words; i++)
            if (bits[i] != 0)
                flip_cells(row, (t->word + i) * 64, job->size.x, bits[i], value);
    }
}

/* Writes a species' plane of a tile's layer, and adds the changes to the cells that changed. `flip` = NULL for none. */
static void store_plane(const vp_count_job *job, const count_tile *t, uint32_t y, uint32_t species, const uint64_t *plane,
                        const uint64_t *flip)
{
    const vp_count_planes *p = job->planes;
    const bool at_once = is_contiguous(job, t);
    const uint32_t count = at_once ? t->rows * t->row : t->words;
    for (uint32_t k = 0; k < (at_once ? 1 : t->rows); k++) {
        const size_t at = ((size_t)y * job->size.z + t->z + k) * p->pitch + t->word, from = (k + 1) * t->row + t->lead;
        uint64_t *out = p->out + species * plane_words(job) + at, *changed = p->changed + at;
        if (flip == NULL)
            memcpy(out, plane + from, count * sizeof *out);
        for (uint32_t i = 0; flip != NULL && i < count; i++) {
            out[i] = plane[from + i] ^ flip[from + i];
            changed[i] |= flip[from + i];
        }
    }
}

/* Writes the plane of empty cells of a tile's layer, or clears its changes. Each change begins or ends an empty cell. */
static void store_empty(const vp_count_job *job, const count_tile *t, uint32_t y, bool clear)
{
    const vp_count_planes *p = job->planes;
    const bool at_once = is_contiguous(job, t);
    const uint32_t count = at_once ? t->rows * t->row : t->words;
    for (uint32_t k = 0; k < (at_once ? 1 : t->rows); k++) {
        const size_t at = ((size_t)y * job->size.z + t->z + k) * p->pitch + t->word;
        if (clear)
            memset(p->changed + at, 0, count * sizeof *p->changed);
        for (uint32_t i = 0; !clear && i < count; i++)
            p->out[at + i] = p->cell[at + i] ^ p->changed[at + i];
    }
}

/* Reduces a tile to the layers and rows that have a touched cell in or around them. Other cells stay. @return whether there are any */
static bool trim_tile(const vp_count_job *job, count_tile *t, uint64_t *touched)
{
    uint32_t first_layer = UINT32_MAX, last_layer = 0, first_row = UINT32_MAX, last_row = 0;
    for (uint32_t k = 0; k < t->layers + 2; k++) { /* y wraps around below 0 */
        const bool any = copy_plane(job, t, t->y + k - 1, job->planes->touched, touched);
        for (uint32_t i = 0; any && i < (t->rows + 2) * t->row; i++)
            if (touched[i] != 0) {
                first_layer = min_of(first_layer, k);
                first_row = min_of(first_row, i / t->row);
                last_layer = k;
                last_row = i / t->row > last_row ? i / t->row : last_row;
            }
    }
    if (first_layer == UINT32_MAX)
        return false;
    first_layer = first_layer > 2 ? first_layer - 2 : 0; /* layer and row 0 are those before the tile */
    first_row = first_row > 2 ? first_row - 2 : 0;
    t->layers = min_of(last_layer + 1, t->layers) - first_layer;
    t->rows = min_of(last_row + 1, t->rows) - first_row;
    t->y += first_layer;
    t->z += first_row;
    return true;
}

static void load_layer(const vp_count_job *job, const count_tile *t, uint32_t y, uint8_t species, count_planes *p, count_layer *to)
{
    const bool was_empty = to->is_empty;
    to->is_empty = !load_plane(job, t, y, species, to->plane + F64N);
    if (!to->is_empty)
        add_layer(t, to, p->pair);
    else if (!was_empty)
        memset(to->sum, 0, sizeof to->sum);
}

static void count_in_tile(const vp_count_job *job, count_tile tile, count_planes *p)
{
    count_tile *t = &tile;
    for (uint32_t k = 0; job->planes != NULL && k < t->layers; k++)
        store_empty(job, t, t->y + k, true);
    if (job->planes != NULL && !trim_tile(job, t, p->changed))
        return;
    for (uint32_t k = 0; k < t->layers; k++)
        load_plane(job, t, t->y + k, 0, p->unborn[k]);
    for (uint32_t s = 1; s <= job->species; s++) {
        const vp_count_sets *rule = &job->rules[s - 1];
        const uint32_t survive = rule->survive << 1 | (rule->survive & 1u); /* a number counts the cell itself */
        const count_ranges die = find_ranges(~survive), born = find_ranges(rule->born | (rule->born << 1 & 1u << 27));
        count_layer *below = &p->layer[0], *mid = &p->layer[1], *above = &p->layer[2];
        load_layer(job, t, t->y - 1, (uint8_t)s, p, below); /* wraps around below 0 */
        load_layer(job, t, t->y, (uint8_t)s, p, mid);
        for (uint32_t k = 0; k < t->layers; k++) {
            load_layer(job, t, t->y + k + 1, (uint8_t)s, p, above);
            const bool is_idle = below->is_empty && mid->is_empty && above->is_empty && born.zero == 0;
            const bool any = !is_idle && find_changes(t, below, mid, above, &die, &born, p->unborn[k], p->changed);
            if (job->planes != NULL)
                store_plane(job, t, t->y + k, s, mid->plane + F64N, any ? p->changed : NULL);
            else if (any)
                write_changes(job, t, t->y + k, p->changed, (uint8_t)s);
            count_layer *next = below;
            below = mid;
            mid = above;
            above = next;
        }
    }
    for (uint32_t k = 0; job->planes != NULL && k < t->layers; k++)
        store_empty(job, t, t->y + k, false);
}

VP_INLINE void count_rule(const vp_count_job *job)
{
    const vp_dims size = job->size;
    const uint32_t first = job->first_layer, layers = job->layer_count > 0 ? job->layer_count : size.y - first;
    const uint32_t words = (size.x + 63) / 64, most = words > TILE_ROW_MAX ? TILE_ROW : words;
    const size_t layer = (size_t)size.x * size.z;
    count_planes p;
    memset(&p, 0, sizeof p);
    for (int k = 0; k < 3; k++)
        p.layer[k].is_empty = true;
    if (job->planes == NULL)
        memcpy(job->out + first * layer, job->cell + first * layer, layers * layer);
    count_tile t = {.y = first};
    for (; t.y < first + layers; t.y += t.layers) {
        t.layers = min_of(TILE_LAYERS, first + layers - t.y);
        for (t.word = 0; t.word < words; t.word += t.words) {
            t.words = min_of(most, words - t.word);
            /* a row's last bit must not become a neighbour of the next row's first one, which add_layer knows of rows of a word */
            t.lead = most < words ? 1 : 0;
            t.row = t.lead + t.words + (t.lead > 0 || (size.x % 64 == 0 && words > 1) ? 1 : 0);
            for (t.z = 0; t.z < size.z; t.z += t.rows) {
                t.rows = min_of(TILE_WORDS / t.row - 2, size.z - t.z);
                count_in_tile(job, t, &p);
            }
        }
    }
}

#endif
