/* SPDX-License-Identifier: MIT */
/* States as bytes (docs/FORMATS.md): a header, the species, runs of equal cells, and the memory of living cells. */
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/core/bytes.h"
#include "src/core/crc32.h"
#include "src/core/error.h"
#include "src/core/memory.h"

enum {
    VERSION = 1,
    HEADER_BYTES = 64,
    SPECIES_BYTES = 4 + VP_SPECIES_NAME_BYTES,
    RUN_BYTES = 4,
    MEMORY_BYTES = 8,
    CRC_BYTES = 4,
    RUN_MOST = (1 << 24) - 1 /* cells */
};

static const uint8_t magic[8] = {0x89, 'V', 'P', 'A', '\r', '\n', 0x1a, '\n'};

static void put_le16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

/* ---- writing ---- */

/* Writes runs of equal bytes in the order of cells. @param out NULL = only counts @return the number of runs */
static uint32_t write_runs(const vp_automaton *a, uint8_t *out)
{
    uint32_t runs = 0, length = 0;
    uint8_t value = 0;
    for (uint32_t y = 0; y < a->size.y; y++)
        for (uint32_t z = 0; z < a->size.z; z++)
            for (uint32_t x = 0; x < a->size.x; x++) {
                const uint8_t byte = a->grid[vp_place(a, x, y, z)];
                if (length > 0 && (byte != value || length == RUN_MOST)) {
                    if (out != NULL)
                        vp_put_le32(out + (size_t)runs * RUN_BYTES, length << 8 | value);
                    runs++;
                    length = 0;
                }
                value = byte;
                length++;
            }
    if (out != NULL)
        vp_put_le32(out + (size_t)runs * RUN_BYTES, length << 8 | value);
    return runs + 1;
}

