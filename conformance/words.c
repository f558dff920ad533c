/* SPDX-License-Identifier: MIT */
#include "conformance/words.h"

#include <inttypes.h>
#include <string.h>

#include "src/core/error.h"

bool vp_word_next(vp_words *words, const char **word, size_t *length)
{
    const char *at = words->at + strspn(words->at, " ");
    *word = at;
    *length = strcspn(at, " ");
    words->at = at + *length;
    return *length > 0;
}

bool vp_word_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

bool vp_word_said(vp_words *words, const char *text)
{
    vp_words left = *words;
    const char *word;
    size_t length;
    const bool said = vp_word_next(&left, &word, &length) && vp_word_is(word, length, text);
    if (said)
        *words = left;
    return said;
}

bool vp_word_whole(vp_words *words, int64_t least, int64_t most, int64_t *out)
{
    const char *word;
    size_t length;
    if (!vp_word_next(words, &word, &length) || length > 18)
        return false;
    const bool negative = word[0] == '-';
    int64_t value = 0;
    if (length == (negative ? 1u : 0u))
        return false;
    for (size_t i = negative ? 1 : 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        value = value * 10 + (word[i] - '0');
    }
    *out = negative ? -value : value;
    return *out >= least && *out <= most;
}

int vp_digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool vp_bits_read(const char *text, size_t length, float *out)
{
    uint32_t bits = 0;
    if (length != 8)
        return false;
    for (size_t i = 0; i < 8; i++) {
        const int digit = vp_digit_of(text[i]);
        if (digit < 0)
            return false;
        bits = bits << 4 | (uint32_t)digit;
    }
    memcpy(out, &bits, sizeof bits);
    return true;
}

vp_bits_text vp_bits_of(float value)
{
    uint32_t bits;
    vp_bits_text out;
    memcpy(&bits, &value, sizeof bits);
    snprintf(out.text, sizeof out.text, "%08" PRIx32, bits);
    return out;
}

void vp_words_floats(FILE *to, const float *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, " %s", vp_bits_of(number[i]).text);
}

bool vp_word_float(vp_words *words, float *out)
{
    const char *word;
    size_t length;
    return vp_word_next(words, &word, &length) && vp_bits_read(word, length, out);
}

/* ---- words of a question ---- */

/* Reports an invalid word. */
static vp_status wrong(const vp_reader *r, const char *what)
{
    const char *word;
    size_t length;
    int number = 0;
    vp_words count = {r->begin}, last = {r->last};
    if (!vp_word_next(&last, &word, &length))
        return vp_fail(r->error, VP_E_FORMAT, "the line ends where %s should be", what);
    for (const char *at = NULL; at != word; number++) {
        size_t passed;
        if (!vp_word_next(&count, &at, &passed))
            break;
    }
    return vp_fail(r->error, VP_E_FORMAT, "word %d, '%.*s', is not %s", number, (int)(length < 40 ? length : 40), word, what);
}

vp_status vp_reader_whole(vp_reader *r, int64_t least, int64_t most, int64_t *out, const char *what)
{
    r->last = r->words->at;
    return vp_word_whole(r->words, least, most, out) ? VP_OK : wrong(r, what);
}

vp_status vp_reader_floats(vp_reader *r, float *out, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        r->last = r->words->at;
        if (!vp_word_float(r->words, &out[i]))
            return wrong(r, what);
    }
    return VP_OK;
}
