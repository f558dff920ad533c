/* SPDX-License-Identifier: MIT */
/* results.json: all measurements of one machine in a self-contained file. docs/results.schema.json defines its form,
 * docs/BENCHMARKING.md its meaning. Derived values are written, and derived again when a file is judged, by the same functions. */
#ifndef VP_TOOLS_RESULTS_RESULTS_H
#define VP_TOOLS_RESULTS_RESULTS_H

#include <jansson.h>
#include <stdbool.h>

#include "datasets/datasets.h"
#include "tools/results/files.h"

#define VP_RESULTS_FORMAT  "voxphys-results"
#define VP_RESULTS_VERSION "1.1.0"
#define VP_RESULTS_FILE    "results.json"
/* Statistics cost up to O(samples^2). This maximum keeps them fast. */
enum { VP_RESULTS_MAX_ROWS = 20000, VP_RESULTS_MAX_SAMPLES = 4096 };

/* ---- names ---- */

/* The parts of a name such as "kd_ray/avx2-slab/chunks-of-64/coherent". */
typedef struct vp_row_name {
    char kernel[32];
    char isa[16];     /* "scalar", "avx2", "neon". "" for libraries, limits and code that the compiler vectorised */
    const char *via;  /* "native", "simde", "autovec", "words", "peer", "limit", "other" */
    char variant[48]; /* "slab", or a peer's name. "" = none */
    char dataset[32]; /* "chunks". "" = none */
    char rest[64];    /* "coherent", "of-64/coherent". "" = none */
} vp_row_name;

/* Splits a name. @return false if a part is too long, or kernel or WHO is missing */
bool vp_row_name_read(const char *name, vp_row_name *out);
/* The key of a row's answers, independent of the version: the name with "any" in place of the instruction set and of
 * the number of threads. */
enum { VP_ROW_KEY_BYTES = 256 };
void vp_row_key(const vp_row_name *name, char out[VP_ROW_KEY_BYTES]);
/* The manifest's hash of the data that a row reads, or "". */
void vp_row_data_hash(const vp_row_name *name, const vp_manifest *manifest, char out[17]);

/* ---- retired names ---- */

/* Replaces retired names of kernels in texts and keys, wherever they are whole words, and retired WHO parts of row names,
   according to datasets/retired-names.json. `*json` may be NULL. @return VP_E_MEMORY, errors of reading that file */
vp_status vp_retired_rename(json_t **json, const vp_manifest *manifest, vp_error *error);

/* ---- making ---- */

/* Makes results.json from the files of a folder: machine.json, verify.json, bench.json and optional ones. machine.json
   has reasons that make otherwise valid results unofficial. If verify.json is missing, "verified" comes from an earlier
   results.json.
   @param whole  require machine.json, bench.json, and verify.json or results.json, otherwise VP_E_ARGUMENT. false: use
                 the existing files, for a comparison */
vp_status vp_results_make(const char *folder, const vp_manifest *manifest, bool whole, json_t **out, vp_error *error);
/* Adds a reason to a folder's machine.json why it is not official. @return VP_E_ARGUMENT if the file does not exist */
vp_status vp_results_mark(const char *folder, const char *reason, vp_error *error);
/* Lists the folder's raw files in a fixed order: name, and size and hash of the uncompressed content. */
vp_status vp_results_files(const char *folder, json_t *list, vp_error *error);
/* The text of results.json, one row a line. Free it. NULL = out of memory. */
char *vp_results_text(json_t *results);

/* Appends the rows of a file of Google Benchmark to `rows`. */
vp_status vp_rows_read(const json_t *bench, const char *file, const vp_manifest *manifest, json_t *rows, vp_error *error);
/* Whether a row measures a version of this project, not a library, a limit or anything else. */
bool vp_row_is_ours(const json_t *row);
/* Derives the summary of a row from its samples. @return VP_E_MEMORY */
vp_status vp_row_summarise(json_t *row, vp_error *error);
/* Derives baselines and speed-ups of all rows from other rows, after all are summarised. @return VP_E_FORMAT if a row exists twice */
vp_status vp_rows_relate(json_t *rows, vp_error *error);
/* Derives the noise of all rows: the difference of two measurements of the same thing. */
json_t *vp_results_noise(const json_t *rows);
/* Derives all derived values: summaries, noise, warnings, whether the file is official, and why not. */
vp_status vp_results_derive(json_t *results, vp_error *error);
/* XXH3-64 of all members except the seal, independent of whitespace and the order of members. */
void vp_results_seal(json_t *results, char out[17]);
/* XXH3-64 of bytes, as text. */
void vp_hash_text(const void *bytes, size_t size, char out[17]);

