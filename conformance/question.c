/* SPDX-License-Identifier: MIT */
#include "conformance/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"

/* ---- families ---- */

enum { CELLS = 1, POINTS = 2, TRIANGLES = 4, RAY = 8, BOX = 16 };

static const struct {
    const char *name;
    int has;
} families[VP_ASKED_COUNT] = {
    [VP_ASKED_DILATION] = {"dilation", CELLS},
    [VP_ASKED_OVERLAP] = {"overlap", CELLS | BOX},
    [VP_ASKED_GRID_WALK] = {"grid-walk", CELLS | RAY},
    [VP_ASKED_RAY_TRIANGLE] = {"ray-triangle", POINTS | RAY},
    [VP_ASKED_RAY_MESH] = {"ray-mesh", POINTS | TRIANGLES | RAY},
    [VP_ASKED_AABB_GATHER] = {"aabb-gather", POINTS | TRIANGLES | BOX},
    [VP_ASKED_MESHER] = {"mesher", CELLS},
    [VP_ASKED_HULL2] = {"hull2", POINTS},
    [VP_ASKED_HULL3] = {"hull3", POINTS},
};

const char *vp_questions_name(vp_asked_family family)
{
    return families[family].name;
}

vp_asked_family vp_questions_named(const char *name, size_t length)
{
    int f = 0;
    while (f < VP_ASKED_COUNT && !vp_word_is(name, length, families[f].name))
        f++;
    return (vp_asked_family)f;
}

bool vp_questions_have_cells(vp_asked_family family)
{
    return (families[family].has & CELLS) != 0;
}

bool vp_questions_have_points(vp_asked_family family)
{
    return (families[family].has & POINTS) != 0;
}

bool vp_questions_have_triangles(vp_asked_family family)
{
    return (families[family].has & TRIANGLES) != 0;
}

bool vp_questions_have_ray(vp_asked_family family)
{
    return (families[family].has & RAY) != 0;
}

bool vp_questions_have_box(vp_asked_family family)
{
    return (families[family].has & BOX) != 0;
}

