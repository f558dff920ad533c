/* SPDX-License-Identifier: MIT */
/* A case tests and measures one kernel or one whole operation. It says which data it runs on, how to prepare and run it, and which results
 * must be equal. `voxphys verify`, the differential tests and the check before each benchmark all use the same case. A kernel without a
 * case does not link.
 *
 * To add a kernel or an operation, define vp_case_NAME in a file of cases/ (docs/ARCHITECTURE.md, "Adding a kernel"). `make` prepares the
 * work for a data set, `run` executes one step, and `records` turns the answers into bytes. A version is right if its records equal the
 * reference's. A `judge`, if any, checks the reference itself. */
#ifndef VP_CASES_CASE_H
#define VP_CASES_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/executor.h>
#include <voxphys/kernels.h>

#include "cases/arena.h"
#include "datasets/kinds/kind.h"

/* ---- answers ---- */

/* The answers of a run in canonical little-endian form, so that equal answers are equal bytes. A record is written in pieces
 * and then ended. */
typedef struct vp_records {
    uint64_t *hash; /* of each record */
    size_t count, room;
    size_t *end; /* number of records up to the end of each step */
    uint32_t steps, end_room;
    struct vp_record_state *state;
} vp_records;

void vp_records_put(vp_records *records, const void *bytes, size_t count);
/* Adds the XXH3-64 of some bytes. */
void vp_records_put_hash(vp_records *records, const void *bytes, size_t count);
void vp_records_end(vp_records *records);
void vp_records_end_step(vp_records *records); /* called by the harness */
/* XXH3-64 of all bytes since the records were cleared. */
uint64_t vp_records_digest(const vp_records *records);
void vp_records_clear(vp_records *records); /* keeps the memory */
void vp_records_destroy(vp_records *records);

/* Little-endian, see src/core/bytes.h. */
void vp_records_put_halves(vp_records *records, const void *halves, size_t count);
void vp_records_put_words(vp_records *records, const void *words, size_t count);
void vp_records_put_longs(vp_records *records, const void *longs, size_t count);
/* The moments that records hold: xx, yy, zz, then the integrals of the products, which are the negated entries of the tensor. 0 stays 0. */
static inline void vp_moments_of(const vp_mass *mass, double out[6])
{
    for (int k = 0; k < 3; k++) {
        out[k] = mass->inertia[k];
        out[3 + k] = 0.0 - mass->inertia[3 + k];
    }
}
/* Each adds one record: some words, one word, or a list as the hash of its words and their number. */
void vp_record_words(const void *words, size_t count, vp_records *out);
void vp_record_u32(uint32_t word, vp_records *out);
void vp_record_list(const void *words, size_t count, uint32_t found, vp_records *out);
/* Adds a chunk as its tag and masks. A chunk without stored masks gets those that its tag stands for. */
void vp_record_chunk(uint32_t tag, const vp_chunk_masks *masks, vp_records *out);

/* ---- cases ---- */

/* How to run a step. */
typedef struct vp_setting {
    const vp_kernels *kernels;
    const vp_executor *executor; /* NULL = the calling thread */
} vp_setting;

typedef struct vp_counters {
    struct {
        const char *name;
        double value;
    } counter[12];
    uint32_t count;
} vp_counters;

void vp_count(vp_counters *counters, const char *name, double value);
struct vp_broadphase;
/* Counts the memory of a world's broadphase, its masks alone and in total. */
void vp_count_broadphase(const struct vp_broadphase *broadphase, vp_counters *counters);

/* How a data set is used. */
enum {
    VP_TIMED = 1,    /* voxphys-bench runs every native version, and the plain C versions of the default variant */
    VP_COUNTED = 2,  /* voxphys-count runs every version of the named variants */
    VP_VERIFIED = 4, /* voxphys verify runs an operation here. It always runs kernels, and everything on "fuzz-<n>" */
    /* options of VP_TIMED: */
    VP_SIMDE = 8,         /* SIMDe versions too, except WebAssembly's */
    VP_PLAIN_C = 16,      /* plain C versions of other variants too */
    VP_ENDS = 32,         /* only the scalar version and the best one */
    VP_NOT_SCALAR = 64,   /* not the scalar version */
    VP_THREADS = 128,     /* on 1, 2, 4, ... threads, by wall-clock time */
    VP_THREAD = 256,      /* on one thread, by wall-clock time */
    VP_UNNAMED = 512,     /* omit the set from the name */
    VP_NOISE = 1024,      /* the scalar version twice more, to show the noise */
    VP_ONLY_SCALAR = 2048 /* not the other versions, which call it */
};

/* A data set on which a row is measured. Names are ROW/VERSION[-WHO]/SET[/PARAMETER]. WHO is another way to answer the same question.
 * Entries with equal ROW, SET and PARAMETER are compared with each other. */
