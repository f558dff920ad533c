/* SPDX-License-Identifier: MIT */
/* Where no clock can be trusted: counted instructions and static models, in tables of their own. They are of no machine. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"
#include "tools/results.h"

enum { MOST_COLUMNS = 12 };

/* ---- instructions ---- */

/* Who is a column: the who without the form of trees. "scalar", "avx2", "neon-simde". */
static void column_of(const vp_row_name *n, char out[24])
{
    const bool vectorised = strcmp(n->via, "autovec") == 0, words = strcmp(n->via, "words") == 0, simde = strcmp(n->via, "simde") == 0;
    snprintf(out, 24, "%s%s", vectorised || words ? "scalar" : n->isa, vectorised ? "-autovec" : words ? "-words" : simde ? "-simde" : "");
}

static bool same_work(const vp_row_name *a, const vp_row_name *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->variant, b->variant) == 0 && strcmp(a->dataset, b->dataset) == 0 && strcmp(a->rest, b->rest) == 0;
}

/* The column's instructions for an item of this row's work; NaN if there is none. */
static double per_item(const json_t *rows, const vp_row_name *work, const char *column)
{
    const json_t *row;
    size_t i;
    json_array_foreach (rows, i, row) {
        vp_row_name n;
        char of[24];
        const char *name = vp_json_text(row, "name");
        if (name == NULL || !vp_row_name_read(name, &n) || !same_work(&n, work))
            continue;
        column_of(&n, of);
        if (strcmp(of, column) == 0)
            return vp_json_figure(row, "per_item");
    }
    return NAN;
}

/* Columns in the order in which they are met, scalar ones first as the file has them. @return how many */
static size_t columns_of(const json_t *rows, char column[MOST_COLUMNS][24])
{
    const json_t *row;
    size_t i, count = 0;
    json_array_foreach (rows, i, row) {
        vp_row_name n;
        const char *name = vp_json_text(row, "name");
        size_t k = 0;
        if (name == NULL || !vp_row_name_read(name, &n) || count == MOST_COLUMNS)
            continue;
        column_of(&n, column[count]);
        while (strcmp(column[k], column[count]) != 0)
            k++;
        count += k == count;
    }
    return count;
}

static void counts_table(vp_page *page, const json_t *counted)
{
    char column[MOST_COLUMNS][24];
    const json_t *rows = json_object_get(counted, "rows"), *row;
    const size_t columns = columns_of(rows, column);
    vp_row_name last = {.via = ""};
    size_t i;
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "kernel, data");
    vp_table_column(page, false, "for one of");
    for (size_t c = 0; c < columns; c++)
        vp_table_column(page, true, "%s", column[c]);
    json_array_foreach (rows, i, row) {
        vp_row_name n;
        const char *name = vp_json_text(row, "name"), *item = vp_json_text(row, "item");
        if (name == NULL || !vp_row_name_read(name, &n) || same_work(&n, &last))
            continue;
        last = n;
        vp_table_row(page);
        vp_table_cell(page, "%s%s%s, %s%s%s", n.kernel, n.variant[0] != '\0' ? " " : "", n.variant, n.dataset, n.rest[0] != '\0' ? "/" : "", n.rest);
        vp_table_cell(page, "%s", item != NULL ? item : "item");
        for (size_t c = 0; c < columns; c++) {
            const double count = per_item(rows, &n, column[c]);
            if (isnan(count))
                vp_table_cell(page, "-");
            else
                vp_table_cell(page, "%s", vp_figure_of(count).text);
        }
    }
    vp_table_end(page);
}

void vp_section_instructions(vp_page *page, const json_t *instructions)
{
    const json_t *counted;
    size_t i;
    if (instructions == NULL)
        return;
    vp_page_heading(page, VP_IN_BOTH, 2, "instructions", "Instructions");
    vp_page_say(page, VP_IN_BOTH, "How many instructions a version takes for an item: counted, not timed, on a little data (docs/BENCHMARKING.md). They are the same on "
                                  "every machine and say nothing of how long an instruction takes or waits. Versions through SIMDe show what that costs beside "
                                  "hand-written ones.");
    json_array_foreach (json_object_get(instructions, "counted"), i, counted) {
        const char *architecture = vp_json_text(counted, "architecture"), *by = vp_json_text(counted, "by"), *compiler = vp_json_text(counted, "compiler");
        vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Instructions on %s", architecture != NULL ? architecture : "an unknown architecture");
        vp_page_say(page, VP_IN_BOTH, "Counted by %s, of code by %s.", by != NULL ? by : "an unknown program", compiler != NULL ? compiler : "an unknown compiler");
        counts_table(page, counted);
    }
}

