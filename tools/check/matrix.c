/* SPDX-License-Identifier: MIT */
#include "tools/check/matrix.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/version.h>

#include "host/program.h"

enum { SHOWN = 20 }; /* failures shown per program */

uint32_t vp_matrix_count(const vp_matrix *m, size_t column, const vp_family *family, vp_result result)
{
    uint32_t count = 0;
    for (size_t v = 0; v < m->vectors; v++)
        count += m->vector[v]->question.family == family && m->column[column].cell[v].result == result ? 1 : 0;
    return count;
}

uint32_t vp_matrix_question(const vp_matrix *m, const vp_family *family)
{
    uint32_t count = 0;
    for (size_t v = 0; v < m->vectors; v++)
        count += m->vector[v]->question.family == family ? 1 : 0;
    return count;
}

void vp_matrix_describe(const vp_matrix *m, size_t column, const vp_family *family, char text[120])
{
    size_t length = 0;
    text[0] = '\0';
    for (int r = 0; r < VP_RESULT_ABSENT; r++) {
        const uint32_t count = vp_matrix_count(m, column, family, (vp_result)r);
        if (count > 0)
            length += (size_t)snprintf(text + length, 120 - length, "%s%u %s", length > 0 ? ", " : "", count, vp_result_name((vp_result)r));
    }
    if (length == 0)
        snprintf(text, 120, "-");
}

/* ---- text ---- */

static size_t column_width(const vp_matrix *m, size_t column)
{
    char text[120];
    size_t width = strlen(m->column[column].name);
    if (strlen(m->column[column].version) > width)
        width = strlen(m->column[column].version);
    for (const vp_family *const *f = vp_families; *f != NULL; f++) {
        vp_matrix_describe(m, column, *f, text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return width;
}

static void print_table(const vp_matrix *m)
{
    char text[120];
    printf("%-12s %8s", "", "");
    for (size_t c = 0; c < m->columns; c++)
        printf("   %-*s", (int)column_width(m, c), m->column[c].name);
    printf("\n%-12s %8s", "family", "vectors");
    for (size_t c = 0; c < m->columns; c++)
        printf("   %-*s", (int)column_width(m, c), m->column[c].version);
    putchar('\n');
    for (const vp_family *const *f = vp_families; *f != NULL; f++) {
        const uint32_t asked = vp_matrix_question(m, *f);
        if (asked == 0)
            continue;
        printf("%-12s %8u", (*f)->name, asked);
        for (size_t c = 0; c < m->columns; c++) {
            vp_matrix_describe(m, c, *f, text);
            const vp_colour colour = strstr(text, " pass") != NULL && strchr(text, ',') == NULL ? VP_COLOUR_GREEN : VP_COLOUR_RED;
            printf("   %s%-*s%s", strcmp(text, "-") != 0 ? vp_colour_code(colour) : "", (int)column_width(m, c), text,
                   vp_colour_code(VP_COLOUR_NONE));
        }
        putchar('\n');
    }
}

/* Prints a text as one word of a shell. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

/* Prints the command that reduces a failing vector. */
static void print_reduce(const vp_matrix *m, const vp_column *column)
{
    size_t v = 0;
    while (v < m->vectors && (column->cell[v].result < VP_RESULT_FAIL || column->cell[v].result > VP_RESULT_CRASH ||
                              column->cell[v].result == VP_RESULT_DIFFERS))
        v++;
    if (v == m->vectors)
        return;
    printf("\nTo make a question smaller that fails:\n  voxphys reduce %s -o small.json --adapter ", m->vector[v]->id);
    print_quoted(column->command);
    putchar('\n');
}

static void print_wrong(const vp_matrix *m, const vp_column *column)
{
    size_t shown = 0, more = 0;
    for (size_t v = 0; v < m->vectors; v++) {
        const vp_cell *cell = &column->cell[v];
        if (cell->result == VP_RESULT_PASS || cell->result == VP_RESULT_ABSENT)
            continue;
        if (shown == SHOWN) {
            more++;
            continue;
        }
        if (shown++ == 0)
            printf("\n%s:\n", column->name);
        char text[4 * VP_REASON_BYTES]; /* an answer may contain terminal escapes */
        vp_escape(m->vector[v]->about, text, sizeof text);
        printf("  %s%-7s%s %s: %s\n", vp_colour_code(VP_COLOUR_RED), vp_result_name(cell->result), vp_colour_code(VP_COLOUR_NONE),
               m->vector[v]->id, text);
        vp_escape(cell->reason, text, sizeof text);
        if (text[0] != '\0')
            printf("          %s\n", text);
    }
    if (more > 0)
        printf("  and %zu more, which --json and --html print\n", more);
    print_reduce(m, column);
}

void vp_matrix_print(const vp_matrix *m)
{
    printf("corpus %s: %zu vector%s\n\n", m->corpus->version, m->vectors, vp_plural(m->vectors));
    print_table(m);
    for (size_t c = 0; c < m->columns; c++)
        print_wrong(m, &m->column[c]);
}

/* ---- JSON ---- */

static json_t *families_json(const vp_matrix *m)
{
    json_t *list = json_array();
    for (size_t f = 0; f < m->corpus->families; f++) {
        const vp_corpus_family *family = &m->corpus->family[f];
        char hash[24];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)family->hash);
        json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:I, s:s}", "family", family->family->name, "title", family->title,
                                              "vectors", (json_int_t)family->count, "asked",
                                              (json_int_t)vp_matrix_question(m, family->family), "hash", hash));
    }
    return list;
}