vp_status vp_automaton_encode(const vp_automaton *a, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, out", a, out);
    VP_RETURN_IF_FAILED(vp_check_rest(a, "a state is written", error));
    const uint32_t runs = write_runs(a, NULL);
    const uint64_t size = HEADER_BYTES + (uint64_t)a->species_count * SPECIES_BYTES + (uint64_t)runs * RUN_BYTES +
                          (uint64_t)a->living.count * MEMORY_BYTES + CRC_BYTES;
    vp_blob blob = {.allocator = vp_allocator_or_default(allocator)};
    blob.size = blob.capacity = (size_t)size;
    blob.bytes = blob.size == size ? vp_allocate_zero(&blob.allocator, blob.capacity, 1) : NULL;
    if (blob.bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a state of %llu bytes", (unsigned long long)size);
    memcpy(blob.bytes, magic, sizeof magic);
    const uint32_t head[] = {VERSION, a->size.x, a->size.y, a->size.z};
    for (size_t i = 0; i < 4; i++)
        vp_put_le32(blob.bytes + 8 + 4 * i, head[i]);
    vp_put_le64(blob.bytes + 24, a->seed);
    vp_put_le64(blob.bytes + 32, a->step);
    vp_put_le64(blob.bytes + 40, size);
    vp_put_le32(blob.bytes + 48, a->species_count);
    vp_put_le32(blob.bytes + 52, runs);
    vp_put_le32(blob.bytes + 56, a->living.count);
    vp_put_le32(blob.bytes + 60, vp_crc32(0, blob.bytes, 60));
    uint8_t *at = blob.bytes + HEADER_BYTES;
    for (int type = 0; type < 128; type++) {
        const vp_automaton_species *s = a->of_type[type];
        if (s == NULL)
            continue;
        at[0] = s->type;
        at[1] = s->strength;
        put_le16(at + 2, s->revision);
        memcpy(at + 4, s->name, strlen(s->name));
        at += SPECIES_BYTES;
    }
    at += (size_t)write_runs(a, at) * RUN_BYTES;
    for (uint32_t i = 0; i < a->living.count; i++, at += MEMORY_BYTES) {
        put_le16(at, a->living.memory[i].tick);
        put_le16(at + 2, a->living.memory[i].generation);
        vp_put_le32(at + 4, a->living.memory[i].resource);
    }
    vp_put_le32(at, vp_crc32(0, blob.bytes + HEADER_BYTES, blob.size - HEADER_BYTES - CRC_BYTES));
    *out = blob;
    return vp_succeed(error);
}

/* ---- reading ---- */

/* A state, found in bytes. */
typedef struct state_contents {
    const uint8_t *bytes;
    vp_dims size;
    uint64_t seed, step;
    uint32_t species, runs, living;
    size_t first_run, first_memory, end;
} state_contents;

static vp_status check_header(const uint8_t *bytes, size_t size, state_contents *out, vp_error *error)
{
    const size_t have = size < sizeof magic ? size : sizeof magic;
    if (have == 0)
        return vp_fail(error, VP_E_FORMAT, "byte 0: the state is empty");
    if (memcmp(bytes, magic, have) != 0)
        return vp_fail(error, VP_E_FORMAT, "byte 0: not a state of an automaton: it does not begin with 89 56 50 41 0d 0a 1a 0a");
    if (size < HEADER_BYTES)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: the state ends within its header of %d bytes", size, HEADER_BYTES);
    const uint32_t version = vp_get_le32(bytes + 8), crc = vp_get_le32(bytes + 60), is = vp_crc32(0, bytes, 60);
    if (version != VERSION)
        return vp_fail(error, VP_E_FORMAT, "byte 8: version %u is unknown; this library reads version %d", version, VERSION);
    if (crc != is)
        return vp_fail(error, VP_E_FORMAT, "byte 60: the header's CRC-32 says %08x and is %08x", crc, is);
    *out = (state_contents){.bytes = bytes,
                            .size = {vp_get_le32(bytes + 12), vp_get_le32(bytes + 16), vp_get_le32(bytes + 20)},
                            .seed = vp_get_le64(bytes + 24),
                            .step = vp_get_le64(bytes + 32),
                            .species = vp_get_le32(bytes + 48),
                            .runs = vp_get_le32(bytes + 52),
                            .living = vp_get_le32(bytes + 56)};
    const vp_dims s = out->size;
    if (s.x == 0 || s.x > VP_AUTOMATON_MAX_EDGE || s.y == 0 || s.y > VP_AUTOMATON_MAX_EDGE || s.z == 0 || s.z > VP_AUTOMATON_MAX_EDGE ||
        (uint64_t)s.x * s.y * s.z > VP_AUTOMATON_MAX_CELLS)
        return vp_fail(error, VP_E_FORMAT, "byte 12: no automaton has %u x %u x %u cells", s.x, s.y, s.z);
    const uint64_t runs_at = HEADER_BYTES + (uint64_t)out->species * SPECIES_BYTES, memory_at = runs_at + (uint64_t)out->runs * RUN_BYTES,
                   end = memory_at + (uint64_t)out->living * MEMORY_BYTES, reported = vp_get_le64(bytes + 40);
    if (reported != end + CRC_BYTES)
        return vp_fail(error, VP_E_FORMAT, "byte 40: the state says %llu bytes, but %u species, %u runs and %u living cells are %llu",
                       (unsigned long long)reported, out->species, out->runs, out->living, (unsigned long long)(end + CRC_BYTES));
    if (reported != size)
        return vp_fail(error, VP_E_FORMAT, "byte 40: the state says %llu bytes, and has %zu", (unsigned long long)reported, size);
    out->first_run = (size_t)runs_at;
    out->first_memory = (size_t)memory_at;
    out->end = (size_t)end;
    return VP_OK;
}

/* Checks one species of a state, which must be a built-in one. @param type of the species before;
   receives this one's */
static vp_status check_species(const state_contents *c, size_t at, const vp_automaton_species *species, uint32_t count, uint8_t *type,
                               vp_error *error)
{
    const uint8_t *record = c->bytes + at;
    char name[VP_SPECIES_NAME_BYTES + 1] = {0};
    memcpy(name, record + 4, VP_SPECIES_NAME_BYTES);
    const size_t length = strlen(name);
    for (size_t i = length; i < VP_SPECIES_NAME_BYTES; i++)
        if (record[4 + i] != 0)
            return vp_fail(error, VP_E_FORMAT, "byte %zu: 0x%02x after the name of a species", at + 4 + i, record[4 + i]);
    const vp_automaton_species *s = vp_automaton_species_named(species, count, name);
    const uint32_t revision = vp_get_le16(record + 2);
    if (s == NULL)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: species \"%.32s\" is unknown", at + 4, name);
    if (s->type != record[0] || s->strength != record[1] || s->revision != revision)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: species \"%s\" has type %u, strength %u, revision %u; here it has %u, %u, %u", at,
                       name, record[0], record[1], revision, s->type, s->strength, s->revision);
    if (s->type <= *type)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: species of type %u comes after one of type %u", at, s->type, *type);
    *type = s->type;
    return VP_OK;
}

