/* SPDX-License-Identifier: MIT */
/* What `voxphys dataset` does with points: writing as JSON lines or as a file of points, and counting. */
#include "tools/dataset/dataset.h"

#include "src/core/error.h"
#include "datasets/import/text.h"
#include "datasets/point_sets.h"
#include "host/program.h"
#include "host/mesh_wire.h"
#include "host/point_file.h"

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

/* JSON lines, a set a line. */
static vp_status put_lines(const vp_point_sets *sets, const char *path, vp_error *error)
{
    vp_text lines = {0};
    char *text = NULL;
    for (uint32_t s = 0; s < sets->count; s++) {
        vp_text_add(&lines, "{\"points\": [");
        for (uint32_t i = sets->first[s]; i < sets->first[s + 1]; i++) {
            const vp_vec3 p = sets->point[i];
            vp_text_add(&lines, "%s[\"%a\", \"%a\", \"%a\"]", i == sets->first[s] ? "" : ", ", (double)p.x, (double)p.y, (double)p.z);
        }
        vp_text_add(&lines, "]}\n");
    }
    const size_t size = lines.size;
    vp_status status = vp_text_finish(&lines, &text, error);
    if (status == VP_OK)
        status = vp_dataset_put_text(path, text, size, error);
    free(text);
    return status;
}

/* A .points file of one set. */
static vp_status put_points(const vp_point_sets *sets, const char *name, const char *path, vp_error *error)
{
    vp_bytes text = {0};
    vp_points_text(sets->point, sets->first[1], 3, name, &text);
    const vp_status status = text.failed ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text)
                                         : vp_dataset_put_text(path, (const char *)text.at, text.size, error);
    free(text.at);
    return status;
}

vp_status vp_dataset_make_points(const vp_manifest *manifest, const char *name, const char *path, uint64_t *hash, vp_error *error)
{
    const bool plain = vp_name_ends(path, ".points");
    vp_point_sets sets;
    if (plain && strchr(name, '/') == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "a .points file holds one set, and \"%.60s\" is many; one is named with its count: %.60s/1000",
                       name, name);
    vp_status status = vp_dataset_points(manifest, name, &sets, error);
    if (status != VP_OK)
        return status;
    *hash = vp_point_sets_hash(&sets);
    status = plain ? put_points(&sets, name, path, error) : put_lines(&sets, path, error);
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
