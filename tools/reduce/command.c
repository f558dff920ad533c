/* SPDX-License-Identifier: MIT */
/* `voxphys reduce` reduces points on which something fails to few and round ones that fail in the same way. */
#include "tools/reduce/reduce.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/isa_names.h"
#include "conformance/shared/shared.h"
#include "host/program.h"
#include "tools/sources/point_source.h"
#include "host/subprocess.h"
#include "tools/commands.h"

enum { MAX_SECONDS = 86400 };

typedef struct reduce_run {
    const char *out;
    vp_point_source source;
    vp_trial trial;
    vp_shrinking shrinking;
    vp_trial_outcome found;
    double seconds;
} reduce_run;

static vp_status write_out(const reduce_run *r, vp_error *error)
{
    vp_bytes bytes = {0};
    const vp_query_mesh *set = r->shrinking.best.part[0];
    vp_points_text(set->point, set->points, r->trial.columns, "", &bytes);
    const vp_status status = bytes.failed ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(r->out).text)
                                          : vp_file_replace(r->out, bytes.at, bytes.size, error);
    free(bytes.at);
    return status;
}

static bool is_same(const vp_trial_outcome *a, const vp_trial_outcome *b)
{
    return a->end == b->end && a->number == b->number && a->stage == b->stage;
}

static vp_status fails(void *user, const vp_question *q, bool *out, vp_error *error)
{
    reduce_run *r = user;
    const vp_query_mesh *set = q->part[0];
    vp_trial_outcome found;
    const vp_status status = vp_trial_run(&r->trial, set->point, set->points, &found, error);
    r->shrinking.tries = r->trial.tries;
    *out = status == VP_OK && is_same(&found, &r->found);
    return status;
}

/* Tries all points, twice, because a failure that is not reproducible can't be reduced. */
static vp_status find_failure(reduce_run *r, vp_error *error)
{
    const vp_points *points = &r->source.points;
    vp_trial_outcome again;
    char text[160], other[160];
    vp_status status = vp_trial_run(&r->trial, points->point, points->count, &r->found, error);
    if (status == VP_OK && *r->trial.stop == 0 && r->found.end == VP_END_FINE)
        return vp_fail(error, VP_E_ARGUMENT, "%s: nothing fails on its %u point%s%s", vp_show_path(r->source.name).text, points->count,
                       vp_plural(points->count), r->trial.command != NULL ? ": the command ends with exit code 0" : "");
    if (status == VP_OK && *r->trial.stop == 0)
        status = vp_trial_run(&r->trial, points->point, points->count, &again, error);
    if (status != VP_OK || *r->trial.stop != 0)
        return status;
    if (!is_same(&again, &r->found)) {
        vp_trial_describe(&r->trial, &r->found, text);
        vp_trial_describe(&r->trial, &again, other);
        return vp_fail(error, VP_E_ARGUMENT, "%s does not fail the same way twice: first %.80s, then %.80s",
                       vp_show_path(r->source.name).text, text, other);
    }
    vp_trial_narrow(&r->trial, &r->found);
    return VP_OK;
}

