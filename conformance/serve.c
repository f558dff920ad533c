/* SPDX-License-Identifier: MIT */
#include "conformance/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { WORD_SHOWN = 40 };

static int shown(size_t length)
{
    return (int)(length < WORD_SHOWN ? length : WORD_SHOWN);
}

static void greet(const vp_server *s)
{
    printf("hello 1 %s %s\ncan", s->name, s->version);
    for (const vp_family *const *f = vp_families; *f != NULL; f++)
        if (s->can(s->user, *f))
            printf(" %s", (*f)->name);
    putchar('\n');
}

/* Answers the words after a question's number. */
static vp_status answer(const vp_server *s, vp_words *words, vp_error *error)
{
    const char *name;
    size_t length;
    vp_question q;
    if (!vp_word_next(words, &name, &length))
        return vp_fail(error, VP_E_FORMAT, "a question has no family");
    const vp_family *family = vp_family_named(name, length);
    if (family == NULL)
        return vp_fail(error, VP_E_FORMAT, "'%.*s' is not a family", shown(length), name);
    if (!s->can(s->user, family))
        return vp_fail(error, VP_E_UNSUPPORTED, "%s is not offered here", family->name);
    vp_status status = vp_question_read(words, family, &q, error);
    if (status == VP_OK)
        status = s->answer(s->user, &q, stdout, error);
    vp_question_drop(&q);
    return status;
}

static void answer_line(const vp_server *s, const char *line)
{
    vp_words words = {line};
    const char *number;
    size_t length;
    vp_error error;
    if (!vp_word_next(&words, &number, &length)) /* ignore an empty line */
        return;
    printf("%.*s ", shown(length), number);
    if (answer(s, &words, &error) != VP_OK)
        printf("refused %s", error.message);
    putchar('\n');
}

bool vp_serve(const vp_server *s)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (errno = 0, (length = getline(&line, &room, stdin)) > 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = '\0';
        if (strncmp(line, "hello ", 6) == 0)
            greet(s);
        else
            answer_line(s, line);
        if (fflush(stdout) != 0)
            break;
    }
    const bool memory = errno != ENOMEM;
    free(line);
    if (!memory)
        fprintf(stderr, "%s: no memory for a question\n", s->name);
    return memory;
}
