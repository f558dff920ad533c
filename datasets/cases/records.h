/* SPDX-License-Identifier: MIT */
/* Writing records: little-endian on every machine. */
#ifndef VP_CASES_RECORDS_H
#define VP_CASES_RECORDS_H

#include <voxphys/kernels.h>

#include "datasets/cases/cases.h"

enum {
    VP_CHUNK_RECORD_BYTES = 4 + 128,
    VP_HIT_BYTES = 16 /* f32 t, i32 triangle, f32 u, f32 v */
};

/* Room for records, all zero. VP_E_MEMORY. */
vp_status vp_records_create(size_t record_bytes, size_t count, vp_records *out, vp_error *error);

static inline void vp_put_u16(uint8_t *at, uint16_t v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
}

static inline void vp_put_u32(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> 8 * i);
}

static inline void vp_put_u64(uint8_t *at, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(v >> 8 * i);
}

/* A chunk: its tag, and its masks; those of a chunk that stores none are what its tag stands for. */
static inline void vp_put_chunk(uint8_t *at, uint32_t tag, const vp_chunk_masks *masks)
{
    vp_put_u32(at, tag);
    for (int y = 0; y < 8; y++) {
        vp_put_u64(at + 4 + 8 * y, masks->solid[y]);
        vp_put_u64(at + 68 + 8 * y, masks->water[y]);
    }
}

/* Memory of `count` elements, and one more, filled with what no answer is; from malloc. NULL without memory. */
void *vp_spoilt(size_t count, size_t size);

void vp_put_hit(uint8_t *at, const vp_hit *hit);
/* A hit a record. */
vp_status vp_hit_records(const vp_hit *hit, uint32_t count, vp_records *out, vp_error *error);

#endif
