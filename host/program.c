/* SPDX-License-Identifier: MIT */
#include "host/program.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host/system.h"

int vp_command_fail(const char *command, const vp_error *error)
{
    vp_progress_hide();
    fprintf(stderr, "voxphys %s: %s\n", command, error->message);
    return error->status == VP_E_MEMORY ? VP_EXIT_FAILED : VP_EXIT_USAGE;
}

/* A character as vp_escape writes it. */
typedef struct escaped {
    char text[12];
} escaped;
static size_t escape_next(const char *text, escaped *out);

/* Prints untrusted text. */
static void print_escaped(const char *text)
{
    escaped next;
    while (*text != '\0') {
        text += escape_next(text, &next);
        fputs(next.text, stderr);
    }
}

static void print_try(const char *command)
{
    fprintf(stderr, "\nTry 'voxphys %s --help'.\n", command);
}

/* @return a string for free(), or NULL if out of memory */
static VP_PRINTF(1, 0) char *format_text(const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : vp_json_allocate((size_t)length + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, values);
    return text;
}

int vp_command_usage(const char *command, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = format_text(format, values);
    va_end(values);
    vp_progress_hide();
    fprintf(stderr, "voxphys %s: ", command);
    print_escaped(text != NULL ? text : "bad usage, and no memory to say more");
    free(text);
    print_try(command);
    return VP_EXIT_USAGE;
}

int vp_command_none_of(const char *command, const char *option, const char *value, const char *const *names, size_t count)
{
    enum { LINE = 100 };
    size_t width = 0;
    vp_guess guess = {0};
    for (size_t i = 0; i < count; i++) {
        width += strlen(names[i]) + 2;
        vp_guess_from(&guess, value, names[i]);
    }
    fprintf(stderr, "voxphys %s: %s '", command, option);
    print_escaped(value);
    fputs(width > LINE ? "': must be one of these:" : "': must be one of ", stderr);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s%s", width > LINE ? "\n  " : i > 0 ? ", " : "", names[i]);
    if (guess.differences != 0)
        fprintf(stderr, "%s%s", width > LINE ? "\n" : "; ", guess.text + 2);
    print_try(command);
    return VP_EXIT_USAGE;
}

/* Number of edits between two words, at most 32 letters each. */
static unsigned count_differences(const char *a, const char *b)
{
    enum { MOST = 32 };
    unsigned row[MOST + 1];
    const size_t n = strlen(b);
    if (strlen(a) > MOST || n > MOST)
        return MOST;
    for (unsigned i = 0; i <= n; i++)
        row[i] = i;
    for (size_t j = 0; a[j] != '\0'; j++) {
        unsigned before = row[0]++;
        for (size_t i = 0; i < n; i++) {
            const unsigned changed = before + (a[j] != b[i]);
            before = row[i + 1];
            row[i + 1] = (row[i] < before ? row[i] : before) + 1;
            row[i + 1] = changed < row[i + 1] ? changed : row[i + 1];
        }
    }
    return row[n];
}

void vp_guess_from(vp_guess *guess, const char *word, const char *name)
{
    const size_t length = strcspn(word, "=");
    char plain[40];
    snprintf(plain, sizeof plain, "%.*s", (int)length, word);
    const bool begins = length > 1 && strncmp(plain, name, length) == 0 && strcmp(plain, "--") != 0;
    const unsigned differences = begins ? 1 : count_differences(plain, name);
    if (differences * 3 > length + 1 || (guess->differences != 0 && differences >= guess->differences))
        return;
    guess->differences = differences;
    snprintf(guess->text, sizeof guess->text, "; did you mean '%s'?", name);
}

int vp_command_choose(const char *command, const char *help, const vp_subcommand *commands, size_t count, int argc, char **argv)
{
    if (argc < 2) {
        fputs(help, stderr);
        return VP_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(help, stdout);
        return VP_EXIT_DONE;
    }
    vp_guess guess = {0};
    const bool words = strcmp(argv[1], "--help=words") == 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
        if (words)
            puts(commands[i].name);
        vp_guess_from(&guess, argv[1], commands[i].name);
    }
    return words ? VP_EXIT_DONE : vp_command_usage(command, "unknown command '%s'%s", argv[1], guess.text);
}

