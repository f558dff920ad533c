/* SPDX-License-Identifier: MIT */
/* Reading results.json, and its seal. */
#include "tools/results/results.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/hash.h"
#include "host/program.h"

vp_status vp_results_load(const char *path, json_t **out, vp_error *error)
{
    const vp_status status = vp_json_file(path, false, out, error);
    return status != VP_OK || *out != NULL ? status : vp_fail(error, VP_E_IO, "%s: %s", vp_show_path(path).text, strerror(ENOENT));
}

void vp_hash_text(const void *bytes, size_t size, char out[17])
{
    snprintf(out, 17, "%016" PRIx64, vp_hash64(bytes, size));
}

void vp_results_seal(json_t *results, char out[17])
{
    json_t *sealed = json_copy(results); /* shallow, members are shared and not changed */
    json_object_del(sealed, "seal");
    char *text = json_dumps(sealed, JSON_COMPACT | JSON_SORT_KEYS);
    out[0] = '\0';
    if (text != NULL)
        vp_hash_text(text, strlen(text), out);
    free(text);
    json_decref(sealed);
}