static json_t *column_json(const vp_matrix *m, size_t c)
{
    const vp_column *column = &m->column[c];
    json_t *families = json_object();
    for (const vp_family *const *f = vp_families; *f != NULL; f++) {
        if (vp_matrix_question(m, *f) == 0)
            continue;
        json_t *counts = json_object();
        for (int r = 0; r < VP_RESULT_COUNT; r++)
            json_object_set_new(counts, vp_result_name((vp_result)r), json_integer(vp_matrix_count(m, c, *f, (vp_result)r)));
        json_object_set_new(families, (*f)->name, counts);
    }
    return json_pack("{s:s, s:s, s:o, s:I, s:f, s:o}", "name", column->name, "version", column->version, "command",
                     vp_json_name(column->command), "starts", (json_int_t)column->starts, "seconds", column->seconds, "families", families);
}

static json_t *vector_json(const vp_matrix *m, size_t v)
{
    const vp_vector *vector = m->vector[v];
    json_t *results = json_array();
    for (size_t c = 0; c < m->columns; c++) {
        const vp_cell *cell = &m->column[c].cell[v];
        json_t *result = json_pack("{s:s}", "result", vp_result_name(cell->result));
        if (cell->result != VP_RESULT_ABSENT)
            json_object_set_new(result, "seconds", json_real(cell->seconds));
        if (cell->reason[0] != '\0')
            json_object_set_new(result, "reason", vp_json_name(cell->reason));
        if (cell->answer != NULL)
            json_object_set_new(result, "answer", vp_json_name(cell->answer));
        json_array_append_new(results, result);
    }
    json_t *out = json_pack("{s:s, s:s, s:s, s:o}", "id", vector->id, "about", vector->about, "promise", vp_promise_name(vector->promise),
                            "results", results);
    if (vector->cites != NULL)
        json_object_set_new(out, "cites", json_deep_copy(vector->cites));
    return out;
}

struct json_t *vp_matrix_json(const vp_matrix *m)
{
    json_t *columns = json_array(), *vectors = json_array();
    for (size_t c = 0; c < m->columns; c++)
        json_array_append_new(columns, column_json(m, c));
    for (size_t v = 0; v < m->vectors; v++)
        json_array_append_new(vectors, vector_json(m, v));
    return json_pack("{s:i, s:s, s:s, s:o, s:f, s:o, s:o}", "schema", 1, "voxphys", vp_version_string(), "corpus", m->corpus->version,
                     "families", families_json(m), "timeout", m->limit, "adapters", columns, "vectors", vectors);
}
