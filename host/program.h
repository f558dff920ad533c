/* SPDX-License-Identifier: MIT */
/* Exit codes, options, JSON, progress and escaped texts for programs. */
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
    VP_EXIT_FAILED = 1, /* a difference or a failed check */
    VP_EXIT_USAGE = 2   /* bad usage or bad input */
};

enum { VP_OPTION_MANY = 64 };

/* ---- options ---- */

/* Reads an option's text into a->to. NULL = not given. @return VP_EXIT_DONE, or an exit code after a message on stderr */
typedef struct vp_argument vp_argument;
typedef int vp_read_fn(const char *command, const vp_argument *a, const char *text);

/* One option of a subcommand, and its reader and limits, which one of the macros below sets. Options come in any order,
   each at most once, before and after the other arguments. "--" ends them. A value is the next argument or follows '='. If
   the metavar ends with "...", the option may be repeated up to VP_OPTION_MANY times. */
struct vp_argument {
    const char *name;    /* with dashes: "--json", "-o" */
    const char *metavar; /* name of the value in the help. NULL = the option is a flag */
    const char *help;    /* NULL = `name` is a heading of the help */
    vp_read_fn *read;
    void *to;                 /* unchanged if the option is not given, except texts and flags */
    uint64_t low, high;       /* limits of integers. high: number of words, or of numbers in a list */
    float least, most;        /* limits of numbers */
    const char *const *words; /* the accepted words */
};

/* A row of the table that prints a heading above the options after it. */
#define VP_GROUP(title)                                                                                                                    \
    {                                                                                                                                      \
        (title), NULL, NULL, VP_UNREAD                                                                                                     \
    }

#define VP_TYPED(type, to) (1 ? (to) : (type *)NULL)
#define VP_ZERO_IF(is)     (0 * sizeof(char[(is) ? 1 : -1])) /* a false condition does not compile */

#define VP_BY(read, to)              (read), (to), 0, 0, 0, 0, NULL
#define VP_TEXT(to)                  VP_BY(vp_read_text, VP_TYPED(const char *, to))
#define VP_MANY(to)                  VP_BY(vp_read_nothing, VP_TYPED(const char *, to)) /* to: [VP_OPTION_MANY + 1], ends with NULL */
#define VP_FLAG(to)                  VP_BY(vp_read_flag, VP_TYPED(bool, to))
#define VP_UNREAD                    VP_BY(vp_read_nothing, NULL) /* read it with vp_given */
#define VP_U64(to, low, high)        vp_read_u64, VP_TYPED(uint64_t, to), (low), (high), 0, 0, NULL
#define VP_U32(to, low, high)        vp_read_u32, VP_TYPED(uint32_t, to), (low), (high), 0, 0, NULL
#define VP_FLOAT(to)                 VP_BY(vp_read_float, VP_TYPED(float, to)) /* finite */
#define VP_WITHIN(to, low, high)     vp_read_float, VP_TYPED(float, to), 0, 0, (low), (high), NULL
#define VP_FLOATS(to, count)         vp_read_floats, VP_TYPED(float, to), 0, (count), 0, 0, NULL
#define VP_I32S(to, count)           vp_read_i32s, VP_TYPED(int32_t, to), 0, (count), 0, 0, NULL
#define VP_WORD(to, words)           VP_WORD_OF(to, words, sizeof(words) / sizeof(words)[0])
#define VP_WORD_OF(to, words, count) vp_read_word, (to) + VP_ZERO_IF(sizeof *(to) == sizeof(int)), 0, (count), 0, 0, (words) /* an enum */
#define VP_EITHER(to, words)         vp_read_either, VP_TYPED(bool, to), 0, 2, 0, 0, (words) /* true = the second word */
vp_read_fn vp_read_text, vp_read_nothing, vp_read_flag, vp_read_u64, vp_read_u32, vp_read_float, vp_read_floats, vp_read_i32s, vp_read_word,
    vp_read_either;

/* A limit as messages show it, large powers of two like 2^40. Usage: vp_show_limit(limit).text */
typedef struct vp_limit_text {
    char text[24];
} vp_limit_text;
vp_limit_text vp_show_limit(double limit);

enum { VP_MOST_ARGUMENTS = 40 };

/* A subcommand's command line: accepted options, and the values given. */
typedef struct vp_command_line {
    const char *command;  /* "verify" */
    const char *synopsis; /* "[OPTION...]" or "NAME [OPTION...]" */
    const char *about;    /* help text */
    size_t least, most;   /* number of other arguments */
    const vp_argument *argument;
    size_t count;
    int others;                           /* other arguments, in argv[1..others] */
    int code;                             /* the exit code once the command has ended */
    const char *given[VP_MOST_ARGUMENTS]; /* texts of the options */
} vp_command_line;

#define VP_COMMAND_LINE(command, synopsis, least, most, arguments, about)                                                                  \
    {                                                                                                                                      \
        (command), (synopsis), (about), (least), (most), (arguments),                                                                      \
            sizeof(arguments) / sizeof(arguments)[0] + VP_ZERO_IF(sizeof(arguments) / sizeof(arguments)[0] <= VP_MOST_ARGUMENTS), 0, 0,    \
        {                                                                                                                                  \
            NULL                                                                                                                           \
        }                                                                                                                                  \
    }