typedef struct vp_measured {
    const char *data;      /* "chunks/coherent" */
    uint32_t variants;     /* one bit each */
    uint32_t what;         /* bits of the enum above */
    uint32_t triangles;    /* only rays at meshes of about this size, by SIMD versions, 0 = all */
    const char *who;       /* NULL = vp_case_way */
    const char *parameter; /* NULL = vp_case_question, which follows the number of threads */
} vp_measured;
#define VP_ON(set, bits, does)                                                                                                             \
    {                                                                                                                                      \
        .data = (set), .variants = (bits), .what = (does)                                                                                  \
    }
#define VP_AS(set, bits, does, named, of)                                                                                                  \
    {                                                                                                                                      \
        .data = (set), .variants = (bits), .what = (does), .who = (named), .parameter = (of)                                               \
    }

/* Defines a `make` that calls another one and then adds an output of `count` elements. */
#define VP_MAKE_OUTPUT(name, begin, type, member, element, count)                                                                          \
    static vp_status name(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)                             \
    {                                                                                                                                      \
        const vp_status status = begin(data, variant, arena, out, error);                                                                  \
        type *w = *out;                                                                                                                    \
        if (status == VP_OK)                                                                                                               \
            w->member = vp_arena_output(arena, count, sizeof(element), alignof(element), 0);                                               \
        return status;                                                                                                                     \
    }

/* Defines a `run` of one step that calls a kernel once, or for each item, and a `records` with an answer for each item. `how` is the
 * setting, w the work, i the index. */