static vp_status run(reduce_run *r, vp_error *error)
{
    vp_shrinking *s = &r->shrinking;
    const vp_points *points = &r->source.points;
    vp_status status = find_failure(r, error);
    if (status != VP_OK || *r->trial.stop != 0)
        return status;
    s->best.family = vp_family_named(points->columns == 2 ? "hull2" : "hull3", 5);
    vp_query_mesh *set = s->best.part[0] = calloc(1, sizeof *set);
    if (set != NULL)
        set->point = malloc(points->count * sizeof *set->point);
    if (set == NULL || set->point == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u points", points->count);
    memcpy(set->point, points->point, points->count * sizeof *set->point);
    set->points = points->count;
    s->begun_with = points->count;
    s->columns = points->columns;
    s->tries = r->trial.tries;
    s->stop = r->trial.stop;
    status = write_out(r, error); /* finds errors of the file before the work */
    if (status == VP_OK)
        status = vp_shrink(s, error);
    return status == VP_OK ? write_out(r, error) : status;
}

/* ---- output ---- */

static int print(const reduce_run *r, bool json)
{
    const vp_shrinking *s = &r->shrinking;
    const uint32_t points = ((const vp_query_mesh *)s->best.part[0])->points;
    char text[160];
    vp_trial_describe(&r->trial, &r->found, text);
    if (json)
        return vp_print_json(json_pack("{s:o, s:I, s:I, s:I, s:s, s:b, s:f, s:o}", "input", vp_json_name(r->source.name), "points_before",
                                       (json_int_t)s->begun_with, "points", (json_int_t)points, "tries", (json_int_t)r->trial.tries,
                                       "failure", text, "complete", !s->stopped, "seconds", r->seconds, "file", vp_json_name(r->out)));
    printf("points    %u of the %zu of %s\n", points, s->begun_with, r->source.name);
    printf("failure   %s\n", text);
    printf("tries     %" PRIu64 " in %.2f s%s\n", r->trial.tries, r->seconds, s->stopped ? "; more would make it smaller" : "");
    printf("written   %s\n", r->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

/* Removes the arguments after the first "--". @return them, or NULL */
static char **take_command(int *argc, char **argv)
{
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            *argc = i;
            argv[i] = NULL;
            return argv + i + 1;
        }
    return NULL;
}

int vp_command_reduce(int argc, char **argv)
{
    reduce_run r = {.trial = {.limit = 10.0},
                    .shrinking = {.most_tries = 100000, .least = 1, .progress = "points left out", .fails = fails}};
    const char *out, *adapter, *against, *isa, *limit, *tries, *json;
    const vp_option options[] = {
        {"-o", "FILE", "required: the .points file to write, in hexadecimal floats (with --adapter: a .json file)", &out},
        {"--adapter", "COMMAND", "shrink a question of the conformance corpus that this adapter answers wrong", &adapter},
        {"--against", "COMMAND", "the trusted program (default: this program's adapter --isa scalar)", &against},
        {"--isa", "NAME", "test this version of the kernels: " VP_ISA_NAMES " (default: all that run here)", &isa},
        {"--limit", "SECONDS", "a run that takes longer has failed (default 10)", &limit},
        {"--tries", "N", "stop after N runs (default 100000)", &tries},
        {"--json", NULL, "print JSON", &json},
    };
    const vp_usage usage = {
        "reduce",
        "IN -o FILE [OPTION...] [-- COMMAND ARGUMENT...]",
        "Shrink a failing point set or conformance question to a minimal one that still fails the same way.\n"
        "Removes points until none can be removed, and rounds coordinates. A failure is a hull that differs from the\n"
        "reference's, an invalid hull, a crash, or a timeout. With '-- COMMAND', it fails if COMMAND exits non-zero or dies\n"
        "from a signal, where {} stands for the name of a .points file.\n" VP_POINT_SOURCE_HELP "\n"
        "With --adapter, shrinks a conformance question that a program answers wrong. The corpus has the right answer of\n"
        "IN, and the trusted program those of reduced questions. IN is a vector's name (hull3/cube), or a file with a\n"
        "vector in JSON or one line of the protocol. Points, triangles and voxels are removed, grids cut, numbers rounded.\n"
        "FILE can be added to the corpus. Ctrl-C stops early: the file written by then still fails. Exit code 2, and no\n"
        "file, if nothing fails on IN.\n\n"
        "Example: voxphys reduce ball/1000 -o minimal.points -- false {}",
        options,
        sizeof options / sizeof options[0],
        1,
        1};
    int count, code;
    uint64_t most = r.shrinking.most_tries;
    float seconds = 10.0f;
    r.trial.command = take_command(&argc, argv);
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (out == NULL)
        return vp_command_usage("reduce", "option '-o' is missing: where to write the %s", adapter != NULL ? "vector" : "points");
    if (adapter == NULL && against != NULL)
        return vp_command_usage("reduce", "option '--adapter' is missing: the program that is held against that of '--against'");
    const size_t length = strlen(out);
    const char *const ending = adapter != NULL ? ".json" : ".points";
    if (length <= strlen(ending) || strcmp(out + length - strlen(ending), ending) != 0)
        return vp_command_usage("reduce", "-o '%s' does not end with %s%s", out, ending,
                                adapter != NULL ? "" : ", which is required without '--adapter'");
    if ((limit != NULL && !vp_parse_float("reduce", "--limit", limit, &seconds)) ||
        (tries != NULL && !vp_parse_u64("reduce", "--tries", tries, 2, UINT64_C(1000000000000), &most)))
        return VP_EXIT_USAGE;
    if (!(seconds > 0.0f) || seconds > (float)MAX_SECONDS)
        return vp_command_usage("reduce", "--limit '%s' is not above 0 and at most %d seconds", limit, MAX_SECONDS);
    if (r.trial.command != NULL && r.trial.command[0] == NULL)
        return vp_command_usage("reduce", "the COMMAND after '--' is missing");
    if (r.trial.command != NULL && isa != NULL)
        return vp_command_usage("reduce", "option '--isa' is for kernels, and not for a COMMAND");

    if (adapter != NULL && (isa != NULL || r.trial.command != NULL))
        return vp_command_usage("reduce", "option '--adapter' does not go with %s", isa != NULL ? "--isa" : "a COMMAND");
    if (adapter != NULL)
        return vp_reduce_question(argv[1], out, adapter, against, (double)seconds, most, json != NULL);

    vp_error error;
    vp_kernels kernels;
    r.out = out;
    r.trial.limit = (double)seconds;
    r.shrinking.most_tries = most;
    r.shrinking.user = &r;
    if (isa != NULL && vp_kernels_named(isa, &kernels, &error) != VP_OK)
        return vp_command_usage("reduce", "--isa: %s", error.message);
    vp_status status = vp_kernels_named("scalar", &kernels, &error);
    if (status == VP_OK)
        status = vp_point_source_open("reduce", argv[1], out, &kernels, &r.source, &error);
    r.trial.columns = r.source.points.columns;
    if (status == VP_OK)
        status = vp_trial_open(&r.trial, isa, &error);
    const double begin = vp_seconds();
    if (status == VP_OK) {
        r.trial.stop = vp_watch_signals();
        status = run(&r, &error);
    }
    r.seconds = vp_seconds() - begin;
    vp_trial_close(&r.trial); /* before JSON is made, which ends the program if out of memory */
    if (status != VP_OK)
        code = vp_command_fail("reduce", &error);
    else
        code = r.shrinking.best.family != NULL ? print(&r, json != NULL) : VP_EXIT_DONE;
    if (status == VP_OK && *r.trial.stop != 0) {
        fprintf(stderr, "voxphys reduce: ended by signal %d%s\n", (int)*r.trial.stop,
                r.shrinking.best.family != NULL ? "; the written input still fails" : "");
        code = VP_EXIT_FAILED;
    }
    if (r.shrinking.best.family != NULL)
        vp_question_drop(&r.shrinking.best);
    vp_point_source_close(&r.source);
    return code;
}
