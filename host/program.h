/* SPDX-License-Identifier: MIT */
/* What programs share: exit codes, options, progress, texts. */
#ifndef VP_HOST_PROGRAM_H
#define VP_HOST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/geometry.h>
#include <voxphys/kernels.h>
#include <voxphys/status.h>

#include "src/core/error.h"

enum {
    VP_EXIT_DONE = 0,
    VP_EXIT_FAILED = 1, /* a disagreement or a failed check */
    VP_EXIT_USAGE = 2   /* bad usage or bad input */
};

/* One option of a subcommand. Options come in any order, each at most once, before and after the other arguments; "--"
   ends them. A value follows as the next argument or after '='. "--help" is understood by vp_options_parse itself.
   Where the metavar ends with "..." the option may be given VP_OPTION_MANY times. */
enum { VP_OPTION_MANY = 64 };
typedef struct vp_option {
    const char *name;    /* with its dashes: "--json", "-o" */
    const char *metavar; /* what its value is called in the help; NULL: a flag */
    const char *help;    /* NULL: `name` is a heading of the help */
    const char **value;  /* receives the value (of a flag: its own name); NULL if it is not given. With "...": the first of
                            VP_OPTION_MANY + 1 that receive the values, and NULL behind them */
} vp_option;

/* What a subcommand takes. */
typedef struct vp_usage {
    const char *command;  /* "verify" */
    const char *synopsis; /* "[OPTION...]" or "NAME [OPTION...]" */
    const char *about;    /* sentences for the help */
    const vp_option *options;
    size_t option_count;
    size_t least, most; /* how many other arguments there must be */
} vp_usage;

/* Reads a subcommand's arguments (argv[0] is its name). The other arguments are moved to argv[1..*count].
   @return true to go on; false when the command is over, with *exit_code: after --help (0) or a mistake (2, told on
   stderr) */
bool vp_options_parse(const vp_usage *usage, int argc, char **argv, int *count, int *exit_code);

/* ---- options that are read ---- */

/* Reads an option's text, NULL where it is not given, into a->to. @return VP_EXIT_DONE, or the exit code of what is told */
typedef struct vp_argument vp_argument;
typedef int vp_read_fn(const char *command, const vp_argument *a, const char *text);

/* An option as of vp_option, and how it is read: by one of the macros below, which may be written in its place. */
struct vp_argument {
    const char *name, *metavar, *help;
    vp_read_fn *read;
    void *to;                 /* stays as it is where the option is not given, but for texts and flags */
    uint64_t low, high;       /* of whole numbers; high: how many words or numbers of a list */
    float least, most;        /* of numbers */
    const char *const *words; /* that there are */
};

/* A row of the table that prints a heading above the options after it. */
#define VP_GROUP(title)                                                                                                                    \
    {                                                                                                                                      \
        (title), NULL, NULL, VP_UNREAD                                                                                                     \
    }

#define VP_TYPED(type, to) (1 ? (to) : (type *)NULL)
#define VP_ZERO_IF(is)     (0 * sizeof(char[(is) ? 1 : -1])) /* else it does not compile */

#define VP_BY(read, to)              (read), (to), 0, 0, 0, 0, NULL
#define VP_TEXT(to)                  VP_BY(vp_read_text, VP_TYPED(const char *, to))
#define VP_MANY(to)                  VP_BY(vp_read_nothing, VP_TYPED(const char *, to)) /* of VP_OPTION_MANY + 1; NULL behind the last */
#define VP_FLAG(to)                  VP_BY(vp_read_flag, VP_TYPED(bool, to))
#define VP_UNREAD                    VP_BY(vp_read_nothing, NULL) /* vp_given tells */
#define VP_U64(to, low, high)        vp_read_u64, VP_TYPED(uint64_t, to), (low), (high), 0, 0, NULL
#define VP_U32(to, low, high)        vp_read_u32, VP_TYPED(uint32_t, to), (low), (high), 0, 0, NULL
#define VP_FLOAT(to)                 VP_BY(vp_read_float, VP_TYPED(float, to)) /* finite */
#define VP_WITHIN(to, low, high)     vp_read_float, VP_TYPED(float, to), 0, 0, (low), (high), NULL
#define VP_FLOATS(to, count)         vp_read_floats, VP_TYPED(float, to), 0, (count), 0, 0, NULL
#define VP_I32S(to, count)           vp_read_i32s, VP_TYPED(int32_t, to), 0, (count), 0, 0, NULL
#define VP_WORD(to, words)           VP_WORD_OF(to, words, sizeof(words) / sizeof(words)[0])
#define VP_WORD_OF(to, words, count) vp_read_word, (to) + VP_ZERO_IF(sizeof *(to) == sizeof(int)), 0, (count), 0, 0, (words) /* an enum */
#define VP_EITHER(to, words)         vp_read_either, VP_TYPED(bool, to), 0, 2, 0, 0, (words) /* whether it is the second */
vp_read_fn vp_read_text, vp_read_nothing, vp_read_flag, vp_read_u64, vp_read_u32, vp_read_float, vp_read_floats, vp_read_i32s, vp_read_word,
    vp_read_either;

enum { VP_MOST_ARGUMENTS = 32 };

/* A subcommand's line: what it takes, and what was given. */
typedef struct vp_command_line {
    const char *command, *synopsis, *about; /* as of vp_usage */
    size_t least, most;
    const vp_argument *argument;
    size_t count;
    int others;                           /* other arguments, in argv[1..others] */
    int code;                             /* the exit code, where the command is over */
    const char *given[VP_MOST_ARGUMENTS]; /* texts */
} vp_command_line;

