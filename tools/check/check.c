/* SPDX-License-Identifier: MIT */
/* `voxphys check` asks programs the corpus, and prints a matrix of their results. */
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/version.h>

#include "host/program.h"
#include "tools/report.h"
#include "host/subprocess.h"
#include "host/system.h"
#include "tools/commands.h"
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

enum { SHOWN = 20 }; /* failures shown per program */

/* Number of vectors of a family with a result, for one program. */
static uint32_t vp_matrix_count(const vp_matrix *m, size_t column, const vp_family *family, vp_result result)
{
    uint32_t count = 0;
    for (size_t v = 0; v < m->vectors; v++)
        count += m->vector[v]->question.family == family && m->column[column].cell[v].result == result ? 1 : 0;
    return count;
}

/* Number of vectors of a family that are asked. */
static uint32_t vp_matrix_question(const vp_matrix *m, const vp_family *family)
{
    uint32_t count = 0;
    for (size_t v = 0; v < m->vectors; v++)
        count += m->vector[v]->question.family == family ? 1 : 0;
    return count;
}

/* "33 pass, 1 fail", or "-" */
static void vp_matrix_describe(const vp_matrix *m, size_t column, const vp_family *family, char text[120])
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

static void vp_matrix_print(const vp_matrix *m)
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

static json_t *vp_matrix_json(const vp_matrix *m)
{
    json_t *columns = json_array(), *vectors = json_array();
    for (size_t c = 0; c < m->columns; c++)
        json_array_append_new(columns, column_json(m, c));
    for (size_t v = 0; v < m->vectors; v++)
        json_array_append_new(vectors, vector_json(m, v));
    return json_pack("{s:i, s:s, s:s, s:o, s:f, s:o, s:o}", "schema", 1, "voxphys", vp_version_string(), "corpus", m->corpus->version,
                     "families", families_json(m), "timeout", m->limit, "adapters", columns, "vectors", vectors);
}

/* `voxphys check` sends the questions of the conformance corpus to programs, and reports which answers are right. */

enum { ANSWER_SHOWN = 1 << 20, MAX_SECONDS = 3600 };

/* Options and state of a run. */
typedef struct check_run {
    const char **commands; /* adapters, ends with NULL */
    const char **families;
    const char *vector;
    volatile const sig_atomic_t *stop;
    bool errors, same; /* same: compare with the first program's answers */
    size_t silent;     /* programs without a greeting */
    uint64_t asked;    /* number of questions */
    vp_corpus corpus;
    vp_matrix matrix;
} check_run;

/* ---- choice of vectors ---- */

static bool is_family_chosen(const check_run *r, const vp_family *family)
{
    bool chosen = r->families[0] == NULL;
    for (size_t f = 0; r->families[f] != NULL; f++)
        chosen = chosen || strcmp(r->families[f], family->name) == 0;
    return chosen;
}

static bool is_chosen(const check_run *r, const vp_vector *v)
{
    return is_family_chosen(r, v->question.family) && (r->vector == NULL || strcmp(r->vector, v->id) == 0);
}

/* Reports chosen families without a file. A vector's name begins with its family. */
static void tell_missing(const check_run *r)
{
    size_t missing = 0;
    for (const vp_family *const *f = vp_families; *f != NULL; f++) {
        const char *name = (*f)->name;
        const size_t length = strlen(name);
        bool there = false;
        for (size_t k = 0; k < r->corpus.families; k++)
            there = there || r->corpus.family[k].family == *f;
        if (!there && is_family_chosen(r, *f) && (r->vector == NULL || (strncmp(r->vector, name, length) == 0 && r->vector[length] == '/')))
            fprintf(stderr, "%s%s.json", missing++ == 0 ? "voxphys check: the corpus has no " : ", no ", name);
    }
    if (missing > 0)
        fputs(": missing parts are skipped\n", stderr);
}

