/* SPDX-License-Identifier: MIT */
/* Checks of mesh files before assimp reads them. assimp accepts damaged files: it reads a truncated file up to the cut
 * and wraps numbers that are too large. So counts in a file are compared with its content first. assimp also recognises
 * glTF by content alone, and would read a file of another format under that name. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/meshes/check.h"
#include "host/mesh_wire.h"
#include "host/line_file.h"

/* ---- words and lines ---- */

enum { WORD = VP_PLY_WORD };

typedef enum error_scope { OF_FILE, OF_LINE } error_scope;

/* Reads the next word of the file, or of the line, cut to WORD - 1 bytes. @return false at the end. A line's end stays unread */
static bool next_word(FILE *file, error_scope of, char word[WORD])
{
    int c = getc_unlocked(file), length = 0;
    while (c != EOF && isspace(c) && (of == OF_FILE || (c != '\n' && c != '\r')))
        c = getc_unlocked(file);
    for (; c != EOF && !isspace(c); c = getc_unlocked(file))
        if (length < WORD - 1)
            word[length++] = (char)c;
    if (c != EOF)
        ungetc(c, file);
    word[length] = '\0';
    return length != 0;
}

static void end_line(FILE *file)
{
    int c = getc_unlocked(file);
    while (c != EOF && c != '\n' && c != '\r')
        c = getc_unlocked(file);
}

static bool is_number(const char *word, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(word, &end, 10);
    *out = value;
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0;
}

/* ---- PLY ---- */

