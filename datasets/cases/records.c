/* SPDX-License-Identifier: MIT */
#include "datasets/cases/records.h"

#include <stdlib.h>

#include "core/error.h"

vp_status vp_records_create(size_t record_bytes, size_t count, vp_records *out, vp_error *error)
{
    uint8_t *bytes = calloc(count != 0 ? count : 1, record_bytes);
    if (bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu answers of %zu bytes", count, record_bytes);
    *out = (vp_records){bytes, record_bytes, count};
    return VP_OK;
}
