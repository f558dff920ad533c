/* SPDX-License-Identifier: MIT */
#include "cases/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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
    return c->variant == NULL ? NULL : c->variant[variant];
}

/* ---- records ---- */

/* One hash of all, and one of the record that is being put. */
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
        const vp_allocator heap = vp_allocator_default(); /* XXH3's state is aligned */
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
    uint8_t hash[8];
    vp_put_u64(hash, XXH3_64bits(bytes, count));
    vp_records_put(records, hash, sizeof hash);
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

void vp_put_hit(uint8_t *at, const vp_hit *hit)
{
    uint32_t words[VP_HIT_BYTES / 4];
    memcpy(words, hit, sizeof words);
    for (size_t k = 0; k < VP_HIT_BYTES / 4; k++)
        vp_put_u32(at + 4 * k, words[k]);
}

void vp_record_hit(const vp_hit *hit, vp_records *out)
{
    uint8_t bytes[VP_HIT_BYTES];
    vp_put_hit(bytes, hit);
    vp_records_put(out, bytes, sizeof bytes);
    vp_records_end(out);
}

void vp_record_u32(uint32_t word, vp_records *out)
{
    uint8_t bytes[4];
    vp_put_u32(bytes, word);
    vp_records_put(out, bytes, sizeof bytes);
    vp_records_end(out);
}

void vp_record_chunk(uint32_t tag, const vp_chunk_masks *masks, vp_records *out)
{
    uint8_t bytes[4 + 128];
    vp_put_u32(bytes, tag);
    for (int y = 0; y < 8; y++) {
        vp_put_u64(bytes + 4 + 8 * y, masks->solid[y]);
        vp_put_u64(bytes + 68 + 8 * y, masks->water[y]);
    }
    vp_records_put(out, bytes, sizeof bytes);
    vp_records_end(out);
}
