/* SPDX-License-Identifier: MIT */
#include "cases/case.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "datasets/hash.h"
#include "src/core/bytes.h"

bool vp_case_takes(const vp_case *c, const vp_data *data, uint32_t variant)
{
    return data->kind == c->kind && (c->takes == NULL || c->takes(data, variant));
}

uint32_t vp_case_variants(const vp_case *c)
{
    uint32_t count = 0;
    while (c->variant != NULL && c->variant[count] != NULL)
        count++;
    return count == 0 ? 1 : count;
}

const char *vp_case_variant(const vp_case *c, uint32_t variant)
{
    return c->variant == NULL || c->variant[variant][0] == '\0' ? NULL : c->variant[variant];
}

const char *vp_case_way(const vp_case *c, uint32_t variant)
{
    return variant == 0 || c->questions ? "" : vp_case_variant(c, variant);
}

const char *vp_case_question(const vp_case *c, uint32_t variant)
{
    const char *name = c->questions ? vp_case_variant(c, variant) : NULL;
    return name != NULL ? name : "";
}

/* ---- records ---- */

/* A hash of everything, and a hash of the current record. */
struct vp_record_state {
    XXH3_state_t all;
    uint64_t open;
};

void vp_count(vp_counters *counters, const char *name, double value)
{
    if (counters->count == sizeof counters->counter / sizeof counters->counter[0])
        abort();
    counters->counter[counters->count].name = name;
    counters->counter[counters->count++].value = value;
}

static struct vp_record_state *state_of(vp_records *records)
{
    if (records->state == NULL) {
        const vp_allocator heap = vp_allocator_default(); /* the state of XXH3 needs alignment */
        records->state = vp_must(heap.allocate(heap.user, sizeof *records->state, 64), sizeof *records->state);
        XXH3_INITSTATE(&records->state->all);
        (void)XXH3_64bits_reset(&records->state->all);
        records->state->open = 0;
    }
    return records->state;
}

void vp_records_put(vp_records *records, const void *bytes, size_t count)
{
    struct vp_record_state *s = state_of(records);
    (void)XXH3_64bits_update(&s->all, bytes, count);
    s->open = XXH3_64bits_withSeed(bytes, count, s->open);
}

void vp_records_put_hash(vp_records *records, const void *bytes, size_t count)
{
    const uint64_t hash = vp_hash64(bytes, count);
    vp_records_put_longs(records, &hash, 1);
}

void vp_records_end(vp_records *records)
{
    struct vp_record_state *s = state_of(records);
    if (records->count == records->room) {
        records->room = records->room * 2 + 64;
        records->hash = vp_must(realloc(records->hash, records->room * sizeof *records->hash), sizeof *records->hash);
    }
    records->hash[records->count++] = s->open;
    s->open = 0;
}

void vp_records_end_step(vp_records *records)
{
    if (records->steps == records->end_room) {
        records->end_room = records->end_room * 2 + 4;
        records->end = vp_must(realloc(records->end, records->end_room * sizeof *records->end), sizeof *records->end);
    }
    records->end[records->steps++] = records->count;
}

uint64_t vp_records_digest(const vp_records *records)
{
    return records->state != NULL ? XXH3_64bits_digest(&records->state->all) : XXH3_64bits(NULL, 0);
}

void vp_records_clear(vp_records *records)
{
    records->count = 0;
    records->steps = 0;
    if (records->state != NULL) {
        (void)XXH3_64bits_reset(&records->state->all);
        records->state->open = 0;
    }
}

void vp_records_destroy(vp_records *records)
{
    const vp_allocator heap = vp_allocator_default();
    if (records->state != NULL)
        heap.release(heap.user, records->state, sizeof *records->state);
    free(records->hash);
    free(records->end);
    *records = (vp_records){0};
}

/* ---- numbers ---- */

typedef uint8_t *put_fn(uint8_t *at, const void *numbers, size_t count);

static void put_numbers(vp_records *records, put_fn *put, size_t size, const void *numbers, size_t count)
{
    enum { AT_ONCE = 32 };
    for (size_t i = 0; i < count; i += AT_ONCE) {
        uint8_t bytes[AT_ONCE * 8];
        const size_t some = count - i < AT_ONCE ? count - i : AT_ONCE;
        put(bytes, (const uint8_t *)numbers + i * size, some);
        vp_records_put(records, bytes, some * size);
    }
}

void vp_records_put_halves(vp_records *records, const void *halves, size_t count)
{
    put_numbers(records, vp_put_halves, 2, halves, count);
}

void vp_records_put_words(vp_records *records, const void *words, size_t count)
{
    put_numbers(records, vp_put_words, 4, words, count);
}

void vp_records_put_longs(vp_records *records, const void *longs, size_t count)
{
    put_numbers(records, vp_put_longs, 8, longs, count);
}

void vp_record_words(const void *words, size_t count, vp_records *out)
{
    vp_records_put_words(out, words, count);
    vp_records_end(out);
}

void vp_record_u32(uint32_t word, vp_records *out)
{
    vp_record_words(&word, 1, out);
}

void vp_record_list(const void *words, size_t count, uint32_t found, vp_records *out)
{
    vp_hasher h;
    vp_hash_begin(&h);
    vp_hash_words(&h, words, count);
    vp_hash_u32(&h, found);
    const uint64_t hash = vp_hash_end(&h);
    vp_records_put_longs(out, &hash, 1);
    vp_records_end(out);
}

void vp_record_chunk(uint32_t tag, const vp_chunk_masks *masks, vp_records *out)
{
    vp_records_put_words(out, &tag, 1);
    vp_records_put_longs(out, masks->solid, 8);
    vp_records_put_longs(out, masks->water, 8);
    vp_records_end(out);
}
