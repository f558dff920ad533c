/* SPDX-License-Identifier: MIT */
/* Reading members of the manifest, for manifest.c and manifest_read.c. All functions return VP_OK and leave the error
   alone, or VP_E_FORMAT with a message that names the set, the member and what it must be. */
#ifndef VP_MANIFEST_READ_H
#define VP_MANIFEST_READ_H

#include "datasets/manifest_data.h"

#include <jansson.h>

enum { VP_DATASET_NAME_BYTES = 40 };

/* Where a value stands, for messages. */
typedef struct vp_reader {
    char where[VP_DATASET_NAME_BYTES + 24]; /* set "terrain-l3" */
    vp_error *error;
} vp_reader;

/* Fails: the member must be what is expected. */
vp_status vp_read_wrong(const vp_reader *c, const char *member, const char *expected);
/* The object has no members but these; the list ends with NULL. */
vp_status vp_read_only(const vp_reader *c, json_t *object, const char *const *allowed);
vp_status vp_read_whole(const vp_reader *c, json_t *object, const char *member, json_int_t low, json_int_t high, json_int_t *out);
vp_status vp_read_hash(const vp_reader *c, const char *member, const json_t *value, uint64_t *out);

/* Reads one set. Its texts belong to the JSON object, but for *params, which is to be freed, also after a failure. */
vp_status vp_read_entry(vp_reader *c, json_t *object, vp_entry *entry, char **params);

#endif
