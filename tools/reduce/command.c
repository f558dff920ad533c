/* SPDX-License-Identifier: MIT */
/* `voxphys reduce` reduces a question of the conformance corpus that a program answers wrong. The result is as small and round as possible
 * and gets the same wrong answer. Another program's answers serve as the reference. */
#include "tools/reduce/reduce.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/adapter.h"
#include "host/program.h"
#include "host/subprocess.h"
#include "host/system.h"
#include "tools/commands.h"
#include "tools/dataset/dataset.h"

enum { PATH_BYTES = 4096, MAX_SECONDS = 86400 };

typedef struct reduction {
    const char *asked, *against; /* commands of adapters */
    double limit;                /* time limit of an answer, seconds */

    const char *out;  /* written as soon as a failure is found, or NULL */
    json_t *expected; /* the expected answer, if the given question is a vector of the corpus, otherwise NULL. Decrement it */

    vp_shrinking shrinking;
    char failure[240]; /* description */
} reduction;

/* ---- asking ---- */

/* Kind of an answer, and its first word if it begins with one. Two failures are the same if these are equal for both programs. */
typedef struct reply_kind {
    vp_reply reply;
    char word[16];
} reply_kind;

typedef struct asker {
    reduction *r;
    vp_adapter asked, against;
    size_t number; /* number of the last question */
    reply_kind wanted[2];
    bool against_wrong;           /* the reference's answer to the given question differs from the corpus */
    bool asked_right;             /* the tested program's answer equals the corpus */
    vp_likeness likeness;         /* likeness of the last answer */
    char reason[VP_REASON_BYTES]; /* reason why the answer is wrong, or can't be judged */
} asker;

/* Copies the first word, if it consists of letters. */
static void first_word(const char *words, char out[16])
{
    const size_t length = strcspn(words, " ");
    const bool is_word = length > 0 && length < 16 && strspn(words, "abcdefghijklmnopqrstuvwxyz") == length;
    snprintf(out, 16, "%.*s", is_word ? (int)length : 0, words);
}

