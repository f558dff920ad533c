/* SPDX-License-Identifier: MIT */
/* Hulls from an OBJ: its objects or groups. Normals, materials, lines and points are skipped. */
#include "host/hulls/hulls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/bytes.h"
#include "src/core/error.h"

/* Position and state of the reader. */
typedef struct obj_reader {
    char *text; /* a copy, each line ends with a zero byte */
    size_t size;
    vp_hulls *out;
    vp_error *error;
    uint32_t line;
    char divider;        /* letter of the lines that begin a hull: 'o' or 'g' */
    bool faces, open;    /* the file has faces, and a hull is open */
    vp_vec3 *place;      /* [`v` lines] */
    uint32_t (*used)[2]; /* for each place: the last hull that uses it, from 1, and its point number there */
    uint32_t places;
    size_t place_room, used_room;
} obj_reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* past_blanks skips blanks. past_word skips a word and the blanks after it. */
static char *past_blanks(char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static char *past_word(char *at)
{
    while (*at != '\0' && !is_blank(*at))
        at++;
    return past_blanks(at);
}

/* Whether a line begins with this word. */
static bool is_line(const char *line, char word)
{
    return line[0] == word && (line[1] == '\0' || is_blank(line[1]));
}

static vp_status no_memory(obj_reader *r)
{
    return vp_fail(r->error, VP_E_MEMORY, "no memory for hulls");
}

/* Begins a hull unless one is open. */
static void open_hull(obj_reader *r)
{
    if (r->open)
        return;
    vp_hulls_join(r->out);
    vp_hulls_begin(r->out);
    r->open = true;
}

static vp_status read_place(obj_reader *r, char *line)
{
    float at[3];
    char *from = past_word(line);
    for (int k = 0; k < 3; k++) {
        char *end;
        at[k] = strtof(from, &end);
        if (end == from || !isfinite(at[k]) || (*end != '\0' && !is_blank(*end)))
            return vp_fail(r->error, VP_E_FORMAT, "line %u: %c is not a finite number", r->line, "xyz"[k]);
        from = past_blanks(end);
    }
    if (r->places == VP_HULLS_MAX_POINTS)
        return vp_fail(r->error, VP_E_FORMAT, "line %u: more than %u points", r->line, VP_HULLS_MAX_POINTS);
    const size_t count = (size_t)r->places + 1;
    if (vp_grow_array(&r->place, &r->place_room, count, sizeof *r->place, "points", NULL) != VP_OK ||
        vp_grow_array(&r->used, &r->used_room, count, sizeof *r->used, "points", NULL) != VP_OK)
        return no_memory(r);
    r->place[r->places] = (vp_vec3){at[0], at[1], at[2]};
    memset(r->used[r->places++], 0, sizeof *r->used);
    if (!r->faces) {
        open_hull(r);
        vp_hulls_point(r->out, r->place[r->places - 1]);
    }
    return VP_OK;
}

/* Reads a corner's number in the hull: "3", "3/1/2", or "-1" for the last point so far. */
static vp_status read_corner(obj_reader *r, char **at, uint32_t *number)
{
    char *end;
    const long long given = strtoll(*at, &end, 10), index = given < 0 ? (long long)r->places + given : given - 1;
    if (end == *at || (*end != '\0' && *end != '/' && !is_blank(*end)) || given == 0)
        return vp_fail(r->error, VP_E_FORMAT, "line %u: \"%.20s\" is not a corner of a face", r->line, *at);
    if (index < 0 || index >= (long long)r->places)
        return vp_fail(r->error, VP_E_FORMAT, "line %u: a face has point %lld of %u so far", r->line, given, r->places);
    if (r->used[index][0] != r->out->count) {
        r->used[index][0] = r->out->count;
        r->used[index][1] = r->out->one[r->out->count - 1].points;
        vp_hulls_point(r->out, r->place[index]);
    }
    *number = r->used[index][1];
    *at = past_word(*at);
    return VP_OK;
}

static vp_status read_face(obj_reader *r, char *line)
{
    uint32_t corner[3] = {0, 0, 0}, corners = 0;
    char *at = past_word(line);
    open_hull(r);
    for (; *at != '\0' && !r->out->failed; corners++) {
        const vp_status status = read_corner(r, &at, &corner[corners < 2 ? corners : 2]);
        if (status != VP_OK)
            return status;
        if (corners >= 2) {
            vp_hulls_triangle(r->out, corner[0], corner[1], corner[2]);
            corner[1] = corner[2];
        }
        if (r->out->triangles > VP_HULLS_MAX_TRIANGLES)
            return vp_fail(r->error, VP_E_FORMAT, "line %u: more than %u triangles", r->line, VP_HULLS_MAX_TRIANGLES);
    }
    if (r->out->failed)
        return no_memory(r);
    return corners >= 3 ? VP_OK : vp_fail(r->error, VP_E_FORMAT, "line %u: a face of %u corners", r->line, corners);
}

static vp_status read_line(obj_reader *r, char *line)
{
    if (is_line(line, r->divider))
        r->open = false;
    if (is_line(line, 'v'))
        return read_place(r, line);
    return is_line(line, 'f') ? read_face(r, line) : VP_OK;
}

/* Cuts the text into lines without comments, and finds which letter begins hulls. */
static void look(obj_reader *r)
{
    bool comment = false, objects = false;
    for (size_t i = 0; i < r->size; i++) {
        char *c = &r->text[i];
        const size_t end = c[0] != '\\' ? 0 : i + 1 < r->size && c[1] == '\n' ? 1 : i + 2 < r->size && c[1] == '\r' && c[2] == '\n' ? 2 : 0;
        if (end != 0) /* a continued line counts as one */
            memset(c, ' ', end + 1);
        comment = *c != '\n' && (comment || *c == '#');
        *c = *c == '\n' ? '\0' : comment || *c == '\0' ? ' ' : *c;
    }
    for (size_t i = 0; i < r->size; i += strlen(r->text + i) + 1) {
        const char *line = past_blanks(r->text + i);
        objects = objects || is_line(line, 'o');
        r->faces = r->faces || is_line(line, 'f');
    }
    r->divider = objects ? 'o' : 'g';
}

vp_status vp_hulls_read_obj(const uint8_t *bytes, size_t size, vp_hulls *out, vp_error *error)
{
    obj_reader r = {.text = malloc(size + 1), .size = size, .out = out, .error = error};
    vp_status status = r.text != NULL ? VP_OK : no_memory(&r);
    if (status == VP_OK) {
        memcpy(r.text, bytes != NULL ? (const char *)bytes : "", size);
        r.text[size] = '\0';
        look(&r);
    }
    for (size_t i = 0; status == VP_OK && i < size; i += strlen(r.text + i) + 1) {
        r.line++;
        status = read_line(&r, past_blanks(r.text + i));
    }
    vp_hulls_join(out);
    if (status == VP_OK && out->failed)
        status = no_memory(&r);
    if (status == VP_OK && out->count == 0)
        status = vp_fail(error, VP_E_FORMAT, "it has no hull: no face and no point");
    free(r.text);
    free(r.place);
    free(r.used);
    return status;
}
