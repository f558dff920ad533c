/* SPDX-License-Identifier: MIT */
/* Contradictions in raw files and between them. A run reports these values twice, so that altering one place shows in the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/program.h"
#include "tools/results/files.h"
#include "tools/results/results.h"

/* ---- repetitions ---- */

/* Maximum ratios of two counts of items per call. SAME_ITEMS allows for rounding alone, because counts are integers. Rows
   with threads report the count itself. Their rate uses another clock than `real_time`, and on a busy machine two clocks
   can differ by any factor. Older files lack that count. It is derived for them, with the tolerance ABOUT_ITEMS. */
#define SAME_ITEMS  (1 + 1e-6)
#define ABOUT_ITEMS 4.0

typedef struct repetition {
    size_t row;
    json_int_t round, index, of; /* -1 = missing */
    bool refused;
    bool counted; /* the row itself reports the number of items */
    double items; /* per call, NaN = missing */
} repetition;

typedef struct items {
    double least, most;
    const char *least_by, *most_by; /* rows */
    bool about;                     /* a number was derived from two clocks */
} items;

static bool is_threaded(const char *name)
{
    return strstr(name, "/threads-") != NULL;
}

static double seconds_of(const json_t *entry, const char *member)
{
    const char *unit = vp_json_text(entry, "time_unit");
    const double scale = unit == NULL || strcmp(unit, "ns") == 0 ? 1e-9
                         : strcmp(unit, "us") == 0               ? 1e-6
                         : strcmp(unit, "ms") == 0               ? 1e-3
                                                                 : 1.0;
    return vp_json_figure(entry, member) * scale;
}

