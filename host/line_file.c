/* SPDX-License-Identifier: MIT */
#include "host/line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/core/error.h"

/* ---- files and lines ---- */

/* Some editors put three bytes in front of a text in UTF-8. */
static void pass_byte_order_mark(FILE *file)
{
    if (getc(file) != 0xef || getc(file) != 0xbb || getc(file) != 0xbf)
        rewind(file);
}

vp_status vp_open_lines(const char *path, FILE **out, vp_error *error)
{
    struct stat about = {0};
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file == -1)
        return vp_fail(error, VP_E_IO, "cannot open %s: %s", vp_show_path(path).text, strerror(errno));
    vp_status status = VP_OK;
    if (fstat(file, &about) != 0)
        status = vp_fail(error, VP_E_IO, "cannot open %s: %s", vp_show_path(path).text, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = vp_fail(error, VP_E_IO, "%s is not a regular file", vp_show_path(path).text);
    else if ((*out = fdopen(file, "r")) == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory to read %s", vp_show_path(path).text);
    if (status != VP_OK)
        close(file);
    else
        pass_byte_order_mark(*out);
    return status;
}

bool vp_next_line(FILE *file, char line[VP_LINE_BYTES], size_t *length)
{
    int c = EOF;
    for (*length = 0; *length < VP_LINE_BYTES && (c = getc(file)) != EOF && c != '\n'; ++*length)
        line[*length] = (char)c;
    return c != EOF || *length != 0;
}

vp_status vp_read_lines(const char *path, const char *what, vp_line_fn *read, void *user, vp_error *error)
{
    FILE *file = NULL;
    char line[VP_LINE_BYTES + 1];
    size_t length;
    VP_RETURN_IF_FAILED(vp_open_lines(path, &file, error));
    vp_status status = VP_OK;
    for (vp_line_place here = {1, error}; status == VP_OK && vp_next_line(file, line, &length); here.line++) {
        line[length] = '\0';
        if (length == VP_LINE_BYTES)
            status = vp_fail(error, VP_E_FORMAT, VP_PLACE "longer than %s, over %d bytes", here.line, what, VP_LINE_BYTES - 1);
        else if (here.line == UINT32_MAX)
            status = vp_fail(error, VP_E_FORMAT, "more than %u lines", UINT32_MAX - 1);
        else
            status = read(user, &here, line, length);
    }
    if (status == VP_OK && ferror(file))
        status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    fclose(file);
    if (status != VP_OK)
        vp_name_file(error, "", path);
    return status;
}

vp_status vp_line_is_text(const vp_line_place *p, const char *line, size_t length)
{
    const char *zero = memchr(line, '\0', length);
    return zero == NULL ? VP_OK
                        : vp_fail(p->error, VP_E_FORMAT, VP_PLACE "byte %zu is 0, which is not text", p->line, (size_t)(zero - line) + 1);
}

vp_status vp_line_json(const vp_line_place *p, const char *line, size_t length, json_t **out)
{
    VP_RETURN_IF_FAILED(vp_line_is_text(p, line, length));
    json_error_t mistake;
    *out = json_loadb(line, length, JSON_REJECT_DUPLICATES, &mistake);
    if (*out == NULL && json_error_code(&mistake) == json_error_out_of_memory)
        return vp_fail(p->error, VP_E_MEMORY, VP_PLACE "no memory for it", p->line);
    if (*out == NULL)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "not JSON: %.100s", p->line, mistake.text);
    return VP_OK;
}

vp_status vp_line_missing(const vp_line_place *p, const char *name)
{
    return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"%s\" is missing", p->line, name);
}

/* ---- numbers ---- */

bool vp_text_float(const char *text, float *out)
{
    char *end;
    errno = 0;
    *out = strtof(text, &end);
    return end != text && *end == '\0' && !(errno == ERANGE && isinf(*out));
}

bool vp_text_has_empty_word(const char *text)
{
    const char *last = NULL; /* last character that is not a blank */
    for (; *text != '\0' && *text != '#'; text++) {
        if (strchr(" \t\r\n", *text) != NULL)
            continue;
        if (*text == ',' && (last == NULL || *last == ','))
            return true;
        last = text;
    }
    return last != NULL && *last == ',';
}

/* A JSON number is decimal and becomes binary64 first. It is accepted only if the conversion to binary32 is exact. */
static bool number_of_json(const json_t *value, float *out)
{
    double wide = json_number_value(value);
    if (!(fabs(wide) <= (double)FLT_MAX))
        return false;
    *out = (float)wide;
    if ((double)*out != wide)
        return false;
    return !json_is_integer(value) || (wide < 0x1p63 && (json_int_t)wide == json_integer_value(value));
}

vp_status vp_line_float(const vp_line_place *p, const json_t *value, const char *name, float *out)
{
    static const char what[] = "a text such as \"0x1.8p+3\", or a number that a 32-bit float holds exactly";
    if (value == NULL)
        return vp_line_missing(p, name);
    if (json_is_string(value) ? vp_text_float(json_string_value(value), out) : json_is_number(value) && number_of_json(value, out))
        return VP_OK;
    char *shown = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    vp_fail(p->error, VP_E_FORMAT, VP_PLACE "%s is %.32s, not %s", p->line, name, shown != NULL ? shown : "something else", what);
    free(shown);
    return VP_E_FORMAT;
}

vp_status vp_line_vec3(const vp_line_place *p, const json_t *value, const char *name, vp_vec3 *out)
{
    float *const to[3] = {&out->x, &out->y, &out->z};
    if (value == NULL)
        return vp_line_missing(p, name);
    if (!json_is_array(value) || json_array_size(value) != 3)
        return vp_fail(p->error, VP_E_FORMAT, VP_PLACE "\"%s\" is not a list of three numbers", p->line, name);
    for (size_t k = 0; k < 3; k++) {
        char component[32];
        snprintf(component, sizeof component, "%s.%c", name, "xyz"[k]);
        VP_RETURN_IF_FAILED(vp_line_float(p, json_array_get(value, k), component, to[k]));
    }
    return VP_OK;
}