static vp_status choose(check_run *r, vp_error *error)
{
    vp_matrix *m = &r->matrix;
    m->corpus = &r->corpus;
    m->vector = malloc((vp_corpus_count(&r->corpus) + 1) * sizeof *m->vector);
    if (m->vector == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %zu vectors", vp_corpus_count(&r->corpus));
    for (size_t f = 0; f < r->corpus.families; f++)
        for (size_t i = 0; i < r->corpus.family[f].count; i++)
            if (is_chosen(r, &r->corpus.family[f].vector[i]))
                m->vector[m->vectors++] = &r->corpus.family[f].vector[i];
    if (m->vectors == 0 && r->vector != NULL)
        return vp_fail(error, VP_E_ARGUMENT, "the corpus has no vector '%.80s' of these families", r->vector);
    return m->vectors > 0 ? VP_OK : vp_fail(error, VP_E_ARGUMENT, "the corpus has no vectors of these families");
}

/* ---- asking ---- */

static vp_status keep_answer(const char *line, vp_cell *cell, vp_error *error)
{
    const size_t length = strlen(line);
    cell->answer = malloc(length < ANSWER_SHOWN ? length + 1 : ANSWER_SHOWN + 4);
    if (cell->answer == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for an answer");
    snprintf(cell->answer, ANSWER_SHOWN + 4, "%.*s%s", ANSWER_SHOWN, line, length > ANSWER_SHOWN ? "..." : "");
    return VP_OK;
}

/* Whether two answers are equal, word by word. Reasons of refusals are ignored. */
static bool alike(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (strncmp(a, "refused", 7) == 0 && strncmp(b, "refused", 7) == 0);
}

/* Describes the first word in which two answers differ. */
static void say_difference(const char *answer, const char *first, char reason[VP_REASON_BYTES])
{
    vp_words a = {answer}, b = {first};
    const char *x, *y, *shown[2] = {"", ""};
    size_t count[2] = {0, 0}, length[2], cut[2] = {0, 0}, at = 0, differ = 0;
    for (;;) {
        const bool more = vp_word_next(&a, &x, &length[0]), other = vp_word_next(&b, &y, &length[1]);
        if (!more && !other)
            break;
        count[0] += more ? 1 : 0;
        count[1] += other ? 1 : 0;
        if (length[0] == length[1] && memcmp(x, y, length[0]) == 0)
            continue;
        if (differ++ == 0) {
            at = count[more ? 0 : 1];
            for (int i = 0; i < 2; i++) {
                shown[i] = i == 0 ? x : y;
                cut[i] = length[i] < 40 ? length[i] : 40;
            }
        }
    }
    vp_reason_say(reason, "word %zu of %zu is '%.*s', where the first program says '%.*s', of %zu; %zu words differ", at, count[0],
                  (int)cut[0], shown[0], (int)cut[1], shown[1], count[1], differ);
}

/* Compares a right answer with the first program's. `first` is NULL for that program itself. */
static vp_status compare(const char *words, const vp_cell *first, vp_cell *cell, vp_error *error)
{
    if (first == NULL) {
        cell->words = malloc(strlen(words) + 1);
        if (cell->words == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for an answer");
        strcpy(cell->words, words);
        return VP_OK;
    }
    if (first->words == NULL || alike(words, first->words) || (cell->result != VP_RESULT_PASS && cell->result != VP_RESULT_REFUSED))
        return VP_OK;
    cell->result = VP_RESULT_DIFFERS;
    say_difference(words, first->words, cell->reason);
    return keep_answer(words, cell, error);
}

/* @param first  the first program's answer to compare with, or NULL */
static vp_status judge(const check_run *r, vp_adapter *a, const vp_vector *v, size_t number, vp_reply reply, const char *line,
                       const char *ending, const vp_cell *first, vp_cell *cell, vp_error *error)
{
    cell->result = VP_RESULT_FAIL;
    if (reply == VP_REPLY_LATE) {
        cell->result = VP_RESULT_HANG;
        snprintf(cell->reason, sizeof cell->reason, "no answer within %g seconds", a->limit);
        return VP_OK;
    }
    if (reply == VP_REPLY_ENDED) {
        cell->result = VP_RESULT_CRASH;
        snprintf(cell->reason, sizeof cell->reason, "%s", ending);
        return VP_OK;
    }
    if (reply == VP_REPLY_ZERO) {
        snprintf(cell->reason, sizeof cell->reason, "the answer has a byte 0");
        return keep_answer(line, cell, error);
    }
    if (reply == VP_REPLY_LONG) {
        snprintf(cell->reason, sizeof cell->reason, "the answer has more than %d bytes", VP_ADAPTER_MAX_ANSWER);
        return VP_OK;
    }
    const char *words = vp_answer_words(line, number);
    if (words == NULL) {
        snprintf(cell->reason, sizeof cell->reason, "'%.60s%s' is not an answer to question %zu", line, strlen(line) > 60 ? "..." : "",
                 number);
        const vp_status status = keep_answer(line, cell, error);
        vp_adapter_end(a); /* the next line would answer an earlier question */
        return status;
    }
    vp_status status = vp_judge(&v->question, v->expected, words, &cell->result, cell->reason, error);
    if (status == VP_OK && cell->result == VP_RESULT_FAIL)
        status = keep_answer(words, cell, error);
    return status == VP_OK && r->same ? compare(words, first, cell, error) : status;
}

/* Fails a question that has more than one line of answer, even if the first line is right. */
static vp_status spoil(const vp_adapter *a, size_t number, vp_cell *cell, vp_error *error)
{
    if (cell->result == VP_RESULT_FAIL)
        return VP_OK;
    cell->result = VP_RESULT_FAIL;
    snprintf(cell->reason, sizeof cell->reason, "more than one line for question %zu: '%s' came after the answer", number, a->surplus);
    free(cell->answer);
    return keep_answer(a->surplus, cell, error);
}

/* Gives up a program that greeted once and does not after a restart. Its remaining questions get the same result. */
static void give_up(const vp_adapter *a, const char *why, vp_cell *cell)
{
    cell->result = a->late ? VP_RESULT_HANG : VP_RESULT_CRASH;
    snprintf(cell->reason, sizeof cell->reason, "it does not start again: %.200s", why);
}

/* @param gone  out: whether the program does not start again */
static vp_status ask(check_run *r, vp_adapter *a, const vp_vector *v, size_t number, const vp_cell *first, vp_cell *cell, bool *gone,
                     vp_error *error)
{
    char ending[80] = "";
    size_t length = 0;
    char *line = vp_question_line(&v->question, number, &length);
    if (line == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a question");
    vp_reply reply;
    const char *answer = NULL;
    const double begin = vp_seconds();
    vp_error why;
    vp_status status = vp_adapter_ask(a, line, length, &reply, &answer, ending, &why);
    cell->seconds = vp_seconds() - begin;
    r->asked++;
    *gone = status == VP_E_ARGUMENT;
    if (*gone) {
        give_up(a, why.message, cell);
        status = VP_OK;
    } else if (status != VP_OK) {
        vp_fail(error, status, "%s", why.message);
    } else if (*r->stop == 0)
        status = judge(r, a, v, number, reply, answer, ending, first, cell, error);
    free(line);
    return status;
}

static vp_status ask_vectors(check_run *r, vp_adapter *a, vp_column *column, vp_error *error)
{
    const vp_matrix *m = &r->matrix;
    const vp_cell *gone_since = NULL;
    vp_cell *last = NULL; /* last question */
    vp_status status = VP_OK;
    for (size_t v = 0; status == VP_OK && v < m->vectors && *r->stop == 0; v++) {
        vp_cell *cell = &column->cell[v];
        vp_progress(a->name, v, m->vectors);
        if (!vp_adapter_can(a, m->vector[v]->question.family)) {
            cell->result = VP_RESULT_ABSENT;
        } else if (gone_since != NULL) {
            cell->result = gone_since->result;
            memcpy(cell->reason, gone_since->reason, sizeof cell->reason);
        } else {
            bool gone = false;
            status = ask(r, a, m->vector[v], v + 1, column == m->column ? NULL : &m->column[0].cell[v], cell, &gone, error);
            if (status == VP_OK && a->more && last != NULL && *r->stop == 0)
                status = spoil(a, (size_t)(last - column->cell) + 1, last, error);
            last = cell;
            gone_since = gone ? cell : NULL;
        }
    }
    if (status == VP_OK && *r->stop == 0 && last != NULL && vp_adapter_finish(a) && *r->stop == 0)
        status = spoil(a, (size_t)(last - column->cell) + 1, last, error);
    vp_progress(a->name, 1, 1);
    return status;
}

/* Asks all questions of a program. One that does not greet gets a message and no column. */
static vp_status ask_all(check_run *r, const char *command, vp_error *error)
{
    vp_matrix *m = &r->matrix;
    vp_adapter adapter = {.command = command, .errors = r->errors, .limit = m->limit, .stop = r->stop};
    vp_status status = vp_adapter_open(&adapter, error);
    if (status == VP_E_ARGUMENT) {
        if (*r->stop == 0)
            vp_command_fail("check", error);
        if (r->same && m->columns == 0) {
            fputs("voxphys check: it is the first program, so the answers of the others are not compared with it\n", stderr);
            r->same = false;
        }
        r->silent++;
        vp_adapter_close(&adapter);
        return VP_OK;
    }
    if (adapter.unknown[0] != '\0')
        fprintf(stderr, "voxphys check: %s supports %s: unknown to the corpus, whose families are %s\n", adapter.name, adapter.unknown,
                vp_families_listed().text);
    vp_column *column = &m->column[m->columns++]; /* freed with the matrix, also after a failure */
    column->command = command;
    memcpy(column->name, adapter.name, sizeof column->name);
    memcpy(column->version, adapter.version, sizeof column->version);
    column->cell = status == VP_OK ? calloc(m->vectors, sizeof *column->cell) : NULL;
    if (status == VP_OK && column->cell == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for %zu results", m->vectors);
    const double begin = vp_seconds();
    if (status == VP_OK)
        status = ask_vectors(r, &adapter, column, error);
    column->seconds = vp_seconds() - begin;
    column->starts = adapter.starts;
    vp_adapter_close(&adapter);
    return status;
}

static vp_status run(check_run *r, const char *folder, vp_error *error)
{
    VP_RETURN_IF_FAILED(vp_corpus_open(folder, &r->corpus, error));
    tell_missing(r);
    VP_RETURN_IF_FAILED(choose(r, error));
    for (size_t c = 0; r->commands[c] != NULL && *r->stop == 0; c++)
        VP_RETURN_IF_FAILED(ask_all(r, r->commands[c], error));
    return VP_OK;
}

/* ---- the command ---- */

static bool all_right(const vp_matrix *m)
{
    for (size_t c = 0; c < m->columns; c++)
        for (size_t v = 0; v < m->vectors; v++)
            if (m->column[c].cell[v].result >= VP_RESULT_FAIL && m->column[c].cell[v].result <= VP_RESULT_CRASH)
                return false;
    return true;
}

/* The exit code of a completed run. */
static int code_of(const check_run *r)
{
    if (r->silent > 0)
        return VP_EXIT_USAGE;
    if (r->asked == 0) {
        fputs("voxphys check: no question was asked: no program supports a chosen family\n", stderr);
        return VP_EXIT_USAGE;
    }
    return all_right(&r->matrix) ? VP_EXIT_DONE : VP_EXIT_FAILED;
}

static void drop(check_run *r)
{
    for (size_t c = 0; c < r->matrix.columns; c++) {
        for (size_t v = 0; r->matrix.column[c].cell != NULL && v < r->matrix.vectors; v++)
            free(r->matrix.column[c].cell[v].answer), free(r->matrix.column[c].cell[v].words);
        free(r->matrix.column[c].cell);
    }
    free(r->matrix.vector);
    vp_corpus_close(&r->corpus);
}

/* Makes the page from the output of --json. */
static vp_status write_page(const vp_matrix *m, const char *path, vp_error *error)
{
    json_t *matrix = vp_matrix_json(m);
    FILE *file = matrix != NULL ? tmpfile() : NULL;
    vp_status status = VP_OK;
    if (file == NULL || json_dumpf(matrix, file, JSON_COMPACT) != 0 || fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)
        status = vp_fail(error, VP_E_IO, "the matrix cannot be handed over for %s", vp_show_path(path).text);
    else if (vp_report_run("check", "report.py", (const char *const[]){"check", path, NULL}, fileno(file)) != VP_EXIT_DONE)
        status = vp_fail(error, VP_E_IO, "%s is not written", vp_show_path(path).text);
    if (file != NULL)
        fclose(file);
    json_decref(matrix);
    return status;
}

static int refuse_family(const char *name)
{
    const char *names[VP_FAMILIES_MAX];
    size_t count = 0;
    while (vp_families[count] != NULL) {
        names[count] = vp_families[count]->name;
        count++;
    }
    return vp_command_none_of("check", "--family", name, names, count);
}

int vp_command_check(int argc, char **argv)
{
    const char *commands[VP_OPTION_MANY + 1], *families[VP_OPTION_MANY + 1], *corpus, *html;
    vp_column column[VP_OPTION_MANY] = {{.cell = NULL}};
    check_run r = {.commands = commands, .families = families, .matrix = {.column = column}};
    float seconds = 2.0f;
    bool json;
    const vp_argument arguments[] = {
        VP_GROUP("Programs and questions"),
        {"--adapter", "COMMAND...", "required: the program to test, run by /bin/sh; up to 64 times", VP_MANY(commands)},
        {"--corpus", "DIR", "folder of the corpus (default: the installed one)", VP_TEXT(&corpus)},
        {"--family", "NAME...", "test only this family; up to 64 times", VP_MANY(families)},
        {"--vector", "ID", "test only this vector, e.g. hull3/cube", VP_TEXT(&r.vector)},
        {"--timeout", "SECONDS",
         "an answer that takes longer is a hang (default 2); a greeting may take ten times as long, at least 2 seconds",
         VP_FLOAT(&seconds)},
        {"--same", NULL, "require answers that equal the first program's, character by character, for bit-exact ports", VP_FLAG(&r.same)},
        VP_GROUP("Output"),
        {"--errors", NULL, "show what the programs write to standard error", VP_FLAG(&r.errors)},
        {"--html", "FILE", "also write the matrix as an HTML page", VP_TEXT(&html)},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("check", "--adapter COMMAND [OPTION...]", 0, 0, arguments,
                        "Run the conformance corpus against your implementation, in any language, and print which vectors pass.\n"
                        "The corpus has dilation, box and ray queries, surfaces and hulls, with cases that made other programs fail. The\n"
                        "program is an adapter. It reads one question per line and writes one answer per line (docs/CONFORMANCE.md).\n"
                        "examples/adapter.py is one in some 65 lines. Exit code 1 if an answer is wrong or late, or the program exits.\n"
                        "Declined questions are reported, and are no failures. Exit code 2 if a program sends no greeting (the others\n"
                        "still run), or if no program supports a requested family.\n\n"
                        "Example: voxphys check --adapter 'voxphys adapter' --family hull3");
    int code;
    if (!vp_command_parse(&line, argc, argv))
        return line.code;
    if (commands[0] == NULL)
        return vp_command_usage("check", "option '--adapter' is missing: the program to ask, such as 'voxphys adapter'");
    if (vp_given(&line, "--same") != NULL && commands[1] == NULL)
        return vp_command_usage("check", "--same needs two '--adapter' or more");
    if (!vp_command_read(&line))
        return line.code;
    if (!(seconds > 0.0f) || seconds > (float)MAX_SECONDS)
        return vp_command_usage("check", "--timeout '%s' is not above 0 and at most %d seconds", vp_given(&line, "--timeout"), MAX_SECONDS);
    r.matrix.limit = (double)seconds;
    for (size_t f = 0; families[f] != NULL; f++)
        if (vp_family_named(families[f], strlen(families[f])) == NULL)
            return refuse_family(families[f]);
    vp_error error;
    r.stop = vp_watch_signals();
    signal(SIGPIPE, SIG_IGN); /* writing to an adapter that has ended is an error, not a signal */
    vp_status status = html != NULL ? vp_can_write(html, &error) : VP_OK; /* finds errors of the file before the work */
    if (status == VP_OK && html != NULL &&
        (code = vp_report_run("check", "report.py", (const char *const[]){"ready", NULL}, -1)) != VP_EXIT_DONE)
        return code;
    if (status == VP_OK)
        status = run(&r, corpus, &error);
    const bool any = r.matrix.columns > 0;
    if (status == VP_OK && *r.stop == 0 && any && html != NULL)
        status = write_page(&r.matrix, html, &error);
    if (status != VP_OK) {
        code = vp_command_fail("check", &error);
    } else if (*r.stop != 0) {
        code = VP_EXIT_FAILED;
    } else if (any && json) {
        code = vp_print_json(vp_matrix_json(&r.matrix));
    } else {
        if (any)
            vp_matrix_print(&r.matrix);
        code = VP_EXIT_DONE;
    }
    if (status == VP_OK && *r.stop != 0)
        fprintf(stderr, "voxphys check: ended by signal %d\n", (int)*r.stop);
    else if (status == VP_OK && code == VP_EXIT_DONE)
        code = code_of(&r);
    drop(&r);
    return code;
}
