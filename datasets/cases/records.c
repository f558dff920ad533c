/* SPDX-License-Identifier: MIT */
#include "datasets/cases/records.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"

vp_status vp_records_create(size_t record_bytes, size_t count, vp_records *out, vp_error *error)
{
    uint8_t *bytes = calloc(count != 0 ? count : 1, record_bytes);
    if (bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu answers of %zu bytes", count, record_bytes);
    *out = (vp_records){bytes, record_bytes, count};
    return VP_OK;
}

void *vp_spoilt(size_t count, size_t size)
{
    void *memory = malloc((count + 1) * size);
    if (memory != NULL)
        memset(memory, 0xa5, (count + 1) * size);
    return memory;
}

void vp_put_hit(uint8_t *at, const vp_hit *hit)
{
    uint32_t words[VP_HIT_BYTES / 4];
    memcpy(words, hit, sizeof words);
    for (size_t k = 0; k < VP_HIT_BYTES / 4; k++)
        vp_put_u32(at + 4 * k, words[k]);
}

vp_status vp_hit_records(const vp_hit *hit, uint32_t count, vp_records *out, vp_error *error)
{
    vp_status status = vp_records_create(VP_HIT_BYTES, count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        vp_put_hit(out->bytes + (size_t)i * VP_HIT_BYTES, &hit[i]);
    return status;
}