#define VP_RUN(name, type, number, call)                                                                                                   \
    static vp_status name(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                          \
    {                                                                                                                                      \
        type *w = argument;                                                                                                                \
        call;                                                                                                                              \
        *items = (number);                                                                                                                 \
        return VP_OK;                                                                                                                      \
    }
#define VP_RUN_EACH(name, type, number, call) VP_RUN(name, const type, number, for (uint32_t i = 0; i < (number); i++) call)
#define VP_RECORD_EACH(name, type, number, record)                                                                                         \
    static void name(const void *argument, vp_records *out)                                                                                \
    {                                                                                                                                      \
        const type *w = argument;                                                                                                          \
        for (uint32_t i = 0; i < (number); i++)                                                                                            \
            record;                                                                                                                        \
    }

struct vp_frame;

enum { VP_SAMPLED = 1 };

typedef struct vp_case {
    const vp_kind *kind;
    const char *const *variant; /* names, the default first, NULL past the end, "" = without a name. NULL = one such variant */
    bool questions;             /* true = variants ask different questions, false = they are ways to answer one */
    bool sampled; /* variant VP_SAMPLED, which has no name, is a sample of the set. It is verified unless everything is asked for */
    bool (*takes)(const vp_data *data, uint32_t variant); /* for sets of its kind, NULL = all */
    const char *reads;                                    /* the sets it takes, in words, NULL = the kind's words */
    /* Sets *work as soon as it can, because the harness drops it also after a failure. The data outlives the work. */
    vp_status (*make)(const vp_data *data, uint32_t variant, vp_arena *arena, void **work, vp_error *error);
    uint32_t (*steps)(const void *work); /* NULL = 1 */
    /* Goes back to the start of step 0. Called before every run of the steps, including the first and one after a failure. NULL = runs
     * keep no state. */
    vp_status (*rewind)(const vp_setting *how, void *work, vp_error *error);
    /* Writes answers to the arena's outputs. Or the answers are objects, and the arena has no output. */
    vp_status (*run)(const vp_setting *how, void *work, uint32_t step, uint64_t *items, vp_error *error);
    void (*records)(const void *work, vp_records *out); /* for the previous step */
    /* Checks the answers by brute force or by properties, from the inputs alone. VP_E_FORMAT = wrong, with a message. Required for a row
     * that has only a reference, unless a unit test or the corpus judges it. NULL = versions are compared with the reference. */
    vp_status (*judge)(const void *work, uint32_t step, vp_error *error);
    void (*counters)(const void *work, vp_counters *out);
    void (*looks)(const void *work, vp_counters *out); /* work of the reference, not timed */
    void (*frame)(const void *work, uint32_t step, struct vp_frame *out);
    void (*drop)(void *work);    /* destroys objects, which may be NULL. NULL = everything belongs to the arena */
    uint32_t same;               /* 1 + a quick variant whose answers are those of all variants. 0 = they differ */
    const char *const *notes;    /* contents of an item for each variant, appended to its unit, NULL = none */
    const char *beside;          /* row under whose name it is measured, NULL = its own */
    bool copes;                  /* without memory a tree is less good, and its answers are equal */
    bool has_no_kernels;         /* an operation whose code is the same for every version */
    const vp_measured *measured; /* ends with NULL data */
} vp_case;

#define VP_CASE_EXTERN(k, ...) extern const vp_case vp_case_##k;
VP_KERNELS(VP_CASE_EXTERN)
VP_OPERATIONS(VP_CASE_EXTERN)
extern const vp_case *const vp_cases[VP_ROW_COUNT];

/* Whether a case runs on a set. */
bool vp_case_takes(const vp_case *c, const vp_data *data, uint32_t variant);
uint32_t vp_case_variants(const vp_case *c);
/* The name of a variant, or NULL. */
const char *vp_case_variant(const vp_case *c, uint32_t variant);
/* The variant's part of a benchmark's name. A way follows the version, and the default way is "". A question follows the set. The function
 * that does not apply returns "". */
const char *vp_case_way(const vp_case *c, uint32_t variant);
const char *vp_case_question(const vp_case *c, uint32_t variant);

/* ---- verification (verify.c) ---- */

typedef struct vp_check {
    uint64_t cases;      /* number of compared answers */
    uint64_t mismatches; /* answers that differ from the reference, or 1 for any other fault */
    uint64_t digest;     /* of the answers */
    vp_error why;        /* the fault, as a phrase about a version: "differs from the reference in 1 of 40 answers..." */
} vp_check;

/* Checks one version. It runs all steps once on the heap and compares the answers with the reference's. With `closely` it also checks the
 * following, which takes about 20 times as long:
 * - A second run gives the same answers.
 * - So do runs in memory that ends or begins at forbidden pages.
 * - Inputs, and bytes outside outputs, stay unchanged.
 * - Each refused request for memory is reported, unless the case copes with it, and leaves no damage.
 * @param want  records of vp_case_reference
 * @return not VP_OK if nothing could be checked. Faults of the version are in *out */
vp_status vp_case_check(const vp_case *c, const vp_setting *how, const vp_data *data, uint32_t variant, const vp_records *want,
                        bool closely, vp_check *out, vp_error *error);

/* Runs the reference and keeps its answers.
 * @param check    verdict of the judge
 * @param flipped  also check that flipping any bit of an answer changes the records
 * @param out      to be destroyed, also after a failure */
vp_status vp_case_reference(const vp_case *c, const vp_kernels *kernels, const vp_data *data, uint32_t variant, bool flipped,
                            vp_records *out, vp_check *check, vp_error *error);

/* One session of make, rewind and steps, as in a benchmark. */
typedef struct vp_session {
    const vp_case *c;
    vp_setting how;
    vp_arena *arena;
    void *work;
} vp_session;

vp_status vp_session_open(const vp_case *c, const vp_setting *how, const vp_data *data, uint32_t variant, const vp_arena_plan *plan,
                          vp_session *out, vp_error *error);
uint32_t vp_session_steps(const vp_session *session);
vp_status vp_session_rewind(vp_session *session, vp_error *error);
/* @return the status of drop and of vp_arena_destroy */
vp_status vp_session_close(vp_session *session, vp_error *error);

/* ---- versions ---- */

typedef enum vp_how { VP_HOW_NATIVE, VP_HOW_SIMDE, VP_HOW_AUTOVEC } vp_how;

/* A version of the registry, the reference auto-vectorised for the best instruction set of this machine, or the optimized algorithm
 * in plain C. */
typedef struct vp_contender {
    char name[24]; /* "scalar", "scalar-autovec", "plain", "avx2", "neon-simde", ... */
    vp_isa isa;    /* instruction set, for scalar-autovec the one it was vectorised for */
    vp_how how;
    bool usable; /* false = this machine cannot run it */
} vp_contender;

enum { VP_CONTENDERS_MAX = VP_ISA_COUNT + 3 };

/* Lists all versions of a kernel in this build, scalar first, usable or not. For an operation it lists the native instruction sets, or
 * scalar alone if it calls no kernel or all kernels of its component are references. @return their number */
size_t vp_contenders(vp_row_id row, vp_contender out[VP_CONTENDERS_MAX]);

/* The kernel table of a contender. For a kernel it is the scalar table with that one kernel replaced. For an operation all kernels have its
 * instruction set, or the next best. */
vp_kernels vp_contender_table(const vp_contender *contender, vp_row_id row);

struct vp_hull;
struct vp_hull_report;
/* XXH3-64 of everything that must be equal in a hull. `voxphys verify` hashes it for each set. */
vp_status vp_hull_digest(const struct vp_hull *hull, uint64_t *out, vp_error *error);
/* Checks a hull of dimension 3 with the validator, which does not depend on how the hull was made. This finds errors that all versions
 * share. Distances are doubles with errors of about 2^-44 of the coordinates. */
vp_status vp_hull_case_validate(const vp_vec3 *point, uint32_t count, const struct vp_hull *h, struct vp_hull_report *out, vp_error *error);

#endif
