/* SPDX-License-Identifier: MIT */
/* Hulls from files: JSON, and formats that assimp reads. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "host/hulls/hulls.h"
#include "src/core/file.h"
#include "src/core/memory.h"
#include "host/mesh_load.h"
#include "host/mesh_wire.h"

static vp_status no_memory(vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for hulls");
}

/* ---- JSON ---- */

/* Reads a number that is finite as binary32. */
static bool read_number(const json_t *value, float *out)
{
    *out = json_is_number(value) ? (float)json_number_value(value) : NAN;
    return isfinite(*out);
}

static vp_status read_point(const json_t *value, size_t hull, size_t number, vp_hulls *out, vp_error *error)
{
    float at[3] = {0.0f, 0.0f, 0.0f};
    bool right = json_array_size(value) == 3;
    for (size_t k = 0; k < 3 && right; k++)
        right = read_number(json_array_get(value, k), &at[k]);
    if (!right)
        return vp_fail(error, VP_E_FORMAT, "hull %zu: point %zu is not three finite numbers", hull, number);
    vp_hulls_point(out, (vp_vec3){at[0], at[1], at[2]});
    return VP_OK;
}

/* Reads an integer below `end`. */
static bool read_index(const json_t *value, uint32_t end, uint32_t *out)
{
    const json_int_t index = json_is_integer(value) ? json_integer_value(value) : -1;
    *out = index >= 0 && index < (json_int_t)end ? (uint32_t)index : 0;
    return index >= 0 && index < (json_int_t)end;
}

static vp_status read_triangle(const json_t *value, size_t hull, size_t number, uint32_t points, vp_hulls *out, vp_error *error)
{
    uint32_t corner[3] = {0, 0, 0};
    bool right = json_array_size(value) == 3;
    for (size_t k = 0; k < 3 && right; k++)
        right = read_index(json_array_get(value, k), points, &corner[k]);
    if (!right)
        return vp_fail(error, VP_E_FORMAT, "hull %zu: triangle %zu is not three of its %u points, numbered from 0", hull, number, points);
    vp_hulls_triangle(out, corner[0], corner[1], corner[2]);
    return VP_OK;
}

static vp_status read_hull(const json_t *value, size_t hull, vp_hulls *out, vp_error *error)
{
    const json_t *points = json_object_get(value, "points"), *triangles = json_object_get(value, "triangles");
    const json_t *of = json_object_get(value, "of");
    const size_t point_count = json_array_size(points), triangle_count = json_array_size(triangles), source_count = json_array_size(of);
    vp_status status = VP_OK;
    if (point_count == 0)
        return vp_fail(error, VP_E_FORMAT,
                       json_is_array(points) ? "hull %zu: its list of \"points\" is empty" : "hull %zu has no list of \"points\"", hull);
    if (point_count > VP_HULLS_MAX_POINTS - out->points || triangle_count > VP_HULLS_MAX_TRIANGLES - out->triangles)
        return vp_fail(error, VP_E_FORMAT, "hull %zu: more than %u points or %u triangles", hull, VP_HULLS_MAX_POINTS,
                       VP_HULLS_MAX_TRIANGLES);
    if ((triangles != NULL && !json_is_array(triangles)) || (of != NULL && !json_is_array(of)))
        return vp_fail(error, VP_E_FORMAT, "hull %zu: its \"%s\" must be a list", hull,
                       json_is_array(of) || of == NULL ? "triangles" : "of");
    vp_hulls_begin(out);
    for (size_t i = 0; i < point_count && status == VP_OK; i++)
        status = read_point(json_array_get(points, i), hull, i, out, error);
    for (size_t i = 0; i < triangle_count && status == VP_OK; i++)
        status = read_triangle(json_array_get(triangles, i), hull, i, (uint32_t)point_count, out, error);
    for (size_t i = 0; i < source_count && status == VP_OK; i++) {
        uint32_t source = 0;
        if (!read_index(json_array_get(of, i), UINT32_MAX, &source))
            status = vp_fail(error, VP_E_FORMAT, "hull %zu: number %zu of its \"of\" is not a triangle's", hull, i);
        vp_hulls_source(out, source);
    }
    vp_hulls_join(out);
    return status;
}