static json_int_t whole_or(const json_t *value, json_int_t otherwise)
{
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

/* All repetitions. The keys of `rows` are the rows' names, in the order of their numbers. NULL = none, or out of memory. */
static repetition *repetitions_of(const json_t *bench, json_t *numbers, json_t *names, size_t *count)
{
    const json_t *list = json_object_get(bench, "benchmarks"), *entry;
    repetition *all = malloc((json_array_size(list) + 1) * sizeof *all);
    size_t i;
    *count = 0;
    json_array_foreach (list, i, entry) {
        const char *name = vp_json_text(entry, "run_name"), *type = vp_json_text(entry, "run_type");
        if (name == NULL)
            name = vp_json_text(entry, "name");
        if (all == NULL || name == NULL || (type != NULL && strcmp(type, "aggregate") == 0))
            continue;
        if (json_object_get(numbers, name) == NULL) {
            json_object_set_new(numbers, name, json_integer((json_int_t)json_array_size(names)));
            json_array_append_new(names, json_string(name));
        }
        const bool counted = json_is_number(json_object_get(entry, "items"));
        all[(*count)++] = (repetition){.row = (size_t)json_integer_value(json_object_get(numbers, name)),
                                       .round = whole_or(json_object_get(entry, "round"), 1),
                                       .index = whole_or(json_object_get(entry, "repetition_index"), -1),
                                       .of = whole_or(json_object_get(entry, "repetitions"), -1),
                                       .refused = json_is_true(json_object_get(entry, "error_occurred")),
                                       .counted = counted,
                                       .items = counted ? vp_json_figure(entry, "items")
                                                        : vp_json_figure(entry, "items_per_second") *
                                                              seconds_of(entry, is_threaded(name) ? "real_time" : "cpu_time")};
    }
    return all;
}

static int in_order(const void *left, const void *right)
{
    const repetition *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Each round must have the declared number of repetitions, numbered from 0, each once. A row without measurements has at most one. */
static void check_indexes(const repetition *all, size_t count, const json_t *names, const char *file, json_t *problems)
{
    size_t wrong = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        bool good = true, measured = false;
        for (end = begin; end < count && all[end].row == all[begin].row && all[end].round == all[begin].round; end++) {
            good = good && all[end].index == (json_int_t)(end - begin) && all[end].of == all[begin].of;
            measured = measured || !all[end].refused;
        }
        if (measured && (!good || all[begin].of != (json_int_t)(end - begin)))
            VP_TELL(problems, &wrong, "%s: %.150s, round %d: %d repetitions, not 0 to %lld each once", file,
                    json_string_value(json_array_get(names, all[begin].row)), (int)all[begin].round, (int)(end - begin),
                    (long long)(all[begin].of > 0 ? all[begin].of - 1 : -1));
    }
    vp_list_rest(problems, wrong, "rounds with other repetitions than they should have");
}

static void take_items(items *of, double least, double most, const char *by)
{
    if (of->least_by == NULL || least < of->least) {
        of->least = least;
        of->least_by = by;
    }
    if (of->most_by == NULL || most > of->most) {
        of->most = most;
        of->most_by = by;
    }
}

static bool are_apart(const items *of)
{
    return of->most > of->least * (of->about ? ABOUT_ITEMS : SAME_ITEMS);
}

/* The question of a row: kernel, data set and parameter, without WHO. */
static void key_of(const char *name, char out[VP_ROW_KEY_BYTES])
{
    vp_row_name n;
    if (!vp_row_name_read(name, &n))
        n = (vp_row_name){.via = "other"}; /* the form was checked before */
    snprintf(out, VP_ROW_KEY_BYTES, "%s/%s/%s", n.kernel, n.dataset, n.rest);
}

/* Checks that the number of items per call is equal in all repetitions and versions. */
static void check_items(const repetition *all, size_t count, const json_t *names, const char *file, json_t *problems)
{
    const size_t rows = json_array_size(names);
    items *of_row = calloc(rows + 1, sizeof *of_row), *of_key = calloc(rows + 1, sizeof *of_key);
    json_t *keys = json_object();
    size_t unknown = 0, wrong = 0, others = 0;
    for (size_t i = 0; of_row != NULL && i < count; i++) {
        const char *name = json_string_value(json_array_get(names, all[i].row));
        if (all[i].refused)
            continue;
        if (!(all[i].items > 0) || !isfinite(all[i].items))
            VP_TELL(problems, &unknown, "%s: %.150s has no %s above 0", file, name, is_threaded(name) ? "real_time" : "cpu_time");
        else
            take_items(&of_row[all[i].row], all[i].items, all[i].items, name);
        of_row[all[i].row].about |= is_threaded(name) && !all[i].counted;
    }
    for (size_t i = 0; of_row != NULL && of_key != NULL && i < rows; i++) {
        char key[VP_ROW_KEY_BYTES];
        const char *name = json_string_value(json_array_get(names, i));
        if (of_row[i].least_by == NULL)
            continue;
        if (are_apart(&of_row[i]))
            VP_TELL(problems, &wrong, "%s: %.150s has %.10g items a call in one repetition, %.10g in another", file, name, of_row[i].least,
                    of_row[i].most);
        key_of(name, key);
        if (json_object_get(keys, key) == NULL)
            json_object_set_new(keys, key, json_integer((json_int_t)i));
        items *of = &of_key[json_integer_value(json_object_get(keys, key))];
        take_items(of, of_row[i].least, of_row[i].about ? of_row[i].least : of_row[i].most, name);
        of->about |= of_row[i].about;
    }
    for (size_t i = 0; of_key != NULL && i < rows; i++)
        if (of_key[i].least_by != of_key[i].most_by && are_apart(&of_key[i]))
            VP_TELL(problems, &others, "%s: %.150s has %.10g items a call, %.150s %.10g", file, of_key[i].least_by, of_key[i].least,
                    of_key[i].most_by, of_key[i].most);
    vp_list_rest(problems, unknown, "repetitions without a time");
    vp_list_rest(problems, wrong, "rows with other items from one repetition to another");
    vp_list_rest(problems, others, "kernels with other items from one version to another");
    free(of_row);
    free(of_key);
    json_decref(keys);
}

void vp_check_bench(const json_t *bench, const char *file, json_t *problems)
{
    json_t *numbers = json_object(), *names = json_array();
    size_t count = 0;
    repetition *all = repetitions_of(bench, numbers, names, &count);
    if (all != NULL) {
        qsort(all, count, sizeof *all, in_order);
        check_indexes(all, count, names, file, problems);
        check_items(all, count, names, file, problems);
    }
    free(all);
    json_decref(numbers);
    json_decref(names);
}

/* ---- contexts ---- */

/* Whether a list of words contains a word. */
static bool has_word(const char *list, const char *word, size_t length)
{
    for (const char *at = list; at != NULL && *at != '\0'; at += strspn(at, " ")) {
        const size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0)
            return true;
        at += here;
    }
    return false;
}

/* Whether two names are equal except for blanks, because systems trim names differently. */
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

/* Seconds since 1970 of "2026-11-23T08:16:52Z" or "...+01:00". NaN if invalid. */
static double seconds_of_date(const char *text)
{
    int year, month, day, hour, minute, second, behind = 0, shift_hours = 0, shift_minutes = 0;
    if (text == NULL || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second, &behind) != 6 ||
        behind == 0 || month < 1 || month > 12)
        return NAN;
    const char *zone = text + behind;
    if (strcmp(zone, "Z") != 0 && ((zone[0] != '+' && zone[0] != '-') || sscanf(zone + 1, "%2d:%2d", &shift_hours, &shift_minutes) != 2))
        return NAN;
    const int sign = zone[0] == '-' ? 1 : -1;
    const int y = month <= 2 ? year - 1 : year, m = (month + 9) % 12; /* years begin in March */
    const double days = 365.0 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719469;
    return days * 86400 + hour * 3600 + minute * 60 + second + sign * (shift_hours * 3600 + shift_minutes * 60);
}

