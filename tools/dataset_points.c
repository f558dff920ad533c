/* SPDX-License-Identifier: MIT */
/* What `voxphys dataset` does with points: writing as JSON lines, and counting. */
#include "tools/dataset.h"

#include "datasets/import/text.h"
#include "datasets/point_sets.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const vp_dataset *vp_dataset_points_of(const vp_manifest *manifest, const char *name)
{
    char owner[80];
    const size_t length = strcspn(name, "/");
    if (length >= sizeof owner)
        return NULL;
    snprintf(owner, sizeof owner, "%.*s", (int)length, name);
    const vp_dataset *d = vp_manifest_find(manifest, owner);
    return d != NULL && d->kind == VP_DATASET_POINTS ? d : NULL;
}

vp_status vp_dataset_make_point_lines(const vp_manifest *manifest, const char *name, const char *path, uint64_t *hash, vp_error *error)
{
    vp_point_sets sets;
    vp_status status = vp_dataset_points(manifest, name, &sets, error);
    if (status != VP_OK)
        return status;
    vp_text lines = {0};
    char *text = NULL;
    *hash = vp_point_sets_hash(&sets);
    for (uint32_t s = 0; s < sets.count; s++) {
        vp_text_add(&lines, "{\"points\": [");
        for (uint32_t i = sets.first[s]; i < sets.first[s + 1]; i++) {
            const vp_vec3 p = sets.point[i];
            vp_text_add(&lines, "%s[\"%a\", \"%a\", \"%a\"]", i == sets.first[s] ? "" : ", ", (double)p.x, (double)p.y, (double)p.z);
        }
        vp_text_add(&lines, "]}\n");
    }
    const size_t size = lines.size;
    status = vp_text_finish(&lines, &text, error);
    if (status == VP_OK)
        status = vp_dataset_put_text(path, text, size, error);
    free(text);
    vp_point_sets_destroy(&sets);
    return status;
}

vp_status vp_dataset_count_points(const vp_manifest *manifest, const char *name, struct json_t **out, vp_error *error)
{
    vp_point_sets sets;
    vp_status status = vp_dataset_points(manifest, name, &sets, error);
    if (status != VP_OK)
        return status;
    const json_int_t points = sets.first[sets.count];
    *out = json_pack("{s:i, s:I, s:I}", "sets", (int)sets.count, "points", points, "bytes", points * (json_int_t)sizeof *sets.point);
    vp_point_sets_destroy(&sets);
    return VP_OK;
}