static void print_help(const vp_command_line *line)
{
    printf("Usage: voxphys %s %s\n\n%s\n", line->command, line->synopsis, line->about);
    const char *bold = vp_colour_code(VP_COLOUR_BOLD), *end = vp_colour_code(VP_COLOUR_NONE);
    if (line->argument[0].help != NULL)
        printf("\n%sOptions:%s\n", bold, end);
    for (size_t i = 0; i < line->count; i++) {
        const vp_argument *a = &line->argument[i];
        if (a->help == NULL) {
            printf("\n%s%s:%s\n", bold, a->name, end);
            continue;
        }
        char left[64];
        snprintf(left, sizeof left, "%s %s", a->name, a->metavar != NULL ? a->metavar : "");
        printf("  %-22s %s\n", left, a->help);
    }
    printf("  %-22s %s\n", "-h, --help", "show this help");
}

/* Prints each option for completion: name, value and the help's first line, with tabs between. */
static void print_words(const vp_command_line *line)
{
    for (const vp_argument *a = line->argument; a < line->argument + line->count; a++)
        if (a->help != NULL)
            printf("%s\t%s\t%.*s\n", a->name, a->metavar != NULL ? a->metavar : "", (int)strcspn(a->help, "\n"), a->help);
    puts("--help\t\tshow this help");
}

/* Finds the option that a word names. *value is the text after '=', if any. */
static const vp_argument *find_option(const vp_command_line *line, const char *word, const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < line->count; i++) {
        const vp_argument *a = &line->argument[i];
        size_t length = strlen(a->name);
        if (strncmp(word, a->name, length) != 0)
            continue;
        if (word[length] == '\0')
            return a;
        if (word[length] == '=' && strncmp(a->name, "--", 2) == 0) {
            *value = word + length + 1;
            return a;
        }
    }
    return NULL;
}

/* Whether an option may be given several times. */
static bool is_repeated(const vp_argument *a)
{
    size_t length = a->metavar != NULL ? strlen(a->metavar) : 0;
    return length > 3 && strcmp(a->metavar + length - 3, "...") == 0;
}

/* The texts that were given for an option. */
static const char **texts_of(vp_command_line *line, const vp_argument *a)
{
    return is_repeated(a) ? a->to : &line->given[a - line->argument];
}

static bool end_with(vp_command_line *line, int code)
{
    line->code = code;
    return false;
}

/* Takes the option that a word names. *next is the word after it, which may be its value. */
static bool take_option(vp_command_line *line, const char *word, char ***next)
{
    const char *value;
    const vp_argument *a = find_option(line, word, &value);
    if (a == NULL) {
        vp_guess guess = {0};
        for (size_t i = 0; i < line->count; i++)
            if (line->argument[i].help != NULL)
                vp_guess_from(&guess, word, line->argument[i].name);
        return end_with(line, vp_command_usage(line->command, "unknown option '%s'%s", word, guess.text));
    }
    if (a->metavar == NULL && value != NULL)
        return end_with(line, vp_command_usage(line->command, "option '%s' takes no value", a->name));
    if (a->metavar != NULL && value == NULL && (value = *(*next)++) == NULL)
        return end_with(line, vp_command_usage(line->command, "option '%s' needs a value: %s", a->name, a->metavar));
    const char **text = texts_of(line, a);
    size_t given = 0;
    while (text[given] != NULL && given + 1 < VP_OPTION_MANY && is_repeated(a))
        given++;
    if (text[given] != NULL && is_repeated(a))
        return end_with(line, vp_command_usage(line->command, "option '%s' is given more than %d times", a->name, VP_OPTION_MANY));
    if (text[given] != NULL)
        return end_with(line, vp_command_usage(line->command, "option '%s' is given twice", a->name));
    text[given] = a->metavar != NULL ? value : a->name;
    return true;
}

