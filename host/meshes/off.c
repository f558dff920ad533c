/* SPDX-License-Identifier: MIT */
#include "host/meshes/off.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/line_file.h"
#include "host/meshes/check.h"

enum { WORD = 48 };

typedef struct off_reader {
    FILE *file;
    uint64_t vertices, faces;
    bool homogeneous; /* a vertex has a fourth coordinate, by which the others are divided */
    vp_bytes *ply;
    vp_error *error;
} off_reader;

/* ---- words ---- */

static bool is_line_end(int c)
{
    return c == '\n' || c == '\r' || c == EOF;
}

/* Skips to the line's end, which stays unread. */
static void skip_line(FILE *file)
{
    int c = getc_unlocked(file);
    while (!is_line_end(c))
        c = getc_unlocked(file);
    if (c != EOF)
        ungetc(c, file);
}

/* Reads the next word of the line, cut to WORD - 1 bytes. @return false at its end and at a comment */
static bool next_word(FILE *file, char word[WORD])
{
    int c = getc_unlocked(file), length = 0;
    while (isspace(c) && !is_line_end(c))
        c = getc_unlocked(file);
    for (; c != EOF && !isspace(c) && c != '#'; c = getc_unlocked(file))
        if (length < WORD - 1)
            word[length++] = (char)c;
    if (c != EOF)
        ungetc(c, file);
    word[length] = '\0';
    return length != 0;
}

/* Reads the next word of the file, past comments. @return false at the file's end */
static bool next_word_of_file(FILE *file, char word[WORD])
{
    while (!next_word(file, word)) {
        skip_line(file);
        if (getc_unlocked(file) == EOF)
            return false;
    }
    return true;
}

static bool is_count(const char *word, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(word, &end, 10);
    *out = value;
    return isdigit((unsigned char)word[0]) && *end == '\0' && errno == 0;
}

/* ---- the head ---- */

/* Reads "OFF" and the letters before it. ST, C and N announce other values of a vertex, 4 a fourth coordinate, and n
   the number of dimensions on the next line. @return false for another word */
static bool read_keyword(off_reader *r, const char *word, bool *counted)
{
    const size_t length = strlen(word), letters = length - 3;
    if (length < 3 || strcmp(word + letters, "OFF") != 0 || strspn(word, "STCN4n") < letters)
        return false;
    r->homogeneous = memchr(word, '4', letters) != NULL;
    *counted = memchr(word, 'n', letters) != NULL;
    return true;
}

static vp_status no_counts(const off_reader *r)
{
    return vp_fail(r->error, VP_E_FORMAT, "no mesh: it does not begin as an OFF does, with its numbers of vertices and faces");
}

/* Skips the number of edges, which some programs omit. It ends the line of the counts or has a line of its own. A line
   of one number is neither a vertex nor a face.
   @return false if another word follows the counts */
static bool skip_edge_count(FILE *file)
{
    char word[WORD];
    uint64_t edges;
    if (next_word(file, word)) {
        skip_line(file);
        return is_count(word, &edges);
    }
    const long line = ftell(file);
    const bool alone = next_word_of_file(file, word) && is_count(word, &edges) && !next_word(file, word);
    return alone || fseek(file, line, SEEK_SET) == 0;
}

static vp_status read_head(off_reader *r)
{
    char word[WORD];
    uint64_t count[2], dimensions = 3;
    bool there = next_word_of_file(r->file, word), counted = false;
    if (there && read_keyword(r, word, &counted)) {
        there = next_word_of_file(r->file, word);
        if (there && strcmp(word, "BINARY") == 0)
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: it is a binary OFF; only text is read");
        if (counted && (!there || !is_count(word, &dimensions) || dimensions != 3))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: an OFF of \"%s\" dimensions; only three are read", word);
        there = counted ? next_word_of_file(r->file, word) : there;
    }
    for (int i = 0; i < 2; i++) {
        if (!there || !is_count(word, &count[i]))
            return no_counts(r);
        there = i == 1 || next_word_of_file(r->file, word);
    }
    if (!skip_edge_count(r->file))
        return no_counts(r);
    r->vertices = count[0];
    r->faces = count[1];
    return r->faces != 0 ? VP_OK : vp_fail(r->error, VP_E_FORMAT, "no mesh: it has no faces");
}

/* ---- vertices and faces ---- */

