/* SPDX-License-Identifier: MIT */
/* What a kernel or a whole operation runs on, how, and what must be equal: the one body behind `voxphys
 * verify`, the differential tests and the check before each benchmark. A kernel without a case does not link.
 */
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

/* Of a run: canonical, little-endian, so that equal answers are equal bytes. A record is put piece by piece,
 * then ended. */
typedef struct vp_records {
    uint64_t *hash; /* of each record */
    size_t count, room;
    size_t *end; /* of each step, how many records there are up to its end */
    uint32_t steps, end_room;
    struct vp_record_state *state;
} vp_records;

void vp_records_put(vp_records *records, const void *bytes, size_t count);
/* Puts the XXH3-64 of bytes. */
void vp_records_put_hash(vp_records *records, const void *bytes, size_t count);
void vp_records_end(vp_records *records);
void vp_records_end_step(vp_records *records); /* the harness's */
/* XXH3-64 of all that was put since they were cleared. */
uint64_t vp_records_digest(const vp_records *records);
void vp_records_clear(vp_records *records); /* no record, but its memory */
void vp_records_destroy(vp_records *records);

/* Little-endian, as src/core/bytes.h has them. */
void vp_records_put_halves(vp_records *records, const void *halves, size_t count);
void vp_records_put_words(vp_records *records, const void *words, size_t count);
void vp_records_put_longs(vp_records *records, const void *longs, size_t count);
/* What records have of an inertia: xx, yy, zz, and the integrals of the products, which are minus the tensor's entries. 0 stays 0. */
static inline void vp_moments_of(const vp_mass *mass, double out[6])
{
    for (int k = 0; k < 3; k++) {
        out[k] = mass->inertia[k];
        out[3 + k] = 0.0 - mass->inertia[3 + k];
    }
}
/* A record each: words; one; a list, as the hash of its words and of how many were found. */
void vp_record_words(const void *words, size_t count, vp_records *out);
void vp_record_u32(uint32_t word, vp_records *out);
void vp_record_list(const void *words, size_t count, uint32_t found, vp_records *out);
/* A chunk: its tag, and its masks; those of a chunk that stores none are what its tag stands for. */
void vp_record_chunk(uint32_t tag, const vp_chunk_masks *masks, vp_records *out);

/* ---- cases ---- */

