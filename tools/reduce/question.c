/* SPDX-License-Identifier: MIT */
#include "tools/reduce/question.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "conformance/adapter.h"
#include "host/program.h"
#include "tools/reduce/reduce.h"
#include "tools/reduce/right.h"

/* ---- asking ---- */

/* How a question was answered: in what way, and by which word, if it begins with one. Two failures are the same if all of that is, of
   both programs. */
typedef struct answered {
    vp_reply reply;
    char word[16];
} answered;

typedef struct asker {
    vp_question_reduction *r;
    vp_adapter asked, against;
    size_t number;                 /* of the last question */
    answered wanted[2];
    bool against_wrong;            /* the other's answer to the question that is given is not what the corpus expects, */
    bool asked_right;              /* and this one's is */
    vp_likeness likeness;          /* of the last answer */
    char reason[VP_REASON_BYTES];  /* what is wrong with it, or why that cannot be told */
} asker;

static bool is_over(const asker *a)
{
    vp_question_reduction *r = a->r;
    r->stopped = r->stopped || *r->stop != 0 || r->tries >= r->most_tries;
    return r->stopped;
}

/* The first word, where it is one and no number. */
static void first_word(const char *words, char out[16])
{
    const size_t length = strcspn(words, " ");
    const bool is_word = length > 0 && length < 16 && strspn(words, "abcdefghijklmnopqrstuvwxyz") == length;
    snprintf(out, 16, "%.*s", is_word ? (int)length : 0, words);
}