/* Reads the first word of vertex or face number i. */
static vp_status begin_item(off_reader *r, uint64_t i, uint64_t count, const char *what, char word[WORD])
{
    return next_word_of_file(r->file, word)
               ? VP_OK
               : vp_fail(r->error, VP_E_FORMAT, "no mesh: it is cut: it has %" PRIu64 " of its %" PRIu64 " %s", i, count, what);
}

static vp_status read_vertex(off_reader *r, uint64_t i)
{
    char word[WORD];
    float number[4] = {0, 0, 0, 1};
    const int numbers = r->homogeneous ? 4 : 3;
    vp_status status = begin_item(r, i, r->vertices, "vertices", word);
    for (int k = 0; status == VP_OK && k < numbers; k++) {
        if (k > 0 && !next_word(r->file, word))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: vertex %" PRIu64 " has %d of its %d coordinates", i, k, numbers);
        if (!vp_text_float(word, &number[k]))
            return vp_fail(r->error, VP_E_FORMAT,
                           "no mesh: vertex %" PRIu64 ": coordinate \"%s\" is not a number that a 32-bit float holds", i, word);
        if (!isfinite(number[k]))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: vertex %" PRIu64 ": coordinate \"%s\" must be finite", i, word);
    }
    if (status != VP_OK)
        return status;
    for (int k = 0; k < 3; k++) {
        const float divided = number[k] / number[3];
        if (!isfinite(divided))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: vertex %" PRIu64 ": %c = %g / %g must be finite", i, "xyz"[k],
                           (double)number[k], (double)number[3]);
        number[k] = divided;
    }
    vp_bytes_words(r->ply, number, 3);
    skip_line(r->file);
    return VP_OK;
}

static vp_status read_face(off_reader *r, uint64_t f)
{
    char word[WORD];
    uint64_t corners = 0, corner;
    vp_status status = begin_item(r, f, r->faces, "faces", word);
    if (status != VP_OK)
        return status;
    if (!is_count(word, &corners))
        return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " begins with \"%s\", not with a number of corners", f, word);
    if (corners == 0)
        return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " has 0 corners", f);
    status = vp_mesh_check_corners(f, corners, r->error);
    if (status != VP_OK)
        return status;
    vp_bytes_words(r->ply, &(uint32_t){(uint32_t)corners}, 1);
    for (uint64_t k = 0; k < corners; k++) {
        if (!next_word(r->file, word))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " has %" PRIu64 " of its %" PRIu64 " corners", f, k, corners);
        if (!is_count(word, &corner) || corner >= r->vertices)
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " has vertex %s of %" PRIu64, f, word, r->vertices);
        vp_bytes_words(r->ply, &(uint32_t){(uint32_t)corner}, 1);
    }
    skip_line(r->file);
    return VP_OK;
}

static vp_status read_all(off_reader *r)
{
    vp_status status = read_head(r);
    if (status == VP_OK && r->vertices > UINT32_MAX)
        status =
            vp_fail(r->error, VP_E_FORMAT, "no mesh: it has %" PRIu64 " vertices; %" PRIu32 " is the maximum", r->vertices, UINT32_MAX);
    if (status == VP_OK)
        vp_bytes_print(r->ply,
                       "ply\nformat binary_little_endian 1.0\nelement vertex %" PRIu64 "\nproperty float x\nproperty float y\n"
                       "property float z\nelement face %" PRIu64 "\nproperty list uint uint vertex_indices\nend_header\n",
                       r->vertices, r->faces);
    for (uint64_t i = 0; status == VP_OK && i < r->vertices; i++)
        status = read_vertex(r, i);
    for (uint64_t f = 0; status == VP_OK && f < r->faces; f++)
        status = read_face(r, f);
    if (status == VP_OK && r->ply->failed)
        status = vp_fail(r->error, VP_E_MEMORY, "no memory to read it");
    return status;
}

vp_status vp_off_as_ply(const char *path, vp_bytes *ply, vp_error *error)
{
    off_reader r = {.ply = ply, .error = error};
    *ply = (vp_bytes){0};
    vp_status status = vp_open_lines(path, &r.file, error);
    if (status != VP_OK)
        return status;
    status = read_all(&r);
    if (status == VP_OK && ferror(r.file))
        status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    fclose(r.file);
    return status;
}
