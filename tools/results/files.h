/* SPDX-License-Identifier: MIT */
/* Files of one machine's results, each read and checked by itself: NAME, or NAME.zst if it is compressed. Missing
 * values are unknown (NULL or NaN) and never become 0. */
#ifndef VP_TOOLS_RESULTS_FILES_H
#define VP_TOOLS_RESULTS_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/error.h"

/* The files of a folder of results. NULL = the file does not exist. */
typedef struct vp_result {
    json_t *machine, *verify, *pipeline;
    json_t *bench, *clang;
    json_t *limits;      /* side-by-side measurements of builds and memory limits */
    json_t *hulls;       /* hulls and their validity */
    json_t *conformance; /* results of the conformance corpus */
    json_t *results;     /* an earlier results.json */
} vp_result;

/* FOLDER/NAME. VP_E_ARGUMENT if it is too long. */
enum { VP_RESULT_PATH_BYTES = 4096 };
vp_status vp_result_path(const char *folder, const char *name, char out[VP_RESULT_PATH_BYTES], vp_error *error);

/* Reads a folder. `out` must be all zero bytes. Destroy it, also after a failure. @return VP_E_FORMAT with the name of a damaged file */
vp_status vp_result_read(const char *folder, vp_result *out, vp_error *error);
void vp_result_destroy(vp_result *result);

/* Whether a file of results exists. A link is refused with VP_E_FORMAT, because a folder of results is untrusted and a
   link in it could expose other files. The folder that the user names, and those above it, may be links. */
vp_status vp_result_found(const char *path, bool *there, vp_error *error);
/* Reads `path`, or unpacks `path`.zst. Free the bytes. NULL if neither exists. @return VP_E_FORMAT if both do */
vp_status vp_result_bytes(const char *path, uint8_t **bytes, size_t *size, vp_error *error);
/* Writes `path` and removes `path`.zst, which it replaces. */
vp_status vp_result_replace(const char *path, const char *text, vp_error *error);
/* Reads a JSON object from such a file. NULL if the file does not exist. of_benchmarks: accept NaN and Infinity, as
   Google Benchmark writes them, and read them as texts. */
vp_status vp_json_file(const char *path, bool of_benchmarks, json_t **out, vp_error *error);

/* A member at a path such as "cpu.model" as a text or a number. NULL or NaN if it is absent, null, or of another type. */
const char *vp_json_text(const json_t *json, const char *path);
double vp_json_figure(const json_t *json, const char *path);
json_t *vp_json_at(const json_t *json, const char *path);

#endif