enum { MAX_HEADER = 1 << 16 };

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static uint8_t bytes_of(const char *type)
{
    static const struct {
        const char *name;
        uint8_t bytes;
    } types[] = {{"char", 1}, {"uchar", 1}, {"int8", 1},  {"uint8", 1},  {"short", 2}, {"ushort", 2},  {"int16", 2},  {"uint16", 2},
                 {"int", 4},  {"uint", 4},  {"int32", 4}, {"uint32", 4}, {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        if (strcmp(type, types[t].name) == 0)
            return types[t].bytes;
    return 0;
}

/* Reads a line of the header, split into words. Unknown lines are refused. */
static bool read_header_line(vp_ply *p, char word[5][WORD], int words)
{
    vp_ply_element *e = p->elements > 0 ? &p->element[p->elements - 1] : NULL;
    if (strcmp(word[0], "format") == 0 && words >= 2) {
        p->known = true;
        p->text = strcmp(word[1], "ascii") == 0;
        p->big_endian = strcmp(word[1], "binary_big_endian") == 0;
        return p->text || p->big_endian || strcmp(word[1], "binary_little_endian") == 0;
    }
    if (strcmp(word[0], "element") == 0 && words == 3 && p->elements < VP_PLY_ELEMENTS) {
        e = &p->element[p->elements++];
        memcpy(e->name, word[1], WORD);
        return is_number(word[2], &e->count);
    }
    if (strcmp(word[0], "property") != 0 || e == NULL || e->properties == VP_PLY_PROPERTIES)
        return strcmp(word[0], "comment") == 0 || strcmp(word[0], "obj_info") == 0;
    vp_ply_property *one = &e->property[e->properties++];
    bool list = strcmp(word[1], "list") == 0;
    const bool whole = word[2][0] != 'f' && word[2][0] != 'd'; /* neither float nor double */
    one->count = list && words == 5 && whole ? bytes_of(word[2]) : 0;
    one->has_sign = list && word[2][0] != 'u';
    one->value = bytes_of(word[list ? 3 : 1]);
    one->kind = word[1][0] == 'd' ? 'f' : word[1][0] == 'u' || word[1][0] == 'f' ? word[1][0] : 'i';
    memcpy(one->name, word[list ? 4 : 2], WORD);
    return one->value != 0 && (list ? one->count != 0 : words == 3);
}

/* Reads the header from its second line on. The file's position is after it then. Without the end of the header assimp
 * would not terminate. */
vp_status vp_ply_read_header(FILE *file, vp_ply *p, vp_error *error)
{
    static const char end[] = "end_header";
    static char start[MAX_HEADER];
    size_t size = fread(start, 1, sizeof start, file), at = 0;
    if (size < 4 || memcmp(start, "ply", 3) != 0 || !is_line_end(start[3]))
        return vp_fail(error, VP_E_FORMAT, "no mesh: it does not begin as a PLY does");
    for (size_t i = 4; at == 0 && i + sizeof end <= size; i++)
        if (memcmp(start + i, end, sizeof end - 1) == 0 && is_line_end(start[i - 1]) && is_line_end(start[i + sizeof end - 1]))
            at = i;
    if (at == 0)
        return vp_fail(error, VP_E_FORMAT, "no mesh: its header has no end in the first %zu bytes", size);
    size_t behind = at + sizeof end - 1;
    behind += start[behind] == '\r' && behind + 1 < size && start[behind + 1] == '\n' ? 2 : 1;
    for (size_t line = 4; line < at;) {
        char word[5][WORD] = {""};
        int words = 0;
        size_t length = 0;
        while (!is_line_end(start[line + length])) /* end_header has a line end before it */
            length++;
        for (size_t i = line; i < line + length && words < 5;) {
            size_t word_length = 0;
            while (i < line + length && isspace((unsigned char)start[i]))
                i++;
            for (; i < line + length && !isspace((unsigned char)start[i]); i++)
                if (word_length < WORD - 1)
                    word[words][word_length++] = start[i];
            words += word_length != 0 ? 1 : 0;
        }
        if (words != 0 && !read_header_line(p, word, words))
            return vp_fail(error, VP_E_FORMAT, "no mesh: its header has the line \"%.*s\", which is not understood",
                           length < 60 ? (int)length : 60, start + line);
        line += length + 1;
    }
    return fseek(file, (long)behind, SEEK_SET) == 0 ? VP_OK : vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
}

static bool skip_bytes(FILE *file, uint64_t bytes)
{
    while (bytes != 0) {
        char block[4096];
        size_t part = bytes < sizeof block ? (size_t)bytes : sizeof block;
        if (fread(block, 1, part, file) != part)
            return false;
        bytes -= part;
    }
    return true;
}

static vp_status is_cut(const vp_ply_element *e, uint64_t k, vp_error *error)
{
    return vp_fail(error, VP_E_FORMAT, "no mesh: it is cut: its header has %" PRIu64 " of element \"%s\", and it ends in number %" PRIu64,
                   e->count, e->name, k);
}

/* Reads the next word of element number k of a text PLY. */
static vp_status take_word(FILE *file, const vp_ply *p, const vp_ply_element *e, uint64_t k, char word[WORD], vp_error *error)
{
    if (next_word(file, p->is_mesh ? OF_LINE : OF_FILE, word))
        return VP_OK;
    return feof(file) ? is_cut(e, k, error)
                      : vp_fail(error, VP_E_FORMAT, "no mesh: the line of number %" PRIu64 " of element \"%s\" ends before its values do",
                                k, e->name);
}

static vp_status take_count(FILE *file, const vp_ply *p, const vp_ply_element *e, uint64_t k, const vp_ply_property *one, uint64_t *count,
                            vp_error *error)
{
    char word[WORD];
    uint8_t bytes[4];
    if (p->text) {
        vp_status status = take_word(file, p, e, k, word, error);
        return status != VP_OK || is_number(word, count)
                   ? status
                   : vp_fail(error, VP_E_FORMAT, "no mesh: number %" PRIu64 " of element \"%s\" has a list of \"%s\" values", k, e->name,
                             word);
    }
    if (fread(bytes, 1, one->count, file) != one->count)
        return is_cut(e, k, error);
    *count = 0;
    for (int i = 0; i < one->count; i++)
        *count = *count << 8 | bytes[p->big_endian ? i : one->count - 1 - i];
    const uint64_t half = UINT64_C(1) << (8 * one->count - 1);
    return !one->has_sign || *count < half
               ? VP_OK
               : vp_fail(error, VP_E_FORMAT, "no mesh: number %" PRIu64 " of element \"%s\" has a list of %" PRId64 " values", k, e->name,
                         (int64_t)*count - (int64_t)(2 * half));
}

/* Checks the number of corners of a face, which the message names. @return VP_E_FORMAT above VP_MAX_FACE_CORNERS */
static vp_status mesh_check_corners(uint64_t face, uint64_t corners, vp_error *error)
{
    return corners <= VP_MAX_FACE_CORNERS
               ? VP_OK
               : vp_fail(error, VP_E_FORMAT, "no mesh: face %" PRIu64 " has %" PRIu64 " corners; %d is the maximum", face, corners,
                         VP_MAX_FACE_CORNERS);
}

static bool is_corner_list(const vp_ply_element *e, const vp_ply_property *p)
{
    return p->count != 0 && strcmp(e->name, "face") == 0 &&
           (strcmp(p->name, "vertex_indices") == 0 || strcmp(p->name, "vertex_index") == 0);
}

/* Skips the line's end: a newline, a return, or both. */
static void pass_line(FILE *file)
{
    int c = getc_unlocked(file);
    while (c != EOF && c != '\n' && c != '\r')
        c = getc_unlocked(file);
    if (c == '\r' && (c = getc_unlocked(file)) != '\n' && c != EOF)
        ungetc(c, file);
}

/* Skips element number k. */
static vp_status skip_one(FILE *file, const vp_ply *p, const vp_ply_element *e, uint64_t k, vp_error *error)
{
    vp_status status = VP_OK;
    char word[WORD];
    for (int i = 0; status == VP_OK && i < e->properties; i++) {
        const vp_ply_property *one = &e->property[i];
        uint64_t count = 1;
        if (one->count != 0)
            status = take_count(file, p, e, k, one, &count, error);
        if (status == VP_OK && !p->text && !skip_bytes(file, count * one->value)) /* a count has at most 32 bits */
            status = is_cut(e, k, error);
        for (uint64_t v = 0; status == VP_OK && p->text && v < count; v++)
            status = take_word(file, p, e, k, word, error);
        if (status == VP_OK && p->is_mesh && is_corner_list(e, one))
            status = mesh_check_corners(k, count, error);
    }
    if (status == VP_OK && p->text && p->is_mesh)
        pass_line(file);
    return status;
}

/* Refuses elements without a property, for which assimp allocates memory before it reads, and repeated names, which it misinterprets. */
static vp_status check_elements(const vp_ply *p, vp_error *error)
{
    for (int i = 0; i < p->elements; i++) {
        const vp_ply_element *e = &p->element[i];
        if (e->count != 0 && e->properties == 0)
            return vp_fail(error, VP_E_FORMAT, "no mesh: its header has %" PRIu64 " of element \"%s\", without a property", e->count,
                           e->name);
        for (int k = 0; k < i; k++)
            if (strcmp(p->element[k].name, e->name) == 0)
                return vp_fail(error, VP_E_FORMAT, "no mesh: its header has element \"%s\" twice", e->name);
    }
    return VP_OK;
}

static vp_status check_ply(FILE *file, bool is_mesh, vp_error *error)
{
    static vp_ply p;
    p = (vp_ply){.is_mesh = is_mesh};
    VP_RETURN_IF_FAILED(vp_ply_read_header(file, &p, error));
    VP_RETURN_IF_FAILED(check_elements(&p, error));
    for (int i = 0; i < p.elements; i++)
        for (uint64_t k = 0; k < p.element[i].count; k++)
            VP_RETURN_IF_FAILED(skip_one(file, &p, &p.element[i], k, error));
    return VP_OK;
}

/* ---- OBJ ---- */

/* Counts the corners of a face to the end of its line. A backslash at a line's end continues the line. */
static uint64_t count_corners(FILE *file)
{
    char word[WORD];
    uint64_t corners = 0;
    while (next_word(file, OF_LINE, word) && word[0] != '#') {
        const size_t length = strlen(word); /* 0 if the word begins with a zero byte */
        const bool continues = length != 0 && word[length - 1] == '\\';
        corners += length > 1 || !continues ? 1 : 0;
        if (continues)
            pass_line(file);
    }
    return corners;
}

static vp_status check_obj(FILE *file, vp_error *error)
{
    char word[WORD];
    uint64_t face = 0;
    vp_status status = VP_OK;
    while (status == VP_OK && next_word(file, OF_FILE, word)) {
        if (strcmp(word, "f") == 0)
            status = mesh_check_corners(face++, count_corners(file), error);
        end_line(file);
    }
    return status;
}

/* ---- STL ---- */

static bool is_word(const char *word, const char *wanted)
{
    size_t i = 0;
    while (wanted[i] != '\0' && tolower((unsigned char)word[i]) == wanted[i])
        i++;
    return wanted[i] == '\0' && word[i] == '\0';
}

/* A text STL ends with "endsolid" and an optional name. A binary STL may begin with "solid" too, so the size decides. */
static vp_status check_stl(FILE *file, vp_error *error)
{
    uint8_t head[84];
    char word[WORD];
    size_t size = fread(head, 1, sizeof head, file);
    if (size < 5 || fseek(file, 0, SEEK_END) != 0)
        return VP_OK; /* assimp refuses the file */
    const uint64_t all = (uint64_t)ftell(file), triangles = size == sizeof head ? (uint64_t)head[80] | (uint64_t)head[81] << 8 |
                                                                                      (uint64_t)head[82] << 16 | (uint64_t)head[83] << 24
                                                                                : 0;
    rewind(file);
    if (!next_word(file, OF_FILE, word) || !is_word(word, "solid") || (size == sizeof head && all == 84 + 50 * triangles))
        return VP_OK;
    uint64_t begun = 0, ended = 0;
    bool open = true;
    end_line(file); /* a name of any words */
    while (next_word(file, OF_FILE, word)) {
        const bool begins = is_word(word, "solid"), ends = is_word(word, "endsolid");
        begun += is_word(word, "facet") ? 1 : 0;
        ended += is_word(word, "endfacet") ? 1 : 0;
        open = begins || (open && !ends);
        if (begins || ends)
            end_line(file);
    }
    if (begun != ended)
        return vp_fail(error, VP_E_FORMAT, "no mesh: it is cut: %" PRIu64 " facets begin and %" PRIu64 " end", begun, ended);
    return open ? vp_fail(error, VP_E_FORMAT, "no mesh: it is cut: no \"endsolid\" follows its %" PRIu64 " facet%s", ended,
                          ended == 1 ? "" : "s")
                : VP_OK;
}

/* ---- glTF ---- */

static vp_status check_gltf(FILE *file, vp_error *error)
{
    int c = getc_unlocked(file);
    while (c != EOF && isspace(c))
        c = getc_unlocked(file);
    return c == '{' ? VP_OK : vp_fail(error, VP_E_FORMAT, "no mesh: it does not begin with '{', as a glTF does");
}

static vp_status check_glb(FILE *file, vp_error *error)
{
    char start[4];
    return fread(start, 1, 4, file) == 4 && memcmp(start, "glTF", 4) == 0
               ? VP_OK
               : vp_fail(error, VP_E_FORMAT, "no mesh: it does not begin with \"glTF\", as a GLB does");
}

vp_status vp_mesh_check(const char *path, bool is_mesh, vp_error *error)
{
    static const struct {
        const char *end;
        vp_status (*check)(FILE *file, vp_error *error); /* NULL = check_ply */
    } checks[] = {{".obj", check_obj}, {".ply", NULL}, {".stl", check_stl}, {".gltf", check_gltf}, {".glb", check_glb}};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (!vp_name_ends(path, checks[i].end))
            continue;
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            return vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
        vp_status status = checks[i].check != NULL ? checks[i].check(file, error) : check_ply(file, is_mesh, error);
        if (status == VP_OK && ferror(file))
            status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
        fclose(file);
        return status;
    }
    return VP_OK;
}

typedef struct off_reader {
    FILE *file;
    uint64_t vertices, faces;
    bool homogeneous; /* a vertex has a fourth coordinate, by which the others are divided */
    vp_bytes *ply;
    vp_error *error;
} off_reader;

/* ---- words ---- */

static bool ends_line(int c)
{
    return c == EOF || is_line_end((char)c);
}

/* Skips to the line's end, which stays unread. */
static void skip_line(FILE *file)
{
    int c = getc_unlocked(file);
    while (!ends_line(c))
        c = getc_unlocked(file);
    if (c != EOF)
        ungetc(c, file);
}

/* Reads the next word of the line, cut to WORD - 1 bytes. @return false at its end and at a comment */
static bool next_off_word(FILE *file, char word[WORD])
{
    int c = getc_unlocked(file), length = 0;
    while (isspace(c) && !ends_line(c))
        c = getc_unlocked(file);
    for (; c != EOF && !isspace(c) && c != '#'; c = getc_unlocked(file))
        if (length < WORD - 1)
            word[length++] = (char)c;
    if (c != EOF)
        ungetc(c, file);
    word[length] = '\0';
    return length != 0;
}

/* Reads the next word of the file, past comments. @return false at the file's end */
static bool next_off_word_of_file(FILE *file, char word[WORD])
{
    while (!next_off_word(file, word)) {
        skip_line(file);
        if (getc_unlocked(file) == EOF)
            return false;
    }
    return true;
}

/* ---- the head ---- */

/* Reads "OFF" and the letters before it. ST, C and N announce other values of a vertex, 4 a fourth coordinate, and n
   the number of dimensions on the next line. @return false for another word */
static bool read_keyword(off_reader *r, const char *word, bool *counted)
{
    const size_t length = strlen(word), letters = length - 3;
    if (length < 3 || strcmp(word + letters, "OFF") != 0 || strspn(word, "STCN4n") < letters)
        return false;
    r->homogeneous = memchr(word, '4', letters) != NULL;
    *counted = memchr(word, 'n', letters) != NULL;
    return true;
}

static vp_status no_counts(const off_reader *r)
{
    return vp_fail(r->error, VP_E_FORMAT, "no mesh: it does not begin as an OFF does, with its numbers of vertices and faces");
}

/* Skips the number of edges, which some programs omit. It ends the line of the counts or has a line of its own. A line
   of one number is neither a vertex nor a face.
   @return false if another word follows the counts */
static bool skip_edge_count(FILE *file)
{
    char word[WORD];
    uint64_t edges;
    if (next_off_word(file, word)) {
        skip_line(file);
        return is_number(word, &edges);
    }
    const long line = ftell(file);
    const bool alone = next_off_word_of_file(file, word) && is_number(word, &edges) && !next_off_word(file, word);
    return alone || fseek(file, line, SEEK_SET) == 0;
}

static vp_status read_head(off_reader *r)
{
    char word[WORD];
    uint64_t count[2], dimensions = 3;
    bool there = next_off_word_of_file(r->file, word), counted = false;
    if (there && read_keyword(r, word, &counted)) {
        there = next_off_word_of_file(r->file, word);
        if (there && strcmp(word, "BINARY") == 0)
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: it is a binary OFF; only text is read");
        if (counted && (!there || !is_number(word, &dimensions) || dimensions != 3))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: an OFF of \"%s\" dimensions; only three are read", word);
        there = counted ? next_off_word_of_file(r->file, word) : there;
    }
    for (int i = 0; i < 2; i++) {
        if (!there || !is_number(word, &count[i]))
            return no_counts(r);
        there = i == 1 || next_off_word_of_file(r->file, word);
    }
    if (!skip_edge_count(r->file))
        return no_counts(r);
    r->vertices = count[0];
    r->faces = count[1];
    return r->faces != 0 ? VP_OK : vp_fail(r->error, VP_E_FORMAT, "no mesh: it has no faces");
}

