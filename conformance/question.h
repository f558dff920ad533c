/* SPDX-License-Identifier: MIT */
/* A question of the conformance corpus, as memory and as the words of the line protocol: docs/CONFORMANCE.md. It is shared by
 * `voxphys check`, which asks, and by the adapters, which answer. */
#ifndef VP_CONFORMANCE_QUESTION_H
#define VP_CONFORMANCE_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <voxphys/geometry.h>
#include <voxphys/kd_data.h>
#include <voxphys/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- families ---- */

typedef enum vp_asked_family {
    VP_ASKED_DILATION,
    VP_ASKED_OVERLAP,
    VP_ASKED_GRID_WALK,
    VP_ASKED_RAY_TRIANGLE,
    VP_ASKED_RAY_MESH,
    VP_ASKED_AABB_GATHER,
    VP_ASKED_MESHER,
    VP_ASKED_HULL2,
    VP_ASKED_HULL3,
    VP_ASKED_COUNT
} vp_asked_family;

/* "ray-mesh" */
const char *vp_questions_name(vp_asked_family family);
/* @return VP_ASKED_COUNT if there is none of that name */
vp_asked_family vp_questions_named(const char *name, size_t length);

/* ---- words ---- */

/* What is left of a line. Words are separated by spaces. */
typedef struct vp_words {
    const char *at;
} vp_words;

/* The next word; false behind the last. */
bool vp_word_next(vp_words *words, const char **word, size_t *length);
/* Whether a word is this text. */
bool vp_word_is(const char *word, size_t length, const char *text);
/* The next word as a whole number from `least` to `most`, or as the bits of a binary32; false if it is none. */
bool vp_word_whole(vp_words *words, int64_t least, int64_t most, int64_t *out);
bool vp_word_float(vp_words *words, float *out);

/* Eight hexadecimal digits as a number, and a number as those; the end of a text. */
bool vp_bits_read(const char *text, size_t length, float *out);
typedef struct vp_bits_text {
    char text[9];
} vp_bits_text;
vp_bits_text vp_bits_of(float value);

/* ---- questions ---- */

enum {
    VP_QUESTION_MAX_CELLS = 1 << 22,  /* of a grid */
    VP_QUESTION_MAX_POINTS = 1 << 22, /* or vertices, or triangles */
    VP_QUESTION_MAX_EXTENT = 1 << 16, /* along an axis of a grid */
    VP_QUESTION_MAX_PLACE = 1 << 24   /* of its lowest cell, from 0 */
};

/* What is asked. Of which members there are, the family says; the others are 0. */
typedef struct vp_question {
    vp_asked_family family;
    vp_dims extents;    /* of a grid: x fastest, then z, then y */
    vp_ivec3 first;     /* grid-walk: its lowest cell */
    char *cells;        /* '.' air, '#' solid, '~' water; ends with a byte of 0 */
    uint8_t *full;      /* mesher: 0 air, otherwise (full + 1)/256 full */
    vp_vec3 *point;     /* a triangle's corners, vertices, points; of hull2 z is 0 */
    uint32_t points;
    uint32_t (*triangle)[3]; /* of a mesh: each below `points` */
    uint32_t triangles;
    vp_ray ray;
    vp_aabb box;
} vp_question;

/* How many cells a grid has. */
static inline size_t vp_question_cells(const vp_question *q)
{
    return (size_t)q->extents.x * q->extents.y * q->extents.z;
}

/* Whether a family's questions have this. */
bool vp_questions_have_cells(vp_asked_family family);
bool vp_questions_have_points(vp_asked_family family);
bool vp_questions_have_triangles(vp_asked_family family);
bool vp_questions_have_ray(vp_asked_family family);
bool vp_questions_have_box(vp_asked_family family);

/* Reads the words behind a family's name. Numbers may be any: what is no ray is for adapters to refuse.
   @return VP_E_FORMAT: the message says which word is what; VP_E_MEMORY. Drop it, also after a failure. */
vp_status vp_question_read(vp_words *words, vp_asked_family family, vp_question *out, vp_error *error);

/* Writes the family's name and the words behind it, and no end of line. */
void vp_question_write(const vp_question *q, FILE *to);

/* Frees what a question holds; one of all zero bytes is left alone. */
void vp_question_drop(vp_question *q);

#ifdef __cplusplus
}
#endif

#endif
