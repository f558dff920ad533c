/* SPDX-License-Identifier: MIT */
/* results.json: what was measured on one machine, in one file that says itself what it is. docs/results.schema.json tells its form,
 * docs/BENCHMARKING.md what it means. Everything that can be told from something else in it is: the same functions write it and
 * derive it again when a file is judged. */
#ifndef VP_TOOLS_RESULTS_RESULTS_H
#define VP_TOOLS_RESULTS_RESULTS_H

#include <jansson.h>
#include <stdbool.h>

#include "datasets/datasets.h"
#include "tools/results/files.h"

#define VP_RESULTS_FORMAT  "voxphys-results"
#define VP_RESULTS_VERSION "1.1.0"
#define VP_RESULTS_FILE    "results.json"
/* What is told of samples takes up to the square of their number: so many of a row, and no row of theirs takes longer than a moment. */
enum { VP_RESULTS_MAX_ROWS = 20000, VP_RESULTS_MAX_SAMPLES = 4096 };

/* ---- names ---- */

/* "kd_ray/avx2-slab/chunks-of-64/coherent", taken apart. */
typedef struct vp_row_name {
    char kernel[32];
    char isa[16];     /* "scalar", "avx2", "neon"; "" of libraries and limits, and of what the compiler vectorised */
    const char *via;  /* "native", "simde", "autovec", "words", "peer", "limit", "other" */
    char variant[48]; /* "slab"; of a peer its name; "" for none */
    char dataset[32]; /* "chunks"; "" for none */
    char rest[64];    /* "coherent", "of-64/coherent"; "" for none */
} vp_row_name;

/* False: a part is too long, or there are not at least a kernel and a who. */
bool vp_row_name_read(const char *name, vp_row_name *out);
/* What the answers of a row are known by, whoever gave them: the name with "any" for the instruction set and for a number of threads. */
enum { VP_ROW_KEY_BYTES = 256 };
void vp_row_key(const vp_row_name *name, char out[VP_ROW_KEY_BYTES]);
/* The hash that the manifest gives for what a row reads; "" if it gives none. */
void vp_row_data_hash(const vp_row_name *name, const vp_manifest *manifest, char out[17]);

/* ---- retired names ---- */

/* Puts today's names of kernels for those that they had when results were published, wherever they stand as whole words, in texts and
   in keys, and today's WHO in names of rows: by datasets/retired-names.json. `*json` may be NULL. VP_E_MEMORY, and as of a file that is
   missing or damaged. */
vp_status vp_retired_rename(json_t **json, const vp_manifest *manifest, vp_error *error);

/* ---- making ---- */

/* The file of a folder: read from machine.json, verify.json, bench.json and the others that are there. Why it is not official though
   everything in the files is as it should be is in machine.json. verify.json is not kept: without it, "verified" is what an earlier
   results.json says.
   @param whole  machine.json, bench.json and one of verify.json and results.json must be there, else VP_E_ARGUMENT; false: made of what is
                 there, to compare */
vp_status vp_results_make(const char *folder, const vp_manifest *manifest, bool whole, json_t **out, vp_error *error);
/* Marks a folder's machine.json as not official, beside what it is marked with. VP_E_ARGUMENT if there is none. */
vp_status vp_results_mark(const char *folder, const char *reason, vp_error *error);
/* The raw files of a folder that are there, by name, and by size and hash of what is in them, compressed or not, in a fixed order. */
vp_status vp_results_files(const char *folder, json_t *list, vp_error *error);
/* As text: a row a line. The caller frees it; NULL: no memory. */
char *vp_results_text(json_t *results);

/* The rows of one of Google Benchmark's files, behind those that are in `rows`. */
vp_status vp_rows_read(const json_t *bench, const char *file, const vp_manifest *manifest, json_t *rows, vp_error *error);
/* Whether a row is of a version of ours: not of a library, a limit, or anything else. */
bool vp_row_is_ours(const json_t *row);
/* What is told from a row's samples. VP_E_MEMORY. */
vp_status vp_row_summarise(json_t *row, vp_error *error);
/* What is told from other rows: the baselines, and how many times as fast as they a row is. After all are summarised. VP_E_FORMAT:
   a row is there twice. */