bool vp_command_parse(vp_command_line *line, int argc, char **argv)
{
    bool options_over = false;
    for (const vp_argument *a = line->argument; a < line->argument + line->count; a++)
        memset(texts_of(line, a), 0, (is_repeated(a) ? VP_OPTION_MANY + 1 : 1) * sizeof *line->given);
    for (char **next = argv + 1, **end = argv + argc; next < end;) {
        char *word = *next++;
        if (options_over || word[0] != '-' || word[1] == '\0') {
            argv[++line->others] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_over = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(line);
            return end_with(line, VP_EXIT_DONE);
        }
        if (strcmp(word, "--help=words") == 0) {
            print_words(line);
            return end_with(line, VP_EXIT_DONE);
        }
        if (!take_option(line, word, &next))
            return false;
    }
    if ((size_t)line->others < line->least)
        return end_with(line, vp_command_usage(line->command, "too few arguments; usage: voxphys %s %s", line->command, line->synopsis));
    if ((size_t)line->others > line->most)
        return end_with(line, vp_command_usage(line->command, "unexpected argument '%s'", argv[line->most + 1]));
    return true;
}

bool vp_parse_u64(const char *command, const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < low || value > high)
        return VP_REFUSE(command, "%s '%s' is not a whole number from %llu to %llu", option, text, (unsigned long long)low,
                         (unsigned long long)high);
    *out = value;
    return true;
}

vp_limit_text vp_show_limit(double limit)
{
    vp_limit_text shown;
    int exponent;
    if (fabs(frexp(limit, &exponent)) == 0.5 && exponent > 20)
        snprintf(shown.text, sizeof shown.text, "%s2^%d", limit < 0.0 ? "-" : "", exponent - 1);
    else
        snprintf(shown.text, sizeof shown.text, "%g", limit);
    return shown;
}

bool vp_parse_float(const char *command, const char *option, const char *text, float *out)
{
    char *end;
    float value = strtof(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return VP_REFUSE(command, "%s '%s' is not a finite number that 32 bits hold", option, text);
    *out = value;
    return true;
}

bool vp_parse_i32_list(const char *command, const char *option, const char *form, const char *text, int32_t *out, size_t count)
{
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        char *end;
        errno = 0;
        long value = strtol(at, &end, 10);
        char wanted = i + 1 < count ? ',' : '\0';
        if (end == at || *end != wanted || errno != 0 || value < INT32_MIN || value > INT32_MAX)
            return VP_REFUSE(command, "%s '%s' is not %s: %zu whole numbers of 32 bits with commas between", option, text, form, count);
        out[i] = (int32_t)value;
        at = end + 1;
    }
    return true;
}

bool vp_parse_float_list(const char *command, const char *option, const char *form, const char *text, float *out, size_t count)
{
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        char *end;
        out[i] = strtof(at, &end);
        char wanted = i + 1 < count ? ',' : '\0';
        if (end == at || *end != wanted || !isfinite(out[i]))
            return VP_REFUSE(command, "%s '%s' is not %s: %zu finite numbers with commas between", option, text, form, count);
        at = end + 1;
    }
    return true;
}

/* ---- typed options ---- */

int vp_read_nothing(const char *command, const vp_argument *a, const char *text)
{
    (void)command, (void)a, (void)text;
    return VP_EXIT_DONE;
}

int vp_read_text(const char *command, const vp_argument *a, const char *text)
{
    (void)command;
    *(const char **)a->to = text;
    return VP_EXIT_DONE;
}

int vp_read_flag(const char *command, const vp_argument *a, const char *text)
{
    (void)command;
    *(bool *)a->to = text != NULL;
    return VP_EXIT_DONE;
}

static int done_if(bool right)
{
    return right ? VP_EXIT_DONE : VP_EXIT_USAGE;
}

int vp_read_u64(const char *command, const vp_argument *a, const char *text)
{
    return done_if(text == NULL || vp_parse_u64(command, a->name, text, a->low, a->high, a->to));
}

int vp_read_u32(const char *command, const vp_argument *a, const char *text)
{
    uint64_t value = *(uint32_t *)a->to;
    const bool right = text == NULL || vp_parse_u64(command, a->name, text, a->low, a->high, &value);
    *(uint32_t *)a->to = (uint32_t)value;
    return done_if(right);
}

int vp_read_float(const char *command, const vp_argument *a, const char *text)
{
    float *to = a->to;
    if (text != NULL && !vp_parse_float(command, a->name, text, to))
        return VP_EXIT_USAGE;
    if (text != NULL && a->least < a->most && !(*to >= a->least && *to <= a->most))
        return vp_command_usage(command, "%s '%s' is not from %s to %s", a->name, text, vp_show_limit((double)a->least).text,
                                vp_show_limit((double)a->most).text);
    return VP_EXIT_DONE;
}

