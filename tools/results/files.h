/* SPDX-License-Identifier: MIT */
/* The files of one machine's results, read and judged one by one: NAME, or NAME.zst where it is stored compressed. What a file does not
 * tell stays unknown (NULL or NaN) and never becomes 0. */
#ifndef VP_TOOLS_RESULTS_FILES_H
#define VP_TOOLS_RESULTS_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/error.h"

/* One folder of results; NULL: the file is not there. */
typedef struct vp_result {
    json_t *machine, *verify, *pipeline;
    json_t *bench, *clang;
    json_t *limits;      /* builds and the memory's limits, measured once more side by side */
    json_t *hulls;       /* which hulls are right */
    json_t *conformance; /* which questions of the corpus are answered right */
    json_t *results;     /* results.json as it was made before */
} vp_result;

/* FOLDER/NAME. VP_E_ARGUMENT: it is too long. */
enum { VP_RESULT_PATH_BYTES = 4096 };
vp_status vp_result_path(const char *folder, const char *name, char out[VP_RESULT_PATH_BYTES], vp_error *error);

/* Reads one folder. VP_E_FORMAT with the file's name if one is damaged; also then `out` is to be destroyed. It must be all zero before. */
vp_status vp_result_read(const char *folder, vp_result *out, vp_error *error);
void vp_result_destroy(vp_result *result);

/* Whether a file of results is there. A folder of results may be anybody's, and a link in it would show what lies elsewhere: VP_E_FORMAT.
   The folder that the user names, and those above it, may be links. */
vp_status vp_result_found(const char *path, bool *there, vp_error *error);
/* The bytes of a file of results, `path` or else `path`.zst unpacked, freed by the caller; NULL if neither is there. VP_E_FORMAT: both are.
 */
vp_status vp_result_bytes(const char *path, uint8_t **bytes, size_t *size, vp_error *error);
/* Writes `path`, and removes `path`.zst, which it replaces. */
vp_status vp_result_replace(const char *path, const char *text, vp_error *error);
/* A JSON object from such a file; NULL if the file is not there. With `of_benchmarks` also one with NaN and Infinity in it, as Google
   Benchmark writes them; they are read as texts. */
vp_status vp_json_file(const char *path, bool of_benchmarks, json_t **out, vp_error *error);

/* A member at a path "cpu.model" as text or number; NULL or NaN if it is absent, null, or of another type. */
const char *vp_json_text(const json_t *json, const char *path);
double vp_json_figure(const json_t *json, const char *path);
json_t *vp_json_at(const json_t *json, const char *path);

#endif