#define VP_COMMAND_LINE(command, synopsis, least, most, arguments, about)                                                                  \
    {                                                                                                                                      \
        (command), (synopsis), (about), (least), (most), (arguments),                                                                      \
            sizeof(arguments) / sizeof(arguments)[0] + VP_ZERO_IF(sizeof(arguments) / sizeof(arguments)[0] <= VP_MOST_ARGUMENTS), 0, 0,    \
        {                                                                                                                                  \
            NULL                                                                                                                           \
        }                                                                                                                                  \
    }

/* As vp_options_parse; then each option is read, in the table's order; both. @return false: the command is over */
bool vp_command_parse(vp_command_line *line, int argc, char **argv);
bool vp_command_read(vp_command_line *line);
bool vp_command_begin(vp_command_line *line, int argc, char **argv);
/* The text of an option, or NULL. */
const char *vp_given(const vp_command_line *line, const char *name);

/* ---- numbers in texts ---- */

/* Numbers and lists of them in option values; on failure a message is told, as vp_command_usage does, and false
   returned. */
bool vp_parse_u64(const char *command, const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out);
bool vp_parse_float(const char *command, const char *option, const char *text, float *out);
/* "1,-2,3". `form` is what the help calls such a list, for the message: "X,Y,Z". */
bool vp_parse_i32_list(const char *command, const char *option, const char *form, const char *text, int32_t *out, size_t count);
/* "1,-2.5,3e2" */
bool vp_parse_float_list(const char *command, const char *option, const char *form, const char *text, float *out, size_t count);

/* Tells "voxphys COMMAND: MESSAGE" on stderr. @return the exit code that fits the status */
int vp_command_fail(const char *command, const vp_error *error);
/* The same for a message of one's own, as bad usage. */
int vp_command_usage(const char *command, const char *format, ...) VP_PRINTF(2, 3);
/* Bad usage: an option's value is none of these names, which are listed one a line if they need more than a line. */
int vp_command_none_of(const char *command, const char *option, const char *value, const char *const *names, size_t count);
/* The same for who tells by false that the command is over. */
#define VP_REFUSE(...) (vp_command_usage(__VA_ARGS__), false)

/* A command of a command: `voxphys dataset list`. */
typedef struct vp_subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
} vp_subcommand;

/* Runs the one that argv[1] names, or prints the help. @return the exit code */
int vp_command_choose(const char *command, const char *help, const vp_subcommand *commands, size_t count, int argc, char **argv);

/* A progress bar on stderr, drawn only where stderr is a terminal. Calls with done == total end it. */
void vp_progress(const char *what, uint64_t done, uint64_t total);
/* Erases the bar, if any: before a message that ends the work, and before one on stderr. The next vp_progress draws it again. */
void vp_progress_hide(void);
/* Prints to stdout above the bar, if any. The text ends with a newline. */
void vp_print_row(const char *format, ...) VP_PRINTF(1, 2);

/* Whether a name ends so, letter for letter, and begins with something else. */
static inline bool vp_ends(const char *name, const char *end)
{
    const size_t length = strlen(name), size = strlen(end);
    return length > size && strcmp(name + length - size, end) == 0;
}

/* Which of some endings a name has: its number; `count` if none. */
static inline size_t vp_ending_of(const char *name, const char *const *ends, size_t count)
{
    size_t i = 0;
    while (i < count && !vp_ends(name, ends[i]))
        i++;
    return i;
}

/* What a word has behind it of so many: "s", or "" of one. */
static inline const char *vp_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Seconds of a clock that only goes forward. */
double vp_seconds(void);

/* Prints a JSON value (a json_t of jansson, passed as void so that commands without JSON need no header), and frees
   it. NULL stands for a value that could not be made for want of memory; that is told.
   @return VP_EXIT_DONE, or VP_EXIT_FAILED if it could not be written; `main` tells if the output is at fault */
int vp_print_json(void *json);

/* A name that came from outside (a file's, an argument), as a JSON string: JSON is UTF-8, file names are any bytes, so a
   byte that is no part of a character becomes U+FFFD. NULL without memory. */
struct json_t *vp_json_name(const char *name);
/* The same of a format, whose parts may be cut within a character. */
struct json_t *vp_json_format(const char *format, ...) VP_PRINTF(1, 2);
bool vp_is_utf8(const char *text);
/* A name, or null for NULL; a digest as 16 digits; how many a second, or null where no time was measured; a point. */
struct json_t *vp_json_path(const char *path);
struct json_t *vp_json_hex(uint64_t value);
struct json_t *vp_json_rate(double count, double seconds);
struct json_t *vp_json_vec3(vp_vec3 v);

/* A text that came from outside, as a terminal may show it: the bytes of control characters, and those that are no part of a character,
   become \x1b and so on, as they are written in C; characters without a width, and those that turn the order of others, \u{feff}. `out` is
   cut between characters where it is full, and ends with a zero. */
void vp_escape(const char *text, char *out, size_t room);
/* The first character of a text so. @return of how many bytes it is; the text must have one */
typedef struct vp_escaped {
    char text[12];
} vp_escaped;
size_t vp_escape_next(const char *text, vp_escaped *out);

/* A set as it is here and as one asks for it: "avx2" where it is native, "neon-simde" where it is there through SIMDe. */
const char *vp_isa_shown(vp_isa isa);

#endif
