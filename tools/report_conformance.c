/* SPDX-License-Identifier: MIT */
/* What is told of the conformance corpus: which program answers which family right, and what it answers wrong. */
#include <stdio.h>
#include <string.h>

#include "tools/report_sections.h"

enum { WRONG_SHOWN = 6 }; /* of each program and family */

static const char *const results[] = {"pass", "fail", "differs", "hang", "crash", "refused"};
enum { PASS = 0, REFUSED = 5, RESULTS = sizeof results / sizeof results[0] };

/* "80 pass, 2 fail"; "-" where a program does not offer the family. */
static void cell_of_family(vp_page *page, const json_t *adapter, const char *family)
{
    const json_t *counts = json_object_get(json_object_get(adapter, "families"), family);
    char text[160] = "";
    json_int_t wrong = 0, right = 0;
    for (size_t r = 0; r < RESULTS; r++) {
        const json_int_t count = json_integer_value(json_object_get(counts, results[r]));
        wrong += r != PASS && r != REFUSED ? count : 0;
        right += r == PASS ? count : 0;
        if (count > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld %s", text[0] != '\0' ? ", " : "", (long long)count, results[r]);
    }
    if (wrong + right > 0) /* who refuses everything is neither */
        vp_table_mark(page, wrong == 0);
    vp_table_cell(page, "%s", text[0] != '\0' ? text : "-");
}

static void matrix(vp_page *page, const json_t *conformance)
{
    const json_t *adapters = json_object_get(conformance, "adapters"), *adapter, *family;
    size_t a, f;
    vp_table_begin(page, VP_IN_BOTH, "");
    vp_table_column(page, false, "program");
    json_array_foreach (json_object_get(conformance, "families"), f, family)
        vp_table_column(page, false, "%s, %lld", vp_json_text(family, "family"), (long long)json_integer_value(json_object_get(family, "asked")));
    json_array_foreach (adapters, a, adapter) {
        vp_table_row(page);
        vp_table_cell(page, "%s %s", vp_json_text(adapter, "name"), vp_json_text(adapter, "version"));
        json_array_foreach (json_object_get(conformance, "families"), f, family)
            cell_of_family(page, adapter, vp_json_text(family, "family"));
    }
    vp_table_end(page);
}

/* Whether a vector's id, "hull3/cube", is of a family. */
static bool is_of(const char *id, const char *family)
{
    const size_t length = strlen(family);
    return strncmp(id, family, length) == 0 && id[length] == '/';
}

/* The first questions of a family that a program answers wrong. */
static void wrong_rows(vp_page *page, const json_t *conformance, size_t column, const char *name, const char *family)
{
    const json_t *vector;
    size_t v, wrong = 0;
    json_array_foreach (json_object_get(conformance, "vectors"), v, vector) {
        const json_t *result = json_array_get(json_object_get(vector, "results"), column);
        const char *word = vp_json_text(result, "result"), *reason = vp_json_text(result, "reason");
        if (!is_of(vp_json_text(vector, "id"), family) || strcmp(word, "pass") == 0 || strcmp(word, "absent") == 0 || strcmp(word, "refused") == 0)
            continue;
        if (wrong++ >= WRONG_SHOWN)
            continue;
        vp_table_row(page);
        vp_table_cell(page, "%s", name);
        vp_table_cell(page, "%s", vp_json_text(vector, "id"));
        vp_table_cell(page, "%s", word);
        vp_table_cell(page, "%.160s", reason != NULL ? reason : "");
    }
    if (wrong > WRONG_SHOWN) {
        vp_table_row(page);
        vp_table_cell(page, "%s", name);
        vp_table_cell(page, "%s", family);
        vp_table_cell(page, "%zu more", wrong - WRONG_SHOWN);
        vp_table_cell(page, "%s", "");
    }
}

void vp_section_conformance(vp_page *page, const vp_result *r)
{
    const json_t *adapters = json_object_get(r->conformance, "adapters"), *adapter, *family;
    size_t a, f;
    vp_page_heading(page, VP_IN_BOTH, 3, NULL, "Conformance");
    if (r->conformance == NULL) {
        vp_page_say(page, VP_IN_BOTH, "Unknown: there is no conformance.json.");
        return;
    }
    vp_page_say(page, VP_IN_BOTH,
                "The questions of the conformance corpus %s (docs/CONFORMANCE.md), asked of every version here, of other libraries and of the examples. "
                "Right answers come from exact arithmetic, from trying everything, or from what all right answers have in common. A program that "
                "refuses has said so, and a dash is a family that it does not offer. Libraries are used as in the benchmark, and get every question as "
                "it stands: NaNs and rays without a direction too.",
                vp_json_text(r->conformance, "corpus"));
    matrix(page, r->conformance);
    vp_page_say(page, VP_IN_BOTH, "What is answered wrong, of each family at most %d:", WRONG_SHOWN);
    vp_table_begin(page, VP_IN_BOTH, "facts");
    vp_table_column(page, false, "program");
    vp_table_column(page, false, "question");
    vp_table_column(page, false, "result");
    vp_table_column(page, false, "why");
    json_array_foreach (adapters, a, adapter)
        json_array_foreach (json_object_get(r->conformance, "families"), f, family)
            wrong_rows(page, r->conformance, a, vp_json_text(adapter, "name"), vp_json_text(family, "family"));
    vp_table_end(page);
}