/* @param words  receives the answer's words, to be freed; NULL where there are none */
static vp_status ask(vp_adapter *a, size_t number, const char *line, size_t length, answered *out, char **words, vp_error *error)
{
    const char *answer = NULL;
    char ending[80];
    *out = (answered){.word = ""};
    *words = NULL;
    const vp_status status = vp_adapter_ask(a, line, length, &out->reply, &answer, ending, error);
    if (status != VP_OK || out->reply != VP_REPLY_LINE)
        return status;
    const char *said = vp_answer_words(answer, number);
    if (said == NULL) {
        vp_adapter_end(a); /* what comes next would be to this question too */
        said = "nonsense";
    }
    first_word(said, out->word);
    *words = malloc(strlen(said) + 1);
    if (*words == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for an answer");
    memcpy(*words, said, strlen(said) + 1);
    return VP_OK;
}

static bool same(const answered *a, const answered *b)
{
    return a->reply == b->reply && strcmp(a->word, b->word) == 0;
}

/* A question as a line, to be freed, with the next number. */
static vp_status line_of(asker *a, const vp_question *q, char **line, size_t *length, vp_error *error)
{
    FILE *to = open_memstream(line, length);
    if (to == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a question");
    a->number = a->number % 1000000000 + 1;
    fprintf(to, "%zu ", a->number);
    vp_question_write(q, to);
    putc('\n', to);
    return fclose(to) == 0 ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a question");
}

/* Asks the program that is held for right, for the judge. */
static vp_status ask_against(void *user, const vp_question *q, char **words, vp_error *error)
{
    asker *a = user;
    char *line = NULL;
    size_t length = 0;
    answered found;
    vp_status status = line_of(a, q, &line, &length, error);
    if (status == VP_OK)
        status = ask(&a->against, a->number, line, length, &found, words, error);
    free(line);
    return status;
}

/* By what the corpus expects, where that is known: of the question that is given. */
static vp_status judge_by_promise(asker *a, const vp_question *q, char *const words[2], vp_error *error)
{
    const vp_vector v = {.id = "the vector", .about = "", .promise = a->r->promise, .expected = a->r->expected, .question = *q};
    char reason[VP_REASON_BYTES];
    vp_result result;
    vp_status status = vp_judge(&v, words[1], &result, a->reason, error);
    a->against_wrong = status == VP_OK && result != VP_RESULT_PASS;
    if (status == VP_OK && words[0] != NULL)
        status = vp_judge(&v, words[0], &result, reason, error);
    a->asked_right = words[0] != NULL && status == VP_OK && result == VP_RESULT_PASS;
    return status;
}

static vp_status judge(asker *a, const vp_question *q, char *const words[2], bool given, bool *fails, vp_error *error)
{
    const vp_held_right against = {ask_against, a};
    vp_status status = VP_OK;
    a->likeness = VP_LIKE_RIGHT;
    if (given && a->r->expected != NULL)
        status = judge_by_promise(a, q, words, error);
    if (status != VP_OK || a->asked_right || a->against_wrong)
        return status;
    if (words[0] == NULL)
        a->likeness = VP_LIKE_WRONG;
    else
        status = vp_judge_like(&against, q, words[1], words[0], &a->likeness, a->reason, error);
    *fails = status == VP_OK && a->likeness == VP_LIKE_WRONG;
    return status;
}

/* Asks both. `fails`: it is answered wrong, in the way that is wanted if `wanted` is not NULL; else it is the question that is given. */
static vp_status try_question(asker *a, const vp_question *q, const answered *wanted, answered found[2], bool *fails, vp_error *error)
{
    char *line = NULL, *words[2] = {NULL, NULL};
    size_t length = 0;
    *fails = false;
    vp_status status = line_of(a, q, &line, &length, error);
    a->r->tries++;
    if (status == VP_OK)
        status = ask(&a->against, a->number, line, length, &found[1], &words[1], error);
    if (status == VP_OK)
        status = ask(&a->asked, a->number, line, length, &found[0], &words[0], error);
    if (status == VP_OK && *a->r->stop == 0 && words[1] != NULL && (wanted == NULL || (same(&found[0], &wanted[0]) && same(&found[1], &wanted[1]))))
        status = judge(a, q, words, wanted == NULL, fails, error);
    free(words[0]);
    free(words[1]);
    free(line);
    return status;
}

static const char *in_words(const answered *a)
{
    switch (a->reply) {
    case VP_REPLY_LINE: return a->word[0] != '\0' ? a->word : "something else";
    case VP_REPLY_LATE: return "nothing in time";
    case VP_REPLY_ENDED: return "nothing, and ends";
    case VP_REPLY_ZERO: return "a line with a byte 0";
    default: return "more than an answer may have";
    }
}

/* ---- candidates ---- */

static bool copy_question(const vp_question *q, vp_question *out)
{
    const size_t cells = vp_question_cells(q);
    *out = *q;
    out->cells = q->cells != NULL ? malloc(cells + 1) : NULL;
    out->full = q->full != NULL ? malloc(cells + 1) : NULL;
    out->point = q->point != NULL ? malloc(((size_t)q->points + 1) * sizeof *q->point) : NULL;
    out->triangle = q->triangle != NULL ? malloc(((size_t)q->triangles + 1) * sizeof *q->triangle) : NULL;
    if ((q->cells != NULL && out->cells == NULL) || (q->full != NULL && out->full == NULL) || (q->point != NULL && out->point == NULL) ||
        (q->triangle != NULL && out->triangle == NULL))
        return false;
    if (q->cells != NULL)
        memcpy(out->cells, q->cells, cells + 1);
    if (q->full != NULL)
        memcpy(out->full, q->full, cells);
    if (q->point != NULL)
        memcpy(out->point, q->point, q->points * sizeof *q->point);
    if (q->triangle != NULL)
        memcpy(out->triangle, q->triangle, q->triangles * sizeof *q->triangle);
    return true;
}

/* Tries a candidate, which becomes the best or is dropped. */
static vp_status attempt(asker *a, vp_question *candidate, bool *fails, vp_error *error)
{
    answered found[2];
    *fails = false;
    vp_status status = is_over(a) ? VP_OK : try_question(a, candidate, a->wanted, found, fails, error);
    if (*fails) {
        const vp_question last = a->r->best;
        a->r->best = *candidate;
        *candidate = last;
        vp_progress("parts left out", a->r->begun_with - vp_question_parts(&a->r->best), a->r->begun_with + 1);
    }
    vp_question_drop(candidate);
    return status;
}

static vp_status no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for a question");
}

/* ---- fewer parts ---- */

static bool is_air(const vp_question *q, size_t cell)
{
    return q->full != NULL ? q->full[cell] == 0 : q->cells[cell] == '.';
}

size_t vp_question_parts(const vp_question *q)
{
    if (vp_questions_have_triangles(q->family))
        return q->triangles;
    if (vp_questions_have_points(q->family))
        return q->points;
    size_t count = 0;
    for (size_t i = 0; i < vp_question_cells(q); i++)
        count += !is_air(q, i);
    return count;
}

/* Vertices that no triangle has, left out. */
static bool drop_unused(vp_question *q)
{
    uint32_t kept = 0, *number = calloc((size_t)q->points + 1, sizeof *number); /* 1 where it is used, then its new number */
    if (number == NULL)
        return false;
    for (uint32_t t = 0; t < q->triangles; t++)
        for (int k = 0; k < 3; k++)
            number[q->triangle[t][k]] = 1;
    for (uint32_t v = 0; v < q->points; v++)
        if (number[v] != 0) {
            q->point[kept] = q->point[v];
            number[v] = kept++;
        }
    for (uint32_t t = 0; t < q->triangles; t++)
        for (int k = 0; k < 3; k++)
            q->triangle[t][k] = number[q->triangle[t][k]];
    q->points = kept;
    free(number);
    return true;
}

/* The parts from `from` up to `to` left out of a copy of the best. */
static bool without(const vp_question *q, size_t from, size_t to, vp_question *out)
{
    if (!copy_question(q, out))
        return false;
    if (vp_questions_have_triangles(q->family)) {
        memmove(out->triangle + from, q->triangle + to, (q->triangles - to) * sizeof *q->triangle);
        out->triangles -= (uint32_t)(to - from);
        return drop_unused(out);
    }
    if (vp_questions_have_points(q->family)) {
        memcpy(out->point + from, q->point + to, (q->points - to) * sizeof *q->point);
        out->points -= (uint32_t)(to - from);
        return true;
    }
    size_t number = 0;
    for (size_t i = 0; i < vp_question_cells(q); i++) {
        if (is_air(q, i))
            continue;
        if (number >= from && number < to && q->full != NULL)
            out->full[i] = 0;
        else if (number >= from && number < to)
            out->cells[i] = '.';
        number++;
    }
    return true;
}

/* Halves, quarters, ... single parts, as many as can be left out. */
static vp_status leave_out(asker *a, vp_error *error)
{
    vp_status status = VP_OK;
    if (a->r->best.family == VP_ASKED_RAY_TRIANGLE)
        return VP_OK;
    for (size_t step = (vp_question_parts(&a->r->best) + 1) / 2; status == VP_OK && step > 0 && !is_over(a); step /= 2)
        for (size_t from = 0; status == VP_OK && from < vp_question_parts(&a->r->best) && !is_over(a);) {
            const size_t parts = vp_question_parts(&a->r->best), to = parts - from < step ? parts : from + step;
            vp_question candidate;
            bool fails = false;
            if (!without(&a->r->best, from, to, &candidate)) {
                vp_question_drop(&candidate);
                return no_memory(error);
            }
            status = attempt(a, &candidate, &fails, error);
            from += fails ? 0 : step;
        }
    return status;
}

/* ---- a smaller grid ---- */

/* A grid without its first or its last layer along an axis, 0 to 2: x, y, z. A box that it is about moves with it. */
static bool cropped(const vp_question *q, int axis, bool first, vp_question *out)
{
    const vp_dims n = q->extents, m = {n.x - (axis == 0), n.y - (axis == 1), n.z - (axis == 2)};
    const uint32_t from[3] = {axis == 0 && first, axis == 1 && first, axis == 2 && first};
    size_t at = 0;
    if (!copy_question(q, out))
        return false;
    for (uint32_t y = 0; y < m.y; y++)
        for (uint32_t z = 0; z < m.z; z++)
            for (uint32_t x = 0; x < m.x; x++, at++) {
                const size_t of = ((size_t)(y + from[1]) * n.z + z + from[2]) * n.x + x + from[0];
                if (q->full != NULL)
                    out->full[at] = q->full[of];
                else
                    out->cells[at] = q->cells[of];
            }
    if (out->cells != NULL)
        out->cells[at] = '\0';
    out->extents = m;
    if (q->family == VP_ASKED_GRID_WALK) {
        out->first.x += (int32_t)from[0];
        out->first.y += (int32_t)from[1];
        out->first.z += (int32_t)from[2];
    } else if (vp_questions_have_box(q->family)) {
        const vp_vec3 by = {(float)from[0], (float)from[1], (float)from[2]};
        out->box.min = vp_vec3_sub(q->box.min, by);
        out->box.max = vp_vec3_sub(q->box.max, by);
    }
    return true;
}

static vp_status crop(asker *a, vp_error *error)
{
    vp_status status = VP_OK;
    for (int side = 0; vp_questions_have_cells(a->r->best.family) && status == VP_OK && side < 6; side++)
        for (bool fails = true; status == VP_OK && fails && !is_over(a);) {
            const vp_dims n = a->r->best.extents;
            vp_question candidate;
            if ((side / 2 == 0 ? n.x : side / 2 == 1 ? n.y : n.z) == 1)
                break;
            if (!cropped(&a->r->best, side / 2, side % 2 == 0, &candidate)) {
                vp_question_drop(&candidate);
                return no_memory(error);
            }
            status = attempt(a, &candidate, &fails, error);
        }
    return status;
}

/* ---- rounder numbers ---- */

/* The i-th number of a question; NULL behind the last. */
static float *number_of(vp_question *q, size_t i)
{
    const size_t columns = q->family == VP_ASKED_HULL2 ? 2 : 3;
    if (vp_questions_have_points(q->family) && i < q->points * columns) {
        vp_vec3 *p = &q->point[i / columns];
        return i % columns == 0 ? &p->x : i % columns == 1 ? &p->y : &p->z;
    }
    i -= vp_questions_have_points(q->family) ? q->points * columns : 0;
    float *const box[] = {&q->box.min.x, &q->box.min.y, &q->box.min.z, &q->box.max.x, &q->box.max.y, &q->box.max.z};
    float *const ray[] = {&q->ray.origin.x,    &q->ray.origin.y,    &q->ray.origin.z, &q->ray.direction.x,
                          &q->ray.direction.y, &q->ray.direction.z, &q->ray.t_max};
    if (vp_questions_have_box(q->family))
        return i < 6 ? box[i] : NULL;
    return vp_questions_have_ray(q->family) && i < 7 ? ray[i] : NULL;
}

/* Puts one number to the first rounder value that does. */
static vp_status round_number(asker *a, size_t i, bool *changed, vp_error *error)
{
    const float now = *number_of(&a->r->best, i);
    vp_status status = VP_OK;
    bool fails = false;
    float to;
    for (int k = 0; status == VP_OK && !fails && !is_over(a) && vp_rounder(now, k, &to); k++) {
        vp_question candidate;
        if (isnan(to))
            continue;
        if (!copy_question(&a->r->best, &candidate)) {
            vp_question_drop(&candidate);
            return no_memory(error);
        }
        *number_of(&candidate, i) = to;
        status = attempt(a, &candidate, &fails, error);
    }
    *changed = *changed || fails;
    return status;
}

static vp_status round_all(asker *a, bool *changed, vp_error *error)
{
    vp_status status = VP_OK;
    for (size_t i = 0; status == VP_OK && !is_over(a) && number_of(&a->r->best, i) != NULL; i++)
        status = round_number(a, i, changed, error);
    for (size_t i = 0; status == VP_OK && a->r->best.full != NULL && i < vp_question_cells(&a->r->best) && !is_over(a); i++) {
        vp_question candidate;
        bool fails;
        if (a->r->best.full[i] == 0 || a->r->best.full[i] == 255)
            continue;
        if (!copy_question(&a->r->best, &candidate)) {
            vp_question_drop(&candidate);
            return no_memory(error);
        }
        candidate.full[i] = 255;
        status = attempt(a, &candidate, &fails, error);
        *changed = *changed || fails;
    }
    return status;
}

/* ---- all of it ---- */

/* Asks the question that is given, twice: what is answered now so and now otherwise cannot be reduced. */
static vp_status find_failure(asker *a, vp_error *error)
{
    answered again[2];
    bool fails;
    vp_question_reduction *r = a->r;
    vp_status status = try_question(a, &r->best, NULL, a->wanted, &fails, error);
    if (status != VP_OK || *r->stop != 0)
        return status;
    if (a->wanted[1].reply != VP_REPLY_LINE)
        return vp_fail(error, VP_E_ARGUMENT, "%s, which the other is held against, answers %s", a->against.name, in_words(&a->wanted[1]));
    if (a->against_wrong && !a->asked_right)
        return vp_fail(error, VP_E_ARGUMENT, "%s, which the other is held against, answers wrong itself: %.200s", a->against.name, a->reason);
    if (!fails && a->likeness == VP_LIKE_UNDECIDED)
        return vp_fail(error, VP_E_ARGUMENT, "by %s it cannot be told what is right: %.200s", a->against.name, a->reason);
    if (!fails && r->expected != NULL && !a->asked_right && !a->against_wrong)
        return vp_fail(error, VP_E_ARGUMENT, "%s answers wrong by what the corpus expects of this vector, and right as far as %s tells, which is all that there is to tell smaller ones by",
                       a->asked.name, a->against.name);
    if (!fails)
        return vp_fail(error, VP_E_ARGUMENT, "there is nothing to reduce: %s answers right, as far as %s tells%s", a->asked.name,
                       a->asked_right ? "the corpus" : a->against.name, a->against_wrong ? ", and the other wrong" : "");
    status = try_question(a, &r->best, a->wanted, again, &fails, error);
    if (status == VP_OK && *r->stop == 0 && !fails)
        return vp_fail(error, VP_E_ARGUMENT, "%s is not answered the same way twice: first %s, then %s", vp_questions_name(r->best.family),
                       in_words(&a->wanted[0]), in_words(&again[0]));
    const bool same = a->wanted[0].reply == VP_REPLY_LINE && strcmp(a->wanted[0].word, a->wanted[1].word) == 0;
    snprintf(r->failure, sizeof r->failure, "%.63s answers %.40s, %.63s %.60s", a->asked.name, in_words(&a->wanted[0]), a->against.name,
             same ? "the same word, and something else behind it" : in_words(&a->wanted[1]));
    return status;
}

vp_status vp_question_reduce(vp_question_reduction *r, vp_error *error)
{
    asker a = {.r = r, .asked = {.command = r->asked, .limit = r->limit, .stop = r->stop},
               .against = {.command = r->against, .limit = r->limit, .stop = r->stop}};
    r->begun_with = vp_question_parts(&r->best);
    vp_status status = vp_adapter_open(&a.asked, error);
    if (status == VP_OK)
        status = vp_adapter_open(&a.against, error);
    const vp_adapter *const both[2] = {&a.asked, &a.against};
    for (int i = 0; status == VP_OK && i < 2; i++)
        if (!both[i]->can[r->best.family])
            status = vp_fail(error, VP_E_ARGUMENT, "%s does not know the family %s", both[i]->name, vp_questions_name(r->best.family));
    if (status == VP_OK)
        status = find_failure(&a, error);
    if (status == VP_OK && *r->stop == 0 && r->out != NULL)
        status = vp_question_save(r, error); /* a file that cannot be written is told before the work */
    for (bool changed = true; status == VP_OK && changed && !is_over(&a);) {
        changed = false;
        status = leave_out(&a, error);
        if (status == VP_OK)
            status = crop(&a, error);
        if (status == VP_OK)
            status = round_all(&a, &changed, error);
    }
    if (status != VP_OK && *r->stop != 0) { /* who is ended by a signal while it greets has not failed to */
        status = VP_OK;
        r->stopped = true;
    }
    vp_progress("", 1, 1);
    vp_adapter_close(&a.asked);
    vp_adapter_close(&a.against);
    return status;
}