vp_status vp_rows_relate(json_t *rows, vp_error *error);
/* What is told from all rows: how much two measurements of the same thing differ. */
json_t *vp_results_noise(const json_t *rows);
/* Everything that can be told from the rest, put in or put in anew: summaries, noise, warnings, whether it is official and why not. */
vp_status vp_results_derive(json_t *results, vp_error *error);
/* XXH3-64 of everything but the seal, independent of blanks and of the order of members. */
void vp_results_seal(json_t *results, char out[17]);
/* XXH3-64 of bytes, as text. */
void vp_hash_text(const void *bytes, size_t size, char out[17]);

/* ---- contradictions ---- */

/* Adds to a list and frees the text; after the first ten of a kind they are counted alone, and told by vp_tell_rest. */
void vp_list_problem(json_t *list, size_t *of_kind, json_t *text);
void vp_list_rest(json_t *list, size_t of_kind, const char *what);
/* The same of a format and what belongs to it; and without counting. */
#define VP_TELL(list, of_kind, ...) vp_list_problem(list, of_kind, vp_json_format(__VA_ARGS__))
#define VP_SAY(list, ...)           json_array_append_new(list, vp_json_format(__VA_ARGS__))

/* The digests of all answers that were ever given: "verify" by kernel, data set and form, "bench" by vp_row_key. The caller's. */
vp_status vp_golden_read(const vp_manifest *manifest, json_t **out, vp_error *error);
/* Rows whose answers or data are not those that every machine gets, and rows of which it is not known. */
void vp_check_answers(const json_t *rows, const json_t *golden, const vp_manifest *manifest, json_t *problems, json_t *remarks);
/* What verify.json says that cannot be, or that every machine says otherwise, and versions among the rows that it says nothing of. */
void vp_check_verified(const json_t *verify, const json_t *rows, const json_t *golden, json_t *problems);
/* The same of what results keep of it, "verified": versions among the rows that were not verified, and digests; those of kernels that have
   other data sets now are not compared, and that is remarked. */
void vp_check_verified_kept(const json_t *verified, const json_t *rows, const json_t *golden, json_t *problems, json_t *remarks);
/* What is kept of verify.json: how much was checked, and of each kernel the number of data sets, a hash of their digests, and how many
   checks of each version. */
json_t *vp_verified_of(const json_t *verify);
/* What one of Google Benchmark's files says twice, and each time otherwise. */
void vp_check_bench(const json_t *bench, const char *file, json_t *problems);
/* Hulls and questions of the corpus that ours did not pass, figures of whole commands that their times do not give, and rounds that are
   copies of others. VP_E_MEMORY. */
vp_status vp_check_outcomes(const vp_result *raw, const json_t *rows, json_t *problems, vp_error *error);
/* What such files say of the machine, and machine.json otherwise; and rows that this machine cannot have run. */
void vp_check_machine(const vp_result *raw, const json_t *rows, json_t *problems);

/* ---- judging ---- */

/* What is wrong with a file, and what could not be looked at. */
typedef struct vp_findings {
    json_t *problems, *remarks; /* lists of texts */
} vp_findings;

/* The form. Only where it is right the rest can be looked at. @return whether it is */
bool vp_results_form(json_t *results, vp_findings *out);
/* Everything else. Raw files are looked at if one of them is there: then those that are named must all be.
   @param path   of the file, in whose folder they are
   @param whole  the folder was asked for itself: the raw files must be there
   @param named  its name must be the machine's, if there are raw files
   @return VP_E_MEMORY and the like; VP_OK also if there are problems */
vp_status vp_results_judge(json_t *results, const char *path, bool whole, bool named, const vp_manifest *manifest, vp_findings *out,
                           vp_error *error);

/* Reads the JSON object of a file: VP_E_IO, VP_E_FORMAT with the line. */
vp_status vp_results_load(const char *path, json_t **out, vp_error *error);
/* The file that is given, or where that is a folder the results.json in it; with today's names. Its path, too.
   @param manifest  NULL: names stay as they are */
vp_status vp_results_open(const char *given, const vp_manifest *manifest, char path[VP_RESULT_PATH_BYTES], json_t **out, vp_error *error);

/* `voxphys results compare A B`: argv[0] is "compare". @return the exit code */
int vp_results_compare(int argc, char **argv);

#endif