int vp_read_floats(const char *command, const vp_argument *a, const char *text)
{
    return done_if(text == NULL || vp_parse_float_list(command, a->name, a->metavar, text, a->to, (size_t)a->high));
}

int vp_read_i32s(const char *command, const vp_argument *a, const char *text)
{
    return done_if(text == NULL || vp_parse_i32_list(command, a->name, a->metavar, text, a->to, (size_t)a->high));
}

int vp_read_word(const char *command, const vp_argument *a, const char *text)
{
    if (text == NULL)
        return VP_EXIT_DONE;
    for (uint64_t i = 0; i < a->high; i++)
        if (strcmp(text, a->words[i]) == 0) {
            *(int *)a->to = (int)i;
            return VP_EXIT_DONE;
        }
    return vp_command_none_of(command, a->name, text, a->words, (size_t)a->high);
}

int vp_read_either(const char *command, const vp_argument *a, const char *text)
{
    *(bool *)a->to = text != NULL && strcmp(text, a->words[1]) == 0;
    if (text == NULL || *(bool *)a->to || strcmp(text, a->words[0]) == 0)
        return VP_EXIT_DONE;
    return vp_command_usage(command, "%s '%s' is neither %s nor %s", a->name, text, a->words[0], a->words[1]);
}

bool vp_command_read(vp_command_line *line)
{
    line->code = VP_EXIT_DONE;
    for (size_t i = 0; line->code == VP_EXIT_DONE && i < line->count; i++)
        line->code = line->argument[i].read(line->command, &line->argument[i], line->given[i]);
    return line->code == VP_EXIT_DONE;
}

bool vp_command_begin(vp_command_line *line, int argc, char **argv)
{
    return vp_command_parse(line, argc, argv) && vp_command_read(line);
}

const char *vp_given(const vp_command_line *line, const char *name)
{
    size_t i = 0;
    while (strcmp(line->argument[i].name, name) != 0)
        i++;
    return line->given[i];
}