/* ---- words ---- */

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

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool vp_bits_read(const char *text, size_t length, float *out)
{
    uint32_t bits = 0;
    if (length != 8)
        return false;
    for (size_t i = 0; i < 8; i++) {
        const int digit = digit_of(text[i]);
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

bool vp_word_float(vp_words *words, float *out)
{
    const char *word;
    size_t length;
    return vp_word_next(words, &word, &length) && vp_bits_read(word, length, out);
}

/* ---- reading ---- */

/* Where a reader is, for messages. */
typedef struct reading {
    vp_words *words;
    const char *begin, *last; /* of the words, and of the word that is read */
    vp_error *error;
} reading;

/* That a word is not what it should be. */
static vp_status wrong(const reading *r, const char *what)
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

static bool next_whole(reading *r, int64_t least, int64_t most, int64_t *out)
{
    r->last = r->words->at;
    return vp_word_whole(r->words, least, most, out);
}

static vp_status read_floats(reading *r, float *out, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        r->last = r->words->at;
        if (!vp_word_float(r->words, &out[i]))
            return wrong(r, what);
    }
    return VP_OK;
}

static vp_status read_vec3(reading *r, vp_vec3 *out, const char *what)
{
    float v[3];
    const vp_status status = read_floats(r, v, 3, what);
    if (status == VP_OK)
        *out = (vp_vec3){v[0], v[1], v[2]};
    return status;
}

static vp_status read_whole(reading *r, int64_t least, int64_t most, uint32_t *out, const char *what)
{
    int64_t value;
    if (!next_whole(r, least, most, &value))
        return wrong(r, what);
    *out = (uint32_t)value;
    return VP_OK;
}

static vp_status read_cells(reading *r, vp_question *q)
{
    const char *word;
    size_t length;
    vp_status status = VP_OK;
    uint32_t *const extent[3] = {&q->extents.x, &q->extents.y, &q->extents.z};
    for (int k = 0; status == VP_OK && k < 3; k++)
        status = read_whole(r, 1, VP_QUESTION_MAX_EXTENT, extent[k], "an extent");
    int32_t *const first[3] = {&q->first.x, &q->first.y, &q->first.z};
    for (int k = 0; status == VP_OK && q->family == VP_ASKED_GRID_WALK && k < 3; k++) {
        int64_t value;
        if (!next_whole(r, -VP_QUESTION_MAX_PLACE, VP_QUESTION_MAX_PLACE, &value))
            return wrong(r, "the place of the lowest cell");
        *first[k] = (int32_t)value;
    }
    if (status != VP_OK)
        return status;
    if ((uint64_t)q->extents.x * q->extents.y > VP_QUESTION_MAX_CELLS || vp_question_cells(q) > VP_QUESTION_MAX_CELLS)
        return vp_fail(r->error, VP_E_FORMAT, "a grid of %u x %u x %u has more than %d cells", q->extents.x, q->extents.y, q->extents.z,
                       VP_QUESTION_MAX_CELLS);
    const size_t cells = vp_question_cells(q), each = q->family == VP_ASKED_MESHER ? 2 : 1;
    if (!vp_word_next(r->words, &word, &length) || length != cells * each)
        return vp_fail(r->error, VP_E_FORMAT, "the cells of a grid of %u x %u x %u are %zu letters, not %zu", q->extents.x, q->extents.y, q->extents.z,
                       length, cells * each);
    void *room = malloc(cells + 1);
    if (room == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %zu cells", cells);
    if (each == 2) {
        q->full = room;
        for (size_t i = 0; i < cells; i++) {
            const int high = digit_of(word[2 * i]), low = digit_of(word[2 * i + 1]);
            if (high < 0 || low < 0)
                return vp_fail(r->error, VP_E_FORMAT, "cell %zu is '%.2s', not two hexadecimal digits", i, word + 2 * i);
            q->full[i] = (uint8_t)(high * 16 + low);
        }
        return VP_OK;
    }
    q->cells = room;
    memcpy(q->cells, word, cells);
    q->cells[cells] = '\0';
    const size_t good = strspn(q->cells, ".#~");
    return good == cells ? VP_OK : vp_fail(r->error, VP_E_FORMAT, "cell %zu is '%c', none of . # ~", good, q->cells[good]);
}

static vp_status read_points(reading *r, vp_question *q)
{
    vp_status status = VP_OK;
    q->points = 3;
    if (q->family != VP_ASKED_RAY_TRIANGLE)
        status = read_whole(r, 0, VP_QUESTION_MAX_POINTS, &q->points, "how many points there are");
    if (status == VP_OK && vp_questions_have_triangles(q->family))
        status = read_whole(r, 0, VP_QUESTION_MAX_POINTS, &q->triangles, "how many triangles there are");
    if (status != VP_OK)
        return status;
    const size_t left = strlen(r->words->at); /* a number takes two letters at least: what is not there gets no memory */
    if (q->points > left / 2 || q->triangles > left / 2)
        return vp_fail(r->error, VP_E_FORMAT, "the line is too short for %u points and %u triangles", q->points, q->triangles);
    q->point = malloc(((size_t)q->points + 1) * sizeof *q->point);
    q->triangle = malloc(((size_t)q->triangles + 1) * sizeof *q->triangle);
    if (q->point == NULL || q->triangle == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %u points and %u triangles", q->points, q->triangles);
    for (uint32_t i = 0; status == VP_OK && i < q->points; i++) {
        float v[3] = {0.0f, 0.0f, 0.0f};
        status = read_floats(r, v, q->family == VP_ASKED_HULL2 ? 2 : 3, "the bits of a coordinate");
        q->point[i] = (vp_vec3){v[0], v[1], v[2]};
    }
    for (uint32_t i = 0; status == VP_OK && i < q->triangles; i++)
        for (int k = 0; status == VP_OK && k < 3; k++)
            status = read_whole(r, 0, (int64_t)q->points - 1, &q->triangle[i][k], "a vertex's number");
    return status;
}

vp_status vp_question_read(vp_words *words, vp_asked_family family, vp_question *out, vp_error *error)
{
    reading r = {words, words->at, words->at, error};
    const char *word;
    size_t length;
    vp_status status = VP_OK;
    *out = (vp_question){.family = family};
    if (vp_questions_have_cells(family))
        status = read_cells(&r, out);
    if (status == VP_OK && vp_questions_have_points(family))
        status = read_points(&r, out);
    if (status == VP_OK && vp_questions_have_box(family))
        status = read_vec3(&r, &out->box.min, "the bits of a lower face");
    if (status == VP_OK && vp_questions_have_box(family))
        status = read_vec3(&r, &out->box.max, "the bits of an upper face");
    if (status == VP_OK && vp_questions_have_ray(family))
        status = read_vec3(&r, &out->ray.origin, "the bits of the origin");
    if (status == VP_OK && vp_questions_have_ray(family))
        status = read_vec3(&r, &out->ray.direction, "the bits of the direction");
    if (status == VP_OK && vp_questions_have_ray(family))
        status = read_floats(&r, &out->ray.t_max, 1, "the bits of t_max");
    if (status == VP_OK && vp_word_next(words, &word, &length))
        status = vp_fail(error, VP_E_FORMAT, "there are more words than a question of %s has, from '%.*s' on", vp_questions_name(family),
                         (int)(length < 40 ? length : 40), word);
    return status;
}

void vp_question_drop(vp_question *q)
{
    free(q->cells);
    free(q->full);
    free(q->point);
    free(q->triangle);
    *q = (vp_question){.family = q->family};
}

/* ---- writing ---- */

static void write_vec3(vp_vec3 v, bool flat, FILE *to)
{
    fprintf(to, " %s %s", vp_bits_of(v.x).text, vp_bits_of(v.y).text);
    if (!flat)
        fprintf(to, " %s", vp_bits_of(v.z).text);
}

void vp_question_write(const vp_question *q, FILE *to)
{
    fputs(vp_questions_name(q->family), to);
    if (vp_questions_have_cells(q->family)) {
        fprintf(to, " %u %u %u", q->extents.x, q->extents.y, q->extents.z);
        if (q->family == VP_ASKED_GRID_WALK)
            fprintf(to, " %d %d %d", q->first.x, q->first.y, q->first.z);
        if (q->cells != NULL)
            fprintf(to, " %s", q->cells);
        for (size_t i = 0; q->full != NULL && i < vp_question_cells(q); i++)
            fprintf(to, i == 0 ? " %02x" : "%02x", q->full[i]);
    }
    if (vp_questions_have_points(q->family)) {
        if (q->family != VP_ASKED_RAY_TRIANGLE)
            fprintf(to, " %u", q->points);
        if (vp_questions_have_triangles(q->family))
            fprintf(to, " %u", q->triangles);
        for (uint32_t i = 0; i < q->points; i++)
            write_vec3(q->point[i], q->family == VP_ASKED_HULL2, to);
        for (uint32_t i = 0; i < q->triangles; i++)
            fprintf(to, " %u %u %u", q->triangle[i][0], q->triangle[i][1], q->triangle[i][2]);
    }
    if (vp_questions_have_box(q->family)) {
        write_vec3(q->box.min, false, to);
        write_vec3(q->box.max, false, to);
    }
    if (vp_questions_have_ray(q->family)) {
        write_vec3(q->ray.origin, false, to);
        write_vec3(q->ray.direction, false, to);
        fprintf(to, " %s", vp_bits_of(q->ray.t_max).text);
    }
}