/* ---- vertices and faces ---- */

/* Reads the first word of vertex or face number i. */
static vp_status begin_item(off_reader *r, uint64_t i, uint64_t count, const char *what, char word[WORD])
{
    return next_off_word_of_file(r->file, word)
               ? VP_OK
               : vp_fail(r->error, VP_E_FORMAT, "no mesh: it is cut: it has %" PRIu64 " of its %" PRIu64 " %s", i, count, what);
}

static vp_status read_vertex(off_reader *r, uint64_t i)
{
    char word[WORD];
    float number[4] = {0, 0, 0, 1};
    const int numbers = r->homogeneous ? 4 : 3;
    VP_RETURN_IF_FAILED(begin_item(r, i, r->vertices, "vertices", word));
    for (int k = 0; k < numbers; k++) {
        if (k > 0 && !next_off_word(r->file, word))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: vertex %" PRIu64 " has %d of its %d coordinates", i, k, numbers);
        if (!vp_text_float(word, &number[k]))
            return vp_fail(r->error, VP_E_FORMAT,
                           "no mesh: vertex %" PRIu64 ": coordinate \"%s\" is not a number that a 32-bit float holds", i, word);
        if (!isfinite(number[k]))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: vertex %" PRIu64 ": coordinate \"%s\" must be finite", i, word);
    }
    for (int k = 0; k < 3; k++) {
        const float divided = number[k] / number[3];
        if (!isfinite(divided))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: vertex %" PRIu64 ": %c = %g / %g must be finite", i, "xyz"[k],
                           (double)number[k], (double)number[3]);
        number[k] = divided;
    }
    vp_bytes_words(r->ply, number, 3);
    skip_line(r->file);
    return VP_OK;
}