/* Refuses flags that change the arithmetic or disable optimisation, for all compilers. */
static void check_flags(const char *flags, const char *where, json_t *problems)
{
    static const char *const bad[] = {"-O0",
                                      "-Ofast",
                                      "-ffast-math",
                                      "-funsafe-math-optimizations",
                                      "-ffinite-math-only",
                                      "-fassociative-math",
                                      "-freciprocal-math",
                                      "-fno-signed-zeros"};
    for (size_t i = 0; flags != NULL && i < sizeof bad / sizeof bad[0]; i++)
        if (has_word(flags, bad[i], strlen(bad[i])))
            VP_SAY(problems, "%.80s has %s, with which nothing is measured", where, bad[i]);
}

/* Processor flags that an instruction set requires. */
static const char *const *needs_of(const char *isa)
{
    static const char *const avx2[] = {"avx2", "bmi1", "bmi2", "popcnt", NULL};
    static const char *const avx512[] = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", NULL};
    static const char *const neon[] = {"asimd", NULL};
    static const char *const none[] = {NULL};
    return strcmp(isa, "avx2") == 0 ? avx2 : strcmp(isa, "avx512") == 0 ? avx512 : strcmp(isa, "neon") == 0 ? neon : none;
}

/* The first flag of a set that the machine lacks, or NULL. */
static const char *lacking(const json_t *machine, const char *isa)
{
    const json_t *flags = vp_json_at(machine, "cpu.flags"), *flag;
    const char *const *need = needs_of(isa);
    size_t i;
    for (; *need != NULL; need++) {
        bool there = false;
        json_array_foreach (flags, i, flag)
            there = there || (json_is_string(flag) && strcmp(json_string_value(flag), *need) == 0);
        if (!there)
            return *need;
    }
    return NULL;
}

static void differ(json_t *problems, const char *file, const char *what, const char *here, const char *there)
{
    VP_SAY(problems, "%s: %s \"%.100s\", in machine.json \"%.100s\"", file, what, here != NULL ? here : "(unknown)",
           there != NULL ? there : "(unknown)");
}

/* Checks that a compiler such as "gcc 12.2.0" matches the tool "gcc (Debian 12.2.0-14+deb12u1) 12.2.0". */
static void check_compiler(const json_t *context, const json_t *machine, const char *file, bool is_clang, json_t *problems)
{
    const char *compiler = vp_json_text(context, "voxphys_compiler");
    const char *version = compiler != NULL ? strchr(compiler, ' ') : NULL;
    const bool by_clang = compiler != NULL && strncmp(compiler, "clang ", 6) == 0;
    if (version == NULL || (is_clang && !by_clang)) {
        VP_SAY(problems, "%s: is by the compiler \"%.60s\"%s", file, compiler != NULL ? compiler : "(unknown)",
               is_clang ? ", not by clang" : "");
        return;
    }
    const char *tool = vp_json_text(machine, by_clang ? "tools.clang" : "tools.gcc");
    if (tool != NULL && strstr(tool, version) == NULL)
        differ(problems, file, "the compiler is", compiler, tool);
}

static void check_build(const json_t *context, const json_t *machine, const char *file, json_t *problems)
{
    const char *type = vp_json_text(context, "voxphys_build_type"), *flags = vp_json_text(context, "voxphys_flags");
    const char *compiled = vp_json_text(machine, "compile_flags.scalar");
    if (type == NULL || strcmp(type, "Release") != 0)
        VP_SAY(problems, "%s: the build's type is \"%.40s\", not \"Release\"", file, type != NULL ? type : "(unknown)");
    check_flags(flags, file, problems);
    for (const char *at = flags != NULL ? flags : ""; compiled != NULL && *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (length > 0 && !has_word(compiled, at, length)) {
            differ(problems, file, "the build's flags are", flags, compiled);
            break;
        }
        at += length + strspn(at + length, " ");
    }
}

static void check_isas(const json_t *context, const json_t *machine, const char *file, json_t *problems)
{
    char isa[16];
    const char *isas = vp_json_text(context, "voxphys_isas");
    if (isas == NULL)
        VP_SAY(problems, "%s: does not say which instruction sets there were", file);
    for (const char *at = isas != NULL ? isas : ""; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        snprintf(isa, sizeof isa, "%.*s", (int)(length < sizeof isa ? length : sizeof isa - 1), at);
        const char *lacks = lacking(machine, isa);
        if (lacks != NULL)
            VP_SAY(problems, "%s: %s ran, and the processor in machine.json has no %s", file, isa, lacks);
        at += length + strspn(at + length, " ");
    }
}