vp_status vp_hulls_read_json(const uint8_t *bytes, size_t size, vp_hulls *out, vp_error *error)
{
    json_error_t reason;
    json_t *all = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &reason);
    const json_t *hulls = json_object_get(all, "hulls");
    const size_t count = json_array_size(hulls);
    vp_status status = VP_OK;
    if (all == NULL)
        status = vp_fail(error, VP_E_FORMAT, "line %d: %.120s", reason.line, reason.text);
    else if (!json_is_array(hulls))
        status = vp_fail(error, VP_E_FORMAT, "it has no list of \"hulls\"");
    else if (count == 0)
        status = vp_fail(error, VP_E_FORMAT, "its list of \"hulls\" is empty");
    for (size_t i = 0; i < count && status == VP_OK; i++)
        status = read_hull(json_array_get(hulls, i), i, out, error);
    json_decref(all);
    return status == VP_OK && out->failed ? no_memory(error) : status;
}

/* ---- through assimp ---- */

/* Adds the points of a node's triangles, in order, as a hull. */
static vp_status take_parts(const vp_loaded_mesh *mesh, vp_hulls *out, vp_error *error)
{
    const vp_triangles *t = &mesh->triangles;
    uint32_t *hull = calloc((size_t)t->vertex_count + 1, sizeof *hull), *number = calloc((size_t)t->vertex_count + 1, sizeof *number);
    bool failed = hull == NULL || number == NULL;
    for (uint32_t i = 0; !failed && i < t->triangle_count; i++) {
        uint32_t corner[3] = {0, 0, 0};
        if (i == 0 || mesh->part[i] != mesh->part[i - 1]) {
            vp_hulls_join(out);
            vp_hulls_begin(out);
        }
        failed = out->failed;
        for (int k = 0; k < 3 && !failed; k++) {
            const uint32_t v = t->index[(size_t)i * 3 + (size_t)k];
            if (hull[v] != out->count) {
                hull[v] = out->count;
                number[v] = out->one[out->count - 1].points;
                vp_hulls_point(out, t->vertex[v]);
            }
            corner[k] = number[v];
        }
        if (!failed)
            vp_hulls_triangle(out, corner[0], corner[1], corner[2]);
    }
    vp_hulls_join(out);
    free(hull);
    free(number);
    return failed || out->failed ? no_memory(error) : VP_OK;
}

static vp_status read_mesh(const char *path, vp_hulls *out, vp_error *error)
{
    vp_loaded_mesh mesh = {0};
    vp_looks *looks = malloc(sizeof *looks);
    if (looks == NULL)
        return no_memory(error);
    vp_status status = vp_mesh_load(path, NULL, &mesh, looks, error);
    if (status == VP_OK)
        status = take_parts(&mesh, out, error);
    vp_loaded_mesh_destroy(&mesh);
    free(looks);
    return status;
}

/* ---- files ---- */

bool vp_is_hulls_file(const char *name)
{
    return vp_is_mesh_file(name) || vp_name_ends(name, ".json");
}

vp_status vp_hulls_read(const char *path, vp_hulls *out, vp_error *error)
{
    *out = (vp_hulls){0};
    const bool json = vp_name_ends(path, ".json");
    if (!json && !vp_name_ends(path, ".obj"))
        return read_mesh(path, out, error);
    const vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    VP_RETURN_IF_FAILED(vp_file_read(path, UINT64_C(1) << 32, &allocator, &bytes, &size, error));
    vp_status status = json ? vp_hulls_read_json(bytes, size, out, error) : vp_hulls_read_obj(bytes, size, out, error);
    vp_release(&allocator, bytes, size, 1);
    if (status != VP_OK && status != VP_E_MEMORY)
        vp_name_file(error, "", path);
    return status;
}

/* Hulls from an OBJ: its objects or groups. Normals, materials, lines and points are skipped. */

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
        return no_memory(r->error);
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
        VP_RETURN_IF_FAILED(read_corner(r, &at, &corner[corners < 2 ? corners : 2]));
        if (corners >= 2) {
            vp_hulls_triangle(r->out, corner[0], corner[1], corner[2]);
            corner[1] = corner[2];
        }
        if (r->out->triangles > VP_HULLS_MAX_TRIANGLES)
            return vp_fail(r->error, VP_E_FORMAT, "line %u: more than %u triangles", r->line, VP_HULLS_MAX_TRIANGLES);
    }
    if (r->out->failed)
        return no_memory(r->error);
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
    vp_status status = r.text != NULL ? VP_OK : no_memory(r.error);
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
        status = no_memory(r.error);
    if (status == VP_OK && out->count == 0)
        status = vp_fail(error, VP_E_FORMAT, "it has no hull: no face and no point");
    free(r.text);
    free(r.place);
    free(r.used);
    return status;
}
