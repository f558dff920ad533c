/* SPDX-License-Identifier: MIT */
/* What programs share: exit codes, options, progress, texts. */
#ifndef VP_HOST_PROGRAM_H
#define VP_HOST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    const char *help;
    const char **value; /* receives the value (of a flag: its own name); NULL if it is not given. With "...": the first of
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