/* @param words  out: the answer's words, for free(), or NULL */
static vp_status ask(vp_adapter *a, size_t number, const char *line, size_t length, reply_kind *out, char **words, vp_error *error)
{
    const char *answer = NULL;
    char ending[80];
    *out = (reply_kind){.word = ""};
    *words = NULL;
    VP_RETURN_IF_FAILED(vp_adapter_ask(a, line, length, &out->reply, &answer, ending, error));
    if (out->reply != VP_REPLY_LINE)
        return VP_OK;
    const char *said = vp_answer_words(answer, number);
    if (said == NULL) {
        vp_adapter_end(a); /* the next line would answer this question too */
        said = "nonsense";
    }
    first_word(said, out->word);
    *words = malloc(strlen(said) + 1);
    if (*words == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for an answer");
    memcpy(*words, said, strlen(said) + 1);
    return VP_OK;
}

static bool same(const reply_kind *a, const reply_kind *b)
{
    return a->reply == b->reply && strcmp(a->word, b->word) == 0;
}

/* A question as a line with the next number. Free it. */
static vp_status line_of(asker *a, const vp_question *q, char **line, size_t *length, vp_error *error)
{
    a->number = a->number % 1000000000 + 1;
    *line = vp_question_line(q, a->number, length);
    return *line != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for a question");
}

/* Asks the reference, for the judge. */
static vp_status ask_against(void *user, const vp_question *q, char **words, vp_error *error)
{
    asker *a = user;
    char *line = NULL;
    size_t length = 0;
    reply_kind found;
    vp_status status = line_of(a, q, &line, &length, error);
    if (status == VP_OK)
        status = ask(&a->against, a->number, line, length, &found, words, error);
    free(line);
    return status;
}

/* Judges the given question by the expected answer of the corpus, if any. */
static vp_status judge_by_corpus(asker *a, const vp_question *q, char *const words[2], vp_error *error)
{
    char reason[VP_REASON_BYTES];
    vp_result result;
    vp_status status = vp_judge(q, a->r->expected, words[1], &result, a->reason, error);
    a->against_wrong = status == VP_OK && result != VP_RESULT_PASS;
    if (status == VP_OK && words[0] != NULL)
        status = vp_judge(q, a->r->expected, words[0], &result, reason, error);
    a->asked_right = words[0] != NULL && status == VP_OK && result == VP_RESULT_PASS;
    return status;
}

static vp_status judge(asker *a, const vp_question *q, char *const words[2], bool given, bool *fails, vp_error *error)
{
    const vp_likening likening = {ask_against, a, q, words[1], words[0], &a->likeness, a->reason, error};
    a->likeness = VP_LIKE_RIGHT;
    if (given && a->r->expected != NULL)
        VP_RETURN_IF_FAILED(judge_by_corpus(a, q, words, error));
    if (a->asked_right || a->against_wrong)
        return VP_OK;
    vp_status status = VP_OK;
    if (words[0] == NULL)
        a->likeness = VP_LIKE_WRONG;
    else
        status = vp_judge_like(&likening);
    *fails = status == VP_OK && a->likeness == VP_LIKE_WRONG;
    return status;
}

/* Asks both programs. `fails`: the answer is wrong, in the way of `wanted` unless it is NULL. NULL = the given question. */
static vp_status try_question(asker *a, const vp_question *q, const reply_kind *wanted, reply_kind found[2], bool *fails, vp_error *error)
{
    char *line = NULL, *words[2] = {NULL, NULL};
    size_t length = 0;
    *fails = false;
    vp_status status = line_of(a, q, &line, &length, error);
    a->r->shrinking.tries++;
    if (status == VP_OK)
        status = ask(&a->against, a->number, line, length, &found[1], &words[1], error);
    if (status == VP_OK)
        status = ask(&a->asked, a->number, line, length, &found[0], &words[0], error);
    if (status == VP_OK && *a->r->shrinking.stop == 0 && words[1] != NULL &&
        (wanted == NULL || (same(&found[0], &wanted[0]) && same(&found[1], &wanted[1]))))
        status = judge(a, q, words, wanted == NULL, fails, error);
    free(words[0]);
    free(words[1]);
    free(line);
    return status;
}

static const char *in_words(const reply_kind *a)
{
    switch (a->reply) {
    case VP_REPLY_LINE:
        return a->word[0] != '\0' ? a->word : "something else";
    case VP_REPLY_LATE:
        return "nothing in time";
    case VP_REPLY_ENDED:
        return "nothing, and ends";
    case VP_REPLY_ZERO:
        return "a line with a byte 0";
    default:
        return "more than an answer may have";
    }
}

static vp_status fails_as_wanted(void *user, const vp_question *q, bool *fails, vp_error *error)
{
    asker *a = user;
    reply_kind found[2];
    return try_question(a, q, a->wanted, found, fails, error);
}

/* ---- reducing ---- */

/* Asks the given question twice, because a failure that is not reproducible can't be reduced. */
static vp_status find_failure(asker *a, vp_error *error)
{
    reply_kind again[2];
    bool fails;
    reduction *r = a->r;
    VP_RETURN_IF_FAILED(try_question(a, &r->shrinking.best, NULL, a->wanted, &fails, error));
    if (*r->shrinking.stop != 0)
        return VP_OK;
    if (a->wanted[1].reply != VP_REPLY_LINE)
        return vp_fail(error, VP_E_ARGUMENT, "%s, which the other is held against, answers %s", a->against.name, in_words(&a->wanted[1]));
    if (a->against_wrong && !a->asked_right)
        return vp_fail(error, VP_E_ARGUMENT, "%s, which the other is held against, answers wrong itself: %.200s", a->against.name,
                       a->reason);
    if (!fails && a->likeness == VP_LIKE_UNDECIDED)
        return vp_fail(error, VP_E_ARGUMENT, "%s does not determine the right answer: %.200s", a->against.name, a->reason);
    if (!fails && r->expected != NULL && !a->asked_right && !a->against_wrong)
        return vp_fail(error, VP_E_ARGUMENT,
                       "%s answers wrong by the corpus and right by %s. Smaller questions need a trusted "
                       "program that agrees with the corpus",
                       a->asked.name, a->against.name);
    if (!fails)
        return vp_fail(error, VP_E_ARGUMENT, "nothing to reduce: %s answers right, compared with %s%s", a->asked.name,
                       a->asked_right ? "the corpus" : a->against.name, a->against_wrong ? ", and the other wrong" : "");
    vp_status status = try_question(a, &r->shrinking.best, a->wanted, again, &fails, error);
    if (status == VP_OK && *r->shrinking.stop == 0 && !fails)
        return vp_fail(error, VP_E_ARGUMENT, "%s is not answered the same way twice: first %s, then %s", r->shrinking.best.family->name,
                       in_words(&a->wanted[0]), in_words(&again[0]));
    const bool same = a->wanted[0].reply == VP_REPLY_LINE && strcmp(a->wanted[0].word, a->wanted[1].word) == 0;
    snprintf(r->failure, sizeof r->failure, "%.63s answers %.40s, %.63s %.60s", a->asked.name, in_words(&a->wanted[0]), a->against.name,
             same ? "the same word, followed by something else" : in_words(&a->wanted[1]));
    return status;
}

/* Makes `best` smaller.
   @return VP_E_ARGUMENT if no wrong answer is found, or not the same one twice. VP_E_MEMORY, VP_E_IO, errors of vp_adapter_open */
static vp_status reduce(reduction *r, vp_error *error)
{
    asker a = {.r = r,
               .asked = {.command = r->asked, .limit = r->limit, .stop = r->shrinking.stop},
               .against = {.command = r->against, .limit = r->limit, .stop = r->shrinking.stop}};
    r->shrinking.begun_with = vp_shrinking_parts(&r->shrinking.best);
    r->shrinking.user = &a;
    vp_status status = vp_adapter_open(&a.asked, error);
    if (status == VP_OK)
        status = vp_adapter_open(&a.against, error);
    const vp_adapter *const both[2] = {&a.asked, &a.against};
    for (int i = 0; status == VP_OK && i < 2; i++)
        if (!vp_adapter_can(both[i], r->shrinking.best.family))
            status = vp_fail(error, VP_E_ARGUMENT, "%s does not know the family %s", both[i]->name, r->shrinking.best.family->name);
    if (status == VP_OK)
        status = find_failure(&a, error);
    if (status == VP_OK && *r->shrinking.stop == 0 && r->out != NULL)
        status = vp_question_save(&r->shrinking.best, r->failure, r->out, error); /* finds errors of the file before the work */
    if (status == VP_OK)
        status = vp_shrink(&r->shrinking, error);
    if (status != VP_OK && *r->shrinking.stop != 0) { /* a program that a signal ends during its greeting has not failed */
        status = VP_OK;
        r->shrinking.stopped = true;
    }
    vp_adapter_close(&a.asked);
    vp_adapter_close(&a.against);
    return status;
}

/* ---- the command ---- */

/* The reference of this program, as a command for a shell. */
static bool own_reference(char out[PATH_BYTES + 64])
{
    char program[PATH_BYTES];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || length >= PATH_BYTES || memchr(program, '\'', (size_t)length) != NULL)
        return false;
    snprintf(out, PATH_BYTES + 64, "'%.*s' adapter --isa scalar", (int)length, program);
    return true;
}

