/* SPDX-License-Identifier: MIT */
/* The conformance corpus as `voxphys check` reads it (docs/CONFORMANCE.md). */
#ifndef VP_CONFORMANCE_CORPUS_H
#define VP_CONFORMANCE_CORPUS_H

#include "conformance/family.h"

/* A question and its expected answer. Strings belong to the corpus. */
typedef struct vp_vector {
    const char *id;    /* "ray-mesh/corner-3" */
    const char *about; /* "at a corner of a cube" */
    vp_promise promise;
    const json_t *expected; /* an object, or a list of alternatives */
    const json_t *cites;    /* a list of texts, or NULL */
    vp_question question;
} vp_vector;

/* A family of the corpus. */
typedef struct vp_corpus_family {
    const vp_family *family;
    const char *title;
    uint64_t hash; /* XXH3-64 of its file */
    vp_vector *vector;
    size_t count;
    json_t *root;
} vp_corpus_family;

typedef struct vp_corpus {
    char version[24];
    vp_corpus_family family[VP_FAMILIES_MAX];
    size_t families;
} vp_corpus;

/* Reads FAMILY.json of every family that the folder has. Close the corpus, also after a failure.
 * @param folder  NULL = the one installed with the data sets, or the one in the source tree
 * @return VP_E_IO for a missing folder, VP_E_FORMAT with the file and the vector, VP_E_MEMORY */
vp_status vp_corpus_open(const char *folder, vp_corpus *out, vp_error *error);
void vp_corpus_close(vp_corpus *corpus);

/* Reads one vector of a family's file. Strings belong to `json`. Drop the vector's question, also after a failure.
 * @param flags  the flags that the family explains, NULL = any flag is accepted
 * @return VP_E_FORMAT, VP_E_MEMORY */
vp_status vp_vector_of(const vp_family *family, json_t *json, json_t *flags, vp_vector *out, vp_error *error);

/* The number of vectors. */
size_t vp_corpus_count(const vp_corpus *corpus);

/* "exact" */
const char *vp_promise_name(vp_promise promise);

#endif