static vp_status read_face(off_reader *r, uint64_t f)
{
    char word[WORD];
    uint64_t corners = 0, corner;
    VP_RETURN_IF_FAILED(begin_item(r, f, r->faces, "faces", word));
    if (!is_number(word, &corners))
        return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " begins with \"%s\", not with a number of corners", f, word);
    if (corners == 0)
        return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " has 0 corners", f);
    VP_RETURN_IF_FAILED(mesh_check_corners(f, corners, r->error));
    vp_bytes_words(r->ply, &(uint32_t){(uint32_t)corners}, 1);
    for (uint64_t k = 0; k < corners; k++) {
        if (!next_off_word(r->file, word))
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " has %" PRIu64 " of its %" PRIu64 " corners", f, k, corners);
        if (!is_number(word, &corner) || corner >= r->vertices)
            return vp_fail(r->error, VP_E_FORMAT, "no mesh: face %" PRIu64 " has vertex %s of %" PRIu64, f, word, r->vertices);
        vp_bytes_words(r->ply, &(uint32_t){(uint32_t)corner}, 1);
    }
    skip_line(r->file);
    return VP_OK;
}

static vp_status read_all(off_reader *r)
{
    VP_RETURN_IF_FAILED(read_head(r));
    if (r->vertices > UINT32_MAX)
        return vp_fail(r->error, VP_E_FORMAT, "no mesh: it has %" PRIu64 " vertices; %" PRIu32 " is the maximum", r->vertices, UINT32_MAX);
    vp_bytes_print(r->ply,
                   "ply\nformat binary_little_endian 1.0\nelement vertex %" PRIu64 "\nproperty float x\nproperty float y\n"
                   "property float z\nelement face %" PRIu64 "\nproperty list uint uint vertex_indices\nend_header\n",
                   r->vertices, r->faces);
    for (uint64_t i = 0; i < r->vertices; i++)
        VP_RETURN_IF_FAILED(read_vertex(r, i));
    for (uint64_t f = 0; f < r->faces; f++)
        VP_RETURN_IF_FAILED(read_face(r, f));
    if (r->ply->failed)
        return vp_fail(r->error, VP_E_MEMORY, "no memory to read it");
    return VP_OK;
}

vp_status vp_off_as_ply(const char *path, vp_bytes *ply, vp_error *error)
{
    off_reader r = {.ply = ply, .error = error};
    *ply = (vp_bytes){0};
    VP_RETURN_IF_FAILED(vp_open_lines(path, &r.file, error));
    vp_status status = read_all(&r);
    if (status == VP_OK && ferror(r.file))
        status = vp_fail(error, VP_E_IO, "cannot be read: %s", strerror(errno));
    fclose(r.file);
    return status;
}
