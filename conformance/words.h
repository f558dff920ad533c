/* SPDX-License-Identifier: MIT */
/* The words of the line protocol: docs/CONFORMANCE.md. */
#ifndef VP_CONFORMANCE_WORDS_H
#define VP_CONFORMANCE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/status.h>

/* What is left of a line. Words are separated by spaces. */
typedef struct vp_words {
    const char *at;
} vp_words;

/* The next word; false behind the last. */
bool vp_word_next(vp_words *words, const char **word, size_t *length);
/* Whether a word is this text. */
bool vp_word_is(const char *word, size_t length, const char *text);
/* Whether the next word is this text, which is passed then. */
bool vp_word_said(vp_words *words, const char *text);
/* The next word as a whole number from `least` to `most`, or as the bits of a binary32; false if it is none. */
bool vp_word_whole(vp_words *words, int64_t least, int64_t most, int64_t *out);
bool vp_word_float(vp_words *words, float *out);

/* A hexadecimal digit; -1 of what is none. */
int vp_digit_of(char c);
/* Eight hexadecimal digits as a number, and a number as those; the end of a text. */
bool vp_bits_read(const char *text, size_t length, float *out);
typedef struct vp_bits_text {
    char text[9];
} vp_bits_text;
vp_bits_text vp_bits_of(float value);

/* Reads a question's words, and tells which of them is not what it should be: VP_E_FORMAT. */
typedef struct vp_reader {
    vp_words *words;
    const char *begin, *last; /* of the words, and of the word that is read */
    vp_error *error;
} vp_reader;
vp_status vp_reader_whole(vp_reader *r, int64_t least, int64_t most, int64_t *out, const char *what);
vp_status vp_reader_floats(vp_reader *r, float *out, size_t count, const char *what);

#endif