/* ---- contradictions ---- */

/* Adds a text to a list and frees it. After the first ten of a kind, texts are only counted, and vp_list_rest adds their number. */
void vp_list_problem(json_t *list, size_t *of_kind, json_t *text);
void vp_list_rest(json_t *list, size_t of_kind, const char *what);
/* The same with a format, with and without counting. */
#define VP_TELL(list, of_kind, ...) vp_list_problem(list, of_kind, vp_json_format(__VA_ARGS__))
#define VP_SAY(list, ...)           json_array_append_new(list, vp_json_format(__VA_ARGS__))

/* Reads the digests of all known answers: "verify" by kernel, data set and form, "bench" by vp_row_key. Owned by the caller. */
vp_status vp_golden_read(const vp_manifest *manifest, json_t **out, vp_error *error);
/* Finds rows whose answers or data differ from the golden ones, and rows without golden ones. */
void vp_check_answers(const json_t *rows, const json_t *golden, const vp_manifest *manifest, json_t *problems, json_t *remarks);
/* Checks verify.json: invalid values, digests that differ from the golden ones, and measured versions that it lacks. */
void vp_check_verified(const json_t *verify, const json_t *rows, const json_t *golden, json_t *problems);
/* Checks the summary of verify.json in results, "verified", in the same way. Kernels whose data sets have changed since
   get a remark instead of a comparison. */
void vp_check_verified_kept(const json_t *verified, const json_t *rows, const json_t *golden, json_t *problems, json_t *remarks);
/* The summary of verify.json: the number of checks, and for each kernel its number of data sets, a hash of their
   digests, and the number of checks by version. */
json_t *vp_verified_of(const json_t *verify);
/* Finds contradictions in a file of Google Benchmark. */
void vp_check_bench(const json_t *bench, const char *file, json_t *problems);
/* Finds failed hulls and questions of this project, figures of whole commands that their times contradict, and rounds
   that are copies of others. @return VP_E_MEMORY */
vp_status vp_check_outcomes(const vp_result *raw, const json_t *rows, json_t *problems, vp_error *error);
/* Finds contradictions between raw files and machine.json about the machine, and rows that this machine can't have run. */
void vp_check_machine(const vp_result *raw, const json_t *rows, json_t *problems);

/* ---- judging ---- */

/* Problems of a file, and remarks about checks that were not possible. */
typedef struct vp_findings {
    json_t *problems, *remarks; /* lists of texts */
} vp_findings;

/* Checks the form, a condition for all other checks. @return whether it is valid */
bool vp_results_form(json_t *results, vp_findings *out);
/* Does all other checks. If any raw file exists, all listed ones must exist and are checked.
   @param path   path of the file, whose folder has the raw files
   @param whole  the folder was requested itself, so raw files must exist
   @param named  with raw files, the folder must have the machine's name
   @return VP_OK also with problems, VP_E_MEMORY and other failures of the check itself */
vp_status vp_results_judge(json_t *results, const char *path, bool whole, bool named, const vp_manifest *manifest, vp_findings *out,
                           vp_error *error);

/* Reads the JSON object of a file. @return VP_E_IO, VP_E_FORMAT with the line */
vp_status vp_results_load(const char *path, json_t **out, vp_error *error);
/* Opens a file, or results.json of a folder, and updates its names. `path` receives its path.
   @param manifest  NULL = names stay unchanged */
vp_status vp_results_open(const char *given, const vp_manifest *manifest, char path[VP_RESULT_PATH_BYTES], json_t **out, vp_error *error);

/* `voxphys results compare A B`: argv[0] is "compare". @return the exit code */
int vp_results_compare(int argc, char **argv);

#endif