double vp_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *vp_colour_code(vp_colour colour)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[31m", "\033[32m"};
    const char *none = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && (none == NULL || none[0] == '\0') ? codes[colour] : "";
}

/* The bar on the terminal. total == 0 = none. */
static struct {
    char what[64];
    uint64_t done, total;
    uint64_t first; /* `done` at `started`, when these steps began */
    double started;
} bar;

static void draw_bar(void)
{
    enum { WIDTH = 40 };
    const int filled = (int)(bar.done * WIDTH / bar.total);
    const double seconds = vp_seconds() - bar.started;
    const double left = bar.done > bar.first ? seconds * (double)(bar.total - bar.done) / (double)(bar.done - bar.first) : 0.0;
    fprintf(stderr, "\r\033[K%3d %% [%.*s%*s] %s", (int)(bar.done * 100 / bar.total), filled, "########################################",
            WIDTH - filled, "", bar.what);
    if (seconds > 1.0 && left > 0.0)
        fprintf(stderr, left < 90.0 ? ", %.0f s left" : ", ~%.0f min left", left < 90.0 ? ceil(left) : left / 60.0);
    fflush(stderr);
}

static void erase_bar(void)
{
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

void vp_progress(const char *what, uint64_t done, uint64_t total)
{
    static int shown = -1; /* unknown yet: isatty is a system call, and a step may take less time */
    if (shown < 0)
        shown = isatty(STDERR_FILENO);
    if (total == 0 || shown == 0)
        return;
    if (done >= total) {
        vp_progress_hide();
        return;
    }
    if (done <= bar.first || strncmp(bar.what, what, sizeof bar.what - 1) != 0) {
        bar.first = done;
        bar.started = vp_seconds();
    }
    snprintf(bar.what, sizeof bar.what, "%s", what);
    bar.done = done;
    bar.total = total;
    draw_bar();
}

void vp_progress_hide(void)
{
    if (bar.total != 0)
        erase_bar();
    bar.total = 0;
}

void vp_print_row(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (bar.total != 0)
        erase_bar();
    vprintf(format, values);
    va_end(values);
    if (bar.total != 0) {
        fflush(stdout);
        draw_bar();
    }
}

/* Number of bytes of the UTF-8 character at `text`, 1 to 4, or 0 if none begins there. A terminating zero byte is no
   continuation byte, so nothing past the end is read. */
static size_t utf8_bytes(const unsigned char *text)
{
    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xc2 || text[0] > 0xf4)
        return 0;
    /* The second byte excludes overlong forms, surrogates, and values above U+10FFFF. */
    unsigned char low = text[0] == 0xe0 ? 0xa0 : text[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = text[0] == 0xed ? 0x9f : text[0] == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < low || text[1] > high)
        return 0;
    size_t bytes = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    for (size_t i = 2; i < bytes; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return bytes;
}

bool vp_is_utf8(const char *text)
{
    size_t bytes = 1;
    for (const unsigned char *at = (const unsigned char *)text; bytes != 0 && *at != '\0'; at += bytes)
        bytes = utf8_bytes(at);
    return bytes != 0;
}

/* Whether a character of three bytes is invisible or changes the writing direction. */
static bool is_unseen(const unsigned char *at)
{
    const unsigned c = (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    return (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || c == 0x2060 || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* Escapes the first character of a text that is not empty. @return its number of bytes */
static size_t escape_next(const char *text, escaped *out)
{
    const unsigned char *at = (const unsigned char *)text;
    const size_t bytes = utf8_bytes(at), taken = bytes == 0 ? 1 : bytes;
    /* Control characters, below a space, DEL, and U+0080 to U+009F, and invalid bytes. */
    const bool unshown = bytes == 0 || at[0] < 0x20 || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
    char *to = out->text;
    if (bytes == 3 && is_unseen(at)) {
        snprintf(to, sizeof out->text, "\\u{%04x}", (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu));
        return taken;
    }
    for (size_t i = 0; i < taken; i++)
        to += snprintf(to, 5, unshown ? "\\x%02x" : "%c", at[i]);
    return taken;
}

void vp_escape(const char *text, char *out, size_t room)
{
    escaped next;
    out[0] = '\0';
    for (size_t length = 0; *text != '\0'; length += strlen(next.text)) {
        text += escape_next(text, &next);
        if (length + strlen(next.text) >= room)
            break;
        memcpy(out + length, next.text, strlen(next.text) + 1);
    }
}

struct json_t *vp_json_name(const char *name)
{
    char *text = vp_json_allocate(3 * strlen(name) + 1), *to = text;
    for (const char *at = name; *at != '\0';) {
        size_t bytes = utf8_bytes((const unsigned char *)at);
        memcpy(to, bytes != 0 ? at : "\xef\xbf\xbd", bytes != 0 ? bytes : 3);
        to += bytes != 0 ? bytes : 3;
        at += bytes != 0 ? bytes : 1;
    }
    json_t *string = json_stringn(text, (size_t)(to - text));
    free(text);
    return string;
}

struct json_t *vp_json_hex(uint64_t value)
{
    return json_sprintf("%016llx", (unsigned long long)value);
}

struct json_t *vp_json_rate(double count, double seconds)
{
    return seconds > 0 ? json_real(count / seconds) : json_null();
}

struct json_t *vp_json_vec3(vp_vec3 v)
{
    return json_pack("[f, f, f]", (double)v.x, (double)v.y, (double)v.z);
}

struct json_t *vp_json_path(const char *path)
{
    return path != NULL ? vp_json_name(path) : json_null();
}

#define SIMDE_NAME(i) [VP_ISA_##i] = #i "-simde",
const char *vp_isa_shown(vp_isa isa)
{
    static const char *const simde[VP_ISA_COUNT] = {VP_ISAS(SIMDE_NAME)};
    return vp_isa_via(isa) == VP_VIA_SIMDE ? simde[isa] : vp_isa_name(isa);
}

int vp_print_json(void *json)
{
    int result = json != NULL ? json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : -1;
    json_decref(json);
    if (result == 0 && puts("") >= 0)
        return VP_EXIT_DONE;
    if (!ferror(stdout)) /* otherwise the end of `main` reports it */
        fputs("voxphys: no memory for JSON\n", stderr);
    return VP_EXIT_FAILED;
}