static void check_context(const json_t *bench, const json_t *machine, const char *file, json_t *problems)
{
    const json_t *context = json_object_get(bench, "context");
    const char *commit = vp_json_text(context, "voxphys_commit"), *of_machine = vp_json_text(machine, "voxphys.commit");
    const char *cpu = vp_json_text(context, "cpu_model"), *model = vp_json_text(machine, "cpu.model"),
               *architecture = vp_json_text(machine, "cpu.architecture");
    const char *date = vp_json_text(context, "date"), *then = vp_json_text(machine, "date");
    const double cpus = vp_json_figure(context, "num_cpus"), has = vp_json_figure(machine, "cpu.cpus");
    if (bench == NULL)
        return;
    if (strcmp(commit != NULL ? commit : "", of_machine != NULL ? of_machine : "") != 0)
        differ(problems, file, "the commit is", commit, of_machine);
    /* some systems know Arm cores by name while the program does not */
    const bool unnamed = cpu != NULL && architecture != NULL && strcmp(architecture, "x86_64") != 0 && strcmp(cpu, architecture) == 0;
    if (!unnamed && !same_name(cpu != NULL ? cpu : "", model != NULL ? model : ""))
        differ(problems, file, "the processor is", cpu, model);
    if (!(cpus >= has && cpus <= has))
        VP_SAY(problems, "%s: %.10g processors, in machine.json %.10g", file, cpus, has);
    if (!(fabs(seconds_of_date(date) - seconds_of_date(then)) <= 86400))
        differ(problems, file, "more than a day apart: the date is", date, then);
    check_compiler(context, machine, file, strcmp(file, "bench-clang.json") == 0, problems);
    check_build(context, machine, file, problems);
    check_isas(context, machine, file, problems);
}

/* Refuses rows of instruction sets that the file's context or the machine lacks. */
static void check_rows(const vp_result *raw, const json_t *rows, json_t *problems)
{
    const json_t *row;
    size_t i, absent = 0, impossible = 0;
    json_array_foreach (rows, i, row) {
        const char *file = vp_json_text(row, "file"), *via = vp_json_text(row, "via"), *isa = vp_json_text(row, "isa"),
                   *name = vp_json_text(row, "name");
        const json_t *bench = strcmp(file, "bench.json") == 0 ? raw->bench : strcmp(file, "limits.json") == 0 ? raw->limits : raw->clang;
        const bool simde = strcmp(via, "simde") == 0, native = strcmp(via, "native") == 0 || strcmp(via, "autovec") == 0;
        char word[40];
        if (isa == NULL || (!simde && !native))
            continue;
        snprintf(word, sizeof word, "%.30s%s", isa, simde ? "-simde" : "");
        const char *lacks = native && raw->machine != NULL ? lacking(raw->machine, isa) : NULL;
        if (!has_word(vp_json_text(bench, "context.voxphys_isas"), word, strlen(word)))
            VP_TELL(problems, &absent, "row %s: %s is not among the instruction sets of %s", name, word, file);
        if (lacks != NULL)
            VP_TELL(problems, &impossible, "row %s: %s needs %s, which the processor in machine.json lacks", name, isa, lacks);
    }
    vp_list_rest(problems, absent, "rows of instruction sets that were not there");
    vp_list_rest(problems, impossible, "rows of instruction sets that the processor has not");
}

void vp_check_machine(const vp_result *raw, const json_t *rows, json_t *problems)
{
    json_t *flags = vp_json_at(raw->machine, "compile_flags"), *value;
    const char *key, *compiler = vp_json_text(raw->bench, "context.voxphys_compiler"),
                     *of_limits = vp_json_text(raw->limits, "context.voxphys_compiler");
    if (raw->machine != NULL) {
        check_context(raw->bench, raw->machine, "bench.json", problems);
        check_context(raw->limits, raw->machine, "limits.json", problems);
        check_context(raw->clang, raw->machine, "bench-clang.json", problems);
    }
    if (compiler != NULL && of_limits != NULL && strcmp(compiler, of_limits) != 0)
        VP_SAY(problems, "limits.json: is by the compiler \"%.60s\", bench.json by \"%.60s\"", of_limits, compiler);
    json_object_foreach (flags, key, value) {
        char where[100];
        snprintf(where, sizeof where, "machine.json: \"compile_flags.%.60s\"", key);
        check_flags(json_string_value(value), where, problems);
    }
    check_rows(raw, rows, problems);
}
