/* SPDX-License-Identifier: MIT */
/* Words of the line protocol (docs/CONFORMANCE.md). */
#ifndef VP_CONFORMANCE_WORDS_H
#define VP_CONFORMANCE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <voxphys/status.h>

/* The unread rest of a line. Spaces separate words. */
typedef struct vp_words {
    const char *at;
} vp_words;

/* Reads the next word. @return false past the end */
bool vp_word_next(vp_words *words, const char **word, size_t *length);
/* Whether a word is this text. */
bool vp_word_is(const char *word, size_t length, const char *text);
/* Skips the next word if it is this text. @return whether it was */
bool vp_word_said(vp_words *words, const char *text);
/* Reads the next word as a whole number from `least` to `most`, or as the bits of a binary32. @return false for any other word */
bool vp_word_whole(vp_words *words, int64_t least, int64_t most, int64_t *out);
bool vp_word_float(vp_words *words, float *out);

/* The value of a hexadecimal digit, or -1. */
int vp_digit_of(char c);
/* Converts eight hexadecimal digits, up to the end of the text, to a binary32 and back. */
bool vp_bits_read(const char *text, size_t length, float *out);
typedef struct vp_bits_text {
    char text[9];
} vp_bits_text;
vp_bits_text vp_bits_of(float value);

/* Writes numbers as bits, with a space before each. */
void vp_words_floats(FILE *to, const float *number, size_t count);

/* Reads the words of a question. A message names the word that is invalid. @return VP_E_FORMAT */
typedef struct vp_reader {
    vp_words *words;
    const char *begin, *last; /* start of the words, and of the current word */
    vp_error *error;
} vp_reader;
vp_status vp_reader_whole(vp_reader *r, int64_t least, int64_t most, int64_t *out, const char *what);
vp_status vp_reader_floats(vp_reader *r, float *out, size_t count, const char *what);

#endif
