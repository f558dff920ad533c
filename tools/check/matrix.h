/* SPDX-License-Identifier: MIT */
/* Results of all questions to several programs, as counts, text and JSON. */
#ifndef VP_TOOLS_CHECK_MATRIX_H
#define VP_TOOLS_CHECK_MATRIX_H

#include "conformance/adapter.h"
#include "conformance/corpus.h"

/* The result of one question to one program. */
typedef struct vp_cell {
    vp_result result;
    double seconds;
    char reason[VP_REASON_BYTES]; /* unless it passed */
    char *answer;                 /* start of a wrong answer, otherwise NULL */
    char *words;                  /* with --same: the first program's whole answer, otherwise NULL */
} vp_cell;

/* The results of one program. */
typedef struct vp_column {
    char name[VP_ADAPTER_MAX_NAME], version[VP_ADAPTER_MAX_NAME];
    const char *command;
    uint32_t starts; /* 1 = never restarted */
    double seconds;
    vp_cell *cell; /* one per vector */
} vp_column;

typedef struct vp_matrix {
    const vp_corpus *corpus;
    const vp_vector **vector; /* chosen vectors, family by family */
    size_t vectors;
    vp_column *column;
    size_t columns;
    double limit;
} vp_matrix;

/* Number of vectors of a family with a result, for one program. */
uint32_t vp_matrix_count(const vp_matrix *m, size_t column, const vp_family *family, vp_result result);
/* Number of vectors of a family that are asked. */
uint32_t vp_matrix_question(const vp_matrix *m, const vp_family *family);
/* "33 pass, 1 fail", or "-" */
void vp_matrix_describe(const vp_matrix *m, size_t column, const vp_family *family, char text[120]);

void vp_matrix_print(const vp_matrix *m);
struct json_t *vp_matrix_json(const vp_matrix *m);

#endif