/* vp_command_parse sorts a subcommand's arguments, argv[0] is its name. It handles --help. vp_command_read then reads each
   option in the table's order. vp_command_begin does both.
   @return false if the command has ended with line->code: 0 after --help, 2 after a message on stderr */
bool vp_command_parse(vp_command_line *line, int argc, char **argv);
bool vp_command_read(vp_command_line *line);
bool vp_command_begin(vp_command_line *line, int argc, char **argv);
/* The text of an option, or NULL. */
const char *vp_given(const vp_command_line *line, const char *name);

/* ---- numbers in texts ---- */

/* Read numbers and lists of numbers. @return false after a message, printed as by vp_command_usage */
bool vp_parse_u64(const char *command, const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out);
bool vp_parse_float(const char *command, const char *option, const char *text, float *out);
/* "1,-2,3". `form` is the list's name in the help and in the message: "X,Y,Z". */
bool vp_parse_i32_list(const char *command, const char *option, const char *form, const char *text, int32_t *out, size_t count);
/* "1,-2.5,3e2" */
bool vp_parse_float_list(const char *command, const char *option, const char *form, const char *text, float *out, size_t count);

/* Prints "voxphys COMMAND: MESSAGE" on stderr. @return the exit code that fits the status */
int vp_command_fail(const char *command, const vp_error *error);
/* Prints a formatted message as bad usage. */
int vp_command_usage(const char *command, const char *format, ...) VP_PRINTF(2, 3);
/* Reports an option's value that is none of these names. Lists the names, one a line if they don't fit on one. */
int vp_command_none_of(const char *command, const char *option, const char *value, const char *const *names, size_t count);
/* vp_command_usage for functions that return false. */
#define VP_REFUSE(...) (vp_command_usage(__VA_ARGS__), false)

/* A command of a subcommand, such as `voxphys dataset list`. */
typedef struct vp_subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
} vp_subcommand;

/* The name that a mistyped word resembles. Start with {0}. */
typedef struct vp_guess {
    unsigned differences; /* 0 = no name yet */
    char text[64];        /* "; did you mean 'NAME'?", or "" */
} vp_guess;
void vp_guess_from(vp_guess *guess, const char *word, const char *name);

/* Runs the command that argv[1] names, or prints the help. @return the exit code */
int vp_command_choose(const char *command, const char *help, const vp_subcommand *commands, size_t count, int argc, char **argv);

/* Starts a colour on stdout, or ends it. "" unless stdout is a terminal and NO_COLOR is unset. */
typedef enum vp_colour { VP_COLOUR_NONE, VP_COLOUR_BOLD, VP_COLOUR_RED, VP_COLOUR_GREEN } vp_colour;
const char *vp_colour_code(vp_colour colour);

/* A progress bar with the time left, on stderr, drawn only where stderr is a terminal. Calls with done == total end it. */
void vp_progress(const char *what, uint64_t done, uint64_t total);
/* Erases the bar, if any. Call it before a final message and before any message on stderr. The next vp_progress redraws the bar. */
void vp_progress_hide(void);
/* Prints a text that ends with a newline to stdout, above the bar if any. */
void vp_print_row(const char *format, ...) VP_PRINTF(1, 2);

/* Whether a name ends with `end`, case-sensitively, and has characters before it. */
static inline bool vp_ends(const char *name, const char *end)
{
    const size_t length = strlen(name), size = strlen(end);
    return length > size && strcmp(name + length - size, end) == 0;
}

/* The number of the ending that a name has, or `count` if none. */
static inline size_t vp_ending_of(const char *name, const char *const *ends, size_t count)
{
    size_t i = 0;
    while (i < count && !vp_ends(name, ends[i]))
        i++;
    return i;
}

/* The plural ending of a word, "s", or "" for a count of 1. */
static inline const char *vp_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Seconds of a monotonic clock. */
double vp_seconds(void);

/* Prints a JSON value and frees it. `json` is a json_t of jansson, passed as void so that commands without JSON need no
   header. NULL = out of memory, which is reported.
   @return VP_EXIT_DONE, or VP_EXIT_FAILED if the value could not be written. `main` reports write errors of stdout */
int vp_print_json(void *json);

/* An untrusted name, such as a file name or an argument, as a JSON string. Bytes that are not UTF-8 become U+FFFD. NULL
   if out of memory. */
struct json_t *vp_json_name(const char *name);
bool vp_is_utf8(const char *text);
/* JSON values: a name (null for NULL), a digest of 16 digits, a rate per second (null without a measured time), a point. */
struct json_t *vp_json_path(const char *path);
struct json_t *vp_json_hex(uint64_t value);
struct json_t *vp_json_rate(double count, double seconds);
struct json_t *vp_json_vec3(vp_vec3 v);

/* Makes an untrusted text safe for a terminal. Control characters and invalid bytes become escapes of C such as \x1b.
   Invisible characters and those that change the writing direction are written as code points such as \u{feff}. If
   `out` is full it is cut between characters. It ends with a zero. */
void vp_escape(const char *text, char *out, size_t room);

/* Name of an instruction set on this machine: "avx2" where it is native, "neon-simde" where SIMDe provides it. */
const char *vp_isa_shown(vp_isa isa);

#endif