/* Checks all runs. Their types must exist, and no run could be longer. */
static vp_status check_runs(const state_contents *c, const uint8_t rule[128], vp_error *error)
{
    const uint64_t cells = (uint64_t)c->size.x * c->size.y * c->size.z;
    uint64_t sum = 0, living = 0;
    uint32_t before = 0; /* no run */
    for (uint32_t i = 0; i < c->runs; i++) {
        const size_t at = c->first_run + (size_t)i * RUN_BYTES;
        const uint32_t run = vp_get_le32(c->bytes + at), length = run >> 8, type = run & 127;
        if (rule[type] == 0 || ((run & VP_CELL_LIVING) != 0 && rule[type] == 1))
            return vp_fail(error, VP_E_FORMAT, "byte %zu: %s cells of type %u are impossible", at,
                           (run & VP_CELL_LIVING) != 0 ? "living" : "dead", type);
        if (length == 0 || length > cells - sum)
            return vp_fail(error, VP_E_FORMAT, "byte %zu: a run of %u cells where %llu are left", at, length,
                           (unsigned long long)(cells - sum));
        if (i > 0 && (before & 255) == (run & 255) && before >> 8 != RUN_MOST)
            return vp_fail(error, VP_E_FORMAT, "byte %zu: the run before it goes on, of 0x%02x", at, run & 255);
        sum += length;
        living += (run & VP_CELL_LIVING) != 0 ? length : 0;
        before = run;
    }
    if (sum != cells)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: runs of %llu cells; must be %llu", c->first_memory, (unsigned long long)sum,
                       (unsigned long long)cells);
    if (living != c->living)
        return vp_fail(error, VP_E_FORMAT, "byte 56: the header has %u living cells, the state %llu", c->living,
                       (unsigned long long)living);
    return VP_OK;
}

static vp_status check_state(const void *bytes, size_t size, const vp_automaton_species *species, uint32_t count, state_contents *out,
                             vp_error *error)
{
    uint8_t rule[128] = {0}, type = 0; /* for each type: 0 does not exist, 1 is dead, 2 may live; empty cells are not a species */
    rule[VP_CELL_EMPTY] = 1;
    VP_RETURN_IF_FAILED(check_header(bytes, size, out, error));
    const uint32_t crc = vp_get_le32(out->bytes + out->end), is = vp_crc32(0, out->bytes + HEADER_BYTES, out->end - HEADER_BYTES);
    if (crc != is)
        return vp_fail(error, VP_E_FORMAT, "byte %zu: the CRC-32 after the header is %08x, computed %08x", out->end, crc, is);
    for (uint32_t i = 0; i < out->species; i++) {
        VP_RETURN_IF_FAILED(check_species(out, HEADER_BYTES + (size_t)i * SPECIES_BYTES, species, count, &type, error));
        for (uint32_t k = 0; k < count; k++)
            if (species[k].type == type)
                rule[type] = species[k].rule != NULL ? 2 : 1;
    }
    return check_runs(out, rule, error);
}

/* Fills an empty automaton, whose list has room. */
static void fill_automaton(vp_automaton *a, const state_contents *c)
{
    const uint8_t *run = c->bytes + c->first_run, *memory = c->bytes + c->first_memory;
    uint32_t left = 0;
    uint8_t byte = 0;
    for (uint32_t y = 0; y < a->size.y; y++)
        for (uint32_t z = 0; z < a->size.z; z++)
            for (uint32_t x = 0; x < a->size.x; x++, left--) {
                const uint32_t place = vp_place(a, x, y, z);
                if (left == 0) {
                    left = vp_get_le32(run) >> 8;
                    byte = run[0];
                    run += RUN_BYTES;
                }
                a->grid[place] = byte;
                if (byte >= VP_CELL_LIVING) {
                    const vp_automaton_cell_memory m = {(uint16_t)vp_get_le16(memory), (uint16_t)vp_get_le16(memory + 2),
                                                        vp_get_le32(memory + 4)};
                    memory += MEMORY_BYTES;
                    a->living.place[a->living.count] = place;
                    a->living.memory[a->living.count++] = m;
                } else if (byte != VP_CELL_EMPTY) {
                    a->dead_sum += vp_cell_digest(a, place, byte, (vp_automaton_cell_memory){0});
                }
            }
}

vp_status vp_automaton_decode(const void *bytes, size_t size, const vp_automaton_def *def, vp_automaton **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    VP_RETURN_IF_ARRAY_NULL(error, bytes, size);
    vp_automaton_def as = *def;
    state_contents c = {0};
    if (as.species == NULL)
        as.species = vp_automaton_species_builtin(&as.species_count);
    VP_RETURN_IF_FAILED(vp_check_species(as.species, as.species_count, error));
    VP_RETURN_IF_FAILED(check_state(bytes, size, as.species, as.species_count, &c, error));
    as.size = c.size;
    as.seed = c.seed;
    vp_automaton *a;
    VP_RETURN_IF_FAILED(vp_automaton_create(&as, &a, error));
    if (c.living > 0 && !vp_reserve_living(&a->allocator, &a->living, c.living)) {
        vp_automaton_destroy(a);
        return vp_fail(error, VP_E_MEMORY, "no memory for %u living cells", c.living);
    }
    a->step = c.step;
    fill_automaton(a, &c);
    *out = a;
    return vp_succeed(error);
}