static int print(const reduction *r, const char *in, const char *out, double seconds, bool json)
{
    const vp_shrinking *s = &r->shrinking;
    const size_t parts = vp_shrinking_parts(&s->best);
    if (json)
        return vp_print_json(json_pack("{s:o, s:s, s:I, s:I, s:I, s:s, s:b, s:f, s:o}", "input", vp_json_name(in), "family",
                                       s->best.family->name, "parts_before", (json_int_t)s->begun_with, "parts", (json_int_t)parts, "tries",
                                       (json_int_t)s->tries, "failure", r->failure, "complete", !r->shrinking.stopped, "seconds", seconds,
                                       "file", vp_json_name(out)));
    printf("%-9s %zu of the %zu of %s\n", s->best.family->part[0]->unit, parts, s->begun_with, in);
    printf("failure   %s\n", r->failure);
    printf("tries     %" PRIu64 " in %.2f s%s\n", s->tries, seconds, r->shrinking.stopped ? "; more would make it smaller" : "");
    printf("written   %s\n", out);
    return VP_EXIT_DONE;
}

int vp_command_reduce(int argc, char **argv)
{
    char own[PATH_BYTES + 64];
    float seconds = 10.0f;
    bool json;
    vp_error error;
    reduction r = {.shrinking = {.most_tries = 100000, .progress = "parts left out", .fails = fails_as_wanted}};
    const vp_argument arguments[] = {
        {"-o", "FILE", "required: the .json file to write", VP_TEXT(&r.out)},
        {"--adapter", "COMMAND", "required: the program that answers the question wrong", VP_TEXT(&r.asked)},
        {"--against", "COMMAND", "the trusted program (default: this program's adapter --isa scalar)", VP_TEXT(&r.against)},
        {"--limit", "SECONDS", "an answer that takes longer has failed (default 10)", VP_FLOAT(&seconds)},
        {"--tries", "N", "stop after N questions (default 100000)", VP_U64(&r.shrinking.most_tries, 2, UINT64_C(1000000000000))},
        {"--json", NULL, "print JSON", VP_FLAG(&json)},
    };
    vp_command_line line = VP_COMMAND_LINE(
        "reduce", "IN -o FILE --adapter COMMAND [OPTION...]", 1, 1, arguments,
        "Shrink a question of the conformance corpus that a program answers wrong.\n"
        "The corpus has the right answer of IN, and the trusted program those of reduced questions. IN is a vector's name\n"
        "(hull3/cube), or a file with a vector in JSON or one line of the protocol. Points, triangles and voxels are\n"
        "removed, grids cut, numbers rounded. FILE can be added to the corpus. Ctrl-C stops early: the file written by then\n"
        "still fails. Exit code 2, and no file, if IN is answered right.\n\n"
        "Example: voxphys reduce dilation/random-0 -o minimal.json --adapter \"voxphys adapter | sed -u 's/1$/0/'\"");
    if (!vp_command_parse(&line, argc, argv))
        return line.code;
    const char *const in = argv[1], *const out = vp_given(&line, "-o");
    if (out == NULL || vp_given(&line, "--adapter") == NULL)
        return vp_command_usage("reduce", "option '%s' is missing", out == NULL ? "-o" : "--adapter");
    if (!vp_ends(out, ".json"))
        return vp_command_usage("reduce", "-o '%s' does not end with .json", out);
    if (!vp_command_read(&line))
        return line.code;
    if (!(seconds > 0.0f) || seconds > (float)MAX_SECONDS)
        return vp_command_usage("reduce", "--limit '%s' is not above 0 and at most %d seconds", vp_given(&line, "--limit"), MAX_SECONDS);
    r.limit = (double)seconds;
    if (r.against == NULL && !own_reference(own))
        return vp_command_usage("reduce", "option '--against' is missing: it is not known here where this program is");
    if (r.against == NULL)
        r.against = own;
    r.shrinking.stop = vp_watch_signals();
    signal(SIGPIPE, SIG_IGN); /* writing to an adapter that has ended is an error, not a signal */
    const double begin = vp_seconds();
    vp_status status = vp_same_file(in, out) ? vp_fail(&error, VP_E_ARGUMENT, "FILE '%s' is the file that is read", vp_show_path(out).text)
                                             : vp_can_write(out, &error);
    if (status == VP_OK)
        status = vp_question_open(in, &r.shrinking.best, &r.expected, &error);
    if (status == VP_OK)
        status = reduce(&r, &error);
    if (r.failure[0] != '\0') { /* the result so far is kept, also after a failure */
        vp_error of_saving;
        const vp_status saved = vp_question_save(&r.shrinking.best, r.failure, r.out, &of_saving);
        if (status == VP_OK && saved != VP_OK)
            status = vp_fail(&error, saved, "%s", of_saving.message);
    }
    int code = status == VP_OK ? VP_EXIT_DONE : vp_command_fail("reduce", &error);
    if (status == VP_OK && r.failure[0] != '\0')
        code = print(&r, in, out, vp_seconds() - begin, json);
    if (status == VP_OK && *r.shrinking.stop != 0) {
        fprintf(stderr, "voxphys reduce: ended by signal %d%s\n", (int)*r.shrinking.stop,
                r.failure[0] != '\0' ? "; the written input still fails" : "");
        code = VP_EXIT_FAILED;
    }
    vp_question_drop(&r.shrinking.best);
    json_decref(r.expected);
    return code;
}