/* How a step is run. */
typedef struct vp_setting {
    const vp_kernels *kernels;
    const vp_executor *executor; /* NULL: the calling thread */
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
/* What a world's broadphase stores: masks alone, and all memory. */
void vp_count_broadphase(const struct vp_broadphase *broadphase, vp_counters *counters);

/* What is done with a set that a row is measured on. */
enum {
    VP_TIMED = 1,    /* voxphys-bench: every native version; of the usual variant those in plain C too */
    VP_COUNTED = 2,  /* voxphys-count: every version of the named variants */
    VP_VERIFIED = 4, /* voxphys verify takes an operation here; kernels, and all on "fuzz-<n>", it takes anyway */
    /* of what is timed: */
    VP_SIMDE = 8,       /* what runs through SIMDe too, but for WebAssembly's */
    VP_PLAIN_C = 16,    /* versions in plain C of other variants too */
    VP_ENDS = 32,       /* the scalar and the best set alone */
    VP_NOT_SCALAR = 64, /* all but the scalar one */
    VP_THREADS = 128,   /* on 1, 2, 4, ... threads, by the clock on the wall */
    VP_THREAD = 256,    /* on one, likewise */
    VP_UNNAMED = 512,   /* names do not have the set */
    VP_NOISE = 1024     /* the scalar version twice more, which tells what is noise */
};

/* A set that a row is measured on. Names are ROW/VERSION[-WHO]/SET[/PARAMETER]. WHO is another way to answer the same question; rows with
   equal ROW, SET and PARAMETER are compared with each other. */
typedef struct vp_measured {
    const char *data;      /* "chunks/coherent" */
    uint32_t variants;     /* a bit each */
    uint32_t what;         /* of the above */
    uint32_t triangles;    /* only rays at meshes of about so many, by SIMD versions; 0: all */
    const char *who;       /* NULL: vp_case_way */
    const char *parameter; /* NULL: vp_case_question; the number of threads precedes it */
} vp_measured;
#define VP_ON(set, bits, does)                                                                                                             \
    {                                                                                                                                      \
        .data = (set), .variants = (bits), .what = (does)                                                                                  \
    }
#define VP_AS(set, bits, does, named, of)                                                                                                  \
    {                                                                                                                                      \
        .data = (set), .variants = (bits), .what = (does), .who = (named), .parameter = (of)                                               \
    }

/* A `make` of a case: what another begins, and an output of so many elements. */
#define VP_MAKE_OUTPUT(name, begin, type, member, element, count)                                                                          \
    static vp_status name(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)                             \
    {                                                                                                                                      \
        const vp_status status = begin(data, variant, arena, out, error);                                                                  \
        type *w = *out;                                                                                                                    \
        if (status == VP_OK)                                                                                                               \
            w->member = vp_arena_output(arena, count, sizeof(element), alignof(element), 0);                                               \
        return status;                                                                                                                     \
    }

/* A case's run of one step that calls a kernel for each of so many, and records of as many answers. `how` is the setting, w the work,
 * i the number. */
#define VP_RUN_EACH(name, type, number, call)                                                                                              \
    static vp_status name(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                          \
    {                                                                                                                                      \
        const type *w = argument;                                                                                                          \
        (void)step, (void)error;                                                                                                           \
        for (uint32_t i = 0; i < (number); i++)                                                                                            \
            call;                                                                                                                          \
        *items = (number);                                                                                                                 \
        return VP_OK;                                                                                                                      \
    }
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
    const char *const *variant; /* names, the usual one first, NULL behind the last; NULL: there is one, without a name */
    bool questions;             /* variants ask different questions; false: they are ways to answer one */
    bool sampled;               /* variant VP_SAMPLED, which has no name, is a sample of the set: what is verified unless
                                   all is asked for */
    bool (*takes)(const vp_data *data, uint32_t variant); /* of its kind; NULL: all */
    const char *reads;                                    /* what it takes, in words; NULL: the kind's words */
    /* Sets *work as soon as it can: the harness drops what fails half-way. The data outlives the work. */
    vp_status (*make)(const vp_data *data, uint32_t variant, vp_arena *arena, void **work, vp_error *error);
    uint32_t (*steps)(const void *work); /* NULL: 1 */
    /* Back to where step 0 begins: before every run of the steps, the first too, and after one that failed.
     * NULL: runs keep nothing. */
    vp_status (*rewind)(const vp_setting *how, void *work, vp_error *error);
    /* Answers go to the arena's outputs; or they are objects, and the arena has no output. */
    vp_status (*run)(const vp_setting *how, void *work, uint32_t step, uint64_t *items, vp_error *error);
    void (*records)(const void *work, vp_records *out); /* of the step before */
    /* By brute force or by properties, from the inputs alone: VP_E_FORMAT says what is wrong after a step. A
       row that has a reference alone must have one. NULL: versions are compared with the reference. */
    vp_status (*judge)(const void *work, uint32_t step, vp_error *error);
    void (*counters)(const void *work, vp_counters *out);
    void (*looks)(const void *work, vp_counters *out); /* how much the reference looks at; not timed */
    void (*frame)(const void *work, uint32_t step, struct vp_frame *out);
    void (*drop)(void *work);    /* destroys objects, which may be NULL; NULL: all is the arena's */
    bool same;                   /* answers do not depend on the variant */
    const char *const *notes;    /* of each variant, what is in an item, behind its unit; NULL: nothing */
    const char *beside;          /* the row under whose name it is measured; NULL: its own */
    const vp_measured *measured; /* NULL data behind the last */
} vp_case;

#define VP_CASE_EXTERN(k, ...) extern const vp_case vp_case_##k;
VP_KERNELS(VP_CASE_EXTERN)
VP_OPERATIONS(VP_CASE_EXTERN)
extern const vp_case *const vp_cases[VP_ROW_COUNT];

/* Whether a case runs on a set. */
bool vp_case_takes(const vp_case *c, const vp_data *data, uint32_t variant);
uint32_t vp_case_variants(const vp_case *c);
/* NULL: it has no name. */
const char *vp_case_variant(const vp_case *c, uint32_t variant);
/* The variant's part of a benchmark's name. A way follows the version; the usual way is "". A question follows the set. The other function
   returns "". */
const char *vp_case_way(const vp_case *c, uint32_t variant);
const char *vp_case_question(const vp_case *c, uint32_t variant);

/* ---- verification (verify.c) ---- */

typedef struct vp_check {
    uint64_t cases;      /* answers compared */
    uint64_t mismatches; /* answers that differ from the reference's; 1 for any other fault */
    uint64_t digest;     /* of the answers */
    vp_error why;        /* what is wrong, as what is said of a version: "differs from the reference in 1 of 40
                            answers..." */
} vp_check;

/* A version: the answers of one run of all steps, on the heap, are compared with the reference's.
   Closely: a second run of the steps has the same answers; so have runs in memory that ends, or begins, at
   pages which can't be touched; inputs and what lies beside outputs are as they were; when any request for
   memory is refused, that is told, and all is well afterwards. For small sets: it takes some twenty times as
   long.
   @param want  of vp_case_reference
   @return other than VP_OK: nothing could be checked; what is wrong is in *out */
vp_status vp_case_check(const vp_case *c, const vp_setting *how, const vp_data *data, uint32_t variant, const vp_records *want,
                        bool closely, vp_check *out, vp_error *error);

/* The reference's answers.
   @param check  what the judge says of them. Flipped: whether a flipped bit of any answer shows in the
   records, too
   @param out    to be destroyed, also after a failure */
vp_status vp_case_reference(const vp_case *c, const vp_kernels *kernels, const vp_data *data, uint32_t variant, bool flipped,
                            vp_records *out, vp_check *check, vp_error *error);

/* One session: make, rewind, steps, as a benchmark runs it. */
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
/* @return of drop and of vp_arena_destroy */
vp_status vp_session_close(vp_session *session, vp_error *error);

/* ---- versions (contender.c) ---- */

typedef enum vp_how { VP_HOW_NATIVE, VP_HOW_SIMDE, VP_HOW_AUTOVEC, VP_HOW_WORDS } vp_how;

/* A version of the registry, the reference auto-vectorised for the best set of this machine, or the optimized
 * algorithm in plain C. */
typedef struct vp_contender {
    char name[24]; /* "scalar", "scalar-autovec", "scalar-words", "avx2", "neon-simde", ... */
    vp_isa isa;    /* the set its instructions are of; of scalar-autovec the set it was vectorised for */
    vp_how how;
    bool usable; /* false: this machine cannot run it */
} vp_contender;

enum { VP_CONTENDERS_MAX = VP_ISA_COUNT + 3 };

/* All contenders of a kernel in this build, scalar first, usable or not; of an operation the instruction sets
 * that are here natively, or scalar alone if all kernels of its component are references. @return how many */
size_t vp_contenders(vp_row_id row, vp_contender out[VP_CONTENDERS_MAX]);

/* A table that is the scalar reference but for one kernel, which is the contender's; of an operation, all are
 * of its instruction set, or of the next best. */
vp_kernels vp_contender_table(const vp_contender *contender, vp_row_id row);

struct vp_hull;
/* XXH3-64 of all that must be equal of a hull: what is hashed of each set for `voxphys verify`. */
vp_status vp_hull_digest(const struct vp_hull *hull, uint64_t *out, vp_error *error);

#endif