/* ---- models ---- */

static bool is_arm(const char *isa)
{
    return strcmp(isa, "neon") == 0;
}

static const json_t *model_of(const json_t *rows, const json_t *of, const char *core)
{
    const json_t *row;
    size_t i;
    json_array_foreach (rows, i, row)
        if (json_equal(json_object_get(row, "step"), json_object_get(of, "step")) && json_equal(json_object_get(row, "isa"), json_object_get(of, "isa")) &&
            strcmp(json_string_value(json_object_get(row, "core")), core) == 0)
            return row;
    return NULL;
}

static void models_table(vp_page *page, const json_t *rows, bool arm)
{
    const char *core[MOST_COLUMNS];
    const json_t *row, *last = NULL;
    size_t i, cores = 0;
    json_array_foreach (rows, i, row) {
        const char *name = vp_json_text(row, "core");
        size_t k = 0;
        if (is_arm(vp_json_text(row, "isa")) != arm || cores == MOST_COLUMNS)
            continue;
        while (k < cores && strcmp(core[k], name) != 0)
            k++;
        if (k == cores)
            core[cores++] = name;
    }
    vp_table_begin(page, VP_IN_BOTH, "sortable");
    vp_table_column(page, false, "step");
    vp_table_column(page, false, "version");
    vp_table_column(page, false, "makes");
    vp_table_column(page, true, "instructions");
    for (size_t c = 0; c < cores; c++)
        vp_table_column(page, true, "cycles, %s", core[c]);
    json_array_foreach (rows, i, row) {
        const char *isa = vp_json_text(row, "isa");
        if (is_arm(isa) != arm || (last != NULL && json_equal(json_object_get(last, "step"), json_object_get(row, "step")) &&
                                   json_equal(json_object_get(last, "isa"), json_object_get(row, "isa"))))
            continue;
        last = row;
        vp_table_row(page);
        vp_table_cell(page, "%s", vp_json_text(row, "step"));
        vp_table_cell(page, "%s", isa);
        vp_table_cell(page, "%.0f %s", vp_json_figure(row, "items"), vp_json_text(row, "item"));
        vp_table_cell(page, "%.0f", vp_json_figure(row, "instructions"));
        for (size_t c = 0; c < cores; c++) {
            const json_t *model = model_of(rows, row, core[c]);
            if (model == NULL)
                vp_table_cell(page, "-");
            else
                vp_table_cell(page, "%s", vp_figure_of(vp_json_figure(model, "cycles")).text);
        }
    }
    vp_table_end(page);
}

/* Whether every row has what the tables ask for. */
static bool are_models(const json_t *rows)
{
    const json_t *row;
    size_t i;
    json_array_foreach (rows, i, row)
        if (vp_json_text(row, "step") == NULL || vp_json_text(row, "isa") == NULL || vp_json_text(row, "core") == NULL || vp_json_text(row, "item") == NULL)
            return false;
    return json_array_size(rows) != 0;
}

void vp_section_models(vp_page *page, const json_t *models)
{
    const json_t *rows = json_object_get(models, "rows");
    const char *by = vp_json_text(models, "models"), *compiler = vp_json_text(models, "compiler");
    if (models == NULL || !are_models(rows))
        return;
    vp_page_heading(page, VP_IN_BOTH, 2, "models", "Static models");
    vp_page_say(page, VP_IN_BOTH, "What the models of %s say of inner steps, compiled by %s: cycles a step takes again and again, with everything in the first-level "
                                  "cache and every branch foreseen. No measurement; it is what there is of cores that nobody here has (docs/BENCHMARKING.md).",
                by != NULL ? by : "llvm-mca", compiler != NULL ? compiler : "gcc");
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Models of x86-64 cores");
    models_table(page, rows, false);
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Models of AArch64 cores");
    models_table(page, rows, true);
}
