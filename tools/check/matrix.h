/* SPDX-License-Identifier: MIT */
/* What became of every question, asked of several programs: counted, printed, and as JSON. */
#ifndef VP_TOOLS_CHECK_MATRIX_H
#define VP_TOOLS_CHECK_MATRIX_H

#include "conformance/adapter.h"
#include "conformance/corpus.h"

/* One question, asked of one program. */
typedef struct vp_cell {
    vp_result result;
    double seconds;
    char reason[VP_REASON_BYTES]; /* of all but a pass */
    char *answer;                 /* of a wrong one its beginning; otherwise NULL */
    char *words;                  /* of the first program, where others are to say the same: all of it; otherwise NULL */
} vp_cell;

/* One program. */
typedef struct vp_column {
    char name[VP_ADAPTER_MAX_NAME], version[VP_ADAPTER_MAX_NAME];
    const char *command;
    uint32_t starts; /* 1: it never had to be started again */
    double seconds;
    vp_cell *cell; /* one a vector */
} vp_column;

typedef struct vp_matrix {
    const vp_corpus *corpus;
    const vp_vector **vector; /* those that are asked, family by family */
    size_t vectors;
    vp_column *column;
    size_t columns;
    double limit;
} vp_matrix;

/* How many vectors of a family have this result, of one program. */
uint32_t vp_matrix_count(const vp_matrix *m, size_t column, const vp_family *family, vp_result result);
/* How many vectors of a family are asked. */
uint32_t vp_matrix_question(const vp_matrix *m, const vp_family *family);
/* "33 pass, 1 fail", or "-" */
void vp_matrix_describe(const vp_matrix *m, size_t column, const vp_family *family, char text[120]);

void vp_matrix_print(const vp_matrix *m);
struct json_t *vp_matrix_json(const vp_matrix *m);

#endif
