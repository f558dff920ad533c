/* SPDX-License-Identifier: MIT */
/* Reads members of the manifest, for manifest.c and manifest_read.c. Each function returns VP_OK and does not touch the
 * error, or returns VP_E_FORMAT. The message names the set, the member and its condition. */
#ifndef VP_MANIFEST_READ_H
#define VP_MANIFEST_READ_H

#include "datasets/manifest_data.h"

#include <jansson.h>

enum { VP_DATASET_NAME_BYTES = 40 };

/* The position of a value, for messages. */
typedef struct vp_manifest_place {
    char where[VP_DATASET_NAME_BYTES + 24]; /* set "terrain-l3" */
    vp_error *error;
} vp_manifest_place;

/* Fails because a member is not as expected. */
vp_status vp_read_wrong(const vp_manifest_place *c, const char *member, const char *expected);
/* Checks that the object has only these members. The list ends with NULL. */
vp_status vp_read_only(const vp_manifest_place *c, json_t *object, const char *const *allowed);
vp_status vp_read_whole(const vp_manifest_place *c, json_t *object, const char *member, json_int_t low, json_int_t high, json_int_t *out);
vp_status vp_read_hash(const vp_manifest_place *c, const char *member, const json_t *value, uint64_t *out);

/* Reads one set. Its texts belong to the JSON object, except *params, which the caller frees, also after a failure. */
vp_status vp_read_entry(vp_manifest_place *c, json_t *object, vp_entry *entry, char **params);

#endif
